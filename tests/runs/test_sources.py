"""Runs from files, frames, arrays and pieces give what the same run gives as a mapping."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from irmetrics_edu import InputError, evaluate

from .test_against_trec_eval import generated
from .test_evaluation import ALL


def as_trec(run: Any, qrels: Any, folder: Path) -> tuple[Any, Any]:
    """TREC files."""
    lines = [f"{q} Q0 {d} 0 {s!r} tag" for q, docs in run.items() for d, s in docs.items()]
    (folder / "run").write_text("\n".join(lines), encoding="utf-8")
    lines = [f"{q}\t0\t{d}\t{g}" for q, docs in qrels.items() for d, g in docs.items()]
    (folder / "qrels").write_text("\n".join(lines), encoding="utf-8")
    return folder / "run", folder / "qrels"


def as_packed_trec(run: Any, qrels: Any, folder: Path) -> tuple[Any, Any]:
    """TREC files, packed by gzip."""
    for name in as_trec(run, qrels, folder):
        (folder / f"{name.name}.gz").write_bytes(gzip.compress(name.read_bytes()))
    return folder / "run.gz", folder / "qrels.gz"


def as_json(run: Any, qrels: Any, folder: Path) -> tuple[Any, Any]:
    """JSON files."""
    for name, table in (("run.json", run), ("qrels.json", qrels)):
        (folder / name).write_text(json.dumps(table), encoding="utf-8")
    return folder / "run.json", folder / "qrels.json"


def as_pandas(run: Any, qrels: Any, _: Path) -> tuple[Any, Any]:
    """Frames of pandas."""
    return tuple(
        pd.DataFrame(
            [(q, d, v) for q, docs in table.items() for d, v in docs.items()],
            columns=["query", "document", value],
        )
        for table, value in ((run, "score"), (qrels, "grade"))
    )


def as_polars(run: Any, qrels: Any, folder: Path) -> tuple[Any, Any]:
    """Frames of polars."""
    return tuple(
        pl.DataFrame({name: f[name].tolist() for name in f.columns})
        for f in as_pandas(run, qrels, folder)
    )


def as_mapping_beside_file(run: Any, qrels: Any, folder: Path) -> tuple[Any, Any]:
    """A mapping as the run, a file of judgments."""
    return run, as_trec(run, qrels, folder)[1]


@pytest.mark.parametrize(
    "form", [as_trec, as_packed_trec, as_json, as_pandas, as_polars, as_mapping_beside_file]
)
@pytest.mark.parametrize("conventions", ["trec_eval", "pytrec_eval"])
def test_every_source_gives_the_same_evaluation(
    form: Callable[[Any, Any, Path], tuple[Any, Any]], conventions: str, tmp_path: Path
) -> None:
    """Scores, counts, workings and spreads over ties do not depend on what holds the run."""
    run, qrels = generated(4)
    expected = evaluate(run, qrels, ALL, conventions)
    found = evaluate(*form(run, qrels, tmp_path), ALL, conventions)
    assert set(found.queries) == set(expected.queries)
    for name in expected.mean:
        assert found.per_query[name] == pytest.approx(expected.per_query[name], abs=1e-12)
    assert sorted(found.notes()) == sorted(expected.notes())
    for query in ["q0", "q6", "q9"]:
        there, here = found.working("AP", query), expected.working("AP", query)
        assert there.value == pytest.approx(here.value)
        assert list(there.rows.document) == list(here.rows.document)


def as_array(run: Any, qrels: Any, _: Path) -> tuple[Any, Any]:
    """Rows of recommended items, short ones filled up, beside judgments by row."""
    both = [q for q in qrels if q in run]
    width = max(len(run[q]) for q in both)
    rows = [[*sorted(run[q], key=lambda d: -run[q][d])] for q in both]
    items = np.array([row + [""] * (width - len(row)) for row in rows])
    return items, {i: qrels[q] for i, q in enumerate(both)}


FORMS = [as_trec, as_json, as_pandas, as_mapping_beside_file]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("measures", "options"),
    [
        ("nDCG@10 AP RR P@5", {"ties": "averaged"}),
        ("nDCG@10 ERR Q", {"ties": "pessimistic"}),
        ("nDCG@10 AP", {"ties": "optimistic"}),
        ("nDCG@10 AP", {"ties": "docid_ascending", "unretrieved": "last"}),
        ("nDCG@10", {"scores": "float32", "ties": "reversed", "unjudged": "removed"}),
        ("AP RR", {"missing_queries": "skip", "ties": "averaged"}),
    ],
)
def test_conventions_that_go_query_by_query_do_so_from_every_source(
    form: Callable[[Any, Any, Path], tuple[Any, Any]],
    measures: str,
    options: Any,
    tmp_path: Path,
) -> None:
    """What needs the grades to order ties, or the documents not retrieved, takes files too."""
    run, qrels = generated(5)
    expected = evaluate(run, qrels, measures, **options)
    found = evaluate(*form(run, qrels, tmp_path), measures, **options)
    for name in expected.mean:
        assert found.per_query[name] == pytest.approx(expected.per_query[name], abs=1e-12)
    assert sorted(found.notes()) == sorted(expected.notes())
    query = next(q for q in expected.queries if q in run)
    for name in expected.mean:
        there, here = found.working(name, query), expected.working(name, query)
        assert there.value == pytest.approx(here.value)
        assert list(there.rows.document) == list(here.rows.document)


@pytest.mark.parametrize("form", FORMS)
def test_curves_over_scores_see_the_scores_of_every_source(
    form: Callable[[Any, Any, Path], tuple[Any, Any]], tmp_path: Path
) -> None:
    """AUC counts a tied pair half, so an order without scores would not do."""
    run, qrels = generated(6)
    for q in [q for q in qrels if q not in run or len({*map(run[q].get, run[q])}) < 2]:
        del qrels[q]
    kept = {}
    for q, judged in qrels.items():
        retrieved = {g > 0 for g in (judged.get(d, 0) for d in run[q])}
        if len(retrieved) == 2:
            kept[q] = judged
    expected = evaluate(run, kept, "AUC PR-AUC")
    found = evaluate(*form(run, kept, tmp_path), "AUC PR-AUC")
    for name in ("AUC", "PR-AUC"):
        assert found.per_query[name] == pytest.approx(expected.per_query[name], abs=1e-12)
    counted_half = evaluate(
        {q: sorted(r, key=lambda d: -r[d]) for q, r in run.items()}, kept, "AUC"
    )
    assert counted_half.mean["AUC"] != pytest.approx(expected.mean["AUC"])  # the ties are seen


def test_a_curve_over_an_order_takes_its_ranks_for_scores() -> None:
    """The first document counts as the one with the highest score."""
    qrels = {"q": {"a": 1, "b": 0, "c": 0}}
    for ranking, area in ((["a", "b", "c"], 1.0), (["b", "a", "c"], 0.5), (["b", "c", "a"], 0.0)):
        assert evaluate({"q": ranking}, qrels, "AUC")["AUC"] == area


def test_an_array_is_ordered_by_rank_whatever_the_conventions() -> None:
    """A row of items has no ties, so that averaging over them changes nothing."""
    items, qrels = as_array(*generated(4), Path())
    plain = evaluate(items, qrels, "nDCG@10 AP", padding="")
    shared = evaluate(items, qrels, "nDCG@10 AP", padding="", ties="averaged")
    assert shared.mean == pytest.approx(plain.mean)


@pytest.mark.parametrize(("which", "reciprocal"), [("first", 1), ("last", 1 / 2), ("each", 1)])
def test_a_repeated_document_in_a_file_counts_where_the_convention_says(
    which: str, reciprocal: float, tmp_path: Path
) -> None:
    """Ranked first and third of a, b, a, the document is first, second or both."""
    run = tmp_path / "run"
    run.write_text("q Q0 a 1 3 t\nq Q0 b 2 2 t\nq Q0 a 3 1 t\n", encoding="utf-8")
    e = evaluate(run, {"q": {"a": 1}}, "RR", "irmetrics_edu", duplicates=which)
    assert e.mean["RR"] == reciprocal
    assert "1 repeated document was met" in e.notes()
    with pytest.raises(InputError, match=r"line 3.*ranked twice"):
        evaluate(run, {"q": {"a": 1}}, "RR", "irmetrics_edu")


def test_recommended_items_beside_held_out_ones() -> None:
    """A row of item numbers for each user, and ragged held-out items, are a run and its qrels."""
    top = np.array([[1, 2, 3], [4, 5, 6]])
    e = evaluate(top, [[2], [6, 9]], "RR P@3 R@3", "irmetrics_edu")
    assert e.mean["RR"] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert e.mean["R@3"] == pytest.approx((1 + 1 / 2) / 2)


def test_an_iterator_is_evaluated_in_pieces_and_only_once() -> None:
    """Pieces of whole queries give the same; what would need a second pass is refused."""
    run, qrels = generated(4)
    pieces = [{q: docs} for q, docs in run.items()]
    found, expected = evaluate(iter(pieces), qrels, "AP RR"), evaluate(run, qrels, "AP RR")
    assert found.mean == pytest.approx(expected.mean)
    with pytest.raises(
        InputError,
        match="the run came as an iterable, which can be read once",
    ):
        evaluate(iter(pieces), qrels, ["AP", "AP(unjudged=removed)"])
