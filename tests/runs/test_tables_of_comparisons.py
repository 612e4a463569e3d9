"""What is said beside a comparison, and which queries and documents it names, by plain tables."""

import math
from itertools import permutations, product
from types import SimpleNamespace

import pytest

from irmetrics_edu import compare, evaluate
from irmetrics_edu.errors import InputError, MissingExtra
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.notation import measures as measures_of
from irmetrics_edu.runs.compared_queries import _greatest, changed_most, query_table
from irmetrics_edu.runs.comparison import Comparison, _baseline, _in_common
from irmetrics_edu.runs.comparison_notes import (
    _beyond_the_test,
    _correction,
    _number_of_each,
    _said_once,
    unjudged_notes,
    verdict,
)
from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.evaluation_plots import levels_of, plot_levels, plot_queries
from irmetrics_edu.runs.moves import Move, Moves, _left_over, _note, parts_of
from irmetrics_edu.runs.notes import Note, NoteKind, of_queries
from irmetrics_edu.runs.printed_scores import (
    PrintedScores,
    _is_of_ir_measures,
    _is_wide,
    _refuse_gaps,
    read_scores,
)
from irmetrics_edu.runs.rank_change import RankChange
from irmetrics_edu.runs.segments import long_texts, named, quoted, read_weights, some
from irmetrics_edu.runs.significance import Swapping, TestPlan, Ways
from tests.tables import rows as each_row

# -- the notes


@each_row("groups", range(4))
@each_row("runs", [1, 2])
@each_row("measures", [1, 3])
@each_row("family", ["measure", "all"])
def test_a_mark_in_a_group_says_over_what_it_is_corrected(groups, runs, measures, family):
    """Nothing where one test is all there is."""
    tests = dict.fromkeys(range(runs * measures))
    comparison = SimpleNamespace(
        groups={g: SimpleNamespace(tests=tests) for g in range(groups)},
        plan=TestPlan(family=family),
        paired=["m"] * measures,
    )
    said = Comparison._note_on_groups(comparison)
    number = groups * runs * measures
    if number < 2:
        assert said == []
    elif family == "all":
        assert said == [
            f"in groups: p is corrected by Holm over all {number} comparisons in groups"
        ]
    else:
        over = f"the {groups * runs} comparisons in groups of it"
        assert said == [f"in groups: of each measure, p is corrected by Holm over {over}"]


def difference(p=0.5, least=0.01, wins=1, losses=0, number=9999):
    """A test of one run in one measure."""
    return SimpleNamespace(
        p={"randomisation": p, "t": p},
        least=least,
        wins=wins,
        losses=losses,
        swapping=Ways(Swapping.DRAWN, number, 0),
    )


@each_row("runs", [1, 2, 5])
@each_row("measures", [1, 2])
@each_row("family", ["measure", "all"])
def test_over_what_p_is_corrected_is_said(runs, measures, family):
    """Of one comparison nothing; of one run in several measures that it is not."""
    tested = {(f"r{i}", f"m{j}"): None for i, j in product(range(runs), range(measures))}
    said = _correction(tested, TestPlan(family=family))
    number = runs * measures
    if number == 1:
        assert said == ""
    elif measures == 1 or family == "all":
        assert said == f", corrected by Holm over {number} comparisons"
    elif runs == 1:
        assert said == f", not corrected over the {measures} measures"
    else:
        assert said == f", corrected by Holm over the {runs} comparisons of each measure"


@each_row("marked", [False, True])
@each_row("test", ["randomisation", "t", "wilcoxon", "sign"])
@each_row("p", [0.01, math.nan])
@each_row("moves", [(0, 0), (1, 0), (0, 2)])
def test_the_verdict_says_what_a_mark_means_and_how_p_was_found(marked, test, p, moves):
    """The draws of the randomisation test alone, of comparisons in which a query differs."""
    wins, losses = moves
    one = difference(wins=wins, losses=losses)
    one.p = {test: p}
    found = verdict(
        {("r", "m"): one}, {("r", "m")} if marked else set(), baseline="b", plan=TestPlan(test)
    )
    how = {"t": "paired t-test", "wilcoxon": "Wilcoxon's signed-rank test"}
    words = how.get(test, f"{test} test")
    if test == "randomisation":
        words += f" ({'9,999 resamples, seed 0' if any(moves) else 'no query differs'})"
    if marked:
        assert found[0] == f"* differs from b: p < 0.05, {words}"
    else:
        assert found[0] == f"no difference from b is significant: p >= 0.05, {words}"
    assert any("has no p of one query" in note for note in found) is math.isnan(p)


