"""A stranger's RAG over a vector index: the gate finds what hurts, and lets noise through."""

import shutil
import sys

import pytest

from tests.conftest import ROOT
from tests.plugin.test_as_a_stranger import call

pytestmark = pytest.mark.slow
SAMPLE = ROOT / "tests" / "sample_rag"


@pytest.fixture
def project(tmp_path):
    """The project as its authors have it."""
    folder = tmp_path / "project"
    shutil.copytree(SAMPLE / "project", folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def said_of(project, patch):
    """What its own pytest says of it, after a change."""
    if patch is not None:
        code, text = call("git", "apply", SAMPLE / patch, cwd=project)
        assert code == 0, text
    return call(sys.executable, "-m", "pytest", cwd=project)


def test_as_it_is(project):
    """It passes, and scores what its baseline says."""
    code, text = said_of(project, None)
    assert code == 0, text
    assert "3 passed" in text
    assert "0.9167  baseline 0.9167 - 0.02" in text


def test_passages_without_their_titles(project):
    """All pages then look alike: both gates fail, and name questions and what moved."""
    code, text = said_of(project, "worse_passages.patch")
    assert code == 1, text
    assert "RR@10 fell by 0.6849 > 0.0200 (0.9167 -> 0.2318; 36 queries)" in text
    assert "allotment garden, time, what moved (1.0000 -> 0.0000):" in text
    assert 'passport, cost "How much do I pay for a passport?" 0.000' in text
    assert "1 passed" in text  # it is as fast as before


def test_other_ids_and_coarser_vectors(project):
    """Every passage has another id and every vector another digit: the gate lets it through."""
    code, text = said_of(project, "harmless.patch")
    assert code == 0, text
    assert "3 passed" in text


def test_other_passages(project):
    """Documents are cut otherwise, and the judgments are still those of the baseline."""
    index = project / "index.py"
    code = index.read_text(encoding="utf-8")
    index.write_text(code.replace("SENTENCES = 2", "SENTENCES = 1"), encoding="utf-8")
    _, text = said_of(project, None)
    assert "baseline 0.9167 - 0.02" in text
    assert "judgments changed" not in text
