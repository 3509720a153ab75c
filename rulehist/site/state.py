"""What the last build of a site made, so that the next one writes only what differs and removes what is left over."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from rulehist.errors import QueryError
from rulehist.result_files import write_whole
from rulehist.thresholds import FILE_NAME_BYTES

_STATE = ".rulehist-site.json"
"""What was built last: from what, and each file with its hash."""

_JOURNAL = ".rulehist-site.journal"
"""The files that a build has begun to write and that no state names yet, a line each; gone when it is done."""

_OURS = ".rulehist-"
"""How the names of our own files begin that are no pages."""


@dataclass(frozen=True, slots=True)
class State:
    """What the last build was made from, and each of its files with its hash."""

    made_from: str = ""  # empty where that build did not come to its end
    files: dict[str, str] = field(default_factory=dict)


def check_folder(folder: Path) -> None:
    """Raises ``QueryError`` for a folder that holds something else than a site, and for what is no folder."""
    try:
        if folder.exists() and not folder.is_dir():
            raise QueryError(f"{folder}: is a file; name a folder for the site")
        if folder.exists() and not (folder / _STATE).exists() and any(map(_foreign, folder.iterdir())):
            raise QueryError(f"{folder}: holds files that are no site of rulehist; name an empty or a new folder")
    except OSError as error:
        raise QueryError(f"{folder}: cannot be read ({error.strerror}); choose another folder") from error


def _foreign(path: Path) -> bool:
    return not path.name.startswith(_OURS)


def read_state(folder: Path) -> State:
    """The state of a folder; what a build that was ended midway had begun is in it, each file without a hash."""
    try:
        read = json.loads((folder / _STATE).read_text(encoding="utf-8"))
        files = {path: str(digest) for path, digest in dict(read["files"]).items() if _is_within(path)}
        state = State(str(read["made_from"]), files)
    except (OSError, ValueError, KeyError, TypeError):
        # a state that cannot be read only costs that every page is written again
        state = State()
    try:
        begun = (folder / _JOURNAL).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return state
    return State("", {**{path: "" for path in begun if _is_within(path)}, **state.files})


def _is_within(path: str) -> bool:
    """Whether a path of a state can be a file in the site; what a foreign state names elsewhere is never removed."""
    parts = PurePath(path).parts
    named = path.isprintable() and all(len(part.encode()) <= FILE_NAME_BYTES for part in parts)
    return named and bool(parts) and not PurePath(path).is_absolute() and ".." not in parts


def begin_build(folder: Path, before: State) -> None:
    """Note that a build is under way: should it end midway, its folder is known as a site, and no hash is trusted."""
    if not before.made_from:
        for part in folder.rglob(f"{_OURS}*.part"):
            part.unlink(missing_ok=True)  # of a process that was killed while it wrote
    _write_state(folder, State(files=dict.fromkeys(before.files, "")))
    (folder / _JOURNAL).unlink(missing_ok=True)


def note_begun(folder: Path, path: str) -> None:
    """Note that a build begins to write a file that the state does not name; for several processes at once."""
    with (folder / _JOURNAL).open("ab", buffering=0) as journal:
        journal.write(f"{path}\n".encode())


def end_build(folder: Path, state: State) -> None:
    """Note what a build has made."""
    _write_state(folder, state)
    (folder / _JOURNAL).unlink(missing_ok=True)


def _write_state(folder: Path, state: State) -> None:
    shape = {"made_from": state.made_from, "files": dict(sorted(state.files.items()))}
    write_file(folder / _STATE, json.dumps(shape, indent=0) + "\n")


def write_file(target: Path, text: str) -> None:
    """Write a file of the site, whole, with the folders above it. Raises ``QueryError``."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text)
    except OSError as error:
        raise QueryError(f"{target}: cannot be written ({error.strerror}); choose another folder") from error
