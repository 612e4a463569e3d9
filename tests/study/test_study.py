"""The study of diversity metrics: its numbers, coefficients, claims, views and figures."""

import json
from fractions import Fraction

import numpy as np
import pytest

from dev.benchmarks import diversity_plots
from dev.benchmarks.diversity_numbers import as_dict, behind_where, order
from irmetrics_edu import dcc, dilad, fdcc, ilad, ilmd, ndcg, recall
from irmetrics_edu.cli import BAD_INPUT, FINE, main, parser
from irmetrics_edu.commands.study import _settings
from irmetrics_edu.errors import InputError
from irmetrics_edu.lab.recommenders.interactions import interactions
from irmetrics_edu.lab.recommenders.made_catalogue import catalogue
from irmetrics_edu.lab.study import study_tables
from irmetrics_edu.lab.study.claims import (
    Claim,
    ClaimPlace,
    answers,
    case,
    claims,
)
from irmetrics_edu.lab.study.diversity_study import coefficients, study_diversity
from irmetrics_edu.lab.study.rankers import BASE, DIVERSIFIERS, RANKERS, Judging, Settings
from irmetrics_edu.lab.study.scoring import AWARE, METRICS
from irmetrics_edu.metrics.diversity import category_coverage

CUTS = (5, 10)
LEARNT = {"rate": 0.02, "penalty": 1e-4, "every": 10, "patience": 5}


@pytest.fixture(scope="module")
def done():
    """A study of seconds."""
    data = catalogue(users=60, items=200, categories=8, per_user=14, seed=2)
    settings = Settings(
        CUTS, alpha=0.02, beta=0.1, pool=30, epochs=60, lightgcn=LEARNT, dgrec=LEARNT
    )
    return study_diversity(data, settings)


def test_every_ranker_metric_and_cutoff_has_a_score_per_user(done):
    """And no score is missing."""
    assert set(done.lists) == set(RANKERS)
    for scores in done.scores.values():
        assert scores.shape == (len(done.users),)
        assert np.isfinite(scores).all()
    assert set(done.scores) == {(r, m, k) for r in RANKERS for m in METRICS for k in CUTS}


def test_no_list_holds_what_the_user_has_seen_or_an_item_twice(done):
    """Whatever the ranker."""
    for items in done.lists.values():
        seen = done.data.table("train", done.data.users_with("test"))
        assert not np.take_along_axis(seen, items, axis=1).any()
        assert all(len(set(row)) == len(row) for row in items.tolist())


@pytest.mark.parametrize("ranker", RANKERS)
def test_scores_are_those_of_the_metrics_user_by_user(done, ranker):
    """Aligned one by one, with the coefficients of the cut-off."""
    k, data = 10, done.data
    alpha, beta = (c.value for c in done.coefficients[k])
    unit = {}
    for i, item in enumerate(data.items):
        unit[item] = _embeddings(done)[i]
    users = data.users_with("test").tolist()
    relevant = {u: [data.items[i] for v, i in data.pairs["test"].tolist() if v == u] for u in users}
    for place in (0, 17, 42):
        user = users[place]
        listed = [data.items[i] for i in done.lists[ranker][place].tolist()]
        found = {m: float(done.scores[ranker, m, k][place]) for m in METRICS}
        truth = relevant[user]
        n = data.n_categories
        assert found["Recall"] == pytest.approx(recall(listed, dict.fromkeys(truth, 1), k=k))
        assert found["CC"] == pytest.approx(
            category_coverage(listed, data.categories, k=k, n_categories=n)
        )
        assert found["DCC"] == pytest.approx(
            dcc(listed, truth, data.categories, k=k, alpha=alpha, n_categories=n)
        )
        assert found["FDCC"] == pytest.approx(
            fdcc(listed, truth, data.categories, k=k, alpha=alpha, n_categories=n)
        )
        assert found["ILAD"] == pytest.approx(ilad(listed, unit, k=k))
        assert found["ILMD"] == pytest.approx(ilmd(listed, unit, k=k))
        assert found["nDCG"] == pytest.approx(ndcg(listed, dict.fromkeys(truth, 1), k=k))
        assert found["DILAD"] == pytest.approx(dilad(listed, truth, unit, k=k, beta=beta))
        hits = [i for i in listed[:k] if i in truth]
        effective = ilad(hits, unit) if len(hits) > 1 else 0
        assert done.effective[ranker, "ILAD", k][place] == pytest.approx(effective)
        nearest = ilmd(hits, unit) if len(hits) > 1 else 0
        assert done.effective[ranker, "ILMD", k][place] == pytest.approx(nearest)
        covered = category_coverage(hits, data.categories, n_categories=n)
        assert done.effective[ranker, "CC", k][place] == pytest.approx(covered)


