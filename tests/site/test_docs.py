"""Every page, followed to the letter: all its blocks of code and all its commands."""

import contextlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from irmetrics_edu import cli, pytest_plugin
from irmetrics_edu.diagnosis.conformance import cases
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import ALIASES, METRICS, import_all
from tests.site import steps

NAMES = [str(page.relative_to(steps.ROOT)) for page in steps.PAGES]
RUN = [n for n in NAMES if any(b.way != "not run" for b in steps.blocks(steps.ROOT / n))]
NOT_RUN = [b for page in steps.PAGES for b in steps.blocks(page) if b.way == "not run"]
# A command within a sentence or a table, and in a block that isn't run.
_INLINE = re.compile(r"(?<!`)`((?:irmetrics-edu|make|pytest|python -m \w+) [^`]+)`")
_OPTIONS = (*pytest_plugin.OPTIONS, *pytest_plugin.POLICY)
_PLUGIN = {"--irm-prune", *(f"--irm-{name.replace('_', '-')}" for name, _, _ in _OPTIONS)}


@pytest.fixture
def _registry() -> Iterator[None]:
    """A metric that a page defines is gone after it."""
    import_all()
    before = dict(METRICS), dict(ALIASES)
    yield
    for table, held in zip((METRICS, ALIASES), before, strict=True):
        table.clear()
        table.update(held)


@pytest.mark.parametrize("name", NAMES)
def test_every_block_is_of_a_known_kind(name: str) -> None:
    """Run, compared, parsed, or marked with why not; no block is left out in silence."""
    assert steps.faults(steps.ROOT / name) == []


@pytest.mark.suite("site")
@pytest.mark.slow
@pytest.mark.usefixtures("_registry")
@pytest.mark.parametrize("name", RUN)
def test_a_page_does_what_it_says(tmp_path: Path, name: str) -> None:
    """Its commands print what stands below them, its sessions and programs hold."""
    for step, said, printed in steps.followed(steps.ROOT / name, tmp_path):
        assert steps.same(said, printed), f"{name}: {step}\n{printed}\nThe page says:\n{said}"


@pytest.mark.parametrize("block", NOT_RUN, ids=lambda b: f"{b}, not run: {b.reason}")
def test_what_is_not_run_could_be(block: steps.Block) -> None:
    """Its commands are ones that there are; how many blocks are not run is bounded."""
    assert [c for c, _ in block.commands() if (_refused(c))] == []
    others = ("library-defects", "algorithms")  # a tool or a test of its own runs those
    by_hand = [b for b in NOT_RUN if not str(b).startswith(others)]
    assert len(by_hand) <= 16


GUIDES = sorted(str(path.relative_to(steps.ROOT)) for path in steps.ROOT.glob("dev/**/README.md"))


@pytest.mark.parametrize("name", [*NAMES, "CONTRIBUTING.md", *GUIDES])
def test_a_command_within_a_sentence_is_one(name: str) -> None:
    """Its options are those of the command, make's targets are there."""
    text = (steps.ROOT / name).read_text(encoding="utf-8")
    assert {c: _refused(c) for c in _INLINE.findall(text) if _refused(c)} == {}


def _targets() -> set[str]:
    """What make is told, suites as suite-NAME."""
    texts = [(steps.ROOT / file).read_text("utf-8") for file in ("Makefile", "dev/suites.mk")]
    text = "\n".join(texts)
    targets = set(re.findall(r"^([a-z-]+):", text, re.MULTILINE))
    suites = re.findall(r"^suite-([a-z-]+):", text, re.MULTILINE)
    shortly = r"^([a-z]+-?)%:.*\n\t@\$\(OTHER\) suite SUITE=([a-z-]*)\$\*"
    for beginning, of_suite in re.findall(shortly, text, re.MULTILINE):
        for suite in suites:
            if suite.startswith(of_suite):
                targets.add(beginning + suite.removeprefix(of_suite))
    return targets


