"""Abilities that a scenario gives as words alone: which of them may matter to an answer, so that it is refused.

The words are never taken for what they say; a match here only ever leads to a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rulehist.engine.effects import Ability, without_reminder

_MAY_CHANGE: Final = (
    r"\b(?:gets?|is|are|has|have|gains?|loses?|becomes?"
    r"|bestow|prototype|reconfigure|living metal|impending|level)\b"
)
_OF_PLAYERS: Final = (
    r"\b(?:(?:can't )?(?:gains?|loses?|lost) (?:\w+ )?life|(?:can't )?(?:lose|win) the game"
    r"|(?:you|players|(?:each|that) player|your opponents|opponents) (?:has|have|gains?|can't have)\b)"
)
"""Words on players, in abilities that change no characteristics by them."""
_TRIGGERED_OR_ACTIVATED: Final = (
    r"(?:[\w' ]{1,40} — )?(?:when|whenever|at)\b"  # after an ability word too
    r"|[ivx]+(?:, [ivx]+)* — "  # a chapter of a Saga
    r"|[^.\"]*:"
)
_OTHERS_ENTERING: Final = r"\b(?:enters?|comes? into play)\b.*\b(?:tapped|counters?)\b"
_ENTERING: Final = (
    r"\b(?:enters|comes into play)\b.*\b(?:tapped|counters?)\b"
    r"|^(?:fading|vanishing|modular|graft|sunburst|bloodthirst|riot|unleash|amplify|devour|tribute|ravenous|hideaway)\b"
)

_ON_ENTERING: Final = r"when(?:ever)? (?![^,]*\b(?:another|others?|opponents?)\b)[^,]*\b(?:enters?|comes? into play)\b"


def may_change(ability: Ability) -> bool:
    """Whether an ability given as words may change characteristics."""
    words = re.sub(_OF_PLAYERS, "", without_reminder(ability.text).lower())
    return _stands(ability) and not ability.turns_up and bool(re.search(_MAY_CHANGE, words))


def changes_entering(ability: Ability) -> bool:
    """Whether an ability given as words may change how its object enters: tapped, or with counters."""
    return _stands(ability) and bool(re.search(_ENTERING, without_reminder(ability.text).lower()))


def changes_others_entering(ability: Ability, name: str) -> bool:
    """Whether an ability given as words, of an object of that name, may change how other objects enter."""
    text = without_reminder(ability.text).lower()
    own = text.startswith(("this ", "~", "it ", "as ")) or (bool(name) and text.startswith(name.lower()))
    return _stands(ability) and not own and bool(re.search(_OTHERS_ENTERING, text))


def on_others_entering(abilities: Iterable[Ability]) -> bool:
    """Whether one of some abilities may, by its words, change how something else enters."""
    return any(re.search(_OTHERS_ENTERING, ability.text.lower()) for ability in abilities)


def may_trigger_entering(ability: Ability) -> bool:
    """Whether an ability given as words may trigger as its own object enters, among others that enter."""
    text = without_reminder(ability.text).lower()
    return ability.plain and not ability.on_entering and bool(re.match(_ON_ENTERING, text))


def _stands(ability: Ability) -> bool:
    """Whether the ability is words alone, and neither triggered nor activated."""
    text = without_reminder(ability.text).lower()
    return ability.plain and not ability.on_entering and not re.match(_TRIGGERED_OR_ACTIVATED, text)
