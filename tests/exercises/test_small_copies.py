"""The first cell of a copy, its lines, and its texts in another language."""

import base64
import bz2
import json
import random
from types import SimpleNamespace

import pytest

from irmetrics_edu.classroom.exercises import copy_text, translation
from irmetrics_edu.classroom.exercises.computed_question import Question
from irmetrics_edu.classroom.exercises.copy_text import (
    CopyText,
    as_file,
    asked_of,
    packed_text,
    parsed,
    readable,
    shipped,
    tagged,
    unpacked_data,
    version_of,
    written,
)
from irmetrics_edu.classroom.exercises.spec import Exercise
from irmetrics_edu.classroom.exercises.translation import paragraphs
from irmetrics_edu.classroom.grading.plain_values import pack
from irmetrics_edu.errors import InputError
from tests.tables import rows

# -- lines of a readable length


def test_a_value_is_broken_behind_commas_and_only_where_it_has_to_be():
    """Each line takes as many pieces as fit into 96 letters; together they are the value."""
    source = random.Random(3)
    for _ in range(60):
        words = ["a, b", "é" * source.randint(1, 30), "c" * 120, 12345, [1, {"x, y": None}], True]
        value = [source.choice(words) for _ in range(source.randint(0, 25))]
        value = source.choice([value, {"k": value, "l, m": 3}])
        text = copy_text._wrapped("name", value)
        lines = text.split("\n")
        assert json.loads("{" + text + "}") == {"name": value}
        assert lines[0].startswith('   "name": ') or lines[0] == '   "name":'
        whole = json.dumps(value, ensure_ascii=False)
        assert "".join(line.strip() + " " for line in lines).strip().replace("  ", " ")
        pieces = copy_text._between_commas(value)
        assert "".join(pieces) == whole
        assert all(piece.endswith(", ") for piece in pieces[:-1])
        # By hand: a piece goes to the next line if it does not fit.
        expected, line = [], '   "name": '
        for piece in pieces:
            if len(line + piece) > 96:
                expected.append(line.rstrip())
                line = " " * 5
            line += piece
        assert lines == [*expected, line]


def test_pieces_end_behind_a_comma_between_parts_alone():
    """Not behind one within a text, nor behind a colon."""
    found = copy_text._between_commas({"a, b": [1, "c, d"], "e": {}})
    assert found == ['{"a, b": [1, ', '"c, d"], ', '"e": {}}']
    assert copy_text._between_commas("x, y") == ['"x, y"']
    assert copy_text._lines({"a": 1, "b": [2]}) == '  {"a": 1,\n   "b": [2]}'
    assert copy_text._lines({}) == "  {}"


# -- which questions


FUNCTION = Question("f", "dcg(grades)", tries=1)
VALUE = Question("v", "cg(grades)", kind="value")
OWN = Exercise("91", "Mine", [FUNCTION, VALUE])
INPUTS = {"f": [{"grades": [3, 2]}], "v": [{"grades": [1]}]}


def test_an_exercise_is_kept_with_the_inputs_of_its_functions_alone():
    """Those of values are each copy's own; a function that is not tried has none."""
    asked = asked_of(OWN, INPUTS)
    assert asked["inputs"] == {"f": pack(INPUTS["f"])}
    assert (asked["number"], asked["title"]) == ("91", "Mine")
    assert [one["name"] for one in asked["questions"]] == ["f", "v"]
    assert asked_of(OWN, {"v": INPUTS["v"]})["inputs"] == {}
    stored = json.loads(as_file(asked))
    assert stored == {
        "title": "Mine",
        "questions": json.loads(json.dumps(asked["questions"])),
        "inputs": {"f": [{"grades": [3, 2]}]},
    }
    for text in (
        as_file(asked),
        as_file({**asked, "inputs": {**asked["inputs"], "g": [pack({})]}}),
    ):
        assert len(text.split("\n")) >= 5
        json.loads(text)


