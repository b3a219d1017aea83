"""The state that is to take the place of a log, while an object says it and a worker encodes it."""

from __future__ import annotations

from liven.liveobjects.channel.replica.state_position import Account


class Checkpointing:
    """One state at a time is wanted, each under a number of its own: one that was wanted of a history that
    went on no further is known by that when it comes after all."""

    __slots__ = ("_books", "_request")

    def __init__(self) -> None:
        self._books: Account | None = None
        self._request = 0

    @property
    def is_under_way(self) -> bool:
        """Whether a state is wanted now."""
        return self._books is not None

    def begin(self, account: Account) -> int:
        """The state with these books is wanted; its number is below zero, as those for others are above."""
        self._request -= 1
        self._books = account.copy()
        return self._request

    def end(self, request: int) -> Account | None:
        """A state came, or cannot be had; its books, None if it is wanted no more."""
        if request != self._request:
            return None
        books, self._books = self._books, None
        return books

    def forget(self) -> None:
        """The log is another from now on: what comes is of the one before."""
        self._books = None
