"""What every report says, and that it says the same each time.

After a wanted change of the pages, rewrite tests/golden with
``RULEHIST_GOLDEN=refresh pytest tests/test_report.py``, and read what changed.
"""

import csv
import io
import os
import re
from pathlib import Path

import pytest

from rulehist.changes import Change, ChangeKind, Side
from rulehist.document import PartKind
from rulehist.lists import ListChanges
from rulehist.news import News
from rulehist.pages import words
from rulehist.reader_order import arrange
from rulehist.report import report_html
from rulehist.report_csv import report_csv
from rulehist.report_markdown import bulletin, report_markdown
from rulehist.report_view import Version, View, make_view
from rulehist.report_wikitext import report_wikitext
from rulehist.rule_page import BlameRun, TimelineEntry, blame_html, rule_page_html

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = 'Say <script>alert("x")</script> & \u202egnp.exe, עברית.'

PART_KINDS = {"rule": PartKind.RULE, "example": PartKind.EXAMPLE, "glossary": PartKind.GLOSSARY}


def change(kind, part, old, new, *ops, related=()):
    before = "".join(words for op, words in ops if op != "insert")
    after = "".join(words for op, words in ops if op != "delete")
    return Change(
        ChangeKind(kind),
        part,
        Side(old, before, PART_KINDS[part]) if old else None,
        Side(new, after, PART_KINDS[part]) if new else None,
        ops,
        related=related,
    )


LANDS = "Desert, Forest, Gate, Island, Mountain, Plains"


def small_view() -> View:
    they = ("equal", "The player says what "), ("delete", "he or she"), ("insert", "they")
    changes = [
        change(
            "reworded",
            "rule",
            "100.2",
            "100.2",
            ("equal", "Cut the deck"),
            ("insert", " twice"),
            ("equal", "."),
        ),
        change("added", "rule", None, "100.2a", ("insert", HOSTILE)),
        change("removed", "rule", "200.4", None, ("delete", "Mana burns."), related=("300.1", "300.2")),
        change(
            "renumbered+reworded",
            "rule",
            "701.5",
            "702.6",
            ("delete", "Old"),
            ("insert", "New"),
            ("equal", " words."),
        ),
        change("reworded", "example", "702.6", "702.6", ("equal", "Such"), ("insert", " as this")),
        change("renumbered", "rule", "702.7", "702.8", ("equal", "Same.")),
        change("renumbered", "rule", "702.8", "702.9", ("equal", "Same.")),
        change(
            "references",
            "rule",
            "703.1",
            "703.1",
            ("equal", "See "),
            ("delete", "702.8"),
            ("insert", "702.9"),
        ),
        *(
            change("reworded", "rule", f"704.{n}", f"704.{n}", *they, ("equal", f" done {n} times."))
            for n in range(1, 6)
        ),
        change("reworded", "rule", "704.6", "704.6", *they, ("equal", " done"), ("insert", " and why"), ("equal", ".")),
        change(
            "reworded", "rule", "205.3i", "205.3i", ("equal", f"The land types are {LANDS}"), ("insert", ", Planet")
        ),
        change("added", "glossary", None, "Planet Folk", ("insert", "A creature type.")),
        change("renumbered", "glossary", "Old Term", "New Term", ("equal", "Means it.")),
        change("typography", "glossary", "Aura", "Aura", ("equal", "So "), ("delete", "--"), ("insert", "—")),
    ]
    none = ListChanges((), ())
    news = News(
        none, (), ListChanges(("warp",), ("banding",)), none, none, none, none, {"land": none}, none, ("Note.",)
    )
    old = Version("2022-10-07", "Lakes and Rivers", "LAR")
    return make_view(old, Version("", "", "", partial=True, later_than="2022-10-07"), arrange(changes), news)


def small_timeline():
    entries = [
        TimelineEntry("2024-07-30", "Rivers", "707.2", "reworded", "It enters.",
                      (("equal", "It "), ("delete", "comes"), ("insert", "enters"), ("equal", "."))),
        TimelineEntry("1999-04-01", "Lakes", "503.2", "added", "It comes.", (("insert", "It comes."),)),
    ]  # fmt: skip
    runs = [BlameRun("It ", "1999-04-01", "Lakes"), BlameRun("enters.", "2024-07-30", "Rivers")]
    return entries, runs


def rule_page() -> str:
    entries, runs = small_timeline()
    return rule_page_html("707.2", entries, runs, as_of="2024-07-30")


def heat_map() -> str:
    return blame_html("707.2", "Rivers", small_timeline()[1], as_of="2024-07-30")


