"""Small rules of reading, each over a table of what may stand in a file."""

import json
import random
from itertools import product

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.checks import limits
from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.heads import Use, _asked_of
from irmetrics_edu.reading.texts import read_texts
from irmetrics_edu.reading.topics import read_categories
from irmetrics_edu.reading.trec import TrecFile


@pytest.mark.parametrize("listed", [*product(["drama", 3, None, ["x"]], repeat=2), ("drama",), ()])
def test_categories_are_text_all_of_them(tmp_path, listed):
    """One that is not, wherever it stands, is refused with its item."""
    path = tmp_path / "items.json"
    path.write_text(json.dumps({"i1": listed}), encoding="utf-8")
    if all(isinstance(one, str) for one in listed):
        assert read_categories(path) == ({"i1": set(listed)}, 0)
        return
    with pytest.raises(InputError, match=r"items\.json: item 'i1' has .*expected a list"):
        read_categories(path)


@pytest.mark.parametrize(
    "value", [0, 7, -3, "a", "7", True, False, None, "", " a", "a ", 1.5, ["a"]]
)
def test_an_id_is_text_or_a_whole_number(tmp_path, value):
    """A truth value is neither."""
    path = tmp_path / "queries.jsonl"
    path.write_text(json.dumps({"id": value, "text": "words"}) + "\n", encoding="utf-8")
    if value in ("a", "7") or type(value) is int:
        assert read_texts(path, "query") == {str(value): "words"}
        return
    with pytest.raises(InputError, match=r"queries\.jsonl, line 1: .* is not an id"):
        read_texts(path, "query")


@pytest.mark.parametrize(
    "before", [*product(["", "q Q0 a 1 1 x", "q Q0 b 2 0 x"], repeat=2), ("",), ()]
)
@pytest.mark.parametrize("block", [8, 64, 1 << 20])
def test_a_long_line_is_told_by_its_number(tmp_path, before, block):
    """Blank lines before it count, the first of the file, too."""
    path = tmp_path / "run"
    path.write_text("\n".join([*before, "q Q0 " + "d" * 60 + " 3 1 x", ""]), encoding="utf-8")
    with (
        limits(max_line=40),
        pytest.raises(InputError, match=rf"run, line {len(before) + 1}: longer"),
    ):
        [*TrecFile(path, block=block).pieces(Problems("run"))]


@pytest.mark.parametrize("width", range(1, 6))
@pytest.mark.parametrize("table", [Use.RUN, Use.JUDGMENTS])
def test_a_role_goes_to_a_place_that_there_is(width, table):
    """And that the table may have: a run has no grades, and judgments no scores."""
    asked = {"1": "query", "2": "document", "3": "score", "4": "rank", "5": "grade", "6": "tag"}
    theirs = {"grade"} if table is Use.RUN else {"score", "rank"}
    there = {p: role for p, role in asked.items() if int(p) <= width and role not in theirs}
    assert _asked_of(table, width, asked) == there


@pytest.mark.parametrize("seed", range(20))
def test_blocks_of_any_size_hold_the_same_queries(tmp_path, seed):
    """A query of many blocks is given in parts, so that no more than a block is held."""
    chance = random.Random(seed)
    sizes = [chance.choice([1, 2, 5, 40]) for _ in range(chance.randint(1, 5))]
    run = {f"q{q}": [f"d{q}-{i}" for i in range(n)] for q, n in enumerate(sizes)}
    lines = [f"{q} Q0 {d} {i} {-i} x\n" for q, of_one in run.items() for i, d in enumerate(of_one)]
    path = tmp_path / "run"
    path.write_text("".join(lines), encoding="utf-8")
    for block in (50, 100, 300, 1 << 20):
        read = TrecFile(path, block=block)
        found = {}
        for piece in read.pieces(Problems("run")):
            for q, query in enumerate(piece.queries):
                assert query not in found
                here = piece.document.tolist()[piece.starts[q] : piece.starts[q + 1]]
                found[query] = here
        assert found == run
        most = 2 * (block + max(map(len, lines)))
        for items, _ in read._blocks(Problems("run"), 0):
            assert sum(len(f"q0 Q0 {d} 0 0 x\n") for d in items.document.tolist()) <= most


@pytest.mark.parametrize("grades", [*product(["True", "False"], repeat=3)])
def test_truth_values_are_grades_of_one_and_none(tmp_path, grades):
    """As pandas writes them, in judgments alone; beside numbers, or as scores, they are refused."""
    run = {"q": ["d0", "d1", "d2"]}
    as_numbers = {"q": {f"d{i}": int(grade == "True") for i, grade in enumerate(grades)}}
    path = tmp_path / "f.csv"
    rows = [f"q,d{i},{grade}\n" for i, grade in enumerate(grades)]
    path.write_text("query,document,grade\n" + "".join(rows), encoding="utf-8")
    for measure in ("P@2", "DCG"):
        assert evaluate(run, path, measure).mean == evaluate(run, as_numbers, measure).mean
    path.write_text("query,document,grade\n" + "".join(rows) + "q,d3,2\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not a finite number"):
        evaluate(run, path, "P@2")
    path.write_text("query,document,score\n" + "".join(rows), encoding="utf-8")
    with pytest.raises(InputError, match="is not a finite number"):
        evaluate(path, as_numbers, "P@2")
