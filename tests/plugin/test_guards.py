"""Hard limits beside the test, other queries than before, groups, texts, and unknown keywords."""

import warnings

import pytest

from irmetrics_edu import evaluate, ndcg
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import (
    AdvisoryWarning,
    BaselineWarning,
    InconclusiveWarning,
    RankingAssertionError,
    SwappedWarning,
    assert_improves,
    assert_map,
    assert_mrr,
    assert_ndcg,
    assert_no_regression,
)
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.gate.baseline import Baseline
from irmetrics_edu.gate.decision import WaysToAccept, judge
from irmetrics_edu.gate.policy import Policy, made
from irmetrics_edu.gate.verdict import regression
from irmetrics_edu.metrics.set_based import precision
from irmetrics_edu.runs.segments import groups, named, some, texts


def at_ranks(ranks):
    """A run with one relevant document a query, at the rank given for it; and its judgments."""
    run = {f"q{i}": [f"x{j}" for j in range(1, r)] + ["r"] for i, r in enumerate(ranks)}
    return run, {query: {"r": 1} for query in run}


def lost(n, of=36):
    """The issue: n of 36 queries fall from rank 1 to nothing, the others stay."""
    old, qrels = at_ranks([1] * of)
    return {q: (["x"] if i < n else r) for i, (q, r) in enumerate(old.items())}, old, qrels


def failing(*given, check=assert_no_regression, **options):
    """The failure of a gate, without a warning."""
    with pytest.raises(RankingAssertionError) as caught:  # the suite makes warnings errors
        check(*given, **options)
    return caught.value


def test_five_of_36_queries_that_fall_to_nothing_are_stopped():
    """The mean falls by 5/36 = 0.1389; of 2^5 ways to swap 2 are as far: p = 0.0625, no verdict."""
    new, old, qrels = lost(5)
    error = failing(new, old, qrels, "RR")
    assert error.summary == (
        "RR fell by 0.1389 > 0.1000, the hard limit for the mean (1.0000 -> 0.8611; 36 queries)"
    )
    assert (
        "The test can't reject the hypothesis of no change (p = 0.0625, not below 0.05), so it "
        "decides nothing."
    ) in " ".join(map(str.strip, error.all_lines))
    with pytest.warns(InconclusiveWarning, match="RR fell by 0.1389"):
        assert_no_regression(new, old, qrels, "RR", max_observed_drop="off")
    # A tenth of the range is the limit: 3 of 36, 0.0833, are below it.
    with pytest.warns(InconclusiveWarning):
        assert_no_regression(lost(3)[0], old, qrels, "RR")


@pytest.mark.parametrize(
    ("n", "options", "says"),
    [
        (3, {"max_observed_drop": 0.05}, "RR fell by 0.0833 > 0.0500, the hard limit for the mean"),
        (1, {"max_observed_drop": 0.01}, "RR fell by 0.0278 > 0.0100, the hard limit for the mean"),
        (
            1,
            {"max_query_drop": 0.5},
            "RR of q0 fell by 1.0000 > 0.5000, the hard limit for a query (1.0000 -> 0.0000; 1 of ",
        ),
        (
            1,
            {"protected": ["q0", "q9"]},
            "RR of protected query q0 fell by 1.0000 (1.0000 -> 0.0000)",
        ),
        (
            2,
            {"protected": ["q0", "q1"]},
            "RR of protected query q0 fell by 1.0000 (1.0000 -> 0.0000; 2 protected queries fell)",
        ),
    ],
)
def test_each_hard_limit_fails_whatever_the_test_says(n, options, says):
    """One or three queries are too few for the test; without the limit the gate does not stop."""
    new, old, qrels = lost(n)
    assert failing(new, old, qrels, "RR", **options).summary.startswith(says)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (verdict,) = assert_no_regression(new, old, qrels, "RR")
    assert verdict.word == "inconclusive"


def test_a_limit_that_is_met_exactly_holds():
    """A query that falls by one half may fall by one half; a protected one may stay or rise."""
    old, qrels = at_ranks([1, 2, 1, 1])
    new, _ = at_ranks([2, 1, 1, 1])
    assert_no_regression(
        new, old, qrels, "RR", max_query_drop=0.5, protected=["q1", "q2"], inconclusive="pass"
    )


def test_all_that_stops_a_gate_is_said_the_mean_first():
    """The test, a protected query and single queries: one summary, the others below it."""
    new, old, qrels = lost(12)
    error = failing(new, old, qrels, "RR", protected=["q3"], max_query_drop=0.9)
    assert error.summary.startswith("RR fell by 0.3333 > 0.0100 (1.0000 -> 0.6667; 36 queries)")
    assert error.lines[0] == "also: RR of protected query q3 fell by 1.0000 (1.0000 -> 0.0000)"
    assert error.lines[1].startswith("also: RR of q0 fell by 1.0000 > 0.9000, the hard limit")


