"""Every result that is kept says when, how and from which files it was made."""

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.gate.plugin import session_report

FILES = {
    "q": "q1 0 a 1\nq2 0 b 1\n",
    "r": "q1 Q0 a 1 9 x\nq2 Q0 b 1 8 x\n",
    "s s": "q1 Q0 b 1 9 y\nq2 Q0 b 1 9 y\n",
    "w.csv": "query,weight\nq1,3\nq2,1\n",
}
COMMANDS = (
    ["evaluate", "q", "r", "-m", "RR", "--weights", "w.csv"],
    ["compare", "q", "r", "s s", "-m", "RR", "--weights", "w.csv"],
)


@pytest.fixture
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    for name, text in FILES.items():
        Path(name).write_text(text)


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints."""
    assert main(list(words)) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: str(words[0]))
@pytest.mark.parametrize("form", ["json", "markdown", "html"])
def test_a_result_says_where_it_comes_from(
    form: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The date, the versions, the command, and each file with its size and digest."""
    out = printed(capsys, *command, "--format", form)
    plain = re.sub(r"\\(.)", r"\1", out)  # of Markdown
    for what in ("1970-01-02 00:00 UTC", "numpy", "Python"):
        assert what in plain
    read = [name for name in FILES if name != "s s" or "s s" in command]
    for name in read:
        text = FILES[name]
        assert hashlib.sha256(text.encode()).hexdigest() in plain, name
        assert str(len(text)) in plain
    if form == "json":
        made = json.loads(out)["made"]
        assert sorted(one["file"] for one in made["inputs"]) == sorted(read)
        assert made["command"].split()[:3] == ["irmetrics-edu", command[0], "q"]
        assert ("'s s'" in made["command"]) == ("s s" in command)


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: str(words[0]))
@pytest.mark.parametrize("form", ["json", "markdown", "html", "table", "csv", "latex"])
def test_a_result_is_the_same_text_at_any_time(
    form: str,
    command: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the option, or in another format, nothing of time, place or machine is in it."""
    words = [*command, "--format", form, "--no-provenance"]
    first = printed(capsys, *words)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "99999999")
    monkeypatch.setattr("platform.python_version", lambda: "9.9.9")
    assert printed(capsys, *words) == first
    if form in ("table", "csv", "latex"):
        assert printed(capsys, *words[:-1]) == first
    else:
        assert "1973-03-03" in printed(capsys, *words[:-1])


@pytest.mark.usefixtures("_files")
def test_a_packed_file_is_told_by_its_own_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    """As `sha256sum` prints it."""
    packed = gzip.compress(FILES["r"].encode())
    Path("r.gz").write_bytes(packed)
    made = json.loads(printed(capsys, "evaluate", "q", "r.gz", "--format", "json"))["made"]
    assert made["inputs"][1] == {
        "file": "r.gz",
        "bytes": len(packed),
        "sha256": hashlib.sha256(packed).hexdigest(),
    }


@pytest.mark.usefixtures("_files")
def test_merged_reports_say_what_they_were_merged_of(capsys: pytest.CaptureFixture[str]) -> None:
    """The files of the shards with their digests; the option leaves sessions without dates."""
    shard: dict[str, Any] = {
        "format": session_report.FORMAT,
        "made": [{"title": "Shop", "date": "2020-01-01 00:00 UTC"}],
        "results": [],
        "stale_baselines": [],
    }
    Path("one.json").write_text(json.dumps(shard))
    names = ["all.json", "all.md", "all.html"]
    to = [word for name in names for word in ("--to", name)]
    printed(capsys, "report", "merge", "one.json", *to)
    digest = hashlib.sha256(Path("one.json").read_bytes()).hexdigest()
    for name in names:
        text = Path(name).read_text()
        assert digest in text
        assert "report merge one" in text
        assert "1970-01-02" in text
        assert "2020-01-01" in text
    printed(capsys, "report", "merge", "all.json", "--to", "again.json")
    assert digest in Path("again.json").read_text()
    printed(capsys, "report", "merge", "one.json", *to, "--no-provenance")
    for name in names:
        text = Path(name).read_text()
        assert "Shop" in text
        assert not re.search(r"\d\d:\d\d UTC|SHA-256", text)
