"""Changes the code in small ways, and says how many of the changes the tests catch.

    python -m tests.mutants                  # 700 changes, drawn by a seed
    python -m tests.mutants --survivors      # what lived last time, against the tests of today
    python -m tests.mutants --wing gate --number 200 --seed 7
    python -m tests.mutants --wing marking --number 15 --tests tests/marking/test_rubrics.py

With `--tests` these alone are run, whatever they reach; with `--reach` beside it, what they reach
is measured first, and each change gets those that reach its line. A change whose tests don't end
in time counts as caught only if they end with the right code.

Which tests reach a line is measured once, by a run of all tests under coverage, and kept in
build/mutants until `--reach` measures it again. A change that no test can catch, since the code
does the same with it, stands in equivalent.toml with the reason. The exit code is 1 if fewer than
95 % of the others are caught.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import coverage
import pytest

from irmetrics_edu.classroom.grading.protocol import SHIPPED
from tests.mutants import durations
from tests.mutants.changes import Change, changes, files
from tests.mutants.runner import QUIET, ROOT, Runner

FOLDER = ROOT / "build" / "mutants"
REACH = FOLDER / "reach"
PLAN, RESULTS = FOLDER / "plan.json", FOLDER / "results.jsonl"
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
BOUND = 0.95
SECONDS = 150.0


def _of(wing: str, *names: str) -> tuple[str, ...]:
    return tuple(f"irmetrics_edu/{wing}/{name}.py" for name in names or ("*",))


# What each area is made of, and the tests that reach it from processes of their own, which no
# coverage sees: they are tried on a line that no other test reaches, and on all of the code that is
# shipped to such a process.
AREAS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "kernels": (_of("metrics"), ()),
    "join": ((*_of("engine"), *_of("runs/joining"), *_of("rows")), ()),
    "conventions": ((*_of("conventions"), "irmetrics_edu/near_ties.py"), ()),
    "gate": ((*_of("gate"), *_of("gate/plugin")), ("tests/plugin",)),
    "significance": (_of("runs"), ()),
    "grader": ((*_of("classroom/exercises"), *_of("classroom/grading")), ("tests/grading",)),
    "reading": (_of("reading"), ()),
    "diagnosis": ((*_of("diagnosis"), *_of("diagnosis/mistakes")), ()),
    "marking": (
        (
            *_of("classroom/marking"),
            *_of("classroom/marking/collecting"),
            *_of("classroom/marking/matching"),
            *_of("classroom/marking/returning"),
            *_of("classroom/marking/reviewing"),
            *_of("classroom/marking/running"),
        ),
        ("tests/marking",),
    ),
}
ENDLESS = "did not end"  # what the runner says of tests that take too long
LEFT_OUT = frozenset(
    # What builds pages and files, not what judges.
    f"irmetrics_edu/{name}.py"
    for name in (
        "metrics/notation",
        "classroom/exercises/build",
        "classroom/exercises/other_graders",
        "classroom/exercises/source",
        "gate/plugin/report_files",
    )
)


def main(arguments: list[str] | None = None) -> int:
    """Draw, try, report."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=700, help="how many changes are drawn")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the draw")
    parser.add_argument(
        "--wing", "--area", dest="area", choices=AREAS, action="append", help="only these areas"
    )
    parser.add_argument("--tests", nargs="+", default=[], help="these tests, not all that reach it")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at a time")
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="of tests for one change, the quickest first"
    )
    parser.add_argument("--reach", action="store_true", help="measure anew what tests reach")
    parser.add_argument("--survivors", action="store_true", help="only what lived last time")
    parser.add_argument("--resume", action="store_true", help="what an interrupted run left")
    options = parser.parse_args(arguments)
    os.environ["CI"] = "true"  # the same examples of every property
    if options.reach:
        measure_reach(options.jobs, options.tests)
    elif not (REACH.exists() or options.tests):
        measure_reach(options.jobs, [])
    if options.survivors:
        plan = _survivors()
    elif options.resume:
        done = _verdicts()
        plan = [e for e in json.loads(PLAN.read_text(encoding="utf-8")) if e["name"] not in done]
    else:
        drawn = draw(options.area or list(AREAS), options.number, options.seed)
        named = options.tests and not options.reach
        plan = planned_with(drawn, options.tests) if named else planned(drawn, options.seconds)
        FOLDER.mkdir(parents=True, exist_ok=True)
        PLAN.write_text(json.dumps(plan), encoding="utf-8")
        RESULTS.unlink(missing_ok=True)
    run(plan, options.jobs)
    return report()


