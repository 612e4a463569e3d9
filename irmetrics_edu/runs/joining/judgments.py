"""Judgments of any kind: query -> its judgments, and all of them as one pool.

A run is joined with the pool. Judgments may be by grade or by subtopic. They may come as a mapping,
a file, a frame, columns, or a pool that was read before. Negative grades are settled here.
"""

import math
from array import array
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.checks import at
from irmetrics_edu.conventions import (
    AS_WRITTEN,
    REFUSED,
    STRICT,
    Negative,
    Reading,
    is_negative,
    negative_grade,
)
from irmetrics_edu.engine.noted import Noted
from irmetrics_edu.engine.pool import JudgedPool
from irmetrics_edu.engine.repeats import repeated, tell_repeated
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import Array, starts_of
from irmetrics_edu.reading import frames
from irmetrics_edu.reading.column_names import NO_COLUMNS
from irmetrics_edu.reading.files import File, Problems, as_file
from irmetrics_edu.reading.tables import Kept, Source, of_library, source
from irmetrics_edu.reading.topics import subtopics_of
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import pool_of as nuggets_of
from irmetrics_edu.runs.joining.queries import AskedFor


def _of_mapping(qrels: Mapping[Any, Any], negative: Negative) -> JudgedPool:
    """The pool that a mapping holds: query to judgments, or to the set of relevant documents.

    Errors name query and document.
    """
    names: list[Hashable] = []
    all_text = True
    grades: list[Any] = []
    sizes = []
    for query, judgments in qrels.items():
        if isinstance(judgments, Mapping):
            names.extend(judgments)
            all_text = all_text and checks.all_text(judgments)
            grades.extend(judgments.values())
        else:
            relevant = _relevant(judgments, query)
            names.extend(relevant)
            all_text = all_text and checks.all_text(relevant)
            grades.extend([1] * len(relevant))
        sizes.append(len(judgments))
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.intp)])
    pool = JudgedPool(
        list(qrels),
        starts,
        *_numbers(grades, names, starts, list(qrels)),
        names,
        all_text=all_text,
    )
    return settled(pool, negative)


def _of_source(read: Source, negative: Negative) -> JudgedPool:
    """The pool that a source holds, with negative grades as the convention says."""
    pool: JudgedPool = read.once(_as_judged) if isinstance(read, Kept) else _as_judged(read)
    return settled(pool, negative)


def _as_judged(read: Source) -> JudgedPool:
    """The pool that a source holds; a document judged twice for a query is malformed."""
    items = read.all()
    again = repeated(items)
    if len(again):
        tell_repeated(items, again, read.problems, "judged")
        read.problems.check()
        keep = np.ones(len(items.line), dtype=bool)
        keep[again] = False
        items = items.take(keep)
    n = len(items.line)
    grade = np.ones(n) if items.value is None else items.value  # without grades all are relevant
    judged = np.ones(n, dtype=bool)
    return JudgedPool(
        items.queries,
        items.starts,
        grade,
        judged,
        text=items.document,
        noted=Noted.of(read.problems),
        graded=items.value is not None,
    )


def _relevant(judgments: Any, query: Any) -> Sequence[Hashable]:
    if isinstance(judgments, (str, bytes)) or not hasattr(judgments, "__len__"):
        raise InputError(
            f"{at(query)}{judgments!r} are not judgments; map documents to grades, or give a "
            "set of relevant documents"
        )
    return checks.ids(judgments, query, "judged")


def _numbers(
    grades: list[Any],
    names: list[Hashable],
    starts: Array,
    queries: list[Any],
) -> tuple[Array, Array]:
    """Grades as floats (0 where not judged), and which were judged."""
    try:
        values = np.frombuffer(array("d", grades), dtype=np.float64)  # refuses text and None
    except (TypeError, OverflowError):  # no number, or one beyond doubles
        values = np.full(1, np.nan)
    if (np.abs(values) <= checks.LARGEST_GRADE).all():
        return values, np.ones(len(values), dtype=bool)
    judged = np.array([g is not None for g in grades], dtype=bool)
    for i in np.flatnonzero(judged).tolist():
        query = queries[int(np.searchsorted(starts, i, side="right")) - 1]
        checks.grade(grades[i], at(query, names[i]))
    return np.array([0 if g is None else g for g in grades], dtype=np.float64), judged


