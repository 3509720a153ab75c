"""Permanents of which only one may stay: legends, world permanents, once planeswalkers of one type; what is exempt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from rulehist.engine.characteristics import names_of
from rulehist.engine.copying import copiable_values
from rulehist.engine.effects import Effect, Filter
from rulehist.engine.game import Being
from rulehist.engine.held import Has
from rulehist.engine.names import sharing
from rulehist.engine.play import Play
from rulehist.engine.questions import Question
from rulehist.engine.seen import Seen
from rulehist.engine.subtypes import PLANESWALKER, kind_of

LEGEND_RULE: Final = Question(
    "legend-rule", ("each player keeps one", "all are put into graveyards", "the oldest stays")
)
OLDEST: Final = Question(
    "oldest-legend", ("the one with the earliest timestamp", "the one that has been such a legend the longest")
)
WALKERS: Final = Question(
    "planeswalker-uniqueness", ("each player keeps one", "all are put into graveyards", "nothing")
)
WORLD_RULE: Final = Question("world-rule", ("the newest stays",))
LEGEND_TIE: Final = Question("legend-tie", ("all are put into graveyards",))
WORLD_TIE: Final = Question("world-tie", ("all are put into graveyards",))
CARD_FIRST: Final = Question("card-over-rules", ("the text of the card",))
ON_RULES: Final = Question("effects-on-rules", ("after all others",))
_LEGEND, _WORLD, _WALKER = "legend rule", "world rule", "planeswalker uniqueness rule"


def surplus(play: Play, has: Mapping[str, Has], keep: Sequence[str]) -> list[str]:
    """The permanents that these rules put into graveyards. Raises ``Refused`` where a choice is not said."""
    there = {name: has[name] for name in has if play.being(name).zone == "battlefield"}
    return [*_legends(play, there, keep), *_worlds(play, there), *_walkers(play, there, keep)]


def _legends(play: Play, there: Mapping[str, Has], keep: Sequence[str]) -> list[str]:
    legends = [
        name
        for name, each in there.items()
        if "legendary" in _words(each, "supertypes") or "legend" in _words(each, "subtypes")
    ]
    found: list[str] = []
    for named in sharing(play, there, legends):
        same = _subject(play, there, named, _LEGEND)
        if len(same) < 2:
            continue
        reading = play.rulings.ask(LEGEND_RULE)
        if reading == "the oldest stays":
            found += _all_but_oldest(play, same)
            continue
        same = [name for name in same if "legendary" in _words(there[name], "supertypes")]
        if len(same) > 1 and reading == "all are put into graveyards":
            found += same
        elif len(same) > 1:
            found += _all_but_kept(play, there, same, keep, "one legendary name")
    return found


def _walkers(play: Play, there: Mapping[str, Has], keep: Sequence[str]) -> list[str]:
    groups: dict[str, list[str]] = {}
    for name, each in there.items():
        if PLANESWALKER in _words(each, "card types"):
            for word in _words(each, "subtypes"):
                if kind_of(word, play.rulings) == PLANESWALKER:
                    groups.setdefault(word, []).append(name)
    found: list[str] = []
    for word, typed in groups.items():
        same = _subject(play, there, typed, _WALKER)
        if len(same) < 2:
            continue
        reading = play.rulings.ask(WALKERS)
        if reading == "all are put into graveyards":
            found += same
        elif reading == "each player keeps one":
            found += _all_but_kept(play, there, same, keep, f"the planeswalker type {word.title()}")
    return found


def _worlds(play: Play, there: Mapping[str, Has]) -> list[str]:
    same = [
        name
        for name, each in there.items()
        if "world" in _words(each, "supertypes") or "enchant world" in _words(each, "card types")
    ]
    same = _subject(play, there, same, _WORLD)
    if len(same) < 2:
        return []
    play.rulings.ask(WORLD_RULE)
    since = {name: _such_since(play, play.being(name), "world") for name in same}
    newest = max(since.values())
    return _but_one(play, same, [name for name in same if since[name] == newest], WORLD_TIE)


def _all_but_oldest(play: Play, same: Sequence[str]) -> list[str]:
    """All but the one with the earliest timestamp, or that has been such a legend the longest."""
    if play.rulings.ask(OLDEST) == "the one with the earliest timestamp":
        first = min(same, key=lambda name: play.being(name).timestamp)
        tied = [name for name in same if name != first and play.being(name).since == play.being(first).since]
        if tied:
            raise play.refuse(
                f"{first} and {tied[0]} entered at the same time: whether that is a tie of timestamps, the rules of "
                f"{play.rulings.label} did not say"
            )
        return [name for name in same if name != first]
    since = {name: _such_since(play, play.being(name), "legendary") for name in same}
    oldest = [name for name in same if since[name] == min(since.values())]
    return _but_one(play, same, oldest, LEGEND_TIE)


def _but_one(play: Play, same: Sequence[str], stays: Sequence[str], tie: Question) -> list[str]:
    """All but the one that stays; all of them, where several would, as the rules of the day have it."""
    if len(stays) > 1:
        play.rulings.ask(tie)
    return [name for name in same if [name] != list(stays)]


def _such_since(play: Play, being: Being, word: str) -> int:
    """Since when a permanent has had the name and the supertype that it has. Raises ``Refused``."""
    has = play.of(being)
    own = copiable_values(play, being)
    if not _is_such(own, word) or (word == "legendary" and names_of(own) != names_of(has.values)):
        raise play.refuse(f"{being.name} is {word}, or has its name, by an effect: since when is not modelled")
    since, effects = being.since, being.copiable
    for place, effect in enumerate(effects):
        before = _with_effects(play, being, effects[:place])
        if not _is_such(before, word) or (word == "legendary" and names_of(before) != names_of(own)):
            since = effect.timestamp
    return max(since, being.changed)


def _with_effects(play: Play, being: Being, effects: Sequence[Any]) -> Mapping[str, Any]:
    """The copiable values of an object as they were when only the first of its copy effects were there."""
    kept = being.copiable, being.known
    being.copiable, being.known = list(effects), None
    try:
        return copiable_values(play, being)
    finally:
        being.copiable, being.known = kept


def _is_such(values: Mapping[str, Any], word: str) -> bool:
    types = {str(each).casefold() for key in ("supertypes", "subtypes", "card types") for each in values.get(key, ())}
    return word in types or {"legendary": "legend", "world": "enchant world"}[word] in types


def _all_but_kept(
    play: Play, there: Mapping[str, Has], same: Sequence[str], keep: Sequence[str], what: str
) -> list[str]:
    """All but the one that each player keeps of those under that player's control."""
    players: dict[str, list[str]] = {}
    for name in same:
        players.setdefault(there[name].controller, []).append(name)
    dead: list[str] = []
    for own in players.values():
        if len(own) < 2:
            continue
        kept = [name for name in own if name in keep]
        if len(kept) != 1:
            raise play.refuse(
                f"{', '.join(own)} have {what} and one controller, who keeps one of them: say which, with "
                'the key "keep" of the step "state-based actions"'
            )
        dead += [name for name in own if name not in kept]
    return dead


