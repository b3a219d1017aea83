"""The shelf: installed libraries taken into this process, so that their objects can be built.

A class is identified by its id and version. A higher version must fit wherever the lower one did, else it
needs an id of its own; two structures under one id and version are refused by the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from liven.runtime.known import Known
from liven.runtime.library.errors import CodeError, MissingLibraryError
from liven.runtime.library.index import Index, Offer, Snapshot
from liven.runtime.library.modules import Modules
from liven.runtime.library.store import Installed
from liven.runtime.reference.model import Requirement
from liven.types.catalogue import Catalogue, ConflictError, Entry, learn
from liven.types.declare import DeclarationError, Declarations, scan
from liven.types.declare.declaration import ProxyDeclaration
from liven.types.explain import Explanation
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.structure import EndpointType


class Shelf:
    """Finds, loads and takes in the libraries that references need."""

    def __init__(self, known: Known, index: Index, modules: Modules) -> None:
        self.index = index
        self._known = known
        self._modules = modules
        self._taken: dict[str, tuple[Declarations, ...]] = {}

    def find(
        self, wanted: ClassId, needs: Iterable[Requirement] = (), among: Snapshot | None = None
    ) -> Offer | None:
        """The library that offers the object class `wanted`: the newest, unless a hash says which.

        Raises MissingLibraryError where a hash names content that is not here.
        """
        pinned = {self.index.store.find(need).recorded() for need in needs if need.sha256}
        offers = (among or self.index.snapshot()).of("component", wanted)
        exact = [offer for offer in offers if offer.sha256 in pinned]
        return next(iter(exact or offers), None)

    def proxy(self, wanted: ClassId, needs: Iterable[Requirement] = ()) -> ProxyDeclaration:
        """The declaration of the class that builds `wanted`; raises a LibraryError."""
        offer = self.find(wanted, needs)
        if offer is None:
            raise MissingLibraryError("any", f"one that declares the object {wanted}", ())
        for declarations in self.take_in(offer.installed, offer.sha256):
            for declaration in declarations.proxies:
                if str(declaration.tag.id) == offer.declared.id:
                    return declaration
        raise CodeError(offer.installed.library, f"it did not declare {wanted}, as its probe had told")

    def take_in(self, installed: Installed, sha256: str = "") -> tuple[Declarations, ...]:
        """Loads a library and adds its classes to what is known. The same again is nothing new.

        Raises CodeError; then what is known is as it was.
        """
        actual = sha256 or installed.recorded()
        if actual not in self._taken:
            self.index.declares(installed)  # whoever ends, loops or crashes at import does so in a child
            modules = self._modules.load(installed, actual)
            try:
                declared = tuple(scan(module) for module in modules)
                self._admit(declared)
            except (DeclarationError, ConflictError) as error:
                self._modules.unload(actual)
                raise CodeError(installed.library, str(error)) from error
            self._taken[actual] = declared
        return self._taken[actual]

    def _admit(self, declared: tuple[Declarations, ...]) -> None:
        """Learns all, or raises and learns nothing: tried on knowledge that is thrown away first."""
        trial = Known.stock()
        entries = [entry for one in declared for entry in learn(trial.catalogue, one, trial.matcher)]
        for entry in entries:
            _demand_growth(self._known.catalogue, self._known.matcher, entry)
        for one in declared:
            learn(self._known.catalogue, one, self._known.matcher)


def _demand_growth(catalogue: Catalogue, matcher: Matcher, new: Entry) -> None:
    """Raises ConflictError if a version of the class does not fit where a lower one did."""
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
    """An interface fits like an endpoint that exports it."""
    return EndpointType(inputs=term) if isinstance(term, tuple) else term
