"""When a phrase entered and left the rules, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulehist.phrase_events import PhraseEvent, PhraseHistory


def phrase_json(told: PhraseHistory, *, first: bool, last: bool) -> dict[str, Any]:
    """``{words, first, last, still}``, of the two events those that were asked for.

    An event is ``{effective, release, code, rule, number, kind, text, others}``, ``text`` being the first or the last
    one with the words, ``others`` the count of further rules on that day. ``still`` counts the rules that have them.
    """
    shape: dict[str, Any] = {"words": told.words}
    if first:
        shape["first"] = _event_json(told.first, told.others_first)
        shape["from_the_first_text"] = told.from_the_first
    if last:
        shape["last"] = _event_json(told.last, told.others_last)
    return shape | {"still": told.still}


def _event_json(event: PhraseEvent | None, others: int) -> dict[str, Any] | None:
    if event is None:
        return None
    version, found = event.version, event.found
    return {
        "effective": version.effective if version else None,
        "release": version.release if version else None,
        "code": version.code if version else None,
        "rule": found.rule,
        "number": found.number,
        "kind": found.kind,
        "text": found.text,
        "others": others,
    }


def phrase_text(told: PhraseHistory, *, first: bool, last: bool) -> str:
    """A sentence for each event that was asked for."""
    if told.first is None:
        return f"no rule has the words {told.words!r} at any time"
    return "\n".join(_lines(told, told.first, first=first, last=last))


def _lines(told: PhraseHistory, entered: PhraseEvent, *, first: bool, last: bool) -> Iterator[str]:
    if first:
        yield f"first: {_when(entered)}, in {_where(entered, told.others_first)}"
        if told.from_the_first:
            yield "  That is the oldest text in the store: the words may be older."
    if last and told.last is not None:
        yield f"gone:  {_when(told.last)}; the last to have them: {_where(told.last, told.others_last)}"
    elif last:
        yield f"still in the rules: {told.still} {'have' if told.still != 1 else 'has'} them"


def _when(event: PhraseEvent) -> str:
    return event.version.label if event.version is not None else "on an unknown date"


def _where(event: PhraseEvent, others: int) -> str:
    more = f" and {others} other{'s' if others != 1 else ''}" if others else ""
    return f"{event.found.number} ({event.found.kind}, {event.found.rule}){more}"
