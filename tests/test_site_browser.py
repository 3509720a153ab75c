"""The site and the live view in a real Chromium: accessible, narrow enough, and asking nobody else for anything.

Needs Debian's ``chromium`` and the extra ``browser``; the live view also needs the extra ``web``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulehist.ingest import ingest_files
from rulehist.site import build_site
from rulehist.store import open_for_reading
from tests.chromium import assert_fit_for_everybody, assert_laid_out_as_looked_at, needs_chromium
from tests.served import served
from tests.small_texts import JUNE_2030, MARCH_2030

LOOKED_AT = {
    "overview": "index.html",
    "rule": "rule/701.2@2030-03-01.html",
    "version": "version/2030-06-01.html",
    "scenario": "scenario/stickered-creature-copied.html",
}
SITE = (
    "index.html",
    "releases.html",
    "rules.html",
    "glossary.html",
    "version/2030-06-01.html",
    "diff/2030-03-01..2030-06-01.html",
    "rule/701.2@2030-03-01.html",
    "number/701.1.html",
    "search.html",
    "scenarios.html",
    "scenario/stickered-creature-copied.html",
)
LIVE = ("rules", "show/702.2", "log/702.2", "blame/702.2", "diff/2030-03-01..2030-06-01", "search?q=melody", "eval")

pytestmark = needs_chromium


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    for name, text in (("march.txt", MARCH_2030), ("june.txt", JUNE_2030)):
        (folder / name).write_text(text, encoding="utf-8")
    ingest_files(folder / "rules.db", [folder / "march.txt", folder / "june.txt"])
    return folder / "rules.db"


@pytest.fixture(scope="module")
def site(database: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("site")
    build_site(open_for_reading(database), folder)
    return folder.as_uri() + "/"


@pytest.fixture(scope="module")
def live(database: Path) -> Iterator[str]:
    with served(database) as address:
        yield address


@pytest.mark.parametrize("path", SITE)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_of_the_site_is_fit_for_everybody(browser, site: str, path: str, scheme: str) -> None:
    assert_fit_for_everybody(browser, site + path, site, scheme)


@pytest.mark.parametrize("path", LIVE)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_of_the_live_view_is_fit_for_everybody(browser, live: str, path: str, scheme: str) -> None:
    assert_fit_for_everybody(browser, live + path, live, scheme)


@pytest.mark.parametrize("name", LOOKED_AT)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_a_page_is_laid_out_as_when_it_was_looked_at(browser, site: str, name: str, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(site + LOOKED_AT[name])
    assert_laid_out_as_looked_at(page, name, width, scheme)
    page.close()


def test_the_search_works_from_a_disk_and_by_keyboard(browser, site: str) -> None:
    page = browser.new_page()
    page.goto(site + "search.html")
    page.keyboard.press("/")
    page.keyboard.type("copiable val")
    page.wait_for_selector("#results a")
    assert [link.inner_text() for link in page.locator("#results a").all()] == ["702.2"]
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rule/**")
    assert page.locator("h1").inner_text() == "702.2"
    page.close()


@pytest.mark.parametrize(
    ("typed", "first", "note"),
    [
        ("701.2", "702.2", "once 701.2"),
        ("702.2", "702.2", ""),
        ("deck", "Deck", ""),
    ],
)
def test_what_has_the_number_or_name_comes_first(browser, site: str, typed: str, first: str, note: str) -> None:
    page = browser.new_page()
    page.goto(site + "search.html")
    page.locator("#query").fill(typed)
    page.wait_for_selector("#results a")
    line = page.locator("#results li").first
    assert line.locator("a").inner_text() == first
    assert line.locator(".was").inner_text().strip() == note
    page.close()


def test_what_is_gone_is_found_when_it_is_asked_for(browser, site: str) -> None:
    page = browser.new_page()
    page.goto(site + "search.html")
    page.locator("#query").fill("marker")
    page.wait_for_function("document.getElementById('found').textContent === '0 found'")
    page.locator("#gone").check()
    page.wait_for_selector("#results a")
    assert "Token" in page.locator("#results").inner_text()
    page.close()


def test_a_scenario_is_answered_in_the_browser(browser, live: str) -> None:
    page = browser.new_page()
    page.goto(live + "eval")
    page.locator("#scenario").fill("objects: {bear: {nmae: Bear}}\n")
    page.locator("button").click()
    assert "line 1" in page.locator("[role=alert]").inner_text()
    page.close()


def test_print_shows_no_controls(browser, site: str) -> None:
    page = browser.new_page()
    page.goto(site + "version/2030-06-01.html")
    page.emulate_media(media="print")
    assert not page.locator("nav.site").is_visible()
    assert page.locator("#\\37 02\\.2").is_visible()
    page.close()
