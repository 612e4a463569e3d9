"""Scores of single queries that another program wrote, without the rankings."""

import json
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, NoReturn, Self

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import MACRO
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import TREC_EVAL, Bundle
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, Measure, known_measure
from irmetrics_edu.reading.column_names import QUERY
from irmetrics_edu.reading.files import File, as_file
from irmetrics_edu.reading.records import (
    SEPARATORS,
    first_line,
    header_of,
    named,
    records,
    rows,
    text_of,
)
from irmetrics_edu.runs.joining.join import is_together
from irmetrics_edu.runs.joining.queries import AskedFor
from irmetrics_edu.runs.notes import Note, NoteKind, of_queries
from irmetrics_edu.runs.run_scores import NO_RANKINGS, AnyMeasure
from irmetrics_edu.runs.shown_scores import ShownScores
from irmetrics_edu.working import Working

_COUNTS = ("num_", "runid", "relstring")  # no scores
MOST_MEASURES = 1_000  # in a table of scores
_EVERY = "all"  # what trec_eval calls the line of the mean
_COLUMNS = {
    "query": QUERY,
    "measure": ("measure", "metric"),
    "value": ("value", "score"),
}
_OF_A_TABLE = Bundle("a table of scores")
_QUESTION = "user_input"  # what Ragas calls a query
# What else a row of Ragas holds beside the scores: its class SingleTurnSample, and pandas' index.
_SAMPLE = {
    *("", "retrieved_contexts", "reference_contexts", "retrieved_context_ids"),
    *("reference_context_ids", "response", "multi_responses", "reference", "rubrics"),
    *("persona_name", "query_style", "query_length", "reference_tool_calls", "reference_topics"),
}
# What programs write where they have no value: pandas, Python, R and JSON.
_NO_VALUE = {"", "nan", "none", "null", "na", "n/a", "<na>"}
_Line = tuple[str, str, str, Any]  # where it is, measure, query and value
_Form = Callable[[File], Iterator[_Line]]  # what reads the lines of a file


class PrintedScores(ShownScores):
    """The scores of a run as another program wrote them: nothing else is known of it.

    They are compared as those of any run. They have no working, because the rankings are not there.
    """

    def __init__(
        self,
        scores: Mapping[str, Mapping[Hashable, float]],
        by: Bundle = TREC_EVAL,
        *,
        name: str = "",
        left_out: Sequence[str] = (),
        without_value: Sequence[Hashable] = (),
        not_asked_for: Sequence[Hashable] = (),
    ) -> None:
        self._left_out = left_out
        self._without_value = tuple(without_value)
        self._not_asked_for = tuple(not_asked_for)
        measures = [_ours_or_another(label) for label in scores]
        queries = list(next(iter(scores.values())))
        arrays = {
            measure.name: np.array([scores[measure.name][query] for query in queries])
            for measure in measures
        }
        super().__init__(
            measures,
            queries,
            arrays,
            conventions=by,
            settled={measure.name: measure.metric for measure in measures},
            name=name,
        )

    def of(self, names: Sequence[str]) -> Self:
        """The scores of these measures alone."""
        chosen = {self.measure_named(name).name: self.per_query[name] for name in names}
        return type(self)(
            chosen,
            self.conventions,
            name=self.name,
            left_out=self._left_out,
            without_value=self._without_value,
            not_asked_for=self._not_asked_for,
        )

    def of_queries(self, queries: Sequence[Hashable]) -> Self:
        """The scores of these queries alone; InputError if there is none of them."""
        wanted = AskedFor(queries)
        kept = wanted.among(self.queries)
        wanted.refuse_none(self.queries, kept, "queries with scores")
        scores = {
            name: {query: by_query[query] for query in kept}
            for name, by_query in self.per_query.items()
        }
        return type(self)(
            scores,
            self.conventions,
            name=self.name,
            left_out=self._left_out,
            without_value=wanted.among(self._without_value),
            not_asked_for=wanted.not_among(self.queries),
        )

    def aggregation(
        self,
        name: AnyMeasure | None,
        among: Sequence[int] | None = None,
    ) -> Working:
        """The working of a measure's mean over queries; an error where it needs the rankings."""
        measure = self.measure_named(name)
        if is_together(measure.metric) or self.averaging(measure) is not MACRO:
            raise InputError(NO_RANKINGS)
        return super().aggregation(measure, among)

    def noted(self, *, unjudged: bool = True) -> list[Note]:  # noqa: ARG002 -- as the others
        """That the scores have the digits that were written, and what was not read."""
        notes = [Note(NoteKind.DIGITS_AS_WRITTEN)]
        if self._left_out:
            notes.append(Note(NoteKind.NOT_READ, about=", ".join(self._left_out)))
        notes += of_queries(NoteKind.NOT_ASKED_FOR, self._not_asked_for)
        return [*notes, *of_queries(NoteKind.WITHOUT_VALUE, self._without_value)]

    @property
    def aligned(self) -> NoReturn:
        """Not here: only the scores were written."""
        raise InputError(NO_RANKINGS)


