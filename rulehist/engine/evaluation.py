"""What a scenario comes to under the rules of a version, each claim with the words that bear it.

Where the rules of the version say nothing on a switch that the scenario comes upon, it is played under each reading
that the engine knows: what comes out the same is answered, what differs is refused, naming the switch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from rulehist.engine.characteristics import CHARACTERISTICS, Value, Values
from rulehist.engine.continuous import Applied
from rulehist.engine.copying import become_copy, copiable_values, layer_one
from rulehist.engine.effects import Exceptions, bare, keywords_in
from rulehist.engine.game import Being, begin, own_values
from rulehist.engine.places import Places, shown
from rulehist.engine.play import Because, Play
from rulehist.engine.questions import CHOICE, Refused, Rulings, Spent, left_open
from rulehist.engine.rules import RulesAt, RuleText
from rulehist.engine.scenario import GameObject, Scenario, StepKind
from rulehist.engine.semantics import Reading, Refusal, Semantics, compile_semantics
from rulehist.engine.steps import take
from rulehist.engine.vocabulary import CHOICES, STATUSES
from rulehist.folding import fold
from rulehist.thresholds import LISTED_WORDS, SILENT_READINGS


class Checked(NamedTuple):
    """An expectation against what came out; ``ok`` and ``got`` are ``None`` where it was refused."""

    path: str
    expected: Value
    got: Value | None
    ok: bool | None

    def as_json(self) -> dict[str, Any]:
        """The expectation as ``eval --json`` prints it."""
        return {"path": self.path, "expected": plain(self.expected), "got": plain(self.got), "ok": self.ok}


class Answer(NamedTuple):
    """What came of a scenario under one version. ``refusals`` is empty where ``verdict`` is ``answered``;
    ``read`` is the rule on copiable values where it was asked, ``applied`` the derivation where that is wanted,
    ``said`` every reading of the rules that was used, ``silent`` the switches that they left open, ``asked`` every
    switch that was asked; ``copies``: the rule on copiable values was asked; ``parts`` are the parts of effects that
    were given a layer."""

    scenario: str
    source: str
    version: str
    verdict: str
    objects: Mapping[str, Mapping[str, Any]]
    expectations: tuple[Checked, ...]
    because: tuple[Because, ...]
    refusals: tuple[str, ...] = ()
    read: RuleText | None = None
    applied: tuple[Applied, ...] = ()
    said: tuple[Reading, ...] = ()
    silent: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    copies: bool = False
    parts: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether every expectation was answered as expected."""
        return self.verdict == "answered" and all(checked.ok for checked in self.expectations)

    def as_json(self) -> dict[str, Any]:
        """The answer as ``eval --json`` prints it."""
        return {
            "scenario": self.scenario or self.source,
            "version": self.version,
            "verdict": self.verdict,
            "refusals": list(self.refusals),
            "objects": {name: dict(each) for name, each in self.objects.items()},
            "expectations": [checked.as_json() for checked in self.expectations],
            "because": [because.as_json() for because in self.because],
            "silent": list(self.silent),
        }


def evaluate(scenario: Scenario, rules: RulesAt | Semantics, *, explain: bool = False) -> Answer:
    """What ``scenario`` comes to under ``rules``; pass compiled ``Semantics`` where the same rules serve often.

    What the rules do not say, what the engine cannot read in them, and what it does not model is no error but a refused
    answer with its reason. ``explain`` keeps the derivation. Raises ``ScenarioError`` where a step cannot be taken.
    """
    semantics = rules if isinstance(rules, Semantics) else compile_semantics(rules)
    plays, refused = _plays(scenario, semantics, explain)
    return _answer(scenario, semantics, plays, refused)


class _Outcome:
    """One play: what came out at each expectation, and the objects, or the refusal of the whole."""

    __slots__ = ("assumed", "log", "objects", "play", "unsaid", "values", "whole")

    def __init__(self, play: Play) -> None:
        self.play = play
        self.assumed = play.rulings.assumed
        self.values: list[Value | Refusal] = []
        self.objects: dict[str, dict[str, Any]] = {}
        self.unsaid: list[str] = []
        self.whole: Refusal | None = None
        self.log: list[Applied] = []


