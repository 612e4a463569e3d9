"""Hints of similar code: renaming hides nothing, and what everybody writes is no hint."""

import re

from irmetrics_edu.marking.similarity import alike, all_hashes, fingerprints

LONG = """
def dcg(grades, k=None):
    total = 0.0
    seen = []
    for place in range(len(grades)):
        if k is not None and place >= k:
            break
        weight = 1.0 / math.log(place + 2, 2)
        seen.append((place, weight * grades[place]))
        total = total + weight * grades[place]
    if not seen:
        return 0
    while seen and seen[-1][1] == 0:
        seen.pop()
    return float(total) if total else sum(worth for _, worth in seen)
"""
OTHER = """
def dcg(grades, k=None):
    import itertools
    discounts = (1 / math.log2(i) for i in itertools.count(2))
    pairs = zip(list(grades)[slice(k)], discounts)
    return sum(map(lambda pair: pair[0] * pair[1], pairs), start=0.0)
"""


def renamed(code):
    """The code with other names, other numbers, comments and blank lines."""
    for old, new in (("total", "s"), ("seen", "done"), ("place", "j"), ("weight", "w")):
        code = re.sub(rf"\b{old}\b", new, code)
    return code.replace("0.0", "0").replace("\n    if", "\n\n    # my own\n    if")


def test_renaming_hides_nothing():
    """Names, comments and blank lines are no part of a fingerprint."""
    assert fingerprints([LONG]) == fingerprints([renamed(LONG)])
    assert not set(fingerprints([LONG])) & set(fingerprints([OTHER]))


def test_a_pair_is_found_in_a_class():
    """Two with one piece of code stand out, and the rest does not."""
    code = {f"s{i}": fingerprints([OTHER]) for i in range(20)}
    code |= {"ann": fingerprints([LONG]), "ben": fingerprints([OTHER, renamed(LONG)])}
    [pair] = alike("77", code)
    assert (pair.first, pair.second) == ("ann", "ben")
    assert pair.part == 1


def test_what_was_handed_out_and_what_the_class_has_is_no_hint():
    """The code of the copy and of half the class is left away."""
    assert fingerprints([LONG], all_hashes([LONG])) == ()
    assert alike("77", {f"s{i}": fingerprints([LONG]) for i in range(40)}) == []


def test_broken_code_is_read_as_far_as_it_goes():
    """Nothing that a student writes stops the hints."""
    for cell in ("def f(:\n  '''", "(" * 5000, "\x00", "\ud800 = 1", "if 1:\n   x\n  y", ""):
        fingerprints([cell])
