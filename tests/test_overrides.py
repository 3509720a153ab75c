"""A rules expert can force or forbid a match, and is told what is wrong with a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulehist import overrides
from rulehist.document import Part, PartKind
from rulehist.errors import DataError
from rulehist.matching import Evidence, Relation, match

HEADER = "old_release\told_number\tnew_release\tnew_number\tverdict\treason\n"
OLD = [Part(PartKind.RULE, "Creatures that attacked are tapped by their players.", "100.1")]
NEW = [
    Part(PartKind.RULE, "Creatures that attacked are tapped by their players.", "100.1"),
    Part(PartKind.RULE, "Nothing of the kind happens.", "100.2"),
]


def _load(tmp_path: Path, row: str) -> tuple[overrides.Override, ...]:
    path = tmp_path / "matches.tsv"
    path.write_text("# remarks\n" + HEADER + row + "\n", encoding="utf-8")
    return overrides.load(path)


def _linked(by_hand: overrides.Verdicts) -> list[tuple[int | None, int | None, Evidence]]:
    links = match(OLD, NEW, forced=by_hand.forced, forbidden=by_hand.forbidden)
    return [(link.old, link.new, link.evidence) for link in links if link.relation is Relation.SAME]


def test_a_forced_match_wins_over_equal_texts(tmp_path: Path) -> None:
    loaded = _load(tmp_path, "2030-01-01\t100.1\t2030-02-01\t100.2\tforce\tas the author told")
    by_hand = overrides.verdicts(loaded, "2030-01-01", OLD, "2030-02-01", NEW)
    assert (0, 1, Evidence.OVERRIDE) in _linked(by_hand)


def test_a_forbidden_match_is_not_made(tmp_path: Path) -> None:
    loaded = _load(tmp_path, "2030-01-01\t100.1\t2030-02-01\t100.1\tforbid\tas the author told")
    by_hand = overrides.verdicts(loaded, "2030-01-01", OLD, "2030-02-01", NEW)
    assert (0, None, Evidence.NONE) in _linked(by_hand)


def test_a_verdict_on_other_releases_is_left_alone(tmp_path: Path) -> None:
    loaded = _load(tmp_path, "2030-01-01\t100.7\t2030-02-01\t100.1\tforbid\tas the author told")
    assert overrides.verdicts(loaded, "2031-01-01", OLD, "2031-02-01", NEW) == overrides.Verdicts()


def test_a_number_that_does_not_exist_there_is_an_error_with_its_line(tmp_path: Path) -> None:
    loaded = _load(tmp_path, "2030-01-01\t100.7\t2030-02-01\t100.1\tforbid\tas the author told")
    with pytest.raises(DataError, match=r"matches\.tsv:3: the text of 2030-01-01 has no 100\.7; correct"):
        overrides.verdicts(loaded, "2030-01-01", OLD, "2030-02-01", NEW)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("1 May\t1\t2030-02-01\t1\tforce\tx", "is no effective date"),
        ("2030-03-01\t1\t2030-02-01\t1\tforce\tx", "exchange the two"),
        ("2030-01-01\t1\t2030-02-01\t1\tmaybe\tx", "write force or forbid"),
        ("2030-01-01\t\t2030-02-01\t1\tforce\tx", "both numbers are needed"),
        ("2030-01-01\t1\t2030-02-01\t1\tforce\t", "say in the last column why"),
        ("2030-01-01\t1\t2030-02-01\t1\tforce", "5 columns where 6 are needed"),
        (
            "2030-01-01\t1\t2030-02-01\t1\tforce\tx\n2030-01-01\t1\t2030-02-01\t2\tforce\tx",
            "forced on line 3 already",
        ),
    ],
)
def test_a_malformed_line_is_named_with_its_remedy(tmp_path: Path, row: str, words: str) -> None:
    with pytest.raises(DataError, match=rf"matches\.tsv:[34]: .*{words}"):
        _load(tmp_path, row)


def test_the_file_that_ships_is_well_formed() -> None:
    assert all(override.reason for override in overrides.load())
