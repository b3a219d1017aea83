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
    "clipboard": ("copy", "cut", "paste", "duplicate_chosen", "remove_chosen", "by_keys.remove_through"),
    "choice": ("choose_all", "by_keys.choose_next", "by_keys.choose_next_too", "escape", "look_for"),
    "thing": ("edit_chosen", "by_keys.open", "rename_chosen"),
    "running": ("start_chosen", "aside_chosen"),
    "groups": ("by_keys.connect", "group_chosen", "ungroup_chosen", "lock_chosen"),
    "heights": ("stack",),
    "places": ("nudge",),
    "sizes": ("by_keys.size", "by_keys.turn"),
    "edges": ("align", "distribute"),
    "zoom": ("zoom_in", "zoom_out", "zoom_as_is", "zoom_to_fit", "zoom_to_chosen"),
    "ways": ("by_keys.follow_next", "by_keys.toggle_hand"),
    "shown": ("toggle_map", "toggle_pointers", "toggle_snapping", "toggle_grid"),
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
    Key("by_keys.remove_through", ("Ctrl+Del",), "Remove, and connect what it connected"),
    Key("edit_chosen", ("Return", "Enter"), "Edit what is selected"),
    Key("by_keys.open", ("Ctrl+Return", "Ctrl+Enter"), "Open in a window of its own"),
    Key("rename_chosen", ("F2",), "Rename"),
    Key("start_chosen", ("F5",), "Start what is selected again"),
    Key("aside_chosen", ("Shift+F5",), "Set what is selected aside"),
    Key("choose_all", ("Ctrl+A",), "Select all"),
    Key("by_keys.choose_next", ("Tab",), "Select the next thing", 1),
    Key("by_keys.choose_next", ("Shift+Tab",), "Select the one before", -1),
    Key("by_keys.choose_next_too", ("Alt+N",), "Select the next thing too", 1),
    Key("by_keys.choose_next_too", ("Alt+Shift+N",), "Select the one before too", -1),
    Key("escape", ("Esc",), "Let go: of the mouse, the note, the selection"),
    Key("look_for", ("Ctrl+F",), "Find on this desktop"),
    Key("by_keys.connect", ("Ctrl+L",), "Connect, or disconnect", group="Arrange"),
    Key("group_chosen", ("Ctrl+G",), "Group", group="Arrange"),
    Key("ungroup_chosen", ("Ctrl+Shift+G",), "Ungroup", group="Arrange"),
    Key("lock_chosen", ("Ctrl+Shift+L",), "Lock or unlock", group="Arrange"),
    Key("stack", ("Ctrl+]",), "Bring forward", "forward", group="Arrange"),
    Key("stack", ("Ctrl+[",), "Send backward", "backward", group="Arrange"),
    Key("stack", ("Ctrl+Shift+]", "Ctrl+}"), "Bring to front", "to_front", group="Arrange"),
    Key("stack", ("Ctrl+Shift+[", "Ctrl+{"), "Send to back", "to_back", group="Arrange"),
    Key("nudge", ("Left",), "Nudge left", (-1, 0), group="Arrange"),
    Key("nudge", ("Right",), "Nudge right", (1, 0), group="Arrange"),
    Key("nudge", ("Up",), "Nudge up", (0, -1), group="Arrange"),
    Key("nudge", ("Down",), "Nudge down", (0, 1), group="Arrange"),
    Key("nudge", ("Shift+Left",), "A large step left", (-10, 0), group="Arrange"),
    Key("nudge", ("Shift+Right",), "A large step right", (10, 0), group="Arrange"),
    Key("nudge", ("Shift+Up",), "A large step up", (0, -10), group="Arrange"),
    Key("nudge", ("Shift+Down",), "A large step down", (0, 10), group="Arrange"),
    Key("by_keys.size", ("Alt+Right",), "Make wider", (1, 0), group="Arrange"),
    Key("by_keys.size", ("Alt+Left",), "Make narrower", (-1, 0), group="Arrange"),
    Key("by_keys.size", ("Alt+Down",), "Make taller", (0, 1), group="Arrange"),
    Key("by_keys.size", ("Alt+Up",), "Make shorter", (0, -1), group="Arrange"),
    Key("by_keys.turn", ("Alt+.",), "Turn clockwise", 15.0, group="Arrange"),
    Key("by_keys.turn", ("Alt+,",), "Turn the other way", -15.0, group="Arrange"),
    Key("align", ("Ctrl+Shift+Left", "Alt+A, L"), "Align left edges", "left", group="Arrange"),
    Key("align", ("Ctrl+Shift+Right", "Alt+A, R"), "Align right edges", "right", group="Arrange"),
    Key("align", ("Ctrl+Shift+Up", "Alt+A, T"), "Align top edges", "top", group="Arrange"),
    Key("align", ("Ctrl+Shift+Down", "Alt+A, B"), "Align bottom edges", "bottom", group="Arrange"),
    Key("align", ("Alt+A, C",), "Align centres", "centre", group="Arrange"),
    Key("align", ("Alt+A, M",), "Align middles", "middle", group="Arrange"),
    Key("distribute", ("Alt+A, H",), "Distribute side by side", True, group="Arrange"),
    Key("distribute", ("Alt+A, V",), "Distribute one above the other", False, group="Arrange"),
    Key("zoom_in", ("Ctrl+=", "Ctrl++"), "Zoom in", group="View"),
    Key("zoom_out", ("Ctrl+-",), "Zoom out", group="View"),
    Key("zoom_as_is", ("Ctrl+0",), "Zoom to 100 %", group="View"),
    Key("zoom_to_fit", ("Shift+1", "Ctrl+1"), "Zoom to fit", group="View"),
    Key("zoom_to_chosen", ("Shift+2", "Ctrl+2"), "Zoom to the selection", group="View"),
    Key("by_keys.follow_next", ("Alt+W",), "See what somebody else sees, or no longer", group="View"),
    Key("by_keys.toggle_hand", ("H",), "Hand: dragging moves the plane, or not", group="View"),
    Key("toggle_map", ("Ctrl+M",), "Show the map, or not", group="View"),
    Key("toggle_pointers", ("Alt+P",), "Show others' pointers, or not", group="View"),
    Key("toggle_snapping", ("Alt+S",), "Snap to edges and grid, or not", group="View"),
    Key("toggle_grid", ("Ctrl+'",), "Show the grid, or not", group="View"),
)
