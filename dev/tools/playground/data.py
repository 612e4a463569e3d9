"""The page's data about measures, conventions, libraries and mistakes, from the registries."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from dev.tools.places import page_of_metric
from dev.tools.playground.words import WORDS
from irmetrics_edu.conventions import Convention, Discount, Gain
from irmetrics_edu.diagnosis.mistakes.mistake import Mistake, mistakes_of
from irmetrics_edu.diagnosis.small import small_inputs
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.views.terms import GLOSSARY

MEASURES = ("nDCG", "DCG", "AP", "RR", "P", "R", "ERR", "RBP", "Q", "bpref", "alpha-nDCG")
CURVES = ("PR-AUC",)  # which some libraries call AP
LEVELS = range(2, 10)  # of relevance, where a library has a measure for each
_KINDS: Mapping[str, type[Convention]] = {"gain": Gain, "discount": Discount}
_K = 10  # stands for any cut-off
# A tied pair, a document that nobody judged and one that was not retrieved: for conventions.
_RANKED: tuple[Any, ...] = ({"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 0, "d": 1})
_CURVE: tuple[Any, ...] = ([2, 0, 1], [3, 2, 1])
_NUGGETS: tuple[Any, ...] = ({"a": 2, "b": 1, "c": 1}, {"a": {"A"}, "b": {"A", "B"}, "d": {"B"}})
# A page has no document twice, no scores but those that tie, and sets of nuggets without grades;
# one gamma for all nuggets cancels.
_WITHOUT_EFFECT = {"duplicates", "scores"}
_ASKS = {
    "ties": "order of ties", "unjudged": "unjudged documents", "negative": "negative grades",
    "pool": "judgments that count", "unretrieved": "documents not retrieved",
    "no_relevant": "nothing relevant", "rel": "relevant from grade", "cut": "what is cut at k",
    "max_grade": "highest grade", "beta": "beta", "p": "persistence p", "alpha": "alpha",
    "bound": "divisor of bpref",
    "satisfaction": "chance to stop", "depth": "length of the ideal", "ideal": "ideal ranking",
}  # fmt: skip


def data() -> dict[str, Any]:
    """Everything that the page needs, as JSON has it; the same on every machine."""
    import_all()
    measures = {name: _measure(METRICS[name]) for name in (*MEASURES, *CURVES)}
    columns = {c for m in measures.values() for c in m.pop("columns")}
    libraries = [entry for one in BUNDLES.values() if (entry := _library(one))["entries"]]
    meanings = _meanings()
    for name, measure in measures.items():
        said = [e["said"] for one in libraries for e in one["entries"] if e["measure"] == name]
        for option in measure["options"]:
            _add_more(option, said, meanings)
    return {
        "measures": measures,
        "meanings": meanings,
        "words": WORDS,
        "of_runs": {n: _departures(METRICS[n], BUNDLES["trec_eval"]) for n in (*MEASURES, *CURVES)},
        "libraries": libraries,
        "terms": {c: GLOSSARY[c].meaning for c in sorted(columns) if c in GLOSSARY},
        "small": _small(),
        "pages": {n: f"{page_of_metric(m)}.html" for n, m in METRICS.items() if n not in measures},
    }


def _measure(metric: Metric) -> dict[str, Any]:
    given = _options(metric)
    inputs = _inputs(metric)
    working = metric.working(*inputs)
    return {
        "function": metric.kernel.__name__,
        "definition": metric.definition,
        "cutoff": metric.has_cutoff,
        "nuggets": metric.inputs is not RANKED and metric.name not in CURVES,
        "curve": metric.name in CURVES,
        "options": [_option(metric, name, value) for name, value in given.items()],
        "mistakes": [found for m in mistakes_of(metric) if (found := _mistake(metric, m))],
        "columns": {c for w in (working, *working.parts.values()) for c in w.columns},
    }


def _options(metric: Metric) -> dict[str, Any]:
    """The options with our defaults; what a curve does with missed documents is a library's."""
    given = {**metric.defaults, **metric.inputs.options}
    if metric.name in CURVES:
        given["unretrieved"] = RANKED.options["unretrieved"]
    return given


def _inputs(metric: Metric) -> tuple[Any, ...]:
    if metric.name in CURVES:
        return _CURVE
    return _RANKED if metric.inputs is RANKED else _NUGGETS


def _option(metric: Metric, name: str, default: Any) -> dict[str, Any]:
    """A convention with its values, or a number."""
    values = []
    if isinstance(default, Convention):
        kept = dict.fromkeys(type(default).values.values())
        values = [v.name for v in kept if name == "unretrieved" or _takes(metric, name, v)]
    nuggets = metric.inputs is not RANKED and metric.name not in CURVES
    idle = name in _WITHOUT_EFFECT or (name in ("rel", "gamma") and nuggets)
    if metric.name in CURVES and name == "unretrieved":
        idle = True
    return {
        "name": name,
        "label": _ASKS.get(name, name),
        "default": plain(default),
        "values": values,
        "of_run": name in metric.inputs.options,
        "shown": not idle,
    }


