"""No gate passes over nothing: it compares with judged documents, and keeps what can be missed."""

import itertools
import json
import random

import pytest
import scipy.stats  # noqa: F401 -- not to be loaded a second time by the sessions started here

from irmetrics_edu import evaluate
from irmetrics_edu.gate import (
    BaselineWarning,
    RankingAssertionError,
    assert_ndcg,
    assert_no_regression,
)
from irmetrics_edu.gate.against_baseline import Gate
from irmetrics_edu.gate.baseline import Baseline, Outdated
from irmetrics_edu.gate.decision import judge
from irmetrics_edu.gate.policy import made
from irmetrics_edu.judging import judge_citations, judge_claims, judge_nuggets
from irmetrics_edu.metrics.definition import import_all

import_all()  # metrics are registered once in a process

pytest_plugins = ["pytester"]
N = 40
POLICIES = ("strict", "sample")


def collection(seed, relevant=2, judged_not=2):
    """Judgments of N queries, and the rankings of an engine that finds all that is relevant."""
    draw = random.Random(seed)
    qrels = {}
    run = {}
    for i in range(N):
        query = f"q{i}"
        good = [f"g{i}-{j}" for j in range(relevant)]
        bad = [f"b{i}-{j}" for j in range(judged_not)]
        qrels[query] = dict.fromkeys(good, 1) | dict.fromkeys(bad, 0)
        rest = [*bad, *(f"x{i}-{j}" for j in range(6))]
        draw.shuffle(rest)
        run[query] = [*good, *rest]
    return run, qrels


def renamed(of, queries, which=str.strip):
    """Runs or judgments with new ids of some documents of some queries."""
    out = {}
    for query, documents in of.items():
        new = {d: f"new-{d}" if query in queries and which(d) else d for d in documents}
        if isinstance(documents, dict):
            out[query] = {new[d]: grade for d, grade in documents.items()}
        else:
            out[query] = [new[d] for d in documents]
    return out


def ruined(run, queries=None):
    """The rankings of some queries turned upside down: the relevant documents come last."""
    return {q: r[::-1] if queries is None or q in queries else r for q, r in run.items()}


def gate(old, new, policy="strict", measures="RR", **settings):
    """The decision of a gate whose baseline was written with the old judgments."""
    (run, qrels), (now, judged) = old, new
    kept = Baseline.read(Baseline.of(evaluate(run, qrels, measures), qrels).entry())
    found = Gate(now, judged, measures, {}).against(kept)
    return judge(found, made({"policy": policy, **settings}), reveal="all", run=now)


