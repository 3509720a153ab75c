"""The library of cards: the facts of the cards that the rules' own examples name, one file a card in ``data/cards``.

A card file has the characteristics and faces of a card in the words of scenario files, abilities as structured effects.
A scenario takes them over with ``card: NAME``; what it says itself beside that counts before what the file says.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Final

from rulehist.engine.characteristics import CHARACTERISTICS
from rulehist.engine.shapes import Fields, Source
from rulehist.engine.yaml_tree import read_yaml_file
from rulehist.errors import DataError, ScenarioError
from rulehist.folding import fold
from rulehist.resources import data_folder

FOLDER: Final = "cards"
_KEYS: Final = (*CHARACTERISTICS, "back face", "flipped face", "prototype", "modal")


@cache
def card(name: str) -> dict[str, Any]:
    """The values of a card as ``scenario.OBJECT`` reads them. Raises ``DataError`` for a card that is not there."""
    from rulehist.engine.scenario_shapes import OBJECT

    path = data_folder() / FOLDER / f"{file_name(name)}.yaml"
    if not path.is_file():
        from difflib import get_close_matches

        near = get_close_matches(file_name(name), [each.stem for each in path.parent.glob("*.yaml")], 1, 0.5)
        hint = f"; near it is {near[0]}.yaml" if near else ""
        raise DataError(f'data/{FOLDER} has no card "{name[:60]}"{hint}; describe the object in the scenario itself')
    shape = Fields("a card", {key: OBJECT.fields[key] for key in _KEYS}, ("name",))
    try:
        found = shape.read(read_yaml_file(path), Source(str(path), {}))
    except ScenarioError as error:
        raise DataError(str(error)) from error
    if found["name"] != name:
        raise DataError(f'{path}: is the card "{found["name"]}", not "{name}"; name the file after its card')
    return found


def file_name(name: str) -> str:
    """A card's name as the name of its file: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", fold(name).lower().replace("'", "")).strip("-")
