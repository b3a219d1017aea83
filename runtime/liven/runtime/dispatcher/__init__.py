"""The one loop that runs all objects of a process, and its bodies."""

from liven.runtime.dispatcher.asyncio_body import AsyncioDispatcher
from liven.runtime.dispatcher.contract import Action, Dispatcher, Entry
from liven.runtime.dispatcher.crank import HandCranked
from liven.runtime.dispatcher.watchdog import Watchdog

__all__ = ["Action", "AsyncioDispatcher", "Dispatcher", "Entry", "HandCranked", "Watchdog"]
