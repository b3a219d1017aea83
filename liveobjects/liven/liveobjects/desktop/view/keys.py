"""The keys of a desktop: what each does, in the words of the shortcut sheet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """One action of the canvas."""

    action: str
    """The method of the canvas."""
    keys: tuple[str, ...]
    """Key sequences, as Qt writes them."""
    words: str
    argument: object = None


KEYS = (
    Key("undo", ("Ctrl+Z",), "Undo"),
    Key("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo"),
    Key("choose_all", ("Ctrl+A",), "Select all"),
    Key("escape", ("Esc",), "Select none; leave what is edited; cancel what the mouse does"),
    Key("edit_chosen", ("Return", "Enter"), "Edit what is selected"),
    Key("rename_chosen", ("F2",), "Rename"),
    Key("remove_chosen", ("Del", "Backspace"), "Remove from the desktop"),
    Key("copy", ("Ctrl+C",), "Copy"),
    Key("cut", ("Ctrl+X",), "Cut"),
    Key("paste", ("Ctrl+V",), "Paste"),
    Key("duplicate_chosen", ("Ctrl+D",), "Duplicate (or Alt and drag)"),
    Key("group_chosen", ("Ctrl+G",), "Group"),
    Key("ungroup_chosen", ("Ctrl+Shift+G",), "Ungroup"),
    Key("lock_chosen", ("Ctrl+Shift+L",), "Lock or unlock"),
    Key("stack", ("Ctrl+]",), "Bring forward", "forward"),
    Key("stack", ("Ctrl+[",), "Send backward", "backward"),
    Key("stack", ("Ctrl+Shift+]", "Ctrl+}"), "Bring to front", "to_front"),
    Key("stack", ("Ctrl+Shift+[", "Ctrl+{"), "Send to back", "to_back"),
    Key("nudge", ("Left",), "Nudge left", (-1, 0)),
    Key("nudge", ("Right",), "Nudge right", (1, 0)),
    Key("nudge", ("Up",), "Nudge up", (0, -1)),
    Key("nudge", ("Down",), "Nudge down", (0, 1)),
    Key("nudge", ("Shift+Left",), "A large step left", (-10, 0)),
    Key("nudge", ("Shift+Right",), "A large step right", (10, 0)),
    Key("nudge", ("Shift+Up",), "A large step up", (0, -10)),
    Key("nudge", ("Shift+Down",), "A large step down", (0, 10)),
    Key("align", ("Ctrl+Shift+Left", "Alt+A, L"), "Align left edges", "left"),
    Key("align", ("Ctrl+Shift+Right", "Alt+A, R"), "Align right edges", "right"),
    Key("align", ("Ctrl+Shift+Up", "Alt+A, T"), "Align top edges", "top"),
    Key("align", ("Ctrl+Shift+Down", "Alt+A, B"), "Align bottom edges", "bottom"),
    Key("align", ("Alt+A, C",), "Align centres", "centre"),
    Key("align", ("Alt+A, M",), "Align middles", "middle"),
    Key("distribute", ("Alt+A, H",), "Distribute side by side", True),
    Key("distribute", ("Alt+A, V",), "Distribute one above the other", False),
    Key("zoom_in", ("Ctrl+=", "Ctrl++"), "Zoom in"),
    Key("zoom_out", ("Ctrl+-",), "Zoom out"),
    Key("zoom_as_is", ("Ctrl+0",), "Zoom to 100 %"),
    Key("zoom_to_fit", ("Shift+1", "Ctrl+1"), "Zoom to fit"),
    Key("zoom_to_chosen", ("Shift+2", "Ctrl+2"), "Zoom to the selection"),
    Key("toggle_snapping", ("Alt+S",), "Snap to edges and grid, or not (hold Ctrl to suspend)"),
    Key("toggle_grid", ("Ctrl+'",), "Show the grid, or not"),
    Key("choose_next", ("Tab",), "Select the next thing", 1),
    Key("choose_next", ("Shift+Tab",), "Select the one before", -1),
)
