"""Who is who over all versions: an identity for each rule that lives through renumbering, moves and gaps.

An identity is named after the address of its first appearance, such as ``503.2@2001-07-23``. It follows from
the set of texts alone: whole texts carry it from neighbour to neighbour, and sources that only quote some
rules are attached afterwards, so that they never change the history of another rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from rulehist.document import WITH_HISTORY, Part, PartKind
from rulehist.folding import fold
from rulehist.matching import Link, Relation, match
from rulehist.references import masked
from rulehist.similarity import tokens
from rulehist.thresholds import RETURNED_ALIKE, SIMILAR_ALONE, SIMILAR_IN_PLACE, SPLIT_WORDS

NOBODY = -1
"""Stands for the identity of a part that has none, because it is front matter."""


@dataclass(frozen=True, slots=True)
class VersionParts:
    """One dated text for the lineage: its parts, their folded texts, whether it is the whole text.

    ``effective`` is ``None`` where the source gives no date; such texts come last.
    """

    effective: date | None
    parts: Sequence[Part]
    folded: Sequence[str]
    full: bool = True


class EventKind(StrEnum):
    """What happened to a rule between two neighbouring whole texts."""

    SPLIT = "split"
    MERGE = "merge"
    RETURNED = "returned"  # it is back after a gap


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a rule with the version of that index.

    ``SPLIT``: ``rule`` was born from words of ``other``. ``MERGE``: ``rule`` ended and went into ``other``.
    ``RETURNED``: ``rule`` is there again; ``since`` is the index of the version from which it was missing.
    """

    kind: EventKind
    version: int
    rule: int
    other: int = NOBODY
    score: float = 1.0
    since: int = -1


@dataclass(frozen=True, slots=True)
class Lineage:
    """Who is who: ``rules[v][p]``, of part ``p`` of version ``v``, indexes ``names``, or is ``NOBODY``."""

    names: tuple[str, ...]
    rules: tuple[tuple[int, ...], ...]
    events: tuple[Event, ...]


def neighbours(versions: Sequence[VersionParts]) -> list[tuple[int, int]]:
    """The pairs of neighbouring whole texts, which need links, as indexes into ``versions``."""
    full = [place for place, version in enumerate(versions) if version.full]
    return list(pairwise(full))


def assign(versions: Sequence[VersionParts], links: Mapping[tuple[int, int], Sequence[Link]] | None = None) -> Lineage:
    """Give every part of every version its identity.

    ``versions`` are in order of time, undated ones last. ``links`` holds what ``match`` says of each pair of
    ``neighbours(versions)``; pairs that are not there are matched now.
    """
    known = links or {}
    course = _Course(_Names(), _Gone(), [])
    rules: list[tuple[int, ...]] = [()] * len(versions)
    previous = -1
    for place, version in enumerate(versions):
        if not version.full:
            continue
        older = version if previous < 0 else versions[previous]
        given: Sequence[Link] = ()
        if previous >= 0:
            given = known.get((previous, place)) or match(
                older.parts, version.parts, folded_old=older.folded, folded_new=version.folded
            )
        rules[place] = course.carry(place, version, older, rules[previous] if previous >= 0 else (), given)
        previous = place
    _attach_excerpts(versions, rules, course.names)
    return Lineage(tuple(course.names.all), tuple(rules), tuple(course.events))


