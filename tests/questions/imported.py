"""Validates the package for Canvas: `make suite SUITE=questions`.

    python tests/questions/imported.py FOLDER

The document is validated by the DTD of QTI 1.2.1, which pyslet's archive carries; Canvas puts it in
a namespace, which the DTD does not know. It needs lxml, and nothing of the package.
"""

import sys
import tarfile
import zipfile
from pathlib import Path

from lxml import etree

DTD = "unittests/data_imsqtiv1p2p1/ims_qtiasiv1p2p1.dtd"
NAMESPACE = b' xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"'


def validated(document, dtd):
    """What the DTD finds wrong."""
    dtd.validate(etree.fromstring(document.replace(NAMESPACE, b"")))
    return [str(error) for error in dtd.error_log.filter_from_errors()]


def main(folder):
    """Validate; the exit code is 1 if anything is wrong, or the check can't fail."""
    with tarfile.open(next(folder.glob("pyslet-*.tar.gz"))) as archive:
        name = next(n for n in archive.getnames() if n.endswith(DTD))
        dtd = etree.DTD(archive.extractfile(name))
    with zipfile.ZipFile(folder / "canvas.zip") as package:
        name = next(n for n in package.namelist() if n.count("/") == 1 and "meta" not in n)
        document = package.read(name)
    found = validated(document, dtd)
    # The check can fail: an item without its answers.
    if not validated(document.replace(b"presentation>", b"presented>", 2), dtd):
        found.append("a wrong element was not seen")
    done = f"{len(document):,} bytes validated by the DTD"
    sys.stdout.write("\n".join([done, *found[:20], ""]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
