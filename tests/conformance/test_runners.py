"""Programs in other languages that were written from the README alone pass every vector."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import irmetrics_edu.diagnosis.conformance
from dev.tools import waiting
from dev.tools.vectors.runner import measures_without_twin
from irmetrics_edu.cli import main
from irmetrics_edu.diagnosis.conformance import VERSION, export
from tests.site import chromium

RUNNERS = Path(irmetrics_edu.diagnosis.conformance.__file__).parent / "runners"
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
NODE = shutil.which("node")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The whole export."""
    target = tmp_path_factory.mktemp("export")
    export(target, flat=True)
    return target


def judged(path, capsys):
    """What `conformance check` says of a file of results."""
    assert main(["conformance", "check", str(path), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["failed"] == 0
    assert found["failures"] == []
    return found


def test_the_program_lists_what_it_computes():
    """All measures with vectors but those that wait; `dev/waiting.md` names these."""
    every = waiting.measures_with_vectors()
    lacking = measures_without_twin(every)
    named = waiting.page().partition("Measures in JavaScript")[2].partition("Names of terms")[0]
    assert [line[3:-1] for line in named.splitlines() if line.startswith("- `")] == lacking
    assert measures_without_twin(["no measure", "nDCG"]) == ["no measure"]


def passes_what_it_claims(path, found):
    """Whether a program claims all measures but those that wait, and every case of these passes."""
    claims = json.loads(path.read_text(encoding="utf-8"))["claims"]
    every = waiting.measures_with_vectors()
    assert sorted(claims) == sorted(set(every) - set(measures_without_twin(every)))
    for measure in claims:
        counts = found["measures"][measure]
        assert counts["passed"] == counts["cases"], measure


@pytest.mark.skipif(NODE is None, reason="node is not installed: apt-get install nodejs")
def test_javascript_in_node(folder, tmp_path, capsys):
    """All measures that it lists, each case."""
    path = tmp_path / "results.json"
    subprocess.run([NODE, RUNNERS / "run.mjs", folder, path], check=True, timeout=100)
    passes_what_it_claims(path, judged(path, capsys))


def turned_round(value):
    """The same JSON with the keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: turned_round(value[key]) for key in reversed(value)}
    return [turned_round(item) for item in value] if isinstance(value, list) else value


@pytest.mark.skipif(NODE is None, reason="node is not installed: apt-get install nodejs")
def test_the_order_of_keys_never_counts(folder, tmp_path, capsys):
    """All files with all keys turned round give the same values."""
    for path in folder.glob("*.json"):
        found = json.loads(path.read_text(encoding="utf-8"))
        (tmp_path / path.name).write_text(json.dumps(turned_round(found)), encoding="utf-8")
    path = tmp_path / "found.json"
    subprocess.run([NODE, RUNNERS / "run.mjs", tmp_path, path], check=True, timeout=100)
    passes_what_it_claims(path, judged(path, capsys))


@pytest.mark.skipif(
    chromium.found() is None, reason="Chromium is not installed: apt-get install chromium"
)
def test_javascript_in_a_browser(folder, tmp_path, capsys):
    """The same module, imported by a page; nothing is asked of the network."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    vectors = [file for file in files if file.get("format") == "irmetrics-edu/vectors"]
    source = (RUNNERS / "metrics.mjs").read_text(encoding="utf-8")
    script = f"""(async () => {{
        const blob = new Blob([{json.dumps(source)}], {{type: "text/javascript"}});
        const module = await import(URL.createObjectURL(blob));
        const files = {json.dumps(vectors)};
        return JSON.stringify([
            files.map((file) => file.metric).filter((name) => module.MEASURES.includes(name)),
            Object.assign({{}}, ...files.map(module.results)),
        ]);
    }})()"""
    with chromium.Chromium(chromium.found(), tmp_path / "profile") as browser:
        claims, values = json.loads(browser.evaluate(script))
        assert browser.seen.logged == []
    path = tmp_path / "results.json"
    path.write_text(
        json.dumps(
            {"format": "irmetrics-edu/results", "version": VERSION, "program": "metrics.mjs",
             "claims": claims, "results": values}
        ),
        encoding="utf-8",
    )  # fmt: skip
    passes_what_it_claims(path, judged(path, capsys))


@pytest.mark.skipif(COMPILER is None, reason="no C compiler is installed: apt-get install gcc")
def test_c(folder, tmp_path, capsys):
    """Without JSON, from the flat form: every measure that the program claims."""
    program = tmp_path / "metrics"
    command = [COMPILER, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-o", program]
    subprocess.run([*command, RUNNERS / "metrics.c", "-lm"], check=True, timeout=100)
    path = tmp_path / "results.json"
    with path.open("wb") as out:
        subprocess.run([program, folder], check=True, timeout=100, stdout=out)
    found = judged(path, capsys)
    claimed = json.loads(path.read_text(encoding="utf-8"))["claims"]
    assert {"nDCG", "DCG", "AP", "RR", "P", "R", "F", "RBP", "ERR", "bpref", "Q", "infAP", "Rprec",
            "alpha-nDCG", "IPrec", "interpolated-AP", "Success"} <= set(claimed)  # fmt: skip
    for measure in claimed:
        counts = found["measures"][measure]
        assert counts["passed"] == counts["cases"], measure


def test_the_version_of_the_runners():
    """They say the version of the vectors that they were written for."""
    assert f'\\"version\\": \\"{VERSION}\\"' in (RUNNERS / "metrics.c").read_text(encoding="utf-8")
