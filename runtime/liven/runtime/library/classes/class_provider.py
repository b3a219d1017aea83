"""The loader's access to code: for each class in a recipe, the library that declares it,
installed or fetched.

Blocking work (hashing, child processes, the network) runs in workers; modules are loaded and learned on the
dispatcher's thread, between two events.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from liven.runtime.checking.chosen_code import ChosenCode, Key, Provided, key_of
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import DereferenceError
from liven.runtime.library.classes.loaded import LoadedLibraries
from liven.runtime.library.errors import LibraryError
from liven.runtime.library.fetching.acquisition import Acquirer, Allowed, UntrustedError
from liven.runtime.library.requirements import Need, enclosed, needs_of
from liven.runtime.library.resolution import Resolution
from liven.runtime.library.trust import Trust, refuse
from liven.runtime.loader.classes import Installed
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.task import Task
from liven.runtime.problems import Kind, Path
from liven.runtime.reference.model import Object, Requirement
from liven.types.catalogue import Entry


class LibraryClasses:
    """The classes of the catalogue and of every installed library; missing ones are fetched if allowed."""

    def __init__(
        self,
        node: Node,
        known: TypeKnowledge,
        libraries: LoadedLibraries,
        acquirer: Acquirer,
        trust: Trust = refuse,
    ) -> None:
        self._node = node
        self._resolution = Resolution(libraries)
        self._acquirer = acquirer
        self._trust = trust
        self._builtin = Installed(known)

    def provide(self, thing: Object, at: Path) -> Reply[Provided]:
        """Make all classes in `thing` known; raise DereferenceError if that fails."""
        return Task(self._provide(enclosed(thing), at), lambda step: step(), quiet=(Exception,)).reply

    def recalled(self, thing: Object) -> Provided:
        """Return the choice among the libraries loaded before."""
        return self._resolution.recalled(thing)

    async def _provide(self, thing: Object, at: Path) -> Provided:
        needs = list(needs_of(thing, at))
        asked: dict[Requirement, Allowed] = {}
        try:
            here: set[Requirement] = set()
            missing = [(need, one) for need in needs for one in await self._missing(need, here, asked)]
            for need, one in missing:
                with _placed(need.path):
                    await self._acquirer.bring(one, asked[one], self._trust, self._node.errand)
        finally:
            for question in asked.values():
                question.answer.cancel()  # after a no, nobody waits for the other answers
        offered = await self._node.errand(partial(self._resolution.offered, thing))
        entries: dict[Key, Entry] = {}
        for need in needs:
            key = key_of(need.thing)
            with _placed(need.path):
                entry = self._resolution.entry(offered.offers[key], need.thing)
                if entry is not None:
                    entries[key] = entry
        return Provided(thing, ChosenCode(entries))

    async def _missing(
        self, need: Need, here: set[Requirement], asked: dict[Requirement, Allowed]
    ) -> list[Requirement]:
        """Return the libraries that a part requires and that are neither `here` nor `asked` about before; ask
        about them, so that a person sees all questions at once."""
        found = []
        for library in need.thing.requires:
            if library in asked or library in here or self._is_known_without(need, library):
                continue
            if await self._is_installed(need, library):
                here.add(library)
                continue
            with _placed(need.path):
                asked[library] = self._acquirer.asked(library, "/".join(need.path), self._trust)
            found.append(library)
        return found

    async def _is_installed(self, need: Need, library: Requirement) -> bool:
        with _placed(need.path):
            return await self._node.errand(partial(self._acquirer.installed, library)) is not None

    def _is_known_without(self, need: Need, library: Requirement) -> bool:
        """Return True if the class comes with the program, and the library is named by habit only."""
        pinned = library.url or library.sha256 or library.signer
        return not pinned and self._builtin.component(need.thing) is not None


@contextmanager
def _placed(path: Path) -> Iterator[None]:
    """Return a library's error with the place in the recipe that needs it."""
    try:
        yield
    except (LibraryError, OSError) as error:
        detail = getattr(error, "detail", "")
        kind = Kind.DECLINED if isinstance(error, UntrustedError) else Kind.UNBUILT
        raise DereferenceError(path, str(error), "", None, detail, kind) from None
