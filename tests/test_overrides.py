"""A rules expert can force or forbid a match, and is told what is wrong with a line."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from rulehist import overrides
from rulehist.document import Part, PartKind
from rulehist.errors import DataError
from rulehist.ingest import ingest_files
from rulehist.matching import Evidence, Relation, match
from rulehist.store import open_for_reading
from tests.small_texts import JUNE_2030, MARCH_2030

HEADER = "old_release\told_number\tnew_release\tnew_number\tverdict\treason\n"
OLD = [Part(PartKind.RULE, "Creatures that attacked are tapped by their players.", "100.1")]
NEW = [
    Part(PartKind.RULE, "Creatures that attacked are tapped by their players.", "100.1"),
    Part(PartKind.RULE, "Nothing of the kind happens.", "100.2"),
]


def _load(tmp_path: Path, row: str) -> tuple[overrides.Override, ...]:
    path = tmp_path / "matches.tsv"
    path.write_text("# remarks\n" + HEADER + row + "\n", encoding="utf-8")
    return overrides.load(path)


def _linked(by_hand: overrides.Verdicts) -> list[tuple[int | None, int | None, Evidence]]:
    links = match(OLD, NEW, forced=by_hand.forced, forbidden=by_hand.forbidden)
    return [(link.old, link.new, link.evidence) for link in links if link.relation is Relation.SAME]


def test_a_forced_match_wins_over_equal_texts(tmp_path: Path) -> None:
    loaded = _load(tmp_path, "2030-01-01\t100.1\t2030-02-01\t100.2\tforce\tas the author told")
    by_hand = overrides.verdicts(loaded, "2030-01-01", OLD, "2030-02-01", NEW)
    assert (0, 1, Evidence.OVERRIDE) in _linked(by_hand)


def test_a_forbidden_match_is_not_made(tmp_path: Path) -> None:
    loaded = _load(tmp_path, "2030-01-01\t100.1\t2030-02-01\t100.1\tforbid\tas the author told")
    by_hand = overrides.verdicts(loaded, "2030-01-01", OLD, "2030-02-01", NEW)
    assert (0, None, Evidence.NONE) in _linked(by_hand)


def test_a_verdict_on_other_releases_is_left_alone(tmp_path: Path) -> None:
    loaded = _load(tmp_path, "2030-01-01\t100.7\t2030-02-01\t100.1\tforbid\tas the author told")
    assert overrides.verdicts(loaded, "2031-01-01", OLD, "2031-02-01", NEW) == overrides.Verdicts()


def test_a_number_that_does_not_exist_there_is_an_error_with_its_line(tmp_path: Path) -> None:
    loaded = _load(tmp_path, "2030-01-01\t100.7\t2030-02-01\t100.1\tforbid\tas the author told")
    with pytest.raises(DataError, match=r"matches\.tsv:3: the text of 2030-01-01 has no 100\.7; correct"):
        overrides.verdicts(loaded, "2030-01-01", OLD, "2030-02-01", NEW)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("1 May\t1\t2030-02-01\t1\tforce\tx", "is no effective date"),
        ("2017-01-19\t1\t2017-04-28\t1\tforce\tx", "no rules took effect on 2017-01-19; .* 2016-11-11 and 2017-01-20"),
        ("2030-03-01\t1\t2030-02-01\t1\tforce\tx", "exchange the two"),
        ("2030-01-01\t1\t2030-02-01\t1\tmaybe\tx", "write force or forbid"),
        ("2030-01-01\t\t2030-02-01\t1\tforce\tx", "both numbers are needed"),
        ("2030-01-01\t1\t2030-02-01\t1\tforce\t", "say in the last column why"),
        ("2030-01-01\t1\t2030-02-01\t1\tforce", "5 columns where 6 are needed"),
        (
            "2030-01-01\t1\t2030-02-01\t1\tforce\tx\n2030-01-01\t1\t2030-02-01\t2\tforce\tx",
            "forced on line 3 already",
        ),
    ],
)
def test_a_malformed_line_is_named_with_its_remedy(tmp_path: Path, row: str, words: str) -> None:
    with pytest.raises(DataError, match=rf"matches\.tsv:[34]: .*{words}"):
        _load(tmp_path, row)


def test_the_file_that_ships_is_well_formed() -> None:
    assert all(override.reason for override in overrides.load())


# --- in a store ----------------------------------------------------------------------------------------------


@pytest.fixture
def sources(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "march.txt", tmp_path / "june.txt"]
    for path, text in zip(paths, (MARCH_2030, JUNE_2030), strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def _decide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *rows: str) -> None:
    path = tmp_path / "matches.tsv"
    path.write_text("\n".join([HEADER.strip(), *rows]) + "\n", encoding="utf-8")
    loaded = overrides.load(path)
    monkeypatch.setattr(overrides, "_shipped", lambda: loaded)


def _identities(database: Path) -> set[tuple[str, str, str]]:
    """Rule, number and date from which it had that number, of all rules."""
    with closing(open_for_reading(database)) as connection:
        return set(connection.execute("SELECT rule, number, valid_from FROM rule_history"))


WRONG = "2030-03-01\t701.2\t2030-06-01\t701.1\tforce\tfor the sake of the test"
"""Copying became whistling, says somebody who decides."""


def test_a_verdict_holds_for_texts_that_were_stored_before_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sources: list[Path]
) -> None:
    database = tmp_path / "rules.db"
    ingest_files(database, sources)
    assert ("701.2@2030-03-01", "702.2", "2030-06-01") in _identities(database)
    before = _identities(database)
    _decide(monkeypatch, tmp_path, WRONG)
    ingest_files(database, sources)
    assert ("701.2@2030-03-01", "701.1", "2030-06-01") in _identities(database)
    assert ("702.2@2030-06-01", "702.2", "2030-06-01") in _identities(database)
    _decide(monkeypatch, tmp_path)
    ingest_files(database, sources)
    assert _identities(database) == before


def test_with_verdicts_too_the_order_of_the_sources_does_not_matter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sources: list[Path]
) -> None:
    _decide(monkeypatch, tmp_path, WRONG)
    ingest_files(tmp_path / "together.db", sources)
    for source in reversed(sources):
        ingest_files(tmp_path / "apart.db", [source])
    assert _identities(tmp_path / "together.db") == _identities(tmp_path / "apart.db")


def test_a_wrong_verdict_stops_an_ingest_and_leaves_the_store_as_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sources: list[Path]
) -> None:
    database = tmp_path / "rules.db"
    ingest_files(database, sources)
    before = _identities(database)
    _decide(monkeypatch, tmp_path, WRONG.replace("701.2", "709.9"))
    with pytest.raises(DataError, match=r"matches\.tsv:2: the text of 2030-03-01 has no 709\.9; correct"):
        ingest_files(database, sources)
    assert _identities(database) == before
