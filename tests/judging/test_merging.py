"""Graded lists come back into judgments: with their sources, and nothing is lost in silence."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu import evaluate
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.labels import (
    Label,
    Labels,
    of_source,
    read_labels,
    write_labels,
)
from irmetrics_edu.judging.merging import merge
from irmetrics_edu.judging.worklist import unjudged

OLD = {"q1": {"a": 1, "b": 0}}


@pytest.fixture
def graded(tmp_path):
    """Writes a graded list, and gives its path."""

    def write(text, name="work.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_grades_are_added_with_their_source(graded):
    """A column says it row by row, a keyword for the rows that don't."""
    path = graded(
        "query,document,grade,source,judge,when\n"
        "q1,c,2,model,m-7,2026-05-01\nq2,a,0,,,\nq1,a,1,,,\n"
    )
    merged = merge(path, OLD, source="person", judge="Anna")
    assert {q: dict(of) for q, of in merged.labels.items()} == {
        "q1": {"a": 1, "b": 0, "c": 2},
        "q2": {"a": 0},
    }
    assert [(x.document, x.by, x.when) for x in merged.labels.labels] == [
        ("a", "unknown", ""),
        ("b", "unknown", ""),
        ("c", "model:m-7", "2026-05-01"),
        ("a", "person:Anna", ""),
    ]
    assert merged.notes == [
        "judgments added: 2; in all: 4",
        "rows that repeat a grade that was there: 1",
        "grades that the judgments before did not have: 2",
        "sources: unknown 2, model 1, person 1",
    ]


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("q1,c,5\n", {"scale": [0, 1, 2]}, "line 2: .*grade 5 is not on the scale 0, 1, 2"),
        ("q1,c,-1\n", {}, "line 2: .*grade -1 is below 0"),
        ("q1,c,1_0\n", {}, "line 2: .*grade '1_0' is not a number"),
        ("q1,c,nan\n", {}, "line 2: .*not finite"),
        ("q1,c,1\nq1,a,0\n", {}, r"line 3: .*grade 0 \(person\), but 1 \(unknown\) in the"),
        ("q1,c,1\nq1,c,0\n", {}, r"line 3: .*grade 0 \(person\), but 1 .* in .*csv, line 2"),
        (
            "q1,c,1\n",
            {"source": ""},
            r"line 2: .*no source \(person, model, rule\); fill in the column",
        ),
        ("q1,c,1\n", {"source": "robot"}, "source='robot' is not known"),
        ("q1,c,1\n", {"when": "May"}, "when is 'May'"),
        ("q1, c,1\n", {}, "line 2: document: ' c' has blanks"),
        ("q1,c,x\nq1,d,-1\n", {}, "2 rows don't fit(?s:.*)line 2(?s:.*)line 3"),
    ],
)
def test_rows_that_do_not_fit_are_named(graded, text, options, said):
    """All in one message, and nothing is merged."""
    path = graded("query,document,grade\n" + text)
    with pytest.raises(InputError, match=said):
        merge(path, OLD, **{"source": "person", **options})


def test_what_is_left_out_is_counted(graded):
    """A row without a grade adds nothing."""
    path = graded("query,document,grade\nq1,d,1\nq1,c,\n")
    merged = merge(path, OLD, source="person")
    assert dict(merged.labels["q1"]) == {"a": 1, "b": 0, "d": 1}
    assert "rows without a grade, left out: 1" in merged.notes


def test_what_was_handed_out_is_checked(graded):
    """A spreadsheet made 007 of an id into 7: refused. What did not come back is counted."""
    out = graded(unjudged({"A": {"q": ["007", "b"]}}).csv(), "out.csv")
    spoilt = graded("query,document,grade\nq,7,1\n", "spoilt.csv")
    with pytest.raises(InputError, match=r"line 2: .*'7': this pair was not handed out"):
        merge(spoilt, source="person", handed_out=out)
    part = graded("query;document;grade\nq;007;1\n", "part.csv")
    merged = merge(part, source="person", handed_out=out)
    assert "pairs that were handed out and did not come back: 1" in merged.notes


def test_a_grade_that_was_not_there_before_is_told_unless_a_scale_allows_it(graded):
    """11 for 1 is a slip of the keyboard."""
    path = graded("query,document,grade\nq1,c,11\n")
    told = "grades that the judgments before did not have: 11"
    assert told in merge(path, OLD, source="person").notes
    assert told not in merge(path, OLD, source="person", scale=[0, 1, 11]).notes
    assert told not in merge(path, source="person").notes


