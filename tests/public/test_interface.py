"""What is public stays as it is, or its change is accepted by hand."""

import pytest

from dev.tools import public


def test_the_public_interface_is_as_it_was_accepted():
    """Names, signatures, options, fixtures, exit codes and the fields of files."""
    accepted = public.SNAPSHOT.read_text(encoding="utf-8").splitlines()
    changes = public.compared(accepted, public.interface())
    assert not changes, "\n".join(["", *changes])


@pytest.mark.parametrize(
    "line",
    [
        "name irmetrics_edu.ndcg(ranking, judgments=None, *, k=None, gain=linear, discount=log2, ",
        "name irmetrics_edu.gate.assert_ndcg(",
        "name irmetrics_edu.Working.columns",
        "command evaluate --worst",
        "pytest fixture irm_baseline",
        "pytest ini irm_policy",
        "exit code 2: bad_input",
        "file diagnose /number/candidates/call: string",
    ],
)
def test_each_kind_of_thing_is_there(line):
    """A line of each kind that users rely on."""
    assert any(found.startswith(line) for found in public.interface()), line


def test_a_change_is_named_with_what_to_do():
    """What is gone needs a warning first; what is new needs a line in the changelog."""
    assert public.compared(["a", "b"], ["b", "a"]) == []
    gone = public.compared(["a(x)", "b"], ["a(y)", "b"])
    assert gone[:2] == ["- a(x)", "+ a(y)"]
    assert "keep it for a minor version" in gone[2]
    new = public.compared(["a"], ["a", "b"])
    assert new[0] == "+ b"
    assert "docs/changelog.md" in new[1]
    assert "make public" in new[1]
