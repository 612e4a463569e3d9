"""Bad input to the grader itself: one line that names the file, the cause and what to do."""

import pytest

from irmetrics_edu.cli import main

# What is changed: a file's name and content (None: a folder), and the options that lead to it.
BROKEN = {
    "no key": ({}, {"--key": "nokey"}, "no such file", "make one with"),
    "a folder as key": ({"k": None}, {"--key": "k"}, "k is a folder", "name the file"),
    "a short key": ({"k": b"short"}, {"--key": "k"}, "at least 16 bytes", "make one with"),
    "an empty key": ({"k": b""}, {"--key": "k"}, "this one 0", "make one with"),
    "no submissions": ({}, {"": "nothere"}, "no such folder", "nothere"),
    "an empty folder": ({"e": None}, {"": "e"}, "nothing was handed in", "name the folder"),
    "results in a file": ({"o": b"x"}, {"--out": "o"}, "o is a file", "name a folder"),
    "results below a file": ({"o": b"x"}, {"--out": "o/p"}, "o is a file", "name a folder"),
    "results among submissions": ({}, {"--out": "in/out"}, "is inside", "name a folder"),
    "another exercise": ({}, {"--exercise": "99"}, "no such source", "known are 77"),
    "a number without its 0": ({}, {"--exercise": "7"}, "no such source", "known are 77"),
    "no sources": ({}, {"--sources": "nosuch"}, "no source", "--sources"),
    "a file as sources": ({"s": b"x"}, {"--sources": "s"}, "no source", "--sources"),
    "a spec that stops": (
        {"s/77_x.py": b'# %% tags=["spec"]\n\nspec = 1 / 0\n'}, {"--sources": "s"},
        "77_x.py, line 3: ZeroDivisionError", "correct",
    ),
    "a spec that breaks off": (
        {"s/77_x.py": b'# %% tags=["spec"]\nspec = (\n'}, {"--sources": "s"},
        "77_x.py, line 2: SyntaxError", "correct",
    ),
    "a source in another encoding": (
        {"s/77_x.py": b"# %%\n'\xff'\n"}, {"--sources": "s"}, "77_x.py, line 2: byte 6",
        "save it as UTF-8",
    ),
    "tags without quotes": (
        {"s/77_x.py": b"# %% tags=[spec]\nspec = 3\n"}, {"--sources": "s"},
        "77_x.py, line 1", 'tags=["spec"]',
    ),
    "a source without a spec": (
        {"s/77_x.py": b"# %%\nx = 3\n"}, {"--sources": "s"}, "77_x.py", "spec",
    ),
    "no roster": ({}, {"--roster": "r.csv"}, "r.csv is not there", "name a CSV file"),
    "a folder as roster": ({"r": None}, {"--roster": "r"}, "r is a folder", "name a CSV file"),
    "an empty roster": ({"r": b""}, {"--roster": "r"}, "no column", "write a head"),
    "a roster in Latin-1": (
        {"r": b"student,name\nann,Andr\xe9\n"}, {"--roster": "r"},
        "byte 21", "save it as CSV UTF-8",
    ),
    "a student twice": (
        {"r": b"student,name\nann,A\nann,B\n"}, {"--roster": "r"}, "line 3", "a second time",
    ),
    "an unknown column": (
        {"r": b"student,nme\nann,A\n"}, {"--roster": "r"}, "column 'nme'", "known are",
    ),
    "too many fields": (
        {"r": b"student,name\nann,A,too\n"}, {"--roster": "r"}, "line 2: 3 fields", "quote",
    ),
    "no limit": ({}, {"--limit": "cpu=fast"}, "cpu=fast", "give a number"),
    "an unknown limit": ({}, {"--limit": "gpu=1"}, "gpu=1", "known are"),
    "no workers": ({}, {"--workers": "0"}, "--workers: '0'", "number of 1 or more"),
    "marks by hand without a head": (
        {"out/manual.csv": b"ann,77,,3,\n"}, {}, "manual.csv, line 1", "the head must be",
    ),
    "marks by hand beyond the most": (
        {"out/manual.csv": b"student,exercise,question,marks,comment\nann,77,dcg,9,\n"}, {},
        "manual.csv, line 2", "give 0 to 4",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_the_file_the_cause_and_the_next_step(case, a_class, capsys, monkeypatch):
    """One line on standard error, exit code 2, no number of an error, and nothing is graded."""
    files, options, cause, step = BROKEN[case]
    monkeypatch.chdir(a_class.folder)
    for name, content in files.items():
        path = a_class.folder / name
        path.parent.mkdir(exist_ok=True)
        path.mkdir() if content is None else path.write_bytes(content)
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.work.rename(a_class.folder / "in")
    used = {"": "in", "--key": "key", "--out": "out", "--sources": "sources", **options}
    words = [used.pop(""), *(word for pair in used.items() for word in pair)]
    assert main(["grade", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    assert said.startswith("irmetrics-edu grade: ")
    assert cause in said
    assert step in said
    assert "Errno" not in said
    assert not (a_class.folder / "out" / "results").exists()


@pytest.mark.slow
def test_a_notebook_of_another_exercise_is_noted(a_class):
    """Marked as `--exercise` says, with a note to the teacher of what the notebook says."""
    book = a_class.copy("ann")
    book.metadata["irmetrics_edu"]["exercise"] = "04"
    a_class.hand_in("ann/77_two.ipynb", book)
    a_class.grade("--exercise", "77")
    report = a_class.report()
    assert "the notebook is of exercise 04, and was marked as 77" in report
