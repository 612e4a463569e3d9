"""Cells as Jupyter reads and runs them: prompts, commands, files that are written, errors."""

import __future__

import ast
import importlib
import linecache
import sys
import types

import pytest

from irmetrics_edu.classroom.grading import cell_runner
from irmetrics_edu.classroom.grading.cell_runner import Cells, Commands, as_read, raised
from tests.tables import rows

READ = [
    # IPython's prompts, in one of the first two lines that are not blank.
    ("In [1]: x = 1", "x = 1"),
    ("\n\nIn [1]: x = 1\n   ...: y = 2\n   ....: z = 3", "\n\nx = 1\ny = 2\nz = 3"),
    ("x = 1\nIn [2]: y = 2", "x = 1\ny = 2"),
    ("x = 1\nz = 3\nIn [2]: y = 2", "x = 1\nz = 3\nIn [2]: y = 2"),
    ("[ins] In [1]: x = 1", "x = 1"),
    ("[nav] In [1]: x = 1", "x = 1"),
    ("In [1]: x = 'In [2]: y'", "x = 'In [2]: y'"),
    ("In [1]: x = a[...]\n   ...: y = [...]", "x = a[...]\ny = [...]"),
    ("In [x]: y", "In [x]: y"),
    # A command in open brackets is none, and ends the search.
    ("x = [1,\nfoo?\n]", "x = [1,\nfoo?\n]"),
    ("x = (\nfoo?", "x = (\nfoo?"),
    ("x = (\ny = !foo?", "x = (\ny = !foo?"),
    ("%time %time %time x = 1", "x = 1"),
    # Python's own prompts, and what was printed between them.
    (">>> x = 1", "x = 1"),
    (">>>x = 1", "x = 1"),
    (">>> def f():\n...     return 1\n...\n>>> f()\n1", "def f():\n    return 1\n\nf()\n1"),
    ("\t>>> x = 1\n\t>>> y = 2", "x = 1\ny = 2"),
    (">>> x = 1\n\n>>> print('a b')\na b\n\nc d", "x = 1\n\nprint('a b')\n#a b\n\n#c d"),
    (">>> x = 1\ny = 2", "x = 1\ny = 2"),
    ("x = '''\n>>> y\n'''\nz = 1", "x = '''\ny\n'''\nz = 1"),
    ("z = 1\nx = '''\n>>> y\n'''", "z = 1\nx = '''\n>>> y\n'''"),
    ("f(1, r'''a\n\n>>> y''')\n", "f(1, r'''a\n\ny''')\n"),
    ("\nz = 1\nf(1, '''\n>>> y''')\n>>> u = 2", "\nz = 1\nf(1, '''\n>>> y''')\nu = 2"),
    (">>> z = 1\nx = '''\n>>> y\n'''", "z = 1\nx = '''\ny\n'''"),
    ("'''\n>>> y\n'''\n>>> z = 1", "'''\n>>> y\n'''\nz = 1"),
    ("r'''\n>>> y\n'''\nz = 1", "r'''\n>>> y\n'''\nz = 1"),
    ('"""a"""\n>>> x = 1', '"""a"""\nx = 1'),
    ('"""it\'\'\'s\n>>> y"""\n>>> x = 1', '"""it\'\'\'s\n>>> y"""\nx = 1'),
    (">>> '''\n... a\n... '''\n>>> x = 1", "'''\na\n'''\nx = 1"),
    (">>> x = '''\n... a'''", "x = '''\na'''"),
    (">>> x = 1\n>>> '''\n>>> y\n'''", "x = 1\n'''\ny\n'''"),
    ("x = 1 >>2\n", "x = 1 >>2\n"),
    # Commands, where Python can't read them.
    ("%matplotlib inline\nx = 1", "pass  # %matplotlib inline\nx = 1"),
    ("if x:\n    %time y = 1\n    !ls", "if x:\n    y = 1\n    pass  # !ls"),
    ("%time", "pass  # %time"),
    ("%timeit x + 1\n%prun  y", "x + 1\ny"),
    ("%capture out", "out"),
    ("%cd x", "pass  # %cd x"),
    ("?dcg\ndcg?\ndcg??", "pass  # ?dcg\npass  # dcg?\npass  # dcg??"),
    ("files = !ls\nhere = %pwd", "files = []  #  !ls\nhere = []  #  %pwd"),
    ("x = 5 %2\n!ls", "x = 5 %2\npass  # !ls"),
    ("x = (5\n%2)\n!ls", "x = (5\n%2)\npass  # !ls"),
    ("s = '''\n!ls\n'''\n!ls", "s = '''\n!ls\n'''\npass  # !ls"),
    ("%%time\nx = 1\n!ls", "#%%time\nx = 1\npass  # !ls"),
    ("%%timeit -n 3\nx = 1", "#%%timeit -n 3\nx = 1"),
    ("  %%capture\nx = 1", "#  %%capture\nx = 1"),
    ("%%bash\nls\n", "#%%bash\n#ls\n#"),
    ("%%html", "#%%html"),
    ("x = 1\n%%time", "x = 1\npass  # %%time"),
    ("  x = 1\n  !ls", "x = 1\npass  # !ls"),
    ("# a\n  !ls\n  x = 1", "# a\npass  # !ls\nx = 1"),
    ("#a\n\n    if 1:\n      !ls", "#a\n\nif 1:\n  pass  # !ls"),
    ("%time %timeit %prun %time x", "x"),
    ("In [1]: f() = 3\n!ls", "In [1]: f() = 3\npass  # !ls"),
    # Neither Python nor commands: as it was.
    ("def f():\n!ls", "def f():\n!ls"),
    ("!ls\n  x\n y", "!ls\n  x\n y"),
    ("x = ][\n!ls", "x = ][\n!ls"),
    ("!ls\nx = ][", "!ls\nx = ]["),
    ("def f(:\n  pass", "def f(:\n  pass"),
    ("if x:", "if x:"),
    ("  )", "  )"),
    ("", ""),
    ("\n\n", "\n\n"),
    ("await f()", "await f()"),
    # A later Python's code is Python.
    ("type X = int\n!ls", "type X = int\npass  # !ls"),
    ("x = f'{'a'}'", "x = f'{'a'}'"),
]


