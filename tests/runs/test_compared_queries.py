"""Which queries got worse, and why: in one call of `compare`, beside a plain loop."""

import csv
import io
import json
import random
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

from irmetrics_edu import commands, compare
from irmetrics_edu.cli import main
from irmetrics_edu.errors import InputError
from irmetrics_edu.runs.compared_queries import changed_most, document_table, query_table

FILES = Path(str(commands.__file__)).parent
LONG = "cheap flights to a city whose name is longer than any column of a table in a terminal"


def made(folder: Path, n: int = 14) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Two runs of n queries, their judgments and texts as files."""
    draw = random.Random(4)
    documents = ["a", "b", "c", "d", "e"]
    runs = []
    for name in ("old.run", "new.run"):
        run = {f"q{i}": draw.sample(documents, 5) for i in range(n)}
        lines = []
        for query, ranked in run.items():
            lines += [f"{query} Q0 {d} {r} {9 - r} {name}" for r, d in enumerate(ranked, 1)]
        (folder / name).write_text("\n".join(lines))
        runs.append(run)
    (folder / "q").write_text("\n".join(f"q{i} 0 a 1" for i in range(n)))
    (folder / "texts.tsv").write_text("\n".join(f"q{i}\t{LONG} {i}" for i in range(n)))
    (folder / "groups.csv").write_text(
        "\n".join(["query,group", *(f"q{i},g{i % 2}" for i in range(n))])
    )
    return runs[0], runs[1]


@pytest.fixture
def both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The runs, in whose folder the test works."""
    monkeypatch.chdir(tmp_path)
    return made(tmp_path)


Runs = tuple[dict[str, list[str]], dict[str, list[str]]]


def rr(ranked: list[str]) -> float:
    """1 over the rank of the relevant document."""
    return 1 / (1 + ranked.index("a"))


def test_the_queries_that_lost_most_come_first(both: Runs) -> None:
    """As a loop sorts them; queries that did not change are left out, unless all are asked for."""
    old, new = both
    change = {query: rr(new[query]) - rr(old[query]) for query in old}
    c = compare({"old": old, "new": new}, {query: {"a": 1} for query in old}, "RR")
    lost = sorted((q for q in old if abs(change[q]) > 1e-9), key=lambda q: round(change[q], 9))
    assert changed_most(c, "new", "RR") == lost
    lines = query_table(c, {}, most=3).lines
    assert [line[2] for line in lines] == lost[:3]
    for line in query_table(c, {}, every=True).lines:
        query = line[2]
        assert line[3:] == pytest.approx([rr(old[query]), rr(new[query]), change[query]])
    assert len(query_table(c, {}, every=True).lines) == len(old)
    assert query_table(c, {}, most=3).notes == (f"RR of new: {len(lost) - 3} more changed",)


def test_the_documents_that_moved_are_those_of_the_worst_queries(both: Runs) -> None:
    """With their ranks in both runs; together they are the change of a sum such as DCG."""
    old, new = both
    c = compare({"old": old, "new": new}, {query: {"a": 1} for query in old}, "DCG@5")
    worst = changed_most(c, "new", "DCG@5", 4)
    table = document_table(c, {}, most=4)
    assert list(dict.fromkeys(line[2] for line in table.lines)) == worst
    for query in worst:
        lines = [line for line in table.lines if line[2] == query]
        assert sum(line[-1] for line in lines) == pytest.approx(
            c.differences("new", "DCG@5")[query], abs=1e-5
        )
        for line in lines:
            assert line[5] == 1 + old[query].index(line[3])
            assert line[6] == 1 + new[query].index(line[3])


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a comparison of the files prints."""
    assert main(["compare", "q", "old.run", "new.run", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("both")
def test_json_has_the_documents_that_moved(capsys: pytest.CaptureFixture[str]) -> None:
    """The queries that lost most, and in each the documents of the table, in its order."""
    facts = json.loads(said(capsys, "-m", "DCG@5 RR", "--worst", "3", "--format", "json"))
    schema = json.loads((FILES / "compare.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(facts, schema)
    c = compare({"old.run": "old.run", "new.run": "new.run"}, "q", "DCG@5 RR")
    lines = document_table(c, {}, most=3).lines
    told = []
    for query in facts["worst"]:
        assert query["change"] == pytest.approx(query["after"] - query["before"])
        head = [query["run"], query["measure"], query["query"]]
        told += [[*head, *document.values()] for document in query["documents"]]
    assert told == [list(line) for line in lines]
    assert len(facts["worst"]) == 6
    assert "worst" not in json.loads(said(capsys, "-m", "RR", "--format", "json"))


@pytest.mark.usefixtures("both")
def test_python_has_the_queries_and_documents_of_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The facts are those of JSON, and the text has both tables below the means."""
    runs = {"old.run": "old.run", "new.run": "new.run"}
    worst = compare(runs, "q", "DCG@5 RR").worst(2)
    asked = ["-m", "DCG@5 RR", "--worst", "2"]
    assert json.loads(said(capsys, *asked, "--format", "json"))["worst"] == worst.facts
    assert worst.text() in said(capsys, *asked)
    same = compare({"a": "old.run", "b": "old.run"}, "q", "RR")
    assert str(same.worst()) == "no query changed"
    with pytest.raises(InputError, match="n=0 is not possible"):
        same.worst(0)


