"""Small rules of diagnosis, each by a loop over what may stand before it."""

import math
import random
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu import diagnose
from irmetrics_edu.diagnosis import candidates
from irmetrics_edu.diagnosis.brief import said
from irmetrics_edu.diagnosis.candidates import scores_on_small_inputs
from irmetrics_edu.diagnosis.evidence import _CHANCE, _COVERED, Evidence
from irmetrics_edu.diagnosis.mistakes.curve_mistakes import _before
from irmetrics_edu.diagnosis.printed import Printed, Target, _decimals
from irmetrics_edu.diagnosis.result import some_of
from irmetrics_edu.diagnosis.search import Search
from irmetrics_edu.diagnosis.switches import _MOST_OF_RUN, _SLOW, Switches
from irmetrics_edu.diagnosis.watching import Watch, watch, watched
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES
from irmetrics_edu.metrics.notation import measure
from tests.diagnosis.test_evidence import invented
from tests.tables import rows


@rows("seed", range(30))
def test_the_line_before_is_of_the_same_query(seed):
    """Queries of one line and of several; by a loop."""
    chance = random.Random(seed)
    query = [q for q in range(chance.randint(1, 4)) for _ in range(chance.randint(1, 4))]
    column = [chance.randint(1, 9) for _ in query]
    expected = [column[i - 1] if i and query[i - 1] == query[i] else 0 for i in range(len(query))]
    assert _before(np.array(column), np.array(query)).tolist() == expected


@rows("whole", ["0", "7", "12"])
@rows("rest", ["", ".", ".5", ".50", ".125"])
@rows("exponent", ["", "e0", "E-3", "e-12", "e+2", "e5"])
def test_a_number_has_as_many_decimals_as_are_written(whole, rest, exponent):
    """As decimal arithmetic counts them."""
    text = whole + rest + exponent
    assert _decimals(text) == -Decimal(text).as_tuple().exponent


@rows("texts", [*product(["0.5", "0.25", "0.1234567"], repeat=2), ("0.125",)])
def test_many_numbers_of_few_digits_are_as_good_as_one(texts):
    """The product of what each leaves open."""
    expected = math.prod(10.0 ** _power(text) for text in texts) / 2
    target = Target.of({f"q{i}": text for i, text in enumerate(texts)})
    assert target.finest == pytest.approx(expected)
    if len(texts) == 1:
        assert Target.of(texts[0]).finest == pytest.approx(expected)


def _power(text):
    """The last digit's power of ten."""
    tolerance = Printed.of(text).tolerance
    return round(math.log10(2 * tolerance))


@rows("queries", [1, 2])
@rows("fraction", [None, Fraction(1, 2)])
@rows("named", range(8))
@rows("covered", [0, _COVERED, _COVERED + 0.001])
def test_a_name_is_weak_where_chance_gives_as_much(queries, fraction, named, covered):
    """A short fraction of one query, many invented formulas, or most numbers that there are."""
    invented = 100
    found = Evidence(queries, 10, 10, invented, named, fraction, covered)
    is_short = fraction is not None and queries == 1
    assert found.is_weak is (is_short or named > _CHANCE * invented or covered > _COVERED)
    assert bool(found.sentence) is (queries == 1 or found.is_weak)


@rows("number", range(6))
def test_a_few_libraries_are_named_without_their_measures(number):
    """Each once; more than so many are left out, and three points say so."""
    names = [library.name for library in BUNDLES.values()][:number]
    said = some_of([f"{name}:map" for name in names] + [f"{name}[ndcg]" for name in names])
    listed, dots, _ = said.strip(" ()").partition(" ...")
    shown = listed.split(", ") if listed else []
    assert set(shown) <= set(names)
    assert len(shown) == len(set(shown)) == min(number, 3)
    assert bool(dots) is (number > 3)


def test_a_search_tells_each_convention_once():
    """Counted from 1; another search begins anew."""
    told = []
    with watched(lambda tried, of_all: told.append((tried, of_all))):
        for of_all in (3, 2):
            watch().begin(of_all)
            for _ in range(of_all):
                watch().one_more()
    assert told == [(1, 3), (2, 3), (3, 3), (1, 2), (2, 2)]


@rows("name", ["DCG", "P", "RR"])
@rows("k", [1, 2, 3])
def test_small_inputs_are_cut_where_that_is_asked(name, k):
    """As the measure with that cut-off is, whatever its own was."""
    run, qrels = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"a": 1, "b": 0}}

    def search(cut):
        return Search(measure(f"{name}@{cut}"), run, qrels, BUNDLES["trec_eval"], {})

    deep = search(10)
    [cut] = scores_on_small_inputs(deep, [deep.switches.base], k)
    short = search(k)
    [own] = scores_on_small_inputs(short, [short.switches.base])
    assert cut.tolist() == own.tolist()


@rows("arguments", range(4))
@rows("libraries", [(), ("trec_eval",)])
@rows("is_mistake", [False, True])
def test_the_likeliest_cause_is_said(arguments, libraries, is_mistake):
    """What a library does or one change gives, then a mistake, and at last several changes."""
    candidate = SimpleNamespace(
        libraries=libraries,
        arguments={f"a{i}": "x" for i in range(arguments)},
        written="asked so",
    )
    mistake = SimpleNamespace(mistake=SimpleNamespace(says="a bare sum"))
    mistakes = [mistake] * is_mistake
    found = said(SimpleNamespace(candidates=[candidate], mistakes=mistakes))
    if is_mistake and not libraries and arguments > 1:
        assert found == "the expected value equals that of a bare sum"
    elif not arguments:
        assert found is None
    else:
        what = " and ".join(f"a{i}=x" for i in range(arguments))
        assert found.startswith(f"the expected value is what {what} gives")
        assert found.endswith("; to agree, pass asked so")
    of_none = said(SimpleNamespace(candidates=[], mistakes=mistakes))
    assert of_none == ("the expected value equals that of a bare sum" if is_mistake else None)


