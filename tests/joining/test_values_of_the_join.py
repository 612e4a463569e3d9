"""What a join holds: arrays are equal to themselves alone, and what is not given says no."""

import numpy as np
import pytest

from irmetrics_edu.conventions import FLOAT64, NO_GAIN, Ties
from irmetrics_edu.engine import (
    aligned_run,
    before_ties,
    columns,
    held_queries,
    id_list,
    lines,
    met_piece,
    noted,
    pool,
    ranks,
    ranks_of_piece,
    reverse_join,
    run,
    text,
)
from irmetrics_edu.libraries import TREC_EVAL
from irmetrics_edu.metrics.definition import METRICS
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.rows import (
    aligned_ranking,
    by_query,
    exact_roots,
    item_categories,
    item_distances,
    item_popularity,
    kinds_of_input,
    nugget_rows,
    nuggets,
    query_values,
    ranked_rows,
    recommended,
    scored,
    two_orders,
)
from irmetrics_edu.runs.joining import held, inputs, join, joined_run, judgments, queries
from tests.values import are_made_as_told, defaults_of, values_of

HOLD_ARRAYS = {
    *("Aligned", "TiedDocuments", "RunColumns", "Lines", "MetPiece", "JudgedPool"),
    *("RanksOfPiece", "Text", "Numbers", "Categorised", "Spaced", "Known", "NuggetRows", "Values"),
    *("Rows", "Recommended", "Lists", "Scored", "Orders"),
}
# What is filled as a run is read, and what is made for each call, where frozen ones are slower.
FILLED = {"Chunk", "Noted", "ReverseJoin", "Alignment", "_Listing", "HeldInput"}
NONE = np.zeros(0, dtype=np.intp)
TEXT = text.ids(["a", "b"])
POOL = pool.JudgedPool(["1"], np.array([0, 2]), np.ones(2), np.ones(2) > 0, text=TEXT)
PIECE = ranks_of_piece.RanksOfPiece(*[NONE] * 7)
MET = met_piece.MetPiece(NONE, NONE, NONE, np.zeros(1), None, None, len, len)
BY = Ties.named("reversed"), FLOAT64
LINES = lines.lines_of(b"a 2\nb 2\n" + bytes(24), 8, 2)


def a_join():
    """A join with nothing in it."""
    return reverse_join.ReverseJoin(POOL, *BY, lambda name: Problems(name, "row"))


# Of each module of the engine: a call, and what it gives.
OF_ENGINE = (
    (aligned_run, lambda: a_join().aligned(NO_GAIN).queries, ["1"]),
    (id_list, lambda: id_list.Ids(TEXT).index("b"), 1),
    (ranks, lambda: ranks.tied(np.zeros(0), np.zeros(2)).tolist(), [0]),
    (before_ties, lambda: [*before_ties._by_query(NONE, NONE)], []),
    (columns, lambda: [*columns.columns(TEXT, TEXT, None, np.arange(2)).query], [0, 1]),
    (held_queries, lambda: held_queries.as_scores(["a", "b"], "1"), {"a": 0, "b": -1}),
    (lines, lambda: LINES.field(0).tolist(), ["a", "b"]),
    (met_piece, lambda: MET.bottomless(FLOAT64), False),
    (noted, lambda: noted.Noted().add(noted.Noted()), None),
    (pool, lambda: POOL.part(0, 1).documents, ["a", "b"]),
    (ranks_of_piece, lambda: PIECE.joined([PIECE]) is PIECE, True),
    (reverse_join, lambda: a_join().origin("1"), -1),
    (run, lambda: len(run.Run({})), 0),
    (text, TEXT.tolist, ["a", "b"]),
)
OF_JOINING = (held, inputs, join, joined_run, judgments, queries)
# Of each kind of rows: a module, a call that makes some.
OF_ROWS = (
    (aligned_ranking, lambda: aligned_ranking.align(["a"], {"a": 1})),
    (by_query, lambda: aligned_ranking.align([1]).of(0)),
    (ranked_rows, lambda: aligned_ranking.align([1, 0]).ideal()),
    (item_categories, lambda: item_categories.align_categories(["a"], {"a": {"x"}})),
    (item_distances, lambda: item_distances.align_distances(["a"], {"a": [1, 0]})),
    (item_popularity, lambda: item_popularity.align_popularity(["a"], {"a": 3})),
    (nugget_rows, lambda: nuggets.align_nuggets(["a"], {"a": {"x"}}).holding()),
    (query_values, lambda: query_values.align_values([1, 2])),
    (recommended, lambda: recommended.align_lists([["a"]], ["a", "b"])),
    (scored, lambda: scored.align_scored([0, 1], [0.2, 0.9])),
    (two_orders, lambda: two_orders.align_orders(["a", "b"], ["b", "a"])),
)
UNSHOWN = {"Aligned.pool", "Distance.function", "KindOfInput.grouped"}
BEHIND = {"Rows._best", "Rows.keeps", "Rows._made"}


