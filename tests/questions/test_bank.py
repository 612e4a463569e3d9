"""What is drawn: right by plain loops, told apart from every mistake, never twice."""

import math
import re
import shutil
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from dev.tools.exercises import sources
from irmetrics_edu.classroom.exercises.computed_question import Question, Wrong
from irmetrics_edu.classroom.questions import concepts, drawn
from irmetrics_edu.classroom.questions.bank import origins_in
from irmetrics_edu.classroom.questions.drawing import Origin, RefusedDraw, choice, numeric
from irmetrics_edu.cli import FAILED, main
from irmetrics_edu.errors import InputError

ROOT = Path(__file__).resolve().parents[2]


def some(rng):
    """Grades and a cut-off."""
    return {"grades": [rng.choice([0, 1, 2, 3]) for _ in range(6)], "k": rng.randint(3, 5)}


def origin(**changed):
    """A question of DCG, with two mistakes of the catalogue and one of its own."""
    facts = {
        "name": "dcg", "expected": "dcg(grades, k=k)", "inputs": some, "title": "DCG",
        "asks": "What is DCG@k?", "mistakes": ["natural-logarithm", "discount-by-the-root"],
        "wrongs": [Wrong("no-discount", "a sum without a discount", "cg(grades, k=k)", "Why.")],
    }  # fmt: skip
    return Origin("20", "An exercise", Question(**{**facts, **changed}))


def given(asked):
    """The values that a question shows, read as somebody would who answers it."""
    data = dict(asked.data)
    return [int(g) for g in data["grades"].split(", ")], int(data["k"])


def plain(grades, k, discount):
    """A discounted sum, in a loop."""
    return sum(g / discount(i) for i, g in enumerate(grades[:k], start=1))


def by_loops(label, grades, k):
    """DCG and its mistakes, each written out by hand."""
    discounts = {
        "": lambda i: math.log2(i + 1),
        "natural-logarithm": lambda i: math.log(i + 1),
        "discount-by-the-root": math.sqrt,
        "no-discount": lambda _: 1,
    }
    return plain(grades, k, discounts[label])


def test_every_answer_is_that_of_a_loop():
    """Numbers and options: computed from what the question shows, and from nothing else."""
    bank = drawn([origin()], 40, seed=5)
    assert bank.complete
    assert {q.kind for q in bank.questions} == {"numeric", "choice"}
    for asked in bank.questions:
        grades, k = given(asked)
        said = re.search(r"answer is (\S+)\.$", asked.asks)
        for option in asked.options:
            if said:  # the mistake behind a number is asked for
                continue
            value = by_loops(option.label, grades, k)
            assert abs(float(option.text) - value) <= 0.5001e-3
        if said:
            labels = ["natural-logarithm", "discount-by-the-root", "no-discount"]
            (made,) = {*labels} - {option.label for option in asked.options}
            assert abs(float(said[1]) - by_loops(made, grades, k)) <= 0.5001e-3


def test_an_answer_is_told_apart_from_every_other():
    """No number is within two tolerances of another, and a rounded answer is still right."""
    for asked in drawn([origin()], 20, kinds=["numeric"]).questions:
        values = sorted(option.value for option in asked.options)
        assert all(b - a > 2 * asked.tolerance for a, b in pairwise(values))
        assert abs(round(asked.right.value, 3) - asked.right.value) <= asked.tolerance
        assert all(option.feedback for option in asked.options)


def test_a_draw_that_lets_a_mistake_through_is_refused():
    """A mistake within the tolerance of what is right, two alike, and what anybody would guess."""
    near = Wrong("near", "nearly it", "dcg(grades, k=k) + 0.0004")
    far = Wrong("far", "something else", "dcg(grades, k=k) + 5")
    further = Wrong("further", "something like that", "dcg(grades, k=k) + 5.0004")
    cases = [
        ({"wrongs": [near]}, "a mistake gives the right answer"),
        ({"wrongs": [far, further]}, "alike"),
        ({"expected": "dcg(grades, k=k) * 0 + 1", "wrongs": [far]}, "easy to guess"),
        ({"expected": "str(k)", "wrongs": [far]}, "not a number"),
    ]
    for changed, why in cases:
        with pytest.raises(RefusedDraw, match=why):
            numeric(origin(mistakes=[], **changed), Random(3))


