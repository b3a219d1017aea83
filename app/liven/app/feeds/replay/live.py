"""A live channel as the target of a replay at the command line: asked for first, with an engine of its
own."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Callable, Iterator, Sequence

from liven.app.feeds.replay.opened_source import Opened
from liven.app.network.cli import complain, config_of, printable
from liven.liveobjects.channel.api.names import group_name
from liven.liveobjects.channel.api.recipes import COMMUNICATION
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.target.live_channel import LiveChannel
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.problems import Problems
from liven.runtime.process.session import Session
from liven.runtime.user_folders import UserFolders

LIVE = "live:"


def confirmed(arguments: argparse.Namespace) -> bool:
    """Ask whether to play into a live channel; print why not, where nobody can answer."""
    if arguments.yes:
        return True
    channel = printable(arguments.into.removeprefix(LIVE))
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        complain(f"nobody can be asked here whether to play into the live channel {channel}; add --yes", 1)
        return False
    sys.stderr.write(
        f"Everybody who has the channel “{channel}” open gets what is played, as a replay.\n"
        "It cannot be taken back. Play into it? [y/N] "
    )
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


class LiveTarget:
    """A live channel with everything that it needs of the program."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        opened: Opened,
        loop: asyncio.AbstractEventLoop,
        dispatcher: AsyncioDispatcher,
        problems: Problems,
    ) -> None:
        """Join the channel; raise ChannelNameError for an impossible name."""
        self._loop = loop
        self._dispatcher = dispatcher
        name = arguments.into.removeprefix(LIVE)
        network = arguments.network or "home"
        if "/" not in name:
            name = group_name(network, COMMUNICATION, name)
        folders = UserFolders.of_user(os.environ)
        self._channels = Channels(config_of(arguments), folders, network=network, limits=None)
        self._session = Session.start(dispatcher, problems, folders, defaults=self._channels.defaults)
        self._channels.bring_into(self._session.node)
        self._channel = LiveChannel(
            self._session.node, self._session.known, name, f"replay of {opened.title}"
        )

    @property
    def has_room(self) -> bool:
        """False while the channel takes no more."""
        return self._channel.has_room

    def when_ready(self, call: Callable[[str], object]) -> None:
        """Call once the channel is open, with the reason if it is not."""
        self._channel.when_ready(call)

    def deliver(self, events: Sequence[Event]) -> None:
        self._channel.deliver(events)

    def rebuild(self, at: int) -> Iterator[None]:
        return self._channel.rebuild(at)

    def close(self) -> None:
        """Leave in good order, and stop the engine."""
        self._dispatcher.call_soon(lambda: self._channel.finish(self._farewell))
        self._loop.run_forever()
        self._session.close()
        self._channels.close()

    def _farewell(self) -> None:
        self._channels.farewell(self._loop.stop)
