"""A session: everything that one process needs to run objects, put together once by whoever starts it."""

from __future__ import annotations

from dataclasses import dataclass

from liven.runtime.dispatcher.contract import Dispatcher
from liven.runtime.dispatcher.watchdog import Watchdog
from liven.runtime.folders import Folders
from liven.runtime.known import Known
from liven.runtime.library.acquire import Acquirer
from liven.runtime.library.folder import learn_library
from liven.runtime.library.index import Index
from liven.runtime.library.modules import Modules
from liven.runtime.library.provider import LibraryClasses
from liven.runtime.library.shelf import Shelf
from liven.runtime.library.store import Store
from liven.runtime.library.trust import Trust, refuse
from liven.runtime.loader import Loader
from liven.runtime.monitoring import Monitors
from liven.runtime.node import Node
from liven.runtime.problems import Problems
from liven.runtime.registry.book import Book
from liven.runtime.registry.defaults import stock_defaults
from liven.runtime.registry.object import learn_registry
from liven.runtime.stock import learn_stock
from liven.runtime.tunnel import Tunnels
from liven.runtime.wrap import Wrappers


@dataclass(frozen=True, slots=True)
class Session:
    """The parts of one process's runtime."""

    node: Node
    known: Known
    loader: Loader
    tunnels: Tunnels
    registry: Book
    modules: Modules
    watchdog: Watchdog

    @classmethod
    def start(
        cls,
        dispatcher: Dispatcher,
        problems: Problems,
        folders: Folders,
        *,
        trust: Trust = refuse,
        monitored: bool = False,
    ) -> Session:
        """Puts one together. `trust` is asked before code that is not installed runs; `monitored` watches
        every connection for broken promises."""
        known = learn_stock(Known.stock())
        index = Index(Store(folders.data / "libraries"), folders.cache / "libraries")
        acquirer, modules = Acquirer(index), Modules()
        learn_library(known, acquirer, trust)
        registry = Book(folders.config / "registry", known.checker, stock_defaults())
        learn_registry(known, registry)
        node = Node(dispatcher, problems, known.matcher, Wrappers())
        classes = LibraryClasses(node, known, Shelf(known, index, modules), acquirer, trust)
        loader = Loader(node, known, classes)
        tunnels = Tunnels(node, known.formalisms, folders.runtime / "endpoints")
        if monitored:
            node.monitors = Monitors(node, known.formalisms)
        watchdog = Watchdog(node.turn, problems.report)
        watchdog.start()
        return cls(node, known, loader, tunnels, registry, modules, watchdog)

    def close(self) -> None:
        """Lets go of all that the session itself holds; objects end with their handles."""
        self.loader.close()
        self.tunnels.close()
        self.modules.close()
        self.watchdog.close()
