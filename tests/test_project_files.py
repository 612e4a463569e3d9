"""The files that say who we are: how to cite, how to report, who decides."""

import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def test_what_is_cited_is_this_version() -> None:
    """CITATION.cff says what pyproject.toml says, in the fields that its format asks for."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == PROJECT["version"]
    assert cited["abstract"] == PROJECT["description"]
    assert cited["authors"] == PROJECT["authors"]
    assert cited["license"] in PROJECT["license"]
    assert {"cff-version", "message", "title", "type"} <= set(cited)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_asks_in_fields_that_it_names_once(form: Path) -> None:
    """Each form has what its format asks for, and every field an id and a label."""
    text = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(text)
    names = [field["id"] for field in text["body"]]
    assert len(set(names)) == len(names)
    assert all(field["type"] in {"input", "textarea"} for field in text["body"])
    assert all(field["attributes"]["label"] for field in text["body"])


def test_there_are_forms() -> None:
    """A number, a metric and a lesson have a form each."""
    assert {form.stem for form in FORMS} == {"number", "metric", "lesson"}
