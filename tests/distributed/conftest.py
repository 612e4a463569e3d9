"""Spark is too big for every environment: its tests are there where it is (`make test-spark`)."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyspark") else ["test_spark.py"]
