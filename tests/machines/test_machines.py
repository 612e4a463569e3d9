"""The check of machines: it names what it can't run, notices what was not put on, and can fail."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from irmetrics_edu.course import figures
from irmetrics_edu.views import formatting
from tests.conftest import ROOT
from tests.machines import edges
from tests.machines.__main__ import BY_BLAS, COMPUTED, FAST, LEARNERS, THREADED, parts
from tests.machines.machines import Machine, features, machines, not_taken, taken
from tests.machines.outputs import differences, tasks, undrawn

ALL = {"SSE3", "AVX", "AVX2", "FMA3", "AVX512_SKX", "ASIMD", "ASIMDDP"}
NEW = ["X86_V3", "X86_V4", "AVX512_ICL"]


def test_each_kernel_is_run_with_one_and_two_threads_the_oldest_without_simd():
    """And numpy is told to leave what that processor would not have."""
    found = machines(dict.fromkeys(ALL, True), NEW, "x86_64")
    assert [(m.core, m.threads) for m in found] == [
        (core, threads)
        for core in ("Prescott", "Sandybridge", "Haswell", "SkylakeX", "")
        for threads in (1, 2)
    ]
    assert not any(m.lacking for m in found)
    off = {m.core: m.off for m in found}
    assert off == {
        "Prescott": tuple(NEW),
        "Sandybridge": tuple(NEW),
        "Haswell": ("X86_V4", "AVX512_ICL"),
        "SkylakeX": (),
        "": tuple(NEW),
    }
    assert {m.core for m in found if not m.fma} == {"Prescott", "Sandybridge", ""}


def test_the_names_of_older_versions_of_numpy_are_understood():
    """They list each instruction set alone."""
    old = ["SSSE3", "AVX", "AVX2", "FMA3", "AVX512F", "AVX512_SKX"]
    found = {m.core: m.off for m in machines(dict.fromkeys(ALL, True), old, "AMD64")}
    assert found["Haswell"] == ("AVX512F", "AVX512_SKX")


def test_a_machine_that_the_processor_lacks_is_named():
    """Not left out."""
    have = dict.fromkeys(ALL - {"AVX512_SKX"}, True)
    lacking = {m.core: m.lacking for m in machines(have, ["X86_V3"], "x86_64")}
    assert lacking["SkylakeX"] == ("AVX512_SKX",)
    assert not lacking["Haswell"]


def test_other_processors_have_other_kernels_or_none():
    """What can be told anywhere is numpy's SIMD and the number of threads."""
    arm = machines(dict.fromkeys(ALL, True), ["ASIMDDP"], "arm64")
    assert {m.core for m in arm if not m.lacking} == {"ARMV8", "NEOVERSEN1", ""}
    assert [m.threads for m in machines({}, ["VSX4"], "ppc64le")] == [1, 2]


GOT: dict[str, Any] = {
    "openblas": True, "cores": ["Katmai"], "threads": [1], "features": [], "c": "other",
}  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, ""),
        ({"cores": ["Haswell"]}, "OpenBLAS was told Prescott and took Haswell"),
        ({"cores": ["Haswell", "Katmai"]}, "took Haswell, Katmai"),
        ({"threads": [1, 2]}, "told 1 thread and took 1, 2"),
        ({"features": ["X86_V3"]}, "numpy was told to leave X86_V3 and did not"),
        ({"openblas": False, "cores": ["None"], "threads": [8]}, ""),
    ],
)
def test_a_library_that_was_told_in_vain_is_reported(changed, said):
    """By what it says of itself; another BLAS than OpenBLAS can't be told, and is not blamed."""
    machine = next(iter(machines(dict.fromkeys(ALL, True), NEW, "x86_64")))
    found = not_taken(machine, {**GOT, **changed}, {**GOT, "c": "as it is"}, fma=True)
    assert len(found) == bool(said)
    assert all(said in line for line in found)


def test_a_c_library_that_computes_as_before_was_told_in_vain(monkeypatch):
    """Told by glibc's tunables; others have none; without FMA there is nothing to leave."""
    machine = next(iter(machines(dict.fromkeys(ALL, True), NEW, "x86_64")))
    monkeypatch.setattr("platform.libc_ver", lambda: ("glibc", "2.36"))
    assert "glibc was told" in not_taken(machine, GOT, GOT, fma=True)[0]
    assert not not_taken(machine, GOT, GOT, fma=False)
    monkeypatch.setattr("platform.libc_ver", lambda: ("", ""))
    assert not not_taken(machine, GOT, GOT, fma=True)


def test_what_is_run_by_name_is_there():
    """A folder or a notebook that was moved is not left out."""
    assert all((ROOT / name).is_dir() for name in (*LEARNERS, *BY_BLAS[:-2]))
    assert all(any(word in name for name in tasks()) for word in (*COMPUTED, *THREADED))
    left = [name for name in tasks() if not any(word in name for word in COMPUTED)]
    assert all(name.startswith("exercises/") for name in left)


