"""Cases of further measures of one ranking: counts, blends, samples, recall levels, thresholds."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dev.tools.vectors.grid import EMPTY, INPUTS, with_ids
from dev.tools.vectors.oracles.further import OF_RANKINGS, OF_SCORES
from dev.tools.vectors.oracles.rankings import WITHOUT_RELEVANT, Number, relevance
from dev.tools.vectors.oracles.readers import OF_READERS
from dev.tools.vectors.oracles.sets import OF_SETS
from dev.tools.vectors.switches import switches_of
from irmetrics_edu.diagnosis.conformance.vectors import OF_RANKINGS as READING
from irmetrics_edu.diagnosis.conformance.vectors import OF_SCORES as READING_OF_SCORES
from irmetrics_edu.diagnosis.conformance.vectors import VectorCase, named
from irmetrics_edu.metrics.notation import parse

_LEVELS = ("0.5", "0", "0.1", "0.7", "1")
_PLAIN_LEVELS = ("0.5", "1")  # of which the roundings have nothing new to tell
_HOW = ("standard", "none", "trec_eval", "trec_eval_10")
# A measure of one ranking that has an oracle and is listed nowhere here has the options of its
# signature (`switches.py`). List it in `_SHORTER` where other values tell more; the first value is
# that of the definition, the others are turned one at a time. `**EMPTY` has the values of
# `no_relevant`. `_GRID` has more inputs: take it if `make metric` says that no vector changes.
_GRID: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "CG": {"gain": ("linear", "exp", "binary")},
    "Judged": {},
    "simplified-AP": {"rel": (1, 2), **EMPTY},
    "accuracy": {"collection": (20, "known"), "rel": (1, 2)},
    "fall-out": {"collection": (20, "known"), "rel": (1, 2), "undefined": ("zero",)},
    "Q": {
        "beta": ("1", "10", "0"),
        "gain": ("linear", "exp", "binary"),
        "rel": (1, 2),
        "divisor": ("relevant", "reachable"),
        **EMPTY,
    },
    "IPrec": {"recall": _LEVELS, "interpolation": _HOW, "rel": (1, 2), **EMPTY},
    "interpolated-AP": {"points": (11, 3), "interpolation": _HOW, "rel": (1, 2), **EMPTY},
    "pair_accuracy": {
        "gain": ("linear", "exp", "binary"),
        "paired": ("judged", "retrieved"),
        "undefined": ("zero", "nan"),
    },
}
_WALK = {"gain": ("binary",), "rel": (1, 2), "depth": (1000, 3)}
# Six inputs, those that tell the most, are enough for measures without many switches.
_SHORTER: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "Rprec_mult": {"multiple": ("1", "0.5", "2"), "rel": (1, 2), **EMPTY},
    "set_map": {"rel": (1, 2), **EMPTY},
    "utility": {"hit": (1, 3), "other": (-1, -2), "missed": (0, -1), "rel": (1, 2)},
    "nugget-F": {
        "length": (250, 0, 1000), "allowance": (100, 20), "beta": ("3", "1"),
        "gain": ("binary(2)", "linear"), **EMPTY,
    },
    "Hole": {"divisor": ("retrieved", "k")},
    "IDCG": {
        "gain": ("linear", "exp"), "discount": ("log2", "jk(2)"), "ideal": ("judged", "r_ones"),
    },
    "INSQ": {"wanted": (1, 3), **_WALK},
    "INST": {"wanted": (1, 3), **_WALK},
}  # fmt: skip
_COMPAT: Mapping[str, Sequence[Any]] = {"p": ("0.95", "0.5"), **EMPTY}
_OF_SHORTER = ("missed", "short", "nothing-relevant", "unjudged", "single", "empty")
# What DCG and nDCG tell by these inputs holds for the ideal alone: the files stay small.
_OF_DCG = {("IDCG", "short"), ("IDCG", "single")}
_ELSEWHERE = ("infAP", "Compat")  # of which the inputs or the depth are their own
_ORACLES = {**OF_RANKINGS, **OF_READERS, **OF_SETS}
_BEYOND = {"Hole": 10, "set_map": 10}  # a cut that no list reaches, where that counts
_TAKEN = ("graded", "missed", "short", "nothing-relevant", "nothing-found", "unjudged", "empty",
          "long", "binary")  # fmt: skip
_TOGETHER = {"recall", "interpolation"}  # which are turned at the same time
_CUTS = (None, 3)

_SAMPLED: Mapping[str, tuple[Sequence[int | None], Sequence[int], str]] = {
    "sampled": ((1, -1, 0, -1, None, 2, -1), (1, -1, 0), "a grade below 0: pooled, not judged"),
    "sampled-above": ((-1, -1, 1), (), "nothing above the only hit was judged"),
    "sampled-none": ((-1, 0), (-1,), "nothing is relevant"),
    "sampled-first": ((1, None, 1), (), "what is outside the pool is taken for not relevant"),
}
_OF_SAMPLES: Mapping[str, Sequence[Any]] = {
    "epsilon": ("0.00001", "0.5"), "rel": (1, 2), **EMPTY,
}  # fmt: skip
_TOLD_APART: Mapping[str, tuple[Mapping[str, float], Mapping[str, int], str]] = {
    "scores-apart": (
        {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.3}, {"a": 1, "b": 0, "c": 2, "d": 0},
        "no two scores are equal",
    ),
    "scores-tied": (
        {"a": 0.5, "b": 0.9, "c": 0.5, "d": 0.5, "e": 0.1},
        {"a": 1, "b": 1, "c": 0, "d": 0, "e": 1},
        "three documents of one score come in at one threshold",
    ),
    "scores-tied-later": (
        {"a": 5, "b": 4, "c": 3, "d": 3, "e": 3}, {"a": 1, "b": 0, "c": 1, "d": 0, "e": 1},
        "three documents are relevant, and the third of the ranking is tied with others",
    ),
    "scores-all-tied": ({"a": 0.5, "b": 0.5, "c": 0.5}, {"a": 0, "b": 1, "c": 0}, "one threshold"),
    "scores-upside-down": ({"a": 3, "b": 2, "c": 1}, {"a": 0, "b": 0, "c": 1}, "the worst order"),
}  # fmt: skip
# Where all documents are relevant, nothing could be left out.
_WITHOUT_OTHERS: Mapping[str, Sequence[Any]] = {
    "collection": ("known",),
    "rel": (1,),
    "undefined": ("zero", "one", "half", "nan"),
}
_NONE_RELEVANT = ({"a": 0.9, "b": 0.8}, {"a": 0, "b": 0}, "no document is relevant")
_OF_SCORES: Mapping[str, Mapping[str, Sequence[Any]]] = {
    "AUC": {"rel": (1,), "undefined": ("half", "zero", "nan")},
    "PR-AUC": {"rel": (1,), **EMPTY},
    "break-even": {"rel": (1,), **EMPTY},
}


def of_further() -> Iterator[VectorCase]:
    """Every measure over the inputs that tell something of it."""
    for name, ranked, missed, why in INPUTS:
        if name in _TAKEN:
            for metric, switches in _GRID.items():
                for k in _cuts(metric, ranked):
                    yield from _turned(name, metric, k, ranked, missed, why, switches, {})
        for metric, switches in _of_six_inputs().items():
            if name in _OF_SHORTER and (metric, name) not in _OF_DCG:
                for k in _cuts(metric, ranked):
                    more = _deep_enough(ranked[:k], missed, ranked) if metric == "Compat" else {}
                    yield from _turned(
                        name, metric, k, ranked, missed, why, {**switches, **more}, {}
                    )
    for name, (ranked, missed, why) in _SAMPLED.items():
        reading = {"negative": "unjudged"}
        yield from _turned(name, "infAP", None, ranked, missed, why, _OF_SAMPLES, reading)
    why = "all documents of the collection are relevant"
    yield from _turned("all-relevant", "fall-out", None, (2, 1, 1), (1,), why, _WITHOUT_OTHERS, {})
    yield from _of_scores()


def _of_six_inputs() -> Mapping[str, Mapping[str, Sequence[Any]]]:
    """The measures of the fewer inputs: those that are listed, then those of signatures alone."""
    listed = {**_SHORTER, "Compat": _COMPAT}
    others = [name for name in _ORACLES if name not in {*listed, *_GRID, *_ELSEWHERE}]
    return {**listed, **{name: switches_of(name) for name in others}}


def _cuts(metric: str, ranked: Sequence[int | None]) -> Sequence[int | None]:
    if not parse(metric).has_cutoff or len(ranked) <= 2:
        return (None,)
    return (*_CUTS, _BEYOND[metric]) if metric in _BEYOND else _CUTS


def _deep_enough(
    top: Sequence[int | None], missed: Sequence[int], ranked: Sequence[int | None]
) -> Mapping[str, Sequence[Any]]:
    """The depth of Compat by its definition, the longer order's; then that of its authors."""
    return {"depth": (max(1, len(top), sum(relevance([*ranked, *missed], 1))), 1000)}


