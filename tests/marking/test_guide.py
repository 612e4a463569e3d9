"""The teacher's guide: its tables are taken, and it explains every message."""

import ast
import re
import sys
from pathlib import Path

import pytest

import irmetrics_edu
from tests.site import steps

ROOT = Path(irmetrics_edu.__file__).parents[1]
PAGE = ROOT / "docs" / "grading.md"
TEXT = PAGE.read_text(encoding="utf-8")
MARKING = ROOT / "irmetrics_edu" / "classroom" / "marking"


@pytest.mark.slow
def test_the_tables_of_the_page_are_taken(tmp_path):
    """The rules and the marks by hand that it shows are no table that is refused."""
    from irmetrics_edu.classroom.marking.collecting.rosters import read
    from irmetrics_edu.classroom.marking.matching import lateness
    from irmetrics_edu.classroom.marking.reviewing import hand_marks

    files = {block.name: block.text for block in steps.blocks(PAGE) if block.way == "file"}
    for name in ("gradebook.csv", "rules.csv", "example.csv", "groups.csv"):
        (tmp_path / name).write_text(files[name], encoding="utf-8")
    people = read(tmp_path / "gradebook.csv").people
    assert [p.group for p in read(tmp_path / "groups.csv").people] == ["Team A", "Team A", ""]
    rules = lateness.read(tmp_path / "rules.csv", ["20"], people)
    assert rules.deadline("Lee, Ann", "20").isoformat() == "2026-12-01T23:59:00+01:00"
    assert rules.deadline("Müller, Su", "20").isoformat() == "2026-11-29T23:59:00+01:00"
    points = {"20": {"dcg": 4.0, "why": 3.0}}
    found = hand_marks.read_manual(tmp_path / "example.csv", points, people)
    assert found["Ode, Jo", "20", ""].marks == 5


def test_every_rule_option_and_file_is_named():
    """What the table of lateness may say, what the command takes, and what it writes."""
    import argparse

    from irmetrics_edu.classroom.marking.matching.lateness import RULES
    from irmetrics_edu.commands.grade import add_arguments

    assert [r for r in RULES if f"| `{r}` |" not in TEXT] == []
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    options = {o for action in parser._actions for o in action.option_strings}
    told = options - {"-h", "--help", "--exercise", "--sources", "--workers"}
    assert {o for o in told if f"`{o}" not in TEXT and f" {o} " not in TEXT} == set()
    for name in ("canvas.csv", "moodle-worksheet.csv", "marks.json", "report.html", "manual.csv"):
        assert name in TEXT


# The messages of "To look at", as the code has them.


def texts(node):
    """The texts in a piece of code, with ... for what is put into them, also by its name."""
    inside = set()
    for part in ast.walk(node):
        if isinstance(part, ast.JoinedStr):
            inside |= {id(p) for p in ast.walk(part)}
            fixed = [v.value if isinstance(v, ast.Constant) else "..." for v in part.values]
            yield "".join(fixed)
    for part in ast.walk(node):
        if (
            isinstance(part, ast.Constant)
            and isinstance(part.value, str)
            and id(part) not in inside
        ):
            yield re.sub(r"\{\w+\}", "...", part.value)


