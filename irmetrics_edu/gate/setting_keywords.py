"""The settings of a gate as keywords of a function: in its signature, its help and its calls."""

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from irmetrics_edu.gate.checked_value import OF_RUNS
from irmetrics_edu.gate.policy import TAKEN, GateSetting, Settings
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.runs.joining.joined_run import JUDGMENTS
from irmetrics_edu.runs.keywords import refuse_unknown

Function = TypeVar("Function", bound=Callable[..., Any])
BESIDE = ("groups", "queries", "reveal")
_HEAD = "Settings of the gate, from `irmetrics_edu.gate.policy`:"
_WIDTH = 96  # of a line of a docstring, without its indent
_Parameter = inspect.Parameter


def takes_settings(*names: str) -> Callable[[Function], Function]:
    """Let `**options` of a function hold these settings; its signature and docstring name them.

    >>> @takes_settings("margin")
    ... def check(run, **options):
    ...     "Check a run."
    >>> str(inspect.signature(check))
    "(run, *, margin: 'float | None' = None, **options)"
    """

    def told(function: Function) -> Function:
        described = [TAKEN[name] for name in names]
        function.__signature__ = _with(inspect.signature(function), described)  # type: ignore[attr-defined]  # inspect reads it from any function
        if function.__doc__:  # there is none under -OO
            function.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\n{in_words(described)}\n"
        return function

    return told


def _with(signature: inspect.Signature, settings: Iterable[GateSetting[Any]]) -> inspect.Signature:
    """The signature with the settings before `**options`."""
    *before, options = signature.parameters.values()
    added = [
        _Parameter(
            setting.name,
            _Parameter.KEYWORD_ONLY,
            default=None,
            annotation=f"{setting.kind} | None",
        )
        for setting in settings
    ]
    return signature.replace(parameters=[*before, *added, options])


def in_words(settings: Sequence[GateSetting[Any]]) -> str:
    """The settings as a list for a docstring: what each sets, and its default."""
    lines = [_HEAD, ""]
    for setting in settings:
        item = f"- `{setting.name}`: {setting.help}"
        lines += textwrap.wrap(item, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines)


def split(options: Mapping[str, Any], names: Iterable[str]) -> tuple[Settings, dict[str, Any]]:
    """The settings among the keywords of a call, and the other keywords."""
    setting_names = set(names)
    settings = {name: value for name, value in options.items() if name in setting_names}
    others = {name: value for name, value in options.items() if name not in setting_names}
    return settings, others


def refuse_keywords(
    who: str,
    options: Mapping[str, Any],
    chosen: Sequence[Measure],
    keywords: Sequence[str],
) -> None:
    """Refuse a keyword that a gate does not take: it would change the evaluation in silence."""
    inputs: set[str] = set()
    for measure in chosen:
        inputs |= set(measure.metric.inputs.arguments[1:])
    beside = sorted(inputs - {*JUDGMENTS})
    takes = ["measures", *keywords, *beside, *sorted(OF_RUNS)]
    refuse_unknown(options, takes, list(chosen), who)
