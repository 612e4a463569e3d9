"""The registry's notation, and what a metric refuses."""

import inspect
import pickle
import pydoc
import re
import subprocess
import sys
from fractions import Fraction

import pytest

from irmetrics_edu import average_precision, bpref, ndcg, parse, precision
from irmetrics_edu.conventions import EXPONENTIAL, LINEAR, LOG2, Discount, Gain, jk_discount
from irmetrics_edu.errors import InputError, NotRational
from irmetrics_edu.metrics import FAMILIES, definition, notation
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.metrics.notation import measure, measures
from irmetrics_edu.metrics.user_models import rbp
from irmetrics_edu.rows.ranked_rows import Rows
from irmetrics_edu.working import Working

# What ir_measures reads, and what it means in our words.
NOTATION = {
    "nDCG@10": "nDCG@10",
    "ndcg@10": "nDCG@10",
    "nDCG(dcg='exp-log2')@5": "nDCG(gain=exp)@5",
    "nDCG(dcg=log2)@5": "nDCG@5",
    "AP": "AP",
    "AP@100": "AP@100",
    "AP(rel=2)": "AP(rel=2)",
    "P@5": "P@5",
    "P(rel=2)@5": "P(rel=2)@5",
    "R@100": "R@100",
    "RR": "RR",
    "RR(rel=2)@10": "RR(rel=2)@10",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "infAP": "infAP",
    "Success@5": "Success@5",
    "Judged@10": "Judged@10",
    "RBP(p=0.5)": "RBP(p=0.5)",
    "IPrec@0.1": "IPrec@0.1",
    "alpha_nDCG(alpha=0.3)@20": "alpha-nDCG(alpha=0.3)@20",
    "α_nDCG@20": None,
    "nDCG(judged_only=True)@10": "nDCG(unjudged=removed)@10",
    "nDCG( gain = exp , discount=jk(10) ) @ 3": "nDCG(gain=exp,discount=jk(10))@3",
}


@pytest.mark.parametrize(("text", "meaning"), NOTATION.items(), ids=NOTATION)
def test_notation(text, meaning):
    """The names of the field and of ir_measures are read; for an unknown one, a known."""
    if meaning is None:
        with pytest.raises(InputError, match=r"did you mean nDCG@20\? `irmetrics-edu metrics` lis"):
            parse(text)
    else:
        assert repr(parse(text)) == meaning


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("NDCG_10", "nDCG@10"),
        ("ndcg10", "nDCG@10"),
        ("ndgc_10", "nDCG@10"),
        ("recall_at_5", "R@5"),
        ("mrr_10", "MRR@10"),
        ("first_hit_rank", "hit_rank"),
        ("rank of the first hit", "hit_rank"),
        ("position of the first relevant document", "hit_rank"),
        ("average precision", "AP"),
        ("Precision at 10", "P@10"),
        ("hit rate at 5", "Success@5"),
    ],
)
def test_a_measure_in_other_words_is_offered_in_ours(text, meant):
    """By a name with its cut-off, or by words: what is offered can be read."""
    measure(meant)
    with pytest.raises(InputError) as refused:
        measures(text)
    assert f"did you mean {meant}?" in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "interpolated precision",
        "area under the precision recall curve",
        "geometric mean average precision",
        "set average precision",
        "inferred average precision",
        "intent aware precision",
        "propensity scored precision",
        "precision at recall 0.5",
        "reciprocal rank fusion",
        "citation recall",
        "ideal discounted gain",
        "spearman rank correlation",
    ],
)
def test_words_of_one_measure_offer_no_other(text):
    """One word more makes another measure, which none of ours by fewer words stands for."""
    assert notation.in_words(text) == ""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("rank biased precision", "RBP"),
        ("expected reciprocal rank at 20", "ERR@20"),
        ("discounted cumulative gain", "DCG"),
        ("normalised discounted cumulative gain at 10", "nDCG@10"),
        ("R precision", "R-precision"),
        ("recall at k", "R"),
    ],
)
def test_the_whole_words_of_a_measure_offer_it(text, meant):
    """In any case, with its cut-off."""
    assert notation.in_words(text) == meant


