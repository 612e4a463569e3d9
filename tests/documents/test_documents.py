"""Every number and formula of the five documents, computed again."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from dev.tools import document_facts, document_ranges
from irmetrics_edu.course import documents, vertex_cover
from irmetrics_edu.course.documents import formulas
from irmetrics_edu.course.documents.errata import errata
from irmetrics_edu.course.documents.example import (
    AGREES,
    CAUTION,
    DIFFERS,
    EXTRA,
    GARBLED,
    KINDS,
    MISPRINT,
    NOTATION,
    ROUNDS,
    Erratum,
    Example,
    Line,
    Sides,
)
from irmetrics_edu.course.documents.printed_numbers import read
from irmetrics_edu.course.expressions import evaluate, public
from irmetrics_edu.errors import InputError
from irmetrics_edu.working import Working

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = documents.examples()
LINES = [(e, line) for e in EXAMPLES for line in (e, *e.lines)]


def _id(pair):
    example, line = pair
    return example.id if line is example else f"{example.id}: {line.what}"


ID_OF = {id(line): _id((e, line)) for e, line in LINES}


def _lines(condition=bool):
    chosen = [pair for pair in LINES if condition(pair[1])]
    lines, ids = [line for _, line in chosen], [_id(pair) for pair in chosen]
    return pytest.mark.parametrize("line", lines, ids=ids)


def _is_formula(line):
    return bool(line.call) and isinstance(line.result, Sides)


# -- everything comes out


@_lines()
def test_it_comes_out(line):
    """The print is what is computed, to its digits, or the misprint that it is known to be."""
    assert line.verdict != DIFFERS, f"printed {line.printed}, computed {line.values}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.id)
def test_an_example_comes_out_with_its_lines(example):
    """An example comes out only if all of its lines do."""
    assert example.comes_out


@_lines(lambda line: line.erratum is not None)
def test_an_erratum_teaches(line):
    """An erratum says what is printed, what is right, and why, in a sentence or more."""
    assert line.erratum.printed
    assert line.erratum.right
    assert line.erratum.printed != line.erratum.right
    assert len(line.erratum.why) > 40
    assert line.verdict == line.erratum.kind


def test_what_is_no_misprint_is_not_called_one():
    """A caution is right in its place, and notation is unusual; a judgment that stands has none."""
    cautions = [e.id for e, *_ in errata(EXAMPLES, CAUTION)]
    assert cautions == [
        "000-first-order",
        "000-nDCG-le-1",
        "000-special-alpha0",
        "001-order",
        "001-ties",
        "002-expected-DCC (derived)",
        "002-alpha-star (derived)",
        "003-NDCG",
        "004-diagonal",
        "004-both-classes",
        "004-RatN-bound",
        "004-AP15-11pt",
        "004-MRR",
        "004-ERR-formula",
        "004-adarank",
    ]
    assert [e.id for e, *_ in errata(EXAMPLES, NOTATION)] == [
        "001-matrix",
        "004-collections",
        "004-DCG",
        "004-mmr",
        "004-FM-LDA",
        "004-ordinal",
        "004-pairwise-doc",
    ]
    judged = documents.example("004-rankA-rankB")
    assert judged.verdict == AGREES
    assert judged.erratum is None


@_lines(lambda line: line.erratum is not None)
def test_a_place_is_called_garbled_if_and_only_if_its_reason_says_so(line):
    """What a conversion lost is no error of an author, and is counted apart."""
    assert (line.erratum.kind == GARBLED) == line.erratum.why.startswith("Garbled")
    assert (line.erratum.kind == CAUTION) == line.erratum.why.startswith("Caution: ")
    assert (line.erratum.kind == NOTATION) == line.erratum.why.startswith("Notation: ")


def test_the_rows_and_the_lists_count_the_same():
    """Each erratum is in a row of the page, and in the list of its kind, once."""
    for kind in KINDS:
        listed = {(e.id, line.printed) for e, line, _ in errata(EXAMPLES, kind)}
        in_rows = {
            (e.id, line.printed)
            for document in documents.DOCUMENTS
            for r in document_ranges.ranges(document)
            for e, line in r.printed
            if line.erratum is not None and line.erratum.kind == kind
        }
        assert in_rows == listed, kind
        assert len(listed) == len(errata(EXAMPLES, kind))


@_lines(lambda line: bool(line.erratum and line.call and line.printed) and not _is_formula(line))
def test_a_misprint_does_not_agree_and_its_right_value_does(line):
    """What the erratum quotes stands in the print and is wrong; what it calls right is right."""
    printed = read(line.printed)
    places = line.erratum.places or range(1, len(printed) + 1)
    values = [line.values[i - 1] for i in places]
    quoted, right = read(line.erratum.printed), read(line.erratum.right)
    assert [n.value for n in quoted] == [printed[i - 1].value for i in places]
    assert not any(n.agrees(v) for n, v in zip(quoted, values, strict=True))
    assert all(n.agrees(v) for n, v in zip(right, values, strict=True))


@_lines(lambda line: bool(line.erratum) and _is_formula(line))
def test_a_wrong_formula_gives_other_values(line):
    """A formula with an erratum differs from what is right on some input, where it says so."""
    differ = [
        i
        for i, (p, r) in enumerate(zip(line.result.printed, line.result.right, strict=True), 1)
        if p != r
    ]
    assert differ
    assert line.erratum.places in ((), tuple(differ))


@_lines(_is_formula)
def test_a_formula_is_tested_on_inputs_that_are_named(line):
    """Each value of a formula says what it belongs to."""
    assert len(line.result.of) == len(line.values) > 0


def test_the_rows_of_the_lecture_add_up_gains_that_were_rounded():
    """So 10.52 at rank 6 is no cut-off 10.5278, and all other values are the same either way."""
    grades = documents.example("004-DCG").inputs["grades"]
    for identifier, ranked in (("004-DCG", grades), ("004-iDCG", sorted(grades, reverse=True))):
        each = [round(g / max(1, math.log2(i)), 2) for i, g in enumerate(ranked, 1)]
        printed = [float(n.value) for n in read(documents.example(identifier).printed)]
        assert [round(sum(each[:i]), 2) for i in range(1, 11)] == printed


# What no document prints, from other sources: by hand, or the list of worked examples.
NOT_PRINTED = {
    "000-first-order: probabilities after two documents that hold five topics: the same five "
    "again, or a new one": "15961/32768, 1/2",  # 1 - (7/8)^5
    "000-nDCG-le-1": "1.03605956668335",
    "004-definitions: an engine that returns nothing: its accuracy, where 2 of 1,000 documents are "
    "relevant": "998/1000",
    "004-diagonal": "5/6, 1/6",
    "004-both-classes": "5/6, 5/6, 2/3, 2/4",
    "004-AP15-11pt: precision at recall 0, 0.1, ..., 1 by the standard rule": (
        "1, 1, 3/4, 3/4, 4/6, 7/11, 7/11, 7/11, 8/14, 0, 0"
    ),
    "000-nDCG-le-1: gains of the greedy ideal X, Y (8 topics)": "6, 2",
    "000-nDCG-le-1: gains of the ranking Y, Z (9 topics)": "5, 4",
    "000-nDCG-le-1: alpha-nDCG@2 of Y, Z against the exact ideal": "1",
    "001-DCG: ranks 4 to 8, which the document leaves out": (
        "2.44046488, 3.21417049, 3.39227408, 3.72560742, 3.80447364"
    ),
    "001-nDCG: ranks 4 to 10 of the reconstruction, which the document leaves out": (
        "0.613614, 0.770669, 0.796369, 0.857840, 0.868117, 0.872956, 0.877061"
    ),
    "002-expected-DCC (derived): |C| times DCC of a list with one effective item of two, alpha = "
    "0.1: one category for each item, then two for the effective one": "1.1, 2.1",
    "002-alpha-star (derived): k = 10: the precision up to which N_tau is 1": "1, 2",
    "002-alpha-star (derived): k = 10, p = 0.01: the largest alpha": "1/90",
    "002-alpha-star (derived): k = 10, p = 0.05 (N_tau = 3): is any alpha feasible?": "0",
    "002-beta-star (derived)": "0.003957",
    "003-NDCG-bad (not printed)": "0.809953116642033",
    "003-NDCG: how good 0.983 is: nDCG of the same three items upside down": "0.809953116642033",
    "004-collections: bytes per word, if the sizes are in bytes": "10.73, 6.08, 15.75",
    "004-collections: bytes per word, if the sizes were in bits": "1.34, 0.76, 1.97",
    "004-PR-s1q1: F1, which the slide leaves out": "4/9",
    "004-PR-s2q1: P@5 of the same list": "2/5",
    "004-F-arith: F1, the harmonic mean, of the same engine": "2/1001",
    "004-P@N-s2q2: the same list against the answers of query 1, the only ones stated": "0, 1/5",
    "004-R@N (not printed)": "1/2, 1/2, 2/3, 1",
    "004-AP15-origin: AP of the same ranking with the book's judgments": (
        "(1+2/3+3/6+4/10+5/15)/10"
    ),
    "004-NDCG-formula2 (not printed)": (
        "1.0, 0.778941253008833, 0.830810336590934, 0.764584029697167, 0.713496488018801, "
        "0.691462820652227, 0.732457455541265, 0.782875230069029, 0.895133725335708, "
        "0.895133725335708"
    ),
    "004-MRR: the arithmetic mean of the ranks": "3",
    "004-rankA-rankB: pairs in the wrong order, A and B, of 14": "1, 1",
    "004-rankA-rankB: pair accuracy of A and B: a tie": "13/14, 13/14",
    "004-rankA-rankB: nDCG of A and B by the first formula, jk: A is better": (
        "1.0, 0.983500955367588"
    ),
    "004-rankA-rankB: nDCG of A and B with log2(i+1), linear gain: B is better": (
        "0.945475831552315, 0.989758581024733"
    ),
    "004-rankA-rankB: nDCG of A and B by the second formula, log2(i+1), exponential gain: "
    "B is better": "0.875941305897483, 0.988348863448992",
}


def _has_no_print(line):
    return bool(line.call) and not line.printed and not _is_formula(line)


@_lines(_has_no_print)
def test_what_is_not_printed_is_right_all_the_same(line):
    """Values that only the package gives are held against values from elsewhere."""
    expected = read(NOT_PRINTED[ID_OF[id(line)]])
    values = [int(v) if isinstance(v, bool) else v for v in line.values]
    assert line.verdict == (line.erratum.kind if line.erratum else EXTRA)
    assert all(n.agrees(v) for n, v in zip(expected, values, strict=True))


def test_no_expectation_is_left_over():
    """Every value typed above belongs to a line that is there."""
    assert set(NOT_PRINTED) == {_id(p) for p in LINES if _has_no_print(p[1])}


def test_the_largest_feasible_alpha_is_the_closed_form():
    """P / (1 - k p) for k = 10 and p = 0.001, 0.005, 0.01, 0.015, by hand."""
    assert documents.example("002-alpha-star (derived)").values == [
        Fraction(1, 990),
        Fraction(1, 190),
        Fraction(1, 90),
        Fraction(3, 170),
    ]


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.call], ids=lambda e: e.id)
def test_json_has_what_it_should(example):
    """Each example goes through JSON with its keys, numbers as numbers."""
    out = json.loads(json.dumps(example.facts()))
    for key in ("document", "id", "where", "call", "printed", "computed", "verdict"):
        assert key in out
    assert out["computed"] is not None
    assert ("erratum" in out) == (example.erratum is not None)


def test_a_number_has_its_working():
    """Examples that call a metric give its working, aggregates and tables included."""
    for identifier in ("003-NDCG", "001-nDCG", "004-MAP", "004-MRR", "004-pairwise-doc"):
        working = documents.example(identifier).working
        assert isinstance(working, Working), identifier
    assert documents.example("001-label").working is None


def test_an_unknown_example_is_refused_with_the_nearest():
    """A mistyped id names those that are like it."""
    with pytest.raises(InputError, match="003-NDCG"):
        documents.example("003-NDGC")


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("gmap", "004-GMAP"),
        ("004-gmap", "004-GMAP"),
        ("002-alpha-star", "002-alpha-star (derived)"),
        ("alpha-star", "002-alpha-star (derived)"),
        ("f", "004-F"),
        ("003-NDCG", "003-NDCG"),
        ("r@n", "004-R@N (not printed)"),
    ],
)
def test_a_part_of_an_id_that_no_other_has_will_do(asked, found):
    """In any case of letters, without the document, and without what stands in brackets."""
    assert documents.example(asked).id == found


def test_every_id_is_found_without_its_brackets():
    """So nothing has to be quoted for a shell."""
    for each in EXAMPLES:
        assert documents.example(each.id.partition(" (")[0].lower()).id == each.id


def test_a_part_of_several_ids_is_refused_with_all_of_them():
    """And an empty one as an unknown one."""
    with pytest.raises(InputError, match="001-nDCG, 003-NDCG, 004-NDCG; give one of them whole"):
        documents.example("ndcg")
    with pytest.raises(InputError, match="no example ''"):
        documents.example("")


def test_a_document_is_found_by_its_number():
    """4 is 004."""
    assert documents.examples("4") == documents.examples("004")


def test_an_unknown_document_is_refused():
    """There are five documents."""
    with pytest.raises(InputError, match="005"):
        documents.load("005")


# -- against the documents and the list of worked examples


# The exact value of each worked example by its id, computed by somebody else; "a text" is no value.
WORKED = json.loads(Path(__file__).with_name("worked_values.json").read_text(encoding="utf-8"))


def test_the_values_are_those_of_the_list(shared):
    """The figures of the repository are those of the list, where it is."""
    listed = json.loads((shared / "worked-examples.json").read_text(encoding="utf-8"))
    assert {e["id"]: e["exact"] for e in listed["examples"]} == WORKED


def test_no_example_is_missing():
    """Every id of the list is there."""
    assert set(WORKED) <= {e.id for e in EXAMPLES}


def test_every_example_with_a_number_or_formula_has_a_call():
    """Only labels, letters and a table of counts are without one."""
    without = {e.id for e in EXAMPLES if not e.call}
    assert without == {
        "001-label",
        "001-letters",
        "003-lost-bars",
        "004-collections",
        "004-mmr-name",
        "004-theta",
    }


def _numbers(exact):
    """The exact values of a listed example, as fractions or as decimals with their digits."""
    entries = exact if isinstance(exact, list) else [exact]
    if not all(isinstance(e, dict) and "dec" in e for e in entries):
        return None
    return [e.get("frac", e["dec"]) for e in entries]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e.id)
def test_values_are_those_of_the_list(example):
    """Where the list has exact values, ours equal them (its percentages are in per cent)."""
    if example.id not in WORKED:  # more than the list has
        return
    exact = WORKED[example.id]
    # Where the list has several readings of one example, those that ours gives.
    if example.id == "004-AP15-11pt":
        exact = exact["standard (max precision at recall>=r)"]
    elif example.id == "000-nDCG-le-1":
        exact = exact["alpha-nDCG@2"]
    numbers = _numbers(exact)
    if numbers is None:
        assert example.id in WITHOUT_EXACT_VALUES
        return
    ours = list(example.values)
    if len(numbers) > len(ours):  # contributions, then their sum
        ours = [*example.lines[0].values, *ours]
    if example.printed.endswith("%"):
        ours = [100 * v for v in ours]
    for text, value in zip(numbers, ours, strict=True):
        off = abs(Fraction(text) - Fraction(value))
        if isinstance(value, Fraction) and "." not in text:
            assert off == 0
        else:
            digits = len(text.partition(".")[2])
            assert off <= Fraction(1, 2 * 10**digits) + Fraction(1, 10**12)


WITHOUT_EXACT_VALUES = {
    "000-first-order",
    "000-special-alpha0",
    "000-special-alpha1",
    "000-special-single-topic-ideal",
    "001-eq-relevance",
    "001-label",
    "001-matrix",
    "001-ties",
    "002-alpha-star (derived)",
    "002-expected-DCC (derived)",
    "002-garbles",
    "004-AP15-origin",
    "004-ERR-formula",
    "004-F",
    "004-F-arith",
    "004-PatN-bound",
    "004-RatN-bound",
    "004-adarank",
    "004-collections",
    "004-mmr",
    "004-ordinal",
    "004-rankA-rankB",
    "004-theta",
}


# What was looked up in the documents, whose texts are not in the repository.
FACTS = json.loads(document_facts.FACTS.read_text(encoding="utf-8"))
quotations = cache(document_facts.quotations)


@pytest.mark.parametrize("document", documents.DOCUMENTS)
def test_every_quotation_was_found_in_its_lines(document):
    """Each print, erratum, title and quotation was looked up as it stands; a changed one was not.

    `python -m dev.tools.document_facts ../shared` looks them up and writes the facts anew.
    """
    found = set(FACTS["quoted"])
    unseen = [
        f"{q.by}: {q.said}"
        for q in quotations()
        if q.document == document and q.digest not in found
    ]
    assert unseen == []


def test_no_fact_is_left_over():
    """A quotation that is gone leaves nothing behind."""
    assert sorted({q.digest for q in quotations()}) == FACTS["quoted"]


def test_the_chapters_quote_the_documents():
    """More than twenty times, so the checks above are of something."""
    assert len(list(document_facts.of_notebooks())) > 20


@pytest.mark.parametrize("document", documents.DOCUMENTS)
def test_every_quotation_is_in_its_lines(document, shared):
    """Looked up again, where the documents are: words letter for letter, and whole numbers."""
    text = document_facts.text_of(shared, document)
    wrong = [
        f"{q.by}: {q.said}"
        for q in quotations()
        if q.document == document and not q.stands_in(text)
    ]
    assert wrong == []


def test_the_chapters_quote_letter_for_letter(shared):
    """With each blank and stop; marks of emphasis alone are left out, as a quotation has none."""
    changed = {}
    for quotation in document_facts.of_notebooks():
        text = re.sub(r"</?u>|\*\*", "", document_facts.text_of(shared, quotation.document))
        parts = quotation.said.split(" ... ")
        if not all(part in text for part in parts):
            changed[quotation.by] = quotation.said
    assert changed == {}


def test_the_facts_are_those_of_the_documents(shared):
    """What the file of facts says is what the documents hold."""
    expected = document_facts.written(document_facts.facts(shared))
    assert document_facts.FACTS.read_text(encoding="utf-8") == expected


@_lines(lambda line: bool(line.numbers))
def test_a_print_in_words_has_numbers_beside_it(line):
    """Words are shown as they stand there; what they say in numbers is given apart."""
    assert line.printed
    assert read(line.numbers)


CELLS = "Accuracy 98.72% 100% and, at the query level, 99.36% 50%"


@pytest.mark.parametrize(
    ("line", "stands"),
    [
        ({"printed": "(98.72+100)/2, (100+0)/2"}, False),  # a sum that nobody printed
        ({"printed": "8.72%"}, False),  # a part of a number
        ({"printed": "50%, 99.36%"}, False),  # another order
        ({"printed": "99.36%, 50%"}, True),
        ({"printed": "100%, 98.72%", "in_columns": True}, True),
        ({"printed": "100%, 98.7%", "in_columns": True}, False),
        ({"printed": "< 1/3", "numbers": "< 1/3"}, False),  # numbers that stand there in words
        ({"printed": "at the query level", "numbers": "99.36%"}, True),
        ({"printed": "Accuracy ... level", "call": ""}, True),
        ({"printed": "level ... Accuracy", "call": ""}, False),
    ],
)
def test_a_print_that_is_not_in_its_lines_is_seen(line, stands):
    """The checks above can fail."""
    given = Line(**{"what": "", "call": "[0.5]", "inputs": {}, **line})
    kind = document_facts.kind_of(given)
    quotation = document_facts.Quotation("004", ((1, 1),), given.printed, kind, "")
    assert quotation.stands_in(CELLS) is stands
    assert not quotation.stands_in("\n" + CELLS)  # in another line


def test_another_print_has_another_digest():
    """So a quotation that was changed, or moved to other lines, is not taken for the one found."""
    base = {
        "document": "004",
        "lines": ((1, 2),),
        "said": "a, b",
        "kind": document_facts.Kind.WORDS,
    }
    changes = [
        {},
        {"document": "003"},
        {"lines": ((1, 3),)},
        {"said": "a,b"},
        {"kind": document_facts.Kind.COLUMNS},
    ]
    made = [document_facts.Quotation(**{**base, **change}, by="").digest for change in changes]
    assert len(set(made)) == len(made)


@pytest.mark.parametrize("document", documents.DOCUMENTS)
def test_examples_stand_in_the_order_of_the_text(document):
    """Each begins no earlier than the one above it."""
    begins = [e.at[0][0] for e in documents.examples(document)]
    assert begins == sorted(begins)


# -- the ranges of lines


@pytest.mark.parametrize("document", documents.DOCUMENTS)
def test_every_line_of_a_document_is_in_a_range(document):
    """No line that has a letter is left out, and no range goes beyond the end."""
    shape = FACTS["documents"][document]
    ranges = document_ranges.ranges(document)
    inside = {line for r in ranges for line in range(r.first, r.last + 1)}
    blank = set(shape["blank"])
    written = [line for line in range(1, shape["lines"] + 1) if line not in blank]
    assert [line for line in written if line not in inside] == []
    assert ranges[-1].last <= shape["lines"]


@pytest.mark.parametrize("document", documents.DOCUMENTS)
def test_a_range_has_an_example_or_says_why_not(document):
    """Each print is in a range; a range without one has a reason."""
    ranges = document_ranges.ranges(document)
    for r in ranges:
        assert r.printed or r.why, r.lines
    for e in documents.examples(document):
        for line in (e, *e.lines):
            if line.printed:
                assert any(r.prints(line) for r in ranges), _id((e, line))


# Functions that a chapter speaks of by the name of the field, not by that of the function.
SPELT = {
    "average_precision": "AP",
    "dpp": "DPP",
    "fall_out": "fall-out",
    "geometric_mean_average_precision": "GMAP",
    "mean_err": "ERR",
    "mmr": "MMR",
    "ndcg": "nDCG",
    "reciprocal_rank": "RR",
    "subtopic_recall": "Subtopic recall",
}
ROWS = [r for document in documents.DOCUMENTS for r in document_ranges.ranges(document)]


def _taught(row):
    """The text of the chapters, exercises and pages that a row names, in one line."""
    paths = [next(ROOT.glob(f"notebooks/{n:02}_*.py")) for n in row.chapters]
    for exercise in row.exercises:
        (path,) = ROOT.glob(f"solutions/{exercise.partition('/')[0]}_*.py")
        paths.append(path)
    paths += [ROOT / "docs" / f"{page}.md" for page in row.pages]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return re.sub(r"\s+", " ", re.sub(r"\n#? *|\*", " ", text))


def _lacking(row, text):
    """What a row says that these texts have, and they don't."""
    names = [
        name
        for name in row.functions
        if not re.search(rf"\b({name}|{SPELT.get(name, name)})\b", text)
    ]
    return names + [words for words in row.says if words not in text]


