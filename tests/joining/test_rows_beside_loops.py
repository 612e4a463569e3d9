"""Tables of rows beside loops over each query: what is summed, cut, sorted and shared."""

from fractions import Fraction
from itertools import permutations, product
from math import prod

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.conventions import Negative, Ties, Unjudged
from irmetrics_edu.errors import InputError
from irmetrics_edu.rows import shared_ranks
from irmetrics_edu.rows.aligned_ranking import Alignment, align
from irmetrics_edu.rows.nugget_rows import NuggetRows
from irmetrics_edu.rows.nuggets import align_nuggets
from irmetrics_edu.rows.ranked_rows import Rows
from tests.tables import rows as each_row

SEEDS = range(12)
IDS = [f"d{i}" for i in range(6)]
BY = Alignment(negative=Negative.named("keep"))


def _drawn(seed, most=4):
    """Rankings and judgments of some queries; some grades are below 0, some None."""
    chance = np.random.default_rng(seed)
    cases = []
    for _ in range(int(chance.integers(1, most))):
        ranking = chance.permutation(IDS)[: int(chance.integers(0, 6))].tolist()
        of = chance.permutation([*IDS, "x", "y"])[: int(chance.integers(1, 7))].tolist()
        grades = [[-1, 0, 1, 2, 3, None][int(g)] for g in chance.integers(0, 6, len(of))]
        if grades.count(None) == len(grades):
            grades[0] = 1
        cases.append((ranking, dict(zip(of, grades, strict=True))))
    return cases


@each_row("exact", [False, True])
@each_row("seed", SEEDS)
def test_rows_of_many_queries_are_summed_and_cut_query_by_query(seed, exact):
    """Relevance, depths, cuts and what stands before; floats as well as fractions."""
    cases = _drawn(seed)
    rows = Rows.joined([align(*case, by=BY, exact=exact) for case in cases])
    grades = [[judged.get(d) or 0 for d in ranking] for ranking, judged in cases]
    pools = [[g for g in judged.values() if g is not None] for _, judged in cases]
    judged = [[judged.get(d) is not None for d in ranking] for ranking, judged in cases]
    flat = [g for of_one in grades for g in of_one]
    is_judged = [j for of_one in judged for j in of_one]
    assert rows.grade.tolist() == flat
    assert rows.judged.tolist() == is_judged
    assert rows.in_judgments.tolist() == is_judged
    for rel in (-1, 0, 0.5, 1, 2, 3):
        relevant = [int(g >= rel and j) for g, j in zip(flat, is_judged, strict=True)]
        assert rows.relevance(rel).tolist() == relevant
        assert rows.relevant(rel).tolist() == [sum(g >= rel for g in pool) for pool in pools]
    gained = [g + 2 if j else 0 for g, j in zip(flat, is_judged, strict=True)]
    assert rows.gains(lambda grade: grade + 2).tolist() == gained
    products = [prod(g + 2 for g in of_one[:i]) for of_one in grades for i in range(len(of_one))]
    assert rows.product_before(rows.grade + 2).tolist() == products
    for k in (None, 1, 2, 9):
        assert rows.depth(k).tolist() == [len(of_one[:k]) for of_one in grades]
        top = rows.top(k)
        assert top.grade.tolist() == [g for of_one in grades for g in of_one[:k]]
        assert top.retrieved.tolist() == [len(of_one) for of_one in grades]
        assert top.pool_grade.tolist() == [g for pool in pools for g in pool]
    seen = rows.with_pool_of_retrieved()
    assert seen.pool_grade.tolist() == [g for g, j in zip(flat, is_judged, strict=True) if j]
    assert list(seen.pool_document) == [
        d for d, j in zip(rows.document, is_judged, strict=True) if j
    ]


