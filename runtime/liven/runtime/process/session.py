"""A session: everything that one process needs to run objects, put together once by the program's start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from liven.runtime.capability import Consent
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.confined import ConfinedPrograms, Processes
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.dispatcher.watchdog import Watchdog
from liven.runtime.library.classes.class_provider import LibraryClasses
from liven.runtime.library.placement import Placement
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
    processes: Processes
    """The processes of confined libraries."""
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
        consent: Consent | None = None,
        defaults: Mapping[str, Object] | None = None,
        private_hosts: Callable[[], frozenset[str]] = frozenset,
        monitored: Choice | None = None,
        classes: Callable[[Node, TypeKnowledge], Classes] | None = None,
        placement: Placement | None = None,
        confined: ConfinedPrograms | None = None,
    ) -> Session:
        """Put a session together.

        `trust` is asked before code that is not installed runs, and `consent` before an object reaches files
        and folders outside of the user's folder of objects. `defaults` are the registry's default entries,
        `private_hosts` the hosts of the own network that libraries may come from. Connections of the
        endpoints that `monitored` chooses are watched for broken promises.
        `classes` replaces everything that is installed on the machine. `placement` decides which libraries
        run in processes of their own, and `confined` how.
        """
        folders.close_to_others()
        known = learn_stock(TypeKnowledge.stock())
        node = Node(dispatcher, problems, known.matcher, ValueBridges())
        node.services[TypeKnowledge] = lambda: known
        trust = node.questions.counting(trust)
        if consent is None:
            consent = Consent((folders.data / "objects",))
        consent.ask = node.questions.counting(consent.ask)
        installation = None
        if classes is None:
            installation = Installation.learn(
                known,
                folders,
                problems.report,
                trust=trust,
                defaults=defaults,
                placement=placement,
                private_hosts=private_hosts,
            )
            code: Classes = LibraryClasses(node, known, installation.libraries, installation.acquirer, trust)
        else:
            code = classes(node, known)
        loader = Loader(node, known, code, consent)
        tunnels = Tunnels(node, known.formalisms, folders.runtime / "endpoints")
        if monitored is not None:
            node.monitors = PromiseMonitors(node, known.formalisms, monitored)
        processes = Processes(node, confined or ConfinedPrograms(), folders)
        watchdog = Watchdog(node.queue, problems.report)
        watchdog.start()
        return cls(node, known, loader, tunnels, watchdog, processes, installation)

    def close(self) -> None:
        """Release everything that the session itself holds; objects end with their handles."""
        self.loader.close()
        self.tunnels.close()
        self.processes.close()
        if self.installation is not None:
            self.installation.close()
        self.watchdog.close()
