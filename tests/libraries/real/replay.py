"""What a bundle gives on these runs, beside what its library gave."""

from functools import cache

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.libraries.names import measures_under
from tests.libraries.real.inputs import PUBLISHED, inputs
from tests.libraries.replay import agree, number, quirks_of

# The small inputs of the same kind, by whose names the quirks of a bundle say what they concern.
_GRADED = ("g523", "a lower grade stands above the highest")
_TIED = ("ties", "ties of many documents", "tied scores", "levels200")
ALIKE = {
    "thousand": _GRADED,
    "thousand tied": (*_GRADED, *_TIED),
    "hundred tied": (*_GRADED, *_TIED),
    "own documents": _GRADED,
    "negative": (*_GRADED, "neg", "losses30", "below -1", "negative grades and grade 0"),
    "missing and extra": (*_GRADED, "missing", "unjudged query"),
    "nothing relevant": (*_GRADED, "norel", "several_norel", "one class"),
    "by subtopic": (),
    PUBLISHED: (*_GRADED, *_TIED),
}


_OF_32_BITS = ("torchmetrics", "torcheval", "ignite", "allrank", "keras_rs", "rax", "tf_ranking")


@cache
def given(probe, beside):
    """An input as evaluate takes it."""
    run, qrels = inputs(beside)[probe]
    return {query: dict(map(tuple, ranked)) for query, ranked in run.items()}, qrels


def evaluated(name, probe, metrics, beside=None):
    """Ours for each metric, asked in one call: the mean, the scores and who counts; else None."""
    run, qrels = given(probe, beside)
    keys = {}
    for metric in metrics:
        (chosen,), _ = measures_under([metric], BUNDLES[name])
        keys[metric] = chosen.name
    try:
        e = evaluate(run, qrels, list(metrics), name)
        found = {}
        for metric, key in keys.items():
            counted = [e.queries[i] for i in e.counted(key)]
            found[metric] = (e.mean[key], e.per_query[key], counted)
        return found
    except InputError:
        if len(metrics) == 1:
            return {metrics[0]: None}
    return {m: evaluated(name, probe, [m], beside)[m] for m in metrics}


def is_given(value, ours, digits):
    """Whether a recorded value, by query or in the mean, is ours; a refusal is an error's name."""
    if ours is None:
        return isinstance(value, str) or value == {}
    mean, scores, counted = ours
    if isinstance(value, dict):
        # A query that is left out of the mean has no value there, or NaN.
        if set(value) not in (set(scores), set(counted)):
            return False
        return all(agree(scores[query], number(v), digits) for query, v in value.items())
    value = number(value)
    return not isinstance(value, str) and agree(mean, value, digits)


def _digits(name, metric, probe):
    """The digits that a library gives; sums of a thousand numbers of 32 bits are good to five."""
    of_gdeval = name == "ir_measures" and metric.startswith(("nDCG(dcg", "ERR"))
    digits = BUNDLES["gdeval" if of_gdeval else name].digits
    return min(digits, 5) if name in _OF_32_BITS and probe.startswith("thousand") else digits


def is_known(name, metric, probe):
    """Whether a quirk of the library speaks of such an input."""
    return any(any(quirks_of(BUNDLES[name], metric, of)) for of in ALIKE[probe])


def classes(name, rows, beside=None):
    """Every row with what it is: equal, a quirk, or wrong."""
    by_probe = {}
    for metric, probe, value in rows:
        if probe not in inputs(beside):  # what others published
            continue
        by_probe.setdefault(probe, []).append((metric, value))
    for probe, of in by_probe.items():
        ours = evaluated(name, probe, list(dict.fromkeys(metric for metric, _ in of)), beside)
        for metric, value in of:
            if is_given(value, ours[metric], _digits(name, metric, probe)):
                kind = "equal"
            else:
                kind = "quirk" if is_known(name, metric, probe) else "wrong"
            yield kind, metric, probe, value, ours[metric]
