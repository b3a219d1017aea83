"""The parts of an HTTP exchange that a stranger's URL began: it stays on its host, ends in time, and reaches
addresses of the public network only, unless a person has named the host.
"""

from __future__ import annotations

import http.client
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPMessage
from typing import IO, Any
from urllib.parse import SplitResult, urlsplit

from liven.runtime.library.errors import FetchError, RedirectedError
from liven.runtime.library.fetching.public_address import connect_public


class SameHost(urllib.request.HTTPRedirectHandler):
    """Follows redirects within a host, never to our own files."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme not in ("http", "https") or (req.type == "https" and scheme == "http"):
            fp.close()
            raise FetchError(req.full_url, f"it redirects to {newurl}, which is less secure")
        if not _is_same_host(req.full_url, newurl):
            fp.close()
            raise RedirectedError(req.full_url, newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class Deadline:
    """Ends every connection of one exchange when its time is over, even while it waits for a byte."""

    def __init__(self, named: frozenset[str] = frozenset()) -> None:
        """`named` are the hosts that may have private addresses."""
        self._named = named
        self._streams: list[socket.socket] = []
        self._lock = threading.Lock()
        self.over = False

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Limit the exchange to `seconds`."""
        timer = threading.Timer(seconds, self._end)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                for stream in self._streams:
                    stream.close()

    def open(self, where: tuple[str, int], timeout: float | None = None, source: Any = None) -> socket.socket:
        """Return a connection that the deadline ends, even during a handshake."""
        stream = connect_public(where, timeout, source, self._named)
        with self._lock:
            self._streams.append(stream.dup())  # TLS takes over the socket
        if self.over:
            self._end()
        return stream

    def handlers(self) -> tuple[urllib.request.BaseHandler, ...]:
        """Return the handlers that make an opener use such connections."""
        return _Plain(self), _Secure(self)

    def connection(self, kind: Callable[..., Any]) -> Callable[..., Any]:
        """Return a `kind` of connection that is opened here."""

        def make(*where: Any, **how: Any) -> Any:
            made = kind(*where, **how)
            made._create_connection = self.open
            return made

        return make

    def _end(self) -> None:
        self.over = True
        with self._lock:
            for stream in self._streams:
                with suppress(OSError):
                    stream.shutdown(socket.SHUT_RDWR)


class _Plain(urllib.request.HTTPHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(self._deadline.connection(http.client.HTTPConnection), req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(self._deadline.connection(http.client.HTTPSConnection), req)


def _is_same_host(old: str, new: str) -> bool:
    """True if a redirect stays on its host and port, or goes from http to https there."""
    before, after = urlsplit(old), urlsplit(new)
    upgraded = (port_of(before), port_of(after)) == (80, 443)
    return before.hostname == after.hostname and (port_of(before) == port_of(after) or upgraded)


def port_of(parts: SplitResult) -> int | None:
    return parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def proxies() -> frozenset[str]:
    """Return the proxies in the environment, each HOST:PORT: the person has named those."""
    found = (urlsplit(url) for url in urllib.request.getproxies().values())
    return frozenset(f"{one.hostname}:{port_of(one)}" for one in found if one.hostname)
