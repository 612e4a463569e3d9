"""Bounds of a difference hold for every way to judge what is not judged, and are reached by one."""

import itertools
import json
import random
import statistics
from pathlib import Path

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import Sign, decision, read_labels
from irmetrics_edu.judging import difference_bounds as rules
from irmetrics_edu.runs.evaluation import evaluate

MEASURES = (
    "P@3",
    "P(rel=2)@3",
    "R@3",
    "R",
    "Success@3",
    "RR",
    "RR@3",
    "CG@3",
    "DCG@3",
    "DCG(gain=exp)@3",
    "NCG@3",
    "nDCG",
    "nDCG@3",
    "nDCG(gain=exp)@4",
    "nDCG(gain=exp(2))@3",
    "nDCG(discount=jk)@3",
    "nDCG(cut=ranking)@2",
    "AP",
    "AP@3",
    "RBP",
    "RBP(p=0.5)@3",
    "RBP(gain=linear)@3",
)
SCALES = ([0, 2], [0, 1, 2], [0, 1, 3])


def small_case(chance):
    """Two rankings of a few documents, what is judged of them, and a scale."""
    documents = "abcdefg"
    before = chance.sample(documents, chance.randint(0, 5))
    after = chance.sample(documents, chance.randint(1, 5))
    judged = {}
    for document in chance.sample(documents + "z", chance.randint(1, 5)):
        judged[document] = chance.choice([0, 0, 1, 2, -1, 3])
    return before, after, judged, chance.choice(SCALES)


def every_difference(measure, case):
    """The difference in each case, with all grades given to all open documents, by `evaluate`."""
    before, after, judged, scale = case
    depth = int(measure.split("@")[1]) if "@" in measure else None
    pooled = dict.fromkeys([*before[:depth], *after[:depth]])
    not_judged = [document for document in pooled if document not in judged]
    qrels = {}
    for number, grades in enumerate(itertools.product(scale, repeat=len(not_judged))):
        qrels[number] = {**judged, **dict(zip(not_judged, grades, strict=True))}
    old = evaluate(dict.fromkeys(qrels, before), qrels, measure)
    new = evaluate(dict.fromkeys(qrels, after), qrels, measure)
    scores = zip(new.per_query[measure].values(), old.per_query[measure].values(), strict=True)
    return [score - other for score, other in scores], len(not_judged)


def decided(measure, case):
    """The decision of such a case."""
    before, after, judged, scale = case
    runs = {"old": {"q": before}, "new": {"q": after}}
    return decision(runs, {"q": judged}, measure, scale=scale)


@pytest.mark.parametrize("measure", MEASURES)
def test_bounds_are_the_worst_and_the_best_of_all_cases(measure):
    """Every assignment of grades to the open documents is scored by `evaluate`."""
    chance = random.Random(measure)
    for _ in range(12):
        case = small_case(chance)
        found = decided(measure, case)
        cases, size = every_difference(measure, case)
        one = found.differences["new"]
        assert found.open_pairs == size
        assert one.exact
        assert one.now == pytest.approx(cases[0], abs=1e-12)
        assert (one.low, one.high) == pytest.approx((min(cases), max(cases)), abs=1e-9)


@pytest.mark.parametrize("pairs", [0, 100])
@pytest.mark.parametrize("measure", ["AP", "AP@3"])
def test_outer_bounds_of_ap_hold_and_say_so(measure, pairs, monkeypatch):
    """As for queries with many open documents, of which not all sets are tried."""
    monkeypatch.setattr(rules, "_TRIED", 0)
    monkeypatch.setattr(rules, "_PAIRED", pairs)
    chance = random.Random(measure)
    for _ in range(30):
        case = small_case(chance)
        found = decided(measure, case)
        cases, size = every_difference(measure, case)
        one = found.differences["new"]
        assert one.exact == (size == 0)
        assert one.low <= min(cases) + 1e-9
        assert one.high >= max(cases) - 1e-9
        assert ("lie outside" in found.text()) == (size > 0)