def measure_reach(jobs: int, places: list[str]) -> None:
    """These tests once (without a name: all), under coverage, which notes the lines of each."""
    for old in FOLDER.glob("reach*"):
        old.unlink()
    subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n", str(jobs), "-p", "no:cacheprovider"),
            *("-p", "tests.mutants.durations", "--cov", "--cov-context=test", "--cov-report="),
            "--cov-config=tests/mutants/reach.cfg",
            *places,
        ],
        cwd=ROOT,
        check=True,
    )


def draw(areas: list[str], number: int, seed: int) -> list[tuple[str, Change]]:
    """So many changes of the areas, as many of each."""
    chance = random.Random(seed)
    drawn = []
    for place, area in enumerate(areas):
        found = [
            change
            for path in files(ROOT, AREAS[area][0])
            if path.relative_to(ROOT).as_posix() not in LEFT_OUT
            for change in changes(path, ROOT)
        ]
        share = number * (place + 1) // len(areas) - number * place // len(areas)
        drawn += [(area, change) for change in chance.sample(found, share)]
    return drawn


def planned(drawn: Iterable[tuple[str, Change]], most: float) -> list[dict[str, Any]]:
    """Each change with the tests to try it on: the quickest, up to so many seconds."""
    data = coverage.CoverageData(str(REACH))
    data.read()
    seconds = durations.read()
    measured = {Path(name).as_posix(): name for name in data.measured_files()}
    reached: dict[str, dict[int, set[str]]] = {}
    plan = []
    for area, change in drawn:
        path = (ROOT / change.file).as_posix()
        if path not in reached:
            lines = data.contexts_by_lineno(measured[path]) if path in measured else {}
            reached[path] = {
                line: {name.rsplit("|", 1)[0] for name in names if name}
                for line, names in lines.items()
            }
        tests = _reaching(reached[path], change)
        beside = AREAS[area][1]
        if not tests or Path(change.file).stem in SHIPPED:
            tests |= {name for name in seconds if beside and name.startswith(beside)}
        order = sorted(tests, key=lambda name: (seconds.get(name, 1.0), name))
        kept, total = [], 0.0
        for name in order:
            total += seconds.get(name, 1.0)
            if kept and total > most:
                break
            kept.append(name)
        kept = kept[:40] + sorted(kept[40:])
        plan.append(
            {
                "area": area,
                "name": change.name,
                "change": asdict(change),
                "tests": kept,
                "seconds": min(total, most),
            }
        )
    return plan


def planned_with(drawn: Iterable[tuple[str, Change]], places: list[str]) -> list[dict[str, Any]]:
    """Each change with the tests that were named."""
    tests = _collected(places)
    plan = []
    for area, change in drawn:
        entry = {"area": area, "name": change.name, "change": asdict(change)}
        plan.append({**entry, "tests": tests, "seconds": SECONDS})
    return plan


def _reaching(lines: dict[int, set[str]], change: Change) -> set[str]:
    """The tests that run the line; for what runs at import, those that run the module."""
    for line in range(change.line, max(change.line - 12, 0), -1):
        if lines.get(line):
            return set(lines[line])
        if line in lines:  # run at import alone
            break
    return set().union(*lines.values()) if lines else set()


def _survivors() -> list[dict[str, Any]]:
    """What lived, with all tests of the files that are newer than the measured reach."""
    plan = {entry["name"]: entry for entry in json.loads(PLAN.read_text(encoding="utf-8"))}
    since = REACH.stat().st_mtime
    newer = [
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if path.stat().st_mtime > since
    ]
    lived = [name for name, by in _verdicts().items() if not by]
    for name in lived:
        plan[name]["newer"] = newer
    return [_found_again(plan[name]) for name in lived]


def _found_again(entry: dict[str, Any]) -> dict[str, Any]:
    """The same change where it now stands, if lines have moved."""
    old = Change(**entry["change"])
    for change in changes(ROOT / old.file, ROOT):
        if change.name == old.name:
            return {**entry, "change": asdict(change)}
    return {**entry, "gone": True}


