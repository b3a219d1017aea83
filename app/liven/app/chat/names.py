"""The names in a chat, made distinct where several members have the same."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterable

from liven.app.network.cli import printable

NAME_MOST = 200
"""Longest name, in bytes."""


def user_name() -> str:
    """Return the user's login name, or their number if they have none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


class Names:
    """The names of the present members, as far as they have spoken."""

    def __init__(self, own: str) -> None:
        self._own = printable(own)
        self._node = 0
        self._by_node: dict[int, str] = {}

    @property
    def own(self) -> str:
        """This member's name as others see it."""
        return f"{self._own} ({self._node})" if self._shared(self._own, self._node) else self._own

    def here(self, nodes: Iterable[int], own: int) -> None:
        """Set the present members and the own number. A member that returns has a new number."""
        self._node = own
        self._by_node = {node: self._by_node[node] for node in nodes if node in self._by_node}
        self._by_node[own] = self._own

    def is_own(self, node: int) -> bool:
        """Return True if that is this member."""
        return node == self._node

    def told(self, node: int, payload: bytes) -> str:
        """Return a line to print, with the member's number if its name is not unique."""
        raw, mark, text = payload.partition(b"\0")
        if not mark:
            raw, text = b"?", raw
        name = printable(raw.decode(errors="replace"))
        self._by_node[node] = name
        who = f"{name} ({node})" if self._shared(name, node) else name
        return f"{who}: {printable(text.decode(errors='replace'))}"

    def _shared(self, name: str, node: int) -> bool:
        return any(other == name for one, other in self._by_node.items() if one != node)
