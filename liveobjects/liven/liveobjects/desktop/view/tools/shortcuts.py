"""The keys of a desktop: what each does, in the words of the shortcut sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Key:
    """One action of the canvas."""

    action: str
    """The method of the canvas, or of a part of it."""
    keys: tuple[str, ...]
    """Key sequences, as Qt writes them."""
    words: str
    argument: object = None
    group: str = "Edit"
    """The menu it stands in."""

    @property
    def part(self) -> str:
        """The part of the menu: what comes of one kind of action stands together."""
        return next((name for name, actions in PARTS.items() if self.action in actions), "")


PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "steps": ("undo", "redo"),
    "clipboard": ("copy", "cut", "paste", "duplicate_chosen", "remove_chosen", "remove_through"),
    "choice": ("choose_all", "walking.next", "walking.next_too", "escape", "look_for"),
    "thing": ("edit_chosen", "open_chosen", "rename_chosen"),
    "running": ("start_chosen", "aside_chosen"),
    "groups": ("arranging.connect", "arranging.group", "arranging.ungroup", "arranging.lock"),
    "heights": ("arranging.stack",),
    "places": ("arranging.nudge",),
    "sizes": ("arranging.size", "arranging.turn"),
    "edges": ("arranging.align", "arranging.distribute"),
    "zoom": (
        "looking.zoom_in",
        "looking.zoom_out",
        "looking.zoom_as_is",
        "looking.zoom_to_fit",
        "looking.zoom_to_chosen",
    ),
    "ways": ("looking.follow_next", "looking.toggle_hand"),
    "shown": (
        "looking.toggle_map",
        "looking.toggle_pointers",
        "looking.toggle_snapping",
        "looking.toggle_grid",
    ),
}
"""The parts of the menus, and the actions in each."""


KEYS = (
    Key("undo", ("Ctrl+Z",), "Undo"),
    Key("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo"),
    Key("copy", ("Ctrl+C",), "Copy"),
    Key("cut", ("Ctrl+X",), "Cut"),
    Key("paste", ("Ctrl+V",), "Paste"),
    Key("duplicate_chosen", ("Ctrl+D",), "Duplicate (or Alt and drag)"),
    Key("remove_chosen", ("Del", "Backspace"), "Remove from the desktop"),
    Key("remove_through", ("Ctrl+Del",), "Remove, and connect what it connected"),
    Key("edit_chosen", ("Return", "Enter"), "Edit what is selected"),
    Key("open_chosen", ("Ctrl+Return", "Ctrl+Enter"), "Open in a window of its own"),
    Key("rename_chosen", ("F2",), "Rename"),
    Key("start_chosen", ("F5",), "Start what is selected again"),
    Key("aside_chosen", ("Shift+F5",), "Set what is selected aside"),
    Key("choose_all", ("Ctrl+A",), "Select all"),
    Key("walking.next", ("Tab",), "Select the next thing or connector", 1),
    Key("walking.next", ("Shift+Tab",), "Select the one before", -1),
    Key("walking.next_too", ("Alt+N",), "Select the next thing too", 1),
    Key("walking.next_too", ("Alt+Shift+N",), "Select the one before too", -1),
    Key("escape", ("Esc",), "Let go: of the mouse, the selection, what one works in"),
    Key("look_for", ("Ctrl+F",), "Find on this desktop"),
    Key("arranging.connect", ("Ctrl+L",), "Connect, or disconnect", group="Arrange"),
    Key("arranging.group", ("Ctrl+G",), "Group", group="Arrange"),
    Key("arranging.ungroup", ("Ctrl+Shift+G",), "Ungroup", group="Arrange"),
    Key("arranging.lock", ("Ctrl+Shift+L",), "Lock or unlock", group="Arrange"),
    Key("arranging.stack", ("Ctrl+]",), "Bring forward", "forward", group="Arrange"),
    Key("arranging.stack", ("Ctrl+[",), "Send backward", "backward", group="Arrange"),
    Key("arranging.stack", ("Ctrl+Shift+]", "Ctrl+}"), "Bring to front", "to_front", group="Arrange"),
    Key("arranging.stack", ("Ctrl+Shift+[", "Ctrl+{"), "Send to back", "to_back", group="Arrange"),
    Key("arranging.nudge", ("Left",), "Nudge left", (-1, 0), group="Arrange"),
    Key("arranging.nudge", ("Right",), "Nudge right", (1, 0), group="Arrange"),
    Key("arranging.nudge", ("Up",), "Nudge up", (0, -1), group="Arrange"),
    Key("arranging.nudge", ("Down",), "Nudge down", (0, 1), group="Arrange"),
    Key("arranging.nudge", ("Shift+Left",), "A large step left", (-10, 0), group="Arrange"),
    Key("arranging.nudge", ("Shift+Right",), "A large step right", (10, 0), group="Arrange"),
    Key("arranging.nudge", ("Shift+Up",), "A large step up", (0, -10), group="Arrange"),
    Key("arranging.nudge", ("Shift+Down",), "A large step down", (0, 10), group="Arrange"),
    Key("arranging.size", ("Alt+Right",), "Make wider", (1, 0), group="Arrange"),
    Key("arranging.size", ("Alt+Left",), "Make narrower", (-1, 0), group="Arrange"),
    Key("arranging.size", ("Alt+Down",), "Make taller", (0, 1), group="Arrange"),
    Key("arranging.size", ("Alt+Up",), "Make shorter", (0, -1), group="Arrange"),
    Key("arranging.turn", ("Alt+.",), "Turn clockwise", 15.0, group="Arrange"),
    Key("arranging.turn", ("Alt+,",), "Turn counterclockwise", -15.0, group="Arrange"),
    Key("arranging.align", ("Ctrl+Shift+Left", "Alt+A, L"), "Align left edges", "left", group="Arrange"),
    Key("arranging.align", ("Ctrl+Shift+Right", "Alt+A, R"), "Align right edges", "right", group="Arrange"),
    Key("arranging.align", ("Ctrl+Shift+Up", "Alt+A, T"), "Align top edges", "top", group="Arrange"),
    Key("arranging.align", ("Ctrl+Shift+Down", "Alt+A, B"), "Align bottom edges", "bottom", group="Arrange"),
    Key("arranging.align", ("Alt+A, C",), "Align centres", "centre", group="Arrange"),
    Key("arranging.align", ("Alt+A, M",), "Align middles", "middle", group="Arrange"),
    Key("arranging.distribute", ("Alt+A, H",), "Distribute side by side", True, group="Arrange"),
    Key("arranging.distribute", ("Alt+A, V",), "Distribute one above the other", False, group="Arrange"),
    Key("looking.zoom_in", ("Ctrl+=", "Ctrl++"), "Zoom in", group="View"),
    Key("looking.zoom_out", ("Ctrl+-",), "Zoom out", group="View"),
    Key("looking.zoom_as_is", ("Ctrl+0",), "Zoom to 100 %", group="View"),
    Key("looking.zoom_to_fit", ("Shift+1", "Ctrl+1"), "Zoom to fit", group="View"),
    Key("looking.zoom_to_chosen", ("Shift+2", "Ctrl+2"), "Zoom to the selection", group="View"),
    Key("looking.follow_next", ("Alt+W",), "See what somebody else sees, or no longer", group="View"),
    Key("looking.toggle_hand", ("H",), "Hand: dragging moves the plane, or not", group="View"),
    Key("looking.toggle_map", ("Ctrl+M",), "Show the map, or not", group="View"),
    Key("looking.toggle_pointers", ("Alt+P",), "Show others' pointers, or not", group="View"),
    Key("looking.toggle_snapping", ("Alt+S",), "Snap to edges and grid, or not", group="View"),
    Key("looking.toggle_grid", ("Ctrl+'",), "Show the grid, or not", group="View"),
)
