"""What a search looks at, in which order, and what it says of two numbers, by plain loops."""

import math
import random
from collections import Counter
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.diagnosis import reconciliation
from irmetrics_edu.diagnosis.candidates import (
    _may_be_a_percentage,
    _once_each,
    _same,
    _try_all,
    _with_least_changes,
)
from irmetrics_edu.diagnosis.mistakes import MISTAKES
from irmetrics_edu.diagnosis.printed import Printed, Target
from irmetrics_edu.diagnosis.reconciliation import Reconciliation, _between, _nearest_pair, _scored
from irmetrics_edu.diagnosis.result import Candidate, FoundMistake
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.several_runs import _by_form, _of_all
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.diagnosis.switches import _MOST_SETTINGS, Setting, Switches
from irmetrics_edu.diagnosis.watching import Watch
from irmetrics_edu.libraries import BUNDLES, OURS
from irmetrics_edu.metrics.definition import METRICS
from irmetrics_edu.metrics.notation import Measure, measure
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.scored import SCORED
from tests.tables import rows as each_row

# -- the facts of an input


def drawn(seed):
    """A run with scores and judgments, of one to three queries, with what may be odd in them."""
    chance = random.Random(seed)
    queries = ["p", "q", "r"][: chance.randint(1, 3)]
    grades = chance.choice([(0, 1), (0, 1, 2, 3), (-1, 0, 2), (1, 2)])
    scores = chance.choice([(1.0, 2.0), (1.0, 2.0, 3.0, 4.0, 5.0), (0.123456780, 0.123456781)])
    run = {}
    qrels = {}
    for query in queries:
        ids = chance.sample("abcdef", chance.randint(1, 5))
        run[query] = {document: chance.choice(scores) for document in ids}
        judged = chance.sample("abcdefgh", chance.randint(1, 6))
        qrels[query] = {document: chance.choice(grades) for document in judged}
    if chance.random() < 0.3:
        qrels["missing"] = {"a": 1}
    if chance.random() < 0.3:
        run["unjudged"] = {"a": 1.0}
    return run, qrels


@each_row("seed", range(24))
def test_the_facts_of_an_input_are_those_of_a_loop(seed):
    """What decides which conventions can make a difference."""
    run, qrels = drawn(seed)
    met = Search(measure("nDCG@2"), run, qrels, BUNDLES["trec_eval"], {}).facts
    assert met.several is (len(qrels) > 1)  # a query that the run lacks counts
    assert met.missing is ("missing" in qrels)
    assert met.not_judged is ("unjudged" in run)
    rankings = {query: run.get(query, {}) for query in qrels}

    def tied(kind):
        counts = (Counter(map(kind, ranking.values())) for ranking in rankings.values())
        return sum(n for count in counts for n in count.values() if n > 1)

    assert met.tied is (tied(float) > 0)
    assert met.tied_in_32_bits is (tied(np.float32) > tied(float))
    every = [grade for pool in qrels.values() for grade in pool.values()]
    assert met.negative is (min(every) < 0)
    retrieved = [(query, document) for query in qrels for document in rankings[query]]
    assert met.unjudged is any(document not in qrels[query] for query, document in retrieved)
    assert met.missed is any(d not in rankings[query] for query in qrels for d in qrels[query])
    assert met.without_relevant is any(max(pool.values()) <= 0 for pool in qrels.values())
    assert met.repeated is False
    assert met.largest_pool == max(map(len, qrels.values()))
    assert met.longest == max(map(len, rankings.values()))
    assert met.grades == tuple(sorted({grade for grade in every if grade > 0}))
    assert met.levels_left_out == 0


@pytest.mark.parametrize("levels", [99, 100, 101, 103])
def test_a_hundred_levels_of_relevance_are_tried(levels):
    """The lowest ones; how many are left out is told."""
    qrels = {"q": {f"d{grade}": grade for grade in range(1, levels + 1)}}
    met = Search(measure("AP"), {"q": ["d1", "d1"]}, qrels, BUNDLES["ranx"], {}).facts
    assert met.grades == tuple(range(1, min(levels, 100) + 1))
    assert met.levels_left_out == max(0, levels - 100)
    assert met.repeated is True


@each_row("seed", range(10))
def test_the_facts_of_several_runs_hold_for_some_run(seed):
    """A switch counts where it makes a difference to one of them."""
    each = []
    for number in range(3):
        run, qrels = drawn(100 * seed + number)
        each.append(Search(measure("nDCG"), run, qrels, BUNDLES["trec_eval"], {}).facts)
    found = _of_all(each)
    for name in ("several", "missing", "tied", "negative", "unjudged", "missed", "repeated"):
        assert getattr(found, name) is any(getattr(one, name) for one in each)
    for name in ("largest_pool", "longest", "levels_left_out"):
        assert getattr(found, name) == max(getattr(one, name) for one in each)
    assert found.grades == tuple(sorted({grade for one in each for grade in one.grades}))