@pytest.mark.parametrize("row", ROWS, ids=lambda r: f"{r.document}, {r.lines}")
def test_what_a_row_names_is_where_it_says(row):
    """Each function is public and in the chapter, exercise or page; so are words, and questions."""
    assert [name for name in row.functions if public(name) is None] == []
    if row.chapters or row.exercises or row.pages:
        assert _lacking(row, _taught(row)) == []
    else:
        assert row.says == ()
    for exercise in row.exercises:
        number, _, question = exercise.partition("/")
        (path,) = ROOT.glob(f"solutions/{number}_*.py")
        assert f'check("{question}"' in path.read_text(encoding="utf-8"), exercise


def test_a_row_that_names_what_is_not_there_is_seen():
    """The check above can fail: at a function, and at words."""
    row = replace(ROWS[0], functions=("entropy", "ndcg"), says=("the sixth question",))
    assert _lacking(row, "nDCG and Shannon's entropy; the sixth question") == []
    assert _lacking(row, "Gini and NDCG") == ["entropy", "ndcg", "the sixth question"]


# What a document says in words alone has to be found by words: these rows have no function to find.
IN_WORDS = ("004, 11-19", "004, 33-51", "004, 324-331", "004, 758-762", "004, 871-873")


def test_rows_in_words_say_which_words_teach_them():
    """So that a chapter can't lose them unseen."""
    by = {f"{r.document}, {r.lines}": r for r in ROWS}
    assert [name for name in IN_WORDS if not by[name].says] == []


