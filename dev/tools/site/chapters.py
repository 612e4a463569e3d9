"""A chapter of the course as a page: from its notebook with outputs."""

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from dev.tools.notebooks import folds, repeats_a_text, shows
from dev.tools.site.markup import drawn, fenced, folded, framed, raw, spoken, table
from dev.tools.site.wording import worded
from irmetrics_edu.course.prompts import SCRIPT
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.language import LANGUAGES, noted, said
from irmetrics_edu.views.mathml import with_equations

_EXERCISES = noted(
    "Open the exercises of this chapter in Jupyter: {file}. They check each answer and name the "
    "mistake behind a wrong one"
)
_CHAPTER = re.compile(r"\b[Cc]hapters? \d+(?:(?:, and |, | and | or | to )\d+)*|第 \d+ 章")
_TYPED = f"<script>{SCRIPT}</script>"  # once a page is enough
FOLDS_CODE = '<div class="folds-code"></div>'  # where site.js puts the switch that folds all code


def chapter(
    notebook: Any,
    name: str,
    others: Mapping[int, str],
    *,
    exercises: bool = False,
    launch: str = "",
    code: str = "",
    codes: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """A chapter from its notebook with outputs; `others` are the chapters by number, to link to.

    `launch` is the address at which a notebook runs, with {path} in it: Binder, Colab, JupyterLite.
    `code` is the language of the notebook, which is set. `codes` are all its translations, each
    with the number of chapters that its language has.
    """
    parts = []
    for cell in worded(notebook).cells:
        if cell.cell_type == "markdown":
            text = _linked(cell.source, name, others, up="../" * bool(code))
            parts.append(text if code else spoken(text))
            continue
        shown = [output(one, f"{name}, cell {cell.id}") for one in cell.outputs]
        parts += _with_code(shown, cell.source)
    first, rest = parts[0], parts[1:]
    inside = f"{code}/{name}" if code else name
    offer = f"*{said('Run and change it:')}* {{download}}`{name}.ipynb`"
    offer += _launched(launch, "notebooks", inside)
    if exercises:
        rest += [
            f"## {said('Exercises')}",
            said(_EXERCISES, file=f"{{download}}`exercises/{name}.ipynb`")
            + _launched(launch, "exercises", inside),
        ]
    if not code:
        rest.append(_neighbours(name, others))
    rest.append(raw(_TYPED))
    top = [*_languages(name, code, codes), *_share(code, codes, len(others)), offer]
    top.append(raw(FOLDS_CODE))
    page = "\n\n".join([first, *top, *rest]) + "\n"
    # A translated page is in no list of the side bar.
    return f"---\norphan: true\n---\n{page}" if code else page


_FOR_OTHERS = ""  # a cell that shows nothing, such as one of imports
_CODE_OF = {
    "reveal": noted("Code of this answer"),
    "predict": noted("Code of this question"),
    "quiz": noted("Code of this question"),
    "figure": noted("Code of this figure"),
    "slider": noted("Code of this figure"),
    _FOR_OTHERS: noted("Code that the next cells use"),
}


def _with_code(shown: list[str], source: str) -> list[str]:
    """What a cell shows, with its code: before it, folded below it, or left out."""
    code = fenced(source, "python")
    if not folds(source):
        return [code, *shown]
    if repeats_a_text(source):
        return shown
    what = _CODE_OF.get(shows(source)[0], _CODE_OF[_FOR_OTHERS])
    return [*shown, folded(said(what), code)]


# How much of the course a language has, and that nobody who grew up with it has read it.
_SHARES = {
    "zh": "本课程共 {all} 章，其中 {some} 章有中文版。译文尚未经过母语读者审阅。",
    "ja": "全 {all} 章のうち、日本語版があるのは {some} 章です。"
    "訳文はまだ母語話者の確認を受けていません。",
}


def _share(code: str, codes: Mapping[str, int], all_chapters: int) -> list[str]:
    """What a translated page says of its language: how many chapters it has, and who read them."""
    if not code:
        return []
    if code not in _SHARES:
        raise InputError(f"dev/tools/site/chapters.py says nothing of the language {code}: _SHARES")
    return [f"*{_SHARES[code].format(all=all_chapters, some=codes[code])}*"]


def _languages(name: str, code: str, codes: Collection[str]) -> list[str]:
    """Links between a chapter's languages."""
    if not codes:
        return []
    shown = []
    for other in ["", *codes]:
        name_of, tag = (LANGUAGES[other].name, LANGUAGES[other].tag) if other else ("English", "en")
        path = "/".join([*[".."] * bool(code), *[other] * bool(other), f"{name}.html"])
        here = f'<span lang="{tag}" aria-current="page">{name_of}</span>'
        link = f'<a lang="{tag}" hreflang="{tag}" href="{path}">{name_of}</a>'
        shown.append(here if other == code else link)
    return [raw(f'<p class="languages">{" | ".join(shown)}</p>')]


def _launched(launch: str, folder: str, name: str) -> str:
    return (
        f", [{said('open it online')}]({launch.format(path=f'{folder}/{name}.ipynb')})"
        if launch
        else ""
    )


def _neighbours(name: str, others: Mapping[int, str]) -> str:
    """Links to the chapter before and to the one after."""
    number = int(name[:2])
    before, after = others.get(number - 1), others.get(number + 1)
    parts = [f"[Chapter {number - 1}]({before}.md) comes before this one."] if before else []
    parts += [f"Go on with [chapter {number + 1}]({after}.md)."] if after else []
    return " ".join(parts)


def _linked(text: str, name: str, others: Mapping[int, str], up: str = "") -> str:
    """The text with links to the other chapters that it names: "chapter 2", "chapters 5 and 6"."""

    def link(match: re.Match[str]) -> str:
        words, numbers = match[0], re.findall(r"\d+", match[0])
        if len(numbers) == 1:
            return _to(words, numbers[0])
        return re.sub(r"\d+", lambda number: _to(number[0], number[0]), words)

    def _to(words: str, number: str) -> str:
        other = others.get(int(number), name)
        return words if other == name else f"[{words}]({up}{other}.md)"

    return _CHAPTER.sub(link, text)


def output(one: Any, where: str) -> str:
    """What a cell shows, as Markdown."""
    if one.output_type == "error":
        raise InputError(f"{where} ends in {one.ename}; build the notebook anew")
    if one.output_type == "stream":
        return fenced(one.text, "text")
    data = one.data
    if "text/html" in data:
        page = drawn(framed(with_equations(data["text/html"].replace(_TYPED, ""))))
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


def goal(notebook: Any) -> str:
    """What one can do after a chapter: the first of its goals."""
    found = re.search(
        r"^- (.+?)[;.,]?$(?!\n  )", notebook.cells[0].source, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise InputError(f"{facts(notebook)[0]} says nothing of what one can do after it")
    return " ".join(found[1].split())


def listed(chapters: Mapping[str, tuple[str, str, str]], goals: Mapping[str, str]) -> str:
    """The table of the chapters."""
    others = {int(name[:2]): name for name in chapters}
    rows = [
        (f"[{title}]({name}.md)", goals[name], time, _linked(needs, name, others))
        for name, (title, time, needs) in chapters.items()
    ]
    shown = table(("chapter", "after it you can", "time", "needs"), rows)
    return f":::{{container}} chapters unsorted\n\n{shown}\n:::"
