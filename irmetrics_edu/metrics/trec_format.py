"""trec_eval's names of measures and its text output, so that `diff` can compare the two."""

import re
from collections.abc import Iterable

from irmetrics_edu.views.escaping import unobeyed

# trec_eval's name, ours, in the order in which trec_eval prints. "#" is the cut-off or level.
NAMES = (
    ("map", "AP"),
    ("gm_map", "GMAP"),
    ("Rprec", "Rprec"),
    ("bpref", "bpref"),
    ("recip_rank", "RR"),
    ("iprec_at_recall_#", "IPrec@#"),
    ("P_#", "P@#"),
    ("recall_#", "R@#"),
    ("unj_#", "Hole(divisor=k)@#"),
    ("infAP", "infAP"),
    ("gm_bpref", "GMbpref"),
    ("Rprec_mult_#", "Rprec_mult@#"),
    ("utility", "utility"),
    ("11pt_avg", "interpolated-AP"),
    ("ndcg", "nDCG"),
    ("ndcg_cut_#", "nDCG@#"),
    ("map_cut_#", "AP@#"),
    ("relative_P_#", "P(divisor=reachable)@#"),
    ("success_#", "Success@#"),
    ("set_P", "P"),
    ("set_relative_P", "P(divisor=reachable)"),
    ("set_recall", "R"),
    ("set_map", "set_map"),
    ("set_F", "F"),
)
_OF_LEVELS = ("iprec", "Rprec_mult")  # their levels have two decimals
_READ = [
    (re.compile(re.escape(trec).replace(r"\#", r"(\d+(?:\.\d+)?)")), trec, ours)
    for trec, ours in NAMES
]


def ours(name: str) -> str | None:
    """Our notation for one of trec_eval's names; None if it is not one.

    >>> ours("ndcg_cut_10")
    'nDCG@10'
    """
    for pattern, _, notation in _READ:
        pattern_match = pattern.fullmatch(name)
        if pattern_match:
            return notation.replace("#", pattern_match[1]) if pattern_match.groups() else notation
    return None


# The usual cut-offs and levels of a name that comes without any.
_CUTS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
USUAL = {
    **dict.fromkeys(("P", "recall", "ndcg_cut", "map_cut", "relative_P"), _CUTS),
    "success": ("1", "5", "10"),
    "iprec_at_recall": tuple(f"{i / 10:.2f}" for i in range(11)),
    "Rprec_mult": tuple(f"{i / 5:.2f}" for i in range(1, 11)),
}
_SEVERAL = re.compile(r"(?P<name>\w+?)[._](?P<cuts>\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)")
_WITHOUT_OURS = ("iprec_at_recall", "map_cut", "relative_P")  # names that mean nothing else


def expanded(name: str) -> list[str]:
    """Our measures for trec_eval's way to write several cut-offs; none if it is not written so.

    >>> expanded("ndcg_cut.5,10")
    ['nDCG@5', 'nDCG@10']
    >>> len(expanded("iprec_at_recall"))
    11
    """
    if name in _WITHOUT_OURS:
        cuts: Iterable[str] = USUAL[name]
        base = name
    else:
        written = _SEVERAL.fullmatch(name)
        if written is None or written["name"] not in USUAL:
            return []
        cuts = written["cuts"].split(",")
        base = written["name"]
    notations = [ours(f"{base}_{cut}") for cut in cuts]
    return [notation for notation in notations if notation is not None]


def theirs(name: str) -> tuple[int, float, str]:
    """trec_eval's name for a measure in our notation, with its place in trec_eval's output.

    A measure that trec_eval does not have keeps its name and comes last.

    >>> theirs("nDCG@10")
    (15, 10.0, 'ndcg_cut_10')
    """
    base, _, cut = name.partition("@")
    for place, (trec, notation) in enumerate(NAMES):
        root, at, _ = notation.partition("@")
        if root == base and bool(at) == bool(cut):
            level = f"{float(cut):.2f}" if trec.startswith(_OF_LEVELS) else cut
            return place, float(cut or 0), trec.replace("#", level)
    return len(NAMES), 0.0, name


def line(name: str, query: str, value: float | int | str) -> str:
    r"""One line of trec_eval's output: the name, padded, the query or "all", four digits.

    >>> line("map", "all", 0.17856)
    'map                   \tall\t0.1786'
    """
    shown = f"{value:6.4f}" if isinstance(value, float) else str(value)
    return f"{name:<22}\t{unobeyed(query)}\t{unobeyed(shown)}"


def in_trec_order(names: Iterable[str]) -> list[str]:
    """Names of measures in the order in which trec_eval prints them."""
    return sorted(names, key=lambda name: theirs(name)[:2])