@rows(("source", "python"), READ)
def test_a_cell_is_read_line_for_line_as_jupyter_reads_it(source, python):
    """No line moves, so that an error names the student's own."""
    found = as_read(source, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    assert found == python
    assert found.count("\n") == source.count("\n")


@rows(("line", "place"), [(None, -1), (0, -1), (3, 2), (9, 8)])
def test_an_error_at_no_line_of_a_cell_leaves_it_as_it_is(line, place):
    """Some Pythons name none, as for a cell that holds a zero byte, or the one below the last."""

    def refuse(*_given, **_options):
        raise SyntaxError("bad", ("<cell>", line, 1, ""))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cell_runner, "compile", refuse, raising=False)
        assert cell_runner._error_line(["!ls", "!ls"], 0) == place
        assert as_read("!ls\n!ls", 0) == "!ls\n!ls"


def test_texts_in_three_quotes_that_stand_alone_are_known_by_their_lines():
    """Of each line, whether it belongs to one; what a name is given stands not alone."""
    lines = [">>> x", "'''", ">>> y", "'''", "z = '''", "a", "'''", 'b"""c"""', '"""d', 'e"""', "f"]
    alone = [False, True, True, True, False, False, False, True, True, True, False]
    assert cell_runner._in_texts(lines) == alone
    # In a session the prompt before it makes it a line of the session.
    assert cell_runner._in_texts([">>> x", ">>> '''", "a", "'''"]) == [False] * 4
    assert cell_runner._in_texts([">>> '''", "a", "'''"]) == [False] * 3
    assert cell_runner._in_texts(["\\'''", "a"]) == [False] * 2
    assert cell_runner._in_texts(["z = '''", "a"]) == [False] * 2
    for before, own in ((["x"], True), ([""], False), (["", "x"], True), ([">>> x"], False)):
        found = cell_runner._in_texts([*before, "z = '''", "a", "'''", "b"])
        assert found == [False] * len(before) + [own] * 3 + [False]


def test_only_a_source_that_python_can_not_read_is_rewritten():
    """And only if it can be read then."""
    for source in ("x = 1", "x = f'{n}'", "x = ][", "def f[T](: pass", "t'{n}'"):
        assert cell_runner.in_this_python(source, 0) == source
    if sys.version_info < (3, 12):
        assert cell_runner.in_this_python("type X = int", 0) == "X = lambda: int"


# -- running


def ran(*cells, **names):
    """The runner after these cells."""
    running = Cells({"__name__": "__main__", **names})
    for number, cell in enumerate(cells, 1):
        running.run(number, cell)
    return running


def places(running):
    """What was raised, and where."""
    return [(one["type"], one["cell"], one["line"], one["text"]) for one in running.errors]


