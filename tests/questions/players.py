"""Each format as its importer reads it: what an answer earns, and what is said of it.

Moodle: the first answer whose interval holds the number (qtype_numerical), or the option chosen.
Canvas: of a numeric item every condition with `or` is a right answer, whatever it sets; of a choice
each condition names an option (qti_exporter).
"""

import io
import zipfile
from dataclasses import dataclass
from xml.etree import ElementTree as ET

QTI12 = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"


@dataclass(frozen=True)
class Played:
    """What became of an answer: a mark from 0 to 1, and the feedback."""

    mark: float
    feedback: str


def parsed(text: str | bytes) -> ET.Element:
    """A document: it has to be well-formed."""
    return ET.fromstring(text)  # noqa: S314 -- what the package wrote


def text_of(html: str) -> str:
    """HTML as text: it has to be well-formed."""
    return "".join(parsed(f"<div>{html}</div>").itertext()).strip()


class Moodle:
    """A file of Moodle XML."""

    def __init__(self, text: str) -> None:
        root = parsed(text)
        assert root.tag == "quiz"
        found = [q for q in root if q.get("type") != "category"]
        self.questions = {q.findtext("idnumber"): q for q in found}
        assert len(self.questions) == len(found)

    def play(self, ident: str, answer: str) -> Played:
        """What Moodle says of an answer."""
        question = self.questions[ident]
        for option in question.findall("answer"):
            if question.get("type") == "numerical":
                near = float(option.findtext("tolerance"))
                hit = abs(float(answer) - float(option.findtext("text"))) <= near
            else:
                hit = text_of(option.findtext("text")) == answer
            if hit:
                feedback = text_of(option.find("feedback").findtext("text"))
                return Played(float(option.get("fraction")) / 100, feedback)
        return Played(0, "")


class Canvas:
    """A package of QTI 1.2."""

    def __init__(self, package: bytes) -> None:
        files = unpacked(package)
        manifest = files["imsmanifest.xml"]
        hrefs = [e.get("href") for e in manifest.iter() if e.tag.endswith("}file")]
        assert sorted([*hrefs, "imsmanifest.xml"]) == sorted(files)
        quiz = next(f for name, f in files.items() if "assessment_meta" not in name and "/" in name)
        self.items = {item.get("ident"): item for item in quiz.iter(f"{QTI12}item")}
        for item in self.items.values():
            said = [f.get("ident") for f in item.iter(f"{QTI12}itemfeedback")]
            shown = [d.get("linkrefid") for d in item.iter(f"{QTI12}displayfeedback")]
            assert len(set(said)) == len(said)
            assert set(said) == set(shown)

    def play(self, ident: str, answer: str) -> Played:
        """What Canvas says of an answer."""
        item = self.items[ident]
        fields = item.iter(f"{QTI12}qtimetadatafield")
        kind = {f[0].text: f[1].text for f in fields}["question_type"]
        conditions = list(item.iter(f"{QTI12}respcondition"))
        if kind == "numerical_question":
            right = [c for c in conditions if c.find(f".//{QTI12}or") is not None]
            assert len(right) == 1
            low, high = (
                float(right[0].findtext(f".//{QTI12}{side}")) for side in ("vargte", "varlte")
            )
            hit = low <= float(answer) <= high
            return Played(hit, self._said(item, "correct_fb" if hit else "general_incorrect_fb"))
        labels = item.iter(f"{QTI12}response_label")
        places = {text_of(la.findtext(f".//{QTI12}mattext")): la.get("ident") for la in labels}
        for condition in conditions:
            if condition.findtext(f"./{QTI12}conditionvar/{QTI12}varequal") == places[answer]:
                score = condition.findtext(f"{QTI12}setvar")
                shown = condition.find(f"{QTI12}displayfeedback").get("linkrefid")
                return Played(float(score or 0) / 100, self._said(item, shown))
        raise AssertionError(f"{ident} has no condition for {answer}")

    @staticmethod
    def _said(item: ET.Element, ident: str) -> str:
        found = item.find(f"{QTI12}itemfeedback[@ident='{ident}']")
        return "" if found is None else text_of(found.findtext(f".//{QTI12}mattext"))


def unpacked(package: bytes) -> dict[str, ET.Element]:
    """The documents of a package, by their names."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return {name: parsed(archive.read(name)) for name in archive.namelist()}
