"""The language of what is shown: a text in the reader's language, if it has been translated.

The texts are written in English, where they are used. `said` looks each up in a catalogue of
messages in the form of gettext, which `dev.tools.messages` compiles. A text without
a translation stays English. Marks and numbers never depend on the language.
"""

import gettext
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irmetrics_edu.errors import InputError

DOMAIN = "irmetrics_edu"
LOCALE = Path(__file__).parent / "locale"


@dataclass(frozen=True)
class Language:
    """A language: its locale in gettext, its tag in HTML, and its own name."""

    locale: str
    tag: str
    name: str


LANGUAGES = {
    "zh": Language("zh_CN", "zh-Hans", "中文"),
    "ja": Language("ja", "ja", "日本語"),
}
_WORD = re.compile(r"(?<![A-Za-z])[A-Z]?[a-z]{3,}")
_spoken = [("", gettext.NullTranslations())]


def language_of(code: str) -> Language:
    """The language of a code, such as "ja"; InputError names those that there are."""
    if code not in LANGUAGES:
        raise InputError(f"there is no language {code!r}; give one of {', '.join(LANGUAGES)}")
    return LANGUAGES[code]


def speak(code: str) -> None:
    """Show texts in this language from now on; "" is English.

    >>> speak("ja")
    >>> said("Right.")
    '正解です。'
    >>> speak("")
    >>> said("Right.")
    'Right.'
    """
    translations = gettext.NullTranslations()
    if code:
        locale = language_of(code).locale
        translations = gettext.translation(
            DOMAIN,
            LOCALE,
            [locale],
            fallback=True,
        )
    _spoken[0] = (code, translations)


def tag() -> str:
    """The tag in HTML of the language that is set."""
    code = _spoken[0][0]
    return LANGUAGES[code].tag if code else "en"


def said(text: str, **values: Any) -> str:
    """A text in the language that is set, with the values put in for its {names}.

    >>> said("It gives {count} values.", count=2)
    'It gives 2 values.'
    """
    translated = _spoken[0][1].gettext(text) if text else ""
    return translated.format(**values) if values else translated


def noted(text: str) -> str:
    """A text that is collected for translation here, and translated where it is shown."""
    return text


def has_words(text: str) -> bool:
    """Whether a text has anything to translate, and is no symbol, number or identifier alone.

    >>> [has_words(text) for text in ("rank", "nDCG@10", "2^g - 1", "gain=exp")]
    [True, False, False, True]
    """
    return bool(_WORD.search(text))


def heading(name: str) -> str:
    """The name of a column or a quantity in the language that is set, as the glossary has it."""
    code = _spoken[0][0]
    if not code or not has_words(name):
        return name
    from irmetrics_edu.views.terms import GLOSSARY

    term = getattr(GLOSSARY.get(name), code, "")
    return term or said(name)
