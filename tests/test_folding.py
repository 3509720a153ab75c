from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rulehist.folding import fold


@given(st.text(alphabet="aE-—_ \n.'’“()rRtTmM·Æ®™", max_size=30))
@example("-- —")
@example("a - - b")
@example("_-_-")
def test_folding_twice_is_folding_once(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("can't", "can’t"), ("a--b", "a—b"), ("Magic(R)", "Magic®"), ("_Magic_ game", "Magic game"),
        ("Æther", "AEther"), ("face-\ndown", "face-down"), ("one-\nor two", "one- or two"),
    ],
)  # fmt: skip
def test_typography_alone_makes_no_difference(one, other):
    assert fold(one) == fold(other)
