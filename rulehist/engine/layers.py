"""The layers in which continuous effects are applied, as the rules of a version number and fill them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from rulehist.engine.wording import sentences
from rulehist.errors import DataError
from rulehist.folding import fold
from rulehist.resources import data_folder

FILE: Final = "semantics/layers.toml"
_TITLED = re.compile(r"layer (\d[a-z]?): (.*)", re.DOTALL)
_LISTED = re.compile(r"\((\d[a-z]?)\) (.*?)(?=[,;]?(?: and)? \(\d[a-z]?\)|\.(?: |$))")
_IN_TURN = re.compile(r"then applying (.*?)(?=,(?: and)? then applying |\.(?: |$))")
_OF_LAYERS = re.compile(r"^\s*Layer \d|\bstarting with\b.*\bthen applying\b", re.DOTALL)
_SEE_RULE = re.compile(r" ?\(see rules? [^()]*\)|\bsee rules? \d.*| as defined in rule \d+\.\w+")


class UnreadLayer(Exception):  # noqa: N818 - it is no error of the program's: the rules say something new
    """A layer with ``words`` that no line of the data file reads, in the text at ``place`` of those asked for."""

    def __init__(self, words: str, place: int) -> None:
        super().__init__(f'"{words}" is read by no line of data/{FILE}')
        self.words = words
        self.place = place


class _Grammar(NamedTuple):
    kinds: tuple[tuple[str, str], ...]  # longest words first
    weightless: frozenset[str]
    asides: tuple[str, ...]


@cache
def _grammar() -> _Grammar:
    path = data_folder() / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        kinds = {fold(words).lower(): str(kind) for words, kind in data["kinds"].items()}
        asides = tuple(fold(words).lower() for words in data["asides"])
        weightless = frozenset(word.lower() for word in data["weightless"])
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read ({error}); mend or restore the file") from error
    except (KeyError, AttributeError, TypeError) as error:
        raise DataError(f"{path}: needs the lists weightless and asides, and the table [kinds]; {error}") from error
    return _Grammar(tuple(sorted(kinds.items(), key=lambda item: -len(item[0]))), weightless, asides)


def read_layers(texts: Sequence[str]) -> Mapping[str, int]:
    """The layers in order: ``"7c counters"`` (layer or sublayer, then a kind of effect), and the place in ``texts`` of
    the rule that says so.

    A layer with several kinds stands once for each. Empty where the rules number no layers. Raises ``UnreadLayer``.
    """
    found: list[tuple[str, str, int]] = []
    for place, text in enumerate(texts):
        for number, said in _layers_in(text):
            found += [(number, kind, place) for kind in _kinds_of(said, place)]
    found.sort(key=lambda item: item[0])
    return {f"{number} {kind}": place for number, kind, place in found}


def names_layers(text: str) -> bool:
    """Whether a rule puts effects into layers, in words that are read or not."""
    return bool(_OF_LAYERS.search(text))


def _layers_in(text: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Each layer's number and the sentences on it, lowered."""
    said = [sentence.lower() for sentence in sentences(text)]
    titled = _TITLED.match(said[0])
    if titled:
        yield titled[1], [titled[2], *said[1:]]
        return
    plain = _SEE_RULE.sub("", " ".join(said))
    listed = _LISTED.findall(plain) if "layer" in plain else []
    in_turn = ((str(place), words) for place, words in enumerate(_IN_TURN.findall(plain), start=1))
    yield from ((number, [words]) for number, words in listed or in_turn)


def _kinds_of(said: Sequence[str], place: int) -> list[str]:
    grammar = _grammar()
    kinds: list[str] = []
    for order, sentence in enumerate(_SEE_RULE.sub("", each).strip() for each in said):
        left = sentence
        for phrase, kind in grammar.kinds:
            if phrase in left:
                left = left.replace(phrase, " ")
                kinds += kind.split("; ")
        heavy = [word for word in re.findall(r"[a-z0-9'/-]+", left) if word not in grammar.weightless]
        known = left != sentence and (order > 0 or not heavy)
        if not known and not any(aside in sentence for aside in grammar.asides) and heavy:
            raise UnreadLayer(sentence, place)
    return list(dict.fromkeys(kinds))
