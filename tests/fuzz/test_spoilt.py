"""Files that somebody spoilt: each reader takes them or refuses them in a sentence."""

import bz2
import gzip
import json
import lzma
import random
import warnings
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import irmetrics_edu as im
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate.plugin import SUFFIXES, baseline_files
from irmetrics_edu.gate.plugin.baseline_diff import difference
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.records import objects
from irmetrics_edu.reading.texts import read_texts

RUN = "".join(f"q{i % 3} Q0 d{i} {i} {9 - i}.5 tag\n" for i in range(9))
QRELS = {f"q{i}": {f"d{i}": 1, f"d{i + 3}": 0} for i in range(3)}
BASELINES = {
    "format": baseline_files.FORMAT,
    "baselines": {
        "test_a.py::test_it": {
            "conventions": {"name": "trec_eval", "gain": "linear"},
            "judgments": "sha256:0",
            "means": {"AP": 0.5, "RR": 0.75},
            "queries": {"q1": [[0.25, 0.5], ["d1", "d2"]], "q2": [[0.75, 1.0], [3]]},
            "depth": 100,
            "whole": True,
            "lacked": ["q3"],
        }
    },
}
GROUP = {"group": "de", "verdict": "fail", "queries": 2, "score": 0.5, "baseline": 0.75}
REPORT = {
    "format": "irmetrics-edu report, version 1",
    "results": [
        {
            "test": "test_a.py::test_it", "verdict": "fail", "measure": "RR", "score": 0.5,
            "bounds": {"at_least": 0.75}, "queries": 2, "per_query": {"q1": 0.5, "q2": None},
            "groups": [GROUP], "explanation": "it fell", "times": 3,
        }
    ],
    "stale_baselines": [{"file": "a.json", "test": "test_b"}],
}  # fmt: skip
DEEP: list = []
for _ in range(5000):
    DEEP = [DEEP]
ODD = (None, True, -1, 10**400, 1e308, float("nan"), "x", "", [], {}, [[]], {"x": None}, {"x": {}})


