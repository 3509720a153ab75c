"""The page of a rule in the site: its timeline, its length through time, its words by age."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from rulehist.cross_references import NewestReferences
from rulehist.pages import SiteFrame
from rulehist.rule_blame import newest_runs
from rulehist.rule_log import log_of_rule
from rulehist.rule_page import MovedAnswer, rule_page_html
from rulehist.rule_report import references, shown_runs, timeline
from rulehist.site.plan import PlannedRule


def rule_html(
    connection: sqlite3.Connection,
    planned: PlannedRule,
    site: SiteFrame,
    cited: NewestReferences,
    *,
    address: Callable[[str], str],
    moved: Sequence[MovedAnswer],
    today: str,
    section: str,
) -> str:
    """The page of one rule; of one in force with what it cites and what cites it.

    ``address`` gives the address of a rule's page by its identity, empty where it has none; ``moved`` are the
    scenarios whose answer it moved; ``today`` is the ISO date of the newest text, from which ages count; ``section``
    is the title of the section that the rule is in.
    """
    history = log_of_rule(connection, planned.id, planned.number, section=planned.kind == "section")
    # a section's own words are only its title
    runs = [] if history.section else shown_runs(newest_runs(connection, planned.id))
    linked = None if planned.until else references(cited.of(planned.rule, planned.number), address)
    return rule_page_html(
        planned.number,
        timeline(history),
        runs,
        as_of=planned.until or today,
        section=section,
        maybe_older=history.from_the_first,
        references=linked,
        moved=moved,
        site=site,
    )
