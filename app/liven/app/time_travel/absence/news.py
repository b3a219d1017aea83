"""The changes that others made to an object while a person was away, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from liven.liveobjects.feeds.history.comparison import Compared
from liven.liveobjects.feeds.history.desktop_history import ITEM
from liven.liveobjects.feeds.history.difference import Act, Difference, people_text
from liven.liveobjects.feeds.history.moment_text import moment_text

_MOST_NAMES: Final = 20


@dataclass(frozen=True, slots=True)
class News:
    """The things that changed, and the people who changed them."""

    parts: Mapping[str, str] = field(default_factory=dict)
    """Words for each changed thing that is still there, by the key under which the object holds it."""
    changed: int = 0
    removed: int = 0
    people: tuple[str, ...] = ()
    """The names of those who changed things, the latest last."""

    @property
    def sentence(self) -> str:
        """Say it all in one sentence; empty if there is nothing to say."""
        counts = []
        if self.changed:
            counts.append(f"{self.changed} {'thing' if self.changed == 1 else 'things'} changed")
        if self.removed:
            counts.append(f"{self.removed} removed" if counts else f"{self.removed} things removed")
        if self.removed == 1 and not self.changed:
            counts = ["1 thing removed"]
        by = people_text(self.people)
        return f"While you were away: {' and '.join(counts)}{f', {by}' if by else ''}." if counts else ""


def news_of(found: Iterable[Compared], names: Collection[str], own_name: str, now: int) -> News:
    """Return the news among differences: those that are not of this person alone. `names` are those of
    people; an author without one is not named."""
    told: dict[str, list[Difference]] = {}
    removed, people = set[str](), dict[str, int]()
    for one in found:
        for difference in one.differences:
            if difference.people and set(difference.people) == {own_name}:
                continue
            difference = replace(difference, people=tuple(one for one in difference.people if one in names))
            thing = one.then.keys[0] if one.then.keys else difference.key.removeprefix(ITEM)
            for person in difference.people:
                people[person] = max(people.get(person, 0), difference.when)
            if difference.act is Act.REMOVED and not one.then.keys:
                removed.add(thing)
            else:
                told.setdefault(thing, []).append(difference)
    others = sorted((one for one in people if one != own_name), key=people.__getitem__)
    return News(
        {thing: _words(differences, now) for thing, differences in told.items()},
        len(told.keys() - removed),
        len(removed),
        tuple(others[-_MOST_NAMES:]),
    )


def _words(differences: list[Difference], now: int) -> str:
    """Say what happened to one thing."""
    latest = max(differences, key=lambda one: one.when)
    act = latest.act if len({one.act for one in differences}) == 1 else Act.CHANGED
    when = moment_text(latest.when, now) if latest.when else ""
    who = ", ".join(filter(None, (people_text(latest.people), when)))
    return f"{act} while you were away" + (f", {who}" if who else "")
