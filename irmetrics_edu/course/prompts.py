"""Text that asks before it answers: predictions, revealed answers, quizzes, quotations, terms."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from math import isfinite
from typing import Any

from irmetrics_edu.course import documents
from irmetrics_edu.diagnosis.mistakes import mistakes_of
from irmetrics_edu.diagnosis.mistakes.wrong_rankings import of_ranking
from irmetrics_edu.errors import InputError
from irmetrics_edu.metrics.definition import Metric
from irmetrics_edu.views import escaping, formatting
from irmetrics_edu.views.explanation import Explanation
from irmetrics_edu.views.formatting import number, steady
from irmetrics_edu.views.language import LANGUAGES, heading, said, tag
from irmetrics_edu.views.terms import term
from irmetrics_edu.working import Working

_COURSE = files("irmetrics_edu.course")
# The works that the course cites, by first author and year.
WORKS: dict[str, dict[str, str]] = tomllib.loads(
    _COURSE.joinpath("works.toml").read_text(encoding="utf-8")
)


def _on_one_line(name: str) -> str:
    """A script of the course without its comments and line ends."""
    lines = _COURSE.joinpath(name).read_text(encoding="utf-8").splitlines()
    return " ".join(line.strip() for line in lines if not line.lstrip().startswith("//"))


# Answers what a reader types into a prediction, wherever scripts run: no kernel is asked. It stands
# in every such output, so it is kept on one line.
SCRIPT = _on_one_line("typed.js")
# The same for a prediction in words: it opens the answer that follows.
SCRIPT_OF_WORDS = _on_one_line("compared.js")
_WORD = re.compile(r'\bword\("([^"]+)"\)')
# Nothing is computed where a page is read: a page holds every text that it takes for an answer, so
# that no answer is right in one browser and wrong in another.
_DIGITS = 6
_DENOMINATOR = 1000
# What happens to rankings in a program, and not on the paper on which a prediction is worked out.
_OF_PROGRAMS = of_ranking.keywords["read"]
_NEAR = 0.02  # 1.0 is no answer where 0.965 is right, and none where 0.998 is


@dataclass(frozen=True, repr=False)
class Page:
    """Something to show: as HTML in a notebook, as text elsewhere."""

    text: str
    page: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.page


def predict(
    question: str,
    answer: float | None = None,
    *,
    of: tuple[Any, ...] = (),
    mistaken: Mapping[float, str] | None = None,
    between: tuple[float, float] | None = None,
) -> Page:
    """A prediction is asked for before the answer is shown: type a number or a sentence first.

    With the right number the field answers what a reader types. Without one it is for a sentence,
    and once something is written it opens the answer that follows. `of` is a metric with what it is
    called with, instead of `answer`: the mistakes of the catalogue that come to another number are
    then named too. `mistaken` says what else is behind a number. `between` is for an answer that a
    simulation draws: any number from the first to the second, written with as many digits, is
    right, too.

    >>> predict("Precision of 1, 0, 0, 1?", 0.5, mistaken={2.0: "That counts the hits."})
    Predict: Precision of 1, 0, 0, 1?
    """
    expected = outcomes(answer, of, mistaken or {}, between)
    kind = 'inputmode="decimal"' if expected else 'class="sentence"'
    field = f'<input type="text" {kind} autocomplete="off">'
    data = _data(expected) if expected else f" data-compared{_translated(SCRIPT_OF_WORDS)}"
    script = f"<script>{SCRIPT if expected else SCRIPT_OF_WORDS}</script>"
    return Page(
        f"{said('Predict:')} {question}",
        f'<div class="predict"{data}><p><strong>{said("Predict first.")}</strong> '
        f"{escaping.html(question)}</p>"
        f"<label>{said('Your prediction')} {field}</label></div>{script}",
    )


def _data(expected: "list[ReaderNumber]") -> str:
    """What the script needs, as attributes: the outcomes, and its words if they are translated."""
    entries = [
        {
            "forms": outcome.forms,
            "right": outcome.right,
            "says": outcome.says,
        }
        for outcome in expected
    ]
    return _attribute("outcomes", entries) + _translated(SCRIPT)


def _translated(script: str) -> str:
    """The words of a script as an attribute, where they are translated."""
    words = {text: said(text) for text in _WORD.findall(script)}
    if all(text == word for text, word in words.items()):
        return ""
    return _attribute("words", words)


def _attribute(name: str, value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f" data-{name}='{escaping.html(text)}'"


@dataclass(frozen=True)
class ReaderNumber:
    """A number that a reader may come to, and what to say to it."""

    value: float
    says: str
    right: bool = False
    also: tuple[str, ...] = ()  # how other numbers are written that are as good

    @property
    def forms(self) -> list[str]:
        """The number as somebody may write it: rounded, with two digits or more, or a fraction.

        >>> ReaderNumber(0.75, "").forms[:3], ReaderNumber(6.392789, "").forms[:3]
        (['3/4', '0.75', '0.750'], ['6.4', '6.39', '6.393'])
        """
        forms = []
        fraction = Fraction(self.value).limit_denominator(_DENOMINATOR)
        if fraction.denominator > 1 and _same(float(fraction), self.value):
            forms.append(str(fraction))
        for digits in range(_DIGITS + 1):
            text = number(self.value, digits)
            rounded = float(text)
            off = abs(rounded - self.value)
            far = rounded == 1 or off > _NEAR * abs(self.value)
            significant = text.lstrip("-0.").replace(".", "")
            long = len(significant) > 1
            if rounded == steady(self.value) or (long and not far):
                forms.append(text)
        forms.extend(text for text in self.also if text not in forms)
        return forms


def _same(a: float, b: float) -> bool:
    return steady(a) == steady(b)


def outcomes(
    answer: float | None,
    of: tuple[Any, ...],
    mistaken: Mapping[float, str],
    between: tuple[float, float] | None = None,
) -> list[ReaderNumber]:
    """The right number first, then what the mistakes give that come to another number.

    `of` is a metric with what it is called with: the catalogue's mistakes are called with the same.
    """
    if between is not None:
        _check_between(answer, mistaken, between)
    if of and answer is not None:
        raise InputError("a prediction has answer= or of=, not both")
    of_catalogue: list[ReaderNumber] = []
    if of:
        metric, *inputs = of
        answer = float(metric(*inputs))
        of_catalogue.extend(_catalogued(metric, inputs))
    if answer is None:
        return []
    if not isfinite(answer):
        raise InputError(f"a prediction asks for a number, not {answer!r}")
    also = _written_between(*between) if between is not None else ()
    right = ReaderNumber(float(answer), said("Right."), right=True, also=also)
    of_question = [ReaderNumber(float(value), says) for value, says in mistaken.items()]
    for mistake in of_question:
        if _same(mistake.value, right.value):
            raise InputError(f"{mistake.value:g} is the right answer and can't be a mistake")
    return _distinct([right, *of_question, *of_catalogue])


def _check_between(
    answer: float | None,
    mistaken: Mapping[float, str],
    between: tuple[float, float],
) -> None:
    """Refuse a range that the answer is not in, or in which a mistake lies."""
    low, high = between
    if answer is None or not low <= answer <= high:
        raise InputError(f"between={between!r} needs an answer in this range, not {answer!r}")
    for value in mistaken:
        if low <= value <= high:
            raise InputError(f"{value:g} lies in between={between!r} and can't be a mistake")


def _written_between(low: float, high: float) -> tuple[str, ...]:
    """The numbers of a range as somebody writes them: with the digits that its ends have.

    >>> _written_between(14, 16), _written_between(0.1, 0.25)[:3]
    (('14', '15', '16'), ('0.10', '0.11', '0.12'))
    """
    places = [len(f"{end:g}".partition(".")[2]) for end in (low, high)]
    digits = max(places)
    first, last = (round(end * 10**digits) for end in (low, high))
    return tuple(f"{step / 10**digits:.{digits}f}" for step in range(first, last + 1))


def _distinct(numbers: Sequence[ReaderNumber]) -> list[ReaderNumber]:
    """The numbers without those that an earlier one is equal to."""
    distinct: list[ReaderNumber] = []
    for number_of_reader in numbers:
        if not any(_same(number_of_reader.value, other.value) for other in distinct):
            distinct.append(number_of_reader)
    return distinct


def _catalogued(metric: Metric, inputs: list[Any]) -> Iterator[ReaderNumber]:
    for mistake in mistakes_of(metric):
        if mistake.read == _OF_PROGRAMS:
            continue
        try:
            value = float(mistake.instead_of(metric)(*inputs))
        except InputError:
            continue  # the mistake has no value here, so nobody comes to it
        if isfinite(value):
            says = said("Your number is that of {says}.", says=said(mistake.says))
            yield ReaderNumber(value, f"{says} {said(mistake.why)}")


def reveal(answer: object, *, summary: str = "") -> Page:
    """An answer that stays folded until the reader opens it.

    It is shown as it shows itself in a notebook, or else as its text.
    """
    text = said(answer) if isinstance(answer, str) else str(answer)
    summary = summary or said("Reveal the answer")
    inside = answer._repr_html_() if hasattr(answer, "_repr_html_") else _paragraph(text)
    return Page(
        text,
        f"<details><summary>{escaping.html(summary)}</summary>\n{inside}\n</details>",
    )


def _paragraph(text: str) -> str:
    return _monospaced(text) if "\n" in text else f"<p>{escaping.html(text)}</p>"


def _monospaced(text: str) -> str:
    # Jupyter sets <pre> in outputs in the font of the text, which would unalign the columns.
    return f'<pre style="font-family: monospace">{escaping.html(text)}</pre>'


def verbatim(output: object) -> Page:
    """What a program or a failed assertion said, letter by letter.

    >>> verbatim("1 passed")
    1 passed
    """
    text = str(output)
    return Page(text, _monospaced(text))


def table(
    source: Working | Mapping[str, Sequence[Any]],
    *,
    digits: int = 4,
    caption: str = "",
) -> Page:
    """A working's own table, or columns by name, as a table; numbers are rounded here."""
    if isinstance(source, Working):
        section = Explanation(source, digits=digits).sections[0]
        header, lines = section.header, section.lines
        caption = caption or section.equation
    else:
        columns = []
        for values in source.values():
            cells = [said(value) if isinstance(value, str) else value for value in values]
            columns.append(formatting.column(cells, digits))
        header = tuple(map(heading, source))
        lines = tuple(zip(*columns, strict=True))
    text = formatting.aligned(header, lines)
    page = formatting.html_table(header, lines)
    if caption:
        text = f"{caption}\n{text}"
        page = f"<p>{escaping.html(caption)}</p>\n{page}"
    return Page(text, page)


