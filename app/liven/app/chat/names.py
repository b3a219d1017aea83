"""Who says what: names as people give them, told apart where several members have the same."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterable

from liven.app.network.cli import printable

NAME_MOST = 200
"""Bytes of a name."""


def user_name() -> str:
    """The name of the user, or the number where the machine knows no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


class Names:
    """The names of the members that are here, as far as they have spoken."""

    def __init__(self, own: str) -> None:
        self._own = printable(own)
        self._node = 0
        self._by_node: dict[int, str] = {}

    @property
    def own(self) -> str:
        """How the others see this member."""
        return f"{self._own} ({self._node})" if self._shared(self._own, self._node) else self._own

    def here(self, nodes: Iterable[int], own: int) -> None:
        """Who is here now, and which of them this member is. Who comes again has another number."""
        self._node = own
        self._by_node = {node: self._by_node[node] for node in nodes if node in self._by_node}
        self._by_node[own] = self._own

    def is_own(self, node: int) -> bool:
        """Whether that is this member."""
        return node == self._node

    def told(self, node: int, payload: bytes) -> str:
        """A line, as it is shown: with the member's number where somebody else here has its name."""
        raw, mark, text = payload.partition(b"\0")
        if not mark:
            raw, text = b"?", raw
        name = printable(raw.decode(errors="replace"))
        self._by_node[node] = name
        who = f"{name} ({node})" if self._shared(name, node) else name
        return f"{who}: {printable(text.decode(errors='replace'))}"

    def _shared(self, name: str, node: int) -> bool:
        return any(other == name for one, other in self._by_node.items() if one != node)