def settled(pool: JudgedPool, negative: Negative) -> JudgedPool:
    """The pool with its negative grades as the convention says; an empty pool is refused."""
    sizes = np.diff(pool.starts)
    if not len(sizes):
        raise InputError("the judgments have no query; give judgments: query -> document -> grade")
    if (sizes == 0).any():
        query = pool.queries[int(np.flatnonzero(sizes == 0)[0])]
        raise InputError(
            f"{at(query)}nothing is judged, so there is no score; give judgments, or leave "
            "the query out"
        )
    size = np.abs(pool.grade)
    if (size > checks.LARGEST_GRADE).any():
        i = int(np.argmax(size))
        checks.grade(float(pool.grade[i]), pool.place(i))
    below = pool.grade < 0
    if negative.refused and below.any():
        i = int(np.flatnonzero(below)[0])
        raise negative_grade(pool.place(i), pool.grade[i])
    grade, judged = negative.settled(pool.grade, pool.judged)
    if grade is pool.grade and judged is pool.judged:
        return pool
    return replace(pool, grade=grade, judged=judged)


def _whole(grades: Mapping[Any, Any]) -> tuple[dict[Any, Any], int]:
    """Judgments with every grade cut to a whole number, towards 0; and how many had a fraction."""
    whole: dict[Any, Any] = {}
    n = 0
    for query, judgments in grades.items():
        whole[query] = judgments
        if isinstance(judgments, Mapping):  # and not the relevant documents alone
            cut: dict[Any, Any] = {}
            for document, grade in judgments.items():
                whole_part = _whole_part(grade)
                if whole_part is not None:
                    cut[document] = whole_part
            whole[query] = {**judgments, **cut}
            n += len(cut)
    return whole, n


def _whole_part(grade: Any) -> Any:
    """What is left of a number that has a fraction; None of all else, which is taken as written."""
    if isinstance(grade, np.floating):  # some of numpy's can't be cut
        grade = float(grade)
    if isinstance(grade, (int, np.integer)) or not isinstance(grade, (Real, Decimal)):
        return None
    try:
        whole = math.trunc(grade)
    except (ValueError, OverflowError):  # not a number, or infinite
        return None
    return None if whole == grade else whole


def read_pool(
    qrels: Any,
    *,
    negative: Negative | str = REFUSED,
    reading: Reading | str = STRICT,
    skip_bad: bool = False,
    columns: Mapping[str, str] = NO_COLUMNS,
) -> JudgedPool:
    """The pool of judgments that a mapping, a file or a frame holds; read once, used for many runs.

    >>> read_pool({"q": {"d1": 1, "d2": 0}}).documents
    ['d1', 'd2']
    """
    if isinstance(qrels, JudgedPool):
        return qrels
    negative, reading = Negative.named(negative), Reading.named(reading)
    read = source(
        qrels,
        run=False,
        skip_bad=skip_bad,
        reading=reading,
        columns=columns,
    )
    if isinstance(read, Mapping):
        return _of_mapping(read, negative)
    if isinstance(read, Source):
        return _of_source(read, negative)
    raise InputError(
        f"{qrels!r:.100} are not judgments; map queries to judged documents, or give a file "
        f"or a frame{_how_to_map(qrels)}"
    )


def _how_to_map(qrels: Any) -> str:
    """How a list of lists becomes judgments; nothing of what else was given."""
    if not isinstance(qrels, (list, tuple)) or not isinstance(qrels[:1], (list, tuple)):
        return ""
    first = qrels[0] if qrels else None
    if not isinstance(first, (list, tuple, set, frozenset)):
        return ""
    if isinstance(first, (list, tuple)) and len(first) in (3, 4) and isinstance(first[-1], Real):
        return (
            ": of lines of query, document and grade, "
            "pandas.DataFrame(lines, columns=['query_id', 'doc_id', 'relevance']) is a frame"
        )
    return ": of a list for each query, dict(enumerate(qrels)) is a mapping, and so for the run"