PAGES = {
    "report.html": lambda: report_html(small_view()),
    "report.md": lambda: report_markdown(small_view()),
    "bulletin.md": lambda: bulletin(small_view()),
    "report.wiki": lambda: report_wikitext(small_view()),
    "report.csv": lambda: report_csv(small_view()),
    "rule.html": rule_page,
    "blame.html": heat_map,
}


@pytest.mark.parametrize("name", PAGES)
def test_the_same_changes_give_the_same_bytes(name):
    made = PAGES[name]()
    assert made == PAGES[name]()
    golden = GOLDEN / name
    if os.environ.get("RULEHIST_GOLDEN") == "refresh":
        golden.write_text(made, encoding="utf-8", newline="")
    with golden.open(encoding="utf-8", newline="") as kept:
        assert made == kept.read()


def test_each_number_old_and_new_has_its_anchor_once():
    html = report_html(small_view())
    anchors = re.findall(r'\sid="?([^\s">]+)', html)
    assert len(anchors) == len(set(anchors))
    for anchor in ("old-701.5", "new-702.6", "old-702.7", "new-702.8", "old-200.4", "new-100.2a"):
        assert anchor in anchors


def test_every_change_stands_in_exactly_one_place():
    view = small_view()
    shown = [entry for group in view.groups for entry in group.entries]
    assert len(shown) == sum(view.kinds.values()) == 18
    anchors = [anchor for entry in shown for anchor in (entry.old_anchor, entry.new_anchor) if anchor]
    assert len(anchors) == len(set(anchors))


def test_a_rule_with_more_than_a_mass_rewording_marks_only_the_rest_and_says_so():
    (entry,) = (entry for entry in small_view().group("reworded") if entry.number == "704.6")
    assert [words for op, words in entry.ops if op != "equal"] == [" and why"]
    assert entry.unmarked == (("he or she", "they"),)


def test_the_opening_tells_the_counts_in_words():
    assert small_view().opening == (
        "1 rule added, 1 removed and 3 reworded; 1 list changed.",
        "“he or she” became “they” in 6 rules; nothing else changed in 5 rules.",
        "1 example changed.",
        "Glossary entries: 1 new and 1 renamed.",
        "3 rules took another number, 2 of them without another change.",
        "1 change only follows a number that moved.",
        "1 change is nothing but typography.",
    )


def test_no_list_is_without_a_title():
    assert [(entry.title, entry.items.joined) for entry in small_view().lists] == [("Land types", ("Planet",))]


def test_neighbours_that_moved_together_are_one_range():
    moved = [moved.range for section in small_view().moves for moved in section.ranges]
    assert [(run.old, run.new) for run in moved] == [("701.5", "702.6"), ("702.7–702.8", "702.8–702.9")]


def test_a_text_that_looks_like_markup_shows_as_text():
    for name in ("report.html", "report.md", "report.wiki"):
        assert "<script>alert" not in PAGES[name]()
    html = PAGES["report.html"]()
    assert "\u202e" not in html
    assert "U+202E" in html


def test_a_control_character_of_a_text_is_named_in_a_page():
    assert words("a \x1b]0;\x07 b\tc") == 'a <bdi class="u">U+001B</bdi>]0;<bdi class="u">U+0007</bdi> b\tc'


def test_a_page_asks_nothing_of_any_other_place():
    for name in ("report.html", "rule.html", "blame.html"):
        html = PAGES[name]()
        assert "default-src 'none'" in html.replace("&#39;", "'")
        assert not re.search(r'(?:src|href)="?(?:https?:)?//', html)
        assert "@import" not in html
        assert "url(" not in html


def test_an_unknown_date_stays_unknown():
    html = report_html(small_view())
    assert "date unknown, later than 2022-10-07" in html
    assert "known only in part" in html


def test_a_page_says_whose_the_rules_are():
    for name, made in PAGES.items():
        if name != "report.csv":
            assert "Wizards of the Coast LLC" in made()


def test_two_versions_without_a_difference_say_so():
    version = Version("2022-10-07", "Lakes and Rivers")
    assert "No rule differs" in report_html(make_view(version, version, arrange([])))


def test_no_cell_of_a_csv_is_a_formula_for_a_spreadsheet():
    hostile = '=HYPERLINK("https://example.org")'
    changes = [change("added", "rule", None, "100.2", ("insert", hostile)),
               change("reworded", "rule", "100.3", "100.3", ("delete", "+1"), ("insert", "-1"))]  # fmt: skip
    version = Version("2022-10-07", "", "")
    rows = list(csv.reader(io.StringIO(report_csv(make_view(version, version, arrange(changes))), newline="")))
    assert {"'" + hostile, "'+1", "'-1"} <= {cell for row in rows for cell in row}
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@"))]
