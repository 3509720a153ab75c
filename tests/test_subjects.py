"""A bulletin tells changes by subject, and every subject in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rulehist.changes import Change, ChangeKind, ChangePart, Side
from rulehist.document import PartKind
from rulehist.headings import Headings
from rulehist.reader_order import arrange
from rulehist.report_view import Version, make_view
from rulehist.subjects import subjects
from tests.small_texts import JUNE_2030, MARCH_2030

KINDS = {"rule": PartKind.RULE, "example": PartKind.EXAMPLE, "glossary": PartKind.GLOSSARY}
TITLES = {
    "1": "Game Concepts",
    "100": "General",
    "702": "Keyword Abilities",
    "702.9": "Flying",
    "707": "Copying Objects",
}


def reworded(number: str, part: ChangePart = "rule", old: str = "Old words that were there.") -> Change:
    new = old.replace("Old", "Entirely new")
    sides = Side(number, old, KINDS[part]), Side(number, new, KINDS[part])
    ops = (("delete", "Old"), ("insert", "Entirely new"), ("equal", old.removeprefix("Old")))
    return Change(ChangeKind.REWORDED, part, *sides, ops)  # type: ignore[arg-type]


def removed(number: str) -> Change:
    words = f"Words of rule {number} that nobody needs any more."
    return Change(ChangeKind.REMOVED, "rule", Side(number, words, PartKind.RULE), None, (("delete", words),))


def told(*changes: Change, old: dict[str, str] = TITLES, new: dict[str, str] = TITLES) -> list[str]:
    view = make_view(Version("2030-03-01", "", ""), Version("2030-06-01", "", ""), arrange(changes))
    return [subject.heading for subject in subjects(view, Headings(old, new))]


def test_rules_of_a_section_are_one_subject_and_those_of_a_keyword_another() -> None:
    assert told(reworded("702.9b"), reworded("702.2"), reworded("707.2"), reworded("707.10a")) == [
        "Keyword Abilities (702.2)",
        "Flying (702.9)",
        "Copying Objects (707.2, 707.10)",
    ]


def test_a_section_called_general_is_told_with_its_chapter() -> None:
    assert told(reworded("100.2")) == ["Game Concepts: General (100.2)"]


def test_a_section_that_changed_itself_stands_for_its_rules() -> None:
    assert told(reworded("707", old="Old Objects"), reworded("707.1"), reworded("707.2")) == [
        "Entirely new Objects (707)"
    ]


def test_of_many_rules_the_first_and_the_last_are_named() -> None:
    assert told(*(removed(f"707.{n}") for n in range(1, 9))) == ["Copying Objects (707.1 to 707.8)"]


def test_a_rule_that_is_gone_is_told_under_its_old_heading() -> None:
    assert told(removed("707.4"), new={"707": "Rolling a Die"}) == ["Copying Objects (707.4)"]


def test_a_glossary_entry_stands_with_the_subject_of_its_name() -> None:
    assert told(reworded("Flying", "glossary"), reworded("Deck", "glossary"), reworded("702.9a")) == [
        "Flying (702.9)",
        "Deck (glossary)",
    ]


def test_without_a_heading_the_number_is_the_subject() -> None:
    assert told(reworded("999.1a"), reworded("999.1b")) == ["999.1"]


def test_a_bulletin_of_two_files_has_the_words_of_their_headings(command: Callable[..., str], tmp_path: Path) -> None:
    for name, text in (("old.txt", MARCH_2030), ("new.txt", JUNE_2030)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    headings = command("bulletin", tmp_path / "old.txt", tmp_path / "new.txt").splitlines()
    assert "## Copying Objects (702.2)" in headings
    assert "## Whistling (701)" in headings
    assert "## Whistle (glossary)" in headings
