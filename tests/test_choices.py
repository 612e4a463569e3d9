"""A misspelt choice is answered with the one that was meant: of options and of conventions."""

import argparse

import pytest

from irmetrics_edu.cli import COMMANDS, parser
from irmetrics_edu.conventions import (
    Averaging,
    Discount,
    Divisor,
    Gain,
    Ideal,
    MissingQueries,
    NoRelevant,
    Ties,
    Undefined,
)
from irmetrics_edu.errors import InputError

KINDS = (Ties, Undefined, NoRelevant, MissingQueries, Averaging, Ideal, Divisor, Gain, Discount)


def choices_of(command):
    """Each option of a command that has choices, and these."""
    chosen = parser(command)
    for action in chosen._subparsers._group_actions[0].choices[command]._actions:
        if action.choices and action.option_strings and not isinstance(action.choices, range):
            yield action.option_strings[-1], list(action.choices)


def misspelt(word):
    """The word without a letter in the middle."""
    middle = len(word) // 2
    return word[:middle] + word[middle + 1 :]


@pytest.mark.parametrize("kind", KINDS)
def test_a_misspelt_convention_is_suggested(kind):
    """Each value of four letters or more; and nothing where nothing is near."""
    for name in kind.values:
        wrong = misspelt(name)
        if len(name) < 4 or wrong in kind.values:
            continue
        with pytest.raises(InputError, match="did you mean") as refused:
            kind.named(wrong, "option")
        assert "use one of" in str(refused.value)
    with pytest.raises(InputError, match="not a known choice; use one of"):
        kind.named("xylophone", "option")


def test_ties_by_name():
    """The one that is meant, not any that is near."""
    with pytest.raises(InputError, match=r"did you mean pessimistic\? use one of given"):
        Ties.named("pesimistic", "ties")


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_misspelt_choice_of_an_option_is_suggested(command):
    """Of every option of every command; all choices are listed beside."""
    chosen = parser(command)
    sub = chosen._subparsers._group_actions[0].choices[command]
    for option, choices in choices_of(command):
        action = sub._option_string_actions[option]
        for choice in choices:
            wrong = misspelt(str(choice))
            if len(str(choice)) < 4 or wrong in choices:
                continue
            with pytest.raises(argparse.ArgumentError) as refused:
                sub._check_value(action, wrong)
            assert "did you mean" in str(refused.value)
            assert repr(choice) in str(refused.value)
        with pytest.raises(argparse.ArgumentError) as refused:
            sub._check_value(action, "xylophone")
        assert "did you mean" not in str(refused.value)