def run(plan: list[dict[str, Any]], jobs: int) -> None:
    """Try all changes; whoever fails a test without any change is told apart at the end."""
    plan = [entry for entry in plan if not entry.get("gone")]
    tried: set[str] = set()
    while plan:
        _session(plan, jobs)
        control = {}
        for entry in plan:
            told = _told()[entry["name"]]
            tests = [name for name in entry["tests"] if _blamed(told["by"], name)][:1]
            if told["by"] == ENDLESS:
                tests = entry["tests"]
            about = entry["name"] if told["by"] == ENDLESS else str(tests)
            entry["control"] = f"control {'anew ' * told['anew']}{about}"
            control[entry["control"]] = {"tests": tests, "anew": told["anew"]}
        new = control.keys() - tried
        named = [
            {"name": name, "change": None, "seconds": SECONDS, **control[name]} for name in new
        ]
        _session([entry for entry in named if entry["tests"]], jobs)
        tried |= new
        broken = {name for name in control if _verdicts().get(name)}
        if broken:
            print("These fail here without any change, and count for nothing:", *sorted(broken))
        plan = [entry for entry in plan if entry["control"] in broken]
        endless = [entry for entry in plan if _verdicts()[entry["name"]] == ENDLESS]
        _tell_of_none(endless)
        plan = [entry for entry in plan if entry not in endless]
        for entry in plan:
            by = _verdicts()[entry["name"]]
            entry["tests"] = [name for name in entry["tests"] if not _blamed(by, name)]


def _tell_of_none(plan: list[dict[str, Any]]) -> None:
    """Enter that nothing is known of these changes: their tests don't end without them either."""
    with RESULTS.open("a", encoding="utf-8") as out:
        for entry in plan:
            print(json.dumps({"name": entry["name"], "by": "", "anew": False}), file=out)


def _blamed(by: str, test: str) -> bool:
    """Whether a verdict names this test, or its file."""
    return test == by or by == f"does not start: {test.split('::', maxsplit=1)[0]}"


def _session(plan: list[dict[str, Any]], jobs: int) -> None:
    if not plan:
        return
    if plan[0].get("newer"):
        newer = tuple(plan[0]["newer"])
        known = set().union(*(entry["tests"] for entry in plan))
        collected = _collected([*newer])
        for entry in plan:
            entry["tests"] = [*collected, *(t for t in entry["tests"] if t not in collected)]
        del known
    pid = os.fork()
    if not pid:
        places = sorted({name.split("::")[0] for entry in plan for name in entry["tests"]})
        runner = Runner(plan, jobs, RESULTS)
        code = pytest.main(
            [*places, "-q", *QUIET],
            plugins=[runner],
        )
        os._exit(int(code))
    os.waitpid(pid, 0)


def _collected(places: list[str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *places],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in done.stdout.splitlines() if "::" in line]


def _told() -> dict[str, dict[str, Any]]:
    """The last that was told of each change: the test that failed, and whether in a new Python."""
    if not RESULTS.exists():
        return {}
    lines = RESULTS.read_text(encoding="utf-8").splitlines()
    return {entry["name"]: entry for entry in map(json.loads, lines)}


def _verdicts() -> dict[str, str]:
    return {name: entry["by"] for name, entry in _told().items()}


def report() -> int:
    """The share that is caught, by area, and what lived."""
    plan = json.loads(PLAN.read_text(encoding="utf-8"))
    verdicts = _verdicts()
    same = {
        entry["change"]: entry["reason"]
        for entry in tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("equivalent", [])
    }
    drawn, caught, equivalent = Counter[str](), Counter[str](), Counter[str]()
    for entry in plan:
        drawn[entry["area"]] += 1
        caught[entry["area"]] += bool(verdicts.get(entry["name"]))
        if not verdicts.get(entry["name"]):
            known = entry["name"] in same
            equivalent[entry["area"]] += known
            if not known:
                print(f"lived: {entry['name']} (line {entry['change']['line']})")
    print(f"{'area':<14}{'drawn':>7}{'same':>7}{'caught':>8}{'share':>8}")
    for area in drawn:
        _line(area, drawn[area], equivalent[area], caught[area])
    share = _line("all", drawn.total(), equivalent.total(), caught.total())
    return int(share < BOUND)


def _line(name: str, drawn: int, same: int, caught: int) -> float:
    share = caught / max(drawn - same, 1)
    print(f"{name:<14}{drawn:>7}{same:>7}{caught:>8}{share:>8.1%}")
    return share


if __name__ == "__main__":
    sys.exit(main())