def quiz(question: str, answers: Mapping[str, tuple[bool, str]]) -> Page:
    """A question with its answers, each with feedback that opens on a click; one or more are right.

    `answers` maps an answer to whether it is right and to what to say of it: of a wrong one, which
    idea leads there.
    """
    if not any(right for right, _ in answers.values()):
        raise InputError(f"{question!r} has no right answer")
    if any(not feedback.strip() for _, feedback in answers.values()):
        raise InputError(f"{question!r}: every answer needs feedback")
    text = [f"{said('Quiz:')} {question}"]
    page = [f'<div class="quiz"><p><strong>{escaping.html(question)}</strong></p>']
    for letter, (answer, (right, feedback)) in zip("abcdefgh", answers.items(), strict=False):
        verdict = said("Right.") if right else said("Not quite.")
        text.append(f"  {letter}) {answer}")
        page.append(
            f"<details><summary>{letter}) {escaping.html(answer)}</summary>"
            f"<p>{verdict} {escaping.html(feedback)}</p></details>"
        )
    return Page("\n".join(text), "\n".join([*page, "</div>"]))


def quote(document: str, words: str, translation: str = "") -> Page:
    """A document's own words, briefly, with its name.

    `document` is the number of a document of the course, such as 004. `translation` is what the
    words mean in the language of the chapter. It stands first, because most readers need it, and
    the original stands below it. A quotation without words that need one has none.

    >>> print(repr(quote("003", "标准", "Standard")).partition(" (")[0])
    “Standard”
    “标准”
    """
    about, _ = documents.load(document)
    source = said(
        "document {number}: {title}",
        number=document,
        title=said(about["title"]),
    )
    language = escaping.html(about.get("language", ""))
    text = f"“{words}” ({source})"
    page = [
        f'<p lang="{language}">',
        escaping.html(words),
        "</p>",
        "<footer>",
        escaping.html(source),
        "</footer>",
        "</blockquote>",
    ]
    if translation:
        text = f"“{translation}”\n{text}"
        page[:0] = [
            "<p>",
            escaping.html(translation),
            "</p>",
        ]
    return Page(
        text,
        "".join(["<blockquote>", *page]),
    )


