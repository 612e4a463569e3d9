"""The search from a value to the conventions and mistakes that give it."""

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention
from irmetrics_edu.diagnosis.diagnosis_inputs import Inputs, inputs_of
from irmetrics_edu.diagnosis.mistakes import Mistake
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.result import Candidate, Diagnosis, Distinction, FoundMistake, written
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.several_runs import SeveralRuns
from irmetrics_edu.diagnosis.small import Small, small_inputs
from irmetrics_edu.diagnosis.switches import Setting, is_exhaustive
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, OURS, Bundle, bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure, measure
from irmetrics_edu.near_ties import TOLERANCE, in_order
from irmetrics_edu.numbers import Array

_MOST_COMPARED = 10  # candidates
_SHORT = 2  # a cut-off inside the small inputs
_CUTOFFS = (None, 1, 2, 3, 5, 10, 20, 50, 100, 1000)
_NEAREST = 3
_NEAR = 0.05  # of the value, or of 1: what is further off explains nothing
_Least = tuple[Setting, SettingScores, dict[str, Any]]


def diagnose(
    metric: Any,
    *inputs: Any,
    value: Any = None,
    unretrieved: Sequence[float] = (),
    conventions: Bundle | str | None = None,
    tolerance: float | None = None,
    **beside: Any,
) -> Diagnosis:
    """A diagnosis says which conventions or mistakes give a value of a measure on an input.

    `metric` is a measure or its name. `inputs` are the arguments of the measure (a list of grades,
    a ranking and its judgments, a run and its qrels ...), then the value, or `value=`. A value
    given as text keeps its digits, and they are the tolerance: "0.949" is anything from 0.9485 to
    0.9495. A whole number such as "1" means that number to four digits. For a run, the value is the
    mean over queries, or a mapping from queries to their values. A list of values is that of a list
    of runs, all of which one convention must give. With a list of grades,
    `unretrieved` holds the grades of judged documents that are not in the ranking. A run may come
    in every form that `evaluate` takes, and its default conventions apply. Runs of more than 200
    queries are searched in two steps: slow conventions, and pairs of run conventions that no
    library has, are tried only if no other convention gives the value. The exact ideal of novelty
    measures is tried for few queries only. `columns` names the columns of tables as in `evaluate`.

    Raises InputError for bad input and for a value that is not a number.

    >>> found = diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], value="0.949")
    >>> found.candidates[0].written
    'gain="exp"'
    >>> diagnose("nDCG@10", [3, 2, 3, 0, 1, 2], value="0.7900", unretrieved=[3, 2]).ours
    0.756...
    """
    if value is None:
        if len(inputs) < 2:
            raise InputError("value= is missing: give the number to explain")
        *rest, value = inputs
        inputs = tuple(rest)
    chosen = measure(metric)
    if isinstance(value, (list, tuple)):
        return _of_several(
            chosen,
            inputs=inputs,
            values=value,
            conventions=conventions,
            tolerance=tolerance,
            unretrieved=unretrieved,
            beside=beside,
        )
    search, given = search_of(chosen, inputs, unretrieved, conventions, beside)
    return explain_value(search, Target.of(value, tolerance), given)


def search_of(
    chosen: Measure,
    inputs: Sequence[Any],
    unretrieved: Sequence[float],
    conventions: Bundle | str | None,
    beside: Mapping[str, Any],
) -> tuple[Search, Inputs]:
    """The search over an input, under our own conventions, those of trec_eval for a run."""
    columns = beside.get("columns")
    rest = {name: value for name, value in beside.items() if name != "columns"}
    given = inputs_of(chosen, inputs, unretrieved, rest)
    base = OURS if conventions is None and not given.is_run else bundle(conventions or "trec_eval")
    single = not given.is_run
    search = Search(
        chosen,
        given.run,
        given.qrels,
        base,
        given.beside,
        single=single,
        columns=columns,
    )
    return search, given


def _of_several(
    chosen: Measure,
    inputs: Sequence[Any],
    values: Sequence[Any],
    conventions: Bundle | str | None,
    tolerance: float | None,
    unretrieved: Sequence[float],
    beside: Mapping[str, Any],
) -> Diagnosis:
    """The diagnosis of the values of several runs, each of which one convention must give."""
    runs, *rest = inputs
    several = isinstance(runs, (list, tuple)) and not any(isinstance(r, (int, float)) for r in runs)
    if not several or len(runs) != len(values):
        raise InputError(
            f"value= holds {len(values)} numbers: give a list of as many runs, then their judgments"
        )
    searches = {
        f"run {i}": search_of(chosen, (run, *rest), unretrieved, conventions, beside)
        for i, run in enumerate(runs, 1)
    }
    search = SeveralRuns({name: each for name, (each, _) in searches.items()})
    target = Target.of(dict(zip(searches, values, strict=True)), tolerance)
    return explain_value(search, replace(target, what="runs"), searches["run 1"][1])


