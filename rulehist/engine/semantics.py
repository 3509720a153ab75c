"""What the rules of a version say on the engine's questions, read from their text when first asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulehist.engine.clauses import CopyingClauses, UnreadClause, read_clauses, vocabulary
from rulehist.engine.layers import UnreadLayer, read_layers
from rulehist.engine.rules import RulesAt, RuleText
from rulehist.engine.switches import Switch, switches
from rulehist.engine.wording import conditions_beside, has_any, published, sentence_with
from rulehist.errors import QueryError
from rulehist.folding import fold

SwitchValue = str | tuple[str, ...] | None
"""A word of the data file, a list of such words, or ``None``: the rules did not say."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer; with the rule and its words, where some text was the reason."""

    reason: str
    rule: RuleText | None = None
    quote: str = ""


class Unread(Exception):  # noqa: N818 - turned into a refused answer where it is caught
    """A switch whose rule has words that nobody has explained to the program; carries the ``refusal``."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Reading:
    """What the rules of a version say on a switch; ``rule`` is the rule's identity, ``quote`` the words that decided.

    ``value`` is ``None`` where the rules did not say; then ``rule``, ``number`` and ``quote`` are empty, unless some
    words are known to leave the question open.
    """

    switch: str
    value: SwitchValue
    rule: str
    number: str
    version: str
    quote: str
    text: RuleText | None = None

    @property
    def said(self) -> bool:
        """Whether the rules did say."""
        return self.value is not None

    def as_json(self) -> dict[str, Any]:
        """``{switch, value, rule, number, version, quote}``; ``value`` is null where the rules did not say."""
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {
            "switch": self.switch,
            "value": value,
            "rule": self.rule,
            "number": self.number,
            "version": self.version,
            "quote": self.quote,
        }


@dataclass(frozen=True, slots=True)
class Semantics:
    """The rules of one version as the engine reads them; ``copying`` is a refusal where they cannot be
    read."""

    rules: RulesAt
    copying: CopyingClauses | Refusal
    named: Mapping[str, RuleText | None] = field(default_factory=dict)
    _read: dict[str, Reading | Refusal] = field(default_factory=dict)

    def value(self, switch: str) -> Reading:
        """What the rules say on a switch.

        Raises ``Unread`` where the rule has words that no wording of the switch reads or its text is not known, and
        ``QueryError`` for a name that is no switch's.
        """
        reading = self.read(switch)
        if isinstance(reading, Refusal):
            raise Unread(reading)
        return reading

    def read(self, switch: str) -> Reading | Refusal:
        """As ``value``, with the refusal given back instead of raised."""
        reading = self._read.get(switch)
        if reading is None:
            reading = self._read[switch] = self._reading(_known(switch))
        return reading

    def all(self) -> Iterator[Reading | Refusal]:
        """What the rules say on every switch, in the order of the data files."""
        return map(self.read, switches())

    def _reading(self, switch: Switch) -> Reading | Refusal:
        if not any(address in self.named for address in switch.rules):
            texts = self._by_words(switch)
            if not texts and not self.rules.complete:
                return Refusal(f"{switch.name}: the text of its rule is not known for {self.rules.label}")
        else:
            texts = texts_of(switch, self.named)
        return read_switch(switch, texts, self.rules.label, lambda: self.copying)

    def _by_words(self, switch: Switch) -> tuple[RuleText, ...]:
        """The rules of a switch by their words, where no version is at hand that its addresses name."""
        if switch.list_of == "layers":
            return tuple(rule for rule in self.rules.containing([]) if _layered(rule))
        phrases = switch.about or tuple(wording.stretches for wording in switch.wordings)
        return tuple(rule for rule in self.rules.containing([]) if has_any(rule.text, phrases) is not None)

    def face_down(self) -> RuleText | None:
        """The rule that a face-down object has only the characteristics listed, where it is known."""
        entry = vocabulary()["face_down"]
        found = self.rules.find(entry["rule"])
        if found is None:
            return next(iter(self.rules.containing(entry["words"])), None)
        return found if _has(found, entry["words"]) else None


def _layered(rule: RuleText) -> bool:
    try:
        return bool(read_layers([rule]))
    except UnreadLayer:
        return True


def _known(name: str) -> Switch:
    try:
        return switches()[name]
    except KeyError:
        from difflib import get_close_matches

        near = get_close_matches(name, switches(), 3, 0.4)
        hint = f"; near it are {', '.join(near)}" if near else ""
        raise QueryError(f"{name}: there is no such switch{hint}; rulehist semantics lists them") from None


def texts_of(switch: Switch, named: Mapping[str, RuleText | None]) -> tuple[RuleText, ...]:
    """The rules of a switch that are in force, each once, in the order of its addresses."""
    texts = (named.get(address) for address in switch.rules)
    return tuple({text.rule: text for text in texts if text is not None}.values())


def read_switch(
    switch: Switch,
    texts: Sequence[RuleText],
    version: str,
    copying: Callable[[], CopyingClauses | Refusal],
) -> Reading | Refusal:
    """What ``texts``, the rules of a switch in one version, say; ``copying`` gives the rule on copiable values."""
    if switch.list_of == "layers":
        return _read_layers(switch, texts, version)
    if switch.list_of:
        return _read_list(switch, texts, version, copying)
    return _read_wordings(switch, texts, version) or _unread_in(switch, texts) or _silence(switch, version)


def _read_wordings(switch: Switch, texts: Sequence[RuleText], version: str) -> Reading | Refusal | None:
    for wording in switch.wordings:
        for text in texts:
            sentence = sentence_with(text.text, wording.stretches)
            if sentence is None:
                continue
            quote = published(sentence, text.text)
            if conditions_beside(sentence, wording.stretches) - switch.conditions:
                return _unread(switch, text, quote)
            return Reading(switch.name, wording.value, text.rule, text.number, version, quote, text)
    return None


def _unread_in(switch: Switch, texts: Sequence[RuleText]) -> Refusal | None:
    """The refusal where a sentence speaks of the switch in words that none of its wordings reads."""
    for text in texts:
        sentence = has_any(text.text, switch.about) if switch.about else text.text
        if sentence is not None:
            return _unread(switch, text, published(sentence, text.text))
    return None


def _silence(switch: Switch, version: str) -> Reading:
    return Reading(switch.name, None, "", "", version, "")


def _unread(switch: Switch, rule: RuleText, quote: str) -> Refusal:
    reason = (
        f'{switch.name}: rule {rule.number} of {rule.version} says "{quote}", which no wording in data/{switch.file} '
        "reads"
    )
    return Refusal(reason, rule, quote)


def _read_layers(switch: Switch, texts: Sequence[RuleText], version: str) -> Reading | Refusal:
    try:
        layers = read_layers(texts)
    except UnreadLayer as unread:
        quote = published(unread.words, unread.rule.text)
        return Refusal(f"{switch.name}: {unread}", unread.rule, quote)
    if not layers:
        return _silence(switch, version)
    first = next(iter(layers.values()))
    return Reading(switch.name, tuple(layers), first.rule, first.number, version, first.text, first)


def _read_list(
    switch: Switch, texts: Sequence[RuleText], version: str, copying: Callable[[], CopyingClauses | Refusal]
) -> Reading | Refusal:
    if not texts:
        return _silence(switch, version)
    clauses = copying()
    if isinstance(clauses, Refusal):
        return Refusal(f"{switch.name}: {clauses.reason}", clauses.rule, clauses.quote)
    listed = {
        "characteristics": clauses.characteristics,
        "choices": clauses.choices,
        "modifiers": clauses.modifiers,
        "not copied": clauses.not_copied,
        "basis": {clauses.basis: clauses.basis_clause},
    }[switch.list_of]
    rule = clauses.rule
    if switch.item:
        clause = listed.get(switch.item)
        quote = clauses.quote(clause) if clause is not None else rule.text
        value = switch.listed if clause is not None else switch.otherwise
        return Reading(switch.name, value, rule.rule, rule.number, version, quote, rule)
    if not listed:
        return _silence(switch, version)
    quotes = dict.fromkeys(clauses.quote(clause) for clause in listed.values())
    return Reading(switch.name, tuple(sorted(listed)), rule.rule, rule.number, version, "; ".join(quotes), rule)


def _has(rule: RuleText, words: Sequence[str]) -> bool:
    text = fold(rule.text).lower()
    return all(fold(word).lower() in text for word in words)


def compile_semantics(rules: RulesAt) -> Semantics:
    """Read what ``rules`` say on copying, and be ready to read the switches. Raises ``DataError`` for a malformed
    file under ``data/semantics``."""
    addresses = {address: None for switch in switches().values() for address in switch.rules}
    return Semantics(rules, _copying(rules), rules.named(tuple(addresses)))


def _copying(rules: RulesAt) -> CopyingClauses | Refusal:
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


def read_copying(rule: RuleText) -> CopyingClauses | Refusal:
    """The rule on copiable values, or why it cannot be read."""
    try:
        return read_clauses(rule)
    except UnreadClause as unread:
        return Refusal(str(unread), rule, unread.clause)
