"""Installed libraries against their bundles, over drawn inputs: `make suite SUITE=libraries-GROUP`.

LIBRARIES names the group of this environment; without it there is nothing to ask.
"""

import math
import os
import sys
import warnings
from importlib.metadata import version
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irmetrics_edu import evaluate
from irmetrics_edu.libraries import BUNDLES
from tests.libraries.asked import Drawn, installs_here, library, of_group
from tests.libraries.inputs_drawn import LONG
from tests.libraries.real import record as real
from tests.libraries.real.replay import is_known
from tests.libraries.replay import HOME, agree, inputs, number, quirks_of, recorded

GROUP = of_group(os.environ["LIBRARIES"])
# What a bundle speaks of may need a newer Python: pip then installs an older release here.
NAMES = [name for name in GROUP if installs_here(BUNDLES[name])]
SCORES = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]
DOCUMENTS = [f"d{i:02}" for i in range(12)]


@pytest.mark.parametrize("name", sorted(set(GROUP) - set(NAMES)))
def test_a_library_that_needs_a_newer_python_is_asked_there(name, capsys):
    """No environment here can have it, and a line says so; recorded values hold its bundle."""
    bundle = BUNDLES[name]
    assert tuple(map(int, bundle.python.split("."))) > sys.version_info[:2]
    assert version(bundle.package) != bundle.version
    with capsys.disabled():
        sys.stdout.write(
            f"\nnot asked here: {name} {bundle.version} needs Python {bundle.python}\n"
        )


@st.composite
def queries(draw, drawn):
    """Runs and judgments of a few queries, of what the library takes."""
    run, qrels = {}, {}
    for q in range(1, draw(st.integers(1, drawn.queries)) + 1):
        documents = draw(st.permutations(DOCUMENTS))
        retrieved = documents[: draw(st.integers(1, drawn.longest))]
        scores = draw(
            st.lists(
                st.sampled_from(SCORES),
                min_size=len(retrieved),
                max_size=len(retrieved),
                unique=not drawn.ties,
            )
        )
        low, high = drawn.grades
        judged = draw(
            st.dictionaries(
                st.sampled_from(DOCUMENTS), st.integers(low, high), min_size=1, max_size=9
            )
        )
        if drawn.relevant:
            judged[draw(st.sampled_from(DOCUMENTS))] = high
        if drawn.found:
            judged[retrieved[-1]] = high
        run[f"q{q}"] = [list(pair) for pair in zip(retrieved, scores, strict=True)]
        qrels[f"q{q}"] = judged
    return run, qrels


def test_the_versions_are_those_that_the_bundles_name():
    """So that what is compared here is what a bundle speaks of."""
    assert NAMES
    for name in NAMES:
        assert version(BUNDLES[name].package) == BUNDLES[name].version, name


@pytest.mark.parametrize("name", NAMES)
def test_library(name):
    """Every metric that it is asked for, less those that a quirk holds for on any input."""
    asked, bundle = library(name), BUNDLES[name]
    drawn = getattr(asked, "DRAWN", Drawn())
    metrics = [
        m
        for m in asked.METRICS
        if not any(q.concerns(m, "") for q in bundle.quirks if not q.probes)
    ]
    cases = [q.case["value"] for q in bundle.quirks if q.case]
    refusals = {value for value in cases if isinstance(value, str)}
    assert metrics

    @settings(max_examples=getattr(asked, "EXAMPLES", 40), deadline=None, derandomize=True)
    @given(queries(drawn), st.sampled_from(metrics))
    def compare(data, metric):
        run, qrels = data
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a library warns of is its own
            try:
                answer = asked.ask(metric, run, qrels)
            except Exception as error:
                if type(error).__name__ in refusals:
                    return
                raise
        measure, by = bundle.measure(metric)
        e = evaluate({q: dict(map(tuple, d)) for q, d in run.items()}, qrels, measure, by)
        if answer.per_query is not None:
            scores = next(iter(e.per_query.values()))
            for q, theirs in answer.per_query.items():
                assert agree(scores[q], theirs, bundle.digits), (metric, q, scores[q], theirs)
        if answer.mean is not None:
            ours = next(iter(e.mean.values()))
            assert agree(ours, answer.mean, bundle.digits), (metric, ours, answer.mean)

    compare()


