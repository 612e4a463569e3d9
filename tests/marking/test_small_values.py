"""What was found stays as it was found: no field of a value can be set anew by who shares it."""

import importlib
import pkgutil
from pathlib import Path
from types import SimpleNamespace

from irmetrics_edu import classroom
from irmetrics_edu.classroom.exercises import (
    answer_checks,
    build,
    checking,
    computed_question,
    copy_text,
    differing,
    source,
    spec,
    translation,
    variants,
)
from irmetrics_edu.classroom.grading import limits, newer_syntax, outcome, sandbox, tiers
from irmetrics_edu.classroom.marking import (
    collect,
    give_back,
    grade_options,
    mark,
    match,
    results,
    review,
)
from irmetrics_edu.classroom.marking.collecting import (
    archives,
    notebook,
    owner_names,
    rosters,
    submissions,
)
from irmetrics_edu.classroom.marking.matching import (
    added_cells,
    answer_key,
    code_tokens,
    copy_data,
    lateness,
    ownership,
    ready,
    strays,
)
from irmetrics_edu.classroom.marking.returning import (
    canvas_grades,
    class_report,
    course_total,
    feedback,
    side_by_side,
    summary,
)
from irmetrics_edu.classroom.marking.reviewing import (
    earlier_rows,
    gradebook,
    hand_marks,
    handing_marks,
    marking_page,
    regrading,
    similarity,
)
from irmetrics_edu.classroom.marking.running import (
    changed_data,
    child_runs,
    judging_run,
    mark_submission,
    readings,
    run_cells,
    tried_readings,
)
from tests.values import hold_still, values_of

