"""The page docs/learning-to-rank.md: its lines run, its tables are of all learners."""

import re

import numpy as np
import pytest

import irmetrics_edu as im
from benchmarks.learning import BEGIN, END, LEARNERS
from irmetrics_edu.learning.features import FEATURES, RANKINGS
from irmetrics_edu.learning.made import made_queries
from tests.conftest import ROOT

TEXT = (ROOT / "docs" / "learning-to-rank.md").read_text(encoding="utf-8")
LINES = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


def write(folder, name, n_queries, seed):
    """Files in LightGBM's layout, of 300 features."""
    made = made_queries(n_queries, 8, noise=0, seed=seed)
    rows = [
        f"{g:g} " + " ".join(f"{j}:{v!r}" for j, v in enumerate(x, 1)) + " 300:0"
        for g, x in zip(made.grade.tolist(), made.features.tolist(), strict=True)
    ]
    (folder / name).write_text("\n".join(rows), encoding="utf-8")
    (folder / f"{name}.query").write_text("8\n" * n_queries, encoding="utf-8")


def test_the_lines_go_from_a_file_to_scores(tmp_path, monkeypatch, capsys):
    """Under ten lines, run as they stand; what is learnable is learnt."""
    write(tmp_path, "rank.train", 60, 1)
    write(tmp_path, "rank.test", 20, 2)
    monkeypatch.chdir(tmp_path)
    (block,) = LINES
    assert len(block.strip().splitlines()) < 10
    known = {}
    exec(block, known)  # noqa: S102 -- the page's own lines
    assert "nDCG@10" in capsys.readouterr().out
    means = im.evaluate(known["run"], known["test"].qrels, "nDCG@10 AP").mean
    assert means["nDCG@10"] > 0.9
    assert (tmp_path / "listnet.npz").exists()


def test_the_tables_have_every_learner_and_their_functions_exist():
    """A learner that is added has to be in the table of sources and in both tables of results."""
    tables = TEXT.partition(BEGIN)[2].partition(END)[0]
    for name in LEARNERS:
        assert tables.count(f"\n| {name} |") == 2
        assert f"\n| {name} | `" in TEXT.partition(BEGIN)[0]
    for function in re.findall(r"^\| [\w ,]+ \| `(\w+)", TEXT, flags=re.MULTILINE):
        assert hasattr(im, function), function
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
