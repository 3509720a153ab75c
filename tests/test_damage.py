"""A text that a conversion or a broken download spoilt is refused; the faults of published texts are warnings."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from string import ascii_uppercase

import pytest

from rulehist import ingest, store
from rulehist.damage import in_characters
from rulehist.document import Severity
from rulehist.errors import SourceError
from rulehist.reading import read, to_text
from tests.small_texts import rules_text

RULES = [
    f"100.{number}. A player can't take the “{name}” action, and doesn't get that player’s turn — if it isn't theirs."
    for number, name in enumerate(("whistle", "hum", "drum", "yodel", "sing", "shout") * 5, 1)
]
WHOLE = rules_text(
    "March 1, 2030",
    {"100. General": RULES, "101. Songs": ["101.1. A song is a card that's sung.", "101.2. It’s over when it ends."]},
    {term: f"That which isn’t {term.lower()}’s opposite." for term in ("Alto", "Drum", "Song", "Tune", "Yodel")},
)

Spoil = Callable[[str], str]


def at(share: float) -> Spoil:
    return lambda text: text[: int(len(text) * share)]


def without(first: float, last: float) -> Spoil:
    return lambda text: text[: int(len(text) * first)] + text[int(len(text) * last) :]


SPOILT: dict[str, Spoil] = {
    "cut off in its first rules": at(0.1),
    "cut off in the middle": at(0.5),
    "cut off in its last rules": at(0.75),
    "cut off in its glossary": at(0.93),
    "without its first rules": lambda text: text[text.index("100.2") :],
    "without a tenth in the middle": without(0.4, 0.5),
    "twice in one file": lambda text: f"{text}\n\n{text}",
    "apostrophes as question marks": lambda text: re.sub("['’]", "?", text),
    "all but ASCII as question marks": lambda text: re.sub("[^ -~\r\n]", "?", re.sub("'", "’", text)),
    "apostrophes lost": lambda text: re.sub("['’]", "", text),
    "apostrophes as blanks": lambda text: re.sub("['’]", " ", text),
    "all but ASCII lost in decoding": lambda text: re.sub("[^ -~\r\n]", "\ufffd", re.sub("'", "’", text)),
    "UTF-8 read as Windows-1252": lambda text: curly(text).encode().decode("cp1252", "replace"),
    "UTF-8 read as Latin-1": lambda text: curly(text).encode().decode("latin-1"),
    "UTF-8 read as Mac OS Roman": lambda text: curly(text).encode().decode("mac_roman"),
    "UTF-8 read as DOS": lambda text: curly(text).encode().decode("cp437"),
    "Windows-1252 read as Mac OS Roman": lambda text: curly(text).encode("cp1252", "ignore").decode("mac_roman"),
    "Mac OS Roman read as Windows-1252": lambda text: curly(text).encode("mac_roman", "ignore").decode("latin-1"),
    "Windows-1252 read as DOS": lambda text: curly(text).encode("cp1252", "ignore").decode("cp437"),
    "Windows-1252 read as Latin-1": lambda text: curly(text).encode("cp1252", "ignore").decode("latin-1"),
    "markup left": lambda text: re.sub("['’]", "&rsquo;", text),
    "quoted-printable": lambda text: re.sub("['’]", "=E2=80=99", text),
    "in capitals": lambda text: text.upper(),
    "shuffled": lambda text: "\n\n".join(sorted(text.split("\n\n"), key=lambda part: part[-9:])),
}  # fmt: skip


def curly(text: str) -> str:
    """As the texts since 2014 are: every apostrophe and quotation mark curly."""
    return re.sub("(?<=[A-Za-z])'", "’", re.sub(r'"(?=\w)', "“", re.sub(r'(?<=[\w.,])"', "”", text)))


def is_refused(text: str) -> bool:
    try:
        findings = read(text.encode("utf-8", "surrogatepass"), "rules.txt").findings
    except SourceError:
        return True
    return any(finding.severity is Severity.FATAL for finding in findings)


def test_a_whole_text_is_taken_without_a_word() -> None:
    assert read(WHOLE.encode(), "rules.txt").findings == ()


# a few rules missing of thirty, or a shuffled glossary of five, are no evidence yet
SEEN_IN_LARGE = {"without a tenth in the middle", "in capitals", "shuffled"}


@pytest.mark.parametrize("damage", [name for name in SPOILT if name not in SEEN_IN_LARGE])
def test_a_spoilt_text_is_refused(damage: str) -> None:
    assert is_refused(SPOILT[damage](WHOLE))


@pytest.mark.archive
@pytest.mark.parametrize("name", ["2003-07-01.txt", "2010-10-01.txt", "2024-09-17.txt"])
@pytest.mark.parametrize("damage", list(SPOILT))
def test_a_published_text_spoilt_by_hand_is_refused(archive: Path, name: str, damage: str) -> None:
    text, _ = to_text((archive / "cr" / name).read_bytes(), name)
    text = curly(text.replace("\r\n", "\n").replace("\r", "\n"))
    assert not is_refused(text)
    if damage == "without its first rules":
        text = text[text.rindex("100.2") :] if text.count("100.2") < 2 else re.split(r"\n100\.2[^\n]*", text)[1]
        assert is_refused(text)
    elif damage == "cut off in its last rules":
        assert is_refused(at(0.7)(text))
    else:
        assert is_refused(SPOILT[damage](text))


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Artifact ? Equipment", "question-marks"),
        ("cards?even", "question-marks"),
        ("a player?s turn", "question-marks"),
        ("it\ufffds", "replacement-character"),
        ("itâ€™s", "mojibake"),
        ("Dandƒn", "odd-character"),
        ("El-Hajj‰j", "odd-character"),
        ("this\x02", "control-character"),
        ("&ldquo;Tap&rdquo;", "escapes"),
    ],
)
def test_a_few_spoilt_characters_are_told_with_their_line(words: str, code: str) -> None:
    [finding] = in_characters("Rules.\n" * 40 + f"Say {words} so.\n")
    assert (finding.code, finding.line, finding.severity) == (code, 41, Severity.WARNING)


@pytest.mark.parametrize(
    "words",
    [
        "http://www.wizards.com/default.asp?x=magic/rules",
        "Why? Because.",
        "Questions?",
        "Dandân",
        "½ – ¼",
        "a & b",
        "x < y",
    ],
)
def test_what_rules_texts_hold_is_no_damage(words: str) -> None:
    assert in_characters("Rules.\n" * 40 + f"{words}\n") == []


def test_a_spoilt_byte_order_mark_is_told() -> None:
    assert in_characters("ï»¿Rules.\n" * 1)[0].code == "spoilt-mark"


def test_a_spoilt_text_is_taken_by_force_and_marked(tmp_path: Path) -> None:
    spoilt = tmp_path / "rules.txt"
    spoilt.write_text(SPOILT["apostrophes as question marks"](WHOLE), encoding="utf-8")
    database = tmp_path / "rules.db"
    with pytest.raises(SourceError, match=r"rules\.txt: line \d+: .*question marks.*--force$"):
        ingest.ingest_files(database, [spoilt])
    assert not database.exists()
    ingest.ingest_files(database, [spoilt], force=True)
    connection = store.open_for_reading(database)
    assert connection.execute("SELECT damaged FROM sources").fetchall() == [(1,)]
    connection.close()


TERMS = ("Absorb", "Banding", "Bestow", "Crew", "Cycling", "Dash", "Deathtouch", "Defender", "Devour", "Zone")


def with_keywords(terms: tuple[str, ...]) -> str:
    keywords = [line for at, name in enumerate(TERMS[:-1], 1) for line in (f"702.{at}. {name}",)]
    return rules_text(
        "March 1, 2030",
        {"100. General": RULES, "702. Keyword Abilities": keywords},
        {term: f"A word of the trade that begins as {term} does." for term in terms},
    )


def test_a_stretch_lost_from_the_middle_of_a_glossary_is_told_by_the_keywords_in_it() -> None:
    def holes(terms: tuple[str, ...]) -> list[Severity]:
        findings = read(with_keywords(terms).encode(), "rules.txt").findings
        return [finding.severity for finding in findings if finding.code == "glossary-hole"]

    assert holes(TERMS) == []
    assert holes(tuple(term for term in TERMS if term not in {"Bestow", "Dash"})) == []
    assert holes((*TERMS[:3], *TERMS[5:])) == [Severity.WARNING]
    assert holes((*TERMS[:3], *TERMS[7:])) == [Severity.FATAL]


def test_a_large_glossary_without_a_letter_lost_a_part() -> None:
    def letters(without: str) -> list[str]:
        glossary = {f"{letter}{n}": "A word." for letter in ascii_uppercase for n in range(6) if letter not in without}
        text = rules_text("March 1, 2030", {"100. General": RULES}, glossary)
        return [found.code for found in read(text.encode(), "rules.txt").findings]

    assert letters("JQ") == []
    assert letters("GH") == ["glossary-hole"]


def test_a_text_whose_first_pages_are_missing_says_so() -> None:
    late = WHOLE[WHOLE.index("1. Game Concepts\n\n100. General\n\n100.1") :].replace(
        "Made by nobody", "These rules are effective as of March 1, 2030.\n\nMade by nobody"
    )
    [finding] = read(late.encode(), "rules.txt").findings
    assert (finding.code, finding.severity) == ("no-beginning", Severity.WARNING)
    assert is_refused(late[late.index("101. Songs") :])


@pytest.mark.parametrize("number", ["\ufeff101.2.", "10\ufeff1.2.", "101\u200b.2.", "101.\u20602.", "101.2\u00ad."])
def test_a_number_with_invisible_characters_is_read_and_told(number: str) -> None:
    [document] = read(WHOLE.replace("101.2.", number).encode(), "rules.txt").documents
    assert "101.2" in [part.number for part in document.parts]
    assert [finding.code for finding in document.findings] == ["invisible-character"]
    assert f"U+{ord(max(number)):04X}" in document.findings[0].message


@pytest.mark.archive
def test_no_published_text_lacks_its_beginning_or_a_part_of_its_glossary(archive: Path) -> None:
    for file in sorted((archive / "cr").glob("*.txt"))[::8]:
        codes = {finding.code for finding in read(file.read_bytes(), file.name).findings}
        assert not codes & {"no-beginning", "glossary-hole", "invisible-character"}, file.name


@pytest.mark.archive
@pytest.mark.parametrize("name", ["2003-07-01.txt", "2010-10-01.txt", "2024-09-17.txt"])
def test_a_published_text_with_a_hole_in_its_glossary_is_refused(archive: Path, name: str) -> None:
    text, _ = to_text((archive / "cr" / name).read_bytes(), name)
    start = max(text.rfind("\nGlossary"), text.rfind("\rGlossary"))
    middle = (start + len(text)) // 2
    assert is_refused(text[: middle - 10_000] + text[middle + 10_000 :])
