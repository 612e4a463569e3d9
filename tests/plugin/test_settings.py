"""`Policy` is the one source of a gate's settings: what tells of them is made of it."""

import ast
import inspect
import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irmetrics_edu import gate, pytest_plugin
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.plugin.baseline_fixture import BaselineGate
from irmetrics_edu.gate.policy import NAMES, OPTIONS, POLICIES, SETTINGS, TAKEN, Policy, made

ROOT = Path(__file__).resolve().parents[2]
POLICY = "irmetrics_edu/gate/policy.py"
GATES = {
    "assert_no_regression": (gate.assert_no_regression, NAMES),
    "irm_baseline": (BaselineGate.__call__, NAMES),
    "assert_improves": (gate.assert_improves, ("confidence", "max_gone", "max_unanswered")),
    "assert_pass_rate": (gate.assert_pass_rate, ("confidence", "inconclusive")),
}
# Another default for each setting that has one in an option.
OTHERS = {
    "policy": '"strict"',
    "margin": "0.0137",
    "confidence": "0.9137",
    "max_observed_drop": "0.4137",
    "max_group_drop": "0.5137",
    "max_query_drop": "0.6137",
    "max_gone": "0.0637",
    "max_unanswered": "137",
    "inconclusive": '"fail"',
}


@pytest.mark.parametrize("name", GATES)
def test_the_keywords_and_the_docstring_of_a_gate_are_the_settings(name):
    """Each keyword has no default of its own, and the docstring tells what the setting tells."""
    function, settings = GATES[name]
    parameters = inspect.signature(function).parameters
    doc = " ".join(inspect.getdoc(function).split())
    for setting in settings:
        assert parameters[setting].default is None
        assert " ".join(f"`{setting}`: {TAKEN[setting].help}".split()) in doc


def test_the_options_of_pytest_are_the_settings():
    """With their words and defaults; `protected` is a list, and no option."""
    assert [name for name, _, _ in pytest_plugin.POLICY] == [one.name for one in OPTIONS]
    assert {one.name for one in OPTIONS} == set(NAMES) - {"protected"}
    assert set(OTHERS) == {one.name for one in OPTIONS}
    for _, _, text in pytest_plugin.POLICY:
        assert re.search(r"\(default .+\)$", text)


@pytest.mark.parametrize("name", [n for n, s in SETTINGS.items() if s.is_number])
def test_a_setting_takes_its_range_and_refuses_what_is_beside(name):
    """The least number, the words, and nothing else."""
    setting = SETTINGS[name]
    for word in setting.words:
        assert getattr(made({name: word}), name) == word
    beside = [setting.low - 0.5, math.nan, "a lot"]
    if not math.isinf(setting.high):
        beside.append(setting.high + 0.5)
    for value in beside:
        with pytest.raises(InputError, match=name):
            made({name: value})
    inside = setting.low + 0.2 if "above" in setting.range else setting.low
    beside_it = {"margin": 0} if name == "max_observed_drop" else {}
    assert getattr(made({name: inside, **beside_it}), name) == inside


def test_a_word_sets_what_the_defaults_do_not():
    """The policy by default is that without a word."""
    without = made({})
    by_default = made({"policy": TAKEN["policy"].default})
    for name in SETTINGS:
        assert getattr(by_default, name) == getattr(without, name)
    for word in POLICIES:
        assert set(POLICIES[word]) == set(POLICIES["sample"])


def test_a_policy_refuses_what_it_has_not():
    """A name that is misspelt sets nothing in silence."""
    with pytest.raises(TypeError, match="marign"):
        Policy(marign=0.1)


def sentences(text):
    """The sentences of a text, with the lines of a table each by itself."""
    for line in re.split(r"\n\s*\n|\n\||\n\s*- ", text):
        yield from re.split(r"(?<=[a-z`)\]])\. ", " ".join(line.split()))


