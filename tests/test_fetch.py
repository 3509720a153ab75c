"""Getting the texts: from a real server on loopback that is slow, breaks off, redirects, lies and refuses."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from rulehist.errors import DataError, QueryError, RulehistError, SourceError
from rulehist.fetch import (
    Candidate,
    Download,
    Manners,
    Outcome,
    Progress,
    Source,
    Status,
    fetch_all,
    fetch_page,
    file_name,
    known_sources,
    latest,
    original_bytes,
    plan,
)
from rulehist.file_names import dates_in_name

BODY = b"Magic: The Gathering Comprehensive Rules\r\n" * 5000
QUICK = Manners(timeout=0.5, deadline=2.0, tries=3, backoff=0.01, longest_wait=0.5)


class Server(ThreadingHTTPServer):
    """Answers as its pages say, and counts."""

    daemon_threads = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages: dict[str, Callable[[Handler], None]] = {}
        self.asked: list[tuple[str, str]] = []
        self.busy = 0
        self.most_busy = 0
        self.lock = threading.Lock()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is what the tests want."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        with self.server.lock:
            self.server.asked.append((self.path, self.headers.get("Range", "")))
            self.server.busy += 1
            self.server.most_busy = max(self.server.busy, self.server.most_busy)
        try:
            self.close_connection = True
            self.server.pages.get(self.path, not_found)(self)
        finally:
            with self.server.lock:
                self.server.busy -= 1

    def answer(self, code: int, body: bytes = b"", length: int | None = None, **headers: str) -> None:
        self.send_response(code)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Tests speak for themselves."""


def not_found(handler: Handler) -> None:
    handler.answer(404)


def whole(handler: Handler) -> None:
    handler.answer(200, BODY)


def with_ranges(handler: Handler) -> None:
    wanted = handler.headers.get("Range")
    if not wanted:
        handler.answer(200, BODY)
        return
    start = int(wanted.removeprefix("bytes=").removesuffix("-"))
    if start >= len(BODY):
        handler.answer(416, Content_Range=f"bytes */{len(BODY)}")
    else:
        handler.answer(206, BODY[start:], Content_Range=f"bytes {start}-{len(BODY) - 1}/{len(BODY)}")


def breaks_off_once(handler: Handler) -> None:
    if handler.headers.get("Range"):
        with_ranges(handler)
    else:
        handler.answer(200, BODY[:70_000], length=len(BODY))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    threads = set(threading.enumerate())
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()
    assert set(threading.enumerate()) <= threads


def download(*addresses: str, sha256: str = "", name: str = "rules.txt") -> Download:
    return Download("2021-07-23", (Candidate(name, addresses, sha256),))


def get(folder: Path, *addresses: str, known: bool = True, manners: Manners = QUICK) -> Outcome:
    sha256 = hashlib.sha256(BODY).hexdigest() if known else ""
    [outcome] = fetch_all([download(*addresses, sha256=sha256)], folder, manners)
    return outcome


def assert_nothing_in_place(folder: Path) -> None:
    assert not [path for path in folder.iterdir() if path.suffix != ".part"]


def test_a_text_is_fetched_whole_and_its_bytes_are_checked(server: Server, tmp_path: Path) -> None:
    server.pages["/rules.txt"] = whole
    told: list[Progress] = []
    wanted = download(server.url("/rules.txt"), sha256=hashlib.sha256(BODY).hexdigest())
    [outcome] = fetch_all([wanted], tmp_path / "new" / "folder", QUICK, told.append)
    assert outcome.status is Status.FETCHED
    assert outcome.path is not None
    assert outcome.path.read_bytes() == BODY
    assert (told[-1].received, told[-1].total) == (len(BODY), len(BODY))
    assert [path.name for path in outcome.path.parent.iterdir()] == ["rules.txt"]


