"""The multicast engine's Python face."""

from liven.multicast.engine import RangeSet, core_version
from liven.multicast.errors import MulticastError

__all__ = ["MulticastError", "RangeSet", "core_version"]
