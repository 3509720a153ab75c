"""``cite check``, ``cite move`` and ``cite annotate`` as commands: exit codes, files, formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulehist import cli
from tests.cited_texts import cited_database

__all__ = ["cited_database"]


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], cited_database: Path):
    def call(*words: object) -> Outcome:
        code = 0
        try:
            cli.main(["cite", *map(str, words), "--db", str(cited_database)])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "a.md").write_text("Juggle as in rule 701.2a, CR 100.1.\n", encoding="utf-8")
    return tmp_path


def test_exit_codes_tell_right_from_wrong_from_error(run, tree: Path) -> None:
    assert run("check", tree, "--written", "2030-03-01", "--as-of", "2030-03-15").code == 0
    found = run("check", tree, "--written", "2030-03-01", "--as-of", "2030-06-01")
    assert found.code == 1
    assert "a.md:1:19: rule 701.2a" in found.out
    refused = run("check", tree, "--written", "1930-01-01")
    assert refused.code == 2
    assert "before the first text" in refused.err


def test_json_of_a_finding_has_file_line_column_and_where_the_rule_went(run, tree: Path) -> None:
    told = json.loads(run("check", tree, "--written", "2030-03-01", "--as-of", "2030-06-01", "--json").out)
    assert told["counts"] == {"another": 1, "right": 1}
    finding = told["findings"][0]
    assert (finding["file"], finding["line"], finding["column"]) == ("a.md", 1, 19)
    assert finding["was"]["number"] == "701.2a"
    assert finding["now"]["number"] == finding["new_number"] == "701.3a"
    assert finding["number_now"]["title"] == "Balance"
    assert finding["certain"] is True


def test_a_baseline_accepts_what_was_found_before(run, tree: Path) -> None:
    when = ("--written", "2030-03-01", "--as-of", "2030-06-01")
    assert run("check", tree, *when, "--update-baseline").code == 0
    assert run("check", tree, *when).code == 0
    (tree / "a.md").write_text("New.\nJuggle as in rule 701.2a, CR 100.1.\nCR 701.3a\n", encoding="utf-8")
    again = run("check", tree, *when)
    assert again.code == 1
    assert "a.md:3:4" in again.out
    assert "1 accepted by the baseline" in again.out


def test_kinds_of_findings_can_be_left_out(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("CR 100.2\n", encoding="utf-8")
    when = ("--written", "2030-06-01", "--as-of", "2030-09-01")
    assert run("check", tmp_path, *when).code == 1
    assert run("check", tmp_path, *when, "--ignore", "reworded").code == 0
    assert run("check", tmp_path, *when, "--ignore", "nonsense").code == 2


@pytest.mark.parametrize("name", ["sarif", "github", "text", "json"])
def test_every_format_names_the_file(run, tree: Path, name: str) -> None:
    found = run("check", tree, "--written", "2030-03-01", "--as-of", "2030-06-01", "--format", name)
    assert found.code == 1
    assert "a.md" in found.out


def test_an_unknown_format_is_an_error(run, tree: Path) -> None:
    assert run("check", tree, "--format", "xml").code == 2


def test_a_move_shows_the_diff_first_and_writes_only_when_told(run, tree: Path) -> None:
    when = ("--written", "2030-03-01", "--to", "2030-06-01")
    shown = run("move", tree, *when)
    assert shown.code == 1
    assert shown.out.startswith("--- a/a.md\n+++ b/a.md\n")
    assert "701.2a" in (tree / "a.md").read_text(encoding="utf-8")
    assert run("move", tree, *when, "--write").code == 0
    assert (tree / "a.md").read_text(encoding="utf-8") == "Juggle as in rule 701.3a, CR 100.1.\n"
    again = run("move", tree, *when, "--write")
    assert again.code == 0
    assert "0 citations moved in 0 files" in again.out
    assert run("check", tree, "--written", "2030-03-01", "--as-of", "2030-06-01").code == 0


def test_a_move_as_json_lists_what_moved_and_what_is_left(run, tree: Path) -> None:
    (tree / "b.md").write_text("CR 703.3\n", encoding="utf-8")
    told = json.loads(run("move", tree, "--written", "2030-03-01", "--to", "2030-06-01", "--json").out)
    assert told["moved"] == [{"file": "a.md", "line": 1, "column": 19, "number": "701.2a", "to": "701.3a"}]
    assert [(one["file"], one["number"]) for one in told["left"]] == [("b.md", "703.3")]
    assert told["done"] is False


def test_bytes_that_are_no_text_do_not_stop_an_answer(run, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"Caf\xe9: rule 701.2a\n")
    when = ("--written", "2030-03-01", "--to", "2030-06-01")
    assert "+Caf?: rule 701.3a" in json.loads(run("move", tmp_path, *when, "--json").out)["diff"]
    assert run("move", tmp_path, *when).code == 1
    assert run("annotate", tmp_path / "a.md", "--as-of", "2030-03-01", "-o", tmp_path / "b.md").code == 0
    assert (tmp_path / "b.md").read_bytes().startswith(b"Caf\xe9: rule 701.2a[^cr-701-2a]\n")


def test_footnotes_in_markdown_are_the_words_of_the_day_and_come_once(run, tmp_path: Path) -> None:
    article = tmp_path / "a.md"
    article.write_text("See [rule 701.2a](x) and `CR 100.1`.\n\n```\nCR 701.2b\n```\n", encoding="utf-8")
    assert run("annotate", article, "--as-of", "2030-03-01", "-o", article).code == 0
    once = article.read_text(encoding="utf-8")
    assert once.startswith("See [rule 701.2a](x)[^cr-701-2a] and `CR 100.1`[^cr-100-1].\n\n```\nCR 701.2b\n```\n")
    assert "[^cr-701-2a]: **701.2a** (2030-03-01) To juggle a marble" in once
    run("annotate", article, "--as-of", "2030-03-01", "-o", article)
    assert article.read_text(encoding="utf-8") == once
    run("annotate", article, "--as-of", "2030-06-01", "-o", article)
    assert "[^cr-701-2a]: **701.2a** (2030-06-01) To balance a feather" in article.read_text(encoding="utf-8")


def test_footnotes_in_html_go_before_the_end_of_the_body(run, tmp_path: Path) -> None:
    article = tmp_path / "a.html"
    article.write_text(
        '<body><p title="CR 100.1">See CR <a href="x">701.2a</a>.</p><pre>CR 100.2</pre></body>', encoding="utf-8"
    )
    made = run("annotate", article, "--as-of", "2030-03-01")
    assert made.code == 0
    assert 'CR <a href="x">701.2a</a><sup class="cr-note"><a href="#cr-701-2a">701.2a</a></sup>.</p>' in made.out
    assert made.out.rstrip().endswith("</ol></section>\n</body>")
    assert made.out.count("<li id=") == 1


def test_a_number_that_named_no_rule_has_no_footnote(run, tmp_path: Path) -> None:
    article = tmp_path / "a.md"
    article.write_text("CR 701.9\n", encoding="utf-8")
    made = run("annotate", article, "--as-of", "2030-03-01")
    assert (made.code, made.out) == (1, "CR 701.9\n")
    assert "701.9 named no rule on 2030-03-01" in made.err


def test_footnotes_are_for_articles(run, tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("// CR 100.1\n", encoding="utf-8")
    assert run("annotate", tmp_path / "a.rs").code == 2


def test_several_processes_find_what_one_finds(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(50):
        (tmp_path / f"{at}.md").write_text(f"rule 701.2a, CR 100.1, CR 701.{at + 2}b\n", encoding="utf-8")
    when = ("--written", "2030-03-01", "--as-of", "2030-06-01", "--json")
    alone = run("check", tmp_path, *when)
    monkeypatch.setattr("rulehist.citations.parallel.CITED_FILES_FOR_ONE", 10)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert run("check", tmp_path, *when).out == alone.out
    assert alone.code == 1


def test_places_are_named_as_seen_from_where_one_stands(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "clone.rs").write_text("// CR 999.9\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "src/clone.rs:1:7" in run("check", "src/clone.rs").out
    monkeypatch.chdir(tmp_path / "src")
    assert " clone.rs:1:7" in run("check", "clone.rs").out
