"""The Python side of the multicast engine: nodes, groups, and the membership service as a process.

Start with `group` (what an application sees), then `socket_engine` (the same on real sockets) and
`simulation` (the same in virtual time). The protocol itself is the C core in `multicast/core`; only `engine`
imports it.
"""

from liven.multicast.engine import RangeSet, core_version
from liven.multicast.errors import MulticastError

__all__ = ["MulticastError", "RangeSet", "core_version"]
