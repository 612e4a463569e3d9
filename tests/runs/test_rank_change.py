"""p-MRR: ranks of two runs, by loops as MTEB has them, and by hand."""

import random

import pytest

from irmetrics_edu import explain
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import parse
from irmetrics_edu.runs import p_mrr

SEEDS = range(30)


def rank_of(scores, wanted):
    """Its place by falling score, of equal scores the higher id first; else below the last."""
    above = 0
    for document, score in scores.items():
        if wanted in scores and (score, document) > (scores[wanted], wanted):
            above += 1
    return above + 1 if wanted in scores else len(scores) + 1


def by_loops(before, after, changed):
    """The mean of means; None for a query that a run lacks."""
    means = {}
    for query, documents in changed.items():
        if query not in before or query not in after or not documents:
            continue
        total = 0.0
        for document in documents:
            old = rank_of(before[query], document)
            new = rank_of(after[query], document)
            total += new / old - 1 if old >= new else 1 - old / new
        means[query] = total / len(documents)
    return means


def drawn(seed):
    """Two runs with ties and other documents, and what is marked."""
    source = random.Random(seed)
    runs = ({}, {})
    changed = {}
    for number in range(8):
        query = f"q{number}"
        documents = [f"d{place}" for place in range(9)]
        for run in runs:
            shown = source.sample(documents, source.randint(0, 9))
            run[query] = {document: float(source.randint(0, 4)) for document in shown}
        changed[query] = set(source.sample(documents, source.randint(1, 4)))
    del runs[0]["q1"], runs[1]["q2"]
    return *runs, changed


@pytest.mark.parametrize("seed", SEEDS)
def test_it_is_as_by_loops(seed):
    """Also with queries renamed and everything in another order, and with grades."""
    before, after, changed = drawn(seed)
    expected = by_loops(before, after, changed)
    found = p_mrr(before, after, changed)
    assert found.per_query == pytest.approx(expected)
    assert found.mean == pytest.approx(sum(expected.values()) / len(expected))
    assert -1 <= found.mean <= 1
    assert set(found.left_out) == {"q1", "q2"}
    assert found.notes() == ("2 queries are not in both runs and are left out: q1, q2",)

    def turned(run):
        return {f"x{q}": dict(reversed(of.items())) for q, of in reversed(run.items())}

    grades = {f"x{q}": dict.fromkeys(of, 1) | {"other": 0} for q, of in changed.items()}
    again = p_mrr(turned(before), turned(after), grades)
    assert again.mean == pytest.approx(found.mean)
    forth = p_mrr(after, before, changed)
    assert forth.mean == pytest.approx(-found.mean)


def test_by_hand():
    """From rank 1 to 4: 1 - 1/4; from 4 to 1: 1/4 - 1; as before: 0; not retrieved: rank 5."""
    before = {"q": ["a", "b", "c", "d"]}
    assert p_mrr(before, {"q": ["b", "d", "c", "a"]}, {"q": {"a"}}).mean == 0.75
    assert p_mrr(before, {"q": ["d", "b", "c", "a"]}, {"q": {"d"}}).mean == -0.75
    assert p_mrr(before, before, {"q": {"a", "d"}}).mean == 0
    assert p_mrr(before, {"q": ["x", "y", "z", "w"]}, {"q": {"a"}}).mean == 0.8


def test_queries_count_the_same_whatever_their_documents():
    """One query with 0.5 and 0, another with 0.75: (0.25 + 0.75) / 2."""
    before = {"q1": ["a", "b", "c"], "q2": ["a", "b", "c", "d"]}
    after = {"q1": ["x", "a", "c"], "q2": ["d", "c", "b", "a"]}
    found = p_mrr(before, after, {"q1": {"a", "c"}, "q2": {"a"}})
    assert found.per_query == {"q1": 0.25, "q2": 0.75}
    assert found.mean == 0.5
    shown = explain(found).text
    assert "p-MRR = (the sum of share of the query) / queries" in shown
    assert shown.splitlines()[0].endswith("= 0.5000")
    assert "p-MRR" in str(found)


def test_files_are_read_as_evaluate_reads_them(tmp_path):
    """Two runs and judgments of TREC; the grade above 0 marks a document."""
    (tmp_path / "old").write_text("q Q0 a 1 9 t\nq Q0 b 2 8 t\n")
    (tmp_path / "new").write_text("q Q0 b 1 9 t\nq Q0 a 2 8 t\n")
    (tmp_path / "changed").write_text("q 0 a 1\nq 0 b 0\n")
    paths = [tmp_path / name for name in ("old", "new", "changed")]
    assert p_mrr(*paths).mean == 0.5


@pytest.mark.parametrize("changed", [{"q9": {"a"}}, {"q": {"a": 0}}])
def test_without_a_marked_document_there_is_none(changed):
    """The message says what to give, or which ids differ."""
    with pytest.raises(InputError, match=r"is marked as changed|the judgments have"):
        p_mrr({"q": ["a"]}, {"q": ["a"]}, changed)


@pytest.mark.parametrize("name", ["p-MRR", "pMRR", "p_mrr"])
def test_it_is_no_measure_of_one_ranking(name):
    """Asked for as a measure, the function is named; it was taken for RR."""
    with pytest.raises(InputError, match=r"compares two runs.*call irmetrics_edu\.runs\.p_mrr"):
        parse(name)
