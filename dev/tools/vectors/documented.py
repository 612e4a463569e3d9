"""Cases from the worked examples: what a document prints is the value, to its digits."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from dev.tools.vectors.grid import DEFAULTS, with_ids
from dev.tools.vectors.oracles.rankings import value
from irmetrics_edu.course import documents
from irmetrics_edu.diagnosis.conformance.vectors import VectorCase

# Public functions that the documents call, by the names that vectors use.
_FUNCTIONS = {
    "precision": "P", "recall": "R", "average_precision": "AP", "reciprocal_rank": "RR",
    "dcg": "DCG", "ndcg": "nDCG", "r_precision": "Rprec", "f_measure": "F", "err": "ERR",
}  # fmt: skip
_NUMBER = re.compile(r"[0-9]+\.[0-9]+")


def of_documents() -> Iterator[VectorCase]:
    """Single calls in the worked examples."""
    for example in documents.examples():
        for n, line in enumerate((example, *example.lines)):
            call = ast.parse(line.call, mode="eval").body if line.call else None
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            metric = _FUNCTIONS.get(call.func.id)
            if metric is None or not _NUMBER.fullmatch(line.printed) or line.erratum is not None:
                continue
            try:
                given = [_literal(a, line.inputs) for a in call.args]
                options = {str(o.arg): _literal(o.value, line.inputs) for o in call.keywords}
            except (ValueError, KeyError):
                continue
            found = _case(f"{example.id}/{n}", metric, given, options, line, example)
            if found is not None:
                yield found


def _literal(node: ast.expr, inputs: Mapping[str, Any]) -> Any:
    return inputs[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)


def _case(
    id_: str, metric: str, given: list[Any], options: dict[str, Any], line: Any, example: Any
) -> VectorCase | None:
    options.pop("exact", None)
    k = options.pop("k", None)
    if set(options) - set(DEFAULTS[metric]):
        return None
    if len(given) == 1:
        ranking, judgments = with_ids(given[0], ())
    else:
        ranking = list(given[0])
        judged = given[1]
        judgments = (
            dict(judged) if isinstance(judged, Mapping) else dict.fromkeys(sorted(judged), 1)
        )
    ranked = [judgments.get(d) for d in ranking]
    conventions = {**DEFAULTS[metric], **options}
    exact = value(metric, ranked, list(judgments.values()), k, conventions)
    why = f"printed in document {example.document}: {example.where}"
    name, input_ = f"document-{id_}", {"ranking": ranking, "judgments": judgments, "why": why}
    departs = conventions != DEFAULTS[metric]
    return VectorCase(
        name, name, metric, k, input_, conventions, exact, why, line.printed, departs=departs
    )
