"""Interactions: what is read, made and refused."""

import numpy as np
import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import interactions
from irmetrics_edu.lab.recommenders.load import load_interactions
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue

ROCK = {item: {"rock"} for item in "abcd"}


def write(folder, **files):
    """A folder of text files; an underscore in a name stands for the dot."""
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def dgrec(folder, **changed):
    """A small data set as DGRec's authors lay theirs out."""
    files = {
        "train": "0,0\n0,1\n1,1\n1,2\n",
        "val": "0,2\n",
        "test": "0,3\n1,0\n1,3\n",
        "item_category": "0,7\n1,7\n2,9\n3,4\n",
        **changed,
    }
    return write(folder, **{n: t for n, t in files.items() if t is not None})


def test_dgrecs_files_are_pairs(tmp_path):
    """Each line of a split is a user and an item, each line of the table an item and a category."""
    data = load_interactions(dgrec(tmp_path))
    assert data.users == ("0", "1")
    assert data.items == ("0", "1", "2", "3")
    assert data.categories == {"0": {"7"}, "1": {"7"}, "2": {"9"}, "3": {"4"}}
    assert data.n_categories == 3
    assert data.pairs["train"].tolist() == [[0, 0], [0, 1], [1, 1], [1, 2]]
    assert data.pairs["validation"].tolist() == [[0, 2]]
    assert data.pairs["test"].tolist() == [[0, 3], [1, 0], [1, 3]]


def test_lightgcns_files_are_lists(tmp_path):
    """A user's line lists their items; one without items in test is left with none."""
    folder = dgrec(tmp_path, train="0 0 1\n1 1 2\n", val="0 2\n", test="0 3\n1\n")
    data = load_interactions(folder)
    assert data.pairs["train"].tolist() == [[0, 0], [0, 1], [1, 1], [1, 2]]
    assert data.pairs["test"].tolist() == [[0, 3]]
    assert data.users_with("test").tolist() == [0]


def test_an_item_may_have_several_categories(tmp_path):
    """A line of the table for each."""
    data = load_interactions(dgrec(tmp_path, item_category="0,7\n0,8\n1,7\n2,9\n3,4\n"))
    assert data.categories["0"] == {"7", "8"}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"train": "0,0\n0,1,2\n"}, r"train\.txt, line 2: '0,1,2' is not 'user,item'"),
        ({"train": "0,0\n0 1\n"}, r"line 2: '0 1' is not 'user,item', as the lines above"),
        ({"train": "0 0\n1\n"}, r"line 2: user '1' has no items"),
        ({"train": "0 0\n0 1\n"}, "line 2: user '0' already has a line"),
        ({"train": ""}, "training has no users"),
        ({"train": None}, r"has no train\.txt"),
        ({"val": None}, r"has no val\.txt"),
        ({"item_category": None}, r"has no item_category\.txt"),
        ({"item_category": ""}, r"item_category\.txt is empty"),
        ({"item_category": "0,7\n1\n"}, r"item_category\.txt, line 2: '1' is not 'item,category'"),
        ({"test": "5,0\n"}, "user '5', test: the user has no items in training"),
        ({"test": "0,9\n"}, "user '0', test: item '9' is not among the categories"),
        ({"test": "0,0\n"}, "item '0' was met before, in train"),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path, files, message):
    """Nothing is dropped or guessed."""
    with pytest.raises(InputError, match=message):
        load_interactions(dgrec(tmp_path, **files))


def test_an_empty_folder_is_told_what_it_should_hold(tmp_path):
    """The files of a split, and that a table of ratings is a file."""
    with pytest.raises(InputError, match=r"train\.txt.*item_category.*for a table of ratings"):
        load_interactions(tmp_path)


