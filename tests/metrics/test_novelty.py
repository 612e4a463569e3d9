"""alpha-DCG, alpha-nDCG, their ideals, the probability of relevance, and vertex cover."""

import json
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dev.tools.vectors.oracles import nuggets as oracle
from dev.tools.vectors.oracles.rankings import discounted
from irmetrics_edu import (
    alpha_dcg,
    alpha_ndcg,
    average_precision_ia,
    evaluate,
    explain,
    ndcg,
    nrbp,
    parse,
    precision_ia,
    relevance_probability,
    subtopic_recall,
)
from irmetrics_edu.course.documents.formulas.novelty_formulas import as_nuggets, vertex_cover
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics import novelty_ideal
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import align_nuggets
from tests.conftest import WORKED, examples
from tests.oracles.novelty import minimum_vertex_covers

# The question-answering example of Clarke et al. (2008) as document 001 quotes it; the table is
# reconstructed from the printed vectors.
QA = {
    d: set(n)
    for d, n in zip("abcdefghij", ["AB", "A", "A", "", "CD", "C", "E", "C", "C", "C"], strict=True)
}
QA_RANKING = list("abcdefghij")
HALF = Fraction(1, 2)

# A greedy ideal that is beaten, though no two documents tie.
BEATEN = {"X": {1, 2, 3, 4, 5, 6}, "Y": {1, 2, 3, 7, 8}, "Z": {4, 5, 6, 9}}

documents = st.sampled_from(["d1", "d2", "d3", "d4", "d5", "d6"])
judgments = st.dictionaries(
    documents, st.dictionaries(st.sampled_from("ABCD"), st.integers(0, 2)), min_size=1, max_size=6
)
rankings = st.lists(st.sampled_from(["d1", "d2", "d3", "d4", "d5", "d6", "u1", "u2"]), unique=True)
# Halves and quarters are exact as floats, so that a tie is one for every program.
alphas = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
cuts = st.sampled_from([1, 2, 3, 5, 20])


# -- the documents


def test_gain_vectors_of_the_documents_example():
    """G, CG, G' and CG' of the question-answering example, exactly."""
    actual = alpha_dcg.working(QA_RANKING, QA, discount="none", exact=True)
    assert list(actual["gain"][:8]) == [2, HALF, HALF**2, 0, 2, HALF, 1, HALF**2]
    printed = ["2", "5/2", "11/4", "11/4", "19/4", "21/4", "25/4", "13/2"]
    assert list(actual["cumulated gain"][:8]) == [Fraction(x) for x in printed]
    ideal = alpha_ndcg.working(QA_RANKING, QA, discount="none", exact=True)["ideal alpha-DCG"]
    assert list(ideal["document"]) == list("aegbfchij")
    assert list(ideal["gain"][:7]) == [2, 2, 1, HALF, HALF, HALF**2, HALF**2]
    # Printed 6 1/2 at rank 6; it is 6 1/4.
    printed = ["2", "4", "5", "11/2", "6", "25/4", "13/2"]
    assert list(ideal["cumulated gain"][:7]) == [Fraction(x) for x in printed]


def test_discounted_vectors_of_the_documents_example():
    """DCG, DCG' and nDCG of the question-answering example, to the digits printed."""
    working = alpha_ndcg.working(QA_RANKING, QA)
    assert working["alpha-DCG"]["cumulated"][:3] == pytest.approx([2, 2.315, 2.440], abs=5e-4)
    assert working["ideal alpha-DCG"]["cumulated"][:3] == pytest.approx([2, 3.262, 3.762], abs=5e-4)
    assert working["alpha-nDCG"][:3] == pytest.approx([1, 0.710, 0.649], abs=5e-4)
    assert working["nuggets"][0] == "A, B"
    assert working["nuggets"][3] == ""


def test_ndcg_of_the_documents_example_at_every_rank():
    """The column down the ranks is the score at each cut."""
    right = "1 .709860 .648739 .613614 .770669 .796369 .857840 .868117 .872956 .877061"
    column = alpha_ndcg.working(QA_RANKING, QA)["alpha-nDCG"]
    assert column == pytest.approx([float(x) for x in right.split()], abs=1e-6)
    for k in range(1, 11):
        assert alpha_ndcg(QA_RANKING, QA, k=k) == pytest.approx(column[k - 1])


def test_the_list_of_worked_examples_agrees():
    """The exact values listed beside the documents come out of the metric."""
    listed = json.loads(WORKED.read_text(encoding="utf-8"))
    working = alpha_ndcg.working(QA_RANKING, QA)
    for name, column in {
        "001-DCG": working["alpha-DCG"]["cumulated"],
        "001-DCGideal": working["ideal alpha-DCG"]["cumulated"],
        "001-nDCG": working["alpha-nDCG"],
    }.items():
        exact = [float(value["dec"]) for value in listed[name]]
        assert column[: len(exact)] == pytest.approx(exact, abs=1e-12)


def test_the_working_says_how_the_ideal_was_found():
    """Which way, where documents tied, and which was taken."""
    (note,) = alpha_ndcg.working(QA_RANKING, QA).notes
    assert "greedily" in note
    assert "ties at rank 1, 4, 5, 6, 7, 8" in note
    assert "sorts first" in note
    (note,) = alpha_ndcg.working(["a"], {"a": {"A"}}).notes
    assert "no ties" in note
    (note,) = alpha_ndcg.working(["a"], {"a": {"A"}}, ideal="exact", k=1).notes
    assert "exact" in note
    assert list(alpha_ndcg.working(QA_RANKING, QA)["ideal alpha-DCG"]["tied"][:4]) == [2, 1, 1, 6]


