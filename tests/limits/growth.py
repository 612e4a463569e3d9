"""Inputs of a usual size, and of ten and a hundred times as much, with the call that reads them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.limits.hostile import _book, _cell

Made = list[str]


@dataclass(frozen=True)
class Growing:
    """What grows, from which size on, and what happens above."""

    what: str
    usual: int
    make: Callable[[Path, int], Made]
    above: str


def _run(folder: Path, queries: int, documents: int, width: int = 1, grades: int = 4) -> Made:
    run, qrels = [], []
    for query in range(queries):
        for rank in range(documents):
            name = f"d{rank:0{width}}"
            run.append(f"q{query} Q0 {name} {rank + 1} {-rank} t\n")
            if rank % 5 == 0:
                qrels.append(f"q{query} 0 {name} {rank // 5 % grades}\n")
    (folder / "run").write_text("".join(run), encoding="utf-8")
    (folder / "qrels").write_text("".join(qrels), encoding="utf-8")
    return ["evaluate", str(folder / "qrels"), str(folder / "run"), "-m", "nDCG@10 AP RR"]


def _measures(folder: Path, number: int) -> Made:
    names = " ".join(f"P@{k}" for k in range(1, number + 1))
    return [*_run(folder, 20, 20)[:-1], names]


def _json(folder: Path, queries: int) -> Made:
    _run(folder, queries, 1)
    run = {f"q{q}": {f"d{d}": -float(d) for d in range(100)} for q in range(queries)}
    (folder / "run.json").write_text(json.dumps(run), encoding="utf-8")
    return ["evaluate", str(folder / "qrels"), str(folder / "run.json"), "-m", "nDCG@10 AP RR"]


def _depth(folder: Path, depth: int) -> Made:
    call = _json(folder, 1)
    text = '{"q0": ' + "[" * (depth - 1) + '"d0"' + "]" * (depth - 1) + "}"
    (folder / "run.json").write_text(text, encoding="utf-8")
    return call


def _csv(folder: Path, rows: int) -> Made:
    _run(folder, 50, 1)
    lines = "".join(f"q{i % 50},d{i // 50},{-i}\n" for i in range(rows))
    (folder / "run.csv").write_text("query,document,score\n" + lines, encoding="utf-8")
    return ["evaluate", str(folder / "qrels"), str(folder / "run.csv"), "-m", "nDCG@10 AP RR"]


def _scores(folder: Path, rows: int) -> Made:
    lines = "".join(f"q{i},F,0.{i % 10}\n" for i in range(rows))
    for name in ("a.csv", "b.csv"):
        (folder / name).write_text("query,measure,value\n" + lines, encoding="utf-8")
    return ["compare", str(folder / "a.csv"), str(folder / "b.csv"), "--scores"]


def _baselines(folder: Path, tests: int) -> Made:
    from irmetrics_edu.gate.plugin import baseline_files

    entry = {
        "conventions": {"name": "irmetrics_edu"}, "judgments": "sha256:0", "means": {"RR": 0.5},
        "queries": {f"q{i}": [[0.5], ["a", "b"]] for i in range(20)}, "depth": 2, "whole": True,
    }  # fmt: skip
    held = {f"t{i}.py::t": entry for i in range(tests)}
    stored = {"format": baseline_files.FORMAT, "baselines": held}
    (folder / "b.json").write_text(json.dumps(stored), encoding="utf-8")
    return ["baseline", "show", str(folder / "b.json")]


def _history(folder: Path, entries: int) -> Made:
    line = (
        '{{"commit":"c{}","test":"t","measure":"RR","verdict":"pass","score":0.5,"low":0.4,'
        '"high":0.6,"queries":3,"margin":0.1}}\n'
    )
    (folder / "h.jsonl").write_text("".join(map(line.format, range(entries))), encoding="utf-8")
    return ["history", str(folder / "h.jsonl")]


def _handed(folder: Path, students: int, cells: int = 3) -> Made:
    (folder / "handed").mkdir()
    text = _book([_cell("total = 1")] * cells)
    for student in range(students):
        (folder / "handed" / f"s{student}.ipynb").write_text(text, encoding="utf-8")
    return ["!grade", str(folder / "handed"), str(folder / "out")]


def _roster(folder: Path, rows: int) -> Made:
    lines = "".join(f"s{i},Name {i},m{i}@x\n" for i in range(rows))
    (folder / "r.csv").write_text("student,name,email\n" + lines, encoding="utf-8")
    return [*_handed(folder, 1), "--roster", str(folder / "r.csv")]


def _archive(folder: Path, files: int) -> Made:
    import zipfile

    with zipfile.ZipFile(folder / "class.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(files):
            archive.writestr(f"ann/{i}.txt", "x")
        archive.writestr("ann/77.ipynb", _book([_cell("total = 1")]))
    return ["!grade", str(folder / "class.zip"), str(folder / "out")]


SLOWER = "slower in proportion"
GROWING = (
    Growing("queries of 100 documents", 50, lambda f, n: _run(f, n, 100), SLOWER),
    Growing("documents of one query, of 20", 100, lambda f, n: _run(f, 20, n), SLOWER),
    Growing("letters of an id", 8, lambda f, n: _run(f, 20, 50, n), "refused above `max_line`"),
    Growing("different grades", 4, lambda f, n: _run(f, 5, 2_000, 1, n), SLOWER),
    Growing("measures in a call", 5, _measures, SLOWER),
    Growing("rows of a CSV file", 1_000, _csv, SLOWER),
    Growing("queries of a JSON file", 50, _json, "slower in proportion; it is read whole"),
    Growing(
        "levels within a JSON file", 2, _depth, "refused: a run has two; no file may have 1,000"
    ),
    Growing("rows of a table of scores", 50, _scores, SLOWER),
    Growing("baselines in a file", 10, _baselines, SLOWER),
    Growing("entries of a history", 30, _history, SLOWER),
    Growing("cells of a notebook", 20, lambda f, n: _handed(f, 1, n), "refused above 5,000"),
    Growing("students of a class", 10, _handed, SLOWER),
    Growing("rows of a roster", 30, _roster, SLOWER),
    Growing("files of an archive", 30, _archive, "refused above 20,000"),
)
