"""Which rule is which through all versions: identities that follow from the set of texts alone.

An identity is named by the address of its first appearance: ``503.2@2001-07-23``; the n-th example of a rule is
``503.2#2@2001-07-23``, a paragraph after an example ``503.2+1@...``; a number used twice in one text gets ``~2``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rulehist.document import Coverage, Part, PartKind
from rulehist.thresholds import RETURNED_WORDS, SAME_RULE_IN_EXCERPT

Pairs = list[tuple[int, int]]
"""Indexes of the parts of two texts that are the same rule."""


@dataclass(frozen=True, slots=True)
class DatedDocument:
    """A document and its version. ``parts`` carry folded texts; ``effective`` is an ISO date or ``None``."""

    document_id: int
    version_id: int
    effective: str | None
    coverage: Coverage
    parts: tuple[Part, ...]


def identities(
    documents: Sequence[DatedDocument], pairs_of: Callable[[DatedDocument, DatedDocument], Pairs]
) -> list[list[str]]:
    """For each document, the identity of each of its parts. ``documents`` come oldest first, undated ones last.

    Full texts are linked to the full text before them by ``pairs_of``; what vanished and comes back with the same
    words is the same rule. An excerpt joins the rule that has its number and much the same words.
    """
    names: list[list[str]] = [[] for _ in documents]
    full = [at for at, document in enumerate(documents) if document.coverage is Coverage.FULL]
    _name_full_texts(documents, full, names, pairs_of)
    known: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for at, document in enumerate(documents):
        if document.coverage is not Coverage.FULL:
            names[at] = _name_excerpt(document, known, _next_full(documents, names, full, at))
        for part, name in zip(document.parts, names[at], strict=True):
            if not part.truncated:
                _remember(known, part, name)
    return names


def _name_full_texts(
    documents: Sequence[DatedDocument],
    full: Sequence[int],
    names: list[list[str]],
    pairs_of: Callable[[DatedDocument, DatedDocument], Pairs],
) -> None:
    gone: dict[tuple[PartKind, str], str] = {}
    before: int | None = None
    for at in full:
        document = documents[at]
        found: list[str | None] = [None] * len(document.parts)
        if before is not None:
            older = documents[before]
            continued = set()
            for i, j in pairs_of(older, document):
                found[j] = names[before][i]
                continued.add(i)
            for i, part in enumerate(older.parts):
                if i not in continued and len(part.text.split()) >= RETURNED_WORDS:
                    gone[part.kind, part.text] = names[before][i]
        taken = {name for name in found if name is not None}
        for j, part in enumerate(document.parts):
            if found[j] is None:
                returned = gone.get((part.kind, part.text))
                if returned is not None and returned not in taken:
                    found[j] = returned
                    taken.add(returned)
                    del gone[part.kind, part.text]
        names[at] = _named(document, found)
        before = at


def _named(document: DatedDocument, found: Sequence[str | None]) -> list[str]:
    """Give a new name to what has none yet."""
    counts: Counter[str] = Counter()
    named: list[str] = []
    given = {name for name in found if name is not None}
    for part, name in zip(document.parts, found, strict=True):
        address = part.number
        if part.kind in {PartKind.EXAMPLE, PartKind.CONTINUATION}:
            mark = "#" if part.kind is PartKind.EXAMPLE else "+"
            counts[mark + part.number] += 1
            address = f"{part.number}{mark}{counts[mark + part.number]}"
        elif part.kind is PartKind.GLOSSARY:
            address = part.number.casefold()
        if name is None:
            born = f"{address}@{document.effective or 'undated'}"
            name, again = born, 1
            while name in given:
                again += 1
                name = f"{address}~{again}@{document.effective or 'undated'}"
            given.add(name)
        named.append(name)
    return named


def _next_full(
    documents: Sequence[DatedDocument], names: Sequence[list[str]], full: Sequence[int], at: int
) -> list[tuple[Part, str]]:
    """The parts of the first full text that is not older, for what an excerpt quotes before any full text did."""
    later = next((other for other in full if other > at or documents[other].version_id == documents[at].version_id), None)
    return [] if later is None else list(zip(documents[later].parts, names[later], strict=True))


def _group(part: Part) -> str:
    return "rule" if part.kind in {PartKind.RULE, PartKind.SUBRULE} else str(part.kind)


def _remember(known: dict[tuple[str, str], list[tuple[str, str]]], part: Part, name: str) -> None:
    entries = known.setdefault((_group(part), part.number), [])
    if (name, part.text) in entries:
        entries.remove((name, part.text))
    entries.append((name, part.text))


def _name_excerpt(
    document: DatedDocument,
    known: dict[tuple[str, str], list[tuple[str, str]]],
    later: Sequence[tuple[Part, str]],
) -> list[str]:
    following: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for part, name in later:
        following.setdefault((_group(part), part.number), []).append((name, part.text))
    found: list[str | None] = []
    taken: set[str] = set()
    for part in document.parts:
        key = (_group(part), part.number)
        newest_first = [*reversed(known.get(key, [])), *following.get(key, [])]
        name = _best(part, [entry for entry in newest_first if entry[0] not in taken])
        found.append(name)
        if name is not None:
            taken.add(name)
    return _named(document, found)


def _best(part: Part, candidates: Iterable[tuple[str, str]]) -> str | None:
    """The candidate with the most similar words; the first of equal ones; none that is too far off."""
    from rapidfuzz.distance import Indel

    words = part.text.split()
    best, best_score = None, SAME_RULE_IN_EXCERPT
    for name, text in candidates:
        if part.truncated and text.startswith(part.text):
            return name
        if text == part.text:
            return name
        score = Indel.normalized_similarity(words, text.split())
        if score > best_score:
            best, best_score = name, score
    return best
