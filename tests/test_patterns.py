from __future__ import annotations

from rulehist.changes import Change, ChangeKind, Side
from rulehist.document import PartKind
from rulehist.patterns import find_patterns
from rulehist.worddiff import word_diff


def reworded(number: str, old: str, new: str) -> Change:
    sides = (Side(number, text, PartKind.RULE) for text in (old, new))
    return Change(ChangeKind.REWORDED, "rule", *sides, word_diff(old, new))


THINGS = ["bear", "goblin", "wall", "drake", "elf", "squid", "golem", "wurm"]


def test_the_same_replacement_in_many_rules_is_told_once() -> None:
    changes = [
        reworded(f"1.{n}", f"If a {w} enters the battlefield, draw.", f"If a {w} enters, draw.")
        for n, w in enumerate(THINGS)
    ]
    found = find_patterns(changes)
    (pattern,) = found.patterns
    assert (pattern.from_, pattern.to, pattern.count) == ("enters the battlefield", "enters", len(THINGS))
    assert pattern.places[:2] == ("1.0", "1.1")
    assert found.only == frozenset(range(len(THINGS)))


def test_inflections_and_capitals_are_one_rewording() -> None:
    texts = [(f"He or she controls a {w}.", f"They control a {w}.") for w in THINGS[:4]]
    texts += [(f"A {w} that he or she owns.", f"A {w} that they own.") for w in THINGS[4:]]
    found = find_patterns([reworded(str(n), *both) for n, both in enumerate(texts)])
    assert sum(pattern.count for pattern in found.patterns) >= len(THINGS)
    assert len(found.only) == len(THINGS)


def test_a_rule_with_more_keeps_only_the_rest_highlighted() -> None:
    texts = [(f"Its converted mana cost is {w}.", f"Its mana value is {w}.") for w in THINGS]
    texts.append(("A spell’s converted mana cost is red.", "A spell’s mana value is blue."))
    found = find_patterns([reworded(str(n), *both) for n, both in enumerate(texts)])
    assert len(THINGS) not in found.only
    assert found.rest[len(THINGS)] == (
        ("equal", "A spell’s mana value is "),
        ("delete", "red"),
        ("insert", "blue"),
        ("equal", "."),
    )


def test_a_replacement_in_a_few_rules_is_no_mass_rewording() -> None:
    found = find_patterns([reworded(str(n), f"red {w}", f"blue {w}") for n, w in enumerate(THINGS[:3])])
    assert found.patterns == ()
    assert found.only == frozenset()
