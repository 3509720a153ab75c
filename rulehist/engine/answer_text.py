"""Answers as lines of text for a terminal; meaning never hangs on colour."""

from __future__ import annotations

from typing import Any

from rulehist.engine.compare import Comparison
from rulehist.engine.evaluate import Answer


def render_answer(answer: Answer) -> str:
    """The answer with its expectations and the clauses that bear it; ends without a line break."""
    lines = [f"{answer.scenario or answer.source}", f"under the rules of {answer.version}: {answer.verdict}"]
    lines += [f"  refused: {reason}" for reason in answer.refusals]
    for name, each in answer.objects.items():
        lines.append(f"  {name}: {_object(each)}")
    for checked in answer.expectations:
        mark = {True: "ok", False: "NOT AS EXPECTED", None: "refused"}[checked.ok]
        got = "" if checked.ok is None else f", got {_value(checked.as_json()['got'])}"
        lines.append(f"  {mark}: {checked.path} expected {_value(checked.as_json()['expected'])}{got}")
    quotes: dict[tuple[str, str, str], list[str]] = {}
    for because in answer.because:
        quotes.setdefault((because.number, because.version, because.quote), []).append(because.claim)
    for (number, version, quote), claims in quotes.items():
        lines.append(f"  because rule {number} ({version}) says: {quote}")
        lines += [f"    - {claim}" for claim in claims]
    return "\n".join(lines)


def render_comparison(comparison: Comparison) -> str:
    """One block a version: its outcome, whether it differs from the first, and the words that decided."""
    first = comparison.answers[0]
    lines = [first.scenario or first.source]
    for place, answer in enumerate(comparison.answers):
        mark = "  (differs from the first)" if comparison.differs[place] else ""
        lines.append(f"{answer.version}: {answer.verdict}{mark}")
        lines += [f"  {reason}" for reason in answer.refusals]
        for checked in answer.expectations:
            if checked.ok is not None:
                state = "as expected" if checked.ok else "NOT AS EXPECTED"
                lines.append(f"  {checked.path} = {_value(checked.as_json()['got'])} ({state})")
        if comparison.differs[place]:
            quotes = dict.fromkeys((b.number, b.quote) for b in comparison.deciding(place))
            lines += [f"  rule {number}: {quote}" for number, quote in quotes]
    return "\n".join(lines)


def _value(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _object(each: Any) -> str:
    shown = [f"{key} {_value(value)}" for key, value in each["copiable"].items() if value not in ([], "")]
    for key in ("status", "stickers"):
        if each.get(key):
            shown.append(f"{key} {_value(each[key])}")
    if each.get("counters"):
        shown.append("counters " + ", ".join(f"{number} {kind}" for kind, number in each["counters"].items()))
    shown += [f"{key} {_value(value)}" for key, value in each.get("choices", {}).items()]
    origin = f"copy of {each['copied from']}; " if "copied from" in each else ""
    return f"{each['kind']}, {each['zone']}; {origin}{'; '.join(shown) or 'no characteristics'}"
