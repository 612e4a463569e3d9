"""Files that are no text, or text in another encoding: called by name, with a way to read them."""

from dataclasses import dataclass

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.files import File


@dataclass(frozen=True)
class OtherFile:
    """A format by its first bytes, and how a file that is read is made of it.

    A data frame is read by a `reader` of pandas; text is in another `encoding`; for what is
    neither, `way` says what to do.
    """

    name: str
    start: bytes
    reader: str = ""
    encoding: str = ""
    way: str = ""

    def remedy(self, file: str) -> str:
        """What makes of it what is read here."""
        if self.reader:
            return (
                'write a table: python -c "import pandas; '
                f"pandas.{self.reader}('{file}').to_csv('out.csv', index=False)\""
            )
        if self.encoding:
            return f"write it in UTF-8: iconv -f {self.encoding} -t UTF-8 {file} > out.txt"
        return self.way


_PICKLE = OtherFile(
    name="a pickle of Python, which can run code when it is loaded and is never loaded here",
    start=b"\x80",
    way="where you trust it, load it and write JSON: json.dump(run, open('run.json', 'w'))",
)
_NO_PICKLE_IS_NEWER = 5  # the version of its protocol, which is the second byte
_FILES = (
    OtherFile(name="a file of Arrow (Feather)", start=b"ARROW1\0\0", reader="read_feather"),
    OtherFile(name="a file of HDF5", start=b"\x89HDF\r\n\x1a\n", reader="read_hdf"),
    OtherFile(
        name="a workbook of Excel",
        start=b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        way="save it as CSV (UTF-8)",
    ),
    OtherFile(
        name="an array of numpy, which holds no ids",
        start=b"\x93NUMPY",
        way="load it with numpy.load, and give rankings of ids: query -> [document, ...]",
    ),
    OtherFile(
        name="a database of SQLite",
        start=b"SQLite format 3\0",
        way="write a table of it: sqlite3 -csv -header FILE 'SELECT ...' > out.csv",
    ),
    OtherFile(
        name="a file of Avro",
        start=b"Obj\x01",
        way="write a line of JSON for each record, as out.jsonl",
    ),
    OtherFile(
        name="a pointer of Git LFS, which stands for a file that was not fetched",
        start=b"version https://git-lfs.github.com/spec/",
        way="fetch the file itself: git lfs pull",
    ),
    OtherFile(
        name="a pointer of git-annex, which stands for a file that was not fetched",
        start=b"/annex/objects/",
        way="fetch the file itself: git annex get",
    ),
    OtherFile(
        name="a file with a conflict of git that nobody solved",
        start=b"<<<<<<< ",
        way="keep one of the two sides, and take out the marks",
    ),
    *(
        OtherFile(
            name="a dictionary as Python prints it, which is no JSON",
            start=start,
            way="write it in Python: json.dump(run, open('run.json', 'w'))",
        )
        for start in (b"{'", b"defaultdict(")
    ),
    OtherFile(name="a PDF", start=b"%PDF-", way="give the data that it was made of"),
    OtherFile(name="text in UTF-32", start=b"\xff\xfe\0\0", encoding="UTF-32"),
    OtherFile(
        name="text in UTF-16, as some consoles write what is sent to a file",
        start=b"\xff\xfe",
        encoding="UTF-16",
    ),
    OtherFile(name="text in UTF-16", start=b"\xfe\xff", encoding="UTF-16"),
)
_IN_A_WORKBOOK = (b"[Content_Types].xml", b"xl/")


def refuse_other_file(file: File) -> None:
    """Refuse a file that is no text, or text in another encoding, by the name of its format."""
    if file.packing == "zip":
        _refuse_workbook(file)
        return
    head = file.head
    for one in _FILES:
        if head.startswith(one.start):
            raise _is_another_file(file, one)
    if head.startswith(_PICKLE.start) and 2 <= head[1:2].ljust(1, b"\0")[0] <= _NO_PICKLE_IS_NEWER:
        raise _is_another_file(file, _PICKLE)


def _refuse_workbook(file: File) -> None:
    """Refuse a zip archive that is a workbook, before it is refused as an archive."""
    with file.bare() as stream:
        start = stream.read(_START_OF_ZIP)
    if all(name in start for name in _IN_A_WORKBOOK):
        raise InputError(f"{file} is a workbook of Excel (.xlsx); save it as CSV (UTF-8)")


_START_OF_ZIP = 1 << 16  # bytes in which the first names of an archive are


def _is_another_file(file: File, one: OtherFile) -> InputError:
    where = f"{file}, line 1: this" if one.encoding else f"{file}"
    return InputError(f"{where} is {one.name}; {one.remedy(file.path.name)}")
