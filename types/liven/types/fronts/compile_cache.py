"""A cache of generated functions, each compiled once for the key it is made from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any


class CompileCache:
    """Generated functions that know each other by name, so that those of a recursive class can call
    themselves."""

    def __init__(self, **tools: Any) -> None:
        self._scope: dict[str, Any] = {f"_{name}": tool for name, tool in tools.items()}
        self._names: dict[Hashable, str] = {}

    def __len__(self) -> int:
        """Return the number of compiled functions and classes."""
        return len(self._names)

    def bind(self, prefix: str, thing: Any) -> str:
        """Return a new name under which generated code finds `thing`; it begins with `_`, unlike any author's
        name."""
        name = f"_{prefix}_{len(self._scope)}"
        self._scope[name] = thing
        return name

    def function(self, key: Hashable, prefix: str, write: Callable[[str], str]) -> str:
        """Return the name of the function made from `key`; `write` returns its source for that name."""
        if key not in self._names:
            name = self.bind(prefix, None)
            self._names[key] = name  # known before it is written: it may call itself
            try:
                self._compile(name, write(name))
            except BaseException:
                del self._names[key]
                raise
        return self._names[key]

    def get(self, name: str) -> Any:
        """Return the object of this name."""
        return self._scope[name]

    def _compile(self, name: str, source: str) -> None:
        code = compile(source, f"<liven front {name}>", "exec")
        exec(code, self._scope)  # noqa: S102  the source is ours; names in it were checked to be identifiers
