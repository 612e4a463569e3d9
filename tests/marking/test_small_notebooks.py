"""What is read of a file, a cell, an entry and a table, at each bound and one beyond it."""

import io
import json
import stat
import zipfile
from itertools import product
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.marking.collecting import archives, notebook
from irmetrics_edu.classroom.marking.collecting.class_tables import entries, points, student_of
from irmetrics_edu.classroom.marking.collecting.notebook import Unreadable, clean, parse
from irmetrics_edu.classroom.marking.collecting.owner_names import Person
from irmetrics_edu.errors import InputError
from tests.tables import rows

LETTERS = {"a": "a", "\t": "    ", "\n": "\n", "\r": "�", "\x00": "�", "\u200d": "\u200d", "é": "é"}


@pytest.mark.parametrize("longest", [4, 5, 9, 10])
def test_untrusted_text_is_shown_in_letters_that_every_file_can_hold(longest):
    """Cut with dots where it is longer than what is shown."""
    for letter, shown in LETTERS.items():
        for length in range(14):
            whole = shown * length
            expected = whole if len(whole) <= longest else f"{whole[: longest - 4]} ..."
            assert clean(letter * length, longest) == expected
    assert clean(12, longest) == "12"
    assert clean(" ", longest) == " "


def book_of(cells, **more):
    """The bytes of a notebook of these cells."""
    return json.dumps({"cells": cells, **more}).encode()


def code(text, count=None, **more):
    """A cell of code, which was run so manieth."""
    return {"cell_type": "code", "source": text, "execution_count": count, **more}


@pytest.mark.parametrize("remedy", [(), ("Do this.",)])
def test_what_cant_be_read_says_why_and_what_to_do(remedy):
    """The reason is the message; the remedy stands beside it, and there always is one."""
    error = Unreadable("it is empty", *remedy)
    assert (str(error), error.why) == ("it is empty", "it is empty")
    assert error.remedy == (remedy[0] if remedy else notebook.AGAIN)


def test_a_notebook_is_read_cell_by_cell_each_in_its_place():
    """A text may be lines; what is no text, or no cell, is passed over and noted."""
    cells = [
        {"cell_type": "markdown", "source": ["# A\n", "b"], "id": "t"},
        code("x = 1", id="c1"),
        "no cell",
        code(["y = 2\n", 3]),
        {"cell_type": "raw", "source": "z"},
    ]
    about = {"metadata": {"irmetrics_edu": {"exercise": "04", "copy": "abc"}}}
    book = parse(book_of(cells, **about))
    assert book.cells == ("", "x = 1", "", "", "")
    assert book.texts == ("# A\nb", "x = 1", "", "", "z")
    assert book.ids == ("t", "c1", "", "", "")
    assert (book.exercise, book.fingerprint) == ("04", "abc")
    assert book.notes == (
        "cell 3 is broken and was passed over",
        "cell 4 is broken and was passed over",
    )
    for metadata in (None, [], {"irmetrics_edu": 3}, {"irmetrics_edu": {"exercise": None}}):
        bare = parse(book_of([code("x")], metadata=metadata))
        assert (bare.exercise, bare.fingerprint) == ("", "")


@rows("broken", range(9))
def test_broken_cells_are_named_up_to_five_and_counted_beyond(broken):
    """Each with its number."""
    notes = parse(book_of([code("x"), *[3] * broken])).notes
    named = [f"cell {2 + place} is broken and was passed over" for place in range(min(broken, 5))]
    more = [f"{broken - 5} more cells are broken and were passed over"] if broken > 5 else []
    assert list(notes) == named + more


@rows(
    ("counts", "order"),
    [
        ([1, 2, 3], (1, 2, 3)),
        ([3, 1, 2], (2, 3, 1)),
        ([5, None, 2], (3, 1)),
        ([None, None, None], ()),
        ([2, 2, 1], ()),
        ([True, 4, 3], (3, 2)),
        (["1", 4, 3.0], (2,)),
    ],
)
def test_cells_were_run_in_the_order_of_their_counts(counts, order):
    """Two of one count are of two sessions, and tell nothing."""
    book = parse(book_of([code(f"x{place}", count) for place, count in enumerate(counts)]))
    assert book.runs == order
    text = {"cell_type": "markdown", "source": "x", "execution_count": 1}
    assert parse(book_of([text, code("x", 2)])).runs == (2,)


