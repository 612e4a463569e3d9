"""The texts of the collection's documents, read from the docstrings of a running Python.

`python -m dev.tools.collection_texts` writes `data/documents.jsonl` anew for the
names in it. Docstrings change from one Python to the next, so run it under the Python of `PYTHON`.
"""

import builtins
import importlib
import inspect
import json
import re
from collections.abc import Iterable
from typing import Any

from irmetrics_edu.course.collection.collection_files import DATA, DOCUMENTS, json_lines
from irmetrics_edu.lab.efficiency.engines import words
from irmetrics_edu.writing import write

PYTHON = (3, 11, 7)
_ENOUGH_WORDS, _LONGEST = 40, 300


def summary(docstring: str) -> str:
    r"""The first paragraphs of a docstring, up to an example, on one line and 300 letters at most.

    >>> summary("Return it.\n\n    Twice.\n\n    >>> 1")
    'Return it. Twice.'
    """
    kept: list[str] = []
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(docstring)):
        if paragraph.lstrip().startswith(">>>") or len(words(" ".join(kept))) >= _ENOUGH_WORDS:
            break
        kept.append(" ".join(paragraph.split(">>>")[0].split()))
    text = " ".join(kept).strip()
    return text if len(text) <= _LONGEST else text[: _LONGEST + 1].rsplit(" ", 1)[0] + " ..."


def _named(name: str) -> Any:
    """What a name stands for; a function comes before a module of its name (`unittest.main`)."""
    first, *rest = name.split(".")
    value = getattr(builtins, first) if hasattr(builtins, first) else importlib.import_module(first)
    for part in rest:
        if not hasattr(value, part):
            importlib.import_module(f"{value.__name__}.{part}")
        value = getattr(value, part)
    return value


def document_lines(names: Iterable[str]) -> str:
    """A line of JSON for each name: the name, and after it what its docstring says."""
    return "".join(
        json.dumps({"id": name, "text": f"{name}: {summary(_named(name).__doc__)}"}) + "\n"
        for name in names
    )


if __name__ == "__main__":
    write(DATA / DOCUMENTS, document_lines(line["id"] for line in json_lines(DOCUMENTS)))
