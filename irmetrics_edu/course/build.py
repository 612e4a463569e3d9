"""Notebooks as files: which are chosen, and how they stand in their files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "notebooks"


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


def as_text(notebook: Any) -> str:
    """The notebook as it stands in its file."""
    import nbformat

    return str(nbformat.writes(notebook, version=4)) + "\n"
