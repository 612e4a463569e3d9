"""Evaluating runs: means, counts that are said, views that agree, and properties that must hold."""

import csv
import html
import io
import json
import math
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import InputError, average_precision, compare, evaluate, ndcg
from irmetrics_edu.engine.run import Run
from irmetrics_edu.libraries import TREC_EVAL, bundle
from irmetrics_edu.metrics.notation import measures
from irmetrics_edu.runs.evaluation_plots import bars, plot_queries
from irmetrics_edu.runs.joining.joined_run import Joined
from irmetrics_edu.runs.joining.judgments import Judged
from irmetrics_edu.views.plotting import figure_bytes, pyplot

from .test_against_trec_eval import generated

RUN = {"q1": {"a": 0.9, "b": 0.5}, "q3": {"a": 1.0}}
QRELS = {"q1": {"b": 1, "c": 0}, "q2": {"a": 1}, "q4": {"a": 0}}
ALL = "nDCG@10 nDCG AP AP@5 RR RR@3 P@5 R@5 Rprec bpref infAP Success@1 ERR RBP Q Judged@5"


def test_the_default_measures_of_a_small_run_by_hand() -> None:
    """B stands second of two: RR 1/2, AP 1/2, nDCG 1/log2(3); the missing query scores 0."""
    e = evaluate({"q1": ["a", "b"]}, {"q1": {"b"}, "q2": {"x"}}, "RR AP nDCG@10")
    assert e.per_query["RR"] == {"q1": 0.5, "q2": 0.0}
    assert e.mean == {"RR": 0.25, "AP": 0.25, "nDCG@10": pytest.approx(0.5 / math.log2(3))}


def test_every_count_that_is_not_zero_is_said_in_every_text() -> None:
    """Missing, unjudged and irrelevant queries and unjudged documents are in all renderings."""
    e = evaluate(RUN, QRELS, "RR nDCG@10")
    assert (e.counts.missing, e.counts.not_judged) == (["q2", "q4"], ["q3"])
    assert e.counts.without_relevant == ["q4"]
    assert e.counts.unjudged_documents == {10: 1, None: 1}
    for shown in (e.text(), e.markdown(), e.html(), e.latex(), e.text(per_query=True), e.json()):
        assert re.search("2 judged queries are not in the run and score 0: q2, q4", shown)
        assert "1 query of the run is not judged and is left out: q3" in shown
        assert "1 query has no relevant document: q4" in shown
        assert "1 of 2 documents retrieved is not judged" in shown
        assert "at ranks 1 to 10" not in shown  # it would say the same again


def test_where_all_is_well_nothing_is_noted() -> None:
    """A complete run has no notes, so that a note is news."""
    e = evaluate({"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 0}}, "AP")
    assert e.notes() == ()


def test_documents_in_ties_are_counted_as_the_library_sees_them() -> None:
    """Scores that 32 bits don't tell apart are ties for trec_eval, not for 64 bits."""
    run, qrels = {"q": {"a": 0.123456789, "b": 0.1234567891, "c": 0.5}}, {"q": {"a": 1}}
    assert evaluate(run, qrels, "AP").counts.tied == 2
    assert evaluate(run, qrels, "AP", scores="float64").counts.tied == 0


def test_missing_queries_can_be_dropped_or_refused() -> None:
    """The convention decides whether a missing query scores 0, is left out, or is an error."""
    assert evaluate(RUN, QRELS, "RR")["RR"] == pytest.approx(0.5 / 3)
    dropped = evaluate(RUN, QRELS, "RR", missing_queries="skip")
    assert (dropped["RR"], list(dropped.queries)) == (0.5, ["q1"])
    assert "2 judged queries are not in the run and are left out" in dropped.text()
    with pytest.raises(InputError, match="query 'q2' is judged but not in the run"):
        evaluate(RUN, QRELS, "RR", missing_queries="refuse")
    with pytest.raises(InputError, match="query 'q3' is in the run but not judged"):
        evaluate(RUN, QRELS, "RR", unjudged_queries="refuse")


def test_queries_keep_their_names_when_others_are_left_out() -> None:
    """An error names the query that it is about, not the one that stood in its place."""
    run = {"q1": ["a", "b"], "q3": ["a", "b"]}
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}, "q3": {"a": 1, "b": 1}}
    with pytest.raises(InputError, match="query 'q3': no two documents"):
        evaluate(run, qrels, "pair_accuracy(undefined=refuse)", missing_queries="skip")


