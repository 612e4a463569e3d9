"""The search from a value to the conventions and mistakes that give it."""

import inspect
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from irmetrics_edu.conventions import Convention
from irmetrics_edu.diagnosis.diagnosis_inputs import Inputs, InputShape, inputs_of
from irmetrics_edu.diagnosis.evidence import evidence_of
from irmetrics_edu.diagnosis.mistakes import Mistake
from irmetrics_edu.diagnosis.mistakes_elsewhere import (
    Elsewhere,
    found_elsewhere,
    mistakes_elsewhere,
)
from irmetrics_edu.diagnosis.neighbours import Neighbour, neighbours
from irmetrics_edu.diagnosis.printed import GivenValue, Target
from irmetrics_edu.diagnosis.result import Candidate, Diagnosis, Distinction, FoundMistake, written
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.several_runs import SeveralRuns
from irmetrics_edu.diagnosis.small import Small, small_inputs
from irmetrics_edu.diagnosis.switches import MOST_LEVELS, Setting, is_exhaustive
from irmetrics_edu.diagnosis.watching import Watch, watch
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, OURS, Bundle, bundle
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import Measure, measure
from irmetrics_edu.near_ties import TOLERANCE, in_order
from irmetrics_edu.numbers import Array

_MOST_COMPARED = 10  # candidates
_ALL_SETS = "ideal=exact, which goes through all sets of documents"
_SHORT = 2  # a cut-off inside the small inputs
_CUTOFFS = (None, 1, 2, 3, 5, 10, 20, 50, 100, 1000)
_NEAREST = 3
_NEAR = 0.05  # of the value, or of 1: what is further off explains nothing
_Changes = dict[str, Any]
_Scored = tuple[Setting, SettingScores]
_Wrong = tuple[Mistake, SettingScores]
_Least = tuple[Setting, SettingScores, _Changes]
_Near = tuple[float, str, float]  # how far off, what it is, its score


