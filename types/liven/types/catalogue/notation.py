"""The notation of types in the catalogue, in errors and on the command line, read into a small tree.

`int32`, `list<text>`, `map<text, X>`, `X?`, `{x: float64}`, `<add: X | remove: Y>`, `ref<liven:object>`,
`endpoint<exports A imports B>`, `liven:folder<text, liven:object>`. The names get their meaning in
`notation_terms`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

_TOKEN = re.compile(
    r"""\s*(?:(?P<name>[A-Za-z_~][\w.~-]*(?::[A-Za-z_][\w.-]*)?)  # no space in liven:folder
        |(?P<quoted>"[^"]*") |(?P<number>-?\d+) |(?P<sign>->|\.\.|[{}<>(),:?|=`]))""",
    re.VERBOSE,
)
_DEEPEST = 100
_LONGEST_SHOWN = 80


class NotationError(ValueError):
    """A text that is not a type; the message shows the position and the text there."""


@dataclass(frozen=True, slots=True)
class Named:
    """A built-in type, a class or a parameter, with its arguments."""

    name: str
    arguments: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Bounded:
    """A bounded integer, `int(0..9)`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Maybe:
    item: Node


@dataclass(frozen=True, slots=True)
class Fields:
    items: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Cases:
    items: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Ends:
    """The interfaces that an endpoint exports and imports, or its kind of user interface."""

    exported: Node | None = None
    imported: Node | None = None
    local: str = ""


Node: TypeAlias = Named | Bounded | Maybe | Fields | Cases | Ends


class NotationReader:
    """Reads one line from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.at = 0
        """The number of characters read so far."""
        self._depth = 0

    def type(self) -> Node:
        """Read a type, or an endpoint where a class may take one."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self.error(f"types nested more than {_DEEPEST} deep")
        node = self._primary()
        while self.sign("?"):
            node = node if isinstance(node, Maybe) else Maybe(node)
        self._depth -= 1
        return node

    def name(self) -> str:
        """Read a name, in quotes if it has spaces."""
        kind, token = self._next("a name")
        if kind == "quoted":
            return token[1:-1]
        if kind != "name":
            raise self.error("a name")
        return token

    def sign(self, wanted: str) -> bool:
        """Read this sign if it comes next; return True if it did."""
        match = _TOKEN.match(self._text, self.at)
        if match is None or match.lastgroup == "quoted" or match[match.lastgroup or 0] != wanted:
            return False
        self.at = match.end()
        return True

    def demand(self, wanted: str) -> None:
        """Read this sign, which must come next."""
        if not self.sign(wanted):
            raise self.error(f"`{wanted}`")

    def finished(self) -> bool:
        """True if only blanks are left."""
        return not self._text[self.at :].strip()

    def end(self) -> None:
        """Raise NotationError unless the text is finished."""
        if not self.finished():
            raise self.error("the end")

    def error(self, wanted: str) -> NotationError:
        """Return the error for a place where `wanted` is expected."""
        rest = self._text[self.at :].strip()
        found = f"`{rest[:20]}`" if rest else "the end"
        return NotationError(
            f"`{_cut(self._text.strip())}`, column {self.at + 1}: expected {wanted}, found {found}"
        )

    def named_items(self, separator: str, close: str) -> tuple[tuple[str, Node], ...]:
        """Read `a: X, b: Y` up to the closing sign."""
        items: list[tuple[str, Node]] = []
        while not self.sign(close):
            if items:
                self.demand(separator)
            name = self.name()
            self.demand(":")
            items.append((name, self.type()))
        return tuple(items)

    def ends(self) -> Ends | None:
        """Read `exports A imports B` or `local UI`, if that comes next."""
        if self.sign("local"):
            return Ends(local=self.name())
        exported = self.type() if self.sign("exports") else None
        imported = self.type() if self.sign("imports") else None
        return Ends(exported, imported) if exported or imported else None

    def _primary(self) -> Node:
        if self.sign("{"):
            return Fields(self.named_items(",", "}"))
        if self.sign("<"):
            return Cases(self.named_items("|", ">"))
        if (ends := self.ends()) is not None:
            return ends
        name = self.name()
        if name == "int" and self.sign("("):
            return self._bounds()
        return Named(name, self._arguments()) if self.sign("<") else Named(name)

    def _arguments(self) -> tuple[Node, ...]:
        items = [self.type()]
        while self.sign(","):
            items.append(self.type())
        self.demand(">")
        return tuple(items)

    def _bounds(self) -> Bounded:
        low = self._number()
        self.demand("..")
        bounds = Bounded(low, self._number())
        self.demand(")")
        return bounds

    def _number(self) -> int:
        kind, token = self._next("a number")
        if kind != "number":
            raise self.error("a number")
        return int(token)

    def _next(self, wanted: str) -> tuple[str, str]:
        match = _TOKEN.match(self._text, self.at)
        if match is None or match.lastgroup is None:
            raise self.error(wanted)
        self.at = match.end()
        return match.lastgroup, match[match.lastgroup]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def read_type(text: str) -> Node:
    """Return the type that the whole of `text` spells out; raise NotationError."""
    reader = NotationReader(text)
    node = reader.type()
    reader.end()
    return node
