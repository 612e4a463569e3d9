"""`irmetrics-edu questions FILE --format moodle --count 100`: a bank of questions for a quiz."""

import argparse
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from irmetrics_edu.commands.options import add_format, add_seed, whole
from irmetrics_edu.errors import InputError
from irmetrics_edu.views.output import FAILED, FINE, put

if TYPE_CHECKING:
    from irmetrics_edu.classroom.questions.bank import Bank

MOST, MOST_VARIANTS = 5_000, 12
EXAMPLES = (
    "questions bank.xml --count 300",
    "questions quiz.zip --format canvas --topics 02,04 --count 20 --seed 7",
    "questions exam.html --format exam --count 10 --variants 2",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="the file to write; beside an exam goes its key, FILE-key.html",
    )
    parser.add_argument(
        "--count",
        type=whole(1, MOST),
        default=20,
        metavar="N",
        help="how many questions (default: %(default)s)",
    )
    add_seed(parser, "what is drawn")
    parser.add_argument(
        "--topics",
        metavar="T,T,...",
        default="",
        help="numbers of exercises (04), or words of the questions' titles (nDCG); default: all",
    )
    parser.add_argument(
        "--kinds",
        metavar="K,K,...",
        default="numeric,choice",
        help="which kinds of questions: numeric, choice, or concept for ideas "
        "(default: %(default)s)",
    )
    parser.add_argument("--title", default="Measures of rankings", help="the title of the quiz")
    parser.add_argument(
        "--variants",
        type=whole(1, MOST_VARIANTS),
        default=1,
        metavar="N",
        help="how many variants of an exam, A, B, ...: the same topics, other values",
    )
    parser.add_argument(
        "--sources",
        type=Path,
        metavar="DIR",
        help="the exercises' sources (default: solutions)",
    )
    add_format(
        parser,
        moodle="--variants",
        canvas="--variants",
        exam="",
    )


# How a file of each format ends; what other formats end in contradicts it.
ENDINGS = {"moodle": (".xml",), "canvas": (".zip",), "exam": (".html", ".htm")}
OTHER = (".pdf", ".docx", ".txt", ".csv", ".json", ".md")


def _refuse_other_ending(path: Path, form: str) -> None:
    """InputError for a file whose ending is that of another format than it is to have."""
    ending = path.suffix.lower()
    if ending in ENDINGS[form] or ending not in (*OTHER, *chain(*ENDINGS.values())):
        return
    fitting = [other for other, endings in ENDINGS.items() if ending in endings]
    instead = f", or --format {fitting[0]}" if fitting else ""
    raise InputError(
        f"{path}: a file of the format {form} ends in {ENDINGS[form][0]}; give "
        f"{path.with_suffix(ENDINGS[form][0])}{instead}"
    )


def run(args: argparse.Namespace) -> int:
    """Write the questions; the exit code is 1 if there are fewer than were asked for."""
    from irmetrics_edu.classroom.questions import canvas, exam, moodle
    from irmetrics_edu.classroom.questions.bank import bank_of
    from irmetrics_edu.classroom.questions.question import LETTERS
    from irmetrics_edu.writing import write

    _refuse_other_ending(args.file, args.form)
    kinds = [kind.strip() for kind in args.kinds.split(",") if kind.strip()]
    names = LETTERS[: args.variants] if args.variants > 1 else [""]
    how = {"seed": args.seed, "topics": args.topics}
    banks = {
        name: bank_of(
            args.sources,
            kinds,
            args.count,
            **how,
            variant=name,
        )
        for name in names
    }
    bank = next(iter(banks.values()))
    if not bank.questions:
        raise InputError(f"no question can be made of this choice: {_why(bank)}")
    for path in bank.absent:
        put(f"{path} is not there: its concept questions are left out")
    if args.form == "exam":
        variants = {name: b.questions for name, b in banks.items()}
        pages = {
            args.file: exam.paper(variants, args.title),
            args.file.with_name(f"{args.file.stem}-key{args.file.suffix}"): exam.key(
                variants, args.title
            ),
        }
        for path, page in pages.items():
            write(path, page)
            number = f"{len(bank.questions)} questions"
            put(f"{path}: {number if path == args.file else 'the key'}")
    else:
        made = moodle.xml if args.form == "moodle" else canvas.package
        write(args.file, made(bank.questions, args.title))
        put(f"{args.file}: {_counted(bank)}")
    return _shortfall(banks)


def _counted(bank: "Bank") -> str:
    kinds = [q.kind for q in bank.questions]
    shown = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(sorted(kinds)))
    return f"{len(kinds)} questions ({shown})"


def _shortfall(banks: "dict[str, Bank]") -> int:
    """Say which bank is short, and why."""
    code = FINE
    for name, bank in banks.items():
        if not bank.complete:
            variant = f" of variant {name}" if name else ""
            put(
                f"Only {len(bank.questions)} of {bank.wanted} questions{variant} could be made: "
                f"{_why(bank)}."
            )
            code = FAILED
    return code


def _why(bank: "Bank") -> str:
    return "; ".join(f"{reason} ({n:,} times)" for reason, n in bank.refused.most_common(3))
