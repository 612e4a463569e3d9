"""Mistakes of the catalogue that were made under other conventions than ours."""

from collections.abc import Iterator

from irmetrics_edu.diagnosis.mistakes import Mistake
from irmetrics_edu.diagnosis.printed import Target
from irmetrics_edu.diagnosis.result import FoundMistake
from irmetrics_edu.diagnosis.search import Search, SettingScores
from irmetrics_edu.diagnosis.switches import Setting, Switches, is_exhaustive, is_slow
from irmetrics_edu.libraries import BUNDLES, bundle

_MOST_WHERE_LARGE = 12  # settings tried on so many queries that each takes a while
_FINE = 5.1e-5  # a number of four digits: of fewer, too many settings give it by chance
_COARSE = 5.1e-4  # a number of three digits, of which single changes are tried
Elsewhere = tuple[Mistake, Setting, SettingScores]


def mistakes_elsewhere(search: Search, target: Target) -> Iterator[Elsewhere]:
    """The scores of each mistake under the conventions of each library, the fewest changes first.

    A change that some library has is tried alone, too: a gain without the library's ideal. So many
    scores give most numbers of few digits, which are not looked for.
    """
    base = search.switches.base
    settings = _settings(search)
    if target.finest > _COARSE:
        return
    if target.finest > _FINE:
        settings = [s for s in settings if len(s.changes(base)) == 1]
    if search.is_large:
        of_metric = [s for s in settings if s.run == base.run]
        settings = of_metric[:_MOST_WHERE_LARGE]
    for setting in settings:
        for mistake, scores in search.mistakes_under(setting):
            yield mistake, setting, scores


def found_elsewhere(search: Search, target: Target, trials: list[Elsewhere]) -> list[FoundMistake]:
    """Of each mistake that gives the value somewhere, where that takes the fewest changes."""
    base = search.switches.base
    by_label: dict[str, FoundMistake] = {}
    for mistake, setting, scores in trials:
        if mistake.label in by_label or not _fits(target, scores):
            continue
        right = search.score(setting)
        if right is not None and _fits(target, right):
            continue
        libraries = _with(search.switches, setting)
        by_label[mistake.label] = FoundMistake(
            mistake=mistake,
            score=scores.mean,
            arguments=setting.changes(base),
            libraries=libraries,
        )
    everywhere = list(by_label.values())
    if not everywhere:
        return []
    sizes = [len(one.arguments) for one in everywhere]
    fewest = min(sizes)
    return [one for one in everywhere if len(one.arguments) == fewest]


def _fits(target: Target, scores: SettingScores) -> bool:
    return target.fits(
        scores.mean,
        scores.scores,
        scores.place,
    )


def _settings(search: Search) -> list[Setting]:
    """The settings of the libraries, and each of their changes alone, but for our own setting."""
    switches = search.switches
    base = switches.base
    settings: dict[Setting, None] = {}
    for _, setting in switches.libraries():
        kept = setting
        if not search.facts.without_relevant:
            kept = _as_in(base, setting)
        changes = kept.changes(base)
        for name, value in changes.items():
            settings[base.changed({name: value})] = None
        settings[kept] = None
    settings.pop(base, None)
    quick = [s for s in settings if not (is_slow(s) or is_exhaustive(s))]
    use = {library.name: 10**library.use for library in BUNDLES.values()}

    def order(setting: Setting) -> tuple[int, int]:
        """The sort key: the fewest changes first, then those of the most used libraries."""
        followers = _with(switches, setting)
        users = sum(use[name] for name in followers)
        changes = setting.changes(base)
        return len(changes), -users

    return sorted(quick, key=order)


def _as_in(base: Setting, setting: Setting) -> Setting:
    """The setting with our own score for nothing relevant, which there is not here."""
    ours = dict(base.metric)
    return setting.changed({"no_relevant": ours.get("no_relevant")})


def _with(switches: Switches, setting: Setting) -> list[str]:
    """The libraries that have all changes of a setting."""
    changes = setting.changes(switches.base).items()
    ours = bundle("irmetrics_edu").name
    names: dict[str, None] = {}
    for label, theirs in switches.libraries():
        name = label.partition(":")[0]
        if name == ours:
            continue
        if changes <= theirs.values.items():
            names[name] = None
    return sorted(names, key=str.casefold)
