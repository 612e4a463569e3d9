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

# How a person reads
_enter(
    "stop probability",
    "R_i",
    "how likely this document satisfies the reader, who then stops",
    "停止概率",
    "停止確率",
)
_enter(
    "reach probability",
    r"\prod_{j<i}(1-R_j)",
    "how likely the reader gets down to this rank",
    "到达概率",
    "到達確率",
)
_enter("1/rank", r"\tfrac{1}{i}", "the reciprocal of the rank", "排名的倒数", "順位の逆数")
_enter(
    "contribution",
    r"\tfrac{1}{i} R_i \prod_{j<i}(1-R_j)",
    "what this rank adds to the score",
    "贡献",
    "寄与",
)
_enter(
    "weight",
    "w_i",
    "the share of the reader's attention that this rank gets",
    "权重",
    "重み",
)
_enter(
    "weighted relevance",
    "r_i w_i",
    "the relevance times the weight of the rank",
    "加权相关性",
    "重み付き適合性",
)
_enter(
    "residual",
    r"\mathrm{res}",
    "the weight of everything that is not judged: how much the score may still rise",
    "残差",
    "残差",
)
_enter(
    "upper bound",
    r"\mathrm{score}+\mathrm{res}",
    "the score if all that is not judged were relevant",
    "上界",
    "上界",
)
_enter(
    "relevant so far",
    "c_i",
    "how many relevant documents stand down to this rank",
    "截至此处的相关文档数",
    "ここまでの適合文書数",
)
_enter(
    "ideal cumulated gain",
    r"\mathrm{CG}^*_i",
    "the cumulated gain of the ideal ranking at this rank",
    "理想累计增益",
    "理想累積利得",
)
_enter(
    "blended ratio",
    r"\mathrm{BR}_i",
    "cumulated gain and count of relevant documents, over the ideal gain and the rank",
    "混合比",
    "ブレンド比",
)
_enter("divisor", r"\mathrm{div}", "what the sum is divided by", "除数", "除数")

# Incomplete judgments
_enter(
    "R",
    "R",
    "how many relevant documents are judged for the query",
    "相关文档总数",
    "適合文書の総数",
)
_enter(
    "N",
    "N",
    "how many non-relevant documents are judged for the query",
    "不相关文档总数",
    "不適合文書の総数",
)
_enter(
    "non-relevant so far",
    "n_i",
    "how many documents judged non-relevant stand down to this rank",
    "截至此处的不相关文档数",
    "ここまでの不適合文書数",
)
_enter(
    "preference kept",
    r"1-\tfrac{\min(n_i,R)}{\min(N,R)}",
    "the share of preferences over non-relevant documents that a relevant one keeps",
    "保持的偏好",
    "保たれた選好",
)
_enter(
    "pooled above",
    "d_i",
    "how many documents of the pool stand above this rank",
    "上方的池内文档数",
    "上位のプール内文書数",
)
_enter(
    "judged above",
    "r_i+n_i",
    "how many judged documents stand above this rank",
    "上方的已标注文档数",
    "上位の判定済み文書数",
)
_enter(
    "relevant above",
    "r_i",
    "how many relevant documents stand above this rank",
    "上方的相关文档数",
    "上位の適合文書数",
)
_enter(
    "estimated precision above",
    r"\tfrac{r_i+\epsilon}{r_i+n_i+2\epsilon}",
    "the share of relevant documents among those judged above this rank, smoothed",
    "上方精确率的估计",
    "上位の精度の推定値",
)
_enter(
    "expected precision",
    r"\mathrm{E}[P_i]",
    "the precision expected at this rank; 0 where no relevant document stands",
    "期望精确率",
    "期待精度",
)
_enter(
    "judged or not",
    r"\mathbb{1}[\text{judged}]",
    "1 for a document that somebody judged, 0 for another",
    "是否已标注",
    "判定済みか否か",
)
_enter(
    "retrieved within the cut",
    r"\min(k,n)",
    "how many documents stand in the ranking down to the cut",
    "截断内的检索文档数",
    "カットオフ内の検索文書数",
)

# Over queries
_enter("value", "x_q", "the score of one query", "取值", "値")
_enter("number", "q", "the place of the value in its list", "序号", "番号")
_enter("number of values", "n", "how many values there are", "取值个数", "値の個数")
_enter(
    "value with floor",
    r"\max(x_q, \text{floor})",
    "the value, or the floor where the value is lower",
    "带下限的取值",
    "下限を適用した値",
)
_enter("logarithm", r"\ln x_q", "the natural logarithm of the column before", "对数", "対数")
_enter(
    "mean of logarithms",
    r"\tfrac{1}{n}\sum_q \ln x_q",
    "the logarithms, averaged",
    "对数的均值",
    "対数の平均",
)
_enter("product", r"\prod_q x_q", "all values multiplied", "乘积", "積")
_enter(
    "root of the product",
    r"\sqrt[n]{\prod_q x_q}",
    "the n-th root of the product of n values",
    "乘积的 n 次方根",
    "積の n 乗根",
)
_enter("mean", r"\bar{x}", "the values added up, over their number", "平均值", "平均")
_enter(
    "deviation",
    r"x_q-\bar{x}",
    "how far the value is from the mean",
    "离差",
    "偏差",
)
_enter("squared deviation", r"(x_q-\bar{x})^2", "the deviation squared", "离差平方", "偏差平方")
_enter(
    "degrees of freedom",
    r"n-\mathrm{ddof}",
    "how many values there are, less ddof",
    "自由度",
    "自由度",
)
_enter("variance", "s^2", "the mean squared deviation from the mean", "方差", "分散")
_enter(
    "harmonic mean rank",
    r"\tfrac{1}{\mathrm{MRR}}",
    "the number of queries over the sum of reciprocal ranks",
    "排名的调和平均",
    "順位の調和平均",
)
_enter(
    "arithmetic mean rank",
    r"\tfrac{1}{n}\sum_q \mathrm{rank}_q",
    "the mean rank of the first relevant document",
    "排名的算术平均",
    "順位の算術平均",
)
_enter("baseline", "b_q", "the value that another is compared with", "基线值", "基準値")
_enter(
    "improvement",
    r"\tfrac{x_q-b_q}{b_q}",
    "the gain over the baseline, as a share of the baseline",
    "提升",
    "改善率",
)
