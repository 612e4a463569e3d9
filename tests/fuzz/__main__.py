"""Fuzz for as long as is said: `python -m tests.fuzz --seconds 600`."""

import argparse
import secrets
import sys

from tests.fuzz import MAKERS
from tests.fuzz.trial import SEEDS, Finding, trials


def say(text: str) -> None:
    """Write a line at once: a crash of the interpreter must not take the seed along."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _keep(finding: Finding) -> None:
    """Enter what was found into the corpus, which every run of the tests tries again."""
    with SEEDS.open("a", encoding="utf-8") as corpus:
        corpus.write(f"{finding.seed}\n")


def main() -> int:
    """Fuzz from a random seed, which is printed; 1 if there were findings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=300, help="how long (default 300)")
    parser.add_argument("--seed", type=int, help="a seed to begin with instead of a random one")
    parser.add_argument("--kind", choices=list(MAKERS), action="append", help="these alone")
    args = parser.parse_args()
    seed = secrets.randbelow(1 << 32) if args.seed is None else args.seed
    say(f"seed {seed}")
    makers = {name: MAKERS[name] for name in args.kind or MAKERS}
    outcome = trials(makers, seed, seconds=args.seconds)
    seen: set[str] = set()
    for finding in outcome.findings:
        sort = f"{finding.kind} {finding.detail[:60]}"
        if sort not in seen:
            seen.add(sort)
            say(str(finding))
            _keep(finding)
    said = f"{outcome.trials:,} trials ({dict(outcome.verdicts)}), {len(outcome.findings)} findings"
    say(said)
    return bool(outcome.findings)


if __name__ == "__main__":
    sys.exit(main())
