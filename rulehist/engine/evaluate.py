"""What a scenario comes to under the rules of a version, each claim with the clause that bears it.

Copiable values follow the text of the rule on them. Characteristics of an object that counters, stickers or
effects
change need the rules on the interaction of continuous effects, which are not modelled: asking for them is
refused,
while its copiable values are answered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from rulehist.engine.characteristics import CHARACTERISTICS, Value, Values, colors_of
from rulehist.engine.clauses import CopyingClauses
from rulehist.engine.rules import RulesAt, RuleText
from rulehist.engine.scenario import (
    CHOICES,
    SET_BY_ABILITY,
    STATUSES,
    Expectation,
    GameObject,
    Scenario,
    Step,
    StepKind,
)
from rulehist.engine.semantics import Refusal, Semantics, compile_semantics
from rulehist.errors import ScenarioError
from rulehist.folding import fold

MAY_CHANGE: Final = re.compile(
    r"\b(?:gets?|is|are|has|have|gains?|loses?|becomes?|changeling|devoid|bestow|prototype)\b", re.IGNORECASE
)
"""Words of static abilities that change characteristics; a match only ever leads to a refusal."""

TRIGGERED_OR_ACTIVATED: Final = re.compile(r"(?:when|whenever|at)\b|[^.\"]*:", re.IGNORECASE)
"""How abilities begin that change nothing by themselves."""

CHANGED_BY_COUNTERS: Final = ("rules text", "power", "toughness", "loyalty", "defense")


@dataclass(frozen=True, slots=True)
class Because:
    """A claim and the words of a rule that bear it; ``rule`` is the rule's identity."""

    claim: str
    rule: str
    number: str
    version: str
    quote: str

    def as_json(self) -> dict[str, str]:
        """The claim as ``eval --json`` prints it."""
        return {
            "claim": self.claim,
            "rule": self.rule,
            "number": self.number,
            "version": self.version,
            "quote": self.quote,
        }


@dataclass(frozen=True, slots=True)
class Checked:
    """An expectation against what came out; ``ok`` and ``got`` are ``None`` where it was refused."""

    path: str
    expected: Value
    got: Value | None
    ok: bool | None

    def as_json(self) -> dict[str, Any]:
        """The expectation as ``eval --json`` prints it."""
        return {"path": self.path, "expected": _plain(self.expected), "got": _plain(self.got), "ok": self.ok}


