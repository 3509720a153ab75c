"""Every number in a report is the count of what stands under it, whichever two texts are compared."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulehist.changes import RENUMBERED
from rulehist.counts import counts
from rulehist.opening import opening
from rulehist.reader_order import Arranged, arrange
from rulehist.report import report_html
from rulehist.report_input import view_of
from rulehist.reports import rendered
from rulehist.store import open_for_reading
from rulehist.version_diff import VersionDiff, diff_versions
from rulehist.when import parse_when


def number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found[1].replace(",", "")) if found else 0


def sentences_agree_with_groups(arranged: Arranged) -> None:
    told = " ".join(opening(arranged))
    size = {group.key: len(group.changes) for group in arranged.groups}
    for key in ("added", "removed", "reworded"):
        in_words = rf"([\d,]+) (?:rules? )?{key}"
        assert number(in_words, told.split(".")[0]) == size.get(key, 0), told
    assert number(r"([\d,]+) lists? changed", told) == size.get("lists", 0) == len(arranged.lists)
    assert number(r"([\d,]+) examples? changed", told) == size.get("examples", 0)
    assert number(r"([\d,]+) changes? only follow", told) == size.get("references", 0)
    assert number(r"([\d,]+) changes? (?:is|are) nothing but typography", told) == size.get("typography", 0)
    assert number(r"([\d,]+) rules? took another", told) == sum(moved.rules for moved in arranged.ranges)
    if "without another change" in told:
        assert number(r"([\d,]+) of them without", told) == size.get("renumbered", 0)
    entries = re.search(r"Glossary entries: ([^.]*)\.", told)
    listed = sum(map(int, re.findall(r"\d+", entries[1]))) if entries else 0
    assert listed == size.get("glossary", 0), told
    for pattern in arranged.patterns:
        assert sum(share for _, share in pattern.parts) == pattern.times


def formats_agree(compared: VersionDiff, arranged: Arranged) -> None:
    changes = compared.diff.changes
    assert sum(len(group.changes) for group in arranged.groups) == len(changes)
    moved = [change for change in changes if change.part == "rule" and change.kind in RENUMBERED]
    assert sorted(map(id, moved)) == sorted(id(change) for each in arranged.ranges for change in each.changes)
    shape = json.loads(rendered(compared, "json"))
    kinds = Counter(change["kind"] for change in shape["changes"])
    assert {kind: found for kind, found in shape["summary"].items() if found} == kinds
    entries = [change for change in changes if change.part == "glossary"]
    if compared.news is not None:
        assert len(shape["news"]["glossary"]["added"]) == sum(change.old is None for change in entries)
        assert len(shape["news"]["glossary"]["removed"]) == sum(change.new is None for change in entries)
        assert len(shape["news"]["glossary"].get("renamed", [])) == sum(change.kind in RENUMBERED for change in entries)
    text, view = rendered(compared, "text"), view_of(compared)
    page = report_html(view)
    count = counts(arranged)
    assert view.kinds == kinds
    for group in arranged.groups:
        assert f"== {group.title} ({count.size_words(group.key)}) ==" in text
        assert f"<h2>{group.title} <span>{count.size_words(group.key)}</span></h2>" in page
        assert f'<a href="#{group.key}">{group.title} <span>{count.size(group.key):,}</span></a>' in page
    assert page.count("<article ") + page.count("<p data-k=") + len(_told_in_ranges(arranged)) == len(changes)


def _told_in_ranges(arranged: Arranged) -> tuple[object, ...]:
    return arranged.group("renumbered")


@pytest.mark.archive
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pair=st.tuples(st.floats(0, 0.999), st.floats(0, 0.999)))
def test_opening_titles_ranges_and_summary_agree(archive_database: Path, pair: tuple[float, float]) -> None:
    connection = open_for_reading(archive_database)
    days = [row[0] for row in connection.execute("SELECT effective FROM versions ORDER BY effective") if row[0]]
    moments = [parse_when(days[int(place * len(days))]) for place in pair]
    compared = diff_versions(connection, *moments)
    connection.close()
    arranged = arrange(compared.diff.changes)
    if compared.diff.changes:
        sentences_agree_with_groups(arranged)
        formats_agree(compared, arranged)
