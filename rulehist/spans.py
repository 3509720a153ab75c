"""Each rule's text as half-open intervals of time, from what every version says of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulehist.document import Coverage, Part, PartKind


@dataclass(frozen=True, slots=True)
class VersionEntries:
    """What one version says: of ``rules[n]`` (its id) the part ``parts[n]`` (its id), at ``places[n]``.

    ``effective`` is an ISO date, ``None`` where unknown (then the version comes last).
    """

    version_id: int
    effective: str | None
    coverage: Coverage
    rules: Sequence[int]
    parts: Sequence[int]
    places: Sequence[int]


@dataclass(slots=True)
class Span:
    """An interval in which a rule had one number and one published text, those of the part of that id.

    ``valid_until`` is exclusive; ``None`` with ``until_known`` means still in force, as far as the store knows,
    ``None`` without it that it ended, or may have ended, on an unknown date.
    """

    rule: int
    part: int
    place: int
    first_version_id: int
    valid_from: str | None
    coverage: Coverage
    valid_until: str | None = None
    until_known: bool = True


def spans(versions: Sequence[VersionEntries], parts: Mapping[int, Part], texts: Mapping[int, int]) -> Iterator[Span]:
    """Fold versions, oldest first and undated last, into spans.

    ``parts`` are all parts by their ids, with folded texts, and ``texts`` the ids of their texts as published.
    A full version ends what it does not have. An excerpt ends only what it contradicts: another text of the same
    rule, or the same number given to another rule. An undated text that repeats known words changes nothing.
    """
    folding = _Folding(parts, texts)
    dated = [version for version in versions if version.effective is not None]
    for version in dated:
        if version.coverage is Coverage.FULL:
            folding.follow_full(version)
        else:
            folding.follow_excerpt(version)
    undated = [version for version in versions if version.effective is None]
    said: dict[int, set[str]] = {rule: set() for version in undated for rule in version.rules}
    for version in dated if undated else ():
        folding.listen(version, said)
    for version in undated:
        folding.follow_undated(version, said)
        folding.listen(version, said)
    yield from folding.ended
    yield from folding.open.values()


class _Folding:
    """The spans that are open, by rule, and those that ended."""

    def __init__(self, parts: Mapping[int, Part], texts: Mapping[int, int]) -> None:
        self.open: dict[int, Span] = {}
        self.ended: list[Span] = []
        self._parts = parts
        self._texts = texts
        self._truncated = frozenset(part_id for part_id, part in parts.items() if part.truncated)

    def follow_full(self, version: VersionEntries) -> None:
        """A whole text: goes on with what is as it was, and ends all else."""
        still: set[int] = set()
        others: list[tuple[int, int, int]] = []
        for rule, part, place in self._entries(version):
            span = self.open.get(rule)
            if span is not None and (span.part == part or self._printed(span.part) == self._printed(part)):
                span.coverage = Coverage.FULL
                still.add(rule)
            else:
                others.append((rule, part, place))
        self._close(self.open.keys() - still, version.effective)
        for entry in others:
            self._begin(version, *entry)

    def follow_excerpt(self, version: VersionEntries) -> None:
        """A text that only quotes: ends another text of the same rule, and other holders of the number."""
        for rule, part, place in self._entries(version):
            span = self.open.get(rule)
            if span is not None and self._words(span.part) == self._words(part):
                continue
            kind, number = self._parts[part].kind, self._parts[part].number
            alone = kind not in {PartKind.EXAMPLE, PartKind.CONTINUATION}
            taken_over = {
                other
                for other, held in self.open.items()
                if other == rule
                or (alone and (self._parts[held.part].number, self._parts[held.part].kind) == (number, kind))
            }
            self._close(taken_over, version.effective)
            self._begin(version, rule, part, place)

    def follow_undated(self, version: VersionEntries, said: Mapping[int, Collection[str]]) -> None:
        """A text without date: tells something only with words that no version ``said`` of a rule."""
        for rule, part, place in self._entries(version):
            span = self.open.get(rule)
            if self._parts[part].text in said[rule] or (span is not None and span.coverage is Coverage.FULL):
                continue
            self._close([rule] if span is not None else [], None)
            self._begin(version, rule, part, place)

    def listen(self, version: VersionEntries, said: Mapping[int, set[str]]) -> None:
        """Add the words of ``version`` to those said of each rule that is of interest."""
        for rule, part, _ in self._entries(version):
            if rule in said:
                said[rule].add(self._parts[part].text)

    def _entries(self, version: VersionEntries) -> Iterable[tuple[int, int, int]]:
        entries = zip(version.rules, version.parts, version.places, strict=True)
        return (entry for entry in entries if entry[1] not in self._truncated) if self._truncated else entries

    def _printed(self, part_id: int) -> tuple[str, int, str]:
        part = self._parts[part_id]
        return part.number, self._texts[part_id], part.label

    def _words(self, part_id: int) -> tuple[str, str]:
        part = self._parts[part_id]
        return part.number, part.text

    def _begin(self, version: VersionEntries, rule: int, part: int, place: int) -> None:
        self.open[rule] = Span(rule, part, place, version.version_id, version.effective, version.coverage)

    def _close(self, rules: Iterable[int], on: str | None) -> None:
        for rule in rules:
            span = self.open.pop(rule)
            span.valid_until = on
            span.until_known = on is not None
            self.ended.append(span)
