"""The README's tour shows what the program answers."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from rulehist import cli

TOUR = re.findall(
    r"```console\n\$ (rulehist [^\n]+)\n(.*?)```",
    (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8"),
    re.DOTALL,
)


@pytest.mark.parametrize(("command", "output"), TOUR, ids=[command for command, _ in TOUR])
def test_the_tour_is_real(
    command: str,
    output: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("RULEHIST_DB", raising=False)
    monkeypatch.setattr("sys.argv", shlex.split(command))
    with pytest.raises(SystemExit):
        cli.main()
    assert capsys.readouterr().out.rstrip() == output.rstrip()
