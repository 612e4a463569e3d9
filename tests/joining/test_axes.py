"""What the classes of rows derive from the axes of their fields, whatever the kind of input."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from dev.tools import inputs
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.rows.by_query import ByQuery

import_all()
KINDS = {metric.inputs.name: metric for metric in METRICS.values()}
# Lists, users, thresholds and values are not cut at a rank, and counts refuse a cut.
NOT_CUT = {
    "lists of all users",
    "recommended list with categories, or counts",
    "scored",
    "scored by user",
    "session",
    "values",
}


def parts_of(metric: Metric) -> list[Any]:
    """The rows of each example of a kind of input, as queries of different names."""
    return [
        metric.align(*call.arguments, query=f"q{number}")
        for number, call in enumerate(inputs.of(metric))
    ]


def same(one: Any, other: Any) -> None:
    """Both hold the same in every column that both have."""
    assert type(one) is type(other)
    assert one.n == other.n
    for name in (f.name for f in fields(one) if f.init):
        a, b = getattr(one, name), getattr(other, name)
        if a is None or b is None or isinstance(a, bool):  # said of all, or of none
            continue
        if isinstance(a, ByQuery):
            same(a, b)
        elif isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b, err_msg=name)
        elif isinstance(a, Sequence) and len(a) and isinstance(a[0], ByQuery):
            for x, y in zip(a, b, strict=True):
                same(x, y)
        else:
            assert a == b, name


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_of_takes_apart_what_joined_put_together(kind: str) -> None:
    """Each query alone is as it was, and all of them together are the same table again."""
    parts = parts_of(KINDS[kind])
    whole = type(parts[0]).joined(parts)
    assert whole.n == sum(part.n for part in parts)
    alone = [whole.of(q) for q in range(whole.n)]
    for part, one in zip(parts, alone, strict=True):
        same(part, one)
    same(type(whole).joined(alone), whole)


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - NOT_CUT))
@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_cut_of_many_is_the_cut_of_each(kind: str, k: int) -> None:
    """Rows down to rank k are the same before and after tables are joined."""
    parts = parts_of(KINDS[kind])
    whole = type(parts[0]).joined(parts)
    same(type(whole).joined([part.top(k) for part in parts]), whole.top(k))
