"""What the pytest plugin costs a suite that does not use it: CPU time of pytest with and without.

python dev/benchmarks/plugin_startup.py [--rounds 40] [--limit 3] [--json PATH]

Runs pytest over an empty folder in pairs, with an empty plugin and with ours, no other, in random
order, and compares the CPU time of the processes. The figure is the median of the differences
within a pair over the median without; --limit makes the exit code 1 above it.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from irmetrics_edu.writing import write

EMPTY, OURS = "empty_plugin", "irmetrics_edu.pytest_plugin"


def cpu_seconds(plugin: str, folder: str) -> float:
    """CPU time, user and system, of one session that collects nothing."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", plugin]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 -- our own command
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 5:  # no tests were collected
        raise SystemExit(f"pytest did not run as meant:\n{done.stdout}{done.stderr}")
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def measure(rounds: int) -> dict[str, float]:
    """Medians over the rounds, in milliseconds, and the cost in percent."""
    bare, differences = [], []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"{EMPTY}.py").touch()
        pair = [EMPTY, OURS]
        for plugin in pair:  # fill the caches of compiled modules
            cpu_seconds(plugin, folder)
        for _ in range(rounds):
            random.shuffle(pair)
            took = {plugin: cpu_seconds(plugin, folder) for plugin in pair}
            bare.append(took[EMPTY])
            differences.append(took[OURS] - took[EMPTY])
    without, difference = statistics.median(bare), statistics.median(differences)
    spread = statistics.stdev(differences) / len(differences) ** 0.5
    return {
        "without_ms": 1000 * without,
        "cost_ms": 1000 * difference,
        "standard_error_ms": 1000 * spread,
        "cost_percent": 100 * difference / without,
    }


def main() -> int:
    """Measure, print, and say by the exit code whether the limit holds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--limit", type=float, help="the highest cost allowed, in percent")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    started = time.perf_counter()
    found = measure(options.rounds)
    print(  # noqa: T201 -- a script prints
        f"pytest without the plugin {found['without_ms']:.1f} ms CPU; "
        f"with it {found['cost_ms']:+.2f} ms (standard error {found['standard_error_ms']:.2f}), "
        f"{found['cost_percent']:+.1f} %; {options.rounds} pairs, "
        f"{time.perf_counter() - started:.0f} s"
    )
    if options.json:
        write(options.json, json.dumps(found, indent=2) + "\n")
    return int(options.limit is not None and found["cost_percent"] > options.limit)


if __name__ == "__main__":
    sys.exit(main())
