"""The change report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rulehist import pages
from rulehist.change_words import kind_words, listed
from rulehist.counts import parts_words
from rulehist.releases import Release, known_releases
from rulehist.report_view import Entry, View, section_of, section_words
from rulehist.short_histories import RuleKey, ShortHistory, key_of
from rulehist.thresholds import HISTORIES_IN_A_REPORT


class EntryLinks(NamedTuple):
    """What leads on from an entry: the address of its rule's history, or nothing, and others, each with its words."""

    history: str = ""
    others: Sequence[tuple[str, str]] = ()


Links = Callable[[Entry], EntryLinks]
"""What gives an entry its links."""

_IN_A_LONG_REPORT = frozenset({"reworded", "removed"})
"""The groups whose rules have their history in a report that is too long for all: rules that were there before."""


def report_html(
    view: View,
    *,
    links: Links | None = None,
    histories: Mapping[RuleKey, ShortHistory] | None = None,
    site: pages.SiteFrame | None = None,
) -> str:
    """The page for a view; the same bytes for the same view.

    A page that has others beside it has ``links`` to them; one that stands alone tells the ``histories`` itself, as far
    as it is not too long for them. Where the report is part of a site, ``site`` is its place there.
    """
    long = sum(group.total for group in view.groups if group.key != "renumbered") > HISTORIES_IN_A_REPORT
    told = _told(view, histories or {}, _IN_A_LONG_REPORT if long else None)
    return pages.render(
        "report.html.jinja",
        site=site,
        view=view,
        kind_labels=_kind_labels(view),
        parts_words=parts_words,
        section_of=section_of,
        section_words=section_words,
        links=links,
        histories={anchor: history.words for anchor, history in told.items()},
        long=long,
        releases=_releases(told.values()),
    )


def _told(
    view: View, histories: Mapping[RuleKey, ShortHistory], groups: Iterable[str] | None
) -> dict[str, ShortHistory]:
    """The histories that have something to tell, by the anchor of their entry; of all groups, or of some."""
    found: dict[str, ShortHistory] = {}
    for group in view.groups if histories else ():
        if group.key == "renumbered" or (groups is not None and group.key not in groups):
            continue
        for entry in group.entries:
            history = histories.get(key_of(entry.part, entry.old_number, entry.new_number))
            if history is not None and entry.part != "example" and history.words:
                found[entry.new_anchor or entry.old_anchor] = history
    return found


def _releases(histories: Iterable[ShortHistory]) -> tuple[Release, ...]:
    """The releases that histories name by their codes, oldest first; of updates with one code the first."""
    steps = {step.effective for history in histories for step in (*history.steps, history.until) if step is not None}
    named = [release for release in known_releases() if release.effective in steps]
    return tuple({release.code: release for release in reversed(named)}.values())[::-1]


def _kind_labels(view: View) -> dict[str, str]:
    """What the choice of kinds calls each: all the words that stand beside its entries."""
    parts: dict[str, set[str]] = {}
    for kind, part in view.kind_parts:
        parts.setdefault(kind, set()).add(kind_words(kind, part))
    return {
        kind: "new" if kind == "added" else ("only " if kind == "renumbered" else "") + _either(words)
        for kind, words in parts.items()
    }


def _either(words: Iterable[str]) -> str:
    """``renumbered, moved or renamed, and reworded``: the words for a kind in one, that of rules first."""
    reworded = " and reworded"
    every = sorted(words, key=lambda said: (not said.startswith("renumbered"), said))
    either = listed([said.removesuffix(reworded) for said in every], "or")
    return either + ("," if len(every) > 1 else "") + reworded if every[0].endswith(reworded) else either
