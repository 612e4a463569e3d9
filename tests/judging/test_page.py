"""The page docs/judging.md: its files are written, its commands run, its examples are true."""

import doctest
import re
import shlex

import pytest

from irmetrics_edu.cli import main
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "judging.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = ("old.run", "new.run", "qrels.txt", "queries.tsv", "graded.csv", "model.csv", "pins.csv")
BLOCK = re.compile(r"`([\w.]+)`[^`]*?:\n\n```text\n(.*?)```", re.DOTALL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the page says to write."""
    shown = dict(BLOCK.findall(TEXT))
    for name in FILES:
        (tmp_path / name).write_text(shown[name], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_loop_of_the_page_can_be_walked(folder, capsys):
    """Every command ends well, the list is as shown, and then every example holds."""
    commands = re.findall(r"^    irmetrics-edu (.*)$", TEXT, flags=re.MULTILINE)
    assert len(commands) == 5
    said = []
    for command in commands:
        assert main(shlex.split(command)) == 0, capsys.readouterr().err
        said.append(capsys.readouterr().out)
    list_shown = re.search(r"```text\n(query,query_text.*?)```", TEXT, flags=re.DOTALL)[1]
    assert (folder / "work.csv").read_text(encoding="utf-8") == list_shown
    assert "judgments added: 4; in all: 7" in said[1]
    assert "Cohen's kappa              0.6364" in said[3]
    assert said[4].endswith("errors: 0, warnings: 0\n")
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert (failed, tried) == (0, 16)
