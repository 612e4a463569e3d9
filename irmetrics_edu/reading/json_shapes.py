"""Runs and judgments in JSON as other tools write them, made into query -> document -> number.

Read are lists of pairs or of objects with an id and a number, one hit a line, data frames as pandas
writes them, answers of Elasticsearch by query, and what its _rank_eval takes and gives. Other known
shapes are refused by their names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.column_names import DOCUMENT, GRADE, QUERY, RANK, SCORE
from irmetrics_edu.reading.files import File

_IDS = ("id", "_id", "corpus_id", *DOCUMENT)


def plain(
    held: Mapping[str, Any],
    file: File,
    *,
    run: bool,
) -> dict[str, Any]:
    """The object of a file with each query's documents as an object or as a list of ids."""
    of_requests = _of_rank_eval(held, file, run=run)
    if of_requests is not None:
        return of_requests
    _refuse_rre(held, file)
    _refuse_answers(held, file)
    values = SCORE if run else (*GRADE, "score")
    plain_object: dict[str, Any] = {}
    for query, answer in held.items():
        documents = _of_search(answer) if run else answer
        is_list = isinstance(documents, list)
        where = f"{file}: {at(query)}" if is_list else ""
        plain_object[query] = _of_list(documents, values, where) if is_list else documents
    return plain_object


