"""What the words beside a citation say of the rule that was meant.

Three things are asked. Do words in a row quote a rule? Then that rule was meant. Does a title of a rule stand where
one names what is cited ("Exile (CR 701.21)")? And do the single words fit the rule that is named, or a rule that had
the number at another time? Words weigh by their rarity in the rules, words of titles twice.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rulehist import numbers
from rulehist.citations.finding import Citation
from rulehist.citations.rules import Held, Moment, RulesThroughTime, is_title
from rulehist.thresholds import (
    BESIDE_AFTER,
    BESIDE_BEFORE,
    BESIDE_MARGIN,
    BESIDE_RAREST,
    BESIDE_REMOTE_YEARS,
    BESIDE_SPEAKS,
    BESIDE_TITLE_MARGIN,
    QUOTED_GRAM,
    QUOTED_RULES,
    QUOTED_WORDS,
)
from rulehist.worddiff import FUNCTION_WORDS

_PARAGRAPH = re.compile(
    r"\n[^\S\n]*(?:(?://+[/!]?|\#+|\*+|--|;+)[^\S\n]*)?(?:\r?\n|(?=(?:[-+•]|\d{1,2}[.)])[^\S\n]|\|[^|]))"
    r"|\n[^\S\n]*\}[;,)]*[^\S\n]*\r?\n"
)
"""An empty line, the beginning of an item of a list or of a row of a table, or the end of a block of code."""
_PIECES = re.compile(r"[A-Z]?[a-z]+(?<=[A-Za-z][a-z])|[A-Z]{2,}(?![a-z])")
_WORDS = re.compile(r"[a-z0-9{}]+(?:['/+-][a-z0-9{}]+)*")
_INNER_QUOTES = re.compile(r"[“\"][^“”\"]{12,}[”\"]")
_BRACKETED_NAME = re.compile(r"[\])*_`}]{0,4}\s?\([^()\n]{1,60}\)")
_OWN_NAME = re.compile(r"[\])*_`}]{0,4}\s?\(")
_NAMES_BEFORE = re.compile(r"\A[\s\])*_`}]*\)")
_NAMES_AFTER = re.compile(r"\A(?:[\s\]*_`}]*(?::|[—–]|-{1,2}\s)|\s*\(|[\s\]*_`}]*[\"“])")
_FIRST_WORD = re.compile(r"\A[\W\d_]*([A-Za-z][A-Za-z'’-]*)")
_LAST_WORD = re.compile(r"([A-Za-z][A-Za-z'’-]*)[\W\d_]*\Z")


@dataclass(frozen=True, slots=True)
class Beside:
    """The words beside a citation: ``before`` and ``after`` it, and which of the two tell what it is about.

    ``named`` is the side on which people name what they cite: "Untap (CR 701.21a)", "CR 701.21a: untap".
    """

    before: str
    after: str
    named: str = ""

    @property
    def telling(self) -> str:
        """The words that tell what the citation is about."""
        return self.named or f"{self.before} {self.after}"


def beside(text: str, citations: Sequence[Citation], index: int) -> Beside:
    """The words beside a citation up to its neighbours; those of a list share what stands around the list."""
    first, last = run_of(citations, index)
    if first != last and _OWN_NAME.match(text, citations[index].end) is not None:
        first = last = index  # each of a list has its own name: "701.27 (Transform), 701.28 (Convert)"
    start, end = citations[first].start, citations[last].end
    low = max(citations[first - 1].end if first else 0, start - BESIDE_BEFORE)
    high = min(citations[last + 1].start if last + 1 < len(citations) else len(text), end + BESIDE_AFTER)
    before, after = text[low:start], text[end:high]
    for paragraph in _PARAGRAPH.finditer(before):
        before = text[low + paragraph.end() : start]
    ended = _PARAGRAPH.search(after)
    if ended is not None:
        after = after[: ended.start()]
    if _NAMES_BEFORE.match(after) is not None:
        clause = re.split(r"[.;\n](?:\s|\Z)|\)", before)[-1]
        return Beside(before, after, clause if _PIECES.search(clause) else "")
    if _NAMES_AFTER.match(after) is not None:
        return Beside(before, after, after)
    return Beside(before, after)


def run_of(citations: Sequence[Citation], index: int) -> tuple[int, int]:
    """The first and last index of the list that a citation stands in."""
    first = citations[index].listed if citations[index].listed >= 0 else index
    last = index
    while last + 1 < len(citations) and citations[last + 1].listed == first:
        last += 1
    return first, last


_FREE_WORDS = frozenset({"also", "do", "here", "rule", "see", "so", "where"})
"""Words besides those that join others which say nothing of what a citation is about."""


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without what grammar adds: tapped, tapping and taps are ``tap``."""
    low = word.lower().removesuffix("'s")
    for ending, kept in (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if low.endswith(ending) and len(low) - len(ending) >= 3 and not low.endswith("ss"):
            low = low[: -len(ending)] + kept
            break
    if len(low) > 3 and low[-1] == low[-2] and low[-1] not in "sle":
        low = low[:-1]
    return low.rstrip("e") if len(low) > 3 else low


def stems(text: str) -> frozenset[str]:
    """The stems of a text; names in code count by their words: ``TrampleOverPlaneswalkers``, ``has_trample``."""
    return frozenset(map(stem, set(_PIECES.findall(text))))


_FREE_STEMS = frozenset(map(stem, FUNCTION_WORDS | _FREE_WORDS))


def _years_between(held: Held, day: str) -> int:
    """Years from the time when a rule had its number to a day."""
    nearest = min(max(day, held.since), held.ended or day)
    return abs(int(nearest[:4]) - int(day[:4]))


@dataclass(frozen=True, slots=True)
class Speech:
    """What speaks for another rule than the one that is named, and how much (see ``BESIDE_SPEAKS``).

    ``how`` is ``quoted``, ``title`` or ``words``; ``words`` are those that speak.
    """

    held: Held
    how: str
    weight: float
    own: float
    words: tuple[str, ...]


class Witness:
    """Hears the words beside citations against all rules in a store."""

    def __init__(self, rules: RulesThroughTime, moments: Iterable[Moment]) -> None:
        self._rules = rules
        self._weights: dict[str, float] = {}
        self._known: dict[tuple[int, str], dict[str, float]] = {}
        self._grams: dict[tuple[str, ...], _Grams] = {}
        self._titles: dict[str, dict[str, list[Held]]] = {}
        self._plain: dict[int, str] = {}
        self._rivals: dict[tuple[str, int], list[Held]] = {}
        self._moments = list({moment.day: moment for moment in moments}.values())

    def speech(self, words: Beside, held: Held, moment: Moment, cited: frozenset[str]) -> Speech | None:
        """What speaks against ``held`` being the rule that is meant; ``None`` where nothing does.

        ``cited`` are the numbers of this and the neighbouring citations: words about those say nothing here,
        unless they stand in brackets directly behind the number: "701.27 (Transform), 701.28 (Convert)".
        """
        if _BRACKETED_NAME.match(words.after) is not None:
            cited = frozenset()
        return (
            self._quoted(words, held, moment, cited)
            or self.titled(words, held, moment, cited)
            or self._worded(words, held, moment, cited)
        )

    def support(self, words: Beside, held: Held) -> float:
        """How much the words speak for a rule against those that had its number at other times."""
        beside_it = stems(words.telling)
        mine = self._words_of(held)
        rivals = self._rivals_of(held)
        if not rivals:
            return self._sum(beside_it & mine.keys(), mine)
        if not self._is_entitled(beside_it, held) and any(self._is_entitled(beside_it, rival) for rival in rivals):
            return 0.0
        return min(self._sum((beside_it & mine.keys()) - self._words_of(rival).keys(), mine) for rival in rivals)

    def weigh(self, words: Beside, held: Held) -> float:
        """How well the words fit a rule, whatever else they fit."""
        mine = self._words_of(held)
        return self._sum(stems(words.telling) & mine.keys(), mine)

    def _worded(self, words: Beside, held: Held, moment: Moment, cited: frozenset[str]) -> Speech | None:
        """A rule that had the number at another time, and that the single words fit better."""
        rivals = self._rivals_of(held)
        if not rivals:
            return None
        beside_it = stems(words.telling)
        mine = self._words_of(held)
        entitled = self._is_entitled(beside_it, held)
        best: Speech | None = None
        for rival in rivals:
            its = self._words_of(rival)
            spoken = (beside_it & its.keys()) - mine.keys()
            weight = self._sum(spoken, its)
            enough = BESIDE_SPEAKS * (2 if _years_between(rival, moment.day) > BESIDE_REMOTE_YEARS else 1)
            if weight < enough or (best is not None and weight <= best.weight):
                continue
            if entitled and not self._is_entitled(beside_it, rival):
                continue
            own = self._sum((beside_it & mine.keys()) - its.keys(), mine)
            if weight >= BESIDE_MARGIN * own and not self._is_cited(rival, moment, cited - {held.number}):
                best = Speech(rival, "words", weight, own, tuple(sorted(spoken, key=lambda word: -its[word])[:5]))
        return best

    def _is_entitled(self, beside_it: frozenset[str], held: Held) -> bool:
        """Whether a rule is named by a title of several words: "prevention effects, after replacement (CR 615)"."""
        title = stems(" ".join(self._rules.titles(held)[:1])) - _FREE_STEMS
        return len(title) > 1 and title <= beside_it

    def _is_cited(self, held: Held, moment: Moment, cited: frozenset[str]) -> bool:
        """Whether the rule, or one above or below it, is cited close by, as it stood at that moment."""
        then = self._rules.of_rule(held.rule, moment)
        return then is not None and _rule_of(then.number) in {_rule_of(number) for number in cited}

    def _rivals_of(self, held: Held) -> list[Held]:
        """The rules that had the number of ``held`` at other times, each with its text closest to that time."""
        key = (held.number, held.rule)
        known = self._rivals.get(key)
        if known is None:
            known = self._rivals[key] = [
                min(spans, key=lambda span: abs(int(span.since[:4]) - int(held.since[:4])))
                for spans in self._rules.identities(held.number)
                if spans[0].rule != held.rule
            ]
        return known

    def _words_of(self, held: Held) -> dict[str, float]:
        """The stems of a rule and of the titles above it, with their weights."""
        key = (held.text_id, held.number)
        known = self._known.get(key)
        if known is None:
            if not self._weights:
                self._weights = self._rarity()
            titled = stems(" ".join(self._rules.titles(held)[:2]))
            known = self._known[key] = {
                word: self._weights.get(word, BESIDE_RAREST) * (2 if word in titled else 1)
                for word in (stems(self._rules.folded(held)) | titled) - _FREE_STEMS
            }
        return known

    def _rarity(self) -> dict[str, float]:
        """The weight of each word in the newest of the moments."""
        day = max(moment.day for moment in self._moments)
        texts = [stems(self._rules.folded(spans[0])) for spans in self._rules.in_force(day).values()]
        counts = Counter(word for text in texts for word in text)
        return {word: min(BESIDE_RAREST, math.log(len(texts) / count)) for word, count in counts.items()}

    @staticmethod
    def _sum(chosen: Iterable[str], weights: dict[str, float]) -> float:
        return sum(weights[word] for word in chosen)

    def titled(
        self, words: Beside, held: Held, moment: Moment, cited: frozenset[str], margin: float = BESIDE_TITLE_MARGIN
    ) -> Speech | None:
        """Another keyword of the same section whose title stands where the citation says what it is about.

        Its weight has to be ``margin`` times that of what speaks for ``held``.
        """
        if not words.named:
            return None
        word = (_FIRST_WORD if words.named is words.after else _LAST_WORD).search(words.named)
        title = stem(word[1]) if word is not None else ""
        found = self._titles_at(moment).get(title)
        if found is None:
            return None
        section = held.number.split(".", maxsplit=1)[0]
        near = [other for other in found if other.number.split(".", maxsplit=1)[0] == section]
        mine = self._words_of(held)
        if len(near) != 1 or title in mine or _rule_of(near[0].number) == _rule_of(held.number):
            return None
        if self._is_cited(near[0], moment, cited - {held.number}) or not self._is_keyword(held, moment):
            return None
        own = self._sum(stems(words.telling) & mine.keys(), mine)
        weight = 2 * self._weights.get(title, BESIDE_RAREST)
        return Speech(near[0], "title", weight, own, (title,)) if weight >= margin * own else None

    def _is_keyword(self, held: Held, moment: Moment) -> bool:
        """Whether the rule stands below a title of its own within the section, as each keyword does."""
        over = self._rules.at(_rule_of(held.number), moment)
        return bool(over) and "." in over[0].number and is_title(self._rules.folded(over[0]))

    def _titles_at(self, moment: Moment) -> dict[str, list[Held]]:
        """Rules whose title is one word, by its stem."""
        known = self._titles.get(moment.day)
        if known is None:
            known = self._titles[moment.day] = defaultdict(list)
            for spans in self._rules.in_force(moment.day).values():
                folded = self._rules.folded(spans[0])
                if spans[0].kind == "rule" and " " not in folded and is_title(folded):
                    known[stem(folded)].append(spans[0])
        return known

    def _quoted(self, words: Beside, held: Held, moment: Moment, cited: frozenset[str]) -> Speech | None:
        """Another rule whose words stand in a row beside the citation, where those of the named rule do not."""
        best: Speech | None = None
        runs = list(self._runs(words, moment, held.rule))
        if not runs:
            return None
        explained = [f" {' '.join(run)} " for rule, run, _ in runs if self._explains(rule, held, moment, cited)]
        for rule, run, spoken in runs:
            if best is not None and len(run) <= best.weight:
                continue
            own = longest_run(spoken, self._plain_of(held))
            if len(run) > 2 * own and all(2 * longest_run(run, other) < len(run) for other in explained):
                best = Speech(rule, "quoted", float(len(run)), float(own), tuple(run))
        return best

    def meant(self, words: Beside, number: str, moment: Moment, cited: frozenset[str]) -> Speech | None:
        """The rule that the words mean where the number itself names none at that moment."""
        runs = [
            (len(run), rule.number, rule, tuple(run))
            for rule, run, _ in self._runs(words, moment, -1)
            if not self._is_cited(rule, moment, cited - {number})
        ]
        if runs:
            length, _, rule, run = max(runs, key=lambda found: found[:2])
            return Speech(rule, "quoted", float(length), 0.0, run)
        others = [spans[-1] for spans in self._rules.identities(number)]
        weighed = sorted(((self.weigh(words, other), other.number, other) for other in others), key=lambda one: -one[0])
        if not weighed or weighed[0][0] < BESIDE_SPEAKS:
            return None
        if len(weighed) > 1 and weighed[0][0] < BESIDE_MARGIN * weighed[1][0]:
            return None
        best = weighed[0][2]
        spoken = stems(words.telling) & self._words_of(best).keys()
        return Speech(best, "words", weighed[0][0], 0.0, tuple(sorted(spoken)[:5]))

    def _runs(self, words: Beside, moment: Moment, but: int) -> Iterator[tuple[Held, Sequence[str], list[str]]]:
        """Rules other than ``but`` that are quoted beside the citation: rule, quoted words, all words there."""
        grams = self._grams_at(moment)
        for side in (words.after, words.before):
            spoken = plain_words(side)
            if len(spoken) >= QUOTED_WORDS:
                for rule, run in grams.runs(spoken, but):
                    yield rule, run, spoken

    def _explains(self, quoted: Held, named: Held, moment: Moment, cited: frozenset[str]) -> bool:
        """Whether quoting one rule beside the number of another is no mistake: it speaks of it, or is part of it."""
        if quoted.number.startswith(named.number) and not quoted.number[len(named.number) :][:1].isdigit():
            return True
        if numbers.parent(named.number) == quoted.number or self._is_cited(quoted, moment, cited - {named.number}):
            return True
        return named.number in self._rules.folded(quoted)

    def _plain_of(self, held: Held) -> str:
        known = self._plain.get(held.text_id)
        if known is None:
            known = self._plain[held.text_id] = f" {' '.join(plain_words(self._rules.folded(held)))} "
        return known

    def own_run(self, words: Beside, held: Held) -> tuple[str, ...]:
        """The longest row of words beside the citation that the rule has too; empty where it is no quotation."""
        text = self._plain_of(held)
        best: tuple[str, ...] = ()
        for side in (words.after, words.before):
            spoken = plain_words(side)
            if len(spoken) >= QUOTED_WORDS and _may_share(spoken, text):
                low, high = _longest(spoken, text)
                if high - low >= max(QUOTED_WORDS, len(best) + 1):
                    best = tuple(spoken[low:high])
        return best

    def has_run(self, run: Sequence[str], held: Held) -> bool:
        """Whether a rule has these words in a row."""
        return f" {' '.join(run)} " in self._plain_of(held)

    def _grams_at(self, moment: Moment) -> _Grams:
        """Where rows of words stand at a moment and at those of the whole run."""
        days = tuple(sorted({moment.day, *(other.day for other in self._moments)}))
        known = self._grams.get(days)
        if known is None:
            if len(self._grams) >= _KEPT_GRAMS:
                self._grams.pop(next(iter(self._grams)))
            known = self._grams[days] = _Grams(self._rules, days, self._plain_of)
        return known


_KEPT_GRAMS = 3
"""Sets of versions whose rows of words are kept at a time; each takes about 20 megabytes."""
_STEP = QUOTED_WORDS - QUOTED_GRAM + 1
"""A quotation has a row of words at one of so many places at least, so that no other place need be looked up."""


class _Grams:
    """Where rows of words stand in the rules of some versions."""

    def __init__(self, rules: RulesThroughTime, days: Sequence[str], plain_of: Callable[[Held], str]) -> None:
        # what a rule itself quotes is the text of cards, which stands beside citations of other rules too
        self._rules: dict[int, list[Held]] = defaultdict(list)
        self._plain_of = plain_of
        known = {(spans[0].rule, spans[0].text_id): spans[0] for day in days for spans in rules.in_force(day).values()}
        for held in known.values():
            words = plain_words(_INNER_QUOTES.sub(" § ", rules.text(held)))
            for gram in {hash(tuple(words[i : i + QUOTED_GRAM])) for i in range(len(words) - QUOTED_GRAM + 1)}:
                self._rules[gram].append(held)

    def runs(self, words: Sequence[str], but: int) -> Iterator[tuple[Held, Sequence[str]]]:
        """Rules other than ``but`` that share a row of words long enough for a quotation, with the words."""
        hits: dict[Held, None] = {}
        get = self._rules.get
        for i in range(0, len(words) - QUOTED_GRAM + 1, _STEP):
            found = get(hash(tuple(words[i : i + QUOTED_GRAM])))
            if found is not None and len({held.rule for held in found}) <= QUOTED_RULES:
                hits.update(dict.fromkeys(found))
        for held in hits:
            if held.rule != but:
                low, high = _longest(words, self._plain_of(held))
                if high - low >= QUOTED_WORDS:
                    yield held, words[low:high]


def _may_share(words: Sequence[str], text: str) -> bool:
    """Whether a text may have a row of words long enough for a quotation."""
    return any(
        f" {' '.join(words[i : i + QUOTED_GRAM])} " in text for i in range(0, len(words) - QUOTED_GRAM + 1, _STEP)
    )


def plain_words(text: str) -> list[str]:
    """The words of a text as quotations are compared: without typography, marks of comments and punctuation."""
    return _WORDS.findall((text if text.isascii() else text.translate(_QUOTES)).lower())


_QUOTES = str.maketrans({"’": "'", "‘": "'", "−": "-", "–": " ", "—": " "})


def longest_run(words: Sequence[str], text: str) -> int:
    """Length of the longest row of ``words`` that stands in ``text``, which has a blank around each word."""
    low, high = _longest(words, text)
    return high - low


def _longest(words: Sequence[str], text: str) -> tuple[int, int]:
    best = (0, 0)
    low = 0
    for high in range(1, len(words) + 1):
        while low < high and f" {' '.join(words[low:high])} " not in text:
            low += 1
        if high - low > best[1] - best[0]:
            best = (low, high)
    return best


def _rule_of(number: str) -> str:
    """The rule that a subrule belongs to, the number itself else."""
    return number.rstrip("abcdefghijklmnopqrstuvwxyz")
