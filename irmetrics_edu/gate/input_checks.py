"""Checks before an evaluation: an assertion refuses inputs that are clearly a mistake.

Without them, such inputs give a meaningless number, or an error far from its cause.
"""

import sys
import warnings
from collections.abc import Hashable, Mapping
from collections.abc import Set as AbstractSet
from enum import Enum
from numbers import Real
from os import PathLike
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.reading.files import bare_name
from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.evaluation import Evaluation
from irmetrics_edu.runs.joining.queries import Look, look_swapped
from irmetrics_edu.runs.notes import HAVE_IDS_CHANGED, NO_JUDGED_RETRIEVED


class SwappedWarning(UserWarning):
    """A run and its judgments that may stand in each other's place, or may be right."""


def refuse_unlikely(run: Any, qrels: Any, name: str = "run") -> None:
    """Refuse a run (or baseline) that is empty, of pairs, or in the place of its qrels.

    Warns where whole scores stand beside grades with a fraction, and both can be right.
    """
    _empty(run, name)
    if not isinstance(run, Mapping):
        return
    _pairs(run, qrels)
    if isinstance(qrels, Mapping):
        _not_swapped(look_swapped(run, qrels), name)


def refuse_swapped_files(evaluation: Evaluation, run: Any, name: str = "run") -> None:
    """Refuse judgments in place of a run that was read from JSON, which may hold either."""
    if isinstance(run, (str, PathLike)) and bare_name(run).endswith(".json"):
        _not_swapped(evaluation.look, name)


def _not_swapped(look: Look, name: str) -> None:
    if look is Look.RIGHT:
        return
    seen = (
        f"{name} and qrels look swapped: the {name} holds whole numbers, as grades are, and the "
        f"qrels rankings or scores; the {name} comes first"
    )
    if look is Look.SWAPPED:
        raise InputError(
            f"{seen}. If they are right, give the {name}'s rankings as lists of ids, or add 0.5 to "
            "each of their scores; and give relevant documents as sets"
        )
    warnings.warn(
        f"{seen}, if they are not right as they are. To be asked no more, add 0.5 to each score of "
        f"the {name}: the order stays",
        SwappedWarning,
        stacklevel=_level_of_the_test(),
    )


def _level_of_the_test() -> int:
    """How many calls above the caller the first frame stands that is not of this package."""
    package = __name__.partition(".")[0]
    frame: Any = sys._getframe()  # noqa: SLF001 -- the public way reads the source of every frame
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame = frame.f_back
        level += 1
    return level


def refuse_other_shape(ranking: Any, judgments: Any, *, of_run: bool) -> None:
    """Refuse a run with the judgments of one ranking, and one ranking with those of a run."""
    first = ranking[0] if isinstance(ranking, (list, tuple)) and ranking else None
    if not of_run and isinstance(first, (list, Mapping)):
        raise InputError(
            f"a list of {type(first).__name__}s is no ranking; several rankings are a run: "
            "query -> ranking"
        )
    if not isinstance(judgments, Mapping) or not judgments:
        return
    key, value = next(iter(judgments.items()))
    if of_run and isinstance(value, Real):
        raise InputError(
            f"the judgments {{{key!r}: {value!r}, ...}} are of one ranking, and the ranking "
            f"({type(ranking).__name__}) is read as a run; give one ranking as a list, or the "
            "judgments of a run: query -> document -> grade"
        )
    if not of_run and isinstance(value, (Mapping, AbstractSet, list, tuple)):
        no_ranking = what_is_no_ranking(ranking)
        if no_ranking:
            raise InputError(f"the run {no_ranking}")
        raise InputError(
            f"one ranking is given beside the judgments of several queries ({key!r}, ...); give "
            f"those of its query, qrels[{key!r}], or a run: {{{key!r}: [...]}}"
        )


def what_is_no_ranking(run: Any) -> str:
    """What a mapping holds for its first query that is neither a ranking nor a score; or ""."""
    if not isinstance(run, Mapping) or not run:
        return ""
    query, ranking = next(iter(run.items()))
    if isinstance(ranking, Real):
        return ""
    kind = "None" if ranking is None else f"a {type(ranking).__name__}"
    return (
        f"has {kind} for {query!r}; give each query its ranking, as a list of ids or "
        "document -> score"
    )


def refuse_whole_range(name: str, value: float, chosen: Measure) -> None:
    """Refuse a tolerated change as wide as the metric's range: no change can exceed it."""
    low, high = chosen.metric.range
    if value >= high - low:
        raise InputError(
            f"{name}={value:g}: {chosen.name} lies between {low:g} and {high:g}, so no change is "
            "more than that"
        )


def _empty(run: Any, name: str) -> None:
    if (
        isinstance(run, Mapping)
        and not any(len(ranking) for ranking in run.values() if hasattr(ranking, "__len__"))
        and all(hasattr(ranking, "__len__") for ranking in run.values())
    ):
        what = "the ranking is empty" if None in run else f"the {name} holds no document"
        why = failed_calls(run) or "is it the right one?"
        raise InputError(f"{what}, so there is nothing to assert about; {why}")


def _pairs(run: Mapping[Any, Any], qrels: Any) -> None:
    """Refuse [("d1", 0.9), ...] as a ranking: each pair would count as an id without a judgment."""
    query, ranking = next(iter(run.items()))
    first = ranking[0] if isinstance(ranking, (list, tuple)) and ranking else None
    if not (isinstance(first, tuple) and len(first) == 2 and isinstance(first[1], Real)):
        return
    judged = qrels.get(query, ()) if isinstance(qrels, Mapping) else ()
    if not any(isinstance(document, tuple) for document in judged):
        where = "" if query is None else f"query {query!r}, "
        raise InputError(
            f"{where}document {first!r}, rank 1: pairs are no ids of documents; give scores as a "
            f"mapping, {{{first[0]!r}: {first[1]!r}, ...}}, or the ids alone"
        )


def lines_about(run: Any, query: Hashable) -> list[str]:
    """What a run of judged passages says of a query in a failure; nothing for other runs."""
    describe = getattr(run, "lines_about", None)
    return list(describe(query)) if callable(describe) else []


class Corpus(Enum):
    """The documents of a run beside those of its baseline; each with what is said of it."""

    UNKNOWN = ""
    SAME = ", though the corpus is the baseline's"
    OTHER = ", and the corpus changed"


def none_judged(counts: Counts, run: Any) -> bool:
    """Whether no judged document was retrieved, which may come of changed ids.

    The ids of expected texts are given by the judgments, so there a miss is a miss.
    """
    return counts.none_judged and not hasattr(run, "lines_about")


def question_of_ids(corpus: Corpus = Corpus.UNKNOWN) -> str:
    """What to ask before a failure if no judged document was retrieved.

    >>> question_of_ids(Corpus.OTHER)
    'no judged document was retrieved, and the corpus changed: have the ids changed?'
    """
    return f"{NO_JUDGED_RETRIEVED}{corpus.value}: {HAVE_IDS_CHANGED}"


def failed_calls(run: Any) -> str:
    """What a built run says about failed calls of its retriever; "" if none failed."""
    errors = getattr(run, "errors", None)
    if not isinstance(errors, Mapping) or not errors:
        return ""
    query, why = next(iter(errors.items()))
    n = len(errors)
    return (
        f"{n:,} {'query' if n == 1 else 'queries'} of the run failed when the retriever was asked "
        f"({query}: {why}{' ...' if n > 1 else ''})"
    )
