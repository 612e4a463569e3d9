"""The files of translations: a catalogue for each chapter and language, which Babel reads.

`notebooks/locale/04_graded_relevance.pot` holds the English messages, and
`notebooks/locale/ja/04_graded_relevance.po` their translations.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.errors import InputError, extra
from irmetrics_edu.views.language import LANGUAGES, language_of

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

LOCALE = Path(__file__).resolve().parents[2] / "notebooks" / "locale"


def translated_in(code: str, name: str) -> Path:
    """The file of a chapter's messages in a language."""
    return LOCALE / language_of(code).locale / f"{name}.po"


def languages(name: str) -> list[str]:
    """The languages into which a chapter is being translated, by code."""
    return [code for code in LANGUAGES if translated_in(code, name).exists()]


def read(path: Path, locale: str | None = None) -> "Catalog":
    """A catalogue; InputError if the file isn't there or can't be read."""
    if not path.exists():
        raise InputError(
            f"{path}: there is no such catalogue; write it with "
            f"python -m tools.messages extract {path.stem}"
        )
    pofile = extra("babel.messages.pofile", what="a translation")
    with path.open("rb") as file:
        found: Catalog = pofile.read_po(file, locale=locale, abort_invalid=True)
    return found


def translations(catalog: "Catalog") -> dict[str, str]:
    """The messages that are translated, without those that are fuzzy."""
    return {str(m.id): str(m.string) for m in catalog if m.id and m.string and not m.fuzzy}


def translator(code: str, name: str) -> Callable[[str], str]:
    """A function from a chapter's messages to a language; what is not translated stays English."""
    found = translations(read(translated_in(code, name)))
    return lambda text: found.get(text, text)
