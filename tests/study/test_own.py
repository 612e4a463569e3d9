"""The study of one's own lists: against the metrics one by one, whatever the lists came as."""

import math

import pytest

from irmetrics_edu import dcc, dilad, fdcc, ilad, ilmd, recall
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab import study_lists
from irmetrics_edu.lab.study.claims import claims
from irmetrics_edu.metrics.diversity import category_coverage

GENRES = {"a": {"rock"}, "b": {"rock", "folk"}, "c": {"jazz"}, "d": {"folk"}, "e": set()}
VECTORS = {"a": [1, 0], "b": [2, 1], "c": [0, 3], "d": [-1, 1], "e": [-1, -2]}
RELEVANT = {"u": {"a", "c"}, "v": {"d"}, "w": {"b", "d", "e"}, "x": {"a"}}
RUNS = {
    "old": {"u": ["a", "b", "d"], "v": ["a", "b"], "w": ["e", "b", "a"], "x": ["c", "d", "a"]},
    "new": {"u": ["c", "d", "a"], "v": ["e"], "w": ["c", "d", "b"]},  # short, and one missing
}
OPTIONS = {"cutoffs": (2, 3), "alpha": 0.25, "beta": 0.5}


@pytest.fixture(scope="module")
def own():
    """A study of lists of several lengths."""
    return study_lists(RUNS, RELEVANT, GENRES, VECTORS, **OPTIONS)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", list(RUNS))
def test_scores_are_those_of_the_metrics(own, name, k):
    """List by list; no list scores 0, and a single item has no distance: 0."""
    for place, (user, wanted) in enumerate(RELEVANT.items()):
        found = {m: own.scores[name, m, k][place] for m in ("Recall", "CC", "DCC", "FDCC")}
        apart = {m: own.scores[name, m, k][place] for m in ("ILAD", "ILMD", "DILAD")}
        listed = RUNS[name].get(user, [])
        if not listed:
            assert not any(found.values())
            assert not any(apart.values())
            continue
        assert found == {
            "Recall": pytest.approx(recall(listed, dict.fromkeys(wanted, 1), k=k)),
            "CC": pytest.approx(category_coverage(listed, GENRES, k=k)),
            "DCC": pytest.approx(dcc(listed, wanted, GENRES, k=k, alpha=0.25)),
            "FDCC": pytest.approx(fdcc(listed, wanted, GENRES, k=k, alpha=0.25)),
        }
        two = len(listed) > 1
        assert apart == {
            "ILAD": pytest.approx(ilad(listed, VECTORS, k=k) if two else 0),
            "ILMD": pytest.approx(ilmd(listed, VECTORS, k=k) if two else 0),
            "DILAD": pytest.approx(dilad(listed, wanted, VECTORS, k=k, beta=0.5) if two else 0),
        }


def test_what_is_missing_is_counted(own):
    """Users without a list, and lists that are short."""
    assert own.data.notes == (
        "old: 1 lists are shorter than 3",
        "new: 1 users have no list and score 0",
        "new: 1 lists are shorter than 3",
    )
    assert repr(own) == "<Study of own lists: 4 users, cut-offs 2, 3; new against old>"


def test_the_base_is_the_first(own):
    """Gains turn their sign."""
    turned = study_lists(dict(reversed(RUNS.items())), RELEVANT, GENRES, VECTORS, **OPTIONS)
    assert turned.compared == ("old",)
    assert turned.gain("old", "CC", 3).tolist() == (-own.gain("new", "CC", 3)).tolist()


def test_grades_and_scores_are_taken_as_well(own):
    """Relevant is a grade of at least 1, and lists may be scores."""
    graded = {u: {**dict.fromkeys(w, 2), "no": 0} for u, w in RELEVANT.items()}
    scored = {
        n: {u: {d: -i for i, d in enumerate(given)} for u, given in run.items()}
        for n, run in RUNS.items()
    }
    again = study_lists(scored, graded, GENRES, VECTORS, **OPTIONS)
    assert all((again.scores[key] == values).all() for key, values in own.scores.items())