@each_row("few", range(7))
@each_row("least", [0.049, 0.05, 0.5])
def test_comparisons_that_can_not_be_significant_are_named(few, least):
    """Up to four by name; a least p that is the level is not below it."""
    differing = {(f"r{i}", "m"): difference(least=least) for i in range(few)}
    found = _beyond_the_test(differing, 9, 0.05)
    if not few or least < 0.05:
        assert found == []
        return
    where = ", ".join(f"r{i} in m" for i in range(few)) if few <= 4 else f"{few} of 9 comparisons"
    begins = "too few queries differ (or resamples are drawn) for a p below 0.05: "
    assert found == [f"{begins}{where}"]


@each_row("numbers", [*permutations([1, 20, 3000]), (1, 2, 3, 4), (5, 1, 9, 3, 1)])
def test_a_number_of_each_run_or_the_least_and_the_most(numbers):
    """Of up to four runs each."""
    by_run = {f"r{i}": number for i, number in enumerate(numbers)}
    found = _number_of_each(by_run, ",")
    if len(numbers) <= 4:
        assert found == ", ".join(f"{run} {number:,}" for run, number in by_run.items())
    else:
        assert found == "from 1 (r1) to 9 (r2)"


@pytest.mark.parametrize("counts", [(2, 2), (2, 3), (2,), (1, 1)])
def test_a_note_of_several_runs_is_said_once(counts):
    """With the number if it is one, and with the runs if some have none."""
    notes = {
        f"r{i}": Note(NoteKind.MISSING_SCORE_ZERO, count, queries=("q",))
        for i, count in enumerate(counts)
    }
    found = _said_once(notes, 2)
    alone = notes["r0"].sentence()
    if len({*counts}) > 1:
        assert found == f"r0 2, r1 3: {notes['r0'].said()}"
    else:
        assert found == (alone if len(counts) == 2 else f"r0: {alone}")


@each_row("number", range(1, 8))
@each_row("kind", [NoteKind.MISSING_SCORE_ZERO, NoteKind.MISSING_IS_EMPTY])
def test_a_note_counts_queries_and_names_the_first(number, kind):
    """Singular and plural; how many more there are."""
    queries = [f"q{i}" for i in range(number)]
    [note] = of_queries(kind, queries, measure="RR")
    shown = len(note.queries)
    listed = ", ".join(queries[:shown])
    more = f" and {number - shown} more" if number > shown else ""
    one, many = kind.value
    assert note.sentence().startswith(f"{number} {(one if number == 1 else many)[:20]}")
    assert note.sentence().endswith(f": {listed}{more}")
    assert (note.is_of_one, note.uncounted.count, note.measure) == (number == 1, None, "RR")
    assert of_queries(kind, []) == []


@each_row("unjudged", [*product([0, 1, 2], repeat=3)])
@each_row("alone", [False, True])
def test_unjudged_documents_are_told_at_the_deepest_of_equal_counts(unjudged, alone):
    """As shares of what was retrieved there, for all runs whose judgments have grades."""
    cutoffs = [1, 5, None]
    counts = Counts(
        queries=1,
        unjudged_documents=dict(zip(cutoffs, unjudged, strict=True)),
        documents_within=dict.fromkeys(cutoffs, 4),
        relevant_alone=alone,
    )
    runs = {name: SimpleNamespace(counts=counts) for name in ("a", "b")}
    deepest = {}
    for cutoff, number in zip(cutoffs, unjudged, strict=True):
        if number and not alone:
            deepest[number] = "retrieved" if cutoff is None else f"at ranks 1 to {cutoff}"
    assert unjudged_notes(runs) == [
        f"documents {where} that are not judged: a {number / 4:.0%}, b {number / 4:.0%}"
        for number, where in deepest.items()
    ]


