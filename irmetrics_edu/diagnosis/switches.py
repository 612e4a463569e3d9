"""The switches of a metric and of a run, each with its values."""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from irmetrics_edu.conventions import (
    APART,
    KNOWN,
    NO_DUPLICATES,
    NO_GAIN,
    NOWHERE,
    Averaging,
    Convention,
    Negative,
    Reading,
    Scores,
    Ties,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, Bundle
from irmetrics_edu.metrics.definition import METRICS, Metric
from irmetrics_edu.metrics.novelty_ideal import EXACT
from irmetrics_edu.runs.averaging import SHARES

_MOST_OF_RUN = 2  # changes of the run at once, of which each combination is aligned anew
_SLOW = {"unretrieved", "duplicates"}  # aligned query by query: tried one at a time
MOST_LEVELS = 100  # of relevance that are tried; no scale has so many grades
_MOST_SETTINGS = 600  # all combinations if they are no more, else those with few changes


@dataclass(frozen=True)
class Setting:
    """Values for all switches: those of the metric, and those of the run."""

    metric: tuple[tuple[str, Any], ...]
    run: tuple[tuple[str, Any], ...]

    @property
    def values(self) -> dict[str, Any]:
        """All values by name."""
        return dict((*self.run, *self.metric))

    def changes(self, base: "Setting") -> dict[str, Any]:
        """The switches whose values differ from the base."""
        theirs = base.values
        return {name: v for name, v in self.values.items() if v != theirs.get(name)}

    def changed(self, changes: Mapping[str, Any]) -> "Setting":
        """The setting with some values changed."""
        metric = tuple((name, changes.get(name, value)) for name, value in self.metric)
        run = tuple((name, changes.get(name, value)) for name, value in self.run)
        return Setting(metric, run)


@dataclass(frozen=True)
class Facts:
    """The facts of an input that decide which switches can make a difference.

    The defaults are those of lists that have no grades.
    """

    several: bool  # queries
    missing: bool
    not_judged: bool  # some query of the run has no judgments
    without_relevant: bool = True  # some query has nothing relevant
    missed: bool = True  # some judged document was not retrieved
    tied: bool = False
    tied_in_32_bits: bool = False
    negative: bool = False
    unjudged: bool = False
    own: bool = False  # some query retrieves a document with its own id
    repeated: bool = False  # some document was ranked twice
    largest_pool: int = 0  # the most documents judged of one query
    longest: int = 0  # the most documents ranked for one query
    grades: tuple[float, ...] = ()  # the lowest above 0, each of which may be a level of relevance
    levels_left_out: int = 0  # the grades above these


class Switches:
    """The switches of a metric over an input, and the settings that they allow."""

    def __init__(
        self,
        metric: Metric,
        base: Bundle,
        facts: Facts,
        *,
        single: bool,
        geometric: bool = False,
    ) -> None:
        self.bare = METRICS[metric.name] if metric.k is None else METRICS[metric.name] @ metric.k
        self.given = metric
        self._facts = facts
        self._libraries: list[tuple[str, Setting]] | None = None
        # Where a library's plain name cuts off at a rank that some list goes beyond.
        self.cut_otherwise: dict[tuple[str, Setting, int], None] = {}
        # What libraries have at a cut-off alone, or by an option: not under the name asked.
        self.of_other_names: set[Setting] = set()
        settled = base.settle(metric)
        self.of_metric: dict[str, list[Any]] = {}
        for name, default in settled.defaults.items():
            values = _values(
                name,
                default,
                facts,
                metric,
            )
            if values is None:
                continue
            chosen = _as_value(name, settled.params.get(name, default), default)
            self.of_metric[name] = _first(chosen, values)
        self.of_run: dict[str, list[Any]] = {
            name: _first(settled.params.get(name, getattr(base, name)), values)
            for name, values in _of_run(
                metric,
                base,
                facts,
                single=single,
            ).items()
        }
        # Of the retrieved alone nothing may be relevant: libraries may say what that is worth.
        if "no_relevant" in settled.defaults and "no_relevant" not in self.of_metric:
            chosen_value = settled.params.get("no_relevant", settled.defaults["no_relevant"])
            self.of_metric["no_relevant"] = [chosen_value]
        # Documents that are put at the end are tied there, also where no others are.
        self._only_at_the_end = "ties" in metric.inputs.options and "ties" not in self.of_run
        if self._only_at_the_end:
            self.of_run["ties"] = [base.ties]
        if geometric:
            self.of_run["floor"] = _first(base.floor, [1e-5, 0.0])
        self.base = Setting(
            tuple((name, values[0]) for name, values in self.of_metric.items()),
            tuple((name, values[0]) for name, values in self.of_run.items()),
        )

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """All settings, including those of libraries, fewest changes first."""
        once: dict[Setting, None] = dict.fromkeys(self._combined())
        once.update(dict.fromkeys(s for _, s in self.libraries()))
        return tuple(sorted(once, key=self._distance))

    def is_late(self, setting: Setting) -> bool:
        """Whether the setting needs an alignment that is slow or that no library has."""
        of_run = [name for name in setting.changes(self.base) if name in self.of_run]
        return is_slow(setting) or (len(of_run) > 1 and setting not in self._theirs)

    @cached_property
    def _theirs(self) -> frozenset[Setting]:
        return frozenset(setting for _, setting in self.libraries())

    def _distance(self, setting: Setting) -> tuple[int, int]:
        """The number of changes of a setting, and the number of them for the whole run."""
        changes = setting.changes(self.base)
        if "identical_ids" in changes:  # where it makes a difference it is likelier than others
            return len(changes), -1
        return len(changes), sum(name in self.of_run for name in changes)

    def _combined(self) -> Iterator[Setting]:
        table = {**self.of_run, **self.of_metric}
        names = list(table)
        size = 1
        for values in table.values():
            size *= len(values)
        if size <= _MOST_SETTINGS:
            most = len(names)
        elif size <= 20 * _MOST_SETTINGS:
            most = 3
        else:
            most = 2
        for count in range(most + 1):
            for changed in itertools.combinations(names, count):
                if not self._too_many_of_run(changed):
                    yield from self._changed(table, changed)

    def _too_many_of_run(self, changed: Sequence[str]) -> bool:
        """Whether so many switches of the run are changed that it would take too long."""
        of_run = [name for name in changed if name in self.of_run]
        most = 1 if _SLOW.intersection(of_run) else _MOST_OF_RUN
        return len(of_run) > most

    def _changed(self, table: Mapping[str, list[Any]], changed: Sequence[str]) -> Iterator[Setting]:
        """The settings in which just these switches have other values than the base."""
        choices = [table[name][1:] for name in changed]
        for values in itertools.product(*choices):
            yield self._with(dict(zip(changed, values, strict=True)))

    def _with(self, changes: Mapping[str, Any]) -> Setting:
        return Setting(_chosen(self.of_metric, changes), _chosen(self.of_run, changes))

    def libraries(self) -> list[tuple[str, Setting]]:
        """Each library with its settings of this metric, by the library's name for it."""
        if self._libraries is None:
            listed: dict[tuple[str, Setting], None] = {}
            for library in BUNDLES.values():
                for label, setting, k in self._settings_of(library, self.bare):
                    if k is not None and k != self.bare.k and k < self._facts.longest:
                        self.cut_otherwise[label, setting, k] = None
                    else:
                        listed[label, setting] = None
            listed_settings = {setting for _, setting in listed}
            for label, setting in [*self._of_whole_lists(), *self._of_unsquared_beta()]:
                if setting not in listed_settings:
                    listed[label, setting] = None
                    self.of_other_names.add(setting)
            self._libraries = list(listed)
        return self._libraries

    def _of_whole_lists(self) -> Iterator[tuple[str, Setting]]:
        """What libraries have at a cut-off alone, for a measure without: cut where lists end."""
        if self.bare.k is not None or not self.bare.has_cutoff:
            return
        at_the_end = self.bare @ max(self._facts.longest, 1)
        for library in BUNDLES.values():
            for label, setting, _ in self._settings_of(library, at_the_end):
                # Of several lists some may be shorter, and end above the cut-off.
                if not (self._facts.several and _counts_ranks(setting)):
                    yield label, setting

    def _of_unsquared_beta(self) -> Iterator[tuple[str, Setting]]:
        """F of trec_eval and those that call it, whose parameter is not squared."""
        if "alpha" not in self.of_metric or self.bare.name != "F":
            return
        for alpha, beta in _weights_of_unsquared(self.given).items():
            setting = self.base.changed({"alpha": alpha, "beta": 1})
            yield f"trec_eval: set_F.{beta}", setting
            yield f"ir-measures: SetF(beta={beta})", setting

    def _settings_of(
        self,
        library: Bundle,
        bare: Metric,
    ) -> Iterator[tuple[str, Setting, int | None]]:
        """A library's settings of this metric, each with its name and its cut-off."""
        for label, metric, by in _variants(
            library,
            bare,
            self.given,
            self._facts.grades,
        ):
            setting = self._setting_of(metric, by)
            if setting is not None:
                yield label, setting, metric.k

    def _setting_of(self, metric: Metric, by: Bundle) -> Setting | None:
        """The setting that a metric has under a bundle."""
        of_metric: dict[str, Any] = {}
        try:
            settled = by.settle(metric)
            for name, values in self.of_metric.items():
                default = settled.defaults.get(name)
                value = settled.params.get(name, settled.defaults.get(name, values[0]))
                of_metric[name] = _as_value(name, value, default)
        except InputError:
            return None
        of_run: dict[str, Any] = {}
        for name in self.of_run:
            of_run[name] = settled.params.get(name, getattr(by, name))
        if self._only_at_the_end and of_run.get("unretrieved", NOWHERE) is NOWHERE:
            of_run["ties"] = self.of_run["ties"][0]
        return Setting(tuple(of_metric.items()), tuple(of_run.items()))


_USUAL_GRADES = (1.0, 2.0)  # of documents that nobody judged
_OF_RANKS = ("k", "reachable", "k_ones", "as_long")  # conventions that count ranks to the cut


def _counts_ranks(setting: Setting) -> bool:
    """Whether a score depends on how many ranks there are above the cut-off."""
    return any(str(value) in _OF_RANKS for _, value in setting.metric)


def _variants(
    library: Bundle,
    bare: Metric,
    metric_as_asked: Metric,
    grades: Sequence[float],
) -> Iterator[tuple[str, Metric, Bundle]]:
    """A library's settings for the metric at its cut-off: by its own names, then by ours."""
    first = True
    for name in _names(
        library,
        bare,
        metric_as_asked,
        grades,
    ):
        try:
            metric, by = library.measure(name)
        except InputError:
            continue
        same_cut = bare.k in (None, metric.k)
        if metric.name == bare.name and same_cut and not library.is_odd(name):
            yield (library.name if first else f"{library.name}: {name}"), metric, by
            first = False
    if first and not library.metrics:
        yield library.name, bare, library


def _names(
    library: Bundle,
    bare: Metric,
    metric_as_asked: Metric,
    grades: Sequence[float],
) -> Iterator[str]:
    """The library's names of measures at this cut-off, with levels of relevance as decimals.

    A level is a grade of the input or a usual grade; numbers of other options are no levels.
    """
    persistence = f"{float(metric_as_asked.params.get('p', 0.8)):.2f}"[2:]
    levels = _levels(metric_as_asked, grades)
    for pattern, entry in library.metrics.items():
        if "{k}" in pattern and bare.k is None:
            continue
        name = pattern.replace("{k}", str(bare.k))
        name = name.replace("{r}", str(metric_as_asked.params.get("recall", 0.5)))
        measure = entry if isinstance(entry, str) else entry["measure"]
        decimals = [persistence] if "0.{p}" in measure else levels
        with_level = [name.replace("{p}", decimal) for decimal in decimals]
        if "{p}" not in name:
            with_level = [name]
        if "{g}" not in name:
            yield from with_level
            continue
        for grade in grades_of_the_unjudged(metric_as_asked):
            for each in with_level:
                yield each.replace("{g}", grade)


def grades_of_the_unjudged(metric_as_asked: Metric) -> list[str]:
    """The grades that tools give to what nobody judged: half the top of the scale, and usual ones.

    >>> from irmetrics_edu.metrics.notation import parse
    >>> grades_of_the_unjudged(parse("ERR(max_grade=3)@10"))
    ['1.5', '1', '2']
    """
    top = metric_as_asked.params.get("max_grade", metric_as_asked.defaults.get("max_grade"))
    grades: list[float] = []
    if isinstance(top, int | float):
        grades.append(top / 2)
    grades += _USUAL_GRADES
    return [f"{grade:g}" for grade in dict.fromkeys(grades)]


def _levels(metric_as_asked: Metric, grades: Sequence[float]) -> list[str]:
    """The levels of relevance to ask for: grades above 1 that are whole numbers."""
    asked = metric_as_asked.params.get("rel", 0)
    levels = dict.fromkeys((*grades, asked, 2, 3))
    return [f"{level:g}" for level in levels if level > 1 and level == int(level)]


def _chosen(
    switches: Mapping[str, list[Any]], changes: Mapping[str, Any]
) -> tuple[tuple[str, Any], ...]:
    """Each switch with the value that it is changed to, or else its first."""
    values: list[tuple[str, Any]] = []
    for name, choices in switches.items():
        values.append((name, changes.get(name, choices[0])))
    return tuple(values)


def _first(value: Any, values: list[Any]) -> list[Any]:
    others = [other for other in values if other != value]
    return [value, *others]


def _as_value(
    name: str,
    value: Any,
    default: Any,
) -> Any:
    """A convention given by name as the value that it names."""
    if isinstance(default, Convention):
        return type(default).named(value, name)
    return value


def _values(
    name: str,
    default: Any,
    facts: Facts,
    metric: Metric,
) -> list[Any] | None:
    """The values that a switch of a metric can have; None if it is not a switch."""
    if isinstance(default, Convention):
        return _values_of_convention(
            name,
            default,
            facts,
            metric,
        )
    if name == "rel":
        return [default, *(grade for grade in facts.grades if grade >= 1 and grade != default)]
    if name == "max_grade":
        return _tops_of_scale(default, facts)
    if name == "p":
        return [0.8, 0.5, 0.9, 0.95]
    if name == "collection":
        return [default, KNOWN.name]
    of_metric = {
        ("beta", "F"): [1, 0.5, 2],
        ("alpha", "F"): [default, *_weights_of_unsquared(metric)],
        ("base", "entropy"): [2, 2.718281828459045, 10],
    }
    return of_metric.get((name, metric.name))


def _weights_of_unsquared(metric: Metric) -> dict[float, str]:
    """The alpha of F where beta is not squared, as in trec_eval, with the beta as it is written."""
    asked = float(metric.params.get("beta", 1))
    weights: dict[float, str] = {}
    for beta in (0.5, 2.0, asked):
        if beta != 1:
            weights[1 / (beta + 1)] = f"{beta:g}"
    return weights


def _values_of_convention(
    name: str, default: Convention, facts: Facts, metric: Metric
) -> list[Any] | None:
    if name in _NEEDS and not _NEEDS[name](facts):
        return None
    if name == "cut" and (metric.k is None or metric.k >= facts.largest_pool):
        return None
    return list(dict.fromkeys(type(default).values.values()))


def _tops_of_scale(default: Any, facts: Facts) -> list[Any]:
    highest = max(facts.grades, default=1.0)
    scales = [top for top in (3, 4, 5) if top >= highest]
    return list(dict.fromkeys([default, highest, *scales, "highest"]))


_NEEDS: dict[str, Callable[[Facts], bool]] = {
    "ties": lambda f: f.tied or f.tied_in_32_bits,
    "scores": lambda f: f.tied_in_32_bits,
    "negative": lambda f: f.negative,
    "unjudged": lambda f: f.unjudged,
    "averaging": lambda f: f.several,
    "missing_queries": lambda f: f.missing,
    "unjudged_queries": lambda f: f.not_judged,
    "no_relevant": lambda f: f.without_relevant,
    "pool": lambda f: f.missed,
    "unretrieved": lambda f: f.missed,
    "duplicates": lambda f: f.repeated,
    "identical_ids": lambda f: f.own,
}


def _of_run(
    metric: Metric,
    base: Bundle,
    facts: Facts,
    *,
    single: bool,
) -> dict[str, list[Any]]:
    """The switches of the run that can make a difference, with their values."""
    switches: dict[str, list[Any]] = {}
    for field in fields(Bundle):
        name = field.name
        value = getattr(base, name)
        if not isinstance(value, Convention) or isinstance(value, Reading):
            continue
        if name in _NEEDS and not _NEEDS[name](facts):
            continue
        if _matters(
            metric,
            name,
            value,
            single=single,
        ):
            values = dict.fromkeys(type(value).values.values())
            switches[name] = [v for v in values if v.name != "refuse" and v != APART]
    return switches


def _matters(
    metric: Metric,
    name: str,
    value: Convention,
    *,
    single: bool,
) -> bool:
    """Whether a convention of a run can make a difference to a metric."""
    if single and name not in metric.inputs.options:
        return False
    if isinstance(value, Averaging):
        return metric.name in SHARES
    if isinstance(value, (Ties, Scores, Negative)):
        return "ties" in metric.inputs.options
    return True


def is_slow(setting: Setting) -> bool:
    """Whether every query must be aligned alone."""
    run = dict(setting.run)
    ties = run.get("ties")
    unjudged = run.get("unjudged", NO_GAIN)
    return (
        run.get("unretrieved", NOWHERE) is not NOWHERE
        or run.get("duplicates", NO_DUPLICATES) is not NO_DUPLICATES
        or unjudged.grade is not None
        or (ties is not None and not ties.in_bulk and unjudged.removed)
    )


def is_exhaustive(setting: Setting) -> bool:
    """Whether all sets of documents of every query are tried."""
    return dict(setting.metric).get("ideal") is EXACT
