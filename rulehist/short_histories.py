"""How each rule of a change report came to be, in a line: its numbers, and the releases that changed its words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rulehist.changes import Change
from rulehist.dated_versions import IN_FORCE, Version
from rulehist.releases import release_on


class Step(NamedTuple):
    """A release that gave a rule its number or other words: the ISO date, and the set code, or empty."""

    number: str
    effective: str
    code: str


class ShortHistory(NamedTuple):
    """The steps of a rule up to a version, oldest first, and what became of it since.

    ``rule`` is its identity. ``now`` is its number in the newest text, empty where it is in none; ``until`` is then
    the step that ended it.
    """

    rule: str
    steps: tuple[Step, ...]
    now: str
    until: Step | None

    @property
    def words(self) -> str:
        """``503.2: 2001 ODY, 2003 8ED MRD; 706.2: 2009 M10. Now 707.2.``; empty where there is nothing to tell."""
        told = "; ".join(f"{number}: {', '.join(years)}" for number, years in self._numbers())
        after = ""
        if self.until is not None:
            after = f" Gone since {_when(self.until)}."
        elif self.now and self.now != self.steps[-1].number:
            after = f" Now {self.now}."
        return f"{told}.{after}" if after or len(self.steps) > 1 else ""

    def _numbers(self) -> Iterator[tuple[str, list[str]]]:
        """Each number in turn, with its releases year by year."""
        at = 0
        while at < len(self.steps):
            number = self.steps[at].number
            years: dict[str, dict[str, None]] = {}
            while at < len(self.steps) and self.steps[at].number == number:
                codes = years.setdefault(self.steps[at].effective[:4], {})
                codes[self.steps[at].code] = None
                at += 1
            yield number, [" ".join(filter(None, (year, *codes))) for year, codes in years.items()]


class RuleKey(NamedTuple):
    """A rule or glossary entry by its number or term in the old text or the new one."""

    new: bool
    glossary: bool
    number: str


def key_of(part: str, old_number: str, new_number: str) -> RuleKey:
    """How the rule of a change is found among the histories; an example is looked for by the number of its rule."""
    return RuleKey(bool(new_number), part == "glossary", new_number or old_number)


def short_histories(
    connection: sqlite3.Connection, old: Version, new: Version, changes: Iterable[Change]
) -> dict[RuleKey, ShortHistory]:
    """The history of every rule that changed between two versions; none where one of them has no date."""
    if not old.effective or not new.effective:
        return {}
    keys = {
        key_of(change.part, change.old.number if change.old else "", change.new.number if change.new else "")
        for change in changes
    }
    rule_of: dict[RuleKey, int] = {}
    for is_new, day in ((False, old.effective), (True, new.effective)):
        rule_of |= _in_force(connection, [key for key in keys if key.new is is_new], is_new, day)
    told = _histories(connection, set(rule_of.values()), new.effective)
    return {key: told[rule] for key, rule in rule_of.items() if rule in told}


def _in_force(connection: sqlite3.Connection, keys: Sequence[RuleKey], is_new: bool, day: str) -> Mapping[RuleKey, int]:
    rows = connection.execute(
        f"SELECT number, kind = 'glossary', rule_id FROM spans WHERE {IN_FORCE}"
        " AND kind IN ('section', 'rule', 'subrule', 'glossary') AND number IN (SELECT value FROM json_each(:numbers))"
        " ORDER BY place DESC",
        {"day": day, "numbers": json.dumps([key.number for key in keys])},
    )
    wanted = set(keys)
    found = ((RuleKey(is_new, bool(glossary), number), rule) for number, glossary, rule in rows)
    return {key: rule for key, rule in found if key in wanted}


def _histories(connection: sqlite3.Connection, rules: Iterable[int], until: str) -> dict[int, ShortHistory]:
    rows = connection.execute(
        "SELECT spans.rule_id, rules.name, spans.number, texts.folded, spans.valid_from, spans.valid_until FROM spans"
        " JOIN rules ON rules.id = spans.rule_id JOIN texts ON texts.id = spans.text_id"
        " WHERE spans.rule_id IN (SELECT value FROM json_each(?)) AND spans.valid_from IS NOT NULL"
        " ORDER BY spans.rule_id, spans.valid_from, spans.place",
        [json.dumps(sorted(rules))],
    )
    steps: dict[int, list[Step]] = {}
    names: dict[int, str] = {}
    last: dict[int, tuple[str, str, str | None]] = {}
    for rule, name, number, words, since, ended in rows:
        names[rule] = name
        before = last.get(rule)
        if since <= until and (before is None or before[:2] != (number, words)):
            steps.setdefault(rule, []).append(_step(number, since))
        last[rule] = number, words, ended
    return {
        rule: ShortHistory(names[rule], tuple(made), *_since_then(*last[rule][::2], until))
        for rule, made in steps.items()
    }


def _since_then(number: str, ended: str | None, until: str) -> tuple[str, Step | None]:
    """What the newest span says: the number now, or where it ended after ``until`` the step that ended the rule."""
    if ended is None:
        return number, None
    return "", _step(number, ended) if ended > until else None


def _step(number: str, effective: str) -> Step:
    release = release_on(effective)
    return Step(number, effective, release.code if release else "")


def _when(step: Step) -> str:
    return " ".join(filter(None, (step.effective[:4], step.code)))
