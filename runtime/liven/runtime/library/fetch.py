"""Getting the bytes of a bundle from where a reference says it is: `file:`, `http:` or `https:`.

For worker threads: it blocks. The size and the time of a fetch are bounded.
"""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any, TypeAlias
from urllib.parse import unquote, urlsplit

from liven.runtime.library.bundle import MOST_BYTES
from liven.runtime.library.errors import LibraryError

SECONDS = 60.0
"""For the whole fetch."""
_STALLED = 15.0
"""Without a single byte."""
_PIECE = 256 << 10

Fetch: TypeAlias = Callable[[str], bytes]
"""Gives the bytes at a URL; raises FetchError."""


class FetchError(LibraryError):
    """The bytes cannot be had; says from where and why."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason


class _SameKind(urllib.request.HTTPRedirectHandler):
    """A server may send us on to another server, and not to our own files."""

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
            raise FetchError(
                req.full_url, f"it sends on to {newurl}, which is less safe than what was asked for"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(url: str, *, seconds: float = SECONDS, most: int = MOST_BYTES) -> bytes:
    """The bytes at `url`; raises FetchError."""
    scheme = _scheme(url)
    if scheme == "file":
        return _from_disk(url, most)
    if scheme not in ("http", "https"):
        raise FetchError(url, "libraries come from file:, http: and https: addresses")
    opener = urllib.request.build_opener(_SameKind())
    try:
        with opener.open(url, timeout=min(_STALLED, seconds)) as answer:
            return _bounded(url, answer, time.monotonic() + seconds, most)
    except urllib.error.HTTPError as error:
        error.close()
        raise FetchError(url, f"the server says {error.code} {error.reason}") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise FetchError(url, f"it cannot be reached: {reason or type(error).__name__}") from None


def _bounded(url: str, answer: Any, stop: float, most: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := answer.read1(_PIECE):
        size += len(piece)
        if size > most:
            raise FetchError(url, f"it is larger than the {most:,} bytes that a library may have")
        if time.monotonic() > stop:
            raise FetchError(url, f"it was not here in time ({size:,} bytes were)")
        pieces.append(piece)
    if answer.length:
        raise FetchError(url, f"the server ended after {size:,} bytes, {answer.length:,} too early")
    return b"".join(pieces)


def _scheme(url: str) -> str:
    try:
        return urlsplit(url).scheme
    except ValueError as error:
        raise FetchError(url, f"this is no address: {error}") from None


def _from_disk(url: str, most: int) -> bytes:
    parts = urlsplit(url)
    if parts.netloc not in ("", "localhost"):
        raise FetchError(url, "a file: address names a file of this machine: file:///folder/name.zip")
    try:
        with Path(unquote(parts.path)).open("rb") as stream:
            data = stream.read(most + 1)
    except (OSError, ValueError) as error:
        raise FetchError(url, f"it cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise FetchError(url, f"it is larger than the {most:,} bytes that a library may have")
    return data
