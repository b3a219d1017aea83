"""The tunnels of one process: it offers endpoints to other processes and connects to theirs.

The socket and its folder belong to the user alone, and the key in an address cannot be guessed. Both ends ask
the system if the other is the same user. Both send the type of their endpoint and check the other's before
any event passes.
"""

from __future__ import annotations

import os
import secrets
import socket
import stat
import struct
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.errors import MismatchError, ObjectRuntimeError
from liven.runtime.objects.connection import Connection
from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.node import Node
from liven.runtime.objects.reply import Reply
from liven.runtime.tunnel.address import Address, AddressError
from liven.runtime.tunnel.link import Link
from liven.runtime.tunnel.stub import Stub
from liven.types.codec import Codecs, NoWireFormError
from liven.types.codec.type_form import TypeFormError, form_of, type_of
from liven.types.formalism.registry import Formalisms

PATIENCE = 5.0
"""The seconds that the other process may take to answer."""
_LONGEST_FOLDER = 80
"""In bytes. With the name of the socket, a path must stay below 108 bytes on Linux, see unix(7)."""
MOST_GUESTS = 256
"""The most streams that may be open at one time."""
_HELLO, _WELCOME, _REFUSED = "hello", "welcome", "refused"


class TunnelError(ObjectRuntimeError):
    """An endpoint of another process could not be connected, or one of ours not be offered."""


class Tunnels:
    """Offers and connects endpoints across processes. Its socket is made in `folder` when needed."""

    def __init__(self, node: Node, formalisms: Formalisms, folder: Path) -> None:
        self._node = node
        self._formalisms = formalisms
        self._codecs = Codecs()
        self._path = _short(folder) / f"{os.getpid()}-{secrets.token_hex(4)}.sock"
        self._listener: socket.socket | None = None
        self._watch: Entry | None = None
        self._offers: dict[str, ExternalEndpoint] = {}
        self._keys: dict[ExternalEndpoint, str] = {}
        self._guests: set[Link] = set()
        node.tunnels = self

    def offer(self, endpoint: ExternalEndpoint) -> str:
        """Return the endpoint's address, which allows anybody to connect. It keeps nothing alive."""
        try:
            for _, value in (*endpoint.type.inputs, *endpoint.type.outputs):
                self._codecs.of(value)
            form_of(endpoint.type)
        except (TypeFormError, NoWireFormError) as error:
            raise TunnelError(f"{endpoint} cannot be offered to other processes: {error}") from error
        self._listen()
        key = self._keys.get(endpoint)
        if key is None:
            key = self._keys[endpoint] = secrets.token_hex(16)
            self._offers[key] = endpoint
            endpoint.internal().proxy.on_end(lambda _: self.withdraw(endpoint))
        return str(Address(str(self._path), key))

    def withdraw(self, endpoint: ExternalEndpoint) -> None:
        """Stop offering it; existing connections stay."""
        key = self._keys.pop(endpoint, None)
        if key is not None:
            del self._offers[key]

    def connect(self, own: ExternalEndpoint, address: str) -> Reply[Connection]:
        """Connect an endpoint of this process to the one at `address`.

        Raise TunnelError, MismatchError or AddressError.
        """
        reply: Reply[Connection] = Reply()
        try:
            far = Address.parse(address)
            if far.socket == str(self._path) and far.key in self._offers:
                reply.resolve(self._node.connect(own, self._offers[far.key]))
                return reply
            form, stream = form_of(own.type), _reached(far.socket)
        except (ObjectRuntimeError, AddressError) as error:
            reply.fail(error)
            return reply
        except (TypeFormError, OSError) as error:
            reply.fail(TunnelError(f"{own} cannot be connected to {address}: {error}"))
            return reply
        _Greeting(self._node, self._codecs, self._formalisms, own, stream, reply).begin(far.key, form)
        return reply

    def close(self) -> None:
        """Remove the socket and end all streams that came in over it."""
        if self._watch is not None:
            self._watch.cancel()
        if self._listener is not None:
            self._listener.close()
            self._path.unlink(missing_ok=True)
            with suppress(OSError):  # other programs may have sockets there
                self._path.parent.rmdir()
        self._listener = self._watch = None
        for link in tuple(self._guests):
            link.close()
        self._guests.clear()

    def _listen(self) -> None:
        if self._listener is not None:
            return
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            _make_own(self._path.parent)
            listener.bind(str(self._path))
            self._path.chmod(0o600)
            listener.listen(64)
        except OSError as error:
            listener.close()
            raise TunnelError(f"no socket can be made at {self._path}: {error}") from error
        listener.setblocking(False)
        self._listener = listener
        self._watch = self._node.dispatcher.watch_fd(listener.fileno(), self._accept)

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            stream, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        self._guests = {link for link in self._guests if link.open}
        if len(self._guests) >= MOST_GUESTS or not _same_user(stream):
            stream.close()
            return
        self._guests.add(Guest(self).link_of(stream))

    def welcome(self, link: Link, message: list[Any]) -> None:
        """Answer the hello of another process: check the key and the type, then connect a stub."""
        try:
            name, key, form = message
            offered = self._offers.get(key) if isinstance(key, str) else None
            if name != _HELLO or offered is None:
                raise TunnelError("no endpoint is offered here under that key; ask for its address again")
            kind = type_of(form, self._formalisms)
            fits = self._node.matches(offered.type, kind)
            if not fits:
                raise MismatchError(f"{offered} does not fit:", fits)
            if offered.connected:
                raise TunnelError(f"{offered} is connected already")
            link.send(_WELCOME, form_of(offered.type))
            path = (*str(offered).split("/"), "(another process)")
            stub = Stub(self._node, self._codecs, offered.type, kind, path, link)
            self._node.connect(offered, stub.external)
        except (ObjectRuntimeError, TypeFormError, ValueError) as error:
            link.send(_REFUSED, str(error))
            link.close()

    @property
    def node(self) -> Node:
        return self._node


