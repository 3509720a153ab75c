"""The change report in Markdown, fit for a pull request or a forum post, and a draft bulletin."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from rulehist.counts import parts_words
from rulehist.headings import Headings
from rulehist.pages import FAN_CONTENT_NOTICE
from rulehist.report_view import Entry, View
from rulehist.subjects import subjects

# What CommonMark or GitHub would read as markup inside a line; other punctuation is harmless there.
_MARKUP = re.compile(r"([\\`*_\[\]<>~#|&])")
_AT_START = re.compile(r"^(\d+)([.)])|^([-+=])")
_BLANKS = re.compile(r"\s*\n\s*")


def plain(text: str) -> str:
    """``text`` escaped so that Markdown shows it as it is, in one line."""
    return _MARKUP.sub(r"\\\1", _BLANKS.sub(" ", text))


def paragraph(text: str) -> str:
    """The same for a text that has a paragraph to itself, where ``1.`` or a dash would begin a list."""
    return _not_a_list(plain(text.strip()))


def _not_a_list(made: str) -> str:
    return _AT_START.sub(lambda start: f"{start[1]}\\{start[2]}" if start[1] else f"\\{start[3]}", made)


_SIGNS = {"delete": "~~", "insert": "**"}
_TAGS = {"delete": ("<del>", "</del>"), "insert": ("<strong>", "</strong>")}


def diff(ops: Iterable[tuple[str, str]]) -> str:
    """Word diff with ``~~removed~~`` and ``**added**``; marks that would touch get a blank between them.

    Where CommonMark would not take the signs for marks, as between a letter and a comma, HTML tags that GitHub and
    forums know stand for them.
    """
    runs = [(op, plain(text)) for op, text in ops if text]
    made = ""
    for index, (op, text) in enumerate(runs):
        body = text.strip()
        if op == "equal" or not body:
            made += text
            continue
        lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
        if index and runs[index - 1][0] != "equal" and not made.endswith(" "):
            lead = lead or " "
        after = tail + "".join(" " if next_op != "equal" else words for next_op, words in runs[index + 1 : index + 2])
        made += lead + _marked(op, body, (made + lead)[-1:], after[:1]) + tail
    return _not_a_list(made)


def _marked(op: str, body: str, before: str, after: str) -> str:
    """A run with its marks, by what stands around it (CommonMark 0.31, section 6.2: left- and right-flanking)."""
    if (body[0].isalnum() or _parts(before)) and (body[-1].isalnum() or _parts(after)):
        return f"{_SIGNS[op]}{body}{_SIGNS[op]}"
    return f"{_TAGS[op][0]}{body}{_TAGS[op][1]}"


def _parts(sign: str) -> bool:
    """Whether a mark beside ``sign`` may be followed by punctuation: nothing, a blank or punctuation."""
    return not sign or sign.isspace() or unicodedata.category(sign)[0] == "P"


def _name(entry: Entry) -> str:
    name = f"**{plain(entry.number) or 'Front matter'}**"
    if entry.part == "example":
        name = f"Example of {name}"
    was = f", was {plain(entry.old_number)}" if entry.moved else ""
    return f"{name} ({entry.kind_words}{was})"


def _item(entry: Entry) -> str:
    words = plain(entry.new_text) if entry.kind == "added" else diff(entry.ops)
    notes = [plain(entry.note)] if entry.note else []
    notes += [f"(not marked: {_became(*words)})" for words in entry.unmarked]
    return f"- {_name(entry)}: {' '.join([words, *notes])}"


def _became(before: str, after: str) -> str:
    if not after:
        return f"{diff((('delete', before),))} left out"
    return diff((("delete", before), ("equal", " → "), ("insert", after)))


def _folded(title: str, lines: Sequence[str]) -> list[str]:
    return ["<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>", ""]


def _news(view: View) -> list[str]:
    lines = []
    for line in view.news:
        told = [f"**{word}:** {', '.join(map(plain, items))}" for word, items in line.told]
        lines.append(f"- {plain(line.subject)}: {'; '.join(told)}")
    return lines + [f"- {plain(note)}" for note in view.news_notes]


def _patterns(view: View, *, places: bool) -> list[str]:
    lines = []
    for found in view.patterns:
        where = f": {', '.join(map(plain, found.places))}" if places else ""
        lines.append(f"- {_became(found.from_, found.to)} in {parts_words(found.parts)}{where}")
    return lines


def _lists(view: View) -> list[str]:
    lines = []
    for found in view.lists:
        told = [f"joined: {', '.join(map(plain, found.items.joined))}"] if found.items.joined else []
        told += [f"left: {', '.join(map(plain, found.items.left))}"] if found.items.left else []
        number = f" ({plain(found.change.number)})" if found.change.part != "glossary" else ""
        lines.append(f"- {plain(found.title)}{number}: {'; '.join(told)}")
    return lines


def _table(view: View) -> list[str]:
    lines = ["| Old | New | Rules |", "| --- | --- | ---: |"]
    for section in view.moves:
        for moved in section.ranges:
            old, new = moved.range.old, moved.range.new
            lines.append(f"| {old} | {new} | {moved.range.rules:,} |")
    return lines


def report_markdown(view: View) -> str:
    """The whole view: what matters in the open, the rest in ``<details>`` that GitHub and forums fold."""
    lines = [f"# {plain(view.title)}", "", paragraph(" ".join(view.opening)), ""]
    for warning in view.warnings:
        lines += [f"> {paragraph(warning)}", ""]
    if view.news or view.news_notes:
        lines += ["## News", "", *_news(view), ""]
    for group in view.groups:
        items = list(map(_item, group.entries))
        title = f"{group.title} ({view.counts.size_words(group.key)})"
        if group.key == "mass":
            lines += [f"## {title}", "", *_patterns(view, places=True), ""]
            if items:
                lines += _folded(f"Nothing else changed in {parts_words(view.counts.groups['mass'])}", items)
        elif group.key == "lists":
            lines += [f"## {title}", "", *_lists(view), "", *_folded("The lists in full", items)]
        elif group.key == "renumbered":
            lines += _folded(title, _table(view))  # it has every one of them
        elif group.folded:
            lines += _folded(title, items)
        else:
            lines += [f"## {title}", "", *items, ""]
    return "\n".join([*lines, "---", "", plain(FAN_CONTENT_NOTICE)]) + "\n"


def bulletin(view: View, headings: Headings | None = None) -> str:
    """A draft article: one short section a subject with its changes, and a place for the reasons.

    ``headings`` are those of the two texts: they give the subjects their words.
    """
    lines = [f"# {plain(view.new.release or 'Rules')} update bulletin", ""]
    lines += [f"*Draft. {plain(view.title)}.*", "", paragraph(" ".join(view.opening)), ""]
    for warning in view.warnings:
        lines += [f"> {paragraph(warning)}", ""]
    if view.news or view.news_notes:
        lines += ["## What is new", "", *_news(view), ""]
    for subject in subjects(view, headings):
        lines += [f"## {plain(subject.heading)}", ""]
        for entry in subject.entries:
            words = paragraph(entry.new_text) if entry.kind == "added" else diff(entry.ops)
            lines += [_name(entry), "", f"> {words}", ""]
        lines += ["*Why:*", ""]
    if view.patterns:
        lines += ["## The same words in many rules", "", *_patterns(view, places=False), ""]
    if view.lists:
        lines += ["## Lists", "", *_lists(view), ""]
    if view.moves:
        lines += ["## Renumbered", "", *_table(view), ""]
    return "\n".join([*lines, "---", "", plain(FAN_CONTENT_NOTICE)]) + "\n"
