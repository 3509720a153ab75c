"""Words that are no keys of scenario files: what they are called there, and the nearest that are."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

OUT_OF_MODEL: Final = ("combat", "attacks", "blocks", "damage", "mana", "costs", "priority", "triggered abilities")
SAID: Final = {
    "title": "scenario: TITLE",
    "permanents": "objects: {NAME: ...}",
    "cards": "objects: {NAME: ...}",
    "actions": "steps: [...]",
    "assert": "expect: {OBJECT.power: 2}",
    "then": "expect: {OBJECT.power: 2}",
    "pt": "power: 2 and toughness: 2",
    "p/t": "power: 2 and toughness: 2",
    "power/toughness": "power: 2 and toughness: 2",
    "tapped": "status: [tapped]",
    "flipped": "status: [flipped]",
    "face down": "status: [face down]",
    "put face down": "face down as: {}",
    "token": "kind: token",
    "transformed": "face: back",
    "keywords": "rules text: [Flying]",
    "target": "affects: OBJECT",
    "on": "affects: OBJECT",
    "gets": "modify: {power: +1, toughness: +1}",
    "boost": "modify: {power: +1, toughness: +1}",
    "has": "add: {rules text: [Flying]}",
    "gains": "add: {rules text: [Flying]}",
    "loses": "remove: {rules text: [Flying]}",
    "loses all abilities": "remove: {rules text: [all]}",
    "lose all abilities": "remove: {rules text: [all]}",
    "base": "set: {power: 1, toughness: 1}",
    "base power": "set: {power: 1, toughness: 1}",
    "becomes": "set: {...} or add: {...}",
    "switch": "switch power and toughness: yes",
    "copying": "choosing: OBJECT",
    "copy": "becomes a copy: {object: NAME, of: OTHER}, or a token copy or a copy of a spell",
    "clone": "enters as a copy: {object: NAME, of: OTHER}",
    "dies": "leaves: {object: NAME, to: graveyard}",
    "mutates": "merge: {object: SPELL, with: CREATURE, on: top}",
    "mutate": "merge: {object: SPELL, with: CREATURE, on: top}",
    "melds": "meld: {object: NEW, cards: [ONE, OTHER], ...}",
    "halves": "left half: {...} and right half: {...}",
    "exile": "leaves: {object: NAME, to: exile}",
    "destroy": "leaves: {object: NAME, to: graveyard}",
    "sacrifice": "leaves: {object: NAME, to: graveyard}",
    "bounce": "leaves: {object: NAME, to: hand}",
    "return": "leaves: {object: NAME, to: hand}, or enters: {object: NAME}",
    "gain control": "effect: {affects: NAME, controller: you}",
    "gains control": "effect: {affects: NAME, controller: you}",
    "exchange control": "effect: {affects: NAME, controller: you}, and one for the other",
    "until": "called: NAME, and the step ends: NAME where it ends",
    "duration": "called: NAME, and the step ends: NAME where it ends",
    "if": "as long as: {count: {subtypes: [Forest]}, at least: 1}",
    "while": "as long as: {count: {subtypes: [Forest]}, at least: 1}",
    "condition": "as long as: {count: {subtypes: [Forest]}, at least: 1}",
    "lose": "remove: {rules text: [Flying]}",
    "gain": "add: {rules text: [Flying]}",
    "gets +1/+1": "modify: {power: +1, toughness: +1}",
    "set power and toughness": "set: {power: 1, toughness: 1}",
    "type line": "card types: [Creature], with supertypes and subtypes under their own keys",
    "oracle text": "rules text: [Flying]",
    "equip": "attach: {object: NAME, to: OTHER}",
    "enchanted": "attached to: self",
    "unmorph": "turn face up: {object: NAME}",
    "manifest": "enters: {object: NAME, face down as: {}}",
    "create token": "create a token: {object: NAME, ...}",
    "sba": "state-based actions: {}",
}
"""What is said in this format for keys that others use, as far as the place has that key."""


def nearest(word: str, words: Iterable[str], alike: float) -> list[str]:
    """The one of ``words`` that is most like ``word``, if it is so alike (0 to 1); no or one item."""
    return get_close_matches(word[:80], list(words), 1, alike)
