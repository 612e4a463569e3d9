"""Files are written whole or not at all, and every writer of the package goes through here.

A file is written beside its target, flushed to the disk and put in the target's place in one step.
Whatever ends a run in between, a full disk or a signal, leaves the target as it was.
"""

import errno
import io
import os
import re
import secrets
import stat
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from irmetrics_edu.errors import OutputError

_BESIDE = re.compile(r"\.irmetrics-[0-9a-f]{16}\.tmp")
_FIRST = (1980, 1, 1, 0, 0, 0)  # the time of every entry of an archive


def write(path: str | Path, content: str | bytes) -> None:
    r"""Write a file whole or not at all: text as UTF-8 with `\n`, bytes as they are.

    Folders that are missing are made. A file that exists keeps its mode and its owner, a symbolic
    link still points to it. A device, a pipe or a standard stream (/dev/stdout) can't be replaced:
    it is written to. OutputError says which file can't be written and why. A lone surrogate, which
    UTF-8 does not have, is written as its escape.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    with _named(path):
        there = _status(path)
        stream = None if there is None else _stream(there)
        if stream is not None:
            _write_all(stream, data)
        elif there is None or stat.S_ISREG(there.st_mode):
            _replace(Path(os.path.realpath(path)), data, there)
        elif stat.S_ISDIR(there.st_mode):
            raise IsADirectoryError(None, "it is a folder; give the name of a file")
        else:
            _append(path, data)


def write_all(contents: Mapping[Path, str]) -> None:
    """Write several files as `write` does; if one can't be written, the others are as before.

    A signal may come between two files; each of them is whole.
    """
    before: dict[Path, bytes | None] = {}
    try:
        for path, text in contents.items():
            with _named(path):
                old = path.read_bytes() if path.is_file() else None
                is_file = old is not None or _status(path) is None
            write(path, text)
            if is_file:
                before[path] = old
    except OSError:
        for path, old in before.items():
            with suppress(OSError):
                path.unlink() if old is None else write(path, old)
        raise


def append(path: str | Path, text: str) -> None:
    """Add text to the end of a file that others write to as well; OutputError if that fails.

    What was written before it failed is taken back, unless another process wrote behind it.
    """
    with _named(path):
        _append(path, text.encode("utf-8", "backslashreplace"))


def remove(path: str | Path) -> None:
    """Remove a file of an earlier run, if it is there; OutputError if that fails."""
    with _named(path, "remove"):
        Path(path).unlink(missing_ok=True)


def zipped(entries: Mapping[str, str]) -> bytes:
    """Texts as a zip archive, by their names: the same bytes on every run and every machine."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:  # not compressed: zlib's versions differ
        for name, text in sorted(entries.items()):
            info = zipfile.ZipInfo(name, _FIRST)
            info.create_system = 3  # as on Unix, on any system
            info.external_attr = 0o644 << 16
            archive.writestr(info, text.encode("utf-8", "replace"))
    return out.getvalue()