def test_a_greedy_ideal_can_be_beaten():
    """Over a greedy ideal alpha-nDCG can exceed 1, with ties or without."""
    working = alpha_ndcg.working(["Y", "Z", "X"], BEATEN, alpha=1, k=2)
    assert working.value == pytest.approx(1.03605956668335, abs=1e-12)
    assert any("exceeds 1" in note for note in working.notes)
    assert alpha_ndcg(["Y", "Z", "X"], BEATEN, alpha=1, k=2, ideal="exact") == 1
    assert alpha_ndcg(["Y", "Z"], BEATEN, alpha=1, discount="none", k=2, exact=True) == Fraction(
        9, 8
    )


def test_alpha_0_is_ndcg_of_the_number_of_nuggets():
    """Without a penalty for repetition the gain is how many nuggets a document holds."""
    grades = {d: len(n) for d, n in QA.items()}
    for k in (1, 3, 10):
        assert alpha_ndcg(QA_RANKING, QA, alpha=0, k=k) == pytest.approx(
            ndcg(QA_RANKING, grades, k=k)
        )


def test_alpha_1_counts_new_nuggets():
    """With 0^0 = 1 the gain is the size of a set difference."""
    gain = alpha_dcg.working(QA_RANKING, QA, alpha=1, discount="none", exact=True)["gain"]
    seen = set()
    for document, value in zip(QA_RANKING, gain, strict=True):
        assert value == len(QA[document] - seen)
        seen |= QA[document]


@pytest.mark.parametrize("sizes", [(3, 1), (2, 2), (2, 2, 2), (3, 3)])
def test_one_nugget_per_document(sizes):
    """The ideal gains are (1-alpha)^j, j = 0 ... n-1 for each nugget, in falling order."""
    nuggets = {f"{t}{j}": {t} for t, n in zip("ABC", sizes, strict=False) for j in range(n)}
    right = sorted((HALF**j for n in sizes for j in range(n)), reverse=True)
    # With a discount, as without one the order makes no difference to the sum over all ranks.
    options = {"discount": "reciprocal", "exact": True}
    for ideal in ("greedy", "exact"):
        working = alpha_ndcg.working(list(nuggets), nuggets, ideal=ideal, **options)
        assert list(working["ideal alpha-DCG"]["gain"]) == right
    # Document 000 prints (1-alpha)^max(0, k - number of nuggets), right for (3, 1) alone.
    printed = [HALF ** max(0, k - len(sizes)) for k in range(1, sum(sizes) + 1)]
    assert (printed == right) is (sizes == (3, 1))


def test_probability_of_relevance_of_one_document():
    """Equations (1) and (2): one minus the chance that every nugget misses."""
    tenth, third = Fraction(1, 10), Fraction(1, 3)
    value = relevance_probability(["a"], QA, alpha=tenth, gamma=third, exact=True)
    assert value == 1 - (1 - Fraction(1, 30)) ** 2


def test_first_order_term_gives_the_gain():
    """Equations (4) and (5): with terms so small that products vanish, gamma alpha G is left."""
    alpha, gamma = Fraction(1, 2), Fraction(1, 10**6)
    working = relevance_probability.working(QA_RANKING, QA, alpha=alpha, gamma=gamma, exact=True)
    gain = alpha_dcg.working(QA_RANKING, QA, alpha=alpha, discount="none", exact=True)["gain"]
    assert list(working["first-order term"]) == [gamma * alpha * g for g in gain]
    for first, value in zip(
        working["first-order term"], working["probability of relevance"], strict=True
    ):
        assert 0 <= first - value <= first**2


@given(rankings.filter(bool), judgments, alphas, alphas)
def test_probability_of_relevance_is_its_definition(ranking, nuggets, alpha, gamma):
    """Equation (4) in plain loops, and exactly."""
    alpha, gamma = Fraction(alpha), Fraction(gamma)
    value = relevance_probability(ranking, nuggets, alpha=alpha, gamma=gamma, exact=True)
    by = {"alpha": alpha, "gamma": gamma, "rel": 1}
    assert value == oracle.still_wanted(ranking, nuggets, None, **by)


# -- probabilities of nuggets: document 000, equation (1); document 001, section 4


def test_equation_1_with_the_probabilities_of_a_classifier():
    """P(R=1|u,d) = 1 - (1 - P(a in u) P(a in d)) (1 - P(b in u) P(b in d)), as it stands."""
    judged = {"d": {"a": 0.5, "b": 0.25}, "e": {"a": 1, "b": 0.1}}
    wanted = {"a": 0.8, "b": 0.4}
    assert relevance_probability(["d"], judged, alpha=1, gamma=wanted, exact=True) == 1 - (
        1 - Fraction(4, 5) * HALF
    ) * (1 - Fraction(2, 5) * Fraction(1, 4))
    # Equation (3): below e, which holds a for sure and b with 1/10, only b is still wanted.
    after = Fraction(2, 5) * Fraction(9, 10)
    working = relevance_probability.working(["e", "d"], judged, alpha=1, gamma=wanted, exact=True)
    assert working.value == after * Fraction(1, 4)
    assert list(working["miss at the cut"]["nugget"]) == ["a", "b", "a", "b"]
    assert list(working["miss at the cut"]["probability wanted"][2:]) == [0, after]
    assert list(working["miss at the cut"]["probability held"][2:]) == [HALF, Fraction(1, 4)]
    (lines,) = [s.lines for s in explain(working).sections if s.title == "miss at the cut"]
    assert lines[3] == ("2", "d", "b", "1/4", "9/25", "9/100")


parts = st.sampled_from([Fraction(0), Fraction(1, 4), HALF, Fraction(3, 4), Fraction(1)])
unsure = st.dictionaries(
    documents, st.dictionaries(st.sampled_from("ABCD"), parts), min_size=1, max_size=4
)
per_nugget = st.fixed_dictionaries(dict.fromkeys("ABCD", parts))


