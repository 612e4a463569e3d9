"""The instructor's guide: it says of the chapters only what they bear out."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from dev.tools.places import FOLDER
from dev.tools.site import concepts, guide, lessons
from dev.tools.site.build import SITE
from irmetrics_edu.errors import InputError

GUIDE = SITE / "guide"


@pytest.fixture(scope="module")
def notebooks() -> dict[str, Any]:
    """The built chapters by name."""
    found = sorted(FOLDER.glob("[0-9][0-9]_*.ipynb"))
    return {path.stem: nbformat.read(path, as_version=4) for path in found}


def test_the_guide_fits_the_course(notebooks: dict[str, Any]) -> None:
    """Each chapter has a plan and a page; the longest track has all of them."""
    read = guide.read(GUIDE, notebooks)
    pages = lessons.pages(read)
    assert len(pages) == 1 + len(notebooks)
    assert {t for s in read.tracks[-1].sessions for t in s.lessons} == set(read.chapters)
    assert [len(track.sessions) for track in read.tracks] == [5, 6, 14]
    for topic, plan in read.plans.items():
        page = pages[f"lesson-{topic}"]
        assert f"| {plan.minutes - plan.steps[-1].minutes}–{plan.minutes} |" in page
        assert all(error in page for error in plan.errors)
    assert f"Finish exercise {read.number('never_judged')}." in pages["instructors-guide"]
    assert "What is the DCG of the worse order 2, 3, 5?" in pages["lesson-graded_relevance"]


BROKEN = {
    "minutes": ("thresholds", "minutes = 90", "minutes = 91", "the steps take 90 minutes"),
    "section": (
        "thresholds",
        '"The break-even point", "Ask',
        '"The break even point", "Ask',
        "section 'The break even point'",
    ),
    "form": ("thresholds", '"pairs"', '"debate"', "'debate' is no form"),
    "prediction": ("thresholds", '"compute", "The', '"predict", "The', "asks for no prediction"),
    "mistake": ("thresholds", '"p-over-r"', '"p-over-s"', "no mistake 'p-over-s'"),
    "needed": ("thresholds", '"AP", "R', '"DCG", "R', "no chapter before teaches 'DCG'"),
    "twice": ("thresholds", '"fall-out"', '"recall"', "'recall' was taught before"),
    "key": ("thresholds", "prepare", "prepares", "prepares"),
    "lesson": ("tracks", "{ thresholds", "{ threshold", "Week 2: no plan 'threshold'"),
    "step": ("tracks", '"Which nDCG is this?"', '"Which?"', "has no step 'Which?'"),
    "homework": ("tracks", "exercise {graded", "exercise {grades", "no chapter 'grades_relevance'"),
    "time": ("tracks", "minutes = 75\n", "minutes = 40\n", "of 40 minutes"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_guide_that_does_not_fit_is_refused(
    kind: str, tmp_path: Path, notebooks: dict[str, Any]
) -> None:
    """And the message names the plan and what is wrong."""
    name, old, new, said = BROKEN[kind]
    for path in GUIDE.glob("*.toml"):
        text = path.read_text(encoding="utf-8")
        assert path.stem != name or old in text
        text = text.replace(old, new) if path.stem == name else text
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(said)):
        guide.read(tmp_path, notebooks)


def test_a_chapter_needs_a_plan_and_a_plan_a_chapter(notebooks: dict[str, Any]) -> None:
    """So a new chapter can't be forgotten, and a renamed one neither."""
    others = {name.replace("thresholds", "cuts"): book for name, book in notebooks.items()}
    with pytest.raises(InputError, match=r"cuts: the chapter has no plan\nthresholds: the plan"):
        guide.read(GUIDE, others)


def test_the_map_draws_a_line_from_each_concept_to_what_needs_it() -> None:
    """A dot at each need, a lane for each concept that is needed, and lanes that are free again."""
    rows = [
        concepts.Row("1. A", ["a", "<b>"], []),
        concepts.Row("2. B", ["c"], ["a", "<b>"]),
        concepts.Row("3. C", [], ["c", "a"]),
    ]
    svg = concepts.drawn(rows)
    assert svg.count("<circle") == 4
    assert svg.count("<path") == 3
    assert svg.count("○") == 0
    assert "&lt;b&gt;" in svg
    assert "<b>" not in svg
    assert 'aria-label="Concept map. 2. B needs a, &lt;b&gt;. 3. C needs c, a."' in svg
    lanes = re.findall(r'd="M\d+ \d+H(\d+)', svg)
    assert lanes[2] == lanes[1] != lanes[0]