def test_diversity_for_nobody_does_not_count():
    """Users whose hits come with hits of other genres, and users who get anything but a hit."""
    n = 40
    genres = {i: {f"g{i % 10}"} for i in range(100)}
    vectors = {i: [math.cos(i % 10), math.sin(i % 10)] for i in range(100)}
    relevant = {u: {0, 1, 2} for u in range(n)}
    base = {u: [0, 10, 20, 30] if u % 2 else [0, 1, 11, 21] for u in range(n)}
    lists = {
        "base": base,
        "hits too": {u: [0, 1, 2, 3] for u in range(n)},
        "no hits": {u: [13, 14, 15, 16] for u in range(n)},
    }
    claimed = ["hits too", "no hits"]
    found = study_lists(lists, relevant, genres, vectors, diversifiers=claimed, cutoffs=(4,))
    from irmetrics_edu.lab.study.claims import answers

    said = {(a.ranker, a.metric): a.answer for a in answers(found)}
    assert said["hits too", "CC"] == "counts"
    assert said["no hits", "CC"] == "does not count"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runs": {"old": RUNS["old"]}}, "at least two recommenders"),
        ({"categories": {}}, "none are given"),
        ({"relevant": {"u": set()}}, "query 'u': nothing is judged"),
        ({"relevant": {"u": {"a": 0.5}}}, "no user has a relevant item"),
        ({"relevant": {"u": {"z"}}}, "user 'u': relevant item 'z' is not among the categories"),
        ({"relevant": {"z": {"a"}}}, "old: no user with a relevant item has a list"),
        ({"runs": {"a": {"u": ["z"]}, "b": {"u": ["a"]}}}, "a, user 'u', rank 1: item 'z'"),
        ({"runs": {"a": {"u": ["a", "a"]}, "b": {"u": ["a"]}}}, "listed twice|twice"),
        ({"embeddings": {"a": [1, 0]}}, "item 'b' has no embedding"),
        ({"embeddings": {**VECTORS, "b": [1, 2, 3]}}, "item 'b' has 3 coordinates"),
        ({"embeddings": {**VECTORS, "b": [0, math.nan]}}, "item 'b'.*not finite"),
        ({"embeddings": {**VECTORS, "b": [0, 0]}}, "item 'b'.*no direction"),
        ({"embeddings": [[1, 0]]}, "map each item to its vector"),
        ({"cutoffs": (1,)}, r"cutoffs=\(1,\) are not lengths of lists"),
        ({"cutoffs": 5}, "cutoffs=5 are not lengths of lists"),
        ({"alpha": 2}, "alpha=2"),
    ],
)
def test_bad_input_is_refused(change, message):
    """With what was given and what would do."""
    given = {"runs": RUNS, "relevant": RELEVANT, "categories": GENRES, "embeddings": VECTORS}
    with pytest.raises(InputError, match=message):
        study_lists(**{**given, **OPTIONS, **change})


def test_the_user_names_what_is_claimed_to_diversify():
    """Popularity is no diversifier: the claims are tested for those named alone."""
    runs = {**RUNS, "popular": {user: ["a", "b", "d"] for user in RELEVANT}}
    found = study_lists(runs, RELEVANT, GENRES, VECTORS, diversifiers=["new"], **OPTIONS)
    assert found.compared == ("new",)
    assert not any("popular" in case.where for claim in claims(found) for case in claim.cases)
    assert claims(found)[0].says.endswith("over old.")
    assert found.mean("popular", "CC", 3) == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="of new, popular, which are claimed to diversify"):
        study_lists(runs, RELEVANT, GENRES, VECTORS, **OPTIONS)
    for wrong in (["old"], ["fancy"], []):
        with pytest.raises(InputError, match="is not among the runs other than the base"):
            study_lists(runs, RELEVANT, GENRES, VECTORS, diversifiers=wrong, **OPTIONS)


def test_an_embedding_of_zeros_is_refused():
    """It has no direction, so no distance."""
    with pytest.raises(InputError, match="the embedding of item 'b' is all zeros"):
        study_lists(RUNS, RELEVANT, GENRES, VECTORS | {"b": [0, 0]}, **OPTIONS)


_GENRES = {"a": {"rock"}, "b": {"rock"}, "c": {"folk"}, "d": {"jazz"}}
_VECTORS = {"a": [1, 0], "b": [1, 0.1], "c": [0, 1], "d": [-1, 0.3]}
_JUDGED = {"u": {"a"}, "v": {"a"}}
_WITHOUT_HITS = {
    "old": {"u": ["b", "c", "a"], "v": ["b", "c", "d"]},
    "new": {"u": ["b", "d", "a"], "v": ["c", "d", "b"]},
}


def test_coefficients_that_are_given_need_no_hits():
    """Nothing is tuned, so a cut-off without a hit is no obstacle."""
    found = study_lists(
        _WITHOUT_HITS, _JUDGED, _GENRES, _VECTORS, cutoffs=(2,), alpha=0.1, beta=0.1
    )
    # By hand: old shows rock and folk as misses, so 0.1 * 2 / 3 for both users; new likewise two.
    assert found.mean("old", "DCC", 2) == pytest.approx(0.1 * 2 / 3)
    assert found.mean("new", "DCC", 2) == pytest.approx(0.1 * 2 / 3)
    assert found.mean("old", "Recall", 2) == 0


def test_a_cut_off_without_hits_leaves_the_others_as_they_are():
    """At 2 nothing is feasible, as elsewhere; at 3 all is as in a study of 3 alone."""
    both = study_lists(_WITHOUT_HITS, _JUDGED, _GENRES, _VECTORS, cutoffs=(2, 3))
    alone = study_lists(_WITHOUT_HITS, _JUDGED, _GENRES, _VECTORS, cutoffs=(3,))
    assert not both.has("DCC", 2)
    assert not both.has("DILAD", 2)
    assert both.mean("old", "CC", 2) == pytest.approx(2 / 3)
    assert [str(c) for c in both.coefficients[3]] == [str(c) for c in alone.coefficients[3]]
    for metric in ("CC", "ILAD", "Recall"):
        assert both.mean("new", metric, 3) == alone.mean("new", metric, 3)
    assert both.has("DCC", 3) == alone.has("DCC", 3)
    assert "alpha@2 is infeasible: at precision 0 " in str(both.coefficients[2][0])
    assert claims(both)


def test_lists_of_hits_alone_are_infeasible_too():
    """No list has a miss, so there is one group."""
    runs = {"old": {"u": ["a", "b"]}, "new": {"u": ["b", "a"]}}
    found = study_lists(runs, {"u": {"a", "b"}}, _GENRES, _VECTORS, cutoffs=(2,))
    assert not found.has("DCC", 2)
    assert found.mean("old", "Recall", 2) == 1
