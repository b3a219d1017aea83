"""Ids as files spell them: hexadecimal in many ways, or a readable alias.

An id whose parts are all hexadecimal is read by `ClassId.parse` and kept in its canonical spelling, so that
braces, letter case and dropped leading zeros make no difference. Anything else is an alias, kept as written
and looked up in the caller's catalogue (`Lookup`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

from liven.types.ids import ClassId

Lookup: TypeAlias = Callable[[str, str], ClassId | None]
"""Finds the id of an alias of one kind (`component`, `object`, `value`, `interface`, `endpoint`,
`formalism`): a value class may have the name of an object. None if the alias is not known."""

# Stricter than Python's int(), which takes signs, underscores and digits of other scripts.
_PART = r"\s*\{?[0-9A-Fa-f]*\}?(?:`[0-9]*)?\s*"
LONGEST: Final = 1_000
"""The most letters of an id; longer ones are not looked at and not remembered."""
_ID = re.compile(rf"(?:{_PART}:)?{_PART}")


def parse(text: str) -> ClassId | None:
    """Return the id that `text` spells, or None if it is an alias (or longer than 128 bits)."""
    return _parsed(text) if len(text) <= LONGEST else None


@lru_cache(maxsize=4096)
def _parsed(text: str) -> ClassId | None:
    whole = text.strip()
    if whole[:1] == "{" and whole[-1:] == "}" and not set(whole[1:-1]) & set("{}"):
        text = whole[1:-1]  # around the whole, also with a namespace or versions
    if not text.strip() or _ID.fullmatch(text) is None:
        return None
    try:
        return ClassId.parse(text)
    except ValueError:
        return None


def normal(text: str) -> str:
    """Return the canonical spelling of an id; an alias without surrounding space."""
    found = parse(text)
    return text.strip() if found is None else str(found)


def brief(text: str) -> str:
    """Return an id for people: with all its digits, as our files spell it, so that a search finds it there.

    The platform's own namespace is left out.
    """
    found = parse(text)
    if found is None:
        return text.strip()
    return str(found if found.namespace else ClassId(found.component, found.version))


def resolve(kind: str, text: str, lookup: Lookup) -> ClassId | None:
    """Return the id of `text`; None if it is an alias that `lookup` does not know."""
    return parse(text) or lookup(kind, text)


def same(left: str, right: str) -> bool:
    """True if two ids, neither of them an alias, name one component in any version."""
    first, second = parse(left), parse(right)
    if first is None or second is None:
        return left.strip() == right.strip()
    return (first.namespace, first.component) == (second.namespace, second.component)
