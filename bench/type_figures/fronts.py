"""Fronts and backs: an event with a record of six fields, from one author's class to another's.

The direct call passes the caller's own object. The wrapped call checks every field, makes the neutral
form, and builds the receiver's class from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from figure_report import Figure, best_of

from liven.types.declare import Int32, interface, value
from liven.types.fronts import Fronts

ROUNDS, CALLS = 7, 20_000


@value
class Note:
    text: str
    x: float
    y: float
    place: Int32
    pinned: bool
    picture: bytes | None


@value
class Card:
    picture: bytes | None
    pinned: bool
    place: Int32
    text: str
    x: float
    y: float


@interface
class Sender(Protocol):
    def send(self, note: Note) -> None: ...


@interface
class Taker(Protocol):
    def send(self, note: Card) -> None: ...


class Server:
    def send(self, note: object) -> None:
        """Accept the value."""


def figures() -> Iterator[Figure]:
    """Yield the two calls, and the cost of wrapping."""
    server, note = Server(), Note("hello", 1.0, 2.0, 3, True, b"picture")
    front = Fronts().bridge(Sender, Taker, server)
    direct = best_of(ROUNDS, CALLS, lambda: server.send(note)) * 1e6
    wrapped = best_of(ROUNDS, CALLS, lambda: front.send(note)) * 1e6
    yield Figure("fronts.direct call", direct, "us")
    yield Figure("fronts.wrapped call", wrapped, "us")
    yield Figure("fronts.wrapped over direct", wrapped - direct, "us", 3)
    made = best_of(ROUNDS, 20, lambda: Fronts().bridge(Sender, Taker, server)) * 1e3
    yield Figure("fronts.first bridge of two modules", made, "ms")
