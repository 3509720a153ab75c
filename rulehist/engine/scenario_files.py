"""Scenario files: objects, what happens to them, and what is expected, in a closed vocabulary.

A scenario is YAML::

    scenario: A creature with a sticker is copied
    objects:
      bear:
        name: Runeclaw Bear
        mana cost: "{1}{G}"
        card types: [Creature]
        power: 2
        toughness: 2
        stickers: [flying]
      clone: {name: Clone}
    steps:
      - enters as a copy: {object: clone, of: bear}
    expect:
      clone.power: 2
      clone.stickers: none

docs/engine.md lists every key. A word that is no key is a ``ScenarioError`` naming file, line, the keys that exist
and the nearest right one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from rulehist.engine import characteristics as ch
from rulehist.engine.characteristics import Value, Values
from rulehist.engine.effects import abilities_in
from rulehist.engine.loose_words import on_others_entering
from rulehist.engine.scenario import BESIDE, HALVES, NEW_OBJECT, Expectation, GameObject, Scenario, Step, StepKind
from rulehist.engine.scenario_shapes import AT_ONCE_STEP, EXPECTED, OBJECT, PLACES, STEPS, TOGETHER, TOP, WITH_REST
from rulehist.engine.shapes import (
    NOTHING,
    Fields,
    Known,
    Shape,
    Source,
    Text,
    YesNo,
    written,
)
from rulehist.engine.vocabulary import (
    CHOICES,
    PARTS,
    SET_BY_ABILITY,
    STATUSES,
    characteristics,
    effect_of,
)
from rulehist.engine.yaml_tree import Node, Scalar, read_yaml, read_yaml_file
from rulehist.errors import DataError, ScenarioError
from rulehist.resources import data_folder

_YES_OR_NO: Final = (*STATUSES, "has an adventure", "has an omen", "double-faced", "exists", "cast")
_FACE_KEYS: Final = (
    ("back", "back face"),
    ("flipped", "flipped face"),
    ("prototype", "prototype"),
    *((key, key) for key in (*HALVES, *BESIDE)),
)
_NAME = re.compile(r"[A-Za-z][\w' -]{0,60}")
_TAKEN: Final = frozenset(("self", "source", "attached", "affected", "chosen", *NOTHING))
"""Words that mean something else where the name of an object may stand."""


def scenario_files(path: Path) -> list[Path]:
    """The scenario files of a folder and those below it, in order; a file is its own. Raises ``ScenarioError``."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ScenarioError(f"{path}: there is no such file or folder; name a scenario, or a folder of them")
    found = sorted(path.rglob("*.yaml"))
    if not found:
        raise ScenarioError(f"{path}: has no scenarios; name a folder with files that end in .yaml")
    return found


def shipped_scenarios() -> list[Scenario]:
    """The scenarios that ship with the program."""
    return [load_scenario(file) for file in scenario_files(data_folder() / "scenarios")]


def load_scenario(path: Path | str) -> Scenario:
    """Read a scenario file. Raises ``ScenarioError``."""
    return _Loader(str(path)).scenario(read_yaml_file(Path(path)))


def parse_scenario(data: str | bytes, source: str = "scenario") -> Scenario:
    """Read a scenario from text. Raises ``ScenarioError``."""
    raw = data.encode() if isinstance(data, str) else data
    return _Loader(source).scenario(read_yaml(raw, source))


