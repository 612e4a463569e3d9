"""The inputs that tell definitions apart, made a second time by plain loops over what is written.

A name is earned on these inputs. Whoever changes one changes what a name says, and tries the
certificates beside this file anew.
"""

import random
from itertools import permutations, product

import pytest

from irmetrics_edu.diagnosis import function_inputs as inputs_of_functions
from irmetrics_edu.diagnosis.function_inputs import _pairs, function_inputs, inputs_below_0
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.notation import measure
from tests.tables import rows

LONG = ["d1", "d2", "d3", "d4", "d5", "d6"]
OF_LONG = (
    {"d1": 1, "d2": 0, "d3": 3, "d4": 0, "d5": 2, "d6": 1},
    {"d1": 0, "d2": 2, "d3": 0, "d4": 1, "d5": 0, "d6": 3, "x1": 3, "x2": 2, "x3": 1},
)
SCORES = ((3.0, 2.0, 1.0), (1.0, 1.0, 1.0), (2.0, 1.0, 1.0), (0.12345678, 0.123456781, 0.1))


def named(length, letter="d"):
    """Ids from 1 on."""
    return [f"{letter}{number}" for number in range(1, length + 1)]


def gradings(*, negative=False):
    """Rankings of up to three documents, each with all its judgments, the smallest first."""
    grades = [0, 1, 2, 3, None] + [-1] * negative
    found = []
    for length in (1, 2, 3):
        for graded in product(grades, repeat=length):
            for missed in ([], [1], [3], [2, 1]):
                ranked = zip(named(length), graded, strict=True)
                judged = {document: grade for document, grade in ranked if grade is not None}
                judged |= dict(zip(named(len(missed), "x"), missed, strict=True))
                if judged:
                    found.append((length, judged))
    return sorted(found, key=lambda one: (one[0] + len(one[1]), sum(one[1].values())))


def pairs_of(small):
    """The runs and judgments of small inputs, in their order."""
    assert list(small.run) == list(range(len(small.run)))
    return [(small.run[number], small.qrels[number]) for number in small.run]


@pytest.mark.parametrize("negative", [False, True])
def test_small_rankings_are_all_that_there_are(negative):
    """Of up to three documents, and two that are longer than their cut-offs."""
    expected = [(named(length), judged) for length, judged in gradings(negative=negative)]
    expected += [(LONG, judged) for judged in OF_LONG]
    assert pairs_of(small_inputs(measure("nDCG").metric, negative=negative)) == expected


def test_small_rankings_with_scores_tie_in_each_way():
    """None, all, the last two, and the first two in 32 bits alone; one document ties with none."""
    expected = [
        (dict(zip(named(length), scores, strict=False)), judged)
        for length, judged in gradings()
        for scores in (SCORES if length > 1 else SCORES[:1])
    ]
    found = pairs_of(small_inputs(measure("nDCG").metric, tied=True))
    assert [(list(run.items()), judged) for run, judged in found] == [
        (list(run.items()), judged) for run, judged in expected
    ]


@pytest.mark.parametrize("tied", [False, True])
def test_small_lists_of_scores_have_documents_of_both_kinds(tied):
    """Two to four; tied are some at the top, or some below it."""
    expected = []
    for length in (2, 3, 4):
        falling = list(range(length, 0, -1))
        orders = [falling]
        if tied:
            orders += [[min(n, most) for n in falling] for most in range(length - 1, 0, -1)]
            orders += [[max(n, least) for n in falling] for least in range(length - 1, 1, -1)]
        for grades in product((0, 1), repeat=length):
            if 0 < sum(grades) < length:
                for scores in orders:
                    ids = named(length)
                    pair = (zip(ids, scores, strict=True), zip(ids, grades, strict=True))
                    expected.append(tuple(map(dict, pair)))
    assert pairs_of(small_inputs(measure("AUC").metric, tied=tied)) == expected


def test_small_orders_are_all_of_three_beside_all_of_three_and_one_more():
    """Each with each."""
    orders = [list(order) for order in permutations("abc")]
    expected = [(one, other) for one in orders for other in orders + [[*o, "d"] for o in orders]]
    small = small_inputs(measure("RBO").metric)
    assert small.qrels is None
    other = small.beside["other"]
    assert [(small.run[number], other[number]) for number in small.run] == expected


