"""What a metric is: a kernel, the words that define it, and its place in the registry."""

import functools
import inspect
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Self, SupportsIndex

import numpy as np

from irmetrics_edu import checks
from irmetrics_edu.conventions import ONE, ZERO, Convention, Ties
from irmetrics_edu.errors import InputError
from irmetrics_edu.numbers import as_fraction, plain
from irmetrics_edu.rows.aligned_ranking import RANKED
from irmetrics_edu.rows.by_query import ByQuery
from irmetrics_edu.rows.kinds_of_input import KindOfInput
from irmetrics_edu.working import Working

UNBOUNDED = (0.0, float("inf"))  # ranges
ANY = (-float("inf"), float("inf"))
GREEK = {"alpha", "beta", "gamma", "epsilon", "tau", "theta"}
# Options that a formula names by a symbol of the field, not by their own name.
SYMBOLS = {"n_categories": r"|\mathcal{C}|"}


def fill(
    template: str,
    params: Mapping[str, Any],
    k: int | None,
) -> str:
    """A formula with its macros replaced: conventions by their LaTeX, k by the cut-off."""
    numbers = {name: v for name, v in params.items() if not isinstance(v, Convention)}
    by_macro = {name.replace("_", ""): name for name in params}

    def replace(match: re.Match[str]) -> str:
        macro = match[1]
        if macro == "k":
            return "k" if k is None else str(k)
        name = by_macro.get(macro)
        if name is None:
            return match[0]
        value = params[name]
        if isinstance(value, Convention):
            # A convention's own LaTeX may hold the cut-off, as in min(k, R), or a parameter.
            return fill(value.latex.replace("#1", match[2] or ""), numbers, k)
        return match[0] if macro in GREEK else _symbol(name)

    def apart(match: re.Match[str]) -> str:
        """The replacement, with a blank where a letter would run on from the macro before it."""
        new = replace(match)
        runs_on = new[:1].isalpha() and re.search(r"\\[A-Za-z]+$", template[: match.start()])
        return f" {new}" if runs_on else new

    return re.sub(r"\\([A-Za-z]+)(?:\{([^{}]*)\})?", apart, template)


def _symbol(name: str) -> str:
    """How a formula shows an option."""
    plain_name = name.replace("_", r"\_")
    return SYMBOLS.get(name, rf"\mathit{{{plain_name}}}")


METRICS: dict[str, "Metric"] = {}
# By folded name: the metric, and the options that the name stands for.
ALIASES: dict[str, tuple[str, dict[str, Any]]] = {}


class _Documentation:
    """The docstring of a class, and of its instances: that of the kernel, and how it is called.

    `help(ndcg)` shows no signature of what is no function, so the text ends with it. It is made
    when it is asked for: an import needs none.
    """

    def __init__(self, of_class: str) -> None:
        self.of_class = of_class

    def __get__(self, metric: Any, owner: type | None = None) -> str:
        if metric is None:
            return self.of_class
        definition = inspect.cleandoc(metric.kernel.__doc__ or "")
        called = metric.kernel.__name__
        inputs = ", ".join(metric.inputs.arguments)
        lines = [f"Called as {called}({inputs}, ...), with these options and their defaults:"]
        for name, parameter in metric.__signature__.parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY:
                lines.append(f"    {name}={parameter.default}")
        lines.append(f"`irmetrics-edu metrics {metric.name}` says what each may be.")
        return "\n".join([definition, "", *lines])


