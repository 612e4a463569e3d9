"""Files that are no run and no judgments of a format that is read: called by name, with a way.

A format is known by its first lines, and only by what no file of TREC has there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from re import Pattern

from irmetrics_edu.errors import InputError
from irmetrics_edu.reading.column_names import DOCUMENT, QUERY
from irmetrics_edu.reading.files import File
from irmetrics_edu.reading.heads import is_number
from irmetrics_edu.reading.records import rows as rows_of_text

_LOOKED_AT = 20  # lines; all of them have to be of the format
_NUMBER = rb"-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"


@dataclass(frozen=True)
class OtherFormat:
    """A format by what each of its lines matches, and the program that makes TREC lines of it."""

    name: str
    line: Pattern[bytes]
    awk: str  # "" where such lines are a run, and nothing else
    awk_of_run: str = ""  # where such lines may be a run, too

    def rather(self, file: File, *, run: bool) -> str:
        """What the lines are, and what to do with them."""
        if not run and not self.awk:
            return (
                f"{self.name}, and no judgments; is this the run? Judgments come first in commands"
            )
        if run and not self.awk_of_run:
            return (
                f"{self.name}: they are judgments, not a run; give documents with ranks or scores"
            )
        if run:
            return (
                f"{self.name}, separated by blanks; write them as lines of TREC: {self.awk_of_run} "
                f"{file.path.name} > run.txt"
            )
        return (
            f"{self.name}, which are no lines of TREC; write them as such: {self.awk} "
            f"{file.path.name} > qrels.txt"
        )


_FORMATS = (
    OtherFormat(
        name="ratings of MovieLens (user::item::rating::time)",
        line=re.compile(rb"[^\s:]+::[^\s:]+::[\d.]+(::\d+)?"),
        awk="awk -F:: '{print $1, 0, $2, $3}'",
    ),
    OtherFormat(
        name="ratings of MovieLens (user, item, rating and seconds since 1970)",
        line=re.compile(rb"\S+\t\S+\t\d(\.\d)?\t\d{9,10}"),
        awk="awk '{print $1, 0, $2, $3}'",
    ),
    OtherFormat(
        name="prels of the Million Query track (query, document, grade, method, probability)",
        line=re.compile(rb"\d+ \S+ -?\d [012] (0?\.\d+|1(\.0*)?|0)"),
        awk="awk '{print $1, 0, $2, $3}'",
    ),
    OtherFormat(
        name="three columns without a head (query, document, rank or grade), as MS MARCO has them",
        line=re.compile(rb"[^\s,;]+[ \t]+[^\s,;]+[ \t]+-?\d+[ \t]*"),
        awk="awk '{print $1, 0, $2, $3}'",
        awk_of_run='awk \'{print $1, "Q0", $2, $3, -$3, "run"}\'',
    ),
    OtherFormat(
        name="three columns without a head (query, document, score)",
        line=re.compile(rb"[^\s,;]+[ \t]+[^\s,;]+[ \t]+-?\d*\.\d+(e-?\d+)?[ \t]*"),
        awk="awk '{print $1, 0, $2, $3}'",
        awk_of_run='awk \'{print $1, "Q0", $2, 0, $3, "run"}\'',
    ),
    OtherFormat(
        name="lines of a run of TREC without the last field, its tag",
        line=re.compile(rb"\S+[ \t]+Q?0[ \t]+\S+[ \t]+\d+[ \t]+" + _NUMBER + rb"[ \t]*"),
        awk="",
        awk_of_run="awk '{print $0, \"run\"}'",
    ),
    OtherFormat(
        name="lines of a run of TREC without Q0 (query, document, rank, score, tag)",
        line=re.compile(rb"\S+[ \t]+\S+[ \t]+\d+[ \t]+" + _NUMBER + rb"[ \t]+[^\s\d.-]\S*[ \t]*"),
        awk="",
        awk_of_run="awk '{print $1, \"Q0\", $2, $3, $4, $5}'",
    ),
)
# Formats whose tree of values is no table of lines, with what writes it as JSON. The ids stay text.
_YAML = re.compile(rb"---.*|\s*#.*|[^\s:#][^:]*:|\s+[^\s:#-][^:]*:\s*\S*|\s*-\s.*")
_TOML = re.compile(rb"\[[^\]]+\]|\s*#.*|[^=\s]+\s*=\s*\S.*")
_FROM_YAML = (
    "import json, yaml; held = yaml.load(open('{file}'), yaml.BaseLoader); "
    "json.dump({{q: {{d: float(x) for d, x in r.items()}} for q, r in held.items()}}, "
    "open('out.json', 'w'))"
)
_FROM_TOML = (
    "import json, tomllib; json.dump(tomllib.load(open('{file}', 'rb')), open('out.json', 'w'))"
)
_TO_JSON = {"YAML": (_YAML, _FROM_YAML), "TOML": (_TOML, _FROM_TOML)}
# A line of a run whose id has a blank in it: what follows the id are a rank, a score and a tag.
_BLANK_IN_ID = re.compile(
    rb"\S+[ \t]+Q?0[ \t]+(\S+(?:[ \t]+\S+)*?[ \t]+[^\s\d]\S*)[ \t]+\d+[ \t]+"
    + _NUMBER
    + rb"[ \t]+\S+"
)


def _refuse_trees(file: File, lines: Sequence[bytes]) -> None:
    """Refuse YAML and TOML by their names, with what writes them as JSON."""
    if len(lines) < 2 or not re.fullmatch(rb"---.*|\s*#.*|[^\s:]+:|\[[^\]]+\]", lines[0]):
        return
    for name, (line, program) in _TO_JSON.items():
        if all(line.fullmatch(one) for one in lines):
            written = program.format(file=file.path.name)
            raise InputError(
                f"{file}, line 1: this looks like {name}, which is not read; write JSON: "
                f'python -c "{written}"'
            )


def _refuse_blanks_in_ids(file: File, lines: Sequence[bytes]) -> None:
    """Refuse a run whose ids have blanks in them: its fields can't be told apart."""
    for line in lines:
        cut = _BLANK_IN_ID.fullmatch(line.strip())
        if cut:
            shown = cut[1].decode(errors="backslashreplace")
            raise InputError(
                f"{file}: the id {shown!r:.80} has a blank in it, and blanks separate the fields "
                "of TREC; write a table (CSV) with the columns query, document and score"
            )


