"""Gets the published texts: from the publisher, and where he no longer has them, from the Wayback Machine.

``plan`` decides what to get and from where, without touching the network; ``fetch_all`` gets it. The
addresses are facts of ``data/sources.tsv``. The standard library does the transport, because getting the
texts is what a fresh install does first: it follows the system's proxies, needs no extra, and a client
library would leave resuming, retries and checks to us all the same.
"""

from __future__ import annotations

import hashlib
import http.client
import re
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from email.utils import parsedate_to_datetime
from enum import StrEnum
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

from rulehist import tables, thresholds
from rulehist.errors import DataError, QueryError, RulehistError, SourceError
from rulehist.file_names import dates_in_name
from rulehist.resources import data_folder

FORMATS: Final = ("txt", "docx", "rtf", "doc", "pdf")
"""Formats of published texts, the most faithful to the text first."""

RULES_PAGE: Final = "https://magic.wizards.com/en/rules"
"""The publisher's page that links to the rules in force."""

_COLUMNS = ("effective", "format", "url", "archived_url", "sha256")
_AGENT = "rulehist (history of the Comprehensive Rules)"
_BLOCK = 64 * 1024
_SHA256 = re.compile(r"[0-9a-f]{64}")
_WAYBACK = re.compile(r"(https?://web\.archive\.org/web/\d{4,14})(?:[a-z]{2}_)?/")
_T = TypeVar("_T")
_MAY_PASS = frozenset({408, 425, 429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Source:
    """A row of ``data/sources.tsv``: one published file. ``effective`` is an ISO date; empty: unknown."""

    effective: str
    format: str
    url: str
    archived_url: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that would serve, and its addresses in the order in which they are tried."""

    name: str  # file name to store it under: the publisher's own
    addresses: tuple[str, ...]
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Download:
    """One text to get: the first of ``candidates`` that can be had. ``effective``: as listed; empty: not known."""

    effective: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """An address that did not give the text, and why, in words for people."""

    address: str
    reason: str


class Status(StrEnum):
    """How a download ended."""

    FETCHED = "fetched"
    PRESENT = "already there"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a download ended, where its file lies (``None``: nowhere), and every address that failed before."""

    download: Download
    status: Status
    path: Path | None = None
    address: str = ""
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a download is: ``received`` of ``total`` bytes (0: not known)."""

    download: Download
    address: str
    received: int
    total: int


@dataclass(frozen=True, slots=True)
class Manners:
    """How servers are treated; times are in seconds."""

    at_once: int = thresholds.FETCH_AT_ONCE
    timeout: float = thresholds.FETCH_TIMEOUT
    deadline: float = thresholds.FETCH_DEADLINE
    tries: int = thresholds.FETCH_TRIES
    backoff: float = thresholds.FETCH_BACKOFF
    longest_wait: float = thresholds.FETCH_LONGEST_WAIT
    largest: int = thresholds.FETCH_LARGEST


# --- What to get, and from where ---------------------------------------------------------------------------


def known_sources(path: Path | None = None) -> tuple[Source, ...]:
    """The published files that ``data/sources.tsv`` (or ``path``) lists, in its order.

    Raises ``DataError`` naming file, line and remedy.
    """
    path = path or data_folder() / "sources.tsv"
    sources: list[Source] = []
    seen: dict[str, int] = {}
    for line, cells in tables.rows(path, _COLUMNS):
        effective, form, url, archived_url, sha256 = cells
        fault = _fault_of_row(effective, form, url, archived_url, sha256)
        if fault:
            raise DataError(f"{path}:{line}: {fault}")
        if url in seen:
            raise DataError(f"{path}:{line}: the address stands in line {seen[url]} already; remove one of the rows")
        seen[url] = line
        sources.append(Source(*cells))
    return tuple(sources)


def _fault_of_row(effective: str, form: str, url: str, archived_url: str, sha256: str) -> str:
    try:
        date.fromisoformat(effective)
    except ValueError:
        return f"{effective!r} is no date; write it as 2021-07-23"
    if form not in FORMATS:
        return f"{form!r} is no format; write one of {', '.join(FORMATS)}"
    if not _is_web_address(url):
        return f"{url!r} is no address; write it from its http:// or https:// on"
    if archived_url and not _is_web_address(archived_url):
        return f"{archived_url!r} is no address; write it from its https:// on, or leave the column empty"
    if sha256 and not _SHA256.fullmatch(sha256):
        return f"{sha256!r} is no sha256; write 64 characters from 0-9 and a-f, or leave the column empty"
    return ""


def _is_web_address(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def plan(sources: Iterable[Source], wanted: Sequence[str] | None = None) -> tuple[Download, ...]:
    """What to get for the ISO dates ``wanted`` (``None``: every date that is listed), oldest first.

    For a date between two texts it is the one in force, which is the newest before it. Raises ``QueryError``
    for a date before the first text and for what is no date.
    """
    by_date: dict[str, list[Source]] = {}
    for source in sources:
        by_date.setdefault(source.effective, []).append(source)
    listed = sorted(by_date)
    chosen = listed if wanted is None else sorted({_in_force(listed, when) for when in wanted})
    downloads = []
    for effective in chosen:
        rows = sorted(by_date[effective], key=lambda row: FORMATS.index(row.format))
        downloads.append(Download(effective, tuple(_candidate(row) for row in rows)))
    return tuple(downloads)


def without_address(sources: Iterable[Source], released: Sequence[str], wanted: Iterable[str]) -> dict[str, str]:
    """Those of the ISO dates ``wanted`` on which a text was in force that was ``released`` but is not listed.

    The value is that text's effective date.
    """
    listed = {source.effective for source in sources}
    in_force = {day: max((each for each in (*released, *listed) if each <= day), default=day) for day in wanted}
    return {day: effective for day, effective in in_force.items() if effective in released and effective not in listed}


def _in_force(listed: Sequence[str], when: str) -> str:
    try:
        day = date.fromisoformat(when).isoformat()
    except ValueError:
        raise QueryError(f"{when!r} is no date; write it as 2021-07-23") from None
    before = [effective for effective in listed if effective <= day]
    if not before:
        first = f"the first is of {listed[0]}" if listed else "the list is empty"
        raise QueryError(f"no address is known for a rules text in force on {when}; {first} (data/sources.tsv)")
    return before[-1]


def _candidate(source: Source) -> Candidate:
    addresses = (source.url, original_bytes(source.archived_url)) if source.archived_url else (source.url,)
    return Candidate(file_name(source.url), addresses, source.sha256)


def original_bytes(address: str) -> str:
    """The form of a Wayback Machine address that gives the file as it was kept, without a banner."""
    return _WAYBACK.sub(r"\1id_/", address, count=1)


def file_name(address: str) -> str:
    """The publisher's name of a file, fit for every file system: ``MagicCompRules_20240802.txt``."""
    last = unquote(urlsplit(address).path).replace("\\", "/").rsplit("/", 1)[-1]
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", last).strip("._")
    return name or "rules.txt"


def latest(page: str, address: str = RULES_PAGE, sources: Iterable[Source] = ()) -> Download:
    """The newest text that the rules page links to; ``page`` is its HTML, ``address`` where it came from.

    Where ``sources`` list that text, its checksum and its archived address serve too. Raises ``SourceError``
    where the page links to no rules text: it must have changed its ways.
    """
    parser = _Links()
    parser.feed(page)
    parser.close()
    links = [link for link in parser.links if _is_rules_text(link)]
    if not links:
        # Pages built by scripts carry their links inside JSON, with the slashes escaped.
        plain = page.replace("\\/", "/").replace("\\u002F", "/")
        links = [link for link in re.findall(r"https?://[^\"'<>\\]+?\.txt", plain, re.I) if _is_rules_text(link)]
    if not links:
        raise SourceError(f"{address}: no link to a rules text; look whether the rules have moved to another page")
    newest = max(enumerate(links), key=lambda item: (_day_of(item[1]), -item[0]))[1]
    url = _quoted(urljoin(address, newest.strip()))
    known = next((_candidate(source) for source in sources if _quoted(source.url) == url), None)
    day = _day_of(newest)
    return Download("" if day == date.min else day.isoformat(), (known or Candidate(file_name(url), (url,)),))


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value for name, value in attrs if tag == "a" and name == "href" and value]


def _is_rules_text(link: str) -> bool:
    name = unquote(urlsplit(link.strip()).path).rsplit("/", 1)[-1].casefold()
    return name.endswith(".txt") and "rules" in name


def _day_of(link: str) -> date:
    """The date in a link's name, read so that it agrees with the year in its folder where it can."""
    path = unquote(urlsplit(link.strip()).path)
    days = dates_in_name(path.rsplit("/", 1)[-1])
    year = re.search(r"/((?:19|20)\d\d)/", path)
    agreeing = [day for day in days if year and abs(day.year - int(year[1])) <= 1]
    return next(iter(agreeing or days), date.min)


def _quoted(address: str) -> str:
    parts = urlsplit(address)
    return urlunsplit(parts._replace(path=quote(parts.path, safe="/%:@!$&'()*+,;=~")))


# --- Getting it --------------------------------------------------------------------------------------------


class _TryNextError(Exception):
    """This address will not give the text, however often it is asked."""


class _TryAgainError(Exception):
    """The fault may pass; ``wait`` is how many seconds the server asked for (``None``: it did not)."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class _NoConnectionError(_TryAgainError):
    """There is no way to the server, or none at the moment."""


def fetch_page(address: str = RULES_PAGE, manners: Manners | None = None) -> str:
    """The HTML of a page. Raises ``SourceError`` where it cannot be had."""
    work = _Work(manners or Manners())
    try:
        return work.persist(address, lambda: work.page(address))
    except _TryNextError as error:
        raise SourceError(f"{address}: {error}; check the connection, then try again") from error


def fetch_all(
    downloads: Sequence[Download],
    folder: Path,
    manners: Manners | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_outcome: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """Get every download into ``folder``; one outcome for each, in the same order.

    A failed address is part of its outcome, and the rest goes on. A file is put in its place only when it is
    whole; until then it grows under the same name with ``.part``, from which a later call goes on.
    ``on_progress`` and ``on_outcome`` are called by several threads, one at a time. Raises ``RulehistError``
    where the folder cannot be written.
    """
    manners = manners or Manners()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RulehistError(
            f"{folder}: cannot be made ({error.strerror}); name a folder that can be written"
        ) from error
    work = _Work(manners, on_progress, on_outcome)
    pool = ThreadPoolExecutor(max_workers=min(manners.at_once, thresholds.FETCH_AT_ONCE), thread_name_prefix="fetch")
    try:
        return list(pool.map(lambda download: work.ended(work.get(download, folder)), downloads))
    finally:
        work.stop.set()
        pool.shutdown(cancel_futures=True)


class _Work:
    """What the downloads of one call share: the opener, the servers' wishes, and the word to stop."""

    def __init__(
        self,
        manners: Manners,
        on_progress: Callable[[Progress], None] | None = None,
        on_outcome: Callable[[Outcome], None] | None = None,
    ) -> None:
        self.manners = manners
        self.on_progress = on_progress
        self.on_outcome = on_outcome
        self.stop = threading.Event()
        self._lock = threading.Lock()
        self._not_before: dict[str, float] = {}
        # Servers that did not answer with all tries: their other files get one try, or an hour would go by offline.
        self._unreachable: set[str] = set()
        # Made by hand because the ready-made one would also follow file: and ftp: addresses.
        self._opener = urllib.request.OpenerDirector()
        for handler in (
            urllib.request.ProxyHandler(),
            urllib.request.HTTPHandler(),
            urllib.request.HTTPSHandler(),
            urllib.request.HTTPRedirectHandler(),
            urllib.request.HTTPDefaultErrorHandler(),
            urllib.request.HTTPErrorProcessor(),
            urllib.request.UnknownHandler(),
        ):
            self._opener.add_handler(handler)

    def get(self, download: Download, folder: Path) -> Outcome:
        failures: list[Failure] = []
        for candidate in download.candidates:
            path = folder / candidate.name
            if _is_present(path, candidate):
                return Outcome(download, Status.PRESENT, path, failures=tuple(failures))
            for address in candidate.addresses:
                try:
                    self._fetch(download, candidate, address, path)
                except _TryNextError as error:
                    failures.append(Failure(address, str(error)))
                except OSError as error:
                    failures.append(Failure(address, f"{path} cannot be written ({error.strerror or error})"))
                else:
                    return Outcome(download, Status.FETCHED, path, address, tuple(failures))
        return Outcome(download, Status.FAILED, failures=tuple(failures))

    def _fetch(self, download: Download, candidate: Candidate, address: str, path: Path) -> None:
        part = path.with_name(path.name + ".part")
        if not candidate.sha256:
            # Without a checksum nothing could tell that the two halves are of one file.
            part.unlink(missing_ok=True)
        self.persist(address, lambda: self._receive(download, candidate, address, part))
        with part.open("rb") as stream:
            start = stream.read(512).lstrip().lower()
        if start.startswith((b"<!doctype html", b"<html")):
            part.unlink()
            raise _TryNextError("the server sent a web page in place of the file")
        part.replace(path)

    def persist(self, address: str, attempt: Callable[[], _T]) -> _T:
        """Call ``attempt`` until it ends well, waiting longer each time; raises ``_TryNextError``."""
        host = urlsplit(address).netloc
        tries = 1 if host in self._unreachable else self.manners.tries
        for number in range(1, tries + 1):
            self._wait_for(host)
            try:
                return attempt()
            except _TryAgainError as error:
                if number == tries:
                    if isinstance(error, _NoConnectionError):
                        self._unreachable.add(host)
                    count = f"{number} tries" if number > 1 else "1 try"
                    raise _TryNextError(f"{error} ({count})") from error
                if error.wait is not None and error.wait > self.manners.longest_wait:
                    raise _TryNextError(f"{error}, and asks to wait {error.wait:.0f} seconds") from error
                if error.wait is not None:
                    with self._lock:
                        until = time.monotonic() + error.wait
                        self._not_before[host] = max(until, self._not_before.get(host, 0.0))
                elif self.stop.wait(self.manners.backoff * 2 ** (number - 1)):
                    raise _TryNextError("stopped") from error
        raise _TryNextError("not tried")

    def _wait_for(self, host: str) -> None:
        while (left := self._not_before.get(host, 0.0) - time.monotonic()) > 0:
            if self.stop.wait(left):
                raise _TryNextError("stopped")
        if self.stop.is_set():
            raise _TryNextError("stopped")

    def _open(self, address: str, headers: dict[str, str]) -> http.client.HTTPResponse:
        request = urllib.request.Request(  # noqa: S310 - the opener knows http and https alone
            _quoted(address), headers={"User-Agent": _AGENT, "Accept-Encoding": "identity", **headers}
        )
        try:
            response = self._opener.open(request, timeout=self.manners.timeout)
        except urllib.error.HTTPError as error:
            with error:
                if error.code in _MAY_PASS:
                    wait = _retry_after(error.headers.get("Retry-After"))
                    raise _TryAgainError(f"the server answered {error.code} {error.reason}", wait) from error
                if error.code == 416:  # the kept half is no beginning of what the server has
                    raise _NoSuchRangeError from error
                raise _TryNextError(f"the server answered {error.code} {error.reason}") from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, ssl.SSLCertVerificationError):
                raise _TryNextError(f"the server's certificate is not valid ({error.reason.verify_message})") from error
            raise _NoConnectionError(f"no connection ({error.reason})") from error
        except (OSError, http.client.HTTPException) as error:
            raise _TryAgainError(f"no answer ({error or type(error).__name__})") from error
        if not isinstance(response, http.client.HTTPResponse):
            raise _TryNextError("the address leads to no web server")
        return response

    def page(self, address: str) -> str:
        with self._open(address, {}) as response:
            received = bytearray()
            for block in self._blocks(response):
                received += block
                if len(received) > self.manners.largest:
                    raise _TryNextError("the page is too large")
            charset = response.headers.get_content_charset() or "utf-8"
        try:
            return received.decode(charset, errors="replace")
        except LookupError:
            return received.decode("utf-8", errors="replace")

    def _receive(self, download: Download, candidate: Candidate, address: str, part: Path) -> None:
        """Let ``part`` grow until it is the whole file, as far as length and checksum can tell."""
        have = part.stat().st_size if part.exists() else 0
        try:
            response = self._open(address, {"Range": f"bytes={have}-"} if have else {})
        except _NoSuchRangeError:
            if not have or not _has_checksum(part, candidate.sha256):
                part.unlink(missing_ok=True)
                raise _TryAgainError("the server does not know the rest of the file") from None
            return
        with response:
            goes_on = response.status == 206
            if goes_on and not re.match(rf"bytes {have}-\d", response.headers.get("Content-Range", "")):
                part.unlink(missing_ok=True)
                raise _TryAgainError("the server sent another piece of the file than it was asked for")
            start = have if goes_on else 0
            total = start + (response.length or 0)
            if response.length is None and not response.chunked and not candidate.sha256:
                raise _TryNextError(
                    "the server does not say how long the file is, so nothing tells whether it is whole"
                )
            if total > self.manners.largest:
                raise _TryNextError(f"the file is too large ({total} bytes)")
            size = start
            with part.open("ab" if goes_on else "wb") as stream:
                for block in self._blocks(response):
                    size += len(block)
                    if size > self.manners.largest:
                        raise _TryNextError(f"the file is too large (over {self.manners.largest} bytes)")
                    stream.write(block)
                    self._tell(Progress(download, address, size, total if response.length is not None else 0))
        if candidate.sha256 and not _has_checksum(part, candidate.sha256):
            part.unlink()
            if start:
                raise _TryAgainError("the pieces received do not fit together")
            raise _TryNextError("its bytes are not those that data/sources.tsv knows (sha256 differs)")

    def _blocks(self, response: http.client.HTTPResponse) -> Iterable[bytes]:
        """The body, block by block. Raises ``_TryAgainError`` where it breaks off before its end."""
        end = time.monotonic() + self.manners.deadline
        while True:
            try:
                block = response.read1(_BLOCK)
            except (OSError, http.client.HTTPException) as error:
                raise _TryAgainError(f"the connection broke off ({error or type(error).__name__})") from error
            if not block:
                break
            yield block
            if self.stop.is_set():
                raise _TryNextError("stopped")
            if time.monotonic() > end:
                raise _TryAgainError("the server is too slow")
        if response.length:
            raise _TryAgainError(f"the connection broke off {response.length} bytes before the end")

    def ended(self, outcome: Outcome) -> Outcome:
        if self.on_outcome is not None:
            with self._lock:
                self.on_outcome(outcome)
        return outcome

    def _tell(self, progress: Progress) -> None:
        if self.on_progress is not None:
            with self._lock:
                self.on_progress(progress)


class _NoSuchRangeError(Exception):
    """416: the server has nothing from there on."""


def _retry_after(value: str | None) -> float | None:
    """Seconds that a Retry-After header asks for: a number, or a date of HTTP."""
    if not value:
        return None
    if value.isascii() and value.strip().isdecimal():
        return float(value.strip())
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _is_present(path: Path, candidate: Candidate) -> bool:
    return path.is_file() and (not candidate.sha256 or _has_checksum(path, candidate.sha256))


def _has_checksum(path: Path, sha256: str) -> bool:
    if not sha256:
        return False
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == sha256
