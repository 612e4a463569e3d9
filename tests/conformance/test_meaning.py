"""Every word of the vectors has a meaning, and the README says all of them."""

import json
from dataclasses import replace

import pytest

from dev.tools import waiting
from dev.tools.vectors import readme
from dev.tools.vectors.meaning import kind_of, meanings, measures_without_code, sentence_on
from dev.tools.vectors.unsaid import without_meaning
from irmetrics_edu.diagnosis.conformance import cases, export
from tests.conformance.test_vectors import faults

CASES = cases()
FOUND = meanings(CASES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The whole export."""
    target = tmp_path_factory.mktemp("export")
    export(target, flat=True)
    return target


def test_every_word_value_and_measure_has_a_meaning():
    """What lacks one is named."""
    assert without_meaning(CASES, FOUND) == []


def test_what_lacks_a_meaning_is_named():
    """The check can fail: a value, a word, a measure that nobody wrote about."""
    one = next(c for c in CASES if c.metric == "nDCG")
    other = replace(one, conventions={**one.conventions, "gain": "cubic"})
    assert without_meaning([other], FOUND) == ["gain=cubic of nDCG"]
    other = replace(one, conventions={**one.conventions, "mood": "good"})
    assert without_meaning([other], FOUND) == ["mood=good of nDCG"]
    other = replace(one, reading={**one.reading, "ties": "the ranking"})
    assert without_meaning([other], FOUND) == ["ties=the ranking of nDCG"]
    spoilt = json.loads(json.dumps(FOUND))
    spoilt["measures"]["nDCG"]["definition"] = ""
    assert without_meaning([one], spoilt) == ["the measure nDCG"]


def test_a_word_can_be_of_two_kinds():
    """The ideal of nDCG is another question than that of alpha-nDCG; numbers have no kind."""
    assert kind_of("nDCG", "ideal").__name__ == "Ideal"
    assert kind_of("alpha-nDCG", "ideal").__name__ == "NoveltyIdeal"
    assert kind_of("RBP", "gain").__name__ == "Gain"  # whose default is of a class of its own
    assert kind_of("nDCG", "missing_queries").__name__ == "MissingQueries"
    assert kind_of("RBP", "p") is None


def test_every_registered_value_is_said():
    """Also those that no vector has: refused ones, and forms with a number of their own."""
    for kind in FOUND["kinds"].values():
        steps = " ".join(FOUND["reading"].get(kind["word"], ()))
        for name, value in kind["values"].items():
            assert value["meaning"]
            assert "code" in value or name in steps, (kind["word"], name)
    forms = {"binary(b)", "exp(b)", "linear(b)", "share(h)", "table(a:b,...)"}
    assert set(FOUND["kinds"]["Gain"]["forms"]) == forms


def test_code_is_short():
    """About ten lines, and no line too wide for a terminal; what has none yet is listed."""
    for name, measure in FOUND["measures"].items():
        assert len(measure["code"]) <= 10, name
        assert max(map(len, measure["code"]), default=0) <= 100, name
    without = [name for name, measure in FOUND["measures"].items() if not measure["code"]]
    assert without == measures_without_code(FOUND["measures"])
    assert without == measures_without_code(waiting.measures_with_vectors())


def test_a_number_may_be_explained_by_its_kernel():
    """What `meanings.toml` has no line for has the sentence of the docstring that names it."""
    assert FOUND["numbers"]["p_break"] == sentence_on("PFound", "p_break")
    assert "gives up" in FOUND["numbers"]["p_break"]
    assert sentence_on("PFound", "p_brea") == ""
    assert FOUND["numbers"]["rel"] != sentence_on("P", "rel")  # as it is written for all


def test_a_measure_without_code_is_read_by_its_formula(monkeypatch):
    """The README says so in the place of the code."""
    lacking = json.loads(json.dumps(FOUND))
    lacking["measures"]["nDCG"]["code"] = []
    monkeypatch.setattr(readme, "meanings", lambda _: lacking)
    text = readme.readme()
    section = text.partition("\n### nDCG\n")[2].partition("\n### ")[0]
    assert "Its pseudo-code is still to be written" in section
    assert "$$" in section


def test_the_readme_says_them_all(folder):
    """Each measure with its code, each kind with its values, and no place left to fill."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    for name, measure in FOUND["measures"].items():
        assert f"\n### {name}\n" in text
        assert "\n".join(measure["code"]) in text
    for kind in FOUND["kinds"].values():
        for value in kind["values"].values():
            assert all(line in text for line in value.get("code", ()))
    assert f"{len(CASES)} test cases for {len(FOUND['measures'])} measures" in text
    written = json.loads((folder / "meanings.json").read_text(encoding="utf-8"))
    assert {name: written[name] for name in FOUND} == FOUND


def test_the_flat_form_holds_the_same(folder):
    """A line for each case with all its conventions; fields that tabs can part."""
    lines = (folder / "cases.tsv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(CASES)
    parts = (folder / "inputs.tsv").read_text(encoding="utf-8").splitlines()
    known = {tuple(line.split("\t")[:2]) for line in parts}
    for line, case in zip(lines, CASES, strict=True):
        id_, metric, k, aggregate, name, value, *said = line.split("\t")
        assert (id_, metric, aggregate) == (case.id, case.metric, case.aggregate or "-")
        assert k == ("-" if case.k is None else str(case.k))
        assert dict(word.split("=", 1) for word in said) == {
            word: str(value) for word, value in {**case.reading, **case.conventions}.items()
        }
        assert float(value) == pytest.approx(case.number, rel=1e-15, nan_ok=True)
        assert (name, metric) in known
    for line in parts:
        name, metric, query, what, *items = line.split("\t")
        given = next(c.given for c in CASES if (c.input, c.metric) == (name, metric))
        held = given[{"ranking": "run", "judgments": "qrels"}[what]] if query != "-" else given
        there = held[query if query != "-" else what]
        several = what in ("nuggets", "categories", "embeddings", "lists")
        if isinstance(there, dict):
            if what == "nuggets":  # each with its probability, or without one
                there = {d: [f"{n}:{x[n]}" if isinstance(x, dict) else n for n in x]
                         for d, x in there.items()}  # fmt: skip
            held = {d: list(map(str, x)) if several else [str(x)] for d, x in there.items()}
            assert items == [f"{d}={','.join(x)}" for d, x in held.items()]
            there = [*there, *(name for x in held.values() for name in x)]
        else:
            assert items == there
        assert all(not set("=,\t\n") & set(id_) for id_ in there)


def test_the_schema_of_results(folder):
    """The example of the README keeps to it, and what is wrong does not."""
    schema = json.loads((folder / "results.schema.json").read_text(encoding="utf-8"))
    good = {"format": "irmetrics-edu/results", "version": "3.0", "program": "p", "claims": ["P"],
            "results": {"a": 0.5, "b": "nan", "c": None}}  # fmt: skip
    assert list(faults(good, schema, schema)) == []
    for name, wrong in (("results", {"a": "0.5"}), ("version", "2.2"), ("program", ""),
                        ("more", 1), ("claims", "P")):  # fmt: skip
        assert list(faults({**good, name: wrong}, schema, schema))
