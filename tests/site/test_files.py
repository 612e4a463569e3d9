"""The reference of files: each format is there, and what is printed follows its schema."""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dev.tools.site import file_formats, reference
from irmetrics_edu import cli, pytest_plugin
from irmetrics_edu.gate.plugin.baseline_fixture import BaselineGate
from irmetrics_edu.gate.policy import NAMES

PAGES = file_formats.read()
HEAVY = ("files-conformance", "files-plugin")  # these run pytest, and every vector
FORMATS = [one for page in PAGES for one in page.format]
WITH_SCHEMA = {one.schema: one for one in FORMATS if one.schema}
# What calls a function `write` and writes no file that the reference defines, with the reason.
NO_FORMAT = {
    "writing.py": "it is what writes",
    "course/repository.py": "a folder of a chapter", "dev/tools/site/slides.py": "slides",
    "dev/tools/messages.py": "catalogues of the repository",
    "dev/tools/notebooks.py": "the notebooks of the repository",
    "dev/tools/site/build.py": "the site itself",
    "dev/tools/site/file_formats.py": "the inputs of examples",
    "dev/tools/generate.py": "files of the repository",
    "dev/tools/defects.py": "files of the repository",
    "commands/course.py": "notebooks of the course, and a text that says how to begin",
    "commands/demo_collection.py": "the files of `stdlib`",
    "classroom/exercises/translation.py": "a copy of a student, which `build.py` wrote",
    "views/output.py": "the terminal",
    "judging/building.py": "the terminal", "lab/study/diversity_study.py": "the terminal",
    "classroom/grading/cell_runner.py": "a file of a student's, in the folder of one run",
    "classroom/grading/child.py": "a pipe", "classroom/grading/supervisor.py": "a pipe",
    "classroom/grading/fork_server.py": "a pipe", "classroom/grading/protocol.py": "a pipe",
    "reading/files.py": "a packed file in memory",
    "classroom/marking/returning/all_files.py": "it calls what the other modules make",
    "classroom/marking/give_back.py": "the same",
    "classroom/marking/mark_course.py": "the same",
    "commands/judgments.py": "the same of `judging`",
    "dev/tools/collection.py": "files of the repository",
    "dev/tools/collection_texts.py": "files of the repository",
    "dev/tools/playground/page.py": "the page of `playground`",
}  # fmt: skip


