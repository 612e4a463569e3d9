"""Every measure of `trec_eval -m all_trec`: our name for it, or the reason if there is none."""

import re

from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics import trec_format

# In the order in which trec_eval 10 prints them; # stands for a cut-off or a level.
ALL_TREC = (
    "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref",
    "recip_rank", "iprec_at_recall_#", "P_#", "relstring_#", "recall_#", "infAP", "gm_bpref",
    "Rprec_mult_#", "utility", "11pt_avg", "binG", "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut_#",
    "map_cut_#", "relative_P_#", "success_#", "set_P", "set_relative_P", "set_recall", "set_map",
    "set_F", "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj_#",
)  # fmt: skip

_COUNT = "a count, which trec_eval adds up over queries; ours are means"
_EXPERIMENT = "trec_eval calls it experimental, and no paper defines it"
NOT_OURS = {
    "runid": "a text: the tag of the run",
    "num_q": "a count; an evaluation prints how many queries it is over",
    "num_ret": f"{_COUNT}. The working of `P` has it as the divisor",
    "num_rel": f"{_COUNT}. The working of `R` has it as R",
    "num_rel_ret": f"{_COUNT}. The working of `R` has it as relevant retrieved",
    "relstring_#": "a text: the grades of the first documents. `explain` shows them",
    "binG": _EXPERIMENT,
    "G": _EXPERIMENT,
    "ndcg_rel": _EXPERIMENT,
    "Rndcg": _EXPERIMENT,
    "num_nonrel_judged_ret": f"{_COUNT}. The working of `bpref` counts them down to each rank",
    "rbp": "`RBP(p=0.9)` is the same for grades 0 and 1; trec_eval scales other grades by bounds "
    "that it never sets",
    "rbp_resid": "the residual in the working of `RBP(p=0.9)`, under the same condition",
}


def entry(printed: str) -> tuple[str, str | None, str]:
    """A name that trec_eval prints: its form in the table, our name, or the reason for none.

    >>> entry("ndcg_cut_10")
    ('ndcg_cut_#', 'nDCG@10', '')
    >>> entry("runid")
    ('runid', None, 'a text: the tag of the run')
    """
    for form in ALL_TREC:
        if re.fullmatch(re.escape(form).replace(r"\#", r"\d+(\.\d+)?"), printed):
            return form, trec_format.ours(printed), NOT_OURS.get(form, "")
    raise InputError(f"{printed!r} is not a name that trec_eval -m all_trec prints")


def page() -> str:
    """The table as a page in Markdown."""
    ours = dict(trec_format.NAMES)
    out = [
        "# The measures of trec_eval",
        "",
        "The table lists everything that `trec_eval -m all_trec`",
        "prints, in its order (version 10.0; version 9 has no rbp, rbp_resid and unj). `#` stands",
        "for a cut-off or a level. `evaluate` takes both names: `P_10` and `P@10` are the same",
        'measure. `evaluate(..., conventions="trec_eval")` gives trec_eval\'s values.',
        "",
        "If you call pytrec_eval, change its import. The calls, dictionaries, names and values",
        "stay the same, and nothing is compiled. That includes `parse_run`, `parse_qrel` and",
        "`all_trec`, with the measures that trec_eval calls experimental. `runid` and `relstring`",
        "are texts. For them pytrec_eval gives a number without a meaning; here they are 0.",
        "",
        "```python",
        ">>> from irmetrics_edu import compat as pytrec_eval",
        '>>> qrels = {"q1": {"d1": 1, "d2": 0}}',
        '>>> evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "recip_rank"})',
        '>>> evaluator.evaluate({"q1": {"d1": 0.5, "d2": 0.9}})',
        "{'q1': {'map': 0.5, 'recip_rank': 0.5}}",
        "",
        "```",
        "",
        "| trec_eval | here | why not |",
        "|---|---|---|",
    ]
    for name in ALL_TREC:
        here = f"`{ours[name]}`" if name in ours else ""
        out.append(f"| `{name}` | {here} | {NOT_OURS.get(name, '')} |")
    return "\n".join([*out, ""])
