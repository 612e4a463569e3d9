"""What is no input of a kind of rows is refused with its place and what to give."""

import math
import re

import numpy as np
import pytest

from irmetrics_edu.conventions import Unjudged
from irmetrics_edu.errors import InputError
from irmetrics_edu.rows import aligned_ranking, nuggets, two_orders
from irmetrics_edu.rows.aligned_ranking import align
from irmetrics_edu.rows.item_categories import align_categories, align_effective, align_frequencies
from irmetrics_edu.rows.item_distances import GIVEN, align_distances, align_effective_distances
from irmetrics_edu.rows.item_popularity import (
    align_chosen,
    align_expected,
    align_exposure,
    align_hits,
    align_popularity,
)
from irmetrics_edu.rows.query_values import align_values
from irmetrics_edu.rows.recommended import Recommended, align_lists, exposure, one_list
from irmetrics_edu.rows.scored import align_scored
from tests.tables import rows

ONE = {"a": [1.0, 0.0], "b": [0.0, 1.0]}
HALF = Unjudged("half", "h", "one half", grade=0.5)


def _of_list(items):
    return Recommended(**one_list(items, (), None, exact=False))


def _held(held, **more):
    return nuggets.align_nuggets(["a"], held, **more)


RANKINGS = (
    (lambda: align({"a": 1.0}), "given as scores needs judgments"),
    (lambda: align({1, 0}), "set, which has no order"),
    (lambda: align(7), "list of grades or of document ids"),
    (lambda: align("ab"), "list of grades or of document ids"),
    (lambda: align(["a"]), "document 'a', rank 1: a ranking of documents needs judgments"),
    (lambda: align([1, "b"]), "document 'b', rank 2: a ranking of documents needs judgments"),
    (lambda: align([]), "nothing is judged"),
    (lambda: align([1, math.nan]), "rank 2.*nan"),
    (lambda: align([1, [2]]), "rank 2"),
    (lambda: align([1, -1]), "rank 2.*-1"),
    (lambda: align(["a"], 7), "judgments.*map documents to grades"),
    (lambda: align(["a"], "ab"), "judgments.*map documents to grades"),
    (lambda: align(["a"], {}), "nothing is judged"),
    (lambda: align(["a"], {0.5}), "hold 0.5, which is a score"),
    (lambda: align(["a"], {np.float64(0.5)}), "hold 0.5, which is a score"),
    (lambda: align(["a"], {1: 1}), "ids are texts"),
    (lambda: align({"a": 1.0}, {1: 1}), "ids are texts"),
    (lambda: align(["a", "a"], {"a": 1}), "ranked twice"),
    (lambda: align({"a", "b"}, {"a": 1}), "which has no order"),
    (lambda: align(["a"], {"a": 1, "b": "x"}), "document 'b'.*'x'"),
    (lambda: align(["a"], {"a": 1, "b": -1}), "document 'b'.*-1"),
    (lambda: align(["a"], {"a": 0.5}).relevance(), "0.5 is neither 0 nor at least 1"),
    (lambda: align(["a"], {"a": 0.5}).relevant(), "0.5 is neither 0 nor at least 1"),
)
OF_LISTS = (
    (lambda: align_popularity("ab", ONE), "the ranking is the text"),
    (lambda: align_popularity(7, ONE), "recommended=7 is not a list"),
    (lambda: align_popularity({"a"}, {"a": 1}), "is not a list"),
    (lambda: align_popularity(["a"], [3]), "popularity.*map each item to its count"),
    (lambda: align_popularity(["a"], {"b": 3}), "'a' is not in popularity"),
    (lambda: align_popularity(["b", "a"], {"b": 1, "a": -1}), r"popularity\['a'\].*-1"),
    (lambda: align_popularity(["a"], {"a": 1.5}), r"popularity\['a'\].*1.5"),
    (lambda: align_exposure(["a"], [3]), "exposure.*map each item to its count"),
    (lambda: align_chosen(["a"], {"b": 0}, {"a": 1}), "the user chose nothing"),
    (lambda: align_chosen(["a"], {"b"}, {"a": 1}), "'b' is not in popularity"),
    (lambda: align_hits(["a"], 7, {"a": 1}), "relevant.*give a set of items"),
    (lambda: align_hits(["a"], {}, {"a": 1}), "nothing is judged"),
    (lambda: align_hits(["a"], {1}, {"a": 1}), "ids are texts"),
    (lambda: align_hits(["a"], {"a": -1}, {"a": 1}), "grade -1 is negative"),
    (lambda: align_hits(["a"], {"a": 0.5}, {"a": 1}), "0.5 is neither 0 nor at least 1"),
    (lambda: align_expected(["a"], {"a"}, 7), "expected.*give a list of items"),
    (lambda: align_expected(["a"], {"a"}, [1]), "ids are texts"),
    (lambda: align_lists(7, ["a"]), "lists.*recommended lists of all users"),
    (lambda: align_lists([["a"]], 7), "catalogue.*give all items"),
    (lambda: align_lists([["a"]], []), "catalogue is empty"),
    (lambda: align_lists([["a"], ["b"]], ["a"]), "rank 1.*item 'b' is not in the catalogue"),
    (lambda: exposure([["b"], ["a"]], ["b"]), "query 2, rank 1: item 'a' is not in the catalogue"),
    (lambda: _of_list(["a"]).coefficient("theta", 1.5), "theta.*1.5"),
    (lambda: align_values(7), "values.*give a list of numbers"),
    (lambda: align_values([]), "there are no values to average"),
    (lambda: align_values([1, "x"]), "value number 2.*'x'"),
    (lambda: align_values({"q": "x"}), "query 'q'.*'x'"),
)
CATEGORIES = (
    (lambda: align_categories(["a"], [{"x"}]), "categories.*map each item to the set"),
    (lambda: align_categories(["a"], {}), "no categories are given"),
    (lambda: align_categories(["a"], {"b": {"x"}}), "'a' is not among the categories"),
    (lambda: align_categories(["a"], {"a": "rock"}), "item 'a' are the text 'rock'"),
    (lambda: align_categories(["a"], {"a": 7}), "item 'a' are the text 7"),
    (lambda: align_effective(["a"], {"b"}, {"a": {"x"}, "b": "y"}), "item 'b' are the text 'y'"),
    (lambda: align_frequencies(["a"]), "comes without categories"),
    (lambda: align_frequencies({"a": -1}), r"recommended\['a'\].*-1"),
    (lambda: align_frequencies({"a": 0.5}), r"recommended\['a'\].*0.5"),
    (lambda: align_frequencies({"a": 2}).top(1), "k=1 can't be used with counts"),
    (
        lambda: align_categories(["a"], {"a": {"x"}}).number_of_categories(0, np.array([True])),
        "n_categories.*0",
    ),
    (
        lambda: align_categories(["a"], {"a": {"x", "y"}}).number_of_categories(
            1, np.array([True, True])
        ),
        "n_categories=1 is too small: 2 categories occur",
    ),
)
DISTANCES = (
    (lambda: align_distances(["a"], [[1]]), "embeddings are not a mapping"),
    (lambda: align_distances(["a", "c"], ONE), "'c' has no embedding"),
    (lambda: align_distances(["a"], {"a": "x"}), "embedding of item 'a' is 'x'"),
    (lambda: align_distances(["a"], {"a": 7}), "embedding of item 'a' is 7"),
    (lambda: align_distances(["a"], {"a": ["x"]}), "item 'a': coordinate"),
    (lambda: align_distances(["a", "b"], {"a": [1], "b": [1, 2]}), "'b' has 2 coordinates"),
    (lambda: align_distances(["a"], {"a": [0.0, 0]}), "is all zeros"),
    (lambda: align_distances(["a", "b"], [1], distance=GIVEN), "table of pairs is not a mapping"),
    (
        lambda: align_distances(["a", "b"], {("a", "b"): -1}, distance=GIVEN),
        "items 'a' and 'b' is -1; give at least 0",
    ),
    (
        lambda: align_distances(["a", "b"], {("a", "b"): "x"}, distance=GIVEN),
        "distance of items 'a' and 'b'",
    ),
    (
        lambda: align_distances(["a", "b"], {("a", "b"): 1, ("b", "a"): 2}, distance=GIVEN),
        "from item 'a' to 'b' is 1.*back is 2",
    ),
    (lambda: align_distances(["a", "b"], {}, distance=GIVEN).top(2), "'a' and 'b' is missing"),
    (lambda: align_effective_distances(["a"], 7, ONE), "relevant.*give a set of items"),
)
NUGGETS = (
    (lambda: nuggets.align_nuggets({"a": 1.0}), "needs nuggets: document -> set"),
    (lambda: nuggets.align_nuggets(7), "needs nuggets: document -> set"),
    (lambda: nuggets.align_nuggets("ab"), "needs nuggets: document -> set"),
    (lambda: nuggets.align_nuggets([{"x"}, "b"]), "rank 2.*needs nuggets"),
    (lambda: nuggets.align_nuggets([{"x"}, 7]), "rank 2.*needs nuggets"),
    (lambda: nuggets.align_nuggets([]), "nothing is judged"),
    (lambda: _held([{"x"}]), "nuggets.*map each judged document"),
    (lambda: _held({}), "nothing is judged"),
    (lambda: _held({1: {"x"}}), "ids are texts"),
    (lambda: nuggets.align_nuggets({"a", "b"}, {"a": {"x"}}), "which has no order"),
    (lambda: _held({"a": "x"}), "document 'a'.*the nuggets of the document are 'x'"),
    (lambda: _held({"a": 7}), "document 'a'.*the nuggets of the document are 7"),
    (lambda: _held({"a": {"x": "y"}}), "nugget 'x': grade"),
    (lambda: _held({"a": {"x": -1}}), "nugget 'x': grade -1 is negative"),
    (lambda: _held({"a": {"x"}}, unjudged=HALF), "gives a grade"),
    (lambda: _held({"a": {"x"}}, intents=[1]), "intents.*map each nugget to its probability"),
    (lambda: _held({"a": {"x"}}, intents={"x": "y"}), "intent 'x': probability"),
    (lambda: _held({"a": {"x"}}, intents={"x": 2}), "intent 'x': probability 2 is not between"),
    (lambda: _held({"a": {"x"}}, intents={"x": -1}), "probability -1 is not between"),
    (lambda: _held({"a": {"x"}}, intents={"y": 1}), "nugget 'x' has no probability"),
    (lambda: _held({"a": {"x"}}, intents={"x": 0.5}), "sum to 0.5, not 1"),
    (lambda: _held({"a": {"x": 0.5}}).holding(), "grade 0.5 is a probability"),
    (lambda: _held({"a": {"x": 0.5, "y": 2}}).possible(), "grade 2 is no probability"),
    (lambda: _held({"a": {"x": 1.5}}).possible(), "grade 1.5 is no probability"),
    (lambda: _held({"a": {"x"}}).per_nugget("p", 2), "p.*2"),
    (lambda: _held({"a": {"x"}}).per_nugget("p", {"x": 2}), "nugget 'x': p.*2"),
    (lambda: _held({"a": {"x"}}).per_nugget("p", {}), "nugget 'x' has no number in p"),
    (
        lambda: _held({"a": {"x"}}, query="q").per_nugget("p", {"q": {"x": 1}, "r": 1}),
        "query 'r': p is 1, and other queries map nuggets",
    ),
    (lambda: nuggets.pool_of({}), "the judgments have no query"),
)
ORDERS = (
    (lambda: two_orders.align_orders([], []), "both orders are empty"),
    (lambda: two_orders.align_orders(7, ["a"]), "7 is not an order"),
    (lambda: two_orders.align_orders(["a"], {"a"}), "is not an order"),
    (lambda: two_orders.align_orders(["a"], [1]), "ids are texts"),
    (lambda: two_orders.align_orders({"a": "x"}, ["a"]), "document 'a'.*score"),
    (lambda: two_orders.align_orders({"a": 1, "b": 1}, ["a"]).refuse_ties("T"), "T compares"),
    (lambda: two_orders.align_orders(["a", "b"], ["a", "c"]).refuse_others("T"), "'b' is in one"),
    (lambda: two_orders.align_orders(["a"], ["a"]).refuse_others("T"), "at least two things"),
)
SCORED = (
    (lambda: align_scored({"a": 1}, [1]), "are a mapping"),
    (lambda: align_scored([1], {"a": 1}), "are a mapping"),
    (lambda: align_scored([1, None], [2, 1]), "item 2 is not judged"),
    (lambda: align_scored([1, 0], [2]), "2 grades and 1 scores"),
    (lambda: align_scored([1], 7), "scores.*give a list of numbers"),
    (lambda: align_scored([1, 0], [1, "x"]), "item 2: .*score"),
)
REFUSALS = (*RANKINGS, *OF_LISTS, *CATEGORIES, *DISTANCES, *NUGGETS, *ORDERS, *SCORED)


@rows(("make", "says"), REFUSALS)
def test_what_makes_no_rows_is_refused(make, says):
    """By a message of its own, which is told from that of what comes next."""
    with pytest.raises(InputError) as refused:
        make()
    assert re.search(says, str(refused.value), re.DOTALL), str(refused.value)


def test_grades_that_are_no_numbers_are_told_by_their_rank_among_documents():
    """Without ids, too; the pool's documents have no rank."""
    for given, place in (
        ((["a", "b"], {"a": 1, "b": "x"}), "document 'b', rank 2: "),
        ((["a"], {"a": 1, "b": "x"}), "document 'b': "),
    ):
        with pytest.raises(InputError, match=place):
            aligned_ranking.align(*given)
