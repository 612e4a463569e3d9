"""How often an invented bug gets a false name, for the page docs/number-in-a-paper.md.

A bug here is a measure that nobody has: another gain, discount or divisor, drawn at random. Its
values on random runs are printed and diagnosed. A convention or mistake that gives them all the
same is a false name. `python -m dev.benchmarks.false_names` takes some minutes and writes the
table of the page.
"""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from irmetrics_edu.diagnosis.candidates import explain_value, search_of
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.diagnosis.several_runs import SeveralRuns
from irmetrics_edu.metrics.notation import measure
from irmetrics_edu.views.output import put
from irmetrics_edu.writing import write

PAGE = Path(__file__).resolve().parents[2] / "docs" / "number-in-a-paper.md"
BEGIN, END = "<!-- false names: written by dev.benchmarks.false_names -->", "<!-- /false names -->"
RUNS, BUGS, COLLECTIONS = 3, 4, 8
# Queries and documents of a run, and the digits that are printed.
SIZES = ((1, 6, 3), (3, 10, 3), (12, 20, 4))
K = 5
Bug = Callable[[Sequence[int], Sequence[int]], float]  # the ranked grades, and all judged ones


def _discounted(draw: random.Random) -> Bug:
    """An nDCG with a power of the grade as gain, and a logarithm that starts elsewhere."""
    power, start = draw.choice([0.6, 0.8, 1.3, 1.7, 2.4]), draw.choice([1.3, 1.6, 2.5, 3.4])

    def bug(ranked: Sequence[int], judged: Sequence[int]) -> float:
        dcg, best = (
            sum(g**power / math.log2(i + start) for i, g in enumerate(grades[:K]))
            for grades in (ranked, sorted(judged, reverse=True))
        )
        return dcg / best if best else 0.0

    return bug


def _averaged(draw: random.Random) -> Bug:
    """An AP with something added to the hits, to the ranks and to the divisor."""
    hits, rank, more = draw.choice([0, 0.5]), draw.choice([0, 0.5, 2]), draw.choice([0.5, 2, 3])

    def bug(ranked: Sequence[int], judged: Sequence[int]) -> float:
        found = [i for i, g in enumerate(ranked, 1) if g]
        total = sum((n + hits) / (i + rank) for n, i in enumerate(found, 1))
        return total / (sum(g > 0 for g in judged) + more)

    return bug


def _reciprocal(draw: random.Random) -> Bug:
    """A reciprocal rank by another power, or with a rank that is further off."""
    power, more = draw.choice([0.5, 1, 1.5, 2]), draw.choice([0.5, 2, 3])

    def bug(ranked: Sequence[int], judged: Sequence[int]) -> float:  # noqa: ARG001 -- as the measures are called
        first = next((i for i, g in enumerate(ranked, 1) if g), None)
        return 0.0 if first is None else (first + more) ** -power

    return bug


def _found(draw: random.Random) -> Bug:
    """A recall of smoothed counts, or to a power."""
    more, least, power = draw.choice([0, 0.5]), draw.choice([0.5, 1, 3]), draw.choice([0.7, 1, 2])

    def bug(ranked: Sequence[int], judged: Sequence[int]) -> float:
        relevant = sum(g > 0 for g in judged)
        return ((sum(g > 0 for g in ranked[:K]) + more) / (relevant + least)) ** power

    return bug


def _share(draw: random.Random) -> Bug:
    """A precision at k of smoothed counts, or to a power."""
    more, least, power = draw.choice([0, 1]), draw.choice([1, 2, 3]), draw.choice([0.5, 1, 2])

    def bug(ranked: Sequence[int], judged: Sequence[int]) -> float:  # noqa: ARG001 -- as the measures are called
        return ((sum(g > 0 for g in ranked[:K]) + more) / (K + least)) ** power

    return bug


INVENTED: Mapping[str, Callable[[random.Random], Bug]] = {
    f"nDCG@{K}": _discounted,
    "AP": _averaged,
    "RR": _reciprocal,
    f"P@{K}": _share,
    f"R@{K}": _found,
}
Run = dict[str, list[str]]


def drawn(queries: int, documents: int, draw: random.Random) -> tuple[list[Run], dict[str, dict]]:
    """Runs of the same documents in random orders, and their judgments."""
    qrels, runs = {}, [{} for _ in range(RUNS)]
    for q in range(queries):
        ids = [f"d{i}" for i in range(documents + documents // 2)]
        judged = {d: draw.choice([0, 0, 0, 1, 1, 2, 3]) for d in ids if draw.random() < 0.8}
        judged["d0"] = 1
        qrels[f"q{q}"] = judged
        for run in runs:
            run[f"q{q}"] = draw.sample(ids, documents)
    return runs, qrels


def named(queries: int, documents: int, digits: int, seed: int) -> Iterator[tuple[str, list[bool]]]:
    """Of each bug, whether one, two and three of its values get a name; and of one, flatly.

    A name is flat if the answer does not say that it may be chance.
    """
    draw = random.Random(seed)
    runs, qrels = drawn(queries, documents, draw)
    for name, invent in INVENTED.items():
        of_run = [search_of(measure(name), (run, qrels), (), None, {})[0] for run in runs]
        searches: list[Search] = [
            of_run[0],
            *(SeveralRuns({str(i): s for i, s in enumerate(of_run[:n])}) for n in (2, RUNS)),
        ]
        for _ in range(BUGS):
            bug = invent(draw)
            values = [_mean(bug, run, qrels) for run in runs]
            text = [f"{value:.{digits}f}" for value in values]
            right = [search.score(search.switches.base) for search in of_run]
            if any(
                s is not None and f"{s.mean:.{digits}f}" == t
                for s, t in zip(right, text, strict=True)
            ):
                continue  # it can't be seen in one of the runs: no name would be false
            targets = [Target.of(text[0])]
            targets += [
                Target(None, Target.of({str(i): text[i] for i in range(n)}).per_query, "runs")
                for n in (2, RUNS)
            ]
            found = zip(searches, targets, strict=True)
            diagnoses = [explain_value(search, target) for search, target in found]
            explained = [diagnosis.explained for diagnosis in diagnoses]
            evidence = diagnoses[0].evidence
            flat = explained[0] and evidence is not None and not evidence.is_weak
            yield name, [explained[0], flat, *explained[1:]]


def _mean(bug: Bug, run: Run, qrels: Mapping[str, Mapping[str, int]]) -> float:
    values = [
        bug([qrels[q].get(d, 0) for d in ranking], list(qrels[q].values()))
        for q, ranking in run.items()
    ]
    return sum(values) / len(values)


def table() -> list[str]:
    """The share of bugs with a false name, by the size of the runs and the number of values."""
    lines = [
        "| queries | documents | digits | bugs | one value | flatly | two values | three values |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    every: list[list[bool]] = []
    for size in SIZES:
        of_size = [names for seed in range(COLLECTIONS) for _, names in named(*size, seed)]
        lines.append(_line(list(map(str, size)), of_size))
        put(lines[-1])
        every += of_size
    return [*lines, _line(["all", "", ""], every)]


def _line(size: Sequence[str], found: Sequence[Sequence[bool]]) -> str:
    shares = [f"{100 * sum(column) / len(found):.1f} %" for column in zip(*found, strict=True)]
    return f"| {' | '.join([*size, f'{len(found):,}', *shares])} |"


def main() -> None:
    """Write the table into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    write(PAGE, "\n".join([before + BEGIN, "", *table(), "", END + after]))


if __name__ == "__main__":
    main()
