"""Empty rankings are counted and named, and a run without documents gets no verdict."""

import json
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import InputError, compare, evaluate
from irmetrics_edu.cli import main

QRELS = {f"q{i}": {"a": 1} for i in range(7)}
FOUND = {query: ["a"] for query in QRELS}
EMPTIES = [{}, [], ()]


@pytest.mark.parametrize("empty", EMPTIES, ids=repr)
@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "RR", "P@5", "Success", "RBP", "ERR@3"])
def test_an_empty_ranking_is_counted_and_named(empty: Any, measure: str) -> None:
    """One, some and all; beside queries that are missing, which are counted apart."""
    one = evaluate({**FOUND, "q3": empty}, QRELS, measure)
    assert list(one.counts.empty) == ["q3"]
    assert "1 query has an empty ranking: q3" in one.notes()
    assert one.facts()["counts"]["empty"] == ["q3"]
    some = evaluate({"q0": ["a"], "q1": empty, "q2": empty}, QRELS, measure)
    assert "2 queries have an empty ranking: q1, q2" in some.notes()
    assert any("4 judged queries are not in the run" in note for note in some.notes())
    every = evaluate(dict.fromkeys(QRELS, empty), QRELS, measure)
    assert every.counts.nothing_retrieved
    assert any("the run holds no document for any query" in note for note in every.notes())
    none = evaluate(FOUND, QRELS, measure)
    assert not none.counts.empty
    assert not any("empty" in note for note in none.notes())


@pytest.mark.parametrize("test", ["randomisation", "t", "wilcoxon", "sign"])
def test_a_run_without_documents_gets_no_mark(test: str) -> None:
    """Neither against the baseline nor as the baseline; the note names it, and the others stay."""
    empty = {query: {} for query in QRELS}
    worse = {query: ["x"] for query in QRELS}
    found = compare({"base": FOUND, "fts": empty, "other": worse}, QRELS, "nDCG@10", test=test)
    said = str(found)
    assert "fts is not tested, because it holds no document" in said
    [fts] = [line for line in said.splitlines() if line.startswith("fts ")]
    assert "*" not in fts
    assert [line[0] for line in found.details().lines] == ["other"]
    with pytest.raises(InputError, match="run 'fts' holds no document"):
        found.tested("fts", "nDCG@10")
    assert "p" not in found.facts()["comparisons"][0]
    turned = compare({"fts": empty, "base": FOUND}, QRELS, "nDCG@10", test=test)
    assert "*" not in str(turned)
    assert "fts is not tested" in str(turned)
    pairs = found.all_pairs()
    assert {(p.run, p.other) for p in pairs.pairs} == {("base", "other")}
    assert "fts" in str(pairs)
    assert "no pair of runs was tested" in str(turned.all_pairs())


def test_commands_say_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of JSON files, where a query may have an empty list."""
    qrels, base, arm = (tmp_path / name for name in ("qrels.json", "base.json", "arm.json"))
    qrels.write_text(json.dumps(QRELS))
    base.write_text(json.dumps(FOUND))
    arm.write_text(json.dumps({query: [] for query in QRELS}))
    assert main(["evaluate", str(qrels), str(arm), "-m", "RR"]) == 0
    assert (
        "7 queries have an empty ranking: q0, q1, q2, q3, q4 and 2 more" in capsys.readouterr().out
    )
    assert main(["compare", str(qrels), str(base), str(arm), "-m", "RR"]) == 0
    said = capsys.readouterr().out
    assert "arm.json is not tested" in said
    assert "*" not in said.split("note:")[0]
