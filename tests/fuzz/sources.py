"""The same run and judgments from every source: one answer, or one refusal of an odd id.

Ids hold Unicode of every kind. What a source can't hold at all, such as a blank in a line of TREC,
is not written to it.
"""

import csv
import gzip
import io
import json
import random
import unicodedata
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from tests.fuzz.reading import Reading

MEASURES = "nDCG@3 AP RR"
# Letters that look like nothing or like others, by kind.
KINDS: dict[str, tuple[str, ...]] = {
    "marks of byte order": ("\ufeff", "\ufffe"),
    "combining letters": ("e\u0301", "\u00e9", "a\u030a", "\u0301", "\u1100\u1161", "\uac00"),
    "marks of direction": ("\u200f", "\u200e", "\u202e", "\u2066", "\u2069", "\u061c"),
    "invisible": ("\u200b", "\u200d", "\u00ad", "\u2060", "\u180e", "\U000e0041", "\ufe0f"),
    "controls": ("\x00", "\x01", "\x07", "\x08", "\x1b[31m", "\x7f", "\x80", "\x9b"),
    "blanks of Python": ("\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\u00a0", "\u2003", "\u2028",
                         "\u2029", "\u3000", "\u202f", "\u205f", "\u1680"),
    "blanks of C": (" ", "\t", "\v", "\f", "\r", "\n"),
    "digits": ("\u0661", "\uff11", "\u00b2", "0", "-1", "1.0", "1e3", "007"),
    "cases": ("\u0130", "\u00df", "\u1e9e", "\ufb01", "K", "\u212a"),
    "surrogates": ("\ud83d", "\udcff"),
    "beyond": ("\U0001f600", "\U0010ffff", "\ue000", "\ufffd", "\uffff"),
    "marks of formats": ('"', "'", ",", ";", "#", "=1+1", "@x", "|", "<b>", "&amp;", "\\", "{x}",
                         "%s", "$x$", "::error::", "NA", "null", "nan", "None", "true"),
}  # fmt: skip
_BLANKS_OF_C = set(" \t\n\v\f\r")
Row = tuple[str, str, float]
Rows = list[Row]


