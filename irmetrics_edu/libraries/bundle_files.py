"""The bundles, each read from its file when it is asked for."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries.bundle import OWN, Bundle, Quirk, bare, form_of
from irmetrics_edu.metrics.notation import parse

HOME = Path(__file__).parent
_FIRST = ("irmetrics_edu", "trec_eval", "trec_eval_10", "pytrec_eval")


def read(path: Path) -> Bundle:
    """The bundle that a file describes; a file may build on another, of which it is a variant."""
    given = tomllib.loads(path.read_text(encoding="utf-8"))
    base = Bundle("") if "like" not in given else read(HOME / f"{given.pop('like')}.toml")
    quirks = tuple(_quirk(q) for q in given.pop("quirks", ()))
    conventions = given.pop("conventions", {})
    own = given.pop("metrics", {})
    metrics = {**own, **base.metrics, **own}
    known = {f.name for f in fields(Bundle)}
    unknown = set(given) - known
    if unknown:
        raise InputError(f"{path.name}: {', '.join(sorted(unknown))} is no part of a bundle")
    lacks = (*given.pop("lacks", ()), *base.lacks)
    inherited = base.quirks
    if "package" in given:  # its cases were measured in the package of the other
        inherited = tuple(replace(quirk, case=None) for quirk in inherited)
    plain = replace(
        base,
        **given,
        metrics=metrics,
        lacks=lacks,
        quirks=(*quirks, *inherited),
    )
    return replace(plain.using(**conventions), options=_options(metrics))


def _quirk(given: Mapping[str, Any]) -> Quirk:
    case = given.get("case")
    return Quirk(
        given["says"],
        tuple(given.get("metrics", ())),
        tuple(given.get("probes", ())),
        None if case is None else (case["metric"], case["probe"], case["value"]),
        always=bool(given.get("always", False)),
        ties_from=given.get("ties_from", 0),
    )


def _options(metrics: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of each of our metrics: those of the library's first one that is this metric.

    Cut off at k a metric may have others than without (RR and RR@k of ir-measures); and what the
    library has under options of its own may be aligned in its own way: nDCG(gain=exp).
    """
    options: dict[str, dict[str, Any]] = {}
    for entry in metrics.values():
        text, aligned = (entry, {}) if isinstance(entry, str) else (entry["measure"], entry)
        if re.search(r"\{[a-z]\}", bare(text)):
            continue
        metric = parse(bare(text))
        if metric.has_cutoff and metric.cutoff == "k" and re.search(r"@[^@()]*$", text):
            metric = metric @ 1
        own = {n: v for n, v in metric.params.items() if n != metric.cutoff}
        own |= {n: aligned[n] for n in OWN if n in aligned}
        plain = metric.name if metric.k is None else f"{metric.name}@k"
        options.setdefault(plain, own)
        options.setdefault(form_of(metric), own)
    return options


class _Files(Mapping[str, Bundle]):
    """Bundles by name, ours and trec_eval's first."""

    @cached_property
    def _paths(self) -> dict[str, Path]:
        stems = sorted(path.stem for path in HOME.glob("*.toml"))
        ordered = [*_FIRST, *(stem for stem in stems if stem not in _FIRST)]
        return {stem: HOME / f"{stem}.toml" for stem in ordered}

    def __init__(self) -> None:
        self._read: dict[str, Bundle] = {}

    def __getitem__(self, name: str) -> Bundle:
        if name not in self._read:
            self._read[name] = read(self._paths[name])
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


BUNDLES: Mapping[str, Bundle] = _Files()


# Libraries that are imported under a name that is not like their own.
_IMPORTED_AS = {"sklearn": "scikit_learn"}


def bundle(value: Bundle | str) -> Bundle:
    """The bundle that `value` is or names.

    >>> bundle("trec_eval").ties.name
    'docid'
    """
    if isinstance(value, Bundle):
        return value
    name = str(value).casefold().replace("-", "_").replace(" ", "_")
    name = name.replace("[", "_").rstrip("]")
    name = _IMPORTED_AS.get(name, name)
    if name not in BUNDLES:
        raise InputError(f"conventions={value!r} is not known; known are {', '.join(BUNDLES)}")
    return BUNDLES[name]
