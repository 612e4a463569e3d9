"""Names of metrics in the field's notation, nDCG(gain=exp)@10, and of measures of a run: MAP.

And what is done by such a name: `explain("nDCG@3", [5, 2, 3])`.
"""

import difflib
import importlib
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.metrics.definition import ALIASES, METRICS, Metric, folded, import_all
from irmetrics_edu.metrics.forms import Explainable
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.working import Working

_WIDTH = 120  # characters of a measure that a message quotes
# What is often asked for as a measure, and is a function over two runs.
_P_MRR = "irmetrics_edu.runs.p_mrr(before, after, changed)"
_OF_TWO_RUNS = {"p_mrr": _P_MRR, "pmrr": _P_MRR}


def parse(text: str) -> Metric:
    """The metric that a name in the field's notation stands for.

    It reads `nDCG@10`, `nDCG(gain=exp)@10`, `alpha_nDCG(alpha=0.5)@20` and the names that
    ir_measures uses (`AP`, `Rprec`, `RR@10`, `IPrec@0.1`). It raises InputError with the place in
    the text that it can't read. It knows a metric of your own as soon as you import its module.
    `module:name`, as in `our_metrics:decay@10`, imports the module, so give it only text that the
    user wrote; `parse_known` is for names that come from data.

    It also reads trec_eval's names: ndcg_cut_10.

    >>> parse("nDCG(gain=exp)@10")
    nDCG(gain=exp)@10
    >>> parse("ndcg_cut_10")
    nDCG@10
    """
    text = trec_format.ours(text.strip()) or text
    name = _parts(text)[0]
    if ":" in name:
        of_module = object_named(name, text)
        if not isinstance(of_module, Metric):
            home, _, attribute = name.partition(":")
            raise InputError(
                f"{text!r}: {home} has no metric {attribute!r}; write module:name, where the name "
                "is that of a function under @metric"
            )
    return parse_known(text)


def parse_known(text: str) -> Metric:
    """The metric that a name in the field's notation stands for, without importing a module.

    Names that come from a file are read by it. `module:name` is found only where the module was
    imported before; InputError says so.

    >>> parse_known("nDCG(gain=exp)@10")
    nDCG(gain=exp)@10
    """
    import_all()
    name, inside, cut = _parts(text)
    if ":" in name:
        name = _registered(name, text).name
    _refuse_commas(text)
    registered, meant = _named(text, name)
    registered_metric = METRICS[registered]
    if meant:
        registered_metric = registered_metric.using(**meant)
    options = _options(inside, text)
    if folded(name) == "setf" and "beta" in options:  # there F is (1+beta)PR/(beta P + R)
        options["alpha"] = 1 / (options.pop("beta") + 1)
    for name_of_k in sorted({"cutoff", registered_metric.cutoff} & set(options)):
        if cut is not None:
            raise InputError(
                f"{shown(text)} has two cut-offs, {name_of_k}={options[name_of_k]} and @{cut}; "
                "give one of them"
            )
    cut = options.pop("cutoff", cut)
    if options:
        registered_metric = registered_metric.using(**options)
    return registered_metric if cut is None else registered_metric @ _literal(str(cut))


def _refuse_commas(text: str) -> None:
    """A list with commas is refused, with what to write instead."""
    named = [piece.strip() for piece in pieces(text, ",".__eq__)]
    if len(named) == 1:
        return
    head = text.partition("@")[0]
    named = [piece for piece in named if piece]
    listed = [f"{head}@{piece}" if piece.isdigit() else piece for piece in named]
    raise InputError(
        f"{shown(text)} has a comma; put a blank between measures: {shown(' '.join(listed))}"
    )


_CURVE = (
    "--plot or plot() draws the P-R curve of a run if all measures are IPrec at levels of recall, "
    "such as 'IPrec@0.0 IPrec@0.5 IPrec@1.0'"
)
# Measures of others by names that look like ours, with what is nearest here.
_CURVES = ("P-R", "PR", "PR-curve", "precision_recall_curve")
_NEAREST = dict.fromkeys(map(folded, _CURVES), _CURVE)