class SharedJudgments(dict[Any, Any]):
    """Judgments in memory that several runs are joined with: one pool is made of them for all."""

    @cached_property
    def as_written(self) -> JudgedPool:
        """The judged documents with their negative grades."""
        return _of_mapping(self, AS_WRITTEN)

    @cached_property
    def whole(self) -> tuple["SharedJudgments", int]:
        """The same with every grade cut to a whole number; and how many had a fraction."""
        cut, n = _whole(self)
        return SharedJudgments(cut), n


class Judged(Mapping[Any, Any]):
    """Query -> judged document -> grade (or what it holds).

    `given` is a mapping, a source (a file, a frame or columns), or a pool that was read before.
    With `whole`, a library's conventions cut every grade to a whole number, towards 0. Of queries
    that are `asked_for`, there are these alone, and `not_asked_for` are the others.
    """

    by_subtopic: ClassVar[bool] = False

    def __init__(
        self,
        value: Any,
        negative: Negative = REFUSED,
        *,
        skip_bad: bool = False,
        whole: bool = False,
        asked_for: AskedFor | None = None,
    ) -> None:
        self.cut = 0  # grades that were cut to whole numbers
        self.asked_for = asked_for
        self.not_asked_for: Sequence[Hashable] = ()
        if asked_for is not None and isinstance(value, Mapping):
            self.not_asked_for = asked_for.not_among(value)
            kept = asked_for.among(value)
            asked_for.refuse_none(value, kept, "judged queries")
            value = {query: value[query] for query in kept}
        if whole and isinstance(value, Mapping):
            cut_grades = value.whole if isinstance(value, SharedJudgments) else _whole(value)
            value, self.cut = cut_grades
        self._given = value
        self._negative = negative
        self._skip_bad = skip_bad
        self._whole = whole
        self.held = value if isinstance(value, Mapping) else None
        self.settled = self.held is None  # whether negative grades are worth what a convention says
        self.noted = Noted()
        # Whether grades are given, and not the relevant documents alone.
        self.graded = any(isinstance(judged, Mapping) for judged in (self.held or {}).values())
        self._pools: dict[str, JudgedPool] = {}

    @property
    def queries(self) -> Mapping[Any, Any]:
        """A mapping whose keys are the queries, in their order."""
        return self.pool(self._negative).number if self.held is None else self.held

    def read(self) -> None:
        """Read what is not in memory yet, so that what is met on the way is known."""
        if self.held is None:
            self.pool(self._negative)

    def pool(self, negative: Negative) -> JudgedPool:
        """All judged documents; a run is joined with them."""
        if negative.name not in self._pools:
            if self.held is None:
                read = read_pool(self._given, negative=negative, skip_bad=self._skip_bad)
            else:  # read once; where no grade is negative, it is one pool for all
                read = settled(self._as_written, negative)
            if self.held is None:
                self.noted, self.graded = read.noted, read.graded
            if self.asked_for is not None and self.held is None:
                read = self._of_asked(read, self.asked_for)
            if self._whole and self.held is None:
                whole = np.trunc(read.grade)
                self.cut = int((read.grade != whole).sum())
                read = replace(read, grade=whole)
            self._pools[negative.name] = read
        return self._pools[negative.name]

    @cached_property
    def _as_written(self) -> JudgedPool:
        """The judged documents that are in memory, with their negative grades."""
        if isinstance(self.held, SharedJudgments):
            return self.held.as_written
        return read_pool(self._given, negative=AS_WRITTEN, skip_bad=self._skip_bad)

    def _of_asked(self, pool: JudgedPool, asked_for: AskedFor) -> JudgedPool:
        """The pool of the queries that were asked for."""
        kept = asked_for.among(pool.queries)
        asked_for.refuse_none(pool.queries, kept, "judged queries")
        self.not_asked_for = asked_for.not_among(pool.queries)
        return pool.of_queries(np.array([pool.number[query] for query in kept], dtype=np.intp))

    def grades(self) -> Array:
        """The grades of all judged documents, as given where they are in memory."""
        if self.held is None:
            return self.pool(self._negative).grade
        grades: list[float] = []
        for judged in self.held.values():
            if isinstance(judged, Mapping):
                grades += [float(grade) for grade in judged.values() if grade is not None]
        return np.array(grades)

    def of(self, query: Any, negative: Negative | None = None) -> Any:
        """What is judged of one query: as it was given, or document to grade as it was read."""
        if self.held is not None:
            return self.held[query]
        pool = self.pool(negative or self._negative)
        return pool.of(pool.number[query])

    def with_unjudged(self, queries: Sequence[Any]) -> "Judged":
        """The same judgments and more queries: one document of each, which nobody judged."""
        if self.held is not None:
            some = next(document for judged in self.held.values() for document in judged)
            more: dict[Any, Any] = {query: {some: None} for query in queries}
            extended = Judged({**self.held, **more}, self._negative, skip_bad=self._skip_bad)
            extended.graded = self.graded
            extended.cut = self.cut
            extended.asked_for = self.asked_for
            extended.not_asked_for = self.not_asked_for
            return extended
        pool = self.pool(self._negative)
        n = len(queries)
        every = replace(
            pool,
            queries=[*pool.queries, *queries],
            starts=np.concatenate([pool.starts, pool.starts[-1] + np.arange(1, n + 1)]),
            grade=np.concatenate([pool.grade, np.zeros(n)]),
            judged=np.concatenate([pool.judged, np.zeros(n, dtype=bool)]),
            names=[*pool.documents, *pool.documents[:1] * n],
            text=None,
        )
        extended = Judged(every, self._negative, skip_bad=self._skip_bad)
        extended.cut = self.cut
        extended.asked_for = self.asked_for
        extended.not_asked_for = self.not_asked_for
        return extended

    def __getitem__(self, query: Any) -> Any:
        return self.of(query)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)


