"""Groups, weights and a choice of queries: beside plain loops, and with inputs nobody meant."""

import itertools
import json
import math
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.comparison import Comparison
from irmetrics_edu.runs.printed_scores import PrintedScores
from irmetrics_edu.runs.significance import paired_difference
from irmetrics_edu.runs.weighted import spread_of, weighted_interval

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]
MEASURES = ("RR", "nDCG@3", "P@2")
SYSTEMS = ("old", "new")


def made(seed: int, n: int = 24) -> tuple[dict[str, Run], Qrels]:
    """Two runs of n queries at random, and their judgments."""
    draw = random.Random(seed)
    documents = [f"d{i}" for i in range(8)]
    qrels = {f"q{i}": {d: draw.choice([0, 0, 1, 2]) for d in documents[:6]} for i in range(n)}
    for judged in qrels.values():
        judged["d0"] = 1
    runs = {name: {q: {d: draw.random() for d in documents} for q in qrels} for name in SYSTEMS}
    return runs, qrels


def groups_of(qrels: Qrels) -> dict[str, str]:
    """Three groups of unlike size; one has a single query."""
    names = itertools.chain(["alone"], itertools.cycle(["de", "en", "en"]))
    return dict(zip(qrels, names, strict=False))


def weights_of(qrels: Qrels) -> dict[str, float]:
    """Weights as the frequencies of queries are: few of them high."""
    return {query: 1 + 40 / (1 + i) for i, query in enumerate(qrels)}