@pytest.mark.parametrize("text", ["MRR@10,R@100", "map,ndcg@10", "AP, RR", "recip_rank,P_5"])
def test_measures_with_commas_between_them_are_shown_with_blanks(text):
    """The names stay as they were written, also those of aggregates and of trec_eval."""
    with pytest.raises(InputError) as refused:
        measures([text])
    written = " ".join(part.strip() for part in text.split(","))
    assert f"put a blank between measures: {written!r}" in str(refused.value)
    measures(written)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nDCG@", "is not a measure"),
        ("nDCG@0", "at least 1"),
        ("nDCG@ten", "whole number"),
        ("nDCG(gain)@3", "should be an option with its value"),
        ("nDCG(gain=cubic)", "use one of linear, exp"),
        ("nDCG(discount=jk(1))", "a number above 1"),
        ("nDCG(gian=exp)", "takes no 'gian'"),
        ("", "is not a measure"),
        ("nDCG@10,20", "'nDCG@10,20' has a comma; put a blank between measures: 'nDCG@10 nDCG@20'"),
        ("P(rel=2)@5,AP", "a comma; put a blank between measures: 'P(rel=2)@5 AP'"),
    ],
)
def test_what_does_not_parse_says_where(text, message):
    """The message tells what was not understood and what would be."""
    with pytest.raises(InputError, match=re.escape(message)):
        parse(text)


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({}, "RBP"),
        ({"p": Fraction(4, 5)}, "RBP"),
        ({"p": 0.8}, "RBP"),
        ({"p": Fraction(1, 2)}, "RBP(p=1/2)"),
    ],
)
def test_a_title_names_what_differs_from_the_defaults_in_fractions_too(options, title):
    """The default of RBP is p = 0.8, which is 4/5."""
    assert rbp.working([1, 0], exact=True, **options).title == title


def test_a_cut_metric_cannot_be_cut_again():
    """Two cut-offs contradict each other."""
    with pytest.raises(InputError, match="nDCG@10 already has a cut-off, and k=5 gives another"):
        (ndcg @ 10)([1, 0], k=5)


def test_conventions_are_values_or_names():
    """A convention may be given as it is or by its name, and a wrong kind is refused."""
    assert ndcg([3, 2], gain="exp") == ndcg([3, 2], gain=EXPONENTIAL)
    with pytest.raises(InputError, match="not a known choice"):
        ndcg([3, 2], gain=LOG2)


def test_a_convention_of_ones_own():
    """The named values are not a closed list."""
    cubic = Gain("cubic", "{#1}^3", "the grade cubed", lambda grade: grade**3)
    halves = Discount(
        "halves", "2^{1-#1}", "half as much at each rank", lambda rank: 0.5 ** (rank - 1)
    )
    assert ndcg.working([2, 1], gain=cubic, discount=halves)["DCG"].value == 8.5
    assert "{g_i}^3" in ndcg.using(gain=cubic).formula


def test_metrics_are_values():
    """Equal when configured alike, usable as keys."""
    assert ndcg @ 10 == parse("nDCG@10")
    assert ndcg != ndcg @ 10
    assert len({ndcg @ 5, parse("nDCG@5"), ndcg.using(gain="exp") @ 5}) == 2
    assert isinstance(ndcg, Metric)


def test_inputs_by_name_and_wrong_calls():
    """Inputs can be given by name; a call without them says what is wanted."""
    assert precision(ranking=["a"], judgments={"a"}) == 1
    with pytest.raises(InputError, match=r"nDCG is called with \(ranking, judgments\)"):
        ndcg()


def test_an_irrational_value_is_not_given_exactly():
    """The error names what is irrational and what would do."""
    with pytest.raises(NotRational, match="log2"):
        ndcg([5, 2, 3], exact=True)
    with pytest.raises(NotRational, match="log_10"):
        ndcg([5, 2, 3], discount=jk_discount(10), exact=True)
    with pytest.raises(NotRational, match="whole grades"):
        ndcg([1.5, 2], gain="exp", discount="reciprocal", exact=True)


