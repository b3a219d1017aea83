"""The rules of a chat: a fold over messages. Only the newest lines are kept; all replicas drop the same old
ones."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from liven.runtime.fold import PersistentMap, RefusedError
from liven.types.declare import Int64, value

MOST_LINES: Final = 5_000
LONGEST_LINE: Final = 4_000
LONGEST_NAME: Final = 200
LONGEST_COLOUR: Final = 40


@value
class Line:
    """One message of one person."""

    key: str
    """Unique; chosen by its author."""
    person: str
    name: str
    colour: str
    when: Int64
    """Milliseconds since 1970 by the author's clock; only shown, never compared."""
    text: str


@value
class Say:
    line: Line


@value
class Unsay:
    """Remove a line."""

    key: str


Change: TypeAlias = Say | Unsay


@dataclass(frozen=True, slots=True)
class Talk:
    """The state of a chat."""

    lines: PersistentMap[str, Line] = field(default_factory=PersistentMap)
    order: tuple[str, ...] = ()

    def said(self) -> tuple[Line, ...]:
        """Return all lines, oldest first."""
        return tuple(self.lines[key] for key in self.order)


class ChatModel:
    """The model of a chat."""

    replacing = ()

    def empty(self) -> Talk:
        return Talk()

    def apply(self, state: Talk, change: Change) -> Talk:
        match change:
            case Say(line):
                return _say(state, line)
            case Unsay(key):
                return _unsay(state, key)
        raise RefusedError(f"{type(change).__name__} is not a change of a chat")

    def inverse(self, state: Talk, change: Change) -> tuple[Change, ...]:
        match change:
            case Say(line):
                return (Unsay(line.key),)
            case Unsay(key):
                return (Say(state.lines[key]),)

    def digest(self, state: Talk) -> bytes:
        """Return a hash of all lines in order."""
        seen = hashlib.blake2b(digest_size=16)
        for line in state.said():
            seen.update(ascii(line).encode())
        return seen.digest()


def _say(state: Talk, line: Line) -> Talk:
    if line.key in state.lines:
        raise RefusedError("this line was sent already")
    if not 0 < len(line.key) <= LONGEST_NAME or max(len(line.person), len(line.name)) > LONGEST_NAME:
        raise RefusedError("that is not a valid name")
    if len(line.colour) > LONGEST_COLOUR:
        raise RefusedError("that is not a colour")
    if not line.text.strip() or len(line.text) > LONGEST_LINE:
        raise RefusedError(f"a line has 1 to {LONGEST_LINE:,} characters; this one has {len(line.text):,}")
    return _newest(state.lines.with_(line.key, line), (*state.order, line.key))


def _newest(lines: PersistentMap[str, Line], order: tuple[str, ...]) -> Talk:
    """Drop the oldest lines beyond the limit."""
    for key in order[:-MOST_LINES]:
        lines = lines.without(key)
    return Talk(lines, order[-MOST_LINES:])


def _unsay(state: Talk, key: str) -> Talk:
    if key not in state.lines:
        raise RefusedError("that line was removed already")
    return Talk(state.lines.without(key), tuple(one for one in state.order if one != key))
