"""Reads the tab-separated tables under ``data/``: comment lines, a header, rows of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulehist.errors import DataError


def rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield ``(line number, cells)`` of each row; lines that begin with ``#`` and blank lines are skipped.

    Raises ``DataError`` where the file cannot be read, its header is not ``columns``, or a row has other columns.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}); restore the file from the release") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8 text; save it as UTF-8") from error
    header_seen = False
    for line_number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if not header_seen:
            if cells != list(columns):
                raise DataError(
                    f"{path}:{line_number}: the header must be the columns {', '.join(columns)}, tab by tab"
                )
            header_seen = True
            continue
        if len(cells) != len(columns):
            raise DataError(
                f"{path}:{line_number}: {len(cells)} columns where {len(columns)} are needed ({', '.join(columns)}); "
                "divide them by one tab each"
            )
        yield line_number, cells
    if not header_seen:
        raise DataError(f"{path}: is empty; its first row must be the columns {', '.join(columns)}, tab by tab")
