"""Answers that were written for a later Python than that of the teacher's machine."""

import platform
import sys

VERSION = f"Python {platform.python_version()}"
HEAD = "import math\ndef dcg(grades, k=None):"
SUM = "sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))"
# What `check` accepts with a later Python, and each Python that grades can mark.
READ = {
    "quotes": f'{HEAD}\n    print(f"{{", ".join(map(str, grades))}}")\n    return {SUM}',
    "parameters": "import math\ndef dcg[T: float](grades: list[T], k: int | None = None) -> T:\n"
                  f"    return {SUM}",
    "alias": "type Grades = list[int]\nimport math\ndef dcg(grades: Grades, k=None):\n"
             f"    return {SUM}",
    "exceptions": f"{HEAD}\n    try:\n        return {SUM}\n"
                  "    except IndexError, TypeError:\n        return 0",
    "annotations": f"import math\ndef dcg(grades: Later, k=None) -> Later:\n    return {SUM}\n"
                   "class Later: pass",
    "command": f'!pip install scipy\n{HEAD}\n    f"{{"a"}}"\n    return {SUM}',
}  # fmt: skip
# What only a later one has, and what the report says of it.
LATER = {
    "function": (f"{HEAD}\n    return math.not_yet(grades)",
                 "cell 1, line 3 stopped with AttributeError: module 'math' has no attribute"),
    "import": (f"from itertools import not_yet\n{HEAD}\n    return not_yet(grades)",
               "cell 1, line 1: cannot import name 'not_yet' from 'itertools' (unknown location)"),
}  # fmt: skip
if sys.version_info < (3, 14):
    LATER["template"] = (
        f'{HEAD}\n    t"{{k}}"\n    return 0',
        "cell 1, line 3 stopped with SyntaxError",
    )
    LATER["module"] = (f"import compression.zstd\n{HEAD}\n    return compression.zstd.x",
                       "cell 1, line 1: No module named 'compression'")  # fmt: skip


def test_a_later_python_is_read_or_named(a_class):
    """Full marks where it can be read; else the answer is to look at, with the version."""
    for name, cell in READ.items():
        a_class.hand_in(f"{name}.ipynb", a_class.copy(name, [cell]))
    for name, (cell, _) in LATER.items():
        a_class.hand_in(f"{name}.ipynb", a_class.copy(name, [cell]))
    assert a_class.grade() == 0
    marks = {name: a_class.marks(f"{name}.ipynb")[1] for name in READ}
    assert marks == dict.fromkeys(READ, 4)
    report = a_class.report()
    for name, (_, said) in LATER.items():
        [line] = [line for line in report.splitlines() if said in line]
        assert f"({VERSION})" in line, name
        [feedback] = (a_class.out / "feedback" / name).glob("*.md")
        assert f"It was graded by {VERSION}" in feedback.read_text().replace("\\", "")


def test_what_no_later_python_has_is_not_said_to_be_one(a_class):
    """An error of the student's own, and a package that is not there."""
    cells = {
        "own": f"{HEAD}\n    return grades.not_yet",
        "package": f"import torch\n{HEAD}\n    return torch.x",
    }
    for name, cell in cells.items():
        a_class.hand_in(f"{name}.ipynb", a_class.copy(name, [cell]))
    assert a_class.grade() == 0
    for name in cells:
        [feedback] = (a_class.out / "feedback" / name).glob("*.md")
        assert "later versions" not in feedback.read_text()
