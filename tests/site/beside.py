"""What happens beside the pages: what a class hands in, what a retriever answers, data at hand."""

import contextlib
import io
import json
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import irmetrics_edu as im
from irmetrics_edu import judging
from irmetrics_edu.lab.learning.made_queries import made_queries
from tests.collecting.systems import FILE, replayed
from tests.collecting.test_retrieved import RESPONSE

# How a reason begins for which a block is not run.
REASONS = (
    "needs the network", "needs the library", "needs the data", "takes hours", "opens a browser",
)  # fmt: skip

SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
RIGHT = "import math\ndef dcg(grades, k=None):\n    return sum(g / math.log2(i + 1) for i, g in enumerate(grades[:k], 1))"  # noqa: E501
WRONG = RIGHT.replace("i + 1", "i + 2")
WHY = "**Why does DCG divide by a discount?**\n\n"


def _answered(
    folder: Path, student: str, text: str = "Users stop reading.", code: str = RIGHT
) -> str:
    """A student's copy with answers in it."""
    book = json.loads((folder / "copies" / student / "20_first.ipynb").read_text(encoding="utf-8"))
    for cell in book["cells"]:
        if cell["id"] == "20-dcg":
            cell["source"] = code
        if cell["id"] == "20-why":
            cell["source"] = WHY + text
    return json.dumps(book)


def _canvas(folder: Path) -> None:
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:
        archive.writestr("leeann_1001_555_20_first.ipynb", _answered(folder, "Lee, Ann"))
        late = _answered(folder, "Müller, Su", "Users look at the top.", WRONG)
        archive.writestr("müllersu_LATE_1002_556_20_first.ipynb", late)
        archive.writestr("odejo_1003_557_homework.pdf", b"%PDF-1.4")


def _moodle(folder: Path) -> None:
    place = "Su Müller_992_assignsubmission_file/20_first.ipynb"
    with zipfile.ZipFile(folder / "C1-First-33.zip", "w") as archive:
        archive.writestr(place, _answered(folder, "Müller, Su"))
    (folder / "worksheet.csv").write_text(
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,"
        "Last modified (submission),Last modified (grade),Feedback comments\n"
        'Participant 992,Su Müller,su@x.org,Submitted,,7.00,"Sunday, 22 November 2026, 9:05 AM"'
        ",-,\n",
        encoding="utf-8",
    )


def _one_key(folder: Path) -> None:
    """What is drawn by the key is shown on the page, so it is always the same."""
    assert len((folder / "course.key").read_text().strip()) == 64
    (folder / "course.key").write_text("a key that is always the same, for the page\n")


def _typed(folder: Path) -> None:
    """The author of the exercise types data in, where each copy should have its own."""
    source = folder / "own" / "21_total.py"
    text = source.read_text(encoding="utf-8")
    given = 'grades = spec.given("total")'
    assert given in text
    source.write_text(text.replace(given, "grades = [3, 2, 0, 1]"), encoding="utf-8")


def _committed(folder: Path) -> None:
    """As in a project whose tests have a folder of their own."""
    (folder / "tests").mkdir()
    shutil.copy(folder / "irm_baselines.json", folder / "tests")
    for words in ("init -q", "add tests", "-c user.name=x -c user.email=x@x.org commit -qm x"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)


def _letor(folder: Path) -> None:
    for name, n_queries, seed in (("rank.train", 60, 1), ("rank.test", 20, 2)):
        made = made_queries(n_queries, 8, noise=0, seed=seed)
        rows = [
            f"{g:g} " + " ".join(f"{j}:{v!r}" for j, v in enumerate(x, 1)) + " 300:0"
            for g, x in zip(made.grade.tolist(), made.features.tolist(), strict=True)
        ]
        (folder / name).write_text("\n".join(rows), encoding="utf-8")
        (folder / f"{name}.query").write_text("8\n" * n_queries, encoding="utf-8")


def _in_the_source(folder: Path) -> None:
    """The reader is in the folder of the source, beside a table of three students."""
    (folder / "solutions").mkdir()
    for source in SOLUTIONS.glob("01_*.py"):
        shutil.copy(source, folder / "solutions")
    (folder / "students.csv").write_text('student\n"Lee, Ann"\n"Ode, Jo"\n', encoding="utf-8")


