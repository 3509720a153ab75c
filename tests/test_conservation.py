"""Nothing of a source is lost, and nothing is told twice."""

from __future__ import annotations

import hashlib
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulehist import comprehensive_rules, dated_versions, store, stored_documents
from rulehist.document import NUMBERED
from rulehist.export import published_text
from rulehist.folding import fold
from rulehist.reading import to_text


def _without_blanks(text: str) -> str:
    """Every character that is not a blank: what conservation is about, whatever folding does with it."""
    return re.sub(r"\s+", "", text)


@pytest.mark.archive
def test_every_archived_text_is_given_back(readings, archive):
    for name, reading in readings.items():
        text, _ = to_text((archive / "cr" / name).read_bytes(), name)
        (document,) = reading.documents
        # Equal but for the amount of blank space: stricter than equal in folded form, and quicker.
        assert published_text(document).split() == text.split(), name


@pytest.mark.archive
def test_parts_come_in_the_order_of_their_lines(readings):
    for name, reading in readings.items():
        for document in reading.documents:
            lines = [part.line for part in document.parts]
            assert lines == sorted(lines), name
            assert len(set(lines)) == len(lines), name


@pytest.mark.archive
def test_every_version_comes_out_of_the_store_as_it_went_in(archive_database, archive):
    sources = {hashlib.sha256(path.read_bytes()).hexdigest(): path for path in (archive / "cr").glob("*.txt")}
    connection = store.open_for_reading(archive_database)
    try:
        listed = dated_versions.versions(connection)
        assert {row.sha256 for row in listed} == set(sources)
        for row in listed:
            text, _ = to_text(sources[row.sha256].read_bytes(), row.source)
            exported = published_text(stored_documents.document_of(connection, row.version).document)
            assert exported.split() == text.split(), row.source
    finally:
        connection.close()


_words = st.lists(
    st.sampled_from(
        [
            "creature",
            "spell",
            "player",
            "704.5k",
            "See",
            "rule",
            "“stack”",
            "1.",
            "face-down",
            "{T}:",
            "+1/+1",
        ]
    ),
    min_size=1,
    max_size=12,
)


@st.composite
def _documents(draw: st.DrawFn) -> tuple[str, list[str]]:
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    lines = [
        "Magic: The Gathering Comprehensive Rules",
        "",
        "These rules are effective as of May 1, 2012.",
        "",
    ]
    numbers = []
    for section in range(100, 100 + draw(st.integers(1, 3))):
        lines += [f"{section}. Title", ""]
        for rule in range(1, 1 + draw(st.integers(1, 4))):
            lines += [f"{section}.{rule}. The " + " ".join(draw(_words)) + ".", ""]
            numbers.append(f"{section}.{rule}")
            for letter in "abc"[: draw(st.integers(0, 3))]:
                lines += [f"{section}.{rule}{letter} A " + " ".join(draw(_words)) + "."]
                numbers.append(f"{section}.{rule}{letter}")
                if draw(st.booleans()):
                    lines += ["Example: If " + " ".join(draw(_words)) + "."]
                if draw(st.booleans()):
                    lines += ["     It " + " ".join(draw(_words)) + "."]
                lines += [""]
    lines += ["Glossary", "", "Term", "What it " + " ".join(draw(_words)) + ".", ""]
    return end.join(lines), numbers


@given(_documents())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_document_is_given_back_with_its_numbers(made):
    text, numbers = made
    (document,) = comprehensive_rules.read(text, "made")
    assert _without_blanks(published_text(document)) == _without_blanks(text)
    assert fold(published_text(document)) == fold(text)
    found = [part.number for part in document.parts if part.kind in NUMBERED and "." in part.number]
    assert found == numbers
