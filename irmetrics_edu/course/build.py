"""Notebooks as files: which are chosen, run from top to bottom, and written the same every time."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "notebooks"
SECONDS = 120
_WIDGET = "application/vnd.jupyter.widget-view+json"
# A picture's bytes depend on the fonts of the machine; its alt text does not.
_PICTURE = re.compile(r"base64,[A-Za-z0-9+/=]+")


def chosen(found: Sequence[Path], names: Sequence[str]) -> list[Path]:
    """The files whose names begin with one of these texts, or all; InputError if a text fits none.

    >>> [p.stem for p in chosen([Path("01_sets.py"), Path("02_ranks.py")], ["02"])]
    ['02_ranks']
    """
    for name in names:
        if not any(p.stem.startswith(name) for p in found):
            known = ", ".join(p.stem for p in found) or "none"
            raise InputError(
                f"{name}: no file has a name that begins so; there are {known}. "
                "Give the beginning of one of these names, such as 04"
            )
    return [p for p in found if not names or any(p.stem.startswith(n) for n in names)]


def ran(notebook: Any) -> Any:
    """The same notebook with its outputs, and nothing in them that differs from run to run."""
    from nbclient import NotebookClient

    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
        record_timing=False,
    )
    client.execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            output.pop("execution_count", None) if output.output_type == "stream" else None
            output.get("data", {}).pop(_WIDGET, None)
        cell.metadata.pop("execution", None)
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def as_text(notebook: Any) -> str:
    """The notebook as it stands in its file."""
    import nbformat

    return str(nbformat.writes(notebook, version=4)) + "\n"


def without_pictures(text: str) -> str:
    """The file with every picture's bytes taken out, for comparison."""
    return _PICTURE.sub("base64,", text)