@pytest.mark.parametrize("fate", ["pass", "warn", "fail"])
def test_an_inconclusive_gate_does_what_it_is_told(fate):
    """Passes in silence, warns, or fails."""
    given = (*lost(3), "RR")
    if fate == "fail":
        assert "36 queries can't tell" in failing(*given, inconclusive=fate).summary
        return
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        assert_no_regression(*given, inconclusive=fate)
    assert [w.category for w in heard] == ([InconclusiveWarning] if fate == "warn" else [])
    assert {w.filename for w in heard} <= {__file__}  # it names the line of the test


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_query_drop": "of"}, "max_query_drop='of': give a number, such as 0.05, or 'off'"),
        ({"max_observed_drop": "none"}, "or 'off' or 'tenth'"),
        ({"max_query_drop": -0.1}, "0 or more"),
        ({"max_query_drop": 50}, "max_query_drop=50: RR lies between 0 and 1"),
        ({"max_observed_drop": 0.01, "margin": 0.02}, "is less than margin=0.02"),
        ({"protected": "q0"}, "give the queries in a list: ['q0']"),
        (
            {"protected": ["q99"]},
            "protected query 'q99': it is not among the queries that both have",
        ),
        ({"inconclusive": "error"}, "use one of pass, warn, fail"),
        ({"confidence": 5}, "confidence=5"),
        ({"confidence": 0.5}, "confidence=0.5 is out of range; give a number in (0.5, 1)"),
        ({"max_gone": 1.01}, "max_gone=1.01 is out of range; give a number in [0, 1]"),
        ({"max_gone": -0.01}, "max_gone=-0.01 is out of range; give a number in [0, 1]"),
    ],
)
def test_a_limit_that_cannot_be_meant_is_refused(options, says):
    """Each with what to write."""
    new, old, qrels = lost(1)
    with pytest.raises(InputError) as caught:
        assert_no_regression(new, old, qrels, "RR", **options)
    assert says in str(caught.value)


def test_a_tenth_is_of_the_range_and_none_of_an_unbounded_one():
    """DCG has no greatest value, so only a number limits it; margin is never above the tenth."""
    assert Policy().allows("max_observed_drop", 1.0) == 0.1
    assert Policy().allows("max_observed_drop", 2.0) == 0.2
    assert Policy(margin=0.3).allows("max_observed_drop", 1.0) == 0.3
    assert Policy().allows("max_observed_drop", float("inf")) == float("inf")


def test_a_tenth_of_a_range_from_minus_one_is_a_fifth():
    """The mean of a measure between -1 and 1 may fall by 0.2."""
    new, old, qrels = lost(1)
    measure = precision @ 1
    measure.range = (-1.0, 1.0)
    (verdict,) = assert_no_regression(new, old, qrels, measure, inconclusive="pass")
    assert verdict.width == 2


def test_what_is_in_the_words_of_a_policy_is_read():
    """A query that is protected twice is one query; a whole baseline may go."""
    found = made({"protected": ["q1", "q0", "q1"], "max_gone": 1, "margin": 0})
    assert (found.protected, found.max_gone, found.margin) == (("q1", "q0"), 1, 0.0)


# -- other queries than before


def test_new_queries_hide_no_loss():
    """20 old queries halved and 20 new perfect ones: compared are the 20, and the rest is said."""
    old, _ = at_ranks([1] * 20)
    new, qrels = at_ranks([2] * 20 + [1] * 20)
    error = failing(new, old, qrels, "RR")
    assert error.summary.startswith("RR fell by 0.5000 > 0.0100 (1.0000 -> 0.5000; 20 queries)")
    assert (
        "Compared on the 20 queries that both have; 20 queries are new (q20, q21, q22 ...); over "
        "all its queries the run has RR 0.7500"
    ) in error.lines


def test_queries_that_are_gone_are_counted_and_said():
    """The run keeps the best: what it shares did not change, and that one is gone is told."""
    run, qrels = at_ranks([1, 4, 1])
    less = {q: r for q, r in run.items() if q != "q1"}
    with pytest.warns(BaselineWarning, match=r"on the 2 queries .* 1 query is gone \(q1\)"):
        (verdict,) = assert_no_regression(
            less, run, qrels, "RR", missing_queries="skip", max_gone="off"
        )
    assert (verdict.word, verdict.before, verdict.after) == ("pass", 1.0, 1.0)
    # Where a missing query counts 0, losing it is a loss.
    error = failing(less, run, qrels, "RR", protected=["q1"])
    assert error.summary == "RR of protected query q1 fell by 0.2500 (0.2500 -> 0.0000)"
    # A query that neither has was 0 and is 0: it is not new.
    (verdict,) = assert_no_regression(less, less, qrels, "RR")
    assert (verdict.word, len(verdict.differences), verdict.after) == ("pass", 3, 2 / 3)


