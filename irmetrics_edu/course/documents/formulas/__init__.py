"""The formulas of the documents tested: each as printed, beside what is right.

A printed formula is written out here, because it is what is tested. The right values come from the
package's own metrics, over all small inputs.
"""

from irmetrics_edu import exporting

HOMES = {
    "irmetrics_edu.course.documents.formulas.diversity_formulas": (
        "category_coverage_as_read conditions_on_alpha dcc_as_printed distances_as_read "
        "expected_dcc fdcc_as_read largest_alpha quadratic_for_beta share_of_group"
    ),
    "irmetrics_edu.course.documents.formulas.learning_formulas": (
        "facets_covered mmr_candidates mmr_values ordinal_label rank_a_against_rank_b "
        "squared_differences sum_of_weak_rankers term_features weight_of_weak_ranker "
        "weights_of_queries"
    ),
    "irmetrics_edu.course.documents.formulas.novelty_formulas": (
        "binary_relevance cover_by_ideal first_order_gain gain_of_new_topics_only "
        "gain_of_single_topics gain_without_novelty greedy_after_a_tie ideal_order missed_above "
        "relevance_from_union relevance_given_above relevance_of_sets single_topic_ideal "
        "still_wanted sums_of_gains"
    ),
    "irmetrics_edu.course.documents.formulas.ranking_formulas": (
        "bound_of_precision bound_of_recall discounted expected_reciprocal_rank f1 "
        "precision_stays_below_one quotient_of_dcgs range_of_ndcg ratio_of_cells "
        "stop_probability sum_of_grades top_against_bottom two_forms_of_f two_forms_of_gmap "
        "two_readers_of_one_title"
    ),
}
__getattr__, __dir__, __all__ = exporting(__name__, HOMES)
