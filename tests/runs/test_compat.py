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


# With numbers after a name: they replace the usual ones, add up, are read as levels, or ignored.
WITH_NUMBERS = (
    {"ndcg_cut", "ndcg_cut.1,4"},
    {"P", "P_5"},
    {"P_5", "P.7,5", "recall_20", "recall"},
    {"set_F_0.5"},
    {"set_F", "set_F.2"},
    {"set_F.2,0.5", "map_5"},
    {"11pt_avg.0.3,0.8", "relstring_5", "binG"},
    {"official", "P_3"},
)


@pytest.mark.parametrize("measures", WITH_NUMBERS, ids=lambda names: " ".join(sorted(names)))
def test_numbers_after_a_name_are_read_as_pytrec_eval_reads_them(measures: set[str]) -> None:
    """The same names come back, with the same values."""
    qrels, run = generated(11)
    found = RelevanceEvaluator(qrels, measures).evaluate(run)
    expected = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    for query, values in expected.items():
        values.pop("runid", None)  # whatever stands in memory
        assert set(found[query]) - {"runid"} == set(values)
        for name, value in values.items():
            assert found[query][name] == pytest.approx(value, abs=1e-12), (query, name)


@pytest.mark.parametrize("level", [1, 2])
def test_experimental_measures_are_pytrec_evals_with_negative_grades_too(level: int) -> None:
    """The four measures of gains, and the count of documents that are not relevant."""
    names = {"G", "binG", "ndcg_rel", "Rndcg", "num_nonrel_judged_ret"}
    for seed in range(20):
        chance = random.Random(seed)
        ids = [f"d{i}" for i in range(30)]
        qrels, run = {}, {}
        for q in "abcd":
            judged = {d: chance.choice([-2, -1, 0, 0, 1, 2, 4]) for d in chance.sample(ids, 15)}
            qrels[q] = judged | {"sure": 0}  # a query of negative grades alone may never end there
            run[q] = {d: chance.choice([0.5, 2.0, chance.random()]) for d in chance.sample(ids, 20)}
            del run[q][next(iter(run[q]))]
        found = RelevanceEvaluator(qrels, names, level).evaluate(run)
        expected = pytrec_eval.RelevanceEvaluator(qrels, names, level).evaluate(run)
        for query, values in expected.items():
            assert found[query] == pytest.approx(values, abs=1e-12)


def test_lines_are_parsed_as_pytrec_eval_parses_them() -> None:
    """The same dictionaries; what it refuses by an assertion is named here."""
    run = ["q1 Q0 d1 1 2.5 t", "q1 Q0 d2 2 1e-3 t", "q2 Q0 d1 1 -4 t\n"]
    qrel = ["q1 0 d1 1", "q2\t0\td9\t-1\n"]
    assert compat.parse_run(run) == pytrec_eval.parse_run(run)
    assert compat.parse_qrel(qrel) == pytrec_eval.parse_qrel(qrel)
    with pytest.raises(InputError, match="line 2: the query has document 'd1' twice"):
        compat.parse_qrel([qrel[0], qrel[0]])
    with pytest.raises(InputError, match=r"line 1: 'q1 0 d1 1' has 4 fields; expected 6"):
        compat.parse_run(qrel)


def test_the_version_is_that_of_the_bundle() -> None:
    """ir_measures asks for it, and takes a module without one for too old."""
    assert compat.__version__ == pytrec_eval.__version__


def test_what_is_not_supported_is_refused_and_nothing_is_an_empty_result() -> None:
    """A ValueError as pytrec_eval's, with the names; no common query is no error there."""
    for name in ("ndcg_cat", "nDCG@5", "G.1", "ndcg_5", "utility.1,2", "P_5x"):
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
