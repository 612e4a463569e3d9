"""The input of metrics of novelty: a ranking, and the nuggets that each judged document holds.

A nugget is a piece of information, a topic or an intent of the query.
"""

from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from typing import Any, Protocol

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import AS_GIVEN, NO_GAIN, Ties, Unjudged
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, as_fraction, is_exact, objects, ranks_to
from irmetrics_edu.numbers import exact as as_exact
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.ordering import in_order
from irmetrics_edu.rows.ranked_rows import Rows

Number = Mapping[Hashable, int]  # of each nugget


def _graded(
    held: Any,
    query: Any,
    document: Any,
    *,
    exact: bool,
) -> dict[Hashable, Any]:
    """The nuggets of one document with their grades."""
    place = at(query, document)
    if isinstance(held, Mapping):
        grades = held
    elif isinstance(held, (str, bytes)) or not hasattr(held, "__iter__"):
        raise InputError(
            f"{place}the nuggets of the document are {held!r}; give a set, such as "
            f"{{{held!r}}}, or map each nugget to its grade"
        )
    else:
        grades = dict.fromkeys(checks.ids(held, query, "nugget given"), 1)
    out = {}
    for name, grade in grades.items():
        out[name] = checks.number(
            grade,
            f"nugget {name!r}: grade",
            place,
            exact=exact,
        )
        if out[name] < 0:
            raise InputError(f"{place}nugget {name!r}: grade {grade} is negative; give at least 0")
    return out


def _rows(
    documents: Sequence[Hashable],
    held: Sequence[Mapping[Hashable, Any]],
    number: Number,
    query: Any,
    *,
    exact: bool,
) -> NuggetRows:
    """One query's documents as rows, ranked as given."""
    entries = [sorted((number[name], grade) for name, grade in h.items()) for h in held]
    grades = [grade for h in entries for _, grade in h]
    grade = as_exact(grades) if exact else np.array(grades, dtype=np.float64)
    return NuggetRows(
        query=np.zeros(len(held), dtype=np.intp),
        rank=ranks_to(grade, len(held)),
        judged=np.ones(len(held), dtype=bool),
        retrieved=np.array([len(held)]),
        row=np.repeat(np.arange(len(held)), [len(h) for h in entries]).astype(np.intp),
        nugget=np.array([n for h in entries for n, _ in h], dtype=np.intp),
        grade=grade,
        nugget_query=np.zeros(len(number), dtype=np.intp),
        nugget_name=list(number),
        document=objects(documents) if len(documents) else None,
        queries=None if query is None else [query],
    )


def _kept(
    documents: list[Hashable],
    held: Mapping[Hashable, Any],
    unjudged: Unjudged,
) -> list[Hashable]:
    """The documents of a ranking, those that nobody judged as the convention says."""
    if unjudged.grade is not None:
        raise InputError(
            f"unjudged={str(unjudged)!r} gives a grade, and judgments by nugget or subtopic have "
            "no grade of a whole document; choose 'no_gain' or 'removed'"
        )
    if not unjudged.removed:
        return documents
    return [document for document in documents if document in held]


def align_nuggets(
    ranking: Any,
    nuggets: Any = None,
    *,
    intents: Any = None,
    ties: Ties = AS_GIVEN,
    unjudged: Unjudged = NO_GAIN,
    exact: bool = False,
    query: Any = None,
) -> NuggetRows:
    """One ranking and the nuggets of its documents, as rows.

    `ranking` is a list of document ids or a mapping from id to score. `nuggets` maps each judged
    document to its set of nuggets, or to a mapping from nugget to grade or probability. Without
    `nuggets`, the ranking is the list of these sets. `intents` maps nuggets to their probabilities.

    >>> rows = align_nuggets(["a", "x"], {"a": {"A", "B"}, "b": {"B"}})
    >>> list(rows.table().labels["nuggets"])
    ['A, B', '']
    """
    documents, pool = _documents(
        ranking,
        nuggets,
        ties,
        query,
    )
    held = {d: _graded(nuggets_of_it, query, d, exact=exact) for d, nuggets_of_it in pool.items()}
    number = _numbered(held, intents)
    has_ids = nuggets is not None
    judged = list(held) if has_ids else []
    judged_pool = _rows(
        judged,
        list(held.values()),
        number,
        query,
        exact=exact,
    )
    documents = _kept(documents, held, unjudged)
    of_each = [held.get(d, {}) for d in documents]
    rows = _rows(
        documents if has_ids else [],
        of_each,
        number,
        query,
        exact=exact,
    )
    if has_ids and not documents:
        rows.document = objects([])
    rows.judged = np.array([d in held for d in documents], dtype=bool)
    rows.judged_pool = judged_pool
    if intents is not None:
        rows.probability = _probabilities(
            intents,
            number,
            judged_pool,
            query,
        )
        judged_pool.probability = rows.probability
    return rows


