"""Answers under the rules of any day, each read from their text.

Names are imported when first used: who asks for a switch does not load the vocabulary of scenarios.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulehist.engine.comparison import Comparison as Comparison
    from rulehist.engine.comparison import compare as compare
    from rulehist.engine.evaluation import Answer as Answer
    from rulehist.engine.evaluation import evaluate as evaluate
    from rulehist.engine.rules import ListedRules as ListedRules
    from rulehist.engine.rules import RulesAt as RulesAt
    from rulehist.engine.rules import RuleText as RuleText
    from rulehist.engine.scenario import Scenario as Scenario
    from rulehist.engine.scenario_files import load_scenario as load_scenario
    from rulehist.engine.scenario_files import parse_scenario as parse_scenario
    from rulehist.engine.semantics import Semantics as Semantics
    from rulehist.engine.semantics import compile_semantics as compile_semantics
    from rulehist.engine.turning_points import Turn as Turn
    from rulehist.engine.turning_points import bisect as bisect

_HOMES = {
    "Answer": "evaluation",
    "Comparison": "comparison",
    "ListedRules": "rules",
    "RuleText": "rules",
    "RulesAt": "rules",
    "Scenario": "scenario",
    "Semantics": "semantics",
    "Turn": "turning_points",
    "bisect": "turning_points",
    "compare": "comparison",
    "compile_semantics": "semantics",
    "evaluate": "evaluation",
    "load_scenario": "scenario_files",
    "parse_scenario": "scenario_files",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - the names are those of the table above


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'rulehist.engine' has no attribute {name!r}")
    return getattr(import_module(f"rulehist.engine.{home}"), name)
