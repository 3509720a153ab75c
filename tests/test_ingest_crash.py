"""Whatever ends an ingest, and whoever else writes or reads meanwhile: the store opens and holds whole versions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from rulehist import dated_versions, store
from rulehist.digest import content_digest
from rulehist.errors import SourceError, StoreError
from rulehist.ingest import ingest_files
from rulehist.when import parse_when
from tests.small_texts import JUNE_2030, MARCH_2030

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")

# Ingests as the command line does, with a connection that dies at its Nth statement. Its cache is so small that the
# file is half written by then, as it would be in an ingest larger than memory.
DYING = """
import os, signal, sqlite3, sys
from pathlib import Path
from rulehist import ingest, store

left = int(sys.argv[1])
done = 0

class Dying(sqlite3.Connection):
    def execute(self, sql, *values):
        self._step()
        if "cache_spill" in sql:
            sql = "PRAGMA cache_size = 5"
        return super().execute(sql, *values)

    def executemany(self, sql, values):
        def dying_half_way():
            for row in values:
                self._step()
                yield row
        return super().executemany(sql, dying_half_way())

    def _step(self):
        global done
        done += 1
        if done == left:
            os.kill(os.getpid(), signal.SIGKILL)

connect = sqlite3.connect
sqlite3.connect = lambda *names, **options: connect(*names, **{"factory": Dying} | options)
ingest.ingest_files(Path(sys.argv[2]), [Path(name) for name in sys.argv[3:]])
print(done)
"""


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    """A text that is stored first, and two that come later."""
    april = MARCH_2030.replace("March 1,", "April 1,").replace("glass beads", "coins")
    paths = []
    for name, text in (("march", MARCH_2030), ("april", april), ("june", JUNE_2030)):
        paths.append(tmp_path / f"{name}.txt")
        paths[-1].write_text(text, encoding="utf-8")
    return paths


def digest(database: Path) -> str:
    """The content of a store, after SQLite's own check of it."""
    with closing(store.open_for_reading(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        return content_digest(connection)


def dying(at: int, database: Path, sources: list[Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", DYING, str(at), str(database), *map(str, sources)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_an_ingest_killed_at_any_statement_leaves_the_versions_that_were_there(
    tmp_path: Path, sources: list[Path]
) -> None:
    first, everything = tmp_path / "first.db", tmp_path / "everything.db"
    ingest_files(first, sources[:1])
    ingest_files(everything, sources)
    before, after = digest(first), digest(everything)
    undisturbed = tmp_path / "undisturbed.db"
    undisturbed.write_bytes(first.read_bytes())
    statements = int(dying(0, undisturbed, sources).stdout)
    assert digest(undisturbed) == after
    hot = 0
    for at in [*range(7, statements, statements // 7), statements]:
        database = tmp_path / f"killed-{at}.db"
        database.write_bytes(first.read_bytes())
        assert dying(at, database, sources).returncode == -signal.SIGKILL
        hot += Path(f"{database}-journal").exists()
        assert digest(database) == before, f"killed at statement {at} of {statements}"
        ingest_files(database, sources)
        assert digest(database) == after, f"killed at statement {at} of {statements}"
    assert hot, "no kill left a half-written file: this test shows nothing"


def test_a_first_ingest_that_was_killed_is_run_again(tmp_path: Path, sources: list[Path]) -> None:
    everything, database = tmp_path / "everything.db", tmp_path / "rules.db"
    ingest_files(everything, sources)
    assert dying(150, database, sources).returncode == -signal.SIGKILL
    with closing(store.open_for_reading(database)) as reader:
        assert dated_versions.versions(reader) == []
    ingest_files(database, sources)
    assert digest(database) == digest(everything)


def command(*words: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rulehist", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_two_ingests_at_once_both_end_well(tmp_path: Path, sources: list[Path]) -> None:
    everything, database = tmp_path / "everything.db", tmp_path / "rules.db"
    ingest_files(everything, sources)
    both = [command("ingest", *some, "--db", database) for some in (sources[:2], sources[1:])]
    for process in both:
        _, complaint = process.communicate(timeout=60)
        assert process.returncode == 0, complaint
    assert digest(database) == digest(everything)


def test_a_second_ingest_waits_and_says_so_while_readers_get_their_answer(tmp_path: Path, sources: list[Path]) -> None:
    database = tmp_path / "rules.db"
    ingest_files(database, sources[:1])
    with store.writing(database) as connection:
        connection.execute("DELETE FROM findings")
        connection.execute("UPDATE sources SET name = 'changed'")
        second = command("ingest", sources[2], "--db", database)
        assert second.stderr is not None
        assert "waiting" in second.stderr.readline()
        with closing(store.open_for_reading(database)) as reader:
            assert dated_versions.version_at(reader, parse_when("latest")).effective == "2030-03-01"
    second.communicate(timeout=60)
    assert second.returncode == 0
    with closing(store.open_for_reading(database)) as reader:
        assert dated_versions.version_at(reader, parse_when("latest")).effective == "2030-06-01"


def test_an_ingest_that_comes_to_nothing_takes_no_file_from_one_that_waits(tmp_path: Path, sources: list[Path]) -> None:
    database = tmp_path / "rules.db"
    waits = threading.Event()
    waiting = threading.Thread(target=lambda: ingest_files(database, sources, on_wait=waits.set))

    def comes_to_nothing() -> None:
        with store.writing(database):
            waiting.start()
            assert waits.wait(30)
            raise SourceError("this one found nothing to store")

    with pytest.raises(SourceError):
        comes_to_nothing()
    waiting.join(60)
    with closing(store.open_for_reading(database)) as reader:
        assert len(dated_versions.versions(reader)) == 3


def test_an_ingest_that_comes_to_nothing_leaves_no_file(tmp_path: Path) -> None:
    notes, database = tmp_path / "notes.txt", tmp_path / "folder" / "rules.db"
    notes.write_text("Buy milk.", encoding="utf-8")
    with pytest.raises(SourceError):
        ingest_files(database, [notes])
    assert list(database.parent.iterdir()) == []


FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
from rulehist.cli import main
main(sys.argv[2:])
"""


@pytest.mark.parametrize("room", [0, 20_000, 200_000])
def test_a_full_disk_is_one_sentence_and_changes_nothing(room: int, tmp_path: Path, sources: list[Path]) -> None:
    database = tmp_path / "rules.db"
    ingest_files(database, sources[:1])
    before = digest(database)
    # a file may grow only so far: to the program that is what a full disk is
    outcome = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(room), "ingest", str(sources[2]), "--db", str(database)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert outcome.returncode == 2
    assert outcome.stderr.count("\n") == 1
    assert "nothing was changed" in outcome.stderr
    assert digest(database) == before


def test_a_database_at_its_limit_is_one_sentence_and_changes_nothing(tmp_path: Path, sources: list[Path]) -> None:
    database = tmp_path / "rules.db"
    ingest_files(database, sources[:1])
    before = digest(database)

    def writes_too_much() -> None:
        with store.writing(database) as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")
            connection.execute("CREATE TABLE more(words TEXT)")
            connection.executemany("INSERT INTO more VALUES (?)", [("word " * 1000,)] * 100)

    with pytest.raises(StoreError, match="full"):
        writes_too_much()
    assert digest(database) == before


@pytest.mark.archive
def test_a_large_ingest_killed_from_outside_leaves_no_process_and_no_half_version(
    archive: Path, tmp_path: Path
) -> None:
    files = sorted((archive / "cr").glob("*.txt"))[-16:]
    first, everything = tmp_path / "first.db", tmp_path / "everything.db"
    ingest_files(first, files[:1])
    began = time.monotonic()
    command("ingest", *files, "--db", everything).communicate(timeout=120)
    took = time.monotonic() - began
    before, after = digest(first), digest(everything)
    for share in (0.3, 0.6, 0.95):
        database = tmp_path / f"killed-{share}.db"
        database.write_bytes(first.read_bytes())
        process = command("ingest", *files, "--db", database)
        time.sleep(took * share)
        workers = _children(process.pid)
        process.kill()
        process.communicate()
        assert digest(database) in {before, after}
        deadline = time.monotonic() + 20
        while any(_is_alive(worker) for worker in workers):
            assert time.monotonic() < deadline, "a helping process outlives the one that started it"
            time.sleep(0.1)
    ingest_files(database, files)
    assert digest(database) == after


def _children(process: int) -> list[int]:
    path = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def _is_alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
