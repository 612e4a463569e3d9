"""Small tables: texts, subtopics, categories, groups of queries, and names of their columns."""

import contextlib
import json

import pytest

from irmetrics_edu.errors import Avoidable, InputError
from irmetrics_edu.reading import column_names, topics
from irmetrics_edu.reading.column_names import Chosen, chosen, column, other_names
from irmetrics_edu.reading.files import File, Problems
from irmetrics_edu.reading.records import Record, objects, records, table
from irmetrics_edu.reading.texts import read_texts
from irmetrics_edu.reading.toml_files import toml_of
from irmetrics_edu.reading.topics import read_categories, read_items, subtopics_of
from irmetrics_edu.reading.values_by_query import Wanted, read_query_values
from tests.tables import rows as each_row

Q, D = "query", "document"
NUMBERS = {"n", "stars", "grade", "distance"}
CHOSEN = [
    ("query document", True, Chosen(Q, D, None, None)),
    ("query document score", True, Chosen(Q, D, "score", None)),
    ("query document rank", True, Chosen(Q, D, None, "rank")),
    ("rank score document query", True, Chosen(Q, D, "score", "rank")),
    ("query document sim score", True, Chosen(Q, D, "score", None)),
    ("query document title", True, Chosen(Q, D, None, None)),
    ("query document score stars", True, Chosen(Q, D, "score", None)),
    ("query document rank grade", True, Chosen(Q, D, None, "rank")),
    ("query document stars", True, "'stars' holds numbers"),
    ("query document stars n", True, "'stars', 'n' hold numbers"),
    ("query document grade n", True, "has a column 'grade': are these the judgments"),
    ("query document n grade", True, "has a column 'grade': are these the judgments"),
    ("query document distance", True, "'distance' holds distances"),
    ("query document n distance", True, "'distance' holds distances"),
    ("document score", True, "no column of the query; call it 'query'"),
    ("query score", True, "no column of the document; call it 'document'"),
    ("query document", False, Chosen(Q, D, None, None)),
    ("query document grade", False, Chosen(Q, D, "grade", None)),
    ("query document rel n", False, Chosen(Q, D, "rel", None)),
    ("query document score grade", False, Chosen(Q, D, "grade", None)),
    ("query document n", False, "no column of the grade; call it 'grade'"),
    ("query document score", False, "has a column 'score': is this the run"),
    ("query document rank", False, "has a column 'rank': is this the run"),
    ("query corpus-id score", False, Chosen(Q, "corpus-id", "score", None)),
    ("q_id doc_id score", False, Chosen("q_id", "doc_id", "score", None)),
    ("q_id doc_id score n", False, "is this the run"),
    ("query query document", True, "2 columns are called 'query'"),
]


@each_row(("names", "run", "expected"), CHOSEN)
def test_the_columns_of_a_table_are_chosen_by_their_names(names, run, expected):
    """A run may have no scores, and judgments no grades, if nothing else may be these."""
    given = names.split(" ")
    if isinstance(expected, Chosen):
        assert chosen(given, "t", run=run, is_numeric=NUMBERS.__contains__) == expected
        used = [v for v in (expected.query, expected.document, expected.value, expected.rank) if v]
        assert expected.places == used
        named = expected.read(run=run)
        assert [*named.values()] == used
        assert ("grade" in named) == (not run and expected.value is not None)
        return
    with pytest.raises(InputError, match=expected):
        chosen(given, "t", run=run, is_numeric=NUMBERS.__contains__)


@each_row(
    ("names", "asked", "found"),
    [
        (["reader", "query"], {"reader": "query"}, "reader"),
        (["reader", "query"], {"reader": "rank"}, "query"),
        (["reader", "query"], {"book": "query"}, "query"),
        ([" Query ", "x"], None, " Query "),
        (["user:token", "x"], None, "user:token"),
        (["query", "qid"], None, "qid"),
    ],
)
def test_a_column_is_the_one_that_is_asked_for_or_called_so(names, asked, found):
    """Whatever stands around a name, and the types behind those of RecBole."""
    assert column(names, column_names.QUERY, "query", "t", asked) == found


