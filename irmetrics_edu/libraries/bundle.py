"""A bundle: a library's conventions, its metrics under our names and its quirks, from its file."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import Enum
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from irmetrics_edu.conventions import (
    ALL_JUDGED,
    AS_GIVEN,
    AS_WRITTEN,
    COUNTED,
    FLOAT64,
    IGNORED,
    MACRO,
    NO_DUPLICATES,
    NO_GAIN,
    NOWHERE,
    OWN_KEPT,
    REFUSED,
    STRICT,
    Averaging,
    Convention,
    Duplicates,
    IdenticalIds,
    MissingQueries,
    Negative,
    NoRelevant,
    Pooled,
    Reading,
    Scores,
    Ties,
    Unjudged,
    UnjudgedQueries,
    Unretrieved,
)
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import parse

# What a measure says of the alignment, and so may have otherwise than the rest of its library.
ALIGNED = ("ties", "negative", "unjudged", "scores", "pool", "unretrieved", "duplicates")
# And what it says of the queries, besides.
OWN = (*ALIGNED, "averaging", "missing_queries")
_OF_ORDER = ("ties", "scores", "negative")  # by these the documents of a whole run are found
# What stands for a number in the name of a metric: a cut-off, a level of recall, decimals, a grade.
_PLACES = {"k": r"\d+", "r": r"[\d.]+", "p": r"\d+", "g": r"[\d.]+"}


class Met(Enum):
    """What an input may hold on which a library differs from its conventions: a name of a probe.

    `evaluate` says the quirks of what it met; the other probes are inputs that were measured.
    """

    REPEATED = "duplicates"
    EMPTY = "empty"  # a query without any retrieved document
    WITHOUT_RELEVANT = "norel"
    MISSING = "missing"  # a judged query that the run lacks
    NOT_JUDGED = "unjudged query"  # a query of the run that the judgments lack
    FRACTION = "fraction"  # a grade that is no whole number
    BELOW_MINUS_1 = "below -1"  # a grade
    TIED = "ties"
    NO_RATED_HIT = "no rated hit"  # a query of whose documents nobody judged one
    SEVERAL_GRADES = (
        "a lower grade stands above the highest"  # or may, where relevant grades differ
    )


@dataclass(frozen=True)
class Quirk:
    """A quirk is a value that does not follow from the library's conventions, with a measured case.

    `metrics` are names or patterns with `*`, `probes` the inputs concerned (any, if none is named),
    `case` one of them: metric, probe and measured value. `always`: the conventions give it on
    no input. `ties_from`: in lists of so many documents no convention gives its order of ties.
    """

    says: str
    metrics: Sequence[str] = ()
    probes: Sequence[str] = ()
    case: Mapping[str, Any] | None = None
    always: bool = False
    ties_from: int = 0

    def concerns(
        self,
        metric: str,
        probe: str,
    ) -> bool:
        """Whether it is about this metric and input."""
        if self.probes and probe not in self.probes:
            return False
        return self.names(metric)

    def names(self, metric: str) -> bool:
        """Whether it is about this metric."""
        return any(fnmatchcase(metric, pattern) for pattern in self.metrics)

    def is_met(self, met: Met, longest: int) -> bool:
        """Whether it is about an input of this kind; of ties, in a list so long."""
        if met is Met.TIED and self.ties_from:
            return longest >= self.ties_from
        return met.value in self.probes


@dataclass(frozen=True)
class Bundle:
    """The conventions of a library, by which a whole run is evaluated.

    `options` holds the options under which the library computes a metric, those of its alignment
    among them: under "RR" without a cut-off, under "RR@k" with one, and under "nDCG(gain=exp)@k"
    where the library has that apart. `also` names metrics of ours that the library has, by its own
    names; their values were not compared. `metrics` maps the names that the library prints to
    measures in our notation, with `{k}` for a cut-off. Every field that is a convention may be
    given by name: `TREC_EVAL.using(missing_queries="skip")`.
    """

    name: str
    meaning: str = ""
    source: str = ""
    package: str = ""
    version: str = ""
    known: str = "measured"  # or "read", in the source of the version
    use: int = 0  # installed 10 to this power times a month: our estimate, to order by alone
    ties: Ties = AS_GIVEN
    negative: Negative = REFUSED
    unjudged: Unjudged = NO_GAIN
    scores: Scores = FLOAT64
    pool: Pooled = ALL_JUDGED
    unretrieved: Unretrieved = NOWHERE
    duplicates: Duplicates = NO_DUPLICATES
    missing_queries: MissingQueries = COUNTED
    unjudged_queries: UnjudgedQueries = IGNORED
    identical_ids: IdenticalIds = OWN_KEPT
    averaging: Averaging = MACRO
    reading: Reading = STRICT
    no_relevant: NoRelevant | None = None
    floor: float = 0.0  # of the geometric mean
    digits: int = 6  # after the point, to which the library gives its values
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    metrics: Mapping[str, Any] = field(default_factory=dict)
    lacks: tuple[str, ...] = ()  # its metrics that we do not have, as names or patterns with *
    also: Mapping[str, str] = field(default_factory=dict)  # our metrics that were not compared
    quirks: tuple[Quirk, ...] = ()
    whole_grades: bool = False  # whether it cuts 2.75 to 2, towards 0, before it computes
    python: str = ""  # the oldest Python that installs this version, where ours are older
    install: str = ""  # what does not run as pip installs it today, and what helps

    @classmethod
    def choices(cls) -> list[str]:
        """The names of the choices of a call: the conventions, and the floor of GMAP.

        >>> Bundle.choices()[:3]
        ['ties', 'negative', 'unjudged']
        """
        chosen = [f.name for f in fields(cls) if isinstance(f.default, Convention)]
        return [*chosen, "no_relevant", "floor"]

    def using(self, **changes: Any) -> Self:
        """The bundle with other conventions, by value or by name; they hold for all measures.

        >>> from irmetrics_edu.libraries import bundle
        >>> bundle("torchmetrics").using(ties="docid").aligned(parse("nDCG@3"))["ties"].name
        'docid'
        """
        current = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in changes.items():
            if name not in current:
                raise InputError(
                    f"conventions have no {name!r}; they have {', '.join(self.choices())}"
                )
            default = NoRelevant if name == "no_relevant" else type(current[name])
            if issubclass(default, Convention) and value is not None:
                changes[name] = default.named(value, name)
        if "options" not in changes:
            options = {}
            for measure, options_of_measure in self.options.items():
                options[measure] = {n: v for n, v in options_of_measure.items() if n not in changes}
            changes["options"] = options
            changes.setdefault("metrics", _without(self.metrics, changes))
        return replace(self, **changes)

    def settle(self, metric: Metric) -> Metric:
        """The metric under these conventions; its own options come first."""
        options = self._options_of(metric)
        if self.no_relevant is not None and "no_relevant" in metric.defaults:
            options.setdefault("no_relevant", self.no_relevant)
        usual = {**metric.defaults, **metric.inputs.options}
        new = {n: v for n, v in options.items() if n in usual and n not in metric.params}
        return metric.using(**new) if new else metric

    def _options_of(self, metric: Metric) -> dict[str, Any]:
        """The library's options for a measure with or without cut-off, else for the other form."""
        if not any(form.startswith(metric.name) for form in self.options):
            return {}  # to write the measure in its own form takes longer
        cut = f"{metric.name}@k"
        whole = metric.name
        forms = (whole, cut) if metric.k is None else (cut, whole)
        for form in (form_of(metric), *forms):
            if form in self.options:
                return dict(self.options[form])
        return {}

    def aligned(self, metric: Metric) -> dict[str, Any]:
        """The conventions by which a measure's input is aligned, by name.

        >>> from irmetrics_edu.libraries import bundle
        >>> bundle("ir_measures").aligned(parse("RR@5"))["ties"].name
        'docid_ascending'
        """
        options = self._options_of(metric)
        aligned = {}
        for name in ALIGNED:
            default = getattr(self, name)
            if default:
                chosen = metric.params.get(name, options.get(name, default))
                aligned[name] = type(default).named(chosen, name)
        return aligned

    def averaging_of(self, metric: Metric) -> Averaging:
        """How the library averages this measure over queries.

        >>> from irmetrics_edu.libraries import bundle
        >>> bundle("implicit").averaging_of(parse("P@5")).name
        'micro'
        """
        value = self._options_of(metric).get("averaging", self.averaging)
        return Averaging.named(value, "averaging")

    def missing_of(self, metric: Metric) -> MissingQueries:
        """What a judged query that the run lacks counts in this measure of the library.

        >>> from irmetrics_edu.libraries import bundle
        >>> [bundle("beir").missing_of(parse(name)).name for name in ("nDCG@5", "RR@5")]
        ['skip', 'zero']
        """
        value = self._options_of(metric).get("missing_queries", self.missing_queries)
        return MissingQueries.named(value, "missing_queries")

    def joining(self, metrics: Iterable[Metric]) -> Self:
        """The bundle by which a run is joined: with every query that one of the measures counts.

        A measure that leaves out the queries that the run lacks does so afterwards.
        """
        if any(self.missing_of(metric) is COUNTED for metric in metrics):
            return replace(self, missing_queries=COUNTED)
        return self

    def apart(self, metric: Metric) -> dict[str, Any]:
        """The alignment choices in which this measure differs from the library's other measures."""
        return {
            name: value
            for name, value in self.aligned(metric).items()
            if name not in metric.params and value != getattr(self, name)
        }

    def alone(self, metric: Metric) -> Self:
        """The bundle for one measure, with this measure's alignment for the whole run."""
        changes = {name: getattr(self, name) for name in OWN}
        changes |= self.apart(metric)
        changes["averaging"] = self.averaging_of(metric)
        changes["missing_queries"] = self.missing_of(metric)
        return self.using(**changes)

    def of_run(self, metrics: Iterable[Metric]) -> Self:
        """The bundle that orders the run: the choice of these measures if they agree.

        If one measure refuses negative grades and another takes them, the run takes them too. The
        first measure then refuses them itself.
        """
        each = [self.aligned(metric) for metric in metrics]
        changes: dict[str, Any] = {}
        for name in _OF_ORDER:
            values = list(dict.fromkeys(choices[name] for choices in each))
            if len(values) == 1:
                changes[name] = values[0]
        if "negative" not in changes and self.negative.refused and each:
            changes["negative"] = next(
                choices["negative"] for choices in each if not choices["negative"].refused
            )
        return replace(self, **changes)

    @property
    def negative_read(self) -> Negative:
        """The worth of a negative grade when judgments are read; unchanged if decided later.

        A library that gets only the retrieved documents refuses only the grades that it sees.
        """
        later = self.negative.is_settled_later(self.pool)
        return AS_WRITTEN if later else self.negative

    def measure(self, name: str) -> tuple[Metric, Self]:
        """The metric that the library prints under a name, and its conventions.

        >>> from irmetrics_edu.libraries import bundle
        >>> bundle("ranx").measure("ndcg_burges@10")[0]
        nDCG(gain=exp)@10
        """
        if name not in self._measures:
            self._measures[name] = self._measure(name)
        metric_and_bundle = self._measures[name]
        if metric_and_bundle is None:
            raise InputError(
                f"{self.name} has no metric {name!r} that we have; it has {', '.join(self.metrics)}"
            )
        return metric_and_bundle

    @cached_property
    def _measures(self) -> dict[str, tuple[Metric, Self] | None]:
        """What was asked for by name so far: a diagnosis asks for the same names often."""
        return {}

    def _measure(self, name: str) -> tuple[Metric, Self] | None:
        """The metric under a name and its conventions; None if the library has no such name."""
        for pattern, entry in self.metrics.items():
            pattern_match = re.fullmatch(_as_regex(pattern), name)
            if pattern_match:
                changes = {} if isinstance(entry, str) else dict(entry)
                text = entry if isinstance(entry, str) else changes.pop("measure")
                for place, number in pattern_match.groupdict().items():
                    text = text.replace(f"{{{place}}}", number)
                return parse(text), self.using(options={}, **changes)
        return None

    def was_compared(self, metric: Metric) -> bool:
        """Whether the library lists a name of ours, at any cut-off: its values were compared.

        >>> from irmetrics_edu.libraries import bundle
        >>> [bundle("sklearn").was_compared(parse(name)) for name in ("nDCG@5", "R@100")]
        [True, False]
        """
        for entry in self.metrics.values():
            text = entry if isinstance(entry, str) else entry["measure"]
            if text == "*" or text.partition("@")[0].partition("(")[0] == metric.name:
                return True
        return False

    def is_odd(self, name: str) -> bool:
        """Whether a metric of the library never equals the value that its conventions give."""
        return any(quirk.always and quirk.concerns(name, "") for quirk in self.quirks)

    def has_quirk_on(self, met: Met) -> bool:
        """Whether a quirk is about what an input may hold.

        >>> from irmetrics_edu.libraries import bundle
        >>> bundle("allrank").has_quirk_on(Met.BELOW_MINUS_1)
        True
        """
        return any(met.value in quirk.probes for quirk in self.quirks)

    def quirks_met(
        self,
        metric: Metric,
        met: Met,
        longest: int = 0,
    ) -> list[str]:
        """What quirks say of a measure of ours on inputs of a kind, with a list so long.

        >>> from irmetrics_edu.libraries import bundle
        >>> [said] = bundle("MLflow").quirks_met(parse("nDCG@5"), Met.REPEATED)
        >>> said[:44]
        'a document that is retrieved twice is releva'
        """
        cut = metric.k is not None
        names = []
        for name, entry in self.metrics.items():
            text = entry if isinstance(entry, str) else entry["measure"]
            ours, _, cut_at = text.partition("@")
            if ours.partition("(")[0] == metric.name and bool(cut_at) == cut:
                names.append(name.replace("{k}", str(metric.k)))
        return [
            quirk.says
            for quirk in self.quirks
            if quirk.is_met(met, longest) and any(quirk.names(name) for name in names)
        ]

    def kept(self, scores: Any) -> Any:
        """An array of scores as precisely as the library keeps them."""
        return self.scores(np.asarray(scores, dtype=np.float64))

    def __str__(self) -> str:
        return self.name

    def facts(self) -> dict[str, str]:
        """The conventions by name, for tables."""
        facts = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Convention):
                facts[each.name] = str(value)
        return facts


