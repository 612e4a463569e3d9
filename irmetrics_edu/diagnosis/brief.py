"""A diagnosis in one line, for the message of a failed assertion."""

from typing import Any

from irmetrics_edu.conventions import Gain
from irmetrics_edu.diagnosis.candidates import explain_value
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.result import Diagnosis, some_of
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.notation import Measure
from irmetrics_edu.runs.evaluation import Evaluation


def one_line(
    evaluation: Evaluation,
    expected: float,
    abs: float = 1e-6,  # noqa: A002 -- as the assertion calls it
) -> str | None:
    """Which convention or mistake gives an expected value, and what to write; None if none does.

    >>> from irmetrics_edu import evaluate
    >>> found = evaluate({"q": ["d1", "d2"]}, {"q": {"d1": 1, "d2": 3}}, "nDCG@10")
    >>> print(one_line(found, 0.7098, abs=5e-5))
    the expected value is what gain = 2^rel - 1 gives (LightGBM, XGBoost, ...); to agree, ...
    """
    aligned = evaluation.aligned
    by = evaluation.conventions
    asked = evaluation.measures[0]
    chosen = Measure(asked.name, by.settle(asked.metric), asked.aggregate)
    try:
        search = Search(chosen, aligned.run, aligned.judged, by, aligned.beside)
        return said(explain_value(search, Target.of(float(expected), max(abs, 1e-9))))
    except InputError:
        return None


def said(diagnosis: Diagnosis) -> str | None:
    """The first candidate; a mistake if no library and no single change gives the value."""
    likely = diagnosis.candidates and (
        diagnosis.candidates[0].libraries or len(diagnosis.candidates[0].arguments) <= 1
    )
    if likely or (diagnosis.candidates and not diagnosis.mistakes):
        first, *others = diagnosis.candidates
        if not first.arguments:
            return None
        who = some_of(first.libraries)
        what = " and ".join(_in_formula(n, v) for n, v in first.arguments.items())
        # Another that takes more changes is less likely, and this is one line.
        alike = [c for c in others if len(c.arguments) <= len(first.arguments)]
        also = f" (or {alike[0].written})" if alike else ""
        return f"the expected value is what {what} gives{who}; to agree, pass {first.written}{also}"
    if diagnosis.mistakes:
        mistake = diagnosis.mistakes[0].mistake
        return f"the expected value equals that of {mistake.says}"
    return None


def _in_formula(name: str, value: Any) -> str:
    """A gain as its formula, if it fits into a line of text: gain = 2^rel - 1."""
    formula = value.latex if isinstance(value, Gain) else "\\"
    if "\\" in formula:
        return f"{name}={value}"
    plain = formula.strip("()").replace("#1", "rel").replace("{", "").replace("}", "")
    return f"{name} = {plain.replace('-', ' - ')}"