def test_what_is_there_already_is_not_asked_for_again(server: Server, tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_bytes(BODY)
    assert get(tmp_path, server.url("/rules.txt")).status is Status.PRESENT
    assert server.asked == []


def test_a_damaged_file_is_replaced_by_the_right_one(server: Server, tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_bytes(BODY[:100])
    server.pages["/rules.txt"] = whole
    assert get(tmp_path, server.url("/rules.txt")).status is Status.FETCHED
    assert (tmp_path / "rules.txt").read_bytes() == BODY


def test_a_raw_blank_in_an_address_is_sent_as_the_server_needs_it(server: Server, tmp_path: Path) -> None:
    server.pages["/Magic%20Rules.txt"] = whole
    assert get(tmp_path, server.url("/Magic Rules.txt")).status is Status.FETCHED
    assert get(tmp_path / "b", server.url("/Magic%20Rules.txt")).status is Status.FETCHED


def test_where_the_publisher_has_lost_a_text_the_archive_gives_it(server: Server, tmp_path: Path) -> None:
    server.pages["/archived.txt"] = whole
    outcome = get(tmp_path, server.url("/gone.txt"), server.url("/archived.txt"))
    assert outcome.status is Status.FETCHED
    assert outcome.address.endswith("/archived.txt")
    [failure] = outcome.failures
    assert "404" in failure.reason
    assert len([path for path, _ in server.asked if path == "/gone.txt"]) == 1


def test_another_format_serves_where_the_text_cannot_be_had(server: Server, tmp_path: Path) -> None:
    server.pages["/rules.rtf"] = whole
    wanted = Download(
        "2005-08-01",
        (
            Candidate("rules.txt", (server.url("/rules.txt"),)),
            Candidate("rules.rtf", (server.url("/rules.rtf"),)),
        ),
    )
    [outcome] = fetch_all([wanted], tmp_path, QUICK)
    assert outcome.path == tmp_path / "rules.rtf"


def test_one_failure_does_not_stop_the_rest(server: Server, tmp_path: Path) -> None:
    server.pages["/b"] = whole
    outcomes = fetch_all([download(server.url("/a"), name="a"), download(server.url("/b"), name="b")], tmp_path, QUICK)
    assert [outcome.status for outcome in outcomes] == [Status.FAILED, Status.FETCHED]


def test_a_redirect_is_followed(server: Server, tmp_path: Path) -> None:
    server.pages["/old"] = lambda handler: handler.answer(301, Location="/new")
    server.pages["/new"] = whole
    assert get(tmp_path, server.url("/old")).status is Status.FETCHED


@pytest.mark.parametrize("target", ["/loop", "file:///etc/hostname", "ftp://127.0.0.1/rules"])
def test_a_redirect_without_end_or_out_of_the_web_is_a_failure(server: Server, tmp_path: Path, target: str) -> None:
    server.pages["/loop"] = lambda handler: handler.answer(302, Location=target)
    assert get(tmp_path, server.url("/loop")).status is Status.FAILED
    assert_nothing_in_place(tmp_path)


def test_a_broken_line_is_taken_up_where_it_broke(server: Server, tmp_path: Path) -> None:
    server.pages["/rules.txt"] = breaks_off_once
    assert get(tmp_path, server.url("/rules.txt")).status is Status.FETCHED
    assert [wanted for _, wanted in server.asked] == ["", "bytes=70000-"]
    assert (tmp_path / "rules.txt").read_bytes() == BODY


def test_a_later_call_goes_on_with_what_an_earlier_one_left(server: Server, tmp_path: Path) -> None:
    (tmp_path / "rules.txt.part").write_bytes(BODY[:1000])
    server.pages["/rules.txt"] = with_ranges
    assert get(tmp_path, server.url("/rules.txt")).status is Status.FETCHED
    assert server.asked == [("/rules.txt", "bytes=1000-")]
    assert (tmp_path / "rules.txt").read_bytes() == BODY


@pytest.mark.parametrize("left", [b"something else", BODY + b"more", BODY])
def test_a_left_piece_that_does_not_fit_is_thrown_away(server: Server, tmp_path: Path, left: bytes) -> None:
    (tmp_path / "rules.txt.part").write_bytes(left)
    server.pages["/rules.txt"] = with_ranges
    assert get(tmp_path, server.url("/rules.txt")).status is Status.FETCHED
    assert (tmp_path / "rules.txt").read_bytes() == BODY


def test_a_server_without_ranges_sends_the_whole_again(server: Server, tmp_path: Path) -> None:
    (tmp_path / "rules.txt.part").write_bytes(BODY[:1000])
    server.pages["/rules.txt"] = whole
    assert get(tmp_path, server.url("/rules.txt")).status is Status.FETCHED
    assert (tmp_path / "rules.txt").read_bytes() == BODY


@pytest.mark.parametrize("known", [True, False])
def test_half_a_file_never_takes_the_place_of_a_whole_one(server: Server, tmp_path: Path, known: bool) -> None:
    server.pages["/rules.txt"] = lambda handler: handler.answer(200, BODY[:5000], length=len(BODY))
    outcome = get(tmp_path, server.url("/rules.txt"), known=known)
    assert outcome.status is Status.FAILED
    assert "broke off" in outcome.failures[0].reason
    assert_nothing_in_place(tmp_path)


def test_a_length_that_is_too_short_is_found_by_the_checksum(server: Server, tmp_path: Path) -> None:
    server.pages["/rules.txt"] = lambda handler: handler.answer(200, BODY, length=5000)
    outcome = get(tmp_path, server.url("/rules.txt"))
    assert outcome.status is Status.FAILED
    assert "sha256" in outcome.failures[0].reason
    assert list(tmp_path.iterdir()) == []


def test_without_length_and_checksum_nothing_tells_that_a_file_is_whole(server: Server, tmp_path: Path) -> None:
    def no_length(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(BODY)

    server.pages["/rules.txt"] = no_length
    outcome = get(tmp_path, server.url("/rules.txt"), known=False)
    assert "how long" in outcome.failures[0].reason
    assert get(tmp_path, server.url("/rules.txt"), known=True).status is Status.FETCHED


def test_chunks_tell_their_end_themselves(server: Server, tmp_path: Path) -> None:
    def chunked(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        ending = b"" if handler.path == "/half" else b"0\r\n\r\n"
        handler.wfile.write(b"%x\r\n%s\r\n%s" % (len(BODY), BODY, ending))

    server.pages["/whole"] = server.pages["/half"] = chunked
    assert get(tmp_path, server.url("/half"), known=False).status is Status.FAILED
    assert_nothing_in_place(tmp_path)
    assert get(tmp_path, server.url("/whole"), known=False).status is Status.FETCHED
    assert (tmp_path / "rules.txt").read_bytes() == BODY


def test_a_web_page_in_place_of_a_text_is_refused(server: Server, tmp_path: Path) -> None:
    server.pages["/rules.txt"] = lambda handler: handler.answer(200, b"\n<!DOCTYPE html><title>Not here</title>")
    outcome = get(tmp_path, server.url("/rules.txt"), known=False)
    assert "web page" in outcome.failures[0].reason
    assert list(tmp_path.iterdir()) == []


def test_a_server_error_is_tried_again_and_then_reported(server: Server, tmp_path: Path) -> None:
    server.pages["/rules.txt"] = lambda handler: handler.answer(500)
    outcome = get(tmp_path, server.url("/rules.txt"))
    assert len(server.asked) == QUICK.tries
    assert "500" in outcome.failures[0].reason


def test_a_server_that_asks_to_wait_is_waited_for(server: Server, tmp_path: Path) -> None:
    def busy_once(handler: Handler) -> None:
        if len(handler.server.asked) == 1:
            handler.answer(429, Retry_After="1")
        else:
            whole(handler)

    server.pages["/rules.txt"] = busy_once
    start = time.monotonic()
    patient = Manners(timeout=0.5, tries=2, backoff=0.0, longest_wait=2.0)
    assert get(tmp_path, server.url("/rules.txt"), manners=patient).status is Status.FETCHED
    assert time.monotonic() - start >= 1.0


@pytest.mark.parametrize("wait", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_a_server_that_asks_for_too_long_a_wait_is_given_up(server: Server, tmp_path: Path, wait: str) -> None:
    server.pages["/rules.txt"] = lambda handler: handler.answer(429, Retry_After=wait)
    outcome = get(tmp_path, server.url("/rules.txt"))
    assert "asks to wait" in outcome.failures[0].reason
    assert len(server.asked) == 1


def test_a_silent_server_is_not_waited_for_for_ever(server: Server, tmp_path: Path) -> None:
    server.pages["/rules.txt"] = lambda _: time.sleep(0.4)
    outcome = get(tmp_path, server.url("/rules.txt"), manners=Manners(timeout=0.1, tries=2, backoff=0.01))
    assert outcome.status is Status.FAILED
    assert "timed out" in outcome.failures[0].reason


def test_a_server_that_drips_is_cut_off(server: Server, tmp_path: Path) -> None:
    def drip(handler: Handler) -> None:
        handler.answer(200, b"", length=1000)
        for _ in range(100):
            handler.wfile.write(b".")
            time.sleep(0.02)

    server.pages["/rules.txt"] = drip
    outcome = get(tmp_path, server.url("/rules.txt"), manners=Manners(timeout=0.5, deadline=0.1, tries=1))
    assert "too slow" in outcome.failures[0].reason


def test_what_is_too_large_is_refused_before_it_fills_the_disk(server: Server, tmp_path: Path) -> None:
    server.pages["/rules.txt"] = whole
    outcome = get(tmp_path, server.url("/rules.txt"), manners=Manners(largest=1000))
    assert "too large" in outcome.failures[0].reason


def test_nobody_answers(server: Server, tmp_path: Path) -> None:
    outcome = get(tmp_path, "http://127.0.0.1:1/rules.txt")
    assert "no connection" in outcome.failures[0].reason


def test_a_server_out_of_reach_gets_one_try_for_each_further_file(tmp_path: Path) -> None:
    gone = ["http://127.0.0.1:9/one.txt", "http://127.0.0.1:9/two.txt"]
    [outcome] = fetch_all([Download("", tuple(Candidate(url[-7:], (url,)) for url in gone))], tmp_path, QUICK)
    assert [each.reason.rpartition("(")[2] for each in outcome.failures] == ["3 tries)", "1 try)"]


def test_at_most_four_are_fetched_at_once(server: Server, tmp_path: Path) -> None:
    def slow(handler: Handler) -> None:
        time.sleep(0.05)
        handler.answer(200, b"text")

    wanted = [download(server.url(f"/{name}"), name=name) for name in "abcdefghij"]
    server.pages.update({f"/{name}": slow for name in "abcdefghij"})
    outcomes = fetch_all(wanted, tmp_path, Manners(at_once=50))
    assert all(outcome.status is Status.FETCHED for outcome in outcomes)
    assert 2 <= server.most_busy <= 4


def test_a_proxy_is_honoured(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url(""))
    server.pages["http://rules.invalid/rules.txt"] = whole
    assert get(tmp_path, "http://rules.invalid/rules.txt").status is Status.FETCHED


def test_a_folder_that_cannot_be_made_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RulehistError, match="cannot be made"):
        fetch_all([], tmp_path / "file" / "folder")


def test_the_rules_page_is_read_and_its_absence_reported(server: Server) -> None:
    server.pages["/rules"] = lambda handler: handler.answer(200, "<a href='Æ.txt'>".encode())
    assert "Æ.txt" in fetch_page(server.url("/rules"), QUICK)
    with pytest.raises(SourceError, match="404"):
        fetch_page(server.url("/gone"), QUICK)


# --- The plan ----------------------------------------------------------------------------------------------

LISTED = (
    Source("2005-08-01", "doc", "http://a.example/CompRules050801.doc", "", ""),
    Source("2005-08-01", "txt", "http://a.example/CompRules050801.txt", "", ""),
    Source(
        "2010-10-01",
        "txt",
        "http://a.example/CompRules_20101001.txt",
        "https://web.archive.org/web/20101101000000/http://a.example/CompRules_20101001.txt",
        "",
    ),
)


def test_all_dates_are_planned_once_and_the_plain_text_comes_first() -> None:
    downloads = plan(LISTED)
    assert [item.effective for item in downloads] == ["2005-08-01", "2010-10-01"]
    assert [item.name for item in downloads[0].candidates] == ["CompRules050801.txt", "CompRules050801.doc"]


def test_a_date_between_two_texts_asks_for_the_one_in_force() -> None:
    assert [item.effective for item in plan(LISTED, ["2007-01-01", "2010-09-30"])] == ["2005-08-01"]


@pytest.mark.parametrize("when", ["1998-01-01", "yesterday", "2005-13-01"])
def test_a_date_without_a_text_is_refused(when: str) -> None:
    with pytest.raises(QueryError):
        plan(LISTED, [when])


def test_the_archive_is_asked_for_the_bytes_as_kept_and_after_the_publisher() -> None:
    [item] = plan(LISTED, ["2012-01-01"])
    assert item.candidates[0].addresses == (
        "http://a.example/CompRules_20101001.txt",
        "https://web.archive.org/web/20101101000000id_/http://a.example/CompRules_20101001.txt",
    )
    assert original_bytes("https://web.archive.org/web/2010id_/http://x/") == (
        "https://web.archive.org/web/2010id_/http://x/"
    )


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://a.example/2024/MagicCompRules%2020240802.txt", "MagicCompRules_20240802.txt"),
        ("https://a.example/2024/MagicCompRules 20240802.txt?x=1", "MagicCompRules_20240802.txt"),
        ("https://a.example/..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("https://a.example/..", "rules.txt"),
    ],
)
def test_a_file_is_stored_under_the_publishers_name_made_safe(address: str, name: str) -> None:
    assert file_name(address) == name


def test_the_list_of_sources_holds_and_no_two_files_share_a_name() -> None:
    sources = known_sources()
    assert len(sources) > 300
    names = [file_name(source.url).casefold() for source in sources]
    assert len(set(names)) == len(names)
    assert len(plan(sources)) > 100


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("2021-7-23\ttxt\thttp://a.example/a.txt\t\t", "is no date"),
        ("2021-07-23\thtml\thttp://a.example/a.txt\t\t", "is no format"),
        ("2021-07-23\ttxt\ta.example/a.txt\t\t", "is no address"),
        ("2021-07-23\ttxt\thttp://a.example/a.txt\tftp://b/\t", "is no address"),
        ("2021-07-23\ttxt\thttp://a.example/a.txt\t\tabc", "is no sha256"),
        ("2021-07-23\ttxt\thttp://a.example/a.txt", "columns"),
        ("2021-07-23\ttxt\thttp://a.example/b.txt\t\t", "already"),
    ],
)
def test_a_fault_in_the_list_names_file_line_and_remedy(tmp_path: Path, row: str, words: str) -> None:
    path = tmp_path / "sources.tsv"
    path.write_text(
        "# a comment\neffective\tformat\turl\tarchived_url\tsha256\n"
        f"2020-01-01\ttxt\thttp://a.example/b.txt\t\t\n{row}\n"
    )
    with pytest.raises(DataError, match=rf"sources\.tsv:4: .*{words}"):
        known_sources(path)


# --- The newest text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "day"),
    [
        ("https://m.example/2024/downloads/MagicCompRules 20240802.txt", "2024-08-02"),
        ("https://m.example/2024/downloads/MagicCompRules%2020240802.txt", "2024-08-02"),
        ("//m.example/2024/downloads/MagicCompRules_08022024.TXT", "2024-08-02"),
        ("/2020/downloads/MagicCompRules 17042020.txt", "2020-04-17"),
        ("/2020/downloads/Comprehensive Rules 2020-04-17.txt", "2020-04-17"),
    ],
)
def test_the_newest_text_is_found_however_its_link_is_written(link: str, day: str) -> None:
    page = (
        "<a href='/2019/downloads/MagicCompRules_20190101.txt'>old</a>"
        "<a href='/x/MagicCompRules 20990101.pdf'>PDF</a>"
        f"<a class=cta href='{link}'>TXT</a><a href='/2099/licences.txt'>licences</a>"
    )
    found = latest(page, "https://magic.example/en/rules")
    assert found.effective == day
    [address] = found.candidates[0].addresses
    assert address.startswith("https://m")
    assert " " not in address
    assert "%25" not in address


