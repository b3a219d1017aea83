"""A desktop's gestures and states as they travel, under the original's ids."""

from __future__ import annotations

import uuid

from liven.liveobjects.desktop.model import check_state
from liven.liveobjects.desktop.state import KINDS, Change, Desktop, Item, Link, Place
from liven.liveobjects.shared_object import Wire, gesture_of, operation_of
from liven.runtime.fold import Gesture, PersistentMap
from liven.types.declare import UInt64, value


@value(id="8E058A84A89546389352AD2F551696CD", alias="liven:desktop-operation")
class DesktopOperation:
    """One gesture of one person."""

    origin: uuid.UUID
    number: UInt64
    author: str
    name: str
    changes: list[Change]


@value(id="BE02D391402D436EB62473CC4E04E7F4", alias="liven:desktop-state")
class DesktopState:
    """A whole desktop."""

    background: str
    items: list[Item]
    links: list[Link]


GAZE = "D4E9F732CE180EC55B9C46894C9E8970"


@value(id=GAZE, alias="liven:desktop-gaze")
class Gaze:
    """Where somebody looks on a desktop, and what their hand is at: seen by the others, kept by nobody.
    Numbers are places on the plane."""

    window: uuid.UUID
    """Tells this window from others of the same program."""
    name: str
    colour: str
    """#rrggbb."""
    left: float
    top: float
    width: float
    height: float
    x: float
    """Where the mouse points."""
    y: float
    pointing: bool
    """Whether the mouse is over the window."""
    chosen: list[str]
    """The keys of what is selected."""
    clock: float
    """The time when this was said, by the clock of whoever said it."""
    answers: uuid.UUID
    """The window whose time is said back, so that it knows how late it is heard."""
    answered: float
    """That time."""
    held: float
    """Seconds since that was heard."""


def operation(gesture: Gesture[Change]) -> DesktopOperation:
    """A gesture, to be sent."""
    return operation_of(DesktopOperation, gesture)


def packed(state: Desktop) -> DesktopState:
    """A state as a checkpoint, in an order that is the same everywhere."""
    items = [state.items[key] for key in sorted(state.items)]
    links = [state.links[key] for key in sorted(state.links)]
    return DesktopState(state.background, items, links)


def unpacked(checkpoint: DesktopState) -> Desktop:
    """The state of a checkpoint; RefusedError for one that cannot be."""
    items = PersistentMap({item.key: item for item in checkpoint.items})
    links = PersistentMap({link.key: link for link in checkpoint.links})
    state = Desktop(items, links, checkpoint.background)
    check_state(state)
    return state


WIRE: Wire[Desktop, Change, DesktopOperation, DesktopState] = Wire(
    operation, gesture_of, packed, unpacked, (*KINDS, Item, Link, Place)
)
