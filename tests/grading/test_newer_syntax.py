"""Code of a later Python means in the grader what it means there."""

import ast
import re
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.classroom.grading import newer_syntax
from irmetrics_edu.classroom.grading.cell_runner import in_this_python
from irmetrics_edu.classroom.grading.newer_syntax import rewritten
from tests.tables import rows

FOUND = {"found": ["a", "b"], "n": 3, "x": 2.5, "name": "é{}", "width": 9}
# Code for Python 3.12 to 3.14, and what it means, by the documents that brought it: PEP 701, 695,
# 696 and 758.
NEWER = {
    "quotes": ('value = f"{", ".join(found)}"', "a, b"),
    "quotes within quotes": ("value = f'{found[0] + f'{found[1] + f'{n}'}'}'", "ab3"),
    "a backslash": ("value = f'{\"\\n\".join(found)}'", "a\nb"),
    "a key": ('value = f"<{ {"k": x}["k"]:>{width}.2f}>"', "<     2.50>"),
    "lines": ('value = f"{\n    n  # how many\n    + 1\n}!"', "4!"),
    "a conversion": ('value = f"{"é"!r:>5}{"é"!a}"', "  'é''\\xe9'"),
    "the text of the value": ('value = f"{"a" + "b" = }, {n=:3d}"', "\"a\" + \"b\" = 'ab', n=  3"),
    "side by side": ('value = ("n " f"{"is"} "\n         "or " f"{"was"}")', "n is or was"),
    "three quotes": ('value = f"""{"""a"""}\n{n}"""', "a\n3"),
    "raw": ('value = rf"\\d{"+"}{{2}}"', "\\d+{2}"),
    "a comparison": ('value = f"{"a" != "b"} {n == 3} {n >= 4}"', "True True False"),
    "a letter by its name": ('value = f"\\N{BULLET}{"a"}"', "•a"),
    "after it": ('value = f"{"a"}".upper() + "%s" % f"{"b"}"', "Ab"),
    "parameters": (("def first[T, *Ts, **P](a: list[T]) -> T:\n    return a[0]\n"
                   "value = first(found)"), "a"),
    "with a bound": (("def first[\n    T: (int, str) = str\n](a: list[T]) -> T:\n    return a[0]\n"
                     "value = first(found)"), "a"),
    "a class": (("class Box[T]:\n    def __init__(self, a: T): self.a = a\n"
                "value = Box('b').a"), "b"),
    "a class of a class": ("class Box[T](list): pass\nvalue = Box(found)[0]", "a"),
    "an alias": (("type Pair[T] = tuple[\n    T, T]\ntype Some = Pair[int]\n"
                 "def f(p: Some) -> int: return p[1]\nvalue = f((1, 2))"), 2),
    "a name called type": ("type = 4\nvalue = f'{f'{type}'}'", "4"),
    "exceptions": ("try:\n    found[9]\nexcept KeyError, IndexError:\n    value = f'{'none'}'",
                   "none"),
    "a group of exceptions": (("try:\n    raise ExceptionGroup('', [KeyError()])\n"
                              "except* KeyError, IndexError:\n    value = 'none'"), "none"),
}  # fmt: skip


@pytest.mark.parametrize("about", NEWER)
def test_newer_code_means_here_what_it_means_there(about):
    """The expected values are Python 3.14's; the lines stay where they are."""
    code, wanted = NEWER[about]
    older = rewritten(code)
    assert older.count("\n") == code.count("\n")
    if sys.version_info < (3, 12):
        with pytest.raises(SyntaxError):
            compile(code, "<newer>", "exec")
    for one in (older, in_this_python(code, 0)):
        names = dict(FOUND)
        module = compile(one, "<older>", "exec", 0x1000000)  # annotations are not read
        exec(module, names)  # noqa: S102 -- written above
        assert names["value"] == wanted


@pytest.mark.parametrize(
    "code", ['t"{n}"', "lazy import math", 'f"{n', 'f"{n!}"', "f'{'", "'", "def f["]
)
def test_what_can_not_be_rewritten_stays(code):
    """It is no Python of ours, and no error of ours."""
    assert in_this_python(code, 0) == code


