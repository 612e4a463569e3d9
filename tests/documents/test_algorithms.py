"""The page of what the documents name: every call runs, and gives what its row says."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import irmetrics_edu
from irmetrics_edu import course, evaluate, lab, ndcg
from irmetrics_edu.errors import InputError

PAGE = Path(irmetrics_edu.__file__).parents[1] / "docs" / "algorithms.md"


@dataclass(frozen=True)
class Row:
    """A row of a table: its cells by the heads of the columns."""

    section: str
    cells: dict[str, str]

    @property
    def call(self) -> str:
        """The last piece of code of the row: the call of ours."""
        code = [cell for cell in self.cells.values() if cell.startswith("`")]
        return code[-1].strip("`")

    @property
    def result(self) -> str:
        """The last cell."""
        return list(self.cells.values())[-1]


def _rows() -> list[Row]:
    section = ""
    head: list[str] = []
    rows = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        if not line.startswith("|"):
            head = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not head:
            head = [f"{place} {cell}" for place, cell in enumerate(cells)]
        elif not set(line) <= set("|-: "):
            rows.append(Row(section, dict(zip(head, cells, strict=True))))
    return rows


ROWS = _rows()


def _of(section: str) -> list:
    return [pytest.param(row, id=row.call[:60]) for row in ROWS if row.section == section]


@pytest.fixture(scope="module")
def beauty(shared):
    """Amazon Beauty as it is published."""
    return lab.load_interactions(shared / "data" / "beauty", unknown_users="drop")


@pytest.fixture(scope="module")
def letor(shared):
    """LightGBM's example: to learn from, and to test on."""
    folder = shared / "data" / "lambdarank"
    train = lab.read_letor(folder / "rank.train", sizes=folder / "rank.train.query")
    test = lab.read_letor(folder / "rank.test", sizes=folder / "rank.test.query", n_features=300)
    return train.normalised(), test.normalised()


def _called(row: Row, **names):
    return eval(row.call, {"lab": lab, "ndcg": ndcg, "course": course, **names})  # noqa: S307 -- our own page


@pytest.mark.suite("learners")
@pytest.mark.parametrize("row", _of("Recommenders"))
def test_recommenders(row, beauty):
    """R@20 on Amazon Beauty."""
    relevant = beauty.judgments()
    model = _called(row, beauty=beauty)
    mean = evaluate(model.recommend(20, relevant), relevant, "R@20").mean["R@20"]
    assert f"{mean:.4f}" == row.result


@pytest.mark.suite("learners")
@pytest.mark.parametrize("row", _of("Learning to rank"))
def test_learners(row, letor):
    """nDCG@10 on the queries that were not learnt from."""
    train, test = letor
    mean = evaluate(_called(row, train=train).run(test), test.qrels, "nDCG@10").mean["nDCG@10"]
    assert f"{mean:.4f}" == row.result


@pytest.mark.parametrize("row", _of("Re-rankers"))
def test_rerankers(row):
    """The first documents of a query of the collection that ships with the package."""
    pytest.importorskip("sklearn")
    collection = course.load_collection("stdlib")
    assert collection.queries["q006"] == "format and parse time string"
    scores = dict(list(collection.runs["bm25"]["q006"].items())[:20])
    highest = max(scores.values())
    relevance = {document: score / highest for document, score in scores.items()}
    texts = {document: collection.documents[document] for document in scores}
    of_topic = collection.aspects["q006"]
    aspects = {document: set(of_topic.get(document, {})) for document in scores}
    ranking = _called(row, relevance=relevance, texts=texts, aspects=aspects)
    assert len(ranking) == 5
    assert ", ".join(ranking[:3]) == row.result


@pytest.mark.parametrize("row", _of("Toolkits"))
def test_losses_beside_those_of_allrank(row):
    """AllRank's values were computed by allRank 1.4.3; ours are computed here."""
    query = lab.from_rankings({"q": [2, 3, 2, 1, 1, 0]})
    distinct = lab.from_rankings({"q": [2, 3, 1, 0]})
    scores = [0.5, 0.2, -0.1, 0.7, 0.0, -0.3]
    loss = _called(row, query=query, distinct=distinct, scores=scores)
    assert f"{loss.value:.6f}" == row.result
    theirs = float(list(row.cells.values())[2])
    # A root of the mean over 6 documents, a mean over 13 pairs; the others are the same sums.
    as_ours = {"pointwise": theirs**2 * 6, "pairwise": theirs * 13}
    kind = next(iter(row.cells.values()))
    assert loss.value == pytest.approx(as_ours.get(kind, theirs), abs=2e-5)


def test_data_sets(shared, beauty):
    """Beauty has the size that the page says; a folder that isn't there is named."""
    assert len(beauty.users) == 8158
    with pytest.raises(InputError, match="2385"):
        lab.load_interactions(shared / "data" / "beauty")
    for row in ROWS:
        if row.section == "Data sets" and "load_interactions" in row.call and "never" in row.result:
            with pytest.raises(InputError, match=r"has no train\.txt"):
                _called(row)


def test_each_name_is_there():
    """What the documents name stands on the page."""
    text = PAGE.read_text(encoding="utf-8")
    names = (
        "MMR DPP DGRec LightGCN Popularity Random FM-LDA AdaRank AdaBoost allRank TF-Ranking "
        "Taobao Beauty CACM GOV2"
    )
    for name in [*names.split(), "Ranking SVM", "association rules", "Million Song Dataset"]:
        assert name in text
    assert set(re.findall(r"lab\.(\w+)", text)) <= set(lab.__all__)