def test_ties_and_unjudged_documents_follow_their_convention():
    """By score; equal scores as given, or by id as trec_eval has it; unjudged kept or removed."""
    scores, judgments = {"a": 1.0, "b": 1.0, "c": 0.5}, {"a": 1, "c": 1}
    assert ndcg(scores, judgments) == ndcg(["a", "b", "c"], judgments)
    assert ndcg(scores, judgments, ties="docid") == ndcg(["b", "a", "c"], judgments)
    assert ndcg(scores, judgments, ties="docid_ascending") == ndcg(["a", "b", "c"], judgments)
    assert ndcg(scores, judgments, unjudged="removed") == ndcg(["a", "c"], judgments) == 1


def test_negative_grades_follow_their_convention():
    """Refused unless it is said what they are worth."""
    assert ndcg([-1, 2], negative="zero") == ndcg([0, 2])
    assert ndcg([-1, 2], negative="unjudged") == ndcg([None, 2])
    kept = ndcg.working([-1, 2], negative="keep")
    assert kept["DCG"]["discounted gain"][0] == -1


def test_a_query_without_relevant_documents_follows_its_convention():
    """0, 1 or no score at all."""
    assert ndcg([0, 0]) == 0
    assert ndcg([0, 0], no_relevant="one") == 1
    assert str(ndcg([0, 0], no_relevant="nan")) == "nan"


def test_the_formula_of_an_ideal_is_over_the_ideal_grades():
    """IDCG sums g*, the grades of the ideal ranking; DCG those of the ranking itself."""
    working = ndcg.working([5, 2, 3], gain="exp")
    assert r"{g^*_i}" in working.parts["IDCG"].formula
    assert "g_i" not in working.parts["IDCG"].formula
    assert "g^*" not in working.parts["DCG"].formula


def test_help_shows_how_a_metric_is_called():
    """Of an object `help` shows no signature, so the text ends with it; the class has its own."""
    text = pydoc.render_doc(ndcg, renderer=pydoc.plaintext)
    assert "Called as ndcg(ranking, judgments, ...)" in text
    for name, default in ndcg.defaults.items():
        assert f"    {name}={default}\n" in text
    assert ndcg.definition == (ndcg.kernel.__doc__ or "").strip().split("\n", 1)[0]
    assert type(ndcg).__doc__.strip()
    assert "Called as" not in type(ndcg).__doc__


def test_an_error_of_what_is_measured_comes_through_as_it_is():
    """A wrong call is told in words of the metric; a ranking that fails of itself is none."""

    class Broken:
        """A ranking that can't be read."""

        def __iter__(self):
            raise TypeError("broken inside")

    with pytest.raises(TypeError, match="broken inside"):
        average_precision(Broken(), {"a": 1})
    with pytest.raises(InputError, match=r"AP is called with \(ranking, judgments\): "):
        average_precision()


def test_a_pickled_metric_is_known_where_no_other_metric_is(tmp_path):
    """A process that begins with it has read no family of metrics yet."""
    (tmp_path / "metric").write_bytes(pickle.dumps(average_precision.using(rel=2, k=3)))
    code = "import pickle; print(pickle.load(open('metric', 'rb')))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "AP(rel=2)@3\n"


def test_a_formula_has_a_blank_only_where_a_letter_would_run_on_from_a_macro():
    """As in LaTeX, where the letters behind a backslash are one name."""
    for template, expected in {
        r"\colon\gain{g_i}": r"\colon g_i",
        r"2\gain{g}": "2g",
        r"2 \gain{g}": "2 g",
        r"\colon\k": r"\colon k",
        r"\colon2\k": r"\colon2k",
        r"\colon\discount{i}": r"\colon\tfrac{1}{\log_2(i+1)}",
        r"\alpha\unknown{x}": r"\alpha\unknown{x}",
    }.items():
        assert definition.fill(template, {"gain": LINEAR, "discount": LOG2}, None) == expected


