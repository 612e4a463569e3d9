"""What students do to a notebook before they hand it in: habits, mishaps and tricks by name.

A habit is given the student's solved copy as plain data. It changes it, or gives the bytes or the
text that are handed in instead.
"""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

Book = dict[str, Any]
# What is handed in: a notebook as data, or a file as it is.
HandedIn = Book | str | bytes
Habit = Callable[[Book], HandedIn]

FULL = "A first measure with its reason, and a second one with another."
HALF = "Two measures, and for one of them a reason."
DISPUTED = "A measure with a reason that two may read in two ways."
COLLIDING = "{i * ((1 << 61) - 1) + 1: 0 for i in range(9_000)}"
DEEP = "    x = [0] * 20_000\n    for _ in range(50):\n        x = [x]\n    return x\n"
EQUALS_ALL = (
    "class Right(float):\n    __hash__ = float.__hash__\n\n    def __eq__(self, other):\n"
    "        return True\n\ndef precision(retrieved, relevant):\n    return Right()\n"
)


def cell(book: Book, name: str) -> dict[str, Any]:
    """The cell with this id, without the number of the exercise."""
    [found] = [one for one in book["cells"] if one.get("id", "")[3:] == name]
    return found


def answered(book: Book, name: str, text: str) -> Book:
    """Write another text into a cell."""
    cell(book, name)["source"] = text
    return book


def code(text: str, count: int | None = None) -> dict[str, Any]:
    """A cell of code that the student added."""
    return {
        "cell_type": "code",
        "id": f"added-{abs(hash(text)) % 10**6}",
        "metadata": {},
        "outputs": [],
        "execution_count": count,
        "source": text,
    }


def below(book: Book, name: str, text: str) -> Book:
    """Add a cell of code below another; "" for the end."""
    cells = book["cells"]
    place = cells.index(cell(book, name)) + 1 if name else len(cells)
    cells.insert(place, code(text))
    return book


def as_it_is(book: Book) -> HandedIn:
    """All right."""
    return book


def with_prompts(book: Book) -> HandedIn:
    """Each answer as IPython shows it."""
    for one in _answers(book):
        first, *more = one["source"].split("\n")
        one["source"] = "\n".join([f"In [3]: {first}", *(f"   ...: {line}" for line in more)])
    return book


def with_python_prompts(book: Book) -> HandedIn:
    """Each answer as Python's own prompt shows it."""
    for one in _answers(book):
        first, *more = one["source"].split("\n")
        one["source"] = "\n".join([f">>> {first}", *(f"... {line}" for line in more)])
    return book


def _answers(book: Book) -> list[dict[str, Any]]:
    """The cells of code that hold answers: those above a check."""
    cells = book["cells"]
    found = []
    for one, following in pairwise(cells):
        if one["cell_type"] == "code" and following.get("id", "")[3:].startswith("check-"):
            found.append(one)
    return found


def out_of_order(book: Book) -> HandedIn:
    """The counts need a name from a cell at the end, which was run first."""
    answered(
        book,
        "counts",
        "counts = [both, len(retrieved) - both, len(relevant) - both]\ncounts += [n - sum(counts)]",
    )
    at_end = code("both = len(set(retrieved) & set(relevant))")
    cells = [one for one in book["cells"] if one["cell_type"] == "code"]
    order = [*cells[:2], at_end, *cells[2:]]
    for count, one in enumerate(order, 1):
        one["execution_count"] = count
    book["cells"].append(at_end)
    return book


def copied_cell(book: Book) -> HandedIn:
    """A first version of an answer, and a second one in a cell below it."""
    right = cell(book, "precision")["source"]
    answered(book, "precision", "def precision(retrieved, relevant):\n    return 1.5\n")
    return below(book, "precision", right)


