"""The complete memory of the rules of Magic: The Gathering: any rule on any date, and what changed.

The public API. Names are imported when first used, so that importing the package costs nothing::

    import rulehist

    with rulehist.bundled_store() as connection:
        rule, when = rulehist.parse_address("707.2@AFR")
        print(rulehist.show(connection, rule, when).text)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulehist.bundled import bundled_store as bundled_store
    from rulehist.citations.finding import find_citations as find_citations
    from rulehist.citations.findings import check_citations as check_citations
    from rulehist.citations.move import move_citations as move_citations
    from rulehist.citations.notes import annotate as annotate
    from rulehist.cross_references import broken_references as broken_references
    from rulehist.cross_references import references_of as references_of
    from rulehist.dated_versions import versions as versions
    from rulehist.document import Document as Document
    from rulehist.document import Part as Part
    from rulehist.engine import load_scenario as load_scenario
    from rulehist.errors import RulehistError as RulehistError
    from rulehist.folding import fold as fold
    from rulehist.history import show as show
    from rulehist.ingest import ingest_files as ingest_files
    from rulehist.phrase_events import phrase_history as phrase_history
    from rulehist.reading import read as read
    from rulehist.rule_blame import blame as blame
    from rulehist.rule_log import log as log
    from rulehist.rules_at import StoredRules as StoredRules
    from rulehist.scenario_answers import evaluate as evaluate
    from rulehist.store import open_for_reading as open_for_reading
    from rulehist.text_search import search as search
    from rulehist.version_diff import diff_files as diff_files
    from rulehist.version_diff import diff_versions as diff_versions
    from rulehist.when import parse_address as parse_address
    from rulehist.when import parse_when as parse_when
    from rulehist.worddiff import word_diff as word_diff

_HOMES = {
    "Document": "document",
    "Part": "document",
    "RulehistError": "errors",
    "StoredRules": "rules_at",
    "annotate": "citations.notes",
    "blame": "rule_blame",
    "broken_references": "cross_references",
    "bundled_store": "bundled",
    "check_citations": "citations.findings",
    "diff_files": "version_diff",
    "diff_versions": "version_diff",
    "evaluate": "scenario_answers",
    "find_citations": "citations.finding",
    "fold": "folding",
    "ingest_files": "ingest",
    "load_scenario": "engine",
    "log": "rule_log",
    "move_citations": "citations.move",
    "open_for_reading": "store",
    "parse_address": "when",
    "parse_when": "when",
    "phrase_history": "phrase_events",
    "read": "reading",
    "references_of": "cross_references",
    "search": "text_search",
    "show": "history",
    "versions": "dated_versions",
    "word_diff": "worddiff",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605 - the names are those of the table above


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'rulehist' has no attribute {name!r}")
    return getattr(import_module(f"rulehist.{home}"), name)
