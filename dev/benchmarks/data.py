"""The work: runs and judgments of stated sizes, made from a seed and kept in files."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np

DOCUMENTS = 8_800_000  # so many passages as the collection of the best-known task of this size


def save(path: Path, value: Any) -> None:
    """Keep a value for the processes that are timed."""
    with path.open("wb") as file:
        pickle.dump(value, file, protocol=pickle.HIGHEST_PROTOCOL)


def load(path: Path) -> Any:
    """What was kept."""
    with path.open("rb") as file:
        return pickle.load(file)  # noqa: S301 -- our own file, made a moment ago


def search(folder: Path, queries: int, depth: int = 1000) -> None:
    """A run of `depth` documents a query with 1 to 50 judged: as mappings and as TREC files.

    Scores have six decimals; about 70 of 100 judged documents are in the run; grades are 0 to 3.
    """
    rng = np.random.default_rng(1)
    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    for q in range(queries):
        documents = [f"D{d}" for d in np.unique(rng.integers(0, DOCUMENTS, 2 * depth)).tolist()]
        rng.shuffle(documents)
        scores = np.round(np.sort(rng.random(depth) * 20)[::-1], 6)
        run[str(q)] = dict(zip(documents[:depth], scores.tolist(), strict=True))
        judged = int(rng.integers(1, 51))
        inside = round(0.7 * judged)
        chosen = [*rng.permutation(depth)[:inside], *range(depth, depth + judged - inside)]
        grades = rng.integers(0, 4, judged).tolist()
        qrels[str(q)] = {documents[c]: g for c, g in zip(chosen, grades, strict=True)}
    save(folder / "mappings", (run, qrels))
    with (folder / "run").open("w") as file:
        for query, ranking in run.items():
            file.write(
                "".join(
                    f"{query} Q0 {d} {i} {s:.6f} bench\n"
                    for i, (d, s) in enumerate(ranking.items(), 1)
                )
            )
    with (folder / "qrels").open("w") as file:
        for query, judgments in qrels.items():
            file.write("".join(f"{query} 0 {d} {g}\n" for d, g in judgments.items()))


def recommendation(folder: Path, users: int, depth: int = 100, held_out: int = 10) -> None:
    """For each user `depth` recommended of 20,000 items, best first, and `held_out` of them all.

    About half of the held-out items are among the recommended.
    """
    rng = np.random.default_rng(2)
    items = 20_000
    # Steps of at least 1 along the catalogue, so that no item comes twice; then a shuffle.
    steps = rng.integers(1, items // (depth + held_out), (users, depth + held_out))
    catalogue = rng.permutation(items)
    drawn = catalogue[np.cumsum(steps, axis=1) % items]
    drawn = rng.permuted(drawn, axis=1)
    recommended = np.ascontiguousarray(drawn[:, :depth])
    near = held_out // 2
    held = np.concatenate(
        [drawn[:, depth : depth + held_out - near], rng.permuted(recommended, axis=1)[:, :near]],
        axis=1,
    )
    # Apart, as a pickled array is read by no other major version of numpy than it was made by.
    np.save(folder / "recommended.npy", recommended)
    save(folder / "held_out", [row.tolist() for row in held])


def diversity(folder: Path, topics: int, depth: int = 1000, subtopics: int = 6) -> None:
    """A run and, for each topic, 200 documents that cover 0 to 3 of its subtopics."""
    rng = np.random.default_rng(3)
    run, qrels = {}, {}
    for t in range(topics):
        documents = [f"D{d}" for d in np.unique(rng.integers(0, DOCUMENTS, 2 * depth)).tolist()]
        rng.shuffle(documents)
        scores = np.round(np.sort(rng.random(depth) * 20)[::-1], 6)
        run[str(t)] = dict(zip(documents[:depth], scores.tolist(), strict=True))
        covered = {
            documents[c]: {
                str(s) for s in rng.permutation(subtopics)[: rng.integers(0, 4)].tolist()
            }
            for c in rng.permutation(depth + 50)[:200].tolist()
        }
        qrels[str(t)] = {d: s for d, s in covered.items() if s} or {documents[0]: {"0"}}
    save(folder / "mappings", (run, qrels))


def one_call(folder: Path, _size: int) -> None:
    """Three grades."""
    save(folder / "grades", [5, 2, 3])


def many_queries(folder: Path, queries: int) -> None:
    """TREC files with ten documents for each query, of which one is judged, beside another."""
    rng = np.random.default_rng(4)
    with (folder / "many.run").open("w") as run, (folder / "many.qrels").open("w") as qrels:
        for q in range(queries):
            first, place = (int(rng.integers(DOCUMENTS)), q % 10)
            run.writelines(
                f"{q} Q0 D{first + 7 * i} {i + 1} {10 - i + q % 97 / 1000:.6f} bench\n"
                for i in range(10)
            )
            qrels.write(f"{q} 0 D{first + 7 * place} 1\n{q} 0 X{q} 2\n")


def one_query(folder: Path, documents: int) -> None:
    """TREC files with all documents of one query, of which a hundred at most are judged."""
    rng = np.random.default_rng(5)
    names = rng.permutation(documents).tolist()
    scores = np.sort(rng.random(documents))[::-1].tolist()
    step = max(1, documents // 100)
    with (folder / "one.run").open("w") as run, (folder / "one.qrels").open("w") as qrels:
        run.writelines(
            f"q Q0 D{name} {i} {score:.6f} bench\n"
            for i, (name, score) in enumerate(zip(names, scores, strict=True), 1)
        )
        qrels.writelines(f"q 0 D{name} 1\n" for name in names[::step][:100])