def ids_lost(book: Book) -> HandedIn:
    """As a notebook comes back from another editor: no ids, no metadata, format 4.4."""
    for one in book["cells"]:
        one.pop("id", None)
        one["metadata"] = {"colab": {"base_uri": "https://colab.example/"}}
    return book | {"metadata": {"colab": {"provenance": []}}, "nbformat_minor": 4}


def in_another_cell(book: Book) -> HandedIn:
    """One answer is written into the cell of another, and its own cell is deleted."""
    text = cell(book, "jk-dcg")["source"]
    above = cell(book, "exp-ndcg")
    above["source"] += f"\n\n\n{text}"
    book["cells"].remove(cell(book, "jk-dcg"))
    return book


def without_cell(book: Book) -> HandedIn:
    """The cell of DCG is deleted."""
    book["cells"].remove(cell(book, "dcg"))
    return book


def as_text(book: Book) -> HandedIn:
    """The cell of an answer is turned into Markdown."""
    one = cell(book, "swap")
    one["cell_type"] = "markdown"
    del one["outputs"], one["execution_count"]
    return book


def format_3(book: Book) -> HandedIn:
    """A notebook as IPython wrote it until 2015."""
    cells = [
        {"cell_type": "code", "input": one["source"], "outputs": []}
        for one in book["cells"]
        if one["cell_type"] == "code"
    ]
    sheet = {"cells": cells, "metadata": {}}
    return {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [sheet]}


def dumped(book: Book) -> str:
    """The notebook as its file has it."""
    return json.dumps(book, ensure_ascii=False, indent=1)


def replaced(name: str, text: str) -> Habit:
    """The habit of another text in a cell."""
    return lambda book: answered(book, name, text)


def added(name: str, text: str) -> Habit:
    """The habit of a cell below another; "" for the end."""
    return lambda book: below(book, name, text)


def above(name: str, text: str) -> Habit:
    """The habit of lines above an answer, in its cell."""
    return lambda book: answered(book, name, text + cell(book, name)["source"])


def instead(content: str | bytes) -> Habit:
    """The habit of a file that is no notebook."""
    return lambda _: content


def table_of(body: str) -> str:
    """An answer to the last question of exercise 1 with this body."""
    return f"def from_table(tp, fp, fn, tn):\n{body}"


AGAIN = "recall = recall(retrieved, relevant)\nprint(recall)"
LATER_PYTHON = """\
def precision(retrieved, relevant):
    print(f"{", ".join(retrieved)}")
    return len(set(retrieved) & set(relevant)) / len(retrieved)"""
SHARES = "    everything = tp + fp + fn + tn\n    return [tp / (tp + fp), tp / (tp + fn), "
TELLS_ON_ALL = (
    "    import os\n    for n in range(3, 20):\n        try:\n            os.write(n, b'{}, {}')\n"
    "        except OSError:\n            pass\n    return [1]"
)
FORKS = (
    "    import os, time\n    for _ in range(50):\n        if os.fork() == 0:\n"
    "            time.sleep(20)\n            os._exit(0)\n    return [1]"
)
BETA = (
    "def f_beta(retrieved, relevant, beta):\n"
    "    p, r = precision(retrieved, relevant), recall(retrieved, relevant)\n"
    "    return (1 + beta) * p * r / (beta * p + r) if p + r else 0.0\n"
)
DCG_OF_2 = (
    "def dcg(grades, k=None):\n"
    "    return sum(g / math.log2(i + 2) for i, g in enumerate(grades[:k], start=1))\n"
)