def nested(times, inner):
    """An f-string within an f-string, and so on."""
    for _ in range(times):
        inner = f'f"{{{inner}}}"'
    return inner


def test_six_f_strings_within_each_other_are_rewritten_and_no_seventh():
    """A format is within the f-string, and what stands in the format is within that."""
    for times in range(1, 9):
        code = f"value = {nested(times, 'n')}"
        assert (rewritten(code) != code) == (times <= 6), times
        if times <= 6:
            names = {"n": 3}
            exec(rewritten(code), names)  # noqa: S102 -- written above
            assert names["value"] == "3"
    for times in range(8):
        code = f'value = f"{{n:{{{nested(times, "width")}}}}}"'
        assert (rewritten(code) != code) == (times <= 4), times
        if times <= 4:
            names = {"n": 3, "width": 4}
            exec(rewritten(code), names)  # noqa: S102 -- written above
            assert names["value"] == "   3"


# Code that has something newer beside something else, and what `value` is then by the documents.
BESIDE = [
    # Comments and texts are no code: what looks like newer code in them stays.
    ("value = f'{'a'}'  # except A, B:\n# type X = 3\n# def f[T](): '", "a"),
    ("value = '''\ntype X = 3\ndef f[T](x):\nexcept A, B:\n''' + f'{'a'}'",
     "\ntype X = 3\ndef f[T](x):\nexcept A, B:\na"),
    ("value = f'{'a'}' + '# no comment'", "a# no comment"),
    ("value = (f'{'a'}'  # it's one\n  # [ and a second\n  'b')", "ab"),
    ("value = ('b'  # (\n  f'{'a'}')", "ba"),
    # Texts side by side are one, unless a line ends between them outside of brackets.
    ("value = f'{'a'}'\n'b'", "a"),
    ("[1]\n'b'\nvalue = f'{'a'}'\n'c'", "a"),
    ("value = 'x' f'{'a'}'", "xa"),
    ("value = 'x' 'y' f'{'a'}' 'z'", "xyaz"),
    ("value = f'{'a'}' \\\n  'b'", "ab"),
    ("value = f'{'a'}'\t'b'", "ab"),
    ("value = f'{'a'}'\f'b'", "ab"),
    ("value = [f'{'a'}'\n'b'][0]", "ab"),
    ("value = {f'{'a'}'\n'b': 1}", {"ab": 1}),
    ("value = ((f'{'a'}')\n+ 'b')\n'c'", "ab"),
    ("value = [x for x in ((1,), [2])]\n'b'\nvalue = f'{'a'}'", "a"),
    ("value = f'{'a'}', 'b'", ("a", "b")),
    ("value = 2 * 'x' 'y' f'{'a'}'", "xyaxya"),
    ("value = ('''\ntype X = 3\n''' f'{'a'}')", "\ntype X = 3\na"),
    ("value = f'{f'{'}'}'}{f'{':'}'}{f'{'!'}'}'", "}:!"),
    ("value = f'{f'{n:>{'5'}}'}'", "    3"),
    ("value = ('a' 'b', f'{'c'}')", ("ab", "c")),
    ("value = f'{'a'}' if n else 'b'", "a"),
    ("value = f'{'a'}' 'b'.upper()", "AB"),
    ("value = 2 * f'{'a'}' 'b'", "abab"),
    # A quote is none behind a backslash, and a letter before a quote is a prefix or a name.
    ("value = 'it\\'s' + f'{'a'}'", "it'sa"),
    ("value = '\\\\' + f'{'a'}'", "\\a"),
    ("value = f'\\'{'a'}\\''", "'a'"),
    ("value = f'\\\\{'a'}'", "\\a"),
    ("value = rf'\\{'a'}'", "\\a"),
    ("value = fR'\\n{'a'}'", "\\na"),
    ("value = f'\\x41{'a'}\\t'", "Aa\t"),
    ("value = rf'\\N{'a'}'", "\\Na"),
    ("value = f'\\N{DIGIT ONE}{'a'}'", "1a"),
    ("value = F'{'a'}' u'b' R'\\n'", "ab\\n"),
    ("value = b'f' + f'{'a'}'.encode()", b"fa"),
    ("value = f''' {'a'} '' '''", " a '' "),
    ("value = f'' f'{'a'}'", "a"),
    ("value = f'{{{'a'}}}'", "{a}"),
    ("value = f'{{}}{'a'}{{'", "{}a{"),
    # What a value may hold.
    ("value = f'{ 'a' }'", "a"),
    ("value = f'{'a':>3}|{'a':<{n}}|'", "  a|a  |"),
    ("value = f'{'a':{'>'}{n}}|'", "  a|"),
    ("value = f'{'a'!r}{'a'!s:>2}{'a'!a:}'", "'a' a'a'"),
    ("value = f'{'a'!r }'", "'a'"),
    ("value = f'{x:.{n - 2}f}{'a'}'", "2.5a"),
    ("value = f'{x:%}{'a'}'", "250.000000%a"),
    ("value = f'{n!r:>{width}}{'a'}'", "        3a"),
    ("value = f'{'a' = }{n = !s}{n=}'", "'a' = 'a'n = 3n=3"),
    ("value = f'{'a'=:>5}'", "'a'=    a"),
    ("value = f'{'a' == 'a'}{n != 3}{n >= 3}{n <= 2}'", "TrueFalseTrueFalse"),
    ("value = f'{(lambda a=5: a)()}{'a'}'", "5a"),
    ("value = f'{dict(a=1)['a']}'", "1"),
    ("value = f'{ {'a': 1}['a'] }'", "1"),
    ("value = f'{[1, 2][1:][0]}{'a'}'", "2a"),
    ("value = f'{(n, 'a')}'", "(3, 'a')"),
    ("value = f'{n, 'a'}'", "(3, 'a')"),
    ("value = f'{'}'}{'{'}'", "}{"),
    ("value = f'{':'}{'!'}{'='}'", ":!="),
    ("value = f'{f'{'a'}'}{rf'\\{'b'}'}'", "a\\b"),
    ("value = f'{'''a'''}{\"\"\"b\"\"\"}'", "ab"),
    ("value = f'''{\n'a'  # }\n}'''", "a"),
    ("value = f'{'\\''}{'\\\\'}'", "'\\"),
    # Types.
    ("type X = list[int]\nvalue = f'{'a'}'", "a"),
    ("def f[T: (int, str), *Ts, **P](a: int) -> list[int]:\n    return a\nvalue = f(1)", 1),
    ("async def f[T](): pass\nclass A[T: dict[str, int]]: x = 0\nvalue = A.__name__", "A"),
    ("class A [T] (dict) : x = 4\nvalue = A.x", 4),
    ("class A[\n  T,\n  U\n]: x = 4\nvalue = A.x", 4),
    ("class A[\n  T\n](dict): x = 4\nvalue = A().copy()", {}),
    ("def f[\n  T\n](): return 4\nvalue = f()", 4),
    ("if n:\n    type X[T] = list[\n        T]\n    value = X()[int] if 0 else 4", 4),
    ("type = [4]\ntype [0] = 5\nvalue = type", [5]),
    ("type = {}\ntype['a'] = 3\nx = type == 3\nvalue = type", {"a": 3}),
    ("value = 3\ntype == 4", 3),
    # Exceptions.
    ("try:\n    1 / 0\nexcept KeyError, ZeroDivisionError,:\n    value = 4", 4),
    ("import os\ntry:\n    1 / 0\nexcept os.error , ZeroDivisionError :\n    value = 4", 4),
    ("try:\n    1 / 0\nexcept KeyError:\n    pass\nexcept ValueError, ArithmeticError: value=4", 4),
    ("try:\n    1 / 0\nexcept (KeyError, ZeroDivisionError) as e:\n    value = f'{'a'}'", "a"),
]  # fmt: skip


