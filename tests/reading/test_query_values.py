"""A value of each query, as its group: the same of every form that a file of them may have."""

import json
from itertools import permutations

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.values_by_query import Wanted, read_query_values

GROUP = Wanted("group", ("device", "kind"), "queries are grouped by")
VALUES = [("q1", "a"), ("q2", "b c"), ("q10", "a"), ("7", "ü")]


def read(folder, name, text, asked=""):
    """What a file gives: each query with its value and line, and what is told of the column."""
    (folder / name).write_text(text, encoding="utf-8")
    found = read_query_values(f"{folder / name}{asked}", GROUP)
    given = [(one.line, one["query"], one["group"]) for one in found.records]
    return given, found.about


def of_lines(first):
    """The values, from this line on."""
    return [(line, *pair) for line, pair in enumerate(VALUES, first)]


@pytest.mark.parametrize("of_query", ["query", "qid", "id"])
@pytest.mark.parametrize("of_value", ["group", "device", "anything"])
@pytest.mark.parametrize("names", [*permutations(["Q", "V", "text"]), ("Q", "V"), ("V", "Q")])
def test_columns_are_found_by_their_names_in_any_order(tmp_path, of_query, of_value, names):
    """In tables and in lines of JSON; one that is not called what it is, is told."""
    header = [{"Q": of_query, "V": of_value}.get(name, name) for name in names]
    rows = [{"text": "where", of_query: q, of_value: v} for q, v in VALUES]
    told = "" if of_value == "group" else f"queries are grouped by column {of_value!r} of "
    for name, separator in (("f.csv", ","), ("f.tsv", "\t")):
        table = [header, *([row[column] for column in header] for row in rows)]
        text = "".join(separator.join(line) + "\n" for line in table)
        assert read(tmp_path, name, text) == (of_lines(2), told and told + name)
    objects = [json.dumps({column: row[column] for column in header}) for row in rows]
    for name in ("f.jsonl", "f.ndjson"):
        lines = "\n".join(objects) + "\n"
        assert read(tmp_path, name, lines) == (of_lines(1), told and told + name)


def test_a_mapping_and_columns_without_names_give_the_same(tmp_path):
    """A mapping has no lines; columns without names are called by their places."""
    of_mapping, _ = read(tmp_path, "f.json", json.dumps(dict(VALUES)))
    assert [pair[1:] for pair in of_mapping] == VALUES
    given, about = read(tmp_path, "f.csv", "".join(f"{q},{v}\n" for q, v in VALUES))
    assert given == of_lines(1)
    assert about == (
        "the first line of f.csv names no columns: column 1 is read as query, 2 as group"
    )


@pytest.mark.parametrize("name", ["f.csv", "f.jsonl"])
def test_one_of_several_columns_has_to_be_named(tmp_path, name):
    """And is then read, whatever it is called."""
    rows = [{"query": q, "one": v, "other": "x"} for q, v in VALUES]
    if name == "f.csv":
        lines = ["query,one,other", *(",".join(row.values()) for row in rows)]
    else:
        lines = [json.dumps(row) for row in rows]
    text = "\n".join(lines) + "\n"
    with pytest.raises(InputError, match=r"line 1: any of the columns 'one', 'other' may be the"):
        read(tmp_path, name, text)
    assert read(tmp_path, name, text, ":one")[0] == of_lines(2 if name == "f.csv" else 1)
    with pytest.raises(InputError, match="there is no column 'third'"):
        read(tmp_path, name, text, ":third")


@pytest.mark.parametrize("name", ["f.csv", "f.jsonl", "f.ndjson"])
@pytest.mark.parametrize("text", ["", "\n", "\n\n"])
def test_an_empty_file_is_refused(tmp_path, name, text):
    """With what it should have."""
    with pytest.raises(InputError, match=r"the file is empty; expected .*query"):
        read(tmp_path, name, text)
