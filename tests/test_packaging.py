"""What the package promises an installer: requirements, extras, pinned files, a whole wheel."""

import json
import os
import re
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hatchling.build import build_wheel
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from dev.hatch_build import Home
from dev.tools.release import LARGEST, at_run_time
from irmetrics_edu import __version__
from irmetrics_edu.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
USER_EXTRAS = {"gate", "frames", "plot", "lab", "course"}
CLUSTER_EXTRAS = {"dask", "spark"}  # installed where a cluster is, not by `all`
PIN = re.compile(
    r"(?P<name>[a-z0-9-]+)==(?P<version>[^ ;]+)"
    r"(?: ; (?P<marker>[^\\]+?))?"
    r"(?P<hashes>(?: --hash=sha256:[0-9a-f]{64})+)"
)
# Read as dependencies: what has to be pinned for each file.
BUILD = PYPROJECT["dependency-groups"]["build"]
PINNED = {"run-time.txt": [], "dev.txt": ["dev"], "lowest.txt": ["dev"], "spark.txt": ["spark"]}


def expand(requirements: list[str]) -> Iterator[Requirement]:
    """The requirements, with each reference to an extra of our own replaced by what it holds."""
    for text in requirements:
        requirement = Requirement(text)
        if canonicalize_name(requirement.name) == PROJECT["name"]:
            for extra in requirement.extras:
                yield from expand(EXTRAS[extra])
        else:
            yield requirement


def names(requirements: list[str]) -> set[str]:
    """The distributions that the requirements come down to."""
    return {canonicalize_name(requirement.name) for requirement in expand(requirements)}


def read_pins(text: str) -> dict[str, set[str]]:
    """Each pinned distribution and its versions (one for each platform or Python that differs)."""
    if match := re.search(r"://|@|^\s*-(?!-hash=)\S*", text, flags=re.MULTILINE):
        pytest.fail(f"a pinned file names no address and sets no option: {match[0]!r}")
    pins: dict[str, set[str]] = {}
    for line in text.replace("\\\n", " ").splitlines():
        match = PIN.fullmatch(re.sub(r" +", " ", line.strip()))
        if match is None:
            pytest.fail(f"not a name, a version and sha256 hashes: {line.strip()[:100]!r}")
        pins.setdefault(canonicalize_name(match["name"]), set()).add(match["version"])
    return pins


def pins_of(file: str) -> dict[str, set[str]]:
    """The pins of one of our files."""
    return read_pins((ROOT / "dev" / "constraints" / file).read_text(encoding="utf-8"))


def test_run_time_requirements_are_numpy_and_rich() -> None:
    """Using the package takes numpy and rich, and nothing else."""
    assert names(PROJECT["dependencies"]) == {"numpy", "rich"}


def test_the_extras_are_those_promised() -> None:
    """Every extra for users exists, with `all`, `site` and `dev` beside them."""
    assert set(EXTRAS) == USER_EXTRAS | CLUSTER_EXTRAS | {"all", "site", "dev"}
    assert names(EXTRAS["plot"]) == {"matplotlib"}
    assert names(EXTRAS["gate"]) == {"latex2mathml", "pytest", "scipy"}
    assert names(EXTRAS["frames"]) == {"narwhals", "pyarrow"}
    assert names(EXTRAS["course"]) >= {
        "ipywidgets",
        "jupyter",
        "matplotlib",
        "nbclient",
        "nbformat",
    }


def test_all_holds_every_extra_for_users_and_dev_holds_all() -> None:
    """`all` is the union of the extras for users, and `dev` has no less."""
    union = set().union(*(names(EXTRAS[extra]) for extra in USER_EXTRAS))
    assert names(EXTRAS["all"]) == union
    assert names(EXTRAS["dev"]) > union


def test_what_a_cluster_needs_is_asked_for_by_itself() -> None:
    """Neither engine comes with `all`; Dask is in `dev`, and Spark, for its size, is not."""
    assert not names(EXTRAS["all"]) & {"dask", "distributed", "pyspark"}
    assert names(EXTRAS["dev"]) >= {"dask", "distributed"}
    assert "pyspark" not in names(EXTRAS["dev"])
    assert "pyspark" in names(EXTRAS["spark"])