def _named(text: str, name: str) -> tuple[str, dict[str, Any]]:
    """The registered name of a metric, and the options that a name for it means."""
    entry = ALIASES.get(folded(name))
    if entry is not None:
        return entry
    if folded(name) in _OF_TWO_RUNS:
        raise InputError(
            f"{shown(text)} compares two runs, so it is no measure of one ranking; call "
            f"{_OF_TWO_RUNS[folded(name)]} in Python"
        )
    nearest = _NEAREST.get(folded(name))
    if nearest is not None:
        raise InputError(f"{shown(text)} is no measure here: {nearest}")
    raise _UnknownNameError(text, name)


class _UnknownNameError(InputError):
    """A name that no measure has. What was meant is looked for only where somebody reads it."""

    def __str__(self) -> str:
        text, name = self.args
        like = _like(text, name)
        return f"{shown(text)} is not a known measure; {like}`irmetrics-edu metrics` lists all"


# A name with its cut-off as others write it: ndcg_10, recall_at_10, map10.
_WITH_CUT = re.compile(r"(.*?[a-zA-Z])[_.-]*(?:(?:at|cut)[_.-]*)?([1-9]\d*)")


def _like(text: str, name: str) -> str:
    """A question for the measure that was probably meant, with its cut-off if the name has one."""
    written = _WITH_CUT.fullmatch(name)
    stem, cut = (written[1], f"@{written[2]}") if written and "@" not in text else (name, "")
    meant = _known_name(stem) or in_words(stem.replace("_", " "))
    if not meant:
        alike = difflib.get_close_matches(folded(stem), ALIASES, n=1)
        meant = ALIASES[alike[0]][0] if alike else ""
    meant += cut if meant else ""
    return f"did you mean {text.replace(name, meant, 1)}? " if meant else ""


def _known_name(name: str) -> str:
    """How a measure of this name is written; nothing if there is none."""
    aggregate = _AGGREGATES.get(name.casefold())
    if aggregate is not None:
        return aggregate[0]
    entry = ALIASES.get(folded(name))
    return entry[0] if entry is not None and not entry[1] else ""


# Measures by the words that people have for them. Another word beside them may make another measure
# of it, as in rank biased precision, so all words of a line must be there, and no more but these.
_NO_NAMES = frozenset(
    [
        "of",
        "the",
        "a",
        "an",
        "in",
        "for",
        "at",
        "k",
        "top",
        "score",
        "value",
        "measure",
        "metric",
        "document",
    ]
)
_WORDS = (
    ("rank first hit", "hit_rank"),
    ("rank first relevant", "hit_rank"),
    ("position first hit", "hit_rank"),
    ("position first relevant", "hit_rank"),
    ("first hit", "hit_rank"),
    ("first relevant", "hit_rank"),
    ("mean average precision", "MAP"),
    ("average precision", "AP"),
    ("mean reciprocal rank", "MRR"),
    ("reciprocal rank", "RR"),
    ("expected reciprocal rank", "ERR"),
    ("rank biased precision", "RBP"),
    ("hit rate", "Success"),
    ("hit ratio", "Success"),
    ("success rate", "Success"),
    ("discounted cumulative gain", "DCG"),
    ("discounted cumulated gain", "DCG"),
    ("normalized discounted cumulative gain", "nDCG"),
    ("normalised discounted cumulative gain", "nDCG"),
    ("normalised discounted cumulated gain", "nDCG"),
    ("area under roc curve", "AUC"),
    ("roc curve", "AUC"),
    ("catalogue coverage", "catalogue_coverage"),
    ("catalog coverage", "catalogue_coverage"),
    ("subtopic recall", "S-recall"),
    ("r precision", "R-precision"),
    ("precision", "P"),
    ("recall", "R"),
)


