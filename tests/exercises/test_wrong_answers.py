"""No wrong function passes: each change of each solution is found, or gives the same for all."""

import re
import tomllib
from pathlib import Path

import pytest

from irmetrics_edu.classroom.exercises.source import paths_in
from tests.exercises.wrong_answers import of_exercise
from tests.exercises.wrong_functions import wrong_functions

# Changes that make no difference wherever they stand, by what they look like.
KINDS = {
    r"-> return (min\(1, |max\(0, |abs\(|round\()": "no value has that sign or size",
    r"-> for .* in (sorted|set|list)\(.*\)(\[::-1\])?( if .*)?:?$": "a sum or a set has no order",
    r"-> for .*\[(1:|:-1)\]:?$": "the element that is left out adds nothing",
    r"\| zip\(.*, strict=True\) -> zip\(": "the two lists have one length",
    r"\| True -> False$": "the two lists have one length",
}
# What a question excludes in its text.
EXCLUDED = {("03 auc", "(s == t)"): "no two scores are equal in this question; the next has ties"}
TABLE = Path(__file__).with_name("equivalent.toml")


def table() -> dict[tuple[str, str], str]:
    """The other changes that give the same for all inputs, each with the reason."""
    return {(question, change): reason for question, change, reason in listed()}


def listed() -> list[tuple[str, str, str]]:
    """Question, change and reason of each line of the table, where some changes share a reason."""
    found = []
    for entry in tomllib.loads(TABLE.read_text(encoding="utf-8"))["equivalent"]:
        changes = entry.get("changes", [entry.get("change")])
        found.extend((entry["question"], change, entry["reason"]) for change in changes)
    return found


@pytest.mark.slow
@pytest.mark.suite("exercises")
@pytest.mark.parametrize("path", paths_in(), ids=lambda path: path.stem)
def test_no_wrong_function_passes(path: Path) -> None:
    """A change that check or grade takes for right gives the same for all small inputs."""
    known = table()
    gaps = []
    unexplained = []
    for found in of_exercise(path):
        for change, call in found.gaps.items():
            gaps.append(f"{found.name}: {change} is taken for right; add the edge {call}")
        for change in found.equivalent:
            alike = any(re.search(kind, change) for kind in KINDS)
            excluded = any(n == found.name and text in change for n, text in EXCLUDED)
            if not (alike or excluded or (found.name, change) in known):
                unexplained.append(f"{found.name}: say in {TABLE.name} why {change!r} is the same")
    assert gaps + unexplained == []


def test_the_changes_of_a_function_are_those_of_a_student() -> None:
    """A bound, a divisor, a filter, an argument, a slice, a limit, a sign, a loop."""
    code = (
        "def share(items, wanted, k):\n"
        "    hits = [item for item in items[:k] if item in wanted]\n"
        "    return len(hits) / len(wanted) if wanted else 0.0\n"
    )
    changed = {wrong.code for wrong in wrong_functions(code, "share")}
    assert len(changed) > 60
    told = [
        "items[:k + 1]", "items[:k - 1]".replace("- 1", "+ -1"), "in items if item",
        "item not in wanted", "len(hits) / k", "len(hits) / len(items)", "if not wanted",
        "len(hits) * len(wanted)", "in items[:k]]", "else 1", "abs(",
    ]  # fmt: skip
    for text in told:
        assert any(text in one for one in changed), text


def test_each_reason_is_given_once() -> None:
    """No empty reason, and no change twice."""
    assert all(change and len(reason) > 10 for _, change, reason in listed())
    assert len(table()) == len(listed())