class _Loader:
    def __init__(self, source: str) -> None:
        self.known: dict[str, None] = {}
        self.expected_so_far: list[Expectation] = []
        self.called: set[str] = set()
        self.at = Source(source, self.known)

    def scenario(self, root: Node) -> Scenario:
        at = self.at
        top = TOP.nodes(root, at)
        if "objects" not in top and "steps" not in top:
            raise at.error(root.line, "has no objects; a scenario needs the key objects")
        table = at.entries(top["objects"][1], "objects") if "objects" in top else {}
        for name, (line, _) in table.items():
            self.name(name, line)
            self.known[name] = None
        objects = {name: self.object(name, node, line) for name, (line, node) in table.items()}
        if not objects and "steps" not in top:
            raise at.error(root.line, "has no objects; describe at least one under the key objects")
        self.copies(objects)
        plain = {key: TOP.fields[key].read(top[key][1], at) for key in top if key not in ("objects", "steps", "expect")}
        steps = tuple(self.step(node) for node in at.items(top["steps"][1])) if "steps" in top else ()
        if "expect" in top:
            self.expected_so_far += self.expectations(top["expect"][1])
        abilities = list(abilities_in((*objects.values(), *steps)))
        return Scenario(
            at.name,
            plain.get("scenario", ""),
            objects,
            steps,
            tuple(self.expected_so_far),
            plain.get("facts", {}),
            plain.get("examples", ()),
            plain.get("from", ""),
            plain.get("until", ""),
            plain.get("as of", ()),
            plain.get("active player", ""),
            plain.get("turn order", ()),
            plain.get("interchangeable names", {}),
            any(effect.abilities for ability in abilities for effect in ability.static),
            on_others_entering(abilities),
        )

    def name(self, key: str, line: int) -> None:
        if not _NAME.fullmatch(key):
            raise self.at.error(
                line, f'"{key[:40]}" cannot be the name of an object; use letters, digits, blanks and "-"'
            )
        if key.casefold() in _TAKEN:
            raise self.at.error(line, f'"{key}" cannot be the name of an object, it means something else; say another')

    # --- objects

    def object(self, name: str, node: Node, line: int) -> GameObject:
        fields = Fields(f'the object "{name}"', OBJECT.fields)
        nodes = fields.nodes(node, self.at)
        found = OBJECT.values(nodes, self.at)
        if "card" in found:
            found = {**self.card(found["card"], nodes["card"][0]), **found}
        printed = {key: found[key] for key in ch.CHARACTERISTICS if key in found}
        choices = {key: found[key] for key in CHOICES if key in found}
        status, kind = found.get("status", ()), found.get("kind", "card")
        zone = found.get("zone", "command" if kind == "emblem" else "battlefield")
        if choices and zone != "stack":
            key = next(iter(choices))
            raise self.at.error(nodes[key][0], f'{key} is a choice made for an object on the stack; say "zone: stack"')
        if "face down as" in found and "face down" not in status:
            raise self.at.error(nodes["face down as"][0], '"face down as" needs "status: [face down]"')
        self.parts(name, found, printed, line)
        self.state(name, found, zone, line)
        if "color" in nodes and kind != "token":
            self.color(printed, nodes["color"][0])
        return GameObject(
            name=name,
            line=line,
            kind=kind,
            zone=zone,
            printed=printed,
            faces={face: found[key] for face, key in _FACE_KEYS if key in found},
            modal=found.get("modal", False),
            face=found.get("face", "front"),
            prototyped=found.get("prototyped", False),
            cast=found.get("cast as", ""),
            melded=found.get("melded from", ()),
            unlocked=found.get("unlocked", ()),
            designations=found.get("designations", ()),
            level=found.get("class level", 0),
            face_down_as=found.get("face down as"),
            set_by={key: found[key] for key in SET_BY_ABILITY if key in found},
            status=status,
            counters={kind: number for kind, number in found.get("counters", {}).items() if number},
            stickers=found.get("stickers", ()),
            effects=found.get("effects", ()),
            copy_of=found.get("copy of"),
            owner=found.get("owner", "you"),
            controller=found.get("controller", ""),
            attached_to=self.reference(nodes.get("attached to")),
            chosen=found.get("chosen", {}),
            choices=choices,
            ability_kind=found.get("kind of ability", ""),
            source=found.get("source", ""),
        )

    def card(self, name: str, line: int) -> dict[str, Any]:
        """What the library of cards has of a card."""
        from rulehist.engine.cards import card

        try:
            return card(name)
        except DataError as error:
            raise self.at.error(line, str(error)) from error

    def parts(self, name: str, found: Mapping[str, Any], printed: Values, line: int) -> None:
        """The halves of a split card, and the part as which a spell was cast."""
        halves = [key for key in HALVES if key in found]
        if len(halves) == 1:
            raise self.at.error(line, f'"{name}" has a {halves[0]} alone; give it both halves')
        own = [key for key in printed if key not in ("card types", "subtypes", "supertypes")] if halves else []
        if own:
            raise self.at.error(line, f'"{name}" has the {own[0]} of its halves; say it of each half')
        cast, stack = found.get("cast as", ""), found.get("zone") == "stack"
        if cast and not stack:
            raise self.at.error(line, f'"{name}" is no spell; "cast as" needs "zone: stack"')
        if halves and stack and not cast:
            raise self.at.error(line, f'"{name}" is a split spell; say under "cast as" which half was cast')
        if halves and found.get("zone", "battlefield") == "battlefield" and "face down" not in found.get("status", ()):
            if "card types" not in printed:
                raise self.at.error(line, f'"{name}" is a split card without a type line of its own, and no permanent')
            if "unlocked" not in found:
                raise self.at.error(line, f'"{name}" is a Room; say under "unlocked" which halves are, or none')
        if cast and cast not in found and not (halves and cast == PARTS[2]):
            raise self.at.error(line, f'"{name}" is cast as {cast}, and has none; describe it under the key {cast}')

    def state(self, name: str, found: Mapping[str, Any], zone: str, line: int) -> None:
        """Only permanents have a status, nothing is attached to itself, and a face that is up is described."""
        status = [word for word in found.get("status", ()) if word != "face down"]
        if status and zone != "battlefield":
            raise self.at.error(line, f'"{name}" is {status[0]} in the zone {zone}; only permanents have a status')
        if found.get("attached to") == name:
            raise self.at.error(line, f'"{name}" is attached to itself, which nothing can be; name another object')
        if found.get("face") == "back" and "back face" not in found:
            raise self.at.error(line, f'"{name}" has no back face; describe it under the key back face')
        if found.get("prototyped") and "prototype" not in found:
            raise self.at.error(line, f'"{name}" has no prototype; describe it under the key prototype')

    def reference(self, entry: tuple[int, Node] | None) -> str:
        return "" if entry is None else Known().read(entry[1], self.at)

    def color(self, printed: Values, line: int) -> None:
        """An object that is no token has its color from its mana cost or color indicator."""
        given = set(printed.get("color", ()))  # type: ignore[arg-type]
        if not printed.get("mana cost") and not printed.get("color indicator") and given:
            raise self.at.error(line, "a color comes from a mana cost or a color indicator; say which it is")
        if given and given != set(ch.colors_of(printed)):
            raise self.at.error(
                line,
                "this is not the color that mana cost and color indicator give; leave color out, or "
                "describe the effect that sets it as a step",
            )

    def copies(self, objects: Mapping[str, GameObject]) -> None:
        """Every object that is a copy leads to one that is none."""
        clear: set[str] = set()
        for start in objects:
            path: dict[str, None] = {}
            name: str | None = start
            while name is not None and name not in clear:
                if name not in objects:
                    last = objects[next(reversed(path))]
                    raise self.at.missing(name, last.line)
                if name in path:
                    ring = [*list(path)[list(path).index(name) :], name]
                    shown = ring if len(ring) <= 6 else [*ring[:3], "...", *ring[-2:]]
                    raise self.at.error(
                        objects[name].line,
                        f"a cycle of copies: {' is a copy of '.join(shown)}; one of them must be no copy",
                    )
                path[name] = None
                name = objects[name].copy_of
            clear.update(path)

    # --- steps and expectations

    def step(self, node: Node) -> Step:
        table = Fields("a step", STEPS).nodes(node, self.at)
        if len(table) != 1:
            raise self.at.error(node.line, f"a step is one of: {', '.join(kind.value for kind in StepKind)}")
        ((key, (line, child)),) = table.items()
        kind = StepKind(key)
        if kind is StepKind.EXPECT:
            before = len(self.expected_so_far)
            self.expected_so_far += self.expectations(child)
            return Step(kind, "", "", line, {"from": before, "to": len(self.expected_so_far)})
        if kind is StepKind.TOGETHER:
            return Step(kind, "", "", line, self.together(TOGETHER, child))
        given = STEPS[key].read(child, self.at)
        if isinstance(given, dict) and "called" in given and kind is not StepKind.BY_NAME:
            self.called.add(given["called"])
        if kind in (StepKind.EFFECT,):
            source = given.pop("source", "")
            return Step(kind, source, "", line, {"effect": effect_of(given), "called": given.get("called", "")})
        if kind is StepKind.ENDS and given not in self.called:
            raise self.at.error(line, f'no effect is called "{given[:40]}"; give it that name under the key called')
        if kind in (StepKind.ENDS, StepKind.FACTS):
            return Step(kind, "", "", line, {"called": given} if kind is StepKind.ENDS else {"facts": given})
        name, of = given.pop("object", ""), given.pop("of", "")
        if kind in NEW_OBJECT:
            self.name(name, line)
            if name in self.known:
                raise self.at.error(line, f'"{name}" exists already; give the new object another name')
            if kind is StepKind.CREATE_TOKEN_COPY and of not in self.known and of not in NOTHING:
                raise self.at.missing(of, line)
            self.known[name] = None
        return Step(kind, name, of, line, given)

    def together(self, shape: Fields, node: Node) -> dict[str, Any]:
        """The steps that happen at the same time, and in which order each player has timestamps given."""
        nodes = shape.nodes(node, self.at)
        steps = []
        for each in self.at.items(nodes["steps"][1]):
            AT_ONCE_STEP.nodes(each, self.at)
            steps.append(self.step(each))
        orders = shape.fields["orders"].read(nodes["orders"][1], self.at) if "orders" in nodes else {}
        return {"steps": tuple(steps), "orders": orders}

    def expectations(self, node: Node) -> Iterable[Expectation]:
        seen: dict[str, int] = {}
        for key, (line, child) in self.at.entries(node, "expect").items():
            name, place, rest = self.path(key, line)
            path = ".".join(part for part in (name, place, rest) if part)
            if path in seen:
                raise self.at.error(line, f'"{key}" is expected a second time (first on line {seen[path]}); keep one')
            seen[path], self.at.key = line, key
            yield Expectation(path, self.expected(place, child), line, name, place, rest)

    def path(self, key: str, line: int) -> tuple[str, str, str]:
        name, dot, rest = key.partition(".")
        if name not in self.known:
            raise self.at.missing(name, line)
        what = f'what can be expected of "{name}"'
        first, more, last = rest.partition(".")
        place = written(first) if first != "abilities" else "abilities"
        if place == "copiable":
            inner = written(last)
            if inner not in ch.CHARACTERISTICS:
                raise self.at.unknown(line, last or key, what, ch.CHARACTERISTICS)
            return name, f"copiable.{inner}", ""
        if more and place in WITH_REST:
            if place in ("same name as", "different names with"):
                for other in last.split(","):
                    if other.strip() not in self.known:
                        raise self.at.missing(other.strip(), line)
            return name, place, last
        if place == "abilities" and not more:
            place = "rules text"
        if not dot or more or place not in PLACES:
            raise self.at.unknown(line, rest or key, what, (*PLACES, "copiable", "abilities.NAME", "chosen.NAME"))
        return name, place, ""

    def expected(self, place: str, node: Node) -> Value:
        at = self.at
        place = place.removeprefix("copiable.")
        yes_or_no = place in _YES_OR_NO or place in (
            "abilities",
            "same name as",
            "different names with",
            "may be named as",
        )
        if isinstance(node, Scalar) and not node.quoted and node.text.lower() in NOTHING and place != "kicked":
            return "no" if yes_or_no else 0 if place == "counters" else "none"
        if yes_or_no:
            return "yes" if YesNo().read(node, at) else "no"
        shape: Shape = EXPECTED.get(place) or characteristics(abilities=False).get(place) or Text()
        value: Value = shape.read(node, at)
        return value
