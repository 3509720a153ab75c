"""The page on the architecture names every module, and no module that is not there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ROWS = [line.split("|")[2].strip() for line in PAGE.splitlines() if line.startswith("| ")]
NEEDS_NO_NAME = {"__init__", "__main__"}


def _named() -> list[str]:
    """What the second column names; of a row about a subpackage that alone, for what it says further is inside."""
    names = [re.findall(r"`([a-z_0-9]+/?)`", row) for row in ROWS]
    return [name for row in names for name in (row[:1] if row and row[0].endswith("/") else row)]


def _rooms() -> set[str]:
    """The modules of the package, and its subpackages with a stroke behind them: each is one room."""
    package = ROOT / "rulehist"
    modules = {path.stem for path in package.glob("*.py")} - NEEDS_NO_NAME
    return modules | {f"{path.parent.name}/" for path in package.glob("*/__init__.py")}


def test_every_module_has_its_place_in_the_table() -> None:
    assert _rooms() - set(_named()) == set()


def test_the_table_names_no_module_that_is_not_there() -> None:
    assert set(_named()) - _rooms() == set()


def test_no_module_stands_in_two_places() -> None:
    assert sorted(_named()) == sorted(set(_named()))
