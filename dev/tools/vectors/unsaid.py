"""What the vectors use and nobody has given a meaning.

A measure has one by its definition and its formula. Its pseudo-code may come later.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from irmetrics_edu.diagnosis.conformance.vectors import VectorCase


def without_meaning(cases: Iterable[VectorCase], found: Mapping[str, Any]) -> list[str]:
    """The measures, words and values of the vectors without a meaning."""
    lacking: dict[str, None] = {}
    for case in cases:
        measure = found["measures"].get(case.metric)
        if measure is None or not measure["definition"]:
            lacking[f"the measure {case.metric}"] = None
            continue
        for word, value in {**case.reading, **case.conventions}.items():
            kind = found["kinds"].get(measure["words"].get(word), {})
            known = kind.get("values", {}).get(str(value))
            name, bracket, _ = str(value).partition("(")
            if bracket and any(form.startswith(name + "(") for form in kind.get("forms", ())):
                continue  # binary(2), of which the code says binary(b)
            number = word in found["numbers"] and _is_number(value)
            steps = [line.split()[:1] for line in found["reading"].get(word, ())]
            if bracket and any(step[0].startswith(name + "(") for step in steps if step):
                continue  # grade(1), of which the reading says grade(x)
            if not number and (known is None or not ("code" in known or [str(value)] in steps)):
                lacking[f"{word}={value} of {case.metric}"] = None
    return list(lacking)


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