def explain_value(search: Search, target: Target, given: Inputs | None = None) -> Diagnosis:
    """Try every setting and every mistake."""
    for query in target.per_query:
        if not search.has_query(query):
            raise InputError(
                f"query {query!r} has a value, but it is neither in the run nor in the judgments"
            )
    base = search.switches.base
    default = search.score(base)
    why_not = ""
    if default is None:
        why_not = search.refused(base)
    settings = list(search.switches.settings)
    untried = []
    if search.has_many:
        untried = [s for s in settings if s != base and is_exhaustive(s)]
        settings = [s for s in settings if s not in set(untried)]
    slow = [s for s in settings if search.is_large and search.switches.is_late(s)]
    late = set(slow)
    quick = [s for s in settings if s not in late]
    scored = [(s, found) for s in quick if (found := search.score(s)) is not None]
    if not any(target.fits(f.mean, f.scores, f.place) for _, f in scored):
        scored += [(s, found) for s in slow if (found := search.score(s)) is not None]
    if not scored:
        raise InputError(f"{search.chosen.name}: no convention takes this input: {why_not}")
    wrong = list(search.mistakes())
    fitting, mistakes = _that_fit(target, scored, wrong, default)
    twice = not fitting and not mistakes
    if twice:
        fitting, mistakes = _that_fit(target.rounded_before, scored, wrong, default)
    candidates = _candidates(search, target, fitting, given)
    cut = [] if candidates or mistakes else _cut_by_a_library(search, target, given)
    candidates, twice = candidates or cut, twice and not cut
    nearest = [] if candidates or mistakes else _nearest_to(search, target, scored, wrong)
    most = search.chosen.metric.range[1]
    percent = target.mean is not None and most < target.mean.value <= 100 * most < math.inf
    return Diagnosis(
        measure=search.chosen.name,
        target=target,
        ours=None if default is None else default.mean,
        why_not=why_not,
        candidates=candidates,
        mistakes=mistakes,
        distinction=told_apart(search, candidates) if len(candidates) > 1 and not cut else None,
        nearest=nearest,
        scored=len(settings),
        untried=("ideal=exact, which goes through all sets of documents",) if untried else (),
        rounded_twice=twice and bool(candidates or mistakes),
        unordered=search.unordered(),
        percent=percent,
    )


def _cut_by_a_library(search: Search, target: Target, given: Inputs | None) -> list[Candidate]:
    """The libraries whose plain name of the measure has a cut-off, if the value is that."""
    made: dict[tuple[Setting, int], Candidate] = {}
    for label, setting, k in search.switches.cut_otherwise:
        found = search.at_cutoff(setting, k)
        if found is None or not target.fits(found.mean, found.scores, found.place):
            continue
        base = search.switches.base
        others = made[setting, k].libraries if (setting, k) in made else []
        changes = setting.changes(base)
        made[setting, k] = Candidate(
            setting=setting,
            arguments={**changes, "k": k},
            differences=[
                f"k: {k} (the library's own, where its name gives none); ours: all ranks",
                *(_difference(n, v, base.values[n]) for n, v in changes.items()),
            ],
            libraries=_once_each([*others, label]),
            score=found.mean,
            call=_call(search, {**changes, "k": k}, given),
        )
    return list(made.values())


def _that_fit(
    target: Target,
    scored: list[tuple[Setting, SettingScores]],
    wrong: list[tuple[Mistake, SettingScores]],
    default: SettingScores | None,
) -> tuple[list[tuple[Setting, SettingScores]], list[FoundMistake]]:
    """The settings and the mistakes that give the value."""
    fitting = [(s, f) for s, f in scored if target.fits(f.mean, f.scores, f.place)]
    mistakes = [
        FoundMistake(m, f.mean)
        for m, f in wrong
        if target.fits(f.mean, f.scores, f.place) and (default is None or not _same(f, default))
    ]
    once = list({m.mistake.label: m for m in reversed(mistakes)}.values())[::-1]
    return fitting, sorted(once, key=lambda m: not target.is_exactly(m.score))


def _same(one: SettingScores, other: SettingScores) -> bool:
    if one.scores.shape != other.scores.shape:
        return False
    here, there = (np.append(s.scores, s.mean) for s in (one, other))
    return bool(np.allclose(here, there, rtol=0, atol=TOLERANCE, equal_nan=True))


