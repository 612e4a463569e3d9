"""The files that say who we are: how to cite, how to report, who decides, how to release."""

import os
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest
import yaml

from dev.tools import changelog, release
from dev.tools.site import front
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
    assert cited["license"] == "MIT"  # of the code; the format joins several by "or"
    assert {"cff-version", "message", "title", "type"} <= set(cited)


LICENCES = (
    "Code is under MIT; the course and the test vectors are under CC BY 4.0; the docstrings of the "
    "collection stdlib are under PSF-2.0."
)
SAY_THE_LICENCES = ("README.md", "CITATION.cff", "docs/teach-from-it.md", "dev/paper/paper.md")


@pytest.mark.parametrize("page", SAY_THE_LICENCES)
def test_each_page_says_the_same_of_the_licences(page: str) -> None:
    """One sentence, and no page has another for the whole."""
    text = re.sub(r"\s+", " ", (ROOT / page).read_text(encoding="utf-8"))
    assert LICENCES in text


def test_metadata_and_texts_have_each_licence() -> None:
    """The expression names the three, and a text of each is among the files of licences."""
    assert PROJECT["license"].split(" AND ") == ["MIT", "CC-BY-4.0", "PSF-2.0"]
    texts = {
        file: (ROOT / file).read_text(encoding="utf-8")[:400] for file in PROJECT["license-files"]
    }
    assert texts.keys() >= _texts_of_licences()
    assert {file for file, text in texts.items() if "MIT License" in text} == {"LICENSE"}
    by = {file for file, text in texts.items() if text.startswith("Attribution 4.0 International")}
    assert by == {"notebooks/LICENSE", "irmetrics_edu/diagnosis/conformance/LICENSE"}
    (psf,) = texts.keys() - by - {"LICENSE"}
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in texts[psf]


def _texts_of_licences() -> set[str]:
    """Every licence in what is packed into a wheel, and beside it."""
    folders = (ROOT, ROOT / "notebooks", *(ROOT / "irmetrics_edu").rglob("*/"))
    found = {path for folder in folders for path in folder.glob("*LICENSE*") if path.is_file()}
    return {path.relative_to(ROOT).as_posix() for path in found}


