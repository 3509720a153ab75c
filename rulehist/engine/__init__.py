"""Answers under the rules of any day, each read from their text."""

from rulehist.engine.compare import compare
from rulehist.engine.evaluate import Answer, evaluate
from rulehist.engine.rules import ListedRules, RulesAt, RuleText
from rulehist.engine.scenario import Scenario, load_scenario, parse_scenario
from rulehist.engine.semantics import Semantics, compile_semantics

__all__ = [
    "Answer",
    "ListedRules",
    "RuleText",
    "RulesAt",
    "Scenario",
    "Semantics",
    "compare",
    "compile_semantics",
    "evaluate",
    "load_scenario",
    "parse_scenario",
]
