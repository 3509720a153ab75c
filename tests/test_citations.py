"""What is a citation of a rule, and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulehist.citations.finding import Finder, find_citations
from rulehist.citations.patterns import default_patterns


def numbers(text: str, *, keyed: bool = False) -> list[str]:
    return [citation.words for citation in Finder(default_patterns(), keyed=keyed).find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("CR 707.2", ["707.2"]),
        ("rule 707.2a", ["707.2a"]),
        ("rules 702.19b-c", ["702.19b-702.19c"]),
        ("[CR#613.8]", ["613.8"]),
        ("C.R. 104.3f", ["104.3f"]),
        ("§ 613.7", ["613.7"]),
        ("(see rule 104.3)", ["104.3"]),
        ("comp rules 508.1d", ["508.1d"]),
        ("Comprehensive Rules 704", ["704"]),
        ("CR702.19", ["702.19"]),
        ("{{CR|707.2}}", ["707.2"]),
        ("**CR** 707.2", ["707.2"]),
        ("rule [707.2](x/y), [707.3](z)", ["707.2", "707.3"]),
        ('rule <a href="#x">707.2</a>, <b>704.5</b>', ["707.2", "704.5"]),
        ("rule&nbsp;707.2", ["707.2"]),
        ("see rule\n    // 704.5k now", ["704.5k"]),
        ("CR 701.21a/b", ["701.21a", "701.21b"]),
        ("CR 603.3b and d", ["603.3b", "603.3d"]),
        ("CR 104.3a, c, and e", ["104.3a", "104.3c", "104.3e"]),
        ("rules 702.16n/p's own", ["702.16n", "702.16p"]),
        ("CR 702.19b, 510.1c).", ["702.19b", "510.1c"]),
        ("CR 117.5 / CR 603.3b:", ["117.5", "603.3b"]),
        ("CR 101.4 + CR 701.21a", ["101.4", "701.21a"]),
        ("rules 303.4/301.5", ["303.4", "301.5"]),
        ("rules 100.1 through 100.4", ["100.1-100.4"]),
        ("CR 712.9-10", ["712.9-712.10"]),
        ("CR 508.1d–e, 509.1a and 510.1", ["508.1d-508.1e", "509.1a", "510.1"]),
        ("rule 704 and rule 704.5", ["704", "704.5"]),
        ("CR 704.5k.", ["704.5k"]),
        ("CR §702.33", ["702.33"]),
        ("**CR Rules**: 701.27 (Transform), 701.28 (Convert), 712.4c", ["701.27", "701.28", "712.4c"]),
        ("CR 704.5s's Saga", ["704.5s"]),
        ("(CR 111, 707.1)", ["111", "707.1"]),
        ("Comprehensive Rules 701.28 / 712", ["701.28", "712"]),
        ("CR 706/707", ["706", "707"]),
        ("[CR#601.2a..601.2b] and [CR#702.19a..c]", ["601.2a-601.2b", "702.19a-702.19c"]),
        ("CR 702.19a through d", ["702.19a-702.19d"]),
        ("CR 712.18\n(no new object), 704.3 (after it)", ["712.18", "704.3"]),
        ("rule no. 702.19b, rule number 702.2", ["702.19b", "702.2"]),
    ],
)
def test_people_cite_in_many_ways(text: str, found: list[str]) -> None:
    assert numbers(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "613.7f",
        "float x = rule * 613.7f;",
        "vec3(702.19, 613.7f)",
        "rule[702.1]",
        "rule(613.7)",
        "cr[613]",
        "cr: 100",
        "version 702.19.1",
        "CR 100.5.2",
        "rule 192.168.0.1",
        "rule 100.50 USD",
        "rule 104.3%",
        "$707.20",
        "17 U.S.C. § 101.5",
        "Some Rev. Stat. § 101.5",
        "CR 101/12/2020",
        "rule 100, 101.5 degrees",
        "tournament rules 100.1",
        "formerly CR 706.2",
        "overrule 702.1",
        "rule 2021-07-23",
        "rule 110 automaton",
        "rule 404 not found",
        "CR 10.5",
        "CR 1047",
        "rule 1.2",
        "707.2 alone",
        "rule of thumb: 701.2",
    ],
)
def test_what_only_looks_like_a_citation_is_none(text: str) -> None:
    assert numbers(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('"rule": "702.19b"', ["702.19b"]),
        ("rule: 702.19b", ["702.19b"]),
        ('rules: ["702.19b", "510.1c"]', ["702.19b", "510.1c"]),
        ('"rule": 613.7', []),
        ('"price": "702.19"', []),
    ],
)
def test_in_data_a_key_leads_as_well(text: str, found: list[str]) -> None:
    assert numbers(text, keyed=True) == found
    assert numbers(text) == []


@pytest.mark.parametrize("text", ["CR 702.19(b)", "CR 702.19*", "CR 702.19/b", "CR 613.7f.1"])
def test_what_goes_on_in_an_unknown_way_is_marked(text: str) -> None:
    assert all(citation.open_end for citation in find_citations(text))


def test_a_word_after_a_number_is_no_subrule() -> None:
    assert numbers("rule 704.5a and a creature") == ["704.5a"]
    assert numbers("CR 704.5a, x, y") == ["704.5a"]
    assert numbers("CR 613.7, 2 things") == ["613.7"]


@given(st.text(alphabet="CRrule §#.,/-&and[]()bc 0123457\n", max_size=60))
def test_citations_come_in_order_and_never_overlap(text: str) -> None:
    found = find_citations(text)
    ends = [0, *(citation.end for citation in found)]
    assert all(end <= citation.start for end, citation in zip(ends, found, strict=False))
    for citation in found:
        assert text[citation.place[0] : citation.place[1]] in citation.number