# -- the check can fail


def _line(call, printed, erratum=None):
    return Line(what="", call=call, printed=printed, inputs={}, erratum=erratum)


MUTABLE = [
    (e, line, i)
    for e, line in LINES
    if line.printed and line.call and not _is_formula(line) and line.erratum is None
    for i, item in enumerate(line.in_numbers.split(","))
    if item.strip()[0] not in "<>"
]


@pytest.mark.parametrize(
    ("line", "place"),
    [(line, place) for _, line, place in MUTABLE],
    ids=[f"{_id((e, line))} [{place}]" for e, line, place in MUTABLE],
)
def test_a_wrong_last_digit_differs(line, place):
    """Change the last digit of any printed number by two, and it no longer comes out."""
    items = line.in_numbers.split(",")
    last = max(i for i, c in enumerate(items[place]) if c.isdigit())
    digit = int(items[place][last])
    changed = digit + 2 if digit < 8 else digit - 2
    items[place] = f"{items[place][:last]}{changed}{items[place][last + 1 :]}"
    wrong = replace(line, numbers=",".join(items))
    assert wrong.verdict == DIFFERS


def test_rounded_and_exact_are_told_apart():
    """A print is exact or rounded, and the verdict says which."""
    assert _line("cg([5, 2, 3], exact=True)", "10").verdict == AGREES
    assert _line("ndcg([5, 2, 3])", "0.983").verdict == ROUNDS


