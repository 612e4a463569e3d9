"""Compare bundles with libraries too heavy for the tests, over random runs and judgments.

    pip install "numpy<2" ranx rankerEval
    python benchmarks/libraries_live.py ranx rankereval

Prints how many values agree and the first that does not; the exit code is 0 if all do. numba
compiles for a minute at the first call of ranx; rankerEval 0.2 needs numpy below 2.
"""

import math
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

from irmetrics_edu import evaluate
from irmetrics_edu.libraries import bundle

Case = tuple[str, float, dict[Any, Any], dict[Any, Any]]
ROUNDS = 200


def cases(least_grade: int = -1) -> Iterator[tuple[dict[str, float], dict[str, int]]]:
    """Small random rankings, a third of them tied, with judgments of some documents."""
    rng = random.Random(7)
    for _ in range(ROUNDS):
        documents = [f"d{i:02}" for i in rng.sample(range(14), rng.randint(1, 12))]
        step = rng.choice([0.5, 1.0, 1e-9])
        scores = sorted((rng.randint(1, 9) * step for _ in documents), reverse=True)
        judged = {f"d{i:02}": rng.randint(least_grade, 3) for i in rng.sample(range(14), 6)}
        yield dict(zip(documents, scores, strict=True)), judged


def of_ranx() -> Iterator[Case]:
    """ranx, whose order of ties is stable in runs that come in order."""
    import ranx

    names = (
        "ndcg@5",
        "ndcg",
        "ndcg_burges@5",
        "dcg@5",
        "map",
        "map@5",
        "mrr",
        "precision@5",
        "recall@5",
        "f1@5",
        "r-precision",
        "hit_rate@3",
        "hits@3",
        "rbp.80",
        "bpref",
    )
    for ranked, judged in cases():
        qrels, run = ranx.Qrels({"q": judged}), ranx.Run({"q": ranked})
        for name in names:
            yield name, float(ranx.evaluate(qrels, run, name)), {"q": ranked}, {"q": judged}


def of_rankereval() -> Iterator[Case]:
    """rankerEval, in the order given."""
    import rankereval as r

    metrics = {
        "NDCG@5 default": r.NDCG(5),
        "AP@5": r.AP(5),
        "ReciprocalRank@5": r.ReciprocalRank(5),
        "Precision@5": r.Precision(5),
        "Recall@5": r.Recall(5),
        "F1@5": r.F1(5),
    }
    numbers = {f"d{i:02}": i for i in range(14)}
    for ranked, judged in cases(least_grade=0):
        ranking = r.Rankings.from_ranked_indices([[numbers[d] for d in ranked]])
        positive = sorted(numbers[d] for d in judged if judged[d])
        relevant = r.BinaryLabels.from_positive_indices([positive])
        graded = r.NumericLabels.from_matrix([[float(judged.get(d, 0)) for d in numbers]])
        for name, metric in metrics.items():
            labels = graded if name.startswith("NDCG") else relevant
            yield name, float(metric.score(labels, ranking)[0]), {"q": ranked}, {"q": judged}


LIBRARIES: dict[str, Callable[[], Iterator[Case]]] = {
    "ranx": of_ranx,
    "rankereval": of_rankereval,
}


def main(names: list[str]) -> int:
    """Compare the libraries that are named."""
    failed = 0
    for library in names:
        agreed = odd = 0
        for name, theirs, run, qrels in LIBRARIES[library]():
            metric, by = bundle(library).measure(name)
            ours = next(iter(evaluate(run, qrels, metric, by).per_query.values()))["q"]
            if math.isclose(ours, theirs, abs_tol=1e-9) or (
                math.isnan(ours) and math.isnan(theirs)
            ):
                agreed += 1
            elif math.isnan(theirs) and any(name in q.metrics for q in by.quirks):
                odd += 1  # a quirk that the bundle states
            else:
                failed += 1
                if failed == 1:
                    sys.stdout.write(
                        f"{library} {name}: {theirs} and ours {ours}, of {run}, {qrels}\n"
                    )
        sys.stdout.write(
            f"{library}: {agreed} values agree, {odd} as a quirk says, {failed} do not\n"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(LIBRARIES)))
