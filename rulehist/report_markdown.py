"""The change report in Markdown, fit for a pull request or a forum post, and a draft bulletin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rulehist.pages import FAN_CONTENT_NOTICE
from rulehist.report_view import KIND_WORDS, Entry, View

# What CommonMark or GitHub would read as markup inside a line; other punctuation is harmless there.
_MARKUP = re.compile(r"([\\`*_\[\]<>~#|&])")
_AT_START = re.compile(r"^(\d+)([.)])|^([-+=])")
_BLANKS = re.compile(r"\s*\n\s*")


def plain(text: str) -> str:
    """``text`` escaped so that Markdown shows it as it is, in one line."""
    return _MARKUP.sub(r"\\\1", _BLANKS.sub(" ", text))


def _struck(mark: str, text: str) -> str:
    # A mark counts only beside a letter: blanks at the ends stay outside.
    body = text.strip()
    if not body:
        return plain(text)
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{_BLANKS.sub(' ', lead)}{mark}{plain(body)}{mark}{_BLANKS.sub(' ', tail)}"


def diff(ops: Iterable[tuple[str, str]]) -> str:
    """Word diff with ``~~removed~~`` and ``**added**``; marks that would touch get a blank between them."""
    made: list[str] = []
    for op, text in ops:
        if op == "equal":
            made.append(plain(text))
            continue
        marked = _struck("~~" if op == "delete" else "**", text)
        if made and made[-1].endswith(("~~", "**")):
            made.append(" ")
        made.append(marked)
    return _AT_START.sub(lambda start: f"{start[1]}\\{start[2]}" if start[1] else f"\\{start[3]}", "".join(made))


def _name(entry: Entry) -> str:
    name = f"**{plain(entry.number) or 'Front matter'}**"
    if entry.part == "example":
        name = f"Example of {name}"
    was = f", was {plain(entry.old_number)}" if entry.moved else ""
    return f"{name} ({KIND_WORDS[entry.kind]}{was})"


def _item(entry: Entry) -> str:
    words = plain(entry.new_text) if entry.kind == "added" else diff(entry.ops)
    note = f" {plain(entry.note)}" if entry.note else ""
    return f"- {_name(entry)}: {words}{note}"


def _folded(title: str, count: int, lines: Sequence[str]) -> list[str]:
    return ["<details>", f"<summary>{title} ({count:,})</summary>", "", *lines, "", "</details>", ""]


def _news(view: View) -> list[str]:
    lines = []
    for line in view.news:
        told = [f"**new:** {', '.join(map(plain, line.added))}"] if line.added else []
        told += [f"**gone:** {', '.join(map(plain, line.removed))}"] if line.removed else []
        lines.append(f"- {plain(line.subject)}: {'; '.join(told)}")
    return lines


def _table(view: View) -> list[str]:
    lines = ["| Old | New | Rules |", "| --- | --- | ---: |"]
    for run in view.ranges:
        one = len(run.entries) == 1
        old = run.old_first if one else f"{run.old_first}–{run.old_last}"
        new = run.new_first if one else f"{run.new_first}–{run.new_last}"
        lines.append(f"| {old} | {new} | {len(run.entries):,} |")
    return lines


def report_markdown(view: View) -> str:
    """The whole view: what matters in the open, the rest in ``<details>`` that GitHub and forums fold."""
    lines = [f"# {plain(view.title)}", "", plain(" ".join(view.opening)), ""]
    for warning in view.warnings:
        lines += [f"> {plain(warning)}", ""]
    if view.news:
        lines += ["## News", "", *_news(view), ""]
    if view.play.entries:
        lines += [
            f"## {view.play.title} ({len(view.play.entries):,})",
            "",
            *map(_item, view.play.entries),
            "",
        ]
    if view.replacements:
        lines += [f"## Mass rewordings ({len(view.replacements):,})", ""]
        for found in view.replacements:
            became = diff((("delete", found.before), ("equal", " → "), ("insert", found.after)))
            lines.append(f"- {became}, {found.count:,}×: {', '.join(map(plain, found.places))}")
        lines.append("")
    late = [group for group in view.groups if group.key in ("references", "typography")]
    for group in view.groups:
        if group not in late:
            lines += _folded(group.title, len(group.entries), [_item(entry) for entry in group.entries])
    if view.lists:
        told = []
        for change in view.lists:
            joined = [f"joined: {', '.join(map(plain, change.joined))}"] if change.joined else []
            left = [f"left: {', '.join(map(plain, change.left))}"] if change.left else []
            told.append(f"- {plain(change.title)} ({plain(change.number)}): {'; '.join(joined + left)}")
        lines += _folded("Lists", len(view.lists), told)
    if view.ranges:
        lines += _folded("Renumbered", view.moved, _table(view))
    for group in late:
        lines += _folded(group.title, len(group.entries), [_item(entry) for entry in group.entries])
    return "\n".join([*lines, "---", "", plain(FAN_CONTENT_NOTICE)]) + "\n"


def bulletin(view: View) -> str:
    """A draft article: one short section a subject with its changes, and a place for the reasons.

    A subject is the rule that changes belong to (707.2 for 707.2a and its examples) or a glossary entry.
    """
    lines = [f"# {plain(view.new.release or 'Rules')} update bulletin", ""]
    lines += [f"*Draft. {plain(view.title)}.*", "", plain(" ".join(view.opening)), ""]
    for warning in view.warnings:
        lines += [f"> {plain(warning)}", ""]
    if view.news:
        lines += ["## What is new", "", *_news(view), ""]
    subjects: dict[str, list[Entry]] = {}
    shown = [*view.play.entries]
    for group in view.groups:
        if group.key in ("examples", "glossary"):
            shown += group.entries
    for entry in shown:
        subjects.setdefault(entry.number.rstrip("abcdefghijklmnopqrstuvwxyz") if entry.part != "glossary" else
                            f"Glossary: {entry.number}", []).append(entry)  # fmt: skip
    for subject, entries in subjects.items():
        lines += [f"## {plain(subject) or 'Front matter'}", ""]
        for entry in entries:
            lines += [
                f"{_name(entry)}",
                "",
                f"> {plain(entry.new_text) if entry.kind == 'added' else diff(entry.ops)}",
                "",
            ]
        lines += ["*Why: *", ""]
    if view.replacements:
        lines += ["## The same words in many rules", ""]
        for found in view.replacements:
            became = diff((("delete", found.before), ("equal", " → "), ("insert", found.after)))
            lines.append(f"- {became}, in {found.count:,} places")
        lines.append("")
    if view.ranges:
        lines += ["## Renumbered", "", *_table(view), ""]
    return "\n".join([*lines, "---", "", plain(FAN_CONTENT_NOTICE)]) + "\n"
