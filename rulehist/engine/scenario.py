"""A scenario: objects, what happens to them, and what is expected. docs/engine.md tells what each part means."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NamedTuple

from rulehist.engine.characteristics import EMPTY, Value, Values
from rulehist.engine.effects import Effect, Exceptions
from rulehist.engine.vocabulary import CHOICES


class StepKind(StrEnum):
    """What can happen."""

    ENTERS = "enters"
    ENTERS_AS_COPY = "enters as a copy"
    BECOMES_COPY = "becomes a copy"
    CREATE_TOKEN = "create a token"  # noqa: S105 - a token of the game
    CREATE_TOKEN_COPY = "create a token copy"  # noqa: S105
    COPY_SPELL = "copy a spell"
    CAST = "cast"
    RESOLVES = "resolves"
    EFFECT = "effect"
    ENDS = "ends"
    PUT_COUNTERS = "put counters"
    REMOVE_COUNTERS = "remove counters"
    ATTACH = "attach"
    TURN_UP = "turn face up"
    TURN_DOWN = "turn face down"
    TRANSFORM = "transform"
    FLIP = "flip"
    TAP = "tap"
    UNTAP = "untap"
    UNATTACH = "unattach"
    DESIGNATIONS = "designations"
    UNLOCK = "unlock"
    LOCK = "lock"
    LEAVES = "leaves"
    MERGE = "merge"
    MELD = "meld"
    GAINS_ABILITIES = "gains abilities"
    SPLICE = "splice"
    STATE_BASED = "state-based actions"
    FACTS = "facts"
    BY_NAME = "by name"
    THAT_OBJECT = "that object"
    TOGETHER = "together"
    EXPECT = "expect"


HALVES: Final = ("left half", "right half")
BESIDE: Final = ("adventure", "omen")
ABILITY_KINDS: Final = ("activated", "triggered")
NEW_OBJECT: Final = (StepKind.MELD, StepKind.CREATE_TOKEN, StepKind.CREATE_TOKEN_COPY, StepKind.COPY_SPELL)
AT_ONCE: Final = (
    StepKind.ENTERS,
    StepKind.ENTERS_AS_COPY,
    StepKind.CREATE_TOKEN,
    StepKind.CREATE_TOKEN_COPY,
    StepKind.ATTACH,
    StepKind.TURN_UP,
    StepKind.TURN_DOWN,
    StepKind.TRANSFORM,
)
"""What can happen to several objects at the same time: each gives its object a timestamp."""


class Sticker(NamedTuple):
    """A sticker on an object: its text as the scenario calls it, and what it does where that is said."""

    text: str
    effect: Effect | None = None


class GameObject(NamedTuple):
    """An object as the scenario begins: what is printed on it, and its state.

    ``face_down_as`` are the characteristics that the rule or ability lists which lets it be face down; ``None``: the
    scenario does not say. ``set_by`` has what abilities set ``as it enters`` or ``as it is turned face up``.
    ``ability_kind`` and ``source`` are those of an ability on the stack.
    ``copy_of`` names the object that it already is a copy of. ``faces`` are its other faces: ``back``, ``flipped``,
    ``prototype``, halves, ``adventure``, ``omen``; ``cast`` is the one as which a spell was cast.
    ``melded`` are the two cards that represent a melded permanent, ``unlocked`` the halves of a Room; ``level`` is that
    of a Class, 0 where it was given none.
    """

    name: str
    line: int
    kind: str = "card"
    zone: str = "battlefield"
    printed: Values = EMPTY
    faces: Mapping[str, Values] = EMPTY
    modal: bool = False
    face: str = "front"
    prototyped: bool = False
    cast: str = ""
    melded: tuple[str, ...] = ()
    unlocked: tuple[str, ...] = ()
    designations: tuple[str, ...] = ()
    level: int = 0
    face_down_as: Values | None = None
    set_by: Mapping[str, Values] = EMPTY
    status: tuple[str, ...] = ()
    counters: Mapping[str, int] = EMPTY
    stickers: tuple[Sticker, ...] = ()
    effects: tuple[Effect, ...] = ()
    copy_of: str | None = None
    owner: str = "you"
    controller: str = ""
    attached_to: str = ""
    chosen: Mapping[str, str] = EMPTY
    choices: Values = EMPTY
    ability_kind: str = ""
    source: str = ""


class Step(NamedTuple):
    """Something that happens. ``object`` is what it happens to, ``of`` what is copied; ``given`` has the other keys."""

    kind: StepKind
    object: str
    of: str
    line: int
    given: Mapping[str, Any] = EMPTY

    @property
    def choices(self) -> Values:
        """New choices for a copied spell."""
        return {key: self.given[key] for key in CHOICES if key in self.given}

    @property
    def exceptions(self) -> Exceptions:
        """The exceptions of its copy effect."""
        found = self.given.get("except")
        return found if isinstance(found, Exceptions) else Exceptions()


class Expectation(NamedTuple):
    """What the scenario expects at a dotted path, such as ``clone.power`` or ``clone.counters.+1/+1``.

    ``object`` is the first part of the path, ``place`` what of it is asked, ``rest`` what follows (the kind of counter,
    the ability, the other object).
    """

    path: str
    expected: Value
    line: int
    object: str = ""
    place: str = ""
    rest: str = ""


class Scenario(NamedTuple):
    """A scenario file, read and checked. ``source`` is its name as given.

    ``examples`` are the identities of the rules' own examples that it states, ``since`` and ``until`` the versions for
    which its expectations are stated (``since`` is in, ``until`` is not). ``active`` is the active player, where that
    is said, and ``turn_order`` the players in the order of their turns. ``grants``: some static ability in it gives
    abilities to objects. ``words_on_entering``: some ability, given as words, may change how others enter.
    """

    source: str
    title: str
    objects: Mapping[str, GameObject]
    steps: tuple[Step, ...]
    expectations: tuple[Expectation, ...]
    facts: Mapping[str, int] = EMPTY
    examples: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    as_of: tuple[str, ...] = ()
    active: str = ""
    turn_order: tuple[str, ...] = ()
    interchangeable: Mapping[str, str] = EMPTY
    grants: bool = True
    words_on_entering: bool = True
