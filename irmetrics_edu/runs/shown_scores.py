"""Scores that show themselves: the tables, files and plots of `score_tables.py` as methods."""

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from irmetrics_edu.runs import score_tables
from irmetrics_edu.runs.run_scores import AnyMeasure, RunScores
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.result_table import Report, ResultTable, Tabled

if TYPE_CHECKING:
    import pandas as pd

    from irmetrics_edu.views.plotting import Axes


class ShownScores(RunScores, Tabled, Report):
    """The scores of a run as text, in a notebook, as a paper's table, as a file or as a plot.

    Each view comes with the counts that are not zero and with what else has to be said.
    """

    def explain(
        self,
        query: Hashable,
        name: AnyMeasure | None = None,
        *,
        digits: int = 4,
    ) -> Explanation:
        """How one query's score came about, written out: by the first measure, or by `name`."""
        return Explanation(self.working(self.measure_named(name).name, query), digits=digits)

    def summary(self, *, confidence: float = 0.95, digits: int = 4) -> ResultTable:
        """Mean, standard deviation over queries (n-1), quartiles and an interval of the mean."""
        return score_tables.summary(self, confidence=confidence, digits=digits)

    def table(self, *, per_query: bool = False, digits: int = 4) -> ResultTable:
        """The means, or the scores of each query with the means below."""
        if per_query:
            return score_tables.query_table(self, digits=digits)
        return score_tables.mean_table(self, digits=digits)

    def lowest(
        self,
        n: int = 10,
        name: AnyMeasure | None = None,
    ) -> list[Hashable]:
        """The n queries with the lowest scores, by the first measure or by `name`, lowest first.

        A query without a score is left out. Queries that tie stay in the order of the judgments.
        """
        return score_tables.lowest(self, n, name)

    def worst(
        self,
        n: int = 10,
        name: AnyMeasure | None = None,
        *,
        digits: int = 4,
    ) -> ResultTable:
        """The scores of the n lowest queries, lowest first by the first measure or by `name`."""
        return score_tables.worst_table(
            self,
            n,
            name,
            digits=digits,
        )

    def long_table(self) -> ResultTable:
        """A line per measure and query, "all" being the mean."""
        return score_tables.long_table(self)

    def csv(self) -> str:
        """CSV: a line per query and measure, with every digit."""
        return self.long_table().csv()

    def frame(self) -> "pd.DataFrame":
        """A pandas data frame: a row per query, a column per measure."""
        return score_tables.frame(self)

    def facts(self) -> dict[str, Any]:
        """Means, scores, counts and conventions, as JSON has them."""
        return score_tables.facts(self)

    def trec(self, *, per_query: bool = False) -> str:
        """The text that trec_eval prints, with its names and its four digits.

        As in trec_eval, queries come in the order of their ids. A query that is missing from the
        run is only in the means. The geometric mean is not printed for single queries.
        """
        return score_tables.trec_text(self, per_query=per_query)

    def plot(self, name: AnyMeasure | None = None, *, ax: "Axes | None" = None) -> "Axes":
        """A plot of the scores of each query, best first, with their mean (matplotlib).

        If all measures are interpolated precisions, it is their curve over the levels of recall.
        """
        return score_tables.plot(self, name, ax=ax)
