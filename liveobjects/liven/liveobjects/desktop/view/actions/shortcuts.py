"""The actions of a desktop with their shortcuts, as menus, palette and the shortcut sheet show them."""

from __future__ import annotations

from typing import Final

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view.actions.meeting_shortcuts import MEETING
from liven.liveobjects.desktop.view.actions.shortcut import Shortcut
from liven.liveobjects.desktop.view.tools.frame_tool import frame_selection

COPY: Final = Shortcut(lambda canvas: canvas.clipboard.copy(), ("Ctrl+C",), "Copy", part="clipboard", needs=1)
CUT: Final = Shortcut(lambda canvas: canvas.clipboard.cut(), ("Ctrl+X",), "Cut", part="clipboard", needs=1)
PASTE: Final = Shortcut(lambda canvas: canvas.clipboard.paste(), ("Ctrl+V",), "Paste", part="clipboard")
DUPLICATE: Final = Shortcut(
    lambda canvas: canvas.clipboard.duplicate(),
    ("Ctrl+D",),
    "Duplicate (or Alt and drag)",
    part="clipboard",
    needs=1,
)
PLACE_AGAIN: Final = Shortcut(
    lambda canvas: canvas.clipboard.place_again(),
    ("Ctrl+Shift+D",),
    "Place the same object again",
    part="clipboard",
    needs=1,
)
PASTE_AGAIN: Final = Shortcut(
    lambda canvas: canvas.clipboard.paste_again(),
    ("Ctrl+Alt+V",),
    "Paste the same object again",
    part="clipboard",
)
REMOVE: Final = Shortcut(
    lambda canvas: canvas.remove_selected(),
    ("Del", "Backspace"),
    "Remove from the desktop",
    part="clipboard",
    needs=1,
    takes_connector=True,
)
EDIT: Final = Shortcut(
    lambda canvas: canvas.edit_selected(), ("Return", "Enter"), "Edit", part="item", needs=1
)
OPEN: Final = Shortcut(
    lambda canvas: canvas.open_selected(),
    ("Ctrl+Return", "Ctrl+Enter"),
    "Open in its own window",
    part="item",
    needs=1,
)
RENAME: Final = Shortcut(
    lambda canvas: canvas.rename_selected(), ("F2",), "Rename", part="item", needs=1, takes_connector=True
)
RESTART: Final = Shortcut(
    lambda canvas: canvas.restart_selected(), ("F5",), "Restart", part="running", needs=1
)
PAUSE: Final = Shortcut(
    lambda canvas: canvas.pause_selected(), ("Shift+F5",), "Pause", part="running", needs=1
)
SELECT_ALL: Final = Shortcut(lambda canvas: canvas.select_all(), ("Ctrl+A",), "Select all", part="selection")
ESCAPE: Final = Shortcut(lambda canvas: canvas.escape(), ("Esc",), "Deselect or leave", part="selection")
FIND: Final = Shortcut(
    lambda canvas: canvas.open_find_bar(), ("Ctrl+F",), "Find on this desktop", part="selection"
)
CONNECT: Final = Shortcut(
    lambda canvas: canvas.arrangement.connect(),
    ("Ctrl+L",),
    "Connect or disconnect",
    group="Arrange",
    part="groups",
    needs=2,
)
GROUP: Final = Shortcut(
    lambda canvas: canvas.arrangement.group(), ("Ctrl+G",), "Group", group="Arrange", part="groups", needs=2
)
UNGROUP: Final = Shortcut(
    lambda canvas: canvas.arrangement.ungroup(),
    ("Ctrl+Shift+G",),
    "Ungroup",
    group="Arrange",
    part="groups",
    needs=1,
)
FRAME: Final = Shortcut(
    frame_selection,
    ("F",),
    "Frame",
    group="Arrange",
    part="groups",
)
LOCK: Final = Shortcut(
    lambda canvas: canvas.arrangement.lock(),
    ("Ctrl+Shift+L",),
    "Lock or unlock",
    group="Arrange",
    part="groups",
    needs=1,
)
FORWARD: Final = Shortcut(
    lambda canvas: canvas.arrangement.stack(commands.forward),
    ("Ctrl+]",),
    "Bring forward",
    group="Arrange",
    part="stacking",
    needs=1,
)
BACKWARD: Final = Shortcut(
    lambda canvas: canvas.arrangement.stack(commands.backward),
    ("Ctrl+[",),
    "Send backward",
    group="Arrange",
    part="stacking",
    needs=1,
)
TO_FRONT: Final = Shortcut(
    lambda canvas: canvas.arrangement.stack(commands.to_front),
    ("Ctrl+Shift+]", "Ctrl+}"),
    "Bring to front",
    group="Arrange",
    part="stacking",
    needs=1,
)
TO_BACK: Final = Shortcut(
    lambda canvas: canvas.arrangement.stack(commands.to_back),
    ("Ctrl+Shift+[", "Ctrl+{"),
    "Send to back",
    group="Arrange",
    part="stacking",
    needs=1,
)
ZOOM_TO_100: Final = Shortcut(
    lambda canvas: canvas.zoom_and_view.zoom_to_100(), ("Ctrl+0",), "Zoom to 100 %", group="View", part="zoom"
)
ZOOM_TO_FIT: Final = Shortcut(
    lambda canvas: canvas.zoom_and_view.zoom_to_fit(),
    ("Shift+1", "Ctrl+1"),
    "Zoom to fit",
    group="View",
    part="zoom",
)
MINIMAP: Final = Shortcut(
    lambda canvas: canvas.zoom_and_view.toggle_minimap(),
    ("Ctrl+M",),
    "Minimap",
    group="View",
    part="display",
    ticked=lambda canvas: canvas.minimap.isVisible(),
)
POINTERS: Final = Shortcut(
    lambda canvas: canvas.zoom_and_view.toggle_pointers(),
    ("Alt+P",),
    "Other people's pointers",
    group="View",
    part="display",
    ticked=lambda canvas: canvas.collaborators.pointers,
)
SNAPPING: Final = Shortcut(
    lambda canvas: canvas.zoom_and_view.toggle_snapping(),
    ("Alt+S",),
    "Snap to edges and grid",
    group="View",
    part="display",
    ticked=lambda canvas: canvas.snapping,
)
GRID: Final = Shortcut(
    lambda canvas: canvas.zoom_and_view.toggle_grid(),
    ("Ctrl+'",),
    "Grid",
    group="View",
    part="display",
    ticked=lambda canvas: canvas.grid,
)

