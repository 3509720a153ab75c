"""The continuous effects that there are: of what has resolved, of counters and stickers, of abilities."""

from __future__ import annotations

import re
from typing import Final

from rulehist.engine.effects import Ability, Effect, plain_ability
from rulehist.engine.game import Being, Game
from rulehist.engine.held import Active

KEYWORD_COUNTERS: Final = (
    "decayed",
    "deathtouch",
    "double strike",
    "exalted",
    "first strike",
    "flying",
    "haste",
    "hexproof",
    "indestructible",
    "lifelink",
    "menace",
    "reach",
    "shadow",
    "trample",
    "vigilance",
)
_POWER_COUNTER: Final = r"([+-]\d{1,3})/([+-]\d{1,3})"


def resolved(game: Game) -> list[Active]:
    """Those of spells and abilities that have resolved."""
    found = []
    for number, each in enumerate(game.resolved):
        found.append(
            Active(
                ("resolved", number),
                each.effect,
                each.timestamp,
                holder=each.source,
                source=each.source,
                affected=each.affected,
                called=each.called,
            )
        )
    return found


def counters(game: Game) -> list[Active]:
    """Those of counters: on power and toughness, and of keywords."""
    found = []
    for name, being in game.beings.items():
        if not being.exists or being.zone != "battlefield":
            continue
        for kind, (number, timestamp) in being.counters.items():
            match = re.fullmatch(_POWER_COUNTER, kind)
            if match:
                effect = Effect(
                    modify=(("power", int(match[1]) * number), ("toughness", int(match[2]) * number)),
                    label=f"{number} {kind} counter{'s' if number > 1 else ''}",
                )
            elif kind.lower() in KEYWORD_COUNTERS:
                effect = Effect(abilities=(plain_ability(kind),), label=f"{kind} counter")
            else:
                continue
            keyword = match is None
            found.append(
                Active(
                    ("counter", name, kind),
                    effect,
                    timestamp,
                    affected=(name,),
                    counters=True,
                    keyword=keyword,
                )
            )
    return found


def stickers(game: Game) -> list[Active]:
    """Those of stickers, where the scenario says what they do."""
    return [
        Active(("sticker", name, place), sticker.effect, being.timestamp, affected=(name,), called=sticker.text)
        for name, being in game.beings.items()
        for place, sticker in enumerate(being.stickers)
        if sticker.effect is not None and being.exists
    ]


def origin(being: Being, ability: Ability) -> tuple[int, str, str]:
    """Since when an object has an ability of its copiable values, from which object, and how it got it."""
    for effect in reversed(being.copiable):
        if effect.kind == "copy":
            origin = "exception" if ability in effect.exceptions.abilities else "text"
            return effect.timestamp, being.made_by, origin
        if effect.kind == "merge" and any(ability in values.get("rules text", ()) for values in effect.faces.values()):  # type: ignore[operator]
            return effect.timestamp, being.made_by, "merged"
    return 0, being.made_by, "text"
