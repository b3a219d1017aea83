"""Explanations: the answer to "does it fit?", with its reasons.

Every decision of the type system is a tree whose truth value is the answer. A person reads `render()`, the
designer walks `reasons`, a program uses `bool(...)` or `failures()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Explanation:
    """One claim, its truth value, and the claims it rests on."""

    holds: bool
    claim: str
    """One sentence without a full stop, true to `holds`: `Send: text fits optional<text>`."""
    reasons: tuple[Explanation, ...] = ()
    subject: str = ""
    """The name of the part in question (an endpoint, an event, a field); empty for the whole."""
    left: str = ""
    """The first of the two sides compared, as text, if it is worth showing."""
    right: str = ""

    def __bool__(self) -> bool:
        return self.holds

    def about(self, subject: str) -> Explanation:
        """Return the same answer under the name of a part, for use as a reason of a larger one."""
        claim = f"{subject}: {self.claim}"
        return Explanation(self.holds, claim, self.reasons, subject, self.left, self.right)

    def failures(self) -> Iterator[tuple[tuple[str, ...], Explanation]]:
        """Yield the innermost claims that do not hold, each with the path of subjects that leads to it."""
        yield from _failures(self, ())

    def render(self, *, full: bool = False) -> str:
        """Return the tree as indented lines; only the failures unless `full`."""
        return "\n".join(_lines(self, 0, full))


class Deferred(Explanation):
    """An answer that is known, whose tree is made when it is first read."""

    __slots__ = ("_build",)

    _build: Callable[[], Explanation]

    def __init__(self, holds: bool, build: Callable[[], Explanation]) -> None:
        object.__setattr__(self, "holds", holds)
        object.__setattr__(self, "_build", build)

    def __getattr__(self, name: str) -> Any:
        """Make the tree; reached only while the parts other than `holds` are missing."""
        if name not in _LATE:
            raise AttributeError(name)
        grown = self._build()
        assert grown.holds == self.holds, "the tree and the answer come from one set of rules"
        for late in _LATE:
            object.__setattr__(self, late, getattr(grown, late))
        return getattr(self, name)


_LATE = frozenset(part.name for part in fields(Explanation)) - {"holds"}


def _failures(node: Explanation, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Explanation]]:
    if node.holds:
        return
    here = (*path, node.subject) if node.subject else path
    inner = [reason for reason in node.reasons if not reason.holds]
    if not inner:
        yield here, node
    for reason in inner:
        yield from _failures(reason, here)


def _lines(node: Explanation, depth: int, full: bool) -> Iterator[str]:
    yield f"{'  ' * depth}{'✓' if node.holds else '✗'} {node.claim}"
    for reason in node.reasons:
        if full or not reason.holds:
            yield from _lines(reason, depth + 1, full)
