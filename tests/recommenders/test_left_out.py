"""Leave one out, the latest or any, and ratings that are data frames."""

import random

import pandas as pd
import polars as pl
import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import load_ratings
from tests.tables import rows

SEEDS = range(30)
COLUMNS = ["userId", "movieId", "rating", "timestamp"]


def drawn(seed):
    """Lines of users with one to seven ratings, at times of their own, in any order."""
    source = random.Random(seed)
    lines = []
    for user in range(1, 9):
        times = source.sample(range(100), 7)
        items = source.sample(range(1, 12), source.randint(1, 7))
        lines += [(user, item, float(source.randint(1, 5)), times.pop()) for item in items]
    source.shuffle(lines)
    return lines


def items_of(data, split):
    """The items of each user in a split."""
    return {user: set(items) for user, items in data.judgments(split).items()}


@rows("seed", SEEDS)
@rows("validation", [0, 0.1])
def test_the_last_is_left_out_as_by_loops(seed, validation):
    """The latest in test, the one before in validation, and one at least in training."""
    lines = drawn(seed)
    test = {}
    before = {}
    single = 0
    for user in range(1, 9):
        latest = sorted((line for line in lines if line[0] == user), key=lambda line: line[3])
        if len(latest) == 1:
            single += 1
            continue
        test[str(user)] = {str(latest[-1][1])}
        if validation and len(latest) > 2:
            before[str(user)] = {str(latest[-2][1])}
    frame = pd.DataFrame(lines, columns=COLUMNS)
    data = load_ratings(frame, split="leave-last-out", validation=validation)
    assert items_of(data, "test") == test
    assert items_of(data, "validation") == before
    assert len(data.users) == 8
    note = f"{single} users with a single interaction, which stays in training"
    assert (note in data.notes) == (single > 0)


@rows("seed", SEEDS)
def test_one_at_random(seed):
    """One of each user, another by another seed, and the same by the same; all items are kept."""
    lines = drawn(seed)
    frame = pd.DataFrame(lines, columns=COLUMNS).drop(columns="timestamp")
    parts = []
    for drawn_by in range(12):
        data = load_ratings(frame, split="leave-random-out", seed=drawn_by)
        parts.append(items_of(data, "test"))
    assert parts[0] == items_of(load_ratings(frame, split="leave-random-out"), "test")
    assert len({str(sorted((u, *i) for u, i in part.items())) for part in parts}) > 1
    for user in range(1, 9):
        rated = {str(item) for who, item, *_ in lines if who == user}
        for part in parts:
            left_out = part.get(str(user), set())
            assert left_out <= rated
            assert len(left_out) == (1 if len(rated) > 1 else 0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("split", ["random", "time", "leave-last-out", "leave-random-out"])
def test_frames_and_files_are_read_alike(seed, split, tmp_path):
    """pandas, polars, lazy ones and CSV; and numbers that pandas made floats."""
    frame = pd.DataFrame(drawn(seed), columns=COLUMNS)
    frame.to_csv(tmp_path / "ratings.csv", index=False)
    expected = load_ratings(tmp_path / "ratings.csv", split=split, min_rating=2)
    floats = frame.astype({"movieId": float, "userId": float})
    of_polars = pl.DataFrame({name: frame[name].tolist() for name in COLUMNS})
    for form in (frame, floats, of_polars, of_polars.lazy()):
        data = load_ratings(form, split=split, min_rating=2)
        for part in ("train", "validation", "test"):
            assert items_of(data, part) == items_of(expected, part)


@rows("column", ["userId", "movieId"])
@rows("row", [0, 3])
@rows("form", ["pandas", "whole numbers of pandas", "text", "polars"])
def test_a_row_without_an_id_is_named(column, row, form):
    """One missing number makes the whole column floats in pandas; that row alone is told."""
    lines = [list(line) for line in drawn(1)]
    lines[row][COLUMNS.index(column)] = None
    frame = pd.DataFrame(lines, columns=COLUMNS)
    if form == "whole numbers of pandas":
        frame = frame.astype({column: "Int64"})
    if form == "text":
        frame = frame.astype({column: "Int64"}).astype({column: "string"})
    if form == "polars":
        frame = pl.DataFrame(lines, schema=COLUMNS, orient="row")
    what = "user" if column == "userId" else "item"
    with pytest.raises(InputError, match=f"data frame, row {row + 1}: the {what} is missing"):
        load_ratings(frame)


def test_without_times_the_last_is_not_known():
    """The message names the split that needs none."""
    frame = pd.DataFrame(drawn(1), columns=COLUMNS).drop(columns="timestamp")
    with pytest.raises(InputError, match="no times; give split='leave-random-out'"):
        load_ratings(frame, split="leave-last-out")


def test_a_frame_without_the_columns_is_refused():
    """With the columns that there are."""
    frame = pd.DataFrame({"who": [1], "item": [2]})
    with pytest.raises(InputError, match="no column of the user; the columns are 'who', 'item'"):
        load_ratings(frame)


def test_an_empty_frame_has_no_ratings():
    """And a rating that is none is named by its row."""
    with pytest.raises(InputError, match="has no ratings"):
        load_ratings(pd.DataFrame({"user": [], "item": []}))
    frame = pd.DataFrame({"user": ["u", "v"], "item": ["a", "b"], "rating": [1, None]})
    with pytest.raises(InputError, match="row 2: rating nan"):
        load_ratings(frame)
