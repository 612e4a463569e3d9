"""Spark, on two threads of this machine; needs Java and pyspark: `make suite SUITE=spark`."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from irmetrics_edu import evaluate
from irmetrics_edu.distributed import evaluate_distributed
from tests.conftest import ROOT
from tests.runs.test_against_trec_eval import generated

from .contract import Contract, FrameOf, partitions, same

# Spark warns of new versions of pandas wherever it looks for it; ours goes to and fro by Arrow.
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")

TYPES = {"f": "double", "i": "bigint"}


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """A local session whose workers run this Python."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "50")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


class TestSpark(Contract):
    """The same as everywhere; a partition comes in several batches."""

    @pytest.fixture
    def frame_of(self, spark: SparkSession) -> FrameOf:
        """How partitions become a frame of exactly these."""

        def made(parts: Sequence[pd.DataFrame]) -> Any:
            given = [list(part.itertuples(index=False, name=None)) for part in parts]
            numbered = spark.sparkContext.parallelize(range(len(parts)), len(parts))
            types = parts[0].dtypes.items()
            schema = ", ".join(f"`{name}` {TYPES.get(t.kind, 'string')}" for name, t in types)
            return spark.createDataFrame(numbered.flatMap(lambda i: given[i]), schema)

        return made


def test_a_repartition_by_query_does_what_the_error_asks_for(spark: SparkSession) -> None:
    """Rows in any partition, brought together by Spark, give the same scores."""
    run, qrels = generated(4)
    whole = pd.concat(partitions(run)).sample(frac=1, random_state=1)
    frame = spark.createDataFrame(list(whole.itertuples(index=False, name=None)), list(whole))
    for together in (frame.repartition("query"), frame.repartition(40, "query")):
        found = evaluate_distributed(together, qrels, "AP nDCG@10")
        same(found, evaluate(whole, qrels, "AP nDCG@10"))


def test_pyspark_follows_conventions() -> None:
    """In a process of its own: a context of Spark is for all of a process, and is never its own."""
    command = [sys.executable, "-m", "dev.tools.libraries", "pyspark"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "follows" in done.stdout
