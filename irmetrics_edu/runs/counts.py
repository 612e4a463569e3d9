"""The counts of an evaluation besides its scores: everything left out or assumed is named."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from irmetrics_edu.conventions import (
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
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.cumulated_gain import cg
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.column_names import other_names
from irmetrics_edu.reading.tables import NAMED_AS_TABLE
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.runs.joining.judgments import padding

# What is taken otherwise than written, mostly as trec_eval does: of one, and of several.
_AS_TREC_EVAL = {
    "longer": (
        "line goes on after the tag; the rest of the line is ignored",
        "lines go on after the tag; the rest of each line is ignored",
    ),
    "comments": (
        "line begins with # and is left out as a comment",
        "lines begin with # and are left out as comments",
    ),
    "not_utf8": (
        "line is not UTF-8; its ids are compared byte by byte",
        "lines are not UTF-8; their ids are compared byte by byte",
    ),
    "infinite": (
        "score is infinite; it ranks above (or below) all other scores",
        "scores are infinite; they rank above (or below) all other scores",
    ),
    "nan": (
        "score is nan; it ranks below all other scores",
        "scores are nan; they rank below all other scores",
    ),
    "hexadecimal": (
        "score is hexadecimal and is read as C reads it",
        "scores are hexadecimal and are read as C reads them",
    ),
    "cut": (
        "grade is not a whole number; only its digits before the point count",
        "grades are not whole numbers; only their digits before the point count",
    ),
    NAMED_AS_TABLE: (
        "file has the name of a table and holds lines of TREC; it is read as a TREC file",
        "files have names of tables and hold lines of TREC; they are read as TREC files",
    ),
    "own_kept": (
        "query retrieves a document with its own id; identical_ids='removed' would drop it",
        "queries retrieve a document with their own id; identical_ids='removed' would drop it",
    ),
    "own_removed": (
        "query retrieves a document with its own id; identical_ids='removed' dropped it",
        "queries retrieve a document with their own id; identical_ids='removed' dropped it",
    ),
    "mark": (
        "file begins with a byte-order mark, left out here and part of a query's id in trec_eval",
        "files begin with a byte-order mark, left out here and part of a query's id in trec_eval",
    ),
}
_INTERLEAVED = (
    "the documents of a query are not together in the run, so all of it was held in memory; "
    "sort it by query to save memory"
)
NONE_JUDGED = "no judged document was retrieved: have the ids changed?"
NOTHING_RETRIEVED = "the run holds no document for any query: is it the right one?"
_NAMED = 5  # queries that a note lists by name


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
    run.
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
    scores_not_read: bool = False
    interleaved: bool = False
    relevant_alone: bool = False  # whether no grades are given, as for held-out items
    padding: int = 0  # judged documents of negative grade, left out as padding
    grades_cut: int = 0  # grades with a fraction, cut to whole numbers as the conventions say

    @property
    def nothing_retrieved(self) -> bool:
        """Whether the run has queries, and no document for any of them."""
        return bool(self.empty) and len(self.empty) + len(self.missing) >= self.queries

    @property
    def none_judged(self) -> bool:
        """Whether documents were retrieved to the greatest depth, and nobody judged any of them."""
        within = max(self.documents_within.values(), default=0)
        return within > 0 and max(self.unjudged_documents.values()) == within

    def notes(self, *, unjudged: bool = True) -> list[str]:
        """A sentence for each count that is not zero; of unjudged documents only if `unjudged`."""
        fate, fates = ("scores", "score") if self.missing_score_zero else ("is left", "are left")
        how = "0" if self.missing_score_zero else "out"
        unknown = "scores 0" if self.not_judged_score_zero else "is left out"
        unknowns = "score 0" if self.not_judged_score_zero else "are left out"
        out = []
        for queries, one, many in (
            (
                self.missing,
                f"judged query is not in the run and {fate} {how}",
                f"judged queries are not in the run and {fates} {how}",
            ),
            (
                self.not_judged,
                f"query of the run is not judged and {unknown}",
                f"queries of the run are not judged and {unknowns}",
            ),
            (
                self.empty,
                "query has an empty ranking",
                "queries have an empty ranking",
            ),
            (
                self.without_relevant,
                "query has no relevant document",
                "queries have no relevant document",
            ),
        ):
            if queries:
                out.append(_said(queries, one, many))
        if self.nothing_retrieved:
            out.append(NOTHING_RETRIEVED)
        out += self._unjudged() if unjudged or self.relevant_alone else []
        out += self._read()
        tied = "documents share their score with another of the same query"
        if self.scores_not_read:
            tied = "documents are in the order given: the conventions read no scores"
        elif self.ties_as_given:
            tied += ", and these are in the order given"
        for n, one, many in (
            (self.tied, "", tied),
            (self.duplicates, "repeated document was met", "repeated documents were met"),
            (
                self.padding,
                "judged document of negative grade is padding and is left out",
                "judged documents of negative grade are padding and are left out",
            ),
            (
                self.grades_cut,
                "grade has a fraction and is cut to the whole number towards 0",
                "grades have a fraction and are cut to the whole number towards 0",
            ),
            (self.lines_left_out, "bad line was left out", "bad lines were left out"),
            *((self.as_trec_eval.get(kind, 0), *said) for kind, said in _AS_TREC_EVAL.items()),
        ):
            if n:  # never one document in ties: it shares its score with another
                out.append(f"{n:,} {one if n == 1 else many}")
        return out + [_INTERLEAVED] * self.interleaved

    def _unjudged(self) -> list[str]:
        """How many documents above each cut-off nobody judged."""
        if self.relevant_alone:
            said = "only relevant documents are given, so all others count as not relevant"
            return [said] * any(self.unjudged_documents.values())
        out = [NONE_JUDGED] if self.none_judged else []
        # A cut below the end of all rankings says nothing new: of equal counts the deepest stands.
        told = {(n, self.documents_within[k]): k for k, n in self.unjudged_documents.items() if n}
        for (n, among), k in told.items():
            where = "retrieved" if k is None else f"at ranks 1 to {k}"
            are = "is" if n == 1 else "are"
            out.append(f"{n:,} of {among:,} documents {where} {are} not judged ({n / among:.0%})")
        return out

    def _read(self) -> list[str]:
        """What has to be said of the columns that were read, and of their lack."""
        out = other_names(self.columns, self.unnamed_columns)
        if self.columns.get("judgments", {}).get("grade") == "rating":
            out.append("a rating of 1 counts as relevant; P(rel=4)@10 counts ratings from 4 on")
        run = self.columns.get("run", {})
        if run and "score" not in run:
            by = "its column of ranks" if "rank" in run else "the order of its rows"
            out.append(f"the run has no column of scores: its documents are ranked by {by}")
        return out

    def facts(self) -> dict[str, Any]:
        """All counts, as JSON has them."""
        known = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in ("unjudged_documents", "documents_within"):
            known[name] = {"all" if k is None else str(k): n for k, n in known[name].items()}
        for name in ("missing", "not_judged", "without_relevant", "empty", "unnamed_columns"):
            known[name] = list(known[name])
        return known


def _said(queries: Sequence[Hashable], one: str, many: str) -> str:
    shown = ", ".join(str(q) for q in queries[:_NAMED])
    more = f" and {len(queries) - _NAMED:,} more" if len(queries) > _NAMED else ""
    return f"{len(queries):,} {one if len(queries) == 1 else many}: {shown}{more}"


# Documents are counted over rows that keep every retrieved document in its place.
_PLAIN = cg.using(unjudged="no_gain")


def counted(aligned: Any, chosen: Sequence[Measure], by: Bundle) -> Counts:
    """Queries and documents that are missing, unjudged or tied.

    Documents are counted if judgments are by grades, or by subtopic in a file or frame.
    """
    matched = aligned.matched
    known: dict[str, Any] = {
        "queries": len(aligned.queries),
        "missing": matched.missing,
        "missing_score_zero": by.missing_queries is COUNTED,
        "not_judged": matched.not_judged,
        "not_judged_score_zero": by.unjudged_queries is NOT_JUDGED_ZERO,
        "tied": aligned.tied(),
        "duplicates": aligned.noted.duplicates or _repeated(aligned, chosen, by),
        "lines_left_out": aligned.noted.skipped,
        "as_trec_eval": dict(aligned.noted.told),
        "columns": aligned.columns,
        "unnamed_columns": aligned.unnamed,
        "ties_as_given": aligned.by.ties in (AS_GIVEN, REVERSED, QUICKSORT),
        "scores_not_read": aligned.by.scores is NOT_READ,
        "interleaved": aligned.noted.interleaved,
        "padding": padding(aligned.judged, aligned.by.negative),
        "grades_cut": 0 if aligned.judged is None else aligned.judged.cut,
        "relevant_alone": aligned.judged is not None and not aligned.judged.graded,
    }
    by_subtopic = getattr(aligned, "by_subtopic", False)
    if not by_subtopic and not any(m.metric.inputs is RANKED for m in chosen):
        return Counts(**known)
    cuts = sorted({m.k for m in chosen}, key=lambda k: (k is None, k or 0))
    # Where tied documents share their ranks, none is above the cut or below: as given, each is.
    plain = _PLAIN.using(ties="given") if aligned.by.ties.shared else _PLAIN
    plain = plain.using(duplicates=_taken_as(chosen, by))
    within: dict[int | None, int] = dict.fromkeys(cuts, 0)
    unjudged: dict[int | None, int] = dict.fromkeys(cuts, 0)
    of_all = np.zeros(3, dtype=np.int64)
    without = []
    empty = []
    for part in aligned.parts([plain]):
        rows = aligned.rows(plain, part)
        for k in cuts:
            deep = int(rows.depth(k).sum())
            within[k] += deep
            unjudged[k] += deep - int(rows.top(k).judged.sum())
        relevant, found = _relevant(rows)
        of_all += [rows.retrieved.sum(), relevant.sum(), found.sum()]
        without.append(relevant == 0)
        empty.append(rows.retrieved == 0)
    retrieved, relevant_in_all, found_in_all = of_all.tolist()
    return Counts(
        **known,
        retrieved=retrieved,
        relevant=relevant_in_all,
        relevant_retrieved=found_in_all,
        without_relevant=ids_at(aligned.queries, np.concatenate(without)),
        empty=_empty(aligned, np.concatenate(empty)),
        unjudged_documents=unjudged,
        documents_within=within,
    )


def _taken_as(chosen: Sequence[Measure], by: Bundle) -> Duplicates:
    """How these measures take repeated documents, if one of them takes any."""
    each = [by.aligned(m.metric)["duplicates"] for m in chosen]
    return next((how for how in each if how is not NO_DUPLICATES), NO_DUPLICATES)


def _repeated(aligned: Any, chosen: Sequence[Measure], by: Bundle) -> int:
    """How many places of the run's lists hold a document that the list had before."""
    if _taken_as(chosen, by) is NO_DUPLICATES or aligned.judged is None:
        return 0
    lists = (aligned.run.get(query, ()) for query in aligned.queries)
    return sum(len(of) - len(set(of)) for of in lists if not isinstance(of, Mapping))


def _empty(aligned: Any, empty: Array) -> Sequence[Hashable]:
    """The queries of the run that have no document."""
    if not empty.any():
        return ()
    missing = set(aligned.matched.missing)
    return [query for query in ids_at(aligned.queries, empty) if query not in missing] or ()


def _relevant(rows: Any) -> tuple[Array, Array]:
    """Of each query, how many documents are relevant, and how many of those were retrieved."""
    relevant = np.bincount(rows.pool_query[rows.pool_grade > 0], minlength=rows.n)
    return relevant, np.bincount(rows.query[rows.grade > 0], minlength=rows.n)


def documents_per_query(aligned: Any) -> dict[Hashable, dict[str, int]]:
    """Documents of each query retrieved, relevant, and both, by trec_eval's names."""
    names = ("num_ret", "num_rel", "num_rel_ret")
    counts: list[tuple[int, ...]] = []
    for part in aligned.parts([_PLAIN]):
        rows = aligned.rows(_PLAIN, part)
        counts += zip(*(c.tolist() for c in (rows.retrieved, *_relevant(rows))), strict=True)
    return {
        q: dict(zip(names, n, strict=True)) for q, n in zip(aligned.queries, counts, strict=True)
    }
