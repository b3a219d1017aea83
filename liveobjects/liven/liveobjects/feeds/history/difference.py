"""One difference between two moments of an object, as people are told of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

_MOST_NAMES: Final = 3


class Act(StrEnum):
    """The kinds of differences, in the words of people."""

    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    WRITTEN = "written"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not the same at the later moment."""

    key: str
    """The name by which it is restored; unique among the differences of one object."""
    act: Act
    name: str
    detail: str = ""
    """More about it, such as the words that were written; empty if name and act say all."""
    people: tuple[str, ...] = ()
    """The authors, the latest last."""
    when: int = 0
    """Microseconds since 1970 of the latest change; 0 if unknown."""


@dataclass(frozen=True, slots=True)
class Authorship:
    """The authors of one thing between two moments, and the time of the latest change."""

    people: tuple[str, ...]
    when: int

    def with_(self, person: str, when: int) -> Authorship:
        """Return the authors with one more, who is the latest now."""
        others = tuple(one for one in self.people if one != person)
        return Authorship((*others, person), max(when, self.when))


Authors = dict[str, Authorship]
"""The person who changed each thing, by key."""


def note_author(authors: Authors, keys: Iterable[str], person: str, when: int) -> None:
    """Note that a person changed things at this time."""
    for key in keys:
        known = authors.get(key, Authorship((), 0))
        authors[key] = known.with_(person, when)


def signed(
    differences: Iterable[Difference], authors: Mapping[str, Authorship], names: Mapping[str, str]
) -> tuple[Difference, ...]:
    """Return the differences with the names of their authors. An author without a name stays as recorded."""
    made = []
    for one in differences:
        by = authors.get(one.key)
        if by is not None and not one.people:
            one = replace(one, people=by.people, when=by.when)
        made.append(replace(one, people=tuple(names.get(person, person) for person in one.people)))
    return tuple(made)


def people_text(people: tuple[str, ...]) -> str:
    """Return “by Ann and Bo”, the latest first; empty if nobody is known."""
    shown = [person for person in reversed(people) if person]
    if not shown:
        return ""
    rest = len(shown) - _MOST_NAMES
    if rest > 0:
        return f"by {', '.join(shown[:_MOST_NAMES])} and {rest} more"
    return f"by {shown[0]}" if len(shown) == 1 else f"by {', '.join(shown[:-1])} and {shown[-1]}"
