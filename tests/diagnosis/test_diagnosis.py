"""A number is traced to the conventions and mistakes that give it, and to no other."""

import json
import math
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import irmetrics_edu
from irmetrics_edu import METRICS, diagnose, evaluate, ndcg
from irmetrics_edu.diagnosis.brief import one_line
from irmetrics_edu.diagnosis.mistakes import MISTAKES
from irmetrics_edu.diagnosis.printed import Printed
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, OURS
from tests.conftest import examples
from tests.work import calls_in

GRADES, MISSED = [3, 2, 3, 0, 1, 2], [3, 2]
NAMES = {name: getattr(irmetrics_edu, name) for name in irmetrics_edu.__all__}


def run_call(call, **inputs):
    """What the call that a diagnosis recommends gives."""
    return eval(call, {**NAMES, **inputs})  # noqa: S307 -- the test's own package wrote it


def test_the_digits_of_a_text_are_its_tolerance():
    """0.949 is anything that rounds to it; a float has at least four digits."""
    printed = Printed.of("0.949")
    assert printed.fits(0.9488)
    assert printed.fits(0.94949)
    assert not printed.fits(0.9484)
    assert not printed.fits(0.9496)
    assert not Printed.of(0.5).fits(0.501)
    assert Printed.of("0.5").fits(0.51)
    assert Printed.of("50%").fits(0.5049)
    assert Printed.of("1e-3").fits(0.0014)


def test_many_digits_allow_for_single_precision():
    """Libraries that reckon in 32 bits print digits that they don't have."""
    assert Printed.of("0.9488107486").fits(0.9488107562)
    assert not Printed.of("0.9488117486").fits(0.9488107562)


@pytest.mark.parametrize("bad", ["", "abc", True, None, "0.5.5", [1]])
def test_what_is_no_number_is_refused(bad):
    """The message says how to write it."""
    with pytest.raises(InputError, match="value"):
        diagnose("nDCG", [1], value=bad) if bad is not None else diagnose("nDCG", value=None)


def test_exp_gain_is_named_with_the_argument_that_agrees():
    """The example of the command line, from grades alone."""
    found = diagnose("nDCG@10", GRADES, value="0.949")
    first = found.candidates[0]
    assert {n: str(v) for n, v in first.arguments.items()} == {"gain": "exp"}
    assert run_call(first.call) == pytest.approx(0.9488, abs=5e-5)
    assert 'gain="exp"' in found.text
    assert "ours: linear" in found.text


def test_the_call_of_every_candidate_gives_the_value():
    """What is recommended is run."""
    for value in ("0.9", "0.949", "0.96", "0.74", "0.76"):
        for candidate in diagnose("nDCG@10", GRADES, value=value, unretrieved=MISSED).candidates:
            got = run_call(candidate.call)
            assert Printed.of(value).fits(got), candidate.call
            assert got == pytest.approx(candidate.score)


def test_no_argument_of_a_candidate_can_be_left_out():
    """The set of changes is minimal: with one less the value is another."""
    found = diagnose("nDCG@10", GRADES, value="0.9488", unretrieved=MISSED)
    ranking = [f"d{i}" for i in range(1, 7)]
    judgments = dict(zip(ranking, GRADES, strict=True)) | {"x1": 3, "x2": 2}
    for candidate in found.candidates:
        for name in candidate.arguments:
            fewer = {n: v for n, v in candidate.arguments.items() if n != name}
            assert abs(ndcg(ranking, judgments, k=10, **fewer) - 0.9488) > 5e-5


def test_our_own_value_needs_no_argument():
    """The default is the first answer."""
    first = diagnose("nDCG@10", GRADES, value="0.7562", unretrieved=MISSED).candidates[0]
    assert first.arguments == {}
    assert "trec_eval" in first.libraries


def test_several_candidates_are_told_apart_by_one_more_measurement():
    """The small input that is printed has another value under each of them."""
    found = diagnose("nDCG@10", GRADES, value="0.9")
    assert len(found.candidates) > 1
    case = found.distinction
    values = [round(v, 4) for _, v in case.values]
    assert len(set(values)) == len(values)
    for candidate, (_, value) in zip(found.candidates, case.values, strict=False):
        assert ndcg(case.ranking, case.judgments, k=10, **candidate.arguments) == (
            pytest.approx(value)
        )
        again = diagnose("nDCG@10", case.ranking, case.judgments, value=f"{value:.4f}")
        assert any(c.arguments.items() <= candidate.arguments.items() for c in again.candidates)
    assert "To tell them apart" in found.text