def test_a_run_improves_on_no_queries_that_it_picks():
    """Six that rise are an improvement; with six more that it leaves out they are none."""
    old, qrels = at_ranks([2] * 12)
    new = dict(list(at_ranks([1] * 12)[0].items())[:6])
    picked = {"measures": "RR", "missing_queries": "skip"}
    error = failing(new, old, qrels, check=assert_improves, **picked)
    assert error.summary.startswith("6 of the baseline's 12 queries are gone, more than 5% (q6, ")
    assert "the mean rose, so the test" in " ".join(error.all_lines)
    assert_improves(new, old, qrels, max_gone=0.5, **picked)


@pytest.mark.parametrize("deleted", [1, 2])
def test_a_gate_whose_hard_queries_were_deleted_fails(deleted):
    """20 queries, of which the worst are deleted: 1 of 20 is the share that may go, 2 are more."""
    old, qrels = at_ranks([9, 9] + [1] * 18)
    kept = Baseline.of(evaluate(old, qrels, "RR P@1"), qrels)
    fewer = {q: of for q, of in qrels.items() if q not in list(qrels)[:deleted]}
    judged = [
        judge(Gate(old, fewer, "RR P@1", {}).against(kept), Policy(**limits), reveal=reveal)
        for limits, reveal in (({}, "all"), ({}, "hint"), ({"max_gone": "off"}, "all"))
    ]
    if deleted == 1:
        assert [one.error for one in judged] == [None] * 3
        return
    told, hint, lifted = (one.error for one in judged)
    assert told.summary == "2 of the baseline's 20 queries are gone, more than 5% (q0, q1)"
    assert str(told).count("queries are gone, more than") == 1
    assert "No score changed, so the test alone passes." in told.all_lines
    assert hint.summary == "2 of the baseline's 20 queries are gone"
    assert [v.word for v in judged[0].verdicts] == ["fail", "fail"]
    assert lifted is None
    with pytest.raises(InputError, match="max_gone=5 is out of range"):
        assert_no_regression(old, old, qrels, "RR", max_gone=5)


def _without_two(old, **options):
    """The decision on a run without two of 20 queries of its baseline; two groups of the rest."""
    qrels = {query: {"r": 1} for query in old}
    kept = Baseline.of(evaluate(at_ranks([1] * 20)[0], qrels, "RR"), qrels)
    fewer = {q: of for q, of in qrels.items() if q not in {"q0", "q1"}}
    policy = Policy(**options.pop("policy", {}))
    grouped = {q: "high" if int(q[1:]) > 9 else "low" for q in fewer}
    pair = Gate(old, fewer, "RR", {}).against(kept)
    return judge(pair, policy, groups=grouped, **{"reveal": "all", **options})


def test_queries_that_are_gone_fail_the_whole_and_no_group():
    """In which group they were is not known. Reports tell the worst word of all."""
    judged = _without_two(at_ranks([1] * 20)[0])
    assert [v.word for v in judged.verdicts] == ["fail", "pass", "pass"]
    (facts,) = (one.facts() for one in judged.told)
    assert facts["verdict"] == "fail"
    assert facts["not_compared"] == {"new": [], "gone": ["q0", "q1"], "unjudged": []}
    assert [(g["verdict"], g["p_corrected"]) for g in facts["groups"]] == [("pass", None)] * 2


def test_what_is_gone_is_said_before_what_fell():
    """A mean over some of the queries comes second."""
    judged = _without_two(at_ranks([1] * 19 + [2])[0], policy={"max_query_drop": 0.4})
    assert [b.limit for b in judged.verdicts[0].broken] == ["max_gone", "max_query_drop"]


def test_a_gate_that_advises_tells_of_other_queries_too():
    """The failure that it does not raise, then what could not be compared."""
    judged = _without_two(at_ranks([1] * 20)[0], policy={"advisory": True})
    assert judged.error is None
    assert [type(w) for w in judged.warnings] == [AdvisoryWarning, BaselineWarning]


def test_a_hint_does_not_say_how_to_accept_a_change():
    """That is for those who may see the baseline."""
    policy = {"max_gone": "off"}
    for reveal, says in (("all", True), ("hint", False)):
        run = at_ranks([1] * 19 + [2])[0]
        judged = _without_two(
            run, policy=policy, reveal=reveal, ways=WaysToAccept(warning="write it anew")
        )
        assert judged.error is None
        assert ("write it anew" in str(judged.warnings[-1])) == says


