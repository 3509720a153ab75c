"""What an excerpt quotes is held against the full texts: placed where it has no date, confirmed where it has one."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from rulehist import history, ingest, store
from rulehist.bundled import bundled_store
from rulehist.placing import InForce, Quotation, Verdict, place, placed, sentence
from rulehist.resources import data_folder
from rulehist.when import parse_when

LONG = "Whistling is a melody made by lips"
KNOWN = (
    InForce("701.1@2030-03-01", "701.1", "rule", "Whistling is a noise", "2030-03-01", "2030-06-01"),
    InForce("701.1@2030-03-01", "701.1", "rule", LONG, "2030-06-01", "2030-09-01"),
    InForce("701.1@2030-03-01", "701.1", "rule", LONG, "2030-09-01", None),
)
TEXTS = {"2030-03-01", "2030-06-01", "2030-09-01"}


def quotation(
    folded: str, effective: str | None = None, later_than: str | None = None, *, cut: bool = False
) -> Quotation:
    return Quotation("list.txt", "", 0, "701.1", "rule", folded, cut, effective, later_than)


def test_an_undated_text_is_the_one_in_force_since_its_words_were() -> None:
    found = place(quotation(LONG), KNOWN, TEXTS)
    assert (found.verdict, found.since, found.until) == (Verdict.PLACED, "2030-06-01", None)
    assert sentence(found) == "701.1, undated, is the text in force from 2030-06-01 on"


def test_an_undated_text_is_not_placed_before_the_date_that_it_must_follow() -> None:
    known = (KNOWN[0],)
    assert place(quotation(KNOWN[0].folded, later_than="2030-06-01"), known, TEXTS).verdict is Verdict.UNKNOWN
    assert place(quotation(KNOWN[0].folded, later_than="2030-03-01"), known, TEXTS).verdict is Verdict.PLACED


def test_a_dated_text_is_confirmed_by_the_full_text_of_its_date() -> None:
    found = place(quotation(LONG, "2030-09-01"), KNOWN, TEXTS)
    assert (found.verdict, found.since) == (Verdict.CONFIRMED, "2030-06-01")


def test_other_typography_than_the_full_text_has_is_told() -> None:
    known = (InForce("1", "701.1", "rule", "a 'tune'", "2030-03-01", None, "a ‘tune’"),)
    quoted = Quotation("list.txt", "", 0, "701.1", "rule", "a 'tune'", False, "2030-03-01", None, "a 'tune'")
    found = place(quoted, known, {"2030-03-01"})
    assert (found.verdict, found.to_the_letter) == (Verdict.CONFIRMED, False)
    assert "in other typography" in sentence(found)


def test_a_text_cut_off_in_mid_sentence_is_confirmed_as_far_as_it_goes() -> None:
    found = place(quotation("Whistling is a mel", "2030-06-01", cut=True), KNOWN, TEXTS)
    assert found.verdict is Verdict.CONFIRMED
    assert "cut off in the source" in sentence(found)


def test_other_words_than_the_full_text_has_are_told_with_those() -> None:
    found = place(quotation("Whistling is a noise", "2030-06-01"), KNOWN, TEXTS)
    assert (found.verdict, found.instead) == (Verdict.DIFFERS, LONG)
    assert "which has other words there" in sentence(found)


def test_without_a_full_text_of_its_date_nothing_is_confirmed() -> None:
    assert place(quotation(LONG, "2030-07-01"), KNOWN, TEXTS).verdict is Verdict.UNKNOWN


def test_excerpts_alone_confirm_nothing() -> None:
    with bundled_store() as connection:
        assert {found.verdict for found in placed(connection)} == {Verdict.UNKNOWN}


MONTHS = {"2014-02", "2014-04", "2014-05", "2021-07", "2022-10", "2024-06", "2024-08", "2026-01"}


@pytest.fixture(scope="module", params=["excerpts first", "full texts first"])
def everything(request: pytest.FixtureRequest, archive: Path, tmp_path_factory: pytest.TempPathFactory):
    """Full texts of some years around those that the bundled excerpts quote, and the excerpts."""
    database = tmp_path_factory.mktemp("placing") / "rules.db"
    texts = [
        path for path in sorted((archive / "cr").glob("*.txt")) if path.stem >= "2021-06" or path.stem[:4] == "2014"
    ]
    folders = [[data_folder() / "bundled"], texts]
    for paths in folders if request.param == "excerpts first" else reversed(folders):
        ingest.ingest_files(database, paths)
    connection = store.open_for_reading(database)
    yield connection
    connection.close()


@pytest.mark.archive
def test_the_bundled_excerpts_are_placed_and_confirmed(everything: sqlite3.Connection) -> None:
    found = placed(everything)
    assert Counter(each.verdict for each in found)[Verdict.DIFFERS] == 0
    [undated] = [each for each in found if each.quotation.effective is None]
    assert sentence(undated) == "707.2, undated, is the text in force from 2024-07-30 on"
    confirmed = {each.quotation.effective for each in found if each.verdict is Verdict.CONFIRMED}
    assert confirmed == {"2014-02-01", "2014-05-01", "2021-07-23", "2022-10-07", "2024-06-07"}


@pytest.mark.archive
def test_no_excerpt_becomes_the_newest_text_where_later_full_texts_are(everything: sqlite3.Connection) -> None:
    shown = history.show(everything, "707.2", parse_when("latest"))
    assert shown.version.effective == "2026-01-16"
    assert (shown.since, shown.until) == ("2024-07-30", None)
    assert any("undated text in copying-history-list.txt is this one" in warning for warning in shown.warnings)
    earlier = history.show(everything, "707.2", parse_when("2022-10-07"))
    assert not any("undated" in warning for warning in earlier.warnings)
    assert history.show(everything, "201.5c", parse_when("latest")).version.effective == "2026-01-16"
