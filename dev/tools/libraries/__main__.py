"""Runs libraries against the test vectors: `python -m dev.tools.libraries [LIBRARY ...]`."""

import sys

from dev.tools.libraries.adapters import MORE
from irmetrics_edu.cli import main
from irmetrics_edu.diagnosis.conformance.adapters import ADAPTERS

if __name__ == "__main__":
    ADAPTERS.update(MORE)
    sys.exit(main(["conformance", "run", *sys.argv[1:]]))
