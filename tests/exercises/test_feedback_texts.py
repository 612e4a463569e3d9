"""The list of feedback that people read: no text of the code is missing in it."""

import ast
import re
from pathlib import Path

import pytest

from dev.tools import feedback_texts, messages
from irmetrics_edu.classroom.marking.running import answer_texts, carry_forward
from tests.marking.test_guide import texts

# What a hint says around the exercise's own words, and the first cell.
ASIDE = {"{name}, hint {number}:", "({count} more)", "(the last)", "there is no hint.",
         "Exercise {number}, {title}: {names}.", "1 decimal",
         "the answer can't be compared (...)",
         # Of a copy, before any answer: tests/exercises/test_copy_text.py.
         ("The questions have changed since this copy was made. If its text and check differ, "
         "write the exercise anew with: irmetrics-edu course DIR"),
         # Of a list marked value by value, judged again: tests/marking/test_carried.py asks for it.
         "Judged with the right ... in place of your own: ... of ... marks."}  # fmt: skip
SPEAKING = {"missing", "no_value", "raises", "error_in_words", "stopped_beside", "told",
            "_place", "_only"}  # fmt: skip


def templates():
    """What the checks and the grader say to a student, with ... for what differs."""
    for message in messages.messages(messages.FEEDBACK):
        if "/classroom/exercises/" in message.file and message.text not in ASIDE:
            yield re.sub(r"\{\w+\}", "...", message.text)
    for module in (answer_texts, carry_forward):
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        for node in tree.body:
            if getattr(node, "name", "") in SPEAKING:
                doc = ast.get_docstring(node, clean=False)
                yield from (t for t in texts(node) if t not in {doc, *ASIDE} and len(t.split()) > 3)


@pytest.mark.suite("sandbox")
@pytest.mark.slow
def test_each_text_is_brought_by_an_answer():
    """Whoever writes a new text adds the answer that brings it, and reads the list."""
    said = [text for case in feedback_texts.CASES for text in feedback_texts.said(case)]
    wanted = sorted(set(templates()))
    assert len(wanted) > 35
    assert [t for t in wanted if not any(holds(text, t) for text in said)] == []


def holds(text, template):
    """Whether the fixed parts of a template stand in a text, in their order."""
    at = 0
    for part in template.split("..."):
        at = text.find(part, at)
        if at < 0:
            return False
    return True


def test_a_new_text_would_be_missed():
    """The check can fail."""
    assert holds("It should give 6 values, not 1.", "It should give ... values, not ....")
    assert not holds("not 1. It should give 6", "It should give ... values, not ....")


def test_each_known_mistake_is_listed_with_its_reason():
    """Two sentences at least: what the values equal, and why that is wrong."""
    listed = dict(feedback_texts.mistakes())
    assert len(listed) > 300
    for where, text in listed.items():
        assert text.startswith("Your values equal those of "), where
        assert len(re.findall(r"[.?](?= |$)", text)) >= 2, where
        assert "  " not in text, where
