"""The lists of the site: releases, the rules of today, the glossary, and what became of each number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten

from rulehist import pages
from rulehist.releases import known_releases
from rulehist.site.addresses import diff_path, root_from, rule_path
from rulehist.site.plan import Held, Plan, PlannedRule
from rulehist.thresholds import OPENING_CHARACTERS


@dataclass(frozen=True, slots=True)
class ReleaseLine:
    """A release: with its text and its changes, or a gap where no text of it is in the store."""

    effective: str
    code: str
    release: str
    rules: int = 0
    path: str = ""
    changes: str = ""


def release_lines(planned: Plan) -> list[ReleaseLine]:
    """Every version and every known release without a text, newest first; undated versions are the newest."""
    changes = {new.name: diff_path(old.name, new.name) for old, new in planned.pairs}
    lines = [
        ReleaseLine(
            each.version.effective or "", each.version.code, each.version.release or each.version.label,
            each.rules, each.path, changes.get(each.name, ""),
        )
        for each in planned.versions
    ]  # fmt: skip
    there = {line.effective for line in lines}
    first = min((day for day in there if day), default="")
    lines += [
        ReleaseLine(release.effective, release.code, release.name)
        for release in known_releases()
        if release.effective not in there and release.effective > first
    ]
    return sorted(lines, key=lambda line: (line.effective or "~", line.path), reverse=True)


def releases_html(planned: Plan, site: pages.SiteFrame) -> str:
    """The page of all releases."""
    return pages.render("releases.html.jinja", site=site, lines=release_lines(planned))


def opening(text: str) -> str:
    """How a text begins, about a line of it."""
    return shorten(text, OPENING_CHARACTERS, placeholder=" …")


def rules_html(planned: Plan, site: pages.SiteFrame, *, glossary: bool) -> str:
    """The rules in force, or the glossary, each with its page; and what is gone, folded."""
    listed = [each for each in planned.rules.values() if (each.kind == "glossary") is glossary]
    return pages.render(
        "rules.html.jinja",
        site=site,
        heading="Glossary" if glossary else "Rules",
        now=[each for each in listed if each.until is None],
        gone=[each for each in listed if each.until is not None],
        glossary=glossary,
        opening=opening,
    )


def number_html(number: str, holders: Sequence[Held], rules: Mapping[str, PlannedRule], site: pages.SiteFrame) -> str:
    """What became of a number: it leads on where it was ever only one rule's, else it lists whose it was.

    A holder that is not among ``rules`` has no page.
    """
    root = root_from(site.path)
    only = len({each.rule for each in holders}) == 1
    return pages.render(
        "number.html.jinja",
        site=site,
        number=number,
        holders=[(each, root + rule_path(each.rule), rules.get(each.rule)) for each in holders],
        onward=root + rule_path(holders[0].rule) if only else "",
        opening=opening,
    )
