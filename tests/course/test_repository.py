"""A notebook's repository: files as TREC has them, and what pytest says without its traces."""

import pytest

from irmetrics_edu.course.repository import Repository


@pytest.fixture
def shop():
    """A repository that is gone after the test."""
    return Repository()


def test_files_are_those_of_trec(shop):
    """Documents in their order, or by score."""
    shop.write_qrels("a.qrels", {"q": {"x": 2, "y": 0}})
    assert (shop.folder / "a.qrels").read_text() == "q 0 x 2\nq 0 y 0\n"
    shop.write_run("a.run", {"q": ["y", "x"], "r": {"x": 0.5, "y": 2.0}})
    rows = [line.split()[:4] for line in (shop.folder / "a.run").read_text().splitlines()]
    assert [" ".join(row) for row in rows] == ["q Q0 y 1", "q Q0 x 2", "r Q0 y 1", "r Q0 x 2"]


def test_the_folder_goes_with_its_repository():
    """Without a call, so that cells can be run again."""
    made = Repository()
    folder = made.folder
    assert folder.exists()
    del made
    assert not folder.exists()


@pytest.mark.slow
def test_pytest_is_shown_without_time_and_place(shop):
    """The summary stays; seconds and the folder's path go."""
    shop.write("test_it.py", "def test_it():\n    assert __file__ == 1\n")
    said = repr(shop.pytest_says())
    assert "== 1 failed ==" in said
    assert str(shop.folder) not in said