def _embeddings(done):
    """LightGCN's embeddings, trained again under the same seed."""
    from irmetrics_edu.lab.recommenders.lightgcn import LightGCN

    if not hasattr(_embeddings, "kept"):
        _embeddings.kept = LightGCN(epochs=60, **LEARNT).fit(done.data).item_embeddings
    return _embeddings.kept


@pytest.mark.slow
def test_mmr_and_dpp_choose_from_lightgcns_best(done):
    """Their lists are among its 30 first, and at full relevance they are its own."""
    data = done.data
    wide = study_diversity(
        data, Settings(cutoffs=(30,), pool=30, epochs=60, lightgcn=LEARNT)
    ).lists[BASE]
    for ranker in ("MMR", "DPP"):
        for pool, listed in zip(wide.tolist(), done.lists[ranker].tolist(), strict=True):
            assert set(listed) <= set(pool)
    alone = study_diversity(
        data, Settings(cutoffs=CUTS, pool=30, epochs=60, lightgcn=LEARNT, mmr_lambda=1.0)
    )
    assert (alone.lists["MMR"] == alone.lists[BASE]).all()


def test_a_tuned_coefficient_meets_its_conditions():
    """It lies just below the supremum."""
    for found in (
        *coefficients(300, 3000, 10, Judging())[1:],
        *coefficients(30, 3000, 10, Judging()),
    ):
        if not found.tuning.feasible:
            continue
        assert 0 < found.value < float(found.tuning.value)
        exact = Fraction(found.value)
        for c in found.tuning.conditions:
            c0, c1, c2 = c.polynomial
            assert c0 + c1 * exact + c2 * exact**2 > 0
        assert found.n == found.tuning.n_tau


def test_where_no_coefficient_is_feasible_there_is_none():
    """Not one without any discount: that is named infeasible, unless the user gives a value."""
    # At precision 0.1 two hits of ten are common: R_2 over R_1 asks for alpha below 0.
    alpha, _ = coefficients(3000, 3000, 10, Judging())
    assert not alpha.tuning.feasible
    assert alpha.value is None
    assert "alpha@10 is infeasible" in str(alpha)
    given, beta = coefficients(3000, 3000, 10, Judging(alpha=0.01, beta=0.2))
    assert (given.value, beta.value) == (0.01, 0.2)
    assert str(given) == "alpha@10 = 0.01, as given"


@pytest.fixture(scope="module")
def infeasible(done):
    """The same study without coefficients that are given; at precision 0.1 there are none."""
    settings = Settings((10,), pool=30, epochs=60, lightgcn=LEARNT, dgrec=LEARNT)
    return study_diversity(done.data, settings)


def test_a_case_without_a_coefficient_counts_for_neither_side(infeasible):
    """No score, no case for or against; the old metrics are as ever."""
    assert not infeasible.has("DCC", 10)
    by = {c.id: c for c in claims(infeasible)}["order turned round"]
    assert by.count("holds") == by.count("fails") == 0 < by.count("infeasible")
    assert by.asked == by.count("open")
    assert f"{by.count('infeasible')} infeasible" in by.summary
    assert "infeasible" in str([sheet.lines for sheet in study_tables.sheets(infeasible)])
    assert not any(m in AWARE for name in as_dict(infeasible)["whole"].values() for m in name)
    json.dumps(as_dict(infeasible), allow_nan=False)


@pytest.mark.slow
def test_where_the_order_turns_round_by_trying_many_coefficients(done):
    """The base is ahead exactly where its mean by the metric itself is higher."""
    data, k = done.data, 10
    n, users = data.n_categories, data.users_with("test").tolist()
    truth = {u: [data.items[i] for v, i in data.pairs["test"].tolist() if v == u] for u in users}

    def mean(ranker, alpha):
        return np.mean([
            dcc([data.items[i] for i in row], truth[u], data.categories, k=k, alpha=alpha,
                n_categories=n)
            for u, row in zip(users, done.lists[ranker].tolist(), strict=True)
        ])  # fmt: skip

    for ranker in DIVERSIFIERS:
        said = behind_where(done, ranker, "DCC", k)
        for alpha in (0.0, 0.03, 0.3, 1.0):
            ahead = mean(BASE, alpha) > mean(ranker, alpha) + 1e-9
            if said in ("for all", "for none"):
                assert ahead == (said == "for all")
            else:
                word, bound = said.split()[1:]
                assert ahead == (alpha < float(bound) if word == "below" else alpha > float(bound))
    assert all(m in AWARE for _, m, _, _ in order(done))