def test_a_column_that_is_not_there_is_told_with_those_that_are():
    """A caller who can name columns is told how."""
    with pytest.raises(InputError, match=r"call it 'n'; the columns are 'a', 'b'$") as plain:
        column(["a", "b"], ["n"], "number", "t")
    assert not isinstance(plain.value, Avoidable)
    with pytest.raises(Avoidable, match=r"call it 'n' \(or m\).*; the columns are none"):
        column([], ["n", "m"], "number", "t", {})
    with pytest.raises(InputError, match=r"call it 'm' \(or n\)"):
        column([], ["n", "m"], "m", "t")


@each_row(
    ("columns", "unnamed", "notes"),
    [
        ({"run": {"query": "query", "score": "score"}}, (), []),
        ({"run": {"query": "qid"}}, (), ["columns of the run are read by other names: 'qid' as"]),
        ({"run": {"query": "1", "score": "2"}}, ["run"], ["column 1 is read as query, 2 as score"]),
        (
            {"run": {"query": "1"}, "judgments": {"query": "qid"}},
            ["run"],
            ["the run names no columns", "columns of the judgments are read by other names"],
        ),
        (
            {"run": {"score": "Distance"}},
            (),
            ["'Distance' as score", "the highest 'Distance' comes first"],
        ),
        ({"run": {"rank": "distance"}}, (), ["'distance' as rank"]),
    ],
)
def test_other_names_of_columns_are_told(columns, unnamed, notes):
    """A note for each table, and one of distances that are read as scores."""
    found = other_names(columns, unnamed)
    assert len(found) == len(notes)
    for note, said in zip(found, notes, strict=True):
        assert said in note


def put(folder, name, text):
    """A file with this text."""
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def refused(says):
    """An error with these words; nothing where there are none."""
    return pytest.raises(InputError, match=says) if says else contextlib.nullcontext()


TEXTS = [
    ("f.csv", "id,text\na,one\nb,two\n", {"a": "one", "b": "two"}),
    ("f.csv", "id;title;text\na;T;one\n", {"a": "T one"}),
    ("f.csv", "doc_id,title\na,T\n", {"a": "T"}),
    ("f.csv", "\n\nID , Text \na,one\n", {"a": "one"}),
    ("f.csv", "id,query,text\na,words,one\n", {"a": "one"}),
    ("f.csv", "document,contents\na,one\n", {"a": "one"}),
    ("f.csv", "id,text\na,one\na,one\n", {"a": "one"}),
    ("f.csv", "id,text\na,one\na,two\n", "f.csv, line 3: document 'a' has two texts"),
    ("f.csv", "id,x\na,one\n", "no text of the document: call it one of text, .*title; there are"),
    ("f.csv", "x,text\na,one\n", "no id of the document: call it one of id, .*'x', 'text'"),
    ("f.csv", "id,text\na\n", "line 2: 1 values; expected 2"),
    ("f.tsv", "id\ttext\na\tone\n", {"a": "one"}),
    ("f.tsv", "a\tone\n\n b \ttwo\tthree\n", {"a": "one", "b": "two\tthree"}),
    ("f.tsv", "a\tone\nb two\n", "f.tsv, line 2: expected an id, a tab and a text"),
    ("f.tsv", "a\tone\n\ttwo\n", "f.tsv, line 2: expected an id, a tab and a text"),
    ("f.json", '{"a": "one"}', {"a": "one"}),
    ("f.json", '{"a": 1}', "document 'a': the text is 1; give text"),
    ("f.jsonl", '{"_id": "a", "title": "T", "text": ""}\n', {"a": "T"}),
    ("f.jsonl", '{"id": 7, "text": null, "title": "T"}\n', {"7": "T"}),
    ("f.ndjson", '{"id": "a", "text": 5}\n', "line 1: the text is 5"),
    ("f.jsonl", '{"id": "a", "body": "one"}\n\n{"text": "x"}\n', "line 3: no id of the document"),
    ("f.txt", "a\tone\n", "the name ends in none of"),
]


