"""A column of ranks that contradicts all scores is told, in each format that has both."""

import pandas as pd
import pytest

from irmetrics_edu import compare, diagnose, evaluate
from irmetrics_edu.cli import main

JUDGED = {"q1": {"a": 1}, "q2": {"c": 1}}
DISTANCES = [("q1", "a", 1, 0.12), ("q1", "b", 2, 0.34), ("q1", "c", 3, 0.9), ("q2", "c", 1, 0.5)]
TOLD = "of ranks contradict"


def frame_of(rows):
    """The rows with names."""
    return pd.DataFrame(rows, columns=["query", "document", "rank", "score"])


def in_format(rows, form, folder):
    """The rows as a file of a format, or as a frame."""
    path = folder / f"run.{form}"
    if form == "txt":
        path.write_text("".join(f"{q} Q0 {d} {r} {s} faiss\n" for q, d, r, s in rows))
    elif form == "csv":
        frame_of(rows).to_csv(path, index=False)
    elif form == "tsv":
        frame_of(rows).to_csv(path, index=False, sep="\t")
    elif form == "jsonl":
        frame_of(rows).to_json(path, orient="records", lines=True)
    elif form == "parquet":
        pytest.importorskip("pyarrow")
        frame_of(rows).to_parquet(path)
    else:
        return frame_of(rows)
    return path


def test_distances_are_told_in_every_format_and_the_order_stays(tmp_path):
    """RR of q1 is 1/3, as the highest score stands first, and of q2 it is 1."""
    for form in ("txt", "csv", "tsv", "parquet", "jsonl", "frame"):
        run = in_format(DISTANCES, form, tmp_path)
        found = evaluate(run, JUDGED, "RR")
        assert found.mean["RR"] == pytest.approx((1 / 3 + 1) / 2), form
        assert TOLD in str(found), form
        assert TOLD in str(compare({"a": run, "b": run}, JUDGED, "RR")), form
        assert TOLD in str(evaluate(run, JUDGED, "RR", identical_ids="removed")), form


def test_explain_and_diagnose_tell_it_too(tmp_path, capsys):
    """Beside the steps, and above the causes; of a diagnosis in JSON as well."""
    qrels = tmp_path / "qrels"
    qrels.write_text("q1 0 a 1\nq2 0 c 1\n")
    for form in ("txt", "csv", "jsonl"):
        run = in_format(DISTANCES, form, tmp_path)
        files = ["--run", str(run), "--qrels", str(qrels)]
        assert main(["explain", "RR", *files, "--query", "q1"]) == 0
        assert TOLD in "".join(capsys.readouterr())
        assert main(["diagnose", "RR", *files, "--value", "1.0"]) == 0
        assert "Note: 1 column of ranks contradicts scores" in capsys.readouterr().out
        found = diagnose("RR", run, JUDGED, value="1.0")
        assert len(found.facts()["of_order"]) == 1
    right = frame_of([(q, d, r, 1 - s) for q, d, r, s in DISTANCES])
    assert not diagnose("RR", right, JUDGED, value="1.0").facts()["of_order"]


def test_ranks_that_agree_or_say_nothing_are_not_told(tmp_path):
    """Right ranks, one swap, ranks that are all 0, ties, and a single pair."""
    right = [(q, d, r, 1 - s) for q, d, r, s in DISTANCES]
    swapped = [*DISTANCES[:2], ("q1", "c", 3, 0.2)]
    constant = [(q, d, 0, s) for q, d, _, s in DISTANCES]
    tied = [(q, d, r, 1.0) for q, d, r, _ in DISTANCES]
    for rows in (right, swapped, constant, tied, DISTANCES[:2]):
        for form in ("txt", "csv", "jsonl", "frame"):
            found = evaluate(in_format(rows, form, tmp_path), JUDGED, "RR")
            assert TOLD not in str(found), (rows, form)
