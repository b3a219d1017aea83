"""The test kit for objects on channels.

Start with `processes.py`: several processes on one clock, connected without a network.
"""

from liven.liveobjects.channel.testing.breakable_store import BreakableStore
from liven.liveobjects.channel.testing.processes import Process, Processes

__all__ = ["BreakableStore", "Process", "Processes"]
