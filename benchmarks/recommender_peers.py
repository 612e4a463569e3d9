"""What RecBole and implicit recommend: `benchmarks.recommenders` runs it in their environment.

python recommender_peers.py NAME GIVEN WRITTEN DIMENSIONS

GIVEN holds the pairs of each split as numbers of users and items, `users` (those to recommend to)
and `items` (how many there are). WRITTEN gets `lists`, the 100 best unseen items for each user,
`seconds` of the processor in training, and `version`. It imports nothing of the package.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

LENGTH = 100


def of_implicit(name: str, given: Any, dimensions: int) -> tuple[Any, float, str]:
    """ALS or BPR of implicit: of a few settings those with the best Recall@20 of validation."""
    import implicit
    from scipy.sparse import csr_matrix

    kind = name.partition(" ")[2]
    user, item = given["train"].T
    n_users, n_items = int(given["n_users"]), int(given["n_items"])
    table = csr_matrix((np.ones(len(user), dtype=np.float32), (user, item)), (n_users, n_items))
    held = csr_matrix((np.ones(len(given["validation"])), given["validation"].T), table.shape)
    checked = np.unique(given["validation"][:, 0])
    best, seconds, lists = -1.0, 0.0, None
    grid = {
        "ALS": [{"regularization": r, "alpha": a} for r in (0.01, 1, 10) for a in (1, 10)],
        "BPR": [{"regularization": r, "iterations": i} for r in (0.01, 0.05) for i in (100, 300)],
    }
    for options in grid[kind]:
        make = {
            "ALS": implicit.als.AlternatingLeastSquares,
            "BPR": implicit.bpr.BayesianPersonalizedRanking,
        }[kind]
        model = make(factors=dimensions, random_state=0, num_threads=1, **options)
        begun = time.process_time()
        model.fit(table, show_progress=False)
        took = time.process_time() - begun
        found = model.recommend(checked, table[checked], N=20)[0]
        hits = np.asarray(held[np.repeat(checked, 20), found.ravel()]).reshape(-1, 20).sum(axis=1)
        recall = float((hits / np.asarray(held[checked].sum(axis=1)).ravel()).mean())
        if recall > best:
            best, seconds = recall, took
            lists = model.recommend(given["users"], table[given["users"]], N=LENGTH)[0]
    return lists, seconds, implicit.__version__


def of_recbole(name: str, given: Any, dimensions: int) -> tuple[Any, float, str]:
    """A model of RecBole with its own settings, stopped by Recall@20 of validation."""
    import recbole
    import torch
    from recbole.config import Config
    from recbole.data import create_dataset, data_preparation
    from recbole.data.interaction import Interaction
    from recbole.utils import get_model, get_trainer, init_seed

    read = torch.load
    torch.load = lambda *a, **o: read(*a, **{**o, "weights_only": False})
    kind = name.partition(" ")[2]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "given"
        place.mkdir()
        for part, split in (("train", "train"), ("valid", "validation"), ("test", "test")):
            lines = [f"{u}\t{i}\n" for u, i in given[split].tolist()]
            (place / f"given.{part}.inter").write_text(
                "user_id:token\titem_id:token\n" + "".join(lines), encoding="utf-8"
            )
        config = Config(
            model=kind,
            dataset="given",
            config_dict={
                "data_path": folder,
                "benchmark_filename": ["train", "valid", "test"],
                "load_col": {"inter": ["user_id", "item_id"]},
                "embedding_size": dimensions,
                "topk": [20],
                "metrics": ["Recall"],
                "valid_metric": "Recall@20",
                "use_gpu": False,
                "show_progress": False,
                "seed": 0,
                "checkpoint_dir": folder,
            },
        )
        init_seed(0, reproducibility=True)
        data = create_dataset(config)
        train, valid, _ = data_preparation(config, data)
        model = get_model(kind)(config, train.dataset)
        trainer = get_trainer(config["MODEL_TYPE"], kind)(config, model)
        begun = time.process_time()
        trainer.fit(train, valid, saved=True, show_progress=False)
        seconds = time.process_time() - begun
        state = torch.load(trainer.saved_model_file)
        model.load_state_dict(state["state_dict"])
        model.load_other_parameter(state.get("other_parameter"))
        model.eval()
        users = given["users"]
        numbers = torch.tensor(data.token2id("user_id", [str(u) for u in users.tolist()]))
        items = data.id2token("item_id", np.arange(1, data.item_num)).astype(np.intp)
        seen = np.zeros((int(given["n_users"]), int(given["n_items"])), dtype=bool)
        seen[tuple(given["train"].T)] = True
        parts = []
        for start in range(0, len(users), 500):
            here = slice(start, start + 500)
            asked = Interaction({"user_id": numbers[here]})
            found = model.full_sort_predict(asked).detach().numpy().reshape(len(users[here]), -1)
            scores = np.full((len(found), seen.shape[1]), -np.inf)
            scores[:, items] = found[:, 1:]  # before the first item is RecBole's padding
            scores[seen[users[here]]] = -np.inf
            parts.append(np.argsort(-scores, axis=1, kind="stable")[:, :LENGTH])
        lists = np.concatenate(parts)
    return lists, seconds, recbole.__version__


def main() -> None:
    """Ask one contestant."""
    name, source, target, dimensions = sys.argv[1:]
    given = dict(np.load(source))
    asked = of_implicit if name.startswith("implicit") else of_recbole
    lists, seconds, version = asked(name, given, int(dimensions))
    np.savez(target, lists=lists, seconds=seconds, version=version)


if __name__ == "__main__":
    main()
