"""What trec_eval printed for each query, as an evaluation: its scores without its rankings."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Self

import numpy as np

from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import TREC_EVAL
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.metrics.notation import GEOMETRIC_MEAN, measure
from irmetrics_edu.reading.files import File, as_file
from irmetrics_edu.reading.records import text_of
from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.evaluation import ByMeasure, Evaluation

_COUNTS = ("num_", "runid", "relstring")  # no scores
_EVERY = "all"  # what trec_eval calls the line of the mean


class PrintedScores(Evaluation):
    """An evaluation of which only the scores are known, as another program printed them.

    It is compared as any other. It has no working, because its rankings are not there.
    """

    def __init__(
        self, scores: Mapping[str, Mapping[Hashable, float]], *, name: str = "", left_out: str = ""
    ) -> None:
        self.name, self.conventions, self._left_out = name, TREC_EVAL, left_out
        self.measures = tuple(measure(given) for given in scores)
        self._settled = {m.name: m.metric for m in self.measures}
        self.queries = list(next(iter(scores.values())))
        self._scores = ByMeasure(
            {m.name: np.array(list(scores[m.name].values())) for m in self.measures}
        )
        self.divisors = ByMeasure()
        self.counts = Counts(queries=len(self.queries))

    def of(self, names: Sequence[str]) -> Self:
        """The scores of these measures alone."""
        chosen = {self._chosen(name).name: self.per_query[name] for name in names}
        return type(self)(chosen, name=self.name, left_out=self._left_out)

    def notes(self, *, unjudged: bool = True) -> tuple[str, ...]:  # noqa: ARG002 -- as the others
        """That the scores have the digits that were printed, and what was not read."""
        return ("scores have the digits that were printed", *filter(None, (self._left_out,)))

    @property
    def aligned(self) -> Any:
        """Not here: only the scores were printed."""
        raise InputError("only printed scores are known; evaluate the run to see how they arose")

    _aligned = aligned


def read_printed(path: str | PathLike[str], *, name: str = "") -> PrintedScores:
    """The scores of each query that `trec_eval -q` printed into a file.

    A line is a measure, a query and a value. Measures that we don't have, counts and the lines of
    all queries are left out; a note names the measures. InputError names the file and the line.
    """
    file: File = as_file(path)
    found: dict[str, dict[Hashable, float]] = {}
    strange: dict[str, None] = {}
    for number, label, query, value in _lines(file):
        ours = trec_format.ours(label)
        if ours is None or measure(ours).aggregate == GEOMETRIC_MEAN:
            strange[label] = None
            continue
        scores = found.setdefault(measure(ours).name, {})
        if query in scores:
            raise InputError(f"{file}, line {number}: {label} of query {query!r} is there twice")
        try:
            scores[query] = float(value)
        except ValueError:
            raise InputError(f"{file}, line {number}: value {value!r} is not a number") from None
    if not found:
        raise InputError(
            f"{file}: no score of a query; give the output of trec_eval -q, or evaluate the run"
        )
    queries = next(iter(found.values()))
    for of, scores in found.items():
        for odd in sorted(queries.keys() ^ scores.keys(), key=str):
            raise InputError(f"{file}: query {odd!r} has no score in {of} or in another measure")
    left_out = f"measures that are not read: {', '.join(strange)}" if strange else ""
    return PrintedScores(found, name=name, left_out=left_out)


def _lines(file: File) -> Iterator[tuple[int, str, str, str]]:
    """The number, measure, query and value of each line that is the score of a query."""
    for number, line in enumerate(text_of(file).splitlines(), 1):
        words = line.split()
        if words and len(words) != 3:
            raise InputError(
                f"{file}, line {number}: {line.strip()!r} has {len(words)} fields; expected 3, as "
                "trec_eval -q prints them: measure query value"
            )
        if words and words[1] != _EVERY and not words[0].startswith(_COUNTS):
            yield number, words[0], words[1], words[2]
