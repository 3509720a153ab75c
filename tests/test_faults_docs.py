"""The page on faults names every fault that the program can find, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import rulehist
from rulehist.placing import Verdict

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "faults.md").read_text(encoding="utf-8")
PACKAGE = Path(rulehist.__file__).parent


def test_every_code_is_explained_and_no_other() -> None:
    found = {f"excerpt-{verdict}" for verdict in Verdict}
    for path in PACKAGE.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'\b(?:Finding|report|_fatal|self\._fatal)\(\s*"([a-z-]+)"', source))
    assert set(re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)) == found
