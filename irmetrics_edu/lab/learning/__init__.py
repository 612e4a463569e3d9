"""Learning to rank: by document (pointwise), by pair (pairwise) and by list (listwise).

`ranking_data` holds queries whose documents have features and grades. `made_queries` makes some,
`features` makes them from texts, and `letor` reads them from files. `losses` defines what each kind
of learner minimises, and lambda gradients. `solving` minimises it, over `pairs` or lists. The
learners are in `pointwise`, `pair_learners`, `listwise` and `lambdamart`.

Start with `ranking_data.py`.
"""
