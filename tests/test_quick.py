"""The quick way gives what Typer gives, or leaves the command line to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from rulehist import cli, quick
from rulehist.commands.program import app
from rulehist.ingest import ingest_files
from rulehist.resources import data_folder
from tests.small_texts import JUNE_2030, MARCH_2030

OPTIONS = ["--json", "--all", "--by-number", "--db", "--db=a.db", "--", "--help", "-x", "-", "--jso", "--format"]
OPTIONS += ["--as-of", "--explain"]
WORDS = ["a.db", "707.2", "100.2@2030-03-01", "2030-03-01..latest", "md", "latest", "é", " ", ""]
SCENARIO = str(data_folder() / "scenarios" / "stickered-creature-copied.yaml")
words = st.sampled_from(OPTIONS + WORDS)
command_lines = st.builds(
    lambda name, rest: [name, *rest], st.sampled_from([*quick.FORMS, "versions", "--json"]), st.lists(words, max_size=5)
)


def by_typer(line: list[str]) -> dict[str, Any]:
    """What Typer reads out of a command line: parameters that are not as they are without being named."""
    program = typer.main.get_command(app)
    command = program.get_command(None, line[0])  # type: ignore[attr-defined]
    context = command.make_context(line[0], line[1:])
    plain = {parameter.name: parameter.default for parameter in command.params}
    return {name: value for name, value in context.params.items() if value != plain[name] and value is not None}


@given(command_lines)
def test_what_the_quick_way_reads_is_what_typer_reads(line: list[str]) -> None:
    read = quick.plain_form(line)
    if read is None:
        return
    command, subjects, options = read
    expected = by_typer(line)
    scenario = command in ("bisect", "compare", "eval")
    named = expected.pop("versions", None) or [expected.pop("scenario" if scenario else "address")]
    named = [*named, *expected.pop("moments", [])]
    assert (command, subjects) == (line[0], [str(word) for word in named])
    assert {name: str(value) for name, value in expected.items()} == {
        name: str(value) for name, value in options.items()
    }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quick")
    for name, text in (("march.txt", MARCH_2030), ("june.txt", JUNE_2030)):
        (folder / name).write_text(text, encoding="utf-8")
    ingest_files(folder / "rules.db", [folder / "march.txt", folder / "june.txt"])
    return folder / "rules.db"


@pytest.mark.parametrize(
    "line",
    [
        ["show", "702.2"],
        ["show", "--json", "701.1@2030-03-01"],
        ["show", "999.9"],
        ["show", "702.2@nothing"],
        ["log", "702.2"],
        ["log", "701.1", "--by-number", "--json"],
        ["blame", "702.2"],
        ["blame", "702.2", "--json"],
        ["diff", "2030-03-01..2030-06-01"],
        ["diff", "2030-03-01..2030-06-01", "--all"],
        ["diff", "2030-06-01..2030-06-01"],
        ["diff", "--json", "2030-03-01..latest"],
        ["diff", "2030-03-01"],
        ["eval", SCENARIO, "--as-of", "2030-03-01"],
        ["compare", SCENARIO, "2030-03-01", "latest"],
        ["compare", SCENARIO, "2030-03-01", "--json"],
        ["compare", SCENARIO, "nothing"],
        ["bisect", SCENARIO],
        ["bisect", SCENARIO, "--json"],
        ["bisect", "no-such-file.yaml"],
    ],
    ids=" ".join,
)
def test_both_ways_print_and_end_alike(
    store: Path, line: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = [*line, "--db", str(store)]
    assert quick.plain_form(line) is not None
    outcomes = []
    for run in (quick.run, lambda _: None):
        monkeypatch.setattr(quick, "run", run)
        with pytest.raises(SystemExit) as ended:
            cli.main(line)
        outcomes.append((ended.value.code, *capsys.readouterr()))
    assert outcomes[0] == outcomes[1]