def in_words(text: str) -> str:
    """The measure that words stand for, with the number among them as its cut-off.

    >>> in_words("rank of the first hit"), in_words("Precision at 10"), in_words("nDCG RR")
    ('hit_rank', 'P@10', '')
    >>> in_words("interpolated precision")
    ''
    """
    words = text.casefold().replace("@", " ").replace("-", " ").split()
    cuts = [word for word in words if word.isdecimal()]
    names = {word for word in words if not word.isdecimal()} - _NO_NAMES
    for told, name in _WORDS:
        if names == set(told.split()):
            return f"{name}@{cuts[0]}" if len(cuts) == 1 else name
    return ""


def _refuse_words(text: str, named: Sequence[str]) -> None:
    """Refuse a measure that is written out in words, before the words are taken for measures."""
    meant = in_words(text)
    if len(named) < 2 or not meant or all(map(_is_measure, named)):
        return
    raise InputError(f"{shown(text.strip())} is not a known measure; did you mean {meant}?")


def _is_measure(text: str) -> bool:
    try:
        measure(text)
    except InputError:
        return False
    return True


def _parts(text: str) -> tuple[str, str, str | None]:
    """The name, what stands between its brackets, and what follows the @."""
    head, *rest = pieces(text, "@".__eq__)
    head, cut = head.strip(), "@".join(rest).strip()
    name, bracket, inside = head.partition("(")
    name = name.rstrip()
    whole = not bracket or inside.endswith(")")
    if not name or not whole or name.split() != [name] or bool(rest) != bool(cut) or "@" in cut:
        meant = in_words(text) if len(text.split()) > 1 else ""
        asked = f"did you mean {meant}?" if meant else "write it as nDCG@10 or nDCG(gain=exp)@10"
        raise InputError(f"{shown(text)} is not a measure; {asked}")
    return name, inside.removesuffix(")"), cut or None


def pieces(text: str, parts: Callable[[str], bool]) -> list[str]:
    """The text, cut at a character outside all brackets; the brackets must match."""
    cut = [-1]
    depth = 0
    for place, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth < 0:
                break
        elif depth == 0 and parts(character):
            cut.append(place)
    if depth:
        lacks = "closed" if depth > 0 else "opened"
        raise InputError(
            f"{shown(text)}: a bracket is not {lacks}; write measures as in nDCG(gain=exp)@10"
        )
    return [text[a + 1 : b] for a, b in itertools.pairwise([*cut, len(text)])]


def shown(text: str) -> str:
    """A measure as a message quotes it."""
    return repr(text if len(text) <= _WIDTH else text[:_WIDTH] + "...")


def _registered(name: str, text: str) -> Metric:
    """The metric `module:name` of a module that is imported already."""
    home, _, attribute = name.partition(":")
    for candidate in METRICS.values():
        if (candidate.kernel.__module__, candidate.kernel.__name__) == (home, attribute):
            return candidate
    raise InputError(
        f"{shown(text)}: the module {home!r} with a metric {attribute!r} is not imported; import "
        "it first"
    )


def object_named(name: str, text: str) -> Any:
    """What stands as `module:name`, or None; the module is imported, from the folder too.

    This is the one place where a name of text runs code. Only what a user writes may come here:
    an argument of a call, an option of a command. A name that a file holds may not.
    """
    home, _, attribute = name.partition(":")
    sys.path.append("")  # a file in the current folder, as with `python -m`
    try:
        return getattr(importlib.import_module(home), attribute, None)
    except ImportError as error:
        raise InputError(f"{text!r}: the module {home!r} can't be imported: {error}") from None
    finally:
        sys.path.remove("")


# What ir_measures calls its options, in our words.
_OPTIONS_OF_IR_MEASURES: dict[tuple[str, str], dict[str, str]] = {
    ("dcg", "log2"): {"gain": "linear", "discount": "log2"},
    ("dcg", "exp-log2"): {"gain": "exp", "discount": "log2"},
    ("judged_only", "True"): {"unjudged": "removed"},
    ("judged_only", "False"): {"unjudged": "no_gain"},
    ("relative", "True"): {"divisor": "reachable"},
    ("relative", "False"): {},
}
# And those of which the value is kept: INST(T=2), nDCG(gains={1:3,2:7}).
_NAMES_OF_IR_MEASURES = {"T": "wanted", "gains": "gain"}