def _candidates(
    search: Search,
    target: Target,
    fitting: list[tuple[Setting, SettingScores]],
    given: Inputs | None,
) -> list[Candidate]:
    """The settings that give the value and need each of their changes, with their libraries."""
    base = search.switches.base
    least: list[_Least] = []
    for setting, found in fitting:  # those with the fewest changes come first
        changes = setting.changes(base)
        exact = target.is_exactly(found.mean)
        if not any(
            smaller.items() <= changes.items() and exact <= target.is_exactly(other.mean)
            for _, other, smaller in least
        ):
            least.append((setting, found, changes))
    theirs: dict[Setting, list[str]] = {}
    for library, setting in search.switches.libraries():
        theirs.setdefault(setting, []).append(library)
    fits = {setting for setting, _ in fitting}
    made = []
    for setting, found, changes, alike in _merged(search, least):
        who = [
            name
            for s, names in theirs.items()
            if s in fits and any(c.items() <= s.changes(base).items() for c in alike)
            for name in names
        ]
        made.append(
            Candidate(
                setting=setting,
                arguments=changes,
                differences=[_difference(n, v, base.values[n]) for n, v in changes.items()],
                libraries=_once_each(who),
                score=found.mean,
                call=_call(search, changes, given),
            )
        )
    use = {one.name: 10**one.use for one in BUNDLES.values()}

    def order(c: Candidate) -> tuple[bool, bool, int, int]:
        """The sort key: the exact number first; then our convention, then the most used ones."""
        exact = target.is_exactly(c.score)
        return (
            not exact,
            bool(c.arguments),
            -sum(use[_library(w)] for w in c.libraries),
            len(c.arguments),
        )

    return sorted(made, key=order)


def _library(who: str) -> str:
    """The library of a name such as "ranx: ndcg_burges@2"."""
    return who.partition(":")[0]


def _once_each(names: list[str]) -> list[str]:
    """Each library once, by its first name for the measure: its plain name, if it has one."""
    found: dict[str, str] = {}
    ours = bundle("irmetrics_edu").name
    for name in sorted(names, key=lambda n: ":" in n):
        if name != ours:
            found.setdefault(_library(name), name)
    return sorted(found.values(), key=str.casefold)


def _merged(
    search: Search, least: list[_Least]
) -> list[tuple[Setting, SettingScores, dict[str, Any], list[dict[str, Any]]]]:
    """Settings that agree on every small input, as one setting with all their changes."""
    values: list[Any] = [None] * len(least)
    if 1 < len(least) <= _MOST_COMPARED:
        settings = [setting for setting, _, _ in least]
        cuts = [None] if search.chosen.metric.k is None else [None, _SHORT]
        tables = [scores_on_small_inputs(search, settings, k) for k in cuts]
        for i, columns in enumerate(zip(*tables, strict=True)):
            if all(column is not None for column in columns):
                values[i] = np.concatenate([c for c in columns if c is not None])
    groups: list[list[int]] = []
    for i, mine in enumerate(values):
        for group in groups:
            other = values[group[0]]
            if mine is None or other is None:
                continue
            if np.allclose(mine, other, atol=1e-9, equal_nan=True):
                group.append(i)
                break
        else:
            groups.append([i])
    return [(*least[group[0]], [least[i][2] for i in group]) for group in groups]


def _difference(name: str, value: Any, ours: Any) -> str:
    if isinstance(value, Convention):
        return f"{name}: {value} ({value.meaning}); ours: {ours} ({ours.meaning})"
    return f"{name}: {value}; ours: {ours}"


def _call(search: Search, changes: Mapping[str, Any], given: Inputs | None) -> str:
    """A call that gives the value, to paste."""
    metric, changes = search.chosen.metric, dict(changes)
    if "k" in changes:
        metric = metric @ changes.pop("k")
    if given is not None and not given.is_run:
        own = {n: v for n, v in metric.params.items() if n not in changes}
        options = [f"k={metric.k}"] if metric.k is not None else []
        options += [written({**own, **changes})] if {**own, **changes} else []
        return f"{metric.kernel.__name__}({', '.join([*given.written, *options])})"
    of_run = {n: v for n, v in changes.items() if n in {f.name for f in fields(Bundle)}}
    of_run = {n: v for n, v in of_run.items() if n in dict(search.switches.base.run)}
    own = {n: v for n, v in changes.items() if n not in of_run}
    changed = metric.using(**own) if own else metric
    name = search.chosen.name.partition("(")[0].partition("@")[0]
    title = changed.title(changed.k, changed.params, name)
    by = "" if search.base.name == "trec_eval" else f', conventions="{search.base.name}"'
    more = "".join(f", {name}={name}" for name in given.beside) if given is not None else ""
    return f'evaluate(run, qrels, "{title}"{by}{", " + written(of_run) if of_run else ""}{more})'


