"""Which warnings fail a test: all of our doing, and of libraries all but what is out of date."""

import warnings

import pytest

OUT_OF_DATE = (DeprecationWarning, PendingDeprecationWarning, FutureWarning)


@pytest.mark.parametrize("category", OUT_OF_DATE)
@pytest.mark.parametrize(
    "module",
    ["irmetrics_edu", "irmetrics_edu.rows.ordering", "tests.test_x", "dev.benchmarks", "__main__"],
)
def test_what_we_do_out_of_date_fails(module: str, category: type[Warning]) -> None:
    """The module is the one whose line did it, wherever the warning was written."""
    with pytest.raises(category):
        warnings.warn_explicit("old", category, "file.py", 1, module=module)


@pytest.mark.parametrize("category", OUT_OF_DATE)
@pytest.mark.parametrize("module", ["matplotlib.rcsetup", "testslide", "irmetrics_educated"])
def test_what_a_library_does_out_of_date_is_shown(module: str, category: type[Warning]) -> None:
    """It is the library's to mend."""
    with warnings.catch_warnings(record=True) as shown:
        warnings.warn_explicit("old", category, "file.py", 1, module=module)
    assert [w.category for w in shown] == [category]


@pytest.mark.parametrize("category", [UserWarning, RuntimeWarning, ResourceWarning, SyntaxWarning])
def test_any_other_warning_fails_whoever_gives_it(category: type[Warning]) -> None:
    """A library that warns of a number or of a file left open is asked something wrong by us."""
    with pytest.raises(category):
        warnings.warn_explicit("wrong", category, "file.py", 1, module="scipy.stats")
