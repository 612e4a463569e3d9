"""Hints of similar code: renaming hides nothing, and what everybody writes is no hint."""

import re

import pytest

from irmetrics_edu.classroom.marking.matching.code_tokens import all_hashes, fingerprints
from irmetrics_edu.classroom.marking.reviewing.similarity import alike, identical
from tests.marking.honest import class_with_copies, copied, honest_class

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
    [pair] = alike(code)
    assert pair.students == ("ann", "ben")
    assert pair.part == 1


@pytest.mark.parametrize("seed", range(6))
def test_six_renamed_copies_of_44_are_one_group(seed):
    """One long answer of three, under other names and with comments: all six, and nobody else."""
    made = class_with_copies(seed)
    found = alike({who: fingerprints(cells) for who, cells in made.items()})
    assert [group.students for group in found] == [tuple(sorted(made)[:6])]


@pytest.mark.parametrize("copies", [2, 3, 4, 9, 14])
def test_groups_of_any_size_are_found(copies):
    """From two to nearly a third of the class."""
    made = class_with_copies(1, copies)
    found = alike({who: fingerprints(cells) for who, cells in made.items()})
    assert [group.students for group in found] == [tuple(sorted(made)[:copies])]


@pytest.mark.parametrize("seed", range(20))
def test_short_answers_of_ones_own_are_no_group(seed):
    """Three short answers each, written in few ways: many are alike, and nobody is shown."""
    made = honest_class(seed)
    assert alike({who: fingerprints(cells) for who, cells in made.items()}) == []


def test_copies_that_were_edited_stay_a_group():
    """Each copy has another line less or more; what is left is still shared by the same six."""
    made = class_with_copies(2)
    for number, who in enumerate(sorted(made)[:6]):
        lines = made[who][1].split("\n")
        lines.insert(4 + number, f"    assert len(grades) > {number} - 1 or k is None")
        made[who][1] = "\n".join(lines)
    [group] = alike({who: fingerprints(cells) for who, cells in made.items()})
    assert len(group.students) >= 5
    assert set(group.students) <= set(sorted(made)[:6])


def test_whole_notebooks_of_short_answers_are_found():
    """Several short answers at once are as telling as one long one."""
    more = honest_class(9)
    made = {who: [*cells, *more[who]] for who, cells in honest_class(3).items()}
    for who, cells in made.items():  # other questions than the first three
        made[who] = [t.replace("log2", "sqrt") if i > 3 else t for i, t in enumerate(cells)]
        made[who] = [t.replace("+ 1", "+ 2 * 3") if i > 3 else t for i, t in enumerate(made[who])]
    assert alike({who: fingerprints(cells) for who, cells in made.items()}) == []
    first, second = sorted(made)[:2]
    made[second] = [text.replace("grades", "gains") for text in made[first]]
    made[first] = [text.replace("total", "t") for text in made[first]]
    found = alike({who: fingerprints(cells) for who, cells in made.items()})
    assert [group.students for group in found] == [(first, second)]


def test_a_large_class_takes_no_long_time():
    """Three hundred students: the work grows with the traces, not with the pairs."""
    code = {w: fingerprints(c) for w, c in honest_class(4, 300).items()}
    assert alike(code) == []


def test_identical_files_are_listed():
    """The same bytes from two students; one who handed in another file is left out."""
    files = {"ann": "aa", "ben": "aa", "cy": "bb", "di": ""}
    [group] = identical(files | {"ed": ""}, {"ann": (1, 2), "ben": (1, 2)})
    assert group.students == ("ann", "ben")
    assert group.identical


def test_what_was_handed_out_and_what_the_class_has_is_no_hint():
    """The code of the copy and of half the class is left away."""
    assert fingerprints([LONG], all_hashes([LONG])) == ()
    assert alike({f"s{i}": fingerprints([LONG]) for i in range(40)}) == []


def test_broken_code_is_read_as_far_as_it_goes():
    """Nothing that a student writes stops the hints."""
    for cell in ("def f(:\n  '''", "(" * 5000, "\x00", "\ud800 = 1", "if 1:\n   x\n  y", ""):
        fingerprints([cell])


def test_the_report_has_similar_code_side_by_side(a_class):
    """The cells and lines of each, as the notebooks count them; names of the roster are shown."""
    a_class.hand_in("m1.ipynb", a_class.copy("m1", ["x = 1", copied(0), "y = 2"]))
    a_class.hand_in("m2.ipynb", a_class.copy("m2", ["# mine\n\n" + copied(3).lstrip()]))
    a_class.hand_in("m3.ipynb", a_class.copy("m3", ["dcg = 3"]))
    (a_class.folder / "r.csv").write_text("student,name\nm1,Ann Lee\nm2,Jo Ode\nm3,Cy Zed\n")
    a_class.grade("--roster", str(a_class.folder / "r.csv"))
    report = a_class.report()
    assert "m1: cell 2, lines 2 to 15; m2: cell 1, lines 3 to 16" in report
    page = (a_class.out / "report.html").read_text(encoding="utf-8")
    both = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
    assert [text.split("\n")[0] for text in both] == ["def dcg(grades, k=None):"] * 2
    assert "for place in range(len(grades)):" in both[0]
    assert "for pos in range(len(grades)):" in both[1]
    [feedback] = (a_class.out / "feedback" / "m1").glob("*.md")
    assert "**Ann Lee**" in feedback.read_text()
