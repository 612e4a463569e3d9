"""A quirk is said by `evaluate` where the run or the judgments hold what it is about."""

import pytest

from irmetrics_edu import evaluate
from irmetrics_edu.libraries import BUNDLES, Met
from irmetrics_edu.metrics.notation import parse

NOT_JUDGED = ({"a": {"x": 1.0}, "b": {"x": 1.0}}, {"a": {"x": 1}})
FRACTION = ({"a": {"x": 2.0, "y": 1.0}}, {"a": {"x": 1.5, "y": 1}})
BELOW = ({"a": {"x": 2.0, "y": 1.0}}, {"a": {"x": -2, "y": 1}})
EMPTY = ({"a": ["x"], "b": []}, {"a": {"x": 1}, "b": {"y": 1}})
NO_RELEVANT = ({"a": ["x"], "b": ["x"]}, {"a": {"x": 1}, "b": {"x": 0}})

# Library, measure, input, and a word of what is said; each as the library of the bundle's version
# answered it.
SAID = [
    ("mteb", "nDCG@1", NOT_JUDGED, "KeyError"),
    ("beir", "RR@1", NOT_JUDGED, "KeyError"),
    ("pytrec_eval", "AP", FRACTION, "TypeError"),
    ("beir", "nDCG@2", FRACTION, "TypeError"),
    ("mteb", "nDCG@2", FRACTION, "TypeError"),
    ("xgboost", "nDCG@2", FRACTION, "XGBoostError"),
    ("allrank", "RR", BELOW, "only label -1 is padding"),
    ("recommenders", "P@1", EMPTY, "left out of the mean"),
    ("lenskit", "P", EMPTY, "NaN"),
    ("lenskit", "RBP", NO_RELEVANT, "NaN"),
    ("lenskit", "DCG", NO_RELEVANT, "NaN"),
]
SILENT = [
    ("pytrec_eval", "AP", NOT_JUDGED, "KeyError"),
    ("beir", "nDCG@1", NOT_JUDGED, "KeyError"),  # through pytrec_eval, which leaves it out
    ("pytrec_eval", "AP", EMPTY, "TypeError"),
    ("allrank", "RR", ({"a": {"x": 2.0, "y": 1.0}}, {"a": {"x": -1, "y": 1}}), "label -1"),
    ("ranx", "P", FRACTION, "TypeError"),
]


def said_of(library, measure, given):
    """The quirks that an evaluation tells."""
    found = evaluate(*given, measure, library)
    return [note for note in found.notes() if "differs here" in note]


@pytest.mark.parametrize(("library", "measure", "given", "word"), SAID)
def test_a_quirk_that_bites_is_said(library, measure, given, word):
    """Once, with the measure's name."""
    [note] = [note for note in said_of(library, measure, given) if word in note]
    assert note.startswith(measure)


@pytest.mark.parametrize(("library", "measure", "given", "word"), SILENT)
def test_a_quirk_that_does_not_bite_is_not_said(library, measure, given, word):
    """Neither of another measure nor of another input."""
    assert not [note for note in said_of(library, measure, given) if word in note]


def test_a_quirk_of_several_measures_is_said_once():
    """With all of their names."""
    [note] = said_of("mteb", "nDCG@1 RR@1 P@1", NOT_JUDGED)
    assert note.startswith("nDCG@1, RR@1, P@1: MTEB differs here")


@pytest.mark.parametrize("given_as", [dict, "file"])
def test_fractions_are_found_however_judgments_come(given_as, tmp_path):
    """In memory or in a file."""
    run, qrels = FRACTION
    given = qrels
    if given_as == "file":
        given = tmp_path / "judged.csv"
        given.write_text("query,document,grade\na,x,1.5\na,y,1\n")
    assert said_of("beir", "nDCG@2", (run, given))


def test_each_thing_that_is_met_has_a_quirk_somewhere():
    """No name of an input that only this list knows."""
    for met in Met:
        assert any(bundle.has_quirk_on(met) for bundle in BUNDLES.values()), met


def test_quirks_of_a_metric_reach_the_measure_that_it_is():
    """By our name, with a cut-off and without."""
    lenskit = BUNDLES["lenskit"]
    assert lenskit.quirks_met(parse("RBP"), Met.WITHOUT_RELEVANT)
    assert lenskit.quirks_met(parse("RBP@5"), Met.WITHOUT_RELEVANT)
    assert not lenskit.quirks_met(parse("RR@5"), Met.WITHOUT_RELEVANT)


# PyTorch-Ignite 0.5.5 with relevance_threshold=1: labels in this order, and its nDCG@4.
OF_IGNITE = [
    ((0.5, 2.75, 1.5, 0.25), 0.6580150127410889, 0.6722920536994934),
    ((-1.0, 2.0, 0.5, 1.0), 0.6399093270301819, 0.6433224678039551),
]


@pytest.mark.parametrize(("labels", "exponential", "linear"), OF_IGNITE)
def test_labels_below_the_threshold_gain_nothing_in_ignite(labels, exponential, linear):
    """A label of 0.5 is no half gain."""
    run = {"q": {f"d{i}": 9.5 - i for i in range(4)}}
    qrels = {"q": {f"d{i}": label for i, label in enumerate(labels)}}
    names = {
        "NDCG(top_k=[4])": exponential,
        "NDCG(top_k=[4], gain_function='linear_rank')": linear,
    }
    for name, value in names.items():
        measure, by = BUNDLES["ignite"].measure(name)
        found = evaluate(run, qrels, measure, by)
        assert next(iter(found.mean.values())) == pytest.approx(value, abs=1e-6)


# LensKit 2026.4.0, ranking a b c, gain="rating".
OF_LENSKIT = [({"a": -1, "b": 2, "d": 1}, 0.6666666666666666), ({"a": 0, "b": 0}, 0.0)]


@pytest.mark.parametrize(("ratings", "value"), OF_LENSKIT)
def test_lenskit_counts_negative_ratings_as_0(ratings, value):
    """And a user whose ratings are all 0 has 0."""
    measure, by = BUNDLES["lenskit"].measure("NDCG gain=rating")
    found = evaluate({"u": list("abc")}, {"u": ratings}, measure, by)
    assert next(iter(found.mean.values())) == pytest.approx(value)


@pytest.mark.parametrize(
    ("library", "metric"),
    [
        (library, metric)
        for library, bundle in BUNDLES.items()
        for metric in bundle.metrics
        if any(q.ties_from and q.names(metric) for q in bundle.quirks) and "{" not in metric
    ],
)
def test_lists_with_ties_that_are_long_enough_are_told(library, metric):
    """AllRank keeps the order of up to 16 documents, most others of one alone."""
    [quirk] = [q for q in BUNDLES[library].quirks if q.ties_from and q.names(metric)]
    for size, is_told in ((quirk.ties_from, True), (quirk.ties_from - 1, False)):
        run = {"q": {f"d{i}": 1.0 for i in range(size)}}
        notes = evaluate(run, {"q": {"d0": 1}}, metric, library).notes()
        assert any(quirk.says in note for note in notes) == is_told, (size, notes)
