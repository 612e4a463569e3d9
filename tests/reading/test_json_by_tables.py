"""Shapes of JSON that other tools write, each beside what is nearly so and is read as it stands."""

import json

import pytest

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading import json_shapes
from irmetrics_edu.reading.files import File
from tests.tables import rows as each_row

ROW = {"query": "q", "document": "d"}


@pytest.fixture
def file(tmp_path):
    """Some file, whose name errors tell."""
    path = tmp_path / "f.json"
    path.write_text("{}", encoding="utf-8")
    return File(path)


@each_row(
    ("held", "rows"),
    [
        ({"query": ["q"], "document": ["d"]}, [ROW]),
        ({"query": {"0": "q"}, "document": {"0": "d"}}, [ROW]),
        ({"query": {"0": "q"}, "document": {"1": "d"}}, None),
        ({"query": {"0": "q", "1": "q"}, "document": {"1": "d", "0": "d"}}, None),
        ({"query": {"7": "q", "3": "p"}, "document": {"7": "d", "3": "e"}},
         [ROW, {"query": "p", "document": "e"}]),
        ({"query": ["q"], "document": "d"}, None),
        ({"query": ["q"], "document": {"0": "d"}}, None),
        ({"query": {"a": "q"}, "document": ["a"]}, None),
        ({"query": ["q"], "document": ["d", "e"]}, None),
        ({"query": ["q"], "d": ["d"]}, None),
        ({"q": ["q"], "document": ["d"]}, None),
        ({"query": ["q"], "document": ["d"], "score": [2]}, [{**ROW, "score": 2}]),
        ({"columns": ["query", "document"], "data": [["q", "d"]]}, [ROW]),
        ({"columns": ["query", "document"], "data": [["q", "d"], ["q", "d"]]}, [ROW, ROW]),
        ({"columns": ["query", "document"], "data": []}, []),
        ({"columns": ["query", "document"], "data": [["q"]]}, None),
        ({"columns": ["query", "document"], "data": [["q", "d"], ["q"]]}, None),
        ({"columns": ["query", "document"], "data": ["qd"]}, None),
        ({"columns": ["query", "x"], "data": [["q", "d"]]}, None),
        ({"columns": ["x", "document"], "data": [["q", "d"]]}, None),
        ({"columns": {"query": 0, "document": 1}, "data": [["q", "d"]]}, None),
        ({"columns": "query", "data": [["q", "d"]]}, None),
        ({"data": [["q", "d"]]}, None),
        ({"schema": {}, "data": [ROW]}, [ROW]),
        ({"schema": {}, "data": [ROW, 5]}, None),
        ({"schema": {}, "data": []}, []),
        ({"data": [ROW]}, None),
        ({"data": {"d": 1}}, None),
    ],
)  # fmt: skip
def test_a_frame_as_pandas_writes_it_has_rows(held, rows):
    """By columns, split or as a table; what has other names or lengths is none."""
    assert json_shapes.rows_of_frame(held) == rows


HIT = {"_id": "a", "_score": 2.0}
SEARCH = {"hits": {"hits": [HIT, {"_id": "b", "_score": 1.0}]}}
OF_SEARCH = {"a": 2.0, "b": 1.0}
# What one query has, and what is made of it in a run and in judgments.
ANSWERS = [
    ({"a": 2.0}, {"a": 2.0}, {"a": 2.0}),
    (["a", "b"], ["a", "b"], ["a", "b"]),
    ([], [], []),
    ([["a", 2.0], ["b", 1]], {"a": 2.0, "b": 1}, {"a": 2.0, "b": 1}),
    ([["a", True]], [["a", True]], [["a", True]]),
    ([["a", "2"]], [["a", "2"]], [["a", "2"]]),
    ([["a", 2.0, 3]], [["a", 2.0, 3]], [["a", 2.0, 3]]),
    ([["a", 2.0], "b"], [["a", 2.0], "b"], [["a", 2.0], "b"]),
    ([{"id": "a", "score": 2}], {"a": 2}, {"a": 2}),
    ([{"docno": "a", "sim": 2}], {"a": 2}, [{"docno": "a", "sim": 2}]),
    ([{"docno": "a", "grade": 2}], [{"docno": "a", "grade": 2}], {"a": 2}),
    ([{"docno": "a", "grade": 2, "score": 3}], {"a": 3}, {"a": 2}),
    ([{"docno": "a"}], [{"docno": "a"}], [{"docno": "a"}]),
    ([{"score": 1}], [{"score": 1}], [{"score": 1}]),
    ([{"id": "a", "score": 2}, ["b", 1]], {"a": 2, "b": 1}, {"a": 2, "b": 1}),
    (SEARCH, OF_SEARCH, SEARCH),
    ({"hits": {"hits": []}}, [], {"hits": {"hits": []}}),
    ({"hits": {"hits": [HIT, {"_id": "b"}]}}, {"hits": {"hits": [HIT, {"_id": "b"}]}}, None),
    ({"hits": [HIT]}, {"hits": [HIT]}, None),
    ({"hits": {"total": 1}}, {"hits": {"total": 1}}, None),
]


