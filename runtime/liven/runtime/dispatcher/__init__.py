"""The one loop that runs all objects of a process, its implementations, and the threads beside it.

The queue of events between objects is `objects.event_queue`. Start with `dispatcher`, the interface. Import
`asyncio_dispatcher` by name, so that programs with another loop need not load asyncio.
"""

from liven.runtime.dispatcher.dispatcher import Action, Dispatcher, Entry
from liven.runtime.dispatcher.hand_cranked import HandCranked
from liven.runtime.dispatcher.watchdog import Watchdog

__all__ = ["Action", "Dispatcher", "Entry", "HandCranked", "Watchdog"]
