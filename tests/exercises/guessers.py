"""A zoo of guessers: functions that answer without computing what is asked.

Each takes what a student can know: the answers that are right for the inputs of one's own copy,
and a seeded source. It gives a function of the number of the call and the inputs.
"""

import itertools


def _first(values, default=0):
    return next(iter(values), default)


def constants(seen, _source):
    """Whatever is asked, one value: those that anybody tries, and those of one's own copy."""
    for value in [0, 1, 0.5, True, False, None, "", [], *seen]:
        yield f"always {value!r}", lambda _call, _inputs, value=value: value


def nearly_constant(seen, _source):
    """One value, but another one on some calls: no constant by the letter."""
    for value in [0.0, 0.5, 1.0, True, False, *seen]:
        for odd in (0, 1, 3, 7):
            other = (not value) if isinstance(value, bool) else -1.0
            yield (
                f"{value!r}, call {odd} apart",
                lambda call, _inputs, v=value, o=other, odd=odd: o if call == odd else v,
            )


def counters(seen, _source):
    """By the number of the call: in turn, in halves, and at the other end."""
    few = seen[:6]
    for values in ([True, False], [False, True], [0.0, 0.5, 1.0], [1, 2, 3], few, few[::-1]):
        yield f"in turn {values!r}", lambda call, _inputs, v=values: v[call % len(v)]
        for length in (2, 6, 12):
            yield (
                f"{length} each of {values!r}",
                lambda call, _inputs, v=values, n=length: v[call // n % len(v)],
            )


def coins(seen, source):
    """By chance, of what anybody tries, or of what one's own copy had."""
    few = [0.0, 1.0, 0.5, 1 / 3, 0.25, 2 / 3, 0.75, 0.2]
    for name, values in (("truths", [True, False]), ("fractions", few), ("seen", seen)):
        for turn in range(4):
            yield f"a coin of {name}, {turn}", lambda _c, _i, v=values: source.choice(v)


def echoes(_seen, _source):
    """An input, its first or last element, its length, sum, least or greatest."""
    whats = {
        "itself": lambda x: x,
        "first": _first,
        "last": lambda x: list(x)[-1],
        "reversed": lambda x: list(x)[::-1],
        "sorted": sorted,
        "length": len,
        "length above 4": lambda x: len(x) > 4,
        "one over length": lambda x: 1 / len(x),
        "first value": lambda x: _first(x.values()),
        "not empty": bool,
    }
    for place, (name, what) in itertools.product(range(4), whats.items()):

        def guess(_call, inputs, place=place, what=what):
            values = list(inputs.values())
            try:
                return what(values[place % len(values)])
            except (TypeError, AttributeError, IndexError, KeyError, ValueError, ZeroDivisionError):
                return 0

        yield f"{name} of input {place}", guess


def lookups(seen, _source):
    """By the length of what is given, or by its text, an answer that was right elsewhere."""
    yield "by length", lambda _c, inputs: seen[len(repr(list(inputs.values()))) % len(seen)]
    yield (
        "by size",
        lambda _c, i: seen[sum(len(v) for v in i.values() if hasattr(v, "__len__")) % len(seen)],
    )
    yield "truth by length", lambda _c, inputs: len(repr(list(inputs.values()))) % 2 == 0


ZOO = (constants, nearly_constant, counters, coins, echoes, lookups)