@dataclass(slots=True)
class _Course:
    """What is known on the way through the whole texts: names given, rules that ended, events so far."""

    names: _Names
    gone: _Gone
    events: list[Event]

    def carry(
        self,
        place: int,
        version: VersionParts,
        older: VersionParts,
        before: Sequence[int],
        links: Sequence[Link],
    ) -> tuple[int, ...]:
        """Identities of the parts of a whole text, from ``before``, those of the whole text before it."""
        here = [NOBODY] * len(version.parts)
        others: list[Link] = []
        same = Relation.SAME
        for link in links:
            old, new, _, _, relation = link
            if relation is not same:
                others.append(link)
            elif old is not None and new is not None:
                here[new] = before[old]
            elif old is not None and before[old] != NOBODY:
                self.gone.add(before[old], place, older, old)
        self._arrive(place, version, here)
        for old, new, _, score, relation in others:
            if old is None or new is None or NOBODY in (before[old], here[new]):
                continue
            if relation is Relation.SPLIT:
                self.events.append(Event(EventKind.SPLIT, place, here[new], before[old], score))
            else:
                self.events.append(Event(EventKind.MERGE, place, before[old], here[new], score))
        return tuple(here)

    def _arrive(self, place: int, version: VersionParts, here: list[int]) -> None:
        """Those without an identity in ``here`` came back, or are new."""
        parts = version.parts
        arrived = [at for at, rule in enumerate(here) if rule == NOBODY and parts[at].kind in WITH_HISTORY]
        addresses = _addresses(parts, arrived) if arrived else {}
        for at in arrived:
            back = self.gone.take(version, at)
            if back is None:
                here[at] = self.names.new(addresses[at], version.effective)
            else:
                here[at], since = back
                self.events.append(Event(EventKind.RETURNED, place, here[at], since=since))


class _Names:
    """Names of identities, in order of birth, each once."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._taken: Counter[str] = Counter()

    def new(self, address: str, effective: date | None) -> int:
        name = f"{address}@{effective.isoformat() if effective else 'undated'}"
        self._taken[name] += 1
        if self._taken[name] > 1:
            name = f"{name}~{self._taken[name]}"
        self.all.append(name)
        return len(self.all) - 1


def _addresses(parts: Sequence[Part], wanted: Collection[int]) -> dict[int, str]:
    """Addresses of some parts: ``707.2``, its first example ``707.2#1``, its going on ``707.2+1``, a term."""
    found: dict[int, str] = {}
    inside = {PartKind.EXAMPLE: "#", PartKind.CONTINUATION: "+"}
    counts: Counter[tuple[str, str]] = Counter()
    chosen = set(wanted)
    for place, part in enumerate(parts):
        mark = inside.get(part.kind)
        if mark is not None:
            counts[mark, part.number] += 1
        if place not in chosen:
            continue
        if mark is not None:
            found[place] = f"{part.number}{mark}{counts[mark, part.number]}"
        elif part.kind is PartKind.GLOSSARY:
            found[place] = fold(part.number).lower()
        else:
            found[place] = part.number
    return found


def _group(part: Part) -> str:
    return "rule" if part.kind is PartKind.SUBRULE else part.kind.value


class _Gone:
    """Rules that ended, for those that come back: by their text, their masked text, their number or term."""

    def __init__(self) -> None:
        self._by_text: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        self._by_number: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        self._last: dict[int, tuple[int, str, str]] = {}  # rule: version, number, folded text

    def add(self, rule: int, place: int, version: VersionParts, at: int) -> None:
        part, text = version.parts[at], version.folded[at]
        group = _group(part)
        number = _known_by(part)
        self._last[rule] = place, number, text
        self._by_text[group, masked(text)].append(rule)
        self._by_number[group, number].append(rule)

    def take(self, version: VersionParts, at: int) -> tuple[int, int] | None:
        """The rule that is back in this part, and the index of the version from which it was missing."""
        part, text = version.parts[at], version.folded[at]
        group, number = _group(part), _known_by(part)
        for rule in self._waiting(self._by_text.get((group, masked(text)), ())):
            telling = len(tokens(text)) >= SPLIT_WORDS and part.kind is not PartKind.GLOSSARY
            if telling or self._last[rule][1] == number:
                return rule, self._last.pop(rule)[0]
        for rule in self._waiting(self._by_number.get((group, number), ())):
            least = 0.0 if part.kind is PartKind.GLOSSARY else RETURNED_ALIKE
            if _alike(self._last[rule][2], text) >= least:
                return rule, self._last.pop(rule)[0]
        return None

    def _waiting(self, rules: Sequence[int]) -> list[int]:
        """Of some rules those that are still gone, the last to go first."""
        return [rule for rule in reversed(rules) if rule in self._last]