@pytest.mark.parametrize("seed", range(4))
def test_a_group_has_the_mean_of_its_queries(seed: int) -> None:
    """The mean of a group is that of an evaluation of its queries alone, and of a loop."""
    runs, qrels = made(seed)
    groups = groups_of(qrels)
    whole = evaluate(runs["old"], qrels, MEASURES, groups=groups)
    table = {line[0]: line[1:] for line in whole.table().lines}
    assert list(table) == ["all", "alone", "de", "en"]
    for group in set(groups.values()):
        members = [query for query in qrels if groups[query] == group]
        alone = evaluate(runs["old"], qrels, MEASURES, queries=members)
        assert table[group][0] == len(members)
        for place, name in enumerate(MEASURES, 1):
            total = 0.0
            for query in members:
                total += whole.per_query[name][query]
            assert table[group][place] == pytest.approx(total / len(members), abs=1e-12)
            assert table[group][place] == pytest.approx(alone.mean[name], abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_a_weighted_mean_is_the_sum_of_weighted_values(seed: int) -> None:
    """It is also the mean of the queries, each repeated as often as it weighs."""
    runs, qrels = made(seed)
    weights = {query: 1 + i % 4 for i, query in enumerate(qrels)}
    weighed = evaluate(runs["new"], qrels, MEASURES, weights=weights)
    for name in MEASURES:
        repeated = []
        for query, times in weights.items():
            repeated += [weighed.per_query[name][query]] * times
        assert weighed.mean[name] == pytest.approx(sum(repeated) / len(repeated), abs=1e-12)
    assert "Kish" in str(weighed)


def test_equal_weights_change_nothing() -> None:
    """Means, intervals, tests and their corrections are those without weights."""
    runs, qrels = made(5)
    equal = dict.fromkeys(qrels, 0.37)
    plain = compare(runs, qrels, MEASURES, seed=3)
    weighed = compare(runs, qrels, MEASURES, seed=3, weights=equal)
    for name in MEASURES:
        for run in SYSTEMS:
            assert weighed.means[run][name] == pytest.approx(plain.means[run][name], abs=1e-12)
        one = plain.tested("new", name)
        other = weighed.tested("new", name)
        for what in ("mean", "low", "high", "effect", "detectable", "effective"):
            assert getattr(other, what) == pytest.approx(getattr(one, what), rel=1e-9), what
        assert (other.wins, other.losses, other.n) == (one.wins, one.losses, one.n)
        for test in ("randomisation", "t"):
            assert other.p[test] == pytest.approx(one.p[test], abs=0.02)
    plain_ends = evaluate(runs["old"], qrels, MEASURES).summary().lines
    for line, other_line in zip(
        plain_ends,
        evaluate(runs["old"], qrels, MEASURES, weights=equal).summary().lines,
        strict=True,
    ):
        assert other_line[1:] == pytest.approx(line[1:])


def test_the_weighted_randomisation_test_counts_all_ways_to_swap() -> None:
    """P is the share of the 2^n sign changes whose weighted sum is as far from 0."""
    d = np.array([0.3, 0.1, 0.25, -0.05, 0.2, 0.15, -0.4, 0.0])
    weight = np.array([5.0, 1.0, 1.0, 2.0, 9.0, 1.0, 0.5, 3.0])
    products = d * weight
    extreme = 0
    for signs in itertools.product([1, -1], repeat=len(d)):
        extreme += abs(float(np.dot(signs, products))) >= abs(products.sum()) - 1e-12
    tested = paired_difference(d, weight=weight)
    assert tested.p["randomisation"] == pytest.approx(extreme / 2 ** len(d))
    assert tested.mean == pytest.approx(products.sum() / weight.sum())
    assert math.isnan(tested.p["wilcoxon"])
    assert math.isnan(tested.p["sign"])


def test_the_error_of_a_weighted_mean_is_that_of_the_jackknife() -> None:
    """Each query is left out in turn, and the means that result are compared with their mean."""
    value = np.array([0.2, 0.9, 0.4, 0.6, 0.1])
    weight = np.array([3.0, 1.0, 2.0, 7.0, 1.0])
    whole = float((value * weight).sum() / weight.sum())
    squares = 0.0
    for left_out in range(5):
        kept = [i for i in range(5) if i != left_out]
        mean = float((value[kept] * weight[kept]).sum() / weight[kept].sum())
        squares += (mean - whole) ** 2
    assert spread_of(value, weight).error == pytest.approx(math.sqrt(4 / 5 * squares))


def test_an_interval_of_a_weighted_mean_holds_it_as_often_as_it_says() -> None:
    """Of 600 samples whose scores don't depend on their weights, about 95 % hold the true mean."""
    draw = np.random.default_rng(11)
    held = 0
    for _ in range(600):
        weight = draw.lognormal(0, 1, 40)
        low, high = weighted_interval(draw.beta(2, 3, 40), weight, 0.05)
        held += low <= 0.4 <= high
    assert 0.92 <= held / 600 <= 0.975


@pytest.mark.parametrize("seed", range(3))
def test_groups_are_compared_as_if_each_was_alone(seed: int) -> None:
    """Difference, interval and p of a group are those of its queries; then p is corrected."""
    runs, qrels = made(seed)
    groups = groups_of(qrels)
    weights = weights_of(qrels)
    by_group = compare(runs, qrels, MEASURES, groups=groups, weights=weights)
    ps: dict[str, list[float]] = {name: [] for name in MEASURES}
    for group, one in by_group.groups.items():
        members = [query for query in qrels if groups[query] == group]
        alone = compare(runs, qrels, MEASURES, queries=members, weights=weights)
        for name in MEASURES:
            here = one.tested("new", name)
            there = alone.tested("new", name)
            assert here.p == pytest.approx(there.p, nan_ok=True)
            assert (here.mean, here.n) == (pytest.approx(there.mean), there.n)
            ps[name].append(here.p["randomisation"])
    for name in MEASURES:
        corrected = [
            one.tested("new", name).adjusted["randomisation"] for one in by_group.groups.values()
        ]
        by_hand = [0.0] * len(ps[name])
        highest = 0.0
        for step, i in enumerate(sorted(range(len(by_hand)), key=ps[name].__getitem__)):
            highest = max(highest, min(1.0, ps[name][i] * (len(by_hand) - step)))
            by_hand[i] = highest
        assert corrected == pytest.approx(by_hand)


def test_an_equal_measure_takes_no_star_unless_it_is_asked_for() -> None:
    """Six queries that all gain 0.5: p is 0.03125, and twice that over two measures."""
    qrels = {f"q{i}": {"a": 1} for i in range(6)}
    runs = {"old": {q: ["b", "a"] for q in qrels}, "new": {q: ["a", "b"] for q in qrels}}

    def star(measures: str, **how: Any) -> tuple[bool, Comparison]:
        c = compare(runs, qrels, measures, **how)
        return ("new", "AP") in c.marked(), c

    assert star("AP")[0]
    is_marked, c = star("AP RR")
    assert is_marked
    assert "not corrected over the 2 measures" in str(c)
    is_marked, c = star("AP RR", family="all")
    assert not is_marked
    assert "corrected by Holm over 2 comparisons" in str(c)
    with pytest.raises(InputError, match="family"):
        compare(runs, qrels, "AP", family="runs")


def test_queries_asked_for_are_those_that_count() -> None:
    """The result is that of a run and judgments which never held the others, and says so."""
    runs, qrels = made(7)
    members = list(qrels)[3:11]
    kept = {query: qrels[query] for query in members}
    there = evaluate({q: runs["old"][q] for q in members}, kept, MEASURES)
    for ids in (
        members,
        set(members),
        np.array(members),
        pd.Series(members),
        dict.fromkeys(members),
    ):
        here = evaluate(runs["old"], qrels, MEASURES, queries=ids)
        assert dict(here.per_query) == dict(there.per_query)
        assert dict(here.mean) == dict(there.mean)
        assert here.counts.retrieved == there.counts.retrieved
        assert here.counts.unjudged_documents == there.counts.unjudged_documents
        assert len(here.counts.not_asked_for) == len(qrels) - len(members)
        assert "16 queries are not among those asked for and are left out" in str(here)


@pytest.mark.parametrize("measure", ["alpha_nDCG@3", "nDCG@3", "ILD@2"])
def test_queries_are_chosen_for_every_kind_of_input(measure: str) -> None:
    """Judgments by grade, by subtopic, and none at all."""
    run = {"q1": ["a", "b"], "q2": ["b", "a"], "q3": ["a", "b"]}
    subtopics = {q: {"a": {"s1"}, "b": {"s1", "s2"}} for q in run}
    qrels: Any = {q: {"a": 1, "b": 2} for q in run}
    more: dict[str, Any] = {}
    if measure == "alpha_nDCG@3":
        qrels = subtopics
    if measure == "ILD@2":
        qrels = None
        more = {"embeddings": {"a": [1.0, 0.0], "b": [0.0, 1.0]}}
    whole = evaluate(run, qrels, measure, **more)
    part = evaluate(run, qrels, measure, queries=["q2", "q1"], **more)
    assert dict(part.per_query[measure]) == {q: whole.per_query[measure][q] for q in ("q1", "q2")}
    assert "1 query is not among those asked for and is left out: q3" in str(part)


def test_files_give_what_mappings_give(tmp_path: Path) -> None:
    """Runs, judgments, groups, weights and ids from files: the same numbers."""
    runs, qrels = made(9)
    groups = groups_of(qrels)
    weights = weights_of(qrels)
    members = list(qrels)[:15]
    trec = [f"{q} 0 {d} {grade}" for q, judged in qrels.items() for d, grade in judged.items()]
    (tmp_path / "q").write_text("\n".join(trec))
    lines = [
        f"{q} Q0 {d} 0 {score!r} x"
        for q, ranked in runs["old"].items()
        for d, score in ranked.items()
    ]
    (tmp_path / "r").write_text("\n".join(lines))
    table = [f"{q},{g}" for q, g in groups.items()]
    (tmp_path / "g.csv").write_text("\n".join(["qid,language", *table]))
    table = [f"{q}\t{w!r}" for q, w in weights.items()]
    (tmp_path / "w.csv").write_text("\n".join(["query\tfrequency", *table]))
    (tmp_path / "ids.txt").write_text("\n".join(members) + "\n")
    by_file = evaluate(
        tmp_path / "r",
        tmp_path / "q",
        MEASURES,
        queries=tmp_path / "ids.txt",
        groups=tmp_path / "g.csv",
        weights=str(tmp_path / "w.csv"),
    )
    column = pd.Series(groups)
    told: dict[str, Any] = {"groups": column, "weights": weights.get}
    by_hand = evaluate(runs["old"], qrels, MEASURES, queries=members, **told)
    for one, other in zip(by_file.facts()["groups"], by_hand.facts()["groups"], strict=True):
        assert (one["group"], one["queries"]) == (other["group"], other["queries"])
        for what in ("mean", "low", "high"):
            assert one[what] == pytest.approx(other[what], nan_ok=True)
    assert dict(by_file.mean) == pytest.approx(dict(by_hand.mean))


QUERIES = {"q1": 1, "q2": 2}


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"groups": {"q1": "a"}}, r"query 'q2' has no group \(1 of 2"),
        ({"groups": {"q1": "a", "q2": " "}}, r"query 'q2' has no group \(1 of 2"),
        ({"groups": {"q1": 1, "q2": "1"}}, "1 and '1' are two groups that are shown alike"),
        ({"groups": {"q1": "a", "q2": "all"}}, "'all' stands for all queries"),
        ({"groups": {"q1": "a", "q2 ": "b"}}, "differs from 'q2 ' only in white space"),
        ({"groups": {"q1": "a", "q2": ["b", "c"]}}, "give one group"),
        ({"groups": "no-such-file.csv"}, "no such file"),
        ({"groups": pd.Series(["a", "b", "c"], index=["q1", "q1", "q2"])}, "stands twice"),
        ({"weights": {"q1": 1}}, r"query 'q2' has no weight \(1 of 2"),
        ({"weights": {"q1": 1, "q2": -1}}, "query 'q2': weight -1 is not possible"),
        ({"weights": {"q1": 1, "q2": math.nan}}, "weight nan is not finite"),
        ({"weights": {"q1": 1, "q2": math.inf}}, "weight inf is not finite"),
        ({"weights": {"q1": 1, "q2": "2"}}, "weight '2' is not a number"),
        ({"weights": {"q1": 1, "q2": True}}, "weight True is not possible"),
        ({"weights": {"q1": 0, "q2": 0}}, "every weight is 0"),
        ({"weights": QUERIES, "measures": "GMAP"}, "GMAP: weights are for arithmetic means"),
        ({"weights": QUERIES, "averaging": "micro", "measures": "P@2"}, "averaging=micro"),
        ({"queries": []}, "names no query"),
        ({"queries": ["q9"]}, "none of the queries asked for is among the judged queries"),
        ({"queries": ["q1", " q2"]}, "' q2' differs from 'q2' of the judged queries only in white"),
        ({"queries": 7}, "queries=7 names no queries"),
        ({"queries": ["q1", ["q2"]]}, "must be hashable"),
        ({"queries": "q1"}, "q1"),
        ({"group": {"q1": "a"}}, "write groups="),
        ({"sample_weight": {"q1": "a"}}, "write weights="),
        ({"topics": ["q1"]}, "write queries="),
    ],
)
def test_what_nobody_can_mean_is_refused(told: dict[str, Any], says: str) -> None:
    """With the query, what was given and what to give instead."""
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    run = {"q1": ["a"], "q2": ["b", "a"]}
    with pytest.raises(InputError, match=says):
        evaluate(run, qrels, **{"measures": "RR", **told}).table()


