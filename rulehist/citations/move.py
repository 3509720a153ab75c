"""Rewrites the citations that moved with certainty, and nothing else; what needs a person is left and listed.

All moves are made at once, from what was read, because moves chain: x becomes y while y becomes z. What was made is
read again before it is written, and must say just what was meant; else it is left. The record of moves
(``record``) keeps a second run from moving anything twice.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulehist.citations.check import Checker, FileCitations, Judged, Written, checker, keys_of, line_starts
from rulehist.citations.files import Skipped, TextFile, replace_bytes
from rulehist.citations.finding import Citation, Place
from rulehist.citations.findings import Telling
from rulehist.citations.record import FileRecord, digest_of, recorded
from rulehist.citations.rules import RulesThroughTime
from rulehist.citations.verdict import Status
from rulehist.errors import SourceError
from rulehist.thresholds import BESIDE_SUPPORTS
from rulehist.when import When

_STEM = re.compile(r"[a-z]*\Z")
_NEEDS_A_PERSON = frozenset(
    {Status.WORDS, Status.SPLIT, Status.MERGED, Status.GONE, Status.NEVER, Status.UNKNOWN, Status.QUOTATION}
)


@dataclass(frozen=True, slots=True)
class Moved:
    """A citation that is rewritten, from one number or range to another."""

    file: str
    line: int
    column: int
    number: str
    to: str


@dataclass(frozen=True, slots=True)
class Left:
    """A citation that is left to a person, why, and the number that may be right, where one is likely.

    ``asserted``: it stands in a string that tests assert on, and is code.
    """

    file: str
    line: int
    column: int
    citation: str
    number: str
    reason: str
    proposal: str = ""
    asserted: bool = False


@dataclass(frozen=True, slots=True)
class FileMove:
    """A file with its new text."""

    file: TextFile
    text: str
    moved: tuple[Moved, ...]
    record: FileRecord

    def diff(self) -> str:
        """The unified diff."""
        return unified_diff(self.file.name, self.file.text, self.text)


@dataclass(slots=True)
class Move:
    """A plan, or what was done: files to rewrite, citations left, files left out."""

    written: str | None
    to: str
    files: list[FileMove] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    done: bool = False

    @property
    def moved(self) -> list[Moved]:
        """All citations that are rewritten."""
        return [moved for file in self.files for moved in file.moved]


def move_citations(
    connection: sqlite3.Connection,
    paths: Sequence[Path | str],
    *,
    written: Written,
    to: When,
    write: bool = False,
    trust_date: bool = False,
) -> Move:
    """Move the citations below ``paths`` from ``written`` (a ``When`` or ``"git"``) to ``to``; written with ``write``.

    Raises ``QueryError``, ``SourceError``, ``DataError``.
    """
    named = [Path(path) for path in paths]
    ready = checker(connection, named, written, to)
    planned = plan(ready, named, trust_date=trust_date)
    if write:
        carry_out(ready, planned)
    return planned


def plan(
    ready: Checker,
    paths: Sequence[Path],
    *,
    trust_date: bool = False,
    on_progress: Callable[[int, int], None] | None = None,
) -> Move:
    """What ``cite move`` would do below ``paths``: from the versions of ``ready.written`` to that of ``ready.end``.

    With ``trust_date`` the date holds for every citation, although the words beside some speak for another edition.
    """
    ready.learns = True
    seen = [one for one in ready.run(paths, on_progress) if any(j.status is not Status.RIGHT for j in one.judged)]
    written = ready.written if isinstance(ready.written, str) else getattr(ready.written, "day", None)
    move = Move(written, ready.end.day, skipped=ready.skipped)
    editions = [] if trust_date else _editions(seen, ready.rules)
    for one in seen:
        decisions = _Decisions(ready, one, editions)
        made, left = decisions.made()
        move.left += left
        if made is not None:
            move.files.append(made)
    return move


def carry_out(ready: Checker, move: Move) -> None:
    """Write the files of a plan, each as a whole or not at all, and the record of moves.

    The record is written first: where a file cannot be written after all, its former bytes tell that it was not moved.
    Raises ``SourceError`` where something cannot be written.
    """
    move.done = True
    if not move.files:
        return
    path = ready.root / ready.patterns.record
    record = ready.record
    record.files = {name: one for name, one in record.files.items() if name not in record.gone}
    for made in move.files:
        record.files[made.file.name] = made.record
    try:
        path.write_text(record.as_json(), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path}: cannot be written ({error.strerror}); nothing was moved") from error
    for made in move.files:
        replace_bytes(made.file.path, made.file.encoded(made.file.text), made.file.encoded(made.text))


def _editions(seen: Sequence[FileCitations], rules: RulesThroughTime) -> list[str]:
    """The other versions that words beside citations speak for: in such a tree a date alone is weak evidence."""
    found: dict[str, None] = {}
    for one in seen:
        for judged in one.judged:
            speech = judged.speech
            if judged.status is not Status.WORDS or speech is None or judged.moment is None or judged.asserted:
                continue
            if speech.held.number != judged.citation.number:
                continue
            days = [day for day in rules.days if speech.held.since <= day < speech.held.until]
            earlier = [day for day in days if day < judged.moment.day]
            found[earlier[-1] if earlier else days[0]] = None
    return list(found)


class _Decisions:
    """What is done with each citation of one file."""

    def __init__(self, checker: Checker, one: FileCitations, editions: Sequence[str]) -> None:
        self._checker = checker
        self._file = one.file
        self._judged = one.judged
        self._editions = editions
        self._telling = Telling(checker.rules, checker.end)
        self._starts = line_starts(one.file.text)

    def made(self) -> tuple[FileMove | None, list[Left]]:
        """The file with its certain moves made, and the citations that are left."""
        reasons = {index: self._reason(judged) for index, judged in enumerate(self._judged)}
        moving = {index for index, judged in enumerate(self._judged) if _moves(judged) and not reasons[index]}
        moving -= self._torn_apart(reasons, moving)
        text = self._file.text
        while moving:
            text = _edited(self._file.text, self._edits(moving))
            misread = self._misread(text, moving)
            if not misread:
                break
            for index in misread:
                reasons[index] = reasons[index] or "the new number would not be read as it is meant"
            moving -= misread
            text = self._file.text
        left = [
            self._left(judged, reasons[index] or "it leans on a citation that is left to a person")
            for index, judged in enumerate(self._judged)
            if index not in moving and not self._stays(judged)
        ]
        if not moving:
            return None, left
        moved = tuple(
            Moved(self._file.name, judged.line, judged.column, judged.citation.words, _target(judged))
            for index, judged in enumerate(self._judged) if index in moving
        )  # fmt: skip
        return FileMove(self._file, text, moved, self._record(text, moving)), left

    def _reason(self, judged: Judged) -> str:
        """Why a citation is left to a person; empty where it is not."""
        if judged.status in _NEEDS_A_PERSON or not judged.verdict.new:
            return self._telling.sentence(judged)
        if not _moves(judged):
            return ""
        citation, verdict = judged.citation, judged.verdict
        obstacles = (
            (not verdict.certain, "; ".join(verdict.why) or "its date is only inferred"),
            (self._checker.asserted.holds(self._file, citation), "it stands in a string that tests assert on"),
            (not citation.movable, "it is a name in code, and its pattern does not say move = true"),
            (citation.open_end, "it goes on in a way that is not understood"),
            (
                judged.unrecorded != "",
                f"the file was moved to {judged.unrecorded} before, and this line is new or was changed since",
            ),
            (
                self._is_named_again(judged),
                "its line has the number again, in a link, a name or bare, where it would stay",
            ),
        )
        return next((reason for is_so, reason in obstacles if is_so), "") or self._mixed(judged)

    def _mixed(self, judged: Judged) -> str:
        """Whether the number named another rule in an edition that this tree has citations of, and no word decides."""
        held, citation = judged.verdict.held, judged.citation
        if held is None or judged.dated in {"record", "only one"}:
            return ""
        for day in self._editions:
            others = self._checker.rules.in_force(day).get(citation.number, [])
            if others and others[0].rule != held.rule:
                if self._checker.witness.support(judged.words, held) >= BESIDE_SUPPORTS:
                    return ""
                return f"other citations here are of {day}, when the number was another rule's, and no word decides"
        return ""

    def _is_named_again(self, judged: Judged) -> bool:
        """Whether the line has the number outside of citations: in a link, in a name, or bare."""
        line = judged.line
        low = self._starts[line - 1]
        high = self._starts[line] if line < len(self._starts) else len(self._file.text)
        places = [place for other in self._judged for place in _places(other.citation)]
        numbers = [judged.citation.number, judged.citation.last] if judged.citation.last else [judged.citation.number]
        for number in numbers:
            section, _, rule = number.partition(".")
            pattern = rf"(?<!\d){section}[._/#-]?{rule}(?![0-9a-z])" if rule else rf"(?<![\d.]){section}(?![\d.a-z])"
            for match in re.compile(pattern).finditer(self._file.text, low, high):
                if not any(start <= match.start() < end for start, end in places):
                    return True
        return False

    def _torn_apart(self, reasons: Mapping[int, str], moving: set[int]) -> set[int]:
        """Those that would leave shorthand without what it leans on, or lean on what has another stem."""
        torn: set[int] = set()
        for base, judged in enumerate(self._judged):
            leaning = [i for i, other in enumerate(self._judged) if other.citation.leans == base]
            short_range = judged.citation.last_place is not None and _is_short(judged.citation)
            if not leaning and not short_range:
                continue
            group = [base, *leaning]
            stems = {_STEM.sub("", end) for i in group for end in _ends(self._judged[i])}
            sure = all(not reasons[i] and (i in moving or self._stays(self._judged[i])) for i in group)
            lettered = all(_STEM.search(end)[0] for i in leaning for end in _ends(self._judged[i]))  # type: ignore[index]
            if not sure or (leaning and (len(stems) != 1 or not lettered)):
                torn.update(group)
        return torn & moving

    @staticmethod
    def _stays(judged: Judged) -> bool:
        """Whether the number is surely the rule's still."""
        return judged.status in {Status.RIGHT, Status.REWORDED} and _target(judged) == judged.citation.words

    def _edits(self, moving: set[int]) -> list[tuple[Place, str]]:
        edits: list[tuple[Place, str]] = []
        for index in sorted(moving):
            judged = self._judged[index]
            citation, verdict = judged.citation, judged.verdict
            if citation.pieces is not None:
                edits += _piecewise(citation, verdict.new)
                continue
            new = verdict.new
            edits.append((citation.place, _STEM.search(new)[0] if citation.leans >= 0 else new))  # type: ignore[index]
            if citation.last_place is not None:
                edits.append((citation.last_place, _short_last(citation, verdict.new_last)))
        return edits

    def _misread(self, text: str, moving: set[int]) -> set[int]:
        """Those whose new text does not say what it should; all, where even their number differs."""
        again = self._checker.find(TextFile(self._file.path, self._file.name, text, self._file.encoding))
        if len(again) != len(self._judged):
            return set(moving)
        wrong: set[int] = set()
        for index, (judged, now) in enumerate(zip(self._judged, again, strict=True)):
            wanted = _target(judged) if index in moving else judged.citation.words
            if now.words != wanted:
                wrong.add(index)
        bases = {self._base(index) for index in wrong}
        together = {index for index in moving if self._base(index) in bases}
        return together or (set(moving) if wrong else set())

    def _base(self, index: int) -> int:
        """The citation on which one leans, with which it is moved or left."""
        leans = self._judged[index].citation.leans
        return leans if leans >= 0 else index

    def _record(self, text: str, moving: set[int]) -> FileRecord:
        """Of which version each citation of the new text is."""
        again = self._checker.find(TextFile(self._file.path, self._file.name, text, self._file.encoding))
        keys = keys_of(text, again, line_starts(text))
        days: list[str | None] = []
        for index, judged in enumerate(self._judged):
            if index in moving or (self._stays(judged) and not judged.unrecorded):
                days.append(self._checker.end.day)
            else:
                days.append(judged.moment.day if judged.moment is not None and not judged.unrecorded else None)
        return FileRecord(
            self._checker.end.day, digest_of(self._file.encoded(self._file.text)), recorded(keys, days)
        )  # fmt: skip

    def _left(self, judged: Judged, reason: str) -> Left:
        text, citation = self._file.text, judged.citation
        asserted = _moves(judged) and self._checker.asserted.holds(self._file, citation)
        return Left(
            self._file.name, judged.line, judged.column, " ".join(text[citation.start : citation.end].split()),
            citation.words, reason, self._proposal(judged), asserted,
        )  # fmt: skip

    def _proposal(self, judged: Judged) -> str:
        if judged.speech is not None:
            now = self._checker.rules.of_rule(judged.speech.held.rule, self._checker.end)
            return now.number if now is not None and not judged.citation.last else ""
        return _target(judged) if judged.verdict.new else ""