def _turned(
    name: str,
    metric: str,
    k: int | None,
    ranked: Sequence[int | None],
    missed: Sequence[int],
    why: str,
    switches: Mapping[str, Sequence[Any]],
    reading: Mapping[str, str],
) -> Iterator[VectorCase]:
    """The cases of a measure and an input, one convention turned at a time."""
    ranking, judgments = with_ids(ranked, missed)
    given = {"ranking": ranking, "judgments": judgments, "why": why}
    pool = list(judgments.values())
    relevant = sum(relevance(pool, 1))
    defaults = {n: v[0] for n, v in switches.items()}
    for said in _settings(switches, k, pool, relevant=bool(relevant)):
        exact = _value(metric, ranked, pool, k, said)
        spelt = {**reading, **said}
        yield VectorCase(
            named(name, metric, k, spelt), name, metric, k, given, spelt, exact, why,
            departs=said != defaults, topic="sampled judgments" if reading else "", reading=READING,
        )  # fmt: skip


def _settings(
    switches: Mapping[str, Sequence[Any]], k: int | None, pool: Sequence[int], *, relevant: bool
) -> Iterator[dict[str, Any]]:
    """The definition, then one convention turned; the levels of recall in each interpolation."""
    for values in itertools.product(*switches.values()):
        said = dict(zip(switches, values, strict=True))
        changed = {n for n, v in said.items() if v != switches[n][0]}
        if len(changed) > 1 and changed != _TOGETHER:
            continue
        if "no_relevant" in changed and relevant:
            continue
        if said.get("divisor") == "reachable" and not k:
            continue
        if len(changed) > 1 and said["recall"] in _PLAIN_LEVELS:
            continue
        if said.get("rel") == 2 and max(pool, default=0) < 2:
            continue
        yield said


