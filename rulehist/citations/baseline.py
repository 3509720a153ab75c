"""Findings that a project has accepted: a file of the project, so that a check fails only for new ones."""

from __future__ import annotations

import json
from pathlib import Path

from rulehist.citations.findings import Report
from rulehist.errors import SourceError

_FORMAT = 1


def read(path: Path) -> dict[str, set[str]]:
    """The accepted findings by file. Raises ``SourceError`` where the file is no baseline."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] != _FORMAT:
            raise SourceError(f"{path}: was written by a newer rulehist; update the program")
        return {name: set(keys) for name, keys in found["accepted"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"{path}: is no baseline ({error}); write one anew with --update-baseline") from error


def accept(report: Report, accepted: dict[str, set[str]]) -> None:
    """Take the accepted findings out of a report; they are counted."""
    kept = [one for one in report.findings if one.key not in accepted.get(one.file, ())]
    report.accepted = len(report.findings) - len(kept)
    report.findings = kept


def as_json(report: Report) -> str:
    """A baseline that accepts all findings of a report. Lines are known by their words, so that they may move."""
    accepted: dict[str, list[str]] = {}
    for one in report.findings:
        accepted.setdefault(one.file, []).append(one.key)
    shape = {"format": _FORMAT, "accepted": {name: sorted(accepted[name]) for name in sorted(accepted)}}
    return json.dumps(shape, ensure_ascii=False, indent=1) + "\n"


def write(path: Path, report: Report) -> None:
    """Write a baseline that accepts all findings of a report. Raises ``SourceError`` where it cannot be written."""
    try:
        path.write_text(as_json(report), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path}: cannot be written ({error.strerror}); name another file with --baseline") from error
