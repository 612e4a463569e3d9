"""Builds the exercises of the course: `python -m tools.exercises [NAME ...]`.

Edit `solutions/NN_topic.py` only. From it this builds the student's notebook in `exercises/` and
the solved notebook with its outputs in `solutions/`. `--check` writes nothing and fails if a file
differs.
"""

import argparse
import difflib
import sys
from pathlib import Path

from irmetrics_edu.classroom.exercises.build import notebook, solution, sources
from irmetrics_edu.classroom.exercises.source import SOLUTIONS, Source, read
from irmetrics_edu.course import translated
from irmetrics_edu.course.build import ROOT, as_text
from irmetrics_edu.views.output import ended
from irmetrics_edu.writing import write
from tools.notebooks import ran, without_pictures

EXERCISES = ROOT / "exercises"


def built(source: Source) -> dict[Path, str]:
    """The files to check in for a source: the student's notebook and the executed solution."""
    return {
        EXERCISES / f"{source.stem}.ipynb": as_text(notebook(source)),
        SOLUTIONS / f"{source.stem}.ipynb": as_text(ran(solution(source))),
        **{
            EXERCISES / code / f"{source.stem}.ipynb": as_text(notebook(source, language=code))
            for code in translated.languages(source.stem)
        },
    }


def differences(source: Source) -> list[str]:
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
    parser = argparse.ArgumentParser(prog="python -m tools.exercises", description=__doc__)
    parser.add_argument("names", nargs="*", help="exercises by number, such as 04 (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail on a difference")
    args = parser.parse_args(arguments)
    failed = 0
    for path in sources(args.names):
        source = read(path)
        if args.check:
            lines = differences(source)
            failed |= bool(lines)
            print("\n".join(lines[:40])) if lines else None
            continue
        for target, text in built(source).items():
            old = target.read_text(encoding="utf-8") if target.exists() else ""
            if without_pictures(old) != without_pictures(text):
                write(target, text)
                print(f"wrote {target.relative_to(ROOT)}")
    return failed


if __name__ == "__main__":
    sys.exit(ended("tools.exercises", main))
