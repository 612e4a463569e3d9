"""The tables of scores, their groups and weights, pools, and what counts, by plain loops."""

import math
import random
import statistics
from itertools import product

import numpy as np
import pytest
from scipy import stats

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics import notation
from irmetrics_edu.runs import printed_scores, score_tables
from irmetrics_edu.runs.aggregation import mean_reciprocal_rank
from irmetrics_edu.runs.pooling import pool
from irmetrics_edu.runs.printed_scores import PrintedScores, read_scores
from irmetrics_edu.runs.segments import (
    _is_column,
    _lacks,
    chosen_queries,
    groups,
    groups_beside_all,
    texts,
    weight_array,
    weights,
)
from tests.tables import rows as each_row

QUERIES = ["q3", "q1", "q2", "q4", "q5", "q6", "q7"]
SCORES = {
    "RR": dict(zip(QUERIES, [0.5, 0.25, 1.0, 0.25, 0.0, 0.5, 0.125], strict=True)),
    "P@1": dict(zip(QUERIES, [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0], strict=True)),
}
GROUPS = {query: "en" if query in ("q1", "q7") else "de" for query in QUERIES}
WEIGHTS = dict(zip(QUERIES, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.5], strict=True))


def scored(grouped=False, weighted=False):
    """The scores, with what is told of queries."""
    scores = PrintedScores(SCORES, BUNDLES["trec_eval"], name="mine")
    return scores.tell_of_queries(
        groups=GROUPS if grouped else None, weights=WEIGHTS if weighted else None
    )


def mean_of(name, queries, weighted):
    """The mean, plain or weighted."""
    weight = [WEIGHTS[query] if weighted else 1.0 for query in queries]
    of_queries = [SCORES[name][query] for query in queries]
    return sum(w * x for w, x in zip(weight, of_queries, strict=True)) / sum(weight)


MEMBERS = {group: [query for query in QUERIES if GROUPS[query] == group] for group in ("de", "en")}


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_tables_hold_each_score_and_the_means(grouped, weighted):
    """By query, in one column of values, and by group."""
    scores = scored(grouped, weighted)
    means = {name: mean_of(name, QUERIES, weighted) for name in SCORES}
    of_groups = {
        group: {name: mean_of(name, members, weighted) for name in SCORES}
        for group, members in (MEMBERS if grouped else {}).items()
    }
    besides = ["group"] * grouped + ["weight"] * weighted

    def told(query):
        return [GROUPS[query]] * grouped + [WEIGHTS[query]] * weighted

    def filled(group):
        return [group] * grouped + [None] * weighted

    table = score_tables.query_table(scores)
    assert list(table.header) == ["query", *besides, *SCORES]
    expected = [[q, *told(q), *(SCORES[name][q] for name in SCORES)] for q in QUERIES]
    for group, of_group in of_groups.items():
        expected.append(["all", *filled(group), *map(pytest.approx, of_group.values())])
    expected.append(["all", *filled(None), *map(pytest.approx, means.values())])
    assert [list(line) for line in table.lines] == expected
    lines = [list(line) for line in score_tables.long_table(scores).lines]
    expected = []
    for name, by_query in SCORES.items():
        expected += [[name, q, *told(q), value] for q, value in by_query.items()]
        for group, of_group in of_groups.items():
            expected.append([name, "all", *filled(group), pytest.approx(of_group[name])])
        expected.append([name, "all", *filled(None), pytest.approx(means[name])])
    assert lines == expected
    lines = [list(line) for line in score_tables.mean_table(scores).lines]
    if grouped:
        expected = [["all", 7, *map(pytest.approx, means.values())]]
        for group, of_group in of_groups.items():
            n = len(MEMBERS[group])
            expected.append([group, n, *map(pytest.approx, of_group.values())])
    else:
        expected = [[name, pytest.approx(value)] for name, value in means.items()]
    assert lines == expected


