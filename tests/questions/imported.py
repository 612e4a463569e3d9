"""Reads the packages with software of others: `make test-questions`.

    python tests/questions/imported.py FOLDER

QTI 2.1 is read by pyslet, which implements the specification, and every answer is played by its
response processing. The document for Canvas is validated by the DTD of QTI 1.2.1, which pyslet's
archive carries; Canvas puts it in a namespace, which the DTD does not know. It needs pyslet and
lxml, and nothing of the package.
"""

import json
import sys
import tarfile
import zipfile
from pathlib import Path

from lxml import etree
from pyslet import rfc2396
from pyslet.imsqtiv2p1 import QTIDocument
from pyslet.qtiv2.variables import ItemSessionState

DTD = "unittests/data_imsqtiv1p2p1/ims_qtiasiv1p2p1.dtd"
NAMESPACE = b' xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"'
OUTCOMES = ("SCORE", "FEEDBACK", "SOLUTION")


def played(path, answers):
    """The answers of an item that earn another mark, or hear something else, than they should."""
    document = QTIDocument(base_uri=str(rfc2396.URI.from_path(str(path))))
    document.read()
    item = document.root
    said = {e.get("identifier"): " ".join("".join(e.itertext()).split())
            for e in etree.parse(path).iter("{*}modalFeedback")}  # fmt: skip
    ordered = item.declarations["RESPONSE"].cardinality == 2
    for values, mark, feedback in answers:
        session = ItemSessionState(item)
        session.begin_session()
        numeric = item.declarations["RESPONSE"].baseType == 5
        given = [float(v) for v in values] if numeric else values
        session["RESPONSE"].set_value(given if ordered else given[0])
        item.ResponseProcessing.run(session)
        score, shown, worked = (session[name].value for name in OUTCOMES)
        if (score, said[shown], worked) != (mark, " ".join(feedback.split()), "worked"):
            yield f"{path.name}: {values} earns {score} and hears {said[shown]!r}"


def validated(document, dtd):
    """What the DTD finds wrong."""
    dtd.validate(etree.fromstring(document.replace(NAMESPACE, b"")))
    return [str(error) for error in dtd.error_log.filter_from_errors()]


def main(folder):
    """Play and validate; the exit code is 1 if anything is wrong, or a check can't fail."""
    whole = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    expected = dict(whole)
    with zipfile.ZipFile(folder / "qti.zip") as package:
        package.extractall(folder / "qti")  # noqa: S202 -- what the package wrote
    found, counted = [], 0
    for path in sorted((folder / "qti" / "items").glob("*.xml")):
        answers = expected.pop(path.stem)
        found += played(path, answers)
        counted += len(answers)
    found += [f"{ident}: no item of the package" for ident in expected]
    with tarfile.open(next(folder.glob("pyslet-*.tar.gz"))) as archive:
        name = next(n for n in archive.getnames() if n.endswith(DTD))
        dtd = etree.DTD(archive.extractfile(name))
    with zipfile.ZipFile(folder / "canvas.zip") as package:
        name = next(n for n in package.namelist() if n.count("/") == 1 and "meta" not in n)
        document = package.read(name)
    found += validated(document, dtd)
    # The checks can fail: an answer with another's marks, and an item without its answers.
    path = min((folder / "qti" / "items").glob("*.xml"))
    swapped = [[values, 1 - mark, said] for values, mark, said in whole[path.stem]]
    if not list(played(path, swapped)):
        found.append("a wrong mark was not seen")
    if not validated(document.replace(b"presentation>", b"presented>", 2), dtd):
        found.append("a wrong element was not seen")
    done = f"{counted} answers played by pyslet, {len(document):,} bytes validated by the DTD"
    sys.stdout.write("\n".join([done, *found[:20], ""]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