@each_row(("name", "text", "expected"), TEXTS)
def test_texts_are_read_by_their_ids(tmp_path, name, text, expected):
    """With a title in front; what has no id, no text or two texts is refused."""
    path = put(tmp_path, name, text)
    with refused(expected if isinstance(expected, str) else ""):
        assert read_texts(path, "document") == expected


@each_row(
    ("source", "ids"),
    [
        (["b", 7], {"b": "", "7": ""}),
        ({"b": "text"}, {"b": "text"}),
        (7, None),
    ],
)
def test_ids_alone_do_where_no_text_is_asked_for(tmp_path, source, ids):
    """As a list, a mapping, a plain file or a table without texts."""
    path = put(tmp_path, "ids.txt", " a \n\nb\n")
    assert read_texts(path, "query", bare=True) == {"a": "", "b": ""}
    assert read_texts(put(tmp_path, "i.csv", "qid,x\na,1\n"), "query", bare=True) == {"a": ""}
    with refused("" if ids else "the texts of the querys are a mapping or a file; got 7"):
        assert read_texts(source, "query", bare=True) == ids
    with refused("" if isinstance(source, dict) else "are a mapping or a file"):
        assert read_texts(source, "query") == ids


def test_a_query_is_an_id_alone_and_a_text_beside_an_id(tmp_path):
    """Whichever of them stands first."""
    path = put(tmp_path, "q.csv", "query,qid\nwords,q1\n")
    assert read_texts(path, "query") == {"q1": "words"}
    path = put(tmp_path, "q.csv", "query,text\nq1,words\n")
    assert read_texts(path, "query") == {"q1": "words"}


@each_row(
    ("written", "grade"),
    [
        ("1", 1.0), ("-2.5", -2.5), ("1e3", 1000.0), (1, 1.0), (0.5, 0.5), (" 3 ", 3.0),
        ("1_0", None), ("\u0663", None), ("x", None), ("", None),
        ("inf", None), ("-inf", None), ("nan", None), (float("nan"), None), ("1e999", None),
    ],
)  # fmt: skip
def test_a_grade_is_a_finite_number_as_people_write_it(written, grade):
    """Python reads more as a number."""
    assert topics._grade(written) == grade


BY_TOPIC = {"q": {"a": {"1": 1.0, "2": 0.0}, "b": {"1": 2.0}}}


@each_row(
    ("name", "text", "says"),
    [
        ("f", "q 1 a 1\nq 2 a 0\n\nq 1 b 2\n", ""),
        ("f.csv", "q,1,a,1\nq,2,a,0\nq,1,b,2\n", ""),
        ("f.tsv", "document\tgrade\tsubtopic\tqid\na\t1\t1\tq\na\t0\t2\tq\nb\t2\t1\tq\n", ""),
        ("f.json", json.dumps(BY_TOPIC), ""),
        ("f", "q 1 a 1\nq 1 a 1\n", "line 2: .*document 'a' is judged twice for subtopic '1'"),
        ("f", "q 1 a 1\n\nq 1 a\n", "line 3: 'q 1 a': 3 fields; expected 4"),
        ("f", "q 1 a 1\nq 1 b x\n", "line 2: 'q 1 b x': grade 'x' is not a finite number"),
        ("f", "\n", "it is empty; expected query subtopic document grade"),
        ("f.csv", "query,subtopic,document,grade\nq,1,a,x\n", "line 2: .* is not a finite number"),
        ("f.csv", "query,subtopic,document,grade\nq,1, a,1\n", "line 2: .* has blanks around it"),
    ],
)
def test_subtopics_are_read_from_lines_and_tables(tmp_path, name, text, says):
    """Each line by its number; the columns of a table are told."""
    path = put(tmp_path, name, text)
    problems = Problems("f")
    with refused(says):
        assert subtopics_of(File(path), problems) == BY_TOPIC
        if name == "f.tsv":
            assert problems.columns == {
                "query": "qid", "subtopic": "subtopic", "document": "document", "grade": "grade"
            }  # fmt: skip


