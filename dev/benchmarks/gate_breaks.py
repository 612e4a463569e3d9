"""Breaks of an engine, harmless changes of it, and changes of its data: what gates are tried on.

To try another one, write a function and put `@broken`, `@harmless` or `@changed` above it. A break
and a harmless change take the world and give another run. A change of data takes a run and its
judgments and gives both anew: the good run and the broken one go through it alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

Run = dict[Any, Any]
Qrels = dict[Any, dict[Any, Any]]
RETRIEVAL = "retrieval"
ANSWERS = "answers"
ITEMS = "recommendations"
FEW = "four queries"
KINDS = (RETRIEVAL, ANSWERS, ITEMS, FEW)
QUERIES = 40


@dataclass(frozen=True)
class World:
    """An engine before a change: its run, the judgments, and what a gate measures."""

    kind: str
    run: Run
    qrels: Qrels
    measures: str
    depth: int | None = None  # the greatest cut-off of the measures, if each has one


def worlds() -> dict[str, World]:
    """An engine of each kind, the same on every machine."""
    return {
        RETRIEVAL: World(RETRIEVAL, *_retrieval("d"), "nDCG@10 RR R@20"),
        ITEMS: World(ITEMS, *_retrieval("item"), "P@5 R@10", depth=10),
        FEW: World(FEW, *_retrieval("d", 4), "RR"),
        ANSWERS: World(ANSWERS, *_answers(), "P"),
    }


def _retrieval(what: str, queries: int = QUERIES) -> tuple[Run, Qrels]:
    """Each query has four judged documents, three of them relevant, in twelve that are found."""
    run: Run = {}
    qrels: Qrels = {}
    for i in range(queries):
        found = [f"{what}{i}-{j}" for j in range(12)]
        if i % 3 == 0:
            found[0], found[3] = found[3], found[0]
        run[f"q{i}"] = found
        qrels[f"q{i}"] = {f"{what}{i}-{j}": grade for j, grade in enumerate((3, 2, 1, 0))}
    return run, qrels


def _answers() -> tuple[Run, Qrels]:
    """Each answer has four claims; one of every fifth answer is wrong."""
    claims: Run = {}
    for i in range(QUERIES):
        claims[f"q{i}"] = {f"Claim {j} of {i}.": int(i % 5 or j > 0) for j in range(4)}
    return claims, {}


@dataclass(frozen=True)
class Named:
    """A break, a harmless change, or a change of data, with the kinds of engine that it is for."""

    name: str
    make: Callable[..., Any]
    kinds: tuple[str, ...]
    comparable: bool = True  # whether a gate can compare what it leaves
    refused: str = ""  # of a mistake in the input: words of the refusal
    unless: str = ""  # of a change of data that stops gates: the setting that turns this off
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the gate that is to see it


BREAKS: list[Named] = []
HARMLESS: list[Named] = []
CHANGES: list[Named] = []
RANKED = (RETRIEVAL, ITEMS)


def _listed(
    where: list[Named],
    name: str,
    *kinds: str,
    comparable: bool = True,
    refused: str = "",
    unless: str = "",
    **settings: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def keep(make: Callable[..., Any]) -> Callable[..., Any]:
        one = Named(
            name,
            make,
            kinds or RANKED,
            comparable=comparable,
            refused=refused,
            unless=unless,
            settings=settings,
        )
        where.append(one)
        return make

    return keep


broken = partial(_listed, BREAKS)
harmless = partial(_listed, HARMLESS)
changed = partial(_listed, CHANGES)


def each(world: World, change: Callable[[list[Any], int], Any]) -> Run:
    """The run with every ranking changed."""
    return {q: change(list(r), i) for i, (q, r) in enumerate(world.run.items())}


def some(world: World, change: Callable[[list[Any]], Any], every: int) -> Run:
    """The run with every so-manieth ranking changed."""
    return each(world, lambda r, i: change(r) if i % every == 0 else r)


# -- breaks of a ranking


def _simple(name: str, change: Callable[[list[Any], int], Any], **about: Any) -> None:
    broken(name, **about)(lambda world: each(world, change))


_simple("the order is reversed", lambda r, _: r[::-1])
_simple("the best comes last", lambda r, _: [*r[1:], r[0]])
_simple("the three best come last", lambda r, _: [*r[3:], *r[:3]])
_simple("the three best are dropped", lambda r, _: r[3:])
_simple("the best is dropped", lambda r, _: r[1:])
_simple("every second document is dropped", lambda r, _: r[1::2])
_simple("only the last ten of twelve are found", lambda r, _: r[2:])
_simple("only the first is found", lambda r, _: r[:1])
_simple("only the first two are found", lambda r, _: r[:2])
_simple("a document nobody judged is on top", lambda r, _: ["advert", *r])
_simple("three documents nobody judged are on top", lambda r, _: ["x", "y", "z", *r])
_simple("ten documents nobody judged are on top", lambda r, _: [*(f"x{j}" for j in range(10)), *r])
_simple("nothing that is judged is found", lambda _, i: [f"other{i}-{j}" for j in range(12)])
_simple("the relevant move down by four", lambda r, _: [*r[4:8], *r[:4], *r[8:]])
_simple("the relevant move down by eight", lambda r, _: [*r[4:], *r[:4]])
_simple("the order is drawn", lambda r, i: list(np.random.default_rng(i).permutation(r)))
_simple("the ids are in capitals", lambda r, _: [d.upper() for d in r])
_simple("the ids have a prefix", lambda r, _: [f"doc:{d}" for d in r])
_simple("the ids are cut", lambda r, _: [f"{d[:-1]}#{j}" for j, d in enumerate(r)])
_simple("the scores are negated", lambda r, _: {d: float(j) for j, d in enumerate(r)})
_simple("all scores are equal", lambda r, _: dict.fromkeys(sorted(r, reverse=True), 0.5))
_simple("the same list is given to everybody", lambda _, __: [f"d0-{j}" for j in range(12)])
_simple("odd documents are lost", lambda r, _: [d for d in r if int(d.split("-")[1]) % 2])
_simple("even documents are lost", lambda r, _: [d for d in r if int(d.split("-")[1]) % 2 == 0])
_simple("a score is NaN", lambda r, _: {d: float("nan") for d in r}, refused="is not finite")
_simple("a ranking is None", lambda _, __: None, refused="None")
_simple("a document comes twice", lambda r, _: [r[0], *r], refused="ranked twice")
_simple("ids are numbers", lambda _, __: list(range(12)), refused="ids are whole numbers")
_simple(
    "pairs of id and score are the ids",
    lambda r, _: [(d, 0.5) for d in r],
    refused="pairs are no ids",
)
_simple("the rankings have no order", lambda r, _: set(r), refused="has no order")
_simple(
    "the first two change places, and any query may be gone",
    lambda r, _: [r[1], r[0], *r[2:]],
    max_gone="off",
)


for _every, _name in ((2, "half"), (4, "a quarter"), (8, "an eighth")):
    broken(f"{_name} of the rankings are reversed")(
        lambda world, n=_every: some(world, lambda r: r[::-1], n)
    )
    broken(f"{_name} of the rankings lose their three best")(
        lambda world, n=_every: some(world, lambda r: r[3:], n)
    )
    broken(f"{_name} of the queries find nothing")(
        lambda world, n=_every: some(world, lambda _: [], n)
    )
    broken(f"{_name} of the queries are not asked")(
        lambda world, n=_every: {q: r for i, (q, r) in enumerate(world.run.items()) if i % n}
    )


@broken("one query finds nothing")
def _one_empty(world: World) -> Run:
    return {**world.run, "q7": []}


@broken("no query but one finds anything")
def _one_answer(world: World) -> Run:
    return {q: r if q == "q7" else [] for q, r in world.run.items()}


@broken("one query is not asked")
def _one_missing(world: World) -> Run:
    return {q: r for q, r in world.run.items() if q != "q7"}


@broken("one protected query is reversed", protected=["q7"])
def _one_protected(world: World) -> Run:
    return {**world.run, "q7": world.run["q7"][::-1]}


@broken("one query loses all its relevant documents", max_query_drop=0.3)
def _one_query(world: World) -> Run:
    return {**world.run, "q7": world.run["q7"][3:]}


@broken("the rankings of neighbours are exchanged")
def _exchanged(world: World) -> Run:
    queries = list(world.run)
    return {q: world.run[queries[i ^ 1]] for i, q in enumerate(queries)}


@broken("one group of four loses its best", groups=True, max_observed_drop="off")
def _one_group(world: World) -> Run:
    return some(world, lambda r: [*r[3:], *r[:3]], 10)


@broken("an eighth are reversed, and doubt fails", max_observed_drop="off", inconclusive="fail")
def _doubt_fails(world: World) -> Run:
    return some(world, lambda r: r[::-1], 8)


@broken("the ids of four queries have a prefix", FEW, max_observed_drop="off")
def _few_with_other_ids(world: World) -> Run:
    return each(world, lambda r, _: [f"doc:{d}" for d in r])


@broken("many fall, and only the test tells", max_observed_drop="off")
def _only_the_test(world: World) -> Run:
    return each(world, lambda r, _: [*r[3:], *r[:3]])


# -- breaks of answers: claims with their labels


def _claims(name: str, change: Callable[[dict[str, int], int], dict[str, int]]) -> None:
    @broken(name, ANSWERS)
    def _(world: World) -> Run:
        return {q: change(dict(claims), i) for i, (q, claims) in enumerate(world.run.items())}


_claims("every claim is wrong", lambda c, _: dict.fromkeys(c, 0))
_claims("new claims, all wrong", lambda _, i: {f"Wrong {j} of {i}.": 0 for j in range(4)})
_claims(
    "new claims, half of them wrong", lambda _, i: {f"New {j} of {i}.": j % 2 for j in range(4)}
)
_claims("a wrong claim is added", lambda c, i: {**c, f"Made up {i}.": 0})
_claims(
    "four wrong claims are added", lambda c, i: {**c, **{f"Made up {i} {j}.": 0 for j in range(4)}}
)
_claims(
    "the first claim is wrong",
    lambda c, _: {k: v if j else 0 for j, (k, v) in enumerate(c.items())},
)
_claims("no answer says anything", lambda c, i: {} if i else c)
_claims("half of the answers say nothing", lambda c, i: {} if i % 2 else c)
_claims("one answer says nothing", lambda c, i: {} if i == 7 else c)
_claims("a third of the answers are wrong", lambda c, i: c if i % 3 else dict.fromkeys(c, 0))


# -- harmless changes of an engine


@harmless("nothing", *KINDS)
def _same(world: World) -> Run:
    return dict(world.run)


@harmless("the scores are told, and the order is the same")
def _scored(world: World) -> Run:
    return each(world, lambda r, _: {d: 1 / (j + 1) for j, d in enumerate(r)})


@harmless("a longer tail")
def _longer(world: World) -> Run:
    return each(world, lambda r, i: [*r, *(f"tail{i}-{j}" for j in range(20))])


@harmless("documents that nobody judged change places below")
def _below(world: World) -> Run:
    return each(world, lambda r, _: [*r[:6], *r[6:][::-1]])


@harmless("every ranking is ideal")
def _ideal(world: World) -> Run:
    return each(world, lambda r, _: sorted(r, key=lambda d: int(d.split("-")[1])))


@harmless("the answers say the same in other words", ANSWERS)
def _rephrased(world: World) -> Run:
    return {q: {f"Said anew: {c}": g for c, g in claims.items()} for q, claims in world.run.items()}


# -- changes of the data: run and judgments go through them alike


def _ranking(ranking: Any, rename: Callable[[Any], Any]) -> Any:
    if isinstance(ranking, Mapping):
        return {rename(d): s for d, s in ranking.items()}
    if isinstance(ranking, set):
        return {rename(d) for d in ranking}
    return None if ranking is None else [rename(d) for d in ranking]


@changed("nothing", *KINDS)
def _nothing(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return run, qrels


@changed("a new index with new ids", comparable=False)
def _new_ids(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    def rename(document: Any) -> Any:
        return f"v2/{document}" if isinstance(document, str) else document

    judged = {q: {rename(d): g for d, g in of.items()} for q, of in qrels.items()}
    return {q: _ranking(r, rename) for q, r in run.items()}, judged


@changed("fewer judgments")
def _fewer(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    kept = {q: {d: g for d, g in of.items() if g != 1} for q, of in qrels.items()}
    return run, kept


@changed("more judgments, all of grade 0")
def _more(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return run, {q: {**of, f"never-found-{q}": 0} for q, of in qrels.items()}


@changed("other grades: twice as high")
def _twice(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return run, {q: {d: 2 * g for d, g in of.items()} for q, of in qrels.items()}


@changed("other grades: relevant or not")
def _binary(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return run, {q: {d: int(g > 0) for d, g in of.items()} for q, of in qrels.items()}


@changed("one query more")
def _one_more(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return {**run, "new": ["a"]}, {**qrels, "new": {"a": 1}}


@changed("one query fewer")
def _one_fewer(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    less = {q: r for q, r in run.items() if q != "q3"}
    return less, {q: of for q, of in qrels.items() if q != "q3"}


@changed("five queries of forty are gone", comparable=False, unless="max_gone")
def _five_fewer(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    gone = {f"q{i}" for i in range(10, 15)}
    less = {q: r for q, r in run.items() if q not in gone}
    return less, {q: of for q, of in qrels.items() if q not in gone}


@changed("run and judgments are exchanged", comparable=False, refused="look swapped")
def _exchanged_roles(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    as_judgments: Qrels = {}
    for query in qrels:
        ranking = run.get(query) or ()
        as_judgments[query] = {d: 1 / (rank + 0.5) for rank, d in enumerate(ranking, 1)}
    return qrels, as_judgments


@changed("another order of the queries", *KINDS)
def _other_order(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return dict(reversed(run.items())), dict(reversed(qrels.items()))


@changed("another order of the judgments")
def _other_judgments(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return run, {q: dict(reversed(of.items())) for q, of in qrels.items()}


@changed("grades of another type")
def _typed(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return run, {q: {d: np.float32(g) for d, g in of.items()} for q, of in qrels.items()}


@changed("a query whose documents are all of grade 0")
def _nothing_relevant(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return {**run, "idle": ["b", "a"]}, {**qrels, "idle": {"a": 0}}


@changed("queries that are judged, and that nobody asks")
def _never_asked(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return run, {**qrels, "unasked": {"a": 1}}


@changed("a grade is NaN", comparable=False)
def _nan(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return run, {**qrels, "q0": {**qrels["q0"], "z": float("nan")}}


@changed("a query has no judgments", *KINDS)
def _emptied(run: Run, qrels: Qrels) -> tuple[Run, Qrels]:
    return {**run, "unjudged": ["a"]} if qrels else run, qrels
