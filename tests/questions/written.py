"""A bank in QTI 2.1 and 1.2, and what each answer has to earn, for `make test-questions`.

`python -m tests.questions.written FOLDER` writes it; `imported.py` reads it.
"""

import json
import sys
from pathlib import Path

from irmetrics_edu.classroom.questions import canvas, drawn, qti
from irmetrics_edu.commands.questions import _origins
from irmetrics_edu.writing import write
from tests.questions.test_bank import ROOT, assert_well_posed

COUNT, DRAWN = 300, 2000


def main(folder: Path) -> None:
    """A package of each format, and `expected.json`: for each item the answers, as it has them."""
    assert_well_posed(DRAWN)
    questions = drawn(_origins(ROOT / "solutions"), COUNT, seed=12).questions
    write(folder / "qti.zip", qti.package(questions, "Quiz <1> & more"))
    write(folder / "canvas.zip", canvas.package(questions, "Quiz <1> & more"))
    expected = {
        q.ident: [[qti._values(o, q), int(o.right), o.feedback] for o in q.options]
        for q in questions
    }
    write(folder / "expected.json", json.dumps(expected))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
