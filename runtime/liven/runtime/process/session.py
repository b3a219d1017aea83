"""A session: everything that one process needs to run objects, put together once by the program's start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.dispatcher.watchdog import Watchdog
from liven.runtime.library.class_provider import LibraryClasses
from liven.runtime.library.trust import Trust, refuse
from liven.runtime.loader import Classes, Loader
from liven.runtime.objects.node import Node
from liven.runtime.objects.promise_monitor import Choice, PromiseMonitors
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.process.installation import Installation
from liven.runtime.reference.model import Object
from liven.runtime.tunnel import Tunnels
from liven.runtime.user_folders import UserFolders


@dataclass(frozen=True, slots=True)
class Session:
    """The parts of one process's runtime."""

    node: Node
    known: TypeKnowledge
    loader: Loader
    tunnels: Tunnels
    watchdog: Watchdog
    installation: Installation | None
    """Everything installed here; None if the starter gave classes of its own."""

    @classmethod
    def start(
        cls,
        dispatcher: Dispatcher,
        problems: Problems,
        folders: UserFolders,
        *,
        trust: Trust = refuse,
        defaults: Mapping[str, Object] | None = None,
        monitored: Choice | None = None,
        classes: Callable[[Node, TypeKnowledge], Classes] | None = None,
    ) -> Session:
        """Put a session together.

        `trust` is asked before code that is not installed runs. `defaults` are the registry's default
        entries. Connections of the endpoints that `monitored` chooses are watched for broken promises.
        `classes` replaces everything that is installed on the machine.
        """
        known = learn_stock(TypeKnowledge.stock())
        node = Node(dispatcher, problems, known.matcher, ValueBridges())
        trust = node.questions.counting(trust)
        installation = None
        if classes is None:
            installation = Installation.learn(known, folders, problems.report, trust=trust, defaults=defaults)
            code: Classes = LibraryClasses(node, known, installation.libraries, installation.acquirer, trust)
        else:
            code = classes(node, known)
        loader = Loader(node, known, code)
        tunnels = Tunnels(node, known.formalisms, folders.runtime / "endpoints")
        if monitored is not None:
            node.monitors = PromiseMonitors(node, known.formalisms, monitored)
        watchdog = Watchdog(node.queue, problems.report)
        watchdog.start()
        return cls(node, known, loader, tunnels, watchdog, installation)

    def close(self) -> None:
        """Release everything that the session itself holds; objects end with their handles."""
        self.loader.close()
        self.tunnels.close()
        if self.installation is not None:
            self.installation.close()
        self.watchdog.close()