def test_weights_of_0_and_groups_of_one_or_none_are_counted() -> None:
    """A query that weighs 0 doesn't count; a group without weight has no mean, and no test."""
    qrels = {q: {"a": 1} for q in ("q1", "q2", "q3")}
    run = {"q1": ["a"], "q2": ["b", "a"], "q3": ["b", "c", "a"]}
    groups = {"q1": "x", "q2": "y", "q3": "y"}
    weights = {"q1": 0, "q2": 3, "q3": 1}
    weighed = evaluate(run, qrels, "RR", groups=groups, weights=weights)
    assert weighed.mean["RR"] == pytest.approx((3 * 1 / 2 + 1 / 3) / 4)
    of_groups = {one["group"]: one["mean"]["RR"] for one in weighed.facts()["groups"]}
    assert of_groups["y"] == pytest.approx(weighed.mean["RR"])
    assert math.isnan(of_groups["x"])
    assert "1 query weighs 0 and does not count in the means: q1" in str(weighed)
    c = compare({"a": run, "b": run}, qrels, "RR", groups=groups, weights=weights)
    assert list(c.groups["y"].tests) == [("b", "RR")]
    assert not c.groups["x"].tests
    assert "NaN" not in str(c)


def test_ids_in_neither_are_told_and_not_counted() -> None:
    """A fold may name queries that nobody judged: those of the run are told apart from others."""
    run = {"q1": ["a"], "q7": ["a"], "q9": ["a"]}
    e = evaluate(run, {"q1": {"a": 1}, "q2": {"a": 1}}, "RR", queries=["q1", "q7", "q8"])
    assert e.counts.not_judged == ["q7"]
    assert e.counts.unknown == ["q8"]
    assert e.counts.not_asked_for == ["q2"]
    assert e.mean["RR"] == 1


