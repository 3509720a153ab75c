"""Where the files that ship with the program lie: inside the wheel, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def data_folder() -> Path:
    """Folder of the data files that a rules expert can read and correct."""
    return _folder("data")


def templates_folder() -> Path:
    """Folder of the report templates."""
    return _folder("templates")