@dataclass(frozen=True, slots=True)
class State:
    """An object as it stands. ``copiable`` and ``unsaid`` (characteristic: why there is no answer) fill each
    other."""

    object: GameObject
    copiable: Values
    unsaid: Mapping[str, Refusal] = field(default_factory=dict)
    copied_from: str = ""

    @property
    def changed(self) -> bool:
        """Whether something beside copy effects and face-down status may change any characteristic."""
        return any(map(self.changed_in, CHARACTERISTICS))

    def changed_in(self, characteristic: str) -> bool:
        """Whether something may change this one; counters alone leave name, colors and types as they are."""
        each = self.object
        return bool(
            each.stickers
            or each.effects
            or (each.set_by and not self.copied_from)
            or (each.counters and characteristic in CHANGED_BY_COUNTERS)
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a scenario under one version. ``refusals`` is empty where ``verdict`` is ``answered``;
    ``read`` is the rule on copiable values that it rests on."""

    scenario: str
    source: str
    version: str
    verdict: str
    objects: Mapping[str, Mapping[str, Any]]
    expectations: tuple[Checked, ...]
    because: tuple[Because, ...]
    refusals: tuple[str, ...] = ()
    read: RuleText | None = None

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
        }


def evaluate(scenario: Scenario, rules: RulesAt | Semantics) -> Answer:
    """What ``scenario`` comes to under ``rules``; pass compiled ``Semantics`` where the same rules serve
    often.

    What the rules do not say, what the engine cannot read in them, and what it does not model is no error
    but a
    refused answer with its reason. Raises ``ScenarioError`` where a step cannot be taken at all.
    """
    semantics = rules if isinstance(rules, Semantics) else compile_semantics(rules)
    return _Evaluation(scenario, semantics).answer()


class _Refused(Exception):  # noqa: N818 - turned into a refused answer, never seen outside
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def _plain(value: Value | None) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _said(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)


class _Evaluation:
    def __init__(self, scenario: Scenario, semantics: Semantics) -> None:
        self.scenario = scenario
        self.semantics = semantics
        self.label = semantics.rules.label
        self.states: dict[str, State] = {}
        self.because: list[Because] = []

    # --- the whole

    def answer(self) -> Answer:
        try:
            self._play()
        except _Refused as refused:
            self._give(refused.refusal)
            return self._finished(
                {},
                [Checked(e.path, e.expected, None, None) for e in self.scenario.expectations],
                [refused.refusal.reason],
            )
        checked, refusals = [], []
        for expectation in self.scenario.expectations:
            got = self._at(expectation)
            if isinstance(got, Refusal):
                self._give(got)
                refusals.append(f"{expectation.path}: {got.reason}")
                checked.append(Checked(expectation.path, expectation.expected, None, None))
            else:
                ok = _same(expectation.expected, got)
                checked.append(Checked(expectation.path, expectation.expected, got, ok))
        if not self.scenario.expectations:
            refusals = [
                f"{name}.{key}: {why.reason}"
                for name, state in self.states.items()
                for key, why in state.unsaid.items()
            ]
        return self._finished({name: self._shown(state) for name, state in self.states.items()}, checked, refusals)

    def _finished(
        self, objects: Mapping[str, Mapping[str, Any]], checked: list[Checked], refusals: list[str]
    ) -> Answer:
        return Answer(
            self.scenario.title,
            self.scenario.source,
            self.label,
            "refused" if refusals else "answered",
            objects,
            tuple(checked),
            tuple(dict.fromkeys(self.because)),
            tuple(dict.fromkeys(refusals)),
            None if isinstance(self.semantics.copying, Refusal) else self.semantics.copying.rule,
        )

    def _give(self, refusal: Refusal) -> None:
        if refusal.rule is not None:
            self._claim(refusal.reason, refusal.rule, refusal.quote)

    def _claim(self, claim: str, rule: RuleText, quote: str) -> None:
        self.because.append(Because(claim, rule.rule, rule.number, rule.version, quote))

    # --- what happens

    def _play(self) -> None:
        objects = self.scenario.objects
        copying = bool(self.scenario.steps) or any(each.copy_of or each.stickers for each in objects.values())
        if not copying:
            for name, each in objects.items():
                self.states[name] = State(each, self._own(each))
            return
        if isinstance(self.semantics.copying, Refusal):
            raise _Refused(self.semantics.copying)
        clauses = self.semantics.copying
        if any(each.stickers for each in objects.values()) and "stickers" not in clauses.not_copied:
            reason = f"the rules of {self.label} did not mention stickers: they did not exist under these rules"
            raise _Refused(Refusal(reason, clauses.rule, clauses.quote(self._excluded(clauses))))
        for start in objects:
            chain: list[str] = []
            link: str | None = start
            while link is not None and link not in self.states:
                chain.append(link)
                link = objects[link].copy_of
            for member in reversed(chain):
                of = objects[member].copy_of
                if of is not None:
                    self._may_be_copy(objects[member], objects[of])
                if of is None:
                    self.states[member] = State(objects[member], self._own(objects[member]))
                else:
                    self.states[member] = self._copied(objects[member], self.states[of], clauses)
        for step in self.scenario.steps:
            self._step(step, clauses)

    def _may_be_copy(self, each: GameObject, of: GameObject) -> None:
        """Refuse a copy that the scenario begins with, where more than copiable values would decide."""
        if {"face down", "flipped"} & set(each.status):
            raise _Refused(Refusal(f"{each.name} is a copy and face down or flipped: that is not modelled"))
        if "stack" in (each.zone, of.zone):
            raise _Refused(
                Refusal(f'{each.name} is a copy of an object on the stack; say it with the step "copy a spell"')
            )
        if of.set_by:
            raise _Refused(
                Refusal(
                    f"{of.name} has an ability that sets characteristics as it enters or is "
                    f"turned face up; say with "
                    f'the step "becomes a copy" when {each.name} became its copy'
                )
            )

    def _excluded(self, clauses: CopyingClauses) -> str:
        return next(iter(clauses.not_copied.values())) + " are not copied"

    def _own(self, each: GameObject) -> Values:
        """What an object that is no copy has of itself, printed or, face down, listed."""
        values = dict(each.printed)
        if "face down" in each.status:
            if each.face_down_as is None:
                raise _Refused(Refusal(f'{each.name} is face down, but as what is not said; give "face down as"'))
            rule = self.semantics.face_down()
            if rule is None:
                raise _Refused(
                    Refusal(
                        f"{each.name} is face down, and the text of the rule that a face-down object has no "
                        f"characteristics but those listed is not known for {self.label}"
                    )
                )
            self._claim(f"{each.name} has only the characteristics listed", rule, rule.text)
            values = dict(each.face_down_as)
        colors = values.get("color") or colors_of(values)
        values["color"] = colors
        return {key: values[key] for key in CHARACTERISTICS if key in values}

    def _step(self, step: Step, clauses: CopyingClauses) -> None:
        original = self.states[step.of]
        spell = step.kind is StepKind.COPY_SPELL
        if spell != (original.object.zone == "stack"):
            need = "is on the stack" if not spell else "is not on the stack"
            raise ScenarioError(
                f'{self.scenario.source}, line {step.line}: "{step.of}" {need}; "{step.kind.value}" cannot copy it'
            )
        made = step.kind in (StepKind.CREATE_TOKEN_COPY, StepKind.COPY_SPELL)
        if made:
            target = GameObject(
                step.object,
                step.line,
                kind="copy" if spell else "token",
                zone="stack" if spell else "battlefield",
            )
        else:
            target = self.states[step.object].object
            if step.kind is StepKind.BECOMES_COPY and step.object == step.of:
                return  # it acquires the copiable values that it has
            if {"face down", "flipped"} & set(target.status):
                turned = "face down" if "face down" in target.status else "flipped"
                raise _Refused(
                    Refusal(f"{step.object} is {turned}: what a {turned} object is as a copy is not modelled")
                )
        if step.kind is not StepKind.BECOMES_COPY and original.object.set_by:
            raise _Refused(
                Refusal(
                    f"{step.of} has an ability that sets characteristics as it enters or is turned "
                    f"face up; what that "
                    f"ability does as {step.object} enters is not modelled"
                )
            )
        if step.kind is StepKind.ENTERS_AS_COPY:
            if target.counters or target.stickers or target.effects or target.status:
                raise _Refused(
                    Refusal(
                        f"{step.object} has counters, stickers, effects or a status before it enters; "
                        f"what becomes of "
                        "them is not modelled"
                    )
                )
            target = replace(target, zone="battlefield")
        state = self._copied(target, original, clauses)
        self.states[step.object] = self._choose(step, state, original, clauses) if spell else state

    def _choose(self, step: Step, state: State, original: State, clauses: CopyingClauses) -> State:
        choices: dict[str, Value] = {}
        unsaid = dict(state.unsaid)
        for key in CHOICES:
            if key in step.choices:
                choices[key] = step.choices[key]
            elif key not in original.object.choices:
                continue
            elif key in clauses.choices:
                choices[key] = original.object.choices[key]
                self._claim(
                    f"{step.object}.{key} is {_said(choices[key])}, as chosen for {step.of}",
                    clauses.rule,
                    clauses.quote(clauses.choices[key]),
                )
            else:
                unsaid[key] = Refusal(
                    f"the rules of {self.label} did not say that {key} is copied",
                    clauses.rule,
                    clauses.rule.text,
                )
        if "targets" in step.choices or "mode" in step.choices or "x" in step.choices or "kicked" in step.choices:
            changed = [key for key in step.choices if key != "targets"]
            if changed:
                raise ScenarioError(
                    f"{self.scenario.source}, line {step.line}: a copy of a spell may get new "
                    f"targets, not another "
                    f"{changed[0]}; leave it out"
                )
        return replace(state, object=replace(state.object, choices=choices), unsaid=unsaid)

    def _copied(self, target: GameObject, original: State, clauses: CopyingClauses) -> State:
        """``target`` with the copiable values of ``original``, as the clauses have it."""
        values: dict[str, Value] = {}
        unsaid: dict[str, Refusal] = {}
        source = original.object
        base = dict(original.copiable)
        if "flipped" in source.status:
            raise _Refused(Refusal(f"{source.name} is flipped: faces of a card are not modelled"))
        if source.zone == "stack" and clauses.subject != "object":
            raise _Refused(
                Refusal(
                    f"the rules of {self.label} did not say what the copy of a spell acquires: "
                    f"their rule speaks of "
                    f"copying a {clauses.subject}",
                    clauses.rule,
                    clauses.quote(f"when copying a {clauses.subject}"),
                )
            )
        face_down = "face down" in source.status
        if face_down and "face down" not in clauses.modifiers:
            raise _Refused(
                Refusal(
                    f"the rules of {self.label} did not say what is copied of a face-down object",
                    clauses.rule,
                    clauses.quote(clauses.basis_clause),
                )
            )
        set_by = self._set_by_abilities(source, clauses, unsaid)
        for key, (value, _) in set_by.items():
            printed = base.get(key)
            # an ability is had beside those printed; anything else takes the place of what is printed
            gained = key == "rules text" and isinstance(printed, tuple) and isinstance(value, tuple)
            base[key] = (*printed, *value) if gained else value  # type: ignore[misc]
        for key, value in base.items():
            if key in unsaid:
                continue
            clause = set_by[key][1] if key in set_by else clauses.characteristics.get(key)
            if key == "color" and clause is None and clauses.basis == "derived":
                derived = colors_of(base)
                if "color indicator" in base and "color indicator" not in clauses.characteristics:
                    unsaid[key] = self._unmentioned("color indicator", clauses)
                    continue
                value, clause = derived, clauses.basis_clause  # noqa: PLW2901 - what is copied is the derived color
            if clause is None:
                if key in ("expansion symbol",):
                    continue  # no longer on a list that is complete: it is not copied
                unsaid[key] = self._unmentioned(key, clauses)
                continue
            values[key] = value
            quoted = clauses.quote(clause)
            if face_down and not original.copied_from:
                quoted = clauses.quote(clauses.modifiers["face down"])
            self._claim(
                f"{target.name}.{key} is {_said(value) or 'none'}, copied from {source.name}",
                clauses.rule,
                quoted,
            )
        unsaid.update(
            {key: why for key, why in original.unsaid.items() if key not in values and key in CHARACTERISTICS}
        )
        self._not_copied(target, source, clauses, unsaid)
        return State(target, {key: values[key] for key in CHARACTERISTICS if key in values}, unsaid, source.name)

    def _unmentioned(self, key: str, clauses: CopyingClauses) -> Refusal:
        listed = next(iter(clauses.characteristics.values()))
        return Refusal(
            f"the rules of {self.label} did not say that {key} is copied", clauses.rule, clauses.quote(listed)
        )

    def _set_by_abilities(
        self, source: GameObject, clauses: CopyingClauses, unsaid: dict[str, Refusal]
    ) -> dict[str, tuple[Value, str]]:
        found: dict[str, tuple[Value, str]] = {}
        for when in SET_BY_ABILITY:
            sets = source.set_by.get(when)
            if sets is None:
                continue
            if when not in clauses.modifiers:
                for key in sets:
                    unsaid[key] = Refusal(
                        f"the rules of {self.label} did not say whether what an ability sets {when} is copied",
                        clauses.rule,
                        clauses.quote(clauses.basis_clause),
                    )
            elif clauses.must_set == "characteristics" or {"power", "toughness"} <= set(sets):
                found.update({key: (value, clauses.modifiers[when]) for key, value in sets.items()})
        return found

    def _not_copied(
        self, target: GameObject, source: GameObject, clauses: CopyingClauses, unsaid: dict[str, Refusal]
    ) -> None:
        kept = {
            "status": source.status,
            "counters": source.counters,
            "stickers": source.stickers,
            "effects": source.effects,
        }
        for kind, present in kept.items():
            if not present:
                continue
            if kind in clauses.not_copied:
                what = "face-down status" if kind == "status" and "face down" in source.status else kind
                self._claim(
                    f"the {what} of {source.name} {'is' if kind == 'status' else 'are'} not copied to {target.name}",
                    clauses.rule,
                    clauses.quote(clauses.not_copied[kind] + " are not copied"),
                )
            else:
                why = Refusal(
                    f"the rules of {self.label} did not say whether {kind} is copied",
                    clauses.rule,
                    clauses.quote(self._excluded(clauses)),
                )
                unsaid[kind] = why
                if kind == "status":
                    unsaid.update(dict.fromkeys(STATUSES, why))

    # --- what is asked

    def _at(self, expectation: Expectation) -> Value | Refusal:
        name, _, place = expectation.path.partition(".")
        state = self.states[name]
        copiable = place.startswith("copiable.")
        place = place.removeprefix("copiable.")
        if place in state.unsaid:
            return state.unsaid[place]
        if place in CHARACTERISTICS:
            if not copiable and state.changed_in(place):
                return Refusal(
                    f"{name} has counters, stickers or effects of its own: its {place} needs the "
                    f"rules on the "
                    f"interaction of continuous effects, which are not modelled; its copiable value is "
                    f"{name}.copiable.{place}"
                )
            if (not copiable or place == "color") and (ability := self._static_ability()):
                return Refusal(
                    f'the ability "{ability}" may change characteristics; abilities in rules text are '
                    f"recorded, not applied: {name}.{place} is not answered"
                )
            if copiable and state.object.set_by and not state.copied_from:
                return Refusal(f"what {name} copies of its own abilities shows only in a copy of it")
            return none_for_nothing(state.copiable.get(place, ()))
        return self._state_at(state.object, place)

    def _static_ability(self) -> str:
        """An ability of any object that may change characteristics, or an empty text."""
        for state in self.states.values():
            abilities = state.copiable.get("rules text", ())
            for ability in abilities if isinstance(abilities, tuple) else (abilities,):
                if MAY_CHANGE.search(str(ability)) and not TRIGGERED_OR_ACTIVATED.match(str(ability)):
                    return str(ability)
        return ""

    def _state_at(self, each: GameObject, place: str) -> Value:
        if place.startswith("counters."):
            return each.counters.get(place.removeprefix("counters."), 0)
        if place in STATUSES:
            return "yes" if place in each.status else "no"
        if place in CHOICES:
            return each.choices.get(place, "none")
        whole: dict[str, Value] = {
            "counters": sum(each.counters.values()),
            "status": each.status or "none",
            "stickers": tuple(sticker.text for sticker in each.stickers) or "none",
            "kind": each.kind,
            "zone": each.zone,
        }
        return whole[place]

    def _shown(self, state: State) -> dict[str, Any]:
        each = state.object
        shown: dict[str, Any] = {"kind": each.kind, "zone": each.zone}
        if state.copied_from:
            shown["copied from"] = state.copied_from
        shown["copiable"] = {key: _plain(value) for key, value in state.copiable.items()}
        shown["characteristics"] = None if state.changed else dict(shown["copiable"])
        if "status" not in state.unsaid:
            shown["status"] = list(each.status)
        if "counters" not in state.unsaid:
            shown["counters"] = dict(each.counters)
        if "stickers" not in state.unsaid:
            shown["stickers"] = [sticker.text for sticker in each.stickers]
        if each.choices:
            shown["choices"] = {key: _plain(value) for key, value in each.choices.items()}
        if state.unsaid:
            shown["the rules did not say"] = list(state.unsaid)
        return shown


def none_for_nothing(value: Value) -> Value:
    """``none`` for an empty text or list; 0 is something."""
    return "none" if value in ("", ()) else value


def _same(expected: Value, got: Value) -> bool:
    if isinstance(expected, tuple) and isinstance(got, tuple):
        return sorted(fold(each).lower() for each in expected) == sorted(fold(each).lower() for each in got)
    if isinstance(expected, tuple) or isinstance(got, tuple):
        return (expected or "none") == (got or "none")
    if isinstance(expected, str) and isinstance(got, str):
        return fold(expected).lower() == fold(got).lower()
    return expected == got
