"""LightGCN and DGRec beside RecBole and implicit, on your data: `benchmarks/recommenders.md`.

    export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
    python -m benchmarks.recommenders --data FOLDER --data FOLDER --peers PYTHON --keep FOLDER

A folder of data is anything that `load_interactions` reads. `--peers` is the interpreter of an
environment with `recbole`, `implicit` and `torch`; the benchmark runs with `irmetrics-edu[train]`.
The lists of each contestant are kept in `--keep`, so that a run can be stopped and goes on.
"""

import argparse
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from irmetrics_edu.lab.recommenders.dgrec import DGRec
from irmetrics_edu.lab.recommenders.interactions import SPLITS, Interactions
from irmetrics_edu.lab.recommenders.lightgcn import LightGCN
from irmetrics_edu.lab.recommenders.load import load_interactions
from irmetrics_edu.lab.recommenders.many_users import Lists, unit_vectors
from irmetrics_edu.lab.recommenders.presets import preset
from irmetrics_edu.lab.recommenders.recommender import Popularity, Recommender
from irmetrics_edu.metrics.cumulated_gain import ndcg
from irmetrics_edu.metrics.diversity import category_coverage, ilad
from irmetrics_edu.metrics.recommendation import dcc, dilad
from irmetrics_edu.metrics.set_based import recall
from irmetrics_edu.numbers import Array
from irmetrics_edu.writing import write

HERE = Path(__file__).resolve().parent
K, LENGTH = 20, 100
METRICS = ("Recall", "nDCG", "CC", "ILAD", "DCC", "DILAD")
BASE = "LightGCN"
OURS: dict[str, Callable[[int], Recommender]] = {
    BASE: lambda d: LightGCN(dimensions=d),
    "LightGCN, 32 dimensions": lambda _: LightGCN(),
    "DGRec": lambda d: DGRec(dimensions=d),
    "DGRec, 32 dimensions": lambda _: DGRec(),
    "DGRec, preset dgrec-authors": lambda _: preset("dgrec-authors"),
    "Popularity": lambda _: Popularity(),
}
PEERS = ("RecBole LightGCN", "RecBole BPR", "implicit ALS", "implicit BPR")
TEXT = """# Recommenders

Written by `python -m benchmarks.recommenders`; run it on your data to have the figures for them.

- Every contestant learns from the same training items and recommends to the same users: those with
  test items. What a user has in training is not recommended; what is in validation may be.
- LightGCN and DGRec are those of this package with their defaults, and {dimensions} dimensions
  where no others are named. They stop by Recall@20 of the validation items. The defaults were
  chosen by the same Recall@20. With `attention=True`, the Recall@20 of validation was 0.1170 on
  Beauty and 0.3042 on MovieLens 100k. Without it, it was 0.1274 and 0.3354, so DGRec averages its
  layers. With all neighbours it was higher still, 0.1284 and 0.3481, but without a choice of
  neighbours it would not be DGRec: it keeps 8.
- With these defaults DGRec is no more diverse than LightGCN. The authors' settings
  (`preset("dgrec-authors")`) are more diverse, and find less.
- RecBole's models have RecBole's own settings with {dimensions} dimensions, and stop by the same
  Recall@20. implicit's have {dimensions} dimensions, and of a few settings those with the best
  Recall@20 of validation: six for ALS, four for BPR (`benchmarks/recommender_peers.py`).
- All metrics are at {k}, means over users. ILAD and DILAD take 1 - cosine of the item embeddings of
  this package's LightGCN. DCC has alpha = 0.01 and DILAD beta = 0.01, the package's defaults.
- Time is that of the processor in training, of the chosen setting, over that of LightGCN on one
  thread.
"""


