from __future__ import annotations

import json
import re

from rulehist.changes import Change, ChangeKind, Diff, Side
from rulehist.diff_text import as_text, diff_json, heading
from rulehist.document import PartKind
from rulehist.marked_words import marked, wrapped
from rulehist.reader_order import arrange
from rulehist.worddiff import word_diff

OLD = "Other effects, status, and counters are not copied. " + "It stays as it was before it was that way. " * 6
NEW = OLD.replace("status, and counters", "status, counters, and <stickers>")
CHANGE = Change(
    ChangeKind.REWORDED,
    "rule",
    Side("707.2", OLD, PartKind.RULE),
    Side("707.2", NEW, PartKind.RULE),
    word_diff(OLD, NEW),
)
DIFF = Diff((CHANGE,))
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def test_marks_do_not_rely_on_colour() -> None:
    plain, coloured = marked(CHANGE.ops), marked(CHANGE.ops, colour=True)
    assert "[-and counters-]{+counters, and <stickers>+}" in plain
    assert ESCAPE.sub("", coloured) == plain


def test_long_stretches_of_unchanged_words_are_left_out_on_request() -> None:
    assert "[…]" in marked(CHANGE.ops, short=True)
    assert len(marked(CHANGE.ops, short=True)) < len(marked(CHANGE.ops))


def test_terminal_text_stays_within_its_columns() -> None:
    for colour in (False, True):
        lines = list(as_text(arrange(DIFF.changes), colour=colour, every=True))
        assert all(len(ESCAPE.sub("", line)) <= 80 for line in lines)
        assert any(line.startswith("707.2: reworded") for line in lines)


def test_json_has_the_shape_that_others_rely_on() -> None:
    shape = json.loads(
        json.dumps(diff_json(DIFF, {"effective": "2021-07-23"}, {"effective": None}, arrange(DIFF.changes)))
    )
    assert set(shape) == {"old", "new", "summary", "news", "changes", "patterns", "ranges", "notes"}
    assert shape["summary"]["reworded"] == 1
    (change,) = shape["changes"]
    assert set(change) == {"kind", "part", "old", "new", "ops"}
    assert change["old"] == {"number": "707.2", "text": OLD}
    assert "".join(words for op, words in change["ops"] if op != "insert") == OLD
    assert "".join(words for op, words in change["ops"] if op != "delete") == NEW


def test_lines_that_the_source_broke_are_joined_and_paragraphs_are_not() -> None:
    assert list(wrapped("mana cost,\ncolor\n\nSee rule 2.", 80, "")) == ["mana cost, color", "See rule 2."]


def test_what_only_follows_numbers_says_which_are_glossary_entries() -> None:
    sides = Side("Becomes", "See rule 3.", PartKind.GLOSSARY), Side("Becomes", "See rule 4.", PartKind.GLOSSARY)
    changes = [Change(ChangeKind.REFERENCES, "glossary", *sides, word_diff(sides[0].text, sides[1].text))]
    assert "glossary: Becomes" in list(as_text(arrange(changes)))


def test_words_of_another_text_are_named_by_the_numbers_of_both() -> None:
    side = Side("500.5b", "Special rules.", PartKind.SUBRULE)
    new = Change(ChangeKind.ADDED, "rule", None, side, (), related=("500.5",), counterparts=("500.5a",))
    assert heading(new) == "500.5b: added (words from the old 500.5, now 500.5a)"
    gone = Change(ChangeKind.REMOVED, "rule", side, None, (), related=("603.2d",), counterparts=("603.2d",))
    assert heading(gone) == "500.5b: removed (its words went to 603.2d)"