@each_row("empty", range(4))
@each_row("missing", range(3))
def test_a_run_holds_nothing_if_each_query_is_empty_or_missing(empty, missing):
    """And some query is there."""
    counts = Counts(queries=3, empty=["q"] * empty, missing=["m"] * missing)
    assert counts.nothing_retrieved is (empty > 0 and empty + missing >= 3)


@each_row("within", [*product([0, 2, 3], repeat=2)])
@each_row("unjudged", [*product([0, 2, 3], repeat=2)])
def test_nobody_judged_anything_if_all_is_unjudged_to_the_greatest_depth(within, unjudged):
    """With at least one document there."""
    counts = Counts(
        queries=1,
        documents_within=dict(zip((1, None), within, strict=True)),
        unjudged_documents=dict(zip((1, None), unjudged, strict=True)),
    )
    assert counts.none_judged is (max(within) > 0 and max(unjudged) == max(within))


# -- which runs and queries


@each_row("among", [None, (), ("p",), ("q", "r", "z"), ("z",)])
@each_row("others", [(("p", "q"),), (("r", "q"), ("q",)), ((),)])
def test_queries_in_common_are_in_the_order_of_the_baseline(among, others):
    """Of those that are asked for; none is refused."""
    runs = [("r", "q", "p"), *others]
    evaluations = {f"r{i}": SimpleNamespace(queries=queries) for i, queries in enumerate(runs)}
    common = [q for q in runs[0] if all(q in other for other in others)]
    if among is not None:
        common = [query for query in common if query in among]
    if common:
        assert _in_common(evaluations, "r0", among) == common
        return
    with pytest.raises(InputError, match="no query in common"):
        _in_common(evaluations, "r0", among)


def test_a_comparison_needs_two_runs_with_names():
    """The first is the baseline unless another is named; one run in place of all is told."""
    two = {"a": {"q": ["d"]}, "b": {"q": ["d"]}}
    assert _baseline(two, None) == "a"
    assert _baseline(two, "b") == "b"
    for bad, says in (
        ({"a": two["a"]}, "fewer than two"),
        ([1, 2], "fewer than two"),
        ({"q": {"d": 1}, "r": {"d": 2}}, "maps documents to numbers"),
    ):
        with pytest.raises(InputError, match=says):
            _baseline(bad, None)
    with pytest.raises(InputError, match="baseline 'c' is not among the runs: a, b"):
        _baseline(two, "c")


@each_row("gains", [*product([-0.5, 0.0, 0.25], repeat=3)])
@each_row("most", [None, 1, 2])
def test_the_queries_that_lost_most_come_first(gains, most):
    """Equal losses in their order; what did not change is left out."""
    by_query = dict(zip("pqr", gains, strict=True))
    comparison = SimpleNamespace(differences=lambda _run, _measure: by_query)
    changed = sorted((gain, query) for query, gain in by_query.items() if gain)
    assert changed_most(comparison, "r", "m", most) == [query for _, query in changed][:most]


@each_row("worths", [(), (0.1,), (0.5, -0.25), (0.1, -0.3, 0.2), (1, None, -2, 3)])
@each_row("most", [None, 1, 2])
def test_documents_of_little_effect_are_one_line(worths, most):
    """Those with the greatest stay in their order; one document alone is not left out."""
    parts = [(f"d{i}", 1, 1, 2, "fell", worth) for i, worth in enumerate(worths)]
    found = _greatest(parts, most)
    if most is None or len(parts) <= most + 1:
        assert found == parts
        return
    ranked = sorted(range(len(parts)), key=lambda i: -abs(worths[i] or 0))
    kept = [parts[i] for i in sorted(ranked[:most])]
    rest = round(sum(worths[i] or 0 for i in ranked[most:]), 6)
    more = (f"and {len(parts) - most} more", None, None, None, None, rest)
    assert found == [*kept, more]


# -- the moves of documents


@each_row("before", [None, 1, 2])
@each_row("after", [None, 1, 2])
def test_a_document_enters_leaves_rises_falls_or_stays(before, after):
    """By its ranks; how far it fell goes from -1 to 1."""
    if before is None and after is None:
        return
    move = Move("d", 1, before, after, 0.5, 0.25)
    assert move.worth == -0.25
    if before is None:
        assert move.way == "entered"
    elif after is None:
        assert move.way == "left"
    else:
        ways = {0: "stayed", 1: "fell", -1: "rose"}
        assert move.way == ways[(after > before) - (after < before)]
        fell = {0: 0.0, 1: 0.5, -1: -0.5}[(after > before) - (after < before)]
        assert RankChange("q", "d", before, after).value == fell


