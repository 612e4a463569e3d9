r"""How ranks of documents change between two runs of the same queries: p-MRR.

A query is asked twice, the second time with an instruction by which some documents are no longer
relevant. A ranker that follows the instruction ranks these documents lower.

change of a document: r / r' - 1 where the rank r' is higher up than before, 1 - r / r' elsewhere
p-MRR: the mean of the queries' means; r is the rank before, r' the rank after
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import Bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.numbers import Array
from irmetrics_edu.rows.query_values import VALUES, Values
from irmetrics_edu.runs.accepted import JudgmentsInput, RunInput
from irmetrics_edu.runs.evaluation import Evaluation, evaluate
from irmetrics_edu.runs.notes import NoteKind, of_queries
from irmetrics_edu.runs.run_scores import caption_of
from irmetrics_edu.views.result_table import ResultTable, Tabled
from irmetrics_edu.working import Table, Working


@dataclass(frozen=True)
class RankChange:
    """A document of a query with its rank in both runs.

    A document that a run lacks has the rank below the last of that query.
    """

    query: Hashable
    document: Hashable
    before: int
    after: int

    @property
    def value(self) -> float:
        """How far it fell, from -1 (to the top) over 0 (it stayed) to 1 (far down)."""
        if self.before >= self.after:
            return self.after / self.before - 1
        return 1 - self.before / self.after


@dataclass(frozen=True, repr=False)
class PairwiseMRR(Tabled):
    """The p-MRR of two runs, with the change of each document.

    `per_query` maps each query to its mean. `left_out` are the queries that a run lacks.
    """

    changes: Sequence[RankChange]
    left_out: Sequence[Hashable]
    conventions: Bundle

    @property
    def per_query(self) -> dict[Hashable, float]:
        """The mean change of the documents of each query."""
        of_query: dict[Hashable, list[float]] = {}
        for change in self.changes:
            of_query.setdefault(change.query, []).append(change.value)
        return {query: sum(values) / len(values) for query, values in of_query.items()}

    @property
    def mean(self) -> float:
        """The p-MRR: the mean over queries."""
        return float(self.working.value)

    @property
    def working(self) -> Working:
        """How the p-MRR follows from the ranks, a line for each document."""
        values = np.array([change.value for change in self.changes])
        rows = Values(
            np.zeros(len(values), dtype=np.intp),
            values,
            [change.query for change in self.changes],
            labelled=True,
        )
        working = pairwise_mrr.measured(rows)
        before = [change.before for change in self.changes]
        after = [change.after for change in self.changes]
        documents = [change.document for change in self.changes]
        labels = {
            **working.table.labels,
            "document": documents,
            "rank before": before,
            "rank after": after,
        }
        working.table = Table(working.table.query, labels)
        return working

    def notes(self) -> tuple[str, ...]:
        """Which queries are left out."""
        notes = of_queries(NoteKind.IN_ONE_RUN, self.left_out)
        return tuple(note.sentence() for note in notes)

    def table(self, *, digits: int = 4) -> ResultTable:
        """The mean change of each query, and the p-MRR."""
        lines = [(str(query), value) for query, value in self.per_query.items()]
        return ResultTable(
            ("query", "change of rank"),
            [*lines, ("p-MRR", self.mean)],
            caption_of(len(lines), self.conventions),
            self.notes(),
            digits,
        )


def _mean_of_means(rows: Values) -> Working:
    """The p-MRR is the mean over queries of the mean change of each query's documents."""
    names = list(dict.fromkeys(rows.label))
    sizes = dict.fromkeys(names, 0)
    for name in rows.label:
        sizes[name] += 1
    of_query: Array = np.array([float(sizes[name]) for name in rows.label])
    share = rows.value / of_query
    return Working(
        np.array([share.sum() / len(names)]),
        how="({share of the query}) / {queries}",
        columns={
            "change of rank": rows.value,
            "documents of the query": of_query,
            "share of the query": share,
        },
        table=rows.table(),
        quantities={"queries": np.array([float(len(names))])},
        rows=rows,
    )


pairwise_mrr = Metric(
    _mean_of_means,
    "p-MRR",
    symbol=r"\text{p-MRR}",
    formula=r"\frac{1}{|Q|}\sum_{q\in Q}\frac{1}{|D_q|}\sum_{d\in D_q}"
    r"\begin{cases}r'_d/r_d-1&\text{if }r_d\ge r'_d\\1-r_d/r'_d&\text{else}\end{cases}",
    source="Weller, Chang, MacAvaney, Lo, Cohan, Van Durme, Lawrie & Soldaini (2024), FollowIR: "
    "Evaluating and Teaching Information Retrieval Models to Follow Instructions, arXiv:2403.15246",
    inputs=VALUES,
    range=(-1.0, 1.0),
)


def p_mrr(
    before: RunInput,
    after: RunInput,
    changed: JudgmentsInput,
    conventions: Bundle | str = "trec_eval",
) -> PairwiseMRR:
    """The p-MRR says how far documents fall that an instruction has made not relevant.

    `before` is the run of the queries alone, and `after` the run with the instruction, under the
    same query ids; each is a run as `evaluate` takes it. `changed` maps each query to the documents
    that were relevant before and are not any more: a set, or judgments with a grade above 0. The
    result is between -1 and 1, often shown times 100. It is above 0 if the documents fall as they
    should, and below 0 if they rise. A document that a run lacks has the rank below its last. A
    query that one of the runs lacks is left out, and a note says so. Ties are in the order of the
    conventions. InputError if no query is in both runs, or nothing is marked as changed.

    Source: Weller et al. (2024), FollowIR, arXiv:2403.15246.

    >>> found = p_mrr({"q": ["a", "b", "c", "d"]}, {"q": ["b", "d", "c", "a"]}, {"q": {"a"}})
    >>> found.mean
    0.75
    """
    old, new = (evaluate(run, changed, "RR", conventions) for run in (before, after))
    absent = {*old.counts.missing, *new.counts.missing}
    changes: list[RankChange] = []
    left_out: list[Hashable] = []
    for query in old.queries:
        documents = _marked(old, query)
        if query in absent and documents:
            left_out.append(query)
            continue
        rank_before, rank_after = (_ranks(run, query) for run in (old, new))
        for document in documents:
            before_it = rank_before.get(document, len(rank_before) + 1)
            after_it = rank_after.get(document, len(rank_after) + 1)
            changes.append(RankChange(query, document, before_it, after_it))
    if not changes:
        raise InputError(
            "no document of a query that both runs have is marked as changed, so there is no p-MRR;"
            " give {query: documents} whose queries are those of both runs"
        )
    return PairwiseMRR(changes, left_out, old.conventions)


def _marked(evaluation: Evaluation, query: Hashable) -> list[Hashable]:
    """The documents of a query that are marked as changed."""
    judged = evaluation.aligned.judgments(query)
    if not isinstance(judged, Mapping):
        return list(judged)
    return [document for document, grade in judged.items() if grade is not None and grade > 0]


def _ranks(evaluation: Evaluation, query: Hashable) -> dict[Hashable, int]:
    """The rank of each document of a query."""
    return {document: rank for rank, document in enumerate(evaluation.aligned.order(query), 1)}
