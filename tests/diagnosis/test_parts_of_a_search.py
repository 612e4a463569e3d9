"""Single parts of a search, each with what it asks replaced by a table."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu import parse
from irmetrics_edu.diagnosis import (
    candidates,
    evidence,
    function,
    function_inputs,
    probing,
    switches,
)
from irmetrics_edu.diagnosis.function_inputs import FunctionInputs
from irmetrics_edu.diagnosis.printed import Printed, Target
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.several_runs import SeveralRuns
from irmetrics_edu.diagnosis.switches import Facts, Setting
from irmetrics_edu.libraries import BUNDLES, OURS
from irmetrics_edu.metrics.notation import measure
from irmetrics_edu.metrics.novelty_ideal import EXACT
from tests.tables import rows as each_row


@each_row("has_many", [False, True])
@each_row("is_large", [False, True])
@each_row("exact", [(), ("a",), ("base", "a", "late")])
def test_settings_are_quick_slow_or_left_out(has_many, is_large, exact):
    """Our own is always tried; of many queries no other that goes through all sets of documents."""
    settings = {
        name: Setting((("ideal", EXACT if name in exact else 0), ("name", name)), ())
        for name in ("base", "a", "b", "late")
    }
    asked = SimpleNamespace(
        has_many=has_many,
        is_large=is_large,
        switches=SimpleNamespace(
            base=settings["base"],
            settings=list(settings.values()),
            is_late=lambda setting: setting is settings["late"],
        ),
    )
    found = candidates._in_order_of_time(asked)
    named = [[dict(setting.metric)["name"] for setting in part] for part in found]
    left_out = [n for n in settings if has_many and n in exact and n != "base"]
    slow = [n for n in ("late",) if is_large and n not in left_out]
    quick = [n for n in settings if n not in (*left_out, *slow)]
    assert named == [quick, slow, left_out]


@each_row("number", [2, 5, 6, 7, 9])
def test_six_candidates_are_told_apart_by_what_is_written(number, monkeypatch):
    """Ours by our name for it."""
    asked = []

    def first_apart(_, settings):
        asked.extend(settings)
        return ["a"], {"a": 1}, [float(place) for place, _ in enumerate(settings)]

    monkeypatch.setattr(candidates, "first_apart", first_apart)
    made = [SimpleNamespace(setting=i, written="" if i == 1 else f"x={i}") for i in range(number)]
    found = candidates.told_apart(None, made)
    kept = min(number, 6)
    names = ["our default" if i == 1 else f"x={i}" for i in range(kept)]
    assert asked == [*range(kept)]
    assert found.values == [(name, float(place)) for place, name in enumerate(names)]
    assert (found.ranking, found.judgments) == (["a"], {"a": 1})
    monkeypatch.setattr(candidates, "first_apart", lambda *_: None)
    assert candidates.told_apart(None, made) is None


@each_row(("changes", "tied", "negative"), [
    ([], False, False), (["ties"], True, False), (["scores"], True, False),
    (["negative"], False, True), (["gain"], False, False), (["negative", "ties"], True, True),
])  # fmt: skip
def test_small_inputs_tie_or_lose_where_that_is_a_switch(changes, tied, negative, monkeypatch):
    """Of any of the settings that are compared."""
    given = {}
    monkeypatch.setattr(
        candidates, "small_inputs", lambda _, **options: given.update(options) or "small"
    )
    base = Setting((("gain", 0),), (("ties", 0), ("scores", 0), ("negative", 0)))
    asked = SimpleNamespace(switches=SimpleNamespace(base=base), chosen=measure("AP"))
    settings = [base, *(base.changed({name: 1}) for name in changes)]
    assert candidates._small(asked, settings) == "small"
    assert given == {"tied": tied, "negative": negative}


@each_row("number", [1, 60, 61, 180, 300])
@each_row("explains", [(False,), (True, True), (True, False)])
def test_all_values_are_held_against_what_some_of_them_say(number, explains, monkeypatch):
    """Where some were asked, and something gives these."""
    calls = []

    def diagnose(_, run, qrels, *, value, **options):
        calls.append((len(run), len(qrels), len(value), options))
        return SimpleNamespace(explained=explains[len(calls) - 1])

    monkeypatch.setattr(function, "diagnose", diagnose)
    inputs = FunctionInputs.of([(["a"], {"a": 1})] * number)
    values = dict.fromkeys(range(number), 0.5)
    found = function._explained(measure("AP"), inputs, values, OURS)
    some = len(function._spread([*range(number)]))
    expected = [some, number] if explains[0] and some < number else [some]
    assert [count for count, *_ in calls] == expected
    assert all(count == judged == given for count, judged, given, _ in calls)
    assert {tuple(options) for *_, options in calls} == {("conventions", "tolerance")}
    assert found.explained is explains[len(expected) - 1]


@each_row("k", [None, 1, 2, 3, 7, 150, 300])
def test_a_third_of_the_drawn_rankings_is_about_as_long_as_the_cut_off(k, monkeypatch):
    """And half of them are complete."""
    drawn = []
    monkeypatch.setattr(
        function_inputs,
        "_ranking",
        lambda _, length, *, complete: drawn.append((length, complete)) or ([], {}),
    )
    made = [*function_inputs._drawn(k)]
    cut = 7 if k is None else min(k, 150)
    around = {cut - 1, cut, cut + 1, cut + 2, 2 * cut, 3 * cut} - {0}
    assert len(made) == len(drawn) == 406
    assert {length for length, _ in drawn[:400:3]} == around
    others = {length for number, (length, _) in enumerate(drawn[:400]) if number % 3}
    assert others == {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30}
    assert [complete for _, complete in drawn[:400]] == [True, False] * 200
    assert drawn[400:] == [(n, c) for n in (60, 150, 250) for c in (True, False)]


@each_row(("tolerance", "decimals"), [
    (0.5, 0), (0.05, 1), (0.0005, 3), (5e-13, 12), (5e-14, 12), (0.0, 12), (5.0, -1),
])  # fmt: skip
def test_a_number_is_compared_with_at_most_twelve_decimals(tolerance, decimals):
    """As its tolerance says."""
    assert Printed(0.5, tolerance, "0.5").decimals == decimals


def test_evidence_counts_different_numbers_and_invented_formulas(monkeypatch):
    """One number of two digits is one in a hundred; above 1 there are more of them."""
    asked = SimpleNamespace(
        queries=["q"],
        switches=SimpleNamespace(base="base"),
        score=lambda _: SimpleNamespace(mean=0.5),
    )
    monkeypatch.setattr(evidence, "invented_means", lambda _: [0.501, 0.251, 0.249, 0.9, math.inf])

    def tried(*means):
        return [SettingScores(mean, np.array([mean]), {"q": 0}) for mean in means]

    found = evidence.evidence_of(asked, Target.of("0.25"), tried(0.5, 0.25, 0.2501, math.nan))
    assert (found.queries, found.tried, found.numbers) == (1, 4, 2)
    assert (found.invented, found.named) == (3, 2)
    assert found.covered == pytest.approx(0.02)
    assert str(found.fraction) == "1/4"
    high = evidence.evidence_of(asked, Target.of("4.00"), tried(4.0, 3.0, 2.0, 1.0))
    assert high.covered == pytest.approx(0.01)
    asked.score = lambda _: None
    found = evidence.evidence_of(asked, Target.of("0.25"), tried(0.5, 0.25))
    assert (found.invented, found.named) == (4, 3)
    for value in ({"q": "0.1", "r": "0.2"}, "nan", "inf"):
        assert evidence.evidence_of(asked, Target.of(value), tried(0.5)) is None


@each_row(
    ("judged", "unjudged", "missed"),
    [({"a": 1}, True, False), ({"a": 1, "b": 0}, False, False), ({"a": 1, "x": 0}, True, True),
     ({"x": 1}, True, True)],
)  # fmt: skip
def test_what_is_not_judged_or_was_missed_is_known(judged, unjudged, missed):
    """Of two documents that are ranked."""
    facts = Search(measure("AP"), {"q": ["a", "b"]}, {"q": judged}, OURS, {}).facts
    assert (facts.unjudged, facts.missed) == (unjudged, missed)
    assert (facts.largest_pool, facts.longest) == (len(judged), 2)
    assert facts.without_relevant is False
    assert (facts.tied, facts.repeated, facts.several, facts.own) == (False,) * 4


CUTS = [*range(1, 201), 250, 256, 300, 400, 500, 512, 1000]
STOPS = "{} that stops at the first miss"


@each_row(
    ("name", "first", "last"),
    [
        ("AP", [], ["the mean of AP at all cut-offs from 1 to the end", STOPS.format("AP"),
                    "AP of a ranking with the judged alone"]),
        ("AP@2", ["AP without a cut-off"],
         ["the mean of AP at all cut-offs from 1 to 2", STOPS.format("AP@2"),
          "AP@2 of a ranking with the unjudged documents taken out after the cut"]),
        ("AP@200", ["AP without a cut-off"],
         ["the mean of AP at all cut-offs from 1 to 200", STOPS.format("AP@200"),
          "AP@200 of a ranking with the unjudged documents taken out after the cut"]),
        ("AP@201", ["AP without a cut-off"],
         [STOPS.format("AP@201"),
          "AP@201 of a ranking with the unjudged documents taken out after the cut"]),
    ],
)  # fmt: skip
def test_a_measure_is_tried_at_all_cut_offs_and_for_parts_of_the_ranking(name, first, last):
    """Without one, at each up to 200 and some beyond, their mean, and what is left of a list."""
    run, qrels = {0: ["a", "b", "c"]}, {0: {"a": 1, "c": 1}}
    found = dict(probing.others(measure(name), run, qrels, OURS))
    assert [*found] == [*first, *(f"AP@{k}" for k in CUTS), *last]
    assert found["AP@1"][0] == pytest.approx(1 / 2)
    assert found["AP@3"][0] == pytest.approx((1 + 2 / 3) / 2)
    assert found[STOPS.format(name)][0] == pytest.approx(1 / 2)
    if name == "AP":
        assert found[last[0]][0] == pytest.approx((1 / 2 + 1 / 2 + 5 / 6) / 3)
        assert found[last[-1]][0] == pytest.approx(1)
    if name == "AP@2":
        assert found[last[0]][0] == pytest.approx(1 / 2)
        assert found[last[-1]][0] == pytest.approx(1 / 2)


@each_row("k", [None, 1, 2, 3])
def test_means_over_cut_offs_are_those_of_a_loop(k):
    """Of each ranking down to its end, an empty one has one."""
    run = {0: ["a", "b", "c"], 1: [], 2: ["b"], 3: ["c", "a"]}
    qrels = {query: {"a": 1, "c": 2, "x": 1} for query in run}
    metric = parse("P") if k is None else parse("P") @ k
    found = probing._means_of_cuts(metric, run, qrels, OURS)
    for query, ranking in run.items():
        length = k or max(len(ranking), 1)
        each = [sum(d in "ac" for d in ranking[:cut]) / cut for cut in range(1, length + 1)]
        assert found[query] == pytest.approx(sum(each) / length)


def test_two_mistakes_are_tried_for_ndcg_alone():
    """An nDCG that was never divided, with each mistake of DCG."""
    run, qrels = {0: ["a", "b"]}, {0: {"a": 0, "b": 1}}
    found = dict(probing.of_two_mistakes(measure("nDCG@2"), run, qrels, BUNDLES["trec_eval"]))
    assert len(found) > 5
    assert all(words.startswith("what two mistakes together give, ") for words in found)
    [natural] = [scores for words, scores in found.items() if "natural-logarithm" in words]
    assert natural[0] == pytest.approx(1 / math.log(3))
    assert [*probing.of_two_mistakes(measure("DCG"), run, qrels, OURS)] == []


@each_row(
    ("values", "groups"),
    [
        ([[1.0, 2.0], [1.0, 2.0]], [[0, 1]]),
        ([[1.0, 2.0], [1.0, 3.0], [1.0, 2.0]], [[0, 2], [1]]),
        ([[1.0, math.nan], [1.0, math.nan]], [[0, 1]]),
        ([[1.0, math.nan], [1.0, 2.0]], [[0], [1]]),
        ([[1.0], [1.0 + 1e-10], [1.0 + 1e-4]], [[0, 1], [2]]),
        ([None, None, [1.0]], [[0], [1], [2]]),
        ([[1.0], None, [1.0]], [[0, 2], [1]]),
    ],
)
def test_settings_that_agree_on_all_small_inputs_are_one(values, groups, monkeypatch):
    """The first of them, with the changes of all; where a value is not known each stands alone."""
    arrays = [None if one is None else np.array(one) for one in values]
    monkeypatch.setattr(candidates, "_values_on_small_inputs", lambda *_: arrays)
    least = [(f"s{i}", f"scores{i}", {"a": i}) for i in range(len(values))]
    found = candidates._merged(None, least)
    assert found == [(*least[group[0]], [{"a": place} for place in group]) for group in groups]


@each_row("number", [0, 1, 2, 10, 11])
@each_row("k", [None, 5])
@each_row("missing", [None, 0, 1])
def test_few_settings_are_compared_on_small_inputs_cut_and_uncut(number, k, missing, monkeypatch):
    """Where all of them are known; a measure with a cut-off is cut short, too."""
    asked = []

    def scores(_, settings, cut):
        asked.append(cut)
        return [
            None if place == missing and cut == 2 else np.array([place, cut or 0])
            for place, _ in enumerate(settings)
        ]

    monkeypatch.setattr(candidates, "scores_on_small_inputs", scores)
    search = SimpleNamespace(chosen=SimpleNamespace(metric=SimpleNamespace(k=k)))
    found = candidates._values_on_small_inputs(search, [*range(number)])
    if not 1 < number <= 10:
        assert found == [None] * number
        assert asked == []
        return
    assert asked == ([None] if k is None else [None, 2])
    for place, one in enumerate(found):
        if k is None:
            assert one.tolist() == [place, 0]
        elif place == missing:
            assert one is None
        else:
            assert one.tolist() == [place, 0, place, 2]


@each_row(
    ("name", "by", "changes", "beside", "call"),
    [
        ("AP@3", "trec_eval", {}, None, 'evaluate(run, qrels, "AP@3")'),
        ("AP", "trec_eval", {"k": 7}, None, 'evaluate(run, qrels, "AP@7")'),
        ("nDCG@3", "trec_eval", {"gain": "exp"}, None, 'evaluate(run, qrels, "nDCG(gain=exp)@3")'),
        (
            "AP",
            "irmetrics_edu",
            {},
            None,
            'evaluate(run, qrels, "AP", conventions="irmetrics_edu")',
        ),
        ("AP", "trec_eval", {"ties": "docid"}, None, 'evaluate(run, qrels, "AP", ties="docid")'),
        (
            "AP",
            "trec_eval",
            {},
            ["popularity"],
            'evaluate(run, qrels, "AP", popularity=popularity)',
        ),
    ],
)
def test_a_call_of_evaluate_is_written_to_paste(name, by, changes, beside, call):
    """With what differs from trec_eval alone."""
    run = {"q": {"a": 1.0, "b": 1.0}}
    search = Search(
        measure(name), run, {"q": {"a": 1}}, BUNDLES[by] if by != OURS.name else OURS, {}
    )
    inputs = None
    if beside:
        inputs = SimpleNamespace(beside=beside, shape=candidates.InputShape.RUN)
    assert candidates._call(search, changes, inputs) == call


@each_row(
    ("name", "changes", "call"),
    [
        ("AP@3", {}, "average_precision([1, 0], k=3)"),
        ("AP", {}, "average_precision([1, 0])"),
        ("AP", {"k": 7}, "average_precision([1, 0], k=7)"),
        ("AP(rel=2)", {"divisor": "hits"}, 'average_precision([1, 0], rel=2, divisor="hits")'),
        ("AP(rel=2)@3", {"rel": 1}, "average_precision([1, 0], k=3, rel=1)"),
        ("nDCG", {"no_relevant": -math.inf},
         'ndcg([1, 0], no_relevant=float("-inf"))'),
    ],
)  # fmt: skip
def test_a_call_of_a_measure_is_written_to_paste(name, changes, call):
    """With the ranking, the cut-off and the conventions."""
    inputs = SimpleNamespace(written=["[1, 0]"], shape=candidates.InputShape.RANKING)
    search = SimpleNamespace(chosen=SimpleNamespace(metric=parse(name)))
    assert candidates._call(search, changes, inputs) == call


def test_small_inputs_are_searched_once_and_refused_as_a_whole():
    """A setting that has no value for one of them has none."""
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1}}
    search = Search(measure("P@2"), run, qrels, OURS, {})
    base = search.switches.base
    [values] = candidates.scores_on_small_inputs(search, [base])
    [again, cut] = candidates.scores_on_small_inputs(search, [base, base], 1)
    assert len(search.on_small_inputs) == 2
    whole = next(iter(search.on_small_inputs.values()))
    assert len(values) == len(cut) == len(again) > 100
    assert values.max() == 1.0
    assert {*values.tolist()} == {0.0, 0.5, 1.0}
    assert {*cut.tolist()} == {0.0, 1.0}
    odd = SimpleNamespace(scores=values[:-1])
    whole._scored[base] = odd
    assert candidates.scores_on_small_inputs(search, [base]) == [None]
    whole._scored[base] = None
    assert candidates.scores_on_small_inputs(search, [base]) == [None]


@each_row(
    ("name", "single", "facts", "expected"),
    [
        ("P", False, {}, []),
        ("AP", True, {}, []),
        ("AP", True, {"tied": True}, ["ties"]),
        ("AP", False, {"tied": True}, ["ties"]),
        ("AP", False, {"tied_in_32_bits": True}, ["ties", "scores"]),
        ("AP", False, {"negative": True}, ["negative"]),
        ("AP", False, {"unjudged": True}, ["unjudged"]),
        ("AP", False, {"missed": True}, ["pool", "unretrieved"]),
        ("AP", False, {"repeated": True}, ["duplicates"]),
        ("AP", False, {"missing": True}, ["missing_queries"]),
        ("AP", True, {"missing": True, "not_judged": True, "own": True}, []),
        ("AP", False, {"not_judged": True, "own": True}, ["unjudged_queries", "identical_ids"]),
        ("AP", False, {"several": True}, []),
        ("Gini", False, {"tied": True, "negative": True}, []),
        ("alpha-nDCG", False, {"missing": True}, ["missing_queries"]),
    ],
)
def test_a_convention_of_the_run_is_a_switch_where_it_can_matter(name, single, facts, expected):
    """For the measure and the input; no value of it refuses."""
    none = {"several": False, "missing": False, "not_judged": False}
    met = Facts(**{**none, "without_relevant": False, "missed": False, **facts})
    found = switches._of_run(parse(name), OURS, met, single=single)
    assert [*found] == expected
    for values in found.values():
        assert len(values) == len(set(values)) > 1
        assert all(value.name != "refuse" for value in values)


@each_row("default", [None, 0.5, 0.5001, 0.9])
@each_row("rounded_before", [False, True])
def test_settings_and_mistakes_fit_by_the_printed_digits(default, rounded_before):
    """A mistake that gives what is right is none; each stands once, the exact number first."""

    def scores(mean):
        return SettingScores(mean, np.array([mean]), {"q": 0})

    means = [0.5, 0.5001, 0.9, 0.50515]
    labels = ["a", "b", "c", "d", "b"]
    made = [SimpleNamespace(label=label) for label in labels]
    wrong = [*zip(made, map(scores, [0.5001, 0.5, 0.9, 0.50515, 0.5002]), strict=True)]
    trials = candidates._Trials(
        scored=[(f"s{i}", scores(mean)) for i, mean in enumerate(means)],
        wrong=wrong,
        default=None if default is None else scores(default),
        why_not="",
        tried=4,
        untried=False,
    )
    target = Target.of("0.50")
    if rounded_before:
        target = target.rounded_before
    fitting, mistakes = trials.that_fit(target)
    fits = [0, 1, 3] if rounded_before else [0, 1]
    assert [setting for setting, _ in fitting] == [f"s{i}" for i in fits]
    kept = {"a": 0.5001, "b": 0.5}
    if rounded_before:
        kept["d"] = 0.50515
    if default == 0.5:  # then the second form of b is the first that is wrong
        del kept["b"]
        kept["b"] = 0.5002
    if default == 0.5001:
        del kept["a"]
    exact = [label for label in kept if kept[label] == 0.5]
    assert [found.mistake.label for found in mistakes] == [
        *exact, *(label for label in kept if label not in exact)
    ]  # fmt: skip
    assert {found.mistake.label: found.score for found in mistakes} == kept
    assert len(trials.scores) == 9


@each_row(("name", "has_floor"), [("AP", False), ("GMAP", True)])
def test_runs_that_are_searched_together_have_the_switches_of_their_measure(name, has_floor):
    """A floor if its mean is the geometric one; each run has the switches of all."""
    qrels = {"p": {"a": 1, "b": 0}, "q": {"b": 1}}
    runs = {"one": {"p": ["a"], "q": ["b", "a"]}, "two": {"p": ["b", "a"], "q": ["b"]}}
    searches = {n: Search(measure(name), run, qrels, OURS, {}) for n, run in runs.items()}
    several = SeveralRuns(searches)
    assert ("floor" in several.switches.of_run) is has_floor
    assert all(search.switches is several.switches for search in searches.values())
    scores = several.score(several.switches.base)
    each = [search.score(several.switches.base).mean for search in searches.values()]
    assert scores.scores.tolist() == each
    assert scores.mean == pytest.approx(sum(each) / 2)
    assert scores.place == {"one": 0, "two": 1}
    assert several.has_judgments
    assert [several.has_query(query) for query in ("one", "two", "p")] == [True, True, False]


@each_row("first", [False, True])
@each_row("second", [False, True])
def test_what_holds_for_some_run_holds_for_all_together(first, second):
    """A run is large if one is; judgments are there if all have them; what is told comes once."""

    def one(says):
        return SimpleNamespace(
            has_judgments=says, is_large=says, has_many=says,
            of_order=lambda: ["same", "x"] if says else ["same"],
            unordered=lambda: ["lucene", "ranx"] if says else ["lucene"],
            refused=lambda _: "no" if says else "",
            score=lambda _: None if says else SettingScores(0.5, None, {}),
        )  # fmt: skip

    both = SeveralRuns.__new__(SeveralRuns)
    both._each = {"a": one(first), "b": one(second)}
    some = first or second
    assert (both.has_judgments, both.is_large, both.has_many) == (first and second, some, some)
    assert both.of_order() == (["same", "x"] if some else ["same"])
    assert both.unordered() == (["lucene", "ranx"] if some else ["lucene"])
    assert both.refused(None) == ("no" if some else "")
    assert (both.score(None) is None) is some
