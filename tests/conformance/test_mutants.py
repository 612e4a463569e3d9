"""Programs with one mistake each: the vectors fail all of them, and say what about."""

import itertools
import math
from types import SimpleNamespace

import pytest

from irmetrics_edu.diagnosis.conformance import cases
from irmetrics_edu.diagnosis.conformance.result_checks import check
from irmetrics_edu.diagnosis.conformance.results import Results
from irmetrics_edu.diagnosis.conformance.vectors import cases_tsv, inputs_tsv

CASES = cases()
TIES = ("given", "docid", "docid_ascending", "reversed")


def stable(documents, key):
    """Falling keys; documents of one key keep their order."""
    return sorted(documents, key=key, reverse=False)


def unstable(documents, key):
    """The same up to 15 documents; longer lists are sorted by exchanges, which lose the order."""
    if len(documents) <= 15:
        return stable(documents, key)
    found = list(documents)
    for i in range(len(found)):
        j = min(range(i, len(found)), key=lambda j: key(found[j]))
        found[i], found[j] = found[j], found[i]
    return found


def chance(grade, top, linear):
    """The probability that a document satisfies; None where a grade is off the scale."""
    if not 0 <= grade <= top:
        return None
    return grade / top if linear else (2**grade - 1) / 2**top


def clipped(grade, top, linear):
    """Never above 1, whatever the grade."""
    return chance(min(grade, top), top, linear)


def floored(grade, top, linear):
    """Never below 0, whatever the grade."""
    return chance(max(grade, 0), top, linear)


def seen(documents, judged):
    """The grades in ranked order; a document that nobody judged has none."""
    return [judged.get(d, 0) for d in documents]


def to_the_first_miss(documents, judged):
    """A loop with a `break` where it should go on."""
    grades = seen(documents, judged)
    return grades[: next((i for i, g in enumerate(grades) if g < 1), len(grades))]


def rank_of_the_first_equal(grades, place):
    """`grades.index(grade) + 1`, which is the rank of the first document of that grade."""
    return grades.index(grades[place]) + 1


RIGHT = SimpleNamespace(
    sort=stable,
    id=str,
    grades=seen,
    rank=lambda _, place: place + 1,
    discount=lambda rank: 1 / math.log2(rank + 1),
    best=lambda pool: sorted(pool, reverse=True),
    at=lambda ndcg, k, _: ndcg(k),
    gain=lambda grade, exp: 2.0**grade - 1 if exp else float(grade),
    ndcg=lambda value: value,
    chance=chance,
    top=lambda grades: max(1, *grades, 0),
)
# What the mutant does, its part, and what the failing inputs are about.
MUTANTS = {
    "a sort that is unstable above 15": ({"sort": unstable}, "many ties"),
    "ids compared as numbers": (
        {"id": lambda d: f"{int(d):09}" if d.isdigit() else d}, "ids as text",
    ),
    "ids compared without case": ({"id": str.lower}, "ids as text"),
    "exponential gain floored at 0": (
        {"gain": lambda g, exp: max(0.0, 2.0**g - 1) if exp else float(g)}, "negative grades",
    ),
    "nDCG clipped at 0": ({"ndcg": lambda value: max(0.0, value)}, "negative grades"),
    "the probability of ERR clipped at 1": ({"chance": clipped}, "grades above 5"),
    "the probability of ERR floored at 0": ({"chance": floored}, "negative grades"),
    "max_grade capped at 4": (
        {"top": lambda grades: min(4, max(1, *grades, 0)), "chance": clipped}, "grades above 5",
    ),
    "gain capped above 5": (
        {"gain": lambda g, exp: RIGHT.gain(min(g, 5), exp)}, "grades above 5",
    ),
}  # fmt: skip


