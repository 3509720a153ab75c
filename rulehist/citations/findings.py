"""What is told of the citations that are not right: plain values, ready for people, JSON, SARIF and GitHub."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulehist.citations.check import Checker, FileCitations, Judged
from rulehist.citations.editions import Candidate
from rulehist.citations.files import Skipped
from rulehist.citations.record import line_key
from rulehist.citations.rules import Held, Moment, RulesThroughTime
from rulehist.citations.verdict import Status
from rulehist.worddiff import word_diff

ORDER = tuple(Status)
"""The order in which findings are shown: the worst citations first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A citation that is not right, or not surely.

    ``citation`` is what is written, blanks drawn together, ``number`` the rule or range in full. ``shape`` is the
    finding as plain values, as docs/citations.md describes them. ``key`` tells it from others in a baseline.
    """

    file: str
    line: int
    column: int
    citation: str
    number: str
    status: Status
    message: str
    key: str
    shape: Mapping[str, Any]


@dataclass(slots=True)
class Report:
    """The outcome of a check: findings, the worst first; how many citations stand how; what was left out."""

    written: str | None
    as_of: str
    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    files: int = 0
    accepted: int = 0

    def order(self) -> None:
        """Put the worst findings first, and those of one kind in the order of files and lines."""
        self.findings.sort(key=lambda found: (ORDER.index(found.status), found.file, found.line, found.column))
        self.skipped.sort(key=lambda one: one.path.as_posix())

    @property
    def citations(self) -> int:
        """How many citations were seen."""
        return sum(self.counts.values())


def report(checker: Checker, files: Iterable[FileCitations]) -> Report:
    """Everything that is found in ``files``, in order."""
    told = empty_report(checker)
    telling = Telling(checker.rules, checker.end)
    for one in files:
        for judged in one.judged:
            told.counts[judged.status] += 1
            if judged.status is not Status.RIGHT:
                told.findings.append(telling.finding(one, judged))
    told.skipped, told.files = checker.skipped, checker.files
    told.order()
    return told


def empty_report(checker: Checker) -> Report:
    """A report on nothing yet."""
    written = checker.written if isinstance(checker.written, str) else getattr(checker.written, "day", None)
    return Report(written, checker.end.day)


class Telling:
    """Makes plain values and sentences of judged citations."""

    def __init__(self, rules: RulesThroughTime, end: Moment) -> None:
        self._rules = rules
        self._end = end
        self._names: dict[int, str] = {}
        self._told: dict[Held, dict[str, Any]] = {}
        self._diffs: dict[tuple[int, int], list[list[str]]] = {}

    def finding(self, one: FileCitations, judged: Judged) -> Finding:
        """The finding for one citation."""
        citation, text = judged.citation, one.file.text
        written = " ".join(text[citation.start : citation.end].split())
        start = max(text.rfind("\n", 0, citation.place[0]), text.rfind("\r", 0, citation.place[0])) + 1
        stop = min((at for end in "\r\n" if (at := text.find(end, citation.place[1])) >= 0), default=len(text))
        # two citations of one number in one line are told apart by how many stand before
        before = sum(
            other.line == judged.line and other.citation.words == citation.words and other.column < judged.column
            for other in one.judged
        )
        key = f"{judged.status}.{line_key(text[start:stop], before, citation.words)}"
        message = self.sentence(judged)
        shape = {
            "file": one.file.name,
            "line": judged.line,
            "column": judged.column,
            "citation": written,
            "number": citation.words,
            "status": str(judged.status),
            "message": message,
            **self._facts(judged),
        }
        return Finding(
            one.file.name, judged.line, judged.column, written, citation.words, judged.status, message, key, shape
        )

    def _facts(self, judged: Judged) -> dict[str, Any]:
        verdict, speech = judged.verdict, judged.speech
        facts: dict[str, Any] = {
            "written": None if judged.moment is None else {"version": judged.moment.day, "known_by": judged.dated},
            "was": self.rule(verdict.held),
            "now": self.rule(verdict.then),
            "number_now": self.rule(verdict.there),
            "new_number": f"{verdict.new}-{verdict.new_last}" if verdict.new_last else verdict.new or None,
            "certain": verdict.certain and speech is None and verdict.new != "",
            "why": list(verdict.why),
        }
        if verdict.others:
            facts["related"] = [self.rule(held) for held in verdict.others]
        if judged.status in {Status.REWORDED, Status.QUOTATION} and verdict.held and verdict.then:
            facts["words"] = self._diff(verdict.held, verdict.then)
        if speech is not None:
            facts["fits"] = {
                "rule": self.rule(speech.held),
                "now": self.rule(self._rules.of_rule(speech.held.rule, self._end)),
                "how": speech.how,
                "words": list(speech.words),
            }
        if judged.quoted:
            facts["quotation"] = {"words": " ".join(judged.quoted), "changed": judged.requoted}
        if judged.candidates:
            facts["candidates"] = [self._candidate(one) for one in judged.candidates]
        if judged.asserted:
            facts["asserted"] = True
        return facts

    def rule(self, held: Held | None) -> dict[str, Any] | None:
        """A rule as plain values: identity, number, title, text, and since when and until when it was so."""
        if held is None:
            return None
        known = self._told.get(held)
        if known is None:
            known = self._told[held] = self._values(held)
        return known

    def _diff(self, held: Held, then: Held) -> list[list[str]]:
        key = (held.text_id, then.text_id)
        known = self._diffs.get(key)
        if known is None:
            ops = word_diff(self._rules.text(held), self._rules.text(then))
            known = self._diffs[key] = [list(op) for op in ops]
        return known

    def _values(self, held: Held) -> dict[str, Any]:
        titles = self._rules.titles(held)
        return {
            "rule": self._name(held.rule),
            "number": held.number,
            "title": titles[0] if titles else "",
            "text": self._rules.text(held),
            "since": held.since,
            "until": held.ended,
        }

    def _candidate(self, one: Candidate) -> dict[str, Any]:
        now = self._rules.of_rule(one.held.rule, self._end)
        return {
            "rule": self.rule(one.held),
            "since": one.since,
            "until": one.until,
            "number_now": now.number if now is not None else None,
            "speaks": {
                "words": round(one.words, 1),
                "quoted": one.quoted,
                "nearby": round(one.nearby, 2),
                "committed": one.committed,
            },
        }

    def _name(self, rule: int) -> str:
        if not self._names:
            self._names = dict(self._rules.connection.execute("SELECT id, name FROM rules"))
        return self._names[rule]

    def sentence(self, judged: Judged) -> str:
        """What is said of a citation in one sentence."""
        number = judged.citation.words
        if judged.status in {Status.ANOTHER, Status.MOVED, Status.GONE, Status.SPLIT, Status.MERGED}:
            return f"{number} {self._went(judged)}"
        if judged.status is Status.WORDS:
            return self._fitting(judged)
        if judged.status is Status.NEVER:
            meant = f"; {self._fitting(judged)}" if judged.speech is not None else ""
            on = f" on {judged.moment.day}" if judged.moment is not None else ""
            return f"{number} named no rule{on}: {'; '.join(judged.verdict.why)}{meant}"
        if judged.status is Status.UNKNOWN:
            return f"{number}: {'; '.join(judged.verdict.why)}{self._listed(judged.candidates)}"
        told = {
            Status.QUOTATION: f"the words quoted beside {number} are no longer the rule's",
            Status.REWORDED: f"{number} was reworded since",
        }
        return told.get(judged.status, f"{number} is right on {self._end.day}")

    def _went(self, judged: Judged) -> str:
        """Where the rule of a number went."""
        verdict = judged.verdict
        then = f"{verdict.new}-{verdict.new_last}" if verdict.new_last else verdict.new
        why, meant = "; ".join(verdict.why), self._short(verdict.held)
        if judged.status is Status.ANOTHER:
            went = f"the rule that was meant is {then} now" if then else f"what was meant is gone ({why})"
            return f"is another rule now: {self._short(verdict.there)}; {went}: {meant}"
        if judged.status is Status.MOVED:
            return f"is {then} now: {meant}"
        if judged.status is Status.GONE:
            return f"is gone: {meant}"
        others = ", ".join(held.number for held in verdict.others)
        into = f"; see also {others}" if others else ""
        return f"was {judged.status} ({why}): {then or 'gone'} now{into}"

    def _fitting(self, judged: Judged) -> str:
        speech = judged.speech
        if speech is None:
            return ""
        now = self._rules.of_rule(speech.held.rule, self._end)
        where = f"{speech.held.number} since {speech.held.since}" + (
            f" until {speech.held.ended}" if speech.held.ended else ""
        )
        today = f", {now.number} now" if now is not None and now.number != speech.held.number else ""
        named = f"{judged.citation.words} names {self._short(judged.verdict.held)}, but " if judged.verdict.held else ""
        spoken = " ".join(speech.words[:8]) if speech.how == "quoted" else ", ".join(speech.words)
        return f"{named}the words beside it ({spoken}) fit {self._short(speech.held)} ({where}{today})"

    def _listed(self, found: Sequence[Candidate]) -> str:
        told = [
            f"{self._short(one.held)} ({one.since} to {one.until or 'now'}, words {one.words:.0f}, "
            f"nearby {one.nearby:.0%}{f', committed {one.committed}' if one.committed else ''})"
            for one in found
        ]
        return f": {'; '.join(told)}" if told else ""

    def _short(self, held: Held | None) -> str:
        if held is None:
            return "nothing"
        text = " ".join(self._rules.text(held).split())
        return f"“{text if len(text) <= _SHOWN else text[:_SHOWN].rsplit(' ', 1)[0] + '…'}”"


_SHOWN = 70
"""Characters of a rule's text shown in a sentence."""


def check_citations(
    connection: sqlite3.Connection, paths: Sequence[Path | str], *, written: Any, as_of: Any, **options: Any
) -> Report:
    """Check the citations below ``paths``, written at ``written`` (a ``When``, ``"git"`` or ``None``: unknown).

    ``as_of`` is the ``When`` from which one looks. ``patterns`` may be given, else the configuration of the tree
    counts. Raises ``QueryError``, ``SourceError``, ``DataError``.
    """
    from rulehist.citations.check import checker

    on_progress = options.pop("on_progress", None)
    named = [Path(path) for path in paths]
    ready = checker(connection, named, written, as_of, **options)
    return report(ready, ready.run(named, on_progress))