def test_the_exact_number_stands_before_what_rounds_to_it():
    """1.0 is 1 without a discount, and what our 0.9608 rounds to; so it is among the mistakes."""
    found = diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], value="1.0")
    scores = [c.score for c in found.candidates]
    assert scores[0] == pytest.approx(1, abs=1e-12)
    assert scores[-1] == found.ours == pytest.approx(0.9608, abs=5e-5)
    of_mistakes = [m.score == pytest.approx(1, abs=1e-12) for m in found.mistakes]
    assert of_mistakes == sorted(of_mistakes, reverse=True)
    assert found.text.index("1.0000 with") < found.text.index("gives 0.9608")


def test_nothing_explains_a_value_from_nowhere():
    """The nearest are named, with how far off they are; what is far off is not."""
    found = diagnose("AP", ["a", "b", "c"], {"a", "c", "x", "y"}, value="0.111")
    assert not found.explained
    offs = [off for _, _, off in found.nearest]
    assert offs == sorted(offs)
    assert 5e-4 < offs[0] <= offs[-1] < 0.05
    assert "Nearest" in found.text
    far = diagnose("nDCG@10", [5, 2, 3], value="0.785")
    assert not far.nearest
    assert "Nothing comes near it. Are all judged documents given" in far.text


def test_a_value_in_percent_is_told():
    """98.34 is too large for nDCG, and 98.34% is what our default gives; a DCG may be as large."""
    found = diagnose("nDCG@10", [5, 2, 3], value="98.34")
    assert "If it is in percent, write 98.34%." in found.text
    assert "documents that count twice" in found.text
    assert diagnose("nDCG@10", [5, 2, 3], value="98.34%").candidates[0].arguments == {}
    assert not diagnose("DCG@10", [5, 2, 3], value="98.34").percent


def test_a_mistake_is_named():
    """A value that no convention gives, but a mistake does."""
    found = diagnose("DCG", [0, 2], value=f"{1 + 4 / math.log2(3):.3f}")
    assert [m.mistake.label for m in found.mistakes] == ["gain-without-minus-1"]
    assert "Read on" in found.text
    assert found.facts()["explained"]


RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"b": 2.0, "x": 1.0}, "q4": {"a": 1.0}}
QRELS = {"q1": {"a": 1, "b": 3}, "q2": {"b": 2, "a": 3}, "q3": {"a": 1}}


def test_a_run_is_diagnosed_by_its_mean():
    """Missing queries left out and another gain at once; the call is run."""
    value = evaluate(RUN, QRELS, "nDCG(gain=exp)@5", missing_queries="skip").mean[
        "nDCG(gain=exp)@5"
    ]
    found = diagnose("nDCG@5", RUN, QRELS, value=f"{value:.6f}")
    first = found.candidates[0]
    assert {n: str(v) for n, v in first.arguments.items()} == {
        "missing_queries": "skip",
        "gain": "exp",
    }
    again = run_call(first.call, run=RUN, qrels=QRELS)
    assert next(iter(again.mean.values())) == pytest.approx(value)


def test_a_run_is_diagnosed_by_its_queries():
    """Values per query, of which all must fit."""
    scores = evaluate(RUN, QRELS, "nDCG(ideal=retrieved)").per_query["nDCG(ideal=retrieved)"]
    found = diagnose("nDCG", RUN, QRELS, value={q: f"{v:.5f}" for q, v in scores.items()})
    assert {"ideal": "retrieved"} in [
        {n: str(v) for n, v in c.arguments.items()} for c in found.candidates
    ]
    wrong = {**{q: f"{v:.5f}" for q, v in scores.items()}, "q2": "0.12345"}
    assert not diagnose("nDCG", RUN, QRELS, value=wrong).explained
    with pytest.raises(InputError, match="'q9'"):
        diagnose("nDCG", RUN, QRELS, value={"q9": 0.5})


