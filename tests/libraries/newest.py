"""Ask the newest release of each library, and print which bundle no longer holds.

    python -m tests.libraries.newest
    python -m tests.libraries.newest ranx mteb

Each library is installed in an environment of its own and asked for what was recorded of the pinned
version. Its bundle must give the new values, but for those that are quirks. The exit code is 1 if a
bundle does not hold.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import venv
import warnings
from importlib.metadata import version
from pathlib import Path

from irmetrics_edu.libraries import BUNDLES
from tests.libraries.asked import NAMES
from tests.libraries.record import rows_of
from tests.libraries.replay import classes, inputs

ROOT = Path(__file__).resolve().parents[2]
# What a library's metrics import and its installation does not bring.
WITH = {
    "keras_rs": ["jax"],
    "mteb": ["datasets"],
    "pyspark": ["numpy", "pandas", "pyarrow"],
    "ragas": ["rapidfuzz"],
}
HEAD = ("library", "pinned", "newest", "bundle")
NEWEST_PYTHON = "3.14"  # a release that this one does not install is not the newest


def here(name):
    """What the library of this environment gives: its version, and where the bundle is wrong."""
    warnings.simplefilter("ignore")
    rows = list(rows_of(name))
    if len(given := {str(value) for *_, value in rows}) == 1 and str(*given).endswith("Error"):
        raise RuntimeError(f"each call is a {given.pop()}")  # it can't be imported, say
    found = list(classes(name, rows, inputs()))
    wrong = [f"{metric} on {probe}" for kind, metric, probe, _ in found if kind == "wrong"]
    return {"version": version(BUNDLES[name].package), "rows": len(found), "wrong": wrong}


def newest(name):
    """The same of the newest release, from an environment of its own."""
    with tempfile.TemporaryDirectory(prefix=f"{name}-") as place:
        venv.create(place, with_pip=True)
        python = str(Path(place) / "bin" / "python")
        packages = [BUNDLES[name].package, *WITH.get(name, ()), str(ROOT)]
        for command in (
            ["-m", "pip", "install", "-q", *packages],
            ["-m", "tests.libraries.newest", "--here", name],
        ):
            done = subprocess.run(
                [python, *command], cwd=ROOT, capture_output=True, text=True, check=False
            )
            if done.returncode:
                last = (done.stderr.strip() or "no message").splitlines()[-1]
                return {"version": "-", "rows": 0, "wrong": [], "failed": last}
    return json.loads(done.stdout.splitlines()[-1])


def beyond(name):
    """The newest release under any Python, as uv resolves it; "" without uv, or if it can't."""
    uv = shutil.which("uv")
    if uv is None:
        return ""
    only = ["--python-version", NEWEST_PYTHON, "--no-deps", "--no-header", "--no-annotate", "-q"]
    done = subprocess.run(
        [uv, "pip", "compile", *only, "-"],
        input=BUNDLES[name].package,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip().rpartition("==")[2] if not done.returncode else ""


def line(name, found):
    """A library's line of the table."""
    wrong = found["wrong"]
    newer = found.get("beyond", "")
    if newer not in ("", found["version"]):
        says = f"not asked: {newer} needs a newer Python than this one"
    elif found.get("failed"):
        says = f"can't be asked: {found['failed']}"
    elif wrong:
        says = f"no longer holds: {len(wrong)} of {found['rows']} values, such as {wrong[0]}"
    else:
        says = f"holds: {found['rows']} values"
    return (BUNDLES[name].package, BUNDLES[name].version, found["version"], says)


def main(arguments=None):
    """Print a line as soon as it is known."""
    parser = argparse.ArgumentParser(prog="python -m tests.libraries.newest", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these bundles")
    parser.add_argument("--here", metavar="NAME", help="ask the library of this environment")
    options = parser.parse_args(arguments)
    if options.here:
        print(json.dumps(here(options.here)))
        return 0
    if unknown := sorted(set(options.names) - set(NAMES)):
        parser.error(f"not asked: {', '.join(unknown)}; give some of {', '.join(NAMES)}")
    held = True
    print("{:<24}{:<12}{:<12}{}".format(*HEAD))
    for name in options.names or NAMES:
        found = newest(name)
        found["beyond"] = beyond(name)
        here_too = found["beyond"] in ("", found["version"])
        held = held and here_too and not found["wrong"] and not found.get("failed")
        print("{:<24}{:<12}{:<12}{}".format(*line(name, found)), flush=True)
    return int(not held)


if __name__ == "__main__":
    sys.exit(main())