_APART = 5e-4  # as printed with three digits
_COMPARED = 6


def told_apart(search: Search, candidates: Sequence[Candidate]) -> Distinction | None:
    """The smallest input on which most of the candidates give different values."""
    settings = [c.setting for c in candidates[:_COMPARED]]
    found = first_apart(search, settings)
    if found is None:
        return None
    ranking, judgments, values = found
    names = [c.written or "our default" for c in candidates[:_COMPARED]]
    return Distinction(ranking, judgments, list(zip(names, values, strict=True)))


def first_apart(search: Search, settings: Sequence[Setting]) -> tuple[Any, Any, list[float]] | None:
    """The smallest input on which as many settings as possible differ, and what each gives."""
    scored = scores_on_small_inputs(search, settings)
    if any(s is None for s in scored):
        return None
    small = _small(search, settings)
    if small is None:
        return None
    table = np.array(scored)
    rounded = np.round(np.nan_to_num(table, nan=-1.0) / (2 * _APART))
    different = np.array([len(np.unique(column)) for column in rounded.T])
    best = int(different.max())
    if best < 2:
        return None
    query = int(np.flatnonzero(different == best)[0])
    ranking, *rest = small.inputs(search.chosen.metric, query)
    return ranking, rest[0] if rest else None, table[:, query].tolist()


def scores_on_small_inputs(
    search: Search, settings: Sequence[Setting], k: int | None = None
) -> list[Array | None]:
    """The values of each setting on every small input of the metric's kind; None if refused.

    At the measure's own cut-off, or at `k`.
    """
    small = _small(search, settings)
    if small is None:
        return [None] * len(settings)
    key = (len(small.run), k)
    if key not in search.on_small_inputs:
        chosen = search.chosen
        if k is not None:
            metric = chosen.metric.using()
            metric.k = k
            chosen = Measure(chosen.name, metric, chosen.aggregate)
        search.on_small_inputs[key] = Search(
            chosen,
            small.run,
            small.qrels,
            search.base,
            small.beside,
        )
    scored = [search.on_small_inputs[key].score(s) for s in settings]
    return [s.scores if s is not None and len(s.scores) == len(small.run) else None for s in scored]


def _small(search: Search, settings: Sequence[Setting]) -> Small | None:
    """The small inputs on which these settings may differ."""
    switched = {name for s in settings for name in s.changes(search.switches.base)}
    tied = bool(switched & {"ties", "scores"})
    try:
        return small_inputs(search.chosen.metric, tied=tied, negative="negative" in switched)
    except InputError:
        return None


def _nearest_to(
    search: Search,
    target: Target,
    scored: list[tuple[Setting, SettingScores]],
    wrong: list[tuple[Mistake, SettingScores]],
) -> list[tuple[str, float, float]]:
    """The nearest scores, of conventions, mistakes and other cut-offs, if any is near."""
    base = search.switches.base
    found = []
    for setting, f in scored:
        what = written(setting.changes(base)) or "our default"
        found.append((target.distance(f.mean, f.scores, f.place), what, f.mean))
    for m, f in wrong:
        off = target.distance(f.mean, f.scores, f.place)
        found.append((off, f"the mistake {m.label}: {m.says}", f.mean))
    metric = search.chosen.metric
    beside = () if metric.k is None else (metric.k - 1, metric.k + 1)
    cuts = dict.fromkeys(k for k in (*_CUTOFFS, *beside) if k is None or k > 0)
    for k in cuts if accepts_cutoff(metric) else ():
        other = search.at_cutoff(base, k) if k != metric.k else None
        if other is not None:
            what = "no cut-off" if k is None else f"the cut-off k={k}"
            off = target.distance(other.mean, other.scores, other.place)
            found.append((off, f"our default with {what}", other.mean))
    found = in_order(found, lambda item: item[0], rising=True)
    kept: dict[float, tuple[str, float, float]] = {}
    for off, what, score in found:
        kept.setdefault(round(score, 9), (what, score, off))
    near = _NEAR if target.mean is None else _NEAR * max(1.0, abs(target.mean.value))
    return [found for found in kept.values() if found[2] <= near][:_NEAREST]


def accepts_cutoff(metric: Metric) -> bool:
    """Whether the metric can be cut at another rank."""
    return metric.has_cutoff and "k" in inspect.signature(metric.kernel).parameters