@contextmanager
def locked(path: str | Path, *, wait: bool = True) -> Iterator[None]:
    """Hold off other processes that lock the same file, while it is read and written anew.

    Without `wait` OutputError says that another process is at work there. The lock goes when the
    process does, however it ends. A file system without locks has none.
    """
    target = Path(os.path.realpath(path))
    with _named(path):
        target.parent.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":  # a folder can't be locked there, so a file beside is
        import msvcrt

        beside = target.with_name(f".{target.name}.lock")
        with _named(beside):
            handle = os.open(beside, os.O_RDWR | os.O_CREAT)
        try:
            try:
                msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait and error.errno == errno.EACCES:
                    raise _busy(path) from None
            yield
        finally:
            os.close(handle)
            with suppress(OSError):  # another process has it open, and removes it
                beside.unlink()
        return
    import fcntl

    with _named(path):
        handle = os.open(target.parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise _busy(path) from None
        except OSError:  # a file system without locks
            pass
        yield
    finally:
        os.close(handle)


def _busy(path: str | Path) -> OutputError:
    """The error where another process holds the lock of a file."""
    return OutputError(
        errno.EAGAIN,
        f"can't write {os.fspath(path)}: another process is at work in its folder; "
        "call this again when that has ended",
    )


@contextmanager
def _named(path: str | Path, action: str = "write") -> Iterator[None]:
    """Let the error say which file was to be written, or removed, in a sentence."""
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        raise OutputError(
            error.errno, f"can't {action} {os.fspath(path)}: {why[:1].lower()}{why[1:]}"
        ) from error
    except ValueError as error:  # told in other words by each Python
        why = "its name holds a zero byte" if "\0" in os.fspath(path) else str(error)
        raise OutputError(None, f"can't {action} {os.fspath(path)!r}: {why}") from error


def _status(path: str | Path) -> os.stat_result | None:
    """What is at the path, links followed; None if nothing is."""
    try:
        return Path(path).stat()
    except FileNotFoundError:
        return None


def _stream(there: os.stat_result) -> int | None:
    """The standard stream that goes to this file already, as /dev/stdout does."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or none at all
            if os.path.samestat(there, os.fstat(stream.fileno())):
                stream.flush()
                return stream.fileno()
    return None


def _append(path: str | Path, data: bytes) -> None:
    with Path(path).open("ab", buffering=0) as file:
        handle = file.fileno()
        before = os.fstat(handle)
        try:
            _write_all(handle, data)
        except OSError:
            if stat.S_ISREG(before.st_mode):
                _take_back(handle, before.st_size, data)
            raise


def _take_back(handle: int, size: int, data: bytes) -> None:
    """Cut off the part of `data` that was written behind the first bytes of a file, if it is."""
    with suppress(OSError):
        written = os.fstat(handle).st_size - size
        if 0 < written < len(data):
            os.ftruncate(handle, size)


def _replace(target: Path, data: bytes, there: os.stat_result | None) -> None:
    if there is not None and not os.access(target, os.W_OK):
        raise PermissionError(None, "it is read-only")
    target.parent.mkdir(parents=True, exist_ok=True)
    _tidy(target.parent)
    beside, file = _beside(target)
    try:
        with file:
            _write_all(file.fileno(), data)
            os.fsync(file.fileno())
            if there is not None:
                _like(beside, there)
            if sys.platform == "win32":  # where an open file can't be renamed
                file.close()
            beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _beside(target: Path) -> tuple[Path, io.FileIO]:
    """A new file beside the target, locked as long as it is open.

    It has a name of its own, so that two processes never write to one; short, for any file system.
    """
    while True:
        beside = target.with_name(f".irmetrics-{secrets.token_hex(8)}.tmp")
        file = io.FileIO(beside, "x")
        _lock(file)
        if beside.exists():  # else another process took it, not yet locked, for a remainder
            return beside, file
        file.close()


def is_remainder(path: Path) -> bool:
    """Whether a file has the name of what a killed write leaves beside its target."""
    return _BESIDE.fullmatch(path.name) is not None


@cache
def _tidy(folder: Path) -> None:
    """Remove what killed writes left in a folder: files that nobody has locked any more."""
    for left in folder.glob(f".irmetrics-{'[0-9a-f]' * 16}.tmp"):
        with suppress(OSError), left.open("rb+", buffering=0) as file:
            if _lock(file, wait=False):
                left.unlink()


def _lock(file: io.FileIO, *, wait: bool = True) -> bool:
    """Whether the file is locked now; never on Windows, nor on a file system without locks."""
    if sys.platform == "win32":
        return False
    import fcntl

    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return True
    return False


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def _like(path: Path, there: os.stat_result) -> None:
    """Give a file the owner, where that is allowed, and the mode of the one that it replaces."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.chown(path, there.st_uid, there.st_gid)
    path.chmod(stat.S_IMODE(there.st_mode))
