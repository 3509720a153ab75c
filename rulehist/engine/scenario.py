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

docs/engine.md lists every key. A word that is no key is a ``ScenarioError`` naming file, line, the keys that
exist
and the nearest right one.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from rulehist.engine import characteristics as ch
from rulehist.engine.characteristics import Value, Values
from rulehist.engine.yaml_tree import Items, Node, Scalar, Table, read_yaml, read_yaml_file
from rulehist.errors import ScenarioError

STATUSES: Final = ("tapped", "flipped", "face down", "phased out")
ZONES: Final = ("battlefield", "stack", "hand", "library", "graveyard", "exile", "command")
KINDS: Final = ("card", "token", "copy")
CHOICES: Final[tuple[str, ...]] = ("mode", "targets", "x", "kicked", "division")
SET_BY_ABILITY: Final = ("as it enters", "as it is turned face up")
EFFECTS: Final = (
    "type-changing",
    "text-changing",
    "color-changing",
    "control-changing",
    "ability-changing",
    "power and toughness",
)
OUT_OF_MODEL: Final = (
    "combat",
    "attacks",
    "blocks",
    "damage",
    "mana",
    "costs",
    "priority",
    "triggered abilities",
)

_TOP = ("scenario", "objects", "steps", "expect")
_OBJECT = (
    "kind",
    "zone",
    *ch.CHARACTERISTICS,
    "face down as",
    *SET_BY_ABILITY,
    "status",
    "counters",
    "stickers",
    "effects",
    "copy of",
    *CHOICES,
)
_NAME = re.compile(r"[A-Za-z][\w -]{0,60}")
_NOTHING = ("none", "no", "nothing", "[]")
_NUMBER = re.compile(r"[+-]?\d{1,9}")


class StepKind(StrEnum):
    """What can happen to an object."""

    ENTERS_AS_COPY = "enters as a copy"
    BECOMES_COPY = "becomes a copy"
    CREATE_TOKEN_COPY = "create a token copy"  # noqa: S105 - a token of the game
    COPY_SPELL = "copy a spell"


@dataclass(frozen=True, slots=True)
class Sticker:
    """A sticker on an object: its text as the scenario calls it."""

    text: str


@dataclass(frozen=True, slots=True)
class Effect:
    """A continuous effect on an object other than a copy effect, with what it sets."""

    kind: str
    sets: Values


