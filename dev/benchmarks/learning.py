"""All learners on two public sets, as tables of docs/learning-to-rank.md.

    python -m dev.benchmarks.learning --cranfield DIR --lambdarank DIR

Writes the tables into the page. The folders hold cran.all.1400, cran.qry and cranqrel, and the
files of LightGBM's examples/lambdarank. LightGBM's own ranker is a line where it is installed.
"""

import argparse
import sys
from collections.abc import Callable, Hashable, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import irmetrics_edu as im
from dev.benchmarks.cranfield import cranfield
from irmetrics_edu import lab
from irmetrics_edu.lab import RankingData, read_letor
from irmetrics_edu.views.formatting import markdown_table, steady
from irmetrics_edu.writing import write

PAGE = Path(__file__).resolve().parents[2] / "docs" / "learning-to-rank.md"
SPLITS = 5
MEASURES = ("nDCG@10", "AP")
BEGIN, END = "<!-- tables: written by dev.benchmarks.learning -->\n", "<!-- end of tables -->"
Run = dict[Hashable, dict[Hashable, float]]

LEARNERS: dict[str, Callable[[RankingData], Any]] = {
    "pointwise regression": lab.pointwise_regression,
    "pointwise classification": lab.pointwise_classification,
    "ordinal regression": lab.ordinal_regression,
    "association rules": lab.association_rules,
    "Ranking SVM": lab.ranking_svm,
    "Ranking SVM, by query": lambda data: lab.ranking_svm(data, pairs="by_query"),
    "ranking with ties": lab.ranking_with_ties,
    "ListNet": lab.listnet,
    "ListMLE": lab.listmle,
    "AdaRank": lab.adarank,
    "AdaRank, once": lambda data: lab.adarank(data, reuse="never"),
    "LambdaMART": lab.lambdamart,
}


def lambdarank(folder: Path) -> RankingData:
    """The queries of both files of LightGBM's example, those of rank.train first."""
    parts = [
        read_letor(folder / name, sizes=folder / f"{name}.query", n_features=300)
        for name in ("rank.train", "rank.test")
    ]
    return RankingData(
        np.vstack([part.features for part in parts]),
        np.concatenate([part.grade for part in parts]),
        [f"{name}{q}" for name, part in zip(("train", "test"), parts, strict=True)
         for q in part.query],
        [d for part in parts for d in part.document],
    )  # fmt: skip


def of_lightgbm(train: RankingData, test: RankingData) -> Run:
    """LightGBM's LambdaRank with its defaults, made to be the same in every run."""
    import lightgbm

    ranker = lightgbm.LGBMRanker(
        objective="lambdarank", deterministic=True, force_row_wise=True, n_jobs=1, verbose=-1
    )
    ranker.fit(train.features, train.grade.astype(int), group=np.diff(train.starts))
    return test.run(np.asarray(ranker.predict(test.features)))


def over_splits(data: RankingData, learnt: Callable[[RankingData, RankingData], Run]) -> Run:
    """The run of all queries, each ranked by what was learnt from the other four parts.

    Part i has the queries whose place, from 0, leaves i when divided by five: no chance is in it.
    """
    run: Run = {}
    for i in range(SPLITS):
        held = [q for n, q in enumerate(data.queries) if n % SPLITS == i]
        rest = [q for n, q in enumerate(data.queries) if n % SPLITS != i]
        run.update(learnt(data.take(rest), data.take(held)))
    return {query: run[query] for query in data.queries}


def scored(run: Run, qrels: Mapping[Any, Any], **options: Any) -> dict[str, Any]:
    """The scores of each measure, query by query."""
    return {name: im.evaluate(run, qrels, name, **options).scores[name] for name in MEASURES}


def table(
    data: RankingData, qrels: Mapping[Any, Any], baselines: Mapping[str, dict[str, Any]]
) -> str:
    """A table with a line for each baseline and learner, each held against the first of them."""
    found = dict(baselines)
    normalised = data.normalised()
    for name, learn in LEARNERS.items():
        run = over_splits(normalised, lambda train, test, learn=learn: learn(train).run(test))
        found[name] = scored(run, qrels)
        sys.stderr.write(f"{name}: {np.mean(found[name]['nDCG@10']):.3f}\n")
    if find_spec("lightgbm"):
        name = f"LightGBM {version('lightgbm')}, LambdaRank"
        found[name] = scored(over_splits(normalised, of_lightgbm), qrels)
    return written(found)


def with_error(values: Any, *, sign: bool = False) -> str:
    """A mean with its standard error, to three digits; what is 0 to three digits has no sign."""
    mean = round(steady(np.mean(values)), 3)
    error = steady(np.std(values, ddof=1) / np.sqrt(len(values)))
    return f"{mean + 0.0:{'+' if sign and mean else ''}.3f} ± {error:.3f}"


def written(found: Mapping[str, Mapping[str, Any]]) -> str:
    """The scores of each ranker, and by how much they are above the first one's, in Markdown."""
    first = next(iter(found.values()))
    rows = []
    for name, scores in found.items():
        cells = [
            (with_error(scores[m]), with_error(scores[m] - first[m], sign=True) if rows else "")
            for m in MEASURES
        ]
        rows.append([name, *(c for pair in cells for c in pair)])
    return markdown_table(["ranker", *(h for m in MEASURES for h in (m, f"{m}, more"))], rows)


def of_cranfield(folder: Path) -> str:
    """BM25, the tf-idf order and all learners on Cranfield."""
    data, qrels = cranfield(folder)
    baselines = {
        name: scored(data.run(data.features[:, data.feature_names.index(feature)]), qrels)
        for name, feature in (("BM25", "BM25"), ("tf-idf", "cosine tf-idf"))
    }
    return table(data, qrels, baselines)


def of_lambdarank(folder: Path) -> str:
    """The mean over all orders, and all learners on LightGBM's example."""
    data = lambdarank(folder)
    same = data.run(np.zeros(len(data.grade)))
    chance = scored(same, data.qrels, ties="averaged")
    return table(data, data.qrels, {"chance (mean over all orders)": chance})


def main(given: list[str] | None = None) -> int:
    """Learn, score, and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m dev.benchmarks.learning",
        description="Learn and score on two sets.",
    )
    parser.add_argument("--cranfield", type=Path, required=True)
    parser.add_argument("--lambdarank", type=Path, required=True)
    parser.add_argument("--page", type=Path, default=PAGE, help="the page to write into")
    asked = parser.parse_args(given)
    tables = (
        f"### Cranfield: 225 queries\n\n{of_cranfield(asked.cranfield)}\n\n"
        f"### LightGBM's example: 251 queries\n\n{of_lambdarank(asked.lambdarank)}\n"
    )
    head, _, rest = asked.page.read_text(encoding="utf-8").partition(BEGIN)
    write(asked.page, head + BEGIN + tables + END + rest.partition(END)[2])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
