"""YAML as a tree of texts with lines: every scalar stays the text that was written, and every node knows its
line.

The tree is built from the parser's events with a stack of our own, so that neither deep nesting nor a chain
of
aliases can exhaust memory or the call stack: both are refused as they are met.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from rulehist.errors import ScenarioError
from rulehist.thresholds import SCENARIO_BYTES, SCENARIO_DEPTH


class Scalar(NamedTuple):
    """A text as written; ``quoted`` tells ``""`` from nothing at all."""

    text: str
    line: int
    quoted: bool = False


class Items(NamedTuple):
    """A list of nodes."""

    nodes: list[Node]
    line: int


class Table(NamedTuple):
    """Keys as written, each with its node, in the order of the file; ``lines`` are those of the keys."""

    nodes: dict[str, Node]
    line: int
    lines: dict[str, int]


Node = Scalar | Items | Table


def read_yaml(data: bytes, name: str) -> Node:
    """The tree of one YAML document.

    Raises ``ScenarioError``, naming file and line, for what is too large or nested too deeply, for bytes
    that are
    not UTF-8, for a key that stands twice, for aliases, tags and a second document, and for whatever is no
    YAML.
    """
    if len(data) > SCENARIO_BYTES:
        raise ScenarioError(
            f"{name}: is {len(data):,} bytes long; a scenario has at most {SCENARIO_BYTES:,}: divide it into several"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ScenarioError(f"{name}, line {line}: is not UTF-8; save the file as UTF-8") from error
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        return _build(YAML(typ="base", pure=True).parse(text), name)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f", line {mark.line + 1}" if mark is not None else ""
        raise ScenarioError(f"{name}{where}: is no YAML: {error.problem or error.context}") from error
    except YAMLError as error:
        raise ScenarioError(f"{name}: is no YAML: {' '.join(str(error).split())}") from error


def read_yaml_file(path: Path) -> Node:
    """As ``read_yaml``, from a file; the size is checked before anything is read."""
    try:
        if path.is_dir():
            raise ScenarioError(f"{path}: is a folder; name a scenario file in it")
        if path.stat().st_size > SCENARIO_BYTES:
            raise ScenarioError(
                f"{path}: is {path.stat().st_size:,} bytes long; a scenario has at most {SCENARIO_BYTES:,}: "
                "divide it into several"
            )
        data = path.read_bytes()
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read ({error.strerror}); name an existing scenario file") from error
    return read_yaml(data, str(path))


class _Open:
    """A list or table that has not ended yet."""

    __slots__ = ("key", "node")

    def __init__(self, node: Items | Table) -> None:
        self.node = node
        self.key: Scalar | None = None

    def take(self, child: Node, name: str) -> None:
        """Put ``child`` in its place: the next item, the next key, or the value of the last key."""
        if isinstance(self.node, Items):
            self.node.nodes.append(child)
        elif self.key is not None:
            self.node.nodes[self.key.text] = child
            self.key = None
        elif not isinstance(child, Scalar):
            raise ScenarioError(f"{name}, line {child.line}: a key must be a word, not a list or a table")
        elif child.text in self.node.nodes:
            first = self.node.lines[child.text]
            raise ScenarioError(
                f'{name}, line {child.line}: the key "{child.text}" stands here a second time '
                f"(first on line {first}); "
                "keep one of them"
            )
        else:
            self.node.lines[child.text] = child.line
            self.key = child


def _build(events: Iterable[Any], name: str) -> Node:
    from ruamel.yaml import events as kinds

    root: Node | None = None
    documents = 0
    stack: list[_Open] = []
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, kinds.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise ScenarioError(f"{name}, line {line}: a second document begins; write one scenario to a file")
            continue
        if isinstance(event, kinds.AliasEvent):
            raise ScenarioError(f"{name}, line {line}: aliases (*{event.anchor}) are not read; write the value out")
        if isinstance(event, kinds.MappingEndEvent | kinds.SequenceEndEvent):
            stack.pop()
            continue
        if not isinstance(event, kinds.NodeEvent):
            continue
        _refuse_tag(event, name)
        node = _node(event)
        if stack:
            stack[-1].take(node, name)
        else:
            root = node
        if not isinstance(node, Scalar):
            stack.append(_Open(node))
            if len(stack) > SCENARIO_DEPTH:
                raise ScenarioError(
                    f"{name}, line {line}: is nested more than {SCENARIO_DEPTH} deep; no part of a scenario is"
                )
    if root is None:
        raise ScenarioError(f"{name}: is empty; a scenario has at least the key objects")
    return root


def _refuse_tag(event: Any, name: str) -> None:
    tagged = event.tag not in (None, "!") and event.implicit in (False, (False, False))
    if tagged:
        raise ScenarioError(
            f"{name}, line {event.start_mark.line + 1}: tags ({event.tag}) are not read; write the plain value"
        )


def _node(event: Any) -> Node:
    from ruamel.yaml import events as kinds

    line = event.start_mark.line + 1
    if isinstance(event, kinds.ScalarEvent):
        return Scalar(event.value, line, event.style is not None)
    return Items([], line) if isinstance(event, kinds.SequenceStartEvent) else Table({}, line, {})
