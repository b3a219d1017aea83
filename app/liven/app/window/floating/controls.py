"""The controls that a window gives to a view which fills it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenuBar, QWidget

from liven.app.palette.new_objects import desktop, note
from liven.app.window.floating.menu_key import MenuKey
from liven.app.window.floating.problem_sign import ProblemSign
from liven.app.window.floating.problems_popover import ProblemsPopover
from liven.app.window.floating.share_popover import SharePopover
from liven.app.window.floating.waiting_chip import WaitingChip
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.look.view.buttons import Emphasis, ToolButton, WordButton, paint_mark
from liven.liveobjects.look.view.signs import Sign
from liven.liveobjects.new_objects import chat, vote
from liven.liveobjects.text.recipe import plain_text
from liven.liveobjects.view.contract import View
from liven.liveobjects.view.window_controls import Floating, ObjectTool, WindowControls
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from liven.app.window.object_window import ObjectWindow

_TOOL: Final = 34


class FloatingControls:
    """The controls of one window, while its view lets them float over itself; it then has no menu bar."""

    def __init__(self, window: ObjectWindow) -> None:
        self._window = window
        self._view: Floating | None = None
        self._mark: QAbstractButton | None = None
        self._menu_key = MenuKey(window, self.show_menus)

    @property
    def is_on(self) -> bool:
        """True while the controls float, and are seen."""
        return self._view is not None and self._window.past.view is None

    def begin(self, view: View) -> None:
        """Let the controls float over a view, if it takes them."""
        if isinstance(view, Floating):
            controls = controls_of(self._window, view.widget())
            self._view, self._mark = view, controls.mark
            view.take_controls(controls)
        self.show_menu_bar()

    def end(self) -> None:
        """Show the menu bar again: the view is closed."""
        self._view = self._mark = None
        self.show_menu_bar()

    def show_menu_bar(self) -> None:
        """Show the menu bar, unless the mark has the menus."""
        self._window.menuBar().setVisible(not self.is_on)

    def show_menus(self) -> None:
        """Show the menus: those of the mark, or the first one of the menu bar."""
        if self.is_on and self._mark is not None:
            self._mark.click()
        else:
            bar = self._window.menuBar()
            bar.setFocus()
            bar.setActiveAction(bar.actions()[0])

    def key_pressed(self, event: QKeyEvent) -> None:
        """Listen to Alt; a menu bar listens itself."""
        if self.is_on:
            self._menu_key.key_pressed(event)

    def name_changed(self) -> None:
        """Show the name of the object anew."""
        if self._view is not None:
            self._view.name_changed()

    def message_foot(self) -> int:
        """Return the pixels at the lower end of the contents that a message leaves free."""
        return self._view.message_foot() if self._view is not None and self.is_on else 0


def fill_menu_corner(bar: QMenuBar, *signs: QWidget) -> None:
    """Put signs at the right end of a menu bar, for windows whose contents no controls float over."""
    corner = QWidget(bar)
    row = QHBoxLayout(corner)
    row.setContentsMargins(0, 0, 6, 0)
    for sign in signs:
        row.addWidget(sign)
    bar.setCornerWidget(corner)


def controls_of(window: ObjectWindow, below: QWidget) -> WindowControls:
    """Make the controls of a window, which float over `below`."""
    mark = ToolButton("Menus", key="F10", size=_TOOL, drawing=paint_mark)
    mark.clicked.connect(lambda: window.menus.show_all(mark.mapToGlobal(QPoint(0, mark.height() + 6))))
    sign = ProblemSign(window.problems)
    sign.clicked.connect(lambda: ProblemsPopover.toggle(window, below, sign))
    share = WordButton("Share", Sign.ADD_PERSON, emphasis=Emphasis.ACCENT, height=_TOOL)
    share.setToolTip("Let others work on this with you")
    share.clicked.connect(lambda: SharePopover(window, below, share).show_beside())
    return WindowControls(
        name=window.object_title,
        tools=tools(),
        mark=mark,
        signs=(WaitingChip(window.confirmation), sign),
        share=share,
        open_board_menu=window.menus.show_file_menu,
        show_keys=window.menus.show_keys,
    )


def tools() -> tuple[ObjectTool, ...]:
    """Return the tools for the objects that one wants most; the palette has all."""
    return (
        ObjectTool("Note", Sign.NOTE, _maker("Note", note), "N", "write"),
        ObjectTool("Text", Sign.TEXT, _maker("Text", plain_text), "T", "write"),
        ObjectTool("Vote", Sign.VOTE, _maker("Vote", vote), part="together"),
        ObjectTool("Chat", Sign.CHAT, _maker("Chat", chat), part="together"),
        ObjectTool("Folder", Sign.FOLDER, _maker("Folder", folder), part="together"),
        ObjectTool("Desktop", Sign.BOARD, _maker("Desktop", desktop), part="together"),
    )


def _maker(name: str, make: Callable[[str], Object]) -> Callable[[], str]:
    return lambda: write(make(name)).decode()
