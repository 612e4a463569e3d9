"""The policy of a gate: in a word, or as the margin of its test and hard limits.

`Policy` is the one source of a gate's settings. pytest's options and ini keys, the keywords of the
assertions, their help and the tables of the guide are made of it. To change a default, change it
here, and run `make generated`. Every session of pytest loads this module, so it imports little.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Generic, TypeVar, overload

from irmetrics_edu import measured

OFF = "off"
TENTH = "tenth"
MARGIN = "margin"
FATES = ("pass", "warn", "fail")
GONE = "max_gone"
UNANSWERED = "max_unanswered"

Value = TypeVar("Value")
Check = Callable[["GateSetting[Any]", Any], Any]
Settings = dict[str, Any]


class GateSetting(Generic[Value]):
    """A setting of a gate: its default, what it sets, and what it takes.

    `sets` says in words what it sets. A number that is given lies `within` two others, and `words`
    are the words that may stand in its place. `shape` is how `--help` writes the value, and
    `kind` how an annotation does.
    """

    def __init__(
        self,
        default: Value,
        sets: str,
        *,
        kind: str,
        check: Check,
        shape: str = "",
        within: tuple[float, float] = (0.0, math.inf),
        words: tuple[str, ...] = (),
    ) -> None:
        self.name = ""
        self.default = default
        self.sets = sets
        self.kind = kind
        self.check = check
        self.shape = shape
        self.low, self.high = within
        self.words = words

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, policy: None, owner: type) -> "GateSetting[Value]": ...
    @overload
    def __get__(self, policy: "Policy", owner: type) -> Value: ...
    def __get__(self, policy: "Policy | None", owner: type) -> "GateSetting[Value] | Value":
        if policy is None:
            return self
        value: Value = policy.given.get(self.name, self.default)
        return value

    @property
    def by_default(self) -> str:
        """The default in words."""
        meaning = _MEANINGS.get(str(self.default), "")
        return f"{self.default}: {meaning}" if meaning else f"{self.default}"

    @property
    def help(self) -> str:
        """What it sets, and its default."""
        return f"{self.sets} (default {self.by_default})"

    @property
    def range(self) -> str:
        """The numbers that it takes, in words."""
        if math.isinf(self.high):
            return f"{self.low:g} or more"
        if self.check is _confidence:
            return f"above {self.low:g} and below {self.high:g}"
        return f"{self.low:g} to {self.high:g}"

    @property
    def is_number(self) -> bool:
        """Whether a number may be given."""
        return "float" in self.kind or "int" in self.kind


# -- checks of what is given


def amount(value: Any, name: str) -> float:
    """A tolerated or required change: a finite number, 0 or more."""
    from irmetrics_edu import checks
    from irmetrics_edu.errors import InputError

    value = checks.number(value, f"{name} =")
    if value < 0:
        raise InputError(f"{name}={value}: give 0 or more, in units of the metric, such as 0.01")
    return float(value)


def _amount(setting: GateSetting[Any], value: Any) -> float:
    return amount(value, setting.name)


def _limit(setting: GateSetting[Any], value: Any) -> float | str:
    from irmetrics_edu.errors import InputError

    if not isinstance(value, str):
        return amount(value, setting.name)
    if value not in setting.words:
        words = " or ".join(map(repr, setting.words))
        raise InputError(f"{setting.name}={value!r}: give a number, such as 0.05, or {words}")
    return value


def _share(setting: GateSetting[Any], value: Any) -> Any:
    from irmetrics_edu import checks

    if value not in setting.words:
        checks.between(setting.name, value, setting.low, setting.high)
    return value


def _count(setting: GateSetting[Any], value: Any) -> Any:
    from irmetrics_edu import checks

    if value in setting.words:
        return value
    if isinstance(value, float) and value.is_integer():  # from the command line or an ini file
        value = int(value)
    return checks.whole(setting.name, value, int(setting.low), why=f", or {OFF!r}")


def _confidence(setting: GateSetting[Any], value: Any) -> float:
    """The confidence of a test: above 0.5 and below 1."""
    from irmetrics_edu import checks

    checks.between(
        setting.name,
        value,
        setting.low,
        setting.high,
        open_low=True,
        open_high=True,
    )
    return float(value)


def _word(setting: GateSetting[Any], value: Any) -> str:
    from irmetrics_edu import checks

    checks.one_of(setting.name, value, setting.words)
    return str(value)


def _queries(setting: GateSetting[Any], value: Any) -> tuple[Hashable, ...]:
    from irmetrics_edu.errors import InputError

    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise InputError(f"{setting.name}={value!r}: give the queries in a list: [{value!r}]")
    return tuple(dict.fromkeys(value))


def _as_it_is(_setting: GateSetting[Any], value: Any) -> Any:
    return value


# What a default that is a word means, where the word alone does not tell.
_MEANINGS = {TENTH: "a tenth of the measure's range"}


class Policy:
    """The settings of a gate; what is not given has its default. Limits are hard ones.

    A limit is a number, in units of the measure, or "off". For a mean it may be "margin": then the
    queries at hand are all that count, and the gate is never inconclusive. "tenth" is a tenth of
    the measure's range, or the margin if that is more. An `advisory` gate warns and does not fail.
    """

    margin = GateSetting[float](
        0.01,
        "the drop of a measure's mean that gates tolerate, in units of the measure",
        kind="float",
        check=_amount,
        shape="DROP",
    )
    confidence = GateSetting[float](
        0.95,
        "the confidence of the gates' test of non-inferiority",
        kind="float",
        check=_confidence,
        shape="SHARE",
        within=(0.5, 1),
    )
    max_observed_drop = GateSetting[float | str](
        TENTH,
        "a hard limit on the drop of the mean",
        kind="float | str",
        check=_limit,
        shape="DROP|off",
        words=(OFF, TENTH, MARGIN),
    )
    max_group_drop = GateSetting[float | str](
        OFF,
        "a hard limit on the drop of each group's mean (needs groups=)",
        kind="float | str",
        check=_limit,
        shape="DROP|off",
        words=(OFF, MARGIN),
    )
    max_query_drop = GateSetting[float | str](
        OFF,
        "a hard limit on the drop of each query",
        kind="float | str",
        check=_limit,
        shape="DROP|off",
        words=(OFF,),
    )
    protected = GateSetting[tuple[Hashable, ...]](
        (),
        "queries that may not fall at all",
        kind="Iterable[Hashable]",
        check=_queries,
    )
    max_gone = GateSetting[float | str](
        0.05,
        "the share of the baseline's queries that may be gone, that is, not compared",
        kind="float | str",
        check=_share,
        shape="SHARE|off",
        within=(0, 1),
        words=(OFF,),
    )
    max_unanswered = GateSetting[float | str](
        0,
        "how many queries may find nothing that the baseline's run answered",
        kind="int | str",
        check=_count,
        shape="N|off",
        words=(OFF,),
    )
    inconclusive = GateSetting[str](
        "warn",
        "what a gate does if the queries are too few to tell: pass, warn or fail",
        kind="str",
        check=_word,
        shape="FATE",
        words=FATES,
    )
    advisory = GateSetting[bool](
        False,  # noqa: FBT003 -- the default itself
        "whether the gate only warns where it would fail",
        kind="bool",
        check=_as_it_is,
    )

    def __init__(self, **settings: Any) -> None:
        unknown = settings.keys() - SETTINGS.keys()
        if unknown:
            raise TypeError(f"a policy has no {', '.join(sorted(unknown))}")
        self.given = settings

    def __repr__(self) -> str:
        return f"Policy({', '.join(f'{name}={value!r}' for name, value in self.given.items())})"

    @property
    def limits(self) -> dict[str, float]:
        """The hard limits that are numbers, by name."""
        numbers: dict[str, float] = {}
        for name in LIMITS:
            value = getattr(self, name)
            if not isinstance(value, str):
                numbers[name] = value
        return numbers

    def number(self, name: str) -> float:
        """A limit on queries as a number; without end if it is off."""
        value = getattr(self, name)
        return math.inf if value == OFF else float(value)

    def allows(self, name: str, width: float) -> float:
        """The drop that a hard limit allows, for a measure with a range of this width."""
        value = getattr(self, name)
        if value == TENTH:
            return max(width / 10, self.margin)
        if value == MARGIN:
            return self.margin
        return math.inf if value == OFF else float(value)


SETTINGS: dict[str, GateSetting[Any]] = {
    name: setting for name, setting in vars(Policy).items() if isinstance(setting, GateSetting)
}
LIMITS = ("max_observed_drop", "max_group_drop", "max_query_drop")


# -- policies in a word

# What a word sets. A setting that is given beside the word counts for itself.
_SET_BY_A_WORD = ("max_observed_drop", "max_group_drop", "advisory")
_DEFAULTS: Settings = {name: SETTINGS[name].default for name in _SET_BY_A_WORD}
POLICIES: dict[str, Settings] = {
    "strict": {**_DEFAULTS, "max_observed_drop": MARGIN, "max_group_drop": MARGIN},
    "sample": _DEFAULTS,
    "advise": {**_DEFAULTS, "advisory": True},
}
WORD = GateSetting[str](
    "sample",
    "what gates fail on: strict, sample or advise",
    kind="str",
    check=_word,
    shape="WORD",
    words=tuple(POLICIES),
)
WORD.name = "policy"
# What a call of a gate takes: a policy by its word, and each setting.
TAKEN = {
    WORD.name: WORD,
    **{name: setting for name, setting in SETTINGS.items() if name != "advisory"},
}
NAMES = tuple(TAKEN)
# What the command line and the ini file take: what can be written as a number or a word.
OPTIONS = tuple(setting for setting in TAKEN.values() if setting.shape)


def policy_of(keywords: Mapping[str, Any]) -> Policy:
    """The policy of a call: its own keywords, else the session's settings, else the defaults.

    >>> policy_of({"policy": "strict", "margin": 0.02}).allows("max_group_drop", 1)
    0.02
    """
    call_settings = in_settings(
        {name: value for name, value in keywords.items() if value is not None}
    )
    return made({**measured.policy(), **call_settings})


def in_settings(keywords: Mapping[str, Any]) -> Settings:
    """What was said in one place, with the word for a policy replaced by what it sets.

    >>> in_settings({"policy": "advise"})["advisory"]
    True
    """
    settings = dict(keywords)
    word = settings.pop(WORD.name, "")
    if not word:
        return settings
    return {**POLICIES[_word(WORD, word)], **settings}


def made(keywords: Mapping[str, Any]) -> Policy:
    """A policy from these keywords, checked."""
    from irmetrics_edu.errors import InputError

    settings: Settings = {}
    for name, value in in_settings(keywords).items():
        setting = SETTINGS[name]
        settings[name] = setting.check(setting, value)
    policy = Policy(**settings)
    cap = policy.max_observed_drop
    if not isinstance(cap, str) and cap < policy.margin:
        raise InputError(
            f"max_observed_drop={cap:g} is less than margin={policy.margin:g}, the drop that is "
            f"tolerated; for a hard limit on the mean write both, margin={cap:g} too"
        )
    return policy
