"""Under the conventions of a library each name that it lists has the meaning that it has there."""

import pytest

from irmetrics_edu import METRICS, compat, evaluate, parse
from irmetrics_edu.commands.metrics import facts
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, bundle
from irmetrics_edu.libraries.names import lists, measures_under
from irmetrics_edu.metrics import trec_format

# Every name that a library lists, at a cut-off, a level of recall and decimals.
LISTED = {
    key: [
        pattern.replace("{k}", "3").replace("{r}", "0.5").replace("{p}", "2").replace("{g}", "1")
        for pattern in library.metrics
    ]
    for key, library in BUNDLES.items()
}
RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.5}, "q2": {"a": 1.0, "x": 0.5, "b": 0.25}}
QRELS = {"q1": {"a": 1, "b": 0, "c": 2, "e": 1}, "q2": {"b": 1, "a": 0, "x": 2}}


@pytest.mark.parametrize("key", LISTED)
def test_a_listed_name_has_the_meaning_of_its_row(key):
    """Its options, its alignment, and, as it is alone, its mean over queries."""
    library = bundle(key)
    for name in LISTED[key]:
        metric, own = library.measure(name)
        (chosen,), by = measures_under(name, library)
        settled = by.settle(chosen.metric)
        wanted = own.settle(metric)
        assert settled.name == wanted.name, name
        assert settled.k == wanted.k, name
        for option, default in metric.defaults.items():
            value = settled.params.get(option, default)
            assert value == wanted.params.get(option, default), (name, option)
        assert by.aligned(chosen.metric) == own.aligned(metric), name
        assert by.averaging_of(chosen.metric) == own.averaging_of(metric), name
        assert by.missing_queries == own.missing_queries, name


@pytest.mark.parametrize(
    ("conventions", "name", "value"),
    [
        ("ranx", "hits@3", 1.5 + 0.5),  # a and c of q1, x and b of q2
        ("ranx", "rbp.50", (0.5 + 2 * 0.125 + 2 * 0.25 + 0.125) / 2),  # of grades 1, 2; 2, 1
        ("beir", "Accuracy@1", 0.5),  # a of q1
        ("catboost", "MRR:top=3", (1 + 1 / 2) / 2),
        ("trec_eval", "success.1", 0.5),
    ],
)
def test_by_hand(conventions, name, value):
    """What the library's name is, worked out by hand."""
    (mean,) = evaluate(RUN, QRELS, name, conventions).mean.values()
    assert mean == pytest.approx(value, abs=1e-12)


def test_names_and_our_notation_together():
    """In one text, or in a list; a name with a blank has to be an item of its own."""
    found = evaluate(RUN, QRELS, "hits@3 nDCG@3", "ranx")
    assert list(found.mean) == ["CG(gain=binary)@3", "nDCG@3"]
    found = evaluate(RUN, QRELS, ["MRR labels/max", "P@1 R@1"], "catboost")
    assert len(found.mean) == 3


@pytest.mark.parametrize(
    "written",
    ["ndcg_cut.5,10", "P.5,10", "success.5", "recall.100", "iprec_at_recall", "map_cut.5",
     "iprec_at_recall.0.10,0.50"],
)  # fmt: skip
def test_trec_evals_way_to_write_cutoffs_is_read_as_compat_reads_it(written):
    """The measures are those of compat, and so are the values."""
    evaluator = compat.RelevanceEvaluator(QRELS, {written})
    theirs = evaluator.evaluate(RUN)
    found = evaluate(RUN, QRELS, written)
    names = [trec_format.theirs(name)[2] for name in found.mean]
    assert set(names) == set(theirs["q1"])
    for name, trec in zip(found.mean, names, strict=True):
        for query, values in theirs.items():
            assert found.per_query[name][query] == pytest.approx(values[trec], abs=1e-12)


def test_objects_of_ir_measures_are_taken():
    """Alone, and in a list with names."""
    ir_measures = pytest.importorskip("ir_measures")
    found = evaluate(RUN, QRELS, [ir_measures.nDCG @ 3, "AP", ir_measures.P(rel=2) @ 2])
    assert list(found.mean) == ["nDCG@3", "AP", "P(rel=2)@2"]
    assert list(evaluate(RUN, QRELS, ir_measures.RR).mean) == ["RR"]


@pytest.mark.parametrize("name", ["hits@10", "rbp.90", "pre@3", "ndcg_burges@10", "map-"])
def test_a_name_of_another_library_is_said_to_be_its_own(name):
    """No measure that is merely spelt alike is suggested, but who has it, and what it is."""
    known = next(key for key, library in BUNDLES.items() if lists(library, name))
    with pytest.raises(InputError) as caught:
        evaluate(RUN, QRELS, name)
    message = str(caught.value)
    assert f"conventions={known!r}" in message
    assert "did you mean" not in message
    assert repr(bundle(known).measure(name)[0]) in message


def test_what_nobody_lists_has_a_suggestion_by_spelling():
    """As before."""
    with pytest.raises(InputError, match="did you mean nDCG@10"):
        evaluate(RUN, QRELS, "nDGC@10")


