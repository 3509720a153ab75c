from __future__ import annotations

from pathlib import Path

import pytest

from rulehist.changes import Change, ChangeKind, Side
from rulehist.document import Part, PartKind
from rulehist.lists import ListChanges, items, list_changes
from rulehist.news import is_marked_obsolete, news, news_json, with_renamings
from rulehist.reading import read


def rule(number: str, text: str) -> Part:
    return Part(PartKind.SUBRULE if number[-1].isalpha() else PartKind.RULE, text, number)


def entry(term: str, text: str) -> Part:
    return Part(PartKind.GLOSSARY, text, term)


def section(number: str, title: str) -> Part:
    return Part(PartKind.SECTION, title, number)


def test_a_list_is_read_from_its_sentence() -> None:
    assert items("The land types are Cave (see rule 1.2), Forest, and Urza’s") == ("Cave", "Forest", "Urza’s")
    assert items("All other creature types are one word long: Advisor, Elf, and Zubera") == (
        "Advisor",
        "Elf",
        "Zubera",
    )
    assert items("That battle type is Siege") == ("Siege",)
    assert items("Nothing is listed here") == ()


def test_a_change_of_a_list_tells_what_joined_and_left() -> None:
    old = "The words are join forces, kinship, landfall, morbid, and raid."
    new = "The words are join forces, kinship, morbid, raid, and void."
    changes = list_changes(old, new)
    assert changes is not None
    assert (changes.joined, changes.left) == (("void",), ("landfall",))
    assert list_changes(old, new + " They have no meaning.") is None


def test_a_keyword_is_a_heading_of_its_section_whatever_its_number() -> None:
    old = [section("502", "Keyword Abilities"), rule("502.1", "Most abilities do."), rule("502.2", "Flying")]
    new = [
        section("702", "Keyword Abilities"),
        rule("702.1", "Most abilities do."),
        rule("702.2", "Flying"),
        rule("702.3", "Warp"),
        rule("702.4", "∞ (Infinity)"),
        rule("702.5", "(See rule 113.)"),
    ]
    found = news(old, new)
    assert found.keyword_abilities.joined == ("Warp", "∞ (Infinity)")
    assert found.keyword_abilities.left == ()
    assert any("keyword actions" in note for note in found.notes)


def test_an_inserted_section_and_what_it_moved_is_told_in_one_line() -> None:
    old = [section(str(n), f"Title {n}") for n in (700, 701, 702)]
    new = [
        section("700", "Title 700"),
        section("701", "Brand New"),
        section("702", "Title 701"),
        section("703", "Title 702"),
    ]
    found = news(old, new)
    assert found.sections.joined == ("701. Brand New",)
    (shift,) = found.shifts
    assert (shift.old_first, shift.old_last, shift.new_first, shift.new_last) == ("701", "702", "702", "703")


def _parts(archive: Path, name: str) -> tuple[Part, ...]:
    path = archive / "cr" / f"{name}.txt"
    return read(path.read_bytes(), path.name).documents[0].parts


@pytest.mark.archive
def test_edge_of_eternities_is_told_as_people_told_it(archive: Path) -> None:
    found = news(_parts(archive, "2025-06-06"), _parts(archive, "2025-07-25"))
    assert found.ability_words.joined == ("void",)
    assert {name.lower() for name in found.keyword_abilities.joined} == {"station", "warp"}
    assert found.tokens.joined == ("Lander",)
    assert set(found.types["artifact"].joined) == {"Lander", "Spacecraft"}
    assert set(found.types["creature"].joined) == {"Drix", "Echidna", "Hedgehog", "Lobster"}
    assert found.types["land"].joined == ("Planet",)
    assert found.sections.joined == ("721. Station Cards",)
    assert [(s.old_first, s.old_last, s.new_first, s.new_last) for s in found.shifts] == [("721", "731", "722", "732")]
    assert not any(change.left for _, change in found.subjects())
    assert found.notes == ()


