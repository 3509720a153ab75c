"""One self-contained page out of a template: styles and script inlined, and nothing that leaves the page.

The Content-Security-Policy names the inlined style and script by their SHA-256 (CSP Level 3, ``'sha256-...'``
sources) and allows nothing else, so that a rules text can never run or fetch anything, whatever it contains.
Importing this module costs Jinja2's import; the read path imports it only where it writes a page.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rulehist.errors import DataError
from rulehist.resources import templates_folder
from rulehist.visible import SIGN, visible
from rulehist.worddiff import Op

FAN_CONTENT_NOTICE = (
    "Unofficial Fan Content permitted under the Fan Content Policy. Not approved/endorsed by Wizards. "
    "Portions of the materials used are property of Wizards of the Coast. ©Wizards of the Coast LLC."
)
"""What Wizards of the Coast's Fan Content Policy asks pages like these to say."""


_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


@cache
def _source(name: str) -> str:
    path = templates_folder() / name
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); restore the file from the release") from error


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def changed(ops: Iterable[Op]) -> Markup:
    """The words of a change. What colour and lines say to the eye, the style sheet says to a screen reader in words.

    It leaves them out where the whole text came or went, of which the heading tells already.
    """
    return Markup("".join(f"{_OPENING[op]}{_html(text)}{_CLOSING[op]}" for op, text in ops))  # noqa: S704 escaped


_OPENING = {"equal": "", "delete": "<del>", "insert": "<ins>"}
_CLOSING = {"equal": "", "delete": "</del>", "insert": "</ins>"}


def words(text: str) -> Markup:
    """``text`` as published, as HTML between tags: escaped, its own line breaks as blanks, paragraphs kept apart.

    Quotation marks stay as they are (there are thousands in a page), so this is nothing for an attribute.
    Control characters, and those that would reorder the text around them, show as ``U+202E`` and the like.
    """
    return Markup(_html(text))  # noqa: S704 escaped


def _html(text: str) -> str:
    html = escape(text, quote=False)
    if "\n" in html:
        html = html.replace("\n\n", "<br><br>").replace("\n", " ")
    if not html.isprintable():
        html = SIGN.sub(lambda sign: f'<bdi class="u">U+{ord(sign[0]):04X}</bdi>', html)
    return html


def days(text: str) -> Markup:
    """``text`` as HTML whose ISO dates no line break tears apart."""
    return Markup(_DAY.sub(r"<time>\g<0></time>", _html(text)))  # noqa: S704 escaped


def attribute(value: str) -> Markup:
    """``value`` as the value of an attribute, in quotation marks only where it needs them (HTML, section 13.1.2.3)."""
    return Markup(value) if _UNQUOTED.fullmatch(value) else Markup(f'"{escape(value)}"')  # noqa: S704 escaped


_UNQUOTED = re.compile(r"[\w.:/@#%~+-]*[\w.:@#%~+-]", re.ASCII)


def segment(text: str) -> str:
    """``text`` as one segment of an address' path (RFC 3986, section 3.3): a slash in it does not part it."""
    return quote(text, safe="")


def grouped(number: int) -> str:
    """A count with its thousands apart: ``12,345``."""
    return f"{number:,}"


@cache
def _inline_policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )


def _shown(value: Any) -> Any:
    """What a template puts into a page: text that is no HTML yet hides no sign and reorders nothing around it."""
    return visible(value) if type(value) is str else value


@cache
def environment() -> Environment:
    """The Jinja2 environment of all pages: autoescape on, an unknown name is an error, no sign is hidden."""
    made = Environment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_shown,
    )
    made.filters["words"] = words
    made.filters["days"] = days
    made.filters["changed"] = changed
    made.filters["grouped"] = grouped
    made.filters["segment"] = segment
    made.filters["attribute"] = attribute
    return made


SITE_LINKS = (
    ("Overview", "index.html"),
    ("Releases", "releases.html"),
    ("Rules", "rules.html"),
    ("Glossary", "glossary.html"),
    ("Scenarios", "scenarios.html"),
    ("Search", "search.html"),
)
"""What leads on from every page of the static site: names and paths from its top."""


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """What makes a page one of a site: its style and script are files beside it, and it has the site's links.

    ``path`` is its path from the top of the site, ``root`` leads from it to the top (``../``), ``base_url`` is where
    the site will be, or empty, ``description`` a sentence for previews. ``links`` are the names and paths that lead on
    from every page; ``forms`` says whether its forms may be sent, which only a server can answer; ``json`` is the path
    of the same answer as JSON, where there is one.
    """

    path: str
    root: str
    base_url: str = ""
    description: str = ""
    links: tuple[tuple[str, str], ...] = SITE_LINKS
    forms: bool = False
    json: str = ""

    @property
    def url(self) -> str:
        """The page's whole address, or empty where the site's is not known."""
        return f"{self.base_url}/{self.path}" if self.base_url else ""


STYLES = ("page.css",)
"""The style sheets of a page that stands alone; a site's pages have all of them."""


def _site_policy(*, forms: bool) -> str:
    """A server's pages may send forms to it and ask it for the rest of a long page."""
    answers = "form-action 'self'; connect-src 'self'" if forms else "form-action 'none'"
    own = "style-src 'self'; script-src 'self'; img-src 'self'"
    return f"default-src 'none'; {own}; base-uri 'none'; {answers}"


def asset(name: str) -> str:
    """The text of a style sheet or script. Raises ``DataError`` where the file is missing."""
    return _source(name) + "\n"


def render(template: str, *, site: SiteFrame | None = None, styles: Sequence[str] = STYLES, **values: Any) -> str:
    """Render a page: the same bytes for the same values. Raises ``DataError`` where its file is missing."""
    style, script = "\n".join(map(_source, styles)), _source("page.js")
    policy = _site_policy(forms=site.forms) if site else _inline_policy(style, script)
    html = (
        environment()
        .get_template(template)
        .render(
            style=Markup(style),  # noqa: S704 our own file
            script=Markup(script),  # noqa: S704 our own file
            policy=policy,
            site=site,
            notice=FAN_CONTENT_NOTICE,
            **values,
        )
    )
    return html.rstrip("\n") + "\n"
