"""The libraries loaded into this process, so that their objects can be built.

A class is identified by its id and version. A higher version must fit wherever the lower one did, else it
needs an id of its own; the catalogue refuses two structures under one id and version.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.classes.class_index import ClassIndex, Offer, Snapshot
from liven.runtime.library.classes.confined_classes import ConfinedClasses
from liven.runtime.library.errors import CodeError, MissingLibraryError, UnloadedError
from liven.runtime.library.fetching.bundle_import import Modules
from liven.runtime.library.placement import Placement
from liven.runtime.library.store import Installed
from liven.runtime.reference import ids
from liven.runtime.reference.model import Reference, Requirement
from liven.types.catalogue import Catalogue, ConflictError, Entry, register
from liven.types.declare import DeclarationError, Declarations, scan
from liven.types.declare.declaration import ProxyDeclaration
from liven.types.explanation import Explanation
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType


@dataclass(frozen=True, slots=True)
class _Taken:
    declared: tuple[Declarations, ...]
    entries: dict[ClassId, Entry]
    """Its objects: the catalogue's classes, with the constructors of exactly this content."""


class LoadedLibraries:
    """Finds and loads the libraries that references need."""

    def __init__(
        self, known: TypeKnowledge, index: ClassIndex, modules: Modules, placement: Placement | None = None
    ) -> None:
        self.index = index
        self.placement = placement or Placement()
        self._confined = ConfinedClasses(known, index)
        self._known = known
        self._modules = modules
        self._taken: dict[str, _Taken] = {}

    def find(
        self, wanted: ClassId, needs: Iterable[Requirement] = (), among: Snapshot | None = None
    ) -> Offer | None:
        """Return the library that offers the object class `wanted`: the newest, unless a hash or signer pins
        one.

        Of several hashes the last that fits wins. Raise MissingLibraryError if the pinned content is not
        installed.
        """
        pinned = [self.index.store.find(need).recorded() for need in needs if need.sha256 or need.signer]
        offers = (among or self.index.snapshot()).of("component", wanted)
        exact = (offer for sha256 in reversed(pinned) for offer in offers if offer.sha256 == sha256)
        return next(exact, next(iter(offers), None))

    def offer(self, thing: Reference, among: Snapshot) -> Offer | None:
        """Return the library that offers the class of a reference; None if none does."""
        wanted = ids.parse(thing.id) or among.id_of("component", thing.id)
        wanted = wanted or self._known.checker.lookup("component", thing.id)
        return self.find(wanted, thing.requires, among) if wanted is not None else None

    def entry(self, offer: Offer, thing: Reference | None = None) -> Entry:
        """Return the offered class with the code of this very library, which is loaded here unless it is to
        run confined; raise LibraryError."""
        if self.placement.confines(offer.installed, thing or Reference()):
            return self._confined.entry(offer.installed, offer.sha256, offer.declared)
        self.load(offer.installed, offer.sha256)
        id_ = ids.parse(offer.declared.id)
        found = self._taken[offer.sha256].entries.get(id_) if id_ is not None else None
        if found is None:
            what = f"it did not declare {offer.declared.alias}, though its trial import did"
            raise CodeError(offer.installed.library, what)
        return found

    def recalled(self, thing: Reference) -> Entry | None:
        """Return the class of a reference from the loaded libraries that it pins,
        if one of them declares it.

        Reads no file; raise UnloadedError if a pinned library is not loaded.
        """
        wanted = ids.parse(thing.id)
        for need in reversed(thing.requires):
            if not need.sha256:
                continue
            taken = self._taken.get(need.sha256)
            entries = self._confined.entries(need.sha256) if taken is None else taken.entries
            if entries is None:
                raise UnloadedError(ids.brief(need.library), need.sha256)
            for entry in entries.values():
                if entry.alias == thing.id if wanted is None else _may_be(entry.id, wanted):
                    return entry
        return None

    def proxy(self, wanted: ClassId, needs: Iterable[Requirement] = ()) -> ProxyDeclaration:
        """Return the declaration of the class that builds `wanted`; raise LibraryError."""
        offer = self.find(wanted, needs)
        if offer is None:
            raise MissingLibraryError("any", f"one that declares the object {wanted}", ())
        declaration: ProxyDeclaration = self.entry(offer).source.declaration  # type: ignore[attr-defined]
        return declaration  # a library's class always has a declaration

    def learn(self, installed: Installed) -> None:
        """Learn the classes of a library, and run its code only if it is not to run confined;
        raise LibraryError."""
        if self.placement.confines(installed, Reference()):
            self._confined.learn(installed, installed.recorded())
        else:
            self.load(installed)

    def load(self, installed: Installed, sha256: str = "") -> tuple[Declarations, ...]:
        """Load a library and learn its classes. Loading it again changes nothing.

        Raise CodeError; then nothing is learned.
        """
        actual = sha256 or installed.recorded()
        if actual not in self._taken:
            self.index.declares(
                installed
            )  # code that exits, loops or crashes at import does so in a child process
            modules = self._modules.load(installed, actual)
            try:
                declared = tuple(scan(module) for module in modules)
                entries = self._admit(declared)
            except (DeclarationError, ConflictError) as error:
                self._modules.unload(actual)
                raise CodeError(installed.library, str(error)) from error
            self._taken[actual] = _Taken(declared, entries)
        return self._taken[actual].declared

    def _admit(self, declared: tuple[Declarations, ...]) -> dict[ClassId, Entry]:
        """Learn all classes, or raise and learn none: they are tried on a copy of the catalogue first."""
        trial = TypeKnowledge.stock()
        entries = [entry for one in declared for entry in register(trial.catalogue, one, trial.matcher)]
        for entry in entries:
            _demand_growth(self._known.catalogue, self._known.matcher, entry)
        learned = [e for one in declared for e in register(self._known.catalogue, one, self._known.matcher)]
        return {one.id: self._own(one) for one in learned if one.kind == "component" and one.has_id}

    def _own(self, new: Entry) -> Entry:
        """Return the known class with this library's source.

        All libraries share one structure of a class, but each has its own constructor.
        """
        known = self._known.catalogue.exactly("component", new.id)
        return replace(known, source=new.source) if known is not None else new


def _may_be(id_: ClassId, wanted: ClassId) -> bool:
    return id_.component == wanted.component and id_.version >= wanted.version


def _demand_growth(catalogue: Catalogue, matcher: Matcher, new: Entry) -> None:
    """Raise ConflictError if a version of the class does not fit where a lower one did."""
    if not new.has_id or new.source.type_parameters():
        return
    for other in catalogue.entries(new.kind):
        same = (other.id.namespace, other.id.component) == (new.id.namespace, new.id.component)
        if not same or other.id.version == new.id.version or other.source.type_parameters():
            continue
        newer, older = (new, other) if new.id.version > other.id.version else (other, new)
        answer = _subtype(matcher, newer, older)
        if not answer:
            why = f"version {newer.id.version} does not fit where version {older.id.version} did\n"
            raise ConflictError(other, new, why + answer.render())


def _subtype(matcher: Matcher, newer: Entry, older: Entry) -> Explanation:
    first, second = (_comparable(entry.source.term(())) for entry in (newer, older))
    return matcher.subtype(first, second)


def _comparable(term: Any) -> Any:
    """Return a type to compare: an interface is compared as an endpoint that exports it."""
    return EndpointType(inputs=term) if isinstance(term, tuple) else term