def _known_by(part: Part) -> str:
    return fold(part.number).casefold() if part.kind is PartKind.GLOSSARY else part.number


def _alike(one: str, other: str, *, cut: bool = False) -> float:
    """Similarity of two folded texts by words, 0 to 1; with ``cut`` only as far as the shorter one goes."""
    if one == other:
        return 1.0
    a, b = tokens(one), tokens(other)
    if cut:
        shorter = min(len(a), len(b))
        a, b = a[:shorter], b[:shorter]
    return 2 * LCSseq.similarity(a, b) / (len(a) + len(b)) if a and b else 0.0


# --- sources that only quote some rules ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a whole text has some number: its version, the identity there, its text."""

    version: int
    rule: int
    text: str


def _attach_excerpts(versions: Sequence[VersionParts], rules: list[tuple[int, ...]], names: _Names) -> None:
    """Give parts of excerpts the identity that has their number and a similar text around their date."""
    excerpts = [place for place, version in enumerate(versions) if not version.full]
    if not excerpts:
        return
    quoted = {
        (_group(part), _known_by(part))
        for place in excerpts
        for part in versions[place].parts
        if part.kind in WITH_HISTORY
    }
    whole: defaultdict[tuple[str, str], list[_Place]] = defaultdict(list)
    for place, version in enumerate(versions):
        if version.full:
            for at, part in enumerate(version.parts):
                key = _group(part), _known_by(part)
                if key in quoted:
                    whole[key].append(_Place(place, rules[place][at], version.folded[at]))
    alone: defaultdict[tuple[str, str], list[_Place]] = defaultdict(list)
    for place in excerpts:
        version = versions[place]
        here = [NOBODY] * len(version.parts)
        addresses = _addresses(version.parts, range(len(version.parts)))
        for at, part in enumerate(version.parts):
            if part.kind not in WITH_HISTORY:
                continue
            key = _group(part), _known_by(part)
            text, cut = version.folded[at], part.truncated
            taken = set(here)
            found = _nearest(whole[key], place, version.effective, text=text, cut=cut, taken=taken)
            if found is None:
                found = _most_similar(reversed(alone[key]), text, cut, taken)
            if found is None:
                found = names.new(addresses[at], version.effective)
            here[at] = found
            if not cut and all(known.rule != found for known in whole[key]):
                alone[key].append(_Place(place, found, text))
        rules[place] = tuple(here)


def _nearest(
    known: Sequence[_Place],
    place: int,
    effective: date | None,
    *,
    text: str,
    cut: bool,
    taken: Collection[int],
) -> int | None:
    """The identity around that time with a similar text, else the one at any time with a more similar one."""
    if not known:
        return None
    before = [found for found in known if found.version < place]
    after = [found for found in known if found.version > place]
    around: list[_Place] = []
    if effective is not None:
        last = max((found.version for found in before), default=-1)
        first = min((found.version for found in after), default=-1)
        around = [found for found in before if found.version == last]
        around += [found for found in after if found.version == first]
    by_distance = sorted(known, key=lambda found: (abs(found.version - place), found.version))
    found = _most_similar(around, text, cut, taken, least=SIMILAR_IN_PLACE)
    return found if found is not None else _most_similar(by_distance, text, cut, taken)


def _most_similar(
    known: Iterable[_Place], text: str, cut: bool, taken: Collection[int], least: float = SIMILAR_ALONE
) -> int | None:
    """The identity with the most similar text, the first of equals; ``None`` where none is similar enough."""
    best, found = least, None
    seen: set[tuple[int, str]] = set()
    for place in known:
        if place.rule in taken or (place.rule, place.text) in seen:
            continue
        seen.add((place.rule, place.text))
        alike = _alike(place.text, text, cut=cut)
        if alike > best or (alike == best and found is None):
            best, found = alike, place.rule
    return found
