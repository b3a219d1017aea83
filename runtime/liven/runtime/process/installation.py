"""Everything installed on this machine, put together: packages, the registry, libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from liven.runtime.checking.chosen_code import Provided
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.classes.class_index import ClassIndex
from liven.runtime.library.classes.entry_points import learn_packages
from liven.runtime.library.classes.loaded import LoadedLibraries
from liven.runtime.library.fetching.acquisition import Acquirer, from_network
from liven.runtime.library.fetching.bundle_import import Modules
from liven.runtime.library.library_folder import learn_library
from liven.runtime.library.placement import Placement
from liven.runtime.library.resolution import Resolution
from liven.runtime.library.store import Store
from liven.runtime.library.trust import Trust, refuse
from liven.runtime.loader import loader_object
from liven.runtime.problems import Report
from liven.runtime.reference.model import Object
from liven.runtime.registry.defaults import stock_defaults
from liven.runtime.registry.registry_folder import learn_registry
from liven.runtime.registry.store import RegistryStore
from liven.runtime.signing.known_signers import KnownSigners
from liven.runtime.user_folders import UserFolders
from liven.types.catalogue import register
from liven.types.declare import scan


@dataclass(frozen=True, slots=True)
class Installation:
    """The machine's installed packages, registry and libraries, as one process knows them."""

    known: TypeKnowledge
    registry: RegistryStore
    acquirer: Acquirer
    libraries: LoadedLibraries
    modules: Modules

    @classmethod
    def learn(
        cls,
        known: TypeKnowledge,
        folders: UserFolders,
        report: Report,
        *,
        trust: Trust = refuse,
        defaults: Mapping[str, Object] | None = None,
        placement: Placement | None = None,
        private_hosts: Callable[[], frozenset[str]] = frozenset,
    ) -> Installation:
        """Add everything installed to `known`.

        In the registry, `defaults` come before those of this room. `private_hosts` returns the hosts of
        the own network that libraries may be fetched from, as they are set at that moment.
        """
        register(known.catalogue, scan(loader_object), known.matcher)
        learn_packages(known, report)
        index = ClassIndex(Store(folders.data / "libraries", folders.runtime), folders.cache / "libraries")

        def get(url: str) -> bytes:
            return from_network(url, named=private_hosts())

        acquirer, modules = Acquirer(index, get, KnownSigners.of(folders.config)), Modules()
        learn_library(known, acquirer, trust)
        libraries = LoadedLibraries(known, index, modules, placement)
        chosen = stock_defaults() | dict(defaults or {})
        registry = RegistryStore(folders.config / "registry", known.checker, chosen, Resolution(libraries))
        learn_registry(known, registry)
        return cls(known, registry, acquirer, libraries, modules)

    def close(self) -> None:
        """Release the loaded modules, and the libraries that were allowed for this process only."""
        self.modules.close()
        self.acquirer.index.store.close()

    def load_for(self, thing: Object) -> Provided:
        """Load the installed libraries that `thing` needs, so that it is checked as it would be built.

        Return the recipe with the problems met.
        """
        resolution = Resolution(self.libraries)
        return resolution.provided(resolution.offered(thing))
