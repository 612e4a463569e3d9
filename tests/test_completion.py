"""Completion: the scripts complete in the shells themselves, without starting Python."""

import shutil
import subprocess
from pathlib import Path

import pytest

from irmetrics_edu.cli import COMMANDS, main

# A line, and what completes its last word; nothing where files do.
LINES = {
    "irmetrics-edu ev": ["evaluate"],
    "irmetrics-edu evaluate --conv": ["--conventions"],
    "irmetrics-edu evaluate q r --conventions rankl": ["ranklib"],
    "irmetrics-edu evaluate q r -m nDC": ["nDCG"],
    "irmetrics-edu evaluate q r --ties pess": ["pessimistic"],
    "irmetrics-edu evaluate no-such-fi": [],
    "irmetrics-edu diagnose nDC": ["nDCG"],
    "irmetrics-edu diagnose nDCG --run no-such-fi": [],
    "irmetrics-edu judgments un": ["unjudged"],
    "irmetrics-edu judgments unjudged --fi": ["--first"],
}
IN_BASH = """source {script}
while read -r line; do
  COMP_WORDS=($line); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=(); _irmetrics_edu
  echo "${{COMPREPLY[*]}}"
done
"""
IN_FISH = "source {script}; while read line; echo (complete -C$line | cut -f1); end"
SHELLS = {"bash": IN_BASH, "fish": IN_FISH}


@pytest.mark.parametrize("shell", [name for name in SHELLS if shutil.which(name)])
def test_a_shell_completes(tmp_path: Path, capsys: pytest.CaptureFixture[str], shell: str) -> None:
    """Commands, options, and words of options; where files are due, it gives none of its own."""
    assert main(["completion", shell]) == 0
    script = tmp_path / "script"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    called = subprocess.run(
        [shutil.which(shell) or shell, "-c", SHELLS[shell].format(script=script)],
        input="".join(f"{line}\n" for line in LINES),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
    )
    assert [line.split() for line in called.stdout.splitlines()] == list(LINES.values())
    assert not called.stderr


def test_every_command_is_completed(capsys: pytest.CaptureFixture[str]) -> None:
    """No script lacks a command; that of zsh is that of bash, which zsh can read."""
    scripts = {}
    for shell in ("bash", "zsh", "fish"):
        assert main(["completion", shell]) == 0
        scripts[shell] = capsys.readouterr().out
        assert all(command in scripts[shell] for command in COMMANDS)
    assert scripts["zsh"].endswith(scripts["bash"])
