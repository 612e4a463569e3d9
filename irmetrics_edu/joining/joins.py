"""Which join a run and its judgments need, by what they come as and what the measures read."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.from_sources import aligner
from irmetrics_edu.joining import arrays
from irmetrics_edu.joining.bulk import read_pool
from irmetrics_edu.joining.subtopics import SubtopicJoin, read_subtopic_qrels
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.measures import Measure
from irmetrics_edu.reading import frames, tabular
from irmetrics_edu.reading.topics import read_categories
from irmetrics_edu.reverse_join import ReverseJoin
from irmetrics_edu.rows.nuggets import INTENTS, NUGGETS

_OF_GRADES = ("judgments", "relevant", "relevance")


def read_subtopics_too(chosen: Sequence[Measure]) -> bool:
    """Whether these measures need judgments by subtopic; an error if some need plain ones.

    >>> from irmetrics_edu.metrics.measures import measures
    >>> read_subtopics_too(measures("alpha_nDCG@20")), read_subtopics_too(measures("AP"))
    (True, False)
    """
    by_subtopic = [m.name for m in chosen if m.metric.inputs in (NUGGETS, INTENTS)]
    by_grade = [m.name for m in chosen if set(m.metric.inputs.arguments) & set(_OF_GRADES)]
    if by_subtopic and by_grade:
        raise InputError(
            f"{by_subtopic[0]} is of judgments by subtopic (query, subtopic, document, grade) and "
            f"{by_grade[0]} of judgments without: make two calls, {' '.join(by_subtopic)} with "
            f"the one and {' '.join(by_grade)} with the other"
        )
    return bool(by_subtopic)


def judgments_read_once(
    qrels: Any, chosen: Sequence[Measure], by: Bundle, *, skip_bad: bool = False
) -> Any:
    """Judgments for several runs: what a file or frame holds, read now; else as they are."""
    if qrels is None or isinstance(qrels, Mapping):
        return qrels
    if read_subtopics_too(chosen):
        return read_subtopic_qrels(qrels, by.negative, skip_bad=skip_bad)
    if isinstance(qrels, (str, PathLike)) or frames.is_frame(qrels):
        return read_pool(qrels, negative=by.negative, skip_bad=skip_bad)
    return qrels


def joined(
    run: Any,
    qrels: Any,
    chosen: Sequence[Measure],
    by: Bundle,
    beside: Mapping[str, Any],
    reading: Mapping[str, Any],
) -> ReverseJoin:
    """A run joined with its judgments as these measures read them, and with what is beside."""
    skip_bad = bool(reading.get("skip_bad"))
    beside, left_out = _read_beside(run, beside, skip_bad=skip_bad)
    if read_subtopics_too(chosen):
        made = _by_subtopic(run, qrels, by, beside, reading)
    else:
        if qrels is None and isinstance(run, np.ndarray):  # measures that need no judgments
            lists = arrays.recommended(run, reading.get("padding"))
            run = {user: lists.ranking(user) for user in range(len(run))}
        made = aligner(run, qrels, by, beside, reading)
    made.lines_left_out += left_out
    return made


def _by_subtopic(
    run: Any, qrels: Any, by: Bundle, beside: Mapping[str, Any], reading: Mapping[str, Any]
) -> ReverseJoin:
    read = read_subtopic_qrels(qrels, by.negative, skip_bad=bool(reading.get("skip_bad")))
    return SubtopicJoin(run, read, by, beside, reading)


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
        elif name == "embeddings" and str(value).endswith((".json", ".json.gz")):
            read[name] = tabular.of_json(Path(value))
        else:
            raise InputError(
                f"{name}={str(value)!r}: give a mapping"
                + (" or a JSON file of one" if name == "embeddings" else "")
            )
        if isinstance(run, np.ndarray) and run.dtype.kind in "iu":
            read[name] = _by_number(read[name], value)
    return read, left_out


def _by_number(of_item: Mapping[str, Any], path: Any) -> dict[int, Any]:
    """A file's items as whole numbers, which is how an array of numbers has them."""
    out: dict[int, Any] = {}
    for item, value in of_item.items():
        digits = item.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or str(int(item)) != item:
            raise InputError(
                f"{path}: item {item!r} is no whole number, but the recommended items are; "
                "give an array of text, or a file whose items are written as the numbers are"
            )
        out[int(item)] = value
    return out
