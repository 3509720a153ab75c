"""What the rules of a version say on the engine's questions, read from their text when first asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulehist.engine.clauses import CopyingClauses, vocabulary
from rulehist.engine.layers import UnreadLayer, names_layers, read_layers
from rulehist.engine.readings import (
    Reading,
    Refusal,
    SwitchValue,
    fallen_silent,
    read_copying,
    read_switch,
    reviewed,
    texts_of,
)
from rulehist.engine.rules import RulesAt, RuleText
from rulehist.engine.subtype_lists import listed_subtypes
from rulehist.engine.switches import Switch, addresses, names, switch_called
from rulehist.errors import QueryError
from rulehist.folding import fold

__all__ = ["Reading", "Refusal", "Semantics", "SwitchValue", "Unread", "compile_semantics", "switch_addresses"]


class Unread(Exception):  # noqa: N818 - turned into a refused answer where it is caught
    """A switch whose rule has words that nobody has explained to the program; carries the ``refusal``."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class Semantics:
    """The rules of one version as the engine reads them, each when it is first asked.

    ``kinds`` keeps what ``subtypes`` makes of their lists of subtypes.
    """

    __slots__ = ("_copying", "_named", "_read", "_whole", "kinds", "rules")

    def __init__(self, rules: RulesAt, copying: CopyingClauses | Refusal | None = None) -> None:
        self.rules = rules
        self._copying = copying
        self._named: Mapping[str, RuleText | None] | None = None
        self._read: dict[str, Reading | Refusal] = {}
        self._whole: list[tuple[RuleText, str]] = []
        self.kinds: dict[str, str] = {}

    @property
    def copying(self) -> CopyingClauses | Refusal:
        """The rule on copiable values; a refusal where it cannot be read."""
        if self._copying is None:
            self._copying = _copying(self.rules)
        return self._copying

    @property
    def named(self) -> Mapping[str, RuleText | None]:
        """The rules that any switch has, by the addresses under which the engine looks for them."""
        if self._named is None:
            self._named = self.rules.named(switch_addresses())
        return self._named

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
            reading = self._read[switch] = self._reading(asked_switch(switch))
        return reading

    def exchanged(self, switch: str, other: Semantics) -> Semantics:
        """These with one reading of others, as if the rules said that much otherwise."""
        made = Semantics(self.rules, self._copying)
        self.read(switch)
        made._read |= {**self._read, switch: other.read(switch)}
        return made

    def exchanged_copying(self, other: Semantics) -> Semantics:
        """These with the rule on copiable values of others."""
        made = Semantics(self.rules, other.copying)
        made._read |= self._read
        return made

    def texts(self, switch: str) -> Sequence[RuleText]:
        """The rules in which the engine looks for a switch, as they stand in this version."""
        return self._texts(asked_switch(switch))[0]

    def _texts(self, switch: Switch) -> tuple[Sequence[RuleText], bool]:
        """The rules of a switch, and whether they were found by their addresses."""
        named = self.rules.named(switch.rules)
        return (texts_of(switch, named), True) if named else (self._by_words(switch), False)

    def layer_rules(self) -> Mapping[str, RuleText]:
        """The layers as the switch ``layers`` has them, each with its rule; empty where they are not read."""
        texts = self.texts("layers")
        try:
            return {layer: texts[place] for layer, place in read_layers([text.text for text in texts]).items()}
        except UnreadLayer:
            return {}

    def _reading(self, switch: Switch) -> Reading | Refusal:
        if switch.where is not None and not self._is(*switch.where):
            return read_switch(switch, (), self.rules.label)
        reading = self._now(switch)
        if isinstance(reading, Refusal) or reading.text is not None:
            return reading
        for text in reversed(self.rules.earlier(switch.rules)):
            before = read_switch(switch, [text], self.rules.label)
            if isinstance(before, Reading) and before.text is not None:
                return fallen_silent(before) if before.said else reading
        return reading

    def _is(self, switch: str, value: str) -> bool:
        reading = self.read(switch)
        return isinstance(reading, Reading) and reading.value == value

    def _now(self, switch: Switch) -> Reading | Refusal:
        texts, by_address = self._texts(switch)
        if not texts and not self.rules.complete:
            return Refusal(f"{switch.name}: the text of its rule is not known for {self.rules.label}")
        read = read_switch(switch, texts, self.rules.label)
        return reviewed(read, switch) if by_address else read

    def _by_words(self, switch: Switch) -> Sequence[RuleText]:
        """The rules of a switch by their words, where no version is at hand that its addresses name."""
        if switch.list_of and switch.list_of not in ("layers", "subtypes"):
            rule = self.copying.rule
            return [rule] if rule is not None else []
        if not self._whole:
            self._whole.extend((rule, fold(rule.text).lower()) for rule in self.rules.containing([]))
        if switch.list_of == "layers":
            return [rule for rule, _ in self._whole if names_layers(rule.text)]
        if switch.list_of:
            kinds = switch.name.replace("-", " ")
            return [rule for rule, _ in self._whole if listed_subtypes(kinds, [rule.text])[0]]
        phrases = [wording.stretches for wording in switch.wordings]
        return [
            rule
            for rule, lowered in self._whole
            if any(all(stretch in lowered for stretch in stretches) for stretches in phrases)
        ]

    def face_down(self) -> RuleText | None:
        """The rule that a face-down object has only the characteristics listed, where it is known."""
        entry = vocabulary()["face_down"]
        found = self.rules.find(entry["rule"])
        if found is None:
            return next(iter(self.rules.containing(entry["words"])), None)
        return found if _has(found, entry["words"]) else None


def asked_switch(name: str) -> Switch:
    """The switch of that name. Raises ``QueryError`` with the names near it."""
    if name in names():
        return switch_called(name)
    from difflib import get_close_matches

    near = get_close_matches(name, names(), 3, 0.4)
    hint = f"; near it are {', '.join(near)}" if near else ""
    raise QueryError(f"{name}: there is no such switch{hint}; rulehist semantics lists them")


def _has(rule: RuleText, words: Sequence[str]) -> bool:
    text = fold(rule.text).lower()
    return all(fold(word).lower() in text for word in words)


def compile_semantics(rules: RulesAt) -> Semantics:
    """Be ready to read what ``rules`` say: each switch is read once, when it is first asked, and kept.

    What reads a malformed file under ``data/semantics`` raises ``DataError``.
    """
    return Semantics(rules)


def switch_addresses() -> tuple[str, ...]:
    """Every address by which the engine looks for a rule."""
    known = vocabulary()
    return tuple(dict.fromkeys([*known["rule"], *known["face_down"]["rule"], *addresses()]))


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