def kept(
    name: str, data: Interactions, dimensions: int, keep: Path, peers: str | None, *, ready: bool
) -> dict[str, Any] | str:
    """What a contestant recommends, or why it can't be asked."""
    path = keep / f"{data.name}-{name.replace(' ', '_').replace(',', '')}-{dimensions}.npz"
    if ready and not path.exists():
        return "not measured yet"
    if not path.exists() and name in PEERS:
        if peers is None:
            return "not asked: no --peers"
        given = keep / f"{data.name}.npz"
        counts = {"n_users": len(data.users), "n_items": len(data.items)}
        pairs = {split: data.pairs[split] for split in SPLITS}
        np.savez(given, users=data.users_with("test"), **pairs, **counts)
        script = str(HERE / "recommender_peers.py")
        asked = subprocess.run(  # noqa: S603 -- the interpreter that the user named
            [peers, script, name, str(given), str(path), str(dimensions)],
            capture_output=True,
            text=True,
            check=False,
            cwd=keep,  # RecBole writes logs to where it runs
        )
        if asked.returncode:
            return f"failed: {(asked.stderr.strip().splitlines() or ['no message'])[-1]}"
    elif not path.exists():
        model = OURS[name](dimensions)
        begun = time.process_time()
        model.fit(data)
        took = time.process_time() - begun
        vectors = getattr(model, "item_embeddings", np.zeros((0, 0)))
        lists = model.top(data.users_with("test"), LENGTH)
        np.savez(path, lists=lists, seconds=took, vectors=vectors, version="", said=repr(model))
    return dict(np.load(path))


def measured(data: Interactions, lists: Array, unit: Array) -> list[float]:
    """The mean of each metric over users."""
    given = Lists(data, data.users_with("test"), lists[:, :K])
    ranked, categorised = given.ranked(), given.categorised()
    spaced = list(given.spaced(unit, K))
    return [
        float(np.mean(scores))
        for scores in (
            recall.measured(ranked, K).score,
            ndcg.measured(ranked, K).score,
            category_coverage.measured(categorised, K, n_categories=data.n_categories).score,
            np.concatenate([ilad.measured(rows).score for rows in spaced]),
            dcc.measured(categorised, K, n_categories=data.n_categories).score,
            np.concatenate([dilad.measured(rows).score for rows in spaced]),
        )
    ]


def section(
    data: Interactions, dimensions: int, keep: Path, peers: str | None, *, ready: bool
) -> str:
    """The part of the page about one set of data."""
    found = {
        name: kept(name, data, dimensions, keep, peers, ready=ready) for name in (*OURS, *PEERS)
    }
    base = found[BASE]
    if isinstance(base, str):
        raise SystemExit(f"{BASE}: {base}")
    unit = unit_vectors(base["vectors"], data.items)
    lines = [
        f"\n## {data.name}\n",
        *(f"- {note}" for note in (str(data), *data.notes)),
        "",
        f"| | {' | '.join(f'{name}@{K}' for name in METRICS)} | time |",
        f"|---|{'---:|' * (len(METRICS) + 1)}",
    ]
    for name, of in found.items():
        if isinstance(of, str):
            lines.append(f"| {name} | {of} |{' |' * len(METRICS)}")
            continue
        scores = " | ".join(f"{score:.4f}" for score in measured(data, of["lists"], unit))
        told = f"{name} {of['version']}".strip()
        lines.append(f"| {told} | {scores} | {of['seconds'] / base['seconds']:.2f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run what is not kept yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", action="append", type=Path, required=True)
    parser.add_argument("--keep", type=Path, required=True, help="where lists are kept")
    parser.add_argument("--peers", help="the interpreter of an environment with the peers")
    parser.add_argument("--ready", action="store_true", help="show what is kept, train nothing")
    parser.add_argument("--dimensions", type=int, default=64)
    parser.add_argument("--core", type=int, default=5, help="the k-core of tables of ratings")
    parser.add_argument("--write", type=Path, default=HERE / "recommenders.md")
    given = parser.parse_args()
    given.keep = given.keep.resolve()
    given.keep.mkdir(parents=True, exist_ok=True)
    page = TEXT.format(dimensions=given.dimensions, k=K)
    for path in given.data:
        published = (path / "item_category.txt").exists()
        data = load_interactions(
            path,
            repeats="first",
            unknown_users="drop",
            **({} if published else {"k_core": given.core}),
        )
        page += section(data, given.dimensions, given.keep, given.peers, ready=given.ready)
    write(given.write, page)


if __name__ == "__main__":
    main()