def test_a_question_is_asked_once():
    """Two values have two orders, and make two questions; the bank says why it has no more."""

    def same(rng):
        grades = [1, 3]
        rng.shuffle(grades)
        return {"grades": grades, "k": 2}

    bank = drawn([origin(inputs=same)], 5, kinds=["numeric"])
    assert len(bank.questions) == 2
    assert not bank.complete
    assert bank.refused.most_common(1)[0][0] == "the same values were drawn before"


def test_a_seed_gives_the_same_and_a_variant_the_same_with_other_values():
    """Two variants ask for the same in the same order; no values are in both."""
    kinds = ["numeric", "choice"]
    first, again = (drawn([origin()], 6, seed=2, kinds=kinds).questions for _ in range(2))
    assert first == again
    other = drawn([origin()], 6, seed=2, kinds=kinds, variant="B").questions
    assert [q.kind for q in other] == [q.kind for q in first]
    assert not {q.data for q in other} & {q.data for q in first}


# What a number under this name counts, or the question does not say what to do with it.
UNITS = {
    "seconds": "second", "sizes": "bytes", "length": "characters", "window": "words",
    "percentile": "percent", "threshold": "score",
}  # fmt: skip


def ill_posed(asked, question):
    """Why a student who knows the subject could not answer; nothing if all is well."""
    data = dict(asked.data)
    tables = [value for value in data.values() if ", " in value or "; " in value]
    if len({*tables}) < len(tables):
        yield "two tables are the same"
    yield from (
        f"no unit of {n}" for n, word in UNITS.items() if n in data and word not in asked.asks
    )
    gains = {"gain-without-minus-1", "gain-exp"} & {*question.labels}
    if gains and not re.search("gain|attention", asked.text):
        yield "it does not say what the gain is"
    lists = next(iter(question.inputs(Random(1)).items()))
    if lists[0] == "samples" and ";" not in data["samples"]:
        yield "several rankings are printed as one"
    if len({option.text for option in asked.options}) < len(asked.options):
        yield "two options read the same"


@pytest.mark.suite("guide")
def test_questions_over_all_chapters_are_well_posed():
    """The exercises' own specs: every kind, every chapter, no question twice, none ill posed."""
    assert_well_posed(160)


def assert_well_posed(count):
    """So many questions over all chapters; `make suite SUITE=questions` asks for more."""
    origins = origins_in(ROOT / "solutions")
    of = {(o.chapter, o.question.name): o.question for o in origins}
    bank = drawn(origins, count, seed=7)
    assert bank.complete
    questions = bank.questions
    assert {q.chapter for q in questions} == {source.stem[:2] for source in sources()}
    assert {q.kind for q in questions} == {"numeric", "choice"}
    assert len({q.text for q in questions}) == len({q.ident for q in questions}) == count
    for asked in questions:
        assert list(ill_posed(asked, of[asked.chapter, asked.name])) == []
        assert sum(option.right for option in asked.options) == 1
        assert all(option.feedback for option in asked.options)
        assert len(asked.solution) > 20


def test_no_wording_leaves_another_answer_open():
    """What was once asked in words that have another answer: read anew by a plain computation."""
    asks = {o.question.name: o.question.asks for o in origins_in(ROOT / "solutions")}
    # Without "expected", every alpha up to 1 would do.
    assert "expected score" in asks["largest_alpha"]
    k, p = 5, 0.005
    alpha = asked_right("largest_alpha", {"k": k, "p": p})
    none, one = (1 - p) ** k, k * p * (1 - p) ** (k - 1)
    assert none * k * alpha == pytest.approx(one * (1 + (k - 1) * alpha))
    assert "mean of the queries' improvements" in asks["improvement"]
    values = {"values": {"q1": 0.3, "q2": 0.2}, "baseline": {"q1": 0.2, "q2": 0.4}}
    assert asked_right("improvement", values) == pytest.approx((0.1 / 0.2 - 0.2 / 0.4) / 2)


