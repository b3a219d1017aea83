"""The test kit for objects on channels.

Start with `processes.py`: several processes on one clock, connected without a network.
"""

from liven.liveobjects.channel.testing.breakable_store import Shelf
from liven.liveobjects.channel.testing.processes import House, Process

__all__ = ["House", "Process", "Shelf"]