def test_bounds_by_hand():
    """P@2: x helps new only, y both, so new gains from 0 (z relevant) to 2/2 (x relevant)."""
    runs = {"old": {"q": ["y", "z"]}, "new": {"q": ["x", "y"]}}
    found = decision(runs, {"q": {"w": 1}}, "P@2")
    one = found.differences["new"]
    assert (one.now, one.low, one.high, one.sign) == (0.0, -0.5, 0.5, Sign.OPEN)
    assert (found.unjudged, found.open_pairs) == ({"old": 2, "new": 2}, 3)
    assert {pair.document for pair in found.worklist.pairs} == {"x", "z"}
    judged_too = decision(runs, {"q": {"w": 1, "z": 0, "x": 1}}, "P@2")
    assert judged_too.differences["new"].sign is Sign.HIGHER
    assert judged_too.is_certain
    assert len(judged_too.worklist) == 0
    assert "no judgment of these documents changes which run is better" in judged_too.text()


def test_the_ideal_grows_with_the_judgments():
    """nDCG@1: both best documents are open; if both have grade 2, each run has 1, so 0."""
    runs = {"old": {"q": ["a"]}, "new": {"q": ["b"]}}
    one = decision(runs, {"q": {"c": 1}}, "nDCG@1", scale=[0, 2]).differences["new"]
    assert (one.low, one.high) == (-1.0, 1.0)
    kept = decision(runs, {"q": {"c": 2, "b": 1}}, "nDCG@1", scale=[0, 2]).differences["new"]
    assert (kept.now, kept.low, kept.high) == (0.5, -0.5, 0.5)


@pytest.mark.parametrize(
    ("measure", "options", "said"),
    [
        ("ERR@10", {}, "use RBP"),
        ("bpref", {}, "use AP"),
        ("Rprec", {}, "use R@k or AP"),
        ("AUC", {}, "P, R, Success"),
        ("P", {}, "give one, such as P@10"),
        ("nDCG(unjudged=removed)@3", {}, "unjudged=removed"),
        ("nDCG(unjudged=grade(2))@3", {}, "unjudged=grade(2)"),
        ("nDCG(ideal=retrieved)@3", {}, "ideal=retrieved"),
        ("nDCG(ties=averaged)@3", {}, "ties=averaged"),
        ("R(no_relevant=skip)@3", {}, "no_relevant=skip"),
        ("AP(divisor=hits)", {}, "divisor=hits"),
        ("GMAP", {}, "mean over queries"),
        ("P@2 R@2", {}, "2 measures"),
        ("P@2", {"scale": [1, 2]}, "0 and others above it"),
        ("P(rel=2)@2", {"scale": [0, 1]}, "no grade of the scale"),
    ],
)
def test_what_has_no_bounds_is_refused_by_name(measure, options, said):
    """And the message says what to use instead."""
    runs = {"old": {"q": ["a", "b"]}, "new": {"q": ["b", "a"]}}
    with pytest.raises(InputError) as refused:
        decision(runs, {"q": {"a": 1}}, measure, **options)
    assert said in str(refused.value)


def world(seed, queries=8, documents=40):
    """Two runs that see the true grades through noise, the second through less."""
    chance = random.Random(seed)
    truth, old, new = {}, {}, {}
    for query in map(str, range(queries)):
        truth[query] = {f"d{i}": (2, 1, 1, 1, 1, 1)[i] if i < 6 else 0 for i in range(documents)}
        for run, noise in ((old, 1.6), (new, 1.0)):
            score = {d: grade + chance.gauss(0, noise) for d, grade in truth[query].items()}
            run[query] = sorted(score, key=score.get, reverse=True)[:10]
    return truth, {"old": old, "new": new}


def first_judged(truth, runs):
    """The first document of the old run, so that each query counts."""
    return {q: {ranking[0]: truth[q][ranking[0]]} for q, ranking in runs["old"].items()}


def judgments_by_weight(truth, runs, measure, step=4):
    """How many pairs are judged, some at a time from the top of the list, until it is decided."""
    judged = first_judged(truth, runs)
    many = 0
    while not (found := decision(runs, judged, measure, scale=[0, 1, 2])).is_certain:
        for pair in found.worklist.first(step).pairs:
            judged[pair.query][pair.document] = truth[pair.query][pair.document]
            many += 1
    return many


