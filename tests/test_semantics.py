"""The semantic switches: values read from the words of made-up rules, silence, and what is refused."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from rulehist.bundled import bundled_store
from rulehist.cli import main
from rulehist.engine.known_words import known_words
from rulehist.engine.layers import _grammar as layer_grammar
from rulehist.engine.readings import read_switch
from rulehist.engine.rules import ListedRules, RuleText
from rulehist.engine.semantics import Reading, Refusal, Unread, compile_semantics
from rulehist.engine.subtype_lists import listed_subtypes
from rulehist.engine.switches import Switch, Wording, read_switches, switches
from rulehist.engine.wording import _limits as limits
from rulehist.errors import DataError, QueryError
from rulehist.ingest import ingest_files
from rulehist.rules_at import StoredRules
from rulehist.semantics_history import history, semantics_through_time, unread
from rulehist.store import open_for_reading
from rulehist.switch_table import switch_table
from rulehist.when import parse_when
from tests.small_texts import rules_text

EACH_KEEPS_ONE = (
    "If two or more legendary permanents with the same name are controlled by the same player, that player chooses one"
    " of them, and the rest are put into their owners' graveyards{more}."
)
KEEPS_ONE = EACH_KEEPS_ONE.format(more="")
FILLER = "704.1. These rules are made up; they say what a game does by itself whenever somebody looks at it."
MODIFIED = (
    "707.9b Some toads modify a spot as part of the copying process. The final set of values for that characteristic"
    " becomes part of the copiable values of the copy."
)


def text(effective: str, legends: str, number: str = "704.5j", modified: str = MODIFIED) -> str:
    return rules_text(
        effective,
        {
            "100. General": ["100.1. These rules apply to any game with two or more toads who sit at one table."],
            "704. State-Based Actions": [FILLER, f"{number} {legends}"],
            "707. Copying Objects": ["707.1. Some toads become or turn another toad into a copy of a toad.", modified],
        },
        {"Deck": "Cards a player starts the game with.", "Token": "A marker."},
    )


def store(folder: Path, *texts: str) -> Path:
    for place, each in enumerate(texts):
        (folder / f"{place}.txt").write_text(each, encoding="utf-8")
    ingest_files(folder / "rules.db", [folder / f"{place}.txt" for place in range(len(texts))])
    return folder / "rules.db"


def read(path: Path, switch: str, when: str) -> Reading | Refusal:
    with open_for_reading(path) as connection:
        return compile_semantics(StoredRules(connection, parse_when(when))).read(switch)


def test_a_switch_is_read_from_the_words_of_its_rule(tmp_path: Path) -> None:
    reading = read(store(tmp_path, text("January 16, 2026", KEEPS_ONE)), "legend-rule", "2026-01-16")
    assert isinstance(reading, Reading)
    assert (reading.value, reading.number, reading.version) == ("each player keeps one", "704.5j", "2026-01-16")
    assert reading.quote == KEEPS_ONE.rstrip(".")


def test_a_rule_that_moved_is_read_under_its_new_number(tmp_path: Path) -> None:
    path = store(tmp_path, text("January 16, 2026", KEEPS_ONE), text("March 1, 2030", KEEPS_ONE, number="704.5m"))
    reading = read(path, "legend-rule", "2030-03-01")
    assert isinstance(reading, Reading)
    assert (reading.value, reading.number) == ("each player keeps one", "704.5m")


@pytest.mark.parametrize(
    "changed",
    [
        "If two or more legendary permanents with the same name are controlled by the same player, the one that came"
        " last stays, and the rest are put into their owners' graveyards.",
        EACH_KEEPS_ONE.format(more=" unless one of them is a token"),
        KEEPS_ONE + " This rule doesn't apply to tokens.",
        "If two or more legendary permanents with the same name are controlled by the same player, that player chooses"
        " two of them, and the rest are put into their owners' hands.",
        KEEPS_ONE.replace("legendary permanents", "legendary creatures"),
    ],
)
def test_a_sentence_that_a_release_changed_is_unread_and_refused_never_guessed(tmp_path: Path, changed: str) -> None:
    path = store(tmp_path, text("January 16, 2026", KEEPS_ONE), text("March 1, 2030", changed))
    refusal = read(path, "legend-rule", "2030-03-01")
    assert isinstance(refusal, Refusal)
    assert refusal.reason.startswith("legend-rule: rule 704.5j of 2030-03-01 says")
    assert refusal.quote in changed
    with open_for_reading(path) as connection:
        found = unread(connection)
        semantics = compile_semantics(StoredRules(connection, parse_when("2030-03-01")))
        with pytest.raises(Unread, match="legend-rule"):
            semantics.value("legend-rule")
    assert [(each.switch, each.since, each.until) for each in found] == [("legend-rule", "2030-03-01", None)]
    assert isinstance(read(path, "legend-rule", "2026-01-16"), Reading)


def test_a_rule_that_says_no_more_what_it_said_is_unread(tmp_path: Path) -> None:
    silent = "707.9b A copying toad may change its spots on the way. Nobody knows what a copy of that copy has."
    path = store(
        tmp_path, text("January 16, 2026", KEEPS_ONE), text("March 1, 2030", "Legends are left alone.", modified=silent)
    )
    for switch in ("legend-rule", "copy-exceptions-copiable"):
        assert isinstance(read(path, switch, "2030-03-01"), Refusal)


def test_rules_that_never_spoke_of_a_question_are_silent(tmp_path: Path) -> None:
    path = store(tmp_path, text("January 16, 2026", KEEPS_ONE))
    reading = read(path, "token-copy-of-nothing", "2026-01-16")
    assert isinstance(reading, Reading)
    assert (reading.said, reading.value, reading.number, reading.quote) == (False, None, "", "")


def test_history_goes_from_value_to_value(tmp_path: Path) -> None:
    all_go = (
        "If two or more legendary permanents with the same name are in play, all are put into their owners' graveyards."
    )
    path = store(tmp_path, text("January 16, 2026", all_go), text("March 1, 2030", KEEPS_ONE))
    with open_for_reading(path) as connection:
        held = [each.as_json() for each in history(connection) if each.switch == "legend-rule"]
        through = [each.read("legend-rule") for each in semantics_through_time(connection)]
    assert [(each["value"], each["from"], each["until"], each["number"]) for each in held] == [
        ("all are put into graveyards", "2026-01-16", "2030-03-01", "704.5j"),
        ("each player keeps one", "2030-03-01", None, "704.5j"),
    ]
    assert set(held[0]) == {"switch", "rows", "rule", "number", "value", "from", "until", "quote"}
    assert [each["rows"] for each in held] == [["S08", "S43"], ["S43"]]
    alone = [read(path, "legend-rule", day) for day in ("2026-01-16", "2030-03-01")]
    assert [each.value for each in through if isinstance(each, Reading)] == [
        each.value for each in alone if isinstance(each, Reading)
    ]


def test_a_list_of_rules_is_read_by_words_alone() -> None:
    rules = ListedRules.of([("9.9", KEEPS_ONE), ("9.8", "Toads sing.")], date(2030, 3, 1))
    semantics = compile_semantics(rules)
    assert semantics.value("legend-rule").value == "each player keeps one"
    with pytest.raises(Unread, match=r"token-copy-of-nothing: the text of its rule is not known for 2030-03-01"):
        semantics.value("token-copy-of-nothing")
    whole = ListedRules.of([("9.9", KEEPS_ONE)], date(2030, 3, 1), complete=True)
    assert not compile_semantics(whole).value("token-copy-of-nothing").said


def test_a_rule_that_excerpts_do_not_have_is_not_known_rather_than_silent() -> None:
    with bundled_store() as connection:
        semantics = compile_semantics(StoredRules(connection, parse_when("latest")))
        assert "stickers" in (semantics.value("not-copied").value or ())
        with pytest.raises(Unread, match="legend-rule: the text of its rule is not known"):
            semantics.value("legend-rule")


def test_an_unknown_switch_is_answered_with_its_neighbours() -> None:
    semantics = compile_semantics(ListedRules.of([], date(2030, 3, 1)))
    with pytest.raises(QueryError, match=r"legends-rule: there is no such switch; near it are legend-rule"):
        semantics.value("legends-rule")


# --- layers and lists

IN_A_LIST = (
    "Values are determined by starting with the actual object, then applying effects in a series of layers in the"
    " following order: (1) copy effects (see rule 9); (2) control-changing effects; and (3) text-changing effects."
)


def layers(*said: str) -> Reading | Refusal:
    rules = [(f"9.{place}", each) for place, each in enumerate(said)]
    return compile_semantics(ListedRules.of(rules, date(2030, 3, 1))).read("layers")


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ([IN_A_LIST], ("1 copy", "2 control", "3 text")),
        (
            ["It is found by starting with it, then applying copy effects (see rule 5), and then applying"
                " all other continuous effects."],
            ("1 copy", "2 other"),
        ),
        (
            [
                "Layer 6: Ability-adding effects, keyword counters, and ability-removing effects are applied.",
                "Layer 2: Control-changing effects are applied. See rule 99, \"Toads.\"",
                "Layer 7c: Effects and counters that modify power and/or toughness (but don't set power and/or"
                " toughness to a specific number or value) are applied.",
            ],
            ("2 control", "6 abilities", "6 keyword counters", "7c modify", "7c counters"),
        ),
    ],
)  # fmt: skip
def test_layers_are_read_as_a_list(said: list[str], value: tuple[str, ...]) -> None:
    reading = layers(*said)
    assert isinstance(reading, Reading)
    assert reading.value == value


def test_a_layer_of_an_unknown_kind_is_unread() -> None:
    refusal = layers("Layer 5: Color-changing effects and smell-changing effects are applied.")
    assert isinstance(refusal, Refusal)
    assert "smell-changing" in refusal.quote


def test_lists_of_subtypes_are_read_as_lists() -> None:
    for kinds, text, subtypes in [
        ("land types", "The land types are Cave, Gate (see rule 9), and Urza’s. Of that list, Cave is a basic one.", 3),
        ("spell types", "The only spell type at this time is Arcane.", 1),
        ("spell types", "These are called spell types. The spell types are Arcane and Trap.", 2),
        ("creature types", "One creature type is two words long: Time Lord. All other creature types are one word "
         "long: Ape, Bat, and Cat.", 4),
        ("battle types", "Battles have a unique subtype, called a battle type. That battle type is Siege.", 1),
        ("land types", "The basic land types are Plains and Island.", 0),
    ]:  # fmt: skip
        assert len(listed_subtypes(kinds, [text])[0]) == subtypes, text


def test_a_switch_that_another_decides_on_names_a_value_of_that() -> None:
    for switch in switches().values():
        if switch.where is not None:
            name, value = switch.where
            assert value in {wording.value for wording in switches()[name].wordings}, switch.name


# --- the data files


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[a]\nquestion 'Why?'\n", r"line 2: \[a\] is no TOML"),
        ("[a]\nquestion = 'Why?'\n[A.wordings]\n", r'line 3: \[a\] has a table of "A" within'),
        ("[a]\nquestion = 'Why?'\n", r"line 1: \[a\] needs rules = "),
        ("\n[a]\nquestion = 'Why'\n", r"line 3: \[a\] needs a question"),
        ("[a]\nquestion = 'Why?'\nrules = ['7.1']\n", r'line 3: \[a\] needs rules = \["NUMBER@DATE"'),
        ("[a]\nquestion = 'Why?'\nrules = ['7.1@2030-01-01']\n", r"line 1: \[a\] needs either a table"),
        ("[a]\nquestion = 'Why?'\nrules = ['7.1@2030-01-01']\nlist = 'toads'\n", r"line 4: \[a\] needs list = one of"),
        ("[a]\nquestion = 'Why?'\nrules = ['7.1@2030-01-01']\nrow = []\n", r'line 4: \[a\] has the key "row"; use'),
        (
            "[a]\nquestion = 'Why?'\nrules = ['7.1@2030-01-01']\n[a.wordings]\n'toads sing' = 3\n",
            r'line 5: \[a\] needs a value in quotation marks after "toads sing"',
        ),
        (
            "[a]\nquestion = 'Why?'\nrules = ['7.1@2030-01-01']\nrows = {S01 = 'so'}\n[a.wordings]\n'toads' = 'no'\n",
            r'line 4: \[a\] has row S01 bring "so"; give it one of no',
        ),
        (
            "[a]\nquestion = 'Why?'\nwhere = 'so'\nrules = ['7.1@2030-01-01']\n[a.wordings]\n'toads' = 'no'\n",
            r"line 3: \[a\] needs where = ",
        ),
        (
            "[a]\nquestion = 'Why?'\nwhere = {toads = 'so'}\nrules = ['7.1@2030-01-01']\n[a.wordings]\n'a' = 'no'\n",
            r"line 3: \[a\] names toads, which is no switch",
        ),
        ("# Toads.\n[A b]\n", "line 2: is of no switch"),
        ("a = 3\n", "line 1: is of no switch"),
    ],
)
def test_a_malformed_file_is_named_with_line_and_remedy(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "switches.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message) as raised:
        read_switches(path)
    assert str(path) in str(raised.value)


TWICE = "switch\twords\tsentences\nlegend-rule\tone\t00000000\nlegend-rule\ttwo\t00000000\n"
LOADERS = {"layers.toml": layer_grammar, "limits.toml": limits, "known-words.tsv": known_words}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("layers.toml", "weightless = []", "needs the lists weightless and asides"),
        ("layers.toml", "weightless []", "cannot be read .*line 1"),
        ("limits.toml", "words = []", "needs the two lists words and known"),
        ("known-words.tsv", "switch\twords\tsentences\ntoads\tsing\t00000000\n", ":2: there is no switch toads"),
        ("known-words.tsv", TWICE, ":3: legend-rule stands here"),
    ],
)  # fmt: skip
def test_every_other_data_file_is_checked_too(
    name: str, content: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "semantics").mkdir()
    (tmp_path / "semantics" / name).write_text(content, encoding="utf-8")
    for module in ("layers", "wording", "known_words"):
        monkeypatch.setattr(f"rulehist.engine.{module}.data_folder", lambda: tmp_path)
    with pytest.raises(DataError, match=message):
        LOADERS[name].__wrapped__()


WORDINGS = [(switch, wording) for switch in switches().values() for wording in switch.wordings]


@pytest.mark.parametrize(
    ("switch", "wording"), WORDINGS, ids=[f"{each.name}: {words.words}" for each, words in WORDINGS]
)
def test_every_wording_reads_its_own_words_and_nothing_that_turns_them(switch: Switch, wording: Wording) -> None:
    words = " ".join(wording.stretches).rstrip(".")
    read_alone = read_switch(switch, [RuleText("", "9.9", "2030-03-01", f"{words}.")], "2030-03-01")
    assert isinstance(read_alone, Reading)
    assert read_alone.value == wording.value
    turned = f"{words.capitalize()}. However, this rule doesn't apply to toads."
    assert isinstance(read_switch(switch, [RuleText("", "9.9", "2030-03-01", turned)], "2030-03-01"), Refusal)


def test_every_row_of_the_list_of_changes_is_covered_by_a_switch() -> None:
    rows = {row for switch in switches().values() for row in switch.rows}
    assert rows == {f"S{number:02}" for number in range(1, 82)}


def test_the_documentation_has_the_table_of_switches() -> None:
    documented = (Path(__file__).parents[1] / "docs" / "semantics.md").read_text(encoding="utf-8")
    table = documented.partition("tests/test_semantics.py compares -->\n\n")[2]
    assert table == switch_table(), "write the end of docs/semantics.md anew with rulehist.switch_table.switch_table()"


# --- the command


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["semantics", *words])
    return int(stopped.value.code or 0), capsys.readouterr().out


def test_the_command_shows_values_changes_and_what_is_unread(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = "If two or more legendary permanents with the same name are met, the oldest and the newest stay."
    path = store(tmp_path, text("January 16, 2026", KEEPS_ONE), text("March 1, 2030", changed))
    code, shown = ask(capsys, "2026-01-16", "--db", str(path))
    assert code == 0
    assert "legend-rule: What becomes of legendary permanents with the same name?\n  each player keeps one\n" in shown
    assert "rule 704.5j (2026-01-16): If two or more" in shown
    code, shown = ask(capsys, "2026-01-16..2030-03-01", "--db", str(path), "--json")
    assert code == 1
    (change,) = json.loads(shown)
    assert change["switch"] == "legend-rule"
    assert change["old"]["value"] == "each player keeps one"
    assert "no wording in data/semantics/switches/entering.toml reads" in change["new"]["unread"]
    code, shown = ask(capsys, "2026-01-16..2026-01-16", "--db", str(path))
    assert (code, shown) == (0, "no switch changed\n")
    code, shown = ask(capsys, "--unread", "--db", str(path))
    assert code == 1
    assert shown.startswith("2030-03-01  legend-rule: rule 704.5j of 2030-03-01 says")
    code, shown = ask(capsys, "2026-01-16", "--switch", "legend-rule", "--db", str(path), "--json")
    assert code == 0
    assert [(each["switch"], each["value"]) for each in json.loads(shown)] == [("legend-rule", "each player keeps one")]
    code, shown = ask(capsys, "--known-words", "--db", str(path), "--json")
    assert code == 0
    assert {"legendary", "chooses", "rest"} < set(json.loads(shown)["legend-rule"])
    code, shown = ask(capsys, "--history", "--db", str(path))
    assert code == 0
    assert "legend-rule\n  2026-01-16  704.5j  each player keeps one (S43)\n  2030-03-01  704.5j  unread:" in shown
