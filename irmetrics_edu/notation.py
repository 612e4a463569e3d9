"""Names of metrics in the field's notation: nDCG(gain=exp)@10."""

import re
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import ALIASES, METRICS, Metric, folded, import_all


def parse(text: str) -> Metric:
    """The metric that a name in the field's notation stands for.

    Reads `nDCG@10`, `nDCG(gain=exp)@10`, `alpha_nDCG(alpha=0.5)@20` and the names that
    ir_measures uses (`AP`, `Rprec`, `RR@10`, `IPrec@0.1`). Raises InputError with the place in
    the text where it stops making sense.

    >>> parse("nDCG(gain=exp)@10")
    nDCG(gain=exp)@10
    """
    import_all()
    match = re.fullmatch(r"\s*([^\s(@]+)\s*(?:\((.*)\))?\s*(?:@\s*([^\s@]+))?\s*", text)
    if not match:
        raise InputError(f"{text!r} is not a measure; write it as nDCG@10 or nDCG(gain=exp)@10")
    name, inside, cut = match.groups()
    if folded(name) not in ALIASES:
        raise InputError(f"{name!r} is not a known measure; known are {', '.join(METRICS)}")
    registered, options = ALIASES[folded(name)]
    found = METRICS[registered]
    if options:
        found = found.using(**options)
    given = _options(inside or "", text)
    if folded(name) == "setf" and "beta" in given:  # there F is (1+beta)PR/(beta P + R)
        given["alpha"] = 1 / (given.pop("beta") + 1)
    cut = given.pop("cutoff", cut)
    if given:
        found = found.using(**given)
    return found if cut is None else found @ _literal(str(cut))


# What ir_measures calls its options, in our words.
_OPTIONS_OF_IR_MEASURES: dict[tuple[str, str], dict[str, str]] = {
    ("dcg", "log2"): {"gain": "linear", "discount": "log2"},
    ("dcg", "exp-log2"): {"gain": "exp", "discount": "log2"},
    ("judged_only", "True"): {"unjudged": "removed"},
    ("judged_only", "False"): {"unjudged": "no_gain"},
}


def _options(inside: str, text: str) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for item in re.findall(r"(?:[^,()]|\([^()]*\))+", inside):
        name, equals, value = item.partition("=")
        if not equals:
            raise InputError(
                f"{text!r}: {item.strip()!r} should be an option with its value, as in gain=exp"
            )
        name, value = name.strip(), value.strip().strip("'\"")
        options.update(_OPTIONS_OF_IR_MEASURES.get((name, value), {name: _literal(value)}))
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
