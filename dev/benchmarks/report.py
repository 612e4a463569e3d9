"""The page that a run of the benchmark writes."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

OURS = "irmetrics-edu"
TITLES = {
    "search, mappings": (
        "(a) Search: {size:,} queries x 1,000 documents, 1 to 50 judged, as dicts of dicts",
        "From dicts to the means of nDCG@10, AP, RR, P@10 and R@100.",
    ),
    "search, files": (
        "(a) Search: the same as TREC files",
        "From the names of two files to the same means.",
    ),
    "recommendation": (
        "(b) Recommendation: {size:,} users x 100 recommended, 10 held out, as arrays",
        "From a 2-D array of item ids and lists of held-out ids to the same means.",
    ),
    "diversity": (
        "(c) Diversity: {size:,} topics x 1,000 documents x 6 subtopics",
        "From dicts to mean alpha-nDCG@20.",
    ),
    "one call": ("(d) One call on three grades", "nDCG of [5, 2, 3]."),
}


_TIME = (
    "It is the processor's time, of all threads together, so what else the machine does counts "
    "little. A warm-up on a small part goes before, so neither imports nor compilation by a JIT "
    "count; building a library's own structures does. The contestants take turns."
)
_RATIO = (
    "the contestant's median over ours, in this very run. Peak memory is that of the whole "
    "process, input and interpreter included."
)


_WHAT_IS_MEASURED = (
    (
        "It measures four cases beside other libraries, (a) to (d), and how the time grows with "
        "the queries. Then it measures whole commands, `diagnose`, `compare` and a gate, each as a "
        "time or as a ratio to another time of the same run. At last it times the grader on a "
        "class, and prints that."
    ),
)


@dataclass(frozen=True)
class Result:
    """What one contestant came to on one case."""

    case: str
    name: str
    size: int
    seconds: float = 0.0
    fastest: float = 0.0
    peak: int = 0
    scores: dict[str, float] = field(default_factory=dict)
    version: str = ""
    python: str = ""
    why: str = ""
    failed: str = ""
    file_bytes: int = 0

    @property
    def told(self) -> str:
        """The time, or why there is none."""
        return self.failed or time_of(self.seconds)


def page(
    results: Sequence[Result],
    rounds: int,
    times: int,
    *,
    goals: Sequence[str] = (),
) -> str:
    """The whole page in Markdown."""
    parts = [
        "# Benchmark",
        "",
        "Who needs this: whoever makes the package faster, and whoever asks how fast it is.",
        "Written by `make benchmark`; run it to have the figures of your machine.",
        "",
        *_WHAT_IS_MEASURED,
        "",
        f"- Machine: {machine()}",
        f"- System: {platform.system()} {platform.release()}, {platform.machine()}",
        f"- Python: {', '.join(sorted({r.python for r in results if r.python}))}",
        f"- Versions: {_versions(results)}",
        f"- Time: the median of {rounds} processes x {times} runs. {_TIME}",
        f"- Ratio: {_RATIO}",
        "",
        *goals,
    ]
    sizes = dict.fromkeys((r.case, r.size) for r in results)
    for case in dict.fromkeys(r.case for r in results if r.case in TITLES):
        largest = max(size for c, size in sizes if c == case)
        of_case = [r for r in results if r.case == case and r.size == largest]
        parts += _section(case, of_case)
    parts += _growth(results)
    return "\n".join(parts)


def _section(case: str, results: Sequence[Result]) -> list[str]:
    title, what = TITLES[case]
    title = f"## {title.format(size=results[0].size)}"
    lines = [title, "", f'{what} By itself: `python -m dev.benchmarks --case "{case}"`.', ""]
    lines += ["| | median | fastest | ratio | peak memory |"]
    lines += ["|---|---:|---:|---:|---:|"]
    ours = next((r for r in results if r.name == OURS and not r.failed), None)
    for r in results:
        if r.failed:
            lines.append(f"| {r.name} | {r.failed} | | | |")
            continue
        ratio = f"{r.seconds / ours.seconds:.1f}" if ours else ""
        name = f"**{r.name}**" if r.name == OURS else r.name
        lines.append(
            f"| {name} | {time_of(r.seconds)} | {time_of(r.fastest)} | {ratio} | "
            f"{r.peak / 1e6:,.0f} MB |"
        )
    lines.append("")
    lines += [f"- {r.name}: {r.why}." for r in results if r.why and not r.failed]
    if ours and ours.file_bytes:
        lines.append(
            f"- The run's file has {ours.file_bytes / 1e6:,.0f} MB; the peak memory of "
            f"{OURS} is {ours.peak / ours.file_bytes:.2f} times that."
        )
    lines += _agreement(results, ours)
    return [*lines, ""]


def _agreement(results: Sequence[Result], ours: Result | None) -> list[str]:
    """Whether all computed the same."""
    if ours is None:
        return []
    lines = []
    agree = []
    for r in results:
        if r is ours or r.failed or not r.scores:
            continue
        apart = {
            name: score for name, score in r.scores.items() if abs(score - ours.scores[name]) > 5e-5
        }
        if apart:
            told = ", ".join(f"{n} {s:.4f} (ours {ours.scores[n]:.4f})" for n, s in apart.items())
            lines.append(f"- {r.name} differs: {told}.")
        else:
            agree.append(r.name)
    if agree:
        lines.append(f"- The same means to four digits: {', '.join(agree)}.")
    return lines


def _growth(results: Sequence[Result]) -> list[str]:
    ours = [r for r in results if r.name == OURS and not r.failed]
    lines = []
    for case in dict.fromkeys(r.case for r in ours):
        sizes = sorted((r for r in ours if r.case == case), key=lambda r: r.size)
        if len(sizes) < 2:
            continue
        small, large = sizes[0], sizes[-1]
        told = (
            f"{case.capitalize()}: {large.size / small.size:.1f} times the queries "
            f"({small.size:,} to {large.size:,}) took {large.seconds / small.seconds:.1f} times "
            f"the time ({time_of(small.seconds)} to {time_of(large.seconds)})."
        )
        lines += ["## Growth", "", told, ""]
    return lines


def time_of(seconds: float) -> str:
    """A time as people read it."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.0f} ms" if seconds >= 0.01 else f"{seconds * 1e3:.2f} ms"
    return f"{seconds:.2f} s"


def _versions(results: Sequence[Result]) -> str:
    import numpy as np

    known = {r.name: r.version for r in results if r.version and r.scores}
    return ", ".join([f"{name} {v}" for name, v in known.items()] + [f"numpy {np.__version__}"])


def machine() -> str:
    """The processor and how many cores there are."""
    name = platform.processor() or platform.machine()
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    return f"{name}, {os.cpu_count()} cores"
