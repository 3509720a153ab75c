"""The overview counts what each release did."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from rulehist.dated_versions import versions
from rulehist.ingest import ingest_files
from rulehist.overview import Overview, overview
from rulehist.overview_page import overview_html
from rulehist.store import open_for_reading
from tests.small_texts import JUNE_2030, MARCH_2030


@pytest.fixture
def figures(tmp_path: Path) -> Overview:
    for name, text in (("march.txt", MARCH_2030), ("june.txt", JUNE_2030)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", [tmp_path / "march.txt", tmp_path / "june.txt"])
    return overview(open_for_reading(tmp_path / "rules.db"))


def test_each_release_is_counted_against_the_one_before(figures: Overview) -> None:
    march, june = figures.releases
    assert (march.added, march.removed, march.reworded, march.renumbered) == (0, 0, 0, 0)
    assert june.added == 2  # section 701, "Whistling", and its rule
    assert june.removed == 0
    assert june.renumbered == 3  # the section on copying and its two rules
    assert june.reworded == 1
    assert (march.rules, june.rules) == (5, 6)


def test_the_rule_reworded_most_is_named_by_its_newest_number(figures: Overview) -> None:
    [often] = figures.most_changed
    assert often.number == "702.2"
    assert often.times == 1


def test_the_page_has_a_table_beside_its_pictures(figures: Overview) -> None:
    page = overview_html(figures)
    assert page.count("<svg") == 2
    assert "<td>2030-06-01</td>" in page
    assert page == overview_html(figures)


def test_a_store_without_a_full_text_has_no_figures() -> None:
    assert "no full text" in overview_html(Overview((), (), ()))


@pytest.mark.archive
def test_july_2009_was_the_greatest_renumbering(archive_database: Path) -> None:
    figures = overview(open_for_reading(archive_database))
    assert figures.great_renumberings[0].effective == "2009-07-11"
    assert len(figures.releases) >= 130


@pytest.mark.archive
def test_the_rules_of_a_text_are_as_many_as_the_list_of_versions_says(archive_database: Path) -> None:
    with closing(open_for_reading(archive_database)) as connection:
        listed = {row.version.effective: row.rules for row in versions(connection)}
        assert {release.effective: release.rules for release in overview(connection).releases} == listed
