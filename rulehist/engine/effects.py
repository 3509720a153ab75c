"""Abilities and continuous effects as a scenario describes them: structured, never guessed from English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from rulehist.engine.characteristics import EMPTY, Value, Values

ALL_CREATURE_TYPES: Final = "every creature type"
"""How the subtypes of an object are called that is every creature type, as changeling makes it."""

BASIC_LAND_TYPES: Final = ("Plains", "Island", "Swamp", "Mountain", "Forest")
CHOSEN: Final = "chosen"
"""In an effect or a filter, the color or subtype that the linked ability has chosen."""


class Filter(NamedTuple):
    """Which objects something is about; every part that is given must hold.

    ``counters`` are kinds of counters of which it has at least one each. ``others`` leaves out the object that the
    effect comes from; ``control`` is ``you`` (who controls that object), ``opponents`` or a player. ``any_of``: one of
    these must match too.
    """

    card_types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    supertypes: tuple[str, ...] = ()
    color: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    name: str = ""
    control: str = ""
    zone: str = "battlefield"
    tokens: str = ""
    status: tuple[str, ...] = ()
    not_status: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    designations: tuple[str, ...] = ()
    class_level_at_least: int | None = None
    attached_to: str = ""
    others: bool = False
    power_at_least: int | None = None
    power_at_most: int | None = None
    mana_value: int | None = None
    mana_value_at_least: int | None = None
    mana_value_at_most: int | None = None
    any_of: tuple[Filter, ...] = ()
    without: Filter | None = None

    @property
    def of_power(self) -> bool:
        """Whether it asks for a power."""
        return self.power_at_least is not None or self.power_at_most is not None

    @property
    def looks_at_its_source(self) -> bool:
        """Whether it asks for what is attached to the source of its effect, or to what that is attached to."""
        parts = (*self.any_of, *([self.without] if self.without else []))
        return self.attached_to in ("self", "source", "attached") or any(part.looks_at_its_source for part in parts)


class Number(NamedTuple):
    """A number to be found: a plain one, or a count times ``times`` plus ``plus``.

    ``of`` says what is found: ``count`` (objects that ``filter`` matches), ``fact`` (a number that the scenario
    gives), ``counters`` (of the kind ``word`` on ``on``), ``power``, ``toughness``, ``mana value`` (of ``on``).
    ``on`` is ``self``, ``source`` (the source of the effect that granted the ability), ``attached``, ``affected`` (the
    object to which the effect applies) or an object.
    """

    of: str
    word: str = ""
    on: str = "self"
    filter: Filter | None = None
    plus: int = 0
    times: int = 1


Amount = int | Number


class Condition(NamedTuple):
    """Under what an effect is there at all: a number within bounds, or that the effect's own object is something."""

    number: Number | None = None
    least: int | None = None
    most: int | None = None
    own: Filter | None = None


class Effect(NamedTuple):
    """What a continuous effect does, each part under the verb that a rules text would use.

    ``affects`` is ``self``, ``attached`` (the object that its source is attached to), names of objects, or a filter.
    ``every_ability`` and ``no_abilities`` are "loses all abilities" and "can't have or gain abilities". ``exempt`` are
    rules that do not apply to what it affects. ``of_choice``: somewhere in it ``CHOSEN`` stands for a color or subtype.
    """

    affects: str | tuple[str, ...] | Filter = "self"
    controller: str = ""
    words: tuple[tuple[str, str], ...] = ()
    set: Values = EMPTY
    add: Values = EMPTY
    remove: Values = EMPTY
    land_types: tuple[str, ...] = ()
    every_ability: bool = False
    no_abilities: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    lost: tuple[str, ...] = ()
    base: tuple[tuple[str, Amount], ...] = ()
    modify: tuple[tuple[str, Amount], ...] = ()
    switch: bool = False
    exempt: tuple[str, ...] = ()
    label: str = ""
    of_choice: bool = False
    condition: Condition | None = None


