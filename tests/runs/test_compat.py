"""pytrec_eval's evaluator: the same dictionaries, names and values as the compiled one."""

import math
import random

import pytest
import pytrec_eval

from irmetrics_edu import InputError, compat
from irmetrics_edu.compat import RelevanceEvaluator, supported_measures, supported_nicknames


def generated(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Judgments and a run with ties, unjudged documents and queries on one side only."""
    chance = random.Random(seed)
    ids = [f"d{i}" for i in range(60)]
    qrels = {
        f"q{q}": {d: chance.choice([0, 0, 1, 1, 2, 3]) for d in chance.sample(ids, 25)}
        for q in range(8)
    }
    run = {
        f"q{q}": {
            d: chance.choice([0.5, 1.25, 2.0, chance.random()]) for d in chance.sample(ids, n)
        }
        for q, n in zip(range(2, 11), (2, 1, 5, 30, 30, 45, 50, 20, 20), strict=True)
    }
    return qrels, run


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
def test_every_supported_measure_is_pytrec_evals(level: int, judged_only: bool) -> None:
    """All names, with their usual cut-offs, at two levels of relevance."""
    for seed in range(3):
        qrels, run = generated(seed)
        given = (qrels, supported_measures, level, judged_only)
        found = RelevanceEvaluator(*given).evaluate(run)
        expected = pytrec_eval.RelevanceEvaluator(*given).evaluate(run)
        assert set(found) == set(expected)
        for query, values in expected.items():
            assert set(found[query]) == set(values)
            for name, value in values.items():
                # Of no document at all pytrec_eval divides by 0; the precision is 0 here.
                wanted = 0.0 if math.isnan(value) else value
                assert found[query][name] == pytest.approx(wanted, abs=1e-12), (query, name)


def test_names_are_given_in_each_of_pytrec_evals_ways() -> None:
    """With a point or an underscore, several cut-offs, or a nickname."""
    qrels, run = generated(7)
    names = {"map", "ndcg_cut.3,7", "P_4", "iprec_at_recall.0.3", "success_2", "Rprec_mult.0.5"}
    for measures in (names, *({nickname} for nickname in supported_nicknames)):
        found = RelevanceEvaluator(qrels, measures).evaluate(run)
        expected = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
        assert {q: set(v) for q, v in found.items()} == {q: set(v) for q, v in expected.items()}
        assert all(
            found[q][name] == pytest.approx(value, abs=1e-12)
            for q, values in expected.items()
            for name, value in values.items()
        )


def test_what_is_not_supported_is_refused_and_nothing_is_an_empty_result() -> None:
    """A ValueError as pytrec_eval's, with the names; no common query is no error there."""
    for name in ("ndcg_cat", "nDCG@5", "binG", "set_F.0.5"):
        with pytest.raises(InputError, match=f"unsupported measure {name}; supported are 11pt_avg"):
            RelevanceEvaluator({"q": {"d": 1}}, {name})
    evaluator = RelevanceEvaluator({"q": {"d": 1}, "empty": {}}, {"map"})
    assert evaluator.evaluate({}) == evaluator.evaluate({"other": {"d": 1.0}}) == {}
    assert evaluator.evaluate({"empty": {"d": 1.0}}) == {}
    # With some measures an empty ranking ends pytrec_eval's process; here all of them are 0.
    found = RelevanceEvaluator({"q": {"d": 1}}, {"map", "P", "num_ret", "bpref"}).evaluate(
        {"q": {}}
    )
    assert set(found["q"].values()) == {0}


def test_values_are_aggregated_as_pytrec_eval_does() -> None:
    """The sum of counts, the geometric mean of logarithms, the mean of others."""
    for name in ("map", "gm_map", "num_rel"):
        values = [0.25, -1.5, 0.75]
        expected = pytrec_eval.compute_aggregated_measure(name, values)
        assert compat.compute_aggregated_measure(name, values) == pytest.approx(expected)
