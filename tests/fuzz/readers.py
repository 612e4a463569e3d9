# ruff: noqa: E501 -- one input or one line of a page a line
"""Files of every other reader, made well and then spoilt: each is read, or refused by its name.

Nothing may end in a traceback or a warning, and the same file must give the same answer twice.
"""

import csv
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from irmetrics_edu.gate.plugin import baseline_files, session_report
from tests.fuzz.files import NASTY, mutated
from tests.fuzz.reading import Reading
from tests.marking.conftest import KEY, SOURCE

# Letters that look like nothing or like others: marks of order and direction, combining letters,
# control characters, and the blanks that only Python calls blanks.
LETTERS = (
    "\ufeff", "e\u0301", "\u00e9", "\u200f", "\u202e", "\u2066", "\u200b", "\u00ad", "\x1b[31m",
    "\x00", "\x07", "\x1c", "\x1f", "\x85", "\u00a0", "\u2003", "\u2028", "\u3000", "\ud83d", "\U0001f600",
    "\u0130", "\u2212", "\u0661", "\uff11", "=1+1", "::error::", "<b>", "|", "`", "$x$", "%s", "{x}",
)  # fmt: skip
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 0.5, 1e308, -1e308, 10**30, 10**400, float("nan"), float("inf"), "",
    "x", [], {}, [[]], {"x": None}, "1e999", "2026-02-29", "2026-03-29T02:30",
)  # fmt: skip


# -- values, spoilt


def _word(rng: random.Random, word: str) -> str:
    at = rng.randrange(len(word) + 1)
    return word[:at] + rng.choice(LETTERS) + word[at:]


