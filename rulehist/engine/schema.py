"""The vocabulary of scenario files as JSON Schema, out of the same shapes that read them."""

from __future__ import annotations

from typing import Any, Final

from rulehist.engine.scenario_shapes import TOP
from rulehist.engine.vocabulary import SHAPES

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of a scenario file.

    It knows the plain form of keys alone: that they may be written with capitals or underscores, that objects must
    exist and that paths of ``expect`` must lead somewhere is checked by the loader.
    """
    return {
        "$schema": DIALECT,
        "title": "A scenario of rulehist",
        **TOP.schema(),
        "anyOf": [{"required": ["objects"]}, {"required": ["steps"]}],
        "$defs": {name: shape.schema() for name, shape in SHAPES.items()},
    }
