"""Files of other formats are refused by name; what is nearly so is left to whoever reads it."""

import contextlib

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import other_formats
from irmetrics_edu.reading.column_of_file import ColumnOfFile, exists
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.other_files import refuse_other_file
from tests.tables import rows as each_row


@pytest.fixture
def made(tmp_path):
    """A function from text or bytes to a file of them."""

    def write(held):
        path = tmp_path / "f.txt"
        path.write_bytes(held if isinstance(held, bytes) else held.encode())
        return File(path)

    return write


def check(says, refuse, *given, **beside):
    """Refused with these words, or (None) let through."""
    kind = pytest.raises(InputError, match=says) if says else contextlib.nullcontext()
    with kind:
        refuse(*given, **beside)


NO_RUN = "they are judgments, not a run"
TO_QRELS = r"no lines of TREC; write them as such: awk .* f\.txt > qrels\.txt"
TO_RUN = r"separated by blanks; write them as lines of TREC: awk .* f\.txt > run\.txt"
NO_QRELS = "and no judgments; is this the run"
LINES = [
    ("1::2::5\n", NO_RUN, TO_QRELS),
    ("1::2::5::881250949\n", NO_RUN, TO_QRELS),
    ("u\ti\t3\t881250949\nu\tj\t4.5\t881250950\n", NO_RUN, TO_QRELS),
    ("20001 GX0 0 1 0.5\n", NO_RUN, TO_QRELS),
    ("q1 d1 1\nq1\td2  2\n", TO_RUN, TO_QRELS),
    ("q1 d1 0.5\nq1 d2 -1.5e-3\n", TO_RUN, TO_QRELS),
    ("q1 Q0 d1 1 9.5\n", TO_RUN, NO_QRELS),
    ("q1 d1 1 9.5 bm25\n", TO_RUN, NO_QRELS),
    ("q1 d1 1\nq1 0 d1 1\n", None, None),
    ("q1 0 d1 1\nq1 d1 1\n", None, None),
    ("q1 0 d1 1\n", None, None),
    ("q1 Q0 d1 1 9.5 t\n", None, None),
    ("", None, None),
    ("\n\n", None, None),
    ("q1 Q0 New York 1 2 t\n", "the id 'New York' has a blank in it", None),
    ("q1 Q0 a 1 2 t\nq1 Q0 New York 1 2 t\n", "the id 'New York' has a blank in it", None),
    ("q1:\n  x: 3\n", "looks like YAML", "looks like YAML"),
    ("# c\nq1:\n", "looks like YAML", "looks like YAML"),
    ("---\n- a\n", "looks like YAML", "looks like YAML"),
    ("q1:\n", None, None),
    ("q1:\nwords of it\n", None, None),
    ("words\n  x: 3\n", None, None),
    ("[q1]\nx = 3\n", "looks like TOML", "looks like TOML"),
    ("[q1]\nwords of it\n", None, None),
    ("[q1]\n", None, None),
    (b"x" * 257 + b"ustar\n", "a tar archive", "a tar archive"),
    (b"x" * 256 + b"ustar\n", None, None),
    (b"x" * 258 + b"ustar\n", None, None),
]


@each_row(("held", "as_run", "as_judgments"), LINES)
def test_lines_of_another_format_are_called_by_its_name(made, held, as_run, as_judgments):
    """If all of them are; in either place."""
    file = made(held)
    check(as_run, other_formats.refuse_other_format, file, run=True)
    check(as_judgments, other_formats.refuse_other_format, file, run=False)


BY_BLANKS, BY_PIPES, XML = "separated by blanks and have names", r"separated by '\|'", "XML or HTML"
OTHER_LINES = [
    (b"a\rb", "", "carriage return alone"),
    (b"a\rb\n", "", None),
    (b"ab\r", "", None),
    (b"ab\n", "", None),
    (b"<a>\n", "", XML),
    (b" <a>\n", "", XML),
    (b"<a> b c d e\n", "", XML),
    (b"<q1> 0 d 1\n", "", None),
    (b"<q1> Q0 d 1 2 t\n", "", None),
    (b"a <b>\n", "", None),
    (b"<", "", XML),
    (b"", "", None),
    (b"query|document|score\n", "", BY_PIPES),
    (b'| "qid" | "docno" |\n', "", BY_PIPES),
    (b"query|document|5\n", "", None),
    (b"query|text|x\n", "", None),
    (b"text|document|x\n", "", None),
    (b"query document score\n", "", BY_BLANKS),
    (b"query\tdocument 2\n", "", None),
    (b"query text\n", "", None),
    (b"text document\n", "", None),
    (b"query document score\n", "\t", BY_BLANKS),
    (b"query document,score\n", ",", None),
    (b"query document,score\n", "", None),
    (b"query document ,score\n", "", BY_BLANKS),
    (b"query|document|score,x\n", ",", None),
]


@each_row(("held", "separator", "says"), OTHER_LINES)
def test_lines_and_columns_that_end_otherwise_are_told(made, held, separator, says):
    """By what ends them."""
    check(says, other_formats.refuse_other_lines, made(held), separator)


@each_row(
    ("run", "says"), [(True, "query Q0 document rank score tag"), (False, "query 0 document")]
)
def test_what_a_line_should_hold_is_told_of_a_page(made, run, says):
    """Of a run or of judgments."""
    check(says, other_formats.refuse_other_lines, made("<p>\n"), "", run=run)


