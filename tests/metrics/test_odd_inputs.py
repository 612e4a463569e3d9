"""What is given in the place of ids or grades by habit: refused by what it is, or read as meant."""

import pandas as pd
import pytest

from irmetrics_edu import alpha_ndcg, evaluate, ilad, ndcg
from irmetrics_edu.errors import InputError

SCORES = pd.Series({"a": 0.1, "b": 0.9})
GRADES = pd.Series({"a": 0, "b": 1})
FRAME = pd.DataFrame({"document": ["a"], "grade": [1]})


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: ndcg(["a", "b"], GRADES), "judged are a series of numbers .* as a mapping, .to_d"),
        (lambda: ndcg(SCORES, {"a": 1}), "ranked are a series of numbers .* as a mapping, .to_d"),
        (lambda: evaluate({"q": SCORES}, {"q": {"a": 1}}, "RR"), "'q': the documents ranked are a"),
        (lambda: evaluate({"q": ["a"]}, {"q": GRADES}, "RR"), "'q': the documents judged are a"),
        (lambda: ndcg(["a"], FRAME), "the documents judged are a data frame"),
        (lambda: ndcg(FRAME, {"a": 1}), "the documents ranked are a data frame"),
        (lambda: ndcg([0.5, 0.25], {"a": 1}), "rank 1 holds 0.5, which is a score and no id"),
        (lambda: ndcg(["a", "b"], [0, 1]), "ids are texts, .* such as 0, are whole numbers"),
        (lambda: ndcg([7, 8], ["a"]), "ids are whole numbers, .* such as 'a', are texts"),
        (lambda: alpha_ndcg([7], {"a": {"n"}}), "ids are whole numbers, .* such as 'a', are texts"),
        (lambda: ilad([7, 8], {"a": [1.0]}), "ids are whole numbers, .* such as 'a', are texts"),
        (lambda: ndcg([[2, 1]], [[0.9, 0.5]]), "holds a list"),
    ],
)
def test_a_habit_is_told_what_to_write(call, says):
    """Each gave 0 without a word: values became ids, or the names of columns did."""
    with pytest.raises(InputError, match=says):
        call()


def test_a_series_of_ids_is_a_list_under_any_index():
    """Sorting and filtering leave labels that say nothing."""
    table = pd.DataFrame({"document": ["a", "b", "c"], "score": [1.0, 3.0, 2.0]})
    ranked = table.sort_values("score", ascending=False)["document"]
    assert ndcg(ranked, {"b": 1}) == 1
    assert ndcg(ranked, table[table["score"] > 2.5]["document"]) == 1
    assert ndcg(ranked.map({"a": 1, "b": 2, "c": 3}), {2: 1}) == 1


def test_a_series_of_grades_is_in_the_order_of_its_rows():
    """Its index says nothing of ranks."""
    assert ndcg(pd.Series([2, 1, 0], index=[2, 0, 1])) == 1
