"""Judging passages by an expected text, span of a document or page.

The judged "documents" are the expected items, so the judgments are the same for every run and every
way to cut documents into passages. Expected text 2 is the judged "document" `expected:2`. In the
run it takes the place of the first passage that holds it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from irmetrics_edu.checks import at, between
from irmetrics_edu.errors import InputError
from irmetrics_edu.judging.building import BuiltRun
from irmetrics_edu.judging.one_answer import MISSING, Passage, Retrieved, look, refuse_no_key
from irmetrics_edu.near_ties import exceeds
from irmetrics_edu.views.escaping import visible

__tracebackhide__ = True  # pytest shows the line that called

_MARKS = re.compile(r"[^\w]+|_+")


def words(text: str) -> str:
    """Letters and digits alone, in one case, with one blank between words."""
    return _MARKS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def holds(
    passage: str,
    expected: str,
    *,
    whole_words: bool,
) -> bool:
    """Whether a text contains another, both normalised.

    With `whole_words`, "start" does not contain "art". Scripts without upper and lower case
    (Chinese, Japanese, Thai) put no blanks between words, so there a text may be anywhere.

    >>> holds("a new start", "art", whole_words=True), holds("an art", "art", whole_words=True)
    (False, True)
    """
    if not whole_words:
        return expected in passage
    before = r"(?<!\w)" if _cased(expected[0]) else ""
    after = r"(?!\w)" if _cased(expected[-1]) else ""
    return re.search(f"{before}{re.escape(expected)}{after}", passage) is not None


# What a passage belongs to: a path in its metadata, or a function of it.
OfPassage = str | Callable[[Passage], Hashable]


def _cased(letter: str) -> bool:
    return letter.isdigit() or letter.lower() != letter.upper()


def collapse(run: BuiltRun, *, parent: OfPassage) -> BuiltRun:
    """A collapsed run ranks documents: one passage of each document stays and stands for it.

    `parent` says which document a passage is of: a path in its metadata ("source"), or a function
    of a `Passage`. The passage at the best rank stays. The notes of
    the new run say how many passages were merged.

    Fewer ranks are left than were retrieved, so ask for more than k passages if you measure k
    documents. Raises InputError for a passage without a parent, with its query and rank.

    >>> from irmetrics_edu.judging import build_run
    >>> run = build_run(lambda _: [("a#1", 0.9), ("a#2", 0.8), ("b#1", 0.7)], {"q1": "cats"})
    >>> dict(collapse(run, parent=lambda passage: passage.document.partition("#")[0]))
    {'q1': {'a': 0.9, 'b': 0.7}}
    """
    if not isinstance(run, BuiltRun):
        raise InputError(f"collapse takes a run of build_run; got a {type(run).__name__}")
    document_of = finder(parent)
    answers: dict[Hashable, Retrieved] = {}
    before = 0
    after = 0
    for query, answer in run.answers.items():
        best: dict[Hashable, Passage] = {}
        for passage in answer:
            best.setdefault(document_of(passage, query), passage)
        stands: list[Passage] = []
        for document, passage in best.items():
            metadata = {**passage.metadata, "passage": passage.document}
            stands.append(replace(passage, document=document, metadata=metadata))
        answers[query] = answer.only(stands)
        before += len(answer)
        after += len(stands)
    if before == after:
        return run.with_answers(answers)
    note = f"{before:,} passages are of {after:,} documents: {before - after:,} fell together"
    return run.with_answers(answers, note)


def finder(parent: OfPassage | None) -> Callable[[Passage, Hashable], Hashable]:
    """The document of a passage, by a path in its metadata or a function."""
    refuse_no_key(parent, "parent")
    if parent is None:
        raise InputError('parent=None: give a path in the metadata such as parent="source"')

    def find(passage: Passage, query: Hashable) -> Hashable:
        document: Any
        if callable(parent):
            document = parent(passage)
        else:
            document = look(parent.removeprefix("metadata."), passage.metadata)
        is_lacking = document is MISSING or document is None
        if is_lacking or isinstance(document, (float, bool, list, dict)):
            got = "nothing" if document is MISSING else repr(document)[:60]
            raise InputError(
                f"{_where(passage, query)}the parent is {got}, under parent={_name(parent)}; give "
                "a path, or a function of the passage"
            )
        return document if isinstance(document, int) else str(document)

    return find


def _name(parent: Any) -> str:
    return "a function" if callable(parent) else repr(parent)


def _where(passage: Passage, query: Hashable) -> str:
    held = ", ".join(map(str, passage.metadata)) or "nothing"
    return f"{at(query, passage.document, passage.rank)}the metadata has {held}, and "


_Read = Callable[[Any, str], Any]  # an expected item as given, and its place in errors -> checked
# Whether a passage meets what is expected: (passage, query, expected) -> yes or no.
_Meets = Callable[[Passage, Hashable, Any], bool]


class JudgedRun(dict[Hashable, list[Hashable]]):
    """The rankings of expected items and other passages, which a failure can say more about."""

    def __init__(
        self,
        rankings: Mapping[Hashable, list[Hashable]],
        expected: Mapping[Hashable, Sequence[Any]],
        answers: Mapping[Hashable, Sequence[Passage]],
    ) -> None:
        super().__init__(rankings)
        self._expected, self._answers = expected, answers

    def lines_about(self, query: Hashable) -> list[str]:
        """What is expected of a query, what was not found first, with the nearest passages.

        A passage is near by how many different words of the text it has, equal ones by rank.
        """
        ranked = set(self.get(query, ()))
        lost: list[str] = []
        retrieved: list[str] = []
        for number, one in enumerate(self._expected.get(query, ()), 1):
            name = f"expected:{number}"
            line = f"{name} is {_quoted(one)}"
            if name in ranked:
                retrieved.append(line)
            elif isinstance(one, str):
                lost.append(f"{line}, and no passage holds it")
                lost += self._nearest(query, one)
            else:
                lost.append(line)
        return [*lost, *retrieved]

    def _nearest(self, query: Hashable, text: str) -> list[str]:
        wanted = set(words(text).split())
        near: list[tuple[int, Passage]] = []
        for passage in self._answers.get(query, ()):
            if passage.text is None:
                continue
            shared = wanted & set(words(passage.text).split())
            if shared:
                near.append((len(shared), passage))
        near.sort(key=lambda one: (-one[0], one[1].rank))
        lines: list[str] = []
        for count, passage in near[:_NEAREST]:
            name = visible(str(passage.document))
            lines.append(
                f"  near, {count} of {len(wanted)} words: {name} at rank {passage.rank}, "
                f"{_quoted(passage.text)}"
            )
        return lines


_NEAREST = 2  # passages that a failure shows
_SHOWN = 60  # letters of a text


def _quoted(item: Any) -> str:
    text = visible(" ".join(str(item).split()))
    return f'"{text if len(text) <= _SHOWN else text[:_SHOWN] + " ..."}"'


class JudgedPassages(NamedTuple):
    """A run and its judgments of expected items, for any measure or assertion.

    `notes` are notes to show with a score. The run says in a failure what was expected.
    """

    run: JudgedRun
    qrels: dict[Hashable, dict[Hashable, int]]
    notes: list[str]


def judge_by_text(
    run: BuiltRun,
    expected: Mapping[Hashable, str | Sequence[str]],
    *,
    normalise: Callable[[str], str] | None = None,
) -> JudgedPassages:
    """A passage is relevant if it holds an expected text.

    `expected` maps queries to a text, or to several that each have to be found. Letters and digits
    are compared in one case (NFKC), as whole words. Or give a function that `normalise`s the texts
    of both sides, such as `str`, which changes nothing.

    Only the first passage with an expected text counts. So there are as many relevant "documents"
    as expected texts, recall is the share of expected texts that were found, and nDCG's ideal has
    them at the top, whatever a run retrieved.

    Raises InputError for a passage without text or an expected text that is empty.

    >>> from irmetrics_edu.judging import build_run
    >>> from irmetrics_edu import evaluate
    >>> answer = [{"id": 1, "text": "Dogs bark."}, {"id": 2, "text": "Cats purr."}]
    >>> run, qrels, _ = judge_by_text(build_run(lambda _: answer, {"q": "x"}), {"q": "cats"})
    >>> evaluate(run, qrels, "RR").mean["RR"]
    0.5
    """
    if normalise is not None and not callable(normalise):
        raise InputError(f"normalise={normalise!r}: give a function from text to text")
    same = words if normalise is None else normalise

    def read(text: Any, place: str) -> str:
        if not isinstance(text, str) or not same(text).strip():
            raise InputError(
                f"{place}the expected text {text!r:.60} is empty once it is normalised; give text"
                if isinstance(text, str)
                else f"{place}expected {text!r:.60}; give a text, or a list of texts"
            )
        return same(text)

    def meets(
        passage: Passage,
        query: Hashable,
        text: Any,
    ) -> bool:
        if passage.text is None:
            raise InputError(
                f"{at(query, passage.document, passage.rank)}there is no text; say where it stands "
                'when the run is built, such as text="payload.chunk"'
            )
        return holds(same(passage.text), text, whole_words=normalise is None)

    if isinstance(expected, Mapping):
        expected = {q: [e] if isinstance(e, str) else e for q, e in expected.items()}
    return _judged(run, expected, read, meets)


def judge_by_span(
    run: BuiltRun,
    expected: Mapping[Hashable, Sequence[tuple[Hashable, int, int]]],
    *,
    document: OfPassage = "source",
    start: str = "start_index",
    end: str = "end_index",
    min_overlap: float = 0.5,
) -> JudgedPassages:
    """A passage is relevant if it covers enough of an expected span of characters.

    `expected` maps queries to (document, start, end): characters from start up to, not including,
    end. `document`, `start` and `end` name the passage's own values in its metadata. Without an
    end, it is the start plus the length of the text. `min_overlap` is the share of the expected
    span that the passage must cover, above 0 and at most 1.

    >>> from irmetrics_edu.judging import build_run
    >>> answer = [{"id": 1, "source": "a", "start_index": 0, "end_index": 100}]
    >>> run = build_run(lambda _: answer, {"q": "x"})
    >>> judge_by_span(run, {"q": [("a", 40, 120)]}).run
    {'q': ['expected:1']}
    """
    between("min_overlap", min_overlap, 0, 1, open_low=True)
    document_of = finder(document)

    def read(span: Any, place: str) -> tuple[Hashable, int, int]:
        if not _is_span(span):
            raise InputError(
                f"{place}expected {span!r:.60}; give (document, start, end) with 0 <= start < end"
            )
        return span[0], span[1], span[2]

    def meets(
        passage: Passage,
        query: Hashable,
        span: Any,
    ) -> bool:
        wanted, low, high = span
        if document_of(passage, query) != wanted:
            return False
        begin = _place(passage, query, start)
        if begin is None:
            raise InputError(f"{_where(passage, query)}no {start!r}; say start=")
        last = _place(passage, query, end)
        if last is None:
            if passage.text is None:
                raise InputError(f"{_where(passage, query)}neither {end!r} nor a text; say end=")
            last = begin + len(passage.text)
        covered = max(0, min(high, last) - max(low, begin))
        return not exceeds(min_overlap * (high - low), covered)

    return _judged(run, expected, read, meets)


def _is_span(span: Any) -> bool:
    """Whether it is a document with the places of the first character and after the last."""
    if not isinstance(span, (tuple, list)) or len(span) != 3:
        return False
    _, start, end = span
    for place in (start, end):
        if not isinstance(place, int) or isinstance(place, bool):
            return False
    return bool(0 <= start < end)


def judge_by_page(
    run: BuiltRun,
    expected: Mapping[Hashable, Sequence[tuple[Hashable, int]]],
    *,
    document: OfPassage = "source",
    page: str = "page",
) -> JudgedPassages:
    """A passage is relevant if it is from an expected page.

    `expected` maps queries to (document, page); `document` and `page` name the passage's own
    values in its metadata.

    >>> from irmetrics_edu.judging import build_run
    >>> run = build_run(lambda _: [{"id": 1, "source": "a.pdf", "page": 4}], {"q": "x"})
    >>> judge_by_page(run, {"q": [("a.pdf", 4), ("a.pdf", 9)]}).qrels
    {'q': {'expected:1': 1, 'expected:2': 1}}
    """
    document_of = finder(document)

    def read(one: Any, place: str) -> tuple[Hashable, Any]:
        if not (isinstance(one, (tuple, list)) and len(one) == 2):
            raise InputError(f"{place}expected {one!r:.60}; give (document, page)")
        return one[0], one[1]

    def meets(
        passage: Passage,
        query: Hashable,
        one: Any,
    ) -> bool:
        own_page = look(page, passage.metadata)
        if own_page is MISSING:
            raise InputError(f"{_where(passage, query)}no {page!r}; say page=")
        is_of_document = bool(document_of(passage, query) == one[0])
        return is_of_document and str(own_page) == str(one[1])

    return _judged(run, expected, read, meets)


_OTHER_NAMES = {"start_index": "start_char_idx", "end_index": "end_char_idx"}  # LlamaIndex


def _place(
    passage: Passage,
    query: Hashable,
    path: str,
) -> int | None:
    for name in (path, _OTHER_NAMES.get(path)):
        place = look(name, passage.metadata) if name else MISSING
        if place is MISSING or place is None:
            continue
        if isinstance(place, bool) or not isinstance(place, int):
            raise InputError(f"{_where(passage, query)}{name} is {place!r}; give a whole number")
        return place
    return None


def _expected(expected: Any, read: _Read) -> dict[Hashable, list[Any]]:
    """The expected items of each query; two equal items are refused, since one would be lost."""
    if not isinstance(expected, Mapping) or not expected:
        raise InputError(f"expected={expected!r:.60}: give query -> what is expected")
    by_query: dict[Hashable, list[Any]] = {}
    for query, several in expected.items():
        if not isinstance(several, (list, tuple)) or not several:
            raise InputError(f"{at(query)}expected {several!r:.60}; give a list of at least one")
        by_query[query] = []
        for number, one in enumerate(several, 1):
            value = read(one, f"{at(query)}number {number}: ")
            if value in by_query[query]:
                raise InputError(
                    f"{at(query)}number {number}: {one!r:.60} is expected twice; give it once"
                )
            by_query[query].append(value)
    return by_query


def _judged(
    run: BuiltRun,
    wanted: Mapping[Hashable, Any],
    read: _Read,
    meets: _Meets,
) -> JudgedPassages:
    expected = _expected(wanted, read)
    if not isinstance(run, BuiltRun):
        raise InputError(f"passages are judged in a run of build_run; got a {type(run).__name__}")
    if not any(query in expected for query in run):
        raise InputError("expected: none of its queries is in the run; write ids the same way")
    qrels: dict[Hashable, dict[Hashable, int]] = {}
    for query, several in expected.items():
        qrels[query] = {f"expected:{number}": 1 for number in range(1, len(several) + 1)}
    rankings: dict[Hashable, list[Hashable]] = {}
    counts: Counter[str] = Counter()
    for query, answer in run.answers.items():
        ranking = _Ranking()
        for passage in answer:
            met: list[int] = []
            for number, one in enumerate(expected.get(query, []), 1):
                if meets(passage, query, one):
                    met.append(number)
            ranking.add(passage, met)
        rankings[query] = ranking.ids
        counts.update(ranking.counts)
    notes = run.notes()
    if counts["again"]:
        notes.append(
            f"{counts['again']:,} passages hold nothing expected but what stood above: not "
            "counted again"
        )
    if counts["together"]:
        notes.append(
            f"{counts['together']:,} passages hold several expected things, which stand at ranks "
            "of their own, one after the other"
        )
    return JudgedPassages(JudgedRun(rankings, wanted, run.answers), qrels, notes)


class _Ranking:
    """The ids of one query's ranking: an expected item stands where it is first met."""

    def __init__(self) -> None:
        self.ids: list[Hashable] = []
        self.counts: Counter[str] = Counter()
        self._met: set[int] = set()

    def add(self, passage: Passage, met: Sequence[int]) -> None:
        """One more passage, with the numbers of the expected items that it meets."""
        new = [number for number in met if number not in self._met]
        self._met.update(new)
        if len(new) > 1:
            self.counts["together"] += 1
        if met and not new:
            self.counts["again"] += 1
        if new:
            self.ids += [f"expected:{number}" for number in new]
        else:
            self.ids.append(_own_id(passage))


def _own_id(passage: Passage) -> str:
    """The id of a passage, which is never that of an expected item."""
    identifier = str(passage.document)
    if identifier.startswith(("expected:", "passage:")):
        return f"passage:{identifier}"
    return identifier
