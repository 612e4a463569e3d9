"""XML as the formats of quizzes have it: elements in order, text escaped, the same bytes always."""

from xml.etree import ElementTree as ET

from irmetrics_edu.views.escaping import unobeyed

Element = ET.Element


def root(tag: str, **attributes: str) -> Element:
    """The element that holds a document; a name of an attribute may begin with `_`."""
    return ET.Element(tag, {name.strip("_"): unobeyed(value) for name, value in attributes.items()})


def put(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """A new element at the end of another; a name of an attribute may begin with `_`."""
    made = root(tag, **attributes)
    made.text = unobeyed(text, keep="\n\t") or None
    parent.append(made)
    return made


def written(document: Element) -> str:
    """A document as text."""
    ET.indent(document, space=" ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(document, encoding="unicode")}\n'


def exact(value: float) -> str:
    """A number with the digits that all machines agree on.

    >>> exact(0.1 + 0.2), exact(1e-7), exact(3.0)
    ('0.3', '0.0000001', '3')
    """
    return f"{value:.12f}".rstrip("0").rstrip(".")
