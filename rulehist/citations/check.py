"""Checks the citations of a tree against the rules: which are right, and what became of the others.

Every citation is taken to be of the version of its date: one date for all, that of the line's last commit, or, where
it was moved by rulehist, the one in the record of moves. Without a date it is tried against all versions. The words
beside it are evidence in every case.
"""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from rulehist.citations.code import AssertedStrings
from rulehist.citations.dates import LineHistory, line_dates
from rulehist.citations.editions import Candidate, Editions, decided
from rulehist.citations.files import Skipped, TextFile, is_like, name_below, read_text, root_of, walk
from rulehist.citations.finding import Citation, Finder, is_rules_text
from rulehist.citations.patterns import Patterns, project_patterns
from rulehist.citations.record import UNCLEAR, Record, line_key
from rulehist.citations.rules import Moment, RulesThroughTime
from rulehist.citations.verdict import Judge, Status, Verdict
from rulehist.citations.words import Beside, Speech, Witness, beside, run_of
from rulehist.when import When

Written = When | Literal["git"] | None
"""When citations were written: one moment for all, the last commit of each line, or unknown."""

_LINE_END = re.compile(r"\r\n|\n|\r")
_NEAR = 2
"""Citations on each side that the words beside a citation may be about."""
_AT_ONCE = 16
"""Files whose lines git is asked to date together."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A citation with its verdict. ``line`` and ``column`` count from 1, the column in characters.

    ``moment`` is the version that it is taken to be of, ``None`` where unknown. ``dated`` says what tells: ``given``,
    ``git``, ``record`` (it was moved), ``left`` (a move left it), ``words``, ``only one`` or nothing. ``speech`` is
    what the words beside it say for another rule, ``quoted`` words of the rule that stand beside it, ``requoted``
    whether they are no longer the rule's. ``asserted``: it stands in a string that tests assert on.
    ``unrecorded`` is the version to which the file was moved, where the record does not know this citation.
    """

    citation: Citation
    line: int
    column: int
    status: Status
    verdict: Verdict
    moment: Moment | None
    dated: str
    words: Beside
    speech: Speech | None = None
    quoted: tuple[str, ...] = ()
    requoted: bool = False
    candidates: tuple[Candidate, ...] = ()
    asserted: bool = False
    unrecorded: str = ""


@dataclass(frozen=True, slots=True)
class FileCitations:
    """A file with all its citations, judged."""

    file: TextFile
    judged: tuple[Judged, ...]