def moved(worths, grades=(1, 2, 0), left_over=0.0):
    """Documents a, b and c: a falls, b rises, c stays."""
    ranks = ((1, 3), (3, 2), (4, 4))
    rows = [
        Move(name, grade, *rank, 0.0, worth)
        for name, grade, rank, worth in zip("abc", grades, ranks, worths, strict=True)
    ]
    return Moves("AP", "q", 0.5, 0.25, rows, left_over, "a note")


@each_row("worths", [*product([0.0, -0.25, 0.5], repeat=3)])
@each_row("left_over", [0.0, 0.125])
def test_the_parts_of_a_change_come_by_loss_and_add_up(worths, left_over):
    """Where no document has a part, the best grades that moved stand in their place."""
    found = moved(worths, left_over=left_over)
    parts = dict(zip("abc", worths, strict=True))
    assert found.is_sum is any(worths)
    assert found.change == -0.25
    lines = parts_of(found)
    if any(worths):
        ranked = sorted((worth, name) for name, worth in parts.items() if worth)
        assert [move.document for move in found.by_loss()] == [name for _, name in ranked]
        expected = [(name, worth) for worth, name in ranked]
        expected += [("left over", left_over)] * bool(left_over)
        assert [(line[0], line[-1]) for line in lines] == expected
    else:
        assert [move.document for move in found.by_loss()] == ["b", "a"]
        assert [(line[0], line[-1]) for line in lines] == [("a", None)]
    table = found.table().lines
    shown = sorted((-abs(worth), name) for name, worth in parts.items() if worth)
    names = [name for _, name in shown] + ["left over"] * bool(left_over) + ["sum"]
    assert [line[0] for line in table] == names
    assert table[-1][4:] == [0.5, 0.25, -0.25]


@pytest.mark.parametrize("change", [0.25, 0.25 + 1e-14, 0.5])
def test_what_documents_do_not_explain_is_left_over(change):
    """But for rounding."""
    rows = moved((0.5, -0.25, 0.0)).moves
    assert _left_over(change, rows) == (0.25 if change == 0.5 else 0.0)
    stayed = moved((0.0, 0.0, 0.5)).moves
    assert _note("AP", rows, is_sum=True) == ""
    assert "kept its rank" in _note("AP", stayed, is_sum=True)
    assert _note("AP", rows, is_sum=False).startswith("AP is not a sum over documents")


# -- the words for queries


@each_row("length", [0, 1, 39, 40, 41, 80])
def test_a_text_of_a_query_is_shortened_from_forty_letters_on(length):
    """The whole of it is kept for elsewhere."""
    text = "x" * length
    shown = text if length <= 40 else "x" * 37 + "..."
    assert quoted("q", {"q": text}) == f'"{shown}"'
    assert named("q", {"q": text}) == f'q "{shown}"'
    assert quoted("r", {"q": text}) == ""
    assert named("r", {"q": text}) == "r"
    assert long_texts(["q", "r"], {"q": text}) == ({"q": text} if length > 40 else {})


@each_row("number", range(6))
@each_row("most", [1, 3])
def test_some_queries_are_named_and_points_stand_for_the_rest(number, most):
    """As many as may be."""
    queries = [f"q{i}" for i in range(number)]
    dots = " ..." if number > most else ""
    assert some(queries, {}, most) == ", ".join(queries[:most]) + dots


@pytest.mark.parametrize("queries", [1, 2, 3, 5])
def test_a_query_that_was_not_evaluated_is_told_what_is_near(queries):
    """The one that is most alike; else the first three."""
    names = ["query1", "query2", "alpha", "beta", "gamma"][:queries]
    scores = PrintedScores({"RR": dict.fromkeys(names, 0.5)}, BUNDLES["trec_eval"])
    with pytest.raises(InputError) as caught:
        scores.require_query("query1x")
    expected = f"give one of its {queries}, such as 'query1'"
    assert str(caught.value) == f"query 'query1x' was not evaluated; {expected}"
    with pytest.raises(InputError) as caught:
        scores.require_query("zzz")
    first = ", ".join(map(repr, names[:3]))
    assert str(caught.value).endswith(f"such as {first}")
    scores.require_query("query1")


