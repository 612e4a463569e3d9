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

# Recommended lists
_enter(
    "item",
    "i",
    "what is recommended: a product, a song, a page",
    "物品",
    "アイテム",
)
_enter(
    "other item",
    "j",
    "the second item of a pair",
    "另一物品",
    "もう一方のアイテム",
)
_enter(
    "category",
    "c",
    "a class that items belong to: a genre, a department",
    "类别",
    "カテゴリ",
)
_enter(
    "categories",
    r"\mathcal{C}_i",
    "the categories of the item",
    "物品的类别",
    "アイテムのカテゴリ",
)
_enter(
    "new categories",
    r"|\mathcal{C}_i\setminus\bigcup_{j<i}\mathcal{C}_j|",
    "how many categories no item above has",
    "新增类别数",
    "新たなカテゴリ数",
)
_enter(
    "all categories",
    r"|\mathcal{C}|",
    "how many categories there are in all",
    "类别总数",
    "全カテゴリ数",
)
_enter(
    "effective",
    r"\mathbb{1}[i\in G]",
    "1 for an item that is recommended and relevant, 0 for another",
    "有效推荐",
    "効果的なアイテム",
)
_enter(
    "new categories of the hits",
    r"|\mathcal{C}_i\setminus\mathcal{C}_{\text{hits above}}|",
    "how many categories no effective item above has",
    "命中物品的新增类别数",
    "効果的なアイテムによる新たなカテゴリ数",
)
_enter(
    "new categories of the ineffective",
    r"|\mathcal{C}_i\setminus\mathcal{C}_{\text{misses above}}|",
    "how many discounted categories no ineffective item above has",
    "未命中物品的新增类别数",
    "効果的でないアイテムによる新たなカテゴリ数",
)
_enter(
    "categories on both sides",
    r"|\mathcal{C}_{R\cap G}\cap\mathcal{C}_{R\setminus G}|",
    "how many categories effective and ineffective items share",
    "两侧共有的类别数",
    "両側に現れるカテゴリ数",
)
_enter(
    "frequency among the relevant",
    "f_G(c)",
    "how many relevant (test) items have the category",
    "类别在测试集中的频数",
    "テストアイテムでの出現頻度",
)
_enter(
    "weight among the hits",
    "w_c",
    "what the category counts for the effective items; 0 if none has it",
    "命中侧权重",
    "効果的な側の重み",
)
_enter(
    "weight among the ineffective",
    r"\alpha",
    "what the category counts for the ineffective items; 0 if none has it",
    "未命中侧权重",
    "効果的でない側の重み",
)
_enter(
    "weight of the category",
    r"w_c+\alpha",
    "what the category counts on both sides together",
    "类别的权重",
    "カテゴリの重み",
)
_enter(
    "sum over categories",
    r"\sum_c",
    "the weights of the categories, added up",
    "按类别求和",
    "カテゴリの総和",
)
_enter(
    "distance",
    "d(i,j)",
    "how far two items are from each other",
    "距离",
    "距離",
)
_enter(
    "pair weight",
    "w_i w_j",
    "the weights of the pair's two items, multiplied",
    "物品对的权重",
    "ペアの重み",
)
_enter(
    "weighted distance",
    r"w_i w_j\,d(i,j)",
    "the distance times the weight of the pair",
    "加权距离",
    "重み付き距離",
)
_enter(
    "sum over pairs",
    r"\sum_{i<j}",
    "what all pairs of the list give, added up",
    "按物品对求和",
    "ペアの総和",
)
_enter(
    "number of pairs",
    r"\tbinom{n}{2}",
    "how many pairs the items of the list make",
    "物品对数",
    "ペア数",
)
_enter(
    "mean distance to the others",
    r"d(i,R\setminus i)",
    "the mean distance of the item to all others of the list",
    "与其他物品的平均距离",
    "他のアイテムとの平均距離",
)
_enter(
    "distance to the nearest",
    r"\min_j d(i,j)",
    "the distance of the item to the nearest other of the list",
    "与最近物品的距离",
    "最も近いアイテムとの距離",
)
_enter(
    "number of items",
    "|R|",
    "how many items the list has within the cut",
    "物品数",
    "アイテム数",
)
_enter(
    "item weight",
    "w_i",
    "1 for an effective item, the discount coefficient for another",
    "物品的权重",
    "アイテムの重み",
)
_enter(
    "frequency",
    "f_c",
    "how often it occurs",
    "频数",
    "頻度",
)
_enter(
    "sum of frequencies",
    r"\sum_c f_c",
    "all frequencies, added up",
    "频数之和",
    "頻度の総和",
)
_enter(
    "place from the rarest",
    "j",
    "the place by rising frequency, counted from 1; what does not occur comes first",
    "升序位次",
    "昇順の順位",
)
_enter(
    "signed frequency",
    r"(2j-n-1)\,f_{(j)}",
    "the frequency times how far its place is above the middle",
    "带符号频数",
    "符号付き頻度",
)
_enter(
    "share",
    "s_c",
    "the frequency as a share of all",
    "占比",
    "割合",
)
_enter(
    "surprise",
    r"-\log s_c",
    "minus the logarithm of the share",
    "自信息量",
    "自己情報量",
)
_enter(
    "share times surprise",
    r"-s_c\log s_c",
    "what the category adds to the entropy",
    "熵的分量",
    "エントロピーへの寄与",
)

