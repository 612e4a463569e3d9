"""What re-ranking costs a user: MMR and DPP for many users at once, against plain numpy loops.

python -m dev.benchmarks.reranking [--users 256] [--rounds 7] [--limit 1]

Both take the same relevances and similarities: a pool of 200 documents for each user, of which
100 are chosen. The plain loops are incremental too: MMR keeps the highest similarity so far, DPP
its Cholesky factor. They choose by argmax, so that ties are left to rounding; ours settles them.
The two take turns within each round, and the figure is the median of the rounds' ratios of
processor time, ours over the plain loop. --limit makes the exit code 1 above it.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from irmetrics_edu.lab.study.rankers import dpp_lists, mmr_lists
from irmetrics_edu.numbers import Array

POOL, LENGTH, DIMENSIONS = 200, 100, 32
LAMBDA, THETA = 0.5, 0.6


def plain_mmr(relevance: Array, vectors: Array) -> list[int]:
    """MMR for one user, as one would write it."""
    alike = vectors @ vectors.T
    plus, highest = LAMBDA * relevance, np.zeros(len(relevance))
    chosen: list[int] = []
    for t in range(LENGTH):
        score = plus - (1 - LAMBDA) * highest
        score[chosen] = -np.inf
        best = int(score.argmax())
        highest = np.maximum(highest, alike[best]) if t else alike[best]
        chosen.append(best)
    return chosen


def plain_dpp(relevance: Array, vectors: Array) -> list[int]:
    """The greedy DPP for one user: the kernel with its ridge, one row of its factor a step."""
    alike = 0.9 * (vectors @ vectors.T) + 0.1 * np.eye(len(relevance))
    weight = THETA / (1 - THETA) * relevance
    factor = np.zeros((LENGTH, len(relevance)))
    left = alike.diagonal().copy()
    chosen: list[int] = []
    for t in range(LENGTH):
        gain = np.log(left) + weight
        gain[chosen] = -np.inf
        best = int(gain.argmax())
        row = (alike[best] - factor[:t, best] @ factor[:t]) / np.sqrt(left[best])
        factor[t] = row
        left = np.maximum(left - row**2, 1e-300)
        chosen.append(best)
    return chosen


def ratio(
    ours: Callable[[Array, Array, Array], Array],
    plain: Callable[[Array, Array], list[int]],
    users: int,
    rounds: int,
) -> tuple[float, float]:
    """The median ratio of the times, and milliseconds a user of ours; both choose alike."""
    random = np.random.default_rng(0)
    unit = random.normal(size=(5000, DIMENSIONS))
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    pool = np.stack([random.permutation(len(unit))[:POOL] for _ in range(users)])
    relevance = random.random((users, POOL))
    ratios, times = [], []
    for _ in range(rounds):
        start = time.process_time()
        expected = [p[plain(r, unit[p])].tolist() for r, p in zip(relevance, pool, strict=True)]
        middle = time.process_time()
        found = ours(relevance, pool, unit)
        end = time.process_time()
        if found.tolist() != expected:
            raise SystemExit("the two choose differently")
        ratios.append((end - middle) / (middle - start))
        times.append((end - middle) / users * 1000)
    return statistics.median(ratios), statistics.median(times)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--users", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--limit", type=float, default=float("inf"))
    args = parser.parse_args()
    over = 0
    for name, ours, plain in (
        ("MMR", lambda r, p, v: mmr_lists(r, p, v, LENGTH, LAMBDA), plain_mmr),
        ("DPP", lambda r, p, v: dpp_lists(r, p, v, LENGTH, THETA), plain_dpp),
    ):
        found, each = ratio(ours, plain, args.users, args.rounds)
        sys.stdout.write(f"{name}: {found:.2f} times the plain loop, {each:.2f} ms a user\n")
        over += found > args.limit
    return int(over > 0)


if __name__ == "__main__":
    raise SystemExit(main())
