"""From source bytes to the store: what a source says goes in whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulehist import store
from rulehist.document import Finding
from rulehist.errors import SourceError
from rulehist.history_build import build_history
from rulehist.kept_readings import are_current
from rulehist.neighbour_links import out_of_date
from rulehist.readings_build import build_readings
from rulehist.source_rows import SourceRows, read_files, sha256_of
from rulehist.thresholds import FILES_A_TASK
from rulehist.workers import Workers, runs
from rulehist.writer import Writer

_NO_FILE = "a pipe, a socket, a device or a broken link, and only regular files are read"


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of one file: its versions (ISO dates, or ``undated``), or why it was left out."""

    name: str
    sha256: str
    versions: tuple[str, ...] = ()
    parts: int = 0
    findings: tuple[Finding, ...] = ()
    status: str = "stored"  # "stored", "known" (the same bytes are there already), "skipped", "refused"
    reason: str = ""


def files_of(paths: Sequence[Path]) -> list[tuple[Path, bool]]:
    """The files to ingest, each with whether it was named itself (else found in a named folder).

    Raises ``SourceError`` for a path that does not exist or is no regular file, and for a folder without any file.
    """
    found: list[tuple[Path, bool]] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file() and not _is_unfinished(file))
            if not inside:
                raise SourceError(f"{path}: the folder has no files; name a folder or file with rules texts")
            found += [(file, False) for file in inside]
        elif path.is_file():
            found.append((path, True))
        elif path.exists():
            raise SourceError(f"{path}: is {_NO_FILE}; put its text in a file first")
        else:
            raise SourceError(f"{path}: no such file or folder; check the path")
    return found


def _left_out(paths: Sequence[Path]) -> list[Ingested]:
    """What lies in the named folders and is no file: reading a pipe could wait for ever."""
    return [
        Ingested(file.name, "", status="skipped", reason=f"{file}: is {_NO_FILE}")
        for path in paths
        if path.is_dir()
        for file in sorted(path.rglob("*"))
        if not file.is_dir() and not file.is_file() and not _is_unfinished(file)
    ]


def _is_unfinished(file: Path) -> bool:
    """Whether a file is hidden, or a download that is not whole yet."""
    return file.name.startswith(".") or file.suffix == ".part"


def ingest_files(
    database: Path | str,
    paths: Sequence[Path | str],
    *,
    number: str = "",
    force: bool = False,
    processes: int = 1,
    on_progress: Callable[[Path], None] | None = None,
    on_wait: Callable[[], None] | None = None,
) -> list[Ingested]:
    """Store every source under ``paths``, in one transaction, and tell what became of each file.

    ``number`` is the rule number of a history list that does not state it. With ``processes`` above 1, many files
    are read and matched by so many processes; they are spawned, so a script must guard its own start by
    ``if __name__ == "__main__"``. A file that was named itself and cannot be read, or a folder in which nothing
    can, raises ``SourceError`` and leaves the store as it was.
    """
    named = [Path(path) for path in paths]
    files = files_of(named)
    with Workers(processes) as workers, store.writing(Path(database), on_wait) as connection:
        writer = Writer(connection)
        outcomes = _ingest_files(writer, workers, files, number=number, force=force, on_progress=on_progress)
        if not any(outcome.status in {"stored", "known"} for outcome in outcomes):
            raise SourceError(_nothing_read(named, outcomes))
        if any(outcome.status == "stored" for outcome in outcomes) or out_of_date(connection):
            build_history(connection, writer.arrived, workers)
            build_readings(connection)
        elif not are_current(connection):
            build_readings(connection)
    return outcomes + _left_out(named)


def _nothing_read(paths: Sequence[Path], outcomes: Sequence[Ingested]) -> str:
    named = ", ".join(map(str, paths))
    return f"{named}: no file there could be read as a rules text; the first says: {outcomes[0].reason}"


def _ingest_files(
    writer: Writer,
    workers: Workers,
    files: Sequence[tuple[Path, bool]],
    *,
    number: str,
    force: bool,
    on_progress: Callable[[Path], None] | None,
) -> list[Ingested]:
    hashes = [sha256_of(path) for path, _ in files]
    new: dict[str, tuple[Path, bool]] = {}
    for file, sha256 in zip(files, hashes, strict=True):
        if sha256 not in new and not writer.knows(sha256):
            new[sha256] = file
    paths = [path for path, _ in new.values()]
    read = (source for some in workers.each(read_files, runs(paths, FILES_A_TASK)) for source in some)
    outcomes: dict[str, Ingested] = {}
    lists: dict[str, SourceRows] = {}
    for (sha256, file), source in zip(new.items(), read, strict=True):
        if on_progress is not None:
            on_progress(file[0])
        if isinstance(source, SourceRows) and source.unnumbered and not number:
            lists[sha256] = source  # the other files may tell its number
        else:
            outcomes[sha256] = _outcome(writer, file, source, number, force=force)
    for sha256, source in lists.items():
        outcomes[sha256] = _outcome(writer, new[sha256], source, number, force=force)
    told: list[Ingested] = []
    for (path, _), sha256 in zip(files, hashes, strict=True):
        known = Ingested(path.name, sha256, status="known", reason="the same bytes are in the store already")
        told.append(replace(outcomes.get(sha256, known), name=path.name))
        if told[-1].status == "stored":
            outcomes[sha256] = known  # the next time that it is named
    return told


def _outcome(
    writer: Writer, file: tuple[Path, bool], source: SourceRows | SourceError, number: str, *, force: bool
) -> Ingested:
    path, named = file
    try:
        return _stored(writer, source, number, force)
    except SourceError as error:
        if named:
            raise SourceError(_with_path(path, str(error))) from error
        status = "refused" if isinstance(error, RefusedError) else "skipped"
        return Ingested(path.name, "", status=status, reason=_with_path(path, str(error)))


def _stored(writer: Writer, source: SourceRows | SourceError, number: str, force: bool) -> Ingested:
    if isinstance(source, SourceError):
        raise source
    fatal = source.fatal
    if fatal is not None and not force:
        place = f", line {fatal.line}" if fatal.line else ""
        what = fatal.message.rstrip(".")
        raise RefusedError(f"{source.name}{place}: {what}; mend the file, or take it, marked as damaged, with --force")
    writer.add(source, number=number, damaged=fatal is not None)
    return Ingested(
        source.name,
        source.sha256,
        tuple(document.effective or "undated" for document in source.documents),
        sum(len(document.parts) for document in source.documents),
        source.findings,
    )


def _with_path(path: Path, sentence: str) -> str:
    return sentence if str(path) in sentence else f"{path}: {sentence.removeprefix(path.name).lstrip(':, ')}"


class RefusedError(SourceError):
    """A rules text with a fatal finding: it would poison the history."""
