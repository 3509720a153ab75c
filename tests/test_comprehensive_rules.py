from __future__ import annotations

from datetime import date

import pytest

from rulehist.comprehensive_rules import next_letters, read
from rulehist.document import PartKind, Severity

HEAD = "Magic: The Gathering Comprehensive Rules\n\nThese rules are effective as of May 1, 2012.\n\n"
TAIL = "\n\nGlossary\n\nAbility\n1. Text on an object.\n2. An object.\n\nZone\nA place.\n"


def _document(body, head=HEAD, tail=TAIL):
    return read(head + body + tail, "made")[0]


def _numbers(document):
    return [part.number for part in document.parts if part.kind in {PartKind.RULE, PartKind.SUBRULE}]


def _codes(document):
    return {finding.code for finding in document.findings}


def test_the_date_is_the_one_that_the_text_states():
    assert _document("100. General\n\n100.1. A rule.").effective == date(2012, 5, 1)


def test_a_text_without_a_date_is_a_fatal_finding():
    document = _document("100. General\n\n100.1. A rule.", head="Comprehensive Rules\n\n")
    assert [finding.code for finding in document.findings if finding.severity is Severity.FATAL] == ["no-date"]


def test_labels_without_or_with_too_many_points_are_read():
    body = "100. General\n\n100.1 A rule.\n\n100.1a. Sub.\n\n100.2.All rules.\n\n 100. 2a Blank.\n\n100.3. Last."
    assert _numbers(_document(body)) == ["100.1", "100.1a", "100.2", "100.2a", "100.3"]


def test_a_number_used_twice_is_kept_twice_and_reported():
    document = _document("100. General\n\n100.1. One.\n\n100.1. Two.")
    assert _numbers(document) == ["100.1", "100.1"]
    assert "number-twice" in _codes(document)


def test_letters_go_on_after_z_and_sections_after_999():
    assert [next_letters(letters) for letters in ("", "k", "n", "z", "aa")] == ["a", "m", "p", "aa", "ab"]
    body = "10. More\n\n1000. General\n\n1000.1. A rule.\n\n" + "\n\n".join(
        f"1000.1{letter} Sub." for letter in [*"abcdefghijkmnpqrstuvwxyz", "aa"]
    )
    assert _numbers(_document(body))[-1] == "1000.1aa"


@pytest.mark.parametrize(
    "label",
    ["100,2.", "10000.2.", "100.ii.", "§100.2.", "[100.2.]", "• 100.2.", "_100.2._", "R100.2.", "100-2.", "100 .2.",
     "100.1A", "100.1 a", "100.1abc", "100.1a1", "100.1a.1"],
)  # fmt: skip
def test_a_number_too_odd_to_be_read_is_reported_and_never_folded_in_silence(label):
    document = _document(f"100. General\n\n100.1. A rule.\n\n{label} An odd rule.\n\n100.3. Last.")
    assert "looks-like-rule" in _codes(document)


def test_an_odd_number_in_a_wrapped_text_is_reported_too():
    line = "a rule whose words go on over several lines of this text until it ends."
    body = (
        "100. General\n\n" + f"100.1. This is\n{line}\n" * 1 + f"100,2. This is\n{line}\n100.3. This is\n{line}\n{line}"
    )
    assert "looks-like-rule" in _codes(_document(body))


def test_a_wrapped_line_that_begins_with_a_number_is_no_rule():
    body = (
        "103. The Golden Rule\n\n103.1. Whenever a card says one thing and these rules say another, see\n"
        "rule 103.2 and the rules that come after it in this section, and\nmost of all rule\n"
        "104.3. If that rule does not say either, then\nthe rule above says what the players of the game do."
        "\n\n103.2. Second."
    )
    assert _numbers(_document(body)) == ["103.1", "103.2"]


def test_a_rule_goes_on_after_its_example():
    document = _document("100. General\n\n100.1. One.\nExample: This.\n     And so on.\n\n100.2. Two.")
    kinds = [part.kind for part in document.parts if part.number == "100.1"]
    assert kinds == [PartKind.RULE, PartKind.EXAMPLE, PartKind.CONTINUATION]


def test_senses_of_a_glossary_entry_are_its_text():
    entries = [part for part in _document("100. General\n\n100.1. A.").parts if part.kind is PartKind.GLOSSARY]
    assert [entry.number for entry in entries] == ["Ability", "Zone"]
    assert "2. An object." in entries[0].text


def test_a_term_that_ran_into_its_first_sense_is_still_the_term():
    tail = TAIL.replace("Ability\n1.", "Ability1.")
    entries = [
        part for part in _document("100. General\n\n100.1. A.", tail=tail).parts if part.kind is PartKind.GLOSSARY
    ]
    assert [entry.number for entry in entries] == ["Ability", "Zone"]
    assert entries[0].text == "1. Text on an object.\n2. An object."


def test_promised_sections_that_never_come_are_fatal():
    head = HEAD + "Contents\n\n1. Game\n100. General\n101. Golden\n\nGlossary\n\n"
    document = _document("1. Game\n\n100. General\n\n100.1. A rule.", head=head, tail="")
    fatal = {finding.code for finding in document.findings if finding.severity is Severity.FATAL}
    assert fatal == {"section-missing", "cut-off"}


@pytest.mark.parametrize("promised", ["Glossary", "Glossary\n\nCredits"])
def test_a_glossary_that_ends_before_its_last_letter_was_cut_off(promised):
    head = HEAD + f"Contents\n\n1. Game\n100. General\n\n{promised}\n\n"
    body = "1. Game\n\n100. General\n\n100.1. A rule."
    cut = TAIL[: TAIL.index("\n\nZone")] + "\n"
    for tail, expected in ((TAIL, False), (cut, True), (cut + "\nUnblockable\nA creature without a blocker.\n", True)):
        assert ("cut-off" in _codes(_document(body, head=head, tail=tail))) is expected, tail


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("it?s", "question-marks"),
        ("it\ufffds", "replacement-character"),
        ("itâ€™s", "mojibake"),
        ("it\x02", "control-character"),
    ],
)
def test_damaged_characters_are_reported(text, code):
    assert code in _codes(_document(f"100. General\n\n100.1. Say {text} so."))


@pytest.mark.archive
def test_every_era_is_read_without_a_fatal_finding(readings):
    for name, reading in readings.items():
        assert [finding for finding in reading.findings if finding.severity is Severity.FATAL] == [], name


@pytest.mark.archive
def test_neighbouring_versions_have_about_as_many_rules(readings):
    counts = {name: len(_numbers(reading.documents[0])) for name, reading in readings.items()}
    before = None
    for name, count in counts.items():
        if before and name >= "2004":
            assert 0.98 * before <= count <= 1.3 * before, name
        before = count
