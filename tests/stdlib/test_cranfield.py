"""The reader of a copy of Cranfield: what it reads, and each fault by its file and line."""

from pathlib import Path

import pytest

from irmetrics_edu.course import load_cranfield
from irmetrics_edu.errors import InputError

FILES = {
    "cran.all.1400": ".I 1\n.T\na title\n.W\na wing\n.W\nin a stream\n.I 2\n.T\n.W\n",
    "cran.qry": ".I 001\n.W\nwhat wing ?\n.I 004\n.W\nwhich stream ?\n",
    "cranqrel": "1 1 2 \n2 1 -1\n2 2 4",
}


def folder(tmp_path: Path, **changed: str | None) -> Path:
    """A small collection, with one file changed or taken away."""
    for name, text in {**FILES, **{n.replace("__", "."): t for n, t in changed.items()}}.items():
        if text is not None:
            (tmp_path / name).write_bytes(text.encode("latin-1"))
    return tmp_path


def test_what_is_read(tmp_path):
    """Questions by their order, grades the other way round, a document without text."""
    read = load_cranfield(folder(tmp_path))
    assert read.documents == {"1": "a wing\nin a stream", "2": ""}
    assert read.queries == {"1": "what wing ?", "2": "which stream ?"}
    assert read.qrels == {"people": {"1": {"1": 3}, "2": {"1": 0, "2": 1}}}
    assert "judged by people" in repr(read)
    assert "language models" not in repr(read)
    again = load_cranfield(folder(tmp_path, cranqrel="".join(f"{n}\r\n" for n in ("2 2 1", ""))))
    assert again.qrels == {"people": {"2": {"2": 4}}}


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("cranqrel", None, "has no file cranqrel; name the folder with cran.all.1400"),
        ("cranqrel", "1 1 2\n1 1 2\n", "cranqrel, line 2: document 1 of question 1 is judged in"),
        ("cranqrel", "1 1 6\n", "cranqrel, line 1: '1 1 6' is not a question, a document and"),
        ("cranqrel", "1 1\n", "cranqrel, line 1: '1 1' is not a question"),
        ("cranqrel", "\n1 0 1 2\n", "cranqrel, line 2: '1 0 1 2' is not a question"),
        ("cranqrel", "004 1 2\n", "there is no question 004; the judgments number the 2"),
        ("cranqrel", "4 1 2\n", "by their order in cran.qry, not by its ids"),
        ("cranqrel", "1 3 2\n", "cranqrel, line 1: cran.all.1400 has no document 3"),
        ("cranqrel", "1 1 \xb2\n", "cranqrel, line 1: byte 5 is not ASCII"),
        ("cran__qry", ".I 1\n.W\nx\n.I 01\n", "cran.qry, line 4: record 1 begins in line 1, too"),
        ("cran__qry", "", "cran.qry: no record begins with a line such as '.I 1'"),
        ("cran__all__1400", "x\n.I 1\n", "cran.all.1400, line 1: 'x' stands before the first"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_its_file_and_line(tmp_path, name, text, told):
    """And with what would do."""
    with pytest.raises(InputError) as error:
        load_cranfield(folder(tmp_path, **{name: text}))
    assert told in str(error.value)


def test_the_published_files_are_read_whole(shared):
    """By counting their lines: nothing is left out, and nothing comes in."""
    place = shared / "data" / "cranfield"
    read = load_cranfield(place)
    lines = (place / "cranqrel").read_text("ascii").split("\n")
    expected = [line.split()[:2] for line in lines if line.strip()]
    found = [[q, d] for q, of in read.qrels["people"].items() for d in of]
    assert sorted(found) == sorted(expected)
    begun = (place / "cran.all.1400").read_text("ascii").count("\n.I ") + 1
    assert len(read.documents) == begun == 1400
    assert len(read.topics) == 225
