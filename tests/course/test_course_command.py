"""`irmetrics-edu course DIR`: what pip installs is enough to begin the course."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from hatchling.build import build_wheel

from dev.tools.site import moved
from irmetrics_edu.cli import BAD_INPUT, FINE, main
from irmetrics_edu.errors import InputError

ROOT = Path(__file__).resolve().parent.parent.parent


def chapters(folder):
    """The names of a folder's notebooks, those in other languages with their folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.ipynb"))


def test_it_writes_every_chapter_and_exercise(tmp_path, capsys):
    """All of them, in their languages, before anybody ran them; and how to begin."""
    folder = tmp_path / "course"
    assert main(["course", str(folder)]) == FINE
    shown = capsys.readouterr().out
    for kind in ("notebooks", "exercises"):
        assert chapters(folder / kind) == chapters(ROOT / kind)
        number = len(list((ROOT / kind).glob("*.ipynb")))
        assert re.search(rf"\b{number} {'chapters' if kind == 'notebooks' else kind}\b", shown)
    assert not list(folder.rglob("*.py"))
    for path in folder.rglob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            assert not cell.get("outputs"), path
    begin = (folder / "README.md").read_text(encoding="utf-8")
    for named in re.findall(r"`((?:notebooks|exercises)/[^`]*)`", begin):
        assert (folder / named).exists(), named


def test_work_that_is_there_is_not_written_over(tmp_path, capsys):
    """A second call into the same folder is refused, and what a student wrote stays."""
    folder = tmp_path / "course"
    assert main(["course", str(folder)]) == FINE
    mine = folder / "exercises" / "01_relevant_or_not.ipynb"
    mine.write_text("my answers", encoding="utf-8")
    assert main(["course", str(folder)]) == BAD_INPUT
    assert "is not an empty folder; name a new one" in capsys.readouterr().err
    assert mine.read_text(encoding="utf-8") == "my answers"


@pytest.mark.suite("guide")
@pytest.mark.slow
def test_a_wheel_alone_has_it(tmp_path):
    """Unpacked elsewhere, with no checkout beside it, the wheel writes the same; chapter 1 runs."""
    here = Path.cwd()
    os.chdir(ROOT)  # the build interface takes the project from the working folder
    try:
        name = build_wheel(str(tmp_path))
    finally:
        os.chdir(here)
    installed = tmp_path / "installed"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", tmp_path / name, installed], check=True)
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    ask = [sys.executable, "-m", "irmetrics_edu", "course", "mine"]
    said = subprocess.run(
        ask, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    counts = [len(list((ROOT / kind).glob("[0-9]*.ipynb"))) for kind in ("notebooks", "exercises")]
    assert "{} chapters and {} exercises in mine".format(*counts) in said.stdout
    assert main(["course", str(tmp_path / "checkout")]) == FINE
    for path in sorted((tmp_path / "checkout").rglob("*")):
        if path.is_file():
            other = tmp_path / "mine" / path.relative_to(tmp_path / "checkout")
            assert other.read_bytes() == path.read_bytes()
    notebook = tmp_path / "mine" / "notebooks" / "01_relevant_or_not.ipynb"
    subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", notebook],
        cwd=tmp_path,
        env=environment | {"PYTHONWARNINGS": "ignore"},
        capture_output=True,
        check=True,
    )
    ran = nbformat.read(notebook.with_suffix(".nbconvert.ipynb"), as_version=4)
    assert any(cell.get("outputs") for cell in ran.cells)


@pytest.mark.parametrize("page", ["README.md", "docs/teach-from-it.md"])
def test_the_pages_tell_how_many_chapters_there_are(page):
    """As many as there are; each chapter has an exercise."""
    there = len(list((ROOT / "notebooks").glob("[0-9]*.ipynb")))
    told = re.findall(r"(\d+) (?:chapters|exercises)\b", (ROOT / page).read_text(encoding="utf-8"))
    assert told == [str(there)] * 2


def test_old_addresses_lead_to_chapters(tmp_path):
    """A row of a topic that is no chapter, and one that would hide a chapter, are refused."""
    stems = [path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")]
    table = ROOT / "dev" / "site" / "moved.toml"
    assert set(moved.read(table, stems).values()) <= {*stems}
    own = tmp_path / "moved.toml"
    for row, said in (('07_a = "b"', "no chapter"), ('07_a = "a"', "nothing can lead on")):
        own.write_text(f"[moved]\n{row}\n", encoding="utf-8")
        with pytest.raises(InputError, match=said):
            moved.read(own, ["07_a"])
