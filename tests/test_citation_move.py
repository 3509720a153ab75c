"""Moves of citations: only what is certain, all at once, once, and nothing else in the file."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulehist.citations import move as moving
from rulehist.citations.check import check_text, checker
from rulehist.citations.move import Move, move_citations
from rulehist.errors import SourceError
from rulehist.store import open_for_reading
from rulehist.when import parse_when
from tests.cited_texts import LEAVE, cited_database, rules

__all__ = ["cited_database", "rules"]
MARCH, JUNE, SEPTEMBER = (parse_when(f"2030-{month}-01") for month in ("03", "06", "09"))


def moved(
    rules: sqlite3.Connection, folder: Path, text: str, name: str = "a.md", **options: object
) -> tuple[str, Move]:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    made = move_citations(rules, [folder], written=MARCH, to=JUNE, write=True)
    return path.read_bytes().decode("utf-8", "surrogateescape"), made


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("CR 701.2a, then CR 701.3a, then CR 701.4a", "CR 701.3a, then CR 701.4a, then CR 701.5a"),  # x -> y -> z
        ("CR 701.3a/b", "CR 701.4a/b"),
        ("rules 701.3a and c", "rules 701.4a and c"),
        ("rules 701.3a-c", "rules 701.4a-c"),
        ("rules 701.3a–701.3c", "rules 701.4a–701.4c"),
        ("CR 702.1-2", "CR 703.1-2"),
        ("CR 702.1 to 702.2", "CR 703.1 to 703.2"),
        ("[CR#702.2], {{CR|701.4}}", "[CR#703.2], {{CR|701.5}}"),
        ("rule\n// 702.2", "rule\n// 703.2"),
        ("CR 703 and CR 702", "CR 704 and CR 703"),
        ("CR 701.2a\r\nCR 701.2b\rCaf\udce9", "CR 701.3a\r\nCR 701.3b\rCaf\udce9"),
        ("CR 100.1, 701.2a; 100.2", "CR 100.1, 701.3a; 100.2"),
        ("\ufeffrule 701.2a", "\ufeffrule 701.3a"),
    ],
)
def test_what_moved_is_rewritten_and_nothing_else(
    rules: sqlite3.Connection, tmp_path: Path, before: str, after: str
) -> None:
    text, made = moved(rules, tmp_path, before)
    assert text == after
    assert made.left == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("CR 703.3", "split"),
        ("CR 703.2", "gone"),
        ("CR 701.9", "named no rule"),
        ("CR 703.2-3", "is gone"),
        ("CR 701.2(a)", "goes on in a way"),
        ("[CR 701.2a](https://rules.example/701.2a)", "has the number again"),
        ("CR 701.2a (once more: 701.2a)", "has the number again"),
        ("Balance a feather on one finger (CR 701.2a)", "fit"),
        (f"CR 701.2a: “{LEAVE}”", "fit"),
    ],
)
def test_what_is_not_certain_is_left_and_listed(
    rules: sqlite3.Connection, tmp_path: Path, text: str, reason: str
) -> None:
    after, made = moved(rules, tmp_path, text)
    assert after == text
    assert reason in made.left[0].reason


def test_a_second_run_does_nothing(rules: sqlite3.Connection, tmp_path: Path) -> None:
    first, _ = moved(rules, tmp_path, "CR 701.2a, CR 701.3a, CR 703.3\n")
    assert first == "CR 701.3a, CR 701.4a, CR 703.3\n"
    again = move_citations(rules, [tmp_path], written=MARCH, to=JUNE, write=True)
    assert again.files == []
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == first


def test_a_second_run_does_nothing_where_lines_came_in_between(rules: sqlite3.Connection, tmp_path: Path) -> None:
    first, _ = moved(rules, tmp_path, "CR 701.2a\nCR 701.3a\n")
    edited = f"A new line.\nCR 701.3b is new too\n{first}"
    (tmp_path / "a.md").write_text(edited, encoding="utf-8")
    again = move_citations(rules, [tmp_path], written=MARCH, to=JUNE, write=True)
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == edited
    assert [one.number for one in again.left] == ["701.3b"]
    assert "was moved to 2030-06-01 before" in again.left[0].reason


def test_a_file_that_was_restored_is_moved_again(rules: sqlite3.Connection, tmp_path: Path) -> None:
    first, _ = moved(rules, tmp_path, "CR 701.2a\n")
    assert moved(rules, tmp_path, "CR 701.2a\n")[0] == first


def test_a_file_that_was_renamed_is_not_moved_again(rules: sqlite3.Connection, tmp_path: Path) -> None:
    first, _ = moved(rules, tmp_path, "CR 701.2a\n")
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    assert move_citations(rules, [tmp_path], written=MARCH, to=JUNE, write=True).files == []
    assert (tmp_path / "b.md").read_text(encoding="utf-8") == first


def test_a_part_of_a_tree_that_was_moved_by_itself_is_not_moved_again(
    rules: sqlite3.Connection, tmp_path: Path
) -> None:
    first, _ = moved(rules, tmp_path / "src", "CR 701.2a\n")
    (tmp_path / "b.md").write_text("CR 701.2b\n", encoding="utf-8")
    made = move_citations(rules, [tmp_path], written=MARCH, to=JUNE, write=True)
    assert [one.file.name for one in made.files] == ["b.md"]
    assert (tmp_path / "src" / "a.md").read_text(encoding="utf-8") == first
    move_citations(rules, [tmp_path / "src"], written=MARCH, to=JUNE, write=True)
    assert (tmp_path / "src" / "a.md").read_text(encoding="utf-8") == first


def test_the_next_release_goes_on_from_the_record(rules: sqlite3.Connection, tmp_path: Path) -> None:
    moved(rules, tmp_path, "CR 701.2a and CR 703.3\n")
    move_citations(rules, [tmp_path], written=JUNE, to=SEPTEMBER, write=True)
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "CR 701.5a and CR 703.3\n"


def test_shorthand_stays_with_what_it_leans_on(rules: sqlite3.Connection, tmp_path: Path) -> None:
    text, made = moved(rules, tmp_path, "CR 701.2a/c and d")
    assert text == "CR 701.2a/c and d"
    assert [one.number for one in made.left] == ["701.2a", "701.2c", "701.2d"]


def test_strings_that_tests_assert_on_are_reported_apart(rules: sqlite3.Connection, tmp_path: Path) -> None:
    moved(rules, tmp_path, 'fn t() { assert_eq!(why(), "CR 701.2a"); }\n', "tests/a.rs")
    (tmp_path / "tests" / "a.rs").write_text(
        '// CR 701.3a\nfn t() { assert_eq!(why(), "no: CR 701.2a"); }\n', encoding="utf-8"
    )
    text, made = moved(
        rules, tmp_path, '// CR 701.2a\nfn why() -> &str { "no: CR 701.2a" }\nlet help = "CR 701.4a";\n', "src/b.rs"
    )
    assert text == '// CR 701.3a\nfn why() -> &str { "no: CR 701.2a" }\nlet help = "CR 701.5a";\n'
    assert {(one.file, one.line, one.asserted) for one in made.left} == {("src/b.rs", 2, True), ("tests/a.rs", 2, True)}


def test_in_a_tree_of_two_editions_a_date_alone_moves_nothing_that_both_have(
    rules: sqlite3.Connection, tmp_path: Path
) -> None:
    text = "// Balance the feather (CR 701.2a)\n\n// CR 701.2b\n\n// Whistle (CR 701.3a).\n\n// CR 702.1\n"
    after, made = moved(rules, tmp_path, text, "a.rs")
    assert after == text.replace("CR 701.3a", "CR 701.4a").replace("CR 701.2b", "CR 701.3b")
    assert [one.number for one in made.left] == ["701.2a", "702.1"]
    assert "other citations here are of 2030-06-01" in made.left[1].reason
    trusted = move_citations(rules, [tmp_path], written=MARCH, to=JUNE, trust_date=True)
    assert [one.number for one in trusted.moved] == ["702.1"]


def test_names_in_code_move_only_where_the_pattern_says_so(rules: sqlite3.Connection, tmp_path: Path) -> None:
    pattern = "[[find]]\npattern = 'cr_(?P<section>\\d{3})_(?P<rule>\\d+)(?P<letters>[a-z]?)(?![a-z0-9])'\n"
    (tmp_path / ".rulehist.toml").write_text(pattern, encoding="utf-8")
    text, made = moved(rules, tmp_path, "fn cr_701_2a_juggles() {}", "a.rs")
    assert text == "fn cr_701_2a_juggles() {}"
    assert "is a name in code" in made.left[0].reason
    (tmp_path / ".rulehist.toml").write_text(pattern + "move = true\n", encoding="utf-8")
    assert moved(rules, tmp_path, "fn cr_701_2a_juggles() {}", "a.rs")[0] == "fn cr_701_3a_juggles() {}"


def test_a_file_in_utf_16_stays_in_it(rules: sqlite3.Connection, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xff\xfe" + "rule 701.2a\r\n".encode("utf-16-le"))
    move_citations(rules, [tmp_path], written=MARCH, to=JUNE, write=True)
    assert path.read_bytes() == b"\xff\xfe" + "rule 701.3a\r\n".encode("utf-16-le")


def test_a_file_that_changed_meanwhile_is_not_overwritten(rules: sqlite3.Connection, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("CR 701.2a\n", encoding="utf-8")
    ready = checker(rules, [tmp_path], MARCH, JUNE)
    planned = moving.plan(ready, [tmp_path])
    path.write_text("CR 701.2a, edited\n", encoding="utf-8")
    with pytest.raises(SourceError, match="changed by another program"):
        moving.carry_out(ready, planned)
    assert path.read_text(encoding="utf-8") == "CR 701.2a, edited\n"


def test_permissions_are_kept_and_nothing_is_left_behind(rules: sqlite3.Connection, tmp_path: Path) -> None:
    path = tmp_path / "run.sh"
    path.write_text("# CR 701.2a\n", encoding="utf-8")
    path.chmod(0o750)
    move_citations(rules, [tmp_path], written=MARCH, to=JUNE, write=True)
    assert path.stat().st_mode & 0o777 == 0o750
    assert sorted(one.name for one in tmp_path.iterdir()) == [".rulehist-moved.json", "run.sh"]


def test_the_diff_can_be_applied(rules: sqlite3.Connection, tmp_path: Path) -> None:
    lines = [f"line {i}\n" for i in range(20)]
    lines[3], lines[15] = "CR 701.2a\n", "CR 701.3a"
    (tmp_path / "a.md").write_text("".join(lines[:16]), encoding="utf-8")
    planned = move_citations(rules, [tmp_path], written=MARCH, to=JUNE)
    assert planned.files[0].diff() == (
        "--- a/a.md\n+++ b/a.md\n@@ -1,7 +1,7 @@\n line 0\n line 1\n line 2\n-CR 701.2a\n+CR 701.3a\n"
        " line 4\n line 5\n line 6\n@@ -13,4 +13,4 @@\n line 12\n line 13\n line 14\n"
        "-CR 701.3a\n\\ No newline at end of file\n+CR 701.4a\n\\ No newline at end of file\n"
    )
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == "".join(lines[:16])


def test_a_damaged_record_is_an_error(rules: sqlite3.Connection, tmp_path: Path) -> None:
    (tmp_path / ".rulehist-moved.json").write_text(json.dumps({"format": 1}), encoding="utf-8")
    (tmp_path / "a.md").write_text("CR 701.2a\n", encoding="utf-8")
    with pytest.raises(SourceError, match="is no record of moves"):
        move_citations(rules, [tmp_path], written=MARCH, to=JUNE)


NUMBERS = ["100.1", "100.2", "701.1", "701.2", "701.2a", "701.2b", "701.3", "701.3a", "701.3b", "701.3c", "701.4a"]
NUMBERS += ["702.1", "702.2", "703.1", "703.2", "703.3", "701.9"]
pieces = st.lists(
    st.one_of(
        st.sampled_from(["CR ", "rule ", "rules ", "§ ", "[CR#", "(see rule "]).flatmap(
            lambda lead: st.sampled_from(NUMBERS).map(lambda number: lead + number)
        ),
        st.sampled_from(["/b", "/c", " and c", "-c", ", 702.1", "; ", "\n", "\r\n", "\n\n", ") ", "é", "613.7f ", "]"]),
        st.sampled_from(["juggle ", "balance a feather ", "whistle ", "score ", 'assert("', '") ']),
    ),
    max_size=14,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(pieces=pieces, name=st.sampled_from(["a.md", "a.rs", "a.yaml"]))
def test_there_and_back_gives_the_same_bytes(
    cited_database: Path, tmp_path_factory: pytest.TempPathFactory, pieces: list[str], name: str
) -> None:
    folder = tmp_path_factory.mktemp("round")
    before = "".join(pieces).encode()
    (folder / name).write_bytes(before)
    connection = open_for_reading(cited_database)
    try:
        there = move_citations(connection, [folder], written=MARCH, to=SEPTEMBER, write=True)
        assert move_citations(connection, [folder], written=MARCH, to=SEPTEMBER, write=True).files == []
        back = move_citations(connection, [folder], written=SEPTEMBER, to=MARCH, write=True)
    finally:
        connection.close()
    if not there.left and not back.left:
        assert (folder / name).read_bytes() == before


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(pieces=pieces)
def test_what_was_moved_names_the_same_rules(
    cited_database: Path, tmp_path_factory: pytest.TempPathFactory, pieces: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("same")
    before = "".join(pieces)
    (folder / "a.md").write_bytes(before.encode())
    connection = open_for_reading(cited_database)
    try:
        made = move_citations(connection, [folder], written=MARCH, to=JUNE, write=True)
        after = (folder / "a.md").read_bytes().decode()
        old = check_text(connection, before, MARCH, MARCH).judged
        new = check_text(connection, after, JUNE, JUNE).judged
    finally:
        connection.close()
    left = {(one.line, one.column) for one in made.left}
    assert len(old) == len(new)
    for one, other in zip(old, new, strict=True):
        if (one.line, one.column) not in left:
            assert one.verdict.held is not None
            assert other.verdict.held is not None
            assert one.verdict.held.rule == other.verdict.held.rule


@pytest.mark.archive
@pytest.mark.parametrize(
    ("old", "new"), [("2009-05-01", "2009-07-11"), ("2021-04-22", "2021-07-23"), ("2025-02-07", "2025-06-06")]
)
def test_every_citation_of_a_great_renumbering_goes_there_and_back(
    archive_database: Path, tmp_path: Path, old: str, new: str
) -> None:
    connection = open_for_reading(archive_database)
    begin, end = parse_when(old), parse_when(new)
    try:
        known = checker(connection, [tmp_path], begin, end).rules
        numbers = [number for number in known.in_force(old) if "." in number]
        before = "".join(f"see CR {number}\n\n" for number in numbers)
        (tmp_path / "a.md").write_text(before, encoding="utf-8")
        there = move_citations(connection, [tmp_path], written=begin, to=end, write=True)
        assert move_citations(connection, [tmp_path], written=begin, to=end, write=True).files == []
        after = (tmp_path / "a.md").read_text(encoding="utf-8").split("\n\n")[:-1]
        move_citations(connection, [tmp_path], written=end, to=begin, write=True)
        assert (tmp_path / "a.md").read_text(encoding="utf-8") == before
    finally:
        connection.close()
    left = {one.number for one in there.left}
    for number, line in zip(numbers, after, strict=True):
        if number not in left:
            held = known.in_force(old)[number][0]
            assert known.in_force(new)[line.removeprefix("see CR ")][0].rule == held.rule
    assert len(there.moved) > len(there.left)