def diagnose(
    metric: Measure | Metric | str,
    *inputs: Any,
    value: GivenValue | None = None,
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
    search, read = search_of(
        chosen,
        inputs,
        unretrieved,
        conventions,
        beside,
    )
    return explain_value(search, Target.of(value, tolerance), read)


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
    read = inputs_of(
        chosen,
        inputs,
        unretrieved,
        rest,
    )
    if conventions is not None:
        base = bundle(conventions)
    elif read.shape is InputShape.RUN:
        base = bundle("trec_eval")
    else:
        base = OURS
    search = Search(
        chosen,
        read.run,
        read.qrels,
        base,
        read.beside,
        shape=read.shape,
        columns=columns,
    )
    return search, read


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
    several = isinstance(runs, (list, tuple))
    if several and any(isinstance(run, (int, float)) for run in runs):
        several = False  # the grades of one ranking
    if not several or len(runs) != len(values):
        raise InputError(
            f"value= holds {len(values)} numbers: give a list of as many runs, then their judgments"
        )
    searches: dict[str, Search] = {}
    inputs_of_runs: list[Inputs] = []
    for number, run in enumerate(runs, 1):
        search, read = search_of(
            chosen,
            (run, *rest),
            unretrieved,
            conventions,
            beside,
        )
        searches[f"run {number}"] = search
        inputs_of_runs.append(read)
    target = Target.of(dict(zip(searches, values, strict=True)), tolerance)
    return explain_value(SeveralRuns(searches), replace(target, what="runs"), inputs_of_runs[0])


@dataclass(frozen=True)
class _Trials:
    """What was tried: the settings with their scores, and the mistakes with theirs."""

    scored: list[_Scored]
    wrong: list[_Wrong]
    default: SettingScores | None  # that of our own setting
    why_not: str  # why our own setting gives none
    tried: int
    untried: bool  # whether settings were left out that go through all sets of documents
    elsewhere: list[Elsewhere] = field(default_factory=list)  # mistakes under other conventions
    of_all: int = 0  # settings to try
    interrupted: bool = False  # whether somebody stopped before all of them, or the rest, was tried

    @property
    def scores(self) -> list[SettingScores]:
        """All scores."""
        of_settings = [scores for _, scores in self.scored]
        of_mistakes = [scores for _, scores in self.wrong]
        return [*of_settings, *of_mistakes, *(scores for *_, scores in self.elsewhere)]

    def that_fit(self, target: Target) -> tuple[list[_Scored], list[FoundMistake]]:
        """The settings and the mistakes that give the value."""
        fitting = [(setting, scores) for setting, scores in self.scored if _fits(target, scores)]
        mistakes = []
        for mistake, scores in self.wrong:
            right = self.default is not None and _same(scores, self.default)
            if _fits(target, scores) and not right:
                mistakes.append(FoundMistake(mistake, scores.mean))
        once: dict[str, FoundMistake] = {}
        for wrong in mistakes:
            once.setdefault(wrong.mistake.label, wrong)
        return fitting, sorted(once.values(), key=lambda wrong: not target.is_exactly(wrong.score))


def _fits(target: Target, scores: SettingScores) -> bool:
    return target.fits(scores.mean, scores.scores, scores.place)


def explain_value(
    search: Search,
    target: Target,
    inputs: Inputs | None = None,
) -> Diagnosis:
    """Try every setting and every mistake."""
    _refuse_unknown(search, target)
    watching = watch()
    trials = _try_all(search, target, watching)
    fitting, mistakes = trials.that_fit(target)
    rounded_twice = False
    if not fitting and not mistakes:
        fitting, mistakes = trials.that_fit(target.rounded_before)
        rounded_twice = bool(fitting or mistakes)
    candidates = _candidates(
        search,
        target,
        fitting,
        inputs,
    )
    distinction = None
    if len(candidates) > 1:
        distinction = told_apart(search, candidates)
    explained = _Explained(candidates, mistakes)
    if not (explained.explains or trials.interrupted):
        with watching.part():
            explained = _explained_otherwise(
                search,
                target,
                trials,
                inputs,
            )
    return Diagnosis(
        measure=search.chosen.name,
        target=target,
        ours=None if trials.default is None else trials.default.mean,
        why_not=trials.why_not,
        candidates=explained.candidates,
        mistakes=explained.mistakes,
        distinction=distinction,
        nearest=explained.nearest,
        scored=trials.tried,
        has_judgments=search.has_judgments,
        interrupted_of=trials.of_all if watching.interrupted else None,
        untried=_untried(search, trials),
        rounded_twice=rounded_twice,
        unordered=search.unordered(),
        _of_order=search.of_order(),
        percent=_may_be_a_percentage(search, target),
        others=explained.others,
        evidence=evidence_of(search, target, trials.scores) if explained.explains else None,
    )


def _refuse_unknown(search: Search, target: Target) -> None:
    """Refuse a query with a value that no query of the run and of the judgments is."""
    for query in target.per_query:
        if not search.has_query(query):
            raise InputError(
                f"query {query!r} has a value, but it is neither in the run nor in the judgments"
            )


def _untried(search: Search, trials: _Trials) -> tuple[str, ...]:
    """What was left out, as it would take too long."""
    left_out: list[str] = []
    if trials.untried:
        left_out.append(_ALL_SETS)
    if search.facts.levels_left_out:
        left_out.append(f"levels of relevance above the {MOST_LEVELS} lowest grades")
    return tuple(left_out)


@dataclass(frozen=True)
class _Explained:
    """What gives a value; what comes near it and which measures give it, if nothing does."""

    candidates: list[Candidate] = field(default_factory=list)
    mistakes: list[FoundMistake] = field(default_factory=list)
    nearest: list[tuple[str, float, float]] = field(default_factory=list)
    others: list[Neighbour] = field(default_factory=list)

    @property
    def explains(self) -> bool:
        """Whether something gives the value."""
        return bool(self.candidates or self.mistakes)


def _explained_otherwise(
    search: Search,
    target: Target,
    trials: _Trials,
    inputs: Inputs | None,
) -> _Explained:
    """What gives a value that no convention and no mistake under ours gives: plain names first."""
    candidates = _cut_by_a_library(search, target, inputs)
    if candidates:
        return _Explained(candidates)
    others = neighbours(search, target)
    nearest = _nearest_to(search, target, trials)
    cut_off = any(target.is_cut(score) for _, score, _ in nearest)
    if not others and not cut_off:
        trials.elsewhere.extend(mistakes_elsewhere(search, target))
        mistakes = found_elsewhere(search, target, trials.elsewhere)
        if mistakes:
            return _Explained(mistakes=mistakes)
    return _Explained(nearest=nearest, others=others)


def _try_all(search: Search, target: Target, watching: Watch) -> _Trials:
    """The scores of all settings; of slow ones only if no other gives the value."""
    base = search.switches.base
    default = search.score(base)
    why_not = "" if default is not None else search.refused(base)
    quick, slow, untried = _in_order_of_time(search)
    of_all = len(quick) + len(slow)
    watching.begin(of_all)
    scored: list[_Scored] = []
    wrong: list[_Wrong] = []
    with watching.part():
        scored.extend(_scores_of(search, quick, watching))
        if not any(_fits(target, scores) for _, scores in scored):
            scored.extend(_scores_of(search, slow, watching))
        if scored:
            wrong.extend(search.mistakes())
    if watching.interrupted and not scored:
        raise KeyboardInterrupt
    if not scored:
        raise InputError(f"{search.chosen.name}: no convention takes this input: {why_not}")
    return _Trials(
        scored=scored,
        wrong=wrong,
        default=default,
        why_not=why_not,
        tried=watching.tried if watching.interrupted else of_all,
        of_all=of_all,
        interrupted=watching.interrupted,
        untried=bool(untried),
    )


def _in_order_of_time(search: Search) -> tuple[list[Setting], list[Setting], list[Setting]]:
    """The settings that are quick, those that are slow, and those that would take minutes."""
    quick: list[Setting] = []
    slow: list[Setting] = []
    untried: list[Setting] = []
    base = search.switches.base
    for setting in search.switches.settings:
        if search.has_many and setting != base and is_exhaustive(setting):
            untried.append(setting)
        elif search.is_large and search.switches.is_late(setting):
            slow.append(setting)
        else:
            quick.append(setting)
    return quick, slow, untried


def _scores_of(
    search: Search,
    settings: Sequence[Setting],
    watching: Watch,
) -> Iterator[_Scored]:
    """Each setting that takes the input, with its scores."""
    for setting in settings:
        scores = search.score(setting)
        watching.one_more()
        if scores is not None:
            yield setting, scores


def _may_be_a_percentage(search: Search, target: Target) -> bool:
    """Whether the value is above what the measure can be, but a hundredth of it is not."""
    most = search.chosen.metric.range[1]
    if target.mean is None or not math.isfinite(most):
        return False
    return most < target.mean.value <= 100 * most


def _cut_by_a_library(
    search: Search,
    target: Target,
    inputs: Inputs | None,
) -> list[Candidate]:
    """The libraries whose plain name of the measure has a cut-off, if the value is that."""
    made: dict[tuple[Setting, int], Candidate] = {}
    base = search.switches.base
    for label, setting, k in search.switches.cut_otherwise:
        scores = search.at_cutoff(setting, k)
        if scores is None or not _fits(target, scores):
            continue
        earlier = made.get((setting, k))
        labels = [] if earlier is None else list(earlier.libraries)
        changes = setting.changes(base)
        differences = [
            f"k: {k} (the library's own, where its name gives none); ours: all ranks",
        ]
        differences += _differences(changes, base)
        made[setting, k] = Candidate(
            setting=setting,
            arguments={**changes, "k": k},
            differences=differences,
            libraries=_once_each([*labels, label]),
            score=scores.mean,
            call=_call(search, {**changes, "k": k}, inputs),
        )
    return list(made.values())


def _same(one: SettingScores, other: SettingScores) -> bool:
    if one.scores.shape != other.scores.shape:
        return False
    here = np.append(one.scores, one.mean)
    there = np.append(other.scores, other.mean)
    return bool(
        np.allclose(
            here,
            there,
            rtol=0,
            atol=TOLERANCE,
            equal_nan=True,
        )
    )


def _candidates(
    search: Search,
    target: Target,
    fitting: list[_Scored],
    inputs: Inputs | None,
) -> list[Candidate]:
    """The settings that give the value and need each of their changes, with their libraries."""
    base = search.switches.base
    followers = _followers(search, {setting for setting, _ in fitting})
    made = []
    for setting, scores, changes, alike in _merged(
        search, _with_least_changes(fitting, target, base)
    ):
        libraries = []
        for theirs, names in followers.items():
            their_changes = theirs.changes(base)
            if any(some.items() <= their_changes.items() for some in alike):
                libraries += names
        made.append(
            Candidate(
                setting=setting,
                arguments=changes,
                differences=_differences(changes, base),
                libraries=_once_each(libraries),
                score=scores.mean,
                call=_call(search, changes, inputs),
            )
        )
    use = {library.name: 10**library.use for library in BUNDLES.values()}

    def order(candidate: Candidate) -> tuple[bool, bool, int, int]:
        """The sort key: the exact number first; then our convention, then the most used ones."""
        exact = target.is_exactly(candidate.score)
        users = sum(use[_library(name)] for name in candidate.libraries)
        if candidate.setting in search.switches.of_other_names:
            users = 0
        return not exact, bool(candidate.arguments), -users, len(candidate.arguments)

    return sorted(made, key=order)


def _with_least_changes(
    fitting: list[_Scored],
    target: Target,
    base: Setting,
) -> list[_Least]:
    """The settings of which no other with fewer of the same changes is as near."""
    least: list[_Least] = []
    for setting, scores in fitting:  # those with the fewest changes come first
        changes = setting.changes(base)
        exact = target.is_exactly(scores.mean)
        needless = False
        for _, other, smaller in least:
            as_near = exact <= target.is_exactly(other.mean)
            needless = needless or (smaller.items() <= changes.items() and as_near)
        if not needless:
            least.append((setting, scores, changes))
    return least


def _followers(search: Search, fits: set[Setting]) -> dict[Setting, list[str]]:
    """The settings of libraries that give the value, with the names of these libraries."""
    followers: dict[Setting, list[str]] = {}
    for library, setting in search.switches.libraries():
        if setting in fits:
            followers.setdefault(setting, []).append(library)
    return followers


def _library(who: str) -> str:
    """The library of a name such as "ranx: ndcg_burges@2"."""
    return who.partition(":")[0]


def _once_each(names: list[str]) -> list[str]:
    """Each library once, by its first name for the measure: its plain name, if it has one."""
    first_names: dict[str, str] = {}
    ours = bundle("irmetrics_edu").name
    for name in sorted(names, key=lambda n: ":" in n):
        if name != ours:
            first_names.setdefault(_library(name), name)
    return sorted(first_names.values(), key=str.casefold)


def _merged(
    search: Search, least: list[_Least]
) -> list[tuple[Setting, SettingScores, _Changes, list[_Changes]]]:
    """Settings that agree on every small input, as one setting with all their changes."""
    values = _values_on_small_inputs(search, [setting for setting, _, _ in least])
    groups: list[list[int]] = []
    for place, mine in enumerate(values):
        for group in groups:
            other = values[group[0]]
            if mine is None or other is None:
                continue
            if np.allclose(
                mine,
                other,
                atol=1e-9,
                equal_nan=True,
            ):
                group.append(place)
                break
        else:
            groups.append([place])
    merged = []
    for group in groups:
        setting, scores, changes = least[group[0]]
        merged.append((setting, scores, changes, [least[place][2] for place in group]))
    return merged


def _values_on_small_inputs(search: Search, settings: list[Setting]) -> list[Array | None]:
    """What each setting gives on every small input, uncut and cut; None where it is not known."""
    values: list[Array | None] = [None] * len(settings)
    if not 1 < len(settings) <= _MOST_COMPARED:
        return values
    tables = [scores_on_small_inputs(search, settings, None)]
    if search.chosen.metric.k is not None:
        tables.append(scores_on_small_inputs(search, settings, _SHORT))
    for place in range(len(settings)):
        columns = [table[place] for table in tables]
        computed = [column for column in columns if column is not None]
        if len(computed) == len(columns):
            values[place] = np.concatenate(computed)
    return values


def _differences(changes: Mapping[str, Any], base: Setting) -> list[str]:
    """Each change beside what is ours."""
    return [_difference(name, value, base.values[name]) for name, value in changes.items()]


def _difference(
    name: str,
    value: Any,
    ours: Any,
) -> str:
    if isinstance(value, Convention):
        return f"{name}: {value} ({value.meaning}); ours: {ours} ({ours.meaning})"
    if name == "alpha" and ours is None:  # of F
        not_squared = f"alpha = 1/(beta + 1) with beta = {1 / value - 1:g}, not squared"
        return f"{name}: {value:.4g} ({not_squared}); ours: 1/(beta^2 + 1)"
    return f"{name}: {value}; ours: {ours}"


def _call(
    search: Search,
    changes: Mapping[str, Any],
    inputs: Inputs | None,
) -> str:
    """A call that gives the value, to paste."""
    metric = search.chosen.metric
    changes = dict(changes)
    if "k" in changes:
        metric = metric @ changes.pop("k")
    if inputs is not None and inputs.shape is not InputShape.RUN:
        return _call_of_one(metric, changes, inputs)
    beside = [] if inputs is None else list(inputs.beside)
    return _call_of_run(
        search,
        metric,
        changes,
        beside,
    )


def _call_of_one(
    metric: Metric,
    changes: Mapping[str, Any],
    inputs: Inputs,
) -> str:
    """A call of the measure with one ranking."""
    params = {name: value for name, value in metric.params.items() if name not in changes}
    params.update(changes)
    arguments = list(inputs.written)
    if metric.k is not None:
        arguments.append(f"k={metric.k}")
    if params:
        arguments.append(written(params, as_code=True))
    return f"{metric.kernel.__name__}({', '.join(arguments)})"


def _call_of_run(
    search: Search, metric: Metric, changes: Mapping[str, Any], beside: Sequence[str]
) -> str:
    """A call of evaluate with a run and its judgments."""
    of_bundle = {field.name for field in fields(Bundle)}
    switched = dict(search.switches.base.run)
    of_run: _Changes = {}
    of_metric: _Changes = {}
    for name, value in changes.items():
        part = of_run if name in of_bundle and name in switched else of_metric
        part[name] = value
    changed = metric.using(**of_metric) if of_metric else metric
    name = search.chosen.name.partition("(")[0].partition("@")[0]
    arguments = ["run", "qrels", f'"{changed.title(changed.k, changed.params, name)}"']
    if search.base.name != "trec_eval":
        arguments.append(f'conventions="{search.base.name}"')
    if of_run:
        arguments.append(written(of_run))
    arguments += [f"{name}={name}" for name in beside]
    return f"evaluate({', '.join(arguments)})"


_APART = 5e-4  # as printed with three digits
_COMPARED = 6


def told_apart(search: Search, candidates: Sequence[Candidate]) -> Distinction | None:
    """The smallest input on which most of the candidates give different values."""
    settings = [c.setting for c in candidates[:_COMPARED]]
    example = first_apart(search, settings)
    if example is None:
        return None
    ranking, judgments, values = example
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
    told = np.where(np.isnan(table), -np.inf, table)  # which no score is
    rounded = np.round(told / (2 * _APART))
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
    values: list[Array | None] = []
    for setting in settings:
        scores = search.on_small_inputs[key].score(setting)
        complete = scores is not None and len(scores.scores) == len(small.run)
        values.append(scores.scores if scores is not None and complete else None)
    return values


def _small(search: Search, settings: Sequence[Setting]) -> Small | None:
    """The small inputs on which these settings may differ."""
    switched: set[str] = set()
    for setting in settings:
        switched.update(setting.changes(search.switches.base))
    tied = bool(switched & {"ties", "scores"})
    try:
        return small_inputs(search.chosen.metric, tied=tied, negative="negative" in switched)
    except InputError:
        return None


def _nearest_to(
    search: Search,
    target: Target,
    trials: _Trials,
) -> list[tuple[str, float, float]]:
    """The nearest scores, of conventions, mistakes and other cut-offs, if any is near."""
    base = search.switches.base
    tried: list[_Near] = []
    for setting, scores in trials.scored:
        name = written(setting.changes(base)) or "our default"
        tried.append(_distance_of(target, name, scores))
    for mistake, scores in trials.wrong:
        name = f"the mistake {mistake.label}: {mistake.says}"
        tried.append(_distance_of(target, name, scores))
    for k in _other_cutoffs(search.chosen.metric):
        other = search.at_cutoff(base, k)
        if other is not None:
            name = "no cut-off" if k is None else f"the cut-off k={k}"
            tried.append(_distance_of(target, f"our default with {name}", other))
    kept: dict[float, tuple[str, float, float]] = {}
    for off, name, score in in_order(tried, lambda near: near[0], rising=True):
        kept.setdefault(round(score, 9), (name, score, off))
    unit = 1.0 if target.mean is None else max(1.0, abs(target.mean.value))
    return [near for near in kept.values() if near[2] <= _NEAR * unit][:_NEAREST]


def _distance_of(
    target: Target,
    name: str,
    scores: SettingScores,
) -> _Near:
    return target.distance(scores.mean, scores.scores, scores.place), name, scores.mean


def _other_cutoffs(metric: Metric) -> list[int | None]:
    """The cut-offs to try beside the measure's own."""
    if not accepts_cutoff(metric):
        return []
    beside = () if metric.k is None else (metric.k - 1, metric.k + 1)
    cuts = dict.fromkeys((*_CUTOFFS, *beside))
    return [k for k in cuts if k != metric.k and (k is None or k > 0)]


def accepts_cutoff(metric: Metric) -> bool:
    """Whether the metric can be cut at another rank."""
    return metric.has_cutoff and "k" in inspect.signature(metric.kernel).parameters
