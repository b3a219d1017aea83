"""A scanner that reads the short sentences of `count` and `timing` word by word."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from liven.types.formalism.plugin import FormulaError
from liven.types.formalism.quoting import NAME, unquoted

MAX_TEXT = 4096
"""The longest text of a formula, in characters."""
MAX_DIGITS = 12
"""The most digits a number may have."""

_WORD = re.compile(rf"\d+(?:\.\d+)?|{NAME}|\S")
_NUMBERS = {word: n for n, word in enumerate(("no", "one", "two", "three", "four", "five", "six"))}


class Scanner:
    """The words of a sentence, read from the left."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_TEXT:
            raise FormulaError(f"a formula may have {MAX_TEXT} characters, this has {len(text)}")
        self._words = [(match.group(), match.start() + 1) for match in _WORD.finditer(text)]
        self._end = ("", len(text) + 1)
        self._at = 0

    def peek(self) -> str:
        return self._here()[0]

    def accept(self, *words: str) -> bool:
        """Read these words, in any letter case, if all of them come next."""
        there = [word.lower() for word, _ in self._words[self._at : self._at + len(words)]]
        if there != list(words):
            return False
        self._at += len(words)
        return True

    def accept_any(self, *words: str) -> bool:
        """Read one of these words if it comes next."""
        return any(self.accept(word) for word in words)

    def expect(self, *words: str) -> None:
        for word in words:
            if not self.accept(word):
                raise self.error(f"expected {word!r}")

    def word(self) -> str:
        """Read any word, a name without its quotes; raise FormulaError at the end."""
        found = self.peek()
        if not found:
            raise self.error("expected a name")
        self._at += 1
        return unquoted(found)

    def number(self) -> Fraction:
        """Read a number in digits, or a small one in words."""
        found = self.peek().lower()
        value = Fraction(_NUMBERS[found]) if found in _NUMBERS else self._digits(found)
        self._at += 1
        return value

    def _digits(self, found: str) -> Fraction:
        if not found[:1].isdecimal() or len(found) > MAX_DIGITS:
            raise self.error(f"expected a number of at most {MAX_DIGITS} digits")
        try:
            return Fraction(Decimal(found))
        except InvalidOperation:
            raise self.error("expected a number") from None

    def finish(self) -> None:
        if self.peek():
            raise self.error("expected the end")

    def error(self, text: str) -> FormulaError:
        word, column = self._here()
        return FormulaError(f"at column {column}: {text}, found {repr(word) if word else 'the end'}")

    def _here(self) -> tuple[str, int]:
        return self._words[self._at] if self._at < len(self._words) else self._end


def decimal_text(value: Fraction) -> str:
    """Return the exact number in digits; it must be one that `Scanner.number` could have read."""
    text = format(Decimal(value.numerator) / Decimal(value.denominator), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
