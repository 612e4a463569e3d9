"""A run that is held, and joined under one convention after another, as `diagnose` does it."""

import random
from itertools import product
from typing import Any

import numpy as np
import pytest

from irmetrics_edu import diagnose
from irmetrics_edu.conventions import Scores, Ties
from irmetrics_edu.engine.held_queries import Chunk
from irmetrics_edu.libraries import bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.notation import measures
from irmetrics_edu.runs.joining.held import HeldInput
from irmetrics_edu.runs.joining.join import joined

TIES = [name for name, ties in Ties.values.items() if ties.in_bulk]
MEASURES = measures("CG@10")


def made(seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A run with many ties and some negative grades, and its judgments."""
    draw = random.Random(seed)
    run: dict[str, Any] = {}
    qrels: dict[str, Any] = {}
    for query in ("q1", "q2", "q3", "q4"):
        documents = [f"d{draw.randrange(1000)}" for _ in range(draw.choice((1, 5, 17, 40)))]
        levels = draw.choice((1, 2, 6, 1000))
        run[query] = {d: draw.randrange(levels) + draw.choice((0, 1e-12)) for d in documents}
        judged = {d: draw.choice((-1, 0, 1, 3)) for d in documents if draw.random() < 0.6}
        qrels[query] = judged | {"missed": 1}
    del run["q4"]
    return run, qrels


@pytest.mark.parametrize("as_columns", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_each_rule_gives_what_it_gives_alone(seed: int, as_columns: bool, tmp_path: Any) -> None:
    """Whatever was asked of the held run before, ranks and grades are those of a run read anew."""
    run, qrels = made(seed)
    given: Any = run
    if as_columns:
        given = tmp_path / "run"
        lines = [f"{q} Q0 {d} 1 {s!r} t\n" for q, r in run.items() for d, s in r.items()]
        given.write_text("".join(lines))
    held = HeldInput(given)
    rules = list(product(TIES, Scores.values, ("no_gain", "removed"), ("zero", "keep")))
    random.Random(seed).shuffle(rules)
    for ties, scores, unjudged, negative in rules:
        by = bundle("trec_eval").using(
            ties=ties, scores=scores, unjudged=unjudged, negative=negative
        )
        asked = {"qrels": qrels, "chosen": MEASURES, "by": by, "beside": {}, "reading": {}}
        of_held = joined(held, **asked).rows(cg)
        anew = joined(given, **asked).rows(cg)
        for column in ("query", "rank", "grade", "retrieved", "pool_grade"):
            np.testing.assert_array_equal(getattr(of_held, column), getattr(anew, column))


def test_a_held_run_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all the conventions that are tried, none goes through the documents of the run again."""
    run = {f"q{i}": {f"d{j}": float(j % 3) for j in range(20)} for i in range(30)}
    qrels = {q: {"d1": 1, "d7": 2, "none": 1} for q in run}
    seen: list[str] = []
    add = Chunk.add

    def counting(chunk: Chunk, q: int, query: Any, *rest: Any) -> None:
        if query in run:
            seen.append(query)
        add(chunk, q, query, *rest)

    monkeypatch.setattr(Chunk, "add", counting)
    diagnosis = diagnose("nDCG@10", run, qrels, value="0.98765")
    assert diagnosis.scored > 100
    assert sorted(seen) == sorted(run)