@each_row("grouped", [False, True])
@each_row("weighted", [False, True])
@each_row("confidence", [0.5, 0.8, 0.95])
def test_a_summary_is_that_of_the_values(grouped, weighted, confidence):
    """Deviation and quartiles count each query once; a mean of too few has no interval."""
    table = score_tables.summary(scored(grouped, weighted), confidence=confidence)
    rows = [("RR", "all", QUERIES), *(("RR", *item) for item in MEMBERS.items() if grouped)]
    found = [list(line) for line in table.lines if line[0] == "RR"]
    assert len(found) == len(rows)
    for line, (name, group, queries) in zip(found, rows, strict=True):
        cells = line[1:]
        if grouped:
            assert cells.pop(0) == group
        n, mean, sd, low, *quartiles, high, first, last = cells
        values = sorted(SCORES[name][query] for query in queries)
        assert (n, low, high) == (len(values), values[0], values[-1])
        assert mean == pytest.approx(mean_of(name, queries, weighted))
        assert sd == pytest.approx(statistics.stdev(values))
        theirs = statistics.quantiles(values, n=4, method="inclusive")
        assert quartiles == pytest.approx(theirs)
        if not weighted:
            least = 1 + math.ceil(math.log2(1 / (1 - confidence)) + 1e-9)
            if len(values) < least:
                assert math.isnan(first)
                continue
            ends = stats.t.interval(confidence, n - 1, mean, sd / math.sqrt(n))
            expected = [min(max(end, 0.0), 1.0) for end in ends]
            assert [first, last] == pytest.approx(expected)
    assert any("jackknife" in note for note in table.notes) is weighted


@each_row("n", [1, 3, 10])
@each_row("name", [None, "P@1"])
def test_the_lowest_queries_come_first_and_ties_as_they_were(n, name):
    """Without those that have no score."""
    by = SCORES[name or "RR"]
    expected = sorted(QUERIES, key=by.get)[:n]
    assert score_tables.lowest(scored(), n, name) == expected
    lines = score_tables.worst_table(scored(), n, name).lines
    assert [list(line) for line in lines] == [
        [q, SCORES["RR"][q], SCORES["P@1"][q]] for q in expected
    ]
    lacking = PrintedScores({"RR": {"a": math.nan, "b": 0.5, "c": 0.25}}, BUNDLES["trec_eval"])
    assert score_tables.lowest(lacking) == ["c", "b"]


@pytest.mark.parametrize("seed", range(4))
def test_what_trec_eval_prints_is_counted(seed):
    """Of each query by its id, and of all; a query that the run lacks is in the means alone."""
    chance = random.Random(seed)
    documents = [f"d{i}" for i in range(8)]
    qrels = {q: {d: chance.randint(0, 1) for d in documents[:5]} for q in ("b", "a", "c")}
    run = {q: chance.sample(documents, chance.randint(1, 8)) for q in ("c", "a")}
    told = evaluate(run, qrels, "P@2", name="r").trec(per_query=True).split("\n")
    cells = [line.split() for line in told]
    of_queries = [row for row in cells if row[1] in run]
    assert list(dict.fromkeys(row[1] for row in of_queries)) == ["a", "c"]
    for query, ranking in run.items():
        mine = {row[0]: row[2] for row in of_queries if row[1] == query}
        hits = [qrels[query].get(d, 0) for d in ranking]
        assert mine == {
            "num_ret": str(len(hits)),
            "num_rel": str(sum(qrels[query].values())),
            "num_rel_ret": str(sum(hits)),
            "P_2": f"{sum(hits[:2]) / 2:.4f}",
        }
    of_all = {row[0]: row[2] for row in cells if row[1] == "all"}
    assert of_all["runid"] == "r"
    assert of_all["num_q"] == "3"
    relevant = sum(grade for judged in qrels.values() for grade in judged.values())
    assert of_all["num_rel"] == str(relevant)
    shares = [sum(qrels[q].get(d, 0) for d in run[q][:2]) / 2 for q in run]
    assert of_all["P_2"] == f"{sum(shares) / 3:.4f}"


# -- groups, weights and texts