class Exceptions(NamedTuple):
    """How a copy effect departs from copying. ``keep`` are characteristics that are not copied and retained.

    ``set`` gives values of its own, ``add`` adds to types or colors, ``remove`` takes types ("isn't legendary"),
    ``abilities`` are gained, ``counters`` are those that the copy enters with. ``when`` are further exceptions, each
    for copies that its filter matches. ``trigger`` is a triggered ability linked to the copy effect ("When you do").
    """

    keep: tuple[str, ...] = ()
    set: Values = EMPTY
    add: Values = EMPTY
    remove: Values = EMPTY
    abilities: tuple[Ability, ...] = ()
    counters: tuple[tuple[str, int], ...] = ()
    when: tuple[tuple[Filter, Exceptions], ...] = ()
    trigger: str = ""

    @property
    def empty(self) -> bool:
        """Whether the copy effect copies everything."""
        return self == Exceptions()


class Ability(NamedTuple):
    """One ability. ``text`` is how the scenario calls it; the other parts say what it does, where that matters.

    ``static`` are its continuous effects, ``defines`` what it defines as a characteristic-defining ability, ``enters``
    what it does as its object enters (``tapped``, ``counters``, ``choose``, ``copy``), ``chosen`` the choice that it
    refers to (its linked ability makes it), ``by_name`` the words of ``text`` that refer to its own object by name,
    ``turns_up`` the cost for which it lets its object be turned face up. ``zone`` is where ``static`` functions.
    """

    text: str
    static: tuple[Effect, ...] = ()
    defines: Effect | None = None
    tapped: bool = False
    counters: tuple[tuple[str, Amount], ...] = ()
    choose: str = ""
    copy: Exceptions | None = None
    chosen: str = ""
    by_name: str = ""
    turns_up: str = ""
    on_entering: bool = False
    activated: bool = False
    linked: str = ""
    zone: str = "battlefield"

    @property
    def plain(self) -> bool:
        """Whether the ability is a text alone, of which the engine knows only that it is there."""
        return not (
            self.static or self.defines or self.tapped or self.counters or self.choose or self.copy or self.chosen
        )

    def called(self, words: str) -> bool:
        """Whether ``words`` name this ability: its text, or the keyword that it begins with."""
        mine, wanted = self.text.casefold().rstrip("."), words.casefold().rstrip(".")
        return mine == wanted or (mine.startswith(wanted) and mine[len(wanted) : len(wanted) + 1] in (" ", ",", "—"))


