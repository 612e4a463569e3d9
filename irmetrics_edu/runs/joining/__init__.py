"""What a run and judgments may come as, and their rows for every measure.

`inputs`: what a run may come as; `judgments`: all of them as one pool; `queries`: which are
evaluated; `join`: both read and joined; `joined_run`: rows for every measure, of all queries at
once by the engine, or one by one.

run -> Run, judgments -> Judged;   Run + Judged -> Joined -> rows

Start with `join.py`.
"""
