"""The choices on which libraries differ, as named values.

A convention is small, frozen and comparable. A metric takes it as a keyword argument, by value or
by name: `ndcg([5, 2, 3], gain="exp")`. Its LaTeX replaces the macro of the same name in the formula
of a metric. Its function, or its fields, say what it does: a kernel applies them and never asks for
the name.

Each value is its function or its fields; what it means is said in `conventions.toml`. `convention`
says what a convention is. The choices stand by what they are about: `worth` (gains and discounts),
`orders` (which documents are ranked, in which order), `grades` (what judgments say), `of_queries`
and `of_one_metric`.

Start with `convention.py`.
"""

from irmetrics_edu.conventions.convention import Convention as Convention
from irmetrics_edu.conventions.convention import kind as kind
from irmetrics_edu.conventions.grades import ALL_JUDGED as ALL_JUDGED
from irmetrics_edu.conventions.grades import AS_LONG as AS_LONG
from irmetrics_edu.conventions.grades import AS_UNJUDGED as AS_UNJUDGED
from irmetrics_edu.conventions.grades import AS_WRITTEN as AS_WRITTEN
from irmetrics_edu.conventions.grades import AS_ZERO as AS_ZERO
from irmetrics_edu.conventions.grades import CUT_BOTH as CUT_BOTH
from irmetrics_edu.conventions.grades import CUT_RANKING as CUT_RANKING
from irmetrics_edu.conventions.grades import JUDGED as JUDGED
from irmetrics_edu.conventions.grades import K_ONES as K_ONES
from irmetrics_edu.conventions.grades import NO_GAIN as NO_GAIN
from irmetrics_edu.conventions.grades import PADDING as PADDING
from irmetrics_edu.conventions.grades import R_ONES as R_ONES
from irmetrics_edu.conventions.grades import REFUSED as REFUSED
from irmetrics_edu.conventions.grades import REMOVED as REMOVED
from irmetrics_edu.conventions.grades import RETRIEVED as RETRIEVED
from irmetrics_edu.conventions.grades import RETRIEVED_ALONE as RETRIEVED_ALONE
from irmetrics_edu.conventions.grades import Cut as Cut
from irmetrics_edu.conventions.grades import Ideal as Ideal
from irmetrics_edu.conventions.grades import Negative as Negative
from irmetrics_edu.conventions.grades import Pooled as Pooled
from irmetrics_edu.conventions.grades import Unjudged as Unjudged
from irmetrics_edu.conventions.grades import is_negative as is_negative
from irmetrics_edu.conventions.grades import negative_grade as negative_grade
from irmetrics_edu.conventions.of_one_metric import AS_MANY_AS_RELEVANT as AS_MANY_AS_RELEVANT
from irmetrics_edu.conventions.of_one_metric import BY_HITS as BY_HITS
from irmetrics_edu.conventions.of_one_metric import BY_K as BY_K
from irmetrics_edu.conventions.of_one_metric import BY_POWERS as BY_POWERS
from irmetrics_edu.conventions.of_one_metric import BY_REACHABLE as BY_REACHABLE
from irmetrics_edu.conventions.of_one_metric import BY_RELEVANT as BY_RELEVANT
from irmetrics_edu.conventions.of_one_metric import BY_RETRIEVED as BY_RETRIEVED
from irmetrics_edu.conventions.of_one_metric import BY_SHARE as BY_SHARE
from irmetrics_edu.conventions.of_one_metric import FEWER as FEWER
from irmetrics_edu.conventions.of_one_metric import HIGHEST as HIGHEST
from irmetrics_edu.conventions.of_one_metric import JUDGED_PAIRED as JUDGED_PAIRED
from irmetrics_edu.conventions.of_one_metric import KNOWN as KNOWN
from irmetrics_edu.conventions.of_one_metric import NOT_INTERPOLATED as NOT_INTERPOLATED
from irmetrics_edu.conventions.of_one_metric import ON_BOTH_SIDES as ON_BOTH_SIDES
from irmetrics_edu.conventions.of_one_metric import ONCE as ONCE
from irmetrics_edu.conventions.of_one_metric import RETRIEVED_PAIRED as RETRIEVED_PAIRED
from irmetrics_edu.conventions.of_one_metric import ROUNDED as ROUNDED
from irmetrics_edu.conventions.of_one_metric import STANDARD as STANDARD
from irmetrics_edu.conventions.of_one_metric import STANDARD_IN_FLOATS as STANDARD_IN_FLOATS
from irmetrics_edu.conventions.of_one_metric import CollectionSize as CollectionSize
from irmetrics_edu.conventions.of_one_metric import Divisor as Divisor
from irmetrics_edu.conventions.of_one_metric import Interpolation as Interpolation
from irmetrics_edu.conventions.of_one_metric import MaxGrade as MaxGrade
from irmetrics_edu.conventions.of_one_metric import Overlap as Overlap
from irmetrics_edu.conventions.of_one_metric import Paired as Paired
from irmetrics_edu.conventions.of_one_metric import PreferenceBound as PreferenceBound
from irmetrics_edu.conventions.of_one_metric import Satisfaction as Satisfaction
from irmetrics_edu.conventions.of_queries import APART as APART
from irmetrics_edu.conventions.of_queries import BY_IMPRESSIONS as BY_IMPRESSIONS
from irmetrics_edu.conventions.of_queries import COUNTED as COUNTED
from irmetrics_edu.conventions.of_queries import FORBIDDEN as FORBIDDEN
from irmetrics_edu.conventions.of_queries import IGNORED as IGNORED
from irmetrics_edu.conventions.of_queries import LEFT_OUT as LEFT_OUT
from irmetrics_edu.conventions.of_queries import MACRO as MACRO
from irmetrics_edu.conventions.of_queries import MICRO as MICRO
from irmetrics_edu.conventions.of_queries import NAMED_ZERO as NAMED_ZERO
from irmetrics_edu.conventions.of_queries import NOT_EXPECTED as NOT_EXPECTED
from irmetrics_edu.conventions.of_queries import NOT_JUDGED_ZERO as NOT_JUDGED_ZERO
from irmetrics_edu.conventions.of_queries import ONE as ONE
from irmetrics_edu.conventions.of_queries import SKIPPED as SKIPPED
from irmetrics_edu.conventions.of_queries import UNDEFINED as UNDEFINED
from irmetrics_edu.conventions.of_queries import UNDEFINED_HALF as UNDEFINED_HALF
from irmetrics_edu.conventions.of_queries import UNDEFINED_NAN as UNDEFINED_NAN
from irmetrics_edu.conventions.of_queries import UNDEFINED_ONE as UNDEFINED_ONE
from irmetrics_edu.conventions.of_queries import UNDEFINED_REFUSED as UNDEFINED_REFUSED
from irmetrics_edu.conventions.of_queries import UNDEFINED_SKIPPED as UNDEFINED_SKIPPED
from irmetrics_edu.conventions.of_queries import UNDEFINED_ZERO as UNDEFINED_ZERO
from irmetrics_edu.conventions.of_queries import ZERO as ZERO
from irmetrics_edu.conventions.of_queries import Averaging as Averaging
from irmetrics_edu.conventions.of_queries import MissingQueries as MissingQueries
from irmetrics_edu.conventions.of_queries import NoRelevant as NoRelevant
from irmetrics_edu.conventions.of_queries import Undefined as Undefined
from irmetrics_edu.conventions.of_queries import UnjudgedQueries as UnjudgedQueries
from irmetrics_edu.conventions.orders import AS_GIVEN as AS_GIVEN
from irmetrics_edu.conventions.orders import AS_TREC_EVAL as AS_TREC_EVAL
from irmetrics_edu.conventions.orders import AS_TREC_EVAL_10 as AS_TREC_EVAL_10
from irmetrics_edu.conventions.orders import AT_THE_END as AT_THE_END
from irmetrics_edu.conventions.orders import AVERAGED as AVERAGED
from irmetrics_edu.conventions.orders import BY_ID as BY_ID
from irmetrics_edu.conventions.orders import BY_ID_ASCENDING as BY_ID_ASCENDING
from irmetrics_edu.conventions.orders import COPIES_GAIN_NOTHING as COPIES_GAIN_NOTHING
from irmetrics_edu.conventions.orders import EACH_COUNTS as EACH_COUNTS
from irmetrics_edu.conventions.orders import FIRST_COUNTS as FIRST_COUNTS
from irmetrics_edu.conventions.orders import FLOAT32 as FLOAT32
from irmetrics_edu.conventions.orders import FLOAT64 as FLOAT64
from irmetrics_edu.conventions.orders import LAST_COUNTS as LAST_COUNTS
from irmetrics_edu.conventions.orders import NO_DUPLICATES as NO_DUPLICATES
from irmetrics_edu.conventions.orders import NOT_READ as NOT_READ
from irmetrics_edu.conventions.orders import NOWHERE as NOWHERE
from irmetrics_edu.conventions.orders import OPTIMISTIC as OPTIMISTIC
from irmetrics_edu.conventions.orders import OWN_KEPT as OWN_KEPT
from irmetrics_edu.conventions.orders import OWN_REMOVED as OWN_REMOVED
from irmetrics_edu.conventions.orders import PESSIMISTIC as PESSIMISTIC
from irmetrics_edu.conventions.orders import QUICKSORT as QUICKSORT
from irmetrics_edu.conventions.orders import REVERSED as REVERSED
from irmetrics_edu.conventions.orders import STRICT as STRICT
from irmetrics_edu.conventions.orders import Duplicates as Duplicates
from irmetrics_edu.conventions.orders import IdenticalIds as IdenticalIds
from irmetrics_edu.conventions.orders import NumberCopy as NumberCopy
from irmetrics_edu.conventions.orders import Reading as Reading
from irmetrics_edu.conventions.orders import Scores as Scores
from irmetrics_edu.conventions.orders import TextCopy as TextCopy
from irmetrics_edu.conventions.orders import Ties as Ties
from irmetrics_edu.conventions.orders import Unretrieved as Unretrieved
from irmetrics_edu.conventions.orders import are_copies as are_copies
from irmetrics_edu.conventions.worth import BINARY as BINARY
from irmetrics_edu.conventions.worth import EXPONENTIAL as EXPONENTIAL
from irmetrics_edu.conventions.worth import JK as JK
from irmetrics_edu.conventions.worth import LINEAR as LINEAR
from irmetrics_edu.conventions.worth import LOG2 as LOG2
from irmetrics_edu.conventions.worth import NO_DISCOUNT as NO_DISCOUNT
from irmetrics_edu.conventions.worth import RECIPROCAL as RECIPROCAL
from irmetrics_edu.conventions.worth import Binary as Binary
from irmetrics_edu.conventions.worth import Discount as Discount
from irmetrics_edu.conventions.worth import Gain as Gain
from irmetrics_edu.conventions.worth import binary_gain as binary_gain
from irmetrics_edu.conventions.worth import jk_discount as jk_discount
from irmetrics_edu.conventions.worth import linear_gain as linear_gain
from irmetrics_edu.conventions.worth import log_discount as log_discount
from irmetrics_edu.conventions.worth import share_gain as share_gain
from irmetrics_edu.conventions.worth import table_gain as table_gain
