"""A run is built by asking: the same whatever ends first, and nothing that failed is hidden."""

import asyncio
import functools
import json
import sqlite3
import threading
import time
from types import SimpleNamespace

import pytest

from irmetrics_edu import RetrieverError, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging import BuiltRun, build_run, building
from irmetrics_edu.judging.building import read_queries

QUERIES = {f"q{i}": f"word{i} text" for i in range(12)}
QRELS = {query: {text.split()[0]: 1} for query, text in QUERIES.items()}


def search(text):
    """The first word scores 0.9, the second 0.4."""
    return [(word, score) for word, score in zip(text.split(), (0.9, 0.4), strict=True)]


class Clock:
    """Goes one second further each time that it is looked at, and then two, and so on."""

    def __init__(self):
        self.now, self.step = 0.0, 0

    def __call__(self):
        """The seconds."""
        self.step += 1
        self.now += self.step
        return self.now


def test_a_run_is_what_was_found_for_each_query(monkeypatch):
    """It is a mapping, so it is evaluated as any run; texts and latencies stand beside it."""
    monkeypatch.setattr(building, "perf_counter", Clock())
    run = build_run(search, QUERIES)
    assert isinstance(run, BuiltRun)
    assert dict(run)["q3"] == {"word3": 0.9, "text": 0.4}
    assert run == {query: dict(search(text)) for query, text in QUERIES.items()}
    assert evaluate(run, QRELS, "RR").mean["RR"] == 1
    assert run.texts == QUERIES
    # Looked at twice for each query: the second look of query i is its step 2 i + 2.
    assert list(run.latencies.values()) == [2.0 * i + 2 for i in range(12)]
    assert run.notes() == []


def test_equal_scores_are_told_as_a_convention_may_order_them_otherwise():
    """With order="given" the order is the retriever's, and there is nothing to tell."""

    def tied(text):
        return [("a", 1.0), ("b", 1.0)] if text == "x" else [("a", 1.0), ("b", 0.5)]

    run = build_run(tied, {"q1": "x", "q2": "y"})
    (note,) = run.notes()
    assert note.startswith("1 of 2 queries have equal scores, which conventions may order")
    assert note.endswith("(trec_eval: by id); order=\"given\" keeps yours: 'q1'")
    assert build_run(tied, {"q1": "x", "q2": "y"}, order="given").notes() == []


def test_threads_and_loops_change_nothing():
    """The last query ends first, and the run is the same."""

    def slow(text):
        time.sleep(0.02 if text.startswith("word0") else 0)
        return search(text)

    async def slow_async(text):
        await asyncio.sleep(0.02 if text.startswith("word0") else 0)
        return search(text)

    plain = build_run(search, QUERIES)
    for run in (
        build_run(slow, QUERIES, threads=4),
        build_run(slow_async, QUERIES),
        build_run(slow_async, QUERIES, threads=5),
        build_run(functools.partial(slow_async), QUERIES, threads=5),
    ):
        assert list(run.items()) == list(plain.items())
        assert list(run.latencies) == list(QUERIES)


def test_so_many_at_a_time_and_no_more():
    """threads=3 is what it says, of functions and of async functions."""
    under_way, most, lock = 0, [0], threading.Lock()

    def count(change):
        nonlocal under_way
        with lock:
            under_way += change
            most[0] = max(most[0], under_way)

    def busy(text):
        count(1)
        time.sleep(0.005)
        count(-1)
        return [text]

    async def busy_async(text):
        count(1)
        while most[0] < 3:
            await asyncio.sleep(0.001)
        count(-1)
        return [text]

    build_run(busy, QUERIES, threads=3)
    assert most[0] <= 3
    most[0] = 0
    build_run(busy_async, QUERIES, threads=3)
    assert most[0] == 3


def test_in_a_loop_that_runs_already():
    """As in a notebook."""

    async def search_async(text):
        return search(text)

    async def notebook():
        return build_run(search_async, QUERIES, threads=2)

    assert asyncio.run(notebook()) == build_run(search, QUERIES)


def failing(text):
    """Queries 4 and 7 fail, and 4, which stands before, later."""
    if text.startswith("word7"):
        raise TimeoutError("no answer within 1 s")
    if text.startswith("word4"):
        time.sleep(0.02)
        raise ConnectionError("reset")
    return [] if text.startswith("word9") else search(text)


