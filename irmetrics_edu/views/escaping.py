"""Text from anybody, as each format shows it: one function for each format.

Anybody may have written the ids, tags and names in a file. Everything in them is shown, and nothing
in them is obeyed: by a terminal, a browser, LaTeX, a reader of Markdown, a spreadsheet.
"""

import html as _html
import re
import unicodedata
from typing import Any

# What a terminal obeys: controls, ends of lines, marks that turn the direction of writing. And
# lone surrogates, which no encoding has.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# What nobody sees, so that two ids look the same: marks without width, such as a byte-order mark
# within a text, and letters of the plane of tags. The joiners are not among them (U+200C, U+200D):
# words of Persian and pictures of families are written with them.
_UNSEEN = re.compile(
    "[\xad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff\ufff9-\ufffb\U000e0001-\U000e007f]"
)
_MARKDOWN = re.compile(r"([\\`*\[\]<>|~$&]|(?<![^\W_])_|_(?![^\W_]))")
_MARKDOWN_LINE = re.compile(r"^(\d*)([#+\-=.)])")
_LATEX = {
    **{c: "\\" + c for c in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\textbar{}",
}
_FORMULA = tuple("=+-@＝＋－＠")


def unobeyed(text: str, *, keep: str = "") -> str:
    r"""Text without characters that a terminal obeys: each is its escape. All others are as given.

    New lines and tabs are escaped too, unless `keep` has them: an id with a new line is one cell of
    a table. This is for what machines read, to whom an escape is another id.

    >>> print(unobeyed("d1\x1b[2J\n"))
    d1\x1b[2J\n
    """

    def escape(match: re.Match[str]) -> str:
        c = match[0]
        return c if c in keep else _escape(c)

    return _CONTROL.sub(escape, text)


def visible(text: str, *, keep: str = "") -> str:
    r"""Text for people: what nobody sees is shown as its escape, too, so that ids look different.

    >>> print(visible("\ufeffq1\x1b[2J"))
    \ufeffq1\x1b[2J
    """
    return _UNSEEN.sub(lambda match: _escape(match[0]), unobeyed(text, keep=keep))


def named(identifier: Any) -> str:
    r"""An id as a note names it: what looks like something else is shown as its escape.

    That is what nobody sees, spaces other than the usual one, and letters put together of several
    characters where one would do.

    >>> print(named("e\u0301"), named("\xe9"), named("q\xa01"), named(7))
    e\u0301 é q\xa01 7
    """
    text = str(identifier)
    composed = unicodedata.normalize("NFC", text)
    is_composed = composed == text
    shown = []
    for c in text:
        mistaken = not c.isprintable() or (not is_composed and unicodedata.combining(c))
        shown.append(_escape(c) if mistaken else c)
    return "".join(shown)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def html(text: str) -> str:
    """Text as HTML, also within the quotes of an attribute.

    >>> html("<script>")
    '&lt;script&gt;'
    """
    return _html.escape(visible(text, keep="\n\t"))


def markdown(text: str, *, begins_line: bool = False) -> str:
    r"""Text as Markdown, on one line; at the start of a line it makes no heading and no list.

    >>> print(markdown("<b>|a_b*"))
    \<b\>\|a_b\*
    """
    shown = _MARKDOWN.sub(r"\\\1", visible(text))
    return _MARKDOWN_LINE.sub(r"\1\\\2", shown) if begins_line else shown


def latex(text: str) -> str:
    r"""Text as LaTeX, with the characters escaped that LaTeX reads as commands.

    After the end of a row of a table, LaTeX would take [ and * for options of that end.

    >>> print(latex("a_b & 5%"), latex("[x]"))
    a\_b \& 5\% {}[x]
    """
    shown = "".join(_LATEX.get(c, c) for c in visible(text))
    return "{}" * shown.lstrip().startswith(("[", "*")) + shown


def figure(text: str) -> str:
    r"""Text as matplotlib shows it: a dollar sign begins no formula.

    >>> print(figure("a$b$"))
    a\$b\$
    """
    return visible(text, keep="\n").replace("$", r"\$")


def csv(value: Any) -> Any:
    """A cell of CSV that no spreadsheet takes for a formula: text that looks like one is quoted.

    A semicolon separates cells in countries with a decimal comma. Numbers are left as they are,
    even if they are text.

    >>> csv("=1+1"), csv("a;=1+1"), csv("-1.5"), csv(-1.5)
    ("'=1+1", "a;'=1+1", '-1.5', -1.5)
    """
    if not isinstance(value, str):
        return value
    return ";".join(map(_no_formula, unobeyed(value).split(";")))


def _no_formula(text: str) -> str:
    if not text.lstrip(' \t\n"\xa0\u3000').startswith(_FORMULA):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text