def test_queries_without_relevant_documents_can_be_skipped() -> None:
    """A measure that skips them averages the others, and says how many it left out."""
    run, qrels = {"q1": ["a"], "q2": ["a"]}, {"q1": {"a": 1}, "q2": {"a": 0}}
    assert evaluate(run, qrels, "AP")["AP"] == 0.5
    e = evaluate(run, qrels, "AP", no_relevant="skip")
    assert e["AP"] == 1.0
    assert "AP: 1 query without relevant documents is left out: q2" in e.text()
    assert json.loads(e.json())["per_query"]["AP"]["q2"] is None


def test_ids_that_differ_only_in_type_or_blanks_are_refused() -> None:
    """A query id that matches after a change is an error that names both."""
    same = "query 301: differs from the judged query '301' only in type"
    with pytest.raises(InputError, match=same):
        evaluate({301: {"a": 1.0}}, {"301": {"a": 1}}, "AP")
    with pytest.raises(InputError, match="only in white space"):
        evaluate({"301 ": {"a": 1.0}}, {"301": {"a": 1}}, "AP")
    with pytest.raises(InputError, match="no query of the run is judged"):
        evaluate({"x": {"a": 1.0}}, {"y": {"a": 1}}, "AP")


def test_measures_are_found_however_they_are_written() -> None:
    """Names of the field, of trec_eval and of aggregates, and metrics, name the same measures."""
    e = evaluate(RUN, QRELS, [ndcg @ 10, "map", "GMAP", "MRR"])
    assert list(e.mean) == ["nDCG@10", "AP", "GMAP", "MRR"]
    assert e["ndcg_cut_10"] == e[ndcg @ 10] == e["nDCG@10"]
    assert e["AP"] == e.mean[average_precision]
    assert [m.name for m in measures("nDCG(gain=exp)@10 P(rel=2)@5")] == [
        "nDCG(gain=exp)@10",
        "P(rel=2)@5",
    ]
    with pytest.raises(InputError, match="RR was not evaluated; there are nDCG@10, AP"):
        e.working("RR", "q1")


def test_gmap_is_the_geometric_mean_with_the_floor_of_trec_eval() -> None:
    """The nth root of the product, a score of 0 counting as 0.00001; without the floor it is 0."""
    run = {"q1": ["a"], "q2": ["x", "a"], "q3": ["x"]}
    qrels = {q: {"a": 1} for q in run}
    assert evaluate(run, qrels, "gm_map")["GMAP"] == pytest.approx((1 * 0.5 * 1e-5) ** (1 / 3))
    assert evaluate(run, qrels, "GMAP", "irmetrics_edu")["GMAP"] == 0.0


def test_one_order_serves_measures_that_name_none() -> None:
    """RR and RR@1000 can't disagree in ties; a measure may have an order of its own."""
    run, qrels = generated(3)
    e = evaluate(run, qrels, "RR RR@1000 RR@40")
    assert e.per_query["RR"] == e.per_query["RR@1000"] == e.per_query["RR@40"]
    tied = {"q": {"b": 1, "a": 1}}
    both = evaluate(tied, {"q": {"a": 1}}, ["RR", "RR(ties=docid_ascending)"])
    assert list(both.mean.values()) == [0.5, 1.0]


def test_the_working_of_a_query_has_every_rank_and_the_same_score() -> None:
    """A working shows unjudged documents too, and its value is the score in the table."""
    run, qrels = generated(1)
    e = evaluate(run, qrels, ALL)
    for name in e.mean:
        for query in e.queries:
            w = e.working(name, query)
            assert w.value == pytest.approx(e.per_query[name][query], abs=1e-12)
            assert len(w.rows.rank) == len(run.get(query, {}))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("conventions", ["trec_eval", "pytrec_eval", "irmetrics_edu"])