OPTIONS = grade_options.GradeOptions(key="k", out="o")
MARK = results.QuestionMark("q", "Q", 4)
ROW = gradebook.Row(owner_names.Person("ann"), "01", "s", "T", 5.0, results.GRADED)
WHY = spec.ByHand("why", "Why", [spec.Criterion("reason", 2)])
QUESTION = computed_question.Question("f", "1")
SUBMISSION = submissions.Submission("p", owner_names.Named("ann"))
NO_ROUND = SimpleNamespace(asked=[], waiting=[], to_do={})
# Something that each module with values of its own is asked, and what it says.
ASKED = [
    (answer_checks, lambda: answer_checks.AnswerVerdict(1.0).right, True),
    (build, lambda: build.opening("x").count("begin("), 1),
    (checking, lambda: checking.Feedback("x").right, False),
    (computed_question, lambda: len(computed_question.Trial([{}])), 1),
    (copy_text, lambda: copy_text.readable(1), 1),
    (differing, lambda: differing.same(1, 1, 0.0), True),
    (source, lambda: source.solved("x"), "x"),
    (spec, lambda: spec.Exercise("01", "T", []).marks, 0),
    (translation, lambda: [*translation.paragraphs("")], []),
    (variants, lambda: variants.Variant().fingerprint, ""),
    (limits, lambda: limits.SandboxLimits().shown("wall"), "10 s"),
    (newer_syntax, lambda: newer_syntax.rewritten("x"), "x"),
    (outcome, lambda: outcome.Case(1).packed, {"tuple": [1]}),
    (sandbox, lambda: "signal 9" in sandbox._end(-9, {"status": -9}), True),
    (tiers, lambda: tiers.Tier("plain").secure, False),
    (collect, lambda: collect._asked([], Path(), Path()), frozenset()),
    (give_back, lambda: give_back.MarkedClass((), (ROW,)).open, [ROW]),
    (grade_options, lambda: OPTIONS.number, ""),
    (mark, lambda: mark.mark(NO_ROUND, OPTIONS).new, {}),
    (match, lambda: match._nameable([], [], []), []),
    (results, lambda: MARK.right, False),
    (review, lambda: review._not_standing([ROW], [ROW]), []),
    (archives, lambda: archives.downloads(Path("none")), []),
    (notebook, lambda: notebook.clean("x"), "x"),
    (owner_names, lambda: owner_names.normal(" x "), "x"),
    (rosters, lambda: rosters.everybody([]), []),
    (submissions, lambda: submissions._is_notebook(Path("x.ipynb")), True),
    (added_cells, lambda: added_cells.squeezed(" x\n y"), "x y"),
    (
        answer_key,
        lambda: (
            answer_key.AnswerKey(
                SimpleNamespace(exercise=SimpleNamespace(questions=[])), b"", tiers.Tier("plain")
            ).questions
        ),
        [],
    ),
    (copy_data, lambda: copy_data.packed_in(["x"]), None),
    (lateness, lambda: lateness.LatenessRules().deadline("ann", "01"), None),
    (ownership, lambda: ownership.HandIn(SUBMISSION, "01", "ann").inputs, ""),
    (ready, lambda: ready.ReadySubmission("p", "ann", "", ["x"]).language, ""),
    (canvas_grades, lambda: canvas_grades._listed([]), ""),
    (class_report, lambda: class_report._figure(None), ""),
    (course_total, lambda: course_total.Total("a", (), None, "", (), ()).percent, ""),
    (feedback, lambda: feedback.escaped_markdown("x"), "x"),
    (side_by_side, lambda: str(side_by_side.SharedPlace(1, 2, 2, "")), "cell 1, line 2"),
    (earlier_rows, lambda: earlier_rows.EarlierRow(ROW).by_hand, []),
    (gradebook, lambda: ROW.unit, "ann"),
    (hand_marks, lambda: hand_marks.HandMark(WHY, hand_marks.NONE).marks, 0),
    (handing_marks, lambda: handing_marks._Asked("01", WHY).name, "01-why"),
    (regrading, lambda: regrading._shown(None), "open"),
    (similarity, lambda: similarity._most_sharing(3), 3),
    (changed_data, lambda: changed_data._at(["x"], 2), ""),
    (judging_run, lambda: judging_run.FoundAnswer.ANSWER.is_answer, True),
    (mark_submission, lambda: mark_submission._without_marks(QUESTION).out_of, 2),
    (readings, lambda: readings.AT_THE_END.told, ""),
    (run_cells, lambda: run_cells.QuestionRun(None, None, QUESTION, None).packages, ("numpy",)),
    (tried_readings, lambda: tried_readings._stopping([]), []),
]
# What keeps a state: the exercise that a notebook has opened, and copies that were looked at.
FREE = {checking._Open, ownership.Copies}
# The fields that say yes unless something says no.
YES = {("QuestionMark", "judged"), ("Tried", "open")}


def test_no_field_of_a_value_can_be_set_anew():
    """Workers share what was found; and a field that is not given says no, but for two of them."""
    hold_still(ASKED, FREE, YES)


