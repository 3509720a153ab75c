"""What leads on from a change of a report: to the rule's history, and to its text before and after."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rulehist.report import EntryLinks, Links
from rulehist.report_view import Entry
from rulehist.short_histories import RuleKey, ShortHistory, key_of
from rulehist.site.addresses import anchor, rule_path, version_path
from rulehist.thresholds import HISTORIES_IN_A_REPORT
from rulehist.version_diff import VersionDiff


def links_to(
    root: str,
    compared: VersionDiff,
    histories: Mapping[RuleKey, ShortHistory],
    *,
    pages: Collection[str] | None = None,
) -> Links:
    """The links of a report into the site at ``root``.

    ``pages`` are the identities of the rules that have a page there, where that is known. A report too long for more
    links to the histories alone.
    """
    texts = len(compared.diff.changes) <= HISTORIES_IN_A_REPORT
    before, after = (_text(root, version.effective) for version in (compared.old, compared.new))

    def links(entry: Entry) -> EntryLinks:
        history = histories.get(key_of(entry.part, entry.old_number, entry.new_number))
        if history is None:
            return EntryLinks()
        others = []
        if texts:
            others += [("Before", before + anchor(entry.old_number))] if entry.old_number and before else []
            others += [("After", after + anchor(entry.new_number))] if entry.new_number and after else []
        has_page = pages is None or history.rule in pages
        return EntryLinks(root + rule_path(history.rule) if has_page else "", others)

    return links


def _text(root: str, effective: str | None) -> str:
    return f"{root}{version_path(effective)}#" if effective else ""