def test_one_requirement_is_stated_alike_in_every_extra() -> None:
    """A library that several extras need is needed in the same versions by each."""
    stated: dict[str, set[str]] = {}
    for requirements in (*EXTRAS.values(), PROJECT["dependencies"], BUILD):
        for requirement in expand(requirements):
            stated.setdefault(requirement.name, set()).add(str(requirement.specifier))
    assert {name: kinds for name, kinds in stated.items() if len(kinds) > 1} == {}
    assert PYPROJECT["build-system"]["requires"] == BUILD


def test_the_page_on_installation_has_every_extra() -> None:
    """Each extra has one row in the page's table, and no row names another."""
    page = (ROOT / "docs" / "installation.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| .* \| `(\w+)` \|$", page, re.MULTILINE)) == sorted(EXTRAS)


def test_an_extra_named_in_the_text_exists() -> None:
    """Whatever the texts and messages tell people to install, can be installed."""
    files = [*ROOT.glob("*.md"), *(ROOT / "irmetrics_edu").rglob("*.py")]
    named = {
        extra.strip()
        for file in files
        for group in re.findall(r"irmetrics-edu\[([\w, -]+)\]", file.read_text(encoding="utf-8"))
        for extra in group.split(",")
    }
    assert named <= set(EXTRAS)


@pytest.mark.parametrize("file", sorted(PINNED))
def test_every_requirement_is_pinned_with_hashes_and_no_address(file: str) -> None:
    """A pinned file is names, versions and hashes, and admits what pyproject.toml asks for."""
    pins = pins_of(file)
    required = [*PROJECT["dependencies"], *BUILD]
    for extra in PINNED[file]:
        required += EXTRAS[extra]
    for requirement in expand(required):
        versions = pins.get(canonicalize_name(requirement.name), set())
        assert versions, f"{requirement} is not pinned in {file}: run `dev/constraints/pin`"
        for version in versions:
            assert requirement.specifier.contains(Version(version)), f"{requirement}, {version}"


def test_the_pinned_files_agree() -> None:
    """One environment can serve all: what two files pin, they pin alike; Spark adds itself."""
    development = pins_of("dev.txt")
    for name, versions in pins_of("run-time.txt").items():
        assert development.get(name) == versions, name
    spark = pins_of("spark.txt")
    assert {name for name in spark if spark[name] != development.get(name)} == {"pyspark", "py4j"}


def test_the_lowest_versions_are_those_that_are_stated() -> None:
    """lowest.txt has what the package and its extras admit at the least; 1.11 may be 1.11.1."""
    pins = pins_of("lowest.txt")
    stated = [*PROJECT["dependencies"], *EXTRAS["all"], *EXTRAS["site"], *EXTRAS["dask"], *BUILD]
    for requirement in expand(stated):
        (bound,) = requirement.specifier
        assert bound.operator == ">=", requirement
        (pinned,) = map(Version, pins[canonicalize_name(requirement.name)])
        least = Version(bound.version).release
        assert pinned.release[: len(least)] == least, f"{requirement}, {pinned}"


GOOD = f"numpy==2.0.0 ; python_version < '3.12' \\\n    --hash=sha256:{'a' * 64}\n"


def test_a_good_pin_is_read() -> None:
    """A pin may depend on the platform; its hashes may be several."""
    assert read_pins(GOOD) == {"numpy": {"2.0.0"}}