@pytest.mark.parametrize("printed", ["0.983, 0.983", "1"])
def test_another_number_of_values_differs(printed):
    """A vector with a number too many or too few doesn't come out."""
    assert _line("[ndcg([5, 2, 3])] * 3", printed).verdict == DIFFERS


def _erratum(printed, right, *places):
    return Erratum(printed, right, "a reason", places)


def test_an_erratum_that_is_right_is_a_misprint():
    """The wrong print and the right value together make a misprint."""
    line = _line("cg([5, 2, 3])", "11", _erratum("11", "10"))
    assert line.verdict == MISPRINT


def test_an_erratum_whose_right_value_is_wrong_differs():
    """It is not enough that the print is wrong: what is called right must be right."""
    line = _line("cg([5, 2, 3])", "11", _erratum("11", "12"))
    assert line.verdict == DIFFERS


def test_a_misprint_that_agrees_differs():
    """Calling a right print wrong doesn't come out."""
    line = _line("cg([5, 2, 3])", "10", _erratum("10", "10"))
    assert line.verdict == DIFFERS


def test_an_erratum_at_another_place_differs():
    """The erratum must name the very places that are wrong."""
    call, printed = "[cg([1]), cg([2]), cg([3])]", "1, 5, 3"
    assert _line(call, printed, _erratum("5", "2", 2)).verdict == MISPRINT
    assert _line(call, printed, _erratum("3", "3", 3)).verdict == DIFFERS
    assert _line(call, printed, _erratum("5, 3", "2, 3", 2, 3)).verdict == DIFFERS
    assert _line(call, "1, 5, 4", _erratum("5", "2", 2)).verdict == DIFFERS


