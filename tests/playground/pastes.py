"""What people paste into the question, each with its right reading, done by hand.

A reading is `measure@k = number [and number]: documents`: the parts that the paste says, and the
documents as `listed` writes them. `/` stands between queries.
"""

SIX = "d1:3 d2:2 d3:3 d4:0 d5:1 d6:2"
THREE = "d1:3 d2:2 d3:0"
BOTH = f"{SIX} | d7:3 d8:2"
NAMED = "a:3 b:0"
HIT = "d1:1 d2:0 d3:1"

READ = {
    # numbers and grades, with the signs that people put between them
    "0.9608 for 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "0.9608 for 3 2 3 0 1 2 | 3 2": f" = 0.9608: {BOTH}",
    "0.9608 for 3, 2, 3, 0, 1, 2": f" = 0.9608: {SIX}",
    "0.9608 for 3,2,3,0,1,2,": f" = 0.9608: {SIX}",
    "0.9608 for 3;2;3;0;1;2": f" = 0.9608: {SIX}",
    "0.9608 for 3\t2\t3\t0\t1\t2": f" = 0.9608: {SIX}",
    "0.9608: 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "0.9608 : [3, 2, 3, 0, 1, 2]": f" = 0.9608: {SIX}",
    "0.9608 of 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "0.9608 from 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "0.9608 with grades 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "0.9608, grades: 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "0.9608 for 3 2 3 0 1 2, missed: 3 2": f" = 0.9608: {BOTH}",
    "0.9608 for 3 2 3 0 1 2; not retrieved 3 2": f" = 0.9608: {BOTH}",
    "0.9608 for 3,2,3,0,1,2 (not retrieved: 3,2)": f" = 0.9608: {BOTH}",
    "0.9608 for 3,2,3,0,1,2 + 3,2": f" = 0.9608: {BOTH}",
    "0.9608 for [3,2,3,0,1,2] + [3,2]": f" = 0.9608: {BOTH}",
    "0.9608 for [3,2,3,0,1,2] | [3,2]": f" = 0.9608: {BOTH}",
    "0.9608 for 3,2,3,0,1,2 unretrieved: 3,2": f" = 0.9608: {BOTH}",
    "0.9608 for retrieved: 3 2 3 0 1 2 missed: 3 2": f" = 0.9608: {BOTH}",
    "3 2 3 0 1 2 -> 0.9608": f" = 0.9608: {SIX}",
    "3 2 3 0 1 2 => 0.9608": f" = 0.9608: {SIX}",
    "3,2,3,0,1,2 = 0.9608": f" = 0.9608: {SIX}",
    "[3,2,3,0,1,2] gives 0.9608": f" = 0.9608: {SIX}",
    "3 2 3 0 1 2": f" = : {SIX}",
    "0.97 3 2 0": f" = 0.97: {THREE}",
    "0.9608 and 0.7562 for 3,2,3,0,1,2 | 3,2": f" = 0.9608 and 0.7562: {BOTH}",
    "0.9608 vs. 0.7562: 3,2,3,0,1,2 | 3,2": f" = 0.9608 and 0.7562: {BOTH}",
    "0.9608 not 0.7562 for 3,2,3,0,1,2 | 3,2": f" = 0.9608 and 0.7562: {BOTH}",
    "0.9608 (mine) vs 0.7562 (theirs) for 3 2 3 0 1 2 | 3 2": f" = 0.9608 and 0.7562: {BOTH}",
    "my score 0.9608 for 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "score = 0.9608 for 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "sklearn: 0.9608 for 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "trec_eval 0.9608 for 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "0.75 for 3 0 / 0 2": " = 0.75: d1:3 d2:0 / d1:0 d2:2",
    "3 2 0 / 0 2": " = : d1:3 d2:2 d3:0 / d1:0 d2:2",
    "3 2 0 / 0 2 -> 0.5": " = 0.5: d1:3 d2:2 d3:0 / d1:0 d2:2",
    # words around the number, and the number before its measure
    "0.6 P@5 1 1 0 0": "P@5 = 0.6: d1:1 d2:1 d3:0 d4:0",
    "0.6 nDCG@5 for 3 2 0": f"nDCG@5 = 0.6: {THREE}",
    "0.5 AP: 3 2 0": f"AP = 0.5: {THREE}",
    "why is ndcg 0.86 for 3 2 0": f"nDCG = 0.86: {THREE}",
    "average precision is 0.81 when grades are 3 2 0": f"AP = 0.81: {THREE}",
    "expected 0.96 got 0.75 for 3 2 0": f" = 0.96 and 0.75: {THREE}",
    "assert 0.9608 == 0.7562 for 3,2,3,0,1,2 | 3,2": f" = 0.9608 and 0.7562: {BOTH}",
    "0.9608 != 0.7562 for 3,2,3,0,1,2 | 3,2": f" = 0.9608 and 0.7562: {BOTH}",
    "0.5 for 3 2~2 0": " = 0.5: d1:3 d2:2 =d3:2 d4:0",
    "0.5 for 3 - 1": " = 0.5: d1:3 d2:- d3:1",
    "0.5 for 3 ? 1": " = 0.5: d1:3 d2:- d3:1",
    "0.5 for nothing | 3 2": " = 0.5: | d1:3 d2:2",
    # numbers as they are printed
    "96.08% for 3 2 0": f" = 96.08%: {THREE}",
    "96,08 % for 3 2 0": f" = 96,08 %: {THREE}",
    "0,9608 for 3 2 0": f" = 0,9608: {THREE}",
    "0,9608 for 3,2,0": f" = 0,9608: {THREE}",
    ".9608 for 3 2 0": f" = .9608: {THREE}",
    "9.608e-1 for 3 2 0": f" = 9.608e-1: {THREE}",
    "nan for 0 0 0": " = nan: d1:0 d2:0 d3:0",
    "nDCG = NaN for 0 0": "nDCG = NaN: d1:0 d2:0",
    "1 for 3 2 0": f" = 1: {THREE}",
    "≈ 0.96 for 3 2 0": f" = 0.96: {THREE}",
    "~0.96 for 3 2 0": f" = 0.96: {THREE}",
    "0.9608@2 for 3 2 0": f"@2 = 0.9608: {THREE}",
    "nDCG = 0,96 for 0,5 1,0 0,0": "nDCG = 0,96: d1:0.5 d2:1 d3:0",
    "0.96 for 0,5; 1,0; 0,0": " = 0.96: d1:0.5 d2:1 d3:0",
    "0.96 for 0.5 1.0 0.0": " = 0.96: d1:0.5 d2:1 d3:0",
    # measures by the names that programs and papers give them
    "nDCG = 0.9 for 3 2 0": f"nDCG = 0.9: {THREE}",
    "NDCG@10: 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "ndcg@k=10 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "nDCG@ 10 = 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "ndcg10 = 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "ndcg_cut_10 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "ndcg_cut.10 = 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "ndcg_cut_10           \tall\t0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "ndcg_at_10 = 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "ndcg@10=0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "nDCG at 10 = 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "ndcg_score = 0.9 for 3 2 0": f"nDCG = 0.9: {THREE}",
    "Normalized Discounted Cumulative Gain: 0.9 for 3 2 0": f"nDCG = 0.9: {THREE}",
    "normalised DCG@5 = 0.9 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "dcg_at_3 = 4.2 for 3 2 0": f"DCG@3 = 4.2: {THREE}",
    "P_10 = 0.2 for 1,0,1": "P@10 = 0.2: d1:1 d2:0 d3:1",
    "P10 = 0.2 for 1,0,1": "P@10 = 0.2: d1:1 d2:0 d3:1",
    "p@10 0.2 for 1,0,1": "P@10 = 0.2: d1:1 d2:0 d3:1",
    "Precision@10 = 0.2 for 1,0,1": "P@10 = 0.2: d1:1 d2:0 d3:1",
    "precision at 10: 0.2 for 1,0,1": "P@10 = 0.2: d1:1 d2:0 d3:1",
    "prec@10 is 0.2 for 1,0,1": "P@10 = 0.2: d1:1 d2:0 d3:1",
    "recall_100 = 0.2 for 1,0,1": "R@100 = 0.2: d1:1 d2:0 d3:1",
    "R@2 = 0.2 for 1,0,1": "R@2 = 0.2: d1:1 d2:0 d3:1",
    "recall@2 = 0.2 for 1,0,1": "R@2 = 0.2: d1:1 d2:0 d3:1",
    "map = 0.8 for 1,0,1": "AP = 0.8: d1:1 d2:0 d3:1",
    "MAP@10 = 0.8 for 1,0,1": "AP@10 = 0.8: d1:1 d2:0 d3:1",
    "map_cut_10 = 0.8 for 1,0,1": "AP@10 = 0.8: d1:1 d2:0 d3:1",
    "Mean Average Precision 0.8 for 1,0,1": "AP = 0.8: d1:1 d2:0 d3:1",
    "average precision of 0.8 for 1,0,1": "AP = 0.8: d1:1 d2:0 d3:1",
    "average_precision = 0.8 for 1,0,1": "AP = 0.8: d1:1 d2:0 d3:1",
    "MRR = 0.5 for 0,1": "RR = 0.5: d1:0 d2:1",
    "mrr@10 0.5 for 0,1": "RR@10 = 0.5: d1:0 d2:1",
    "recip_rank = 0.5 for 0,1": "RR = 0.5: d1:0 d2:1",
    "mean reciprocal rank: 0.5 for 0,1": "RR = 0.5: d1:0 d2:1",
    "err@20 = 0.5 for 0,1": "ERR@20 = 0.5: d1:0 d2:1",
    "RBP = 0.5 for 0,1": "RBP = 0.5: d1:0 d2:1",
    "rank-biased precision = 0.5 for 0,1": "RBP = 0.5: d1:0 d2:1",
    "bpref = 0.5 for 0,1": "bpref = 0.5: d1:0 d2:1",
    "PR-AUC = 0.5 for 0,1": "PR-AUC = 0.5: d1:0 d2:1",
    "alpha-nDCG@3 = 0.9 for AB A C 0 - | D": (
        "alpha-nDCG@3 = 0.9: d1:-AB d2:-A d3:-C d4:-0 d5:- | d6:-D"
    ),
    "α-nDCG = 0.9 for AB A": "alpha-nDCG = 0.9: d1:-AB d2:-A",
    "alpha_ndcg = 0.9 for 3:AB 1:0": "alpha-nDCG = 0.9: d1:3AB d2:10",
    # Python
    "nDCG = 0.96 for [3, 2, 0]": f"nDCG = 0.96: {THREE}",
    "nDCG = 0.96 for [3, 2, 0,]": f"nDCG = 0.96: {THREE}",
    "nDCG = 0.96 for (3, 2, 0)": f"nDCG = 0.96: {THREE}",
    "nDCG = 0.96 for [[3, 2, 0]]": f"nDCG = 0.96: {THREE}",
    "nDCG = 0.96 for [[3], [2], [0]]": f"nDCG = 0.96: {THREE}",
    "nDCG = 0.96 for [[3, 2, 0], [1, 0]]": f"nDCG = 0.96: {THREE} / d1:1 d2:0",
    "AP = 0.8 for [True, False, True]": "AP = 0.8: d1:1 d2:0 d3:1",
    "AP = 0.8 for True False True": "AP = 0.8: d1:1 d2:0 d3:1",
    "AP = 0.8 for [true,false,true]": "AP = 0.8: d1:1 d2:0 d3:1",
    "0.96 for [3, None, 0]": " = 0.96: d1:3 d2:- d3:0",
    "0.96 for [3, nan, 0]": " = 0.96: d1:3 d2:- d3:0",
    "0.96 for [3.0, 2.0, 0.0]": f" = 0.96: {THREE}",
    "0.96 for list([3, 2, 0])": f" = 0.96: {THREE}",
    "0.96\ngrades = [3, 2, 0]": f" = 0.96: {THREE}",
    "0.96\nimport numpy as np\nrel = np.array([3, 2, 0])": f" = 0.96: {THREE}",
    "0.96\n>>> rel = [3, 2, 0]": f" = 0.96: {THREE}",
    "0.96\nrel = [3,\n       2,\n       0]  # mine": f" = 0.96: {THREE}",
    "0.96\ny_true = [3, 2, 0]\ny_score = [0.9, 0.2, 0.5]": " = 0.96: d1:3 d2:0 d3:2",
    "0.96\ny_true = [[3, 2, 0]]\ny_score = [[.9, .5, .5]]": " = 0.96: d1:3 d2:2 =d3:0",
    "0.96\nlabels = [3, 2, 0]\npreds = [0.9, 0.2, 0.5]": " = 0.96: d1:3 d2:0 d3:2",
    "0.96 for ndcg_score([[3,2,0]], [[3,2,1]])": f"nDCG = 0.96: {THREE}",
    "ndcg_score([[3,2,0]], [[1,2,3]]) = 0.6": "nDCG = 0.6: d1:0 d2:2 d3:3",
    "ndcg_score([[3,2,0]], [[3,2,1]], k=2) = 1": f"nDCG@2 = 1: {THREE}",
    "0.6 for ndcg_score(y_true=[[3,2,0]], y_score=[[1,2,3]])": "nDCG = 0.6: d1:0 d2:2 d3:3",
    "0.6\nsklearn.metrics.ndcg_score(np.asarray([[3, 2, 0]]), np.asarray([[1, 2, 3]]))": (
        "nDCG = 0.6: d1:0 d2:2 d3:3"
    ),
    "0.6 for retrieval_normalized_dcg(tensor([1, 2, 3]), tensor([3, 2, 0]))": (
        "nDCG = 0.6: d1:0 d2:2 d3:3"
    ),
    "0.6 for average_precision_score([1, 0, 1], [0.9, 0.5, 0.1])": "AP = 0.6: d1:1 d2:0 d3:1",
    "0.6 for ndcg_at_k([3, 2, 0], 2)": f"nDCG@2 = 0.6: {THREE}",
    "0.9 {'a': 3, 'b': 0}": f" = 0.9: {NAMED}",
    "0.9 for dict(a=3, b=0)": f" = 0.9: {NAMED}",
    "0.9 for [('a', 3), ('b', 0)]": f" = 0.9: {NAMED}",
    "0.9 for OrderedDict([('a', 3), ('b', 0)])": f" = 0.9: {NAMED}",
    "0.9\nranking = ['a', 'b']\nqrels = {'a': 3, 'b': 0, 'x': 1}": f" = 0.9: {NAMED} | x:1",
    "0.9\nrun = {'a': 2.5, 'b': 1.5}\nqrels = {'a': 3, 'b': 0}": f" = 0.9: {NAMED}",
    "0.9\nretrieved = ['a', 'b']\nrelevant = {'a', 'x'}": " = 0.9: a:1 b:- | x:1",
    "0.9\nactual = ['a']\npredicted = ['b', 'a']": " = 0.9: b:- a:1",
    "0.9\nrun = {'q1': {'a': 2.5, 'b': 1.5}}\nqrels = {'q1': {'a': 3, 'b': 0}}": f" = 0.9: {NAMED}",
    # NumPy, PyTorch, TensorFlow, JAX, R, Julia, MATLAB
    "0.9608 for array([3, 2, 3, 0, 1, 2])": f" = 0.9608: {SIX}",
    "nDCG = 0.9608 for np.array([3., 2., 3., 0., 1., 2.])": f"nDCG = 0.9608: {SIX}",
    "0.9 for array([3, 2, 0], dtype=int32)": f" = 0.9: {THREE}",
    "0.9 for array([[3., 2., 0.]], dtype=float32)": f" = 0.9: {THREE}",
    "nDCG = 0.9608 for [3 2 3 0 1 2]": f"nDCG = 0.9608: {SIX}",
    "0.9608 for [3. 2. 3. 0. 1. 2.]": f" = 0.9608: {SIX}",
    "0.9 for [[3 2 0]\n [1 0 2]]": f" = 0.9: {THREE} / d1:1 d2:0 d3:2",
    "0.9 for [ True False  True]": " = 0.9: d1:1 d2:0 d3:1",
    "0.9 for [ 3. nan  0.]": " = 0.9: d1:3 d2:- d3:0",
    "0.9 for [np.int64(3), np.int64(2), np.int64(0)]": f" = 0.9: {THREE}",
    "0.9 for [np.float64(3.0), np.float64(2.0), np.float64(0.0)]": f" = 0.9: {THREE}",
    "0.9 for tensor([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for tensor([3., 2., 0.], device='cuda:0')": f" = 0.9: {THREE}",
    "0.9 for torch.tensor([[3, 2, 0]], dtype=torch.float32)": f" = 0.9: {THREE}",
    "0.9 for tensor([True, False])": " = 0.9: d1:1 d2:0",
    "0.9 for <tf.Tensor: shape=(3,), dtype=int32, numpy=array([3, 2, 0], dtype=int32)>": (
        f" = 0.9: {THREE}"
    ),
    "0.9 for tf.constant([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for Array([3, 2, 0], dtype=int32)": f" = 0.9: {THREE}",
    "0.9 for c(3, 2, 0)": f" = 0.9: {THREE}",
    "0.9 for c(3L, NA, 0L)": " = 0.9: d1:3 d2:- d3:0",
    "0.9\nrel <- c(3, 2, 0)": f" = 0.9: {THREE}",
    "0.9\n[1] 3 2 0": f" = 0.9: {THREE}",
    "0.9 for [3;2;0]": f" = 0.9: {THREE}",
    "0.9 for np.array([[3, 2, 0]])": f" = 0.9: {THREE}",
    # JSON
    '0.9 {"a": 3, "b": 0}': f" = 0.9: {NAMED}",
    '0.9\n{"doc":"a","grade":3}\n{"doc":"b","grade":0}': f" = 0.9: {NAMED}",
    '0.9\n[{"id": "a", "rel": 3}, {"id": "b", "rel": 0}]': f" = 0.9: {NAMED}",
    '0.9\n{"doc": ["a", "b"], "grade": [3, 0]}': f" = 0.9: {NAMED}",
    '0.9\n{"ranking": ["a", "b"], "judgments": {"a": 3, "b": 0}}': f" = 0.9: {NAMED}",
    # pandas, polars, Markdown, psql
    "0.9\n0    3\n1    2\n2    0\nName: rel, dtype: int64": f" = 0.9: {THREE}",
    "0.9\n0    3.0\n1    2.0\n2    0.0\ndtype: float64": f" = 0.9: {THREE}",
    "0.9\na    3\nb    0\nName: rel, dtype: int64": f" = 0.9: {NAMED}",
    "0.9\n0    3\n1    2\n2    0": f" = 0.9: {THREE}",
    "0.9\n  doc  grade\n0   a      3\n1   b      0": f" = 0.9: {NAMED}",
    "0.9\n  doc  grade\n0   a      3\n1   b      0\n\n[2 rows x 2 columns]": f" = 0.9: {NAMED}",
    "0.9 for pd.Series([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for pd.Series([3, 0], index=['a', 'b'])": f" = 0.9: {NAMED}",
    "0.9\npd.DataFrame({'doc': ['a', 'b'], 'grade': [3, 0]})": f" = 0.9: {NAMED}",
    "0.9\n| doc | grade |\n|-----|-------|\n| a | 3 |\n| b | 0 |": f" = 0.9: {NAMED}",
    "0.9\n doc | grade \n-----+-------\n a   |     3\n b   |     0\n(2 rows)": f" = 0.9: {NAMED}",
    "0.9\n┌─────┬───────┐\n│ doc ┆ grade │\n│ --- ┆ ---   │\n│ str ┆ i64   │\n╞═════╪═══════╡\n"
    "│ a   ┆ 3     │\n│ b   ┆ 0     │\n└─────┴───────┘": f" = 0.9: {NAMED}",
    # spreadsheets and CSV
    "0.9\ndoc,grade\na,3\nb,0": f" = 0.9: {NAMED}",
    "0.9\ndoc;grade\na;3\nb;0": f" = 0.9: {NAMED}",
    "0.9\ndoc;grade\na;1,5\nb;0": " = 0.9: a:1.5 b:0",
    "0.9\nDoc name\tRelevance (0-3)\na\t3\nb\t0": f" = 0.9: {NAMED}",
    "0.9\nquery,doc,rank,score,label,clicks\nq,a,1,9.5,3,7\nq,b,2,8.5,0,2": f" = 0.9: {NAMED}",
    "0.9\nDokument;Relevanz\na;3\nb;0": f" = 0.9: {NAMED}",
    "0.9\n文档,相关性\na,3\nb,0": f" = 0.9: {NAMED}",
    "0.9\n文書\t関連度\na\t3\nb\t0": f" = 0.9: {NAMED}",
    "0.9\ntitle,rank,relevance\na,1,3\nb,2,0": f" = 0.9: {NAMED}",
    "0.9\n3\n2\n0": f" = 0.9: {THREE}",
    "0.9\na: 3\nb: 0": f" = 0.9: {NAMED}",
    "0.9 for a: 3, b: 0": f" = 0.9: {NAMED}",
    "0.9 for a=3 b=0": f" = 0.9: {NAMED}",
    # TREC, with and without a tag, and as MS MARCO has it
    "0.9\nq1 Q0 a 1 9.5 me\nq1 0 a 3\nq1 Q0 b 2 8.5 me\nq1 0 b 0": f" = 0.9: {NAMED}",
    "0.9\n301 Q0 a 1 9.5 me\n301 0 a 3": " = 0.9: a:3",
    "0.9\nq1 Q0 a 1 9.5\nq1 Q0 b 2 8.5": " = 0.9: a:- b:-",
    "0.9\nq1 a 1\nq1 b 2": " = 0.9: a:- b:-",
    "0.9\n1037798 0 7187158 2\n1037798 0 7187160 0": " = 0.9: | 7187158:2 7187160:0",
    # keyboards of other scripts
    "nDCG = 0.9608 for 3，2，3，0，1，2": f"nDCG = 0.9608: {SIX}",
    "nDCG＝0.9608，3，2，3，0，1，2": f"nDCG = 0.9608: {SIX}",
    "ｎDCG = 0.9 for 3 2 0": f"nDCG = 0.9: {THREE}",
    "0.9608 for 3、2、3、0、1、2": f" = 0.9608: {SIX}",
    "0.9608 for ３　２　３　０　１　２": f" = 0.9608: {SIX}",
    "０．９６０８ for ３，２，３，０，１，２": f" = 0.9608: {SIX}",
    "0.9608：3；2；3；0；1；2": f" = 0.9608: {SIX}",
    "0.9608 for 【3，2，3，0，1，2】": f" = 0.9608: {SIX}",
    "0.9608 for （3，2，3，0，1，2）": f" = 0.9608: {SIX}",
    "0.9608 for 3 2 3 0 1 2 ｜ 3 2": f" = 0.9608: {BOTH}",
    "nDCG@5 = 0.9608 对于 3 2 3 0 1 2": f"nDCG@5 = 0.9608: {SIX}",
    "0.9 for ٣ ٢ ٠": f" = 0.9: {THREE}",
    "0.9 for ३, २, ०": f" = 0.9: {THREE}",
    "0.9 for 3 −1": " = 0.9: d1:3 d2:-1",
    "0.9 for 3 — 1": " = 0.9: d1:3 d2:- d3:1",
    "0.9\n文档1，3\n文档2，0": " = 0.9: 文档1:3 文档2:0",
    "0.9\n“a”：3\n“b”：0": f" = 0.9: {NAMED}",
    # a question with its mark, words of other languages, answers of judges in words
    "why is ndcg 0.9608 for 3 2 3 0 1 2?": f"nDCG = 0.9608: {SIX}",
    "AP 0.5 for 1 0 ?": "AP = 0.5: d1:1 d2:0 d3:-",
    "0,9608 für 3 2 3 0 1 2": f" = 0,9608: {SIX}",
    "0.9608 pour 3;2;3;0;1;2": f" = 0.9608: {SIX}",
    "0.9608 的 3 2 3 0 1 2": f" = 0.9608: {SIX}",
    "P@5 = 0.6 for y n y": "P@5 = 0.6: d1:1 d2:0 d3:1",
    "0.6 for yes no no": " = 0.6: d1:1 d2:0 d3:0",
    "0.6 for T F T": " = 0.6: d1:1 d2:0 d3:1",
    "P@5=0.6 for ✓ ✗ ✔ ✘": "P@5 = 0.6: d1:1 d2:0 d3:1 d4:0",
    # the number behind a list, and a call without its lists
    "y_true=[[3,2,3,0,1,2]] ndcg=0.9608": f"nDCG = 0.9608: {SIX}",
    "c(3, 2, 0) ndcg 0.9": f"nDCG = 0.9: {THREE}",
    "[3, 2, 0] P@3: 100%": f"P@3 = 100%: {THREE}",
    "ndcg_score(y_true, y_score) = 0.9 for 3 2 0": f"nDCG = 0.9: {THREE}",
    "run = {'q': {'a': 2, 'b': 1}}; qrels = {'q': {'a': 3, 'b': 0}}; RR=0.5": f"RR = 0.5: {NAMED}",
    # a cut-off beside the rest, an interval, two libraries, a sentence
    "nDCG 0.9 for 3, 2, 0 (k=10)": f"nDCG@10 = 0.9: {THREE}",
    "nDCG=0.9,rel=3 2 0,k=5": f"nDCG@5 = 0.9: {THREE}",
    "k=5 nDCG=0.9 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "nDCG@5 = 0.9±0.01 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "nDCG@5 = 0.90 (0.88, 0.92) for 3 2 0": f"nDCG@5 = 0.90: {THREE}",
    "sklearn: 0.9, ranx: 1.0 for 3 2 0": f" = 0.9 and 1.0: {THREE}",
    "expected 1.0, got 0.9 for 3 2 0": f" = 1.0 and 0.9: {THREE}",
    "My nDCG@10 comes out as 0.9 for the grades 3, 2, 0": f"nDCG@10 = 0.9: {THREE}",
    "P@3 = 0.67 for rel nonrel rel": "P@3 = 0.67: d1:1 d2:0 d3:1",
    "0.9\nshape: (3,)\nSeries: 'rel' [i64]\n[\n\t3\n\t2\n\t0\n]": f" = 0.9: {THREE}",
    # what an impatient visitor pastes: each reading was written down before it was tried
    "0.9 for array([3, 2, 0], dtype=uint8)": f" = 0.9: {THREE}",
    "0.9 for np.asarray([3,2,0], np.float32)": f" = 0.9: {THREE}",
    "0.9 for numpy.array([[3],[2],[0]])": f" = 0.9: {THREE}",
    "nDCG = 0.9 for [[3]\n [2]\n [0]]": f"nDCG = 0.9: {THREE}",
    "0.9 for [3.e+00 2.e+00 0.e+00]": f" = 0.9: {THREE}",
    "0.9 for [0.5 1.  0. ]": " = 0.9: d1:0.5 d2:1 d3:0",
    "0.9 for array([3., nan, 0.])": " = 0.9: d1:3 d2:- d3:0",
    "0.9 for masked_array(data=[3, --, 0], mask=[False, True, False], fill_value=999999)": (
        " = 0.9: d1:3 d2:- d3:0"
    ),
    "0.9 for array([ True, False,  True])": f" = 0.9: {HIT}",
    "0.9 for tensor([3, 2, 0], dtype=torch.int8)": f" = 0.9: {THREE}",
    "0.9 for tensor([[3],\n        [2],\n        [0]])": f" = 0.9: {THREE}",
    "0.9 for tensor([3., 2., 0.], device='mps:0', requires_grad=True)": f" = 0.9: {THREE}",
    "0.9 for tensor([3., 2., 0.], grad_fn=<AddBackward0>)": f" = 0.9: {THREE}",
    "tensor(0.9608) for [3,2,3,0,1,2]": f" = 0.9608: {SIX}",
    "nDCG = tensor(0.9000) for tensor([3, 2, 0])": f"nDCG = 0.9000: {THREE}",
    "np.float64(0.9608) for [3, 2, 0]": f" = 0.9608: {THREE}",
    "nDCG = np.float64(0.9) for [3, 2, 0]": f"nDCG = 0.9: {THREE}",
    (
        "0.9 for <tf.Tensor: shape=(1, 3), dtype=float32, numpy=array([[3., 2., 0.]], d"
        "type=float32)>"
    ): (f" = 0.9: {THREE}"),
    "0.9 for tf.Tensor([3 2 0], shape=(3,), dtype=int32)": f" = 0.9: {THREE}",
    "0.9 for <tf.RaggedTensor [[3, 2, 0], [1]]>": f" = 0.9: {THREE} / d1:1",
    "0.9 for jnp.array([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for Array([3., 2., 0.], dtype=float32, weak_type=True)": f" = 0.9: {THREE}",
    "0.9 for DeviceArray([3, 2, 0], dtype=int32)": f" = 0.9: {THREE}",
    "0.9 for mx.array([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for paddle.to_tensor([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for cupy.array([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for pl.Series('rel', [3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for pl.Series([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for pl.DataFrame({'doc': ['a', 'b'], 'rel': [3, 0]})": f" = 0.9: {NAMED}",
    "0.9 for pd.Series([3, 2, 0], name='rel', dtype='int64')": f" = 0.9: {THREE}",
    (
        "0.9\nshape: (2, 2)\n┌─────┬─────┐\n│ doc ┆ rel │\n│ --- ┆ --- │\n│ str ┆ i64 │\n╞═"
        "════╪═════╡\n│ a   ┆ 3   │\n│ b   ┆ 0   │\n└─────┴─────┘"
    ): (f" = 0.9: {NAMED}"),
    "0.9\nshape: (3,)\nSeries: '' [f64]\n[\n\t3.0\n\t2.0\n\t0.0\n]": f" = 0.9: {THREE}",
    "0.9\ndocid\na    3\nb    0\nName: rel, dtype: int64": f" = 0.9: {NAMED}",
    "0.9\n   rel\n0    3\n1    2\n2    0": f" = 0.9: {THREE}",
    "0.9\n     rel\ndoc     \na      3\nb      0": f" = 0.9: {NAMED}",
    (
        "0.9\n  qid docno  label  score  rank\n0   1     a      3    9.5     0\n1   1     "
        "b      0    8.5     1"
    ): (f" = 0.9: {NAMED}"),
    "0.9\n0     True\n1    False\n2     True\nName: rel, dtype: bool": f" = 0.9: {HIT}",
    "0.9\n0    3\n1    2\n2    0\ndtype: int64": f" = 0.9: {THREE}",
    "0.9\n0    3.0\n1    NaN\n2    0.0\nName: rel, dtype: float64": " = 0.9: d1:3 d2:- d3:0",
    "0.9 for Index([3, 2, 0], dtype='int64')": f" = 0.9: {THREE}",
    "0.9 for [3, 2, 0].tolist()": f" = 0.9: {THREE}",
    "0.9 for [Decimal('3'), Decimal('2'), Decimal('0')]": f" = 0.9: {THREE}",
    "0.9 for np.array([3,2,0]).reshape(1,-1)": f" = 0.9: {THREE}",
    "0.9 for [[3, 2], [1, 0]]": " = 0.9: d1:3 d2:2 / d1:1 d2:0",
    "0.9 for (3, 2, 0,)": f" = 0.9: {THREE}",
    "0.9 for '3 2 0'": f" = 0.9: {THREE}",
    '0.9 for "3,2,0"': f" = 0.9: {THREE}",
    "0.9 for ['d1', 'd2']": " = 0.9: d1:- d2:-",
    "sklearn.metrics.ndcg_score([[3, 2, 0]], [[0.9, 0.5, 0.1]], k=2) = 0.9": (
        f"nDCG@2 = 0.9: {THREE}"
    ),
    "0.9 for dcg_score(np.array([[3, 2, 0]]), np.array([[3., 2., 1.]]))": f"DCG = 0.9: {THREE}",
    ">>> ndcg_score([[3, 2, 0]], [[3, 2, 1]])\n0.9": f"nDCG = 0.9: {THREE}",
    "In [3]: ndcg_score([[3, 2, 0]], [[3, 2, 1]])\nOut[3]: 0.9": f"nDCG = 0.9: {THREE}",
    "ndcg_score([[3, 2, 0]], [[3, 2, 1]]) -> 0.9": f"nDCG = 0.9: {THREE}",
    "print(ndcg_score([[3, 2, 0]], [[3, 2, 1]])) # 0.9": f"nDCG = 0.9: {THREE}",
    "assert ndcg_score([[3, 2, 0]], [[3, 2, 1]]) == 0.9": f"nDCG = 0.9: {THREE}",
    "0.9 for average_precision_score(y_true=[1, 0, 1], y_score=[0.3, 0.2, 0.1])": (
        f"AP = 0.9: {HIT}"
    ),
    "0.9 for precision_score([1, 0, 1], [1, 1, 0])": "P = 0.9: d1:1 =d2:0 d3:1",
    (
        "0.9 for torchmetrics.functional.retrieval.retrieval_reciprocal_rank(preds=tens"
        "or([0.2, 0.3, 0.5]), target=tensor([False, True, False]))"
    ): ("RR = 0.9: d1:0 d2:1 d3:0"),
    (
        "0.9 for retrieval_normalized_dcg(preds=torch.tensor([.1, .2, .3, 4, 70]), targ"
        "et=torch.tensor([10, 0, 0, 1, 5]), top_k=3)"
    ): ("nDCG@3 = 0.9: d1:5 d2:1 d3:0 d4:0 d5:10"),
    (
        "0.9 for retrieval_precision(tensor([0.2, 0.3, 0.5]), tensor([True, False, True]), top_k=2)"
    ): (f"P@2 = 0.9: {HIT}"),
    "0.9\nqrels = Qrels({'q1': {'a': 3, 'b': 0}})\nrun = Run({'q1': {'a': 0.9, 'b': 0.5}})": (
        f" = 0.9: {NAMED}"
    ),
    "0.9\nqrel = {'q1': {'a': 3, 'b': 0}}\nrun = {'q1': {'a': 0.9, 'b': 0.5}}": f" = 0.9: {NAMED}",
    "nDCG@10    0.4321": "nDCG@10 = 0.4321: ",
    "map                   \tall\t0.2500": "AP = 0.2500: ",
    "P_5                   \tall\t0.6000 for 1 1 0 0 1": "P@5 = 0.6000: d1:1 d2:1 d3:0 d4:0 d5:1",
    "ndcg_cut_10           \t301\t0.4321 for 3 2 0": f"nDCG@10 = 0.4321: {THREE}",
    "recip_rank            \tall\t0.5000 for 0 1": "RR = 0.5000: d1:0 d2:1",
    "bpref                 \tall\t0.2500 for 1 0 1": f"bpref = 0.2500: {HIT}",
    "recall_5              \tall\t0.6000 for 1 0 1": f"R@5 = 0.6000: {HIT}",
    "ndcg@10: 0.4321 (epoch 3)": "nDCG@10 = 0.4321: ",
    "ndcg@10: 0.4321 (epoch 3) for 3 2 0": f"nDCG@10 = 0.4321: {THREE}",
    "[epoch 3] ndcg@10=0.4321 for 3 2 0": f"nDCG@10 = 0.4321: {THREE}",
    "eval/ndcg@10: 0.4321 for 3 2 0": f"nDCG@10 = 0.4321: {THREE}",
    "test NDCG@10 0.4321 for 3 2 0": f"nDCG@10 = 0.4321: {THREE}",
    "Mean nDCG@10: 0.4321 for 3 2 0": f"nDCG@10 = 0.4321: {THREE}",
    "ndcg_at_10 0.43 for 3 2 0": f"nDCG@10 = 0.43: {THREE}",
    '"ndcg@10": 0.43 for 3 2 0': f"nDCG@10 = 0.43: {THREE}",
    "nDCG@10=0.43%": "nDCG@10 = 0.43%: ",
    "0.9\n3 & 2 & 0 \\\\": f" = 0.9: {THREE}",
    "0.9 for 3 & 2 & 0 \\\\": f" = 0.9: {THREE}",
    "$0.9$ for 3 2 0": f" = 0.9: {THREE}",
    "nDCG@10 = \\textbf{0.9} for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "0.9\na & 3 \\\\\nb & 0 \\\\": f" = 0.9: {NAMED}",
    "0.9\n\\begin{tabular}{lr}\na & 3 \\\\\nb & 0 \\\\\n\\end{tabular}": f" = 0.9: {NAMED}",
    "0.9 for $3, 2, 0$": f" = 0.9: {THREE}",
    "0.9\ndoc\tgrade\r\na\t3\r\nb\t0\r\n": f" = 0.9: {NAMED}",
    "0.9\n3\r\n2\r\n0": f" = 0.9: {THREE}",
    "0,9\n3\t2\t0": f" = 0,9: {THREE}",
    "0.9\nRank\tDocument\tRelevance\n1\ta\t3\n2\tb\t0": f" = 0.9: {NAMED}",
    '0.9\n"doc","grade"\n"a","3"\n"b","0"': f" = 0.9: {NAMED}",
    "0.9\n\tdoc\tgrade\n0\ta\t3\n1\tb\t0": f" = 0.9: {NAMED}",
    "0.9\n,doc,grade\n0,a,3\n1,b,0": f" = 0.9: {NAMED}",
    "0.9\nDoc;Grade\na;3,0\nb;0,0": f" = 0.9: {NAMED}",
    "0.9\ndoc,grade\na,3\nb,": " = 0.9: a:3 b:-",
    "0.9\ndoc,grade\na,TRUE\nb,FALSE": " = 0.9: a:1 b:0",
    "0.9\n{3,2,0}": f" = 0.9: {THREE}",
    '0.9\n{"grades": [3, 2, 0]}': f" = 0.9: {THREE}",
    '0.9\n[{"_id": "a", "rating": 3}, {"_id": "b", "rating": 0}]': f" = 0.9: {NAMED}",
    '0.9\n[{"docid":"a","score":2.5,"relevance":3},{"docid":"b","score":1.5,"relevance":0}]': (
        f" = 0.9: {NAMED}"
    ),
    '0.9 for {"d1":"3","d2":"2","d3":"0"}': f" = 0.9: {THREE}",
    "0.9 for [3,2,null]": " = 0.9: d1:3 d2:2 d3:-",
    '0.9 for {"3": 1, "2": 2}': " = 0.9: 3:1 2:2",
    "0.9 for c(3,2,0)": f" = 0.9: {THREE}",
    "0.9 for c(3L,2L,0L)": f" = 0.9: {THREE}",
    "0.9 for c(TRUE, FALSE, TRUE)": f" = 0.9: {HIT}",
    "0.9 for c(T, F, T)": f" = 0.9: {HIT}",
    "0.9 for c(a=3, b=0)": f" = 0.9: {NAMED}",
    "0.9\n[1] 3 2 3 0 1\n[6] 2": f" = 0.9: {SIX}",
    "0.9\n[1]  TRUE FALSE  TRUE": f" = 0.9: {HIT}",
    "0.9\n  doc rel\n1   a   3\n2   b   0": f" = 0.9: {NAMED}",
    "0.9 for data.frame(doc=c('a','b'), rel=c(3,0))": f" = 0.9: {NAMED}",
    "0.9 for [3 2 0]'": f" = 0.9: {THREE}",
    "0.9 for [3 2 0];": f" = 0.9: {THREE}",
    "0.9 for [3, 2, 0];": f" = 0.9: {THREE}",
    "rel = [3 2 0]; ndcg = 0.9": f"nDCG = 0.9: {THREE}",
    "0.9 for Int64[3, 2, 0]": f" = 0.9: {THREE}",
    "0.9 for [3; 2; 0]": f" = 0.9: {THREE}",
    "0.9 for Vector([3, 2, 0])": f" = 0.9: {THREE}",
    "0.9 for vec![3, 2, 0]": f" = 0.9: {THREE}",
    "0.9 for new int[]{3, 2, 0}": f" = 0.9: {THREE}",
    "0.9 for Arrays.asList(3, 2, 0)": f" = 0.9: {THREE}",
    "0.9 for List.of(3, 2, 0)": f" = 0.9: {THREE}",
    "0.9 for std::vector<int>{3, 2, 0}": f" = 0.9: {THREE}",
    "0.9 for []int{3, 2, 0}": f" = 0.9: {THREE}",
    "0.9 for int rel[] = {3, 2, 0};": f" = 0.9: {THREE}",
    "0.9 for const rel = [3, 2, 0];": f" = 0.9: {THREE}",
    "nDCG@10 为 0.9，等级为 3、2、0": f"nDCG@10 = 0.9: {THREE}",
    "0.9，等级：3 2 0": f" = 0.9: {THREE}",
    "ｎＤＣＧ＠５＝０．９\u3000３\u3000２\u3000０": f"nDCG@5 = 0.9: {THREE}",
    "精度@5 = 0.6 对于 1、1、0": "P@5 = 0.6: d1:1 d2:1 d3:0",
    "0.9 对 ３、２、０": f" = 0.9: {THREE}",
    "0.9 for [３，２，０]": f" = 0.9: {THREE}",
    "0.5 for 3": " = 0.5: d1:3",
    "0.5 for 100 50": " = 0.5: d1:100 d2:50",
    "0.5 for 10 5 0": " = 0.5: d1:10 d2:5 d3:0",
    "0.9 for [101]": " = 0.9: d1:101",
    "0.9 for 3 2 1 0 4 5 6 7 8 9": " = 0.9: d1:3 d2:2 d3:1 d4:0 d5:4 d6:5 d7:6 d8:7 d9:8 d10:9",
    "0.9 for 0.5 0.25 1": " = 0.9: d1:0.5 d2:0.25 d3:1",
    "0.9 for -1 2 0": " = 0.9: d1:-1 d2:2 d3:0",
    "0.9 for 3 -1 0": " = 0.9: d1:3 d2:-1 d3:0",
    "0.9 for 3 −1 0": " = 0.9: d1:3 d2:-1 d3:0",
    "0.9 for 3 - 1 0": " = 0.9: d1:3 d2:- d3:1 d4:0",
    "0.9 for +3 +2 0": f" = 0.9: {THREE}",
    "0.9 for 1e0 2e0": " = 0.9: d1:1 d2:2",
    "0.9 for 1e3 0": " = 0.9: d1:1000 d2:0",
    "0.9 for 3 nan 0": " = 0.9: d1:3 d2:- d3:0",
    "0.9 for 3 2 0.": f" = 0.9: {THREE}",
    "0.9 for 3 2 0!": f" = 0.9: {THREE}",
    "0.9 for d1=3, d2=2, d3=0": f" = 0.9: {THREE}",
    "0.9 for a:3;b:0": f" = 0.9: {NAMED}",
    "0.9\n0 3\n1 2\n2 0": f" = 0.9: {THREE}",
    "0.9\n1: 3\n2: 2\n3: 0": " = 0.9: 1:3 2:2 3:0",
    "0.9 for rank1=3 rank2=0": " = 0.9: rank1:3 rank2:0",
    "90.0 for 3 2 0": f" = 90.0: {THREE}",
    "90 % for 3 2 0": f" = 90 %: {THREE}",
    "0.9000000000000001 for 3 2 0": f" = 0.9000000000000001: {THREE}",
    "9e-1 for 3 2 0": f" = 9e-1: {THREE}",
    "1.0 for 3 2 0": f" = 1.0: {THREE}",
    "-0.25 for 3 2 0": f" = -0.25: {THREE}",
    "−0.25 for 3 2 0": f" = -0.25: {THREE}",
    "1,000 for 3 2 0": f" = 1,000: {THREE}",
    "0,9608 for 3;2;0": f" = 0,9608: {THREE}",
    "96,08% for 3 2 0": f" = 96,08%: {THREE}",
    "０．９ for 3 2 0": f" = 0.9: {THREE}",
    "0.9 ± 0.1 for 3 2 0": f" = 0.9: {THREE}",
    "NDCG 0.9 for 3 2 0": f"nDCG = 0.9: {THREE}",
    "MAP@5 (sklearn) = 0.9 for 1 0 1": f"AP@5 = 0.9: {HIT}",
    "mAP = 0.9 for 1 0 1": f"AP = 0.9: {HIT}",
    "prec@3: 0.67 for 1 0 1": f"P@3 = 0.67: {HIT}",
    "Precision at rank 3 = 0.67 for 1 0 1": f"P@3 = 0.67: {HIT}",
    "P(3) = 0.67 for 1 0 1": f"P@3 = 0.67: {HIT}",
    "P(k=3) = 0.67 for 1 0 1": f"P@3 = 0.67: {HIT}",
    "Recall@5=0.5 for 1 0 1": f"R@5 = 0.5: {HIT}",
    "MRR@10=0.5 for 0 1": "RR@10 = 0.5: d1:0 d2:1",
    "Reciprocal Rank@10 = 0.5 for 0 1": "RR@10 = 0.5: d1:0 d2:1",
    "RBP@10=0.5 for 0 1": "RBP@10 = 0.5: d1:0 d2:1",
    "Q@10=0.5 for 0 1": "Q@10 = 0.5: d1:0 d2:1",
    "Q-measure=0.5 for 0 1": "Q = 0.5: d1:0 d2:1",
    "NDCG@10 (beir): 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "trec_eval ndcg_cut_5: 0.9 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "ranx ndcg@5: 0.9 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "sklearn ndcg_score gives 0.9 for 3 2 0": f"nDCG = 0.9: {THREE}",
    "my nDCG@5 is 0.9 but trec_eval says 0.8 for 3 2 0": f"nDCG@5 = 0.9 and 0.8: {THREE}",
    "I get nDCG@5 = 0.9 instead of 0.8 for 3 2 0": f"nDCG@5 = 0.9 and 0.8: {THREE}",
    "nDCG@5 should be 0.9 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "3 2 0 nDCG@5 0.9": f"nDCG@5 = 0.9: {THREE}",
    "3 2 0 -> nDCG@5 = 0.9": f"nDCG@5 = 0.9: {THREE}",
    "nDCG@5(3 2 0) = 0.9": f"nDCG@5 = 0.9: {THREE}",
    "nDCG@5([3, 2, 0]) = 0.9": f"nDCG@5 = 0.9: {THREE}",
    "nDCG([3, 2, 0], k=5) = 0.9": f"nDCG@5 = 0.9: {THREE}",
    "ndcg([3, 2, 0]) = 0.9": f"nDCG = 0.9: {THREE}",
    "0.9": " = 0.9: ",
    "nDCG": "nDCG = : ",
    "nDCG@5 =": "nDCG@5 = : ",
    "0.9 for nan": " = 0.9: d1:-",
    "0.9\n1 Q0 a 1 9.5 bm25\n1 Q0 b 2 8.5 bm25\n\n1 0 a 3\n1 0 b 0": f" = 0.9: {NAMED}",
    "0.9\nq1\tQ0\ta\t1\t9.5\tbm25": " = 0.9: a:-",
    # and what the next one pastes
    "0.5 for [1] | 1 0": " = 0.5: d1:1 | d2:1 d3:0",
    "nDCG: 0.9, grades: [3, 2, 0]": f"nDCG = 0.9: {THREE}",
    "nDCG@3=0.9; grades=3,2,0": f"nDCG@3 = 0.9: {THREE}",
    "score: 0.9\ngrades: 3 2 0": f" = 0.9: {THREE}",
    "nDCG@3\t0.9\t3\t2\t0": f"nDCG@3 = 0.9: {THREE}",
    "nDCG@3 0.9\n3\n2\n0": f"nDCG@3 = 0.9: {THREE}",
    "0.9\n\n3 2 0": f" = 0.9: {THREE}",
    "[3,2,0]\n0.9": f" = 0.9: {THREE}",
    (
        "y_true = [1, 0, 1]\ny_score = [.9, .8, .7]\naverage_precision_score(y_true, y_score)\n0.83"
    ): (f"AP = 0.83: {HIT}"),
    (
        "y_true = [1, 0, 1]\ny_score = [.9, .8, .7]\naverage_precision_score(y_true, y_sc"
        "ore)  # 0.83"
    ): (f"AP = 0.83: {HIT}"),
    (
        "import numpy as np\nfrom sklearn.metrics import ndcg_score\ny = np.array([[3,2,0"
        "]])\ns = np.array([[3,2,1]])\nprint(ndcg_score(y, s))"
    ): (f"nDCG = : {THREE}"),
    "ndcg_score(np.array([[3, 2, 0]]), np.array([[.1, .2, .3]]), k=3)\n0.65": (
        "nDCG@3 = 0.65: d1:0 d2:2 d3:3"
    ),
    "ndcg@10    0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "nDCG@10\tall\t0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "eval-ndcg@10:0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "test-map@3: 0.9 for 1 0 1": f"AP@3 = 0.9: {HIT}",
    "NDCG(10) = 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "nDCG at rank 10 is 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "normalized discounted cumulative gain at 10 = 0.9 for 3 2 0": f"nDCG@10 = 0.9: {THREE}",
    "Mean reciprocal rank @10 0.5 for 0 1": "RR@10 = 0.5: d1:0 d2:1",
    "precision@3 = 66.7% for 1 0 1": f"P@3 = 66.7%: {HIT}",
    "precision@3 = 66,7 % for 1 0 1": f"P@3 = 66,7 %: {HIT}",
    "P@3=0,667 for 1;0;1": f"P@3 = 0,667: {HIT}",
    "P@3=0,667 für 1;0;1": f"P@3 = 0,667: {HIT}",
    "P@3=0,667 avec 1 0 1": f"P@3 = 0,667: {HIT}",
    "P@3=0,667 con 1 0 1": f"P@3 = 0,667: {HIT}",
    "召回率@3＝0.5，相关性：1、0、1": f"R@3 = 0.5: {HIT}",
    "適合率@3 は 0.67、関連度は 1、0、1": f"P@3 = 0.67: {HIT}",
    "MRR：0.5；等级：0，1": "RR = 0.5: d1:0 d2:1",
    "0.9 for ［３，\u3000２，\u3000０］": f" = 0.9: {THREE}",
    "0.9 for 3, 2, 0;": f" = 0.9: {THREE}",
    "0.9 for 3, 2, 0,,": f" = 0.9: {THREE}",
    "0.9 for 3 2 0 |": f" = 0.9: {THREE}",
    "0.9 for | 3 2 0": f" = 0.9: | {THREE}",
    "0.9 for 3 2 0 | -": f" = 0.9: {THREE} | d4:-",
    "0.9 for 3 2 0 / 1 | 2 / 0": f" = 0.9: {THREE} / d1:1 | d2:2 / d1:0",
    "0.9 for 3~2~0": " = 0.9: d1:3 =d2:2 =d3:0",
    "0.9 for ~3 2 0": f" = 0.9: {THREE}",
    "0.9 for 3 , 2 , 0": f" = 0.9: {THREE}",
    "0.9 for 3 ; 2 ; 0": f" = 0.9: {THREE}",
    "0.9 for 3\xa02\xa00": f" = 0.9: {THREE}",
    "0.9 for 3\u20092\u20090": f" = 0.9: {THREE}",
    "0.9\xa0for\xa03 2 0": f" = 0.9: {THREE}",
    "\ufeff0.9 for 3 2 0": f" = 0.9: {THREE}",
    "0.9 FOR 3 2 0": f" = 0.9: {THREE}",
    "0.9 for: [3 2 0]": f" = 0.9: {THREE}",
    "0.9 for the ranking 3 2 0": f" = 0.9: {THREE}",
    "0.9 with relevance [3,2,0]": f" = 0.9: {THREE}",
    "0.9 on 3 2 0": f" = 0.9: {THREE}",
    "0.9 @ 3 2 0": "@3 = 0.9: d1:2 d2:0",
    "0.9 if 3 2 0": f" = 0.9: {THREE}",
    "why nan for 0 0 0": " = nan: d1:0 d2:0 d3:0",
    "why do I get nan for 0 0 0": " = nan: d1:0 d2:0 d3:0",
    "NaN": " = NaN: ",
    "1e400 for 3 2 0": f" = 1e400: {THREE}",
    "1e-400 for 3 2 0": f" = 1e-400: {THREE}",
    "+0.9 for 3 2 0": f" = +0.9: {THREE}",
    "3 for 3 2 0": f" = 3: {THREE}",
    "0 for 0 0 0": " = 0: d1:0 d2:0 d3:0",
    "1 1 1": " = : d1:1 d2:1 d3:1",
    "1 2 3 4 5 6 7 8 9 10": " = : d1:1 d2:2 d3:3 d4:4 d5:5 d6:6 d7:7 d8:8 d9:9 d10:10",
    "0.9 for 0.3 0.2 0.1": " = 0.9: d1:0.3 d2:0.2 d3:0.1",
    "0.9 for 3.5 -2.25 0": " = 0.9: d1:3.5 d2:-2.25 d3:0",
    "0.9 for 1000 999 0": " = 0.9: d1:1000 d2:999 d3:0",
    "0.9 for 1 10 100": " = 0.9: d1:1 d2:10 d3:100",
    "name\tgrade\nx\t3": " = : x:3",
    "0.9\nid,relevance_grade\na,3\nb,0": f" = 0.9: {NAMED}",
    "0.9\ndocument id,grade (0-3)\na,3\nb,0": f" = 0.9: {NAMED}",
    "0.9\na   3\nb   0": f" = 0.9: {NAMED}",
    "0.9\n a 3 \n b 0 ": f" = 0.9: {NAMED}",
    "0.9\nhttp://x.org/a 3\nhttp://x.org/b 0": " = 0.9: http://x.org/a:3 http://x.org/b:0",
    "0.9\nmy doc,3\nyour doc,0": " = 0.9: my doc:3 your doc:0",
    '0.9\n"a" 3\n"b" 0': f" = 0.9: {NAMED}",
    "0.9\n'a' 3\n'b' 0": " = 0.9: 'a':3 'b':0",
    "0.9\na;3\nb;0": f" = 0.9: {NAMED}",
    "0.9\na|3\nb|0": f" = 0.9: {NAMED}",
    "0.9\na -> 3\nb -> 0": f" = 0.9: {NAMED}",
    "0.9\nrank doc grade\n1 a 3\n2 b 0": f" = 0.9: {NAMED}",
    "0.9\nrank,grade\n1,3\n2,2\n3,0": f" = 0.9: {THREE}",
    "0.9\nrank\tgrade\n3\t0\n1\t3\n2\t2": " = 0.9: d2:3 d3:2 d1:0",
    "0.9\ngrade\n3\n2\n0": f" = 0.9: {THREE}",
    "0.9\nrelevance\n3\n2\n0": f" = 0.9: {THREE}",
    "0.9\ny_true,y_score\n3,0.9\n2,0.1\n0,0.5": " = 0.9: d1:3 d3:0 d2:2",
    "0.9\nlabel score\n3 0.9\n2 0.1\n0 0.5": " = 0.9: d1:3 d3:0 d2:2",
    "0.9\nquery,doc,grade\nq,a,3\nq,b,0": f" = 0.9: {NAMED}",
    "0.9\na 3.5\nb 0": " = 0.9: a:3.5 b:0",
    "0.9 for {a: 3, b: 0}": f" = 0.9: {NAMED}",
    "0.9 for {'a': True, 'b': False}": " = 0.9: a:1 b:0",
    "0.9 for {1: 3, 2: 0}": " = 0.9: 1:3 2:0",
    "0.9 for [3, 2, 0] # three docs": f" = 0.9: {THREE}",
    "0.9 for [3, 2, 0] // three docs": f" = 0.9: {THREE}",
    "0.9 for set([3,2,0])": f" = 0.9: {THREE}",
    # and a third one
    "ndcg=0.9@5 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "0.9 ndcg@5 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "ndcg@5 for 3 2 0 = 0.9": f"nDCG@5 = 0.9: {THREE}",
    "ndcg@5 for [3,2,0] is 0.9": f"nDCG@5 = 0.9: {THREE}",
    "ndcg@5 of 3 2 0 is 0.9": f"nDCG@5 = 0.9: {THREE}",
    "AP of 1 0 1": f"AP = : {HIT}",
    "AP 1 0 1": f"AP = : {HIT}",
    "AP 0.8 1 0 1": f"AP = 0.8: {HIT}",
    "AP = 1 for 1 0 1": f"AP = 1: {HIT}",
    "P@3 1 0 1": f"P@3 = : {HIT}",
    "nDCG 1 3 2 0": "nDCG = : d1:1 d2:3 d3:2 d4:0",
    "DCG = 12 for 3 2 0": f"DCG = 12: {THREE}",
    "DCG 12 for 3 2 0": f"DCG = 12: {THREE}",
    "DCG = 7.26 for 3 2 0": f"DCG = 7.26: {THREE}",
    "0.9 for q1: 3 2 0": f" = 0.9: {THREE}",
    "0.9 for 3 2 0, 1 0 1": f" = 0.9: {THREE} d4:1 d5:0 d6:1",
    "alpha-nDCG@5 = 0.9 for AB A C": "alpha-nDCG@5 = 0.9: d1:-AB d2:-A d3:-C",
    "alpha-nDCG = 0.9 for {'a': ['A','B'], 'b': []}": "alpha-nDCG = 0.9: a:-AB b:-0",
    "ERR@20: 0.1234 for 4 3 0": "ERR@20 = 0.1234: d1:4 d2:3 d3:0",
    "NDCG5 = 0.9 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "ndcg_5 = 0.9 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "ndcg.5 = 0.9 for 3 2 0": f"nDCG@5 = 0.9: {THREE}",
    "MAP100 = 0.9 for 1 0 1": f"AP@100 = 0.9: {HIT}",
    "map@12 = 0.9 for 1 0 1": f"AP@12 = 0.9: {HIT}",
    "R100 = 0.9 for 1 0 1": f"R@100 = 0.9: {HIT}",
    "MRR10=0.5 for 0 1": "RR@10 = 0.5: d1:0 d2:1",
    "ndcg@10 0.9 vs 0.8 for 3 2 0": f"nDCG@10 = 0.9 and 0.8: {THREE}",
    "sklearn 0.9 trec_eval 0.8 for 3 2 0": f" = 0.9 and 0.8: {THREE}",
    "0.9±0.05 for 3 2 0": f" = 0.9: {THREE}",
    "~.9 for 3 2 0": f" = .9: {THREE}",
    "33 % for 0 0 1": " = 33 %: d1:0 d2:0 d3:1",
    "33.3 for 0 0 1": " = 33.3: d1:0 d2:0 d3:1",
}