@rows(("code", "wanted"), BESIDE)
def test_what_stands_beside_newer_code_keeps_its_meaning(code, wanted):
    """And its lines, its comments and its texts."""
    older = rewritten(code)
    assert older.count("\n") == code.count("\n")
    names = dict(FOUND)
    module = compile(older, "<older>", "exec", 0x1000000)  # annotations are not read
    exec(module, names)  # noqa: S102 -- written above
    assert names["value"] == wanted, older
    for comment in re.findall(r"# \w.*", code):
        assert comment in older


def test_what_is_nested_too_deep_is_left_at_once(monkeypatch):
    """Each f-string within another is read a few times at most: no time goes by with its depth."""
    calls = []
    real = newer_syntax._as_format

    def counted(*given):
        calls.append(1)
        assert len(calls) < 20_000
        return real(*given)

    monkeypatch.setattr(newer_syntax, "_as_format", counted)
    for times in (7, 8, 9, 12, 40):
        calls.clear()
        code = f"value = {nested(times, 'n')}"
        assert rewritten(code) == code


TORN = [
    "f'{n", "f'{n!r", "f'{n!r ", "f'{n:", "f'{n:{", "f'{n:{n", "f'{", "f'", "f'''{n}'", "'a",
    "'''a''", "f'{n}}{'", "f'{n!rx}'", "f'{(n}'", "class A[T", "class A[(T]", "type X[T = 3",
    "'\\", "f'{n=", "f'{n=!", "f'{n:}", "f'\\",
]  # fmt: skip


