"""Learning to rank: by document (pointwise), by pair (pairwise) and by list (listwise).

`data` holds queries whose documents have features and grades. `made` makes some, and `features`
makes them from texts. `letor` reads them from files. `losses` defines what each kind of learner
minimises. `solving` minimises it, over `pairs` or lists. `lambdas` weighs pairs by nDCG, and
`trees` grows regression trees. Then there is a file per learner.

Start with `ranking_data.py`.
"""
