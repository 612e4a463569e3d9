"""Files of every format, made well and then spoilt."""

import gzip
import json
import os
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import zstandard

from tests.fuzz import oracle
from tests.fuzz.oracle import Run, Verdict, verdict
from tests.fuzz.trial import Trial

BLOCKS = (1, 5, 16, 64, 1 << 22)
_IDS = ("a", "b", "d1", "d10", "d2", "é", "中文", "x" * 40, "0", "-1", "1.0", "nan", "#d")
_SCORES = (
    "3",
    "2.5",
    "2.5",
    "-1",
    "0",
    "-0.0",
    "1e-3",
    "100000000",
    "100000001",
    "100000002",
    "0.1",
    ".5",
)
_GRADES = ("0", "1", "2", "3", "-1", "1", "0")
# What takes the place of a field.
NASTY = (
    "", "nan", "NaN(7)", "inf", "-Infinity", "1e400", "-1e400", "1e-400", "0x10", "0x1p-3", "0x",
    "1_000", "1,5", "1.2.3", "--1", "+1", "1e", "e1", ".", "-", "high", "true", "1.5", "2e1", "7.0",
    "\u00a0", "a\u00a0b", "\u0661", "\ufeff", "\u2028", "\x1c", "\x85", "#", "# #", '"', "'", "\\",
    "99999999999999999999", "0.1000000000000000055511151231257827", "16777217", "1e308", "1d3",
)  # fmt: skip


def made(rng: random.Random) -> tuple[list[list[str]], list[list[str]]]:
    """Rows of a run (query, document, score) and of judgments (query, document, grade)."""
    queries = rng.sample(["q1", "q2", "3", "é", "q10"], rng.randint(1, 3))
    run, qrels = [], []
    for query in queries:
        if rng.random() < 0.9:
            some = rng.sample(_IDS, rng.randint(1, 7))
            run += [[query, document, rng.choice(_SCORES)] for document in some]
        if rng.random() < 0.9:
            some = rng.sample(_IDS, rng.randint(1, 7))
            qrels += [[query, document, rng.choice(_GRADES)] for document in some]
    if rng.random() < 0.2:
        rng.shuffle(run)
    return run or [["q1", "a", "1"]], qrels or [["q1", "a", "1"]]


# -- mutations of bytes


def _at(rng: random.Random, raw: bytes) -> int:
    return rng.randrange(len(raw) + 1)


def _lines(change: Callable[[random.Random, list[bytes]], Any]) -> Callable[..., bytes]:
    def mutation(rng: random.Random, raw: bytes) -> bytes:
        lines = raw.split(b"\n")
        change(rng, lines)
        return b"\n".join(lines)

    return mutation


def _insert(rng: random.Random, lines: list[bytes]) -> None:
    odd = (
        b"",
        b"  ",
        b"\t",
        b"# comment",
        b"#",
        b"# a b c d",
        b"# a b c 5 e",
        b"one",
        b"\r",
        b"\x0c",
    )
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(odd))


def _twice(rng: random.Random, lines: list[bytes]) -> None:
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))


def _swapped(rng: random.Random, lines: list[bytes]) -> None:
    rng.shuffle(lines)


def _gone(rng: random.Random, lines: list[bytes]) -> None:
    del lines[rng.randrange(len(lines))]


def _field(rng: random.Random, lines: list[bytes]) -> None:
    i = rng.randrange(len(lines))
    separator = b"," if b"," in lines[i] else b" "
    words = lines[i].split(separator)
    words[rng.randrange(len(words))] = rng.choice(NASTY).encode()
    lines[i] = separator.join(words)


def _more(rng: random.Random, lines: list[bytes]) -> None:
    i = rng.randrange(len(lines))
    lines[i] += rng.choice((b" more", b" and more", b",x", b"\tx", b" ", b'"'))


def _blanks(rng: random.Random, raw: bytes) -> bytes:
    return raw.replace(b" ", rng.choice((b"\t", b"  ", b" \t", b"\x0b", b"\x0c ", b"\xc2\xa0")))


def _ends(rng: random.Random, raw: bytes) -> bytes:
    return raw.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b"\n ", b" \n", b"\n\r")))


def _byte(rng: random.Random, raw: bytes) -> bytes:
    i = _at(rng, raw)
    odd = rng.choice((0, 9, 10, 13, 32, 34, 35, 44, 46, 45, 0x80, 0xA0, 0xC3, 0xE9, 0xFF))
    return raw[:i] + bytes([odd]) + raw[i + rng.randrange(2) :]


def _cut(rng: random.Random, raw: bytes) -> bytes:
    return raw[: _at(rng, raw)]


def _encoded(rng: random.Random, raw: bytes) -> bytes:
    text = raw.decode("utf-8", errors="replace")
    return text.encode(rng.choice(("utf-8-sig", "latin-1", "utf-16", "cp1252")), errors="replace")


MUTATIONS = (
    _lines(_insert), _lines(_twice), _lines(_swapped), _lines(_gone), _lines(_field),
    _lines(_field), _lines(_more), _blanks, _ends, _byte, _byte, _cut, _encoded,
)  # fmt: skip


def mutated(rng: random.Random, raw: bytes) -> bytes:
    """The bytes after some mutations, often none; at times packed, and the packed bytes spoilt."""
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        raw = rng.choice(MUTATIONS)(rng, raw)
    if rng.random() < 0.15:
        pack = rng.choice((gzip.compress, zstandard.ZstdCompressor().compress))
        half = _at(rng, raw)
        raw = rng.choice((pack(raw), pack(raw[:half]) + pack(raw[half:])))
        if rng.random() < 0.4:
            raw = rng.choice((_byte, _cut))(rng, raw)
    return raw