@given(rankings.filter(bool), unsure, st.one_of(parts, per_nugget), st.one_of(parts, per_nugget))
def test_probabilities_of_relevance_are_their_definition(ranking, nuggets, alpha, gamma):
    """Equation (3) in plain loops: exactly, in floats, and for many queries at once."""
    options = {"alpha": alpha, "gamma": gamma}
    right = oracle.still_wanted(ranking, nuggets, None, **options, rel=1)
    assert relevance_probability(ranking, nuggets, **options, exact=True) == right
    rows = [align_nuggets(ranking, nuggets), align_nuggets(ranking[:1], nuggets)]
    together = relevance_probability.measured(NuggetRows.joined(rows), None, **options).score
    first = oracle.still_wanted(ranking[:1], nuggets, None, **options, rel=1)
    assert together == pytest.approx([float(right), float(first)], abs=1e-12)


@given(rankings, unsure, parts, st.one_of(parts, per_nugget), st.sampled_from([1, 2, 3]))
def test_alpha_dcg_and_its_ideals_take_probabilities(ranking, nuggets, alpha, gamma, k):
    """The gain is the first-order term of equation (3) without alpha; both ideals maximise it."""
    options = {"alpha": alpha, "gamma": gamma, "k": k, "discount": "reciprocal", "exact": True}

    def worth(order):
        return discounted(oracle.faded(order, nuggets, 1 - alpha, gamma)[:k], "reciprocal")

    def best(how):
        given = (nuggets, k, 1 - alpha, how, lambda gains: discounted(gains, "reciprocal"), gamma)
        return worth(oracle.ideal_ranking(*given))

    assert alpha_dcg(ranking, nuggets, **options) == worth(ranking)
    greedy = alpha_ndcg.working(ranking, nuggets, **options)["ideal alpha-DCG"]
    assert greedy.value == best("greedy")
    exact = alpha_ndcg.working(ranking, nuggets, **options, ideal="exact")["ideal alpha-DCG"]
    assert exact.value == best("exact")
    by = {"normalisation": "collection_independent", "no_relevant": "zero"}
    beta = Fraction(1, 3)
    assert nrbp(ranking, nuggets, alpha=alpha, beta=beta, exact=True) == oracle.nrbp(
        ranking, nuggets, None, alpha=alpha, beta=beta, **by
    )


@given(rankings, judgments, alphas, alphas, cuts)
def test_certain_judgments_give_the_same_digits_in_every_form(ranking, nuggets, alpha, gamma, k):
    """Sets, grades 0 and 1, and probabilities 0.0 and 1.0 are one thing, to the last bit."""
    sets = {d: {n for n, g in held.items() if g} for d, held in nuggets.items()}
    whole = {d: {n: int(g > 0) for n, g in held.items()} for d, held in nuggets.items()}
    every = {n for held in nuggets.values() for n in held}
    for metric, more in (
        (alpha_dcg, {}),
        (alpha_ndcg, {}),
        (relevance_probability, {"gamma": gamma}),
    ):
        given_one = metric(ranking, sets, k=k, alpha=alpha, **more)
        assert metric(ranking, whole, k=k, alpha=alpha, **more) == given_one
        number = more.get("gamma", 1)
        assert (
            metric(ranking, whole, k=k, alpha=alpha, gamma=dict.fromkeys(every, number))
            == given_one
        )


def test_a_run_takes_probabilities_from_a_file_as_from_a_mapping(tmp_path):
    """The fourth field is the probability; what users want is given by query."""
    qrels = {"q1": {"d": {"1": 0.5}, "e": {"1": 1, "2": 0.25}}, "q2": {"d": {"1": 1}}}
    run = {"q1": {"d": 1.0, "e": 2.0}, "q2": {"d": 1.0}}
    wanted = {"q1": {"1": 0.8, "2": 0.4}, "q2": {"1": 0.5}}
    path = tmp_path / "qrels.txt"
    path.write_text("q1 1 d 0.5\nq1 1 e 1\nq1 2 e 0.25\nq2 1 d 1\n", encoding="utf-8")
    asked = [
        (relevance_probability @ 2).using(alpha=1, gamma=wanted),
        (relevance_probability @ 1).using(alpha=1, gamma=wanted),
        alpha_dcg.using(alpha=1, gamma=wanted, discount="none"),
    ]
    for given_as in (qrels, path):
        second, first, gained = evaluate(run, given_as, asked).scores.values()
        assert second == pytest.approx([0, 0])  # e holds 1 for sure, so that d can't help
        assert first == pytest.approx([1 - 0.2 * 0.9, 0.5])
        assert gained == pytest.approx([0.8 + 0.4 * 0.25, 0.5])


@pytest.mark.parametrize(
    ("judged", "options", "words"),
    [
        ({"d": {"a": 1.2}}, {}, r"document 'd': nugget 'a': grade 1.2 is no probability"),
        ({"d": {"a": 0.5}, "e": {"b": 2}}, {}, r"document 'e': nugget 'b': grade 2 is no prob"),
        ({"d": {"a": -0.5}}, {}, r"document 'd': nugget 'a': grade -0.5 is negative"),
        ({"d": {"a": 1}}, {"gamma": {"a": 1.5}}, r"nugget 'a': gamma=1.5 is out of range"),
        ({"d": {"a": 1, "b": 0}}, {"gamma": {"b": 1}}, r"nugget 'a' has no number in gamma"),
    ],
)
def test_what_is_no_probability_is_refused(judged, options, words):
    """The message names query, document and nugget, alone and in a run."""
    for metric in (relevance_probability, alpha_dcg, alpha_ndcg):
        with pytest.raises(InputError, match=words):
            metric(["d"], judged, **options)
        words_of_run = "query 'q', " + words if words.startswith("doc") else "query 'q': " + words
        with pytest.raises(InputError, match=words_of_run):
            evaluate({"q": {"d": 1.0}}, {"q": judged}, [metric.using(**options)])


