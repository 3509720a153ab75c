"""`rulehist versions`: what there is, what is missing, what a version rests on, and what a re-issue differs in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulehist.document import PartKind
from rulehist.reading import read
from rulehist.resources import data_folder
from rulehist.version_sources import date_in_name, differences
from tests.small_texts import JUNE_2030, MARCH_2030
from tests.test_cli import run  # noqa: F401 - a fixture

AGAIN = (
    MARCH_2030.replace("at one table", "around one table")
    .replace("Status and counters", "Status, stickers, and counters")
    .replace("Made by nobody", "Made by somebody")
)


@pytest.fixture
def db(run, tmp_path: Path) -> Path:  # noqa: F811
    """A version issued twice, a later one, and the bundled excerpts."""
    for name, text in (("first.txt", MARCH_2030), ("CompRules 20300226.txt", AGAIN), ("june.txt", JUNE_2030)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        run("ingest", tmp_path / name, "--db", tmp_path / "rules.db")
    run("ingest", data_folder() / "bundled", "--db", tmp_path / "rules.db")
    return tmp_path / "rules.db"


def test_a_text_issued_again_is_a_second_source_of_its_version(run, db: Path) -> None:  # noqa: F811
    listed = json.loads(run("versions", "--db", db, "--json").out)
    assert [row["effective"] for row in listed].count("2030-03-01") == 1
    shown = json.loads(run("versions", "--db", db, "--verbose", "--json").out)
    [march] = [row for row in shown["versions"] if row["effective"] == "2030-03-01"]
    assert {source["name"]: source["date_in_name"] for source in march["sources"]} == {
        "first.txt": None,
        "CompRules 20300226.txt": "2030-02-26",
    }
    assert all(source["encoding"] and source["encoding_reason"] for source in march["sources"])
    [again] = march["reissues"]
    assert [change["new"]["number"] for change in again["changes"]] == ["100.1", "701.2"]
    assert again["front"] == 1


def test_the_differences_of_a_reissue_are_listed_with_their_words(run, db: Path) -> None:  # noqa: F811
    out = run("versions", "--db", db, "--verbose").out
    assert "CompRules 20300226.txt; the name says 2030-02-26" in out
    assert "2 in rules, examples and glossary entries, 1 in front matter" in out
    assert "100.1: reworded" in out
    assert "around" in out
    assert "ascii: every byte is ASCII" in out


def test_releases_without_a_text_are_named(run, db: Path) -> None:  # noqa: F811
    assert "known releases: 1999-04-23 6ED" in run("versions", "--db", db).out
    verbose = run("versions", "--db", db, "--verbose").out
    assert "2002-07-10 (JUD, Judgment): no text in the store" in verbose
    assert verbose.index("(JUD") < verbose.index("2010-02-01 (WWK")


def test_what_excerpts_quote_is_told(run, db: Path) -> None:  # noqa: F811
    shown = json.loads(run("versions", "--db", db, "--verbose", "--json").out)
    [undated] = [each for each in shown["excerpts"] if each["effective"] is None]
    assert (undated["number"], undated["verdict"]) == ("707.2", "unknown")


def test_the_same_text_twice_differs_in_nothing() -> None:
    [document] = read(MARCH_2030.encode(), "one").documents
    assert differences(document, document) == ((), 0, 0)


def test_typography_of_a_reissue_is_counted_apart() -> None:
    [one] = read(MARCH_2030.encode(), "one").documents
    [other] = read(MARCH_2030.replace("small items", "small\u00a0items").encode(), "other").documents
    assert [part.text for part in one.parts if part.kind is PartKind.RULE] != [
        part.text for part in other.parts if part.kind is PartKind.RULE
    ]
    assert differences(one, other) == ((), 1, 0)


@pytest.mark.parametrize(
    ("name", "effective", "day"),
    [
        ("MagicCompRules_030405.txt", "2005-03-01", "2005-03-04"),
        ("MagicCompRules_030405.txt", "2003-04-01", "2003-04-05"),
        ("rules.txt", "2003-04-01", None),
        ("20240917.txt", None, "2024-09-17"),
    ],
)
def test_of_several_readings_of_a_name_the_nearest_counts(name: str, effective: str | None, day: str | None) -> None:
    assert date_in_name(name, effective) == day


def test_the_digest_of_a_store_is_that_of_its_content(run, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "march.txt").write_text(MARCH_2030, encoding="utf-8")
    (tmp_path / "june.txt").write_text(JUNE_2030, encoding="utf-8")
    for order in (("march.txt", "june.txt"), ("june.txt", "march.txt")):
        for name in order:
            run("ingest", tmp_path / name, "--db", tmp_path / f"{order[0]}.db")
    one, other = (run("doctor", "--digest", "--db", tmp_path / f"{name}.txt.db") for name in ("march", "june"))
    assert (one.code, one.out) == (0, other.out)
    assert len(one.out.strip()) == 64
    assert json.loads(run("doctor", "--digest", "--json", "--db", tmp_path / "march.txt.db").out) == {
        "digest": one.out.strip()
    }
    assert run("doctor", tmp_path / "march.txt", "--digest").code == 2


@pytest.mark.archive
@pytest.mark.parametrize("first", [0, 1])
def test_a_version_rests_on_plain_text_before_a_converted_document(
    run,  # noqa: F811
    archive: Path,
    tmp_path: Path,
    first: int,
) -> None:
    both = [archive / "cr" / "2011-09-30.txt", archive / "other-formats" / "2011-09-30.rtf"]
    db = tmp_path / "rules.db"
    for path in (both[first], both[1 - first]):
        run("ingest", path, "--db", db)
    [row] = json.loads(run("versions", "--db", db, "--verbose", "--json").out)["versions"]
    assert row["source"] == "2011-09-30.txt"
    [again] = row["reissues"]
    assert again["source"] == "2011-09-30.rtf"
    assert {"100.6b", "108.1"} <= {change["new"]["number"] for change in again["changes"]}
