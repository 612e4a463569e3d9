"""Marking in the browser: the page, what it saves, and two markers who agree or do not."""

import json
import re
import time
from pathlib import Path

import pytest

from irmetrics_edu.classroom.marking.reviewing import hand_marks, marking_page
from irmetrics_edu.classroom.marking.reviewing.hand_marks import HandAnswer, HandMark
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.page import POLICY
from tests.marking.test_grade import by_student
from tests.marking.test_rubrics import WHY, course, hand_in, page_of  # noqa: F401 -- a fixture
from tests.site import chromium

EVIL = "</script><img src=x onerror=alert(1)> =1+1 ＝cmd ;=2"


# What stands in an answer or a task, and how the page shows it.
EMPHASIS = {
    "**Question 3.** Why?": "<strong>Question 3.</strong> Why?",
    "the *ideal* of `g**2`\nand **all**": (
        "the <em>ideal</em> of <code>g**2</code>\nand <strong>all</strong>"
    ),
    "折损**因子**是": "折损<strong>因子</strong>是",
    "2**3 and 4**5, a * b * c, x*y*z": "2**3 and 4**5, a * b * c, x*y*z",
    "** not this ** nor **": "** not this ** nor **",
    "**<b>2 < 3</b>**": "<strong>&lt;b&gt;2 &lt; 3&lt;/b&gt;</strong>",
    "": "",
}


def saved(marker, marks, **other):
    """A file as the page saves it."""
    made = {"format": marking_page.FORMAT, "version": 1, "key": "k", "marker": marker,
            "revision": 3, "marks": {"77-why": marks}, **other}  # fmt: skip
    return json.dumps(made)


def test_the_same_answers_are_one_and_near_ones_are_twins():
    """Three students, two texts that share most words: one group of two, twins of each other."""
    text = "The score fell because the discount was of the rank and not of its logarithm at all"
    written = {"ann": text, "ben": text + "  ", "cy": text + " I think", "di": ""}
    answers = [HandAnswer(student, words) for student, words in written.items()]
    given = {a.student: HandMark(WHY, "to be marked") for a in answers}
    found = marking_page.question_data("77-why", WHY, answers, given)
    [one, other] = found["answers"]
    assert (one["students"], one["count"], other["students"]) == (["ann", "ben"], 2, ["cy"])
    assert (one["twins"], other["twins"]) == ([other["id"]], [one["id"]])
    assert one["points"] == [None, None]


def test_answers_that_stand_elsewhere_are_marked_one_by_one():
    """Two students without a text in its cell did not write the same: each has an id."""
    ann, ben, none = (
        HandAnswer("ann", "", "look into cell 3"),
        HandAnswer("ben", "", "look into cell 3"),
        HandAnswer("cy", ""),
    )
    assert len({ann.id, ben.id, none.id}) == 3
    marks = {"77-why": {ann.id: {"points": [2, 1], "comment": ""}}}
    given = hand_marks.Saved(Path("marks-anna.json"), "anna", marks)
    marked = hand_marks.marks("77-why", WHY, [ann, ben, none], [given])
    assert {name: mark.marks for name, mark in marked.items()} == {"ann": 3, "ben": None, "cy": 0}


def test_a_students_text_is_no_markup_and_names_can_be_left_out():
    """The data holds no `<`; the policy allows the one script by its hash and nothing else."""
    answers = [HandAnswer("ann <b>", EVIL)]
    given = {"ann <b>": HandMark(WHY, "to be marked")}
    question = marking_page.question_data("77-why", WHY, answers, given)
    page = marking_page.as_html([question], "p1")
    assert "<img" not in page
    assert "ann <b>" not in page
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert re.fullmatch(re.escape(POLICY) + r"; script-src 'sha256-[\w+/=]+'", policy)
    hidden = marking_page.as_html([question], "p2", hidden=True).partition('id="data"')[2]
    assert "ann" not in hidden.partition("</script>")[0]


