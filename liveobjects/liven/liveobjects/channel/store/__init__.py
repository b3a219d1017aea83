"""The store: the disk of all channels of one process, in one shared log.

`store.py` decides when the log is written, forced to disk and compacted; start there. `channel_store.py` is
what one channel uses of it. The content of the records belongs to the channel; see `replica/disk`.
"""

from liven.liveobjects.channel.store.channel_store import ChannelStore
from liven.liveobjects.channel.store.records import Kept, Sync
from liven.liveobjects.channel.store.store import Store

__all__ = ["ChannelStore", "Kept", "Store", "Sync"]