@each_row("exact", [False, True])
@each_row("seed", SEEDS)
def test_ideal_rankings_are_sorted_query_by_query(seed, exact):
    """Of all judged documents, of the retrieved, by worth, and of ones."""
    cases = _drawn(seed)
    rows = Rows.joined([align(*case, by=BY, exact=exact) for case in cases])
    best, retrieved, worth = [], [], []
    for ranking, judged in cases:
        pool = [(d, g) for d, g in judged.items() if g is not None]
        best.append(sorted(pool, key=lambda item: -item[1]))
        of_seen = [(d, judged.get(d)) for d in ranking]
        known = [(d, g) for d, g in of_seen if g is not None]
        if any(g < 0 for _, judged in cases for d, g in judged.items() if g is not None and d in _):
            known = [(d, g or 0) for d, g in of_seen]
        retrieved.append(sorted(known, key=lambda item: -item[1]))
        worth.append(sorted(best[-1], key=lambda item: -(item[1] % 3)))
    for ideal, expected in (
        (rows.ideal(), best),
        (rows.ideal().in_order_of(rows.ideal().grade % 3), worth),
    ):
        assert list(ideal.document) == [d for of_one in expected for d, _ in of_one]
        assert ideal.grade.tolist() == [g for of_one in expected for _, g in of_one]
        assert ideal.rank.tolist() == [r for of_one in expected for r in range(1, len(of_one) + 1)]
    seen = rows.ideal_of_retrieved
    losses = bool((rows.grade < 0).any())
    if losses:
        assert seen.grade.tolist() == [g for of_one in retrieved for _, g in of_one]
    else:
        assert list(seen.document) == [d for of_one in retrieved for d, _ in of_one]
    sizes = [i % 3 for i in range(rows.n)]
    ones = rows.all_of_grade_1(sizes)
    assert ones.grade.tolist() == [1] * sum(sizes)
    assert ones.rank.tolist() == [r for size in sizes for r in range(1, size + 1)]
    assert ones.retrieved.tolist() == sizes


@each_row(
    ("grade", "swapped"),
    [(0.5, False), (0.05, False), (1 / 3, False), (2 / 3, False), (0.37, True), (0.123, True)],
)
def test_a_grade_between_0_and_1_is_refused_where_1_is_relevant(grade, swapped):
    """Among those ranked and those judged; one of no scale may be a score."""
    rows = [align(["a"], {"a": 0}, query="p"), align(["b"], {"a": grade, "b": 2}, query="q")]
    both = Rows.joined(rows)
    assert both.relevance().tolist() == [0, 1]
    assert both.relevant(0.01).tolist() == [0, 2]
    for refused in (
        both.relevant,
        Rows.joined([rows[0], align(["a"], {"a": grade}, query="q")]).relevance,
    ):
        with pytest.raises(InputError, match="query 'q': grade") as error:
            refused()
        assert ("may be a score" in str(error.value)) is swapped


SCORES = [[2, 2, 1], [1, 1, 1], [3, 2, 2], [3, 2, 1], [2, 2, 2, 1, 1], [2, 1, 1, 1, 0], [1], []]


def _orders(scores):
    """All orders of the places that falling scores allow."""
    levels = {
        s: [i for i, other in enumerate(scores) if other == s] for s in sorted(scores, reverse=True)
    }
    for order in product(*(permutations(places) for places in levels.values())):
        yield [i for places in order for i in places]


