"""Folders for a while: removed at their end, or by the next run if their process was killed.

A process holds a lock on each of its folders. The kernel lets go of it however the process ends, so
a folder that can be locked belongs to nobody any more.
"""

import functools
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "irmetrics-edu-run-"


@contextmanager
def folder() -> Iterator[Path]:
    """A new empty folder in the system's place for such; the first one cleans up after the dead."""
    clean_up()
    path, handle = _made()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(handle)


def _made() -> tuple[Path, int]:
    """A new folder and what holds its lock."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=PREFIX))
        handle = os.open(path, os.O_RDONLY)
        _lock(handle, wait=True)
        with suppress(FileNotFoundError):  # another process saw it without a lock, and removed it
            if os.path.samestat(path.stat(), os.fstat(handle)):
                return path, handle
        os.close(handle)


@functools.cache
def clean_up() -> None:
    """Remove the folders of processes that were killed; those of others and of users stay."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue
        # A child in the tier `user` owns its folder, which root has made.
        if os.geteuid() in {0, os.fstat(handle).st_uid} and _lock(handle, wait=False):
            shutil.rmtree(path, ignore_errors=True)
        os.close(handle)


def _lock(handle: int, *, wait: bool) -> bool:
    """Lock a folder; False if another process holds it, or if the file system has no locks."""
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True