def test_measures_of_several_queries_stand_untested_in_the_table() -> None:
    """With a mark and the reason; groups have none of them, and the others are tested as before."""
    runs, qrels = made(3)
    items = [f"d{i}" for i in range(20)]
    c = compare(runs, qrels, "catalogue_coverage nDCG@3", catalogue=items, groups=groups_of(qrels))
    assert c.means["old"]["catalogue_coverage"] == pytest.approx(8 / 20)
    assert "0.4000 u" in str(c)
    assert "u: catalogue_coverage is of several queries together, so it is not tested" in str(c)
    assert c.facts()["comparisons"][0]["measure"] == "nDCG@3"
    assert list(c.facts()["untested"]) == ["catalogue_coverage"]
    alone = compare(runs, qrels, "nDCG@3")
    assert c.tested("new", "nDCG@3") == alone.tested("new", "nDCG@3")
    assert c.all_pairs().table().lines[0][3].raised == "a"
    with pytest.raises(InputError, match="not tested"):
        c.tested("new", "catalogue_coverage")


def test_scores_of_other_programs_are_chosen_grouped_and_weighed() -> None:
    """What trec_eval printed can be compared by group, too."""
    scores = {"AP": {"q1": 0.1, "q2": 0.5, "q3": 0.9}}
    more = {"AP": {"q1": 0.3, "q2": 0.4, "q3": 0.9}}
    both = {"a": PrintedScores(scores), "b": PrintedScores(more)}
    c = compare(both, queries=["q1", "q2"], groups=QUERIES, weights={"q1": 3, "q2": 1})
    assert c.means["a"]["AP"] == pytest.approx((3 * 0.1 + 0.5) / 4)
    assert c.groups[1].means["b"]["AP"] == 0.3
    assert "1 query is not among those asked for and is left out: q3" in str(c)