def test_no_hits_means_no_coefficient():
    """The binomial model needs a precision above 0: nothing is feasible, and the reason is said."""
    alpha, beta = coefficients(0, 1, 2, Judging())
    for found in (alpha, beta):
        assert not found.tuning.feasible
        assert found.value is None


def test_an_answer_follows_from_the_two_intervals(done):
    """A gain counts if that of the hits alone is above 0 as well."""
    words = {("holds", "holds"): "counts", ("holds", "fails"): "does not", ("holds", "open"): "und"}
    for a in answers(done):
        outcome = a.gain.outcome, a.of_hits.outcome
        start = words.get(outcome, {"fails": "less", "open": "no gain"}.get(outcome[0]))
        assert a.answer.startswith(start)
        gain = done.gain(a.ranker, a.metric, a.k)
        assert a.gain.mean == pytest.approx(sum(gain) / len(gain))
        if a.share_without is not None:
            part = sum(
                g for g, hit in zip(gain, done.positive(a.ranker, a.k), strict=True) if not hit
            )
            assert a.share_without == pytest.approx(part / sum(gain))


def test_several_seeds_widen_the_interval():
    """By Student's t of the seeds' means, beside the interval over users."""
    seeds = np.array([[1.0, 2, 3, 2], [3, 4, 5, 4], [2, 3, 4, 3]])
    found = case("here", seeds.ravel(), 3)
    users, between = np.array([2.0, 3, 4, 3]), np.array([2.0, 4, 3])
    over_users = 1.959964 * np.sqrt(sum((users - 3) ** 2) / 3 / 4)
    over_seeds = 4.302653 * np.sqrt(sum((between - 3) ** 2) / 2 / 3)
    assert found.mean == 3
    assert found.high - 3 == pytest.approx(np.sqrt(over_users**2 + over_seeds**2), 1e-4)
    assert case("", seeds[0]).high - 2 == pytest.approx(1.959964 * np.sqrt(2 / 3 / 4), 1e-4)


@pytest.mark.suite("learners")
def test_the_study_is_the_same_under_a_seed(done):
    """To the last digit."""
    again = study_diversity(done.data, done.settings)
    assert all((again.scores[key] == done.scores[key]).all() for key in done.scores)


@pytest.mark.parametrize(
    ("values", "outcome"),
    [([1, 1, 1, 1], "holds"), ([-1, -1, -1], "fails"), ([1, -1], "open"), ([0, 0], "open")],
)
def test_a_case_is_decided_by_its_interval(values, outcome):
    """One side of 0, or open."""
    assert case("here", np.array(values, dtype=float)).outcome == outcome


@pytest.mark.parametrize("sign", [1, -1])
def test_an_interval_that_ends_at_0_decides_nothing(sign):
    """Within a millionth of its width, or rounding; beyond that it decides, however near it is."""
    outcome = {1: "holds", -1: "fails"}[sign]
    for end, width, found in (
        (1e-16, 1.0, "open"),
        (-1e-16, 1.0, "open"),
        (5e-7, 1.0, "open"),
        (2e-6, 1.0, outcome),
        (2e-12, 1e-9, outcome),
        (1e-13, 1e-9, "open"),
    ):
        low, high = sorted((sign * end, sign * (end + width)))
        assert ClaimPlace("here", sign * (end + width / 2), low, high).outcome == found


def test_what_rounding_adds_to_each_user_decides_nothing():
    """Users whose two lists score alike, but for the last bits."""
    assert case("here", np.array([1e-16, 2e-16, 1e-16, 2e-16])).outcome == "open"


def test_the_interval_of_a_case_is_the_normal_one():
    """Mean and 1.96 standard errors, by the definition."""
    values = np.array([0.5, 1.0, 3.0, 2.5, 0.0])
    found = case("here", values)
    error = np.sqrt(sum((v - 1.4) ** 2 for v in values) / 4 / 5)
    assert (found.low, found.high) == pytest.approx((1.4 - 1.96 * error, 1.4 + 1.96 * error), 1e-4)


