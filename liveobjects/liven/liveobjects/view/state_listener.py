"""The listener through which a view follows the state of its object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

S = TypeVar("S")


@dataclass(frozen=True, eq=False)
class StateListener(Generic[S]):
    """A listener that calls two functions. A view cannot listen itself, since its `changed` is a signal."""

    show_change: Callable[[S, S], object]
    show_message: Callable[[str], object]

    def changed(self, before: S, after: S) -> None:
        """Update the view."""
        self.show_change(before, after)

    def notify(self, message: str) -> None:
        """Show a sentence to the person."""
        self.show_message(message)
