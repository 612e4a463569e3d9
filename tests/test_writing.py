"""Files are written whole or not at all, by one function."""

import ast
import errno
import json
import os
import re
import signal
import stat
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import irmetrics_edu
from irmetrics_edu import writing
from irmetrics_edu.errors import OutputError
from irmetrics_edu.gate.plugin import baseline_files
from irmetrics_edu.writing import write

PACKAGE = Path(irmetrics_edu.__file__).parent
unix = pytest.mark.skipif(sys.platform == "win32", reason="modes, limits and signals of Unix")


# What a process prints is held in a buffer, as for a user, whatever runs the tests.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


def child(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, in a folder; -B: a limited one would cut compiled files."""
    return subprocess.run(
        [sys.executable, "-B", "-c", textwrap.dedent(code)],
        cwd=folder, capture_output=True, text=True, check=False, timeout=60, env=BUFFERED,
    )  # fmt: skip


def test_text_and_bytes_are_written_as_they_are(tmp_path):
    """No translation of line ends; folders are made; a lone surrogate is shown as its escape."""
    write(tmp_path / "new" / "a.txt", "é\nα\r\n")
    assert (tmp_path / "new" / "a.txt").read_bytes() == b"\xc3\xa9\n\xce\xb1\r\n"
    write(str(tmp_path / "b"), b"\x00\xff")
    assert (tmp_path / "b").read_bytes() == b"\x00\xff"
    write(tmp_path / "c", "\udcff")
    assert (tmp_path / "c").read_bytes() == b"\\udcff"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b", "c", "new"]


@unix
def test_a_file_that_exists_keeps_its_mode_and_its_links(tmp_path):
    """A new file gets the mode that the umask leaves, as any other file does."""
    target, link = tmp_path / "target", tmp_path / "link"
    write(target, "old")
    plain = tmp_path / "plain"
    plain.write_text("", encoding="utf-8")
    assert target.stat().st_mode == plain.stat().st_mode
    target.chmod(0o640)
    link.symlink_to("target")
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


LIMITED = """
    import resource
    from irmetrics_edu.writing import write
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    try:
        write("target", "x" * 100_000)
    except OSError as error:
        print(error)
"""
KILLED = """
    import os
    from irmetrics_edu.writing import write
    os.fsync = lambda _: os.kill(os.getpid(), {number})
    write("target", "x" * 100_000)
"""


@unix
@pytest.mark.parametrize("old", ["what was there", None])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, old):
    """The error names the file, and nothing is left beside it."""
    if old is not None:
        (tmp_path / "target").write_text(old, encoding="utf-8")
    done = child(LIMITED, tmp_path)
    assert done.stdout == "can't write target: file too large\n"
    assert [p.read_text(encoding="utf-8") for p in tmp_path.iterdir()] == ([old] if old else [])


@unix
def test_a_kill_leaves_the_file_as_it_was(tmp_path):
    """When all is written but not yet in place; what stands beside is not taken for the file."""
    (tmp_path / "target").write_text("what was there", encoding="utf-8")
    done = child(KILLED.format(number=int(signal.SIGKILL)), tmp_path)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "target").read_text(encoding="utf-8") == "what was there"


@unix
def test_the_next_write_removes_what_a_killed_one_left(tmp_path):
    """But not the file of a process that is still writing, nor one with a name of another kind."""

    def left():
        return {path.name for path in tmp_path.glob(".irmetrics-*")}

    child(KILLED.format(number=int(signal.SIGKILL)), tmp_path)
    other = tmp_path / ".irmetrics-notes.tmp"
    other.touch()
    killed = left() - {other.name}
    code = "import os; from irmetrics_edu.writing import write; os.fsync = lambda _: input('at it')"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}; write('slow', 'whole')"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as slow:
        assert slow.stdout.read(5) == b"at it"
        writing = left() - {other.name}
        assert (len(killed), len(writing)) == (1, 1)  # the slow one has removed the killed one's
        write(tmp_path / "quick", "whole")
        assert left() - {other.name} == writing
        slow.communicate(b"\n")
    assert left() == {other.name}
    assert (tmp_path / "slow").read_text(encoding="utf-8") == "whole"


@unix
def test_a_file_that_is_removed_before_it_is_locked_is_made_again(tmp_path, monkeypatch):
    """Another process may take it for a remainder in the moment between."""
    lock, met = writing._lock, []

    def late(file, **options):
        if not met:
            met.append(file.name.unlink())
        return lock(file, **options)

    monkeypatch.setattr(writing, "_lock", late)
    write(tmp_path / "target", "whole")
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


@unix
def test_a_command_that_is_told_to_end_leaves_nothing_beside_the_file(tmp_path):
    """SIGTERM while the file is written: it is as it was, and the exit code says why."""
    (tmp_path / "target").write_text("what was there", encoding="utf-8")
    code = """
        import os, signal, sys
        from irmetrics_edu.views.output import ended
        from irmetrics_edu.writing import write
        os.fsync = lambda _: os.kill(os.getpid(), signal.SIGTERM)
        sys.exit(ended("it", lambda: write("target", "x" * 100_000) or 0))
    """
    assert child(code, tmp_path).returncode == 128 + signal.SIGTERM
    assert [p.read_text(encoding="utf-8") for p in tmp_path.iterdir()] == ["what was there"]


@unix
@pytest.mark.parametrize(
    ("path", "why"),
    [
        (".", "it is a folder"),
        ("/dev/full", "no space left on device"),
        ("file/below", "not a directory"),
        ("loop", "too many levels of symbolic links"),
        ("n" * 300, "file name too long"),
        ("zero\0byte", "its name holds a zero byte"),
        ("read-only", "it is read-only"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path, monkeypatch, path, why):
    """One error, an OSError, whose text is a sentence."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "read-only").touch(mode=0o444)
    if os.geteuid() == 0:  # whom no mode holds back
        monkeypatch.setattr(os, "access", lambda _path, _mode: path != "read-only")
    with pytest.raises(OutputError) as found:
        write(path, "text")
    assert str(found.value).startswith("can't write ")
    assert why in str(found.value)
    assert path in str(found.value) or "\0" in path
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "loop", "read-only"]


