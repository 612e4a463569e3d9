"""A convention is its fields and its function: its name and its LaTeX decide no score."""

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from irmetrics_edu import InputError, evaluate, parse
from irmetrics_edu.conventions import (
    MACRO,
    ZERO,
    CollectionSize,
    Convention,
    Duplicates,
    MaxGrade,
    MissingQueries,
    Negative,
    NoRelevant,
    Undefined,
    Unjudged,
    UnjudgedQueries,
)
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.libraries import OURS
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.rows.item_distances import Distance

CLOSED = (Distance, Duplicates, Unjudged, Negative, MissingQueries, UnjudgedQueries)
FOR_A_NUMBER = (MaxGrade, CollectionSize)  # words for a number, taken by their names alone
QRELS = {"q": {"a": 0, "b": 2, "c": 1, "gone": 3}, "none": {"a": 0}, "all": {"c": 2, "a": 1}}
RUN = {
    "q": {"a": 3.0, "b": 1.0 + 1e-9, "c": 1.0, "x": 1.0, "y": 0.5},
    "none": {"a": 2.0, "b": 2.0},
    "all": {"a": 1.0, "b": 1.0, "c": 1.0},
}


def _kinds() -> Iterator[type[Convention]]:
    """Every kind of convention: each class that has a table of its own."""
    waiting = Convention.__subclasses__()
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if "values" in vars(one):
            yield one


def _copied(value: Convention) -> Convention:
    """The same convention under another name and other LaTeX."""
    return dataclasses.replace(value, name=f"copy_of_{value.name}", latex=r"\mathit{junk}")


def _options() -> Iterator[Any]:
    """Each metric with each of its options that is a convention, and each value of its kind."""
    import_all()
    for metric in METRICS.values():
        for option, default in metric.defaults.items():
            if isinstance(default, Convention) and not type(default).closed:
                for value in {v.name: v for v in default.values.values()}.values():
                    yield pytest.param(metric, option, value, id=f"{metric.name}-{option}-{value}")


def _scores(metric: Metric) -> Any:
    """The scores of all small inputs, or the error."""
    try:
        given = small_inputs(metric)
        found = evaluate(given.run, given.qrels, [metric], OURS, **given.beside)
    except InputError as error:
        return str(error).replace("copy_of_", "")
    return next(iter(found.scores.values()))


def _same(one: Any, other: Any) -> bool:
    """Whether both are the same scores; or the first is an error that names the convention."""
    if isinstance(one, str) and "is not a divisor of this metric" in one:
        return True  # it takes those that it knows, and says so
    if isinstance(one, str) or isinstance(other, str):
        return type(one) is type(other)
    return bool(np.array_equal(one, other, equal_nan=True))


@pytest.mark.parametrize(("metric", "option", "value"), list(_options()))
def test_an_option_by_another_name_gives_the_same_score(metric, option, value) -> None:  # type: ignore[no-untyped-def]
    """A kernel applies the convention; it asks neither for the name nor for the LaTeX."""
    expected = _scores(metric.using(**{option: value}))
    assert _same(_scores(metric.using(**{option: _copied(value)})), expected)


def _of_rankings() -> Iterator[Any]:
    """Each convention of a whole run that is open, and each of its values."""
    for field in dataclasses.fields(OURS):
        default = getattr(OURS, field.name)
        if isinstance(default, Convention) and not type(default).closed:
            for value in {v.name: v for v in default.values.values()}.values():
                if value is not MACRO:  # it has no function, and a copy of it is refused
                    yield pytest.param(field.name, value, id=f"{field.name}-{value}")


@pytest.mark.parametrize("form", ["mappings", "files"])
@pytest.mark.parametrize(("option", "value"), list(_of_rankings()))
def test_a_convention_of_runs_by_another_name_gives_the_same_scores(  # type: ignore[no-untyped-def]
    form, option, value, tmp_path
) -> None:
    """Whichever way a run meets its judgments, in memory and from files."""
    run, qrels = RUN, QRELS
    if form == "files":
        run, qrels = tmp_path / "run.txt", tmp_path / "qrels.txt"
        rows = [f"{q} Q0 {d} 0 {s!r} t\n" for q, of in RUN.items() for d, s in of.items()]
        run.write_text("".join(rows))
        rows = [f"{q} 0 {d} {g}\n" for q, of in QRELS.items() for d, g in of.items()]
        qrels.write_text("".join(rows))
    measures = "P@2 R" if option == "averaging" else "nDCG@3 AP RR P@2 R Rprec"
    if option == "averaging" and value.by_impressions:
        measures = "AUC(undefined=half)"

    def scores(by: Convention) -> Any:
        return evaluate(run, qrels, measures, OURS, **{option: by}).scores

    expected = scores(value)
    found = scores(_copied(value))
    for name, of_each in expected.items():
        assert np.array_equal(found[name], of_each, equal_nan=True), name


@pytest.mark.parametrize("kind", CLOSED)
def test_a_kind_that_is_settled_elsewhere_takes_no_other_value(kind) -> None:  # type: ignore[no-untyped-def]
    """It would be taken for another value in silence, so the table refuses it."""
    with pytest.raises(InputError, match=f"{kind.__name__} has these values alone"):
        kind.register(kind("mine", "m", "as I want it"))
    assert "mine" not in kind.values


def test_every_kind_is_tried_or_closed() -> None:
    """A new kind is an option of a metric or of runs, which are tried above, or it is closed."""
    tried = {type(p.values[2]) for p in _options()} | {type(p.values[1]) for p in _of_rankings()}
    of_them = {kind for kind in _kinds() for one in tried if issubclass(one, kind)}
    assert set(_kinds()) - of_them == {*CLOSED, *FOR_A_NUMBER}


@pytest.fixture
def tables():
    """What is registered during a test is gone after it."""
    before = {kind: dict(kind.values) for kind in (NoRelevant, Undefined)}
    yield
    for kind, values in before.items():
        kind.values.clear()
        kind.values.update(values)


def _value(measure: str, *inputs: Any) -> float:
    return float(parse(measure)(*inputs))


@pytest.mark.usefixtures("tables")
def test_a_number_of_ones_own_is_the_score() -> None:
    """By its function, as the guide has it, or by its value."""
    NoRelevant.register(NoRelevant("half", r"\tfrac12", "one half", lambda: 0.5))
    NoRelevant.register(NoRelevant("third", r"\tfrac13", "one third", value=0.25))
    for metric in ("nDCG", "AP", "RR", "R", "Rprec"):
        for name, worth in (("half", 0.5), ("third", 0.25)):
            assert _value(f"{metric}(no_relevant={name})", ["a"], {"a": 0}) == worth
    Undefined.register(Undefined("half", "h", "one half", lambda: 0.5))
    assert _value("pair_accuracy(undefined=half)", ["a"], {"a": 1}) == 0.5


def test_a_number_that_is_missing_is_an_error_at_once() -> None:
    """And LaTeX is for print: another way to write 0 is the same score."""
    for kind in (NoRelevant, Undefined):
        with pytest.raises(InputError, match="has no number; give value="):
            kind("mine", "0", "as I want it")
    assert dataclasses.replace(ZERO, latex="0.0").value == 0
    assert [v.value for v in NoRelevant.values.values() if not math.isnan(v.value)] == [0, 1]
