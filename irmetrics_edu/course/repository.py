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
_SETTINGS = {
    "COLUMNS": "132",
    "PY_COLORS": "0",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
# What differs by machine or says nothing: a pattern and what stands in its place.
_TIDIED = (
    (r" in \d+\.\d+s", ""),
    (r"(?m)^([=_])[=_]{2,} (.*?) [=_]{2,}$", r"\1\1 \2 \1\1"),
    (r" +(\[ *\d+%\])", r" \1"),
    (r"\n{2,}", "\n"),
)
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
        lines = []
        for query, grades in qrels.items():
            for document, grade in grades.items():
                lines.append(f"{query} 0 {document} {grade}\n")
        self.write(name, "".join(lines))

    def write_run(self, name: str, run: Mapping[str, Iterable[str] | Mapping[str, float]]) -> None:
        """Write a run in the format of TREC, from scores or from documents with the best first."""
        scored = {query: _best_first(results) for query, results in run.items()}
        self.write(name, run_lines(scored, "shop"))

    def pytest_says(self, *options: str, **environment: str) -> Page:
        """What pytest says of the folder, without times and paths, which differ by machine."""
        environ = dict(_SETTINGS)
        for variable, value in os.environ.items():
            of_pytest = variable.startswith(("PYTEST", "COV"))
            if not of_pytest and variable not in _OF_A_BUILD:
                environ.setdefault(variable, value)
        done = subprocess.run(  # noqa: S603 -- pytest, on files of the notebook
            [*_PYTEST, *options],
            cwd=self.folder,
            env=environ | environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        text = done.stdout + done.stderr
        text = text.replace(str(self.folder) + os.sep, "")
        for pattern, replacement in _TIDIED:
            text = re.sub(pattern, replacement, text)
        return verbatim(text.strip())


def _best_first(results: Iterable[str] | Mapping[str, float]) -> dict[str, float]:
    """The scores of documents, best first; documents without scores stand in that order."""
    if not isinstance(results, Mapping):
        return {document: -place for place, document in enumerate(results)}
    ranked = sorted(results, key=lambda document: -results[document])
    return {document: results[document] for document in ranked}
