"""`irmetrics-edu metrics`: the registry."""

import argparse
import inspect
import textwrap
from typing import TYPE_CHECKING, Any

from irmetrics_edu.commands.options import add_format
from irmetrics_edu.views.output import put, put_json

if TYPE_CHECKING:
    from irmetrics_edu.conventions import Convention
    from irmetrics_edu.metrics import Metric

EXAMPLES = ("metrics", "metrics diversity", "metrics nDCG", "metrics --format json")
# What metrics are for, and the families (modules of `metrics`) that serve it.
TASKS = {
    "search": "set_based reciprocal_rank average_precision cumulated_gain of_trec_eval",
    "readers": "user_models stopping_models",
    "diversity": "novelty intent_aware per_intent",
    "recommendation": "diversity recommendation popularity variety",
    "fairness": "fairness",
    "classification": "contingency curves pairwise",
    "unjudged": "incomplete",
    "two orders": "rank_similarity",
    "answers": "answers",
    "means": "over_queries",
}
_TASK_OF = {family: task for task, families in TASKS.items() for family in families.split()}
_OWN = "your own"
_WIDTH = 80


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="a task, to see a line for each of its metrics; or a metric, to see its definition, "
        "formula, range, source and options",
    )
    add_format(parser, table="", json="")


def run(args: argparse.Namespace) -> int:
    """Print the tasks, the metrics of one, or one metric in full."""
    from irmetrics_edu import METRICS, parse
    from irmetrics_edu.metrics.definition import import_all

    import_all()
    by_task: dict[str, list[Metric]] = {task: [] for task in TASKS}
    for m in METRICS.values():
        by_task.setdefault(_TASK_OF.get(m.__module__.rpartition(".")[2], _OWN), []).append(m)
    if args.name in by_task:
        chosen = by_task[args.name]
    else:
        chosen = list(METRICS.values()) if args.name is None else [parse(args.name)]
    if args.form == "json":
        put_json([facts(m) for m in chosen])
    elif args.name is None:
        put(_tasks(by_task))
    elif args.name in by_task:
        put(_lines(chosen))
    else:
        put(_in_full(chosen[0]))
    return 0


def _tasks(by_task: "dict[str, list[Metric]]") -> str:
    """Each task with the names of its metrics, folded to the width of a screen."""
    width = max(map(len, by_task)) + 2
    lines = [
        textwrap.fill(
            "  ".join(m.name for m in metrics),
            _WIDTH,
            initial_indent=f"{task:<{width}}",
            subsequent_indent=" " * width,
            break_on_hyphens=False,
        )
        for task, metrics in by_task.items()
    ]
    told = (
        "`irmetrics-edu metrics TASK` shows a line for each, `irmetrics-edu metrics NAME` the rest"
    )
    return "\n".join([*lines, "", textwrap.fill(told, _WIDTH)])


def _lines(metrics: "list[Metric]") -> str:
    """A line for each metric: its name, and as much of its definition as the screen holds."""
    from irmetrics_edu.views import formatting

    room = _WIDTH - max(len(name) for name in ("metric", *(m.name for m in metrics))) - 2
    lines = [(m.name, textwrap.shorten(m.definition, room, placeholder=" ...")) for m in metrics]
    return formatting.aligned(("metric", "definition"), lines)


def facts(metric: "Metric") -> dict[str, Any]:
    """The registry's entry for a metric."""
    from irmetrics_edu.conventions import Convention
    from irmetrics_edu.libraries import BUNDLES
    from irmetrics_edu.libraries.table import NAMED_ALIKE, of_metric

    options = {**metric.defaults, **metric.inputs.options}
    having: set[str] = set()
    named_alike: set[str] = set()
    for library, _, how, *_ in of_metric(BUNDLES.values(), metric.name):
        (named_alike if how == NAMED_ALIKE else having).add(library)
    return {
        "name": metric.name,
        "function": metric.kernel.__name__,
        "definition": metric.definition,
        "formula": metric.formula_template,
        "range": [str(bound) for bound in metric.range],
        "units": metric.units,
        "inputs": list(metric.inputs.arguments),
        "cutoff": metric.cutoff if metric.has_cutoff else None,
        "conventions": {n: _choices(v) for n, v in options.items() if isinstance(v, Convention)},
        "parameters": {n: str(v) for n, v in options.items() if not isinstance(v, Convention)},
        "source": metric.source,
        "libraries": sorted(having),
        "named_alike": sorted(named_alike - having),
    }


def _choices(default: "Convention") -> list[str]:
    names = type(default).ways()
    return [default.name, *(name for name in names if name != default.name)]


def _in_full(metric: "Metric") -> str:
    entry = facts(metric)
    text = inspect.getdoc(metric.kernel) or ""
    told = {
        "formula": metric.formula,
        "range": f"{' to '.join(entry['range'])} {entry['units']}".rstrip(),
        "source": entry["source"],
        "had by": ", ".join(entry["libraries"]),
        "named alike (values not compared):": ", ".join(entry["named_alike"]),
    }
    lines = [entry["name"], "", text, ""]
    lines += [f"    {name:8} {value}" for name, value in told.items() if value]
    lines += [""]
    for name, choices in entry["conventions"].items():
        lines.append(f"    {name}: {', '.join(choices)}")
    lines += [f"    {name} = {value}" for name, value in entry["parameters"].items()]
    return "\n".join(lines)
