"""Libraries against the vectors: who agrees, who follows another convention, who none."""

import functools
import json

import pytest

from irmetrics_edu.cli import main
from irmetrics_edu.diagnosis.conformance import against_vectors
from irmetrics_edu.diagnosis.conformance.adapters import ADAPTERS, Adapter
from irmetrics_edu.diagnosis.conformance.against_vectors import (
    AGREES,
    FOLLOWS,
    NONE,
    REFUSES,
    run_library,
)
from irmetrics_edu.errors import InputError

GROUPS = against_vectors._by_definition()


@functools.cache  # a library is asked for seconds, and answers the same
def verdicts(name, topic=""):
    """The verdicts on a library, by measure, of the inputs about a topic; no others are run."""
    with pytest.MonkeyPatch.context() as patched:
        chosen = [group for group in GROUPS if group[0].topic == topic]
        patched.setattr(against_vectors, "_by_definition", lambda: chosen)
        found = run_library(name)
    assert {v.topic for v in found} <= {topic}
    return {v.measure: v for v in found}


def test_we_agree_with_our_own_vectors():
    """Every measure at every cut-off; what our defaults refuse is refused, and told."""
    found = run_library("irmetrics_edu")
    assert len({v.measure for v in found}) > 40
    assert {v.verdict for v in found} == {AGREES, REFUSES}
    refused = {v.topic for v in found if v.verdict == REFUSES}
    assert refused == {"negative grades", "short lists", "sampled judgments", "thresholds"}


@pytest.mark.slow
def test_trec_eval_agrees():
    """The reference, by its own binding, on the measures that it has."""
    found = verdicts("trec_eval")
    assert {"P@10", "AP", "nDCG@10", "RR", "Rprec", "bpref"} <= set(found)
    apart = {name: v.convention for name, v in found.items() if v.verdict != AGREES}
    assert apart == {"interpolated-AP": 'interpolation="trec_eval"'}


@pytest.mark.slow
def test_what_trec_eval_reads_otherwise():
    """Ties by document id, scores of 32 bits, and no value for a query that the run lacks."""
    assert {v.convention for v in verdicts("trec_eval", "ties").values()} == {'ties="docid"'}
    of_precision = verdicts("trec_eval", "precision of scores")["nDCG"]
    assert of_precision.convention == 'scores="float32"'
    assert verdicts("trec_eval", "missing query")["AP"].convention == 'missing_queries="skip"'


@pytest.mark.slow
def test_ndeval_follows_its_own_normaliser_and_ideal():
    """What its bundle says of it: alpha-DCG divided, and of equal gains the last document."""
    found = verdicts("ndeval")
    assert found["alpha-DCG@5"].convention == 'normalisation="collection_independent"'
    assert found["alpha-nDCG@5"].convention == 'ideal="ndeval"'
    agreeing = {"ERR-IA@5", "NRBP", "S-recall@5", "P-IA@5", "AP-IA"}
    assert {name for name, v in found.items() if v.verdict == AGREES} == agreeing


@pytest.mark.slow
def test_scikit_learn_shares_ties_and_refuses_losses():
    """Averaged ties; a negative grade is an error there."""
    assert verdicts("scikit-learn", "ties")["DCG@2"].convention == 'ties="averaged"'
    assert verdicts("scikit-learn", "negative grades")["nDCG"].verdict == REFUSES


@pytest.mark.slow
def test_scikit_learn_follows_another_ideal():
    """It is given the retrieved alone, and so holds them against themselves."""
    found = verdicts("scikit-learn")
    assert found["DCG"].verdict == AGREES
    assert found["nDCG@10"].verdict == FOLLOWS
    assert "retrieved" in found["nDCG@10"].convention


@pytest.fixture
def odd(monkeypatch):
    """A library with a defect: AP off by a little where two documents are relevant."""

    def measure(metric, k, run, qrels, beside):
        if metric != "AP":
            return None
        right = ADAPTERS["irmetrics_edu"].measure(metric, k, run, qrels, beside)
        wrong = {q for q, judged in qrels.items() if sum(g >= 1 for g in judged.values()) == 2}
        return {q: v * (0.9 if q in wrong else 1) for q, v in right.items()}

    monkeypatch.setitem(ADAPTERS, "odd", Adapter("odd", "irmetrics-edu", "irmetrics_edu", measure))


@pytest.mark.slow
@pytest.mark.usefixtures("odd")
def test_a_defect_is_shown_on_an_input():
    """No convention explains it; the vector with two relevant documents shows it."""
    found = verdicts("odd")["AP"]
    assert found.verdict == NONE
    assert 0 < found.agreeing < found.cases
    assert found.example.startswith("ranking ['d1', 'd2', 'd3', 'd4', 'd5'], judgments {'d1': 0,")
    assert found.example.endswith("'x1': 1}: 0.0900, not 0.1000")


@pytest.mark.slow
@pytest.mark.usefixtures("odd")
def test_the_command_exits_with_1_for_a_defect(capsys):
    """So that a project can run it in its own tests."""
    assert main(["conformance", "run", "odd"]) == 1
    assert "follows none" in capsys.readouterr().out


@pytest.mark.slow
def test_the_command(capsys, tmp_path):
    """Export, run as a table and as JSON, and what is not known."""
    v, w = tmp_path / "v", tmp_path / "w"
    for folder, given in ((v, [str(v), "--flat"]), (w, ["--flat", str(w)])):
        assert main(["conformance", "export", *given]) == 0
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert capsys.readouterr().out.startswith(f"{len(files)} files, ")
    assert all((f / name).exists() for f in (v, w) for name in ("P.json", "cases.tsv"))
    assert main(["conformance", "run", "--format", "json", "ndeval"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["library"] == "ndeval"
    assert main(["conformance", "run", "nothing"]) == 2
    assert "trec_eval" in capsys.readouterr().err
    assert main(["conformance", "export"]) == 2


def test_a_library_that_is_not_installed_says_so(monkeypatch):
    """With what to install."""
    absent = Adapter("absent", "absent-package", "absent_module", lambda *_: None)
    monkeypatch.setitem(ADAPTERS, "absent", absent)
    with pytest.raises(InputError, match="pip install absent-package"):
        run_library("absent")
