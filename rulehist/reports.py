"""The formats in which a comparison of two versions can be had; each is made by the module that knows it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from rulehist.errors import QueryError
from rulehist.version_diff import VersionDiff


def _html(compared: VersionDiff) -> str:
    from rulehist.report import report_html
    from rulehist.report_input import view_of

    return report_html(view_of(compared))


def html_with_histories(connection: sqlite3.Connection, compared: VersionDiff, *, site: str = "") -> str:
    """The report of two versions of the store as a page that leads on to the history of each rule.

    It tells the histories itself, or, where ``site`` is the address of a site of the store, links to the pages there.
    """
    from rulehist.report import report_html
    from rulehist.report_input import view_of
    from rulehist.short_histories import short_histories

    histories = short_histories(connection, compared.old, compared.new, compared.diff.changes)
    if not site:
        return report_html(view_of(compared), histories=histories)
    from rulehist.site.report_links import links_to

    return report_html(view_of(compared), links=links_to(site.rstrip("/") + "/", compared, histories))


def _markdown(compared: VersionDiff) -> str:
    from rulehist.report_input import view_of
    from rulehist.report_markdown import report_markdown

    return report_markdown(view_of(compared))


def _bulletin(compared: VersionDiff) -> str:
    from rulehist.report_input import view_of
    from rulehist.report_markdown import bulletin

    return bulletin(view_of(compared), compared.headings)


def _wikitext(compared: VersionDiff) -> str:
    from rulehist.report_input import view_of
    from rulehist.report_wikitext import report_wikitext

    return report_wikitext(view_of(compared))


def _csv(compared: VersionDiff) -> str:
    from rulehist.report_csv import report_csv
    from rulehist.report_input import view_of

    return report_csv(view_of(compared))


def _json(compared: VersionDiff) -> str:
    import json

    from rulehist.answers import version_json
    from rulehist.diff_text import diff_json
    from rulehist.reader_order import arrange

    shape = diff_json(
        compared.diff,
        version_json(compared.old),
        version_json(compared.new),
        arrange(compared.diff.changes),
        compared.news,
    )
    return json.dumps(shape, ensure_ascii=False, indent=2) + "\n"


def _text(compared: VersionDiff, *, everything: bool = False) -> str:
    from rulehist import terminal
    from rulehist.diff_text import as_text
    from rulehist.marked_words import wrapped
    from rulehist.opening import opening
    from rulehist.reader_order import arrange

    arranged = arrange(compared.diff.changes)
    lines = [f"From {compared.old.label} to {compared.new.label}.", *compared.diff.notes]
    if not compared.differs:
        lines.append("Nothing differs.")
    elif compared.news is not None:
        lines.append(" ".join(opening(arranged)))
    width = terminal.text_width()
    body = as_text(arranged, compared.news, colour=terminal.colour(), width=width, every=everything)
    head = [piece for line in lines for piece in wrapped(line, width, "")]
    return "\n".join([*head, "", *body]).rstrip("\n") + "\n"


_FORMATS: dict[str, Callable[[VersionDiff], str]] = {
    "text": _text,
    "html": _html,
    "md": _markdown,
    "wikitext": _wikitext,
    "csv": _csv,
    "json": _json,
    "bulletin": _bulletin,
}


def rendered(compared: VersionDiff, output_format: str, *, everything: bool = False) -> str:
    """The comparison in one of the formats. Raises ``QueryError`` for a format that there is not."""
    if output_format == "text":
        return _text(compared, everything=everything)
    render = _FORMATS.get(output_format)
    if render is None:
        raise QueryError(f"{output_format}: no such format; there are {', '.join(_FORMATS)}")
    return render(compared)