@dataclass
class _Read:
    """What a file holds: scores by measure and query, measures and queries that are left out."""

    scores: dict[str, dict[Hashable, float]] = field(default_factory=dict)
    strange: dict[str, None] = field(default_factory=dict)
    empty: dict[Hashable, str] = field(default_factory=dict)  # with the first place and measure

    def leave_out(self, query: Hashable, place: str) -> None:
        """Leave out a query that has no value of a measure."""
        self.empty.setdefault(query, place)

    @property
    def complete(self) -> dict[str, dict[Hashable, float]]:
        """The scores of the queries that have a value of every measure."""
        kept: dict[str, dict[Hashable, float]] = {}
        for measure, scores in self.scores.items():
            kept[measure] = {q: score for q, score in scores.items() if q not in self.empty}
        return {measure: scores for measure, scores in kept.items() if scores}


def read_scores(
    path: str | PathLike[str],
    *,
    name: str = "",
    max_empty: float = 0,
) -> PrintedScores:
    r"""The scores of single queries in a file of another program, to be compared by a gate.

    The file is one of these:

    - a table (CSV or TSV) with the columns query, measure and value
    - a table with the query in its first column, and a column for each measure
    - the output of `trec_eval -q`, or of `ir_measures -q`
    - a result of Ragas 0.4, as `result.to_pandas().to_csv("scores.csv")` writes it
    - a test run of DeepEval 4 (`test_run_....json`)

    In the last two the question names the query. All but trec_eval's output may hold any measure.
    One that we have under this name counts as ours, any other as it is: a greater value is better,
    and its range is not known. Of trec_eval's output counts, the lines of all queries and measures
    that we don't have are left out; a note names the measures.

    Every query needs a value of every measure. If a judge failed now and then, `max_empty` is the
    share of queries that may lack one, such as 0.05: they are left out, and a note names them. A
    gate counts them as gone. InputError names the file and the place.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.csv")
    >>> _ = path.write_text("query,measure,value\nq1,clarity,0.5\nq2,clarity,1\n")
    >>> read_scores(path).mean
    {'clarity': 0.75}
    """
    checks.between("max_empty", max_empty, 0, 1, open_high=True)
    file: File = as_file(path)
    lines = _form(text_of(file))
    read = _by_measure(file, lines, gaps=max_empty > 0)
    if max_empty > 0:
        _bound_gaps(file, read, max_empty)
    else:
        _refuse_gaps(file, read.scores)
    complete = read.complete
    if not complete:
        raise InputError(
            f"{file}: no score of a query; give the output of trec_eval -q, a table with the "
            "columns query, measure and value, a result of Ragas or DeepEval, or evaluate the run"
        )
    return PrintedScores(
        complete,
        TREC_EVAL if lines is _printed else _OF_A_TABLE,
        name=name,
        left_out=tuple(read.strange),
        without_value=tuple(read.empty),
    )


