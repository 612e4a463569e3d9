"""What a child is given of the system, and what is hidden from it, over a made-up system."""

import itertools
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.grading import tiers
from irmetrics_edu.errors import InputError
from tests.tables import rows


@pytest.mark.parametrize("base", ["/usr/bin/python9", "", None])
def test_children_run_in_the_interpreter_below_a_virtual_environment(monkeypatch, base):
    """Where it is not known, in this one."""
    fake = SimpleNamespace(executable="/venv/bin/python")
    if base is not None:
        fake._base_executable = base
    monkeypatch.setattr(tiers, "sys", fake)
    assert tiers.python() == (base or "/venv/bin/python")


def test_a_package_is_provided_from_where_it_is_installed(tmp_path, monkeypatch):
    """By its real folder; a module, and what is not installed, is no package."""
    real = tmp_path / "real" / "given_2"
    real.mkdir(parents=True)
    (real / "__init__.py").touch()
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "given_2").symlink_to(real)
    (linked / "alone_2.py").touch()
    monkeypatch.syspath_prepend(str(linked))
    assert tiers.place_of.__wrapped__("given_2") == tmp_path / "real"
    for name in ("alone_2", "nowhere_2"):
        with pytest.raises(InputError) as error:
            tiers.place_of.__wrapped__(name)
        assert str(error.value) == f"package '{name}', provided to students, is not installed here"


def test_packages_are_where_the_tier_shows_them(monkeypatch):
    """In namespaces in a folder of the child's own; else where they are."""
    monkeypatch.setattr(tiers, "place_of", lambda name: Path("/site") / name[0])
    names = ("numpy", "scipy")
    inside = {"numpy": "/packages", "scipy": "/packages"}
    assert tiers.packages_in(tiers.Tier("namespaces"), names) == inside
    outside = {"numpy": "/site/n", "scipy": "/site/s"}
    for name in ("user", "plain"):
        assert tiers.packages_in(tiers.Tier(name), names) == outside


def test_root_is_known_where_there_is_a_root():
    """By its number; some systems have none."""
    for user, is_root in ((0, True), (1, False), (None, False)):
        fake = SimpleNamespace() if user is None else SimpleNamespace(geteuid=lambda u=user: u)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tiers, "os", fake)
            assert tiers.is_root() is is_root


@rows("mapped", [True, False])
def test_where_nothing_says_which_users_are_mapped_all_are(mapped):
    """Of one process and of its next children the numbers follow each other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiers.Path, "exists", lambda _path: mapped)
        patch.setattr(tiers.Path, "read_text", lambda _path: "0 0 1000\n1000 5 4294966296\n")
        patch.setattr(tiers, "_children", itertools.count(254))
        patch.setattr(tiers.os, "getpid", lambda: (1 << 20) + 3)
        found = [tiers._unused_user() for _ in range(4)]
    assert found == [0x60000000 + 3 * 256 + n for n in (254, 255, 0, 1)]


@rows(
    ("mapped", "fits"),
    [
        ("0 0 1610612736\n", False),
        ("0 0 1610612737\n", True),
        ("1610612737 0 9\n", False),
        ("1610612736 0 1\n", True),
        ("0 0 9\n1610612735 0 2\n", True),
        ("", False),
    ],
)
def test_a_user_that_is_not_mapped_is_not_taken(mapped, fits):
    """Then it is one of those that custom gives to no account: 61184 to 65183."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiers.Path, "exists", lambda _path: True)
        patch.setattr(tiers.Path, "read_text", lambda _path: mapped)
        patch.setattr(tiers, "_children", itertools.count())
        patch.setattr(tiers.os, "getpid", lambda: 1 << 20)
        found = tiers._unused_user()
    assert found == (0x60000000 if fits else 61184 + 0x60000000 % 4000)


