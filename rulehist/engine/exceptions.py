"""Copy effects with exceptions: what a copy has that retains, sets or adds to what it copies."""

from __future__ import annotations

from typing import Any, Final

from rulehist.engine.characteristics import Value, Values, colored, colors_of, names_of
from rulehist.engine.effects import ALL_CREATURE_TYPES, Ability, Exceptions, Filter
from rulehist.engine.names import one_name
from rulehist.engine.play import Play
from rulehist.engine.questions import Question
from rulehist.engine.subtypes import among_every_creature_type, fitting, with_set, without_lost

CDA_WHEN_SET: Final = Question(
    "copy-cda-when-set", ("not copied where set, copied where types are added", "not copied", "copied")
)
INDICATOR_WHEN_SET: Final = Question("copy-color-indicator-when-set", ("not copied", "copied"))
FINAL_VALUES: Final = Question("copy-exceptions-copiable", ("copied", "not copied"))
GAINS: Final = Question("exception-gains-ability", ("copied",))
RETAINS: Final = Question("exception-retains-values", ("its original values",))
CONDITION: Final = Question("copy-conditional-exception", ("on the copy without that exception", "on the copy with it"))
RENAMED: Final = Question("gained-ability-name-renamed", ("it does", "it does not"))
_TYPES: Final = ("card types", "subtypes", "supertypes")
_ON_COPIES: Final = ("card_types", "subtypes", "supertypes", "color", "abilities", "name", "any_of", "without")
"""The parts of a filter that can be asked of the values of a copy."""


def with_exceptions(play: Play, copied: Values, exceptions: Exceptions, before: Values, name: str) -> Values:
    """The values that a copy effect with exceptions gives. ``before`` are the object's values before it."""
    if exceptions.empty:
        return copied
    values: dict[str, Any] = dict(copied)
    abilities: tuple[Ability, ...] = tuple(values.get("rules text", ()))
    if exceptions.keep:
        play.rulings.ask(RETAINS)
        values = {key: value for key, value in values.items() if key not in exceptions.keep}
        values |= {key: before[key] for key in exceptions.keep if key in before}
        if "color" in exceptions.keep:
            values.setdefault("color", ())
    values |= exceptions.set
    if "subtypes" in exceptions.set:
        had: Any = copied.get("subtypes", ())
        values["subtypes"] = with_set(had, values["subtypes"], values.get("card types", ()), play.rulings)
    if "mana cost" in exceptions.set and "color" not in exceptions.set:
        values["color"] = colors_of(values)
    for key, more in exceptions.add.items():
        have, gained = tuple(values.get(key, ())), _gained(play, values, key, more)
        values[key] = (*have, *(word for word in gained if word not in have))
    for key, fewer in exceptions.remove.items():
        gone = {str(word).casefold() for word in fewer}  # type: ignore[union-attr]
        values[key] = tuple(word for word in values.get(key, ()) if str(word).casefold() not in gone)
    _take_subtypes(play, values, copied)
    abilities = _without_definitions(play, abilities, exceptions)
    specific = {*exceptions.keep, *exceptions.set}
    indicated = "color" in specific and "color indicator" in copied and "color indicator" not in specific
    if indicated and play.rulings.ask(INDICATOR_WHEN_SET) == "not copied":
        values.pop("color indicator", None)
    if exceptions.abilities:
        play.rulings.ask(GAINS)
        abilities = (*abilities, *_renamed(play, exceptions.abilities, before, values))
    if abilities or "rules text" in values:
        values["rules text"] = abilities
    for wanted, more_exceptions in exceptions.when:
        play.rulings.ask(CONDITION)
        if _matches(play, values, wanted):
            values = dict(with_exceptions(play, values, more_exceptions, before, name))
    return values


def _take_subtypes(play: Play, values: dict[str, Any], copied: Values) -> None:
    """Take the subtypes of card types that the exceptions took."""
    before: Any = copied.get("card types", ())
    now = values.get("card types", ())
    if values.get("subtypes") and now != before:
        values["subtypes"] = without_lost(values["subtypes"], before, now, play.rulings)


def _gained(play: Play, values: Values, key: str, more: Any) -> Any:
    """Of words that an exception adds, those that the copy can have: of subtypes those of its card types."""
    types: Any = values.get("card types", ())
    return fitting(more, types, play.rulings) if key == "subtypes" else more


