"""The store: what the channels of one process keep on disk, in one log that they share."""

from liven.liveobjects.channel.store.channel_store import ChannelStore
from liven.liveobjects.channel.store.records import Kept, Sync
from liven.liveobjects.channel.store.store import Store

__all__ = ["ChannelStore", "Kept", "Store", "Sync"]