@pytest.mark.usefixtures("both")
def test_names_and_texts_stand_in_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    """Each run by the name that was asked for, and also the baseline."""
    words = ["-m", "RR", "--worst", "2", "--queries", "texts.tsv", "--names", "before it, after it"]
    out = said(capsys, *words)
    assert "before it (baseline)" in out
    assert "old.run" not in out
    assert '"cheap flights to a city' in out
    out = said(capsys, *words, "--baseline", "after it")
    assert "after it (baseline)" in out


@pytest.mark.usefixtures("both")
def test_a_page_answers_without_a_second_call(capsys: pytest.CaptureFixture[str]) -> None:
    """It has the means, all queries that changed, with whole texts, and the documents."""
    out = said(capsys, "-m", "RR", "--format", "html", "--queries", "texts.tsv")

    class Tables(HTMLParser):
        """How many tables and rows there are."""

        tables = 0
        rows = 0

        def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 -- as its base
            self.tables += tag == "table"
            self.rows += tag == "tr"

    seen = Tables()
    seen.feed(out)
    assert seen.tables == 3
    assert LONG in out
    assert "flights to a city whose name..." not in out


@pytest.mark.usefixtures("both")
def test_each_query_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    """One table, with every query and its group."""
    out = said(capsys, "-m", "RR", "--per-query", "--groups", "groups.csv", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 14
    assert {(row["query"], row["group"]) for row in rows} >= {("q0", "g0"), ("q1", "g1")}
    changes = [float(row["change"]) for row in rows]
    assert changes == sorted(changes)


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--names", "a"], "1 given for 2 runs"),
        (["--names", "a,a"], "'a' stands for 2 runs"),
        (["--names", "a, "], "name 2 is blank"),
        (["--names", "a,a"], "a name of its own"),
        (["--names", "a,"], "a name of its own"),
        (["--worst", "0"], "give a whole number of 1 or more"),
        (["--worst", "2", "--per-query"], "not allowed with"),
        (["--worst", "2", "--all-pairs"], "--worst is of a run and the baseline"),
        (["--groups", "groups.csv", "--all-pairs"], "--groups is of a run and the baseline"),
        (["--per-query", "--format", "json"], "--format json can't use --per-query"),
        (["--worst", "2", "--queries", "none.tsv"], "does not exist"),
    ],
)
def test_what_does_not_go_together_is_refused(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the option and what to write instead."""
    assert main(["compare", "q", "old.run", "new.run", *words]) == 2
    assert says in " ".join(capsys.readouterr().err.split())


def test_of_deep_runs_the_documents_with_the_greatest_effect_are_named() -> None:
    """The others are one line: with it, the changes are those of all documents, and the query's."""
    draw = random.Random(7)
    documents = [f"d{i}" for i in range(300)]
    qrels = {q: {d: draw.choice([0, 1, 2]) for d in documents} for q in ("q1", "q2")}
    runs = {name: {q: draw.sample(documents, 300) for q in qrels} for name in ("old", "new")}
    both = compare(runs, qrels, "AP")
    worst = both.worst(1)
    [facts] = worst.facts
    effects = sorted((abs(one["change"]) for one in facts["documents"]), reverse=True)
    *named, rest = worst.documents.lines
    shown = [abs(line[-1]) for line in named]
    assert sorted(shown, reverse=True) == effects[:10]
    assert rest[3] == f"and {len(effects) - 10} more"
    total = sum(line[-1] for line in worst.documents.lines)
    assert total == pytest.approx(facts["change"], abs=1e-5)
    assert "--moves QUERY with its measure" in str(worst)
    assert len(document_table(both, {}, most=1).lines) == len(effects)
