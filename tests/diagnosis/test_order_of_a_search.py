"""In which order a search looks for what gives a value, with each of its parts replaced."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from irmetrics_edu.diagnosis import candidates
from irmetrics_edu.diagnosis.candidates import _Explained
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.watching import Watch
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import BUNDLES, OURS
from tests.tables import rows as each_row

SEARCH = SimpleNamespace(
    chosen=SimpleNamespace(name="M"),
    has_judgments=True,
    unordered=lambda: ["U"],
    of_order=lambda: ["O"],
    has_query=lambda query: query == "q",
    facts=SimpleNamespace(levels_left_out=0),
)
MADE, WRONG = ["one", "two"], ["mistake"]


@each_row("at_once", [False, True])
@each_row("rounded", [False, True])
@each_row("settings", range(3))
@each_row("mistakes", range(2))
@each_row("stopped", [False, True])
def test_what_gives_a_value_is_looked_for_in_turn(
    at_once, rounded, settings, mistakes, stopped, monkeypatch
):
    """What rounds to it, then what was rounded before, then anything else unless it was stopped."""
    target = Target.of("0.50")
    some = MADE[:settings], WRONG[:mistakes]

    def that_fit(asked):
        fits = at_once if asked == target else rounded
        return some if fits else ([], [])

    trials = SimpleNamespace(
        that_fit=that_fit, default=SimpleNamespace(mean=0.7), why_not="", scores=[], tried=3,
        of_all=9, interrupted=stopped, untried=False,
    )  # fmt: skip
    called = []

    def otherwise(*_):
        called.append("otherwise")
        return _Explained(nearest=["near"], others=["other"])

    for name, replaced in {
        "watch": lambda: Watch(interrupted=stopped),
        "_try_all": lambda *_: trials,
        "_candidates": lambda _, __, fitting, ___: fitting,
        "told_apart": lambda _, made: ("apart", *made),
        "_explained_otherwise": otherwise,
        "evidence_of": lambda *_: "evidence",
        "_may_be_a_percentage": lambda *_: True,
    }.items():
        monkeypatch.setattr(candidates, name, replaced)
    found = candidates.explain_value(SEARCH, target)
    fits = bool(settings or mistakes)
    is_explained = fits and (at_once or rounded)
    assert [*found.candidates] == (some[0] if is_explained else [])
    assert [*found.mistakes] == (some[1] if is_explained else [])
    assert found.rounded_twice is (fits and rounded and not at_once)
    several = is_explained and settings == 2
    assert found.distinction == (("apart", *MADE) if several else None)
    assert called == ([] if is_explained or stopped else ["otherwise"])
    assert [*found.others] == (["other"] if called else [])
    assert found.evidence == ("evidence" if is_explained else None)
    assert found.interrupted_of == (9 if stopped else None)
    assert (found.ours, found.scored, found.percent) == (0.7, 3, True)


@each_row("cut", [False, True])
@each_row("others", [[], ["other"]])
@each_row("near_is_cut", [False, True])
@each_row("elsewhere", [[], ["mistake"]])
def test_plain_names_come_before_mistakes_under_other_conventions(
    cut, others, near_is_cut, elsewhere, monkeypatch
):
    """A library's cut-off first; mistakes where no measure and no cut digits give it."""
    nearest = [("x", 0.504, 0.004)]
    for name, replaced in {
        "_cut_by_a_library": lambda *_: ["cut"] * cut,
        "neighbours": lambda *_: others,
        "_nearest_to": lambda *_: nearest,
        "mistakes_elsewhere": lambda *_: ["tried"],
        "found_elsewhere": lambda _, __, tried: elsewhere if tried == ["tried"] else [],
    }.items():
        monkeypatch.setattr(candidates, name, replaced)
    target = SimpleNamespace(is_cut=lambda score: near_is_cut and score == 0.504)
    trials = SimpleNamespace(elsewhere=[])
    found = candidates._explained_otherwise(None, target, trials, None)
    if cut:
        assert found == _Explained(candidates=["cut"])
        return
    looked_for = not others and not near_is_cut
    assert trials.elsewhere == (["tried"] if looked_for else [])
    if looked_for and elsewhere:
        assert found == _Explained(mistakes=["mistake"])
        assert found.explains
    else:
        assert found == _Explained(nearest=nearest, others=others)
        assert not found.explains


@each_row(("value", "is_known"), [("0.5", True), ({"q": "0.5"}, True), ({"r": "0.5"}, False),
          ({"q": "0.5", "r": "0.5"}, False)])  # fmt: skip
def test_a_query_with_a_value_is_known(value, is_known):
    """In the run or in the judgments."""
    target = Target.of(value)
    if is_known:
        candidates._refuse_unknown(SEARCH, target)
        return
    with pytest.raises(InputError, match="query 'r' has a value, but it is neither in the run"):
        candidates._refuse_unknown(SEARCH, target)