def test_a_weight_stands_once_and_is_a_number(tmp_path):
    """With the line that has the second one."""
    path = tmp_path / "weights.csv"
    path.write_text("query,weight\nq1,2\nq2,0.5\n")
    assert dict(read_weights(path)) == {"q1": 2.0, "q2": 0.5}
    path.write_text("query,weight\nq1,2\nq1,2\n")
    with pytest.raises(InputError, match="line 3: query 'q1' has a weight above"):
        read_weights(path)
    path.write_text("query,weight\nq1,two\n")
    with pytest.raises(InputError, match="weight 'two' is not a number"):
        read_weights(path)


# -- scores of another program


@each_row(
    ("line", "is_theirs"),
    [
        ("q1\tnDCG@10\t0.5", True),
        ("q1\tAP\t0.5\n", True),
        ("ndcg_cut_10\tall\t0.5", False),
        ("map\tAP\t0.5", False),
        ("map   \tAP\t0.5", False),
        ("q1\tmine\t0.5", False),
        ("q1\tAP", False),
        ("q1\tAP\t0.5\tx", False),
        ("query,AP", False),
    ],
)
def test_lines_of_ir_measures_have_the_measure_second(line, is_theirs):
    """Where trec_eval has the query."""
    assert _is_of_ir_measures(line) is is_theirs


@each_row(
    ("head", "wide"),
    [
        ("query,rr", True),
        ("qid\trr\tap", True),
        ('"query",rr', True),
        ("query", False),
        ("rr,query", False),
        ("map all 0.5", False),
    ],
)
def test_a_wide_table_begins_with_the_query(head, wide):
    """And has a column beside it."""
    assert _is_wide(head) is wide


@each_row("measures", [*product(["p", "q", "pq"], repeat=2)])
def test_each_query_has_a_value_of_each_measure(measures):
    """The first that lacks one is named, with the measure."""
    by_label = {f"m{i}": dict.fromkeys(queries, 0.5) for i, queries in enumerate(measures)}
    odd = sorted({*measures[0]} ^ {*measures[1]})
    if not odd:
        _refuse_gaps("f", by_label)
        return
    lacking = "m1" if odd[0] in measures[0] else "m0"
    with pytest.raises(InputError, match=f"f: query '{odd[0]}' has no score in {lacking}"):
        _refuse_gaps("f", by_label)


@pytest.mark.parametrize("gaps", range(4))
@pytest.mark.parametrize("most", [0.0, 0.25, 0.5])
def test_some_queries_may_lack_a_value_if_that_is_allowed(gaps, most, tmp_path):
    """Up to the share that may; they are left out and named."""
    path = tmp_path / "scores.csv"
    values = ["" if i < gaps else "0.5" for i in range(4)]
    path.write_text("query,clarity\n" + "".join(f"q{i},{v}\n" for i, v in enumerate(values)))
    if gaps and gaps > most * 4:
        lacking = "have" if gaps > 1 else "has"
        says = f"{gaps} of 4 queries {lacking} none" if most else "is not a number"
        with pytest.raises(InputError, match=says):
            read_scores(path, max_empty=most)
        return
    found = read_scores(path, max_empty=most)
    assert list(found.queries) == [f"q{i}" for i in range(gaps, 4)]
    told = [note.count for note in found.noted() if note.kind is NoteKind.WITHOUT_VALUE]
    assert told == ([gaps] if gaps else [])


def test_an_evaluation_has_the_rankings_that_scores_alone_do_not():
    """What only rankings tell is refused of scores alone."""
    run, qrels = {"q": ["a"]}, {"q": {"a": 1}}
    found = evaluate(run, qrels, "RR")
    assert found.documents_per_query()["q"] == {"num_ret": 1, "num_rel": 1, "num_rel_ret": 1}
    scores = PrintedScores({"RR": {"q": 0.5}}, BUNDLES["trec_eval"])
    for ask in (lambda: scores.aligned, scores.documents_per_query):
        with pytest.raises(InputError, match="only scores are known"):
            ask()
    with pytest.raises(InputError, match="only scores are known"):
        scores.working("RR", "q")