# Pairs of documents
_enter(
    "concordant pairs",
    "C",
    "pairs that stand in the order of their grades",
    "正序对",
    "一致ペア",
)
_enter(
    "discordant pairs",
    "D",
    "pairs that stand against the order of their grades",
    "逆序对",
    "不一致ペア",
)
_enter(
    "accuracy of the query",
    r"\tfrac{C_q}{C_q+D_q}",
    "the share of the query's pairs that stand in the right order",
    "查询的准确率",
    "クエリの正解率",
)
_enter(
    "by document",
    r"\tfrac{\sum_q C_q}{\sum_q (C_q+D_q)}",
    "the pairs of all queries in one pool",
    "文档级",
    "文書単位",
)
_enter(
    "by query",
    r"\tfrac{1}{|Q|}\sum_q\tfrac{C_q}{C_q+D_q}",
    "the mean of the queries' accuracies",
    "查询级",
    "クエリ単位",
)
_enter(
    "number of queries",
    "|Q|",
    "how many queries there are",
    "查询数",
    "クエリ数",
)

# Discount coefficients
_enter(
    "effective items",
    "n",
    "how many items of the list are effective: the group's number",
    "有效物品数",
    "効果的なアイテム数",
)
_enter(
    "probability",
    "P(R_n)",
    "the share of lists in the group, by the binomial model",
    "概率",
    "確率",
)
_enter(
    "cumulative probability",
    r"\sum_{m\le n} P(R_m)",
    "the share of lists in this group or one before it",
    "累积概率",
    "累積確率",
)
_enter(
    "value of the group",
    "v(R_n)",
    "what a list of the group is worth at the coefficient found",
    "组的取值",
    "グループの値",
)
_enter(
    "contribution of the group",
    r"v(R_n)\,P(R_n)",
    "what the group adds to the mean of the metric",
    "组的贡献",
    "グループの寄与",
)
_enter(
    "greater group",
    "R_i",
    "the group that is to contribute more",
    "应占优的组",
    "優位であるべきグループ",
)
_enter(
    "lesser group",
    "R_j",
    "the group that is to contribute less",
    "应居次的组",
    "劣位であるべきグループ",
)
_enter(
    "condition",
    "v(R_i)P(R_i)>v(R_j)P(R_j)",
    "the inequality, as a polynomial in the coefficient that is to be positive",
    "条件",
    "条件",
)
_enter(
    "holds for",
    r"\{x\in[0,1]\}",
    "the coefficients from 0 to 1 for which the condition holds",
    "成立范围",
    "成り立つ範囲",
)
_enter(
    "conditions",
    r"\forall\, i>j",
    "that a group of more effective items contributes more",
    "全部条件",
    "全条件",
)
_enter(
    "smallest N that covers tau",
    r"N_\tau",
    "the smallest N, at least 1 (for beta 2), whose cumulative probability reaches tau",
    "达到 τ 的最小 N",
    "累積確率が τ に達する最小の N",
)
_enter(
    "expected value",
    r"\mathrm{E}[v]",
    "the mean of the metric's value over all lists, by the model",
    "期望值",
    "期待値",
)