def computed(by):
    """What a program computes of the flat files: id -> value, of the words that it knows."""
    given = {}
    for line in inputs_tsv(CASES).splitlines():
        name, metric, query, part, *items = line.split("\t")
        if query == "-" and part in ("ranking", "scores", "judgments"):
            given.setdefault((name, metric), {})[part] = items
    found = {}
    for line in cases_tsv(CASES).splitlines():
        id_, metric, k, aggregate, name, _, *words = line.split("\t")
        said = dict(word.split("=", 1) for word in words)
        if metric in KNOWN and aggregate == "-" and knows(said):
            found[id_] = value_of(
                metric, None if k == "-" else int(k), given[name, metric], said, by
            )
    return found


KNOWN = ("AP", "RR", "DCG", "nDCG", "ERR")
WORDS = {
    "ties": TIES, "scores": ("float64",), "unjudged": ("no_gain",), "negative": ("refuse", "keep"),
    "pool": ("judged",), "unretrieved": ("absent",), "duplicates": ("refuse",), "rel": ("1",),
    "divisor": ("relevant",), "no_relevant": ("zero",), "gain": ("linear", "exp"),
    "discount": ("log2",), "ideal": ("judged",), "cut": ("both",), "max_grade": ("4", "highest"),
    "satisfaction": ("exp", "linear"),
}  # fmt: skip


def knows(said):
    """Whether the program knows all words of a case."""
    return all(said[word] in values for word, values in WORDS.items() if word in said)


def value_of(metric, k, parts, said, by):
    """A value by its definition, as a stranger writes it."""
    judged = {d: int(g) for d, g in (item.split("=") for item in parts["judgments"])}
    documents = list(parts.get("ranking", ()))
    if "scores" in parts:
        scores = {d: float(s) for d, s in (item.split("=") for item in parts["scores"])}
        documents = list(scores)
        if said["ties"] == "reversed":
            documents.reverse()
        elif said["ties"] != "given":
            documents.sort(key=by.id, reverse=said["ties"] == "docid")
        documents = by.sort(documents, lambda d: -scores[d])
    grades, pool = by.grades(documents, judged)[:k], list(judged.values())
    relevant = sum(g >= 1 for g in pool)
    ranks = [by.rank(grades, i) for i, g in enumerate(grades) if g >= 1]
    if metric == "AP":
        return sum(n / i for n, i in enumerate(ranks, 1)) / relevant if relevant else 0
    if metric == "RR":
        return 1 / ranks[0] if ranks else 0
    if metric == "ERR":
        return err(grades, pool, said, by)
    exp = said["gain"] == "exp"

    def dcg(grades):
        ranks = (by.rank(grades, i) for i in range(len(grades)))
        return sum(by.gain(g, exp) * by.discount(r) for g, r in zip(grades, ranks, strict=True))

    def ndcg(k):
        below = dcg(by.best(pool)[:k])
        return by.ndcg(dcg(grades[:k]) / below) if below else 0

    return dcg(grades) if metric == "DCG" else by.at(ndcg, k, max(len(documents), len(pool)))


def err(grades, pool, said, by):
    """Follow the reader down; NaN where a grade gives no probability."""
    linear = said["satisfaction"] == "linear"
    top = by.top(pool) if said["max_grade"] == "highest" else 4
    if any(by.chance(g, top, linear) is None for g in pool):
        return math.nan
    reading, total = 1.0, 0.0
    for i, grade in enumerate(grades, 1):
        satisfied = by.chance(grade, top, linear)
        total += reading * satisfied / i
        reading *= 1 - satisfied
    return total


