"""Writing the files of translations, and holding a translation against the English text.

`notebooks/locale/04_graded_relevance.pot` holds the English messages, and
`notebooks/locale/ja/04_graded_relevance.po` their translations. Babel writes them.
"""

import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dev.tools.translated import LOCALE, read, translated_in, translations
from irmetrics_edu.errors import extra
from irmetrics_edu.views.language import has_words, language_of
from irmetrics_edu.views.terms import term

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

NOTE = (
    "Translations of irmetrics-edu. Read docs/translate.md first.\n"
    "No native reader has checked this file unless a line below names one."
)
# What a translation keeps as it is: formulas, code, {values}, addresses of links.
_KEPT = (
    ("formula", re.compile(r"\$[^$]+\$")),
    ("code", re.compile(r"`[^`]+`")),
    ("placeholder", re.compile(r"\{[^{}]*\}")),
    ("link", re.compile(r"\]\([^)]+\)")),
)
_TITLE = re.compile(r"(?<!\*)\*[^*]+\*(?!\*)")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_MACHINE = re.compile(rb'^"(POT-Creation-Date|PO-Revision-Date|Generated-By):.*\n', re.MULTILINE)


@dataclass(frozen=True)
class Message:
    """An English text: the file that has it, its line there (0: none is known), what it is."""

    text: str
    file: str
    line: int = 0
    about: str = ""


def template_of(name: str) -> Path:
    """The file of a chapter's English messages."""
    return LOCALE / f"{name}.pot"


def template(name: str, messages: Sequence[Message]) -> "Catalog":
    """The catalogue of English messages."""
    made: Catalog = extra("babel.messages.catalog", what="a translation").Catalog(
        project="irmetrics-edu", version="1", fuzzy=False, charset="utf-8",
        header_comment="\n".join(f"# {line}" for line in [name, *NOTE.splitlines()]),
    )  # fmt: skip
    for message in messages:
        about = [message.about] if message.about else []
        made.add(message.text, locations=[(message.file, message.line)], auto_comments=about)
    return made


def as_text(catalog: "Catalog") -> str:
    """A catalogue as it stands in its file: no date, no line numbers, so that few changes show."""
    for message in catalog:
        message.flags -= {"python-format", "python-brace-format"}  # "23 % of" is none
    buffer = io.BytesIO()
    extra("babel.messages.pofile", what="a translation").write_po(
        buffer, catalog, width=96, include_lineno=False
    )
    return _MACHINE.sub(b"", buffer.getvalue()).decode()


def updated(code: str, name: str, new: "Catalog") -> "Catalog":
    """A language's catalogue with the messages of a template; a text that changed is fuzzy.

    A message that another chapter has translated takes its translation from there.
    """
    locale, path = language_of(code).locale, translated_in(code, name)
    if path.exists():
        made = read(path, locale)
    else:
        made = template(name, [])
        made.locale = locale
    made.update(new)
    for other in sorted(path.parent.glob("*.po")):
        known = translations(read(other, locale))
        for message in made:
            if message.id and not message.string:
                message.string = known.get(str(message.id), "")
    return made


def problems(code: str, english: str, other: str, terms: Sequence[str] = ()) -> Iterator[str]:
    """What a translation has lost: formulas, code, values, links, numbers, terms of the glossary.

    >>> list(problems("ja", "the gain $g$ at rank 2", "順位 3 の $g$", ["gain"]))
    ['the number 2 is missing', "'gain' is 利得 in the glossary"]
    """
    for kind, pattern in _KEPT:
        before, after = (Counter(pattern.findall(text)) for text in (english, other))
        for lost in before - after:
            yield f"the {kind} {lost} is missing"
        for new in after - before:
            yield f"the {kind} {new} is not in the English text"
    for lost in Counter(_NUMBER.findall(english)) - Counter(_NUMBER.findall(other)):
        yield f"the number {lost} is missing"
    for name in terms:
        wanted = getattr(term(name), code, "")
        # A verb made of the noun has its beginning, and a short form its beginning or its end.
        if (
            has_words(name)
            and re.search(rf"\b{name}s?\b(?!\[)", _TITLE.sub("", english))
            and not any(part in other for part in (wanted[:2], wanted[-2:]))
        ):
            yield f"{name!r} is {wanted} in the glossary"
