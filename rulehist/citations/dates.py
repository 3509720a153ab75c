"""When the lines of a file were last touched, by git."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

from rulehist.errors import QueryError

_AT_ONCE = 4
_NOT_COMMITTED = "0" * 40


def line_dates(paths: Iterable[Path]) -> Mapping[Path, list[str]]:
    """For each file the ISO date of the commit that last touched each line, as its author dated it.

    Lines that are not committed are of today; so is a file that git does not know. Changes of blanks alone do not
    count. Raises ``QueryError`` where git is not there or the files are in no repository.
    """
    files = list(paths)
    if not files:
        return {}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip(files, pool.map(_blame, files), strict=True))


class LineHistory:
    """The dates of one file's lines, asked of git when first needed; a file outside of git has none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._dates: list[str] | None = None

    def on(self, line: int) -> str | None:
        """The date of the last commit of a line, counted from 1."""
        if self._dates is None:
            try:
                self._dates = _blame(self._path) if self._path.is_file() else []
            except QueryError:
                self._dates = []
        return self._dates[line - 1] if line <= len(self._dates) else None


def _blame(path: Path) -> list[str]:
    command = ["git", "-C", str(path.parent.resolve()), "blame", "-w", "--line-porcelain", "--", path.name]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - no shell, and the path is last
    except OSError as error:
        raise QueryError(f"git cannot be run ({error.strerror}); install it, or give a date with --written") from error
    if done.returncode == 0:
        return dates_of(done.stdout)
    message = done.stderr.decode("utf-8", "replace")
    if "not a git repository" in message:
        raise QueryError(f"{path}: is in no git repository; give a date with --written")
    if "no such path" in message or "has only" in message or "no such ref" in message or "bad revision" in message:
        today = date.today().isoformat()
        return [today] * (path.read_bytes().count(b"\n") + 1)
    raise QueryError(f"{path}: git cannot tell when its lines were written ({message.strip()}); give a date")


def dates_of(porcelain: bytes) -> list[str]:
    """The dates in what ``git blame --line-porcelain`` prints, one a line of the file."""
    found: list[str] = []
    seconds, zone, commit = 0, UTC, ""
    header = True
    for line in porcelain.split(b"\n"):
        if line.startswith(b"\t"):
            found.append(_day(commit, seconds, zone))
            header = True
        elif header:
            commit = line[:40].decode("ascii", "replace")
            header = False
        elif line.startswith(b"author-time "):
            seconds = int(line[12:])
        elif line.startswith(b"author-tz "):
            zone = _zone(line[10:].decode("ascii"))
    return found


def _day(commit: str, seconds: int, zone: timezone) -> str:
    if commit == _NOT_COMMITTED:
        return date.today().isoformat()
    return datetime.fromtimestamp(seconds, UTC).astimezone(zone).date().isoformat()


def _zone(written: str) -> timezone:
    sign = -1 if written.startswith("-") else 1
    digits = written.lstrip("+-").rjust(4, "0")
    return timezone(sign * timedelta(hours=int(digits[:2]), minutes=int(digits[2:])))
