"""Every column and quantity of small workings, worked out by hand from the definition."""

from typing import Any

import numpy as np
import pytest

from irmetrics_edu.metrics.definition import import_all
from irmetrics_edu.metrics.notation import parse

import_all()
CATEGORIES = {"a": {"rock"}, "b": {"rock", "folk"}, "c": {"jazz"}}
APART = {("a", "b"): 1, ("a", "c"): 0.5, ("b", "c"): 0}
KNOWN = {"a": 8, "b": 4, "c": 1}

# A measure, what it is called with, and all that its working holds.
WORKED: list[tuple[str, tuple[Any, ...], dict[str, Any], dict[str, Any]]] = [
    (
        "bpref",
        (["a", "b", "c", "d"], {"a": 0, "b": 1, "d": 1, "x": 0, "y": 1}),
        {},
        {
            "relevance": [0, 1, 0, 1],
            "non-relevant so far": [1, 1, 1, 1],
            "preference kept": [0, 0.5, 0, 0.5],
            "R": [3],
            "N": [2],
        },
    ),
    (
        "infAP(epsilon=1)",
        (["a", "b", "c", "d", "e"], {"a": 0, "b": None, "c": 1, "e": 1}),
        {},
        {
            "relevance": [0, 0, 1, 0, 1],
            "pooled above": [0, 1, 2, 3, 3],
            "judged above": [0, 1, 1, 2, 2],
            "relevant above": [0, 0, 0, 1, 1],
            "estimated precision above": [1 / 2, 1 / 3, 1 / 3, 2 / 4, 2 / 4],
            "expected precision": [0, 0, (1 + 2 / 3) / 3, 0, (1 + 3 / 2) / 5],
            "R": [2],
        },
    ),
    (
        "Hole@3",
        (["a", "b", "c", "d"], {"b": 0}),
        {},
        {"judged or not": [0, 1, 0], "not judged": [2], "divisor": [3]},
    ),
    (
        "Judged@3",
        (["a", "b"], {"b": 0}),
        {},
        {"judged or not": [0, 1], "retrieved within the cut": [2]},
    ),
    (
        "accuracy@2",
        (["a", "b", "c"], {"a": 1, "c": 1, "x": 1}),
        {"collection": 10},
        {"TP": [1], "FP": [1], "FN": [2], "TN": [6], "collection": [10]},
    ),
    (
        "pair_accuracy(paired=retrieved)",
        (["a", "b", "c", "d"], {"a": 1, "c": 2, "d": 0}),
        {},
        # b counts as grade 0; each pair is in the line of the lower, or of the judged beside b.
        {
            "concordant pairs": [1, 0, 2],
            "discordant pairs": [0, 2, 0],
            "pairs": [5],
        },
    ),
    (
        "ILAD",
        (["a", "b", "c"], APART),
        {"distance": "given"},
        {"mean distance to the others": [0.75, 0.5, 0.25], "number of pairs": [3]},
    ),
    (
        "ILAD(undefined=half)",
        (["a"], APART),
        {"distance": "given"},
        {"mean distance to the others": [0], "number of pairs": [0]},
    ),
    (
        "ILMD",
        (["a", "b", "c"], APART),
        {"distance": "given"},
        {"distance to the nearest": [0.5, 0, 0], "number of items": [3]},
    ),
    (
        "ILMD(undefined=half)",
        (["a"], APART),
        {"distance": "given"},
        {"distance to the nearest": [0], "number of items": [1]},
    ),
    (
        "CC",
        (["a", "b", "c"], CATEGORIES),
        {},
        {"new categories": [1, 1, 1], "all categories": [3]},
    ),
    (
        "Gini",
        ({"a": 3, "b": 1, "c": 0, "d": 0},),
        {},
        {
            "frequency": [3, 1],
            "place from the rarest": [4, 3],
            "signed frequency": [9, 1],  # (2 * place - 4 - 1) * frequency
            "all categories": [4],
            "sum of frequencies": [4],
        },
    ),
    (
        "entropy(base=4)",
        ({"a": 2, "b": 1, "c": 1},),
        {},
        {
            "frequency": [2, 1, 1],
            "share": [0.5, 0.25, 0.25],
            "surprise": [0.5, 1, 1],
            "share times surprise": [0.25, 0.25, 0.25],
        },
    ),
    (
        "AWRF(p=0.5)",
        (["a", "b"], {"a": {"x"}, "b": {"x", "y"}, "c": {"z"}, "d": {"z"}}),
        {},
        {
            # a gets 1, and b 1/2, half of it for each of its groups; of 4 items x has 1 1/2.
            "share of attention": [5 / 6, 1 / 6],
            "share due": [3 / 8, 1 / 8],
            "share due to absent groups": [1 / 2],
        },
    ),
    (
        "novelty",
        (["a", "b", "c"], KNOWN),
        {"users": 8},
        {
            "popularity": [8, 4, 1],
            "share of users": [1, 1 / 2, 1 / 8],
            "self-information": [0, 1, 3],
            "number of items": [3],
        },
    ),
    (
        "EPC@2",
        (["a", "b", "c"], KNOWN),
        {"users": 8},
        {
            "popularity": [8, 4],
            "share of users": [1, 1 / 2],
            "unknown to": [0, 1 / 2],
            "number of items": [2],
        },
    ),
    (
        "serendipity",
        (["a", "b", "c"], {"a", "c"}, ["a", "b"]),
        {},
        {
            "effective": [1, 0, 1],
            "unexpected": [0, 0, 1],
            "useful and unexpected": [0, 0, 1],
            "number of items": [3],
        },
    ),
    (
        "PSP(a=1,b=1)@4",
        (["a", "b", "c"], {"b", "c"}, KNOWN),
        {"users": 8},
        {
            "popularity": [8, 4, 1],
            "1 / propensity": 1 + (np.log(8) - 1) * 2 / (np.array([8, 4, 1]) + 1),
            "effective": [0, 1, 1],
            "worth of the hit": (1 + (np.log(8) - 1) * 2 / (np.array([8, 4, 1]) + 1)) * [0, 1, 1],
            "ranks counted": [4],
        },
    ),
    (
        "PSnDCG(a=0)@3",
        (["a", "b"], {"b"}, KNOWN),
        {"users": 8},
        {
            "popularity": [8, 4],
            "1 / propensity": [np.log(8)] * 2,
            "effective": [0, 1],
            "worth of the hit": [0, np.log(8)],
            "discount": [1, 1 / np.log2(3)],
            "discounted worth": [0, np.log(8) / np.log2(3)],
            "sum of the discounts": [1 + 1 / np.log2(3) + 1 / 2],
        },
    ),
    (
        "personalisation",
        (["a", "b"], {"a": 3, "b": 1}),
        {"users": 3},
        {
            "exposure": [3, 1],
            "share of other lists": [1, 0],
            "not shared": [0, 1],
            "number of items": [2],
        },
    ),
    (
        "catalogue_coverage@1",
        ({"u": ["a", "b"], "v": ["a"]}, ["a", "b", "c"]),
        {},
        {"exposure": [2, 0, 0], "occurs": [1, 0, 0], "items in the catalogue": [3]},
    ),
    (
        "AUC",
        ([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]),
        {},
        {
            "TP": [1, 2, 2],
            "FP": [0, 1, 2],
            "true positive rate": [1 / 2, 1, 1],
            "fall-out": [0, 1 / 2, 1],
            "pairs in order": [0, 3 / 2, 2],
            "R": [2],
            "N": [2],
        },
    ),
    (
        "PR-AUC",
        ([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]),
        {},
        {
            "TP": [1, 2, 2],
            "FP": [0, 1, 2],
            "precision": [1, 2 / 3, 1 / 2],
            "recall": [1 / 2, 1, 1],
            "recall gained": [1 / 2, 1 / 2, 0],
            "step area": [1 / 2, 1 / 3, 0],
            "R": [2],
        },
    ),
    (
        "break-even",
        ([1, 0, 1, 0], [0.9, 0.5, 0.5, 0.1]),
        {},
        # From (1/2, 1) to (1, 2/3): on the line both are 4/5.
        {
            "TP": [1, 2, 2],
            "FP": [0, 1, 2],
            "precision": [1, 2 / 3, 1 / 2],
            "recall": [1 / 2, 1, 1],
            "R": [2],
            "recall before": [1 / 2],
            "recall after": [1],
            "share of the way": [3 / 5],
        },
    ),
    (
        "RR",
        ([0, 0, 1, 1],),
        {},
        {"relevance": [0, 0, 1, 1], "rank of the first relevant": [3]},
    ),
    (
        "Success@2",
        ([1, 1, 0],),
        {},
        {"relevance": [1, 1], "relevant retrieved": [2]},
    ),
    (
        "P@4",
        (["a", "b"], {"a": 1, "x": 1, "y": 1}),
        {},
        {
            "relevance": [1, 0],
            "relevant retrieved": [1],
            "divisor": [4],
            "R": [3],
            "theoretical upper bound": [3 / 4],
        },
    ),
    (
        "R@2",
        (["a", "b", "c"], {"a": 1, "x": 1, "y": 1}),
        {},
        {
            "relevance": [1, 0],
            "relevant retrieved": [1],
            "divisor": [3],
            "R": [3],
            "theoretical upper bound": [2 / 3],
        },
    ),
    (
        "AP@3",
        ([1, 0, 1, 1],),
        {},
        {
            "relevance": [1, 0, 1],
            "relevant so far": [1, 1, 2],
            "precision": [1, 1 / 2, 2 / 3],
            "precision at relevant": [1, 0, 2 / 3],
            "relevant retrieved": [2],
            "R": [3],
            "divisor": [3],
        },
    ),
    ("IPrec@0.5", ([0, 1, 1],), {}, {"recall level": [0.5]}),
    (
        "interpolated-AP(points=3)",
        ([0, 1, 1],),
        {},
        {"rank of recall": [1, 2, 3], "precision at recall": [2 / 3] * 3, "points": [3]},
    ),
    (
        "interpolated-AP(points=3)",
        (["a"], {"a": 1, "x": 1}),
        {},
        {"rank of recall": [1, 1, 0], "precision at recall": [1, 1, 0], "points": [3]},
    ),
    (
        "interpolated-AP(points=2,interpolation=none)",
        ([1, 0],),
        {},
        {"rank of recall": [1, 1], "precision at recall": [1, 1], "points": [2]},
    ),
    (
        "interpolated-AP(points=2,interpolation=none)",
        ([0, 1],),
        {},
        {"rank of recall": [1, 2], "precision at recall": [0, 1 / 2], "points": [2]},
    ),
    (
        "ERR(max_grade=1)",
        ([1, 0, 1],),
        {},
        {
            "stop probability": [1 / 2, 0, 1 / 2],
            "reach probability": [1, 1 / 2, 1 / 2],
            "1/rank": [1, 1 / 2, 1 / 3],
            "contribution": [1 / 2, 0, 1 / 12],
        },
    ),
    (
        "PFound(max_grade=1,p_break=0.5)",
        ([1, 0, 1],),
        {},
        {
            "stop probability": [1 / 2, 0, 1 / 2],
            "reach probability": [1, 1 / 4, 1 / 8],
            "contribution": [1 / 2, 0, 1 / 16],
        },
    ),
    (
        "RBP(p=0.5)",
        ([1, None, 1],),
        {},
        {
            "relevance": [1, 0, 1],
            "weight": [1 / 2, 1 / 4, 1 / 8],
            "weighted relevance": [1 / 2, 0, 1 / 8],
            "residual": [3 / 8],
            "upper bound": [1],
        },
    ),
    (
        "INSQ(depth=2)",
        ([1, 0, 1],),
        {},
        # From rank 1 on with probability (2/3)^2.
        {
            "gain": [1, 0],
            "reach probability": [1, 4 / 9],
            "weight": [9 / 13, 4 / 13],
            "weighted gain": [9 / 13, 0],
            "documents looked at": [13 / 9],
        },
    ),
    (
        "Compat(p=0.5)",
        (["b", "x", "a"], {"a": 2, "b": 1}),
        {},
        {
            "ideal rank": [2, 1],
            "depth in both": [2, 3],
            "weight from there on": [1 / 4 + 1 / 12, 1 / 12],
            "weight of the ideal order": [1 + 1 / 4 + 1 / 12 + 1 / 4 + 1 / 12],
        },
    ),
    (
        "tau",
        (["a", "c", "b"], ["a", "b", "c"]),
        {},
        {
            "pairs in the same order": [0, 1, 1],
            "pairs in opposite order": [0, 0, 1],
            "pairs compared": [3],
        },
    ),
    (
        "tau_AP",
        (["a", "c", "b"], ["a", "b", "c"]),
        {},
        {
            "items in order above": [0, 1, 1],
            "share in order above": [0, 1, 1 / 2],
            "items below the first": [2],
        },
    ),
    (
        "alpha-DCG(discount=reciprocal)",
        (["a", "b"], {"a": {"A", "B"}, "b": {"A"}}),
        {},
        {
            "gain": [2, 1 / 2],
            "cumulated gain": [2, 5 / 2],
            "discount": [1, 1 / 2],
            "discounted gain": [2, 1 / 4],
            "cumulated": [2, 9 / 4],
        },
    ),
    (
        "relevance-probability",
        (["a", "b"], {"a": {"A", "B"}, "b": {"A"}}),
        {},
        {
            "first-order term": [1 / 2, 1 / 8],
            "probability of a miss": [9 / 16, 7 / 8],
            "probability of relevance": [7 / 16, 1 / 8],
        },
    ),
    (
        "S-recall",
        (["a", "b"], {"a": {"A"}, "b": {"A", "B"}, "c": {"C"}}),
        {},
        {"new nuggets": [1, 1], "cumulated": [1, 2], "nuggets in all": [3]},
    ),
    (
        "variance",
        ([1, 2, 6],),
        {},
        {
            "value": [1, 2, 6],
            "deviation": [-2, -1, 3],
            "squared deviation": [4, 1, 9],
            "degrees of freedom": [2],
        },
    ),
]


@pytest.mark.parametrize(
    ("name", "call", "options", "held"), WORKED, ids=[worked[0] for worked in WORKED]
)
def test_what_a_working_holds_is_worked_out_by_hand(
    name: str, call: tuple[Any, ...], options: dict[str, Any], held: dict[str, Any]
) -> None:
    """All its columns and quantities, line by line."""
    working = parse(name).working(*call, **options)
    assert {*working.columns, *working.quantities} <= {*held, "divergence of the group"}
    for column, expected in held.items():
        found = np.asarray(working[column], dtype=float)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12, err_msg=column)
