from __future__ import annotations

from datetime import date

import pytest

from rulehist.history_list import read

TEXT = "Newest text.\n{0}\nA spell is put on the stack.\n{1}\nA spell is put\n{2}\nA spell is put on the stack.\n"


@pytest.mark.parametrize(
    "dates",
    [
        ("October 7, 2022 · Unfinity", "Sept. 30, 2011 · Innistrad", "February 1, 2010 · Worldwake"),
        ("7 October 2022 - Unfinity", "30 September 2011 — Innistrad", "2010-02-01: Worldwake"),
    ],
)
def test_a_list_gives_one_document_a_date(dates):
    documents = read(TEXT.format(*dates), "made")
    effective = [document.effective for document in documents]
    assert effective == [
        None,
        date(2022, 10, 7),
        date(2011, 9, 30),
        date(2010, 2, 1),
    ]
    assert [document.release for document in documents] == ["", "Unfinity", "Innistrad", "Worldwake"]


def test_the_undated_text_is_later_than_every_date_and_a_cut_text_is_marked():
    documents = read(TEXT.format("October 7, 2022 · U", "June 17, 2011 · C", "May 1, 2010 · W"), "made")
    assert documents[0].later_than == date(2022, 10, 7)
    assert [document.parts[0].truncated for document in documents] == [False, False, True, False]
