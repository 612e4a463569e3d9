"""Questions with contexts, as RAG evaluations store them, as a run with judgments."""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from os import PathLike
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.building import BuiltRun
from irmetrics_edu.judging.one_answer import Passage, Retrieved
from irmetrics_edu.judging.passage_judgments import JudgedPassages, judge_by_text
from irmetrics_edu.reading import files
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import objects, text_of

__tracebackhide__ = True  # pytest shows the line that called

_IDS = ("id", "_id", "question_id", "query_id", "qid")
_QUESTION = ("question", "user_input", "query")
_CONTEXTS = ("contexts", "retrieved_contexts", "retrieval_context", "context")
_EXPECTED = (
    "reference_contexts",
    "ground_truth_contexts",
    "ground_truth",
    "ground_truths",
    "reference",
    "expected_output",
)

Rows = Sequence[Any] | str | PathLike[str]
_PlacedRow = tuple[str, Mapping[str, Any]]  # its place, as errors begin, and the row


def judge_contexts(
    rows: Rows,
    *,
    expected: str | None = None,
    normalise: Callable[[str], str] | None = None,
) -> JudgedPassages:
    """A run and judgments made of questions with the contexts that a RAG system retrieved.

    `rows` is a list of dictionaries, or a JSON or JSONL file. Each row has a question ("question",
    "user_input", "query"), its contexts best first ("contexts", "retrieved_contexts", ...), and
    what is expected: `expected` names that key; unless it is given, the first of
    "reference_contexts", "ground_truth_contexts", "ground_truth", "ground_truths", "reference",
    "expected_output" that the first row has. A context is relevant if it holds an expected text,
    as in `judge_by_text`. That suits passages and short answers. An answer in other words is found
    in no context, so its question scores 0.

    A query is the row's id if it has one, else the question.

    Raises InputError for a missing value, with the number of the row.

    >>> rows = [
    ...     {
    ...         "question": "Who purrs?",
    ...         "contexts": ["Dogs bark", "Cats purr"],
    ...         "ground_truth": "cats",
    ...     }
    ... ]
    >>> judge_contexts(rows).run
    {'Who purrs?': ['context 1', 'expected:1']}
    """
    placed_rows = rows_of(rows)
    key = _expected_key(placed_rows[0]) if expected is None else expected
    answers: dict[Hashable, Retrieved] = {}
    wanted: dict[Hashable, list[str]] = {}
    texts: dict[Hashable, str] = {}
    for place, row in placed_rows:
        question = _value(row, _QUESTION, place, "question")
        if not isinstance(question, str) or not question.strip():
            raise InputError(f"{place}the question is {question!r:.60}; give text")
        query = _query_of(row, question, place)
        if query in answers:
            raise InputError(f"{place}{query!r:.60} stands twice; give each row an id of its own")
        answers[query] = _contexts(row, place)
        texts[query] = question
        if key not in row:
            raise InputError(f"{place}no {key!r}; there are {', '.join(map(str, row))}")
        wanted[query] = _texts(row[key], place, key)
    run = BuiltRun(answers, texts, {})
    return judge_by_text(run, wanted, normalise=normalise)


def _expected_key(first: _PlacedRow) -> str:
    """The key of the expected texts, by the first row."""
    place, row = first
    for name in _EXPECTED:
        if name in row:
            return name
    raise InputError(
        f"{place}there is no expected text: call its key {_EXPECTED[0]} or "
        f"ground_truth, or name it with expected=; there are {', '.join(row)}"
    )


def _query_of(
    row: Mapping[str, Any],
    question: str,
    place: str,
) -> str | int:
    """The id of a row; the question if it has none."""
    query: Any = question
    for name in _IDS:
        if row.get(name) is not None:
            query = row[name]
            break
    if isinstance(query, bool) or not isinstance(query, (str, int)):
        raise InputError(f"{place}{query!r:.60} is not an id; give text or a whole number")
    return query


def _contexts(row: Mapping[str, Any], place: str) -> Retrieved:
    """The contexts of a row as passages, best first."""
    contexts = _texts(_value(row, _CONTEXTS, place, "contexts"), place, "contexts")
    passages: list[Passage] = []
    for number, text in enumerate(contexts, 1):
        passages.append(Passage(f"context {number}", number, None, text))
    return Retrieved(passages, "contexts")


def rows_of(rows: Rows) -> list[_PlacedRow]:
    """The rows of a list or of a JSON or JSONL file, each with its place as errors begin."""
    placed: list[_PlacedRow]
    if isinstance(rows, (str, PathLike)):
        placed = _of_file(files.as_file(rows))
    else:
        if not isinstance(rows, Sequence):
            raise InputError(
                f"rows={rows!r:.60}: give a list of dictionaries, or a JSON or JSONL file"
            )
        placed = [(f"row {number}: ", row) for number, row in enumerate(rows, 1)]
    for place, row in placed:
        if not isinstance(row, Mapping):
            raise InputError(f"{place}{row!r:.60}; give a dictionary")
    if not placed:
        raise InputError("rows: there is none; give at least one")
    return placed


def _of_file(file: File) -> list[tuple[str, Any]]:
    """The rows of a file: a JSON array of objects, or an object a line."""
    text = text_of(file)
    if not text.lstrip().startswith("["):
        return [(f"{file}, line {line}: ", row) for line, row in objects(file)]
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: {error}; expected JSON") from None
    return [(f"{file}, row {number}: ", row) for number, row in enumerate(rows, 1)]


def _value(
    row: Mapping[str, Any],
    names: Sequence[str],
    place: str,
    what: str,
) -> Any:
    for name in names:
        if name in row:
            return row[name]
    there = ", ".join(map(str, row)) or "none"
    raise InputError(f"{place}no {what}: call it one of {', '.join(names)}; there are {there}")


def _texts(
    value: Any,
    place: str,
    what: str,
) -> list[str]:
    if isinstance(value, str) and what != "contexts":
        value = [value]
    is_list = isinstance(value, (list, tuple))
    if not is_list or not all(isinstance(text, str) for text in value):
        raise InputError(f"{place}{what} is {value!r:.60}; give a list of texts")
    return list(value)