def test_an_error_ends_its_cell_and_names_its_line():
    """Also one within a function of an earlier cell, and one that is no exception."""
    done = ran(
        "def f():\n    x = 1\n    return x / 0",
        "a = 1\nf()\nb = 2",
        "class E(BaseException):\n    pass\nraise E('x' * 3000)\nc = 3",
        "x = 1\nif x\n  y",
        "import sys\nsys.exit(3)",
        "d = 4",
    )
    assert places(done) == [
        ("ZeroDivisionError", 1, 3, "return x / 0"),
        ("E", 3, 3, "raise E('x' * 3000)"),
        ("SyntaxError", 4, 2, "if x"),
        ("SystemExit", 5, 2, "sys.exit(3)"),
    ]
    assert [len(one["message"]) for one in done.errors[:2]] == [16, 2000]
    assert {"a", "d"} <= set(done.namespace)
    assert not {"b", "c", "y"} & set(done.namespace)


def test_what_an_error_says_is_its_own_even_if_it_can_not_say_it():
    """A text of more than 200 letters is cut; a broken `str` says nothing."""

    class MuteError(Exception):
        def __str__(self):
            raise KeyError

    told = raised(MuteError(), 3)
    assert told == {
        "type": "MuteError",
        "message": "",
        "cell": 3,
        "line": 0,
        "text": "",
        "limit": "",
        "name": "",
    }
    done = ran("x = " + "1 + " * 90 + "y")
    assert len(done.errors[0]["text"]) == 200
    assert done.errors[0]["name"] == "y"
    assert raised(ValueError("x"))["cell"] == 0
    # An error of syntax in code of another place has no line of a cell.
    done = ran("compile('x = = 1', 'mine', 'exec')", "eval('x = = 1')")
    assert [one["line"] for one in done.errors] == [1, 1]
    error = SyntaxError("bad", ("<cell 7>", None, 1, None))
    assert (raised(error, 7)["line"], raised(error, 7)["text"]) == (0, "")

    class OddError(SyntaxError):
        """One that has not what it should have."""

        @property
        def lineno(self):
            raise AttributeError

    error = OddError("bad", ("<cell 7>", 9, 1, "  a b "))
    assert (raised(error, 7)["line"], raised(error, 7)["text"]) == (0, "a b")
    error = SyntaxError("bad", ("<cell 7>", 9, 1, "  a b "))
    told = raised(error, 7)
    assert (told["line"], told["text"], told["message"]) == (9, "a b", "bad")
    error = SyntaxError("bad", ("other", 9, 1, "  a b "))
    told = raised(error, 7)
    assert (told["line"], told["text"], told["message"]) == (0, "", "bad (other, line 9)")


def test_a_cell_that_python_can_not_compile_does_not_begin():
    """Also where it can be read: nothing before the line has run."""
    for broken in ("return 5", "x = 1\ndef f(a, a): pass", "break", "nonlocal b"):
        done = ran(f"a = 1\n{broken}")
        assert [one["type"] for one in done.errors] == ["SyntaxError"]
        assert "a" not in done.namespace


def test_the_line_of_an_error_is_one_of_a_cell():
    """Code that was made elsewhere has lines of another file, whatever the file is called."""
    for name in ("<cell a>", "xxxxxx99x", "<cell >", "<cell 1", "other"):
        done = ran("x = 1", f"y = 2\nexec(compile('\\n\\n\\n1 / 0', {name!r}, 'exec'))")
        [error] = done.errors
        assert (error["type"], error["cell"], error["line"]) == ("ZeroDivisionError", 2, 2), name


def named(error):
    """The name behind an error."""
    return cell_runner.name_behind(error)


def test_a_name_is_behind_pythons_own_errors_alone():
    """The name, the module that can't be imported, or the module that lacks something."""

    class OwnError(NameError):
        pass

    def attribute(of):
        return AttributeError("x", name="y", obj=of)

    module = types.ModuleType("m" * 150)
    assert named(NameError("x", name="y")) == "y"
    assert named(ImportError("x", name="y")) == "y"
    assert named(ModuleNotFoundError("x", name="y" * 150)) == "y" * 100
    assert named(NameError("x")) == ""
    assert named(OwnError("x", name="y")) == ""
    assert named(KeyError("x")) == ""
    assert named(attribute(module)) == "m" * 100
    assert named(attribute(3)) == ""
    module.__dict__["__name__"] = 3
    assert named(attribute(module)) == ""
    del module.__dict__["__name__"]
    assert named(attribute(module)) == ""
    error = NameError("x")
    error.name = 3
    assert named(error) == ""


def test_the_value_that_a_cell_ends_with_is_kept_unless_it_is_silenced():
    """An expression alone, at the end, without a semicolon, that is not None."""
    done = ran("1\n2", "x = 3", "4;", "5 ; ", "None", "6\ny = 7", "if 1:\n    8")
    assert [done.namespace[name] for name in ("_", "__", "___")] == [2, "", ""]
    assert done.errors == []