@dataclass(frozen=True, slots=True)
class GameObject:
    """An object as the scenario begins: what is printed on it, and its state.

    ``face_down_as`` are the characteristics that the rule or ability lists which lets it be face down;
    ``None``: the
    scenario does not say. ``set_by`` has what abilities set ``as it enters`` or ``as it is turned face up``.
    ``copy_of`` names the object that it already is a copy of.
    """

    name: str
    line: int
    kind: str = "card"
    zone: str = "battlefield"
    printed: Values = field(default_factory=dict)
    face_down_as: Values | None = None
    set_by: Mapping[str, Values] = field(default_factory=dict)
    status: tuple[str, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    stickers: tuple[Sticker, ...] = ()
    effects: tuple[Effect, ...] = ()
    copy_of: str | None = None
    choices: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """``object`` becomes, enters as, or is made as a copy of ``of``; ``choices`` are new choices for a
    copied spell."""

    kind: StepKind
    object: str
    of: str
    line: int
    choices: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What the scenario expects at a dotted path, such as ``clone.power`` or ``clone.counters.+1/+1``."""

    path: str
    expected: Value
    line: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file, read and checked. ``source`` is its name as given."""

    source: str
    title: str
    objects: Mapping[str, GameObject]
    steps: tuple[Step, ...]
    expectations: tuple[Expectation, ...]


def load_scenario(path: Path) -> Scenario:
    """Read a scenario file. Raises ``ScenarioError``."""
    return _Loader(str(path)).scenario(read_yaml_file(path))


def parse_scenario(data: str | bytes, source: str = "scenario") -> Scenario:
    """Read a scenario from text. Raises ``ScenarioError``."""
    raw = data.encode() if isinstance(data, str) else data
    return _Loader(source).scenario(read_yaml(raw, source))


def written(key: str) -> str:
    """The one form of a key that may be written with blanks, underscores or capitals."""
    plain = " ".join(key.replace("_", " ").split()).lower()
    return ch.ALSO_WRITTEN.get(plain, plain)


class _Loader:
    def __init__(self, source: str) -> None:
        self.source = source

    def error(self, line: int, message: str) -> ScenarioError:
        return ScenarioError(f"{self.source}, line {line}: {message}")

    def scenario(self, root: Node) -> Scenario:
        top = self.table(root, "a scenario", _TOP)
        title = self.text(top["scenario"][1]) if "scenario" in top else ""
        if "objects" not in top:
            raise self.error(root.line, "has no objects; a scenario needs the key objects")
        table = self.names(top["objects"][1], "objects")
        objects = {name: self.object(name, node, line) for name, (line, node) in table.items()}
        if not objects:
            raise self.error(root.line, "has no objects; describe at least one under the key objects")
        self.copies(objects)
        steps = []
        known = dict.fromkeys(objects)
        for node in self.items(top["steps"][1]) if "steps" in top else []:
            step = self.step(node, known)
            known[step.object] = None
            steps.append(step)
        expectations = tuple(self.expectations(top["expect"][1], known)) if "expect" in top else ()
        return Scenario(self.source, title, objects, tuple(steps), expectations)

    # --- the shapes of YAML

    def table(self, node: Node, what: str, keys: Iterable[str]) -> dict[str, tuple[int, Node]]:
        """The entries of a table whose keys are all known."""
        allowed = tuple(keys)
        found: dict[str, tuple[int, Node]] = {}
        for key, (line, child) in self.entries(node, what, allowed).items():
            plain = written(key)
            if plain not in allowed:
                raise self.unknown(line, key, what, allowed)
            if plain in found:
                raise self.error(
                    line, f'"{key}" says {plain} a second time (first on line {found[plain][0]}); keep one'
                )
            found[plain] = (line, child)
        return found

    def entries(self, node: Node, what: str, keys: Iterable[str] = ()) -> dict[str, tuple[int, Node]]:
        if isinstance(node, Table):
            return {key: (node.lines[key], child) for key, child in node.nodes.items()}
        expected = f" with the keys {', '.join(keys)}" if keys else ""
        raise self.error(
            node.line,
            f"{what} must be a table{expected}, not a {'list' if isinstance(node, Items) else 'text'}",
        )

    def unknown(self, line: int, key: str, what: str, allowed: Iterable[str]) -> ScenarioError:
        plain = written(key)
        if plain in OUT_OF_MODEL:
            return self.error(line, f'"{key}": {plain} is outside what the engine models; see docs/engine.md')
        near = difflib.get_close_matches(plain, [*allowed, *ch.ALSO_WRITTEN], 1, 0.6)
        near = [written(word) for word in near if written(word) in allowed]
        hint = f'; did you mean "{near[0]}"?' if near else ""
        return self.error(
            line,
            f'"{key}" is no key of {what}{hint} The keys are: {", ".join(allowed)}.'
            if near
            else f'"{key}" is no key of {what}; the keys are: {", ".join(allowed)}.',
        )

    def names(self, node: Node, what: str) -> dict[str, tuple[int, Node]]:
        found = self.entries(node, what)
        for key, (line, _) in found.items():
            self.name(key, line)
        return found

    def name(self, key: str, line: int) -> str:
        if not _NAME.fullmatch(key):
            raise self.error(line, f'"{key[:40]}" cannot be the name of an object; use letters, digits, blanks and "-"')
        return key

    def items(self, node: Node) -> list[Node]:
        if isinstance(node, Items):
            return node.nodes
        if isinstance(node, Scalar) and not node.quoted and node.text.lower() in ("", *_NOTHING):
            return []
        return [node]

    def text(self, node: Node) -> str:
        if isinstance(node, Scalar):
            return node.text
        raise self.error(node.line, "must be a plain text, not a list or a table")

    def one_of(self, node: Node, what: str, allowed: tuple[str, ...]) -> str:
        text = written(self.text(node))
        if text in allowed:
            return text
        near = difflib.get_close_matches(text, allowed, 1, 0.6)
        hint = f' did you mean "{near[0]}"?' if near else ""
        raise self.error(node.line, f'"{text}" is no {what};{hint} there are: {", ".join(allowed)}.')

    # --- values

    def value(self, key: str, node: Node) -> Value:
        if key in ch.LISTS or key in ("targets", "mode"):
            texts = tuple(self.text(item) for item in self.items(node))
            if key in ("color", "color indicator"):
                return tuple(self.color(item) for item in self.items(node))
            return texts
        if key == "division":
            return tuple(f"{name}: {self.text(child)}" for name, (_, child) in self.entries(node, "division").items())
        text = self.text(node)
        if key == "kicked":
            if text.lower() not in ("yes", "no", "true", "false"):
                raise self.error(node.line, f'kicked is yes or no, not "{text}"')
            return "yes" if text.lower() in ("yes", "true") else "no"
        if key in ch.NUMBERS or key == "x":
            if _NUMBER.fullmatch(text):
                return int(text)
            if key in ("x", "loyalty", "defense", "hand modifier", "life modifier") or not re.fullmatch(
                r"[\d*+½xX²-]{1,8}", text
            ):
                raise self.error(node.line, f'{key} must be a number, not "{text[:40]}"')
        return text

    def color(self, node: Node) -> str:
        text = self.text(node)
        return ch.COLORS.get(text.upper()) or self.one_of(node, "color", tuple(ch.COLORS.values()))

    def values(self, node: Node, what: str) -> Values:
        return {key: self.value(key, child) for key, (_, child) in self.table(node, what, ch.CHARACTERISTICS).items()}

    # --- objects

    def object(self, name: str, node: Node, line: int) -> GameObject:
        table = self.table(node, f'the object "{name}"', _OBJECT)
        printed = {key: self.value(key, table[key][1]) for key in ch.CHARACTERISTICS if key in table}
        choices = {key: self.value(key, table[key][1]) for key in CHOICES if key in table}
        zone = self.one_of(table["zone"][1], "zone", ZONES) if "zone" in table else "battlefield"
        if choices and zone != "stack":
            key = next(iter(choices))
            raise self.error(table[key][0], f'{key} is a choice made for an object on the stack; say "zone: stack"')
        status = (
            tuple(self.one_of(item, "status", STATUSES) for item in self.items(table["status"][1]))
            if "status" in table
            else ()
        )
        if "face down as" in table and "face down" not in status:
            raise self.error(table["face down as"][0], '"face down as" needs "status: [face down]"')
        given = set(printed.get("color", ()))  # type: ignore[arg-type]
        if "color" in printed and not printed.get("mana cost") and not printed.get("color indicator") and given:
            raise self.error(table["color"][0], "a color comes from a mana cost or a color indicator; say which it is")
        if given and given != set(ch.colors_of(printed)):
            raise self.error(
                table["color"][0],
                "this is not the color that mana cost and color indicator give; leave color out, or "
                "describe the effect that sets it under effects",
            )
        return GameObject(
            name=name,
            line=line,
            kind=self.one_of(table["kind"][1], "kind of object", KINDS) if "kind" in table else "card",
            zone=zone,
            printed=printed,
            face_down_as=self.values(table["face down as"][1], '"face down as"') if "face down as" in table else None,
            set_by={key: self.values(table[key][1], f'"{key}"') for key in SET_BY_ABILITY if key in table},
            status=status,
            counters=self.counters(table["counters"][1]) if "counters" in table else {},
            stickers=tuple(Sticker(self.text(item)) for item in self.items(table["stickers"][1]))
            if "stickers" in table
            else (),
            effects=tuple(self.effect(item) for item in self.items(table["effects"][1])) if "effects" in table else (),
            copy_of=self.text(table["copy of"][1]) if "copy of" in table else None,
            choices=choices,
        )

    def counters(self, node: Node) -> dict[str, int]:
        found = {}
        for kind, (line, child) in self.entries(node, "counters").items():
            text = self.text(child)
            if not re.fullmatch(r"\d{1,9}", text):
                raise self.error(line, f'the number of {kind[:40]} counters must be a whole number, not "{text[:40]}"')
            found[kind] = int(text)
        return {kind: number for kind, number in found.items() if number}

    def effect(self, node: Node) -> Effect:
        table = self.table(node, "an effect", ("kind", *ch.CHARACTERISTICS, "controller"))
        if "kind" not in table:
            raise self.error(node.line, f"an effect needs its kind: one of {', '.join(EFFECTS)}")
        sets = {key: self.value(key, child) for key, (_, child) in table.items() if key != "kind"}
        return Effect(self.one_of(table["kind"][1], "kind of effect", EFFECTS), sets)

    def copies(self, objects: Mapping[str, GameObject]) -> None:
        """Every object that is a copy leads to one that is none."""
        clear: set[str] = set()
        for start in objects:
            path: dict[str, None] = {}
            name: str | None = start
            while name is not None and name not in clear:
                if name not in objects:
                    last = objects[next(reversed(path))]
                    raise self.missing(name, last.line, objects)
                if name in path:
                    ring = [*list(path)[list(path).index(name) :], name]
                    shown = ring if len(ring) <= 6 else [*ring[:3], "...", *ring[-2:]]
                    raise self.error(
                        objects[name].line,
                        f"a cycle of copies: {' is a copy of '.join(shown)}; one of them must be no copy",
                    )
                path[name] = None
                name = objects[name].copy_of
            clear.update(path)

    def missing(self, name: str, line: int, known: Iterable[str]) -> ScenarioError:
        names = list(known)
        near = difflib.get_close_matches(name, names[:2000], 1, 0.5)
        hint = f' did you mean "{near[0]}"?' if near else ""
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        return self.error(line, f'there is no object "{name[:60]}" here;{hint} There are: {shown}.')

    # --- steps and expectations

    def step(self, node: Node, known: Mapping[str, None]) -> Step:
        table = self.table(node, "a step", tuple(kind.value for kind in StepKind))
        if len(table) != 1:
            raise self.error(node.line, f"a step is one of: {', '.join(kind.value for kind in StepKind)}")
        ((key, (line, child)),) = table.items()
        kind = StepKind(key)
        keys = ("object", "of", *(CHOICES if kind is StepKind.COPY_SPELL else ()))
        inner = self.table(child, f'the step "{key}"', keys)
        for needed in ("object", "of"):
            if needed not in inner:
                raise self.error(line, f'the step "{key}" needs the key {needed}')
        name, of = self.text(inner["object"][1]), self.text(inner["of"][1])
        if of not in known:
            raise self.missing(of, inner["of"][0], known)
        if kind in (StepKind.ENTERS_AS_COPY, StepKind.BECOMES_COPY) and name not in known:
            raise self.missing(name, inner["object"][0], known)
        if kind in (StepKind.CREATE_TOKEN_COPY, StepKind.COPY_SPELL):
            self.name(name, inner["object"][0])
            if name in known:
                raise self.error(inner["object"][0], f'"{name}" exists already; give the new object another name')
        choices = {key: self.value(key, inner[key][1]) for key in CHOICES if key in inner}
        return Step(kind, name, of, line, choices)

    def expectations(self, node: Node, known: Mapping[str, None]) -> Iterable[Expectation]:
        seen: dict[str, int] = {}
        for key, (line, child) in self.entries(node, "expect").items():
            path, place = self.path(key, line, known)
            if path in seen:
                raise self.error(line, f'"{key}" is expected a second time (first on line {seen[path]}); keep one')
            seen[path] = line
            yield Expectation(path, self.expected(place, child), line)

    def path(self, key: str, line: int, known: Mapping[str, None]) -> tuple[str, str]:
        name, dot, rest = key.partition(".")
        if name not in known:
            raise self.missing(name, line, known)
        prefix = ""
        if rest.startswith("copiable."):
            prefix, rest = "copiable.", rest.removeprefix("copiable.")
        if rest.startswith("counters.") and not prefix:
            return f"{name}.{rest}", "counters"
        places = (
            ch.CHARACTERISTICS
            if prefix
            else (
                *ch.CHARACTERISTICS,
                "copiable",
                "status",
                "counters",
                "stickers",
                "kind",
                "zone",
                *STATUSES,
                *CHOICES,
            )
        )
        place = written(rest)
        if not dot or place not in places or place == "copiable":
            raise self.unknown(line, rest or key, f'what can be expected of "{name}"', places)
        return f"{name}.{prefix}{place}", place

    def expected(self, place: str, node: Node) -> Value:
        if isinstance(node, Scalar) and not node.quoted and node.text.lower() in _NOTHING and place != "kicked":
            return "no" if place in STATUSES else 0 if place == "counters" else "none"
        if place in STATUSES:
            return "yes" if self.text(node).lower() in ("yes", "true") else "no"
        if place in ("status", "stickers"):
            return tuple(self.text(item) for item in self.items(node))
        if place == "counters":
            text = self.text(node)
            if not re.fullmatch(r"\d{1,9}", text):
                raise self.error(node.line, f'a number of counters must be a whole number, not "{text[:40]}"')
            return int(text)
        return self.value(place, node)