def test_a_geometric_mean_of_raw_zeros_is_named():
    """GMAP is 0 where a floor is missing."""
    found = diagnose("GMAP", RUN, QRELS, value="0.0000")
    assert "gmap-of-raw-zeros" in [m.mistake.label for m in found.mistakes]


def test_ties_are_named():
    """Documents of equal score, in the order given and by id."""
    run, qrels = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}, {"q": {"a": 1, "b": 0, "c": 0}}
    found = diagnose("RR", run, qrels, value="1.0000")
    assert any("ties" in c.arguments for c in found.candidates)


@pytest.mark.parametrize("metric", ["alpha-nDCG@2", "alpha-DCG"])
def test_metrics_of_nuggets_are_diagnosed(metric):
    """Other kinds of input go the same way."""
    nuggets = {"a": {"A", "B"}, "b": {"A"}, "c": {"C"}}
    wrong = MISTAKES["alpha-for-1-minus-alpha"]
    right = irmetrics_edu.parse(metric).using(alpha=0.2)
    value = wrong.instead_of(right)(["b", "a", "c"], nuggets, alpha=0.2)
    found = diagnose(right, ["b", "a", "c"], nuggets, value=f"{value:.5f}")
    assert "alpha-for-1-minus-alpha" in [m.mistake.label for m in found.mistakes]


def test_categories_are_diagnosed():
    """DCC takes its catalogue besides."""
    categories = {"a": {"rock"}, "b": {"folk"}, "c": {"folk"}, "d": {"jazz"}}
    found = diagnose("DCC", ["a", "b"], {"a", "c"}, categories, value="0.66667")
    assert "dcc-hits-by-category" in [m.mistake.label for m in found.mistakes]


ids = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=6, unique=True)
pools = st.dictionaries(st.sampled_from("abcdefghi"), st.integers(0, 3), min_size=1, max_size=9)
MEASURES = ("nDCG", "DCG", "AP", "P", "R", "RR", "F", "Rprec", "Success")


def names_of(library):
    """What a library calls the measures that are diagnosed here, at the cut-off 3."""
    for pattern in library.metrics:
        name = pattern.replace("{k}", "3")
        odd = any(quirk.concerns(name, "") for quirk in library.quirks)
        if not odd and "{" not in name and library.measure(name)[0].name in MEASURES:
            yield library.name, name


NAMED = [pair for library in BUNDLES.values() for pair in names_of(library)]


@pytest.mark.slow
@given(ids, pools, st.sampled_from(NAMED))
@example(["a"], {"a": 1}, ("Lucene", "MRR"))  # a cut-off that the name does not say
@settings(max_examples=examples(25))
def test_a_value_of_any_library_is_diagnosed_back_to_it(ranking, judgments, named):
    """The library is among those named for the value that its own conventions give."""
    library, name = named
    metric, by = BUNDLES[bundle_name(library)].measure(name)
    run, qrels = {"q": scored(ranking)}, {"q": judgments}
    try:
        (scores,) = evaluate(run, qrels, [metric], by).scores.values()
        value = scores[0]
    except InputError:
        return  # the library refuses such a query, or leaves it out
    if math.isnan(value):
        return  # it has no score, or is skipped
    bare = METRICS[metric.name] if metric.k is None else METRICS[metric.name] @ metric.k
    found = diagnose(bare, run, qrels, value={"q": value}, conventions=OURS, tolerance=1e-9)
    known = {who for c in found.candidates for who in c.libraries}
    assert any(who == library or who.startswith(f"{library}:") for who in known), found.text


def scored(ranking):
    """Documents with falling scores."""
    return {d: float(len(ranking) - i) for i, d in enumerate(ranking)}


def bundle_name(name):
    """The key of a bundle, by the name that it shows."""
    return next(key for key, value in BUNDLES.items() if value.name == name)


def test_a_library_is_not_named_for_a_value_that_it_does_not_give():
    """The round trip can fail: a value off by a little belongs to nobody."""
    judgments = {"a": 3, "b": 1, "x": 2}
    value = ndcg(["b", "a"], judgments)
    found = diagnose("nDCG", ["b", "a"], judgments, value=value + 0.0123, tolerance=1e-6)
    assert not any(c.libraries for c in found.candidates)


