"""A dated text, read: the parts that a source is made of, in its own order, nothing left out.

Every non-blank line of a source belongs to exactly one part, so that the text can be given back.
Inside a text a single line break is where the source broke its line, and an empty line separates paragraphs.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import NamedTuple


class PartKind(StrEnum):
    """What a part is. Rules, subrules, examples and glossary entries have a history; the rest is front matter."""

    TITLE = "title"
    NOTICE = "notice"  # dates, legal and contact lines, separators: what is neither rules nor introduction
    INTRODUCTION = "introduction"
    CONTENTS = "contents"
    HEADING = "heading"  # "Contents", "Glossary", "Credits" ... standing alone
    SECTION = "section"  # "7. Additional Rules" and "707. Copying Objects"
    RULE = "rule"  # 707.2
    SUBRULE = "subrule"  # 707.2a
    CONTINUATION = "continuation"  # a paragraph with which a rule goes on after an example
    EXAMPLE = "example"
    GLOSSARY = "glossary"
    CREDITS = "credits"


NUMBERED = frozenset({PartKind.SECTION, PartKind.RULE, PartKind.SUBRULE})
"""Kinds that carry a rule number of their own."""

WITH_HISTORY = NUMBERED | {PartKind.CONTINUATION, PartKind.EXAMPLE, PartKind.GLOSSARY}
"""Kinds whose identity is followed from version to version."""


class Coverage(StrEnum):
    """Whether a document is the whole text or knows only what it quotes."""

    FULL = "full"
    EXCERPT = "excerpt"


class Severity(StrEnum):
    """What a finding means for ingesting: refused unless forced, warned about, or only worth knowing."""

    FATAL = "fatal"
    WARNING = "warning"
    NOTE = "note"


class Finding(NamedTuple):
    """Something wrong, odd or worth knowing in a source, with its place (``line`` is 1-based; 0: the whole)."""

    code: str  # short and stable, such as "number-twice", "cut-off", "out-of-order"
    message: str  # one sentence for people
    line: int = 0
    severity: Severity = Severity.WARNING


class Part(NamedTuple):
    """One part of a document.

    ``number`` is the normalized rule number (``707.2a``) of a section, rule or subrule; of an example or
    continuation, the rule that it belongs to; of a glossary entry, its term as published; else empty.
    ``label`` is what the source prints before the text (``"707.2a "``, ``"Example: "``, ``"• 201.5. "``, a
    glossary term and its line break), exactly, so that ``label + text`` is the source again.
    """

    kind: PartKind
    text: str
    number: str = ""
    label: str = ""
    line: int = 0  # 1-based line of the source at which the part begins
    truncated: bool = False  # cut off in mid-sentence by the source: never evidence of a change


class Document(NamedTuple):
    """One dated text out of a source. ``effective`` is ``None`` where the source gives no date."""

    kind: str  # name of the source kind that read it, such as "comprehensive-rules"
    coverage: Coverage
    effective: date | None
    parts: tuple[Part, ...]
    release: str = ""  # release name, where the source itself states one
    later_than: date | None = None  # for an undated text: the newest date that it must follow
    findings: tuple[Finding, ...] = ()
