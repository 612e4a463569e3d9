"""CONTRIBUTING walked: each of the five things is done in a copy, by its own commands.

What a contributor would write stands here. Then every command of the section is run as it is
written, with the names of what was added; of tests those run that are about it.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
THINGS = ("measure", "convention", "mistake", "chapter", "exercise")
COMMAND = re.compile(r"`((?:make|pytest|python -m) [^`]+)`")
MAKE = shutil.which("make")
GIT = shutil.which("git")
walked = pytest.mark.skipif(
    None in {MAKE, GIT} or os.name == "nt" or not (ROOT / ".git").exists(),
    reason="needs make, git and a clone",
)


def section(title: str) -> str:
    """The text below a heading of the guide."""
    return GUIDE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def of(thing: str) -> str:
    """The section on one of the five things."""
    return section(f"Add a{'n' * (thing[0] in 'ae')} {thing}")


@pytest.mark.parametrize("thing", THINGS)
def test_each_of_the_five_things_takes_ten_lines(thing: str) -> None:
    """Its steps, with the commands that do the rest."""
    lines = [line for line in of(thing).splitlines() if line]
    assert 5 < len(lines) <= 10
    assert COMMAND.findall(of(thing))


def test_the_tour_goes_one_way() -> None:
    """From rows to a working to what shows it, one file a stop; the files are there."""
    stops = re.findall(r"^\| (\d+) \| \[`([\w./]+)`\]\((\S+)\)", section("The tour"), re.MULTILINE)
    assert [int(number) for number, _, _ in stops] == list(range(1, len(stops) + 1))
    files = [ROOT / path for _, _, path in stops]
    assert [path for path in files if not path.is_file()] == []
    assert len(set(files)) == len(files) >= 9
    assert all(path.startswith(f"irmetrics_edu/{name}") for _, name, path in stops)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("the order of tied documents", "def in_order"),
        (
            "the default of a gate; `make generated` carries it into help, docstrings and pages",
            "    margin = GateSetting[float](",
        ),
        (
            "the mark that counts: the computed one, one by hand, or one of regrading",
            "    def marks(self)",
        ),
        ("the mark of an answer", "def mark"),
        ("the words of a working", "\n[[term]]\n"),
    ],
)
def test_what_the_tour_says_is_somewhere_is_there(what: str, said: str) -> None:
    """The file that is named for it holds it."""
    (path,) = re.findall(
        rf"^\| {re.escape(what)} \| `(\S+)` \|$", section("The tour"), re.MULTILINE
    )
    assert said in (ROOT / path).read_text(encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the project to work in, as git has it and as it is changed."""
    listed = subprocess.run(
        [str(GIT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    for name in listed.stdout.split("\0"):
        if (ROOT / name).is_file():
            target = tmp_path / "copy" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target)
    return tmp_path / "copy"


def put(path: Path, before: str, new: str) -> None:
    """Write something into a file of the copy, before a text that it has."""
    text = path.read_text(encoding="utf-8")
    assert before in text, f"{path} has no {before!r}"
    path.write_text(text.replace(before, f"{new}{before}", 1), encoding="utf-8")


def run(copy: Path, command: str, *, only: str = "") -> tuple[int, str]:
    """What a command of the guide gives in the copy; of tests those named by `only`."""
    words = command.split()
    if words[0] == "pytest":
        words = [sys.executable, "-m", *words, "-p", "no:cacheprovider", "-q"]
        words += ["-k", only] if only and "-k" not in words else []
    elif words[0] == "python":
        words[0] = sys.executable
    else:  # in the environment of this test, which make need not look at
        words += ["DEV=", "RUN_TIME=", f"BIN={Path(sys.executable).parent}"]
    # The copy is no clone and has no ../shared beside it, so tests may skip, also in CI.
    environment = {name: value for name, value in os.environ.items() if name != "NO_SKIPS"}
    environment |= {"PYTHONPATH": str(copy), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        words, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def follow(
    copy: Path, thing: str, names: Mapping[str, str], *, only: str = "", but: tuple[str, ...] = ()
) -> None:
    """Run every command of a section, with the names of what was added."""
    for command in COMMAND.findall(of(thing)):
        if command in but:
            continue
        for old, new in names.items():
            command = command.replace(old, new)  # noqa: PLW2901 -- name by name
        code, text = run(copy, command, only=only)
        assert code == 0, f"{command}\n{text}"


KERNEL = '''@metric(
    "R2",
    formula=rf"\\left(\\frac{{{_HITS}}}{{R}}\\right)^2\\quad(R=0\\colon \\norelevant{{}})",
    source="van Rijsbergen (1979), Information Retrieval, 2nd edition, chapter 7",
)
def squared_recall(
    rows: Rows, k: int | None = None, *, rel: float = 1, no_relevant: NoRelevant = ZERO
) -> Working:
    """Squared recall is the square of the share of the relevant documents that are retrieved.

    >>> squared_recall(["d6", "d7"], {"d6", "d9"})
    0.25
    """
    plain = recall.measured(rows, k, rel=rel)
    return Working(
        without_relevant(plain.score * plain.score, rows.relevant(rel), no_relevant),
        how="{R}^2",
        quantities={"R": plain.score},
        table=rows.top(k).table(),
    )


'''
TEST_OF_KERNEL = '''"""Squared recall."""

from irmetrics_edu.metrics.set_based import squared_recall


def test_half_of_two_by_hand():
    """One of two is found: 1/2, and its square."""
    assert squared_recall(["a", "x"], {"a", "b"}) == 0.25
'''
ORACLE = '''def squared(ranked: Grades, pool: Grades, k: int | None = None, *, rel: int) -> Number:
    """The relevant documents among the first k over all of them, squared."""
    size = sum(relevance(pool, rel))
    return Fraction(sum(relevance(ranked[:k], rel)), size) ** 2 if size else Fraction(0)


'''


@walked
@pytest.mark.slow
@pytest.mark.suite("guide")
def test_a_measure_is_added(copy: Path) -> None:
    """In four files by hand. `make metric` names each that is left; then it is silent."""
    put(copy / "irmetrics_edu/metrics/set_based.py", '@metric(\n    "Success"', KERNEL)
    (copy / "tests/metrics/test_squared.py").write_text(TEST_OF_KERNEL, encoding="utf-8")
    _, text = run(copy, "make metric NAME=R2")
    assert set(re.findall(r"^(\S+): R2: ", text, re.MULTILINE)) == {
        "dev/tools/vectors/oracles/further.py",
        "docs/changelog.md",
        "tests/public/interface.txt",
    }
    oracles = copy / "dev/tools/vectors/oracles/further.py"
    put(oracles, "OF_RANKINGS: ", ORACLE)
    put(oracles, '    "CG": cumulated_gain,', '    "R2": squared,\n')
    put(copy / "docs/changelog.md", "\n## 1.0.0", "\n- `R2` is a new measure.\n")
    for command in ("python -m dev.tools.generate", "make public"):
        assert f"run {command}" in text
        assert run(copy, command)[0] == 0
    follow(copy, "measure", {"nDCG": "R2"})
    waiting = (copy / "dev/waiting.md").read_text(encoding="utf-8")
    assert waiting.count("- `R2`\n") == 2  # pseudo-code, and JavaScript


WORDS = r"""[Discount.square]
latex = '\tfrac{1}{#1^2}'
meaning = "1 over the square of the rank"

"""


@walked
@pytest.mark.slow
@pytest.mark.suite("guide")
def test_a_convention_is_added(copy: Path) -> None:
    """A discount that nobody has."""
    conventions = copy / "irmetrics_edu/conventions"
    value = 'SQUARE = Discount.known("square", lambda rank: 1 / (rank * rank))\n'
    put(conventions / "worth.py", "Discount.register(jk=JK)", value)
    put(conventions / "conventions.toml", "[Ideal.judged]", WORDS)
    code = 'square = "discount(i) = 1 / i^2"\n'
    put(copy / "dev/tools/vectors/meanings.toml", 'reciprocal = "discount(i)', code)
    follow(copy, "convention", {}, only="square or log2 or trec_eval")
    call = "from irmetrics_edu import dcg; print(dcg([0, 4], discount='square'))"
    done = subprocess.run(
        [sys.executable, "-c", call], cwd=copy, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) == 1.0  # 4 over the square of 2


MISTAKE = """of_sets(
    "p-over-k-plus-1",
    "precision divided by k + 1",
    why="Precision at k divides by k. Ranks begin at 1.",
).of_call(
    precision,
    lambda rows, k, rel: rows.ratio(
        rows.top(k).total(rows.top(k).relevance(rel)), rows.depth(k) + 1
    ),
    "rel",
)

"""


@walked
@pytest.mark.slow
@pytest.mark.suite("guide")
def test_a_mistake_is_added(copy: Path) -> None:
    """Precision that divides by one too many."""
    put(
        copy / "irmetrics_edu/diagnosis/mistakes/set_mistakes.py",
        'of_sets(\n    "r-over-k"',
        MISTAKE,
    )
    tests = copy / "tests/mistakes/test_mistakes.py"
    put(tests, '    ("p-over-r", "P")', '    ("p-over-k-plus-1", "P"): 1 / 3,\n')
    follow(copy, "mistake", {}, only="p-over-k-plus-1 or every_other")


@walked
@pytest.mark.slow
@pytest.mark.suite("guide")
def test_a_chapter_is_added(copy: Path) -> None:
    """The first chapter once more, under the next number."""
    number = 1 + max(int(path.stem[:2]) for path in (copy / "notebooks").glob("[0-9]*.py"))
    source = (copy / "notebooks/01_relevant_or_not.py").read_text(encoding="utf-8")
    source = re.sub(r"^# # .*$", "# # Once more", source, count=1, flags=re.MULTILINE)
    (copy / f"notebooks/{number}_once_more.py").write_text(source, encoding="utf-8")
    guide = copy / "dev/site/guide"
    plan = (guide / "relevant_or_not.toml").read_text(encoding="utf-8")
    plan = re.sub(r"^teaches = .*$", "teaches = []", plan, flags=re.MULTILINE)
    (guide / "once_more.toml").write_text(plan, encoding="utf-8")
    head, mark, last = (guide / "tracks.toml").read_text(encoding="utf-8").rpartition("minutes = ")
    minutes, _, rest = last.partition("\n")
    longer = f"{int(minutes) + 120}\nlessons = {{ once_more = [] }}\n{rest}"
    (guide / "tracks.toml").write_text(f"{head}{mark}{longer}", encoding="utf-8")
    names = {"NN": str(number)}
    follow(copy, "chapter", names, but=("make site",))


@walked
@pytest.mark.slow
@pytest.mark.suite("guide")
def test_an_exercise_is_added(copy: Path) -> None:
    """One of inference once more, under a number of its own."""
    number = 1 + max(int(path.stem[:2]) for path in (copy / "solutions").glob("[0-9]*.py"))
    source = (copy / "solutions/07_inference.py").read_text(encoding="utf-8")
    source = source.replace('"07",', f'"{number}",', 1)
    (copy / f"solutions/{number}_once_more.py").write_text(source, encoding="utf-8")
    reasons = copy / "tests/exercises/equivalent.toml"
    text = reasons.read_text(encoding="utf-8")
    of_inference = [one for one in text.split("[[equivalent]]") if 'question = "07 ' in one]
    for reason in of_inference:
        text += "\n[[equivalent]]" + reason.replace('"07 ', f'"{number} ', 1)
    reasons.write_text(text, encoding="utf-8")
    follow(copy, "exercise", {"NN": str(number)})
