"""Mass rewordings: the same replacement made in many rules, found without being told.

A release that writes "enters" for "enters the battlefield" in 38 rules made one change, not 38. It is told
once, and taken out of the changes, so that what else happened to those rules can be seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from rulehist.changes import Change, ChangeKind, ChangePart
from rulehist.thresholds import CHANGES_KEPT, PATTERN_BESIDE, PATTERN_CONTEXT, PATTERN_PLACES, PATTERN_WORDS, WORDS_KEPT
from rulehist.worddiff import FUNCTION_WORDS, Op, common_blank
from rulehist.words import key, words

_RULE_NUMBER = re.compile(r"\d{3}")
_ARTICLES = frozenset({"a", "an", "the"})
REWORDED = frozenset({ChangeKind.REWORDED, ChangeKind.RENUMBERED_REWORDED})


class Pattern(NamedTuple):
    """Words ``from_`` gave way to ``to`` in ``times`` parts; ``places`` are their numbers and terms now.

    ``to`` is empty where the words went and none came.

    ``parts`` says how many of them are rules, examples and glossary entries, as ``(part, count)``.
    """

    from_: str
    to: str
    times: int
    places: tuple[str, ...]
    parts: tuple[tuple[ChangePart, int], ...] = ()


class Patterns(NamedTuple):
    """The mass rewordings of a diff, most frequent first, and what they leave of it.

    ``rest`` maps the index of each change that has a share in a pattern to its ops with the pattern's words
    shown as unchanged (as the new text has them); ``only`` are the indexes of changes wholly explained.
    """

    patterns: tuple[Pattern, ...]
    rest: Mapping[int, tuple[Op, ...]]
    only: frozenset[int]


_PARTS: tuple[ChangePart, ...] = ("rule", "example", "glossary")

_Replacement = tuple[tuple[str, ...], tuple[str, ...]]


class _Found(NamedTuple):
    """One replacement in the ops of a change: where they begin, its words, and the keys they are told alike by.

    ``cores`` are the replacements that a pattern may be made of.
    """

    op: int
    before: tuple[str, ...]
    after: tuple[str, ...]
    replacement: _Replacement
    cores: tuple[_Replacement, ...]


_Place = tuple[int, _Found]
"""The index of a change, and a replacement in it."""

_Cut = tuple[int, int, int, int]
"""Where a pattern stands in a replacement, as bounds in its words before and after."""


def find_patterns(changes: Sequence[Change]) -> Patterns:
    """The mass rewordings among ``changes``: each in at least ``PATTERN_PLACES`` parts."""
    places: list[_Place] = [
        (index, found)
        for index, change in enumerate(changes)
        if change.kind in REWORDED and change.part != "front"
        for found in _replacements(change.ops)
    ]
    candidates = _candidates(places)
    by_word = _by_word(places, candidates)
    patterns: list[Pattern] = []
    accepted: list[_Replacement] = []
    explained: dict[int, dict[int, tuple[_Found, _Cut]]] = {}
    for replacement in candidates:
        hits = [
            (index, found, cut)
            for index, found in min((by_word[word] for word in replacement[0]), key=len)
            if not (index in explained and found.op in explained[index])
            and (cut := _cut(found, replacement)) is not None
        ]
        indexes = list(dict.fromkeys(index for index, _, _ in hits))
        if len(indexes) < PATTERN_PLACES:
            continue
        for index, found, cut in hits:
            explained.setdefault(index, {})[found.op] = found, cut
        told = Counter(_told(found, cut) for _, found, cut in hits).most_common(1)[0][0]
        numbers = tuple(dict.fromkeys(changes[index].number for index in indexes))
        parts = Counter(changes[index].part for index in indexes)
        patterns.append(
            Pattern(
                *_in_context(told, [(changes[index].ops, found, cut) for index, found, cut in hits]),
                times=len(indexes),
                places=numbers,
                parts=tuple((part, parts[part]) for part in _PARTS if parts[part]),
            )
        )
        accepted.append(replacement)
    patterns.sort(key=lambda pattern: (-pattern.times, pattern.from_))
    rest = {index: _without(changes[index].ops, explained[index], accepted) for index in sorted(explained)}
    only = frozenset(index for index, ops in rest.items() if all(name == "equal" for name, _ in ops))
    return Patterns(tuple(patterns), rest, only)


def _by_word(places: Iterable[_Place], candidates: Iterable[_Replacement]) -> Mapping[str, Sequence[_Place]]:
    """The places by each word that a candidate replaces."""
    found: dict[str, list[_Place]] = {word: [] for candidate in candidates for word in candidate[0]}
    for place in places:
        for word in found.keys() & place[1].replacement[0]:
            found[word].append(place)
    return found


@lru_cache(maxsize=CHANGES_KEPT)
def _replacements(ops: Sequence[Op]) -> tuple[_Found, ...]:
    """The replacements and deletions of a change; insertions alone are too unlike to be one rewording."""
    return tuple(_each_replacement(ops))


def _each_replacement(ops: Sequence[Op]) -> Iterator[_Found]:
    for place, (name, text) in enumerate(ops):
        if name != "delete":
            continue
        following = ops[place + 1] if place + 1 < len(ops) else ("equal", "")
        before = tuple(map(intern, words(text)))  # they are kept, and the same few words again and again
        after = tuple(map(intern, words(following[1]))) if following[0] == "insert" else ()
        if not after:  # a deletion is known by the word before it: "enters the battlefield" to "enters"
            lead = tuple(words(ops[place - 1][1])[-1:]) if place else ()
            before, after = lead + before, lead
            if not lead or not any(map(str.isalnum, lead[0])):
                continue
        replacement = _keys(before), _keys(after)
        yield _Found(place, before, after, replacement, tuple(_cores(replacement)))


def _keys(text_words: Sequence[str]) -> tuple[str, ...]:
    """Keys without regard to case or to the inflection of a verb: "enters" and "Enter" are one."""
    return tuple(map(_known.__getitem__, text_words))


class _Known(dict[str, str]):
    """The key of each word, made when it is first asked for."""

    def __missing__(self, word: str) -> str:
        if len(self) >= WORDS_KEPT:
            self.clear()
        made = self[word] = _stem(key(word).strip().lower())
        return made


_known = _Known()


_SAME = {
    "is": "be",
    "are": "be",
    "has": "have",
    "was": "were",
    "does": "do",
    "doesn't": "don't",
    "isn't": "aren't",
}


def _stem(word: str) -> str:
    if word in _SAME:
        return _SAME[word]
    for ending, stem in (("ies", "y"), ("ing", ""), ("ches", "ch"), ("shes", "sh"), ("s", ""), ("ed", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            return word[: len(word) - len(ending)] + stem
    return word


def _candidates(places: Iterable[_Place]) -> list[_Replacement]:
    """Replacements seen in many changes, the most frequent and then the shortest first."""
    seen: dict[_Replacement, list[int]] = {}
    for index, found in places:
        for candidate in found.cores:
            where = seen.setdefault(candidate, [])
            if not where or where[-1] != index:
                where.append(index)
    often = [(len(where), candidate) for candidate, where in seen.items() if len(where) >= PATTERN_PLACES]
    often.sort(key=lambda item: (-item[0], len(item[1][0]) + len(item[1][1]), item[1]))
    return [candidate for _, candidate in often]


def _cores(replacement: _Replacement) -> Iterator[_Replacement]:
    """A replacement, and what is left of it without words that both sides share at their ends."""
    before, after = replacement
    if max(len(before), len(after)) > PATTERN_WORDS or not _worth_telling(before, after):
        return
    yield replacement
    while len(before) > 1 and len(after) > 1 and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    while len(before) > 1 and len(after) > 1 and before[0] == after[0]:
        before, after = before[1:], after[1:]
    if (before, after) != replacement and _worth_telling(before, after):
        yield before, after


def _worth_telling(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a replacement says something: more than a conjunction or a rule number that changed."""
    both = (*before, *after)
    if before == after or any(_RULE_NUMBER.search(word) for word in both):
        return False
    spelled = [word for word in both if any(map(str.isalpha, word))]
    return len(spelled) > 2 or any(word not in FUNCTION_WORDS for word in spelled)


