"""What Python imports before all else, here and in each process that it starts.

FAKED_CLOCK is "MOMENT STEP": each look at the clock moves it by STEP seconds from MOMENT, so a
negative step is a clock that goes back. REVERSED_LISTINGS turns the order round in which a folder
tells its files. OWN_LOCALE sets the locale of the surroundings, as programs with windows do.
"""

import datetime as dt
import itertools
import locale
import os
import time
from typing import Any

_BILLION = 1_000_000_000


class _OfAllDates(type):
    """Every date is one, also one that was made before or by compiled code."""

    def __instancecheck__(cls, thing: object) -> bool:
        return isinstance(thing, cls.__mro__[1])


def _fake_clock(begin: float, step: float) -> None:
    ticks = itertools.count()

    def now() -> float:
        return begin + step * next(ticks)

    class Moment(dt.datetime, metaclass=_OfAllDates):
        @classmethod
        def now(cls, tz: Any = None) -> "Moment":
            return cls.fromtimestamp(now(), tz)

        @classmethod
        def utcnow(cls) -> "Moment":
            return cls.fromtimestamp(now(), dt.UTC).replace(tzinfo=None)

        @classmethod
        def today(cls) -> "Moment":
            return cls.fromtimestamp(now())

    class Day(dt.date, metaclass=_OfAllDates):
        @classmethod
        def today(cls) -> "Day":
            return cls.fromtimestamp(now())

    for faked, name in ((Moment, "datetime"), (Day, "date")):
        faked.__name__ = faked.__qualname__ = name
        faked.__module__ = "datetime"
        setattr(dt, name, faked)
    local, utc, shown = time.localtime, time.gmtime, time.strftime
    time.time = now
    time.time_ns = lambda: round(now() * _BILLION)
    time.localtime = lambda seconds=None: local(now() if seconds is None else seconds)
    time.gmtime = lambda seconds=None: utc(now() if seconds is None else seconds)
    time.strftime = lambda form, parts=None: shown(form, parts or time.localtime())


class _Reversed:
    """What os.scandir gives, in the other order."""

    def __init__(self, found: Any) -> None:
        self._found = found
        self._entries = iter(sorted(found, key=lambda entry: entry.name, reverse=True))

    def __iter__(self) -> Any:
        return self._entries

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> "_Reversed":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """As the right one."""
        self._found.close()


def _reverse_listings() -> None:
    names, entries = os.listdir, os.scandir
    os.listdir = lambda *given: sorted(names(*given), reverse=True)  # type: ignore[assignment]
    os.scandir = lambda *given: _Reversed(entries(*given))  # type: ignore[assignment]


_CLOCK = os.environ.get("FAKED_CLOCK", "")
if _CLOCK:
    _moment, _step = _CLOCK.split()
    _fake_clock(dt.datetime.fromisoformat(_moment).timestamp(), float(_step))
if os.environ.get("REVERSED_LISTINGS"):
    _reverse_listings()
if os.environ.get("OWN_LOCALE"):
    locale.setlocale(locale.LC_ALL, "")
