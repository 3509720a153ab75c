"""What can go wrong, each said to the user in one sentence: what, where, and how to mend it."""


class RulehistError(Exception):
    """Base of every error that the command line turns into one sentence and exit code 2."""


class SourceError(RulehistError):
    """A source that cannot be read: wrong bytes, no rules text, cut off."""


class StoreError(RulehistError):
    """A database that is not ours, is newer than the program, or cannot be written."""


class QueryError(RulehistError):
    """A question that has no answer here: unknown number, code or date."""


class DataError(RulehistError):
    """A file under ``data/`` that is malformed; names file, line and remedy."""


class ScenarioError(RulehistError):
    """A scenario file that breaks the closed vocabulary or contradicts itself; names file and line."""
