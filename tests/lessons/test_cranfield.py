"""What chapters show of Cranfield: each recorded column is what the chapter's own code computes."""

import ast
import functools
from pathlib import Path
from typing import Any

import pytest

from dev.tools.notebooks import sources
from irmetrics_edu import evaluate
from irmetrics_edu.course import load_cranfield
from irmetrics_edu.course.collection import cranfield

TOPICS = ["ranking_is_not_a_set", "many_queries", "never_judged", "judges"]


@functools.cache
def runs(folder: Path) -> dict[str, Any]:
    """The runs of both engines, which are made once."""
    return cranfield.runs_over(load_cranfield(folder))


@pytest.mark.suite("lessons")
@pytest.mark.parametrize("topic", TOPICS)
def test_the_recorded_columns_are_computed_again(topic: str, shared: Path) -> None:
    """By the function that the chapter shows, over the published files."""
    folder = shared / "data" / "cranfield"
    [source] = [path for path in sources() if path.stem.endswith(topic)]
    shown = ast.parse(source.read_text(encoding="utf-8")).body
    [code] = [n for n in shown if isinstance(n, ast.FunctionDef) and n.name == "over_cranfield"]
    names: dict[str, Any] = {
        "evaluate": evaluate,
        "load_cranfield": load_cranfield,
        "runs_over": lambda _: runs(folder),
    }
    exec(compile(ast.Module([code], []), str(source), "exec"), names)  # noqa: S102 -- our chapter
    found, kept = names["over_cranfield"](folder), cranfield.recorded(topic)
    assert list(found) == list(kept)
    for name, column in kept.items():
        if name == "engine":
            assert found[name] == column
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