def test_reports_tell_the_worst_word_of_the_groups():
    """One of 18 queries falls by a half: the mean can't tell, and the group's limit is broken."""
    run = at_ranks([1] * 19 + [2])[0]
    judged = _without_two(run, policy={"max_gone": "off", "max_group_drop": 0.04})
    (facts,) = (one.facts() for one in judged.told)
    assert (judged.verdicts[0].word, facts["verdict"]) == ("inconclusive", "fail")
    found = {g["group"]: (g["verdict"], g["p_corrected"]) for g in facts["groups"]}
    assert found == {"high": ("fail", 1.0), "low": ("pass", None)}
    assert facts["queries_needed"] == judged.verdicts[0].needed
    unchanged = _without_two(at_ranks([1] * 20)[0], policy={"max_gone": 1})
    (same,) = (one.facts() for one in unchanged.told)
    assert (same["verdict"], same["queries_needed"]) == ("pass", None)


def test_the_means_printed_are_of_what_is_compared():
    """A fall is never printed beside a rise: before + change = after."""
    old, few = at_ranks([1] * 12)
    new, all_of_them = at_ranks([2] * 12 + [1] * 8)
    error = failing(
        evaluate(new, all_of_them, "RR"), evaluate(old, few, "RR"), measures="RR", margin=0.01
    )
    assert "fell by 0.5000" in error.summary
    assert "1.0000 -> 0.5000" in error.summary


def test_a_protected_query_that_cannot_be_compared_is_refused():
    """New or gone: whether it fell can't be told, so it is no protection."""
    old, few = at_ranks([1] * 4)
    new, more = at_ranks([1] * 5)
    for run, baseline, qrels in ((new, old, more), (old, new, few)):
        with pytest.raises(InputError, match="'q4': it is not among the queries that both have"):
            assert_no_regression(run, baseline, qrels, "RR", protected=["q4"])


def test_a_kept_baseline_scores_the_queries_that_its_run_lacked():
    """Those without a ranking were 0; what is judged later was not measured, so it is new."""
    old, _ = at_ranks([1] * 5)
    new, qrels = at_ranks([4] * 20)
    kept = Baseline.of(evaluate(old, qrels, "RR"), qrels)
    assert (len(kept.per_query("RR")), kept.means, kept.rankings["q7"]) == (20, {"RR": 0.25}, [])
    pair = Gate(new, qrels, "RR", {}).against(Baseline.read(kept.entry()))
    (verdict,) = regression(pair.before, pair.after, Policy())
    assert (verdict.before, verdict.after, len(pair.new)) == (0.25, 0.25, 0)
    more = {**qrels, "later": {"r": 1}}
    assert Gate(new, more, "RR", {}).against(kept).new == ["later"]
    # Earlier releases kept no score of such queries: what is left compares five perfect ones.
    some = {q: found for q, found in kept.entry()["queries"].items() if found[1]}
    earlier = Baseline.read({**kept.entry(), "queries": some, "means": {"RR": 1.0}})
    with pytest.raises(
        InputError, match=r"no scores of the 15 queries that its run lacked \(q10, "
    ):
        Gate(new, qrels, "RR", {}).against(earlier)


def test_gmap_is_gated_by_the_values_of_its_queries_and_says_so():
    """An arithmetic mean may fall where a geometric one rises: printed are the means tested."""
    old, qrels = at_ranks([1] * 12)
    error = failing(at_ranks([2] * 12)[0], old, qrels, "GMAP")
    assert "GMAP: the gate compares the values of AP of each query, and their means" in error.lines


# -- groups


LANGUAGES = {f"q{i}": "de" if i % 3 == 0 else "en" for i in range(36)}


def de_loses():
    """All 12 German queries fall from rank 1 to 2, none of the 24 English ones does."""
    old, qrels = at_ranks([1] * 36)
    new, _ = at_ranks([2 if LANGUAGES[q] == "de" else 1 for q in old])
    return new, old, qrels


def test_a_gate_by_groups_is_corrected_over_groups_and_measures():
    """All 12 differences of a group have one sign: p = 2 / 2^12; Holm multiplies by 6 tests."""
    found = regression(
        {"a": dict.fromkeys(LANGUAGES, 1.0), "b": dict.fromkeys(LANGUAGES, 1.0)},
        {
            "a": {q: 0.5 if g == "de" else 1.0 for q, g in LANGUAGES.items()},
            "b": dict.fromkeys(LANGUAGES, 1.0),
        },
        Policy(),
        groups(LANGUAGES, list(LANGUAGES)),
    )
    assert [(v.measure, v.group, v.word) for v in found] == [
        ("a", None, "fail"),
        ("b", None, "pass"),
        ("a", "de", "fail"),
        ("b", "de", "pass"),
        ("a", "en", "pass"),
        ("b", "en", "pass"),
    ]
    assert {v.tests for v in found} == {6}
    assert found[2].p == pytest.approx(2 / 2**12)
    # The whole run has the same 12 signs: of the two, one is multiplied by 6 and the other by 5.
    assert min(found[0].adjusted, found[2].adjusted) == pytest.approx(2 / 2**12 * 6, rel=0.7)
    assert found[2].adjusted >= 2 / 2**12 * 5


