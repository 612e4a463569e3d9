"""What has to be said beside scores: notes are values, and their sentences are made here, last.

A note has a kind and its numbers, so that the notes of several runs can be put together by what
they tell and not by how they are worded.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from irmetrics_edu.reading.rank_columns import AGAINST_RANKS, GAPS
from irmetrics_edu.reading.tables import NAMED_AS_TABLE
from irmetrics_edu.views import escaping
from irmetrics_edu.views.result_table import OfFiles

NO_JUDGED_RETRIEVED = "no judged document was retrieved"
HAVE_IDS_CHANGED = "have the ids changed?"
NONE_JUDGED = f"{NO_JUDGED_RETRIEVED}: {HAVE_IDS_CHANGED}"
_TIED = "documents share their score with another of the same query"
_NAMED = 5  # queries that a note lists by name


class NoteKind(Enum):
    """What a note tells.

    A pair says it of one and of several; the number comes first. A single sentence has no number
    to begin with. The names in braces are those of a note's fields.
    """

    SWAPPED = (
        "the run holds whole numbers, as grades are, and the judgments scores: "
        "are they swapped? In Python the run comes first, in commands the judgments"
    )
    # Queries.
    MISSING_SCORE_ZERO = (
        "judged query is not in the run and scores 0",
        "judged queries are not in the run and score 0",
    )
    MISSING_IS_EMPTY = (
        "judged query is not in the run: its ranking is empty",
        "judged queries are not in the run: their rankings are empty",
    )
    MISSING_LEFT_OUT = (
        "judged query is not in the run and is left out",
        "judged queries are not in the run and are left out",
    )
    NOT_JUDGED_SCORE_ZERO = (
        "query of the run is not judged and scores 0",
        "queries of the run are not judged and score 0",
    )
    NOT_JUDGED_LEFT_OUT = (
        "query of the run is not judged and is left out",
        "queries of the run are not judged and are left out",
    )
    NOT_ASKED_FOR = (
        "query is not among those asked for and is left out",
        "queries are not among those asked for and are left out",
    )
    IN_ONE_RUN = (
        "query is not in both runs and is left out",
        "queries are not in both runs and are left out",
    )
    UNKNOWN = (
        "query that was asked for is neither judged nor in the run",
        "queries that were asked for are neither judged nor in the run",
    )
    EMPTY = ("query has an empty ranking", "queries have an empty ranking")
    WITHOUT_RELEVANT = ("query has no relevant document", "queries have no relevant document")
    NOTHING_RETRIEVED = "the run holds no document for any query: is it the right one?"
    # Judgments of what was retrieved.
    RELEVANT_ALONE = "only relevant documents are given, so all others count as not relevant"
    NONE_JUDGED = NONE_JUDGED
    IDS_APART = "ids of documents: {about}"
    SUBTOPICS_FIRST = (
        "no judged document was retrieved, but what stands under the subtopics was: judgments by "
        "subtopic are {{query: {{document: {{subtopic: grade}}}}}}, and these have subtopics first"
    )
    UNJUDGED = (
        "of {among:,} documents {where} is not judged ({share:.0%})",
        "of {among:,} documents {where} are not judged ({share:.0%})",
    )
    # Columns of tables.
    OTHER_NAMES = "{about}"
    RATINGS = "a rating of 1 counts as relevant; P(rel=4)@10 counts ratings from 4 on"
    NO_SCORES = "the run has no column of scores: its documents are ranked by {about}"
    # The order, and repeated documents. No document is alone in a tie.
    TIED = ("", f"{_TIED}: ties={{about}} orders them; choose another order with ties= or --ties")
    TIED_AS_GIVEN = ("", f"{_TIED}, and these are in the order given")
    IN_ORDER_GIVEN = (
        "",
        "documents are in the order given: the conventions read no scores",
    )
    DUPLICATES = ("repeated document was met", "repeated documents were met")
    PADDING = (
        "judged document of negative grade is padding and is left out",
        "judged documents of negative grade are padding and are left out",
    )
    GRADES_CUT = (
        "grade has a fraction and is cut to the whole number towards 0",
        "grades have a fraction and are cut to the whole number towards 0",
    )
    # How lines were read, mostly as trec_eval reads them.
    BAD_LINES = ("bad line was left out", "bad lines were left out")
    LONGER_LINES = (
        "line goes on after the tag; the rest of the line is ignored",
        "lines go on after the tag; the rest of each line is ignored",
    )
    COMMENTS = (
        "line begins with # and is left out as a comment",
        "lines begin with # and are left out as comments",
    )
    NOT_UTF8 = (
        "line is not UTF-8; its ids are compared byte by byte",
        "lines are not UTF-8; their ids are compared byte by byte",
    )
    INFINITE = (
        "score is infinite; it ranks above (or below) all other scores",
        "scores are infinite; they rank above (or below) all other scores",
    )
    NOT_A_NUMBER = (
        "score is nan; it ranks below all other scores",
        "scores are nan; they rank below all other scores",
    )
    HEXADECIMAL = (
        "score is hexadecimal and is read as C reads it",
        "scores are hexadecimal and are read as C reads them",
    )
    CUT_AT_POINT = (
        "grade is not a whole number; only its digits before the point count",
        "grades are not whole numbers; only their digits before the point count",
    )
    NAMED_AS_TABLE = (
        "file has the name of a table and holds lines of TREC; it is read as a TREC file",
        "files have names of tables and hold lines of TREC; they are read as TREC files",
    )
    AGAINST_RANKS = (
        "column of ranks contradicts scores, which decide; if these are distances, negate them",
        "columns of ranks contradict scores, which decide; if these are distances, negate them",
    )
    GAPS = (
        "query has ranks that leave places out; its documents move up to ranks 1, 2, 3 ...",
        "queries have ranks that leave places out; their documents move up to ranks 1, 2, 3 ...",
    )
    OWN_KEPT = (
        "query retrieves a document with its own id; identical_ids='removed' would drop it",
        "queries retrieve a document with their own id; identical_ids='removed' would drop it",
    )
    OWN_REMOVED = (
        "query retrieves a document with its own id; identical_ids='removed' dropped it",
        "queries retrieve a document with their own id; identical_ids='removed' dropped it",
    )
    BYTE_ORDER_MARK = (
        "file begins with a byte-order mark, left out here and part of a query's id in trec_eval",
        "files begin with a byte-order mark, left out here and part of a query's id in trec_eval",
    )
    INTERLEAVED = (
        "the documents of a query are not together in the run, so all of it was held in memory; "
        "sort it by query to save memory"
    )
    # Measures.
    REPEATED_WORTH = "{measure}: of a repeated document {about}"
    QUIRK = "{measure}: {library} differs here from its own conventions: {about}"
    APART = "{measure}: {about}, as {library} has this measure"
    NOT_COMPARED = (
        "{measure}: no value of {library} was compared for this measure, so it is ours under the "
        "library's conventions"
    )
    TOGETHER = "{measure} is of several queries together, so no query has a score"
    AVERAGED = "{measure}: {about}"
    WEIGHTED = (
        "means are weighted by the weights given: as precise as means of {about} queries that "
        "weigh the same (Kish's effective size)"
    )
    WITHOUT_WEIGHT = (
        "query weighs 0 and does not count in the means",
        "queries weigh 0 and do not count in the means",
    )
    UNWEIGHTED = "{measure} is of several queries together, so weights don't count in it"
    SKIPPED_IRRELEVANT = "{measure}: {of_queries} without relevant documents {are} left out"
    MISSING_APART = "{measure}: {of_queries} that the run lacks {are} left out"
    SKIPPED = "{measure}: {of_queries} without a score {are} left out"
    UNDEFINED_SCORED = "{measure}: it is not defined for {of_queries}, which {score} {about}"
    ABOVE_RANGE = (
        "{measure}: {of_queries} {score} more than {highest:g}, as unjudged documents have {about} "
        "in the ranking alone, neither in R nor in the ideal"
    )
    NOT_RETRIEVED = (
        "{measure}: {of_judged} {were} not retrieved and {do} not count; "
        "unretrieved='last' ranks such documents below all others, as in AUC(unretrieved=last)"
    )
    ALL_GRADES_RELEVANT = (
        "{measure}: grades from {about} on count as relevant, of grades up to {highest:g}; "
        "{instead} counts from {highest:g} on"
    )
    TOP_ASSUMED = (
        "{measure}: the top of the scale is taken as {about}, and grades go up to {highest:g}; "
        "{instead} takes {highest:g}"
    )
    # Scores that another program wrote.
    DIGITS_AS_WRITTEN = "scores have the digits that were written"
    NOT_READ = "measures that are not read: {about}"
    WITHOUT_VALUE = (
        "query has no value of a measure and is left out",
        "queries have no value of a measure and are left out",
    )

    @property
    def is_counted(self) -> bool:
        """Whether the sentence begins with a number."""
        return isinstance(self.value, tuple)


# What readers call the lines that they take otherwise than written.
AS_TREC_EVAL = {
    "longer": NoteKind.LONGER_LINES,
    "comments": NoteKind.COMMENTS,
    "not_utf8": NoteKind.NOT_UTF8,
    "infinite": NoteKind.INFINITE,
    "nan": NoteKind.NOT_A_NUMBER,
    "hexadecimal": NoteKind.HEXADECIMAL,
    "cut": NoteKind.CUT_AT_POINT,
    NAMED_AS_TABLE: NoteKind.NAMED_AS_TABLE,
    AGAINST_RANKS: NoteKind.AGAINST_RANKS,
    GAPS: NoteKind.GAPS,
    "own_kept": NoteKind.OWN_KEPT,
    "own_removed": NoteKind.OWN_REMOVED,
    "mark": NoteKind.BYTE_ORDER_MARK,
}


_OF_FILES = frozenset(
    {
        NoteKind.OTHER_NAMES,
        NoteKind.LONGER_LINES,
        NoteKind.COMMENTS,
        NoteKind.NOT_UTF8,
        NoteKind.HEXADECIMAL,
        NoteKind.NAMED_AS_TABLE,
        NoteKind.BYTE_ORDER_MARK,
        NoteKind.INTERLEAVED,
    }
)


@dataclass(frozen=True)
class Note:
    """One thing to be said: its kind, how many of it there are, and what it is about.

    `queries` are the first of the queries that it counts, `measure` the measure that it is about.
    Of documents, `among` is the number of those that were looked at, down to `cutoff`. `about` is
    what a convention, a column or a file says for itself, and `library` whose conventions they are.
    `highest` is the highest grade that was given, and `instead` the measure that goes by it.
    """

    kind: NoteKind
    count: int | None = None
    queries: tuple[Hashable, ...] = ()
    measure: str = ""
    about: str = ""
    library: str = ""
    among: int = 0
    cutoff: int | None = None
    highest: float = 0
    instead: str = ""

    @property
    def is_of_one(self) -> bool:
        """Whether the sentence is in the singular."""
        return self.count == 1

    @property
    def uncounted(self) -> "Note":
        """The same note without its number, where the sentence begins with that."""
        return replace(self, count=None) if self.kind.is_counted else self

    @property
    def of_empty_ranking(self) -> "Note":
        """The same note, where a query that the run lacks may score something other than 0."""
        if self.kind is not NoteKind.MISSING_SCORE_ZERO:
            return self
        return replace(self, kind=NoteKind.MISSING_IS_EMPTY)

    def said(self) -> str:
        """The sentence, but for the number that it begins with."""
        wording = self.kind.value
        if self.kind.is_counted:
            one, many = wording
            wording = one if self.is_of_one else many
        where = "retrieved" if self.cutoff is None else f"at ranks 1 to {self.cutoff}"
        sentence: str = wording.format(
            count=self.count,
            measure=self.measure,
            about=self.about,
            library=self.library,
            highest=self.highest,
            instead=self.instead,
            among=self.among,
            where=where,
            share=(self.count or 0) / max(1, self.among),
            of_queries=_number_of_queries(self.count or 0),
            of_judged=_number_of_judged(self.count or 0),
            are="is" if self.is_of_one else "are",
            were="was" if self.is_of_one else "were",
            do="does" if self.is_of_one else "do",
            score="scores" if self.is_of_one else "score",
        )
        return sentence + self._queries()

    def sentence(self) -> str:
        """The whole sentence.

        >>> Note(NoteKind.MISSING_SCORE_ZERO, 2, queries=("q1", "q7")).sentence()
        '2 judged queries are not in the run and score 0: q1, q7'
        """
        number = f"{self.count:,} " if self.kind.is_counted else ""
        return self.marked(f"{number}{self.said()}")

    def marked(self, sentence: str) -> str:
        """The sentence of this note, as one on how files were read if it is that."""
        return OfFiles(sentence) if self.kind in _OF_FILES else sentence

    def _queries(self) -> str:
        """The first queries by name, and how many more there are."""
        if not self.queries:
            return ""
        named = ", ".join(escaping.named(query) for query in self.queries)
        more = (self.count or 0) - len(self.queries)
        return f": {named} and {more:,} more" if more > 0 else f": {named}"


def _number_of_queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count:,} queries"


def _number_of_judged(count: int) -> str:
    return "1 judged document" if count == 1 else f"{count:,} judged documents"


def of_queries(
    kind: NoteKind,
    queries: Sequence[Hashable],
    measure: str = "",
) -> list[Note]:
    """A note that counts queries and names the first of them; none if there are no queries."""
    if not queries:
        return []
    return [
        Note(
            kind,
            len(queries),
            measure=measure,
            queries=tuple(queries[:_NAMED]),
        )
    ]
