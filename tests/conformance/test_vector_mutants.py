"""The count of wrong programs that the vectors tell can fail, and its list is up to date."""

import pytest

from tests.mutants import of_vectors
from tests.mutants.of_vectors import every_change, known, report, tried

CHANGES = {change.name: change for change in every_change()}


def test_what_makes_no_difference_is_there():
    """Each listed change is one of the tool's, has a reason, and is listed once."""
    assert len(CHANGES) > 500
    assert not known().keys() - CHANGES.keys()
    assert all(known().values())


@pytest.mark.slow
def test_a_change_is_told_by_a_vector():
    """The least gain that counts as binary; a change of digits alone is told by none."""
    of_rankings = "dev/tools/vectors/oracles/rankings.py "
    border = f"{of_rankings}gain: return Fraction(1 if grade >= 1 else 0) | >= -> >"
    assert "binary" in tried(CHANGES[border])
    assert tried(CHANGES[f"{of_rankings}(module): _DIGITS = 40 | 40 -> 41"]) == ""


def test_the_count_fails_below_its_bound(capsys):
    """One that lives of four is too many, unless it is listed."""
    told = [(change, "a case") for change in [*CHANGES.values()][:3]]
    listed, lived = (
        next(c for c in CHANGES.values() if (c.name in known()) is there) for there in (True, False)
    )
    assert report([*told, (listed, "")]) == 0
    assert report([*told, (lived, "")]) == 1
    assert f"lived: {lived.name}" in capsys.readouterr().out
    assert of_vectors.BOUND == 0.98
