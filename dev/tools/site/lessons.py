"""The instructor's guide as pages: tracks and the concept map, and a page for each lesson."""

from collections.abc import Sequence

from dev.tools.site import concepts
from dev.tools.site.guide import FORMS, Guide, Track, taken
from dev.tools.site.markup import raw, table
from irmetrics_edu.diagnosis.mistakes import MISTAKES
from irmetrics_edu.views import escaping


def pages(guide: Guide) -> dict[str, str]:
    """The pages of the guide by name: the guide itself, and a plan for each chapter."""
    plans = {f"lesson-{topic}": _lesson(guide, topic) for topic in guide.chapters}
    hidden = "```{toctree}\n:hidden:\n\n" + "\n".join(plans) + "\n```"
    forms = table(("form", "what it means"), list(FORMS.items()))
    parts = [
        _INTRO.format(forms=forms),
        "## Tracks",
        _TRACKS,
        *(_track(guide, t) for t in guide.tracks),
    ]
    parts += [
        "## The lessons",
        _lessons(guide),
        "## Concept map",
        _MAP,
        _map(guide),
        _by_text(guide),
    ]
    return {"instructors-guide": "\n\n".join([*parts, _PRINT, hidden, ""]), **plans}


_INTRO = """# Instructor's guide

This guide helps you to teach the course in a room. It has a plan by the minute for each chapter,
and three tracks through the course. [Teach from the course](teach-from-it.md) says which files to
hand out, and [Grading a class](grading.md) how to mark the exercises. The exercises and their
solutions are in the [project's source](installation.md#from-a-source-tree), not in the wheel that
students install.

## How to use it

1. Choose a track, or choose chapters from the [concept map](#concept-map).
2. Open the plan of the lesson, and prepare what it names. Read the common errors: each comes with
   what to say.
3. Show the slides of the chapter: the plan links to them. The arrow keys go on and back, and an
   answer opens in its turn. A typed prediction and a slider work as on the chapter's page.
4. **Let everybody write a number before you open an answer.** Ask for a show of hands for two or
   three of the numbers. Then let neighbours talk for a minute, and ask again. Open the answer last.
5. Keep the last quarter of the lesson for the exercises. Don't drop them if you run late: drop a
   section, and give it as homework.

Each step of a plan has a form:

{forms}"""

_TRACKS = (
    """The topics are those of `irmetrics-edu questions --topics`, for a quiz after the session."""
)

_MAP = """Each row is a chapter with the concepts that it teaches. A line starts at a concept and
goes down to the chapters that need it. If you leave a chapter out, teach these concepts some other
way."""

_PRINT = """## What to print

- **The exam.** `irmetrics-edu questions exam.html --format exam --variants 2` writes the exam and
  its key. Print both from a browser. `--topics 01,02` chooses chapters.
  [Make a quiz or an exam](questions.md) says more.
- **A quiz on paper.** The same command with `--count 3 --topics 04` gives one page for the start of
  the next lesson.
- **Worked tables.** Open a chapter and print it from the browser. The tables are then on paper, and
  the folded answers stay folded.
- **Cards for ranking by hand.** The plans of some lessons end with cards. Print the page, cut the
  cards, and give a set to each pair of students.
- **The slides.** Open a deck and print it: each slide is a page."""


def _link(guide: Guide, topic: str) -> str:
    return f"[{guide.number(topic)}. {guide.short(topic)}](lesson-{topic}.md)"


def _track(guide: Guide, track: Track) -> str:
    lines = []
    for session in track.sessions:
        chosen = [
            _link(guide, topic) + (": " + "; ".join(sections) if sections else "")
            for topic, sections in session.lessons.items()
        ]
        numbers = ", ".join(f"{guide.number(topic):02}" for topic in session.lessons)
        minutes = session.minutes if session.more else taken(guide, session)
        lines.append(
            (
                session.when.replace(" ", "\u00a0"),
                "<br>".join([*chosen, *([guide.numbered(session.more)] if session.more else [])]),
                f"{minutes}\u00a0min",
                numbers or "–",
                guide.numbered(session.homework) or "–",
            )
        )
    header = ("when", "what", "time", "topics", "homework")
    return "\n\n".join([f"### {track.title}", track.about, table(header, lines)])


def _lessons(guide: Guide) -> str:
    lines = [
        (_link(guide, t), f"{guide.plans[t].minutes}\u00a0min", ", ".join(guide.plans[t].teaches))
        for t in guide.chapters
    ]
    return table(("lesson", "time", "concepts"), lines)


def _taught(guide: Guide) -> dict[str, str]:
    return {c: topic for topic in guide.chapters for c in guide.plans[topic].teaches}


def _map(guide: Guide) -> str:
    rows = [
        concepts.Row(
            f"{guide.number(t)}. {guide.short(t)}", guide.plans[t].teaches, guide.plans[t].needs
        )
        for t in guide.chapters
    ]
    return raw(f'<div class="output">{concepts.drawn(rows)}</div>')


def _by_text(guide: Guide) -> str:
    """The map in words."""
    taught = _taught(guide)
    lines = []
    for topic in guide.chapters:
        needs = [f"{c} ({guide.number(taught[c])})" for c in guide.plans[topic].needs]
        lines.append(f"- Chapter {guide.number(topic)} needs {', '.join(needs) or 'no other one'}.")
    return "The same in words; the number of a concept's chapter is in brackets:\n\n" + "\n".join(
        lines
    )


def _lesson(guide: Guide, topic: str) -> str:
    plan, name = guide.plans[topic], guide.chapters[topic]
    asked = guide.asked(topic)
    clock, lines = 0, []
    for step in plan.steps:
        questions = [f"*“{escaping.markdown(q)}”*" for q in asked[step.section]]
        told = questions if step.form == "predict" else []
        what = "<br>".join([step.students, *told])
        lines.append(
            (f"{clock}–{clock + step.minutes}", step.form, step.section, step.teacher, what)
        )
        clock += step.minutes
    read = f"A plan of {plan.minutes} minutes for *{guide.short(topic)}*. "
    read += f"Read [the chapter]({name}.md), and show "
    read += f'<a href="slides/{name}.html">its slides</a>.'
    parts = [
        f"# Lesson {guide.number(topic)}: {guide.short(topic)}",
        f"{read} [The guide](instructors-guide.md) explains the forms.",
        _bullets("## Prepare", plan.prepare),
        "## By the minute",
        table(("minutes", "form", "section", "you", "students"), lines),
        "## Common errors",
        table(
            ("a student's number is that of, or says", "what you say"),
            [
                *((MISTAKES[m].says, MISTAKES[m].why) for m in plan.mistakes),
                *((f"“{error}”", answer) for error, answer in plan.errors.items()),
            ],
        ),
        _bullets("## Print", plan.print),
        _cards(plan.cards),
    ]
    return "\n\n".join([part for part in parts if part]) + "\n"


def _bullets(heading: str, lines: Sequence[str]) -> str:
    return "\n\n".join([heading, "\n".join(f"- {line}" for line in lines)]) if lines else ""


def _cards(cards: Sequence[str]) -> str:
    if not cards:
        return ""
    inside = "".join(f"<li>{escaping.html(card)}</li>" for card in cards)
    listed = f'<ul class="cards">{inside}</ul>'
    return f"## Cards\n\n{raw(listed)}"
