"""A stub: the local stand-in for an endpoint in another process.

Its type is that of the remote endpoint, so that connecting to it is the usual check. Each event is checked
and encoded by the type of the sending endpoint, and decoded by that of the receiving one.
"""

from __future__ import annotations

from typing import Any

from liven.runtime.objects.endpoint import DISCONNECT, Endpoint, ExternalEndpoint
from liven.runtime.objects.event_queue import Handler
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.problems import Kind, Path, Problem
from liven.runtime.tunnel.event_records import calls_of, record_of, values_of
from liven.runtime.tunnel.frames import FrameError
from liven.runtime.tunnel.link import Link
from liven.types.codec import Codec, CodecError, Codecs
from liven.types.terms.endpoint_types import EndpointType, ObjectType

EVENT = "event"


class Stub:
    """The proxy of one remote endpoint. It lives as long as its connection here and its link."""

    def __init__(
        self, node: Node, codecs: Codecs, near: EndpointType, far: EndpointType, path: Path, link: Link
    ) -> None:
        proxy = Proxy(node, path, ObjectType((("far", far),)))
        self._node = node
        self._link = link
        self._end: Endpoint = proxy.add_endpoint("far", far)
        self._end.answering = False
        self._codecs = codecs
        self._inward = {event: value for event, value in near.inputs if event in dict(far.outputs)}
        self._calls = calls_of(far)
        taken = {event: value for event, value in near.outputs if event in dict(far.inputs)}
        self._end.handle({event: self._outward(event, codecs.of(value)) for event, value in taken.items()})
        self._end.handle({DISCONNECT: self.close})
        self._handle = ProxyHandle(proxy)
        link.receive(self._came, self._gone)

    @property
    def external(self) -> ExternalEndpoint:
        """The endpoint to connect to."""
        return self._end.external()

    def close(self) -> None:
        """End the stub and the link."""
        self._link.close()
        self._handle.close()

    def _outward(self, event: str, codec: Codec) -> Handler:
        record = record_of(event, self._calls)

        def send(*values: Any) -> None:
            try:
                self._link.send(EVENT, event, codec.encode(record(*values), event))
            except (CodecError, FrameError) as error:
                self._refuse(f"{event} cannot be sent to the other process: {error}")

        return send

    def _came(self, message: list[Any]) -> None:
        name, *rest = message
        if name != EVENT or not self._known(rest):
            self._refuse(f"the other process sent {str(message)[:80]}, which this endpoint does not have")
            return
        event, data = rest
        try:
            record = self._codecs.of(self._inward[event]).decode(data, event)
        except CodecError as error:
            self._refuse(f"the other process sent a value that is not of its type: {error}")
            return
        if self._end.connected:
            self._end.emitter(event)(*values_of(event, record, self._calls))

    def _known(self, rest: list[Any]) -> bool:
        """True if this is an event of ours with its bytes; the name may be any value,
        even an unhashable one."""
        match rest:
            case [str(event), bytes()]:
                return event in self._inward
        return False

    def _gone(self, why: str) -> None:
        if why:
            self._report(f"the other process broke the tunnel: {why}")
        self.close()

    def _refuse(self, what: str) -> None:
        self._report(what)
        self.close()

    def _report(self, what: str) -> None:
        advice = "the endpoint was disconnected; connect it again"
        self._node.problems.report(Problem(Kind.PEER, self._handle.path, what, advice))
