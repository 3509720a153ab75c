"""The page of one rule, section or glossary entry out of a store: what ``report NUMBER`` writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulehist.cross_references import Citations, references_of
from rulehist.dated_versions import versions
from rulehist.errors import QueryError
from rulehist.history import find
from rulehist.log_answers import below_words, gap_words, kin_words
from rulehist.numbers import parse
from rulehist.pages import SiteFrame
from rulehist.releases import Release
from rulehist.rule_blame import Run, blame
from rulehist.rule_log import Log, LogEntry, log
from rulehist.rule_page import BlameRun, Citing, MovedAnswer, References, TimelineEntry, rule_page_html
from rulehist.when import When

if TYPE_CHECKING:
    from rulehist.engine.scenario import Scenario
    from rulehist.engine.turning_points import Turn


def rule_report(
    connection: sqlite3.Connection,
    subject: str,
    when: When,
    *,
    site: SiteFrame | None = None,
    address: Callable[[str], str] = lambda _: "",
    scenarios: Callable[[], Sequence[Scenario]] | None = None,
    moved_address: str = "",
) -> str:
    """The page of a rule with its whole history; blame and references are those of ``when``.

    With ``site`` it is a page of a site; ``address`` gives the address there of a rule's page by its identity.
    ``scenarios`` gives those of which the page tells whose answer the rule moved; without them the page leads to
    ``moved_address``, where they are told. Raises ``QueryError`` where
    ``subject`` names nothing at that moment, ``ScenarioError`` for a scenario that cannot be played.
    """
    history = log(connection, subject, when)
    origins = blame(connection, subject, when)
    # a section's own words are only its title
    own = () if history.section else origins.runs
    return rule_page_html(
        origins.number,
        timeline(history),
        shown_runs(own),
        as_of=origins.version.effective or "",
        today=_newest_day(connection),
        section=_section(connection, origins.number, when),
        maybe_older=history.from_the_first,
        references=references(references_of(connection, subject, when), address),
        moved=_moved(connection, history.rule, scenarios) if scenarios is not None else (),
        moved_address="" if scenarios is not None else moved_address,
        site=site,
    )


def _newest_day(connection: sqlite3.Connection) -> str:
    return max((row.version.effective or "" for row in versions(connection)), default="")


def _section(connection: sqlite3.Connection, number: str, when: When) -> str:
    """The title of the section that a rule is in; empty for what is none's, and where the store has no title."""
    read = parse(number)
    if read is None or read.rule is None:
        return ""
    try:
        return str(find(connection, str(read.section), when)["published"])
    except QueryError:
        return ""


def _moved(
    connection: sqlite3.Connection, rule: str, scenarios: Callable[[], Sequence[Scenario]]
) -> tuple[MovedAnswer, ...]:
    from rulehist.moved_answers import answers_moved_by

    found = answers_moved_by(connection, rule, scenarios)
    return tuple(moved_answer(scenario.title or Path(scenario.source).stem, turn) for scenario, turn in found)


def moved_answer(title: str, turn: Turn, address: str = "") -> MovedAnswer:
    """A turn of the answers to a scenario as the page shows it; ``address`` is that of the scenario's page."""
    from rulehist.engine.answer_text import changed_cells

    changes = changed_cells(turn.before, turn.answer) if turn.before is not None else ()
    return MovedAnswer(title, turn.answer.version, changes, address)


def shown_entry(entry: LogEntry, notes: tuple[str, ...] = ()) -> TimelineEntry:
    """An entry of a history as the page shows it."""
    version = entry.version
    return TimelineEntry(
        version.effective or "", version.release, entry.number, str(entry.kind), entry.text, entry.ops, notes
    )


def shown_runs(runs: Iterable[Run]) -> list[BlameRun]:
    """Runs of words as the page shows them."""
    return [BlameRun(run.words, run.version.effective or "", run.version.release) for run in runs]


def timeline(history: Log) -> list[TimelineEntry]:
    """The entries of a history as the page shows them, newest first."""
    gaps = list(history.gaps)
    found = []
    for entry, older in zip(history.entries, [*history.entries[1:], None], strict=True):
        before = (older.version.effective or "9999") if older is not None else ""
        missing = [gap for gap in gaps if before < gap.effective < (entry.version.effective or "9999")]
        notes = tuple(_notes(entry, missing, first=older is None and history.from_the_first))
        found.append(shown_entry(entry, notes))
    return found


def _notes(entry: LogEntry, missing: Sequence[Release], *, first: bool) -> Iterator[str]:
    for kin in entry.kin:
        words = kin_words(kin)
        yield words[0].upper() + words[1:] + "."
    for line in below_words(entry.below):
        yield line[0].upper() + line[1:] + "."
    if missing:
        yield gap_words(missing)
    if first:
        yield "That is the oldest text in the store: the rule may be older."


def references(found: Citations, address: Callable[[str], str] = lambda _: "") -> References:
    """What the page shows of references; ``address`` gives the address of the page of a rule by its identity."""
    return References(
        found.version.label,
        tuple(
            Citing(c.printed, "" if c.target_rule else "there is no such rule", address(c.target_rule))
            for c in found.cites
        ),
        tuple(
            Citing(c.number, str(c.kind) if c.printed == c.target else f"{c.kind}, as {c.printed}", address(c.rule))
            for c in found.cited_by
        ),
    )
