"""A team's folder in which a notebook runs pytest, and shows what pytest says."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path

from irmetrics_edu.course.collection.collection_files import run_lines
from irmetrics_edu.course.prompts import Page, verbatim
from irmetrics_edu.writing import write

_PYTEST = [
    *(sys.executable, "-m", "pytest", "--color=no", "--no-header", "--disable-warnings"),
    *("-p", "irmetrics_edu.pytest_plugin", "-p", "no:cacheprovider"),
]
_OF_A_BUILD = ("CI", "BUILD_NUMBER", "GITHUB_STEP_SUMMARY")


class Repository:
    """A temporary folder with tests, judgments and runs; it goes when nothing refers to it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        weakref.finalize(
            self,
            shutil.rmtree,
            self.folder,
            ignore_errors=True,
        )
        self.write("pytest.ini", "[pytest]\n")

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        write(self.folder / name, text)

    def write_qrels(self, name: str, qrels: Mapping[str, Mapping[str, int]]) -> None:
        """Write judgments in the format of TREC: query, 0, document, grade."""
        lines = (f"{q} 0 {d} {g}\n" for q, grades in qrels.items() for d, g in grades.items())
        self.write(name, "".join(lines))

    def write_run(self, name: str, run: Mapping[str, Iterable[str] | Mapping[str, float]]) -> None:
        """Write a run in the format of TREC, from scores or from documents with the best first."""
        scored = {}
        for query, found in run.items():
            scores = found if isinstance(found, Mapping) else {d: -i for i, d in enumerate(found)}
            scored[query] = {d: scores[d] for d in sorted(scores, key=lambda d: -scores[d])}
        self.write(name, run_lines(scored, "shop"))

    def pytest_says(self, *options: str, **environment: str) -> Page:
        """What pytest says of the folder, without times and paths, which differ by machine."""
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("PYTEST", "COV"))}
        kept = {n: v for n, v in kept.items() if n not in _OF_A_BUILD}
        kept |= {"COLUMNS": "132", "PY_COLORS": "0", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(  # noqa: S603 -- pytest, on files of the notebook
            [*_PYTEST, *options],
            cwd=self.folder,
            env=kept | environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        text = (done.stdout + done.stderr).replace(str(self.folder) + os.sep, "")
        text = re.sub(r" in \d+\.\d+s", "", text)
        text = re.sub(
            r"(?m)^([=_])[=_]{2,} (.*?) [=_]{2,}$",
            r"\1\1 \2 \1\1",
            text,
        )
        text = re.sub(r" +(\[ *\d+%\])", r" \1", text)
        return verbatim(re.sub(r"\n{2,}", "\n", text).strip())
