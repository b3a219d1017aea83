"""What is installed on this machine, put together: packages, the registry, libraries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from liven.runtime.checking.chosen_code import Provided
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.library.acquisition import Acquirer
from liven.runtime.library.bundle_import import Modules
from liven.runtime.library.class_index import Index
from liven.runtime.library.entry_points import learn_packages
from liven.runtime.library.library_folder import learn_library
from liven.runtime.library.loaded import LoadedLibraries
from liven.runtime.library.resolution import Resolution
from liven.runtime.library.store import Store
from liven.runtime.library.trust import Trust, refuse
from liven.runtime.loader import loader_object
from liven.runtime.problems import Report
from liven.runtime.reference.model import Object
from liven.runtime.registry.defaults import stock_defaults
from liven.runtime.registry.registry_folder import learn_registry
from liven.runtime.registry.store import RegistryStore
from liven.runtime.user_folders import UserFolders
from liven.types.catalogue import register
from liven.types.declare import scan


@dataclass(frozen=True, slots=True)
class Installation:
    """The machine, as one process knows it."""

    known: TypeKnowledge
    book: RegistryStore
    acquirer: Acquirer
    shelf: LoadedLibraries
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
    ) -> Installation:
        """Takes into `known` what the machine brings. `defaults` stand in the registry where a person has
        chosen nothing, before those of the stock."""
        register(known.catalogue, scan(loader_object), known.matcher)
        learn_packages(known, report)
        index = Index(Store(folders.data / "libraries", folders.runtime), folders.cache / "libraries")
        acquirer, modules = Acquirer(index), Modules()
        learn_library(known, acquirer, trust)
        shelf = LoadedLibraries(known, index, modules)
        chosen = stock_defaults() | dict(defaults or {})
        book = RegistryStore(folders.config / "registry", known.checker, chosen, Resolution(shelf))
        learn_registry(known, book)
        return cls(known, book, acquirer, shelf, modules)

    def close(self) -> None:
        """Lets go of the modules that were loaded, and of the libraries that were allowed for once."""
        self.modules.close()
        self.acquirer.index.store.close()

    def take_in_for(self, thing: Object) -> Provided:
        """Loads the installed libraries that `thing` needs, so that it can be checked as it would be built;
        with what went wrong."""
        choosing = Resolution(self.shelf)
        return choosing.provided(choosing.offered(thing))