def rows_of_frame(held: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of a data frame that pandas wrote as JSON, by columns, split or as a table.

    None for an object that is none of these.
    """
    data = held.get("data")
    if not isinstance(data, list):
        return _of_columns(held) if _are_names(held) else None
    if "schema" in held and all(isinstance(one, Mapping) for one in data):
        return [dict(one) for one in data]
    return _of_split(held.get("columns"), data)


def _of_split(columns: Any, data: Sequence[Any]) -> list[dict[str, Any]] | None:
    """The rows of lists of cells, whose columns are named once."""
    if not isinstance(columns, list) or not _are_names(columns):
        return None
    widths = {len(row) if isinstance(row, list) else 0 for row in data}
    if not widths <= {len(columns)}:
        return None
    return [dict(zip(columns, row, strict=True)) for row in data]


def _are_names(columns: Iterable[Any]) -> bool:
    """Whether these are names of columns, one of them a query's and one a document's."""
    names = set(map(str, columns))
    return bool(names & set(QUERY)) and bool(names & set(DOCUMENT))


def _of_columns(held: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The rows of columns that are each a list, or an object by the same numbers of rows."""
    columns = list(held.values())
    if all(isinstance(column, list) for column in columns):
        columns = [dict(enumerate(column)) for column in columns]
    if not all(isinstance(column, Mapping) for column in columns):
        return None
    numbers = list(columns[0])
    if any(list(column) != numbers for column in columns):
        return None
    return [{name: column[i] for name, column in zip(held, columns, strict=True)} for i in numbers]


def _of_search(documents: Any) -> Any:
    """The hits of an answer of Elasticsearch or OpenSearch to one query; else what was given."""
    if not isinstance(documents, Mapping) or not isinstance(documents.get("hits"), Mapping):
        return documents
    hits = documents["hits"].get("hits")
    if isinstance(hits, list) and all(_has(hit, "_id", "_score") for hit in hits):
        return hits
    return documents


def _refuse_answers(held: Mapping[str, Any], file: File) -> None:
    """Refuse answers of a search engine that don't say which query they are of."""
    several = held.get("responses")
    if isinstance(several, list) and all(_has(answer, "hits") for answer in several):
        raise InputError(
            f"{file}: an answer of Elasticsearch's _msearch names no queries; write the id of each "
            'beside its answer: {"q1": <the first of "responses">, ...}'
        )
    if _of_search(held) is not held:
        raise InputError(
            f"{file}: an answer of Elasticsearch to one query, which it does not name; write "
            '{"q1": <this answer>, ...}'
        )
    response = held.get("response")
    if isinstance(response, Mapping) and isinstance(response.get("docs"), list):
        raise InputError(
            f"{file}: an answer of Solr to one query, which it does not name; write "
            '{"q1": {"document": score, ...}, ...}: with fl=id,score its program is '
            "jq '{q1: [.response.docs[] | {key: .id, value: .score}] | from_entries}' "
            f"{file.path.name} > run.json"
        )


def _of_list(
    documents: list[Any],
    values: Sequence[str],
    where: str,
) -> Any:
    """A list of pairs or of objects as an object; another list as it is."""
    numbers: list[tuple[Any, Any]] = []
    for one in documents:
        if isinstance(one, list) and len(one) == 2 and _is_number(one[1]):
            numbers.append((one[0], one[1]))
            continue
        names = _names_of(one, _IDS, values)
        if names is None:
            return documents
        numbers.append((one[names[0]], one[names[1]]))
    if not numbers:
        return documents
    return _once(numbers, where)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _names_of(
    one: Any,
    ids: Sequence[str],
    values: Sequence[str],
) -> tuple[str, str] | None:
    """The names of the id and of the number in an object; None if it lacks one of them."""
    if not isinstance(one, Mapping):
        return None
    of_id = [name for name in ids if name in one]
    of_value = [name for name in values if name in one]
    if not of_id or not of_value:
        return None
    return of_id[0], of_value[0]


def _once(
    numbers: Iterable[tuple[Any, Any]],
    where: str,
) -> dict[Any, Any]:
    """Documents with their numbers; InputError for a document that comes twice."""
    number_of: dict[Any, Any] = {}
    for document, number in numbers:
        if not isinstance(document, (str, int)) or isinstance(document, bool):
            raise InputError(f"{where}{document!r:.60} is not an id; give text")
        if document in number_of:
            raise InputError(f"{where}document {document!r} is there twice; give it once")
        number_of[document] = number
    return number_of


def _of_rank_eval(
    held: Mapping[str, Any],
    file: File,
    *,
    run: bool,
) -> dict[str, Any] | None:
    """The ratings of a request of _rank_eval, or the hits of its answer; None for neither."""
    requests = held.get("requests")
    if isinstance(requests, list) and all(_has(one, "id", "ratings") for one in requests):
        if run:
            raise InputError(
                f"{file}: a request of Elasticsearch's _rank_eval holds judgments, not a run; give "
                "its answer as the run"
            )
        return _by_request(requests, file)
    details = held.get("details")
    if "metric_score" in held and isinstance(details, Mapping):
        if not run:
            raise InputError(
                f"{file}: an answer of Elasticsearch's _rank_eval holds rankings; give the request "
                "as the judgments"
            )
        return _by_answer(details, file)
    return None


def _by_request(
    requests: Sequence[Mapping[str, Any]],
    file: File,
) -> dict[str, Any]:
    judged: dict[str, Any] = {}
    for request in requests:
        query = str(request["id"])
        if query in judged:
            raise InputError(f"{file}: {at(query)}two requests have this id; give it once")
        ratings = [(one.get("_id"), one.get("rating")) for one in request["ratings"]]
        judged[query] = _once(ratings, f"{file}: {at(query)}")
    return judged


def _by_answer(
    details: Mapping[str, Any],
    file: File,
) -> dict[str, Any]:
    run: dict[str, Any] = {}
    for query, detail in details.items():
        hits = detail.get("hits", []) if isinstance(detail, Mapping) else []
        scores = [(one["hit"].get("_id"), one["hit"].get("_score")) for one in hits]
        run[query] = _once(scores, f"{file}: {at(query)}")
    return run


def _has(one: Any, *names: str) -> bool:
    return isinstance(one, Mapping) and all(name in one for name in names)


def _refuse_rre(
    held: Mapping[str, Any],
    file: File,
) -> None:
    if isinstance(held.get("topics"), list) and "id_field" in held:
        program = (
            "jq '[.topics[].query_groups[] | (.relevant_documents | to_entries | map(. as $e | "
            'if ($e.value | type) == "array" then $e.value[] | {key: ., value: ($e.key | '
            "tonumber)} else {key: $e.key, value: $e.value.gain} end) | from_entries) as $judged | "
            ".queries[] | {key: (.placeholders | to_entries[0].value), value: $judged}] | "
            "from_entries'"
        )
        raise InputError(
            f"{file}: ratings of the Rated Ranking Evaluator (RRE), whose queries are templates; "
            'write {"query": {"document": grade}} with the ids that the run has. Where these are '
            f"the first placeholders: {program} {file.path.name} > qrels.json"
        )


def query_of(row: Mapping[str, Any]) -> Any:
    """The id of the query of an object; None if it has none."""
    return _first(row, QUERY)


def names_of_hit(hit: Any) -> tuple[str, str] | None:
    """The names of the id and of the score in a hit; None if it lacks one of them."""
    return _names_of(hit, _IDS, SCORE)


def of_lists(
    rows: Sequence[tuple[int, Mapping[str, Any]]],
    file: File,
) -> dict[Any, Any] | None:
    """The documents of each query, where each object has all of them in a list of any name.

    None for other objects: hits, and the `results` of sentence-transformers.
    """
    held: dict[Any, Any] = {}
    for line, row in rows:
        query = query_of(row)
        lists = [name for name, value in row.items() if isinstance(value, list)]
        if query is None or len(lists) != 1 or lists == ["results"]:
            return None
        if any(name in row for name in DOCUMENT):
            return None
        if query in held:
            raise InputError(f"{file}, line {line}: {at(query)}a line above has it, too")
        held[query] = row[lists[0]]
    return held or None


def of_hits(
    rows: Iterable[tuple[int, Mapping[str, Any]]],
    file: File,
    *,
    run: bool,
) -> dict[Any, Any]:
    """A run or judgments of lines that are each one hit: a query, a document and a number."""
    held: dict[Any, dict[Any, Any]] = {}
    for line, row in rows:
        place = f"{file}, line {line}: "
        query = _value(
            row,
            QUERY,
            "query",
            place,
        )
        document = _value(
            row,
            _IDS,
            "document",
            place,
        )
        number = _number_of(row, place, run=run)
        ranking = held.setdefault(query, {})
        if document in ranking:
            what = "ranked" if run else "judged"
            raise InputError(f"{place}{at(query, document)}{what} twice; give it once")
        ranking[document] = checks.score(number, place + at(query, document))
    if not held:
        raise InputError(f"{file}: it is empty; expected at least one line")
    return held


def ranks_and_scores(
    rows: Iterable[tuple[int, Mapping[str, Any]]],
) -> Iterator[tuple[Any, Any, Any]]:
    """The query, the rank and the score of each hit, None for what it has not."""
    for _, row in rows:
        yield _first(row, QUERY), _first(row, RANK), _first(row, SCORE)


def _first(row: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((row[name] for name in names if name in row), None)


def _number_of(
    row: Mapping[str, Any],
    place: str,
    *,
    run: bool,
) -> Any:
    """The score or the grade of a hit; where a run has ranks alone, the rank below 0."""
    if run and not any(name in row for name in SCORE):
        rank = _value(
            row,
            RANK,
            "score",
            place,
            also=SCORE,
        )
        return -checks.whole("rank", rank, 0)
    return _value(
        row,
        SCORE if run else (*GRADE, "score"),
        "score" if run else "grade",
        place,
    )


def _value(
    row: Mapping[str, Any],
    usual_names: Sequence[str],
    what: str,
    place: str,
    *,
    also: Sequence[str] = (),
) -> Any:
    for name in usual_names:
        if name in row:
            return row[name]
    names = ", ".join([*also, *usual_names])
    there = ", ".join(map(repr, row)) or "nothing"
    raise InputError(f"{place}there are {there}; call the {what} one of {names}")
