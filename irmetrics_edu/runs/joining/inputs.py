"""What a run may come as, and how each kind is read: mappings, arrays, files and frames, pieces.

A `Run` is a mapping from query to ranking, whatever it came as. The join never looks at single
rankings. To explain a query, the run is asked for that query. What else a measure is given, such as
categories or a catalogue, is read here too.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np

from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    NO_DUPLICATES,
    OWN_KEPT,
    OWN_REMOVED,
    STRICT,
    Duplicates,
    IdenticalIds,
    Reading,
)
from irmetrics_edu.engine.columns import RunColumns
from irmetrics_edu.engine.id_list import Ids
from irmetrics_edu.engine.noted import Readable
from irmetrics_edu.engine.repeats import repeated, tell_repeated
from irmetrics_edu.engine.run import PiecedRun, ReadRun, Run, rankings
from irmetrics_edu.engine.text import Numbers, Text, ids
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading import tabular
from irmetrics_edu.reading.column_names import NO_COLUMNS
from irmetrics_edu.reading.files import Problems, as_file, bare_name
from irmetrics_edu.reading.tables import Source, source
from irmetrics_edu.reading.topics import read_categories, read_items

_CHUNK = 1 << 17  # items of an array at a time
# What a JSON file may hold: of each item, of each query or user, of each session.
_MAPPED = ("embeddings", "popularity", "exposure", "expected", "catalogue")
_LISTED = ("expected", "catalogue")  # a file of another kind has an item a line


def run_of(
    run: Any,
    repeats: Duplicates = NO_DUPLICATES,
    *,
    format: str | None = None,  # noqa: A002 -- what a file's format is called
    skip_bad: bool = False,
    padding: int | None = None,
    reading: Reading = STRICT,
    columns: Mapping[str, str] = NO_COLUMNS,
) -> Run:
    """A run of any kind, as a `Run`.

    >>> run_of({"q": ["d1", "d2"]})["q"]
    ['d1', 'd2']
    """
    if isinstance(run, Run):
        return run
    how: dict[str, Any] = {"skip_bad": skip_bad, "reading": reading, "columns": columns}
    read = source(run, run=True, kind=format, **how)
    if isinstance(read, Run):
        return read
    if isinstance(read, Mapping):
        _refuse_iterators(read)
        return Run(read)
    if isinstance(read, Source):
        return ReadRun(read, repeats)
    if isinstance(read, np.ndarray):
        return ReadRun(_listed(read, padding, skip_bad=skip_bad), repeats)
    return PiecedRun(read, partial(run_of, repeats=repeats, **how))


def _refuse_iterators(run: Mapping[Any, Any]) -> None:
    """Refuse rankings that can be read once: a second reading would find them empty."""
    if not any(hasattr(kind, "__next__") for kind in set(map(type, run.values()))):
        return
    for query, ranking in run.items():
        if hasattr(ranking, "__next__"):
            raise InputError(
                f"{at(query)}the ranking is an iterator, which can be read once; give a list"
            )


def _listed(items: Array, padding: Any, *, skip_bad: bool) -> Source:
    """A 2-D array of item ids, best first: row u is the list recommended to user number u."""
    if items.ndim != 2:
        raise InputError(
            "the recommended items are not a 2-D array with a row for each user; got "
            f"{items.ndim} dimension{'s' if items.ndim != 1 else ''}"
        )
    if isinstance(items, np.ma.MaskedArray):
        raise InputError(
            "the recommended items are a masked array; fill it with a number, and give that "
            "number as padding"
        )
    if items.dtype.kind not in "iuUO":
        raise InputError(f"item ids are of type {items.dtype}; give whole numbers or text")
    users, width = items.shape
    step = max(1, _CHUNK // max(1, width))

    def pieces(_: Problems, first: int) -> Iterator[RunColumns]:
        for begin in range(first, users, step):
            numbers = list(range(begin, min(users, begin + step)))
            flat = items[begin : begin + step].ravel()
            line = np.repeat(numbers, width)
            text = _text(flat, line, "recommended item")
            starts = np.arange(len(numbers) + 1) * width
            made = RunColumns(
                queries=numbers,
                starts=starts,
                document=text,
                value=None,
                line=line,
                origin=begin,
            )
            yield made if padding is None else made.take(flat != padding)

    return Source(
        "the run",
        pieces,
        "row",
        skip_bad,
    )


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


def whole_run(run: Any) -> Mapping[Any, Any]:
    """Query -> its documents in order, or document -> score, of a run of any kind.

    If a file has a malformed line, or a document twice for one query, the error names the lines.

    >>> whole_run({"q": ["d1", "d2"]})["q"]
    ['d1', 'd2']
    """
    return read_whole(run, run=True)[0]


def read_whole(
    value: Any,
    *,
    run: bool,
    kind: str | None = None,
    skip_bad: bool = False,
) -> tuple[Mapping[Any, Any], int]:
    """A whole run, or judgments, and how many malformed lines were left out."""
    read = source(
        value,
        run=run,
        kind=kind,
        skip_bad=skip_bad,
    )
    if not isinstance(read, Source):
        return run_of(read).kept(), 0
    items = read.all()
    # A malformed line may be left out; which of two lines holds is not for a reader to say.
    twice = Problems(read.name, read.unit, can_skip=False)
    tell_repeated(
        items,
        repeated(items),
        twice,
        "ranked" if run else "judged",
    )
    twice.check()
    return dict(rankings(items, NO_DUPLICATES)), read.problems.count


def without_own(run: Run, identical: IdenticalIds) -> Run:
    """A run whose documents with the id of their query are counted, and removed if so chosen.

    >>> without_own(Run({"q1": ["q1", "d"]}), OWN_REMOVED)["q1"]
    ['d']
    """
    if isinstance(run, PiecedRun):
        each = run._each  # noqa: SLF001 -- of this module
        return PiecedRun(run.pieces, lambda piece: without_own(each(piece), identical))
    if isinstance(run, ReadRun):
        run.source = _source_without_own(run.source, identical)
        return run
    kept = run.kept()
    try:
        with_own = [query for query, ranking in kept.items() if query in ranking]
    except TypeError:  # some are no rankings, as is told later
        with_own = [query for query, ranking in kept.items() if _holds(ranking, query)]
    if not with_own:
        return run
    kept_run = run
    if identical is OWN_REMOVED:
        kept_run = Run({**kept, **{query: _without(kept[query], query) for query in with_own}})
        kept_run.told += run.told
    kept_run.told[OWN[identical]] = len(with_own)
    return kept_run


OWN = {OWN_KEPT: "own_kept", OWN_REMOVED: "own_removed"}


def _holds(ranking: Any, query: Any) -> bool:
    try:
        return query in ranking
    except TypeError:
        return False


def _without(ranking: Any, query: Any) -> Any:
    if isinstance(ranking, Mapping):
        return {document: score for document, score in ranking.items() if document != query}
    return [document for document in ranking if document != query]


def _source_without_own(read: Readable[Any], identical: IdenticalIds) -> Source:
    def pieces(problems: Problems, origin: int) -> Iterator[RunColumns]:
        for part in read.pieces(problems, origin):
            is_own = _own_documents(part)
            if is_own.any():
                problems.told[OWN[identical]] += int(is_own.sum())
            yield part.take(~is_own) if identical is OWN_REMOVED and is_own.any() else part

    return Source(
        read.name,
        pieces,
        read.unit,
        read.skip_bad,
        read.asked,
    )


def _own_documents(part: RunColumns) -> Array:
    """Which items are documents with the id of their query."""
    held = part.queries
    text = held.text if isinstance(held, Ids) else ids(held)
    if text.kind != part.document.kind:
        return np.zeros(len(part.line), dtype=bool)
    alike = part.document.may_equal(text, part.query)
    has_id_of_query = np.zeros(len(part.line), dtype=bool)
    if len(alike):
        beside = text.take(part.query[alike])
        has_id_of_query[alike] = part.document.take(alike).equal(beside)
    return has_id_of_query


def held_out(items: Any, users: int) -> RunColumns | Mapping[Any, Any]:
    """The items held out of each user, in columns: a list of collections, or a 2-D array."""
    if isinstance(items, Mapping):
        return items
    if not hasattr(items, "__len__"):
        items = list(items)
    if len(items) != users:
        raise InputError(
            f"{users} rows of recommended items and {len(items)} collections of held-out items; "
            "give one collection for each row"
        )
    flat: Any
    if isinstance(items, np.ndarray) and items.ndim > 1:
        sizes, flat = _rows_of(items)
    else:
        try:
            sizes = np.fromiter(map(len, items), np.intp, users)
        except TypeError:
            raise InputError(
                "the held-out items are not a collection of item ids for each user; give one, "
                "such as a list of lists"
            ) from None
        if users and not isinstance(items, np.ndarray) and _all_are(Mapping, items):
            return dict(enumerate(items))
        if users and _all_are(np.ndarray, items):
            flat = np.concatenate(items)
        else:
            flat = list(chain.from_iterable(items))
    line = np.repeat(np.arange(users), sizes)
    return RunColumns(
        queries=list(range(users)),
        starts=np.concatenate([[0], np.cumsum(sizes)]),
        document=_text(flat, line, "held-out item"),
        value=None,
        line=line,
    )


def _rows_of(items: Array) -> tuple[Array, Array]:
    """How many items each row of an array has, and all of them."""
    if items.ndim > 2:
        raise InputError(
            f"the held-out items are an array of {items.ndim} axes; give one of two, a row of item "
            "ids for each user"
        )
    rows, width = items.shape
    return np.full(rows, width), items.ravel()


def _all_are(kind: type, items: Iterable[Any]) -> bool:
    return all(isinstance(item, kind) for item in items)


def _text(flat: Any, user: Array, what: str) -> Text:
    """The ids as a column; one that is none is told by its user."""
    if isinstance(flat, np.ndarray) and flat.dtype.kind in "iu" and flat.dtype != np.uint64:
        return Numbers.of(flat, what)
    values = flat.tolist() if isinstance(flat, np.ndarray) else flat
    try:
        return ids(values, what)
    except InputError as error:
        place = at(int(user[_odd(values)]))
        raise InputError(f"{place}{error}") from None


def _odd(values: Sequence[Any]) -> int:
    """The place of the first value that is no id, or none of the kind that the others are."""
    text = any(isinstance(value, str) for value in values)
    for place, value in enumerate(values):
        try:
            if ids([value]).kind != "text" and text:
                return place
        except InputError:
            return place
    return 0


def read_beside(
    run: Any, beside: Mapping[str, Any], *, skip_bad: bool
) -> tuple[dict[str, Any], int]:
    """What was given besides, read where it is a file, and the lines left out."""
    read = dict(beside)
    left_out = 0
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
