"""What the doctor sees beyond the reading: a date that file name, chapters or other texts contradict."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from rulehist import ingest, store
from rulehist.doctor import (
    Examined,
    Profile,
    as_json,
    as_text,
    date_faults,
    examine,
    examine_files,
    examine_store,
    has_faults,
    profile,
    store_profiles,
    summary,
)
from rulehist.document import Coverage, Document, Finding, Part, PartKind, Severity
from rulehist.eras import era_faults, known_chapters
from rulehist.errors import DataError, SourceError
from rulehist.keywords import known_keywords
from rulehist.reading import read
from rulehist.resources import data_folder
from tests.small_texts import MARCH_2030

OLD = (("3", "Turn Structure"), ("4", "Spells, Abilities, and Effects"))
NEW = (("3", "Card Types"), ("4", "Zones"))


def document(effective: str, *, chapters: tuple[tuple[str, str], ...] = (), rules: range = range(0)) -> Document:
    parts = [Part(PartKind.SECTION, title, number, f"{number}. ") for number, title in chapters]
    parts += [Part(PartKind.RULE, f"Rule number {each} of this text.", f"100.{each}") for each in rules]
    return Document("comprehensive-rules", Coverage.FULL, date.fromisoformat(effective), tuple(parts))


def other(effective: str, rules: range) -> Profile:
    made = profile(document(effective, rules=rules))
    assert made is not None
    return made


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


@pytest.mark.parametrize(
    "name",
    ["20040601.txt", "2004-06-01.txt", "MagicCompRules 040601.txt", "CompRules_060104.rtf", "rules.txt"],
)
def test_a_name_that_can_be_read_as_the_texts_date_is_no_contradiction(name: str) -> None:
    assert date_faults(document("2004-06-01"), name) == []


def test_a_text_put_online_some_weeks_before_it_takes_effect_is_no_contradiction() -> None:
    assert date_faults(document("2021-07-23"), "MagicCompRules 20210712.txt") == []


@pytest.mark.parametrize("name", ["20050601.txt", "1999-01-01.txt", "CompRules_070116.txt"])
def test_a_name_of_another_time_is_reported(name: str) -> None:
    [finding] = date_faults(document("2004-06-01"), name)
    assert finding.code == "name-date"
    assert "2004-06-01" in finding.message


def test_chapters_of_2005_under_a_date_of_2015_are_of_another_era() -> None:
    [finding] = date_faults(document("2015-01-23", chapters=OLD), "rules.txt")
    assert (finding.code, finding.severity) == ("other-era", Severity.FATAL)
    assert "Turn Structure" in finding.message


@pytest.mark.parametrize("day", [date.min, date.max])
def test_keywords_are_judged_at_any_date(day: date) -> None:
    keywords = [keyword.name for keyword in known_keywords()]
    assert codes(era_faults(day, (), keywords)) == ["other-era"]


def test_chapters_of_today_under_a_date_of_2005_are_of_another_era() -> None:
    assert codes(date_faults(document("2005-08-01", chapters=NEW), "rules.txt")) == ["other-era"]


@pytest.mark.parametrize(("effective", "chapters"), [("2005-08-01", OLD), ("2009-07-11", NEW), ("2031-01-01", NEW)])
def test_chapters_of_their_own_time_are_in_order(effective: str, chapters: tuple[tuple[str, str], ...]) -> None:
    assert date_faults(document(effective, chapters=chapters), "rules.txt") == []


def test_new_chapter_titles_alone_are_no_fault() -> None:
    assert date_faults(document("2031-01-01", chapters=(("3", "Dice"),)), "rules.txt") == []


def test_a_text_that_is_far_more_like_one_of_another_decade_is_reported() -> None:
    others = [
        other("2005-02-01", range(100)),
        other("2014-02-01", range(100, 200)),
        other("2016-02-01", range(100, 200)),
    ]
    [finding] = date_faults(document("2015-02-01", rules=range(95)), "rules.txt", others)
    assert finding.code == "other-era"
    assert "2005-02-01" in finding.message


def test_a_great_rewording_is_no_other_era() -> None:
    others = [
        other("2005-02-01", range(100)),
        other("2008-02-01", range(100)),
        other("2012-02-01", range(200, 300)),
    ]
    assert date_faults(document("2009-02-01", rules=range(200, 300)), "rules.txt", others) == []
    assert date_faults(document("2009-02-01", rules=range(300, 400)), "rules.txt", others) == []


def test_an_excerpt_is_not_judged_by_its_date() -> None:
    excerpt = Document("excerpt", Coverage.EXCERPT, date(2004, 6, 1), ())
    assert date_faults(excerpt, "20150101.txt") == []


def test_what_cannot_be_read_is_one_fatal_finding() -> None:
    [finding] = examine(b"", "empty.txt")
    assert (finding.code, finding.severity) == ("unreadable", Severity.FATAL)


def test_a_file_that_cannot_be_opened_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    examined = examine_files([tmp_path / "gone.txt", tmp_path / "empty.txt"])
    assert [each.findings[0].code for each in examined] == ["unreadable", "unreadable"]


def test_findings_are_told_with_their_place() -> None:
    examined = [Examined("a.txt", (Finding("x-y", "Odd.", 7), Finding("z", "Whole.", 0, Severity.NOTE)))]
    assert as_text(examined) == "a.txt:7: warning: Odd. [x-y]\na.txt: note: Whole. [z]\n"
    assert json.loads(as_json(examined))[0] == {
        "source": "a.txt",
        "line": 7,
        "severity": "warning",
        "code": "x-y",
        "message": "Odd.",
    }


def test_a_note_alone_is_no_fault() -> None:
    note = Finding("z", "Whole.", 0, Severity.NOTE)
    assert not has_faults([Examined("a.txt", (note,))])
    assert has_faults([Examined("a.txt", (note, Finding("x", "Odd.")))])


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("x\tZones\t2009-07-11\t", "number such as 7"),
        ("4\tZones\t11.7.2009\t", "2021-07-23"),
        ("4\tZones\t2009-07-11\t2008-01-01", "is before"),
    ],
)
def test_a_fault_in_the_list_of_chapters_names_its_line(tmp_path: Path, row: str, words: str) -> None:
    path = tmp_path / "chapters.tsv"
    path.write_text(f"chapter\ttitle\tfirst\tlast\n{row}\n")
    with pytest.raises(DataError, match=rf"chapters\.tsv:2: .*{words}"):
        known_chapters(path)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("Flying\t2021-07-24\t", "data/releases.tsv"),
        ("Flying\t2021-07-23\t2020-01-24", "then the last"),
        ("\t2021-07-23\t", "write the keyword"),
    ],
)
def test_a_fault_in_the_list_of_keywords_names_its_line(tmp_path: Path, row: str, words: str) -> None:
    path = tmp_path / "keywords.tsv"
    path.write_text(f"keyword\tfirst\tlast\n{row}\n")
    with pytest.raises(DataError, match=rf"keywords\.tsv:2: .*{words}"):
        known_keywords(path)


def with_keywords(effective: str, of: str) -> Document:
    """A text that says ``effective``, with the keywords that texts had on the day ``of``."""
    day = date.fromisoformat(of)
    names = [each.name for each in known_keywords() if each.first <= day and (each.last is None or day <= each.last)]
    parts = tuple(Part(PartKind.RULE, name, f"702.{number}") for number, name in enumerate(names, 2))
    return Document("comprehensive-rules", Coverage.FULL, date.fromisoformat(effective), parts)


@pytest.mark.parametrize(("effective", "of"), [("2014-05-01", "2018-10-05"), ("2018-10-05", "2014-05-01")])
def test_keywords_of_another_time_speak_against_a_date(effective: str, of: str) -> None:
    [finding] = date_faults(with_keywords(effective, of), "rules.txt")
    assert (finding.code, finding.severity) == ("other-era", Severity.FATAL)


@pytest.mark.parametrize("effective", ["2013-12-24", "2014-05-01", "2014-08-01", "2031-01-01"])
def test_keywords_of_about_the_same_time_do_not(effective: str) -> None:
    of = "2026-01-16" if effective > "2026" else "2014-05-01"
    assert date_faults(with_keywords(effective, of), "rules.txt") == []


def test_a_text_of_another_era_than_its_date_is_refused_unless_forced(tmp_path: Path) -> None:
    path, database = tmp_path / "rules.txt", tmp_path / "rules.db"
    path.write_text(MARCH_2030.replace("March 1, 2030", "March 1, 2005"), encoding="utf-8")
    with pytest.raises(SourceError, match=r"2005-03-01, but its chapters .* --force$"):
        ingest.ingest_files(database, [path])
    ingest.ingest_files(database, [path], force=True)
    connection = store.open_for_reading(database)
    assert connection.execute("SELECT effective, damaged FROM version_list JOIN sources USING (sha256)").fetchall() == [
        ("2005-03-01", 1)
    ]
    connection.close()


def test_a_name_that_contradicts_the_text_is_warned_about_and_the_text_wins(tmp_path: Path) -> None:
    path, database = tmp_path / "MagicCompRules 20210712.txt", tmp_path / "rules.db"
    path.write_text(MARCH_2030, encoding="utf-8")
    [outcome] = ingest.ingest_files(database, [path])
    assert (outcome.status, outcome.versions) == ("stored", ("2030-03-01",))
    assert "name-date" in codes(list(outcome.findings))
    connection = store.open_for_reading(database)
    examined, _ = examine_store(connection)
    connection.close()
    assert "name-date" in codes(list(examined.findings))


@pytest.mark.archive
def test_no_published_text_is_said_to_be_of_another_time(archive: Path) -> None:
    examined = examine_files(sorted((archive / "cr").glob("*.txt")))
    found = Counter(finding.code for each in examined for finding in each.findings)
    assert not found.keys() & {"unreadable", "other-era", "name-date"}
    assert sum(found.values()) < 60


@pytest.mark.archive
@pytest.mark.parametrize(("file", "effective"), [("2005-08-01", "2015-08-01"), ("2019-05-03", "2007-05-01")])
def test_a_text_with_a_false_date_is_found_out(archive: Path, file: str, effective: str) -> None:
    [text] = read((archive / "cr" / f"{file}.txt").read_bytes(), file).documents
    false = Document(text.kind, text.coverage, date.fromisoformat(effective), text.parts)
    assert codes(date_faults(false, "rules.txt")) == ["other-era"]


@pytest.mark.archive
def test_a_store_is_examined_as_its_files_are(archive: Path, tmp_path: Path) -> None:
    files = [archive / "cr" / f"{name}.txt" for name in ("2004-06-01", "2009-09-04", "2024-09-17")]
    database = tmp_path / "rules.db"
    ingest.ingest_files(database, files)
    connection = store.open_for_reading(database)
    try:
        examined = examine_store(connection)
        assert [each.effective.isoformat() for each in store_profiles(connection)] == [
            "2004-06-01",
            "2009-09-04",
            "2024-09-20",
        ]
    finally:
        connection.close()
    assert [each.findings for each in examined[:-1]] == [each.findings for each in examine_files(files)]
    assert Counter(codes(list(examined[-1].findings))).keys() == {"gap"}


def examined_store(database: Path) -> dict[str, list[str]]:
    connection = store.open_for_reading(database)
    try:
        return {each.name: codes(list(each.findings)) for each in examine_store(connection)}
    finally:
        connection.close()


def test_the_store_names_its_gaps_and_what_its_excerpts_are(tmp_path: Path) -> None:
    database = tmp_path / "rules.db"
    ingest.ingest_files(database, [data_folder() / "bundled"])
    found = examined_store(database)
    assert set(found["the store"]) == {"gap"}
    assert set(found["skinned-card-excerpt.txt"]) == {"excerpt-unknown"}


def test_a_reissue_with_other_words_is_reported(tmp_path: Path) -> None:
    database = tmp_path / "rules.db"
    for name, text in (("a.txt", MARCH_2030), ("b.txt", MARCH_2030.replace("at one table", "around one table"))):
        (tmp_path / name).write_text(text, encoding="utf-8")
        ingest.ingest_files(database, [tmp_path / name])
    found = examined_store(database)
    assert sorted([*found["a.txt"], *found["b.txt"]]) == ["reissue-differs"]


def test_an_excerpt_that_the_full_text_contradicts_is_reported(tmp_path: Path) -> None:
    database = tmp_path / "rules.db"
    (tmp_path / "march.txt").write_text(MARCH_2030, encoding="utf-8")
    quoted = (
        "From the Comprehensive Rules (March 1, 2030\u2014Song)\n\n\u2022 100.1. These rules apply to nobody at all."
    )
    (tmp_path / "quoted.txt").write_text(quoted, encoding="utf-8")
    ingest.ingest_files(database, [tmp_path / "march.txt", tmp_path / "quoted.txt"])
    assert examined_store(database)["quoted.txt"] == ["excerpt-differs"]


def test_what_was_found_is_summed_up() -> None:
    note, warning = Finding("x", "X.", 0, Severity.NOTE), Finding("y", "Y.")
    assert summary([Examined("a", (note, warning)), Examined("b", (warning,))]) == "2 sources: 2 warnings, 1 note"
    assert summary([Examined("a", ())]) == "1 source: no faults"


def test_of_two_sources_with_one_name_only_the_one_with_the_fault_has_it(tmp_path: Path) -> None:
    database = tmp_path / "rules.db"
    for folder, text in (("a", MARCH_2030), ("b", MARCH_2030.replace("at one table", "around one table"))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rules.txt").write_text(text, encoding="utf-8")
    ingest.ingest_files(database, [tmp_path / "a", tmp_path / "b"])
    connection = store.open_for_reading(database)
    sources = [each for each in examine_store(connection) if each.name == "rules.txt"]
    connection.close()
    assert sorted(codes(list(each.findings)) for each in sources) == [[], ["reissue-differs"]]
