"""Taking a checkpoint: the state that replaces the log, while an object returns it and a worker
encodes it."""

from __future__ import annotations

from liven.liveobjects.channel.replica.state_position import StatePosition


class Checkpointing:
    """At most one checkpoint is requested at a time. The request number identifies late answers that belong
    to an abandoned history."""

    __slots__ = ("_books", "_request")

    def __init__(self) -> None:
        self._books: StatePosition | None = None
        self._request = 0

    @property
    def is_under_way(self) -> bool:
        """True while a checkpoint is requested."""
        return self._books is not None

    def begin(self, state_position: StatePosition) -> int:
        """Request a checkpoint at this position. Its number is negative; requests for other members have
        positive ones."""
        self._request -= 1
        self._books = state_position.copy()
        return self._request

    def end(self, request: int) -> StatePosition | None:
        """Return the position of an answered request; None if it is no longer wanted."""
        if request != self._request:
            return None
        books, self._books = self._books, None
        return books

    def forget(self) -> None:
        """Abandon the request, because the log now holds another history."""
        self._books = None
