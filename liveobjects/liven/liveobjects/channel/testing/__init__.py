"""The test kit for what stands on channels."""

from liven.liveobjects.channel.testing.house import House, Process
from liven.liveobjects.channel.testing.shelf import Shelf

__all__ = ["House", "Process", "Shelf"]
