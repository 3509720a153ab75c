"""When a phrase entered the rules and when it left them: what ``search --first`` and ``--last`` answer."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from rulehist.dated_versions import Version
from rulehist.rule_spans import version_on
from rulehist.text_search import Found, search
from rulehist.when import When


@dataclass(frozen=True, slots=True)
class PhraseEvent:
    """A phrase entered the rules with ``version``, in the rule ``found``, or left them with it, out of that rule.

    ``version`` is ``None`` where the day is not known.
    """

    found: Found
    version: Version | None


@dataclass(frozen=True, slots=True)
class PhraseHistory:
    """A phrase through time. ``first`` and ``last`` are ``None`` for a phrase that no rule ever had.

    ``still`` counts the rules that have it; while some do, ``last`` is ``None`` too. ``others_first`` and
    ``others_last`` count the further rules on the same day. ``from_the_first`` says that it stands in the oldest text
    there is, so that it may be older than that.
    """

    words: str
    first: PhraseEvent | None
    last: PhraseEvent | None
    still: int
    others_first: int
    others_last: int
    from_the_first: bool


def phrase_history(connection: sqlite3.Connection, words: str) -> PhraseHistory:
    """When a phrase (see ``phrases``) entered and left the rules. Raises ``QueryError`` for words without a letter."""
    found = search(connection, words, None)
    if not found:
        return PhraseHistory(words, None, None, 0, 0, 0, from_the_first=False)
    oldest = connection.execute("SELECT min(effective) FROM versions").fetchone()[0]
    since = min((one.since for one in found if one.since is not None), default=None)
    then = found if since is None else search(connection, words, When(since, since))
    came = [one for one in then if one.since == since]
    first = PhraseEvent(came[0], version_on(connection, since) if since else None)
    still = sum(one.until is None and one.until_known for one in found)
    last, left = None, []
    if not still:
        unknown = [one for one in found if not one.until_known]
        until = max((one.until for one in found if one.until is not None), default=None)
        left = unknown or [one for one in found if one.until == until]
        last = PhraseEvent(left[0], version_on(connection, until) if until and not unknown else None)
    return PhraseHistory(
        words,
        first,
        last,
        still,
        len(came) - 1,
        max(len(left) - 1, 0),
        from_the_first=since is not None and since == oldest,
    )
