"""Running objects without a screen: they are dereferenced, connected, logged, and ended in order."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from liven.runtime.capability import Consent
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.exit_codes import NO, OK
from liven.runtime.library.placement import Placement
from liven.runtime.loader import Progress
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.endpoint import Endpoint, ExternalEndpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import Probe, opposite
from liven.runtime.objects.promise_monitor import Choice
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Problems
from liven.runtime.process.local_module import LocalModuleError, load_module
from liven.runtime.process.run_log import RunLog
from liven.runtime.process.session import Session
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read
from liven.runtime.user_folders import UserFolders

ALL = "all"
_HOW_TO_ALLOW = (
    "nobody can be asked here; allow it with --allow PATH, --allow-host HOST:PORT or --allow-query FEED"
)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of the command line."""

    files: Mapping[str, bytes]
    """The bytes of each file, by its object's name."""
    modules: tuple[Path, ...] = ()
    """The user's own modules, whose objects may be named."""
    connections: tuple[tuple[str, str], ...] = ()
    logged: tuple[str, ...] = ()
    seconds: float | None = None
    """The time to run, once all are ready or refused."""
    time_limit: float = 30.0
    monitored: tuple[str, ...] = ()
    """The endpoints whose connections are watched for broken promises, named like those in `logged`."""
    as_json: bool = False
    allowed: tuple[Path, ...] = ()
    """The files and folders that the objects may reach, besides the user's folder of objects."""
    allowed_hosts: tuple[str, ...] = ()
    """The computers that the objects may exchange data with, each HOST:PORT."""
    allowed_feeds: tuple[str, ...] = ()
    """The recorded feeds that the objects may run queries on."""


class HostServices(Protocol):
    """The services that a program adds to its objects: a transport and everything above it."""

    @property
    def defaults(self) -> Mapping[str, Object]:
        """The default entries of the registry."""

    def bring_into(self, node: Node) -> None:
        """Offer the services to the objects of the node."""

    def farewell(self, done: Callable[[], object]) -> None:
        """Call `done` when the work that ended objects left behind is complete."""

    def close(self) -> None:
        """Release everything."""


def run_headless(
    options: RunOptions, services: HostServices | None = None, placement: Placement | None = None
) -> int:
    """Run until interrupted or for the given time; return 1 if an object could not be run or connected."""
    logging.getLogger("liven").addHandler(logging.NullHandler())  # the run log shows the same
    loop = asyncio.new_event_loop()
    run_log = RunLog(as_json=options.as_json)
    problems = Problems()
    dispatcher = AsyncioDispatcher(loop, problems.report)
    folders = UserFolders.of_user(os.environ)
    defaults = services.defaults if services is not None else None
    monitored = _choice(options.monitored)
    free = (folders.data / "objects", *options.allowed)
    consent = Consent(free, advice=_HOW_TO_ALLOW, hosts=options.allowed_hosts, feeds=options.allowed_feeds)
    session = Session.start(
        dispatcher,
        problems,
        folders,
        consent=consent,
        monitored=monitored,
        defaults=defaults,
        placement=placement,
    )
    if services is not None:
        services.bring_into(session.node)
    problems.listen(run_log.problem, at_once=True)  # the watchdog reports a handler that blocks this thread
    running = _Run(options, session, run_log, loop)
    with _stopped_by_signals(loop):
        try:
            dispatcher.call_soon(running.open)
            loop.run_forever()
            running.close()
            if services is not None:
                dispatcher.call_soon(lambda: services.farewell(loop.stop))
                loop.run_forever()
        finally:
            session.close()
            if services is not None:
                services.close()
            dispatcher.close()
            loop.close()
    return NO if running.failed else OK


def _choice(wanted: tuple[str, ...]) -> Choice | None:
    """Return a choice of the named endpoints: `all`, ENDPOINT, or the path of an object and ENDPOINT."""
    if not wanted:
        return None
    return lambda end: any(one in (ALL, end.name, f"{'/'.join(end.proxy.path)}.{end.name}") for one in wanted)


