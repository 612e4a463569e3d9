"""Files as streams of bytes: plain, gzip, zstd; told apart by their first bytes."""

import contextlib
import gzip
import zlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, cast

from irmetrics_edu.errors import InputError

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_PACKED = 1 << 18  # packed bytes to read at a time
_BOM = b"\xef\xbb\xbf"  # a mark of the encoding at the start of a file, and no part of its text


def compression(path: Path) -> str:
    """How the file is packed: "", "gzip" or "zstd", by its first bytes."""
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if start.startswith(_GZIP):
        return "gzip"
    return "zstd" if start == _ZSTD else ""


Watcher = Callable[[Path, int, int], None]
_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextlib.contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Have a function told, while files are read, the file, how many bytes of it, and its size."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


class _Telling:
    """A file that tells how far it was read."""

    def __init__(self, file: IO[bytes], path: Path, watcher: Watcher) -> None:
        self._file, self._path, self._watcher = file, path, watcher
        self._size = path.stat().st_size

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._watcher(self._path, self._file.tell(), self._size)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The unpacked bytes of a file."""
    packed = compression(path)
    watcher = _watcher.get()
    with path.open("rb") as bare:
        file = bare if watcher is None else cast("IO[bytes]", _Telling(bare, path, watcher))
        if packed == "gzip":
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield unpacked  # type: ignore[misc]  # GzipFile reads as a file does
        elif packed == "zstd":
            with _zstd(file, path) as unpacked:
                yield unpacked
        else:
            yield file


def _zstd(file: IO[bytes], path: Path) -> Any:
    try:
        from compression.zstd import ZstdFile  # type: ignore[import-not-found]  # Python 3.14

        return ZstdFile(file)
    except ImportError:
        pass
    try:
        import zstandard  # type: ignore[import-not-found,unused-ignore]  # an extra
    except ImportError:
        raise InputError(
            f"{path}: to read a file packed by zstd, install the extra: "
            "pip install 'irmetrics-edu[zstd]', or unpack it first"
        ) from None
    return contextlib.nullcontext(_Frames(file, zstandard.ZstdDecompressor))


class _Frames:
    """The bytes of frames of zstd; the package's own reader takes one that is cut off for whole."""

    def __init__(self, file: IO[bytes], decompressor: Any) -> None:
        self._file, self._decompressor = file, decompressor
        self._frame = decompressor().decompressobj()
        self._begun = self._ended = False  # within a frame; at the end of the file
        self._ready = bytearray()

    def read(self, size: int = -1) -> bytes:
        """So many bytes, or all that are left; fewer only at the end."""
        while not self._ended and (size < 0 or len(self._ready) < size):
            packed = self._file.read(_PACKED)
            self._ended = not packed
            if self._ended and self._begun:
                raise EOFError("it ends within a frame")
            while packed:
                self._ready += self._frame.decompress(packed)
                self._begun, packed = not self._frame.eof, self._frame.unused_data
                if not self._begun:
                    self._frame = self._decompressor().decompressobj()
        end = len(self._ready) if size < 0 else size
        out = bytes(self._ready[:end])
        del self._ready[:end]
        return out


def read(stream: IO[bytes], size: int, path: Path, line: int) -> bytes:
    """The next bytes of a stream; a broken archive is told by its file and line."""
    try:
        return stream.read(size)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}, line {line}: the packed file is broken: {error}") from None
    except Exception as error:
        if type(error).__name__ != "ZstdError":  # its type is there only if its package is
            raise
        raise InputError(f"{path}, line {line}: the packed file is broken: {error}") from None


def without_mark(raw: bytes) -> bytes:
    """The bytes without the mark that some editors put in front of UTF-8."""
    return raw.removeprefix(_BOM)


def contents(path: Path) -> bytes:
    """All of a small file, unpacked."""
    with opened(path) as stream:
        return without_mark(read(stream, -1, path, 1))