def spoilt_bytes(content: bytes, times: int):
    """The content cut off, with bytes flipped, and with bytes of its own repeated."""
    chance = random.Random(len(content))
    for _ in range(times):
        place = chance.randrange(len(content))
        yield content[:place]
        flipped = bytearray(content)
        for _ in range(chance.choice([1, 1, 3])):
            flipped[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        yield bytes(flipped)
        yield content[:place] + content[place // 2 :]


def spoilt_values(value):
    """JSON values with one part, however deep, replaced by something odd, or left out."""
    yield from ODD
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            rest = value.copy()
            part = rest.pop(key)
            yield rest
            for odd in spoilt_values(part):
                other = value.copy()
                other[key] = odd
                yield other


def refused_or_read(read, path):
    """Our own error, or none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with suppress(InputError):
            read(path)


def written(make):
    """What writes such bytes."""
    return lambda path: path.write_bytes(make)


def evaluated(path):
    """A run of any format."""
    im.evaluate(path, QRELS, "AP").table().text()


def diffed(path):
    """A file of baselines against itself and against the whole one."""
    for other in (path.parent / "whole.json", path):
        for table in difference(path, other).tables({"q1": "de", "q2": "fr"}):
            table.text()


READERS = {
    "run": (written(RUN.encode()), evaluated),
    "run.gz": (written(gzip.compress(RUN.encode(), mtime=0)), evaluated),
    "run.bz2": (written(bz2.compress(RUN.encode())), evaluated),
    "run.xz": (written(lzma.compress(RUN.encode())), evaluated),
    "run.json": (written(json.dumps({"q1": {"d1": 0.5}, "q9": ["d1"]}).encode()), evaluated),
    "texts.jsonl": (written(b'{"id": "q1", "text": "x"}\n'), lambda p: read_texts(p, "query")),
    "lines.jsonl": (written(b'{"id": 1}\n'), lambda p: list(objects(File(p)))),
    "baselines.json": (written(json.dumps(BASELINES).encode()), diffed),
}


@pytest.mark.parametrize("name", READERS)
def test_spoilt_bytes_are_read_or_refused(tmp_path, name):
    """Cut off and flipped anywhere; whole, each file is read."""
    write, read = READERS[name]
    path = tmp_path / name
    write(path)
    content = path.read_bytes()
    (tmp_path / "whole.json").write_bytes(content)
    read(path)
    for spoilt in spoilt_bytes(content, 60):
        path.write_bytes(spoilt)
        refused_or_read(read, path)


def test_odd_parts_of_baselines_are_refused(tmp_path):
    """Whatever stands in the place of a part: the difference is shown, or the file is named."""
    path, whole = tmp_path / "odd.json", tmp_path / "whole.json"
    whole.write_text(json.dumps(BASELINES), encoding="utf-8")
    for odd in [*spoilt_values(BASELINES), {**BASELINES, "baselines": {"t": {"means": DEEP}}}]:
        path.write_text(as_text(odd), encoding="utf-8")
        refused_or_read(diffed, path)


def as_text(value):
    """JSON, also of what is nested too deeply to be written by its module."""
    try:
        return json.dumps(value)
    except RecursionError:
        return "[" * 100_000


def test_odd_parts_of_reports_are_refused(tmp_path, capsys):
    """And then none of the outputs is written."""
    path, good = tmp_path / "odd.json", tmp_path / "good.json"
    good.write_text(
        json.dumps(REPORT).replace("test_a.py::test_it", "test_other"), encoding="utf-8"
    )
    outputs = [tmp_path / f"out{suffix}" for suffix in SUFFIXES]
    to = [word for out in outputs for word in ("--to", str(out))]
    refused = 0
    for odd in [REPORT, *list(spoilt_values(REPORT))[::4], {"format": DEEP}]:
        path.write_text(as_text(odd), encoding="utf-8")
        code = main(["report", "merge", str(good), str(path), *to])
        assert (code == 0) == all(out.exists() for out in outputs)
        assert (code == 2) == (not any(out.exists() for out in outputs))
        if code == 2:
            refused += 1
            assert "odd.json" in capsys.readouterr().err
        for out in outputs:
            out.unlink(missing_ok=True)
    assert refused > 30
    (tmp_path / "folder.html").mkdir()
    outputs[0].write_text("old", encoding="utf-8")
    to = ["--to", str(outputs[0]), "--to", str(outputs[1]), "--to", str(tmp_path / "folder.html")]
    assert main(["report", "merge", str(good), *to]) == 2
    assert outputs[0].read_text(encoding="utf-8") == "old"
    assert not outputs[1].exists()


def test_packed_files_are_read_or_named(tmp_path):
    """As gzip and zstd are; a zip archive says what it is."""
    expected = im.evaluate(as_path(tmp_path / "run", RUN.encode()), QRELS, "AP").mean["AP"]
    for pack in (bz2.compress, lzma.compress):
        path = as_path(tmp_path / "packed", pack(RUN.encode()))
        assert im.evaluate(path, QRELS, "AP").mean["AP"] == expected
        with pytest.raises(InputError, match="the packed file is damaged"):
            im.evaluate(as_path(path, pack(RUN.encode())[:-20]), QRELS, "AP")
    path = as_path(tmp_path / "run.json.bz2", bz2.compress(b'{"q1": {"d1": 1}}'))
    assert im.evaluate(path, {"q1": {"d1": 1}}, "AP").mean["AP"] == 1
    np.savez(tmp_path / "run.zip", a=1)
    with pytest.raises(InputError, match=r"is a zip archive.*unpack it first"):
        im.evaluate(tmp_path / "run.zip.npz", QRELS, "AP")


def as_path(path: Path, content: bytes) -> Path:
    """The file, written."""
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("ranking", "says"),
    [
        ('"text"', "'text' is not a ranking"),
        ("null", "None is not a ranking"),
        ('{"d": "x"}', "score 'x'"),
        ('{"d": true}', "True or False"),
        ('{"d": 1e999}', "not finite"),
        ('["d", "d"]', "twice"),
        ("[[1]]", "holds a list"),
    ],
)
def test_a_run_in_json_is_read_whole(tmp_path, ranking, says):
    """Also the queries that nobody judged, as in every other format."""
    path = as_path(tmp_path / "r.json", f'{{"q0": {{"d0": 1}}, "q9": {ranking}}}'.encode())
    with pytest.raises(InputError, match=f"(?s)q9.*{says}"):
        im.evaluate(path, QRELS, "AP")
