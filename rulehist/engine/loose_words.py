"""Abilities that a scenario gives as words alone: which of them may matter to an answer, so that it is refused.

The words are never taken for what they say; a match here only ever leads to a refusal.
"""

from __future__ import annotations

import re
from typing import Final

from rulehist.engine.effects import Ability

_MAY_CHANGE: Final = re.compile(
    r"\b(?:gets?|is|are|has|have|gains?|loses?|becomes?|bestow|prototype|reconfigure|living metal|impending|level)\b",
    re.IGNORECASE,
)
_TRIGGERED_OR_ACTIVATED: Final = re.compile(r"(?:when|whenever|at)\b|[^.\"]*:", re.IGNORECASE)
_ENTERING: Final = re.compile(
    r"\b(?:enters|comes into play)\b.*\b(?:tapped|counters?)\b"
    r"|^(?:fading|vanishing|modular|graft|sunburst|bloodthirst|riot|unleash|amplify|devour|tribute|ravenous|hideaway)\b",
    re.IGNORECASE,
)


def may_change(ability: Ability) -> bool:
    """Whether an ability given as words may change characteristics."""
    return _stands(ability) and not ability.turns_up and bool(_MAY_CHANGE.search(ability.text))


def changes_entering(ability: Ability) -> bool:
    """Whether an ability given as words may change how its object enters: tapped, or with counters."""
    return _stands(ability) and bool(_ENTERING.search(ability.text))


def _stands(ability: Ability) -> bool:
    """Whether the ability is words alone, and neither triggered nor activated."""
    return ability.plain and not ability.on_entering and not _TRIGGERED_OR_ACTIVATED.match(ability.text)
