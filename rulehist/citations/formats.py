"""The outcome of a check as text for a terminal, JSON, SARIF, or annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from rulehist.citations.findings import ORDER, Finding, Report
from rulehist.citations.verdict import Status
from rulehist.errors import QueryError

_HEADINGS = {
    Status.ANOTHER: "The number exists, and names another rule now",
    Status.WORDS: "The words beside it fit another rule",
    Status.SPLIT: "Split into several rules",
    Status.MERGED: "Merged into another rule",
    Status.MOVED: "Moved",
    Status.GONE: "Gone",
    Status.NEVER: "Named no rule",
    Status.UNKNOWN: "Of unknown date",
    Status.QUOTATION: "Quoted words have changed",
    Status.REWORDED: "Reworded since",
    Status.RIGHT: "Right",
}
_LEVELS = {Status.QUOTATION: "warning", Status.REWORDED: "note", Status.UNKNOWN: "warning", Status.WORDS: "warning"}
_MARKS = {"delete": "[-{}-]", "insert": "{{+{}+}}", "equal": "{}"}


def rendered(report: Report, output_format: str) -> str:
    """The report in one of the formats. Raises ``QueryError`` for an unknown one."""
    refuse_unknown(output_format, ())
    return _FORMATS[output_format](report)


def refuse_unknown(output_format: str, ignored: Sequence[str]) -> None:
    """Raise ``QueryError`` for a format or a kind of finding that there is not."""
    if output_format not in _FORMATS:
        raise QueryError(f"{output_format}: there is no such format; use one of {', '.join(_FORMATS)}")
    for word in ignored:
        if word not in set(Status):
            raise QueryError(f"{word}: there is no such kind of finding; use one of {', '.join(ORDER)}")


def leave_out(report: Report, ignored: Sequence[str]) -> None:
    """Take findings of some kinds out of a report; they stay counted."""
    report.findings = [one for one in report.findings if one.status not in ignored]


def as_text(report: Report) -> str:
    """For people: findings by kind, the worst first, then a summary."""
    lines: list[str] = []
    for status in ORDER:
        found = [one for one in report.findings if one.status is status]
        if not found:
            continue
        lines += [f"{_HEADINGS[status]} ({len(found)})", ""]
        for one in found:
            lines.append(f"  {one.file}:{one.line}:{one.column}: {one.citation}")
            lines.append(f"      {one.message}{_code_note(one)}")
            if "words" in one.shape:
                lines.append(f"      {_marked(one.shape['words'])}")
        lines.append("")
    lines += [f"skipped {one.path}: {one.reason}" for one in report.skipped]
    lines.append(_summary(report))
    return "\n".join(lines) + "\n"


def _code_note(one: Finding) -> str:
    return " (in a string that tests assert on)" if one.shape.get("asserted") else ""


def _marked(ops: list[list[str]]) -> str:
    return "".join(_MARKS[name].format(" ".join(words.split("\n"))) for name, words in ops)


def counted(number: int, thing: str) -> str:
    """A number of things: ``1 file``, ``2 files``."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _summary(report: Report) -> str:
    counts = ", ".join(f"{report.counts[status]} {status}" for status in reversed(ORDER) if report.counts[status])
    accepted = f"; {report.accepted} accepted by the baseline" if report.accepted else ""
    written = report.written or "an unknown date"
    return (
        f"{counted(report.citations, 'citation')} in {counted(report.files, 'file')}, written {written}, "
        f"seen from {report.as_of}: {counts or 'none'}{accepted}"
    )


def as_json(report: Report) -> str:
    """For programs; docs/citations.md describes the shape."""
    shape = {
        "written": report.written,
        "as_of": report.as_of,
        "files": report.files,
        "citations": report.citations,
        "counts": {str(status): report.counts[status] for status in ORDER if report.counts[status]},
        "accepted": report.accepted,
        "findings": [one.shape for one in report.findings],
        "skipped": [{"file": one.path.as_posix(), "reason": one.reason} for one in report.skipped],
    }
    return json.dumps(shape, ensure_ascii=False, indent=2) + "\n"


def as_sarif(report: Report) -> str:
    """SARIF 2.1.0, as code scanning services read it."""
    rules = [
        {"id": f"cite/{status}", "shortDescription": {"text": _HEADINGS[status]},
         "defaultConfiguration": {"level": _LEVELS.get(status, "error")}}
        for status in ORDER if status is not Status.RIGHT
    ]  # fmt: skip
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "rulehist", "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(one) for one in report.findings],
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return json.dumps({"$schema": schema, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _sarif_result(one: Finding) -> dict[str, Any]:
    from urllib.parse import quote

    return {
        "ruleId": f"cite/{one.status}",
        "level": _LEVELS.get(one.status, "error"),
        "message": {"text": f"{one.citation}: {one.message}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(one.file)},
                    "region": {"startLine": one.line, "startColumn": one.column},
                }
            }
        ],
        "partialFingerprints": {"rulehistCitation/v1": one.key},
    }


def as_github(report: Report) -> str:
    """Workflow commands, from which GitHub makes annotations beside the lines."""
    names = {"error": "error", "warning": "warning", "note": "notice"}
    lines = [
        f"::{names[_LEVELS.get(one.status, 'error')]} file={_property(one.file)},line={one.line},col={one.column},"
        f"title={_property(f'{one.citation}: {_HEADINGS[one.status].lower()}')}::{_data(one.message)}"
        for one in report.findings
    ]
    return "\n".join([*lines, _summary(report)]) + "\n"


def _data(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    return _data(words).replace(":", "%3A").replace(",", "%2C")


_FORMATS: dict[str, Callable[[Report], str]] = {
    "text": as_text, "json": as_json, "sarif": as_sarif, "github": as_github,
}  # fmt: skip
