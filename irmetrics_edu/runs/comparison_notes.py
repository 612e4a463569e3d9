"""What has to be said beside a comparison: the notes of its runs put together, and the verdict."""

import math
from collections.abc import Collection, Mapping

from irmetrics_edu.runs.counts import Counts
from irmetrics_edu.runs.notes import Note
from irmetrics_edu.runs.run_scores import RunScores
from irmetrics_edu.runs.significance import PairedDifference, TestPlan

Key = tuple[str, str]  # a run and a measure
Share = tuple[int, int]  # of a run's documents: how many are not judged, among how many
UNTESTED = "u"  # the mark of a measure that is not tested
_NAMED = 4  # runs, or comparisons, up to which a note names each
_TESTS = {"t": "paired t-test", "wilcoxon": "Wilcoxon's signed-rank test"}


def notes_of_runs(evaluations: Mapping[str, RunScores]) -> list[str]:
    """The notes of all runs; what holds for several of them is said once.

    Notes are put together by what they tell, and whether of one thing or of several: they then
    differ in nothing but the number.
    """
    by_content: dict[tuple[Note, bool], dict[str, Note]] = {}
    for name, evaluation in evaluations.items():
        for note in evaluation.noted(unjudged=False):
            content = (note.uncounted, note.is_of_one)
            by_content.setdefault(content, {})[name] = note
    runs = len(evaluations)
    return [_said_once(notes, runs) for notes in by_content.values()]


def _said_once(
    notes: Mapping[str, Note],
    runs: int,
) -> str:
    """A note of one or several runs: with its number, or the number of each run."""
    first = next(iter(notes.values()))
    counts = {name: note.count or 0 for name, note in notes.items()}
    if len(set(counts.values())) > 1:
        each = _number_of_each(counts, ",")
        return first.marked(f"{each}: {first.said()}")
    if len(notes) == runs:
        return first.sentence()
    names = ", ".join(notes)
    return first.marked(f"{names}: {first.sentence()}")


def unjudged_notes(evaluations: Mapping[str, RunScores]) -> list[str]:
    """How many of the documents of each run are not judged, down to each cut-off."""
    counts: dict[str, Counts] = {}
    cutoffs: dict[int | None, None] = {}
    for name, evaluation in evaluations.items():
        of_run = evaluation.counts
        if of_run.relevant_alone:
            continue
        counts[name] = of_run
        for cutoff in of_run.unjudged_documents:
            cutoffs[cutoff] = None
    deepest: dict[tuple[Share, ...], int | None] = {}
    for cutoff in cutoffs:
        numbers = tuple(_unjudged(of_run, cutoff) for of_run in counts.values())
        if any(unjudged for unjudged, _ in numbers):
            deepest[numbers] = cutoff  # of equal counts the deepest cut stands
    notes = []
    for numbers, cutoff in deepest.items():
        where = "retrieved" if cutoff is None else f"at ranks 1 to {cutoff}"
        shares = {}
        of_runs = zip(counts, numbers, strict=True)
        for name, (unjudged, within) in of_runs:
            shares[name] = unjudged / max(1, within)
        share_of_each = _number_of_each(shares, ".0%")
        notes.append(f"documents {where} that are not judged: {share_of_each}")
    return notes


def _unjudged(
    counts: Counts,
    cutoff: int | None,
) -> Share:
    """How many documents down to a cut-off are not judged, and among how many."""
    return (
        counts.unjudged_documents.get(cutoff, 0),
        counts.documents_within.get(cutoff, 0),
    )


def _number_of_each(
    numbers: Mapping[str, float],
    form: str,
) -> str:
    """A number of each run: "old 2, new 4", or of many runs the least and the most."""
    if len(numbers) <= _NAMED:
        each = []
        for name, number in numbers.items():
            shown = format(number, form)
            each.append(f"{name} {shown}")
        return ", ".join(each)
    least = min(numbers, key=numbers.__getitem__)
    most = max(numbers, key=numbers.__getitem__)
    low = format(numbers[least], form)
    high = format(numbers[most], form)
    return f"from {low} ({least}) to {high} ({most})"


def verdict(
    tested: Mapping[Key, PairedDifference],
    marked: Collection[Key],
    *,
    baseline: str,
    plan: TestPlan,
) -> list[str]:
    """What a mark means, how p was found, and what the test can't find, whatever the runs."""
    test = plan.test
    level = plan.level
    how = _TESTS.get(test, f"{test} test")
    differing = {key: difference for key, difference in tested.items() if _differs(difference)}
    if test == "randomisation":
        ways = [difference.swapping.of_any_number() for difference in differing.values()]
        orders = ", or ".join(dict.fromkeys(ways)) or "no query differs"
        how += f" ({orders})"
    how += _correction(tested, plan)
    if marked:
        notes = [f"* differs from {baseline}: p < {level:g}, {how}"]
    else:
        notes = [f"no difference from {baseline} is significant: p >= {level:g}, {how}"]
    if test == "randomisation":
        notes += _beyond_the_test(differing, len(tested), level)
    p_values = [difference.p[test] for difference in tested.values()]
    if any(map(math.isnan, p_values)):
        notes.append("the t-test has no p of one query, or if all differ by the same amount")
    return notes


def _correction(tested: Mapping[Key, PairedDifference], plan: TestPlan) -> str:
    """Over which comparisons p is corrected."""
    measures = {measure for _, measure in tested}
    of_one = len(tested) // len(measures)
    if len(tested) == 1:
        return ""
    if len(measures) == 1 or plan.family == "all":
        return f", corrected by Holm over {len(tested)} comparisons"
    if of_one == 1:
        return f", not corrected over the {len(measures)} measures"
    return f", corrected by Holm over the {of_one} comparisons of each measure"


def _differs(difference: PairedDifference) -> bool:
    """Whether any query gains or loses."""
    return difference.wins + difference.losses > 0


def _beyond_the_test(
    differing: Mapping[Key, PairedDifference],
    comparisons: int,
    level: float,
) -> list[str]:
    """The comparisons in which no p can be below the level."""
    beyond = [
        f"{run} in {name}"
        for (run, name), difference in differing.items()
        if difference.least >= level
    ]
    if not beyond:
        return []
    where = ", ".join(beyond)
    if len(beyond) > _NAMED:
        where = f"{len(beyond)} of {comparisons} comparisons"
    few = "too few queries differ (or resamples are drawn)"
    return [f"{few} for a p below {level:g}: {where}"]
