"""What a store answers when it is asked for a rule on a day."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulehist import history, store, text_search
from rulehist.bundled import bundled_store
from rulehist.errors import QueryError, SourceError, StoreError
from rulehist.ingest import ingest_files as ingest
from rulehist.resources import data_folder
from rulehist.version_diff import diff_files, diff_versions
from rulehist.when import parse_address, parse_range, parse_when
from tests.small_texts import JUNE_2030, MARCH_2030


@pytest.fixture
def two_texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "march.txt").write_text(MARCH_2030, encoding="utf-8")
    (folder / "june.txt").write_text(JUNE_2030, encoding="utf-8")
    return folder


@pytest.fixture
def database(tmp_path: Path, two_texts: Path) -> Path:
    path = tmp_path / "rules.db"
    ingest(path, [two_texts])
    return path


@pytest.fixture
def connection(database: Path) -> Iterator[sqlite3.Connection]:
    opened = store.open_for_reading(database)
    yield opened
    opened.close()


@pytest.fixture
def bundled() -> Iterator[sqlite3.Connection]:
    with bundled_store() as opened:
        yield opened


def ask(connection: sqlite3.Connection, address: str) -> history.RuleText:
    return history.show(connection, *parse_address(address))


def test_a_rule_is_shown_as_it_stood_on_a_day(connection: sqlite3.Connection) -> None:
    answer = ask(connection, "701.2@2030-04-01")
    assert answer.text.endswith("Status and counters are not copied.")
    assert (answer.since, answer.until) == ("2030-03-01", "2030-06-01")


def test_a_rule_that_moved_keeps_its_identity(connection: sqlite3.Connection) -> None:
    assert ask(connection, "701.2@2030-03-01").rule == ask(connection, "702.2@latest").rule


def test_a_number_that_was_reused_names_another_rule(connection: sqlite3.Connection) -> None:
    assert ask(connection, "701.1@2030-03-01").rule != ask(connection, "701.1@2030-06-01").rule


def test_examples_come_with_their_rule(connection: sqlite3.Connection) -> None:
    assert ask(connection, "100.2").examples == ("A player may use glass beads for tokens.",)


def test_a_glossary_term_is_found_without_regard_to_case(connection: sqlite3.Connection) -> None:
    assert ask(connection, "dEcK@latest").text.startswith("The collection of cards")


def test_a_day_before_the_first_text_says_what_there_is(connection: sqlite3.Connection) -> None:
    with pytest.raises(QueryError, match="2030-03-01"):
        ask(connection, "701.2@2029-12-31")


def test_an_unknown_number_says_what_is_near(connection: sqlite3.Connection) -> None:
    with pytest.raises(QueryError, match=r"702\.2"):
        ask(connection, "702.22")


def test_an_unknown_code_says_how_to_name_a_moment() -> None:
    with pytest.raises(QueryError, match="set code"):
        parse_when("QQQQQ")


@pytest.mark.parametrize("words", ["2021-13-01", "2021-7-23", "2021-07-23.."])
def test_a_malformed_moment_is_an_error(words: str) -> None:
    with pytest.raises(QueryError):
        parse_range(words) if ".." in words else parse_when(words)


def test_a_gone_glossary_term_says_until_when_it_was_there(connection: sqlite3.Connection) -> None:
    with pytest.raises(QueryError, match="until 2030-06-01"):
        ask(connection, "token@latest")


def test_search_finds_words_as_of_a_day_and_ever(connection: sqlite3.Connection) -> None:
    assert text_search.search(connection, "counters are not copied", parse_when("latest")) == []
    [found] = text_search.search(connection, "counters are not copied", None)
    assert (found.number, found.since, found.until) == ("701.2", "2030-03-01", "2030-06-01")


def test_a_diff_follows_the_rule_through_its_renumbering(connection: sqlite3.Connection) -> None:
    compared = diff_versions(connection, *parse_range("2030-03-01..2030-06-01"))
    kinds = {change.number: str(change.kind) for change in compared.diff.changes if change.part == "rule"}
    assert kinds == {
        "701": "added",
        "701.1": "added",
        "702": "renumbered",
        "702.1": "renumbered",
        "702.2": "renumbered+reworded",
    }


def test_two_files_compare_as_they_do_from_the_store(connection: sqlite3.Connection, two_texts: Path) -> None:
    from_files = diff_files(two_texts / "march.txt", two_texts / "june.txt")
    from_store = diff_versions(connection, *parse_range("2030-03-01..2030-06-01"))
    assert from_files.diff.summary == from_store.diff.summary


def test_the_same_bytes_again_change_nothing(database: Path, two_texts: Path) -> None:
    before = database.read_bytes()
    assert {outcome.status for outcome in ingest(database, [two_texts])} == {"known"}
    assert database.read_bytes() == before


def dump(path: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as opened:
        rows = opened.execute("SELECT * FROM rule_history ORDER BY 1, 4, 3, 2, 8").fetchall()
    opened.close()
    return rows


def test_order_of_arrival_does_not_matter(tmp_path: Path, two_texts: Path, database: Path) -> None:
    other = tmp_path / "other.db"
    for name in ("june.txt", "march.txt"):
        ingest(other, [two_texts / name])
    assert dump(other) == dump(database)


def test_a_file_that_cannot_be_read_leaves_the_store_as_it_was(database: Path, tmp_path: Path) -> None:
    before = database.read_bytes()
    bad = tmp_path / "poem.txt"
    bad.write_text("Shall I compare thee to a summer's day?\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"poem\.txt"):
        ingest(database, [bad])
    assert database.read_bytes() == before


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as opened:
        opened.execute("CREATE TABLE t (x)")
    opened.close()
    with pytest.raises(StoreError, match="another program"):
        store.open_for_reading(path)


def test_a_database_of_a_newer_program_is_refused(database: Path) -> None:
    with sqlite3.connect(database) as opened:
        opened.execute("PRAGMA user_version = 999")
    opened.close()
    with pytest.raises(StoreError, match="newer"):
        store.open_for_reading(database)


def test_a_read_only_database_is_left_alone(database: Path, tmp_path: Path) -> None:
    source = tmp_path / "again.txt"
    source.write_text(MARCH_2030 + "\n", encoding="utf-8")
    database.chmod(0o444)
    with pytest.raises(StoreError, match="may not be written"):
        ingest(database, [source])


def test_no_foreign_key_dangles_and_the_search_index_is_whole(database: Path) -> None:
    with sqlite3.connect(database) as opened:
        assert opened.execute("PRAGMA foreign_key_check").fetchall() == []
        opened.execute("INSERT INTO texts_search(texts_search) VALUES ('integrity-check')")
    opened.close()


def test_the_bundled_copying_rule_is_newest_without_a_date(bundled: sqlite3.Connection) -> None:
    newest = ask(bundled, "707.2@latest")
    assert newest.version.effective is None
    assert newest.version.label == "date unknown, later than 2022-10-07"
    assert ask(bundled, "707.2@UNF").until_known is False


def test_the_bundled_number_named_the_face_down_rule_before(bundled: sqlite3.Connection) -> None:
    assert ask(bundled, "707.2@2015-06-01").text.startswith("Face-down spells")
    assert ask(bundled, "707.2@2015-06-01").rule != ask(bundled, "707.2@AFR").rule


def test_cut_off_entries_are_no_change_of_the_rule(bundled: sqlite3.Connection) -> None:
    answer = ask(bundled, "707.2@2011-07-01")
    assert answer.text.endswith('rule 706, "Copying Objects.")')
    assert (answer.since, answer.until) == ("2010-02-01", "2021-07-23")


@pytest.mark.parametrize(
    ("moments", "deleted", "inserted"),
    [
        ("2021-07-23..2022-10-07", ["and counters"], ["counters, and stickers"]),
        ("2022-10-07..latest", ["the battlefield"], []),
    ],
)
def test_the_bundled_texts_changed_in_two_places(
    bundled: sqlite3.Connection, moments: str, deleted: list[str], inserted: list[str]
) -> None:
    [change] = diff_versions(bundled, *parse_range(moments)).diff.changes
    assert [words.strip(" ,") for op, words in change.ops if op == "delete"] == deleted
    assert [words.strip(" ,") for op, words in change.ops if op == "insert"] == inserted


def test_quotes_that_alternate_are_no_rewording(bundled: sqlite3.Connection) -> None:
    [change] = diff_versions(bundled, *parse_range("2014-05-01..2019-01-25")).diff.changes
    assert str(change.kind) == "typography"


def test_an_excerpt_never_reports_the_rest_as_removed(bundled: sqlite3.Connection) -> None:
    compared = diff_versions(bundled, *parse_range("2022-10-07..2024-06-07"))
    assert compared.diff.changes == ()


def test_bundled_texts_are_the_whole_of_what_ships() -> None:
    names = sorted(path.name for path in (data_folder() / "bundled").iterdir())
    assert names == ["copying-history-list.txt", "skinned-card-excerpt.txt"]


@pytest.mark.archive
def test_the_numbers_that_rules_had_are_those_that_experts_found(archive: Path, archive_database: Path) -> None:
    """``chains.tsv`` lists the numbers that some rules had, each with the date from which they had it."""
    opened = store.open_for_reading(archive_database)
    wrong = []
    lines = (archive.parent / "engine" / "chains.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for newest, number, since in (line.split("\t") for line in lines):
        now = ask(opened, f"{newest}@2026-01-16").rule
        then = ask(opened, f"{number}@{since}").rule
        if now != then:
            wrong.append((newest, number, since))
    opened.close()
    assert wrong == []


@pytest.mark.archive
def test_news_of_a_release_is_what_people_listed(archive_database: Path) -> None:
    opened = store.open_for_reading(archive_database)
    news = diff_versions(opened, *parse_range("2025-06-06..2025-07-25")).news
    opened.close()
    assert news is not None
    assert news.keyword_abilities.joined == ("Station", "Warp")
    assert news.ability_words.joined == ("void",)
    assert news.tokens.joined == ("Lander",)
    assert {kind: change.joined for kind, change in news.types.items()} == {
        "artifact": ("Lander", "Spacecraft"),
        "creature": ("Drix", "Echidna", "Hedgehog", "Lobster"),
        "land": ("Planet",),
    }
    assert json.dumps(news.sections.joined) == '["721. Station Cards"]'


def test_a_link_names_the_places_where_its_two_rules_stand(database: Path) -> None:
    opened = store.open_for_reading(database)
    joined = opened.execute(
        "SELECT links.relation, older.rule_id, newer.rule_id FROM links"
        " JOIN placements AS older ON older.document_id = older_document_id AND older.place = older_place"
        " JOIN placements AS newer ON newer.document_id = newer_document_id AND newer.place = newer_place"
    ).fetchall()
    assert joined
    assert all(older == newer for relation, older, newer in joined if relation == "same")