@pytest.mark.parametrize(
    ("sides", "erratum", "verdict"),
    [
        (Sides([1, 2], [1, 2]), None, AGREES),
        (Sides([1, 2], [1, 3]), None, DIFFERS),
        (Sides([1, 2], [1, 2]), _erratum("a", "b"), DIFFERS),
        (Sides([1, 2], [1, 3]), _erratum("a", "b"), MISPRINT),
        (Sides([1, 2], [1, 3]), _erratum("a", "b", 2), MISPRINT),
        (Sides([1, 2], [1, 3]), _erratum("a", "b", 1), DIFFERS),
        (Sides([], []), None, DIFFERS),
        (Sides([1], [1, 1]), None, DIFFERS),
        (Sides([1.0], [1.0 + 1e-15]), None, AGREES),
        (Sides([1.0], [1.0 + 1e-9]), None, DIFFERS),
        (Sides([float("nan")], [float("nan")]), None, DIFFERS),
        (Sides([True], [1]), None, DIFFERS),
        (Sides(["A"], ["B"]), None, DIFFERS),
    ],
)
def test_formulas_can_fail(sides, erratum, verdict, monkeypatch):
    """A formula agrees only if it has values and all of them are the same."""
    monkeypatch.setattr(formulas, "f1", lambda: sides)
    assert _line("formulas.f1()", "F = ...", erratum).verdict == verdict