# Pooling
_enter(
    "score if pooled",
    "s",
    "the score with all judgments",
    "参与缓冲池时的得分",
    "プールに含めたときの値",
)
_enter(
    "score if not pooled",
    r"s^{-}",
    "the score without the judgments that the run alone brought about",
    "未参与缓冲池时的得分",
    "プールに含めないときの値",
)

# Novelty and intents
_enter(
    "nugget",
    "n",
    "a piece of information, a topic or an intent that a document may hold",
    "信息点",
    "ナゲット",
)
_enter(
    "nuggets",
    r"\{n : n \in d_i\}",
    "the pieces of information, topics or intents that the document holds",
    "所含信息点",
    "含まれるナゲット",
)
_enter(
    "new nuggets",
    r"|d_i \setminus \bigcup_{j<i} d_j|",
    "how many of the document's nuggets no document above holds",
    "新信息点数",
    "新しいナゲットの数",
)
_enter(
    "nuggets in all",
    "|N|",
    "how many nuggets the query has",
    "信息点总数",
    "ナゲットの総数",
)
_enter(
    "alpha-DCG",
    r"\alpha\text{-DCG}",
    "the DCG whose gain fades with repetition",
    "α折损累计增益",
    "α-DCG",
)
_enter(
    "ideal alpha-DCG",
    r"\alpha\text{-DCG}^*",
    "the alpha-DCG of the ideal ranking",
    "理想α折损累计增益",
    "理想α-DCG",
)
_enter(
    "alpha-nDCG",
    r"\alpha\text{-nDCG}_i",
    "the alpha-DCG down to this rank over that of the ideal ranking",
    "归一化α折损累计增益",
    "α-nDCG",
)
_enter(
    "tied",
    r"|\arg\max|",
    "how many documents had the highest gain when this one was chosen",
    "并列数",
    "同点の数",
)
_enter(
    "perfect DCG",
    r"\mathrm{DCG}^{\max}",
    "the alpha-DCG of a ranking whose every document holds every nugget",
    "完美排序的折损累计增益",
    "完全な順位の減損累積利得",
)
_enter(
    "perfect ERR-IA",
    r"\text{ERR-IA}^{\max}",
    "the ERR-IA of a ranking whose every document serves every intent best",
    "完美排序的ERR-IA",
    "完全な順位のERR-IA",
)
_enter(
    "perfect NRBP",
    r"\mathrm{NRBP}^{\max}",
    "the sum for an endless ranking whose every document serves every intent",
    "完美排序的NRBP",
    "完全な順位のNRBP",
)
_enter(
    "unnormalised ERR-IA",
    r"\textstyle\sum_t P(t|q)\,\mathrm{ERR}_t",
    "the mean ERR per intent, by the intents' probabilities",
    "未归一化的ERR-IA",
    "正規化前のERR-IA",
)
_enter(
    "ideal ERR-IA",
    r"\text{ERR-IA}^*",
    "the same for the ideal ranking",
    "理想ERR-IA",
    "理想ERR-IA",
)
_enter(
    "unnormalised NRBP",
    r"\textstyle\sum_i \beta^{i-1} G_i",
    "the discounted gains, added up",
    "未归一化的NRBP",
    "正規化前のNRBP",
)
_enter(
    "ideal NRBP",
    r"\mathrm{NRBP}^*",
    "the same for the ideal ranking",
    "理想NRBP",
    "理想NRBP",
)
_enter(
    "first-order term",
    r"\gamma\alpha G_i",
    "the sum that stands for 1 - the product where its terms are small",
    "一阶项",
    "一次の項",
)
_enter(
    "probability of a miss",
    r"\prod_n(1-\cdot)",
    "the probability that the document holds nothing that is wanted",
    "不相关的概率",
    "不適合の確率",
)
_enter(
    "miss at the cut",
    r"1-P(R_k=1)",
    "the probability of a miss at rank k; 1 where no document stands there",
    "截断处不相关的概率",
    "カットオフ位置での不適合の確率",
)
_enter(
    "probability of relevance",
    "P(R_i=1)",
    "the probability that the document holds something that is wanted",
    "相关概率",
    "適合確率",
)
_enter(
    "intent probability",
    "P(t|q)",
    "how probable it is that the query means this",
    "意图概率",
    "意図の確率",
)
_enter(
    "weighted by intent",
    r"P(t|q)\,M_t",
    "the value for the intent times the intent's probability",
    "按意图加权",
    "意図で重み付けした値",
)
_enter(
    "I-rec",
    r"\text{I-rec}",
    "intent recall: the share of the intents that is covered",
    "意图召回率",
    "意図再現率",
)
_enter(
    "D-nDCG",
    r"\text{D-nDCG}",
    "the nDCG of the global gain",
    "D-nDCG",
    "D-nDCG",
)
_enter(
    "share of I-rec",
    r"\gamma",
    "how much intent recall counts",
    "意图召回率的权重",
    "意図再現率の重み",
)
_enter(
    "share of D-nDCG",
    r"1-\gamma",
    "how much D-nDCG counts",
    "D-nDCG的权重",
    "D-nDCGの重み",
)
_enter(
    "nDCG",
    r"\mathrm{nDCG}",
    "normalised discounted cumulated gain",
    "归一化折损累计增益",
    "正規化減損累積利得",
)
_enter(
    "P",
    "P",
    "precision: the share of the retrieved that is relevant",
    "精确率",
    "適合率",
)
_enter(
    "AP",
    r"\mathrm{AP}",
    "average precision",
    "平均精度",
    "平均適合率",
)

