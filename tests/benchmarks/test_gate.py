"""The simulation of gates: its worlds are what they claim, gates keep their promise, the page."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dev.benchmarks.gate import FIGURE, KEPT, PAGE, main
from dev.benchmarks.gate_page import page
from dev.benchmarks.gate_simulation import (
    Results,
    as_json,
    from_json,
    of_a_fall,
    of_the_same,
    pairs,
)
from dev.benchmarks.gate_worlds import DOCUMENTS, MEASURES, World, _ranks, _scores, falling
from irmetrics_edu import evaluate

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_scores_of_a_world_are_those_of_the_package() -> None:
    """Ranks and grades drawn at random, scored by the benchmark's columns and by `evaluate`."""
    chance = np.random.default_rng(3)
    exists = np.arange(DOCUMENTS) < chance.integers(1, DOCUMENTS + 1, 60)[:, None]
    grade = np.where(exists, chance.integers(1, 4, (60, DOCUMENTS)), 0)
    rank = _ranks(chance.normal(1.5, 1.5, (60, DOCUMENTS)), exists)
    run, qrels = {}, {}
    for q in range(60):
        at = {int(r): f"d{i}" for i, r in enumerate(rank[q]) if np.isfinite(r)}
        run[q] = [at.get(r, f"x{r}") for r in range(1, 101)]
        qrels[q] = {f"d{i}": int(g) for i, g in enumerate(grade[q]) if g}
    theirs = evaluate(run, qrels, MEASURES).scores
    ours = _scores(rank, grade)
    for i, name in enumerate(MEASURES):
        assert ours[:, i] == pytest.approx(theirs[name], abs=1e-6)
    assert np.isinf(rank[exists]).any()


def test_versions_that_are_the_same_in_truth_have_one_mean() -> None:
    """In each measure, over many queries, but for three standard errors."""
    before, after = World().scores(40_000, np.random.default_rng(11))
    fell = before - after
    assert (np.abs(fell.mean(axis=0)) < 3 * fell.std(axis=0) / 200).all()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "drop"), [("lower", 0.1), ("broken", 0.05)])
def test_a_world_has_the_fall_that_is_asked_for(kind: str, drop: float) -> None:
    """In nDCG@10, over many queries, but for three standard errors of two samples."""
    before, after = falling(kind, drop).scores(40_000, np.random.default_rng(11))
    fell = (before - after)[:, 0]
    assert float(fell.mean()) == pytest.approx(drop, abs=3 * 2**0.5 * float(fell.std()) / 200)


def test_the_same_seed_gives_the_same_pairs() -> None:
    """Whatever was drawn before."""
    first, again = (next(pairs(World(), 20, 1)) for _ in range(2))
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(first[1], again[1])


@pytest.mark.slow
def test_gates_keep_the_promise_of_their_confidence() -> None:
    """Of 200 pairs that are the same no gate stops more than 5 % and what chance adds to that."""
    found = of_the_same(40, 200).share
    bound = 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5
    for name in ("one", "four", "groups", "one, limit 0.1", "four, limit 0.1", "groups, limit 0.1"):
        assert found.get(name, 0.0) <= bound
    # The check can fail: a tight limit is above the bound, and so is a version that is worse.
    assert found["four, limit 0.03"] > bound
    fell = of_a_fall("lower", 0.1, 40, 40).share
    assert fell["one"] > bound
    assert fell["one, limit 0.1"] >= fell["one"]


def kept() -> Results:
    """The results that the page shows."""
    return from_json(KEPT.read_text(encoding="utf-8"))


def test_the_page_is_what_its_results_give() -> None:
    """Word for word; the figure has the plots that its alt text speaks of."""
    assert (DOCS / PAGE).read_text(encoding="utf-8") == page(kept(), FIGURE.name)
    assert as_json(kept()) == KEPT.read_text(encoding="utf-8")
    assert "Three plots" in page(kept(), "x.svg")
    assert (DOCS / FIGURE).read_text(encoding="utf-8").count('id="axes_') == 3


def test_what_the_page_says_in_words_holds_of_its_numbers() -> None:
    """Bounds, defaults and the sizes from which on tighter limits may be set."""
    same = {one.n: one for one in kept().same}
    for one in same.values():
        slack = 2 * (0.05 * 0.95 / one.times) ** 0.5
        alone = ("one", "four", "groups")
        for name in (*alone, *(f"{name}, limit 0.1" for name in alone)):
            assert one.share.get(name, 0.0) <= 0.05
        assert one.share.get("four", 0.0) <= 0.025 + slack
        assert one.share.get("four, limit 0.1", 0.0) - one.share.get("four", 0.0) <= 0.02
    assert same[50].share["four, limit 0.05"] > 0.05 >= same[100].share["four, limit 0.05"]
    assert same[100].share["four, limit 0.03"] > 0.05 >= same[200].share["four, limit 0.03"]
    assert same[100].share["pass at 0.05"] > 0.8 < same[500].share["pass at 0.02"]


@pytest.mark.slow
def test_the_page_can_be_drawn_anew(tmp_path: Path) -> None:
    """From the results that are kept, to the same text; the figure does not change either."""
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        assert main(["--draw", "--docs", str(tmp_path / folder)]) == 0
    assert (tmp_path / "a" / PAGE).read_bytes() == (DOCS / PAGE).read_bytes()
    assert (tmp_path / "a" / FIGURE).read_bytes() == (tmp_path / "b" / FIGURE).read_bytes()


def test_a_page_of_other_results_says_something_else() -> None:
    """The check above can fail."""
    results = kept()
    other = replace(results, same=[replace(one, share={}) for one in results.same])
    assert page(other, FIGURE.name) != page(results, FIGURE.name)
