"""Where each part of a text stands: what it stands under, what stands beside it, what is a title."""

from __future__ import annotations

from collections.abc import Sequence

from rulehist.document import Part, PartKind
from rulehist.folding import fold
from rulehist.similarity import tokens
from rulehist.thresholds import HEADING_WORDS

BODY = "rule"
"""The group of rules and subrules, which can become one another; any other kind is a group of its own."""

_GROUPS = {kind: BODY if kind in {PartKind.RULE, PartKind.SUBRULE} else kind.value for kind in PartKind}


class Side:
    """One of the two texts: its parts, their folded texts, and where each stands."""

    def __init__(self, parts: Sequence[Part], folded: Sequence[str]) -> None:
        self.parts = parts
        self.folded = folded
        self.kinds = [part.kind for part in parts]
        self.groups = [_GROUPS[kind] for kind in self.kinds]
        self.keys = list(zip(self.groups, folded, strict=True))
        self.parents: list[int] = []
        self.before: list[int] = []  # the part of the same rank before, or whatever stands there
        self._tokens: dict[int, tuple[str, ...]] = {}
        self._below: dict[int, list[int]] | None = None
        self._place()

    def _place(self) -> None:
        parents, befores = self.parents, self.before
        chapter = section = rule = numbered = -1
        for place, (kind, group) in enumerate(zip(self.kinds, self.groups, strict=True)):
            if group == BODY:
                befores.append(numbered)
                numbered = place
                if kind is PartKind.SUBRULE:
                    parents.append(rule)
                else:
                    parents.append(section)
                    rule = place
            elif kind is PartKind.SECTION:
                befores.append(numbered)
                if len(self.parts[place].number) < 3:
                    parents.append(-1)
                    chapter = section = rule = numbered = place
                else:
                    parents.append(chapter)
                    section = rule = numbered = place
            else:
                befores.append(place - 1)
                inside = kind is PartKind.EXAMPLE or kind is PartKind.CONTINUATION
                parents.append(numbered if inside else -1)
        self.after = [-1] * len(self.parts)
        numbers = [group in {BODY, "section"} for group in self.groups]
        for place, before in enumerate(befores):
            if before >= 0 and numbers[place] == numbers[before]:
                self.after[before] = place

    def below(self, place: int) -> list[int]:
        """The parts right below a part."""
        if self._below is None:
            self._below = {}
            for child, parent in enumerate(self.parents):
                self._below.setdefault(parent, []).append(child)
        return self._below.get(place, [])

    def tokens(self, place: int) -> tuple[str, ...]:
        """Words of a part; of a glossary entry, those of its term too."""
        found = self._tokens.get(place)
        if found is None:
            part = self.parts[place]
            text = self.folded[place]
            if part.kind is PartKind.GLOSSARY:
                text = f"{fold(part.number)} {text}"
            found = self._tokens[place] = tokens(text)
        return found

    def section(self, place: int) -> int:
        """The section in which a part stands, or -1."""
        while place >= 0 and self.parts[place].kind is not PartKind.SECTION:
            place = self.parents[place]
        return place

    def keyword(self, place: int) -> bool:
        """Whether a part stands under a rule that is a title, as the rules of a keyword do; they begin alike."""
        parent = self.parents[place]
        return parent >= 0 and self.kinds[parent] is PartKind.RULE and self.is_heading(parent)

    def above(self, place: int) -> tuple[int, ...]:
        """The section and, where it is a title, the rule over a part."""
        parent = self.parents[place]
        if parent < 0 or self.kinds[parent] is PartKind.SECTION:
            return (parent,) if parent >= 0 else ()
        section = self.parents[parent]
        return (parent, section) if self.is_heading(parent) else (section,)

    def near(self, place: int) -> frozenset[int]:
        """What a part stands under: its section and its rule, where it has one."""
        parent = self.parents[place]
        return frozenset({parent, self.section(place)})

    def is_heading(self, place: int) -> bool:
        """Whether a part is a title such as "Deathtouch", which decides where the texts below it belong."""
        if place < 0:
            return False
        part = self.parts[place]
        if part.kind is PartKind.SECTION:
            return True
        text = self.folded[place]
        ends = text.removesuffix(")")[-1:]  # "∞ (Infinity)" is a title, "(See rule 405.)" is none
        return part.kind is PartKind.RULE and ends not in {".", ":", '"'} and text.count(" ") < HEADING_WORDS
