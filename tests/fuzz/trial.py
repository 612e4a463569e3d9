"""One trial: an input is evaluated and held against its verdict; and many, from a seed."""

import json
import math
import os
import random
import re
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from irmetrics_edu import evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import long_ids, tabular
from irmetrics_edu.reading.trec import TrecFile
from tests.fuzz.oracle import Scores, Verdict
from tests.fuzz.reading import Reading

# What the fuzzers ever found, a seed a line: kind, seed of the run, number of the trial.
SEEDS = Path(__file__).parent / "corpus" / "seeds.txt"

# What an error has to name: a file, a frame, a query, or both sides where they don't fit together.
_PLACE = re.compile(
    r"run|recommended|held-out|qrels|/dev/fd|judg|quer|document|ids? |padding|array|row \d|line \d"
    r"|column '"
)


@dataclass
class Trial:
    """A run and judgments, how they are evaluated, and the verdict of the oracle."""

    what: str
    run: Any
    qrels: Any
    measures: dict[str, Verdict]
    options: dict[str, Any] = field(default_factory=dict)
    block: int = 1 << 22


@dataclass
class Finding:
    """An input that ended neither in the oracle's score nor in an error that names the place."""

    seed: str
    kind: str  # crash, silence, refusal, unnamed
    what: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind} at seed {self.seed}: {self.what}\n    {self.detail}"


def judged(trial: Trial, seed: str) -> Finding | None:
    """Evaluate one input; a finding if it ended in anything that its verdict does not allow."""
    for name, verdict in trial.measures.items():
        try:
            with blocks_of(trial.block), given(trial.run) as run, warnings.catch_warnings():
                warnings.simplefilter("error")
                e = evaluate(run, trial.qrels, name, **trial.options)
                got = dict(next(iter(e.per_query.values())))
                query = e.queries[seed_number(seed) % len(e.queries)]
                alone = e.working(name, query).score
                json.loads(e.json())
        except InputError as error:
            if not verdict.refusable and not verdict.must_refuse:
                return Finding(seed, "refusal", trial.what, f"{name}: {error}"[:400])
            if not _PLACE.search(str(error)):
                return Finding(seed, "unnamed", trial.what, f"{name}: {error}"[:400])
            continue
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 -- a crash is looked for; Rust's panics too
            said = f"{name}: {type(error).__name__}: {error}"[:400]
            return Finding(seed, "crash", trial.what, said)
        if verdict.anything:
            continue
        if not any(alike(got, allowed) for allowed in verdict.scores):
            said = f"{name}: got {got}, expected {verdict.scores or 'an error'}"[:400]
            return Finding(seed, "silence", trial.what, said)
        if not math.isclose(float(alone[0]), got[query], abs_tol=1e-9):
            said = f"{name}: {query!r} alone gives {alone}, among others {got[query]}"
            return Finding(seed, "silence", trial.what, said)
    return None


@contextmanager
def given(run: Any) -> Iterator[Any]:
    """A run as it is; one that is made for each evaluation, such as a pipe, is made and closed."""
    made = run() if callable(run) else run
    try:
        yield made
    finally:
        if callable(run):
            os.close(int(made.rpartition("/")[2]))


def seed_number(seed: str) -> int:
    """A number that a seed comes to."""
    return sum(seed.encode())


def alike(got: Scores, expected: Scores) -> bool:
    """Whether two scores of queries are one, but for rounding."""
    return got.keys() == expected.keys() and all(
        math.isclose(got[q], expected[q], abs_tol=1e-9) for q in got
    )


@contextmanager
def blocks_of(size: int) -> Iterator[None]:
    """Files are read so many bytes or rows at a time: queries are then cut anywhere."""
    defaults = [size if d == 1 << 22 else d for d in TrecFile.__init__.__defaults__ or ()]
    rows = max(1, size // 8)
    with (
        mock.patch.object(TrecFile.__init__, "__defaults__", tuple(defaults)),
        mock.patch.object(tabular, "_BATCH", rows),
        mock.patch.object(long_ids, "BATCH", rows),
    ):
        yield


def of_reading(reading: Reading, seed: str) -> Finding | None:
    """Files of other readers; a finding if one ended in a traceback or in two answers."""
    found = reading.wrong()
    return None if found is None else Finding(seed, found[0], reading.what, found[1])


Maker = Callable[[random.Random, Path], Trial | Reading]


@dataclass
class Outcome:
    """What many trials came to."""

    findings: list[Finding] = field(default_factory=list)
    trials: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)


def trials(
    makers: dict[str, Maker],
    seed: int,
    *,
    number: int | None = None,
    seconds: float = math.inf,
    until: str = "",
) -> Outcome:
    """So many trials of each kind from a seed, or as many as there is time for.

    A finding of the kind `until` ends them.
    """
    outcome = Outcome()
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while outcome.trials < (math.inf if number is None else number * len(makers)):
            for name, make in makers.items():
                if time.monotonic() > end:
                    return outcome
                one = f"{name}-{seed}-{outcome.trials}"
                trial = make(random.Random(one), Path(folder))
                outcome.trials += 1
                if isinstance(trial, Reading):
                    outcome.verdicts["read or refused"] += 1
                    finding = of_reading(trial, one)
                else:
                    finding = judged(trial, one)
                for verdict in trial.measures.values():
                    outcome.verdicts[_sort(verdict)] += 1
                if finding is not None:
                    outcome.findings.append(finding)
                    if finding.kind == until:
                        return outcome
    return outcome


def _sort(verdict: Verdict) -> str:
    if verdict.must_refuse:
        return "refused"
    return "doubtful" if verdict.refusable else "scored"