def test_a_formula_names_its_options_by_greek_letters_by_signs_or_by_themselves():
    """Also within what a convention puts in; numbers stand for no symbol of their own."""
    falling = Discount("mine", r"\alpha^{#1}\depth", "as I want it")
    params = {"discount": falling, "alpha": 0.5, "depth": 3, "rel": 1, "n_categories": 4}
    for template, expected in {
        r"\alpha x": r"\alpha x",
        r"g\ge\rel": r"g\ge\mathit{rel}",
        r"\ncategories": r"|\mathcal{C}|",
        r"\discount{i}": r"\alpha^{i}\mathit{depth}",
        r"\discount{}": r"\alpha^{}\mathit{depth}",
        r"\k+\unknown": r"5+\unknown",
    }.items():
        assert definition.fill(template, params, 5) == expected


def test_only_a_kernel_of_another_package_gets_rows_that_it_cannot_write_into():
    """Copies of all rows take time, and no kernel of this package needs them."""

    def kernel(rows: Rows) -> Working:
        """A kernel of this module."""
        return Working(rows.total(rows.relevance()))

    definition.import_all()
    for module, is_foreign in {
        "tests.metrics.test_definition": True,
        "irmetrics_edu.mine": False,
        "metrics.mine": True,
        "mine": True,
    }.items():
        kernel.__module__ = module
        assert Metric(kernel, "mine").is_foreign is is_foreign
    assert not any(one.is_foreign for one in definition.METRICS.values())


def test_a_metric_that_is_made_has_what_its_kernel_says():
    """A name for a symbol, a cut-off if it takes one, and its options with their defaults."""

    def cut(rows: Rows, k: int | None = None, *, p: float = 0.5) -> Working:
        """A kernel with a cut-off."""
        return Working(rows.total(rows.top(k).relevance()) * p)

    def whole(rows: Rows, *, rel: float = 1) -> Working:
        """A kernel without one."""
        return Working(rows.total(rows.relevance(rel)))

    with_cut = Metric(cut, "mine", symbol=r"\mu", range=(0.0, 7.0))
    without = Metric(whole, "other")
    assert (with_cut.symbol, without.symbol) == (r"\mu", r"\mathrm{other}")
    assert (with_cut.has_cutoff, without.has_cutoff) == (True, False)
    assert (with_cut.range, without.range) == ((0, 7), (0, 1))
    assert (with_cut.shares_ties, without.shares_ties) == (False, False)
    assert (with_cut.defaults, without.defaults) == ({"p": 0.5}, {"rel": 1})
    assert (with_cut.definition, without.__name__) == ("A kernel with a cut-off.", "whole")
    for metric, own in (with_cut, ["k", "p"]), (without, ["rel"]):
        of_input = ["ties", "unjudged", "negative", "pool", "scores", "unretrieved", "duplicates"]
        signature = inspect.signature(metric)
        assert list(signature.parameters) == ["ranking", "judgments", *own, *of_input, "exact"]
        defaults = {name: one.default for name, one in signature.parameters.items()}
        assert defaults["exact"] is False
        assert defaults[own[-1]] == metric.defaults[own[-1]]
        assert signature.return_annotation is float
    assert inspect.signature(with_cut).parameters["k"].default is None


def test_metrics_stand_in_the_order_of_their_families():
    """A family that another one builds on is read early, and keeps its place nevertheless."""
    definition.import_all()
    home = [one.__module__.rpartition(".")[2] for one in definition.METRICS.values()]
    in_package = [name for name in home if name in FAMILIES]
    assert in_package == sorted(in_package, key=FAMILIES.index)


def test_help_on_the_class_says_what_a_metric_is():
    """And of one metric what its kernel says."""
    assert Metric.__doc__.startswith("A measure of rankings: call it for the score")
    lines = str(ndcg.__doc__).splitlines()
    assert ndcg.definition == lines[0]
    assert lines[-1] == "`irmetrics-edu metrics nDCG` says what each may be."
    assert lines[-2] == "    exact=False"
    called = lines.index(
        "Called as ndcg(ranking, judgments, ...), with these options and their defaults:"
    )
    assert lines[called + 1 : called + 3] == ["    k=None", "    gain=linear"]


