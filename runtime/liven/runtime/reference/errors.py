"""The faults of references: what cannot be read, what cannot be written."""

from __future__ import annotations

from liven.runtime.errors import ObjectRuntimeError


class RecipeError(ObjectRuntimeError, ValueError):
    """The base of all; never raised itself."""


class ReadError(RecipeError):
    """Bytes that are not a reference. Says what is wrong, where in the text, and in which element."""

    def __init__(self, reason: str, line: int = 0, column: int = 0, path: tuple[str, ...] = ()) -> None:
        self.reason = reason
        self.line = line
        """Counted from 1; 0 when the whole text is meant."""
        self.column = column
        self.path = path
        super().__init__(self._text())

    def _text(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else ""
        element = "/".join(self.path)
        where = ", in ".join(part for part in (place, element) if part)
        return f"{where}: {self.reason}" if where else self.reason


class WriteError(RecipeError):
    """A reference that no file can hold: a sign that XML has no way to write, or nesting too deep."""

    def __init__(self, reason: str, path: tuple[str, ...] = ()) -> None:
        self.reason = reason
        self.path = path
        super().__init__(f"{'/'.join(path)}: {reason}" if path else reason)


class IdentityError(RecipeError):
    """A reference whose identity cannot be known here, because an alias in it is not known."""

    def __init__(self, alias: str, path: tuple[str, ...]) -> None:
        self.alias = alias
        self.path = path
        super().__init__(
            f"{'/'.join(path)}: nobody here knows the alias {alias!r};"
            " install the library that declares it, or write its 128-bit id"
        )
