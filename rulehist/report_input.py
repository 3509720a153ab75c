"""From a comparison of two versions to the view that every report format shows."""

from __future__ import annotations

from rulehist.changes import ChangeKind
from rulehist.document import Coverage
from rulehist.history import Version
from rulehist.lists import list_changes
from rulehist.patterns import find_patterns
from rulehist.report_view import ListChange, NewsLine, View, make_view
from rulehist.report_view import Version as ShownVersion
from rulehist.version_diff import VersionDiff


def view_of(compared: VersionDiff) -> View:
    """The report's view of two versions."""
    return make_view(
        _shown(compared.old),
        _shown(compared.new),
        compared.diff.changes,
        news=news_lines(compared),
        patterns=find_patterns(compared.diff.changes),
        lists=_lists(compared),
    )


def news_lines(compared: VersionDiff) -> tuple[NewsLine, ...]:
    """What joined and left, a line a subject."""
    if compared.news is None:
        return ()
    return tuple(NewsLine(name, change.joined, change.left) for name, change in compared.news.subjects())


def _shown(version: Version) -> ShownVersion:
    return ShownVersion(
        version.effective or "",
        version.release,
        version.code,
        version.coverage is Coverage.EXCERPT,
        version.later_than or "",
    )


def _lists(compared: VersionDiff) -> tuple[ListChange, ...]:
    found = []
    for change in compared.diff.changes:
        if change.old is None or change.new is None or change.kind not in {
            ChangeKind.REWORDED, ChangeKind.RENUMBERED_REWORDED,
        }:  # fmt: skip
            continue
        listed = list_changes(change.old.text, change.new.text)
        if listed is not None:
            found.append(ListChange(change.number, "", listed.joined, listed.left))
    return tuple(found)