@each_row(
    ("runs", "values", "is_right"),
    [
        ([{"q": ["a"]}, {"q": ["b"]}], [0.5, 0.25], True),
        (({"q": ["a"]},), [0.5], True),
        ([{"q": ["a"]}], [0.5, 0.25], False),
        ({"q": ["a"]}, [0.5], False),
        ([1, 0], [0.5, 0.25], False),
        ([0.5, "a"], [0.5, 0.25], False),
    ],
)
def test_a_list_of_values_is_that_of_as_many_runs(runs, values, is_right, monkeypatch):
    """The grades of one ranking are no runs."""
    asked = []
    monkeypatch.setattr(
        candidates, "search_of", lambda _, inputs, *__: (f"search {inputs}", f"read {inputs}")
    )
    monkeypatch.setattr(candidates, "SeveralRuns", lambda searches: searches)
    monkeypatch.setattr(candidates, "explain_value", lambda *given: asked.append(given))
    given = (None, (runs, "qrels"), values, None, None, (), {})
    if not is_right:
        with pytest.raises(InputError, match=f"value= holds {len(values)} numbers: give a list of"):
            candidates._of_several(*given)
        return
    candidates._of_several(*given)
    [(searches, target, read)] = asked
    assert [*searches] == [f"run {i}" for i in range(1, len(runs) + 1)]
    assert [*searches.values()] == [f"search {(run, 'qrels')}" for run in runs]
    assert target.what == "runs"
    assert [value.value for value in target.per_query.values()] == values
    assert read == f"read {(runs[0], 'qrels')}"


@each_row("exact", [*[(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]])
def test_the_exact_number_and_our_own_convention_come_first(exact, monkeypatch):
    """Then those of the libraries in most use, then those of the fewest changes."""
    from irmetrics_edu.diagnosis.search import SettingScores
    from irmetrics_edu.diagnosis.switches import Setting

    base = Setting((("a", 0), ("b", 0)), ())
    settings = [base, base.changed({"a": 1}), base.changed({"a": 2, "b": 2})]
    others = [library for library in BUNDLES.values() if library is not OURS]
    rare, used = (f(others, key=lambda library: library.use).name for f in (min, max))
    search = SimpleNamespace(
        switches=SimpleNamespace(
            base=base,
            libraries=lambda: [(f"{rare}: ndcg", settings[1]), (used, settings[2])],
            of_other_names=set(),
        )
    )
    fitting = [
        (setting, SettingScores(0.5 if one else 0.5001, None, {}))
        for setting, one in zip(settings, exact, strict=True)
    ]
    monkeypatch.setattr(
        candidates,
        "_with_least_changes",
        lambda fits, _, base: [(s, scores, s.changes(base)) for s, scores in fits],
    )
    monkeypatch.setattr(candidates, "_merged", lambda _, least: [(*one, [one[2]]) for one in least])
    monkeypatch.setattr(candidates, "_call", lambda *_: "call")
    found = candidates._candidates(search, Target.of("0.50"), fitting, None)
    by_use = [0, 2, 1]  # though it has more changes
    order = sorted(by_use, key=lambda place: not exact[place])
    assert [one.setting for one in found] == [settings[place] for place in order]
    named = {one.setting: [*one.libraries] for one in found}
    every = sorted([f"{rare}: ndcg", used], key=str.casefold)  # they have all changes of ours: none
    assert named == {settings[0]: every, settings[1]: [f"{rare}: ndcg"], settings[2]: [used]}
    assert [one.differences for one in found if one.setting == settings[1]] == [["a: 1; ours: 0"]]


@each_row(
    ("columns", "best"),
    [
        ([(0.5, 0.5), (0.5, 0.6), (0.1, 0.9)], 1),
        ([(0.5, 0.5), (0.5, 0.5)], None),
        ([(0.5, 0.5003)], None),
        ([(0.5, 0.502)], 0),
        ([(-1.0, -1.0), (-1.0, math.nan)], 1),
        ([(math.nan, math.nan)], None),
        ([(math.inf, math.inf), (math.inf, math.nan)], 1),
        ([(1.0, 2.0, 2.0), (1.0, 2.0, 3.0), (3.0, 2.0, 1.0)], 1),
    ],
)
def test_the_first_input_is_taken_on_which_most_settings_differ(columns, best, monkeypatch):
    """By a thousandth; no value is another one than each number."""
    scored = [np.array(row) for row in zip(*columns, strict=True)]
    small = SimpleNamespace(inputs=lambda _, query: (f"ranking {query}", f"judged {query}"))
    monkeypatch.setattr(candidates, "scores_on_small_inputs", lambda *_: scored)
    monkeypatch.setattr(candidates, "_small", lambda *_: small)
    search = SimpleNamespace(chosen=SimpleNamespace(metric=None))
    found = candidates.first_apart(search, ["x", "y"])
    if best is None:
        assert found is None
        return
    ranking, judged, values = found
    assert (ranking, judged) == (f"ranking {best}", f"judged {best}")
    assert values == pytest.approx(columns[best], nan_ok=True)
    monkeypatch.setattr(candidates, "scores_on_small_inputs", lambda *_: [*scored, None])
    assert candidates.first_apart(search, ["x", "y"]) is None
