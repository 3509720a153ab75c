"""Fixtures that every test may use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulehist.reading import Reading, read
from rulehist.store import open_for_reading


def _archive_folder() -> Path | None:
    named = os.environ.get("RULEHIST_ARCHIVE")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "archive"
    return folder if (folder / "cr").is_dir() else None


@pytest.fixture(scope="session")
def archive() -> Path:
    """Folder of the published rules texts: ``cr/``, ``other-formats/``, ``releases.tsv``."""
    folder = _archive_folder()
    if folder is None:
        pytest.skip("no archive of rules texts: set RULEHIST_ARCHIVE, or lay it in ../shared/archive")
    return folder


@pytest.fixture(scope="session")
def readings(archive: Path) -> dict[str, Reading]:
    """Every text of the archive, read once: file name to what was read."""
    return {path.name: read(path.read_bytes(), path.name) for path in sorted((archive / "cr").glob("*.txt"))}


@pytest.fixture(scope="session")
def archive_database(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store that holds the whole archive."""
    from rulehist.ingest import ingest_files
    from rulehist.workers import processors

    path = tmp_path_factory.mktemp("archive") / "archive.db"
    ingest_files(path, [archive / "cr"], processes=processors())
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven through the extra ``browser``."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the extra 'browser' is not installed")
    with playwright.sync_playwright() as started:
        launched = started.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., str]:
    """Run a command of the command line on the bundled texts, or on ``--db``, and give what it prints."""
    from rulehist import cli

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RULEHIST_DB", raising=False)

    def run(*words: object) -> str:
        with pytest.raises(SystemExit) as stop:
            cli.main([str(word) for word in words])
        written = capsys.readouterr()
        assert stop.value.code in {0, 1}, written.err
        return written.out

    return run


@pytest.fixture(scope="module")
def store(archive_database: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the store of the whole archive, for reading."""
    connection = open_for_reading(archive_database)
    yield connection
    connection.close()