UP, DOWN, FLAT = ClaimPlace("a", 1, 1, 1), ClaimPlace("b", -1, -1, -1), ClaimPlace("c", 0, -1, 1)


@pytest.mark.parametrize(
    ("cases", "summary"),
    [
        ((UP, UP), "holds: 2 of 2 cases"),
        ((UP, FLAT), "holds where decided: 1 of 2 cases, 1 open"),
        ((UP, DOWN, FLAT), "holds in part: 1 of 3 cases, 1 against, 1 open"),
        ((DOWN, FLAT), "does not hold: 0 of 2 cases, 1 against, 1 open"),
        ((FLAT,), "open: 0 of 1 cases, 1 open"),
        ((), "open: 0 of 0 cases"),
    ],
)
def test_a_verdict_follows_from_the_cases(cases, summary):
    """It is computed, never typed."""
    assert Claim("x", "source", "says", cases).summary == summary


def test_verdicts_turn_with_the_scores(done):
    """With gains turned to losses the first claim does not hold: the check can fail."""
    by = {c.id: c for c in claims(done)}
    assert by["diversity up"].count("holds") > 0
    kept = dict(done.scores)
    try:
        for ranker in DIVERSIFIERS:
            for metric in ("CC", "ILAD", "ILMD"):
                for k in CUTS:
                    done.scores[ranker, metric, k] = done.scores[BASE, metric, k] - 0.1
        turned = {c.id: c for c in claims(done)}
        assert turned["diversity up"].verdict == "does not hold"
        assert turned["gain where nothing hits"].cases == ()
    finally:
        done.scores.update(kept)


@pytest.mark.slow
def test_points_of_the_gains_are_the_means_with_their_intervals(done):
    """Whole lists above, hits alone below; the axis shows 0, as gains lie about it."""
    from matplotlib import pyplot as plt

    figure = diversity_plots.gains(done, 10)
    for panel, metric in zip(figure.axes[3:], ("CC", "ILAD", "ILMD"), strict=True):
        expected = [done.gain(r, metric, 10, effective=True) for r in DIVERSIFIERS]
        container = panel.containers[0]
        points, _, (bars,) = container
        assert points.get_ydata() == pytest.approx([g.mean() for g in expected])
        for segment, g in zip(bars.get_segments(), expected, strict=True):
            found = case("", g)
            assert segment[:, 1] == pytest.approx([found.low, found.high])
        assert panel.get_ylim()[0] <= 0 <= panel.get_ylim()[1]
        assert "hits alone" in panel.get_title()
    plt.close(figure)


