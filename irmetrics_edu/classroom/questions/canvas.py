"""Questions as QTI 1.2 in a zip, as Canvas imports it.

Canvas takes every condition of a numeric item for a right answer, whatever score it sets. So a
numeric item has the right answer alone, and the feedback on a wrong answer lists the mistakes with
their values.
"""

from collections.abc import Sequence
from pathlib import Path
from string import Template

from irmetrics_edu.classroom.questions.question import NUMERIC, DrawnQuestion, Option, paragraph
from irmetrics_edu.classroom.questions.xml import Element, exact, put, root, written
from irmetrics_edu.views import escaping
from irmetrics_edu.writing import zipped

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
RESPONSE, SCORE = "response1", "SCORE"
RIGHT = "correct_fb"
WRONG = "general_incorrect_fb"
ALWAYS = "general_fb"


def package(questions: Sequence[DrawnQuestion], title: str) -> bytes:
    """The zip of a quiz."""
    ident = "g" + questions[0].ident[1:]
    files = {
        "imsmanifest.xml": _filled("canvas_manifest.xml", ident=ident),
        f"{ident}/{ident}.xml": assessment(questions, title, ident),
        f"{ident}/assessment_meta.xml": _filled(
            "canvas_meta.xml",
            ident=ident,
            title=title,
            points=str(len(questions)),
        ),
    }
    return zipped(files)


def _filled(name: str, **values: str) -> str:
    """A document of the package whose values alone differ from quiz to quiz."""
    text = Path(__file__).with_name(name).read_text("utf-8")
    return Template(text).substitute({n: escaping.html(v) for n, v in values.items()})


def assessment(questions: Sequence[DrawnQuestion], title: str, ident: str) -> str:
    """The document with the items."""
    document = root("questestinterop", xmlns=QTI)
    whole = put(
        document,
        "assessment",
        ident=ident,
        title=title,
    )
    _fields(put(whole, "qtimetadata"), {"cc_maxattempts": "unlimited"})
    section = put(whole, "section", ident="root_section")
    for asked in questions:
        _item(section, asked)
    return written(document)


def _fields(metadata: Element, fields: dict[str, str]) -> None:
    for label, entry in fields.items():
        field = put(metadata, "qtimetadatafield")
        put(field, "fieldlabel", label)
        put(field, "fieldentry", entry)


def _material(parent: Element, html: str) -> None:
    put(
        put(parent, "material"),
        "mattext",
        html,
        texttype="text/html",
    )


def _place(option: Option, asked: DrawnQuestion) -> str:
    return str(1000 + asked.options.index(option))


def _item(section: Element, asked: DrawnQuestion) -> None:
    numeric = asked.kind == NUMERIC
    item = put(
        section,
        "item",
        ident=asked.ident,
        title=asked.title,
    )
    kind = "numerical_question" if numeric else "multiple_choice_question"
    fields = {"question_type": kind, "points_possible": "1.0"}
    if not numeric:
        fields["original_answer_ids"] = ",".join(_place(o, asked) for o in asked.options)
    _fields(put(put(item, "itemmetadata"), "qtimetadata"), fields)
    presentation = put(item, "presentation")
    _material(presentation, asked.html)
    if numeric:
        response = put(
            presentation,
            "response_str",
            ident=RESPONSE,
            rcardinality="Single",
        )
        put(put(response, "render_fib", fibtype="Decimal"), "response_label", ident="answer1")
    else:
        response = put(
            presentation,
            "response_lid",
            ident=RESPONSE,
            rcardinality="Single",
        )
        render = put(response, "render_choice")
        for option in asked.options:
            label = put(render, "response_label", ident=_place(option, asked))
            _material(label, paragraph(option.text))
    processing = put(item, "resprocessing")
    put(
        put(processing, "outcomes"),
        "decvar",
        maxvalue="100",
        minvalue="0",
        varname=SCORE,
        vartype="Decimal",
    )
    _always(processing, ALWAYS)
    if numeric:
        _number(processing, asked)
        wrong = "".join(paragraph(f"If your answer is {o.text}: {o.feedback}") for o in asked.wrong)
        feedback = {ALWAYS: solution(asked), RIGHT: paragraph(asked.right.feedback), WRONG: wrong}
    else:
        feedback = {ALWAYS: solution(asked)}
        for option in asked.options:
            feedback[f"{_place(option, asked)}_fb"] = paragraph(option.feedback)
            _chosen(processing, option, asked)
    for ident, html in feedback.items():
        if html:
            _material(put(put(item, "itemfeedback", ident=ident), "flow_mat"), html)


def solution(asked: DrawnQuestion) -> str:
    """The worked solution as HTML: its tables are lines of text."""
    return f"<pre>{escaping.html(asked.solution)}</pre>"


def _condition(processing: Element, *, go_on: bool) -> Element:
    return put(processing, "respcondition", _continue="Yes" if go_on else "No")


def _show(condition: Element, ident: str) -> None:
    put(
        condition,
        "displayfeedback",
        feedbacktype="Response",
        linkrefid=ident,
    )


def _always(processing: Element, ident: str) -> None:
    condition = _condition(processing, go_on=True)
    put(put(condition, "conditionvar"), "other")
    _show(condition, ident)


def _scored(condition: Element) -> None:
    put(
        condition,
        "setvar",
        "100",
        action="Set",
        varname=SCORE,
    )


def _number(processing: Element, asked: DrawnQuestion) -> None:
    """The right number with its margin on both sides; anything else is wrong."""
    right, near = asked.right.value, asked.tolerance
    condition = _condition(processing, go_on=False)
    either = put(put(condition, "conditionvar"), "or")
    put(
        either,
        "varequal",
        exact(right),
        respident=RESPONSE,
    )
    both = put(either, "and")
    put(
        both,
        "vargte",
        exact(right - near),
        respident=RESPONSE,
    )
    put(
        both,
        "varlte",
        exact(right + near),
        respident=RESPONSE,
    )
    _scored(condition)
    _show(condition, RIGHT)
    if asked.wrong:
        _always(processing, WRONG)


def _chosen(processing: Element, option: Option, asked: DrawnQuestion) -> None:
    place = _place(option, asked)
    condition = _condition(processing, go_on=not option.right)
    put(
        put(condition, "conditionvar"),
        "varequal",
        place,
        respident=RESPONSE,
    )
    if option.right:
        _scored(condition)
    _show(condition, f"{place}_fb")
