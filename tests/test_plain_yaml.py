"""Plain YAML is read without a library, and exactly as the library reads it; what is not plain is left to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulehist.engine.library_yaml import read_with_library
from rulehist.engine.plain_yaml import read_plain
from rulehist.engine.yaml_tree import Items, Node, Scalar, Table, read_yaml
from rulehist.errors import ScenarioError
from rulehist.resources import data_folder
from rulehist.thresholds import SCENARIO_DEPTH

SCENARIOS = sorted((data_folder() / "scenarios").rglob("*.yaml"))
SHORT = [text for text in (path.read_text(encoding="utf-8") for path in SCENARIOS) if len(text) < 900]
PIECES = (
    *" \n:-,[]{}#'\"?&*!|>%@`.a1~=\\+—",
    *(
        "\n  ",
        "\n- ",
        "- ",
        ": ",
        ":\n",
        " #x",
        "''",
        "a: b",
        "---",
        "...",
        "? ",
        "\n\n",
        "k:",
        " :",
        "- -",
        "{a: b}",
        ":a",
    ),
)


def by_library(text: str) -> Node | None:
    try:
        return read_with_library(text, "scenario")
    except ScenarioError:
        return None


def in_order(node: Node | None) -> object:
    """A tree in which the order of keys counts, as it does for objects: their timestamps follow it."""
    if isinstance(node, Table):
        entries = [(key, node.lines[key], in_order(child)) for key, child in node.nodes.items()]
        return "table", node.line, entries
    return ("list", node.line, list(map(in_order, node.nodes))) if isinstance(node, Items) else node


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_scenario_that_ships_is_plain(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert in_order(read_plain(text)) == in_order(read_with_library(text, path.name))


def test_texts_lists_and_tables_with_their_lines() -> None:
    text = """# of what
name: Clone's clone # two
list:
- 'it''s'
-  power: +1/+1
   "quoted": [a b,
     {c: d:e}]
"""
    assert read_plain(text) == Table(
        {
            "name": Scalar("Clone's clone", 2),
            "list": Items(
                [
                    Scalar("it's", 4, True),
                    Table(
                        {
                            "power": Scalar("+1/+1", 5),
                            "quoted": Items([Scalar("a b", 6), Table({"c": Scalar("d:e", 7)}, 7, {"c": 7})], 6),
                        },
                        5,
                        {"power": 5, "quoted": 6},
                    ),
                ],
                4,
            ),
        },
        2,
        {"name": 2, "list": 3},
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "word",
        "[a]",
        "a: b\n\tc: d",
        "a: b\r\nc: d",
        "a: b\nc",
        "a: b\n  c: d",
        "a:\nb: c",
        "a: b c\n  d",
        "a: b: c",
        "a: 'b'c",
        "a: 'b\n  c'",
        'a: "\\n"',
        "a: |\n  b",
        "a: &b c",
        "a: *b",
        "a: !b c",
        "a: b\na: c",
        "a: {b: c, b: d}",
        "a: {b, c}",
        "a: [b: c]",
        "a: [b\n  c]",
        "a: [b",
        "a: [b] c",
        "a: [b, , c]",
        "? a",
        "---\na: b",
        "a: b\n...",
        "- a\nb: c",
        "  - a\n - b",
        f"{'a' * 1200}: b",
    ],
)
def test_what_is_not_plain_is_left_to_the_library(text: str) -> None:
    assert read_plain(text) is None


@pytest.mark.parametrize("nested", ["{a: ", "[", "- ", "a:\n"])
@pytest.mark.parametrize("depth", [SCENARIO_DEPTH - 1, SCENARIO_DEPTH])
def test_the_depth_at_which_nesting_ends_is_the_same(nested: str, depth: int) -> None:
    """The list or table at the top is one level of it."""
    if nested == "a:\n":
        within = "".join(f"{' ' * (place + 2)}a:\n" for place in range(depth - 1)) + f"{' ' * (depth + 1)}b: c"
        text = "top:\n" + within
    elif nested == "- ":
        text = f"top:\n  {nested * depth}b"
    else:
        text = f"top: {nested * depth}b{(']' if nested == '[' else '}') * depth}"
    assert read_plain(text) == by_library(text)
    assert (by_library(text) is None) == (depth == SCENARIO_DEPTH)


@given(
    st.sampled_from(SHORT),
    st.lists(st.tuples(st.integers(0, 900), st.integers(0, 6), st.sampled_from(PIECES)), max_size=4),
)
def test_a_plain_reading_is_that_of_the_library_whatever_is_changed_in_a_file(
    text: str, changes: list[tuple[int, int, str]]
) -> None:
    for place, length, piece in changes:
        at = place % (len(text) + 1)
        text = text[:at] + piece + text[at + length :]
    plain = read_plain(text)
    assert plain is None or in_order(plain) == in_order(by_library(text))


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_a_plain_reading_is_that_of_the_library_whatever_is_put_together(text: str) -> None:
    plain = read_plain(text)
    assert plain is None or in_order(plain) == in_order(by_library(text))


def test_a_mistake_is_told_by_the_library_with_its_line() -> None:
    with pytest.raises(
        ScenarioError, match=r'x, line 3: the key "power" stands here a second time \(first on line 2\)'
    ):
        read_yaml(b"a: b\npower: 1\npower: 2\n", "x")