def _without(metrics: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The rows of a library without what a change says of all of them."""
    rows = {}
    for name, entry in metrics.items():
        row = entry
        if not isinstance(entry, str):
            row = {n: value for n, value in entry.items() if n == "measure" or n not in changes}
        rows[name] = row
    return rows


@cache
def _as_regex(pattern: str) -> str:
    """A metric's name with places for numbers, as a regular expression."""
    expression = ""
    for i, part in enumerate(re.split(r"\{(\w+)\}", pattern)):
        is_place = i % 2 == 1
        expression += f"(?P<{part}>{_PLACES[part]})" if is_place else re.escape(part)
    return expression


def form_of(metric: Metric) -> str:
    """A measure as the options of a bundle name it: its own options, and whether it is cut off.

    >>> form_of(parse("nDCG(gain=exp)@10"))
    'nDCG(gain=exp)@k'
    """
    options = {
        n: v for n, v in metric.params.items() if n in metric.defaults and n != metric.cutoff
    }
    name = metric.title(None, options)
    return name if metric.k is None else f"{name}@k"


def bare(text: str) -> str:
    """A measure in our notation without its cut-off and without options that depend on a number."""
    text = re.sub(r"@[^@()]*$", "", text)
    text = re.sub(r"\w+=\w+\(\{\w+\}\),?", "", text)
    text = re.sub(r"\w+=[^,()]*\{\w+\}[^,()]*,?", "", text)
    return text.replace(",)", ")").replace("()", "")


HOME = Path(__file__).parent
_FIRST = ("irmetrics_edu", "trec_eval", "trec_eval_10", "pytrec_eval")


@cache
def read(path: Path) -> Bundle:
    """The bundle that a file describes; a file may build on another, of which it is a variant."""
    content = tomllib.loads(path.read_text(encoding="utf-8"))
    base = Bundle("") if "like" not in content else read(HOME / f"{content.pop('like')}.toml")
    quirks = tuple(Quirk(**quirk) for quirk in content.pop("quirks", ()))
    conventions = content.pop("conventions", {})
    metrics_of_file = content.pop("metrics", {})
    metrics = {**metrics_of_file, **base.metrics, **metrics_of_file}
    field_names = {f.name for f in fields(Bundle)}
    unknown = set(content) - field_names
    if unknown:
        raise InputError(f"{path.name}: {', '.join(sorted(unknown))} is no part of a bundle")
    lacks = (*content.pop("lacks", ()), *base.lacks)
    inherited = base.quirks
    if "package" in content:  # its cases were measured in the package of the other
        inherited = tuple(replace(quirk, case=None) for quirk in inherited)
    plain = replace(
        base,
        **content,
        metrics=metrics,
        lacks=lacks,
        quirks=(*quirks, *inherited),
    )
    return replace(plain.using(**conventions), metrics=metrics, options=_options(metrics))


def _options(metrics: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of each of our metrics: those of the library's first one that is this metric.

    Cut off at k a metric may have others than without (RR and RR@k of ir-measures); and what the
    library has under options of its own may be aligned in its own way: nDCG(gain=exp).
    """
    options: dict[str, dict[str, Any]] = {}
    for entry in metrics.values():
        aligned: Mapping[str, Any] = {"measure": entry} if isinstance(entry, str) else entry
        text = aligned["measure"]
        without_cut = bare(text)
        if re.search(r"\{[a-z]\}", without_cut):
            continue
        metric = parse(without_cut)
        if metric.has_cutoff and metric.cutoff == "k" and re.search(r"@[^@()]*$", text):
            metric = metric @ 1
        metric_options = {n: v for n, v in metric.params.items() if n != metric.cutoff}
        metric_options |= {n: aligned[n] for n in OWN if n in aligned}
        plain = metric.name if metric.k is None else f"{metric.name}@k"
        options.setdefault(plain, metric_options)
        options.setdefault(form_of(metric), metric_options)
    return options


class _Files(Mapping[str, Bundle]):
    """Bundles by name, ours and trec_eval's first; each file is read when it is asked for."""

    @cached_property
    def _paths(self) -> dict[str, Path]:
        stems = sorted(path.stem for path in HOME.glob("*.toml"))
        others = [stem for stem in stems if stem not in _FIRST]
        return {stem: HOME / f"{stem}.toml" for stem in (*_FIRST, *others)}

    def __getitem__(self, name: str) -> Bundle:
        return read(self._paths[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


BUNDLES: Mapping[str, Bundle] = _Files()


# Libraries that are imported under a name that is not like their own.
_IMPORTED_AS = {"sklearn": "scikit_learn", "tensorflow_ranking": "tf_ranking"}
# Known libraries that another name would be suggested for.
_NOT_COMPARED = ("trectools", "recpack", "recsys_metrics", "pytorch_metric_learning")


def bundle(value: Bundle | str) -> Bundle:
    """The bundle that `value` is or names.

    >>> bundle("trec_eval").ties.name
    'docid'
    """
    if isinstance(value, Bundle):
        return value
    name = _as_stem(str(value))
    name = _IMPORTED_AS.get(name, name)
    if name not in BUNDLES:
        name = _stems_by_name().get(name, name)
    if name in _NOT_COMPARED:
        raise InputError(
            f"conventions={value!r}: nobody compared this library, so it has no conventions here; "
            "give conventions='irmetrics_edu' and the options that you know, or ask diagnose"
        )
    if name not in BUNDLES:
        alike = get_close_matches(name, BUNDLES, n=1)
        if alike:
            meant = f"did you mean {alike[0]}? `irmetrics-edu conventions` lists all"
        else:
            meant = f"known are {', '.join(BUNDLES)}"
        raise InputError(f"conventions={value!r} is not known; {meant}")
    return BUNDLES[name]


def _as_stem(name: str) -> str:
    """A name as the names of files are written."""
    stem = name.casefold().replace("-", "_").replace(" ", "_")
    return stem.replace("[", "_").rstrip("]")


@cache
def _stems_by_name() -> dict[str, str]:
    """The file of a library by the name that tables show, and by its package's."""
    stems: dict[str, str] = {}
    for stem, library in BUNDLES.items():
        stems.setdefault(_as_stem(library.name), stem)
    for stem, library in BUNDLES.items():
        stems.setdefault(_as_stem(library.package), stem)
    return stems
