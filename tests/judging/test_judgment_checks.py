"""Trouble in judgments is found, by its line; judgments without any are left in peace."""

import io

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.judgment_checks import lint

GOOD = "q1 0 a 1\nq1 0 b 0\nq2 0 a 0\nq2 0 c 1\n"


def found(findings):
    """The rules with their lines."""
    return [(f.kind, f.rule, f.line) for f in findings]


@pytest.fixture
def qrels(tmp_path):
    """Writes judgments, and gives their path."""

    def write(text, name="qrels"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_good_judgments_have_no_finding(qrels, tmp_path):
    """With all ids known, too."""
    (tmp_path / "queries.txt").write_text("q1\nq2\n")
    path = qrels(GOOD)
    assert lint(path) == []
    assert lint(path, queries=tmp_path / "queries.txt", documents=["a", "b", "c"]) == []
    assert (
        lint({"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "c": 1}}, queries={"q1": "", "q2": ""}) == []
    )


TROUBLE = [
    ("q1 0 a\n", [("error", "malformed", 5)]),
    ("q1 0 a 0\n", [("error", "conflict", 5)]),
    ("q1 0 a 1\n", [("error", "repeated", 5)]),
    ("q3 0 a 0\nq3 0 b 0\n", [("warning", "no-relevant", 5)]),
    ("q3 0 a 1\n", [("warning", "all-relevant", 5)]),
    ("q2 0 C 0\n", [("warning", "alike", 5)]),
    ("Q1 0 a 0\nQ1 0 b 1\n", [("warning", "alike", 5)]),
]


@pytest.mark.parametrize(("more", "expected"), TROUBLE)
def test_each_trouble_is_found_by_its_line(qrels, more, expected):
    """Nothing else is, in judgments that are good otherwise; in CSV the lines are one further."""
    assert found(lint(qrels(GOOD + more))) == expected
    lines = [line.split() for line in (GOOD + more).splitlines()]
    table = "query,document,grade\n" + "".join(f"{','.join([w[0], *w[2:]])}\n" for w in lines)
    as_csv = [(kind, rule, line + 1) for kind, rule, line in expected]
    assert found(lint(qrels(table, "qrels.csv"))) == as_csv


def test_ids_that_are_not_there_are_errors_with_one_much_like_them(qrels):
    """Once for each id; ids alike are no matter if both are there."""
    path = qrels(GOOD + "q2 0 C 0\n")
    one, two = lint(path, documents=["A", "b", "c", "C"], queries=["q2"])
    assert (one.rule, one.line) == ("dangling-query", 1)
    assert one.message == "query 'q1' is not among the 1 given (lines with it: 2)"
    assert (two.rule, two.line) == ("dangling-document", 1)
    assert two.message == (
        "document 'a' is not among the 4 given; 'A' is, which differs only in blanks or case "
        "(lines with it: 2)"
    )


def test_a_document_may_be_judged_for_several_subtopics(qrels):
    """As in TREC's diversity tasks; twice for one subtopic is still an error."""
    good = "q1 1 a 1\nq1 2 a 0\nq1 1 b 0\nq2 1 a 0\nq2 2 c 2\n"
    assert lint(qrels(good)) == []
    (twice,) = [f for f in lint(qrels(good + "q1 2 a 1\n")) if f.kind == "error"]
    assert (twice.rule, twice.line) == ("conflict", 6)
    assert twice.message.startswith("query q1, subtopic 2, document a has grade 1 here and 0 in")


def test_a_grade_that_occurs_once_among_many_is_told(qrels):
    """11 for 1 is a slip of the keyboard; among a few pairs any grade may occur once."""
    many = "".join(f"q{n} 0 a {n % 2}\nq{n} 0 b {1 - n % 2}\n" for n in range(10))
    assert lint(qrels(many)) == []
    slip = lint(qrels(many.replace("q3 0 b 0", "q3 0 b 11")))
    assert [(f.rule, f.line, f.message) for f in slip if f.rule == "rare-grade"] == [
        ("rare-grade", 8, "grade 11 occurs once, query q3, document b")
    ]
    assert "rare-grade" not in [f.rule for f in lint(qrels("q 0 a 0\nq 0 b 11\n"))]


def test_judgments_of_relevant_documents_alone_are_told_once(qrels):
    """As collections of clicks have them: one finding, not one for each query."""
    assert found(lint(qrels("q1 0 a 1\nq2 0 b 1\n"))) == [("warning", "all-relevant", None)]
    graded = lint(qrels("q1 0 a 0\nq1 0 b 0\nq2 0 b 2\nq2 0 a 2\n"))
    assert found(graded) == [("warning", "no-relevant", 1), ("warning", "all-relevant", 3)]


def test_many_bad_lines_are_counted(qrels):
    """Twenty are shown."""
    findings = lint(qrels(GOOD + "bad\n" * 25))
    assert len(findings) == 21
    assert max(f.message for f in findings) == "5 more lines can't be read"


def test_the_command_fails_on_errors_alone(qrels, tmp_path, capsys, monkeypatch):
    """1 for an error, 0 for warnings, 2 for what is no judgments at all."""
    monkeypatch.chdir(tmp_path)
    qrels(GOOD + "q1 0 a 0\n", "bad")
    qrels(GOOD + "q3 0 a 0\n", "odd")
    qrels("", "none")
    assert main(["judgments", "lint", "bad"]) == 1
    assert capsys.readouterr().out == (
        "bad, line 5: error: query q1, document a has grade 0 here and 1 in line 1; keep the one "
        "that is right [conflict]\ngrades: 0 in 3, 1 in 2\nerrors: 1, warnings: 0\n"
    )
    assert main(["judgments", "lint", "odd"]) == 0
    assert "errors: 0, warnings: 1" in capsys.readouterr().out
    assert main(["judgments", "lint", "none"]) == 2


def test_what_is_no_list_of_ids_is_refused(qrels):
    """Its name is said."""
    with pytest.raises(InputError, match="line 2: no id of the document"):
        lint(qrels(GOOD), documents=qrels("name\nx\n", "documents.csv"))


def test_standard_input_and_json_are_looked_at_too(qrels, monkeypatch, capsys):
    """A pipe has lines and no file beside it; a JSON file has no lines."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"q1 0 a 1\nq1 0 a 0\n")))
    assert main(["judgments", "lint", "-"]) == 1
    assert "standard input, line 2: error" in capsys.readouterr().out
    path = qrels('{"q1": {"a": 0, "b": 0}}', "qrels.json")
    assert found(lint(path)) == [("warning", "no-relevant", None)]


def test_each_grade_is_counted(qrels, capsys):
    """In the result, and below what the command prints."""
    path = qrels("q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq2 0 d 0\n")
    assert lint(path).grades == {0: 2, 1: 1, 2: 1}
    assert lint({"q": {"a": 0.5, "b": -1, "c": 0.5}}).grades == {-1: 1, 0.5: 2}
    assert main(["judgments", "lint", str(path)]) == 0
    assert "grades: 0 in 2, 1 in 1, 2 in 1\n" in capsys.readouterr().out


def test_files_are_read_as_evaluate_reads_them(qrels):
    """Columns of other names, comments of trec_eval 10, letters with what they are worth."""
    table = qrels("who,what,stars\nq,a,1\nq,b,0\n", "other.csv")
    roles = {"who": "query", "what": "document", "stars": "grade"}
    assert lint(table, columns=roles) == []
    commented = qrels("# judged in May\nq1 0 a 1\nq1 0 b 0\n")
    assert [finding.rule for finding in lint(commented)] == ["malformed"]
    assert lint(commented, conventions="trec_eval_10") == []
    letters = qrels("query,document,grade\nq,a,1\nq,b,0\nq,c,S\n", "letters.csv")
    (finding,) = lint(letters)
    assert "a letter of ESCI: write its gain, 0.1" in finding.message