def test_all_queries_at_once_score_as_each_alone(seed: int, conventions: str) -> None:
    """The fast way to rows and the plain one give the same scores and counts."""
    run, qrels = generated(seed)
    by = bundle(conventions)
    fast, plain = (Joined(Run(run), Judged(qrels), by) for _ in range(2))
    for m in measures(ALL):
        metric = by.settle(m.metric)
        ways = fast.rows(metric), plain.one_by_one(metric)
        a, b = (metric.measured(rows, metric.k).score for rows in ways)
        np.testing.assert_allclose(a, b, atol=1e-12, err_msg=m.name)
    assert fast.tied() == plain.tied() > 0


@pytest.mark.slow
@given(st.integers(0, 50), st.randoms(use_true_random=False))
def test_renaming_documents_keeps_scores_where_nothing_is_tied(seed: int, rng: Any) -> None:
    """Ids are names only: without ties, other names give the same scores."""
    run, qrels = generated(seed)
    run = {q: {d: float(i) for i, d in enumerate(rng.sample(sorted(s), len(s)))}
           for q, s in run.items()}  # fmt: skip
    ids = sorted({d for s in [*run.values(), *qrels.values()] for d in s})
    other = dict(zip(ids, rng.sample(ids, len(ids)), strict=True))
    renamed = evaluate(
        {q: {other[d]: s for d, s in docs.items()} for q, docs in run.items()},
        {q: {other[d]: g for d, g in docs.items()} for q, docs in qrels.items()},
        ALL,
    )
    before = evaluate(run, qrels, ALL)
    for name in before.mean:
        assert renamed.per_query[name] == pytest.approx(before.per_query[name], abs=1e-12)


@pytest.mark.slow
@given(st.integers(0, 50), st.randoms(use_true_random=False))
def test_the_order_of_the_input_keeps_scores(seed: int, rng: Any) -> None:
    """With ties settled by id, the order of lines in run and judgments means nothing."""
    run, qrels = generated(seed)

    def shuffled(table: Any) -> Any:
        queries = rng.sample(sorted(table), len(table))
        return {q: {d: table[q][d] for d in rng.sample(sorted(table[q]), len(table[q]))}
                for q in queries}  # fmt: skip

    before = evaluate(run, qrels, ALL)
    after = evaluate(shuffled(run), shuffled(qrels), ALL)
    for name in before.mean:
        assert after.per_query[name] == pytest.approx(before.per_query[name], abs=1e-12)
        assert after.mean[name] == pytest.approx(before.mean[name], abs=1e-12)


@given(st.integers(0, 50), st.integers(5, 20))
def test_split_queries_join_to_the_same_evaluation(seed: int, cut: int) -> None:
    """Two halves of the queries give the scores of the whole, and its mean by their sizes."""
    run, qrels = generated(seed)
    names = list(qrels)
    whole = evaluate(run, qrels, ALL)
    halves = [
        evaluate(run, {q: qrels[q] for q in part}, ALL) for part in (names[:cut], names[cut:])
    ]
    for name in whole.mean:
        joined = {**halves[0].per_query[name], **halves[1].per_query[name]}
        assert joined == pytest.approx(whole.per_query[name], abs=1e-12)
        mean = sum(h.mean[name] * len(h.queries) for h in halves) / len(names)
        assert mean == pytest.approx(whole.mean[name], abs=1e-12)


def test_novelty_and_recommendation_are_evaluated_too() -> None:
    """Judgments of nuggets and inputs besides, such as categories, reach the measures they suit."""
    e = evaluate({"q": ["a", "b"]}, {"q": {"a": {"A", "B"}, "b": {"A"}}}, "alpha_nDCG@2 S-recall@1")
    assert e["S-recall@1"] == 1.0
    with pytest.raises(InputError, match=r"DCC.*needs categories"):
        evaluate({"q": ["a"]}, {"q": {"a"}}, "DCC(alpha=0.01,n_categories=2)")
    e = evaluate(
        {"q": ["a"]}, {"q": {"a"}}, "DCC(alpha=0.01,n_categories=2)", categories={"a": {"x"}}
    )
    assert e.mean["DCC(alpha=0.01,n_categories=2)"] > 0
    with pytest.raises(
        InputError, match=r"none of the measures \(AP\) takes categories; those that do are CC"
    ):
        evaluate({"q": ["a"]}, {"q": {"a"}}, "AP", categories={})