class Guest:
    """A process that connected to the socket and has not sent its hello yet."""

    def __init__(self, tunnels: Tunnels) -> None:
        self._tunnels = tunnels
        self._link: Link | None = None
        self._timer: Entry | None = None

    def link_of(self, stream: socket.socket) -> Link:
        """Wait a limited time for its hello."""
        dispatcher = self._tunnels.node.dispatcher
        self._link = Link(dispatcher, stream, self._said, self._left)
        self._timer = dispatcher.call_later(PATIENCE, self._link.close)
        return self._link

    def _said(self, message: list[Any]) -> None:
        link, self._link = self._link, None
        self._left("")
        if link is not None:
            self._tunnels.welcome(link, message)

    def _left(self, _: str) -> None:
        if self._timer is not None:
            self._timer.cancel()


class _Greeting:
    """Our side of a new connection: the hello is sent, and the welcome is awaited."""

    def __init__(
        self,
        node: Node,
        codecs: Codecs,
        formalisms: Formalisms,
        own: ExternalEndpoint,
        stream: socket.socket,
        reply: Reply[Connection],
    ) -> None:
        self._node = node
        self._codecs = codecs
        self._formalisms = formalisms
        self._own = own
        self._reply = reply
        self._link = Link(node.dispatcher, stream, self._answered, self._left)
        self._timer = node.dispatcher.call_later(PATIENCE, self._too_late)
        reply.on_cancel(self._end)

    def begin(self, key: str, form: Any) -> None:
        """Send the hello."""
        self._link.send(_HELLO, key, form)

    def _answered(self, message: list[Any]) -> None:
        self._timer.cancel()
        try:
            self._reply.resolve(self._connected(message))
        except (ObjectRuntimeError, TypeFormError, ValueError) as error:
            self._link.close()
            known = isinstance(error, ObjectRuntimeError)
            self._reply.fail(error if known else TunnelError(f"{self._own}: {error}"))

    def _connected(self, message: list[Any]) -> Connection:
        name, content = message
        if name != _WELCOME:
            raise TunnelError(f"the other process refused to connect {self._own}: {content}")
        kind = type_of(content, self._formalisms)
        fits = self._node.matches(self._own.type, kind)
        if not fits:
            raise MismatchError(f"{self._own} does not fit the endpoint of the other process:", fits)
        path = (*str(self._own).split("/"), "(another process)")
        stub = Stub(self._node, self._codecs, self._own.type, kind, path, self._link)
        try:
            return self._node.connect(self._own, stub.external)
        except ObjectRuntimeError:
            stub.close()
            raise

    def _too_late(self) -> None:
        self._left(f"no answer in {PATIENCE:g} seconds")

    def _left(self, why: str) -> None:
        self._end()
        self._reply.fail(TunnelError(f"{self._own}: the other process left: {why or 'it ended'}"))

    def _end(self) -> None:
        self._timer.cancel()
        self._link.close()


def _short(folder: Path) -> Path:
    """Return `folder`, or one with a short random name if the
    path is too long for a socket of this system."""
    if len(os.fsencode(folder)) <= _LONGEST_FOLDER:
        return folder
    return Path(tempfile.gettempdir()) / f"liven-{secrets.token_hex(8)}"


def _make_own(folder: Path) -> None:
    """Create `folder`; an existing one must be the user's own, and is closed to everybody else."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise OSError(f"{folder} is not a folder; remove it")
    if status.st_uid != os.getuid():
        raise OSError(f"{folder} belongs to another user; remove it, or set LIVEN_HOME to a folder of yours")
    if stat.S_IMODE(status.st_mode) & 0o077:
        folder.chmod(0o700)


def _reached(path: str) -> socket.socket:
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        stream.setblocking(False)
        stream.connect(path)
        if not _same_user(stream):
            raise OSError("the process that serves it belongs to another user")
    except OSError:
        stream.close()
        raise
    return stream


def _same_user(stream: socket.socket) -> bool:
    """True if the process at the other end belongs to the same user; the folder's permissions say so too."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    credentials = stream.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", credentials)
    return bool(user == os.getuid())