@each_row("ending", ["f.csv", "f.tsv"])
def test_grades_by_subtopic_may_be_truth_values(tmp_path, ending):
    """As pandas writes them; None are scores."""
    text = "query,subtopic,document,grade\nq,1,a,True\nq,2,a,False\n"
    path = put(tmp_path, ending, text.replace(",", "\t" if ending == "f.tsv" else ","))
    assert subtopics_of(File(path), Problems("f")) == {"q": {"a": {"1": 1.0, "2": 0.0}}}


@each_row(
    ("text", "categories", "bad"),
    [
        ("a x\na y\nb x\n", {"a": {"x", "y"}, "b": {"x"}}, 0),
        ("a b\tx y\n", {"a b": {"x y"}}, 0),
        ("a x\n\n  a\ty \n", {"a": {"x", "y"}}, 0),
        ("a x\nb x y\n", {"a": {"x"}}, 1),
        ("a x\nb\n", {"a": {"x"}}, 1),
        ("a x\nb\tx\ty\n", {"a": {"x"}}, 1),
        ("a x\nb\t\tx\nc\n", {"a": {"x"}}, 2),
        ("b\n", None, 1),
    ],
)
def test_categories_are_pairs_of_an_item_and_one_of_them(tmp_path, text, categories, bad):
    """With a tab between them both may have blanks; other lines are counted or refused."""
    path = put(tmp_path, "f", text)
    with refused("" if categories else r"f: .*\n  line 1: 'b': 1 fields; expected 2"):
        assert read_categories(path, skip_bad=True) == (categories, bad)
    with refused(r"f: .*\n  line \d: .* fields; expected 2: item category" if bad else ""):
        assert read_categories(path) == (categories, 0)


def test_items_are_lines(tmp_path):
    """With the blanks in them; one that is no text is told by its line."""
    assert read_items(put(tmp_path, "f", "a b\n\n c \n")) == ["a b", "c"]
    (tmp_path / "f").write_bytes(b"a\n\n\xff\n")
    with pytest.raises(InputError, match=r"line 3: '\\\\xff': it is not text in UTF-8"):
        read_items(tmp_path / "f")
    with pytest.raises(InputError, match="it is empty; expected an item on each line"):
        read_items(put(tmp_path, "f", "\n"))


GROUP = Wanted("group", ("device",), "queries are grouped by")
GIVEN = [("q", "x"), ("r", "y")]
VALUES = [
    ("f.csv", "query,group\nq,x\nr,y\n", ""),
    ("f.csv", "group,query\nx,q\ny,r\n", ""),
    ("f.csv", ",query,group\n0,q,x\n1,r,y\n", ""),
    ("f.csv", ",group\nq,x\nr,y\n", ""),
    ("f.csv", "query,device,group\nq,0,x\nr,0,y\n", ""),
    ("f.csv", "query,Device,other\nq,x,0\nr,y,0\n", "by column 'Device' of f.csv"),
    ("f.csv", "query,text,other\nq,0,x\nr,0,y\n", "by column 'other' of f.csv"),
    ("f.csv", "qid,query\nq,x\nr,y\n", "by column 'query' of f.csv"),
    ("f.csv", "qid,,other\nq,0,x\nr,0,y\n", "by column 'other' of f.csv"),
    ("f.csv", "\nquery;group\n;\nq;x\nr;y\n", ""),
    ("f.csv:a", "query,a,b\nq,x,0\nr,y,0\n", "by column 'a' of f.csv"),
    ("f.jsonl", '{"query": "q", "group": "x"}\n{"group": "y", "query": "r"}\n', ""),
    ("f.jsonl", '{"id": "q", "a": "x"}\n{"id": "r", "a": "y"}\n', "by column 'a' of f.jsonl"),
    ("f.json", '{"q": "x", "r": "y"}', ""),
    ("f.txt", ' {"q": "x", "r": "y"}', ""),
]


