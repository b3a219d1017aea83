"""Synchronizing a checkpoint over an ordered channel that carries only messages.

Everything is in the one order, so a place in it is the same for all members:

| message | meaning                                                                                     |
|---------|---------------------------------------------------------------------------------------------|
| ask     | the sender wants the state at this place                                                    |
| offer   | the sender has the state of that place; the first to offer sends it                         |
| part    | a part of the state                                                                         |
| begin   | nobody offered for a while: all who asked and have no state begin empty here                |
| here    | the number of messages of this history that the sender has                                  |

Every message includes the sender's history and number of messages. A member with fewer has missed some and
asks. Of two histories, the one with more messages wins.

This is a state machine without clock or endpoints: received messages go in, messages and actions come out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from os import urandom
from typing import Any, Final, Protocol

import msgpack  # type: ignore[import-untyped]  # it has no stubs

PATIENCE: Final = 5.0
"""Seconds to wait for the next part of an offered state."""
NOBODY_AFTER: Final = 1.0
"""Seconds to wait for an offer before announcing that nobody has a state."""
STATE_MOST: Final = 64 * 1024 * 1024
_PART: Final = 32 * 1024
_COUNT_MOST: Final = STATE_MOST // _PART
_WINDOW: Final = 8
"""Parts in transit at a time."""
_WAITING_MOST: Final = 100_000
_OFFERS_MOST: Final = 4
_NAME: Final = 16
_NUMBER_MOST: Final = 2**63
"""More messages than any history has. A state with half of them leaves room for more."""
_MESSAGE, _ASK, _OFFER, _PARTED, _BEGIN, _HERE = range(6)


class TooMuchError(Exception):
    """More messages wait than allowed."""


class Client(Protocol):
    """The functions that the machine calls."""

    def post(self, data: bytes, /) -> None:
        """Send to all members, including this one, in the one order."""

    def can_read(self, state: bytes, /) -> bool:
        """Return True for a valid state."""

    def start(self, state: bytes | None, /) -> None:
        """Replace the state."""

    def apply(self, payload: bytes, /) -> None:
        """Apply the next message."""

    def take(self, got: Callable[[bytes | None], None], /) -> None:
        """Pass on the state after everything applied so far; None if that fails."""

    def tell(self, what: str, advice: str, /) -> None:
        """Show something to people."""


@dataclass(slots=True)
class _Asked:
    """This member's open request."""

    serial: int
    until: float
    wanted: bytes = b""
    """The history whose state is requested; empty for any."""
    placed: bool = False
    """True once the request has its place in the order."""
    whole: tuple[int, int] = 0, 0
    """The number of parts of the state and of messages in it; zero before the first part."""
    giver: bytes = b""
    history: bytes = b""


