"""Builds the exercises of the course: `python -m dev.tools.exercises [NAME ...]`.

Edit `solutions/NN_topic.py` only. From it this builds the student's notebook in `exercises/` and
the solved notebook with its outputs in `solutions/`. `--check` writes nothing and fails if a file
differs. `--language ja --copies DIR` translates copies of `irmetrics-edu exercises`.
"""

import argparse
import difflib
import sys
from pathlib import Path
from typing import Any

import nbformat

from dev.tools import translated
from dev.tools.notebooks import ran, without_pictures
from dev.tools.places import ROOT
from irmetrics_edu.classroom.exercises.build import as_text, notebook
from irmetrics_edu.classroom.exercises.copy_text import QUESTIONS, as_file, asked_of
from irmetrics_edu.classroom.exercises.source import (
    SOLUTIONS,
    ExerciseSource,
    chosen,
    paths_in,
    read,
    solved,
)
from irmetrics_edu.classroom.exercises.translation import in_language
from irmetrics_edu.classroom.exercises.variants import GENERAL, Variant
from irmetrics_edu.views.language import LANGUAGES
from irmetrics_edu.views.output import ended
from irmetrics_edu.writing import write

EXERCISES = ROOT / "exercises"


def sources(names: list[str] | None = None) -> list[Path]:
    """The sources of the exercises, all or those whose names begin so."""
    return chosen(paths_in(SOLUTIONS), names or ())


def solution(source: ExerciseSource, variant: Variant = GENERAL) -> Any:
    """The solved notebook, not yet run."""
    return notebook(source, variant, form=lambda text, _: solved(text))


def questions(source: ExerciseSource) -> dict[Path, str]:
    """The file of the package that has a source's questions."""
    tried = {name: trial.general for name, trial in source.tried.items()}
    return {QUESTIONS / f"{source.topic}.json": as_file(asked_of(source.exercise, tried))}


def built(source: ExerciseSource) -> dict[Path, str]:
    """The files to check in for a source: its questions, the student's notebook, the solution.

    A notebook names the questions that the package has, so those are to be written first.
    """
    return {
        **questions(source),
        EXERCISES / f"{source.stem}.ipynb": as_text(notebook(source)),
        SOLUTIONS / f"{source.stem}.ipynb": as_text(ran(solution(source))),
        **{
            EXERCISES / code / f"{source.stem}.ipynb": as_text(
                in_language(source, notebook(source), code)
            )
            for code in translated.languages(source.stem)
        },
    }


def differences(source: ExerciseSource) -> list[str]:
    """The lines in which the checked-in files differ from what the source builds."""
    found: list[str] = []
    for target, new in built(source).items():
        old = target.read_text(encoding="utf-8") if target.exists() else ""
        if without_pictures(old) != without_pictures(new):
            old_lines, new_lines = (without_pictures(t).splitlines() for t in (old, new))
            place = str(target.relative_to(ROOT))
            found += list(difflib.unified_diff(old_lines, new_lines, place, "built", n=1))
    return found


def main(arguments: list[str] | None = None) -> int:
    """Build or check the named exercises, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m dev.tools.exercises", description=__doc__)
    parser.add_argument("names", nargs="*", help="exercises by number, such as 04 (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    parser.add_argument("--language", choices=sorted(LANGUAGES), help="the language of --copies")
    parser.add_argument("--copies", type=Path, metavar="DIR", help="the copies to translate")
    args = parser.parse_args(arguments)
    if (args.copies is None) != (args.language is None):
        parser.error("give --language and --copies together")
    failed = 0
    for path in sources(args.names):
        source = read(path)
        if args.copies:
            for copy in sorted(args.copies.rglob(f"{source.stem}.ipynb")):
                book = nbformat.read(copy, as_version=4)
                write(copy, as_text(in_language(source, book, args.language)))
                print(f"wrote {copy}")
            continue
        if args.check:
            lines = differences(source)
            failed |= bool(lines)
            print("\n".join(lines[:40])) if lines else None
            continue
        _write(questions(source))
        _write(built(source))
    return failed


def _write(files: dict[Path, str]) -> None:
    """Write the files that differ, and say which."""
    for target, text in files.items():
        old = target.read_text(encoding="utf-8") if target.exists() else ""
        if without_pictures(old) != without_pictures(text):
            write(target, text)
            print(f"wrote {target.relative_to(ROOT)}")


if __name__ == "__main__":
    sys.exit(ended("dev.tools.exercises", main))
