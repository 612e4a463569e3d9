"""A whole run joined with its judgments: rows for every measure, all at once if possible.

`inputs`: what a run may come as; `judgments`: all of them as one pool; `queries`: which are
evaluated; `ranks`: the arithmetic of ranks and the order of ties; `reverse_join`: a run meets the
pool; `join`: rows for every measure, of all queries or of one.

run -> Run, judgments -> Judged;   Run + Judged -> Joined -> rows

Start with `join.py`.
"""
