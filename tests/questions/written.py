"""A bank for Canvas, in QTI 1.2, for `make suite SUITE=questions`.

`python -m tests.questions.written FOLDER` writes it; `imported.py` reads it.
"""

import sys
from pathlib import Path

from irmetrics_edu.classroom.questions import canvas, drawn
from irmetrics_edu.classroom.questions.bank import origins_in
from irmetrics_edu.writing import write
from tests.questions.test_bank import ROOT, assert_well_posed

COUNT, DRAWN = 300, 2000


def main(folder: Path) -> None:
    """The package, once many drawn questions were well posed."""
    assert_well_posed(DRAWN)
    questions = drawn(origins_in(ROOT / "solutions"), COUNT, seed=12).questions
    write(folder / "canvas.zip", canvas.package(questions, "Quiz <1> & more"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