def _refused(command: str) -> str:
    """Why a command can't be run, as far as that is seen without running it."""
    words = shlex.split(command.replace("\\|", "|").replace("\\\n", " "), comments=True)
    if words[:1] == ["make"]:
        named = {word for word in words[1:] if "=" not in word}
        suites = {f"suite-{word[6:]}" for word in words if word.startswith("SUITE=")}
        return "" if named | suites - {"suite-NAME"} <= _targets() else "no target"
    if words[:1] == ["pytest"]:
        options = {w.partition("=")[0] for w in words if w.startswith("--irm-")}
        return ", ".join(sorted(options - _PLUGIN))
    if words[:2] == ["python", "-m"] and words[2].startswith(("irmetrics_edu.", "dev.")):
        path = steps.ROOT / words[2].replace(".", "/")
        return "" if path.with_suffix(".py").exists() or path.is_dir() else "no module"
    if words[:1] != ["irmetrics-edu"] or ", version " in command:  # a format of a file
        return ""
    known = set(cli.COMMANDS)
    try:
        with contextlib.suppress(SystemExit):  # --help, --version
            cli.parser(next((w for w in words if w in known), None)).parse_args(words[1:])
    except InputError as error:
        if "required: " not in str(error):  # a sentence may name a command without its files
            return str(error)
    return ""


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("```\nls\n```", "no known kind"),
        ("```console\nls\n```", "no known kind"),
        ("Text:\n\n    ls\n", "no known kind"),
        ("```yaml\na: [\n```", "expected the node content"),
        ("```python test_x.py\ndef test(): ...\n```", "nothing after it runs test_x.py"),
        ("```console not-run: no time\n$ ls\n```", "'no time' is no reason"),
    ],
)
def test_a_block_that_nobody_would_run_is_a_fault(tmp_path: Path, page: str, fault: str) -> None:
    """And it is named with its line."""
    (tmp_path / "page.md").write_text(f"# Page\n\n{page}\n", encoding="utf-8")
    (found,) = steps.faults(tmp_path / "page.md")
    assert fault in found
    assert found.startswith("page.md:")


@pytest.mark.parametrize(
    "page",
    [
        "```console\n$ echo 0.7414\n0.7415\n```",
        "```pycon\n>>> 1 + 1\n3\n```",
        "```python\nassert 1 + 1 == 3\n```",
        "```text a.txt\n1\n```\n\n```console\n$ cat a.txt\n2\n```",
    ],
)
def test_a_page_that_says_otherwise_is_seen(tmp_path: Path, page: str) -> None:
    """One changed digit is a difference."""
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    ((_, said, printed),) = steps.followed(tmp_path / "page.md", tmp_path)
    assert not steps.same(said, printed)


def test_a_new_measure_changes_no_page_that_is_written_by_hand() -> None:
    """No page says how many vectors there are, or how large their files are."""
    counted = re.compile(rf"{len(cases()):,}|{len(cases())}|\d+ files, \d+ kB")
    assert [page.name for page in steps.PAGES if counted.search(page.read_text("utf-8"))] == []


def test_dots_stand_for_what_is_left_out() -> None:
    """In a line for any text of it, as a line for any lines; the rest is compared."""
    assert steps.same("a\n...\nd ... f", "a\nb\nc\nd e f")
    assert not steps.same("a\n...\nd ... f", "a\nb\nc\nd e g")
    assert not steps.same("a ... c", "a b\nc")


def test_no_page_installs_from_an_index() -> None:
    """The package is on none yet: its folder or its wheel is named, in text and in commands."""
    places = [steps.ROOT / "README.md", steps.ROOT / "dev" / "ci" / "gitlab.yml"]
    for folder, ending in (("docs", "md"), ("dev/site", "md"), ("dev/site/guide", "toml")):
        places += sorted((steps.ROOT / folder).glob(f"*.{ending}"))
    told = [
        p.name for p in places if re.search(r"pip install \W?irmetrics-edu", p.read_text("utf-8"))
    ]
    assert told == []


def test_the_files_of_ci_run_the_tests_that_the_page_runs() -> None:
    """Their commands are those that the page runs itself, but for what is installed."""
    page = steps.ROOT / "docs" / "gates-in-ci.md"
    files = {b.name: steps.PARSED["yaml"](b.text) for b in steps.blocks(page) if b.kind == "yaml"}
    github, gitlab = files[".github/workflows/ranking.yml"], files[".gitlab-ci.yml"]
    jobs = github["jobs"]["test"]["steps"]
    assert jobs[-1]["if"] == "always()"
    assert gitlab["ranking"]["artifacts"]["when"] == "always"
    commands = [s["run"] for s in jobs if "run" in s] + gitlab["ranking"]["script"]
    run = {c for b in steps.blocks(page) if b.way == "commands" for c, _ in b.commands()}
    wanted = {c for c in commands if c.startswith("pytest")}
    assert wanted <= run
    assert all(c.startswith(("pip install ", "cat ")) for c in set(commands) - wanted)
