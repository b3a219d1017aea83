"""The composition of a process's channels: engine, store, and the registry's defaults.

The program's composition root creates one `Channels` for its session. Nothing starts before an object asks
for it: a program without channels starts no engine and no service, and creates no file.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from secrets import randbits
from typing import Final

from liven.liveobjects.channel.api.recipes import COMMUNICATION, SYSTEMS
from liven.liveobjects.channel.branches.problems import Viewer
from liven.liveobjects.channel.line.engine_transport import EngineTransport, Watch, find_member
from liven.liveobjects.channel.line.no_service_warning import NoServiceWarning
from liven.liveobjects.channel.line.shared_line import SharedLines
from liven.liveobjects.channel.line.traffic_counters import TrafficCounters
from liven.liveobjects.channel.process import user_keys
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.channel.process.rate_limits import DEFAULT, ObjectRates, RateLimits
from liven.liveobjects.channel.process.recordings import Recordings
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.channel.store import Store, Sync
from liven.liveobjects.channel.store.folder_lock import FolderLock, lock_first_free
from liven.liveobjects.channel.store.log_format import other_format, other_version
from liven.liveobjects.channel.store.other_processes import OtherProcesses
from liven.liveobjects.channel.store.snapshot import log_folders
from liven.multicast.errors import MulticastError
from liven.multicast.laggard import Lag, Laggard
from liven.multicast.socket_engine import Engine, EngineConfig
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.objects.node import Node
from liven.runtime.os_error_text import explain_os_error
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.model import Object, Reference
from liven.runtime.user_folders import UserFolders

FAREWELL_SECONDS: Final = 2.0
"""Seconds that all channels together may take to leave, as the program ends."""
_LOOK_EVERY: Final = 0.01
_WORD: Final = 2**64 - 1


class NoEngineError(ObjectRuntimeError):
    """No engine can be started here; the text says why and what to do."""


class Channels:
    """Everything that the channels of a process share, created on first use."""

    def __init__(
        self,
        config: EngineConfig,
        folders: UserFolders,
        *,
        network: str = "home",
        sync: Sync = Sync.SOON,
        limits: RateLimits | None = DEFAULT,
    ) -> None:
        self._config = config
        self._folder = folders.data / "channels"
        self._key_file = folders.config / user_keys.NAME
        self._network = network
        self._sync = sync
        self._limits = limits
        self._node: Node | None = None
        self._system: ChannelSystem | None = None
        self._engine: Engine | None = None
        self._watch: Watch | None = None
        self._unanswered: NoServiceWarning | None = None
        self._slot: FolderLock | None = None
        self._viewer: Viewer | None = None
        self._name_of: Callable[[int], str] | None = None
        self._recordings = Recordings()
        self._own_name: Callable[[], str] | None = None
        self._objects: Callable[[], bool] | None = None

    def show_branches_with(self, viewer: Viewer) -> None:
        """Show the objects on a branch with `viewer`."""
        self._viewer = viewer
        if self._system is not None:
            self._system.viewer = viewer

    def name_members_with(self, name_of: Callable[[int], str]) -> None:
        """Call members of the network by the names that `name_of` returns."""
        self._name_of = name_of

    def introduce_with(
        self, own_name: Callable[[], str], objects_to_recording: Callable[[], bool] | None = None
    ) -> None:
        """Tell those who record, and those who are recorded, the name of the person at this program, and
        whether that person objects to being recorded."""
        self._own_name, self._objects = own_name, objects_to_recording

    @property
    def defaults(self) -> Mapping[str, Object]:
        """Return the registry's defaults: channels over this process's engine."""
        return {
            COMMUNICATION: Reference("liven:communication"),
            SYSTEMS: Reference("liven:communication-systems"),
        }

    def bring_into(self, node: Node) -> None:
        """Offer the channels to the objects of this node."""
        self._node = node
        node.services[ChannelSystem] = self._service
        node.services[Recordings] = lambda: self._recordings
        node.services[UserKeys] = lambda: UserKeys.of_file(self._key_file)

    def onlooker(self) -> TrafficCounters:
        """Return counters of the network traffic. This starts nothing."""
        return TrafficCounters(self._lines, self._measured, time.monotonic, self._laggards, self._limited)

    def farewell(self, done: Callable[[], object]) -> None:
        """Call `done` when every channel has left in good order, or after a short time."""
        node, system = self._node, self._system
        if node is None or system is None or not system.leaving:
            done()
            return
        dispatcher = node.dispatcher
        limit = dispatcher.now() + FAREWELL_SECONDS

        def look() -> Entry | object:
            if system.leaving and dispatcher.now() < limit:
                return dispatcher.call_later(_LOOK_EVERY, look)
            return done()

        look()

    def close(self) -> None:
        """Stop the engine and the store, after all objects have ended."""
        if self._unanswered is not None:
            self._unanswered.close()
        if self._watch is not None:
            self._watch.close()
        if self._engine is not None:
            self._engine.close()
        if self._system is not None and self._system.store is not None:
            self._system.store.close()
        if self._slot is not None:
            self._slot.close()

    def _lines(self) -> SharedLines | None:
        return None if self._system is None else self._system.lines

    def _measured(self) -> Mapping[str, int] | None:
        """Return the engine's statistics; None if no engine runs."""
        try:
            return None if self._engine is None else self._engine.stats()
        except MulticastError:
            return None

    def _laggards(self) -> tuple[Laggard, ...]:
        """Return the members that the engine waits for, and those whose disks are full; none if no engine
        runs."""
        try:
            waited = () if self._engine is None else self._engine.laggards()
        except MulticastError:
            return ()
        return (*waited, *self._readers())

    def _readers(self) -> tuple[Laggard, ...]:
        readers = self._system.readers if self._system is not None else ()
        return tuple(Laggard(node, Lag.READER) for node in sorted(readers))

    def _limited(self, channel: str) -> str:
        """Return the reason why an object here on a channel is limited; empty if none is."""
        rates = None if self._system is None else self._system.rates
        return "" if rates is None else rates.limited(channel)

    def _service(self) -> ChannelSystem:
        if self._system is None:
            assert self._node is not None
            self._system = self._started(self._node)
            self._system.viewer = self._viewer
            self._system.name_of = self._name_of or self._system.name_of
            self._system.recordings = self._recordings
            self._system.own_name = self._own_name or self._system.own_name
            self._system.objects_to_recording = self._objects or self._system.objects_to_recording
        return self._system

    def _started(self, node: Node) -> ChannelSystem:
        identity = randbits(128) | 1
        settings = {**self._config.settings, "id_high": identity >> 64, "id_low": identity & _WORD}
        try:
            engine = self._engine = Engine(replace(self._config, settings=settings))
        except MulticastError as error:  # not the fault of the object that asks first
            raise NoEngineError(f"sharing is not possible: {error}") from error
        engine.further_laggards = self._readers
        transport = EngineTransport(engine, find_member(identity), engine.rejoin)
        self._watch = Watch(node.dispatcher, engine, transport, node.problems.report)
        dispatcher, report = node.dispatcher, node.problems.report
        store = self._opened_store(node)
        rates = None if self._limits is None else ObjectRates(self._limits, dispatcher.now)
        lacks_store = store is None
        made = ChannelSystem(transport, dispatcher, report, self._network, store, lacks_store, rates)
        self._unanswered = NoServiceWarning(made.lines.groups, dispatcher, report, self._config.service)
        return made

    def _opened_store(self, node: Node) -> Store | None:
        """Return the store. If it cannot be opened, channels work without it and store nothing, and others
        count on those that can."""
        report = node.problems.report
        try:
            slot = self._slot = lock_first_free(self._folder)
            for folder in log_folders(self._folder):
                if (number := other_format(folder)) is not None:
                    report(other_version(folder, number))
            beside = OtherProcesses(self._folder, slot.folder, node.dispatcher.now)
            dispatcher, run = node.dispatcher, node.errands.run
            return Store(slot.folder, dispatcher, run, report, sync=self._sync, other_processes=beside)
        except OSError as error:
            what = f"channels are not stored on this computer: {explain_os_error(error, self._folder)}"
            advice = "make the folder writable; other computers' data is not affected"
            report(Problem(Kind.RAISED, ("channels", "store"), what, advice))
            return None
