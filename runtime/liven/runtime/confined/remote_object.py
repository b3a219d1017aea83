"""An object of a confined process, as a proxy of this one: its endpoints are here, its code is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from liven.runtime.confined import messages
from liven.runtime.confined.event_bridge import EventBridge
from liven.runtime.confined.process import BadMessageError, ConfinedProcess, Ending
from liven.runtime.errors import DereferenceError
from liven.runtime.foreign_text import shown_line, shown_lines, shown_value
from liven.runtime.objects.endpoint import CONNECT, DISCONNECT, Endpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import Shown
from liven.runtime.problems import Kind, Path, Problem
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import compact
from liven.types.codec import Codecs
from liven.types.terms.endpoint_types import ObjectType

_LONGEST_TEXT = 2000
"""Characters of a sentence from a confined process that are shown."""
_LONGEST_DETAIL = 8000
_KINDS = {kind.value: kind for kind in (Kind.RAISED, Kind.SLOW, Kind.INTERRUPTED, Kind.OVERFLOW)}
"""The kinds of problems that such a process may report."""
MOST_PROBLEMS = 20
"""The most problems that one object may report."""


@dataclass(frozen=True, slots=True)
class RemoteInterface:
    """A UI endpoint of a remote object: the `model` of its view here."""

    object: RemoteObject
    endpoint: str


class RemoteObject:
    """One object of a confined process. `view` names what a window shows of it."""

    def __init__(
        self,
        node: Node,
        process: ConfinedProcess,
        codecs: Codecs,
        path: Path,
        kind: ObjectType,
        view: str,
    ) -> None:
        self._node = node
        self.process = process
        self._codecs = codecs
        self.path = path
        self._kind = kind
        self._view = view
        self._reply: Reply[ProxyHandle] | None = Reply(self._cancel)
        self._bridges: dict[str, EventBridge] = {}
        self._proxy: Proxy | None = None
        self._problems = 0
        self._last_problem = ""
        self.number = process.admit(self)

    def build(self, reference: Reference, person: str) -> Reply[ProxyHandle]:
        """Ask for the object; the reply's value is the proxy that stands for it."""
        assert self._reply is not None
        reply = self._reply
        self.process.send(messages.BUILD, self.number, compact(reference), list(self.path), person)
        return reply

    def came(self, name: str, rest: list[Any]) -> None:
        """Take a message about this object."""
        match name, rest:
            case messages.EVENT, [str(endpoint), event, data] if endpoint in self._bridges:
                self._bridges[endpoint].came(event, data)
            case messages.BUILT, [] if self._reply is not None:
                self._built()
            case messages.UNBUILT, [str(what), str(detail)] if self._reply is not None:
                said, details = shown_line(what[:_LONGEST_TEXT]), shown_lines(detail[-_LONGEST_DETAIL:])
                self._unbuilt(DereferenceError(self.path, said, detail=details))
            case messages.ENDED, [bool(failed)] if self._proxy is not None:
                self._end(failed, self._last_problem)
            case messages.PROBLEM, [str(kind), str(what), str(advice), str(detail), bool(over)]:
                self._report(kind, what, advice, detail, over)
            case _:
                raise BadMessageError(f"{name} {shown_value(rest)}")

    def silent(self, silent: bool) -> None:
        """Do nothing: its views show it."""

    def gone(self, ending: Ending) -> None:
        """End with the process."""
        advice = "start it again; nothing else was affected"
        if self._reply is not None:
            self._unbuilt(DereferenceError(self.path, ending.why, advice, None, ending.detail, ending.kind))
        elif self._proxy is not None:
            problem = Problem(ending.kind, self.path, ending.why, advice, ending.detail)
            self._node.problems.report(problem)
            self._end(True, ending.why)

    def _built(self) -> None:
        reply, self._reply = self._reply, None
        proxy = self._proxy = Proxy(self._node, self.path, self._kind)
        handle = ProxyHandle(proxy)
        for name, kind in self._kind.endpoints:
            end = proxy.add_endpoint(name, kind)
            if kind.local:
                shows = not kind.local.startswith("~")
                end.payload = Shown(self._view, RemoteInterface(self, name)) if shows else None
            else:
                self._join(name, end)
        proxy.on_end(lambda _: self._ended())
        assert reply is not None
        if reply.settled:
            handle.close()
        else:
            reply.resolve(handle)

    def _join(self, name: str, end: Endpoint) -> None:
        def send(event: str, data: bytes) -> None:
            self.process.send(messages.EVENT, self.number, name, event, data)

        self._bridges[name] = EventBridge(end, self._codecs, send)
        end.handle(
            {
                CONNECT: lambda: self.process.send(messages.CONNECT, self.number, name),
                DISCONNECT: lambda: self.process.send(messages.DISCONNECT, self.number, name),
            }
        )

    def _unbuilt(self, error: DereferenceError) -> None:
        reply, self._reply = self._reply, None
        self.process.dismiss(self.number)
        if reply is not None:
            reply.fail(error)

    def _cancel(self) -> None:
        """Nobody waits for the object any more."""
        if self._reply is not None:
            self._reply = None
            self.process.send(messages.END, self.number)
            self.process.dismiss(self.number)

    def _end(self, failed: bool, why: str = "") -> None:
        proxy = self._proxy
        if proxy is not None and failed:
            proxy.fail(why)
        elif proxy is not None:
            for end in proxy.endpoints.values():
                if end.connection is not None:
                    end.connection.dispose()

    def _ended(self) -> None:
        """The proxy here has ended: so does the object."""
        self._proxy = None
        self._bridges.clear()
        self.process.send(messages.END, self.number)
        self.process.dismiss(self.number)

    def _report(self, kind: str, what: str, advice: str, detail: str, over: bool) -> None:
        self._problems += 1
        if kind not in _KINDS:
            raise BadMessageError(f"a problem of kind {kind[:40]!r}")
        if self._problems > MOST_PROBLEMS:
            return
        said, advised = (shown_line(one[:_LONGEST_TEXT]) for one in (what, advice))
        details = shown_lines(detail[-_LONGEST_DETAIL:])
        topic = kind if _KINDS[kind] is Kind.SLOW else ""
        if not over:
            self._last_problem = said
        problem = Problem(_KINDS[kind], self.path, said, advised, details, topic=topic, is_over=over)
        self._node.problems.report(problem)
