"""Readers who stop and compatibility, against what the programs of their authors answered.

cwl_eval is by Azzopardi, Thomas & Moffat, who made INST, INSQ and the NERR measures. The answers
are stored, for drawn rankings of grades up to 3.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from irmetrics_edu import parse
from irmetrics_edu.conventions import Gain
from irmetrics_edu.metrics.average_precision import average_precision
from irmetrics_edu.metrics.fairness import awrf
from irmetrics_edu.metrics.rank_similarity import compatibility
from irmetrics_edu.metrics.stopping_models import walked

STORED = json.loads(Path(__file__).with_name("of_authors.json").read_text(encoding="utf-8"))
PLACE = {name: i for i, name in enumerate(STORED["measures"])}
OURS = [n for n in PLACE if not n.startswith(("NERR", "RBP"))]


def stored(name):
    """Grades, and the answer for them."""
    return [(grades, answers[PLACE[name]]) for grades, answers in STORED["cases"]]


@pytest.mark.parametrize("name", OURS)
def test_cwl_eval_has_the_same_values(name):
    """Gains are grades over 3; 1000 ranks deep on either side."""
    bare, _, options = name.partition("(")
    metric = parse(f"{bare}({options[:-1]}{',' if options else ''}gain=share(3))")
    for grades, answer in stored(name):
        assert metric(grades) == pytest.approx(answer, abs=1e-10)


# The four measures that are nearly ERR (Azzopardi, Mackenzie & Moffat 2021, ERR is not C/W/L):
# from rank i to the next a reader who is not satisfied goes on with such a probability.
NEARLY_ERR = {
    "NERR8@5": (5, lambda i: 1 + i * 0),
    "NERR9@5": (5, lambda i: i / (i + 1)),
    "NERR10": (1000, lambda i: 0.9 + i * 0),
    "NERR11": (1000, lambda i: ((i + 3) / (i + 4)) ** 2),  # INSQ for two documents
}


@pytest.mark.parametrize("name", NEARLY_ERR)
def test_what_is_nearly_err_is_a_walk(name):
    """None of them is a metric here; each is the walk of a reader in one line."""
    depth, on = NEARLY_ERR[name]

    def going_on(ranks, so_far):
        gains = np.diff(so_far, axis=1, prepend=0)
        return on(ranks) * (1 - gains)

    for grades, answer in stored(name):
        rows = average_precision.align(grades)
        found = walked(rows, Gain.named("share(3)"), 1, depth, going_on).score[0]
        assert found == pytest.approx(answer, abs=1e-10)


def test_awrf_in_nats_is_that_of_trec_fair_ranking():
    """Their program (wptrec/metrics/awrf.py) has 1 less the square of the distance of scipy."""
    jensenshannon = pytest.importorskip("scipy.spatial.distance").jensenshannon
    groups = {"a": {"x"}, "b": {"y"}, "c": {"x", "y"}, "d": {"z"}}
    due = {"x": 0.5, "y": 0.2, "z": 0.3}
    attention = [0.4, 0.24, 0.144]  # (1 - p) p^(rank - 1) for p = 0.6: items a, c, b
    got = np.array([attention[0] + attention[1] / 2, attention[1] / 2 + attention[2], 0])
    distance = jensenshannon(got / got.sum(), list(due.values()))
    score = awrf(["a", "c", "b"], groups, p=0.6, target=due)
    assert 1 - (1 - score) * np.log(2) == pytest.approx(1 - distance**2, abs=1e-12)


@pytest.mark.parametrize(("ranking", "judgments", "p", "answer"), STORED["rankings"])
def test_compatibility_is_that_of_its_author(ranking, judgments, p, answer):
    """To the depth of 1000 that the program has, normalised."""
    score = compatibility(ranking.split(), judgments, p=p, depth=1000)
    assert score == pytest.approx(answer, abs=1e-10)