def parsed(text: str) -> Any:
    """JSON, which has neither NaN nor Infinity."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


def parsers() -> Iterator[Any]:
    """The parser of every command and of every step of one."""
    for name in cli.COMMANDS:
        yield from reference.with_subcommands(reference.subparser(cli.parser(name), name))


def json_commands() -> Iterator[str]:
    """Every command, or step of one, that has --format json."""
    for parser in parsers():
        for action in parser._actions:
            if action.dest == "form" and "json" in (action.choices or ()):
                yield parser.prog.removeprefix("irmetrics-edu ")


def objects(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema of an object with fields, with its path."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and "type" in schema:
            yield path, schema
        for name, inner in schema.items():
            yield from objects(inner, f"{path}/{name}")
    elif isinstance(schema, list):
        for inner in schema:
            yield from objects(inner, path)


def test_every_json_output_has_an_entry() -> None:
    """A command that gains `--format json` needs a format with a schema."""
    known = {one.command for one in FORMATS if one.schema}
    for command in json_commands():
        assert any(f"{one} ".startswith(f"{command} ") or f"{command} ".startswith(f"{one} ")
                   for one in known if one), command  # fmt: skip
    assert {"conformance run", "conformance check"} <= known


def test_every_option_that_names_a_file_is_in_the_reference() -> None:
    """A command that gains an option for a file needs an entry that names it."""
    told = "".join(
        path.read_text(encoding="utf-8") for path in file_formats._FORMATS.glob("*.toml")
    )
    asked = {
        action.option_strings[-1]
        for parser in parsers()
        for action in parser._actions
        if action.option_strings and re.search("FILE|DIR|RUN|PATH", str(action.metavar))
    }
    assert len(asked) > 20
    assert sorted(name for name in asked if not re.search(rf"{name}\b", told)) == []


def test_every_module_that_writes_is_named() -> None:
    """A module that writes a file is named by the format that it writes."""
    named = {path for one in FORMATS for path in (*one.written, *one.read)}
    for path in named:
        assert (file_formats.PACKAGE / path).is_file(), path
    writing = set()
    for path in file_formats.PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text if "write(" in text else "")
        calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
        if any(getattr(f, "id", getattr(f, "attr", "")) == "write" for f in calls):
            writing.add(path.relative_to(file_formats.PACKAGE).as_posix())
    assert sorted(writing - named - set(NO_FORMAT)) == []


@pytest.mark.parametrize("path", sorted(WITH_SCHEMA))
def test_a_schema_names_and_explains_every_field(path: str) -> None:
    """A schema is one of draft 2020-12, admits no other field, and says what each one means."""
    schema = WITH_SCHEMA[path].of_schema
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for place, inner in objects(schema):
        assert inner.get("additionalProperties") is False, place
        if Path(path).name not in ("schema.json", "results.schema.json"):
            for name, one in inner["properties"].items():
                assert "description" in one or "$ref" in one, f"{place}: {name}"


def test_every_schema_of_the_package_is_in_the_reference() -> None:
    """No schema is left lying about."""
    found = {path.relative_to(file_formats.PACKAGE).as_posix()
             for path in file_formats.PACKAGE.rglob("*schema.json")}  # fmt: skip
    assert found == set(WITH_SCHEMA)
    assert {name.removeprefix("schemas/") for name in file_formats.schemas()} == {
        path.replace("/", ".") for path in found
    }


def outputs(one: file_formats.Format, folder: Path) -> Iterator[tuple[str, str]]:
    """All JSON that the example of a format makes, with what made it."""
    more = [(command, file_formats.printed(command, folder)) for command in one.also]
    ran = file_formats.ran(one, folder)
    assert file_formats.section(one, folder, ran)
    for command, out in (*ran, *more):
        report = re.search(r"--irm-report=(\S+)", command)
        if report:
            yield command, (folder / report[1]).read_text(encoding="utf-8")
        elif "--format json" in command or one.name == "Kept results":
            yield command, out
    for name in one.show:
        if name.endswith(".json"):
            yield name, (folder / name).read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("page", [
    pytest.param(page, id=page.name, marks=[pytest.mark.suite("site")] * (page.name in HEAVY))
    for page in PAGES
])  # fmt: skip
def test_what_is_printed_follows_its_schema(page: file_formats.Page) -> None:
    """Every example runs, and its JSON is what the schema says; another field is not."""
    with file_formats.bench(page) as folder:
        for one in page.format:
            made = list(outputs(one, folder))
            assert made or not one.schema, one.name
            for what, text in made if one.schema else ():
                value, check = parsed(text), jsonschema.Draft202012Validator(one.of_schema)
                assert [error.message[:300] for error in check.iter_errors(value)] == [], what
                (value[0] if isinstance(value, list) else value)["surprise"] = 1
                assert not check.is_valid(value), what


def test_a_schema_becomes_a_table() -> None:
    """A line for each field, nested ones by their path, with type and meaning in words."""
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {
            "a": {"type": ["number", "null"], "description": "one"},
            "b": {"type": "array", "items": {"type": "object", "properties": {
                "c": {"enum": ["x", None], "description": "two"}}}},
            "d": {"type": "object", "additionalProperties": {"$ref": "#/$defs/e"}},
        },
        "$defs": {"e": {"const": 3}},
    }  # fmt: skip
    first, second = file_formats.of_schema(schema)
    assert first.split("\n")[2:] == [
        "| `a` | number or null | one |",
        "| `b` | list of object |  (may be missing) |",
        '| `b[].c` | `"x"` or `null` | two (may be missing) |',
        "| `d` | by name: **e** |  (may be missing) |",
    ]
    assert second.startswith("**e**: `3`.")


def test_an_example_that_is_refused_stops_the_build(tmp_path: Path) -> None:
    """An example with a mistake is no example."""
    with pytest.raises(file_formats.InputError, match="is refused"):
        file_formats.printed("irmetrics-edu evaluate nothing.txt nothing.run", tmp_path)


def test_the_plugin_is_told_in_full() -> None:
    """Every option with its key, every marker, fixture and keyword, and the rules of baselines."""
    page = reference.plugin()
    for name, _, _ in (*pytest_plugin.OPTIONS, *pytest_plugin.POLICY):
        assert f"`irm_{name}`" in page
        assert f"`--irm-{name.replace('_', '-')}=" in page
    for name in vars(pytest_plugin):
        if name.startswith("irm_"):
            told = name.removeprefix("irm_")
            assert f"### {name}\n" in page or f"#### {told}\n" in page, name
    gate = page[page.index("### irm_baseline") : page.index("### Assertions")]
    for keyword in inspect.signature(BaselineGate.__call__).parameters:
        assert keyword == "self" or f"{keyword}: " in gate, keyword
    for rule in ("lies", "written", "stale", "outdated"):
        assert re.search(rf"\*\*W\w+ (the file|it is) {rule}\.\*\*", gate), rule
    for marker in ("irm_hint", "irm_baseline"):
        assert f"@pytest.mark.{marker}" in page
    assert all(f"`{name}`" in page for name in NAMES)
