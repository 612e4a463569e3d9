"""The kinds of lines in a TREC file: one example for each, with its odd text."""

from dataclasses import dataclass

RUN = b"q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 c 3 1 t\n"
QRELS = b"q1 0 a 0\nq1 0 b 2\nq1 0 c 1\n"


@dataclass(frozen=True)
class Kind:
    """A kind of line: its odd text, the text that it replaces, and its file.

    `because` says why we differ from trec_eval 9 or 10, where we do.
    """

    name: str
    old: bytes
    new: bytes
    file: str = "run"
    both: bool = False  # whether it stands in the other file too
    because: str = ""

    def contents(self) -> tuple[bytes, bytes]:
        """The bytes of run and judgments."""
        run, qrels = RUN, QRELS
        if self.file == "run" or self.both:
            run = run.replace(self.old, self.new, 1) if self.old else self.new
        if self.file == "judgments" or self.both:
            qrels = qrels.replace(self.old, self.new, 1) if self.old else self.new
        return run, qrels

    @property
    def example(self) -> str:
        """The odd text as a Python literal, with control characters escaped."""
        text = repr(self.new)[2:-1].replace("|", "\\|")
        return text if len(text) <= 60 else text[:57] + "..."


_B = b"q1 Q0 b 2 2 t"
_ENDS = b"q1 0 c 1\n"
_MARK = (
    "the mark only says how the text is encoded, so we remove and count it. trec_eval reads it as "
    "a part of the first query's id and loses that line"
)
_NAN = (
    "nan can't be compared, so trec_eval's order depends on its C library's sort; here nan ranks "
    "below all other scores"
)
_WORD = "trec_eval reads the digits at the beginning of a word, or 0; here it is an error"
_EMPTY = "a run without a line is probably a mistake: give at least one line"
_NUL = "every other byte is NUL, and trec_eval stops reading there"
_BLANK = "nothing in a blank line can be misread"

