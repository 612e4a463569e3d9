"""Ids and tags of anybody, in every format: shown, and never obeyed."""

import csv
import html.parser
import io
import json
import re

import numpy as np
import pytest
from markdown_it import MarkdownIt

from irmetrics_edu import compare, evaluate
from irmetrics_edu.errors import InputError
from irmetrics_edu.gate import assert_ndcg
from irmetrics_edu.gate.plugin import report_files, session_report
from irmetrics_edu.views import escaping, plotting
from irmetrics_edu.views.escaping import unobeyed, visible
from irmetrics_edu.views.result_table import ResultTable
from irmetrics_edu.working import Table, Working

HOSTILE = [
    "<script>alert(1)</script>",
    "a|b",
    "two\nlines",
    "tab\there",
    "\x1b[2J\x1b]0;title\x07",
    "\x9b31m",
    "=cmd|' /C calc'!A0",
    "@SUM(A1)",
    "+1+1",
    "**bold** _so_ `code` ~~x~~ $y$",
    "[link](javascript:x) ![p](http://x)",
    "&amp; \"quoted\" 'so'",
    "\\textbf{x} % & # ^ ~ {",
    "# heading",
    "- item",
    "1. item",
    "\u202ebackwards",
    "line\u2028separator",
    "\ud800 lone",
    "[x] bracket",
    "* star",
    "a;=1+1",
    "＝1+1",
    "a$\\b{$",
]
RUN = {q: {"d\x1b[31m": 2.0, "<b>": 1.0} for q in HOSTILE}
QRELS = {q: {"<b>": 1} for q in HOSTILE}


class Texts(html.parser.HTMLParser):
    """The texts of the cells of a page, and the names of its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, _attrs):
        """Remember the tag."""
        self.tags.add(tag)
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data):
        """Add to the cell at hand."""
        if self.cells:
            self.cells[-1] += data


BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
TAGS = {"div", "p", "em", "table", "thead", "tbody", "tr", "th", "td", "sup", "ul", "li"}


@pytest.fixture(scope="module")
def table() -> ResultTable:
    """The scores of each query, under a hostile tag and with a note that names a hostile query."""
    missing = {**QRELS, "<i>\x1bgone": {"x": 1}}
    return evaluate(RUN, missing, "RR", name="<u>\x1bmine").table(per_query=True)


def obeyed(text: str, keep: str = "\n") -> set[str]:
    """The characters of a text that a terminal would obey."""
    return set(
        re.findall("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", text)
    ) - set(keep)


def test_every_character_that_a_terminal_obeys_is_shown_as_its_escape():
    """Nothing else is changed; what is kept has to be said."""
    plain = "é α 数 😀 \xa0 a\\b"
    assert visible(plain) == plain
    assert visible("a\x1b[0m\x7f\x85\u202e\n") == r"a\x1b[0m\x7f\x85\u202e\n"
    assert visible("a\n\t\x00", keep="\n\t") == "a\n\t\\x00"


# Characters that nobody sees. Unicode calls all but the last of a text "format" characters (Cf).
UNSEEN = [
    "\xad",  # soft hyphen
    "\u061c",  # Arabic letter mark
    "\u180e",  # Mongolian vowel separator
    "\u200b",  # space without width
    "\u200e",  # left-to-right mark
    "\u200f",  # right-to-left mark
    "\u2060",  # word joiner
    "\u2063",  # invisible separator
    "\ufeff",  # byte-order mark
    "\ufffb",  # end of an annotation
    "\U000e0071",  # the q of the plane of tags
]


@pytest.mark.parametrize("mark", UNSEEN)
def test_what_nobody_sees_is_shown_to_people_and_left_to_machines(mark):
    """In a note, in a table, on a page: its escape. In CSV and trec_eval's lines: the id itself."""
    id_, escape = f"{mark}q1", mark.encode("unicode_escape").decode()
    shown = evaluate({id_: ["d"], "q2": ["d"]}, {"q1": {"d": 1}, "q2": {"d": 1}}, "RR").table()
    for text in (shown.text(), shown.html()):
        assert f"not judged and is left out: {escape}q1" in text
    told = evaluate({id_: ["d"]}, {id_: {"d": 1}}, "RR")
    table = told.table(per_query=True)
    for text in (table.text(), table.html(), table.markdown(), table.latex()):
        assert mark not in text
    assert f"{escape}q1" in table.text()
    assert f"{id_},1.0" in table.csv()
    assert f"\t{id_}\t" in told.trec(per_query=True)
    assert unobeyed(id_) == id_


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("e\u0301", "\xe9", "the run has 'e\\u0301', and the judgments have '\xe9'"),
        ("a\u030a", "\xe5", "the run has 'a\\u030a', and the judgments have '\xe5'"),
        ("q\xa01", "q 1", r"the run has 'q\xa01', and the judgments have 'q 1'"),
        ("q\u30001", "q 1", r"the run has 'q\u30001', and the judgments have 'q 1'"),
        ("q\u200d1", "q1", r"the run has 'q\u200d1', and the judgments have 'q1'"),
        ("q\ufeff1", "q1", r"the run has 'q\ufeff1', and the judgments have 'q1'"),
        (5, 6, "the run has 5, and the judgments have 6"),
    ],
)
def test_ids_that_look_the_same_are_told_apart(one, other, shown):
    """Letters of several characters, spaces of other kinds, and marks without width."""
    with pytest.raises(InputError) as refused:
        evaluate({one: ["d"]}, {other: {"d": 1}}, "RR")
    assert shown in str(refused.value)


