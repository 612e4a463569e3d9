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
        for measure in ("nDCG@10", "P@5", "RR"):
            a, b = found.tie_spread(measure, query), expected.tie_spread(measure, query)
            assert (a.least, a.mean, a.greatest) == pytest.approx((b.least, b.mean, b.greatest))


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
    with pytest.raises(InputError, match="used up by one alignment"):
        evaluate(iter(pieces), qrels, ["AP", "AP(unjudged=removed)"])
