"""The test kit for what stands on channels."""

from liven.liveobjects.channel.testing.breakable_store import Shelf
from liven.liveobjects.channel.testing.processes import House, Process

__all__ = ["House", "Process", "Shelf"]