def folders_of(tmp_path, *names):
    """Folders and files (with a dot) of a made-up system."""
    for name in names:
        path = tmp_path / name
        (path.parent if "." in path.name else path).mkdir(parents=True, exist_ok=True)
        if "." in path.name:
            path.touch()


def test_a_child_is_given_libraries_without_packages_and_the_packages_it_may_have(
    tmp_path, monkeypatch
):
    """Whatever of other packages lies in the folders of the interpreter is covered."""
    lib = tmp_path / "lib"
    folders_of(lib, "site-packages", "dist-packages", "python3.9/site-packages", "other/a.py")
    folders_of(lib, "python3/dist-packages", "python2/site-packages", "python3.8/a.py")
    (lib / "python3.7").mkdir()
    (lib / "python3.7" / "site-packages").touch()
    site = tmp_path / "site"
    folders_of(site, "numpy", "numpy.libs/a.so", "irmetrics_edu", "scipy.libs")
    (tmp_path / "link").symlink_to(lib)
    places = [str(lib), str(tmp_path / "link")]
    monkeypatch.setattr(tiers, "_places", lambda: places)
    monkeypatch.setattr(tiers, "place_of", lambda _name: site)
    binds, masks = tiers._files.__wrapped__(("numpy", "irmetrics_edu", "scipy"))
    assert binds == [
        [str(lib), str(lib)],
        [str(lib), str(tmp_path / "link")],
        [str(site / "numpy"), "/packages/numpy"],
        [str(site / "numpy.libs"), "/packages/numpy.libs"],
        [str(site / "irmetrics_edu"), "/packages/irmetrics_edu"],
    ]
    hidden = ["site-packages", "dist-packages", "python3.9/site-packages", "python3/dist-packages"]
    of_links = [f"{place}/{name}" for place in places for name in hidden]
    assert masks == [*of_links, "/packages/irmetrics_edu/classroom"]
    assert tiers._files.__wrapped__(("numpy",))[1] == of_links


@rows("multiarch", ["x86_64-linux-gnu", "none-there", ""])
def test_what_an_interpreter_needs_of_the_system_and_nothing_within_it_twice(multiarch):
    """Its modules, the libraries of its machine or of all, and a few files; only what is there."""
    there = {
        "/opt/lib/python3.9",
        "/opt/plat",
        "/opt/lib/python3.9/lib-dynload",
        "/lib/x86_64-linux-gnu",
        "/lib",
        "/usr/lib",
        "/usr/lib64",
        "/lib64",
        "/dev/null",
        "/dev/urandom",
        "/etc/localtime",
    }

    class FakePath:
        def __init__(self, *parts):
            self.name = "/".join(parts)

        def __str__(self):
            return self.name

        def resolve(self):
            return self

        def is_dir(self):
            return self.name in there

        exists = is_dir

    paths = {"stdlib": "/opt/lib/python3.9", "platstdlib": "/opt/plat"}
    fake = SimpleNamespace(
        get_path=lambda name, **_options: paths[name],
        get_config_var=lambda name: {"MULTIARCH": multiarch or None}[name],
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiers, "sysconfig", fake)
        patch.setattr(tiers, "Path", FakePath)
        found = tiers._places()
    libraries = {"x86_64-linux-gnu": ["/lib/x86_64-linux-gnu"]}.get(
        multiarch, ["/lib", "/usr/lib", "/usr/lib64"]
    )
    files = ["/dev/null", "/dev/urandom", "/etc/localtime"]
    assert found == ["/opt/lib/python3.9", "/opt/plat", *libraries, "/lib64", *files]


def test_on_this_machine_the_modules_of_python_are_among_the_files():
    """What is imported by every answer, and no folder of packages that is not covered."""
    binds, masks = tiers._files(("numpy",))
    given = [place for _, place in binds]
    assert any(os.__file__.startswith(place) for place in given) or sys.platform != "linux"
    assert "/packages/numpy" in given
    assert all(Path(mask).is_dir() for mask in masks)