@pytest.mark.parametrize(("code_cells", "text_cells"), [*product(range(1, 4), range(3))])
def test_what_is_too_much_is_not_read(code_cells, text_cells, monkeypatch):
    """Of cells, of code, and of text, which code is, too; at the bound it still is."""
    cells = [code("x" * 10)] * code_cells
    cells += [{"cell_type": "markdown", "source": "y" * 10}] * text_cells
    bounds = {"MOST_CELLS": 3, "MOST_CODE": 20, "MOST_TEXT": 30}
    for name, most in bounds.items():
        monkeypatch.setattr(notebook, name, most)
        for other in bounds.keys() - {name}:
            monkeypatch.setattr(notebook, other, 999)
        size = {"MOST_CODE": 10 * code_cells, "MOST_TEXT": 10 * (code_cells + text_cells)}
        size = size.get(name, code_cells + text_cells)
        if size > most:
            with pytest.raises(Unreadable, match=f"{size} .*{most} are the most"):
                parse(book_of(cells))
        else:
            assert len(parse(book_of(cells)).cells) == code_cells + text_cells


def test_the_bounds_are_those_of_the_pages():
    """32 MiB, 2,000,000 characters of code, 8,000,000 of text in all, and 20,000 files."""
    assert archives.MOST_ENTRIES == 20_000
    assert archives._room(1) == archives.FREE
    assert clean("x") == "x"
    found = (notebook.LARGEST, notebook.MOST_CODE, notebook.MOST_TEXT)
    assert found == (32 * 1024 * 1024, 2_000_000, 8_000_000)


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_a_file_is_bounded_in_bytes_and_in_parts(off, monkeypatch):
    """Before anything makes objects of it."""
    data = book_of([code("x", a=[[], [{}]])])
    parts = data.count(b"[") + data.count(b"{")
    for name, size in (("LARGEST", len(data)), ("MOST_PARTS", parts)):
        with monkeypatch.context() as patch:
            patch.setattr(notebook, name, size + off)
            if off < 0:
                with pytest.raises(Unreadable, match=f"has {size} .*{size + off} are the most"):
                    parse(data)
            else:
                assert parse(data).cells == ("x",)


BOM = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"PK\x03\x04", "a zip archive"),
        (b"  <!DOCTYPE html>", "a page made of a notebook"),
        (b"<html>", "a page made of a notebook"),
        (b"%PDF-1.7", "a page made of a notebook"),
        (b'{"cells": [', "it breaks off"),
        (b'{"cells": x}', "column 11"),
        (b'{\n<<<<<<< HEAD\n"cells": []}', "marks of a merge"),
        (b"\xff", "byte 0 can't be read"),
        (b"[" * 100_000, "nested deeper"),
        (b'{"cells": ' + b"9" * 5000 + b"}", "thousands of digits"),
        (b'{"worksheets": []}', "format 3"),
        (b'{"worksheets": [], "cells": 3}', "its cells are no list"),
        (b'{"x": []}', "has no cells"),
        (b"[]", "has no cells"),
        (b'{"cells": []}', "no code in it"),
    ],
    ids=repr,
)
def test_what_is_no_notebook_is_called_what_it_is(data, why):
    """With what helps."""
    with pytest.raises(Unreadable, match=why) as error:
        parse(data)
    assert error.value.remedy
    if why == "column 11":
        assert "breaks off" not in error.value.why


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_notebook_is_read_in_each_coding(coding):
    """With the mark that an editor writes, or without."""
    text = json.dumps({"cells": [code("é = 1")]}, ensure_ascii=False)
    assert parse(text.encode(coding)).cells == ("é = 1",)


# -- archives