def refuse_other_lines(file: File, separator: str, *, run: bool = True) -> None:
    """Refuse text whose lines or columns end otherwise, by what they end with.

    `separator` is what its columns were taken to be separated by, or "".
    """
    head = file.head
    if b"\r" in head.strip() and b"\n" not in head:
        raise InputError(
            f"{file}: its lines end with a carriage return alone, as on old Macs; write other "
            f"ends: tr '\\r' '\\n' < {file.path.name} > out.txt"
        )
    first = _first_lines(head)[:1]
    of_trec = (4, 6)  # fields; a query may be called "<q1>"
    if head.lstrip()[:1] == b"<" and first and len(first[0].split()) not in of_trec:
        raise InputError(
            f"{file}, line 1: this looks like XML or HTML, which is not read; write a line for "
            f"each document: query {'Q0 document rank score tag' if run else '0 document grade'}"
        )
    names = first[0].decode(errors="replace") if first else ""
    if separator and separator in names:
        return
    if _are_names(names.split("|")):
        cleaned = "sed 's/^ *| *//; s/ *| *$//; s/ *| */,/g; /^[-:,+]*$/d'"
        raise InputError(
            f"{file}, line 1: its columns are separated by '|'; write commas in their places: "
            f"{cleaned} {file.path.name} > out.csv"
        )
    if _are_names(names.split()):
        raise InputError(
            f"{file}, line 1: its columns are separated by blanks and have names; write commas in "
            f"their places: awk '{{$1=$1}} 1' OFS=, {file.path.name} > out.csv"
        )


def _are_names(cells: Sequence[str]) -> bool:
    """Whether columns are named so, one of them as queries are and one as documents are."""
    names = {cell.strip().strip('"').lower() for cell in cells}
    if any(is_number(name) for name in names):
        return False
    return bool(names & set(QUERY)) and bool(names & set(DOCUMENT))


def refuse_other_format(file: File, *, run: bool) -> None:
    """Refuse a file of text by the name of its format, if it is one that is not read."""
    head = file.head
    if head[257:262] == b"ustar":
        raise InputError(
            f"{file} is a tar archive, which may hold several files; unpack it first: "
            f"tar xf {file.path.name}"
        )
    lines = _first_lines(head)
    _refuse_trees(file, lines)
    if run:
        _refuse_blanks_in_ids(file, lines)
    for one in _FORMATS:
        if lines and all(one.line.fullmatch(line) for line in lines):
            raise InputError(f"{file}, line 1: these look like {one.rather(file, run=run)}")


