"""The Cranfield collection, which people judged: read from a copy that the reader has.

The package does not ship it. The three files are those that are handed around: abstracts, queries,
judgments. Each fault of a file is refused with its line; nothing is left out or repaired.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irmetrics_edu.course.collection.collection_files import Collection, Grades, Scores, Topic
from irmetrics_edu.errors import InputError

ABSTRACTS = "cran.all.1400"
QUERIES = "cran.qry"
JUDGMENTS = "cranqrel"
# Cleverdon's codes run from 1, a complete answer, to 4, of minimum interest; -1 and 5 are of none.
GRADE = {"1": 4, "2": 3, "3": 2, "4": 1, "5": 0, "-1": 0}
PROVENANCE = (
    "People judged: the documents of each question were graded by those who had asked it. "
    "Judgments number the questions by their order in cran.qry. Code 1, a complete answer, is "
    "grade 4 here, and code 4 is grade 1; -1 and 5 are grade 0."
)
_START = re.compile(r"\.I +(\d+) *")


def load_cranfield(folder: str | Path) -> Collection:
    """The Cranfield collection from your own copy: a folder with its three files.

    The files are `cran.all.1400`, `cran.qry` and `cranqrel`. Topics are numbered "1" to "225" by
    their order in `cran.qry`, as the judgments number them: the ids of that file have gaps. Grades
    run from 4, a complete answer, to 0, where the codes of the file run from 1 to 4 and -1. Two
    documents have no text and stay so. InputError names a fault with its file and line: a missing
    file, a record or a judgment that stands there twice, an unknown code, question or document.

    >>> load_cranfield("no-such-folder")
    Traceback (most recent call last):
    irmetrics_edu.errors.InputError: no-such-folder has no file cran.all.1400; name the folder ...
    """
    folder = Path(folder)
    for name in (ABSTRACTS, QUERIES, JUDGMENTS):
        if not (folder / name).is_file():
            raise InputError(
                f"{folder} has no file {name}; name the folder with {ABSTRACTS}, {QUERIES} and "
                f"{JUDGMENTS} of the Cranfield collection"
            )
    documents = _records(folder / ABSTRACTS)
    topics = {}
    for place, question in enumerate(_records(folder / QUERIES).values(), 1):
        topics[str(place)] = Topic(str(place), question, question, "question")
    qrels = _judgments(folder / JUDGMENTS, topics, documents)
    return Collection(
        "cranfield",
        documents,
        topics,
        {"people": qrels},
        aspects={},
        runs={},
        provenance=PROVENANCE,
        judges="people",
    )


def _records(path: Path) -> dict[str, str]:
    """The text of each record by its id: what follows its line `.W`."""
    lines_of: dict[str, list[str]] = {}
    begun: dict[str, int] = {}
    current = ""
    has_text = False
    for number, line in _lines(path):
        start = _START.fullmatch(line)
        if start:
            current = str(int(start[1]))
            has_text = False
            if current in begun:
                raise InputError(
                    f"{path}, line {number}: record {current} begins in line {begun[current]}, "
                    "too; take one of the two out"
                )
            begun[current] = number
            lines_of[current] = []
        elif not current and line.strip():
            raise InputError(
                f"{path}, line {number}: {line[:40]!r} stands before the first record; a record "
                "begins with a line such as '.I 1'"
            )
        elif line.rstrip() == ".W":
            has_text = True
        elif has_text:
            lines_of[current].append(line)
    if not lines_of:
        raise InputError(f"{path}: no record begins with a line such as '.I 1'")
    texts = {}
    for identifier, lines in lines_of.items():
        texts[identifier] = "\n".join(lines).strip()
    return texts


def _judgments(path: Path, topics: dict[str, Topic], documents: dict[str, str]) -> Grades:
    """The grades, higher is better, of each question's documents."""
    grades: Grades = {}
    lines: dict[tuple[str, str], int] = {}
    for number, line in _lines(path):
        words = line.split()
        if not words:
            continue
        place = f"{path}, line {number}: "
        if len(words) != 3 or words[2] not in GRADE:
            raise InputError(
                f"{place}{line[:60]!r} is not a question, a document and a code of "
                f"{', '.join(GRADE)}"
            )
        question, document, code = words
        if question not in topics:
            raise InputError(
                f"{place}there is no question {question}; the judgments number the {len(topics)} "
                f"questions by their order in {QUERIES}, not by its ids"
            )
        if document not in documents:
            raise InputError(f"{place}{ABSTRACTS} has no document {document}")
        if (question, document) in lines:
            raise InputError(
                f"{place}document {document} of question {question} is judged in line "
                f"{lines[question, document]}, too; take one of the two out"
            )
        lines[question, document] = number
        grades.setdefault(question, {})[document] = GRADE[code]
    return grades


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file in ASCII, with their numbers from 1."""
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            yield number, line.decode("ascii")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}, line {number}: byte {error.start + 1} is not ASCII; the collection is "
                "plain ASCII, so this is another file or a damaged one"
            ) from None


def recorded(chapter: str) -> dict[str, list[Any]]:
    """The columns that a chapter computes over Cranfield, as they were measured once.

    >>> recorded("ranking_is_not_a_set")["engine"]
    ['bm25', 'lsa']
    """
    text = Path(__file__).with_name("cranfield.toml").read_text(encoding="utf-8")
    columns: dict[str, list[Any]] = tomllib.loads(text)[chapter]
    return columns


def runs_over(collection: Collection) -> dict[str, Scores]:
    """The first 50 documents of BM25 and of LSA, with the engines of the collection *stdlib*."""
    from irmetrics_edu.course.collection.collection_engines import DEPTH, Bm25, Lsa
    from irmetrics_edu.lab.efficiency.engines import Document
    from irmetrics_edu.lab.efficiency.measures import answer, index

    documents = [Document(*each) for each in collection.documents.items()]
    runs: dict[str, Scores] = {}
    for name, engine in (("bm25", Bm25()), ("lsa", Lsa())):
        index(engine, documents)
        runs[name], _ = answer(engine, collection.queries, DEPTH)
    return runs
