"""Pages to look things up in: the glossary, and a page for each metric."""

import ast
import doctest
import re
from collections.abc import Iterator
from typing import Any

import irmetrics_edu
from dev.tools.places import page_of_metric
from dev.tools.site import letters, metric_parts
from dev.tools.site.markup import FILTER, drawn, fenced, framed, raw, spoken, table
from dev.tools.site.reference import docstring
from irmetrics_edu.commands.metrics import TASKS
from irmetrics_edu.course.figures import figure
from irmetrics_edu.diagnosis.mistakes import mistakes_of
from irmetrics_edu.metrics.definition import METRICS, Metric, import_all
from irmetrics_edu.metrics.notation import explain
from irmetrics_edu.views import escaping, plotting
from irmetrics_edu.views.mathml import mathml, with_equations
from irmetrics_edu.views.terms import GLOSSARY, LETTERS
from irmetrics_edu.working import Working

_USUAL = ("nDCG", "AP", "RR", "P", "R", "F")
_MEANS = {"AP": "MAP", "RR": "MRR"}  # who searches for the mean looks for its metric


def glossary() -> str:
    """The glossary: a line for each term, with its symbol, in three languages."""
    terms = sorted(GLOSSARY.values(), key=lambda t: t.name.lower())
    first = {letter: t for t in reversed(terms) if (letter := t.name[0].upper()).isalpha()}
    letters = " ".join(f'<a href="#{anchor(t.name)}">{a}</a>' for a, t in sorted(first.items()))
    head = "".join(
        f'<th scope="col">{h}</th>' for h in ("term", "meaning", "中文", "日本語", "symbol")
    )
    lines = [
        # The blanks between cells part the words of the search.
        f'<tr id="{anchor(t.name)}"><th scope="row">{escaping.html(t.name)}</th> '
        f"<td>{escaping.html(t.meaning)}</td> <td>{escaping.html(t.zh or t.name)}</td> "
        f"<td>{escaping.html(t.ja or t.name)}</td> <td>{_symbol(t.latex)}</td></tr>"
        for t in terms
    ]
    table = f"<table><thead><tr>{head}</tr></thead><tbody>\n" + "\n".join(lines)
    return (
        "# Glossary\n\n"
        + spoken(
            f"The {len(lines)} terms of workings, tables and plots in English, 中文 and 日本語."
        )
        + f"\n\n{FILTER}\n\n"
        + raw(f'<nav class="letters" aria-label="A to Z">{letters}</nav>')
        + "\n\n"
        + raw(framed(f"{table}\n</tbody></table>"))
        + "\n\n## Letters in formulas\n\n"
        "A letter has the same meaning in all formulas, unless a formula says otherwise.\n\n"
        + raw(framed(_letters()))
        + "\n"
    )


def _letters() -> str:
    lines = "".join(
        f"<tr><td>{mathml(latex)}</td><td>{escaping.html(meaning)}</td></tr>\n"
        for latex, meaning in LETTERS.items()
    )
    head = '<th scope="col">letter</th><th scope="col">meaning</th>'
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{lines}</tbody></table>"


def _symbol(latex: str) -> str:
    return f'<div class="symbol" tabindex="0">{mathml(latex)}</div>' if latex else ""


def anchor(term: str) -> str:
    """The anchor of a term on the page.

    >>> anchor("rank of the first relevant")
    'term-rank-of-the-first-relevant'
    """
    return "term-" + re.sub(r"[^\w]+", "-", term).strip("-")


