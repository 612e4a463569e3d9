"""Where the public names of the assertions live, except those made from the registry."""

HOMES = {
    "irmetrics_edu.assertions.failure": "RankingAssertionError",
    "irmetrics_edu.assertions.follows": "assert_follows",
    "irmetrics_edu.assertions.order": "assert_ranks_above",
    "irmetrics_edu.assertions.position": "assert_in_top assert_absent",
    "irmetrics_edu.assertions.pins": "assert_pins",
    "irmetrics_edu.assertions.judging": "AdvisoryWarning InconclusiveWarning",
    "irmetrics_edu.assertions.paired": "BaselineWarning",
    "irmetrics_edu.assertions.regression": "assert_improves assert_no_regression",
    "irmetrics_edu.assertions.latency": "assert_latency",
    "irmetrics_edu.assertions.score": "assert_metric",
    "irmetrics_edu.assertions.stable": "assert_stable",
}
