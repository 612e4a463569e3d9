# ruff: noqa: E501 -- one input a line
"""Inputs of at most 1 MB, made so that reading them takes as long, or as much memory, as it can.

Each function writes files into a folder and says which calls read them: the arguments of a command,
or `!` and the name of a function in tests/limits/readers.py with its arguments.
"""

import bz2
import gzip
import io
import json
import lzma
import random
import shutil
import string
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Calls = list[list[str]]
MOST = 1 << 20  # bytes of all files of one input
SOLVED = "class"  # the folder of the class that the inputs of the grader are put into
HOSTILE: dict[str, Callable[[Path], Calls]] = {}


def hostile(make: Callable[[Path], Calls]) -> Callable[[Path], Calls]:
    """Enter an input."""
    HOSTILE[make.__name__] = make
    return make


def _put(folder: Path, name: str, content: str | bytes) -> str:
    """Write a file, cut to 1 MB less what the small ones beside it need."""
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    assert len(raw) <= MOST, f"{name}: {len(raw):,} bytes"
    (folder / name).write_bytes(raw)
    return str(folder / name)


def _twin(path: str) -> str:
    """The same file once more: one that is given twice is refused before it is read."""
    original = Path(path)
    twin = original.with_stem(f"{original.stem}-again")
    shutil.copyfile(original, twin)
    return str(twin)


def _lines(line: Callable[[int], str], most: int = MOST) -> str:
    """As many lines as there is room for."""
    kept, size, number = [], 0, 0
    while True:
        one = line(number) + "\n"
        size += len(one.encode())
        if size > most:
            return "".join(kept)
        kept.append(one)
        number += 1


def _filled(begin: str, part: Callable[[int], str], end: str, between: str = ",") -> str:
    """A text of as many parts as there is room for."""
    kept, size, number = [], len(begin.encode()) + len(end.encode()), 0
    while True:
        one = part(number)
        size += len((one + between).encode())
        if size > MOST:
            return begin + between.join(kept) + end
        kept.append(one)
        number += 1


def _nested(opening: str, closing: str, inside: str = "") -> str:
    depth = (MOST - len(inside.encode())) // (len(opening) + len(closing))
    return opening * depth + inside + closing * depth


def _small(folder: Path) -> tuple[str, str]:
    """A run and judgments of two queries."""
    qrels = _put(folder, "small.qrels", "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n")
    run = _put(folder, "small.run", "q1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 1.0 t\nq2 Q0 d1 1 1.0 t\n")
    return qrels, run


def _scored(qrels: str, run: str, *more: str, measures: str = "nDCG@10 AP RR bpref") -> list[str]:
    return ["evaluate", qrels, run, "-m", measures, *more]


ALL_OF_IT = "nDCG@10 nDCG AP RR P@10 R@100 Rprec bpref RBP infAP AUC Q-measure ERR@20 R-prec"


# -- runs and judgments of TREC


