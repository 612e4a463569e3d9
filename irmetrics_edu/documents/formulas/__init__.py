"""The formulas of the documents tested: each as printed, beside what is right.

A printed formula is written out here, because it is what is tested. The right values come from the
package's own metrics, over all small inputs.
"""

from irmetrics_edu.documents.formulas.learning import (
    mmr_candidates,
    ordinal_label,
    rank_a_against_rank_b,
    weight_of_weak_ranker,
    weights_of_queries,
)
from irmetrics_edu.documents.formulas.novelty import (
    cover_by_ideal,
    first_order_gain,
    gain_of_new_topics_only,
    gain_without_novelty,
    greedy_after_a_tie,
    relevance_from_union,
    single_topic_ideal,
)
from irmetrics_edu.documents.formulas.rankings import (
    bound_of_precision,
    bound_of_recall,
    expected_reciprocal_rank,
    f1,
    precision_stays_below_one,
    stop_probability,
    two_forms_of_f,
    two_forms_of_gmap,
)
from irmetrics_edu.documents.formulas.recommendation import (
    category_coverage_as_read,
    conditions_on_alpha,
    dcc_as_printed,
    distances_as_read,
    expected_dcc,
    fdcc_as_read,
    largest_alpha,
    quadratic_for_beta,
)

__all__ = [
    "bound_of_precision",
    "bound_of_recall",
    "category_coverage_as_read",
    "conditions_on_alpha",
    "cover_by_ideal",
    "dcc_as_printed",
    "distances_as_read",
    "expected_dcc",
    "expected_reciprocal_rank",
    "f1",
    "fdcc_as_read",
    "first_order_gain",
    "gain_of_new_topics_only",
    "gain_without_novelty",
    "greedy_after_a_tie",
    "largest_alpha",
    "mmr_candidates",
    "ordinal_label",
    "precision_stays_below_one",
    "quadratic_for_beta",
    "rank_a_against_rank_b",
    "relevance_from_union",
    "single_topic_ideal",
    "stop_probability",
    "two_forms_of_f",
    "two_forms_of_gmap",
    "weight_of_weak_ranker",
    "weights_of_queries",
]
