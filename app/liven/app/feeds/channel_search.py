"""The search for a channel that was named: in the feed, in the logs of this computer, and among those who
have it open. A mistyped name would make a new channel, of which nobody knows."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from liven.app.network.channel_program import run_on_channels
from liven.liveobjects.channel.line.transport import Batch, Line
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.store.other_processes import OtherProcess
from liven.liveobjects.channel.store.shared_log import SharedLog
from liven.liveobjects.channel.store.snapshot import log_folders
from liven.multicast.group import View
from liven.multicast.socket_engine import EngineConfig

PATIENCE: Final = 10.0
"""Seconds until the network says who has a channel. Afterwards it counts as there: nobody could be asked."""


def known_channels(root: Path) -> set[str]:
    """Return the channels in the logs of this computer; raise OSError. `root` is their folder."""
    found: set[str] = set()
    for folder in log_folders(root):
        log = OtherProcess(SharedLog(folder, reading=True), None)
        try:
            found.update(log.names())
        finally:
            log.close()
    return found


def missing_channel(channel: str, root: Path, config: EngineConfig, network: str) -> str:
    """Return a sentence if nobody has a channel open and no log of this computer has it; else an empty
    text."""
    known = known_channels(root)
    if channel in known:
        return ""
    why = run_on_channels(
        config, network, lambda system, done: _Search(system, channel, done), lambda _: False
    )
    if not why:
        return ""
    near = get_close_matches(channel, sorted(known), n=1, cutoff=0.8)
    hint = f"did you mean {_short(near[0], network)!r}? To" if near else "to"
    return f"{why}; {hint} wait until somebody opens it, add --wait"


class _Search:
    """The question who has a channel open, asked by joining its group for a moment."""

    def __init__(self, system: ChannelSystem, channel: str, done: Callable[[str], object]) -> None:
        self._done: Callable[[str], object] | None = done
        self._channel = channel
        self._line: Line | None = None
        self._timer = system.dispatcher.call_later(PATIENCE, lambda: self._end(""))
        self._line = system.transport.open(channel, self._received)

    def _received(self, batch: Batch) -> None:
        views = [event for event in batch.events if isinstance(event, View)]
        if views and self._line is not None:
            me = self._line.me
            others = any(member.node != me for member in views[-1].members)
            self._end("" if others else f"nobody has a channel {self._channel.rpartition('/')[2]!r} open")

    def _end(self, why: str) -> None:
        done, self._done = self._done, None
        if done is None:
            return
        self._timer.cancel()
        if self._line is not None:
            self._line.leave()
        done(why)


def _short(channel: str, network: str) -> str:
    """Return a channel as a person may write it."""
    parts = channel.split("/")
    return parts[-1] if len(parts) == 3 and parts[0] == network else channel