def messages():
    """What the report may say under "To look at": reasons, notes, and words of its own.

    A reason is what Unreadable and Refused are made with. A note comes from a function or a
    constant that is named in `places`.
    """
    places = {
        "_student", "answered", "notes_on", "aside", "absent", "long_code",
        "note", "UNKNOWN", "UNTIMED", "BY_NAME", "NO_STEP", "TO_MARK",
        "PENDING", "MISSING", "_by_moodle", "_by_canvas", "_another", "_new", "_one",
        "_to_look_at", "_of_one_copy", "NAMELESS", "cut", "seen", "_end", "refused", "STARTED",
        "ABOVE", "import_failed", "defined_again", "NOBODYS", "_of_line",
        "UNBELIEVED", "OTHER_DATA", "as_checked", "AS_RUN",
    }  # fmt: skip
    of_stamps = {"NO_STAMP", "AS_UTC", "TWICE"}
    found = set()
    for path in files():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            name = getattr(getattr(node, "func", None), "id", "")
            at = {"Unreadable": 0, "Refused": 1}.get(name)
            if at is not None and len(node.args) > at:
                found |= {*texts(node.args[at])}
            found |= set(_of_statement(node, path.stem))
        for node in tree.body:
            names = [getattr(node, "name", "")]
            if isinstance(node, ast.Assign):
                names = [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
            tables = path.name in {"lateness.py", "rosters.py"}
            if (of_stamps if tables else places) & set(names):
                doc = ast.get_docstring(node, clean=False) if hasattr(node, "body") else None
                found |= {t for t in texts(node) if t != doc}
    return {text for text in found if len(re.findall(r"[a-z]{2,}", text)) > 1}


def files():
    """The code of the messages: that of marking, and what says how a process ended."""
    return [*sorted(MARKING.rglob("*.py")), *MARKING.parent.glob("grading/sandbox.py")]


def _of_statement(node, module):
    """Texts that become a reason or a note: why=..., why = ..., notes = ..., notes.append(...)."""
    names = {"why", "notes"} if module in {"reading", "whose", "names", "archives"} else {"notes"}
    if isinstance(node, ast.keyword) and node.arg in names:
        yield from texts(node.value)
    if any(isinstance(t, ast.Name) and t.id in names for t in getattr(node, "targets", [])):
        yield from texts(node.value)
    call = getattr(node, "func", None)
    if isinstance(call, ast.Attribute) and ast.unparse(call) == "notes.append":
        yield from texts(node)


def table():
    """The messages of the guide's last table."""
    lines = TEXT.split('## What does "To look at" say?')[1].splitlines()
    cells = [line.split(" | ")[0].removeprefix("| ") for line in lines if line.startswith("| `")]
    return [one.strip("`") for cell in cells for one in cell.split("<br>")]


def fixed(message):
    """The words of a message, without what differs."""
    return " ".join(re.sub(r"\.\.\.|[^\w' ]", " ", message.casefold()).split())


def test_every_message_of_to_look_at_is_explained():
    """The texts in the code, each in a row of the guide; the table says nothing else, either."""
    said = " / ".join(map(fixed, table()))
    found = messages() - {"To look at", "PermissionError"}
    assert len(found) > 30
    assert sorted(m for m in found if fixed(m) not in said) == []
    everything = " / ".join(
        fixed(t) for path in files() for t in texts(ast.parse(path.read_text(encoding="utf-8")))
    )
    assert [row for row in table() if fixed(row) not in everything] == []


def test_a_new_message_would_be_missed_on_the_page(monkeypatch, tmp_path):
    """The check can fail: a reason that the guide does not know is named."""
    (tmp_path / "new.py").write_text('raise Unreadable("it is written in invisible ink")')
    monkeypatch.setattr(sys.modules[__name__], "MARKING", tmp_path)
    assert fixed("it is written in invisible ink") not in " / ".join(map(fixed, table()))
    assert messages() == {"it is written in invisible ink"}


@pytest.mark.slow
def test_what_a_report_says_is_in_the_table(a_class):
    """A class of odd submissions: each part of what the report says fits a row of the guide."""
    a_class.hand_in("ann/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("ben/77_two.ipynb", a_class.copy("ann"))
    a_class.hand_in("cy/77_two.ipynb", "")
    a_class.hand_in("di/77_two.pdf", b"%PDF")
    a_class.hand_in("eve/77_two.ipynb", a_class.copy("eve", ["import torch", "x = 1\nx = 2"]))
    a_class.hand_in("fay/77_two.ipynb", {"cells": [{}, {"cell_type": "code", "source": "y = 1"}]})
    a_class.hand_in("gus/essay.ipynb", {"cells": [{"cell_type": "code", "source": "z = 1"}]})
    a_class.hand_in("hal/77_two.ipynb", a_class.copy("hal"))
    a_class.hand_in("hal/77_two (2).ipynb", a_class.copy("hal"))
    (a_class.folder / "roster").write_text("student\nann\nben\nzed\n")
    (a_class.folder / "late").write_text(
        "rule,exercise,student,value\ndue,,,2026-01-01T00:00Z\n", encoding="utf-8"
    )
    a_class.grade(
        "--roster", str(a_class.folder / "roster"), "--late", str(a_class.folder / "late")
    )
    report = a_class.report()
    lines = report.split("## To look at")[1].split("## ")[0].splitlines()
    rows = [part for row in table() for part in row.split("; ")]
    patterns = [re.escape(row).replace(re.escape("..."), ".+") for row in rows]
    cells = [line.split(" | ")[-1].removesuffix(" |") for line in lines if line.startswith("| ")]
    said = [part for cell in cells[1:] for part in cell.split("; ")]
    assert len(said) > 12
    assert [p for p in said if not any(re.search(f"(?i){x}", p) for x in patterns)] == []
