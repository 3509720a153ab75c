"""The change report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulehist import pages
from rulehist.change_words import listed
from rulehist.counts import parts_words
from rulehist.report_view import Entry, View, section_of, section_words


def report_html(
    view: View, *, history_url: Callable[[Entry], str] | None = None, site: pages.SiteFrame | None = None
) -> str:
    """The page for a view; the same bytes for the same view.

    Where the report is part of a site, ``history_url`` gives the address of a rule's page, or nothing for an entry
    without one, and ``site`` its place there.
    """
    return pages.render(
        "report.html.jinja",
        site=site,
        view=view,
        kind_labels=_kind_labels(view),
        parts_words=parts_words,
        section_of=section_of,
        section_words=section_words,
        history_url=history_url,
    )


def _kind_labels(view: View) -> dict[str, str]:
    """What the choice of kinds calls each: all the words that stand beside its entries."""
    parts: dict[str, dict[str, None]] = {}
    for group in view.groups:
        for entry in group.entries:
            parts.setdefault(entry.kind, {})[entry.kind_words] = None
    return {
        kind: "new" if kind == "added" else ("only " if kind == "renumbered" else "") + _either(words)
        for kind, words in parts.items()
    }


def _either(words: Iterable[str]) -> str:
    """``renumbered, moved or renamed, and reworded``: the words for a kind in one, that of rules first."""
    reworded = " and reworded"
    every = sorted(words, key=lambda said: (not said.startswith("renumbered"), said))
    either = listed([said.removesuffix(reworded) for said in every]).replace(" and ", " or ")
    return either + ("," if len(every) > 1 else "") + reworded if every[0].endswith(reworded) else either
