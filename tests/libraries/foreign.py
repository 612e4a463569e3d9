"""Run the test suites of pytrec_eval and ir_measures, unchanged, with our `compat` as pytrec_eval.

    python -m tests.libraries.foreign pytrec_eval CHECKOUT [--trec-eval CHECKOUT]
    python -m tests.libraries.foreign ir_measures CHECKOUT

Nothing is downloaded. CHECKOUT is a folder that holds the source of the project:

- pytrec_eval: https://github.com/cvangysel/pytrec_eval, with the folder `trec_eval/test` inside, as
  `git clone --recursive` brings it; or name a checkout of https://github.com/usnistgov/trec_eval at
  the tag `trec_eval-9.0.8` by `--trec-eval`.
- ir_measures: https://github.com/terrierteam/ir_measures.

Each suite runs twice in an environment that has the real pytrec_eval, too: with it, and with
`compat` under its name. The exit code is 1 if a test that passes with pytrec_eval fails with
`compat`. Tests that need a program which is not installed fail both times, and don't count.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Run inside the environment, by itself: a module stays imported for as long as its process lives.
RUNNER = """
import json, runpy, sys, unittest
suite, folder, with_compat = sys.argv[1], sys.argv[2], sys.argv[3] == "compat"
if with_compat:
    from irmetrics_edu import compat
    sys.modules["pytrec_eval"] = compat
sys.path.insert(0, folder)
outcomes = {}
class Kept(unittest.TextTestResult):
    def addSuccess(self, test): outcomes[test.id().rpartition("__main__.")[2]] = True
    def addFailure(self, test, error): outcomes[test.id().rpartition("__main__.")[2]] = False
    addError = addFailure
class Runner(unittest.TextTestRunner):
    resultclass = Kept
if suite == "pytrec_eval":
    unittest.TextTestRunner = unittest.runner.TextTestRunner = Runner
    unittest.main.__init__.__globals__["runner"].TextTestRunner = Runner
    sys.argv = ["tests"]
    try:
        runpy.run_path(folder + "/tests/pytrec_eval_tests.py", run_name="__main__")
    except SystemExit:
        pass
else:
    tests = unittest.defaultTestLoader.discover(folder + "/tests", top_level_dir=folder)
    Runner(stream=sys.stderr).run(tests)
print("OUTCOMES" + json.dumps(outcomes))
"""


def outcomes(
    suite: str,
    folder: Path,
    instead: str,
) -> dict[str, bool]:
    """Whether each test of a suite passes, with pytrec_eval or with `compat` in its place."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, suite, str(folder), instead],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("OUTCOMES")]
    if not lines:
        raise SystemExit(f"the suite did not run:\n{done.stderr[-2000:]}")
    found: dict[str, bool] = json.loads(lines[-1].removeprefix("OUTCOMES"))
    return found


def with_data(checkout: Path, trec_eval: Path | None, place: Path) -> Path:
    """A copy of pytrec_eval's checkout that has trec_eval's test files where its tests look."""
    if trec_eval is None:
        return checkout
    copied = place / "pytrec_eval"
    shutil.copytree(checkout, copied)
    shutil.copytree(trec_eval / "test", copied / "trec_eval" / "test", dirs_exist_ok=True)
    return copied


def main() -> int:
    """Run a suite twice, and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("suite", choices=["pytrec_eval", "ir_measures"])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--trec-eval", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = with_data(given.checkout.resolve(), given.trec_eval, Path(place))
        theirs = outcomes(given.suite, folder, "pytrec_eval")
        ours = outcomes(given.suite, folder, "compat")
    lost = [test for test, passed in theirs.items() if passed and not ours.get(test)]
    lines = [
        f"{given.suite}: {len(theirs)} tests",
        f"  {sum(theirs.values())} pass with pytrec_eval, {sum(ours.values())} with compat",
        *(f"  fails with compat alone: {test}" for test in lost),
    ]
    sys.stdout.write("\n".join([*lines, ""]))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
