"""What the engine read when a text came into the store is kept, and never taken for more than the text says."""

from __future__ import annotations

import ast
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from rulehist import kept_readings
from rulehist.engine import evaluate, load_scenario
from rulehist.engine.semantics import Semantics
from rulehist.engine.switches import names
from rulehist.ingest import ingest_files
from rulehist.resources import data_folder
from rulehist.rules_at import StoredRules, days_of_full_texts
from rulehist.store import open_for_reading
from rulehist.when import parse_when
from tests.engine_rules import COPYING
from tests.test_semantics import KEEPS_ONE, store, text

ALL_GO = (
    "If two or more legendary permanents with the same name are in play, all are put into their owners' graveyards."
)
OLD, NEW = (
    text("January 16, 2026", ALL_GO, modified=f"707.2. {COPYING}"),
    text("March 1, 2030", KEEPS_ONE, number="704.5m"),
)
PACKAGE = Path(kept_readings.__file__).parent


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with two versions; the later one has the legend rule reworded, under another number, and no 707.2."""
    return store(tmp_path, OLD, NEW)


def rules(connection: sqlite3.Connection, when: str = "latest") -> StoredRules:
    return StoredRules(connection, parse_when(when))


def kept(path: Path, when: str = "latest", switch: str = "legend-rule") -> object:
    with closing(open_for_reading(path)) as connection:
        reading = rules(connection, when).read_switch(switch)
        return reading and reading.value


def by_text(connection: sqlite3.Connection, when: str) -> Semantics:
    """The semantics of a moment, with nothing that is kept."""
    read = rules(connection, when)
    read._looked = True
    return Semantics(read)


def changed(path: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return path


def contents(path: Path) -> list[list[tuple[object, ...]]]:
    with closing(open_for_reading(path)) as connection:
        return [
            connection.execute(query).fetchall()
            for query in (
                "SELECT switch, readings.valid_from, readings.valid_until, value, is_list, rules.name, published, quote"
                " FROM readings LEFT JOIN rules ON rules.id = rule_id LEFT JOIN texts ON texts.id = text_id"
                " ORDER BY 1, 2",
                "SELECT valid_from, valid_until, place, list, item, clause FROM copying_clauses ORDER BY 1, 3",
                "SELECT * FROM reading_files ORDER BY 1",
            )
        ]


def test_what_is_kept_is_what_the_text_says(path: Path) -> None:
    assert kept(path, "2026-01-16") == "all are put into graveyards"
    assert kept(path, "2030-03-01") == "each player keeps one"
    with closing(open_for_reading(path)) as connection:
        for when in ("2026-01-16", "2029-12-31", "2030-03-01", "latest"):
            stored, read = rules(connection, when), by_text(connection, when)
            found = {name: stored.read_switch(name) for name in names()}
            assert {name: reading for name, reading in found.items() if reading} == {
                name: reading for name in names() if not hasattr(reading := read.read(name), "reason")
            }
        clauses = rules(connection, "2026-01-16").read_copying()
        assert clauses is not None
        assert clauses == by_text(connection, "2026-01-16").copying
        assert list(clauses.not_copied) == list(by_text(connection, "2026-01-16").copying.not_copied)  # type: ignore[union-attr]


def test_the_number_is_that_of_the_version(path: Path) -> None:
    with closing(open_for_reading(path)) as connection:
        reading = rules(connection).read_switch("legend-rule")
    assert reading is not None
    assert (reading.number, reading.version, reading.text and reading.text.text) == ("704.5m", "2030-03-01", KEEPS_ONE)


def test_what_cannot_be_read_is_not_kept(tmp_path: Path) -> None:
    odd = "If two or more legendary permanents with the same name are controlled by the same player, nobody minds."
    path = store(tmp_path, text("January 16, 2026", KEEPS_ONE), text("March 1, 2030", odd))
    assert kept(path, "2026-01-16") == "each player keeps one"
    with closing(open_for_reading(path)) as connection:
        assert rules(connection).read_switch("legend-rule") is None
        assert hasattr(Semantics(rules(connection)).read("legend-rule"), "reason")


def test_the_order_in_which_texts_come_does_not_matter(tmp_path: Path) -> None:
    for name, texts in (("one", (OLD, NEW)), ("other", (NEW, OLD))):
        (tmp_path / name).mkdir()
        for place, each in enumerate(texts):
            file = tmp_path / name / f"{place}.txt"
            file.write_text(each, encoding="utf-8")
            ingest_files(tmp_path / name / "rules.db", [file])
    assert contents(tmp_path / "one" / "rules.db") == contents(tmp_path / "other" / "rules.db")


@pytest.fixture
def other_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data files, to be changed."""
    shutil.copytree(data_folder() / "semantics", tmp_path / "data" / "semantics")
    monkeypatch.setattr(kept_readings, "data_folder", lambda: tmp_path / "data")
    return tmp_path / "data" / "semantics"


