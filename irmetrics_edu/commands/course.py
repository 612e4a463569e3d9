"""`irmetrics-edu course DIR`: the chapters and the students' exercises as files."""

import argparse
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from irmetrics_edu.views.output import put

EXAMPLES = ("course my-course",)
_NEEDED = ("jupyterlab", "matplotlib", "scipy", "sklearn")  # what the chapters import, and Jupyter

_READ_ME = """\
# The course of irmetrics-edu {version}

`notebooks/` has the chapters, and `exercises/` has an exercise for each of them. Begin with
`notebooks/{first}` and run its cells from top to bottom. Then do the exercise
of the same number: after each question `check` says whether the answer is right, and where to look
if it is not.

Chapter 4 and its exercise stand in Chinese and Japanese, too, in `zh` and `ja`. No native reader
has reviewed them.

To open them, install Jupyter with what the chapters need, and start it in this folder:

    pip install 'irmetrics-edu[course]'
    jupyter lab

The solutions are in the project's source alone. The course is under CC BY 4.0: notebooks/LICENSE.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        help="the folder to write to; it must be new or empty, so that no work of yours is lost",
    )


def _notebooks(files: Iterable[str], folder: str) -> list[PurePosixPath]:
    """The notebooks among files that stand directly in a folder, by name."""
    paths = [PurePosixPath(name) for name in files]
    return sorted(path for path in paths if path.match(f"{folder}/*.ipynb"))


def run(args: argparse.Namespace) -> int:
    """Write the files."""
    from irmetrics_edu import __version__
    from irmetrics_edu.course.collection.collection_files import write_new
    from irmetrics_edu.course.teaching_kit import kit_files, top_of_kit

    folder = args.folder
    files = {name: text.encode() for name, text in kit_files(top_of_kit()).items()}
    chapters = _notebooks(files, "notebooks")
    exercises = _notebooks(files, "exercises")
    files["README.md"] = _READ_ME.format(version=__version__, first=chapters[0].name).encode()
    write_new(folder, files)
    put(f"{len(chapters)} chapters and {len(exercises)} exercises in {folder}")
    put("README.md in it says how to begin; the solutions are in the project's source alone.")
    lacking = [name for name in _NEEDED if find_spec(name) is None]
    if lacking:
        put("\nNow: pip install 'irmetrics-edu[course]', and then: jupyter lab " + str(folder))
    else:
        put(f"\nNow: jupyter lab {folder}")
    return 0