# Sets
_enter(
    "relevant retrieved",
    "h",
    "how many of the retrieved documents are relevant",
    "检索到的相关文档数",
    "検索された適合文書数",
)
_enter(
    "theoretical upper bound",
    r"\max",
    "the highest score that any ranking could have here",
    "理论上限",
    "理論上の上限",
)
_enter("precision", "P", "the share of the retrieved that are relevant", "准确率(查准率)", "適合率")
_enter("recall", "R", "the share of the relevant that are retrieved", "召回率(查全率)", "再現率")
_enter("alpha", r"\alpha", "the weight of precision", "准确率的权重", "適合率の重み")
_enter("TP", r"\mathrm{TP}", "true positives: relevant and retrieved", "真正例", "真陽性")
_enter("FP", r"\mathrm{FP}", "false positives: not relevant but retrieved", "假正例", "偽陽性")
_enter("FN", r"\mathrm{FN}", "false negatives: relevant but not retrieved", "假负例", "偽陰性")
_enter("TN", r"\mathrm{TN}", "true negatives: neither relevant nor retrieved", "真负例", "真陰性")
_enter(
    "collection", r"|\mathcal{D}|", "how many documents there are in all", "文档总数", "文書総数"
)
_enter(
    "confusion table",
    r"\begin{smallmatrix}TP&FN\\FP&TN\end{smallmatrix}",
    "documents counted by whether they are relevant and whether they are retrieved",
    "混淆矩阵",
    "混同行列",
)
_enter("retrieved", "n", "how many documents are retrieved", "被检索文档", "検索された文書")
_enter(
    "not retrieved", r"\bar n", "how many documents are not retrieved", "未检索文档", "未検索の文書"
)
_enter(
    "judged as", "g", "whether the documents are relevant or not", "相关或不相关", "適合か不適合か"
)

# Average precision
_enter(
    "precision at relevant",
    r"r_i P_i",
    "the precision at this rank if the document is relevant, else 0",
    "相关文档处的准确率",
    "適合文書での適合率",
)
_enter(
    "interpolated precision",
    r"\max_{j\ge i} P_j",
    "the best precision at this recall or a higher one",
    "插值准确率",
    "補間適合率",
)
_enter("recall level", "r_j", "a given value of recall", "召回率水平", "再現率の水準")
_enter(
    "precision at recall",
    "P(r_j)",
    "the precision that belongs to this level of recall; 0 where it is not reached",
    "该召回率处的准确率",
    "この再現率での適合率",
)
_enter(
    "rank of recall",
    r"\min\{i : R_i\ge r_j\}",
    "the rank at which this recall is first reached; 0 if nowhere",
    "达到该召回率的排名",
    "この再現率に達する順位",
)
_enter("points", "m", "how many levels of recall are taken", "插值点数", "補間点の数")
_enter(
    "precision and recall",
    "(R_i, P_i)",
    "precision and recall at every rank of the ranking",
    "准确率与召回率",
    "適合率と再現率",
)

