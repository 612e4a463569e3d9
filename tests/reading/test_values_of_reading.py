"""What reading makes can't be changed once it is there, but for what is filled meanwhile."""

import dataclasses

import numpy as np
import pytest

from irmetrics_edu.reading import (
    column_names,
    column_of_file,
    files,
    frames,
    heads,
    json_shapes,
    long_ids,
    other_files,
    other_formats,
    provenance,
    rank_columns,
    records,
    series,
    tables,
    tabular,
    texts,
    topics,
    trec,
    values_by_query,
)
from irmetrics_edu.reading.files import Problem, Problems
from tests.tables import rows as each_row
from tests.values import defaults_of, values_of

# Each module, something quick that it knows, and its values; "f" can be filled, "a" is equal to
# itself alone, "s" has slots.
KNOWN = [
    (column_names, lambda: column_names._folded(" Query "), "query", {"Chosen": "s"}),
    (files, lambda: files.bare_name("A.gz"), "a", {"Problem": "s", "Problems": "f"}),
    (
        other_files,
        lambda: other_files.OtherFile("x", b"x", way="do this").remedy("f"),
        "do this",
        {"OtherFile": ""},
    ),
    (other_formats, lambda: other_formats._are_names(["qid"]), False, {"OtherFormat": ""}),
    (
        provenance,
        lambda: provenance.InputFile("f", 1000, "ab").line(),
        "read f: 1,000 bytes, SHA-256 ab",
        {"InputFile": "", "Provenance": ""},
    ),
    (
        records,
        lambda: records.first_line("\nx\r\n"),
        "x",
        {"Record": "s", "SpreadsheetTable": "s"},
    ),
    (series, lambda: series.is_missing(0), False, {"Series": "", "TableOf": ""}),
    (
        tables,
        lambda: tables.is_readable(7),
        False,
        {"Source": "fa", "Kept": "fa", "_ReadOnce": "f"},
    ),
    (texts, lambda: texts.read_texts({1: "a"}, "query"), {"1": "a"}, {"_NamedRow": ""}),
    (
        trec,
        lambda: [*trec.not_text(b"a\n\xff")],
        [(1, trec.NOT_UTF8)],
        {"Layout": "s", "_Parsed": "fa", "TrecFile": "f"},
    ),
    (
        values_by_query,
        lambda: values_by_query._called(["a", " B "], ("b",)),
        [" B "],
        {"Wanted": "", "QueryValues": "", "_ReadTable": ""},
    ),
]


# What is taken where nothing is given, if it is neither no nor 0.
DEFAULTS = {
    files: {"any_good": {True}, "size": {-1}},
    frames: {"first": {1}},
    other_formats: {"run": {True}},
    records: {"others": {True}, "strict": {True}, "quoted": {True}},
    values_by_query: {"is_named": {True}},
}
# Those that define no values, each with something quick that it knows.
OTHERS = [
    (column_of_file, lambda: column_of_file._path_and_column("none"), ("none", "")),
    (frames, lambda: frames._utf8("a"), True),
    (heads, lambda: heads.is_number("1"), True),
    (json_shapes, lambda: json_shapes._is_number(True), False),
    (long_ids, lambda: long_ids.lengths(7), None),
    (rank_columns, lambda: rank_columns.told_of_hits([]), {}),
    (tabular, lambda: tabular._whole("7"), 7),
    (topics, lambda: topics._grade("1"), 1.0),
]


@pytest.mark.parametrize(
    ("module", "ask", "said"),
    [*OTHERS, *(row[:3] for row in KNOWN)],
    ids=[row[0].__name__[22:] for row in [*OTHERS, *KNOWN]],
)
def test_nothing_is_skipped_or_read_otherwise_unless_it_is_asked_for(module, ask, said):
    """A default is no, or 0, but for those that are named."""
    assert ask() == said
    found = {name: held for name, held in defaults_of(module).items() if any(held)}
    assert found == DEFAULTS.get(module, {})


@pytest.mark.parametrize(
    ("module", "ask", "said", "kinds"), KNOWN, ids=[row[0].__name__[22:] for row in KNOWN]
)
def test_values_stay_as_they_are_made(module, ask, said, kinds):
    """Those that hold a file, a table or arrays are equal to themselves alone."""
    assert ask() == said
    found = {}
    for one in values_of(module):
        made = "f" if not one.__dataclass_params__.frozen else ""
        made += "a" if one.__eq__ is object.__eq__ else ""
        found[one.__name__] = made + ("s" if "__slots__" in vars(one) else "")
        for field in dataclasses.fields(one):
            if isinstance(field.default, bool):
                assert field.default is (field.name == "can_skip"), (one, field)
    assert found == kinds


