"""The text of a version as a page: each rule with a permanent anchor, a link to its history, and live references."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from rulehist import numbers, pages
from rulehist.document import NUMBERED, Part, PartKind
from rulehist.linked_text import linked
from rulehist.site.addresses import anchor, diff_path, root_from, rule_path
from rulehist.site.plan import PlannedVersion
from rulehist.stored_documents import StoredDocument


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part as the page shows it; ``level`` is 2 for a chapter, 3 for a section, 0 for running text."""

    kind: str
    level: int
    anchor: str
    number: str
    history: str
    text: Markup


def shown_parts(stored: StoredDocument, root: str) -> Iterator[ShownPart]:
    """The parts of a document in order, with links and anchors; no anchor occurs twice."""
    document = stored.document
    known = frozenset(part.number for part in document.parts if part.kind in NUMBERED)
    taken: set[str] = set()

    def in_page(number: str) -> str:
        return f"#{number}" if number in known else ""

    for part, after, rule in zip(document.parts, [*document.parts[1:], None], stored.rules, strict=True):
        own = part.kind in NUMBERED or part.kind is PartKind.GLOSSARY
        name = anchor(part.number) if own else ""
        if name in taken:
            name = ""
        taken.add(name)
        # the page has a list of contents of its own
        listed = part.kind is PartKind.HEADING and after is not None and after.kind is PartKind.CONTENTS
        yield ShownPart(
            PartKind.CONTENTS if listed else part.kind, 0 if listed else _level(part), name, part.number if own else "",
            root + rule_path(rule) if own and rule else "", linked(part.text, in_page),
        )  # fmt: skip


def _level(part: Part) -> int:
    if part.kind is PartKind.HEADING:
        return 2
    if part.kind is not PartKind.SECTION:
        return 0
    read = numbers.parse(part.number)
    return 2 if read is not None and read.section < 100 else 3


def version_html(
    planned: PlannedVersion,
    stored: StoredDocument,
    *,
    site: pages.SiteFrame,
    before: PlannedVersion | None,
    after: PlannedVersion | None,
) -> str:
    """The page of one version, with its neighbours where there are any."""
    root = root_from(planned.path)
    parts = tuple(shown_parts(stored, root))
    return pages.render(
        "version.html.jinja",
        site=site,
        version=planned.version,
        rules=planned.rules,
        parts=parts,
        contents=[part for part in parts if part.level and part.anchor],
        before=before and root + before.path,
        changes=before and root + diff_path(before.name, planned.name),
        after=after and root + after.path,
        after_changes=after and root + diff_path(planned.name, after.name),
    )
