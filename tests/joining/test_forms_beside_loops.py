"""A run and judgments in every form, in parts and at once, beside loops over each query."""

import numpy as np
import pandas as pd
import pytest

from irmetrics_edu import evaluate, parse
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.joining import joined_run

MEASURES = "P@2 R@3 RR AP Judged@2 DCG(discount=reciprocal)@3"


def _drawn(seed):
    """A run with ties and judgments of some queries; each lacks some of the other's."""
    chance = np.random.default_rng(seed)
    queries = [f"q{i}" for i in chance.permutation(7).tolist()]
    run = {
        q: {f"d{d}": float(chance.integers(0, 4)) for d in chance.permutation(9)[:n].tolist()}
        for q, n in zip(queries[:5], chance.integers(1, 8, 5).tolist(), strict=True)
    }
    judged = {
        q: {f"d{d}": int(chance.integers(0, 3)) for d in chance.permutation(9)[:n].tolist()}
        for q, n in zip(queries[2:], chance.integers(1, 8, 5).tolist(), strict=True)
    }
    return run, judged


def _scores(order, judged):
    """All measures of one ranking."""
    gains = [judged.get(d, 0) for d in order]
    hits = [rank for rank, gain in enumerate(gains, 1) if gain >= 1]
    relevant = sum(grade >= 1 for grade in judged.values())
    return {
        "P@2": sum(rank <= 2 for rank in hits) / 2,
        "R@3": sum(rank <= 3 for rank in hits) / relevant if relevant else 0,
        "RR": 1 / hits[0] if hits else 0,
        "AP": sum(n / rank for n, rank in enumerate(hits, 1)) / relevant if relevant else 0,
        "Judged@2": sum(d in judged for d in order[:2]) / min(2, len(order)) if order else 0,
        "DCG(discount=reciprocal)@3": sum(g / r for r, g in enumerate(gains[:3], 1)),
    }


def _expected(run, judged, ties):
    """The scores of each judged query; one that the run lacks has retrieved nothing."""
    found = {}
    for query, grades in judged.items():
        ranking = run.get(query, {})
        names = sorted(ranking, reverse=True) if ties == "docid" else list(ranking)
        found[query] = _scores(sorted(names, key=lambda d: -ranking[d]), grades)
    return found


def _written(folder, name, lines, head):
    """The same lines as a TREC file, a table and frames."""
    is_run = len(lines[0]) == 3 and isinstance(lines[0][2], float)
    trec = folder / name
    form = "{} Q0 {} 1 {!r} t\n" if is_run else "{} 0 {} {}\n"
    trec.write_text("".join(form.format(*line) for line in lines))
    frame = pd.DataFrame(lines, columns=head)
    frame.to_csv(folder / f"{name}.csv", index=False)
    return [trec, folder / f"{name}.csv", frame]


def _forms(folder, run, judged):
    """Every form of a run, and every form of judgments."""
    lines = [(q, d, s) for q, ranking in run.items() for d, s in ranking.items()]
    runs = [run, *_written(folder, "run", lines, ["query_id", "doc_id", "score"])]
    halves = [dict(list(run.items())[:2]), dict(list(run.items())[2:])]
    runs.append(lambda: iter(halves))
    lines = [(q, d, g) for q, grades in judged.items() for d, g in grades.items()]
    qrels = [judged, *_written(folder, "qrels", lines, ["query_id", "doc_id", "relevance"])]
    return runs, qrels


@pytest.mark.parametrize(("seed", "part"), [(0, 1), (1, 2), (2, 1 << 15), (3, 1 << 15)])
def test_every_form_gives_what_loops_give(seed, part, tmp_path, monkeypatch):
    """Queries that one side lacks are counted; ties as given or by id."""
    monkeypatch.setattr(joined_run, "_PART", part)
    run, judged = _drawn(seed)
    runs, all_qrels = _forms(tmp_path, run, judged)
    ties = ["given", "docid"][seed % 2]
    expected = _expected(run, judged, ties)
    missing = [q for q in judged if q not in run]
    strange = [q for q in run if q not in judged]
    pairs = [(given, all_qrels[(i + seed) % 4]) for i, given in enumerate(runs)]
    for given, qrels in pairs:
        form = given() if callable(given) else given
        found = evaluate(form, qrels, MEASURES, ties=ties)
        for name, of_each in found.per_query.items():
            wanted = {q: scores[name] for q, scores in expected.items()}
            assert of_each == pytest.approx(wanted, abs=1e-12), (name, type(given))
        assert list(found.counts.missing) == missing
        assert sorted(found.counts.not_judged) == sorted(strange)
    there = {q: scores for q, scores in expected.items() if q in run}
    for given, qrels in pairs[seed % 2 : 4 : 2]:
        found = evaluate(given, qrels, MEASURES, ties=ties, missing_queries="skip")
        for name, of_each in found.per_query.items():
            wanted = {q: scores[name] for q, scores in there.items()}
            assert of_each == pytest.approx(wanted, abs=1e-12)
        with pytest.raises(InputError, match=f"query '{missing[0]}' is judged but not in the run"):
            evaluate(given, qrels, MEASURES, missing_queries="refuse")
        with pytest.raises(InputError, match="is in the run but not judged"):
            evaluate(given, qrels, MEASURES, unjudged_queries="refuse")


@pytest.mark.parametrize("queries", [1, 2, 5, 6, 7, 12])
@pytest.mark.parametrize("k", [1, 4, 9, 100])
def test_rows_are_made_in_parts_of_so_many_queries(queries, k, monkeypatch):
    """All parts together are all queries; ideals of k documents make them smaller."""
    monkeypatch.setattr(joined_run, "_PART", 6)
    monkeypatch.setattr(joined_run, "_IDEAL", 18)
    qrels = {f"q{i}": {"a": 1} for i in range(queries)}
    joined = evaluate({"q0": ["a"]}, qrels, "AP").aligned
    for names, step in (
        (["AP"], 6),
        ([f"nDCG@{k}", "AP"], 6),
        ([f"nDCG(ideal=k_ones)@{k}", "AP"], max(1, min(6, 18 // k))),
        ([f"nDCG(ideal=k_ones)@{k}", "nDCG(ideal=k_ones)@2"], max(1, min(6, 18 // max(k, 2)))),
    ):
        parts = joined.parts([parse(name) for name in names])
        if queries <= step:
            assert parts == [None]
        else:
            assert [n for part in parts for n in range(*part)] == list(range(queries))
            assert {end - begin for begin, end in parts[:-1]} == {step}
    assert joined.parts([]) == [None]
    assert joined.parts([parse("AUC")]) == [None]