def test_texts_of_people_keep_what_writes_them():
    """Persian words and pictures of families are written with joiners; composed letters are one."""
    for text in (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\U0001f468\u200d\U0001f469",
        "\xe9",
        "e\u0301",
    ):
        assert visible(text) == text
    assert escaping.named("Nguy\u1ec5n \xe9\u0323") != "Nguy\u1ec5n \xe9\u0323"  # not composed
    assert escaping.named("Nguy\u1ec5n") == "Nguy\u1ec5n"


def test_text_has_a_line_for_each_query(table):
    """An id with a new line breaks no line."""
    lines = table.text().split("\n")
    assert len(lines) == 1 + 1 + len(table.lines) + len(table.notes)
    assert not obeyed(table.text())
    for query, line in zip(HOSTILE, lines[2:], strict=False):
        assert line.startswith(visible(query))


def test_html_holds_the_ids_as_text(table):
    """No tag is made by an id."""
    read = Texts(table.html())
    assert read.tags <= TAGS
    for query in HOSTILE:
        assert visible(query, keep="\n\t") in read.cells
    assert not obeyed(table.html(), keep="\n\t")


def test_markdown_renders_to_the_ids(table):
    """As a reader of Markdown renders it: a row for each query, the ids as text."""
    rendered = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(table.markdown())
    read = Texts(rendered)
    assert read.tags <= TAGS
    rows = [cell.strip() for cell in read.cells][::2]
    assert rows[:-1] == [visible(q) for q in [*HOSTILE, "<i>\x1bgone"]]
    assert not obeyed(table.markdown())


def test_markdown_that_begins_a_line_is_a_paragraph():
    """Neither a heading nor a list."""
    for text in [*HOSTILE, "===", "---", "+ x", "2) x", "> x"]:
        shown = MarkdownIt("commonmark").render(escaping.markdown(text, begins_line=True))
        assert Texts(shown).tags == {"p"}


def test_csv_is_read_back_and_holds_no_formula(table):
    """Ids are as they were but for controls; what might be a formula is quoted."""
    rows = list(csv.reader(io.StringIO(table.csv())))[1:]
    for query, (cell, score) in zip(HOSTILE, rows, strict=False):
        assert cell.replace(";'", ";").removeprefix("'") == visible(query)
        assert not re.search('(^|;)[ "]*[=+@＝-]', cell)
        assert float(score) == 0.5
    assert escaping.csv("-12") == "-12"
    assert escaping.csv("1e-5") == "1e-5"
    assert escaping.csv("-d1") == "'-d1"