HABITS: dict[str, Habit] = {
    "all right": as_it_is,
    "a name used again below": added("", AGAIN),
    "a loop over the name": added("", "for recall in [0.1, 0.2]:\n    print(recall)"),
    "a generator": added("counts", "counts = (one for one in counts)"),
    "prompts In [3]": with_prompts,
    "prompts >>>": with_python_prompts,
    "cells out of order": out_of_order,
    "opens a file of their own": above("precision", "own = open('mine.txt').read()\n"),
    "quotes of a later Python": replaced("precision", LATER_PYTHON),
    "changed data": added("code-03", "retrieved = retrieved[:1] + ['d99', 'd98']"),
    "cut in the upload": lambda book: dumped(book)[:600],
    "a merge not finished": lambda book: dumped(book).replace(
        '\n "metadata"', '\n<<<<<<< HEAD\n "metadata"', 1
    ),
    "an empty file": instead(""),
    "a PDF inside": instead(b"%PDF-1.7 \xff\xfe"),
    "a zip inside": instead(b"PK\x03\x04 \xff\xfe"),
    "saved as UTF-16": lambda book: dumped(book).encode("utf-16"),
    "BOM and CRLF": lambda book: dumped(book).replace("\n", "\r\n").encode("utf-8-sig"),
    "format 3": format_3,
    "no cells": instead('{"metadata": {}}'),
    "a number of 5,000 digits": lambda book: dumped(book | {"big": 7}).replace(
        '"big": 7', f'"big": {"7" * 5_000}'
    ),
    "a split cell": added("from-table", "everything = 1\n\nextra = [everything]"),
    "a value that equals everything": replaced("precision", EQUALS_ALL),
    "writes on the grader's channel": replaced("from-table", table_of(TELLS_ON_ALL)),
    "an endless loop": above("f-beta", "while True:\n    pass\n"),
    "eats the memory": replaced("from-table", table_of("    return [len(bytearray(8 << 30))]")),
    "forks": replaced("from-table", table_of(FORKS)),
    "ends the process": replaced("from-table", table_of("    import os\n    os._exit(0)")),
    "a colliding dict": lambda book: answered(
        answered(book, "counts", f"counts = {COLLIDING}"),
        "from-table",
        table_of(f"    return {COLLIDING}"),
    ),
    "a deep list": replaced("recall", f"def recall(retrieved, relevant):\n{DEEP}"),
    "beta not squared": replaced("f-beta", BETA),
    "an answer twice": copied_cell,
    "magics and shell lines": above("precision", "%matplotlib inline\n!ls\n"),
    "a map and a generator": lambda book: below(
        below(book, "contributions", "contributions = (one for one in contributions)"),
        "four",
        "four = map(float, four)",
    ),
    "names of exercise 4 used again": lambda book: below(
        below(book, "", "dcg = dcg([3, 2, 1])"), "", "for contributions in [1, 2]:\n    pass"
    ),
    "changed data of exercise 4": added("code-11", "ranking = ranking[::-1]"),
    "another discount": replaced("dcg", DCG_OF_2),
    "a colliding value": replaced("four", f"four = {COLLIDING}"),
    "a deep value": replaced("contributions", f"def value():\n{DEEP}\n\ncontributions = value()"),
    "an error in the cell": above("four", "1 / 0\n"),
    "half a text": lambda book: with_text(book, HALF),
    "a disputed text": lambda book: with_text(book, DISPUTED),
    "an endless cell above": added("setup", "def rest():\n    while True: pass\n\nleft = rest()"),
    "an exit below": added("", "import os; os._exit(0)"),
    "DCG eats the memory": replaced(
        "jk-dcg", "def jk_dcg(grades, b):\n    return len(bytearray(8 << 30))"
    ),
    "prints without end": replaced(
        "swap", "def swap(grades, i, j):\n    while True:\n        print('x' * 1_000_000)"
    ),
    "ids lost": ids_lost,
    "an answer as text": as_text,
    "an answer in another cell": in_another_cell,
    "a cell deleted": without_cell,
}


def with_text(book: Book, text: str) -> Book:
    """The notebook with this answer below what was handed out for the free text."""
    [one] = [one for one in book["cells"] if one.get("id", "")[3:].startswith("which-")]
    heading = one["source"].partition("\n")[0]
    one["source"] = f"{heading}\n\n{text}"
    return book
