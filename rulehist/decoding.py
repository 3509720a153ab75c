"""Bytes to text, by evidence and never by guess.

A byte-order mark decides; then strict UTF-8; then UTF-16 whose zero bytes give it away; then the one legacy
codec under which every character outside ASCII makes sense where it stands. The texts published from 1999 to
2022 need no more than this: Windows-1252, Mac OS Roman and the two DOS code pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from rulehist.errors import SourceError
from rulehist.thresholds import UTF16_ZERO_SHARE

LEGACY_CODECS = ("cp1252", "mac_roman", "cp437", "cp850")
"""Codecs of the texts that are not Unicode, the likeliest first."""

_NAMES = {
    "cp1252": "Windows-1252",
    "mac_roman": "Mac OS Roman",
    "cp437": "DOS code page 437",
    "cp850": "DOS code page 850",
}

# What the Unicode texts use beyond ASCII; a legacy text has no reason to use anything else.
_PUNCTUATION = frozenset("‘’“”–—•·…™®©−∞")
_LETTERS = frozenset("áâòöúûÆæ")
# Letters of card names and people's names that may come all the same, where a word around them supports it.
_OTHER_LETTERS = frozenset("àãäåçèéêëìíîïðñóôõøùüýþÿœßÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŒ")
_OTHER_SIGNS = frozenset("°±½¼¾×£€¢†‡§¶")
KNOWN_CHARACTERS = _PUNCTUATION | _LETTERS | _OTHER_LETTERS | _OTHER_SIGNS
"""Every character outside ASCII that a rules text has reason to use."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text out of bytes.

    ``encoding`` is Python's name of the codec, ``reason`` says in words what decided, ``line_ends`` counts
    the line ends in words ("CRLF 12, CR 7077"). ``text`` keeps its line ends and has no byte-order mark.
    """

    text: str
    encoding: str
    reason: str
    line_ends: str


class _Sense(IntEnum):
    NONE = 0
    POSSIBLE = 1
    EXPECTED = 2


def decode(data: bytes, name: str = "the source") -> Decoded:
    """Decode ``data``; ``name`` is used in messages.

    Raises ``SourceError`` for binary data, for bytes that no known encoding reads, and for bytes that several
    encodings read differently.
    """
    text, encoding, reason = _decoded(data, name)
    zero = text.find("\0")
    if zero >= 0:
        raise SourceError(
            f"{name}: line {_line(text, zero)} holds a zero byte, so this is no text: "
            "give the rules as plain text, DOCX, RTF or PDF."
        )
    return Decoded(text, encoding, reason, _line_ends(text))


def split_lines(text: str) -> list[str]:
    """The lines of ``text``, split at CRLF, LF and CR in any mixture and at nothing else."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _decoded(data: bytes, name: str) -> tuple[str, str, str]:
    for mark, codec, called in (
        (b"\xef\xbb\xbf", "utf-8-sig", "UTF-8"),
        (b"\xff\xfe", "utf-16", "UTF-16 little-endian"),
        (b"\xfe\xff", "utf-16", "UTF-16 big-endian"),
    ):
        if data.startswith(mark):
            try:
                return data.decode(codec), codec, f"begins with the byte-order mark of {called}"
            except UnicodeDecodeError as error:
                raise SourceError(
                    f"{name}: begins with the byte-order mark of {called}, but {_place(data, error.start)} "
                    "cannot be read as such: the file is damaged, get it again."
                ) from None
    zeros = _utf16_by_zeros(data)
    if zeros is not None:
        return zeros
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if b"\0" in data:
            raise SourceError(
                f"{name}: a binary file ({_place(data, data.index(0))} is a zero byte): "
                "give the rules as plain text, DOCX, RTF or PDF."
            ) from None
        return _legacy(data, name, error.start)
    if text.isascii():
        return text, "ascii", "every byte is ASCII"
    return text, "utf-8", "valid UTF-8 with characters outside ASCII"


def _utf16_by_zeros(data: bytes) -> tuple[str, str, str] | None:
    """UTF-16 without a mark: nearly every second byte of Latin text is zero, and always the same one."""
    if len(data) < 4 or len(data) % 2:
        return None
    half = len(data) // 2
    even, odd = data[0::2].count(0), data[1::2].count(0)
    for codec, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros >= half * UTF16_ZERO_SHARE and not others:
            try:
                text = data.decode(codec)
            except UnicodeDecodeError:
                return None
            return text, codec, "no byte-order mark, but every second byte of plain letters is zero"
    return None


