"""What the rules of a version say, read from their text: on a switch, on copying, on face-down objects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rulehist.engine.clauses import vocabulary
from rulehist.engine.layers import names_layers
from rulehist.engine.readings import fallen_silent, read_copying, read_switch, reviewed, texts_of
from rulehist.engine.rules import RulesAt, RuleText
from rulehist.engine.said import CopyingClauses, Reading, Refusal
from rulehist.engine.subtype_lists import listed_subtypes
from rulehist.engine.switches import Switch, addresses, names, switch_called
from rulehist.errors import QueryError
from rulehist.folding import fold
from rulehist.thresholds import TEXTS_KEPT

if TYPE_CHECKING:
    from rulehist.engine.semantics import Semantics


def read_text(semantics: Semantics, name: str) -> Reading | Refusal:
    """What the text says on the switch of that name. Raises ``QueryError`` for a name that is no switch's."""
    switch, rules = asked_switch(name), semantics.rules
    if switch.where is not None and not _is(semantics, *switch.where):
        return read_switch(switch, (), rules.label)
    reading = _now(semantics, switch)
    if isinstance(reading, Refusal) or reading.text is not None:
        return reading
    for text in reversed(rules.earlier(switch.rules)):
        before = read_switch(switch, [text], rules.label)
        if isinstance(before, Reading) and before.text is not None:
            return fallen_silent(before) if before.said else reading
    return reading


def read_copying_rule(rules: RulesAt) -> CopyingClauses | Refusal:
    """The rule on copiable values; a refusal where it cannot be read."""
    data = vocabulary()
    found = rules.find(data["rule"])
    if found is None or not any(_has(found, words) for words in data["words"]):
        for words in data["words"]:
            candidates = rules.containing(words)
            if candidates:
                found = candidates[0]
                break
    if found is None:
        reason = f"the text of the rule on copiable values is not known for {rules.label}"
        return Refusal(reason)
    return read_copying(found)


def face_down_rule(rules: RulesAt) -> RuleText | None:
    """The rule that a face-down object has only the characteristics listed, where it is known."""
    entry = vocabulary()["face_down"]
    found = rules.find(entry["rule"])
    if found is None:
        return next(iter(rules.containing(entry["words"])), None)
    return found if _has(found, entry["words"]) else None


def texts_asked(
    semantics: Semantics, switch: Switch, named: Mapping[str, RuleText | None] | None = None
) -> Sequence[RuleText]:
    """The rules of a switch: those that its addresses name (``named``), else those that have its words."""
    if named is None:
        named = semantics.rules.named(switch.rules)
    return texts_of(switch, named) if named else _by_words(semantics, switch)


def asked_switch(name: str) -> Switch:
    """The switch of that name. Raises ``QueryError`` with the names near it."""
    if name in names():
        return switch_called(name)
    from difflib import get_close_matches

    near = get_close_matches(name, names(), 3, 0.4)
    hint = f"; near it are {', '.join(near)}" if near else ""
    raise QueryError(f"{name}: there is no such switch{hint}; rulehist semantics lists them")


def switch_addresses() -> tuple[str, ...]:
    """Every address by which the engine looks for a rule."""
    known = vocabulary()
    return tuple(dict.fromkeys([*known["rule"], *known["face_down"]["rule"], *addresses()]))


def _is(semantics: Semantics, switch: str, value: str) -> bool:
    reading = semantics.read(switch)
    return isinstance(reading, Reading) and reading.value == value


def _now(semantics: Semantics, switch: Switch) -> Reading | Refusal:
    rules = semantics.rules
    named = rules.named(switch.rules)
    texts = texts_asked(semantics, switch, named)
    if not texts and not rules.complete:
        return Refusal(f"{switch.name}: the text of its rule is not known for {rules.label}")
    read = read_switch(switch, texts, rules.label)
    if named:
        return reviewed(read, switch)
    return _known_among(switch, texts, read) if rules.published else read


def _known_among(switch: Switch, texts: Sequence[RuleText], read: Reading | Refusal) -> Reading | Refusal:
    """What rules found by their words say, as the first of them says it in a sentence that is known."""
    found = reviewed(read, switch)
    if isinstance(found, Reading) or isinstance(read, Refusal):
        return found
    every = (reviewed(read_switch(switch, [text], read.version), switch) for text in texts)
    same = (each for each in every if isinstance(each, Reading) and each.text is not None)
    return next((each for each in same if each.value == read.value), found)


def _by_words(semantics: Semantics, switch: Switch) -> Sequence[RuleText]:
    """The rules of a switch by their words, where no version is at hand that its addresses name."""
    if switch.list_of and switch.list_of not in ("layers", "subtypes"):
        rule = semantics.copying.rule
        return [rule] if rule is not None else []
    whole = semantics.whole
    if not whole:
        whole.extend((rule, _lowered(rule.text)) for rule in semantics.rules.containing([]))
    if switch.list_of == "layers":
        return [rule for rule, _ in whole if names_layers(rule.text)]
    if switch.list_of:
        kinds = switch.name.replace("-", " ")
        return [rule for rule, _ in whole if listed_subtypes(kinds, [rule.text])[0]]
    phrases = tuple(wording.stretches for wording in switch.wordings)
    says = _Says.of(phrases)
    return [rule for rule, lowered in whole if says[lowered]]


class _Says(dict[str, bool]):
    """Whether a text has all stretches of one of the phrases, found when it is first asked for."""

    def __init__(self, phrases: tuple[tuple[str, ...], ...]) -> None:
        self._phrases = phrases

    @classmethod
    @cache
    def of(cls, phrases: tuple[tuple[str, ...], ...]) -> _Says:
        """The one of these phrases: there are as many as switches."""
        return cls(phrases)

    def __missing__(self, lowered: str) -> bool:
        if len(self) >= TEXTS_KEPT:
            self.clear()
        made = self[lowered] = any(all(stretch in lowered for stretch in each) for each in self._phrases)
        return made


@lru_cache(maxsize=TEXTS_KEPT)
def _lowered(text: str) -> str:
    """A text as words are looked for in it; most rules have one text in many versions."""
    return fold(text).lower()


def _has(rule: RuleText, words: Sequence[str]) -> bool:
    text = _lowered(rule.text)
    return all(fold(word).lower() in text for word in words)
