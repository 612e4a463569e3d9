"""The course as files: the chapters and the students' exercises, for whoever has the package.

A wheel holds them in a folder of its own, which its build fills (dev/hatch_build.py reads this
module alone, so it imports nothing that a build lacks). A checkout has them at its top.
"""

import json
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("notebooks", "exercises")
LICENCE = "LICENSE"
IN_A_WHEEL = Path(__file__).parent / "kit"


def kit_files(top: Path) -> dict[str, str]:
    """The files of the kit under `top`, by their places in the kit: notebooks without outputs.

    A chapter's outputs are most of its size, and whoever works through it makes them. Solutions and
    what the notebooks are built from stay out.
    """
    files = {}
    for folder in FOLDERS:
        for path in _notebooks(top / folder):
            text = path.read_text(encoding="utf-8")
            files[path.relative_to(top).as_posix()] = without_outputs(text)
    licence = top / "notebooks" / LICENCE
    files[f"notebooks/{LICENCE}"] = licence.read_text(encoding="utf-8")
    return files


def without_outputs(notebook: str) -> str:
    """A notebook's text as it is before anybody runs it."""
    content = json.loads(notebook)
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def top_of_kit() -> Path:
    """The folder that has the kit's folders: the installed package's, or that of the checkout."""
    return IN_A_WHEEL if IN_A_WHEEL.is_dir() else Path(__file__).parents[2]


def _notebooks(folder: Path) -> Iterator[Path]:
    """The notebooks of a folder and of its languages, in order; not what an editor keeps beside."""
    yield from sorted(folder.glob("*.ipynb"))
    for language in ("ja", "zh"):
        yield from sorted((folder / language).glob("*.ipynb"))