@each_row("scores", SCORES)
@each_row("exact", [False, True])
def test_what_tied_documents_share_is_the_mean_over_all_orders(scores, exact):
    """Factors of ranks, precision and the rank of the first hit, at any cut, for two queries."""
    names = IDS[: len(scores)]
    ranking = dict(zip(names, map(float, scores), strict=True))
    by = Alignment(ties=Ties.named("averaged"))
    plain = align(["a", "b"], {"b": 1}, exact=exact)
    plain.span = np.stack([plain.rank.astype(float), np.ones(2)])
    orders = list(_orders(scores))
    for marks, k in product(product((0, 1), repeat=len(scores)), (None, 1, 2, 3)):
        judged = dict(zip(names, marks, strict=True)) or {"x": 1}
        alone = align(ranking, judged, by=by, exact=exact)
        if alone.span is None:
            alone.span = np.zeros((2, 0))
        rows = Rows.joined([plain, alone])
        own = slice(2, None)
        limit = k or len(scores)
        factors = rows.at_rank(lambda rank: 1 / rank, k)[own].tolist()
        precisions = shared_ranks.precision_at(rows.top(k), rows.top(k).relevance(), k)
        shares = shared_ranks.within(rows, rows.count(np.ones(len(rows.rank))), k)[own].tolist()
        means = {i: Fraction(0) for i in range(len(scores))}
        within = dict(means)
        first = Fraction(0)
        ap = Fraction(0)
        for order in orders:
            for rank, i in enumerate(order, 1):
                means[i] += Fraction(rank <= limit, rank * len(orders))
                within[i] += Fraction(rank <= limit, len(orders))
            hits = [rank for rank, i in enumerate(order, 1) if marks[i] and rank <= limit]
            first += Fraction(1, hits[0] * len(orders)) if hits else 0
            ap += sum(Fraction(n, rank * len(orders)) for n, rank in enumerate(hits, 1))
        in_order = orders[0]
        assert factors == pytest.approx([means[i] for i in in_order], abs=1e-12)
        if k is not None:
            assert shares == pytest.approx([within[i] for i in in_order], abs=1e-12)
        found = shared_ranks.of_first_hit(rows, rows.relevance(), k, lambda rank: 1 / rank)
        assert float(found[1]) == pytest.approx(float(first), abs=1e-12)
        assert float(found[0]) == (0.5 if k != 1 else 0)
        twice = Rows.joined([alone, alone])
        found = shared_ranks.of_first_hit(twice, twice.relevance(), k, lambda rank: 1 / rank)
        assert list(map(float, found)) == pytest.approx([float(first)] * 2, abs=1e-12)
        top = rows.top(k)
        summed = top.total(top.relevance() * precisions)
        assert float(summed[1]) == pytest.approx(float(ap), abs=1e-12)


@each_row("seed", SEEDS)
def test_unjudged_documents_are_removed_or_have_a_grade(seed):
    """As if they had not been retrieved, or had been judged so; the pool stays.

    A document whose grade is None is one of them. In a run it is as it is alone.
    """
    for ranking, judged in _drawn(seed):
        known = [d for d in ranking if judged.get(d) is not None]
        pool = [g for g in judged.values() if g is not None]
        removed = align(
            ranking, judged, by=Alignment(negative=BY.negative, unjudged=Unjudged.named("removed"))
        )
        assert list(removed.document) == known
        assert removed.retrieved.tolist() == [len(known)]
        graded = align(
            ranking, judged, by=Alignment(negative=BY.negative, unjudged=Unjudged.named("grade(2)"))
        )
        grades = [judged[d] if d in known else 2 for d in ranking]
        assert graded.grade.tolist() == grades
        assert graded.judged.all()
        assert graded.in_judgments.tolist() == [d in known for d in ranking]
        for rows in (removed, graded):
            assert rows.pool_grade.tolist() == pool
        if ranking:
            by = {"unjudged": "grade(2)", "negative": "keep", "pool": "retrieved"}
            found = evaluate({"q": ranking}, {"q": judged}, "R judged@9", **by).per_query
            relevant = [d for d in known if judged[d] >= 1]
            of_all = len([g for g in grades if g >= 1])
            assert found["judged@9"]["q"] == len(known) / len(ranking)
            assert found["R"]["q"] == (of_all / len(relevant) if relevant else 0)


