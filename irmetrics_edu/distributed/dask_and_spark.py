"""Dask and Spark: their maps over partitions, and the rows of one query."""

import pickle
from collections.abc import Hashable, Iterable, Iterator
from functools import partial
from typing import Any, Protocol

from irmetrics_edu.distributed.parts import Part, Task, part_of
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.column_names import Chosen, chosen

Parts = Iterable[tuple[int, Part]]


class DistributedFrame(Protocol):
    """A data frame of Dask or of Spark, whose rows lie in partitions."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""

    def __getitem__(self, key: Any) -> Any:
        """Its rows or columns."""


def engine(frame: DistributedFrame) -> "Engine":
    """The engine whose data frame it is; anything else has to go to `evaluate`."""
    kind = type(frame)  # the frame itself might take the question for one about a column
    for marks, made in ((("map_partitions", "npartitions"), Dask), (("mapInArrow",), Spark)):
        if all(hasattr(kind, mark) for mark in marks):
            names = list(map(str, frame.columns))
            columns = chosen(names, "the run", run=True)
            if columns.value is None and columns.rank is None:
                raise InputError(
                    "the run has no column of scores or ranks, and the rows of a distributed frame "
                    "have no order; give a column 'score' or 'rank'; its columns are "
                    f"{', '.join(map(repr, names))}"
                )
            return made(frame, columns)
    raise InputError(
        f"{kind.__module__}.{kind.__name__} is not a data frame of Dask or Spark; use "
        "evaluate for data in memory or in a file"
    )


class Dask:
    """A data frame of Dask."""

    def __init__(self, frame: Any, columns: Chosen) -> None:
        self._frame = frame[columns.places]
        self._query = columns.query
        self.by_query = f"frame.shuffle({columns.query!r})"
        self.has_ranks = columns.rank is not None

    def parts(self, task: Task) -> Parts:
        """By `map_partitions`; the task is a node of the graph, so each worker gets it once."""
        import pandas as pd
        from dask.delayed import delayed

        meta = pd.DataFrame({"part": pd.Series([], dtype=object)})
        sent = delayed(task, traverse=False)
        return enumerate(
            self._frame.map_partitions(
                _in_dask,
                sent,
                meta=meta,
            ).compute()["part"]
        )

    def rows(self, query: Hashable) -> Any:
        """The rows of one query, fetched."""
        return self._frame[self._frame[self._query] == query].compute()


def _in_dask(rows: Any, task: Task) -> Any:
    import pandas as pd

    return pd.DataFrame({"part": pd.Series([part_of(rows, task)], dtype=object)})


class Spark:
    """A data frame of Spark."""

    def __init__(self, frame: Any, columns: Chosen) -> None:
        quoted = [f"`{name}`" for name in columns.places]  # a name may hold a full stop
        self._frame = frame.select(*quoted)
        self._query = quoted[0]
        self.by_query = f"frame.repartition({columns.query!r})"
        self.has_ranks = columns.rank is not None

    def parts(self, task: Task) -> Parts:
        """By `mapInArrow`, which hands over the batches of a partition as Spark has them."""
        sent = self._frame.mapInArrow(partial(_in_spark, task=task), "number int, part binary")
        return [
            (row["number"], pickle.loads(row["part"]))  # noqa: S301 -- from our own workers
            for row in sent.collect()
        ]

    def rows(self, query: Hashable) -> Any:
        """The rows of one query, fetched."""
        import pyarrow as pa  # type: ignore[import-untyped]

        rows = self._frame.where(self._frame[self._query] == query).collect()
        return pa.Table.from_pylist([row.asDict() for row in rows])


def _in_spark(
    batches: Iterable[Any],
    task: Task,
) -> Iterator[Any]:
    import pyarrow as pa
    from pyspark import TaskContext

    held = list(batches)
    part = part_of(pa.Table.from_batches(held), task) if held else Part()
    here: Any = TaskContext.get()  # None in the driver, where no part is made
    number = here.partitionId()
    yield pa.RecordBatch.from_pydict(
        {"number": pa.array([number], pa.int32()), "part": pa.array([pickle.dumps(part)])}
    )


Engine = Dask | Spark