def test_each_simd_runs_all_and_each_kernel_what_calls_the_blas():
    """With one thread; two threads run the outputs that call it. `--all` leaves nothing out."""
    chosen, met = machines(dict.fromkeys(ALL, True), NEW, "x86_64"), set()
    asked = [(m, *parts(m, met, whole=False)) for m in chosen]
    one = {m.core: rest for m, *rest in asked if m.threads == 1}
    assert one == {
        "Prescott": [(), FAST],
        "Sandybridge": [THREADED, BY_BLAS],
        "Haswell": [COMPUTED, FAST],
        "SkylakeX": [COMPUTED, FAST],
        "": [THREADED, BY_BLAS],
    }
    assert all(rest == [THREADED, None] for m, *rest in asked if m.threads == 2)
    assert parts(chosen[2], met, whole=True) == ((), ())


def notebook(folder: Path, code: str, shown: str) -> Path:
    """A notebook of one cell, with what it is said to show."""
    output = nbformat.v4.new_output("execute_result", {"text/plain": shown}, execution_count=1)
    cell = nbformat.v4.new_code_cell(code, outputs=[output])
    path = folder / "99_made.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    return path


def test_another_output_than_the_stored_one_is_found(tmp_path):
    """With both lines; so is a cell that fails."""
    assert differences(notebook(tmp_path, "1 + 1", "2")) == []
    assert differences(notebook(tmp_path, "1 + 1", "3")) == ["cell 1, text/plain:\n-3\n+2"]
    assert "ZeroDivisionError" in differences(notebook(tmp_path, "1 / 0", "3"))[0]


def test_a_figure_that_is_not_drawn_is_compared_by_its_words(tmp_path, monkeypatch):
    """As `without_pictures` leaves it: made and closed, with its alt text."""
    monkeypatch.setattr(figures, "_svg", figures._svg)  # which is put back afterwards
    code = "from matplotlib import pyplot as plt\nfrom irmetrics_edu.course import figure\n"
    path = notebook(tmp_path, f"{code}figure(plt.figure(), 'A line')", "Figure: A line")
    (drawn,) = differences(path)
    undrawn()
    assert differences(path) == [drawn]  # the HTML, which this notebook does not store
    assert 'alt="A line"' in drawn


# Each of 150 vectors is there twice, so their distances are 0; by way of inner products most are
# not, and the BLAS decides which.
_BY_INNER_PRODUCTS = """
import numpy as np
v = np.random.default_rng(0).normal(size=(150, 40)).repeat(2, axis=0)
square = (v**2).sum(axis=1)
distance = square[:, None] + square - 2 * v @ v.T
str((distance[::2, 1::2].diagonal() > 0).sum())
"""


def _on(machine: Machine, path: Path) -> str:
    code = "import sys, pathlib; from tests.machines import machines, outputs;"
    code += "print(machines.taken()['cores'], outputs.differences(pathlib.Path(sys.argv[1])))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=machine.environment(),
    )
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.suite("guide")
def test_a_number_that_hangs_on_the_kernel_differs_on_some_machine(tmp_path):
    """Distances by inner products: what is stored on one machine is not what others show."""
    found, may_leave = features()
    there = [m for m in machines(found, may_leave) if m.threads == 1 and not m.lacking]
    if not taken()["openblas"] or not any(m.core for m in there):
        pytest.skip("no other kernel of the BLAS can be chosen on this processor")
    path = notebook(tmp_path, _BY_INNER_PRODUCTS, "")
    shown = (_on(machine, path).partition(" ")[2] for machine in there)
    first = next(shown)
    assert any(other != first for other in shown)


def test_a_number_at_the_edge_of_rounding_is_noticed():
    """0.0165 as a float may lie on either side; a steady number is the same on all machines."""
    assert edges.at_edge(0.016499999999999997, ".3f")
    assert edges.at_edge(0.9999499999999999, ",.4f")
    assert not edges.at_edge(0.125, ".0%")
    assert not edges.at_edge(0.0165, ".4f")
    code = edges.watched("said = f'{x:.{n}f} {steady(x):.3f} {y:.3f} {z} {w:>9}'", "made.py")
    names = {"x": 0.0165, "y": 0.0166, "z": 1.0, "w": "w", "n": 3, "steady": formatting.steady}
    edges.drained()
    exec(compile(code, "made.py", "exec"), {**names, "__looked_at__": edges.look})  # noqa: S102 -- made above
    assert edges.drained() == ["made.py:1: 0.0165 by '.3f'"]
    assert edges.drained() == []


def test_a_time_that_shows_differs_from_what_is_stored(tmp_path, monkeypatch):
    """Under a clock that goes as it likes, for the cells of a notebook."""
    monkeypatch.setattr("time.perf_counter", edges.Clock())
    code = "import time\nbegan = time.perf_counter()\nf'{time.perf_counter() - began:.1e}'"
    path = notebook(tmp_path, code, "'1.0e-06'")
    assert any(differences(path) for _ in range(5))


def test_last_bits_decide_no_digit():
    """A number is written the same whatever rounding added to it."""
    for value, digits in ((0.00375, 4), (0.0165, 3), (0.35, 1), (2.5, 0), (0.99995, 4)):
        near = [value * (1 + i * 2.3e-16) for i in range(-8, 9)]
        assert len(set(near)) > 8
        assert len({formatting.number(v, digits) for v in near}) == 1
    assert formatting.column([1.0, 3.0000000000000004, 2.9999999999999996]) == ["1", "3", "3"]
    assert formatting.number(-1e-17) == "0.0000"
    assert formatting.number(123456789.125, 3) == "123456789.125"
