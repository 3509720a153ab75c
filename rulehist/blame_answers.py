"""The origin of each word of a rule as text for people, as JSON for programs, and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rulehist.answers import version_json
from rulehist.rule_blame import Blame
from rulehist.thresholds import TEXT_COLUMNS

if TYPE_CHECKING:
    from rulehist.pages import SiteFrame


def blame_json(told: Blame) -> dict[str, Any]:
    """``{rule, number, version, runs: [{words, effective, release}]}``; the runs joined are the text."""
    return {
        "rule": told.rule,
        "number": told.number,
        "version": version_json(told.version),
        "runs": [
            {"words": run.words, "effective": run.version.effective, "release": run.version.release}
            for run in told.runs
        ],
    }


def blame_text(told: Blame, width: int = TEXT_COLUMNS) -> str:
    """Each run of words behind the date and set code of the release in which it arrived."""
    return "\n".join([f"{told.number} as of {told.version.label}", "", *_lines(told, width)])


def _lines(told: Blame, width: int) -> Iterator[str]:
    for run in told.runs:
        lead = f"{run.version.effective or 'unknown':<10} {run.version.code:<5}  "
        for line in wrap(run.words, width - len(lead), break_on_hyphens=False) or [""]:
            yield lead + line
            lead = " " * len(lead)


def blame_page(told: Blame, site: SiteFrame | None = None) -> str:
    """The heat map by age: one self-contained page, or with ``site`` a page of a site."""
    from rulehist.rule_page import blame_html
    from rulehist.rule_report import shown_runs

    return blame_html(
        told.number, told.version.label, shown_runs(told.runs), as_of=told.version.effective or "", site=site
    )
