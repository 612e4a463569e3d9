"""Ranks without scores that leave places out are told: the documents move up."""

import pandas as pd
import pytest

from irmetrics_edu import compare, evaluate

JUDGED = {"1": {"a": 1}, "2": {"c": 1}}
TOLD = "leave places out"
NAMES = ("user_id", "item_id", "rank")


def in_format(rows, form, folder):
    """The rows as a file with names, without them, or as a frame."""
    frame = pd.DataFrame(rows, columns=NAMES)
    path = folder / f"run.{form.removeprefix('bare ')}"
    if form in ("csv", "tsv"):
        frame.to_csv(path, index=False, sep=",\t"[form == "tsv"])
    elif form == "bare tsv":
        frame.to_csv(path, index=False, header=False, sep="\t")
    elif form == "jsonl":
        frame.rename(columns={"user_id": "query", "item_id": "document"}).to_json(
            path, orient="records", lines=True
        )
    elif form == "parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(path)
    else:
        return frame
    return path


FORMS = ("csv", "tsv", "bare tsv", "jsonl", "parquet", "frame")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("rows", "number"),
    [
        ([("1", "a", 3), ("1", "b", 7)], "1 query"),
        ([("1", "a", 1), ("1", "b", 2), ("2", "c", 5)], "1 query"),
        ([("1", "a", 3), ("1", "b", 9), ("2", "c", 1), ("2", "d", 3)], "2 queries"),
    ],
)
def test_gaps_are_told_in_every_format(form, rows, number, tmp_path):
    """And the first document of query 1 is at rank 1, whatever its rank was."""
    run = in_format(rows, form, tmp_path)
    e = evaluate(run, JUDGED, "RR", "rectools")
    assert e.per_query["RR"]["1"] == 1
    [note] = [note for note in e.notes() if TOLD in note]
    assert note.startswith(number)
    assert TOLD in str(compare({"x": run, "y": run}, JUDGED, "RR"))


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "frame"])
@pytest.mark.parametrize(
    "rows",
    [
        [("1", "a", 1), ("1", "b", 2), ("2", "c", 1)],
        [("1", "b", 1), ("1", "a", 0), ("2", "c", 0)],  # from 0
        [("1", "b", 2), ("2", "c", 1), ("1", "a", 1), ("2", "d", 2)],  # not together
        [("1", "a", 1), ("1", "b", 1), ("1", "c", 2)],  # a tie
    ],
)
def test_ranks_without_gaps_are_not_told(form, rows, tmp_path):
    """Nor those that have a score beside them, which decides."""
    run = in_format(rows, form, tmp_path)
    assert TOLD not in str(evaluate(run, JUDGED, "RR"))
    scored = pd.DataFrame([("1", "a", 3, 0.9), ("1", "b", 7, 0.5)], columns=[*NAMES, "score"])
    assert TOLD not in str(evaluate(scored, JUDGED, "RR"))