def test_scores_that_were_made_otherwise_are_not_compared() -> None:
    """An evaluation has its own queries and weights: compare can't change them."""
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    run = {"q1": ["a"], "q2": ["b", "a"]}
    plain = evaluate(run, qrels, "RR")
    weighed = evaluate(run, qrels, "RR", weights=QUERIES)
    with pytest.raises(InputError, match="was evaluated with weights"):
        compare({"a": plain, "b": weighed})
    with pytest.raises(InputError, match="give queries= to its evaluate"):
        compare({"a": plain, "b": run}, qrels, "RR", queries=["q1"])
    with pytest.raises(InputError, match="'sign' is not of a mean"):
        compare({"a": run, "b": run}, qrels, "RR", weights=QUERIES, test="sign")
    with pytest.raises(InputError, match="leave out weights="):
        compare({"a": run, "b": run}, qrels, "RR", weights=QUERIES).all_pairs()


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html", "csv", "json"])
def test_both_commands_have_them_in_every_format(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Groups and weights from files, and how many queries are left out."""
    monkeypatch.chdir(tmp_path)
    files: Mapping[str, str] = {
        "q": "q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n",
        "r": "q1 Q0 a 1 9 x\nq2 Q0 a 1 9 x\nq2 Q0 b 2 8 x\n",
        "s": "q1 Q0 b 1 9 y\nq2 Q0 b 1 9 y\n",
        "g.csv": "query,group\nq1,english\nq2,german\nq3,german\n",
        "w.csv": "query,weight\nq1,3\nq2,1\n",
        "only.txt": "q1\nq2\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    told = ["--only", "only.txt", "--groups", "g.csv", "--weights", "w.csv", "-m", "RR"]
    for words in (["evaluate", "q", "r"], ["compare", "q", "r", "s"]):
        assert main([*words, *told, "--format", form]) == 0
        out, err = capsys.readouterr()
        assert "german" in out
        assert "0.875" in out  # (3 * 1 + 1 * 1/2) / 4
        assert "not among those asked for" in (err if form == "csv" else out)
        if form == "json":
            facts = json.loads(out)
            assert facts["weights"] == {"q1": 3, "q2": 1}
            assert [one["group"] for one in facts["groups"]] == ["english", "german"]


def test_numbers_of_a_table_of_groups_stand_below_each_other() -> None:
    """Where one group has a mark and the other has none, room is left in each line."""
    queries = [f"q{i}" for i in range(20)]
    qrels = {query: {"a": 1} for query in queries}
    old = {query: ["b", "a"] for query in queries}
    new = old | {query: ["a"] for query in queries[:10]}
    groups = {query: "gain" if query in queries[:10] else "same" for query in queries}
    shown = str(compare({"old": old, "new": new}, qrels, "RR", groups=groups))
    lines = shown.splitlines()[2:8]
    marked = [line.endswith("*") for line in lines]
    assert marked == [False, True, False, True, False, False]
    assert {line.index(".") for line in lines} == {lines[0].index(".")}


_DEVICES = {"q1": "mobile", "q2": "desktop", "q3": "mobile"}
# Name, text before the lines, how a line is written, and what is told of the column.
_FORMS = {
    "device.csv": ("qid,device\n", "{},{}\n", "by column 'device' of device.csv"),
    "semicolons.csv": ("topic;market\n", "{};{}\n", "by column 'market' of semicolons.csv"),
    "texts.csv": ("qid,query,device\n", '{},"a, b",{}\n', "by column 'device' of texts.csv"),
    "by_id.csv": ("id,title,device\n", "{},some,{}\n", "by column 'device' of by_id.csv"),
    "index.csv": (",device\n", "{},{}\n", "by column 'device' of index.csv"),
    "pandas.csv": (",qid,device\n", "0,{},{}\n", "by column 'device' of pandas.csv"),
    "own.csv": ("query,page,group\n", "{},9,{}\n", ""),
    "one_usual.csv": ("query,page,tenant\n", "{},9,{}\n", "by column 'tenant' of one_usual.csv"),
    "asked.csv:b": ("query,a,b\n", "{},9,{}\n", "by column 'b' of asked.csv"),
    "head.tsv": ("query\tgroup\n", "{}\t{}\n", ""),
    "bare.tsv": ("", "{}\t{}\n", "column 1 is read as query, 2 as group"),
    "mark.csv": ("\ufeffqid,device\r\n", "{},{}\r\n", "by column 'device' of mark.csv"),
    "lines.jsonl": ("", '{{"qid": "{}", "device": "{}"}}\n', "by column 'device' of lines.jsonl"),
}


@pytest.mark.parametrize("name", _FORMS)
def test_groups_are_read_from_any_column_beside_the_query(name: str, tmp_path: Path) -> None:
    """Whatever the column is called; what was taken is told, unless it is called a group."""
    start, line, told = _FORMS[name]
    lines = [line.format(*pair) for pair in _DEVICES.items()]
    path = tmp_path / name.partition(":")[0]
    path.write_text(start + "".join(lines), encoding="utf-8", newline="")
    run = {query: ["a"] for query in _DEVICES}
    shown = evaluate(run, {query: {"a": 1} for query in run}, "RR", groups=str(tmp_path / name))
    assert {group: list(members) for group, members in shown.groups.items()} == {
        "desktop": ["q2"],
        "mobile": ["q1", "q3"],
    }
    told_of_columns = [note for note in shown.notes() if " column" in note]
    assert [told in note for note in told_of_columns] == [True] * bool(told)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("g.csv", "qid,device,country\nq1,m,de\n", "'device', 'country' may be the group; name"),
        ("g.csv", "qid,language,class\nq1,m,de\n", "'language', 'class' may be the group; name"),
        ("g.csv", "qid\nq1\n", "'qid' is one column; write a query and its group"),
        ("g.csv", "search,device\nq1,m\n", "no column of the query; call it 'query'"),
        ("g.csv:x", "qid,device\nq1,m\n", "no column 'x'; the columns are 'qid', 'device'"),
        ("g.json", '{"device": {"q1": "m"}}', 'expected {"query": group, ...}'),
        ("g.json", '{"q1": null}', "query 'q1' has None"),
        ("g.txt", "q1 mobile\nq2 mobile\n", "with a comma or a tab between them"),
        ("g.csv", "\n\n", "the file is empty"),
        ("g.csv", "qid,device\nq1,m\nq1,d\n", "line 3: query 'q1' is in 'd', but in 'm' above"),
        ("g.csv", "qid,device\nq1,\n", "line 2: group: it is empty"),
    ],
)
def test_a_file_that_leaves_the_group_open_is_refused(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    """By what there is, and how to name what is meant."""
    (tmp_path / name.partition(":")[0]).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        evaluate({"q1": ["a"]}, {"q1": {"a": 1}}, "RR", groups=str(tmp_path / name))
    assert said in str(refused.value)


def test_weights_of_a_file_are_of_any_column_and_numbers(tmp_path: Path) -> None:
    """A single column of another name, two columns without names, and JSON weigh alike."""
    run = {"q1": ["a"], "q2": ["b"]}
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    for name, text in {
        "log.csv": "qid,clicks\nq1,3\nq2,1\n",
        "bare.csv": "q1,3\nq2,1\n",
        "log.json": '{"q1": 3, "q2": 1}',
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        weighed = evaluate(run, qrels, "RR", weights=str(tmp_path / name))
        assert weighed.mean["RR"] == 0.75, name
        both = compare({"a": run, "b": run}, qrels, "RR", weights=str(tmp_path / name))
        assert ("clicks" in str(both)) == (name == "log.csv")
    (tmp_path / "w.csv").write_text("qid,device\nq1,mobile\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2: weight 'mobile' is not a number"):
        evaluate(run, qrels, "RR", weights=str(tmp_path / "w.csv"))


def test_queries_are_chosen_by_a_value_in_a_column(tmp_path: Path) -> None:
    """As a list of their ids would choose them; a value that nobody has is refused."""
    (tmp_path / "folds.csv").write_text("qid,fold,n\nq1,1,9\nq2,2,9\nq3,1,9\n", encoding="utf-8")
    run = {f"q{i}": ["b", "a"] if i == 3 else ["a"] for i in range(1, 4)}
    qrels = {query: {"a": 1} for query in run}
    folds = str(tmp_path / "folds.csv")
    assert evaluate(run, qrels, "RR", queries=f"{folds}:fold=1").mean["RR"] == 0.75
    assert evaluate(run, qrels, "RR", queries=f"{folds}:fold=2").mean["RR"] == 1
    both = compare({"a": run, "b": run}, qrels, "RR", queries=f"{folds}:fold=1")
    assert both.means["b"]["RR"] == 0.75
    for asked, said in {
        "fold=3": "no query has '3' as its 'fold'; there are '1', '2'",
        "fold": "Write the value behind it: folds.csv:fold=1",
        "fald=1": "no column 'fald'; the columns are 'qid', 'fold', 'n'",
    }.items():
        with pytest.raises(InputError) as refused:
            evaluate(run, qrels, "RR", queries=f"{folds}:{asked}")
        assert said in str(refused.value)
    with pytest.raises(InputError, match="all values of 'fold' are taken as group; leave out =1"):
        evaluate(run, qrels, "RR", groups=f"{folds}:fold=1")


def test_an_input_that_no_measure_takes_is_told_which_would() -> None:
    """Of a run and its judgments there is nothing to be taken; of their names nothing is said."""
    run = {"q": ["a"]}
    with pytest.raises(
        InputError, match=r"none of the measures \(RR\) takes other; .* are RBO, tau"
    ):
        evaluate(run, {"q": {"a": 1}}, "RR", other=run)
    with pytest.raises(InputError, match="evaluate takes no 'judgments'"):
        evaluate(run, {"q": {"a": 1}}, "RR", judgments={})


def test_a_query_that_is_not_there_is_told_what_is_near() -> None:
    """13 may be q13; of a query that is like none, some are named."""
    run = {f"q{i}": ["a"] for i in range(1, 30)}
    e = evaluate(run, {query: {"a": 1} for query in run}, "RR")
    with pytest.raises(
        InputError, match=r"'13' was not evaluated; give one of its 29, such as 'q13'$"
    ):
        e.explain("13")
    with pytest.raises(InputError, match=r"such as 'q1', 'q2', 'q3'$"):
        e.explain("another")