def test_small_inputs_of_nuggets_are_all_orders_of_a_few_documents():
    """Of one to three, each of five kinds; none where no document holds anything."""
    kinds = [{"A"}, {"B"}, {"A", "B"}, {"A", "B", "C"}, set()]
    expected = []
    for size in (1, 2, 3):
        for held in filter(any, product(kinds, repeat=size)):
            documents = dict(zip(named(size), held, strict=True))
            for length in range(1, size + 1):
                expected += [
                    (list(ranked), documents) for ranked in permutations(documents, length)
                ]
    assert pairs_of(small_inputs(measure("alpha-nDCG").metric)) == expected


def test_small_lists_of_items_are_all_orders_of_two_and_of_three():
    """With a catalogue of five items, in which each has something of its own."""
    items = ["i1", "i2", "i3", "i4", "i5"]
    lists = [list(order) for length in (2, 3) for order in permutations(items, length)]
    counts = {"i1": 8, "i2": 4, "i3": 2, "i4": 1, "i5": 3}
    beside = {
        "categories": {
            "i1": {"rock"},
            "i2": {"rock", "jazz"},
            "i3": {"folk"},
            "i4": {"rock", "folk"},
            "i5": {"pop"},
        },
        "embeddings": {
            "i1": [1.0, 0.0],
            "i2": [0.6, 0.8],
            "i3": [0.0, 1.0],
            "i4": [-1.0, 0.0],
            "i5": [0.8, 0.6],
        },
        "popularity": counts,
        "exposure": counts,
        "expected": ["i1", "i4"],
    }
    relevant = [{"i1"}, {"i2"}, {"i3", "i4"}, {"i1", "i2", "i5"}]
    for name in ("CC", "ILAD", "ARP", "personalisation", "DCC", "serendipity"):
        small = small_inputs(measure(name).metric)
        [what] = set(small.beside)
        assert small.beside[what] == beside[what]
        if name in ("DCC", "serendipity"):
            assert pairs_of(small) == [*product(lists, relevant)]
        else:
            assert small.qrels is None
            assert list(small.run.values()) == lists


def nothing():
    """Nothing ranked, and nothing that gains."""
    ids = named(12)
    none_gains = dict.fromkeys(ids, 0)
    yield [], {"d1": 1}
    yield ids, none_gains
    yield ids, {"x1": 1, "x2": 1, "x3": 1}
    yield ids, none_gains | dict.fromkeys(named(14, "x"), 2)


def one_at_each_rank(k):
    """One relevant document, and one more below it."""
    ranks = {*range(1, 51), 60, 64, 65, 99, 100, 101, 128, 150, 200, 201, 256, 257, 500, 501}
    ranks |= {1000, 1001}
    if k is not None:
        ranks |= {max(k - 1, 1), k, k + 1}
    for rank in sorted(ranks):
        ids = named(rank + 1)
        yield ids, {document: int(document == f"d{rank}") for document in ids}


def drawn(k):
    """Four hundred rankings, each third about as long as the cut-off, and six long ones."""
    chance = random.Random(1992)
    cut = 7 if k is None else min(k, 150)
    around = [n for n in (cut - 1, cut, cut + 1, cut + 2, 2 * cut, 3 * cut) if n]
    lengths = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)
    for number in range(400):
        length = chance.choice(lengths if number % 3 else around)
        yield one_drawn(chance, length, complete=number % 2 == 0)
    for length in (60, 150, 250):
        for complete in (True, False):
            yield one_drawn(chance, length, complete=complete)


