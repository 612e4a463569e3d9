"""Words about single queries: a document in the top, one that is absent, a table of pins."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import (
    RankingAssertionError,
    assert_absent,
    assert_in_top,
    assert_pins,
)
from irmetrics_edu.gate.places import places

pytest_plugins = ["pytester"]

# d7 and d9 share the second and third place.
TIED = {"d3": 0.9, "d7": 0.4, "d9": 0.4, "d1": 0.2}
RUN = {"q1": TIED, "q2": ["a", "b", "c"], "q3": []}


def failure(check, *inputs, **options):
    """The error that this assertion raises."""
    with pytest.raises(RankingAssertionError) as caught:
        check(*inputs, **options)
    return caught.value


def test_a_document_is_in_the_top_down_to_the_limit():
    """The rank itself will do, the one above it will not; several may be named."""
    assert_in_top(["d3", "d7"], "d7", 2)
    assert_in_top(["d3", "d7"], ["d7", "d3"], 2)
    assert_in_top({"q1": ["d3", "d7"]}, "d3", 1, query="q1")
    error = failure(assert_in_top, ["d3", "d7"], "d7", 1)
    assert error.summary == "d7 is not in the top 1 (rank 2)"
    assert error.lines == ("     1  d3", "     2  d7  <-")
    error = failure(assert_in_top, {"q1": ["d3"]}, ["d7", "d9"], 1, query="q1")
    assert error.summary == "query q1: d7 is not in the top 1 (not retrieved); 1 more below"
    assert error.lines[0] == "d9 is not in the top 1 (not retrieved)"


def test_a_document_is_absent_from_the_first_ranks_or_altogether():
    """Just below the limit is absent; without a limit nowhere is meant."""
    assert_absent(["d3", "d7"], "d9")
    assert_absent(["d3", "d7"], "d7", 1)
    assert failure(assert_absent, ["d3", "d7"], "d7", k=2).summary == (
        "d7 is among the first 2 (rank 2)"
    )
    assert failure(assert_absent, ["d3", "d7"], "d7").summary == "d7 is retrieved (rank 2)"


@pytest.mark.parametrize("document", ["d7", "d9"])
def test_a_tie_speaks_for_neither_side(document):
    """Whichever of the two comes first: neither is surely in the top 2, nor surely absent."""
    assert_in_top(TIED, document, 3)
    assert_absent(TIED, document, 1)
    said = "rank 2 to 3, same score 0.4"
    assert said in failure(assert_in_top, TIED, document, 2).summary
    assert said in failure(assert_absent, TIED, document, 2).summary


@given(st.lists(st.integers(0, 2), min_size=1, max_size=5), st.integers(1, 6))
def test_a_place_holds_whichever_way_ties_are_broken(scores, limit):
    """Against all orders of the documents that fit their scores."""
    given_scores = {f"d{i}": score for i, score in enumerate(scores)}
    orders = [
        order
        for order in itertools.permutations(given_scores)
        if [given_scores[d] for d in order] == sorted(scores, reverse=True)
    ]
    found = places(given_scores)
    for document in given_scores:
        ranks = [order.index(document) + 1 for order in orders]
        assert found.in_top(document, limit) == all(rank <= limit for rank in ranks)
        assert found.absent(document, limit) == all(rank > limit for rank in ranks)
        assert (found.of(document).best, found.of(document).worst) == (min(ranks), max(ranks))


def test_a_hint_names_no_document_and_no_rank():
    """It is wrong somewhere: that is all."""
    error = failure(assert_in_top, ["d3", "d7"], "d7", 1, reveal="hint")
    assert str(error) == "a document is not at its expected place"


@pytest.mark.parametrize(
    ("inputs", "options", "said"),
    [
        ((RUN, "d7", 2), {}, "name one, query='q1'"),
        ((RUN, "d7", 2), {"query": "q9"}, "query 'q9': not in the run, which has 3 queries"),
        ((RUN, "d7", 2), {"query": "q3"}, "query 'q3': the ranking is empty"),
        ((["d7"], "d7", 2), {"query": "q1"}, "goes with a run"),
        ((["d7"], "d7", 0), {}, "top=0 is not possible; give a whole number of at least 1 rank"),
        ((["d7"], "d7", True), {}, "top=True"),
        ((["d7"], [], 1), {}, "no document is named"),
        ((["d7"], ["d7", "d7"], 1), {}, "twice"),
        ((["d7", "d7"], "d7", 1), {}, "ranked twice"),
        (([7, 8], "7", 1), {}, "only in type"),
        ((["d7 "], "d7", 1), {}, "only in white space"),
        (({"d7": float("nan")}, "d7", 1), {}, "not finite"),
        ((["d7"], "d7", 1), {"reveal": "some"}, "reveal='some'"),
    ],
)
def test_bad_input_is_no_failure(inputs, options, said):
    """It is refused, and the message says what would do."""
    with pytest.raises(InputError, match=said):
        assert_in_top(*inputs, **options)


def test_absence_is_not_taken_from_an_id_of_another_kind():
    """A mistyped id must not pass for absent."""
    with pytest.raises(InputError, match="document '7' differs from 7 at rank 1"):
        assert_absent([7, 8], "7")


def test_a_long_ranking_is_shown_in_part():
    """The top, the document and its neighbours."""
    error = failure(assert_in_top, [f"d{i}" for i in range(100)], "d50", 3)
    assert [line.split()[0] for line in error.lines] == [
        *"1234", "...", "50", "51", "52", "...",
    ]  # fmt: skip


@pytest.fixture
def table(tmp_path):
    """Writes a table of pins, and gives its path."""

    def write(text, name="pins.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


PINS = """query,document,top,absent,note
q1,d3,1,,the manual
q1,d7,2,,ties with d9
q1,d9,,1,
q2,z,,nowhere,
q2,c,,3,withdrawn
q3,a,5,,
q4,a,,nowhere,
"""


def test_every_broken_pin_is_in_one_message(table):
    """Query, document, rank found, limit and note of each, with the line of the table."""
    error = failure(assert_pins, RUN, table(PINS))
    assert error.summary == (
        "4 of 7 pins are broken (pins.csv): query q1: d7 rank 2 to 3, same score 0.4, top 2 asked"
    )
    assert [" ".join(line.split()) for line in error.lines[1:]] == [
        "3 q1 d7 rank 2 to 3, same score 0.4 top 2 ties with d9",
        "6 q2 c rank 3 absent from top 3 withdrawn",
        "7 q3 a not retrieved top 5",
        "8 q4 a no such query in the run absent",
    ]
    assert str(failure(assert_pins, RUN, table(PINS), reveal="hint")) == "4 of 7 pins are broken"


def test_pins_that_hold_say_nothing(table):
    """Also with semicolons, as some spreadsheets write; and for ids that are whole numbers."""
    assert_pins(RUN, table("query;document;top\nq1;d3;1\n"))
    assert_pins({1: [7, 8]}, table("query,document,top\n1,7,1\n"))
    assert_pins(table("q1 Q0 d7 1 2.0 t\n", "a.run"), table("query,document,top\nq1,d7,1\n"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty"),
        ("query,document,top\n", "holds no pin"),
        ("query,top\nq1,1\n", "line 1: there is no column of the document"),
        ("query,document,tpo\nq1,d,1\n", "line 1: unknown column 'tpo'"),
        ("query,document,top,top\nq1,d,1,1\n", "line 1: 2 columns are called 'top'"),
        ("query,document,top\nq1,d,0\n", "line 2: top is '0'"),
        ("query,document,top\nq1,d,2.5\n", "line 2: top is '2.5'"),
        ("query,document,top\nq1,d,99999999999\n", "line 2: top is '99999999999'"),
        ("query,document,absent\nq1,d,never\n", "line 2: absent is 'never'.*or 'nowhere'"),
        ("query,document,top,absent\nq1,d,1,nowhere\n", "line 2: .*both are given"),
        ("query,document,top\n\nq1,d,\n", "line 3: .*neither is given"),
        ("query,document,top\nq1, d,1\n", "line 2: document: ' d' has blanks around it"),
        ("query,document,top\n,d,1\n", "line 2: query: it is empty"),
        ("query,document,top\nq1,d\n", "line 2: 2 values; expected 3"),
        ('query,document,top\nq1,"d,1\n', "line 2: "),
        ("query,document,top,note\nq,a,1,\"x\ny\"\nq,d,1,\nq,d,2,\n", "line 5: .*line 4"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read_is_refused_by_its_line(table, text, said):
    """Nothing is guessed."""
    with pytest.raises(InputError, match=f"pins.csv.*{said}"):
        assert_pins(RUN, table(text))


def test_bytes_that_are_no_text_and_queries_that_nearly_match_are_refused(tmp_path, table):
    """The line is named; a blank at the end of an id of the run is no other query."""
    path = tmp_path / "pins.csv"
    path.write_bytes(b"query,document,top\nq1,d\xff,1\n")
    with pytest.raises(InputError, match=r"line 2: byte \d+ is not UTF-8"):
        assert_pins(RUN, path)
    pins = table("query,document,top\nq1,a,1\n")
    with pytest.raises(InputError, match="line 2: query 'q1' differs from 'q1 '"):
        assert_pins({"q1 ": ["a"]}, pins)
    with pytest.raises(InputError, match="line 2: query 'q1': document 'a' differs from 'a '"):
        assert_pins({"q1": ["a "]}, pins)
    with pytest.raises(InputError, match="give a run"):
        assert_pins(["a", "b"], pins)
    run = table("q1 Q0 a 1 2.0 t\nq1 Q0 a 2 1.0 t\n", "twice.run")
    with pytest.raises(InputError, match=r"line 2.*ranked twice"):
        assert_pins(run, pins)


SESSION = """
from pathlib import Path
from irmetrics_edu.gate import assert_absent

RUN = {"q1": ["d3", "d7"]}

def test_top(assert_in_top):
    assert_in_top(RUN, "d7", 1, query="q1")

def test_gone():
    assert_absent(["d3", "d7"], "d9")

def test_below():
    assert_absent(["d3", "d7"], "d7", 1)

def test_pins(assert_pins):
    assert_pins(RUN, Path(__file__).with_name("pins.csv"))
"""


def test_the_plugin_reports_them(pytester):
    """What was asked and found, in the table, as of any other assertion."""
    pytester.makepyfile(test_it=SESSION)
    (pytester.path / "pins.csv").write_text("query,document,top\nq1,d3,1\nq1,d7,1\n")
    result = pytester.runpytest_inprocess(
        "-p", "no:cacheprovider", "--tb=no", "--irm-report=it.json", "--irm-report=it.html"
    )
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(
        [
            "fail*share of 2 pins that hold*0.5000*= 1*1*test_pins",
            "fail*rank of d7 for q1*2*<= 1*1*test_top",
            "pass*rank of d7*2*>= 2*1*test_below",
            "pass*rank of d9*-*-*1*test_gone",
        ]
    )