IN_CELLS, IN_COLUMNS = (
    "holds several documents in each cell",
    "hold the documents of a query in one",
)
LISTS = [
    ("id,top\nq1,a b\nq2,c\n", IN_CELLS),
    ("id,top\nq1,c\nq2,a b\n", IN_CELLS),
    ("id,top\nq1,\"['a', 'b']\"\n", IN_CELLS),
    ("id,top\nq1,['a']\nq2,c\n", None),
    ("id,top\nq1,a\n", None),
    ("id,document\nq1,a b\n", None),
    ("id,top\n", None),
    ("id,top\nq1,a b,c\n", None),
    ("", None),
    ("top\na b\n", None),
    ("query,doc_1,doc_2\nq1,a,b\n", f"columns 'doc_1' to 'doc_2' {IN_COLUMNS}"),
    ("query,d0,d1,d2\nq1,a,b,c\n", f"columns 'd0' to 'd2' {IN_COLUMNS}"),
    (" QID , d1 , d2 \nq1,a,b\n", IN_COLUMNS),
    ("query,d1,d3\nq1,a,b\n", None),
    ("query,d2,d3\nq1,a,b\n", None),
    ("query,d1,e2\nq1,a,b\n", None),
    ("query,a,b\nq1,a,b\n", None),
    ("text,d1,d2\nq1,a,b\n", None),
    ("query,d1,d2\nq1,a,0.5\n", None),
    ("query,d1,d2\n.5,a,b\n", IN_COLUMNS),
    ("query,d1,d2\nq1,a,b\nq2,-0.5,b\n", None),
    ("query,d1,d2\n", None),
    ("query,d1,d2\nq1,a\n", None),
]


@each_row(("text", "says"), LISTS)
@each_row("separator", [",", ";"])
def test_several_documents_of_a_row_are_told_apart_from_scores(made, text, says, separator):
    """In one cell or in a column for each rank."""
    check(says, other_formats.refuse_lists, made(text.replace(",", separator)), separator)


@each_row(
    ("written", "says"),
    [
        *zip("ESCI", ["gain, 1", "gain, 0.1", "gain, 0.01", "gain, 0"], strict=True),
        (" S ", "gain, 0.1"),
        ("e", ""),
        ("1,5", "write 1.5"),
        ("-1,5", "write -1.5"),
        ("+1,5", "write +1.5"),
        ("1,5,6", ""),
        (",5", ""),
        ("true", "a truth value: write 1"),
        ("No", "a truth value: write 0"),
        (True, "a truth value: write 1"),
        ("maybe", ""),
        (5, ""),
        (None, ""),
    ],
)
def test_what_stands_for_a_number_is_told_with_the_number(written, says):
    """Of anything else nothing is said."""
    found = other_formats.about_no_number(written)
    assert found.endswith(says)
    assert bool(found) == bool(says)


START = 1 << 16
FIRST, SECOND = b"[Content_Types].xml", b"xl/"
ZIP = b"PK\x03\x04"


def archive(end):
    """An archive whose second name ends at this byte."""
    return (ZIP + FIRST).ljust(end - len(SECOND), b"\0") + SECOND + bytes(9)


@each_row(
    ("held", "says"),
    [
        (b"\x80\x02x", "a pickle of Python"),
        (b"\x80\x05x", "a pickle of Python"),
        (b"\x80\x01x", None),
        (b"\x80\x06x", None),
        (b"\x80", None),
        (b"x\x80\x02", None),
        (archive(60), r"a workbook of Excel \(\.xlsx\)"),
        (archive(START), r"a workbook of Excel \(\.xlsx\)"),
        (archive(START + 1), None),
        (ZIP + FIRST + bytes(60), None),
        (ZIP + SECOND + bytes(60), None),
        (b"\xff\xfeq\0", r"f\.txt, line 1: this is text in UTF-16, .*iconv -f UTF-16 "),
        (b"\xff\xfe\0\0q", r"f\.txt, line 1: this is text in UTF-32; .*iconv -f UTF-32 "),
        (b"%PDF-1", r"f\.txt is a PDF; give the data"),
        (b"ARROW1\0\0", r"f\.txt is a file of Arrow .*read_feather\('f\.txt'\)"),
        (b"q1 0 d 1\n", None),
        (b"", None),
    ],
)
def test_a_file_that_is_no_text_is_told_by_its_first_bytes(made, held, says):
    """A pickle by its version, a workbook by the names in its archive."""
    check(says, refuse_other_file, made(held))


@each_row(
    ("name", "path", "column", "value"),
    [
        ("t.csv", "t.csv", "", ""),
        ("t.csv:device", "t.csv", "device", ""),
        ("t.csv:fold=1", "t.csv", "fold", "1"),
        ("t.csv:fold=", "t.csv", "fold", ""),
        ("t.csv:a=b=c", "t.csv", "a", "b=c"),
        ("a:b.csv", "a:b.csv", "", ""),
        ("a:b.csv:c", "a:b.csv", "c", ""),
    ],
)
def test_a_column_is_named_behind_a_file(tmp_path, name, path, column, value):
    """If the file before the colon is there, and none of the whole name is."""
    for one in ("t.csv", "a:b.csv"):
        (tmp_path / one).write_text("query,device\n", encoding="utf-8")
    found = ColumnOfFile(f"{tmp_path}/{name}")
    assert (found.path.name, found.column, found.value) == (path, column, value)
    assert exists(f"{tmp_path}/{name}")


@each_row("name", ["t.csv:", "u.csv", "u.csv:device", ":device", "folder:device"])
def test_what_names_no_column_of_a_file_is_the_name_of_a_file(tmp_path, name):
    """Which is not there."""
    (tmp_path / "t.csv").write_text("query,device\n", encoding="utf-8")
    (tmp_path / "folder").mkdir(exist_ok=True)
    assert not exists(f"{tmp_path}/{name}")
    with pytest.raises(InputError, match="the file does not exist"):
        ColumnOfFile(f"{tmp_path}/{name}")
