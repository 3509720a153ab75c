"""Each rule's text as half-open intervals of time, from what every version says of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulehist.document import Coverage


@dataclass(frozen=True, slots=True)
class Entry:
    """What one version says of one rule. ``rule`` is its identity; the same ``folded`` means the same words."""

    rule: str
    kind: str
    number: str
    label: str
    text_id: int
    folded: str
    place: int
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class VersionEntries:
    """A version and its entries. ``effective`` is an ISO date, ``None`` where unknown (then it comes last)."""

    version_id: int
    effective: str | None
    coverage: Coverage
    entries: tuple[Entry, ...]


@dataclass(slots=True)
class Span:
    """An interval in which a rule had one number and one published text.

    ``valid_until`` is exclusive; ``None`` with ``until_known`` means still in force, as far as the store knows,
    ``None`` without it that it ended, or may have ended, on an unknown date.
    """

    entry: Entry
    first_version_id: int
    valid_from: str | None
    coverage: Coverage
    valid_until: str | None = None
    until_known: bool = True


def spans(versions: Sequence[VersionEntries]) -> Iterator[Span]:
    """Fold versions, oldest first and undated last, into spans.

    A full version ends what it does not have. An excerpt ends only what it contradicts: another text of the same
    rule, or the same number given to another rule. An undated text that repeats known words changes nothing.
    """
    open_spans: dict[str, Span] = {}
    ended: list[Span] = []
    seen_words: dict[str, set[str]] = {}
    for version in versions:
        entries = [entry for entry in version.entries if not entry.truncated]
        if version.effective is None:
            ended += _follow_undated(open_spans, version, entries, seen_words)
        elif version.coverage is Coverage.FULL:
            ended += _follow_full(open_spans, version, entries)
        else:
            ended += _follow_excerpt(open_spans, version, entries)
        for entry in entries:
            seen_words.setdefault(entry.rule, set()).add(entry.folded)
    yield from ended
    yield from open_spans.values()


def _open(version: VersionEntries, entry: Entry) -> Span:
    return Span(entry, version.version_id, version.effective, version.coverage)


def _close(open_spans: dict[str, Span], rules: Iterable[str], on: str | None) -> list[Span]:
    closed = [open_spans.pop(rule) for rule in rules]
    for span in closed:
        span.valid_until = on
        span.until_known = on is not None
    return closed


def _follow_full(open_spans: dict[str, Span], version: VersionEntries, entries: Sequence[Entry]) -> list[Span]:
    unchanged: set[str] = set()
    for entry in entries:
        span = open_spans.get(entry.rule)
        if span is not None and (span.entry.number, span.entry.text_id, span.entry.label) == (
            entry.number, entry.text_id, entry.label,
        ):  # fmt: skip
            span.coverage = Coverage.FULL
            unchanged.add(entry.rule)
    ended = _close(open_spans, [rule for rule in open_spans if rule not in unchanged], version.effective)
    for entry in entries:
        if entry.rule not in unchanged:
            open_spans[entry.rule] = _open(version, entry)
    return ended


def _follow_excerpt(open_spans: dict[str, Span], version: VersionEntries, entries: Sequence[Entry]) -> list[Span]:
    ended: list[Span] = []
    for entry in entries:
        span = open_spans.get(entry.rule)
        if span is not None and (span.entry.number, span.entry.folded) == (entry.number, entry.folded):
            continue
        taken_over = [
            rule
            for rule, other in open_spans.items()
            if rule == entry.rule
            or (
                (other.entry.number, other.entry.kind) == (entry.number, entry.kind)
                and entry.kind not in {"example", "continuation"}
            )
        ]
        ended += _close(open_spans, taken_over, version.effective)
        open_spans[entry.rule] = _open(version, entry)
    return ended


def _follow_undated(
    open_spans: dict[str, Span],
    version: VersionEntries,
    entries: Sequence[Entry],
    seen_words: dict[str, set[str]],
) -> list[Span]:
    ended: list[Span] = []
    for entry in entries:
        span = open_spans.get(entry.rule)
        if entry.folded in seen_words.get(entry.rule, ()) or (span is not None and span.coverage is Coverage.FULL):
            continue
        ended += _close(open_spans, [entry.rule] if span is not None else [], None)
        open_spans[entry.rule] = _open(version, entry)
    return ended
