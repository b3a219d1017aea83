"""The errors of references: bytes that cannot be read, references that cannot be written."""

from __future__ import annotations

from liven.runtime.errors import ObjectRuntimeError
from liven.runtime.foreign_text import visible

LONGEST_QUOTE = 80
LONGEST_REASON = 600
_MOST_STEPS = 200


def shortened(text: str, most: int = LONGEST_QUOTE) -> str:
    """Return a text for a message: a recipe may hold a name or number of millions of letters."""
    return text if len(text) <= most else f"{text[: most - 20]}… ({len(text):,} letters)"


class RecipeError(ObjectRuntimeError, ValueError):
    """The base of all errors here; never raised itself."""


class ReadError(RecipeError):
    """Bytes that are not a reference. The text says what is wrong, where, and in which element."""

    def __init__(self, reason: str, line: int = 0, column: int = 0, path: tuple[str, ...] = ()) -> None:
        self.reason = visible(shortened(reason, LONGEST_REASON))
        self.line = line
        """Counted from 1; 0 for the whole text."""
        self.column = column
        self.path = tuple(visible(shortened(step)) for step in path[:_MOST_STEPS])
        super().__init__(self._text())

    def _text(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else ""
        element = "/".join(self.path)
        where = ", in ".join(part for part in (place, element) if part)
        return f"{where}: {self.reason}" if where else self.reason


class WriteError(RecipeError):
    """A reference that no file can hold: it has a character that XML cannot write, or is nested too deep."""

    def __init__(self, reason: str, path: tuple[str, ...] = ()) -> None:
        self.reason = reason
        self.path = path
        super().__init__(f"{'/'.join(path)}: {reason}" if path else reason)


class IdentityError(RecipeError):
    """A reference without a known identity, because an alias in it is unknown here."""

    def __init__(self, alias: str, path: tuple[str, ...]) -> None:
        self.alias = alias
        self.path = path
        super().__init__(
            f"{'/'.join(path)}: the alias {alias!r} is unknown here;"
            " install the library that declares it, or write its 128-bit id"
        )