async def failing_async(text):
    """The same."""
    await asyncio.sleep(0)
    return failing(text)


@pytest.mark.parametrize("how", [{}, {"threads": 8}], ids=repr)
@pytest.mark.parametrize("retrieve", [failing, failing_async])
def test_the_first_failure_in_order_is_raised(retrieve, how):
    """Query 4's, whichever fails first by the clock; its cause is kept."""
    with pytest.raises(RetrieverError) as caught:
        build_run(retrieve, QUERIES, **how)
    assert str(caught.value) == "query 'q4': the retriever failed: ConnectionError: reset"
    assert isinstance(caught.value.__cause__, ConnectionError)


def test_failures_can_be_kept_and_are_said():
    """Their rankings are empty, and score 0 instead of being left out."""
    run = build_run(failing, QUERIES, errors="keep", threads=2)
    assert list(run) == list(QUERIES)
    assert run.errors == {
        "q4": "ConnectionError: reset",
        "q7": "TimeoutError: no answer within 1 s",
    }
    assert run.empty == ("q9",)
    assert not run["q4"]
    assert run.notes() == [
        "2 of 12 queries failed, with an empty ranking: 'q4', 'q7'",
        "1 of 12 queries got an empty answer: 'q9'",
    ]
    assert "2 of 12 queries failed" in str(run)
    assert evaluate(run, QRELS, "RR").mean["RR"] == pytest.approx(9 / 12)
    assert len(run.latencies) == 12


def test_after_a_failure_nothing_more_is_asked():
    """One thread stops at the query that fails."""
    asked = []

    def retrieve(text):
        asked.append(text)
        return failing(text)

    with pytest.raises(RetrieverError):
        build_run(retrieve, QUERIES)
    assert len(asked) == 5


def test_an_answer_that_is_not_understood_is_never_kept():
    """It is a mistake of the test, not a failure of the system."""
    with pytest.raises(InputError, match=r"^query 'q0': the answer is of no known shape"):
        build_run(lambda _: object(), QUERIES, errors="keep")


@pytest.mark.parametrize("how", [{}, {"threads": 3}], ids=repr)
def test_it_ends_the_asking(how):
    """Not every query is asked before the mistake is told."""
    asked = []

    def retrieve(text):
        asked.append(text)
        time.sleep(0.01)
        return object()

    with pytest.raises(InputError, match=r"^query 'q0': the answer is of no known shape"):
        build_run(retrieve, QUERIES, errors="keep", **how)
    assert len(asked) < len(QUERIES)


def test_an_input_error_of_the_retrievers_own_is_a_failure():
    """It may use this package itself."""

    def retrieve(_):
        raise InputError("no such field")

    with pytest.raises(RetrieverError, match="query 'q0': the retriever failed: no such field"):
        build_run(retrieve, QUERIES)
    assert len(build_run(retrieve, QUERIES, errors="keep").errors) == 12


def test_cursors_and_iterators_are_taken_whole_by_the_call():
    """In its thread, as SQLite demands, and in its time."""

    def retrieve(text):
        connection = sqlite3.connect(":memory:")
        sql = "SELECT ? AS id, 0.9 AS score"
        return closing_after(connection.execute(sql, [text]), connection)

    def closing_after(cursor, connection):
        rows = cursor.fetchall()
        description = cursor.description
        connection.close()
        return SimpleNamespace(description=description, fetchall=lambda: in_its_thread(rows))

    main = threading.get_ident()

    def in_its_thread(rows):
        assert threading.get_ident() != main
        return rows

    assert build_run(retrieve, {"q1": "a", "q2": "b"}, threads=2) == {
        "q1": {"a": 0.9},
        "q2": {"b": 0.9},
    }
    lazily = build_run(lambda text: iter([text, "z"]), {"q1": "a"})
    assert dict(lazily) == {"q1": ["a", "z"]}


