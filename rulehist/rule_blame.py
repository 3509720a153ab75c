"""The release in which each word of a rule arrived: what ``blame`` answers."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from rulehist.dated_versions import IN_FORCE, NEWEST, Version, version_at
from rulehist.history import find
from rulehist.rule_spans import RuleSpan, kin_of, spans_of_rule
from rulehist.when import When
from rulehist.word_origins import Followed, follow


class Run(NamedTuple):
    """Words in a row that arrived together with ``version``."""

    words: str
    version: Version


class Blame(NamedTuple):
    """The words of a rule in ``version``, in runs by when they arrived; the runs joined are the text exactly."""

    rule: str
    number: str
    version: Version
    runs: tuple[Run, ...]


def blame(connection: sqlite3.Connection, subject: str, when: When) -> Blame:
    """For every run of words of a rule the version in which it arrived.

    Renumbering, typography and moves within the rule change nothing; words that came out of a rule that was split or
    merged keep the version in which they arrived there. Raises ``QueryError``.
    """
    row = find(connection, subject, when)
    rule_id, since = row["rule_id"], row["valid_from"]
    runs = _Blamer(connection).text_of(rule_id, since).runs()
    if row["kind"] in {"rule", "subrule"}:
        for other in _continuations(connection, row["number"], when):
            (words, version), *more = _Blamer(connection).text_of(other, None).runs()
            runs += [("\n\n" + words, version), *more]
    name = subject.strip() if row["kind"] == "example" else row["number"]
    version = version_at(connection, when, rule_id=rule_id) if since is not None else runs[-1][1]
    return Blame(row["name"], name, version, tuple(Run(*run) for run in runs))


def newest_runs(connection: sqlite3.Connection, rule_id: int) -> tuple[Run, ...]:
    """The runs of the newest text that a rule of this id has, or had."""
    return tuple(Run(*run) for run in _Blamer(connection).text_of(rule_id, None).runs())


def _continuations(connection: sqlite3.Connection, number: str, when: When) -> list[int]:
    rows = connection.execute(
        "SELECT spans.rule_id FROM spans WHERE spans.lookup = :number AND spans.kind = 'continuation'"
        f" AND {NEWEST if when.day is None else IN_FORCE} ORDER BY spans.place",
        {"number": number, "day": when.day},
    )
    return [row[0] for row in rows]


class _Blamer:
    """Follows the words of a rule, and of those that went into it, each no further than it needs to."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[int, str | None], Followed[Version]] = {}

    def text_of(self, rule_id: int, last: str | None) -> Followed[Version]:
        """The words of a rule in the span that began on the ISO date ``last``; with ``None`` in its last one."""
        if (rule_id, last) not in self._known:
            spans = spans_of_rule(self._connection, rule_id)
            if last is not None:
                spans = [span for span in spans if span.since is not None and span.since <= last]
            self._known[rule_id, last] = self._followed(rule_id, spans)
        return self._known[rule_id, last]

    def _followed(self, rule_id: int, spans: list[RuleSpan]) -> Followed[Version]:
        days = frozenset(span.since for span in spans if span.since is not None)
        kin = [k for k in kin_of(self._connection, rule_id, days) if k.relation in {"split from", "took in"}]
        text: Followed[Version] = Followed((), ())
        for span in spans:
            others = [self._before(k.rule_id, k.day) for k in kin if k.day == span.since]
            text = follow(text, span.text, span.version, others)
        return text

    def _before(self, rule_id: int, day: str) -> Followed[Version]:
        """The words of another rule just before an ISO date."""
        days = [s.since for s in spans_of_rule(self._connection, rule_id) if s.since is not None and s.since < day]
        return self.text_of(rule_id, days[-1]) if days else Followed((), ())
