"""Files as streams of bytes: plain, gzip, zstd; told apart by their first bytes."""

import contextlib
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from irmetrics_edu.errors import InputError

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
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


@contextlib.contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The unpacked bytes of a file."""
    packed = compression(path)
    with path.open("rb") as file:
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
    return zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)


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