@pytest.mark.slow
def test_what_the_page_saved_is_taken_by_the_next_grade(course, capsys, tmp_path):  # noqa: F811
    """One marker's points count for all with this answer; two must agree, and kappa is said."""
    hand_in(course, ann="It fell.", ben="It fell.", cy="No idea.")
    course.grade()
    ids = {n: answer["id"] for n, answer in page_of(course).items()}
    assert ids["ann"] == ids["ben"] != ids["cy"]
    folder = course.out / "by-hand"
    full, none = {"points": [2, 1.5], "comment": "Yes"}, {"points": [0, 0], "comment": ""}
    (folder / "marks-anna.json").write_text(saved("anna", {ids["ann"]: full, ids["cy"]: none}))
    capsys.readouterr()
    assert course.grade() == 0
    assert {n: r["77 why"] for n, r in by_student(course).items()} == {
        "ann": "3.5", "ben": "3.5", "cy": "0"
    }  # fmt: skip
    feedback = course.written()["feedback/ben/77_two.md"].decode()
    assert "cause: 2 of 2. Full points are for: names \\<the\\> cause." in feedback
    half = {"points": [1, 1.5], "comment": ""}
    (folder / "marks-bo.json").write_text(saved("bo", {ids["ann"]: half, ids["cy"]: none}))
    assert course.grade() == 1
    # Of two answers with points 2, 0 and 1, 0: agreed 1/2, by chance 1/4, so kappa is 1/3.
    said = capsys.readouterr().out
    assert "77-why cause: anna and bo agree on 1 of 2 answers, kappa 0.33" in said
    assert "77-why evidence: anna and bo agree on 2 of 2 answers, kappa 1.00" in said
    assert "ann, exercise 77: to be marked by hand, as markers differ" in said
    assert {n: r["77 why"] for n, r in by_student(course).items()} == {
        "ann": "", "ben": "", "cy": "0"
    }  # fmt: skip
    report = course.report()
    assert "markers differ, and it stays open until they agree: anna 2 1.5, bo 1 1.5" in report
    assert main(["grade", "page", str(course.out), "--out", str(tmp_path / "bo.html")]) == 0
    page = (tmp_path / "bo.html").read_text(encoding="utf-8")
    assert "It fell." in page
    [question] = marking_page._data(tmp_path / "bo.html")["questions"]
    for answer in question["answers"]:
        # Nothing that the first marker, or anybody, gave.
        assert (answer["students"], answer["points"], answer["comment"]) == ([], [None, None], "")
    assert "Yes" not in page.partition('id="data"')[2]
    # Written again, for those who handed in since, it is the same page; another file is another.
    for name, same in (("bo.html", True), ("cy.html", False)):
        assert main(["grade", "page", str(course.out), "--out", str(tmp_path / name)]) == 0
        word = marking_page.own_word(tmp_path / name)
        assert (f'"page": "{word}"' in page) == same
    own = course.out / "by-hand" / "marking.html"
    assert main(["grade", "page", str(course.out), "--out", str(own)]) == 2
    assert main(["grade", "page", str(tmp_path), "--out", str(tmp_path / "no.html")]) == 2