def test_measures_that_count_nuggets_refuse_probabilities():
    """A nugget of probability 1/2 is neither there nor absent; a threshold says which."""
    judged = {"d": {"a": 0.5}, "e": {"b": 1}}
    for metric in (subtopic_recall, precision_ia, average_precision_ia):
        with pytest.raises(InputError, match="document 'd': nugget 'a': grade 0"):
            metric(["d"], judged)
        with pytest.raises(InputError, match="query 'q', document 'd': nugget 'a'"):
            evaluate({"q": {"d": 1.0}}, {"q": judged}, [metric])
        assert metric(["d"], judged, rel=0.5) > 0
        assert metric(["d"], judged, rel=0.75) == 0
    with pytest.raises(InputError, match="give alpha=1 and, in the judgments, the probability"):
        alpha_dcg(["d"], judged, alpha={"a": 0.9, "b": 0.5})


def test_the_reader_is_told_that_alpha_multiplies_probabilities():
    """With a classifier's probabilities alpha = 1 is meant; only such a query has the note."""
    rows = [align_nuggets(["d"], {"d": {"a": g}}) for g in (0.5, 1)]
    for metric in (relevance_probability, alpha_dcg):
        both = metric.measured(NuggetRows.joined(rows), alpha=0.25)
        assert [len(both.of(q).notes) for q in (0, 1)] == [1, 0]
        assert "multiplied by alpha = 0.25" in both.of(0).notes[0]
        assert not metric.working(["d"], {"d": {"a": 0.5}}, alpha=1).notes
        assert metric.working(["d"], {"d": {"a": 0.5}}, alpha=0).notes
        assert not metric.working(["d"], {"d": {"a": 0.5}}, rel=0.5).notes
        assert not metric.working(["d"], {"d": {"a": 2}}, rel=2).notes
    of_each = {"alpha": {"a": 0.5}, "gamma": 1}
    assert not relevance_probability.working(["d"], {"d": {"a": 0.5}}, **of_each).notes


def test_no_document_at_the_rank_is_no_relevance():
    """Below the end of the ranking nothing can be relevant."""
    assert relevance_probability(["a"], QA, k=2) == 0
    assert relevance_probability([], QA) == 0


# -- oracles


@given(rankings, judgments, alphas, cuts)
def test_alpha_dcg_is_its_definition(ranking, nuggets, alpha, k):
    """The vectorised gains equal those of plain loops, exactly and with a logarithm."""
    exact = alpha_dcg(
        ranking, nuggets, k=k, alpha=Fraction(alpha), discount="reciprocal", exact=True
    )
    by = {"alpha": alpha, "normalisation": "none"}
    assert exact == oracle.alpha_dcg(ranking, nuggets, k, **by, discount="reciprocal")
    assert alpha_dcg(ranking, nuggets, k=k, alpha=alpha) == pytest.approx(
        float(oracle.alpha_dcg(ranking, nuggets, k, **by, discount="log2"))
    )


@given(rankings, judgments, alphas, cuts)
def test_normalised_by_a_perfect_ranking(ranking, nuggets, alpha, k):
    """The alpha-DCG of ndeval divides by a ranking whose every document holds every nugget."""
    by = {"normalisation": "collection_independent", "no_relevant": "zero", "discount": "log2"}
    right = oracle.alpha_dcg(ranking, nuggets, k, alpha=alpha, **by)
    value = alpha_dcg(ranking, nuggets, k=k, alpha=alpha, normalisation="collection_independent")
    assert value == pytest.approx(float(right))


@pytest.mark.slow
@given(rankings, judgments, alphas, cuts, st.booleans())
def test_greedy_ideal_is_its_definition(ranking, nuggets, alpha, k, last):
    """The ideal found for all queries at once is the one that plain loops find."""
    options = {"alpha": Fraction(alpha), "k": k, "ideal": "ndeval" if last else "greedy"}
    ideal = alpha_ndcg.working(ranking, nuggets, discount="none", exact=True, **options)[
        "ideal alpha-DCG"
    ]
    left = 1 - Fraction(alpha)
    order = oracle.ideal_ranking(nuggets, None, left, options["ideal"], sum)
    gains = oracle.faded(order, nuggets, left)
    wanted = [d for d, g in zip(order, gains, strict=True) if g > 0][:k]
    assert list(ideal["document"]) == wanted


def _chosen_one_by_one(held, alpha, last):
    """The documents of a greedy ideal, and how many were tied for each place."""
    left = sorted(held)
    seen = dict.fromkeys(set().union(*held.values()), Fraction(1))
    chosen, tied = [], []
    while left:
        gains = {d: sum(seen[n] * _probability(held[d], n) for n in held[d]) for d in left}
        most = max(gains.values())
        if not most:
            break
        highest = [document for document in left if gains[document] == most]
        chosen.append(highest[-1 if last else 0])
        tied.append(len(highest))
        left.remove(chosen[-1])
        for nugget in held[chosen[-1]]:
            seen[nugget] *= 1 - alpha * _probability(held[chosen[-1]], nugget)
    return chosen, tied


def _probability(nuggets, nugget):
    """That a document holds this one of its nuggets."""
    return nuggets[nugget] if isinstance(nuggets, dict) else 1


