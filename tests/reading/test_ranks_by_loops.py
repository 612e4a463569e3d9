"""Ranks beside scores, and ranks alone: what is told of them, beside plain loops."""

from itertools import pairwise, product

import numpy as np
import pytest

from irmetrics_edu.engine.columns import columns
from irmetrics_edu.engine.text import Text
from irmetrics_edu.reading.files import Problems
from irmetrics_edu.reading.rank_columns import (
    gaps_told,
    head_runs_against,
    run_against,
    told_of_hits,
)
from tests.tables import rows as each_row


def against(rows):
    """Whether no worse rank of a query has a lower score, and at least two have a higher one."""
    pairs = []
    for query in {row[0] for row in rows}:
        mine = sorted((row[1:] for row in rows if row[0] == query), key=lambda row: row[0])
        pairs += [(a[1], b[1]) for a, b in pairwise(mine) if a[0] < b[0]]
    return all(b >= a for a, b in pairs) and sum(b > a for a, b in pairs) >= 2


def gaps(rows):
    """How many queries begin below rank 1, or leave a rank out."""
    found = 0
    for query in {row[0] for row in rows}:
        ranks = sorted(row[1] for row in rows if row[0] == query)
        found += any(b - a > 1 for a, b in pairwise([0, *ranks]))
    return found


@pytest.mark.parametrize("ranks", [(1, 2, 3, 4), (4, 2, 3, 1), (0, 7, 7, 9), (1, 1, 2, 3)])
def test_all_neighbours_by_rank_say_whether_they_run_against_scores(ranks):
    """One score that falls is enough for them not to; of numbers, of lines and of hits."""
    for scores in product((1, 2, 3), repeat=4):
        for queries in ("qqqq", "qqrr"):
            rows = [*zip(queries, ranks, scores, strict=True)]
            expected = against(rows)
            numbers = [sorted(set(queries)).index(q) for q in queries]
            assert run_against(*map(np.array, (numbers, ranks, scores))) == expected
            lines = "".join(f"{q} Q0 d {r} {s} t\n" for q, r, s in rows).encode()
            assert head_runs_against(lines) == expected
            told = told_of_hits(rows)
            assert told == ({"against_ranks": 1} if expected else {})


@each_row(
    ("more", "expected"),
    [
        (b"", True),
        (b"q Q0 d 4 0.1", True),
        (b"q Q0 d 4 0.1\n", False),
        (b"q Q0 d 4\nq Q0 d 5 0.1\n", False),
        (b"\nq Q0 d 4\n", True),
        (b"q Q0 d 4 9\n", True),
        (b"q Q0 d x 9 t\n", False),
        (b"q Q0 d 4 x t\n", False),
        (b"r Q0 d 1 0.1 t\n", True),
    ],
)
def test_whole_lines_of_a_head_with_a_score_are_looked_at(more, expected):
    """A line that is cut off says nothing; with one that holds no numbers, nothing is told."""
    head = b"q Q0 a 1 1 t\nq Q0 b 2 2 t\nq Q0 c 3 3 t\n"
    assert head_runs_against(head + more) == expected


def test_ranks_alone_that_leave_places_out_are_counted_by_query():
    """They may begin at 0 or at 1, in any order, and with rows of other queries between."""
    for ranks in product((0, 1, 2, 4), repeat=3):
        for queries in ("qqq", "qrq", "qrr"):
            rows = [*zip(queries, ranks, strict=True)]
            expected = gaps(rows)
            told = told_of_hits([(*row, None) for row in rows])
            assert told == ({"gaps": expected} if expected else {})
            if queries == "qrq" or len(set(rows)) < 3:
                continue
            problems = Problems("run")
            text, rank = Text.of([*queries]), np.array(ranks, dtype=float)
            documents, line = Text.of(["a", "b", "c"]), np.arange(1, 4)
            part = columns(text, documents, -rank, line, rank)
            [given] = gaps_told([part], problems)
            assert given is part
            assert problems.told == ({"gaps": expected} if expected else {})
            for value, beside in ((-rank, None), (rank, rank), (-rank - 1, rank), (None, None)):
                told_none = Problems("run")
                other = columns(text, documents, value, line, beside)
                [given] = gaps_told([other], told_none)
                alike = beside is not None and bool((value == -beside).all())
                assert bool(told_none.told) == (alike and expected > 0)


@each_row("rank", [None, 1.5, "2", True])
def test_hits_without_a_whole_rank_say_nothing(rank):
    """Wherever they stand; nor do those of which some have a score."""
    for place in range(3):
        rows = [["q", 3, None], ["q", 5, None], ["q", 9, None]]
        assert told_of_hits(map(tuple, rows)) == {"gaps": 1}
        rows[place][1] = rank
        assert told_of_hits(map(tuple, rows)) == {}
        rows[place][1:] = [7, 0.5]
        assert told_of_hits(map(tuple, rows)) == {}
    assert told_of_hits([]) == {}