def test_data_are_the_same_after_they_were_text():
    """Keys that are no text, or both, need a tag; letters stand as they are."""
    for value in ({1: "x"}, {1: "x", "a": 2}, {"a": 2, (1,): "x"}, {"é": {None: 1}}, {"set": 1}):
        packed = json.loads(json.dumps(pack(value)))
        text = copy_text._json(readable(packed))
        assert tagged(json.loads(text)) == packed
        assert ("é" in text) is ("é" in value)
        assert "\\u" not in text
    assert readable(pack({1: "x", "a": 2})) == {"dict": [[1, "x"], ["a", 2]]}
    assert "Mü" in as_file(asked_of(Exercise("91", "Mü", []), {}))


def test_a_version_is_of_all_but_the_number():
    """Eight letters, which do not depend on the order in which fields were written."""
    asked = asked_of(OWN, INPUTS)
    version = version_of(asked)
    assert len(version) == 8
    assert version == version_of({**asked, "number": "07"})
    assert version == version_of(dict(reversed(asked.items())))
    for other in ({"title": "Other"}, {"inputs": {}}, {"questions": []}):
        assert version_of({**asked, **other}) != version


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A package that has one file of questions."""
    folder = tmp_path / "questions"
    folder.mkdir()
    monkeypatch.setattr(copy_text, "QUESTIONS", folder)
    asked = asked_of(OWN, INPUTS)
    (folder / "mine.json").write_text(as_file(asked), encoding="utf-8")
    (tmp_path / "outside.json").write_text(as_file(asked), encoding="utf-8")
    return json.loads(json.dumps(asked))


def test_questions_that_the_package_has_are_named_and_others_are_held(shelf):
    """With their version; no name leads out of the folder."""
    assert shipped("mine") == {key: value for key, value in shelf.items() if key != "number"}
    for name in ("none", "../outside", "", "/"):
        assert shipped(name) is None
    data = {"v": pack({"grades": [1]})}
    copy = CopyText(shelf, data)
    text = written(copy, "mine")
    assert f'"questions": "mine {version_of(shelf)}"' in text
    assert "seals" not in text
    assert parsed(text) == copy
    held = written(CopyText({**shelf, "title": "Other"}, data), "mine")
    assert parsed(held) == CopyText({**shelf, "title": "Other"}, data)
    for other in (held, written(copy, "none")):
        lines = json.loads(other)["questions"]
        assert [len(line) for line in lines[:-1]] == [96] * (len(lines) - 1)
        assert 0 < len(lines[-1]) <= 96
        assert len(lines) > 2
        assert unpacked_data("".join(lines))["title"] in {"Mine", "Other"}
    sealed = written(CopyText(shelf, data, {"v": "f" * 32}), "mine")
    assert parsed(sealed) == CopyText(shelf, data, {"v": "f" * 32})
    older = text.replace(version_of(shelf), "0" * 8)
    assert parsed(older) == CopyText(shelf, data, changed=True)
    assert parsed("\n " + text) == copy


def test_a_copy_whose_questions_are_not_here_says_what_to_install(shelf):
    """By their name, or because they ask for other data."""
    data = {"v": pack({"grades": [1]})}
    text = written(CopyText(shelf, data), "mine")
    told = json.loads(text)
    for other in (
        {**told, "questions": "none 00000000"},
        {**told, "data": {}},
        {**told, "data": {"v": {"grades": [1]}, "w": {}}},
        {**told, "data": {"w": {}}},
    ):
        with pytest.raises(InputError) as error:
            parsed(json.dumps(other))
        assert str(error.value) == (
            f"the questions {other['questions']} of this copy are not in the irmetrics-edu that is "
            "installed; install the version that the copy was made with, or write the exercise "
            "anew with: irmetrics-edu course DIR"
        )
    broken = ["", "x", "{", "[]", '{"data": {}}', "abcd", packed_text({"a": 1})]
    broken += [json.dumps({**told, "questions": "mine"}), json.dumps({**told, "questions": 3})]
    broken += [json.dumps({**told, "data": 3}), "[" * 99_999, "{" * 3 + '"a":' * 9]
    for one in broken:
        with pytest.raises(InputError, match=r"^the first cell was changed and can't be read \("):
            parsed(one)


def test_a_copy_of_before_holds_data_among_its_inputs():
    """Of values; what is left are the inputs of functions."""
    asked = asked_of(OWN, INPUTS)
    inputs = {"f": pack(INPUTS["f"]), "v": pack(INPUTS["v"])}
    before = {**asked, "inputs": inputs}
    found = parsed(packed_text(before))
    told = json.loads(json.dumps(asked))
    assert found == CopyText(told, {"v": pack(INPUTS["v"][0])})
    with_seals = parsed(packed_text({**before, "seals": {"v": "x"}}))
    assert with_seals == CopyText(told, {"v": pack(INPUTS["v"][0])}, {"v": "x"})
    without = parsed(packed_text({**before, "inputs": {"f": inputs["f"]}}))
    assert without == CopyText(told, {})


def test_what_is_packed_is_the_same_word_on_every_run():
    """Spaces and the order of keys say nothing; lines may be broken anywhere."""
    one = packed_text({"b": "é", "a": [1, 2]})
    assert one == packed_text({"a": [1, 2], "b": "é"})
    bare = '{"a":[1,2],"b":"é"}'.encode()
    assert one == base64.b64encode(bz2.compress(bare)).decode()
    assert unpacked_data(f"{one[:7]}\n {one[7:]}") == {"a": [1, 2], "b": "é"}
    with pytest.raises(ValueError, match="ASCII"):
        unpacked_data("é")
    with pytest.raises(ValueError, match="base64"):
        unpacked_data(f"{one[:4]}*{one[4:]}")


# -- another language

BLOCKS = [
    ("# Title", ["Title"]),
    ("### Title\nmore", ["Title more"]),
    ("one\ntwo\n\nthree", ["one two", "three"]),
    ("one\n  \nthree\n", ["one", "three"]),
    ("- one\n  more\n- two\n* three", ["one more", "two", "three"]),
    ("text\n- one\n1. two", ["text", "one", "two"]),
    ("1. one\n2. two\n   more\n10. ten", ["one", "two more", "ten"]),
    ("text in\n2. lines", ["text in 2. lines"]),
    ("above\n\n```\ncode\n\n- x\n```\n\nbelow", ["above", "below"]),
    ("```python\na\n```", []),
    ("$$\nx\n$$", []),
    ("$x$ and `code`", ["$x$ and `code`"]),
    ("$x$ `code`", []),
    ("`a\nb`", []),
    ("| one | b |\n|---|---|\n| c | d |", ["| one | b |\n|---|---|\n| c | d |"]),
    ("some **bold** -  words", ["some **bold** - words"]),
    ("", []),
    ("12 + 3", []),
]


@rows(("markdown", "messages"), BLOCKS)
def test_the_messages_of_a_text_are_its_paragraphs_and_items(markdown, messages):
    """Each at its place; formulas, code and numbers alone have none."""
    found = [*paragraphs(markdown)]
    assert [one.message for one in found] == messages
    for one in found:
        assert " ".join(markdown[one.start : one.end].split()) == " ".join(one.message.split())
    turned = markdown
    for one in reversed(found):
        turned = turned[: one.start] + one.message.upper() + turned[one.end :]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(translation, "said", str.upper)
        assert translation._in_words(markdown) == turned
        patch.setattr(translation, "said", str)
        assert translation._in_words(markdown) == markdown


def test_a_copy_of_other_cells_is_not_translated(monkeypatch):
    """Texts would go into the wrong cells."""
    text = SimpleNamespace(markdown=True, tags=[])
    source = SimpleNamespace(question_of=lambda _cell: "")
    monkeypatch.setattr(translation, "identified", lambda _source: [("a", text)])
    for count in (0, 1, 2):
        book = SimpleNamespace(cells=[SimpleNamespace(source="some words") for _ in range(count)])
        if count == 1:
            assert translation.in_language(source, book, "") is book
        else:
            with pytest.raises(ValueError, match="zip"):
                translation.in_language(source, book, "")


def test_the_first_cell_of_a_translated_copy_speaks_its_language():
    """One bracket, that of the call, is opened again."""
    assert translation._opened_in('begin("x (y)")', "ja") == 'begin("x (y)", language="ja")'