def test_runs_are_compared_by_the_same_measures():
    """In the same order; the run is named that has others."""
    run, qrels = {"q": ["a"], "r": ["a"]}, {"q": {"a": 1}, "r": {"a": 1}}
    both = {name: evaluate(run, qrels, name) for name in ("RR", "P@1")}
    for measures in ({"a": both["RR"], "b": both["P@1"]}, {"a": both["P@1"], "b": both["RR"]}):
        with pytest.raises(InputError, match="run 'b' was evaluated by "):
            compare(measures)
    assert compare({"a": both["RR"], "b": both["RR"]}).measures == both["RR"].measures


@each_row("kind", [kind for kind in NoteKind if not kind.is_counted])
@each_row("count", [0, 1, 2, 1500])
def test_a_sentence_agrees_with_its_number(kind, count):
    """One query is one and scores; several are and score."""
    one = count == 1
    words = {
        "of_queries": "1 query" if one else f"{count:,} queries",
        "of_judged": "1 judged document" if one else f"{count:,} judged documents",
        "are": "is" if one else "are",
        "were": "was" if one else "were",
        "do": "does" if one else "do",
        "score": "scores" if one else "score",
        "share": count / 2000,
        "where": "at ranks 1 to 5",
    }
    given = {"measure": "AP", "about": "x", "library": "ranx", "highest": 3.0, "instead": "AP@3"}
    note = Note(kind, count, among=2000, cutoff=5, **given)
    assert note.said() == kind.value.format(count=count, among=2000, **given, **words)
    assert "retrieved" in Note(NoteKind.UNJUDGED, 1, among=2).sentence()


# -- plots


class Axes:
    """What is drawn, in place of axes."""

    def __init__(self):
        self.drawn = {}

    def __getattr__(self, name):
        def draw(*given, **named):
            self.drawn.setdefault(name, []).append((given, named))
            if name == "bar":
                return [SimpleNamespace(set_gid=lambda _: None) for _ in given[0]]
            return None

        return draw

    def axhline(self, height, **named):
        """A line across."""
        self.drawn.setdefault("axhline", []).append((height, named.get("label")))


@each_row("gains", [False, True])
@each_row("number", [3, 8, 9, 40, 41, 1000, 1001])
def test_a_plot_of_queries_counts_them_and_names_those_that_fit(gains, number):
    """Bars up to a thousand; names up to forty, upright from nine on; the outermost beyond."""
    values = {f"q{i:04}": float(i % 3 - 1) for i in range(number)}
    axes = Axes()
    assert plot_queries(values, 0.25, "RR", gains=gains, ax=axes) is axes
    lines = axes.drawn["axhline"]
    mean = "mean +0.2500" if gains else "mean 0.2500"
    assert lines == [(0.25, mean)] + [(0, None)] * gains
    [((below,), _)] = axes.drawn["set_xlabel"]
    first, *outermost = below.split("\n")
    if gains:
        lose, equal, gain = (sum(v == wanted for v in values.values()) for wanted in (-1, 0, 1))
        assert first == f"queries that gain: {gain}, lose: {lose}, equal: {equal}"
    else:
        assert first == f"{number:,} queries, best first"
    best = [f"q{i:04}" for i in range(2, number, 3)][:5]
    worst = [f"q{i:04}" for i in range(0, number, 3)][-5:]
    if number > 40:
        assert outermost == [f"best: {', '.join(best)}", f"last: {', '.join(worst)}"]
    else:
        assert outermost == []
    assert ("set_xticks" in axes.drawn) is (number <= 40)
    if number <= 40:
        [((places, names), how)] = axes.drawn["set_xticks"]
        assert list(places) == [*range(number)]
        assert (names[0], names[-1]) == (best[0], worst[-1])
        assert how["rotation"] == (90 if number > 8 else 0)
    assert axes.drawn["set_xlim"] == [((-0.6, number - 0.4), {})]
    assert ("bar" in axes.drawn) is (number <= 1000)
    if number > 1000:
        above, under = (how["where"].tolist() for _, how in axes.drawn["fill_between"])
        heights = sorted(values.values(), reverse=True)
        assert above == [height >= 0 for height in heights]
        assert under == [height < 0 for height in heights]
    else:
        [((_, heights), how)] = axes.drawn["bar"]
        assert heights.tolist() == sorted(values.values(), reverse=True)
        assert how["width"] == (0.8 if number <= 40 else 1)
        [up, down] = dict.fromkeys(how["color"])
        assert how["color"] == [up if height >= 0 else down for height in heights]


