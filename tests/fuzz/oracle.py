"""The oracle: it reads with split and float, ranks with sorted, and sums in a loop.

It knows nothing of the package. What it says of an input is a verdict: the scores that are
allowed, and whether an error is.
"""

import csv
import gzip
import io
import json
import math
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import zstandard

Scores = dict[Any, float]
Run = dict[Any, dict[Any, float]]
Row = tuple[Any, Any, float]
_BLANKS = re.compile(rb"[ \t\n\v\f\r]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
_HEX = re.compile(
    r"[+-]?0x([0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(p[+-]?[0-9]+)?", re.IGNORECASE | re.ASCII
)
_LARGEST = 1.7976931348623157e308


@dataclass
class Verdict:
    """What may come of an input: one of the scores, or an error if it may be refused."""

    scores: list[Scores] = field(default_factory=list)
    refusable: bool = False
    anything: bool = False  # any score: only crashes are findings

    @property
    def must_refuse(self) -> bool:
        """Whether an error alone is right."""
        return not self.scores and not self.anything


class Refused(Exception):  # noqa: N818 -- it is the verdict
    """The input is no run or no judgments."""


class Doubtful(Exception):  # noqa: N818 -- it is the verdict
    """The input may be taken in more ways than are worth writing down."""


def verdict(work: Callable[[], Scores], *, refusable: bool = False) -> Verdict:
    """The verdict that a reading and scoring comes to."""
    try:
        return Verdict([work()], refusable)
    except Refused:
        return Verdict(refusable=True)
    except Doubtful:
        return Verdict(refusable=True, anything=True)


# -- bytes


def unpacked(raw: bytes) -> bytes:
    """What gzip or zstd packed; a broken archive is refused."""
    if raw[:2] == b"\x1f\x8b":
        try:
            return gzip.decompress(raw)
        except (OSError, EOFError, zlib.error):
            raise Refused from None
    out = b""
    if raw[:4] != b"\x28\xb5\x2f\xfd":
        return raw
    while raw:
        frame = zstandard.ZstdDecompressor().decompressobj()
        try:
            out += frame.decompress(raw)
        except zstandard.ZstdError:
            raise Refused from None
        if not frame.eof:
            raise Refused
        raw = frame.unused_data
    return out


def number(word: str) -> float:
    """A finite decimal number."""
    if not _DECIMAL.fullmatch(word) or not math.isfinite(float(word)):
        raise Refused
    return float(word)


def _number_of_c(word: str) -> float:
    bare = word.lstrip("+-").lower()
    if len(word) - len(bare) > 1:
        raise Refused
    sign = -1.0 if word.startswith("-") else 1.0
    if re.fullmatch(r"nan(\([0-9a-z_]*\))?", bare, re.ASCII):
        return -_LARGEST
    if bare in ("inf", "infinity"):
        return sign * _LARGEST
    if _HEX.fullmatch(word):
        try:
            return float.fromhex(word)
        except OverflowError:
            return sign * _LARGEST
    if not _DECIMAL.fullmatch(word):
        raise Refused
    return max(-_LARGEST, min(_LARGEST, float(word)))


def _grade_of_c(word: str) -> float:
    number(word)
    digits = re.match(r"[+-]?[0-9]*", word)[0]
    return float(int(digits)) if digits.strip("+-") else 0.0


def trec(raw: bytes, reading: str, *, run: bool, skip: bool = False) -> list[Row]:
    """Query, document and value of every line of a file of TREC; bad lines left out if `skip`."""
    rows: list[Row] = []
    for line in unpacked(raw).removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        words = [w for w in _BLANKS.split(line) if w]
        if not words or (reading == "trec_eval_10" and words[0].startswith(b"#")):
            continue
        try:
            rows.append(_row(line, words, reading, run=run))
        except Refused:
            if not skip:
                raise
    return rows


def _row(line: bytes, words: list[bytes], reading: str, *, run: bool) -> Row:
    fields, place = (6, 4) if run else (4, 3)
    longer = run and reading != "strict"
    if b"\0" in line or len(words) < fields or (len(words) > fields and not longer):
        raise Refused
    try:
        line.decode()
    except UnicodeDecodeError:
        if reading == "strict":
            raise Refused from None
    word = words[place].decode(errors="replace")
    if reading == "strict":
        value = number(word)
    else:
        value = _number_of_c(word) if run else _grade_of_c(word)
    return words[0].decode(errors="surrogateescape"), words[2], value


# -- tables

_NAMES = {
    "query": ("query_id", "qid", "q_id", "query-id", "query", "topic", "user_id", "user"),
    "document": (
        *("doc_id", "docno", "docid", "document_id", "corpus-id", "document", "doc", "item_id"),
        "item",
    ),
    "score": ("score", "sim", "prediction", "similarity", "relevance_score", "_score"),
    "grade": ("grade", "relevance", "rel", "label", "rating"),
    "rank": ("rank",),
}
_WORDS = frozenset(name for names in _NAMES.values() for name in names)


def places(names: Sequence[str], *, run: bool) -> tuple[int, int, int | None]:
    """Where query, document and value stand among the columns; a run may lack scores."""
    found: list[int | None] = []
    folded = [name.strip().lower() for name in names]
    for kind in ("query", "document", "score" if run else "grade"):
        known = [name for name in _NAMES[kind] if name in folded]
        if known and folded.count(known[0]) > 1:
            raise Doubtful
        if not known:
            if kind != "score":
                raise Refused
            found.append(None)
        else:
            found.append(folded.index(known[0]))
    query, document, value = found
    if query is None or document is None:
        raise Refused
    return query, document, value


def _is_of_old_macs(text: str) -> bool:
    """Whether the lines end with a carriage return alone."""
    return "\r" in text.strip() and "\n" not in text


def separated(raw: bytes, *, run: bool, separator: str) -> list[Row]:
    """Query, document and value of every line of CSV or TSV."""
    try:
        text = unpacked(raw).decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except (UnicodeDecodeError, csv.Error):
        raise Refused from None
    if not lines or _is_of_old_macs(text):
        raise Refused
    if not set(_WORDS) & {name.strip().lower() for name in lines[0]}:
        raise Doubtful  # no line of names: its columns may be told by what they hold
    query, document, value = places(lines[0], run=run)
    body = [line for line in lines[1:] if line]
    rows: list[Row] = []
    for i, line in enumerate(body):
        if len(line) != len(lines[0]):
            raise Refused
        if "\0" in "".join(line):
            raise Doubtful
        if value is None:  # the order of the rows ranks
            score = -float(i)
        elif line[value].strip() != line[value]:
            raise Doubtful
        else:
            score = number(line[value])
        rows.append((identity(line[query]), identity(line[document]), score))
    if value is None:
        others = [[v for c, v in enumerate(row) if c not in (query, document)] for row in body]
        _refuse_numbers(others, text)
    return rows


def _refuse_numbers(others: Sequence[Sequence[str]], text: str) -> None:
    """Where more than half of a column that no name explains are numbers, they may be scores."""
    if "\r" in text.replace("\r\n", ""):
        raise Doubtful  # lines without values among the first, which tell what columns hold
    for column in zip(*others, strict=True):
        written = [cell.strip() for cell in column if cell.strip()]
        numbers = [c for c in written if _DECIMAL.fullmatch(c) and math.isfinite(float(c))]
        if 2 * len(numbers) > len(written):
            if column[0] not in numbers:
                raise Doubtful  # of a file that is read in parts the first part tells
            raise Refused
        if numbers:
            raise Doubtful


def identity(value: Any) -> Any:
    """An id: text with nothing around it."""
    if not value or value != value.strip():
        raise Refused
    return value


def objects(raw: bytes, *, run: bool) -> Run:
    """Query to document to number, of JSON."""
    try:
        held = json.loads(
            unpacked(raw).removeprefix(b"\xef\xbb\xbf").decode(), object_pairs_hook=_once
        )
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise Refused from None
    if not held or not isinstance(held, dict):
        raise Refused
    out = {query: _of_query(inner, run=run) for query, inner in held.items()}
    for query, inner in out.items():
        if any(not i or i != i.strip() for i in (query, *inner)):
            raise Doubtful
    return out


def _of_query(inner: Any, *, run: bool) -> dict[Any, float]:
    if not inner or not isinstance(inner, (dict, list)):
        raise Doubtful
    if isinstance(inner, list):
        if not all(isinstance(d, str) for d in inner) or len(set(inner)) < len(inner):
            raise Doubtful
        return {d: -float(i) if run else 1.0 for i, d in enumerate(inner)}
    for value in inner.values():
        if isinstance(value, (bool, str, dict, list)) or value is None:
            raise Doubtful
        if not math.isfinite(value if isinstance(value, float) else min(value, 10**300)):
            raise Refused
    return {d: float(v) for d, v in inner.items()}


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError
    return dict(pairs)


# -- scores


def by_query(rows: Iterable[Row], among: Any = None, *, skip: bool = False) -> Run:
    """Rows by query; a document that stands twice is refused, in queries `among` others.

    If `skip`, its first line stays.
    """
    found: Run = {}
    for query, document, value in rows:
        inner = found.setdefault(query, {})
        if document in inner and not skip and (among is None or query in among):
            raise Refused
        inner.setdefault(document, value)
    if not found:
        raise Refused
    return found


def single(value: float) -> float:
    """A double as the nearest float of 32 bits."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def ndcg(run: Run, qrels: Run, k: int | None, *, bits: int) -> Scores:
    """NDCG of every judged query, ties by id, the larger first; a missing query scores 0."""
    if not set(run) & set(qrels):
        raise Refused
    gone = {str(q).strip() for q in qrels if q not in run}
    if gone & {str(q).strip() for q in run if q not in qrels}:
        raise Doubtful  # they differ in blanks alone
    keep = single if bits == 24 else float
    scores = {}
    for query, inner in qrels.items():
        judged = {_bytes(document): grade for document, grade in inner.items()}
        order = sorted((keep(score), _bytes(d)) for d, score in run.get(query, {}).items())[::-1]
        gains = [max(judged.get(document, 0), 0) for _, document in order]
        best = sorted((max(grade, 0) for grade in judged.values()), reverse=True)
        ideal = _dcg(best[:k])
        scores[query] = _dcg(gains[:k]) / ideal if ideal else 0.0
    return scores


def _bytes(document: Any) -> Any:
    if not isinstance(document, str):
        return document
    try:
        return document.encode()
    except UnicodeEncodeError:
        raise Doubtful from None


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 2) for rank, gain in enumerate(gains))


def subtopic_recall(run: Run, raw: bytes, k: int) -> Scores:
    """The share of a query's subtopics that its first k documents cover."""
    held = _by_subtopic(raw)
    if not held or {topic for topics in held.values() for topic in topics} <= {"0", "Q0"}:
        raise Refused
    if not set(run) & set(held):
        raise Refused
    scores = {}
    for query, topics in held.items():
        order = sorted(run.get(query, {}).items(), key=lambda d: (single(d[1]), d[0]))[::-1]
        top = [document for document, _ in order[:k]]
        relevant = {t: {d for d, g in docs.items() if g > 0} for t, docs in topics.items()}
        relevant = {t: docs for t, docs in relevant.items() if docs}
        met = sum(any(d in docs for d in top) for docs in relevant.values())
        scores[query] = met / len(relevant) if relevant else 0.0
    return scores


def _by_subtopic(raw: bytes) -> dict[str, dict[str, dict[bytes, float]]]:
    held: dict[str, dict[str, dict[bytes, float]]] = {}
    if raw.startswith(b"\t"):
        raise Doubtful  # or a table with a first column of no name
    for line in unpacked(raw).removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        words = line.split()
        try:
            if line.decode().split() != [w.decode() for w in words]:
                raise Doubtful  # a blank beyond ASCII
        except UnicodeDecodeError:
            raise Refused from None
        if not words:
            continue
        if len(words) != 4 or b"\0" in line:
            raise Refused
        judged = held.setdefault(words[0].decode(), {}).setdefault(words[1].decode(), {})
        if words[2] in judged:
            raise Refused
        judged[words[2]] = number(words[3].decode())
        if 0 < judged[words[2]] < 1:
            raise Doubtful  # as relevant as one says it is
    return held