def test_few_switches_of_the_run_are_changed_at_a_time():
    """One alone where a slow one is among them; those of the measure don't count."""
    names = [*sorted(_SLOW)[:1], "one", "two", "three", "of the measure"]
    switches = SimpleNamespace(of_run=names[:4])
    for size in range(5):
        for changed in combinations(names, size):
            of_run = set(changed) - {"of the measure"}
            most = 1 if _SLOW & of_run else _MOST_OF_RUN
            assert Switches._too_many_of_run(switches, changed) is (len(of_run) > most)


@rows("number", range(4))
@rows("what", ["queries", "runs"])
@rows("mean", [None, "0.75"])
def test_the_only_number_is_that_of_one_query_or_the_mean(number, what, mean):
    """And the text is what was given."""
    values = {f"q{i}": Printed.of(f"0.{i + 1}") for i in range(number)}
    target = Target(None if mean is None else Printed.of(mean), values, what)
    if number == 1 and what == "queries":
        assert target.only is values["q0"]
    else:
        assert target.only is target.mean
    if mean is not None:
        assert target.text == mean
    elif what == "runs":
        assert target.text == " and ".join(f"0.{i + 1}" for i in range(number))
    else:
        assert target.text == f"the values of {number} queries"


@pytest.mark.parametrize("quick", [(), ("a",), ("a", "fits"), ("fits", "a")])
@pytest.mark.parametrize("slow", [(), ("s",), ("s", "fits")])
def test_slow_conventions_are_tried_if_no_other_gives_the_value(quick, slow, monkeypatch):
    """And all quick ones are."""
    search = SimpleNamespace(
        switches=SimpleNamespace(base="base"),
        score=lambda setting: setting,
        refused=lambda _: "",
        mistakes=list,
        chosen=SimpleNamespace(name="M"),
    )
    monkeypatch.setattr(candidates, "_in_order_of_time", lambda _: (quick, slow, []))
    monkeypatch.setattr(candidates, "_fits", lambda _, scores: scores == "fits")
    expected = [*quick] if "fits" in quick else [*quick, *slow]
    if not expected:
        with pytest.raises(InputError, match="M: no convention takes this input"):
            candidates._try_all(search, None, Watch())
        return
    assert [setting for setting, _ in candidates._try_all(search, None, Watch()).scored] == expected


def test_the_value_may_come_after_the_inputs():
    """One input or several; without any value it is asked for."""
    ranking = [3, 2, 3, 0, 1, 2]
    for beside in ({}, {"unretrieved": [3, 2]}):
        last = diagnose("nDCG@10", ranking, "0.949", **beside)
        named = diagnose("nDCG@10", ranking, value="0.949", **beside)
        assert str(last) == str(named)
    for inputs in ([], [ranking]):
        with pytest.raises(InputError, match="value= is missing"):
            diagnose("nDCG@10", *inputs)


@rows("grades", [[1, 0, 1], [0, 1], [1], [0, 0, 1, 1]])
@rows("missed", [[], [1]])
def test_all_invented_formulas_are_what_they_say(grades, missed):
    """By loops over what is added, to which power."""
    hits = [rank for rank, grade in enumerate(grades, 1) if grade]
    relevant = len(hits) + len(missed)
    of_ap = []
    for more_hits, more_ranks, more in product((0, 0.5), (0.5, 2), (0, 0.5, 2)):
        precisions = [(n + more_hits) / (rank + more_ranks) for n, rank in enumerate(hits, 1)]
        of_ap.append(sum(precisions) / (relevant + more))
    assert invented("AP", grades, missed) == pytest.approx(of_ap)
    later = product((0.5, 1, 1.5, 2), (0.5, 2, 3))
    of_rr = [(hits[0] + more) ** -power for power, more in later]
    assert invented("RR", grades, missed) == pytest.approx(of_rr)
    for name, divisor in (
        ("P", len(grades)),
        ("R", relevant),
        ("Rprec", relevant),
        ("F", len(grades) + relevant),
    ):
        found = sum(grades[:relevant]) if name == "Rprec" else len(hits)
        smoothed = product((0, 1), (1, 2, 3), (0.5, 1, 2))
        shares = [((found + one) / (divisor + more)) ** p for one, more, p in smoothed]
        assert invented(name, grades, missed) == pytest.approx(shares)


@rows("grades", [[1, 0, 3], [0, 2], [1], [0, 0]])
@rows("missed", [[], [2]])
def test_invented_discounts_are_what_they_say(grades, missed):
    """Powers of the grade over logarithms that start elsewhere, and their quotients."""
    sums, shares = [], []
    best = sorted(grades + missed, reverse=True)
    for power, start in product((0.6, 0.8, 1.3, 1.7, 2.4), (1.3, 1.6, 2.5, 3.4)):
        gained, most = (
            sum(g**power / math.log2(rank + start) for rank, g in enumerate(ranked, 1))
            for ranked in (grades, best)
        )
        sums.append(gained)
        shares.append(gained / most if most else 0.0)
    assert invented("DCG", grades, missed) == pytest.approx(sums)
    assert invented("nDCG", grades, missed) == pytest.approx(shares)
