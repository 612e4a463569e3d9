"""ranx and rankerEval are too big for every environment: `make test-libraries` has them."""

from importlib.util import find_spec

HEAVY = ("ranx", "rankereval")
collect_ignore = [] if all(map(find_spec, HEAVY)) else ["test_compiled.py"]
