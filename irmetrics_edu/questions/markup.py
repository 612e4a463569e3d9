"""XML as the formats of quizzes have it: elements in order, text escaped, the same bytes always."""

from xml.etree import ElementTree as ET

from irmetrics_edu.views.escaping import visible

Element = ET.Element


def put(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """A new element at the end of another; a name of an attribute may begin with `_`."""
    named = {name.strip("_"): visible(value) for name, value in attributes.items()}
    made = ET.SubElement(parent, tag, named)
    if text:
        made.text = visible(text, keep="\n\t")
    return made


def graft(parent: Element, html: str, namespace: str) -> None:
    """HTML of our own, which is well-formed, as elements of a namespace."""
    root = ET.fromstring(f"<div>{html}</div>")  # noqa: S314 -- see above
    for node in root.iter():
        node.tag = f"{{{namespace}}}{node.tag}" if namespace else node.tag
    parent.extend(root)


def written(root: Element) -> str:
    """A document as text."""
    ET.indent(root, space=" ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def exact(value: float) -> str:
    """A number with the digits that all machines agree on.

    >>> exact(0.1 + 0.2), exact(1e-7), exact(3.0)
    ('0.3', '0.0000001', '3')
    """
    return f"{value:.12f}".rstrip("0").rstrip(".")
