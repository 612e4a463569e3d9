"""Whether a student's function changed what it was given."""

import copy

import pytest

from irmetrics_edu.classroom.exercises.differing import same

NAN = float("nan")
INPUTS = [["d1", "d2"], {"d1": {"a", "b", "c"}, "d2": frozenset()}, NAN, (1, 2), None]


def test_a_copy_is_no_change():
    """Sets are compared as sets, NaN is NaN."""
    assert same(copy.deepcopy(INPUTS), INPUTS, 0.0)
    members = [f"x{i}" for i in range(50)]
    assert same([set(members)], [set(members[25:]) | set(members[:25])], 0.0)


@pytest.mark.parametrize(
    "change",
    [
        lambda given: given[0].sort(reverse=True),
        lambda given: given[0].pop(),
        lambda given: given[1]["d1"].discard("a"),
        lambda given: given[1].pop("d2"),
    ],
)
def test_a_change_is_seen(change):
    """In a list, in a dict, in a set within it."""
    given = copy.deepcopy(INPUTS)
    change(given)
    assert not same(given, INPUTS, 0.0)