def test_a_feature_of_the_future_holds_for_the_cells_after_it():
    """As in Jupyter; one for a definition whose annotations are not known does not stay."""
    done = ran("def f(a: unknown): return a\nx = f(3)")
    assert (done.errors, done.namespace["x"]) == ([], 3)
    assert not done.flags & __future__.annotations.compiler_flag
    assert done.namespace["f"].__annotations__ == {"a": "unknown"}
    done = ran(
        "class A:\n    b: unknown", "async def g(a: unknown): pass", "c: unknown = 1", "d = 1"
    )
    assert [one["cell"] for one in done.errors] == [3]
    done = ran("from __future__ import annotations", "c: unknown = 1")
    assert done.errors == []
    assert done.flags & __future__.annotations.compiler_flag
    # An error within a definition that is not for want of a name is not tried again.
    done = ran("n = []\n@n.append\ndef f(a): pass", "@n.x\ndef g(a): pass")
    assert (len(done.namespace["n"]), places(done)[0][:3]) == (1, ("AttributeError", 2, 1))


def test_what_is_awaited_at_the_top_of_a_cell_is_waited_for_in_one_loop():
    """In statements and in the value of a cell."""
    done = ran(
        "import asyncio\nasync def f(x):\n    await asyncio.sleep(0)\n    return x",
        "loops = [asyncio.get_running_loop() for _ in [await f(1)]]",
        "await f(5)",
        "loops.append((await f(1)) and asyncio.get_running_loop())",
    )
    assert done.errors == []
    assert done.namespace["_"] == 5
    assert done.namespace["loops"] == [done.loop] * 2
    done.loop.close()


def test_a_cell_is_written_to_a_file_that_can_be_imported_then(tmp_path, monkeypatch):
    """In the folder of the notebook; more can be added to it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    looked = []
    forget = importlib.invalidate_caches
    monkeypatch.setattr(importlib, "invalidate_caches", lambda: looked.append(1) or forget())
    monkeypatch.delitem(sys.modules, "mine_1", raising=False)
    done = ran(
        "%%writefile mine_1.py\nx = 'é'\n\n",
        "%%writefile -a 'mine_1.py'\ny = 2",
        '%%file --append "mine_1.py"\nz = 3',
        "import mine_1\nvalue = mine_1.x, mine_1.y, mine_1.z",
        "%%file other_1.py",
        "  %%writefile  mine_2.py \nw = 4",
    )
    assert done.errors == []
    assert done.namespace["value"] == ("é", 2, 3)
    assert len(looked) == 5  # a file that was just written is found, however fast it went
    assert (tmp_path / "mine_1.py").read_text(encoding="utf-8") == "x = 'é'\ny = 2\nz = 3\n"
    assert (tmp_path / "other_1.py").read_text() == "\n"
    assert (tmp_path / "mine_2.py").read_text() == "w = 4\n"
    assert sys.path[0] == str(tmp_path)
    assert sys.path.count(str(tmp_path)) == 1
    monkeypatch.delitem(sys.modules, "mine_1", raising=False)


def test_what_an_import_would_have_made_is_absent():
    """Also the names of `as`, of tuples and of loops in a statement that needs such a name."""
    done = ran(
        "import nowhere_1.a, nowhere_2.b as two\nfrom nowhere_3 import c as three, d",
        "x, (y, z) = nowhere_1.f()\nfor w in two: v = 1\nu = 1",
        "three\nd\nx\ny\nz\nw\nv\nt = u",
        "x = 1\nx\ny",
    )
    assert [one["name"] for one in done.errors] == [
        *("nowhere_1", "nowhere_2", "nowhere_3", "nowhere_1", "two"),
        *("three", "d", "x", "y", "z", "w", "v", "y"),
    ]
    assert done.namespace["t"] == 1
    assert "x" not in done.absent
    assert {"nowhere_1", "two", "three", "d", "y", "z", "w", "v"} <= done.absent


def test_commands_of_jupyter_do_nothing_whatever_they_are_called():
    """`get_ipython()` and what is asked of it."""
    commands = Commands()
    assert commands() is commands
    assert commands.run_line_magic("x", y=1) is None


def test_a_traceback_finds_the_lines_of_a_cell():
    """As the student wrote them, also where they were rewritten."""
    ran("x = 1\ny = 2")
    assert [linecache.getline("<cell 1>", line) for line in (1, 2)] == ["x = 1\n", "y = 2"]
    assert linecache.cache["<cell 1>"][0] == len("x = 1\ny = 2")
    done = ran("def f(a: list[int]) -> int:\n    return f'{a['b']}'\nf({})")
    assert done.errors[0]["text"] == "return f'{a['b']}'"