def test_views_hold_the_same_numbers() -> None:
    """CSV, JSON, frame and table read back to the scores of the evaluation."""
    e = evaluate(RUN, QRELS, "RR nDCG@10", name="mine")
    rows = list(csv.DictReader(io.StringIO(e.csv())))
    assert {(r["measure"], r["query"]): float(r["score"]) for r in rows} == {
        **{(m, q): s for m, by in e.per_query.items() for q, s in by.items()},
        **{(m, "all"): s for m, s in e.mean.items()},
    }
    read = json.loads(e.json())
    assert read["mean"] == e.mean
    assert read["per_query"] == e.per_query
    assert read["conventions"]["ties"] == "docid"
    frame = e.frame()
    assert frame.loc["q1", "RR"] == 0.5
    assert frame["RR"].mean() == pytest.approx(e["RR"])
    assert r"\begin{tabular}{lr}" in e.latex()
    assert "| RR | 0.1667 |" in e.markdown()
    assert "<td>0.1667</td>" in e._repr_html_()


def test_the_text_of_trec_eval() -> None:
    """Names, padding, tabs, order and four digits are those that trec_eval prints."""
    e = evaluate(RUN, QRELS, "P@10 GMAP RR map nDCG@10 recall_100 RBP", name="STANDARD")
    assert e.trec(per_query=True) == (
        "num_ret               \tq1\t2\n"
        "num_rel               \tq1\t1\n"
        "num_rel_ret           \tq1\t1\n"
        "map                   \tq1\t0.5000\n"
        "recip_rank            \tq1\t0.5000\n"
        "P_10                  \tq1\t0.1000\n"
        "recall_100            \tq1\t1.0000\n"
        "ndcg_cut_10           \tq1\t0.6309\n"
        "RBP                   \tq1\t0.1600\n"
        "runid                 \tall\tSTANDARD\n"
        "num_q                 \tall\t3\n"
        "num_ret               \tall\t2\n"
        "num_rel               \tall\t2\n"
        "num_rel_ret           \tall\t1\n"
        "map                   \tall\t0.1667\n"
        "gm_map                \tall\t0.0004\n"
        "recip_rank            \tall\t0.1667\n"
        "P_10                  \tall\t0.0333\n"
        "recall_100            \tall\t0.3333\n"
        "ndcg_cut_10           \tall\t0.2103\n"
        "RBP                   \tall\t0.0533"
    )


def test_the_summary_has_quartiles_and_an_interval() -> None:
    """Mean, spread and quartiles are numpy's; the interval is Student's t."""
    run, qrels = generated(2)
    e = evaluate(run, qrels, "AP GMAP")
    table = e.summary()
    line = dict(zip(table.header, table.lines[0], strict=True))
    scores = list(e.per_query["AP"].values())
    assert line["mean"] == pytest.approx(np.mean(scores))
    assert line["sd"] == pytest.approx(np.std(scores, ddof=1))
    assert line["median"] == pytest.approx(np.median(scores))
    assert line["low"] < line["mean"] < line["high"]
    half = 2.0687 * line["sd"] / math.sqrt(len(scores))  # t of 23 degrees of freedom, for 95 %
    assert line["high"] - line["low"] == pytest.approx(2 * half, rel=1e-4)
    wide = e.summary(confidence=0.999999).lines[0]
    assert wide[-2] == 0  # a mean of AP can't be below
    geometric = dict(zip(table.header, table.lines[1], strict=True))
    assert geometric["low"] < geometric["mean"] < geometric["high"]


def test_a_plot_has_a_bar_per_query_best_first() -> None:
    """The bars are the scores in falling order."""
    plt = pytest.importorskip("matplotlib.pyplot")
    run, qrels = generated(2)
    e = evaluate(run, qrels, "AP")
    ax = e.plot()
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == sorted(e.per_query["AP"].values(), reverse=True)
    plt.close(ax.figure)


