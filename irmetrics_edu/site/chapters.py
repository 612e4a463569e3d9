"""A chapter of the course as a page: from its notebook with outputs."""

import re
from collections.abc import Mapping
from typing import Any

from irmetrics_edu.course.build import folds, shows
from irmetrics_edu.errors import InputError
from irmetrics_edu.site.markup import drawn, fenced, folded, framed, raw, spoken, table
from irmetrics_edu.site.mathml import with_equations

_EXERCISES = (
    "Open the exercises of this chapter in Jupyter: {{download}}`exercises/{name}.ipynb`. They "
    "check each answer and name the mistake behind a wrong one"
)
_CHAPTER = re.compile(r"\b([Nn]otebook) (\d+)\b")


def chapter(
    notebook: Any,
    name: str,
    others: Mapping[int, str],
    *,
    exercises: bool = False,
    launch: str = "",
) -> str:
    """A chapter from its notebook with outputs; `others` are the chapters by number, to link to.

    `launch` is the address at which a notebook runs, with {path} in it: Binder, Colab, JupyterLite.
    """
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(spoken(_linked(cell.source, name, others)))
            continue
        code = fenced(cell.source, "python")
        shown = [_output(output, f"{name}, cell {cell.id}") for output in cell.outputs]
        if shows(cell.source)[0] == "reveal":
            parts += [*shown, folded("Code of this answer", code)]
        elif folds(cell.source):
            parts += shown
        else:
            parts += [code, *shown]
    first, rest = parts[0], parts[1:]
    offer = f"*Run and change it:* {{download}}`{name}.ipynb`{_launched(launch, 'notebooks', name)}"
    if exercises:
        rest += [
            "## Exercises",
            _EXERCISES.format(name=name) + _launched(launch, "exercises", name),
        ]
    rest.append(_neighbours(name, others))
    return "\n\n".join([first, offer, *rest]) + "\n"


def _launched(launch: str, folder: str, name: str) -> str:
    return (
        f", or [open it online]({launch.format(path=f'{folder}/{name}.ipynb')})" if launch else ""
    )


def _neighbours(name: str, others: Mapping[int, str]) -> str:
    """Links to the chapter before and to the one after."""
    number = int(name[:2])
    before, after = others.get(number - 1), others.get(number + 1)
    parts = [f"[Chapter {number - 1}]({before}.md) comes before this one."] if before else []
    parts += [f"Go on with [chapter {number + 1}]({after}.md)."] if after else []
    return " ".join(parts)


def _linked(text: str, name: str, others: Mapping[int, str]) -> str:
    def link(match: re.Match[str]) -> str:
        other = others.get(int(match[2]), name)
        return match[0] if other == name else f"[{match[0]}]({other}.md)"

    return _CHAPTER.sub(link, text)


def _output(output: Any, where: str) -> str:
    if output.output_type == "error":
        raise InputError(f"{where} ends in {output.ename}; build the notebook anew")
    if output.output_type == "stream":
        return fenced(output.text, "text")
    data = output.data
    if "text/html" in data:
        page = drawn(framed(with_equations(data["text/html"])))
        return raw(f'<div class="output">{page}</div>')
    if "text/plain" in data:
        return fenced(data["text/plain"], "text")
    raise InputError(f"{where} shows {', '.join(data)}, and the site can show HTML and text")


def facts(notebook: Any) -> tuple[str, str, str]:
    """A chapter's title, minutes and needs, as its first cell says."""
    first = notebook.cells[0].source
    title = re.match(r"# (.+)", first)
    time = re.search(r"\*\*Time\.?\*\*\s*(.+?)\.?\s*(?=\*\*|$)", first, re.DOTALL)
    needs = re.search(r"\*\*Needs\.?\*\*\s*(.+?)\.?\s*$", first, re.DOTALL)
    if not title:
        raise InputError(f"a notebook starts with its title, not with {first[:40]!r}")
    texts = [title[1], time[1] if time else "", needs[1] if needs else ""]
    return texts[0], " ".join(texts[1].split()), " ".join(texts[2].split())


def listed(chapters: Mapping[str, tuple[str, str, str]]) -> str:
    """The table of the chapters."""
    others = {int(name[:2]): name for name in chapters}
    return table(
        ("chapter", "time", "needs"),
        [
            (f"[{title}]({name}.md)", time, _linked(needs, name, others))
            for name, (title, time, needs) in chapters.items()
        ],
    )