def _with_probabilities(seed):
    """Documents that hold a few of six nuggets, each for sure or by halves."""
    chance = random.Random(seed)
    halves = [Fraction(1), Fraction(1, 2), Fraction(1, 4)]
    names = [f"n{number}" for number in range(6)]
    return {
        f"d{i:02}": {n: chance.choice(halves) for n in chance.sample(names, chance.randint(1, 3))}
        for i in range(16)
    }


# A nugget that all documents hold fades until no sum shows it; others hold it alone, or in pairs.
_FADED = [
    {f"d{i:02}": {"A", f"own {i}"} for i in range(80)},
    {f"d{i:02}": {"A", f"pair {i // 2}"} for i in range(80)},
    {f"d{i:02}": {"A", "B", f"own {i}"} - ({f"own {i}"} if i > 66 else set()) for i in range(70)},
    {f"d{i:02}": {f"n{i % 12}", f"m{i // 12}"} for i in range(72)},
    *map(_with_probabilities, range(2)),
]


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize(("few", "at_once"), [(5000, 1000), (0, 1000), (0, 3), (20, 1)])
def test_many_documents_are_chosen_as_few_are(few, at_once, last, monkeypatch):
    """Sums that are taken anew only where they may have changed, and many choices in one step."""
    monkeypatch.setattr(novelty_ideal, "_FEW", few)
    monkeypatch.setattr(novelty_ideal, "_MOST_AT_ONCE", at_once)
    ideal = "ndeval" if last else "greedy"
    together = alpha_ndcg.measured(
        NuggetRows.joined([align_nuggets([], held) for held in _FADED]),
        alpha=0.5,
        ideal=novelty_ideal.NoveltyIdeal.named(ideal, "ideal"),
    )
    for number, held in enumerate(_FADED):
        chosen, tied = _chosen_one_by_one(held, Fraction(1, 2), last)
        alone = [alpha_ndcg.working([], held, ideal=ideal, exact=at_once == 3, discount="none")]
        for working in (together.of(number), *alone):
            found = working["ideal alpha-DCG"]
            assert list(found["document"]) == chosen
            assert list(found["tied"]) == tied


def _tied_at_each_step(monkeypatch):
    """How many documents are tied at each step of the greedy ideal, as it goes on."""
    tied_at_step: list[int] = []
    next_of = novelty_ideal._OpenRows.next_of

    def counted(rows, tied, *, last):
        tied_at_step.append(len(tied))
        return next_of(rows, tied, last=last)

    monkeypatch.setattr(novelty_ideal._OpenRows, "next_of", counted)
    return tied_at_step


@pytest.mark.parametrize("few", [0, 5000])
@pytest.mark.parametrize(("at_once", "sizes"), [(3, [10, 7, 4, 1]), (9, [10, 1]), (10, [10])])
def test_so_many_documents_are_chosen_in_one_step(at_once, sizes, few, monkeypatch):
    """Of ten that share nothing three, and then three again: so many are tied at each step."""
    asked = _tied_at_each_step(monkeypatch)
    monkeypatch.setattr(novelty_ideal, "_MOST_AT_ONCE", at_once)
    monkeypatch.setattr(novelty_ideal, "_FEW", few)
    alpha_ndcg([], {f"d{i}": {i} for i in range(10)})
    assert asked == sizes
    asked.clear()
    alpha_ndcg([], {"a": {"A", "B"}, "b": {"C", "D"}, "c": {"A"}})  # c is not tied with a and b
    assert asked == [2, 1]


@pytest.mark.parametrize(("few", "steps"), [(0, 61), (5000, 80)])
def test_a_nugget_that_no_sum_shows_any_more_ends_no_step(few, steps, monkeypatch):
    """Each of 80 documents has one of its own, too: after 60 choices 2^-60 is left beside 1."""
    asked = _tied_at_each_step(monkeypatch)
    monkeypatch.setattr(novelty_ideal, "_FEW", few)
    alpha_ndcg([], _FADED[0])
    assert len(asked) == steps


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_probabilities_are_summed_anew_as_they_are_summed_at_first(seed, exact, monkeypatch):
    """Where only some of the gains are summed after a choice, and where all are."""
    chance = random.Random(seed)
    held = {
        f"d{i:02}": {n: chance.choice([0.25, 0.5, 0.75, 1]) for n in chance.sample("ABCDEFGH", 3)}
        for i in range(24)
    }
    orders = []
    for few in (0, 5000):
        monkeypatch.setattr(novelty_ideal, "_FEW", few)
        options = {"alpha": 0.5, "discount": "none", "exact": exact}
        found = alpha_ndcg.working([], held, **options)["ideal alpha-DCG"]
        orders.append([list(found[name]) for name in ("document", "tied", "gain")])
    assert orders[0] == orders[1]
    left = sorted(held)
    seen = dict.fromkeys("ABCDEFGH", Fraction(1))
    for document in orders[0][0]:
        gains = {
            other: sum(seen[n] * Fraction(p) for n, p in held[other].items()) for other in left
        }
        assert gains[document] == max(gains.values())
        left.remove(document)
        for nugget, p in held[document].items():
            seen[nugget] *= 1 - Fraction(p) / 2


