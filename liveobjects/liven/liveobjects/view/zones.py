"""Zones: the parts of a painted object that act when they are clicked, without entering the object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QRectF

from liven.liveobjects.look.tokens import CONTROL_RADIUS


class Role(Enum):
    """The kind of control that a zone is, as screen readers say it."""

    BUTTON = "button"
    TICK = "tick"
    CHOICE = "choice"
    """One of several, of which one is chosen."""
    FIELD = "field"
    """A click opens a field, and `write` gets what is written there."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of a face that acts when it is clicked."""

    key: str
    """Distinguishes the zones of one object; `press` gets it."""
    area: QRectF
    words: str
    """The name of the act, for screen readers and tooltips."""
    radius: float = CONTROL_RADIUS
    role: Role = Role.BUTTON
    is_on: bool = False
    """True for a tick that is set, and for the chosen one of several."""
    longest: int = 500
    """The most characters that a field takes."""

    @property
    def is_field(self) -> bool:
        """True for a zone in which one writes."""
        return self.role is Role.FIELD


class HasZones:
    """A view with zones in its painted face. A click in one acts at once; a drag moves the object."""

    def zones(self, area: QRectF) -> Sequence[Zone]:
        """Return the zones of the face as `paint` paints it into the same area."""
        raise NotImplementedError

    def press(self, key: str) -> None:
        """Do what the zone with this key is for. Explain a refusal to the person."""
        raise NotImplementedError

    def write(self, key: str, text: str) -> bool:
        """Take what was written into the field with this key. Return false after a refusal, which the view
        has explained to the person."""
        del key, text
        return False
