"""Hints that submissions hold similar code: fingerprints of winnowed token sequences.

The method is that of Schleimer, Wilkerson and Aiken (2003), Winnowing: hash every sequence of k
tokens, keep the least hash of each window. Names, numbers and layout do not count, so renaming
hides nothing; what was handed out, what the solution has, and what much of the class has is left
away.

Many students find the same short answer on their own. So it is not the number of traces that two
share that counts, but whether the same few students share all of them: copies of one text have
their traces together, while two short answers that happen to be alike are each shared with others.
What is left is a hint to look, never a finding.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Shared by more than this part of the class: the way to write it, not a trace.
COMMON = 1 / 3
FEWEST = 3
# So many traces that the same students have: some five lines, which no short answer has.
LEAST_SHARED = 16
# So many where two have all of them, and no others: five short answers, each of them alike.
LEAST_WHOLE = 60
# Traces are of one group if so much of those who have either have both; a student is of the group
# with so much of its traces. What few have by chance makes no group.
LEAST_PART, LEAST_CORE = 0.6, 4


@dataclass(frozen=True)
class Alike:
    """Students whose code shares traces that few others have.

    `shared` counts the traces, `part` says how much of the shortest one's code they are; of
    identical files, `part` is 1 and `identical` true.
    """

    students: tuple[str, ...]
    shared: int
    part: float
    identical: bool = False


def alike(code: Mapping[str, Sequence[int]]) -> list[Alike]:
    """The groups of students to look at, those that share most first."""
    everybody = sorted(code)
    own = {who: set(code[who]) for who in everybody}
    masks: Counter[int] = Counter()
    for place, who in enumerate(everybody):
        for mark in own[who]:
            masks[mark] += 1 << place
    most = max(FEWEST, int(COMMON * len(code)))
    bundles: dict[int, set[int]] = defaultdict(set)
    for mark, mask in masks.items():
        if 2 <= mask.bit_count() <= most:
            bundles[mask].add(mark)
    waiting = sorted(bundles, key=lambda mask: (-len(bundles[mask]), mask))
    found = []
    while waiting and len(bundles[waiting[0]]) >= LEAST_CORE:
        core = waiting[0]
        near = [m for m in waiting if _overlap(core, m) >= LEAST_PART]
        waiting = [m for m in waiting if m not in set(near)]
        marks = set().union(*(bundles[m] for m in near))
        group = [who for who in everybody if len(own[who] & marks) >= LEAST_PART * len(marks)]
        if len(marks) >= LEAST_SHARED and len(group) > 1:
            shortest = min(len(own[who]) for who in group)
            part = min(1.0, round(len(marks) / shortest, 3))
            found.append(Alike(tuple(group), len(marks), part))
    known = [set(one.students) for one in found]
    found += [
        one for one in _throughout(code) if not any(set(one.students) <= group for group in known)
    ]
    return sorted(found, key=lambda a: (-a.shared, a.students))


def _throughout(code: Mapping[str, Sequence[int]]) -> list[Alike]:
    """Those whose whole code is the same but for names, in all of its answers."""
    groups: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for who in sorted(code):
        groups[tuple(code[who])].append(who)
    most = max(FEWEST, int(COMMON * len(code)))
    return [
        Alike(tuple(group), len(marks), 1.0)
        for marks, group in groups.items()
        if len(marks) >= LEAST_WHOLE and 1 < len(group) <= most
    ]


def _overlap(one: int, other: int) -> float:
    """The share of students with both of two traces among those with either."""
    return (one & other).bit_count() / (one | other).bit_count()


def identical(files: Mapping[str, str], code: Mapping[str, Sequence[int]]) -> list[Alike]:
    """The groups of students whose files are the same, byte by byte; `files` are digests."""
    groups: dict[str, list[str]] = defaultdict(list)
    for who in sorted(files):
        if files[who]:
            groups[files[who]].append(who)
    return [
        Alike(tuple(group), len(code.get(group[0], ())), 1.0, identical=True)
        for group in groups.values()
        if len(group) > 1
    ]