@pytest.mark.parametrize("few", [0, 5000])
@pytest.mark.parametrize("ideal", ["greedy", "ndeval"])
@pytest.mark.parametrize("seed", range(12))
def test_a_greedy_ideal_has_the_order_and_the_ties_of_one_choice_after_another(
    seed, ideal, few, monkeypatch
):
    """Whether the documents of a query share nuggets or none; for several queries at once."""
    monkeypatch.setattr(novelty_ideal, "_FEW", few)
    chance = random.Random(seed)
    alpha = Fraction(chance.choice([0, 1, 2, 3, 4]), 4)
    k = chance.choice([None, 1, 3])
    held = []
    for most in (1, 1, 2, 3):
        sizes = [chance.randint(0, most) for _ in range(chance.randint(1, 8))]
        held.append({f"d{i}": {*chance.sample("ABCDEFGHIJ", n)} for i, n in enumerate(sizes)})
    how = novelty_ideal.NoveltyIdeal.named(ideal, "ideal")
    together = alpha_ndcg.measured(
        NuggetRows.joined([align_nuggets([], one) for one in held]),
        k,
        alpha=float(alpha),
        ideal=how,
    )
    options = {"k": k, "alpha": alpha, "ideal": ideal, "discount": "none", "exact": True}
    for number, one in enumerate(held):
        chosen, tied = _chosen_one_by_one(one, alpha, last=ideal == "ndeval")
        for working in (together.of(number), alpha_ndcg.working([], one, **options)):
            found = working["ideal alpha-DCG"]
            assert list(found["document"]) == chosen[:k]
            assert list(found["tied"]) == tied[:k]


@pytest.mark.parametrize("n", [1, 7, 16, 40])
def test_documents_that_share_nothing_are_chosen_in_one_step(monkeypatch, n):
    """And of those that share a nugget, one at each step; chosen rows leave by eighths."""
    steps: list[int] = []
    leading = novelty_ideal.leading

    def counted(gain, starts):
        steps.append(len(gain))
        return leading(gain, starts)

    monkeypatch.setattr(novelty_ideal, "leading", counted)
    apart = {f"d{i:02}": {i} for i in range(n)}
    alpha_ndcg([], apart)
    assert steps == [n] * min(n, 2)  # the second step sees that nothing is left, but for n = 1
    steps.clear()
    alike = {document: {"A"} for document in apart}
    alpha_ndcg([], alike, k=3)
    assert len(steps) == min(n, 3)
    steps.clear()
    alpha_ndcg([], alike)
    expected = []
    rows = n
    chosen = 0
    for _ in range(n):
        expected.append(rows)
        chosen += 1
        if chosen * 8 >= rows - rows % 8 and chosen < rows:
            rows -= chosen
            chosen = 0
    assert steps == expected


@given(judgments, alphas, st.sampled_from([1, 2, 3]))
def test_exact_ideal_is_the_best_of_all_orders(nuggets, alpha, k):
    """Going through sets finds what going through all permutations finds."""
    working = alpha_ndcg.working([], nuggets, alpha=alpha, k=k, ideal="exact")
    alpha = Fraction(alpha)

    def best(discount):
        def worth(gains):
            return discounted(gains, discount)

        order = oracle.ideal_ranking(nuggets, k, 1 - alpha, "exact", worth)
        return worth(oracle.faded(order, nuggets, 1 - alpha))

    assert working["ideal alpha-DCG"].value == pytest.approx(float(best("log2")))
    options = {"alpha": alpha, "k": k, "discount": "reciprocal", "exact": True}
    working = alpha_ndcg.working([], nuggets, ideal="exact", **options)
    assert working["ideal alpha-DCG"].value == best("reciprocal")


@given(rankings, judgments, alphas, cuts)
def test_no_ranking_beats_the_exact_ideal(ranking, nuggets, alpha, k):
    """With the exact ideal alpha-nDCG is at most 1."""
    assert alpha_ndcg(ranking, nuggets, alpha=alpha, k=k, ideal="exact") <= 1 + 1e-12


@given(st.lists(st.tuples(rankings, judgments), min_size=1, max_size=4), cuts, alphas)
def test_many_queries_at_once_equal_each_alone(queries, k, alpha):
    """No query sees another, neither in the gains nor in the ideal."""
    rows = [align_nuggets(r, n) for r, n in queries]
    for metric in (alpha_ndcg, alpha_dcg):
        together = metric.measured(NuggetRows.joined(rows), k, alpha=alpha)
        alone = [metric(r, n, k=k, alpha=alpha) for r, n in queries]
        assert together.score == pytest.approx(alone)
        for q in range(len(rows)):
            assert together.of(q).value == pytest.approx(alone[q])


@given(rankings, judgments, alphas, cuts)
def test_rows_without_nuggets_may_be_left_out(ranking, nuggets, alpha, k):
    """Unjudged documents keep their ranks, whether their rows are there or not."""
    rows = align_nuggets(ranking, nuggets)
    fewer = rows.take(np.flatnonzero(rows.judged))
    for metric in (alpha_ndcg, alpha_dcg, relevance_probability):
        np.testing.assert_allclose(
            metric.measured(rows, k, alpha=alpha).score,
            metric.measured(fewer, k, alpha=alpha).score,
        )


def in_their_words(ranking, nuggets):
    """A ranking and its nuggets as ndeval's binding reads them."""
    qrels = [("q", n, d, g) for d, held in nuggets.items() for n, g in held.items()]
    run = [("q", d, float(-i)) for i, d in enumerate(ranking)]
    return qrels, run


@given(rankings.filter(bool), judgments, st.sampled_from([0.25, 0.5, 0.75, 1.0]))
def test_equals_ndeval(ranking, nuggets, alpha):
    """alpha-DCG and alpha-nDCG of ndeval, under the conventions that are its own."""
    pyndeval = pytest.importorskip("pyndeval")
    qrels, run = in_their_words(ranking, nuggets)
    if not any(g >= 1 for *_, g in qrels):
        return  # it divides 0 by 0 there
    names = ["alpha-DCG@2", "alpha-DCG@20", "alpha-nDCG@1", "alpha-nDCG@2", "alpha-nDCG@20"]
    theirs = pyndeval.ndeval(qrels, run, measures=names, alpha=alpha)["q"]
    for name, value in theirs.items():
        metric = parse(name).using(alpha=alpha)
        if "nDCG" in name:
            metric = metric.using(ideal="ndeval")
        else:
            metric = metric.using(normalisation="collection_independent")
        assert metric(ranking, nuggets) == pytest.approx(value), name


