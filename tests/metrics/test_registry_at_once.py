"""The registry of metrics is full from the first import."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "line",
    [
        "from irmetrics_edu import METRICS",
        "from irmetrics_edu import ndcg, METRICS",
        "from irmetrics_edu.metrics.set_based import precision; from irmetrics_edu import METRICS",
        "import irmetrics_edu; METRICS = irmetrics_edu.METRICS",
    ],
)
def test_the_registry_is_full_at_once(line):
    """Whoever imports it sees nDCG, AP and the others, in reading order."""
    script = f"{line}\nprint(len(METRICS), 'nDCG' in METRICS, next(iter(METRICS)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    count, there, first = done.stdout.split()
    assert int(count) > 40, done.stderr
    assert (there, first) == ("True", "P")