def test_the_vectors_are_cited_under_their_own_licence() -> None:
    """They are a release of their own, under CC BY 4.0 alone."""
    cited = (ROOT / "irmetrics_edu/diagnosis/conformance/CITATION.cff").read_text(encoding="utf-8")
    assert yaml.safe_load(cited)["license"] == "CC-BY-4.0"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_asks_in_fields_that_it_names_once(form: Path) -> None:
    """Each form has what its format asks for, and every field an id and a label."""
    text = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(text)
    names = [field["id"] for field in text["body"]]
    assert len(set(names)) == len(names)
    assert all(field["type"] in {"input", "textarea"} for field in text["body"])
    assert all(field["attributes"]["label"] for field in text["body"])


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/decisions.md", "dev/guides.md"])
def test_a_file_that_contributors_are_sent_to_is_there(page: str) -> None:
    """From the root or from the package; a name with capitals stands for any."""
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_./-]+/[a-z_.-]+\.(?:py|toml|md|txt|mjs|js))`", text))
    assert len(named) > 5
    assert [
        n for n in named if not any((ROOT / b / n).exists() for b in ("", "irmetrics_edu"))
    ] == []


def test_a_page_links_no_page_that_the_folder_has_not() -> None:
    """Pages are read in the folder, too, where what only the site has would be a dead link."""
    dead = []
    for page in (ROOT / "docs").glob("*.md"):
        text = re.sub(r"`[^`\n]*`", "", page.read_text(encoding="utf-8"))
        targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
        dead += [f"{page.name}: {t}" for t in targets if not (page.parent / t).exists()]
    assert dead == []


def test_contributing_is_short_and_links_the_decisions() -> None:
    """Ten minutes of reading; whoever looks for decisions there finds where they are."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert len(text.split()) < 1400
    assert "](docs/decisions.md)" in text.partition("\n## Decisions\n")[2]


def test_there_are_forms() -> None:
    """A number, a metric and a lesson have a form each."""
    assert {form.stem for form in FORMS} == {"number", "metric", "lesson"}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda workflow: workflow.stem)
def test_a_workflow_runs_targets_of_make_alone(workflow: Path) -> None:
    """What a workflow does can be done by hand; an action is a commit, with its version beside."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)
    suites = (ROOT / "dev" / "suites.mk").read_text(encoding="utf-8")
    text = workflow.read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    for job in jobs.values():
        if "uses" in job:
            assert (ROOT / job["uses"]).is_file(), job
    steps = [step for job in jobs.values() for step in job.get("steps", ())]
    for step in steps:
        if "run" in step:
            # The name of a branch or a tag may hold what a shell runs: it comes as a variable.
            assert not re.search(r"github\.|steps\.|inputs\.", step["run"]), step
            make, target, *words = step["run"].split()
            assert make == "make", step
            assert target in targets, step
            suite = words[0] if target == "suite" else ""
            assert not suite or f"\nsuite-{suite.removeprefix('SUITE=')}:" in suites, step
        else:
            assert re.search(r"@[0-9a-f]{40}$", step["uses"]), step
            assert re.search(re.escape(step["uses"]) + r" # v\d+\.\d+\.\d+\n", text), step


def test_a_release_waits_for_all_tests() -> None:
    """What runs on a push runs before anything is built of a tag."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    assert jobs["tests"]["uses"] == "./.github/workflows/ci.yml"
    assert jobs["build"]["needs"] == "tests"
    assert jobs["publish"]["needs"] == "build"
    # `on` is read as the truth value of YAML 1.1.
    called = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text("utf-8"))[True]
    assert "workflow_call" in called


def test_a_tag_is_an_argument_and_nothing_that_a_shell_runs() -> None:
    """The name of a tag may hold what a shell would run."""
    told = {**os.environ, "TAG": "v1;$(danger)`danger`"}
    done = subprocess.run(
        ["make", "-n", "release"], cwd=ROOT, env=told, capture_output=True, text=True, check=True
    )
    assert '${TAG:+--tag "$TAG"}' in done.stdout
    assert "danger" not in done.stdout


@pytest.mark.parametrize("page", ["docs/gates-in-ci.md", "dev/ci/README.md"])
def test_pages_name_the_action_of_this_version(page: str) -> None:
    """A branch moves under those who use it; a tag stays."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert re.findall(r"irmetrics-edu/dev/ci@([\w.]+)", text) == [f"v{__version__}"]


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


def _repository(folder: Path, home: str = "", page: str = "") -> Path:
    """A repository with one commit, as far as a release looks at it before it builds."""
    (folder / "docs").mkdir()
    (folder / "README.md").write_text("# x\n", encoding="utf-8")
    (folder / "docs" / "page.md").write_text(f"# y\n\n{page}\n", encoding="utf-8")
    (folder / "pyproject.toml").write_text(
        f'[tool.hatch.metadata.hooks.custom]\nhome = "{home}"\n', encoding="utf-8"
    )
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        release.run(*git, *command, cwd=folder)
    return folder


HOME = "https://example.org/owner/name/blob/main/"


@pytest.mark.parametrize("file", ["secret.env", "docs/mine.md", "README.md"])
def test_a_release_of_what_is_not_committed_is_refused(tmp_path: Path, file: str) -> None:
    """A file that lies about, in a folder of the package or beside it, and a changed one."""
    folder = _repository(tmp_path)
    release.refuse_changes(folder)
    (folder / file).write_text("TOKEN=secret\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"not what the last commit holds:\n.*{re.escape(file)}"):
        release.refuse_changes(folder)


def test_a_release_without_a_home_is_refused(tmp_path: Path) -> None:
    """The page on an index would have dead links, and can't be edited after the upload."""
    with pytest.raises(InputError, match=r'home = "" in pyproject\.toml'):
        release.refuse_what_an_index_would_show_wrong(_repository(tmp_path))


@pytest.mark.parametrize(
    "page",
    [
        "$ pip install .     # in a clone; an index has no release yet",
        "It is on no package index yet, so pip takes it from a folder.",
        "The package is [on no index yet](installation.md).",
        "The package is on no\npackage index yet.",
    ],
)
def test_a_release_that_says_that_there_is_none_is_refused(tmp_path: Path, page: str) -> None:
    """The words are named with their line, also where a line breaks within them."""
    with pytest.raises(InputError, match=r"docs/page\.md:3: "):
        release.refuse_what_an_index_would_show_wrong(_repository(tmp_path, HOME, page))


def test_a_release_with_a_home_and_right_words_goes_on(tmp_path: Path) -> None:
    """What an index has is no reason to stop."""
    page = "Install it from the index: pip install x. An index of terms has no page yet."
    release.refuse_what_an_index_would_show_wrong(_repository(tmp_path, HOME, page))


def test_pythons_that_are_missing_stop_a_release_with_a_tag(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without a tag they are named, and none at all stops any release."""
    some = list(release.PYTHONS[:-1])
    with pytest.raises(InputError, match=f"{release.PYTHONS[-1]}: not found"):
        release.refuse_missing_pythons(some, tagged=True)
    release.refuse_missing_pythons(some, tagged=False)
    assert f"not tried: {release.PYTHONS[-1]}" in capsys.readouterr().out
    release.refuse_missing_pythons(list(release.PYTHONS), tagged=True)
    with pytest.raises(InputError, match="none of"):
        release.refuse_missing_pythons([], tagged=False)


def test_a_release_is_built_of_what_is_tracked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that git ignores is no part of it either; a rehearsal has a home of its own."""
    repository = tmp_path / "repository"
    repository.mkdir()
    folder = _repository(repository)
    (folder / "secret.env").write_text("TOKEN=secret\n", encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", folder)
    place = tmp_path / "unpacked"
    place.mkdir()
    unpacked = release.committed(place, home=HOME)
    held = {p.relative_to(unpacked).as_posix() for p in unpacked.rglob("*") if p.is_file()}
    assert held == {"README.md", "docs/page.md", "pyproject.toml"}
    assert release.home_of(unpacked) == HOME
    assert release.home_of(folder) == ""


def test_a_rehearsal_has_no_tag(tmp_path: Path) -> None:
    """What is made with a made-up home is never the release."""
    with pytest.raises(InputError, match="a rehearsal has no tag"):
        release.main([str(tmp_path), "--rehearse", "--tag", f"v{__version__}"])


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
    assert 750 < len(body.split()) < 1750  # what the journal admits
    import_all()
    (counted,) = re.findall(r"more than (\d+) measures", body)
    assert len(METRICS) - 20 < int(counted) < len(METRICS)
    assert len(list((ROOT / "notebooks").glob("*.py"))) > 20


# The sections that the Journal of Open Source Software asks for, in its order.
SECTIONS = (
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "AI usage disclosure",
    "Acknowledgements",
    "References",
)
PAPER = ROOT / "dev" / "paper" / "paper.md"


def test_the_paper_has_the_sections_that_are_asked_for() -> None:
    """Each of them has text, and what only its authors know is marked for them."""
    text = PAPER.read_text(encoding="utf-8")
    parts = dict(
        part.partition("\n")[::2] for part in re.split(r"^# ", text, flags=re.MULTILINE)[1:]
    )
    assert [name for name in parts if name in SECTIONS] == list(SECTIONS)
    assert [name for name, said in parts.items() if not said.strip()] == ["References"]
    for name in ("AI usage disclosure", "Acknowledgements"):
        assert re.search(r"\*The authors name here, on submission, [^*]+\*", parts[name])


def test_each_number_of_the_paper_is_measured() -> None:
    """Libraries, how they are known, times, scores and defects: as the repository has them."""
    body = re.sub(r"\s+", " ", PAPER.read_text(encoding="utf-8").split("---", 2)[2])
    known = Counter(bundle.known for bundle in BUNDLES.values())
    assert f"describes {len(BUNDLES)} libraries" in body
    assert f"For {known['measured']} of them the libraries computed" in body
    assert f"the other {known['read']} were read in the source" in body
    found = front.of_search()
    ratio = {name: cells[2] for name, cells in found.items()}
    assert f"five means took {found['irmetrics-edu'][0]} of processor time" in body
    assert (
        f"pytrec_eval took {ratio['pytrec-eval-terrier']} times as long in the same run, "
        f"ir-measures {ratio['ir-measures']} times, ranx {ratio['ranx']} times, and scikit-learn "
        f"{ratio['scikit-learn']} times for nDCG alone"
    ) in body
    small = {name: float(cells[0].split()[0]) for name, cells in front.of_one_call().items()}
    assert small["pytrec-eval-terrier"] < small["irmetrics-edu"] < small["scikit-learn"]
    assert small["irmetrics-edu"] < small["ranx"]
    ours, theirs = (front.score(name) for name in ("trec_eval", "sklearn"))
    assert f"nDCG is {ours:.4f} by trec_eval, ir-measures and ranx, and {theirs:.4f} by" in body
    assert {f"{front.score(name):.4f}" for name in ("ir_measures", "ranx")} == {f"{ours:.4f}"}
    defects = list((ROOT / "dev" / "defects").glob("*/show.py"))
    assert f"{len(defects)} defects of other libraries" in body
    numbers = set(re.findall(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.@])\d(?![\w.])", body))
    assert numbers <= CHECKED_NUMBERS | {
        f"{len(defects)}",
        found["irmetrics-edu"][0].split()[0],
    } | (set(ratio.values()) | {f"{ours:.4f}", f"{theirs:.4f}", str(len(BUNDLES))}) | set(
        map(str, known.values())
    )


# Numbers of the paper that another test or the text around them holds: the size of the benchmark,
# counts that are tested above, versions and licences.
CHECKED_NUMBERS = {"2", "60", "20", "7,000", "1,000", "3.11", "4.0", "2.0", "10", "1"}


# A folder that git emptied may stay for the sake of what Python compiled.
FOLDERS = sorted(
    folder
    for folder in (ROOT / "dev").iterdir()
    if any(path.is_file() and path.suffix != ".pyc" for path in folder.rglob("*"))
)
GUIDES = [*(ROOT / "dev").glob("*.md"), *(ROOT / "dev").glob("*/README.md")]


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
    if page.name == "README.md" and page.parent != ROOT:  # dist/ is made by the release
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
    (counted,) = re.findall(r"More than (\d+) measures", first)
    assert 60 <= int(counted) < len(METRICS)
    assert f"[about {round(len(BUNDLES), -1)} libraries]" in first
    (public,) = re.findall(r"\[(\d+ public threads)\]", first)
    assert public in threads
    for folder, what in (("notebooks", "chapters"), ("exercises", "exercises")):
        number = len(list((ROOT / folder).glob("*.ipynb")))
        assert f"ore than {number // 10 * 10} {what}" in first
    commands = set(re.findall(r"`([a-z][a-z-]*)(?: [a-z]+)?`", first))
    assert commands - {"irmetrics_edu"} <= set(COMMANDS)


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ("- `HitRate` is a new measure.", True),
        ("- New: HitRate.", False),
        ("- `HitRate@5` has a name of its own.", True),
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


def test_changes_that_do_nothing_are_named_once_each_with_a_reason() -> None:
    """What `make mutants` leaves out; an entry of a file that is gone says nothing any more."""
    folder = ROOT / "tests" / "mutants"
    named = []
    for file in ("equivalent.toml", "vectors_equivalent.toml"):
        entries = tomllib.loads((folder / file).read_text(encoding="utf-8"))["equivalent"]
        for entry in entries:
            assert re.fullmatch(r"[A-Z`].*[.)]", entry["reason"]), entry
            named += entry.get("changes", [entry.get("change")])
    assert len(set(named)) == len(named)
    for change in named:
        assert (ROOT / change.partition(" ")[0]).exists(), change
