"""The files that say who we are: how to cite, how to report, who decides, how to release."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from dev.tools import changelog, release
from irmetrics_edu import __version__
from irmetrics_edu.cli import COMMANDS
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.definition import METRICS, import_all

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def test_what_is_cited_is_this_version() -> None:
    """CITATION.cff says what the package and pyproject.toml say, in the fields of its format."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__
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


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/decisions.md"])
def test_a_file_that_contributors_are_sent_to_is_there(page: str) -> None:
    """From the root or from the package; a name with capitals stands for any."""
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_./-]+/[a-z_.-]+\.(?:py|toml|md|txt|mjs|js))`", text))
    assert len(named) > 10
    assert [
        n for n in named if not any((ROOT / b / n).exists() for b in ("", "irmetrics_edu"))
    ] == []


def test_contributing_is_short_and_links_the_decisions() -> None:
    """Ten minutes of reading; whoever looks for decisions there finds where they are."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(text.split()) < 2800
    assert "](docs/decisions.md)" in text.partition("\n## Decisions\n")[2]


def test_there_are_forms() -> None:
    """A number, a metric and a lesson have a form each."""
    assert {form.stem for form in FORMS} == {"number", "metric", "lesson"}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.stem)
def test_a_workflow_runs_targets_of_make_alone(workflow: Path) -> None:
    """What a workflow does can be done by hand, and each action is of a stated version."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    steps = [step for job in jobs.values() for step in job["steps"]]
    for step in steps:
        if "run" in step:
            make, target, *_ = step["run"].split()
            assert make == "make", step
            assert target in targets, step
        else:
            assert re.search(r"@(v\d+|release/v\d+)$", step["uses"]), step


def test_there_are_workflows_for_tests_release_and_pages() -> None:
    """On three systems and four versions of Python."""
    assert {workflow.stem for workflow in WORKFLOWS} >= {"ci", "release", "pages"}
    matrix = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"]
    matrix = matrix["fast"]["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == [python.removeprefix("python") for python in release.PYTHONS]


def test_a_release_of_another_tag_is_refused(tmp_path: Path) -> None:
    """The tag names the version."""
    with pytest.raises(InputError, match=f"write v{re.escape(__version__)}"):
        release.main([str(tmp_path), "--tag", "v0.0.1"])


def test_checksums_are_those_that_sha256sum_writes(tmp_path: Path) -> None:
    """The empty file has a checksum that is known."""
    (tmp_path / "empty").touch()
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert release.sums([tmp_path / "empty"]) == f"{empty}  empty\n"


def test_the_paper_cites_what_its_bibliography_has_and_claims_what_is_so() -> None:
    """Each work is cited and can be found; about 1,000 words; the counts are right."""
    text = (ROOT / "dev" / "paper" / "paper.md").read_text(encoding="utf-8")
    works = re.split(r"\n(?=@)", (ROOT / "dev" / "paper" / "paper.bib").read_text(encoding="utf-8"))
    keys = [re.match(r"@\w+\{(\w+),", work)[1] for work in works]  # type: ignore[index]
    assert set(re.findall(r"@([a-z]+\d{4})", text)) == set(keys)
    assert all(re.search(r"(doi|url) = \{\S+\}", work) for work in works)
    body = text.split("---", 2)[2]
    assert 900 < len(body.split()) < 1150
    import_all()
    assert f"more than {len(METRICS) // 10 * 10} measures" in body
    assert f"about {round(len(BUNDLES), -1)} libraries" in body
    assert len(list((ROOT / "notebooks").glob("*.py"))) > 20


# A folder that git emptied may stay for the sake of what Python compiled.
FOLDERS = sorted(
    folder
    for folder in (ROOT / "dev").iterdir()
    if any(path.is_file() and path.suffix != ".pyc" for path in folder.rglob("*"))
)
GUIDES = [ROOT / "dev" / "README.md", *(ROOT / "dev").glob("*/README.md")]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda f: f.name)
def test_a_folder_of_maintainers_says_who_needs_it(folder: Path) -> None:
    """In its first paragraph; the list of all folders links it."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    title, first = text.split("\n\n")[:2]
    assert title.startswith("# ")
    assert first.startswith("Who needs this: ")
    listed = (ROOT / "dev" / "README.md").read_text(encoding="utf-8")
    assert f"[{folder.name}]({folder.name}/README.md)" in listed


@pytest.mark.parametrize(
    "page",
    [*GUIDES, *ROOT.glob("*.md"), *(ROOT / ".github").glob("*.md")],
    ids=lambda page: page.relative_to(ROOT).as_posix(),
)
def test_what_a_guide_links_or_names_is_there(page: Path) -> None:
    """A link within the project leads to a file, and a folder's guide names what lies beside it."""
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)[^)]*\)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []
    if page in GUIDES:  # `name.ext` or `name/`; dist/ is made by the release
        named = set(re.findall(r"`(\.?\w[\w-]*(?:\.\w+|/))`", text)) - {"dist/"}
        places = (page.parent, ROOT)
        assert [n for n in named if not any((place / n).exists() for place in places)] == []


CHANGELOG = (ROOT / changelog.FILE).read_text(encoding="utf-8")
VERSIONS = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)


def test_the_changelog_has_this_version_below_what_is_to_come() -> None:
    """The first section is for the next version; the versions fall."""
    assert VERSIONS[0] in {"Unreleased", __version__}
    released = [version for version in VERSIONS if version != "Unreleased"]
    assert released[0] == __version__
    numbers = [tuple(map(int, version.split("."))) for version in released]
    assert numbers == sorted(numbers, reverse=True)


def test_a_change_is_told_in_a_line() -> None:
    """An entry is a line and a sentence; the first release says what it can do, on a page."""
    body = CHANGELOG.partition("\n## ")[2]
    assert [line for line in body.splitlines() if line.startswith((" ", "* "))] == []
    entries = [line for line in body.splitlines() if line.startswith("- ")]
    assert [line for line in entries if len(line) > 130 or not line.endswith(".")] == []
    assert len(CHANGELOG.partition("\n## 1.0.0\n")[2].splitlines()) <= 60


def test_the_first_release_claims_what_is_so() -> None:
    """Its numbers are those of the registry and of the folders."""
    import_all()
    first = CHANGELOG.partition("\n## 1.0.0\n")[2]
    threads = (ROOT / "docs" / "my-number-differs.md").read_text(encoding="utf-8")
    assert f"More than {len(METRICS) // 10 * 10} measures" in first
    assert f"[about {round(len(BUNDLES), -1)} libraries]" in first
    (public,) = re.findall(r"\[(\d+ public threads)\]", first)
    assert public in threads
    assert f"{len(list((ROOT / 'notebooks').glob('*.ipynb')))} chapters" in first
    assert f"{len(list((ROOT / 'exercises').glob('*.ipynb')))} exercises" in first
    commands = set(re.findall(r"`([a-z][a-z-]*)(?: [a-z]+)?`", first))
    assert commands - {"irmetrics_edu"} <= set(COMMANDS)


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ("- `HitRate` is a new measure.", True),
        ("- New: HitRate.", True),
        ("- `HitRate@k-ish` was renamed.", True),
        ("- `MeanHitRate` is a new measure.", False),
        ("- `HitRate-2` is a new measure.", False),
        ("HitRate stands in no entry.", False),
        ("", False),
        ("\n## 1.0.0\n\n- HitRate is of the version before.", False),
    ],
)
def test_a_measure_is_told_by_its_name_in_the_newest_section(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, entries: str, told: bool
) -> None:
    """As a word of its own, in an entry."""
    (tmp_path / "docs").mkdir()
    (tmp_path / changelog.FILE).write_text(f"# Changelog\n\n## Unreleased\n\n{entries}\n", "utf-8")
    monkeypatch.setattr(changelog, "ROOT", tmp_path)
    assert changelog.tells_of("HitRate") is told


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_public_change_needs_a_line_of_the_changelog(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What the changelog said before does not count, nor a change that nobody sees."""

    def git(*words: str) -> None:
        me = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *me, *words], cwd=tmp_path, check=True, capture_output=True)

    page = tmp_path / changelog.FILE
    page.parent.mkdir()
    page.write_text("# Changelog\n\n## Unreleased\n\n- `cg` is new.\n", encoding="utf-8")
    for words in (["init"], ["add", "."], ["commit", "-m", "First"]):
        git(*words)
    monkeypatch.setattr(changelog, "ROOT", tmp_path)
    assert changelog.untold(["irmetrics_edu/cli.py"], "HEAD") == ""
    assert "add a line" in changelog.untold([changelog.INTERFACE], "HEAD")
    page.write_text(page.read_text("utf-8") + "- `dcg` is new.\n", encoding="utf-8")
    assert changelog.untold([changelog.INTERFACE], "HEAD") == ""
    assert changelog.untold([], "HEAD") == ""


SEEN = ("notebooks", "exercises", "solutions", "irmetrics_edu", "tests", "docs", "README.md")


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a clone")
def test_a_visitor_meets_what_the_project_is_for() -> None:
    """At most 16 entries at the top, hidden ones too."""
    listed = subprocess.run(
        ["git", "ls-files"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    entries = {path.partition("/")[0] for path in listed}
    assert len(entries) <= 16, sorted(entries)
    assert set(SEEN) < entries
