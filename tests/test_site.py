"""The static site: every link resolves, links last, and a second build writes only what changed."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag
from xml.etree import ElementTree

import pytest

from rulehist import cli
from rulehist.bundled import bundled_store
from rulehist.errors import QueryError
from rulehist.ingest import ingest_files
from rulehist.site import build_site
from rulehist.site.addresses import anchor, slug
from rulehist.site.search_index import search_words
from rulehist.store import file_of, open_for_reading
from tests.small_texts import JUNE_2030, MARCH_2030, rules_text

AUGUST_2030 = JUNE_2030.replace("June 1, 2030", "August 1, 2030").replace("hat a melody", "hat")
EVIL = '<script>alert("x")</script>'


class _Links(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.links += [
            value for name in ("href", "src") if (value := named.get(name)) and named.get("rel") != "canonical"
        ]
        if tag == "meta" and named.get("http-equiv") == "refresh":
            self.links.append((named.get("content") or "").partition("url=")[2])
        if "id" in named:
            self.anchors.append(named["id"] or "")


@pytest.fixture
def store_of(tmp_path: Path) -> Callable[..., sqlite3.Connection]:
    def made(*texts: str) -> sqlite3.Connection:
        paths = []
        for place, text in enumerate(texts):
            paths.append(tmp_path / f"text-{place}.txt")
            paths[-1].write_text(text, encoding="utf-8")
        ingest_files(tmp_path / "rules.db", paths)
        return open_for_reading(tmp_path / "rules.db")

    return made


def assert_every_link_resolves(folder: Path) -> None:
    pages = {path: _Links(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}
    assert pages
    broken = []
    for path, page in pages.items():
        assert len(set(page.anchors)) == len(page.anchors), f"{path} has an anchor twice"
        for link in page.links:
            assert not re.match(r"(?:[a-z]+:)?//", link), f"{path} leads to another host: {link}"
            address, wanted = urldefrag(link)
            target = path if not address else (path.parent / unquote(address)).resolve()
            if not target.is_file() or (wanted and target in pages and unquote(wanted) not in pages[target].anchors):
                broken.append((path.relative_to(folder), link))
    assert not broken


def test_every_link_of_the_site_resolves(store_of, tmp_path: Path) -> None:
    folder = (tmp_path / "site").resolve()
    build_site(store_of(MARCH_2030, JUNE_2030), folder, base_url="https://example.org/rules/")
    assert_every_link_resolves(folder)


def test_a_rule_s_page_says_what_its_report_says(store_of, tmp_path: Path) -> None:
    build_site(store_of(MARCH_2030, JUNE_2030), tmp_path / "site")
    rule = (tmp_path / "site" / "rule" / "701.2@2030-03-01.html").read_text(encoding="utf-8")
    assert "That is the oldest text in the store: the rule may be older." in rule
    section = (tmp_path / "site" / "rule" / "701@2030-03-01.html").read_text(encoding="utf-8")
    assert "Renumbered: 702.1." in section


def test_the_bundled_excerpts_make_a_site(tmp_path: Path) -> None:
    folder = (tmp_path / "site").resolve()
    with bundled_store() as connection:
        build_site(connection, folder)
    assert_every_link_resolves(folder)
    assert "stickers" in (folder / "version" / "undated.html").read_text(encoding="utf-8")


def test_a_second_build_writes_nothing(store_of, tmp_path: Path) -> None:
    connection = store_of(MARCH_2030, JUNE_2030)
    first = build_site(connection, tmp_path / "site")
    assert first.written == first.files
    again = build_site(connection, tmp_path / "site")
    assert (again.files, again.written, again.removed) == (first.files, 0, 0)


def test_a_new_release_writes_only_what_it_changed(store_of, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build_site(store_of(MARCH_2030, JUNE_2030), folder)
    old_text = (folder / "version" / "2030-03-01.html").stat().st_mtime_ns
    built = build_site(store_of(MARCH_2030, JUNE_2030, AUGUST_2030), folder)
    assert 0 < built.written < built.files
    assert (folder / "diff" / "2030-06-01..2030-08-01.html").is_file()
    assert (folder / "version" / "2030-03-01.html").stat().st_mtime_ns == old_text


def test_a_folder_that_holds_something_else_is_left_alone(store_of, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear reader", encoding="utf-8")
    with pytest.raises(QueryError, match="no site of rulehist"):
        build_site(store_of(MARCH_2030), folder)
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


def test_a_build_that_was_ended_midway_is_made_good_by_the_next(store_of, tmp_path: Path) -> None:
    connection, folder = store_of(MARCH_2030, JUNE_2030), tmp_path / "site"

    def stop(done: int, _: int) -> None:
        if done > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_site(connection, folder, on_progress=stop)
    build_site(connection, folder)
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    build_site(connection, tmp_path / "other")
    assert {path.relative_to(folder) for path in whole} == {
        path.relative_to(tmp_path / "other") for path in (tmp_path / "other").rglob("*") if path.is_file()
    }
    with pytest.raises(KeyboardInterrupt):
        build_site(connection, folder, base_url="https://example.org", on_progress=stop)
    assert build_site(connection, folder).written
    assert {path: path.read_bytes() for path in whole} == whole


def test_what_a_killed_build_left_for_another_address_is_removed_by_the_next(store_of, tmp_path: Path) -> None:
    connection, folder = store_of(MARCH_2030, JUNE_2030), tmp_path / "site"

    def stop_at_the_end(done: int, total: int) -> None:
        if done == total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_site(connection, folder, base_url="https://example.org", on_progress=stop_at_the_end)
    assert (folder / "sitemap.xml").is_file()
    (folder / "version" / ".rulehist-1.part").write_text("half a pa", encoding="utf-8")
    (folder / "CNAME").write_text("rules.example.org", encoding="utf-8")
    build_site(connection, folder)
    build_site(connection, tmp_path / "other")
    assert names_in(folder) == {*names_in(tmp_path / "other"), "CNAME"}


def names_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


HOLDER = """
import sys, time
from pathlib import Path
from rulehist.site.lock import alone_in
with alone_in(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@contextmanager
def another_build(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock of a folder, as a build does."""
    folder.mkdir(exist_ok=True)
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_two_builds_into_one_folder_do_not_mix(store_of, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "site"
    with (
        another_build(folder) as process,
        file_of(store_of(MARCH_2030)) as database,
        pytest.raises(SystemExit) as stop,
    ):
        cli.main(["site", str(folder), "--db", str(database)])
    assert stop.value.code == 2
    told = capsys.readouterr().err
    assert f"{folder}: process {process.pid} is building a site there; wait until it is done" in told
    assert names_in(folder) <= {".rulehist-site.lock"}


def test_the_lock_of_a_process_that_was_killed_holds_nobody_up(store_of, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    with another_build(folder) as process:
        process.kill()
        process.wait()
        assert (folder / ".rulehist-site.lock").is_file()
        assert build_site(store_of(MARCH_2030), folder).written
    assert not [name for name in names_in(folder) if name.startswith(".rulehist-") and name != ".rulehist-site.json"]


def test_a_foreign_state_removes_nothing_outside_the_site(store_of, tmp_path: Path) -> None:
    folder, letter = tmp_path / "site", tmp_path / "letter.txt"
    folder.mkdir()
    letter.write_text("Dear reader", encoding="utf-8")
    named = {"../letter.txt": "0", str(letter): "0"}
    (folder / ".rulehist-site.json").write_text(json.dumps({"made_from": "", "files": named}), encoding="utf-8")
    build_site(store_of(MARCH_2030), folder)
    assert letter.read_text(encoding="utf-8") == "Dear reader"


@pytest.mark.parametrize("name", ["t" * 500 + ".html", "a\0b.html", "\ud800.html"])
def test_a_state_that_names_what_can_be_no_file_holds_nobody_up(store_of, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    state = {"made_from": "", "files": {name: "0"}}
    (folder / ".rulehist-site.json").write_text(json.dumps(state), encoding="utf-8")
    build_site(store_of(MARCH_2030), folder)
    assert (folder / "index.html").is_file()


def test_a_page_that_cannot_be_removed_is_one_sentence(store_of, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "old.html").mkdir(parents=True)
    state = {"made_from": "", "files": {"old.html": "0"}}
    (folder / ".rulehist-site.json").write_text(json.dumps(state), encoding="utf-8")
    with pytest.raises(QueryError, match=r"old\.html: cannot be written"):
        build_site(store_of(MARCH_2030), folder)


def test_a_folder_behind_a_link_is_built_and_one_that_cannot_be_is_one_sentence(store_of, tmp_path: Path) -> None:
    connection = store_of(MARCH_2030)
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    build_site(connection, tmp_path / "link")
    assert (tmp_path / "real" / "index.html").is_file()
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    (tmp_path / "file").write_text("", encoding="utf-8")
    for folder in (tmp_path / "nowhere", tmp_path / "file" / "site"):
        with pytest.raises(QueryError, match="cannot be"):
            build_site(connection, folder)


def test_a_number_leads_to_the_rules_that_had_it(store_of, tmp_path: Path) -> None:
    build_site(store_of(MARCH_2030, JUNE_2030), tmp_path / "site")
    reused = (tmp_path / "site" / "number" / "701.1.html").read_text(encoding="utf-8")
    assert "more than one rule" in reused
    assert "the rule that is 702.1 now" in reused
    only = (tmp_path / "site" / "number" / "100.1.html").read_text(encoding="utf-8")
    assert 'http-equiv="refresh"' in only


def test_only_what_is_in_force_since_a_day_is_shown(store_of, tmp_path: Path) -> None:
    build_site(store_of(MARCH_2030, JUNE_2030), tmp_path / "site", since="2030-06-01")
    assert [path.name for path in (tmp_path / "site" / "version").iterdir()] == ["2030-06-01.html"]
    assert "more than one rule" in (tmp_path / "site" / "number" / "701.1.html").read_text(encoding="utf-8")
    assert_every_link_resolves((tmp_path / "site").resolve())


def test_the_text_in_force_on_a_day_without_a_release_is_shown(store_of, tmp_path: Path) -> None:
    connection = store_of(MARCH_2030, JUNE_2030)
    build_site(connection, tmp_path / "site", since="2031-01-01")
    assert [path.name for path in (tmp_path / "site" / "version").iterdir()] == ["2030-06-01.html"]
    build_site(connection, tmp_path / "site", since="2030-04-01")
    assert len(list((tmp_path / "site" / "version").iterdir())) == 2


@pytest.mark.parametrize(
    "url",
    [
        "example.org", "javascript:alert(1)", "https://example.org/a b", "https://e.org/?x=1", "http://[", "https://:80",
        "https://e.org:99999",
    ],
)  # fmt: skip
def test_a_base_url_that_is_no_address_is_one_sentence(store_of, tmp_path: Path, url: str) -> None:
    with pytest.raises(QueryError, match="is no address of a site"):
        build_site(store_of(MARCH_2030), tmp_path / "site", base_url=url)
    assert not (tmp_path / "site").exists()


def test_the_feed_and_the_sitemap_are_xml_with_whole_addresses(store_of, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build_site(store_of(MARCH_2030, JUNE_2030), folder, base_url="https://example.org/rules")
    feed = ElementTree.parse(folder / "feed.atom").getroot()  # noqa: S314 - our own file
    atom = "{http://www.w3.org/2005/Atom}"
    assert [entry.findtext(f"{atom}updated") for entry in feed.iter(f"{atom}entry")] == [
        "2030-06-01T00:00:00Z",
        "2030-03-01T00:00:00Z",
    ]
    places = [place.text or "" for place in ElementTree.parse(folder / "sitemap.xml").iter() if place.text]  # noqa: S314
    for place in (place for place in places if place.strip()):
        assert (folder / unquote(place.removeprefix("https://example.org/rules/"))).is_file()


def test_the_newest_text_and_what_it_changed_come_first(store_of, tmp_path: Path) -> None:
    build_site(store_of(MARCH_2030, JUNE_2030), tmp_path / "site")
    start = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    said = start[start.index("Newest:") : start.index("How long the rules are")]
    assert 'href="diff/2030-03-01..2030-06-01.html"' in said
    assert 'href="version/2030-06-01.html"' in said
    changed = "2 rules added and 1 reworded. Glossary entries: 1 new and 1 gone."
    assert changed in said
    feed = (tmp_path / "site" / "feed.atom").read_text(encoding="utf-8")
    assert changed in feed


def test_scenarios_stand_by_title_and_a_page_asks_in_plain_words_and_tells_why(store_of, tmp_path: Path) -> None:
    build_site(store_of(MARCH_2030, JUNE_2030), tmp_path / "site")
    page = (tmp_path / "site" / "scenario" / "stickered-creature-copied.html").read_text(encoding="utf-8")
    assert '<p class="lead">A creature has a flying sticker and a +1/+1 counter.' in page
    assert "No answer:" in page  # these made-up rules do not say what a copy acquires
    assert re.search(r'<cite>rule <a href="\.\./rule/[^"]+">\d', page)
    listed = (tmp_path / "site" / "scenarios.html").read_text(encoding="utf-8")
    titles = re.findall(r'<li><a href="scenario/[^"]+">([^<]+)</a>', listed)
    assert titles == sorted(titles, key=str.casefold)
    assert len(titles) > 1


def test_markup_in_a_rules_text_is_shown_as_text(store_of, tmp_path: Path) -> None:
    text = rules_text("March 1, 2031", {"100. General": [f"100.1. A player says {EVIL}."]}, {f"Deck {EVIL}": "Cards."})
    folder = tmp_path / "site"
    build_site(store_of(text), folder)
    for path in folder.rglob("*"):
        if path.suffix in {".html", ".atom", ".js"}:
            assert EVIL not in path.read_text(encoding="utf-8"), path


def test_signs_that_reorder_a_page_are_shown_by_name_all_over_it(tmp_path: Path) -> None:
    term = "\u202elive\u2066"
    text = rules_text("March 1, 2031", {"100. General": [f"100.1. A player {term}."]}, {term: f"A {term}."})
    (tmp_path / "march.txt").write_text(text, encoding="utf-8")
    (tmp_path / "june.txt").write_text(
        text.replace("March", "June").replace("A player", "Each player"), encoding="utf-8"
    )
    ingest_files(tmp_path / "rules.db", [tmp_path / "march.txt", tmp_path / "june.txt"], force=True)
    folder = tmp_path / "site"
    build_site(open_for_reading(tmp_path / "rules.db"), folder)
    pages = [path.read_text(encoding="utf-8") for path in folder.rglob("*.html")]
    assert sum("U+202E" in page for page in pages) > 4
    assert not any(re.search("[\u202e\u2066]", page) for page in pages)


def test_terms_that_are_no_file_names_have_pages(store_of, tmp_path: Path) -> None:
    terms = ["t" * 500, "../../etc/passwd", "CON", "con", "a/b", "?x#y", "Caf\u00e9", "Cafe", "cafe", ".", "\U0001f600"]
    folder = tmp_path / "site"
    build_site(
        store_of(rules_text("March 1, 2031", {"100. General": ["100.1. A."]}, dict.fromkeys(terms, "A."))), folder
    )
    pages = {path.name.casefold() for path in (folder / "rule").iterdir() if not path.name[0].isdigit()}
    assert len(pages) == len(terms)
    assert_every_link_resolves(folder)


def test_the_search_index_finds_the_words_of_a_rule_that_is_gone(store_of, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    build_site(store_of(MARCH_2030, JUNE_2030), folder)
    words = _handed_over(folder / "search" / "words-ma.js")
    entries = _handed_over(folder / "search" / "entries-0.js")
    found = [entries[place] for place in words["marker"]]
    assert [(number, until) for number, _, _, until, _ in found] == [("Token", "2030-06-01")]
    assert (folder / found[0][2]).is_file()


def _handed_over(script: Path) -> dict[str, list[int]]:
    call = script.read_text(encoding="utf-8")
    shape: dict[str, list[int]] = json.loads(f"[{call.removeprefix('rulehistSearch(').rstrip().removesuffix(');')}]")[2]
    return shape


def test_words_are_searched_without_accents_and_case() -> None:
    assert search_words("El-Hajjâj’s Æther 707.2a") == ["el", "hajjaj", "s", "aether", "707", "2a"]


def test_names_that_lose_letters_keep_apart() -> None:
    assert slug("707.2") == "707.2"
    assert slug("Choose a") != slug("Choose A")
    assert slug("../../etc/passwd").count("/") == 0
    assert anchor("707.2a") == "707.2a"
    assert anchor("Deathtouch").startswith("term-")


@pytest.mark.archive
def test_the_site_of_the_archive_has_no_broken_link(archive_database: Path, tmp_path: Path) -> None:
    folder = (tmp_path / "site").resolve()
    build_site(open_for_reading(archive_database), folder, since="2025-01-01")
    assert_every_link_resolves(folder)
