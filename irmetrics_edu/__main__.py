"""`python -m irmetrics_edu`: the command line, where its script is not on the path."""

from irmetrics_edu.cli import main

raise SystemExit(main())
