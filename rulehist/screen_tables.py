"""Answers that are tables, as a terminal shows them: with rules, columns that fit, and weight where there is colour.

Only they load Rich, so that an answer into a pipe, which has the plain form, starts as quickly as ever.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rulehist import terminal
from rulehist.marked_words import fitted
from rulehist.thresholds import CELL_NARROWEST, TABLE_NARROWEST
from rulehist.visible import one_line

if TYPE_CHECKING:
    from rulehist.dated_versions import VersionRow
    from rulehist.doctor import Examined
    from rulehist.engine.comparison import Comparison
    from rulehist.patterns import Pattern
    from rulehist.placing import Placed
    from rulehist.releases import Release
    from rulehist.semantics_history import Held
    from rulehist.text_search import Found


class Column(NamedTuple):
    """A column by its heading. One that is ``whole`` is never broken; ``right``: its cells end together; ``least``:
    columns of the terminal that it has at least."""

    head: str
    whole: bool = False
    right: bool = False
    least: int = 0


class Cell(NamedTuple):
    """A cell with a style of Rich's (``bold red``), which only adds to what its words say."""

    text: str
    style: str = ""


Row = Sequence[str | Cell]
"""The cells of a row, one for each column."""


def table(columns: Sequence[Column], rows: Iterable[Row]) -> str:
    """A table as wide as the terminal at most; ends without a line break."""
    from rich.box import SIMPLE_HEAD, Box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    dashes = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
    made = Table(box=dashes if terminal.dumb() else SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(
            column.head,
            no_wrap=column.whole,
            justify="right" if column.right else "left",
            min_width=column.least or None,
            overflow="fold",
        )
    for row in rows:
        shown = (cell if isinstance(cell, Cell) else Cell(cell) for cell in row)
        made.add_row(*(Text(one_line(cell.text), style=cell.style) for cell in shown))
    out = io.StringIO()
    console = Console(
        file=out,
        width=terminal.columns(),
        force_terminal=terminal.colour(),
        color_system="standard" if terminal.colour() else None,
        legacy_windows=False,
    )
    console.print(made)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def fits() -> bool:
    """Whether a terminal looks on that is wide enough for a table with running text in it."""
    return terminal.on_terminal() and terminal.columns() >= TABLE_NARROWEST


def versions_table(listed: Sequence[VersionRow], missing: Sequence[Release], excerpts: Iterable[Placed]) -> str:
    """The list of ``versions``, and below it what ``versions_answers.notes`` tells."""
    from rulehist.versions_answers import notes, release_words

    columns = [Column("effective", whole=True), Column("code", whole=True), Column("text", whole=True)]
    columns += [Column("rules", whole=True, right=True), Column("release")]
    rows = (
        (
            row.version.effective or "unknown",
            Cell(row.version.code, "bold"),
            str(row.version.coverage),
            str(row.rules),
            release_words(row),
        )
        for row in listed
    )
    return "\n".join(
        [table(columns, rows), "", fitted("\n".join(notes(listed, missing, excerpts)), terminal.text_width())]
    )


def comparison_table(comparison: Comparison) -> str:
    """A comparison of answers: a column for each version, or on a narrow terminal a line for each version and answer.

    A cell that differs from the version before it has a star.
    """
    from rulehist.engine.answer_text import decided_lines, rows_of

    answers = comparison.answers
    versions = [answer.version for answer in answers]
    starred = {
        path: [cell + (" *" if at and cells[at - 1] != cell else "") for at, cell in enumerate(cells)]
        for path, cells in rows_of(answers).items()
    }
    paths = max(map(terminal.cells, starred), default=0)
    if terminal.columns() >= paths + len(versions) * (CELL_NARROWEST + 2):
        columns = [Column("", whole=True), *(Column(version) for version in versions)]
        rows: list[Row] = [[path, *(Cell(cell, _weight(cell)) for cell in cells)] for path, cells in starred.items()]
    else:
        columns = [Column("asked", least=CELL_NARROWEST), Column("version", least=CELL_NARROWEST), Column("answer")]
        rows = [
            ["" if at else path, version, Cell(cell, _weight(cell))]
            for path, cells in starred.items()
            for at, (version, cell) in enumerate(zip(versions, cells, strict=True))
        ]
    width = terminal.text_width()
    below = fitted("\n".join(decided_lines(comparison, width)), width)
    return "\n".join(
        [fitted(answers[0].scenario or answers[0].source, width), "", table(columns, rows), "", below]
    ).rstrip()


def _weight(cell: str) -> str:
    return "bold" if cell.endswith(" *") else ""


def patterns_table(found: Sequence[Pattern]) -> str:
    """Every mass rewording with its places."""
    from rulehist.counts import parts_words

    columns = [Column("words"), Column("became"), Column("in")]
    rows = (
        (
            Cell(each.from_, "red"),
            Cell(each.to or "(left out)", "green"),
            f"{parts_words(each.parts)}: {', '.join(each.places)}",
        )
        for each in found
    )
    return table(columns, rows)


def found_table(found: Sequence[Found], words: str) -> str:
    """What ``search`` found: the rule, when it had the words, and the words around the first place."""
    from rulehist.answers import around

    ended = any(each.until for each in found)
    columns = [Column("rule"), Column("from", whole=True)]
    columns += [*([Column("until", whole=True)] if ended else []), Column("words")]
    rows: list[Row] = [
        (
            Cell(each.number, "bold"),
            each.since or "unknown",
            *([each.until or ""] if ended else []),
            around(each.text, words),
        )
        for each in found
    ]
    return "\n".join([table(columns, rows), "", f"{len(found)} found"])


def history_table(history: Sequence[Held]) -> str:
    """Every switch with its values through time."""
    from rulehist.semantics_text import value_text

    columns = [
        Column("switch"),
        Column("from", whole=True),
        Column("rule", whole=True),
        Column("value"),
        Column("rows"),
    ]
    rows = (
        (
            Cell("" if at and history[at - 1].switch == held.switch else held.switch, "bold"),
            held.since,
            held.number,
            f"unread: {held.unread}" if held.unread else value_text(held.value),
            ", ".join(held.rows),
        )
        for at, held in enumerate(history)
    )
    return table(columns, rows)


def faults_table(examined: Sequence[Examined]) -> str:
    """What ``doctor`` found, and below it how much."""
    from rulehist.doctor import summary

    styles = {"fatal": "bold red", "warning": "yellow"}
    columns = [Column("place"), Column("what", whole=True), Column("fault")]
    rows = [
        (
            f"{each.name}:{finding.line}" if finding.line else each.name,
            Cell(finding.severity.value, styles.get(finding.severity.value, "")),
            f"{finding.message} [{finding.code}]",
        )
        for each in examined
        for finding in each.findings
    ]
    return "\n".join([*([table(columns, rows), ""] if rows else []), summary(examined)])
