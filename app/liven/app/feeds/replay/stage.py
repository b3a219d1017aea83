"""The sandbox of a replay at the command line, with the classes that are installed on this computer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.app.feeds.replay.opened_source import Opened
from liven.liveobjects.channel.api.recipes import COMMUNICATION, SYSTEMS
from liven.liveobjects.channel.process import user_keys
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.target.sandbox import Sandbox
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.library.classes.class_provider import LibraryClasses
from liven.runtime.loader import Classes
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.process.installation import Installation
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import read_object
from liven.runtime.user_folders import UserFolders

_CHANNELS: Final = {
    COMMUNICATION: Reference("liven:communication"),
    SYSTEMS: Reference("liven:communication-systems"),
}
"""The registry's entries for channels, as `Channels` has them, without an engine."""


class Stage:
    """A sandbox that is built at once."""

    def __init__(
        self,
        opened: Opened,
        options: Options,
        dispatcher: Dispatcher,
        problems: Problems,
        folders: UserFolders,
    ) -> None:
        try:
            recipe = read_object(opened.description.recipe)
        except ReadError as error:
            raise ReplayError(
                f"the recipe of the recorded object cannot be read: {error}", "play it with --into nothing"
            ) from None
        known = learn_stock(TypeKnowledge.stock())
        self._installation = installation = Installation.learn(
            known, folders, problems.report, defaults=_CHANNELS
        )

        def keys() -> UserKeys:
            return UserKeys.of_file(folders.config / user_keys.NAME)

        def classes(node: Node) -> Classes:
            return LibraryClasses(node, known, installation.libraries, installation.acquirer)

        self.sandbox = Sandbox(
            opened.source,
            recipe,
            dispatcher,
            problems,
            known,
            options=options,
            classes=classes,
            user_keys=keys,
        )
        self._loading = self.sandbox.open()

    def when_ready(self, call: Callable[[str], object]) -> None:
        """Call with the reason why the object does not run; empty if it runs."""

        def settled(reply: Reply[ProxyHandle]) -> None:
            why = "the recorded object cannot be shown; --into nothing plays its events alone"
            call(why if reply.error is not None else "")

        self._loading.then(settled)

    def close(self) -> None:
        """End the object."""
        self.sandbox.close()
        self._installation.close()