RENAMED = {
    "all documents": lambda d: d != "",
    "the relevant ones": lambda d: "g" in d,
    "most of the relevant ones": lambda d: d.endswith(("-0", "-1")),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", RENAMED)
@pytest.mark.parametrize("share", [1.0, 0.5, 0.1])
@pytest.mark.parametrize("engine", ["ruined", "as it was"])
def test_new_ids_in_run_and_judgments_are_nothing_to_compare_with(policy, kind, share, engine):
    """Whatever the engine does: of so many queries the kept rankings hold no relevant document."""
    run, qrels = collection(1, relevant=3 if kind == "most of the relevant ones" else 2)
    queries = set(list(qrels)[: int(N * share)])
    which = RENAMED[kind]
    now = renamed(ruined(run) if engine == "ruined" else run, queries, which)
    judged = gate((run, qrels), (now, renamed(qrels, queries, which)), policy)
    assert judged.unjudged
    assert {one.facts()["verdict"] for one in judged.told} == {"unjudged"}
    said = judged.error.summary
    assert said.startswith(
        f"{len(queries)} of the baseline's {N} queries have hardly a judged document in its "
        "rankings, so there is nothing to compare with: have the ids changed?"
    )


@pytest.mark.parametrize("policy", POLICIES)
def test_the_few_that_may_be_gone_are_left_out_and_named(policy):
    """2 of 40 are the share that may go; the rest is compared, and a ruined engine fails."""
    run, qrels = collection(2)
    queries = {"q3", "q7"}
    judged = renamed(qrels, queries)
    good = gate((run, qrels), (renamed(run, queries), judged), policy)
    assert good.error is None
    [note] = [str(one) for one in good.warnings]
    assert "2 queries have hardly a judged document in the baseline (q3, q7)" in note
    assert "Compared on the 38 queries" in note
    bad = gate((run, qrels), (ruined(renamed(run, queries)), judged), policy)
    assert (bad.unjudged, bad.error.summary[:11]) == (False, "RR fell by ")


@pytest.mark.parametrize("policy", POLICIES)
def test_with_all_ids_new_no_word_lets_it_pass(policy):
    """max_gone says how many queries may be left out, not that nothing need be compared."""
    run, qrels = collection(3)
    new = renamed(ruined(run), set(qrels)), renamed(qrels, set(qrels))
    assert gate((run, qrels), new, policy, max_gone="off").unjudged


def fewer(qrels, share, seed):
    """Judgments without a share of the documents, drawn at random."""
    draw = random.Random(seed)
    return {q: {d: g for d, g in of.items() if draw.random() > share} for q, of in qrels.items()}


HARMLESS = {
    "nothing": lambda q: q,
    "another order": lambda q: dict(reversed([*q.items()])),
    "more documents judged": lambda q: {
        n: {**of, **{f"x{n[1:]}-{j}": 0 for j in range(3)}} for n, of in q.items()
    },
    "a query more": lambda q: {**q, "extra": {"g": 1}},
    "one query less": lambda q: dict([*q.items()][1:]),
    "another scale": lambda q: {n: {d: 3 * g for d, g in of.items()} for n, of in q.items()},
    "grades as floats": lambda q: {n: {d: float(g) for d, g in of.items()} for n, of in q.items()},
    "those that are not relevant left out": lambda q: {
        n: {d: g for d, g in of.items() if g} for n, of in q.items()
    },
    "judges changed their minds": lambda q: {
        n: ({d: 1 - g for d, g in of.items()} if int(n[1:]) % 4 == 0 else of) for n, of in q.items()
    },
    "2 % fewer": lambda q: fewer(q, 0.02, 5),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", HARMLESS)
def test_changed_judgments_of_the_same_ids_are_compared(policy, kind):
    """The same engine passes, and a ruined one fails by its fall."""
    run, qrels = collection(4)
    judged = HARMLESS[kind](qrels)
    now = {**run, "extra": ["g"]} if "extra" in judged else run
    assert gate((run, qrels), (now, judged), policy).error is None
    bad = gate((run, qrels), (ruined(now), judged), policy)
    assert (bad.unjudged, bad.error is not None) == (False, True)


def test_a_file_of_an_earlier_release_has_no_grades():
    """There a ranking that scored and holds no judged document any more says it."""
    run, qrels = collection(6)
    entry = Baseline.of(evaluate(run, qrels, "RR"), qrels).entry()
    entry["queries"] = {q: line[:2] for q, line in entry["queries"].items()}
    kept = Baseline.read(entry)
    queries = set(qrels)
    new = Gate(renamed(run, queries), renamed(qrels, queries), "RR", {}).against(kept)
    assert judge(new, made({}), reveal="all").unjudged
    same = Gate(ruined(run), HARMLESS["another scale"](qrels), "RR", {}).against(kept)
    assert not judge(same, made({}), reveal="all").unjudged


@pytest.mark.parametrize("grades", [[1], {"0": 1}, {"9": 1}, {"1": "1"}, {"a": 1}, {"1": True}])
def test_grades_that_fit_no_ranking_are_refused(grades):
    """As all odd parts of a file."""
    run, qrels = collection(7)
    entry = Baseline.of(evaluate(run, qrels, "RR"), qrels, depth=8).entry()
    entry["queries"]["q1"][2] = grades
    with pytest.raises(Outdated, match="'q1': its grades by rank are"):
        Baseline.read(entry)


NONE = {"q1": ["x", "y"], "q2": ["z"]}
FOUND = {"q1": ["a", "x"], "q2": ["b"]}
JUDGED = {"q1": {"a": 1}, "q2": {"b": 1}}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("run", [NONE, FOUND])
def test_two_runs_are_not_compared_over_nothing_either(policy, run):
    """A baseline without a judged document scores 0, and nothing is worse than 0."""
    with pytest.raises(RankingAssertionError, match="have hardly a judged document"):
        assert_no_regression(run, NONE, JUDGED, "RR P@1", policy=policy)


def test_a_baseline_at_the_least_score_is_told():
    """With grades of 0 no ranking scores more, so none can be missed."""
    judged = {q: dict.fromkeys(of, 0) for q, of in JUDGED.items()}
    with pytest.warns(BaselineWarning, match="RR of the baseline is 0, the least there is"):
        assert_no_regression(FOUND, FOUND, judged, "RR", policy="strict")


def test_a_measure_that_is_not_asked_for_any_more_is_told():
    """Nobody looks at it from now on."""
    run, qrels = collection(8)
    kept = Baseline.of(evaluate(run, qrels, "nDCG@10 RR P@1"), qrels)
    found = judge(Gate(run, qrels, "RR", {}).against(kept), made({}), reveal="all")
    [note] = [str(one) for one in found.warnings]
    assert note == "Not asked for any more: P@1, nDCG@10, which the baseline has"


@pytest.mark.parametrize("found", [1, 2, 4])
def test_a_missing_query_explains_a_low_mean(found):
    """The queries of the run score 1, so nothing of them does."""
    qrels = {f"q{i}": {"a": 1} for i in range(5)}
    run = {f"q{i}": ["a"] for i in range(5 - found, 5)}
    with pytest.raises(RankingAssertionError) as caught:
        assert_ndcg(run, qrels, k=10, at_least=0.9)
    assert "q0, step by step:" in caught.value.lines
    assert any("not retrieved: a" in line for line in caught.value.lines)


def test_the_highest_explains_a_mean_that_is_too_high():
    """A query that scores all there is, too."""
    with pytest.raises(RankingAssertionError) as caught:
        assert_ndcg({"q1": ["a"]}, {"q0": {"a": 1}, "q1": {"a": 1}}, k=10, at_most=0.1)
    assert "q1, step by step:" in caught.value.lines


def test_negative_grades_are_no_judgments():
    """They are padding, so nothing is judged."""
    judged = {q: dict.fromkeys(of, -1) for q, of in JUDGED.items()}
    with pytest.raises(RankingAssertionError, match="have hardly a judged document"):
        assert_no_regression(FOUND, FOUND, judged, "RR", policy="strict")


# Answers: their parts and judgments are new each time.


def claims(grades, words):
    """The judged claims of nine answers."""
    return judge_claims(
        {f"q{i}": {f"{words} {j}": grade for j, grade in enumerate(grades)} for i in range(9)}
    )


def citations(grades, words):
    """The judged statements and citations of nine answers."""
    rows = []
    for i in range(9):
        said = [
            {"text": f"{words} {j}", "supported": bool(grade), "citations": {words: bool(grade)}}
            for j, grade in enumerate(grades)
        ]
        rows.append({"qid": f"q{i}", "statements": said})
    return judge_citations(rows)


ANSWERS = {
    "claims": claims,
    "statements": lambda *given: citations(*given).statements,
    "citations": lambda *given: citations(*given).citations,
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", ANSWERS)
@pytest.mark.parametrize("words", ["the same", "other words"])
def test_answers_drawn_anew_are_compared_by_their_scores(policy, kind, words):
    """The share of supported parts fell from 1 to 1/2 or 0, or it did not."""
    good = ANSWERS[kind]((1, 1), "the same")
    for grades, fell in (((1, 1), 0.0), ((1, 0), 0.5), ((0, 0), 1.0), ((1, 1, 1), 0.0)):
        judged = gate(good, ANSWERS[kind](grades, words), policy, "P")
        assert judged.unjudged is False
        if fell:
            assert judged.error.summary.startswith(f"P fell by {fell:.4f} > 0.0100")
        else:
            assert (judged.error, judged.warnings) == (None, [])


def test_nuggets_keep_their_key():
    """So the kept answer is scored again, where the importance of a nugget changed."""

    def nuggets(importance, *assignments):
        parts = [
            {"text": f"n{j}", "importance": importance, "assignment": one}
            for j, one in enumerate(assignments)
        ]
        return judge_nuggets([{"qid": f"q{i}", "nuggets": parts} for i in range(9)])

    good = nuggets("okay", "support", "support")
    bad = gate(good, nuggets("vital", "support", "not_support"), measures="R")
    assert bad.error.summary.startswith("R fell by 0.5000 > 0.0100")
    assert gate(good, nuggets("vital", "support", "support"), measures="R").error is None


# What is kept.

WRITES = """
import os
KIND = os.environ.get("KIND", "good")
Q = {f"q{i}": {"a": 1, "b": 0} for i in range(40)}
RUN = {q: ["a", "x"] for q in Q}
MEASURES = "RR"
OPTIONS = {}
if KIND.startswith("skip"):
    OPTIONS = {"missing_queries": "skip"}
if KIND == "other ids":
    RUN = {q: ["DOC1", "DOC2"] for q in Q}
if KIND == "all grades 0":
    Q = {q: dict.fromkeys(of, 0) for q, of in Q.items()}
if KIND == "all grades negative":
    Q = {q: dict.fromkeys(of, -1) for q, of in Q.items()}
if KIND == "one measure of two":
    RUN = {q: ["x", "a"] for q in Q}
    MEASURES = "RR P@1"
if KIND == "most empty":
    RUN = {q: ["a"] if q == "q0" else [] for q in Q}
if KIND in ("most missing", "skip most"):
    RUN = {"q0": ["a"]}
if KIND in ("a tenth missing", "skip a tenth"):
    RUN = {q: r for q, r in RUN.items() if q not in ("q1", "q2", "q3", "q4")}
if KIND == "a tenth empty":
    RUN = {q: [] if q in ("q1", "q2", "q3", "q4") else r for q, r in RUN.items()}
if KIND == "two empty":
    RUN = {q: [] if q in ("q1", "q2") else r for q, r in RUN.items()}
if KIND == "a tenth not judged":
    Q = {q: of for q, of in Q.items() if q not in ("q1", "q2", "q3", "q4")}
    RUN = {q: ["x", "a"] for q in Q}
if KIND == "new ids":
    Q = {q: {"A": 1} for q in Q}
    RUN = {q: ["x", "A"] for q in Q}

def test_it(irm_baseline):
    irm_baseline(RUN, Q, MEASURES, policy="strict", **OPTIONS)
"""


@pytest.fixture
def project(pytester, monkeypatch):
    """Sessions over one gate, and what its file holds."""
    pytester.makepyfile(test_it=WRITES)

    def session(kind, *options):
        monkeypatch.setenv("KIND", kind)
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", "-Wdefault", *options)

    session.file = pytester.path / "irm_baselines.json"
    return session


FIRST = {
    "other ids": "no judged document was retrieved: have the ids changed?",
    "all grades 0": "RR 0: the least there is",
    "all grades negative": "RR 0: the least there is",
    "one measure of two": "P@1 0: the least there is",
    "most empty": "39 of 40 queries find nothing (q1, q2, q3 ...)",
    "most missing": "39 of 40 queries find nothing (q1, q2, q3 ...)",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FIRST)
def test_a_first_baseline_that_can_t_be_missed_needs_the_word_all(project, kind):
    """Otherwise the gate would pass for ever."""
    result = project(kind, "--irm-update=new")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [f"*test_it.py::test_it: no baseline is written: *{FIRST[kind].replace('[', '[[]')}*"]
    )
    assert not project.file.exists()
    result = project(kind, "--irm-update=all")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"accepted: test_it.py::test_it, though *{FIRST[kind]}*"])
    assert project.file.exists()


