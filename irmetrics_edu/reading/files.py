"""Files and pipes as streams of bytes, unpacked if their first bytes say that they are packed."""

import contextlib
import io
import math
import stat
import sys
import tempfile
import weakref
import zlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import IO, Any, cast

from irmetrics_edu.errors import InputError
from irmetrics_edu.input_limits import current
from irmetrics_edu.reading.packed import MAGIC, Bounded, packing, unpacked

STANDARD_INPUT = "-"
_PACKED = 1 << 18  # packed bytes to read at a time
_BOM = b"\xef\xbb\xbf"  # a mark of the encoding at the start of a file, and no part of its text
_HEAD = 1 << 16  # unpacked bytes that are looked at to tell a format or a name
_IN_MEMORY = 1 << 24  # bytes of a pipe that are kept in memory; more go to a temporary file


class File(PathLike[str]):
    """A file, a pipe or standard input (`-`): bytes that can be read any number of times.

    A pipe gives its bytes once. They are kept as they are first read, in a temporary file if there
    are many. So a pipe can be read like a file. To read a pipe more than once, keep the same File.
    """

    def __init__(self, given: str | PathLike[str]) -> None:
        self.path, self.limits = Path(given), current()
        self._stdin: Any = None
        if str(given) == STANDARD_INPUT:
            self.path, self._stdin = Path("standard input"), _standard_input()
        try:
            mode = stat.S_IFIFO if self._stdin is not None else self.path.stat().st_mode
        except FileNotFoundError:
            raise InputError(f"{self}: the file does not exist") from None
        except (OSError, ValueError) as error:
            raise InputError(f"{self}: {getattr(error, 'strerror', None) or error}") from None
        if stat.S_ISDIR(mode):
            raise InputError(f"{self} is a folder; give a file")
        self.is_pipe = not stat.S_ISREG(mode)

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"File({str(self)!r})"

    def bare(self) -> IO[bytes]:
        """A new stream of the bytes as they are, packed or not, from the first one on."""
        try:
            return cast("IO[bytes]", _View(self._kept)) if self.is_pipe else self.path.open("rb")
        except OSError as error:
            raise InputError(f"{self}: {error.strerror or error}") from None

    @cached_property
    def _kept(self) -> "_Kept":
        return _Kept(self.path.open("rb") if self._stdin is None else self._stdin)

    @cached_property
    def size(self) -> int:
        """How many bytes there are, as they are packed; a pipe has to be read to its end."""
        if not self.is_pipe:
            return self.path.stat().st_size
        self._kept.take(math.inf)
        return self._kept.taken

    @cached_property
    def packing(self) -> str:
        """How the file is packed, by its first bytes: "" if it is not (see `packed.packing`)."""
        try:
            with self.bare() as stream:
                return packing(stream.read(MAGIC))
        except OSError as error:
            raise InputError(f"{self}: it can't be read: {error.strerror or error}") from None

    @cached_property
    def head(self) -> bytes:
        """The first bytes, unpacked."""
        with opened(self) as stream:
            return without_mark(read(stream, _HEAD, self))


def as_file(value: Any) -> Any:
    """A path as a File, so that a pipe can be read again; anything else unchanged."""
    is_path = isinstance(value, (str, PathLike)) and not isinstance(value, File)
    return File(value) if is_path else value


_given: Any = None  # the standard input that some File holds


def _standard_input() -> Any:
    global _given  # noqa: PLW0603 -- a process has one, and one reader for it
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("standard input (-) is closed; give a file")
    if stream is _given:
        raise InputError(
            "standard input (-) was given twice, but can be read once; give - for one input, "
            "and a file for each of the others"
        )
    _given = stream
    return stream


class _Kept:
    """The bytes of a pipe, taken and kept as far as somebody reads."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe: IO[bytes] | None = pipe
        self._bytes = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 -- see below
        weakref.finalize(self, self._bytes.close)
        if pipe is not _given:
            weakref.finalize(self, pipe.close)
        self.taken = 0

    def take(self, end: float) -> None:
        """Take as many bytes of the pipe as reach up to this place, or all that there are."""
        while self._pipe is not None and self.taken < end:
            part = self._pipe.read(_PACKED)
            self._pipe = self._pipe if part else None
            self._bytes.seek(self.taken)
            self.taken += self._bytes.write(part)

    def read(self, place: int, size: int) -> bytes:
        """So many bytes from a place on; fewer only at the end."""
        self.take(place + size)
        self._bytes.seek(place)
        return self._bytes.read(size)


class _View(io.RawIOBase):
    """A stream over bytes that others read too, with a place of its own."""

    def __init__(self, kept: _Kept) -> None:
        self._kept, self._place = kept, 0

    def readable(self) -> bool:
        """It can be read."""
        return True

    def seekable(self) -> bool:
        """It can be read from any place on."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place."""
        if whence == io.SEEK_END:
            self._kept.take(math.inf)
        self._place = offset + (0, self._place, self._kept.taken)[whence]
        return self._place

    def tell(self) -> int:
        """Where it is."""
        return self._place

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer."""
        raw = self._kept.read(self._place, len(buffer))
        buffer[: len(raw)] = raw
        self._place += len(raw)
        return len(raw)


Watcher = Callable[[Path, int, int], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextlib.contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Call a function while files are read, with the file, its bytes so far, and its size."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


class _Telling:
    """A file that tells how far it was read."""

    def __init__(self, stream: IO[bytes], file: File, watcher: Watcher) -> None:
        self._file, self._path, self._watcher = stream, file.path, watcher
        self._size = 0 if file.is_pipe else file.size  # a pipe's end is not known

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._watcher(self._path, self._file.tell(), self._size)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextlib.contextmanager
def opened(file: File) -> Iterator[IO[bytes]]:
    """The unpacked bytes of a file."""
    watcher = _watcher.get()
    with file.bare() as bare:
        stream = bare if watcher is None else cast("IO[bytes]", _Telling(bare, file, watcher))
        if not file.packing:
            yield stream
            return
        with unpacked(stream, file.packing, str(file)) as whole:
            bounded = Bounded(whole, bare, str(file), file.limits.max_ratio)
            yield cast("IO[bytes]", bounded)


def read(stream: IO[bytes], size: int, file: File, line: int | None = None) -> bytes:
    """The next bytes of a stream; the error of a damaged archive names its file and line."""
    try:
        return stream.read(size)
    except (OSError, EOFError, zlib.error) as error:
        wrong: Exception = error
    except Exception as error:
        if type(error).__name__ not in ("ZstdError", "LZMAError"):  # only if their packages are
            raise
        wrong = error
    where = f"{file}, line {line}" if line else f"{file}"
    if not file.packing:
        raise InputError(f"{where}: it can't be read: {getattr(wrong, 'strerror', 0) or wrong}")
    raise InputError(f"{where}: the packed file is damaged: {wrong}")


def without_mark(raw: bytes) -> bytes:
    """The bytes without the mark that some editors put in front of UTF-8."""
    return raw.removeprefix(_BOM)


def contents(file: File) -> bytes:
    """All of a small file, unpacked."""
    with opened(file) as stream:
        return without_mark(read(stream, -1, file))