def test_the_second_form_of_a_mistake_is_the_second_of_each_run():
    """Forms are counted from 0 under each label."""
    made = [(SimpleNamespace(label=label), number) for number, label in enumerate("abaab")]
    found = _by_form(iter(made))
    assert list(found) == [("a", 0), ("b", 0), ("a", 1), ("a", 2), ("b", 1)]
    assert [scores for _, scores in found.values()] == [*range(5)]


# -- the order of a search


@pytest.mark.parametrize("values", [37, 38, 750, 751])
def test_few_changes_at_a_time_where_there_are_too_many_settings(values):
    """All up to 600 settings, three changes up to twenty times as many, and two beyond."""
    table = {name: [0, 1] for name in "abcd"} | {"e": [*range(values)]}
    switches = SimpleNamespace(of_run={}, of_metric=table)
    for name in ("_too_many_of_run", "_changed", "_with"):
        setattr(switches, name, getattr(Switches, name).__get__(switches))
    size = 16 * values
    most = 5 if size <= _MOST_SETTINGS else 3 if size <= 20 * _MOST_SETTINGS else 2
    assert _MOST_SETTINGS == 600
    expected = []
    for count in range(most + 1):
        for names in combinations(table, count):
            for chosen in product(*(table[name][1:] for name in names)):
                changes = dict(zip(names, chosen, strict=True))
                expected.append(tuple((name, changes.get(name, 0)) for name in table))
    assert [setting.metric for setting in Switches._combined(switches)] == expected


@each_row("of_metric", [*product([0, 1], repeat=2)])
@each_row("of_run", [*product([0, 1], repeat=3)])
@each_row("named", [False, True])
def test_settings_come_by_their_changes_and_pairs_of_the_run_late(of_metric, of_run, named):
    """What libraries have is not late, but for what is slow; identical ids come first."""
    base = Setting((("a", 0), ("b", 0)), (("ties", 0), ("identical_ids", 0), ("unretrieved", 0)))
    setting = Setting(
        (("a", of_metric[0]), ("b", of_metric[1])),
        (("ties", of_run[0]), ("identical_ids", of_run[1]), ("unretrieved", of_run[2])),
    )
    switches = SimpleNamespace(
        base=base, of_run=dict(base.run), _theirs=frozenset([setting]) if named else frozenset()
    )
    changed = sum(of_metric) + sum(of_run)
    assert len(setting.changes(base)) == changed
    assert base.changed(setting.changes(base)) == setting
    last = -1 if of_run[1] else sum(of_run)
    assert Switches._distance(switches, setting) == (changed, last)
    from irmetrics_edu.diagnosis.switches import is_slow

    late = is_slow(setting) or (sum(of_run) > 1 and not named)
    assert Switches.is_late(switches, setting) is late


def scores(mean, of=(0.5,)):
    """The scores of one setting."""
    return SettingScores(mean, np.array(of, dtype=float), {f"q{i}": i for i in range(len(of))})


@pytest.mark.parametrize("stopped", [None, 0, 1, 2, 3])
def test_a_search_that_is_stopped_keeps_what_it_has(stopped, monkeypatch):
    """With nothing to keep, it is not caught."""
    from irmetrics_edu.diagnosis import candidates

    settings = ["a", "b", "c"]

    def score(setting):
        if stopped is not None and setting in settings[stopped:]:
            raise KeyboardInterrupt
        return setting

    search = SimpleNamespace(
        switches=SimpleNamespace(base="base"),
        score=lambda setting: None if setting == "base" else score(setting),
        refused=lambda _: "no",
        mistakes=list,
        chosen=SimpleNamespace(name="M"),
    )
    monkeypatch.setattr(candidates, "_in_order_of_time", lambda _: (settings, ["d"], ["e"]))
    monkeypatch.setattr(candidates, "_fits", lambda *_: True)
    if stopped == 0:
        with pytest.raises(KeyboardInterrupt):
            _try_all(search, None, Watch(lambda *_: None))
        return
    if stopped in (1, 2):  # nobody watches
        with pytest.raises(KeyboardInterrupt):
            _try_all(search, None, Watch())
    found = _try_all(search, None, Watch(lambda *_: None))
    kept = settings[:stopped]
    assert [setting for setting, _ in found.scored] == kept
    ended = stopped in (None, 3)
    assert found.interrupted is not ended
    assert (found.tried, found.of_all) == (4 if ended else len(kept), 4)
    assert (found.default, found.why_not, found.untried) == (None, "no", True)