@each_row(("name", "text", "about"), VALUES)
def test_the_value_of_each_query_is_found(tmp_path, name, text, about):
    """In the column that is called so, or that alone is left."""
    put(tmp_path, name.partition(":")[0], text)
    found = read_query_values(f"{tmp_path}/{name}", GROUP)
    assert [(one["query"], one["group"]) for one in found.records] == GIVEN
    assert found.about.endswith(about)
    assert bool(found.about) == bool(about)


@each_row(
    ("name", "text", "says"),
    [
        ("f.csv", "query\nq\n", "line 1: 'query' is one column; write a query and its group"),
        ("f.csv", "\nquery\nq\n", "line 2: 'query' is one column"),
        ("f.csv", "", "the file is empty; expected a header: query, group"),
        ("f.csv", "query,a,b\nq,x,y\n", "any of the columns 'a', 'b' may be the group.*f.csv:a"),
        ("f.csv", "query,text,title\nq,x,y\n", "any of the columns 'text', 'title' may be"),
        ("f.csv", "query,group,Group\nq,x,y\n", "any of the columns 'group', 'Group' may be"),
        ("f.csv", "query,group\nq\n", "line 2: 1 values; expected 2: query, group"),
        ("f.csv", "query, \nq,x\n", "no column of the group beside 'query'"),
        ("f.csv:c", "query,a,b\nq,x,y\n", "there is no column 'c'; the columns are 'query', 'a'"),
        ("f.csv:a=1", "query,a,b\nq,x,y\n", "all values of 'a' are taken as group; leave out =1"),
        ("f.jsonl", "\n", "the file is empty; expected a query and its group"),
        ("f.json", '{"q": ["x"]}', r"query 'q' has \['x'\]"),
        ("f.json", '{"q": {"x": 1}}', "query 'q' has"),
        ("f.json", '{"q": null}', "query 'q' has None"),
    ],
)
def test_a_value_that_nobody_can_find_is_asked_for(tmp_path, name, text, says):
    """By the columns that there are."""
    put(tmp_path, name.partition(":")[0], text)
    with pytest.raises(InputError, match=says):
        read_query_values(f"{tmp_path}/{name}", GROUP)
    value = Wanted("value", (), "queries are chosen by")
    if "=" in name:
        found = read_query_values(f"{tmp_path}/{name}", value)
        assert [(one.line, one["query"], one["value"]) for one in found.records] == [(2, "q", "x")]


def test_values_that_are_no_text_are_written(tmp_path):
    """As Python writes them."""
    put(tmp_path, "f.json", '{"q": 1, "r": 0.5, "s": true}')
    found = read_query_values(tmp_path / "f.json", GROUP)
    assert [(one.line, one["group"]) for one in found.records] == [
        (1, "1"),
        (1, "0.5"),
        (1, "True"),
    ]
    put(tmp_path, "f.jsonl", '{"query": 1, "group": 2}\n\n{"query": "r"}\n')
    found = read_query_values(tmp_path / "f.jsonl", GROUP)
    assert [(o.line, o["query"], o["group"]) for o in found.records] == [
        (1, "1", "2"),
        (3, "r", ""),
    ]


ROLES, OPTIONAL = {"query": ["query", "qid"], "number": ["n"]}, {"note": ["note", "why"]}


