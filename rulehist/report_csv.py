"""The change report as CSV (RFC 4180), a row a change, in the reader's order."""

from __future__ import annotations

import csv
import io

from rulehist.report_view import View

COLUMNS = ("group", "kind", "part", "old_number", "new_number", "old_text", "new_text")
"""What each row has; a side that is not there is empty."""


def report_csv(view: View) -> str:
    """Every change of the view, rules that only moved at the end."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    for group in (view.play, *view.groups):
        for entry in group.entries:
            rows.writerow(
                (
                    group.key,
                    entry.kind,
                    entry.part,
                    entry.old_number,
                    entry.new_number,
                    entry.old_text,
                    entry.new_text,
                )
            )
    for entry in (entry for run in view.ranges for entry in run.entries if entry.kind == "renumbered"):
        rows.writerow(
            (
                "moved",
                entry.kind,
                entry.part,
                entry.old_number,
                entry.new_number,
                entry.old_text,
                entry.new_text,
            )
        )
    return out.getvalue()