@pytest.mark.slow
def test_the_numbers_and_the_tables_say_the_same(done):
    """Every mean of the numbers stands in the tables."""
    found = json.loads(json.dumps(as_dict(done)))
    text = str([sheet.lines for sheet in study_tables.sheets(done)])
    for ranker in RANKERS:
        for k in CUTS:
            assert f"{found['whole'][ranker][f'Recall@{k}']:.4f}" in text
    hit = done.positive("MMR", 5)
    split = found["groups"]["MMR"]["ILAD@5"]
    whole = split["hit"] * hit.mean() + split["no hit"] * (1 - hit.mean())
    assert whole == pytest.approx(found["whole"]["MMR"]["ILAD@5"])
    stated = [(c["id"], c["source"], c["says"]) for c in found["claims"]]
    assert stated == [(c.id, c.source, c.says) for c in claims(done)]
    assert all(c.summary in text for c in claims(done))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cutoffs": ()}, "cutoffs=\\(\\)"),
        ({"cutoffs": (1,)}, r"cutoffs=\(1,\) are not lengths of lists; .* at least 2"),
        ({"cutoffs": 5}, "cutoffs=5 are not lengths of lists; give whole numbers"),
        ({"cutoffs": (10, None)}, r"cutoffs=\(10, None\) are not"),
        ({"cutoffs": (10,), "pool": 5}, "pool=5 .* at least 10: MMR and DPP choose 10 items"),
        ({"pool": "200"}, "pool='200' is not possible"),
        ({"epochs": 0}, "epochs=0 is not possible"),
        ({"seed": -1}, "seed=-1 is not possible"),
        ({"seeds": 1.5}, "seeds=1.5 is not possible"),
        ({"mmr_lambda": 1.5}, "mmr_lambda=1.5"),
        ({"dpp_theta": 1}, "dpp_theta=1"),
        ({"tau": 1}, "tau=1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, message):
    """The message names the setting."""
    with pytest.raises(InputError, match=message):
        Settings(**options)


def test_without_test_items_nothing_can_be_evaluated():
    """The message says so."""
    data = interactions({"u": ["a"]}, {}, {}, {c: {"x"} for c in "abcd"})
    with pytest.raises(InputError, match="no user has test items"):
        study_diversity(data, Settings(cutoffs=(2,), pool=3))


@pytest.mark.parametrize(
    ("cutoffs", "pool", "message"),
    [
        ((2, 4), 4, "pool=4: user 'v' has 3 unseen items; .* at most 3"),
        ((2,), 4, "pool=4: user 'v' has 3 unseen items"),
    ],
)
def test_a_pool_larger_than_what_is_unseen_is_refused(cutoffs, pool, message):
    """The user with the fewest unseen items is named, with what would do."""
    splits = ({"u": ["a"], "v": ["a", "b"]}, {}, {"u": ["b"], "v": ["c"]})
    data = interactions(*splits, {c: {"x"} for c in "abcde"})
    with pytest.raises(InputError, match=message):
        study_diversity(data, Settings(cutoffs=cutoffs, pool=pool))


def test_each_step_that_is_done_is_a_line(capsys):
    """On stderr, and nothing where none is wanted."""
    data = catalogue(users=10, items=60, categories=4, per_user=8, seed=1)
    settings = Settings(cutoffs=(10,), pool=20, epochs=2, alpha=0.1, beta=0.1)
    study_diversity(data, settings, progress=True)
    shown = capsys.readouterr()
    assert not shown.out
    assert shown.err.splitlines()[:3] == [
        "seed 0: LightGCN", "seed 0: DGRec", "seed 0: lists of LightGCN",
    ]  # fmt: skip
    study_diversity(data, settings)
    assert not capsys.readouterr().err


def _folder(tmp_path):
    data = catalogue(users=30, items=80, categories=5, per_user=12, seed=1)
    for split, name in (("train", "train"), ("validation", "val"), ("test", "test")):
        lines = [f"{u},{i}" for u, i in data.pairs[split].tolist()]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    table = [f"{i},{min(data.categories[x])}" for i, x in enumerate(data.items)]
    (tmp_path / "item_category.txt").write_text("\n".join(table), encoding="utf-8")
    settings = "cutoffs = [5, 10]\npool = 20\nalpha = 0.1\nbeta = 0.1\n"
    (tmp_path / "study.toml").write_text(settings, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_the_command_runs_on_public_files(tmp_path, capsys):
    """It prints the limits first, then the answers, the means and the claims."""
    folder = _folder(tmp_path)
    code = main([
        "study", "diversity", "--data", str(folder), "--epochs", "3",
        "--settings", str(folder / "study.toml"), "--seeds", "2",
    ])  # fmt: skip
    shown = capsys.readouterr().out
    assert code == FINE
    parts = ("Intervals are over users", "Is it diversity that counts?", "DILAD", "What is claimed")
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "nowhere"], "nowhere has no train.txt"),
        (["--settings", "nowhere.toml"], "nowhere.toml: the file does not exist"),
    ],
)
def test_bad_arguments_are_explained(capsys, arguments, message):
    """On stderr, with the exit code of bad input."""
    assert main(["study", "diversity", *arguments]) == BAD_INPUT
    assert message in capsys.readouterr().err


def test_settings_come_from_a_file_and_options(tmp_path):
    """An option goes before the file; a name that is not known is refused."""
    path = tmp_path / "study.toml"
    path.write_text(
        "pool = 50\ncutoffs = [5, 20]\ntau = 0.9\nseeds = 4\n[dgrec]\nlayers = 2\n",
        encoding="utf-8",
    )
    given = ["study", "diversity", "--settings", str(path), "--seeds", "2", "--seed", "3"]
    found = _settings(parser("study").parse_args(given))
    assert (found.pool, found.cutoffs, found.tau) == (50, [5, 20], 0.9)
    assert (found.seed, found.seeds, found.dgrec) == (3, 2, {"layers": 2})
    for text, message in (
        ("speed = 1\n", "there is no setting 'speed'; use one of cutoffs, tau"),
        ("[dgrec]\nspeed = 1\n", "dgrec: 'speed' is not a hyperparameter; use one of"),
        ("cutoffs = 5\n", "cutoffs=5 are not lengths of lists"),
        ("pool\n", "can't be read as TOML"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message):
            _settings(parser("study").parse_args(given))