def _add_more(
    option: dict[str, Any], said: Sequence[Mapping[str, Any]], meanings: dict[str, dict[str, str]]
) -> None:
    """Add the values with a number that some library has, such as binary(2)."""
    name = option["name"]
    theirs = {s[name] for s in said if isinstance(s.get(name), str)}
    option["more"] = sorted(theirs - {option["default"], "highest", *option["values"]})
    for value in option["more"]:
        if name in _KINDS:
            meanings[name][value] = _KINDS[name].named(value).meaning


def _meanings() -> dict[str, dict[str, str]]:
    """The meaning of each value of each convention."""
    found: dict[str, dict[str, str]] = {}
    for name in MEASURES:
        for option, default in _options(METRICS[name]).items():
            if isinstance(default, Convention):
                known = found.setdefault(option, {})
                known.update({v.name: v.meaning for v in type(default).values.values()})
    return found


def _takes(metric: Metric, name: str, value: Any) -> bool:
    """Whether the convention applies to the measure."""
    cut = metric @ 2 if metric.has_cutoff else metric
    try:
        cut.using(**{name: value})(*_inputs(metric))
    except InputError:
        return False
    return True


def _mistake(right: Metric, m: Mistake) -> dict[str, Any] | None:
    """A mistake, with its options if it is only a wrong convention; None if the page lacks it.

    Any other has a line in `mistakes.mjs`; mistakes over several queries have none.
    """
    wrong = m.wrong(right.name)
    same = wrong.kernel is right.kernel
    if not same and f'"{m.label}":' not in source("mistakes.mjs"):
        return None
    options = {n: plain(v) for n, v in wrong.params.items()} if same else None
    return {"label": m.label, "says": m.says, "why": m.why, "read": m.read, "options": options}


def _library(one: Bundle) -> dict[str, Any]:
    entries = [e for pattern, entry in one.metrics.items() for e in _entries(one, pattern, entry)]
    return {
        "name": one.name,
        "version": f"{one.package} {one.version}".strip(),
        "known": one.known,
        "use": one.use,
        "missing": one.missing_queries.name,
        "entries": entries,
    }


def _entries(one: Bundle, pattern: str, entry: Any) -> Iterator[dict[str, Any]]:
    """A name that a library prints, with its conventions; for each level, if it has levels."""
    text = entry if isinstance(entry, str) else entry["measure"]
    share = "0.{p}" in text
    for level in LEVELS if "{p}" in pattern and not share else (None,):
        name = pattern.replace("{k}", str(_K)).replace("{p}", "80" if share else str(level))
        try:
            metric, by = one.measure(name)
        except InputError:  # a level of recall, which none of these measures has
            continue
        if metric.name not in (*MEASURES, *CURVES) or one.is_odd(name):
            continue
        found: dict[str, Any] = {
            "name": pattern if share or level is None else pattern.replace("{p}", str(level)),
            "measure": metric.name,
            "cut": "{k}" in pattern,
            "said": _departures(metric, by),
        }
        if level is not None:
            found["level"] = level
        if share:
            found["share"] = True
        yield found


def _departures(metric: Metric, by: Bundle) -> dict[str, Any]:
    """The conventions of a measure under a bundle, by name, that are not our defaults."""
    settled = by.settle(metric)
    ours = _options(metric)
    theirs = {**{n: settled.params.get(n, d) for n, d in settled.defaults.items()},
              **by.aligned(metric)}  # fmt: skip
    return {n: plain(theirs[n]) for n, d in ours.items() if plain(theirs[n]) != plain(d)}


def plain(value: Any) -> Any:
    """A convention by its name, a number as JSON has it."""
    if isinstance(value, Convention):
        return value.name
    return str(value) if isinstance(value, float) and not isfinite(value) else value


@cache
def source(name: str) -> str:
    """A file of the page."""
    return (Path(__file__).parent / name).read_text("utf-8")


def _small() -> Mapping[str, Any]:
    """Small inputs of rankings: grades in order, grades that were missed; and scores that tie."""
    listed = small_inputs(METRICS["AP"], negative=True)
    tied = small_inputs(METRICS["AP"], tied=True)
    both = [(run, (listed.qrels or {})[i]) for i, run in listed.run.items()]
    return {
        "inputs": [
            [[judged.get(d) for d in run], [g for d, g in judged.items() if d not in run]]
            for run, judged in both
        ],
        "scores": [
            list(s)
            for s in dict.fromkeys(tuple(r.values()) for r in tied.run.values() if len(r) == 3)
        ],
    }