@each_row("names", [*product(["a", "b", " ", None, math.nan, 1, "1"], repeat=2)])
def test_every_query_is_in_one_group(names):
    """A blank is none; 1 and "1" would be shown alike."""
    told = dict(zip(("p", "q"), names, strict=True))

    def lacks(name):
        if isinstance(name, str):
            return not name.strip()
        return name is None or math.isnan(name)

    without = [query for query, name in told.items() if lacks(name)]
    if without:
        says = rf"query '{without[0]}' has no group \({len(without)} of 2 queries have none\)"
        with pytest.raises(InputError, match=says):
            groups(told, ["p", "q"])
    elif set(map(str, names)) == {"1"} and {*names} == {1, "1"}:
        with pytest.raises(InputError, match="shown alike"):
            groups(told, ["p", "q"])
    else:
        expected = {}
        for name in sorted({*names}, key=str):
            expected[name] = [query for query in "pq" if told[query] == name]
        found = groups(told, ["p", "q"])
        assert list(found.items()) == list(expected.items())
    assert groups(None, ["p"]) == {}


@pytest.mark.parametrize("name", ["all", "ALL", "a"])
def test_no_group_is_called_as_all_queries_are(name):
    """In tables."""
    if name == "all":
        with pytest.raises(InputError, match="'all' stands for all queries"):
            groups_beside_all({"q": name}, ["q"])
    else:
        assert groups_beside_all({"q": name}, ["q"]) == {name: ["q"]}
    with pytest.raises(InputError, match="give one group, such as a text"):
        groups({"q": ["a"]}, ["q"])


@each_row("values", [*product([0, 1.5, -1, math.nan, True, None, "x"], repeat=2)])
def test_a_weight_is_a_number_of_0_or_more(values):
    """And not all are 0; a query without one is named first."""
    told = dict(zip(("p", "q"), values, strict=True))
    if None in values:
        first = "p" if values[0] is None else "q"
        says = f"query '{first}' has no weight"
    elif not all(type(value) in (int, float) and value >= 0 for value in values):
        says = "weights: query"
    elif not any(values):
        says = "every weight is 0"
    else:
        found = weights(told, ["q", "p"])
        assert found == {"q": float(values[1]), "p": float(values[0])}
        assert weight_array(found, ["p", "q"]).tolist() == [float(value) for value in values]
        return
    with pytest.raises(InputError, match=says):
        weights(told, ["p", "q"])


def test_texts_are_of_some_query_and_are_texts():
    """A query may have none; if no query has one, the wrong texts were given."""
    assert texts(None, ["q"]) == {}
    assert texts({"q": "hello"}, ["q", "r"]) == {"q": "hello"}
    assert texts(lambda query: query * 2, ["q"]) == {"q": "qq"}
    for bad, says in (
        ({"x": "hello"}, "there is no text for 'q'"),
        ({"q": 3}, "the text of query 'q' is 3"),
        (3, "a int is given"),
    ):
        with pytest.raises(InputError, match=says):
            texts(bad, ["q"])


@pytest.mark.parametrize("told", [["a", "b", "a"], {"a": 1, "b": 2}, np.array(["a", "b"])])
def test_queries_that_count_are_each_once(told):
    """Of a collection of ids; of a mapping its keys."""
    assert chosen_queries(told) == ["a", "b"]
    for bad in (3, 0.5, b"q", [], [["q"]]):
        with pytest.raises(InputError, match="queries"):
            chosen_queries(bad)


def test_a_column_of_a_frame_is_known_and_what_lacks_a_value():
    """It has items and an index, and is no mapping and no frame."""
    import pandas as pd

    column = pd.Series({"q": "de"})
    assert _is_column(column)
    assert not any(map(_is_column, [{"q": "de"}, column.to_frame(), "q", [1]]))
    assert all(map(_lacks, [None, math.nan, pd.NA]))
    assert not any(map(_lacks, [0, 0.0, "", False]))
    assert groups(column, ["q"]) == {"de": ["q"]}
    twice = pd.Series(["de", "en"], index=["q", "q"])
    with pytest.raises(InputError, match="query 'q' stands twice in the index"):
        groups(twice, ["q"])


# -- pools


