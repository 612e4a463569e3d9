"""Machines: the kernels of the BLAS, the SIMD of numpy and of the C library, and threads.

Three libraries choose code by the processor that they find, and their last bits differ: OpenBLAS
its kernels, numpy its ufuncs, glibc its exp, log and pow. Each can be told to choose as on an older
processor, before a process starts.
"""

import hashlib
import math
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

try:  # numpy prints these by `show_runtime`, and returns them nowhere
    from numpy._core import _multiarray_umath as _numpy
except ImportError:  # numpy 1
    from numpy.core import _multiarray_umath as _numpy  # type: ignore[no-redef]

# The core that OpenBLAS is told, the features that it needs, and under what name it may report
# itself: some cores share their kernels.
_CORES: dict[str, dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "x86_64": {
        "Prescott": (("SSE3",), ("prescott", "katmai")),
        "Sandybridge": (("AVX",), ("sandybridge",)),
        "Haswell": (("AVX2", "FMA3"), ("haswell",)),
        "SkylakeX": (("AVX512_SKX",), ("skylakex",)),
    },
    "aarch64": {
        "ARMV8": (("ASIMD",), ("armv8",)),
        "NEOVERSEN1": (("ASIMDDP",), ("neoversen1",)),
        "NEOVERSEV1": (("SVE",), ("neoversev1",)),
    },
}
_SAME_PROCESSOR = {"amd64": "x86_64", "arm64": "aarch64"}
# What glibc is told for a processor without fused multiplication.
_NO_FMA = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"


def _threads(n: int) -> str:
    return f"{n} thread" if n == 1 else f"{n} threads"


@dataclass(frozen=True)
class Machine:
    """An environment in which a process computes as another processor would.

    `core` is what OpenBLAS is told (nothing: as it finds it), `off` the features that numpy is to
    leave alone, `fma` whether the C library may use fused multiplication. `lacking` says which
    features the processor would need and does not have: such a machine can't be run here.
    """

    core: str = ""
    threads: int = 2
    off: tuple[str, ...] = ()
    fma: bool = True
    lacking: tuple[str, ...] = ()
    reported: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        kernel = f"OpenBLAS {self.core}" if self.core else "OpenBLAS as it is"
        simd = f"numpy without {' '.join(self.off)}" if self.off else "numpy as it is"
        c = "" if self.fma else ", C library without FMA"
        return f"{kernel}, {_threads(self.threads)}, {simd}{c}"

    def environment(self) -> dict[str, str]:
        """The environment of this process with what makes it that machine."""
        chosen = {"OPENBLAS_NUM_THREADS": str(self.threads)}
        if self.core:
            chosen["OPENBLAS_CORETYPE"] = self.core
        if self.off:
            chosen["NPY_DISABLE_CPU_FEATURES"] = " ".join(self.off)
        if not self.fma:
            chosen["GLIBC_TUNABLES"] = _NO_FMA
        ours = ("OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES")
        kept = {k: v for k, v in os.environ.items() if k not in (*ours, "GLIBC_TUNABLES")}
        return {**kept, **chosen}


def features() -> tuple[dict[str, bool], list[str]]:
    """What numpy says of the processor, and the features that it found and can be told to leave."""
    found: dict[str, bool] = dict(_numpy.__cpu_features__)
    return found, [name for name in _numpy.__cpu_dispatch__ if found.get(name)]


def machines(found: Mapping[str, bool], may_leave: list[str], processor: str = "") -> list[Machine]:
    """The machines that can be told apart here, the oldest first; each with one and two threads.

    A processor older than Haswell has neither the wider SIMD that numpy chooses from nor fused
    multiplication; Haswell lacks AVX-512.
    """
    name = (processor or platform.machine()).lower()
    chosen: list[Machine] = []
    for core, (needs, reported) in _CORES.get(_SAME_PROCESSOR.get(name, name), {}).items():
        lacking = tuple(n for n in needs if not found.get(n))
        off: tuple[str, ...] = ()
        fma = True
        if core in ("Prescott", "Sandybridge"):
            off, fma = tuple(may_leave), False
        elif core == "Haswell":
            off = tuple(n for n in may_leave if n == "X86_V4" or n.startswith("AVX512"))
        chosen += [Machine(core, t, off, fma, lacking, reported) for t in (1, 2)]
    return [*chosen, *(Machine("", t, tuple(may_leave), fma=False) for t in (1, 2))]


def taken() -> dict[str, Any]:
    """What this process computes with: kernels and threads by library, features, the C library."""
    import scipy.linalg  # noqa: F401 -- it brings a BLAS of its own
    import threadpoolctl

    blas = [one for one in threadpoolctl.threadpool_info() if one["user_api"] == "blas"]
    values = [0.1 + i / 7 for i in range(2000)]
    c = repr([(math.exp(v), math.log2(v), v**1.7) for v in values])
    return {
        "cores": sorted({str(one.get("architecture")) for one in blas}),
        "threads": sorted({int(one["num_threads"]) for one in blas}),
        "openblas": bool(blas) and all(one["internal_api"] == "openblas" for one in blas),
        "features": features()[1],
        "c": hashlib.sha256(c.encode()).hexdigest(),
    }


def not_taken(
    machine: Machine, got: Mapping[str, Any], here: Mapping[str, Any], *, fma: bool
) -> list[str]:
    """What a process was told and did not do; `here` is what it takes untold.

    `fma` tells whether the processor has fused multiplication at all.
    """
    said = []
    cores = {core.lower() for core in got["cores"]}
    if got["openblas"] and machine.core and not cores <= set(machine.reported):
        said.append(f"OpenBLAS was told {machine.core} and took {', '.join(got['cores'])}")
    if got["openblas"] and got["threads"] != [machine.threads]:
        threads = ", ".join(map(str, got["threads"]))
        said.append(f"OpenBLAS was told {_threads(machine.threads)} and took {threads}")
    if on := [name for name in machine.off if name in got["features"]]:
        said.append(f"numpy was told to leave {' '.join(on)} and did not")
    if not machine.fma and fma and got["c"] == here["c"] and platform.libc_ver()[0] == "glibc":
        said.append("glibc was told to leave FMA and computes as before")
    return said
