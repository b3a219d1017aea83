"""Choosing the installed library that builds each part of a recipe: for loader, registry and commands alike.

A lookup reads the disk and may run child processes, in any thread; libraries are loaded on the dispatcher's,
between two events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from liven.runtime.checking.chosen_code import ChosenCode, Key, Provided, key_of
from liven.runtime.library.classes.class_index import Offer, Snapshot
from liven.runtime.library.classes.loaded import LoadedLibraries
from liven.runtime.library.errors import LibraryError
from liven.runtime.library.requirements import enclosed, needs_of
from liven.runtime.reference.model import Object, Reference
from liven.types.catalogue import Entry

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OfferedCode:
    """A recipe with its requirements copied into every part, and the store's offer for each class.

    The offer is None for a class that only the catalogue may have, or the error that prevents it.
    """

    thing: Object
    offers: Mapping[Key, Offer | LibraryError | None]


class Resolution:
    """Chooses among installed libraries and loads the chosen ones."""

    def __init__(self, libraries: LoadedLibraries) -> None:
        self._libraries = libraries

    def offered(self, thing: Object) -> OfferedCode:
        """Return the installed code for `thing`. In any thread."""
        whole = enclosed(thing)
        among = self._libraries.index.snapshot()
        return OfferedCode(whole, {key: self._offer(one, among) for key, one in _wanted(whole).items()})

    def provided(self, offered: OfferedCode) -> Provided:
        """Load the offered libraries, so that the recipe is checked as it would be built.

        Return the recipe with the problems met. On the dispatcher's thread.
        """
        things = _wanted(offered.thing)
        offers = {key: (offer, things[key]) for key, offer in offered.offers.items()}
        return _collected(offered.thing, offers, lambda found: self.entry(*found))

    def recalled(self, thing: Object) -> Provided:
        """Return the pinned classes of `thing` from loaded libraries. Reads no file and runs no code."""
        whole = enclosed(thing)
        return _collected(whole, _wanted(whole), self._libraries.recalled)

    def entry(self, offer: Offer | LibraryError | None, thing: Reference) -> Entry | None:
        """Return the class of one offer, made for `thing`, with its library loaded; raise LibraryError."""
        if isinstance(offer, LibraryError):
            raise offer
        return None if offer is None else self._libraries.entry(offer, thing)

    def _offer(self, thing: Reference, among: Snapshot) -> Offer | LibraryError | None:
        try:
            return self._libraries.offer(thing, among)
        except LibraryError as error:
            return error


def _wanted(whole: Object) -> dict[Key, Reference]:
    return {key_of(need.thing): need.thing for need in needs_of(whole, ())}


def _collected(whole: Object, items: Mapping[Key, T], entry_of: Callable[[T], Entry | None]) -> Provided:
    """Return the class of each item, and the problems of the others."""
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