# What can't be read, and how the answer begins.
REFUSED = {
    "0.9 for ndcg_score(y_true, y_score)": "Line 1: ndcg_score(...) has no list of grades here",
    "0.9 for ndcg_score([[3, 2, 0]], [[1, 2]])": "Line 1: there are 2 scores for 3 grades",
    "0.9 for [3 2 0 ... 1 1 2]": "Line 1: the print leaves out values (...)",
    "0.9 for [3, 2": "Line 1: the text ends too early",
    "0.9 for 3,,2": "Line 1: two commas stand side by side",
    "0.9 for 3-2-1": "Line 1: “3-2-1” can be grades. Write spaces or commas",
    "0.9 for 3/2/1": "Line 1: “3/2/1” can be grades. Write spaces or commas",
    "0.9 for 3,2 1,0": "Line 1: “3,2 1,0” can be decimals, as 3.2, or two grades each",
    "0.9\n***\n**\n*": "Line 1: “***” is neither a name nor a grade",
    "0.9 for 3 2 0 (5 docs)": "Line 1: “3 2 0 (5 docs)” is neither grades alone",
    "0.9\nq1 a 7\nq1 b 9": "Line 1: the third field can be a rank, a score or a grade",
    "2/3 for 1 0": "“2/3” is a fraction. Write the number with its decimals, such as 0.6667.",
    "0.5 1 0.5": "“0.5” can be your number or a grade. Write for between them",
    "0.9 for 3|2|1": "Write | once",
    "AP = 0.5 for RNRN": "“RNRN” has no grade. Write the grades with spaces",
    "0.5 for d1": "“d1” has no grade",
    "hit@10 = 1 for 1 0": "“hit” is not a measure of this page. Its own page has its formula: "
    "metric-success.html",
    "F1 = 0.5 for 1 0": "“F1” is not a measure of this page. Its own page has its formula: "
    "metric-f-measure.html",
    "AUC = 0.5 for 1 0": "“AUC” is not a measure of this page. Its own page has its formula: "
    "metric-roc-auc.html",
    "R-precision = 0.5 for 1 0 1": "“R-precision” is not a measure of this page. Its own page",
    "nDCG(gain=exp)@3 = 0.9 for 3 2": "“(gain=exp)” is an option. Write the measure without it",
    "RBP(p=0.8) = 0.4 for 1 0": "“(p=0.8)” is an option. Write the measure without it",
    "nDCG@k = 0.9 for 3 2": "@k is not a cut-off. Write a whole number, such as nDCG@10",
    "nDCG@2.5 = 0.9 for 3 2": "@2.5 is not a cut-off. Write a whole number",
    "nDCG = 1 for": "There are no grades behind “for”",
    "0.9 for 1,000 2": "Line 1: “000” begins with 0. Write spaces between grades",
    "RR 0.5 for 01": "Line 1: “01” begins with 0. Write spaces between grades",
    "0.9 for 3 2 0; 1 0 1": "Line 1: “;” can stand between grades or between queries",
    "foo@10 = 0.9 for 3 2": "“foo” is not a measure of this page",
    "0.9\ndoc,colour\na,red": "Line 1: colour is not a grade",
    "0.9\na,0.93\nb,0.5": "Line 1: 0.93 can be a score or a grade",
    "0.9 for 5000 1": "Line 1: 5000 is not a grade",
    # refused, each with what would do
    "ERR-IA@3 0.5: 1 0 1": "“ERR-IA” is not a measure of this page. Its own page has its formula: "
    "metric-err-ia.html",
    "IDCG([1, 0, 1]) = 0.5": "“IDCG” is not a measure of this page. Its own page has its formula",
    "0.9 for roc_auc_score([1, 0], [0.3, 0.2])": "“roc_auc_score” is not a measure of this page.",
    "AP@3 = 0.9 for ndcg_score([[3, 2, 0]], [[3, 2, 1]])": (
        "The line names AP, and ndcg_score(...) is nDCG."
    ),
    "0.9 for ndcg_score([[3, 2, 0]], [[3, 2, 1]], k=[1, 3])": (
        "Line 1: ndcg_score(...) asks for several cut-offs."
    ),
    "nDCG 110100": "“110100” can be your number, or the grades of 6 documents.",
    "0.9 for 101 110": "Line 1: “101” can be one grade, or the grades of 3 documents.",
    "0.9 for array(['3', '2', '0'], dtype='<U1')": (
        "Line 1: “3” in quotes can be a grade or a name."
    ),
    "0.9 for array([3, 2, 0, ..., 1, 0, 0])": "Line 1: the print leaves out values (...).",
    "0.9\n2    3\n0    2\n1    0\nName: rel, dtype: int64": (
        "Line 1: “2 3” can be grades alone, or a document with its grade."
    ),
    "0.9\n5    3\n6    2\n7    0\nName: rel, dtype: int64": (
        "Line 1: “5 3” can be grades alone, or a document with its grade."
    ),
    "0.9 for df['rel'].tolist() = [3, 2, 0]": (
        "Line 1: “df['rel'].tolist() = [3” is not read as a name."
    ),
    "0.9 for list(map(int, '3 2 0'.split()))": "Line 1: “.split()))” is not expected here.",
    "0.9 for range(3)": "Line 1: range(...) has no list of grades here.",
    "0.9 for [1]*3 + [0]": "Line 1: “[1]*3” is neither a name nor a grade.",
    "0.9 for [1]*5": "Line 1: “*5” is not expected here.",
    "0.9 for np.ones(3)": "Line 1: np.ones(...) has no list of grades here.",
    "0.9 for [[[3, 2, 0]]]": (
        'Line 1: write grades, [3, 2, 0], or names with grades, {"d1": 3, "d2": 0}.'
    ),
    "0.9 for ['3', '2', '0']": "Line 1: “3” in quotes can be a grade or a name.",
    "0.9 for [('a', 3), ('b', 0.5)]": "Line 1: 0.5 can be a score or a grade.",
    "0.9 for RetrievalMAP()(tensor([0.2, 0.3, 0.5]), tensor([0, 1, 1]))": (
        "Line 1: RetrievalMAP(...) has no list of grades here."
    ),
    (
        "0.9 for evaluate(Qrels({'q1': {'a': 3, 'b': 0}}), Run({'q1': {'a': 0.9, 'b': 0"
        ".5}}), 'ndcg@5')"
    ): ("Line 1: evaluate(...) has no list of grades here."),
    "{'ndcg@10': 0.4321, 'map': 0.25}": "Line 1: 0.4321 can be a score or a grade.",
    "{'q1': {'map': 0.5, 'ndcg': 0.9}}": "Line 1: 0.5 can be a score or a grade.",
    "{nDCG@10: 0.4321}": "Line 1: “nDCG@10: 0” is not expected here.",
    "[Metric(query_id='q1', measure=nDCG@10, value=0.9)]": (
        "Line 1: “nDCG@10, v” is not expected here."
    ),
    "Rprec                 \tall\t0.2000 for 1 0 1": "Line 1: all is not a grade.",
    "num_ret \tall\t1000": "Line 1: all is not a grade.",
    "success_1 all 1.0 for 1 0": "“success_” is not a measure of this page.",
    "iprec_at_recall_0.00 all 1.0 for 1 0 1": "“iprec_at_recall_0” is not a measure of this page.",
    "11pt_avg all 0.5 for 1 0 1": (
        "Line 1: “11pt_avg all 0.5 for 1 0 1” is neither grades alone, such as 3 2 0, nor a na"
    ),
    "P_10 all 0.3 / 1 0 1": (
        "Line 1: “/ 1 0 1” is neither grades alone, such as 3 2 0, nor a name with its grade, "
    ),
    "2024-05-01 12:00:03 INFO ndcg@10: 0.4321 for 3 2 0": (
        "Line 1: “2024-05-01 12:00:03 INFO ndcg@...” is neither grades alone, such as 3 2 0, n"
    ),
    "step 100 | ndcg@10 0.4321 for 3 2 0": "“step” is not a measure of this page.",
    "val_ndcg@10=0.4321 for 3 2 0": "“val_ndcg” is not a measure of this page.",
    "NDCG@10 : 0.4321 MRR@10 : 0.5 for 3 2 0": "The text names nDCG and RR. Ask for one measure.",
    "ndcg@10: 0.4321, mrr: 0.5 for 3 2 0": "The text names nDCG and RR. Ask for one measure.",
    "cos_sim-NDCG@10: 0.43 for 3 2 0": "“cos_sim-NDCG” is not a measure of this page.",
    '{"ndcg_at_10": 0.43}': "Line 1: 0.43 can be a score or a grade.",
    "nDCG & 0.9 \\\\ for 3 2 0": (
        "Line 1: “nDCG & 0.9 \\\\ for 3 2 0” is neither grades alone, such as 3 2 0, nor a name "
    ),
    "nDCG$_{10}$ = 0.9 for 3 2 0": (
        "Line 1: “nDCG$_{10}$ = 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a n"
    ),
    "0.9 for $(3, 2, 0)$": "Line 1: “$(3” is neither a name nor a grade.",
    "0.9\n1\ta\t3\n2\tb\t0": "Line 1: a is not a grade.",
    "0.9\ndoc\tgrade\na\t3\n\t\nb\t0": "Line 3: its cells are empty.",
    "0.9\ndoc,grade\na,3\nb,#N/A": "Line 3: #N/A is not a grade.",
    "0.9\ndoc,grade\na,relevant\nb,not relevant": "Line 2: relevant is not a grade.",
    "0.9\ndoc,grade\na,yes\nb,no": "Line 2: yes is not a grade.",
    "0.9\ndoc,grade\na,3\na,0": "Line 3: a is in the ranking twice.",
    "0.9\n={3;2;0}": "Line 1: “{3” is not read as a name.",
    "0.9 for A1:A5": "“A1:A5” has no grade.",
    "0.9 for =SUM(3,2,0)": "Line 1: SUM(...) has no list of grades here.",
    '{"value": 0.9, "grades": [3, 2, 0]}': "Line 1: 0.9 can be a score or a grade.",
    (
        '0.9\n{"hits": [{"_id": "a", "_score": 2.5, "rating": 3}, {"_id": "b", "_score":'
        ' 1.5, "rating": 0}]}'
    ): ('Line 1: a ranking is a list of names in quotes, ["d1", "d2"], or names with scores, {'),
    '0.9\n{"a":{"grade":3},"b":{"grade":0}}': (
        "Line 1: this is query b, and query a stands before it."
    ),
    '{"metric": "ndcg@10", "score": 0.9}': "Line 1: ndcg@10 is not a grade.",
    "0.9 for rep(1, 3)": "Line 1: rep(...) has no list of grades here.",
    "0.9 for 3:0": "Line 1: “3:0” can be a range, or a document with its grade.",
    "0.9 for 1:3": "Line 1: “1:3” can be a range, or a document with its grade.",
    "0.9 for seq(3, 0)": "Line 1: seq(...) has no list of grades here.",
    "0.9\na b \n3 0 ": "Line 1: b is not a grade.",
    "0.9\n# A tibble: 2 × 2\n  doc     rel\n  <chr> <dbl>\n1 a         3\n2 b         0": (
        "Line 3: <dbl> is not a grade."
    ),
    "[3 2 0] 0.9": "Line 1: write one ranking = [...], and one judgments = {...}.",
    "0.9\nans =\n\n     3     2     0": "Line 1: = is not a grade.",
    "0.9\n3-element Vector{Int64}:\n 3\n 2\n 0": "Line 1: Vector{Int64}: is not a grade.",
    "相关性：3，2，0；nDCG＝0.9": "Line 1: “3,2,0” is neither a name nor a grade.",
    "nDCGは0.9、評価は3、2、0": "Line 1: it has 4 fields.",
    "平均适合率 0.8 1 0 1": (
        "Line 1: “平均适合率 0.8 1 0 1” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "0.9 for 三 二 零": "Line 1: 二 is not a grade.",
    "0.9 for ①②③": "Line 1: “①②③” is neither a name nor a grade.",
    "0.9 for ３２０": "Line 1: “320” can be one grade, or the grades of 3 documents.",
    "0.9 for 「3、2、0」": "Line 1: “「3” is neither a name nor a grade.",
    "0.9 for 3・2・0": "Line 1: “3・2・0” can be grades.",
    "0.9 for 3。2。0": "Line 1: “3。2。0” can be grades.",
    "0.5 for 101": "Line 1: “101” can be one grade, or the grades of 3 documents.",
    "0.5 for 11": "Line 1: “11” can be one grade, or the grades of 2 documents.",
    "0.5 for 1101": "Line 1: 1101 is not a grade.",
    "P@3 = 0.67 for 101": "Line 1: “101” can be one grade, or the grades of 3 documents.",
    "P@3 = 0.67 for 110100": "Line 1: 110100 is not a grade.",
    "0.5 for 320 | 11": "Line 1: “320” can be one grade, or the grades of 3 documents.",
    "0.5 for 10": "Line 1: “10” can be one grade, or the grades of 2 documents.",
    "0.5 for 100": "Line 1: “100” can be one grade, or the grades of 3 documents.",
    "101": "“101” can be your number, or the grades of 3 documents.",
    "nDCG = 0.9 for 323012": "Line 1: 323012 is not a grade.",
    "0.9\n101": "Line 1: “101” can be one grade, or the grades of 3 documents.",
    "0.9 for 0b101": "“0b101” has no grade.",
    "0.9 for '101'": "Line 1: “'101'” can be grades.",
    "0.9 for ½ 1 0": "Line 1: “½” is neither a name nor a grade.",
    "0.9 for 1/2 1 0": "Line 1: “1/2” is neither a name nor a grade.",
    "0.9 for 3 -- 0": "Line 1: -- is not a grade.",
    "0.9 for 3+ 2 0": "Line 1: “3+” is neither a name nor a grade.",
    "0.9 for 3* 2 0": "Line 1: “3*” is neither a name nor a grade.",
    "0.9 for 1e9 0": "Line 1: 1e9 is not a grade.",
    "0.9 for inf 0": "Line 1: “inf” is neither a name nor a grade.",
    "0.9 for 3 x 0": "Line 1: x is not a grade.",
    "0.9 for three two zero": "Line 1: two is not a grade.",
    "0.9 for A B C": "Line 1: B is not a grade.",
    "0.9 for high low medium": "Line 1: low is not a grade.",
    "0.9 for 50% 20% 0%": "Line 1: “50%” is neither a name nor a grade.",
    "0.9 for 3, 2, , 0": "Line 1: two commas stand side by side.",
    "0.9 for ,3,2,0": "Line 1: the grades begin with a comma.",
    "0.9 for 3 2 0...": "Line 1: “0...” is neither a grade nor nuggets.",
    "0.9 for 3 2 0 ...": (
        "Line 1: “3 2 0 ...” is neither grades alone, such as 3 2 0, nor a name with its grade"
    ),
    "0.9 for 3 2 0 and 1 0": (
        "Line 1: “3 2 0 and 1 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "0.9 for (3 2 0) (1 0)": "Line 1: write one ranking = [...], and one judgments = {...}.",
    "0.9 for [3 2 0] [1 0]": "Line 1: write one ranking = [...], and one judgments = {...}.",
    "0.9 for 3 > 2 > 0": (
        "Line 1: “3 > 2 > 0” is neither grades alone, such as 3 2 0, nor a name with its grade"
    ),
    "0.9 for 3→2→0": "Line 1: “3→2→0” can be grades.",
    "0.9 for 3:2:0": "Line 1: “3:2:0” can be grades.",
    "0.9 for 3_2_0": "Line 1: “3_2_0” can be grades.",
    "0.9 for 3.2.0": "Line 1: “3.2.0” can be grades.",
    "0.9 for 3\\t2\\t0": "“3\\t2\\t0” has no grade.",
    "0.9 for <3, 2, 0>": "Line 1: “<3” is not read as a name.",
    "0.9 for d1 d2 d3": "Line 1: d2 is not a grade.",
    "0.9 for a(3) b(0)": "Line 1: a(...) has no list of grades here.",
    "0.9 for 1. a 2. b": (
        "Line 1: “1. a 2. b” is neither grades alone, such as 3 2 0, nor a name with its grade"
    ),
    "0.9\n1. 3\n2. 2\n3. 0": "“0.9” can be your number or a grade.",
    "0.9\n1) 3\n2) 2\n3) 0": "Line 1: “1)” is neither a name nor a grade.",
    "0.9\n- 3\n- 2\n- 0": "Line 1: “-” is neither a name nor a grade.",
    "0.9\n* a 3\n* b 0": "Line 1: the third field can be a rank, a score or a grade.",
    "0.9\n1 3\n2 2\n3 0": "Line 1: “1 3” can be grades alone, or a document with its grade.",
    "inf for 3 2 0": (
        "Line 1: “inf for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "None for 3 2 0": (
        "Line 1: “None for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its "
    ),
    "null for 3 2 0": (
        "Line 1: “null for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its "
    ),
    "0.9.1 for 3 2 0": (
        "Line 1: “0.9.1 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "0.86 0.96 for 3 2 0": (
        "Line 1: “0.96 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its "
    ),
    "0.86/0.96 for 3 2 0": (
        "Line 1: “0.86/0.96 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with"
    ),
    "0.86, 0.96 and 0.5 for 3 2 0": (
        "Line 1: “0.96 and 0.5 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name w"
    ),
    "0'9608 for 3 2 0": (
        "Line 1: “0'9608 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with it"
    ),
    "0·9 for 3 2 0": (
        "Line 1: “·9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its gr"
    ),
    "0.9 [0.8, 1.0] for 3 2 0": "Line 1: “for 3 2 0” is not expected here.",
    "0.9* for 3 2 0": (
        "Line 1: “0.9* for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its "
    ),
    "0.9† for 3 2 0": (
        "Line 1: “† for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its gra"
    ),
    "> 0.9 for 3 2 0": (
        "Line 1: “0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "<0.9 for 3 2 0": (
        "Line 1: “<0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its "
    ),
    "0.9-0.95 for 3 2 0": (
        "Line 1: “0.9-0.95 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with "
    ),
    "nine for 3 2 0": (
        "Line 1: “nine for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its "
    ),
    "NDCG@all = 0.9 for 3 2 0": "@all is not a cut-off.",
    "nDCG@[5] = 0.9 for 3 2 0": (
        "Line 1: “nDCG@[5] = 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name"
    ),
    "nDCG@5,10 = 0.9 for 3 2 0": "Line 1: 10 = 0.9 for 3 2 0 is not a grade.",
    "nDCG@5 and nDCG@10 = 0.9 for 3 2 0": (
        "Line 1: “nDCG@5 and nDCG@10 = 0.9 for 3...” is neither grades alone, such as 3 2 0, n"
    ),
    "ndcg-5 = 0.9 for 3 2 0": (
        "Line 1: “= 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "ndcg 5 = 0.9 for 3 2 0": (
        "Line 1: “= 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "nDCG@0 = 0.9 for 3 2 0": "k=0 is not a cut-off.",
    "nDCG@-5 = 0.9 for 3 2 0": (
        "Line 1: “nDCG@-5 = 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name "
    ),
    "nDCG@1e1 = 0.9 for 3 2 0": (
        "Line 1: “nDCG@1e1 = 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name"
    ),
    "nDCG@10000 = 0.9 for 3 2 0": "k=10000 is not a cut-off.",
    "nDCG_exp = 0.9 for 3 2 0": "“nDCG_exp” is not a measure of this page.",
    "nDCG (exponential) = 0.9 for 3 2 0": "“(exponential)” is an option.",
    "MAP@K = 0.9 for 1 0 1": "@K is not a cut-off.",
    "Prec 3 = 0.67 for 1 0 1": (
        "Line 1: “= 0.67 for 1 0 1” is neither grades alone, such as 3 2 0, nor a name with it"
    ),
    "top-3 precision = 0.67 for 1 0 1": "“top-” is not a measure of this page.",
    "Hit@1=1 for 1 0 1": "“Hit” is not a measure of this page.",
    "HR@10=1 for 1 0 1": "“HR” is not a measure of this page.",
    "accuracy=0.5 for 1 0 1": "“accuracy” is not a measure of this page.",
    "F1@5=0.5 for 1 0 1": "“F1” is not a measure of this page.",
    "infAP=0.5 for 0 1": "“infAP” is not a measure of this page.",
    "RBO=0.5 for 0 1": "“RBO” is not a measure of this page.",
    "rbp(0.8)=0.5 for 0 1": "“(0.8)” is an option.",
    "RBP(p=.8)=0.5 for 0 1": "“(p=.8)” is an option.",
    "bpref@10=0.5 for 0 1": "bpref has no cut-off k.",
    "tau=0.5 for 0 1": "“tau” is not a measure of this page.",
    "spearman=0.5 for 0 1": "“spearman” is not a measure of this page.",
    "GMAP=0.5 for 0 1": "“GMAP” is not a measure of this page.",
    "gm_map all 0.5 for 0 1": (
        "Line 1: “gm_map all 0.5 for 0 1” is neither grades alone, such as 3 2 0, nor a name w"
    ),
    "cosine similarity = 0.5 for 0 1": (
        "Line 1: “cosine similarity = 0.5 for 0 ...” is neither grades alone, such as 3 2 0, n"
    ),
    "IDCG = 4.26 for 3 2 0": "“IDCG” is not a measure of this page.",
    "IDCG@5=4.26 for 3 2 0": "“IDCG” is not a measure of this page.",
    "CG@5=4.26 for 3 2 0": "“CG” is not a measure of this page.",
    "nDCG@5 0.9 → 3 2 0": (
        "Line 1: “→ 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its grade, "
    ),
    "for": "The line has no number before the grades.",
    "0.9 for": "There are no grades behind “for”.",
    "0.9 for []": "Line 1: there is no document in it.",
    "0.9 for [[]]": 'Line 1: write grades, [3, 2, 0], or names with grades, {"d1": 3, "d2": 0}.',
    "==================================================": (
        "Line 1: “==============================...” is neither grades alone, such as 3 2 0, n"
    ),
    "<script>alert(1)</script>": "“<script>alert(1)</script>” has no grade.",
    "0.9 for <b>3</b>": "“<b>3</b>” has no grade.",
    "https://example.org/?q=0.9 for 3 2 0": (
        "Line 1: “https://example.org/?q=0.9 for...” is neither grades alone, such as 3 2 0, n"
    ),
    "hello": "“hello” has no grade.",
    "0.9 for hello world": "Line 1: world is not a grade.",
    "😀": "Line 1: “😀” is neither a name nor a grade.",
    "0.9 for 😀 😀": "Line 1: “😀” is neither a name nor a grade.",
    "0.9 for a:3 a:0": "Line 1: a is in the ranking twice.",
    "0.9\na 3\nb 0\na 1": "Line 3: a is in the ranking twice.",
    "0.9 for {'a': 3, 'a': 0}": "Line 1: a is in the ranking twice.",
    "0.9\nq1,Q0,a,1,9.5,bm25": "Line 1: it has 5 fields.",
    "0.9\nq1 Q0 a 1 9,5 bm25": "Line 1: 5 bm25 is not a grade.",
    "0.9\n10 0 20 1\n10 0 21 0": (
        "Line 1: “10 0 20 1” can be grades alone, or a document with its grade."
    ),
    "0.9\nqid:1 1:0.5 2:0.3 # a": (
        "Line 1: “qid:1 1:0.5 2:0.3 # a” is neither grades alone, such as 3 2 0, nor a name wi"
    ),
    "0.9\n3 qid:1 1:0.5\n0 qid:1 1:0.3": "Line 1: qid:1 is not a grade.",
    # refused, of the next visitor
    "grades = 3 2 0, nDCG = 0.9": "“grades” is not a measure of this page.",
    "nDCG@3,0.9,3,2,0": "Line 1: it has 5 fields.",
    "ndcg@3 | 0.9 | 3 2 0": (
        "Write | once: behind it stand the grades of documents that were not retrieved."
    ),
    "| nDCG@3 | 0.9 |": (
        "Write | once: behind it stand the grades of documents that were not retrieved."
    ),
    "3 2 0\n0.9": "“0.9” can be your number or a grade.",
    "3\n2\n0\n0.9": "“0.9” can be your number or a grade.",
    "1 0 1\n0.83": "“0.83” can be your number or a grade.",
    "rel=[3,2,0]\nndcg=0.9": "Line 2: write one ranking = [...], and one judgments = {...}.",
    "from sklearn.metrics import ndcg_score\nndcg_score([[3,2,0]], [[3,2,1]])\n# 0.9": (
        "The line has no number before the grades."
    ),
    "metrics.ndcg(qrels={'a': 3, 'b': 0}, run={'a': 2.0, 'b': 1.0}) = 0.9": (
        "Line 1: metrics.ndcg(...) has no list of grades here."
    ),
    (
        "pytrec_eval.RelevanceEvaluator({'q1': {'a': 3, 'b': 0}}, {'ndcg'}).evaluate({'"
        "q1': {'a': 2.0, 'b': 1.0}})"
    ): ("Line 1: “.evaluate(” is not expected here."),
    "{'q1': {'ndcg': 0.9}}": "Line 1: 0.9 can be a score or a grade.",
    "{'ndcg': 0.9}": "Line 1: 0.9 can be a score or a grade.",
    "defaultdict(<class 'float'>, {'ndcg@10': 0.9})": "Line 1: 0.9 can be a score or a grade.",
    "P@10 0.3 (q=301) for 3 2 0": "“(q=301)” is an option.",
    "epoch=3 ndcg@10=0.9 for 3 2 0": "“epoch” is not a measure of this page.",
    "{'eval_ndcg@10': 0.9, 'epoch': 3.0}": "Line 1: 0.9 can be a score or a grade.",
    "valid_0's ndcg@10: 0.9 for 3 2 0": "“valid_” is not a measure of this page.",
    "[100] valid_0's ndcg@5: 0.9": "Line 1: “valid_0's ” is not expected here.",
    "NDCG:top=10 = 0.9 for 3 2 0": (
        "Line 1: “top=10 = 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name w"
    ),
    "NDCG:top=10;type=Exp = 0.9 for 3 2 0": "Line 1: “top=10” is not read as a name.",
    "NDCG@k (k=10) = 0.9 for 3 2 0": "@k is not a cut-off.",
    "nDCG₁₀ = 0.9 for 3 2 0": (
        "Line 1: “nDCG₁₀ = 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name w"
    ),
    "nDCG^10 = 0.9 for 3 2 0": (
        "Line 1: “nDCG^10 = 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name "
    ),
    "ndcg at top 10 is 0.9 for 3 2 0": (
        "Line 1: “ndcg at top 10 is 0.9 for 3 2 ...” is neither grades alone, such as 3 2 0, n"
    ),
    "top-10 ndcg is 0.9 for 3 2 0": "“top-1” is not a measure of this page.",
    "mean average precision (MAP) = 0.8 for 1 0 1": "“(MAP)” is an option.",
    "MAP (mean average precision): 0.8 for 1 0 1": "“(mean average precision)” is an option.",
    "precision@3=2/3 for 1 0 1": "“2/3” is a fraction.",
    "平均适合率=0.5": "“平均适合率” has no grade.",
    "「0.9」 for 3 2 0": (
        "Line 1: “「0.9」 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "0.9 for 3,2,0。": "Line 1: “0。” is neither a grade nor nuggets.",
    "0.9 for 3 2 0 || 3": (
        "Write | once: behind it stand the grades of documents that were not retrieved."
    ),
    "0.9 for 3 2 0 | 3 | 2": (
        "Write | once: behind it stand the grades of documents that were not retrieved."
    ),
    "0.9 for 3 2 0 / ": (
        "Line 1: “3 2 0 /” is neither grades alone, such as 3 2 0, nor a name with its grade, "
    ),
    "0.9 for 3 2 0~": "Line 1: “0~” is neither a grade nor nuggets.",
    "0.9 for 3=2 0": (
        "Line 1: “3=2 0” is neither grades alone, such as 3 2 0, nor a name with its grade, su"
    ),
    "0.9 for the list [3, 2, 0]": "Line 1: “list [3” is not read as a name.",
    "0.9 for relevance judgments 3 2 0": (
        "Line 1: “judgments 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "0.9 -> 3 2 0": (
        "Line 1: “-> 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its grade,"
    ),
    "0.9 <- 3 2 0": (
        "Line 1: “<- 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its grade,"
    ),
    "#N/A for 0 0": (
        "Line 1: “#N/A for 0 0” is neither grades alone, such as 3 2 0, nor a name with its gr"
    ),
    "inf": "Line 1: “inf” is neither a name nor a grade.",
    "0.9e for 3 2 0": (
        "Line 1: “0.9e for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its "
    ),
    "0x1 for 3 2 0": (
        "Line 1: “0x1 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "1_000 for 3 2 0": (
        "Line 1: “1_000 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "0.9 .5 for 3 2 0": (
        "Line 1: “.5 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its gr"
    ),
    "0.9,0.5 for 3 2 0": (
        "Line 1: “0.5 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "0.9;0.5 for 3 2 0": (
        "Line 1: “0.5 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "0.9 0.5 0.3 for 3 2 0": (
        "Line 1: “0.5 0.3 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with i"
    ),
    "0.5 0.25 1": "“0.5” can be your number or a grade.",
    "0.9 for 1001 0": "Line 1: 1001 is not a grade.",
    "0.9 for 00 1": (
        "Line 1: “00” begins with 0. Write spaces between grades, such as 1 0 1, and no separa"
    ),
    "0.9 for 0001": (
        "Line 1: “0001” begins with 0. Write spaces between grades, such as 1 0 1, and no sepa"
    ),
    "0.9 for 10101": "Line 1: 10101 is not a grade.",
    "0.9 for 33": "Line 1: “33” can be one grade, or the grades of 2 documents.",
    "0.9 for '3' '2'": "Line 1: “'3'” is neither a name nor a grade.",
    "0.9 for `3 2 0`": "Line 1: “`3” is neither a name nor a grade.",
    "`0.9` for `3 2 0`": (
        "Line 1: “`0.9` for `3 2 0`” is neither grades alone, such as 3 2 0, nor a name with i"
    ),
    "```\n0.9\n3 2 0\n```": "Line 2: “0.9” can be grades alone, or a document with its grade.",
    "**0.9** for 3 2 0": (
        "Line 1: “**0.9** for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with i"
    ),
    "- nDCG: 0.9\n- grades: 3 2 0": (
        "Line 2: “- grades: 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "nDCG: 0.9\nAP: 0.5": "The text names nDCG and AP.",
    "0.9\na,3,1\nb,0,2": "Line 1: “1” is neither a grade nor nuggets.",
    "0.9\na\t3\t\nb\t0\t": "Line 2: it has 2 fields, and line 1 has 3 fields.",
    "0.9\na => 3\nb => 0": "Line 1: => is not a grade.",
    "0.9\na (3)\nb (0)": "Line 1: (3) is not a grade.",
    "0.9\na [3]\nb [0]": "Line 1: [3] is not a grade.",
    "0.9\n1. a 3\n2. b 0": "Line 1: a is not a grade.",
    "0.9\n1 a 3\n2 b 0": "Line 1: a is not a grade.",
    "0.9\nquery,doc,grade\nq,a,3\nr,b,0": (
        "Line 3: this is query r, and the lines before are of query q."
    ),
    "0.9\na 3 x\nb 0 y": "Line 1: X is not a nugget.",
    "0.9 for {'a': [3], 'b': [0]}": "Line 1: “3” is neither a grade nor nuggets.",
    "0.9 for {'a': '3', 'b': 'x'}": "Line 1: x is not a grade.",
    "0.9 for [3, 'x', 0]": (
        'Line 1: write grades, [3, 2, 0], or names with grades, {"d1": 3, "d2": 0}.'
    ),
    "0.9 for [3, [2], 0]": (
        'Line 1: write grades, [3, 2, 0], or names with grades, {"d1": 3, "d2": 0}.'
    ),
    "0.9 for [3, 2, 0]]": "Line 1: “]” is not expected here.",
    "0.9 for [[3, 2, 0]": "Line 1: the text ends too early.",
    "0.9 for (3, 2, 0": "Line 1: the text ends too early.",
    "0.9 for 3, 2, 0)": "Line 1: “0)” is neither a grade nor nuggets.",
    "0.9 for /* x */ [3,2,0]": "Line 1: “/* x */ [3” is not read as a name.",
    "0.9 for [3,2,0][:2]": "Line 1: “:2]” is not expected here.",
    "0.9 for [3,2,0][::-1]": "Line 1: “::-1]” is not expected here.",
    "0.9 for sorted([3,2,0])": "“sorted” is not known here, and the page runs no code.",
    "0.9 for reversed([3,2,0])": "“reversed” is not known here, and the page runs no code.",
    "0.9 for max([3,2,0])": "“max” is not known here, and the page runs no code.",
    "0.9 for np.flip([3,2,0])": "“flip” is not known here, and the page runs no code.",
    "0.9 for -np.array([3,2,0])": "Line 1: “-np.array([3” is not read as a name.",
    "0.9 for np.array([3,2,0]) / 3": "“/ 3” can divide the grades, or begin another query.",
    "0.9 for [3,2,0] * 2": "Line 1: “* 2” is not expected here.",
    "0.9 for torch.tensor([3,2,0]).unsqueeze(0)": "Line 1: “.unsqueeze” is not expected here.",
    "0.9 for tensor([[3, 2, 0]]).squeeze()": "Line 1: “.squeeze()” is not expected here.",
    "0.9 for rev(c(3,2,0))": "“rev” is not known here, and the page runs no code.",
    "0.9 for c(3,2,0)[1:2]": "Line 1: “:2]” is not expected here.",
    "0.9 for sort(c(3,2,0))": "“sort” is not known here, and the page runs no code.",
    "0.9 for c(3,2,0) * 2": "Line 1: “* 2” is not expected here.",
    "0.9 for as.numeric(c(3,2,0))": "“numeric” is not known here, and the page runs no code.",
    "0.9 for len([3,2,0])": "“len” is not known here, and the page runs no code.",
    "0.9 for sum([3,2,0])": "“sum” is not known here, and the page runs no code.",
    # refused, of the third
    "ndcg@10: 0.9 | grades 3 2 0": (
        "Line 1: “grades 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its gr"
    ),
    "loss: 0.1 ndcg@10: 0.9 for 3 2 0": "“loss” is not a measure of this page.",
    "loss=0.123, ndcg=0.9 for 3 2 0": "“loss” is not a measure of this page.",
    "100%|████| 10/10 [00:01<00:00, ndcg=0.9] for 3 2 0": (
        "Write | once: behind it stand the grades of documents that were not retrieved."
    ),
    "ndcg_cut_5 q1 0.9 for 3 2 0": (
        "Line 1: “ndcg_cut_5 q1 0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a n"
    ),
    "ndcg@5 0.9 q1 for 3 2 0": (
        "Line 1: “q1 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its gr"
    ),
    "ndcg@5=0.9 n=3 for 3 2 0": (
        "Line 1: “n=3 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "ndcg@5=0.9 (n=3) for 3 2 0": "Line 1: “n=3) for 3” is not expected here.",
    "ndcg@5=0.9 (k=3) for 3 2 0": "Line 1: “k=3) for 3” is not expected here.",
    "ndcg@5=0.9 k=3 for 3 2 0": (
        "Line 1: “k=3 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "ndcg@5=0.9 for 3 2 0 k=3": (
        "Line 1: “3 2 0 k=3” is neither grades alone, such as 3 2 0, nor a name with its grade"
    ),
    "what is the ndcg@5 of 3 2 0?": "The line has no number before the grades.",
    "AP: 1 0 1": "“1” can be your number or a grade.",
    "AP = 1 0 1": "“1” can be your number or a grade.",
    "P@3 = 1/3 1 0 1": "“1/3” is a fraction.",
    "nDCG 3 2 0 0.9": "“0.9” can be your number or a grade.",
    "DCG = 1.234,56 for 3 2 0": (
        "Line 1: “56 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its gr"
    ),
    "DCG = 1,234.56 for 3 2 0": (
        "Line 1: “234.56 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with it"
    ),
    "DCG = 1 234 for 3 2 0": (
        "Line 1: “234 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "0.9 for 3 2 0 (best first)": (
        "Line 1: “3 2 0 (best first)” is neither grades alone, such as 3 2 0, nor a name with "
    ),
    "0.9 for 3 2 0 in this order": (
        "Line 1: “3 2 0 in this order” is neither grades alone, such as 3 2 0, nor a name with"
    ),
    "0.9 for 3 2 0, best first": "Line 1: “3 2 0” is neither a name nor a grade.",
    "0.9 for 3 docs": "Line 1: docs is not a grade.",
    "0.9 for 3 queries": "Line 1: queries is not a grade.",
    "0.9 for query 3": "Line 1: “query” names a column.",
    "0.9 for q1": "“q1” has no grade.",
    "0.9 for q1 3 2 0": (
        "Line 1: “q1 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its grade,"
    ),
    "0.9\nq1: 3 2 0\nq2: 1 0": (
        "Line 1: “q1: 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its grade"
    ),
    "0.9\nq1 3 2 0\nq2 1 0 0": (
        "Line 2: “q2 1 0 0” is neither grades alone, such as 3 2 0, nor a name with its grade,"
    ),
    "0.9\n3 2 0\n1 0 1": "Line 1: “3 2 0” can be grades alone, or a document with its grade.",
    "0.9 for 3 2 0 & 1 0 1": (
        "Line 1: “3 2 0 & 1 0 1” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "0.9 for a b c / 3 2 0": "Line 1: b is not a grade.",
    "0.9 for docs a,b with grades 3,0": "Line 1: b with grades 3 is not a grade.",
    "0.9 for a,b": "Line 1: b is not a grade.",
    "0.9 for a": "“a” has no grade.",
    "0.9 for 3:AB 2:A": "Line 1: 2:A is not a grade.",
    "0.9 for AB A": "Line 1: A is not a grade.",
    "alpha-nDCG = 0.9 for ABX": "“ABX” has no grade.",
    "RBP = 0.9 for 1 0 1 p=0.8": (
        "Line 1: “1 0 1 p=0.8” is neither grades alone, such as 3 2 0, nor a name with its gra"
    ),
    "RBP@p=0.8 = 0.9 for 1 0 1": "@p is not a cut-off.",
    "RBP 0.8 = 0.9 for 1 0 1": (
        "Line 1: “= 0.9 for 1 0 1” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "nERR@20 = 0.9 for 3 2 0": "“nERR” is not a measure of this page.",
    "Recall 100 = 0.9 for 1 0 1": (
        "Line 1: “= 0.9 for 1 0 1” is neither grades alone, such as 3 2 0, nor a name with its"
    ),
    "mrr 10 0.5 for 0 1": (
        "Line 1: “0.5 for 0 1” is neither grades alone, such as 3 2 0, nor a name with its gra"
    ),
    "ndcg 10 0.9 for 3 2 0": (
        "Line 1: “0.9 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "P 5 0.6 for 1 0 1": (
        "Line 1: “0.6 for 1 0 1” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "P@5 0.6 0.4 for 1 0 1": (
        "Line 1: “0.4 for 1 0 1” is neither grades alone, such as 3 2 0, nor a name with its g"
    ),
    "Hits@10: 1 for 1 0": "“Hits” is not a measure of this page.",
    "ndcg@10 0.9 vs ndcg@5 0.8 for 3 2 0": (
        "Line 1: “vs ndcg@5 0.8 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name "
    ),
    "0.9 (sklearn), 0.8 (trec_eval) for 3 2 0": (
        "Line 1: “0.8 (trec_eval) for 3 2 0” is neither grades alone, such as 3 2 0, nor a nam"
    ),
    "0.9 +- 0.05 for 3 2 0": (
        "Line 1: “+- 0.05 for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with i"
    ),
    "0.9 (0.05) for 3 2 0": "Line 1: “for 3 2 0” is not expected here.",
    "0.9 (+0.05) for 3 2 0": "Line 1: “for 3 2 0” is not expected here.",
    "about 0.9 for 3 2 0": "“about” is not a measure of this page.",
    "0.9… for 3 2 0": (
        "Line 1: “… for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with its gra"
    ),
    "0.9... for 3 2 0": (
        "Line 1: “0.9... for 3 2 0” is neither grades alone, such as 3 2 0, nor a name with it"
    ),
    "0.333333… for 0 0 1": (
        "Line 1: “… for 0 0 1” is neither grades alone, such as 3 2 0, nor a name with its gra"
    ),
    "1/3 for 0 0 1": "“1/3” is a fraction.",
    "⅓ for 0 0 1": (
        "Line 1: “⅓ for 0 0 1” is neither grades alone, such as 3 2 0, nor a name with its gra"
    ),
}

# What a text looks like that can't be read, and what would do.
LOOKS = {
    "https://example.org/?q=0.9 for 3 2 0": "It looks like an address.",
    "nDCG$_{10}$ = 0.9 for 3 2 0": "It looks like LaTeX.",
    "0.9 for <b>3</b>": "It looks like HTML.",
    "0.9\n3 qid:1 1:0.5\n0 qid:1 1:0.3": "It looks like a file for learning to rank.",
    "0.9 for =SUM(3,2,0)": "It looks like a formula of a spreadsheet.",
    "0.9 for A1:A5": "It looks like a formula of a spreadsheet.",
    "{'ndcg@10': 0.4321, 'map': 0.25}": "It looks like the scores of a program.",
    "Rprec                 \tall\t0.2000 for 1 0 1": "It looks like output of trec_eval.",
    "2024-05-01 12:00:03 INFO ndcg@10: 0.4321 for 3 2 0": "It looks like a line of a log.",
    "step 100 | ndcg@10 0.4321 for 3 2 0": "It looks like a line of a log.",
    "nDCG@5 and nDCG@10 = 0.9 for 3 2 0": "It names several measures.",
    "> 0.9 for 3 2 0": "It looks like a bound.",
    "0.9 for np.ones(3)": "It looks like code, which the page does not run.",
    "0.9 for three two zero": "It looks like grades in words.",
    "0.9 for 三 二 零": "It looks like grades in words.",
}