@each_row(("given", "in_run", "in_judgments"), ANSWERS)
def test_the_documents_of_a_query_are_made_an_object(file, given, in_run, in_judgments):
    """Lists of ids and other shapes stay as they are, for whoever checks them."""
    whole = {"q1": {"z": 1}, "q2": given}
    assert json_shapes.plain(whole, file, run=True) == {"q1": {"z": 1}, "q2": in_run}
    expected = given if in_judgments is None else in_judgments
    assert json_shapes.plain(whole, file, run=False) == {"q1": {"z": 1}, "q2": expected}


REQUEST = {"id": "q1", "ratings": [{"_id": "a", "rating": 1}, {"_id": "b", "rating": 0}]}
ANSWER = {"hits": [{"hit": HIT}, {"hit": {"_id": "b", "_score": 1.0}}]}


def test_requests_and_answers_of_rank_eval_are_read_where_they_belong(file):
    """A request holds judgments, its answer a run; what lacks a part of them is neither."""
    asked = {"requests": [REQUEST, {**REQUEST, "id": 7}]}
    ratings = {"a": 1, "b": 0}
    assert json_shapes.plain(asked, file, run=False) == {"q1": ratings, "7": ratings}
    answered = {"metric_score": 1, "details": {"q1": ANSWER, "q2": {}, "q3": []}}
    found = json_shapes.plain(answered, file, run=True)
    assert found == {"q1": OF_SEARCH, "q2": {}, "q3": {}}
    with pytest.raises(InputError, match=r"f\.json: a request .* holds judgments, not a run"):
        json_shapes.plain(asked, file, run=True)
    with pytest.raises(InputError, match=r"f\.json: an answer .* holds rankings"):
        json_shapes.plain(answered, file, run=False)
    for other in (
        {"requests": [REQUEST, {"id": "q2"}]},
        {"requests": [{"ratings": []}, REQUEST]},
        {"requests": {"q1": 1}},
        {"metric_score": {"a": 1}, "details": [1]},
        {"details": {"q1": 1}},
    ):
        assert json_shapes.plain(other, file, run=False) == other
        assert json_shapes.plain(other, file, run=True) == other


@each_row(
    ("held", "says"),
    [
        ({"requests": [REQUEST, REQUEST]}, "query 'q1': two requests have this id"),
        ({"q1": [["a", 1], ["a", 2]]}, "query 'q1': document 'a' is there twice"),
        ({"q1": [[True, 1]]}, "query 'q1': True is not an id"),
        ({"q1": [[None, 1]]}, "query 'q1': None is not an id"),
        ({"q1": [[1.5, 1]]}, r"query 'q1': 1\.5 is not an id"),
        ({"responses": [{"hits": 1}, {"hits": 2}]}, "_msearch names no queries"),
        ({"hits": {"hits": [HIT]}}, "an answer of Elasticsearch to one query"),
        ({"response": {"docs": []}}, "an answer of Solr to one query"),
        ({"topics": [], "id_field": "id"}, "Rated Ranking Evaluator"),
    ],
)
def test_what_says_too_little_is_refused_by_its_name(file, held, says):
    """In judgments as in runs."""
    for run in (False, True):
        if "requests" in held and run:
            continue
        with pytest.raises(InputError, match=rf"f\.json: .*{says}"):
            json_shapes.plain(held, file, run=run)


@each_row(
    "held",
    [
        {"responses": [{"hits": 1}, {"a": 1}]},
        {"responses": {"a": 1}},
        {"response": {"docs": 2}},
        {"response": {"d": [1]}},
        {"response": ["a"]},
        {"topics": [], "id": "id"},
        {"topics": {"a": 1}, "id_field": {"b": 1}},
        {"id_field": {"b": 1}},
        {"hits": {"d1": 2.0}},
    ],
)
def test_a_query_may_be_called_as_a_part_of_an_answer_is(file, held):
    """With other things below it."""
    for run in (False, True):
        assert json_shapes.plain(held, file, run=run) == held


@each_row("number", [7, 2**70, 0, "7", ""])
def test_whole_numbers_and_texts_are_ids(file, number):
    """Truth values are none."""
    assert json_shapes.plain({"q": [[number, 1]]}, file, run=True) == {"q": {number: 1}}