def judgments_in_order(truth, runs, measure, order):
    """The same for a fixed order: what is decided stays so, so the first number is halved in on."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) // 2
        judged = first_judged(truth, runs)
        for query, document in order[:middle]:
            judged[query][document] = truth[query][document]
        if decision(runs, judged, measure, scale=[0, 1, 2]).is_certain:
            high = middle
        else:
            low = middle + 1
    return low


def by_depth(runs, depth):
    """Rank by rank, query by query, as a pool is judged."""
    ranks = {}
    for run in runs.values():
        for query, ranking in run.items():
            for rank, document in enumerate(ranking[:depth]):
                ranks.setdefault((query, document), []).append(rank)
    return sorted(ranks, key=lambda pair: min(ranks[pair]))


@pytest.mark.suite("guide")
def test_the_list_decides_with_fewer_judgments_than_other_orders():
    """What docs/judging.md says of thirty worlds: the medians of three orders, of nDCG@5."""
    many = {"pairs": [], "list": [], "depth": [], "chance": []}
    for seed in range(30):
        truth, runs = world(seed, queries=6)
        start = first_judged(truth, runs)
        order = [(query, one) for query, one in by_depth(runs, 5) if one not in start[query]]
        shuffled = random.Random(seed).sample(order, len(order))
        many["pairs"].append(len(order))
        many["list"].append(judgments_by_weight(truth, runs, "nDCG@5"))
        many["depth"].append(judgments_in_order(truth, runs, "nDCG@5", order))
        many["chance"].append(judgments_in_order(truth, runs, "nDCG@5", shuffled))
    medians = {name: statistics.median(counts) for name, counts in many.items()}
    assert medians["list"] < medians["depth"] < medians["pairs"]
    assert medians["list"] < medians["chance"] < medians["pairs"]
    page = " ".join(Path("docs/judging.md").read_text("utf-8").split())
    told = (
        f"the list needed {medians['list']:g} judgments, the order by rank {medians['depth']:g}, "
        f"and an order by chance {medians['chance']:g}, of {medians['pairs']:g} unjudged pairs"
    )
    assert told in page, told


def test_a_graded_list_is_merged_and_the_loop_ends(tmp_path, capsys):
    """Judge the first ten, merge, run again, all by commands and files, until it is decided."""
    truth, runs = world(1, queries=4)
    paths = []
    for name, run in runs.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(run), "utf-8")
        paths.append(str(path))
    judged = tmp_path / "qrels-0.json"
    judged.write_text(json.dumps(first_judged(truth, runs)), "utf-8")
    for turn in itertools.count(1):
        work = tmp_path / f"work-{turn}.csv"
        command = ["judgments", "unjudged", *paths, "--judged", str(judged), "-m", "nDCG@5"]
        options = ["--scale", "0,1,2", "--first", "10", "-o", str(work), "--format", "json"]
        assert main([*command, *options]) == 0
        found = json.loads(capsys.readouterr().out)
        assert len(found["to_judge"]) <= 10
        if found["certain"]:
            break
        header, *lines = work.read_text("utf-8").splitlines()
        place = header.split(",").index("grade")
        graded = [header]
        for line in lines:
            cells = line.split(",")
            cells[place] = str(truth[cells[0]][cells[2]])
            graded.append(",".join(cells))
        work.write_text("\n".join(graded), "utf-8")
        judged = tmp_path / f"qrels-{turn}.csv"
        before = tmp_path / (f"qrels-{turn - 1}.csv" if turn > 1 else "qrels-0.json")
        merged = ["judgments", "merge", str(work), "--judged", str(before), "--source", "person"]
        assert main([*merged, "-o", str(judged)]) == 0
        capsys.readouterr()
    pooled = {query: {} for query in truth}
    for query, document in by_depth(runs, 5):
        pooled[query][document] = truth[query][document]
    means = [evaluate(run, pooled, "nDCG@5").mean["nDCG@5"] for run in runs.values()]
    assert found["differences"]["new.json"]["sign"] == (
        "higher" if means[1] > means[0] else "lower"
    )
    assert turn > 2
    assert len(read_labels(judged)) == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "P@2"], "-m goes with --judged"),
        (["-m", "P@2", "--judged", "QRELS", "-k", "3"], "leave -k out"),
        (["--scale", "0,1"], "--scale goes with -m"),
        (["--format", "json"], "--format goes with -m"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words, said, tmp_path, capsys):
    """With the option that goes with the given one."""
    run = tmp_path / "a.run"
    run.write_text("q Q0 a 1 1 x\n", "utf-8")
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("q 0 a 1\n", "utf-8")
    given = [str(qrels) if word == "QRELS" else word for word in words]
    assert main(["judgments", "unjudged", str(run), *given]) == 2
    assert said in capsys.readouterr().err
