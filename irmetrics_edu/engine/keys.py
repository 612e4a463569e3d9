"""Numbers that stand for texts: 64 bits each, and other ones in each process."""

import secrets
from hashlib import blake2b

import numpy as np

from irmetrics_edu.numbers import Array

_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)
# Keys differ from process to process, so that a file can't be made for one key to stand for many.
# No result hangs on them: where keys are equal, the texts are compared.
_SECRET = np.uint64(secrets.randbits(64))


def salts(n: int) -> Array:
    """A number for each of `n` groups of texts, other ones in each process."""
    salt = np.arange(1, n + 1, dtype=np.uint64)
    mix(salt)
    salt ^= _SECRET
    mix(salt)
    return salt


def digest(rest: Array) -> int:
    """A 64-bit number for the bytes of a text, another one in each process."""
    return int.from_bytes(blake2b(rest.tobytes(), digest_size=8, key=_SECRET.tobytes()).digest())


def mix(key: Array) -> None:
    """Spread every bit of the numbers over all bits, in place."""
    key *= _ODD
    key ^= key >> _SHIFT
    key *= _ODD