def _by_measure(file: File, lines: _Form, *, gaps: bool) -> _Read:
    """The scores of each query by measure; with `gaps` a query may have no value."""
    read = _Read()
    measures: dict[str, Measure | None] = {}
    for place, label, query, value in lines(file):
        if label not in measures:
            if len(measures) == MOST_MEASURES:
                raise InputError(
                    f"{file}, {place}: {label!r:.60} is measure number {MOST_MEASURES + 1:,}, and "
                    f"a table of scores has at most {MOST_MEASURES:,}; are queries given in the "
                    "place of measures?"
                )
            measures[label] = _measure_of(label, is_printed=lines is _printed)
        measure = measures[label]
        if measure is None or measure.aggregate == GEOMETRIC_MEAN:
            read.strange[label] = None
            continue
        scores = read.scores.setdefault(measure.name, {})
        where = f"{place}: {label} of query {query!r}"
        if query in scores:
            raise InputError(f"{file}, {where} is there twice")
        if gaps and _is_no_value(value):
            scores[query] = math.nan
            read.leave_out(query, where)
        else:
            scores[query] = _value(value, f"{file}, {where}")
    return read


def _measure_of(label: str, *, is_printed: bool) -> Measure | None:
    """The measure that a program's label is for; None for what trec_eval prints beside measures."""
    notation = trec_format.ours(label)
    if notation is None and not is_printed:
        notation = label
    return None if notation is None else _ours_or_another(notation)


def _is_no_value(value: Any) -> bool:
    """Whether a program wrote that it has no value."""
    return value is None or str(value).strip().casefold() in _NO_VALUE


def _value(value: Any, place: str) -> float:
    wrong = "is not a number"
    try:
        number = float(value)
    except OverflowError:  # a whole number of very many digits
        wrong = "is not finite"
    except (TypeError, ValueError):
        pass
    else:
        if math.isinf(number):
            wrong = "is not finite"
        elif not isinstance(value, bool):
            return number  # NaN is a score that another program did not define
    if _is_no_value(value):
        wrong += "; max_empty=0.05 leaves out such queries, if they are no more than 5%"
    raise InputError(f"{place}: value {value!r:.60} {wrong}")


def _bound_gaps(file: File, read: _Read, most: float) -> None:
    """Leave out the queries without a value of some measure; refuse more of them than may be."""
    queries: dict[Hashable, None] = {}
    for scores in read.scores.values():
        queries.update(dict.fromkeys(scores))
    for label, scores in read.scores.items():
        for query in queries:
            if query not in scores:
                read.leave_out(query, f"{label} of query {query!r}")
    without = len(read.empty)
    if without > most * len(queries):
        first = next(iter(read.empty.values()))
        have = "has" if without == 1 else "have"
        raise InputError(
            f"{file}, {first}: no value; {without:,} of {len(queries):,} queries {have} none, more "
            f"than max_empty={most:g}; have them judged again, or raise max_empty"
        )


def _refuse_gaps(file: File, by_label: Mapping[str, Mapping[Hashable, float]]) -> None:
    """Refuse scores of which a query has no value of some measure."""
    queries = next(iter(by_label.values()), {})
    for scores in by_label.values():
        for odd in sorted(queries.keys() ^ scores.keys(), key=str):
            lacking = next(label for label, of_label in by_label.items() if odd not in of_label)
            raise InputError(f"{file}: query {odd!r} has no score in {lacking}")


def _ours_or_another(label: str) -> Measure:
    """The measure of this name: ours, or one of which nothing but the name is known."""
    try:
        return known_measure(label)
    except InputError:
        another = Metric(
            _no_kernel,
            label,
            range=(-math.inf, math.inf),
        )
        return Measure(label, another)


def _no_kernel(rows: Any) -> Any:  # noqa: ARG001 -- as of other kernels
    """Not ours, so there is no working."""
    raise InputError("only scores are known of this measure, and not how they arose")


def _form(text: str) -> _Form:
    """Who reads the file, by its first line: a header, or the brace of JSON."""
    first = first_line(text)
    if _is_of_ir_measures(first):
        return _of_ir_measures
    head = first.lower()
    cells = (head.split(separator) for separator in SEPARATORS)
    names = max(({cell.strip(' "\r') for cell in row} for row in cells), key=len)
    if all(names & {*column_names} for column_names in _COLUMNS.values()):
        return _of_table
    if head.lstrip().startswith("{"):
        return _of_deepeval
    if _QUESTION in names:
        return _of_ragas
    return _of_wide_table if _is_wide(head) else _printed