@each_row("of_all", [*product([0.0, 0.5, math.nan], repeat=3)])
def test_scores_are_the_same_if_all_and_their_mean_are(of_all):
    """But for rounding; NaN is like NaN."""
    mean, *each = of_all
    here = scores(mean, each)
    assert _same(here, scores(mean + 1e-14, [one - 1e-14 for one in each]))
    for place in range(2):
        moved = [one + 0.1 if i == place else one for i, one in enumerate(each)]
        assert _same(here, scores(mean, moved)) is math.isnan(each[place])
    assert _same(here, scores(mean + 0.1, each)) is math.isnan(mean)
    assert not _same(here, scores(mean, [*each, 0.0]))


@each_row("value", ["0.5", "1", "1.01", "50", "100", "100.1"])
@each_row("top", [1.0, math.inf])
def test_a_value_above_the_range_may_be_in_percent(value, top):
    """Up to a hundred times the top of the range."""
    ranged = SimpleNamespace(range=(0.0, top))
    search = SimpleNamespace(chosen=SimpleNamespace(metric=ranged))
    expected = top == 1.0 and 1 < float(value) <= 100
    assert _may_be_a_percentage(search, Target.of(value)) is expected
    assert _may_be_a_percentage(search, Target.of({"q": value})) is False


@each_row("exact", [*product([False, True], repeat=4)])
def test_needless_changes_are_left_out_unless_they_are_nearer(exact):
    """Of settings with fewer of the same changes, one that is as near."""
    base = Setting((("a", 0), ("b", 0)), ())
    settings = [Setting((("a", a), ("b", b)), ()) for a, b in ((0, 0), (1, 0), (0, 1), (1, 1))]
    means = [0.5 if one else 0.5001 for one in exact]
    fitting = [(setting, scores(mean)) for setting, mean in zip(settings, means, strict=True)]
    kept = []
    for place, setting in enumerate(settings):
        changes = {*setting.changes(base)}
        smaller = [other for other in kept if {*settings[other].changes(base)} <= changes]
        if not any(exact[place] <= exact[other] for other in smaller):
            kept.append(place)
    found = _with_least_changes(fitting, Target.of("0.50"), base)
    assert [settings.index(setting) for setting, *_ in found] == kept


def test_a_library_stands_once_by_its_plain_name():
    """In the order of the alphabet, whatever the case; ours is not named."""
    names = ["ranx: ndcg_burges@2", "ranx", OURS.name, "Beta: b", "alpha: b", "alpha: a"]
    assert _once_each(names) == ["alpha: b", "Beta: b", "ranx"]


# -- two numbers


def by(changes=(), libraries=()):
    """A candidate with these changes of three switches."""
    values = {"a": 0, "b": 0, "c": None} | dict(changes)
    return Candidate(Setting(tuple(values.items()), ()), dict(changes), [], libraries, 0.5, "")


def mistaken(label, changes=()):
    """A mistake, made under these changes."""
    return FoundMistake(SimpleNamespace(label=label, says=f"{label}!"), 0.5, dict(changes))


BASE = SimpleNamespace(switches=SimpleNamespace(base=by().setting))
EXPLAINED = [by(), by({"a": 1}), by({"a": 1, "b": 2}), by({"c": 1}), mistaken("m"), mistaken("n")]


@each_row(("one", "other"), [*product(range(6), repeat=2)])
def test_what_differs_between_two_explanations_is_each_switch_and_mistake(one, other):
    """A mistake that both make is none of it."""
    here, there = EXPLAINED[one], EXPLAINED[other]
    expected = []
    for name in "abc":
        first, second = (
            each.arguments.get(name, 0 if name != "c" else None) for each in (here, there)
        )
        if first != second:
            words = ["none" if value is None else str(value) for value in (first, second)]
            expected.append(f"{name}: {words[0]} or {words[1]}")
    labels = [each.mistake.label for each in (here, there) if isinstance(each, FoundMistake)]
    if not (len(labels) == 2 and labels[0] == labels[1]):
        expected += [f"a mistake: {label}!" for label in labels]
    assert _between(BASE, here, there) == expected


@each_row("ones", [*combinations(range(6), 2), (0,), ()])
@each_row("others", [*combinations(range(6), 3), (5,), ()])
def test_the_pair_that_differs_least_is_taken(ones, others):
    """Of several, those that are listed first."""
    sides = [SimpleNamespace(explanations=[EXPLAINED[i] for i in side]) for side in (ones, others)]
    found = _nearest_pair(BASE, *sides)
    if not (ones and others):
        assert found is None
        return
    ranked = [
        (len(_between(BASE, EXPLAINED[i], EXPLAINED[j])), m + n, m, (i, j))
        for (m, i), (n, j) in product(enumerate(ones), enumerate(others))
    ]
    i, j = min(ranked)[-1]
    assert found == (EXPLAINED[i], EXPLAINED[j])