@pytest.mark.parametrize("name", ["switches/layers.toml", "known-words.tsv", "limits.toml", "switches/new.toml"])
def test_nothing_counts_that_other_data_files_decided(path: Path, other_data: Path, name: str) -> None:
    assert kept(path) == "each player keeps one"
    with (other_data / name).open("a", encoding="utf-8") as file:
        file.write("# a remark\n")
    assert kept(path) is None


def test_nothing_counts_that_another_reader_read(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(PACKAGE, tmp_path / "rulehist", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(kept_readings, "_PACKAGE", tmp_path / "rulehist")
    assert kept(path) == "each player keeps one"
    for name in kept_readings.READERS:
        file = tmp_path / "rulehist" / name
        before = file.read_bytes()
        file.write_bytes(before + b"#\n")
        assert kept(path) is None
        file.write_bytes(before)


def test_the_next_ingest_reads_anew_what_does_not_count(path: Path) -> None:
    before = contents(path)
    changed(
        path, "UPDATE reading_files SET crc32 = 1 WHERE file LIKE '%layers.toml'", "UPDATE readings SET value = 'odd'"
    )
    assert kept(path) is None
    ingest_files(path, [path.parent / "0.txt"])
    assert contents(path) == before


def test_a_store_of_an_older_program_is_read_by_its_texts(path: Path) -> None:
    before = contents(path)
    changed(
        path,
        *(f"DROP TABLE {table}" for table in ("readings", "copying_clauses", "reading_files")),
        "DELETE FROM _sqlite_migrations WHERE name = 'm003_readings'",
        "PRAGMA user_version = 2",
    )
    with closing(open_for_reading(path)) as connection:
        assert rules(connection).read_switch("legend-rule") is None
        assert Semantics(rules(connection)).value("legend-rule").value == "each player keeps one"
    ingest_files(path, [path.parent / "0.txt"])
    assert contents(path) == before


def test_a_text_that_is_not_the_one_that_was_read_is_read_itself(path: Path) -> None:
    changed(path, "UPDATE readings SET text_id = (SELECT min(id) FROM texts) WHERE text_id IS NOT NULL")
    assert kept(path) is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE readings SET value = 'all are put into graveyards' WHERE switch = 'legend-rule'",
        "UPDATE readings SET quote = 'nobody ever said so' WHERE switch = 'legend-rule'",
        "UPDATE readings SET valid_until = NULL WHERE switch = 'legend-rule'",
        "UPDATE copying_clauses SET item = 'stickers too' WHERE item = 'stickers'",
        "DELETE FROM copying_clauses WHERE item = 'stickers'",
    ],
)
def test_what_someone_else_wrote_into_the_readings_does_not_count(path: Path, statement: str) -> None:
    changed(path, statement)
    assert kept(path) is None
    with closing(open_for_reading(path)) as connection:
        assert Semantics(rules(connection)).value("legend-rule").value == "each player keeps one"
        assert "stickers" in by_text(connection, "2026-01-16").copying.not_copied  # type: ignore[union-attr]
        assert rules(connection, "2026-01-16").read_copying() is None