def asked_right(name, inputs):
    """What is right for these inputs of an exercise's question."""
    [found] = [o.question for o in origins_in(ROOT / "solutions") if o.question.name == name]
    return found.right(inputs)


def test_concepts_are_the_quizzes_of_the_chapters(tmp_path, capsys):
    """Each has one right answer and feedback; half of the questions, if so asked; or too few."""
    found = concepts.concepts()
    assert len(found) >= len(origins_in(ROOT / "solutions"))
    assert [q.chapter for q in found] == sorted(q.chapter for q in found)
    assert len({q.text for q in found}) == len({q.ident for q in found}) == len(found)
    for asked in found:
        assert len(asked.wrong) >= 2
        assert len({option.text for option in asked.options}) == len(asked.options)
        assert all(len(option.feedback) > 10 for option in asked.options)
        assert "<table" not in asked.html
    page = tmp_path / "exam.html"
    main(["questions", str(page), "--format", "exam", "--count", "4", "--kinds", "numeric,concept"])
    assert page.read_text(encoding="utf-8").count("Choose the right answer.") == 2
    few = ["questions", str(page), "--format", "exam", "--kinds", "concept", "--topics", "20"]
    assert main(few) == FAILED
    there = sum(asked.chapter == "20" for asked in found)
    out = capsys.readouterr().out
    assert f"exam.html: {there} questions\n" in out
    assert f"Only {there} of 20 questions could be made: there are no more concept" in out


def test_an_installed_package_has_the_concepts_of_a_checkout(tmp_path, monkeypatch, capsys):
    """They are those of the folder of the sources alone; a file that is not there is named."""
    for name in concepts.FILES:
        shutil.copy(ROOT / "solutions" / name, tmp_path / name)
    papers = []
    for folder in (ROOT / "solutions", tmp_path):
        page = tmp_path / "exam.html"
        ask = ["questions", str(page), "--format", "exam", "--kinds", "concept", "--count", "30"]
        assert main([*ask, "--sources", str(folder)]) == 0
        papers.append(page.read_bytes())
    assert papers[0] == papers[1]
    assert "is not there" not in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(concepts, "SOLUTIONS", tmp_path / "nowhere")
    (tmp_path / "quizzes.toml").rename(tmp_path / "solutions")  # a file, so no folder is found
    assert main([*ask, "--count", "3", "--sources", str(tmp_path)]) == 0
    assert "quizzes.toml is not there: its concept questions are" in capsys.readouterr().out
    assert all(asked.topic for asked in concepts.concepts(tmp_path))
    with pytest.raises(InputError, match="there is no concept question in solutions"):
        concepts.concepts()


# What is given, and what the refusal says: it lists all that may be given.
NEAR_MISSES = {
    (
        "--kinds",
        "numeric,concepts",
    ): "'concepts' is no kind of question; give numeric, choice, concept",
    ("--kinds", ""): "--kinds: nothing; give each kind once, of numeric, choice, concept",
    ("--kinds", "choice,choice"): "--kinds: choice, choice; give each kind once",
    ("--topics", "99"): "nothing is about '99'; give the number of an exercise (01, 02,",
    ("--topics", "nDGC"): "nothing is about 'ndgc'",
    ("--count", "0"): "1",
    ("--count", "ten"): "ten",
    ("--variants", "13"): "12",
    ("--variants", "0"): "12",
    ("--seed", "one"): "one",
    ("--format", "html"): "canvas",
    ("--format", "word"): "exam",
}
ENDINGS = {
    ("moodle", "q.html"): "a file of the format moodle ends in .xml; give q.xml, or --format exam",
    ("moodle", "q.zip"): "give q.xml, or --format canvas",
    ("canvas", "q.XML"): "a file of the format canvas ends in .zip; give q.zip, or --format moodle",
    ("exam", "q.pdf"): "a file of the format exam ends in .html; give q.html",
    ("exam", "q.docx"): "give q.html",
}