def _value(
    metric: str, ranked: Any, pool: Sequence[int], k: int | None, said: Mapping[str, Any]
) -> Number:
    options = dict(said)
    empty = WITHOUT_RELEVANT[options.pop("no_relevant", "zero")]
    if "no_relevant" in said and not sum(relevance(pool, options.get("rel", 1))):
        return empty
    options = {"gain_" if n == "gain" else n: v for n, v in options.items()}
    cut = {} if k is None else {"k": k}
    return _ORACLES[metric](ranked, pool, **cut, **options)


def _of_scores() -> Iterator[VectorCase]:
    """Measures over thresholds: every document has a score and a grade."""
    unlisted = {name: switches_of(name) for name in OF_SCORES if name not in _OF_SCORES}
    for metric, switches in {**_OF_SCORES, **unlisted}.items():
        cuts = (None, 1, 3) if metric == "AUC" else (None,)
        taken = {**_TOLD_APART, "scores-no-hit": _NONE_RELEVANT}
        for (name, (scores, judgments, why)), k in itertools.product(taken.items(), cuts):
            given = {"scores": scores, "judgments": judgments, "why": why}
            relevant = any(g >= 1 for g in judgments.values())
            for said in _settings(switches, None, (), relevant=relevant):
                options = dict(said)
                empty = WITHOUT_RELEVANT[options.pop("no_relevant", "zero")]
                documents = [(scores[d], judgments[d]) for d in scores]
                cut = {} if k is None else {"k": k}
                decided = not relevant and metric != "AUC"
                exact = empty if decided else OF_SCORES[metric](documents, **cut, **options)
                yield VectorCase(
                    named(name, metric, k, said), name, metric, k, given, said, exact, why,
                    departs=any(v != switches[n][0] for n, v in said.items()),
                    topic="thresholds", reading=READING_OF_SCORES,
                )  # fmt: skip
