"""The person at this node, as others see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context

LONGEST_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class Participant:
    """One person, with a name and a colour. The program stores it among the node's services."""

    key: str
    name: str
    colour: str
    """The colour of carets and cursors: #rrggbb."""


NOBODY: Final = Participant("", "Somebody", "#5d6d7e")


def local_participant(context: Context) -> Participant:
    """Return the person at this node, or a nameless one if the program knows none."""
    try:
        return context.service(Participant)
    except CallFailedError:
        return NOBODY
