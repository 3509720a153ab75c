"""The answers of ``versions``, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulehist.answers import version_json
from rulehist.dated_versions import VersionRow
from rulehist.gaps import named
from rulehist.placing import Placed, Verdict, sentence
from rulehist.releases import Release
from rulehist.version_sources import Reissue, VersionSource

_WIDTH = 80
_GAPS_NAMED = 6


@dataclass(frozen=True, slots=True)
class Verbose:
    """What ``versions --verbose`` tells beside the list."""

    sources: Mapping[int, Sequence[VersionSource]]
    reissues: Sequence[Reissue]


def versions_json(listed: Sequence[VersionRow]) -> list[dict[str, Any]]:
    """The list of ``versions --json``, oldest first."""
    return [
        version_json(row.version)
        | {"rules": row.rules, "source": row.source, "sha256": row.sha256, "warnings": list(row.warnings)}
        for row in listed
    ]


def versions_text(listed: Sequence[VersionRow], missing: Sequence[Release], excerpts: Iterable[Placed]) -> str:
    """A table: date, code, coverage, rules, release; below it the gaps and what undated texts are the text of."""
    lines = [f"{'effective':<11} {'code':<5} {'coverage':<8} {'rules':>5}  release"]
    for row in listed:
        version = row.version
        lines.append(
            f"{version.effective or 'unknown':<11} {version.code:<5} {version.coverage:<8} {row.rules:>5}"
            f"  {release_words(row)}"
        )
    return "\n".join([*lines, *notes(listed, missing, excerpts)])


def release_words(row: VersionRow) -> str:
    """The name of a version's release; of one without a date what is known of it."""
    return row.version.release or (row.version.label if row.version.effective is None else "")


def notes(listed: Sequence[VersionRow], missing: Sequence[Release], excerpts: Iterable[Placed]) -> list[str]:
    """What is told below the table: how many there are, the gaps, what undated texts are the text of."""
    full = sum(row.version.coverage == "full" for row in listed)
    lines = [f"{len(listed)} versions: {full} full texts, {len(listed) - full} known from excerpts"]
    if missing:
        releases = "release" if len(missing) == 1 else "releases"
        lines.append(f"no full text of {len(missing)} known {releases}: {named(missing, _GAPS_NAMED)}")
    lines += [
        f"{found.quotation.source}: {sentence(found)}"
        for found in excerpts
        if found.quotation.effective is None or found.verdict is Verdict.DIFFERS
    ]
    return lines


def verbose_json(
    listed: Sequence[VersionRow], missing: Sequence[Release], excerpts: Sequence[Placed], verbose: Verbose
) -> dict[str, Any]:
    """``{versions, gaps, excerpts}``: each version also has ``sources`` and ``reissues``."""
    from rulehist.diff_text import change_json

    again: dict[str, list[dict[str, Any]]] = {}
    for reissue in verbose.reissues:
        again.setdefault(reissue.effective, []).append(
            {
                "source": reissue.source.name,
                "sha256": reissue.source.sha256,
                "compared_with": reissue.basis.sha256,
                "changes": [change_json(change) for change in reissue.changes],
                "typographic": reissue.typographic,
                "front": reissue.front,
            }
        )
    return {
        "versions": [
            shape
            | {
                "sources": [_source_json(source) for source in verbose.sources.get(row.version.id, ())],
                "reissues": again.get(row.version.effective or "", []),
            }
            for row, shape in zip(listed, versions_json(listed), strict=True)
        ],
        "gaps": [{"effective": gap.effective, "code": gap.code, "release": gap.name} for gap in missing],
        "excerpts": [
            {
                "source": found.quotation.source,
                "number": found.quotation.number,
                "kind": found.quotation.kind,
                "effective": found.quotation.effective,
                "truncated": found.quotation.truncated,
                "verdict": str(found.verdict),
                "to_the_letter": found.to_the_letter,
                "rule": found.rule or None,
                "from": found.since,
                "until": found.until,
            }
            for found in excerpts
        ],
    }


def _source_json(source: VersionSource) -> dict[str, Any]:
    return {
        "name": source.name,
        "sha256": source.sha256,
        "coverage": source.coverage,
        "date_in_name": source.named,
        "encoding": source.encoding,
        "encoding_reason": source.reason,
        "line_ends": source.line_ends,
        "damaged": source.damaged,
        "warnings": list(source.warnings),
    }


def verbose_text(
    listed: Sequence[VersionRow], missing: Sequence[Release], excerpts: Sequence[Placed], verbose: Verbose
) -> str:
    """Each version with its sources and what they differ in; gaps at their place; what excerpts are the text of."""
    lines: list[str] = []
    gaps = list(missing)
    for row in listed:
        while gaps and (row.version.effective is None or gaps[0].effective < row.version.effective):
            lines += _gap_lines(gaps.pop(0))
        lines.append(f"{row.version.label}: {row.version.coverage}, {row.rules} rules")
        for source in verbose.sources.get(row.version.id, ()):
            lines += _source_lines(source, row.version.effective)
        for reissue in verbose.reissues:
            if reissue.effective == row.version.effective:
                lines += _reissue_lines(reissue)
    for gap in gaps:
        lines += _gap_lines(gap)
    if excerpts:
        lines.append("What excerpts quote, held against the full texts:")
        lines += [f"  {found.quotation.source}: {sentence(found)}" for found in excerpts]
    return "\n".join(lines)


def _gap_lines(gap: Release) -> list[str]:
    return [f"{gap.effective} ({gap.code}, {gap.name}): no text in the store"]


def _source_lines(source: VersionSource, effective: str | None) -> list[str]:
    named = f"; the name says {source.named}" if source.named and source.named != effective else ""
    lines = [
        f"  {source.name}{named}",
        f"    sha256 {source.sha256}",
        f"    {source.encoding}: {source.reason}; line ends {source.line_ends}",
    ]
    if source.damaged:
        lines.append("    taken by force although damaged")
    return lines + [f"    warning: {warning}" for warning in source.warnings]


def _reissue_lines(reissue: Reissue) -> list[str]:
    from rulehist.diff_text import heading
    from rulehist.marked_words import marked, wrapped

    both = f"  {reissue.source.name}, held against {reissue.basis.name}"
    counts = {
        "rules, examples and glossary entries": len(reissue.changes),
        "front matter": reissue.front,
        "typography alone": reissue.typographic,
    }
    differing = [f"{number} in {what}" for what, number in counts.items() if number]
    lines = [f"{both}: differences: {', '.join(differing)}" if differing else f"{both}: the same text"]
    for change in reissue.changes:
        lines.append(f"    {heading(change)}")
        lines += wrapped(marked(change.ops, short=True), _WIDTH, "      ")
    return lines
