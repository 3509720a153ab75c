"""A long comparison in the live view: what comes first, the rest one click away, all numbers those of the report."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from random import Random

import pytest

from rulehist.bundled import bundled_store
from rulehist.ingest import ingest_files
from rulehist.live.answers import Page, Question, answer
from rulehist.reports import rendered
from rulehist.store import open_for_reading
from rulehist.thresholds import LIVE_CHANGES_FIRST, LIVE_CHANGES_MORE
from rulehist.version_diff import diff_versions
from rulehist.when import parse_compared
from tests.chromium import assert_fit_for_everybody, needs_chromium
from tests.served import served
from tests.small_texts import rules_text

PAIR = "2030-03-01..2030-06-01"
TERMS = ("ash", "birch", "cedar", "dogwood", "elm", "fir", "gum", "hazel", "ivy", "juniper")


def _rules(section: int, words: str, count: int) -> list[str]:
    return [
        f"{section}.{n}. {words} the {TERMS[n % 10]} numbered {n} and the {TERMS[n // 10 % 10]} of {section} is a tree."
        for n in range(1, count + 1)
    ]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    first = {"100. General": ["100.1. These rules apply to any game with two or more players."]}
    old = first | {
        "700. General": _rules(700, "Each player plants", 320),
        "701. Woods": _rules(701, "Nobody fells", 80),
    }
    new = first | {
        "700. General": [
            rule.replace("is a tree", f"is a tall tree of {n}") for n, rule in enumerate(old["700. General"])
        ],
        "701. Parks": _rules(701, "Everybody paints, in the shade of a bench by the gate,", 120),
        "702. Woods": _rules(702, "Nobody fells", 80),
    }
    for name, day, text in (("old.txt", "March 1, 2030", old), ("new.txt", "June 1, 2030", new)):
        (folder / name).write_text(rules_text(day, text, {"Tree": "See rule 700."}), encoding="utf-8")
    ingest_files(folder / "rules.db", [folder / "old.txt", folder / "new.txt"])
    return folder / "rules.db"


@pytest.fixture(scope="module")
def long(database: Path) -> Iterator[sqlite3.Connection]:
    connection = open_for_reading(database)
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def live(database: Path) -> Iterator[str]:
    with served(database) as address:
        yield f"{address}diff/{PAIR}"


def asked(connection: sqlite3.Connection, pair: str = PAIR, **form: str) -> Page:
    return answer(connection, Question("diff", pair, f"diff/{pair}", form))


def report(connection: sqlite3.Connection, pair: str = PAIR) -> str:
    old, new = parse_compared(pair)
    return rendered(diff_versions(connection, old, new), "html")


def numbers(html: str) -> list[str]:
    """Every number that a report names outside its entries: the opening, beside links and kinds, over the groups."""
    html = re.sub(r"<article.*?</article>", "", html, flags=re.DOTALL)
    return [
        re.findall(r'<p class="lead">.*', html)[0],
        *re.findall(r'<li><a href="#\w+">[^<]*<span>[^<]*</span>', html),
        *re.findall(r'<label><input type="checkbox" id="k-.*', html),
        *re.findall(r"<h2>[^<]*<span>[^<]*</span></h2>", html),
    ]


def anchors(html: str) -> list[str]:
    return re.findall(r"<(?:article|a) id=([\w.-]+)", html)


def test_a_short_comparison_is_one_page() -> None:
    with bundled_store() as bundled:
        html = asked(bundled, "2022-10-07..2024-06-07").html
    assert 'id="part"' not in html
    assert "live.js" not in html


def test_a_long_comparison_shows_what_comes_first_and_every_number(long: sqlite3.Connection) -> None:
    html = asked(long).html
    assert html.count("<article") == 2 * LIVE_CHANGES_FIRST  # new rules, and reworded ones
    assert numbers(html) == numbers(report(long))
    assert "On this page: <b>100</b> of " in html


def test_every_change_is_found_once_by_following_the_links(long: sqlite3.Connection) -> None:
    pages, ahead, seen = [], [""], set()
    while ahead:
        query = ahead.pop()
        if query not in seen:
            seen.add(query)
            html = asked(long, **dict(re.findall(r"(\w+)=(\w+)", query))).html
            pages.append(html)
            ahead += [unescape(link) for link in re.findall(r'<p class=more><a href="\?([^"]+)"', html)]
    found = [anchor for html in pages for anchor in anchors(html)]
    assert sorted(found) == sorted(anchors(report(long)))
    assert max(html.count("<article") for html in pages) <= LIVE_CHANGES_MORE


def test_an_entry_is_the_same_on_every_page(long: sqlite3.Connection) -> None:
    def entry(html: str) -> str:
        return re.findall(r"<article id=new-700.290 .*?</article>", html, re.DOTALL)[0]

    assert entry(asked(long, group="reworded", **{"from": "251"}).html) == entry(asked(long, whole="yes").html)


def test_all_changes_are_on_one_page_for_those_who_ask(long: sqlite3.Connection) -> None:
    html = asked(long, whole="yes").html
    assert 'id="part"' not in html
    assert sorted(anchors(html)) == sorted(anchors(report(long)))


def test_the_json_is_complete_whatever_the_page_shows(long: sqlite3.Connection) -> None:
    shape = asked(long, format="json").json
    assert len(shape["changes"]) == sum(shape["summary"].values()) > 400


@pytest.mark.parametrize(
    ("form", "status"),
    [({"group": "x"}, 404), ({"group": "added", "from": "x"}, 400), ({"group": "added", "from": "0"}, 400)],
)
def test_what_there_is_not_is_one_sentence(long: sqlite3.Connection, form: dict[str, str], status: int) -> None:
    page = asked(long, **form)
    assert page.status == status
    assert page.json["error"]


def test_a_comparison_after_an_ingest_is_that_of_the_store_as_it_is(tmp_path: Path) -> None:
    first = "Whoever plants a tree waters it until the first frost of the year."
    second = "Whoever fells a tree pays for it at the gate before the market opens."
    for name, day, trees in (
        ("one", "March 1, 2030", [f"700.1. {first} {second}"]),
        ("two", "April 1, 2030", [f"700.1. {first} {second.replace('market', 'fair')}"]),
        ("three", "June 1, 2030", [f"700.1. {first}", f"700.2. {second}"]),
    ):
        text = rules_text(day, {"100. General": ["100.1. A game has players."], "700. Trees": trees}, {"Tree": "Wood."})
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", [tmp_path / "one.txt", tmp_path / "two.txt"])
    connection = open_for_reading(tmp_path / "rules.db")
    assert asked(connection, "2030-03-01..2030-04-01").status == 200
    ingest_files(tmp_path / "rules.db", [tmp_path / "three.txt"])
    assert "Words from 700.1." in asked(connection, "2030-03-01..2030-06-01").html
    connection.close()


@pytest.mark.archive
def test_the_numbers_of_arbitrary_pairs_are_those_of_their_reports(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    days = [row[0] for row in connection.execute("SELECT effective FROM versions ORDER BY effective") if row[0]]
    chosen = Random(11)  # noqa: S311 - the same pairs each time
    for old, new in [sorted(chosen.sample(days, 2)) for _ in range(8)]:
        pair = f"{old}..{new}"
        assert numbers(asked(connection, pair).html) == numbers(report(connection, pair)), pair
    connection.close()


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("query", ["", "?group=reworded&from=51", "?group=renumbered"])
def test_a_page_of_a_long_comparison_is_fit_for_everybody(browser, live: str, query: str, scheme: str) -> None:
    assert_fit_for_everybody(browser, live + query, live.split("diff", maxsplit=1)[0], scheme)


@needs_chromium
def test_the_rest_opens_in_place_by_keyboard(browser, live: str) -> None:
    page = browser.new_page()
    page.goto(live)
    page.locator("#reworded .more a").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-700\\.290")
    assert page.evaluate("document.activeElement.id") == "new-700.51"
    assert page.locator("#reworded article").count() == LIVE_CHANGES_FIRST + LIVE_CHANGES_MORE
    assert page.locator("#part b").inner_text() == "350"
    assert page.locator("#new-700\\.290 .copy").count() == 1
    page.locator("#search").fill("tall tree of 289")
    assert page.locator("article:visible").count() == 1
    assert page.locator("#status").inner_text() == "1 of 350 changes shown"
    page.close()


@needs_chromium
def test_a_folded_group_brings_its_changes_when_it_is_opened(browser, live: str) -> None:
    page = browser.new_page()
    page.goto(live)
    page.locator("#renumbered > summary").click()
    page.wait_for_selector("#renumbered table")
    assert page.locator("#renumbered .more").count() == 0
    page.close()


@needs_chromium
def test_without_scripts_the_rest_is_a_page(browser, live: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(live)
    page.locator("#reworded .more a").click()
    assert page.locator("article").count() == LIVE_CHANGES_MORE
    page.locator("#part a").first.click()
    assert page.locator("#added").is_visible()
    page.close()


@needs_chromium
def test_an_address_of_a_change_that_is_not_on_the_page_leads_to_it(browser, live: str) -> None:
    page = browser.new_page()
    page.goto(f"{live}#new-700.290")
    page.wait_for_url("**?whole=yes#new-700.290")
    assert page.locator("#new-700\\.290").is_visible()
    page.close()