def _cut(place: _Found, replacement: _Replacement) -> _Cut | None:
    """Where the replacement stands in a place, as bounds in its words before and after."""
    if place.replacement == replacement:
        return 0, len(place.before), 0, len(place.after)
    before, after = place.replacement
    old, new = replacement
    i, j = _find(before, old), _find(after, new)
    if i < 0 or j < 0:
        return None
    # words left over on one side alone are a change of their own: at one end and few, or it is no such place
    ends = (before[:i], after[:j]), (before[i + len(old) :], after[j + len(new) :])
    lopsided = [one or other for one, other in ends if bool(one) != bool(other)]
    if len(lopsided) > 1 or any(len(words_over) > PATTERN_BESIDE for words_over in lopsided):
        return None
    return i, i + len(old), j, j + len(new)


def _find(where: Sequence[str], what: Sequence[str]) -> int:
    """Where ``what`` begins in ``where``; -1 where it does not stand there."""
    if not what:
        return 0
    place = -1
    while what[0] in where[place + 1 :]:
        place = where.index(what[0], place + 1)
        if where[place : place + len(what)] == what:
            return place
    return -1


def _told(place: _Found, cut: _Cut) -> tuple[str, str]:
    before, after = (
        "".join(place.before[cut[0] : cut[1]]).strip(),
        "".join(place.after[cut[2] : cut[3]]).strip(),
    )
    if before[:1].isupper() and after[:1].isupper() and not before[1:2].isupper():
        return before[0].lower() + before[1:], after[0].lower() + after[1:]
    return before, after