@each_row(
    ("rows", "held"),
    [
        ([{"qid": "q", "docs": ["a"]}], {"q": ["a"]}),
        ([{"qid": "q", "docs": ["a"]}, {"qid": "r", "ids": [["b", 1]]}],
         {"q": ["a"], "r": [["b", 1]]}),
        ([{"qid": "q", "docs": []}], {"q": []}),
        ([{"qid": "q", "docs": ["a"], "words": ["b"]}], None),
        ([{"qid": "q", "docs": "a"}], None),
        ([{"docs": ["a"]}], None),
        ([{"qid": None, "docs": ["a"]}], None),
        ([{"qid": "q", "results": ["a"]}], None),
        ([{"qid": "q", "results": ["a"], "docs": ["a"]}], None),
        ([{"qid": "q", "docno": "d", "words": ["a"]}], None),
        ([{"qid": "q", "docs": ["a"]}, {"qid": "r"}], None),
        ([], None),
    ],
)  # fmt: skip
def test_all_documents_of_a_query_may_stand_in_one_list(file, rows, held):
    """Of any name but that of sentence-transformers, and beside no document."""
    assert json_shapes.of_lists([*enumerate(rows, 1)], file) == held
    if held:
        again = [*enumerate([*rows, rows[0]], 1)]
        with pytest.raises(InputError, match=rf"line {len(again)}: query 'q': a line above has it"):
            json_shapes.of_lists(again, file)


@each_row("names", [("query", "document"), ("qid", "docno"), ("query_id", "corpus_id")])
def test_hits_are_put_together_by_query(file, names):
    """By scores; by ranks alone the lowest comes first; of judgments the grade is asked for."""
    query, document = names
    hits = [
        {query: q, document: d, "n": n} for q, d, n in (("q", "a", 1), ("q", "b", 2), (3, 4, 5))
    ]

    def of(name, also=None, *, run):
        given = [
            {name if k == "n" else k: v for k, v in hit.items()} | (also or {}) for hit in hits
        ]
        return json_shapes.of_hits(enumerate(given, 1), file, run=run)

    as_given = {"q": {"a": 1, "b": 2}, 3: {4: 5}}
    turned = {"q": {"a": -1, "b": -2}, 3: {4: -5}}
    assert of("score", run=True) == of("sim", run=True) == as_given
    assert of("rank", run=True) == turned
    assert of("score", {"rank": 9}, run=True) == as_given
    assert of("rank", {"sim": 0.5}, run=True) == {"q": {"a": 0.5, "b": 0.5}, 3: {4: 0.5}}
    assert of("grade", run=False) == of("score", run=False) == as_given
    assert of("rel", {"score": 9}, run=False) == as_given
    with pytest.raises(InputError, match=r"f\.json, line 1: there are .*'grade'; call the score"):
        of("grade", run=True)
    with pytest.raises(
        InputError, match=r"line 1: there are .*'rank'; call the grade one of grade"
    ):
        of("rank", run=False)
    twice = [(i, {query: "q", document: d, "score": 1}) for i, d in enumerate("abcb", 1)]
    for run, what in ((True, "ranked"), (False, "judged")):
        with pytest.raises(InputError, match=rf"line 4: query 'q', document 'b': {what} twice"):
            json_shapes.of_hits(twice, file, run=run)
    with pytest.raises(InputError, match=r"f\.json: it is empty"):
        json_shapes.of_hits([], file, run=True)


@each_row("rank", [-1, 1.5, "1", True])
def test_a_rank_is_a_whole_number_from_0_on(file, rank):
    """Another one is refused by its line; 0 is the first of some tools."""
    hit = {"query": "q", "document": "d", "rank": rank}
    with pytest.raises(InputError, match="rank"):
        json_shapes.of_hits([(1, hit)], file, run=True)
    found = json_shapes.of_hits([(1, {**hit, "rank": 0})], file, run=True)
    assert found == {"q": {"d": 0}}


def test_ranks_and_scores_of_hits_are_those_that_there_are():
    """None for what a hit lacks."""
    hits = [{"qid": "q", "rank": 1, "sim": 2.5}, {"query": "r", "rank": 2}, {"score": 0}]
    found = [*json_shapes.ranks_and_scores(enumerate(hits, 1))]
    assert found == [("q", 1, 2.5), ("r", 2, None), (None, None, 0)]
    assert json_shapes.query_of({"document": 1}) is None
    assert json_shapes.query_of({"query": "words", "qid": "q"}) == "q"


@each_row(
    ("text", "run"),
    [
        ('{"mteb_model_meta": {}, "default": {"test": {"q": {"a": 2.0}}}}', {"q": {"a": 2.0}}),
        ('{"mteb_model_meta": {}, "default": {"test": {"q": {"a": 2.0}}, "dev": {}}}', None),
        ('{"mteb_model_meta": {}, "one": {"test": {}}, "two": {"test": {}}}', None),
        ('{"mteb_model_meta": {}, "default": {"test": [0.5]}}', None),
        ('{"mteb_model_meta": {}}', None),
    ],
)
def test_predictions_of_mteb_hold_one_run(tmp_path, text, run):
    """With more of them, or none, nobody can tell which is meant."""
    from irmetrics_edu.reading.tabular import of_json_run

    path = tmp_path / "p.json"
    path.write_text(text, encoding="utf-8")
    if run is not None:
        assert of_json_run(File(path)) == run
        return
    number = sum(len(json.loads(text)[name]) for name in json.loads(text) if name[:4] != "mteb")
    with pytest.raises(InputError, match=f"predictions of MTEB with {number} runs"):
        of_json_run(File(path))
