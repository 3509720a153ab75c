"""The change report as CSV (RFC 4180), a row a change, in the reader's order."""

from __future__ import annotations

import csv
import io

from rulehist.report_view import View

COLUMNS = ("group", "kind", "part", "old_number", "new_number", "old_text", "new_text")
"""What each row has; a side that is not there is empty."""


def report_csv(view: View) -> str:
    """Every change of the view."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    for group in view.groups:
        for entry in group.entries:
            sides = entry.old_number, entry.new_number, entry.old_text, entry.new_text
            rows.writerow((group.key, entry.kind, entry.part, *sides))
    return out.getvalue()
