"""What `trec_eval -m all_trec` prints: each name is ours or has a reason, and ours have its values.

`all_trec.txt` is what trec_eval 10.0 prints with -q for its own test files, without the texts
of relstring.
"""

import re
from pathlib import Path

import pytest

from dev.tools.trec_eval_names import ALL_TREC, NOT_OURS, entry
from irmetrics_edu.errors import InputError
from irmetrics_edu.libraries import bundle
from irmetrics_edu.metrics import trec_format
from irmetrics_edu.runs.evaluation import evaluate

_LINES = Path(__file__).with_name("all_trec.txt").read_text(encoding="utf-8").splitlines()
PRINTED: dict[str, dict[str, str]] = {}
for _line in _LINES:
    _name, _query, _value = _line.split()
    PRINTED.setdefault(_name, {})[_query] = _value
OURS = [name for name in PRINTED if entry(name)[1]]


@pytest.mark.parametrize("name", PRINTED)
def test_every_name_is_ours_or_has_a_reason(name: str) -> None:
    """Never both, and never neither."""
    _, ours, why = entry(name)
    assert bool(ours) != bool(why)


def test_the_table_holds_what_is_printed_and_no_more() -> None:
    """In the order of trec_eval; relstring alone is not recorded."""
    last = [line.split()[0] for line in _LINES if line.split()[1] == "all"]
    forms = list(dict.fromkeys(entry(name)[0] for name in last))
    assert sorted([*forms, "relstring_#"]) == sorted(ALL_TREC)
    assert set(NOT_OURS) <= set(ALL_TREC)
    assert [f for f in ALL_TREC if f in forms] == forms


@pytest.mark.parametrize("name", OURS)
def test_ours_have_the_printed_values(shared: Path, name: str) -> None:
    """Every query and the mean, to the four digits that trec_eval prints."""
    folder = shared / "data" / "trec"
    e = evaluate(folder / "results.test", folder / "qrels.test", name, conventions="trec_eval_10")
    printed = dict(PRINTED[name])
    assert f"{next(iter(e.mean.values())):.4f}" == printed.pop("all")
    if not name.startswith("gm_"):  # of single queries a logarithm
        scores = next(iter(e.per_query.values()))
        assert {query: f"{score:.4f}" for query, score in scores.items()} == printed


@pytest.mark.parametrize("name", OURS)
def test_a_name_goes_there_and_back(name: str) -> None:
    """The output in trec_eval's form has trec_eval's names."""
    ours = trec_format.ours(name)
    assert ours is not None
    assert trec_format.theirs(ours)[2] == name


@pytest.mark.parametrize("name", ["Rprec_mult_0.40", "set_map", "relative_P_20", "unj_5"])
def test_the_bundle_says_the_same(name: str) -> None:
    """The names of the bundle and those of the page mean one measure."""
    metric, _ = bundle("trec_eval_10").measure(name)
    ours = trec_format.ours(name)
    assert ours is not None
    run, qrels = {"q": ["a", "b"]}, {"q": {"b": 1, "c": 1}}
    assert evaluate(run, qrels, ours).mean == evaluate(run, qrels, metric).mean


def test_another_name_is_refused() -> None:
    """The check can fail: a measure that a new trec_eval prints has to be entered."""
    with pytest.raises(InputError, match="'ndcg_new' is not a name"):
        entry("ndcg_new")


@pytest.mark.parametrize("base", trec_format.USUAL)
def test_a_name_without_a_cut_off_has_those_that_are_printed(base: str) -> None:
    """In the order of the output."""
    printed = Path(__file__).with_name("all_trec.txt").read_text(encoding="utf-8")
    names = dict.fromkeys(line.split()[0] for line in printed.splitlines() if line.strip())
    cuts = [
        name.removeprefix(f"{base}_") for name in names if re.fullmatch(rf"{base}_[0-9.]+", name)
    ]
    assert list(trec_format.USUAL[base]) == cuts
