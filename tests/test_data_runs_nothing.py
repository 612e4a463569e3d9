"""Files that come from others are data: no name in them is imported, opened, formatted or fetched.

Each reader of the package is given files whose ids, measures, columns and texts are words that
would do harm if they were taken for more than words. The list of readers is made from the code.
"""

import ast
import json
import re
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from irmetrics_edu import evaluate, parse
from irmetrics_edu.classroom.marking.returning.course_total import graded_in
from irmetrics_edu.classroom.marking.reviewing import marking_page
from irmetrics_edu.classroom.questions.concepts import concepts
from irmetrics_edu.cli import main
from irmetrics_edu.course import load_cranfield
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.contexts import judge_contexts
from irmetrics_edu.judging.stored_claims import read_claims
from irmetrics_edu.lab.learning.letor import read_letor
from irmetrics_edu.lab.recommenders.load import load_interactions, load_ratings
from irmetrics_edu.metrics.notation import known_measure, parse_known
from tests.conftest import ROOT
from tests.marking.conftest import RIGHT, Class

PACKAGE = ROOT / "irmetrics_edu"
MODULE = "canary_module"
KEPT = "what-only-the-environment-knows"
# One word for each way to be more than a word. None holds a blank, so it may be an id of TREC.
WORDS = {
    "a module": f"{MODULE}:measure",
    "a module with a cut-off": f"{MODULE}:measure@10",
    "a path": "{folder}/canary.txt",
    "a format": "{0.__class__}%s%(x)s{x}",
    "the environment": "$IRM_CANARY${IRM_CANARY}%IRM_CANARY%",
    "a template": "{{7*191}}",
    "a call": "__import__('os').getcwd()",
    "an address": "http://127.0.0.1:9/canary",
}
_PARTS = (MODULE, "IRM_CANARY", "9/canary", "7*191")  # of words, as no code of others has them
_WATCHED: list["Watch"] = []


class Watch:
    """What happens while a reader reads: harm, and the modules that open the folder's files."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.harm: list[str] = []
        self.readers: set[str] = set()

    def __call__(self, event: str, given: tuple[Any, ...]) -> None:
        """Note an event of Python's own audit."""
        if event == "import" and MODULE in str(given[0]):
            self.harm.append(f"{given[0]} was imported")
        elif event == "open" and _is_module(str(given[0])):  # importlib tells of no import
            self.harm.append(f"{given[0]} was read as a module")
        elif event in ("socket.connect", "socket.getaddrinfo", "os.system"):
            self.harm.append(f"{event}: {given[1:]}")
        elif event == "compile" and any(part in str(given[0]) for part in _PARTS):
            self.harm.append(f"compiled: {given[0]!s:.60}")
        elif event == "open" and Path(self.folder, "canary.txt") == Path(str(given[0])):
            self.harm.append(f"{given[0]} was opened")
        elif event == "open" and str(given[0]).startswith(self.folder):
            self._note_readers()

    def _note_readers(self) -> None:
        frame = sys._getframe(2)
        while frame is not None:
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(PACKAGE):
                self.readers.add(str(path.relative_to(PACKAGE)))
            frame = frame.f_back


def _is_module(path: str) -> bool:
    return MODULE in Path(path).name and Path(path).suffix in (".py", ".pyc")


def _heard(event: str, given: tuple[Any, ...]) -> None:
    for watch in _WATCHED:
        watch(event, given)


@pytest.fixture(scope="module", autouse=True)
def audit():
    """Python's audit, which can't be taken off again, but has nobody to tell between tests."""
    sys.addaudithook(_heard)