def test_the_correction_counts_tests_that_found_nothing():
    """One group of ten that loses 6 of 6 queries: p = 2/64 alone, 22 x 2/64 among all: no failure.

    To count only those that happen to drop would let one of many groups fail by chance.
    """
    of = {f"g{g}q{i}": g for g in range(10) for i in range(6)}
    before = {"m": dict.fromkeys(of, 0.5)}
    after = {"m": {q: 0.4 if g == 0 else 0.5 for q, g in of.items()}}
    by_group = {v.group: v for v in regression(before, after, Policy(), groups(of, list(of)))}
    assert by_group[0].p == pytest.approx(2 / 64)
    assert by_group[0].word == "inconclusive"
    assert by_group[0].adjusted > 0.05
    (alone,) = regression({"m": {q: 0.5 for q, g in of.items() if g == 0}}, after, Policy())
    assert alone.word == "fail"


def test_the_worst_group_comes_first_and_is_told_with_its_change():
    """A line in the message, and with -v the correction, greatest loss first."""
    error = failing(*de_loses(), "RR", groups=LANGUAGES)
    assert "By group: de -0.500, en +0.000" in error.lines
    assert any(line.startswith("also: RR of group de fell by 0.5000") for line in error.lines)
    assert "Holm's correction over 3 tests" in " ".join(error.all_lines)


def test_a_failure_has_twelve_lines_and_the_rest_under_v():
    """Groups, documents that moved and notes: all are there with -v, and nothing is cut unsaid."""
    error = failing(*de_loses(), "RR P@1", groups=LANGUAGES, protected=["q0", "q1"])
    text = str(error).splitlines()
    assert len(text) <= 12
    assert any(line.startswith("If the change is meant") for line in text)
    assert "also: 3 more; -v shows them" in text
    assert len(error.all_lines) > len(error.lines)
    assert not any("hypothesis" in line or "p = " in line for line in text)
    # 12 of 36 fell by 1: 8/35 is the variance, 0.4781 the standard deviation.
    assert "36 queries, whose changes spread by 0.4781, " in " ".join(error.all_lines)
    # 12 of 12 fell: 2 of 2^12 swaps are as far, for each of the two measures.
    assert sum("p = 0.0005" in line for line in error.all_lines) == 2
    assert "  r             1            1      2              -1.0000" in text  # with groups, too


def test_a_group_has_a_hard_limit_of_its_own():
    """Two of four queries of a group fall to nothing: no test can tell, the limit does."""
    new, old, qrels = lost(2)
    of = {q: "de" if i < 4 else "en" for i, q in enumerate(old)}
    error = failing(new, old, qrels, "RR", groups=of, max_group_drop=0.2)
    assert error.summary == (
        "RR of group de fell by 0.5000 > 0.2000, the hard limit for a group (1.0000 -> 0.5000; "
        "4 queries)"
    )


def test_many_undecided_groups_make_one_warning():
    """One for the run and one for its groups, not one each."""
    new, old, qrels = lost(3)
    of = {q: i % 3 for i, q in enumerate(old)}
    with pytest.warns(InconclusiveWarning) as heard:
        assert_no_regression(new, old, qrels, "RR", groups=of)
    assert [str(w.message).partition(" fell")[0] for w in heard] == ["RR", "RR of group 0"]
    assert str(heard[1].message).endswith("; 2 more groups can't tell either")


def test_every_group_has_a_floor():
    """Of MRR: German 1/2, English 1. One number for all, or one for each."""
    new, _, qrels = de_loses()
    assert_mrr(new, qrels, groups=LANGUAGES, every_group_at_least=0.5)
    error = failing(new, qrels, check=assert_mrr, groups=LANGUAGES, every_group_at_least=0.8)
    assert error.summary == (
        "MRR of group de 0.5000 < 0.8000 (short by 0.3000; 12 queries; 1 of 2 groups below)"
    )
    assert "Groups, lowest first: de 0.500 (12 queries), en 1.000 (24 queries)" in error.lines
    assert error.lines[0] == "Lowest: q0 0.500, q3 0.500, q6 0.500 ..."
    floors = {"en": 1.0, "de": 0.45}
    assert_mrr(new, qrels, groups=LANGUAGES, every_group_at_least=floors)
    error = failing(
        new, qrels, check=assert_mrr, groups=LANGUAGES, every_group_at_least={"de": 0.6}
    )
    assert error.summary.startswith("MRR of group de 0.5000 < 0.6000")