def test_a_line_that_differs_makes_its_example_differ():
    """An example doesn't come out if one of its intermediate lines doesn't."""
    right = _line("cg([5, 2, 3])", "10")
    example = Example(
        what="",
        call=right.call,
        printed="10",
        inputs={},
        document="",
        id="",
        where="",
        lines=(right, _line("cg([5])", "4")),
    )
    assert right.verdict == AGREES
    assert example.verdict == DIFFERS
    assert not example.comes_out


@pytest.mark.parametrize("call", ["ndcg.__class__", "__import__('os')", "_id(1)"])
def test_private_names_are_refused(call):
    """A call of an example is an expression over public names."""
    with pytest.raises(InputError, match="private"):
        evaluate(call)


def test_an_unknown_name_is_an_error():
    """Nothing but the package's names can be called."""
    with pytest.raises(KeyError, match="open"):
        evaluate("open('x')")


# -- the loader

_HEAD = '[document]\nid = "003"\nfile = "x"\ntitle = "t"\nlanguage = "en"\n'
_GOOD = (
    '[[example]]\nid = "a"\nwhere = "w"\nat = "1-2"\nwhat = "x"\ncall = "cg([1])"\nprinted = "1"\n'
)


def test_a_good_document_is_read():
    """The texts below are refused for what is wrong with them, not for the rest."""
    facts, (example,) = documents.read_document(_HEAD + _GOOD, "003")
    assert facts["title"] == "t"
    assert example.verdict == AGREES


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (_HEAD + _GOOD + 'prnted = "1"\n', "argument 'prnted'"),
        (
            _HEAD + _GOOD + '[[example.lines]]\nwhat = "y"\ncall = "1"\nnote = "n"\n',
            "argument 'note'",
        ),
        (_HEAD + _GOOD + '[[example.lines]]\ncall = "1"\n', "argument: 'what'"),
        (_HEAD + _GOOD + '[[example.lines]]\nwhat = "y"\n', "neither a call nor anything printed"),
        (_HEAD + _GOOD + '[example.erratum]\nprinted = "1"\nright = "2"\n', "argument: 'why'"),
        (
            _HEAD + _GOOD + '[example.erratum]\nprinted = "1"\nright = "2"\nwhy = "w"\nplace = 1\n',
            "003.toml, a: Erratum.__init__() got an unexpected keyword argument 'place'",
        ),
        (_HEAD + _GOOD.replace('where = "w"\n', ""), "argument: 'where'"),
        (
            _HEAD
            + _GOOD
            + '[example.erratum]\nprinted = "1"\nright = "2"\nwhy = "w"\nkind = "x"\n',
            "kind 'x' is not one of misprint, garbled, caution, notation",
        ),
        (_HEAD + _GOOD.replace("1-2", "2-1"), "'2-1' are no lines; write them as 60-64, 70"),
        (_HEAD + _GOOD.replace("1-2", "line 1"), "'line 1' are no lines"),
        (_HEAD + _GOOD + _GOOD, "a occurs twice"),
    ],
)
def test_the_loader_refuses_what_it_does_not_know(text, says):
    """A mistyped or missing field is an error that names the document and the example."""
    with pytest.raises(InputError, match=re.escape(says)):
        documents.read_document(text, "003")


