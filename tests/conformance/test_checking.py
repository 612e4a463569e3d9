"""What another program computed is judged: right, wrong, what it follows instead; or refused."""

import json
import math
import re
import xml.etree.ElementTree as ET

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.diagnosis.conformance import VERSION, cases
from irmetrics_edu.diagnosis.conformance.result_checks import WITHIN, check, same
from irmetrics_edu.diagnosis.conformance.results import FORMAT, MOST_BYTES, read_results
from irmetrics_edu.diagnosis.conformance.verdicts import badge, message, tables
from irmetrics_edu.errors import InputError

CASES = cases()
RIGHT = {c.id: "nan" if math.isnan(c.number) else c.number for c in CASES}
HEAD = {"format": FORMAT, "version": VERSION, "program": "my program 1.0"}


def written(tmp_path, **changes):
    """A file of results with other parts."""
    path = tmp_path / "results.json"
    path.write_text(json.dumps({**HEAD, "results": RIGHT, **changes}), encoding="utf-8")
    return path


def checked(tmp_path, **changes):
    """The verdict on it."""
    return check(read_results(written(tmp_path, **changes), CASES), CASES)


def instead_of(wrong, tmp_path):
    """What a program is said to follow that has other values for some cases."""
    return {f.instead for f in checked(tmp_path, results={**RIGHT, **wrong}).failures}


def test_right_values_pass(tmp_path):
    """All of them; some of them are as many as there are."""
    found = checked(tmp_path)
    assert (found.passed, found.failed, found.failures) == (len(CASES), 0, [])
    some = {c.id: RIGHT[c.id] for c in CASES if c.metric == "RR"}
    found = checked(tmp_path, results={**some, "graded/P/1,k,zero": None})
    assert (found.passed, found.failed) == (len(some), 0)
    assert found.measures["P"][1:] == (0, 0)


def test_a_claim_makes_what_is_missing_a_failure(tmp_path):
    """Of the claimed measure alone."""
    some = {c.id: RIGHT[c.id] for c in CASES if c.metric == "RR" and c.k is None}
    found = checked(tmp_path, results=some, claims=["RR"])
    assert found.failed == sum(c.metric == "RR" and c.k is not None for c in CASES)
    assert {f.instead for f in found.failures} == {"missing, though the measure is claimed"}
    assert {f.example.metric for f in found.failures} == {"RR"}


def test_another_convention_is_named(tmp_path):
    """A program that knows one gain alone, one discount, one order of ties."""
    by_said = {(c.input, c.metric, c.k, tuple(c.conventions.values())): c.id for c in CASES}

    def swapped(metric, word, of, for_):
        found = {}
        for c in CASES:
            if c.metric == metric and c.conventions.get(word) == of and not c.aggregate:
                said = tuple({**c.conventions, word: for_}.values())
                other = by_said.get((c.input, c.metric, c.k, said))
                if other is not None:
                    found[c.id] = RIGHT[other]
        return found

    of_gains = instead_of(swapped("DCG", "gain", "exp", "linear"), tmp_path)
    assert of_gains == {'follows gain="linear"'}
    assert 'follows discount="reciprocal"' in instead_of(
        swapped("DCG", "discount", "log2", "reciprocal"), tmp_path
    )
    assert 'follows ties="docid_ascending"' in instead_of(
        swapped("AP", "ties", "docid", "docid_ascending"), tmp_path
    )


def test_a_known_mistake_is_named(tmp_path):
    """One over the rank and one more."""
    wrong = {
        c.id: 1 / (1 / c.number + 1)
        for c in CASES
        if c.metric == "RR" and c.number > 0 and not (c.topic or c.aggregate or c.departs)
    }
    assert instead_of(wrong, tmp_path) == {
        "makes the mistake rr-one-too-low: 1 over the rank plus 1"
    }


def test_what_nothing_explains_is_said_so(tmp_path):
    """And shown on a case."""
    wrong = {c.id: 0.123 for c in CASES if c.metric == "RBP" and c.k == 3 and not c.departs}
    (failure,) = checked(tmp_path, results={**RIGHT, **wrong}).failures
    assert failure.instead == "no convention or known mistake gives these values"
    assert (failure.measure, failure.given) == ("RBP@3", 0.123)


@pytest.mark.suite("guide")
@pytest.mark.slow
def test_every_group_can_be_diagnosed(tmp_path):
    """Every measure and every topic wrong by a little: none ends in an error of another kind."""
    numbers = [c for c in CASES if not math.isnan(c.number)]
    first = [*{c.metric: c for c in numbers}.values(), *{c.topic: c for c in numbers}.values()]
    wrong = {c.id: 0.123456 for c in first}
    failures = checked(tmp_path, results={**RIGHT, **wrong}).failures
    assert len(failures) == len(wrong)


