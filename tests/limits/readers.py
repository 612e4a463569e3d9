"""What reads files and is no command of its own."""

from pathlib import Path

from irmetrics_edu import evaluate
from irmetrics_edu.classroom.marking.reviewing import marking_page
from irmetrics_edu.classroom.questions.concepts import concepts as read_concepts
from irmetrics_edu.cli import main
from irmetrics_edu.course import load_cranfield
from irmetrics_edu.gate.plugin import received
from irmetrics_edu.judging.contexts import judge_contexts
from irmetrics_edu.judging.stored_claims import read_claims
from irmetrics_edu.lab.learning.letor import read_letor
from irmetrics_edu.lab.recommenders.load import load_interactions, load_ratings


def contexts(path: str) -> None:
    """Questions with contexts."""
    run, qrels, *_ = judge_contexts(Path(path))
    evaluate(run, qrels, "RR")


def claims(path: str) -> None:
    """Claims and verdicts of others."""
    read_claims(Path(path))


def accept(path: str, folder: str) -> None:
    """Baselines that gates received."""
    received.accept(Path(path), Path(folder))


def letor(path: str) -> None:
    """Features."""
    read_letor(path)


def ratings(path: str) -> None:
    """Ratings of users."""
    load_ratings(path)


def interactions(folder: str) -> None:
    """Users and items in three files."""
    load_interactions(Path(folder))


def cranfield(folder: str) -> None:
    """A collection in three files."""
    load_cranfield(folder)


def concepts(folder: str) -> None:
    """Questions of a quiz."""
    read_concepts(Path(folder))


def saved(folder: str) -> None:
    """Marks that the page to mark by hand saved."""
    marking_page.read_saved(Path(folder), {})


def grade(handed: str, out: str, *more: str) -> int:
    """A class is graded; its exercise stands in the current folder."""
    given = ("--key", "class/key", "--sources", "class/sources", "--workers", "1")
    return main(["grade", handed, "--out", out, *given, *more])
