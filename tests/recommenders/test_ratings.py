"""Plain tables of ratings: their layouts, thresholds, k-core and splits; what is left out."""

from collections import Counter

import numpy as np
import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.load import load_ratings

# User, item, rating, time: u has ten items in order of time, v has two.
LINES = [("u", f"i{n}", 1 + n % 5, 100 + n) for n in range(10)]
LINES += [("v", "i0", 5, 50), ("v", "i1", 4, 200)]


def table(by=",", lines=LINES, header=""):
    """The ratings as text."""
    return header + "".join(f"{by.join(map(str, line))}\n" for line in lines)


def listed(data, split):
    """The items of each user in a split."""
    out = {}
    for u, i in data.pairs[split].tolist():
        out.setdefault(data.users[u], []).append(data.items[i])
    return out


def test_movielens_files_are_tables_with_a_header(tmp_path):
    """Users, items, genres and pairs; what has no genre is counted."""
    path, items = tmp_path / "ratings.csv", tmp_path / "movies.csv"
    path.write_text(table(header="userId,movieId,rating,timestamp\n"), encoding="utf-8")
    items.write_text(
        'movieId,title,genres\ni0,"A, the first",Drama\ni1,B,Drama|Café\nlone,C,Drama\n'
        + "".join(f"i{n},T,(no genres listed)\n" for n in range(2, 10)),
        encoding="utf-8",
    )
    data = load_ratings(path, categories=items, split="time")
    assert data.name == "ratings"
    assert data.users == ("u", "v")
    assert data.items == tuple(f"i{n}" for n in range(10))
    assert data.categories["i0"] == {"Drama"}
    assert data.categories["i1"] == {"Drama", "Café"}
    assert data.notes == ("8 items without a category",)
    assert "8 items without a category" in repr(data)
    # 10 interactions: 2 for test, 1 for validation, the latest ones; 2 give none.
    assert listed(data, "test") == {"u": ["i8", "i9"]}
    assert listed(data, "validation") == {"u": ["i7"]}
    assert listed(data, "train") == {"u": [f"i{n}" for n in range(7)], "v": ["i0", "i1"]}


def test_amazons_files_are_read_once_they_have_a_header(tmp_path):
    """Those of 2018 begin with the item; an item may have several lines of categories."""
    lines = table(lines=[(i, u, r, t) for u, i, r, t in LINES])
    path, items = tmp_path / "Beauty.csv", tmp_path / "of.csv"
    path.write_text(lines, encoding="utf-8")
    items.write_text("item,category\ni0,Nails\ni0,Hair\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: there is no column of the user; call it 'user'"):
        load_ratings(path)
    path.write_text(f"item,user,rating,time\n{lines}", encoding="utf-8")
    data = load_ratings(path, split="time", categories=items)
    assert data.users == ("u", "v")
    assert data.categories["i0"] == {"Nails", "Hair"}
    assert listed(data, "test") == {"u": ["i8", "i9"]}


def test_random_shares_are_rounded_down_and_hang_on_the_seed(tmp_path):
    """Each interaction stands in one split; another seed gives another split."""
    path = tmp_path / "r.csv"
    path.write_text(table(header="user,item,rating,time\n"), encoding="utf-8")
    one, again, other = (load_ratings(path, test=0.3, seed=s) for s in (1, 1, 2))
    assert [len(one.pairs[s]) for s in ("train", "validation", "test")] == [8, 1, 3]
    assert all((one.pairs[s] == again.pairs[s]).all() for s in one.pairs)
    assert listed(one, "test") != listed(other, "test")
    every = [(u, i) for s in one.pairs for u, items in listed(one, s).items() for i in items]
    assert sorted(every) == sorted((u, i) for u, i, *_ in LINES)


def test_thresholds_and_k_core_against_a_plain_loop(tmp_path):
    """On random ratings; every rating that is left out is counted."""
    rng = np.random.default_rng(3)
    pairs = rng.permutation(12 * 15)[:130]
    lines = [(f"u{p // 15}", f"i{p % 15}", rng.integers(1, 6), n) for n, p in enumerate(pairs)]
    path = tmp_path / "r.csv"
    path.write_text(table(lines=lines, header="user,item,rating,time\n"), encoding="utf-8")
    high = [(u, i) for u, i, rating, _ in lines if rating >= 3]
    kept = high
    while True:
        users, items = Counter(u for u, _ in kept), Counter(i for _, i in kept)
        left = [(u, i) for u, i in kept if users[u] >= 4 and items[i] >= 4]
        if len(left) == len(kept):
            break
        kept = left
    assert 0 < len(kept) < len(high) < len(lines)
    data = load_ratings(path, min_rating=3, k_core=4)
    found = [(u, i) for s in data.pairs for u, own in listed(data, s).items() for i in own]
    assert sorted(found) == sorted(kept)
    gone_users = len({u for u, _ in high}) - len({u for u, _ in kept})
    gone_items = len({i for _, i in high}) - len({i for _, i in kept})
    gone = f"{len(high) - len(kept)} ratings of {gone_users} users and {gone_items} items"
    assert data.notes[:2] == (
        f"{len(lines) - len(high)} ratings below 3 left out",
        f"{gone} left out, with fewer than 4 (k_core)",
    )


HEAD = "user,item,rating,time\n"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (HEAD, {}, r"r\.csv has no ratings"),
        ("", {}, "the file is empty; expected a header"),
        (HEAD + "u,i,5\n", {}, r"line 2: 3 values; expected 4"),
        (HEAD + "u,i,good,7\n", {}, r"line 2: rating 'good' is not a number"),
        (HEAD + "u,i,nan,7\n", {}, r"line 2: rating 'nan' is not a number"),
        (HEAD + "u,,5,7\n", {}, r"line 2: item: it is empty"),
        (HEAD + "u,i,5,7\nu,i,5,8\n", {}, "r.csv: user 'u' rated item 'i' more than once"),
        (HEAD + "u,i,5,7\n", {"k_core": 2}, "no ratings are left of 1"),
        (HEAD + "u,i,5,7\n", {"k_core": 0}, "k_core=0"),
        (HEAD + "u,i,5,7\n", {"test": 0.9}, "leave nothing for training"),
        (HEAD + "u,i,5,7\n", {"split": "last"}, "is not known; use one of random, time"),
        ("user,item\nu,i\n", {"split": "time"}, "the ratings have no times"),
        ("user,item\nu,i\n", {"min_rating": 3}, "the table has no ratings"),
        ("user,item\nu,i\n", {"categories": "nowhere.csv"}, r"nowhere\.csv"),
    ],
)
def test_a_bad_table_is_refused_with_its_place(tmp_path, text, options, message):
    """The message names the file and the line, or the option."""
    path = tmp_path / "r.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        load_ratings(path, **options)
