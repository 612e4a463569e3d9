"""Ids, scores and grades of every kind: one answer or one error, whatever they come as."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from irmetrics_edu import InputError, checks, evaluate, ndcg

Table = dict[Any, dict[Any, Any]]


def as_mapping(table: Table, name: str, _: Path) -> Any:
    """As it is."""
    del name
    return table


def as_frame(table: Table, name: str, _: Path) -> Any:
    """A frame whose columns hold what is given, of whatever type."""
    rows = [(q, d, v) for q, docs in table.items() for d, v in docs.items()]
    value = "score" if name == "run" else "grade"
    return pd.DataFrame(rows, columns=["query", "document", value], dtype=object)


def as_json(table: Table, name: str, folder: Path) -> Any:
    """A file of JSON, where ids are text."""
    (folder / f"{name}.json").write_text(json.dumps(table), encoding="utf-8")
    return folder / f"{name}.json"


both = pytest.mark.parametrize("form", [as_mapping, as_frame], ids=["mapping", "frame"])
Form = Callable[[Table, str, Path], Any]


@both
@pytest.mark.parametrize("measure", ["AP", "AUC", "AP(unjudged=removed)"])
@pytest.mark.parametrize(
    ("run", "qrels"),
    [
        ({"q": {1.0: 1.0, "x": 2.0}}, {"q": {"1": 1, "x": 0}}),
        ({"q": {"x": 2.0, 1: 1.0}}, {"q": {"1": 1, "x": 0}}),
        ({"q": {"x": 2.0, "y": 1.0, "1": 3.0}}, {"q": {1: 1, "x": 0}}),
        ({"q": {1: 2.0, 2: 1.0}}, {"q": {"a": 1, "b": 0}}),
        ({"q": {1.0: 2.0, 2.0: 1.0}}, {"q": {1: 1, 2: 0}}),
        ({"q": {True: 2.0, False: 1.0}}, {"q": {1: 1, 0: 0}}),
        ({"q": {"a": 2.0, "b": 1.0}, 2: {"a": 1.0}}, {"q": {"a": 1, "b": 0}}),
        ({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 0}, 2: {"a": 1, "b": 0}}),
        ({1.0: {"a": 2.0, "b": 1.0}}, {1: {"a": 1, "b": 0}}),
        ({1: {"a": 2.0, "b": 1.0}}, {"1": {"a": 1, "b": 0}}),
    ],
    ids=str,
)
def test_ids_of_another_kind_or_of_several_are_refused(
    form: Form, measure: str, run: Table, qrels: Table, tmp_path: Path
) -> None:
    """Ids are text or whole numbers, the same on both sides; they never miss each other unsaid."""
    with pytest.raises(InputError):
        evaluate(form(run, "run", tmp_path), form(qrels, "qrels", tmp_path), measure)


def test_one_odd_id_among_many_is_found_where_it_would_change_a_score() -> None:
    """Wherever it stands in a long ranking, text or number."""
    for place in (0, 7, 499, 999):
        for numeric in (False, True):
            ids: list[Any] = [i + 10 if numeric else str(i + 10) for i in range(1000)]
            judged = {ids[place]: 1, ids[3]: 1}
            ids[place] = str(ids[place]) if numeric else int(ids[place])
            run = {"q": {d: -float(i) for i, d in enumerate(ids)}}
            with pytest.raises(InputError, match=r"only in type|mixed kinds"):
                evaluate(run, {"q": judged}, "AP")


@pytest.mark.parametrize("form", [as_mapping, as_frame], ids=["mapping", "frame"])
@pytest.mark.parametrize("measure", ["AP", "AUC", "P@2"])
@pytest.mark.parametrize("fast", [True, False], ids=["as CPython", "as any Python"])
@pytest.mark.parametrize(
    "scores",
    [
        {"a": 1.0, "b": 0.9, 5: 0.8},
        {"a": 1.0, "b": 0.9, 5.0: 0.8},
        {"a": 1.0, "b": 0.9, None: 0.8},
        {7: 1.0, 8: 0.9, "x": 0.8},
        {7: 1.0, 8: 0.9, 9.0: 0.8},
        {7: 1.0, 8: 0.9, True: 0.8},
    ],
    ids=str,
)
def test_one_odd_id_that_would_change_no_score_is_refused_too(
    form: Form, measure: str, scores: Any, fast: bool, tmp_path: Path, monkeypatch: Any
) -> None:
    """An unjudged id of another kind: the same from all forms."""
    if not fast:
        monkeypatch.setattr(checks, "_text_keys", lambda: None)
    best, second, _ = scores
    fine = {document: scores[document] for document in (best, second)}
    judged = {"q": {best: 1, second: 0}}
    assert evaluate(form({"q": fine}, "run", tmp_path), judged, measure)
    with pytest.raises(InputError, match=r"mixed kinds|of type|is not an id|missing|empty"):
        evaluate(form({"q": scores}, "run", tmp_path), judged, measure)


@pytest.mark.parametrize("form", [as_mapping, as_frame, as_json], ids=["mapping", "frame", "JSON"])
@pytest.mark.parametrize("measure", ["AP", "AUC"])
@pytest.mark.parametrize("scores", [[True, 0.5], [0.5, False], [2.0, 1.0, 0.0, True], [True, True]])
def test_truth_values_are_no_scores(
    form: Form, measure: str, scores: list[Any], tmp_path: Path
) -> None:
    """True is 1 to Python, and no score; 1 and 0 are."""
    for number, refused in ((lambda s: s, True), (float, False)):
        run = {"q": {f"d{i}": number(s) for i, s in enumerate(scores)}}
        given = form(run, "run", tmp_path), {"q": {"d0": 1, "d1": 0}}
        if refused:
            with pytest.raises(InputError, match=r"True or False|not a finite number|not numbers"):
                evaluate(*given, measure)
        else:
            assert 0 <= evaluate(*given, measure).mean[measure] <= 1


@pytest.mark.parametrize("form", [as_mapping, as_frame, as_json], ids=["mapping", "frame", "JSON"])
@pytest.mark.parametrize(
    ("grade", "measure", "says"),
    [
        (1100, "nDCG(gain=exp)", "gain=exp: grade 1100 is worth .* too large for a float"),
        (1e308, "nDCG", r"query 'q', document 'd1': grade 1e\+308 is above 1e\+100"),
        (
            -1e308,
            "DCG(negative=keep)",
            r"query 'q', document 'd1': grade -1e\+308 is above 1e\+100",
        ),
        (10**101, "DCG", r"document 'd1': grade 1.* is above 1e\+100"),
    ],
)
def test_a_grade_too_large_to_sum_is_refused(
    form: Form, grade: Any, measure: str, says: str, tmp_path: Path
) -> None:
    """Where the sum of gains would be infinite, and its quotient no number."""
    qrels = {"q": {"d1": grade, "d2": grade, "d3": 1}}
    with pytest.raises(InputError, match=says):
        evaluate({"q": {"d1": 1.0, "d3": 2.0}}, form(qrels, "qrels", tmp_path), measure)


def test_the_largest_grades_have_scores() -> None:
    """Of 2^1000 the sums are floats; the ideal is the ranking itself."""
    assert ndcg([1000, 1000, 1], gain="exp") == 1
    assert ndcg([1e100, 1e100]) == 1
    with pytest.raises(InputError, match="rank 2: grade 1e"):
        ndcg([1, 1e101])
    with pytest.raises(InputError, match="grade 1001 is worth 2"):
        ndcg([1, 1001], gain="exp")


def test_an_array_says_whose_item_is_no_id() -> None:
    """The user and the item."""
    for odd, says in ((1, "item 1 is of type int"), ("\ud800", "item .* as UTF-8")):
        with pytest.raises(InputError, match=f"query 1: .*{says}"):
            evaluate(np.array([["a", "b"], ["c", odd]], dtype=object), [["a"], ["b"]], "AP")