def unmodified(exceptions: Exceptions) -> Exceptions:
    """The exceptions less those that modify a characteristic: what is retained and gained stays."""
    return exceptions._replace(set={}, add={}, remove={}, when=())


def excepted_characteristics(exceptions: Exceptions) -> frozenset[str]:
    """The characteristics that the exceptions may have otherwise than copied, and those that follow from them."""
    found = {*exceptions.keep, *exceptions.set, *exceptions.add, *exceptions.remove}
    if exceptions.abilities or found & {"power", "toughness", "color", "subtypes"}:
        found.add("rules text")  # of which abilities that define what is set are no part
    found |= {"color"} if "mana cost" in found else set()
    found |= {"color indicator"} if "color" in found else set()
    found |= {"subtypes"} if "card types" in found else set()
    return frozenset(found).union(*(excepted_characteristics(more) for _, more in exceptions.when))


def counters_of(play: Play, exceptions: Exceptions, values: Values) -> tuple[tuple[str, int], ...]:
    """The counters with which a copy enters by an exception; ``values`` are those of the copy."""
    found = exceptions.counters
    for wanted, more in exceptions.when:
        if more.counters:
            play.rulings.ask(CONDITION)
            if _matches(play, values, wanted):
                found = (*found, *more.counters)
    return found


def _without_definitions(play: Play, abilities: tuple[Ability, ...], exceptions: Exceptions) -> tuple[Ability, ...]:
    """The copied abilities, less those that define a characteristic which the copy effect settles."""
    settled = {*exceptions.keep, *exceptions.set}
    added = set(exceptions.add)
    kept = []
    for ability in abilities:
        defined = _defines(ability)
        if defined & settled:
            if play.rulings.ask(CDA_WHEN_SET) == "copied":
                kept.append(ability)
        elif defined & added & set(_TYPES):
            if play.rulings.ask(CDA_WHEN_SET) != "not copied":
                kept.append(ability)
        elif defined & added:
            if play.rulings.ask(CDA_WHEN_SET) == "copied":
                kept.append(ability)
        else:
            kept.append(ability)
    return tuple(kept)


def _defines(ability: Ability) -> set[str]:
    effect = ability.defines
    if effect is None:
        return set()
    return {*effect.set, *effect.add, *(key for key, _ in effect.base)}


def _renamed(play: Play, abilities: tuple[Ability, ...], before: Values, values: Values) -> tuple[Ability, ...]:
    """The gained abilities; where one refers to its object by name, the name is that of the copy."""
    old, new = one_name(play, before), one_name(play, values)
    found = []
    for ability in abilities:
        word = ability.by_name or (old if old and old in ability.text else "")
        if word and new and word != new and play.rulings.ask(RENAMED) == "it does":
            found.append(ability._replace(text=ability.text.replace(word, new), by_name=new))
        else:
            found.append(ability)
    return tuple(found)


def _matches(play: Play, values: Values, wanted: Filter) -> bool:
    """Whether values, of an object that is not there yet, are what a filter describes."""
    asked = Filter(*(getattr(wanted, key) if key in _ON_COPIES else value for key, value in Filter()._asdict().items()))
    if asked != wanted:
        raise play.refuse("what the copy is under an exception is asked by types, colors, abilities and name alone")
    if wanted.name and wanted.name.casefold() not in {each.casefold() for each in names_of(values)}:
        return False
    abilities: Any = values.get("rules text", ())
    if not all(any(ability.called(word) for ability in abilities) for word in wanted.abilities):
        return False
    if not all(colored(word, values.get("color", ())) for word in wanted.color):
        return False
    for key in _TYPES:
        needed = getattr(wanted, key.replace(" ", "_"))
        have: Value = values.get(key, ())
        words = {str(word).casefold() for word in have} if isinstance(have, tuple) else set()
        every = ALL_CREATURE_TYPES in words
        if not all(
            word.casefold() in words or (every and among_every_creature_type(word, play.rulings)) for word in needed
        ):
            return False
    if wanted.any_of and not any(_matches(play, values, each) for each in wanted.any_of):
        return False
    return wanted.without is None or not _matches(play, values, wanted.without)
