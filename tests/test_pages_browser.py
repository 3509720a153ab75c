"""The pages in a real Chromium: nothing leaves them, nothing scrolls sideways, everything can be reached.

Needs Debian's ``chromium`` and the extra ``browser``.
"""

import pytest

from tests.chromium import GOLDEN, assert_laid_out_as_looked_at, needs_chromium, violations

PAGES = ("report.html", "rule.html", "blame.html")

pytestmark = needs_chromium


def opened(browser, name, *, width=1280, scheme="light", bypass_csp=False, scripts=True):
    page = browser.new_page(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        bypass_csp=bypass_csp,
        java_script_enabled=scripts,
    )
    page.said = []
    page.asked = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto((GOLDEN / name).as_uri())
    return page


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_accessible_and_keeps_to_itself(browser, name, scheme):
    for width in (320, 768, 1280):
        page = opened(browser, name, width=width, scheme=scheme)
        page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        assert page.said == []
        assert page.asked == [(GOLDEN / name).as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()
    page = opened(browser, name, scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
    assert violations(page) == []
    page.close()


def test_keys_walk_the_changes_and_search_them(browser):
    page = opened(browser, "report.html")
    page.keyboard.press("n")
    assert page.evaluate("document.activeElement.id") == "new-100.2a"
    page.keyboard.press("n")
    assert page.evaluate("document.activeElement.id") == "old-200.4"
    page.keyboard.press("p")
    assert page.evaluate("document.activeElement.id") == "new-100.2a"
    page.keyboard.press("/")
    page.keyboard.type("mana burns")
    assert page.locator("article:visible").count() == 1
    page.close()


def test_a_search_finds_words_of_the_rules_not_of_the_page(browser):
    page = opened(browser, "report.html")
    for wanted in ("copy link", "end added", "zzz"):
        page.locator("#search").fill(wanted)
        assert page.locator("article:visible").count() == 0
        assert page.locator("main h2:visible").count() == 0, "a heading with nothing under it"
    page.locator("#search").fill("new words")
    assert page.locator("article:visible").count() == 1
    page.locator("#search").fill("creature type")
    assert page.locator("details.g[open]").count() == 1
    page.locator("#search").fill("")
    assert page.locator("details.g[open]").count() == 0
    assert page.locator("#status").inner_text() == ""
    page.close()


def test_a_filter_leaves_no_heading_without_a_change(browser):
    page = opened(browser, "report.html")
    for section in page.evaluate("[...document.querySelectorAll('#section option')].map(option => option.value)"):
        page.locator("#section").select_option(section)
        page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        empty = page.evaluate(
            "[...document.querySelectorAll('main > section')].filter(group => group.checkVisibility() &&"
            " ![...group.querySelectorAll('article, tr, dl > div, p')].some(line => line.checkVisibility()))"
            ".map(group => group.textContent)"
        )
        assert empty == [], section
    page.close()


def test_filters_work_without_scripts(browser):
    page = opened(browser, "report.html", scripts=False)
    page.locator("#k-removed").uncheck()
    assert not page.locator("#old-200\\.4").is_visible()
    page.locator("#k-removed").check()
    page.locator("#section").select_option("7")
    assert not page.locator("#new-100\\.2").is_visible()
    assert page.locator("#new-702\\.6").is_visible()
    page.close()


def test_the_text_before_and_after_can_be_read_without_scripts(browser):
    page = opened(browser, "report.html", scripts=False)
    words = page.locator("#new-702\\.6 p").first
    page.locator("#t-old").check()
    assert words.inner_text().strip() == "Old words."
    assert not page.locator("#new-100\\.2a").is_visible()
    page.locator("#t-new").check()
    assert words.inner_text().strip() == "New words."
    assert not page.locator("#old-200\\.4").is_visible()
    page.close()


def test_every_control_is_reached_by_the_tab_key(browser):
    page = opened(browser, "report.html")
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        at = page.evaluate("(e => e.id || e.tagName + ' ' + e.textContent.trim().slice(0, 20))(document.activeElement)")
        if at in reached and at.startswith("BODY"):
            break
        reached.add(at)
    for wanted in ("k-added", "k-typography", "section", "t-both", "search", "side", "keys"):
        assert wanted in reached
    for wanted in page.evaluate(
        "[...document.querySelectorAll('summary')].map(e => e.textContent.trim().slice(0, 20))"
    ):
        assert f"SUMMARY {wanted}" in reached
    assert any(at.startswith("BUTTON copy link") for at in reached)
    page.close()


def test_an_address_with_an_old_or_new_number_opens_its_place(browser):
    for anchor in ("old-702.7", "new-702.9", "new-704.1", "new-glossary-aura", "old-701.5"):
        page = browser.new_page()
        page.goto((GOLDEN / "report.html").as_uri() + f"#{anchor}")
        assert page.evaluate("id => !document.getElementById(id).closest('details:not([open])')", anchor)
        page.close()


def test_copying_a_link_gives_the_address_of_the_rule(browser):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto((GOLDEN / "report.html").as_uri())
    page.locator("#new-702\\.6 .copy").click()
    page.wait_for_function("document.querySelector('#new-702\\\\.6 .copy').textContent !== 'copy link'")
    where = page.evaluate("navigator.clipboard.readText().catch(() => location.href)")
    assert where.endswith("report.html#new-702.6")
    context.close()


def test_print_leaves_the_controls_out_and_shows_what_is_folded(browser):
    page = opened(browser, "report.html", bypass_csp=True)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.locator(".filters").is_visible()
    assert page.locator("#new-704\\.1").is_visible()
    assert page.locator("#renumbered table").is_visible()
    assert violations(page) == []
    page.close()


def test_side_by_side_shows_each_text_whole(browser):
    page = opened(browser, "report.html")
    page.locator("#side").check()
    columns = page.locator("#new-702\\.6 .two > div")
    assert "Old words." in columns.nth(0).inner_text()
    assert "New words." in columns.nth(1).inner_text()
    page.close()


def heard(page):
    """The texts in the order in which a screen reader is given them."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    known = {node["nodeId"]: node for node in nodes}

    def below(node):
        if node.get("role", {}).get("value") == "StaticText":
            yield node["name"]["value"].strip()
            return
        for child in node.get("childIds", ()):
            if child in known:
                yield from below(known[child])

    return list(below(nodes[0]))


def test_a_screen_reader_hears_what_came_and_went_but_not_twice(browser):
    page = opened(browser, "report.html")
    words = heard(page)
    at = words.index("twice")
    assert words[at - 1 : at + 2] == ["added", "twice", "end added"]
    at = next(place for place, said in enumerate(words) if said.startswith("Mana burns"))
    assert (words[at - 1], words[at + 1]) != ("removed", "end removed")
    page.close()


def test_the_slider_reads_a_rule_as_of_a_release(browser):
    page = opened(browser, "rule.html")
    assert page.locator("#asof-text").inner_text() == "It enters."
    page.locator("#asof").press("ArrowLeft")
    assert page.locator("#asof-text").inner_text() == "It comes."
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_a_report_is_laid_out_as_when_it_was_looked_at(browser, width, scheme):
    page = opened(browser, "report.html", width=width, scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
    assert_laid_out_as_looked_at(page, "report", width, scheme)
    page.close()
