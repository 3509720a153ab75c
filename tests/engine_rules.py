"""Small made-up rules in the grammar of the real ones, for tests of the engine that need no archive."""

from __future__ import annotations

from datetime import date

from rulehist.engine import ListedRules, Semantics, compile_semantics

COPYING = (
    "When copying an object, the copy acquires the copiable values of the original object’s characteristics and, for "
    "an object on the stack, choices made when casting or activating it (mode, targets, the value of X, whether it was "
    "kicked, and so on). The copiable values are the values derived from the text printed on the object (that text "
    "being name, mana cost, color indicator, card type, subtype, supertype, rules text, power, toughness, and/or "
    "loyalty), as modified by other copy effects, by its face-down status, and by “as . . . enters” and “as . . . is "
    "turned face up” abilities that set power and toughness (and may also set additional characteristics). "
    "Other effects (including type-changing and text-changing effects), status, counters, and stickers are not copied."
)
SEVEN_LAYERS = {
    "1.1a": "Layer 1: Copy effects are applied.",
    "1.1b": "Layer 2: Control-changing effects are applied.",
    "1.1c": "Layer 3: Text-changing effects are applied.",
    "1.1d": "Layer 4: Type-changing effects are applied.",
    "1.1e": "Layer 5: Color-changing effects are applied.",
    "1.1f": "Layer 6: Ability-adding effects, keyword counters, and ability-removing effects are applied.",
    "1.1g": "Layer 7: Power- and/or toughness-changing effects are applied.",
    "1.4a": "Layer 7a: Effects from characteristic-defining abilities that define power and/or toughness are applied.",
    "1.4b": "Layer 7b: Effects that set power and/or toughness to a specific number or value are applied.",
    "1.4c": "Layer 7c: Effects and counters that modify power and/or toughness (but don’t set power and/or toughness "
    "to a specific number or value) are applied.",
    "1.4d": "Layer 7d: Effects that switch a creature’s power and toughness are applied.",
}
ORDER = {
    "1.3": "Within layers 2–6, apply effects from characteristic-defining abilities first, then all others.",
    "1.6": "If an effect should be applied in different layers, the parts of the effect each apply in their "
    "appropriate ones. If an effect starts to apply in one layer, it will continue to be applied to the same set of "
    "objects in each other layer, even if the ability generating the effect is removed during this process.",
    "1.7a": "A static ability has the same timestamp as its object, or the timestamp of the effect that created the "
    "ability, whichever is later.",
    "1.7e": "An Aura receives a new timestamp each time it becomes attached to an object.",
    "1.8a": "An effect is said to “depend on” another if it’s applied in the same layer and applying the other would "
    "change the text or the existence of the first effect, what it applies to, or what it does to any of the things it "
    "applies to; and (c) neither effect is from a characteristic-defining ability or both effects are from "
    "characteristic-defining abilities.",
    "1.8b": "An effect dependent on another waits to apply until just after all of those effects have been applied. If "
    "several form a loop, the effects in the dependency loop are applied in timestamp order.",
    "1.8c": "After each effect is applied, the order of remaining effects is reevaluated.",
}
OTHERS = {
    "7.2": COPYING,
    "7.3": "The copy’s copiable values become the copied information, as modified by the copy’s status. Objects that "
    "copy the object will use the new copiable values.",
    "7.4": "This also doesn’t change any noncopy effects presently affecting the permanent.",
    "7.5": "If the text has abilities that replace the event, those abilities will take effect.",
    "7.9a": "This ability becomes part of the copiable values for the copy.",
    "7.9b": "The final set of values for that characteristic becomes part of the copiable values of the copy.",
    "8.2": "Face-down permanents have no characteristics other than those listed by the ability that turned them.",
    "3.7": "If an effect sets a land’s subtype to a basic land type, it loses all abilities generated from its rules "
    "text, its old land types, and any copiable effects affecting that land.",
    "4.5": "If a player controls two or more legendary permanents with the same name, that player chooses one of them, "
    "and the rest are put into their owners’ graveyards.",
}


def modern(**instead: str) -> Semantics:
    """The rules above; ``rule_1_6="..."`` gives rule 1.6 another text, an empty one leaves it out."""
    rules = {**SEVEN_LAYERS, **ORDER, **OTHERS}
    for key, text in instead.items():
        rules[key.removeprefix("rule_").replace("_", ".")] = text
    listed = [(number, text) for number, text in rules.items() if text]
    return compile_semantics(ListedRules.of(listed, date(2030, 1, 1), complete=True))