@pytest.mark.filterwarnings("ignore")  # the libraries' own, of whatever kind
@pytest.mark.parametrize("name", [n for n in NAMES if n != "pyspark"])
def test_long_lists_are_answered_as_they_were_recorded(name):
    """The library gives again what was recorded, but where it promises no order of ties."""
    rows = {(m, p): v for m, p, v in recorded(HOME / f"{name}.json")["rows"]}
    for metric in library(name).METRICS:
        for probe in LONG:
            value = rows.get((metric, probe))
            if isinstance(value, str | None) or any(quirks_of(BUNDLES[name], metric, probe)):
                continue
            answer = library(name).ask(metric, inputs()[probe]["run"], inputs()[probe]["qrels"])
            there = answer.per_query if isinstance(value, dict) else {"": answer.mean}
            for q, was in (value if isinstance(value, dict) else {"": value}).items():
                assert agree(there[q], number(was), 6), (metric, probe)


@pytest.mark.filterwarnings("ignore")  # the libraries' own, of whatever kind
@pytest.mark.parametrize("name", NAMES)
def test_real_runs_are_answered_as_they_were_recorded(name):
    """All metrics on runs as people have them, but where it promises no order of ties."""
    means, by_query = {}, {}
    for metric, probe, value in real.rows_of(name):
        kept = by_query if isinstance(value, dict) else means
        kept[metric, probe] = value
    for metric, probe, value in real.recorded(name)["rows"]:
        place = metric, probe
        if is_known(name, metric, probe):
            continue
        if isinstance(value, dict):
            for query, was in value.items() if place in by_query else ():
                assert agree(number(by_query[place][query]), number(was), 6), place
        elif place in means:
            assert means[place] == value or agree(means[place], value, 6), place


def test_the_comparison_can_fail():
    """Another library's bundle gives other values for some input of these."""
    name = NAMES[0]
    asked, given_inputs = library(name), inputs()
    metric = asked.METRICS[0]
    answer = asked.ask(metric, given_inputs["graded"]["run"], given_inputs["graded"]["qrels"])
    value = answer.mean if answer.mean is not None else next(iter(answer.per_query.values()))
    assert not math.isnan(value)
    assert not agree(value + 0.01, value, BUNDLES[name].digits)


if os.environ["LIBRARIES"] == "torch":

    def test_the_predictions_of_an_evaluator_are_a_run(tmp_path):
        """As sentence-transformers writes them for a model, and the means are its own."""
        import torch
        from sentence_transformers.sentence_transformer.evaluation import (
            InformationRetrievalEvaluator,
        )

        class Model:
            similarity_fn_name = "dot"

            def encode_query(self, texts, **_):
                return torch.tensor([[len(text), text.count("a")] for text in texts]).float()

            encode = encode_document = encode_query

        corpus = {f"d{i}": "ab" * i + "b" * (9 - i) for i in range(1, 8)}
        evaluator = InformationRetrievalEvaluator(
            {"q1": "aab", "q2": "b"},
            corpus,
            {"q1": {"d2", "d7"}, "q2": {"d4"}},
            ndcg_at_k=[5],
            map_at_k=[5],
            score_functions={"dot": lambda a, b: a @ b.T},
            write_predictions=True,
        )
        evaluator.store_metrics_in_model_card_data = lambda *_: None
        theirs = evaluator(Model(), output_path=str(tmp_path))
        [path] = tmp_path.glob("*_predictions_dot.jsonl")
        ours = evaluate(path, evaluator.relevant_docs, "nDCG@5", ties="docid_ascending")
        assert ours["nDCG@5"] == pytest.approx(theirs["dot_ndcg@5"], abs=1e-12)
        assert len(ours.per_query["nDCG@5"]) == 2

    def test_the_predictions_of_mteb_are_a_run(tmp_path):
        """As its tasks save them."""
        from mteb.abstasks import AbsTask

        meta = SimpleNamespace(mteb_model_meta=SimpleNamespace(name="a", revision="1"))
        task = SimpleNamespace(_predictions_path=lambda folder: folder / "a_predictions.json")
        run = {"q1": {"d1": 0.5, "d2": 0.75}, "q2": {"d1": 1.0}}
        AbsTask._save_task_predictions(
            task, run, meta, tmp_path, hf_split="test", hf_subset="default"
        )
        found = evaluate(tmp_path / "a_predictions.json", {"q1": {"d1": 1}, "q2": {"d1": 1}}, "RR")
        assert found.per_query["RR"] == {"q1": 0.5, "q2": 1.0}