def _write(folder: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return [str(folder / name.replace("__", ".")) for name in files]


def _command(*arguments: object) -> None:
    with suppress(SystemExit):
        main([str(one) for one in arguments])


# -- the readers, each with files in which the word stands wherever a text may stand


def runs_of_trec(folder: Path, word: str) -> None:
    """Run, judgments, lists."""
    qrels, run = _write(
        folder,
        q__trec=f"{word} 0 {word} 1\nq2 0 d 1\n",
        r__trec=f"{word} Q0 {word} 1 2 {word}\nq2 Q0 d 1 1 {word}\n",
    )
    for form in ("table", "trec", "csv", "json", "html", "markdown", "latex"):
        _command("evaluate", qrels, run, "-m", "nDCG@2 RR", "--per-query", "--format", form)
    other = shutil.copy(run, folder / "other.trec")
    _command("compare", qrels, run, other, "-m", "AP", "--details")
    _command("explain", "RR", "--run", run, "--qrels", qrels, "--query", word)
    _command("diagnose", "RR", "--run", run, "--qrels", qrels, "--value", "0.7")
    _command("reconcile", "RR", "--run", run, "--qrels", qrels, "--values", "0.7", "0.6")
    _command("judgments", "unjudged", run, "--judged", qrels, "-o", folder / "work.csv")
    _command("judgments", "lint", qrels)
    _command("judgments", "agreement", qrels, qrels)


def _rows(separator: str, *cells: str) -> str:
    return f"{separator.join(cells[:3])}\n{separator.join(cells[3:])}\n"


def runs_of_tables(folder: Path, word: str) -> None:
    """CSV, TSV, JSON and lines of JSON."""
    cell = json.dumps(word)
    csv = '"' + word.replace('"', '""') + '"'
    names, pair = ("query", "document"), (csv, csv)
    judged_line = f'{{"query": {cell}, "document": {cell}, "grade": 1}}'
    kinds = {
        "csv": (_rows(",", *names, "grade", *pair, "1"), _rows(",", *names, "score", *pair, "1")),
        "tsv": (
            _rows("\t", *names, "grade", word, word, "1"),
            _rows("\t", *names, "score", word, word, "2"),
        ),
        "json": (f"{{{cell}: {{{cell}: 1}}}}", f"{{{cell}: {{{cell}: 2.5}}}}"),
        "jsonl": (judged_line, judged_line.replace("grade", "score")),
    }
    for suffix, (judged, ranked) in kinds.items():
        qrels, run = folder / f"q.{suffix}", folder / f"r.{suffix}"
        qrels.write_text(judged, encoding="utf-8")
        run.write_text(ranked, encoding="utf-8")
        _command("evaluate", qrels, run, "-m", "RR")
        _command("evaluate", run, qrels, "-m", "RR", "--columns", f"{word}=query")


def runs_of_parquet(folder: Path, word: str) -> None:
    """Ids and names of columns."""
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    table = {"query": [word], "document": [word]}
    pq.write_table(pa.table({**table, "grade": [1]}), folder / "q.parquet")
    pq.write_table(pa.table({**table, "score": [1.0], word: [word]}), folder / "r.parquet")
    _command("evaluate", folder / "q.parquet", folder / "r.parquet", "-m", "RR")


def files_beside_a_run(folder: Path, word: str) -> None:
    """Categories, popularity, subtopics, texts, groups."""
    cell = json.dumps(word)
    qrels, run, *beside = _write(
        folder,
        q__trec=f"q 0 {word} 1\n",
        r__trec=f"q Q0 {word} 1 2 t\n",
        categories__txt=f"{word}\t{word}\n",
        popularity__json=f'{{{cell}: 3, "total": {cell}}}',
        expected__json=f'{{"q": [{cell}]}}',
        catalogue__txt=f"{word}\n",
        subtopics__txt=f"q {word} {word} 1\n",
        categories__json=f"{{{cell}: [{cell}]}}",
        queries__tsv=f"q\t{word}\n",
        documents__jsonl=f'{{"id": {cell}, "text": {cell}}}\n',
        plain__txt=f"{word}\n",
        groups__tsv=f"query\t{word}\nq\t{word}\n",
    )
    categories, popularity, expected, catalogue, subtopics, by_json, *beside = beside
    queries, documents, ids, groups = beside
    for option in ("--groups", "--weights"):
        _command("evaluate", qrels, run, "-m", "RR", option, groups)
        _command("evaluate", qrels, run, "-m", "RR", option, f"{groups}:{word}")
    _command("evaluate", qrels, run, "-m", "RR", "--only", f"{groups}:{word}={word}")
    _command("evaluate", qrels, run, "-m", "DCC@2", "--categories", categories)
    _command("evaluate", qrels, run, "-m", "DCC@2", "--categories", by_json)
    _command("evaluate", qrels, run, "-m", "ARP@2", "--popularity", popularity)
    _command("evaluate", qrels, run, "-m", "serendipity@2", "--expected", expected)
    _command("evaluate", qrels, run, "-m", "catalogue_coverage@2", "--catalogue", catalogue)
    _command("evaluate", qrels, run, "-m", "RBO", "--other", run)
    _command("evaluate", subtopics, run, "-m", "alpha-nDCG@2")
    told = ("--queries", queries, "--documents", documents)
    _command("judgments", "unjudged", run, *told, "-o", folder / "work.csv")
    _command("judgments", "lint", qrels, *told)
    _command("judgments", "lint", qrels, "--queries", ids, "--documents", ids)


def scores_of_others(folder: Path, word: str) -> None:
    """Tables of scores, in all forms."""
    cell = json.dumps(word)
    metric = f'{{"name": {cell}, "score": 0.5, "threshold": 0.4, "success": true}}'
    csv = '"' + word.replace('"', '""') + '"'
    paths = _write(
        folder,
        table__csv=f"query,measure,value\nq1,{csv},0.1\n{csv},{csv},0.2\n",
        table__tsv=f"query\tmeasure\tvalue\nq1\t{word}\t0.1\n{word}\t{word}\t0.2\n",
        trec__eval=f"{word}\tq1\t0.1\nmap\tq1\t0.5\nmap\t{word}\t0.5\n",
        ragas__csv=f"user_input,{csv},faithfulness\n{csv},0.5,0.5\nq,0.4,0.4\n",
        deepeval__json=f'{{"testCases": [{{"input": {cell}, "metricsData": [{metric}]}}]}}',
    )
    for path in paths:
        other = shutil.copy(path, f"{path}.again{Path(path).suffix}")
        _command("compare", path, other, "--scores")
        _command("compare", path, other, "--scores", "--details", "--format", "html")


def filled_in_lists(folder: Path, word: str) -> None:
    """Grades that came back."""
    csv = '"' + word.replace('"', '""') + '"'
    (work,) = _write(
        folder,
        work__csv="query,document,grade,source,judge,when\n"
        f"{csv},{csv},1,person,{csv},2026-01-01\nq,d,0,model,{csv},{csv}\n",
    )
    _command("judgments", "merge", work, "-o", folder / "new.csv")
    _command("judgments", "agreement", work, "--sources", "person", "model")


def stored_claims(folder: Path, word: str) -> None:
    """Claims and verdicts of Ragas and DeepEval."""
    said = {
        "output": {"statements": [{"statement": word, "verdict": 1}]},
        "input": {"question": word},
    }
    row = {"metric_input": {"user_input": word}, "prompts": {word: said}}
    log = f'Claims:\n[\n    "{word}"\n] \n \nVerdicts:\n[{{"verdict": "yes"}}]'
    case = {"input": word, "metricsData": [{"name": "Faithfulness", "verboseLogs": log}]}
    for number, value in enumerate(({"faithfulness": [row]}, {"testCases": [case]}, [row])):
        path = folder / f"claims{number}.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        with suppress(InputError):
            read_claims(path)


def rows_of_contexts(folder: Path, word: str) -> None:
    """Questions with contexts."""
    row = {"question": word, "contexts": [word], "reference": word, "id": word, word: word}
    (folder / "rows.json").write_text(json.dumps([row]), encoding="utf-8")
    (folder / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    for name in ("rows.json", "rows.jsonl"):
        run, qrels, *_ = judge_contexts(folder / name)
        evaluate(run, qrels, "RR")


def _baselines(measure: str, word: str, rankings: dict[str, list[str]]) -> dict[str, Any]:
    entry = {
        "conventions": {"name": "irmetrics_edu"},
        "judgments": "sha256:0",
        "means": {measure: 0.5},
        "queries": {q: [[0.5], ids] for q, ids in rankings.items()},
        "depth": 2,
        "whole": True,
        "lacked": [word],
        "corpus": word,
    }
    return {"format": 2, "baselines": {f"test_{word}.py::test": entry}}


def baselines(folder: Path, word: str) -> None:
    """A measure, a convention, a query and a document."""
    from irmetrics_edu.gate.plugin import baseline_files, received

    (qrels,) = _write(folder, q__trec=f"q 0 {word} 1\n{word} 0 d 1\n")
    for measure, extra in ((word, {}), ("RR", {"popularity": word}), ("RR", {"name": word})):
        old = _baselines(measure, word, {"q": [word, "d"], word: ["d", word]})
        new = _baselines(measure, word, {"q": ["d", word], word: [word, "d"]})
        (entry,) = new["baselines"].values()
        entry["queries"]["q"][0], entry["queries"][word][0] = [0.25], [0.75]
        entry["conventions"] |= extra
        paths = folder / "old.json", folder / "new.json"
        for path, stored in zip(paths, (old, new), strict=True):
            stored["format"] = baseline_files.FORMAT
            path.write_text(json.dumps(stored), encoding="utf-8")
        _command("baseline", "show", paths[1])
        _command("baseline", "diff", *paths, "--qrels", qrels, "--format", "html")
        _command("baseline", "diff", *paths)
        _command("baseline", "merge", paths[0], paths[0], paths[1])
        for name in ("irm_baselines.json", word):
            told = {"format": received.FORMAT, "files": {name: old["baselines"]}}
            (folder / "received.json").write_text(json.dumps(told), encoding="utf-8")
            with suppress(InputError):
                received.accept(folder / "received.json", folder / "accepted")


def history_of_gates(folder: Path, word: str) -> None:
    """All texts of an entry."""
    line = {
        "commit": word,
        "test": word,
        "measure": word,
        "verdict": "pass",
        "score": 0.5,
        "low": 0.4,
        "high": 0.6,
        "queries": 3,
        "margin": 0.1,
    }
    (path,) = _write(folder, history__jsonl=json.dumps(line) + "\n" + json.dumps(line) + "\n")
    _command("history", path, "--svg", folder / "out.svg")


def reports(folder: Path, word: str) -> None:
    """All texts of a result."""
    from irmetrics_edu.gate.plugin import session_report

    result = {
        "test": word,
        "measure": word,
        "outcome": "fail",
        "score": 0.5,
        "summary": word,
        "message": word,
        "bounds": {word: 1},
        "queries": 2,
        "options": {word: word},
    }
    stale = [{"file": word, "test": word}]
    report = {"format": session_report.FORMAT, "results": [result], "stale_baselines": stale}
    (path,) = _write(folder, report__json=json.dumps(report))
    _command("report", "merge", path, "--to", folder / "merged.html")
    _command("report", "merge", path, "--to", folder / "merged.md")


def results_of_programs(folder: Path, word: str) -> None:
    """The program, its claims and the ids."""
    from irmetrics_edu.diagnosis.conformance.vectors import VERSION, cases

    some = {case.id: 0.5 for case in list(cases())[:3]}
    stored = {"format": "irmetrics-edu/results", "version": VERSION, "program": word}
    for claims, values in (([], some), ([word], some), (["nDCG"], {word: 1})):
        told = stored | {"claims": claims, "results": values}
        (path,) = _write(folder, results__json=json.dumps(told))
        _command("conformance", "check", path)


def features_and_ratings(folder: Path, word: str) -> None:
    """Tables for learning, and the settings of a study."""
    letor, ratings = _write(
        folder,
        letor__txt=f"1 qid:{word} 1:0.5 # docid = {word}\n0 qid:{word} 1:0.1 # docid = {word}x\n",
        ratings__csv=f'user,item,rating\n"{word}","{word}",1\n',
        train__txt=f"{word},{word}\n",
        validation__txt=f"{word},{word}\n",
        test__txt=f"{word},{word}\n",
        category__txt=f"{word},{word}\n",
        cran__all__1400=f".I 1\n.W\n{word}\n",
        cran__qry=f".I 1\n.W\n{word}\n",
        cranqrel=f"1 1 {word}\n",
        settings__toml=f'{json.dumps(word)} = {json.dumps(word)}\nrankers = [{json.dumps(word)}]\n',
    )[:2]  # fmt: skip
    readers = (
        lambda: read_letor(letor),
        lambda: load_ratings(ratings),
        lambda: load_cranfield(folder),
    )
    for read in readers:
        with suppress(InputError, ValueError):
            read()
    with suppress(InputError, ValueError):
        load_interactions(folder)
    _command("study", "diversity", "--data", folder, "--settings", folder / "settings.toml")


def questions_of_a_quiz(folder: Path, word: str) -> None:
    """A question with its options."""
    cell = json.dumps(word)
    option = f"[[question.options]]\ntext = {cell}\nright = true\nwhy = {cell}\n"
    _write(folder, concepts__toml=f"[[question]]\nchapter = {cell}\ntext = {cell}\n{option}")
    with suppress(InputError, KeyError, TypeError):
        concepts(folder)
    _command("questions", folder / "bank.xml", "--kinds", "concept", "--sources", folder)


def work_of_a_class(folder: Path, word: str) -> None:
    """Notebooks, their names, a zip, and all tables that go with them."""
    course = Class(folder / "class")
    course.hand_in("ann.ipynb", course.copy("ann", [RIGHT, f"# {word}", f"total = {word!r}"]))
    csv = '"' + word.replace('"', '""') + '"'
    roster, late, times, regrade, rules = _write(
        folder,
        roster__csv=f"student,name,email\nann,{csv},{csv}\n{csv},{csv},{csv}\n",
        late__csv=f"exercise,rule,value,student\n77,deadline,2026-01-01,{csv}\n",
        times__csv=f"student,exercise,time\nann,77,{csv}\n",
        regrade__csv=f"exercise,question,change,value\n77,dcg,{csv},{csv}\n",
        rules__csv=f"rule,of,value\nweight,77,{csv}\n",
    )
    key = ("--key", str(course.folder / "key"))
    for option, path in (("--late", late), ("--times", times), ("--regrade", regrade)):
        with suppress(SystemExit):
            course.grade(option, path)
    with suppress(SystemExit):
        course.grade("--roster", roster, "--tier", "plain")
    _command("grade", "course", course.out, "--out", folder / "course", "--rules", rules)
    _command("grade", "page", course.out, "--out", folder / "page.html")
    stored = {"student": word, "exercise": word, "status": word, "marks": word, "out of": word}
    told = {"format": word, "version": word, "marker": word, "marks": {word: {word: word}}}
    (folder / "told").mkdir()
    (folder / "told" / "marks.json").write_text(json.dumps([stored]), encoding="utf-8")
    with suppress(InputError):
        graded_in(folder / "told")
    for name in (word, marking_page.FORMAT):
        (folder / "told" / "marks.json").write_text(json.dumps({**told, "format": name}), "utf-8")
        with suppress(InputError):
            marking_page.read_saved(folder / "told", {})
    with zipfile.ZipFile(folder / "class.zip", "w") as archive:
        archive.writestr(f"bob/{word.replace('/', '_')}.ipynb", word)
        archive.write(course.work / "ann.ipynb", "cy/77.ipynb")
    sources = ("--sources", course.folder / "sources")
    _command("grade", folder / "class.zip", *key, "--out", folder / "other", *sources)
    _command("exercises", "77", *key, "--out", folder / "made", *sources, "--roster", roster)


DRIVERS: tuple[Callable[[Path, str], None], ...] = (
    runs_of_trec,
    runs_of_tables,
    runs_of_parquet,
    files_beside_a_run,
    scores_of_others,
    filled_in_lists,
    stored_claims,
    rows_of_contexts,
    baselines,
    history_of_gates,
    reports,
    results_of_programs,
    features_and_ratings,
    questions_of_a_quiz,
    work_of_a_class,
)


def _tried() -> Iterator[Any]:
    """Each reader with each word; a class, which takes seconds, with the words of ids alone."""
    for driver in DRIVERS:
        slow = driver is work_of_a_class
        for kind in ("a module", "a format") if slow else WORDS:
            marks = [pytest.mark.slow] if slow else []
            yield pytest.param(driver, kind, id=f"{driver.__name__}-{kind}", marks=marks)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with a module and a file that must stay untouched."""
    (tmp_path / f"{MODULE}.py").write_text("def measure(): ...\n", encoding="utf-8")
    (tmp_path / "canary.txt").write_text("q 0 d 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IRM_CANARY", KEPT)
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    return tmp_path


@pytest.mark.parametrize(("driver", "kind"), list(_tried()))
def test_no_name_in_a_file_is_more_than_a_name(driver, kind, folder, capfd):
    """Nothing is imported, opened, compiled or fetched, and no word is filled in."""
    word = WORDS[kind].replace("{folder}", str(folder))
    watch = Watch(folder)
    _WATCHED.append(watch)
    try:
        driver(folder, word)
    finally:
        _WATCHED.remove(watch)
    assert watch.harm == []
    assert MODULE not in sys.modules
    shown = "".join(capfd.readouterr())
    written = [p.read_text("utf-8", "replace") for p in folder.rglob("*") if _is_output(p)]
    for said in (shown, *written):
        text = re.sub(r"\b[0-9a-f]{64}\b", "", said)  # a digest may have any digits
        for filled in (KEPT, "<class 'str'>", "1337", "Traceback"):
            assert filled not in text.replace("%", ""), text


def _is_output(path: Path) -> bool:
    return path.is_file() and path.suffix in (".html", ".md", ".csv", ".svg", ".xml", ".json")


# -- that no reader is forgotten

_OPENING = {
    "text_of",
    "opened",
    "contents",
    "read_text",
    "read_bytes",
    "ZipFile",
    "open",
}
# Modules that open files, but none that others give.
_OWN = {
    "writing.py": "looks at what it is about to replace",
    "conventions/convention.py": "the package's own texts",
    "libraries/bundle.py": "the package's own texts",
    "views/terms.py": "the package's own texts",
    "views/output.py": "the script of a page; what is printed",
    "diagnosis/conformance/vectors.py": "the package's own vectors",
    "gate/plugin/report_files.py": "the script of a page",
    "classroom/questions/canvas.py": "the package's own forms",
    "classroom/questions/exam.py": "the package's own style",
    "commands/playground.py": "the package's own page",
    "commands/baseline.py": "the script of a page",
    "course/collection/collection_files.py": "the package's own collection, also as it was written",
    "course/documents/__init__.py": "the package's own documents",
    "course/collection/neural_files.py": "the package's own runs",
    "course/prompts.py": "the package's own texts",
    "course/teaching_kit.py": "the package's own notebooks",
    "classroom/grading/cell_runner.py": "writes a file of a student's, in the folder of one run",
    "classroom/exercises/copy_text.py": "the package's own questions",
    "classroom/exercises/source.py": "the teacher's exercise, which is code and is run",
    "classroom/exercises/variants.py": "the key of the course, which is bytes",
    "classroom/marking/returning/copies_out.py": "copies that were just written, packed",
    "classroom/grading/protocol.py": "the package's own code, for the sandbox",
    "classroom/grading/tiers.py": "files of the system",
    "classroom/grading/supervisor.py": "files of the system",
    "classroom/grading/folders.py": "folders of the sandbox",
}


def _reading_modules() -> set[str]:
    """The modules of the package that open a file."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _last_name(node.func) in _OPENING:
                found.add(str(path.relative_to(PACKAGE)))
    return found


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


@pytest.mark.slow
def test_every_module_that_opens_files_was_tried(tmp_path, monkeypatch):
    """Its frame stood on the stack when one of the files above was opened."""
    monkeypatch.chdir(tmp_path)
    watch = Watch(tmp_path)
    _WATCHED.append(watch)
    try:
        for driver in DRIVERS:
            (tmp_path / driver.__name__).mkdir()
            driver(tmp_path / driver.__name__, "plain")
    finally:
        _WATCHED.remove(watch)
    reading = _reading_modules()
    assert reading - watch.readers - _OWN.keys() == set()
    assert _OWN.keys() <= reading


# Who turns text into code or fills it in, and why that text is not of a file of others.
_RUNNING = {"import_module", "__import__", "eval", "exec", "expandvars", "urlopen", "run_module"}
_MAY_RUN = {
    "__init__.py": "names of the package",
    "cli.py": "commands of the package",
    "errors.py": "extras that a call of the package needs",
    "gate/__init__.py": "names of the package",
    "metrics/__init__.py": "families of the package",
    "metrics/notation.py": "object_named, the one place for module:name",
    "classroom/exercises/source.py": "the teacher's exercise",
    "classroom/exercises/checking.py": "the check in a student's copy, in the student's own kernel",
    "classroom/exercises/computed_question.py": "the teacher's exercise",
    "classroom/grading/cell_runner.py": "a student's code, in the sandbox",
    "classroom/grading/child.py": "in the sandbox",
    "classroom/grading/protocol.py": "in the sandbox",
    "classroom/grading/sandbox.py": "in the sandbox",
    "course/documents/formulas/__init__.py": "modules of the package",
    "course/expressions.py": "calls in the package's own documents",
    "diagnosis/conformance/against_vectors.py": "libraries that the package knows",
    "diagnosis/mistakes/__init__.py": "modules of the package",
}


@pytest.mark.suite("guide")
def test_text_becomes_code_only_where_it_is_said():
    """A new place has to say here whose text it runs."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _last_name(node.func) in _RUNNING:
                found.add(str(path.relative_to(PACKAGE)))
    assert found - _MAY_RUN.keys() == set()


@pytest.mark.suite("guide")
def test_one_function_takes_a_name_of_a_module():
    """And what calls it takes text that a user writes."""
    calls = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                called = {_last_name(c.func) for c in ast.walk(node) if isinstance(c, ast.Call)}
                if "object_named" in called:
                    calls.add(f"{path.relative_to(PACKAGE)}: {node.name}")
    assert calls == {
        "metrics/notation.py: parse",
        "diagnosis/function_answers.py: _imported",  # an argument of diagnose_function
        "classroom/exercises/computed_question.py: _named",  # the teacher's own
    }


@pytest.mark.usefixtures("folder")
def test_a_look_up_imports_nothing():
    """What is asked of an evaluation, or read of a file, is there already or not at all."""
    found = evaluate({"q": ["d"]}, {"q": {"d": 1}}, "RR")
    for look_up in (found.__getitem__, found.per_query.__getitem__, parse_known, known_measure):
        with pytest.raises(
            InputError, match=f"'{MODULE}:x': the module '{MODULE}' with a metric 'x'"
        ):
            look_up(f"{MODULE}:x")
    assert MODULE not in sys.modules
    with pytest.raises(InputError, match="canary_module has no metric 'x'"):
        parse(f"{MODULE}:x")  # what a user writes is imported
    assert sys.modules.pop(MODULE)
