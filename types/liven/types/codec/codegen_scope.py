"""The position of the code generator: the open function, the indentation, and the part of the value it deals
with."""

from __future__ import annotations

from dataclasses import dataclass

from liven.types.codec.errors import NoWireFormError

MOST_LINES = 20_000


@dataclass(frozen=True, slots=True)
class Form:
    """The variant of the function that is written."""

    reading: bool
    arrays: bool = False
    packed: bool = True
    """False if the value is only checked, with no bytes at the other end."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the value, and the block of the source that deals with it."""

    steps: tuple[str, ...] = ()
    """Expressions for the parts of the path to the value."""
    indent: str = "    "
    blocks: int = 0

    def at(self, *steps: str) -> Place:
        """Return the place of a part of this value."""
        return Place((*self.steps, *steps), self.indent, self.blocks)

    def inner(self) -> Place:
        """Return the same place one block further in."""
        return Place(self.steps, self.indent + "    ", self.blocks + 1)

    @property
    def path(self) -> str:
        """The expression for the steps."""
        return f"({''.join(f'{step}, ' for step in self.steps)})"


class SourceBuffer:
    """The source so far: finished functions, the open one, and a counter for fresh names."""

    def __init__(self) -> None:
        self._functions: list[list[str]] = []
        self._open: list[list[str]] = []
        self._names = 0
        self._written = 0

    def begin(self, heading: str) -> None:
        """Open a function; lines are added to it until `end`."""
        lines = [heading]
        self._functions.append(lines)
        self._open.append(lines)

    def end(self) -> None:
        """Return to the function that was open before."""
        self._open.pop()

    def line(self, indent: str, text: str) -> None:
        """Add a line to the open function."""
        self._written += 1
        if self._written > MOST_LINES:
            raise NoWireFormError(f"the type is too large: its codec would pass {MOST_LINES} lines")
        self._open[-1].append(indent + text)

    def fresh(self, prefix: str) -> str:
        """Return a name that is used nowhere else in the source."""
        self._names += 1
        return f"{prefix}{self._names}"

    def text(self) -> str:
        """Return the source of all functions."""
        return "\n".join("\n".join((*lines, "")) for lines in self._functions)
