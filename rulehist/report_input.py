"""From a comparison of two versions to the view that every report format shows."""

from __future__ import annotations

from rulehist.dated_versions import Version
from rulehist.document import Coverage
from rulehist.reader_order import arrange
from rulehist.report_view import Version as ShownVersion
from rulehist.report_view import View, Window, make_view
from rulehist.version_diff import VersionDiff


def view_of(compared: VersionDiff, window: Window | None = None) -> View:
    """The report's view of two versions, or what a window shows of it."""
    changes = compared.diff.changes
    return make_view(_shown(compared.old), _shown(compared.new), arrange(changes), compared.news, window=window)


def _shown(version: Version) -> ShownVersion:
    return ShownVersion(
        version.effective or "",
        version.release,
        version.code,
        version.coverage is Coverage.EXCERPT,
        version.later_than or "",
    )
