"""The files of a tree that may hold citations: walked, read and written without changing a byte that is not meant.

``.gitignore`` is honoured as git does. Symbolic links are never followed, binaries and files over a limit are left
out; what is left out is said. A text is decoded so that encoding it again gives the same bytes.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from rulehist.citations.patterns import Patterns
from rulehist.errors import SourceError
from rulehist.thresholds import CITED_LARGEST

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_BINARY_WITHIN = 8192
"""Bytes from the beginning of a file in which a zero byte tells that it is no text."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was left out, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file as text. ``name`` is its path below the root of the tree, with slashes."""

    path: Path
    name: str
    text: str
    encoding: str

    def encoded(self, text: str) -> bytes:
        """``text`` as bytes in the encoding of this file."""
        return _encode(text, self.encoding)


def root_of(paths: Sequence[Path], patterns: Patterns) -> Path:
    """The folder by which files are named, and where the record of moves lies.

    It is that of the configuration, else the topmost with a record of moves, else that of the repository, else the
    current folder where all the paths lie below it, else the one that holds them all.
    """
    if patterns.folder is not None:
        return patterns.folder
    start = Path(os.path.commonpath([path.resolve() for path in paths] or [Path.cwd()]))
    folder = start if start.is_dir() else start.parent
    above = (folder, *folder.parents)
    recorded = [one for one in above if (one / patterns.record).is_file()]
    if recorded:
        return recorded[-1]
    here = Path.cwd().resolve()
    return next((one for one in above if (one / ".git").exists()), here if here in above else folder)


def walk(paths: Sequence[Path], root: Path, patterns: Patterns) -> Iterator[Path | Skipped]:
    """The files below ``paths`` in order of their names, each once, and what was left out.

    A file that is named itself is taken though it be ignored. Raises ``SourceError`` for a path that is not there.
    """
    seen: set[Path] = set()
    for path in paths:
        if path.is_symlink() and not path.is_dir():
            yield Skipped(path, "a symbolic link")
        elif path.is_dir():
            for found in _below(path, root, patterns):
                at = found.path if isinstance(found, Skipped) else found
                if at not in seen:
                    seen.add(at)
                    yield found
        elif path.is_file():
            if path not in seen:
                seen.add(path)
                yield path
        else:
            raise SourceError(f"{path}: there is no such file or folder; check the path")


def _below(folder: Path, root: Path, patterns: Patterns) -> Iterator[Path | Skipped]:
    from pathspec import GitIgnoreSpec

    always = GitIgnoreSpec.from_lines(patterns.skip)
    base = folder.resolve()
    yield from _entries(folder, base, _Ignored([(root.resolve(), always), *_specs_above(base)]))


def _entries(folder: Path, base: Path, ignored: _Ignored) -> Iterator[Path | Skipped]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Skipped(folder, f"cannot be read ({error.strerror})")
        return
    here = ignored.with_file(base, base / ".gitignore")
    for entry in entries:
        at = folder / entry.name
        is_folder = entry.is_dir(follow_symlinks=False)
        if here.has(base / entry.name, is_folder):
            continue
        if entry.is_symlink():
            yield Skipped(at, "a symbolic link")
        elif is_folder:
            yield from _entries(at, base / entry.name, here)
        elif entry.is_file(follow_symlinks=False):
            yield at


@dataclass(frozen=True, slots=True)
class _Ignored:
    """What is ignored: the patterns of each folder from the top down; the deepest that says something decides."""

    specs: Sequence[tuple[Path, GitIgnoreSpec]]

    def with_file(self, folder: Path, path: Path) -> _Ignored:
        spec = _spec(path)
        return self if spec is None else _Ignored([*self.specs, (folder, spec)])

    def has(self, path: Path, is_folder: bool) -> bool:
        whole = str(path)
        for folder, spec in reversed(self.specs):
            above = str(folder)
            if not whole.startswith(above + os.sep):
                continue
            name = whole[len(above) + 1 :].replace(os.sep, "/")
            verdict = spec.check_file(name + "/" if is_folder else name).include
            if verdict is not None:
                return verdict
        return False


