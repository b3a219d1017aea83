"""Zones: the parts of a painted object that act when they are clicked, without entering the object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from liven.liveobjects.look.tokens import CONTROL_RADIUS


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of a face that acts when it is clicked."""

    key: str
    """Distinguishes the zones of one object; `press` gets it."""
    area: QRectF
    words: str
    """The name of the act, for screen readers and tooltips."""
    radius: float = CONTROL_RADIUS


class HasZones:
    """A view with zones in its painted face. A click in one acts at once; a drag moves the object."""

    def zones(self, area: QRectF) -> Sequence[Zone]:
        """Return the zones of the face as `paint` paints it into the same area."""
        raise NotImplementedError

    def press(self, key: str) -> None:
        """Do what the zone with this key is for. Explain a refusal to the person."""
        raise NotImplementedError
