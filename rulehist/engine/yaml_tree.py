"""YAML as a tree of texts with lines: every scalar stays the text that was written, and every node knows its line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rulehist.errors import ScenarioError
from rulehist.thresholds import SCENARIO_BYTES


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

    Raises ``ScenarioError``, naming file and line, for what is too large or nested too deeply, for bytes that are not
    UTF-8, for a key that stands twice, for aliases, tags and a second document, and for whatever is no YAML.
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
    from rulehist.engine.plain_yaml import read_plain

    plain = read_plain(text)
    if plain is not None:
        return plain
    from rulehist.engine.library_yaml import read_with_library

    return read_with_library(text, name)


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
        with path.open("rb") as file:
            data = file.read(SCENARIO_BYTES + 1)  # of what has no end, such as a device, no more is needed either
    except OSError as error:
        raise ScenarioError(f"{path}: cannot be read ({error.strerror}); name an existing scenario file") from error
    return read_yaml(data, str(path))
