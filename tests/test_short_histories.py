"""A change report leads on to each rule's history: told in a line, or linked where there is a site."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulehist.reports import html_with_histories
from rulehist.short_histories import RuleKey, ShortHistory, Step, short_histories
from rulehist.store import file_of, open_for_reading
from rulehist.version_diff import diff_versions
from rulehist.when import parse_when
from tests.small_texts import JUNE_2030, MARCH_2030, stored


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    with stored(tmp_path_factory.mktemp("histories"), MARCH_2030, JUNE_2030) as connection:
        yield connection


def step(number: str, effective: str, code: str = "") -> Step:
    return Step(number, effective, code)


def test_a_history_tells_numbers_with_their_releases_year_by_year() -> None:
    steps = (
        step("503.2", "2001-06-04", "APC"), step("503.2", "2001-10-01", "ODY"), step("503.2", "2002-02-01"),
        step("706.2", "2009-07-11", "M10"),
    )  # fmt: skip
    told = ShortHistory("503.2@2001-06-04", steps, "707.2", None)
    assert told.words == "503.2: 2001 APC ODY, 2002; 706.2: 2009 M10. Now 707.2."


def test_a_rule_that_ended_later_says_with_what() -> None:
    told = ShortHistory("1.1@2001-06-04", (step("1.1", "2001-06-04", "APC"),), "", step("1.1", "2009-07-11", "M10"))
    assert told.words == "1.1: 2001 APC. Gone since 2009 M10."


def test_a_rule_that_is_new_has_nothing_to_tell() -> None:
    assert ShortHistory("1.1@2001-06-04", (step("1.1", "2001-06-04", "APC"),), "1.1", None).words == ""


def test_the_history_goes_up_to_the_newer_version_and_follows_the_rule(texts: sqlite3.Connection) -> None:
    compared = diff_versions(texts, parse_when("2030-03-01"), parse_when("2030-06-01"))
    told = short_histories(texts, compared.old, compared.new, compared.diff.changes)
    copying = told[RuleKey(True, False, "702.2")]
    assert [(each.number, each.effective) for each in copying.steps] == [
        ("701.2", "2030-03-01"), ("702.2", "2030-06-01"),
    ]  # fmt: skip
    assert told[RuleKey(False, True, "Token")].words == ""


def test_a_report_tells_the_history_of_what_was_there_before_and_stays_by_itself(texts: sqlite3.Connection) -> None:
    compared = diff_versions(texts, parse_when("2030-03-01"), parse_when("2030-06-01"))
    html = html_with_histories(texts, compared)
    [article] = re.findall(r"<article id=new-702\.2 .*?</article>", html, re.DOTALL)
    assert "<details><summary>History</summary>701.2: 2030; 702.2: 2030." in article
    [new] = re.findall(r"<article id=new-701\.1 .*?</article>", html, re.DOTALL)
    assert "History" not in new
    assert html == html_with_histories(texts, compared)


def test_a_report_beside_a_site_links_to_history_and_texts_there(texts: sqlite3.Connection) -> None:
    compared = diff_versions(texts, parse_when("2030-03-01"), parse_when("2030-06-01"))
    html = html_with_histories(texts, compared, site="https://example.org/rules/")
    [article] = re.findall(r"<article id=new-702\.2 .*?</article>", html, re.DOTALL)
    assert re.findall(r"<a href=https://example.org/rules/([^>]*)>([^<]+)</a>", article) == [
        ("rule/701.2@2030-03-01.html", "702.2"),
        ("version/2030-03-01.html#701.2", "Before"),
        ("version/2030-06-01.html#702.2", "After"),
    ]
    assert "<details><summary>History" not in html


def test_a_site_is_for_pages(texts: sqlite3.Connection, tmp_path: Path, command: Callable[..., str]) -> None:
    with file_of(texts) as database:
        command("report", "100.2", "--site", "https://example.org/", "-o", tmp_path / "rule.html", "--db", database)
    page = (tmp_path / "rule.html").read_text(encoding="utf-8")
    assert re.search(r'<a href="https://example.org/rule/deck@2030-03-01[^"]*\.html">Deck</a>', page)
    with pytest.raises(AssertionError, match="go with the format html"):
        command("report", "2021-07-23..2022-10-07", "--site", "x", "--format", "md", "-o", tmp_path / "x.md")


@pytest.mark.archive
@pytest.mark.parametrize(
    ("release", "largest"), [("2009-07-11", 1_000_000), ("MOM", 150_000), ("BLB", 150_000), ("AFR", 150_000)]
)
def test_a_report_with_its_histories_is_quick_to_load(archive_database: Path, release: str, largest: int) -> None:
    with open_for_reading(archive_database) as connection:
        compared = diff_versions(connection, None, parse_when(release))
        html = html_with_histories(connection, compared)
        assert len(html.encode()) <= largest
        assert "<summary>History</summary>" in html