def test_a_page_built_by_a_script_is_read_too() -> None:
    page = r'<script>{"url":"https:\/\/m.example\/2024\/downloads\/MagicCompRules 20240802.txt"}</script>'
    assert latest(page).candidates[0].addresses == ("https://m.example/2024/downloads/MagicCompRules%2020240802.txt",)


def test_a_page_without_a_rules_text_is_an_error_not_a_guess() -> None:
    with pytest.raises(SourceError, match="no link"):
        latest("<a href='/robots.txt'>robots</a>")


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("20240802.txt", date(2024, 8, 2)),
        ("2024-08-02.txt", date(2024, 8, 2)),
        ("MagicCompRules 20240802.txt", date(2024, 8, 2)),
        ("CompRules_070116.txt", date(2016, 7, 1)),
        ("CompRules_070116.txt", date(2007, 1, 16)),
        ("MagicCompRules041001.doc", date(2004, 10, 1)),
        ("MagicComPrules_072301.txt", date(2001, 7, 23)),
    ],
)
def test_the_date_in_a_file_name_is_read_in_every_order_it_can_have(name: str, day: date) -> None:
    assert day in dates_in_name(name)


@pytest.mark.parametrize("name", ["rules.txt", "99999999.txt", "v1.2.3", "1234567"])
def test_a_name_without_a_date_has_none(name: str) -> None:
    assert dates_in_name(name) == ()
