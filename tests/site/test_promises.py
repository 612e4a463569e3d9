"""The table of promises: each test that it names is there."""

import re

from dev.tools.places import ROOT


def test_every_promise_names_a_test_that_is_there() -> None:
    """A test that was renamed or taken out leaves no promise behind."""
    text = (ROOT / "dev" / "promises.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+\.py)(?:::(test_\w+))?`", text)
    assert len(named) > 40
    for file, test in named:
        (path,) = (
            p for p in (ROOT / "tests").glob(f"*/{file}") if p.parent.name in ("site", "playground")
        )
        assert not test or f"def {test}(" in path.read_text(encoding="utf-8"), test
