"""A file of which one column is meant, named behind it: `topics.csv:device`."""

from os import PathLike
from pathlib import Path

from irmetrics_edu.reading.files import File


class ColumnOfFile(File):
    """A file of which one column is meant, as in `topics.csv:device`; `column` is "" if none is.

    Of queries that are chosen by it, the `value` stands behind: `folds.csv:fold=1`.
    """

    def __init__(self, name: str | PathLike[str]) -> None:
        path, asked = _path_and_column(name)
        super().__init__(path)
        self.column, _, self.value = asked.partition("=")


def exists(name: str | PathLike[str]) -> bool:
    """Whether this names a file that there is, or a column of one."""
    return Path(name).exists() or bool(_path_and_column(name)[1])


def _path_and_column(name: str | PathLike[str]) -> tuple[str, str]:
    written = str(name)
    path, _, asked = written.rpartition(":")
    if path and asked and not Path(written).exists() and Path(path).is_file():
        return path, asked
    return written, ""
