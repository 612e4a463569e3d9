"""docs/retrievers.md is true: its examples, and the line for each system over a real answer."""

import doctest
import json
import os
import re
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import pytest

from irmetrics_edu import build_run
from tests.collecting.systems import FILE, replayed
from tests.collecting.test_retrieved import RESPONSE
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "retrievers.md"
LINES = dict(re.findall(r"```python (\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
RECORDED = {
    name: replayed(answer) for name, answer in json.loads(FILE.read_text(encoding="utf-8")).items()
}


class Connection:
    """A database whose answer is that of SQLite, for there is no pgvector here."""

    def execute(self, sql, parameters):
        """Two rows with distances, whatever is asked."""
        assert "<=>" in sql
        assert parameters == [[0.0]]
        rows = "SELECT 'd3' AS id, 0.1 AS distance UNION ALL SELECT 'd1', 0.3"
        self.opened = sqlite3.connect(":memory:")
        return self.opened.execute(rows)

    def close(self):
        """What was opened is closed."""
        self.opened.close()


def answering(answer):
    """A method that gives this answer, whatever it is asked."""
    return lambda *_, **__: answer


CLIENTS = {
    "langchain_retriever": SimpleNamespace(invoke=answering(RECORDED["langchain"])),
    "langchain_store": SimpleNamespace(
        similarity_search_with_score=answering(RECORDED["langchain with scores"])
    ),
    "llama_index_retriever": SimpleNamespace(retrieve=answering(RECORDED["llama_index"])),
    "pipeline": SimpleNamespace(run=answering(RECORDED["haystack"])),
    "client": SimpleNamespace(search=answering(SimpleNamespace(body=RESPONSE))),
    "qdrant": SimpleNamespace(query_points=answering(RECORDED["qdrant"])),
    "connection": Connection(),
    "index": SimpleNamespace(retrieve=answering(RECORDED["bm25s"])),
}
FOUND = {
    "langchain": ["d3", "d1"],
    "llama_index": ["d3", "d1"],
    "haystack": ["d1", "d3"],
    "elasticsearch": ["0", "7"],
    "qdrant": ["d3", "d1"],
    "pgvector": ["d3", "d1"],
    "bm25s": ["d3", "d1"],
}


def test_the_examples_of_the_page():
    """Each gives what the page shows, in a fresh interpreter, which warns of nothing."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-m", "doctest", str(PAGE)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    text = PAGE.read_text(encoding="utf-8")
    assert len(doctest.DocTestParser().get_examples(text)) > 30


@pytest.mark.parametrize("system", FOUND)
def test_the_line_for_each_system(system):
    """It runs as it stands, and gives the run."""
    names = {
        "build_run": build_run,
        "queries": {"q1": "cats"},
        "embed": answering([0.0]),
        "tokenize": answering(["cats"]),
        **CLIENTS,
    }
    exec(LINES[system], names)  # noqa: S102 -- it is our own page
    assert list(names["run"]["q1"]) == FOUND[system]
    if system == "pgvector":
        CLIENTS["connection"].close()


def test_every_system_of_the_page_has_a_test():
    """A line that is added to the page is run."""
    assert set(LINES) == set(FOUND)
