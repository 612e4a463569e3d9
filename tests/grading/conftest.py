"""The tiers that hold on this machine, each tried once."""

import functools
import operator

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.grading import sandbox, tiers


@functools.cache
def holds(name: str) -> str:
    """Why a tier does not hold here; empty if it does."""
    try:
        return sandbox._trial(tiers.named(name))
    except (sandbox.SandboxError, InputError) as error:
        return str(error)


@pytest.fixture(scope="session")
def namespaces() -> tiers.Tier:
    """The tier of namespaces, where the system allows it."""
    if why := holds("namespaces"):
        pytest.skip(f"the system allows no namespaces: {why}")
    return tiers.named("namespaces")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a tier once for each tier that the system allows."""
    if "tier" in metafunc.fixturenames:
        metafunc.parametrize(
            "tier", [tiers.named(n) for n in tiers.NAMES if not holds(n)], ids=NAME
        )


NAME = operator.attrgetter("name")
