"""Marking in the browser: one page without a server, and the files that it saves.

    by-hand/marking.html        all answers that a person marks, the same ones once
    by-hand/marks-NAME.json     what a marker saved there; the next `grade` takes it

A page holds its data as JSON, and its script sets students' texts as text alone. Points belong to
the id of an answer, so a file stays right when other students hand in. Where two markers gave an
answer other points, it stays open until they agree.
"""

import hashlib
import json
import math
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from irmetrics_edu.classroom.exercises.spec import ByHand, Criterion
from irmetrics_edu.classroom.marking.results import Json
from irmetrics_edu.classroom.marking.reviewing.hand_marks import (
    HandAnswer,
    HandMark,
    Saved,
    SavedMark,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded
from irmetrics_edu.views.page import STYLE, page

FORMAT = "irmetrics-edu marks by hand"
VERSION = 1
NAME = "marking.html"
# Two texts are twins if they share so much of their sequences of three words.
ALIKE = 0.6
WORDS = 3
_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


class PageAnswer(TypedDict):
    """An answer as the page holds it: once, however many students gave it."""

    id: str
    text: str
    look: str
    count: int
    students: list[str]
    twins: list[str]
    points: list[float | None]
    comment: str


class PageCriterion(TypedDict):
    """A criterion of a rubric as the page holds it."""

    name: str
    points: float
    text: str


class PageQuestion(TypedDict):
    """A question with its rubric and its answers, as the page holds it."""

    id: str
    title: str
    task: NotRequired[str]
    rubric: list[PageCriterion]
    answers: list[PageAnswer]


def question_data(
    name: str,
    question: ByHand,
    answers: Sequence[HandAnswer],
    marks: Mapping[str, HandMark],
    task: str = "",
) -> PageQuestion:
    """A question with its rubric and its answers, each once, as the page holds it.

    `task` is what was asked, as it stands in the copy.
    """
    grouped: dict[str, list[HandAnswer]] = {}
    for answer in answers:
        if answer.text or answer.look:
            grouped.setdefault(answer.id, []).append(answer)
    twins = _twins({id_: group[0].text for id_, group in grouped.items()})
    listed: list[PageAnswer] = []
    for id_, group in grouped.items():
        mark = marks[group[0].student]
        listed.append(
            {
                "id": id_,
                "text": group[0].text,
                "look": group[0].look,
                "count": len(group),
                "students": [one.student for one in group],
                "twins": twins[id_],
                "points": list(mark.points) or [None] * len(question.rubric),
                "comment": mark.comment,
            }
        )
    rubric = [_page_criterion(criterion) for criterion in question.rubric]
    return {
        "id": name,
        "title": question.title or question.name,
        "task": task,
        "rubric": rubric,
        "answers": listed,
    }


def _page_criterion(criterion: Criterion) -> PageCriterion:
    return {"name": criterion.name, "points": criterion.points, "text": criterion.text}


def _twins(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """For each answer those that share most of its sequences of words."""
    pieces = {}
    for id_, text in texts.items():
        words = re.findall(r"\w+", text.casefold())
        pieces[id_] = {tuple(words[i : i + WORDS]) for i in range(len(words) - WORDS + 1)}
    twins: dict[str, list[str]] = {id_: [] for id_ in texts}
    for one, other in combinations(texts, 2):
        a = pieces[one]
        b = pieces[other]
        if len(a & b) > ALIKE * len(a | b):
            twins[one].append(other)
            twins[other].append(one)
    return twins


def as_html(questions: Sequence[PageQuestion], word: str, *, hidden: bool = False) -> str:
    """The page; with `hidden` it holds no student's name, and no points and comments.

    `word` is the page's own word: the browser keeps a marker's marks under it.
    """
    if hidden:
        questions = [_for_another(question) for question in questions]
    rubrics = [[question["id"], question["rubric"]] for question in questions]
    words = json.dumps(rubrics, sort_keys=True)
    key = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:16]
    held = {
        "key": key,
        "page": word,
        "hidden": hidden,
        "questions": questions,
    }
    data = json.dumps(held).replace("<", "\\u003c")
    element = f'<script type="application/json" id="data">{data}</script>'
    return page(
        "Marks by hand",
        [_file("html"), element],
        style=STYLE + _file("css"),
        script=_file("js"),
    )


def _file(end: str) -> str:
    """The text of the page's file that ends so."""
    return Path(__file__).with_name(f"marking_page.{end}").read_text("utf-8")


def _for_another(question: PageQuestion) -> PageQuestion:
    """A question for a marker who is not to know whose answers they are, or what others gave."""
    answers: list[PageAnswer] = []
    for answer in question["answers"]:
        bare = answer.copy()
        bare["students"] = []
        bare["points"] = [None] * len(question["rubric"])
        bare["comment"] = ""
        answers.append(bare)
    bare_question = question.copy()
    bare_question["answers"] = answers
    return bare_question


def own_word(path: Path) -> str:
    """The word of a page that is there, so that marks in a browser stay its own; else a new one."""
    if path.is_file():
        with suppress(InputError, ValueError, KeyError, TypeError):
            return _data(path)["page"]
    return secrets.token_hex(8)


class PageData(TypedDict):
    """What a page holds."""

    page: str
    questions: list[PageQuestion]


def _data(path: Path) -> PageData:
    """What a page holds; InputError if it is not one that `grade` wrote."""
    pattern_match = _DATA.search(decoded(path.read_bytes(), path))
    if pattern_match is None:
        raise InputError(f"{path}: it is not the page that `grade` wrote; grade again")
    data: PageData = json.loads(pattern_match[1])
    return data


def without_names(folder: Path, target: Path) -> str:
    """The page of a graded class for another marker, as it is to be written to `target`.

    It holds no names, points or comments. InputError if the class has no page.
    """
    path = folder / "by-hand" / NAME
    if not path.is_file():
        raise InputError(f"{path} is not there: grade the class first, with a question by hand")
    word = own_word(target)
    if path.resolve() == target.resolve():
        raise InputError(f"--out {target}: this is the class's own page; name another file")
    return as_html(_data(path)["questions"], word, hidden=True)


def read_saved(folder: Path, rubrics: Mapping[str, ByHand]) -> list[Saved]:
    """The files of all markers; InputError names a file that is damaged, or of a marker twice."""
    saved: dict[str, Saved] = {}
    for path in sorted(folder.glob("*.json")):
        file = _saved(path)
        before = saved.get(file.marker.casefold())
        if before:
            raise InputError(
                f"{path}: {before.path.name} is of {file.marker}, too; keep the newer of the two"
            )
        for name, marks in file.marks.items():
            if name in rubrics:
                _require_sound(path, name, marks, rubrics[name])
        saved[file.marker.casefold()] = file
    return list(saved.values())


def _saved(path: Path) -> Saved:
    """The file of one marker."""
    try:
        data = json.loads(decoded(path.read_bytes(), path))
        is_of_page = data["format"] == FORMAT and isinstance(data["marks"], dict)
        marker = str(data["marker"]).strip()
        version = data["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(
            f"{path}: it is damaged, or no file of the marking page; save it there again"
        ) from None
    if not is_of_page or version != VERSION or not marker:
        raise InputError(
            f"{path}: version {version!r} of {data['format']!r}, by {marker!r}; "
            "save it again from the page that `grade` wrote"
        )
    return Saved(path, marker, data["marks"])


def _require_sound(
    path: Path,
    name: str,
    marks: Mapping[str, SavedMark],
    question: ByHand,
) -> None:
    """InputError for a mark that the page can't have saved."""
    for id_, mark in marks.items():
        if not _sound(cast("Json", mark), question):
            raise InputError(f"{path}: damaged at {name}, {id_}; save it there again")


def _sound(mark: Json, question: ByHand) -> bool:
    if not isinstance(mark, dict) or not isinstance(mark.get("comment"), str):
        return False
    points = mark.get("points")
    if not isinstance(points, list) or len(points) != len(question.rubric):
        return False
    for number, criterion in zip(points, question.rubric, strict=True):
        if number is None:
            continue
        if not isinstance(number, int | float) or not math.isfinite(number):
            return False
        if not 0 <= number <= criterion.points:
            return False
    return True


def agreement(saved: Sequence[Saved], rubrics: Mapping[str, ByHand]) -> list[str]:
    """How far each two markers agree: Cohen's kappa of their points, by question and criterion."""
    lines = []
    for one, other in combinations(saved, 2):
        for name, question in rubrics.items():
            for place, criterion in enumerate(question.rubric):
                pairs = _pairs(one.marks.get(name, {}), other.marks.get(name, {}), place)
                if pairs:
                    what = f"{name} {criterion.name}: {one.marker} and {other.marker}"
                    lines.append(f"{what} {_agreeing(one.marker, other.marker, pairs)}")
    return lines


Pairs = Mapping[str, tuple[float, float]]


def _pairs(one: Mapping[str, SavedMark], other: Mapping[str, SavedMark], place: int) -> Pairs:
    """The points of two markers for a criterion, by the ids of the answers that both marked."""
    pairs = {}
    for id_ in sorted(one.keys() & other.keys()):
        first = one[id_]["points"][place]
        second = other[id_]["points"][place]
        if first is not None and second is not None:
            pairs[id_] = first, second
    return pairs


def _agreeing(one: str, other: str, pairs: Pairs) -> str:
    """On how many answers two markers agree, and kappa."""
    from irmetrics_edu.judging.several_judges import Judges

    units = tuple(("answer", id_) for id_ in pairs)
    judges = Judges((one, other), units, tuple(pairs.values()))
    same = sum(first == second for first, second in pairs.values())
    kappa = "undefined, as all points are equal"
    if judges.kappa is not None:
        kappa = f"{float(judges.kappa):.2f}"
    return f"agree on {same} of {len(pairs)} answers, kappa {kappa}"