def tells(text, name, value):
    """The sentences that tell a default of a setting."""
    about = {"max_gone": r"max_gone|max-gone|\bgone\b", "policy": r"\bpolicy\b"}.get(
        name, rf"\b{name}\b|{name.replace('_', '-')}"
    )
    said = re.escape(value)
    claim = (
        rf"[Dd]efault\w*[^.|]{{0,30}}(?<![\w.]){said}(?![\w.]*\d)"
        rf"|\({said}\)|(?<![\w.]){said}[\"`]*,? (?:is )?(?:the|by) default|\| `?\"?{said}\"?`? \|$"
    )
    return [s for s in sentences(text) if re.search(about, s) and re.search(claim, s)]


@pytest.mark.parametrize(
    ("said", "name", "value"),
    [
        ("| `max_gone` | the share of the queries that may be gone | 0.05 |", "max_gone", "0.05"),
        ("`max_gone`, the share that may be gone (0.05); and others", "max_gone", "0.05"),
        ("the confidence of the gates' test (default 0.95)", "confidence", "0.95"),
        ("the confidence of their test (0.95)", "confidence", "0.95"),
        ("the margin (default 0.01)", "margin", "0.01"),
        ("at most a share `max_gone` of them, by default 0.05.", "max_gone", "0.05"),
        ('the policy "sample" (the default)', "policy", "sample"),
    ],
)
def test_a_sentence_with_a_default_is_found(said, name, value):
    """As pages and help texts have told defaults."""
    if name == "policy":
        said = 'the policy "sample", the default'
    assert tells(said, name, value)


def told_in(folder):
    """Every text of the project that may tell a default: pages, strings and docstrings of code."""
    for path in sorted(folder.rglob("*.md")):
        yield path, path.read_text(encoding="utf-8")
    for part in ("irmetrics_edu", "notebooks", "dev"):
        for path in sorted((folder / part).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield path, node.value


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project in which each setting has another default, and what is made anew."""
    folder = tmp_path_factory.mktemp("copy") / "project"
    ignored = shutil.ignore_patterns("__pycache__", "_site")
    written = ("irmetrics_edu", "dev", "docs", "solutions")
    for part in written:
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    for path in ROOT.iterdir():
        if path.name not in written and not path.name.startswith("."):
            (folder / path.name).symlink_to(path)
    text = (folder / POLICY).read_text(encoding="utf-8")
    for name, other in OTHERS.items():
        start = "WORD" if name == "policy" else f"    {name}"
        was = rf"(?m)^({start} = GateSetting\[[^\n]*\]\(\n +)[^\n]+,$"
        text, changed = re.subn(was, rf"\g<1>{other},", text, count=1)
        assert changed == 1, name
    (folder / POLICY).write_text(text, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    environment.pop("PYTEST_ADDOPTS", None)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each run compiles the whole copy

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("-m", "dev.tools.generate")
    return folder, run


@pytest.mark.suite("guide")
def test_to_change_a_default_is_one_line_and_one_command(copy):
    """Nothing else still tells the old default, and what tells the new one is the guide."""
    folder, _ = copy
    stale = [
        (path.relative_to(folder), name, said)
        for path, text in told_in(folder)
        for name in OTHERS
        for said in tells(text, name, str(TAKEN[name].default))
    ]
    assert stale == []
    for name, other in OTHERS.items():
        value = other.strip('"')
        for page in ("docs/gates.md", "docs/pytest-plugin.md"):
            if name != "policy":
                assert tells((folder / page).read_text(encoding="utf-8"), name, value), (page, name)


@pytest.mark.suite("guide")
def test_help_and_docstrings_tell_the_new_default(copy):
    """Of pytest, of the command that plans a gate, and of each gate."""
    _, run = copy
    shown = " ".join(run("-m", "pytest", "--help", "-p", "no:cacheprovider").split())
    plan = " ".join(run("-m", "irmetrics_edu", "gate", "plan", "--help").split())
    for name, other in OTHERS.items():
        assert f"(default {other.strip(chr(34))})" in shown, name
    assert "(default 0.0137)" in plan
    assert "(default 0.9137)" in plan
    code = (
        "from irmetrics_edu import gate as g\n"
        "print(g.assert_no_regression.__doc__, g.assert_improves.__doc__)"
    )
    docs = " ".join(run("-c", code).split())
    assert docs.count("(default 0.0637)") == docs.count("(default 0.9137)") == 2
