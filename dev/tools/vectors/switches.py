"""What the vectors turn of a measure: the options of its kernel, as the signature has them."""

from collections.abc import Mapping, Sequence
from typing import Any

from dev.tools.vectors.grid import EMPTY
from dev.tools.vectors.meaning import kind_of
from irmetrics_edu.conventions import NoRelevant
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all

# By what a measure is called with: an input for trying which values its kernel takes.
_TRIED: Mapping[tuple[str, ...], tuple[Any, ...]] = {
    ("ranking", "judgments"): (["a", "b"], {"a": 1, "b": 0, "c": 1}),
    ("relevance", "scores"): ([1, 0], [0.5, 0.25]),
    ("ranking", "nuggets"): (["a", "b"], {"a": ["A"], "b": []}),
}


def switches_of(name: str) -> dict[str, Sequence[Any]]:
    """The options of a measure, each with its values, that of the definition first.

    A convention has those of its values that the kernel takes. A number has its default and one
    more. They come as text where they are no whole numbers, so that they stay exact.

    >>> switches_of("NCG")
    {'gain': ('linear', 'exp', 'binary'), 'no_relevant': ('zero', 'one', 'nan')}
    >>> switches_of("PFound")["p_break"]
    ('0.15', '0.5')
    """
    import_all()
    metric = METRICS[name]
    switches: dict[str, Sequence[Any]] = {}
    for word, default in metric.defaults.items():
        values = _values(name, word, default)
        switches[word] = [value for value in values if _taken(metric, word, value)]
    return {word: tuple(values) for word, values in switches.items()}


def _values(name: str, word: str, default: Any) -> Sequence[Any]:
    kind = kind_of(name, word)
    if kind is NoRelevant:
        return EMPTY["no_relevant"]
    named = [] if kind is None else [value.name for value in kind.values.values()]
    if word == "rel":
        return (1, 2)
    if isinstance(default, int | float):
        return (_written(default), *(named or [_another(default)]))
    return tuple(dict.fromkeys([str(default), *named]))


def _written(number: float) -> int | str:
    """A whole number as it is, any other as text."""
    return int(number) if number == int(number) else str(number)


def _another(number: float) -> int | str:
    """A number that is as good as the default, and is not the default."""
    if not 0 < number < 1:
        return _written(2 * number or 1)
    return "0.25" if number == 0.5 else "0.5"


def _taken(metric: Metric, word: str, value: Any) -> bool:
    """Whether the kernel computes anything with a value of an option."""
    given = float(value) if isinstance(value, str) and value[:1].isdigit() else value
    options: dict[str, Any] = {word: given}
    try:
        metric(*_TRIED[metric.inputs.arguments], **options)
    except InputError:
        return False
    return True
