"""Questions to a library under its own names of metrics, and adapters made of them.

`ask_NAME(metric, run, qrels)` of the modules beside this one puts a metric to a library, under the
name that its bundle has for it. It imports the library when it is asked, so that it can be read
without it. The tests record by the same functions what each library gives.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dev.tools.libraries.recommenders import relevant
from irmetrics_edu.diagnosis.conformance.adapters import Beside, Measure, Run, Scores, asked_as

Lists = Mapping[str, Any]  # by query: scores of documents, pairs of both, or documents alone
Qrels = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Answer:
    """A library's values: one number for all queries, and one for each query if it has them."""

    mean: float | None = None
    per_query: Mapping[str, float] | None = None


Ask = Callable[[str, Lists, Qrels], Answer]


def scored(given: Any) -> list[tuple[str, float]]:
    """The documents with their scores; a list gets falling scores.

    >>> scored(["a", "b"])
    [('a', 2.0), ('b', 1.0)]
    """
    if isinstance(given, Mapping):
        given = list(given.items())
    if all(isinstance(d, str) for d in given):
        return [(d, float(len(given) - i)) for i, d in enumerate(given)]
    return [(d, float(s)) for d, s in given]


def ranked(given: Any) -> list[str]:
    """The documents by falling score, equal scores as given; a list stays as it is."""
    return [d for d, _ in sorted(scored(given), key=lambda pair: -pair[1])]


def judged_and_run(run: Lists, qrels: Qrels) -> list[str]:
    """The queries that both have, in the order of the judgments."""
    return [q for q in qrels if q in run]


def labelled(run: Lists, qrels: Qrels) -> Iterator[tuple[str, list[float], list[float]]]:
    """The scores and grades of each query's retrieved documents; 0 if unjudged."""
    for query, documents in run.items():
        pairs, judged = scored(documents), qrels.get(query, {})
        yield query, [s for _, s in pairs], [float(judged.get(d, 0)) for d, _ in pairs]


def filled(lists: Sequence[Sequence[float]], size: int, by: float) -> list[list[float]]:
    """Lists of one length: shorter lists are filled up."""
    return [[*values, *[by] * (size - len(values))] for values in lists]


def answered(ask: Callable[[str, Run, Run], Scores]) -> Ask:
    """A question of the package, put to lists of any kind."""

    def asked(metric: str, run: Lists, qrels: Qrels) -> Answer:
        given = {q: dict(scored(documents)) for q, documents in run.items()}
        return Answer(per_query=ask(metric, given, qrels))

    return asked


def beside_another(ask: Ask, error: str) -> Ask:
    """A question about one query, asked with a second query if the library refuses it alone.

    The second query scores 0, so the value is twice the mean. `error` names the refusal.
    """

    def asked(metric: str, run: Lists, qrels: Qrels) -> Answer:
        try:
            return ask(metric, run, qrels)
        except Exception as raised:
            if type(raised).__name__ != error:
                raise
        both = ask(metric, {**run, "another": ["u"]}, {**qrels, "another": {"x": 1}})
        return Answer(None if both.mean is None else 2 * both.mean)

    return asked


def left_out(ask: Ask, error: str) -> Ask:
    """A question about one query, which has no value if the library refuses it.

    For several queries, the mean leaves such a query out.
    """

    def asked(metric: str, run: Lists, qrels: Qrels) -> Answer:
        try:
            return ask(metric, run, qrels)
        except Exception as raised:
            if type(raised).__name__ != error:
                raise
            return Answer(per_query={})

    return asked


def relevant_alone(ask: Ask) -> Ask:
    """A question with relevant documents only, for a library that treats all documents as relevant.

    A query without any is not asked and scores 0.
    """

    def asked(metric: str, run: Lists, qrels: Qrels) -> Answer:
        kept = {q: dict.fromkeys(relevant(judged), 1) for q, judged in qrels.items()}
        if not run or not any(kept.values()):
            return Answer(per_query=dict.fromkeys(run, 0.0))
        return ask(metric, run, kept)

    return asked


def without_ties(ask: Ask) -> Ask:
    """A question that is not asked if scores are equal, because the result would be chance."""

    def asked(metric: str, run: Lists, qrels: Qrels) -> Answer:
        for documents in run.values():
            scores = [score for _, score in scored(documents)]
            if len(set(scores)) < len(scores):
                raise ValueError("not asked: it promises no order among equal scores")
        return ask(metric, run, qrels)

    return asked


def of_names(name: str, ask: Ask, cuts: Sequence[int] = ()) -> Measure:
    """A library's metrics as a function of our metrics, by the names of its bundle.

    It is asked query by query, since some libraries give only a mean. Unjudged documents are left
    out. `cuts` are the cut-offs that it takes, if it does not take all.
    """

    def measure(metric: str, k: int | None, run: Lists, qrels: Qrels, _: Beside) -> Scores | None:
        known = None if cuts and k not in cuts else asked_as(name, metric, k)
        if known is None:
            return None
        run = {q: documents for q, documents in run.items() if documents and q in qrels}
        values: dict[str, float] = {}
        for query, judged in qrels.items():
            alone = {query: run[query]} if query in run else {}
            answer = ask(known, alone, {query: judged})
            if answer.per_query is not None:
                values |= answer.per_query
            elif answer.mean is not None:
                values[query] = answer.mean
        return values

    return measure