@pytest.mark.parametrize(
    "bad",
    [
        "numpy==2.0.0\n",
        GOOD.replace("==", ">="),
        GOOD.replace("sha256", "md5"),
        "--index-url https://example.org/simple\n" + GOOD,
        "-i https://example.org/simple\n" + GOOD,
        "--find-links wheels\n" + GOOD,
        f"numpy @ file:///numpy.whl --hash=sha256:{'a' * 64}\n",
        "# from https://example.org\n" + GOOD,
    ],
    ids=["no hash", "range", "weak hash", "index", "short option", "links", "address", "comment"],
)
def test_a_bad_pin_is_caught(bad: str) -> None:
    """The check of the pinned files can fail."""
    with pytest.raises(pytest.fail.Exception):
        read_pins(bad)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """The wheel as it would be handed out."""
    folder = tmp_path_factory.mktemp("wheel")
    here = Path.cwd()
    os.chdir(ROOT)  # the build interface takes the project from the working folder
    try:
        name = build_wheel(str(folder))
    finally:
        os.chdir(here)
    with zipfile.ZipFile(folder / name) as archive:
        yield archive


def test_the_wheel_holds_the_package_whole_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    """Modules, worked examples and the typing marker are in the wheel; tests and caches are not."""
    package = ROOT / "irmetrics_edu"
    expected = {
        path.relative_to(ROOT).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    kit = {name for name in held if name.startswith("irmetrics_edu/course/kit/")}
    assert held - kit == expected
    assert "irmetrics_edu/py.typed" in held
    assert "irmetrics_edu/diagnosis/conformance/vectors.json" in held
    assert not [name for name in held if name.startswith("dev/")]
    documents = [name for name in held if re.fullmatch(r"\w+/course/documents/[^/]+\.toml", name)]
    assert len(documents) >= 5


def test_the_wheel_holds_the_course_without_outputs_and_solutions(wheel: zipfile.ZipFile) -> None:
    """Each tracked chapter and exercise, as before it is run, and the licence; no solution."""
    import nbformat  # which an environment lacks that asks for the pinned files alone

    place = "irmetrics_edu/course/kit/"
    held = {name.removeprefix(place) for name in wheel.namelist() if name.startswith(place)}
    expected = {"notebooks/LICENSE"}
    for folder in ("notebooks", "exercises"):
        for path in (ROOT / folder).rglob("*.ipynb"):
            if ".ipynb_checkpoints" not in path.parts:
                expected.add(path.relative_to(ROOT).as_posix())
    assert held == expected
    assert len(held) >= 45
    for name in held - {"notebooks/LICENSE"}:
        shipped = nbformat.reads(wheel.read(place + name).decode(), as_version=4)
        nbformat.validate(shipped)
        here = nbformat.read(ROOT / name, as_version=4)
        assert [cell.source for cell in shipped.cells] == [cell.source for cell in here.cells]
        assert [cell.metadata for cell in shipped.cells] == [cell.metadata for cell in here.cells]
        assert shipped.metadata == here.metadata
        ran = [cell for cell in shipped.cells if cell.get("outputs") or cell.get("execution_count")]
        assert ran == [], name


def test_a_release_may_be_as_large_as_the_wheel(wheel: zipfile.ZipFile) -> None:
    """What `make release` would refuse for its size is seen here first."""
    assert wheel.filename is not None
    assert Path(wheel.filename).stat().st_size <= LARGEST


def test_the_metadata_is_of_a_version_that_every_index_reads(wheel: zipfile.ZipFile) -> None:
    """2.4 is the first that states a licence as an expression."""
    (name,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    assert wheel.read(name).decode().startswith("Metadata-Version: 2.4\n")


def test_a_bill_of_materials_has_what_runs_and_no_tools() -> None:
    """What the package needs, and what that needs; neither pip nor the backend of the build."""
    needs = {"irmetrics-edu": ["numpy", "rich"], "rich": ["pygments"], "hatchling": ["pluggy"]}
    names = ["irmetrics-edu", "numpy", "rich", "pygments", "hatchling", "pluggy", "pip"]
    bill = {
        "components": [{"name": name, "bom-ref": name} for name in names],
        "dependencies": [{"ref": name, "dependsOn": needs.get(name, [])} for name in names],
    }
    kept = json.loads(at_run_time(json.dumps(bill)))
    assert [one["name"] for one in kept["components"]] == names[:4]
    assert [one["ref"] for one in kept["dependencies"]] == names[:4]
    bill["components"] = bill["components"][1:]
    with pytest.raises(InputError, match="lacks irmetrics-edu"):
        at_run_time(json.dumps(bill))


def test_the_wheel_states_licence_and_command(wheel: zipfile.ZipFile) -> None:
    """The wheel carries its licence and installs the command."""
    information = {
        name.partition(".dist-info/")[2]: wheel.read(name).decode()
        for name in wheel.namelist()
        if ".dist-info/" in name
    }
    assert "MIT License" in information["licenses/LICENSE"]
    psf = information["licenses/irmetrics_edu/course/collection/data/PSF-LICENSE.txt"]
    assert "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2" in psf
    assert "License-Expression: MIT AND CC-BY-4.0 AND PSF-2.0" in information["METADATA"]
    assert "irmetrics-edu = irmetrics_edu.cli:main" in information["entry_points.txt"]
    assert f"Version: {__version__}" in information["METADATA"]


def test_the_source_archive_is_made_of_what_is_tracked() -> None:
    """Each folder and file on top is named; what lies beside them is not packed by any build."""
    packed = PYPROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    here = {path.name for path in ROOT.iterdir()}
    if (ROOT / ".git").exists():
        listed = subprocess.run(
            ["git", "ls-files"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        here = {line.partition("/")[0] for line in listed.stdout.splitlines()}
    assert packed == [f"/{name}" for name in sorted(here - {"PKG-INFO"})]


def test_an_index_shows_no_link_that_leads_nowhere(wheel: zipfile.ZipFile) -> None:
    """Without a home the README's words are kept, and each link is the name of its file."""
    (name,) = (n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    shown = wheel.read(name).decode()
    assert "A pytest plugin" in shown or "pytest" in shown
    assert re.findall(r"\]\((?!https?:|#)[^)]*\)", shown) == []
    assert "Project-URL" not in shown
    assert "Install it (docs/installation.md)" in shown


def test_with_a_home_links_and_addresses_are_whole(tmp_path: Path) -> None:
    """The day there is a home, one line of pyproject.toml makes every link absolute."""
    home = "https://example.org/irmetrics-edu/blob/main/"
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    given: dict[str, Any] = {}
    Home(str(tmp_path), {"home": home}).update(given)
    links = re.findall(r"\]\(([^)]*)\)", given["readme"]["text"])
    assert home.replace("blob", "raw") + "docs/failure.svg" in links
    assert all(link.startswith(("https://", "http://", "#")) for link in links)
    within = [link.removeprefix(home) for link in links if link.startswith(home)]
    assert len(within) >= 20
    assert all((ROOT / path.split("#")[0]).exists() for path in within)
    assert given["urls"]["Changelog"] == home + "docs/changelog.md"
    assert given["urls"]["Homepage"] == "https://example.org/irmetrics-edu"
    assert given["urls"]["Issues"] == "https://example.org/irmetrics-edu/issues"
    with pytest.raises(ValueError, match="write https"):
        Home(str(tmp_path), {"home": "example.org"}).update({})


def test_the_recipe_for_conda_asks_for_what_the_package_does() -> None:
    """Its requirements, program, licence and summary are those of pyproject.toml."""
    recipe = yaml.safe_load((ROOT / "dev" / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["package"]["name"] == PROJECT["name"]
    least = recipe["context"]["python_min"]
    assert f">={least}" == PROJECT["requires-python"]
    asked = [one.replace(" ", "") for one in recipe["requirements"]["run"]]
    assert asked == ["python>=${{python_min}}", *PROJECT["dependencies"]]
    assert recipe["requirements"]["host"][-1].replace(" ", "") in BUILD
    (program,) = recipe["build"]["python"]["entry_points"]
    assert dict([program.split(" = ")]) == PROJECT["scripts"]
    about = recipe["about"]
    assert (about["summary"], about["license"]) == (PROJECT["description"], PROJECT["license"])
    assert about["license_file"] == PROJECT["license-files"]
