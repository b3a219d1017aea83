"""Terms of classes that refer to each other: where a class occurs inside itself, a loop is made."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import count
from typing import Any

from liven.types.terms.value_types import Loop, Recursive, ValueType


class RecursiveTerms:
    """Terms by the key they were made from. Each is made once, so it can be remembered by identity.

    Beyond `most` terms all are forgotten, and made again on demand.
    """

    def __init__(self, *, most: int = 20_000) -> None:
        self._most = most
        self._made: dict[Hashable, Any] = {}
        self._open: dict[Hashable, str] = {}
        self._loose: set[str] = set()
        """Names of the unfinished classes that the current term depends on."""

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the result of `make`, made once for `key`; not kept while it depends on an unfinished
        class."""
        if key in self._made:
            return self._made[key]
        outer, self._loose = self._loose, set()
        made = make()
        if not self._loose:
            if len(self._made) >= self._most:
                self._made.clear()
            self._made[key] = made
        self._loose |= outer
        return made

    def recursive(self, key: Hashable, name: str, make: Callable[[], ValueType]) -> ValueType:
        """Return the result of `make`, recursive if `key` occurs again inside it: that occurrence becomes a
        loop."""
        if key in self._open:
            self._loose.add(self._open[key])
            return Loop(self._open[key])
        made: ValueType = self.once(key, lambda: self._make_recursive(key, name, make))
        return made

    def _make_recursive(self, key: Hashable, name: str, make: Callable[[], ValueType]) -> ValueType:
        taken = self._open.values()
        own = next(one for one in _numbered(name) if one not in taken)
        self._open[key] = own
        try:
            body = make()
        finally:
            del self._open[key]
        if own not in self._loose:
            return body
        self._loose.discard(own)
        return Recursive(own, body)


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}{number}" for number in count(2))
