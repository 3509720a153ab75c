"""Where each page of the site is: paths from its top, the same for the same store, so that links last."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import urlsplit

from rulehist import numbers
from rulehist.errors import QueryError
from rulehist.thresholds import PAGE_NAME_LONGEST

_PLAIN = re.compile(r"[a-z0-9.@-]+")
_URL = re.compile(r"[!#-;=?-\[\]_a-z~]+")
_NOT_PLAIN = re.compile(r"[^a-z0-9.@]+")


def slug(name: str) -> str:
    """A file name that is safe everywhere: ``707.2``, ``el-hajjaj``; names that lose letters end in a short hash."""
    if _PLAIN.fullmatch(name) and not name.startswith((".", "-")) and len(name) <= PAGE_NAME_LONGEST:
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    made = _NOT_PLAIN.sub("-", plain).strip("-.") or "entry"
    return f"{made[:60]}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def site_address(url: str) -> str:
    """Where a site will be, without a slash at the end; empty stays empty. Raises ``QueryError`` for anything else."""
    if url and not (_URL.fullmatch(url) and _is_whole(url)):
        raise QueryError(f"{url}: is no address of a site; give it whole, like https://example.org/rules")
    return url.rstrip("/")


def _is_whole(url: str) -> bool:
    try:
        read = urlsplit(url)
        port = read.port
    except ValueError:  # an open bracket, a port that there is not
        return False
    return bool(read.scheme in {"http", "https"} and read.hostname and port != 0 and not (read.query or read.fragment))


def rule_path(rule: str) -> str:
    """The page of a rule, by its identity (``503.2@2001-07-23``)."""
    return f"rule/{slug(rule)}.html"


def number_path(number: str) -> str:
    """The page that says which rules had a number."""
    return f"number/{slug(number)}.html"


def version_path(name: str) -> str:
    """The page with the text of a version; ``name`` is its date, or ``undated``."""
    return f"version/{name}.html"


def diff_path(old: str, new: str) -> str:
    """The page with the changes between two versions, each named as in ``version_path``."""
    return f"diff/{old}..{new}.html"


def scenario_path(name: str) -> str:
    """The page with the answers to a scenario through time; ``name`` is that of its file."""
    return f"scenario/{slug(name)}.html"


def anchor(number: str) -> str:
    """The anchor of a rule in a version's page: its number, or ``term-`` and its slug for a glossary entry."""
    return number if numbers.parse(number) else f"term-{slug(number)}"


def root_from(path: str) -> str:
    """What leads from the page at ``path`` to the top of the site: ``../`` or nothing."""
    return "../" * path.count("/")


def unique(names: Iterable[str]) -> dict[str, str]:
    """Each distinct name with its slug. Raises ``ValueError`` where two would share a file."""
    made: dict[str, str] = {}
    for name in names:
        made.setdefault(name, slug(name))
    if len(set(made.values())) != len(made):
        taken: dict[str, str] = {}
        for name, short in made.items():
            other = taken.setdefault(short, name)
            if other != name:
                raise ValueError(f"{name!r} and {other!r} would both be the page {short}")
    return made