def entry(name, size=10, mode=0, flags=0):
    """An entry of an archive, as far as it is looked at."""
    return SimpleNamespace(
        filename=name, file_size=size, external_attr=mode << 16, flag_bits=flags, orig_filename=name
    )


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (entry("a/x.ipynb"), ""),
        (entry("a/x.ipynb", mode=stat.S_IFREG | 0o644), ""),
        (entry("a/x.ipynb", mode=0o644), ""),
        (entry("a/x.ipynb", mode=stat.S_IFLNK | 0o777), "a link or a device"),
        (entry("a/x.ipynb", mode=stat.S_IFIFO), "a link or a device"),
        (entry("a/x.ipynb", flags=1), "encrypted"),
        (entry("a/x.ipynb", flags=0x800), ""),
        (entry("a/x.ipynb", size=notebook.LARGEST), ""),
        (entry("a/x.ipynb", size=notebook.LARGEST + 1), "are the most that is read"),
        (entry("a/x.mp4", size=notebook.LARGEST + 1), "ends in .mp4"),
        (entry("x" * archives.LONGEST_NAME), ""),
        (entry("x" * (archives.LONGEST_NAME + 1)), "name is too long"),
        (entry("/".join(["x" * 200] * 5)), ""),
        (entry("/".join(["x" * 200] * 5) + "/x"), "name is too long"),
        (entry("a/seen.ipynb"), "another file or folder has this name"),
        (entry("A/SEEN.ipynb"), "another file or folder has this name"),
        (entry("folder"), "another file or folder has this name"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.filename[:20],
)
def test_an_entry_is_refused_for_what_it_is(one, why):
    """It alone, with the reason; at each bound it is still taken."""
    try:
        archives._refuse(one, {"a/seen.ipynb"}, {"folder"})
        found = ""
    except Unreadable as error:
        found = error.why
    assert why in found
    assert bool(found) is bool(why)


@rows("name", ["/x", "a//x", "a/../x", "./x", "..", "C:x", "c:/x", "a\\x", "a\0x", "a/./x"])
def test_a_name_that_may_lead_out_is_refused_with_its_archive(name):
    """On whatever system; a folder's own name ends with a slash."""
    with pytest.raises(InputError, match="which no platform writes"):
        archives._inside(entry(name), "x.zip")
    for sound in ("a/x", "a/b/", "ab:c", "a/C:x", "..a/x..", "x y"):
        archives._inside(entry(sound), "x.zip")


@rows(
    ("packed", "room"),
    [
        (0, 64 << 20),
        (335_544, 64 << 20),
        (335_545, 67_109_000),
        (10_737_418, 2_147_483_600),
        (10_737_419, 2 << 30),
        (1 << 40, 2 << 30),
    ],
)
def test_an_archive_may_unpack_to_two_hundred_times_its_size(packed, room):
    """To 64 MiB in any case, and to 2 GiB at most."""
    assert archives._room(packed) == room


def taken_by_hand(entries_, room, most):
    """Those who took least so far come first, notebooks before other files."""
    queue = []
    owners = {}
    for one in entries_:
        owners.setdefault(one.filename.split("/")[0], []).append(one)
    for own in owners.values():
        size = 0
        own.sort(key=lambda one: (not one.filename.endswith(".ipynb"), one.file_size))
        for count, one in enumerate(own, 1):
            size += one.file_size
            queue.append((max(size / room, count / most), one.filename, one.file_size))
    taken, total = [], 0
    for _, name, size in sorted(queue):
        if total + size <= room and len(taken) < most:
            taken.append(name)
            total += size
    return taken


@pytest.mark.parametrize(("room", "most"), [(10, 9), (20, 3), (12, 2)])
def test_those_who_need_most_lose_what_is_beyond(room, most, monkeypatch):
    """In bytes or in files; each entry is taken or named."""
    names = ["ann/a.ipynb", "ann/b.pdf", "ben/c.ipynb", "ben/d.ipynb"]
    monkeypatch.setattr(archives, "MOST_ENTRIES", most)
    for sizes in product([1, 5, 9], repeat=4):
        given = [entry(name, size) for name, size in zip(names, sizes, strict=True)]
        taken, refused = archives._within_room(given, room)
        assert [one.filename for one in taken] == taken_by_hand(given, room, most)
        assert {one.filename for one in taken} | {one.name for one in refused} == set(names)
        assert len(taken) + len(refused) == 4


