"""The links of two neighbouring whole texts: matched once, kept in the store, and matched by several processes.

They depend on nothing but the two texts, the matcher, and what experts decided about the two by hand.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate, pairwise
from types import ModuleType

from rulehist import matching, overrides, thresholds
from rulehist.document import WITH_HISTORY, Part, PartKind
from rulehist.matching import Evidence, Link, Relation, match
from rulehist.overrides import Verdicts
from rulehist.thresholds import PAIRS_A_TASK
from rulehist.workers import Workers, runs

_PACKAGE = files("rulehist")
_EVIDENCE = tuple(Evidence)
_RELATION = tuple(Relation)
_NONE = -1
_SCORE_PARTS = 10_000

_PlainPart = tuple[str, str, str, str, bool]  # kind, folded text, number, label, truncated: travels well
_LinkRow = tuple[int, int, str, str, float]  # of the table: old, new, relation, evidence, score


@dataclass(frozen=True, slots=True)
class Text:
    """A whole text: its row in ``documents``, its effective date, and its parts with a history: ids and places."""

    document_id: int
    effective: str | None
    part_ids: Sequence[int]
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Task:
    """Some pairs to match, as places in ``texts``; a text is places in ``parts``."""

    parts: tuple[_PlainPart, ...]
    texts: tuple[array[int], ...]
    pairs: tuple[tuple[int, int, Verdicts], ...]


@dataclass(frozen=True, slots=True)
class _Matched:
    packed: bytes
    rows: tuple[_LinkRow, ...]


class KeptLinks(Mapping[tuple[int, int], list[Link]]):
    """Links by two keys, unpacked when they are asked for: all at once they would take half a kilobyte a rule."""

    def __init__(self, packed: Mapping[tuple[int, int], bytes]) -> None:
        self._packed = packed

    def __getitem__(self, key: tuple[int, int]) -> list[Link]:
        return _unpacked(self._packed[key])

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def links_of_neighbours(
    connection: sqlite3.Connection,
    texts: Sequence[Text],
    pairs: Sequence[tuple[int, int]],
    parts: Mapping[int, Part],
    workers: Workers,
) -> KeptLinks:
    """All links of each pair of places in ``texts``, those of parts without counterpart too, by the pairs.

    Links that this matcher made and the store keeps are taken as they are, others are matched and kept; those of
    texts that are neighbours no longer are dropped. Scores are rounded to four places, whether kept or matched now.
    """
    this_matcher = matcher()
    kept = {
        (older, newer): (made_by, by_hand, packed)
        for older, newer, made_by, by_hand, packed in connection.execute(
            "SELECT older_document_id, newer_document_id, matcher, by_hand, links FROM matches"
        )
    }
    found: dict[tuple[int, int], bytes] = {}
    wanted: dict[tuple[int, int], Verdicts] = {}
    for pair in pairs:
        older, newer = texts[pair[0]], texts[pair[1]]
        verdicts = _verdicts(older, newer, parts)
        made_by, by_hand, packed = kept.get((older.document_id, newer.document_id), ("", "", b""))
        if packed and (made_by, by_hand) == (this_matcher, _by_hand(verdicts)):
            found[pair] = packed
            del kept[older.document_id, newer.document_id]
        else:
            wanted[pair] = verdicts
    for table in ("matches", "links"):
        connection.executemany(f"DELETE FROM {table} WHERE older_document_id = ? AND newer_document_id = ?", kept)
    tasks = [_task(some, wanted, texts, parts) for some in runs(list(wanted), PAIRS_A_TASK)]
    matched = (one for some in workers.each(_match, tasks) for one in some)
    for pair, one in zip(wanted, matched, strict=True):
        older, newer = texts[pair[0]], texts[pair[1]]
        key = older.document_id, newer.document_id
        found[pair] = one.packed
        connection.execute(
            "INSERT INTO matches(older_document_id, newer_document_id, matcher, by_hand, links) VALUES (?, ?, ?, ?, ?)",
            (*key, this_matcher, _by_hand(wanted[pair]), one.packed),
        )
        connection.executemany(
            "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(*key, older.places[old], newer.places[new], *more) for old, new, *more in one.rows],
        )
    return KeptLinks(found)


def out_of_date(connection: sqlite3.Connection) -> bool:
    """Whether links that the store keeps come from another matcher, or experts decided otherwise of them by now.

    Raises ``DataError`` with file and line where a decision names a number that its text does not have.
    """
    if connection.execute("SELECT 1 FROM matches WHERE matcher <> ?", [matcher()]).fetchone():
        return True
    return _decided_anew(connection)


@cache
def matcher() -> str:
    """SHA-256 in hexadecimal of all that decides how two texts are matched: the modules, and the thresholds they use.

    Other versions of the program may link otherwise, so that a store must not keep the links of two of them.
    """
    whole = sha256()
    for name, module in sorted(_needed_by(matching).items()):
        whole.update(_PACKAGE.joinpath(f"{name.removeprefix('rulehist.')}.py").read_bytes())
        numbers = {name: value for name, value in vars(module).items() if name.isupper() and name in vars(thresholds)}
        whole.update(repr(sorted(numbers.items())).encode())
    return whole.hexdigest()


def _needed_by(module: ModuleType) -> dict[str, ModuleType]:
    """By their names: the module, and those modules of the package whose functions and classes it uses."""
    needed: dict[str, ModuleType] = {}
    waiting = [module]
    while waiting:
        one = waiting.pop()
        needed[one.__name__] = one
        homes = {str(getattr(value, "__module__", "")) for value in vars(one).values()}
        waiting += [sys.modules[home] for home in homes - needed.keys() if home.startswith("rulehist.")]
    return needed


def _decided_anew(connection: sqlite3.Connection) -> bool:
    decided = {(one.old_release, one.new_release) for one in overrides.load()}
    rows = connection.execute(
        "SELECT older_document_id, newer_document_id, older.effective, newer.effective, by_hand FROM matches"
        " JOIN documents AS one ON one.id = older_document_id JOIN versions AS older ON older.id = one.version_id"
        " JOIN documents AS two ON two.id = newer_document_id JOIN versions AS newer ON newer.id = two.version_id"
    ).fetchall()
    return any(
        by_hand != _by_hand(_verdicts_on(old, _parts_of(connection, older), new, _parts_of(connection, newer)))
        for older, newer, old, new, by_hand in rows
        if by_hand or (old, new) in decided
    )


def _parts_of(connection: sqlite3.Connection, document_id: int) -> list[Part]:
    """The parts with a history of a document, without their texts."""
    rows = connection.execute(
        "SELECT kind, number FROM placements JOIN parts ON parts.id = part_id WHERE document_id = ? ORDER BY place",
        [document_id],
    )
    return [Part(PartKind(kind), "", number) for kind, number in rows if PartKind(kind) in WITH_HISTORY]


def _verdicts(older: Text, newer: Text, parts: Mapping[int, Part]) -> Verdicts:
    old, new = ([parts[part_id] for part_id in text.part_ids] for text in (older, newer))
    return _verdicts_on(older.effective, old, newer.effective, new)


def _verdicts_on(
    old_release: str | None, old: Sequence[Part], new_release: str | None, new: Sequence[Part]
) -> Verdicts:
    return overrides.verdicts(overrides.load(), old_release or "", old, new_release or "", new)


def _by_hand(verdicts: Verdicts) -> str:
    if verdicts == Verdicts():
        return ""
    return json.dumps({"force": sorted(verdicts.forced), "forbid": sorted(verdicts.forbidden)})


def _task(
    pairs: Sequence[tuple[int, int]],
    verdicts: Mapping[tuple[int, int], Verdicts],
    texts: Sequence[Text],
    parts: Mapping[int, Part],
) -> _Task:
    """Every part and every text of some pairs once."""
    part_places: dict[int, int] = {}
    text_places = {place: at for at, place in enumerate(dict.fromkeys(place for pair in pairs for place in pair))}
    placed = tuple(
        array("i", [part_places.setdefault(part_id, len(part_places)) for part_id in texts[place].part_ids])
        for place in text_places
    )
    plain = tuple(
        (part.kind.value, part.text, part.number, part.label, part.truncated)
        for part in map(parts.__getitem__, part_places)
    )
    return _Task(
        plain, placed, tuple((text_places[older], text_places[newer], verdicts[older, newer]) for older, newer in pairs)
    )


def _match(task: _Task) -> list[_Matched]:
    parts = [
        Part(PartKind(kind), folded, number, label, 0, truncated)
        for kind, folded, number, label, truncated in task.parts
    ]
    texts = [[parts[place] for place in text] for text in task.texts]
    matched: list[_Matched] = []
    for old_place, new_place, verdicts in task.pairs:
        old, new = texts[old_place], texts[new_place]
        links = match(
            old,
            new,
            folded_old=[part.text for part in old],
            folded_new=[part.text for part in new],
            forced=verdicts.forced,
            forbidden=verdicts.forbidden,
        )
        matched.append(_Matched(_packed(links), tuple(_telling(links))))
    return matched


def _telling(links: Sequence[Link]) -> Iterable[_LinkRow]:
    """The links that say more than "same text"."""
    for old, new, evidence, score, relation in links:
        if old is not None and new is not None and (evidence is not Evidence.EXACT or relation is not Relation.SAME):
            yield old, new, str(relation), str(evidence), score


def _packed(links: Sequence[Link]) -> bytes:
    """Links column by column, places as steps from one to the next, compressed: neighbours differ in little."""
    old = [_NONE if link.old is None else link.old for link in links]
    new = [_NONE if link.new is None else link.new for link in links]
    columns = (
        _steps(old),
        _steps(new),
        [_EVIDENCE.index(link.evidence) for link in links],
        [round(link.score * _SCORE_PARTS) for link in links],
        [_RELATION.index(link.relation) for link in links],
    )
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 6)


def _steps(places: Sequence[int]) -> list[int]:
    return [*places[:1], *(following - place for place, following in pairwise(places))]


def _unpacked(packed: bytes) -> list[Link]:
    old, new, evidence, score, relation = json.loads(zlib.decompress(packed))
    return list(
        map(
            Link,
            [None if place < 0 else place for place in accumulate(old)],
            [None if place < 0 else place for place in accumulate(new)],
            [_EVIDENCE[ground] for ground in evidence],
            [parts / _SCORE_PARTS for parts in score],
            [_RELATION[how] for how in relation],
        )
    )
