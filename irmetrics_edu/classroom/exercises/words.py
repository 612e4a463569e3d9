"""The words of an exercise that `check` and `hint` show, in another language."""

from collections.abc import Callable
from dataclasses import replace

from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.exercises.spec import Exercise


def exercise_in(exercise: Exercise, translate: Callable[[str, str], str]) -> Exercise:
    """An exercise with the texts that its notebook shows translated."""

    def one(question: Question) -> Question:
        about = f"question {question.name}"
        return replace(
            question,
            column=translate(question.column, f"{about}: a column"),
            line=translate(question.line, f"{about}: what a line is called"),
            hints=[translate(hint, f"{about}: a hint") for hint in question.hints],
            wrongs=[
                replace(
                    wrong,
                    says=translate(wrong.says, f"{wrong.label}: Your values equal those of ..."),
                    why=translate(wrong.why, f"{wrong.label}: why it is wrong"),
                )
                for wrong in question.wrongs
            ],
        )

    title = translate(exercise.title, "the title of the exercise")
    return replace(exercise, title=title, questions=[one(q) for q in exercise.questions])