def test_an_example_holds_only_the_inputs_that_its_call_names():
    """Inputs of the whole document are shared, and each example shows its own."""
    text = _HEAD + "[input]\nmine = [1, 2]\nother = [3]\n" + _GOOD.replace("[1]", "mine")
    _, (example,) = documents.read_document(text.replace('"1"', '"3"'), "003")
    assert example.inputs == {"mine": [1, 2]}
    assert example.verdict == AGREES


_RANGE = '[[range]]\nlines = "{}"\nholds = "h"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (_RANGE.format("1-3") + _RANGE.format("3-4"), "lines 3-4: they don't come after lines 1-3"),
        (
            _RANGE.format("1") + "chapter = 1\n",
            "lines 1: Range.__init__() got an unexpected keyword argument 'chapter'",
        ),
        ('[[range]]\nholds = "h"\n', "are no lines"),
    ],
)
def test_the_loader_refuses_ranges_out_of_order(text, says):
    """No line is in two ranges."""
    with pytest.raises(InputError, match=re.escape(says)):
        document_ranges.read_ranges(text, "003")


def test_what_a_paper_is_said_to_show_is_what_the_document_quotes_of_it():
    """Document 001 prints "NP-complete"; that NP-hard is meant is our own remark."""
    cautions = errata(EXAMPLES, CAUTION)
    [caution] = [found for _, _, found in cautions if found.printed == "NP-complete"]
    told = " ".join(vertex_cover.__doc__.split())
    [ascribed] = re.findall(r"Clarke et al\. \(2008, section 5\.1\) say [^.]*\.", told)
    assert caution.printed in ascribed
    assert caution.right not in ascribed
