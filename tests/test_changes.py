from __future__ import annotations

from typing import NamedTuple

from rulehist.changes import Change, ChangeKind, classify, diff_documents, front_changes
from rulehist.document import Coverage, Document, Part, PartKind
from rulehist.number_ranges import by_section, ranges
from rulehist.reader_order import arrange


class Link(NamedTuple):
    old: int | None
    new: int | None
    relation: str = "same"


def rule(number: str, text: str, **more: bool) -> Part:
    return Part(PartKind.SUBRULE if number[-1].isalpha() else PartKind.RULE, text, number, **more)


def only(old: Part, new: Part, *others: tuple[Part, Part]) -> list[Change]:
    pairs = [(old, new), *others]
    links = [Link(i, i) for i in range(len(pairs))]
    return list(classify([one for one, _ in pairs], [other for _, other in pairs], links))


def kinds(changes: list[Change]) -> list[str]:
    return [change.kind.value for change in changes]


def test_an_unchanged_rule_is_not_listed() -> None:
    assert only(rule("100.1", "Play."), rule("100.1", "Play.")) == []


def test_a_rule_under_another_number_is_renumbered() -> None:
    assert kinds(only(rule("100.1", "Play."), rule("100.2", "Play."))) == ["renumbered"]


def test_a_rule_in_other_words_under_another_number_is_both() -> None:
    assert kinds(only(rule("100.1", "Play."), rule("100.2", "Cast."))) == ["renumbered+reworded"]


def test_other_quotes_are_typography_and_what_changed_is_shown_exactly() -> None:
    (change,) = only(rule("100.1", 'The "stack" is full.'), rule("100.1", "The “stack” is full."))
    assert change.kind is ChangeKind.TYPOGRAPHY
    assert "".join(text for op, text in change.ops if op != "insert") == 'The "stack" is full.'


def test_a_reference_that_follows_its_rule_is_no_rewording() -> None:
    copying = (
        Part(PartKind.SECTION, "Copying Objects", "706"),
        Part(PartKind.SECTION, "Copying Objects", "707"),
    )
    changes = only(
        rule("100.1", "See rule 706, “Copying Objects.”"),
        rule("100.1", "See rule 707, “Copying Objects.”"),
        copying,
    )
    assert kinds(changes) == ["references", "renumbered"]


def test_a_reference_to_a_different_rule_is_a_rewording() -> None:
    stays = rule("706.1", "Copy."), rule("706.1", "Copy.")
    changes = only(rule("100.1", "See rule 706.1."), rule("100.1", "See rule 707.1."), stays)
    assert kinds(changes) == ["reworded"]


def test_an_example_goes_with_its_rule_and_is_not_renumbered_by_itself() -> None:
    example = Part(PartKind.EXAMPLE, "So it is.", "100.1"), Part(PartKind.EXAMPLE, "So it is.", "100.2")
    assert kinds(only(rule("100.1", "Play."), rule("100.2", "Play."), example)) == ["renumbered"]


def test_a_removed_rule_stands_where_it_stood() -> None:
    old = [rule("100.1", "One."), rule("100.2", "Two."), rule("100.3", "Three.")]
    new = [rule("100.1", "Uno."), rule("100.2", "Three."), rule("100.3", "Four.")]
    changes = classify(old, new, [Link(0, 0), Link(1, None), Link(2, 1), Link(None, 2)])
    assert kinds(list(changes)) == ["reworded", "removed", "renumbered", "added"]


def test_a_split_names_the_rule_that_it_came_from() -> None:
    old = [rule("100.1", "One. Two.")]
    new = [rule("100.1", "One."), rule("100.1a", "Two.")]
    changes = classify(old, new, [Link(0, 0), Link(None, 1), Link(0, 1, "split")])
    assert changes[1].kind is ChangeKind.ADDED
    assert changes[1].related == ("100.1",)


def test_a_text_cut_off_by_its_source_is_no_change() -> None:
    assert only(rule("100.1", "Play a card now.", truncated=False), rule("100.1", "Play a", truncated=True)) == []


def test_an_excerpt_reports_nothing_as_added_or_removed() -> None:
    full = Document("made-up", Coverage.FULL, None, (rule("100.1", "One is here."), rule("100.2", "Two is not.")))
    quoted = Document("made-up", Coverage.EXCERPT, None, (rule("100.1", "One was here."),))
    assert [change.kind.value for change in diff_documents(full, quoted).changes] == ["reworded"]
    assert diff_documents(full, quoted).notes


