"""The table of switches and values that docs/semantics.md holds, made from the data files."""

from __future__ import annotations

from rulehist.engine.switches import Switch, switches

_LISTED = {
    "basis": "list: what copiable values start from",
    "characteristics": "list of characteristics",
    "choices": "list of choices",
    "modifiers": "list of what modifies copiable values",
    "not copied": "list of what is not copied",
    "layers": "list of layers, each with a kind of effect: `7c modify`",
    "subtypes": "list of subtypes",
}


def switch_table() -> str:
    """A Markdown table of every switch: name, question, values, rows; one heading a file."""
    lines: list[str] = []
    file = ""
    for switch in switches().values():
        if switch.file != file:
            file = switch.file
            lines += [*([""] if lines else []), f"### `data/{file}`", ""]
            lines += ["| switch | question | values | rows |", "| --- | --- | --- | --- |"]
        cells = (f"`{switch.name}`", switch.question, "; ".join(_values(switch)), ", ".join(switch.rows))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _values(switch: Switch) -> list[str]:
    if switch.item:
        return [f"`{switch.listed}`", *([f"`{switch.otherwise}`"] if switch.otherwise else [])]
    if switch.list_of:
        return [_LISTED[switch.list_of]]
    return [f"`{value}`" for value in dict.fromkeys(each.value for each in switch.wordings) if value is not None]
