"""One GET of a document that may be unchanged. It blocks, so it is for a worker thread.

The rules are those of libraries (`runtime/…/fetching`): limits on size and time, redirects only within the
host, and no address of the own network unless the recipe names it as one.
"""

from __future__ import annotations

import email.utils
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from typing import Any, Final

from liven.liveobjects.feeds.source.host_address import HostAddress
from liven.runtime.files import readable_size
from liven.runtime.library.errors import FetchError, RedirectedError
from liven.runtime.library.fetching.http_exchange import Deadline, SameHost, proxies
from liven.runtime.library.fetching.public_address import PrivateAddressError

SECONDS: Final = 30.0
_PIECE: Final = 256 << 10
_LONGEST_PAUSE: Final = 86_400.0
_LONGEST_TAG: Final = 500
_UNCHANGED: Final = 304


class PollError(Exception):
    """The document could not be fetched; the text says why."""

    def __init__(self, reason: str, advice: str = "it is tried again", pause: float = 0.0) -> None:
        super().__init__(reason)
        self.advice = advice
        self.pause = pause
        """The seconds that the server asks to wait."""


@dataclass(frozen=True, slots=True)
class Tags:
    """A version of a document in the words of its server, to ask for a later one only."""

    etag: str = ""
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The document, or None if it has not changed."""

    data: bytes | None
    tags: Tags


def get(address: HostAddress, tags: Tags, most: int, seconds: float = SECONDS) -> Answer:
    """Return the document if it differs from the version of the tags; raise PollError."""
    deadline = Deadline(address.named | proxies())
    opener = urllib.request.build_opener(SameHost(), *deadline.handlers())
    request = urllib.request.Request(address.url, headers=_headers(tags))  # noqa: S310 - http and https only
    try:
        with deadline.within(seconds), opener.open(request, timeout=seconds) as answer:
            found = Answer(_bounded(answer, most), _tags(answer.headers))
        if not deadline.over:  # a connection that the deadline ended looks like one that the server ended
            return found
        raise TimeoutError
    except urllib.error.HTTPError as error:
        return _refused(error, tags)
    except RedirectedError as error:
        advice = "write that address in the recipe if you mean it"
        raise PollError(f"it sends on to another computer: {error.target}", advice) from None
    except FetchError as error:
        raise PollError(error.reason) from None
    except (OSError, HTTPException, ValueError) as error:
        if deadline.over or isinstance(error, TimeoutError):
            raise PollError(f"it took longer than {seconds:g} seconds") from None
        raise _unreachable(address, error) from None


def _headers(tags: Tags) -> dict[str, str]:
    headers = {"User-Agent": "liven", "Accept-Encoding": "identity"}
    if tags.etag:
        headers["If-None-Match"] = tags.etag
    if tags.modified:
        headers["If-Modified-Since"] = tags.modified
    return headers


def _tags(headers: HTTPMessage) -> Tags:
    found = (str(headers.get(name, "")) for name in ("ETag", "Last-Modified"))
    return Tags(*(text if len(text) <= _LONGEST_TAG and text.isprintable() else "" for text in found))


def _bounded(answer: Any, most: int) -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := answer.read1(_PIECE):
        size += len(piece)
        if size > most:
            raise PollError(f"it is larger than {readable_size(most)}, the limit in the recipe")
        pieces.append(piece)
    if answer.length:
        raise PollError(f"the server stopped {readable_size(answer.length)} too early")
    return b"".join(pieces)


def _refused(error: urllib.error.HTTPError, tags: Tags) -> Answer:
    """Return the answer to a status that is no document; raise PollError for a refusal."""
    with error:
        if error.code == _UNCHANGED:
            return Answer(None, tags)
        pause = _pause(str(error.headers.get("Retry-After", "")))
        raise PollError(f"the server says {error.code} {error.reason}", pause=pause) from None


def _pause(text: str) -> float:
    """Return the seconds in a Retry-After: a number, or a date; 0 for neither."""
    if text.isascii() and text.isdigit():
        return min(_LONGEST_PAUSE, float(text[:9]))
    try:
        moment = email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return max(0.0, min(_LONGEST_PAUSE, moment - time.time()))


def _unreachable(address: HostAddress, error: Exception) -> PollError:
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(reason, PrivateAddressError):
        return PollError(
            f"{address.host} leads to an address of this computer or its own network",
            "if you mean that, write the address itself in the recipe",
        )
    return PollError(f"it cannot be reached: {reason or type(error).__name__}")
