"""Count what the recorded values of each library are: equal, a quirk, or not equal.

    python -m tests.libraries.counted --beside ../shared

compares every recorded value anew and writes counted.json, from which the page of conventions has
its numbers. Tests hold the file against the records, part by part.
"""

import argparse
import json
import tempfile
from functools import partial
from pathlib import Path

from irmetrics_edu import evaluate
from irmetrics_edu.libraries import BUNDLES
from tests.libraries import replay, test_measured
from tests.libraries.real import record as real
from tests.libraries.real.inputs import PUBLISHED
from tests.libraries.real.replay import classes as classes_of_runs
from tests.libraries.replay import COUNTED, counts_of
from tests.runs.test_as_trec_eval import BUNDLE_OF, RECORDED, files

REAL = real.names()


def of_small(path):
    """The small inputs of our own."""
    file = replay.recorded(path)
    rows = replay.classes(path.stem, file["rows"], replay.inputs())
    return {"version": file["version"], **counts_of((row[0], row[3]) for row in rows)}


def of_runs(name, published, beside=None):
    """The long runs: those that are drawn, or the published one beside the project."""
    file = real.recorded(name)
    rows = [row for row in file["rows"] if (row[1] == PUBLISHED) == published]
    classified = classes_of_runs(name, rows, beside)
    return {"version": file["version"], **counts_of((row[0], row[3]) for row in classified)}


def of_nine():
    """The nine inputs that were measured elsewhere, by library."""
    versions = {test_measured.stem_of(package): v for package, v, *_ in test_measured.DATA["rows"]}
    by_library = test_measured.by_library(test_measured.classes())
    return {n: {"version": versions[n], **counts_of(rows)} for n, rows in by_library.items()}


def of_printed(version):
    """What trec_eval itself printed, to its four digits, for queries and in the mean."""
    rows = []
    for given in RECORDED:
        with tempfile.TemporaryDirectory() as folder:
            texts = ("\n".join(given[name]).encode() for name in ("run", "qrels"))
            run, qrels = files(Path(folder), *texts)
            for name, printed in given["trec_eval"][version].items():
                ours = _printed_by_us(run, qrels, name, BUNDLES[BUNDLE_OF[version]])
                for query, value in printed.items():
                    if name != "gm_map" or query == "all":  # of single queries a logarithm
                        is_equal = ours.get(query, "0.0000") == value
                        rows.append(("equal" if is_equal else "wrong", value))
    return {"version": version, **counts_of(rows)}


def _printed_by_us(run, qrels, name, by):
    """Our scores of a measure as trec_eval prints them."""
    if name == "gm_map":
        return {"all": f"{evaluate(run, qrels, 'GMAP', by)['GMAP']:.4f}"}
    metric, _ = by.measure(name)
    e = evaluate(run, qrels, metric, by)
    scores = next(iter(e.per_query.values()))
    found = {query: f"{score:.4f}" for query, score in scores.items()}
    return {**found, "all": f"{next(iter(e.mean.values())):.4f}"}


def parts(beside):
    """Each set of records, with what counts each of its libraries."""
    return {
        "small inputs": {path.stem: partial(of_small, path) for path in replay.FILES},
        "printed by trec_eval": {
            stem: partial(of_printed, version) for version, stem in BUNDLE_OF.items()
        },
        "long runs": {name: partial(of_runs, name, False) for name in REAL},
        "published run": {name: partial(of_runs, name, True, beside) for name in REAL},
    }


def counted(beside):
    """Every set of records with its libraries."""
    found = {"nine inputs": of_nine()}
    for part, libraries in parts(beside).items():
        found[part] = {name: count() for name, count in libraries.items()}
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.libraries.counted")
    parser.add_argument("--beside", type=Path, required=True, help="the folder of others' data")
    asked = parser.parse_args()
    COUNTED.write_text(json.dumps(counted(asked.beside), indent=1) + "\n", encoding="utf-8")
