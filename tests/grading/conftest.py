"""The tiers that hold on this machine, each tried once."""

import functools
import operator

import pytest

from irmetrics_edu.classroom.grading import sandbox, tiers


@functools.cache
def holds(name: str) -> str:
    """Why a tier does not work here; empty if it works."""
    with pytest.MonkeyPatch.context() as patch:
        if name == "plain":
            patch.setattr(tiers, "is_root", lambda: False)
        return sandbox._tried(name)[1]


@pytest.fixture(autouse=True)
def plain_for_tests(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Try the tier `plain` also where the tests run as root, for which it is refused."""
    calls = getattr(request.node, "callspec", None)
    tier = calls.params.get("tier") if calls else None
    if getattr(tier, "name", "") == "plain":
        monkeypatch.setattr(tiers, "is_root", lambda: False)


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