def _in_context(told: tuple[str, str], hits: Sequence[tuple[Sequence[Op], _Found, _Cut]]) -> tuple[str, str]:
    """A replacement of one word with the words that stand beside it nearly everywhere: "state-based effects"."""
    before, after = told = _without_article(*told)
    if not before or not after or len(before.split()) > 1 or len(after.split()) > 1:
        return told
    beside: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for ops, place, (i1, i2, j1, j2) in hits:
        following = place.op + 2
        if i1 == j1 == 0 and place.op and ops[place.op - 1][0] == "equal":
            beside[0].update(word.strip().lower() for word in words(ops[place.op - 1][1].rstrip())[-1:])
        if i2 == len(place.before) and j2 == len(place.after) and following < len(ops):
            beside[1].update(word.strip().lower() for word in words(ops[following][1])[:1])
    lead, tail = (
        next(
            (
                word
                for word, count in side.most_common(1)
                if count >= PATTERN_CONTEXT * len(hits) and word[-1:].isalpha()
            ),
            "",
        )
        for side in beside
    )
    return " ".join(filter(None, (lead, before, tail))), " ".join(filter(None, (lead, after, tail)))


def _without_article(before: str, after: str) -> tuple[str, str]:
    """A replacement without the article that both sides begin with: it says nothing, and what is left may be gone."""
    article, _, rest = before.partition(" ")
    other, _, now = after.partition(" ")
    if rest and article.lower() in _ARTICLES and other.lower() in _ARTICLES:
        return rest, now
    return before, after


def _without(
    ops: Sequence[Op], found: Mapping[int, tuple[_Found, _Cut]], told: Sequence[_Replacement]
) -> tuple[Op, ...]:
    """Ops with what a pattern explains shown as unchanged, in the words of the new text."""
    left: list[Op] = []
    for index, op in enumerate(ops):
        if index in found:
            place, (i1, i2, j1, j2) = found[index]
            deletion = index + 1 == len(ops) or ops[index + 1][0] != "insert"
            if deletion:
                continue
            if i1 or j1:
                left += _leftover(place.before[:i1], place.after[:j1], told)
            left.append(("equal", "".join(place.after[j1:j2])))
            if i2 < len(place.before) or j2 < len(place.after):
                left += _leftover(place.before[i2:], place.after[j2:], told)
        elif not (op[0] == "insert" and index - 1 in found):
            left.append(op)
    joined: list[Op] = []
    for name, text in left:
        if not text:
            continue
        if joined and joined[-1][0] == name:
            joined[-1] = (name, joined[-1][1] + text)
        else:
            joined.append((name, text))
    return tuple(joined)


def _leftover(before: Sequence[str], after: Sequence[str], told: Sequence[_Replacement]) -> Iterator[Op]:
    """What is beside a pattern in its place, without what is alike and without further patterns."""
    old, new = _keys(before), _keys(after)
    if old == new:
        yield "equal", "".join(after)
        return
    for replacement in told:
        i, j = _find(old, replacement[0]), _find(new, replacement[1])
        if i >= 0 and j >= 0 and replacement[1]:
            yield from _leftover(before[:i], after[:j], told)
            yield "equal", "".join(after[j : j + len(replacement[1])])
            yield from _leftover(before[i + len(replacement[0]) :], after[j + len(replacement[1]) :], told)
            return
    head, tail, most = 0, 0, min(len(old), len(new))
    while head < most and old[head] == new[head]:
        head += 1
    while tail < most - head and old[len(old) - 1 - tail] == new[len(new) - 1 - tail]:
        tail += 1
    deleted, inserted = "".join(before[head : len(before) - tail]), "".join(after[head : len(after) - tail])
    blank = common_blank(deleted, inserted)
    yield "equal", "".join(after[:head]) + inserted[:blank]
    yield "delete", deleted[blank:]
    yield "insert", inserted[blank:]
    yield "equal", "".join(after[len(after) - tail :])