def refuse_lists(file: File, separator: str) -> None:
    """Refuse a table that holds several documents of a query in each row."""
    text = "\n".join(line.decode(errors="replace") for line in _first_lines(file.head))
    try:
        cells = [row for _, row in rows_of_text(text, str(file), separator, strict=False)]
    except InputError:
        return
    if len(cells) < 2 or len({len(row) for row in cells}) > 1:
        return
    names, *below = cells
    if len(names) == 2:
        _refuse_lists_in_cells(file, separator, names, below)
    elif len(names) > 2:
        _refuse_columns_of_ranks(file, separator, names, below)


def _refuse_columns_of_ranks(
    file: File,
    separator: str,
    names: Sequence[str],
    below: Sequence[Sequence[str]],
) -> None:
    """Refuse a table with a column for the document of each rank: query, doc_1, doc_2, doc_3."""
    of_query, *others = names
    first = re.fullmatch(r"(.*?)([01])", others[0].strip())
    if of_query.strip().lower() not in QUERY or first is None:
        return
    stem = first[1]
    start = int(first[2])
    counted = [f"{stem}{start + i}" for i in range(len(others))]
    if [name.strip() for name in others] != counted:
        return
    if any(re.fullmatch(r"-?\d*\.\d+", cell.strip()) for row in below for cell in row[1:]):
        return  # scores of topics, folds or models
    program = (
        f"awk -F'{separator}' 'NR>1 {{for(i=2;i<=NF;i++) "
        'if($i!="") print $1,"Q0",$i,i-1,NF-i,"run"}\''
    )
    raise InputError(
        f"{file}, line 1: columns {others[0]!r} to {others[-1]!r} hold the documents of a query in "
        f"one row; write a line for each document: {program} {file.path.name} > run.txt"
    )


def _refuse_lists_in_cells(
    file: File,
    separator: str,
    names: Sequence[str],
    below: Sequence[Sequence[str]],
) -> None:
    """Refuse a table of two columns whose second one holds a list of documents in each cell."""
    if names[1].strip().lower() in DOCUMENT:  # then these are ids with blanks
        return
    if not any(len(_AROUND_IDS.sub(" ", row[1]).split()) > 1 for row in below):
        return
    program = (
        f"awk -F'{separator}' "
        f'\'NR>1 {{q=$1; sub(/^[^{separator}]*/,""); gsub(/[][",;\\047 ]+/," "); '
        'n=split($0,d," "); for(i=1;i<=n;i++) print q,"Q0",d[i],i,n-i,"run"}\''
    )
    raise InputError(
        f"{file}, line 1: column {names[1]!r} holds several documents in each cell; write a line "
        f"for each document: {program} {file.path.name} > run.txt"
    )


_AROUND_IDS = re.compile(r"[\[\]\",;' ]+")  # between ids, in a list that somebody printed


def _first_lines(head: bytes) -> Sequence[bytes]:
    """The first whole lines that are not blank."""
    lines = head.split(b"\n")
    if not head.endswith(b"\n") and len(lines) > 1:
        lines = lines[:-1]
    filled = [line.strip(b"\r") for line in lines if line.strip()]
    return filled[:_LOOKED_AT]


_TRUTHS = {"true": "1", "false": "0", "yes": "1", "no": "0"}
_ESCI = {"E": "1", "S": "0.1", "C": "0.01", "I": "0"}  # Reddy et al. (2022), their gains of nDCG


def about_no_number(written: object) -> str:
    """What to write for a cell that stands for a number and is written otherwise, else nothing.

    >>> about_no_number("S")
    '; a letter of ESCI: write its gain, 0.1'
    >>> about_no_number("9,873"), about_no_number("True")
    ('; a comma as the decimal sign? write 9.873', '; a truth value: write 1')
    """
    text = str(written).strip()
    gain = _ESCI.get(text)
    if gain is not None:
        return f"; a letter of ESCI: write its gain, {gain}"
    if re.fullmatch(r"[-+]?\d+,\d+", text):
        return f"; a comma as the decimal sign? write {text.replace(',', '.')}"
    if text.lower() in _TRUTHS:
        return f"; a truth value: write {_TRUTHS[text.lower()]}"
    return ""