def test_front_matter_is_compared_paragraph_by_paragraph() -> None:
    old = [Part(PartKind.NOTICE, "In force from May."), Part(PartKind.CREDITS, "Ann")]
    new = [
        Part(PartKind.NOTICE, "In force from June."),
        Part(PartKind.CREDITS, "Ann"),
        Part(PartKind.CREDITS, "Bob"),
    ]
    assert [(c.part, c.kind.value) for c in front_changes(old, new)] == [
        ("front", "reworded"),
        ("front", "added"),
    ]


def test_an_inserted_rule_moves_its_followers_as_one_range() -> None:
    old = [rule(f"702.{n}", f"Word {n}") for n in range(5, 39)] + [rule("702.7a", "It flies.")]
    new = [rule(f"702.{n + 1}", f"Word {n}") for n in range(5, 39)] + [rule("702.8a", "It flies.")]
    changes = classify(old, new, [Link(i, i) for i in range(len(old))])
    (moved,) = ranges(changes)
    assert (moved.old_first, moved.old_last, moved.new_first, moved.new_last) == (
        "702.5",
        "702.38",
        "702.6",
        "702.39",
    )
    assert moved.rules == 35


def test_every_change_stands_in_one_group() -> None:
    words = ["artifact", "battle", "creature", "dungeon", "land", "plane"]
    before, after = ", ".join(words), ", ".join([*words, "scheme"])
    changes = only(
        rule("205.2", f"The card types are {before}."),
        rule("205.2", f"The card types are {after}."),
        (rule("1.1", "Play."), rule("1.2", "Play.")),
        (rule("1.3", "Tap it."), rule("1.3", "Untap it.")),
    )
    arranged = arrange(changes)
    assert [(group.title, len(group.changes)) for group in arranged.groups] == [
        ("Reworded rules", 1),
        ("Lists", 1),
        ("Renumbered", 1),
    ]
    assert [(entry.title, entry.items.joined) for entry in arranged.lists] == [("Card types", ("scheme",))]


def test_a_list_is_named_by_the_words_that_open_it() -> None:
    opened = "Partner abilities are keyword abilities. The partner abilities are: partner, choose, pal, doctor, duke"
    arranged = arrange(
        only(rule("702.124a", f"{opened}, and friend."), rule("702.124a", f"{opened}, rival, and friend."))
    )
    assert [(entry.title, entry.items.joined) for entry in arranged.lists] == [("Partner abilities", ("rival",))]


def test_the_notice_of_the_date_at_both_ends_of_a_text_is_told_once() -> None:
    march, june = (Part(PartKind.NOTICE, f"These rules are effective as of {day}.") for day in ("March 1", "June 1"))
    (group,) = arrange(front_changes([march, march], [june, june])).groups
    assert (group.title, len(group.changes)) == ("Front matter", 1)


def moved(*pairs: tuple[str, str]) -> list[Change]:
    kind = PartKind.SECTION
    old = [
        rule(before, f"Text {n}") if "." in before else Part(kind, "Title", before)
        for n, (before, _) in enumerate(pairs)
    ]
    new = [
        rule(after, f"Text {n}") if "." in after else Part(kind, "Title", after) for n, (_, after) in enumerate(pairs)
    ]
    return list(classify(old, new, [Link(i, i) for i in range(len(pairs))]))


def told(changes: list[Change]) -> list[tuple[str, str, int]]:
    return [(each.old, each.new, each.rules) for each in ranges(changes)]


def test_sections_behind_an_inserted_one_are_one_range_with_all_their_rules() -> None:
    changes = moved(("721", "722"), ("721.1", "722.1"), ("721.1a", "722.1a"), ("722", "723"), ("722.1", "723.1"))
    assert told(changes) == [("721–722", "722–723", 5)]


def test_a_rule_that_left_its_section_is_a_range_of_its_own() -> None:
    changes = moved(("503", "706"), ("503.1", "706.1"), ("503.2", "706.3"), ("503.2a", "706.3a"), ("503.3", "112.4"))
    assert told(changes) == [("503", "706", 2), ("503.2", "706.3", 2), ("503.3", "112.4", 1)]
    (section,) = by_section(ranges(changes))
    assert section.words == "503 -> 706 (4 rules), 112 (1)"


def test_ranges_do_not_depend_on_the_order_of_the_changes() -> None:
    changes = moved(("702.30d", "702.30f"), ("702.30b", "702.30d"), ("702.30c", "702.30e"), ("702.30c", "702.30g"))
    assert ranges(changes) == ranges(changes[::-1])


def test_subrules_that_moved_on_in_step_are_one_range() -> None:
    assert told(moved(("608.2k", "608.2m"), ("608.2m", "608.2n"), ("608.2n", "608.2p"))) == [
        ("608.2k–608.2n", "608.2m–608.2p", 3)
    ]
