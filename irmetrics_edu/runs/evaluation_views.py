"""An evaluation as tables, JSON, CSV, data frames and trec_eval's text; computes nothing."""

import json
import math
from typing import TYPE_CHECKING, Any

from irmetrics_edu.errors import extra
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.views.result_table import ResultTable

if TYPE_CHECKING:
    from irmetrics_edu.runs.evaluation import Evaluation


def caption(e: "Evaluation") -> str:
    """What was evaluated, in a line."""
    n = len(e.queries)
    said = f"{n:,} {'query' if n == 1 else 'queries'}, conventions of {e.conventions}"
    return f"{e.name}: {said}" if e.name else said


def table(e: "Evaluation", *, per_query: bool = False, digits: int = 4) -> ResultTable:
    """The means, or the scores of each query with the means below."""
    if not per_query:
        lines: list[list[Any]] = [[name, value] for name, value in e.mean.items()]
        return ResultTable(("measure", "mean"), lines, caption(e), e.notes(), digits)
    header = ("query", *e.mean)
    columns = [array.tolist() for array in e.scores.values()]
    lines = [[str(query), *values] for query, *values in zip(e.queries, *columns, strict=True)]
    return ResultTable(header, [*lines, ["all", *e.mean.values()]], caption(e), e.notes(), digits)


def long_table(e: "Evaluation") -> ResultTable:
    """A line per measure and query, "all" being the mean."""
    lines: list[list[Any]] = []
    for name, by_query in e.per_query.items():
        lines += [[name, query, value] for query, value in by_query.items()]
        lines.append([name, "all", e.mean[name]])
    return ResultTable(("measure", "query", "score"), lines, notes=e.notes())


def csv(e: "Evaluation") -> str:
    """The same as CSV."""
    return long_table(e).csv()


def frame(e: "Evaluation") -> Any:
    """A pandas data frame: a row per query, a column per measure."""
    pd = extra("pandas", what="a data frame")
    return pd.DataFrame(dict(e.scores), index=pd.Index(list(e.queries), name="query"))


def to_dict(e: "Evaluation") -> dict[str, Any]:
    """Means, scores, counts and conventions."""
    return {
        "name": e.name,
        "conventions": {"name": e.conventions.name, **e.conventions.facts()},
        "mean": dict(e.mean),
        "per_query": {name: dict(by_query) for name, by_query in e.per_query.items()},
        "counts": e.counts.to_dict(),
        "notes": list(e.notes()),
    }


def json_text(e: "Evaluation", indent: int | None = 2) -> str:
    """JSON, with null for a score that is not defined."""
    shown = finite(to_dict(e))
    # An id may be anything that a mapping has for a key, and is then shown as text.
    return json.dumps(shown, ensure_ascii=False, indent=indent, allow_nan=False, default=str)


def finite(value: Any) -> Any:
    """The same with None for numbers that JSON does not have: NaN and infinity."""
    if isinstance(value, dict):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def trec(e: "Evaluation", *, per_query: bool = False) -> str:
    """The text that trec_eval prints: runid and counts first, then measures in its own order.

    As in trec_eval, queries come in the order of their ids. A query that is missing from the run is
    only in the means. The geometric mean is not printed for single queries.
    """
    names = trec_format.in_trec_order(e.mean)
    counts, lines = e.counts, []
    if per_query:
        missing = set(counts.missing)
        numbers = e.documents_per_query()
        for query in sorted((q for q in e.queries if q not in missing), key=str):
            for label, value in numbers[query].items():
                lines.append(trec_format.line(label, str(query), value))
            for name in names:
                if name != "GMAP" and name not in e.together:
                    value = e.per_query[name][query]
                    lines.append(trec_format.line(trec_format.theirs(name)[2], str(query), value))
    lines.append(trec_format.line("runid", "all", e.name or "run"))
    for label, total in (
        ("num_q", counts.queries),
        ("num_ret", counts.retrieved),
        ("num_rel", counts.relevant),
        ("num_rel_ret", counts.relevant_retrieved),
    ):
        lines.append(trec_format.line(label, "all", total))
    lines += [trec_format.line(trec_format.theirs(n)[2], "all", e.mean[n]) for n in names]
    return "\n".join(lines)
