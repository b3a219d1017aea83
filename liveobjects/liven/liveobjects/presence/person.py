"""Who sits at this node, as others see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context

LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Who:
    """One person. The composition root puts it among the node's services."""

    key: str
    name: str
    colour: str
    """For carets and cursors: #rrggbb."""


NOBODY: Final = Who("", "Somebody", "#5d6d7e")


def who_is_here(context: Context) -> Who:
    """The person at this node; a nameless one where the program knows none."""
    try:
        return context.service(Who)
    except CallFailedError:
        return NOBODY
