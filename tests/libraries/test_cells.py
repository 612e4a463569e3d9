"""Each option in a cell of the table of libraries has a recorded value that it decides."""

from dataclasses import replace

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.notation import parse
from tests.libraries import test_measured
from tests.libraries.real import record as real
from tests.libraries.real.inputs import PUBLISHED
from tests.libraries.real.replay import given as given_run
from tests.libraries.replay import HOME, agree, as_run, inputs, number, recorded

METRICS = ("nDCG", "AP", "P", "R", "ERR")
MEASURED = [name for name, bundle in BUNDLES.items() if bundle.known == "measured"]
# trec_eval 10 was compiled, and what it printed is compared in full by tests of its own. All of its
# cells say "as ours".
PRINTED = {"trec_eval", "trec_eval_10"}


# Options that say what another one says already, with the reason.
REDUNDANT = {
    ("llama_index", "nDCG", "ideal"): "of a binary gain, r ones are the ideal of the judged",
    ("llama_index", "nDCG", "cut"): "it has no cut-off",
    ("ragas", "P", "divisor"): "it has no cut-off",
    ("trulens", "P", "no_relevant"): "each judged document is relevant, so each query has one",
    ("trulens", "R", "no_relevant"): "each judged document is relevant, so each query has one",
}


def parsed(entry):
    """The measure of a row, as it is written."""
    return entry if isinstance(entry, str) else entry["measure"]


def cell(bundle, metric):
    """The first form of a metric in a library, as the table shows it; None without one."""
    for entry in bundle.metrics.values():
        name, bracket, inside = parsed(entry).partition("@")[0].partition("(")
        if name == metric:
            return inside.removesuffix(")") if bracket else ""
    return None


def as_written(metric, options):
    """The measure of a cell."""
    return parse(f"{metric}({options})" if options else metric)


def of_form(bundle, name, metric, options):
    """The measure and conventions of a library's name, if it is this metric with these options."""
    suffix = next((s for s in test_measured.OF_MANY if name.endswith(s)), "")
    try:
        found, by = bundle.measure(name.removesuffix(suffix))
    except InputError:
        return None
    if found.name != metric or (suffix and suffix not in test_measured.MEANS):
        return None
    return (found, by) if found.params == as_written(metric, options).params else None


def with_default(found, by, option):
    """The measure and conventions with our default of one option.

    Of the retrieved documents alone, the ideal and the number of relevant ones are those of the
    retrieved, so the pool says the same as these options and is ours for the comparison.
    """
    if option in ("ideal", "divisor"):
        by = by.using(pool="judged")
    return found.without(option), by.using(no_relevant=None)


def records(key):
    """A library's name of a metric, the run, the judgments and the recorded value of each row."""
    path = HOME / f"{key}.json"
    if path.exists():
        known = inputs()
        for name, probe, value in recorded(path)["rows"]:
            yield name, as_run(known[probe]["run"]), known[probe]["qrels"], value
    yield from of_nine_inputs(key)
    if key in real.names():
        for name, probe, value in real.recorded(key)["rows"]:
            if probe != PUBLISHED:
                yield name, *given_run(probe, None), value


def of_nine_inputs(key):
    """The rows that were measured elsewhere; some have a value for each cut-off."""
    series = test_measured.SERIES.get(BUNDLES[key].name)
    for package, _, _, name, probe, value in test_measured.DATA["rows"]:
        if test_measured.stem_of(package) != key:
            continue
        held = test_measured.DATA["inputs"][probe]
        run = {query: dict(map(tuple, ranked)) for query, ranked in held["run"].items()}
        if BUNDLES[key].name in test_measured.OF_LISTS:
            run = {query: list(ranked) for query, ranked in run.items()}
        if series is None or not isinstance(value, dict):
            yield name, run, held["qrels"], value
            continue
        for k, mean in value.items():
            yield series.format(name=name, k=k), run, held["qrels"], mean


def gives(metric, by, run, qrels, value):
    """Whether this is the recorded value, of each query or in the mean."""
    try:
        found = evaluate(run, qrels, metric, by)
    except InputError:
        return isinstance(value, str)
    scores = {str(q).removeprefix("q"): s for q, s in next(iter(found.per_query.values())).items()}
    if isinstance(value, dict):
        theirs = {str(q).removeprefix("q"): number(v) for q, v in value.items()}
        return set(theirs) == set(scores) and all(
            agree(scores[q], v, by.digits) for q, v in theirs.items()
        )
    value = number(value)
    if isinstance(value, (str, list)):
        return False
    return agree(next(iter(found.mean.values())), value, by.digits)


def undecided(key, metric, bundle):
    """The options of a cell that no recorded value needs; "a value" if there is none at all."""
    options = cell(bundle, metric)
    written = as_written(metric, options)
    left = {"a value"}
    for option, value in written.params.items():
        if value != written.defaults.get(option) and (key, metric, option) not in REDUNDANT:
            left.add(option)
    for name, run, qrels, value in records(key):
        form = of_form(bundle, name, metric, options)
        if form is None or not gives(*form, run, qrels, value):
            continue
        left.discard("a value")
        for option in sorted(left):
            if not gives(*with_default(*form, option), run, qrels, value):
                left.discard(option)
        if not left:
            break
    return left


CELLS = [
    (key, metric)
    for key in MEASURED
    for metric in METRICS
    if key not in PRINTED and cell(BUNDLES[key], metric) is not None
]


@pytest.mark.parametrize(("key", "metric"), CELLS)
def test_a_recorded_value_decides_each_option_of_a_cell(key, metric):
    """With our default of this option alone, that value would be another one."""
    assert undecided(key, metric, BUNDLES[key]) == set()


def test_an_option_that_nobody_measured_is_found():
    """A gain that the library does not have, and a cut that its values do not decide."""
    cornac = BUNDLES["cornac"]
    rows = {name: entry for name, entry in cornac.metrics.items() if "nDCG" not in parsed(entry)}
    options = "gain=binary,no_relevant=nan"
    for measure, left in (
        (f"nDCG({options})", set()),
        ("nDCG(gain=exp)", {"gain"}),
        (f"nDCG({options},cut=ranking)", {"cut"}),
    ):
        changed = replace(cornac, metrics={**rows, "NDCG@-1": measure})
        assert left <= undecided("cornac", "nDCG", changed)


def test_what_is_redundant_is_in_a_cell():
    """Each exception is about an option that a cell shows."""
    for key, metric, option in REDUNDANT:
        assert f"{option}=" in cell(BUNDLES[key], metric)