@dataclass(slots=True)
class Checker:
    """What a run of checks needs: the rules in memory, the patterns, the moment from which one looks."""

    rules: RulesThroughTime
    end: Moment
    patterns: Patterns
    root: Path
    written: Moment | Literal["git"] | None
    record: Record
    skipped: list[Skipped] = field(default_factory=list)
    files: int = 0
    learns: bool = False
    asserted: AssertedStrings = field(init=False)
    _judge: Judge = field(init=False)
    _witness: Witness = field(init=False)
    _editions: Editions = field(init=False)

    def __post_init__(self) -> None:
        self.asserted = AssertedStrings(self.patterns)
        self._judge = Judge(self.rules, self.end)
        moments = [self.end] if not isinstance(self.written, Moment) else [self.written, self.end]
        self._witness = Witness(self.rules, moments)
        self._editions = Editions(self.rules, self._witness)

    @property
    def witness(self) -> Witness:
        """Who hears the words beside citations."""
        return self._witness

    def run(
        self, paths: Sequence[Path], on_progress: Callable[[int, int], None] | None = None
    ) -> Iterator[FileCitations]:
        """Every file with citations, judged, in order. ``on_progress`` gets the files done and their number."""
        return self.among(self.names(paths), on_progress)

    def names(self, paths: Sequence[Path]) -> list[Path]:
        """The files below ``paths``; what is left out joins ``skipped``."""
        everything = list(walk(paths, self.root, self.patterns))
        self.skipped += [found for found in everything if isinstance(found, Skipped)]
        names = [found for found in everything if isinstance(found, Path)]
        for path in names:
            if path.name == Path(self.patterns.record).name and path.parent.resolve() != self.root:
                # a part of the tree was moved by itself before
                self.record.take_in(Record.read(path), name_below(path.parent, self.root))
        ours = {Path(self.patterns.record).name, Path(self.patterns.baseline).name}
        return [path for path in names if path.name not in ours]

    def among(
        self, names: Sequence[Path], on_progress: Callable[[int, int], None] | None = None
    ) -> Iterator[FileCitations]:
        """The same for files that are found already."""
        waiting: list[tuple[TextFile, list[Citation]]] = []
        for done, path in enumerate(names):
            if on_progress is not None:
                on_progress(done, len(names))
            file = read_text(path, self.root, self.patterns)
            if isinstance(file, TextFile) and is_rules_text(file.text):
                file = Skipped(path, "is itself a text of the rules, of its own date")
            if isinstance(file, Skipped):
                self.skipped.append(file)
                continue
            self.files += 1
            if self.learns:
                self.asserted.learn(file)
            citations = self.find(file)
            if citations:
                waiting.append((file, citations))
            if len(waiting) >= _AT_ONCE:
                yield from self._all_judged(waiting)
                waiting = []
        yield from self._all_judged(waiting)
        if on_progress is not None:
            on_progress(len(names), len(names))

    def _all_judged(self, waiting: Sequence[tuple[TextFile, list[Citation]]]) -> Iterator[FileCitations]:
        """Some files together, because git is asked about several at a time."""
        dates = line_dates(file.path for file, _ in waiting) if self.written == "git" else {}
        for file, citations in waiting:
            yield FileCitations(file, tuple(self.judged(file, citations, dates.get(file.path, []))))

    def find(self, file: TextFile) -> list[Citation]:
        """The citations of a file; a bare number in a list counts only where it was ever a rule's."""
        finds = tuple(find for find in self.patterns.finds if not find.files or is_like(file.name, find.files))
        keyed = is_like(file.name, self.patterns.keyed_files)
        found = Finder(self.patterns, keyed=keyed, finds=finds).find(file.text)
        return _known_only(file.text, found, self.rules.by_number)

    def judged(self, file: TextFile, citations: list[Citation], dates: Sequence[str] = ()) -> Iterator[Judged]:
        """The citations of a file with their verdicts; ``dates`` are those of its lines, where git tells."""
        starts = line_starts(file.text)
        keys = keys_of(file.text, citations, starts) if self.record.asks(file.name) else [""] * len(citations)
        recorded = self.record.of(file.name, file.encoded(file.text), keys) if any(keys) else None
        history = LineHistory(file.path)
        days = recorded.days(keys) if recorded is not None else [None] * len(citations)
        for index, (citation, day) in enumerate(zip(citations, days, strict=True)):
            line = bisect_right(starts, citation.place[0])
            at = _At(
                citation,
                line,
                citation.place[0] - starts[line - 1] + 1,
                beside(file.text, citations, index),
                _near(citations, index),
            )
            if recorded is not None and day is not None and day != UNCLEAR:
                moment, dated = self.rules.moment_on(day), "record" if day == recorded.to else "left"
            elif self.written == "git":
                moment, dated = self.rules.moment_on(dates[line - 1] if line <= len(dates) else ""), "git"
            else:
                moment, dated = self.written, "given"
            if moment is None:
                found = self._editions.candidates(file.text, citations, index, partial(history.on, line))
                judged = self._undated(at, found)
            else:
                judged = self._dated(at, moment, dated)
            if judged.status is not Status.RIGHT and self.asserted.holds(file, citation):
                judged = replace(judged, asserted=True)
            if recorded is not None and dated not in {"record", "left"} and judged.moment is not None:
                known = recorded.to == judged.moment.day and day != UNCLEAR
                judged = replace(judged, unrecorded="" if known else recorded.to)
            yield judged

    def _dated(self, at: _At, moment: Moment, dated: str) -> Judged:
        citation = at.citation
        verdict = self._judge.on(citation.number, citation.last, moment)
        judged = Judged(citation, at.line, at.column, verdict.status, verdict, moment, dated, at.words)
        if verdict.held is None:
            speech = self._witness.meant(at.words, citation.number, moment, at.near) if moment.whole else None
            return replace(judged, speech=speech)
        if citation.last:
            return judged
        speech = self._witness.speech(at.words, verdict.held, moment, at.near)
        if speech is not None:
            return replace(judged, status=Status.WORDS, speech=speech)
        if verdict.status is Status.RIGHT or verdict.then is None:
            return judged
        quoted = self._witness.own_run(at.words, verdict.held)
        if not quoted or self._witness.has_run(quoted, verdict.then):
            return replace(judged, quoted=quoted)
        status = Status.QUOTATION if verdict.status is Status.REWORDED else verdict.status
        return replace(judged, status=status, quoted=quoted, requoted=True)

    def _undated(self, at: _At, found: tuple[Candidate, ...]) -> Judged:
        citation = at.citation
        judged = Judged(citation, at.line, at.column, Status.NEVER, _NO_RULE, None, "", at.words, candidates=found)
        if not found:
            known = any(self.rules.is_whole(day) for day in self.rules.days)
            return judged if known else replace(judged, status=Status.UNKNOWN, verdict=_ONLY_EXCERPTS)
        best = decided(found)
        moment = self.rules.moment_on(best.day) if best is not None else None
        if best is None or moment is None:
            return replace(judged, status=Status.UNKNOWN, verdict=_SEVERAL)
        verdict = self._judge.on(citation.number, citation.last, moment)
        status = Status.RIGHT if verdict.status is Status.REWORDED else verdict.status
        if len(found) == 1:
            return replace(judged, status=status, verdict=verdict, moment=moment, dated="only one", candidates=())
        speech = self._witness.titled(at.words, best.held, moment, at.near)
        if speech is None and self._witness.titled(at.words, best.held, moment, at.near, margin=0) is not None:
            return replace(judged, status=Status.UNKNOWN, verdict=_SEVERAL)
        return replace(
            judged, status=status if speech is None else Status.WORDS, verdict=replace(verdict, certain=False),
            moment=moment, dated="words", speech=speech,
        )  # fmt: skip


