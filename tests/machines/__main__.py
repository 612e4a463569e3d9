"""Runs what computes in floating point on every machine that can be put on here.

    python -m tests.machines          # notebooks, exercises, worked examples, doctests, learners
    python -m tests.machines --all    # all of that and the whole suite of tests, on each of them

How many threads there are plays a part in the BLAS alone, and so does its kernel. So, but for
`--all`, a second thread is given only to what calls the BLAS with more than a few numbers. The same
is run, with the tests of what learns, where another machine has that SIMD and that C library.

The exit code is 1 if anything differs, or if a library was told to be as on another machine and
was not. A machine that this processor can't be is named.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from tests.conftest import ROOT
from tests.machines.machines import Machine, features, machines, not_taken
from tests.machines.outputs import TEXTS, apart

# What chooses, learns, re-ranks or tunes, with duplicates among its input; and every doctest.
LEARNERS = tuple(
    f"tests/{name}" for name in ("recommenders", "rerankers", "learning", "study", "tuning")
)
FAST = (*LEARNERS, "irmetrics_edu", "README.md", "-m", "not slow")
BY_BLAS = (*LEARNERS, "irmetrics_edu/lab", *FAST[-2:])
# All that computes. Students' copies are text: one other machine builds them, and this one.
COMPUTED = ("notebooks/", "solutions/", *TEXTS)
THREADED = ("/08_", "/09_", "/10_", "study", "choices")
_PYTEST = ("-m", "pytest", "-q", "-r", "f", "--tb=short", "--no-header", "-p", "no:cacheprovider")


def parts(
    machine: Machine, met: set[Any], *, whole: bool
) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """What a machine is asked for, and the tests that it runs; `met` are SIMD and C libraries."""
    if whole:
        return (), ()
    known = (machine.off, machine.fma) in met
    first = not met
    met.add((machine.off, machine.fma))
    if machine.threads > 1:
        return THREADED, None
    return (THREADED, BY_BLAS) if known else (() if first else COMPUTED, FAST)


def outputs(
    machine: Machine, names: tuple[str, ...] = (), module: str = "outputs"
) -> dict[str, Any]:
    """What notebooks, exercises and commands give on a machine; a crash is a difference."""
    done = _process(machine, "-m", f"tests.machines.{module}", *names)
    if done.returncode:
        return {"differences": [done.stderr[-2000:]], "texts": {}, "taken": None}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def suite(machine: Machine, arguments: tuple[str, ...]) -> list[str]:
    """What fails of the tests on a machine."""
    done = _process(machine, *_PYTEST, *arguments)
    return [done.stdout[-4000:] + done.stderr[-2000:]] if done.returncode else []


def _process(machine: Machine, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        # The same examples of hypothesis everywhere: what fails is about the machine.
        env={**machine.environment(), "CI": "true"},
    )


def differing(
    machine: Machine, ran: dict[str, Any], here: dict[str, Any], *, fma: bool
) -> Iterator[str]:
    """What a machine gave otherwise than is stored, or than it is here, or was told in vain."""
    yield from ran["differences"]
    for name, text in ran["texts"].items():
        if lines := apart(here["texts"].get(name, ""), text):
            yield f"{name}:\n{lines}"
    if ran["taken"] and here["taken"]:
        yield from not_taken(machine, ran["taken"], here["taken"], fma=fma)


def not_run(chosen: list[Machine], here: dict[str, Any]) -> Iterator[str]:
    """Which machines are left out, and why."""
    for machine in chosen:
        if machine.lacking:
            yield f"{machine}: this processor has no {', '.join(machine.lacking)}"
    if not any(machine.core for machine in chosen):
        yield "other kernels of OpenBLAS: none are known for this processor"
    elif here["taken"] and not here["taken"]["openblas"]:
        yield "other kernels of the BLAS: it is not OpenBLAS, and can't be told"


def main(arguments: list[str] | None = None) -> int:
    """Run all machines, and say what differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.machines")
    parser.add_argument("--all", action="store_true", help="the whole suite of tests as well")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (default: 2)")
    args = parser.parse_args(arguments)
    start = time.monotonic()
    found, may_leave = features()
    chosen = machines(found, may_leave)
    with ThreadPoolExecutor(args.jobs) as pool:
        untold = pool.submit(outputs, Machine(threads=os.cpu_count() or 1), (), "edges")
        runs: list[tuple[Machine, Future[Any], Future[Any] | None]] = []
        met: set[Any] = set()
        for machine in chosen:
            if machine.lacking:
                continue
            asked, tested = parts(machine, met, whole=args.all)
            ran = pool.submit(outputs, machine, asked)
            tests = None if tested is None else pool.submit(suite, machine, tested)
            runs.append((machine, ran, tests))
        here = untold.result()
        failed = _told(f"this machine ({', '.join(may_leave) or 'no SIMD'})", here["differences"])
        for machine, ran, tests in runs:
            said = [*differing(machine, ran.result(), here, fma=bool(found.get("FMA3")))]
            failed |= _told(str(machine), said + (tests.result() if tests else []))
    for why in not_run(chosen, here):
        print(f"NOT RUN  {why}")
    spent = os.times()
    processors = spent.children_user + spent.children_system
    print(
        f"{len(runs) + 1} machines in {time.monotonic() - start:.0f} s, "
        f"{processors:.0f} s of processors"
    )
    return int(failed)


def _told(machine: str, differences: list[str]) -> bool:
    word = "DIFFERS" if differences else "same   "
    print(f"{word}  {machine}", *differences, sep="\n", flush=True)
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main())
