"""The tokens of a formula, each with the column where it begins."""

from __future__ import annotations

import re
from dataclasses import dataclass

from liven.types.formalism.plugin import FormulaError
from liven.types.formalism.quoting import NAME, unquoted

MAX_TEXT = 4096
"""The longest text of a formula, in characters."""
MAX_DEPTH = 40
"""The most levels of nesting."""

_TOKEN = re.compile(rf"\s*(?:({NAME}|\*|\d+|<->|->|[(),;!&|])|(\S))")

SIGNS = {"!": "not", "&": "and", "|": "or", "->": "implies", "<->": "iff"}

_OPERATORS = (
    "not,and,or,implies,iff,always,never,eventually,next,weakly,until,unless,release,"
    "once,historically,previously,since"
)
_SENTENCES = (
    "true,false,given,is,every,no,at,most,least,exactly,only,nothing,after,before,between,follows,followed,"
    "directly,answered,by,precedes,alternates,with,comes,first,two,it"
)
RESERVED = frozenset(re.findall(r"\w+", f"{_OPERATORS},{_SENTENCES}"))
"""Words that name an event only after a direction, as in `in.next`, or in quotes."""


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    column: int
    """The column, counted from 1."""

    @property
    def is_name(self) -> bool:
        """True if the token can be the name of an event."""
        return (self.text[:1].isalpha() or self.text[:1] in ("_", "*", '"')) and self.text not in RESERVED

    @property
    def name(self) -> str:
        """The name without quotes."""
        return unquoted(self.text)


def tokens(text: str) -> list[Token]:
    """Return the tokens of `text`; raise FormulaError at the first sign that has no meaning."""
    if len(text) > MAX_TEXT:
        raise FormulaError(f"a formula may have {MAX_TEXT} characters, this has {len(text)}")
    found = []
    for match in _TOKEN.finditer(text):
        word, stray = match.group(1), match.group(2)
        if stray:
            raise FormulaError(f"at column {match.start(2) + 1}: {stray!r} has no meaning in a formula")
        found.append(Token(SIGNS.get(word, word), match.start(1) + 1))
    return found


class TokenStream:
    """A position in a list of tokens that moves on as they are read."""

    def __init__(self, text: str) -> None:
        self._words = tokens(text)
        self._end = Token("", len(text) + 1)
        self._at = 0
        self._depth = 0

    def peek(self, ahead: int = 0) -> Token:
        """Return a token ahead without reading it; an empty one at the end."""
        at = self._at + ahead
        return self._words[at] if at < len(self._words) else self._end

    def take(self) -> Token:
        word = self.peek()
        self._at += 1
        return word

    def sees(self, *words: str) -> bool:
        """True if exactly these words come next."""
        return all(self.peek(ahead).text == word for ahead, word in enumerate(words))

    def accept(self, *words: str) -> bool:
        """Read these words if they come next."""
        if not self.sees(*words):
            return False
        self._at += len(words)
        return True

    def expect(self, *words: str) -> None:
        for word in words:
            if not self.accept(word):
                raise self.error(f"expected {word!r}, found {self.found()}")

    def found(self) -> str:
        word = self.peek().text
        return repr(word) if word else "the end"

    def error(self, text: str, at: Token | None = None) -> FormulaError:
        return FormulaError(f"at column {(at or self.peek()).column}: {text}")

    def __enter__(self) -> None:
        """Go one level deeper; raise FormulaError if that is too deep."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.error(f"nested deeper than {MAX_DEPTH} levels; split it into several constraints")

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
