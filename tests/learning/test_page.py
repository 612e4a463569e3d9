"""The page docs/learning-to-rank.md: its tables are of all learners."""

import re

import numpy as np
import pytest

from dev.benchmarks.learning import BEGIN, END, LEARNERS
from irmetrics_edu import lab
from irmetrics_edu.lab.learning.features import FEATURES, RANKINGS
from irmetrics_edu.lab.learning.made_queries import made_queries
from tests.conftest import ROOT

TEXT = (ROOT / "docs" / "learning-to-rank.md").read_text(encoding="utf-8")


def test_the_tables_have_every_learner_and_their_functions_exist():
    """A learner that is added has to be in the table of sources and in both tables of results."""
    tables = TEXT.partition(BEGIN)[2].partition(END)[0]
    for name in LEARNERS:
        assert tables.count(f"\n| {name} |") == 2
        assert f"\n| {name} | `" in TEXT.partition(BEGIN)[0]
    for function in re.findall(r"^\| [\w ,]+ \| `(\w+)", TEXT, flags=re.MULTILINE):
        assert hasattr(lab, function), function
    for feature in (*FEATURES, *RANKINGS):
        assert f"\n| `{feature}` |" in TEXT


def test_bold_claims_of_the_page_are_what_the_tables_say():
    """225 and 251 queries; the first line has no difference to itself."""
    assert "### Cranfield: 225 queries" in TEXT
    assert "### LightGBM's example: 251 queries" in TEXT
    assert re.search(r"^\| BM25 \| [\d.]+ ± [\d.]+ \|  \|", TEXT, flags=re.MULTILINE)
    assert "-0.000" not in TEXT


def more(table):
    """By how much each line's nDCG@10 is above the first one's, and the standard error."""
    cell = r"^\| ([^|]+) \| [^|]+ \| ([+-]?[\d.]+) ± ([\d.]+) \|"
    found = re.findall(cell, table, flags=re.MULTILINE)
    return {name: (float(difference), float(error)) for name, difference, error in found}


def test_what_the_page_reads_in_its_tables_stands_there():
    """None is clearly above BM25 on Cranfield, and all are far above chance on the other set."""
    cranfield, _, example = TEXT.partition("### LightGBM's example")
    on_cranfield, on_example = more(cranfield), more(example)
    assert set(LEARNERS) <= set(on_cranfield)
    assert all(difference < 2 * error for difference, error in on_cranfield.values())
    assert set(LEARNERS) <= set(on_example)
    assert all(difference > 10 * error for difference, error in on_example.values())


@pytest.mark.parametrize("name", list(LEARNERS))
def test_every_learner_of_the_table_learns_from_small_data(name):
    """And its scores are finite."""
    data = made_queries(10, 6).normalised()
    assert np.isfinite(LEARNERS[name](data).score(data.features)).all()
