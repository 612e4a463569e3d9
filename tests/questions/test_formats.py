"""What is written: played as each importer would, wrong answers and right ones; hostile text."""

import re

import pytest

from irmetrics_edu.classroom.exercises.computed_question import Wrong
from irmetrics_edu.classroom.questions import canvas, concepts, drawn, exam, moodle
from irmetrics_edu.classroom.questions.bank import origins_in
from irmetrics_edu.cli import FAILED, FINE, main
from tests.questions.players import Canvas, Moodle, Played, parsed
from tests.questions.test_bank import ROOT, origin

HOSTILE = "<script>alert(1)</script> ]]> & \"quoted\" 'x' \x1b[2J $$x$$ \u202e"
PLAYERS = {
    "moodle": lambda questions: Moodle(moodle.xml(questions, "A/B & C")),
    "canvas": lambda questions: Canvas(canvas.package(questions, "A/B & C")),
}


@pytest.fixture(scope="module")
def questions():
    """Questions of a quick exercise and of the course's own, of every kind, and concepts."""
    course = [o for o in origins_in(ROOT / "solutions") if o.chapter in {"01", "08", "11", "13"}]
    return [
        *drawn([origin()], 6).questions,
        *drawn(course, 24).questions,
        *concepts.chosen(concepts.concepts(), 12, seed=1),
    ]


def played(player, asked, option):
    """An answer as somebody gives it: a number as it is printed."""
    return player.play(asked.ident, option.text)


def assert_marks(player, form, questions):
    """The right answer has the mark; each mistake has none, and its own feedback."""
    for asked in questions:
        assert played(player, asked, asked.right).mark == 1, (form, asked.text)
        for option in asked.wrong:
            found = played(player, asked, option)
            assert found.mark == 0, (form, asked.text, option)
            if form == "canvas" and asked.kind == "numeric":
                assert f"If your answer is {option.text}: {option.feedback}" in found.feedback
            else:
                assert found.feedback == option.feedback
        if asked.kind == "numeric":
            assert player.play(asked.ident, "-98765").mark == 0


@pytest.mark.parametrize("form", PLAYERS)
def test_wrong_answers_earn_nothing_and_hear_of_their_mistake(form, questions):
    """Every answer of every question, as the importer of the format plays it."""
    assert_marks(PLAYERS[form](questions), form, questions)


def test_the_check_can_fail(questions):
    """A wrong answer with marks, and feedback of another mistake, are seen."""
    text = moodle.xml(questions, "Quiz")
    for old, new in ((r'fraction="0"', 'fraction="100"'), (r"equals that of", "is that of")):
        with pytest.raises(AssertionError):
            assert_marks(Moodle(re.sub(old, new, text)), "moodle", questions)


def test_hostile_text_is_text_everywhere():
    """Titles, inputs and mistakes hold what a browser or a parser would obey."""

    def inputs(rng):
        return {"grades": [rng.choice([1, 2, 3]) for _ in range(6)], "k": 4, "<b>&": HOSTILE}

    wrong = Wrong("own", HOSTILE, "cg(grades, k=k)", HOSTILE)
    asked = drawn(
        [origin(asks=HOSTILE, title=HOSTILE, wrongs=[wrong], inputs=inputs)], 12
    ).questions
    for form, made in PLAYERS.items():
        assert_known(made(asked), form, asked)
    text = moodle.xml(asked, HOSTILE)
    pages = [exam.paper({"": asked}, HOSTILE), exam.key({"": asked}, HOSTILE)]
    inner = [e.text or "" for e in parsed(text).iterfind(".//*[@format='html']/text")]
    for shown in [text, *pages, *inner]:
        assert "<script" not in shown
        assert not re.search("[\x00-\x08\x1b\u202e]", shown)


def assert_known(player, form, questions):
    """Each numeric answer is found, with feedback that says what the mistake says."""
    for asked in questions:
        for option in asked.options if asked.kind == "numeric" else []:
            assert player.play(asked.ident, option.text).mark == option.right
            assert isinstance(player.play(asked.ident, option.text), Played), form


def test_an_exam_gives_nothing_away_and_its_key_has_all(questions):
    """One section a question, in one order; no feedback and no solution on the paper."""
    variants = {"A": questions[:4], "B": questions[4:9]}
    paper, key = exam.paper(variants, "Exam"), exam.key(variants, "Exam")
    for page in (paper, key):
        assert re.findall(r'<section id="(q\d+)"', page) == [q.ident for q in questions[:9]]
        assert not re.search(r'(src|href)="|url\(', page)
    for asked in questions[:9]:
        assert asked.solution.splitlines()[-1].strip() not in paper
    assert "section { break-inside: avoid;" in paper
    assert "equals that of" in key
    assert "equals that of" not in paper


@pytest.mark.suite("guide")
def test_the_command_writes_each_format_and_says_what_is_short(tmp_path, capsys):
    """The same seed gives the same bytes; too few is told, with the reasons and exit code 1."""
    sources = ["--sources", str(ROOT / "solutions"), "--topics", "13"]
    for form, name in (("moodle", "b.xml"), ("canvas", "c.zip"), ("exam", "e.html")):
        for folder in ("one", "two"):
            path = tmp_path / folder / name
            call = ["questions", str(path), "--format", form, "--count", "6", *sources]
            assert main(call) == FINE
        assert path.read_bytes() == (tmp_path / "one" / name).read_bytes()
    assert (tmp_path / "one" / "e-key.html").exists()
    capsys.readouterr()
    call = ["questions", str(tmp_path / "few.xml"), "--count", "3", "--topics", "the pool",
            "--kinds", "numeric", "--sources", str(ROOT / "solutions")]  # fmt: skip
    assert main(call) != FINE
    assert "not a number" in capsys.readouterr().err
    call = ["questions", str(tmp_path / "few.xml"), "--count", "200", "--topics", "ideal alpha",
            "--kinds", "numeric", "--sources", str(ROOT / "solutions")]  # fmt: skip
    assert main(call) == FAILED
    assert re.search(r"Only \d+ of 200 questions could be made", capsys.readouterr().out)
