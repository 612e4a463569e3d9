"""The tutorials and guides, followed to the letter."""

import doctest
import shutil
from pathlib import Path

import pytest

from tests.site import steps

DOCS = steps.ROOT / "docs"
# The pages that no other test follows.
PAGES = ("first-test", "first-evaluation", "number-in-a-paper", "which-ndcg", "large-runs")


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_a_page_does_what_it_says(tmp_path: Path, name: str) -> None:
    """Its commands print what stands below them, and so do its examples."""
    page = DOCS / f"{name}.md"
    for command, said, printed in steps.followed(page, tmp_path):
        assert printed == said, f"{name}: {command}"
    examples = steps.examples(page)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(doctest.DocTestParser().get_doctest(examples, {}, name, str(page), 0))
    assert runner.failures == 0
    assert "```console" in page.read_text(encoding="utf-8") or runner.tries > 0


@pytest.mark.slow
def test_a_page_that_says_otherwise_is_seen(tmp_path: Path) -> None:
    """One changed digit of an output is a difference."""
    copy = tmp_path / "page.md"
    text = (DOCS / "first-evaluation.md").read_text(encoding="utf-8")
    assert "0.7414" in text
    copy.write_text(text.replace("0.7414", "0.7415"), encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    assert any(said != printed for _, said, printed in steps.followed(copy, folder))


def test_the_files_of_ci_are_read_as_what_they_are(tmp_path: Path) -> None:
    """The YAML and TOML of the page on CI parse, and name options that the plugin has."""
    import tomllib

    import yaml

    from irmetrics_edu import pytest_plugin

    shutil.copy(DOCS / "gates-in-ci.md", tmp_path)
    assert list(steps.followed(DOCS / "gates-in-ci.md", tmp_path)) == []
    github = yaml.safe_load((tmp_path / ".github/workflows/ranking.yml").read_text())
    gitlab = yaml.safe_load((tmp_path / ".gitlab-ci.yml").read_text())
    assert github["jobs"]["test"]["steps"][-1]["if"] == "always()"
    assert gitlab["ranking"]["artifacts"]["when"] == "always"
    options = tomllib.loads((tmp_path / "pyproject.toml").read_text())["tool"]["pytest"]
    known = {f"irm_{name}" for name, _, _ in (*pytest_plugin.OPTIONS, *pytest_plugin.POLICY)}
    assert set(options["ini_options"]) <= known
