"""What all tests share: a plotting backend without a window, steady hypothesis, ../shared."""

import gc
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import seed, settings
from hypothesis.database import (
    DirectoryBasedExampleDatabase,
    MultiplexedDatabase,
    ReadOnlyDatabase,
)
from hypothesis.internal.conjecture import providers

# An environment that is active in the shell is not ours; IPython warns of it.
os.environ.pop("VIRTUAL_ENV", None)
os.environ.setdefault("MPLBACKEND", "Agg")
# With a process of pytest on each core, threads of the BLAS would only wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No deadline: on a busy machine the time of one example says nothing about the code. Forty examples
# keep the whole suite to minutes; `make suite SUITE=thorough` tries many more, other
# ones each time, and none but those of its seed, and keeps what fails in
# the corpus. Every run tries the corpus first.
# In CI the other examples are the same every time, so that a red run is about the change at hand.
ORDINARY = 40
_CORPUS = DirectoryBasedExampleDatabase(Path(__file__).parent / "fuzz" / "corpus" / "hypothesis")
_HERE = DirectoryBasedExampleDatabase(".hypothesis/examples")
settings.register_profile(
    "local",
    deadline=None,
    max_examples=ORDINARY,
    database=MultiplexedDatabase(_HERE, ReadOnlyDatabase(_CORPUS)),
)
settings.register_profile("thorough", deadline=None, max_examples=500, database=_CORPUS)
settings.register_profile(
    "ci", deadline=None, max_examples=ORDINARY, database=ReadOnlyDatabase(_CORPUS)
)
# Where `make test` has tried forty examples beside it, and only the machine is another.
settings.register_profile("few", settings.get_profile("ci"), max_examples=ORDINARY // 4)
_PROFILE = os.environ.get("EXAMPLES") or ("ci" if os.environ.get("CI") else "local")
settings.load_profile(_PROFILE)


# What `make test` leaves to `make suite SUITE=NAME`: it is slow, and seldom tells.
SUITES = ("site", "sandbox", "learners", "guide", "lessons", "exercises", "faults")

_SEED: list[int] = []


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Take the seed of hypothesis, 0 in CI: given to its plugin, it would switch the corpus off."""
    given = config.getoption("--hypothesis-seed", None)
    config.option.hypothesis_seed = None
    if given is not None or os.environ.get("CI"):
        _SEED[:] = [int(given or 0)]
        draw_from_the_seed_alone()


def draw_from_the_seed_alone() -> None:
    """Let properties draw no constants of the code that is imported by now.

    Which modules are, hangs on the tests that ran before in the same process.
    """
    none = providers.Constants()
    providers._get_local_constants = lambda: none


def pytest_addoption(parser: pytest.Parser) -> None:
    """A suite of its own is run by name: `--suite site`."""
    parser.addoption("--suite", choices=SUITES, help="the tests of a suite, and no others")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """For a suite alone, a file that has none of its tests isn't read: that takes longer."""
    asked = config.getoption("suite")
    if asked is None or collection_path.suffix != ".py":
        return None
    return f'suite("{asked}")' not in collection_path.read_text(encoding="utf-8") or None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Fifteen thousand tests are no garbage: let no search for it go through them, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let every property draw from that seed, and keep what is of the suite that is asked for."""
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker("shared")
        if _SEED and getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            seed(_SEED[0])(item.obj)  # type: ignore[attr-defined]
    asked = config.getoption("suite")
    kept = {item for item in items if _suite(item) == asked}
    left = [item for item in items if item not in kept]
    if left and not (asked is None and config.getoption("keyword")):
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item in kept]


def _suite(item: pytest.Item) -> str | None:
    mark = item.get_closest_marker("suite")
    return mark.args[0] if mark else None


def examples(n: int) -> int:
    """How many examples a slow property gets that has n in an ordinary run: more if thorough."""
    return max(1, n * settings.default.max_examples // ORDINARY)


ROOT = Path(__file__).resolve().parent.parent
# The five documents and real data, which belong to others, lie beside the project if at all.
SHARED = ROOT.parent / "shared"
NOT_HERE = "this test reads the documents and data of others in ../shared, which is not here"
# Figures that these tests need are in the repository, so that they run in every clone.
WORKED = ROOT / "tests" / "documents" / "worked_values.json"
MEASURED = ROOT / "tests" / "libraries" / "of_nine_inputs.json"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of documents and data beside the project; without it, skip."""
    if not SHARED.is_dir():
        pytest.skip(NOT_HERE)
    return SHARED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line on what was not run here; each reason says what would run it."""
    skipped = _skipped(terminalreporter)
    if skipped:
        said = "; ".join(f"{reason} ({number})" for reason, number in sorted(skipped.items()))
        terminalreporter.write_line(f"Not run: {said}")
    exempt = Counter(report.nodeid.partition("::")[0] for report in _exempt(terminalreporter))
    if exempt:
        said = ", ".join(f"{file} ({number})" for file, number in sorted(exempt.items()))
        terminalreporter.write_line(f"Not run, and no failure under NO_SKIPS: {said}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where all has to run, a skipped test is a failure, but for what a clone can't have."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("NO_SKIPS") or not reporter or session.exitstatus:
        return
    if sum(_skipped(reporter).values()) > len(_exempt(reporter)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _exempt(reporter: Any) -> list[Any]:
    """Tests marked `shared` that were skipped because ../shared is not here, and for no other."""
    return [
        report
        for report in reporter.stats.get("skipped", [])
        if "shared" in report.keywords
        and isinstance(report.longrepr, tuple)
        and report.longrepr[2].removeprefix("Skipped: ") == NOT_HERE
    ]


def _skipped(reporter: Any) -> Counter[str]:
    """How many tests were skipped, by reason."""
    return Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in reporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple)
    )


class Listener:
    """Keeps what assertions tell of what they measured."""

    def __init__(self) -> None:
        self.facts: list[Any] = []

    def hear(self, measurement: Any) -> None:
        """Keep it."""
        self.facts.append(measurement.facts())

    def reveal(self) -> str:
        """Everything."""
        return "all"

    def policy(self) -> dict[str, Any]:
        """None."""
        return {}


@pytest.fixture
def heard() -> Iterator[list[Any]]:
    """What assertions measured."""
    from irmetrics_edu import measured

    listener = Listener()
    measured.listen(listener)
    yield listener.facts
    measured.stop(listener)