def as_pandas():
    """A column of a pandas frame, indexed by query."""
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"query": list(LANGUAGES), "language": list(LANGUAGES.values())})
    return frame.set_index("query")["language"]


@pytest.mark.parametrize("given", [lambda: LANGUAGES, lambda: LANGUAGES.get, as_pandas])
def test_groups_come_as_mapping_function_or_column(given):
    """All say the same."""
    found = groups(given(), list(LANGUAGES))
    assert {group: len(members) for group, members in found.items()} == {"de": 12, "en": 24}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"groups": {"q0": "de"}}, "query 'q1' has no group (35 of 36 queries have none)"),
        ({"groups": {q: ["de"] for q in LANGUAGES}}, "give one group"),
        ({"groups": "de"}, "give a mapping"),
        ({"queries": {"x": "text"}}, "there is no text for 'q0'"),
        ({"queries": {"q0": 3}}, "the text of query 'q0' is 3"),
        ({"every_group_at_least": 0.5}, "needs groups="),
        (
            {"groups": LANGUAGES, "every_group_at_least": {"fr": 0.5}},
            "no query is in group 'fr'; there are 'de', 'en'",
        ),
        ({"groups": LANGUAGES, "every_group_at_least": 45}, "every_group_at_least=45: "),
    ],
)
def test_groups_and_texts_that_cannot_be_meant_are_refused(options, says):
    """With the first query, and how many there are."""
    new, _, qrels = de_loses()
    with pytest.raises(InputError) as caught:
        assert_mrr(new, qrels, **{"at_least": 0, **options})
    assert says in str(caught.value)
    if not {*options} & {"every_group_at_least"}:
        with pytest.raises(InputError) as caught:
            assert_no_regression(new, new, qrels, "RR", **options)
        assert says in str(caught.value)


def test_ids_of_another_type_are_said_to_be():
    """A frame's numbers and a file's text."""
    with pytest.raises(InputError, match="differs from 1 only in type"):
        groups({1: "de"}, ["1"])


# -- what a message says


def test_a_text_is_shortened_and_a_list_of_queries_cut():
    """From 41 letters on, and from 4 queries on."""
    assert named("q", {"q": "x" * 40}) == f'q "{"x" * 40}"'
    assert named("q", {"q": "x" * 41}) == f'q "{"x" * 37}..."'
    assert some(["a", "b", "c"], {}) == "a, b, c"
    assert some(["a", "b", "c", "d"], {}) == "a, b, c ..."


def test_groups_are_sorted_and_what_lacks_is_left_out():
    """NaN and NA are how frames write that nothing is there."""
    pandas = pytest.importorskip("pandas")
    assert list(groups({"q1": "en", "q2": "de"}, ["q1", "q2"])) == ["de", "en"]
    assert texts({}, []) == {}
    for nothing in (None, float("nan"), pandas.NA):
        assert texts({"q1": "a", "q2": nothing}, ["q1", "q2"]) == {"q1": "a"}
        with pytest.raises(InputError, match="query 'q2' has no group") as caught:
            groups({"q1": "a", "q2": nothing}, ["q1", "q2"])
        assert "only in type" not in str(caught.value)
    frame = pandas.DataFrame({"query": ["q1"], "language": ["en"]})
    with pytest.raises(InputError, match=r"groups: a DataFrame .* column of a frame that is ind"):
        groups(frame, ["q1"])


def test_messages_carry_the_text_of_queries():
    """In the first line after the numbers, among those that lost most and over what moved.

    Cut, and on one line.
    """
    new, old, qrels = lost(1)
    of = {"q0": "cheap flights\nto London", "q1": "weather"}
    error = failing(new, old, qrels, "RR", max_query_drop=0.5, queries=of)
    assert '(1.0000 -> 0.0000; "cheap flights to London"; 1 of 36 queries over it)' in error.summary
    assert any(s.startswith('Lost most: q0 "cheap flights to London" -1.000') for s in error.lines)
    error = failing(new, qrels, check=assert_ndcg, every_query_at_least=0.5, queries=of)
    assert error.summary == (
        'nDCG of q0 0.0000 < 0.5000 (short by 0.5000; "cheap flights to London"; 1 of 36 queries '
        "below)"
    )
    assert 'q0 "cheap flights to London", step by step:' in error.lines
    assert named("q", {"q": "a" * 50}) == f'q "{"a" * 37}..."'
    assert texts(None, ["q"]) == {}


