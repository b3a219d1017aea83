"""Fetching the bytes of a bundle from the URL in a reference: `file:`, `http:` or `https:`.

It blocks, so it is for worker threads. The size and the duration of a fetch are limited. A person has allowed
the host in the URL and no other: a server that sends on to another host raises `RedirectedError`, and no
connection leaves the public network (`public_address`).
"""

from __future__ import annotations

import http.client
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any
from urllib.parse import SplitResult, unquote, urlsplit

from liven.runtime.files import read_start, readable_size
from liven.runtime.library.errors import FetchError, RedirectedError
from liven.runtime.library.fetching.bundle import MOST_BYTES
from liven.runtime.library.fetching.public_address import (
    PrivateAddressError,
    connect_public,
    is_address,
    is_named,
    is_public,
)

SECONDS = 60.0
"""For the whole fetch."""
_STALLED = 15.0
"""Without a single byte."""
_PIECE = 256 << 10


class _SameHost(urllib.request.HTTPRedirectHandler):
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


class _Deadline:
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
    def __init__(self, deadline: _Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(self._deadline.connection(http.client.HTTPConnection), req)


class _Secure(urllib.request.HTTPSHandler):
    def __init__(self, deadline: _Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(self._deadline.connection(http.client.HTTPSConnection), req)


def fetch(
    url: str, *, seconds: float = SECONDS, most: int = MOST_BYTES, named: frozenset[str] = frozenset()
) -> bytes:
    """Return the bytes at `url`; raise FetchError, of which RedirectedError can be asked about.

    `named` are the hosts, in small letters, that a person has named although their addresses are private;
    HOST:PORT names one port of a host.
    """
    scheme = _scheme(url)
    if scheme == "file":
        return _from_disk(url, most)
    if scheme not in ("http", "https"):
        raise FetchError(url, "libraries come from file:, http: and https: URLs")
    _refuse_private_host(url, named)
    deadline = _Deadline(named | _proxies())
    stop = time.monotonic() + seconds
    opener = urllib.request.build_opener(_SameHost(), *deadline.handlers())
    try:
        with deadline.within(seconds), opener.open(url, timeout=min(_STALLED, seconds)) as answer:
            data = _bounded(url, answer, stop, most)
        if not deadline.over:  # a connection that the deadline ended looks like one that the server ended
            return data
        raise TimeoutError
    except urllib.error.HTTPError as error:
        error.close()
        raise FetchError(url, f"the server says {error.code} {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        if deadline.over or time.monotonic() >= stop:  # the connection's timer may fire first
            raise FetchError(url, f"it took too long: more than {seconds:g} seconds") from None
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        if isinstance(reason, PrivateAddressError):
            raise FetchError(url, str(reason)) from None
        raise FetchError(url, f"it cannot be reached: {reason or type(error).__name__}") from None


def _bounded(url: str, answer: Any, stop: float, most: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := answer.read1(_PIECE):
        size += len(piece)
        if size > most:
            raise FetchError(url, f"it is larger than the limit of {readable_size(most)}")
        if time.monotonic() > stop:
            raise FetchError(url, f"it took too long ({readable_size(size)} arrived)")
        pieces.append(piece)
    if answer.length:
        raise FetchError(url, f"the server stopped {readable_size(answer.length)} too early")
    return b"".join(pieces)


def _refuse_private_host(url: str, named: frozenset[str]) -> None:
    """Raise FetchError for an address that is private as written: a proxy would connect to it for us."""
    host = urlsplit(url).hostname or ""
    if is_address(host) and not is_public(host) and not is_named(host, _port(urlsplit(url)), named):
        raise FetchError(url, str(PrivateAddressError(host, host)))


def _is_same_host(old: str, new: str) -> bool:
    """True if a redirect stays on its host and port, or goes from http to https there."""
    before, after = urlsplit(old), urlsplit(new)
    upgraded = (_port(before), _port(after)) == (80, 443)
    return before.hostname == after.hostname and (_port(before) == _port(after) or upgraded)


def _port(parts: SplitResult) -> int | None:
    return parts.port or {"http": 80, "https": 443}.get(parts.scheme)


def _proxies() -> frozenset[str]:
    """Return the proxies in the environment, each HOST:PORT: the person has named those."""
    found = (urlsplit(url) for url in urllib.request.getproxies().values())
    return frozenset(f"{one.hostname}:{_port(one)}" for one in found if one.hostname)


def _scheme(url: str) -> str:
    try:
        parts = urlsplit(url)
        _port(parts)
        return parts.scheme
    except ValueError as error:
        raise FetchError(url, f"this is not a URL: {error}") from None


def _from_disk(url: str, most: int) -> bytes:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost"):
        raise FetchError(url, "a file: URL names a file on this machine: file:///folder/name.zip")
    try:
        data = read_start(Path(unquote(parts.path)), most + 1)
    except (OSError, ValueError) as error:
        raise FetchError(url, f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise FetchError(url, f"it is larger than the limit of {readable_size(most)}")
    return data
