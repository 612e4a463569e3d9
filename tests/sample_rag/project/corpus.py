"""The pages of a town's office, and what its citizens ask.

Made by rule, so that what has to be found is known: each page says what a service costs, how long
it takes and where to go, in nearly the same words as the other pages.
"""

SERVICES = {
    "passport": ("70 euros", "six weeks", "room 12 of the town hall"),
    "parking permit": ("31 euros", "two days", "the traffic office in Mill Street"),
    "library card": ("15 euros", "ten minutes", "the desk of the public library"),
    "building permit": ("450 euros", "four months", "the planning office on the third floor"),
    "dog licence": ("96 euros", "one week", "the tax office, counter 5"),
    "market stall": ("22 euros", "nine days", "the market warden's hut"),
    "fishing licence": ("38 euros", "one day", "the harbour office"),
    "birth certificate": ("12 euros", "five days", "the registry, ground floor"),
    "bulky waste pickup": ("25 euros", "three weeks", "the recycling yard"),
    "swimming course": ("60 euros", "eight weeks", "the ticket booth of the pool"),
    "allotment garden": ("140 euros", "three years", "the parks office behind the greenhouse"),
    "taxi licence": ("210 euros", "seven weeks", "the licensing board, room 3"),
}


def documents() -> dict[str, list[str]]:
    """The sentences of each page, by its title."""
    return {
        service: [
            f"You pay {cost} when you apply.",
            "Cash and cards are accepted, and students get a part of it back.",
            f"It takes {time} until it is done.",
            "You get a letter in the meantime, so please check your address.",
            f"Go to {place} to apply.",
            "The opening hours are on the door, and on Fridays we close at noon.",
        ]
        for service, (cost, time, place) in SERVICES.items()
    }


def questions() -> dict[str, str]:
    """The text of each question."""
    found = {}
    for service in SERVICES:
        found[f"{service}, cost"] = f"How much do I pay for a {service}?"
        found[f"{service}, time"] = f"How long does it take until a {service} is done?"
        found[f"{service}, place"] = f"Where do I go to apply for a {service}?"
    return found


def expected() -> dict[str, str]:
    """What the passages that are found have to say."""
    found = {}
    for service, (cost, time, place) in SERVICES.items():
        found[f"{service}, cost"] = f"You pay {cost}"
        found[f"{service}, time"] = f"It takes {time} until"
        found[f"{service}, place"] = f"Go to {place}"
    return found
