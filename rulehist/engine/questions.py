"""What the engine asks the rules of a day, and how it goes on where they say nothing.

A ``Question`` names a semantic switch and the readings that the engine can play. Where the rules of the day are silent
on it, no reading is picked: the scenario is played under each, and what comes out differently is refused. Where the
rules say something that the engine cannot play, or that nobody has read yet, the answer is refused, naming the switch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from rulehist.engine.rules import RuleText
from rulehist.engine.said import FACE_DOWN_RULE
from rulehist.engine.semantics import Reading, Refusal, Semantics, Unread
from rulehist.errors import QueryError
from rulehist.thresholds import OBJECT_LOOKS


class Refused(Exception):  # noqa: N818 - turned into a refused answer, never seen outside
    """There is no answer; carries the ``refusal``."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


class Question(NamedTuple):
    """A switch, and its values that the engine can play; any value where ``readings`` is empty."""

    switch: str
    readings: tuple[str, ...] = ()


class Spent:
    """How often objects were looked at in all plays of one scenario."""

    __slots__ = ("looks",)

    def __init__(self) -> None:
        self.looks = 0


class Rulings:
    """What the rules of one version say, as one play of a scenario asks it.

    ``assumed`` are readings of silent switches for this play; ``open`` are the silent switches that were asked and have
    no assumed reading yet; ``said`` are the readings that were used, in the order in which they were asked, and
    ``asked`` every switch that was asked or looked at; ``parts`` are the parts of effects that were given a layer;
    ``spent`` is shared by the plays of one scenario.
    """

    __slots__ = ("asked", "assumed", "open", "parts", "said", "semantics", "spent")

    def __init__(self, semantics: Semantics, assumed: Mapping[str, str], spent: Spent | None = None) -> None:
        self.spent = spent or Spent()
        self.semantics = semantics
        self.assumed = assumed
        self.open: dict[str, tuple[str, ...]] = {}
        self.said: dict[str, Reading] = {}
        self.asked: dict[str, None] = {}
        self.parts: dict[str, None] = {}

    @property
    def label(self) -> str:
        """The version."""
        return self.semantics.rules.label

    def ask(self, question: Question) -> str:
        """The reading to play. Raises ``Refused``."""
        switch = question.switch
        self.asked[switch] = None
        if switch in self.assumed:
            return self.assumed[switch]
        reading = self.read(switch)
        if reading.value is None:
            if len(question.readings) < 2:
                raise Refused(Refusal(f"the rules of {self.label} did not say: {asked(switch)}"))
            self.open[switch] = question.readings
            return question.readings[0]
        value = reading.value
        if question.readings and value not in question.readings:
            raise Refused(
                Refusal(f'the rules of {self.label} say "{value}" on {switch}, which is not modelled', reading.text)
            )
        self.said[switch] = reading
        return value if isinstance(value, str) else ", ".join(value)

    def look(self, objects: int = 1) -> None:
        """Note that objects are looked at. Raises ``Refused`` where that is so often that it would take too long."""
        self.spent.looks += objects
        if self.spent.looks > OBJECT_LOOKS:
            raise self.refuse("there are too many effects on too many objects to apply them all; divide the scenario")

    def choose(self, what: str, choices: tuple[str, ...]) -> str:
        """What a player chooses, where the scenario does not say so: this play takes one, others the rest."""
        key = CHOICE + what
        if key not in self.assumed:
            self.open[key] = choices
        return self.assumed.get(key, choices[0])

    def unsaid(self, what: str, readings: tuple[str, ...]) -> str:
        """The reading to play of ``what`` no rules have said in as many words; other plays take the rest."""
        if what not in self.assumed:
            self.open[what] = readings
        return self.assumed.get(what, readings[0])

    def listed(self, switch: str) -> tuple[str, ...]:
        """The items of a list that the rules give; empty where they give none."""
        self.asked[switch] = None
        reading = self.read(switch)
        if reading.value is None:
            return ()
        self.said[switch] = reading
        return reading.value if isinstance(reading.value, tuple) else (reading.value,)

    def read(self, switch: str) -> Reading:
        """What the rules say on a switch; raises ``Refused`` where nobody has read them."""
        self.asked[switch] = None
        known = self.said.get(switch)
        if known is not None:
            return known
        try:
            return self.semantics.value(switch)
        except Unread as unread:
            raise Refused(unread.refusal) from unread
        except QueryError as error:
            raise Refused(Refusal(f"the rules were not read for this: {error}")) from error

    def face_down(self) -> RuleText | None:
        """The rule that a face-down object has only the characteristics listed, where it is known."""
        self.asked[FACE_DOWN_RULE] = None
        return self.semantics.face_down()

    def refuse(self, reason: str, rule: RuleText | None = None, quote: str = "") -> Refused:
        """The refusal of a play, to be raised."""
        return Refused(Refusal(reason, rule, quote))


CHOICE: Final = "choice: "
"""What the keys of choices begin with that a scenario leaves out; other keys of open readings are switches."""


def left_open(label: str, keys: Iterable[str]) -> str:
    """Why answers differ: what the rules of a version did not say, or the scenario."""
    keys = list(keys)
    chosen = [key.removeprefix(CHOICE) for key in keys if key.startswith(CHOICE)]
    silent = [asked(key) for key in keys if not key.startswith(CHOICE)]
    why = [f"the scenario does not say {'; '.join(chosen)}"] if chosen else []
    return "; ".join([*why, f"the rules of {label} did not say: {'; '.join(silent)}"] if silent else why)


def asked(switch: str) -> str:
    """What a switch asks, with its name."""
    from rulehist.engine.switches import names, switch_called

    return f"{switch_called(switch).question} ({switch})" if switch in names() else switch


LAYERS: Final = "layers"