@contextmanager
def _stopped_by_signals(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """End the run in order at the first signal, and the process at the second.

    A stuck handler keeps the loop from stopping, and the loop's own signal handlers would wait for that
    handler, too; the second signal is for this case.
    """

    numbers = (signal.SIGINT, signal.SIGTERM)

    def stop(*_: object) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
        with suppress(RuntimeError):  # the loop was just closed
            loop.call_soon_threadsafe(loop.stop)

    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Run:
    """The objects of one run."""

    def __init__(
        self, options: RunOptions, session: Session, run_log: RunLog, loop: asyncio.AbstractEventLoop
    ) -> None:
        self._options = options
        self._session = session
        self._run_log = run_log
        self._loop = loop
        self._handles: dict[str, ProxyHandle] = {}
        self._connections: list[Connection] = []
        self._probes: list[Probe] = []
        self._waiting = len(options.files)
        self._loading: list[str] = []
        self.failed = False

    def open(self) -> None:
        """Start to dereference every file."""
        for module in self._options.modules:
            try:
                load_module(module, self._session.known)
            except LocalModuleError as error:
                self.failed = True
                self._run_log.say("refused", str(module), what=f"{error}\n{error.detail}".strip())
                self._loop.stop()
                return
        for name, data in self._options.files.items():
            self._dereference(name, data)

    def close(self) -> None:
        """End everything, the latest first. Objects that are not ready by now are dropped."""
        for name in self._loading:
            self.failed = True
            self._run_log.say("refused", name, what="it was not ready when the run ended")
        while self._probes:
            self._probes.pop().close()
        self._connections.clear()
        while self._handles:
            name, handle = self._handles.popitem()
            handle.close()
            self._run_log.say("ended", name)

    def _dereference(self, name: str, data: bytes) -> None:
        try:
            thing = read(data).object
        except ReadError as error:
            self._fail(name, f"this is not the recipe of an object: {error}")
            return
        if thing is None:
            self._fail(name, "it holds no object")
            return

        def say(progress: Progress) -> None:
            self._run_log.say("loading", "/".join(progress.where), what=progress.what)

        self._loading.append(name)
        reply = self._session.loader.dereference(
            thing, at=(name,), time_limit=self._options.time_limit, progress=say
        )
        reply.then(lambda done: self._ready(name, done))

    def _ready(self, name: str, reply: Reply[ProxyHandle]) -> None:
        if name in self._loading:
            self._loading.remove(name)
        if reply.error is not None:
            self.failed = True  # the loader has reported it
        else:
            handle = self._handles[name] = reply.value()
            handle.on_end(lambda failed: self._gone(name, failed))
            self._run_log.say("running", name, endpoints=sorted(handle.endpoints))
        self._counted()

    def _fail(self, name: str, what: str) -> None:
        self.failed = True
        self._run_log.say("refused", name, what=what)
        self._counted()

    def _counted(self) -> None:
        """After the last file, connect what runs and start the time limit; stop if nothing runs."""
        self._waiting -= 1
        if self._waiting:
            return
        if not self._handles:
            self._loop.stop()
            return
        for left, right in self._options.connections:
            self._connect(left, right)
        for wanted in self._options.logged:
            self._log(wanted)
        if self._options.seconds is not None:
            self._session.node.dispatcher.call_later(self._options.seconds, self._loop.stop)

    def _gone(self, name: str, failed: bool) -> None:
        if self._handles.pop(name, None) is not None:
            self.failed = self.failed or failed
            self._run_log.say("failed" if failed else "ended", name)
        if not self._handles and not self._waiting:
            self._loop.stop()

    def _connect(self, left: str, right: str) -> None:
        try:
            connection = self._session.node.connect(self._end(left), self._end(right))
        except ObjectRuntimeError as error:
            self.failed = True
            self._run_log.say("refused", f"{left} {right}", what=str(error))
            return
        self._connections.append(connection)
        self._run_log.say("connected", f"{left} {right}")

    def _end(self, text: str) -> ExternalEndpoint:
        name, _, endpoint = text.rpartition(".")
        if name not in self._handles:
            has = ", ".join(self._handles)
            raise NoSuchObjectError(
                f"{text!r} is not an endpoint here: write NAME.ENDPOINT, where NAME is {has}"
            )
        return self._handles[name].endpoint(endpoint)

    def _log(self, wanted: str) -> None:
        ends = list(self._chosen(wanted))
        if not ends:
            self.failed = True
            self._run_log.say("refused", wanted, what="no running object has such an endpoint")
        for name, end in ends:
            if not end.type.local:
                self._watch(name, end)

    def _chosen(self, wanted: str) -> Iterator[tuple[str, ExternalEndpoint]]:
        for name, handle in self._handles.items():
            for endpoint, end in handle.endpoints.items():
                if wanted in (ALL, endpoint, f"{name}.{endpoint}"):
                    yield f"{name}.{endpoint}", end

    def _watch(self, name: str, end: ExternalEndpoint) -> None:
        """Tap a connected endpoint; connect a probe to an open one."""
        run_log = self._run_log
        connection = end.internal().connection
        if connection is not None:
            watched = end.internal()

            def tap(receiver: Endpoint, event: str, values: tuple[object, ...]) -> None:
                run_log.event(name, "in" if receiver is watched else "out", event, values)

            connection.watch(tap)
            return
        probe = Probe(
            self._session.node, opposite(end.type, self._session.known.formalisms), f"log of {name}"
        )
        events = [event for event, _ in end.type.outputs] + ["connect", "disconnect"]
        probe.react(**{event: _writing(run_log, name, event) for event in events})
        self._probes.append(probe)
        try:
            probe.connect(end)
        except ObjectRuntimeError as error:
            self.failed = True
            run_log.say("refused", name, what=str(error))


class NoSuchObjectError(ObjectRuntimeError):
    """A name on the command line that no running object has."""


def _writing(run_log: RunLog, name: str, event: str) -> Any:
    return lambda *values: run_log.event(name, "out", event, values)
