"""Each case of `dev/defects/` names a quirk and a version that exist, and its script shows it."""

import contextlib
import importlib.metadata
import re
import sys
from dataclasses import replace

import pytest

from dev.tools import defects
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES

CASES = defects.cases()
DEFECTS = [case for case in CASES if case.kind == "defect"]
KINDS = {"defect", "surprise"}
LONGEST = 15  # lines of a script


def faults(case):
    """What of a case does not hold."""
    found = []
    if case.kind not in KINDS:
        found.append(f"{case.kind} is no kind")
    if len(case.show.splitlines()) > LONGEST:
        found.append(f"more than {LONGEST} lines")
    if case.kind == "surprise":
        return found + (["a surprise has no diff"] if case.diff else [])
    bundle = BUNDLES.get(case.bundle)
    if bundle is None:
        return [*found, f"{case.bundle} is no bundle"]
    if not any(case.quirk in quirk.metrics for quirk in bundle.quirks):
        found.append(f"{case.bundle} has no quirk of {case.quirk}")
    if case.seen.version != bundle.version:
        found.append(f"{case.bundle} is of {bundle.version}, and {case.seen.version} was asked")
    if not re.search(r"docstring|comment|page", case.where):
        found.append("it does not say where the documentation stands")
    if not re.search(r"^@@ -\d+,\d+ \+\d+,\d+ @@", case.diff, re.MULTILINE):
        found.append("its change is no diff")
    if case.seen.fix != defects.TRIED and not case.untried:
        found.append("its change was not tried, and it does not say why")
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.slug)
def test_case_and_quirk_are_in_step(case):
    """The quirk, the version, the length, the source of the quotation, the change."""
    assert faults(case) == []
    assert case.seen.state == defects.STILL


def test_no_two_defects_are_of_one_quirk():
    """And the ones that a reader expects are there."""
    named = [(d.bundle, d.quirk) for d in DEFECTS]
    assert len(set(named)) == len(named)
    assert {d.bundle for d in DEFECTS} >= {"ranx", "rankereval", "trec_eval", "pyspark"}


def test_the_check_can_fail(tmp_path):
    """A quirk that is gone, another version, a long script, no source, no change; a lost file."""
    one = DEFECTS[0]
    for changes, said in (
        ({"kind": "opinion"}, "no kind"),
        ({"quirk": "nothing"}, "no quirk of nothing"),
        ({"seen": replace(one.seen, version="0")}, "0 was asked"),
        ({"bundle": "nobody"}, "no bundle"),
        ({"show": "\n" * 16}, "15 lines"),
        ({"where": "somebody said so"}, "where the documentation stands"),
        ({"diff": "divide by R"}, "no diff"),
        ({"seen": replace(one.seen, fix=""), "untried": ""}, "was not tried"),
        ({"kind": "surprise", "diff": one.diff}, "has no diff"),
    ):
        assert any(said in fault for fault in faults(replace(one, **changes))), said
    (tmp_path / "lost").mkdir()
    (tmp_path / "seen.toml").touch()
    (tmp_path / "lost" / "about.toml").write_text('kind = "defect"', encoding="utf-8")
    with pytest.raises(InputError, match=r"lost.*show\.py"):
        defects.cases(tmp_path)


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.slug)
def test_report_has_what_a_maintainer_needs(case):
    """The script, what it should print and what it prints, the documentation, the threads."""
    report = defects.reports()[f"dev/defects/{case.slug}/report.md"]
    parts = [case.show, case.expected, case.found, case.documentation, case.fix, case.diff]
    assert all(part in report for part in [*parts, *(t.url for t in case.threads)])


@pytest.mark.slow
def test_the_script_prints_what_the_case_says():
    """Of every library that is installed in the version asked, in a process that is thrown away.

    What a library starts, as PySpark does a context for all of its process, is gone with it.
    """
    for case in CASES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            if importlib.metadata.version(case.package) == case.seen.version:
                printed = defects.last_line(sys.executable, case.show)
                assert printed == case.found, (case.title, printed)