def _subject(play: Play, there: Mapping[str, Has], same: Sequence[str], rule: str) -> list[str]:
    """Those of ``same`` to which a rule applies: some effect may say that it does not."""
    if len(same) < 2:
        return list(same)
    exempt = set(_exempt(play, there, rule))
    if exempt & set(same):
        play.rulings.ask(CARD_FIRST)
        if play.rulings.read(ON_RULES.switch).said:
            play.rulings.ask(ON_RULES)
    return [name for name in same if name not in exempt]


def _exempt(play: Play, there: Mapping[str, Has], rule: str) -> Iterable[str]:
    seen = Seen(play.game, play.rulings)
    seen.has = dict(there)
    for name, has in there.items():
        for held in has.abilities:
            for effect in held.ability.static:
                if rule in effect.exempt:
                    yield from _affected(play, seen, effect, name)
    for each in play.game.resolved:
        if rule in each.effect.exempt:
            yield from each.affected or ()


def _affected(play: Play, seen: Seen, effect: Effect, holder: str) -> Iterable[str]:
    if effect.affects == "self":
        return (holder,)
    if effect.affects == "attached":
        return (play.being(holder).attached_to,)
    if isinstance(effect.affects, Filter):
        wanted = effect.affects
        return [name for name in seen.has if seen.matches(name, wanted, holder)]
    return effect.affects


def _words(has: Has, key: str) -> set[str]:
    return {str(word).casefold() for word in has.values.get(key, ())}