@each_row("exact", [False, True])
@each_row("seed", SEEDS)
def test_nuggets_of_many_queries_are_counted_query_by_query(seed, exact):
    """Sums, products and what is known, entry by entry."""
    chance = np.random.default_rng(seed)
    cases = []
    for _ in range(int(chance.integers(1, 4))):
        held = {
            d: {n: int(chance.integers(0, 4)) for n in "ABC" if chance.random() < 0.5}
            for d in chance.permutation(IDS)[: int(chance.integers(1, 5))].tolist()
        }
        ranking = chance.permutation(IDS)[: int(chance.integers(0, 6))].tolist()
        cases.append((ranking, held))
    rows = NuggetRows.joined([align_nuggets(*case, exact=exact) for case in cases])
    lines = [(q, d, held.get(d, {})) for q, (ranking, held) in enumerate(cases) for d in ranking]
    entries = [(q, i, n, held[n]) for i, (q, _, held) in enumerate(lines) for n in sorted(held)]
    assert rows.document.tolist() == [d for _, d, _ in lines]
    assert rows.grade.tolist() == [g for *_, g in entries]
    assert rows.row.tolist() == [i for _, i, _, _ in entries]
    names = list(rows.nugget_name)
    assert [names[n] for n in rows.nugget.tolist()] == [n for _, _, n, _ in entries]
    starts = [sum(i < row for _, i, _, _ in entries) for row in range(len(lines) + 1)]
    assert rows.entry_starts.tolist() == starts
    sums = [sum(g for _, i, _, g in entries if i == row) for row in range(len(lines))]
    assert rows.by_row(rows.grade).tolist() == sums
    factors = rows.grade + 1
    products = [prod(g + 1 for _, i, _, g in entries if i == row) for row in range(len(lines))]
    assert rows.product_of_row(factors).tolist() == products
    before = [
        prod(g + 1 for q2, i2, n2, g in entries if (q2, n2) == (q, n) and i2 < i)
        for q, i, n, _ in entries
    ]
    assert rows.product_before(factors).tolist() == before
    of_nugget = list(zip(rows.nugget_query.tolist(), names, strict=True))
    for rel in (None, 1, 2, 3):
        known = [
            any(held.get(n, 0) >= (rel or 1) for held in cases[q][1].values()) for q, n in of_nugget
        ]
        assert rows.known(rel).tolist() == known
        number = [
            sum(k for (q2, _), k in zip(of_nugget, known, strict=True) if q2 == q)
            for q in range(rows.n)
        ]
        assert rows.over_nuggets(rows.known(rel).astype(float)).tolist() == number
        shares = [Fraction(k, number[q] or 1) for (q, _), k in zip(of_nugget, known, strict=True)]
        assert rows.intents(rel).tolist() == [s if exact else float(s) for s in shares]
    some = chance.permutation(len(lines))[:3]
    taken = rows.take(some)
    assert taken.document.tolist() == [lines[i][1] for i in some]
    expected = [(j, n, g) for j, i in enumerate(some) for _, i2, n, g in entries if i2 == i]
    assert [
        (r, names[n], g)
        for r, n, g in zip(
            taken.row.tolist(), taken.nugget.tolist(), taken.grade.tolist(), strict=True
        )
    ] == expected
    for k in (None, 1, 3):
        assert rows.depth(k).tolist() == [len(ranking[:k]) for ranking, _ in cases]
    words = [
        ", ".join(n if held[n] == 1 else f"{n}:{held[n]}" for n in sorted(held))
        for *_, held in lines
    ]
    assert list(rows.table().labels["nuggets"]) == words
    for rel in (1, 2):
        assert rows.holding(rel).grade.tolist() == [g for *_, g in entries if g >= rel]
        assert rows.holding(rel).pool.grade.tolist() == [
            g for g in rows.pool.grade.tolist() if g >= rel
        ]
    each = rows.per_intent()
    order = sorted(range(len(entries)), key=lambda e: rows.nugget[e])
    assert each.query.tolist() == [rows.nugget[e] for e in order]
    assert each.grade.tolist() == [entries[e][3] for e in order]
    ranks = [r for ranking, _ in cases for r in range(1, len(ranking) + 1)]
    assert each.rank.tolist() == [ranks[entries[e][1]] for e in order]
    assert each.retrieved.tolist() == [len(cases[q][0]) for q, _ in of_nugget]