_NO_RULE = Verdict(Status.NEVER, why=("no version in the store has this number",))
_ONLY_EXCERPTS = Verdict(Status.UNKNOWN, why=("the store has excerpts alone, and none of them has this number",))
_SEVERAL = Verdict(Status.UNKNOWN, why=("the number named several rules, and the date of the citation is unknown",))


class _At(NamedTuple):
    """A citation, where it stands, and what stands beside it."""

    citation: Citation
    line: int
    column: int
    words: Beside
    near: frozenset[str]


def keys_of(text: str, citations: Sequence[Citation], starts: Sequence[int]) -> list[str]:
    """What each citation is recognized by in the record of moves; ``starts`` are the beginnings of the lines."""
    ordinals: Counter[int] = Counter()
    keys: list[str] = []
    for citation in citations:
        line = bisect_right(starts, citation.place[0])
        stop = starts[line] if line < len(starts) else len(text)
        keys.append(line_key(text[starts[line - 1] : stop], ordinals[line], citation.words))
        ordinals[line] += 1
    return keys


def line_starts(text: str) -> list[int]:
    """Where each line of a text begins, whatever ends its lines."""
    return [0, *(end.end() for end in _LINE_END.finditer(text))]


def _near(citations: Sequence[Citation], index: int) -> frozenset[str]:
    """The numbers of a citation and of those around it, or around the list that it stands in."""
    first, last = run_of(citations, index)
    return frozenset(other.number for other in citations[max(0, first - _NEAR) : last + _NEAR + 1])


def _known_only(text: str, found: list[Citation], known: Mapping[str, object]) -> list[Citation]:
    """Without the numbers that only stand in a list and were never a rule's: "rule 613.7, 150.25 units".

    Laws have "§" too, so a number after it has to be in a section that these rules had at some time.
    """
    dropped = {
        i for i, citation in enumerate(found)
        if (citation.listed >= 0 and citation.leans < 0 and citation.number not in known)
        or (text.startswith("§", citation.start) and citation.number.partition(".")[0] not in known)
    }  # fmt: skip
    if not dropped:
        return found
    dropped |= {i for i, citation in enumerate(found) if citation.leans in dropped}
    new = {old: place for place, old in enumerate(i for i in range(len(found)) if i not in dropped)}
    return [replace(found[i], leans=new.get(found[i].leans, -1), listed=new.get(found[i].listed, -1)) for i in new]


def checker(
    connection: sqlite3.Connection,
    paths: Sequence[Path],
    written: Written,
    as_of: When,
    patterns: Patterns | None = None,
) -> Checker:
    """Everything ready to check ``paths``. Raises ``QueryError`` for a moment before the first version."""
    patterns = patterns or project_patterns(paths[0] if paths else Path.cwd())
    root = root_of(paths, patterns)
    rules = RulesThroughTime(connection)
    begin = rules.moment(written) if isinstance(written, When) else written
    return Checker(rules, rules.moment(as_of), patterns, root, begin, Record.read(root / patterns.record))


def check_text(
    connection: sqlite3.Connection, text: str, written: When | None, as_of: When, name: str = "text.md"
) -> FileCitations:
    """The citations of one text, judged; ``name`` tells by its ending what kind of text it is."""
    from rulehist.citations.patterns import default_patterns

    rules = RulesThroughTime(connection)
    begin = rules.moment(written) if written is not None else None
    ready = Checker(rules, rules.moment(as_of), default_patterns(), Path.cwd(), begin, Record())
    file = TextFile(Path(name), name, text, "utf-8")
    return FileCitations(file, tuple(ready.judged(file, ready.find(file))))