class CheckpointSync:
    """One member of the synchronization."""

    def __init__(self, client: Client, now: float, me: bytes = b"") -> None:
        self.me = me or urandom(_NAME)
        self.history = b""
        """The history of the state; empty while there is none."""
        self.number = 0
        """Number of its messages known here."""
        self._client = client
        self._serial = 0
        self._asked: _Asked | None = None
        self._parts = bytearray()
        self._waiting: deque[bytes] = deque()
        self._unsent: deque[bytes] = deque()
        self._offers: dict[tuple[bytes, int], bytes | None] = {}
        self._giving: deque[list[Any]] = deque()
        self._said_at = float("-inf")
        self._ask(now)

    @property
    def wake(self) -> float | None:
        """The time at which `tick` is next needed."""
        return None if self._asked is None else self._asked.until

    @property
    def ready(self) -> bool:
        """True if the state is here."""
        return bool(self.history)

    def send(self, payload: bytes) -> None:
        """Send a message, or queue it while there is no state. Raises TooMuchError."""
        if self.ready:
            self._say(_MESSAGE, payload)
        elif len(self._unsent) >= _WAITING_MOST:
            raise TooMuchError(f"{len(self._unsent)} messages wait for the state already")
        else:
            self._unsent.append(payload)

    def tick(self, now: float) -> None:
        """Advance the time."""
        asked = self._asked
        if asked is None or now < asked.until:
            return
        if not asked.placed:
            asked.until = now + PATIENCE  # the channel will continue some time
        elif asked.giver:
            self._ask(now)
        elif self.ready:
            self._asked = None  # nobody has more than this member
            self._waiting.clear()
        else:
            asked.until = now + PATIENCE
            self._say(_BEGIN, urandom(_NAME))

    def heard(self, data: bytes, now: float) -> None:
        """Process a message of the channel."""
        said = _read(data)
        if said is None:
            self._client.tell("a message is invalid", "all members dropped it")
            return
        kind, who, history, number, content = said
        self._compare(who, history, number, now)
        match kind, content:
            case 0, bytes():
                self._message(content, now)
            case 1, [int(serial), bytes(wanted)]:
                self._was_asked(who, serial, wanted, now)
            case 2, [bytes(asker), int(serial)]:
                self._offered(who, asker, serial, history, now)
            case 3, [bytes(asker), int(serial), int(place), int(count), int(at), bytes(part)]:
                self._part(who, asker, serial, (place, count, at, part), now)
            case 4, bytes(name) if len(name) == _NAME:
                self._begins(name, now)

    # The requested state

    def _ask(self, now: float, wanted: bytes = b"") -> None:
        self._serial += 1
        self._asked = _Asked(self._serial, now + PATIENCE, wanted)
        self._waiting.clear()
        self._parts.clear()
        self._say(_ASK, [self._serial, wanted])

    def _is_mine(self, asker: bytes, serial: int, giver: bytes) -> bool:
        asked = self._asked
        return asked is not None and (asker, serial, giver) == (self.me, asked.serial, asked.giver)

    def _offered(self, who: bytes, asker: bytes, serial: int, history: bytes, now: float) -> None:
        kept = self._offers.pop((asker, serial), None)
        if who == self.me and kept is not None:
            self._give(asker, serial, kept)
        asked = self._asked
        if asked is not None and (asker, serial) == (self.me, asked.serial) and not asked.giver:
            asked.giver, asked.history, asked.until = who, history, now + PATIENCE

    def _part(
        self, who: bytes, asker: bytes, serial: int, part: tuple[int, int, int, bytes], now: float
    ) -> None:
        if who == self.me:
            self._give_more()
        asked = self._asked
        if asked is None or not self._is_mine(asker, serial, who):
            return
        asked.until = now + PATIENCE
        if not self._fits(asked, part):
            self._client.tell("a received state is incomplete or too long", "it is requested again")
            self._ask(now)
            return
        place, count, at, data = part
        asked.whole = count, at
        self._parts += data
        if place + 1 == count:
            self._complete(asked.history, at, now)

    def _fits(self, asked: _Asked, part: tuple[int, int, int, bytes]) -> bool:
        """True if this is the next part of the same state and has the right length."""
        place, count, at, data = part
        last = place + 1 == count
        long_enough = len(data) <= _PART if last else len(data) == _PART
        return (
            place * _PART == len(self._parts)
            and 0 <= place < count <= _COUNT_MOST
            and 0 <= at < _NUMBER_MOST // 2
            and (not place or asked.whole == (count, at))
            and long_enough
            and (bool(data) or count == 1)
        )

    def _complete(self, history: bytes, number: int, now: float) -> None:
        """Begin with a complete state and the messages queued after it."""
        waiting, state = list(self._waiting), bytes(self._parts)
        if not self._client.can_read(state):
            self._client.tell("a received state is invalid", "another one is requested")
            self._ask(now, self._asked.wanted if self._asked else b"")
            return
        self._asked = None
        self._waiting.clear()
        self._parts.clear()
        self._begin(history, number, state)
        for payload in waiting:
            self._apply(payload)

    def _begins(self, name: bytes, now: float) -> None:
        asked = self._asked
        if self.ready:
            self._say_here(now)
        elif asked is not None and asked.placed and not asked.giver:
            self._asked = None
            self._waiting.clear()
            self._begin(name, 0, None)

    def _begin(self, history: bytes, number: int, state: bytes | None) -> None:
        self.history, self.number = history, number
        self._client.start(state)
        unsent, self._unsent = self._unsent, deque()
        for payload in unsent:
            self._say(_MESSAGE, payload)

    # Messages of the order

    def _message(self, payload: bytes, now: float) -> None:
        asked = self._asked
        if asked is not None and asked.placed:
            self._waiting.append(payload)
            if len(self._waiting) > _WAITING_MOST:
                self._client.tell("the state takes too long to arrive", "it is requested again")
                self._ask(now, asked.wanted)
        if self.ready:
            self._apply(payload)

    def _apply(self, payload: bytes) -> None:
        self.number += 1
        self._client.apply(payload)

    def _compare(self, who: bytes, history: bytes, number: int, now: float) -> None:
        """Check whether the sender has something that is missing here."""
        if who == self.me or not history or not self.ready or self._asked is not None:
            return
        if history == self.history:
            if number > self.number:
                self._client.tell("messages were missed", "the state of the others is used")
                self._ask(now, history)
        elif (number, history) > (self.number, self.history):
            self._client.tell(
                "the others have another, longer history", "theirs continues, and this one ends"
            )
            self._ask(now, history)
        else:
            self._say_here(now)

    # The state for others

    def _was_asked(self, who: bytes, serial: int, wanted: bytes, now: float) -> None:
        asked = self._asked
        if who == self.me:
            if asked is not None and serial == asked.serial:
                asked.placed, asked.until = True, now + NOBODY_AFTER
        elif self._can_give(wanted) and len(self._offers) < _OFFERS_MOST:
            key, number = (who, serial), self.number
            self._offers[key] = None
            self._client.take(lambda state: self._taken(key, number, state))

    def _can_give(self, wanted: bytes) -> bool:
        return self.ready and self._asked is None and wanted in (b"", self.history)

    def _taken(self, key: tuple[bytes, int], number: int, state: bytes | None) -> None:
        """Send the state of the place of a request, unless another member offered it meanwhile."""
        if key not in self._offers:
            return
        if state is None or len(state) > STATE_MOST:
            del self._offers[key]
            self._client.tell("this state cannot be sent to others", "another member is asked")
            return
        self._offers[key] = msgpack.packb([number, state])
        self._say(_OFFER, list(key))

    def _give(self, asker: bytes, serial: int, kept: bytes) -> None:
        number, state = msgpack.unpackb(kept)
        count = max(1, -(-len(state) // _PART))
        for place in range(count):
            part = state[place * _PART : (place + 1) * _PART]
            self._giving.append([asker, serial, place, count, number, part])
        for _ in range(_WINDOW):
            self._give_more()

    def _give_more(self) -> None:
        if self._giving:
            self._say(_PARTED, self._giving.popleft())

    def _say_here(self, now: float) -> None:
        if now - self._said_at >= NOBODY_AFTER:
            self._said_at = now
            self._say(_HERE, None)

    def _say(self, kind: int, content: object) -> None:
        self._client.post(msgpack.packb([kind, self.me, self.history, self.number, content]))


def _read(data: bytes) -> tuple[int, bytes, bytes, int, Any] | None:
    try:
        said = msgpack.unpackb(data)
    except (ValueError, msgpack.UnpackException):
        return None
    match said:
        case [int(kind), bytes(who), bytes(history), int(number), content] if (
            len(who) == _NAME and len(history) in (0, _NAME) and 0 <= number < _NUMBER_MOST
        ):
            return kind, who, history, number, content
    return None
