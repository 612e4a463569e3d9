"""What waits for somebody: `dev/waiting.md`, which `python -m dev.tools.generate` writes.

A measure may enter the package before it has its pseudo-code, its twin in JavaScript, or the names
of its terms in Chinese and Japanese. Here is what is still to come.
"""

from collections.abc import Iterator, Sequence

from dev.tools.vectors.meaning import measures_without_code
from dev.tools.vectors.runner import FILE as RUNNER
from dev.tools.vectors.runner import measures_without_twin
from irmetrics_edu.metrics.definition import METRICS, import_all
from irmetrics_edu.views.terms import GLOSSARY

FILE = "dev/waiting.md"
LANGUAGES = {"zh": "Chinese", "ja": "Japanese"}
_HEAD = """# What waits for somebody

Written by `python -m dev.tools.generate`. None of it keeps a change from being taken in.
"""
_OF_TERMS = (
    "Names of terms in {language}, in `irmetrics_edu/views/terms.toml`; until then the English "
    "name stands in:"
)
_OF_CODE = "Pseudo-code of measures, in `dev/tools/vectors/meanings.toml`:"
_OF_TWINS = f"Measures in JavaScript, in `{RUNNER}`:"


def measures_with_vectors() -> list[str]:
    """The measures that test vectors are made of: all but those of values over queries."""
    import_all()
    return [name for name, metric in METRICS.items() if metric.inputs.name != "values"]


def terms() -> Iterator[tuple[str, str]]:
    """Each term without a name in a language, with the code of the language."""
    for code in LANGUAGES:
        for term in GLOSSARY.values():
            if not getattr(term, code):
                yield code, term.name


def page() -> str:
    """The list, by what is lacking."""
    measures = measures_with_vectors()
    lacking = list(terms())
    sections = [
        (_OF_CODE, measures_without_code(measures)),
        (_OF_TWINS, measures_without_twin(measures)),
    ]
    for code, language in LANGUAGES.items():
        names = [name for other, name in lacking if other == code]
        sections.append((_OF_TERMS.format(language=language), names))
    return "\n".join([_HEAD, *(_section(what, names) for what, names in sections)])


def _section(what: str, names: Sequence[str]) -> str:
    listed = "\n".join(f"- `{name}`" for name in names) or "- nothing"
    return f"{what}\n\n{listed}\n"
