"""What runs and comparisons are made of: values, defaults, and numbers that a text tells."""

from collections.abc import Iterable, Mapping
from os import PathLike
from types import SimpleNamespace
from typing import get_args, get_origin

import numpy as np
import pytest

from irmetrics_edu.conventions import MACRO
from irmetrics_edu.libraries import TREC_EVAL
from irmetrics_edu.runs import (
    accepted,
    aggregation,
    all_pairs,
    averaging,
    by_group,
    compared_queries,
    comparison,
    comparison_notes,
    counts,
    evaluation,
    evaluation_plots,
    intervals,
    keywords,
    moves,
    notes,
    pooling,
    printed_scores,
    rank_change,
    run_scores,
    score_tables,
    segments,
    shown_scores,
    significance,
    weighted,
)
from irmetrics_edu.runs.printed_scores import PrintedScores
from tests.values import are_made_as_told, defaults_of, values_of

ONE = {"RR": {"q": 1.0}}
# Of each module a call, and what it gives: without one the module would only be there.
ASKED = (
    (aggregation, lambda: aggregation.mean_err.title, "mERR"),
    (all_pairs, lambda: all_pairs._letter(0), "a"),
    (averaging, lambda: averaging.no_pairs(SimpleNamespace(), MACRO), ""),
    (by_group, lambda: by_group.group_of_members({"g": ["q"]}), {"q": "g"}),
    (compared_queries, lambda: compared_queries._greatest([], None), []),
    (comparison, lambda: comparison._is_number(1), True),
    (comparison_notes, lambda: comparison_notes._number_of_each({"a": 2}, "d"), "a 2"),
    (counts, lambda: counts.Counts(1).nothing_retrieved, False),
    (evaluation, lambda: evaluation._in_one({}), {}),
    (evaluation_plots, lambda: evaluation_plots.levels_of([]), []),
    (intervals, lambda: intervals.enough(0.05), 6),
    (keywords, lambda: keywords.meant("atleast", ["at_least"]), "write at_least="),
    (moves, lambda: moves.Move("d", 1, 1, 2, 0, 0).way, "fell"),
    (notes, lambda: notes.of_queries(notes.NoteKind.EMPTY, []), []),
    (pooling, lambda: len(pooling.pool({"A": ["x", "y"]}, 1)), 1),
    (printed_scores, lambda: PrintedScores(ONE).of(["RR"]).mean, {"RR": 1.0}),
    (rank_change, lambda: rank_change.RankChange("q", "d", 4, 1).value, -0.75),
    (run_scores, lambda: run_scores.caption_of(1, TREC_EVAL)[:7], "1 query"),
    (score_tables, lambda: score_tables.lowest(PrintedScores(ONE)), ["q"]),
    (segments, lambda: segments.named("q", {}), "q"),
    (shown_scores, lambda: PrintedScores(ONE).lowest(), ["q"]),
    (significance, lambda: significance.below(0.04, 0.05), True),
    (weighted, lambda: weighted.effective_size(np.array([2.0, 2.0])), 2.0),
)
# A parameter of one name has one default, whatever takes it.
USUAL = {
    **dict.fromkeys(["every", "exact", "gains", "per_query", "skip_bad", "whole"], False),
    "confidence": 0.95,
    "digits": 4,
    "level": 0.05,
    "max_empty": 0,
    "most": 3,
    "power": 0.8,
    "n": 10,
    "resamples": 9999,
    "rounding": 1e-12,
    "seed": 0,
    "unjudged": True,
}
OTHERS = {"comparison": {"n": 3}}  # tables of each run and measure are longer than those of a run
# Numbers that a text tells, or on which what a seed or an interval gives hangs to its last digit.
TOLD = {
    "compared_queries": {"MOST_DOCUMENTS": 10},
    "comparison_notes": {"_NAMED": 4},
    "counts": {"_FEW": 5},
    "evaluation_plots": {
        "_MOST_NAMES": 40,
        "_MOST_BARS": 1000,
        "_OUTERMOST": 5,
        "_LINE": 90,
        "_LEVEL_NAMES": 8,
    },
    "intervals": {"_MOST": 1100, "_HALVINGS": 60, "_PIECES": 40},
    "notes": {"_NAMED": 5},
    "printed_scores": {"MOST_MEASURES": 1000},
    "run_scores": {"_LOOKED_THROUGH": 10_000},
    "segments": {"_LONG": 40, "_SHOWN": 10},
    "significance": {
        "_SWAPPED": 20_000,
        "_ALL_WAYS": 20,
        "_MOST_RESAMPLES": 10**7,
        "_AT_ONCE": 2 * 10**6,
        "_IN_ALL": 10**9,
        "_DEALT": 2 * 10**8,
        "_UNEVEN": 0.001,
        "_BYTES": 64,
        "POWER": 0.8,
        "_EXACT": 50,
    },
}
NODES = {"intervals": 20, "significance": 40}
FILLED = {"_Read", "_Scored", "Shares", "WeightedValues"}
TABLES = {"AllPairs", "Moves", "PairwiseMRR", "WorstQueries"}


@pytest.mark.parametrize(("module", "ask", "said"), ASKED)
def test_what_a_module_of_runs_is_made_of(module, ask, said):
    """It is asked for something; then its values, its defaults and its numbers are looked at."""
    assert ask() == said
    name = module.__name__.rpartition(".")[2]
    usual = USUAL | OTHERS.get(name, {})
    for parameter, defaults in defaults_of(module).items():
        assert defaults == {usual[parameter]}, parameter
    for number, value in TOLD.get(name, {}).items():
        assert getattr(module, number) == value, number
    if name in NODES:
        assert len(module._NODES) == len(module._WEIGHTS) == NODES[name]
    are_made_as_told(
        values_of(module),
        filled=FILLED,
        alone={"Shares", "WeightedValues"},
        slotted={"PairOfRuns"},
        shown_by_themselves=TABLES,
        unshown={"Aggregate.quantities"},
        uncompared={"Aggregate.quantities"},
        yes={"Counts.missing_score_zero"},
        numbers={
            "Shares.n": 1,
            "WeightedValues.n": 1,
            "TestPlan.level": 0.05,
            "TestPlan.resamples": 9999,
        },
    )


@pytest.mark.parametrize("kind", [averaging.Shares, weighted.WeightedValues])
def test_values_without_divisors_or_weights_have_none(kind):
    """None is made up."""
    none = kind(np.zeros(0), np.zeros(0), [], labelled=True)
    assert len(none.divisor if kind is averaging.Shares else none.weight) == 0


def test_no_plan_is_a_test():
    """Pytest would take it for one, by its name."""
    assert significance.TestPlan().test == "randomisation"
    assert significance.TestPlan.__test__ is False


def test_changes_of_ranks_are_from_minus_1_to_1():
    """0 is a document that stayed."""
    assert rank_change.RankChange("q", "d", 1, 1).value == 0
    assert rank_change.pairwise_mrr.range == (-1, 1)


@pytest.mark.parametrize("kind", [accepted.RunInput, accepted.JudgmentsInput])
def test_runs_and_judgments_come_in_any_form(kind):
    """A mapping, a file, a table, an array, or pieces; a table and an array are told by a name."""
    assert accepted.DataFrame.columns.fget(None) is accepted.Grid.shape.fget(None) is None
    origins = {get_origin(one) or one for one in get_args(kind)}
    assert origins == {Mapping, str, PathLike, accepted.DataFrame, accepted.Grid, Iterable}
    of_measures = {get_origin(one) or one for one in get_args(accepted.MeasuresInput)}
    assert {str, Iterable} < of_measures
