"""The folders of a checkout, what a commit of it holds, and the names of its pages."""

import io
import subprocess
import tarfile
from pathlib import Path

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "notebooks"


def unpack_commit(repository: Path, revision: str, into: Path, *paths: str) -> Path:
    """What a commit of a repository holds, or these paths of it, unpacked into a folder."""
    packed = subprocess.run(  # noqa: S603 -- git, with a commit that a maintainer names
        ["git", "archive", revision, *paths],  # noqa: S607 -- the git on the path
        cwd=repository,
        capture_output=True,
        check=False,
    )
    if packed.returncode:
        raise InputError(
            f"commit {revision} can't be unpacked: {packed.stderr.decode().strip()}; "
            f"name a commit of {repository}"
        )
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        if hasattr(tarfile, "data_filter"):  # from Python 3.11.4 on
            archive.extractall(into, filter="data")
        else:
            archive.extractall(into)  # noqa: S202 -- git's own archive of this repository
    return into


def page_of_metric(metric: Metric) -> str:
    """The name of a metric's page.

    >>> import irmetrics_edu
    >>> page_of_metric(irmetrics_edu.ndcg)
    'metric-ndcg'
    """
    return f"metric-{metric.kernel.__name__.replace('_', '-')}"