def _is_wide(head: str) -> bool:
    """Whether a line names the query first, and a measure in each other column."""
    cells = max((head.split(separator) for separator in SEPARATORS), key=len)
    return len(cells) > 1 and cells[0].strip(' "\r') in QUERY


def _of_table(file: File) -> Iterator[_Line]:
    for row in records(file, _COLUMNS, {}):
        yield f"line {row.line}", row.id("measure"), row.id("query"), row["value"]


def _of_wide_table(file: File) -> Iterator[_Line]:
    """A row for each query, with a column for each measure."""
    text = text_of(file)
    separator = max(SEPARATORS, key=first_line(text).count)
    lines = rows(text, str(file), separator)
    _, header = header_of(lines)
    query = header[0]
    for line, row in named(lines, header, str(file)):
        for label in header[1:]:
            yield f"line {line}", label, row[query], row[label]


def _of_ir_measures(file: File) -> Iterator[_Line]:
    """The lines of ir_measures -q that are the score of a query: query, measure and value."""
    for number, line in enumerate(text_of(file).splitlines(), 1):
        cells = line.split("\t")
        if not line.strip():
            continue
        if len(cells) != 3:
            raise InputError(
                f"{file}, line {number}: {line.strip()!r} has {len(cells)} fields; expected 3, as "
                "ir_measures -q prints them: query measure value"
            )
        if cells[0] != _EVERY:
            yield f"line {number}", cells[1], cells[0], cells[2]


def _is_of_ir_measures(head: str) -> bool:
    """Whether a line has a measure in the place where trec_eval has the query."""
    cells = head.rstrip().split("\t")
    if len(cells) != 3 or trec_format.ours(cells[0].strip()):
        return False
    try:
        known_measure(cells[1])
    except InputError:
        return False
    return True


def _of_ragas(file: File) -> Iterator[_Line]:
    """A row for each question, with a column for each measure beside those of the sample."""
    lines = rows(
        text_of(file),
        str(file),
        ",",
    )
    _, header = header_of(lines)
    for line, row in named(lines, header, str(file)):
        for label in [name for name in header if name != _QUESTION and name not in _SAMPLE]:
            yield f"line {line}", label, row[_QUESTION], row[label]


def _of_deepeval(file: File) -> Iterator[_Line]:
    """A test case for each question, with the data of each metric."""
    try:
        stored = json.loads(text_of(file))
        cases = enumerate(stored["testCases"], 1)
        scored = [
            (i, case["input"], one) for i, case in cases for one in case.get("metricsData") or ()
        ]
        told = [(f"test case {i}", one["name"], q, one.get("score"), one) for i, q, one in scored]
        conversations = stored.get("conversationalTestCases")
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{file}: no test run of DeepEval ({error!r:.100})") from None
    if conversations:
        raise InputError(f"{file}: a conversation is no question; store other test cases alone")
    for place, label, question, score, metric in told:
        for what, value in (("name of a metric", label), ("input", question)):
            if not isinstance(value, str):
                raise InputError(
                    f"{file}, {place}: the {what} is {value!r:.60}; DeepEval writes text"
                )
        if _smaller_is_better(metric):
            raise InputError(
                f"{file}, {place}: by its threshold a smaller {label} is better ({score:g}), and a "
                "gate takes a greater value as better; store the other metrics alone"
            )
    yield from (line[:-1] for line in told)


def _smaller_is_better(metric: Mapping[str, Any]) -> bool:
    """Whether a success is below the threshold, or a failure above it; not if nothing tells."""
    score = metric.get("score")
    threshold = metric.get("threshold")
    success = metric.get("success")
    if not isinstance(score, (int, float)) or not isinstance(threshold, (int, float)):
        return False
    return isinstance(success, bool) and success is not (score >= threshold)


def _printed(file: File) -> Iterator[_Line]:
    """The lines of trec_eval's output that are the score of a query."""
    for number, line in enumerate(text_of(file).splitlines(), 1):
        words = line.split()
        if words and len(words) != 3:
            raise InputError(
                f"{file}, line {number}: {line.strip()!r} has {len(words)} fields; expected 3, as "
                "trec_eval -q prints them: measure query value"
            )
        if words and words[1] != _EVERY and not words[0].startswith(_COUNTS):
            yield f"line {number}", words[0], words[1], words[2]