def test_a_text_without_a_date_may_be_newer_than_what_is_kept(path: Path) -> None:
    changed(path, "INSERT INTO versions(effective, later_than, sort_key) VALUES (NULL, '2030-03-01', '~2030')")
    assert kept(path) is None
    assert kept(path, "2030-03-01") == "each player keeps one"


def test_malformed_data_keeps_nothing_and_lets_texts_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulehist import readings_build
    from rulehist.errors import DataError

    def malformed() -> list[str]:
        raise DataError("malformed")

    monkeypatch.setattr(readings_build, "names", malformed)
    later = path.parent / "later.txt"
    later.write_text(text("June 1, 2031", KEEPS_ONE), encoding="utf-8")
    ingest_files(path, [later])
    assert kept(path) is None
    assert contents(path) == [[], [], []]


def test_a_program_whose_modules_are_no_files_keeps_nothing_that_counts(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_readings, "_PACKAGE", tmp_path / "packed")
    assert kept(path) is None
    ingest_files(path, [path.parent / "0.txt"])
    assert contents(path)[2] == []
    assert kept(path) is None


SLOW_TO_LOAD = ("dataclasses", "inspect", "json", "ruamel.yaml", "tomllib", "typer", "rulehist.engine.text_reading")
ANSWERED = """
import sys
from rulehist.cli import main
try:
    main(["eval", sys.argv[1], "--db", sys.argv[2]])
except SystemExit:
    print(*sys.modules)
"""


def test_an_answer_loads_nothing_that_it_can_do_without(path: Path) -> None:
    """What these cost is more than the whole answer may take beside ``show``."""
    scenario = path.parent / "legend.yaml"
    scenario.write_text(
        "objects:\n  k: {name: K, supertypes: [Legendary], rules text: ['Flying, vigilance']}\n"
        "steps:\n  - state-based actions: {}\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", ANSWERED, scenario, path], capture_output=True, text=True, check=True
    ).stdout
    assert "under the rules of 2030-03-01: answered" in told
    assert set(SLOW_TO_LOAD) & set(told.split()) == set()


DECIDE_NOTHING = {
    "engine/__init__.py", "engine/rules.py", "document.py", "errors.py", "releases.py", "resources.py",
    "version_order.py", "when.py",
}  # fmt: skip
"""What the readers use that has no part in what a text is read as."""

BEGIN_READING = ["engine/text_reading.py", "kept_readings.py", "readings_build.py", "rules_at.py"]
"""The modules from which all others are reached: how a text is read, and which text it is."""


def used_by(module: str) -> Iterator[str]:
    """The modules of the package that a module imports, wherever in it."""
    for node in ast.walk(ast.parse((PACKAGE / module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rulehist."):
            name = str(node.module).removeprefix("rulehist.").replace(".", "/")
            yield f"{name}.py" if (PACKAGE / f"{name}.py").is_file() else f"{name}/__init__.py"


def test_every_module_that_reads_is_known_to_decide() -> None:
    reached, waiting = set(), [*BEGIN_READING]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += used_by(module)
    assert reached - DECIDE_NOTHING <= set(kept_readings.READERS)


@pytest.mark.archive
def test_answers_are_the_same_with_and_without_what_is_kept(archive_database: Path) -> None:
    files = sorted((data_folder() / "scenarios").rglob("*.yaml"))[::7]
    with closing(open_for_reading(archive_database)) as connection:
        for day in [*list(days_of_full_texts(connection))[::25], "latest"]:
            stored, read = Semantics(rules(connection, day)), by_text(connection, day)
            assert stored.copying == read.copying
            for file in files:
                scenario = load_scenario(file)
                assert evaluate(scenario, stored) == evaluate(scenario, read), (day, file.stem)
