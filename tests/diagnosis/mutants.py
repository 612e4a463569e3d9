"""Metric functions in plain Python with parts that can be changed, and some thousand changes.

Every function takes a ranking and its judgments. A mutant is a right function with one or two of
its parts changed: a cut, an order of steps, a gain, a discount, a threshold, an ideal, a divisor, a
value of nothing.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

Function = Callable[[list, dict], float]
K = 10

# --- parts that several measures have


def as_given(ranking, _):
    """Every document."""
    return list(ranking)


def judged_first(ranking, judgments):
    """The judged documents alone, before anything is cut."""
    return [d for d in ranking if d in judgments]


def found_first(ranking, judgments):
    """The documents with a grade above 0 alone."""
    return [d for d in ranking if judgments.get(d, 0) > 0]


def turned(ranking, _):
    """The last document first."""
    return list(ranking)[::-1]


def without_first(ranking, _):
    """All but the first."""
    return list(ranking)[1:]


def sorted_by_grade(ranking, judgments):
    """The best grades first."""
    return sorted(ranking, key=lambda d: -judgments.get(d, 0))


def sorted_by_id(ranking, _):
    """By document id."""
    return sorted(ranking)


def unjudged_last(ranking, judgments):
    """The judged documents before all others."""
    return sorted(ranking, key=lambda d: d not in judgments)


ORDERS = (as_given, judged_first, found_first, turned, without_first, sorted_by_grade,
          sorted_by_id, unjudged_last)  # fmt: skip


def judged_after(ranking, judgments):
    """The judged documents alone, once the ranking was cut."""
    return [d for d in ranking if d in judgments]


def no_first_ten(ranking, _):
    """Nothing at all if there are fewer than ten documents."""
    return list(ranking) if len(ranking) >= 10 else []


AFTER = (as_given, judged_after, no_first_ten)

CUTS = (None, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 20, 30, 50, 99, 100, 150, 200, 500, 1000)

GAINS: Mapping[str, Callable[[float], float]] = {
    "linear": lambda g: g,
    "exp": lambda g: 2**g - 1,
    "binary": lambda g: float(g > 0),
    "2 or more": lambda g: float(g >= 2),
    "capped at 3": lambda g: min(g, 3),
    "capped at 5": lambda g: min(g, 5),
    "capped at 9": lambda g: min(g, 9),
    "root": lambda g: max(g, 0) ** 0.5,
    "square": lambda g: g * g,
    "power": lambda g: 2**g,
    "one more": lambda g: g + 1,
    "log": lambda g: math.log2(max(g, 0) + 1),
    "half": lambda g: g / 2,
    "absolute of g - 1": lambda g: abs(g - 1),
    "below 2": lambda g: g if g >= 2 else 0,
}

DISCOUNTS: Mapping[str, Callable[[int], float]] = {
    "log2(i+1)": lambda i: 1 / math.log2(i + 1),
    "log2(i+2)": lambda i: 1 / math.log2(i + 2),
    "log2(i)": lambda i: 1 / max(1.0, math.log2(i)),
    "ln(i+1)": lambda i: 1 / math.log(i + 1),
    "1/i": lambda i: 1 / i,
    "root": lambda i: i**-0.5,
    "none": lambda _: 1.0,
    "rounded": lambda i: round(1 / math.log2(i + 1), 3),
    "until 50": lambda i: 1 / math.log2(min(i, 50) + 1),
    "none from 33": lambda i: 1 / math.log2(i + 1) if i <= 32 else 0.0,
}

THRESHOLDS: Mapping[str, Callable[[float], bool]] = {
    "above 0": lambda g: g > 0,
    "1": lambda g: g == 1,
    "2 or more": lambda g: g >= 2,
    "3 or more": lambda g: g >= 3,
    "0 or more": lambda g: g >= 0,
    "below 6": lambda g: 0 < g < 6,
    "odd": lambda g: g % 2 == 1,
}

NOTHING = (0.0, 1.0, 0.5, math.nan)


def grades_of(ranking, judgments, order, cut, after):
    """The grades of what is left after the three steps; None if it was not judged."""
    kept = after(order(ranking, judgments)[:cut], judgments)
    return [judgments.get(d) for d in kept]


def over(above, below, nothing):
    """A quotient, or the value of nothing."""
    return above / below if below else nothing


# --- the measures

IDEALS: Mapping[str, Callable[[Sequence[float], Sequence[float], int | None], Sequence[float]]] = {
    "judged": lambda all_, _, k: sorted(all_, reverse=True)[:k],
    "judged, uncut": lambda all_, _, __: sorted(all_, reverse=True),
    "retrieved": lambda _, got, k: sorted(got, reverse=True)[:k],
    "as long": lambda all_, got, _: sorted(all_, reverse=True)[: len(got)],
    "one more": lambda all_, _, k: sorted(all_, reverse=True)[: None if k is None else k + 1],
    "in judged order": lambda all_, _, k: list(all_)[:k],
    "of ones": lambda _, __, k: [1.0] * (k or 10),
}


def ndcg(ranking, judgments, *, order=as_given, cut=None, after=as_given, gain="linear",
         discount="log2(i+1)", ideal="judged", nothing=0.0, unjudged=0):  # fmt: skip
    """Normalised discounted cumulated gain."""
    worth = GAINS[gain]
    factor = DISCOUNTS[discount]
    found = grades_of(ranking, judgments, order, cut, after)
    got = [worth(unjudged if g is None else g) for g in found]
    best = IDEALS[ideal]([worth(g) for g in judgments.values()], got, cut)

    def dcg(gains):
        return sum(g * factor(i) for i, g in enumerate(gains, 1))

    return over(dcg(got), dcg(best), nothing)


@dataclass(frozen=True)
class Counts:
    """What a sum may be divided by."""

    r: int  # relevant documents
    k: int | None
    n: int  # ranked documents
    hits: int
    judged: int


DIVISORS: Mapping[str, Callable[[Counts], float]] = {
    "R": lambda c: c.r,
    "min(R, k)": lambda c: min(c.r, c.k or c.r),
    "hits": lambda c: c.hits,
    "k": lambda c: c.k or 10,
    "n": lambda c: c.n,
    "min(R, n)": lambda c: min(c.r, c.n),
    "max(R, n)": lambda c: max(c.r, c.n),
    "min(n, k)": lambda c: min(c.n, c.k or c.n),
    "R + 1": lambda c: c.r + 1,
    "judged": lambda c: c.judged,
    "R capped at 20": lambda c: min(c.r, 20),
    "R capped at 10": lambda c: min(c.r, 10),
}


def sums(found, relevant, *, of="precision", shift=0, first=None):
    """What the ranks of the relevant documents add up to, and how many there are."""
    hits, total = 0, 0.0
    for i, grade in enumerate(found, 1):
        if grade is None or not relevant(grade):
            continue
        hits += 1
        if of == "precision":
            total += hits / (i + shift)
        elif of == "precision without it":
            total += (hits - 1) / (i + shift)
        elif of == "reciprocals":
            total += 1 / (i + shift)
        elif of == "count":
            total += 1
        if first is not None and hits == first:
            break
    return total, hits


def summed(ranking, judgments, *, order=as_given, cut=None, after=as_given, threshold="above 0",
           of="precision", divisor="R", nothing=0.0, shift=0, first=None):  # fmt: skip
    """AP, precision, recall: a sum over the relevant documents over some number."""
    relevant = THRESHOLDS[threshold]
    found = grades_of(ranking, judgments, order, cut, after)
    total, hits = sums(found, relevant, of=of, shift=shift, first=first)
    r = sum(relevant(g) for g in judgments.values())
    below = DIVISORS[divisor](Counts(r, cut, len(ranking), hits, len(judgments)))
    return over(total, below, nothing)


def rr(ranking, judgments, *, order=as_given, cut=None, after=as_given, threshold="above 0",
       which=0, shift=0, nothing=0.0, mean=False):  # fmt: skip
    """The reciprocal rank of one relevant document, or the mean of all."""
    relevant = THRESHOLDS[threshold]
    found = grades_of(ranking, judgments, order, cut, after)
    ranks = [i for i, g in enumerate(found, 1) if g is not None and relevant(g)]
    if not ranks or which >= len(ranks):
        return nothing
    if mean:
        return sum(1 / (i + shift) for i in ranks) / len(ranks)
    return 1 / (ranks[which] + shift)


def success(ranking, judgments, *, order=as_given, cut=K, after=as_given, threshold="above 0",
            least=1, share=False):  # fmt: skip
    """Whether something relevant is in the top."""
    relevant = THRESHOLDS[threshold]
    found = grades_of(ranking, judgments, order, cut, after)
    hits = sum(g is not None and relevant(g) for g in found)
    if share:
        return over(hits, len(found), 0.0)
    return float(hits >= least)


def r_precision(ranking, judgments, *, order=as_given, after=as_given, threshold="above 0",
                more=0, most=None, nothing=0.0, by_cut=False):  # fmt: skip
    """The precision at rank R."""
    relevant = THRESHOLDS[threshold]
    r = sum(relevant(g) for g in judgments.values())
    cut = max(r + more, 0) if most is None else min(r + more, most)
    found = grades_of(ranking, judgments, order, cut, after)
    hits = sum(g is not None and relevant(g) for g in found)
    return over(hits, len(found) if by_cut else r, nothing)


def rbp(ranking, judgments, *, order=as_given, cut=None, after=as_given, threshold="above 0",
        p=0.8, later=0, factor=True):  # fmt: skip
    """Rank-biased precision."""
    relevant = THRESHOLDS[threshold]
    found = grades_of(ranking, judgments, order, cut, after)
    seen = sum(p ** (i + later) for i, g in enumerate(found) if g is not None and relevant(g))
    return (1 - p) * seen if factor else seen


def f1(ranking, judgments, *, order=as_given, cut=K, after=as_given, threshold="above 0",
       beta=1.0, squared=True, below="found", mean=False):  # fmt: skip
    """The weighted harmonic mean of precision and recall."""
    relevant = THRESHOLDS[threshold]
    found = grades_of(ranking, judgments, order, cut, after)
    hits = sum(g is not None and relevant(g) for g in found)
    precision = over(hits, len(found) if below == "found" else cut or 10, 0.0)
    recall = over(hits, sum(relevant(g) for g in judgments.values()), 0.0)
    if mean:
        return (precision + recall) / 2
    weight = beta**2 if squared else beta
    return over((1 + weight) * precision * recall, weight * precision + recall, 0.0)


BASES: Mapping[str, tuple[Callable[..., float], dict[str, object]]] = {
    "nDCG": (ndcg, {}),
    "nDCG@10": (ndcg, {"cut": K}),
    "nDCG@5": (ndcg, {"cut": 5}),
    "AP": (summed, {}),
    "AP@10": (summed, {"cut": K}),
    "P": (summed, {"of": "count", "divisor": "n"}),
    "P@10": (summed, {"of": "count", "divisor": "k", "cut": K}),
    "R@10": (summed, {"of": "count", "cut": K}),
    "R": (summed, {"of": "count"}),
    "RR": (rr, {}),
    "RR@10": (rr, {"cut": K}),
    "Success@10": (success, {}),
    "Rprec": (r_precision, {}),
    "RBP(p=0.8)": (rbp, {}),
    "F@10": (f1, {"below": "k"}),
}

PARTS: Mapping[Callable[..., float], Mapping[str, Sequence[object]]] = {
    ndcg: {"order": ORDERS, "cut": CUTS, "after": AFTER, "gain": tuple(GAINS),
           "discount": tuple(DISCOUNTS), "ideal": tuple(IDEALS), "nothing": NOTHING,
           "unjudged": (0, 1)},
    summed: {"order": ORDERS, "cut": CUTS, "after": AFTER, "threshold": tuple(THRESHOLDS),
             "of": ("precision", "precision without it", "reciprocals", "count"),
             "divisor": tuple(DIVISORS), "nothing": NOTHING, "shift": (0, 1),
             "first": (None, 1, 2, 5, 15)},
    rr: {"order": ORDERS, "cut": CUTS, "after": AFTER, "threshold": tuple(THRESHOLDS),
         "which": (0, 1, -1), "shift": (0, 1), "nothing": NOTHING, "mean": (False, True)},
    success: {"order": ORDERS, "cut": CUTS, "after": AFTER, "threshold": tuple(THRESHOLDS),
              "least": (0, 1, 2), "share": (False, True)},
    r_precision: {"order": ORDERS, "after": AFTER, "threshold": tuple(THRESHOLDS),
                  "more": (0, 1, -1), "most": (None, 5, 10, 20, 30), "nothing": NOTHING,
                  "by_cut": (False, True)},
    rbp: {"order": ORDERS, "cut": CUTS, "after": AFTER, "threshold": tuple(THRESHOLDS),
          "p": (0.8, 0.5, 0.9, 0.79), "later": (0, 1), "factor": (True, False)},
    f1: {"order": ORDERS, "cut": CUTS, "after": AFTER, "threshold": tuple(THRESHOLDS),
         "beta": (1.0, 0.5, 2.0), "squared": (True, False), "below": ("found", "k"),
         "mean": (False, True)},
}  # fmt: skip


def right(measure: str) -> Function:
    """The function as the measure is defined."""
    function, settings = BASES[measure]
    return partial(function, **settings)


def mutants(measure: str, of_pairs: int = 7) -> Iterator[tuple[str, Function]]:
    """Every single change of a right function, and one in so many pairs of changes."""
    function, settings = BASES[measure]
    changes = [(name, value) for name, values in PARTS[function].items() for value in values]
    for name, value in changes:
        yield f"{name}={value}", partial(function, **{**settings, name: value})
    pairs = itertools.combinations(changes, 2)
    for i, ((name, value), (other, second)) in enumerate(pairs):
        if i % of_pairs == 0 and name != other:
            made = partial(function, **{**settings, name: value, other: second})
            yield f"{name}={value}, {other}={second}", made
