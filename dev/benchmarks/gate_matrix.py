"""Try gates on every break of an engine, times every change of data, times every policy.

python -m dev.benchmarks.gate_matrix [--write] [--every N]

What stopped, warned and passed is counted, and dev/benchmarks/gate-matrix.md says why. The exit
code is 1 if a gate passes in vain (the engine got worse by more than the margin, and nothing was
said), if a gate that has to stop does not, if a mistake in the input is not refused in words, if
more than 5 % of the harmless changes are stopped, or if a run that can't be missed is accepted as a
baseline.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from dev.benchmarks import gate_cells, gate_writes
from dev.benchmarks.gate_matrix_page import page
from irmetrics_edu.writing import write

PAGE = Path(__file__).with_name("gate-matrix.md")


def main(given: Sequence[str] | None = None) -> int:
    """Try the gates, and say what must not be; the exit code is 1 if there is anything."""
    parser = argparse.ArgumentParser(prog="python -m dev.benchmarks.gate_matrix")
    parser.add_argument("--write", action="store_true", help="write gate-matrix.md")
    parser.add_argument("--every", type=int, default=1, help="try every N-th pair alone")
    asked = parser.parse_args(given)
    cells = gate_cells.matrix(asked.every)
    writes = gate_writes.matrix(asked.every)
    if asked.write:
        write(PAGE, page(cells, writes))
    found = [*gate_cells.faults(cells), *gate_writes.faults(writes)]
    counts = f"{len(cells):,} gates: {gate_cells.fates(cells)}; {len(writes):,} writes"
    sys.stdout.write("\n".join([*found, f"{counts}; faults: {len(found):,}"]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