@pytest.mark.parametrize(
    ("given", "right", "passes"),
    [(1, 1 + WITHIN / 2, True), (1, 1 + 2 * WITHIN, False), (100, 100 + 50 * WITHIN, True),
     (math.nan, math.nan, True), (math.nan, 0, False), (0, math.nan, False)],
)  # fmt: skip
def test_the_tolerance(given, right, passes):
    """A bound near 1, a share above it; no score is only no score."""
    assert same(given, right) is passes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1, column 1: no JSON"),
        ("[]", '"format" is null'),
        ('{"format": "irmetrics-edu/vectors"}', 'write {"format": "irmetrics-edu/results"'),
        ("{" * 100_000, "line 1, column 2: no JSON"),
        ("[" * 100_000, "nested too deep"),
        (json.dumps({**HEAD}), '"results" is missing'),
        (json.dumps({**HEAD, "results": {}, "more": 1}), '"more" is not known'),
        (json.dumps({**HEAD, "version": "1.0", "results": {}}), "export the vectors anew"),
        (json.dumps({**HEAD, "version": 2, "results": {}}), '"version" is 2'),
        (json.dumps({**HEAD, "program": "", "results": {}}), '"program" is ""'),
        (json.dumps({**HEAD, "program": "x" * 101, "results": {}}), "at most 100 characters"),
        (json.dumps({**HEAD, "results": {}}), "has no value"),
        (json.dumps({**HEAD, "results": []}), '"results" is a list'),
        (json.dumps({**HEAD, "claims": "P", "results": {"graded/P/1,k,zero": 1}}), '"claims" is'),
        (json.dumps({**HEAD, "claims": ["Z"], "results": {"graded/P/1,k,zero": 1}}), 'has "Z"'),
    ],
)  # fmt: skip
def test_a_file_that_is_none(text, said, tmp_path):
    """What is wrong with it, and what to write instead."""
    path = tmp_path / "results.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(said)):
        read_results(path, CASES)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ('{"graded/P/1,k,zero": NaN}', "is NaN; write a finite number"),
        ('{"graded/P/1,k,zero": -Infinity}', "is -Infinity"),
        ('{"graded/P/1,k,zero": 1e999}', "write a finite number of 64 bits"),
        ('{"graded/P/1,k,zero": 1%s}' % ("0" * 5000), "write a finite number of 64 bits"),
        ('{"graded/P/1,k,zero": "0.5"}', 'is "0.5"; write a finite number'),
        ('{"graded/P/1,k,zero": true}', "is true; write a finite number"),
        ('{"graded/P/1,k,zero": [1]}', "is a list"),
        ('{"graded/P/1,k,zero": 1, "graded/P/1,k,zero": 1}', '"graded/P/1,k,zero" is there twice'),
        ('{"graded/P/1,k,zro": 1}', '"graded/P/1,k,zro" is no id of the vectors'),
        ('{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}', '"a" is no id of the vectors'),
    ],
)  # fmt: skip
def test_values_that_are_none(results, said, tmp_path):
    """The id, what was given, and what to write."""
    path = tmp_path / "results.json"
    head = json.dumps({**HEAD})[:-1]
    path.write_text(f'{head}, "results": {results}}}', encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read_results(path, CASES)
    assert str(caught.value).startswith(str(path))


def test_files_that_cannot_be_read(tmp_path):
    """No file, a folder, other bytes, and 100 MB, of which no more is read than the most."""
    for path, said in ((tmp_path / "none.json", "can't be read"), (tmp_path, "can't be read")):
        with pytest.raises(InputError, match=said):
            read_results(path, CASES)
    path = tmp_path / "bytes.json"
    path.write_bytes(b'{"format": "\xff"}')
    with pytest.raises(InputError, match="line 1: byte 12 is not UTF-8"):
        read_results(path, CASES)
    with path.open("wb") as stream:
        stream.truncate(5 * MOST_BYTES)
    with pytest.raises(InputError, match="larger than 20 MB"):
        read_results(path, CASES)


def test_a_badge(tmp_path):
    """SVG that a parser takes, whatever the program is called; green only if nothing is wrong."""
    fine = checked(tmp_path, program='<script>"&')
    root = ET.fromstring(badge(fine))  # noqa: S314 -- our own
    assert root.get("aria-label").startswith('<script>"&: ranking metrics')
    assert "#2f7d32" in badge(fine)
    some = checked(tmp_path, results={"graded/P/1,k,zero": 1})
    assert "#4f7a1f" in badge(some)
    assert message(some) == f"1 of {len(CASES):,} pass"
    bad = checked(tmp_path, results={"graded/P/1,k,zero": 0.5})
    assert "#b3261e" in badge(bad)


def test_a_page(tmp_path):
    """What was computed, what was not, what fails; nothing of the program's name is obeyed."""
    bad = checked(tmp_path, program="<b>|`x`", results={"graded/P/1,k,zero": 0.5})
    html = "\n".join(table.html() for table in tables(bad))
    assert "<b>|" not in html
    assert "&lt;b&gt;" in html
    assert "graded/P/1,k,zero: 0.500000, not 1.000000" in html
    assert "not computed: R, F, Success" in html


@pytest.mark.slow
def test_the_command(tmp_path, capsys):
    """0 for right values, 1 for a wrong one, 2 for what can't be judged; files where it is told."""
    path = str(written(tmp_path))
    picture = tmp_path / "b.svg"
    assert main(["conformance", "check", path, f"--badge={picture}", "--format", "html"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<!DOCTYPE html>")
    assert f"{len(CASES):,} of {len(CASES):,} pass" in out
    assert "pass" in picture.read_text(encoding="utf-8")
    path = str(written(tmp_path, results={"graded/P/1,k,zero": 0.5}))
    assert main(["conformance", "check", path]) == 1
    assert "What fails" in capsys.readouterr().out
    for arguments, said in (
        (["check"], "required: RESULTS"),
        (["check", path, "--badge", "b.png"], "ends in .svg"),
        (["check", path, "--tolerance", "nan"], "give a finite number"),
        (["check", path, "--flat"], "--flat (for all options: irmetrics-edu conformance check"),
        (["run", "--badge", "b.svg"], "--badge"),
        (["export", "x", "--tolerance", "0.1"], "--tolerance"),
    ):
        assert main(["conformance", *arguments]) == 2
        assert said in capsys.readouterr().err
