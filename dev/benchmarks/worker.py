"""One contestant on one case, timed in a process of its own: prints its times as JSON.

`python -m dev.benchmarks.worker CASE CONTESTANT FOLDER TIMES`
"""

import gc
import importlib.metadata
import json
import math
import resource
import sys
import time
from pathlib import Path

from dev.benchmarks.contestants import CASES

QUICK = 0.01  # seconds: what takes less is repeated until it takes as long


def main(case: str, name: str, folder: str, times: int) -> dict[str, object]:
    """The processor's seconds of one contestant, its peak memory in bytes, its scores."""
    load, contestants = CASES[case]
    contestant = contestants[name]
    module = __import__(contestant.package)
    given = load(Path(folder))
    if case == "search, files":
        small = Path(folder) / "warm"
        warm = (str(small / "run"), str(small / "qrels"))
        contestant.run(warm)  # imports, and what a JIT compiles, count for nobody
    else:
        contestant.run(_little(case, given))
    gc.collect()
    taken = []
    scores = {}
    for _ in range(times):
        begin = time.process_time()
        scores = contestant.run(given)
        taken.append(time.process_time() - begin)
    if min(taken) < QUICK:
        loops = math.ceil(QUICK / min(taken))
        taken = []
        for _ in range(max(times, 20)):
            begin = time.process_time()
            for _ in range(loops):
                contestant.run(given)
            taken.append((time.process_time() - begin) / loops)
    return {
        "times": taken,
        "peak": _peak(),
        "scores": scores,
        "version": _version(name, module),
        "python": sys.version.split()[0],
    }


def _peak() -> int:
    """The most memory that this process held, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():  # getrusage would tell the peak of the parent, if that is higher
        for line in status.read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak * (1 if sys.platform == "darwin" else 1024)


def _little(case: str, given: object) -> object:
    """A small part of the input, to warm up with."""
    if case == "one call":
        return given
    first, second = given  # type: ignore[misc]  # a pair in all other cases
    if case == "recommendation":
        return first[:50], second[:50]
    queries = list(first)[:20]
    return {q: first[q] for q in queries}, {q: second[q] for q in queries}


def _version(name: str, module: object) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return str(getattr(module, "__version__", ""))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*sys.argv[1:4], int(sys.argv[4]))) + "\n")