@each_row("depth", [1, 2, 3, 9])
@each_row("seed", range(4))
def test_a_pool_is_the_first_documents_of_all_runs(depth, seed):
    """By rank, then by run; with who found each."""
    chance = random.Random(seed)
    runs = {
        name: chance.sample("abcdefg", chance.randint(1, 5)) for name in ("one", "two", "three")
    }
    found = pool(runs, depth)
    met = {}
    for rank, (name, ranking) in product(range(1, depth + 1), runs.items()):
        if rank <= len(ranking):
            met.setdefault(ranking[rank - 1], {})[name] = rank
    assert found.documents == list(met)
    assert len(found) == len(met)
    for document in "abcdefg":
        assert (document in found) is (document in met)
    for document, ranks in met.items():
        in_order = {name: ranks[name] for name in runs if name in ranks}
        assert list(found.contributors[document].items()) == list(in_order.items())
    for name in runs:
        assert found.of(name) == [document for document in met if name in met[document]]
        assert found.only(name) == [document for document in met if {*met[document]} == {name}]
        alone, all_of = len(found.only(name)), len(found.of(name))
        assert f"  only from {name}: {alone} of {all_of}" in str(found).split("\n")
    by_query = pool({name: {"q": ranking} for name, ranking in runs.items()}, depth)
    assert by_query["q"].contributors == found.contributors
    with pytest.raises(InputError, match="no system 'four' is pooled"):
        found.of("four")


# -- means of first ranks


@each_row("ranks", [*product([1, 2, 4, None], repeat=2)])
def test_mean_ranks_are_told_if_each_query_has_a_hit(ranks):
    """MRR is 1 over the harmonic mean."""
    run = {f"q{i}": [int(place == rank) for place in range(1, 5)] for i, rank in enumerate(ranks)}
    working = mean_reciprocal_rank.working(run)
    assert working.value == pytest.approx(sum(1 / rank if rank else 0 for rank in ranks) / 2)
    names = ("harmonic mean rank", "arithmetic mean rank")
    if None in ranks:
        assert not any(name in working.quantities for name in names)
        return
    harmonic, arithmetic = (working.quantities[name] for name in names)
    assert harmonic == pytest.approx(statistics.harmonic_mean(ranks))
    assert arithmetic == pytest.approx(statistics.mean(ranks))


@each_row("values", [*product([0.5, 0.25, math.nan], repeat=2)])
@each_row("label", ["RR", "mine", "nDCG(no_relevant=skip)"])
def test_a_query_without_a_score_is_left_out_only_if_that_was_chosen(values, label):
    """Else there is no mean."""
    scores = PrintedScores({label: dict(zip("pq", values, strict=True))}, BUNDLES["trec_eval"])
    [name] = scores.scores
    kept = values
    if "skip" in label:
        kept = [value for value in values if not math.isnan(value)]
    if not kept:
        with pytest.raises(InputError, match="every query is skipped"):
            scores.counted(name)
        return
    assert scores.counted(name).tolist() == [i for i in range(2) if values[i] in kept]
    expected = sum(kept) / len(kept)
    assert scores.mean[name] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_table_of_a_thousand_measures_is_read_and_of_more_is_not(tmp_path, beyond):
    """Queries in the place of measures would each be looked up, compared and tested."""
    names = [f"m{number}" for number in range(1000 + beyond)]
    path = tmp_path / "wide.csv"
    path.write_text(f"query,{','.join(names)}\nq1{',0.5' * len(names)}\n", encoding="utf-8")
    if not beyond:
        assert read_scores(path).mean == dict.fromkeys(names, 0.5)
        return
    with pytest.raises(InputError, match=r"wide\.csv, line 2: 'm1000' is measure number 1,001"):
        read_scores(path)


def test_a_name_is_looked_up_no_oftener_for_more_queries(tmp_path, monkeypatch):
    """What may have been meant by it is not looked for at all: it is a measure of others."""
    asked = []

    def heard(name):
        asked.append(name)
        raise InputError(name)

    monkeypatch.setattr(printed_scores, "known_measure", heard)
    path = tmp_path / "scores.csv"
    rows = "".join(f"q{number},{name},0.5\n" for number in range(9) for name in ("a", "b"))
    path.write_text(f"query,measure,value\n{rows}", encoding="utf-8")
    assert read_scores(path).mean == {"a": 0.5, "b": 0.5}
    assert sorted(asked) == ["a", "a", "b", "b"]  # as it is read, and as it is shown
    monkeypatch.undo()
    monkeypatch.setattr(notation, "_like", lambda *_: pytest.fail("nobody reads it"))
    assert read_scores(path).mean == {"a": 0.5, "b": 0.5}
