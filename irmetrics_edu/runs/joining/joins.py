"""Which join a run and its judgments need, by their kind and by what the measures read."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from os import PathLike
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.parsed_measures import Measure
from irmetrics_edu.reading import frames, tabular
from irmetrics_edu.reading.files import as_file
from irmetrics_edu.reading.packed import bare_name
from irmetrics_edu.reading.tables import is_readable
from irmetrics_edu.reading.topics import read_categories, read_items
from irmetrics_edu.rows.nuggets import INTENTS, NUGGETS
from irmetrics_edu.runs.joining import arrays
from irmetrics_edu.runs.joining.joined import Joined
from irmetrics_edu.runs.joining.judged import Judged, judged_of
from irmetrics_edu.runs.joining.run_kinds import read_pool, run_of
from irmetrics_edu.runs.joining.subtopics import JudgedBySubtopic, read_subtopic_qrels

_OF_GRADES = ("judgments", "relevant", "relevance")
# What a JSON file may hold: of each item, of each query or user, of each session.
_MAPPED = ("embeddings", "popularity", "exposure", "expected", "users", "sessions", "catalogue")
_LISTED = ("expected", "catalogue")  # a file of another kind has an item a line


def is_run(value: Any) -> bool:
    """Whether a value holds the rankings of queries, and not one ranking or its scores.

    >>> is_run({"q1": ["d1", "d2"]}), is_run({"d1": 0.9}), is_run(["d1", "d2"])
    (True, False, False)
    """
    if isinstance(value, np.ndarray):
        return value.ndim == 2  # a row of recommended items for each user
    if not isinstance(value, Mapping):
        return not isinstance(value, (Sequence, AbstractSet)) or isinstance(value, (str, bytes))
    return not value or any(
        isinstance(item, (Mapping, Sequence, AbstractSet, np.ndarray))
        and not isinstance(item, (str, bytes))
        for item in value.values()
    )


def read_subtopics_too(chosen: Sequence[Measure]) -> bool:
    """Whether these measures need judgments by subtopic; an error if some need plain ones.

    >>> from irmetrics_edu.metrics.parsed_measures import measures
    >>> read_subtopics_too(measures("alpha_nDCG@20")), read_subtopics_too(measures("AP"))
    (True, False)
    """
    by_subtopic = [m.name for m in chosen if m.metric.inputs in (NUGGETS, INTENTS)]
    by_grade = [m.name for m in chosen if set(m.metric.inputs.arguments) & set(_OF_GRADES)]
    if by_subtopic and by_grade:
        raise InputError(
            f"{by_subtopic[0]} needs judgments by subtopic (query, subtopic, document, "
            f"grade), but {by_grade[0]} needs judgments without subtopics; make two calls: "
            f"{' '.join(by_subtopic)} with the first kind and {' '.join(by_grade)} with the second"
        )
    return bool(by_subtopic)


def judgments_read_once(
    qrels: Any, chosen: Sequence[Measure], by: Bundle, *, skip_bad: bool = False
) -> Any:
    """Judgments for several runs: from a file or frame they are read now, else kept as they are.

    If measures take negative grades in different ways, each run reads them as it needs them.
    """
    if qrels is None or isinstance(qrels, Mapping):
        return qrels
    if len({by.aligned(m.metric)["negative"] for m in chosen}) > 1:
        return as_file(qrels) if is_readable(qrels) else qrels
    by = by.of_run(m.metric for m in chosen)
    if read_subtopics_too(chosen):
        return read_subtopic_qrels(qrels, by.negative, skip_bad=skip_bad)
    if is_readable(qrels) or frames.is_table(qrels):
        return read_pool(qrels, negative=by.negative_read, reading=by.reading, skip_bad=skip_bad)
    return qrels


def joined(
    run: Any,
    qrels: Any,
    chosen: Sequence[Measure],
    by: Bundle,
    beside: Mapping[str, Any],
    reading: Mapping[str, Any],
) -> Joined:
    """A run joined with its judgments as these measures read them, and with other input."""
    skip_bad = bool(reading.get("skip_bad"))
    given, metrics = by, [m.metric for m in chosen]
    by = given.of_run(metrics)
    read = run_of(run, by.duplicates, **reading, reading=by.reading)
    judged: Judged | None = None
    if read_subtopics_too(chosen):
        judged = JudgedBySubtopic(read_subtopic_qrels(qrels, by.negative, skip_bad=skip_bad))
    elif qrels is not None:
        qrels = arrays.held_out(qrels, len(run)) if isinstance(run, np.ndarray) else qrels
        judged = judged_of(qrels, by, skip_bad=skip_bad).beside(read, by)
    others = {"other": beside["other"]} if "other" in beside else {}
    beside = {name: value for name, value in beside.items() if name not in others}
    beside, left_out = _read_beside(run, beside, skip_bad=skip_bad)
    for name, second in others.items():  # its lines are not counted, so none is left out
        whole = run_of(second, by.duplicates, **{**reading, "skip_bad": False}, reading=by.reading)
        beside[name] = Joined(whole, None, given, chosen=metrics)
    return Joined(
        read, judged, given, beside, chosen=metrics, lines_left_out=left_out, skip_bad=skip_bad
    )


def _read_beside(
    run: Any, beside: Mapping[str, Any], *, skip_bad: bool
) -> tuple[dict[str, Any], int]:
    """What was given besides, read where it is a file, and the lines left out."""
    read, left_out = dict(beside), 0
    for name, value in beside.items():
        if not isinstance(value, (str, PathLike)):
            continue
        if name == "categories":
            read[name], skipped = read_categories(value, skip_bad=skip_bad)
            left_out += skipped
        elif name in _MAPPED and bare_name(value).endswith(".json"):
            read[name] = tabular.of_json(as_file(value))
        elif name in _LISTED:
            read[name] = read_items(value)
        else:
            raise InputError(
                f"{name}={str(value)!r}: give a mapping"
                + (" or a JSON file of one" if name in _MAPPED else "")
            )
        if isinstance(run, np.ndarray) and run.dtype.kind in "iu":
            if isinstance(read[name], list):
                read[name] = list(_by_number(dict.fromkeys(read[name]), value))
            else:
                read[name] = _by_number(read[name], value)
    return read, left_out


def _by_number(of_item: Mapping[str, Any], path: Any) -> dict[int, Any]:
    """A file's items as whole numbers, which is how an array of numbers has them."""
    out: dict[int, Any] = {}
    for item, value in of_item.items():
        digits = item.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or str(int(item)) != item:
            raise InputError(
                f"{path}: item {item!r} is not a whole number, but the recommended items are; "
                "give an array of text, or a file whose items are written as the numbers are"
            )
        out[int(item)] = value
    return out