def terms(*names: str) -> Page:
    """Terms with their meaning, from the glossary; in a translated chapter in its language, too."""
    entries = [term(name) for name in names]
    columns = {said("term"): [entry.name for entry in entries]}
    for code, language in LANGUAGES.items():
        if language.tag == tag():
            columns[language.name] = [getattr(entry, code) or entry.name for entry in entries]
    columns[said("meaning")] = [said(entry.meaning) for entry in entries]
    header = list(columns)
    lines = list(zip(*columns.values(), strict=True))
    return Page(
        formatting.aligned(header, lines),
        formatting.html_table(header, lines),
    )


def reading(*works: str) -> Page:
    """What to read on: works of the course's list by first author and year, with their addresses.

    >>> print(repr(reading("Student 1908")))
    Student (1908), The probable error of a mean, Biometrika 6(1). doi:10.1093/biomet/6.1.1
    """
    text = []
    page = []
    for name in works:
        if name not in WORKS:
            raise InputError(f"{name!r} is not among the works that works.toml lists")
        about = WORKS[name]
        _, _, year = name.rpartition(" ")
        short = about["address"]
        link = short
        if short.startswith("10."):
            link = f"https://doi.org/{short}"
            short = f"doi:{short}"
        text.append(f"{about['authors']} ({year}), {about['title']}, {about['venue']}. {short}")
        page.append(
            f"<li>{escaping.html(about['authors'])} ({year}), "
            f"<em>{escaping.html(about['title'])}</em>, {escaping.html(about['venue'])}. "
            f'<a href="{escaping.html(link)}">{escaping.html(short)}</a></li>'
        )
    return Page("\n".join(text), f'<ul class="reading">{"".join(page)}</ul>')