def spoilt(rng: random.Random, value: Any) -> Any:
    """The same value with something odd within it, however deep, or in its place."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        held = dict(value)
        key = rng.choice(list(held))
        how = rng.random()
        if how < 0.15:
            held[_word(rng, key)] = held.pop(key)
        elif how < 0.25:
            del held[key]
        else:
            held[key] = spoilt(rng, held[key])
        return held
    if isinstance(value, list) and value and rng.random() < 0.9:
        kept = list(value)
        at = rng.randrange(len(kept))
        if rng.random() < 0.2:
            kept.insert(at, kept[at])
        else:
            kept[at] = spoilt(rng, kept[at])
        return kept
    if isinstance(value, str) and rng.random() < 0.6:
        return _word(rng, value)
    return rng.choice(_VALUES)


def _json(rng: random.Random, path: Path, value: Any, *, lines: bool = False) -> str:
    """A file of JSON, spoilt in its values, in its bytes, or not at all."""
    for _ in range(rng.choice((0, 1, 1, 2))):
        value = spoilt(rng, value)
    rows = value if lines and isinstance(value, list) else [value]
    text = "\n".join(json.dumps(row) for row in rows) + "\n"
    raw = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.2:
        raw = mutated(rng, raw)
    path.write_bytes(raw)
    return str(path)


def _table(rng: random.Random, path: Path, rows: list[list[str]]) -> str:
    """A CSV file, in which cells are spoilt."""
    rows = [list(row) for row in rows]
    for _ in range(rng.choice((0, 1, 1, 2))):
        row = rng.choice(rows)
        at = rng.randrange(len(row))
        row[at] = rng.choice((_word(rng, row[at]), rng.choice(NASTY)))
    if rng.random() < 0.2:
        rng.choice(rows).append("more")
    held = io.StringIO()
    csv.writer(held).writerows(rows)
    raw = held.getvalue().encode("utf-8", "surrogatepass")
    path.write_bytes(mutated(rng, raw) if rng.random() < 0.2 else raw)
    return str(path)


# -- the readers


def of_scores(rng: random.Random, folder: Path) -> Reading:
    """Tables of scores of two systems, and test runs of DeepEval."""
    rows = [["query", "measure", "value"]]
    rows += [[f"q{i}", m, f"0.{rng.randrange(10)}"] for i in range(3) for m in ("AP", "faith")]
    metric = {"name": "F", "score": 0.5, "threshold": 0.4, "success": True}
    cases = {"testCases": [{"input": f"q{i}", "metricsData": [metric]} for i in range(3)]}
    paths = [
        _table(rng, folder / f"{name}.csv", rows)
        if rng.random() < 0.6
        else _json(rng, folder / f"{name}.json", cases)
        for name in "ab"
    ]
    return Reading(
        "scores",
        [
            ["compare", *paths, "--scores"],
            ["compare", *paths, "--scores", "--details", "--format", "json"],
        ],
    )


def of_baselines(rng: random.Random, folder: Path) -> Reading:
    """Two files of baselines."""
    entry = {
        "conventions": {"name": "irmetrics_edu"}, "judgments": "sha256:0",
        "means": {"AP": 0.5, "RR": 0.75},
        "queries": {"q1": [[0.25, 0.5], ["d1", "d2"]], "q2": [[0.75, 1.0], ["d3"]]},
        "depth": 100, "whole": True, "lacked": ["q3"],
    }  # fmt: skip
    stored = {"format": baseline_files.FORMAT, "baselines": {"test_a.py::test_it": entry}}
    a, b = (_json(rng, folder / f"{name}.json", stored) for name in "ab")
    shown = [["baseline", "show", a], ["baseline", "diff", a, b, "--format", "markdown"]]
    return Reading("baselines", [*shown, ["baseline", "diff", b, a]])


def of_history(rng: random.Random, folder: Path) -> Reading:
    """Measures of gates over commits."""
    line = {
        "commit": "c", "test": "t", "measure": "RR", "verdict": "pass", "score": 0.5, "low": 0.4,
        "high": 0.6, "queries": 3, "margin": 0.1,
    }  # fmt: skip
    entries = [{**line, "commit": f"c{i}", "score": 0.5 - i / 50} for i in range(4)]
    return Reading("history", [["history", _json(rng, folder / "h.jsonl", entries, lines=True)]])


def of_reports(rng: random.Random, folder: Path) -> Reading:
    """Reports of sessions."""
    result = {
        "test": "t", "measure": "RR", "verdict": "fail", "score": 0.5, "bounds": {"at_least": 0.7},
        "queries": 2, "per_query": {"q1": 0.5, "q2": None}, "explanation": "it fell",
        "groups": [{"group": "de", "verdict": "fail", "queries": 2, "score": 0.5, "baseline": 0.7}],
    }  # fmt: skip
    stored = {"format": session_report.FORMAT, "results": [result], "stale_baselines": []}
    path = _json(rng, folder / "r.json", stored)
    to = [str(folder / f"out{ending}") for ending in (".md", ".html", ".json", ".xml")]
    return Reading("reports", [["report", "merge", path, "--to", one] for one in to])


def of_results(rng: random.Random, folder: Path) -> Reading:
    """What another program computed of the vectors."""
    from irmetrics_edu.diagnosis.conformance.vectors import VERSION, cases

    some = {case.id: 0.5 for case in list(cases())[:4]}
    stored = {
        "format": "irmetrics-edu/results", "version": VERSION, "program": "p", "claims": ["nDCG"],
        "results": some,
    }  # fmt: skip
    return Reading("results", [["conformance", "check", _json(rng, folder / "c.json", stored)]])


def of_labels(rng: random.Random, folder: Path) -> Reading:
    """Lists that were filled in, and judgments of two."""
    head = ["query", "document", "grade", "source", "judge", "when"]
    rows = [
        head,
        *(
            [f"q{i % 2}", f"d{i}", str(i % 3), "person", "AB"[i % 2], "2026-01-01"]
            for i in range(6)
        ),
    ]
    path = _table(rng, folder / "work.csv", rows)
    out = ["judgments", "merge", path, "-o", "/dev/null"]
    return Reading("labels", [out, ["judgments", "lint", path], ["judgments", "agreement", path]])


def of_beside(rng: random.Random, folder: Path) -> Reading:
    """What stands beside a run: categories, popularity, groups, weights, texts."""
    (folder / "qrels").write_text("q1 0 d1 1\nq2 0 d2 1\n", encoding="utf-8")
    (folder / "run").write_text(
        "q1 Q0 d1 1 2 t\nq2 Q0 d3 1 2 t\nq2 Q0 d2 2 1 t\n", encoding="utf-8"
    )
    call = ["evaluate", str(folder / "qrels"), str(folder / "run")]
    popular = _json(rng, folder / "p.json", {"d1": 3, "d2": 2, "d3": 1})
    groups = _table(rng, folder / "g.csv", [["query", "group"], ["q1", "a"], ["q2", "b"]])
    weights = _table(rng, folder / "w.csv", [["query", "weight"], ["q1", "1"], ["q2", "3"]])
    texts = _json(
        rng, folder / "t.jsonl", [{"id": "d1", "text": "x"}, {"id": "q1", "text": "y"}], lines=True
    )
    return Reading(
        "beside",
        [
            [*call, "-m", "ARP@2", "--popularity", popular],
            [*call, "-m", "RR", "--groups", groups],
            [*call, "-m", "RR", "--weights", weights],
            ["judgments", "lint", str(folder / "qrels"), "--documents", texts],
        ],
    )


def of_a_class(rng: random.Random, folder: Path) -> Reading:
    """Notebooks, archives of them, rosters and deadlines, of which nothing has to be run."""
    cell = {
        "cell_type": "code",
        "id": "c",
        "metadata": {},
        "source": ["x = 1\n"],
        "outputs": [],
        "execution_count": None,
    }
    book = {
        "cells": [cell, {"cell_type": "markdown", "id": "d", "metadata": {}, "source": "y"}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    handed = folder / "handed"
    handed.mkdir(exist_ok=True)
    for old in handed.iterdir():
        old.unlink()
    _json(rng, handed / "ann.ipynb", book)
    submissions: Path = handed
    if rng.random() < 0.4:
        submissions = folder / "class.zip"
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w") as archive:
            archive.write(
                handed / "ann.ipynb",
                rng.choice(("ann/77.ipynb", "../x.ipynb", "a/b/\u202ec.ipynb", "ann_1_2_77.ipynb")),
            )
        raw = held.getvalue()
        submissions.write_bytes(mutated(rng, raw) if rng.random() < 0.4 else raw)
    roster = _table(
        rng,
        folder / "r.csv",
        [["student", "name", "email"], ["ann", "Ann Lee", "a@x"], ["ben", "Ben", ""]],
    )
    late = _table(
        rng,
        folder / "l.csv",
        [
            ["exercise", "rule", "value", "student"],
            ["77", "deadline", "2026-03-29 02:30 Europe/Berlin", ""],
            ["77", "grace", "15 min", "ann"],
        ],
    )
    times = _table(
        rng,
        folder / "t.csv",
        [["student", "exercise", "time"], ["ann", "77", "2026-02-28T10:00:00Z"]],
    )
    (folder / "key").write_bytes(KEY)
    (folder / "sources").mkdir(exist_ok=True)
    (folder / "sources" / "77_two.py").write_text(SOURCE, encoding="utf-8")
    fixed = ["--key", str(folder / "key"), "--sources", str(folder / "sources")]
    call = ["grade", str(submissions), *fixed, "--out", str(folder / "out"), "--roster", roster]
    return Reading("class", [[*call, "--late", late, "--times", times, "--force"]])


READERS: dict[str, Callable[[random.Random, Path], Reading]] = {
    "scores": of_scores,
    "baselines": of_baselines,
    "history": of_history,
    "reports": of_reports,
    "results": of_results,
    "labels": of_labels,
    "beside": of_beside,
    "class": of_a_class,
}