def test_ndeval_forgets_to_normalise_at_rank_1():
    """Its alpha-DCG@1 counts nuggets, while alpha-DCG@2 is a share."""
    pyndeval = pytest.importorskip("pyndeval")
    nuggets = {"a": {"A": 1, "B": 1}, "b": {"C": 1}}
    qrels, run = in_their_words(["a", "b"], nuggets)
    theirs = pyndeval.ndeval(qrels, run, measures=["alpha-DCG@1"])["q"]["alpha-DCG@1"]
    assert theirs == alpha_dcg(["a", "b"], nuggets, k=1) == 2
    share = alpha_dcg(["a", "b"], nuggets, k=1, normalisation="collection_independent")
    assert share == pytest.approx(2 / 3)


def test_equals_ir_measures():
    """The same through the other binding, by its own notation."""
    ir_measures = pytest.importorskip("ir_measures")
    nuggets = {d: dict.fromkeys(n, 1) for d, n in QA.items() if n}
    qrels = [ir_measures.Qrel("q", d, g, n) for d, h in nuggets.items() for n, g in h.items()]
    run = [ir_measures.ScoredDoc("q", d, float(-i)) for i, d in enumerate(QA_RANKING)]
    measure = ir_measures.alpha_nDCG @ 10
    theirs = ir_measures.calc_aggregate([measure], qrels, run)[measure]
    ours = parse("alpha_nDCG(alpha=0.5)@10")
    assert ours(QA_RANKING, nuggets) == pytest.approx(theirs)


# -- vertex cover


SPIDER = [("c", 1), ("c", 2), ("c", 3), (1, "x"), (2, "y"), (3, "z")]


def test_vertices_become_documents_and_edges_nuggets():
    """Each nugget is held by exactly two documents."""
    nuggets = as_nuggets(SPIDER)
    assert set(nuggets) == {"c", 1, 2, 3, "x", "y", "z"}
    for edge in SPIDER:
        assert {v for v, held in nuggets.items() if edge in held} == set(edge)


def test_greedy_need_not_find_a_minimum_cover():
    """The vertex with most edges comes first, though no minimum cover holds it."""
    assert minimum_vertex_covers(SPIDER) == [{1, 2, 3}]
    assert set(vertex_cover(SPIDER)) == {1, 2, 3}
    greedy = vertex_cover(SPIDER, ideal="greedy")
    assert greedy[0] == "c"
    assert len(greedy) == 4


@settings(max_examples=examples(30))
@given(st.sets(st.sampled_from([(a, b) for a in range(6) for b in range(a)]), min_size=1))
def test_the_exact_ideal_finds_a_minimum_cover(edges):
    """On every graph of six vertices."""
    assert set(vertex_cover(sorted(edges))) in minimum_vertex_covers(edges)


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ([], "at least one edge"),
        ([("a", "a")], "twice"),
        ([("a", "b", "c")], "two vertices"),
        ([("a", "b"), ("b", "a")], "twice"),
    ],
)
def test_what_is_no_graph_is_refused(edges, words):
    """A loop, a double edge and a graph without edges have no reduction."""
    with pytest.raises(InputError, match=words):
        vertex_cover(edges)


# -- bad input


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: alpha_ndcg(["a"], QA, alpha=1.5), r"alpha=1.5.*\[0, 1\]"),
        (lambda: alpha_ndcg(["a"], QA, alpha=float("nan")), "not finite"),
        (lambda: alpha_ndcg(["a"], QA, k=0), "at least 1"),
        (lambda: alpha_ndcg(["a", "a"], QA), "'a', rank 2.*twice"),
        (lambda: alpha_ndcg(["a "], QA), "white space"),
        (lambda: alpha_ndcg(["a"], {}), "nothing is judged"),
        (lambda: alpha_ndcg([]), "nothing is judged"),
        (lambda: alpha_ndcg(["a"], {"a": "AB"}), r"document 'a'.*a set"),
        (lambda: alpha_ndcg(["a"], {"a": 3}), r"document 'a'.*a set"),
        (lambda: alpha_ndcg(["a"], {"a": {"A": float("nan")}}), "'a'.*'A'.*not finite"),
        (lambda: alpha_ndcg(["a"], {"a": {"A": -1}}), "'a'.*'A'.*negative"),
        (lambda: alpha_ndcg(["a"], {"a": ["A", "A"]}), "'A'.*twice"),
        (lambda: alpha_ndcg(["a"], {"a"}), "map each judged document"),
        (lambda: alpha_ndcg(["a"]), "needs nuggets"),
        (lambda: alpha_ndcg({"a": 1.0}), "needs nuggets"),
        (lambda: alpha_ndcg(["a"], QA, ideal="best"), "greedy, ndeval, exact"),
        (lambda: alpha_dcg(["a"], QA, normalisation="collection_dependent"), "alpha_ndcg"),
        (lambda: relevance_probability(["a"], QA, gamma=2), "gamma=2"),
    ],
)
def test_bad_input_is_refused(call, words):
    """The message names the place and what would do."""
    with pytest.raises(InputError, match=f"(?s){words}"):
        call()


def test_a_large_pool_has_no_exact_ideal():
    """It is refused with the number of sets, not attempted."""
    pool = {f"d{i}": {f"n{i}", f"n{i + 1}"} for i in range(40)}
    with pytest.raises(InputError, match=r"40 judged documents.*smaller k or ideal='greedy'"):
        alpha_ndcg(["d1"], pool, ideal="exact")
    # Documents that hold the same count as one kind, so that this is small.
    alike = {f"d{i}": {i % 3} for i in range(40)}
    assert alpha_ndcg(sorted(alike), alike, ideal="exact") == pytest.approx(
        alpha_ndcg(sorted(alike), alike)
    )


