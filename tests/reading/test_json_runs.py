"""Large runs in JSON, read in parts, give what a small one gives, in a fraction of the room."""

import json
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import InputError, evaluate
from irmetrics_edu.reading import json_runs
from tests.memory import ran
from tests.reading.test_memory import BLOCKS, generated, peak_of_the_package

MEASURES = "nDCG@3 AP RR R@100"


@pytest.fixture(params=[(9, 20, 2), (64, 100, 5), (1 << 22, 1 << 23, 1 << 16)])
def in_parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every file in parts, of these sizes."""
    monkeypatch.setattr(json_runs, "_LARGE", -1)
    for name, size in zip(("_BLOCK", "_LONG", "_DOCUMENTS"), request.param, strict=True):
        monkeypatch.setattr(json_runs, name, size)


def written(value: Any, folder: Path, **how: Any) -> Path:
    """A file of it."""
    text = value if isinstance(value, str) else json.dumps(value, **how)
    (folder / "run.json").write_text(text, encoding="utf-8")
    return folder / "run.json"


RUNS = {
    "scores": generated(1)[0],
    "lists": {q: list(docs) for q, docs in generated(1)[0].items()},
    "both": {q: list(d) if i % 3 else d for i, (q, d) in enumerate(generated(1)[0].items())},
    "odd": {'q1"': {'a\\"}': 1e-3, "日本": -2, "\n,{": 5e5}, "q2]": [], "q3": {}, "q4": ["é", "}"]},
    "one": {"q1": {f"d{i}": float(-i) for i in range(200)}},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("how", [{"indent": 2}, {"ensure_ascii": False, "separators": (",", ":")}])
@pytest.mark.usefixtures("in_parts")
def test_parts_of_a_file_are_the_file(name: str, how: Any, tmp_path: Path) -> None:
    """Scores, counts and a query's documents, for scores and lists, however they are written."""
    run, qrels = RUNS[name], generated(1)[1] | {'q1"': {"日本": 1}, "q2]": {"a": 1}, "q4": {"}": 1}}
    expected = evaluate(run, qrels, MEASURES)
    found = evaluate(written(run, tmp_path, **how), qrels, MEASURES)
    assert found.per_query == expected.per_query
    assert sorted(found.notes()) == sorted(expected.notes())
    for query in run:
        if query in qrels:
            here, there = found.working("AP", query), expected.working("AP", query)
            assert list(here.rows.document) == list(there.rows.document)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"q": {"a": true}}', "'a'.*True|expected"),
        ('{"q": {"a": "1"}}', "'a'|expected"),
        ('{"q": {"a": 1e999}}', "'a'"),
        ('{"q": {"a": NaN}}', "NaN is not a finite number|expected"),
        ('{"q": {"a": 1, "a": 2}}', "'a'.*twice"),
        ('{"q": {"a": 1}, "r": {}, "q": {"b": 1}}', "'q' occurs twice in one object"),
        ('{"q": {"a": 1}}\n{"r": {}}', "line 2: there is more"),
        ('{"q": {"a": 1}\n', "expected"),
        ('{"q":\n\n {"a": 1 "b": 2}}', "line 3"),
        ('{"q": 5}', "expected"),
        ("[1]", "expected"),
        ("", "expected"),
        ('{"q": {"a": [1]}}', "'a'|expected"),
        ('{"q": ["a", "a"]}', "'a'.*twice"),
    ],
)
@pytest.mark.usefixtures("in_parts")
def test_what_is_wrong_is_refused_as_in_a_small_file(text: str, says: str, tmp_path: Path) -> None:
    """By file and line, or query and document."""
    with pytest.raises(InputError, match=f"(?s){says}"):
        evaluate(written(text, tmp_path), {"q": {"a": 1}}, "RR")


@pytest.mark.usefixtures("in_parts")
def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """With the line near them."""
    (tmp_path / "run.json").write_bytes(b'{"q": {"\xff": 1}}')
    with pytest.raises(InputError, match="line 1 or soon after: not UTF-8"):
        evaluate(tmp_path / "run.json", {"q": {"a": 1}}, "RR")


@pytest.mark.slow
@pytest.mark.suite("sandbox")
@pytest.mark.parametrize("many", [True, False])
def test_a_run_in_json_takes_at_most_four_times_the_file(many: bool, tmp_path: Path) -> None:
    """800,000 queries of three documents, or one query of 1,500,000."""
    with (tmp_path / "run.json").open("w") as run, (tmp_path / "qrels").open("w") as qrels:
        if many:
            scores = '"d1": 9.63, "d2": 9.26, "d3": 8.89'
            run.write("{" + ", ".join(f'"q{i:07d}": {{{scores}}}' for i in range(800_000)))
            qrels.writelines(f"q{i:07d} 0 d{1 + i % 4} 1\n" for i in range(800_000))
        else:
            run.write('{"q1": {')
            scores = (f'"doc{i:08d}": 0.{i * 7919 % 999_983:06d}' for i in range(1_500_000))
            run.write(", ".join(scores))
            run.write("}")
            qrels.write("q1 0 doc00000007 1\n")
        run.write("}")
    files = [str(tmp_path / name) for name in ("qrels", "run.json")]
    done = ran("-m", "irmetrics_edu", "evaluate", *files)
    assert done.code == 0, done.err
    assert done.peak - peak_of_the_package() - BLOCKS < 4 * (tmp_path / "run.json").stat().st_size