def test_a_page_keeps_its_word_when_the_class_is_graded_again(course):  # noqa: F811
    """Marks that wait in the browser are found again; the page of another folder has its own."""
    hand_in(course, ann="It fell.")
    course.grade()
    page = course.out / "by-hand" / "marking.html"
    word = marking_page.own_word(page)
    hand_in(course, ben="It rose.")
    course.grade()
    assert marking_page.own_word(page) == word
    course.out = course.folder / "next-year"
    course.grade()
    assert marking_page.own_word(course.out / "by-hand" / "marking.html") != word


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "it is damaged"),
        ("[]", "it is damaged"),
        (saved("anna", {}, version=2), "version 2"),
        (saved("", {}), "by ''"),
        (saved("anna", {"a-1": {"points": [9, 0], "comment": ""}}), "damaged at 77-why, a-1"),
        (saved("anna", {"a-1": {"points": [1], "comment": ""}}), "damaged at 77-why, a-1"),
        (saved("anna", {"a-1": [1, 2]}), "damaged at 77-why, a-1"),
    ],
)
def test_a_file_that_cant_be_is_refused(tmp_path, text, words):
    """With its name; nothing of it counts in silence."""
    (tmp_path / "marks-anna.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        marking_page.read_saved(tmp_path, {"77-why": WHY})
    assert "marks-anna.json" in str(caught.value)


def test_two_files_of_one_marker_are_refused(tmp_path):
    """A browser may call the second download `marks-anna (1).json`."""
    for name in ("marks-anna.json", "marks-anna (1).json"):
        (tmp_path / name).write_text(saved("anna", {}), encoding="utf-8")
    with pytest.raises(InputError, match="is of anna, too; keep the newer"):
        marking_page.read_saved(tmp_path, {})


def held(page):
    """What a page holds."""
    return json.loads(marking_page._DATA.search(page)[1])


def test_marks_in_a_browser_belong_to_the_rubrics():
    """They are known by the questions and their criteria, in whatever order a file has these."""
    answers = [HandAnswer("ann", "words")]
    given = {"ann": HandMark(WHY, "to be marked", (1, None), "Hm")}
    question = marking_page.question_data("77-why", WHY, answers, given)
    key = held(marking_page.as_html([question], "w"))["key"]
    turned = [dict(reversed(one.items())) for one in question["rubric"]]
    assert held(marking_page.as_html([{**question, "rubric": turned}], "w"))["key"] == key
    assert len(bytes.fromhex(key)) == 8  # 16 digits, under which browsers hold what was given
    more = [{**one, "points": one["points"] + 1} for one in question["rubric"]]
    others = [{**question, "rubric": more}, {**question, "id": "77-other"}]
    for other in ([], [question, question], *([one] for one in others)):
        assert held(marking_page.as_html(other, "w"))["key"] != key
    # Who gave what is no part of it, and is not on the page of another marker.
    bare = held(marking_page.as_html([question], "w", hidden=True))
    assert (bare["key"], bare["hidden"], bare["page"]) == (key, True, "w")
    [answer] = bare["questions"][0]["answers"]
    assert (answer["students"], answer["comment"]) == ([], "")
    assert answer["points"] == [None] * len(WHY.rubric)
    assert question["answers"][0]["points"] == [1, None]


@pytest.mark.suite("site")
def test_a_class_is_marked_by_keyboard_alone(tmp_path):
    """Points, comment, undo, moving, and what is kept when the page is closed and opened again."""
    path = chromium.found()
    assert path, "no browser to mark with: apt-get install chromium"
    answers = [HandAnswer("ann", "It fell. " + EVIL), HandAnswer("ben", "It rose.")]
    given = {a.student: HandMark(WHY, "to be marked") for a in answers}
    page = tmp_path / "marking.html"
    question = marking_page.question_data("77-why", WHY, answers, given, "Why did it fall?")
    page.write_text(marking_page.as_html([question], "p1"), encoding="utf-8")
    with chromium.Chromium(path, tmp_path / "profile") as browser:

        def press(keys):
            for key in keys:
                for kind in ("keyDown", "keyUp"):
                    text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
                    browser.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

        def look(script):
            return browser.evaluate(script)

        def open_again():
            """The page in a new process, which may ask before the old one has handed over."""
            deadline = time.monotonic() + chromium.SECONDS
            browser.open(page.as_uri())
            while not look("state.revision") and time.monotonic() < deadline:
                time.sleep(0.1)
                browser.open(page.as_uri())

        seen = browser.open(page.as_uri())
        assert (seen.logged, seen.failed) == ([], [])
        assert look("document.querySelectorAll('img').length") == 0
        assert EVIL in look("at('text').textContent")
        assert "ann" not in look("document.querySelector('main').innerText")
        press("21")  # the second criterion has 1.5 points: 1 of them
        assert look("JSON.stringify(mark().points)") == "[2,1]"
        press("u")
        assert look("JSON.stringify(mark().points)") == "[2,null]"
        press("kjx1h")  # half a point more for the criterion that was just marked
        assert look("JSON.stringify(mark().points)") == "[2,1.5]"
        press("uu")
        assert look("document.getElementById('p1-0-5').textContent") == "0.5"
        assert look("at('asked').textContent") == "Why did it fall?"
        for text, markup in EMPHASIS.items():
            shown = look(f"prose({json.dumps(text)}, document.createElement('pre')).innerHTML")
            assert shown == markup, text
        press("1c")
        press("Well")
        press(["Escape"])
        assert look("mark().comment") == "Well"
        press("u")
        assert look("mark().comment") == ""  # one step, whatever its letters
        press("cWell")
        look("window.onbeforeunload = null")
        open_again()  # closed while the comment is being written
        assert look("[mark().comment, mark().points[1]].join()") == "Well,1"
        assert look("at('done').textContent") == "1 of 2 answers, 1 of 2 students"
        press("o")
        assert look("at('text').textContent") == "It rose."
        press("9")
        assert look("at('said').textContent") == "cause: give 0 to 2"
        press("k00s")
        assert look("at('said').textContent") == "Say who marks: fill in Marker."
        # Whoever leaves without saving is asked; and when the page is opened again, all is there.
        leaves = "new Event('beforeunload', {cancelable: true})"
        assert look(f"window.dispatchEvent({leaves})") is False
        look("saved = state.revision; guard()")
        assert look(f"window.dispatchEvent({leaves})") is True
        open_again()
        assert look("JSON.stringify(mark().points)") == "[0,0]"
        for state, why in (
            ("{}", "it is no file that this page saved"),
            ('{"format": FORMAT, "version": 0}', "it is of version 0, and this page of 1"),
            ('{...copy(state), "revision": 1}', "it is older (change 1)"),
            ('{...copy(state), "marks": {"77-why": {"a": 1}}}', "it is damaged"),
        ):
            assert why in look(f"refusal({state})")
        assert look("refusal(copy(state))") == ""
        # What it saves where a browser only downloads is what the next `grade` reads.
        look("window.showSaveFilePicker = undefined; at('marker').value = 'Anna B'")
        look("URL.createObjectURL = (blob) => { window.held = blob; return '#'; }")
        look("save()")
        assert "Saved as marks-anna-b.json" in look("at('said').textContent")
        (tmp_path / "marks-anna-b.json").write_text(look("window.held.text()"), encoding="utf-8")
    [found] = marking_page.read_saved(tmp_path, {"77-why": WHY})
    assert (found.marker, found.marks["77-why"][answers[0].id]["points"]) == ("Anna B", [0, 0])


@pytest.mark.suite("site")
def test_one_browser_keeps_markers_pages_and_classes_apart(tmp_path):
    """What one gave is never another's: two markers, two pages of a class, two classes."""
    path = chromium.found()
    assert path, "no browser to mark with: apt-get install chromium"
    answers = [HandAnswer("ann", "It fell."), HandAnswer("ben", "It rose.")]
    given = {a.student: HandMark(WHY, "to be marked") for a in answers}
    question = marking_page.question_data("77-why", WHY, answers, given)
    pages = {}
    for name, word, hidden in (("own", "p1", False), ("bo", "p2", True), ("next", "p3", False)):
        pages[name] = tmp_path / f"{name}.html"
        text = marking_page.as_html([question], word, hidden=hidden)
        pages[name].write_text(text, encoding="utf-8")
    with chromium.Chromium(path, tmp_path / "profile") as browser:

        def opened(name):
            browser.evaluate("window.onbeforeunload = null")  # or the browser asks, and waits
            time.sleep(
                0.5
            )  # another page is another process, which reads what this one has written
            browser.open(pages[name].as_uri())

        def marker(name):
            browser.evaluate(f"at('marker').value = '{name}'; at('marker').onchange()")

        def points():
            return browser.evaluate("JSON.stringify(mark().points)")

        def give(*each):
            for place, one in enumerate(each):
                browser.evaluate(f"give({place}, {one})")

        opened("own")
        give(1, 1)  # before the name is typed: they become Anna's
        marker("Anna")
        assert points() == "[1,1]"
        for name in ("bo", "next"):
            opened(name)
            assert points() == "[null,null]"
            assert browser.evaluate("at('marker').value") == ""
        marker("Bo")
        give(0, 0)
        opened("own")
        assert (points(), browser.evaluate("at('marker').value")) == ("[1,1]", "Anna")
        assert "The marks of Anna from before" in browser.evaluate("at('said').textContent")
        # Another marker at the same page begins without marks, and Anna's are kept.
        marker("Cy")
        assert points() == "[null,null]"
        assert "The marks of Anna are kept" in browser.evaluate("at('said').textContent")
        give(2, 0)
        marker("anna")
        assert points() == "[1,1]"
        marker("Cy")
        assert points() == "[2,0]"
        browser.evaluate("undo()")
        assert points() == "[2,0]"  # no step leads back to another's marks
