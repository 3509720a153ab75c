"""The record of moves: of which version each citation is in a file that ``cite move`` has written.

A second run with the same dates must do nothing, though the numbers that it reads are those of the other version now.
So each file that was written is recorded with its citations and their versions, by the words of their lines. The
record is a file of the project, to be committed with the move; every check and every later move asks it first.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rulehist.errors import SourceError

_FORMAT = 1


def line_key(line: str, ordinal: int, number: str) -> str:
    """What a citation is recognized by: its line without outer blanks, its place in it, its number."""
    digest = hashlib.blake2b(line.strip().encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    return f"{digest}.{ordinal}.{number}"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file that was moved to the version of ``to``; ``citations`` maps keys to the versions that they are of."""

    to: str
    citations: Mapping[str, str]


@dataclass(slots=True)
class Record:
    """All files that were moved, by their path below the root."""

    files: dict[str, FileRecord] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Record:
        """The record of a tree; an empty one where none was written. Raises ``SourceError`` where it is damaged."""
        try:
            read = json.loads(path.read_text(encoding="utf-8"))
            if read["format"] != _FORMAT:
                raise SourceError(f"{path}: was written by a newer rulehist; update the program")
            return cls({name: FileRecord(one["to"], dict(one["citations"])) for name, one in read["files"].items()})
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(f"{path}: is no record of moves ({error}); restore it from your repository") from error

    def as_json(self) -> str:
        """The record as it is written, in an order that makes for small differences."""
        files = {
            name: {"to": self.files[name].to, "citations": dict(sorted(self.files[name].citations.items()))}
            for name in sorted(self.files)
        }
        return json.dumps({"format": _FORMAT, "files": files}, indent=1, ensure_ascii=False) + "\n"

    def knows(self, name: str) -> bool:
        """Whether the file was moved before."""
        return name in self.files

    def of(self, name: str, key: str) -> str | None:
        """The version that a citation is of, where the record tells."""
        known = self.files.get(name)
        return known.citations.get(key) if known is not None else None

    def moved_to(self, name: str) -> str | None:
        """The version to which the file was last moved."""
        known = self.files.get(name)
        return known.to if known is not None else None
