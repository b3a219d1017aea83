"""The agreement between a window and a view that fills it: the view lets the window's controls float over
itself, and the window then needs no bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractButton, QWidget

from liven.liveobjects.look.view.signs import Sign


@dataclass(frozen=True, slots=True)
class ObjectTool:
    """A tool that puts one kind of object on a desktop."""

    name: str
    sign: Sign
    recipe: Callable[[], str]
    """Makes the recipe of a new object."""
    key: str = ""
    part: str = ""
    """Tools of one part stand together."""


@dataclass(frozen=True, slots=True)
class WindowControls:
    """The controls that a window puts over a view that fills it, and services for the view."""

    name: Callable[[], str]
    """Returns the name of the object as the window's title has it."""
    tools: Sequence[ObjectTool]
    mark: QAbstractButton
    """Opens the menus."""
    signs: Sequence[QWidget]
    """Show problems and recordings, each only while there are some."""
    share: QAbstractButton
    open_board_menu: Callable[[QPoint], object]
    """Opens the menu of the board at a point of the screen."""
    show_keys: Callable[[], object]


class Floating:
    """A view over which the controls of a window float while it is the window's only contents."""

    def take_controls(self, controls: WindowControls) -> None:
        """Show the controls. Called once for each widget, as soon as it stands in its window."""
        raise NotImplementedError

    def message_foot(self) -> int:
        """Return how many pixels a message keeps from the lower end of the widget."""
        raise NotImplementedError

    def name_changed(self) -> None:
        """Show the name of the object anew."""

    def insert_anchor(self) -> QWidget | None:
        """Return the button that asks for something to add; None if there is none."""
        return None
