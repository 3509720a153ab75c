"""The JSON Schema of scenario files agrees with the loader: what one takes, the other takes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from rulehist.engine.scenario_shapes import OBJECT, STEPS, TOP
from rulehist.engine.schema import scenario_schema
from rulehist.resources import data_folder

SCHEMA = scenario_schema()
SHIPPED = sorted((data_folder() / "scenarios").rglob("*.yaml"))
MALFORMED = Path(__file__).parent / "data" / "malformed-scenarios"
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value fits a schema: the keywords that ours uses, and no others."""
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "anyOf" in schema and not any(fits(value, each) for each in schema["anyOf"]):
        return False
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(of_type(value, kind) for kind in kinds):
        return False
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        return False
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        return False
    if isinstance(value, list) and "items" in schema:
        return all(fits(each, schema["items"]) for each in value)
    if isinstance(value, dict):
        if any(key not in value for key in schema.get("required", [])):
            return False
        return all(fits_at(key, each, schema) for key, each in value.items())
    return True


def of_type(value: Any, kind: str) -> bool:
    if kind in ("number", "integer"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def fits_at(key: str, value: Any, schema: dict[str, Any]) -> bool:
    if key in schema.get("properties", {}):
        return fits(value, schema["properties"][key])
    more = schema.get("additionalProperties", True)
    return fits(value, more) if isinstance(more, dict) else bool(more)


def read(path: Path) -> Any:
    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): plain(each) for key, each in value.items()}
        if isinstance(value, list):
            return [plain(each) for each in value]
        return value if isinstance(value, str | int | float | bool | None) else str(value)

    return plain(YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_scenario_that_the_loader_takes_fits_the_schema(path: Path) -> None:
    assert fits(read(path), SCHEMA)


@pytest.mark.parametrize("name", ["typo", "wrong-zone", "combat", "counters-not-a-number", "no-objects", "a-list"])
def test_a_word_that_the_loader_refuses_does_not_fit_the_schema(name: str) -> None:
    try:
        value = read(MALFORMED / f"{name}.yaml")
    except YAMLError:
        pytest.fail("the file is YAML")
    assert not fits(value, SCHEMA)


def test_the_schema_has_every_key_of_the_loader_and_no_other() -> None:
    top = SCHEMA["properties"]
    assert set(top) >= set(TOP.fields)
    assert set(top["objects"]["additionalProperties"]["properties"]) >= set(OBJECT.fields)
    steps = top["steps"]["anyOf"][1]["properties"]
    assert set(steps) == {str(step) for step in STEPS}
    for step, shape in STEPS.items():
        if hasattr(shape, "fields"):
            assert set(steps[step]["properties"]) >= set(shape.fields)