class Metric:
    """A measure of rankings: call it for the score, and ask for its working to see why.

    >>> from irmetrics_edu import ndcg
    >>> ndcg @ 10
    nDCG@10
    >>> round((ndcg @ 2)([5, 2, 3]), 4)
    0.9085
    """

    def __init__(
        self,
        kernel: Callable[..., Working],
        name: str,
        *,
        formula: str = "",
        source: str = "",
        symbol: str = "",
        inputs: KindOfInput = RANKED,
        range: tuple[float, float] = (0.0, 1.0),  # noqa: A002 -- what the field calls it
        units: str = "",
        cutoff: str = "k",
        shares_ties: bool = False,
    ) -> None:
        self.kernel = kernel
        self.is_foreign = kernel.__module__.split(".")[0] != __name__.split(".")[0]
        self.name = name
        self.symbol = symbol or rf"\mathrm{{{name}}}"
        self.formula_template = formula
        self.source = source
        self.inputs = inputs
        self.range = range
        self.units = units
        self.cutoff = cutoff
        self.shares_ties = shares_ties
        parameters = inspect.signature(kernel).parameters.values()
        self.has_cutoff = any(p.name == "k" for p in parameters)
        self.defaults: dict[str, Any] = {
            p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY
        }
        self.k: int | None = None
        self.params: dict[str, Any] = {}
        names = [name for name in functools.WRAPPER_ASSIGNMENTS if name != "__doc__"]
        functools.update_wrapper(self, kernel, assigned=names)
        self.__signature__ = self._signature()

    def _signature(self) -> inspect.Signature:
        keyword = inspect.Parameter.KEYWORD_ONLY
        aligned = inspect.signature(self.inputs.align).parameters
        parameters = [aligned[name] for name in self.inputs.arguments]
        if self.has_cutoff:
            parameters.append(inspect.Parameter("k", keyword, default=None))
        options = {**self.defaults, **self.inputs.options, "exact": False}
        for name, default in options.items():
            parameters.append(inspect.Parameter(name, keyword, default=default))
        return inspect.Signature(parameters, return_annotation=float)

    # -- scoring

    def __call__(
        self,
        *inputs: Any,
        k: Any = None,
        exact: bool = False,
        **options: Any,
    ) -> Any:
        """The score of one ranking: a float, or a fraction if `exact` is asked for."""
        score = self._kernel_result(
            inputs,
            k,
            options,
            exact=exact,
        )[0].score
        return plain(score[0])

    def working(
        self,
        *inputs: Any,
        k: SupportsIndex | None = None,
        exact: bool = False,
        **options: Any,
    ) -> Working:
        """The score of one ranking with all that led to it."""
        working, cut, params, aligned = self._kernel_result(
            inputs,
            k,
            options,
            exact=exact,
        )
        return self._labelled(working, cut, {**params, **aligned})

    def measured(
        self,
        rows: ByQuery,
        k: int | None = None,
        **params: Any,
    ) -> Working:
        """The working over rows that are already aligned, as kernels need it of one another."""
        return self._labelled(self._computed(rows, k, params), k, params)

    def is_decided_by_no_relevant(self, working: Working) -> bool:
        """Whether one query's score would be another under another `no_relevant`."""
        other = ZERO if working.params["no_relevant"].value == 1 else ONE
        params = {name: working.params[name] for name in self.defaults} | {"no_relevant": other}
        instead = self.measured(working.rows, working.k, **params)
        return bool(instead.value != working.value)

    def _computed(
        self,
        rows: ByQuery,
        k: int | None,
        params: dict[str, Any],
    ) -> Working:
        """The kernel's working, which says here what was measured."""
        cut = (k,) if self.has_cutoff else ()
        if self.is_foreign:  # no kernel of this package writes into rows, and copies take time
            rows = rows.read_only()
        try:
            with np.errstate(over="raise", invalid="raise"):
                working = self.kernel(rows, *cut, **params)
        except (OverflowError, FloatingPointError):
            options = ", ".join(f"{name}={value!s:.20}" for name, value in params.items())
            raise InputError(
                f"{self.name}({options}): an option or a grade is too large to compute with; give "
                "smaller numbers"
            ) from None
        if working.rows is None:
            working.rows = rows
        return working

    def _labelled(
        self,
        working: Working,
        k: int | None,
        params: dict[str, Any],
    ) -> Working:
        working.name = self.name
        working.k = k
        working.metric = self
        working.params = {**self.defaults, **self.params, **params}
        return working

    def _kernel_result(
        self,
        inputs: Sequence[Any],
        k: Any,
        options: dict[str, Any],
        *,
        exact: bool,
    ) -> tuple[Working, int | None, dict[str, Any], dict[str, Any]]:
        params, aligned = self._settled(options, exact=exact)
        rows = self._aligned(
            inputs,
            options,
            aligned,
            exact=exact,
        )
        k = self._cut(k)
        return self._computed(rows, k, params), k, params, aligned

    def align(
        self,
        *inputs: Any,
        exact: bool = False,
        query: Hashable | None = None,
        **options: Any,
    ) -> ByQuery:
        """The rows that the kernel reads, for one query."""
        _, aligned = self._settled(options, exact=exact)
        return self._aligned(
            inputs,
            options,
            aligned,
            exact=exact,
            query=query,
        )

    def _aligned(
        self,
        inputs: Sequence[Any],
        options: dict[str, Any],
        aligned: dict[str, Any],
        *,
        exact: bool,
        query: Hashable | None = None,
    ) -> ByQuery:
        keywords = dict(self.inputs.keywords(aligned)) if aligned else {}
        if options:
            keywords |= {name: options[name] for name in self.inputs.arguments if name in options}
        if exact:
            keywords["exact"] = True
        if query is not None:
            keywords["query"] = query
        try:
            rows: ByQuery = self.inputs.align(*inputs, **keywords)
        except TypeError:
            try:
                inspect.signature(self.inputs.align).bind(*inputs, **keywords)
            except TypeError as mismatch:
                wants = ", ".join(self.inputs.arguments)
                raise InputError(f"{self.name} is called with ({wants}): {mismatch}") from None
            raise
        return rows

    def _cut(self, k: Any) -> int | None:
        if k is None:
            return self.k
        if not self.has_cutoff:
            raise InputError(f"{self.name} has no cut-off k")
        if self.k is not None:
            raise InputError(
                f"{self!r} already has a cut-off, and k={k} gives another; give one of them"
            )
        return checks.cutoff(k)

    def _settled(
        self, options: Mapping[str, Any], *, exact: bool = False
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The options as values: those of the kernel, and those of the alignment."""
        params: dict[str, Any] = {}
        aligned: dict[str, Any] = {}
        if not options and not self.params and not exact:
            return params, aligned
        for name, value in {**self.params, **options}.items():
            if name in self.defaults:
                params[name] = _value(
                    name,
                    value,
                    self.defaults[name],
                    exact=exact,
                )
            elif name in self.inputs.options:
                aligned[name] = _value(
                    name,
                    value,
                    self.inputs.options[name],
                    exact=exact,
                )
            elif name not in self.inputs.arguments:
                raise InputError(f"{self.name} takes no {name!r}; it takes {self._taken()}")
        self.refuse_shared(aligned.get("ties"))
        if exact:
            for name, default in self.defaults.items():
                params.setdefault(
                    name,
                    _value(
                        name,
                        default,
                        default,
                        exact=exact,
                    ),
                )
        return params, aligned

    def _taken(self) -> str:
        """What a call takes, as a message lists it."""
        names = list(self.inputs.arguments)
        if self.has_cutoff:
            names.append("k")
        names += self.defaults
        names += self.inputs.options
        return ", ".join(names)

    def refuse_shared(self, ties: Ties | None) -> None:
        """Raise an error if tied documents share ranks and this metric needs one rank for each."""
        if ties is not None and ties.shared and not self.shares_ties:
            able = ", ".join(metric.name for metric in METRICS.values() if metric.shares_ties)
            raise InputError(
                f"{self.name} can't be computed with ties={str(ties)!r}: it needs one rank "
                f"for each document; use {able}, or another order of ties"
            )

    # -- naming and configuring

    def using(self, **options: Any) -> Self:
        """The same metric under other conventions: `ndcg.using(gain="exp")`."""
        k = options.pop("k", None)
        params, aligned = self._settled(options)
        other = self._copy()
        other.params = {**params, **aligned}
        if k is not None:
            other.k = self._cut(k)
        return other

    def __matmul__(self, k: Any) -> Self:
        """The metric cut off at rank k: `ndcg @ 10`."""
        if self.cutoff != "k":
            return self.using(**{self.cutoff: k})
        other = self._copy()
        other.k = self._cut(k)
        return other

    def uncut(self) -> Self:
        """The same metric, under the same conventions, without a cut-off."""
        other = self._copy()
        other.k = None
        return other

    def without(self, option: str) -> Self:
        """The same metric without what was said of one of its options."""
        other = self._copy()
        other.params = {name: value for name, value in self.params.items() if name != option}
        return other

    def _copy(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def title(
        self,
        k: int | None,
        params: Mapping[str, Any],
        name: str = "",
        *,
        always: Collection[str] = (),
    ) -> str:
        """The field's notation: name, what differs from the defaults, cut-off.

        Options that are in `always` are written even where they have their defaults.
        """
        usual = {**self.defaults, **self.inputs.options}
        options: list[str] = []
        for option, value in params.items():
            listed = option in usual and option != self.cutoff
            if listed and (option in always or not _same_value(value, usual[option])):
                options.append(f"{option}={value}")
        text = name or self.name
        if options:
            text += f"({','.join(options)})"
        at = k if self.cutoff == "k" else params.get(self.cutoff)
        return text if at is None else f"{text}@{at}"

    def __repr__(self) -> str:
        return self.title(self.k, self.params)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> Any:
        """Pickled by name and options, because the kernel's name means the metric."""
        cut = {} if self.k is None else {"k": self.k}
        return _registered, (self.name, {**self.params, **cut})

    @property
    def definition(self) -> str:
        """The definition: the first line of the docstring."""
        return (self.__doc__ or "").strip().partition("\n")[0]

    @property
    def formula(self) -> str:
        """The formula in LaTeX, with the conventions filled in."""
        return self.latex(self.k, self.params)

    def latex(self, k: int | None = None, params: Mapping[str, Any] | None = None) -> str:
        """The formula in LaTeX under the given conventions."""
        return fill(self.formula_template, {**self.defaults, **self.params, **(params or {})}, k)


# For each metric its own; `help` asks the class.
Metric.__doc__ = _Documentation(Metric.__doc__ or "")  # type: ignore[assignment]  # an attribute with a get of its own


def _registered(name: str, options: Mapping[str, Any]) -> Metric:
    import_all()
    return METRICS[name].using(**options)


def _same_value(value: Any, default: Any) -> bool:
    """Whether an option has its default: an exact 1/100 is the 0.01 that it was read from."""
    if isinstance(value, Fraction) and isinstance(default, float):
        return value == as_fraction(default)
    return bool(value == default)


def _value(
    name: str,
    value: Any,
    default: Any,
    *,
    exact: bool,
) -> Any:
    if isinstance(default, Convention):
        return type(default).named(value, name)
    if isinstance(value, Convention):
        raise InputError(f"{name}={value}: a {type(value).__name__.lower()} is no {name}")
    if exact and isinstance(value, (float, np.floating)):
        return as_fraction(value)
    return value


def metric(
    name: str, *, aliases: Mapping[str, Mapping[str, Any]] | Sequence[str] = (), **facts: Any
) -> Callable[[Callable[..., Working]], Metric]:
    """Make a kernel a metric and enter it in the registry, under the name that people write.

    A kernel is a function of rows (and of a cut-off `k`, if it has one) that returns a `Working`.
    Its keyword arguments are the options of the metric, and the first line of its docstring is the
    definition. `aliases` are other names that `parse` reads. An alias can come with the options
    that it means. `facts` are those of `Metric`: `formula` in LaTeX, `source`, `range`, `inputs`
    ... You can run a definition again, as you run a notebook's cell again. The name of another
    metric is refused.
    """

    def decorate(kernel: Callable[..., Working]) -> Metric:
        made = Metric(kernel, name, **facts)
        options_of_name = (
            aliases if isinstance(aliases, Mapping) else {alias: {} for alias in aliases}
        )
        options_of_name = {name: {}, kernel.__name__: {}, **options_of_name}
        _refuse_taken(made, options_of_name)
        METRICS[name] = made
        for alias, options in options_of_name.items():
            ALIASES[folded(alias)] = (name, dict(options))
        return made

    return decorate


def _refuse_taken(made: Metric, names: Iterable[str]) -> None:
    """Refuse names that mean another metric; a metric that is defined again takes its own place."""
    if not made.__module__.startswith("irmetrics_edu."):
        import_all()
    for name in names:
        owner = ALIASES.get(folded(name), ("", {}))[0]
        if owner and _home(METRICS[owner]) != _home(made):
            raise InputError(
                f"two metrics are named {name}: {_home(METRICS[owner])} is, and {_home(made)} "
                "would be; give it another name"
            )


def _home(metric: Metric) -> str:
    return f"{metric.kernel.__module__}.{metric.kernel.__qualname__}"


def folded(name: str) -> str:
    """A name as it is looked up: without regard to case and hyphens."""
    return name.replace("-", "_").casefold()


@functools.cache
def import_all() -> None:
    """Make sure that every family's file has entered its metrics."""
    from irmetrics_edu.metrics import FAMILIES, load

    load()
    # A family that builds on another imports it early; the registry keeps the reading order.
    place = {f"irmetrics_edu.metrics.{family}": i for i, family in enumerate(FAMILIES)}
    in_order = sorted(METRICS.items(), key=lambda entry: place.get(entry[1].__module__, len(place)))
    METRICS.clear()
    METRICS.update(in_order)