def _options(inside: str, text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    inside = re.sub(r"\{([^{}()]*)\}", r"table(\1)", inside)  # as gains={1:3,2:7}
    for item in pieces(inside, ",".__eq__) if inside.strip() else []:
        name, equals, value = item.partition("=")
        name, value = name.strip(), value.strip().strip("'\"")
        name = _NAMES_OF_IR_MEASURES.get(name, name)
        if not equals or not name or not value:
            raise InputError(
                f"{shown(text)}: {shown(item.strip())} should be an option with its value, as in "
                "gain=exp"
            )
        for option, worth in _OPTIONS_OF_IR_MEASURES.get(
            (name, value), {name: _literal(value)}
        ).items():
            if option in options:
                raise InputError(f"{shown(text)}: {option} is given twice; give it once")
            options[option] = worth
    return options


def _literal(text: str) -> Any:
    if text in ("nan", "inf"):  # names of conventions, not numbers
        return text
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return {"True": True, "False": False, "None": None}.get(text, text)


def explain(
    metric: Explainable,
    *inputs: Any,
    digits: int = 4,
    **options: Any,
) -> Explanation:
    """An explanation is a score with every step that led to it, written out.

    `metric` is a metric or its name ("nDCG@3"), and the other arguments are those of the metric. Or
    it is what was computed already: a `Working`, or anything that has one, such as the result of
    tuning, of re-ranking or of learning. A function whose result has one is called with the other
    arguments.

    >>> from irmetrics_edu import ndcg
    >>> print(explain(ndcg, [5, 2, 3]).text.splitlines()[0])
    nDCG = DCG / IDCG = 7.7619 / 7.8928 = 0.9834
    >>> from irmetrics_edu.lab import tune_alpha
    >>> print(explain(tune_alpha(10, "0.0075")).text.splitlines()[0])
    alpha = 3/370
    """
    if isinstance(metric, str):
        metric = parse(metric)
    return Explanation(_working_of(metric, inputs, options), digits=digits)


def _working_of(subject: Any, inputs: tuple[Any, ...], options: dict[str, Any]) -> Working:
    """The working of a metric with its inputs, of a result that has one, or of a function's."""
    made = subject if isinstance(subject, Working) else getattr(subject, "working", None)
    if isinstance(made, Working):
        if inputs or options:
            more = ", ".join([*(f"{value!r:.40}" for value in inputs), *options])
            raise InputError(
                f"{type(subject).__name__} is computed already, and takes no more: {more}. Leave "
                "that out, or give the metric or function itself"
            )
        return made
    if callable(made):
        working = made(*inputs, **options)
        if isinstance(working, Working):
            return working
    elif callable(subject) and not isinstance(subject, type):
        return _working_of(subject(*inputs, **options), (), {})
    raise InputError(
        f"{subject!r:.80} has no working to explain; give a metric with its inputs, as in "
        "explain(ndcg, [5, 2, 3]), or a result that has one, as in explain(tune_alpha(10, 0.0075))"
    )


MEAN = "mean"
GEOMETRIC_MEAN = "geometric mean"
MICRO = "micro"
BY_IMPRESSIONS = "impressions"

# Names of aggregates: the metric of each query, and the mean over queries.
_AGGREGATES = {
    "map": ("MAP", "AP", MEAN),
    "mrr": ("MRR", "RR", MEAN),
    "gmap": ("GMAP", "AP", GEOMETRIC_MEAN),
    "gmbpref": ("GMbpref", "bpref", GEOMETRIC_MEAN),
    "merr": ("mERR", "ERR", MEAN),
    "micro-p": ("micro-P", "P", MICRO),
    "micro-r": ("micro-R", "R", MICRO),
    "gauc": ("GAUC", "AUC", BY_IMPRESSIONS),
}


@dataclass(frozen=True)
class Measure:
    """A metric, the name under which it is shown, and the mean over queries.

    `floor` is that of a geometric mean, where the measure itself says it.
    """

    name: str
    metric: Metric
    aggregate: str = MEAN
    floor: float | None = None

    @property
    def k(self) -> int | None:
        """The cut-off rank; None where the whole ranking counts."""
        return self.metric.k


def measure(value: Any) -> Measure:
    """The measure that a name, a metric or an aggregate stands for.

    Names are the field's (`nDCG@10`), those of aggregates (`MAP`, `GMAP`, `MRR`, `micro-P@5`) or
    trec_eval's (`ndcg_cut_10`, `gm_map`). They are read as `parse` reads them.

    >>> measure("ndcg_cut_10").name
    'nDCG@10'
    >>> measure("GMAP").aggregate
    'geometric mean'
    """
    return _measure(value, parse)


def known_measure(value: Any) -> Measure:
    """The measure that a name stands for, without importing a module: for names out of data.

    >>> known_measure("ndcg_cut_10").name
    'nDCG@10'
    """
    return _measure(value, parse_known)


def _measure(value: Any, read: Callable[[str], Metric]) -> Measure:
    if isinstance(value, Measure):
        return value
    if isinstance(value, Metric):
        return Measure(repr(value), value)
    aggregation = getattr(value, "aggregation", None)
    metric = getattr(value, "metric", None)
    if isinstance(aggregation, Metric) and isinstance(metric, Metric):
        how = GEOMETRIC_MEAN if aggregation.name == "geometric_mean" else MEAN
        floor = aggregation.params.get("floor")
        name = metric.title(metric.k, metric.params, value.name) if floor is None else repr(value)
        return Measure(name, metric, how, floor)
    if _is_of_ir_measures(value):
        value = str(value)
    if not isinstance(value, str):
        raise InputError(f"{value!r} is not a measure; give a name such as 'nDCG@10' or a metric")
    return _measure_of_name(value.strip(), read)


def _measure_of_name(name_as_written: str, read: Callable[[str], Metric]) -> Measure:
    """The measure of a name: of an aggregate, such as MAP, or of a metric."""
    text = trec_format.ours(name_as_written) or name_as_written
    _refuse_commas(text)
    word = re.match(r"[^\s(@]+", text)
    aggregate = _AGGREGATES.get(word[0].casefold()) if word else None
    if word is None or aggregate is None:
        metric = read(text)
        return Measure(repr(metric), metric)
    name, metric_name, how = aggregate
    metric = read(metric_name + text[word.end() :])
    return Measure(metric.title(metric.k, metric.params, name), metric, how)


def _is_of_ir_measures(value: Any) -> bool:
    """Whether it is a measure of ir_measures, which is written as it is named here."""
    return type(value).__module__.partition(".")[0] == "ir_measures" and hasattr(value, "params")


def _is_one(value: Any) -> bool:
    """Whether it is one measure, and not several of them."""
    one = isinstance(value, (Metric, Measure)) or hasattr(value, "aggregation")
    return one or _is_of_ir_measures(value)


def words_of(text: str) -> list[str]:
    """Each measure of a text with blanks between them; one that is said in words is refused."""
    named = [piece for piece in pieces(text, str.isspace) if piece]
    _refuse_words(text, named)
    return named


def measures(asked: Any) -> tuple[Measure, ...]:
    """The measures that are asked for: one, several in one text, or an iterable of them.

    >>> [m.name for m in measures("nDCG@10 AP RR")]
    ['nDCG@10', 'AP', 'RR']
    """
    if isinstance(asked, str):
        items: Iterable[Any] = words_of(asked)
    elif _is_one(asked):
        items = [asked]
    elif hasattr(asked, "__iter__"):
        items = asked
    else:
        raise InputError(
            f"measures={asked!r} are not measures; give names such as 'nDCG@10 AP', or metrics"
        )
    chosen = tuple(dict.fromkeys(measure(item) for item in items))
    if not chosen:
        raise InputError("no measures are given; give at least one, such as 'nDCG@10'")
    names = [m.name for m in chosen]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two different measures are both named {name}")
    return chosen
