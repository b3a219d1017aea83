"""Fetching the bytes of a bundle from the URL in a reference: `file:`, `http:` or `https:`.

It blocks, so it is for worker threads. The size and the duration of a fetch are limited. A person has allowed
the host in the URL and no other: a server that sends on to another host raises `RedirectedError`, and no
connection leaves the public network (`public_address`).
"""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from liven.runtime.files import read_start, readable_size, refuse_system_file
from liven.runtime.library.errors import FetchError
from liven.runtime.library.fetching.bundle import MOST_BYTES
from liven.runtime.library.fetching.http_exchange import Deadline, SameHost, port_of, proxies
from liven.runtime.library.fetching.public_address import (
    PrivateAddressError,
    is_address,
    is_named,
    is_public,
)

SECONDS = 60.0
"""For the whole fetch."""
_STALLED = 15.0
"""Without a single byte."""
_PIECE = 256 << 10


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
    deadline = Deadline(named | proxies())
    stop = time.monotonic() + seconds
    opener = urllib.request.build_opener(SameHost(), *deadline.handlers())
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
    if is_address(host) and not is_public(host) and not is_named(host, port_of(urlsplit(url)), named):
        raise FetchError(url, str(PrivateAddressError(host, host)))


def _scheme(url: str) -> str:
    try:
        parts = urlsplit(url)
        port_of(parts)
        return parts.scheme
    except ValueError as error:
        raise FetchError(url, f"this is not a URL: {error}") from None


def _from_disk(url: str, most: int) -> bytes:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost"):
        raise FetchError(url, "a file: URL names a file on this machine: file:///folder/name.zip")
    path = Path(unquote(parts.path))
    try:
        refuse_system_file(path)
        data = read_start(path, most + 1)
    except (OSError, ValueError) as error:
        raise FetchError(url, f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise FetchError(url, f"it is larger than the limit of {readable_size(most)}")
    return data
