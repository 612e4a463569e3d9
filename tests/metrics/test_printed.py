"""Worked numbers that others print, each with its source, its place and the call that gives it."""

import tomllib
from decimal import ROUND_FLOOR, Decimal
from pathlib import Path

import pytest

import irmetrics_edu
from irmetrics_edu.course.documents.printed_numbers import read

PRINTED = tomllib.loads(Path(__file__).with_name("printed.toml").read_text(encoding="utf-8"))
SOURCES, NUMBERS = PRINTED["sources"], PRINTED["numbers"]
CHECKED = [n for n in NUMBERS if not n.get("from_memory")]


class Public(dict):
    """The public names, each looked up when a call uses it."""

    def __missing__(self, name):
        return getattr(irmetrics_edu, name)


def agrees(number, value):
    """To the digits printed, by rounding or by cutting, and at most to 1e-12 of floating point."""
    printed = Decimal(number["printed"])
    if number.get("cut"):
        return Decimal(value).quantize(printed, rounding=ROUND_FLOOR) == printed
    return read(number["printed"])[0].agrees(value) or abs(Decimal(value) - printed) <= 1e-12


@pytest.mark.parametrize("number", NUMBERS, ids=lambda n: f"{n['source']}: {n['printed']}")
def test_the_number_is_the_one_in_print(number):
    """Each call gives the number that its source prints."""
    value = eval(number["call"], Public())  # noqa: S307
    assert agrees(number, value), f"{number['call']} is {value}, in print {number['printed']}"


def test_fifteen_numbers_are_from_opened_sources():
    """At least 15 were seen in their source, whose address is given; none stands twice."""
    assert len({(n["call"], n["printed"]) for n in CHECKED}) >= 15
    assert len({(n["source"], n["call"]) for n in NUMBERS}) == len(NUMBERS)
    assert all(SOURCES[n["source"]].get("address") for n in CHECKED)


@pytest.mark.parametrize(
    ("printed", "cut", "right", "wrong"),
    [
        ("0.61", False, 11 / 18, 0.6151),
        ("0.69", True, 0.6957, 0.7001),
        ("13.84826362927298", False, 13.848263629272981, 13.8482636),
    ],
)
def test_the_digits_printed_are_the_tolerance(printed, cut, right, wrong):
    """A value outside of the digits printed is refused."""
    number = {"printed": printed, "cut": cut}
    assert agrees(number, right)
    assert not agrees(number, wrong)
