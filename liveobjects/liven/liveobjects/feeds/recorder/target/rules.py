"""Rules that choose what is recorded, by name and by type.

A pattern is a name with the signs of file names (`*`, `?`, `[…]`) or, after `re:`, a regular expression that
the whole text must match. It is held against the object's name, its path, its channel and its type. Capitals
do not matter.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from liven.liveobjects.feeds.errors import BadUseError

PATTERNS_MOST: Final = 200
_EXPRESSION: Final = "re:"


class BadRuleError(BadUseError):
    """A pattern cannot be read."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Patterns of names and types. Without `include` everything is recorded; `exclude` takes precedence."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    _included: tuple[re.Pattern[str], ...] = ()
    _excluded: tuple[re.Pattern[str], ...] = ()

    @classmethod
    def of(cls, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Self:
        """Return the rules; raise BadRuleError."""
        if len(include) + len(exclude) > PATTERNS_MOST:
            raise BadRuleError(
                f"{len(include) + len(exclude)} patterns are given; {PATTERNS_MOST} are allowed"
            )
        return cls(
            tuple(include),
            tuple(exclude),
            tuple(_compiled(each) for each in include),
            tuple(_compiled(each) for each in exclude),
        )

    def takes(self, *texts: str) -> bool:
        """True if something with these names and types is recorded."""
        if self.leaves_out(*texts):
            return False
        return not self._included or any(each.fullmatch(text) for each in self._included for text in texts)

    def leaves_out(self, *texts: str) -> bool:
        """True if it is left out, with everything inside it."""
        return any(each.fullmatch(text) for each in self._excluded for text in texts)

    def described(self) -> dict[str, Any]:
        """Return the rules as a feed's description holds them."""
        return {"include": list(self.include), "exclude": list(self.exclude)}


def _compiled(pattern: str) -> re.Pattern[str]:
    if not pattern:
        raise BadRuleError("an empty pattern fits nothing; remove it, or write * for everything")
    if not pattern.startswith(_EXPRESSION):
        return re.compile(fnmatch.translate(pattern), re.IGNORECASE)
    try:
        return re.compile(pattern.removeprefix(_EXPRESSION), re.IGNORECASE | re.DOTALL)
    except re.error as error:
        raise BadRuleError(f"{pattern!r} is not a regular expression: {error}") from None
