"""Tables of rows within one test: every row is tried, and a failure names its row."""

import pytest

from tests.tables import rows


def test_every_row_is_tried_and_the_failing_one_is_named() -> None:
    """Rows after the failing one are not reached, as after a failing assertion."""
    seen = []

    @rows(("a", "b"), [(1, 2), (3, 3), (5, 6)])
    def differ(a: int, b: int) -> None:
        seen.append(a)
        assert a != b

    with pytest.raises(AssertionError) as caught:
        differ()
    assert seen == [1, 3]
    assert caught.value.__notes__ == ["The row: (3, 3)"]


def test_tables_stand_upon_each_other_and_leave_fixtures_alone() -> None:
    """As with `parametrize`, all pairs are tried."""
    seen = []

    @rows("a", "xy")
    @rows("b", [1, 2])
    def each(a: str, b: int, fixture: str) -> None:
        seen.append((a, b, fixture))

    each(fixture="f")
    assert seen == [("x", 1, "f"), ("x", 2, "f"), ("y", 1, "f"), ("y", 2, "f")]


def test_a_table_that_tests_nothing_is_refused() -> None:
    """No rows, rows of another length, and names that the test does not have."""

    def of_two(a: int, b: int) -> None:
        """Compare them."""
        assert a == b

    for names, table in (("a", []), ("a,b", [(1,)]), ("c", [1])):
        with pytest.raises(AssertionError):
            rows(names, table)(of_two)
