"""Association rules: by hand, and against rules written out in plain loops."""

import itertools
import math

import numpy as np
import pytest

from irmetrics_edu import explain
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import association_rules
from irmetrics_edu.lab.learning.made_queries import made_queries
from irmetrics_edu.lab.learning.ranking_data import RankingData


def plain_ranges(values, ranges):
    """The upper ends of the ranges but the last: every n/ranges-th value in order."""
    ordered = sorted(values)
    n = len(ordered)
    ends = {ordered[math.ceil(n * i / ranges) - 1] for i in range(1, ranges)}
    return sorted(e for e in ends if e < ordered[-1])


def plain_scores(data, rows, ranges, support):
    """The mean grade of each row, by sets of items and dicts of counts."""
    ends = [plain_ranges(column, ranges) for column in data.features.T.tolist()]

    def items(row):
        return [(j, sum(x > e for e in ends[j])) for j, x in enumerate(row)]

    def bodies(row):
        return [frozenset(c) for n in (1, 2) for c in itertools.combinations(items(row), n)]

    with_body, with_both = {}, {}
    for row, grade in zip(data.features.tolist(), data.grade.tolist(), strict=True):
        for body in bodies(row):
            with_body[body] = with_body.get(body, 0) + 1
            with_both[body, grade] = with_both.get((body, grade), 0) + 1
    grades, out = data.grades, []
    for row in rows:
        mean = {}
        for g in grades:
            known = [body for body in bodies(row) if body in with_body]
            both = [(with_both.get((body, g), 0), with_body[body]) for body in known]
            shares = [b / n for b, n in both if b / len(data.grade) >= support and b]
            mean[g] = sum(shares) / max(len(shares), 1)
        weight = sum(mean.values())
        out.append(sum(g * s for g, s in mean.items()) / weight if weight else data.grade.mean())
    return out


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("ranges", "support"), [(4, 0.001), (3, 0.05), (2, 0.1), (5, 0.3), (1, 0.0)]
)
def test_scores_are_those_of_rules_written_out(seed, ranges, support):
    """Of what was learnt from and of other documents, with tied values among the features."""
    data = made_queries(6, 8, 3, noise=0.3, seed=seed)
    whole = RankingData(np.round(data.features), data.grade, data.query, data.document)
    options = {"ranges": ranges, "support": support}
    ranker = association_rules(whole, **options)
    rows = np.vstack([whole.features, np.random.default_rng(seed).normal(size=(20, 3))])
    assert ranker.score(rows).tolist() == pytest.approx(plain_scores(whole, rows, **options))


def test_a_case_by_hand():
    """Of four documents above 0 in x one has grade 2, and both that are high in y."""
    features = [[0, 0], [0, 1], [1, 0], [1, 1]]
    data = RankingData(features, [0, 0, 0, 2], ["q"] * 4, list("abcd"))
    ranker = association_rules(data, ranges=2, support=0.25)
    # [1, 1] has the bodies x: 1/2 of 0, 1/2 of 2; y: the same; x and y: all of 2.
    # The means are 1/2 for grade 0, and (1/2 + 1/2 + 1) / 3 = 2/3 for grade 2.
    chance = (2 / 3) / (1 / 2 + 2 / 3)
    assert ranker.score([[1, 1]])[0] == pytest.approx(2 * chance)
    assert ranker.score([[0, 0]])[0] == 0
    assert "rules; they are counted" in explain(ranker.working.of(0)).text


def test_values_that_rounding_alone_tells_apart_are_in_one_range():
    """0.1 + 0.2 is 0.3."""
    data = RankingData([[0.3], [0.1 + 0.2], [1]], [0, 1, 1], ["q"] * 3, list("abc"))
    ranker = association_rules(data, ranges=3, support=0)
    a, b, c = ranker.score(data.features).tolist()
    assert a == b == 0.5
    assert c == 1


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"ranges": 0}, "ranges=0 is not possible"),
        ({"ranges": 2.5}, r"ranges=2\.5 is not possible"),
        ({"support": 1.5}, "support"),
    ],
)
def test_bad_options_are_refused(options, says):
    """Each message says what was given."""
    with pytest.raises(InputError, match=says):
        association_rules(made_queries(2), **options)


def test_too_many_ranges_are_refused():
    """Their pairs would fill the memory."""
    random = np.random.default_rng(0)
    data = RankingData(random.normal(size=(20, 600)), [0, 1] * 10, ["q"] * 20, range(20))
    with pytest.raises(InputError, match="600 features have 2400 ranges together"):
        association_rules(data)
