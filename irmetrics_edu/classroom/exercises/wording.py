"""An exercise in the words of another language: its title, hints, lines and own mistakes."""

from collections.abc import Callable
from dataclasses import replace

from irmetrics_edu.classroom.exercises.spec import Exercise, Question


def in_language(exercise: Exercise, translate: Callable[[str, str], str]) -> Exercise:
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
