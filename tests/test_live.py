"""The live view: pages and JSON for any rule, any two versions and any scenario."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from rulehist.errors import StoreError
from rulehist.ingest import ingest_files
from rulehist.resources import data_folder
from rulehist.store import open_for_reading
from tests.small_texts import JUNE_2030, MARCH_2030, rules_text

pytest.importorskip("datasette", reason="the extra `web` is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Datasette's own

from datasette import Response  # noqa: E402 - only where it is installed
from datasette.app import Datasette  # noqa: E402 - as Datasette

from rulehist.live import answers, plugin  # noqa: E402 - as Datasette
from rulehist.live.answers import Question  # noqa: E402 - as Datasette
from rulehist.live.requests import bounded, for_this_machine  # noqa: E402 - as Datasette
from rulehist.live.server import listening  # noqa: E402 - as Datasette


@pytest.fixture
def get(tmp_path: Path) -> Callable[..., Any]:
    for name, text in (("march.txt", MARCH_2030), ("june.txt", JUNE_2030)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", [tmp_path / "march.txt", tmp_path / "june.txt", data_folder() / "bundled"])
    served = Datasette([], immutables=[str(tmp_path / "rules.db")])

    def ask(path: str, form: dict[str, str] | None = None, method: str = "GET", **sent: Any) -> Any:
        async def asked() -> Any:
            if form is None:
                return await served.client.request(method, path, **sent)
            token = (await served.client.get(path)).cookies["ds_csrftoken"]
            return await served.client.post(path, data={**form, "csrftoken": token}, cookies={"ds_csrftoken": token})

        return asyncio.run(asked())

    return ask


def test_a_rule_on_a_day_is_a_page_with_json_beside_it(get) -> None:
    page = get("/show/701.2@2030-03-01")
    assert page.status_code == 200
    assert "copiable values" in page.text
    shape = get("/show/701.2@2030-03-01.json").json()
    assert shape["number"] == "701.2"
    assert shape["in_force"]["until"] == "2030-06-01"


def test_a_rule_that_is_cited_is_one_click_away_and_one_that_is_not_there_is_none(get) -> None:
    page = get("/show/Deck@2030-03-01").text
    assert 'See rule <a href="/show/100.2@2030-03-01">100.2</a>.' in page


def test_the_history_and_the_words_of_a_rule_are_pages_with_json(get) -> None:
    page = get("/log/702.2")
    assert page.status_code == 200
    assert "701.2" in page.text
    assert [entry["number"] for entry in get("/log/702.2.json").json()["entries"]] == ["702.2", "701.2"]
    assert get("/blame/702.2").status_code == 200
    runs = get("/blame/702.2.json").json()["runs"]
    assert {"2030-03-01", "2030-06-01"} == {run["effective"] for run in runs}


def test_any_two_versions_are_compared(get) -> None:
    page = get("/diff/2030-03-01..2030-06-01")
    assert page.status_code == 200
    assert "stickers" in page.text
    assert get("/diff/2030-03-01..2030-06-01.json").json()["summary"]
    [article] = re.findall(r"<article id=new-702\.2 .*?</article>", page.text, re.DOTALL)
    links = ["/log/702.2%402030-06-01", "/show/701.2%402030-03-01", "/show/702.2%402030-06-01"]
    assert re.findall(r"<a href=([^>]*)>", article) == links
    for address in links:
        assert get(address).status_code == 200


def test_a_search_names_the_rule_or_the_term_whose_number_or_name_was_typed(get) -> None:
    assert 'number: <a href="/show/702.2@latest">702.2</a> When copying' in get("/search?q=702.2").text
    assert 'name: <a href="/show/Whistle@ever">' not in get("/search?q=whistle&when=ever").text
    assert 'name: <a href="/show/Whistle@latest">Whistle</a> A melody.' in get("/search?q=whistle&when=ever").text
    assert "Of that" not in get("/search?q=stickers").text


def test_a_form_leads_to_the_address_that_lasts(get) -> None:
    assert get("/show?rule=701.2&when=2030-03-01").headers["location"] == "/show/701.2@2030-03-01"
    assert get("/diff?old=2030-03-01&new=").headers["location"] == "/diff/2030-03-01..latest"
    assert get("/log?rule=First+Strike&when=").headers["location"] == "/log/First%20Strike@latest"


def test_words_are_searched(get) -> None:
    assert "/show/702.2@" in get("/search?q=stickers").text
    assert [row["number"] for row in get("/search.json?q=whistle").json()] == ["701.1", "Whistle"]


def test_a_scenario_is_answered_in_a_form(get) -> None:
    scenario = (data_folder() / "scenarios" / "stickered-creature-copied.yaml").read_text(encoding="utf-8")
    page = get("/eval", {"scenario": scenario, "versions": "2022-10-07"})
    assert page.status_code == 200
    assert "answered" in page.text
    assert get("/eval", {"scenario": "objetcs: {}", "versions": "latest"}).status_code == 400


@pytest.mark.parametrize("path", ["/show/999.9", "/show/701.2@1998-01-01", "/diff/x..y", "/show/%3Cscript%3E"])
def test_what_is_not_there_is_one_sentence(get, path: str) -> None:
    page = get(path)
    assert page.status_code == 404
    assert "Traceback" not in page.text
    assert "<script>" not in re.sub(r"<script src[^>]*></script>", "", page.text)


def test_other_methods_and_overlong_questions_are_refused(get) -> None:
    for method in ("PUT", "DELETE", "POST"):
        refused = get("/rules", method=method)
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")
    assert get("/show/701.2@2030-03-01", method="HEAD").status_code == 200
    assert get(f"/show/{'7' * 600}").status_code == 414
    assert get(f"/search?q={'a+' * 600}").status_code == 414


@pytest.mark.parametrize(
    "path", ["/show/%ff", "/search?q=caf%e9", "/diff/%c3..latest", "/log/7%ed%a0%80", "/rules?x=%80"]
)
def test_an_address_that_is_no_utf_8_is_one_sentence(get, path: str) -> None:
    page = get(path)
    assert page.status_code == 400
    assert "not in UTF-8" in page.text


def test_a_form_that_is_no_utf_8_is_one_sentence(get) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for body in (b"scenario=caf\xe9", b"scenario=caf%E9"):
        page = get("/eval", method="POST", content=body, headers=kind)
        assert (page.status_code, "not in UTF-8" in page.text) == (400, True)


def test_many_places_of_words_are_told_a_page_at_a_time(get, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(answers, "LIVE_FOUND_AT_ONCE", 2)
    connection = open_for_reading(tmp_path / "rules.db")
    found = len(get("/search.json?q=player&when=ever").json())
    pages = [
        answers.answer(
            connection, Question("search", "", "search", {"q": "player", "when": "ever", "from": str(place)})
        )
        for place in range(1, found + 1, 2)
    ]
    connection.close()
    assert found > 4
    assert sum(page.html.count("<li><a href=") for page in pages) - len(pages) * 4 == found
    assert all(len(page.json) == found for page in pages)
    assert 'rel="next"' in pages[0].html
    assert 'rel="prev"' not in pages[0].html
    assert 'rel="next"' not in pages[-1].html
    assert get("/search?q=player&from=x").status_code == 400


def test_a_form_larger_than_any_of_ours_is_not_read(get) -> None:
    assert get("/eval", {"scenario": "a" * 4_000_000}).status_code == 413
    assert get("/eval", {"scenario": "a" * 1_000_001}).status_code == 400


def test_a_form_without_its_token_is_refused(get) -> None:
    sent = {"cookies": {"ds_csrftoken": "a reader's"}, "data": {"scenario": "objects: {}", "csrftoken": "another"}}
    assert get("/eval", method="POST", **sent).status_code == 403


@pytest.mark.parametrize(
    "path", ["rules", "show/702.2", "log/702.2", "blame/702.2", "diff/2030-03-01..2030-06-01", "search?q=stickers"]
)
def test_a_page_leads_to_the_same_as_json(get, path: str) -> None:
    [link] = re.findall(r'<p><a href="([^"]*)">This page as JSON</a></p>', get(f"/{path}").text)
    assert get(link.replace("&amp;", "&")).json()


def test_the_start_offers_every_version_and_compares_the_newest_two(get) -> None:
    page = get("/rules").text
    assert '<option value="2030-03-01">' in page
    assert '<input name="old" value="2030-06-01"' in page  # the newest of all is an excerpt without a date


@pytest.mark.parametrize("term", ["a/b", "../../etc/passwd", "?x#y", "50%2F", "<b>"])
def test_a_term_with_any_characters_is_one_click_away(get, tmp_path: Path, term: str) -> None:
    text = rules_text("July 1, 2030", {"100. General": ["100.1. A player wins."]}, {term: "A silent term."})
    (tmp_path / "july.txt").write_text(text, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", [tmp_path / "july.txt"])
    found = re.findall(r'href="(/show/[^"]*)"', get("/search?q=silent").text)
    shown = re.findall(r'href="?(/log/[^" >]*)', get(found[0]).text)
    compared = re.findall(r"<a href=(/log/[^ >]*)", get("/diff/2030-06-01..2030-07-01").text)
    assert len(found) == 1
    assert shown
    assert len(compared) > 1
    for address in [*found, *shown, *compared]:
        assert get(address).status_code == 200, address


@pytest.mark.parametrize("path", ["/nosuch", "/rules/nosuch", "/show/a/b", "/robots.txt"])
def test_an_address_that_leads_nowhere_is_one_sentence_and_no_trace(get, path: str) -> None:
    page = get(path)
    assert page.status_code == 404
    assert f"{path}: there is no such page; begin at /rules" in page.text
    assert "default-src 'none'" in page.text.replace("&#39;", "'")


@pytest.mark.parametrize("path", ["//example.org/", "/\\example.org/", "//show/701.2"])
def test_no_address_leads_to_another_host(path: str) -> None:
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    assert status_of(bounded(_read_app, ()), scope) == 404


def test_an_address_beyond_ascii_is_read() -> None:
    scope = {"type": "http", "method": "GET", "path": "/show/Caf\u00e9", "raw_path": "/show/Caf\u00e9%41?".encode()}
    seen = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["raw_path"])
        await _read_app(scope, receive, send)

    assert status_of(bounded(app, ()), scope) == 200
    assert seen == [b"/show/Caf%C3%A9%41?"]


@contextmanager
def server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server of its own, and its address; what it prints is kept."""
    (folder / "march.txt").write_text(MARCH_2030, encoding="utf-8")
    ingest_files(folder / "rules.db", [folder / "march.txt"])
    command = [sys.executable, "-m", "rulehist", "serve", "--db", str(folder / "rules.db"), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout
        try:
            yield process, json.loads("".join(process.stdout.readline() for _ in range(3)))["address"]
        finally:
            process.kill()


def test_a_wrong_address_prints_nothing_where_the_server_runs(tmp_path: Path) -> None:
    with server(tmp_path) as (process, start):
        top = start.removesuffix("/rules")
        for path in ("/nosuch", "/nosuch.json", "/rules/nosuch.json", "/a/b/c/d/e.json"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(top + path)  # noqa: S310 - our own server
        request = Request(start, headers={"Host": "evil.example"})  # noqa: S310 - as above
        with pytest.raises(HTTPError, match="421"):
            urlopen(request)  # noqa: S310 - as above
        process.send_signal(signal.SIGINT)
        assert process.communicate()[0] == ""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="this system does not list the children of a process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_stopped_waits_for_nobody_and_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    with server(tmp_path) as (process, start):
        urlopen(start).close()  # noqa: S310 - our own server
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
        workers = [child for child in children if "spawn_main" in _command(child)]
        assert workers
        for child in workers:
            os.kill(int(child), signal.SIGSTOP)
        address = ("127.0.0.1", urlsplit(start).port)
        with socket.create_connection(address) as unanswered, socket.create_connection(address) as unsent:
            unanswered.sendall(b"GET /show/100.2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            unsent.sendall(b"POST /eval HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nscen")
            time.sleep(0.3)
            process.send_signal(number)
            assert process.communicate(timeout=10)[0] == ""
        assert process.returncode == 128 + number
        for _ in range(50):
            if not any("spawn_main" in _command(child) for child in workers):
                break
            time.sleep(0.1)
        assert not any("spawn_main" in _command(child) for child in workers)


def _command(process: str) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8")
    except OSError:
        return ""


def test_answers_are_kept_up_to_so_many_bytes(get, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin, "LIVE_BYTES_KEPT", 20_000)
    workers = plugin._Workers()
    monkeypatch.setattr(plugin, "_workers", workers)
    for place in range(40):
        get(f"/search?q=player&from={place + 1}")
    kept = sum(plugin._bytes_of(*each) for each in workers._kept.items())
    assert 0 < kept == workers._bytes <= 20_000
    workers.end()
    assert "is being stopped" in get("/search?q=nobody").text


async def _read_app(_scope: Any, _receive: Any, send: Any) -> None:
    await Response.text("read").asgi_send(send)


def status_of(app: Any, scope: dict[str, Any]) -> int:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, None, send))
    return int(sent[0]["status"])


@pytest.mark.parametrize("path", ["/rules", "/rules/spans", "/", "/assets/page.css", "/show"])
def test_a_method_that_nothing_answers_is_one_sentence(get, path: str) -> None:
    page = get(path, method="FROB")
    assert page.status_code == 405
    assert "no page here answers this method" in page.text


def test_forms_and_files_are_read_only(get) -> None:
    for path in ("/show?rule=701.2", "/assets/page.css"):
        assert get(path, method="POST").status_code == 405


def test_a_store_that_another_took_the_place_of_is_read_anew(get, tmp_path: Path) -> None:
    assert get("/show/100.1@2030-03-01").status_code == 200
    (tmp_path / "other.txt").write_text(MARCH_2030.replace("one table", "two tables"), encoding="utf-8")
    ingest_files(tmp_path / "other.db", [tmp_path / "other.txt"])
    (tmp_path / "other.db").replace(tmp_path / "rules.db")
    assert "two tables" in get("/show/100.1@2030-03-01").text
    (tmp_path / "rules.db").unlink()
    gone = get("/show/100.1@2030-03-01")
    assert gone.status_code == 503
    assert "rules.db: the store is gone" in gone.text
    (tmp_path / "rules.db").write_text("no store", encoding="utf-8")
    other = get("/show/100.1@2030-03-01")
    assert other.status_code == 503
    assert "rules.db: the store cannot be read now" in other.text


def test_tables_that_were_written_to_are_not_read_as_if_they_were_not(get, tmp_path: Path) -> None:
    assert get("/rules/versions.json").status_code == 200
    text = MARCH_2030.replace("March 1, 2030", "May 1, 2031")
    (tmp_path / "may.txt").write_text(text, encoding="utf-8")
    ingest_files(tmp_path / "rules.db", [tmp_path / "may.txt"])
    for path in ("/rules/versions.json", "/rules/versions", "/rules.db"):
        refused = get(path)
        assert refused.status_code == 503, path
        assert "the store was written to since its tables were opened" in refused.text
    for path in ("/rules", "/rules.json", "/show/100.1@latest"):
        assert "2031-05-01" in get(path).text, path


@pytest.mark.parametrize(
    ("named", "status"),
    [
        ("localhost:8001", 200), ("127.0.0.1", 200), ("[::1]:8001", 200), ("rules.localhost", 200), ("my.host:1", 200),
        ("evil.example:8001", 421), ("127.0.0.1.evil.example", 421), ("localhost.evil.example", 421), ("[", 421),
    ],
)  # fmt: skip
def test_another_site_cannot_read_answers_under_its_own_name(named: str, status: int) -> None:
    scope = {"type": "http", "headers": [(b"host", named.encode())]}
    assert status_of(for_this_machine(_read_app, "my.host"), scope) == status


def test_no_file_but_the_assets_is_handed_out(get) -> None:
    for path in ("/assets/..%2fpage.css", "/assets/report.html.jinja", "/show/..%2f..%2fetc%2fpasswd"):
        assert get(path).status_code == 404


def test_answers_go_on_after_a_process_was_ended_from_outside(get) -> None:
    assert get("/show/701.2@2030-03-01").status_code == 200
    for process in list(plugin._workers._pool._processes.values()):
        process.kill()
        process.join()
    assert get("/show/702.2@2030-06-01").status_code in {200, 503}  # it may be the first to hear of it
    assert get("/show/702.2@2030-06-01").status_code == 200


def test_an_answer_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(TimeoutError), plugin._at_most(0.05):
        time.sleep(10)


def test_only_the_static_site_names_its_feed(get) -> None:
    assert "feed.atom" not in get("/rules").text


def test_the_tables_stay_open_to_sql(get) -> None:
    assert get("/rules/spans.json?_size=1").json()["rows"]


def test_pages_load_nothing_from_elsewhere(get) -> None:
    for path in ("/rules", "/search", "/eval", "/show/701.2"):
        page = get(path).text
        assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", page)
        assert "default-src 'none'" in page.replace("&#39;", "'")
    assert get("/assets/page.css").headers["content-type"].startswith("text/css")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_free_port_is_found_and_a_taken_one_is_one_sentence(host: str) -> None:
    try:
        taken = listening(host, 0)
    except StoreError as error:
        pytest.skip(str(error))  # a machine without this version of IP
    with taken, pytest.raises(StoreError, match="--port"):
        listening(host, taken.getsockname()[1])


@pytest.mark.parametrize("host", ["192.0.2.1", "a" * 300, "a..b", ""])
def test_a_host_that_there_is_not_is_one_sentence(host: str) -> None:
    with pytest.raises(StoreError, match="cannot be listened on"):
        listening(host, 0)


def test_the_page_of_a_rule_finds_the_answers_that_it_changed_where_it_is_asked(get) -> None:
    page = get("/log/702.2").text
    assert '<a href="/log/702.2?answers=1#moved">' in page
    asked = get("/log/702.2", params={"answers": "1"})
    assert asked.status_code == 200
    assert 'id="moved"' in asked.text
    assert "?answers=1" not in asked.text
