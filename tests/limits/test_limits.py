"""The page of limits, and the worst inputs of 1 MB."""

import re

import pytest

from tests.limits import page
from tests.limits.__main__ import hostile
from tests.limits.growth import GROWING
from tests.limits.hostile import HOSTILE
from tests.test_data_runs_nothing import _OWN, _reading_modules

# What teachers write is code, and runs as such: nobody else can make it large.
OF_TEACHERS = {
    "classroom/exercises/build.py",
    "classroom/exercises/source_faults.py",
    "classroom/marking/matching/answer_key.py",
}


# Names and grades, which stand in the arguments.
WITHOUT_FILES = {"names_of_measures", "relevance_on_the_command_line"}


def test_the_page_has_the_limits_of_the_code_and_all_that_was_tried():
    """Times are measured by hand; what is refused is as the code says."""
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.limits_table() in text
    for one in GROWING:
        assert f"\n| {one.what} | {one.usual:,} | " in text
        assert f" | {one.above} |\n" in text
    for name in HOSTILE:
        assert f"\n| {page._words(name)} | " in text
    assert HOSTILE.keys() >= page.SLOW


@pytest.mark.suite("faults")
def test_no_input_of_1_mb_ends_in_a_traceback_or_takes_1_gb_or_10_s_unless_the_page_says_so(capsys):
    """By the list of readers that is made from the code, so that none is forgotten."""
    told = []
    wrong = []
    for name in HOSTILE:
        for one in hostile(name):
            told.append(one)
            # A call that is refused before it reads tries nothing.
            assert one.wrong or one.readers or name in WITHOUT_FILES, name
            is_slow = re.fullmatch(r" took [\d.]+ s", one.wrong) is not None
            if one.wrong and not (is_slow and name in page.SLOW):
                wrong.append(one.wrong)
    assert wrong == [], capsys.readouterr().out
    readers = frozenset().union(*(one.readers for one in told))
    assert _reading_modules() - readers - _OWN.keys() - OF_TEACHERS == set()