def test_levels_of_recall_alone_are_plotted_as_a_curve() -> None:
    """Their means by rising recall; beside another measure, or named, they have bars of queries."""
    plt = pytest.importorskip("matplotlib.pyplot")
    run, qrels = generated(2)
    e = evaluate(run, qrels, "IPrec@1.0 IPrec@0.0 IPrec@0.5")
    (curve,) = e.plot().lines
    means = [e.mean["IPrec@0.0"], e.mean["IPrec@0.5"], e.mean["IPrec@1.0"]]
    assert [list(values) for values in curve.get_data()] == [[0, 0.5, 1], means]
    assert e.plot("IPrec@0.5").patches
    assert evaluate(run, qrels, "IPrec@0.5 AP").plot().patches
    plt.close("all")


def test_a_bundle_changes_by_name_and_refuses_what_it_lacks() -> None:
    """Conventions can be exchanged one by one; an unknown name is told what is near."""
    assert TREC_EVAL.using(ties="given").ties.name == "given"
    with pytest.raises(InputError, match="conventions have no 'tie'"):
        TREC_EVAL.using(tie="given")
    with pytest.raises(InputError, match=r"known choice; did you mean averaged\? use one of given"):
        TREC_EVAL.using(ties="random")
    with pytest.raises(InputError, match=r"did you mean trec_eval\? `irmetrics-edu conv"):
        bundle("trec")


@pytest.mark.parametrize("missing", [True, False])
def test_nuggets_of_a_whole_run_score_as_query_by_query(missing: bool) -> None:
    """With ties and a missing query or without, alpha-nDCG is that of each query alone."""
    run, qrels = generated(5)
    nuggets = {
        q: {d: {"ABC"[i] for i in range(3) if (len(d) + g + i) % 2} for d, g in judged.items()}
        for q, judged in qrels.items()
        if missing or q in run
    }
    e = evaluate(run, nuggets, "alpha_nDCG@10 S-recall@5")
    by = bundle("trec_eval")
    plain = Joined(Run(run), Judged(nuggets), by)
    for m in e.measures:
        expected = m.metric.measured(plain.one_by_one(m.metric), m.metric.k).score
        np.testing.assert_allclose(e.scores[m.name], expected, atol=1e-12)


def test_the_lowest_queries_come_first_and_ties_as_judged() -> None:
    """Near-equal scores tie; a query without a score is left out; n is checked."""
    qrels = {"q3": {"a": 1}, "q1": {"a": 1}, "q2": {"a": 1}, "q0": {"a": 0}}
    run = {"q3": ["b", "a"], "q1": ["b", "a"], "q2": ["a"], "q0": ["a"]}
    found = evaluate(run, qrels, "RR AP", no_relevant="skip")
    assert found.lowest(10) == ["q3", "q1", "q2"]
    assert [line[0] for line in found.worst(2, "AP").lines] == ["q3", "q1"]
    assert found.explain("q1").text.startswith("RR(no_relevant=skip) = 1 / rank of the first")
    with pytest.raises(
        InputError, match="n=0 is not possible; give a whole number of at least 1 query"
    ):
        found.worst(0)
    with pytest.raises(InputError, match="'q9' was not evaluated; give one of its 4, such as 'q"):
        found.explain("q9")


def test_a_plot_of_levels_has_a_curve_for_each_run() -> None:
    """Compared by interpolated precisions alone; a run or a measure by name has bars."""
    run, qrels = generated(2)
    short = {query: dict(list(ranked.items())[:2]) for query, ranked in run.items()}
    c = compare({"<a>": run, "b$": short}, qrels, "IPrec@1.0 IPrec@0.0")
    axes = c.plot()
    for curve, means in zip(axes.lines, c.means.values(), strict=True):
        assert list(curve.get_ydata()) == [means["IPrec@0.0"], means["IPrec@1.0"]]
    named = [text.get_text() for text in axes.get_legend().get_texts()]
    assert named == ["<a>", r"b\$"]
    assert c.plot(measure="IPrec@0.0").patches
    pyplot().close("all")


