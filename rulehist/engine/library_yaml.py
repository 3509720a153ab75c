"""Any YAML, read with the YAML library.

The tree is built from the parser's events with a stack of our own, so that neither deep nesting nor a chain of
aliases can exhaust memory or the call stack: both are refused as they are met.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml import events as kinds
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from rulehist.engine.yaml_tree import Items, Node, Scalar, Table
from rulehist.errors import ScenarioError
from rulehist.thresholds import SCENARIO_DEPTH

_STRANGE: Final = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\U0010ffff]")
"""Characters that YAML allows nowhere."""


def read_with_library(text: str, name: str) -> Node:
    """The tree of one YAML document. Raises ``ScenarioError`` as ``yaml_tree.read_yaml`` does."""
    strange = _STRANGE.search(text)
    if strange:
        line = len(text[: strange.start()].splitlines()) or 1
        raise ScenarioError(
            f"{name}, line {line}: has the character U+{ord(strange[0]):04X}, which YAML does not read; "
            "take it out, or save the file as UTF-8"
        )
    try:
        return _build(YAML(typ="base", pure=True).parse(text), name)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f", line {mark.line + 1}" if mark is not None else ""
        why = error.problem or error.context or ""
        if r"'\t'" in why:
            why = "a tab stands where only blanks may; use blanks"
        raise ScenarioError(f"{name}{where}: is no YAML: {why}") from error
    except YAMLError as error:
        raise ScenarioError(f"{name}: is no YAML: {' '.join(str(error).split())}") from error


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
            if isinstance(child, Scalar) and not child.text and not child.quoted:
                child = Scalar("", self.key.line)  # nothing stands there: the parser notes where it went on
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
    line = event.start_mark.line + 1
    if isinstance(event, kinds.ScalarEvent):
        return Scalar(event.value, line, event.style is not None)
    return Items([], line) if isinstance(event, kinds.SequenceStartEvent) else Table({}, line, {})