def _moves(judged: Judged) -> bool:
    """Whether the rule has another number at the end."""
    return (
        judged.verdict.new != "" and _target(judged) != judged.citation.words and judged.status not in _NEEDS_A_PERSON
    )


def _target(judged: Judged) -> str:
    verdict = judged.verdict
    return f"{verdict.new}-{verdict.new_last}" if verdict.new_last else verdict.new


def _ends(judged: Judged) -> list[str]:
    """The new number, and with a range that of its end."""
    verdict = judged.verdict
    return [end for end in (verdict.new, verdict.new_last) if end]


def _places(citation: Citation) -> list[Place]:
    return [citation.place] if citation.last_place is None else [citation.place, citation.last_place]


def _is_short(citation: Citation) -> bool:
    """Whether the end of a range is written in short: the "c" of "702.19b-c"."""
    place = citation.last_place
    return place is not None and place[1] - place[0] != len(citation.last)


def _short_last(citation: Citation, new_last: str) -> str:
    """The end of a range as it is written: in short where it was, which needs the same stem."""
    if not _is_short(citation):
        return new_last
    return _STEM.search(new_last)[0] or new_last.partition(".")[2]  # type: ignore[index]


def _piecewise(citation: Citation, new: str) -> Iterator[tuple[Place, str]]:
    """The edits of a name that a project's own pattern found: section, rule, letters."""
    section, _, rest = new.partition(".")
    letters = _STEM.search(rest)[0]  # type: ignore[index]
    rule = rest[: len(rest) - len(letters)]
    if citation.pieces is None:
        return
    pieces = citation.pieces
    yield pieces[0], section
    yield pieces[1], rule if pieces[2] is not None else rule + letters
    if pieces[2] is not None:
        yield pieces[2], letters


