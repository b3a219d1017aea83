"""Making terms of classes that hold one another: where a class meets itself again, a loop is tied."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import count
from typing import Any

from liven.types.terms.value_types import Loop, Recursive, ValueType


class RecursiveTerms:
    """Terms by what they were made of. Each is made once, so it may be remembered by identity.

    Beyond `most` of them all are forgotten, and made anew when they are asked for.
    """

    def __init__(self, *, most: int = 20_000) -> None:
        self._most = most
        self._made: dict[Hashable, Any] = {}
        self._open: dict[Hashable, str] = {}
        self._loose: set[str] = set()
        """Names of open classes that what is being made leans on."""

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives, made once; not kept while it leans on a class that is still open."""
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

    def tied(self, key: Hashable, name: str, make: Callable[[], ValueType]) -> ValueType:
        """What `make` gives; `key` again inside it becomes a loop, and the whole then is recursive."""
        if key in self._open:
            self._loose.add(self._open[key])
            return Loop(self._open[key])
        made: ValueType = self.once(key, lambda: self._tie(key, name, make))
        return made

    def _tie(self, key: Hashable, name: str, make: Callable[[], ValueType]) -> ValueType:
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
