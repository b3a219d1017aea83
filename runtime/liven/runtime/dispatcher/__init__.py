"""The one loop that runs all objects of a process, and its bodies.

The one on asyncio is imported by name, from `asyncio_body`: who has another loop need not load it.
"""

from liven.runtime.dispatcher.dispatcher import Action, Dispatcher, Entry
from liven.runtime.dispatcher.hand_cranked import HandCranked
from liven.runtime.dispatcher.watchdog import Watchdog

__all__ = ["Action", "Dispatcher", "Entry", "HandCranked", "Watchdog"]
