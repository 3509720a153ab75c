"""The semantic switches against the published texts: every dated change, on its day and under its number."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from rulehist.engine.known_words import FILE, known_words, mark_of
from rulehist.engine.readings import read_switch, reviewed
from rulehist.engine.rules import ListedRules, RuleText
from rulehist.engine.semantics import Reading, compile_semantics
from rulehist.engine.switches import switches
from rulehist.history import show
from rulehist.ingest import ingest_files
from rulehist.reading import read
from rulehist.resources import data_folder
from rulehist.rules_at import StoredRules
from rulehist.semantics_history import Held, history, known_words_table, sentences_in, unread
from rulehist.store import open_for_reading
from rulehist.tables import rows
from rulehist.when import When, parse_when

pytestmark = pytest.mark.archive

CHANGES = [
    cells
    for _, cells in rows(
        Path(__file__).parent / "data" / "semantic-changes.tsv",
        ("row", "date", "number", "switch", "before", "after"),
    )
]


@pytest.fixture(scope="module")
def held(archive_database: Path) -> dict[str, list[Held]]:
    found: dict[str, list[Held]] = {}
    with open_for_reading(archive_database) as connection:
        for each in history(connection):
            found.setdefault(each.switch, []).append(each)
    return found


@pytest.mark.parametrize("change", CHANGES, ids=[f"{cells[0]}-{cells[3]}" for cells in CHANGES])
def test_a_change_of_the_rules_is_read_on_its_day(change: list[str], held: dict[str, list[Held]]) -> None:
    row, day, number, switch, before, after = change
    old, new = (each for each in held[switch] if row in each.rows)
    assert (old.until, new.since, new.number) == (day, day, number)
    assert [old.value or "not said", new.value] == [before, after]


OTHER = [("basic-land-type-removes", "2003-07-01")]
"""Changes that the list of rows does not have: until then a land that became a basic land kept no ability at all."""


def test_a_switch_changes_on_no_other_days(held: dict[str, list[Held]]) -> None:
    """But on the day on which the rules first spoke of the question at all."""
    known = {(cells[3], cells[1]) for cells in CHANGES}
    other = [
        (new.switch, new.since)
        for each in held.values()
        if switches()[each[0].switch].rows
        for old, new in pairwise(each)
        if (new.switch, new.since) not in known and old.value is not None
    ]
    assert other == OTHER


def test_the_words_that_decided_stand_in_the_rule_of_that_number(
    held: dict[str, list[Held]], archive_database: Path
) -> None:
    with open_for_reading(archive_database) as connection:
        for each in (each for every in held.values() for each in every if each.number):
            rule = show(connection, each.number, When(each.since, each.since))
            assert each.quote in " ".join(rule.text.split()), (each.switch, each.since)
            assert rule.rule == each.rule


def test_every_wording_in_the_archive_is_read(held: dict[str, list[Held]]) -> None:
    assert [(each.switch, each.since, each.unread) for every in held.values() for each in every if each.unread] == []


def test_the_known_words_are_those_of_the_archive(archive_database: Path) -> None:
    with open_for_reading(archive_database) as connection:
        table = known_words_table(sentences_in(connection))
    file = (data_folder() / FILE).read_text(encoding="utf-8")
    assert file == table, "look at what changed; then write it with: rulehist semantics --known-words"


@pytest.mark.parametrize("day", ["2003-07-01", "2012-05-01", "2026-01-16"])
def test_a_known_word_in_the_place_of_another_is_seen(day: str, archive_database: Path) -> None:
    """But where another sentence of the rules says the same."""
    seen, unnoticed = 0, []
    with open_for_reading(archive_database) as connection:
        semantics = compile_semantics(StoredRules(connection, parse_when(day)))
        for switch in switches().values():
            reading = semantics.read(switch.name)
            if switch.list_of or not isinstance(reading, Reading) or reading.text is None:
                continue
            for swapped in _swapped(reading, known_words()[switch.name][0].split()):
                texts = [swapped if text == reading.text else text for text in semantics.texts(switch.name)]
                now = reviewed(read_switch(switch, texts, day), switch)
                seen += 1
                if isinstance(now, Reading) and now.value == reading.value and now.text == swapped:
                    unnoticed.append((switch.name, now.quote))
    assert seen > 250
    assert unnoticed == []


def _swapped(reading: Reading, known: list[str]) -> Iterator[RuleText]:
    """The rule that decided, each time with another word of the sentence that decided replaced by a known one."""
    assert reading.text is not None
    whole = " ".join(reading.text.text.split())
    begin = whole.index(reading.quote)
    words = [match for match in re.finditer(r"[a-z]{2,}", reading.quote) if match[0] in known]
    for number, word in enumerate(words[:: max(1, len(words) // 4)]):
        other = known[(known.index(word[0]) + 1 + number) % len(known)]
        if other not in (word[0], "a"):
            place = slice(begin + word.start(), begin + word.end())
            yield reading.text._replace(text=whole[: place.start] + other + whole[place.stop :])


def test_words_of_the_game_that_came_and_went_make_no_sentence_unknown() -> None:
    for old, new in [
        ("As it comes into play", "As it enters the battlefield"),
        ("It's tapped and adds {G} to your mana pool (see rules 305.6 and 305.7)", "It's tapped and adds {G}"),
        ("its converted mana cost is 0", "its mana value is 0"),
    ]:
        assert mark_of(old) == mark_of(new)
    assert mark_of("the first of two effects") != mark_of("the two of first effects")


def test_every_value_was_once_read(held: dict[str, list[Held]]) -> None:
    """A value that no text of 26 years gives would be a guess."""
    given = {(each.switch, each.value) for every in held.values() for each in every}
    for switch in switches().values():
        for wording in switch.wordings:
            assert (switch.name, wording.value) in given, wording.words


@pytest.mark.parametrize("name", ["2001-07-23", "2005-10-01", "2012-05-01", "2019-10-04", "2026-01-16"])
def test_a_text_alone_is_read_by_words_as_it_is_by_identity(
    name: str, archive: Path, held: dict[str, list[Held]]
) -> None:
    path = next(path for path in sorted((archive / "cr").glob("*.txt")) if _effective(path) == name)
    (document,) = read(path.read_bytes(), path.name).documents
    alone = compile_semantics(ListedRules.of_document(document))
    wrong = []
    for switch, every in held.items():
        (there,) = (each for each in every if each.since <= name and (each.until is None or name < each.until))
        here = alone.read(switch)
        if not isinstance(here, Reading) or here.value != there.value:
            wrong.append((switch, there.value, here))
    assert wrong == []


def _effective(path: Path) -> str:
    (document, *_) = read(path.read_bytes(), path.name).documents
    return document.effective.isoformat() if document.effective else ""


CHANGED = {
    "704.5j": ("chooses one of them", "keeps all of them", "legend-rule"),
    "613.8b": ("in timestamp order", "in an order of the active player's choice", "dependency-loop"),
    "613.1e": ("Color-changing effects", "Color-changing effects and smell-changing effects", "layers"),
    "613.7n": ("*", "", "static-before-resolving"),
    "704.5f": ("*", "A creature without toughness sings.", "zero-toughness"),
}
"""Rules of the newest text, their words that a made-up release replaces (``*``: all), and the switch on it."""


def test_sentences_that_a_release_to_come_changes_are_unread_there_and_nothing_else_is(
    archive: Path, archive_database: Path, tmp_path: Path
) -> None:
    text = max((archive / "cr").glob("*.txt")).read_bytes().decode("utf-8-sig")
    for number, (old, new, _) in CHANGED.items():
        rule = re.findall(rf"(?:^|[\r\n]){re.escape(number)} ([^\r\n]*)", text)[-1]
        changed = new if old == "*" else rule.replace(old, new)
        assert changed != rule, number
        text = text.replace(rule, changed)
    text = re.sub(r"(effective as of )[^.]+", r"\1May 1, 2030", text)
    (tmp_path / "later.txt").write_bytes(text.encode())
    shutil.copy(archive_database, tmp_path / "rules.db")
    ingest_files(tmp_path / "rules.db", [tmp_path / "later.txt"])
    with open_for_reading(tmp_path / "rules.db") as connection:
        found = [(each.since, each.switch) for each in unread(connection)]
    assert sorted(found) == sorted(("2030-05-01", switch) for _, _, switch in CHANGED.values())