@pytest.mark.parametrize("names", [("a",), ("a", "b")])
def test_curves_of_recall_rise_from_left_to_right(names):
    """One has a title, several a legend."""
    axes = Axes()
    curves = {name: [0.5, 1.0, 0.25] for name in names}
    plot_levels([0.5, 0.0, 1.0], curves, ax=axes)
    for (recall, precision), _ in axes.drawn["plot"]:
        assert (recall.tolist(), precision.tolist()) == ([0.0, 0.5, 1.0], [1.0, 0.5, 0.25])
    assert axes.drawn["set_xlim"] == [((-0.02, 1.02), {})]
    assert axes.drawn["set_ylim"] == [((0, 1.02), {})]
    assert ("legend" in axes.drawn) is (len(names) > 1)
    assert ("set_title" in axes.drawn) is (len(names) == 1)


@pytest.mark.parametrize(
    ("names", "levels"),
    [
        ("IPrec(recall=0) IPrec(recall=0.5)", [0, 0.5]),
        ("IPrec(recall=0.5)", []),
        ("IPrec(recall=0) IPrec(recall=0.5) AP", []),
        ("AP", []),
    ],
)
def test_measures_are_a_curve_if_all_are_levels_of_recall(names, levels):
    """Two at least."""
    assert levels_of(measures_of(names)) == levels


@pytest.mark.parametrize("name", [None, "recip_rank"])
def test_a_plot_of_scores_is_labelled_by_what_was_asked_for(name):
    """The measure, and the run if it has a name."""
    scores = PrintedScores({"RR": {"q": 0.5}}, BUNDLES["trec_eval"], name="mine" if name else "")
    axes = Axes()
    scores.plot(name, ax=axes)
    [((label,), _)] = axes.drawn["set_ylabel"]
    assert label.replace("\\", "") == (name or "RR")
    assert ("set_title" in axes.drawn) is bool(name)


@each_row("whole", [None, False, True])
@each_row("every", [False, True])
@each_row("most", [None, 1])
def test_a_line_of_a_query_has_its_text_cut_unless_asked(whole, every, most):
    """All queries only where every one is asked for; how many more changed is noted."""
    gains = {"p": -0.5, "q": -0.25, "r": 0.0}
    before = SimpleNamespace(per_query={"m": dict.fromkeys(gains, 0.5)})
    after = SimpleNamespace(per_query={"m": {q: 0.5 + gain for q, gain in gains.items()}})
    comparison = SimpleNamespace(
        baseline="b",
        evaluations={"b": before, "r": after},
        groups={},
        others=["r"],
        paired=["m"],
        differences=lambda _run, _measure: gains,
    )
    text = "long " * 12
    asked = {} if whole is None else {"whole": whole}
    table = query_table(comparison, {"p": text}, most=most, every=every, **asked)
    shown = text.strip() if whole else f"{text[:37]}..."
    queries = [f'p "{shown}"', "q", "r"] if every else [f'p "{shown}"', "q"][:most]
    assert [line[2] for line in table.lines] == queries
    assert table.lines[0][3:] == [0.5, 0.0, -0.5]
    cut = most == 1 and not every
    assert table.notes == (("m of r: 1 more changed",) if cut else ())


@pytest.mark.parametrize("names", ["AUC", "AP", "AP AUC", "AUC AP", "AP P@1"])
def test_judged_documents_that_are_not_retrieved_count_where_a_measure_leaves_them_out(names):
    """One measure that does is enough."""
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 0, "c": 1, "d": 0}}
    found = evaluate(run, qrels, names).counts.judged_not_retrieved
    assert found == (2 if "AUC" in names else 0)


def test_what_could_not_be_tested_has_no_details():
    """The reason is raised."""
    with pytest.raises(MissingExtra, match="no difference was tested"):
        Comparison.details(SimpleNamespace(untested="no difference was tested"))
