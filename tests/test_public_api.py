"""What ``import rulehist`` offers, as somebody who writes a script calls it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import rulehist
from tests.small_texts import JUNE_2030, MARCH_2030

SCENARIO = "objects:\n  bear: {name: Bear, power: 2, toughness: 2}\nexpect: {bear.power: 2}\n"


def test_a_file_may_be_named_by_a_string(tmp_path: Path) -> None:
    march, june, database, scenario, article = (
        str(tmp_path / name) for name in ("march.txt", "june.txt", "rules.db", "bear.yaml", "article.md")
    )
    for name, text in ((march, MARCH_2030), (june, JUNE_2030), (scenario, SCENARIO), (article, "See rule 701.2.\n")):
        Path(name).write_text(text, encoding="utf-8")
    assert [one.status for one in rulehist.ingest_files(database, [march, june])] == ["stored", "stored"]
    assert rulehist.diff_files(march, june).diff.changes
    assert rulehist.load_scenario(scenario).objects
    then, now = rulehist.parse_when("2030-03-01"), rulehist.parse_when("latest")
    with closing(rulehist.open_for_reading(database)) as connection:
        assert rulehist.evaluate(scenario, connection=connection).right
        assert rulehist.check_citations(connection, [article], written=then, as_of=now).findings
        rulehist.move_citations(connection, [article], written=then, to=now, write=True)
    assert Path(article).read_text(encoding="utf-8") == "See rule 702.2.\n"
