"""What the web calls a chapter: its source is a notebook, and a page is not.

A notebook is the file that a reader downloads or opens. Code stays as the notebook has it.
"""

import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

# "a notebook" is any notebook, and what is run is the file.
_OURS = re.compile(r"(?<!\ba )(?<!\brun of this )\b([Nn])otebook(s?)\b(?![/.])")
_NUMBERED = re.compile(r"(?:ノートブック|笔记本) ?(\d+)")
_CODE = re.compile(r"(```.*?```|`[^`]*`)", re.DOTALL)
_TAGS = re.compile(r"(<[^>]*>)")


def worded(notebook: Any) -> Any:
    """A notebook whose texts and outputs speak of chapters."""
    made = deepcopy(notebook)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = _outside(_CODE, cell.source, of_the_web)
            continue
        for output in cell.outputs:
            shown = output.get("data", {})
            if "text/html" in shown:
                shown["text/html"] = _outside(_TAGS, shown["text/html"], of_the_web)
    return made


def of_the_web(text: str) -> str:
    """A text that speaks of chapters.

    >>> of_the_web("After this notebook: notebooks 5 and 6. You can do it without a notebook.")
    'After this chapter: chapters 5 and 6. You can do it without a notebook.'
    """
    text = _OURS.sub(lambda match: f"{'C' if match[1] == 'N' else 'c'}hapter{match[2]}", text)
    return _NUMBERED.sub(r"第 \1 章", text)


def _outside(aside: re.Pattern[str], text: str, change: Callable[[str], str]) -> str:
    """A text that is changed wherever the pattern does not match."""
    parts = aside.split(text)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))