def _specs_above(base: Path) -> list[tuple[Path, GitIgnoreSpec]]:
    """The patterns that a repository sets for ``base`` in the folders above it."""
    top = next((above for above in (base, *base.parents) if (above / ".git").exists()), None)
    if top is None:
        return []
    folders = [top, *[above for above in reversed(base.parents) if top in above.parents]]
    files = [(top, top / ".git" / "info" / "exclude"), *[(at, at / ".gitignore") for at in folders if at != base]]
    return [(at, spec) for at, path in files if (spec := _spec(path)) is not None]


def _spec(path: Path) -> GitIgnoreSpec | None:
    from pathspec import GitIgnoreSpec

    try:
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    return GitIgnoreSpec.from_lines(lines)


def read_text(path: Path, root: Path, patterns: Patterns) -> TextFile | Skipped:
    """The file as text, or why it is left out."""
    try:
        state = path.lstat()
        if not stat.S_ISREG(state.st_mode):
            return Skipped(path, "not a plain file")
        largest = patterns.largest or CITED_LARGEST
        if state.st_size > largest:
            return Skipped(path, f"{state.st_size:,} bytes, over the limit of {largest:,}")
        data = path.read_bytes()
    except OSError as error:
        return Skipped(path, f"cannot be read ({error.strerror})")
    encoding = _encoding(data)
    if encoding is None:
        return Skipped(path, "binary")
    text = data.decode(encoding, "surrogateescape" if encoding == "utf-8" else "surrogatepass")
    if _encode(text, encoding) != data:
        return Skipped(path, "damaged text")
    return TextFile(path, name_below(path, root), text, encoding)


def article(path: Path) -> TextFile:
    """One article as text. Raises ``SourceError`` where it is none."""
    from rulehist.citations.patterns import default_patterns

    if not path.exists():
        raise SourceError(f"{path}: there is no such file; check the path")
    read = read_text(path, path.parent, default_patterns())
    if isinstance(read, Skipped):
        raise SourceError(f"{path}: is no article ({read.reason}); name a file in Markdown or HTML")
    return read


def write_article(path: Path, file: TextFile, text: str) -> None:
    """Write an article in the encoding that it had. Raises ``SourceError`` where it cannot be written."""
    try:
        path.write_bytes(file.encoded(text))
    except OSError as error:
        raise SourceError(f"{path}: cannot be written ({error.strerror}); name another file with --output") from error


def name_below(path: Path, root: Path) -> str:
    """The path of a file below the root, with slashes; as it was given where it lies elsewhere."""
    whole = path.parent.resolve() / path.name
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else path.as_posix()


def _encoding(data: bytes) -> str | None:
    """The encoding in which the bytes survive; bytes that are no UTF-8 are carried along as they are."""
    if data.startswith(b"\xff\xfe"):
        return "utf-16-le"
    if data.startswith(b"\xfe\xff"):
        return "utf-16-be"
    return None if b"\0" in data[:_BINARY_WITHIN] else "utf-8"


def _encode(text: str, encoding: str) -> bytes:
    return text.encode(encoding, "surrogateescape" if encoding == "utf-8" else "surrogatepass")


def replace_bytes(path: Path, before: bytes, after: bytes) -> None:
    """Write a file as a whole or not at all, keeping its permissions.

    Raises ``SourceError`` where it is no longer what was read, or cannot be written.
    """
    import shutil
    import tempfile

    try:
        if path.is_symlink() or path.read_bytes() != before:
            raise SourceError(f"{path}: was changed by another program meanwhile; nothing was written to it, run again")
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as out:
                out.write(after)
                out.flush()
                os.fsync(out.fileno())
            shutil.copymode(path, name)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise SourceError(f"{path}: cannot be written ({error.strerror}); check its permissions") from error


def is_like(name: str, wanted: Sequence[str]) -> bool:
    """Whether a path below the root is one of these: by its last name, or, with a slash at the end, by a folder."""
    parts = name.split("/")
    return any(
        pattern[:-1] in parts[:-1] if pattern.endswith("/") else fnmatchcase(parts[-1], pattern) for pattern in wanted
    )