KINDS: tuple[Kind, ...] = (
    Kind("nothing odd", b"", RUN),
    Kind("blank line", _B, b"\n" + _B),
    Kind("line of blanks", _B, b" \t \n" + _B),
    Kind("blanks before the first field", _B, b"  " + _B),
    Kind("repeated blanks and tabs", _B, _B.replace(b" ", b" \t ")),
    Kind("carriage return before the line's end", b"t\n", b"t\r\n"),
    Kind("carriage return instead of the line's end", _B + b"\n", _B + b"\r"),
    Kind("no newline at the end", b"c 3 1 t\n", b"c 3 1 t"),
    Kind("vertical tab between fields", _B, _B.replace(b" ", b"\x0b")),
    Kind("no-break space in a field", _B, _B.replace(b" t", b" t\xc2\xa0u")),
    Kind("comment", b"q1 Q0 a", b"# run of Monday\nq1 Q0 a"),
    Kind("comment that reads as a line", b"q1 Q0 a", b"# run of Monday 9 July\nq1 Q0 a"),
    Kind("comment after blanks", b"q1 Q0 a", b"  # run of Monday\nq1 Q0 a"),
    Kind("five fields", _B, b"q1 Q0 b 2 2"),
    Kind("seven fields", _B, _B + b" more"),
    Kind("byte-order mark", b"q1 Q0 a", b"\xef\xbb\xbfq1 Q0 a", because=_MARK),
    Kind("NUL", _B, b"q1 Q0 b\x00 2 2 t"),
    Kind("UTF-16", b"", RUN.decode().encode("utf-16-le"), because=_NUL),
    Kind("id in Latin-1", b" b ", b" caf\xe9 ", both=True),
    Kind("id in Latin-1 here and in UTF-8 there", b" b ", b" \xe9 "),
    Kind("score nan", b" 1 t", b" nan t", because=_NAN),
    Kind("score inf", b" 2 t", b" inf t"),
    Kind("score -inf", b" 2 t", b" -Infinity t"),
    Kind("score beyond doubles", b" 2 t", b" 1e400 t"),
    Kind("score in hexadecimal", b" 2 t", b" 0x10 t"),
    Kind("score with an underscore", b" 2 t", b" 1_000 t", because=_WORD),
    Kind("score with a decimal comma", b" 2 t", b" 3,5 t", because=_WORD),
    Kind("score that is a word", b" 2 t", b" high t", because=_WORD),
    Kind("scores that differ in the 25th bit", b"3 t\nq1 Q0 b 2 2", b"1.00000001 t\nq1 Q0 b 2 1"),
    Kind("equal scores", b" 2 t", b" 3 t"),
    Kind("lines out of the scores' order", b" 2 t", b" 4 t"),
    Kind("rank that disagrees with the score", b" 2 2 t", b" 1 2 t"),
    Kind("rank that is a word", b" 2 2 t", b" second 2 t"),
    Kind("line twice", _B, _B + b"\n" + _B),
    Kind("document twice, with another score", _B, _B + b"\nq1 Q0 b 0 9 t"),
    Kind("document twice in a query not judged", _B, _B + b"\nq9 Q0 b 1 9 t\nq9 Q0 b 2 8 t"),
    Kind("query that comes back", _B, b"q9 Q0 b 1 9 t\n" + _B),
    Kind("query not judged", _B, _B + b"\nq9 Q0 b 1 9 t"),
    Kind("empty file", b"", b""),
    Kind("nothing but blank lines", b"", b"\n\n", because=_EMPTY),
    Kind("blank line", b"q1 0 b", b"\nq1 0 b", "judgments", because=_BLANK),
    Kind("tabs", b"q1 0 b 2", b"q1\t0\tb\t2", "judgments"),
    Kind("carriage return before the line's end", b" 2\n", b" 2\r\n", "judgments"),
    Kind("byte-order mark", b"q1 0 a", b"\xef\xbb\xbfq1 0 a", "judgments", because=_MARK),
    Kind("comment", b"q1 0 a", b"# judged Monday\nq1 0 a", "judgments"),
    Kind(
        "two comments",
        b"q1 0 a",
        b"# judged\n# Monday\nq1 0 a",
        "judgments",
        because="trec_eval 10 reads the second comment as a judgment",
    ),
    Kind(
        "comment at the end",
        _ENDS,
        _ENDS + b"# Monday\n",
        "judgments",
        because="trec_eval 10 reads past the file's end",
    ),
    Kind("comment that reads as a line", b"q1 0 a", b"# on Monday 9\nq1 0 a", "judgments"),
    Kind("three fields", b"q1 0 b 2", b"q1 b 2", "judgments"),
    Kind("five fields", b"q1 0 b 2", b"q1 0 b 2 more", "judgments"),
    Kind("grade below 0", b"a 0", b"a -1", "judgments"),
    Kind("grade with decimals", b"c 1", b"c 1.9", "judgments"),
    Kind("grade with an exponent", b"c 1", b"c 2e1", "judgments"),
    Kind("grade that is a word", b"c 1", b"c good", "judgments", because=_WORD),
    Kind("document twice, with the same grade", _ENDS, _ENDS + b"q1 0 b 2\n", "judgments"),
    Kind("document twice, with another grade", _ENDS, _ENDS + b"q1 0 b 0\n", "judgments"),
    Kind(
        "document twice in a query that the run lacks",
        _ENDS,
        _ENDS + b"q2 0 b 2\nq2 0 b 2\n",
        "judgments",
        because="contradicting judgments are an error, even if the run does not need them",
    ),
    Kind("query that the run lacks", _ENDS, _ENDS + b"q2 0 b 2\n", "judgments"),
    Kind("nothing relevant", b"", b"q1 0 a 0\n", "judgments"),
    Kind("empty file", b"", b"", "judgments"),
)
