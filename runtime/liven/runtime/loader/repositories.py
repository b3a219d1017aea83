"""Asking folders for references: their proxies are kept for a while, for the next question."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import DereferenceError
from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.task import Steps
from liven.runtime.problems import Path
from liven.runtime.reference.model import Object
from liven.types.terms.endpoint_types import EndpointType, ObjectType

KEPT_SECONDS = 5.0
MOST_KEPT = 64
ASK = "try_get_object"
ENDPOINT = "Endpoint"

BuildFolder: TypeAlias = Callable[[Object, Path], Steps[ProxyHandle]]


class Client:
    """Our side of one folder: its proxy, and an endpoint of ours connected to it."""

    def __init__(self, node: Node, kind: EndpointType, folder: ProxyHandle, path: Path) -> None:
        proxy = Proxy(node, (*path, "(asked by the loader)"), ObjectType((("folder", kind),)))
        self.end = proxy.add_endpoint("folder", kind)
        self.handle = ProxyHandle(proxy)
        self.folder = folder
        self.timer: Entry | None = None

    @property
    def alive(self) -> bool:
        """True while the folder can still be asked."""
        return self.end.connected

    def close(self) -> None:
        """Release the folder."""
        if self.timer is not None:
            self.timer.cancel()
        self.handle.close()
        self.folder.close()


class Repositories:
    """The folders of one loader. `folder_type` is the folder endpoint as the catalogue has it."""

    def __init__(self, node: Node, folder_type: EndpointType) -> None:
        self._node = node
        asked = tuple(event for event in folder_type.inputs if event[0] == ASK)
        self._kind = EndpointType(folder_type.outputs, asked)
        self._kept: dict[Object, Client] = {}

    async def ask(self, source: Object, key: str, path: Path, build: BuildFolder) -> str | None:
        """Return the text of the reference that the folder `source` has under `key`; None if it has none."""
        client = self._kept.pop(source, None)
        if client is None or not client.alive:
            client = self._connect(await build(source, path), path)
        try:
            answer = await client.end.call(ASK, {"key": key})
        except BaseException:
            client.close()
            raise
        self._keep(source, client)
        text: str | None = answer["object"] if answer["result"] else None
        return text

    def close(self) -> None:
        """Release all folders."""
        while self._kept:
            self._kept.popitem()[1].close()

    def __len__(self) -> int:
        return len(self._kept)

    def _connect(self, folder: ProxyHandle, path: Path) -> Client:
        client = Client(self._node, self._kind, folder, path)
        self._node.connect(client.end.external(), self._endpoint(folder, path))
        return client

    def _endpoint(self, folder: ProxyHandle, path: Path) -> ExternalEndpoint:
        """Return the object's endpoint of the class of folders."""
        end = folder.endpoints.get(ENDPOINT)
        if end is None:
            has = ", ".join(folder.endpoints) or "none"
            raise DereferenceError(path, f"it is not a folder: it has no endpoint {ENDPOINT!r}; it has {has}")
        answer = self._node.matches(end.type, self._kind)
        if not answer:
            raise DereferenceError(path, "it is not a folder: it cannot be asked for an item", "", answer)
        return end

    def _keep(self, source: Object, client: Client) -> None:
        """Keep a folder for the next question; if there are too many, drop the one used longest ago."""
        other = self._kept.pop(source, None)
        if other is not None:
            other.close()
        elif len(self._kept) >= MOST_KEPT:
            self._kept.pop(next(iter(self._kept))).close()
        if client.timer is not None:
            client.timer.cancel()
        self._kept[source] = client
        client.timer = self._node.dispatcher.call_later(KEPT_SECONDS, lambda: self._forget(source, client))

    def _forget(self, source: Object, client: Client) -> None:
        if self._kept.get(source) is client:
            del self._kept[source]
        client.close()