# -- formats: how rows are written, and how the oracle reads them

_OPTIONS = (
    ("trec_eval", "trec_eval", 24), ("trec_eval_10", "trec_eval_10", 53),
    ("trec_eval", "strict", 24),
)  # fmt: skip


def _as_trec(rows: list[list[str]], rng: random.Random, *, run: bool) -> bytes:
    form = "{0} Q0 {1} {3} {2} tag" if run else "{0} 0 {1} {2}"
    text = "\n".join(form.format(*row, i) for i, row in enumerate(rows, 1))
    return text.encode() + rng.choice((b"\n", b""))


def _as_csv(rows: list[list[str]], rng: random.Random, *, run: bool) -> bytes:
    heads = [["query", "qid", "Topic"], ["document", "docno", " doc_id "], ["score", "sim"]]
    if not run:
        heads[2] = ["grade", "rel", "Label"]
    if run and rng.random() < 0.1:
        heads[2] = ["mystery", "bm25", "scores"]
    columns = [rng.choice(names) for names in heads]
    table = [columns, *rows]
    order = rng.choice(([0, 1, 2], [2, 1, 0], [1, 2, 0]))
    table = [[row[i] for i in order] for row in table]
    if rng.random() < 0.2:
        table = [
            [*row, more] for row, more in zip(table, ["note", *["x y"] * len(rows)], strict=True)
        ]
    return "\n".join(",".join(row) for row in table).encode() + rng.choice((b"\n", b""))


def _as_json(rows: list[list[str]], rng: random.Random, *, run: bool) -> bytes:  # noqa: ARG001
    held: dict[str, dict[str, float]] = {}
    for query, document, value in rows:
        held.setdefault(query, {})[document] = float(value)
    return json.dumps(held, ensure_ascii=rng.random() < 0.5, indent=rng.choice((None, 1))).encode()


def _read(
    raw: bytes, form: str, reading: str, *, run: bool, among: Any = None, skip: bool = False
) -> Run:
    if form == "json":
        return oracle.objects(raw, run=run)
    if form == "csv":
        return oracle.by_query(oracle.separated(raw, run=run, separator=","), among)
    return oracle.by_query(oracle.trec(raw, reading, run=run, skip=skip), among, skip=skip)


_WRITE = {"trec": _as_trec, "csv": _as_csv, "json": _as_json}


def of_files(rng: random.Random, folder: Path) -> Trial:
    """A run and judgments in files, of which one or both are spoilt."""
    rows = made(rng)
    by, reading, bits = rng.choice(_OPTIONS)
    forms = [rng.choice(("trec", "trec", "trec", "csv", "json")) for _ in rows]
    skip = forms == ["trec", "trec"] and rng.random() < 0.3
    raws, paths = [], []
    for name, form, lines in zip(("run", "qrels"), forms, rows, strict=True):
        raw = mutated(rng, _WRITE[form](lines, rng, run=name == "run"))
        raws.append(raw)
        paths.append(folder / f"{name}.{'txt' if form == 'trec' else form}")
        paths[-1].write_bytes(raw)

    def scores(k: int | None) -> oracle.Scores:
        qrels = _read(raws[1], forms[1], reading, run=False, skip=skip)
        run = _read(raws[0], forms[0], reading, run=True, among=qrels, skip=skip)
        if any(grade >= 2**53 for inner in qrels.values() for grade in inner.values()):
            raise oracle.Doubtful
        return oracle.ndcg(run, qrels, k, bits=bits)

    measures = {name: verdict(lambda k=k: scores(k)) for name, k in (("nDCG", None), ("nDCG@2", 2))}
    options: dict[str, Any] = {"conventions": by, "skip_bad": skip}
    if reading == "strict":
        options["reading"] = "strict"
    run: Any = paths[0]
    if forms[0] == "trec" and rng.random() < 0.1:
        run = partial(piped, raws[0])
    what = f"{forms} {reading} {'skip ' if skip else ''}{raws[0]!r:.600} {raws[1]!r:.600}"
    return Trial(what, run, paths[1], measures, options, rng.choice(BLOCKS))


def piped(raw: bytes) -> str:
    """A pipe that gives these bytes once, by its path; few enough that they stand in it."""
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as file:
        file.write(raw)
    return f"/dev/fd/{reader}"


def of_subtopics(rng: random.Random, folder: Path) -> Trial:
    """A run and judgments by subtopic, of which the judgments are spoilt."""
    run, qrels = made(rng)
    lines = [f"{query} {rng.choice('AB1')} {document} {grade}" for query, document, grade in qrels]
    raws = _as_trec(run, rng, run=True), mutated(rng, "\n".join(dict.fromkeys(lines)).encode())
    paths = folder / "run.txt", folder / "qrels.txt"
    for path, raw in zip(paths, raws, strict=True):
        path.write_bytes(raw)

    def scores() -> oracle.Scores:
        held = oracle.by_query(oracle.trec(raws[0], "trec_eval", run=True))
        return oracle.subtopic_recall(held, raws[1], 2)

    found: Verdict = verdict(scores)
    what = f"subtopics {raws[0]!r:.400} {raws[1]!r:.600}"
    return Trial(what, *paths, {"S-recall@2": found}, {}, rng.choice(BLOCKS))
