"""Answers as lines of text for a terminal; meaning never hangs on colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rulehist.engine.evaluation import Answer
from rulehist.thresholds import CELL_WIDTH, TEXT_WIDTH

if TYPE_CHECKING:
    from rulehist.engine.comparison import Comparison
    from rulehist.engine.deciding import Decision
    from rulehist.engine.turning_points import Turn


def render_answer(answer: Answer) -> str:
    """The answer with its expectations and the clauses that bear it; ends without a line break."""
    lines = [f"{answer.scenario or answer.source}", f"under the rules of {answer.version}: {answer.verdict}"]
    lines += [f"  refused: {reason}" for reason in answer.refusals]
    for name, each in answer.objects.items():
        lines.append(f"  {name}: {object_words(each)}")
    for checked in answer.expectations:
        mark = {True: "ok", False: "NOT AS EXPECTED", None: "refused"}[checked.ok]
        got = "" if checked.ok is None else f", got {value_words(checked.as_json()['got'])}"
        lines.append(f"  {mark}: {checked.path} expected {value_words(checked.as_json()['expected'])}{got}")
    quotes: dict[tuple[str, str, str], list[str]] = {}
    for because in answer.because:
        quotes.setdefault((because.number, because.version, because.quote), []).append(because.claim)
    for (number, version, quote), claims in quotes.items():
        lines.append(f"  because rule {number} ({version}) says: {quote}")
        lines += [f"    - {claim}" for claim in claims]
    return "\n".join(lines)


def render_comparison(comparison: Comparison) -> str:
    """A table: a line for what is asked, a column for each version; a cell that differs from the one to its left has a
    star. Below, the rules that decided each of these columns."""
    answers = comparison.answers
    rows = rows_of(answers)
    lines = [answers[0].scenario or answers[0].source]
    head = ["", *(answer.version for answer in answers)]
    table = [head]
    for path, cells in rows.items():
        table.append([path, *(cell + (" *" if n and cells[n - 1] != cell else "") for n, cell in enumerate(cells))])
    widths = [max(len(row[column]) for row in table) for column in range(len(head))]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    return "\n".join([*lines, *decided_lines(comparison)])


def decided_lines(comparison: Comparison, width: int = TEXT_WIDTH) -> Iterator[str]:
    """What is told below the table of a comparison: reasons of refusals, and the rules that decided."""
    answers = comparison.answers
    for answer in answers:
        yield from (f"{answer.version}: refused: {reason}" for reason in answer.refusals)
    for place, decided in enumerate(comparison.decided):
        if decided:
            yield f"{answers[place - 1].version} -> {answers[place].version}, decided by:"
            yield from _decisions(decided, width)


def render_turns(title: str, turns: Sequence[Turn], width: int = TEXT_WIDTH) -> str:
    """Every version at which an answer changed, with the word diff of the rules that changed it."""
    lines = [title]
    for turn in turns:
        answer = turn.answer
        if turn.before is None:
            lines.append(f"{answer.version} (the first text)")
            lines += [f"  {path}: {cells[0]}" for path, cells in rows_of([answer]).items()]
            lines += [f"  refused: {reason}" for reason in answer.refusals]
            continue
        lines.append(f"{answer.version} (until {turn.before.version} otherwise)")
        lines += [f"  {path}: {was} -> {now}" for path, was, now in changed_cells(turn.before, answer)]
        lines += [f"  refused: {reason}" for reason in answer.refusals]
        lines += _decisions(turn.decisions, width)
    return "\n".join(lines)


def _decisions(decided: Sequence[Decision], width: int) -> Iterator[str]:
    from rulehist.marked_words import marked, wrapped

    for decision in decided:
        old, new = decision.old, decision.new
        if new is not None:
            where = f"rule {new.number}" + (f" (was {old.number})" if old and old.number != new.number else "")
        else:
            where = f"rule {old.number}, which is gone" if old else "no rule"
        said = f": {decision.before} -> {decision.after}" if decision.before or decision.after else ""
        yield f"  {where}, {decision.question}{said}"
        ops: Any = decision.ops()
        yield from wrapped(marked(ops, short=True), width, "      ")


def changed_cells(before: Answer, after: Answer) -> tuple[tuple[str, str, str], ...]:
    """What two answers to one scenario say differently, as ``(what was asked, before, after)``."""
    cells = rows_of([before, after]).items()
    return tuple((path, was, now) for path, (was, now) in cells if was != now)


def rows_of(answers: Sequence[Answer]) -> dict[str, list[str]]:
    """What was asked, or where nothing was every characteristic, with a cell for each answer."""
    if answers[0].expectations:
        rows: dict[str, list[str]] = {}
        paths = [checked.path for checked in answers[0].expectations]
        for place, path in enumerate(paths):
            name = path if paths.count(path) == 1 else f"{path} ({paths[: place + 1].count(path)})"
            cells = [answer.expectations[place] for answer in answers]
            rows[name] = ["refused" if cell.ok is None else _cut(value_words(cell.as_json()["got"])) for cell in cells]
        return rows
    found: dict[str, list[str]] = {}
    for place, answer in enumerate(answers):
        for name, each in answer.objects.items():
            values = each.get("characteristics") or each.get("copiable", {})
            for key, value in values.items():
                column = found.setdefault(f"{name}.{key}", ["-"] * len(answers))
                column[place] = "refused" if each.get("refused") else _cut(value_words(value))
    return found or _verdicts(answers)


def _verdicts(answers: Sequence[Answer]) -> dict[str, list[str]]:
    return {"answer": [answer.verdict for answer in answers]}


def _cut(text: str) -> str:
    return text if len(text) <= CELL_WIDTH else text[: CELL_WIDTH - 1] + "…"


def value_words(value: Any) -> str:
    """A value of a characteristic, as people read it."""
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def object_words(each: Any) -> str:
    """An object of an answer in a line: where it is, what it copies, its characteristics."""
    if each.get("exists") is False:
        return "does not exist"
    shown = [f"{key} {value_words(value)}" for key, value in each.get("copiable", {}).items() if value not in ([], "")]
    for key in ("status", "stickers"):
        if each.get(key):
            shown.append(f"{key} {value_words(each[key])}")
    if each.get("counters"):
        shown.append("counters " + ", ".join(f"{number} {kind}" for kind, number in each["counters"].items()))
    shown += [f"{key} {value_words(value)}" for key, value in each.get("choices", {}).items()]
    changed = {
        key: value
        for key, value in (each.get("characteristics") or {}).items()
        if each.get("copiable", {}).get(key) != value
    }
    if changed:
        shown.append("now: " + "; ".join(f"{key} {value_words(value)}" for key, value in changed.items()))
    if each.get("refused"):
        shown.append(f"now: refused: {each['refused']}")
    origin = f"copy of {each['copied from']}; " if "copied from" in each else ""
    where = ", ".join(each[key] for key in ("kind", "zone") if key in each)
    return f"{where}; {origin}{'; '.join(shown) or 'no characteristics'}"
