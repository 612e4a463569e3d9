"""Libraries that are too big for every environment: `make suite SUITE=libraries` and its groups."""

import os
from importlib.util import find_spec

HEAVY = ("ranx", "rankereval")
collect_ignore = [] if all(map(find_spec, HEAVY)) else ["test_compiled.py"]
if not os.environ.get("LIBRARIES"):
    collect_ignore.append("test_asked.py")