def _plays(scenario: Scenario, semantics: Semantics, explain: bool) -> tuple[list[_Outcome], str]:
    """One outcome for each combination of readings of what the rules left open; and why there are too many."""
    found: list[_Outcome] = []
    waiting: list[dict[str, str]] = [{}]
    spent = Spent()
    while waiting:
        assumed = waiting.pop()
        outcome = _play(scenario, Rulings(semantics, assumed, spent), explain)
        for switch, readings in outcome.play.rulings.open.items():
            waiting += [{**assumed, switch: reading} for reading in readings[1:]]
            assumed = {**assumed, switch: readings[0]}
        outcome.assumed = assumed
        found.append(outcome)
        if len(found) + len(waiting) > SILENT_READINGS:
            return found, f"too much is left open: {left_open(semantics.rules.label, assumed)}"
    return found, ""


def _play(scenario: Scenario, rulings: Rulings, explain: bool) -> _Outcome:
    play = Play(begin(scenario), rulings, log=[] if explain else None)
    outcome = _Outcome(play)
    try:
        _start(play, scenario)
        for step in scenario.steps:
            if step.kind is StepKind.EXPECT:
                now = Places(play)
                due = scenario.expectations[step.given["from"] : step.given["to"]]
                outcome.values += [now.at(each) for each in due]
            else:
                take(play, step)
    except Refused as refused:
        outcome.whole = refused.refusal
        return outcome
    if play.log is not None:
        play.log[:] = layer_one(play)
    places = Places(play)
    outcome.values += [places.at(each) for each in scenario.expectations[len(outcome.values) :]]
    if play.log is not None:
        outcome.log = play.log
    for name, being in play.game.beings.items():
        outcome.unsaid += [f"{name}.{key}: {why.reason}" for key, why in being.unsaid.items()]
        outcome.objects[name] = _shown(places, being)
    outcome.unsaid += _refused(outcome.objects)
    return outcome


