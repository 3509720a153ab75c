"""Which part of one text is which part of another: the links that carry a rule through renumbering.

What reads alike is linked first: exactly, then with references masked. Texts that several siblings share go
to the sibling under the right heading. What is left is compared by words, best pairs first; a pair that is
not alike enough by itself needs its parents and neighbours to agree. Ties fall by place in the text, so that
the outcome depends on the two texts alone.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple

from rulehist.divided import homes
from rulehist.document import WITH_HISTORY, Part, PartKind
from rulehist.folding import fold
from rulehist.references import masked
from rulehist.similarity import TellingWords, head, missing, opening, similarity
from rulehist.surroundings import BODY, Side
from rulehist.thresholds import (
    AMBIGUOUS_PAIRS,
    CANDIDATES,
    CHILDREN_FEWEST,
    CHILDREN_SHARE,
    COMMON_WORD,
    CONTAINED,
    CUT_SHORT,
    DIVIDED,
    GLOSSARY_ALIKE,
    GLOSSARY_BEGINS_ALIKE,
    GLOSSARY_RENAMED,
    HEADING_CONFLICT,
    OPENING_ALIKE,
    OPENING_SURE,
    OPENING_WEIGHT,
    PARENTS_AGREE,
    PLACE_WEIGHT,
    PLACED_SHARE,
    REWRITTEN_ANYWHERE,
    REWRITTEN_ELSEWHERE,
    REWRITTEN_IN_PLACE,
    REWRITTEN_UNDER_TITLE,
    SIMILAR_ALONE,
    SIMILAR_IN_PLACE,
    SIMILAR_IN_SECTION,
    SPLIT_WORDS,
    SUBRULES_FEWEST,
    SURE,
    TELLING_SAMPLE,
    WHOLLY_CONTAINED,
)


class Evidence(StrEnum):
    """What a link rests on."""

    EXACT = "exact"
    MASKED = "references masked"
    SIMILAR = "similar"
    NEIGHBOURS = "neighbours"
    OVERRIDE = "override"
    NONE = "none"  # the part has no counterpart


class Relation(StrEnum):
    """How two linked parts are related. ``SAME`` is one to one; the others stand beside it."""

    SAME = "same"
    SPLIT = "split"  # words of the old part, which lives on elsewhere, became this new part
    MERGE = "merge"  # the old part ended, and its words went into a new part that continues another


class Link(NamedTuple):
    """One part and its counterpart, as indexes into the old and the new parts.

    A part without counterpart has a link whose other side is ``None`` and whose evidence is ``NONE``. Each
    part stands in exactly one link of relation ``SAME``; ``SPLIT`` and ``MERGE`` links come on top. ``score``
    is the similarity of the two texts by words, 0 to 1.
    """

    old: int | None
    new: int | None
    evidence: Evidence
    score: float = 1.0
    relation: Relation = Relation.SAME


def match(
    old: Sequence[Part],
    new: Sequence[Part],
    *,
    folded_old: Sequence[str] | None = None,
    folded_new: Sequence[str] | None = None,
    forced: Collection[tuple[int, int]] = (),
    forbidden: Collection[tuple[int, int]] = (),
) -> list[Link]:
    """Link the parts of two whole texts, in order of the new parts, those that are gone last.

    ``folded_old`` and ``folded_new`` are the folded texts where the caller has them. ``forced`` and
    ``forbidden`` are pairs of indexes from the overrides.
    """
    fold_each = [fold(part.text) for part in old] if folded_old is None else folded_old
    fold_new = [fold(part.text) for part in new] if folded_new is None else folded_new
    matcher = _Matcher(Side(old, fold_each), Side(new, fold_new), frozenset(forbidden))
    for i, j in sorted(forced):
        matcher.link(i, j, Evidence.OVERRIDE, None)
    matcher.run()
    return matcher.links()


_REMARK = re.compile(r"\s*\((?:obsolete|informal)\)")
_OR = re.compile(r"[,/]\s*")
_HISTORY = {kind: kind in WITH_HISTORY for kind in PartKind}
_Key = tuple[str, str]


class _Matcher:
    def __init__(self, old: Side, new: Side, forbidden: frozenset[tuple[int, int]]) -> None:
        self.old, self.new, self.forbidden = old, new, forbidden
        self.to_new = [-1] * len(old.parts)
        self.to_old = [-1] * len(new.parts)
        self.grounds: dict[int, tuple[Evidence, float]] = {}  # by new part
        self._similarity: dict[tuple[int, int], tuple[float, float]] = {}
        self._telling: TellingWords | None = None
        self._old_open: list[int] = []  # parts with a history that were not linked at once
        self._new_open: list[int] = []

    def link(self, i: int, j: int, evidence: Evidence, score: float | None) -> None:
        if self.to_new[i] >= 0 or self.to_old[j] >= 0:
            return
        self.to_new[i], self.to_old[j] = j, i
        self.grounds[j] = evidence, self.compare(i, j)[0] if score is None else score

    def run(self) -> None:
        """All passes, from the surest to the least sure."""
        self._alike(enumerate(self.old.keys), enumerate(self.new.keys), Evidence.EXACT)
        self._glossary_terms(_whole_term)
        self._old_open = _with_history(self.old, self.to_new)
        self._new_open = _with_history(self.new, self.to_old)
        if self._old_open and self._new_open:
            self._reworded()
        self._front_matter()

    def _reworded(self) -> None:
        self._alike(self._masked(self.old, self._open_old()), self._masked(self.new, self._open_new()), Evidence.MASKED)
        pairs = self._candidates()
        for least in (SURE, SIMILAR_ALONE):
            self._best_first(pairs, least)
            self._headings_by_children()
        self._glossary_renamed(pairs, GLOSSARY_RENAMED)
        self._glossary_terms(_terms)
        self._glossary_renamed(pairs, GLOSSARY_BEGINS_ALIKE)
        pairs = self._in_place(pairs)
        for _ in range(2):
            self._by_context(pairs)
            self._headings_by_children()
        self._leftovers()
        for _ in range(2):
            self._nearest_to_each_other()
            self._headings_by_children()
        self._rules_by_children()
        self._back_to_their_keywords()

    # --- texts that read alike --------------------------------------------------------------------------

    def _masked(self, side: Side, places: Iterable[int]) -> list[tuple[int, _Key]]:
        groups, folded = side.groups, side.folded
        return [(at, (groups[at], masked(folded[at]))) for at in places if groups[at] != PartKind.GLOSSARY]

    def _alike(
        self, old_keys: Iterable[tuple[int, _Key]], new_keys: Iterable[tuple[int, _Key]], evidence: Evidence
    ) -> None:
        """Link the parts with equal keys: at once where a key stands once on both sides, else by context."""
        score = 1.0 if evidence is Evidence.EXACT else None
        to_new, to_old = self.to_new, self.to_old
        places, several = _by_key(old_keys)
        new_places, new_several = _by_key((j, key) for j, key in new_keys if key in places)
        pairs: list[tuple[int, int]] = []
        glossary: str = PartKind.GLOSSARY.value
        for key, j in new_places.items():
            i = places[key]
            if key in several or key in new_several:
                here, there = several.get(key, [i]), new_several.get(key, [j])
                pairs += self._product([i for i in here if to_new[i] < 0], [j for j in there if to_old[j] < 0])
            elif to_new[i] >= 0 or to_old[j] >= 0 or (i, j) in self.forbidden:
                continue
            elif key[0] != glossary or self._may_be_alike(i, j):
                to_new[i], to_old[j] = j, i
                self.grounds[j] = evidence, self.compare(i, j)[0] if score is None else score
        while pairs and self._agreeing(pairs, evidence, score, need=PARENTS_AGREE):
            pairs = [(i, j) for i, j in pairs if to_new[i] < 0 and to_old[j] < 0]

    def _may_be_alike(self, i: int, j: int) -> bool:
        """Short glossary stubs ("See Object.") under different terms prove nothing by being equal."""
        same_term = _whole_term(self.old.parts[i].number) == _whole_term(self.new.parts[j].number)
        return same_term or len(self.old.tokens(i)) >= SPLIT_WORDS * 2

    def _product(self, old_places: Sequence[int], new_places: Sequence[int]) -> Iterator[tuple[int, int]]:
        few = len(old_places) * len(new_places) <= AMBIGUOUS_PAIRS
        for i in old_places:
            number = self.old.parts[i].number
            for j in new_places:
                if few or self.new.parts[j].number == number:
                    yield i, j

    def _context(self, i: int, j: int) -> float:
        """How well two surroundings agree: parents count 2, each neighbour 1, the same number a half."""
        old, new = self.old, self.new
        parent, new_parent = old.parents[i], new.parents[j]
        agree = 0.0
        if (parent < 0 and new_parent < 0) or (parent >= 0 and new_parent >= 0 and self.to_new[parent] == new_parent):
            agree += 2
        elif self._moved_below(i, j):
            agree += 2.5
        before, new_before = old.before[i], new.before[j]
        if before >= 0 and new_before >= 0 and self.to_new[before] == new_before:
            agree += 1
        after, new_after = old.after[i], new.after[j]
        if after >= 0 and new_after >= 0 and self.to_new[after] == new_after:
            agree += 1
        if old.parts[i].number == new.parts[j].number:
            agree += 0.5
        return agree

    def _agreeing(self, pairs: Iterable[tuple[int, int]], evidence: Evidence, score: float | None, need: float) -> bool:
        """Link the pairs whose surroundings agree by at least ``need``, best first; say whether any did."""
        ranked = sorted(
            ((-self._context(i, j), i, j) for i, j in pairs if (i, j) not in self.forbidden),
            key=lambda ranked_pair: (ranked_pair[0], ranked_pair[1], ranked_pair[2]),
        )
        found = False
        for agree, i, j in ranked:
            if -agree < need:
                break
            if self.to_new[i] < 0 and self.to_old[j] < 0:
                self.link(i, j, evidence, score)
                found = True
        return found

    def _glossary_terms(self, terms: Callable[[str], tuple[str, ...]]) -> None:
        """A glossary entry is known by its term, whatever becomes of its text."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for i, part in enumerate(self.old.parts):
            if self.to_new[i] < 0 and part.kind is PartKind.GLOSSARY:
                for term in terms(part.number):
                    places[term].append(i)
        for j, part in enumerate(self.new.parts):
            if places and self.to_old[j] < 0 and part.kind is PartKind.GLOSSARY:
                for i in chain.from_iterable(places.get(term, ()) for term in terms(part.number)):
                    if self.to_new[i] < 0 and (i, j) not in self.forbidden:
                        self._link_compared(i, j, Evidence.SIMILAR)
                        break

    def _glossary_renamed(self, pairs: Iterable[tuple[int, int]], least: float) -> None:
        """ "End Phase" became "Ending Phase": an entry that says much the same under another term."""
        ranked: list[tuple[float, int, int]] = []
        for i, j in pairs:
            if self.old.kinds[i] is PartKind.GLOSSARY and self.to_new[i] < 0 and self.to_old[j] < 0:
                similar = self.compare(i, j)[0]
                one_word = self.old.tokens(i)[:1] == self.new.tokens(j)[:1]
                telling = min(len(self.old.tokens(i)), len(self.new.tokens(j))) >= SPLIT_WORDS
                if telling and similar >= least and (one_word or similar >= GLOSSARY_RENAMED):
                    ranked.append((-similar, i, j))
        for _, i, j in sorted(ranked):
            if self.to_new[i] < 0 and self.to_old[j] < 0:
                self._link_compared(i, j, Evidence.SIMILAR)

    def _link_compared(self, i: int, j: int, evidence: Evidence) -> None:
        """Link with the best evidence that the two texts themselves give, else with ``evidence``."""
        if self.old.folded[i] == self.new.folded[j]:
            self.link(i, j, Evidence.EXACT, 1.0)
        elif masked(self.old.folded[i]) == masked(self.new.folded[j]):
            self.link(i, j, Evidence.MASKED, None)
        else:
            self.link(i, j, evidence, None)

    # --- texts that are similar -------------------------------------------------------------------------

    def compare(self, i: int, j: int) -> tuple[float, float]:
        """Similarity of two parts by words, and how much of the shorter the longer contains; both 0 to 1."""
        found = self._similarity.get((i, j))
        if found is None:
            found = self._similarity[i, j] = similarity(self.old.tokens(i), self.new.tokens(j))
        return found

    def _open_old(self) -> list[int]:
        return [i for i in self._old_open if self.to_new[i] < 0]

    def _open_new(self) -> list[int]:
        return [j for j in self._new_open if self.to_old[j] < 0]

    def _candidates(self) -> list[tuple[int, int]]:
        """For each open old part the open new parts of its group with which it shares the rarest words."""
        index: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        by_number: defaultdict[_Key, list[int]] = defaultdict(list)
        for j in self._open_new():
            group = self.new.groups[j]
            by_number[group, self.new.parts[j].number].append(j)
            words = index[group]
            for word in set(self.new.tokens(j)):
                words[word].append(j)
        pairs: list[tuple[int, int]] = []
        for i in self._open_old():
            group = self.old.groups[i]
            words = index[group]
            weights: defaultdict[int, float] = defaultdict(float)
            known = [(len(words[word]), word) for word in set(self.old.tokens(i)) if word in words]
            for count, word in sorted(known):
                if count > COMMON_WORD and len(weights) >= CANDIDATES:
                    break
                share = 1 / count
                for j in words[word]:
                    weights[j] += share
            best = nsmallest(CANDIDATES, weights, key=lambda j: (-weights[j], j))
            best += [j for j in by_number.get((group, self.old.parts[i].number), ()) if j not in best]
            pairs += [(i, j) for j in best if (i, j) not in self.forbidden]
        return pairs

    def _headings_conflict(self, i: int, j: int) -> bool:
        """Whether a part stands under a keyword that lives on elsewhere, or would come from another such keyword.

        So a rule does not leave its keyword for one that took over its words.
        """
        if not self.old.keyword(i):
            return False
        parent, new_parent = self.old.parents[i], self.new.parents[j]
        heir = self.to_new[parent]
        if heir >= 0:
            return heir != new_parent and self.new.kinds[heir] is PartKind.RULE
        return self.new.keyword(j) and self.to_old[new_parent] >= 0

    def _best_first(self, pairs: Sequence[tuple[int, int]], least: float) -> None:
        """Link what is similar by itself, the best pair first; surroundings decide between near-equals."""
        ranked: list[tuple[float, int, int]] = []
        for i, j in pairs:
            if self.to_new[i] >= 0 or self.to_old[j] >= 0:
                continue
            begins = opening(self.old.tokens(i), self.new.tokens(j))
            similar = self._alike_in_part(i, j, begins)
            if self._headings_conflict(i, j):
                similar -= HEADING_CONFLICT
            if self.old.parts[i].kind is PartKind.GLOSSARY:
                needed = GLOSSARY_ALIKE
            elif self.old.is_heading(i) or self.new.is_heading(j):
                needed = SURE
            else:
                needed = least
            if similar >= max(least, needed):
                weighed = similar + begins * OPENING_WEIGHT / 2 + self._context(i, j) * PLACE_WEIGHT / 2
                ranked.append((-weighed, i, j))
        for _, i, j in sorted(ranked):
            if self.to_new[i] < 0 and self.to_old[j] < 0:
                self._link_compared(i, j, Evidence.SIMILAR)

    def _alike_in_part(self, i: int, j: int, begins: float) -> float:
        """Similarity, and a little more for a rule and the part of it with which it begins.

        Of the rules into which one is divided, the one that begins as it did is that rule, unless another one has much
        more of its words; one that kept the number and says nothing new is that rule even then.
        """
        similar, contained = self.compare(i, j)
        if self._cut_short(i, j):
            return max(similar, CUT_SHORT)
        divided = begins >= OPENING_SURE and contained >= SURE and not self.old.keyword(i) and not self.new.keyword(j)
        if divided and min(len(self.old.tokens(i)), len(self.new.tokens(j))) >= SPLIT_WORDS:
            return similar + DIVIDED
        return similar

    def _cut_short(self, i: int, j: int) -> bool:
        """Whether a rule kept its number and its beginning, and what else it said was put below or beside it."""
        if self.old.parts[i].number != self.new.parts[j].number or self.old.groups[i] != BODY:
            return False
        old, new = self.old.tokens(i), self.new.tokens(j)
        shorter = SPLIT_WORDS <= len(new) < len(old)
        return shorter and self.compare(i, j)[1] >= WHOLLY_CONTAINED and head(new, old) >= WHOLLY_CONTAINED

    def _headings_by_children(self) -> None:
        """A section or keyword whose own words changed is known by the rules under it.

        A rule that is a title ("Interaction of Continuous Effects") can become a section, and the other way round.
        """
        headings = [i for i in self._open_old() if self.old.is_heading(i)]
        if not headings or not any(self.new.is_heading(j) for j in self._open_new()):
            return
        votes: Counter[tuple[int, int]] = Counter()
        direct: Counter[tuple[int, int]] = Counter()
        placed = dict.fromkeys(headings, 0)
        for heading in headings:
            children = self.old.below(heading)
            for i in chain(children, *map(self.old.below, children)):
                j = self.to_new[i]
                if j < 0 or self.old.groups[i] != BODY:
                    continue
                placed[heading] += 1
                parent = self.new.parents[j]
                for above in (parent, self.new.parents[parent]):
                    if parent >= 0 and above >= 0 and self.to_old[above] < 0 and self.new.is_heading(above):
                        votes[heading, above] += 1
                        direct[heading, above] += above == parent and self.old.parents[i] == heading
        for (heading, new_heading), count in sorted(votes.items(), key=self._by_votes_and_titles):
            one_kind = self.old.kinds[heading] == self.new.kinds[new_heading]
            known = (
                self.old.folded[heading].casefold() == self.new.folded[new_heading].casefold()
                or (one_kind and direct[heading, new_heading] >= CHILDREN_SHARE * self._children(heading))
                or (count if one_kind else direct[heading, new_heading])
                >= max(CHILDREN_FEWEST, PLACED_SHARE * max(placed[heading], self._placed_below(new_heading)))
            )
            if known and (heading, new_heading) not in self.forbidden:
                self._link_compared(heading, new_heading, Evidence.NEIGHBOURS)

    def _back_to_their_keywords(self) -> None:
        """A rule whose text now stands elsewhere word for word is still the one under its keyword, if that is alike."""
        for j in self._open_new():
            keyword = self.to_old[self.new.parents[j]] if self.new.keyword(j) else -1
            for i in self.old.below(keyword) if keyword >= 0 else ():
                if self._left_its_keyword(i, j) and self.compare(i, j)[0] >= SURE:
                    self.to_old[self.to_new[i]] = self.to_new[i] = -1
                    self._link_compared(i, j, Evidence.SIMILAR)
                    break

    def _left_its_keyword(self, i: int, j: int) -> bool:
        """Whether a part was linked, for its text alone, with one that does not stand beside ``j``."""
        away = self.to_new[i]
        return (
            away >= 0
            and self.grounds[away][0] in {Evidence.EXACT, Evidence.MASKED}
            and self.new.parents[away] != self.new.parents[j]
            and self.old.groups[i] == self.new.groups[j]
            and (i, j) not in self.forbidden
        )

    def _by_votes_and_titles(self, vote: tuple[tuple[int, int], int]) -> tuple[float, tuple[int, int]]:
        return -vote[1] * (1 + self.compare(*vote[0])[0]), vote[0]

    def _rules_by_children(self) -> None:
        """A rule written anew is known by the subrules that it kept, as a title that gave way to a sentence is."""
        for i in self._open_old():
            if self.old.kinds[i] is not PartKind.RULE:
                continue
            places = (self.to_new[child] for child in self.old.below(i) if self.old.groups[child] == BODY)
            parents = Counter(self.new.parents[j] for j in places if j >= 0)
            for j, count in parents.most_common(1):
                fits = j >= 0 and self.to_old[j] < 0 and self.new.kinds[j] is PartKind.RULE
                most = count >= max(SUBRULES_FEWEST, CHILDREN_SHARE * self._children(i))
                if fits and most and (i, j) not in self.forbidden:
                    self._link_compared(i, j, Evidence.NEIGHBOURS)

    def _children(self, heading: int) -> int:
        return sum(self.old.groups[child] == BODY for child in self.old.below(heading))

    def _placed_below(self, heading: int) -> int:
        """How many rules at any depth under a new title have a counterpart."""
        children = self.new.below(heading)
        below = chain(children, *map(self.new.below, children))
        return sum(self.to_old[child] >= 0 and self.new.groups[child] == BODY for child in below)

    def _in_place(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """``pairs`` and those that stand beside linked neighbours, even without a rare word in common."""
        found = dict.fromkeys((i, j) for i, j in pairs if self.to_new[i] < 0 and self.to_old[j] < 0)
        for i in self._open_old():
            before, after = self.old.before[i], self.old.after[i]
            beside = []
            if before >= 0 and self.to_new[before] >= 0:
                beside.append(self.new.after[self.to_new[before]])
            if after >= 0 and self.to_new[after] >= 0:
                beside.append(self.new.before[self.to_new[after]])
            for j in beside:
                fits = j >= 0 and self.to_old[j] < 0 and self.new.groups[j] == self.old.groups[i]
                if fits and (i, j) not in self.forbidden:
                    found[i, j] = None
        return list(found)

    def _by_context(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Link what is alike only in part where parents and neighbours agree that it is the same."""
        ranked: list[tuple[float, int, int]] = []
        for i, j in pairs:
            if self.to_new[i] >= 0 or self.to_old[j] >= 0 or self.old.parts[i].kind is PartKind.GLOSSARY:
                continue
            agree = self._context(i, j)
            similar, contained = self.compare(i, j)
            if self._headings_conflict(i, j):
                similar -= HEADING_CONFLICT
            shorter = min(len(self.old.tokens(i)), len(self.new.tokens(j)))
            inside = contained >= CONTAINED and shorter >= SPLIT_WORDS
            begins = opening(self.old.tokens(i), self.new.tokens(j))
            enough = agree >= PARENTS_AGREE + 0.5 and similar >= SIMILAR_IN_PLACE
            enough = enough or (
                (inside or begins >= OPENING_ALIKE) and agree >= PARENTS_AGREE and similar >= SIMILAR_IN_PLACE / 2
            )
            if not enough and shorter >= 2 * SPLIT_WORDS:
                inside_section = contained >= SURE and similar >= SIMILAR_IN_SECTION and self._one_section(i, j)
                least = SIMILAR_IN_PLACE / 2 if begins >= OPENING_SURE and contained >= SURE else SIMILAR_IN_SECTION
                elsewhere = begins >= OPENING_ALIKE and similar >= least
                enough = inside_section or (elsewhere and not self.old.keyword(i) and not self.new.keyword(j))
            if enough:
                begins = (begins + head(self.new.tokens(j), self.old.tokens(i))) / 2
                ranked.append((-similar - begins * OPENING_WEIGHT - agree * PLACE_WEIGHT, i, j))
        for _, i, j in sorted(ranked):
            if self.to_new[i] < 0 and self.to_old[j] < 0:
                self._link_compared(i, j, Evidence.NEIGHBOURS)

    def _nearest_to_each_other(self) -> None:
        """Link what was rewritten: two parts that share more telling words with each other than with any other.

        The rarer a word is in both texts, the more it tells. How much they must share depends on where they stand.
        """
        old_open = {i: self.old.folded[i] for i in self._open_old() if self.old.groups[i] == BODY}
        new_open = {j: self.new.folded[j] for j in self._open_new() if self.new.groups[j] == BODY}
        if not old_open or not new_open:
            return
        if self._telling is None:
            rules = [text for text, group in zip(self.old.folded, self.old.groups, strict=True) if group == BODY]
            changed = (self.new.folded[at] for at in self._new_open if self.new.groups[at] == BODY)
            self._telling = TellingWords(chain(rules[::TELLING_SAMPLE], changed))
        shared = self._telling.shared(old_open, new_open)
        mass = {i: self._telling.weight(text) for i, text in old_open.items()}
        new_mass = {j: self._telling.weight(text) for j, text in new_open.items()}
        best: dict[int, tuple[float, int]] = {}
        best_new: dict[int, tuple[float, int]] = {}
        for (i, j), common in shared.items():
            if (i, j) in self.forbidden or self.old.is_heading(i) != self.new.is_heading(j):
                continue
            share = 2 * common / (mass[i] + new_mass[j])
            best[i] = max(best.get(i, (0.0, 0)), (share, -j))
            best_new[j] = max(best_new.get(j, (0.0, 0)), (share, -i))
        for i, (share, minus_j) in sorted(best.items(), key=lambda found: (-found[1][0], found[0])):
            j = -minus_j
            if -best_new[j][1] == i and self._rewritten(i, j, share, shared[i, j]):
                self._link_compared(i, j, Evidence.NEIGHBOURS)

    def _rewritten(self, i: int, j: int, share: float, common: float) -> bool:
        if self._headings_conflict(i, j):
            need = REWRITTEN_ELSEWHERE
        elif (around := self._context(i, j)) >= PARENTS_AGREE:
            need = REWRITTEN_IN_PLACE
        elif around >= 1 or self._one_title(i, j):
            need = REWRITTEN_UNDER_TITLE
        else:
            need = REWRITTEN_ANYWHERE
        return (share + self.compare(i, j)[0]) / 2 >= need[0] and common >= need[1]

    def _one_title(self, i: int, j: int) -> bool:
        """Whether a title over one part, rule or section, is linked to one over the other."""
        above, above_new = self.old.above(i), self.new.above(j)
        return any(self.to_new[place] in above_new for place in above)

    def _moved_below(self, i: int, j: int) -> bool:
        """Whether a rule became a subrule of its own old number, as when a sentence is put above it."""
        if self.old.parts[i].kind is not PartKind.RULE or self.new.parts[j].kind is not PartKind.SUBRULE:
            return False
        parent = self.new.parents[j]
        return parent >= 0 and self.new.parts[parent].number == self.old.parts[i].number and self._one_section(i, j)

    def _one_section(self, i: int, j: int) -> bool:
        """Whether two parts stand in sections that are linked."""
        section, new_section = self.old.section(i), self.new.section(j)
        return section >= 0 and self.to_new[section] == new_section

    def _leftovers(self) -> None:
        """Equal texts that no parent claimed, such as an example that moved: in order of the texts."""
        for need in (1.0, 0.0):
            for evidence in (Evidence.EXACT, Evidence.MASKED):
                old_open, new_open = self._open_old(), self._open_new()
                if evidence is Evidence.MASKED:
                    old_keys, new_keys = self._masked(self.old, old_open), self._masked(self.new, new_open)
                else:
                    old_keys = [(i, self.old.keys[i]) for i in old_open if self.old.groups[i] != PartKind.GLOSSARY]
                    new_keys = [(j, self.new.keys[j]) for j in new_open]
                places: defaultdict[_Key, list[int]] = defaultdict(list)
                for i, key in old_keys:
                    places[key].append(i)
                pairs = [
                    (i, j) for j, key in new_keys for i in places.get(key, ()) if not self._headings_conflict(i, j)
                ]
                self._agreeing(pairs, evidence, None, need)

    def _front_matter(self) -> None:
        """Titles, notices, contents and credits have no history: equal texts first, then by kind in order."""
        for by_text in (True, False):
            places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
            for i in reversed(range(len(self.old.parts))):
                if self.to_new[i] < 0 and self.old.parts[i].kind not in WITH_HISTORY:
                    places[self.old.keys[i] if by_text else (self.old.groups[i], "")].append(i)
            for j, part in enumerate(self.new.parts):
                if self.to_old[j] < 0 and part.kind not in WITH_HISTORY:
                    waiting = places.get(self.new.keys[j] if by_text else (self.new.groups[j], ""))
                    if waiting:
                        self._link_compared(waiting.pop(), j, Evidence.NEIGHBOURS)

    # --- one rule became two, two became one -------------------------------------------------------------

    def _splits(self) -> Iterator[Link]:
        changed = [
            (i, j)
            for j, i in enumerate(self.to_old)
            if i >= 0
            and self.old.parts[i].kind in WITH_HISTORY
            and self.grounds[j][0] not in (Evidence.EXACT, Evidence.MASKED)
        ]
        arrived = [j for j in self._open_new() if len(self.new.tokens(j)) >= SPLIT_WORDS]
        if arrived:
            lost = [(i, missing(self.old.tokens(i), self.new.tokens(j)), self.new.near(j)) for i, j in changed]
            for i, j, share in homes(arrived, self.new, lost, self.old):
                if (i, j) not in self.forbidden:
                    yield Link(i, j, Evidence.SIMILAR, share, Relation.SPLIT)
        gone = [i for i in self._open_old() if len(self.old.tokens(i)) >= SPLIT_WORDS]
        if gone:
            gained = [(j, missing(self.new.tokens(j), self.old.tokens(i)), self.old.near(i)) for i, j in changed]
            for j, i, share in homes(gone, self.old, gained, self.new):
                if (i, j) not in self.forbidden:
                    yield Link(i, j, Evidence.SIMILAR, share, Relation.MERGE)

    def links(self) -> list[Link]:
        """All links: for each new part its own, then the old parts that are gone, then splits and merges."""
        found: list[Link] = []
        for j, i in enumerate(self.to_old):
            if i >= 0:
                evidence, score = self.grounds[j]
                found.append(Link(i, j, evidence, score))
            else:
                found.append(Link(None, j, Evidence.NONE, 0.0))
        found += [Link(i, None, Evidence.NONE, 0.0) for i, j in enumerate(self.to_new) if j < 0]
        found += self._splits()
        return found


def _by_key(keys: Iterable[tuple[int, _Key]]) -> tuple[dict[_Key, int], dict[_Key, list[int]]]:
    """The first place of each key, and all places of those that have several."""
    first: dict[_Key, int] = {}
    several: dict[_Key, list[int]] = {}
    for place, key in keys:
        known = first.setdefault(key, place)
        if known != place:
            several.setdefault(key, [known]).append(place)
    return first, several


def _with_history(side: Side, linked: Sequence[int]) -> list[int]:
    """The parts with a history and a text that are not linked yet."""
    return [at for at, kind in enumerate(side.kinds) if linked[at] < 0 and _HISTORY[kind] and side.folded[at]]


@lru_cache(maxsize=8192)
def _whole_term(number: str) -> tuple[str]:
    return (fold(number).casefold().rstrip(" .:"),)


def _terms(number: str) -> tuple[str, ...]:
    """The terms of one glossary entry: "Trigger, Triggered Ability (Obsolete)" has two, without the remark."""
    plain = _REMARK.sub("", fold(number).casefold())
    return tuple(term.strip(' .:"') for term in _OR.split(plain) if term.strip(' .:"'))
