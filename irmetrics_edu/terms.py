"""The glossary: what the names of columns and quantities mean, in three languages.

Every column, quantity and part of a working is explained here, once.
"""

from dataclasses import dataclass

from irmetrics_edu.errors import InputError


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the field: its LaTeX, its meaning, and what it is called in 中文 and 日本語."""

    name: str
    latex: str
    meaning: str
    zh: str
    ja: str


GLOSSARY: dict[str, Term] = {}


def _enter(name: str, latex: str, meaning: str, zh: str, ja: str) -> None:
    GLOSSARY[name] = Term(name, latex, meaning, zh, ja)


def term(name: str) -> Term:
    """The entry of the glossary for a name."""
    if name not in GLOSSARY:
        raise InputError(f"{name!r} is not in the glossary")
    return GLOSSARY[name]


# Rows
_enter("query", "q", "a need for information, as put to the system", "查询", "クエリ")
_enter("document", "d", "what is retrieved: a page, an item, a passage", "文档", "文書")
_enter("rank", "i", "the place in the ranking, counted from 1", "排名", "順位")
_enter("grade", "g_i", "the degree of relevance that was judged", "相关度等级", "適合度")
_enter(
    "judged",
    r"\mathbb{1}[\text{judged}]",
    "whether somebody judged the document",
    "是否已标注",
    "判定済みか",
)
_enter("relevance", "r_i", "1 for a relevant document, 0 for another", "相关性", "適合性")

# Cumulated gain
_enter("gain", "G_i", "what the document at this rank is worth", "增益", "利得")
_enter(
    "cumulated gain",
    r"\mathrm{CG}_i",
    "the gains down to this rank, added up",
    "累计增益",
    "累積利得",
)
_enter("discount", "D_i", "the factor for the rank", "折损因子", "減衰係数")
_enter("discounted gain", "G_i D_i", "the gain times the discount", "折损增益", "減衰利得")
_enter(
    "cumulated", r"\sum_{j\le i}", "the column before, added up down to this rank", "累计", "累積"
)
_enter("DCG", r"\mathrm{DCG}", "discounted cumulated gain", "折损累计增益", "減損累積利得")
_enter(
    "IDCG", r"\mathrm{IDCG}", "the DCG of the ideal ranking", "理想折损累计增益", "理想減損累積利得"
)

# Reciprocal rank
_enter(
    "rank of the first relevant",
    r"\min\{i : r_i = 1\}",
    "where the first relevant document stands; 0 if nowhere",
    "首个相关文档的排名",
    "最初の適合文書の順位",
)
