"""A study that is interrupted goes on from what it kept, and refuses what is another study's."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from irmetrics_edu.cli import BAD_INPUT, FINE, main
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.study.diversity_study import study_diversity
from irmetrics_edu.lab.study.finished_steps import Kept, fingerprint

OPTIONS = {"cutoffs": (5,), "pool": 20, "epochs": 3, "alpha": 0.1, "beta": 0.1}
DATA = catalogue(users=30, items=80, categories=5, per_user=12, seed=1)
COMMAND = [
    "study", "diversity", "--users", "30", "--items", "80", "--cutoffs", "5", "--pool", "20",
    "--epochs", "3", "--alpha", "0.1", "--beta", "0.1", "--seeds", "2", "--format", "json",
]  # fmt: skip


@pytest.mark.slow
def test_what_was_kept_is_not_done_again(tmp_path, monkeypatch):
    """The scores are the same, nothing is trained, and more seeds go on in the same folder."""
    first = study_diversity(DATA, **OPTIONS, keep=tmp_path / "work")
    without = study_diversity(DATA, **OPTIONS)
    more = study_diversity(DATA, **OPTIONS, seeds=2, keep=tmp_path / "work")
    with monkeypatch.context() as patched:
        patched.setattr("irmetrics_edu.lab.recommenders.lightgcn.LightGCN.fit", None)
        again = study_diversity(DATA, **{**OPTIONS, "alpha": 0.2}, keep=tmp_path / "work")
    for key, values in without.scores.items():
        assert first.scores[key].tolist() == values.tolist()
        assert more.scores[key][: len(values)].tolist() == values.tolist()
        if key[1] not in ("DCC", "FDCC"):  # of another alpha
            assert again.scores[key].tolist() == values.tolist()
    assert len(more.scores["MMR", "CC", 5]) == 2 * len(first.users)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system can't kill outright")
def test_a_study_that_is_killed_goes_on(tmp_path, capsys):
    """Whatever stood on the disk by then: the result is that of an undisturbed run."""
    assert main(COMMAND) == FINE
    expected = json.loads(capsys.readouterr().out)
    keep = ["--keep", str(tmp_path / "work")]
    run = [sys.executable, "-m", "irmetrics_edu", *COMMAND, *keep]
    process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not list((tmp_path / "work").glob("*.npz")):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert main([*COMMAND, *keep]) == FINE
    assert json.loads(capsys.readouterr().out) == expected


def test_a_step_is_made_once(tmp_path):
    """And read from then on; without a folder it is made each time."""
    made = []

    def make():
        made.append(1)
        return {"x": np.arange(3)}

    for _ in range(2):
        assert Kept(tmp_path / "work", {"data": "d"}).step("one", make)["x"].tolist() == [0, 1, 2]
    assert len(made) == 1
    for _ in range(2):
        Kept(None, {}).step("one", make)
    assert len(made) == 3


def test_other_settings_and_other_data_are_refused(tmp_path):
    """The first that differs is named, with both values."""
    Kept(tmp_path / "work", {"data": "d", "pool": 20})
    with pytest.raises(InputError, match="its pool is 20, here it is 30; give the same settings"):
        Kept(tmp_path / "work", {"data": "d", "pool": 30})
    with pytest.raises(InputError, match="its data is 'd', here it is 'e'"):
        Kept(tmp_path / "work", {"data": "e", "pool": 20})


def test_a_folder_with_other_files_is_no_work_folder(tmp_path):
    """Nothing is written beside what someone else keeps there."""
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(InputError, match=r"holds files but no study\.json"):
        Kept(tmp_path, {"data": "d"})
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("content", ["", "[]", "{", '{"format": 0}'])
def test_a_study_json_that_is_broken_is_refused(tmp_path, content):
    """With what to do."""
    (tmp_path / "study.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="give"):
        Kept(tmp_path, {"data": "d"})


def test_a_step_that_is_broken_is_named(tmp_path):
    """Not read as something else, and not passed over."""
    kept = Kept(tmp_path / "work", {"data": "d"})
    (tmp_path / "work" / "one.npz").write_bytes(b"PK\x03\x04 torn")
    with pytest.raises(InputError, match=r"one\.npz can't be read .* remove it"):
        kept.step("one", dict)


def test_the_fingerprint_tells_data_apart():
    """Other interactions, other categories."""
    other = catalogue(users=30, items=80, categories=5, per_user=12, seed=2)
    assert fingerprint(DATA) == fingerprint(
        catalogue(users=30, items=80, categories=5, per_user=12, seed=1)
    )
    assert fingerprint(DATA) != fingerprint(other)


def test_the_command_refuses_another_studys_folder(tmp_path, capsys):
    """Before anything is trained."""
    Kept(tmp_path / "work", {"data": "d"})
    assert main([*COMMAND, "--keep", str(tmp_path / "work")]) == BAD_INPUT
    assert "keeps another study" in capsys.readouterr().err
