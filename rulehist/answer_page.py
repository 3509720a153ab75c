"""The answer to a scenario as a page shows it: what was asked, what came out, and the words of the rules for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulehist.engine import Answer
from rulehist.engine.answer_text import object_words, value_words


@dataclass(frozen=True, slots=True)
class ShownLine:
    """An expectation: ``path`` is what was asked, ``got`` is empty and ``ok`` is ``None`` where it was refused."""

    path: str
    expected: str
    got: str
    ok: bool | None


@dataclass(frozen=True, slots=True)
class ShownQuote:
    """Words of a rule with the claims that they bear; ``address`` is that of the rule's page, where it has one."""

    number: str
    address: str
    words: str
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer under the version of the ISO date ``version``; ``objects`` are names with what each is, in a line."""

    version: str
    verdict: str
    refusals: tuple[str, ...]
    objects: tuple[tuple[str, str], ...]
    expectations: tuple[ShownLine, ...]
    quotes: tuple[ShownQuote, ...]


def shown_answer(answer: Answer, address: Callable[[str, str], str]) -> ShownAnswer:
    """The answer for a page; ``address`` gives that of a rule by its identity and its number in the version."""
    claims: dict[tuple[str, str, str], list[str]] = {}
    for because in answer.because:
        claims.setdefault((because.rule, because.number, because.quote), []).append(because.claim)
    return ShownAnswer(
        answer.version,
        answer.verdict,
        tuple(answer.refusals),
        tuple((name, object_words(each)) for name, each in answer.objects.items()),
        tuple(
            ShownLine(
                checked.path,
                value_words(checked.as_json()["expected"]),
                "" if checked.ok is None else value_words(checked.as_json()["got"]),
                checked.ok,
            )
            for checked in answer.expectations
        ),
        tuple(
            ShownQuote(number, address(rule, number), quote, tuple(claimed))
            for (rule, number, quote), claimed in claims.items()
        ),
    )
