"""What chapters show of Cranfield: each recorded column is what the chapter's own code computes."""

import ast
import functools
from pathlib import Path
from typing import Any

import pytest

from dev.tools import quick
from dev.tools.notebooks import sets_up, sources
from irmetrics_edu.course import load_cranfield
from irmetrics_edu.course.collection import cranfield

TOPICS = ["ranking_is_not_a_set", "many_queries", "never_judged", "learning_to_rank", "judges"]


@functools.cache
def runs(folder: Path) -> dict[str, Any]:
    """The runs of both engines, which are made once."""
    return cranfield.runs_over(load_cranfield(folder))


@pytest.mark.suite("lessons")
@pytest.mark.parametrize("topic", TOPICS)
def test_the_recorded_columns_are_computed_again(topic: str, shared: Path) -> None:
    """By the function that the chapter shows, over the published files."""
    folder = shared / "data" / "cranfield"
    [source] = [path for path in sources() if path.stem[3:] == topic]
    names: dict[str, Any] = {}
    cells = [code for _, code in quick.cells(source)]
    imports = next(code for code in cells if sets_up(code))
    quick.execute(imports, names, str(source))
    [shown] = [code for code in cells if "def over_cranfield" in code]
    kept_lines = ast.FunctionDef | ast.Assign
    defined = [line for line in ast.parse(shown).body if isinstance(line, kept_lines)]
    quick.execute(ast.unparse(ast.Module(defined, [])), names, str(source))
    names["runs_over"] = lambda _: runs(folder)
    found, kept = names["over_cranfield"](folder), cranfield.recorded(topic)
    assert list(found) == list(kept)
    for name, column in kept.items():
        if isinstance(column[0], str):
            assert found[name] == column
        elif name.startswith("above"):
            # In one split ListNet is 0.0001 from BM25: the last bits of a sum may decide it.
            assert found[name] == pytest.approx(column, abs=1), name
        else:
            assert found[name] == pytest.approx(column, abs=0.002), name


@pytest.mark.suite("lessons")
def test_what_the_chapters_say_of_the_columns(shared: Path) -> None:
    """LSA is ahead by each measure; the median is below the mean; seven of ten are not judged."""
    assert shared
    for topic in TOPICS[:3]:
        columns = cranfield.recorded(topic)
        for measure in ("P@10", "Rprec", "AP", "RR", "MAP", "AP, condensed"):
            if measure in columns:
                bm25, lsa = columns[measure]
                assert lsa > bm25
    spread = cranfield.recorded("many_queries")
    assert all(m < mean for m, mean in zip(spread["median of AP"], spread["MAP"], strict=True))
    assert all(0.25 < share < 0.35 for share in cranfield.recorded("never_judged")["Judged@10"])
    assert sum(cranfield.recorded("judges")["judgments"]) == 1837


@pytest.mark.suite("lessons")
def test_what_chapter_12_says_of_the_learners(shared: Path) -> None:
    """Below BM25 in nearly all splits with six features, above it in all with eight, below LSA."""
    assert shared
    columns = cranfield.recorded("learning_to_rank")
    above = {
        (ranker, features): (over_bm25, over_lsa)
        for ranker, features, over_bm25, over_lsa in zip(
            columns["ranker"],
            columns["features"],
            columns["above BM25"],
            columns["above LSA"],
            strict=True,
        )
    }
    assert above["regression", "six"][0] == 3
    assert above["ListNet", "six"][0] == 4
    assert above["Ranking SVM", "six"][0] == 0
    for ranker in ("regression", "Ranking SVM", "ListNet"):
        over_bm25, over_lsa = above[ranker, "all eight"]
        assert over_bm25 == 30
        assert over_lsa <= 1