# Curves
_enter("score", "s_d", "what the system gave a document; the higher, the earlier", "得分", "スコア")
_enter(
    "threshold",
    r"\theta",
    "the lowest score with which a document is still retrieved",
    "阈值",
    "閾値",
)
_enter(
    "true positive rate",
    r"\tfrac{TP}{TP+FN}",
    "the share of the relevant that are retrieved: recall",
    "真正率(命中率)",
    "真陽性率",
)
_enter(
    "fall-out",
    r"\tfrac{FP}{FP+TN}",
    "the share of the not relevant that are retrieved: false positive rate",
    "假正率(误报率)",
    "偽陽性率",
)
_enter(
    "pairs in order",
    r"\Delta FP\cdot\tfrac{TP+TP'}{2}",
    "pairs whose relevant document scores higher than the other, which comes in here; ties half",
    "次序正确的文档对",
    "正順の文書対",
)
_enter(
    "recall gained",
    r"R_t-R_{t-1}",
    "how much recall rises with this threshold",
    "召回率增量",
    "再現率の増分",
)
_enter(
    "step area",
    r"(R_t-R_{t-1})P_t",
    "the recall gained times the precision",
    "阶梯面积",
    "階段の面積",
)
_enter(
    "recall before",
    "R_{t-1}",
    "the recall at the last threshold that retrieves fewer than R documents",
    "交点前的召回率",
    "交点前の再現率",
)
_enter(
    "recall after",
    "R_t",
    "the recall at the first threshold that retrieves at least R documents",
    "交点后的召回率",
    "交点後の再現率",
)
_enter(
    "share of the way",
    "w",
    "how far from the one threshold to the next precision and recall meet",
    "所占比例",
    "内分比",
)

# Measures and curves that are no column, named in the course
_enter(
    "pool",
    r"\bigcup_s \mathrm{top}_N(s)",
    "the first N documents of every system together: what is judged",
    "文档池(缓冲池)",
    "プール",
)
_enter(
    "accuracy",
    r"\tfrac{TP+TN}{|\mathcal{D}|}",
    "the share of all documents on which retrieving and relevance agree",
    "正确率(Accuracy)",
    "正解率",
)
_enter("F-measure", "F", "the weighted harmonic mean of precision and recall", "F值", "F値")
_enter("P@N", "P@N", "the precision of the first N documents", "P@N", "上位N件の適合率")
_enter("R@N", "R@N", "the recall of the first N documents", "R@N", "上位N件の再現率")
_enter(
    "R-precision",
    r"P@R",
    "the precision after as many documents as are relevant",
    "R-Precision",
    "R適合率",
)
_enter(
    "P-R curve",
    r"P(R)",
    "precision against recall, rank by rank or threshold by threshold",
    "P-R曲线",
    "適合率・再現率曲線",
)
_enter(
    "ROC curve",
    r"\mathrm{TPR}(\mathrm{FPR})",
    "the true positive rate against the fall-out, threshold by threshold",
    "ROC曲线",
    "ROC曲線",
)
_enter(
    "AUC",
    r"\mathrm{AUC}",
    "the area under a curve; without another word, under the ROC curve",
    "曲线下面积(AUC)",
    "曲線下面積(AUC)",
)
_enter(
    "break-even",
    r"P=R",
    "the value at which precision and recall are equal",
    "平衡点",
    "ブレークイーブンポイント",
)

# Many queries
_enter("MAP", r"\mathrm{MAP}", "the arithmetic mean of AP over queries", "平均精度均值", "MAP")
_enter("GMAP", r"\mathrm{GMAP}", "the geometric mean of AP over queries", "几何平均精度", "GMAP")
_enter("RR", r"\mathrm{RR}", "1 over the rank of the first relevant document", "倒数排名", "逆順位")
_enter("MRR", r"\mathrm{MRR}", "the mean of RR over queries", "平均倒数排名", "平均逆順位")
_enter(
    "ERR",
    r"\mathrm{ERR}",
    "the expectation of 1 over the rank at which a reader stops",
    "期望倒数排名",
    "期待逆順位",
)
_enter(
    "p-value",
    "p",
    "how often chance alone would make a difference as large as the one seen",
    "p值",
    "p値",
)
_enter(
    "statistical power",
    r"1-\beta",
    "how often a test finds a difference that is there",
    "统计功效",
    "検出力",
)

