"""The page docs/diversity-study.md: the study of document 002 on real data, sparse and dense.

python -m dev.benchmarks.diversity_study [--beauty DIR] [--movielens DIR] [--made] [--seeds N]

Runs the study on the data that are named, writes its numbers (docs/diversity-study/NAME.json) and
figures, and then the page. Without arguments it writes the page from the numbers that are there.
DIR of Beauty holds train.txt, val.txt, test.txt and item_category.txt, as the authors of DGRec
publish them; DIR of MovieLens holds ml-100k.inter and ml-100k.item, as RecBole ships them.
"""

import argparse
import json
import tomllib
from pathlib import Path
from typing import Any

from dev.benchmarks.diversity_numbers import as_dict
from dev.benchmarks.diversity_page import overview, page
from dev.benchmarks.diversity_plots import gains, groups, parts
from irmetrics_edu.lab.recommenders.interactions import Interactions, interactions
from irmetrics_edu.lab.recommenders.load import load_interactions
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.study.diversity_study import study_diversity
from irmetrics_edu.lab.study.rankers import Settings
from irmetrics_edu.views.plotting import save_figure
from irmetrics_edu.writing import write

DOCS = Path(__file__).resolve().parents[2] / "docs"
HOME = DOCS / "diversity-study"
DRAWN = {"gains": gains, "parts": parts, "groups": groups}
LEAST_RATING, LEAST_ITEMS = 4, 5
SEEDS = 5


def settings(seeds: int = SEEDS) -> Settings:
    """The settings of all three studies."""
    given = tomllib.loads((HOME / "settings.toml").read_text(encoding="utf-8"))
    return Settings(seeds=seeds, **given)


def movielens(folder: Path) -> Interactions:
    """MovieLens 100k: ratings of 4 and more, each user's by time in 60 %, 20 % and 20 %."""
    rated: dict[str, list[tuple[float, int]]] = {}
    for user, item, rating, when in _table(folder / "ml-100k.inter"):
        if float(rating) >= LEAST_RATING:
            rated.setdefault(user, []).append((float(when), int(item)))
    splits: tuple[dict[str, list[str]], ...] = ({}, {}, {})
    for user in sorted(rated, key=int):
        given = [str(item) for _, item in sorted(rated[user])]
        if len(given) >= LEAST_ITEMS:
            ends = (0, round(len(given) * 0.6), round(len(given) * 0.8), len(given))
            for split, begin, end in zip(splits, ends, ends[1:], strict=False):
                split[user] = given[begin:end]
    genres = {row[0]: set(row[3].split()) for row in _table(folder / "ml-100k.item")}
    return interactions(*splits, genres, name="MovieLens 100k")


def _table(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [line.split("\t") for line in lines[1:]]


def measured(name: str, data: Interactions, seeds: int) -> None:
    """Run one study, and write its numbers and figures."""
    found = study_diversity(data, settings(seeds), progress=True)
    write(HOME / f"{name}.json", json.dumps(_rounded(as_dict(found)), indent=1) + "\n")
    for figure, draw in DRAWN.items():
        save_figure(draw(found, 10), HOME / f"{name}-{figure}.svg")


def _rounded(value: object) -> object:
    """Numbers to seven digits: the others hang on rounding."""
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value


def numbers() -> dict[str, Any]:
    """The numbers that are there."""
    held = {n: HOME / f"{n}.json" for n in ("beauty", "movielens", "made")}
    return {n: json.loads(p.read_text(encoding="utf-8")) for n, p in held.items() if p.exists()}


def written() -> str:
    """The page from the numbers that are there."""
    return page(numbers())


def main() -> None:
    """Measure what is named, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--beauty", type=Path, metavar="DIR")
    parser.add_argument("--movielens", type=Path, metavar="DIR")
    parser.add_argument("--made", action="store_true")
    parser.add_argument("--seeds", type=int, metavar="N", default=SEEDS)
    args = parser.parse_args()
    if args.beauty:
        measured("beauty", load_interactions(args.beauty, unknown_users="drop"), args.seeds)
    if args.movielens:
        measured("movielens", movielens(args.movielens), args.seeds)
    if args.made:
        measured("made", catalogue(), args.seeds)
    write(DOCS / "diversity-study.md", written())
    save_figure(overview(numbers()), HOME / "claims.svg")


if __name__ == "__main__":
    main()
