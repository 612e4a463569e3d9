"""Questions as QTI 2.1 in a zip: an item each, and a test that lists them.

Here an ordering question is one: things are put in order, and each mistake's order is known.
"""

from collections.abc import Sequence

from irmetrics_edu.classroom.questions.canvas import solution
from irmetrics_edu.classroom.questions.question import CHOICE, NUMERIC, Asked, Option, paragraph
from irmetrics_edu.classroom.questions.xml import Element, exact, graft, put, root, written
from irmetrics_edu.writing import zipped

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
CP = "http://www.imsglobal.org/xsd/imscp_v1p1"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
RESPONSE, SCORE, FEEDBACK, SOLUTION = "RESPONSE", "SCORE", "FEEDBACK", "SOLUTION"
WORKED = "worked"


def package(questions: Sequence[Asked], title: str) -> bytes:
    """The zip: a manifest, a test and the items."""
    files = {f"items/{asked.ident}.xml": item(asked) for asked in questions}
    return zipped(
        {**files, "test.xml": _test(questions, title), "imsmanifest.xml": _manifest(files)}
    )


def _manifest(files: dict[str, str]) -> str:
    document = root("manifest", xmlns=CP, identifier="manifest")
    metadata = put(document, "metadata")
    put(metadata, "schema", "QTIv2.1 Package")
    put(metadata, "schemaversion", "1.0.0")
    put(document, "organizations")
    resources = put(document, "resources")
    test = put(resources, "resource", identifier="test", _type="imsqti_test_xmlv2p1",
               href="test.xml")  # fmt: skip
    put(test, "file", href="test.xml")
    for href in files:
        put(test, "dependency", identifierref=_name(href))
    for href in files:
        own = put(resources, "resource", identifier=_name(href), _type="imsqti_item_xmlv2p1",
                  href=href)  # fmt: skip
        put(own, "file", href=href)
    return written(document)


def _name(href: str) -> str:
    return href.removeprefix("items/").removesuffix(".xml")


def _test(questions: Sequence[Asked], title: str) -> str:
    document = root("assessmentTest", xmlns=QTI, identifier="test", title=title)
    part = put(document, "testPart", identifier="part", navigationMode="nonlinear",
               submissionMode="individual")  # fmt: skip
    section = put(part, "assessmentSection", identifier="section", title=title, visible="true")
    for asked in questions:
        put(section, "assessmentItemRef", identifier=asked.ident, href=f"items/{asked.ident}.xml")
    return written(document)


def item(asked: Asked) -> str:
    """An item: its answer, its text, and what is said of each answer."""
    document = root(
        "assessmentItem",
        xmlns=QTI,
        identifier=asked.ident,
        title=asked.title,
        adaptive="false",
        timeDependent="false",
    )
    _declarations(document, asked)
    body = put(document, "itemBody")
    graft(body, asked.html)
    _interaction(body, asked)
    processing = put(document, "responseProcessing")
    _set(processing, SOLUTION, "identifier", WORKED)
    condition = put(processing, "responseCondition")
    for place, option in enumerate(asked.options):
        branch = put(condition, "responseElseIf" if place else "responseIf")
        _matches(branch, option, asked)
        _set(branch, SCORE, "float", "1" if option.right else "0")
        _set(branch, FEEDBACK, "identifier", f"answer{place}")
    for place, option in enumerate(asked.options):
        _modal(document, FEEDBACK, f"answer{place}", paragraph(option.feedback))
    _modal(document, SOLUTION, WORKED, solution(asked))
    return written(document)


_CARDINALITY = {NUMERIC: ("single", "float"), CHOICE: ("single", "identifier")}


def _declarations(root: Element, asked: Asked) -> None:
    cardinality, base = _CARDINALITY.get(asked.kind, ("ordered", "identifier"))
    declared = put(root, "responseDeclaration", identifier=RESPONSE, cardinality=cardinality,
                   baseType=base)  # fmt: skip
    correct = put(declared, "correctResponse")
    for value in _values(asked.right, asked):
        put(correct, "value", value)
    for name, base_type in ((SCORE, "float"), (FEEDBACK, "identifier"), (SOLUTION, "identifier")):
        outcome = put(root, "outcomeDeclaration", identifier=name, cardinality="single",
                      baseType=base_type)  # fmt: skip
        if name == SCORE:
            put(put(outcome, "defaultValue"), "value", "0")


def _values(option: Option, asked: Asked) -> list[str]:
    """The response that is this answer."""
    if asked.kind == NUMERIC:
        return [exact(option.value)]
    if asked.kind == CHOICE:
        return [f"choice{asked.options.index(option)}"]
    return [asked.items[place] for place in option.order]


def _interaction(body: Element, asked: Asked) -> None:
    if asked.kind == NUMERIC:
        put(put(body, "p"), "textEntryInteraction", responseIdentifier=RESPONSE,
            expectedLength="12")  # fmt: skip
    elif asked.kind == CHOICE:
        choices = put(body, "choiceInteraction", responseIdentifier=RESPONSE, shuffle="true",
                      maxChoices="1")  # fmt: skip
        for option in asked.options:
            put(choices, "simpleChoice", option.text, identifier=_values(option, asked)[0])
    else:
        things = put(body, "orderInteraction", responseIdentifier=RESPONSE, shuffle="true")
        for name in asked.items:
            put(things, "simpleChoice", name, identifier=name)


def _matches(branch: Element, option: Option, asked: Asked) -> None:
    """The condition that the response is this answer."""
    if asked.kind == NUMERIC:  # bounds, as not every player knows `equal` with a tolerance
        both = put(branch, "and")
        for test, side in (("gte", -1), ("lte", 1)):
            bound = exact(option.value + side * asked.tolerance)
            _compared(put(both, test), "float", [bound])
    else:
        _compared(put(branch, "match"), "identifier", _values(option, asked))


def _compared(test: Element, base: str, values: Sequence[str]) -> None:
    put(test, "variable", identifier=RESPONSE)
    into = put(test, "ordered") if len(values) > 1 else test
    for value in values:
        put(into, "baseValue", value, baseType=base)


def _set(parent: Element, outcome: str, base: str, value: str) -> None:
    put(put(parent, "setOutcomeValue", identifier=outcome), "baseValue", value, baseType=base)


def _modal(root: Element, outcome: str, ident: str, html: str) -> None:
    feedback = put(root, "modalFeedback", outcomeIdentifier=outcome, identifier=ident,
                   showHide="show")  # fmt: skip
    graft(feedback, html)
