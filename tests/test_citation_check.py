"""Which citations are right, and what became of the others, against a made tree and its findings written by hand."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from pathlib import Path

import pytest

from rulehist import tables
from rulehist.citations.check import check_text
from rulehist.citations.findings import check_citations
from rulehist.citations.formats import rendered
from rulehist.errors import DataError, SourceError
from rulehist.store import open_for_reading
from rulehist.when import parse_when
from tests.cited_texts import FORFEIT, cited_database, rules

DATA = Path(__file__).parent / "data"
__all__ = ["cited_database", "rules"]
MARCH, JUNE, SEPTEMBER = (parse_when(f"2030-{month}-01") for month in ("03", "06", "09"))


def statuses(rules: sqlite3.Connection, text: str, written=MARCH, as_of=JUNE, name: str = "text.md") -> list[str]:
    return [str(judged.status) for judged in check_text(rules, text, written, as_of, name).judged]


def test_the_made_tree_has_the_findings_written_by_hand(rules: sqlite3.Connection) -> None:
    report = check_citations(rules, [DATA / "cited-tree"], written=MARCH, as_of=JUNE)
    root = DATA.parents[1]
    found = {
        (
            str((root / one.file).relative_to(DATA / "cited-tree")),
            str(one.line),
            str(one.column),
            one.citation,
            one.number,
            str(one.status),
            one.shape["new_number"] or "",
        )
        for one in report.findings
    }
    expected = {
        tuple(row)
        for _, row in tables.rows(
            DATA / "cited-tree.tsv", ("file", "line", "column", "citation", "number", "status", "new")
        )
    }
    assert found - expected == set()
    assert expected - found == set()
    assert report.counts["right"] == 2


def test_a_number_that_names_another_rule_now_is_shown_first_and_never_right(rules: sqlite3.Connection) -> None:
    report = check_citations(rules, [DATA / "cited-tree"], written=MARCH, as_of=JUNE)
    kinds = [str(one.status) for one in report.findings]
    assert kinds[0] == "another"
    assert kinds == sorted(kinds, key=["another", "words", "split", "moved", "never"].index)


def test_the_words_beside_a_citation_tell_that_it_is_of_another_edition(rules: sqlite3.Connection) -> None:
    judged = check_text(rules, "// Balance the feather (CR 701.2a).", MARCH, JUNE, "a.rs").judged[0]
    assert judged.status == "words"
    assert judged.speech is not None
    assert judged.speech.held.since == "2030-06-01"


def test_words_that_fit_the_rule_that_is_named_are_no_finding(rules: sqlite3.Connection) -> None:
    assert statuses(rules, "Whistle a melody (CR 701.3a).", MARCH, SEPTEMBER) == ["right"]


def test_a_quotation_decides_which_rule_was_meant(rules: sqlite3.Connection) -> None:
    text = f"CR 703.1: “{FORFEIT}”"
    judged = check_text(rules, text, MARCH, MARCH).judged[0]
    assert judged.status == "words"
    assert judged.speech is not None
    assert (judged.speech.how, judged.speech.held.number) == ("quoted", "703.3")


def test_a_quotation_whose_words_have_changed_is_reported(rules: sqlite3.Connection) -> None:
    quoted = "CR 100.2: “A player who cannot do what a card says does as much of it as can be done.”"
    assert statuses(rules, quoted, JUNE, SEPTEMBER) == ["quotation"]
    assert statuses(rules, "CR 100.2 says what to do.", JUNE, SEPTEMBER) == ["reworded"]


def test_a_reworded_rule_comes_with_the_words_that_changed(rules: sqlite3.Connection, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("CR 100.2 says what to do.", encoding="utf-8")
    report = check_citations(rules, [tmp_path], written=JUNE, as_of=SEPTEMBER)
    assert ["insert", "is possible"] in report.findings[0].shape["words"]


def test_each_of_a_list_may_have_its_own_name_in_brackets(rules: sqlite3.Connection) -> None:
    text = "CR 701.2 ({}), 701.3 ({}) and 703.1"
    assert statuses(rules, text.format("Juggle", "Whistle"), MARCH, MARCH)[:2] == ["right", "right"]
    assert statuses(rules, text.format("Whistle", "Stack"), MARCH, MARCH)[:2] == ["words", "words"]


def test_the_words_of_one_item_of_a_list_say_nothing_of_the_next(rules: sqlite3.Connection) -> None:
    quoted = "“To whistle a melody, a player names a song and hums it until another player joins in.”"
    assert statuses(rules, f"- {quoted}\n- Tossed from hand to hand (CR 701.2a)", MARCH, MARCH) == ["right"]
    assert statuses(rules, f"{quoted}\nTossed from hand to hand (CR 701.2a)", MARCH, MARCH) == ["words"]


def test_a_quotation_between_its_own_number_and_a_list_is_explained(rules: sqlite3.Connection) -> None:
    text = f"CR 703.3: “{FORFEIT}” Beside it: CR 100.1, 100.2, 701.2a, 701.3a, 799.9"
    assert statuses(rules, text, MARCH, MARCH)[:5] == ["right"] * 5


def test_words_that_join_others_speak_for_no_rule(rules: sqlite3.Connection) -> None:
    text = "When an object is here, so is its own: it was, and they have the first of it (CR 702.1)"
    assert statuses(rules, text, JUNE, JUNE) == ["right"]


def test_a_section_of_a_law_is_no_rule(rules: sqlite3.Connection) -> None:
    assert check_text(rules, "the privacy act, § 164.502 and 164.503", None, JUNE).judged == ()
    assert [one.status for one in check_text(rules, "scoring, § 704.99", JUNE, JUNE).judged] == ["never"]


def test_a_quoted_rule_may_refer_to_others(rules: sqlite3.Connection) -> None:
    text = "CR 701.2b: “A marble that is dropped while it is juggled leaves the table.” See also CR 100.1."
    assert statuses(rules, text, MARCH, MARCH) == ["right", "right"]


def test_without_a_date_every_rule_that_had_the_number_is_a_candidate(rules: sqlite3.Connection) -> None:
    judged = check_text(rules, "see CR 701.2a", None, SEPTEMBER).judged[0]
    assert judged.status == "unknown"
    assert {(one.since, one.until) for one in judged.candidates} == {("2030-03-01", "2030-06-01"), ("2030-06-01", None)}


def test_without_a_date_the_words_decide(rules: sqlite3.Connection) -> None:
    judged = check_text(rules, "Juggle the marble (CR 701.2a)", None, SEPTEMBER).judged[0]
    assert (judged.status, judged.verdict.new, judged.verdict.certain) == ("another", "701.5a", False)


def test_without_a_date_no_rule_is_chosen_against_a_title(rules: sqlite3.Connection) -> None:
    text = "CR 701.3a: balance what was tossed from one hand into the other hand without looking"
    assert set(statuses(rules, text, None, SEPTEMBER)) <= {"words", "unknown"}


def test_the_words_before_a_block_of_code_say_nothing_of_the_next(rules: sqlite3.Connection) -> None:
    text = (
        "// what a copy acquires: the copiable values of the original object\nfn a() {\n}\n/// In a table (CR 702.1)."
    )
    assert statuses(rules, text, JUNE, JUNE) == ["right"]


def test_a_number_that_only_one_rule_ever_had_needs_no_date(rules: sqlite3.Connection) -> None:
    assert statuses(rules, "CR 703.3 on forfeits; CR 100.1", None, JUNE) == ["split", "right"]


def git(folder: Path, *words: str, date: str = "2030-03-10T12:00:00+00:00") -> None:
    environment = {
        "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@b.c",
        "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@b.c", "PATH": "/usr/bin:/bin", "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
    }  # fmt: skip
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True, capture_output=True)


def test_git_dates_each_line_by_its_last_commit(rules: sqlite3.Connection, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    git(tmp_path, "init", "-q")
    file.write_text("juggle: CR 701.2a\n", encoding="utf-8")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    file.write_text("juggle: CR 701.2a\njuggle again: CR 701.3a\n", encoding="utf-8")
    git(tmp_path, "commit", "-qam", "two", date="2030-06-10T12:00:00+00:00")
    report = check_citations(rules, [tmp_path], written="git", as_of=JUNE)
    assert [(one.line, str(one.status)) for one in report.findings] == [(1, "another")]
    assert report.counts["right"] == 1


def test_gitignore_binaries_large_files_and_links_are_left_out(rules: sqlite3.Connection, tmp_path: Path) -> None:
    tree, outside = tmp_path / "tree", tmp_path / "outside"
    (tree / "build").mkdir(parents=True)
    outside.mkdir()
    cited = "CR 701.2a\n"
    (outside / "a.txt").write_text(cited, encoding="utf-8")
    (tree / "link").symlink_to(outside)
    (tree / "file-link.txt").symlink_to(outside / "a.txt")
    (tree / ".git").mkdir()
    (tree / ".gitignore").write_text("build/\n*.log\n!kept.log\n", encoding="utf-8")
    for name in ("build/a.txt", "a.log", "kept.log"):
        (tree / name).write_text(cited, encoding="utf-8")
    (tree / "binary.bin").write_bytes(b"\0\1CR 701.2a")
    (tree / ".rulehist.toml").write_text("largest = 2000\n", encoding="utf-8")
    (tree / "large.txt").write_text(cited * 1000, encoding="utf-8")
    report = check_citations(rules, [tree], written=MARCH, as_of=JUNE)
    assert [one.file for one in report.findings] == ["kept.log"]
    assert {one.path.name: one.reason for one in report.skipped} == {
        "binary.bin": "binary",
        "file-link.txt": "a symbolic link",
        "large.txt": "10,000 bytes, over the limit of 2,000",
        "link": "a symbolic link",
    }


def test_a_copy_of_the_rules_is_of_its_own_date(rules: sqlite3.Connection, tmp_path: Path) -> None:
    line = "701.{}. A marble is a small ball of glass or clay, see rule 701.2a, and it is never a die or a coin.\n"
    lines = [line.format(at) for at in range(1, 400)]
    (tmp_path / "rules.txt").write_text("".join(lines), encoding="utf-8")
    report = check_citations(rules, [tmp_path], written=MARCH, as_of=JUNE)
    assert report.citations == 0
    assert report.skipped[0].reason == "is itself a text of the rules, of its own date"


def test_a_project_adds_its_own_patterns(rules: sqlite3.Connection, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        "[[tool.rulehist.cite.find]]\nname = 'tests'\n"
        "pattern = 'cr_(?P<section>\\d{3})_(?P<rule>\\d{1,3})(?P<letters>[a-z]?)(?![a-z0-9])'\nfiles = ['*.rs']\n"
        "[[tool.rulehist.cite.lead]]\nwords = ['Regel']\n",
        encoding="utf-8",
    )
    (tmp_path / "a.rs").write_text("fn cr_701_2a_juggles() {}\n// Regel 701.2b\n", encoding="utf-8")
    (tmp_path / "a.py").write_text("def cr_701_2a_juggles(): ...\n", encoding="utf-8")
    report = check_citations(rules, [tmp_path], written=MARCH, as_of=JUNE)
    assert [(one.file, one.number) for one in report.findings] == [("a.rs", "701.2a"), ("a.rs", "701.2b")]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("leads = 1", "unknown key 'leads'"),
        ("[[lead]]\nshort = true", "has no words"),
        ("[[lead]]\nwords = ['x']\nsections = 'often'", "must be one of always"),
        ("[[find]]\npattern = '('", "is no regular expression"),
        ("[[find]]\npattern = 'cr'", "needs groups"),
        ("largest = 'big'", "must be of type int"),
        ("[files]\nskip = 'x'", "must be a list of texts"),
        ("= 1", "is not TOML"),
    ],
)
def test_a_malformed_configuration_is_one_sentence(
    rules: sqlite3.Connection, tmp_path: Path, written: str, words: str
) -> None:
    (tmp_path / ".rulehist.toml").write_text(written, encoding="utf-8")
    with pytest.raises(DataError, match=words.replace("(", r"\(")):
        check_citations(rules, [tmp_path], written=MARCH, as_of=JUNE)


def test_a_path_that_is_not_there_is_an_error(rules: sqlite3.Connection, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        check_citations(rules, [tmp_path / "nothing"], written=MARCH, as_of=JUNE)


def test_the_formats_say_the_same(rules: sqlite3.Connection) -> None:
    report = check_citations(rules, [DATA / "cited-tree"], written=MARCH, as_of=JUNE)
    told = json.loads(rendered(report, "json"))
    sarif = json.loads(rendered(report, "sarif"))
    github = rendered(report, "github")
    assert len(told["findings"]) == len(sarif["runs"][0]["results"]) == github.count("::") // 2
    assert "col=17,title=CR 701.2a%3A the number exists" in github
    assert sarif["version"] == "2.1.0"
    text = rendered(report, "text")
    assert text.index("names another rule now") < text.index("Split into several rules")


@pytest.mark.archive
def test_copying_is_followed_through_its_three_numbers(archive_database: Path) -> None:
    connection = open_for_reading(archive_database)
    try:
        judged = check_text(
            connection, "The copiable values (CR 503.2)", parse_when("2008-10-03"), parse_when("2026-01-16")
        ).judged[0]
    finally:
        connection.close()
    assert judged.verdict.held is not None
    assert (judged.verdict.held.number, judged.verdict.new) == ("503.2", "707.2")


@pytest.mark.archive
@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("/** Untap by effect (CR 701.21a): no-op if already untapped or gone. */", "701.21a"),
        ("CR 701.21 (exile)", "701.13"),
        ("Two creatures fight (CR 701.12)", "701.14"),
    ],
)
def test_a_mixed_edition_is_told_by_the_words_beside_it(archive_database: Path, text: str, fits: str) -> None:
    connection = open_for_reading(archive_database)
    try:
        newest = parse_when("2026-01-16")
        judged = check_text(connection, text, newest, newest).judged[0]
    finally:
        connection.close()
    assert judged.status == "words"
    assert judged.speech is not None
    assert judged.speech.held.number == fits


@pytest.mark.archive
@pytest.mark.parametrize(
    "text",
    [
        "destroying a permanent (CR 701.8) is not sacrificing one (CR 701.21), phasing one out (CR 702.26)",
        "Flashback (CR 702.34), and trample assigning unmodified damage (CR 702.19b, 510.1c).",
        "Trample (CR 510.1c), assigned as it is. Flashback (CR 601.2f) costs less.",
        "Commander damage tracking (rule 903.10a), commander tax (+2 per prior cast, rule 903.8)",
        "auras and equipment, rules 303.4/301.5",
        "Prevention effects, applied after replacements (CR 615)",
        "CR 613.4 has sublayers, and one is for “effects and counters that modify power and/or toughness” alone",
        "the names, plural, since an object of the type has them as characteristics (CR 201.1)",
    ],
)
def test_comments_that_fit_their_citations_are_left_in_peace(archive_database: Path, text: str) -> None:
    connection = open_for_reading(archive_database)
    try:
        newest = parse_when("2026-01-16")
        judged = check_text(connection, text, newest, newest).judged
    finally:
        connection.close()
    assert {str(one.status) for one in judged} == {"right"}