def _refused(objects: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Why it is not known what objects have: each reason with the objects that it goes for."""
    found: dict[str, list[str]] = {}
    for name, each in objects.items():
        if "refused" in each:
            found.setdefault(each["refused"], []).append(name)
    more = {reason: f" and {len(names) - 3:,} more" if len(names) > 3 else "" for reason, names in found.items()}
    return [f"{', '.join(names[:3])}{more[reason]}: {reason}" for reason, names in found.items()]


def _start(play: Play, scenario: Scenario) -> None:
    """The copies, stickers and face-down objects with which the scenario begins."""
    objects = scenario.objects
    if any(each.stickers for each in objects.values()):
        clauses = play.clauses()
        if "stickers" not in clauses.not_copied:
            excluded = next(iter(clauses.not_copied.values())) + " are not copied"
            raise play.refuse(
                f"the rules of {play.rulings.label} did not mention stickers: they did not exist under these rules",
                clauses.rule,
                clauses.quote(excluded),
            )
    for name, each in objects.items():
        if "face down" in each.status:
            _face_down(play, name)
    if any(each.faces for each in objects.values()):
        from rulehist.engine.forms import must_exist

        for being in play.game.beings.values():
            must_exist(being, play.rulings)
    for name, each in objects.items():
        if each.melded:
            from rulehist.engine.merging import represent

            represent(play, play.being(name), each.melded, each.line)
    done: set[str] = set()
    for start in objects:
        chain: list[str] = []
        link: str | None = start
        while link is not None and link not in done:
            chain.append(link)
            link = objects[link].copy_of
        for member in reversed(chain):
            done.add(member)
            of = objects[member].copy_of
            if of is not None:
                _may_be_copy(play, objects[member], objects[of])
                become_copy(play, play.being(member), play.being(of), Exceptions())


def _face_down(play: Play, name: str) -> None:
    rule = play.rulings.face_down()
    if rule is None:
        raise play.refuse(
            f"{name} is face down, and the text of the rule that a face-down object has no characteristics but those "
            f"listed is not known for {play.rulings.label}"
        )
    being = play.being(name)
    if being.listed is None:
        being.listed = _by_default(play, being)
    if being.listed is not None:
        play.claim(f"{name} has only the characteristics listed", rule, rule.text)


def _by_default(play: Play, being: Being) -> Values | None:
    """What a face-down permanent is where the scenario does not say; ``None``: that is left open."""
    from rulehist.engine.entering import DEFAULT_FACE_DOWN, FACE_DOWN_DEFAULT

    abilities: Any = being.faces["front"].get("rules text", ())
    disguised = any(ability.called("disguise") for ability in abilities)
    if being.zone != "battlefield" or disguised or not play.rulings.read(FACE_DOWN_DEFAULT.switch).said:
        return None
    if play.rulings.ask(FACE_DOWN_DEFAULT) != "2/2 creature":
        return None
    return own_values(DEFAULT_FACE_DOWN, f"{being.name} face down")


def _may_be_copy(play: Play, each: GameObject, of: GameObject) -> None:
    """Refuse a copy that the scenario begins with, where more than copiable values would decide."""
    if {"face down", "flipped"} & set(each.status):
        raise play.refuse(f'{each.name} is a copy and face down or flipped; say with the step "becomes a copy" when')
    if "stack" in (each.zone, of.zone):
        raise play.refuse(f'{each.name} is a copy of an object on the stack; say it with the step "copy a spell"')
    if of.set_by:
        raise play.refuse(
            f"{of.name} has an ability that sets characteristics as it enters or is turned face up; say with "
            f'the step "becomes a copy" when {each.name} became its copy'
        )


# --- one answer from the plays


def _answer(scenario: Scenario, semantics: Semantics, plays: list[_Outcome], refused: str) -> Answer:
    first = plays[0]
    label = semantics.rules.label
    because = list(first.play.because)
    refusals: list[str] = []
    checked: list[Checked] = []
    whole = next((each.whole for each in plays if each.whole is not None), None)
    if refused:
        whole = Refusal(refused)
    for place, wanted in enumerate(scenario.expectations):
        got = _agreed_value(plays, place, label) if whole is None else whole
        if isinstance(got, Refusal):
            checked.append(Checked(wanted.path, wanted.expected, None, None))
        else:
            checked.append(Checked(wanted.path, wanted.expected, got, _same(wanted.expected, got)))
        if isinstance(got, Refusal) and whole is None:
            _give(because, got)
            refusals.append(f"{wanted.path}: {got.reason}")
    if whole is not None:
        _give(because, whole)
        refusals = [whole.reason]
    elif not scenario.expectations:
        refusals = list(first.unsaid)
    said = {switch: reading for each in plays for switch, reading in each.play.rulings.said.items()}
    because += [
        Because(f"{switch}: {_worded(reading)}", reading.rule, reading.number, reading.version, reading.quote)
        for switch, reading in said.items()
    ]
    copies = any(each.play.copies for each in plays)
    return Answer(
        scenario.title,
        scenario.source,
        label,
        "refused" if refusals else "answered",
        {} if whole is not None else _agreed(plays),
        tuple(checked),
        tuple(dict.fromkeys(because)),
        tuple(dict.fromkeys(refusals)),
        semantics.copying.rule if copies else None,
        tuple(first.log),
        tuple(said.values()),
        tuple(dict.fromkeys(key for each in plays for key in each.assumed if not key.startswith(CHOICE))),
        tuple(dict.fromkeys(switch for each in plays for switch in each.play.rulings.asked)),
        copies,
        tuple(dict.fromkeys(part for each in plays for part in each.play.rulings.parts)),
    )


def _agreed_value(plays: list[_Outcome], place: int, label: str) -> Value | Refusal:
    """What came out at an expectation in every play; a refusal where one has none, or two differ."""
    values = [each.values[place] for each in plays]
    got = next((value for value in values if isinstance(value, Refusal)), values[0])
    if not isinstance(got, Refusal) and any(not _same(got, value) for value in values[1:]):
        return Refusal(left_open(label, _deciding(plays, place)))
    return got


def _worded(reading: Reading) -> str:
    if isinstance(reading.value, tuple) and len(reading.value) > LISTED_WORDS:
        return f"a list of {len(reading.value)}"
    return ", ".join(reading.value) if isinstance(reading.value, tuple) else str(reading.value)


def _give(because: list[Because], refusal: Refusal) -> None:
    if refusal.rule is not None:
        rule = refusal.rule
        because.append(Because(refusal.reason, rule.rule, rule.number, rule.version, refusal.quote))


def _deciding(plays: list[_Outcome], place: int) -> Iterable[str]:
    """The open switches and choices that make the difference at a place."""
    found: dict[str, None] = {}
    for one in plays:
        for other in plays:
            differing = [s for s in one.assumed if s in other.assumed and one.assumed[s] != other.assumed[s]]
            if len(differing) == 1 and not _same(one.values[place], other.values[place]):
                found[differing[0]] = None
    return found or dict.fromkeys(s for each in plays for s in each.assumed)


def _agreed(plays: list[_Outcome]) -> dict[str, dict[str, Any]]:
    """The objects as they stand in every play; what differs between plays is left out and named."""
    found: dict[str, dict[str, Any]] = {}
    for name, each in plays[0].objects.items():
        others = [other.objects.get(name, {}) for other in plays[1:]]
        kept = {key: value for key, value in each.items() if all(other.get(key) == value for other in others)}
        if len(kept) < len(each):
            kept["the rules did not say"] = [key for key in each if key not in kept]
        found[name] = kept
    return found


def _shown(places: Places, being: Being) -> dict[str, Any]:
    """An object as ``eval --json`` prints it."""
    found: dict[str, Any] = {"kind": being.kind, "zone": being.zone}
    if not being.exists:
        return {**found, "exists": False}
    if being.copied_from:
        found["copied from"] = being.copied_from
    try:
        values = copiable_values(places.play, being)
        found["copiable"] = {key: plain(shown(value)) for key, value in values.items() if shown(value) != "none"}
    except Refused:
        found["copiable"] = {}
    try:
        found["characteristics"] = _characteristics(places, being)
    except Refused as refused:
        found |= {"characteristics": None, "refused": refused.refusal.reason}
    for key, value in (
        ("status", [status for status in STATUSES if status in being.status]),
        ("counters", {kind: number for kind, (number, _) in being.counters.items()}),
        ("stickers", [sticker.text for sticker in being.stickers]),
    ):
        if key not in being.unsaid:
            found[key] = value
    if being.choices:
        found["choices"] = {key: plain(being.choices[key]) for key in CHOICES if key in being.choices}
    if being.unsaid:
        found["the rules did not say"] = list(being.unsaid)
    return found


def _characteristics(places: Places, being: Being) -> dict[str, Any] | None:
    """What an object has; ``None`` where the scenario does not say what was done to it. Raises ``Refused``."""
    if (being.set_by and not being.copied_from) or any(sticker.effect is None for sticker in being.stickers):
        return None
    has = places.of(being)
    values: dict[str, Any] = {**has.values, "rules text": tuple(held.ability for held in has.abilities)}
    return {key: plain(shown(values[key])) for key in CHARACTERISTICS if key in values and shown(values[key]) != "none"}


def plain(value: Value | None) -> Any:
    """A value as JSON has it."""
    return list(value) if isinstance(value, tuple) else value


def _same(expected: Value | Refusal, got: Value | Refusal) -> bool:
    if isinstance(expected, Refusal) or isinstance(got, Refusal):
        return expected is got
    if isinstance(expected, tuple) and isinstance(got, tuple):
        return expected == got or _each_alone(expected) == _each_alone(got)
    if isinstance(expected, tuple) or isinstance(got, tuple):
        return (expected or "none") == (got or "none")
    if isinstance(expected, str) and isinstance(got, str):
        return fold(expected).lower() == fold(got).lower()
    return expected == got


__all__ = ["Answer", "Because", "Checked", "evaluate", "plain"]


def _each_alone(values: tuple[Any, ...]) -> list[str]:
    """Words of a list in one order; abilities that may stand in one line are each one of them."""
    return sorted(bare(fold(word)) for each in values for word in keywords_in(str(each)))
