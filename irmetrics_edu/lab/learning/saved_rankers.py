"""Rankers in files (`saved_arrays`): the numbers that scores are computed from."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.learning.adarank import ADARANK
from irmetrics_edu.lab.learning.association import ASSOCIATION, RuleRanker, Rules
from irmetrics_edu.lab.learning.lambdamart import LAMBDAMART, TreesRanker
from irmetrics_edu.lab.learning.listwise import LISTMLE, LISTNET
from irmetrics_edu.lab.learning.pairs_with_ties import WITH_TIES, TiesRanker
from irmetrics_edu.lab.learning.pointwise import (
    CLASSIFICATION,
    ORDINAL,
    REGRESSION,
    GradeRanker,
    OrdinalRanker,
)
from irmetrics_edu.lab.learning.ranker import LinearRanker, Ranker
from irmetrics_edu.lab.learning.ranking_svm import RANKING_SVM
from irmetrics_edu.lab.saved_arrays import misfit, read_arrays, write_arrays
from irmetrics_edu.numbers import Array
from irmetrics_edu.reading.files import SPOILT
from irmetrics_edu.working import Working

_FORMAT, _VERSION = "irmetrics-edu ranker", 1
_METHODS = {
    method.name: method
    for method in (
        REGRESSION, CLASSIFICATION, ORDINAL, ASSOCIATION, RANKING_SVM, WITH_TIES, LISTNET, LISTMLE,
        ADARANK, LAMBDAMART,
    )
}  # fmt: skip
_KINDS = {
    kind.__name__: kind
    for kind in (LinearRanker, OrdinalRanker, TiesRanker, GradeRanker, TreesRanker)
}


def save_ranker(ranker: Ranker, path: str | Path) -> None:
    """Writes a ranker to a file that `load_ranker` reads, score for score the same.

    The file has the numbers for the scores and says how the ranker was learnt. It does not have the
    data. InputError for a ranker around a learner of scikit-learn's kind: save that learner as its
    library says.
    """
    arrays: dict[str, Any] = {}
    more: dict[str, Any] = {}
    if isinstance(ranker, RuleRanker):
        rules = ranker.rules
        arrays = {f.name: getattr(rules, f.name) for f in fields(Rules) if f.name not in _LISTS}
        arrays["edge"] = [e for edges in rules.edges for e in edges]
        arrays["edges"] = [len(edges) for edges in rules.edges]
    elif type(ranker).__name__ in _KINDS and ranker.method.name in _METHODS:
        arrays = {name: getattr(ranker, name) for name in _own(type(ranker))}
    else:
        raise InputError(
            f"{ranker!r} can't be saved: its scores come from an object of another library; "
            "save that object as its library says"
        )
    more = {
        "kind": type(ranker).__name__,
        "method": ranker.method.name,
        "features": list(map(str, ranker.feature_names)),
        "params": {name: str(value) for name, value in ranker.params.items()},
    }
    write_arrays(path, _FORMAT, _VERSION, more, arrays)


_LISTS = ("names", "edges")


def _own(kind: type[Ranker]) -> list[str]:
    common = {f.name for f in fields(Ranker)}
    return [f.name for f in fields(kind) if f.name not in common]


def load_ranker(path: str | Path) -> Ranker:
    """Reads a ranker that `save_ranker` wrote: its scores are the same, number for number.

    Its working is not in the file, because the data are not. InputError for a file of another kind,
    or whose numbers don't fit together.
    """
    header, arrays = read_arrays(path, _FORMAT, _VERSION)
    try:
        names = tuple(map(str, header["features"]))
        kind, method = header["kind"], _METHODS[header["method"]]
        common = (names, _no_working(path), dict(header["params"]))
        if kind == RuleRanker.__name__:
            rules = _rules(names, arrays)
            made: Ranker = RuleRanker(method, rules.score, *common, rules)
        else:
            own = {n: _value(arrays[n], n) for n in _own(_KINDS[kind])}
            scorer: Callable[..., Any] = _KINDS[kind].scorer
            made = _KINDS[kind](method, scorer(**own), *common, **own)
        if made.score(np.zeros((2, len(names)))).shape != (2,):
            raise ValueError("a row does not have exactly one score")
    except InputError:
        raise
    except SPOILT as error:
        raise misfit(path, error) from None
    return made


def _value(values: Array, name: str) -> Any:
    """An array, a number, or the list of numbers that a class holds under this name."""
    if not values.ndim:
        return float(values)
    return tuple(values.tolist()) if name in ("grades", "thresholds") else values


def _rules(names: tuple[str, ...], arrays: Mapping[str, Array]) -> Rules:
    ends = np.cumsum(arrays["edges"])
    parts = np.split(arrays["edge"], ends[:-1])
    if len(parts) != len(names) or ends[-1] != len(arrays["edge"]):
        raise ValueError(f"edges of {len(parts)} features for {len(names)}")
    return Rules(
        names,
        tuple(tuple(part.tolist()) for part in parts),
        tuple(arrays["grades"].tolist()),
        arrays["counts"],
        arrays["documents"],
        float(arrays["support"]),
        float(arrays["confidence"]),
        int(arrays["longest"]),
    )


def _no_working(path: str | Path) -> Callable[[], Working]:
    def working() -> Working:
        raise InputError(
            f"the ranker was read from {path}, which has no data, so it has no working; learn "
            "it again"
        )

    return working
