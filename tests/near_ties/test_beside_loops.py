"""Each choice among nearly equal numbers beside a loop over the sorted numbers."""

from fractions import Fraction

import numpy as np
import pytest

from irmetrics_edu.near_ties import (
    TOLERANCE,
    best,
    exceeds,
    falling,
    highest,
    leading,
    levelled,
    scale_of_highest,
    sole,
)
from tests.tables import rows

SEEDS = range(25)
LARGEST = float(np.finfo(float).max)


def _drawn(chance, n):
    """Numbers of which many tie, alone or through a chain of others; and some that are far off."""
    whole = chance.choice(
        [-2.0, 0.0, 1.0, 3.0, 1e6, -np.inf], n, p=[0.2, 0.2, 0.3, 0.15, 0.1, 0.05]
    )
    steps = chance.integers(0, 4, n) * chance.choice([0.4, 0.9, 1.3])
    with np.errstate(invalid="ignore"):
        return whole - steps * TOLERANCE * np.abs(np.where(np.isfinite(whole), whole, 0))


def _ties(upper, lower, scale):
    """Whether a number joins the group of the next higher one."""
    return lower >= upper - TOLERANCE * max(min(abs(upper), LARGEST), scale)


def _tie_groups(values, scales):
    """The places in groups, from high to low, each group in the order given."""
    places = sorted(range(len(values)), key=lambda i: (values[i], i), reverse=True)
    groups = []
    for i in places:
        if groups and _ties(values[groups[-1][-1]], values[i], scales[groups[-1][-1]]):
            groups[-1].append(i)
        else:
            groups.append([i])
    return [sorted(group) for group in groups]


@rows("seed", SEEDS)
@rows("scale", [0.0, 5.0])
def test_choices_of_a_list_are_those_of_its_groups(seed, scale):
    """The first group leads; its first member is the best; all groups in turn are the order."""
    chance = np.random.default_rng(seed)
    values = _drawn(chance, int(chance.integers(1, 9)))
    n = len(values)
    groups = _tie_groups(values, [scale] * n)
    order = [i for group in groups for i in group]
    assert falling(values, scale=scale).tolist() == order
    assert leading(values, scale=scale).tolist() == [i in groups[0] for i in range(n)]
    assert best(values, scale) == groups[0][0]
    place, alone = sole(values, scale)
    assert values[place] == values.max()
    assert alone == (sum(_ties(values.max(), v, scale) for v in values) == 1)
    highs = {i: max(values[group]) for group in groups for i in group}
    assert levelled(values, scale=scale).tolist() == [highs[i] for i in range(n)]
    for wanted in range(1, n + 2):
        assert highest(values[None], wanted, scale).tolist() == [order[:wanted]]
    for value in values.tolist():
        above = [not _ties(value, other, scale) for other in values.tolist()]
        assert exceeds(value, values, scale).tolist() == above


@rows("seed", SEEDS)
def test_choices_of_groups_and_parts_are_those_of_each_alone(seed):
    """With a scale for each number, each part, or each line of a table."""
    chance = np.random.default_rng(seed)
    n = int(chance.integers(1, 14))
    values = _drawn(chance, n)
    group = chance.integers(0, 3, n)
    scales = chance.choice([0.0, 4.0], n)
    order, level = [], {}
    for g in range(3):
        places = np.flatnonzero(group == g).tolist()
        for tied in _tie_groups(values[places], scales[places]):
            order += [places[i] for i in tied]
            level |= {places[i]: max(values[[places[j] for j in tied]]) for i in tied}
    assert falling(values, group, scales).tolist() == order
    assert levelled(values, group, scales).tolist() == [level[i] for i in range(n)]
    starts = np.array(sorted({0, *chance.integers(0, n, 3).tolist()}))
    of_part = chance.choice([0.0, 4.0], len(starts))
    expected = []
    for part, scale in zip(np.split(values, starts[1:]), of_part, strict=True):
        first = _tie_groups(part, [scale] * len(part))[0]
        expected += [i in first for i in range(len(part))]
    assert leading(values, starts, of_part).tolist() == expected
    assert leading(values, starts).tolist() == [
        i in _tie_groups(part, [0] * len(part))[0]
        for part in np.split(values, starts[1:])
        for i in range(len(part))
    ]


@rows("seed", SEEDS)
@rows("width", [1, 2, 7, 40])
def test_choices_of_tables_are_those_of_each_line(seed, width):
    """Of narrow ones and of those so wide that blocks are looked at first."""
    chance = np.random.default_rng(seed)
    lines = int(chance.integers(1, 4))
    table = np.stack([_drawn(chance, width) for _ in range(lines)])
    scale = chance.choice([0.0, 4.0], lines)
    for scales, given in ((scale, scale), (np.zeros(lines), 0.0)):
        groups = [_tie_groups(line, [s] * width) for line, s in zip(table, scales, strict=True)]
        leaders = [[i in group[0] for i in range(width)] for group in groups]
        assert leading(table, scale=given).tolist() == leaders
        assert np.asarray(best(table, given)).tolist() == [group[0][0] for group in groups]
        _, alone = sole(table, given)
        tied = [
            [_ties(line.max(), v, s) for v in line] for line, s in zip(table, scales, strict=True)
        ]
        assert alone.tolist() == [sum(line) == 1 for line in tied]
        orders = [[i for group in line for i in group] for line in groups]
        for n in (1, 2, 3, width):
            assert highest(table, n, given).tolist() == [order[:n] for order in orders]
    each = chance.choice([0.0, 2.0, 9000.0], table.shape)
    found = scale_of_highest(table, each).tolist()
    assert found == [_scale_of_highest(*of_line) for of_line in zip(table, each, strict=True)]
    assert scale_of_highest(table[0], each[0]) == found[0]


def _scale_of_highest(values, scales):
    """The largest scale of the numbers that rounding may put first."""
    margins = [
        TOLERANCE * max(min(abs(v), LARGEST), s) if np.isfinite(v) else 0.0
        for v, s in zip(values, scales, strict=True)
    ]
    floor = max(v - m for v, m in zip(values, margins, strict=True))
    every = zip(values, margins, scales, strict=True)
    return max(s if v + m >= floor else 0.0 for v, m, s in every)


@pytest.mark.parametrize("kind", [int, Fraction])
def test_exact_numbers_tie_where_they_are_equal(kind):
    """Whatever the scale."""
    chance = np.random.default_rng(1)
    values = np.array([kind(v) for v in chance.integers(0, 4, 9).tolist()])
    order = sorted(range(9), key=lambda i: (-values[i], i))
    assert falling(values, scale=1e30).tolist() == order
    assert leading(values, scale=1e30).tolist() == [v == max(values) for v in values]
    assert best(values, 1e30) == order[0]
    assert levelled(values, scale=1e30).tolist() == values.tolist()
    above = [bool(other < values[0]) for other in values]
    assert np.asarray(exceeds(values[0], values, 1e30)).tolist() == above
