"""Which installed library builds which part of a recipe: for loader, registry and commands alike.

Looking up reads the disk and may ask child processes, in any thread; libraries are taken in on the
dispatcher's, between two events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from liven.runtime.checking.chosen_code import ChosenCode, Key, Provided, key_of
from liven.runtime.library.class_index import Offer, Snapshot
from liven.runtime.library.errors import LibraryError
from liven.runtime.library.loaded import LoadedLibraries
from liven.runtime.library.requirements import enclosed, needs_of
from liven.runtime.reference.model import Object, Reference
from liven.types.catalogue import Entry

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OfferedCode:
    """A recipe, whose references say all that is required around them, and what the store offers for each:
    nothing for a class that only the catalogue may have, or why it cannot."""

    thing: Object
    offers: Mapping[Key, Offer | LibraryError | None]


class Resolution:
    """Chooses among the libraries of one shelf."""

    def __init__(self, shelf: LoadedLibraries) -> None:
        self._shelf = shelf

    def offered(self, thing: Object) -> OfferedCode:
        """What is installed for `thing`. In any thread."""
        whole = enclosed(thing)
        among = self._shelf.index.snapshot()
        return OfferedCode(whole, {key: self._offer(one, among) for key, one in _wanted(whole).items()})

    def provided(self, offered: OfferedCode) -> Provided:
        """Takes in what was offered, so that the recipe can be checked as it would be built; with what went
        wrong. On the dispatcher's thread."""
        return _collected(offered.thing, offered.offers, self.entry)

    def recalled(self, thing: Object) -> Provided:
        """The pinned classes of `thing` among what was taken in before: reads nothing, runs nothing."""
        whole = enclosed(thing)
        return _collected(whole, _wanted(whole), self._shelf.recalled)

    def entry(self, offer: Offer | LibraryError | None) -> Entry | None:
        """The class of one offer, its library taken in; raises LibraryError."""
        if isinstance(offer, LibraryError):
            raise offer
        return None if offer is None else self._shelf.entry(offer)

    def _offer(self, thing: Reference, among: Snapshot) -> Offer | LibraryError | None:
        try:
            return self._shelf.offer(thing, among)
        except LibraryError as error:
            return error


def _wanted(whole: Object) -> dict[Key, Reference]:
    return {key_of(need.thing): need.thing for need in needs_of(whole, ())}


def _collected(whole: Object, items: Mapping[Key, T], entry_of: Callable[[T], Entry | None]) -> Provided:
    """The class of each item, and what went wrong with the others."""
    entries: dict[Key, Entry] = {}
    problems: list[Exception] = []
    for key, item in items.items():
        try:
            entry = entry_of(item)
        except LibraryError as error:
            problems.append(error)
        else:
            if entry is not None:
                entries[key] = entry
    return Provided(whole, ChosenCode(entries), tuple(problems))
