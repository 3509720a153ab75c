"""The change report as MediaWiki markup: one table, fit for a wiki's page on the history of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulehist.pages import FAN_CONTENT_NOTICE
from rulehist.report_view import View

# What opens markup in MediaWiki, given as character references: a text could close <nowiki>.
_MARKUP = re.compile(r"[&<>\[\]{}|'~=*#:;_!-]")
_BLANKS = re.compile(r"\s*\n\s*")


def plain(text: str) -> str:
    """``text`` escaped so that MediaWiki shows it as it is, in one line."""
    return _MARKUP.sub(lambda sign: sign[0] if _harmless(sign) else f"&#{ord(sign[0])};", _BLANKS.sub(" ", text))


def _harmless(sign: re.Match[str]) -> bool:
    # A hyphen, colon or apostrophe inside a line is markup only when doubled or first.
    text, at = sign.string, sign.start()
    return sign[0] in "-':;=*#!" and at > 0 and text[at - 1] != sign[0] and text[at + 1 : at + 2] != sign[0]


def diff(ops: Iterable[tuple[str, str]]) -> str:
    """Word diff with ``<del>`` and ``<ins>``, which MediaWiki allows."""
    tags = {"equal": "{}", "delete": "<del>{}</del>", "insert": "<ins>{}</ins>"}
    return "".join(tags[op].format(plain(text)) for op, text in ops)


def report_wikitext(view: View) -> str:
    """Opening, news and one sortable table of every change; renumbered rules as ranges."""
    lines = [plain(" ".join(view.opening)), ""]
    lines += [f"''{plain(warning)}''\n" for warning in view.warnings]
    for line in view.news:
        told = [f"{word}: {', '.join(map(plain, items))}" for word, items in line.told]
        lines.append(f"* {plain(line.subject)} – {'; '.join(told)}")
    lines += [
        "",
        '{| class="wikitable sortable"',
        f"|+ {plain(view.title)}",
        "! Rule !! Was !! Change !! Words",
    ]
    for entry in (entry for group in view.groups if group.key != "renumbered" for entry in group.entries):
        lines += [
            "|-",
            f"| {'Example of ' if entry.part == 'example' else ''}{plain(entry.number) or 'Front matter'}",
            f"| {plain(entry.old_number) if entry.moved else ''}",
            f"| {entry.kind_words}",
            f"| {diff(entry.ops)}",
        ]
    lines.append("|}")
    if view.moves:
        lines += ["", '{| class="wikitable"', "|+ Renumbered", "! Old !! New !! Rules"]
        for moved in (moved for section in view.moves for moved in section.ranges):
            lines += ["|-", f"| {moved.range.old} || {moved.range.new} || {moved.range.rules}"]
        lines.append("|}")
    return "\n".join([*lines, "", f"<small>{plain(FAN_CONTENT_NOTICE)}</small>"]) + "\n"