@hostile
def one_query_of_tied_documents(folder: Path) -> Calls:
    """All documents of one query share a score, and half are judged."""
    run = _put(folder, "run", _lines(lambda i: f"q Q0 d{i} 1 1 t"))
    qrels = _put(folder, "qrels", _lines(lambda i: f"q 0 d{i * 2} {i % 4}", MOST // 2))
    calls = [
        _scored(qrels, run, "--ties", ties)
        for ties in ("docid", "averaged", "optimistic", "pessimistic", "given")
    ]
    calls.append(["explain", "AP", "--run", run, "--qrels", qrels, "--query", "q"])
    calls.append(["explain", "nDCG", "--run", run, "--qrels", qrels, "--query", "q"])
    calls.append(["diagnose", "AP", "--run", run, "--qrels", qrels, "--value", "0.123"])
    calls.append(["compare", qrels, run, _twin(run), "-m", "AP RR", "--details"])
    return calls


@hostile
def as_many_queries_as_fit(folder: Path) -> Calls:
    """One document each."""
    run = _put(folder, "run", _lines(lambda i: f"{i:x} 0 d 1 1 t"))
    qrels = _put(folder, "qrels", _lines(lambda i: f"{i:x} 0 d 1"))
    return [
        _scored(qrels, run, "--summary"),
        _scored(qrels, run, "--per-query", "--format", "html"),
        _scored(qrels, run, "--per-query", "--format", "json"),
        ["compare", qrels, run, _twin(run), "-m", "AP RR", "--details"],
        ["compare", qrels, run, _twin(run), "-m", "AP RR", "--details", "--format", "html"],
        ["diagnose", "RR", "--run", run, "--qrels", qrels, "--value", "0.5"],
        ["reconcile", "RR", "--run", run, "--qrels", qrels, "--values", "0.7", "0.6"],
        ["judgments", "unjudged", run, "--judged", qrels, "-o", str(folder / "work.csv")],
        ["judgments", "lint", qrels],
        ["judgments", "agreement", qrels, _twin(qrels)],
    ]


@hostile
def queries_that_take_turns(folder: Path) -> Calls:
    """No two lines of a query stand together."""
    run = _put(folder, "run", _lines(lambda i: f"q{i % 1009} Q0 d{i} 1 {i % 7} t"))
    qrels = _put(folder, "qrels", _lines(lambda i: f"q{i % 1013} 0 d{i} {i % 3}"))
    return [_scored(qrels, run, "--per-query"), ["judgments", "lint", qrels]]


@hostile
def one_line_alone(folder: Path) -> Calls:
    """An id of 1 MB, in each place."""
    qrels, run = _small(folder)
    calls = []
    for name, line in (
        ("query", "{} Q0 d1 1 2.0 t\n"),
        ("document", "q1 Q0 {} 1 2.0 t\n"),
        ("score", "q1 Q0 d1 1 {} t\n"),
        ("tag", "q1 Q0 d1 1 2.0 {}\n"),
        ("more", "q1 Q0 d1 1 2.0 t {}\n"),
    ):
        path = _put(folder, name, line.format("9" * (MOST - 40)))
        calls += [_scored(qrels, path), _scored(path, run), ["judgments", "lint", path]]
    return calls


@hostile
def blanks_alone(folder: Path) -> Calls:
    """Lines of blanks, and one line of blanks."""
    qrels, run = _small(folder)
    calls = []
    for name, text in (
        ("ends", "\n" * MOST),
        ("blanks", " " * MOST),
        ("both", " \n" * (MOST // 2)),
        ("returns", "\r" * MOST),
        ("zeros", "\0" * MOST),
        ("hashes", "#\n" * (MOST // 2)),
        ("wide", "q1" + " " * (MOST - 100) + "Q0 d1 1 2.0 t\n"),
    ):
        path = _put(folder, name, text)
        calls += [_scored(qrels, path), _scored(path, run), _scored(qrels, path, "--skip-bad")]
    return calls


@hostile
def malformed_lines_alone(folder: Path) -> Calls:
    """Each of them is counted."""
    qrels, run = _small(folder)
    two = _put(folder, "two", _lines(lambda i: f"{i} x"))
    words = _put(folder, "words", _lines(lambda i: f"q{i} Q0 d 1 high t"))
    bad = _put(folder, "bad", b"q1 Q0 \xff\xfe 1 2 t\n" * 50_000)
    twice = _put(folder, "twice", "q1 Q0 d1 1 2 t\n" * 60_000)
    calls = []
    for path in (two, words, bad, twice):
        calls += [_scored(qrels, path), _scored(path, run), _scored(qrels, path, "--skip-bad")]
        calls.append(["judgments", "lint", path])
    return calls


@hostile
def numbers_of_every_length(folder: Path) -> Calls:
    """Digits, exponents and notations that a number may have."""
    qrels, run = _small(folder)
    chance = random.Random(1)
    odd = (
        *("9" * n for n in (19, 20, 399, 4299, 4301, 100_000)),
        *("1e" + "9" * n for n in (2, 5, 4300, 100_000)),
        *("0." + "0" * n + "1" for n in (300, 5_000, 100_000)),
        *("0x" + "f" * n for n in (20, 5_000, 100_000)),
        "nan(" + "x" * 100_000 + ")",
    )
    calls = []
    for number, text in enumerate(odd):
        path = _put(folder, f"one{number}", f"q1 Q0 d1 1 {text} t\n")
        judged = _put(folder, f"judged{number}", f"q1 0 d1 {text}\n")
        calls += [_scored(qrels, path), _scored(judged, run)]
    path = _put(
        folder,
        "many",
        _lines(lambda i: f"q1 Q0 d{i} 1 {'1' * chance.randrange(1, 390)}.{i}e-{i % 400} t"),
    )
    hexes = _put(folder, "hexes", _lines(lambda i: f"q1 Q0 d{i} 1 0x{i:x}p-{i % 99} t"))
    return [*calls, _scored(qrels, path), _scored(qrels, hexes)]


@hostile
def grades_of_every_size(folder: Path) -> Calls:
    """As many grades as judgments, up to the largest."""
    _, run = _small(folder)
    many = _put(folder, "many", _lines(lambda i: f"q1 0 d{i} {i}"))
    large = _put(folder, "large", _lines(lambda i: f"q1 0 d{i} {2**62 - i}"))
    negative = _put(folder, "negative", _lines(lambda i: f"q1 0 d{i} -{i}"))
    ranked = _put(folder, "ranked", _lines(lambda i: f"q1 Q0 d{i} 1 {i % 100} t"))
    calls = []
    for path in (many, large, negative):
        calls += [_scored(path, r) for r in (run, ranked)]
        calls += [
            _scored(path, ranked, measures="ERR nDCG(gain=exp) nDCG@5 AP(ties=averaged)"),
            _scored(path, ranked, measures="Q-measure"),
            _scored(path, ranked, measures="AUC"),
            ["judgments", "lint", path],
            ["judgments", "agreement", path, _twin(path)],
            ["diagnose", "nDCG@10", "--run", ranked, "--qrels", path, "--value", "0.2"],
        ]
    return calls


@hostile
def ids_of_odd_letters(folder: Path) -> Calls:
    """Marks upon marks, letters that grow when they are put in a normal form, and bidirectional."""
    texts = {
        "marks": "a" + "\u0301\u0323" * 200,
        "grows": "\ufdfa" * 300,
        "sharp": "\u0130\u00df\ufb03" * 100,
        "bidi": "\u202e\u2066\u200f" * 100,
        "emoji": "\U0001f468\u200d\U0001f469" * 60,
    }
    calls = []
    for name, text in texts.items():
        run = _put(folder, name, _lines(lambda i, t=text: f"q{i % 3} Q0 {t}{i} 1 {i} t", MOST // 2))
        qrels = _put(
            folder, f"{name}.q", _lines(lambda i, t=text: f"q{i % 5} 0 {t}{i} 1", MOST // 2)
        )
        other = _put(folder, f"{name}.o", _lines(lambda i, t=text: f"{t}{i} Q0 d 1 1 t", MOST // 2))
        calls += [
            _scored(qrels, run, "--per-query"),
            _scored(qrels, other, "--per-query"),
            ["judgments", "lint", qrels],
            ["judgments", "unjudged", run, "--judged", qrels, "-o", str(folder / "work.csv")],
        ]
    return calls


@hostile
def ids_that_share_their_beginning(folder: Path) -> Calls:
    """Long ids that differ in their last letters alone."""
    same = "x" * 900
    run = _put(folder, "run", _lines(lambda i: f"q Q0 {same}{i} 1 {i} t"))
    qrels = _put(folder, "qrels", _lines(lambda i: f"q 0 {same}{i} 1"))
    queries = _put(folder, "queries", _lines(lambda i: f"{same}{i} Q0 d 1 {i} t"))
    wanted = _put(folder, "wanted", _lines(lambda i: f"{same}x{i} 0 d 1"))
    one = _put(
        folder,
        "one",
        f"q Q0 {'y' * 900_000} 1 1 t\n" + _lines(lambda i: f"q Q0 d{i} 1 {i} t", 90_000),
    )
    return [
        _scored(qrels, run),
        _scored(wanted, queries),
        _scored(qrels, one),
        ["judgments", "lint", qrels, "--queries", qrels],
    ]


# -- packed files


def _packs() -> dict[str, Callable[[bytes], bytes]]:
    import zstandard

    return {
        "gz": gzip.compress,
        "bz2": bz2.compress,
        "xz": lzma.compress,
        "zst": zstandard.ZstdCompressor(level=19).compress,
    }


@hostile
def packed_files(folder: Path) -> Calls:
    """Files that unpack to a hundred times their size and more."""
    qrels, run = _small(folder)
    big = {
        "zeros": b"\0" * (300 << 20),
        "lines": b"q1 Q0 d1 1 2 t\n" * (20 << 20),
        "blank": b"\n" * (300 << 20),
    }
    calls = []
    for kind, text in big.items():
        for ending, pack in _packs().items():
            if kind != "zeros" and ending in ("xz", "bz2"):
                continue  # slow to make
            raw = pack(text)
            path = _put(folder, f"{kind}.{ending}", raw[:MOST])
            calls += [_scored(qrels, path), _scored(path, run)]
    return calls


@hostile
def packed_as_far_as_it_may_be(folder: Path) -> Calls:
    """Unpacked nearly so much that it would be refused, and all of it is read."""
    qrels, run = _small(folder)
    chance = random.Random(2)
    lines = "".join(f"q{i % 50} Q0 d{i} 1 {i % 97} t\n" for i in range(2_900_000)).encode()
    raw = gzip.compress(lines[: 62 << 20], 9)
    calls = []
    if len(raw) > MOST:
        word = chance.choice(string.ascii_letters)
        lines = "".join(
            f"q{i >> 16} Q0 {word * (i & 1023)}{i >> 10} 1 1 t\n" for i in range(90_000)
        )
        raw = gzip.compress(lines.encode()[: 62 << 20], 9)
    path = _put(folder, "run.gz", raw[:MOST])
    return [*calls, _scored(qrels, path), _scored(path, run)]


@hostile
def packed_in_many_parts(folder: Path) -> Calls:
    """A file of thousands of packed parts, most of them empty."""
    qrels, run = _small(folder)
    calls = []
    for ending, pack in _packs().items():
        empty, line = pack(b""), pack(b"q1 Q0 d1 1 2 t\n")
        raw = line + empty * ((MOST - len(line)) // len(empty))
        path = _put(folder, f"run.{ending}", raw)
        calls += [_scored(qrels, path), _scored(path, run)]
    return calls


# -- CSV, TSV


@hostile
def tables_with_quotes(folder: Path) -> Calls:
    """Open quotes, doubled quotes, a million columns, one cell of 1 MB."""
    qrels, run = _small(folder)
    head = "query,document,score\n"
    texts = {
        "open": head + '"' + "x\n" * (MOST // 2 - 20),
        "doubled": head + 'q1,"' + '""' * (MOST // 2 - 30) + '",1\n',
        "quotes": head + '"' * (MOST - 30),
        "columns": ",".join(f"{i:x}" for i in range(150_000)) + "\n",
        "commas": head + "," * (MOST - 30),
        "same": ",".join(["query"] * 170_000) + "\n",
        "empty": head + '"","",""\n' * 100_000,
        "newlines": head + "".join(f'"q\n{i}",d,1\n' for i in range(60_000)),
        "cell": head + f"q1,{'d' * (MOST - 40)},1\n",
        "short": head + "q\n" * 500_000,
    }
    calls = []
    for name, text in texts.items():
        for ending in ("csv", "tsv"):
            mine = text.replace(",", "\t") if ending == "tsv" else text
            path = _put(folder, f"{name}.{ending}", mine)
            judged = _put(folder, f"{name}.q.{ending}", mine.replace("score", "grade", 1))
            calls += [
                _scored(qrels, path),
                _scored(judged, run),
                _scored(qrels, path, "--skip-bad"),
            ]
    return calls


@hostile
def tables_of_many_rows(folder: Path) -> Calls:
    """As many rows as fit, in each way."""
    rows = _lines(lambda i: f"q{i % 7},d{i},{i % 3}", MOST - 30)
    run = _put(folder, "run.csv", "query,document,score\n" + rows)
    ranks = _put(folder, "ranks.csv", "query,document,rank\n" + rows)
    none = _put(folder, "none.csv", "query,document,note\n" + rows)
    qrels = _put(folder, "qrels.csv", "query,document,grade\n" + rows)
    subtopics = _put(
        folder,
        "subtopics.csv",
        "query,subtopic,document,grade\n" + _lines(lambda i: f"q,{i % 500},d{i},1", MOST - 40),
    )
    calls = [_scored(qrels, path) for path in (run, ranks, none)]
    calls += [_scored(subtopics, run, measures=m) for m in ("alpha-nDCG@20", "ERR-IA", "S-recall")]
    groups = _put(folder, "groups.csv", "query,group\n" + _lines(lambda i: f"q{i},g{i}", MOST - 40))
    weights = _put(
        folder, "weights.csv", "query,weight\n" + _lines(lambda i: f"q{i},{i + 1}", MOST - 40)
    )
    calls += [_scored(qrels, run, "--groups", groups), _scored(qrels, run, "--weights", weights)]
    return calls


# -- JSON


@hostile
def json_nested_deep(folder: Path) -> Calls:
    """Brackets and braces as deep as fit, in each reader of JSON."""
    qrels, run = _small(folder)
    texts = {
        "lists": _nested("[", "]"),
        "open": "[" * MOST,
        "objects": _nested('{"a":', "}", "1"),
        "inside": '{"q1":' + _nested("[", "]")[: MOST - 100].replace("]", "") + "}",
        "within": '{"q1": {"d1": ' + _nested("[", "]")[30:-30] + "}}",
        "deep990": '{"q1": {"d1": ' + "[" * 900 + "]" * 900 + "}}",
    }
    calls = []
    for name, text in texts.items():
        path = _put(folder, f"{name}.json", text)
        lines = _put(folder, f"{name}.jsonl", text + "\n" if len(text) < MOST else text)
        calls += [_scored(qrels, path), _scored(path, run), _scored(qrels, lines)]
        calls += _of_all_json(folder, path)
    return calls


def _of_all_json(folder: Path, path: str) -> Calls:
    """Every other reader of JSON."""
    qrels, run = _small(folder)
    return [
        ["compare", path, _twin(path), "--scores"],
        ["evaluate", qrels, run, "-m", "ARP@2", "--popularity", path],
        ["evaluate", qrels, run, "-m", "serendipity@2", "--expected", path],
        ["evaluate", qrels, run, "-m", "DCC@2", "--categories", path],
        ["baseline", "show", path],
        ["baseline", "diff", path, _twin(path)],
        ["baseline", "merge", path, path, path],
        ["baseline", "accept", path],
        ["history", path],
        ["report", "merge", path, "--to", str(folder / "out.html")],
        ["conformance", "check", path],
        ["judgments", "lint", qrels, "--documents", path],
        ["judgments", "agreement", path, _twin(path)],
        ["judgments", "merge", path, "-o", str(folder / "merged.csv")],
        ["!contexts", path],
        ["!claims", path],
        ["!accept", path, str(folder / "accepted")],
    ]


@hostile
def json_wide(folder: Path) -> Calls:
    """Keys, values and texts as many and as long as fit."""
    qrels, run = _small(folder)
    texts = {
        "keys": _filled("{", lambda i: f'"{i:x}":1', "}"),
        "queries": _filled("{", lambda i: f'"{i:x}":["d"]', "}"),
        "documents": _filled('{"q1":{', lambda i: f'"{i:x}":{i % 3}', "}}"),
        "list": _filled('{"q1":[', lambda i: f'"{i:x}"', "]}"),
        "lists": _filled("[", lambda _: "[]", "]"),
        "objects": _filled("[", lambda _: "{}", "]"),
        "text": '"' + "x" * (MOST - 2) + '"',
        "key": '{"' + "x" * (MOST - 10) + '":{}}',
        "escapes": '{"q1":["' + r"\u00e9" * 170_000 + '"]}',
        "digits": '{"q1":{"d1":' + "9" * (MOST - 30) + "}}",
        "exponent": '{"q1":{"d1":1e' + "9" * (MOST - 30) + "}}",
        "same": _filled('{"q1":{', lambda _: '"d":1', "}}"),
        "big": _filled('{"q1":{', lambda i: f'"{i}":1{"0" * 4000}', "}}"),
    }
    calls = []
    for name, text in texts.items():
        path = _put(folder, f"{name}.json", text)
        calls += [_scored(qrels, path), _scored(path, run)]
        calls += _of_all_json(folder, path)
    return calls


@hostile
def lines_of_json(folder: Path) -> Calls:
    """Lines that are empty objects, long ones, and ones with many keys."""
    qrels, run = _small(folder)
    row = '{{"query":"q{0}","document":"d{0}","score":1,"grade":1,"id":"{0}","text":"x"}}'
    texts = {
        "rows": _lines(row.format),
        "empty": "{}\n" * (MOST // 3),
        "lists": "[]\n" * (MOST // 3),
        "one": '{"id":"1","text":"' + "x" * (MOST - 40) + '"}\n',
        "keys": "{" + ",".join(f'"{i:x}":1' for i in range(100_000)) + "}\n",
        "differ": _lines(lambda i: f'{{"k{i}":1,"query":"q","document":"d{i}","score":1}}'),
    }
    calls = []
    for name, text in texts.items():
        path = _put(folder, f"{name}.jsonl", text)
        calls += [_scored(qrels, path), _scored(path, run)]
        calls += [
            ["judgments", "lint", qrels, "--documents", path, "--queries", path],
            ["history", path],
            ["!contexts", path],
        ]
    return calls


# -- Parquet and arrays


@hostile
def parquet_that_grows(folder: Path) -> Calls:
    """Files that are small and whose columns are not."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    qrels, run = _small(folder)
    many = 30_000_000
    columns = {
        "long": {"query": ["q1"], "document": ["d" * 100_000_000]},
        "many": {
            "query": pa.array(["q1"]).take(pa.array([0] * 5_000_000, pa.int32())),
            "document": pa.array(["d" * 40]).take(pa.array([0] * 5_000_000, pa.int32())),
        },
        "ints": {
            "query": pa.nulls(many, pa.int64()).fill_null(1),
            "document": pa.nulls(many, pa.int64()).fill_null(1),
        },
        "nulls": {"query": pa.nulls(many, pa.string()), "document": pa.nulls(many, pa.string())},
    }
    calls = []
    for name, held in columns.items():
        size = len(held["query"])
        for value in ("score", "grade"):
            numbers = pa.nulls(size, pa.float64()).fill_null(1.0)
            path = folder / f"{name}.{value}.parquet"
            pq.write_table(pa.table({**held, value: numbers}), path, compression="zstd")
            assert path.stat().st_size <= MOST
            calls.append(_scored(qrels, str(path)) if value == "score" else _scored(str(path), run))
    groups = folder / "groups.parquet"
    pq.write_table(pa.table({"query": ["q1"], "document": ["d1"], "score": [1.0]}), groups)
    wide = pa.table({f"c{i}": [1] for i in range(3_000)})
    pq.write_table(wide, folder / "wide.parquet")
    calls.append(_scored(qrels, str(folder / "wide.parquet")))
    rows = pa.table(
        {
            "query": ["q1"] * 3_000,
            "document": [str(i) for i in range(3_000)],
            "score": [1.0] * 3_000,
        }
    )
    pq.write_table(rows, folder / "rows.parquet", row_group_size=1, compression="zstd")
    if (folder / "rows.parquet").stat().st_size <= MOST:
        calls.append(_scored(qrels, str(folder / "rows.parquet")))
    spoilt = bytearray(groups.read_bytes())
    for at in range(0, len(spoilt), 7):
        copy = bytearray(spoilt)
        copy[at] ^= 0xFF
        if at % 49 == 0:
            calls.append(_scored(qrels, _put(folder, f"spoilt{at}.parquet", bytes(copy))))
    return calls


@hostile
def arrays_in_files(folder: Path) -> Calls:
    """Arrays whose head says more than there is."""
    import numpy as np

    qrels, _ = _small(folder)
    calls = []
    for number, shape in enumerate(("(1000000000000,)", "(100000,100000)", "()", "(1,)*9")):
        head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
        raw = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + b"\0" * 1000
        calls.append(_scored(qrels, _put(folder, f"a{number}.npy", raw)))
    packed = io.BytesIO()
    np.savez_compressed(packed, a=np.zeros(30_000_000))
    calls.append(_scored(qrels, _put(folder, "a.npz", packed.getvalue())))
    return calls


# -- what stands beside a run


@hostile
def files_beside_a_run(folder: Path) -> Calls:
    """Categories, popularity, catalogue, expected, ids, texts: as many as fit."""
    qrels, run = _small(folder)
    pairs = _put(folder, "pairs.txt", _lines(lambda i: f"d{i % 3}\t{i}"))
    items = _put(folder, "items.txt", _lines(lambda i: f"d{i}\tc"))
    ids = _put(folder, "ids.txt", _lines(lambda i: f"d{i}"))
    letter = _put(folder, "letter.txt", "x\n" * (MOST // 2))
    one = _put(folder, "one.txt", "x" * MOST)
    popular = _put(folder, "popular.json", _filled("{", lambda i: f'"d{i}":{i + 1}', "}"))
    expected = _put(folder, "expected.json", _filled('{"q1":[', lambda i: f'"d{i}"', "]}"))
    calls = []
    for path in (pairs, items, ids, letter, one):
        calls += [
            ["evaluate", qrels, run, "-m", "DCC@2", "--categories", path],
            ["evaluate", qrels, run, "-m", "catalogue_coverage@2", "--catalogue", path],
            ["evaluate", qrels, run, "-m", "RR", "--only", path],
            ["judgments", "lint", qrels, "--queries", path, "--documents", path],
        ]
    calls += [
        ["evaluate", qrels, run, "-m", "ARP@2", "--popularity", popular],
        ["evaluate", qrels, run, "-m", "personalisation@2", "--exposure", popular],
        ["evaluate", qrels, run, "-m", "serendipity@2", "--expected", expected],
    ]
    texts = _put(folder, "texts.tsv", _lines(lambda i: f"d{i}\tsome text of it"))
    long = _put(folder, "long.tsv", "d1\t" + "x" * (MOST - 10) + "\n")
    for path in (texts, long):
        told = ("--queries", path, "--documents", path)
        calls += [
            ["judgments", "lint", qrels, *told],
            ["judgments", "unjudged", run, *told, "-o", str(folder / "work.csv")],
        ]
    return calls


@hostile
def measures_over_similar_runs(folder: Path) -> Calls:
    """Measures that compare each with each."""
    run = _put(folder, "run", _lines(lambda i: f"q Q0 d{i} 1 {i * 7919 % 60013} t"))
    other = _put(folder, "other", _lines(lambda i: f"q Q0 d{i * 7 % 60013} 1 {i} t"))
    qrels = _put(folder, "qrels", _lines(lambda i: f"q 0 d{i} {i % 5}"))
    turned = _put(
        folder, "turned", _lines(lambda i: f"q{i % 300} Q0 d{i // 300} 1 {i * 31 % 997} t")
    )
    calls = [
        ["evaluate", qrels, run, "-m", m, "--other", other]
        for m in ("RBO", "tau", "tau_b", "AP-correlation", "kendall_tau")
    ]
    pairs = _put(folder, "pairs.txt", _lines(lambda i: f"d{i}\tc{i % 50}"))
    calls += [
        ["evaluate", qrels, path, "-m", m, *more]
        for path in (run, turned)
        for m, *more in (
            ("DCC", "--categories", pairs),
            ("CC", "--categories", pairs),
            ("ILD", "--categories", pairs),
            ("AUC",),
            ("bpref",),
            ("infAP",),
            ("RBP",),
            ("PR_AUC",),
            ("nDCG(ties=averaged)",),
            ("AP(ties=averaged)",),
        )
    ]
    return calls


@hostile
def subtopics(folder: Path) -> Calls:
    """Documents of many subtopics, and subtopics of many documents."""
    run = _put(folder, "run", _lines(lambda i: f"q Q0 d{i} 1 {-i} t"))
    texts = {
        "same": _lines(lambda i: f"q {i % 300} d{i // 300} 1"),
        "each": _lines(lambda i: f"q {i} d{i} 1"),
        "one": _lines(lambda i: f"q 1 d{i} 1"),
        "pairs": _lines(lambda i: f"q {i // 2 % 40 + i % 2} d{i // 2} 1"),
        "shared": _lines(lambda i: f"1 {0 if i % 2 else -i} {i // 2} 1"),
        "halves": _lines(lambda i: f"1 {0 if i % 2 else -i // 4} {i // 2} 1"),
        "unlike": _lines(lambda i: f"1 {i} {i} .{i * 7919 % 99991:05}"),
        "faded": _lines(lambda i: f"1 {0 if i % 2 else -i} {i // 2} .{i * 7919 % 99991:05}"),
    }
    calls = []
    for name, text in texts.items():
        qrels = _put(folder, name, text)
        calls += [
            ["evaluate", qrels, run, "-m", m]
            for m in (
                "alpha-nDCG@20",
                "alpha-nDCG",
                "alpha-nDCG(ideal=exact)@20",
                "alpha-nDCG(ideal=exact)",
                "ERR-IA",
                "S-recall@20",
                "AP-IA",
                "NRBP",
                "P-IA@20",
                "MAP-IA",
            )
        ]
    return calls


# -- what people write: names of measures, conventions


def _word_calls(words: Iterable[str], qrels: str, run: str) -> Calls:
    calls: Calls = []
    for word in words:
        calls += [
            _scored(qrels, run, measures=word),
            ["metrics", word],
            ["explain", word, "--relevance", "1,0,2"],
            ["diagnose", word, "--relevance", "1,0,2", "--value", "0.5"],
        ]
    return calls


@hostile
def names_of_measures(folder: Path) -> Calls:
    """Cut-offs, options and names that nobody would write; arguments of at most 100,000 letters."""
    qrels, run = _small(folder)
    nine = "9" * 100_000
    words = [
        "nDCG@999999999", "nDCG@" + "9" * 18, "nDCG@" + nine, "nDCG@1e9", "RBP(p=0.999999999999)",
        "RBP(p=1e-300)", f"RBP(p={nine})", f"RBP(p=0.{nine})", "ERR(max_grade=999999999)",
        "nDCG(" * 10_000, "nDCG" + "(" * 50_000 + ")" * 50_000, "nDCG(gain=" * 5_000,
        "nDCG(" + "gain=exp," * 10_000 + ")", "nDCG@" * 20_000, "a" * 100_000, "," * 100_000,
        " ".join(["nDCG@10"] * 10_000), " ".join(f"P@{i}" for i in range(1, 10_000)),
        "alpha-nDCG(alpha=0.5,ideal=exact)@999999", "AP(rel=99999999999999999999)@5",
        "P@1000000", "R@999999999999", "infAP@5", "nDCG(gain=" + "((" * 20_000, "expected_search_length@9999999",
        "nERR@999999999", "RBO@999999999", "U@999999999", "INSQ@999999999", "INST(T=999999999)",
        "F(beta=1e308)@5", "F(beta=" + "1" * 5_000 + ")@5", "bpref@99999999", "Q-measure(beta=1e400)",
    ]  # fmt: skip
    return _word_calls(words, qrels, run)


@hostile
def relevance_on_the_command_line(folder: Path) -> Calls:
    """Grades of one ranking as long as a system takes them, and numbers of any size."""
    many = ",".join(str(i % 4) for i in range(40_000))
    calls: Calls = []
    for metric in ("nDCG@10", "AP", "RR", "ERR", "RBP", "Q-measure", "bpref"):
        calls += [
            ["explain", metric, "--relevance", many],
            ["diagnose", metric, "--relevance", many, "--value", "0.5"],
        ]
    calls += [
        ["explain", "nDCG", "--relevance", ",".join(["9" * 4000] * 20)],
        ["explain", "nDCG(gain=exp)", "--relevance", "999999999,1"],
        ["explain", "ERR", "--relevance", "999999999,1"],
        ["explain", "nDCG", "--relevance", "1e400,1"],
        ["diagnose", "nDCG@10", "--relevance", "3,2", "--value", "9" * 5_000],
        ["diagnose", "nDCG@10", "--relevance", "3,2", "--value", "1e999999999"],
        ["diagnose", "nDCG@10", "--relevance", "3,2", "--value", "0." + "3" * 100_000],
        ["diagnose", "nDCG@10", "--relevance", "3,2", "--unretrieved", many, "--value", "0.3"],
        ["evaluate", *_small(folder), "-m", "RR", "--digits", "9" * 5_000],
        ["evaluate", *_small(folder), "-m", "RR", "--conventions", "x" * 100_000],
        ["evaluate", *_small(folder), "-m", "RR", "--ties", "x" * 100_000],
        ["evaluate", *_small(folder), "-m", "RR", "--columns", "x=query," * 10_000],
    ]
    return calls


# -- scores of others, lists, claims


@hostile
def tables_of_scores(folder: Path) -> Calls:
    """As many queries, as many measures, long names."""
    texts = {
        "rows.csv": "query,measure,value\n" + _lines(lambda i: f"q{i},m,0.5", MOST - 40),
        "measures.csv": "query,measure,value\n" + _lines(lambda i: f"q{i % 3},m{i},0.5", MOST - 40),
        "wide.csv": "query," + ",".join(f"m{i}" for i in range(60_000)) + "\nq1," + ",".join(["0.1"] * 60_000) + "\nq2," + ",".join(["1"] * 60_000) + "\n",
        "trec.eval": _lines(lambda i: f"map\tq{i}\t0.5"),
        "many.eval": _lines(lambda i: f"m{i}\tq{i % 2}\t0.5"),
        "long.eval": f"map\t{'q' * (MOST - 20)}\t0.5\n",
        "deepeval.json": _filled('{"testCases":[', lambda i: f'{{"input":"q{i}","metricsData":[{{"name":"F","score":0.5}}]}}', "]}"),
        "cases.json": _filled('{"testCases":[{"input":"q","metricsData":[', lambda i: f'{{"name":"m{i}","score":0.5}}', "]}]}"),
    }  # fmt: skip
    calls = []
    for name, text in texts.items():
        path = _put(folder, name, text)
        calls += [
            ["compare", path, _twin(path), "--scores"],
            ["compare", path, _twin(path), "--scores", "--details", "--format", "html"],
        ]
    return calls


@hostile
def filled_in_lists(folder: Path) -> Calls:
    """Labels of one person, of as many persons, and with long comments."""
    head = "query,document,grade,source,judge,when\n"
    room = MOST - len(head)
    texts = {
        "rows": _lines(lambda i: f"q{i % 9},d{i},1,person,A,2026-01-01", room),
        "judges": _lines(lambda i: f"q,d{i % 9},{i % 3},person,J{i},2026-01-01", room),
        "sources": _lines(lambda i: f"q,d{i % 9},{i % 3},s{i},A,2026-01-01", room),
        "grades": _lines(lambda i: f"q,d{i // 2},{i},s{i % 2},A,2026-01-01", room),
        "dates": _lines(lambda i: f"q,d{i},1,person,A,{'9' * 400}", room),
    }
    calls = []
    for name, text in texts.items():
        path = _put(folder, f"{name}.csv", head + text)
        calls += [
            ["judgments", "merge", path, "-o", str(folder / f"{name}.out.csv")],
            ["judgments", "agreement", path],
            ["judgments", "agreement", path, _twin(path)],
            ["judgments", "lint", path],
        ]
    return calls


@hostile
def stored_claims(folder: Path) -> Calls:
    """Logs in which the end of a list is looked for, and never comes."""
    logs = {
        "open": "Claims:\n[\n" + '    "x",\n' * 60_000,
        "heads": "Claims:\n[\n" * 80_000,
        "verdicts": 'Claims:\n[\n    "x"\n] \n \nVerdicts:\n' + "[" * 400_000,
        "blanks": "Claims:" + " \n" * 300_000 + "[",
        "quotes": 'Claims:\n[\n    "' + '\\"' * 200_000,
    }
    calls = []
    for name, log in logs.items():
        case = {"input": "q", "metricsData": [{"name": "Faithfulness", "verboseLogs": log}]}
        calls.append(
            ["!claims", _put(folder, f"{name}.json", json.dumps({"testCases": [case]})[:MOST])]
        )
    said = {
        "output": {"statements": [{"statement": "s", "verdict": 1}] * 20_000},
        "input": {"question": "q"},
    }
    row = {"metric_input": {"user_input": "q"}, "prompts": {"p": said}}
    calls.append(
        ["!claims", _put(folder, "ragas.json", json.dumps({"faithfulness": [row]})[:MOST])]
    )
    contexts = [
        {"question": f"q{i}", "contexts": ["x"] * 20, "reference": "x y z", "id": i}
        for i in range(5_000)
    ]
    calls.append(["!contexts", _put(folder, "rows.json", json.dumps(contexts)[:MOST])])
    text = "a " * 100_000
    one = [{"question": "q", "contexts": [text, text], "reference": text, "id": 1}]
    calls.append(["!contexts", _put(folder, "long.json", json.dumps(one))])
    many = [
        {
            "question": "q",
            "contexts": [f"c{i} b" for i in range(40_000)],
            "reference": "b c1",
            "id": 1,
        }
    ]
    calls.append(["!contexts", _put(folder, "many.json", json.dumps(many)[:MOST])])
    return calls


# -- gates


def _baseline(queries: dict[str, Any], means: dict[str, float], **more: Any) -> dict[str, Any]:
    from irmetrics_edu.gate.plugin import baseline_files

    entry = {
        "conventions": {"name": "irmetrics_edu"}, "judgments": "sha256:0", "means": means,
        "queries": queries, "depth": 2, "whole": True, "lacked": [], **more,
    }  # fmt: skip
    return {"format": baseline_files.FORMAT, "baselines": {"test_a.py::test_it": entry}}


@hostile
def baselines(folder: Path) -> Calls:
    """Queries, ids, measures and tests as many as fit."""
    from irmetrics_edu.gate.plugin import baseline_files

    some = {"q": [[0.5], ["d"]]}
    entry = _baseline(some, {"RR": 0.5})["baselines"]["test_a.py::test_it"]
    held = {
        "queries": _baseline({f"q{i}": [[0.5], ["a", "b"]] for i in range(30_000)}, {"RR": 0.5}),
        "ids": _baseline({"q": [[0.5], [f"d{i}" for i in range(70_000)]]}, {"RR": 0.5}),
        "means": _baseline(
            {"q": [[0.5] * 30_000, ["d"]]}, {f"P@{i + 1}": 0.5 for i in range(30_000)}
        ),
        "lacked": _baseline(some, {"RR": 0.5}, lacked=[f"q{i}" for i in range(60_000)]),
        "tests": {
            "format": baseline_files.FORMAT,
            "baselines": {f"t{i}.py::t": entry for i in range(3_500)},
        },
        "options": _baseline(some, {"RR": 0.5}, conventions={"name": "x" * 900_000}),
        "corpus": _baseline(some, {"RR": 0.5}, corpus="x" * 900_000),
        "number": _baseline({"q": [[0.5], [10**4000]]}, {"RR": 0.5}),
        "depth": _baseline(some, {"RR": 0.5}, depth=10**18),
    }
    calls = []
    for name, stored in held.items():
        text = json.dumps(stored)
        path = _put(folder, f"{name}.json", text)
        other = _put(folder, f"{name}.2.json", text.replace("0.5", "0.25"))
        for pair in ((path, path), (path, other)):
            calls.append(["baseline", "diff", *pair])
            calls.append(["baseline", "diff", *pair, "--format", "html"])
        calls += [
            ["baseline", "show", path],
            ["baseline", "merge", path, path, other],
            ["baseline", "rename", "test_a.py::test_it", "test_b.py::t", "--file", path],
        ]
    return calls


@hostile
def history_of_gates(folder: Path) -> Calls:
    """Commits, tests and measures as many as fit."""
    line = (
        '{{"commit":"{}","test":"{}","measure":"{}","verdict":"pass","score":0.5,"low":0.4,'
        '"high":0.6,"queries":3,"margin":0.1}}'
    )
    texts = {
        "commits": _lines(lambda i: line.format(f"c{i}", "t", "RR")),
        "tests": _lines(lambda i: line.format("c", f"t{i}", "RR")),
        "both": _lines(lambda i: line.format(f"c{i // 9}", f"t{i % 9}", "RR")),
        "long": line.format("c", "t" * 900_000, "RR") + "\n",
    }
    calls = []
    for name, text in texts.items():
        path = _put(folder, f"{name}.jsonl", text)
        calls += [["history", path], ["history", path, "--svg", str(folder / f"{name}.svg")]]
    return calls


@hostile
def reports(folder: Path) -> Calls:
    """Results, queries and messages as many as fit."""
    from irmetrics_edu.gate.plugin import session_report

    def result(**more: Any) -> dict[str, Any]:
        return {
            "test": "t", "measure": "RR", "verdict": "fail", "score": 0.5, "bounds": {"at_least": 0.7},
            "queries": 2, "per_query": {"q1": 0.5}, **more,
        }  # fmt: skip

    held = {
        "results": [result(test=f"t{i}") for i in range(6_000)],
        "queries": [result(per_query={f"q{i}": 0.5 for i in range(60_000)})],
        "text": [result(explanation="x\n" * 300_000)],
        "ticks": [result(explanation="`" * 900_000)],
        "stars": [result(explanation="*_" * 400_000)],
        "spans": [result(explanation="<" * 900_000, test="&" * 50_000)],
        "bounds": [result(bounds={f"b{i}": 1 for i in range(50_000)})],
        "groups": [result(groups=[{"group": f"g{i}", "verdict": "fail", "queries": 2, "score": 0.5, "baseline": 0.7} for i in range(10_000)])],
    }  # fmt: skip
    calls = []
    for name, results in held.items():
        report = {"format": session_report.FORMAT, "results": results, "stale_baselines": []}
        path = _put(folder, f"{name}.json", json.dumps(report))
        calls += [
            ["report", "merge", path, "--to", str(folder / f"{name}.out.{ending}")]
            for ending in ("html", "md", "json")
        ]
    return calls


@hostile
def results_of_programs(folder: Path) -> Calls:
    """Values of as many vectors as fit."""
    from irmetrics_edu.diagnosis.conformance.vectors import VERSION, cases

    stored = {"format": "irmetrics-edu/results", "version": VERSION, "program": "p", "claims": []}
    names = [case.id for case in list(cases())]
    held = {
        "unknown": {f"v{i}": 0.5 for i in range(60_000)},
        "wrong": dict.fromkeys(names, 0.123),
        "large": dict.fromkeys(names[:200], 10**4000),
    }
    calls = []
    for name, values in held.items():
        path = _put(folder, f"{name}.json", json.dumps({**stored, "results": values}))
        calls.append(["conformance", "check", path])
    claims = {**stored, "results": {names[0]: 1}, "claims": [f"c{i}" for i in range(80_000)]}
    calls.append(["conformance", "check", _put(folder, "claims.json", json.dumps(claims))])
    return calls


# -- learning


@hostile
def files_of_a_collection(folder: Path) -> Calls:
    """Records, questions and judgments of Cranfield as many as fit, and lines without an end."""
    text = ".I 1\n.W\n" + "words of a text\n" * 60_000
    files = {
        "records": (_lines(lambda i: f".I {i}\n.W\nt"), ".I 1\n.W\nq\n", "1 1 1\n"),
        "questions": (".I 1\n.W\nt\n", _lines(lambda i: f".I {i}\n.W\nq"), "1 1 1\n"),
        "judgments": (
            _lines(lambda i: f".I {i}\n.W\nt"),
            _lines(lambda i: f".I {i}\n.W\nq"),
            _lines(lambda i: f"{i % 9 + 1} {i % 40_000} 1"),
        ),
        "texts": (text, text, "1 1 1\n"),
        "marks": (".I " * (MOST // 3), ".W\n" * (MOST // 3), "1 " * (MOST // 2)),
        "blanks": (" " * MOST, "\n" * MOST, "\t" * MOST),
    }
    calls = []
    for name, contents in files.items():
        (folder / name).mkdir()
        for file, content in zip(("cran.all.1400", "cran.qry", "cranqrel"), contents, strict=True):
            _put(folder / name, file, content)
        calls.append(["!cranfield", str(folder / name)])
    return calls


@hostile
def features_and_ratings(folder: Path) -> Calls:
    """Features, users and items as many as fit, and numbers of features that nobody has."""
    texts = {
        "features": "1 qid:1 " + " ".join(f"{i}:1" for i in range(1, 110_000)) + "\n",
        "large": "1 qid:1 999999999:1\n0 qid:1 1:1\n",
        "huge": "1 qid:1 99999999999999999999:1\n",
        "rows": _lines(lambda i: f"{i % 3} qid:{i // 5} 1:{i % 7}"),
        "sparse": _lines(lambda i: f"1 qid:{i} {i + 1}:1"),
        "long": "1 qid:" + "9" * 900_000 + " 1:1\n",
    }
    calls = [["!letor", _put(folder, f"{name}.txt", text)] for name, text in texts.items()]
    ratings = {
        "ratings": "user,item,rating\n" + _lines(lambda i: f"u{i % 999},i{i},1", MOST - 40),
        "users": "user,item,rating\n" + _lines(lambda i: f"u{i},i{i},1", MOST - 40),
    }
    calls += [["!ratings", _put(folder, f"{name}.csv", text)] for name, text in ratings.items()]
    for name in ("train", "validation", "test", "category"):
        _put(folder, f"{name}.txt", _lines(lambda i: f"{i},{i}", MOST // 4))
    calls.append(["!interactions", str(folder)])
    _put(folder, "settings.toml", "x = " + "[" * 200_000 + "]" * 200_000)
    calls.append(
        ["study", "diversity", "--data", str(folder), "--settings", str(folder / "settings.toml")]
    )
    return calls


@hostile
def questions_of_a_quiz(folder: Path) -> Calls:
    """Tables of TOML: deep, long, and many."""
    question = '[[question]]\nchapter = "01"\ntext = "t{}"\n[[question.options]]\ntext = "a"\nright = true\nwhy = "w"\n'
    texts = {
        "deep": "x = " + "[" * 400_000 + "]" * 400_000,
        "dotted": "a" + ".a" * 400_000 + " = 1\n",
        "tables": _lines(lambda i: f"[t{i}]"),
        "quotes": 'x = """' + '"' * 2 + "x" * 900_000,
        "digits": "x = " + "9" * 900_000 + "\n",
        "many": "".join(question.format(i) for i in range(8_000)),
    }
    calls: Calls = []
    for name, text in texts.items():
        (folder / name).mkdir()
        _put(folder / name, "concepts.toml", text)
        calls.append(["!concepts", str(folder / name)])
    return calls


# -- the class


def _cell(source: str, kind: str = "code", **more: Any) -> dict[str, Any]:
    cell = {"cell_type": kind, "id": "c", "metadata": {}, "source": source}
    return {**cell, "outputs": [], "execution_count": None, **more} if kind == "code" else cell


def _book(cells: list[dict[str, Any]], **more: Any) -> str:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})


def notebooks_of_a_class() -> dict[str, str]:
    """Notebooks that nobody would write."""
    text = {"output_type": "stream", "name": "stdout"}
    deep = "x = " + "(" * 200_000 + ")" * 200_000
    return {
        "cells": _filled('{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[', lambda _: "{}", "]}"),
        "empty": _book([_cell("")] * 8_000),
        "few": _book([_cell("x = 1")] * 4_900),
        "one": _book([_cell("x" * 900_000)]),
        "outputs": _book([_cell("x", outputs=[{**text, "text": "y" * 900_000}])]),
        "many": _book([_cell("x", outputs=[{**text, "text": "y"}] * 15_000)]),
        "deep": _book([_cell(deep)]),
        "brackets": _nested("[", "]"),
        "metadata": '{"nbformat":4,"nbformat_minor":5,"cells":[],"metadata":' + _nested("[", "]")[100:-100] + "}",
        "lines": _book([_cell("x = 1\n" * 100_000)]),
        "lists": json.dumps({"cells": [{"cell_type": "code", "source": ["x\n"] * 150_000}], "nbformat": 4}),
        "defs": _book([_cell("".join(f"def f{i}(): return {i}\n" for i in range(20_000)))]),
        "sums": _book([_cell("x = " + "1+" * 200_000 + "1")]),
        "minus": _book([_cell("x = " + "-" * 400_000 + "1")]),
        "nots": _book([_cell("x = " + "not " * 100_000 + "1")]),
        "indents": _book([_cell("".join(" " * i + "if 1:\n" for i in range(1_200)))]),
        "strings": _book([_cell("'" * 900_001)]),
        "comments": _book([_cell("#" * 900_000)]),
        "markdown": _book([_cell("*" * 900_000, "markdown")]),
        "links": _book([_cell("[" * 900_000, "markdown")]),
        "names": _book([_cell(", ".join(f"n{i}" for i in range(60_000)) + " = range(60_000)")]),
        "fstring": _book([_cell("f'" + "{" * 100_000 + "'")]),
        "digits": _book([_cell("x = " + "9" * 900_000)]),
        "surrogates": '{"cells":[{"cell_type":"code","source":"' + r"\ud800" * 150_000 + '"}],"nbformat":4}',
        "ids": _book([_cell("x", id="i" * 900_000)]),
        "data": _book([_cell("#" + "A" * 900_000)]),
    }  # fmt: skip


@hostile
def notebooks(folder: Path) -> Calls:
    """Each is handed in by a student of its own class, as nothing is shared then."""
    calls = []
    for name, text in notebooks_of_a_class().items():
        handed = folder / name
        handed.mkdir()
        _put(handed, "ann.ipynb", text[:MOST] if len(text) > MOST else text)
        calls.append(["!grade", str(handed), str(folder / f"{name}.out")])
    return calls


@hostile
def notebooks_of_two_who_copied(folder: Path) -> Calls:
    """Code that is compared with the code of others."""
    calls = []
    for name, code in {
        "same": "x = a[i] + b[j]\n" * 20_000,
        "differ": "".join(f"x{i} = a[{i}] + b\n" for i in range(15_000)),
    }.items():
        handed = folder / name
        handed.mkdir()
        for student in ("ann", "bob", "cy"):
            _put(handed, f"{student}.ipynb", _book([_cell(code[: MOST // 4]), _cell("total = 1")]))
        calls.append(["!grade", str(handed), str(folder / f"{name}.out")])
    return calls


def archives_of_a_class() -> dict[str, bytes]:
    """Archives that unpack to much, or name what they don't hold."""

    def packed(entries: Iterable[tuple[str, bytes]], how: int = zipfile.ZIP_DEFLATED) -> bytes:
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", how) as archive:
            for name, content in entries:
                archive.writestr(name, content)
        return held.getvalue()

    large = packed([("ann/77.ipynb", b" " * (200 << 20))])
    inner = packed([("ann/77.ipynb", b"[" * (30 << 20))])
    found = {
        "spaces": large,
        "thirty": packed((f"s{i}/77.ipynb", b" " * (31 << 20)) for i in range(30)),
        "brackets": inner,
        "entries": packed(((f"{i:x}", b"") for i in range(9_500)), zipfile.ZIP_STORED),
        "notebooks": packed((f"s{i}/77.ipynb", b"{}") for i in range(1_000)),
        "nested": packed([("a.zip", packed([("b.zip", inner)]))]),
        "deep": packed([("a/" * 20_000 + "77.ipynb", b"{}")]),
        "names": packed(((("n" * 200) + f"{i}.ipynb", b"{}") for i in range(1_800)), zipfile.ZIP_STORED),
        "one": packed([(f"ann/{i}.ipynb", b"{}") for i in range(1_000)]),
        "garbage": b"PK\x03\x04" + b"\0" * 500_000,
        "ends": b"PK\x05\x06" * 250_000,
    }  # fmt: skip
    # Many entries that share one piece of packed bytes, as a known bomb has them.
    return {name: raw for name, raw in found.items() if len(raw) <= MOST} | {
        "overlap": _overlapping(packed([("ann/77.ipynb", b" " * (31 << 20))]), 6_000)
    }


def _overlapping(raw: bytes, times: int) -> bytes:
    """The archive of one entry, whose list names the entry so many times."""
    begin = raw.index(b"PK\x01\x02")
    end = raw.index(b"PK\x05\x06")
    entry, tail = raw[begin:end], raw[end:]
    listed = entry * times
    tail = (
        tail[:8] + times.to_bytes(2, "little") * 2 + len(listed).to_bytes(4, "little") + tail[16:]
    )
    return raw[:begin] + listed + tail


@hostile
def archives(folder: Path) -> Calls:
    """Each is handed to the grader."""
    calls = []
    for name, raw in archives_of_a_class().items():
        path = _put(folder, f"{name}.zip", raw)
        calls.append(["!grade", path, str(folder / f"{name}.out")])
    return calls


@hostile
def tables_of_a_class(folder: Path) -> Calls:
    """Rosters, deadlines, times, marks that change: as many rows as fit."""
    tables = {
        "roster": ("student,name,email\n", lambda i: f"s{i},Name {i},m{i}@x"),
        "groups": ("student,name,group\n", lambda i: f"s{i},N,g"),
        "names": ("student,name\n", lambda i: f"s{i},Ann Lee"),
        "late": ("exercise,rule,value,student\n", lambda i: f"77,deadline,2026-01-01,s{i}"),
        "times": ("student,exercise,time\n", lambda i: f"s{i},77,2026-01-01T10:00:00Z"),
        "dates": ("student,exercise,time\n", lambda i: f"ann,77,{'9' * 300}{i}"),
        "regrade": ("rule,exercise,question,value,comment\n", lambda i: f"points,77,dcg,{i},c"),
    }
    handed = folder / "handed"
    handed.mkdir()
    _put(handed, "ann.ipynb", _book([_cell("total = 1")]))
    calls = []
    for name, (head, row) in tables.items():
        path = _put(folder, f"{name}.csv", head + _lines(row, MOST - len(head)))
        option = {"groups": "roster", "names": "roster", "dates": "times"}.get(name, name)
        calls.append(["!grade", str(handed), str(folder / f"{name}.out"), f"--{option}", path])
    for name, text in (
        ("quote", 'student,name\n"' + "x\n" * 400_000),
        ("cell", "student,name\nann," + "x" * 900_000 + "\n"),
        ("columns", "student," + ",".join(f"c{i}" for i in range(100_000)) + "\n"),
    ):
        path = _put(folder, f"{name}.csv", text)
        calls.append(["!grade", str(handed), str(folder / f"{name}.out"), "--roster", path])
    return calls


@hostile
def folders_of_results(folder: Path) -> Calls:
    """What an earlier run wrote, and somebody changed."""
    from irmetrics_edu.classroom.marking.reviewing import marking_page

    row = {"student": "s", "exercise": "77", "status": "graded", "marks": "1", "out of": "2"}
    texts = {
        "rows": json.dumps([{**row, "student": f"s{i}"} for i in range(9_000)]),
        "digits": json.dumps([{**row, "marks": "9" * 900_000}]),
        "exponent": json.dumps([{**row, "marks": "1e999999999"}]),
        "fraction": json.dumps([{**row, "marks": "1/" + "7" * 900_000}]),
        "deep": _nested("[", "]"),
        "page": json.dumps({"format": marking_page.FORMAT, "version": 1, "marker": "m", "marks": {f"s{i}": {"q": 1} for i in range(40_000)}}),
    }  # fmt: skip
    calls = []
    for name, text in texts.items():
        (folder / name / "by-hand").mkdir(parents=True)
        _put(folder / name / "by-hand", "marking.html", "<html></html>")
        _put(folder / name, "marks.json", text)
        rules = _put(folder, f"{name}.csv", "rule,of,value\nweight,77,1\n")
        calls += [
            ["grade", "course", str(folder / name), "--out", str(folder / "c"), "--rules", rules],
            ["grade", "page", str(folder / name), "--out", str(folder / "page.html")],
            ["!saved", str(folder / name)],
        ]
    good = folder / "rows"
    rules = {
        "many": "rule,of,value\n" + _lines(lambda i: f"weight,{i},1", MOST - 40),
        "number": "rule,of,value\nweight,77,1e999999999\n",
        "digits": "rule,of,value\nweight,77," + "9" * 900_000 + "\n",
    }
    for name, text in rules.items():
        path = _put(folder, f"rules.{name}.csv", text)
        calls.append(["grade", "course", str(good), "--out", str(folder / "c2"), "--rules", path])
    return calls
