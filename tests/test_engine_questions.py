"""Every question that the engine asks is a switch, and the engine can play every value that its data file gives."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import rulehist.engine
from rulehist.engine.questions import Question
from rulehist.engine.switches import switches

QUESTIONS = sorted(
    {
        value
        for module in pkgutil.iter_modules(rulehist.engine.__path__)
        for value in vars(importlib.import_module(f"rulehist.engine.{module.name}")).values()
        if isinstance(value, Question)
    },
    key=lambda question: question.switch,
)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.switch)
def test_the_engine_plays_every_value_of_a_switch_that_it_asks(question: Question) -> None:
    switch = switches()[question.switch]
    values = {wording.value for wording in switch.wordings if wording.value is not None}
    values |= {value for value in (getattr(switch, "otherwise", None),) if value}
    assert question.readings
    assert values <= set(question.readings)
