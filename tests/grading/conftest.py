"""The tiers that hold on this machine, each tried once."""

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.grading import sandbox, tiers


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


@pytest.fixture(scope="session", params=tiers.NAMES)
def tier(request: pytest.FixtureRequest) -> tiers.Tier:
    """Each tier that the system allows."""
    if why := holds(request.param):
        pytest.skip(f"the system allows no tier {request.param}: {why}")
    return tiers.named(request.param)