def one_drawn(chance, length, *, complete):
    """A ranking with judgments; complete: of these documents, and of no others."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789"
    missed, unjudged = 0, 0.0
    if not complete:
        missed = chance.choice((0, 0, 1, 2, 5, 12, 30))
        unjudged = chance.choice((0.0, 0.0, 0.2, 0.5, 0.8))
    drawn_ids = {}
    while len(drawn_ids) < length + missed:
        drawn_ids["".join(chance.choices(letters, k=chance.randint(1, 5)))] = None
    ids = list(drawn_ids)
    scale = chance.choice(
        (
            (0, 1),
            (0, 0, 0, 1),
            (0, 1, 2, 3),
            (0, 0, 0, 0, 1, 2, 3),
            (1, 2, 3, 4),
            (0, 1, 2, 3, 4, 5),
            (0, 0, 1, 6, 7, 9, 10),
        )
    )
    judged = {}
    for place, name in enumerate(ids):
        if place >= length or chance.random() >= unjudged:
            judged[name] = chance.choice(scale)
    return ids[:length], judged or {ids[0]: 1}


def odd():
    """Ids that sort otherwise as numbers or without case, high grades and losses."""
    few = ["9", "10", "a", "B", "A", "b"]
    for grades in ((1, 6, 0, 9, 2, 7), (3, 1, 0, 20, 2, 31), (-2, 1, 0, 3, -1, 0)):
        yield few, dict(zip(few, grades, strict=True))
    yield few, dict(zip([*few, "x", "y"], (-1, -2, 2, 0, 0, 1, -1, 3), strict=True))
    for n in (40, 200):
        ids = few + [str(number * 7 % n + 20) for number in range(n - 6)]
        yield ids, {document: place**2 % 7 % 4 for place, document in enumerate(ids)}
        some = {d: place**2 % 5 % 3 for place, d in enumerate(ids) if place % 6}
        yield ids, some | {"x1": 3, "x2": 1}


def asked(k):
    """All that functions are asked for a cut-off, the smallest first."""
    small = [(named(length), judged) for length, judged in gradings()]
    small += [(LONG, judged) for judged in OF_LONG]
    every = [*small, *nothing(), *one_at_each_rank(k), *drawn(k), *odd()]
    return sorted(every, key=lambda one: (not one[0], len({*one[0], *one[1]}), len(one[0])))


def test_odd_ids_and_empty_rankings_are_as_written():
    """Each alone, in its order."""
    assert [*inputs_of_functions._odd_ids_and_grades()] == [*odd()]
    assert [*inputs_of_functions._nothing()] == [*nothing()]
    assert inputs_of_functions._ids(3, "x") == named(3, "x")


@pytest.mark.parametrize("k", [None, 1, 2, 51, 60, 300])
def test_one_document_is_asked_at_each_rank_as_written(k):
    """In the order of its ranks, those about the cut-off, too."""
    assert [*inputs_of_functions._one_at_each_rank(k)] == [*one_at_each_rank(k)]


@pytest.mark.parametrize("k", [None, 1, 2, 151])
def test_rankings_are_drawn_as_written(k):
    """The same ones each time."""
    assert [*inputs_of_functions._drawn(k)] == [*drawn(k)]


@pytest.mark.parametrize("k", [None, 2, 300])
def test_what_functions_are_asked_is_as_written(k):
    """All small ones, one relevant document at each rank, drawn ones around the cut-off."""
    assert list(_pairs(k)) == asked(k)


@pytest.mark.parametrize("of_grades", [False, True])
@pytest.mark.parametrize("name", ["lucene", "trec_eval"])
def test_functions_are_asked_what_they_can_be(name, of_grades):
    """Of grades alone: just what is judged is ranked. Losses are asked where they are kept."""
    by, chosen = BUNDLES[name], measure("nDCG@2")
    all_pairs = asked(2)
    if of_grades:
        all_pairs = [(ranking, judged) for ranking, judged in all_pairs if {*ranking} == {*judged}]
    losses = [pair for pair in all_pairs if any(grade < 0 for grade in pair[1].values())]
    expected = [pair for pair in all_pairs if name == "lucene" or pair not in losses]
    found = function_inputs(chosen, by, of_grades=of_grades)
    assert [*zip(found.run.values(), found.qrels.values(), strict=True)] == expected
    assert found.empty == [number for number, ranking in found.run.items() if not ranking]
    below = inputs_below_0(chosen, by, of_grades=of_grades)
    assert [*zip(below.run.values(), below.qrels.values(), strict=True)] == losses
    some = [*found.run][3:9]
    assert found.only(some).run == {number: found.run[number] for number in some}
    assert found.only(some).qrels == {number: found.qrels[number] for number in some}


@rows("name", ["nDCG", "AUC", "RBO", "alpha-nDCG", "CC", "DCC", "serendipity"])
@rows("place", [0, 3, -1])
def test_a_small_input_can_be_given_to_its_measure(name, place):
    """Each argument that the measure takes, in its place."""
    metric = measure(name).metric
    small = small_inputs(metric)
    number = list(small.run)[place]
    given = small.inputs(metric, number)
    ranking = small.run[number]
    if name == "AUC":
        judged = small.qrels[number]
        assert given == ([judged[d] for d in ranking], list(ranking.values()))
    elif name == "RBO":
        assert given == (ranking, small.beside["other"][number])
    elif name in ("nDCG", "alpha-nDCG"):
        assert given == (ranking, small.qrels[number])
    else:
        [beside] = small.beside.values()
        relevant = [small.qrels[number]] if small.qrels else []
        assert given == (ranking, *relevant, beside)