def test_a_near_miss_of_an_option_is_told_what_may_be_given(tmp_path, capsys, monkeypatch):
    """Each option with what somebody might type; nothing is written."""
    monkeypatch.chdir(tmp_path)
    sources = ["--sources", str(ROOT / "solutions")]
    for (option, value), words in NEAR_MISSES.items():
        form = ["--format", "exam"] if option != "--format" else []
        assert main(["questions", "q.html", *form, *sources, option, value]) == 2, (option, value)
        assert words in capsys.readouterr().err, (option, value)
    for (form, name), words in ENDINGS.items():
        assert main(["questions", name, *sources, "--format", form]) == 2, name
        assert words in capsys.readouterr().err, name
    assert list(tmp_path.iterdir()) == []


def test_the_blueprint_of_the_exams_has_as_many_questions_as_are_drawn():
    """The columns of the page on assessment, and the commands beside them."""
    page = (ROOT / "docs" / "assessment.md").read_text(encoding="utf-8")
    table = page.partition("| objective |")[2].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    counts = re.findall(r"questions (\w+)\.html .*--count (\d+)", page)
    assert [name for name, _ in counts] == ["midterm", "final"]
    assert [int(count) for _, count in counts] == [
        sum(int(row[-2]) for row in rows),
        sum(int(row[-1]) for row in rows),
    ]


def test_a_discount_that_never_shows_is_no_question():
    """DCG equals CG where everything that gains stands above the base of the discount."""
    q = Question(
        "jk",
        "dcg(grades, discount='jk(4)')",
        lambda rng: {"grades": [3, 1, rng.choice([0, 2]), 0]},
        asks="DCG?",
        wrongs=[Wrong("powers", "powers", "dcg(grades, gain='exp', discount='jk(4)') + 9")],
    )
    with pytest.raises(RefusedDraw, match="the same without any discount"):
        numeric(Origin("04", "DCG", q), Random(1))


def test_a_question_with_named_parts_has_them_in_its_table():
    """Not in brackets within a sentence."""
    [origin] = [o for o in origins_in(ROOT / "solutions") if o.question.name == "four"]
    found = None
    for seed in range(60):
        try:
            asked = choice(origin, Random(seed))
        except RefusedDraw:
            continue
        if "Which of these gives" in asked.wants:
            found = asked
            break
    assert found is not None
    assert "The last 4 rows are somebody's answer." in found.asks
    assert [name for name, _ in found.data[-4:]] == list(origin.question.parts)
    assert all(float(value) <= 1 for _, value in found.data[-4:])


def test_concepts_of_your_own(tmp_path):
    """They are read from the folder of the sources; one that is not complete is named."""
    with pytest.raises(InputError, match="there is no concept question in"):
        concepts.concepts(tmp_path)
    path = tmp_path / "concepts.toml"
    own = '[[question]]\nchapter = "02"\nasks = "1 < 2?"\nright = ["Yes", "By 1."]\n'
    path.write_text(own + 'wrong = [["No", "2 is more."]]\n', encoding="utf-8")
    [asked] = concepts.concepts(tmp_path)
    assert (asked.chapter, asked.asks, asked.topic) == ("02", "1 < 2?", "concepts")
    assert [(o.text, o.feedback, o.right) for o in asked.options] == [
        ("Yes", "Right. By 1.", True),
        ("No", "2 is more.", False),
    ]
    path.write_text(own, encoding="utf-8")
    with pytest.raises(InputError, match="question 1: write chapter, asks"):
        concepts.concepts(tmp_path)
    path.write_text("question", encoding="utf-8")
    with pytest.raises(InputError, match="can't be read as TOML"):
        concepts.concepts(tmp_path)