def test_a_name_is_taken_before_its_metric_was_read(tmp_path):
    """A process that begins with a metric of its own knows the names of all others."""
    (tmp_path / "mine.py").write_text(
        "from irmetrics_edu.metrics.definition import metric\n"
        "@metric('MAP')\n"
        "def kernel(rows):\n"
        "    pass\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-c", "import mine"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "two metrics are named MAP: irmetrics_edu.metrics.average_precision" in done.stderr


def test_in_fractions_a_kernel_gets_its_options_as_they_are_written():
    """Those that are given and those that are not: 0.1 is a tenth."""
    seen = []

    def kernel(rows: Rows, *, p: float = 0.1, n: int = 2) -> Working:
        """A kernel that tells what it is given."""
        seen.append((p, n))
        return Working(rows.total(rows.relevance()) * p)

    mine = Metric(kernel, "mine")
    assert mine([1, 1], exact=True) == Fraction(1, 5)
    assert mine([1, 1], exact=True, p=0.2) == Fraction(2, 5)
    assert mine.using(p=0.3)([1, 1], exact=True) == Fraction(3, 5)
    assert mine.using(p=0.3)([1, 1]) == 0.6
    assert mine([1, 1], p=0.5) == 1.0
    assert seen == [
        *((Fraction(1, 10), 2), (Fraction(1, 5), 2), (Fraction(3, 10), 2), (0.3, 2), (0.5, 2)),
    ]
    assert [type(p) for p, _ in seen] == [Fraction] * 3 + [float] * 2


def test_a_score_is_decided_by_no_relevant_where_nothing_is_relevant():
    """Whichever way it is settled: another way would give another score."""
    for settled in ("zero", "one"):
        metric = average_precision.using(no_relevant=settled)
        assert metric.is_decided_by_no_relevant(metric.working(["a"], {"a": 0}))
        assert not metric.is_decided_by_no_relevant(metric.working(["a"], {"a": 1}))
        assert not metric.is_decided_by_no_relevant(metric.working(["a"], {"b": 1}))


def test_a_working_has_the_rows_that_were_measured_and_these_have_a_query():
    """Unless the kernel says which rows it is of."""
    rows = average_precision.align(["a"], {"a": 1}, query="q")
    assert list(rows.queries) == ["q"]
    assert average_precision.align(["a"], {"a": 1}).queries is None
    assert average_precision.measured(rows).rows is rows
    other = average_precision.align(["b"], {"a": 1})

    def kernel(rows: Rows) -> Working:
        """It measures other rows."""
        return Working(rows.total(rows.relevance()), rows=other)

    assert Metric(kernel, "mine").measured(rows).rows is other


def test_a_metric_without_an_option_is_as_it_was_before():
    """Its other options and its cut-off stay."""
    metric = ndcg.using(gain="exp", discount="jk", k=3)
    assert repr(metric.without("gain")) == "nDCG(discount=jk(2))@3"
    assert repr(metric.without("cut")) == repr(metric)
    assert repr(metric.uncut()) == "nDCG(gain=exp,discount=jk(2))"
    assert repr(metric) == "nDCG(gain=exp,discount=jk(2))@3"


def test_what_a_metric_cannot_do_is_refused_before_it_computes():
    """A cut-off that it has not, a second one, and ranks that tied documents share."""
    with pytest.raises(InputError, match="bpref has no cut-off k"):
        bpref([1, 0], k=1)
    with pytest.raises(InputError, match="already has a cut-off, and k=2 gives another"):
        (ndcg @ 3)([1, 0], k=2)
    for call in (lambda: bpref.using(ties="averaged"), lambda: bpref([1, 0], ties="averaged")):
        with pytest.raises(InputError, match="it needs one rank for each document"):
            call()
    assert ndcg.using(ties="averaged")({"a": 1, "b": 1}, {"a": 1}) < 1


def test_an_option_that_has_its_default_is_not_shown():
    """As a float, and as the fraction that it is written as."""
    assert repr(rbp.using(p=0.8)) == repr(rbp.using(p=Fraction(4, 5))) == "RBP"
    assert repr(rbp.using(p=0.7)) == "RBP(p=0.7)"