class JudgedBySubtopic(Judged):
    """What every judged document holds; for the reverse join, which document it is.

    `held` maps queries to documents, and these to their subtopics: a set, or grades.
    """

    by_subtopic = True
    held: Mapping[Any, Any]

    def __init__(
        self,
        held: Mapping[Any, Any],
        noted: Noted | None = None,
        asked_for: AskedFor | None = None,
    ) -> None:
        super().__init__(dict(held), asked_for=asked_for)
        self.settled = True
        self.noted = noted or Noted()

    def with_unjudged(self, queries: Sequence[Any]) -> Judged:
        """The same judgments and more queries, of which no document holds anything."""
        some = next(document for held in self.held.values() for document in held)
        more: dict[Any, Any] = {query: {some: set()} for query in queries}
        extended = JudgedBySubtopic({**self.held, **more}, self.noted)
        extended.asked_for = self.asked_for
        extended.not_asked_for = self.not_asked_for
        return extended

    def of_asked(self, only: AskedFor | None) -> "JudgedBySubtopic":
        """The judgments of the queries that were asked for; all of them, if none were."""
        return self if only is None else JudgedBySubtopic(self.held, self.noted, only)

    @cached_property
    def rows(self) -> NuggetRows:
        """The judged documents of all queries, in the order of the pool."""
        return nuggets_of(self.held)

    @cached_property
    def _pool(self) -> JudgedPool:
        rows = self.rows
        relevant = np.bincount(
            rows.row,
            weights=np.asarray(rows.grade > 0, dtype=np.float64),
            minlength=len(rows.query),
        ).clip(max=1)
        return JudgedPool(
            list(self.held),
            starts_of(rows.query, rows.n),
            relevant,
            np.ones(len(relevant), dtype=bool),
            [] if rows.document is None else rows.document.tolist(),
        )

    def pool(self, negative: Negative) -> JudgedPool:  # noqa: ARG002 -- settled when they were read
        """The judged documents; a document is relevant if it is relevant to any subtopic."""
        return self._pool