def test_the_line_for_an_assertion():
    """One line with the argument to write; nothing where nothing explains the value."""
    found = evaluate({"q": ["d1", "d2"]}, {"q": {"d1": 1, "d2": 3}}, "nDCG@10")
    line = one_line(found, 0.7098, abs=5e-5)
    assert line.startswith("the expected value is what gain = 2^rel - 1 gives (LightGBM, XGBoost")
    assert line.endswith('to agree, pass gain="exp"')
    assert one_line(evaluate({"q": ["d1"]}, {"q": {"d1": 1}}, "nDCG@10"), 0.1234) is None


def test_an_assertion_names_the_convention_in_its_first_line():
    """The expected value of another gain; and no such words where nothing explains it."""
    from irmetrics_edu.gate import assert_metric

    with pytest.raises(AssertionError) as caught:
        assert_metric("nDCG@10", GRADES, equals=0.9488, abs=5e-5)
    assert 'to agree, pass gain="exp"' in str(caught.value).split("\n", 1)[0]
    with pytest.raises(AssertionError) as caught:
        assert_metric("nDCG@10", GRADES, equals=0.1234)
    assert "the expected value" not in str(caught.value)


@pytest.mark.no_cover  # lines and calls are not counted at once
def test_a_thousand_queries_are_scored_at_a_time():
    """Every convention is scored once for all queries: the search enters few functions a query."""
    chance = random.Random(1)
    run = {f"q{i}": {f"d{j}": chance.random() for j in range(50)} for i in range(1000)}
    qrels = {
        f"q{i}": {"d1": 1}
        | {f"d{chance.randrange(80)}": chance.choice([0, 1, 2, 3]) for _ in range(15)}
        for i in range(1000)
    }
    value = evaluate(run, qrels, "nDCG(gain=exp)@10").mean["nDCG(gain=exp)@10"]
    found = []
    calls = calls_in(lambda: found.append(diagnose("nDCG@10", run, qrels, value=f"{value:.5f}")))
    assert calls < 300 * len(run)
    assert found[0].candidates[0].written == 'gain="exp"'


def test_json_holds_it_all():
    """Plain values, readable by any program."""
    known = json.loads(diagnose("nDCG@10", GRADES, value="0.9").json())
    assert known["explained"]
    assert known["candidates"][0]["arguments"] == {"gain": "exp"}
    assert known["told_apart_by"]["ranking"]


def test_the_exact_ideal_is_left_out_where_it_would_take_minutes():
    """Of more than ten queries no ideal is searched for; the answer says what was not tried."""
    run = {str(q): ["a", "b", "c"] for q in range(11)}
    held = {str(q): {"a": {"A"}, "b": {"A", "B"}, "c": {"C"}} for q in range(11)}
    found = diagnose("alpha-nDCG@2", run, held, value=0.123)
    assert not found.explained
    assert "Not tried on so much data: ideal=exact" in found.text
    few = diagnose("alpha-nDCG@2", {"1": run["1"]}, {"1": held["1"]}, value=0.123)
    assert "Not tried" not in few.text


@pytest.mark.no_cover  # lines and calls are not counted at once
@pytest.mark.slow
def test_ties_and_unjudged_documents_take_little_more():
    """Each order of ties is an alignment; two changes at once that no library has come last."""
    chance = random.Random(2)
    run = {q: {f"d{j}": float(chance.randrange(10)) for j in range(30)} for q in range(400)}
    qrels = {q: {f"d{chance.randrange(60)}": chance.randrange(4) for _ in range(12)} for q in run}
    by = BUNDLES["trec_eval"].using(ties="docid_ascending", unjudged="removed")
    values = [evaluate(run, qrels, "nDCG(gain=exp)@10").mean["nDCG(gain=exp)@10"]]
    values += [evaluate(run, qrels, "nDCG@10", by).mean["nDCG@10"]]
    found = []
    calls = calls_in(
        lambda: found.append(diagnose("nDCG@10", run, qrels, value=f"{values[0]:.6f}"))
    )
    assert calls < 1000 * len(run)
    assert found[0].candidates[0].written == 'gain="exp"'
    late = diagnose("nDCG@10", run, qrels, value=f"{values[1]:.6f}")
    assert late.candidates[0].arguments.keys() == {"ties", "unjudged"}
