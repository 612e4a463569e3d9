"""Ask libraries on runs as people have them, and write down what they give.

    python -m tests.libraries.real.record --beside ../shared beir ranx

writes values/NAME.json.gz in an environment that holds these libraries, with the version that was
asked. `make test` then holds the bundles against these values without the libraries.
"""

import argparse
import gzip
import json
import math
import warnings
from importlib.metadata import version
from pathlib import Path

from irmetrics_edu.libraries import BUNDLES
from tests.libraries.real.ask import ask, metrics_of, takes
from tests.libraries.real.inputs import inputs

HOME = Path(__file__).parent / "values"
_DIGITS = 8


def names():
    """The libraries that have a file of recorded values."""
    return sorted(path.name.removesuffix(".json.gz") for path in HOME.glob("*.json.gz"))


def kept(value):
    """A value as JSON has it, with the digits that a comparison needs."""
    if isinstance(value, dict):
        return {query: kept(number) for query, number in value.items()}
    return float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else str(value)


def rows_of(name, beside=None):
    """Every metric on every input: the values by query, the mean, or the name of the error."""
    for probe, (run, qrels) in inputs(beside).items():
        if not takes(name, probe):
            continue
        for metric in metrics_of(name):
            try:
                answer = ask(name, metric, run, qrels)
            except ImportError:
                raise
            except Exception as error:  # noqa: BLE001 -- how a library refuses is what is recorded
                yield metric, probe, type(error).__name__
                continue
            for value in (answer.mean, answer.per_query):
                if value is not None:
                    yield metric, probe, kept(value)


def write(name, rows):
    """The rows of a library in a packed file that is the same for the same rows."""
    package = BUNDLES[name].package
    found = {"package": package, "version": version(package.partition("[")[0]), "rows": rows}
    text = json.dumps(found, separators=(",", ":"))
    (HOME / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def recorded(name):
    """The file of recorded values of a library: its package, version and rows."""
    return json.loads(gzip.decompress((HOME / f"{name}.json.gz").read_bytes()))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    HOME.mkdir(exist_ok=True)
    parser = argparse.ArgumentParser(prog="python -m tests.libraries.real.record")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="the data of others")
    parser.add_argument("names", nargs="+", metavar="NAME")
    asked = parser.parse_args()
    for name in asked.names:
        write(name, list(rows_of(name, asked.beside)))