def test_latex_holds_no_command_of_an_id(table):
    """Outside of what we write ourselves no special character is left bare; no line is begun."""
    body = table.latex().split(r"\midrule")[1].split(r"\bottomrule")[0]
    assert len(body.strip().split("\n")) == len(table.lines)
    own = r"\\textbackslash\{\}|\\textasciitilde\{\}|\\textasciicircum\{\}|\\textbar\{\}"
    own += r"|(?m:^\{\}(?=[\[*]))"
    assert not re.search(r"^\s*[\[*]", body, re.MULTILINE)
    left = re.sub(own + r"|\\ensuremath\{[<>]\}|\\[&%$#_{}]|\\\\\n| & ", "", body)
    assert not set(left) & set(r"\&%$#_{}^~")
    assert table.latex().split("\n")[0].startswith(r"% <u>\x1bmine")


def test_plots_show_ids_and_names_as_they_are():
    """A dollar sign begins no formula: not in a query, nor in the name of a run or of a column."""
    names = ["a$\\b{$", "$x$", "$"]
    run = {q: {"d": 1.0, "e": 0.5} for q in names}
    qrels = {q: {"d": 1} for q in names}
    c = compare({n: evaluate(run, qrels, "RR", name=n) for n in names})
    shown = Working(np.ones(1), columns={"$y$": np.ones(3)}, name="$t$", how="{$y$}")
    shown.table = Table(np.zeros(3), {"document": names})
    for drawn in (
        c.evaluations["$x$"].plot().figure,
        c.plot("$x$").figure,
        plotting.draw(shown),
        plotting.stacked(shown, title="$z$"),
    ):
        texts = re.sub(r"\s", "", plotting.figure_bytes(drawn, "svg").decode())
        assert "<!--$" in texts  # matplotlib notes each text that it draws


def test_what_trec_eval_would_print_has_its_three_columns():
    """Whatever stands in the ids or the tag."""
    e = evaluate(RUN, QRELS, "RR", name="a\tb\x1b")
    text = e.trec(per_query=True)
    assert not obeyed(text, keep="\n\t")
    assert {line.count("\t") for line in text.split("\n")} == {2}


def test_comparisons_and_moves_show_ids_as_they_are():
    """In notes, captions and cells."""
    new = {q: {"<b>": 2.0, "d\x1b[31m": 1.0} for q in HOSTILE}
    c = compare({"<old>\x1b": RUN, "new": new}, QRELS, "RR")
    for shown in (c.table(), c.details(), c.moves(HOSTILE[4], "RR").table()):
        assert not obeyed(shown.text() + shown.markdown() + shown.latex())
        assert Texts(shown.html()).tags <= TAGS


def test_failures_and_reports_show_ids_as_they_are():
    """On the terminal and in the report of a session."""
    with pytest.raises(AssertionError) as found:
        assert_ndcg(RUN, QRELS, at_least=0.9)
    error = found.value
    error.verbosity = 1
    assert not obeyed(str(error) + error.summary)
    fact = {
        "test": "test_a.py::test_it[<script>|\x1b]", "verdict": "pass", "measure": "RR",
        "score": 0.5, "bounds": {}, "queries": len(RUN), "per_query": dict.fromkeys(RUN, 0.5),
    }  # fmt: skip
    stale = [("<file>", "<script>\x1b")]
    for text in (session_report.markdown([fact], stale), "\n".join(session_report.table([fact]))):
        assert not obeyed(text)
    assert "script" not in Texts(MarkdownIt().render(session_report.markdown([fact], stale))).tags
    shown = report_files.html_page([fact], stale)
    assert shown.count("<script") == 1  # the one of the page, by which tables sort
    assert not obeyed(shown, keep="\n\t")
    assert json.loads(session_report.as_json([fact], stale))["results"][0]["test"] == fact["test"]