def _numbered(held: Mapping[Hashable, Mapping[Hashable, Any]], intents: Any) -> Number:
    """The numbers of all nuggets that documents hold or intents name.

    They go by name, so that no set's chance order shows.
    """
    names: set[Hashable] = set()
    for nuggets_of_it in held.values():
        names.update(nuggets_of_it)
    if isinstance(intents, Mapping):
        names.update(intents)
    return {name: i for i, name in enumerate(sorted(names, key=str))}


def _documents(
    ranking: Any,
    nuggets: Any,
    ties: Ties,
    query: Any,
) -> tuple[list[Hashable], dict[Hashable, Any]]:
    """The ranked documents, and the judged ones with what they hold, by id."""
    if nuggets is None:
        if isinstance(ranking, (str, bytes, Mapping)) or not hasattr(ranking, "__iter__"):
            raise InputError(f"{at(query)}a ranking of documents needs nuggets: document -> set")
        sets = list(ranking)
        for rank, held in enumerate(sets, 1):
            if isinstance(held, (str, bytes)) or not hasattr(held, "__iter__"):
                raise InputError(
                    f"{at(query, held, rank)}a ranking of documents needs nuggets: document -> set"
                )
        pool: dict[Hashable, Any] = dict(enumerate(sets, 1))
        documents: list[Hashable] = list(pool)
    else:
        remedy = "map each judged document to its set of nuggets"
        checks.mapping(
            nuggets,
            "nuggets",
            at(query),
            remedy,
        )
        pool = dict(sorted(nuggets.items(), key=lambda item: str(item[0])))
        if isinstance(ranking, Mapping):
            documents, _ = in_order(ranking, query, ties)
        else:
            checks.ordered(ranking, query)
            documents = checks.ids(ranking, query)
        checks.same_kind_of_ids(documents, pool, query)
    if not pool:
        raise InputError(f"{at(query)}nothing is judged, so there is no score; give nuggets")
    return documents, pool


def _probabilities(
    intents: Any,
    numbers: Number,
    pool: NuggetRows,
    query: Any,
) -> Array:
    """The probability of each nugget, by number."""
    place = at(query)
    checks.mapping(
        intents,
        "intents",
        place,
        "map each nugget to its probability",
    )
    for name, p in intents.items():
        checks.number(p, f"intent {name!r}: probability", place)
        if not 0 <= float(p) <= 1:
            raise InputError(f"{place}intent {name!r}: probability {p} is not between 0 and 1")
    held = set(pool.nugget[np.asarray(pool.grade > 0, dtype=bool)].tolist())
    for name, number in numbers.items():
        if number in held and name not in intents:
            raise InputError(f"{place}nugget {name!r} has no probability in intents; add one")
    probabilities = [as_fraction(intents.get(name, 0)) for name in numbers]
    if abs(float(sum(probabilities)) - 1) > 1e-9:
        raise InputError(
            f"{place}the probabilities of the intents sum to {float(sum(probabilities)):g}, not 1; "
            "divide each by their sum"
        )
    if is_exact(pool.grade):
        return as_exact(probabilities)
    return np.array(probabilities, dtype=np.float64)


def pool_of(nuggets: Mapping[Any, Mapping[Hashable, Any]]) -> NuggetRows:
    """The judged documents of all queries as rows, in the order of queries and of their ids.

    Ids and nuggets of other kinds, and lists in place of sets, go query by query through
    `align_nuggets`, which checks them and words the errors.

    >>> pool_of({"q1": {"b": {"B"}, "a": {"A"}}}).document.tolist()
    ['a', 'b']
    """
    if not nuggets:
        raise InputError("the judgments have no query; give query -> document -> nuggets")
    parts: list[NuggetRows] = []
    plain: dict[Any, Mapping[Hashable, Any]] = {}
    for query, held in nuggets.items():
        if _is_plain(held):
            plain[query] = held
            continue
        if plain:
            parts.append(_of_sets(plain))
            plain = {}
        parts.append(align_nuggets({}, held, query=query).pool)
    if plain:
        parts.append(_of_sets(plain))
    return parts[0] if len(parts) == 1 else NuggetRows.joined(parts)


