"""The change report as CSV (RFC 4180), a row a change, in the reader's order."""

from __future__ import annotations

import csv
import io

from rulehist.report_view import View

COLUMNS = ("group", "kind", "part", "old_number", "new_number", "old_text", "new_text")
"""What each row has; a side that is not there is empty."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What begins a formula where a spreadsheet opens the file (OWASP, CSV Injection)."""


def report_csv(view: View) -> str:
    """Every change of the view. A field that a spreadsheet would take for a formula begins with an apostrophe."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    for group in view.groups:
        for entry in group.entries:
            sides = entry.old_number, entry.new_number, entry.old_text, entry.new_text
            rows.writerow((group.key, entry.kind, entry.part, *map(_as_text, sides)))
    return out.getvalue()


def _as_text(field: str) -> str:
    return f"'{field}" if field.startswith(_FORMULA) else field
