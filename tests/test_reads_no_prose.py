"""No code reads the package's own sentences: reasons are enums or fields, sentences come last.

A sentence that is reworded, or translated, would change what a program does. The rule looks at
what is asked of texts: how they begin and end, what they hold, what is cut out of them.
"""

import ast
import re
from pathlib import Path

import pytest

import irmetrics_edu

PACKAGE = Path(irmetrics_edu.__file__).parent

# What asks something of a text, or takes a part out of it.
ASKS = {
    "startswith",
    "endswith",
    "removeprefix",
    "removesuffix",
    "partition",
    "rpartition",
    "split",
    "rsplit",
    "replace",
    "find",
    "index",
    "count",
}
PATTERNS = {"match", "fullmatch", "search", "sub", "findall", "finditer"}
# Names of what holds a sentence of ours.
SENTENCE = re.compile(
    r"(^|_)(message|note|summary|sentence|said|why|reason|verdict|caption|feedback|warning|remark)s?$"
)
PROSE = re.compile(r"[A-Za-z']{2,},? [A-Za-z']{2,}")

# What others wrote, read as input: no sentence of ours. Each with the reason.
OF_OTHERS = {
    "classroom/marking/collecting/notebook.py": "the error of the json module",
    "classroom/marking/collecting/rosters.py": "what Canvas and Moodle write into their tables",
    "classroom/marking/matching/lateness.py": "an option, written as 10 % per day",
    "gate/plugin/baseline_files.py": "the name of a file's format, with its version",
    "gate/plugin/session_report.py": "text that is escaped for GitHub",
    "lab/efficiency/engines.py": "the error of SQLite",
}


def _name(node):
    """The last name of what a text is taken from."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in {
            "casefold",
            "lower",
            "strip",
        }:
            return _name(node.func.value)
        return _name(node.func)
    return ""


def _errors(tree):
    """The names under which errors are caught."""
    return {
        node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.name
    }


def _is_sentence(node, errors):
    """Whether an expression holds a sentence of ours: by its name, or as the text of an error."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in {"str", "repr"} and node.args:
        return _name(node.args[0]) in errors or _is_sentence(node.args[0], errors)
    if isinstance(node, ast.Attribute) and node.attr == "args":
        return _name(node.value) in errors
    if isinstance(node, ast.Subscript):
        return _is_sentence(node.value, errors)
    return bool(SENTENCE.search(_name(node)))


def _is_prose(node, constants):
    """Whether an expression is a sentence, or a part of one, that stands in the code."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(PROSE.search(node.value))
    if isinstance(node, ast.Tuple):
        return any(_is_prose(part, constants) for part in node.elts)
    if isinstance(node, ast.Attribute):
        return node.attr in constants
    return isinstance(node, ast.Name) and node.id in constants


def _is_constant(node):
    """Whether an expression is a constant by its name, such as NONE_JUDGED."""
    return isinstance(node, (ast.Name, ast.Attribute)) and _name(node).isupper()


def _is_layout(asked):
    """Whether nothing is asked for but blanks and ends of lines."""
    values = [part.value for part in asked if isinstance(part, ast.Constant)]
    return bool(values) and all(isinstance(value, str) and not value.strip() for value in values)


def _prose_constants(trees):
    """The names of constants that hold sentences, wherever in the package."""
    found = set()
    for tree in trees:
        kinds = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
        for node in [inner for part in (tree, *kinds) for inner in part.body]:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = node.value
                is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
                # A constant has capitals, as in NONE_JUDGED; a field of an enum has its value.
                if is_text and PROSE.search(value.value) and node.targets[0].id.isupper():
                    found.add(node.targets[0].id)
    return found


def reads_prose(sources):
    """The places in which a sentence is asked how it reads, as `file:line what is asked`."""
    trees = {name: ast.parse(text) for name, text in sources.items()}
    constants = _prose_constants(trees.values())
    found = []
    for name, tree in trees.items():
        errors = _errors(tree)
        for node in ast.walk(tree):
            for text, asked in _asked(node):
                parts = [*asked, *([text] if _is_constant(text) else [])]
                sentence = text is not None and _is_sentence(text, errors) and not _is_layout(asked)
                if sentence or any(_is_prose(part, constants) for part in parts):
                    found.append(f"{name}:{node.lineno} {ast.unparse(node)}")
                    break
    return sorted(found)


def _asked(node):
    """The texts of which a node asks something, and what it asks for."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        called = node.func
        if called.attr in ASKS:
            yield called.value, node.args[:1]
        elif called.attr in PATTERNS and node.args:
            yield node.args[-1], []
    elif isinstance(node, ast.Compare):
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(
                left, (ast.Constant, ast.Name)
            ):
                yield None, [left]
            left = right


def package():
    """The modules of the package, by their place in it."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {p.relative_to(PACKAGE).as_posix(): p.read_text(encoding="utf-8") for p in paths}


@pytest.mark.suite("guide")
def test_no_sentence_of_ours_is_read():
    """But for the texts of others, each with its reason; a file that reads none leaves the list."""
    ours = []
    read = set()
    for place in reads_prose(package()):
        file = place.partition(":")[0]
        read.add(file)
        if file not in OF_OTHERS:
            ours.append(place)
    assert ours == [], "make the reason an enum or a field, and the sentence last"
    assert set(OF_OTHERS) <= read


READERS = """
NONE_JUDGED = "no judged document was retrieved"
_COUNTED = re.compile("([0-9]+ )?(.*)")

def asked(note, summary, how, value, texts):
    if note.startswith("There"):
        return 1
    if value.startswith("There is no"):
        return 2
    if how.endswith(NONE_JUDGED):
        return 3
    if "type ellipsis is" in value:
        return 4
    if NONE_JUDGED in how:
        return 5
    try:
        return _COUNTED.fullmatch(summary)
    except InputError as error:
        return str(error).replace(", or", ""), NONE_JUDGED.replace(":", ",")
"""
OTHERS = """
def read(line, note, texts):
    if line.startswith("#") or note in texts or "grade" in line:
        return note.splitlines()
    return line.partition("\\t"), note.partition("\\n")[0], note == texts[0]
"""


def test_what_reads_a_sentence_is_found():
    """By the name of what holds it, by a constant, and by its own words."""
    found = [place.split(" ", 1)[1] for place in reads_prose({"a.py": READERS})]
    assert sorted(found) == [
        "'type ellipsis is' in value",
        "NONE_JUDGED in how",
        "NONE_JUDGED.replace(':', ',')",
        "_COUNTED.fullmatch(summary)",
        "how.endswith(NONE_JUDGED)",
        "note.startswith('There')",
        "str(error).replace(', or', '')",
        "value.startswith('There is no')",
    ]


def test_what_reads_input_or_lines_is_not():
    """Fields of a file, and the lines of a text, are no wording."""
    assert reads_prose({"a.py": OTHERS}) == []