# Mistakes that a program makes on plain inputs: the part, and the measures that they change.
PLAIN = {
    "square roots of grades": ({"gain": lambda g, exp: RIGHT.gain(g, exp) ** 0.5 if g > 0 else 0},
                               ("DCG", "nDCG")),
    "whole discounts": ({"discount": lambda r: 1 / math.floor(math.log2(r + 1))}, ("DCG", "nDCG")),
    "discounts of two digits": ({"discount": lambda r: round(RIGHT.discount(r), 2)},
                                ("DCG", "nDCG")),
    "discounts of four digits": ({"discount": lambda r: round(RIGHT.discount(r), 4)},
                                 ("DCG", "nDCG")),
    "an ideal of the highest grade": ({"best": lambda pool: [max(pool, default=0)] * 10},
                                      ("nDCG",)),
    "an ideal of ten ones": ({"best": lambda _: [1] * 10}, ("nDCG",)),
    "the mean of nDCG@1 to nDCG@k": (
        {"at": lambda ndcg, k, n: math.fsum(map(ndcg, range(1, (k or n) + 1))) / (k or n or 1)},
        ("nDCG",),
    ),
    "a stop at the first miss": ({"grades": to_the_first_miss}, ("AP", "RR", "DCG", "nDCG", "ERR")),
    "the rank of the first of equal grades": ({"rank": rank_of_the_first_equal},
                                              ("AP", "DCG", "nDCG")),
    "unjudged documents removed": (
        {"grades": lambda found, judged: [judged[d] for d in found if d in judged]},
        ("AP", "RR", "DCG", "nDCG", "ERR"),
    ),
    "unjudged documents relevant": (
        {"grades": lambda found, judged: [judged.get(d, 1) for d in found]},
        ("AP", "RR", "DCG", "nDCG", "ERR"),
    ),
    "a stop at the first unjudged document": (
        {"grades": lambda found, judged: [*itertools.takewhile(
            lambda g: g is not None, map(judged.get, found))]},
        ("AP", "RR", "DCG", "nDCG", "ERR"),
    ),
    "2^g without the -1, of unjudged documents, too": (
        {"gain": lambda g, exp: 2.0**g if exp else float(g),
         "chance": lambda g, top, linear: chance(g, top, linear=True) if linear else 2**g / 2**top},
        ("DCG", "nDCG", "ERR"),
    ),
}  # fmt: skip


def checked(by):
    """The verdict on a program."""
    return check(Results("a program", (), computed(by)), CASES)


def test_the_program_without_a_mistake_passes():
    """On hundreds of cases of five measures, those about long lists among them."""
    found = checked(RIGHT)
    assert (found.failed, found.failures) == (0, [])
    assert found.passed > 300
    assert "many-tied/nDCG/reversed,linear,log2,judged,both,zero" in found.results.values


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_fails_on_inputs_about_its_mistake(name):
    """And on no others, except that the first vectors know a highest grade of 5."""
    changed, about = MUTANTS[name]
    found = checked(SimpleNamespace(**{**vars(RIGHT), **changed}))
    wrong = {case.topic for case in CASES if found.passes(case) is False}
    assert about in wrong
    assert wrong <= {about, ""}


def test_the_verdict_says_what_the_inputs_are_about():
    """No convention explains the values, and no wrong one is named."""
    unexplained = "no convention or known mistake gives these values"
    for name, said in (
        ("ids compared as numbers", unexplained),
        ("nDCG clipped at 0", "gives 0 where the value is below 0"),
        ("the probability of ERR clipped at 1", "gives a number where there is no score"),
    ):
        changed, about = MUTANTS[name]
        for failure in checked(SimpleNamespace(**{**vars(RIGHT), **changed})).failures:
            assert f"inputs about {about}" in failure.conventions
            assert failure.instead == said


@pytest.mark.suite("guide")
def test_a_few_inputs_name_nothing_that_plain_inputs_refute():
    """What no convention explains on plain inputs follows none on a single input by chance."""
    for name in ("square roots of grades", "whole discounts", "the mean of nDCG@1 to nDCG@k"):
        found = checked(SimpleNamespace(**{**vars(RIGHT), **PLAIN[name][0]}))
        unexplained = "no convention or known mistake gives these values"
        assert {failure.instead for failure in found.failures} == {unexplained}


@pytest.mark.parametrize("name", PLAIN)
def test_a_mistake_on_plain_inputs_fails(name):
    """In each measure that it changes, and in no other."""
    changed, measures = PLAIN[name]
    found = checked(SimpleNamespace(**{**vars(RIGHT), **changed}))
    wrong = {case.metric for case in CASES if found.passes(case) is False}
    assert wrong == set(measures)
