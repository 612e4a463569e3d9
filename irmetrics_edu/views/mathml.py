r"""Equations of pages: LaTeX to MathML when a page is written, so that it fetches nothing.

latex2mathml translates, and this module corrects its result for browsers. An unknown command is an
error, so no reader sees a raw `\frac`.
"""

import html
import re
import unicodedata
from typing import Any
from xml.etree import ElementTree as ET

from irmetrics_edu.errors import InputError

_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
# Above and below, where there is room, as LaTeX sets them.
_LIMITS = {"max", "min", "sup", "inf", "lim", "argmax", "argmin"}
_PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3}
_BRACE = re.compile(r"(?<!\\)[{}]")
_BELOW = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
_STYLES = {
    "normal": "",
    "italic": "font-style: italic",
    "bold": "font-weight: bold",
    "sans-serif": "font-family: sans-serif",
}
_NOT_TRANSLATED = re.compile(r"\\[A-Za-z]+|\\.|&|\$")


def mathml(latex: str, *, display: bool = False) -> str:
    r"""A formula in MathML, with its LaTeX as the alternative text.

    >>> print(mathml(r"\mathrm{AP}"))
    <math display="inline" alttext="\mathrm{AP}"><mrow><mi>AP</mi></mrow></math>
    >>> mathml(r"\unheard x")
    Traceback (most recent call last):
    irmetrics_edu.errors.InputError: formula '\\unheard x': \unheard is not known
    """
    root = _converted(latex.strip(), display=display)
    root.attrib.pop("xmlns", None)
    for element in root.iter():
        element.text = html.unescape(element.text or "")
        _refuse_untranslated(element, latex.strip())
        _words(element)
        _letters(element)
        _punctuation(element)
        if display and element.tag in _BELOW:
            base = html.unescape(element[0].text or "")
            if base in _LIMITS:
                element.tag = _BELOW[element.tag]
    root.set("alttext", " ".join(latex.split()))
    return ET.tostring(root, encoding="unicode")


def _converted(latex: str, *, display: bool) -> Any:
    """The tree of a formula as latex2mathml makes it; InputError if it can't be read."""
    from latex2mathml.converter import convert_to_element

    written = latex
    for end in ("max", "min"):
        written = written.replace(rf"\arg\{end}", rf"\operatorname{{arg{end}}}")
    try:
        root = convert_to_element(written, display="block" if display else "inline")
    except Exception as error:
        raise InputError(f"formula {latex!r}: {error!r}") from error
    braces = _BRACE.findall(written.replace(r"\\", ""))
    if braces.count("{") != braces.count("}"):
        raise InputError(f"formula {latex!r}: a brace is left open")
    return root


def _refuse_untranslated(element: Any, latex: str) -> None:
    """Refuse a command that is left as text, and an element that lacks a part."""
    unknown = _NOT_TRANSLATED.search(element.text)
    if unknown:
        raise InputError(f"formula {latex!r}: {unknown[0]} is not known")
    if len(element) < _PARTS.get(element.tag, 0):
        raise InputError(f"formula {latex!r}: a part of <{element.tag}> is missing")


def _punctuation(element: Any) -> None:
    """Colons and bars spaced as punctuation and as brackets, not as operators."""
    if element.tag in {"mi", "mo"} and element.text in {":", "|"}:
        element.tag = "mo"
        element.set("lspace", "0")
        after = "0.3em" if element.text == ":" else "0"
        element.set("rspace", after)


def _words(parent: Any) -> None:
    """Letters of one upright or slanted word become one word, for the eye and for speech."""
    children = list(parent)
    style = {child.get("mathvariant") for child in children}
    if len(children) < 2 or len(style) > 1 or not style <= _STYLES.keys():
        return
    if any(child.tag not in {"mi", "mn", "mo"} or len(child) for child in children):
        return
    word = "".join(html.unescape(child.text or "") for child in children)
    for child in children:
        parent.remove(child)
    parent.tag, parent.text = "mi", word
    css = _STYLES[style.pop()]
    if css:
        parent.set("style", css)


def _letters(element: Any) -> None:
    """Styles of a letter that browsers do not know become the letter of that style."""
    style = element.get("mathvariant")
    if style in {None, "normal"}:
        return
    prefix = {"double-struck": "MATHEMATICAL DOUBLE-STRUCK", "bold": "MATHEMATICAL BOLD"}
    del element.attrib["mathvariant"]
    if style == "italic":  # a single letter is slanted anyway
        return
    if style == "sans-serif":
        element.set("style", _STYLES[style])
        return
    if style not in prefix:
        raise InputError(f"letters in the style {style!r} are not known")
    element.text = "".join(_styled(letter, prefix[style]) for letter in element.text)


def _styled(letter: str, prefix: str) -> str:
    name = unicodedata.name(letter)
    for kind in ("DIGIT", "CAPITAL", "SMALL"):
        if f" {kind} " in f" {name} ":
            return unicodedata.lookup(f"{prefix} {kind} {name.split()[-1]}")
    return letter


def with_equations(page: str) -> str:
    """HTML, such as an explanation's, with its `$$...$$` in MathML; code stays as it is."""
    parts = re.split(r"(<pre.*?</pre>|<code.*?</code>)", page, flags=re.DOTALL)
    for i in range(0, len(parts), 2):
        parts[i] = _DISPLAY.sub(lambda m: mathml(html.unescape(m[1]), display=True), parts[i])
    return "".join(parts)
