r"""Code that needs a later Python than the one that grades, rewritten so that it means the same.

Students work with Pythons that are newer than the teacher's. What changed in the grammar can be
written in the older one: f-strings that hold their own quotes (PEP 701, Python 3.12), parameters
of types (PEP 695 and 696, 3.12 and 3.13), and `except A, B:` (PEP 758, 3.14). Lines stay where they
are. What can't be rewritten, such as t-strings, stays as it is.

The source of this file runs in the child, so it needs only the standard library.
"""

import re
from dataclasses import dataclass

MOST_NESTED = 6  # of f-strings within f-strings
_TEXT = re.compile(r"(?<![\w])([A-Za-z]{0,2})('''|\"\"\"|'|\")")
_COMMENT = re.compile(r"#[^\n]*")
_TYPED = re.compile(r"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+\w+[ \t]*(?=\[)", re.MULTILINE)
_ALIAS = re.compile(r"^([ \t]*)type[ \t]+(\w+)[ \t]*(?=[\[=])", re.MULTILINE)
_EQUALS = re.compile(r"[ \t]*=(?!=)")
_EXCEPT = re.compile(
    r"^([ \t]*except[ \t]*\*?)[ \t]+((?:[\w.]+[ \t]*,[ \t]*)+[\w.]+(?:[ \t]*,)?)[ \t]*(?=:)",
    re.MULTILINE,
)
_HELD = re.compile("\0([0-9]+)\0")
_SHOWN_TOO = re.compile(r"=\s*(?=[!:}])")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


class TornText(Exception):  # noqa: N818 -- the message reads "TornText"
    """A text that does not end, or an f-string that no Python reads."""


def rewritten(source: str) -> str:
    r"""The source in the grammar of Python 3.11; the source itself where nothing is newer.

    >>> rewritten('print(f"{", ".join(found)}!")')
    'print("{}!".format((", ".join(found))))'
    >>> rewritten("type Gains = list[float]\ndef dcg[T](grades: list[T]) -> float:\n    pass")
    'Gains = lambda: list[float]\ndef dcg(grades: list[T]) -> float:\n    pass'
    >>> rewritten("try:\n    pass\nexcept KeyError, ValueError:\n    pass")
    'try:\n    pass\nexcept (KeyError, ValueError):\n    pass'
    """
    if "\0" in source:
        return source
    try:
        return _rewritten(source, 0)
    except TornText:
        return source


@dataclass(frozen=True)
class _Piece:
    """A piece of code: a text in quotes or a comment, which are held, or what stands between."""

    text: str
    is_text: bool = False
    is_format: bool = False
    is_comment: bool = False


def _rewritten(source: str, depth: int) -> str:
    """The source in the older grammar; TornText if it nests too deep."""
    if depth > MOST_NESTED:
        raise TornText
    pieces = _joined(_pieces(source, depth))
    held: list[str] = []
    masked: list[str] = []
    for piece in pieces:
        if piece.is_text or piece.is_comment:
            masked.append(f"\0{len(held)}\0")
            held.append(piece.text)
        else:
            masked.append(piece.text)
    code = _without_types("".join(masked))
    code = _EXCEPT.sub(lambda match: f"{match[1]} ({match[2]})", code)

    def text_held(match: re.Match[str]) -> str:
        return held[int(match[1])]

    return _HELD.sub(text_held, code)


def _pieces(source: str, depth: int) -> list[_Piece]:
    """The source in pieces; f-strings are rewritten as calls of `format`."""
    pieces = []
    at = 0
    while at < len(source):
        comment = _COMMENT.match(source, at)
        text = _TEXT.match(source, at)
        if comment:
            pieces.append(_Piece(comment[0], is_comment=True))
            at = comment.end()
        elif text and "f" in text[1].lower():
            call, at = _as_format(source, text, depth)
            pieces.append(_Piece(call, is_text=True, is_format=True))
        elif text:
            end = _end_of_text(source, text.end(), text[2])
            pieces.append(_Piece(source[at:end], is_text=True))
            at = end
        else:
            pieces.append(_Piece(source[at]))
            at += 1
    return pieces


def _end_of_text(source: str, at: int, quote: str) -> int:
    """Where a text ends whose first character is at this place."""
    while at < len(source):
        if source.startswith(quote, at):
            return at + len(quote)
        at += 2 if source[at] == "\\" else 1
    raise TornText


def _joined(pieces: list[_Piece]) -> list[_Piece]:
    """The pieces, with a plus between texts that stand side by side, if one was an f-string."""
    joined: list[_Piece] = []
    group: list[int] = []
    depth = 0
    goes_on = False
    for piece in pieces:
        if piece.is_text:
            group.append(len(joined))
        elif not piece.is_comment and not _between_texts(piece.text, goes_on=goes_on or depth > 0):
            _add_plus(joined, group)
            group = []
            depth += _BRACKETS.get(piece.text, 0)
        joined.append(piece)
        goes_on = piece.text == "\\"  # the line below belongs to this one
    _add_plus(joined, group)
    return joined


def _between_texts(text: str, *, goes_on: bool) -> bool:
    """Whether a character may stand between texts that Python puts together.

    A line goes on below its end within brackets, and behind a backslash.
    """
    return text in {" ", "\t", "\\", "\f"} or (text == "\n" and goes_on)