@pytest.mark.parametrize(
    ("check", "ranks", "options", "says"),
    [
        # All 12 fall by as much: 2 of 2^12 swaps are as far, 0.00049.
        (assert_no_regression, [2] * 12, {}, "rejects the hypothesis of no change (p = 0.0005, "),
        (
            assert_no_regression,
            [2] * 12,
            {},
            "below 0.05): the mean fell, so the test alone fails.",
        ),
        (
            assert_no_regression,
            [2] + [1] * 35,
            {"margin": 0.05, "protected": ["q0"]},
            "below 0.05): any fall is less, so the test alone passes.",
        ),
        (
            assert_improves,
            [1] * 4,
            {"measures": "RR P@3", "by": 0.05, "baseline": [2] * 4},
            "RR: inconclusive (0.5000 -> 1.0000; p = 0.1250 for a rise by 0.05)",
        ),
        (
            assert_no_regression,
            [2] * 12,
            {"measures": "RR P@2"},
            "P@2: pass (0.5000 -> 0.5000; no score changed)",
        ),
        (assert_improves, [2] * 12, {"by": 0.1}, "The mean did not rise by more than 0.1."),
        (
            assert_improves,
            [1] * 12,
            {"baseline": [2] * 3 + [1] * 9},
            "can't reject the hypothesis of no change (p = 0.2500, not below 0.05), so it decides",
        ),
    ],
)
def test_one_sentence_says_which_hypothesis_was_tested_and_what_follows(
    check, ranks, options, says
):
    """It never names a verdict that another line contradicts."""
    options = {"measures": "RR", "baseline": [1] * len(ranks), **options}
    old, qrels = at_ranks(options.pop("baseline"))
    lines = failing(at_ranks(ranks)[0], old, qrels, check=check, **options).all_lines
    text = " ".join(map(str.strip, lines))
    assert says in text
    assert "the gate passes" not in text
    assert ("If the change is meant" in text) == (check is assert_no_regression)


@pytest.mark.parametrize(("k", "relevant"), [(10, 10), (None, 28), (None, 300)])
def test_no_row_with_gain_is_hidden(k, relevant):
    """Every relevant document is named, or it is said how many there are and where."""
    ranking = [f"d{i}" for i in range(400)]
    judged = {f"d{i}": 1 for i in range(relevant)} | {"zz": 1}
    lines = failing(
        {"q": ranking}, {"q": judged}, check=assert_map, k=k, at_least=0.999, equals=None
    ).lines
    assert len(lines) <= 10
    text = "\n".join(lines)
    within = relevant if k is None else min(k, relevant)
    if k == 10:
        assert all(f"d{i} " in text for i in range(within))
    else:
        rows = sum(line.split()[1:2] == [f"d{i}"] for i in range(within) for line in lines)
        assert f", {within - rows:,} with gain: d{rows} at {rows + 1}, d{rows + 1} at" in text
        assert relevant == 28 or "... (-v)" in text


def test_rows_with_gain_come_before_rows_without():
    """The relevant one at rank 9 has a row of its own though there are only six."""
    ranking = [f"d{i}" for i in range(1, 31)]
    lines = failing(ranking, {"d9": 3, "zz": 1}, check=assert_ndcg, at_least=0.99).lines
    assert ["9", "d9", "3"] in [line.split()[:3] for line in lines]


# -- keywords


RUN, QRELS = at_ranks([1, 2])
KEYWORDS = {
    "metrics in a gate": (
        lambda: assert_no_regression(RUN, RUN, QRELS, metrics="RR@10"),
        "assert_no_regression takes no 'metrics'; write measures=",
    ),
    "metrics for an improvement": (
        lambda: assert_improves(RUN, RUN, QRELS, metrics="RR@10"),
        "write measures=",
    ),
    "metrics to evaluate": (lambda: evaluate(RUN, QRELS, metrics="RR"), "write measures="),
    "k": (
        lambda: assert_no_regression(RUN, RUN, QRELS, "RR", k=3),
        "takes no 'k'; write it in the measure's notation, measures='RR@3'",
    ),
    "top_k": (
        lambda: assert_no_regression(RUN, RUN, QRELS, "RR@10 AP", top_k=3),
        "measures='RR@3 AP@3'",
    ),
    "gain": (
        lambda: assert_no_regression(RUN, RUN, QRELS, gain="exp"),
        "takes no 'gain'; write it in the measure's notation, measures='nDCG(gain=exp)@10'",
    ),
    "gain to evaluate": (
        lambda: evaluate(RUN, QRELS, "nDCG@5 AP", gain="exp"),
        "measures='nDCG(gain=exp)@5 AP'",
    ),
    "threshold": (
        lambda: assert_no_regression(RUN, RUN, QRELS, threshold=0.1),
        "write margin=",
    ),
    "max_drop": (lambda: assert_no_regression(RUN, RUN, QRELS, max_drop=0.1), "write margin="),
    "misspelt": (lambda: assert_no_regression(RUN, RUN, QRELS, magrin=0.1), "write margin="),
    "segment": (lambda: assert_mrr(RUN, QRELS, at_least=0, segments={}), "write groups="),
    "of a library": (lambda: evaluate(RUN, QRELS, "RR", quirks=()), "evaluate takes no 'quirks'"),
    "unheard of": (
        lambda: assert_no_regression(RUN, RUN, QRELS, colour="red"),
        "takes no 'colour'; it takes measures, policy, margin",
    ),
}