def test_a_measure_of_the_same_name_is_not_said_to_be_had():
    """Nobody compared the values of these with ours."""
    known = facts(METRICS["novelty"])
    assert known["libraries"] == []
    assert {"RePlay", "Microsoft Recommenders"} <= set(known["named_alike"])
    compared = facts(METRICS["nDCG"])
    assert {"ranx", "trec_eval"} <= set(compared["libraries"])
    assert not set(compared["libraries"]) & set(compared["named_alike"])


def test_an_option_with_our_default_is_in_the_name_where_the_library_has_another():
    """Two measures of one call never share a name: b of q is first by id, and second as given."""
    run = {"q": {"a": 1.0, "b": 1.0, "c": 0.5}, "p": {"a": 1.0}}
    qrels = {"q": {"b": 1, "a": 0}, "p": {"a": 0}}
    found = evaluate(run, qrels, ["Success(ties=given)@1", "Success@1"])
    assert found.mean == {"Success(ties=given)@1": 0.0, "Success@1": 0.5}
    found = evaluate(run, qrels, ["nDCG(gain=linear)@3", METRICS["nDCG"] @ 3], "mlflow")
    assert list(found.mean) == ["nDCG(gain=linear)@3", "nDCG@3"]
    found = evaluate(run, qrels, ["nDCG(no_relevant=zero)@3", "nDCG@3"], "ignite")
    assert found.mean["nDCG(no_relevant=zero)@3"] == found.mean["nDCG@3"] / 2


@pytest.mark.parametrize("key", [key for key, names in LISTED.items() if names])
def test_a_name_in_a_list_has_the_value_that_it_has_alone(key):
    """Each name that is listed, beside all others; the run lacks a judged query."""
    library = bundle(key)
    qrels = {query: {d: int(g > 0) for d, g in judged.items()} for query, judged in QRELS.items()}
    if str(library.missing_queries) != "refuse" and key != "scikit_learn":  # whose AUC needs a list
        qrels["q3"] = {"a": 1}
    beside = [n for n in LISTED[key] if library.measure(n)[0].inputs.arguments[1] != "nuggets"]
    if key == "beir":  # it has the names of trec_eval too, of which success_3 is its Accuracy@3
        beside = [name for name in beside if name not in LISTED["pytrec_eval"]]
    alone = {}
    for name in beside:
        (chosen,), _ = measures_under([name], library)
        found = evaluate(RUN, qrels, [name], key)
        alone[chosen.name] = (found.mean[chosen.name], found.per_query[chosen.name])
    if not beside:  # all are of subtopics
        return
    together = evaluate(RUN, qrels, beside, key)
    assert set(together.mean) == set(alone)
    for name, (mean, scores) in alone.items():
        assert together.mean[name] == pytest.approx(mean, nan_ok=True), name
        assert together.per_query[name] == pytest.approx(scores, nan_ok=True), name


def test_each_measure_has_the_queries_that_it_has_in_its_library():
    """BEIR leaves out a query without a ranking in what trec_eval computes, and counts it else."""
    qrels = {**QRELS, "q3": {"a": 1}}
    found = evaluate(RUN, qrels, "P@1 Accuracy@1", "beir")
    assert found.mean == {"P@1": 1 / 2, "Success@1": 1 / 3}  # a of q1 alone is relevant
    assert set(found.per_query["P@1"]) == {"q1", "q2"}
    assert "P@1: 1 query that the run lacks is left out" in str(found)
    skipped = evaluate(RUN, qrels, "P@1 Accuracy@1", "beir", missing_queries="skip")
    assert skipped.mean == {"P@1": 1 / 2, "Success@1": 1 / 2}
    assert evaluate(RUN, qrels, "Accuracy@1", "beir").mean == {"Success@1": 1 / 3}


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("SetAP", "set_map"),
        ("SetP(relative=True)", "P(divisor=reachable)"),
        ("SetP(relative=False)", "P"),
        ("INST(T=2)", "INST(wanted=2)"),
        ("nDCG(gains={1:3,2:7})@2", "nDCG(gain=table(1:3,2:7))@2"),
        ("nDCG(gains={1: 3, 2: 7})@2", "nDCG(gain=table(1:3,2:7))@2"),
        ("ndcg_cut_10", "nDCG@10"),
        ("P_5", "P@5"),
        ("set_relative_P", "P(divisor=reachable)"),
    ],
)
def test_names_of_ir_measures_and_of_trec_eval_are_read_without_conventions(theirs, ours):
    """By parse, and so by evaluate."""
    assert parse(theirs) == parse(ours)
    assert list(evaluate(RUN, QRELS, theirs).mean) == list(evaluate(RUN, QRELS, ours).mean)


@pytest.mark.parametrize("name", ["trectools", "RecPack", "recsys-metrics"])
def test_a_known_library_that_was_not_compared_is_no_misspelt_one(name):
    """It is said so, and no other library is suggested."""
    with pytest.raises(InputError, match="nobody compared this library") as refused:
        evaluate({"q": ["a"]}, {"q": {"a": 1}}, "P@1", name)
    assert "did you mean" not in str(refused.value)
