"""Runs libraries against the test vectors: `python -m tools.libraries [LIBRARY ...]`."""

import sys

from irmetrics_edu.cli import main
from irmetrics_edu.diagnosis.conformance.adapters import ADAPTERS
from tools.libraries.adapters import MORE

if __name__ == "__main__":
    ADAPTERS.update(MORE)
    sys.exit(main(["conformance", "run", *sys.argv[1:]]))