def _legacy(data: bytes, name: str, first: int) -> tuple[str, str, str]:
    words = set(data.translate(_WORDS).split())
    plain = b" ".join(word for word in words if len(word) > 1 and word.isascii())
    known = set(plain.decode().lower().split())
    # All that decides is in the few words with a byte outside ASCII: only these are tried under every codec.
    odd = sorted(word for word in words if not word.isascii())
    sense: dict[str, _Sense] = {}
    texts: dict[str, str] = {}
    for codec in LEGACY_CODECS:
        try:
            texts[codec] = b" ".join(odd).decode(codec)
        except UnicodeDecodeError:
            continue
        sense[codec] = _sense(texts[codec].split(" "), known)
    for least in (_Sense.EXPECTED, _Sense.POSSIBLE):
        fitting = [codec for codec, found in sense.items() if found >= least]
        if not fitting:
            continue
        if len({texts[codec] for codec in fitting}) > 1:
            at = _first_difference(data, fitting)
            called = " and ".join(_NAMES[codec] for codec in fitting)
            raise SourceError(
                f"{name}: {_place(data, at)} reads differently as {called}, and nothing in the text decides "
                "between them: save the file as UTF-8."
            )
        codec = fitting[0]
        called = " and ".join(_NAMES[codec] for codec in fitting)
        shown = "".join(sorted({character for character in texts[codec] if character > "\x7f"}))
        found = "is one that rules texts use" if least is _Sense.EXPECTED else "fits the word it stands in"
        same = ", which give the same text" if len(fitting) > 1 else ""
        return (
            data.decode(codec),
            codec,
            f"not UTF-8; every character outside ASCII ({shown}) {found} only as {called}{same}",
        )
    at = _first_senseless(data, known, [data.decode(codec) for codec in texts], first)
    raise SourceError(
        f"{name}: {_place(data, at)} makes no sense as UTF-8, Windows-1252, Mac OS Roman or a DOS code page: "
        "save the file as UTF-8."
    )


# Bytes of letters and bytes above ASCII as they are, all else as a blank.
_WORDS = bytes(byte if byte > 0x7F or chr(byte).isalpha() else 32 for byte in range(256))


def _sense(words: Iterable[str], known: set[str]) -> _Sense:
    """The least sense that any character outside ASCII makes where it stands."""
    least = _Sense.EXPECTED
    for word in words:
        for place, character in enumerate(word):
            if character > "\x7f":
                least = min(least, _sense_at(word, place, known))
                if least is _Sense.NONE:
                    return least
    return least


def _sense_at(run: str, place: int, known: set[str]) -> _Sense:
    start = place
    while start > 0 and run[start - 1].isalpha():
        start -= 1
    end = place + 1
    while end < len(run) and run[end].isalpha():
        end += 1
    return _sense_in_context(run[start:place], run[place], run[place + 1 : end], known)


def _sense_in_context(  # noqa: PLR0911 - one return for each kind of character
    before: str, character: str, after: str, known: set[str]
) -> _Sense:
    if character in _LETTERS or character in _OTHER_LETTERS:
        if not before and not after:
            return _Sense.NONE
        if before.lower() in known and after.lower() in known:
            return _Sense.NONE  # two whole words with a sign between them
        if character.isupper():
            fits = before.isupper() if before else True
        else:
            fits = (not after or after[0].islower()) and (bool(before) or after[:1].islower())
        if not fits:
            return _Sense.NONE
        return _Sense.EXPECTED if character in _LETTERS else _Sense.POSSIBLE
    if character in _PUNCTUATION:
        if character in "–—−•·…®™©∞" and before and after:
            whole = before.lower() in known and after.lower() in known
            return _Sense.EXPECTED if whole else _Sense.POSSIBLE
        if character in "“”" and before and after:
            return _Sense.POSSIBLE
        return _Sense.EXPECTED
    if character == "\xa0":
        whole = (not before or before.lower() in known) and (not after or after.lower() in known)
        return _Sense.EXPECTED if whole else _Sense.NONE
    return _Sense.POSSIBLE if character in _OTHER_SIGNS and not (before and after) else _Sense.NONE


def _first_difference(data: bytes, codecs: list[str]) -> int:
    differs: Callable[[int], bool] = lambda byte: len({bytes([byte]).decode(codec) for codec in codecs}) > 1  # noqa: E731
    odd = {byte for byte in range(0x80, 0x100) if byte in data and differs(byte)}
    return next(place for place, byte in enumerate(data) if byte in odd)


def _first_senseless(data: bytes, known: set[str], texts: Sequence[str], first: int) -> int:
    """Place of the first byte that no codec gives sense to; each reads one byte as one character."""
    for match in re.finditer(rb"[\x80-\xff]", data):
        place = match.start()
        near = slice(max(0, place - 40), place + 40)
        if all(_sense_at(text[near], place - near.start, known) is _Sense.NONE for text in texts):
            return place
    return first


def _place(data: bytes, at: int) -> str:
    end = at + 1
    while end < len(data) and end < at + 4 and data[end] > 0x7F:
        end += 1
    line = data[:at].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    run = " ".join(f"{byte:02X}" for byte in data[at:end])
    return f"byte{'s' if end > at + 1 else ''} {run} in line {line}"


def _line(text: str, at: int) -> int:
    return len(split_lines(text[:at]))


def _line_ends(text: str) -> str:
    both = text.count("\r\n")
    counts = {"CRLF": both, "LF": text.count("\n") - both, "CR": text.count("\r") - both}
    return ", ".join(f"{kind} {count}" for kind, count in counts.items() if count) or "none"