@each_row("alike", [*product([1, 2], repeat=2)])
@each_row("queries", [0, 1, 10, 11, 13])
@each_row("equal", [0, 1, 2])
@each_row("differences", [[], ["gain: a or b"]])
def test_two_numbers_are_told_with_what_differs_and_the_queries(alike, queries, equal, differences):
    """Ten queries at most; none of one query alone; other explanations are mentioned."""
    diagnoses = tuple(
        SimpleNamespace(target=Target.of(text), explanations=["x"] * number)
        for text, number in zip(("0.50", "0.25"), alike, strict=True)
    )
    apart = [(f"q{i}", 0.5, 0.25) for i in range(queries)]
    found = Reconciliation("AP", diagnoses, (by(), by({"a": 1})), differences, apart, equal)
    text = found.text
    lines = text.split("\n")
    assert lines[:3] == ["AP: 0.50 and 0.25", "  0.50  by our default", "  0.25  with a=1"]
    assert ("they differ by rounding alone." in text) is not differences
    assert ("  gain: a or b" in lines) is bool(differences)
    has_table = bool(differences) and queries + equal > 1
    rows = [line for line in lines if line.lstrip().startswith("q") and "-0.2500" in line]
    assert len(rows) == (min(queries, 10) if has_table else 0)
    assert (f"... and {queries - 10} more" in lines) is (has_table and queries > 10)
    counted = f"Equal scores: {equal} of {queries + equal} queries."
    assert (counted in lines) is has_table
    more = "Other explanations differ in more: diagnose lists them."
    assert (more in lines) is (bool(differences) and max(alike) > 1)


def test_the_scores_of_an_explanation_are_those_that_it_was_found_by():
    """Of a convention, a cut-off, or the form of a mistake that had the score."""
    forms = [(SimpleNamespace(label="m"), scores(0.25)), (SimpleNamespace(label="n"), scores(0.5))]
    forms.append((SimpleNamespace(label="m"), scores(0.5)))
    under = [(SimpleNamespace(label="m"), scores(0.5, (0.75,)))]
    search = SimpleNamespace(
        score=lambda setting: ("of", setting),
        at_cutoff=lambda setting, k: ("cut", setting, k),
        mistakes=lambda: iter(forms),
        mistakes_under=lambda _: iter(under),
        switches=SimpleNamespace(base=by().setting),
    )
    plain, cut = by({"a": 1}), by({"k": 3})
    assert _scored(search, plain) == ("of", plain.setting)
    assert _scored(search, cut) == ("cut", cut.setting, 3)
    assert _scored(search, mistaken("m")) is forms[2][1]
    assert _scored(search, mistaken("m", {"a": 1})) is under[0][1]
    assert _scored(search, mistaken("o")) is None
    assert reconciliation._apart(None, scores(0.5)) == ([], 0)
    assert Printed.of("0.5").distance(0.25) == 0.25


# -- the mistakes


def some_inputs(metric):
    """A few small inputs, far apart from each other in size."""
    small = small_inputs(metric)
    numbers = sorted(small.run)[7 :: max(1, len(small.run) // 6)]
    return {n: small.run[n] for n in numbers}, {n: small.qrels[n] for n in numbers}


# Of the mean over queries, or of the scale of all judgments.
OF_ALL = {
    "grades-turned-round",
    "mean-over-queries-with-a-hit",
    "median-for-the-mean",
    "ratio-of-means",
}


@each_row("label", sorted(MISTAKES.keys() - OF_ALL))
def test_a_mistake_of_many_queries_is_that_of_each(label):
    """No query's value hangs on those beside it, or on the order of queries."""
    for name in MISTAKES[label].metrics:
        metric = METRICS.get(name)
        if metric is None or metric.inputs not in (RANKED, SCORED):
            continue
        run, qrels = some_inputs(metric)
        chosen = Measure("wrong", MISTAKES[label].instead_of(metric))
        with np.errstate(all="ignore"):
            together = evaluate(run, qrels, [chosen], OURS).per_query["wrong"]
            for query in [*run][-2:]:
                alone = evaluate({query: run[query]}, {query: qrels[query]}, [chosen], OURS)
                [value] = alone.per_query["wrong"].values()
                assert together[query] == pytest.approx(value, nan_ok=True, abs=1e-12), name


@each_row("grades", [*product([0, 1, 2], repeat=2), (0,), (1,)])
def test_a_discount_that_divides_the_first_rank_by_0(grades):
    """Infinite where it gains anything, and no number where it gains nothing."""
    wrong = MISTAKES["log-of-rank-unguarded"].wrong("DCG")
    with np.errstate(all="ignore"):
        value = float(wrong([*grades]))
    assert value == math.inf if grades[0] else math.isnan(value)
