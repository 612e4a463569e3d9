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
from typing import Any

from irmetrics_edu.classroom.exercises.spec import ByHand
from irmetrics_edu.classroom.marking.reviewing.hand_marks import HandAnswer, HandMark, Saved
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.records import decoded
from irmetrics_edu.views.page import STYLE, page

FORMAT, VERSION = "irmetrics-edu marks by hand", 1
NAME = "marking.html"
# Two texts are twins if they share so much of their sequences of three words.
ALIKE, WORDS = 0.6, 3
_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


def question_data(
    name: str,
    question: ByHand,
    answers: Sequence[HandAnswer],
    given: Mapping[str, HandMark],
) -> dict[str, Any]:
    """A question with its rubric and its answers, each once, as the page holds it."""
    grouped: dict[str, list[HandAnswer]] = {}
    for own in answers:
        if own.text or own.look:
            grouped.setdefault(own.id, []).append(own)
    twins = _twins({id_: group[0].text for id_, group in grouped.items()})
    made = []
    for id_, group in grouped.items():
        mark = given[group[0].student]
        made.append(
            {
                "id": id_,
                "text": group[0].text,
                "look": group[0].look,
                "count": len(group),
                "students": [a.student for a in group],
                "twins": twins[id_],
                "points": list(mark.points) or [None] * len(question.rubric),
                "comment": mark.comment,
            }
        )
    rubric = [{"name": c.name, "points": c.points, "text": c.text} for c in question.rubric]
    title = question.title or question.name
    return {"id": name, "title": title, "rubric": rubric, "answers": made}


def _twins(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """For each answer those that share most of its sequences of words."""
    pieces = {}
    for id_, text in texts.items():
        words = re.findall(r"\w+", text.casefold())
        pieces[id_] = {tuple(words[i : i + WORDS]) for i in range(len(words) - WORDS + 1)}
    found: dict[str, list[str]] = {id_: [] for id_ in texts}
    for one, other in combinations(texts, 2):
        a = pieces[one]
        b = pieces[other]
        if len(a & b) > ALIKE * len(a | b):
            found[one].append(other)
            found[other].append(one)
    return found


def as_html(questions: Sequence[Mapping[str, Any]], own: str, *, hidden: bool = False) -> str:
    """The page; with `hidden` it holds no student's name, and no points and comments.

    `own` is the page's own word: the browser keeps a marker's marks under it.
    """
    if hidden:
        questions = [_for_another(question) for question in questions]
    words = json.dumps([[q["id"], q["rubric"]] for q in questions], sort_keys=True)
    key = hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:16]
    held = {"key": key, "page": own, "hidden": hidden, "questions": questions}
    data = json.dumps(held).replace("<", "\\u003c")
    script, body, style = (
        Path(__file__).with_name(f"marking_page.{end}").read_text("utf-8")
        for end in ("js", "html", "css")
    )
    element = f'<script type="application/json" id="data">{data}</script>'
    return page("Marks by hand", [body, element], style=STYLE + style, script=script)


def _for_another(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question for a marker who is not to know whose answers they are, or what others gave."""
    answers = [
        {**answer, "students": [], "points": [None] * len(question["rubric"]), "comment": ""}
        for answer in question["answers"]
    ]
    return {**question, "answers": answers}


def own_word(path: Path) -> str:
    """The word of a page that is there, so that marks in a browser stay its own; else a new one."""
    if path.is_file():
        with suppress(InputError, ValueError, KeyError, TypeError):
            return str(_data(path)["page"])
    return secrets.token_hex(8)


def _data(path: Path) -> dict[str, Any]:
    """What a page holds; InputError if it is not one that `grade` wrote."""
    found = _DATA.search(decoded(path.read_bytes(), path))
    if found is None:
        raise InputError(f"{path}: it is not the page that `grade` wrote; grade again")
    data: dict[str, Any] = json.loads(found[1])
    return data


def without_names(folder: Path, target: Path) -> str:
    """The page of a graded class for another marker, as it is to be written to `target`.

    It holds no names, points or comments. InputError if the class has no page.
    """
    path = folder / "by-hand" / NAME
    if not path.is_file():
        raise InputError(f"{path} is not there: grade the class first, with a question by hand")
    own = own_word(target)
    if path.resolve() == target.resolve():
        raise InputError(f"--out {target}: this is the class's own page; name another file")
    return as_html(_data(path)["questions"], own, hidden=True)


def read_saved(folder: Path, rubrics: Mapping[str, ByHand]) -> list[Saved]:
    """The files of all markers; InputError names a file that is damaged, or of a marker twice."""
    found: dict[str, Saved] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            data = json.loads(decoded(path.read_bytes(), path))
            known = data["format"] == FORMAT and isinstance(data["marks"], dict)
            marker = str(data["marker"]).strip()
            version = data["version"]
        except (ValueError, KeyError, TypeError):
            raise InputError(
                f"{path}: it is damaged, or no file of the marking page; save it there again"
            ) from None
        if not known or version != VERSION or not marker:
            raise InputError(
                f"{path}: version {version!r} of {data['format']!r}, by {marker!r}; "
                "save it again from the page that `grade` wrote"
            )
        if before := found.get(marker.casefold()):
            raise InputError(
                f"{path}: {before.path.name} is of {marker}, too; keep the newer of the two"
            )
        for name, marks in data["marks"].items():
            for id_, mark in marks.items() if name in rubrics else ():
                if not _sound(mark, rubrics[name]):
                    raise InputError(f"{path}: damaged at {name}, {id_}; save it there again")
        found[marker.casefold()] = Saved(path, marker, data["marks"])
    return list(found.values())


def _sound(mark: Any, question: ByHand) -> bool:
    if not (isinstance(mark, dict) and isinstance(mark.get("comment"), str)):
        return False
    points = mark.get("points")
    return (
        isinstance(points, list)
        and len(points) == len(question.rubric)
        and all(
            p is None or (isinstance(p, int | float) and math.isfinite(p) and 0 <= p <= c.points)
            for p, c in zip(points, question.rubric, strict=True)
        )
    )


def agreement(saved: Sequence[Saved], rubrics: Mapping[str, ByHand]) -> list[str]:
    """How far each two markers agree: Cohen's kappa of their points, by question and criterion."""
    from irmetrics_edu.judging.several_judges import Judges

    said = []
    for one, other in combinations(saved, 2):
        for name, question in rubrics.items():
            a = one.marks.get(name, {})
            b = other.marks.get(name, {})
            for place, criterion in enumerate(question.rubric):
                given = {
                    (name, id_): (a[id_]["points"][place], b[id_]["points"][place])
                    for id_ in sorted(a.keys() & b.keys())
                }
                given = {pair: points for pair, points in given.items() if None not in points}
                if given:
                    names = one.marker, other.marker
                    found = Judges(names, tuple(given), tuple(given.values()))
                    same = sum(first == second for first, second in given.values())
                    kappa = "undefined, as all points are equal"
                    if found.kappa is not None:
                        kappa = f"{float(found.kappa):.2f}"
                    said.append(
                        f"{name} {criterion.name}: {one.marker} and {other.marker} agree on {same} "
                        f"of {len(given)} answers, kappa {kappa}"
                    )
    return said