SHORTCUTS: Final = (
    Shortcut(lambda canvas: canvas.undo(), ("Ctrl+Z",), "Undo", part="history"),
    Shortcut(lambda canvas: canvas.redo(), ("Ctrl+Shift+Z", "Ctrl+Y"), "Redo", part="history"),
    COPY,
    CUT,
    PASTE,
    PASTE_AGAIN,
    DUPLICATE,
    PLACE_AGAIN,
    REMOVE,
    Shortcut(lambda canvas: canvas.remove_through(), ("Ctrl+Del",), "Remove and reconnect", part="clipboard"),
    EDIT,
    OPEN,
    RENAME,
    RESTART,
    PAUSE,
    SELECT_ALL,
    Shortcut(
        lambda canvas: canvas.keyboard_navigation.next(1),
        ("Tab",),
        "Select the next item or connector",
        part="selection",
    ),
    Shortcut(
        lambda canvas: canvas.keyboard_navigation.next(-1),
        ("Shift+Tab",),
        "Select the previous one",
        part="selection",
    ),
    Shortcut(
        lambda canvas: canvas.keyboard_navigation.next_too(1),
        ("Alt+N",),
        "Add the next item to the selection",
        part="selection",
    ),
    Shortcut(
        lambda canvas: canvas.keyboard_navigation.next_too(-1),
        ("Alt+Shift+N",),
        "Add the previous item to the selection",
        part="selection",
    ),
    ESCAPE,
    FIND,
    CONNECT,
    GROUP,
    UNGROUP,
    FRAME,
    LOCK,
    FORWARD,
    BACKWARD,
    TO_FRONT,
    TO_BACK,
    Shortcut(
        lambda canvas: canvas.arrangement.nudge((-1, 0)),
        ("Left",),
        "Nudge left",
        group="Arrange",
        part="position",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.nudge((1, 0)),
        ("Right",),
        "Nudge right",
        group="Arrange",
        part="position",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.nudge((0, -1)),
        ("Up",),
        "Nudge up",
        group="Arrange",
        part="position",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.nudge((0, 1)),
        ("Down",),
        "Nudge down",
        group="Arrange",
        part="position",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.nudge((-10, 0)),
        ("Shift+Left",),
        "Nudge far left",
        group="Arrange",
        part="position",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.nudge((10, 0)),
        ("Shift+Right",),
        "Nudge far right",
        group="Arrange",
        part="position",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.nudge((0, -10)),
        ("Shift+Up",),
        "Nudge far up",
        group="Arrange",
        part="position",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.nudge((0, 10)),
        ("Shift+Down",),
        "Nudge far down",
        group="Arrange",
        part="position",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.size((1, 0)),
        ("Alt+Right",),
        "Make wider",
        group="Arrange",
        part="size",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.size((-1, 0)),
        ("Alt+Left",),
        "Make narrower",
        group="Arrange",
        part="size",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.size((0, 1)),
        ("Alt+Down",),
        "Make taller",
        group="Arrange",
        part="size",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.size((0, -1)),
        ("Alt+Up",),
        "Make shorter",
        group="Arrange",
        part="size",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.turn(15.0),
        ("Alt+.",),
        "Rotate clockwise",
        group="Arrange",
        part="size",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.turn(-15.0),
        ("Alt+,",),
        "Rotate counterclockwise",
        group="Arrange",
        part="size",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.align("left"),
        ("Ctrl+Shift+Left", "Alt+A, L"),
        "Align left edges",
        group="Arrange",
        part="alignment",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.align("right"),
        ("Ctrl+Shift+Right", "Alt+A, R"),
        "Align right edges",
        group="Arrange",
        part="alignment",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.align("top"),
        ("Ctrl+Shift+Up", "Alt+A, T"),
        "Align top edges",
        group="Arrange",
        part="alignment",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.align("bottom"),
        ("Ctrl+Shift+Down", "Alt+A, B"),
        "Align bottom edges",
        group="Arrange",
        part="alignment",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.align("centre"),
        ("Alt+A, C",),
        "Align centres",
        group="Arrange",
        part="alignment",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.align("middle"),
        ("Alt+A, M",),
        "Align middles",
        group="Arrange",
        part="alignment",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.distribute(across=True),
        ("Alt+A, H",),
        "Distribute horizontally",
        group="Arrange",
        part="alignment",
    ),
    Shortcut(
        lambda canvas: canvas.arrangement.distribute(across=False),
        ("Alt+A, V",),
        "Distribute vertically",
        group="Arrange",
        part="alignment",
    ),
    Shortcut(
        lambda canvas: canvas.zoom_and_view.zoom_in(),
        ("Ctrl+=", "Ctrl++"),
        "Zoom in",
        group="View",
        part="zoom",
    ),
    Shortcut(
        lambda canvas: canvas.zoom_and_view.zoom_out(), ("Ctrl+-",), "Zoom out", group="View", part="zoom"
    ),
    ZOOM_TO_100,
    ZOOM_TO_FIT,
    Shortcut(
        lambda canvas: canvas.zoom_and_view.zoom_to_selection(),
        ("Shift+2", "Ctrl+2"),
        "Zoom to selection",
        group="View",
        part="zoom",
    ),
    Shortcut(
        lambda canvas: canvas.zoom_and_view.follow_next(),
        ("Alt+W",),
        "Follow someone",
        group="View",
        part="navigation",
    ),
    Shortcut(
        lambda canvas: canvas.zoom_and_view.toggle_hand(),
        ("H",),
        "Hand tool",
        group="View",
        part="navigation",
    ),
    Shortcut(
        lambda canvas: canvas.held_tool.take("Select"), ("V",), "Select tool", group="View", part="navigation"
    ),
    Shortcut(lambda canvas: canvas.held_tool.take_by_key("N"), ("N",), "Note tool", group="Insert"),
    Shortcut(lambda canvas: canvas.held_tool.take_by_key("T"), ("T",), "Text tool", group="Insert"),
    Shortcut(lambda canvas: canvas.held_tool.choose_pictures(), ("I",), "Add pictures…", group="Insert"),
    Shortcut(lambda canvas: canvas.held_tool.take("Connector"), ("C",), "Connector tool", group="Insert"),
    Shortcut(lambda canvas: canvas.held_tool.take("Box"), ("R",), "Box tool", group="Insert", part="draw"),
    Shortcut(
        lambda canvas: canvas.held_tool.take("Ellipse"), ("O",), "Ellipse tool", group="Insert", part="draw"
    ),
    Shortcut(
        lambda canvas: canvas.held_tool.take("Diamond"), ("D",), "Diamond tool", group="Insert", part="draw"
    ),
    Shortcut(lambda canvas: canvas.held_tool.take("Pen"), ("P",), "Pen", group="Insert", part="draw"),
    Shortcut(lambda canvas: canvas.held_tool.take("Eraser"), ("E",), "Eraser", group="Insert", part="draw"),
    Shortcut(lambda canvas: canvas.held_tool.add_something(), ("/",), "Add something else", group="Insert"),
    *MEETING,
    MINIMAP,
    POINTERS,
    SNAPPING,
    GRID,
)
"""All actions, in the order of the shortcut sheet. Those with a name are also in context menus."""
