"""Which queries of a comparison gained or lost, and the documents that did it."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from irmetrics_edu.errors import InputError
from irmetrics_edu.near_ties import in_order
from irmetrics_edu.runs.by_group import group_of_members
from irmetrics_edu.runs.moves import OF_DOCUMENT, DocumentLine, Moves, parts_of
from irmetrics_edu.runs.segments import in_a_line, named
from irmetrics_edu.views.result_table import ResultTable, Tabled


class Compared(Protocol):
    """Runs compared query by query with a baseline."""

    baseline: str

    @property
    def evaluations(self) -> Mapping[str, Any]:
        """The scores of each run."""

    @property
    def groups(self) -> Mapping[Hashable, Any]:
        """The comparison of each group of queries."""

    @property
    def others(self) -> list[str]:
        """The runs beside the baseline."""

    @property
    def paired(self) -> Sequence[str]:
        """The measures that have a score for each query."""

    def differences(self, run: str, measure: str) -> dict[Hashable, float]:
        """How much each query gained."""

    def moves(self, query: Hashable, measure: str, run: str) -> Moves:
        """Which documents moved, and how each move changed the score."""


MOST_DOCUMENTS = 10  # of a query, in a table that is no page


@dataclass(frozen=True, repr=False)
class WorstQueries(Tabled):
    """The queries that lost most in each run and measure, and the documents that moved in them.

    Shown as text, both tables stand below each other. `facts` has the same as plain data.
    """

    queries: ResultTable
    documents: ResultTable
    facts: list[dict[str, Any]]

    @classmethod
    def of(
        cls,
        comparison: Compared,
        most: int,
        texts: Mapping[Hashable, str],
    ) -> "WorstQueries":
        """Those of a comparison, at most `most` of each run and measure."""
        return cls(
            query_table(comparison, texts, most=most),
            document_table(comparison, texts, most=most, each=MOST_DOCUMENTS),
            worst_facts(comparison, most),
        )

    def table(self) -> ResultTable:
        """The documents that moved; where none did or can be named, the queries."""
        return self.documents if self.documents.lines else self.queries

    def text(self, **options: Any) -> str:
        """Plain text: the queries, and then the documents."""
        tables = [table for table in (self.queries, self.documents) if table.lines]
        if not tables:
            return "no query changed"
        return "\n\n".join(table.text(**options) for table in tables)


def changed_most(
    comparison: Compared,
    run: str,
    measure: str,
    most: int | None = None,
) -> list[Hashable]:
    """The queries whose score changed, the greatest loss first; at most `most` of them.

    Queries that lost the same stay in their order.
    """
    gained = comparison.differences(run, measure)
    changed = [query for query in gained if gained[query]]
    return in_order(changed, gained.__getitem__, rising=True)[:most]


def query_table(
    comparison: Compared,
    texts: Mapping[Hashable, str],
    *,
    most: int | None = None,
    every: bool = False,
    whole: bool = False,
    digits: int = 4,
) -> ResultTable:
    """A line for each query in each run and measure: before, after and change.

    The greatest loss comes first, and at most `most` queries of a run and measure are shown. Those
    that did not change are left out, unless `every` one is asked for. Texts are cut to a line,
    unless they are to be `whole`.
    """
    before_of = comparison.evaluations[comparison.baseline]
    group_of = group_of_members({g: one.queries for g, one in comparison.groups.items()})
    lines: list[list[Any]] = []
    rest: list[str] = []
    for run in comparison.others:
        for measure in comparison.paired:
            gained = comparison.differences(run, measure)
            changed = changed_most(comparison, run, measure)
            shown = in_order(gained, gained.__getitem__, rising=True) if every else changed[:most]
            for query in shown:
                line: list[Any] = [
                    run,
                    measure,
                    _shown(query, texts, whole=whole),
                    before_of.per_query[measure][query],
                    comparison.evaluations[run].per_query[measure][query],
                    gained[query],
                ]
                if group_of:
                    line.insert(3, str(group_of[query]))
                lines.append(line)
            if len(changed) > len(shown):
                rest.append(f"{measure} of {run}: {len(changed) - len(shown):,} more changed")
    group = ("group",) if group_of else ()
    caption = "queries that changed, the greatest loss first"
    return ResultTable(
        ("run", "measure", "query", *group, "before", "after", "change"),
        lines,
        "queries, the greatest loss first" if every else caption,
        tuple(rest),
        digits,
    )


def document_table(
    comparison: Compared,
    texts: Mapping[Hashable, str],
    *,
    most: int,
    each: int | None = None,
    whole: bool = False,
    digits: int = 4,
) -> ResultTable:
    """The documents that moved in the queries that lost most, by what they did to the score.

    Of each query at most `each` are named, those with the greatest effect. A line has the number of
    the others, and what they did together.
    """
    lines: list[list[Any]] = []
    notes: dict[str, None] = {}
    for run in comparison.others:
        for measure in comparison.paired:
            for query in changed_most(comparison, run, measure, most):
                head = [run, measure, _shown(query, texts, whole=whole)]
                try:
                    moved = comparison.moves(query, measure, run)
                except InputError:  # a measure whose rows are no documents
                    notes[f"{measure} of {query}: no document can be named"] = None
                    continue
                parts = parts_of(moved)
                shown = _greatest(parts, each)
                lines += [[*head, *part] for part in shown]
                if len(shown) < len(parts):
                    notes[_ALL_MOVES] = None
                if moved.note:
                    notes[moved.note] = None
    return ResultTable(
        ("run", "measure", "query", *OF_DOCUMENT),
        lines,
        "documents that moved, by their effect on the score, the greatest loss first",
        tuple(notes),
        digits,
    )


_ALL_MOVES = (
    "to see all documents that moved in a query: --moves QUERY with its measure, or "
    "moves(query, measure, run)"
)


def _greatest(parts: Sequence[DocumentLine], most: int | None) -> list[DocumentLine]:
    """The documents with the greatest effect, in their order, and a line for all others together.

    A line is left out for two documents or more.
    """
    if most is None or len(parts) <= most + 1:
        return list(parts)
    places = in_order(range(len(parts)), lambda place: abs(parts[place][-1] or 0))
    chosen = sorted(places[:most])
    worth = 0.0
    for place in places[most:]:
        worth += parts[place][-1] or 0
    rest = f"and {len(parts) - most:,} more"
    return [
        *(parts[place] for place in chosen),
        (rest, None, None, None, None, round(worth, 6)),
    ]


def worst_facts(comparison: Compared, most: int) -> list[dict[str, Any]]:
    """The queries that lost most in each run and measure, with the documents that moved in them.

    A measure whose rows are no documents has none, and null stands for them.
    """
    facts: list[dict[str, Any]] = []
    before_of = comparison.evaluations[comparison.baseline]
    for run in comparison.others:
        for measure in comparison.paired:
            gained = comparison.differences(run, measure)
            for query in changed_most(comparison, run, measure, most):
                of_query = {
                    "run": run,
                    "measure": measure,
                    "query": str(query),
                    "before": before_of.per_query[measure][query],
                    "after": comparison.evaluations[run].per_query[measure][query],
                    "change": gained[query],
                    "documents": _documents(comparison, run, measure, query),
                }
                facts.append(of_query)
    return facts


def _documents(
    comparison: Compared,
    run: str,
    measure: str,
    query: Hashable,
) -> list[dict[str, Any]] | None:
    """The documents that moved in a query; None where no document can be named."""
    try:
        moved = comparison.moves(query, measure, run)
    except InputError:  # a measure whose rows are no documents
        return None
    names = [name.replace(" ", "_") for name in OF_DOCUMENT]
    return [dict(zip(names, part, strict=True)) for part in parts_of(moved)]


def _shown(query: Hashable, texts: Mapping[Hashable, str], *, whole: bool) -> str:
    """A query with its text, cut or whole."""
    if whole and query in texts:
        return f'{query} "{in_a_line(texts[query])}"'
    return named(query, texts)