# What was never judged
_enter(
    "unjudged document",
    r"g_i=?",
    "a retrieved document that nobody judged: a hole in the judgments",
    "未标注文档",
    "未判定文書",
)
_enter(
    "bpref",
    r"\mathrm{bpref}",
    "how far judged non-relevant documents are kept from standing above relevant ones",
    "二元偏好(bpref)",
    "bpref",
)
_enter(
    "infAP",
    r"\mathrm{infAP}",
    "AP estimated from a judged sample of the pool",
    "推断平均精度",
    "推定平均適合率",
)

# Learning to rank
_enter(
    "learning to rank",
    r"f(x)",
    "to learn, from judged documents and their features, a score to rank by",
    "排序学习",
    "ランキング学習",
)
_enter(
    "pointwise", r"L(f;x_j,y_j)", "with a loss for each document", "单文档方法", "ポイントワイズ"
)
_enter("pairwise", r"L(f;x_i,x_j)", "with a loss for each pair", "文档对方法", "ペアワイズ")
_enter(
    "listwise", r"L(f;\mathbf{x})", "with a loss for each ranking", "文档列表方法", "リストワイズ"
)
_enter(
    "preference pair",
    r"i \succ j",
    "two documents of one query, of which the first has the higher grade",
    "偏序对",
    "選好ペア",
)
_enter("loss", "L", "what a learner makes small", "损失函数", "損失関数")

# Novelty and diversity
_enter("novelty", "", "what the reader has not met above is worth more", "新颖性", "新規性")
_enter("diversity", "", "many aspects, or unlike items, in one ranking", "多样性", "多様性")
_enter(
    "aspect",
    "q_i",
    "one of the things that a query may ask for: an intent, a facet",
    "子意图",
    "側面",
)
_enter("similarity", "s(i,j)", "how alike two documents are", "相似度", "類似度")
_enter(
    "greedy choice",
    r"\arg\max",
    "at each rank what is best there and then, never taken back",
    "贪心选择",
    "貪欲な選択",
)
_enter(
    "vertex cover",
    "",
    "vertices of a graph such that every edge has one of them at an end",
    "顶点覆盖",
    "頂点被覆",
)
_enter(
    "MMR",
    r"\mathrm{MMR}",
    "maximal marginal relevance: relevant, and unlike what was chosen before",
    "最大边际相关(MMR)",
    "最大周辺関連度(MMR)",
)
_enter(
    "xQuAD",
    r"\mathrm{xQuAD}",
    "relevant, and covering aspects that nothing before has covered",
    "显式查询子意图多样化(xQuAD)",
    "xQuAD",
)
_enter(
    "FM-LDA",
    r"\prod_j P(f_j)",
    "the facet model: what most probably covers every facet together",
    "分面主题模型(FM-LDA)",
    "ファセットモデル(FM-LDA)",
)
_enter(
    "DPP",
    r"\det L_S",
    "determinantal point process: sets whose vectors span a large volume",
    "行列式点过程",
    "行列式点過程",
)
_enter(
    "CC",
    r"\mathrm{CC}",
    "category coverage: the share of all categories that the list has",
    "类别覆盖率",
    "カテゴリカバレッジ",
)
_enter(
    "ILAD",
    r"\mathrm{ILAD}",
    "intra-list average distance: the mean distance of two items of the list",
    "列表内平均距离",
    "リスト内平均距離",
)
_enter(
    "ILMD",
    r"\mathrm{ILMD}",
    "intra-list minimal distance: the mean distance of an item to its nearest",
    "列表内最小距离",
    "リスト内最短距離",
)
_enter(
    "DCC",
    r"\mathrm{DCC}",
    "CC in which categories of items that are not effective count alpha each",
    "折损类别覆盖率",
    "割引カテゴリカバレッジ",
)
_enter(
    "FDCC",
    r"\mathrm{FDCC}",
    "DCC in which a category counts the more the more often it is relevant",
    "频率感知折损类别覆盖率",
    "頻度考慮型DCC",
)
_enter(
    "DILAD",
    r"\mathrm{DILAD}",
    "ILAD in which a pair is discounted by beta for each item that is not effective",
    "折损列表内平均距离",
    "割引リスト内平均距離",
)
