"""How long a training step of LightGCN takes, as a ratio to plain torch's, in the same run.

    python -m dev.benchmarks.training [--pairs N]

It needs torch, which is in none of the extras: make an environment of your own with
`irmetrics-edu[lab]` and torch. Steps of both take turns, and each ratio is of two neighbours:
the median of the ratios depends little on what else the machine does. Both get the same
interactions and the same items to compare with; both compute the loss, all gradients and Adam's
step. torch gathers by `index_select`, whose gradient is quicker than that of `table[numbers]`, and
multiplies by a sparse matrix of users and items, as LightGCN's authors do, in
coordinates or in compressed rows, whichever is quicker.
"""

import argparse
import resource
import statistics
import time
from collections.abc import Callable

import numpy as np

from irmetrics_edu.lab.recommenders.autodiff import value_and_grad
from irmetrics_edu.lab.recommenders.interactions import Interactions
from irmetrics_edu.lab.recommenders.lightgcn import Adam, LightGCN, Parameters, Sample, Sampler
from irmetrics_edu.numbers import Array


def made(pairs: int, seed: int = 0) -> Interactions:
    """Interactions of pairs / 20 users with pairs / 50 items, popular ones more often."""
    rng = np.random.default_rng(seed)
    users, items = pairs // 20, pairs // 50
    drawn = np.stack(
        [rng.integers(0, users, 2 * pairs), (items * rng.random(2 * pairs) ** 2).astype(np.intp)], 1
    )
    found = np.unique(drawn, axis=0)
    kept = found[np.sort(rng.choice(len(found), pairs, replace=False))]
    none = np.empty((0, 2), dtype=np.intp)
    return Interactions(
        tuple(range(users)),
        tuple(range(items)),
        {"train": kept, "validation": none, "test": none},
        dict.fromkeys(range(items), frozenset({"x"})),
        "made",
    )


def our_step(model: LightGCN, first: Parameters) -> Callable[[Sample], float]:
    """A step of ours: the loss before it."""
    state, adam, slope = {"now": first}, Adam(model.rate), value_and_grad(model.loss)

    def step(sample: Sample) -> float:
        loss, gradient = slope(state["now"], sample)
        state["now"] = adam(state["now"], gradient)
        return float(loss)

    return step


def torch_step(
    model: LightGCN, first: Parameters, graph: Array, *, compressed: bool
) -> Callable[[Sample], float]:
    """A step of plain torch: the loss before it."""
    import scipy.sparse
    import torch

    table = torch.tensor(np.concatenate([first["users"], first["items"]]), requires_grad=True)
    optimiser = torch.optim.Adam([table], lr=model.rate)
    n = len(first["users"])
    both = scipy.sparse.bmat([[None, graph], [graph.T, None]]).tocoo()
    matrix = torch.sparse_coo_tensor(
        np.stack([both.row, both.col]), torch.tensor(both.data), both.shape
    ).coalesce()
    if compressed:
        matrix = matrix.to_sparse_csr()

    def step(sample: Sample) -> float:
        user, item, negative = (
            torch.from_numpy(x) for x in (sample.user, sample.item + n, sample.negative[:, 0] + n)
        )
        layers = [table]
        for _ in range(model.layers):
            layers.append(torch.sparse.mm(matrix, layers[-1]))
        out = sum(layers) / len(layers)
        of_user, of_item, of_other = (out.index_select(0, x) for x in (user, item, negative))
        difference = (of_user * (of_item - of_other)).sum(1)
        length = sum((table.index_select(0, x) ** 2).sum() for x in (user, item, negative))
        loss = torch.nn.functional.softplus(-difference).mean()
        loss = loss + model.penalty * length / (2 * len(user))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        return loss.item()

    return step


def main() -> None:
    """Print seconds, ratios and memory."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--steps", type=int, default=7)
    parser.add_argument("--ours", action="store_true", help="run ours alone, to see its memory")
    given = parser.parse_args()
    data = made(given.pairs)
    rng = np.random.default_rng(0)
    model = LightGCN()
    model._prepare(data)  # noqa: SLF001 -- what fit does before its first step
    first, sampler = model._first(rng), Sampler(data, model._weights(data), rng)  # noqa: SLF001 -- what is timed is inside the model
    steps = {"ours": our_step(model, first)}
    if not given.ours:
        for name in ("coordinates", "rows"):
            steps[f"torch, {name}"] = torch_step(
                model, first, model.graph, compressed=name == "rows"
            )
    seconds: dict[str, list[float]] = {name: [] for name in ("sampling", *steps)}
    for _ in range(given.steps):
        begun = time.perf_counter()
        sample = sampler.sample()
        seconds["sampling"].append(time.perf_counter() - begun)
        losses = []
        for name, step in steps.items():
            begun = time.perf_counter()
            losses.append(step(sample))
            seconds[name].append(time.perf_counter() - begun)
        if max(losses) - min(losses) > 1e-4:
            raise SystemExit(f"the losses differ: {losses}")
    for name, took in seconds.items():
        ratios = [a / b for a, b in zip(seconds["ours"], took, strict=True)]
        print(  # noqa: T201 -- a program that prints its figures
            f"{name:<20} {statistics.median(took):.2f} s a step; "
            f"ours takes {statistics.median(ratios):.2f} times that"
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"memory at most {peak:.0f} MB")  # noqa: T201 -- a program that prints its figures


if __name__ == "__main__":
    main()