LATER = {
    "other ids": "no judged document was retrieved: have the ids changed?",
    "one measure of two": "no baseline is written: P@1 0: the least there is",
    "new ids": "40 of the baseline's 40 queries have hardly a judged document",
}
UNANSWERED = ("most empty", "most missing", "a tenth missing", "a tenth empty")


@pytest.mark.slow
@pytest.mark.parametrize("kind", LATER)
def test_failing_accepts_no_such_run_in_the_place_of_another(project, kind):
    """The old baseline stays, and the gate fails; --irm-update=all is the word."""
    project("good", "--irm-update=new").assert_outcomes(passed=1)
    before = project.file.read_bytes()
    result = project(kind, "--irm-update=failing")
    result.assert_outcomes(failed=1)
    assert LATER[kind] in " ".join(result.outlines)
    assert project.file.read_bytes() == before
    project(kind, "--irm-update=all").assert_outcomes(passed=1)
    assert project.file.read_bytes() != before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "update"),
    [
        *itertools.product(UNANSWERED, ("failing", "all")),
        ("skip most", "all"),
        ("skip a tenth", "all"),
    ],
)
def test_no_update_leaves_many_queries_unanswered(project, kind, update):
    """Neither word alone accepts it; max_gone does, and then the queries stay named in the file."""
    start = "skip" if kind.startswith("skip") else "good"
    project(start, "--irm-update=new").assert_outcomes(passed=1)
    before = project.file.read_bytes()
    n = 39 if "most" in kind else 4
    result = project(kind, f"--irm-update={update}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [f"*no baseline is written, and the old one stays: it would leave {n} queries unanswered*"]
    )
    assert project.file.read_bytes() == before
    project(kind, f"--irm-update={update}", "--irm-max-gone=off").assert_outcomes(passed=1)
    [entry] = json.loads(project.file.read_text(encoding="utf-8"))["baselines"].values()
    if "empty" not in kind:
        assert len(entry["lacked"]) == n
    if kind.startswith("skip"):
        later = project(start)
        later.stdout.fnmatch_lines(
            [f"*The baseline was written without {n} of 40 judged queries*q1*"]
        )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["two empty", "a tenth not judged"])
def test_what_may_be_gone_is_updated_as_ever(project, kind):
    """Two of 40 are the share that may go, and a query that nobody judges is not unanswered."""
    project("good", "--irm-update=new").assert_outcomes(passed=1)
    project(kind, "--irm-update=failing").assert_outcomes(passed=1)
    project(kind).assert_outcomes(passed=1)
