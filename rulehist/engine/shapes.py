"""Shapes of scenario files: each can read a node of YAML and say itself as JSON Schema, so that the two agree.

A shape reads what stands in the file into plain values: tables into dicts under the one form of their keys, lists into
tuples, numbers into ``int``. Whatever does not fit is a ``ScenarioError`` naming file, line and the nearest right word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from typing import Any, Final, Protocol

from rulehist.engine import characteristics as ch
from rulehist.engine.yaml_tree import Items, Node, Scalar, Table
from rulehist.errors import ScenarioError

Json = dict[str, Any]
NOTHING: Final = ("none", "no", "nothing", "[]")
_YES, _NO = ("yes", "true"), ("no", "false")
_WHOLE: Final = r"[+-]?[0-9]{1,9}"
_ALIKE: Final = 0.8
"""How much a type must be like a known one to be taken for a slip: ``Creture`` is, ``Planet`` is not like ``Land``."""


class Shape(Protocol):
    """What can stand at a place of a scenario file."""

    def read(self, node: Node, at: Source) -> Any:
        """The value that the node stands for. Raises ``ScenarioError``."""

    def schema(self) -> Json:
        """The shape as JSON Schema."""


class Source:
    """The file that is read, for errors, the objects that are known at the place that is read, and its key."""

    __slots__ = ("key", "name", "objects")

    def __init__(self, name: str, objects: Mapping[str, object]) -> None:
        self.name = name
        self.objects = objects
        self.key = ""

    def error(self, line: int, message: str) -> ScenarioError:
        """An error at a line of the file."""
        return ScenarioError(f"{self.name}, line {line}: {message}")

    def text(self, node: Node) -> str:
        """The text of a scalar."""
        if isinstance(node, Scalar):
            return node.text
        what = "a list" if isinstance(node, Items) else "a table"
        raise self.error(node.line, f"{self.key or 'this'} must be a plain text, not {what}")

    def items(self, node: Node) -> list[Node]:
        """The items of a list; one that is no list is a list of itself, ``none`` is an empty one."""
        if isinstance(node, Items):
            return node.nodes
        if isinstance(node, Scalar) and not node.quoted and node.text.lower() in ("", *NOTHING):
            return []
        return [node]

    def entries(self, node: Node, what: str, keys: Iterable[str] = ()) -> dict[str, tuple[int, Node]]:
        """The entries of a table, with the lines of their keys."""
        if isinstance(node, Table):
            return {key: (node.lines[key], child) for key, child in node.nodes.items()}
        expected = f" with the keys {', '.join(keys)}" if keys else ""
        nothing = isinstance(node, Scalar) and not node.text and not node.quoted
        found = "nothing" if nothing else "a list" if isinstance(node, Items) else "a text"
        raise self.error(node.line, f"{what} must be a table{expected}, not {found}")

    def unknown(self, line: int, key: str, what: str, allowed: Iterable[str]) -> ScenarioError:
        """The error for a key that is none, with the nearest that is one."""
        from rulehist.engine.near_words import OUT_OF_MODEL, SAID, nearest

        allowed = tuple(allowed)
        plain = written(key)
        if plain in OUT_OF_MODEL:
            return self.error(line, f'"{key[:40]}": {plain} is outside what the engine models; see docs/engine.md')
        meant = SAID.get(plain, "")
        if meant.split(":")[0] in allowed:
            return self.error(
                line, f'"{key[:40]}" is no key of {what}; say "{meant}". The keys are: {", ".join(allowed)}.'
            )
        near = nearest(plain, [*allowed, *ch.ALSO_WRITTEN], 0.6)
        near = [written(word) for word in near if written(word) in allowed]
        hint = f'did you mean "{near[0]}"? The' if near else "the"
        return self.error(line, f'"{key[:40]}" is no key of {what}; {hint} keys are: {", ".join(allowed)}.')

    def missing(self, name: str, line: int) -> ScenarioError:
        """The error for an object that there is not, with the nearest that there is."""
        from rulehist.engine.near_words import nearest

        names = list(self.objects)
        near = nearest(name, names[:2000], 0.5)
        hint = f'did you mean "{near[0]}"? There' if near else "there"
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        return self.error(line, f'there is no object "{name[:60]}" here; {hint} are: {shown or "none"}.')


def written(key: str) -> str:
    """The one form of a key that may be written with blanks, underscores or capitals."""
    plain = spaced(key)
    return ch.ALSO_WRITTEN.get(plain, plain)


def spaced(key: str) -> str:
    """A key with blanks and small letters, otherwise as it is."""
    return " ".join(key.replace("_", " ").split()).lower()


class Text:
    """A text, as written."""

    def read(self, node: Node, at: Source) -> str:
        """The text."""
        return at.text(node)

    def schema(self) -> Json:
        """A text, or what YAML takes for a number."""
        return {"type": ["string", "number", "boolean"]}


class TypeWord:
    """A card type, subtype or supertype; small letters are made large, as types are printed."""

    __slots__ = ("key",)

    def __init__(self, key: str) -> None:
        self.key = key

    def read(self, node: Node, at: Source) -> str:
        """The word."""
        text = at.text(node)
        first = text.partition(" ")[0].capitalize()
        if self.key == "card types" and first in ch.SUPERTYPES:
            rest = text.partition(" ")[2] or "..."
            raise at.error(
                node.line, f'"{text[:40]}" is no card type; say "supertypes: [{first}]" and "card types: [{rest[:30]}]"'
            )
        if "—" in text or " - " in text:
            raise at.error(
                node.line, f'"{text[:40]}" is no one type; give card types and subtypes under their own keys'
            )
        plain = text.islower() and " " not in text and text != "chosen"
        word = "-".join(part.capitalize() for part in text.split("-")) if plain else text
        known = {"card types": ch.CARD_TYPES, "supertypes": ch.SUPERTYPES}.get(self.key)
        if known and word not in (*known, "Chosen"):
            self._slip(word, known, node, at)
        return word

    def _slip(self, word: str, known: tuple[str, ...], node: Node, at: Source) -> None:
        """An error for a word that is nearly a known one; rules to come may have others."""
        from rulehist.engine.near_words import nearest

        near = nearest(word.capitalize(), known, _ALIKE)
        if near and near[0] != word:
            raise at.error(node.line, f'"{word[:40]}" is no {self.key[:-1]}; did you mean "{near[0]}"?')

    def schema(self) -> Json:
        """A text."""
        return {"type": "string"}


class Word:
    """One of a few words; ``what`` is what they are words for."""

    __slots__ = ("what", "words")

    def __init__(self, what: str, words: tuple[str, ...]) -> None:
        self.what = what
        self.words = words

    def read(self, node: Node, at: Source) -> str:
        """The word."""
        text = written(at.text(node))
        if text in self.words:
            return text
        from rulehist.engine.near_words import nearest

        near = nearest(text, self.words, 0.6)
        hint = f'did you mean "{near[0]}"? There' if near else "there"
        raise at.error(node.line, f'"{text[:40]}" is no {self.what}; {hint} are: {", ".join(self.words)}.')

    def schema(self) -> Json:
        """The words."""
        return {"enum": list(self.words)}


class YesNo:
    """``yes`` or ``no``."""

    __slots__ = ("what",)

    def __init__(self, what: str = "this") -> None:
        self.what = what

    def read(self, node: Node, at: Source) -> bool:
        """Whether it says yes."""
        text = at.text(node)
        if text.lower() not in (*_YES, *_NO):
            raise at.error(node.line, f'{self.what} is yes or no, not "{text[:40]}"')
        return text.lower() in _YES

    def schema(self) -> Json:
        """Yes and no, as YAML 1.1 and 1.2 take them."""
        return {"enum": [*_YES, *_NO, True, False]}


class Whole:
    """A whole number, with a sign where ``signed``."""

    __slots__ = ("signed", "what")

    def __init__(self, what: str, signed: bool = False) -> None:
        self.what = what
        self.signed = signed

    def read(self, node: Node, at: Source) -> int:
        """The number."""
        text = at.text(node)
        if not re.fullmatch(_WHOLE, text) or (not self.signed and text[0] in "+-"):
            raise at.error(node.line, f'{self.what} must be a whole number, not "{text[:40]}"')
        return int(text)

    def schema(self) -> Json:
        """A number, or a text that YAML does not take for one (``+1``)."""
        bounds: Json = {} if self.signed else {"minimum": 0}
        return {
            "anyOf": [
                {"type": "integer", **bounds},
                {"type": "string", "pattern": r"^[+-]?[0-9]{1,9}$" if self.signed else r"^[0-9]{1,9}$"},
            ]
        }


class Color:
    """A color by its name or letter; ``chosen``: that of a choice may stand there too; ``counted``: how many colors."""

    __slots__ = ("chosen", "counted")

    def __init__(self, chosen: bool = False, counted: bool = False) -> None:
        self.chosen = chosen
        self.counted = counted

    def read(self, node: Node, at: Source) -> str:
        """The name of the color."""
        if self.chosen and written(at.text(node)) == "chosen":
            return "chosen"
        words = (*ch.COLORS.values(), *(ch.NUMBERS_OF_COLORS if self.counted else ()))
        return ch.COLORS.get(at.text(node).upper()) or Word("color", words).read(node, at)

    def schema(self) -> Json:
        """Names and letters."""
        return {
            "enum": [
                *ch.COLORS.values(),
                *ch.COLORS,
                *(("chosen",) if self.chosen else ()),
                *(ch.NUMBERS_OF_COLORS if self.counted else ()),
            ]
        }


class Colors:
    """Colors, or ``colorless`` for none; ``chosen`` as with ``Color``."""

    __slots__ = ("chosen",)

    def __init__(self, chosen: bool = False) -> None:
        self.chosen = chosen

    def read(self, node: Node, at: Source) -> tuple[str, ...]:
        """The names of the colors."""
        items = at.items(node)
        if len(items) == 1 and isinstance(items[0], Scalar) and written(items[0].text) == "colorless":
            return ()
        return tuple(Color(self.chosen).read(item, at) for item in items)

    def schema(self) -> Json:
        """A list, one color, or ``colorless``."""
        found = Each(Color(self.chosen)).schema()
        return {"anyOf": [*found["anyOf"], {"enum": ["colorless", ["colorless"]]}]}


class Known:
    """The name of an object of the scenario."""

    def read(self, node: Node, at: Source) -> str:
        """The name."""
        name = at.text(node)
        if name not in at.objects:
            raise at.missing(name, node.line)
        return name

    def schema(self) -> Json:
        """A text."""
        return {"type": "string"}


class Each:
    """A list; one thing alone is a list of one."""

    __slots__ = ("of",)

    def __init__(self, of: Shape) -> None:
        self.of = of

    def read(self, node: Node, at: Source) -> tuple[Any, ...]:
        """The values of the items."""
        return tuple(self.of.read(item, at) for item in at.items(node))

    def schema(self) -> Json:
        """A list, or one thing, or nothing."""
        item = self.of.schema()
        return {"anyOf": [{"type": "array", "items": item}, item, {"enum": ["none", "nothing", "no", "", None]}]}


class Map:
    """A table whose keys are free, and whose values have one shape."""

    __slots__ = ("of", "what")

    def __init__(self, what: str, of: Shape) -> None:
        self.what = what
        self.of = of

    def read(self, node: Node, at: Source) -> dict[str, Any]:
        """The values under their keys."""
        return {key: self.of.read(child, at) for key, (_, child) in at.entries(node, self.what).items()}

    def schema(self) -> Json:
        """A table."""
        return {"type": "object", "additionalProperties": self.of.schema()}


class Fields:
    """A table whose keys are all known. ``what`` it is called in errors; ``needs`` are keys that it must have.

    ``apart`` are keys that say the same in different ways, of which one alone may stand; ``some``: of these one must.
    """

    __slots__ = ("apart", "fields", "needs", "some", "what")

    def __init__(
        self,
        what: str,
        fields: Mapping[str, Shape],
        needs: tuple[str, ...] = (),
        apart: tuple[str, ...] = (),
        some: tuple[str, ...] = (),
    ) -> None:
        self.what = what
        self.fields = fields
        self.needs = needs
        self.apart = apart
        self.some = some

    def read(self, node: Node, at: Source) -> dict[str, Any]:
        """The values under the one form of their keys."""
        return self.values(self.nodes(node, at), at)

    def values(self, nodes: Mapping[str, tuple[int, Node]], at: Source) -> dict[str, Any]:
        """The values of the nodes."""
        found, outer = {}, at.key
        for key, (_, child) in nodes.items():
            at.key = key
            found[key] = self.fields[key].read(child, at)
        at.key = outer
        return found

    def nodes(self, node: Node, at: Source) -> dict[str, tuple[int, Node]]:
        """The nodes under the one form of their keys, each with the line of its key."""
        found: dict[str, tuple[int, Node]] = {}
        for key, (line, child) in at.entries(node, self.what, self.fields).items():
            plain = spaced(key) if spaced(key) in self.fields else written(key)
            if plain not in self.fields:
                raise at.unknown(line, key, self.what, self.fields)
            if plain in found:
                raise at.error(line, f'"{key}" says {plain} a second time (first on line {found[plain][0]}); keep one')
            found[plain] = (line, child)
        for needed in self.needs:
            if needed not in found:
                raise at.error(node.line, f"{self.what} needs the key {needed}")
        if self.some and not any(key in found for key in self.some):
            raise at.error(node.line, f"{self.what} needs one of the keys {', '.join(self.some)}")
        several = [key for key in self.apart if key in found]
        if len(several) > 1:
            line = found[several[1]][0]
            raise at.error(line, f"{self.what} says both {several[0]} and {several[1]}; keep one")
        return found

    def schema(self) -> Json:
        """A table that is closed."""
        properties = {key: shape.schema() for key, shape in self.fields.items()}
        properties |= {other: properties[key] for other, key in ch.ALSO_WRITTEN.items() if key in properties}
        schema: Json = {"type": "object", "additionalProperties": False, "properties": properties}
        if self.some:
            schema["anyOf"] = [{"required": [key]} for key in self.some]
        if self.apart:
            schema["allOf"] = [{"not": {"required": list(pair)}} for pair in combinations(self.apart, 2)]
        return schema | ({"required": list(self.needs)} if self.needs and not self._aliased() else {})

    def _aliased(self) -> bool:
        return any(key in ch.ALSO_WRITTEN.values() for key in self.needs)


class Either:
    """A table of one shape, or else what the other shape reads."""

    __slots__ = ("other", "table")

    def __init__(self, table: Shape, other: Shape) -> None:
        self.table = table
        self.other = other

    def read(self, node: Node, at: Source) -> Any:
        """What the one that fits reads."""
        return (self.table if isinstance(node, Table) else self.other).read(node, at)

    def schema(self) -> Json:
        """Both."""
        return {"anyOf": [self.table.schema(), self.other.schema()]}


class Named:
    """A shape that stands under a name elsewhere, so that it may contain itself."""

    __slots__ = ("name", "shapes")

    def __init__(self, name: str, shapes: Mapping[str, Shape]) -> None:
        self.name = name
        self.shapes = shapes

    def read(self, node: Node, at: Source) -> Any:
        """What the named shape reads."""
        return self.shapes[self.name].read(node, at)

    def schema(self) -> Json:
        """A reference."""
        return {"$ref": f"#/$defs/{self.name}"}


class Made:
    """A shape whose value is made into another value."""

    __slots__ = ("make", "shape")

    def __init__(self, shape: Shape, make: Callable[[Any], Any]) -> None:
        self.shape = shape
        self.make = make

    def read(self, node: Node, at: Source) -> Any:
        """The value, made."""
        return self.make(self.shape.read(node, at))

    def schema(self) -> Json:
        """That of the shape."""
        return self.shape.schema()