def test_a_logarithm_has_no_exact_value():
    """The error says which discounts have one."""
    with pytest.raises(NotRational, match="reciprocal"):
        alpha_dcg(["a"], QA, exact=True)


def test_a_query_without_nuggets_scores_what_the_convention_says():
    """By default 0, as ndeval has it."""
    nothing = {"a": set()}
    assert alpha_ndcg(["a"], nothing) == 0
    assert alpha_ndcg(["a"], nothing, no_relevant="one") == 1
    assert np.isnan(alpha_ndcg(["a"], nothing, no_relevant="nan"))


def test_an_empty_ranking_scores_0():
    """Nothing retrieved is a result where something is judged."""
    assert alpha_ndcg([], QA) == 0


def test_a_ranking_may_be_the_sets_themselves():
    """Then it is all that was judged."""
    assert alpha_dcg([{"A", "B"}, {"A"}], discount="none") == 2.5
    assert alpha_ndcg([{"A", "B"}, {"A"}]) == 1


def test_the_score_does_not_depend_on_the_order_of_the_judgments():
    """Ties of the ideal are broken by id, not by how the judgments are stored."""
    backwards = dict(reversed(QA.items()))
    assert alpha_ndcg(QA_RANKING, backwards) == alpha_ndcg(QA_RANKING, QA)


# -- a whole run


ids = st.sampled_from(["d1", "d2", "d3", "d4", "u1", "u2"])
runs = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(ids, st.sampled_from([0.5, 1.0, 2.0, 3.0, 4.0, 5.5]), max_size=6),
    min_size=1,
)
sets_of_nuggets = st.dictionaries(documents, st.sets(st.sampled_from("ABCD")), min_size=1)


@given(runs, sets_of_nuggets, sets_of_nuggets, alphas)
def test_a_run_is_its_queries(run, some, others, alpha):
    """A whole run at once gives what each query gives alone, ties or none."""
    nuggets = {"q1": some, "q2": others, "q3": {d: dict.fromkeys(h, 1) for d, h in some.items()}}
    chosen = alpha_ndcg.using(alpha=alpha) @ 3
    found = evaluate(run, nuggets, chosen, "irmetrics_edu")
    assert list(found.queries) == list(nuggets)
    together = found.workings[repr(chosen)]
    alone = [alpha_ndcg(run.get(q, []), nuggets[q], alpha=alpha, k=3) for q in nuggets]
    assert together.score == pytest.approx(alone)
    for q, query in enumerate(nuggets):
        ranking = run.get(query, [])
        ideal = alpha_ndcg.working(ranking, nuggets[query], alpha=alpha, k=3)["ideal alpha-DCG"]
        assert list(together.of(q)["ideal alpha-DCG"]["document"]) == list(ideal["document"])
        assert list(together.of(q)["ideal alpha-DCG"]["nuggets"]) == list(ideal["nuggets"])


@pytest.mark.parametrize(
    ("grades", "is_refused"),
    [((3, 2), False), ((2, 2), False), ((1, 1), False), ((3, 2.5), True), ((0.5, 2), True)],
)
def test_whole_grades_above_1_are_grades_and_others_no_probability(grades, is_refused):
    """Odd and even ones alike."""
    first, second = grades
    pool = {"a": {"x": first}, "b": {"y": second}}
    if is_refused:
        with pytest.raises(InputError, match="is no probability"):
            alpha_ndcg(["a", "b"], pool, k=2)
    else:
        assert alpha_ndcg(["a", "b"], pool, k=2) == 1.0


@pytest.mark.parametrize("names", ["abc", "cab", "bca"])
def test_documents_with_equal_nuggets_stand_in_their_order(names):
    """In an exact ideal: by their ids, whatever order they were given in."""
    pool = {name: {"x"} for name in names}
    working = alpha_ndcg.working([*names], pool, k=3, ideal="exact")
    assert list(working["ideal alpha-DCG"].rows.document) == sorted(names)


def test_an_exact_ideal_goes_through_32768_sets_and_no_more():
    """All sets of 15 documents that differ, and not those of 16."""
    held = {f"d{i}": {f"n{i}"} for i in range(16)}
    with pytest.raises(InputError, match="more than 32,768 sets of 16 judged documents"):
        alpha_ndcg([], held, ideal="exact")
    novelty_ideal._refuse_if_large([1] * 15, 15, align_nuggets([], held), 0)


@pytest.mark.parametrize(("sizes", "k"), [((1, 1, 1), 3), ((3, 2), 2), ((1, 4, 2), 5), ((2,), 1)])
def test_an_exact_ideal_counts_the_sets_that_it_would_go_through(sizes, k, monkeypatch):
    """How many of each kind of document, k at most: as many are let through, one fewer is not."""
    pool = {
        f"{kind}{number}": {f"n{kind}"} for kind, size in enumerate(sizes) for number in range(size)
    }
    ways = sum(sum(taken) <= k for taken in product(*(range(size + 1) for size in sizes)))
    monkeypatch.setattr(novelty_ideal, "MOST_STATES", ways)
    assert alpha_ndcg([*pool], pool, k=k, ideal="exact") > 0
    monkeypatch.setattr(novelty_ideal, "MOST_STATES", ways - 1)
    with pytest.raises(InputError, match=f"more than {ways - 1} sets of {sum(sizes)} judged"):
        alpha_ndcg([*pool], pool, k=k, ideal="exact")
