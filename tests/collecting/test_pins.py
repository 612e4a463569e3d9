"""What `make suite SUITE=retrievers` installs is pinned, with hashes and without addresses."""

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.test_packaging import PYPROJECT, pins_of


def test_every_retriever_is_pinned():
    """And admits what pyproject.toml asks for."""
    pins = pins_of("retrievers.txt")
    groups = PYPROJECT["dependency-groups"]
    for text in [*PYPROJECT["project"]["dependencies"], *groups["build"], *groups["retrievers"]]:
        requirement = Requirement(text)
        versions = pins[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(Version(v)) for v in versions), text
