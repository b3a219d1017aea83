"""A session: everything that one process needs to run objects, put together once by whoever starts it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from liven.runtime.dispatcher.contract import Dispatcher
from liven.runtime.dispatcher.watchdog import Watchdog
from liven.runtime.folders import Folders
from liven.runtime.known import Known
from liven.runtime.loader import Classes, Loader
from liven.runtime.monitoring import Monitors
from liven.runtime.node import Node
from liven.runtime.problems import Problems
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
    watchdog: Watchdog

    @classmethod
    def start(
        cls,
        dispatcher: Dispatcher,
        problems: Problems,
        folders: Folders,
        *,
        classes: Callable[[Node, Known], Classes] | None = None,
        monitored: bool = False,
    ) -> Session:
        """Puts one together. `classes` says where code comes from, when that is not what is built in;
        `monitored` watches every connection for broken promises."""
        known = learn_stock(Known.stock())
        node = Node(dispatcher, problems, known.matcher, Wrappers())
        loader = Loader(node, known, classes(node, known) if classes is not None else None)
        tunnels = Tunnels(node, known.formalisms, folders.runtime / "endpoints")
        if monitored:
            node.monitors = Monitors(node, known.formalisms)
        watchdog = Watchdog(node.turn, problems.report)
        watchdog.start()
        return cls(node, known, loader, tunnels, watchdog)

    def close(self) -> None:
        """Lets go of all that the session itself holds; objects end with their handles."""
        self.loader.close()
        self.tunnels.close()
        self.watchdog.close()
