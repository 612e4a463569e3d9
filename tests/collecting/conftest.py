"""Retrievers are too big for every environment: `make test-retrievers` installs and asks them."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("qdrant_client") else ["test_sample_rag.py"]
