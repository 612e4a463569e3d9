"""The table of libraries: one source for the command, the page and the course."""

from math import log2

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.libraries.table import HEADER, columns, lines, of_metric
from irmetrics_edu.metrics.definition import METRICS, import_all

# One ranking of six documents, two good ones not retrieved, as the libraries were measured on it.
FOUND, MISSED = [3, 2, 3, 0, 1, 2], [3, 2]
VALUES = {0.7562, 0.7377, 0.9608, 0.9488, 0.7900, 0.6325}
# recommenders takes each of the eight rows as relevant: 1/log2(i+1) to 6 over that to 8.
OF_ROWS = round(
    sum(1 / log2(i + 1) for i in range(1, 7)) / sum(1 / log2(i + 1) for i in range(1, 9)), 4
)
# mlflow: five of six are relevant, beside six ones, as long as the list.
AS_LONG = round(
    sum(1 / log2(i + 1) for i in (1, 2, 3, 5, 6)) / sum(1 / log2(i + 1) for i in range(1, 7)), 4
)
# LensKit: no discount at ranks 1 and 2, then 1/log2(i); seven relevant.
JK = round(
    (2 + sum(1 / log2(i) for i in (3, 5, 6))) / (2 + sum(1 / log2(i) for i in range(3, 8))), 4
)
# Elasticsearch: exponential gain, and an ideal ranking of six: 3, 3, 3, 2, 2, 2.
EXP_AS_LONG = round(
    sum((2**g - 1) / log2(i + 1) for i, g in enumerate(FOUND, 1))
    / sum((2**g - 1) / log2(i + 1) for i, g in enumerate(sorted(FOUND + MISSED)[:1:-1], 1)),
    4,
)


def test_columns_are_the_lines_turned() -> None:
    """Every library with a metric of ours has a line, and a cell in every column."""
    table = columns(BUNDLES.values())
    assert tuple(table) == HEADER
    assert list(zip(*table.values(), strict=True)) == list(lines(BUNDLES.values()))


@pytest.mark.parametrize("metric", ["nDCG", "AP", "ERR"])
def test_only_libraries_that_have_a_metric(metric: str) -> None:
    """No cell of the metric's column is empty."""
    found = columns(BUNDLES.values(), metric)
    assert all(found[metric])
    assert len(found["library"]) < len(columns(BUNDLES.values())["library"])


def test_one_ranking_has_ten_values_of_ndcg() -> None:
    """Six values were measured of it; the others are worked out by hand."""
    ranking = [f"d{i}" for i in range(len(FOUND))]
    run = {"q": {d: -float(i) for i, d in enumerate(ranking)}}
    judged = dict(zip(ranking, FOUND, strict=True)) | {f"x{i}": g for i, g in enumerate(MISSED)}
    having = columns(BUNDLES.values(), "nDCG")["library"]
    scores = {
        round(next(iter(evaluate(run, {"q": judged}, "nDCG@10", b).mean.values())), 4)
        for b in BUNDLES.values()
        if b.name in having
    }
    assert scores == {*VALUES, OF_ROWS, AS_LONG, JK, EXP_AS_LONG}


def test_metrics_that_were_not_compared_are_ours_and_said_to_be_named():
    """A library that has novelty is found by it, and nothing is said of its values."""
    import_all()
    for bundle in BUNDLES.values():
        assert set(bundle.also.values()) <= set(METRICS), bundle.name
        assert not set(bundle.also) & set(bundle.metrics), bundle.name
    rows = of_metric(BUNDLES.values(), "novelty")
    assert ("RecTools", "0.19.0", "named", "MeanInvUserFreq(k={k})", "") in rows
    assert {row[2] for row in of_metric(BUNDLES.values(), "P")} == {"measured", "read"}
