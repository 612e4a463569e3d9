"""What a convention did, as a sentence that answers "which nDCG is this?"."""

from collections.abc import Mapping

# A sentence for each value; {} is the number in a value such as linear(2), or the number itself.
WORDS: Mapping[str, Mapping[str, str]] = {
    "gain": {
        "linear": "each grade counted as it is",
        "exp": "a grade g counted 2^g - 1, so high grades count far more than low ones",
        "exp()": "a grade g from {} on counted 2^g - 1, and every lower grade nothing",
        "binary": "every grade from 1 up counted 1, and every lower grade 0",
        "binary()": "every grade from {} up counted 1",
        "linear()": "grades below {} counted nothing",
        "table()": "grades counted by a table: {}",
    },
    "discount": {
        "log2": "the gain at rank i was divided by log2(i + 1)",
        "jk()": "the first {} ranks were not discounted",
        "none": "no rank was discounted",
        "reciprocal": "the gain at rank i was divided by i",
        "log()": "the discount used the logarithm to base {}",
    },
    "ideal": {
        "judged": "the ideal was made of all judged documents",
        "retrieved": "the ideal was made of the retrieved documents only",
        "k_ones": "the ideal was k documents of grade 1, even where fewer are relevant",
        "r_ones": "the ideal was one document of grade 1 for each relevant document",
        "as_long": "the ideal had no more documents than the ranking",
        "greedy": "the ideal took the document of highest gain at each rank",
        "ndeval": "the ideal took the document of highest gain at each rank, the last id first",
        "exact": "the ideal was the best of all orders",
    },
    "cut": {
        "both": "the ranking and the ideal were cut at k",
        "ranking": "the ranking was cut at k, and the ideal was not",
    },
    "no_relevant": {
        "zero": "nothing judged is relevant, and such a query scored 0",
        "one": "nothing judged is relevant, and such a query scored 1",
        "nan": "nothing judged is relevant, and such a query had no score",
        "skip": "queries without a relevant document were left out",
    },
    "ties": {
        "given": "tied documents kept the order of the ranking",
        "docid": "tied documents were put in order by their ids, the larger first",
        "docid_ascending": "tied documents were put in order by their ids, the smaller first",
        "reversed": "tied documents were put in reverse order",
        "quicksort": "tied documents stood as numba's quicksort leaves them",
        "pessimistic": "of tied documents the lowest grade stood first",
        "optimistic": "of tied documents the highest grade stood first",
        "averaged": "the score was the mean over all orders of the tied documents",
    },
    "unjudged": {
        "no_gain": "documents that nobody judged kept their ranks",
        "removed": "documents that nobody judged were removed, and the others moved up",
        "grade()": "documents that nobody judged counted as grade {}",
    },
    "negative": {
        "refuse": "negative grades were refused",
        "zero": "negative grades counted as 0",
        "keep": "negative grades counted as losses",
        "unjudged": "documents of a negative grade counted as not judged",
        "padding": "documents of a negative grade were removed as padding",
    },
    "pool": {
        "judged": "all judgments counted",
        "retrieved": "only the judgments of the retrieved documents counted",
    },
    "unretrieved": {
        "absent": "documents that were not retrieved had no rank",
        "last": "judged documents that were not retrieved stood at the end, tied",
    },
    "divisor": {
        "k": "it was divided by the cut-off k (without a cut-off: by the length of the list)",
        "retrieved": "it was divided by the number of retrieved documents",
        "relevant": "it was divided by the number of all relevant documents",
        "reachable": "it was divided by the number of relevant documents, and at most by k",
        "hits": "it was divided by the number of relevant documents that were found",
    },
    "satisfaction": {
        "exp": "the chance to stop was 2^g - 1 over 2 to the highest grade",
        "linear": "the chance to stop was the grade over the highest grade",
    },
    "bound": {
        "fewer": "bpref was divided by the smaller of N and R",
        "relevant": "bpref was divided by R, the number of relevant documents",
    },
    "rel": {"()": "relevant meant a grade of at least {}"},
    "max_grade": {"highest": "the highest grade at hand was the top of the scale",
                  "()": "the top of the scale was grade {}"},
    "p": {"()": "the persistence p was {}"},
    "alpha": {"()": "alpha was {}"},
    "beta": {"()": "beta was {}"},
}  # fmt: skip
