"""The counts of an evaluation besides its scores: everything left out or assumed is named."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from typing import Any

import numpy as np

from irmetrics_edu.checks import written_otherwise
from irmetrics_edu.conventions import (
    ALL_JUDGED,
    AS_GIVEN,
    COUNTED,
    NO_DUPLICATES,
    NOT_JUDGED_ZERO,
    NOT_READ,
    QUICKSORT,
    REVERSED,
    Duplicates,
)
from irmetrics_edu.engine.id_list import chosen as ids_at
from irmetrics_edu.libraries import Bundle, Met
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.metrics.pairwise import pair_accuracy
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.column_names import other_names
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.rows.scored import SCORED
from irmetrics_edu.runs.joining.joined_run import Joined
from irmetrics_edu.runs.joining.judgments import padding
from irmetrics_edu.runs.joining.swapped_levels import subtopics_come_first
from irmetrics_edu.runs.notes import AS_TREC_EVAL, Note, NoteKind, of_queries


@dataclass(frozen=True)
class Counts:
    """How many queries and documents there are, and which of them need a note.

    `unjudged_documents` maps each cut-off (None: the whole ranking) to the number of documents
    retrieved above it, in all queries, that nobody judged. `as_trec_eval` counts what was read from
    TREC files otherwise than written, as trec_eval reads it. `columns` says which column of a table
    was read as what, for the run and the judgments. `unnamed_columns` says which of the two have no
    line of names, so that their columns are called by their places. `ties_as_given` says that tied
    documents are in the order in which they came (or in its reverse). `scores_not_read` says that
    all documents are. `interleaved` says that the documents of a query were not together in the
    run. `lowest_relevant` and `highest_grade` are those of the judgments above 0; 0 without any.
    """

    queries: int
    retrieved: int = 0
    relevant: int = 0
    relevant_retrieved: int = 0
    missing: Sequence[Hashable] = ()
    missing_score_zero: bool = True
    not_judged: Sequence[Hashable] = ()
    not_judged_score_zero: bool = False
    without_relevant: Sequence[Hashable] = ()
    empty: Sequence[Hashable] = ()
    unjudged_documents: Mapping[int | None, int] = field(default_factory=dict)
    documents_within: Mapping[int | None, int] = field(default_factory=dict)
    duplicates: int = 0
    tied: int = 0
    lines_left_out: int = 0
    as_trec_eval: Mapping[str, int] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    unnamed_columns: Sequence[str] = ()
    ties_as_given: bool = False
    ties: str = ""  # the convention that orders tied documents
    scores_not_read: bool = False
    interleaved: bool = False
    relevant_alone: bool = False  # whether no grades are given, as for held-out items
    padding: int = 0  # judged documents of negative grade, left out as padding
    lowest_relevant: float = 0
    highest_grade: float = 0
    grades_cut: int = 0  # grades with a fraction, cut to whole numbers as the conventions say
    fractions: int = 0  # the other grades with a fraction, and those below -1, which are counted
    ids_apart: str = ""  # how ids are written otherwise, where no judged document was retrieved
    subtopics_first: bool = False  # whether judgments by subtopic look turned round
    not_asked_for: Sequence[Hashable] = ()  # left out, because other queries were asked for
    unknown: Sequence[Hashable] = ()  # asked for, and neither judged nor in the run
    longest: int = 0  # documents of a ranking
    judged_not_retrieved: int = 0  # only where a measure leaves these documents out
    unrated: int = 0  # queries with documents of which nobody judged one, down to the last cut-off
    below_minus_1: int = 0  # only where the library is known to differ for them

    @property
    def nothing_retrieved(self) -> bool:
        """Whether the run has queries, and no document for any of them."""
        return bool(self.empty) and len(self.empty) + len(self.missing) >= self.queries

    @property
    def has_ratings(self) -> bool:
        """Whether the grades were read from a column of ratings."""
        return self.columns.get("judgments", {}).get("grade") == "rating"

    @property
    def none_judged(self) -> bool:
        """Whether documents were retrieved to the greatest depth, and nobody judged any of them."""
        within = max(self.documents_within.values(), default=0)
        return within > 0 and max(self.unjudged_documents.values()) == within

    def met(self) -> list[Met]:
        """What there is on which libraries differ from their conventions."""
        there_is = {
            Met.REPEATED: self.duplicates,
            Met.EMPTY: len(self.empty),
            Met.WITHOUT_RELEVANT: len(self.without_relevant),
            Met.MISSING: len(self.missing),
            Met.NOT_JUDGED: len(self.not_judged),
            Met.FRACTION: self.fractions,
            Met.BELOW_MINUS_1: self.below_minus_1,
            Met.TIED: self.tied,
            Met.NO_RATED_HIT: self.unrated,
            Met.SEVERAL_GRADES: 0 < self.lowest_relevant < self.highest_grade,
        }
        return [met for met, count in there_is.items() if count]

    def notes(self, *, unjudged: bool = True) -> list[str]:
        """A sentence for each count that is not zero; of unjudged documents only if `unjudged`."""
        return [note.sentence() for note in self.noted(unjudged=unjudged)]

    def noted(self, *, unjudged: bool = True) -> list[Note]:
        """A note for each count that is not zero; of unjudged documents only if `unjudged`."""
        notes = self._of_queries()
        if self.nothing_retrieved:
            notes.append(Note(NoteKind.NOTHING_RETRIEVED))
        if unjudged or self.relevant_alone:
            notes += self._of_unjudged()
        notes += self._of_columns()
        notes += self._of_documents()
        if self.interleaved:
            notes.append(Note(NoteKind.INTERLEAVED))
        return notes

    def _of_queries(self) -> list[Note]:
        """Queries that one side lacks, and those without a document or a relevant one."""
        if self.missing_score_zero:
            missing = NoteKind.MISSING_SCORE_ZERO
        else:
            missing = NoteKind.MISSING_LEFT_OUT
        if self.not_judged_score_zero:
            not_judged = NoteKind.NOT_JUDGED_SCORE_ZERO
        else:
            not_judged = NoteKind.NOT_JUDGED_LEFT_OUT
        return [
            *of_queries(missing, self.missing),
            *of_queries(not_judged, self.not_judged),
            *of_queries(NoteKind.NOT_ASKED_FOR, self.not_asked_for),
            *of_queries(NoteKind.UNKNOWN, self.unknown),
            *of_queries(NoteKind.EMPTY, self.empty),
            *of_queries(NoteKind.WITHOUT_RELEVANT, self.without_relevant),
        ]

    def _of_unjudged(self) -> list[Note]:
        """How many documents above each cut-off nobody judged."""
        if self.relevant_alone:
            other = any(self.unjudged_documents.values())
            return [Note(NoteKind.RELEVANT_ALONE)] if other else []
        notes = []
        if self.none_judged:
            kind = NoteKind.SUBTOPICS_FIRST if self.subtopics_first else NoteKind.NONE_JUDGED
            notes.append(Note(kind))
            if self.ids_apart:
                notes.append(Note(NoteKind.IDS_APART, about=self.ids_apart))
        # A cut below the end of all rankings says nothing new: of equal counts the deepest stands.
        deepest: dict[tuple[int, int], int | None] = {}
        for cutoff, count in self.unjudged_documents.items():
            if count:
                deepest[count, self.documents_within[cutoff]] = cutoff
        for (count, among), cutoff in deepest.items():
            note = Note(
                NoteKind.UNJUDGED,
                count,
                among=among,
                cutoff=cutoff,
            )
            notes.append(note)
        return notes

    def _of_columns(self) -> list[Note]:
        """What has to be said of the columns that were read, and of their lack."""
        sentences = other_names(self.columns, self.unnamed_columns)
        notes = [Note(NoteKind.OTHER_NAMES, about=names) for names in sentences]
        if self.has_ratings:
            notes.append(Note(NoteKind.RATINGS))
        run = self.columns.get("run", {})
        if run and "score" not in run:
            ranked_by = "its column of ranks" if "rank" in run else "the order of its rows"
            notes.append(Note(NoteKind.NO_SCORES, about=ranked_by))
        return notes

    def _of_documents(self) -> list[Note]:
        """Documents and lines that were taken in a way that has to be told, by their number."""
        counts = {
            self._tied_kind(): self.tied,
            NoteKind.DUPLICATES: self.duplicates,
            NoteKind.PADDING: self.padding,
            NoteKind.GRADES_CUT: self.grades_cut,
            NoteKind.BAD_LINES: self.lines_left_out,
        }
        for name, kind in AS_TREC_EVAL.items():
            counts[kind] = self.as_trec_eval.get(name, 0)
        if self.interleaved:  # then a part of a file may hold a part of a query's ranks
            counts[NoteKind.GAPS] = 0
        return [Note(kind, count, about=self.ties) for kind, count in counts.items() if count]

    def of_order(self) -> list[str]:
        """A sentence for what makes the order of documents another one than may be meant."""
        order = (NoteKind.AGAINST_RANKS, NoteKind.GAPS)
        return [note.sentence() for note in self._of_documents() if note.kind in order]

    def _tied_kind(self) -> NoteKind:
        """In which order tied documents are."""
        if self.scores_not_read:
            return NoteKind.IN_ORDER_GIVEN
        return NoteKind.TIED_AS_GIVEN if self.ties_as_given else NoteKind.TIED

    def facts(self) -> dict[str, Any]:
        """All counts, as JSON has them; of grades the notes tell."""
        facts = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _OF_GRADES}
        for name in ("unjudged_documents", "documents_within"):
            facts[name] = {"all" if k is None else str(k): n for k, n in facts[name].items()}
        for name in _LISTS:
            facts[name] = list(facts[name])
        return facts


_FEW = 5  # queries whose judgments are looked at
_LISTS = (
    "missing",
    "not_judged",
    "not_asked_for",
    "unknown",
    "without_relevant",
    "empty",
    "unnamed_columns",
)
_OF_GRADES = {
    "lowest_relevant",
    "highest_grade",
    "fractions",
    "below_minus_1",
    "ids_apart",
    "subtopics_first",
    "longest",
    "ties",
    "judged_not_retrieved",
    "unrated",
}
# Documents are counted over rows that keep every retrieved document in its place.
_PLAIN = cg.using(unjudged="no_gain")


def counted(
    aligned: Joined,
    chosen: Sequence[Measure],
    by: Bundle,
) -> Counts:
    """Queries and documents that are missing, unjudged or tied.

    Documents are counted if judgments are by grades, or by subtopic in a file or frame.
    """
    matched = aligned.matched
    totals: dict[str, Any] = {
        "queries": len(aligned.queries),
        "missing": matched.missing,
        "missing_score_zero": aligned.by.missing_queries is COUNTED,
        "not_judged": matched.not_judged,
        "not_asked_for": aligned.not_asked_for,
        "unknown": matched.unknown,
        "not_judged_score_zero": by.unjudged_queries is NOT_JUDGED_ZERO,
        "tied": aligned.tied(),
        "duplicates": aligned.noted.duplicates or _repeated(aligned, chosen, by),
        **_of_reading(aligned, by),
    }
    counted_kinds = (RANKED, SCORED)
    if not aligned.by_subtopic and not any(m.metric.inputs in counted_kinds for m in chosen):
        return Counts(**totals)
    # Where tied documents share their ranks, none is above the cut or below: as given, each is.
    plain = _PLAIN.using(ties="given") if aligned.by.ties.shared else _PLAIN
    plain = plain.using(duplicates=_taken_as(chosen, by))
    cutoffs = {measure.k for measure in chosen}
    by_depth = sorted(cutoffs, key=lambda k: (k is None, k or 0))
    documents = _Documents(by_depth)
    for part in aligned.parts([plain]):
        documents.add(aligned.rows(plain, part))
    counts = Counts(
        **totals,
        subtopics_first=_are_subtopics_first(aligned),
        retrieved=documents.retrieved,
        relevant=documents.relevant,
        relevant_retrieved=documents.relevant_retrieved,
        lowest_relevant=documents.lowest_relevant,
        highest_grade=documents.highest_grade,
        longest=documents.longest,
        unrated=documents.unrated,
        without_relevant=ids_at(aligned.queries, np.concatenate(documents.without_relevant)),
        empty=_empty(aligned, np.concatenate(documents.empty)),
        unjudged_documents=documents.unjudged,
        documents_within=documents.within,
        judged_not_retrieved=_judged_not_retrieved(aligned, chosen, by, plain),
    )
    if not counts.none_judged:
        return counts
    return replace(counts, ids_apart=_ids_apart(aligned))


def leaves_out_unretrieved(measure: Measure, by: Bundle) -> bool:
    """Whether judged documents that were not retrieved are no part of a measure of all judged."""
    metric = measure.metric
    if metric.inputs is not SCORED and metric.name != pair_accuracy.name:
        return False
    return bool(by.aligned(metric)["unretrieved"].absent)


def _judged_not_retrieved(
    aligned: Joined,
    chosen: Sequence[Measure],
    by: Bundle,
    plain: Metric,
) -> int:
    """How many judged documents were not retrieved, if a measure leaves these out."""
    if not any(leaves_out_unretrieved(measure, by) for measure in chosen):
        return 0
    count = 0
    every = plain.using(pool=ALL_JUDGED)
    for part in aligned.parts([every]):
        rows = aligned.rows(every, part)
        count += len(rows.pool_grade) - int(rows.judged.sum())
    return count


def _of_reading(aligned: Joined, by: Bundle) -> dict[str, Any]:
    """How lines, columns, scores and grades were read, for the fields of the counts."""
    return {
        "lines_left_out": aligned.noted.skipped,
        "as_trec_eval": dict(aligned.noted.told),
        "columns": aligned.columns,
        "unnamed_columns": aligned.unnamed,
        "ties": str(aligned.by.ties),
        "ties_as_given": aligned.by.ties in (AS_GIVEN, REVERSED, QUICKSORT),
        "scores_not_read": aligned.by.scores is NOT_READ,
        "interleaved": aligned.noted.interleaved,
        "padding": padding(aligned.judged, aligned.by.negative),
        "grades_cut": 0 if aligned.judged is None else aligned.judged.cut,
        "fractions": _odd_grades(aligned, by, Met.FRACTION),
        "below_minus_1": _odd_grades(aligned, by, Met.BELOW_MINUS_1),
        "relevant_alone": aligned.judged is not None and not aligned.judged.graded,
    }


class _Documents:
    """Documents counted part by part: in all, down to each cut-off, and of which queries none."""

    def __init__(self, cutoffs: Sequence[int | None]) -> None:
        self.within: dict[int | None, int] = dict.fromkeys(cutoffs, 0)
        self.unjudged: dict[int | None, int] = dict.fromkeys(cutoffs, 0)
        self.retrieved = 0
        self.relevant = 0
        self.relevant_retrieved = 0
        self.lowest_relevant: float = 0
        self.highest_grade: float = 0
        self.longest = 0
        self.unrated = 0
        self.without_relevant: list[Array] = []
        self.empty: list[Array] = []

    def add(self, rows: Rows) -> None:
        """Count the documents of some queries."""
        within = rows
        for cutoff in self.within:
            deep = int(rows.depth(cutoff).sum())
            self.within[cutoff] += deep
            within = rows.top(cutoff)
            self.unjudged[cutoff] += deep - int(within.judged.sum())
        rated = np.bincount(within.query[within.judged], minlength=rows.n)
        self.unrated += int(((rows.retrieved > 0) & (rated == 0)).sum())
        above_zero = rows.pool_grade[rows.pool_grade > 0]
        if len(above_zero):
            lowest = float(above_zero.min())
            self.lowest_relevant = min(lowest, self.lowest_relevant or lowest)
            self.highest_grade = max(float(above_zero.max()), self.highest_grade)
        relevant, relevant_retrieved = _relevant(rows)
        self.retrieved += int(rows.retrieved.sum())
        self.longest = max(self.longest, int(rows.retrieved.max(initial=0)))
        self.relevant += int(relevant.sum())
        self.relevant_retrieved += int(relevant_retrieved.sum())
        self.without_relevant.append(relevant == 0)
        self.empty.append(rows.retrieved == 0)


def _ids_apart(aligned: Joined) -> str:
    """How documents of the first query that has some on both sides are written otherwise."""
    if not aligned.run.can_be_asked:
        return ""
    for query in islice(aligned.queries, _FEW):
        judged = aligned.judgments(query)
        apart = written_otherwise(aligned.run.get(query, ()), judged or ())
        if apart:
            return apart
    return ""


def _are_subtopics_first(aligned: Joined) -> bool:
    """Whether the judgments of the first queries map them to subtopics, and these to documents."""
    if not aligned.by_subtopic or aligned.judged is None or not aligned.run.at_hand:
        return False
    few = list(islice(aligned.queries, _FEW))
    run = aligned.run.kept()
    return subtopics_come_first(aligned.judged, {query: run.get(query, ()) for query in few})


def _odd_grades(
    aligned: Joined,
    by: Bundle,
    odd: Met,
) -> int:
    """How many grades are odd in a way for which the library is known to differ."""
    if aligned.judged is None or aligned.by_subtopic or not by.has_quirk_on(odd):
        return 0
    grades = aligned.judged.grades()
    is_odd = grades < -1 if odd is Met.BELOW_MINUS_1 else grades != np.trunc(grades)
    return int(is_odd.sum())


def _taken_as(
    chosen: Sequence[Measure],
    by: Bundle,
) -> Duplicates:
    """How these measures take repeated documents, if one of them takes any."""
    each = [by.aligned(m.metric)["duplicates"] for m in chosen]
    return next((how for how in each if how is not NO_DUPLICATES), NO_DUPLICATES)


def _repeated(
    aligned: Joined,
    chosen: Sequence[Measure],
    by: Bundle,
) -> int:
    """How many places of the run's lists hold a document that the list had before."""
    if _taken_as(chosen, by) is NO_DUPLICATES or aligned.judged is None:
        return 0
    lists = (aligned.run.get(query, ()) for query in aligned.queries)
    return sum(
        len(ranking) - len(set(ranking)) for ranking in lists if not isinstance(ranking, Mapping)
    )


def _empty(aligned: Joined, empty: Array) -> Sequence[Hashable]:
    """The queries of the run that have no document."""
    if not empty.any():
        return ()
    missing = set(aligned.matched.missing)
    return [query for query in ids_at(aligned.queries, empty) if query not in missing] or ()


def _relevant(rows: Rows) -> tuple[Array, Array]:
    """Of each query, how many documents are relevant, and how many of those were retrieved."""
    relevant = np.bincount(rows.pool_query[rows.pool_grade > 0], minlength=rows.n)
    return relevant, np.bincount(rows.query[rows.grade > 0], minlength=rows.n)


def documents_per_query(aligned: Joined) -> dict[Hashable, dict[str, int]]:
    """Documents of each query retrieved, relevant, and both, by trec_eval's names."""
    names = ("num_ret", "num_rel", "num_rel_ret")
    counts: list[tuple[int, ...]] = []
    for part in aligned.parts([_PLAIN]):
        rows = aligned.rows(_PLAIN, part)
        counts += zip(*(c.tolist() for c in (rows.retrieved, *_relevant(rows))), strict=True)
    return {
        q: dict(zip(names, n, strict=True)) for q, n in zip(aligned.queries, counts, strict=True)
    }
