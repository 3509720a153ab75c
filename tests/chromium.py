"""A real Chromium for the tests of pages: Debian's ``chromium``, driven through the extra ``browser``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the extra 'browser' is not installed")

CHROMIUM = Path("/usr/bin/chromium")
GOLDEN = Path(__file__).parent / "golden"
SCREENS = GOLDEN / "screens"

needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason="there is no /usr/bin/chromium")


def violations(page) -> list:
    """What axe finds fault with."""
    return axe.Axe().run(page).response["violations"]


def assert_fit_for_everybody(browser, address: str, base: str, scheme: str) -> None:
    """No word on the console, nothing asked of others than ``base``, nothing sideways, no fault found by axe."""
    for width in (320, 768, 1280):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=width == 1280)
        said, asked = [], []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })")
        assert said == []
        assert [url for url in asked if not url.startswith(base)] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        if width == 1280:
            assert violations(page) == []
        page.close()


def assert_laid_out_as_looked_at(page, name: str, width: int, scheme: str) -> None:
    """The pictures are for the eye (fonts differ from machine to machine); what is compared is the page's size."""
    kept = SCREENS / f"{name}-{width}-{scheme}.jpg"
    if os.environ.get("RULEHIST_GOLDEN") == "refresh":
        SCREENS.mkdir(exist_ok=True)
        page.screenshot(full_page=True, path=kept, type="jpeg", quality=40)
    high = page.evaluate("document.documentElement.scrollHeight")
    page.goto(kept.as_uri())
    kept_wide, kept_high = page.evaluate("(image => [image.naturalWidth, image.naturalHeight])(document.images[0])")
    assert kept_wide == width
    assert abs(high - kept_high) <= kept_high * 0.15