def zip_of(names):
    """An archive of empty files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in names:
            archive.writestr(name, b"")
    return data.getvalue()


@pytest.mark.parametrize(
    ("names", "is_download"),
    [
        (["a_1_2_x.ipynb", "b_2_3_x.ipynb"], True),
        (["Ann_1_assignsubmission_file_/x.ipynb", "__MACOSX/x"], True),
        (["a_1_2_x.ipynb", "x.ipynb"], False),
        (["__MACOSX/x"], False),
        ([], False),
    ],
)
def test_an_archive_is_a_platforms_if_all_its_names_are(tmp_path, names, is_download):
    """A folder of such archives is one of downloads; other files make it none."""
    path = tmp_path / "one" / "x.zip"
    path.parent.mkdir()
    path.write_bytes(zip_of(names))
    assert archives.downloads(path) == [path]
    assert archives.downloads(path.parent) == ([path] if is_download else [])
    (path.parent / ".hidden").write_text("")
    assert archives.downloads(path.parent) == ([path] if is_download else [])
    (path.parent / "x.txt").write_text("")
    assert archives.downloads(path.parent) == []
    assert archives.downloads(path.parent / "x.txt") == []
    assert archives.downloads(tmp_path / "none") == []
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "x.zip").mkdir()
    assert archives.downloads(tmp_path / "two") == []


# -- the teacher's tables


@pytest.mark.parametrize("most", [0, 0.5, 4])
def test_points_go_from_0_to_the_most_that_can_be_had(most):
    """With a comma, too; nothing is no points, and no number is refused with its place."""
    assert points("", most, "here") is None
    for text in ("0", "0.5", "0,5", "4", "4.0001", "-0.0001", "nan", "inf", "x", "1e999"):
        try:
            number = float(text.replace(",", "."))
        except ValueError:
            number = None
        if number is not None and 0 <= number <= most:
            assert points(text, most, "here") == number
        else:
            with pytest.raises(InputError, match=r"^here: '"):
                points(text, most, "here")


def test_a_line_means_one_student_by_any_name(tmp_path):
    """Two that it may mean, or nobody, are told with the line."""
    people = [Person("ann", "Ann Lee", login="al"), Person("ben", "Ann Lee", email="b@x.org")]
    known = {"ann": {"ann"}, "al": {"ann"}, "ann lee": {"ann", "ben"}}
    assert student_of("AL", known, "x") == "ann"
    with pytest.raises(InputError, match="x: student 'Ann Lee' may mean ann or ben"):
        student_of("Ann Lee", known, "x")
    with pytest.raises(InputError, match="x: student 'anm' is nobody of the class; most like it"):
        student_of("anm", known, "x")
    with pytest.raises(InputError, match="give the class with --roster"):
        student_of("zzz", known, "x")
    path = tmp_path / "t.csv"
    head = ("rule", "exercise", "student", "question")
    path.write_text("Exercise,RULE,student,question\n4,Give,B@X.ORG,q\n05,give\n", "utf-8")
    given = {"once": head[:2], "rules": ("give",), "questions": {"04": ["q"], "05": ["r"]}}
    found = [*entries(path, people, head, **given)]
    assert [where.rpartition(", ")[2] for where, _ in found] == ["line 2", "line 3"]
    assert [cells["exercise"] + cells["student"] for _, cells in found] == ["04ben", "05"]
    assert [cells["rule"] + cells["question"] for _, cells in found] == ["giveq", "give"]
    for line, said in {
        "4,give,,": "line 4: give 04 a second time",
        "6,give,,": "line 4: exercise 06; known are 04, 05",
        "5,take,,": "line 4: rule 'take'",
        "4,give,ann,r": "line 4: give 04 a second time",
        "5,give,ann,q,x": "line 4: 5 fields, and the head has 4",
    }.items():
        path.write_text(f"Exercise,RULE,student,question\n4,Give,ann,q\n05,give\n{line}\n", "utf-8")
        with pytest.raises(InputError, match=said):
            [*entries(path, people, head, **given)]
    path.write_text("exercise,rule,student,question\n4,give,,r\n", "utf-8")
    with pytest.raises(InputError, match="line 2: question 'r'; exercise 04 has q"):
        [*entries(path, people, head, **given)]
    path.write_text("exercise,rule\n", "utf-8")
    with pytest.raises(InputError, match="line 1: the head must be rule,exercise,student,question"):
        [*entries(path, people, head, **given)]
