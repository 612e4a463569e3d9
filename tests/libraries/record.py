"""Ask the libraries of an environment and write down what they give.

    python -m tests.libraries.record light
    python -m tests.libraries.record light mlflow

writes measured/NAME.json for each library of the group, with the version that was asked. `make
test` then holds the bundles against these rows without the libraries.
"""

import json
import math
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

from irmetrics_edu.libraries import BUNDLES
from tests.libraries.asked import library, of_group

HOME = Path(__file__).parent / "measured"


def as_kept(value):
    """A value as JSON has it: twelve digits, since the last ones are those of a processor."""
    if isinstance(value, dict):
        return {q: as_kept(v) for q, v in value.items()}
    if math.isfinite(value):
        return float(f"{value:.12g}")
    return str(value)


def rows_of(name):
    """Every metric on every input: the mean, the values by query, or the name of the error."""
    asked = library(name)
    for probe, given in json.loads((HOME / "inputs.json").read_text(encoding="utf-8")).items():
        if probe in getattr(asked, "SKIPS", ()):
            continue
        for metric in asked.METRICS:
            try:
                answer = asked.ask(metric, given["run"], given["qrels"])
            except ImportError:
                raise
            except Exception as error:  # noqa: BLE001 -- how a library refuses is what is measured
                yield metric, probe, type(error).__name__
                continue
            for value in (answer.mean, answer.per_query):
                if value is not None:
                    yield metric, probe, as_kept(value)


def as_text(name):
    """The rows of a library as JSON, a row a line."""
    package = BUNDLES[name].package
    head = json.dumps({"package": package, "version": version(package)})[:-1]
    rows = ",\n".join(json.dumps(row) for row in rows_of(name))
    return f'{head}, "rows": [\n{rows}\n]}}\n'


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    group, *names = sys.argv[1:]
    for name in names or of_group(group):
        (HOME / f"{name}.json").write_text(as_text(name), encoding="utf-8")
