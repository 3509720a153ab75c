"""How an answer came about: every effect in the order in which it was applied, with the layer's rule of that day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rulehist.engine.evaluation import Answer
from rulehist.engine.layer_rules import layer_rules, rule_of_part
from rulehist.engine.semantics import Reading, Semantics

_WITHOUT_TIMESTAMP: Final = ("counter-timestamp", "sticker-timestamp")
"""What the rules of some days order without a timestamp."""


def derivation(answer: Answer, semantics: Semantics) -> list[dict[str, Any]]:
    """The lines of a derivation: ``{layer, effect, parts, objects, why, rule, number, version, because}``.

    ``rule`` and ``number`` are those of the rule that gives the layer. ``because`` has ``{number, version, quote}`` of
    the rule that decided the order within it: on the timestamp that the effect has, on dependency, on
    characteristic-defining abilities; it is left out where the rules of the day have none.
    """
    rules = layer_rules(semantics)
    lines = []
    for applied in answer.applied:
        rule = rule_of_part(rules, applied.parts, applied.layer)
        line: dict[str, Any] = {
            "layer": rule[0] if rule else applied.layer,
            "effect": applied.effect,
            "parts": list(applied.parts),
            "objects": list(applied.objects),
            "why": applied.why,
        }
        reading = semantics.read(applied.switch) if applied.switch else None
        if isinstance(reading, Reading) and reading.said:
            line["because"] = {"number": reading.number, "version": reading.version, "quote": reading.quote}
        elif applied.switch in _WITHOUT_TIMESTAMP:
            line["why"] = "the rules of the day give it no timestamp"
        if rule:
            line |= {"rule": rule[2].rule, "number": rule[2].number, "version": rule[2].version}
        lines.append(line)
    return lines


def derivation_text(answer: Answer, semantics: Semantics) -> Iterator[str]:
    """The derivation for a terminal, one line an effect."""
    lines = derivation(answer, semantics)
    if not lines:
        yield "  nothing was applied: every object has what is printed on it"
    for line in lines:
        layer = f"layer {line['layer']}" if line["layer"] else "no layers then"
        where = f" [rule {line['number']} of {line['version']}]" if "number" in line else ""
        because = line.get("because")
        by = f" by rule {because['number']}" if because else ""
        why = f"; {line['why']}{by}" if line["why"] else ""
        yield f"  {layer}: {line['effect']} -> {', '.join(line['objects'])} ({', '.join(line['parts'])}{why}){where}"
        if because and "depend" in line["why"]:
            yield f"      rule {because['number']}: {because['quote']}"