def test_all_the_lists_that_a_text_does_not_have_are_told_in_one_sentence() -> None:
    assert news([], []).notes == (
        "Neither text has a list of keyword abilities, keyword actions or ability words: nothing is said of what joined"
        " or left them.",
    )


@pytest.mark.archive
def test_july_2009_says_what_the_older_text_does_not_list(archive: Path) -> None:
    found = news(_parts(archive, "2009-05-01"), _parts(archive, "2009-07-11"))
    assert "Intimidate" in found.keyword_abilities.joined
    assert any("ability words" in note for note in found.notes)


def test_a_term_that_is_only_marked_as_obsolete_has_no_new_name() -> None:
    assert is_marked_obsolete("Damage Assignment Order", "Damage Assignment Order (Obsolete)")
    assert not is_marked_obsolete("End Phase", "Ending Phase")


def test_a_section_or_term_with_another_name_neither_joined_nor_left() -> None:
    old = [section("308", "Tribals"), rule("308.1", "Each one has another card type."), entry("Tribal", "A card type.")]
    new = [
        section("308", "Kindreds"),
        rule("308.1", "Each one has another card type."),
        entry("Kindred", "A card type."),
        entry("Tribal (Obsolete)", "An older name."),
    ]
    changes = [
        Change(
            ChangeKind.REWORDED,
            "rule",
            Side("308", "Tribals", PartKind.SECTION),
            Side("308", "Kindreds", PartKind.SECTION),
            (),
        ),
        Change(ChangeKind.RENUMBERED, "glossary", _term("Tribal"), _term("Kindred"), ()),
        Change(ChangeKind.ADDED, "glossary", None, _term("Tribal (Obsolete)"), ()),
    ]
    found = with_renamings(news(old, new), changes)
    assert found.sections == ListChanges((), (), (("308. Tribals", "308. Kindreds"),))
    assert found.glossary == ListChanges(("Tribal (Obsolete)",), (), (("Tribal", "Kindred"),))
    assert news_json(found)["sections"]["renamed"] == [["308. Tribals", "308. Kindreds"]]


def _term(term: str) -> Side:
    return Side(term, "A card type.", PartKind.GLOSSARY)


@pytest.mark.archive
@pytest.mark.parametrize(
    ("old", "new", "subject", "joined"),
    [
        ("2009-09-04", "2009-10-01", "ability words", {"landfall"}),
        ("2009-09-04", "2009-10-01", "planeswalker types", {"Nissa", "Sorin"}),
        ("2010-04-23", "2010-06-18", "keyword actions", {"Set in Motion", "Abandon"}),
        ("2011-07-15", "2011-09-30", "keyword actions", {"Fight", "Transform"}),
        ("2011-07-15", "2011-09-30", "enchantment types", {"Curse"}),
        ("2013-04-29", "2013-07-11", "keyword abilities", {"Indestructible"}),
        ("2015-03-27", "2015-07-17", "keyword abilities", {"Menace", "Renown"}),
        ("2018-01-19", "2018-04-27", "sections", {"714. Saga Cards"}),
        ("2020-01-22", "2020-04-17", "keyword abilities", {"Companion", "Mutate"}),
        ("2021-04-19", "2021-06-09", "predefined tokens", {"Clue"}),
        ("2021-06-09", "2021-07-12", "sections", {"309. Dungeons", "706. Rolling a Die", "717. Class Cards"}),
        ("2023-02-03", "2023-04-14", "battle types", {"Siege"}),
        ("2025-07-25", "2025-09-19", "keyword abilities", {"Mayhem", "Web-slinging", "∞ (Infinity)"}),
        ("2025-09-19", "2025-11-14", "keyword actions", {"Airbend", "Earthbend", "Waterbend"}),
        ("2025-11-14", "2026-01-16", "ability words", {"vivid"}),
    ],
)
def test_what_releases_brought_is_told(archive: Path, old: str, new: str, subject: str, joined: set[str]) -> None:
    """Read in the texts, and held against an independent reading of their lists."""
    found = dict(news(_parts(archive, old), _parts(archive, new)).subjects())
    assert set(found[subject].joined) == joined
