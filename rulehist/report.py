"""The change report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable

from rulehist import pages
from rulehist.report_view import KIND_WORDS, Entry, View, section_words


def report_html(
    view: View, *, history_url: Callable[[Entry], str] | None = None, site: pages.SiteFrame | None = None
) -> str:
    """The page for a view; the same bytes for the same view.

    Where the report is part of a site, ``history_url`` gives the address of a rule's page, or nothing for an entry
    without one, and ``site`` its place there.
    """
    sizes = {group.key: len(group.entries) for group in view.groups} | {
        "mass": len(view.patterns),
        "renumbered": sum(moved.range.count for section in view.moves for moved in section.ranges),
    }
    return pages.render(
        "report.html.jinja",
        site=site,
        view=view,
        titles={group.key: group.title for group in view.groups} | {"mass": "Mass rewordings"},
        sizes=sizes,
        kind_words=KIND_WORDS,
        section_words=section_words,
        history_url=history_url,
    )
