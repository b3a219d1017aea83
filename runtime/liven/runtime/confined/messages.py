"""The names of the messages between a program and the process of a confined library.

Each message is a list that begins with its name. `object` and `view` are numbers that the program gives.
"""

from __future__ import annotations

from typing import Final

PROTOCOL: Final = 1
LARGEST: Final = 4 << 20
"""The most bytes in one message."""
MOST_ITEMS: Final = 1 << 20
"""The most items in the lists and maps of one event from a confined process: they may need 72 MB."""

# From the program.
BUILD: Final = "build"
"""object, its recipe, its path, the person's key"""
END: Final = "end"
"""object"""
CONNECT: Final = "connect"
"""object, endpoint"""
DISCONNECT: Final = "disconnect"
"""object, endpoint"""
PING: Final = "ping"
"""number"""

# From the confined process.
READY: Final = "ready"
"""protocol: its library is loaded"""
BUILT: Final = "built"
"""object"""
UNBUILT: Final = "unbuilt"
"""object, what is wrong, details"""
ENDED: Final = "ended"
"""object, whether it failed"""
PROBLEM: Final = "problem"
"""object, or 0; kind, what, advice, details"""
PONG: Final = "pong"
"""number"""

# Both ways.
EVENT: Final = "event"
"""object, endpoint, event, values"""
VIEW: Final = "view"
"""view, what, and more: see `remote_view`"""
