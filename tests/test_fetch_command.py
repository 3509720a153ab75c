"""`rulehist fetch`: getting the texts from a server on loopback, as a user does."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.test_cli import run  # noqa: F401 - a fixture
from tests.test_fetch import BODY, Server, server, whole  # noqa: F401 - a fixture

SHA256 = hashlib.sha256(BODY).hexdigest()


@pytest.fixture
def listed(server: Server, tmp_path: Path) -> Path:  # noqa: F811
    """A list of three texts: one whole, one that only the second address has, one that nobody has any more."""
    server.pages |= {"/CompRules20210723.txt": whole, "/kept/CompRules20221007.txt": whole}
    rows = [
        ("effective", "format", "url", "archived_url", "sha256"),
        ("2021-07-23", "txt", server.url("/CompRules20210723.txt"), "", SHA256),
        ("2022-10-07", "txt", server.url("/CompRules20221007.txt"), server.url("/kept/CompRules20221007.txt"), SHA256),
        ("2023-04-14", "txt", server.url("/CompRules20230414.txt"), "", ""),
    ]
    path = tmp_path / "sources.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_text_is_fetched_by_its_date_or_its_set_code(run, listed: Path, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "texts"
    outcome = run("fetch", "AFR", "2021-08-01", "--list", listed, "-o", folder)
    assert outcome.code == 0, outcome.err
    assert [path.name for path in folder.iterdir()] == ["CompRules20210723.txt"]
    assert (folder / "CompRules20210723.txt").read_bytes() == BODY
    assert f"rulehist ingest {folder}" in outcome.out
    assert outcome.err == "", "nobody watches a pipe: no progress bar there"


def test_a_failed_address_is_reported_and_the_rest_goes_on(run, listed: Path, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "texts"
    outcome = run("fetch", "--all", "--list", listed, "-o", folder)
    assert outcome.code == 2
    assert sorted(path.name for path in folder.iterdir()) == ["CompRules20210723.txt", "CompRules20221007.txt"]
    assert outcome.out.count("the server answered 404") == 2
    assert len(outcome.err.splitlines()) == 1
    assert "one text could not be had" in outcome.err


def test_what_was_fetched_is_told_as_json(run, listed: Path, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "texts"
    run("fetch", "2021-07-23", "--list", listed, "-o", folder)
    shape = json.loads(run("fetch", "--all", "--list", listed, "-o", folder, "--json").out)
    assert [(text["effective"], text["status"]) for text in shape["texts"]] == [
        ("2021-07-23", "already there"),
        ("2022-10-07", "fetched"),
        ("2023-04-14", "failed"),
    ]
    [failure] = shape["texts"][1]["failures"]
    assert failure["address"].endswith("/CompRules20221007.txt")


def test_a_text_without_any_address_is_said_and_no_older_one_taken_for_it(
    run,  # noqa: F811
    listed: Path,
    tmp_path: Path,
) -> None:
    outcome = run("fetch", "MID", "--list", listed, "-o", tmp_path / "texts", "--json")
    assert outcome.code == 2
    assert json.loads(outcome.out) == {"texts": [], "without_address": ["2021-09-24"]}


def test_the_newest_text_is_found_on_the_rules_page(
    run,  # noqa: F811
    server: Server,  # noqa: F811
    listed: Path,
    tmp_path: Path,
) -> None:
    server.pages["/rules"] = lambda handler: handler.answer(
        200, b'<a href="/2021/Comp Rules 20210204.txt">old</a> <a href="/2030/CompRules 13022030.txt">new</a>'
    )
    server.pages["/2030/CompRules%2013022030.txt"] = whole
    words = ["--list", listed, "-o", tmp_path / "texts", "--page", server.url("/rules")]
    outcome = run("fetch", "--latest", *words, "--json")
    assert outcome.code == 0, outcome.err
    [text] = json.loads(outcome.out)["texts"]
    assert (text["effective"], text["status"]) == ("2030-02-13", "fetched")
    assert Path(text["path"]).read_bytes() == BODY


def test_a_rules_page_that_is_gone_does_not_stop_the_rest(
    run,  # noqa: F811
    server: Server,  # noqa: F811
    listed: Path,
    tmp_path: Path,
) -> None:
    words = ["--list", listed, "-o", tmp_path / "texts", "--page", server.url("/gone")]
    outcome = run("fetch", "2021-07-23", "latest", *words)
    assert outcome.code == 2
    assert "404" in outcome.err
    assert (tmp_path / "texts" / "CompRules20210723.txt").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "--latest"),
        (["1993-01-01"], "no address is known"),
        (["XXQ"], "XXQ"),
        (["--list", "/nonexistent"], "--all"),
    ],
)
def test_a_fetch_of_nothing_known_is_one_sentence_and_2(run, words: list[str], says: str) -> None:  # noqa: F811
    outcome = run("fetch", *words)
    assert outcome.code == 2
    assert says in outcome.err
    assert len(outcome.err.splitlines()) == 1
