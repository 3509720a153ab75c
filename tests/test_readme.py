"""The README's tour shows what the program answers."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulehist import cli

ROOT = Path(__file__).resolve().parents[1]
TOUR = re.findall(
    r"```console\n\$ (rulehist [^\n]+)\n(.*?)```",
    (ROOT / "README.md").read_text(encoding="utf-8"),
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


def test_the_demo_is_plain_in_a_pipe(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "data", tmp_path / "data")
    (tmp_path / "rulehist").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rulehist "$@"\n', encoding="utf-8")
    (tmp_path / "rulehist").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    around = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}
    told = subprocess.run(["sh", "data/demo.sh"], cwd=tmp_path, env=around, capture_output=True, check=True, text=True)
    assert "5. A creature with a sticker" in told.stdout
    assert "\x1b" not in told.stdout
