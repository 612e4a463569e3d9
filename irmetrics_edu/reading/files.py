"""Files and pipes as streams of bytes, unpacked if their first bytes say that they are packed.

What is wrong with a file is collected line by line and told in one message.
"""

import contextlib
import gzip
import io
import itertools
import math
import stat
import struct
import sys
import tempfile
import weakref
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import IO, Any, cast

from irmetrics_edu.checks import current
from irmetrics_edu.errors import GREATER_RATIO, SKIP_BAD, Avoidable, InputError, extra

SHOWN = 20  # problems that one message lists
_WIDTH = 120  # characters of a line that a message quotes


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One malformed line: where it is, what it holds, what is wrong and what to write instead."""

    line: int
    text: str
    wrong: str

    def __str__(self) -> str:
        text = self.text if len(self.text) <= _WIDTH else self.text[:_WIDTH] + "..."
        return f"{text!r}: {self.wrong}"


@dataclass
class Problems:
    """The malformed lines of one file: all are counted, and some are kept.

    With `skip` they are left out and counted. Else the first of them is an error.
    """

    file: str
    unit: str = "line"
    skip: bool = False
    can_skip: bool = True  # whether a caller may have them left out
    count: int = 0
    kept: list[Problem] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)  # what was taken otherwise than written
    columns: dict[str, str] = field(default_factory=dict)  # of a table: which were read, as what
    asked: Mapping[str, str] = field(default_factory=dict)  # columns with the roles they are given
    unnamed: bool = False  # whether columns are called by their places, as no line names them

    def add(
        self,
        line: int,
        text: str,
        wrong: str,
    ) -> None:
        """One more malformed line."""
        self.count += 1
        if len(self.kept) < SHOWN:
            self.kept.append(Problem(line, text, wrong))

    @property
    def room(self) -> bool:
        """Whether another problem would be kept."""
        return len(self.kept) < SHOWN

    def check(self, *, any_good: bool = True, expected: str = "at least one line") -> None:
        """Raise an error with what was found, unless `skip` is set and there are good lines."""
        if not any_good and not self.count:
            raise InputError(f"{self.file}: it is empty; expected {expected}")
        if any_good and (self.skip or not self.count):
            return
        kept = sorted(self.kept)
        unit = self.unit
        many = f"{self.count} malformed {unit}s" if self.count > 1 else f"a malformed {unit}"
        if not any_good:  # the wrong file: each thing that is wrong is told once
            once = {problem.wrong: problem for problem in reversed(kept)}
            lines = self._listed(sorted(once.values()))
            raise InputError(f"{self.file}: {many}, and none that can be read{lines}")
        lines = self._listed(kept)
        if self.count > len(kept):
            lines += f"\n  and {self.count - len(kept)} more"
        wrong = f"{self.file}: {many}, so nothing was computed; correct the file"
        if not self.can_skip:
            raise InputError(f"{wrong}{lines}")
        raise Avoidable(wrong, SKIP_BAD, lines)

    def _listed(self, problems: Iterable[Problem]) -> str:
        lines = [f"\n  {self.unit} {problem.line}: {problem}" for problem in problems]
        return "".join(lines)


FREE = 1 << 26  # unpacked bytes that any packed file may hold


# By the first bytes of a file. Those of bzip2 could begin a word, so the first block counts too.
# Of bzip2: how far it packs, and what a block or the end of an empty file begins with.
_LEVELS = (b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9")
_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")
_MAGIC = {
    "gzip": (b"\x1f\x8b",),
    "zstd": (b"\x28\xb5\x2f\xfd",),
    "xz": (b"\xfd7zXZ\x00",),
    "bzip2": tuple(map(b"".join, itertools.product([b"BZh"], _LEVELS, _BLOCKS))),
    "zip": (b"PK\x03\x04", b"PK\x05\x06"),
    "lz4": (b"\x04\x22\x4d\x18",),
    "7z": (b"7z\xbc\xaf\x27\x1c",),
    "rar": (b"Rar!\x1a\x07",),
}
# What is known and not read, with the program that unpacks it.
_FOREIGN = {"lz4": "unlz4", "7z": "7z x", "rar": "unrar x"}
ENDINGS = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")  # of names of packed files
MAGIC = 10  # bytes that tell how a file is packed
# What json, numpy and zipfile raise if somebody spoilt a file of JSON or of arrays.
SPOILT = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


def packing(start: bytes) -> str:
    r"""How a file is packed that begins so, such as "gzip"; "" if it is not packed.

    >>> packing(b"\x1f\x8b\x08"), packing(b"q1 0 d1 1\n")
    ('gzip', '')
    """
    return next((name for name, magic in _MAGIC.items() if start.startswith(magic)), "")


def bare_name(path: object) -> str:
    """The name of a file in lower case, without the ending that says how it is packed.

    >>> bare_name("Run.json.gz")
    'run.json'
    """
    name = str(path).lower()
    return name.removesuffix(next(filter(name.endswith, ENDINGS), ""))


def unpacked(
    stream: IO[bytes],
    how: str,
    name: str,
) -> Any:
    """The unpacked bytes of a stream, closed with it; `name` names it in errors."""
    if how == "zip":
        raise InputError(
            f"{name} is a zip archive, which may hold several files; unpack it first, or pack the "
            "one file by gzip, zstd, bzip2 or xz"
        )
    if how in _FOREIGN:
        raise InputError(
            f"{name} is packed by {how}, which is not read here; unpack it first: {_FOREIGN[how]} "
            f"{Path(name).name}"
        )
    if how == "gzip":
        return gzip.GzipFile(fileobj=stream)
    if how == "zstd":
        return zstd(stream, name)
    try:
        if how == "xz":
            from lzma import LZMAFile

            return LZMAFile(stream)
        from bz2 import BZ2File

        return BZ2File(stream)
    except ImportError:  # some builds of Python leave them out
        raise InputError(f"{name}: this Python can't unpack {how}; unpack it first") from None


class Bounded:
    """The bytes of a packed file, refused if they are far more than rankings need."""

    def __init__(
        self,
        stream: Any,
        bare: IO[bytes],
        name: str,
        max_ratio: int,
    ) -> None:
        self._stream = stream
        self._bare = bare
        self._name = name
        self._most = max_ratio
        self._given = 0

    def read(self, size: int = -1) -> bytes:
        """So many bytes, or all that are left."""
        if size >= 0:
            return self._next(size)
        parts = []
        while part := self._next(FREE):
            parts.append(part)
        return b"".join(parts)

    def _next(self, size: int) -> bytes:
        part: bytes = self._stream.read(size)
        self._given += len(part)
        if self._given > max(FREE, self._most * self._bare.tell()):
            wrong = (
                f"{self._name}: unpacked it is more than {self._most:,} times its size, which "
                "is unusual for rankings"
            )
            raise Avoidable(wrong, GREATER_RATIO)
        return part


def zstd(stream: IO[bytes], name: str) -> Any:
    """The unpacked bytes of a stream packed by zstd."""
    try:
        from compression.zstd import ZstdFile  # type: ignore[import-not-found]  # Python 3.14

        return ZstdFile(stream)
    except ImportError:
        pass
    arrow = extra("pyarrow", what=f"{name}: reading a file packed by zstd")
    return arrow.CompressedInputStream(stream, "zstd")


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

    def __init__(self, name: str | PathLike[str]) -> None:
        self.path = Path(name)
        self.limits = current()
        self._stdin: Any = None
        if str(name) == STANDARD_INPUT:
            self.path = Path("standard input")
            self._stdin = _standard_input()
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
            if self.is_pipe:
                return cast("IO[bytes]", _View(self._kept))
            return self.path.open("rb")
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
        """The first bytes, unpacked; none if the archive is damaged there.

        They are read again with the rest. That reading tells the watcher of them, and names the
        line of a damage.
        """
        with _opened(self, None) as stream:
            try:
                return without_mark(read(stream, _HEAD, self))
            except DamagedArchiveError:
                return b""


class DamagedArchiveError(InputError):
    """A packed file whose bytes can't be unpacked."""


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
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == io.SEEK_END:
            self._kept.take(math.inf)
        self._place = offset + (0, self._place, self._kept.taken)[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: Any) -> int:
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

    def __init__(
        self,
        stream: IO[bytes],
        file: File,
        watcher: Watcher,
    ) -> None:
        self._file = stream
        self._path = file.path
        self._watcher = watcher
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
    with _opened(file, _watcher.get()) as stream:
        yield stream


@contextlib.contextmanager
def _opened(file: File, watcher: Watcher | None) -> Iterator[IO[bytes]]:
    with file.bare() as bare:
        stream = bare if watcher is None else cast("IO[bytes]", _Telling(bare, file, watcher))
        if not file.packing:
            yield stream
            return
        with unpacked(stream, file.packing, str(file)) as whole:
            bounded = Bounded(whole, bare, str(file), file.limits.max_ratio)
            yield cast("IO[bytes]", bounded)


def read(
    stream: IO[bytes],
    size: int,
    file: File,
    line: int | None = None,
) -> bytes:
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
    raise DamagedArchiveError(f"{where}: the packed file is damaged: {wrong}")


def without_mark(raw: bytes) -> bytes:
    """The bytes without the mark that some editors put in front of UTF-8."""
    return raw.removeprefix(_BOM)


def contents(file: File) -> bytes:
    """All of a small file, unpacked."""
    with opened(file) as stream:
        return without_mark(read(stream, -1, file))