@unix
def test_a_pipe_and_a_standard_stream_are_written_to(tmp_path):
    """They can't be replaced; what is printed before and after keeps its place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    write(pipe, "through a pipe")
    reader.join(timeout=10)
    assert read == ["through a pipe"]
    code = (
        "print(1); from irmetrics_edu.writing import write; write('/dev/stdout', '2\\n'); print(3)"
    )
    assert child(code, tmp_path).stdout == "1\n2\n3\n"
    with (tmp_path / "out").open("w", encoding="utf-8") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True, env=BUFFERED)
    assert (tmp_path / "out").read_text(encoding="utf-8") == "1\n2\n3\n"


def test_one_process_waits_for_the_other(tmp_path):
    """While one holds the lock of a file, another waits; of another folder's file it does not."""
    path = tmp_path / "file"
    (tmp_path / "other").mkdir()
    entered = threading.Event()

    def enter() -> None:
        with writing.locked(path):
            entered.set()

    waiting = threading.Thread(target=enter)
    with writing.locked(path):
        waiting.start()
        assert not entered.wait(0.2)
        with writing.locked(tmp_path / "other" / "file"):
            pass
    assert entered.wait(10)
    waiting.join(timeout=10)


@unix
def test_processes_that_write_the_same_baselines_lose_none(tmp_path):
    """Each reads the file, adds its entry, and writes the file anew."""
    code = """
        import sys
        from irmetrics_edu.gate.plugin import baseline_files
        for i in range(20):
            baseline_files.write("b.json", {f"{sys.argv[1]} {i}": {"n": i}})
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    started = [subprocess.Popen([*command, str(n)], cwd=tmp_path) for n in range(3)]
    assert [process.wait(timeout=60) for process in started] == [0, 0, 0]
    assert len(baseline_files.read(tmp_path / "b.json")) == 60
    assert [p.name for p in tmp_path.iterdir()] == ["b.json"]


# -- nobody writes past it

# The function itself, and what writes to files of Linux's own, below /proc.
OTHERS = {"classroom/grading/confinement.py", "writing.py"}


NAMES = re.compile(r"open\(|unlink|savefig|write_text|write_bytes|to_csv|shutil\.|json\.dump\(")
COPIES = {"copy", "copyfile", "copytree", "move", "dump"}


def test_the_function_itself_writes_by_calls_that_faults_meet():
    """The suite of faults counts `os.write`, and sees nothing of what a file object writes."""
    tree = ast.parse((PACKAGE / "writing.py").read_text("utf-8"))
    called = {ast.unparse(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
    by_itself = {name for name in called if re.search(r"\.(write|write\w*|dump)$", name)}
    assert by_itself == {"os.write", "archive.writestr"}  # the archive is in memory


def writers(text: str) -> list[int]:
    """The lines in which a file is opened to be written, written to, or removed."""
    if not NAMES.search(text):
        return []
    return [n.lineno for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and writes(n)]


def writes(call: ast.Call) -> bool:
    """Whether a call writes a file by itself."""
    of = getattr(getattr(call.func, "value", None), "id", "")
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name == "open":
        place = 1 if isinstance(call.func, ast.Name) else 0
        modes = [k.value for k in call.keywords if k.arg == "mode"] + call.args[place : place + 1]
        return any(isinstance(m, ast.Constant) and set(str(m.value)) & set("wax+") for m in modes)
    if name == "savefig":  # in memory, its format has to be said
        return not any(k.arg == "format" for k in call.keywords)
    return name in {"write_text", "write_bytes", "to_csv", "unlink"} or (
        name in COPIES and of in {"shutil", "json"}
    )


def test_every_file_is_written_by_one_function():
    """No module opens a file to write to, but the one that does it for all."""
    found = {
        path.relative_to(PACKAGE).as_posix(): lines
        for path in sorted(PACKAGE.rglob("*.py"))
        if (lines := writers(path.read_text(encoding="utf-8")))
    }
    assert set(found) == OTHERS


@pytest.mark.parametrize(
    "line",
    [
        "Path('a').write_text('b')",
        "open('a', 'w')",
        "Path('a').open('ab')",
        "figure.savefig(path)",
        "shutil.copy(a, b)",
        "json.dump(a, file)",
        "Path('a').open(mode='x')",
        "Path('a').unlink()",
    ],
)
def test_the_check_can_fail(line):
    """Each way to write past the function is seen; reading and writing to memory are not."""
    assert writers(line) == [1]
    assert writers("open('a'); Path('b').open('rb'); figure.savefig(buffer, format='png')") == []


@unix
def test_commands_on_a_full_disk_name_the_file(tmp_path):
    """Exit code 2 and one sentence."""
    asked = {
        "vectors/": ["conformance", "export", "vectors"],
        "out.svg": ["evaluate", "qrels", "run", "--plot", "out.svg"],
    }
    (tmp_path / "qrels").write_text("q 0 a 1\n", encoding="utf-8")
    (tmp_path / "run").write_text("q Q0 a 1 1.0 t\n", encoding="utf-8")
    code = f"""
        import resource, sys
        import matplotlib.pyplot
        from irmetrics_edu.cli import main
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
        for arguments in {json.dumps([*asked.values()])}:
            print(main(arguments), file=sys.stderr)
    """
    done = child(code, tmp_path)
    lines = done.stderr.splitlines()
    assert lines[1::2] == ["2"] * len(asked), done.stderr
    for line, (name, arguments) in zip(lines[::2], asked.items(), strict=True):
        assert line.startswith(f"irmetrics-edu {arguments[0]}: can't write {name}")
    for path in tmp_path.rglob("*"):
        assert not path.name.endswith(".tmp")


@unix
def test_an_index_on_a_full_disk_is_named(tmp_path):
    """SQLite's own error says neither which file it is about nor what to do."""
    code = """
        import resource
        from irmetrics_edu.lab.efficiency.engines import Document
        from irmetrics_edu.lab.efficiency.engines import Fts5
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
        try:
            with Fts5("index") as engine:
                many = [Document(str(i), f"word{i} " * 100) for i in range(600)]
                engine.index(many, after=lambda _: None)
        except OSError as error:
            print(error)
    """
    assert child(code, tmp_path).stdout.startswith("can't write index: d")


def test_what_cannot_be_removed_is_named(tmp_path, monkeypatch):
    """With the reason; what is not there is no error."""
    writing.remove(tmp_path / "none")

    def full(*_path, **_options):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    (tmp_path / "old").write_text("x", encoding="utf-8")
    monkeypatch.setattr(Path, "unlink", full)
    with pytest.raises(OutputError, match=r"can't remove .*old: read-only file system"):
        writing.remove(tmp_path / "old")
    monkeypatch.undo()
    writing.remove(tmp_path / "old")
    assert list(tmp_path.iterdir()) == []
