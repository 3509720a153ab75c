"""The rules that number the layers of a day, for those who ask which of them gave an effect its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rulehist.engine.layer_plan import PARTS_IN
from rulehist.engine.layers import UnreadLayer, names_layers, read_layers
from rulehist.engine.questions import LAYERS
from rulehist.engine.rules import RuleText
from rulehist.engine.semantics import Semantics

_OF_COPIES: Final = {
    "copy": ("copy", "copiable effects"),
    "merge": ("merging", "copiable effects", "copy"),
    "as it enters": ("as it enters or is turned face up", "copiable effects", "copy"),
    "face down": ("face down",),
}


def layer_rules(semantics: Semantics) -> Mapping[str, RuleText]:
    """Each layer with a kind of effect (``7c counters``), in order, and the rule that says so."""
    rules = semantics.texts(LAYERS)
    if not rules:
        rules = [text for text in semantics.rules.containing([]) if names_layers(text.text)]
    try:
        return {entry: rules[place] for entry, place in read_layers([rule.text for rule in rules]).items()}
    except UnreadLayer:
        return {}


def rule_of_part(
    rules: Mapping[str, RuleText], parts: Iterable[str], number: str = ""
) -> tuple[str, str, RuleText] | None:
    """The number, the kind and the rule of the layer in which a part of an effect applies (in that of ``number``)."""
    for part in parts:
        for kind in _OF_COPIES.get(part) or PARTS_IN.get(part, (part,)):
            for entry, rule in rules.items():
                found, _, listed = entry.partition(" ")
                if listed == kind and number in ("", found):
                    return found, listed, rule
    return next(
        ((number, entry.partition(" ")[2], rule) for entry, rule in rules.items() if entry.split(" ")[0] == number),
        None,
    )


def order_of(semantics: Semantics, parts: Sequence[str]) -> dict[str, tuple[str, RuleText]]:
    """For each part, the layer (``7b set``) in which it applies, and its rule."""
    rules = layer_rules(semantics)
    found = {}
    for part in parts:
        place = rule_of_part(rules, [part])
        if place is not None:
            found[part] = (f"{place[0]} {place[1]}", place[2])
    return found
