"""The loader's way to code: for each class that a recipe names, the library that brings it, here or fetched.

What blocks (hashing, child processes, the network) runs in workers; modules are loaded and learned on the
dispatcher's thread, between two events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, TypeVar

from liven.runtime.errors import DereferenceError
from liven.runtime.known import Known
from liven.runtime.library.acquire import Acquirer, UntrustedError
from liven.runtime.library.errors import CodeError, LibraryError
from liven.runtime.library.index import Offer, Snapshot
from liven.runtime.library.shelf import Shelf
from liven.runtime.library.trust import Trust, refuse
from liven.runtime.loader.classes import Class, Installed
from liven.runtime.node import Node
from liven.runtime.problems import Path
from liven.runtime.reference import ids
from liven.runtime.reference.model import Object, Reference, Requirement, parts
from liven.runtime.reply import Reply
from liven.runtime.task import Task
from liven.types.declare.declaration import ProxyDeclaration

T = TypeVar("T")
_MOST_CHOICES = 10_000
_Key: TypeAlias = tuple[str, tuple[Requirement, ...]]


@dataclass(frozen=True, slots=True)
class Need:
    """One class that a recipe names, and the libraries that are required around it."""

    thing: Reference
    path: Path
    libraries: tuple[Requirement, ...]


class LibraryClasses:
    """The classes of the catalogue and of every installed library; what is missing is fetched if allowed."""

    def __init__(
        self, node: Node, known: Known, shelf: Shelf, acquirer: Acquirer, trust: Trust = refuse
    ) -> None:
        self._node = node
        self._known = known
        self._shelf = shelf
        self._acquirer = acquirer
        self._trust = trust
        self._builtin = Installed(known)
        self._chosen: dict[_Key, ProxyDeclaration] = {}

    def provide(self, thing: Object, at: Path) -> Reply[None]:
        """Makes known all classes that `thing` names; DereferenceError where that goes wrong."""
        needs = list(_needs(thing, at, ()))
        steps = self._provide(needs)
        return Task(steps, lambda step: step(), quiet=(Exception,)).reply

    def component(self, thing: Reference) -> Class | None:
        """The code that was chosen for this reference, else what the catalogue knows."""
        chosen = self._chosen.get(_key(thing))
        if chosen is None:
            return self._builtin.component(thing)
        entry = self._known.catalogue.exactly("component", chosen.tag.id)
        return Class(entry, chosen) if entry is not None else None

    async def _provide(self, needs: list[Need]) -> None:
        for need in needs:
            with _placed(need.path):
                await self._bring(need)
        chosen: dict[_Key, Offer] = {}
        for need, offer in zip(needs, await self._work(partial(self._offers, needs)), strict=True):
            if isinstance(offer, Offer):
                with _placed(need.path):
                    _demand_one(chosen.setdefault(_key(need.thing), offer), offer)
                    self._choose(need.thing, offer)
            elif offer is not None:
                with _placed(need.path):
                    raise offer

    async def _bring(self, need: Need) -> None:
        """Fetches the libraries that are required and not here, each once it was allowed."""
        for library in need.libraries:
            if await self._work(partial(self._acquirer.installed, library)) is not None:
                continue
            if not library.url and not library.sha256 and self._builtin.component(need.thing) is not None:
                continue  # the class is known without it
            question = self._acquirer.question(library, "/".join(need.path))
            if not await self._trust(question):
                raise UntrustedError(question)
            await self._work(partial(self._acquirer.fetch, library))

    def _offers(self, needs: list[Need]) -> list[Offer | LibraryError | None]:
        """For each need what the store offers, or why it cannot; in a worker."""
        among = self._shelf.index.snapshot()
        return [self._offer(need, among) for need in needs]

    def _offer(self, need: Need, among: Snapshot) -> Offer | LibraryError | None:
        wanted = ids.parse(need.thing.id) or among.id_of("component", need.thing.id)
        wanted = wanted or self._known.checker.lookup("component", need.thing.id)
        try:
            return self._shelf.find(wanted, need.libraries, among) if wanted is not None else None
        except LibraryError as error:
            return error

    def _choose(self, thing: Reference, offer: Offer) -> None:
        for declarations in self._shelf.take_in(offer.installed, offer.sha256):
            for declaration in declarations.proxies:
                if str(declaration.tag.id) == offer.declared.id:
                    if len(self._chosen) >= _MOST_CHOICES:
                        self._chosen.clear()
                    self._chosen[_key(thing)] = declaration
                    return
        raise CodeError(
            offer.installed.library, f"it did not declare {offer.declared.alias}, as its probe had told"
        )

    def _work(self, function: Callable[[], T]) -> Reply[T]:
        """Runs `function` in a worker; the reply is settled on the dispatcher's thread."""
        reply: Reply[T] = Reply()

        def work() -> None:
            try:
                value = function()
            except Exception as error:
                failure = error
                self._node.dispatcher.post(lambda: reply.fail(failure))
            else:
                self._node.dispatcher.post(lambda: reply.resolve(value))

        self._node.workers.run(work)
        return reply


def _key(thing: Reference) -> _Key:
    """What a class is chosen by; filling in a composite's parameters does not change it."""
    return thing.id, thing.requires


@contextmanager
def _placed(path: Path) -> Iterator[None]:
    """Gives a fault of a library the place in the recipe that needs it."""
    try:
        yield
    except (LibraryError, OSError) as error:
        detail = getattr(error, "detail", "")
        raise DereferenceError(path, str(error), "", None, detail) from None


def _demand_one(first: Offer, second: Offer) -> None:
    """Equal references are one object here, which cannot come from two contents of a library."""
    if first.sha256 != second.sha256:
        what = f"{first.declared.alias} is required here with other content than elsewhere in the recipe"
        raise CodeError(second.installed.library, f"{what}; write Requires into each of the two parts")


def _needs(thing: Object, path: Path, above: tuple[Requirement, ...]) -> Iterator[Need]:
    """Every reference without `From`, with what is required by itself and by the objects around it."""
    libraries = (*above, *thing.requires)
    if thing.null:
        return
    if isinstance(thing, Reference) and thing.source is None:
        yield Need(thing, path, libraries)
    for steps, inner in parts(thing):
        yield from _needs(inner, (*path, *steps), libraries)
