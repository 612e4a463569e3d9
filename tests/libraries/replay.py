"""What a bundle gives for an input, beside what its library was measured to give."""

import json
import math
from collections import Counter
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES

HOME = Path(__file__).parent / "measured"
COUNTED = HOME.with_name("counted.json")
EQUAL, QUIRK, WRONG = "equal", "quirk", "not equal"
_KINDS = {"equal": EQUAL, "reproduced": EQUAL, "quirk": QUIRK, "wrong": WRONG, "no bundle": WRONG}
FILES = sorted(path for path in HOME.glob("*.json") if path.stem != "inputs")


def recorded(path):
    """A file of recorded values: its package, version and rows."""
    return json.loads(path.read_text(encoding="utf-8"))


def inputs():
    """The inputs that the libraries were asked on, by name."""
    return json.loads((HOME / "inputs.json").read_text(encoding="utf-8"))


def number(value):
    """A measured value as a number: JSON has NaN and infinity as text."""
    return float(value) if value in ("nan", "inf") or isinstance(value, int) else value


def agree(ours, theirs, digits):
    """Whether two values are the same within the digits given, or within 32-bit precision."""
    if math.isnan(theirs) or math.isinf(theirs):
        return str(ours) == str(theirs)
    return abs(ours - theirs) <= 0.5000001 * 10**-digits + 1e-6 * max(1.0, abs(theirs))


def quirks_of(bundle, metric, probe):
    """The quirks of a library's metric that apply to an input."""
    return (quirk for quirk in bundle.quirks if quirk.concerns(metric, probe))


def is_lacking(bundle, name):
    """Whether a library has a metric of this name that we do not have."""
    return any(fnmatchcase(name, pattern) for pattern in bundle.lacks)


def as_run(given):
    """A run as an input has it: pairs as mappings of scores, lists as lists."""
    return {
        q: list(docs) if any(isinstance(d, str) for d in docs) else dict(map(tuple, docs))
        for q, docs in given.items()
    }


@cache
def asked_as(name, metric):
    """Our measure and the conventions for a library's metric, found once for all inputs."""
    return BUNDLES[name].measure(metric)


def reproduces(name, metric, given, value):
    """Whether a bundle gives the value, or refuses the input where the library does."""
    bundle = BUNDLES[name]
    measure, by = asked_as(name, metric)
    value = number(value)
    try:
        e = evaluate(as_run(given["run"]), given["qrels"], measure, by)
        mean, scores = next(iter(e.mean.values())), next(iter(e.per_query.values()))
    except InputError:  # refused, or no query is left that counts
        return isinstance(value, str) or value == {} or str(value) == "nan"
    if isinstance(value, dict):
        return set(scores) == set(value) and all(
            agree(scores[q], number(v), bundle.digits) for q, v in value.items()
        )
    return not isinstance(value, str) and agree(mean, value, bundle.digits)


def classes(name, rows, known):
    """Every row with what it is: reproduced, a quirk, or wrong."""
    for metric, probe, value in rows:
        if reproduces(name, metric, known[probe], value):
            kind = "reproduced"
        else:
            kind = "quirk" if any(quirks_of(BUNDLES[name], metric, probe)) else "wrong"
        yield kind, metric, probe, value


def numbers_in(value):
    """How many values a row holds: one of each query or cut-off, or one."""
    if isinstance(value, dict):
        return sum(numbers_in(number) for number in value.values()) or 1
    return len(value) if isinstance(value, list) else 1


def counts_of(rows):
    """How many values are equal, a quirk and neither; a row is a kind of classes and a value."""
    counts = Counter()
    for kind, value in rows:
        if kind in _KINDS:  # otherwise it is a metric that is not ours
            counts[_KINDS[kind]] += numbers_in(value)
    return {kind: counts[kind] for kind in (EQUAL, QUIRK, WRONG)}


def kept_counts(part, name):
    """What the page of conventions says of a library in one set of records."""
    kept = json.loads(COUNTED.read_text(encoding="utf-8"))[part][name]
    return {kind: kept[kind] for kind in (EQUAL, QUIRK, WRONG)}
