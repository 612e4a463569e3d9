"""Assertions that explain themselves: `assert_ndcg(run, qrels, k=10, at_least=0.45)`.

They need no test framework and always `raise`, so they work in pytest, unittest, a notebook, a
script and under `python -O`. Every metric and every aggregate of the registry has its own,
`assert_<name>`, made on first use; `assert_metric` takes the metric as an argument.

Start with `score.py`.
"""

import importlib
from typing import Any

from irmetrics_edu import METRIC_HOMES

# Where the public names live, except those made from the registry.
HOMES = {
    "irmetrics_edu.gate.failure": "RankingAssertionError",
    "irmetrics_edu.gate.follows": "assert_follows",
    "irmetrics_edu.gate.position": "assert_in_top assert_absent assert_ranks_above",
    "irmetrics_edu.gate.pins": "assert_pins",
    "irmetrics_edu.gate.decision": "AdvisoryWarning InconclusiveWarning",
    "irmetrics_edu.gate.input_checks": "SwappedWarning",
    "irmetrics_edu.gate.paired": "BaselineWarning",
    "irmetrics_edu.gate.regression": "assert_improves assert_no_regression",
    "irmetrics_edu.gate.latency": "assert_latency",
    "irmetrics_edu.gate.score": "assert_metric",
    "irmetrics_edu.gate.trials": "assert_pass_rate",
}
_HOME_OF = {name: home for home, names in HOMES.items() for name in names.split()}
# The assertions by name, for the pytest plugin, which loads no metric until a test asks for it.
ASSERTIONS = (
    *(name for name in _HOME_OF if name.startswith("assert_")),
    *(f"assert_{name}" for name in ["map", "gmap", "mrr", "merr"]),
    *(f"assert_{name}" for names in METRIC_HOMES.values() for name in names.split()),
)


def __getattr__(name: str) -> Any:
    """Resolve a public name on first use: one above, or `assert_<metric>` for any metric."""
    if name == "__all__":  # for `import *`
        from irmetrics_edu.gate.score import subjects

        value: Any = sorted({*_HOME_OF, *subjects()})
    elif name in _HOME_OF:
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
    elif name.startswith("assert_"):
        from irmetrics_edu.gate.score import assertion

        value = assertion(name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from irmetrics_edu.gate.score import subjects

    return sorted({*_HOME_OF, *subjects()})