def metrics() -> Iterator[tuple[str, str]]:
    """The page that lists all metrics, then a page for each: name and text."""
    import_all()
    # Where people look: the usual ones first, then by family.
    rank = {name: place for place, name in enumerate(_USUAL)}
    chosen = sorted(
        METRICS.values(), key=lambda m: (rank.get(m.name, len(rank)), m.kernel.__module__)
    )
    first = f"The package has {len(chosen)} metrics, here by task, the usual ones first."
    tables = []
    for task, families in TASKS.items():
        of_task = [m for m in chosen if m.kernel.__module__.rpartition(".")[2] in families.split()]
        lines = [
            (f"[{m.name}]({page_of_metric(m)}.md)", _defined(m), f"`{m.kernel.__name__}`")
            for m in of_task
        ]
        tables += [f"## {task.capitalize()}", table(("metric", "definition", "function"), lines)]
    pages = "\n".join(page_of_metric(m) for m in chosen)
    contents = f"```{{toctree}}\n:hidden:\n\n{pages}\n```"
    text = ["# Metrics", first, FILTER, *tables, contents, ""]
    yield "metrics", "\n\n".join(text)
    for metric in chosen:
        yield page_of_metric(metric), _metric(metric)


def _metric(metric: Metric) -> str:
    """A metric's definition, formula, working with drawing, values in libraries, and mistakes."""
    function = metric.kernel.__name__
    call = f"`{function}({', '.join(metric.inputs.arguments)})`"
    parts = [
        f"# {metric.name}",
        _defined(metric),
        f"$$\n{letters.equation(metric)}\n$$",
        letters.listed(metric),
        f"Call: {call}, and `assert_{function}` in a test. Source: {metric_parts.sources(metric)}.",
    ]
    example = worked(metric)
    if example is not None:
        code, working = example
        page = explain(working)._repr_html_()
        for said in (escaping.html(metric.definition), f"$${escaping.html(metric.formula)}$$"):
            page = page.replace(f"<p>{said}</p>\n", "", 1)  # it stands at the top of the page
        parts += ["## An example, step by step", fenced(code, "python"), _output(page)]
        if plotting.can_draw(working):
            alt = f"The columns of the working of {code} by rank, as the table shows them."
            parts.append(_output(figure(plotting.draw(working), alt)._repr_html_()))
    parts += metric_parts.tried(metric)
    parts += ["## Arguments and conventions", docstring(metric.kernel, without_first=True)]
    parts += metric_parts.in_libraries(metric)
    wrong = mistakes_of(metric)
    if wrong:
        parts += ["## Common mistakes", "`diagnose` and the exercises name these:"]
        parts.append("\n".join(f"- {_sentence(m.says)} {m.why}" for m in wrong))
    parts += metric_parts.in_a_paper(metric)
    return "\n\n".join([part for part in parts if part] + [""])


def _defined(metric: Metric) -> str:
    """The definition, and what its mean is called: people look for that, too."""
    mean = _MEANS.get(metric.name)
    return metric.definition + (f" Its mean over queries is called {mean}." if mean else "")


def _sentence(text: str) -> str:
    return escaping.markdown(f"{text[0].upper()}{text[1:]}.")


def _output(page: str) -> str:
    return raw(f'<div class="output">{drawn(framed(with_equations(page)))}</div>')


def worked(metric: Metric) -> tuple[str, Working] | None:
    """The first call of the metric in its own examples, with its working."""
    function = metric.kernel.__name__
    known: dict[str, Any] = {name: getattr(irmetrics_edu, name) for name in irmetrics_edu.__all__}
    for example in doctest.DocTestParser().get_examples(metric.kernel.__doc__ or ""):
        for call in _calls(ast.parse(example.source), function):
            code = ast.unparse(call)
            call.keywords = [k for k in call.keywords if k.arg != "exact"]
            call.func = ast.Attribute(call.func, "working", ast.Load())
            source = ast.unparse(ast.fix_missing_locations(call))
            return code, eval(source, known)  # noqa: S307 -- an example of our own
        exec(example.source, known)  # noqa: S102 -- as above
    return None


def _calls(tree: ast.AST, function: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            of = node.func.left if isinstance(node.func, ast.BinOp) else node.func  # ndcg @ 3
            if isinstance(of, ast.Name) and of.id == function:
                yield node