@rows("code", TORN)
def test_what_does_not_end_stays_as_it_is(code):
    """Alone, and behind what could be rewritten."""
    for source in (code, f"value = f'{{'a'}}'\n{code}"):
        assert rewritten(source) == source
    assert rewritten("\0" + code) == "\0" + code
    whole = "value = f'{'a'}'\0"
    assert rewritten(whole) == whole


def test_this_pythons_own_code_stays_byte_for_byte():
    """Without an f-string and without newer words there is nothing to rewrite."""
    path = Path(sysconfig.get_path("stdlib"))
    for name in ("ast.py", "bisect.py", "heapq.py", "abc.py", "struct.py", "types.py"):
        code = (path / name).read_text(encoding="utf-8")
        bare = re.sub(r"\bf(?=['\"])", "", code)
        assert rewritten(bare) == bare, name


VALUES = st.sampled_from(["n", "x", "name", "found[0]", "{'a': 1}['a']", "(lambda: 4)()", "n != 3",
                          "n == 3", "'}'", "[i for i in found]", "n if n else x",
                          "*found, n"])  # fmt: skip
CONVERSIONS = st.sampled_from(["", "", "!r", "!s", "!a", "="])
FORMATS = st.sampled_from(["", "", ":", ":>9", ":>{width}", ":{width}", ":^{width + 1}"])
WORDS = st.sampled_from(["", "a", " ", "{{", "}}", "\\n", "\\\\", "%", "#", "\\N{DASH}", "é", "'"])
FIELDS = st.tuples(WORDS, VALUES, CONVERSIONS, FORMATS)


@given(
    fields=st.lists(FIELDS, min_size=1, max_size=3),
    kind=st.sampled_from(["f", "F", "rf", "fR"]),
    quote=st.sampled_from(['"', '"""']),
    beside=st.sampled_from(["", " 'b'", " f'{n}'"]),
)
def test_an_f_string_of_this_python_keeps_its_value(fields, kind, quote, beside):
    """Python's own value is the oracle."""
    inside = "".join(f"{words.replace('DASH', 'EM DASH')}{{{value}{conversion}{form}}}"
                     for words, value, conversion, form in fields)  # fmt: skip
    code = f"value = ({kind}{quote}{inside}{quote}{beside})"
    outcomes = []
    for source in (code, rewritten(code)):
        names = dict(FOUND)
        try:
            exec(compile(source, "<text>", "exec"), names)  # noqa: S102 -- drawn above
            outcomes.append(names["value"])
        except (SyntaxError, TypeError, ValueError) as error:
            outcomes.append(type(error))
    if outcomes[0] is not SyntaxError:
        assert outcomes[0] == outcomes[1], (code, rewritten(code))


@pytest.mark.suite("guide")
@pytest.mark.slow
def test_the_standard_library_can_be_read_after_it_was_rewritten():
    """Each file with an f-string: nothing is torn, and no line moves."""
    tried = 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        code = path.read_text(encoding="utf-8")
        older = rewritten(code)
        if older != code:
            tried += 1
            ast.parse(older, path.name)
            assert older.count("\n") == code.count("\n"), path.name
    assert tried > 40
