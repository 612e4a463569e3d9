"""The tiers of isolation, from the strongest to the weakest."""

import functools
import importlib.util
import itertools
import os
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError

# What needs `rich` to import needs these.
WITH_PACKAGE = ("numpy", "irmetrics_edu", "rich", "pygments", "markdown_it", "mdurl")

_HOLDS = {
    "namespaces": (
        "Linux namespaces: no network, only the files it needs and those read-only, "
        "no other process in sight, no privilege"
    ),
    "user": (
        "a user of its own: it can't write files of others nor touch their processes, but it can "
        "read what everybody may read, such as a course key or results that are not closed to "
        "others, and see which programs run"
    ),
    "plain": (
        "not secure: a plain process with limits, which can read and write whatever the "
        "person who grades can, the course key and the results too; grade only people you trust"
    ),
}
_FILTERED = "system calls are filtered: no network, no signal to other processes, no look into them"
NAMES = tuple(_HOLDS)
# Folders of packages, which no student's code may read, within those that the interpreter needs.
_PACKAGES = ("site-packages", "dist-packages", "python3*/site-packages", "python3*/dist-packages")


@dataclass(frozen=True)
class Tier:
    """A tier is a way to isolate a child: `namespaces`, `user` or `plain`.

    `holds` says what the tier does, for a report. `unfiltered` says why system calls are not
    filtered, if they are not. Only `namespaces` is called secure.
    """

    name: str
    unfiltered: str = ""

    @property
    def secure(self) -> bool:
        """Whether the child can neither read nor change what it must not."""
        return self.name == "namespaces"

    @property
    def holds(self) -> str:
        """What this tier does, in a sentence."""
        if not self.unfiltered:
            return f"{_HOLDS[self.name]}; {_FILTERED}"
        network = "" if self.secure else ", so it has the network"
        return f"{_HOLDS[self.name]}; {self.unfiltered}{network}"

    def __str__(self) -> str:
        return f"{self.name} ({self.holds})"


def named(name: str) -> Tier:
    """The tier of this name, which then is the only one tried."""
    if name not in _HOLDS:
        raise InputError(f"tier {name!r} is not known; known are {', '.join(NAMES)}")
    return Tier(name)


def python() -> str:
    """The interpreter that runs children: the one below a virtual environment."""
    base: str = getattr(sys, "_base_executable", None) or sys.executable
    return base


@functools.cache
def place_of(package: str) -> Path:
    """The folder that a package is installed in."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise InputError(f"package {package!r}, provided to students, is not installed here")
    return Path(os.path.realpath(next(iter(spec.submodule_search_locations)))).parent


def plan_for(tier: Tier, packages: Sequence[str], folder: str) -> dict[str, Any]:
    """The supervisor's plan for a child in a tier, without the limits."""
    root = is_root()
    plan: dict[str, Any] = {
        "tier": tier.name,
        "root": root,
        "folder": folder,
        "uid": None,
    }
    plan["filtered"] = not tier.unfiltered
    if tier.name == "namespaces":
        binds, masks = _files(tuple(packages))
        plan |= {"binds": binds, "masks": masks}
    elif tier.name == "user":
        if not root:
            raise InputError("tier 'user' needs root, to give a child a user of its own")
        plan["uid"] = _unused_user()
        os.chown(folder, plan["uid"], plan["uid"])
    elif root:
        raise InputError(
            "tier 'plain' would run students' code as root; "
            "grade as another user, or with tier 'user'"
        )
    return plan


def is_root() -> bool:
    """Whether this process has root rights, which a plain child would have too."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


_children = itertools.count()


def _unused_user() -> int:
    """A user id without an account that no other child uses at the same time."""
    high = 0x60000000 + os.getpid() % (1 << 20) * 256 + next(_children) % 256
    mapped = Path("/proc/self/uid_map")
    if mapped.exists():
        ranges = [[int(n) for n in line.split()] for line in mapped.read_text().splitlines()]
        if not any(first <= high < first + count for first, _, count in ranges):
            # A container with few users: those that are handed out to no account by custom.
            return 61184 + high % 4000
    return high


def packages_in(tier: Tier, packages: Sequence[str]) -> Mapping[str, str]:
    """The places where the child finds the provided packages."""
    if tier.name == "namespaces":
        return dict.fromkeys(packages, "/packages")
    return {package: str(place_of(package)) for package in packages}


@functools.cache
def _files(packages: tuple[str, ...]) -> tuple[list[list[str]], list[str]]:
    """The files that a child needs as (source, place), and the folders in them to hide."""
    binds = []
    masks = []
    for place in _places():
        binds.append([os.path.realpath(place), place])
        for pattern in _PACKAGES:
            hidden = [folder for folder in Path(place).glob(pattern) if folder.is_dir()]
            masks += [str(folder) for folder in hidden]
    for package in packages:
        source = place_of(package)
        names = [name for name in (package, f"{package}.libs") if (source / name).is_dir()]
        binds += [[str(source / name), f"/packages/{name}"] for name in names]
    if "irmetrics_edu" in packages:
        masks.append("/packages/irmetrics_edu/classroom")
    return binds, masks


def _places() -> list[str]:
    """The files and folders of the system that an interpreter needs, none within another."""
    standard = sysconfig.get_path("stdlib", vars=None)
    folders = [standard, sysconfig.get_path("platstdlib")]
    folders += [str(Path(standard, "lib-dynload").resolve())]
    multiarch = sysconfig.get_config_var("MULTIARCH") or ""
    libraries = [f"/lib/{multiarch}", f"/usr/lib/{multiarch}"] if multiarch else []
    if not any(Path(folder).is_dir() for folder in libraries):
        libraries = ["/lib", "/usr/lib", "/usr/lib64"]
    files = [
        "/dev/null",
        "/dev/urandom",
        "/etc/ld.so.cache",
        "/etc/localtime",
    ]
    wanted = dict.fromkeys(
        [
            *folders,
            *libraries,
            "/lib64",
            *files,
        ]
    )
    there = [place for place in wanted if Path(place).exists()]
    above = tuple(f"{place}/" for place in there)
    return [place for place in there if not place.startswith(above)]