def _first_exercise(folder: Path) -> None:
    """Ann hands in her own copy, and Jo nothing."""
    name = "01_relevant_or_not.ipynb"
    (folder / "handed-in" / "Lee, Ann").mkdir(parents=True)
    shutil.copy(folder / "copies" / "Lee, Ann" / name, folder / "handed-in" / "Lee, Ann" / name)


HAPPENS: dict[str, Callable[[Path], None]] = {
    "the folder has the course's exercises, and a table of the class": _in_the_source,
    "the class hands in exercise 1": _first_exercise,
    "the key is always the same": _one_key,
    "the data are typed in": _typed,
    "the class of Canvas hands in": _canvas,
    "the class of Moodle hands in": _moodle,
    "the baselines are committed in tests/": _committed,
    "files in LightGBM's layout are there": _letor,
}


def _database(code: str) -> None:
    """SQLite answers as pgvector would: two rows with distances, whatever is asked."""
    rows = "SELECT 'd3' AS id, 0.1 AS distance UNION ALL SELECT 'd1', 0.3"
    with contextlib.closing(sqlite3.connect(":memory:")) as opened:

        def execute(sql: str, parameters: list[Any]) -> sqlite3.Cursor:
            assert "<=>" in sql
            assert parameters == [[0.0]]
            return opened.execute(rows)

        _client(["d3", "d1"], connection=SimpleNamespace(execute=execute))(code)


def _client(found: list[str], **clients: Any) -> Callable[[str], None]:
    """A run of stand-ins for what a system answers has to give these documents."""

    def run(code: str) -> None:
        names = {
            "build_run": judging.build_run, "queries": {"q1": "cats"},
            "embed": lambda _: [0.0], "tokenize": lambda _: ["cats"], **clients,
        }  # fmt: skip
        exec(code, names)  # noqa: S102 -- it is our own page
        assert list(names["run"]["q1"]) == found

    return run


def _answering(**answers: Any) -> SimpleNamespace:
    """A client whose methods give these answers, whatever they are asked."""
    return SimpleNamespace(**{k: lambda *_, _a=a, **__: _a for k, a in answers.items()})


def _of(name: str) -> Any:
    """What a client was seen to answer."""
    return replayed(json.loads(FILE.read_text(encoding="utf-8"))[name])


def _learnt(code: str) -> None:
    """What is learnable is learnt from made files."""
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(code, names)  # noqa: S102 -- it is our own page
    assert "nDCG@10" in said.getvalue()
    assert im.evaluate(names["run"], names["test"].qrels, "nDCG@10").mean["nDCG@10"] > 0.9
    assert len(code.strip().splitlines()) < 10


def _unchanged(code: str) -> None:
    """A gate over 36 queries that did not change."""
    run = {f"q{i}": ["x", "y", "z"] for i in range(36)}
    qrels = {f"q{i}": {"xyz"[i % 3]: 1} for i in range(36)}
    exec(code, {"run": run, "baseline": run, "qrels": qrels})  # noqa: S102 -- it is our own page


GIVEN: dict[str, Callable[[str], None]] = {
    "answers of LangChain": _client(
        ["d3", "d1"],
        langchain_retriever=_answering(invoke=_of("langchain")),
        langchain_store=_answering(similarity_search_with_score=_of("langchain with scores")),
    ),
    "answers of LlamaIndex": _client(
        ["d3", "d1"], llama_index_retriever=_answering(retrieve=_of("llama_index"))
    ),
    "answers of Haystack": _client(
        ["d1", "d3"], pipeline=_answering(run=_of("haystack"))
    ),
    "answers of Elasticsearch": _client(
        ["0", "7"], client=_answering(search=SimpleNamespace(body=RESPONSE))
    ),
    "answers of Qdrant": _client(
        ["d3", "d1"], qdrant=_answering(query_points=_of("qdrant"))
    ),
    "a database": _database,
    "answers of bm25s": _client(
        ["d3", "d1"], index=_answering(retrieve=_of("bm25s"))
    ),
    "two runs and judgments": _unchanged,
    "files in LightGBM's layout": _learnt,
}  # fmt: skip
