"""Which conventions a search tries, how inputs are read and written, what is near: by tables."""

import math
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu.conventions import NO_GAIN, NOWHERE
from irmetrics_edu.diagnosis.candidates import (
    _difference,
    _nearest_to,
    _other_cutoffs,
    _Trials,
    _untried,
    first_apart,
)
from irmetrics_edu.diagnosis.diagnosis_inputs import (
    InputShape,
    _are_counts,
    _of_counts,
    _of_grades,
    _written,
    inputs_of,
    listed,
)
from irmetrics_edu.diagnosis.function_answers import Answers
from irmetrics_edu.diagnosis.function_inputs import FunctionInputs
from irmetrics_edu.diagnosis.mistakes_elsewhere import found_elsewhere, mistakes_elsewhere
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.probing import (
    _first_quotient,
    _gains,
    _up_to_the_first_miss,
    first_that_fits,
    probed,
)
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.search_tools import _cut
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.diagnosis.switches import (
    Facts,
    Setting,
    _first,
    _levels,
    _tops_of_scale,
    _values,
    _variants,
    _weights_of_unsquared,
    grades_of_the_unjudged,
    is_slow,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, OURS
from irmetrics_edu.metrics.notation import measure
from tests.tables import rows

# -- the switches


@rows("grades", [(), (1.0,), (0.5, 1.0, 2.0), (1.0, 3.0, 4.0), (6.0,)])
@rows("asked", ["AP", "AP(rel=2)", "AP(rel=5)"])
def test_levels_of_relevance_are_whole_grades_above_1(grades, asked):
    """Those of the input, the one asked for, and the usual 2 and 3."""
    metric = measure(asked).metric
    rel = metric.params.get("rel", 0)
    expected = [grade for grade in dict.fromkeys((*grades, rel, 2, 3)) if grade in (2, 3, 4, 5, 6)]
    assert _levels(metric, grades) == [f"{grade:g}" for grade in expected]
    found = _values(
        "rel", 1, Facts(several=False, missing=False, not_judged=False, grades=grades), metric
    )
    assert found == [1, *(grade for grade in grades if grade > 1)]


@rows("grades", [(), (1.0,), (1.0, 3.0), (4.0,), (5.0,), (6.0,)])
@rows("default", ["highest", 4])
def test_the_top_of_the_scale_is_the_highest_grade_or_a_usual_one(grades, default):
    """Three to five, where no grade is above it."""
    met = Facts(several=False, missing=False, not_judged=False, grades=grades)
    highest = max(grades, default=1.0)
    tops = [default, highest, *(top for top in (3, 4, 5) if top >= highest), "highest"]
    expected = [top for place, top in enumerate(tops) if top not in tops[:place]]
    assert _tops_of_scale(default, met) == expected
    assert _values("max_grade", default, met, measure("ERR").metric) == expected


@pytest.mark.parametrize("beta", [None, 0.5, 1, 2, 4])
def test_an_f_whose_beta_is_not_squared_has_another_alpha(beta):
    """1/(beta + 1), but for 1, whose square is itself."""
    metric = measure("F" if beta is None else f"F(beta={beta})").metric
    asked = [0.5, 2.0] + [4.0] * (beta == 4)
    assert _weights_of_unsquared(metric) == {1 / (b + 1): f"{b:g}" for b in asked}
    words = _difference("alpha", 1 / 3, None)
    assert words == (
        "alpha: 0.3333 (alpha = 1/(beta + 1) with beta = 2, not squared); ours: 1/(beta^2 + 1)"
    )
    assert _difference("rel", 2, 1) == "rel: 2; ours: 1"
    met = Facts(several=False, missing=False, not_judged=False)
    assert _values("beta", 1, met, measure("F").metric) == [1, 0.5, 2]
    assert _values("p", 0.8, met, measure("RBP").metric) == [0.8, 0.5, 0.9, 0.95]
    assert _values("beta", 1, met, measure("AP").metric) is None


@pytest.mark.parametrize("top", [None, 1, 2, 3, 4])
def test_unjudged_documents_may_have_half_the_top_grade(top):
    """Or a usual grade, each once."""
    metric = measure("ERR" if top is None else f"ERR(max_grade={top})").metric
    expected = [] if top is None else [top / 2]
    grades = dict.fromkeys([*expected, 1.0, 2.0])
    if top is not None:
        assert grades_of_the_unjudged(metric) == [f"{grade:g}" for grade in grades]
    assert _first(2, [1, 2, 3]) == [2, 1, 3]


@pytest.mark.parametrize("name", ["AP", "AP@1", "AP@2", "AP@7", "AP@1000"])
def test_other_cut_offs_are_the_usual_ones_and_those_beside(name):
    """Not the measure's own, and none below 1."""
    metric = measure(name).metric
    usual = [None, 1, 2, 3, 5, 10, 20, 50, 100, 1000]
    beside = [] if metric.k is None else [metric.k - 1, metric.k + 1]
    every = usual + [k for k in beside if k not in usual]
    assert _other_cutoffs(metric) == [k for k in every if k not in (metric.k, 0)]


@rows("unretrieved", [None, NOWHERE, "last"])
@rows("unjudged", [None, NO_GAIN, "removed", "graded"])
@rows("bulk", [None, True, False])
def test_a_setting_is_slow_if_each_query_is_aligned_alone(unretrieved, unjudged, bulk):
    """What is put at the end, has a grade, or is taken out of ties that are not settled at once."""
    kinds = {"removed": (None, True), "graded": (1.0, False)}
    run = []
    if unretrieved is not None:
        run.append(("unretrieved", unretrieved))
    if unjudged is not None:
        grade, removed = kinds.get(unjudged, (None, False))
        kind = SimpleNamespace(grade=grade, removed=removed)
        run.append(("unjudged", unjudged if unjudged is NO_GAIN else kind))
    if bulk is not None:
        run.append(("ties", SimpleNamespace(in_bulk=bulk)))
    expected = unretrieved == "last" or unjudged == "graded"
    expected = expected or (unjudged == "removed" and bulk is False)
    assert is_slow(Setting((), tuple(run))) is expected


# -- the inputs


@rows("grades", [[], [3, 0], [None, 1.0], [None], (2,), np.array([1, 0])])
@rows("missed", [(), (2,), (1, 3)])
def test_grades_become_documents_in_their_order(grades, missed):
    """None is not judged; missed ones are x1, x2; a call is written as it was given."""
    plain = [None if grade is None else float(grade) for grade in grades]
    judged = {f"d{i}": grade for i, grade in enumerate(plain, 1) if grade is not None}
    judged |= {f"x{i}": grade for i, grade in enumerate(missed, 1)}
    if not judged:
        with pytest.raises(InputError, match="nothing is judged"):
            _of_grades(grades, missed)
        return
    found = _of_grades(grades, missed)
    assert found.run == {None: [f"d{i}" for i in range(1, len(plain) + 1)]}
    assert found.qrels == {None: judged}
    assert found.shape is InputShape.RANKING
    short = [None if grade is None else int(grade) for grade in plain]
    if missed:
        whole = {document: int(grade) for document, grade in judged.items()}
        assert list(found.written) == [str(found.run[None]), str(whole)]
    else:
        assert list(found.written) == [str(short)]


@pytest.mark.parametrize("bad", ["abc", b"ab", {"d": 1}, 3, None])
def test_what_is_no_list_of_grades_is_refused(bad):
    """With what it is."""
    with pytest.raises(InputError, match="give a list of grades"):
        _of_grades(bad, ())


@pytest.mark.parametrize("number", [0, 1, 12, 13])
def test_a_long_input_is_written_by_its_name(number):
    """From thirteen documents on; whole numbers without a point."""
    assert _written("x", [1.0] * number) == (str([1] * number) if number <= 12 else "x")
    held = {f"d{i}": 2.0 for i in range(number)}
    whole = dict.fromkeys(held, 2)
    assert _written("x", held) == (str(whole) if number <= 12 else "x")
    assert _written("x", (0.5,)) == "(0.5,)"
    assert _written("x", 3) == "x"
    assert listed(np.array([1, 2])) == listed((1, 2)) == [1, 2]


@pytest.mark.parametrize("counts", [{"rock": 3, "jazz": 1}, {"rock": 1, "none": 0}, {"a": 2}])
def test_counts_become_a_list_that_holds_each_as_often(counts):
    """A thing that never occurs is there without being recommended."""
    found = _of_counts(counts)
    [items] = found.run.values()
    categories = found.beside["categories"]
    things = [next(iter(categories[item])) for item in items]
    assert {thing: things.count(thing) for thing in counts} == counts
    assert len(set(items)) == len(items) == sum(counts.values())
    assert [*categories.values()].count({"none"}) == ("none" in counts)
    assert found.shape is InputShape.COUNTS
    assert list(found.written) == [str(counts)]
    assert _are_counts([counts], {})
    assert not _are_counts([counts, counts], {})
    assert not _are_counts([counts], {"categories": {}})
    assert not _are_counts([["a"]], {})
    assert not _are_counts([{"q": ["a"]}], {})


@pytest.mark.parametrize("whole", [100_000, 100_001])
def test_many_counts_are_divided_first(whole):
    """A hundred thousand at most."""
    if whole > 100_000:
        with pytest.raises(InputError, match="add up to 100,001, and 100,000 at most"):
            _of_counts({"a": whole - 1, "b": 1})
    else:
        assert len(_of_counts({"a": whole - 1, "b": 1}).run[None]) == whole


@rows(
    ("name", "inputs", "beside", "says"),
    [
        ("AP", (), {}, "AP needs ranking, judgments"),
        ("AP", (["a"], {"a": 1}, 3), {}, "got 3 inputs"),
        ("AP", (["a"], {"a": 1}), {"nuggets": {}}, "takes no 'nuggets'"),
        ("AUC", (), {}, "a list of grades and one of scores"),
        ("AUC", ([1, 0], [1, 0], 1), {}, "a list of grades and one of scores"),
        ("AUC", ([1, 0],), {"x": 1}, "a list of grades and one of scores"),
        ("RBO", (["a"],), {}, "takes two orders"),
        ("RBO", (["a"], ["a"], ["a"]), {}, "takes two orders"),
        ("mean", ([1, 0],), {}, "does not measure a ranking"),
    ],
)
def test_inputs_that_a_measure_does_not_take_are_refused(name, inputs, beside, says):
    """With those that it takes."""
    with pytest.raises(InputError, match=says):
        inputs_of(measure(name), inputs, (), beside)


@pytest.mark.parametrize("inputs", [(["a"], {"a": 1}), ({"q": ["a"]}, {"q": {"a": 1}})])
def test_missed_grades_belong_to_a_list_of_grades(inputs):
    """Judgments hold them elsewhere."""
    with pytest.raises(InputError, match="unretrieved= is for a list of grades"):
        inputs_of(measure("AP"), inputs, [1], {})
    found = inputs_of(measure("AP"), inputs, (), {})
    assert found.shape is (InputShape.RUN if isinstance(inputs[0], dict) else InputShape.RANKING)
    assert bool(found.written) is (found.shape is InputShape.RANKING)
    one = inputs_of(measure("AUC"), ([1, 0, 1],), (), {})
    assert one.run == {None: {"d1": 0, "d2": -1, "d3": -2}}
    assert list(one.written) == ["[1, 0, 1]"]


# -- what is near


def near(mean, name="x"):
    """The scores of a setting or a mistake of one query."""
    return SettingScores(mean, np.array([mean]), {name: 0})


@rows("means", [*product([0.3, 0.5, 0.54, 0.551, 0.46], repeat=3)])
def test_the_nearest_scores_are_few_near_and_each_once(means):
    """Within a twentieth of 1, three at most, the nearest first, each by its first name."""
    base = Setting((("rel", 1),), ())
    settings = [base, Setting((("rel", 2),), ())]
    mistake = SimpleNamespace(label="m", says="a sum")
    search = SimpleNamespace(
        switches=SimpleNamespace(base=base),
        chosen=SimpleNamespace(metric=SimpleNamespace(has_cutoff=False)),
    )
    trials = _Trials(
        scored=[(setting, near(mean)) for setting, mean in zip(settings, means[:2], strict=True)],
        wrong=[(mistake, near(means[2]))],
        default=None,
        why_not="",
        tried=3,
        untried=False,
    )
    names = ["our default", "rel=2", "the mistake m: a sum"]
    expected = {}
    for off, place in sorted((round(abs(mean - 0.5), 9), i) for i, mean in enumerate(means)):
        if off <= 0.05:
            expected.setdefault(means[place], names[place])
    found = _nearest_to(search, Target.of("0.5000"), trials)
    assert {score: name for name, score, _ in found} == expected
    offs = [round(off, 9) for *_, off in found]
    assert offs == sorted(offs)
    assert len(found) <= 3


@pytest.mark.parametrize("untried", [False, True])
@pytest.mark.parametrize("levels", [0, 1])
def test_what_was_not_tried_is_named(untried, levels):
    """Ideals over all sets, and levels of relevance."""
    search = SimpleNamespace(facts=SimpleNamespace(levels_left_out=levels))
    found = _untried(search, SimpleNamespace(untried=untried))
    assert len(found) == untried + levels
    assert any("all sets of documents" in one for one in found) is untried
    assert any("above the 100 lowest grades" in one for one in found) is bool(levels)


@pytest.mark.parametrize("decimals", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("is_large", [False, True])
def test_mistakes_under_other_conventions_are_tried_for_fine_numbers(
    decimals, is_large, monkeypatch
):
    """Of three digits single changes; of many queries those of the measure, twelve at most."""
    from irmetrics_edu.diagnosis import mistakes_elsewhere as module

    base = Setting((("a", 0), ("b", 0)), (("ties", 0),))
    settings = [base.changed({"a": value}) for value in range(1, 15)]
    settings += [base.changed({"ties": 1}), base.changed({"a": 1, "b": 1})]
    monkeypatch.setattr(module, "_settings", lambda _: settings)
    search = SimpleNamespace(
        switches=SimpleNamespace(base=base),
        is_large=is_large,
        mistakes_under=lambda setting: [("mistake", setting)],
    )
    tried = [
        setting for _, setting, _ in mistakes_elsewhere(search, Target.of(f"0.{'1' * decimals}"))
    ]
    expected = settings
    if decimals < 3:
        expected = []
    elif decimals == 3:
        expected = [setting for setting in settings if len(setting.changes(base)) == 1]
    if is_large:
        expected = [setting for setting in expected if setting.run == base.run][:12]
    assert tried == expected


@pytest.mark.parametrize("right", [None, 0.5, 0.25])
@pytest.mark.parametrize("means", [*product([0.5, 0.25], repeat=3)])
def test_of_mistakes_elsewhere_those_of_fewest_changes_are_named(right, means, monkeypatch):
    """Each once, and not where the conventions alone give the value."""
    from irmetrics_edu.diagnosis import mistakes_elsewhere as module

    monkeypatch.setattr(module, "_with", lambda *_: ["ranx"])
    base = Setting((("a", 0), ("b", 0)), ())
    settings = [base.changed({"a": 1}), base.changed({"a": 1, "b": 1}), base.changed({"b": 1})]
    labels = ["m", "n", "m"]
    trials = [
        (SimpleNamespace(label=label), setting, near(mean))
        for label, setting, mean in zip(labels, settings, means, strict=True)
    ]
    search = SimpleNamespace(
        switches=SimpleNamespace(base=base),
        score=lambda _: None if right is None else near(right),
    )
    met = {}
    if right != 0.5:
        for label, setting, mean in zip(labels, settings, means, strict=True):
            if mean == 0.5:
                met.setdefault(label, setting.changes(base))
    fewest = min(map(len, met.values()), default=0)
    found = found_elsewhere(search, Target.of("0.5000"), trials)
    assert {one.mistake.label: dict(one.arguments) for one in found} == {
        label: changes for label, changes in met.items() if len(changes) == fewest
    }


def test_the_input_that_tells_settings_apart_is_the_smallest():
    """On which as many as possible differ by what three digits show."""
    search = Search(measure("nDCG@5"), {None: ["a"]}, {None: {"a": 1}}, OURS, {})
    base = search.switches.base
    exp = base.changed({"gain": type(base.values["gain"]).named("exp")})
    ranking, judged, values = first_apart(search, [base, exp])

    def by_hand(ranked, judgments, gain):
        order = [judgments.get(document, 0) for document in ranked]
        found, best = (
            sum(gain(g) / math.log2(i + 1) for i, g in enumerate(grades, 1))
            for grades in (order, sorted(judgments.values(), reverse=True))
        )
        return found / best if best else 0.0

    def both(ranked, judgments):
        return [by_hand(ranked, judgments, gain) for gain in (float, lambda g: 2.0**g - 1)]

    assert values == pytest.approx(both(ranking, judged))
    small = small_inputs(measure("nDCG").metric)
    for number, smaller in small.run.items():
        one, other = both(smaller, small.qrels[number])
        if abs(one - other) > 1e-3:
            assert (smaller, small.qrels[number]) == (ranking, judged)
            break
    assert first_apart(search, [base, base]) is None


# -- functions


@rows("grades", [*product([0, 1, None], repeat=3)])
def test_a_ranking_up_to_its_first_miss_is_as_long_as_before(grades):
    """Others that nobody judged stand in place of the rest."""
    judged = {f"d{i}": grade for i, grade in enumerate(grades) if grade is not None}
    found = _up_to_the_first_miss(["d0", "d1", "d2"], judged)
    hits = next((i for i, grade in enumerate(grades) if not grade), 3)
    assert found == [f"d{i}" for i in range(hits)] + [f"?{i}" for i in range(3 - hits)]


@rows("answers", [*product([0.5, 0.25, "error"], repeat=3)])
def test_the_smallest_wrong_answer_is_the_first(answers):
    """An error is wrong, too; numbers alone are values."""
    given = dict(enumerate(answers))
    inputs = FunctionInputs({i: [f"d{i}"] for i in given}, {i: {f"d{i}": 1} for i in given})
    found = Answers(inputs, given, dict.fromkeys(given, 0.5))
    wrong = [i for i, answer in given.items() if answer != 0.5]
    shown = found.smallest_wrong
    assert (None if shown is None else shown.ranking) == ([f"d{wrong[0]}"] if wrong else None)
    assert found.raised == answers.count("error")
    assert found.values == {i: answer for i, answer in given.items() if answer != "error"}
    assert set(found.without([0]).given) == {1, 2}
    candidates = iter([("one", dict.fromkeys(given, 0.25)), ("two", dict.fromkeys(given, 0.5))])
    words = first_that_fits(found.values, candidates)
    if 0.5 not in answers:
        assert words == "one"
    else:
        assert words == ("" if 0.25 in answers else "two")


@rows("name", ["DCG", "nDCG"])
@rows("power", [0.5, 1, 2])
@rows("base", [2, math.e])
def test_gain_and_discount_are_read_off_from_tiny_inputs(name, power, base):
    """Over those of grade 1 and of rank 1."""

    def dcg(grades):
        return sum(g**power / math.log(i + 1, base) for i, g in enumerate(grades, 1))

    def call(grades):
        best = dcg(sorted(grades, reverse=True)) if name == "nDCG" else 1.0
        return dcg(grades) / best if best else 0.0

    second = 1 / math.log2(3)
    assert _gains(call, name, second) == pytest.approx([g**power for g in range(1, 5)])
    if name == "DCG":
        discount = ", ".join(f"{1 / math.log2(i + 1):.4g}" for i in range(1, 7))
        gain = ", ".join(f"{g**power:.4g}" for g in range(1, 5))
        assert probed(call, name) == [
            f"Its discount at ranks 1 to 6 is {discount}.",
            f"Its gain at grades 1 to 4 is {gain}.",
        ]
    assert probed(call, "AP") == []
    assert probed(lambda _: 0.0, name) == []
    assert probed(lambda _: math.inf, name) == []


@rows("scores", [*product([0.0, 2.0, 3.0], repeat=2)])
@rows("expected", [*product([0.0, 4.0], repeat=2)])
def test_a_constant_is_that_of_the_first_query_with_both(scores, expected):
    """0 where there is none."""
    both = [s / e for s, e in zip(scores, expected, strict=True) if s and e]
    assert _first_quotient(np.array(scores), np.array(expected)) == (both[0] if both else 0.0)


def test_values_are_cut_to_hundredths():
    """And not rounded; what lies a hair below is on it."""
    values = np.array([0.0, 0.019, 0.029999999999, 0.5, 1.239])
    assert _cut(values).tolist() == [0.0, 0.01, 0.03, 0.5, 1.23]
    assert {library.name for library in BUNDLES.values()} >= {"ranx"}


@pytest.mark.parametrize("relevant", [(1, 1), (1, 0), (0, 0)])
def test_the_mean_is_over_the_queries_that_are_not_left_out(relevant):
    """None where all are; nothing retrieved is as long as it is."""
    run = {"p": ["a", "b"], "q": ["b", "a"]}
    qrels = {query: {"a": grade} for query, grade in zip("pq", relevant, strict=True)}
    search = Search(measure("RR"), run, qrels, BUNDLES["trec_eval"], {})
    base = search.switches.base
    zero = base.values["no_relevant"]
    skipped = base.changed({"no_relevant": type(zero).named("skip")})
    values = [score for score, grade in zip((1.0, 0.5), relevant, strict=True) if grade]
    expected = sum(values) / len(values) if values else math.nan
    if 0 in relevant:
        assert search.score(skipped).mean == pytest.approx(expected, nan_ok=True)
    assert search.score(base).mean == sum(values) / 2
    assert (len(search.switches.of_metric["no_relevant"]) > 1) is (0 in relevant)
    empty = Search(measure("RR"), {"p": []}, {"p": {"a": 1}}, BUNDLES["trec_eval"], {})
    assert (empty.facts.longest, empty.facts.largest_pool) == (0, 1)


@pytest.mark.parametrize("metrics", [{}, {"map": "AP"}])
def test_a_library_without_names_of_measures_has_each_by_its_conventions(metrics):
    """One with names has those alone."""
    bare = measure("nDCG@10").metric
    library = SimpleNamespace(
        name="x",
        metrics=metrics,
        measure=lambda _: (measure("AP").metric, "by"),
        is_odd=lambda _: 0,
    )
    found = list(_variants(library, bare, bare, ()))
    assert found == ([] if metrics else [("x", bare, library)])
