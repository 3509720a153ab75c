"""Who is who over all versions."""

from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from rulehist.document import Part, PartKind
from rulehist.folding import fold
from rulehist.lineage import EventKind, Lineage, VersionParts, assign, neighbours
from rulehist.matching import match

COPY = "When copying an object, the copy acquires the copiable values of the original object's characteristics."
FACE_DOWN = "Face-down spells and permanents have no characteristics other than those listed by the ability."
OTHER = "Players shuffle their decks so that the cards are in a random order before the game begins."


def version(day: str | None, *parts: Part, full: bool = True) -> VersionParts:
    when = date.fromisoformat(day) if day else None
    return VersionParts(when, parts, [fold(part.text) for part in parts], full)


def rule(number: str, text: str, *, truncated: bool = False) -> Part:
    return Part(PartKind.RULE, text, number, truncated=truncated)


def names(lineage: Lineage) -> list[list[str]]:
    return [[lineage.names[one] if one >= 0 else "" for one in rules] for rules in lineage.rules]


def test_a_rule_that_moved_keeps_its_identity_and_its_number_does_not() -> None:
    lineage = assign(
        [
            version("2001-07-23", rule("503.2", COPY), rule("504.2", FACE_DOWN)),
            version("2009-07-11", rule("706.2", COPY), rule("707.2", FACE_DOWN)),
            version("2021-07-23", rule("707.2", COPY), rule("708.2", FACE_DOWN)),
        ]
    )
    assert names(lineage) == [["503.2@2001-07-23", "504.2@2001-07-23"]] * 3


def test_a_rule_that_vanished_and_came_back_is_one_rule_with_a_gap() -> None:
    lineage = assign(
        [
            version("2001-01-01", rule("100.1", OTHER), rule("100.2", COPY)),
            version("2002-01-01", rule("100.1", OTHER)),
            version("2003-01-01", rule("100.1", OTHER), rule("200.2", COPY)),
        ]
    )
    assert names(lineage)[2] == ["100.1@2001-01-01", "100.2@2001-01-01"]
    assert [event.kind for event in lineage.events] == [EventKind.RETURNED]


def test_examples_terms_and_doubled_numbers_have_names_of_their_own() -> None:
    parts = [
        rule("503.2", COPY), Part(PartKind.EXAMPLE, "One.", "503.2"), Part(PartKind.EXAMPLE, "Two.", "503.2"),
        rule("503.2", FACE_DOWN), Part(PartKind.GLOSSARY, "An ability.", "Deathtouch"),
        Part(PartKind.NOTICE, "Hello"),
    ]  # fmt: skip
    assert names(assign([version("2001-07-23", *parts)])) == [
        [
            "503.2@2001-07-23", "503.2#1@2001-07-23", "503.2#2@2001-07-23", "503.2@2001-07-23~2",
            "deathtouch@2001-07-23", "",
        ]
    ]  # fmt: skip


def test_in_quoted_rules_alone_similarity_decides_and_not_the_number() -> None:
    lineage = assign(
        [
            version("2010-02-01", rule("707.2", FACE_DOWN), full=False),
            version("2011-06-17", rule("707.2", FACE_DOWN[:40], truncated=True), full=False),
            version("2019-05-03", rule("707.2", FACE_DOWN), full=False),
            version("2021-07-23", rule("707.2", COPY), full=False),
            version(None, rule("707.2", COPY), full=False),
        ]
    )
    old, new = "707.2@2010-02-01", "707.2@2021-07-23"
    assert names(lineage) == [[old], [old], [old], [new], [new]]


def test_quoted_rules_join_the_rule_of_their_time_and_break_none() -> None:
    whole = [
        version("2009-07-11", rule("706.2", COPY), rule("707.2", FACE_DOWN)),
        version("2021-07-23", rule("707.2", COPY), rule("708.2", FACE_DOWN)),
    ]
    quoted = [
        version("2010-02-01", rule("707.2", FACE_DOWN), full=False),
        version("2022-01-01", rule("707.2", COPY), full=False),
        version(None, rule("707.2", COPY), full=False),
    ]
    lineage = assign([whole[0], quoted[0], whole[1], *quoted[1:]])
    copying, face_down = "706.2@2009-07-11", "707.2@2009-07-11"
    assert names(lineage) == [[copying, face_down], [face_down], [copying, face_down], [copying], [copying]]


def test_links_kept_from_before_give_the_same_identities() -> None:
    versions = [version("2001-01-01", rule("1.1", COPY)), version("2002-01-01", rule("2.1", COPY))]
    assert neighbours(versions) == [(0, 1)]
    kept = {(0, 1): match(versions[0].parts, versions[1].parts)}
    assert assign(versions, kept) == assign(versions)


TEXT = st.sampled_from([COPY, FACE_DOWN, OTHER, "Tap it.", "Untap it."])
VERSION = st.lists(st.tuples(st.sampled_from(["100.1", "100.2", "200.1"]), TEXT), max_size=4)


@settings(deadline=None, max_examples=60)
@given(st.lists(VERSION, min_size=1, max_size=4))
def test_an_identity_stands_once_in_a_version_and_each_name_once(drawn: list[list[tuple[str, str]]]) -> None:
    versions = [
        version(f"200{place}-01-01", *(rule(number, text) for number, text in rows)) for place, rows in enumerate(drawn)
    ]
    lineage = assign(versions)
    assert len(set(lineage.names)) == len(lineage.names)
    for rules in lineage.rules:
        assert len(set(rules)) == len(rules)
    assert assign(versions) == lineage