def _is_plain(held: Any) -> bool:
    """Whether ids are text, and what is held are sets of text."""
    if not (isinstance(held, Mapping) and held and checks.all_text(held)):
        return False
    if not set(map(type, held.values())) <= {set, frozenset}:
        return False
    return checks.all_text(chain.from_iterable(held.values()))


def _of_sets(judged: Mapping[Any, Mapping[Hashable, Any]]) -> NuggetRows:
    """The judged documents of many queries, whose nuggets are sets, as rows in one table."""
    ids: list[Hashable] = []
    entries: list[int] = []
    sizes: list[int] = []
    names: list[Hashable] = []
    pool_count = []
    name_count = []
    for held in judged.values():
        documents = sorted(held)  # type: ignore[type-var]  # ids are text here
        nuggets_of_query = sorted(set(chain.from_iterable(held.values())), key=str)
        number = {n: i for i, n in enumerate(nuggets_of_query, len(names))}
        sets = [held[document] for document in documents]
        sizes += map(len, sets)
        entries += map(number.__getitem__, chain.from_iterable(sets))
        ids += documents
        names += number
        pool_count.append(len(documents))
        name_count.append(len(number))
    index = np.arange(len(judged))
    # Sets have no order; each row's entries are put in that of their nuggets.
    row = np.repeat(np.arange(len(ids)), sizes)
    nugget = np.array(entries, dtype=np.intp)
    nugget = nugget[np.argsort(row * len(names) + nugget)]
    starts = np.cumsum([0, *pool_count])[:-1]
    return NuggetRows(
        query=np.repeat(index, pool_count),
        rank=np.arange(1.0, len(ids) + 1) - np.repeat(starts, pool_count),
        judged=np.ones(len(ids), dtype=bool),
        retrieved=np.array(pool_count),
        row=row,
        nugget=nugget,
        grade=np.ones(len(entries)),
        nugget_query=np.repeat(index, name_count),
        nugget_name=names,
        document=objects(ids),
        queries=list(judged),
    )


_OPTIONS = {"ties": AS_GIVEN, "unjudged": NO_GAIN}


class FoundDocuments(Protocol):
    """The judged documents that a whole run ranks, and the queries that it lacks."""

    @property
    def item(self) -> Array:
        """The number of each document among the judged ones."""

    @property
    def missing(self) -> Array:
        """Whether the run lacks each judged query."""

    @property
    def rows(self) -> Rows:
        """The documents with their ranks."""


class RunBySubtopic(Protocol):
    """A whole run after it met its judgments, which may be by subtopic."""

    @property
    def by_subtopic(self) -> bool:
        """Whether judgments are by subtopic."""

    @property
    def judged_rows(self) -> NuggetRows:
        """The judged documents of judgments by subtopic, with what they hold."""

    @property
    def leaves_out_missing(self) -> bool:
        """Whether judged queries that the run lacks are left out of the means."""

    def found(self, options: Mapping[str, Any]) -> FoundDocuments:
        """The judged documents of the whole run with their ranks, under these conventions."""


def nuggets_in_bulk(joined: RunBySubtopic, options: Mapping[str, Any]) -> NuggetRows | None:
    """Rows of the judged documents of a whole run, with what they hold.

    None for given intents, and for ties and grades of the unjudged that documents without one grade
    can't have: one query after the other refuses these by name.
    """
    if options.get("intents") is not None or not joined.by_subtopic:
        return None
    if not options["ties"].in_bulk or options["unjudged"].grade is not None:
        return None
    met = joined.found(options)
    judged = joined.judged_rows
    kept = ~met.missing if joined.leaves_out_missing else np.ones(len(met.missing), dtype=bool)
    pool = judged if kept.all() else judged.of_queries(kept)
    number: Array = np.cumsum(kept[judged.query]) - 1
    rows = pool.take(number[met.item])
    rows.rank = met.rows.rank
    rows.retrieved = met.rows.retrieved[kept]
    rows.judged_pool = pool
    return rows


_HELD = ("ranking", "nuggets")
NUGGETS = KindOfInput(
    "nuggets",
    _HELD,
    align_nuggets,
    _OPTIONS,
    nuggets_in_bulk,
)
INTENTS = KindOfInput(
    "intents",
    _HELD,
    align_nuggets,
    {"intents": None, **_OPTIONS},
    nuggets_in_bulk,
)