def read_subtopic_qrels(
    qrels: Any,
    negative: Negative,
    *,
    skip_bad: bool = False,
    columns: Mapping[str, str] = NO_COLUMNS,
) -> JudgedBySubtopic:
    """Judgments by subtopic, from a mapping, a file or a data frame.

    If every grade is 0 or 1, a document's subtopics are a set.
    """
    qrels = of_library(qrels, run=False, subtopics=True)
    if isinstance(qrels, Mapping):
        if isinstance(qrels, JudgedBySubtopic):
            return qrels
        return JudgedBySubtopic(qrels)
    file_or_frame = as_file(qrels)
    if not isinstance(file_or_frame, File) and not frames.is_table(file_or_frame):
        raise InputError(
            f"judgments by subtopic can't be read from a {type(qrels).__name__}; map query -> "
            "document -> subtopics, or give a file or a frame of query, subtopic, document, grade"
        )
    problems = Problems("", skip=skip_bad, asked=columns)
    read = subtopics_of(file_or_frame, problems)
    _refuse_plain(read, file_or_frame)
    held = {q: _worth_of(judged, q, negative) for q, judged in read.items()}
    return JudgedBySubtopic(held, Noted.of(problems))


def _refuse_plain(read: Mapping[Any, Any], qrels: Any) -> None:
    """Refuse judgments whose second field is 0 throughout: it is no subtopic then."""
    for judged in read.values():
        if not isinstance(judged, Mapping):
            return
        for held in judged.values():
            if not isinstance(held, Mapping) or set(held) - {"0", "Q0"}:
                return
    where = f"{qrels}: " if isinstance(qrels, File) else ""
    raise InputError(
        f"{where}the second field is 0 on every line, as in judgments without subtopics; measures "
        "of novelty and intents need query, subtopic, document and grade"
    )


def _worth_of(judged: Any, query: Any, negative: Negative) -> Any:
    """One query's judgments with negative grades worth what the convention says."""
    if not isinstance(judged, Mapping):
        raise InputError(
            f"{at(query)}{judged} are not subtopics; map each judged document to its subtopics"
        )
    grades: set[Any] = set()
    for document, held in judged.items():
        if not isinstance(held, Mapping):
            return {d: set(h) if isinstance(h, list) else h for d, h in judged.items()}
        grades.update(held.values())
        _refuse_negative(held, at(query, document), negative)
    is_set = all(is_negative(grade) or grade in (0, 1) for grade in grades)
    settled_by_document = {}
    for document, held in judged.items():
        settled_by_document[document] = _held_topics(held) if is_set else _graded_topics(held)
    return settled_by_document


def _held_topics(held: Mapping[Any, Any]) -> set[Any]:
    return {topic for topic, grade in held.items() if grade > 0}


def _graded_topics(held: Mapping[Any, Any]) -> dict[Any, Any]:
    return {topic: 0 if is_negative(grade) else grade for topic, grade in held.items()}


def _refuse_negative(held: Mapping[Any, Any], place: str, negative: Negative) -> None:
    """Refuse a subtopic's negative grade; a loss is none either, as no measure of them knows it."""
    if negative.worth_nothing or negative.padding:
        return
    for topic, grade in held.items():
        if is_negative(grade):
            where = f"{place}subtopic {topic!r}: "
            raise negative_grade(where, float(grade), may_be_a_loss=False)


def settled_later(options: Mapping[str, Any]) -> bool:
    """Whether negative grades wait for the retrieved documents: they are refused then, or padding.

    A library that gets only the retrieved documents can refuse only what it sees.
    """
    negative = options.get("negative")
    return negative is not None and negative.is_settled_later(options.get("pool"))


def padding(judged: Judged | None, negative: Negative | None) -> int:
    """How many judged documents are removed as padding, query by query."""
    if judged is None or negative is None or not negative.padding or judged.by_subtopic:
        return 0
    pool = judged.pool(AS_WRITTEN)
    return int((pool.grade < 0).sum())