ids = st.text("ab=@-+'0é", min_size=1, max_size=4).filter(lambda i: i == i.strip())
labels = st.builds(
    Label,
    ids,
    ids,
    st.sampled_from([0.0, 1.0, 2.5]),
    st.sampled_from(["", "person", "model"]),
    st.sampled_from(["", "Anna", "=A1 b"]),
    st.sampled_from(["", "2026-05-01"]),
)


@given(st.lists(labels, min_size=1, unique_by=lambda x: (x.query, x.document)))
@pytest.mark.parametrize("name", ["new.qrels", "new.csv"])
def test_what_is_written_is_read_back_as_it_was(tmp_path_factory, name, given_labels):
    """By us, and by `evaluate` with the same ids and grades; from CSV with the sources."""
    path = tmp_path_factory.mktemp("labels") / name
    by_query = sorted(given_labels, key=lambda x: x.query)
    try:
        write_labels(Labels(by_query), path)
    except InputError:
        assert any(i[0] in "=@-+'" for x in by_query for i in (x.query, x.document))
        return
    read = read_labels(path)
    assert [(x.query, x.document, x.grade) for x in read.labels] == [
        (x.query, x.document, x.grade) for x in by_query
    ]
    kept = name.endswith(".csv")
    assert [(x.source, x.when) for x in read.labels] == [
        (x.source, x.when) if kept else ("", "") for x in by_query
    ]
    again = path.with_name(f"again{path.suffix}")
    write_labels(read, again)
    assert again.read_bytes() == path.read_bytes()
    run = {q: list(of) for q, of in read.items()}
    assert evaluate(run, path, "Judged@1").mean["Judged@1"] == 1
    assert evaluate(run, path, "AP").mean == evaluate(run, dict(read), "AP").mean


def test_a_source_is_chosen_and_scores_by_itself(graded):
    """A file with two labels for a pair is no judgments until one source is chosen."""
    path = graded(
        "query,document,grade,source,judge\nq,a,1,person,Anna\nq,a,0,model,\nq,b,1,model,\n"
    )
    both = read_labels(path)
    assert repr(both) == "Labels(3 labels: 1 of person, 2 of model)"
    with pytest.raises(InputError, match=r"line 3: .*judged twice, by person:Anna and model"):
        dict(both)
    run = {"q": ["a", "b"]}
    assert evaluate(run, of_source(both, "person"), "RR").mean["RR"] == 1
    assert evaluate(run, of_source(path, "model"), "RR").mean["RR"] == 0.5
    with pytest.raises(InputError, match="no label is of 'rule'; there are person:Anna, model"):
        of_source(both, "rule")


@pytest.mark.parametrize(
    ("label", "name", "said"),
    [
        (Label("q 1", "a", 1), "new.qrels", "a blank in it.*ends in .csv"),
        (Label("q", "=a", 1), "new.csv", "would be a formula"),
        (Label("q", "a ", 1), "new.csv", "ends in blanks"),
        (Label("q", "a", 1), "new.json", "written as .csv, or as TREC"),
    ],
)
def test_ids_for_which_a_format_has_no_room_are_refused(tmp_path, label, name, said):
    """And nothing is written."""
    with pytest.raises(InputError, match=said):
        write_labels(Labels([label]), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_the_loop_from_the_command_line(tmp_path, capsys, monkeypatch):
    """Handed out, filled in, merged in place, scored, and nothing is left to judge."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2.0 a\nq1 Q0 @d2 2 1.0 a\n")
    (tmp_path / "qrels").write_text("q1 0 d1 0\n")
    assert main(["judgments", "unjudged", "a.run", "--judged", "qrels", "-o", "work.csv"]) == 0
    lines = list(csv.DictReader(io.StringIO((tmp_path / "work.csv").read_text())))
    lines[0]["grade"] = "1"
    with (tmp_path / "graded.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)
    merge_ = "judgments merge graded.csv --judged qrels --source person --scale 0,1"
    assert main([*merge_.split(), "--handed-out", "work.csv", "-o", "qrels"]) == 0
    out = capsys.readouterr().out
    assert "judgments added: 1; in all: 2" in out
    assert "qrels has no room for sources; to keep them, give a name that ends in .csv" in out
    assert (tmp_path / "qrels").read_text() == "q1 0 d1 0\nq1 0 @d2 1\n"
    assert evaluate("a.run", "qrels", "RR").mean["RR"] == 0.5
    assert main(["judgments", "unjudged", "a.run", "--judged", "qrels"]) == 0
    assert "2 judged, 0 to be judged" in capsys.readouterr().err
    assert main([*merge_.split(), "-o", "a.run"]) == 2  # another file is not overwritten
    assert "a.run already exists" in capsys.readouterr().err
    assert main([*merge_.split()[:-1], "0,x", "-o", "new"]) == 2
    assert "give grades such as 0,1,2,3" in capsys.readouterr().err