@pytest.mark.parametrize(("call", "says"), KEYWORDS.values(), ids=KEYWORDS)
def test_an_unknown_keyword_is_refused_with_what_to_write(call, says):
    """None is passed on, and gates something else."""
    with pytest.raises(InputError) as caught:
        call()
    assert says in str(caught.value)


AS_READ = {"q1": {"a": 3.0, "b": 2.0, "c": 0.0}, "q2": {"d": 1.0}}
SCORED = {"q1": {"x": 9.25, "a": 0.5, "b": 0.25}, "q2": {"y": 1.5}}


@pytest.mark.parametrize("ranked", [SCORED, {q: [*r, *"uvw"] for q, r in SCORED.items()}])
def test_exchanged_judgments_are_refused_as_floats_too(ranked):
    """As a file is read, grades are floats."""
    with pytest.raises(InputError, match="look swapped"):
        assert_ndcg(AS_READ, ranked, at_least=0)
    with pytest.raises(InputError, match="baseline and qrels look swapped"):
        assert_no_regression(evaluate(SCORED, AS_READ), AS_READ, ranked)


def test_exchanged_json_files_are_refused(tmp_path):
    """Both are objects of objects: which is which is seen from the numbers alone."""
    (tmp_path / "q.json").write_text('{"q1": {"a": 1, "b": 0}}', encoding="utf-8")
    (tmp_path / "r.json").write_text('{"q1": {"a": 9.5, "b": 3.25}}', encoding="utf-8")
    run, qrels = str(tmp_path / "r.json"), str(tmp_path / "q.json")
    assert assert_ndcg(run, qrels, at_least=0.5) == 1
    with pytest.raises(InputError, match="look swapped"):
        assert_ndcg(qrels, run, at_least=0.5)


TIED_SCORES = [{"a": 1, "b": 1}, {"a": 3, "b": 2, "c": 2}, {"a": 7.0, "b": 7.0, "c": 1.0}]
MIDDLE_GRADES = [[1.5, 1, 0], [0.5, 0.5, 2], [2.25, 0, 3], [0.7, 0.1, 1], [7 / 3, 2 / 3, 9.5]]


@pytest.mark.parametrize("scores", TIED_SCORES)
@pytest.mark.parametrize("grades", MIDDLE_GRADES)
def test_tied_whole_scores_beside_grades_between_whole_ones_can_be_right(scores, grades):
    """They warn, as they may be swapped; half a point more on each score asks no more."""
    judged = dict(zip("abc", grades, strict=True))
    with pytest.warns(SwappedWarning, match="run and qrels look swapped") as caught:
        asserted = assert_ndcg(scores, judged, conventions="irmetrics_edu", at_least=0)
    assert caught[0].filename == __file__
    assert asserted == ndcg(scores, judged)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InconclusiveWarning)
        with pytest.warns(SwappedWarning, match="baseline and qrels"):
            assert_no_regression({"q": ["a", "b", "c"]}, {"q": scores}, {"q": judged}, margin=0.9)
    higher = {document: score + 0.5 for document, score in scores.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("error", SwappedWarning)
        assert assert_ndcg(higher, judged, conventions="irmetrics_edu", at_least=0) == asserted


def test_the_refusal_of_what_looks_swapped_says_what_is_taken():
    """Half a point on each score, as the message says, and the same input is measured."""
    scores, judged = {"a": 2, "b": 0, "c": 0}, {"a": 1.5, "b": 0.5, "c": 1}
    with pytest.raises(InputError, match=r"add 0\.5 to each of their scores"):
        assert_ndcg(scores, judged, at_least=0)
    higher = {document: score + 0.5 for document, score in scores.items()}
    assert assert_ndcg(higher, judged, at_least=0) > 0


def test_whole_scores_beside_whole_or_few_grades_are_a_run():
    """Ranks turned round as scores, and the same with grades between whole ones."""
    run = {"q": {f"d{i}": float(10 - i) for i in range(10)}}
    assert assert_ndcg(run, {"q": {"d0": 1.0, "d5": 0.5}}, at_least=0) > 0
    assert assert_ndcg(run, {"q": {"d0": 1.0, "d5": 2.0}}, at_least=0) > 0


def test_an_empty_baseline_is_called_the_baseline():
    """Not the run."""
    with pytest.raises(InputError, match="the baseline holds no document"):
        assert_no_regression(RUN, {}, QRELS)
