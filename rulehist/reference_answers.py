"""References and broken references as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulehist.answers import version_json
from rulehist.cross_references import Broken, BrokenReference, Citation, Citations, Fault
from rulehist.marked_words import wrapped

_WIDTH = 80
_AROUND = 70
"""Characters of the text shown before a broken reference: about a line."""


def citations_json(told: Citations) -> dict[str, Any]:
    """``{rule, number, version, cites, cited_by}``, each ``[{number, kind, rule, printed, target, target_rule}]``."""
    return {
        "rule": told.rule,
        "number": told.number,
        "version": version_json(told.version),
        "cites": [_citation_json(citation) for citation in told.cites],
        "cited_by": [_citation_json(citation) for citation in told.cited_by],
    }


def _citation_json(citation: Citation) -> dict[str, str]:
    return {
        "number": citation.number,
        "kind": str(citation.kind),
        "rule": citation.rule,
        "printed": citation.printed,
        "target": citation.target,
        "target_rule": citation.target_rule,
    }


def citations_text(told: Citations) -> str:
    """What the rule cites and what cites it, a line each."""
    lines = [f"{told.number} as of {told.version.label}", "", f"cites {len(told.cites) or 'nothing'}"]
    for citation in told.cites:
        there = f"({citation.target_rule})" if citation.target_rule else "(there is no such rule)"
        lines.append(f"  {citation.printed}  {there}")
    lines += ["", f"cited by {len(told.cited_by) or 'nothing'}"]
    for citation in told.cited_by:
        range_of = "" if citation.printed == citation.target else f", as {citation.printed}"
        lines.append(f"  {citation.number}  ({citation.kind}{range_of})")
    return "\n".join(lines)


def broken_json(told: Broken) -> dict[str, Any]:
    """``{version, before, broken: [{fault, number, kind, rule, printed, target, meant, now, text}]}``."""
    return {
        "version": version_json(told.version),
        "before": version_json(told.before) if told.before is not None else None,
        "broken": [
            {
                "fault": str(one.fault),
                "number": one.number,
                "kind": str(one.kind),
                "rule": one.rule,
                "printed": one.printed,
                "target": one.target,
                "meant": one.meant or None,
                "now": one.now or None,
                "text": one.text,
            }
            for one in told.references
        ],
    }


def broken_text(told: Broken) -> str:
    """Each broken reference with the words before it and what is wrong with it."""
    lines = [f"Broken references of {told.version.label}: {len(told.references) or 'none'}"]
    for one in told.references:
        lines += ["", *_broken_lines(one)]
    return "\n".join(lines)


def _broken_lines(one: BrokenReference) -> Iterator[str]:
    said = {
        Fault.NOTHING: f"there is no rule {one.target}",
        Fault.ELSEWHERE: f"{one.target} is another rule now; the one that was meant ({one.meant}) went to {one.now}",
        Fault.TITLE: f"the title that it gives is that of {one.now}, not of {one.target}",
    }[one.fault]
    yield from wrapped(f"{one.number} ({one.kind}): {said}", _WIDTH, "")
    text = " ".join(one.text.split())
    printed = " ".join(one.printed.split())
    at = text.find(printed)
    start = max(at - _AROUND, 0)
    yield from wrapped(("…" if start else "") + text[start : at + len(printed)], _WIDTH, "    ")
