"""Files, packed ones and pipes as streams: bounds, errors and who is told, by tables."""

import bz2
import gzip
import io
import lzma
import zlib

import pytest

from irmetrics_edu.checks import limits
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import files, rank_columns
from irmetrics_edu.reading.files import Bounded, DamagedArchiveError, File
from irmetrics_edu.reading.provenance import InputFile, now, provenance, versions_of
from tests.tables import rows as each_row

TEXT = b"q1 Q0 a 1 1 t\n" * 50
PACK = {"": bytes, "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


def put(folder, name, held):
    """A file with these bytes."""
    (folder / name).write_bytes(held)
    return File(folder / name)


@each_row("how", [*PACK])
def test_a_packed_file_is_read_as_what_it_holds(tmp_path, how):
    """Whatever its name; its first bytes, all of them, and in parts."""
    packed = PACK[how](TEXT)
    file = put(tmp_path, "run", packed)
    assert (file.packing, file.size, file.is_pipe) == (how, len(packed), False)
    assert file.head == TEXT
    assert files.contents(file) == TEXT
    with files.opened(file) as stream:
        parts = []
        while part := files.read(stream, 7, file):
            parts.append(part)
    assert b"".join(parts) == TEXT
    assert max(map(len, parts)) <= 7
    marked = put(tmp_path, "marked", PACK[how](b"\xef\xbb\xbf" + TEXT))
    assert marked.head == files.contents(marked) == TEXT
    with file.bare() as stream:
        assert stream.read() == packed


def test_no_more_than_the_head_is_looked_at(tmp_path):
    """Of a longer file its first 65,536 bytes."""
    long = bytes(range(1, 256)) * 1000
    assert put(tmp_path, "long", long).head == long[:65_536]
    broken = gzip.compress(long)[:-9]
    file = put(tmp_path, "broken", broken[:30])
    assert file.head == b""
    with pytest.raises(DamagedArchiveError, match=r"broken: the packed file is damaged: "):
        files.contents(file)


@each_row(
    ("ratio", "free", "read", "is_refused"),
    [(2, 10, 10, False), (2, 10, 11, True), (2, 10, 20, True), (5, 10, 20, False),
     (5, 10, 21, True), (100, 0, 400, False), (100, 0, 401, True)],
)  # fmt: skip
def test_what_is_unpacked_is_bounded(ratio, free, read, is_refused, monkeypatch):
    """By a size that anything may have, or by so many times the bytes that were read."""
    monkeypatch.setattr(files, "FREE", free)
    bare = io.BytesIO(b"1234")
    bare.seek(4)
    for size in (-1, read, 3):
        bounded = Bounded(io.BytesIO(b"x" * read), bare, "f", ratio)
        monkeypatch.setattr(files, "FREE", free or 1)
        if not is_refused:
            given = b""
            while part := bounded.read(size):
                given += part
            assert given == b"x" * read
            continue
        with pytest.raises(InputError, match=f"f: unpacked it is more than {ratio} times its size"):
            [*iter(lambda: bounded.read(size), b"")]  # noqa: B023 -- called at once


class Failing(io.BytesIO):
    """A stream that fails."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def read(self, *_):
        """Fail."""
        raise self.error


ZSTD, XZ = type("ZstdError", (Exception,), {}), type("LZMAError", (Exception,), {})


@each_row("line", [None, 3])
@each_row("error", [OSError(5, "odd"), EOFError("odd"), zlib.error("odd"), ZSTD("odd"), XZ("odd")])
def test_a_stream_that_fails_is_told_by_its_file_and_line(tmp_path, line, error):
    """A packed one is damaged; another can't be read."""
    where = ", line 3" if line else ""
    plain, packed = put(tmp_path, "plain", TEXT), put(tmp_path, "packed", gzip.compress(TEXT))
    with pytest.raises(InputError, match=rf"plain{where}: it can't be read: odd$") as refused:
        files.read(Failing(error), 5, plain, line)
    assert not isinstance(refused.value, DamagedArchiveError)
    with pytest.raises(DamagedArchiveError, match=rf"packed{where}: the packed file is damaged: "):
        files.read(Failing(error), 5, packed, line)


def test_an_error_of_our_own_goes_on(tmp_path):
    """And any other that is no reader's."""
    for error in (InputError("ours"), KeyError("odd")):
        with pytest.raises(type(error)):
            files.read(Failing(error), 5, put(tmp_path, "f", gzip.compress(TEXT)))


def test_whoever_watches_is_told_how_far_a_file_is_read(tmp_path):
    """By the bytes as they are packed, and not of a first look."""
    for name, held in (("plain", TEXT), ("packed", gzip.compress(TEXT))):
        file = put(tmp_path, name, held)
        told = []
        with files.watched(lambda *now: told.append(now)):  # noqa: B023 -- called at once
            assert file.head == TEXT
            assert told == []
            files.contents(file)
        assert told[-1] == (file.path, len(held), len(held))
        assert {(path, size) for path, _, size in told} == {(file.path, len(held))}
        count = len(told)
        files.contents(file)
        assert len(told) == count


@each_row(
    ("name", "says"),
    [("none", "none: the file does not exist"), ("", "is a folder; give a file"),
     ("a\0b", "embedded null"), ("x" * 300, "File name too long")],
)  # fmt: skip
def test_what_is_no_file_is_refused(tmp_path, name, says):
    """By its name."""
    with pytest.raises(InputError, match=says):
        File(f"{tmp_path}/{name}")


def test_a_path_is_made_a_file_once(tmp_path):
    """Anything else stays as it is."""
    (tmp_path / "f").write_bytes(TEXT)
    made = files.as_file(tmp_path / "f")
    assert isinstance(made, File)
    assert files.as_file(str(tmp_path / "f")).path == made.path
    assert files.as_file(made) is made
    held = {"q": 1}
    assert files.as_file(held) is held
    assert str(made) == made.__fspath__() == f"{tmp_path}/f"
    assert repr(made) == f"File('{tmp_path}/f')"


@each_row(
    ("how", "says"),
    [("zip", "f is a zip archive"), ("lz4", "packed by lz4.*unlz4 f$"), ("7z", "7z x f$"),
     ("rar", "unrar x f$")],
)  # fmt: skip
def test_archives_that_are_not_read_are_named(how, says):
    """With what unpacks them."""
    with pytest.raises(InputError, match=says):
        files.unpacked(io.BytesIO(), how, "a/f" if how != "zip" else "f")


@each_row(
    ("name", "bare"),
    [("Run.JSON.gz", "run.json"), ("a.gz.gz", "a.gz"), ("a.zst", "a"), ("a.zstd", "a"),
     ("a.bz2", "a"), ("a.xz", "a"), ("a.gzip", "a"), ("a.csv", "a.csv"), ("gz", "gz")],
)  # fmt: skip
def test_the_ending_of_a_packed_file_is_left_out(name, bare):
    """Once, in lower case."""
    assert files.bare_name(name) == bare


def test_a_limit_of_the_ratio_holds_from_when_the_file_was_given(tmp_path, monkeypatch):
    """Also if another holds when it is read."""
    monkeypatch.setattr(files, "FREE", 1)
    path = tmp_path / "f.gz"
    path.write_bytes(gzip.compress(b"x" * 100_000))
    with limits(max_ratio=10):
        strict = File(path)
    with limits(max_ratio=10_000):
        large = File(path)
    assert len(files.contents(large)) == 100_000
    with pytest.raises(InputError, match="more than 10 times its size"):
        files.contents(strict)


def test_a_result_says_where_it_comes_from(tmp_path, monkeypatch):
    """Each file once, with its bytes; a build may set the date."""
    import hashlib

    file = put(tmp_path, "f", TEXT)
    digest = hashlib.sha256(TEXT).hexdigest()
    assert InputFile.of(file) == InputFile(str(file), len(TEXT), digest)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert now() == "1970-01-02 00:00 UTC"
    made = provenance(["evaluate", "a b"], [file, file])
    assert made.date == "1970-01-02 00:00 UTC"
    assert made.command == "irmetrics-edu evaluate 'a b'"
    assert [one.name for one in made.inputs] == [str(file)]
    assert made.facts()["inputs"] == [{"file": str(file), "bytes": len(TEXT), "sha256": digest}]
    assert made.lines()[1:] == [
        "command: irmetrics-edu evaluate 'a b'",
        f"read {file}: {len(TEXT)} bytes, SHA-256 {digest}",
    ]
    for odd in ("", "x", "-1"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", odd)
        assert not now().startswith("1970")
    found = versions_of(["numpy", "no-such-package-of-anybody", "scipy"])
    assert [*found] == ["Python", "numpy", "scipy"]


def test_two_pairs_are_enough_to_say_that_ranks_run_against_scores():
    """Of a line the first five fields are looked at."""
    assert rank_columns.told_of_hits([]) == {}
    assert (rank_columns._FEWEST, rank_columns._FIELDS) == (2, 5)
