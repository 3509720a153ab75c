"""The record of moves: of which version each citation is in a file that ``cite move`` has written.

A second run with the same dates must do nothing, though the numbers that it reads are those of the other version now.
So each file that was written is recorded with its citations and their versions, by the words of their lines. The
record is a file of the project, to be committed with the move; every check and every later move asks it first.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rulehist.errors import SourceError

_FORMAT = 1
UNCLEAR = "?"
"""Stands for a version that cannot be told."""


def line_key(line: str, ordinal: int, number: str) -> str:
    """What a citation is recognized by: its line without outer blanks, its place in it, its number."""
    digest = hashlib.blake2b(line.strip().encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    return f"{digest}.{ordinal}.{number}"


def digest_of(data: bytes) -> str:
    """What a file's bytes are recognized by."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file that was moved to the version of ``to``; ``citations`` maps keys to the versions that they are of.

    Lines can be the same and their citations of several versions; then these stand there in order, with commas.
    ``before`` is the digest of the file as it was before: a file that is so again (a restored one) was not moved.
    """

    to: str
    before: str
    citations: Mapping[str, str]

    def days(self, keys: Sequence[str]) -> list[str | None]:
        """The version of each of these citations, ``None`` where it is not recorded.

        Where it cannot be told, because lines that were the same have become more or fewer, it is ``UNCLEAR``.
        """
        counts = Counter(keys)
        seen: Counter[str] = Counter()
        found: list[str | None] = []
        for key in keys:
            known = self.citations.get(key)
            days = known.split(",") if known is not None else []
            if len(days) > 1:
                known = days[seen[key]] if len(days) == counts[key] else UNCLEAR
            seen[key] += 1
            found.append(known)
        return found


def recorded(keys: Sequence[str], days: Sequence[str | None]) -> dict[str, str]:
    """What to record of citations with these keys and versions."""
    found: dict[str, list[str]] = {}
    for key, day in zip(keys, days, strict=True):
        found.setdefault(key, []).append(day or UNCLEAR)
    kept = {key: all_days for key, all_days in found.items() if set(all_days) != {UNCLEAR}}
    return {key: all_days[0] if len(set(all_days)) == 1 else ",".join(all_days) for key, all_days in kept.items()}


@dataclass(slots=True)
class Record:
    """All files that were moved, by their path below the root; ``gone`` are those that are no longer there."""

    files: dict[str, FileRecord] = field(default_factory=dict)
    gone: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record of a tree; an empty one where none was written. Raises ``SourceError`` where it is damaged."""
        try:
            read = json.loads(path.read_text(encoding="utf-8"))
            if read["format"] != _FORMAT:
                raise SourceError(f"{path}: was written by a newer rulehist; update the program")
            files = {
                name: FileRecord(one["to"], one["before"], dict(one["citations"]))
                for name, one in read["files"].items()
            }
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(f"{path}: is no record of moves ({error}); restore it from your repository") from error
        return cls(files, tuple(name for name in files if not (path.parent / name).exists()))

    def as_json(self) -> str:
        """The record as it is written, in an order that makes for small differences."""
        files = {
            name: {"to": one.to, "before": one.before, "citations": dict(sorted(one.citations.items()))}
            for name, one in sorted(self.files.items())
        }
        return json.dumps({"format": _FORMAT, "files": files}, indent=1, ensure_ascii=False) + "\n"

    def of(self, name: str, data: bytes, keys: Sequence[str]) -> FileRecord | None:
        """What is recorded of a file with these bytes and citations, under its own name or the one that it had."""
        known = self.files.get(name)
        if known is not None:
            return None if known.before == digest_of(data) else known
        for former in self.gone:
            there = self.files[former].citations
            if keys and 2 * sum(key in there for key in keys) >= len(keys):
                return self.files[former]
        return None

    def take_in(self, other: Record, folder: str) -> None:
        """Add what the record of a folder below says of files that this one does not know."""
        for name, one in other.files.items():
            self.files.setdefault(f"{folder}/{name}", one)

    def asks(self, name: str) -> bool:
        """Whether anything may be recorded of a file of that name."""
        return name in self.files or bool(self.gone)
