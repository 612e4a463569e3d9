"""A document with the id of its query, as in ArguAna: BEIR drops it, others count it."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from irmetrics_edu import compare, diagnose, evaluate

QRELS = {"t1": {"t1c": 1}, "t2": {"t2c": 1}}
RUN = {"t1": {"t1": 9.0, "t1c": 8.0, "t2": 1.0}, "t2": {"t2": 9.0, "x": 8.0, "t2c": 7.0}}
MEASURES = "NDCG@1 NDCG@10 MAP@10 P@1"
# EvaluateRetrieval.evaluate of beir 2.2.0: by default, and with ignore_identical_ids=False.
BEIR = [0.5, 0.81546, 0.75, 0.5]
KEPT = [0.0, 0.56546, 0.41667, 0.0]


def as_file(folder: Path) -> Path:
    """A TREC file."""
    path = folder / "run.txt"
    path.write_text(
        "\n".join(f"{q} Q0 {d} 0 {s} t" for q, of in RUN.items() for d, s in of.items())
    )
    return path


def as_json(folder: Path) -> Path:
    """A mapping in a file."""
    path = folder / "run.json"
    path.write_text(json.dumps(RUN))
    return path


def as_frame(_: Path) -> Any:
    """Rows."""
    rows = [(q, d, s) for q, of in RUN.items() for d, s in of.items()]
    return pd.DataFrame(rows, columns=["query", "document", "score"])


FORMS = {
    "mapping": lambda _: RUN,
    "lists": lambda _: {query: list(of) for query, of in RUN.items()},
    "TREC": as_file,
    "JSON": as_json,
    "frame": as_frame,
    "pieces": lambda _: iter([{query: of} for query, of in RUN.items()]),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("conventions", "values", "says"),
    [("beir", BEIR, "dropped it"), ("pytrec_eval", KEPT, "would drop it")],
)
def test_the_values_of_beir(
    form: str, conventions: str, values: list[float], says: str, tmp_path: Path
) -> None:
    """Whatever the run comes as, with a note; and without the habit as pytrec_eval has it."""
    e = evaluate(FORMS[form](tmp_path), QRELS, MEASURES, conventions)
    assert list(e.mean.values()) == pytest.approx(values, abs=5.1e-6)
    if form != "pieces":
        [said] = [note for note in e.notes() if "own id" in note]
        assert said.startswith("2 queries")
        assert says in said


def test_numbers_on_both_sides_meet_by_chance() -> None:
    """Ids from 0 to 9 for queries and documents: BEIR drops them all the same."""
    run = {q: {d: 1.0 / (1 + abs(d - q)) for d in range(10)} for q in range(10)}
    qrels = {q: {(q + 1) % 10: 1, q: 1} for q in range(10)}
    assert evaluate(run, qrels, "R@10", "beir").mean["R@10"] == pytest.approx(0.5)
    assert evaluate(run, qrels, "R@10").mean["R@10"] == 1.0


def test_the_convention_can_be_chosen_anywhere() -> None:
    """In evaluate, in compare, and with any library."""
    e = evaluate(RUN, QRELS, "P@1", "ranx", identical_ids="removed")
    assert e.mean["P@1"] == 0.5
    assert RUN["t1"] == {"t1": 9.0, "t1c": 8.0, "t2": 1.0}  # which BEIR itself would change
    found = compare({"a": RUN, "b": RUN}, QRELS, "P@1", "beir")
    assert found.means["a"]["P@1"] == 0.5


@pytest.mark.parametrize(("measure", "value"), [("nDCG@10", "0.81546"), ("AP@10", "0.7500")])
def test_diagnose_names_it_first(measure: str, value: str) -> None:
    """Before a discount that gives the same number, where ids of queries and documents meet."""
    found = diagnose(measure, RUN, QRELS, value=value)
    assert found.candidates[0].arguments["identical_ids"].name == "removed"
    assert "BEIR" in found.candidates[0].libraries
    apart = {query: {f"d{d}": s for d, s in of.items()} for query, of in RUN.items()}
    judged = {query: {f"d{d}": g for d, g in of.items()} for query, of in QRELS.items()}
    assert "identical_ids" not in str(diagnose(measure, apart, judged, value=value))
