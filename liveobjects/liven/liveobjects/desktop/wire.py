"""The value types that desktops send each other: operations, checkpoints and presence.

Their ids are those of the original program, so that its files open."""

from __future__ import annotations

import uuid
from dataclasses import field

from liven.liveobjects.desktop.model import check_state
from liven.liveobjects.desktop.state import KINDS, Change, Desktop, Item, Link, Place, Style, Timer
from liven.liveobjects.shared_object import Wire, gesture_of, operation_of
from liven.runtime.fold import Gesture, PersistentMap
from liven.types.declare import UInt64, value


@value(id="8E058A84A89546389352AD2F551696CD", alias="liven:desktop-operation")
class DesktopOperation:
    """One gesture of one person, as sent over the channel."""

    origin: uuid.UUID
    number: UInt64
    author: str
    name: str
    changes: list[Change]


@value(id="BE02D391402D436EB62473CC4E04E7F4", alias="liven:desktop-state")
class DesktopState:
    """A complete desktop, as stored in a checkpoint."""

    background: str
    items: list[Item]
    links: list[Link]
    styles: dict[str, Style] | None = None
    """None in older checkpoints. New fields are optional, and their names come last in the alphabet."""
    title: str | None = None
    upcoming: Timer | None = None
    """The timer."""


GAZE = "D4E9F732CE180EC55B9C46894C9E8970"


@value
class Held:
    """An item that somebody moves, resizes or rotates just now."""

    key: str
    place: Place


@value(id=GAZE, alias="liven:desktop-gaze")
class Gaze:
    """Presence of one window on a desktop: its viewport, pointer, selection, and what it moves. It is shown
    to the others and never stored. Coordinates are on the plane."""

    window: uuid.UUID
    """Distinguishes the windows of one program."""
    name: str
    colour: str
    """#rrggbb."""
    left: float
    top: float
    width: float
    height: float
    x: float
    """The pointer."""
    y: float
    pointing: bool
    """True while the mouse is over the window."""
    chosen: list[str]
    """The keys of the selected items."""
    clock: float
    """The time of sending, by the sender's clock."""
    answers: uuid.UUID
    """The window whose time is echoed, so that it can measure the delay."""
    answered: float
    """The echoed time."""
    held: float
    """Seconds since that time was received."""
    holds: list[Held] = field(default_factory=list)
    """The items that are being moved, resized or rotated."""
    says: str = ""
    """Words at the pointer."""
    shines: bool = False
    """True while the pointer is a laser pointer."""
    sign: str = ""
    """The name of the reaction that was sent last."""
    signs: UInt64 = 0
    """The number of reactions that were sent, so that the same one can be sent again."""


def operation(gesture: Gesture[Change]) -> DesktopOperation:
    """Convert a gesture to the value that is sent."""
    return operation_of(DesktopOperation, gesture)


def packed(state: Desktop) -> DesktopState:
    """Convert a state to a checkpoint; equal states give equal checkpoints."""
    items = [state.items[key] for key in sorted(state.items)]
    links = [state.links[key] for key in sorted(state.links)]
    styles = {key: state.styles[key] for key in sorted(state.styles)}
    return DesktopState(state.background, items, links, styles or None, state.title or None, state.timer)


def unpacked(checkpoint: DesktopState) -> Desktop:
    """Convert a checkpoint to a state. Raises RefusedError if the state is impossible."""
    items = PersistentMap({item.key: item for item in checkpoint.items})
    links = PersistentMap({link.key: link for link in checkpoint.links})
    state = Desktop(
        items,
        links,
        checkpoint.background,
        PersistentMap(checkpoint.styles or {}),
        checkpoint.title or "",
        checkpoint.upcoming,
    )
    check_state(state)
    return state


WIRE: Wire[Desktop, Change, DesktopOperation, DesktopState] = Wire(
    operation, gesture_of, packed, unpacked, (*KINDS, Item, Link, Place, Style, Timer)
)