def test_unknown_users_can_be_left_out_and_are_counted():
    """With their interactions, split by split; what stays is as it was."""
    data = interactions(
        {"u": ["a"]}, {"v": ["b"]}, {"u": ["b"], "v": ["c", "d"], "w": ["a"]}, ROCK,
        unknown_users="drop",
    )  # fmt: skip
    assert data.users == ("u",)
    assert [data.pairs[split].tolist() for split in data.pairs] == [[[0, 0]], [], [[0, 1]]]
    left = "without items in training left out (unknown_users='drop'); their interactions:"
    assert data.notes == (f"validation: 1 user {left} 1", f"test: 2 users {left} 3")
    with pytest.raises(InputError, match="is not known; use one of refuse, drop"):
        interactions({"u": ["a"]}, {}, {}, ROCK, unknown_users="first")


@pytest.mark.slow
def test_beauty_as_it_is_published(shared):
    """Its 98,566 lines hold one user without training, whose one line is left out and counted."""
    beauty = shared / "data" / "beauty"
    with pytest.raises(InputError, match=r"user '2385', .*unknown_users='drop'"):
        load_interactions(beauty)
    data = load_interactions(beauty, unknown_users="drop")
    assert (len(data.users), len(data.items)) == (8158, 5863)
    assert sum(map(len, data.pairs.values())) == 98_565
    (note,) = data.notes
    assert note.startswith("validation: 1 user without items in training left out")
    assert note.endswith("their interactions: 1")


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        ({}, {}, "training has no users"),
        ({"u": []}, {}, "user 'u', train: the user has no items"),
        ({"u": "ab"}, {}, "user 'u', train: the items are 'ab'"),
        ({"u": ["a"]}, {"v": ["b"]}, "user 'v', test: the user has no items in training"),
        ({"u": ["a"]}, {"u": ["z"]}, "item 'z' is not among the categories"),
        ({"u": ["a", "a"]}, {}, "item 'a' was met before, in train"),
    ],
)
def test_bad_interactions_are_refused(train, test, message):
    """The message names user, split and item."""
    with pytest.raises(InputError, match=message):
        interactions(train, {}, test, ROCK)


def test_the_catalogue_is_the_same_under_a_seed():
    """And another under another."""
    first, again, other = (catalogue(users=30, items=90, seed=s) for s in (3, 3, 4))
    assert all((first.pairs[s] == again.pairs[s]).all() for s in first.pairs)
    assert first.categories == again.categories
    assert (
        first.pairs["train"].shape != other.pairs["train"].shape
        or (first.pairs["train"] != other.pairs["train"]).any()
    )


def test_the_splits_of_the_catalogue_are_apart():
    """No item is in two splits of a user, and everybody has items in all three."""
    data = catalogue(users=60, items=200, seed=1)
    pairs = np.concatenate(list(data.pairs.values()))
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    for split in data.pairs:
        assert len(data.users_with(split)) == 60


def test_users_take_what_they_like():
    """With taste, a user's items are of fewer categories than without."""

    def categories(taste):
        data = catalogue(users=200, items=600, taste=taste, seed=2)
        of_user = [set() for _ in data.users]
        for u, i in np.concatenate(list(data.pairs.values())).tolist():
            of_user[u] |= data.categories[data.items[i]]
        return np.mean([len(held) for held in of_user])

    assert categories(8.0) < 0.7 * categories(0.0)


def test_sizes_of_categories_and_fame_have_a_long_tail():
    """The largest category is many times the median; so with the most taken item."""
    data = catalogue(users=300, items=900, popularity=1.0, seed=2)
    sizes = np.unique([c for names in data.categories.values() for c in names], return_counts=True)
    assert sizes[1].max() > 3 * np.median(sizes[1])
    taken = np.bincount(data.pairs["train"][:, 1], minlength=900)
    assert taken.max() > 5 * max(1, np.median(taken))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"users": 0}, "users=0"),
        ({"items": 10}, "items=10"),
        ({"per_user": 4}, "per_user=4"),
        ({"items": 40, "per_user": 30}, "at most half"),
    ],
)
def test_sizes_that_make_no_sense_are_refused(options, message):
    """The message names the option."""
    with pytest.raises(InputError, match=message):
        catalogue(**options)