def _edited(text: str, edits: Sequence[tuple[Place, str]]) -> str:
    """All edits at once, by their places in the text as it was read."""
    pieces: list[str] = []
    at = 0
    for (start, end), new in sorted(edits):
        pieces += [text[at:start], new]
        at = end
    return "".join([*pieces, text[at:]])


_CONTEXT = 3


def unified_diff(name: str, old: str, new: str) -> str:
    """A unified diff of two texts with the same lines, some of them changed within."""
    before, after = re.split(r"(?<=\n)", old), re.split(r"(?<=\n)", new)
    changed = [i for i, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    if not changed:
        return ""
    count = len(before) - (before[-1] == "")
    pieces = [f"--- a/{name}\n", f"+++ b/{name}\n"]
    for low, high in _hunks(changed, count):
        pieces.append(f"@@ -{low + 1},{high - low} +{low + 1},{high - low} @@\n")
        i = low
        while i < high:
            if before[i] == after[i]:
                pieces.append(_diff_line(" ", before[i]))
                i += 1
                continue
            run = i
            while run < high and before[run] != after[run]:
                run += 1
            pieces += [_diff_line("-", line) for line in before[i:run]]
            pieces += [_diff_line("+", line) for line in after[i:run]]
            i = run
    return "".join(pieces)


def _hunks(changed: Sequence[int], count: int) -> list[tuple[int, int]]:
    hunks: list[tuple[int, int]] = []
    for i in changed:
        low, high = max(0, i - _CONTEXT), min(count, i + _CONTEXT + 1)
        if hunks and low <= hunks[-1][1]:
            hunks[-1] = (hunks[-1][0], high)
        else:
            hunks.append((low, high))
    return hunks


def _diff_line(mark: str, line: str) -> str:
    return mark + line if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"
