from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulehist import cli
from rulehist.changes import Change, ChangeKind, Side
from rulehist.document import PartKind
from rulehist.patterns import find_patterns
from rulehist.worddiff import word_diff
from tests.small_texts import rules_text


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
    assert (pattern.from_, pattern.to, pattern.times) == ("enters the battlefield", "enters", len(THINGS))
    assert pattern.places[:2] == ("1.0", "1.1")
    assert found.only == frozenset(range(len(THINGS)))


def test_inflections_and_capitals_are_one_rewording() -> None:
    texts = [(f"He or she controls a {w}.", f"They control a {w}.") for w in THINGS[:4]]
    texts += [(f"A {w} that he or she owns.", f"A {w} that they own.") for w in THINGS[4:]]
    found = find_patterns([reworded(str(n), *both) for n, both in enumerate(texts)])
    assert sum(pattern.times for pattern in found.patterns) >= len(THINGS)
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


def test_front_matter_is_no_place_of_a_mass_rewording() -> None:
    front = [
        Change(
            ChangeKind.REWORDED, "front", Side("", "He or she.", PartKind.CREDITS), Side("", "They.", PartKind.CREDITS),
            word_diff("He or she.", "They."),
        )
        for _ in range(9)
    ]  # fmt: skip
    assert find_patterns(front).patterns == ()


def test_the_command_lists_every_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sides = []
    for name, words in (("old", "he or she"), ("new", "they")):
        rules = [f"100.{n}. A player draws a card, and {words} may then shuffle {n} cards." for n in range(1, 8)]
        path = tmp_path / f"{name}.txt"
        path.write_text(rules_text("March 1, 2030", {"100. General": rules}, {"Deck": "Cards."}), encoding="utf-8")
        sides.append(str(path))
    with pytest.raises(SystemExit) as ended:
        cli.main(["patterns", *sides])
    assert ended.value.code == 1
    told = capsys.readouterr().out
    assert '"he or she" -> "they" in 7 rules: 100.1, 100.2, 100.3, 100.4, 100.5, 100.6,\n100.7' in told
    with pytest.raises(SystemExit):
        cli.main(["patterns", *sides, "--json"])
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["from"], found["to"], found["count"]) == ("he or she", "they", 7)
    assert found["places"] == [f"100.{n}" for n in range(1, 8)]
