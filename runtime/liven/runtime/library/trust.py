"""The question that is asked before code that is not installed runs. It has this one place.

Whoever starts the program answers it: a window by asking the person, a program without a screen by
refusing. Nothing is fetched or run before the answer is yes.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from liven.runtime.objects.reply import Reply


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody is asked to trust."""

    library: str
    version: int
    sha256: str
    """Exactly this content; empty where the reference leaves it open."""
    signer: str
    url: str
    reason: str
    """Which object needs it."""

    def __str__(self) -> str:
        pin = f", sha256 {self.sha256[:16]}…" if self.sha256 else ", whatever its content"
        return f"run code of library {self.library} version {self.version}{pin} from {self.url or 'nowhere'}?"


class Permission(enum.Enum):
    """What may become of the code in question."""

    NO = "no"
    ONCE = "once"
    """It may run in this process; whoever starts another is asked again."""
    KEPT = "kept"
    """It is installed, and runs from now on without a question."""

    def __bool__(self) -> bool:
        """Whether it may run."""
        return self is not Permission.NO


Trust: TypeAlias = Callable[[Question], Reply[Permission]]
"""Asks; the answer may take a person's time. Called on the dispatcher's thread."""


def refuse(question: Question) -> Reply[Permission]:  # noqa: ARG001
    """The answer of a program that has nobody to ask."""
    answer: Reply[Permission] = Reply()
    answer.resolve(Permission.NO)
    return answer
