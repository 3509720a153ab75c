from __future__ import annotations

from datetime import date

import pytest

from rulehist.document import Coverage, PartKind
from rulehist.excerpt import read


@pytest.mark.parametrize("bullet", ["•", "*", "-"])
def test_an_excerpt_gives_its_rules_subrules_and_examples(bullet):
    text = (
        "Page\n\nFrom the Comprehensive Rules (June 7, 2024—Modern Horizons 3)\n\n"
        f"{bullet} 201.5. A rule.\n  {bullet} 201.5a A subrule.\n\n    Example: So.\n"
    )
    (document,) = read(text, "made")
    assert (document.effective, document.release) == (date(2024, 6, 7), "Modern Horizons 3")
    assert document.coverage is Coverage.EXCERPT
    assert [(part.kind, part.number) for part in document.parts] == [
        (PartKind.TITLE, ""),
        (PartKind.NOTICE, ""),
        (PartKind.RULE, "201.5"),
        (PartKind.SUBRULE, "201.5a"),
        (PartKind.EXAMPLE, "201.5a"),
    ]