# A parameter of one name has one default, whatever takes it; but documents of a ranking are ranked.
USUAL = {
    **dict.fromkeys(
        ["alone", "exact", "numbered", "ranked", "settled", "skip_bad", "whole"], False
    ),
    **dict.fromkeys(["b", "empty", "guess", "lines_left_out", "start"], 0),
    "any_good": True,
    "least": -np.inf,
    "rel": 1,
}
OTHERS = {aligned_ranking: {"ranked": True}}


def look_at(modules, number):
    """The values that these modules define, and the defaults of their parameters."""
    for module in modules:
        usual = USUAL | OTHERS.get(module, {})
        for parameter, defaults in defaults_of(module).items():
            assert defaults == {usual[parameter]}, (module, parameter)
    kinds = [value for module in modules for value in values_of(module)]
    assert len(kinds) == number
    are_made_as_told(
        kinds,
        filled=HOLD_ARRAYS | FILLED,
        alone=HOLD_ARRAYS,
        slotted={"Alignment", "_Listing", "Surd"},
        behind=BEHIND,
        unshown=UNSHOWN,
        uncompared={"Distance.function"},
        yes={"JudgedPool.graded", "HeldInput.again"},
        numbers={"Values.n": 1, "Lists.n": 1},
    )


@pytest.mark.parametrize(("module", "make"), OF_ROWS)
def test_rows_are_made_as_told(module, make):
    """Each kind is made once, and then looked at."""
    assert make().n == 1
    look_at(
        [module],
        {aligned_ranking: 2, item_distances: 2, recommended: 2, by_query: 0}.get(module, 1),
    )


def test_what_rows_are_made_of_is_made_as_told():
    """Exact numbers and kinds of input."""
    assert str(exact_roots.Surd.make(1, 4)) == "3"
    assert aligned_ranking.RANKED.keywords({}) == {}
    look_at([exact_roots, kinds_of_input], 2)


@pytest.mark.parametrize(("module", "ask", "said"), OF_ENGINE)
def test_what_meets_judgments_is_made_as_told(module, ask, said):
    """Each module of the engine is asked for something, and then for its values."""
    assert ask() == said
    look_at([module], {run: 0, text: 2, id_list: 0, ranks: 0}.get(module, 1))


def test_runs_say_whether_their_queries_are_known():
    """Those in memory are; those in pieces can't be asked for one."""
    assert len(run.Run({})) == 0
    told = [(one.at_hand, one.can_be_asked) for one in (run.Run, run.ReadRun, run.PiecedRun)]
    assert told == [(True, True), (False, True), (False, False)]
    assert run.INTERLEAVED < 0


def test_what_is_joined_is_made_as_told():
    """A run and judgments in memory, and what they come in."""
    held_run = held.HeldInput({"q": ["a"]})
    assert held_run.columns_of_judgments({"q": {"a": 1}}, TREC_EVAL, {}) == {"q": {"a": 1}}
    judged = judgments.Judged({"q": {"a": 1}})
    together = joined_run.Joined(run.Run({"q": ["a"]}), judged, TREC_EVAL)
    assert inputs.whole_run({"q": ["a"]}) == {"q": ["a"]}
    assert join.is_together(METRICS["RR"]) is False
    assert (together.matched.queries, together.tied()) == (["q"], 0)
    look_at(OF_JOINING, 3)
    kinds_of_judgments = (judgments.Judged, judgments.JudgedBySubtopic)
    assert [one.by_subtopic for one in kinds_of_judgments] == [False, True]