def test_a_plot_of_many_queries_names_the_outermost_and_each_in_its_tooltip() -> None:
    """Five at each end in print, in whole; in SVG all, as text that a browser does not obey."""
    names = ["<b>$x$", *(f"query {i:02}" for i in range(58)), "l" * 200]
    values = {name: 1 - i / 10 for i, name in enumerate(names)}
    axes = plot_queries(values, 0.5, "gain", gains=True)
    below = "".join(axes.get_xlabel().split())
    assert r"best:<b>\$x\$,query00,query01,query02,query03last:" in below
    assert below.endswith("query54,query55,query56,query57," + "l" * 200)
    assert max(map(len, axes.get_xlabel().splitlines())) <= 92  # two dollars are escaped
    drawn = figure_bytes(axes.figure, "svg").decode()
    titles = [html.unescape(title) for title in re.findall("<g><title>(.*?)</title>", drawn)]
    assert titles == [f"{name}: {value:.4f}" for name, value in values.items()]
    assert "<b>" not in drawn


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95])
def test_a_confidence_is_a_share(confidence: float) -> None:
    """Neither none nor certainty, and no percentage."""
    e = evaluate({"q": ["a"]}, {"q": {"a": 1}}, "AP")
    with pytest.raises(InputError, match="is out of range; give a number in"):
        e.summary(confidence=confidence)


def test_bars_show_gains_and_losses_in_their_colours() -> None:
    """A bar a query to the edge of the axis; an area for each sign where queries are many."""
    few, many = pyplot().subplots(1, 2)[1]
    bars(few, ["a", "b", "c"], np.array([0.5, -0.5, 0.0]))
    colours = [bar.get_facecolor() for bar in few.patches]
    assert colours[0] == colours[2] != colours[1]
    assert few.get_xlim() == (-0.6, 2.6)
    bars(many, [str(i) for i in range(1_200)], np.linspace(1, -1, 1_200))
    gains, losses = (area.get_paths()[0].get_extents() for area in many.collections)
    assert (gains.ymax, losses.ymin) == (1, -1)
    assert 598 < gains.xmax < 600 < losses.xmax
    pyplot().close("all")
    axes = evaluate({"q": ["a"]}, {"q": {"a": 1}}, "AP").plot("AP")
    assert axes.get_xlabel() == "1 queries, best first"
    pyplot().close("all")


def test_tables_that_look_swapped_are_told(tmp_path):
    """Files and frames with the same columns in both places, as those of BEIR."""
    head = "query-id\tcorpus-id\tscore\n"
    (tmp_path / "run.tsv").write_text(head + "q1\ta\t2.5\nq1\tb\t1.25\nq2\ta\t0.37\n")
    (tmp_path / "qrels.tsv").write_text(head + "q1\ta\t1\nq1\tb\t0\nq2\ta\t2\n")
    paths = [tmp_path / "run.tsv", tmp_path / "qrels.tsv"]
    frames = [pd.read_csv(path, sep="\t") for path in paths]
    for run, qrels in (paths, frames):
        assert "swapped" not in " ".join(evaluate(run, qrels, "nDCG").notes())
        assert "are they swapped?" in evaluate(qrels, run, "nDCG").notes()[0]
        with pytest.raises(
            InputError, match=r"grade 0\.37 .*if the run and the judgments are swap"
        ):
            evaluate(qrels, run, "AP")
    with pytest.raises(InputError) as refused:
        evaluate({"q": ["a"]}, {"q": {"a": 0.5}}, "AP")
    assert "swapped" not in str(refused.value)


def test_a_run_and_judgments_that_look_swapped_are_told():
    """Whole numbers in the run and scores in the judgments; lists and sets have no such look."""
    run = {"q1": {"a": 2.5, "b": 1.25}, "q2": {"a": 1.5}}
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}}
    assert "are they swapped?" in evaluate(qrels, run, "nDCG@10").notes()[0]
    for one, other in ((run, qrels), (qrels, qrels), ({"q1": ["b", "a"]}, {"q1": ["a", "c"]})):
        assert not evaluate(one, other, "nDCG@10").swapped