@each_row(
    ("skip", "can_skip", "any_good", "count", "says"),
    [
        (False, True, True, 0, ""),
        (False, True, False, 0, "f: it is empty; expected at least one line"),
        (True, True, True, 0, ""),
        (True, True, True, 2, ""),
        (True, True, False, 0, "f: it is empty"),
        (True, True, False, 1, "f: a malformed line, and none that can be read\n  line 1: "),
        (False, True, False, 2, "f: 2 malformed lines, and none that can be read\n  line 1: "),
        (False, True, True, 1, "f: a malformed line, so nothing was computed; correct the file"),
        (False, True, True, 2, "f: 2 malformed lines, so nothing was computed"),
        (False, False, True, 1, "f: a malformed line, so nothing was computed; correct the file\n"),
    ],
)
def test_malformed_lines_are_an_error_unless_they_may_be_left_out(
    skip, can_skip, any_good, count, says
):
    """And where nothing is left without them."""
    problems = Problems("f", skip=skip, can_skip=can_skip)
    for number in range(count):
        problems.add(number + 1, "x", "is wrong")
    if not says:
        problems.check(any_good=any_good)
        return
    with pytest.raises(files.InputError) as refused:
        problems.check(any_good=any_good)
    assert str(refused.value).startswith(says)
    is_avoidable = isinstance(refused.value, files.Avoidable)
    assert is_avoidable == (can_skip and any_good and count > 0)


@each_row("count", [1, 19, 20, 21, 22, 50])
def test_twenty_problems_are_told_in_the_order_of_their_lines(count):
    """How many more there are is said; where nothing can be read each kind is told once."""
    problems = Problems("f", unit="row")
    for number in range(count, 0, -1):
        assert problems.room == (count - number < 20)
        problems.add(number, f"t{number}", "is odd" if number % 2 else "is even")
    assert problems.room == (count < 20)
    assert (problems.count, len(problems.kept)) == (count, min(count, 20))
    kept = range(max(1, count - 19), count + 1)
    with pytest.raises(files.InputError) as refused:
        problems.check()
    head, *lines = str(refused.value).split("\n")
    more = [f"  and {count - 20} more"] if count > 20 else []
    kinds = ["is even", "is odd"]
    assert lines == [f"  row {n}: 't{n}': {kinds[n % 2]}" for n in kept] + more
    assert f"{count} malformed rows" in head or count == 1
    with pytest.raises(files.InputError) as none:
        problems.check(any_good=False)
    assert str(none.value).split("\n")[1:] == [
        f"  row {n}: 't{n}': {kinds[n % 2]}" for n in kept[:2]
    ]


@each_row(("length", "is_cut"), [(1, False), (120, False), (121, True), (500, True)])
def test_a_long_line_is_shown_by_its_beginning(length, is_cut):
    """Of 120 characters."""
    shown = "x" * 120 + "..." if is_cut else "x" * length
    assert str(Problem(3, "x" * length, "is wrong")) == f"{shown!r}: is wrong"


@each_row("name", ["gzip", "zstd", "xz", "zip", "lz4", "7z", "rar"])
def test_a_packed_file_is_known_by_its_first_bytes(name):
    """All of them, at the beginning; of bzip2 by each level, of an empty archive too."""
    for magic in files._MAGIC[name]:
        assert files.packing(magic) == files.packing(magic + b"x") == name
        assert files.packing(magic[:-1]) == files.packing(b"x" + magic) == ""
    for level in range(1, 10):
        for block in (b"1AY&SY", b"\x17rE8P\x90"):
            assert files.packing(b"BZh" + str(level).encode() + block) == "bzip2"
    assert files.packing(b"BZh01AY&SY") == files.packing(b"BZh1") == files.packing(b"") == ""
    assert max(len(m) for many in files._MAGIC.values() for m in many) <= files.MAGIC


def test_the_sizes_of_what_is_read_at_once_are_powers_of_two():
    """Written out, as a sign that is turned round would make nothing of them."""
    assert (
        files.bare_name("A.gz") == "a"
    )  # a module is asked for something, so that it is looked at
    sizes = (files._PACKED, files._HEAD, files._IN_MEMORY, files.FREE, files.MAGIC, files.SHOWN)
    assert sizes == (262_144, 65_536, 16_777_216, 67_108_864, 10, 20)


@each_row(
    ("whence", "offset", "place"),
    [(0, 0, 0), (0, 3, 3), (1, 2, 6), (1, -1, 3), (2, 0, 9), (2, -2, 7)],
)
def test_a_view_of_a_pipe_has_a_place_of_its_own(whence, offset, place):
    """Counted from the beginning, from where it is, or from the end."""
    import io

    kept = files._Kept(io.BytesIO(b"012345678"))
    view, other = files._View(kept), files._View(kept)
    assert view.read(4) == b"0123"
    assert other.tell() == 0
    assert view.seek(offset, whence) == view.tell() == place
    assert view.read(2) == b"012345678"[place : place + 2]
    assert view.seek(0) == 0
    assert (view.readable(), view.seekable(), other.read()) == (True, True, b"012345678")


@each_row(
    ("value", "number"),
    [
        (1, 1.0), (0.5, 0.5), (np.float32(0.5), 0.5), (np.int8(3), 3.0), (10**400, float("inf")),
        (True, None), (np.True_, None), ("1", None), (None, None), ([1], None), (1 + 2j, None),
        (np.complex128(1), None), (np.complex64(1 + 2j), None),
    ],
)  # fmt: skip
def test_numbers_are_floats_and_nothing_else_is(value, number):
    """A truth value is a number of judgments alone."""
    from irmetrics_edu.reading.frames import _number

    found = series.as_float(value)
    assert found == number if number is not None else np.isnan(found)
    of_run, of_judgments = (_number(value, run=run) for run in (True, False))
    assert of_run == number if number is not None else np.isnan(of_run)
    if isinstance(value, (bool, np.bool_)):
        assert of_judgments == 1.0
    else:
        assert of_judgments == number or np.isnan(of_judgments)
