"""The language of what is shown: a text in the reader's language, if it has been translated.

The texts are written in English, where they are used. `said` looks each up in a catalogue of
messages in the form of gettext, which `dev.tools.messages` compiles. A text without
a translation stays English. Marks and numbers never depend on the language.
"""

import gettext
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

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
_Spoken = tuple[str, gettext.NullTranslations]
_spoken: list[_Spoken] = [("", gettext.NullTranslations())]
# What `spoken_in` sets: each thread has its own.
_for_now: ContextVar[_Spoken | None] = ContextVar("_for_now", default=None)


class Worded(str):
    """A sentence in English that can be said in another language later.

    `template` and `values` are what it was made of.

    >>> sentence = worded("{count} decimals", count=2)
    >>> with spoken_in("ja"):
    ...     print(said(sentence))
    小数点以下 2 桁
    >>> print(sentence)
    2 decimals
    """

    template: str
    values: Mapping[str, object]


def worded(template: str, /, **values: object) -> Worded:
    """A sentence in English, made of a template and values."""
    sentence = Worded(template.format(**values) if values else template)
    sentence.template = template
    sentence.values = values
    return sentence


# A sentence as plain data: the text itself, or the template and the values of one that is worded.
Stored: TypeAlias = "str | dict[str, object]"


def stored(sentence: str) -> Stored:
    """A sentence as plain data, from which `restored` makes one that can be said in any language.

    >>> stored(worded("{count} decimals", count=2))
    {'template': '{count} decimals', 'values': {'count': 2}}
    >>> stored("Canvas")
    'Canvas'
    """
    if not isinstance(sentence, Worded):
        return sentence
    values: dict[str, object] = {}
    for name, value in sentence.values.items():
        values[name] = stored(value) if isinstance(value, str) else value
    return {"template": sentence.template, "values": values}


def restored(data: object) -> str:
    """The sentence of plain data that `stored` made; TypeError or KeyError if it made none.

    >>> restored({"template": "{count} decimals", "values": {"count": 2}})
    '2 decimals'
    """
    if isinstance(data, str):
        return data
    if not isinstance(data, dict) or not isinstance(data["values"], dict):
        raise TypeError("no sentence")
    values: dict[str, object] = {}
    for name, value in data["values"].items():
        values[name] = restored(value) if isinstance(value, str | dict) else value
    return worded(str(data["template"]), **values)


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
    _spoken[0] = _in_language(code)


@contextmanager
def spoken_in(code: str) -> Iterator[None]:
    """Show texts in a language within a block, in this thread alone; "" is English.

    >>> with spoken_in("zh"):
    ...     said("Right.")
    '正确。'
    """
    token = _for_now.set(_in_language(code))
    try:
        yield
    finally:
        _for_now.reset(token)


def _in_language(code: str) -> _Spoken:
    """A language and its translations."""
    if not code:
        return "", gettext.NullTranslations()
    locale = language_of(code).locale
    translations = gettext.translation(
        DOMAIN,
        LOCALE,
        [locale],
        fallback=True,
    )
    return code, translations


def _now() -> _Spoken:
    """The language that is set."""
    return _for_now.get() or _spoken[0]


def tag() -> str:
    """The tag in HTML of the language that is set."""
    code, _ = _now()
    return LANGUAGES[code].tag if code else "en"


def said(text: str, /, **values: Any) -> str:
    """A text in the language that is set, with the values put in for its {names}.

    >>> said("It gives {count} values.", count=2)
    'It gives 2 values.'
    """
    if isinstance(text, Worded):
        return said(text.template, **{name: said_of(value) for name, value in text.values.items()})
    _, translations = _now()
    translated = translations.gettext(text) if text else ""
    return translated.format(**values) if values else translated


def said_of(value: object) -> object:
    """A value of a sentence: one that is a sentence itself is said, too."""
    return said(value) if isinstance(value, Worded) else value


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
    code, _ = _now()
    if not code or not has_words(name):
        return name
    from irmetrics_edu.views.terms import GLOSSARY

    term = getattr(GLOSSARY.get(name), code, "")
    return term or said(name)
