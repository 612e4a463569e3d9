"""Fuzz for as long as is said: `python -m tests.fuzz --seconds 600`.

The seed is today's date. What is found enters the corpus. Of files that were read by a command, the
lines that are not needed go, and the rest is kept in build/fuzz; `--repeat SEED` tries one again.
"""

import argparse
import random
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tests.fuzz import ALL
from tests.fuzz.box import Box
from tests.fuzz.reading import Reading
from tests.fuzz.sources import SameData
from tests.fuzz.trial import SEEDS, Finding, judged, of_reading, trials

KEPT = Path("build/fuzz")


def say(text: str) -> None:
    """Write a line at once: a crash of the interpreter must not take the seed along."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _keep(finding: Finding) -> None:
    """Enter what was found into the corpus, which every run of the tests tries again."""
    with SEEDS.open("a", encoding="utf-8") as corpus:
        corpus.write(f"{finding.seed}\n")


def again(seed: str, folder: Path) -> tuple[Finding | None, Reading | None]:
    """The trial of a seed once more, in a folder."""
    trial = ALL[seed.partition("-")[0]](random.Random(seed), folder)
    if isinstance(trial, Reading):
        return of_reading(trial, seed), trial
    return judged(trial, seed), None


def minimised(seed: str) -> str:
    """Take lines out of the files of a reading while it ends as it did; the folder of the rest."""
    folder = KEPT / seed
    folder.mkdir(parents=True, exist_ok=True)
    finding, reading = again(seed, folder)
    if finding is None or reading is None:
        return ""
    if isinstance(reading, SameData | Box):
        reading.minimised(folder)
        return str(folder)
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix != ".py"):
        lines = path.read_bytes().splitlines(keepends=True)
        for at in reversed(range(len(lines))):
            fewer = [*lines[:at], *lines[at + 1 :]]
            path.write_bytes(b"".join(fewer))
            still = reading.wrong()
            if still is not None and still[0] == finding.kind:
                lines = fewer
        path.write_bytes(b"".join(lines))
    return str(folder)


def main() -> int:
    """Fuzz from a seed, which is printed; 1 if there were findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="how long (default 600)")
    parser.add_argument("--seed", type=int, help="a seed instead of today's date")
    parser.add_argument("--repeat", metavar="SEED", help="try one finding again")
    parser.add_argument("--kind", choices=list(ALL), action="append", help="these alone")
    args = parser.parse_args()
    if args.repeat:
        with tempfile.TemporaryDirectory() as folder:
            found, _ = again(args.repeat, Path(folder))
        say(str(found))
        return bool(found)
    today = int(datetime.now(UTC).strftime("%Y%m%d"))
    seed = today if args.seed is None else args.seed
    say(f"seed {seed}")
    makers = {name: ALL[name] for name in args.kind or ALL}
    outcome = trials(makers, seed, seconds=args.seconds)
    seen: set[str] = set()
    for finding in outcome.findings:
        sort = f"{finding.kind} {finding.detail[:60]}"
        if sort not in seen:
            seen.add(sort)
            say(str(finding))
            kept = minimised(finding.seed)
            say(f"  to repeat it: make fuzz ARGS='--repeat {finding.seed}' {kept}")
            _keep(finding)
    said = f"{outcome.trials:,} trials ({dict(outcome.verdicts)}), {len(outcome.findings)} findings"
    say(said)
    return bool(outcome.findings)


if __name__ == "__main__":
    sys.exit(main())
