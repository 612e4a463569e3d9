"""Unpacking, a bound on how large a packed file may become, and what damaged files raise."""

import contextlib
import gzip
import struct
import zipfile
import zlib
from typing import IO, Any

from irmetrics_edu.errors import InputError

_PACKED = 1 << 12  # packed bytes to read at a time: zstd may make 30,000 times as many of them
_FREE = 1 << 26  # unpacked bytes that any packed file may hold


# By the first bytes of a file. Those of bzip2 could begin a word, so the first block counts too.
_MAGIC = {
    "gzip": (b"\x1f\x8b",),
    "zstd": (b"\x28\xb5\x2f\xfd",),
    "xz": (b"\xfd7zXZ\x00",),
    "bzip2": tuple(b"BZh%d%s" % (n, b) for n in range(1, 10) for b in (b"1AY&SY", b"\x17rE8P\x90")),
    "zip": (b"PK\x03\x04", b"PK\x05\x06"),
}
ENDINGS = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")  # of names of packed files
MAGIC = 10  # bytes that tell how a file is packed
# What json, numpy and zipfile raise if somebody spoilt a file of JSON or of arrays.
SPOILT = (
    ArithmeticError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError,
    SyntaxError, TypeError, ValueError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def packing(start: bytes) -> str:
    r"""How a file is packed that begins so: "" if it is not, "gzip", "zstd", "xz", "bzip2", "zip".

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


def unpacked(stream: IO[bytes], how: str, name: str) -> Any:
    """The unpacked bytes of a stream, closed with it; `name` names it in errors."""
    if how == "zip":
        raise InputError(
            f"{name} is a zip archive, which may hold several files; unpack it first, or pack the "
            "one file by gzip, zstd, bzip2 or xz"
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

    def __init__(self, stream: Any, bare: IO[bytes], name: str, max_ratio: int) -> None:
        self._stream, self._bare, self._name, self._most = stream, bare, name, max_ratio
        self._given = 0

    def read(self, size: int = -1) -> bytes:
        """So many bytes, or all that are left."""
        if size >= 0:
            return self._next(size)
        parts = []
        while part := self._next(_FREE):
            parts.append(part)
        return b"".join(parts)

    def _next(self, size: int) -> bytes:
        part: bytes = self._stream.read(size)
        self._given += len(part)
        if self._given > max(_FREE, self._most * self._bare.tell()):
            raise InputError(
                f"{self._name}: unpacked it is more than {self._most:,} times its size, which "
                "is unusual for rankings; if that is right, give a greater max_ratio (--max-ratio)"
            )
        return part


def zstd(stream: IO[bytes], name: str) -> Any:
    """The unpacked bytes of a stream packed by zstd."""
    try:
        from compression.zstd import ZstdFile  # type: ignore[import-not-found]  # Python 3.14

        return ZstdFile(stream)
    except ImportError:
        pass
    try:
        import zstandard  # type: ignore[import-not-found,unused-ignore]  # an extra
    except ImportError:
        raise InputError(
            f"{name}: to read a file packed by zstd, install the extra: "
            "pip install 'irmetrics-edu[zstd]', or unpack it first"
        ) from None
    return contextlib.nullcontext(_Frames(stream, zstandard.ZstdDecompressor))


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
                raise EOFError("it ends in the middle of a frame")
            while packed:
                self._ready += self._frame.decompress(packed)
                self._begun, packed = not self._frame.eof, self._frame.unused_data
                if not self._begun:
                    self._frame = self._decompressor().decompressobj()
        end = len(self._ready) if size < 0 else size
        out = bytes(self._ready[:end])
        del self._ready[:end]
        return out
