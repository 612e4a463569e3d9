"""Spark is too big for every environment: `make suite SUITE=spark` runs its tests."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyspark") else ["test_spark.py"]
