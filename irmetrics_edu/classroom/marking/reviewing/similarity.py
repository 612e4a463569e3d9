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
from dataclasses import dataclass, field

# Shared by more than this part of the class: the way to write it, not a trace.
COMMON = 1 / 3
FEWEST = 3
# So many traces that the same students have: some five lines, which no short answer has.
LEAST_SHARED = 16
# So many where two have all of them, and no others: five short answers, each of them alike.
LEAST_WHOLE = 60
# Traces are of one group if so much of those who have either have both; a student is of the group
# with so much of its traces. What few have by chance makes no group.
LEAST_PART = 0.6
LEAST_CORE = 4


@dataclass(frozen=True)
class Alike:
    """Students whose code shares traces that few others have.

    `shared` counts the traces, `part` says how much of the shortest one's code they are; of
    identical files, `part` is 1 and `identical` true. `traces` are what they share.
    """

    students: tuple[str, ...]
    shared: int
    part: float
    identical: bool = False
    traces: frozenset[int] = field(default=frozenset(), repr=False, compare=False)


class _Traces:
    """The traces of a class, bundled by the students who have them.

    A student is a place in `students`, and those who have a trace are a mask of bits.
    """

    def __init__(self, code: Mapping[str, Sequence[int]]) -> None:
        self.students = sorted(code)
        self.own = {student: set(code[student]) for student in self.students}
        self.most = _most_sharing(len(code))
        masks: Counter[int] = Counter()
        for place, student in enumerate(self.students):
            bit = 1 << place
            for mark in self.own[student]:
                masks[mark] += bit
        self.bundles: dict[int, set[int]] = defaultdict(set)
        for mark, mask in masks.items():
            if 2 <= mask.bit_count() <= self.most:
                self.bundles[mask].add(mark)

    def groups(self) -> list[Alike]:
        """The groups around those who share most, each trace in one group at most."""
        waiting = sorted(self.bundles, key=self._most_first)
        groups = []
        while waiting and len(self.bundles[waiting[0]]) >= LEAST_CORE:
            core = waiting[0]
            near = {mask for mask in waiting if _overlap(core, mask) >= LEAST_PART}
            waiting = [mask for mask in waiting if mask not in near]
            marks: set[int] = set()
            for mask in near:
                marks |= self.bundles[mask]
            group = self._group(marks)
            if group is not None:
                groups.append(group)
        return groups

    def _most_first(self, mask: int) -> tuple[int, int]:
        return -len(self.bundles[mask]), mask

    def _group(self, marks: set[int]) -> Alike | None:
        """Those who have most of these traces; None if there are too few of either."""
        least = LEAST_PART * len(marks)
        students = []
        for student in self.students:
            shared = self.own[student] & marks
            if len(shared) >= least:
                students.append(student)
        if len(marks) < LEAST_SHARED or len(students) < 2:
            return None
        shortest = min(len(self.own[student]) for student in students)
        part = round(len(marks) / shortest, 3)
        part = min(1.0, part)
        return Alike(
            tuple(students),
            len(marks),
            part,
            traces=frozenset(marks),
        )


def alike(code: Mapping[str, Sequence[int]]) -> list[Alike]:
    """The groups of students to look at, those that share most first."""
    groups = _Traces(code).groups()
    members = [set(group.students) for group in groups]
    for group in _throughout(code):
        students = set(group.students)
        if not any(students <= others for others in members):
            groups.append(group)
    return sorted(groups, key=lambda group: (-group.shared, group.students))


def _most_sharing(students: int) -> int:
    """How many may share a trace: of more it is the way to write it."""
    return max(FEWEST, int(COMMON * students))


def _throughout(code: Mapping[str, Sequence[int]]) -> list[Alike]:
    """Those whose whole code is the same but for names, in all of its answers."""
    same: dict[tuple[int, ...], list[str]] = defaultdict(list)
    for student in sorted(code):
        same[tuple(code[student])].append(student)
    most = _most_sharing(len(code))
    groups = []
    for marks, students in same.items():
        if len(marks) >= LEAST_WHOLE and 1 < len(students) <= most:
            groups.append(
                Alike(
                    tuple(students),
                    len(marks),
                    1.0,
                    traces=frozenset(marks),
                )
            )
    return groups


def _overlap(one: int, other: int) -> float:
    """The share of students with both of two traces among those with either."""
    both = one & other
    either = one | other
    number_both = both.bit_count()
    number_either = either.bit_count()
    return number_both / number_either


def identical(files: Mapping[str, str], code: Mapping[str, Sequence[int]]) -> list[Alike]:
    """The groups of students whose files are the same, byte by byte; `files` are digests."""
    same: dict[str, list[str]] = defaultdict(list)
    for student in sorted(files):
        digest = files[student]
        if digest:
            same[digest].append(student)
    groups = []
    for students in same.values():
        if len(students) > 1:
            traces = {trace for student in students for trace in code.get(student, ())}
            groups.append(
                Alike(
                    tuple(students),
                    len(traces),
                    1.0,
                    identical=True,
                    traces=frozenset(traces),
                )
            )
    return groups
