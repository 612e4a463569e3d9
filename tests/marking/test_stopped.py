"""An answer whose cell stopped with an error is for the teacher to look at, with the error."""

import platform

VERSION = f"Python {platform.python_version()}"
# An answer, and what the report says of it: the error, or nothing where it has no cause to.
CASES = {
    # A statement of a Python that is not out yet.
    "syntax": (
        "def dcg(grades, k=None):\n    later return 1",
        "cell 1, line 2 stopped with Syntax",
    ),
    "file": (
        "labels = open('my-labels.csv').read()\ndef dcg(grades, k=None):\n    return 0",
        "cell 1, line 1 stopped with FileNotFoundError",
    ),
    "needed": (
        "def log(x): return table[x]\ntable = load('mine')",
        "cell 1, line 2 stopped with NameError: name 'load' is not defined",
    ),
    "value": ("total = sum(my_own)", "cell 1, line 1 stopped with NameError"),
    "wrong": ("def dcg(grades, k=None):\n    return 0", ""),
    "scratch": ("dcg = lambda grades, k=None: 0\n", ""),
    "package": ("import notapackage\ndef dcg(grades, k=None):\n    return 0", ""),
}
BELOW = {
    "needed": "def dcg(grades, k=None):\n    return sum(g / log(2) for g in grades)",
    "scratch": "1 / 0  # dcg",
}


def test_an_answer_whose_cell_stopped_is_listed_with_the_error(a_class):
    """Its own cell or one that it needs; not a cell below, a wrong answer or a missing package."""
    for name, (cell, _) in CASES.items():
        cells = [cell, BELOW[name]] if name in BELOW else [cell]
        a_class.hand_in(f"{name}.ipynb", a_class.copy(name, cells))
    assert a_class.grade() == 0
    listed = {}
    for line in a_class.report().splitlines():
        if "stopped with" in line:
            listed[line.split(" | ")[0].removeprefix("| ").strip()] = line
    for name, (_, said) in CASES.items():
        if said:
            assert f"{said}" in listed[name], name
            assert f"({VERSION})" in listed[name], name
    assert listed.keys() == {name for name, (_, said) in CASES.items() if said}
    assert f", by {VERSION}." in a_class.report()
    [feedback] = (a_class.out / "feedback" / "syntax").glob("*.md")
    assert f"It was graded by {VERSION}" in feedback.read_text().replace("\\", "")
