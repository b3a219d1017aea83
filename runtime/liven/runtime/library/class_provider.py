"""The loader's access to code: for each class in a recipe, the library that declares it,
installed or fetched.

Blocking work (hashing, child processes, the network) runs in workers; modules are loaded and learned on the
dispatcher's thread, between two events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

from liven.runtime.checking.chosen_code import ChosenCode, Key, Provided, key_of
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.errors import DereferenceError
from liven.runtime.library.acquisition import Acquirer, UntrustedError
from liven.runtime.library.errors import LibraryError
from liven.runtime.library.loaded import LoadedLibraries
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

T = TypeVar("T")


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
        here: set[Requirement] = set()
        for need in needs:
            with _placed(need.path):
                await self._bring(need, here)
        offered = await self._work(partial(self._resolution.offered, thing))
        entries: dict[Key, Entry] = {}
        for need in needs:
            key = key_of(need.thing)
            with _placed(need.path):
                entry = self._resolution.entry(offered.offers[key])
                if entry is not None:
                    entries[key] = entry
        return Provided(thing, ChosenCode(entries))

    async def _bring(self, need: Need, here: set[Requirement]) -> None:
        """Fetch the required libraries that are not `here`, each once it is allowed."""
        for library in need.thing.requires:
            if library in here:
                continue
            if await self._work(partial(self._acquirer.installed, library)) is None:
                if not library.url and not library.sha256 and self._builtin.component(need.thing) is not None:
                    continue  # the class is known without this library
                question = self._acquirer.question(library, "/".join(need.path))
                leave = await self._trust(question)
                if not leave:
                    raise UntrustedError(question)
                await self._work(partial(self._acquirer.fetch, library, leave))
            here.add(library)

    def _work(self, function: Callable[[], T]) -> Reply[T]:
        """Run `function` in a worker; the reply is settled on the dispatcher's thread."""
        reply: Reply[T] = Reply()

        def work() -> None:
            try:
                value = function()
            except Exception as error:
                failure = error
                self._node.dispatcher.post(lambda: reply.fail(failure))
            else:
                self._node.dispatcher.post(lambda: reply.resolve(value))

        self._node.errands.run(work)
        return reply


@contextmanager
def _placed(path: Path) -> Iterator[None]:
    """Return a library's error with the place in the recipe that needs it."""
    try:
        yield
    except (LibraryError, OSError) as error:
        detail = getattr(error, "detail", "")
        kind = Kind.DECLINED if isinstance(error, UntrustedError) else Kind.UNBUILT
        raise DereferenceError(path, str(error), "", None, detail, kind) from None
