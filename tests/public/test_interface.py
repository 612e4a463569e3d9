"""What is public stays as it is, or its change is accepted by hand."""

import importlib
import inspect

import pytest

from dev.tools import public
from dev.tools.places import ROOT
from dev.tools.public import SNAPSHOTS
from dev.tools.tiers import TIERS, Tier, note, tier_of
from irmetrics_edu import cli

MOST_STABLE = 500  # each line is a promise until 2.0


@pytest.mark.parametrize("tier", SNAPSHOTS, ids=str)
def test_the_public_interface_is_as_it_was_accepted(tier):
    """Names, signatures, options, fixtures, exit codes and the fields of files."""
    changes = public.compared(public.accepted(tier), public.interface(tier), tier)
    assert not changes, "\n".join(["", *changes])


def test_few_things_are_promised_until_the_next_major_version():
    """What nobody needs to write is private or of a lower tier."""
    assert len(public.interface(Tier.STABLE)) < MOST_STABLE


def test_each_public_thing_has_one_tier():
    """Neither a wing nor a command nor a format of a file is in none, or in two."""
    for wing in public.wings():
        tier_of("wings", wing)
    for command in cli.COMMANDS:
        tier_of("commands", command)
    for path in public.PACKAGE.rglob("*.schema.json"):
        tier_of("files", path.name.removesuffix(".schema.json"))


def test_no_tier_names_what_is_not_there():
    """A wing, a command or a file that is gone would stay promised."""
    there = {
        "wings": set(public.wings()),
        "commands": set(cli.COMMANDS),
        "files": {
            p.name.removesuffix(".schema.json") for p in public.PACKAGE.rglob("*.schema.json")
        },
    }
    for kind, names in there.items():
        assert {name for tier in TIERS[kind].values() for name in tier} == names


@pytest.mark.parametrize(
    "line",
    [
        "measure nDCG: ndcg(ranking, judgments=None, *, k=None, gain=linear, discount=log2, ",
        "name irmetrics_edu.gate.assert_metric(",
        "name irmetrics_edu.Working.columns",
        "command evaluate --worst",
        "pytest fixture irm_baseline",
        "pytest ini irm_policy",
        "exit code 2: bad_input",
        "file evaluate /mean: object",
    ],
)
def test_each_kind_of_thing_is_there(line):
    """A line of each kind that users rely on."""
    assert any(found.startswith(line) for found in public.interface()), line


def shown_classes():
    """Each class that a wing shows, but for errors, with the tier of the wing."""
    for wing in public.wings():
        module = importlib.import_module(f"irmetrics_edu.{wing}".removesuffix("."))
        for name in module.__all__:
            value = getattr(module, name)
            is_error = inspect.isclass(value) and issubclass(value, BaseException)
            if inspect.isclass(value) and not is_error:
                yield tier_of("wings", wing), value


def test_every_member_that_a_user_can_call_has_a_line():
    """Its own, or that of the class above which defines it, whether a wing shows that or not."""
    lines = {tier: public.interface(tier) for tier in SNAPSHOTS}
    every = [line for listed in lines.values() for line in listed]
    lacking = []
    for tier, value in shown_classes():
        if tier not in SNAPSHOTS:
            continue
        for member in dir(value):
            owners = [base for base in value.__mro__ if member in vars(base)]
            if member.startswith("_") or not owners[0].__module__.startswith("irmetrics_edu"):
                continue
            places = [f".{owner.__name__}.{member}" for owner in owners]
            if not any(place in line for place in places for line in every):
                lacking.append(f"{value.__name__}.{member}")
    assert lacking == []


def test_a_measure_has_its_assertion_in_its_line():
    """The registry makes both."""
    [line] = (line for line in public.interface() if line.startswith("measure nDCG: "))
    assert line.endswith(", assert_ndcg")


def test_a_change_is_named_with_what_to_do():
    """What is gone needs a warning first; what is new needs a line in the changelog."""
    assert public.compared(["a", "b"], ["b", "a"]) == []
    gone = public.compared(["a(x)", "b"], ["a(y)", "b"])
    assert gone[:2] == ["- a(x)", "+ a(y)"]
    assert "keep it for a minor version" in gone[2]
    provisional = public.compared(["a(x)"], ["a(y)"], Tier.PROVISIONAL)
    assert "a line in docs/changelog.md" in provisional[2]
    new = public.compared(["a"], ["a", "b"])
    assert new[0] == "+ b"
    assert "docs/changelog.md" in new[1]
    assert "make public" in new[1]


ABOUT = {"changelog", "decisions", "documents", "governance", "installation"}
ABOUT |= {"library-defects", "limits", "lines", "stability", "translate", "trust"}


def test_each_page_says_which_tier_it_describes():
    """All but those that only inform."""
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    described = {name for names in TIERS["pages"].values() for name in names}
    assert pages - described == ABOUT
    assert described - pages == {"plugin"}  # made from the code


def test_the_line_of_a_page_leads_to_the_rules():
    """Each tier has its own."""
    assert len({note(tier) for tier in Tier}) == len(Tier)
    assert all("(stability.md)" in note(tier) for tier in Tier)


def test_a_name_without_a_tier_is_refused():
    """The error says where it belongs."""
    with pytest.raises(LookupError, match=r"dev/tools/tiers.toml names 'nowhere' 0 times"):
        tier_of("wings", "nowhere")
