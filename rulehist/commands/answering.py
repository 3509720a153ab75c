"""What the commands of everyday reading do, without the command line's library: start-up time counts.

Each prints its answer and gives the exit code. ``rulehist.quick`` calls them straight for a plain command line, the
commands of Typer for every other.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rulehist.engine.comparison import Comparison
    from rulehist.version_diff import VersionDiff
    from rulehist.when import When


@contextmanager
def opened_store(db: Path | None) -> Iterator[sqlite3.Connection]:
    """The store to answer from; the bundled texts where there is no database and none was named."""
    import os

    from rulehist import store

    path = db or store.default_path()
    if db is None and not os.environ.get("RULEHIST_DB") and not path.exists():
        from rulehist.bundled import bundled_store

        print(
            "rulehist: no database yet: answering from the bundled excerpts (fill one with: rulehist ingest PATH)",
            file=sys.stderr,
        )
        with bundled_store() as connection:
            yield connection
        return
    with store.reading(path) as connection:
        yield connection


def print_json(value: Any) -> None:
    """Print a value as JSON, letters as they are."""
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2))


def terminal_text(text: str) -> str:
    """An answer as it is printed: on a terminal with lines that fit it."""
    if not sys.stdout.isatty():
        return text
    from rulehist import terminal
    from rulehist.marked_words import fitted

    return fitted(text, terminal.columns())


def show(address: str, db: Path | None = None, *, json: bool = False) -> int:
    """``rulehist show``."""
    from rulehist import answers, history
    from rulehist.when import parse_address

    subject, when = parse_address(address)
    with opened_store(db) as connection:
        answer = history.show(connection, subject, when)
    if json:
        print_json(answers.show_json(answer))
    else:
        from rulehist import terminal

        print(terminal_text(answers.show_text(answer, terminal.text_width())))
    return 0


def log(address: str, db: Path | None = None, *, by_number: bool = False, json: bool = False) -> int:
    """``rulehist log``."""
    from rulehist import log_answers, rule_log
    from rulehist.errors import QueryError
    from rulehist.when import parse_address

    if by_number and "@" in address:
        raise QueryError(f"{address}: --by-number tells of a number at all times; leave out the @WHEN")
    subject, when = parse_address(address)
    with opened_store(db) as connection:
        told = rule_log.log(connection, subject, when, by_number=by_number)
    if json:
        print_json(log_answers.log_json(told))
    else:
        from rulehist import terminal

        print(terminal_text(log_answers.log_text(told, colour=terminal.colour(), width=terminal.text_width())))
    return 0


def blame(
    address: str, db: Path | None = None, *, html: bool = False, output: Path | None = None, json: bool = False
) -> int:
    """``rulehist blame``."""
    from rulehist import answers, blame_answers, rule_blame, terminal
    from rulehist.when import parse_address

    subject, when = parse_address(address)
    with opened_store(db) as connection:
        told = rule_blame.blame(connection, subject, when)
    if json:
        print_json(blame_answers.blame_json(told))
        return 0
    text = blame_answers.blame_page(told) if html else blame_answers.blame_text(told, terminal.text_width()) + "\n"
    if output is None:
        sys.stdout.write(text)
    else:
        answers.write_file(output, text)
        print(f"{output}: where the words of {told.number} came from, as of {told.version.label}")
    return 0


def diff(
    versions: Sequence[str],
    db: Path | None = None,
    *,
    output_format: str = "text",
    everything: bool = False,
    json: bool = False,
) -> int:
    """``rulehist diff``."""
    from rulehist import reports

    compared = compared_versions(versions, db, headings=output_format == "bulletin")
    text = reports.rendered(compared, "json" if json else output_format, everything=everything)
    sys.stdout.write(terminal_text(text) if output_format == "text" and not json else text)
    return 1 if compared.differs else 0


def eval_(
    scenario: str, db: Path | None = None, *, as_of: str = "latest", explain: bool = False, json: bool = False
) -> int:
    """``rulehist eval``."""
    from pathlib import Path as File

    from rulehist.engine.answer_text import render_answer
    from rulehist.engine.evaluation import evaluate
    from rulehist.engine.scenario_files import load_scenario
    from rulehist.engine.semantics import compile_semantics
    from rulehist.rules_at import StoredRules
    from rulehist.when import parse_when

    read = load_scenario(File(scenario))
    with opened_store(db) as connection:
        semantics = compile_semantics(StoredRules(connection, parse_when(as_of)))
        answer = evaluate(read, semantics, explain=explain)
        lines: list[str] = []
        shown = answer.as_json()
        if explain:
            from rulehist.engine.derivation import derivation, derivation_text

            shown["derivation"] = derivation(answer, semantics)
            lines = ["  derivation:", *derivation_text(answer, semantics)]
    if json:
        print_json(shown)
    else:
        print(terminal_text("\n".join([render_answer(answer), *lines])))
    return 0 if answer.right else 1


def compare(scenario: str, moments: Sequence[str], db: Path | None = None, *, json: bool = False) -> int:
    """``rulehist compare``."""
    from pathlib import Path as File

    from rulehist.engine.comparison import compare as compare_answers
    from rulehist.engine.scenario_files import load_scenario, scenario_files
    from rulehist.engine.semantics import compile_semantics
    from rulehist.rules_at import StoredRules
    from rulehist.when import parse_when

    read = [load_scenario(file) for file in scenario_files(File(scenario))]
    with opened_store(db) as connection:
        compiled = [compile_semantics(StoredRules(connection, parse_when(moment))) for moment in moments]
        found = [compare_answers(each, compiled) for each in read]
    if json:
        print_json([answer.as_json() for comparison in found for answer in comparison.answers])
    else:
        print("\n\n".join(map(_comparison_text, found)))
    return 1 if any(any(comparison.differs) for comparison in found) else 0


def _comparison_text(comparison: Comparison) -> str:
    from rulehist import terminal

    if terminal.on_terminal():
        from rulehist.screen_tables import comparison_table

        return comparison_table(comparison)
    from rulehist.engine.answer_text import render_comparison

    return render_comparison(comparison)


def bisect(scenario: str, db: Path | None = None, *, json: bool = False) -> int:
    """``rulehist bisect``."""
    from pathlib import Path as File

    from rulehist import terminal
    from rulehist.engine.answer_text import render_turns
    from rulehist.engine.scenario_files import load_scenario
    from rulehist.engine.turning_points import bisect as find_turns
    from rulehist.semantics_history import semantics_through_time
    from rulehist.thresholds import TEXT_WIDTH

    read = load_scenario(File(scenario))
    with opened_store(db) as connection:
        turns = find_turns(read, semantics_through_time(connection))
    if json:
        print_json([turn.as_json() for turn in turns])
    elif not turns:
        print(terminal_text("there is no dated version with a whole text in the store"))
    else:
        print(terminal_text(render_turns(read.title or read.source, turns, terminal.text_width(TEXT_WIDTH))))
    return 1 if len(turns) > 1 else 0


def compared_versions(words: Sequence[str], db: Path | None, *, headings: bool = False) -> VersionDiff:
    """Two versions by ``OLD..NEW``, by two moments or by the newer one alone, or two files by their paths.

    ``headings``: with those of the two texts, of which a bulletin makes its own.
    """
    from rulehist import version_diff

    files = compared_files(words)
    if files is not None:
        return version_diff.diff_files(*files)
    old, new = compared_moments(words)
    with opened_store(db) as connection:
        compared = version_diff.diff_versions(connection, old, new)
        return version_diff.with_headings(connection, compared) if headings else compared


def compared_files(words: Sequence[str]) -> tuple[Path, Path] | None:
    """The two files that are to be compared; ``None`` where versions of the store are."""
    from pathlib import Path

    from rulehist.errors import QueryError

    if len(words) > 2:
        raise QueryError(f"{' '.join(words)}: compare two at a time, as OLD..NEW or as two files")
    if not any(_is_file(word) for word in words):
        return _files_of_range(words[0]) if len(words) == 1 else None
    if len(words) == 1:
        raise QueryError(f"{words[0]} is a file, and one alone has nothing to be compared with; name two files")
    return Path(words[0]), Path(words[1])


def _is_file(word: str) -> bool:
    from pathlib import Path

    try:
        return Path(word).is_file()
    except OSError:  # longer than any name of a file
        return False


def _files_of_range(word: str) -> tuple[Path, Path] | None:
    """The two files of ``OLD..NEW``, where both are there; their paths may have ``..`` in them too."""
    from pathlib import Path

    places = [place for place in range(1, len(word) - 2) if word[place : place + 2] == ".."]
    pairs = [(word[:place], word[place + 2 :]) for place in places]
    return next(((Path(old), Path(new)) for old, new in pairs if _is_file(old) and _is_file(new)), None)


def compared_moments(words: Sequence[str]) -> tuple[When | None, When]:
    """The two moments that are to be compared, by ``OLD..NEW``, or as two words, or the newer one alone."""
    from rulehist.when import parse_compared, parse_when

    return (parse_when(words[0]), parse_when(words[1])) if len(words) == 2 else parse_compared(words[0])