@each_row(
    ("text", "others", "expected"),
    [
        ("query,n\nq,1\n", True, [(2, "q", "1", "")]),
        ("\nn;qid;why\n1;q;x\n;;\n2;r;y\n", True, [(3, "q", "1", "x"), (5, "r", "2", "y")]),
        ('"n"\t"query"\n1\tq\n', True, [(2, "q", "1", "")]),
        ("query,n,x\nq,1,2\n", True, [(2, "q", "1", "")]),
        (
            "query,n,x\nq,1,2\n",
            False,
            "line 1: unknown column 'x'; columns are query, number, note",
        ),
        ("query,n,note\nq,1,2\n", False, [(2, "q", "1", "2")]),
        ("", True, "the file is empty; expected a header: query, number"),
        ("\nquery,x\nq,1\n", True, "line 2: there is no column of the number; call it 'n'"),
        ("query,n\nq\n", True, "line 2: 1 values; expected 2: query, n; quote a value"),
        ("query,n\nq,1,2\n", True, "line 2: 3 values; expected 2"),
    ],
)
def test_rows_of_a_small_table_are_read_by_their_roles(tmp_path, text, others, expected):
    """Each by its line, whatever separates the values; a role that is optional may be missing."""
    path = put(tmp_path, "f.csv", text)
    with refused(expected if isinstance(expected, str) else ""):
        found = records(path, ROLES, OPTIONAL, others=others)
        assert [(r.line, r["query"], r["number"], r["note"]) for r in found] == expected
        assert found[0].place == f"{path}, line {found[0].line}: "


@each_row(
    ("value", "says"),
    [("a", ""), ("a b", ""), ("", "it is empty"), (" ", "it is empty"), (" a", "has blanks"),
     ("a ", "has blanks")],
)  # fmt: skip
def test_an_id_of_a_row_has_no_blanks_around_it(value, says):
    """And is not empty."""
    with refused(f"f, line 3: query: .*{says}" if says else ""):
        assert Record("f", 3, {"query": value}).id("query") == value


def test_tables_of_spreadsheets_are_read_in_their_encodings(tmp_path):
    """UTF-8, UTF-16, and Windows' own if a name of those that may be there can be read in it."""
    path = tmp_path / "t.csv"
    expected = (["näme", "b"], [(2, ["x", "1"])])
    for coding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_bytes("näme;b\r\nx;1\r\n".encode(coding))
        found = table(path)
        assert (found.head, found.rows) == expected
    path.write_bytes("näme;b\nx;1\n".encode("cp1252"))
    for names in (["näme"], ["z", "na\u0308me"]):
        found = table(path, names)
        assert (found.head, found.rows) == expected
    for names in ([], ["b"], ["nome"], ["öther"]):
        with pytest.raises(InputError, match="line 1: byte 1 is not UTF-8; save it as CSV UTF-8"):
            table(path, names)
    path.write_bytes("näme".encode("utf-16") + b"x")
    with pytest.raises(InputError, match="is not UTF-16; save it as CSV UTF-8"):
        table(path, ["näme"])
    with pytest.raises(InputError, match="is a folder; name a CSV file"):
        table(tmp_path)
    with pytest.raises(InputError, match=r"none\.csv is not there"):
        table(tmp_path / "none.csv")
    path.write_text("sep=;\na;b\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: 'sep=;' is no column; delete this line"):
        table(path)


def test_a_key_of_toml_has_at_most_a_thousand_dots():
    """The line of a longer one is named; dots of a value are as many as they are."""
    for dots, says in ((3, ""), (1001, "f, line 2: a key has more than 1,000 parts")):
        with refused(says):
            toml_of("\n" + "a" + ".a" * dots + " = 1", "f")
    assert toml_of(f"a = '{'.' * 2000}'", "f")["a"] == "." * 2000
    with pytest.raises(InputError, match="f can't be read as TOML: "):
        toml_of("a = ", "f")


def test_lines_of_json_are_objects_with_each_key_once(tmp_path):
    """What is none is refused with its line."""
    path = put(tmp_path, "f.jsonl", '\n{"a": 1}\n{"a": 1, "a": 2}\n')
    found = objects(File(path))
    assert next(found) == (2, {"a": 1})
    with pytest.raises(InputError, match=r"line 3: 'a' occurs twice in one object"):
        next(found)