def _odd(rng: random.Random, plain: str) -> str:
    """An id with a letter of some kind in it: before, within, behind, or alone."""
    letter = rng.choice(KINDS[rng.choice(list(KINDS))])
    at = rng.choice((0, len(plain), len(plain) // 2))
    return letter if rng.random() < 0.1 else plain[:at] + letter + plain[at:]


def drawn(rng: random.Random) -> tuple[Rows, Rows]:
    """Rows of a run and of judgments; the first query is plain."""
    queries = ["q0", "q1", "q2"]
    documents = ["d0", "d1", "d2", "d3", "d4"]
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        ids = rng.choice((queries, documents))
        at = rng.randrange(1, len(ids))
        ids[at] = _odd(rng, ids[at])
    run: Rows = []
    judged: Rows = []
    scores = rng.choice(((3.0, 2.0, 1.0, 0.5, 0.25), (2.0, 2.0, 1.0, 1.0, 0.5)))
    for query in queries:
        if query == "q0" or rng.random() < 0.9:
            some = rng.sample(documents, rng.randint(1, 5))
            run += [(query, d, s) for d, s in zip(some, scores, strict=False)]
        if query == "q0" or rng.random() < 0.9:
            some = rng.sample(documents, rng.randint(1, 4))
            judged += [(query, d, float(rng.choice((0, 1, 1, 2)))) for d in some]
    return run, judged


# -- the sources: each gives what `evaluate` takes, or None where it can't hold the ids


def _mapping(rows: Rows, _: Path, value: str) -> Any:
    held: dict[str, dict[str, Any]] = {}
    for query, document, number in rows:
        held.setdefault(query, {})[document] = number if value == "score" else int(number)
    return held


def _is_text(rows: Rows) -> bool:
    """Whether all ids can be written as UTF-8."""
    with suppress(UnicodeEncodeError):
        "".join(word for row in rows for word in row[:2]).encode()
        return True
    return False


def _number(value: float, name: str) -> str:
    return f"{value}" if name == "score" else f"{value:.0f}"


def _trec(rows: Rows, path: Path, value: str) -> Any:
    words = [word for row in rows for word in row[:2]]
    if not _is_text(rows) or any(not word or set(word) & _BLANKS_OF_C for word in words):
        return None
    if value == "score":
        lines = [f"{q} Q0 {d} 1 {_number(v, value)} t\n" for q, d, v in rows]
    else:
        lines = [f"{q} 0 {d} {_number(v, value)}\n" for q, d, v in rows]
    path.write_bytes("".join(lines).encode())
    return path


def _packed(rows: Rows, path: Path, value: str) -> Any:
    found = _trec(rows, path, value)
    if found is not None:
        path.write_bytes(gzip.compress(path.read_bytes()))
    return found


def _separated(rows: Rows, path: Path, value: str, separator: str) -> Any:
    if not _is_text(rows):
        return None
    held = io.StringIO(newline="")
    table = csv.writer(held, delimiter=separator, lineterminator="\r\n")
    table.writerow(["query", "document", value])
    table.writerows([q, d, _number(v, value)] for q, d, v in rows)
    path.write_bytes(held.getvalue().encode())
    return path


def _csv(rows: Rows, path: Path, value: str) -> Any:
    return _separated(rows, path.with_suffix(".csv"), value, ",")


def _tsv(rows: Rows, path: Path, value: str) -> Any:
    return _separated(rows, path.with_suffix(".tsv"), value, "\t")


def _json(rows: Rows, path: Path, value: str) -> Any:
    path = path.with_suffix(".json")
    path.write_text(json.dumps(_mapping(rows, path, value)), encoding="utf-8")
    return path


def _raw_json(rows: Rows, path: Path, value: str) -> Any:
    if not _is_text(rows):
        return None
    path = path.with_suffix(".json")
    text = json.dumps(_mapping(rows, path, value), ensure_ascii=False)
    path.write_bytes(text.encode())
    return path


def _lines(rows: Rows, path: Path, value: str) -> Any:
    path = path.with_suffix(".jsonl")
    lines = [json.dumps({"query": q, "document": d, value: v}) for q, d, v in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _columns(rows: Rows, value: str) -> dict[str, list[Any]]:
    queries, documents, numbers = (list(column) for column in zip(*rows, strict=True))
    kept = numbers if value == "score" else [int(number) for number in numbers]
    return {"query": queries, "document": documents, value: kept}


def _pandas(rows: Rows, _: Path, value: str) -> Any:
    return pd.DataFrame(_columns(rows, value)) if _is_text(rows) else None


def _polars(rows: Rows, _: Path, value: str) -> Any:
    return pl.DataFrame(_columns(rows, value)) if _is_text(rows) else None


def _arrow(rows: Rows, _: Path, value: str) -> Any:
    return pa.table(_columns(rows, value)) if _is_text(rows) else None


def _parquet(rows: Rows, path: Path, value: str) -> Any:
    if not _is_text(rows):
        return None
    path = path.with_suffix(".parquet")
    pq.write_table(pa.table(_columns(rows, value)), path)
    return path


def _arrays(rows: Rows, folder: Path, value: str) -> Any:
    """Lists of ids as arrays, the best first: only where no score is there twice."""
    held = _mapping(rows, folder, value)
    if value != "score":
        return held
    found = {}
    for query, inner in held.items():
        if len(set(inner.values())) < len(inner) or any(d.endswith("\0") for d in inner):
            return None  # numpy takes zeros at the end for padding
        found[query] = np.array(sorted(inner, key=lambda d: -inner[d]))
    return found


SOURCES: dict[str, Callable[[Rows, Path, str], Any]] = {
    "mappings": _mapping,
    "TREC": _trec,
    "packed TREC": _packed,
    "CSV": _csv,
    "TSV": _tsv,
    "JSON": _json,
    "JSON as it is": _raw_json,
    "lines of JSON": _lines,
    "Parquet": _parquet,
    "pandas": _pandas,
    "polars": _polars,
    "Arrow": _arrow,
    "arrays": _arrays,
}


TABLES = frozenset({"CSV", "TSV", "Parquet", "pandas", "polars", "Arrow"})
OF_C = frozenset({"TREC", "packed TREC"})


def must_refuse(source: str, words: set[str]) -> bool:
    """Whether a source refuses such ids: zeros where C ends a text, and blanks at ends in cells."""
    if source in OF_C:
        return any("\0" in word for word in words)
    return source in TABLES and any(word != word.strip() or not word for word in words)


def misleads(text: str) -> str:
    """The letters of a text that nobody sees, or that turn what stands beside them."""
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return "".join(sorted({c for c in text if c != "\n" and unicodedata.category(c) in hidden}))


class SameData(Reading):
    """One run and its judgments, which are given by each source."""

    def __init__(self, run: Rows, judged: Rows, folder: Path) -> None:
        super().__init__(f"sources {run!r} {judged!r}", [])
        self.rows = [run, judged]
        self.folder = folder

    def wrong(self) -> tuple[str, str] | None:
        """A crash, another value, note or refusal than elsewhere, or a letter that misleads."""
        words = {word for rows in self.rows for row in rows for word in row[:2]}
        told: dict[str, Told] = {}
        for name in SOURCES:
            try:
                found = self._told(name)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001 -- a crash is looked for
                return "crash", f"{name}: {type(error).__name__}: {error}"[:600]
            if found is not None:
                told[name] = found
                if misleads(found.shown):
                    return "misleading", f"{name}: {misleads(found.shown)!a} in {found.shown!a}"
        refused = {name for name, one in told.items() if one.refusal}
        expected = {name for name in told if must_refuse(name, words)}
        if refused != expected and refused != told.keys():
            which = sorted(refused ^ expected)
            return "silence", f"refused by {sorted(refused)}, not as expected: {which}: {words!a}"
        return _differing({name: one for name, one in told.items() if not one.refusal})

    def _told(self, name: str) -> "Told | None":
        """What a source came to; None if it can't hold the ids."""
        places = ("run", "score"), ("qrels", "grade")
        given = [
            SOURCES[name](rows, self.folder / word, value)
            for rows, (word, value) in zip(self.rows, places, strict=True)
        ]
        if any(one is None for one in given):
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                e = evaluate(*given, MEASURES.split())
            except InputError as error:
                return Told(refusal=str(error), shown=str(error))
            shown = "\n".join([e.table().text(), *e.notes()])
            values = {measure: dict(scores) for measure, scores in e.per_query.items()}
            return Told(values, sorted(e.notes()), shown=shown)

    def minimised(self, folder: Path) -> None:
        """Take rows out while it ends as it did, and keep the rest as a file."""
        first = self.wrong()
        for rows in self.rows:
            for at in reversed(range(len(rows))):
                if len(rows) > 1:
                    row = rows.pop(at)
                    still = self.wrong()
                    if first is None or still is None or still[0] != first[0]:
                        rows.insert(at, row)
        (folder / "rows.txt").write_text(f"{self.rows!a}\n", encoding="ascii")


@dataclass
class Told:
    """What a source came to: values and notes, or a refusal; and all the text of it."""

    values: dict[str, dict[str, float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    refusal: str = ""
    shown: str = ""


def _differing(told: dict[str, Told]) -> tuple[str, str] | None:
    """Two sources that came to other values or notes."""
    for name, one in told.items():
        first_name, first = next(iter(told.items()))
        for what, here, there in (
            ("values", one.values, first.values),
            ("notes", one.notes, first.notes),
        ):
            if here != there:
                return "silence", f"{what} of {name} {here!a:.300}, of {first_name} {there!a:.300}"
    return None


def of_sources(rng: random.Random, folder: Path) -> SameData:
    """A run and judgments whose ids hold Unicode of every kind."""
    return SameData(*drawn(rng), folder)
