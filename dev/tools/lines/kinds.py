"""Every kind of line in a TREC file, and how different readers understand it.

The values of libraries were measured, and `lines.json` holds them with the library's version. Our
own values are computed again whenever the page is written or tested. To measure the installed
libraries again: `python -m dev.tools.lines.kinds`. If your trec_eval is a program, name it with
`--trec-eval PROGRAM`.
"""

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from dev.tools.lines.examples import KINDS, Kind
from irmetrics_edu.runs.evaluation import evaluate
from irmetrics_edu.writing import write

MEASURED = Path(__file__).with_name("lines.json")
REFUSED, CRASHED = "refused", "crashed"
Reader = Callable[[Path, Path], float]


# -- what each reader makes of it: the mean of nDCG


def _trec_eval(run: Path, qrels: Path, *, program: str) -> float:
    asked = [program, "-c", "-m", "ndcg", str(qrels), str(run)]
    done = subprocess.run(asked, capture_output=True, timeout=10, check=False)  # noqa: S603 -- its own
    if done.returncode < 0:
        raise ChildProcessError(f"{program} was killed by signal {-done.returncode}")
    if done.returncode:
        raise ValueError(done.stderr.decode(errors="replace"))
    return float(done.stdout.split()[-1])


def _pytrec_eval(run: Path, qrels: Path) -> float:
    pytrec_eval = importlib.import_module("pytrec_eval")
    with run.open(encoding="utf-8") as runs, qrels.open(encoding="utf-8") as judged:
        read = pytrec_eval.parse_run(runs), pytrec_eval.parse_qrel(judged)
    found = pytrec_eval.RelevanceEvaluator(read[1], {"ndcg"}).evaluate(read[0])
    return float(sum(scores["ndcg"] for scores in found.values()) / len(found))


def _ir_measures(run: Path, qrels: Path) -> float:
    ir_measures = importlib.import_module("ir_measures")
    read = ir_measures.read_trec_qrels(str(qrels)), ir_measures.read_trec_run(str(run))
    return float(ir_measures.calc_aggregate([ir_measures.nDCG], *read)[ir_measures.nDCG])


def _ranx(run: Path, qrels: Path) -> float:
    ranx = importlib.import_module("ranx")
    read = ranx.Qrels.from_file(str(qrels), kind="trec"), ranx.Run.from_file(str(run), kind="trec")
    return float(ranx.evaluate(*read, "ndcg"))


def _ours(run: Path, qrels: Path, *, conventions: str, **how: Any) -> float:
    return evaluate(run, qrels, "nDCG", conventions, **how)["nDCG"]


LIBRARIES: dict[str, Reader] = {
    "pytrec_eval": _pytrec_eval,
    "ir_measures": _ir_measures,
    "ranx": _ranx,
}
_PACKAGES = {"pytrec_eval": "pytrec_eval-terrier", "ir_measures": "ir-measures"}
_TREC_EVALS = ("trec_eval 9", "trec_eval 10")
OURS: dict[str, Reader] = {
    "as trec_eval": partial(_ours, conventions="trec_eval"),
    "as trec_eval_10": partial(_ours, conventions="trec_eval_10"),
    "reading=strict": partial(_ours, conventions="trec_eval", reading="strict"),
}


def made_of(kind: Kind, reader: Reader, folder: Path) -> float | str:
    """A reader's result for a kind of line: the mean nDCG to four digits, or an error."""
    paths = folder / "run", folder / "qrels"
    for path, raw in zip(paths, kind.contents(), strict=True):
        write(path, raw)
    try:
        value = reader(*paths)
    except (ChildProcessError, subprocess.TimeoutExpired):
        return CRASHED
    except Exception:  # noqa: BLE001 -- a library refuses input by whatever error it likes
        return REFUSED
    return round(value, 4) if math.isfinite(value) else "nan"


def column(reader: Reader) -> list[float | str]:
    """A reader's results for all kinds of lines."""
    with tempfile.TemporaryDirectory() as folder:
        return [made_of(kind, reader, Path(folder)) for kind in KINDS]


def here() -> dict[str, tuple[str, Reader]]:
    """The libraries that are installed here, with their versions."""
    return {
        name: (importlib.metadata.version(_PACKAGES.get(name, name)), reader)
        for name, reader in LIBRARIES.items()
        if importlib.util.find_spec(name) is not None
    }


def program(path: str) -> tuple[str, str, Reader]:
    """A trec_eval program: its column, its version, and the function that asks it."""
    asked = [path, "--version"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603 -- as told
    version = (said.stderr + said.stdout).split()[-1].lstrip("v")
    return f"trec_eval {version.partition('.')[0]}", version, partial(_trec_eval, program=path)


def measured() -> dict[str, dict[str, Any]]:
    """The measurements: for each library its version and its result for each kind of line."""
    found: dict[str, dict[str, Any]] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return found


def key(kind: Kind) -> str:
    """A kind of line in the file of measurements."""
    return f"{kind.file}: {kind.name}"


# -- the page


def page() -> str:
    """The table as a page in Markdown."""
    known = measured()
    ours = {name: column(reader) for name, reader in OURS.items()}
    normal = ours["as trec_eval"][0]
    heads = [f"{name} ({known[name]['version']})" for name in known]
    out = [
        "# How readers understand a line of TREC",
        "",
        "We measured the cells of libraries. Our own cells are",
        "computed each time.",
        "",
        "Each row is a run, or a file of judgments, with one odd text in it. The cells show nDCG.",
        f"Without the odd text nDCG is {normal:.4f}. **Another number** means that the reader took",
        "the text for something else. trec_eval runs with `-c`.",
        "",
    ]
    for file in ("run", "judgments"):
        out += [f"## In {'a run' if file == 'run' else 'judgments'}", ""]
        out.append(_row(["kind", "text", *heads, *(f"here, {name}" for name in ours)]))
        out.append("|---" * (2 + len(heads) + len(ours)) + "|")
        for i, kind in enumerate(KINDS):
            if kind.file == file:
                cells = [library["made"][key(kind)] for library in known.values()]
                cells += [made[i] for made in ours.values()]
                text = f"`{kind.example}`" if kind.new else ""
                out.append(_row([kind.name, text, *(_cell(c, normal) for c in cells)]))
        out.append("")
    out += ["## Where we differ from trec_eval, and why", "", *_differences()]
    return "\n".join(out)


def _differences() -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for kind in KINDS:
        if kind.because:
            reasons.setdefault(kind.because, []).append(f"{kind.name} ({kind.file})")
    for because, names in reasons.items():
        yield f"- **{', '.join(names)}**: {because}."
    yield ""


def _cell(value: float | str, normal: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.4f}" if value == normal else f"**{value:.4f}**"


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def main(arguments: list[str] | None = None) -> int:
    """Measure the libraries that are installed here, and keep the stored values of the others."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument(
        "--trec-eval",
        action="append",
        default=[],
        metavar="PROGRAM",
        help="a trec_eval to measure too; may be repeated",
    )
    args = parser.parse_args(arguments)
    readers = [(name, *how) for name, how in here().items()]
    readers += [program(path) for path in args.trec_eval]
    known = measured() if MEASURED.exists() else {}
    for name, version, reader in readers:
        made = {key(kind): value for kind, value in zip(KINDS, column(reader), strict=True)}
        known[name] = {"version": version, "made": made}
    order = [*_TREC_EVALS, *LIBRARIES]
    known = {name: known[name] for name in order if name in known}
    write(MEASURED, json.dumps(known, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