def test_a_partial_answer_is_a_failure():
    """It is raised or kept as one."""
    partial = {"timed_out": True, "hits": {"hits": []}}
    with pytest.raises(RetrieverError, match=r"query 'q0': .*partial: it timed out"):
        build_run(lambda _: partial, QUERIES)
    assert len(build_run(lambda _: partial, QUERIES, errors="keep").errors) == 12


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"threads": 0}, "threads=0 is not possible; give a whole number"),
        ({"threads": True}, "threads=True"),
        ({"threads": "2"}, "threads='2'"),
        ({"errors": "ignore"}, "errors='ignore' is not known"),
        ({"retries": 3}, r"retries= is not known; there are threads"),
        ({"order": "x"}, "order='x'"),
    ],
    ids=repr,
)
def test_a_wrong_keyword_is_refused_before_anything_is_asked(wrong, message):
    """With what would do."""
    with pytest.raises(InputError, match=message):
        build_run(lambda _: pytest.fail("it was asked"), QUERIES, **wrong)


def test_a_coroutine_that_nobody_awaits():
    """A lambda around an async function says how to go on."""

    async def search_async(text):
        return search(text)

    with pytest.raises(InputError, match="give an async function"):
        build_run(lambda text: search_async(text[:]), QUERIES)
    with pytest.raises(InputError, match="give a function"):
        build_run("search", QUERIES)


FILES = {
    "queries.csv": 'query_id,text\nq1,cheap flights\nq2,"beer, cold"\n',
    "queries.tsv": "qid\tquery\nq1\tcheap flights\nq2\tbeer, cold\n",
    "queries.json": json.dumps({"q1": "cheap flights", "q2": "beer, cold"}),
    "queries.jsonl": '{"_id": "q1", "text": "cheap flights", "metadata": {}}\n\n'
    '{"_id": "q2", "text": "beer, cold"}\n',
}


@pytest.mark.parametrize("name", FILES)
def test_queries_of_a_file(tmp_path, name):
    """Every format gives the same queries."""
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    assert read_queries(tmp_path / name) == {"q1": "cheap flights", "q2": "beer, cold"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("q.csv", "id,text\nq1,a\nq1,b\n", r"line 3: query 'q1' has two texts"),
        ("q.csv", "id,text\nq1\n", r"line 2: 1 values; expected 2"),
        ("q.csv", "id,text\nq1, \n", r"query 'q1': its text is empty"),
        ("q.csv", "id,text\n q1,a\n", r"line 2: ' q1' is not an id"),
        ("q.csv", "a,b\n1,2\n", r"line 2: no id of the query: call it one of id"),
        ("q.tsv", "id\tname\n1\t2\n", r"line 2: no text of the query"),
        ("q.csv", "id,text\n", r"queries: there is none"),
        ("q.jsonl", '{"id": 1, "text": "a"}\n[1]\n', r"line 2: a list; expected an object"),
        ("q.jsonl", '{"id": 1, "text": "a"}\n{\n', r"line 2: .*expected JSON"),
        ("q.jsonl", '{"id": 1.5, "text": "a"}\n', r"line 1: 1\.5 is not an id"),
        ("q.json", '{"q1": 5}', r"query 'q1': the text is 5"),
        ("q.txt", "q1 a", r"ends in none of \.csv"),
    ],
)
def test_a_bad_file_of_queries_is_refused(tmp_path, name, text, message):
    """By file and line."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_queries(tmp_path / name)


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ({}, "there is none"),
        (["a"], "give a mapping from id to text"),
        ({"q1": " "}, "query 'q1': its text is empty"),
        ({"q1": "a", 2: "b"}, "mixed kinds"),
    ],
)
def test_bad_queries_are_refused(queries, message):
    """Before anything is asked."""
    with pytest.raises(InputError, match=message):
        build_run(search, queries)


class Terminal:
    """A stream that says that it is a terminal."""

    def __init__(self):
        self.text = ""

    def isatty(self):
        """Yes."""
        return True

    def write(self, text):
        """Keep it."""
        self.text += text

    def flush(self):
        """Nothing is held back."""


def test_progress_is_for_terminals_alone(monkeypatch, capsys):
    """It is drawn on stderr, and cleared at the end."""
    build_run(search, QUERIES)
    assert capsys.readouterr() == ("", "")
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    build_run(search, QUERIES)
    assert "asked 12 of 12 queries" in terminal.text
    assert terminal.text.endswith("\r\x1b[K")