MIB = 1024 * 1024
# What bounds a step, and how it was decided: another number is another promise to a teacher.
BOUNDED = [
    (grade_options, lambda: OPTIONS.number, {"WORKERS": 2}),
    (
        archives,
        lambda: archives.downloads(Path("none")),
        {
            "MOST_ENTRIES": 20_000, "MOST_BYTES": 2048 * MIB, "MOST_RATIO": 200, "FREE": 64 * MIB,
            "MOST_LISTED": 500_000, "LONGEST_NAME": 240, "LONGEST_PATH": 1000,
            "_SAYS_UTF8": 2**11,  # bit 11, by the specification of zip
        },
    ),
    (
        notebook,
        lambda: notebook.clean("x"),
        {
            "LARGEST": 32 * MIB, "MOST_PARTS": 1_000_000, "MOST_CODE": 2_000_000,
            "MOST_CELLS": 5000, "MOST_TEXT": 8_000_000, "MOST_NOTES": 5,
        },
    ),
    (owner_names, lambda: owner_names.normal(" x "), {"SHORTEST_ID": 3}),
    (rosters, lambda: rosters.everybody([]), {"LIKE": 0.8}),
    (submissions, lambda: submissions._is_notebook(Path("x.ipynb")), {"MOST_OF_ONE": 30}),
    (code_tokens, lambda: code_tokens.tokens("x"),
     {"TOKENS": 12, "WINDOW": 4, "LONGEST": 200_000}),
    (copy_data, lambda: copy_data.packed_in(["x"]),
     {"LONGEST_TEXT": 400_000, "LONGEST_DATA": 4_000_000, "MOST_PARTS": 5000}),
    (lateness, lambda: lateness.LatenessRules().deadline("ann", "01"),
     {"FIRST": 1970, "LAST": 2999}),
    (strays, lambda: strays.main_and_strays([]), {"APART": 2, "BESIDE": 10}),
    (canvas_grades, lambda: canvas_grades._listed([]), {"MOST_NAMED": 20}),
    (class_report, lambda: class_report._figure(None), {"BINS": 10, "FEWEST": 5}),
    (course_total, lambda: course_total.Total("a", (), None, "", (), ()).percent,
     {"LONGEST_NUMBER": 8}),
    (side_by_side, lambda: str(side_by_side.SharedPlace(1, 2, 2, "")),
     {"MOST_STUDENTS": 4, "MOST_LINES": 60, "LONGEST": 8000}),
    (summary, lambda: summary.listed([]), {"MOST_SHOWN": 20, "MOST_NAMED": 5}),
    (hand_marks, lambda: hand_marks.HandMark(WHY, hand_marks.NONE).marks, {"LONGEST": 50_000}),
    (marking_page, lambda: marking_page._twins({}), {"VERSION": 1, "ALIKE": 0.6, "WORDS": 3}),
    (similarity, lambda: similarity._most_sharing(3),
     {"COMMON": 1 / 3, "FEWEST": 3, "LEAST_SHARED": 16, "LEAST_WHOLE": 60, "LEAST_PART": 0.6,
      "LEAST_CORE": 4}),
    (changed_data, lambda: changed_data._at(["x"], 2), {"LONGEST": 120}),
    (child_runs, lambda: child_runs.cut(SimpleNamespace(lost=0), []), {"ALONE": 2}),
    (mark_submission, lambda: mark_submission._without_marks(QUESTION), {"MOST_ERRORS": 5}),
    (run_cells, lambda: run_cells.QuestionRun(None, None, QUESTION, None).packages,
     {"ROOM": 200, "LARGEST_ANSWER": 100_000}),
]  # fmt: skip


def test_each_bound_is_the_one_that_was_decided():
    """Whoever changes one of them means it; and the units of a span are those of the clock."""
    for module, ask, bounds in BOUNDED:
        ask()
        found = {name: getattr(module, name) for name in bounds}
        assert found == bounds, module
    seconds = {name: unit.total_seconds() for name, unit in lateness._UNITS.items()}
    assert seconds == {"min": 60, "h": 3600, "d": 86_400, "w": 604_800}
    assert len(results._RESERVED) == 4 + 2 * 10  # of Windows: COM0 to COM9, LPT0 to LPT9
    assert results.file_name("com10") == "com10"


def test_each_module_with_values_is_asked():
    """A new one can't be forgotten."""
    asked = {module for module, _, _ in ASKED}
    for module in pkgutil.walk_packages(classroom.__path__, f"{classroom.__name__}."):
        if module.name.split(".")[2] in {"exercises", "grading", "marking"}:
            found = importlib.import_module(module.name)
            assert found in asked or not values_of(found), module.name


def test_a_question_has_the_defaults_that_the_guide_names():
    """Two marks, six inputs, a millionth, numpy, and a rank for a line."""
    one = computed_question.Question("f", "1")
    assert (one.marks, one.tries, one.tolerance) == (2, 6, 0.000001)
    assert (one.packages, one.line, one.kind) == (("numpy",), "rank", "function")
