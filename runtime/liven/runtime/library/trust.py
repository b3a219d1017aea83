"""The trust question, asked before code that is not installed runs. This is its only place.

The program answers it: a window by asking the person, a program without a screen by refusing. Nothing is
fetched or run before the answer is yes.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from liven.runtime.objects.reply import Reply


@dataclass(frozen=True, slots=True)
class Question:
    """The code that a person is asked to trust."""

    library: str
    version: int
    sha256: str
    """The hash of exactly this content; empty if the reference allows any."""
    signer: str
    url: str
    reason: str
    """The object that needs it."""
    signed_as: str = ""
    """The name that the signer claims, if the reference has a signature that holds; else the signature is
    checked once the library is fetched."""
    installed_version: int = 0
    """The newest version of this library on this computer that is older; 0 if there is none."""
    sent_on_from: str = ""
    """The host that was allowed and sends on to `url`, on another host; empty for the first question."""

    def __str__(self) -> str:
        pin = f", sha256 {self.sha256[:16]}…" if self.sha256 else ", any content"
        return f"run code of library {self.library} version {self.version}{pin} from {self.url or 'nowhere'}?"


class Permission(enum.Enum):
    """The answer to the trust question."""

    NO = "no"
    ONCE = "once"
    """It may run in this process; another process asks again."""
    KEPT = "kept"
    """It is installed, and always runs without a question."""

    def __bool__(self) -> bool:
        """True if the code may run."""
        return self is not Permission.NO


Trust: TypeAlias = Callable[[Question], Reply[Permission]]
"""Asks the question; a person may take long to answer. Called on the dispatcher's thread."""


def refuse(question: Question) -> Reply[Permission]:  # noqa: ARG001
    """Answer no, for a program that has nobody to ask."""
    answer: Reply[Permission] = Reply()
    answer.resolve(Permission.NO)
    return answer
