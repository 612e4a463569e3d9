"""Dask: on threads, on processes, and what does not depend on an engine."""

import pickle
from collections.abc import Sequence
from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from irmetrics_edu import InputError, compare, evaluate
from irmetrics_edu.distributed import evaluate_distributed
from irmetrics_edu.distributed.parts import Task, part_of
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.runs.evaluation import asked
from irmetrics_edu.runs.joining.judgments import read_pool
from tests.runs.test_against_trec_eval import generated
from tests.runs.test_evaluation import ALL

from .contract import Contract, FrameOf, partitions, rows, same


def in_dask(parts: Sequence[pd.DataFrame]) -> Any:
    """A frame of Dask with exactly these partitions."""
    return dd.from_map(lambda i: parts[i], range(len(parts)), meta=parts[0].iloc[:0])


class TestDask(Contract):
    """On the threads of this process."""

    @pytest.fixture
    def frame_of(self) -> FrameOf:
        """How partitions become a frame."""
        return in_dask


@pytest.mark.slow
@pytest.mark.suite("sandbox")
def test_processes_give_the_same() -> None:
    """A cluster of another process: what is sent to it and back is enough."""
    from distributed import Client, LocalCluster

    run, qrels = generated(4)
    parts = partitions(run)
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        Client(cluster),
    ):
        found = evaluate_distributed(in_dask(parts), qrels, ALL)
        same(found, evaluate(pd.concat(parts), qrels, ALL))
        broken = [*parts, rows(("q99", "a", float("nan")))]
        with pytest.raises(InputError, match="partition 4: the run: a malformed row"):
            evaluate_distributed(in_dask(broken), qrels, ALL)


def test_a_shuffle_by_query_does_what_the_error_asks_for() -> None:
    """Rows in any partition, brought together by Dask, give the same scores."""
    run, qrels = generated(4)
    whole = pd.concat(partitions(run)).sample(frac=1, random_state=1)
    with dask.config.set({"dataframe.shuffle.method": "tasks"}):
        frame = dd.from_pandas(whole, npartitions=5, sort=False)
        with pytest.raises(InputError, match="is split over partitions"):
            evaluate_distributed(frame, qrels, ALL)
        found = evaluate_distributed(frame.shuffle("query"), qrels, ALL)
    expected = evaluate(whole, qrels, ALL)
    for name, scores in expected.scores.items():
        np.testing.assert_allclose(found.scores[name], scores, rtol=1e-14)
    assert found.counts.facts() == expected.counts.facts()


def test_two_distributed_evaluations_are_compared() -> None:
    """By their scores; the documents that moved are those of the fetched query."""
    run, qrels = generated(4)
    other = {q: {d: -s for d, s in docs.items()} for q, docs in run.items()}
    there = {
        n: evaluate_distributed(in_dask(partitions(r)), qrels, "AP nDCG@10")
        for n, r in (("a", run), ("b", other))
    }
    here = {
        n: evaluate(pd.concat(partitions(r)), qrels, "AP nDCG@10")
        for n, r in (("a", run), ("b", other))
    }
    found, expected = (compare(e, measures="AP nDCG@10", resamples=99) for e in (there, here))
    assert str(found.table()) == str(expected.table())


def test_what_comes_back_does_not_grow_with_the_documents() -> None:
    """Scores and counts alone: ten thousand documents weigh no more than ten."""
    chosen, by, beside = asked("nDCG@10 AP", "trec_eval", {})
    task = Task(read_pool({"q": {"d1": 1}}), chosen, by, beside, skip_bad=False)
    few, many = (
        len(pickle.dumps(part_of(rows(*(("q", f"d{i}", -i) for i in range(n))), task)))
        for n in (10, 10_000)
    )
    assert many < few + 20


@pytest.mark.parametrize("measure", ["alpha_nDCG@10", "ROC_AUC"])
def test_a_measure_that_needs_more_is_refused(measure: str) -> None:
    """Subtopics and curves: the error says what to do."""
    with pytest.raises(InputError, match="collect the frame and give it to evaluate"):
        evaluate_distributed(in_dask([rows(("q", "a", 1.0))]), {"q": {"a": 1}}, measure)


def test_a_frame_in_memory_is_refused() -> None:
    """There is evaluate for it."""
    with pytest.raises(InputError, match=r"DataFrame is not a data frame of Dask or Spark"):
        evaluate_distributed(rows(("q", "a", 1.0)), {"q": {"a": 1}}, "RR")


def test_errors_of_many_partitions_are_told_up_to_a_bound() -> None:
    """Five are told, the others counted."""
    parts = [rows((f"q{i}", "a", float("nan"))) for i in range(8)]
    with pytest.raises(InputError) as caught:
        evaluate_distributed(in_dask(parts), {"q1": {"a": 1}}, "RR")
    assert str(caught.value).count("a malformed row") == 5
    assert str(caught.value).endswith("and errors in 3 more partitions")


def again(value: Any) -> Any:
    """The value as it comes out on the other side."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 -- our own, a line ago


def test_metrics_and_conventions_travel_by_name() -> None:
    """Pickled and read back, a metric is equal and a convention is the registered value itself."""
    import_all()
    for metric in METRICS.values():
        assert again(metric) == metric
    chosen, _, _ = asked("nDCG(gain=exp)@10 GMAP IPrec@0.1 RBP(p=0.7)", "trec_eval", {})
    assert again(chosen) == chosen
    for library in BUNDLES.values():
        assert again(library) == library
        assert again(library).ties is library.ties
        assert again(library).missing_queries is library.missing_queries
