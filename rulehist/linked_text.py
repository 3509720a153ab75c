"""A text of the rules as HTML, with the rules that it refers to as links."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup

from rulehist import pages
from rulehist.export import paragraphs
from rulehist.references import find_references
from rulehist.thresholds import TEXTS_KEPT


@lru_cache(maxsize=TEXTS_KEPT)
def _pieces(text: str) -> tuple[tuple[Markup, str], ...]:
    """The text in pieces of HTML, each with the number that it refers to, or an empty one."""
    flat = "\n\n".join(paragraphs(text))
    made: list[tuple[Markup, str]] = []
    place = 0
    for reference in find_references(flat):
        made.append((pages.words(flat[place : reference.start]), ""))
        made.append((pages.words(flat[reference.start : reference.end]), reference.number))
        place = reference.end
    made.append((pages.words(flat[place:]), ""))
    return tuple(made)


def linked(text: str, address: Callable[[str], str]) -> Markup:
    """The text as HTML, its references as links; ``address`` gives that of a number, empty where it has none."""
    made = Markup("")
    for words, number in _pieces(text):
        target = address(number) if number else ""
        made += Markup('<a href="{}">{}</a>').format(target, words) if target else words
    return made
