"""What the rules of a version say on the engine's questions, read from their text when first asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulehist.engine.clauses import CopyingClauses, UnreadClause, read_clauses, vocabulary
from rulehist.engine.rules import RulesAt, RuleText
from rulehist.folding import fold


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer; with the rule and its words, where some text was the reason."""

    reason: str
    rule: RuleText | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Semantics:
    """The rules of one version as the engine reads them; ``copying`` is a refusal where they cannot be
    read."""

    rules: RulesAt
    copying: CopyingClauses | Refusal

    def face_down(self) -> RuleText | None:
        """The rule that a face-down object has only the characteristics listed, where it is known."""
        entry = vocabulary()["face_down"]
        found = self.rules.find(entry["rule"])
        if found is None:
            return next(iter(self.rules.containing(entry["words"])), None)
        return found if _has(found, entry["words"]) else None


def _has(rule: RuleText, words: Sequence[str]) -> bool:
    text = fold(rule.text).lower()
    return all(fold(word).lower() in text for word in words)


def compile_semantics(rules: RulesAt) -> Semantics:
    """Read what ``rules`` say on copying. Raises ``DataError`` for a malformed file under
    ``data/semantics``."""
    data = vocabulary()
    found = rules.find(data["rule"])
    if found is None or not any(_has(found, words) for words in data["words"]):
        for words in data["words"]:
            candidates = rules.containing(words)
            if candidates:
                found = candidates[0]
                break
    if found is None:
        reason = f"the text of the rule on copiable values is not known for {rules.label}"
        return Semantics(rules, Refusal(reason))
    try:
        return Semantics(rules, read_clauses(found))
    except UnreadClause as unread:
        return Semantics(rules, Refusal(str(unread), found, unread.clause))
