"""What rules say on a switch: a value with the words that decided, silence, or the reason why they cannot be read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rulehist.engine.clauses import FILE as COPYING_FILE
from rulehist.engine.clauses import UnreadClause, read_clauses
from rulehist.engine.known_words import FILE as KNOWN_WORDS_FILE
from rulehist.engine.known_words import unknown
from rulehist.engine.layers import FILE as LAYERS_FILE
from rulehist.engine.layers import UnreadLayer, read_layers
from rulehist.engine.rules import RuleText
from rulehist.engine.said import CopyingClauses, Reading, Refusal, SwitchValue
from rulehist.engine.subtype_lists import listed_subtypes
from rulehist.engine.switches import Switch, switch_called
from rulehist.engine.wording import conditions_beside, has_any, limit_beside, published, sentence_with
from rulehist.thresholds import SENTENCES_REMEMBERED


def texts_of(switch: Switch, named: Mapping[str, RuleText | None]) -> tuple[RuleText, ...]:
    """The rules of a switch that are in force, each once, in the order of its addresses."""
    texts = (named.get(address) for address in switch.rules)
    return tuple({text.rule: text for text in texts if text is not None}.values())


class _Verdict(NamedTuple):
    """What texts say on a switch. ``place``: which of them decided; ``None``: none has words on it."""

    value: SwitchValue = None
    place: int | None = None
    quote: str = ""
    unread: bool = False


def read_switch(switch: Switch, texts: Sequence[RuleText], version: str) -> Reading | Refusal:
    """What ``texts``, the rules of a switch in one version, say on it."""
    verdict = _verdict(switch.name, tuple(text.text for text in texts))
    if verdict.place is None:
        return Reading(switch.name, None, "", "", version, "")
    text = texts[verdict.place]
    if verdict.unread:
        reason = f'{switch.name}: rule {text.number} of {version} says "{verdict.quote}", which {_reads(switch)} reads'
        return Refusal(reason, text, verdict.quote)
    return Reading(switch.name, verdict.value, text.rule, text.number, version, verdict.quote, text)


def reviewed(read: Reading | Refusal, switch: Switch) -> Reading | Refusal:
    """``read``, or a refusal where its sentence is none that somebody has looked at."""
    if isinstance(read, Refusal) or read.text is None or switch.list_of:
        return read
    new = unknown(switch.name, read.quote)
    if new is None:
        return read
    what = f"with the new words {', '.join(new)}" if new else "with known words in a new order"
    reason = (
        f'{switch.name}: rule {read.number} of {read.version} says "{read.quote}", {what}; where it means what it '
        f"meant, write data/{KNOWN_WORDS_FILE} anew with: rulehist semantics --known-words"
    )
    return Refusal(reason, read.text, read.quote)


def _reads(switch: Switch) -> str:
    if switch.list_of == "layers":
        return f"no line of data/{LAYERS_FILE}"
    if switch.list_of == "subtypes":
        return "no list of subtypes that is known"
    if switch.list_of:
        return f"no entry of data/{COPYING_FILE}"
    return f"no wording in data/{switch.file}"


def fallen_silent(before: Reading) -> Refusal:
    """The refusal where the rules once said something and now have no words on it: they may say it in new ones."""
    reason = (
        f'{before.switch}: the rules of {before.version} no longer say "{before.quote}", and '
        f"{_reads(switch_called(before.switch))} reads what they say instead"
    )
    return Refusal(reason, before.text, before.quote)


@lru_cache(maxsize=SENTENCES_REMEMBERED)
def _verdict(name: str, texts: tuple[str, ...]) -> _Verdict:
    """The same texts say the same in every version, so this is worked out once."""
    switch = switch_called(name)
    if switch.list_of == "layers":
        return _read_layers(texts)
    if switch.list_of == "subtypes":
        return _read_subtypes(switch, texts)
    if switch.list_of:
        return _read_list(switch, texts[0]) if texts else _Verdict()
    return _read_wordings(switch, texts) or _unread_in(switch, texts) or _Verdict()


def _read_wordings(switch: Switch, texts: Sequence[str]) -> _Verdict | None:
    for wording in switch.wordings:
        for place, text in enumerate(texts):
            sentence = sentence_with(text, wording.stretches)
            if sentence is None:
                continue
            limit = limit_beside(text, sentence)
            if limit is not None:
                return _Verdict(None, place, published(limit, text), unread=True)
            unread = bool(conditions_beside(sentence, wording.stretches) - switch.conditions)
            return _Verdict(wording.value, place, published(sentence, text), unread)
    return None


def _unread_in(switch: Switch, texts: Sequence[str]) -> _Verdict | None:
    """The first sentence that speaks of the switch, in words that none of its wordings reads."""
    for place, text in enumerate(texts):
        sentence = has_any(text, switch.about) if switch.about else text
        if sentence is not None:
            return _Verdict(None, place, published(sentence, text), unread=True)
    return None


def _read_layers(texts: Sequence[str]) -> _Verdict:
    try:
        layers = read_layers(texts)
    except UnreadLayer as unread:
        return _Verdict(None, unread.place, published(unread.words, texts[unread.place]), unread=True)
    if not layers:
        return _Verdict()
    first = next(iter(layers.values()))
    return _Verdict(tuple(layers), first, _in_one_line(texts[first]))


def _read_subtypes(switch: Switch, texts: Sequence[str]) -> _Verdict:
    kinds = switch.name.replace("-", " ")
    found, place = listed_subtypes(kinds, texts)
    if place is None:
        return _Verdict(None, 0, _in_one_line(texts[0]), unread=True) if texts else _Verdict()
    beginning = re.search(rf"[^.]*{re.escape(found[0])}", _in_one_line(texts[place]))
    return _Verdict(found, place, beginning[0].strip() if beginning else kinds)


def _read_list(switch: Switch, text: str) -> _Verdict:
    clauses = read_copying(RuleText("", "", "", text))  # under whatever number, its clauses are the same
    if isinstance(clauses, Refusal):
        return _Verdict(None, 0, clauses.quote, unread=True)
    listed = {
        "characteristics": clauses.characteristics,
        "choices": clauses.choices,
        "modifiers": clauses.modifiers,
        "not copied": clauses.not_copied,
        "basis": {clauses.basis: clauses.basis_clause},
    }[switch.list_of]
    if switch.item in listed:
        return _Verdict(switch.listed, 0, clauses.quote(listed[switch.item]))
    if switch.item:
        return _Verdict(switch.otherwise, 0, _in_one_line(text)) if switch.otherwise else _Verdict()
    if not listed:
        return _Verdict()
    said = {sentence_with(text, (clause,)) for clause in listed.values()}
    sentence = said.pop() if len(said) == 1 else None
    return _Verdict(tuple(sorted(listed)), 0, published(sentence, text) if sentence else _in_one_line(text))


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=SENTENCES_REMEMBERED)
def read_copying(rule: RuleText) -> CopyingClauses | Refusal:
    """The rule on copiable values, or why it cannot be read."""
    try:
        return read_clauses(rule)
    except UnreadClause as unread:
        return Refusal(str(unread), rule, unread.clause)
