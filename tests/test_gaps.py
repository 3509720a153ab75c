"""Releases whose text is missing are named, never papered over."""

from __future__ import annotations

from rulehist.bundled import bundled_store
from rulehist.gaps import between, gaps, named
from rulehist.releases import Release

RELEASES = tuple(Release(f"20{year}-01-01", f"S{year}", "") for year in range(10, 16))
TEXTS = {"2010-01-01", "2013-01-01"}


def test_every_release_without_a_text_is_a_gap() -> None:
    assert [gap.code for gap in between(RELEASES, TEXTS)] == ["S11", "S12", "S14", "S15"]


def test_a_gap_between_two_days_comes_after_the_first_and_up_to_the_second() -> None:
    assert [gap.code for gap in between(RELEASES, TEXTS, "2011-01-01", "2014-01-01")] == ["S12", "S14"]


def test_many_gaps_are_named_by_the_first_of_them() -> None:
    assert named(between(RELEASES, TEXTS)) == "2011-01-01 S11, 2012-01-01 S12, 2014-01-01 S14 and 1 more"
    assert named(between(RELEASES, TEXTS), 4).endswith("2014-01-01 S14, 2015-01-01 S15")


def test_an_excerpt_fills_no_gap() -> None:
    with bundled_store() as connection:
        assert "AFR" in [gap.code for gap in gaps(connection, "2021-07-01", "2021-07-31")]