def _add_plus(pieces: list[_Piece], group: list[int]) -> None:
    """Put pluses between the texts at these places, if one of several was an f-string."""
    if len(group) < 2 or not any(pieces[place].is_format for place in group):
        return
    for place in group:
        before = "(" if place == group[0] else "+ "
        after = ")" if place == group[-1] else ""
        pieces[place] = _Piece(f"{before}{pieces[place].text}{after}", is_text=True)


def _as_format(
    source: str,
    head: re.Match[str],
    depth: int,
) -> tuple[str, int]:
    """An f-string as a call of `format`, and where it ends."""
    prefix = head[1].lower().replace("f", "")
    quote = head[2]
    words, values, at = _template(source, head.end(), quote, depth, raw=prefix == "r")
    if not source.startswith(quote, at):
        raise TornText
    arguments = ", ".join(f"({value})" for value in values)
    return f"{prefix}{quote}{words}{quote}.format({arguments})", at + len(quote)


def _template(
    source: str,
    at: int,
    end: str,
    depth: int,
    *,
    raw: bool,
) -> tuple[str, list[str], int]:
    """The words up to an end, with {} for the values in them; the values; where the end is."""
    words = []
    values: list[str] = []
    while at < len(source) and not source.startswith(end, at):
        literal = _literal_at(source, at, raw=raw)
        if literal:
            words.append(literal)
            at += len(literal)
            continue
        field, inner, at = _field(source, at + 1, depth, raw=raw)
        words.append(field)
        values += inner
    return "".join(words), values, at


_NAMED = re.compile(r"\\N\{[^{}\n]*\}")


def _literal_at(source: str, at: int, *, raw: bool) -> str:
    """What stands for itself at a place of an f-string; "" where a value begins."""
    if source.startswith(("{{", "}}"), at):
        return source[at : at + 2]
    named = _NAMED.match(source, at)
    if named and not raw:
        return named[0]
    if source[at] == "\\" and source[at + 1 : at + 2] not in {"{", "}"}:
        return source[at : at + 2]
    return "" if source[at] == "{" else source[at]


def _field(
    source: str,
    at: int,
    depth: int,
    *,
    raw: bool,
) -> tuple[str, list[str], int]:
    """A field of an f-string as one of `format`, its values, and the place after it."""
    end = _end_of_value(source, at, depth)
    value = source[at:end]
    shown = ""
    if after := _SHOWN_TOO.match(source, end):
        shown = value + after[0]
        end = after.end()
    values = [_rewritten(value, depth + 1)]
    conversion = ""
    if source[end] == "!":
        conversion = source[end : end + 2]
        end += 2
        while source[end : end + 1].isspace():
            end += 1
    spec = ""
    if source[end : end + 1] == ":":
        spec, inner, end = _template(source, end + 1, "}", depth + 1, raw=raw)
        spec = f":{spec}"
        values += inner
    elif shown and not conversion:
        conversion = "!r"
    if source[end : end + 1] != "}":
        raise TornText
    field = f"{{{conversion}{spec}}}"
    if shown:
        return f"{{}}{field}", [repr(shown), *values], end + 1
    return field, values, end + 1


def _end_of_value(source: str, at: int, depth: int) -> int:
    """Where the value of a field ends: at its sign, conversion, format or brace."""
    inside = 0
    while at < len(source):
        text = _TEXT.match(source, at)
        comment = _COMMENT.match(source, at)
        if text:
            formatted = "f" in text[1].lower()
            if formatted and depth < MOST_NESTED:
                _, at = _as_format(source, text, depth + 1)
            else:
                at = _end_of_text(source, text.end(), text[2])
            continue
        if comment:
            at = comment.end()
            continue
        if not inside and _ends_value(source, at):
            return at
        inside += _BRACKETS.get(source[at], 0)
        at += 1
    raise TornText


def _ends_value(source: str, at: int) -> bool:
    """Whether a value ends at this place, outside of all brackets."""
    sign = source[at]
    if sign == "!":
        return source[at + 1 : at + 2] != "="
    if sign == "=":
        return bool(_SHOWN_TOO.match(source, at))
    return sign in ":}"


def _without_types(code: str) -> str:
    """The code without parameters of types; an alias of a type becomes a function of it."""
    while match := _TYPED.search(code):
        end = _after_brackets(code, match.end())
        lines = "\n" * code.count("\n", match.end(), end)
        after = code[end:]
        if lines:
            bases = after.removeprefix("(")
            after = f"({lines})" + after if bases == after else f"({lines}" + bases
        before = code[: match.end()]
        code = before.rstrip(" \t") + after
    begin = 0
    while match := _ALIAS.search(code, begin):
        begin = match.end()
        end = begin
        if code[begin] == "[":
            end = _after_brackets(code, begin)
        equals = _EQUALS.match(code, end)
        if equals:
            before = code[: match.start()]
            after = code[equals.end() :]
            code = f"{before}{match[1]}{match[2]} = lambda:{after}"
    return code


def _after_brackets(code: str, at: int) -> int:
    """The place after the bracket that closes the one at a place."""
    depth = 0
    for place in range(at, len(code)):
        depth += _BRACKETS.get(code[place], 0)
        if not depth:
            return place + 1
    raise TornText