_MORPH: Final = r"(?i)(?:mega)?morph ?[—-]?\s*(?P<cost>.+)|disguise ?(?P<disguise>.+)"
_ENTERS: Final = r"(?i)(?:this \w+|~|it) (?:enters(?: the battlefield)?|comes into play) "
_TAPPED: Final = _ENTERS + "tapped"
_COUNTERS: Final = _ENTERS + r"with (?P<number>\w+) (?P<kind>[^ ]+) counters? on it"
_NUMBERS: Final = ("a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TRIGGER: Final = r"(?i)when(?:ever)? (?:this\b|~).*\b(?:enters|comes into play)"
_ACTIVATED: Final = r"[^.\"“]*:"


def without_reminder(text: str) -> str:
    """A text without its reminder text, which stands in parentheses and has no meaning of its own."""
    return (re.sub(r"\s*\([^()]*\)", "", text).strip() or text) if "(" in text else text


def plain_ability(text: str) -> Ability:
    """An ability that a scenario gives as a text; the keywords that define characteristics are understood."""
    words = without_reminder(text)
    return _plain(words) if words == text else _plain(words)._replace(text=text)


def of_its_own(ability: Ability, name: str) -> Ability:
    """An ability of an object of that name, which may say by the name or what precedes a comma in it how it enters."""
    words = without_reminder(ability.text)
    for own in (name, name.split(",", maxsplit=1)[0]):
        if own and own in words and ability.plain:
            found = _plain(re.sub(rf"\b{re.escape(own)}(?!\w)", "~", words))
            entering = ability.on_entering or found.on_entering
            return ability._replace(tapped=found.tapped, counters=found.counters, on_entering=entering)
    return ability


def _plain(text: str) -> Ability:
    keyword = text.casefold().strip(" .")
    if keyword == "changeling":
        return Ability(text, defines=Effect(set={"subtypes": (ALL_CREATURE_TYPES,)}, label="changeling"))
    if keyword == "devoid":
        return Ability(text, defines=Effect(set={"color": ()}, label="devoid"))
    morph = re.fullmatch(_MORPH, text.strip(" ."))
    if morph:
        return Ability(text, turns_up=(morph["cost"] or morph["disguise"]).strip())
    if "tapped" in keyword or "counter" in keyword:
        return _entering(text)
    return Ability(text, on_entering=bool(re.match(_TRIGGER, text)), activated=bool(re.match(_ACTIVATED, text)))


def _amount(word: str) -> Amount | None:
    """The number that a word stands for."""
    if word == "x":
        return Number("fact", word="x")
    if word.isdecimal() and len(word) < 4:
        return int(word)
    word = "a" if word in ("an", "one") else word
    return _NUMBERS.index(word) + 1 if word in _NUMBERS else None


def _entering(text: str) -> Ability:
    """An ability given as a text that says plainly how its own object enters; any other is a text alone."""
    if re.fullmatch(_TAPPED, text.strip(" .")):
        return Ability(text, tapped=True)
    found = re.fullmatch(_COUNTERS, text.strip(" ."))
    amount = _amount(found["number"].lower()) if found else None
    if found and amount is not None:
        return Ability(text, counters=((found["kind"], amount),))
    return Ability(text, on_entering=bool(re.match(_TRIGGER, text)), activated=bool(re.match(_ACTIVATED, text)))


_BETWEEN_KEYWORDS: Final = re.compile(r",\s*(?:and\s+)?|;\s*|\s+and\s+")
_QUALITY: Final = re.compile(r"(?i)(protection|hexproof) from ")


def keywords_in(text: str) -> tuple[str, ...]:
    """The abilities that stand in one text: its lines, and keywords in one line ("Flying, vigilance")."""
    if "\n" in text.strip() and "•" not in text:
        return tuple(each for line in text.splitlines() if line.strip() for each in keywords_in(line.strip()))
    words = without_reminder(text)
    if not set(words).isdisjoint('{—:."“') or not _BETWEEN_KEYWORDS.search(words):
        return (words,)
    pieces: list[str] = []
    for piece in _BETWEEN_KEYWORDS.split(words):
        quality = _QUALITY.match(pieces[-1]) if pieces and piece.startswith("from ") else None
        pieces.append(f"{quality[1]} {piece}" if quality else piece.strip())
    return tuple(pieces) if all(map(_is_keyword, pieces)) else (words,)


def _is_keyword(piece: str) -> bool:
    from rulehist.keywords import keyword_names

    words = piece.casefold().split()
    if not words or len(words) > 4:
        return False
    names = keyword_names()
    return words[0] in names or " ".join(words[:2]) in names or (len(words) == 1 and words[0].endswith("walk"))


def abilities_in(values: Iterable[Any]) -> Iterator[Ability]:
    """Every ability anywhere in some values."""
    waiting = [*values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Ability):
            yield value
        if isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, tuple):
            waiting += value


def with_choice(effect: Effect, choice: str) -> Effect:
    """An effect with the color or subtype that was chosen in the place of ``CHOSEN``."""

    def changed(values: Values) -> Values:
        return {key: _chosen(value, choice) if isinstance(value, tuple) else value for key, value in values.items()}

    affects = effect.affects
    return effect._replace(
        affects=_filter_with_choice(affects, choice) if isinstance(affects, Filter) else affects,
        set=changed(effect.set),
        add=changed(effect.add),
        remove=changed(effect.remove),
        land_types=_chosen(effect.land_types, choice),
    )


def _chosen(words: tuple[Any, ...], choice: str) -> tuple[Any, ...]:
    return tuple(choice if word == CHOSEN else word for word in words)


def _filter_with_choice(wanted: Filter, choice: str) -> Filter:
    return wanted._replace(
        subtypes=_chosen(wanted.subtypes, choice),
        color=_chosen(wanted.color, choice.lower()),
        any_of=tuple(_filter_with_choice(each, choice) for each in wanted.any_of),
        without=None if wanted.without is None else _filter_with_choice(wanted.without, choice),
    )


def bare(words: str) -> str:
    """An ability in small letters; a mana ability without its full stop and where its mana goes, as these words came
    and went."""
    small = words.casefold()
    return small.rstrip(".").removesuffix(" to your mana pool") if small.startswith("{t}: add") else small


def texts(value: Value | object) -> tuple[str, ...]:
    """The abilities of a ``rules text`` as the scenario calls them."""
    if isinstance(value, tuple):
        return tuple(each.text if isinstance(each, Ability) else str(each) for each in value)
    return (str(value),) if value else ()


Abilities = Mapping[str, tuple[Ability, ...]]
