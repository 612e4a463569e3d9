"""The data of the instructor's guide: lesson plans and tracks, from `dev/site/guide/`.

A plan names its chapter by the topic (`ndcg.toml` for `04_ndcg.ipynb`), so chapters can be numbered
anew. What a plan says of a chapter is checked against it: sections, minutes, concepts, mistakes.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from irmetrics_edu.diagnosis.mistakes import MISTAKES
from irmetrics_edu.errors import InputError

FORMS = {
    "talk": "You explain, and the students ask.",
    "predict": "Each student writes a number down before you open the answer.",
    "pairs": "Two neighbours compare what they wrote, and agree on one answer.",
    "compute": "Students compute on paper, or run and change a cell.",
    "exercise": "Students work in the notebook of exercises. `check()` answers them.",
}
EXERCISES = "Exercises"  # the section that a chapter's page adds


class Step(NamedTuple):
    """A step of a lesson: its minutes, its form, a section of the chapter, and who does what."""

    minutes: int
    form: str
    section: str
    teacher: str
    students: str


@dataclass(frozen=True)
class Plan:
    """The plan of a lesson on one chapter.

    `mistakes` are labels of the catalogue; `errors` are other errors with what to say.
    """

    minutes: int
    steps: Sequence[Step]
    teaches: Sequence[str]
    needs: Sequence[str] = ()
    prepare: Sequence[str] = ()
    mistakes: Sequence[str] = ()
    errors: Mapping[str, str] = field(default_factory=dict)
    print: Sequence[str] = ()
    cards: Sequence[str] = ()


class Session(NamedTuple):
    """A session of a track: all of some lessons, or some of their sections."""

    when: str
    minutes: int
    lessons: Mapping[str, Sequence[str]]
    more: str
    homework: str


class Track(NamedTuple):
    """A way through the course, session by session."""

    title: str
    about: str
    sessions: Sequence[Session]


@dataclass(frozen=True)
class Guide:
    """Plans by topic, tracks, and the notebooks by name that they are about."""

    plans: Mapping[str, Plan]
    tracks: Sequence[Track]
    notebooks: Mapping[str, Any]

    @cached_property
    def chapters(self) -> dict[str, str]:
        """The names of the chapters by topic, in order."""
        return {name.partition("_")[2]: name for name in sorted(self.notebooks)}

    def number(self, topic: str) -> int:
        """A chapter's number."""
        return int(self.chapters[topic].partition("_")[0])

    def numbered(self, text: str) -> str:
        """A text in which {topic} becomes the number of the topic's chapter."""
        return text.format(**{topic: self.number(topic) for topic in self.chapters})

    def short(self, topic: str) -> str:
        """A chapter's title up to its colon or question mark, without the number."""
        title = str(self.notebooks[self.chapters[topic]].cells[0].source).partition("\n")[0]
        return re.sub(r"^# \d+\. ", "", title).partition(":")[0].partition("? ")[0]

    def asked(self, topic: str) -> dict[str, list[str]]:
        """The sections of a chapter with the predictions that each asks for, parts included."""
        found: dict[str, list[str]] = {"": [], EXERCISES: []}
        within = [""]
        for cell in self.notebooks[self.chapters[topic]].cells:
            if cell.cell_type == "markdown":
                for level, title in re.findall(r"^(###?) (.+)$", cell.source, re.MULTILINE):
                    within = [title] if level == "##" else [within[0], title]
                    found[title] = []
            for output in cell.get("outputs", ()):
                said = output.get("data", {}).get("text/plain", "")
                for title in within if said.startswith("Predict: ") else ():
                    found[title].append(said.removeprefix("Predict: "))
        return found


def read(folder: Path, notebooks: Mapping[str, Any]) -> Guide:
    """The guide in a folder, checked against the chapters: built notebooks by name."""
    told = {p.stem: tomllib.loads(p.read_text(encoding="utf-8")) for p in folder.glob("*.toml")}
    try:
        tracks = [
            Track(t["title"], t["about"], [Session(**_DEFAULTS | s) for s in t["session"]])
            for t in told.pop("tracks")["track"]
        ]
        plans = {
            topic: Plan(**plan | {"steps": [Step(*step) for step in plan["steps"]]})
            for topic, plan in told.items()
        }
    except (KeyError, TypeError) as error:
        raise InputError(f"the guide in {folder.name}/: {error}") from error
    guide = Guide(plans, tracks, notebooks)
    if wrong := list(_wrong(guide)):
        raise InputError("the guide does not fit the course:\n" + "\n".join(wrong))
    return guide


_DEFAULTS: dict[str, Any] = {"minutes": 90, "lessons": {}, "more": "", "homework": ""}


def _wrong(guide: Guide) -> Iterator[str]:
    """What a guide says that its chapters don't bear out."""
    yield from (f"{t}: the chapter has no plan" for t in guide.chapters if t not in guide.plans)
    yield from (f"{t}: the plan has no chapter" for t in guide.plans if t not in guide.chapters)
    known: set[str] = set()
    for topic in (t for t in guide.chapters if t in guide.plans):
        plan = guide.plans[topic]
        yield from (f"{topic}: {what}" for what in _wrong_steps(plan, guide.asked(topic)))
        yield from (f"{topic}: no mistake {m!r}" for m in plan.mistakes if m not in MISTAKES)
        missing = [concept for concept in plan.needs if concept not in known]
        yield from (f"{topic}: no chapter before teaches {concept!r}" for concept in missing)
        yield from (f"{topic}: {c!r} was taught before" for c in plan.teaches if c in known)
        known |= set(plan.teaches)
    for track in guide.tracks:
        for session in track.sessions:
            where = f"{track.title}, {session.when}"
            yield from (f"{where}: {what}" for what in _wrong_session(guide, session))


def _wrong_steps(plan: Plan, asked: Mapping[str, Sequence[str]]) -> Iterator[str]:
    if (total := sum(step.minutes for step in plan.steps)) != plan.minutes:
        yield f"the steps take {total} minutes, and the lesson has {plan.minutes}"
    for step in plan.steps:
        if step.section not in asked:
            yield f"the chapter has no section {step.section!r}"
        elif step.form == "predict" and not asked[step.section]:
            yield f"{step.section!r} asks for no prediction"
        if step.form not in FORMS:
            yield f"{step.form!r} is no form; there are {', '.join(FORMS)}"


def _wrong_session(guide: Guide, session: Session) -> Iterator[str]:
    if lost := [topic for topic in session.lessons if topic not in guide.plans]:
        yield f"no plan {lost[0]!r}"
        return
    for topic, chosen in session.lessons.items():
        had = {step.section for step in guide.plans[topic].steps}
        yield from (f"{topic} has no step {s!r}" for s in chosen if s not in had)
    for text in (session.more, session.homework):
        yield from (
            f"no chapter {t!r}" for t in re.findall(r"{(.*?)}", text) if t not in guide.plans
        )
    if (total := taken(guide, session)) > session.minutes:
        yield f"the lessons take {total} of {session.minutes} minutes"


def taken(guide: Guide, session: Session) -> int:
    """The minutes that the lessons of a session take."""
    return sum(
        step.minutes
        for topic, sections in session.lessons.items()
        for step in guide.plans[topic].steps
        if not sections or step.section in sections
    )
